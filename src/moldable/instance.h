/* instance.h - what a policy of the moldable problem is given; read only once built. */
#ifndef CS_MOLDABLE_INSTANCE_H
#define CS_MOLDABLE_INSTANCE_H

#include "moldable/bag.h"

#include <cosched/moldable.h>

/* More candidates than this are refused. */
#define CS_MOLDABLE_CANDIDATES_MOST ((size_t)1 << 26)

struct cs_moldable_instance {
    struct cs_moldable_bag bag;
    const struct cs_workload *workload;
    const unsigned char *origin; /* by candidate */
    struct cs_arena *arena;
};

/* The counts on which a task may run, ascending, as allowed.c finds them. */
struct cs_moldable_allowed {
    int entries;
    int *count;
    double *seconds;
    unsigned char *origin;
};

/* Room for the counts of any task on `procs` processors. */
void cs_moldable_allowed_init(struct cs_moldable_allowed *allowed,
                              const struct cs_workload *workload, int procs,
                              struct cs_arena *arena);

/* Those of one task.  -1 with err when the task is not one, or has none. */
int cs_moldable_allowed_find(struct cs_moldable_allowed *allowed,
                             const struct cs_workload *workload, int task, int procs,
                             const struct cs_moldable_options *options, struct cs_error *err);

#endif
