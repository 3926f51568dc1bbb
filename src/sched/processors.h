/* processors.h - which processors are free: jobs get the lowest numbers.
 *
 * One bit a processor, one bit for every 64 of them: taking or giving back costs a step for every
 * 64 processors and every interval.
 */
#ifndef CS_SCHED_PROCESSORS_H
#define CS_SCHED_PROCESSORS_H

#include "base/arena.h"
#include "model/schedule.h"

#include <stdint.h>

#define CS_SCHED_PROCESSORS_SIZES 31

struct cs_sched_processors {
    struct cs_arena *arena;
    int words;
    uint64_t *free; /* words */
    uint64_t *some; /* bit w: free[w] is not 0 */
    struct cs_sched_processors_spare
        *spare[CS_SCHED_PROCESSORS_SIZES]; /* room for 2^size intervals */
};

/* A set that a job holds: ascending, disjoint, not touching.  Start with { 0 }. */
struct cs_sched_processor_set {
    struct cs_interval *interval;
    int count, size; /* room for 2^size of them, unless interval is NULL */
};

/* All processors 0 .. machine - 1 are free. */
void cs_sched_processors_init(struct cs_sched_processors *procs, int machine,
                              struct cs_arena *arena);

/* The `wanted` lowest free processors, which there are, for a set that holds none. */
void cs_sched_processors_take(struct cs_sched_processors *procs, int wanted,
                              struct cs_sched_processor_set *set);

/* They are free again; the set holds none, and its memory serves others. */
void cs_sched_processors_give(struct cs_sched_processors *procs,
                              struct cs_sched_processor_set *set);

#endif
