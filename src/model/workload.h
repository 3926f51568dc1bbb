/* workload.h - what readers add to a workload that they made. */
#ifndef CS_MODEL_WORKLOAD_H
#define CS_MODEL_WORKLOAD_H

#include <cosched/workload.h>

/* Say what checkpoints cost and what is moved, count numbers each, which are copied; either may be
 * NULL. */
void cs_workload_set_state(struct cs_workload *workload, const double *checkpoint,
                           const double *data);

/* Say on what the tasks may run: count limits, which are copied with their lists. */
void cs_workload_set_limits(struct cs_workload *workload, const struct cs_task_limit *limit);

/* Limit all tasks further: counts, walltimes; the release of `all` is not looked at.  -1 with err
 * when a list of counts has nothing in common with the task's own. */
int cs_workload_restrict(struct cs_workload *workload, const struct cs_task_limit *all,
                         struct cs_error *err);

/* Say what the reader was not sure of; the text is copied. */
void cs_workload_set_remark(struct cs_workload *workload, const char *remark);

/* Remember the file a workload came from; the text is copied. */
void cs_workload_set_source(struct cs_workload *workload, const char *source);

#endif
