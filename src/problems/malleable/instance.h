/* instance.h - malleable tasks and a machine, read only once built. */
#ifndef CS_MALLEABLE_INSTANCE_H
#define CS_MALLEABLE_INSTANCE_H

#include "base/arena.h"
#include "model/moldable.h"
#include "problems/malleable/malleable.h"

struct cs_malleable_instance {
    struct cs_arena *arena;
    int tasks, usable; /* usable: processors in pairs */
    struct cs_malleable_platform platform;
    bool failing;                         /* processors fail and tasks save their state */
    const struct cs_malleable_task *task; /* profile is NULL or of no further use */
    struct cs_moldable *
        *measured;       /* by task: times on 1 .. usable processors, or NULL for formulas */
    const char *warning; /* or NULL */
};

/* The least even number of processors on which a task can run; 2 for formulas. */
int cs_malleable_instance_least(const struct cs_malleable_instance *in, int task);

#endif
