/* availability.h - what will be free in every pool of a site, by what is known: attempts that run,
 * what comes and goes, and reservations.
 *
 * One step function a pool.  Where an instance has no site there is one pool of its processors.
 * An attempt of a job takes units of the pools of its partition (model/site.h).
 */
#ifndef CS_SCHED_AVAILABILITY_H
#define CS_SCHED_AVAILABILITY_H

#include "sched/policy.h"

/* From time[i] on, until the next step or for ever, free[i * resources + r] is free. */
struct cs_sched_steps {
    int count, room;
    double *time;
    int64_t *free;
};

struct cs_sched_availability {
    const struct cs_sched_instance *in;
    struct cs_arena *arena;
    int pools, resources;
    struct cs_sched_steps *pool;
    int *at; /* scratch, by pool */
};

void cs_sched_availability_init(struct cs_sched_availability *space,
                                const struct cs_sched_instance *in, struct cs_arena *arena);

/* Only what runs, and what is known to come and go. */
void cs_sched_availability_begin(struct cs_sched_availability *space,
                                 const struct cs_sched_view *view);

/* Could an attempt of the job run in [start, its expected end)?  If so, `hold` lists the units that
 * it takes.  Pools that are `closed` (by pool; NULL: none is) offer no units. */
bool cs_sched_availability_fits(struct cs_sched_availability *space, int ticket, double start,
                                const bool *closed, struct cs_sched_hold *hold);

/* The earliest start of an attempt from the beginning of the space on, and the units it takes. */
double cs_sched_availability_earliest(struct cs_sched_availability *space, int ticket,
                                      struct cs_sched_hold *hold);

/* In [start, end) the job takes its hold, or gives it back. */
void cs_sched_availability_take(struct cs_sched_availability *space, int ticket,
                                const struct cs_sched_hold *hold, double start, double end);
void cs_sched_availability_give(struct cs_sched_availability *space, int ticket,
                                const struct cs_sched_hold *hold, double start, double end);

#endif
