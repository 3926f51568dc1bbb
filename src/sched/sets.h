/* sets.h - a job log cut into sets that are scheduled one by one. */
#ifndef CS_SCHED_SETS_H
#define CS_SCHED_SETS_H

#include "io/joblog.h"
#include "sched/instance.h"

struct cs_sched_set {
    char name[32]; /* the date, or the number of the set from 1 */
    int count;
    const int *job; /* indices into the log, by submit time, then id */
};

/* By day of submission, days without a job left out; `offset` seconds are added to UTC. */
struct cs_sched_set *cs_sched_sets_by_day(const struct cs_joblog *log, int64_t offset, int *sets,
                                          struct cs_arena *arena);

/* So many jobs each, the last set with what is left; 0: one set of all. */
struct cs_sched_set *cs_sched_sets_by_count(const struct cs_joblog *log, int size, int *sets,
                                            struct cs_arena *arena);

/* The jobs of a set. */
struct cs_sched_jobs cs_sched_set_jobs(const struct cs_joblog *log, const struct cs_sched_set *set,
                                       double verification, struct cs_arena *arena);

#endif
