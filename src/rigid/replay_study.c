/* replay_study.c - one run after the other, on as many threads as there are. */
#include "rigid/replay_study.h"

#include "base/thread.h"

struct worker {
    int64_t *failures; /* room for the largest set */
    long run;          /* that failed first on this thread */
    struct cs_error err;
};

struct cs_rigid_draw cs_rigid_replay_draw(const struct cs_rigid_scenarios *scenarios, int scenario)
{
    return (struct cs_rigid_draw){scenarios->seed, scenarios->set, (uint64_t)scenario,
                                  scenarios->law.rate};
}

static int replay(const struct cs_rigid_replay_study *study, long run, int64_t *failures,
                  struct cs_rigid_replay_outcome *out, struct cs_error *err)
{
    int scenario = (int)(run % study->scenarios);
    long place = run / study->scenarios;
    const struct cs_rigid_replay_jobs *set = &study->set[place % study->sets];
    const struct cs_rigid_replay *way = &study->way[place / study->sets];
    struct cs_rigid_arrivals_at at = {set->arrivals->job, set->arrivals->count, 0, failures};
    const struct cs_rigid_replay replay = {
        .machine = study->machine,
        .verification = study->verification,
        .policy = way->policy,
        .reservations = way->reservations,
        .in_order = way->in_order,
        .priority = way->priority,
        .draw = cs_rigid_replay_draw(set->scenarios, scenario),
    };

    if (cs_rigid_scenarios_get(set->scenarios, scenario, failures, err) ||
        cs_rigid_replay_run(&replay, cs_rigid_arrivals_next, &at, &out->result, err))
        return -1;
    out->bound =
        cs_rigid_arrivals_bound(at.job, at.count, failures, study->machine, study->verification);
    out->ratio = out->bound > 0 ? out->result.makespan / out->bound : 1;
    return 0;
}

static void workers_init(const struct cs_rigid_replay_study *study, struct worker *worker,
                         int threads, struct cs_arena *arena)
{
    int most = 0;

    for (int s = 0; s < study->sets; s++)
        if (study->set[s].arrivals->count > most)
            most = study->set[s].arrivals->count;
    for (int w = 0; w < threads; w++)
        worker[w].failures = CS_NEW_ARRAY(arena, int64_t, most);
}

/* The error of the first run that has one. */
static int first_error(const struct worker *worker, int threads, struct cs_error *err)
{
    const struct worker *first = NULL;

    for (int w = 0; w < threads; w++)
        if (worker[w].err.text[0] && (!first || worker[w].run < first->run))
            first = &worker[w];
    return first ? cs_error_set(err, "%s", first->err.text) : 0;
}

static void run_one(const struct cs_rigid_replay_study *study, struct worker *worker, long run,
                    struct cs_rigid_replay_outcome *out)
{
    if (!worker->err.text[0] && replay(study, run, worker->failures, out, &worker->err))
        worker->run = run;
}

int cs_rigid_replay_study_run(const struct cs_rigid_replay_study *study,
                              struct cs_rigid_replay_outcome *out, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    long runs = (long)study->ways * study->sets * study->scenarios;
    int threads = study->threads > 1 ? study->threads : 1, status;
    struct worker *worker = CS_NEW_ARRAY(arena, struct worker, threads);

    workers_init(study, worker, threads, arena);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (long run = 0; run < runs; run++) {
        run_one(study, &worker[cs_thread_index()], run, &out[run]);
        if (study->progress && cs_thread_index() == 0)
            study->progress(study->who, run);
    }
    status = first_error(worker, threads, err);
    cs_arena_destroy(arena);
    return status;
}
