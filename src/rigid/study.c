/* study.c - workers that each own a simulation. */
#include "rigid/study.h"

#include "rigid/bound_strong.h"

#include "base/thread.h"

struct worker {
    const struct cs_rigid_study *study;
    struct cs_arena *arena; /* the worker's own */
    struct cs_arena_mark mark;
    struct cs_rigid_simulation *simulation;
    int64_t *failures;
    struct cs_error err;
};

/* The order is the same for all scenarios, or made for this one; the simulation goes with it. */
static int set_up(struct worker *w, int scenario)
{
    const struct cs_rigid_study *study = w->study;
    const struct cs_rigid_draw draw = {
        .seed = study->scenarios->seed,
        .set = study->scenarios->set,
        .scenario = (uint64_t)scenario,
        .lambda = study->scenarios->law.rate,
    };
    const struct cs_rigid_instance *in;

    cs_arena_rewind(w->arena, w->mark);
    in = cs_rigid_priority_instance(study->priority, study->jobs, &draw, w->arena);
    w->simulation = cs_rigid_simulation_create(in, study->policy, study->param, w->arena, &w->err);
    return w->simulation ? 0 : -1;
}

static void worker_init(struct worker *w, const struct cs_rigid_study *study)
{
    *w = (struct worker){.study = study, .arena = cs_arena_create()};
    w->failures = CS_NEW_ARRAY(w->arena, int64_t, study->jobs->count);
    w->mark = cs_arena_mark(w->arena);
    if (!study->priority->per_scenario)
        set_up(w, 0);
}

static void measure(const struct worker *w, double makespan, struct cs_rigid_outcome *out)
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
    out->bound = cs_rigid_lower_bound(jobs, w->failures, 0);
    out->ratio = jobs->count ? makespan / out->bound : 1;
    out->utilisation = jobs->count ? (work + out->waste) / (jobs->machine * makespan) : 1;
}

static void run_scenario(struct worker *w, int scenario, struct cs_rigid_outcome *out)
{
    if (w->err.text[0] ||
        cs_rigid_scenarios_get(w->study->scenarios, scenario, w->failures, &w->err) ||
        (w->study->priority->per_scenario && set_up(w, scenario)))
        return;
    measure(w, cs_rigid_simulation_run(w->simulation, w->failures, NULL, NULL), out);
}

int cs_rigid_study_run(const struct cs_rigid_study *study, struct cs_rigid_outcome *out,
                       struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    int threads = study->threads > 1 ? study->threads : 1, status = 0;
    struct worker *worker = CS_NEW_ARRAY(arena, struct worker, threads);

    for (int w = 0; w < threads; w++)
        worker_init(&worker[w], study);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16)
    for (int s = 0; s < study->scenarios->count; s++) {
        run_scenario(&worker[cs_thread_index()], s, &out[s]);
        if (study->progress && cs_thread_index() == 0)
            study->progress(study->who, s);
    }
    for (int w = 0; w < threads; w++) {
        if (worker[w].err.text[0] && !status)
            status = cs_error_set(err, "%s", worker[w].err.text);
        cs_arena_destroy(worker[w].arena);
    }
    cs_arena_destroy(arena);
    return status;
}

/* Errors are rare; the first thread that has one speaks. */
int cs_rigid_study_bounds(const struct cs_rigid_scenarios *scenarios, int threads, double *bound,
                          struct cs_error *err)
{
    int status = 0;

    (void)threads;
#pragma omp parallel for num_threads(threads > 1 ? threads : 1) schedule(dynamic, 1)
    for (int s = 0; s < scenarios->count; s++) {
        struct cs_arena *arena = cs_arena_create();
        int64_t *failures = CS_NEW_ARRAY(arena, int64_t, scenarios->jobs->count);
        struct cs_error own = {0};

        if (cs_rigid_scenarios_get(scenarios, s, failures, &own) == 0) {
            bound[s] = cs_rigid_bound_strong(scenarios->jobs, failures, arena);
        } else {
#pragma omp critical(study_bounds)
            status = cs_error_set(err, "%s", own.text);
        }
        cs_arena_destroy(arena);
    }
    return status;
}
