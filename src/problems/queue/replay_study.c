/* replay_study.c - one run after the other, on as many threads as there are. */
#include "problems/queue/replay_study.h"

struct worker {
    const struct cs_queue_replay_study *study;
    struct cs_arena *arena;
    int64_t *failures; /* room for the largest set */
};

struct cs_sched_draw cs_queue_replay_draw(const struct cs_sched_scenarios *scenarios, int scenario)
{
    return (struct cs_sched_draw){scenarios->seed, scenarios->set, (uint64_t)scenario,
                                  scenarios->law.rate};
}

static int replay_study_run(void *worker, const struct cs_loop_at *run, void *outcome,
                            struct cs_error *err)
{
    const struct worker *w = worker;
    const struct cs_queue_replay_study *study = w->study;
    struct cs_queue_replay_outcome *out = outcome;
    int64_t *failures = w->failures;
    int scenario = (int)run->scenario;
    const struct cs_queue_replay_jobs *set = &study->set[run->set];
    const struct cs_queue_replay *variant = &study->variant[run->variant];
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

    if (cs_sched_scenarios_get(set->scenarios, scenario, failures, err) ||
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
    const struct cs_queue_replay_study *study = job;
    int most = 0;

    (void)err;
    *w = (struct worker){.study = study, .arena = cs_arena_create()};
    for (int s = 0; s < study->sets; s++)
        if (study->set[s].arrivals->count > most)
            most = study->set[s].arrivals->count;
    w->failures = CS_NEW_ARRAY(w->arena, int64_t, most);
    return 0;
}

static void replay_study_end(void *worker)
{
    struct worker *w = worker;

    cs_arena_destroy(w->arena);
}

int cs_queue_replay_study_run(const struct cs_queue_replay_study *study,
                              struct cs_queue_replay_outcome *out, struct cs_error *err)
{
    const struct cs_loop loop = {
        .variants = study->variants,
        .sets = study->sets,
        .scenarios = study->scenarios,
        .threads = study->threads,
        .job = study,
        .worker = sizeof(struct worker),
        .outcome = out,
        .size = sizeof *out,
        .begin = replay_study_begin,
        .run = replay_study_run,
        .end = replay_study_end,
        .progress = study->progress,
    };

    return cs_loop_run(&loop, err);
}
