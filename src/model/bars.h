/* bars.h - bars of a schedule in sorted order, for readers of schedules. */
#ifndef CS_MODEL_BARS_H
#define CS_MODEL_BARS_H

#include "base/arena.h"
#include "model/schedule.h"

#include <stddef.h>

/* The bars by task, then start, then place in the schedule, in the arena. */
const struct cs_bar **cs_bars_by_task(const struct cs_schedule *schedule, size_t *count,
                                      struct cs_arena *arena);

#endif
