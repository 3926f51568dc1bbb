/* instance.h - rigid jobs on one machine, as policies see them.
 *
 * A job is identified by its ticket, a small number from 0 on.  In a batch all jobs are known and
 * tickets are ranks: ticket 0 is most urgent.  Where jobs arrive, a job gets a ticket when it
 * arrives, and the ticket serves another when the job is done; cs_sched_before decides which of two
 * jobs is more urgent.
 */
#ifndef CS_SCHED_INSTANCE_H
#define CS_SCHED_INSTANCE_H

#include "base/arena.h"
#include "model/site.h"

#include <cosched/error.h>

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* A set of jobs. */
struct cs_sched_jobs {
    int count;
    int machine;           /* processors of the machine, >= 1 */
    double verification;   /* seconds added to each attempt, v >= 0 */
    const double *seconds; /* count: error-free time of an attempt, t > 0 */
    const int *procs;      /* count: 1 .. machine */
};

/* Refuse what is not such a set, naming the job.  -1 with err. */
int cs_sched_jobs_check(const struct cs_sched_jobs *jobs, struct cs_error *err);

/* The mean of seconds * procs, 0 for no job. */
double cs_sched_mean_area(const struct cs_sched_jobs *jobs);

/* The rank of a job in the order of all jobs that ever arrive: by late, key, number. */
struct cs_sched_place {
    double key;
    int64_t number; /* no two jobs share one */
    int late;       /* 1: behind all that are 0 */
};

/* The request of a job on a site (model/site.h). */
struct cs_sched_request {
    int partition, units;
    int64_t demand[CS_LOG_RESOURCES];
    bool gres; /* it has a demand for generic resources */
    bool any;  /* of any type */
    int64_t procs;
    int user; /* -1: none */
    double arrival;
};

/* The units that an attempt holds of one pool of a site. */
struct cs_sched_taken {
    int pool, units;
};

struct cs_sched_hold {
    int count, room;
    struct cs_sched_taken *taken;
    int amounts;     /* room for so many taken, times the resources of the site */
    int64_t *amount; /* where any type is wanted: of each taken, of each resource */
};

/* Where users have limits: the totals of each user over its running attempts and its reservations
 * that are kept.  The policy adds an attempt that starts or gets such a reservation; the driver
 * subtracts an attempt that ends. */
struct cs_sched_usage {
    int64_t most_jobs, most_procs; /* 0: no limit */
    int users;
    int64_t *jobs, *procs; /* by user */
};

/* Counters of actions of a policy that no single job shows. */
struct cs_sched_counters {
    int64_t new_plans; /* reservations were dropped and made again */
    int64_t moves;     /* of reservations */
};

/* Read only for policies.  Seconds are those that an attempt is expected to take: the true ones in
 * a batch, estimates where jobs arrive. */
struct cs_sched_instance {
    const struct cs_sched_jobs *jobs; /* NULL where jobs arrive */
    int count;                        /* tickets are below; where jobs arrive it may grow */
    int machine;
    double verification;
    const int *job;                     /* by ticket: the index in jobs; NULL where jobs arrive */
    const double *seconds;              /* by ticket */
    const int *procs;                   /* by ticket */
    const struct cs_sched_place *place; /* by ticket, where jobs arrive; NULL: tickets are ranks */
    bool learns;                        /* ranks change while jobs run: rate.h */
    /* Of a site and of a log; NULL, 0 and false elsewhere. */
    const struct cs_site *site; /* a job needs the resources of its request, and `machine` is a sum;
                                   NULL: one pool of processors */
    const struct cs_sched_request *request; /* by ticket, where jobs arrive */
    struct cs_sched_hold *hold; /* by ticket, with a site: a policy fills it for jobs that start */
    struct cs_sched_usage *usage; /* or NULL: no limits */
    bool moves;                   /* places change from one decision to the next, in place */
    double origin;                /* the first arrival */
    double *promise; /* by ticket: a policy that keeps reservations puts the begin of the first one
                        there, where there was NAN */
    struct cs_sched_counters *counters;
};

/* The amount of each resource of the site in taken number h of the hold. */
void cs_sched_hold_amounts(const struct cs_site *site, const struct cs_sched_request *request,
                           const struct cs_sched_hold *hold, int h, int64_t *amount);

/* order[k] is the job of rank k.  Lives in the arena. */
struct cs_sched_instance *cs_sched_instance_create(const struct cs_sched_jobs *jobs,
                                                   const int *order, struct cs_arena *arena);

/* One attempt more counts for its user, or one less, where users have limits. */
void cs_sched_usage_add(const struct cs_sched_instance *in, int ticket, int attempts);

/* The expected end of an attempt that starts at `start`, as spec/rigid.md 1 rounds it. */
static inline double cs_sched_end(const struct cs_sched_instance *in, int ticket, double start)
{
    return (start + in->seconds[ticket]) + in->verification;
}

/* Is one of so many that start now too short for the clock?  Then it is over before its slot is,
 * and a plan no longer holds. */
static inline bool cs_sched_end_at_once(const struct cs_sched_instance *in, const int *start,
                                        int count, double now)
{
    for (int a = 0; a < count; a++)
        if (cs_sched_end(in, start[a], now) <= now)
            return true;
    return false;
}

/* The expected end in a plan: an attempt too short for the clock, which ends when it starts, has
 * its processors until the next instant, or others would have them too. */
static inline double cs_sched_plan_end(const struct cs_sched_instance *in, int ticket, double start)
{
    double end = cs_sched_end(in, ticket, start);

    return end > start ? end : nextafter(start, INFINITY);
}

static inline bool cs_sched_place_before(const struct cs_sched_place *a,
                                         const struct cs_sched_place *b)
{
    if (a->late != b->late)
        return a->late < b->late;
    if (a->key != b->key)
        return a->key < b->key;
    return a->number < b->number;
}

static inline struct cs_sched_place cs_sched_place_of(const struct cs_sched_instance *in,
                                                      int ticket)
{
    return in->place ? in->place[ticket] : (struct cs_sched_place){.number = ticket};
}

/* Is the job of ticket a more urgent than that of b? */
static inline bool cs_sched_before(const struct cs_sched_instance *in, int a, int b)
{
    return in->place ? cs_sched_place_before(&in->place[a], &in->place[b]) : a < b;
}

#endif
