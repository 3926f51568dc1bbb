/* workload.h - what readers add to a workload that they made. */
#ifndef CS_MODEL_WORKLOAD_H
#define CS_MODEL_WORKLOAD_H

#include "model/modes.h"

#include <cosched/workload.h>

/* Set the checkpoint costs and data sizes, count numbers each, which are copied; either may be
 * NULL. */
void cs_workload_set_state(struct cs_workload *workload, const double *checkpoint,
                           const double *data);

/* The same for verifications and disk checkpoints. */
void cs_workload_set_levels(struct cs_workload *workload, const double *verification,
                            const double *disk);

/* Set the limits of tasks: count limits, which are copied with their lists. */
void cs_workload_set_limits(struct cs_workload *workload, const struct cs_task_limit *limit);

/* Limit all tasks further: counts, walltimes; the release of `all` is not looked at.  -1 with err
 * when a list of counts has nothing in common with the task's own. */
int cs_workload_restrict(struct cs_workload *workload, const struct cs_task_limit *all,
                         struct cs_error *err);

/* Set the modes of the tasks, of which there are as many; a copy is kept.  NULL: none. */
void cs_workload_set_modes(struct cs_workload *workload, const struct cs_modes *modes);

/* Set what is proven of its optimum, the text of the key `known`.  -1 with err when it is not. */
int cs_workload_set_known(struct cs_workload *workload, const char *text, struct cs_error *err);

/* Set the warning of the reader; the text is copied. */
void cs_workload_set_remark(struct cs_workload *workload, const char *remark);

/* Remember the file a workload came from; the text is copied. */
void cs_workload_set_source(struct cs_workload *workload, const char *source);

#endif
