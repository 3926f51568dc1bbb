/* study.h - one policy and one priority through many failure scenarios.
 *
 * Scenarios are shared out over threads; every figure depends on (jobs, policy, priority, scenario)
 * alone, so any number of threads gives the same bytes.
 */
#ifndef CS_RIGID_STUDY_H
#define CS_RIGID_STUDY_H

#include "rigid/priority.h"
#include "rigid/scenarios.h"
#include "rigid/simulate.h"

struct cs_rigid_study {
    const struct cs_rigid_jobs *jobs;
    const struct cs_rigid_policy *policy;
    const double *param;
    const struct cs_rigid_priority *priority;
    const struct cs_rigid_scenarios *scenarios;
    int threads;
    void (*progress)(void *who, int done); /* from one thread at a time; or NULL */
    void *who;
};

/* What one scenario came to. */
struct cs_rigid_outcome {
    double makespan;    /* seconds */
    double bound;       /* L(f), seconds */
    double ratio;       /* makespan / bound; 1 when there is no job */
    int64_t failures;   /* attempts that ended with an error */
    double waste;       /* processor seconds of those */
    double utilisation; /* busy processor time / (machine * makespan) */
};

/* out[s] for every scenario.  -1 with err. */
int cs_rigid_study_run(const struct cs_rigid_study *study, struct cs_rigid_outcome *out,
                       struct cs_error *err);

/* The strong bound (bound_strong.h) of every scenario, in seconds.  -1 with err. */
int cs_rigid_study_bounds(const struct cs_rigid_scenarios *scenarios, int threads, double *bound,
                          struct cs_error *err);

#endif
