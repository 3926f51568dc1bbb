/* batch.h - a plan as a batch script for Slurm, for those who want no executor. */
#ifndef CS_REPORT_BATCH_H
#define CS_REPORT_BATCH_H

#include "base/arena.h"
#include "base/strbuf.h"
#include "model/schedule.h"

struct cs_batch {
    const char *command; /* what made the plan, or NULL */
    const char *unit;    /* what a processor is called: "node" places each task on its own */
    bool graphs;         /* a task waits for all that end before it starts in the plan */
};

/* Append the script: a step for each task, begun as soon as those have ended that have its
 * processors before it in the plan.  -1 with err when a task has several bars. */
int cs_batch_put(const struct cs_schedule *schedule, const struct cs_batch *batch,
                 struct cs_strbuf *out, struct cs_error *err);

/* bar[task] becomes the only bar of work of each task. -1 with err, which states that a `form` has
 * one `piece` for each task, if a task has no or several bars. */
int cs_batch_bars(const struct cs_schedule *schedule, const char *form, const char *piece,
                  const struct cs_bar **bar, struct cs_error *err);

/* order[] becomes the tasks by start of their bars, end, index. */
void cs_batch_order(const struct cs_bar *const *bar, int tasks, int *order,
                    struct cs_arena *scratch);

#endif
