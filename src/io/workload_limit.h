/* workload_limit.h - on what a task may run, as keys of its object in JSON. */
#ifndef CS_IO_WORKLOAD_LIMIT_H
#define CS_IO_WORKLOAD_LIMIT_H

#include "base/arena.h"
#include "base/json.h"
#include "base/jsonw.h"

#include <cosched/workload.h>

#define CS_WORKLOAD_LIMIT_KEYS "min_procs|max_procs|counts|walltime|margin|release"

/* Those keys of a task, none of which must be there; *any becomes true when one is.  The list lives
 * in the arena. */
int cs_workload_limit_read(const struct cs_json_at *task, struct cs_task_limit *limit, bool *any,
                           struct cs_arena *arena, struct cs_error *err);

void cs_workload_limit_put(struct cs_jsonw *w, const struct cs_task_limit *limit);

/* A list of counts such as "4,8,16", or "powers-of-two", "even", "multiples:M". */
int cs_workload_counts_parse(const char *text, struct cs_task_limit *limit, struct cs_arena *arena,
                             struct cs_error *err);

#endif
