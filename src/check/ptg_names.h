/* ptg_names.h - the names of a schedule of task graphs are those of its graphs. */
#ifndef COSCHED_CHECK_PTG_NAMES_H
#define COSCHED_CHECK_PTG_NAMES_H

#include "base/arena.h"

#include <cosched/check.h>

/* The schedule has as many tasks as the graphs. */
void cs_check_ptg_names(const struct cs_schedule *schedule, const struct cs_ptg_declared *declared,
                        struct cs_arena *scratch, struct cs_check_report *report);

#endif
