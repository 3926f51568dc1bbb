/* baselines.h - what bicpa finds for every number of processors that it assumes. */
#ifndef CS_PTG_BASELINES_H
#define CS_PTG_BASELINES_H

#include "base/arena.h"
#include "problems/ptg/instance.h"

enum cs_ptg_bicpa {
    CS_PTG_BICPA_S, /* on the front, the least sum of makespan and work, each over that of CPA */
    CS_PTG_BICPA_M, /* the least makespan with no more work than CPA */
    CS_PTG_BICPA_W, /* the least work with no longer makespan than CPA */
    CS_PTG_BICPA_E, /* on the front, makespan and work in the most equal proportion to CPA's */
    CS_PTG_BICPA_CPA,
};

/* One graph on one cluster; sizes 1 .. procs. */
struct cs_ptg_sizes {
    int sizes;               /* processors of the cluster */
    const int *const *width; /* by size - 1 and task */
    double *makespan, *work; /* by size - 1: seconds, processor seconds */
};

/* The allocation and the plan of each size; all of it lives in the arena. */
struct cs_ptg_sizes cs_ptg_sizes_try(const struct cs_ptg_instance *in, bool fan,
                                     struct cs_arena *arena);

/* The size that a rule chooses. */
int cs_ptg_sizes_choose(const struct cs_ptg_sizes *sizes, enum cs_ptg_bicpa rule);

#endif
