/* priority.h - the order in which rigid jobs are examined.
 *
 * A priority is a total order of the jobs; ties go to the lower index.  A failed job comes back
 * with its rank.
 */
#ifndef CS_SCHED_PRIORITY_H
#define CS_SCHED_PRIORITY_H

#include "sched/instance.h"

/* The inputs of a random or rate-aware order. */
struct cs_sched_draw {
    uint64_t seed, set, scenario;
    double lambda; /* silent errors per second and processor; 0 when unknown */
};

struct cs_sched_priority {
    const char *name, *summary, *source;
    bool per_scenario; /* a new order for each scenario */
    bool learns;       /* a new order whenever an attempt has ended: rate.h */
    /* The key of a job; `descending`: the largest first. */
    double (*key)(const struct cs_sched_jobs *jobs, int job, const struct cs_sched_draw *draw);
    bool descending;
    /* Jobs of the first class come before all others, sorted by key; the others by rest_key. */
    bool (*first_class)(const struct cs_sched_jobs *jobs, int job);
    double (*rest_key)(const struct cs_sched_jobs *jobs, int job, const struct cs_sched_draw *draw);
};

/* All of them, *count. */
const struct cs_sched_priority *cs_sched_priorities(int *count);

/* By name, case does not matter: "LPT", ...  NULL with the list of names in err. */
const struct cs_sched_priority *cs_sched_priority_find(const char *name, struct cs_error *err);

/* order[k] = the job of rank k; of a priority that learns: before anything has ended. */
void cs_sched_priority_order(const struct cs_sched_priority *priority,
                             const struct cs_sched_jobs *jobs, const struct cs_sched_draw *draw,
                             int *order, struct cs_arena *scratch);

/* The jobs in this order.  Lives in the arena. */
struct cs_sched_instance *cs_sched_priority_instance(const struct cs_sched_priority *priority,
                                                     const struct cs_sched_jobs *jobs,
                                                     const struct cs_sched_draw *draw,
                                                     struct cs_arena *arena);

#endif
