/* replay_study.c - one run after the other, on as many threads as there are. */
#include "problems/queue/replay_study.h"

#include "base/workers.h"

struct job {
    const struct cs_queue_replay_study *study;
    struct cs_queue_replay_outcome *out;
};

struct worker {
    const struct job *job;
    struct cs_arena *arena;
    int64_t *failures; /* room for the largest set */
};

struct cs_sched_draw cs_queue_replay_draw(const struct cs_rigid_scenarios *scenarios, int scenario)
{
    return (struct cs_sched_draw){scenarios->seed, scenarios->set, (uint64_t)scenario,
                                  scenarios->law.rate};
}

static int replay_study_replay(const struct cs_queue_replay_study *study, long run,
                               int64_t *failures, struct cs_queue_replay_outcome *out,
                               struct cs_error *err)
{
    int scenario = (int)(run % study->scenarios);
    long place = run / study->scenarios;
    const struct cs_queue_replay_jobs *set = &study->set[place % study->sets];
    const struct cs_queue_replay *variant = &study->variant[place / study->sets];
    struct cs_queue_arrivals_at at = {set->arrivals->job, set->arrivals->count, 0, failures};
    const struct cs_queue_replay replay = {
        .machine = study->machine,
        .verification = study->verification,
        .policy = variant->policy,
        .param = variant->param,
        .priority = variant->priority,
        .urgency = variant->urgency,
        .measure = study->measure,
        .draw = cs_queue_replay_draw(set->scenarios, scenario),
    };

    if (cs_rigid_scenarios_get(set->scenarios, scenario, failures, err) ||
        cs_queue_replay_run(&replay, cs_queue_arrivals_next, &at, &out->result, err))
        return -1;
    out->bound =
        cs_queue_arrivals_bound(at.job, at.count, failures, study->machine, study->verification);
    out->ratio = out->bound > 0 ? out->result.makespan / out->bound : 1;
    return 0;
}

static int replay_study_begin(void *worker, const void *job, struct cs_error *err)
{
    struct worker *w = worker;
    const struct cs_queue_replay_study *study;
    int most = 0;

    (void)err;
    *w = (struct worker){.job = job, .arena = cs_arena_create()};
    study = w->job->study;
    for (int s = 0; s < study->sets; s++)
        if (study->set[s].arrivals->count > most)
            most = study->set[s].arrivals->count;
    w->failures = CS_NEW_ARRAY(w->arena, int64_t, most);
    return 0;
}

static int run_one(void *worker, long run, struct cs_error *err)
{
    struct worker *w = worker;

    return replay_study_replay(w->job->study, run, w->failures, &w->job->out[run], err);
}

static void replay_study_end(void *worker)
{
    struct worker *w = worker;

    cs_arena_destroy(w->arena);
}

int cs_queue_replay_study_run(const struct cs_queue_replay_study *study,
                              struct cs_queue_replay_outcome *out, struct cs_error *err)
{
    const struct job job = {study, out};
    const struct cs_workers share = {
        .runs = (long)study->variants * study->sets * study->scenarios,
        .threads = study->threads,
        .size = sizeof(struct worker),
        .job = &job,
        .begin = replay_study_begin,
        .run = run_one,
        .end = replay_study_end,
        .progress = study->progress,
        .who = study->who,
    };

    return cs_workers_run(&share, err);
}
