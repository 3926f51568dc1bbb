/* rigid.h - rigid jobs that may have to run again after a silent error.
 *
 * The problem of Benoit, Le Fevre, Raghavan, Robert, Sun, "Resilient Scheduling Heuristics for
 * Rigid Parallel Jobs": jobs of fixed width and length, all available at time 0, on identical
 * processors.  At the end of an attempt a detector says whether a silent error struck; a job that
 * failed runs again from scratch, until it succeeds.  A priority says which job is looked at first,
 * a policy which of them start.
 *
 * A scenario fixes how often each job fails; policies do not know it.  From jobs to figures:
 *
 *     cs_rigid_scenarios_create (or _given, _read); cs_rigid_policy_parse, cs_rigid_priority_find;
 *     cs_rigid_study_run; cs_rigid_study_schedule for a look at one scenario.
 *
 * Jobs are numbered from 0 in input order.  Times are in seconds.
 */
#ifndef CS_SCHED_RIGID_H
#define CS_SCHED_RIGID_H

#include "model/policy.h"
#include "model/schedule.h"

#include <cosched/error.h>
#include <stdbool.h>
#include <stdint.h>

/* A set of jobs. */
struct cs_rigid_jobs {
    int count;
    int machine;           /* processors of the machine, >= 1 */
    double verification;   /* seconds added to each attempt, v >= 0 */
    const double *seconds; /* count: error-free time of an attempt, t > 0 */
    const int *procs;      /* count: 1 .. machine */
};

/* Refuse what is not such a set, naming the job.  -1 with err. */
int cs_rigid_jobs_check(const struct cs_rigid_jobs *jobs, struct cs_error *err);

/* The mean of seconds * procs, 0 for no job. */
double cs_rigid_mean_area(const struct cs_rigid_jobs *jobs);

/* The jobs of synthetic set number `set` of the paper: 50 to 2000 processors, 100 to 20000 seconds.
 * They depend on (seed, set) alone; more jobs begin with the same ones. */
void cs_rigid_draw_jobs(uint64_t seed, uint64_t set, int count, double *seconds, int *procs);

/* Who starts: the policies, *count of them, in the order in which they are listed. */
const struct cs_policy *const *cs_rigid_policies(int *count);

struct cs_rigid_policy;

/* The policy of a call. */
const struct cs_rigid_policy *cs_rigid_policy_at(int index);

/* Read "easy", "list:reservations=2", ...: the values of the parameters stand in call->param.  NULL
 * with err. */
const struct cs_rigid_policy *cs_rigid_policy_parse(const char *text, struct cs_policy_call *call,
                                                    struct cs_error *err);

/* Who is looked at first: an order of the jobs, ties to the lower index. */
struct cs_rigid_priority;

/* The priorities, from index 0 on; NULL at the end. */
const struct cs_rigid_priority *cs_rigid_priority_at(int index);

/* By name, case does not matter: "LPT", ...  NULL with the list of names in err. */
const struct cs_rigid_priority *cs_rigid_priority_find(const char *name, struct cs_error *err);

const char *cs_rigid_priority_name(const struct cs_rigid_priority *priority);
const char *cs_rigid_priority_summary(const struct cs_rigid_priority *priority);

/* The exponential law of silent errors: an attempt of area a = seconds * procs fails with
 * probability 1 - exp(-rate a).  Verification does not count. */
struct cs_rigid_law {
    double mean; /* an average job fails an attempt with this probability, 0 <= mean < 1; or */
    double rate; /* silent errors per second and processor, when mean is NaN; else it is set */
};

/* How often each job fails, scenario by scenario. */
struct cs_rigid_scenarios;

/* No job may fail more often than this in a scenario. */
#define CS_RIGID_FAILURE_CAP 10000000

/* `count` scenarios drawn by the law; each depends on (jobs, law, seed, set, its number) alone, and
 * all policies, priorities and machines meet the same draws.  The jobs must outlive them.  NULL
 * with err when the jobs or the law are none, or a job would fail too often. */
struct cs_rigid_scenarios *cs_rigid_scenarios_create(const struct cs_rigid_jobs *jobs,
                                                     struct cs_rigid_law law, uint64_t seed,
                                                     uint64_t set, int count, struct cs_error *err);

/* The same with numbers that are given and copied: failures[s * jobs->count + j]. */
struct cs_rigid_scenarios *cs_rigid_scenarios_measured(const struct cs_rigid_jobs *jobs, int count,
                                                       const int64_t *failures,
                                                       struct cs_error *err);

/* The same from a file: one scenario a line, one number for each job in input order. */
struct cs_rigid_scenarios *cs_rigid_scenarios_read(const struct cs_rigid_jobs *jobs,
                                                   const char *path, struct cs_error *err);

void cs_rigid_scenarios_destroy(struct cs_rigid_scenarios *scenarios); /* NULL is fine */

int cs_rigid_scenarios_count(const struct cs_rigid_scenarios *scenarios);

/* failures[j] of every job in one scenario.  -1 with err when a job would fail too often. */
int cs_rigid_scenarios_get(const struct cs_rigid_scenarios *scenarios, int scenario,
                           int64_t *failures, struct cs_error *err);

/* The larger of the longest chain and the area per processor: no schedule of this scenario ends
 * earlier.  failures[j] for every job j; without_verification leaves v out, as the authors do. */
double cs_rigid_lower_bound(const struct cs_rigid_jobs *jobs, const int64_t *failures,
                            bool without_verification);

/* One policy and one priority through many scenarios. */
struct cs_rigid_study {
    const struct cs_rigid_jobs *jobs; /* those of the scenarios */
    const struct cs_rigid_policy *policy;
    const double *param; /* as in cs_policy_call */
    const struct cs_rigid_priority *priority;
    const struct cs_rigid_scenarios *scenarios;
    int threads; /* 0: one; results do not depend on it */
};

/* What one scenario came to. */
struct cs_rigid_outcome {
    double makespan;    /* seconds */
    double bound;       /* cs_rigid_lower_bound, seconds */
    double ratio;       /* makespan / bound; 1 when there is no job */
    int64_t failures;   /* attempts that ended with an error */
    double waste;       /* processor seconds of those */
    double utilisation; /* busy processor time / (machine * makespan) */
};

/* outcome[s] for every scenario.  -1 with err. */
int cs_rigid_study_run(const struct cs_rigid_study *study, struct cs_rigid_outcome *outcome,
                       struct cs_error *err);

/* A better lower bound for every scenario, in seconds: also by dual feasible functions, and by
 * which jobs can run beside which.  About a millisecond a scenario for 100 jobs.  -1 with err. */
int cs_rigid_study_bounds(const struct cs_rigid_scenarios *scenarios, int threads, double *bound,
                          struct cs_error *err);

/* One scenario as it would run.  Every attempt is a bar: of kind lost when it ended with an error,
 * of kind work when it ended well.  Attempts get the lowest free processors in the order in which
 * they start; with a policy of shelves bars carry the number of their shelf as group, and a job
 * that runs again within a shelf keeps its processors.  name[j] of every job, or NULL for numbers.
 * The caller destroys it.  NULL with err. */
struct cs_schedule *cs_rigid_study_schedule(const struct cs_rigid_study *study, int scenario,
                                            const char *const *name, struct cs_error *err);

#endif
