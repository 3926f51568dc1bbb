/* instance.h - what a policy of the moldable problem is given; read only once built. */
#ifndef CS_MOLDABLE_INSTANCE_H
#define CS_MOLDABLE_INSTANCE_H

#include "problems/moldable/bag.h"
#include "problems/moldable/moldable.h"

/* More candidates than this are refused. */
#define CS_MOLDABLE_CANDIDATES_MOST ((size_t)1 << 26)

struct cs_moldable_instance {
    struct cs_moldable_bag bag;
    const struct cs_workload *workload;
    const unsigned char *origin; /* by candidate */
    struct cs_arena *arena;
};

/* The walltime of each task, +inf if it has no walltime. */
const double *cs_moldable_walltimes(const struct cs_moldable_instance *in, struct cs_arena *arena);

#endif
