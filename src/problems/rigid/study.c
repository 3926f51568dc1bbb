/* study.c - one policy and priority through many failure scenarios, on several threads.
 *
 * Source: spec/rigid.md 7 (bound and normalised makespan, for each scenario).
 *
 * Idea: each worker owns an arena, a simulation and an array of failures; scenarios are shared out
 * in chunks.  A priority that depends on the scenario (random) makes its order and simulation
 * again for each one.
 *
 * Invariants: a result depends on (jobs, policy, priority, scenario) only, and is written to its
 * own place: the same bytes for any number of threads.
 *
 * Constant                                          | found        | at half, at double
 * CHUNK: 16 scenarios, which take microseconds each | not recorded | not measured
 */
#include "problems/rigid/study.h"

#include "base/guard.h"
#include "problems/rigid/bound.h"

#include "base/workers.h"

#define CHUNK 16 /* scenarios take microseconds */

struct job {
    const struct cs_rigid_study *study;
    struct cs_rigid_outcome *out;
};

struct worker {
    const struct cs_rigid_study *study;
    struct cs_rigid_outcome *out;
    struct cs_arena *arena; /* the worker's own */
    struct cs_arena_mark mark;
    struct cs_rigid_simulation *simulation;
    int64_t *failures;
};

/* The order is the same for all scenarios, or made for this one; the simulation goes with it. */
static int set_up(struct worker *w, int scenario, struct cs_error *err)
{
    const struct cs_rigid_study *study = w->study;
    const struct cs_sched_draw draw = {
        .seed = study->scenarios->seed,
        .set = study->scenarios->set,
        .scenario = (uint64_t)scenario,
        .lambda = study->scenarios->law.rate,
    };
    const struct cs_sched_instance *in;

    cs_arena_rewind(w->arena, w->mark);
    in = cs_sched_priority_instance(study->priority, study->jobs, &draw, w->arena);
    w->simulation = cs_rigid_simulation_create(in, study->policy, study->param, w->arena, err);
    return w->simulation ? 0 : -1;
}

static void study_end(void *worker)
{
    struct worker *w = worker;

    cs_arena_destroy(w->arena);
}

static int study_begin(void *worker, const void *job, struct cs_error *err)
{
    const struct job *supplied = job;
    struct worker *w = worker;

    *w =
        (struct worker){.study = supplied->study, .out = supplied->out, .arena = cs_arena_create()};
    w->failures = CS_NEW_ARRAY(w->arena, int64_t, w->study->jobs->count);
    w->mark = cs_arena_mark(w->arena);
    if (w->study->priority->per_scenario || !set_up(w, 0, err))
        return 0;
    study_end(w);
    return -1;
}

static void study_measure(const struct worker *w, double makespan, struct cs_rigid_outcome *out)
{
    const struct cs_rigid_jobs *jobs = w->study->jobs;
    double work = 0;

    *out = (struct cs_rigid_outcome){.makespan = makespan};
    for (int j = 0; j < jobs->count; j++) {
        double attempt = (jobs->seconds[j] + jobs->verification) * jobs->procs[j];

        out->failures += w->failures[j];
        out->waste += (double)w->failures[j] * attempt;
        work += attempt;
    }
    out->bound = cs_rigid_bound_of(jobs, w->failures, jobs->verification);
    out->ratio = jobs->count ? makespan / out->bound : 1;
    out->utilisation = jobs->count ? (work + out->waste) / (jobs->machine * makespan) : 1;
}

static int run_scenario(void *worker, long run, struct cs_error *err)
{
    struct worker *w = worker;
    int scenario = (int)run;

    if (cs_rigid_scenarios_get(w->study->scenarios, scenario, w->failures, err) ||
        (w->study->priority->per_scenario && set_up(w, scenario, err)))
        return -1;
    study_measure(w, cs_rigid_simulation_run(w->simulation, w->failures, NULL, NULL), &w->out[run]);
    return 0;
}

bool cs_rigid_study_is_whole(const struct cs_rigid_study *study)
{
    return study && study->jobs && study->policy && study->param && study->priority &&
           study->scenarios && study->scenarios->jobs == study->jobs;
}

int cs_rigid_study_run(const struct cs_rigid_study *study, struct cs_rigid_outcome *out,
                       struct cs_error *err)
{
    CS_ASK(cs_rigid_study_is_whole(study) && out, err, -1);
    CS_GUARD(err, -1);
    const struct job job = {study, out};
    const struct cs_workers share = {
        .runs = study->scenarios->count,
        .threads = study->threads,
        .chunk = CHUNK,
        .size = sizeof(struct worker),
        .job = &job,
        .begin = study_begin,
        .run = run_scenario,
        .end = study_end,
        .progress = study->progress,
        .who = study->who,
    };

    return cs_workers_run(&share, err);
}

struct bounds {
    const struct cs_rigid_scenarios *scenarios;
    double *bound;
};

struct bounder {
    const struct bounds *bounds;
    struct cs_arena *arena;
    int64_t *failures;
    struct cs_arena_mark mark;
};

static int bounder_begin(void *worker, const void *job, struct cs_error *err)
{
    struct bounder *b = worker;

    (void)err;
    *b = (struct bounder){.bounds = job, .arena = cs_arena_create()};
    b->failures = CS_NEW_ARRAY(b->arena, int64_t, b->bounds->scenarios->jobs->count);
    b->mark = cs_arena_mark(b->arena);
    return 0;
}

static int bounder_run(void *worker, long run, struct cs_error *err)
{
    struct bounder *b = worker;
    const struct cs_rigid_scenarios *scenarios = b->bounds->scenarios;

    if (cs_rigid_scenarios_get(scenarios, (int)run, b->failures, err))
        return -1;
    b->bounds->bound[run] = cs_rigid_bound_strong(scenarios->jobs, b->failures, b->arena);
    cs_arena_rewind(b->arena, b->mark);
    return 0;
}

static void bounder_end(void *worker)
{
    struct bounder *b = worker;

    cs_arena_destroy(b->arena);
}

int cs_rigid_study_bounds(const struct cs_rigid_scenarios *scenarios, int threads, double *bound,
                          struct cs_error *err)
{
    CS_ASK(scenarios && bound, err, -1);
    CS_GUARD(err, -1);
    const struct bounds bounds = {scenarios, bound};
    const struct cs_workers share = {
        .runs = scenarios->count,
        .threads = threads,
        .size = sizeof(struct bounder),
        .job = &bounds,
        .begin = bounder_begin,
        .run = bounder_run,
        .end = bounder_end,
    };

    return cs_workers_run(&share, err);
}
