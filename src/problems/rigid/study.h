/* study.h - one policy and one priority through many failure scenarios.
 *
 * Scenarios are shared out over threads; every figure depends on (jobs, policy, priority, scenario)
 * alone, so any number of threads gives the same bytes.
 */
#ifndef CS_RIGID_STUDY_H
#define CS_RIGID_STUDY_H

#include "problem/loop.h"
#include "problems/rigid/simulate.h"
#include "sched/bound.h"
#include "sched/policy.h"
#include "sched/priority.h"
#include "sched/scenarios.h"

#include <cosched/schedule.h>

/* One policy and one priority through many scenarios. */
struct cs_rigid_study {
    const struct cs_sched_jobs *jobs; /* those of the scenarios */
    const struct cs_sched_policy *policy;
    const double *param; /* as in cs_policy_call */
    const struct cs_sched_priority *priority;
    const struct cs_sched_scenarios *scenarios;
    int threads;    /* 0: one; results do not depend on it */
    int processors; /* of the bars of schedules: enum cs_study_processors */
};

/* The outcome of one scenario. */
struct cs_rigid_outcome {
    double makespan;    /* seconds */
    double bound;       /* cs_sched_lower_bound, seconds */
    double ratio;       /* makespan / bound; 1 when there is no job */
    int64_t failures;   /* attempts that ended with an error */
    double waste;       /* processor seconds of those */
    double utilisation; /* busy processor time / (machine * makespan) */
};

/* outcome[s] for every scenario.  -1 with err. */
int cs_rigid_study_run(const struct cs_rigid_study *study, struct cs_rigid_outcome *outcome,
                       struct cs_error *err);

/* A better lower bound for every scenario, in seconds: also by dual feasible functions, and by the
 * sets of jobs that can run concurrently.  About a millisecond a scenario for 100 jobs.  -1 with
 * err. */
int cs_rigid_study_bounds(const struct cs_sched_scenarios *scenarios, int threads, double *bound,
                          struct cs_error *err);

/* One scenario as it would run.  Every attempt is a bar: of kind lost when it ended with an error,
 * of kind work when it ended well.  Attempts get whole blocks of free processors in the order in
 * which they start; with a policy of shelves bars carry the number of their shelf as group, and a
 * job that runs again within a shelf keeps its processors.  name[j] of every job, or NULL for
 * numbers. The caller destroys it.  NULL with err. */
struct cs_schedule *cs_rigid_study_schedule(const struct cs_rigid_study *study, int scenario,
                                            const char *const *name, struct cs_error *err);

/* Does it name all that is needed, and are the scenarios those of its jobs? */
bool cs_rigid_study_is_whole(const struct cs_rigid_study *study);

/* Studies of several variants and sets of jobs. */
struct cs_rigid_batch {
    const struct cs_rigid_study *study; /* of each variant and in it of each set; those without
                                           scenarios do not run */
    int variants, sets;
    long scenarios; /* of each study */
    int threads;
    void *seen; /* of each run, in the order of the loop, `size` bytes each */
    size_t size;
    void (*see)(void *seen, const struct cs_rigid_outcome *outcome);
    const struct cs_study_progress *progress; /* or NULL */
};

int cs_rigid_batch_run(const struct cs_rigid_batch *batch, struct cs_error *err);

#endif
