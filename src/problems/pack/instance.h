/* instance.h - what a policy of the pack problem is given; read only once built. */
#ifndef CS_PACK_INSTANCE_H
#define CS_PACK_INSTANCE_H

#include "model/moldable.h"
#include "problems/pack/pack.h"

struct cs_pack_instance {
    const struct cs_workload *workload;
    struct cs_moldable *tasks; /* times; tasks->count tasks on tasks->procs processors */
    int pack_size;             /* 1 .. procs */
};

static inline double cs_pack_time(const struct cs_pack_instance *in, int task, int procs)
{
    return cs_moldable_time(in->tasks, task, procs);
}

#endif
