/* instance.h - rigid jobs on one machine, as policies see them.
 *
 * A job goes by its ticket, a small number from 0 on.  In a batch all jobs are known and tickets
 * are ranks: ticket 0 is most urgent.  Where jobs arrive, one gets a ticket when it does, and the
 * ticket serves another when the job is done; cs_rigid_before says who is more urgent.
 */
#ifndef CS_RIGID_INSTANCE_H
#define CS_RIGID_INSTANCE_H

#include "base/arena.h"

#include <cosched/rigid.h>

/* Where a job stands in the order of all that ever come: by late, key, number. */
struct cs_rigid_place {
    double key;
    int64_t number; /* no two jobs share one */
    int late;       /* 1: behind all that are 0 */
};

/* What a job takes of a pool of a site (model/site.h). */
struct cs_rigid_taken {
    int pool, units;
};

/* Read only for policies.  Seconds are those that an attempt is expected to take: the true ones in
 * a batch, estimates where jobs arrive. */
struct cs_rigid_instance {
    const struct cs_rigid_jobs *jobs; /* NULL where jobs arrive */
    int count;                        /* tickets are below; where jobs arrive it may grow */
    int machine;
    double verification;
    const int *job;                     /* by ticket: the index in jobs; NULL where jobs arrive */
    const double *seconds;              /* by ticket */
    const int *procs;                   /* by ticket */
    const struct cs_rigid_place *place; /* by ticket, where jobs arrive; NULL: tickets are ranks */
    bool learns;                        /* ranks change while jobs run: learn.h */
};

/* order[k] is the job of rank k.  Lives in the arena. */
struct cs_rigid_instance *cs_rigid_instance_create(const struct cs_rigid_jobs *jobs,
                                                   const int *order, struct cs_arena *arena);

/* The expected end of an attempt that starts at `start`, as the specification rounds it. */
static inline double cs_rigid_end(const struct cs_rigid_instance *in, int ticket, double start)
{
    return (start + in->seconds[ticket]) + in->verification;
}

static inline bool cs_rigid_place_before(const struct cs_rigid_place *a,
                                         const struct cs_rigid_place *b)
{
    if (a->late != b->late)
        return a->late < b->late;
    if (a->key != b->key)
        return a->key < b->key;
    return a->number < b->number;
}

static inline struct cs_rigid_place cs_rigid_place_of(const struct cs_rigid_instance *in,
                                                      int ticket)
{
    return in->place ? in->place[ticket] : (struct cs_rigid_place){.number = ticket};
}

/* Is the job of ticket a more urgent than that of b? */
static inline bool cs_rigid_before(const struct cs_rigid_instance *in, int a, int b)
{
    return in->place ? cs_rigid_place_before(&in->place[a], &in->place[b]) : a < b;
}

#endif
