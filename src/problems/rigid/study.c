/* study.c - policies and priorities through many failure scenarios, on several threads.
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

#define CHUNK 16 /* scenarios take microseconds */

struct worker {
    const struct cs_rigid_batch *batch;
    const struct cs_rigid_study *study; /* of the variant and set that it runs */
    struct cs_arena *arena;             /* the worker's own */
    struct cs_arena_mark mark;
    struct cs_rigid_simulation *simulation;
    int64_t *failures;
};

/* The order is the same for all scenarios, or made for this one; the simulation goes with it. */
static int worker_set_up(struct worker *w, int scenario, struct cs_error *err)
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

static void worker_end(void *worker)
{
    struct worker *w = worker;

    cs_arena_destroy(w->arena);
}

static int worker_begin(void *worker, const void *job, struct cs_error *err)
{
    const struct cs_rigid_batch *batch = job;
    struct worker *w = worker;
    int most = 0;

    (void)err;
    for (int s = 0; s < batch->sets; s++)
        most = batch->study[s].jobs->count > most ? batch->study[s].jobs->count : most;
    *w = (struct worker){.batch = batch, .arena = cs_arena_create()};
    w->failures = CS_NEW_ARRAY(w->arena, int64_t, most);
    w->mark = cs_arena_mark(w->arena);
    return 0;
}

static int worker_enter(void *worker, int variant, int set, struct cs_error *err)
{
    struct worker *w = worker;

    w->study = &w->batch->study[variant * w->batch->sets + set];
    return !w->study->scenarios || w->study->priority->per_scenario ? 0 : worker_set_up(w, 0, err);
}

static void study_measure(const struct worker *w, double makespan, struct cs_rigid_outcome *out)
{
    const struct cs_sched_jobs *jobs = w->study->jobs;
    double work = 0;

    *out = (struct cs_rigid_outcome){.makespan = makespan};
    for (int j = 0; j < jobs->count; j++) {
        double attempt = (jobs->seconds[j] + jobs->verification) * jobs->procs[j];

        out->failures += w->failures[j];
        out->waste += (double)w->failures[j] * attempt;
        work += attempt;
    }
    out->bound = cs_sched_bound_of(jobs, w->failures, jobs->verification);
    out->ratio = jobs->count ? makespan / out->bound : 1;
    out->utilisation = jobs->count ? (work + out->waste) / (jobs->machine * makespan) : 1;
}

static int worker_run(void *worker, const struct cs_loop_at *at, void *seen, struct cs_error *err)
{
    struct worker *w = worker;
    const int scenario = (int)at->scenario;
    struct cs_rigid_outcome outcome;

    if (!w->study->scenarios)
        return 0;
    if (cs_sched_scenarios_get(w->study->scenarios, scenario, w->failures, err) ||
        (w->study->priority->per_scenario && worker_set_up(w, scenario, err)))
        return -1;
    study_measure(w, cs_rigid_simulation_run(w->simulation, w->failures, NULL, NULL), &outcome);
    w->batch->see(seen, &outcome);
    return 0;
}

int cs_rigid_batch_run(const struct cs_rigid_batch *batch, struct cs_error *err)
{
    const struct cs_loop loop = {
        .variants = batch->variants,
        .sets = batch->sets,
        .scenarios = batch->scenarios,
        .threads = batch->threads,
        .chunk = CHUNK,
        .job = batch,
        .worker = sizeof(struct worker),
        .outcome = batch->seen,
        .size = batch->size,
        .begin = worker_begin,
        .enter = worker_enter,
        .run = worker_run,
        .end = worker_end,
        .progress = batch->progress,
    };

    return cs_loop_run(&loop, err);
}

bool cs_rigid_study_is_whole(const struct cs_rigid_study *study)
{
    return study && study->jobs && study->policy && study->param && study->priority &&
           study->scenarios && study->scenarios->jobs == study->jobs;
}

static void study_see(void *seen, const struct cs_rigid_outcome *outcome)
{
    *(struct cs_rigid_outcome *)seen = *outcome;
}

int cs_rigid_study_run(const struct cs_rigid_study *study, struct cs_rigid_outcome *out,
                       struct cs_error *err)
{
    CS_ASK(cs_rigid_study_is_whole(study) && out, err, -1);
    CS_GUARD(err, -1);
    const struct cs_rigid_batch batch = {
        .study = study,
        .variants = 1,
        .sets = 1,
        .scenarios = study->scenarios->count,
        .threads = study->threads,
        .seen = out,
        .size = sizeof *out,
        .see = study_see,
    };

    return cs_rigid_batch_run(&batch, err);
}

struct bounder {
    const struct cs_sched_scenarios *scenarios;
    struct cs_arena *arena;
    int64_t *failures;
    struct cs_arena_mark mark;
};

static int bounder_begin(void *worker, const void *job, struct cs_error *err)
{
    struct bounder *b = worker;

    (void)err;
    *b = (struct bounder){.scenarios = job, .arena = cs_arena_create()};
    b->failures = CS_NEW_ARRAY(b->arena, int64_t, b->scenarios->jobs->count);
    b->mark = cs_arena_mark(b->arena);
    return 0;
}

static int bounder_run(void *worker, const struct cs_loop_at *at, void *bound, struct cs_error *err)
{
    struct bounder *b = worker;

    if (cs_sched_scenarios_get(b->scenarios, (int)at->scenario, b->failures, err))
        return -1;
    *(double *)bound = cs_sched_bound_strong(b->scenarios->jobs, b->failures, b->arena);
    cs_arena_rewind(b->arena, b->mark);
    return 0;
}

static void bounder_end(void *worker)
{
    struct bounder *b = worker;

    cs_arena_destroy(b->arena);
}

int cs_rigid_study_bounds(const struct cs_sched_scenarios *scenarios, int threads, double *bound,
                          struct cs_error *err)
{
    CS_ASK(scenarios && bound, err, -1);
    CS_GUARD(err, -1);
    const struct cs_loop loop = {
        .scenarios = scenarios->count,
        .threads = threads,
        .job = scenarios,
        .worker = sizeof(struct bounder),
        .outcome = bound,
        .size = sizeof *bound,
        .begin = bounder_begin,
        .run = bounder_run,
        .end = bounder_end,
    };

    return cs_loop_run(&loop, err);
}
