/* counts.h - on which counts a task may be launched, and how long it takes there, as given.
 *
 * A task runs on measured counts, those of a formula, and what the fill and fewer of its profile
 * add; limits and walltimes remove counts. Entries of a table beyond the processors are ignored,
 * and holes stay holes.
 */
#ifndef CS_MODEL_COUNTS_H
#define CS_MODEL_COUNTS_H

#include "base/arena.h"
#include "model/profile.h"

#include <cosched/error.h>
#include <cosched/workload.h>

/* Ascending. */
struct cs_counts {
    int entries;
    int *procs;
    double *seconds;
    unsigned char *origin; /* enum cs_time_origin */
};

/* Room for the counts of any task on `procs` processors. */
void cs_counts_init(struct cs_counts *counts, const struct cs_workload *workload, int procs,
                    struct cs_arena *arena);

/* Those of one task; a count is in time if margin (at least 1) * seconds <= walltime.  -1 with err
 * when the task is not one, or has none, with the reason. */
int cs_counts_find(struct cs_counts *counts, const struct cs_workload *workload, int task,
                   int procs, double margin, struct cs_error *err);

/* Does the limit allow the count?  Times and releases are not looked at. */
bool cs_counts_permit(const struct cs_task_limit *limit, int procs);

#endif
