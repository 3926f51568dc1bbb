/* study.c - workers that each own deciders and what these have computed. */
#include "volatile/study.h"

#include "base/rng.h"
#include "base/thread.h"
#include "volatile/bound.h"
#include "volatile/simulate.h"

#define DICE 0x64696365u /* keeps this stream apart from others */

struct worker {
    struct cs_arena *arena;
    struct cs_volatile_estimator *estimator;
    struct cs_volatile_simulation **simulation; /* by policy */
    struct cs_error err;
};

struct cs_volatile_source *cs_volatile_world_source(const struct cs_volatile_world *world,
                                                    const struct cs_volatile_instance *in,
                                                    uint64_t seed, uint64_t trial,
                                                    struct cs_error *err)
{
    const struct cs_volatile_instance *truth = world->truth ? world->truth : in;

    switch (world->rule) {
    case CS_VOLATILE_RULE_CHAINS:
        return cs_volatile_source_markov(truth, seed, trial);
    case CS_VOLATILE_RULE_SEMI_MARKOV:
        return cs_volatile_source_semi_markov(truth, world->law, world->parameter, seed, trial,
                                              err);
    default:
        return cs_volatile_source_traces(truth, world->trace, err);
    }
}

uint64_t cs_volatile_dice_seed(uint64_t seed, uint64_t trial)
{
    struct cs_rng rng;

    cs_rng_init(&rng, seed, DICE, trial);
    return cs_rng_next(&rng);
}

static void worker_init(struct worker *w, const struct cs_volatile_study *study)
{
    int count;
    const struct cs_volatile_policy *const *list = cs_volatile_policy_list(&count);

    *w = (struct worker){.arena = cs_arena_create()};
    w->estimator = cs_volatile_estimator_create(study->instance);
    w->simulation = CS_NEW_ARRAY(w->arena, struct cs_volatile_simulation *, study->policies);
    for (int p = 0; p < study->policies; p++) {
        const struct cs_volatile_policy *policy = list[study->call[p].policy];
        struct cs_volatile_options options = cs_volatile_options_of(policy, study->call[p].param);

        w->simulation[p] = cs_volatile_simulation_create(
            study->instance, cs_volatile_decider_create(w->estimator, policy, options, w->arena),
            options.prefetch, w->arena);
    }
}

static void worker_release(struct worker *w)
{
    cs_volatile_estimator_destroy(w->estimator);
    cs_arena_destroy(w->arena);
}

static void run_trial(struct worker *w, const struct cs_volatile_study *study, int trial,
                      struct cs_volatile_outcome *outcome, int64_t *bound)
{
    uint64_t number = study->first + (uint64_t)trial;
    struct cs_volatile_source *source;

    if (w->err.text[0])
        return;
    source = cs_volatile_world_source(&study->world, study->instance, study->seed, number, &w->err);
    if (!source)
        return;
    for (int p = 0; p < study->policies; p++)
        cs_volatile_simulation_run(w->simulation[p], source,
                                   cs_volatile_dice_seed(study->seed, number), CS_VOLATILE_SKIPPING,
                                   NULL, NULL, &outcome[p]);
    if (bound)
        *bound = cs_volatile_bound(study->instance, source);
    cs_volatile_source_destroy(source);
}

int cs_volatile_study_run(const struct cs_volatile_study *study,
                          struct cs_volatile_outcome *outcome, int64_t *bound, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    int threads = study->threads > 1 ? study->threads : 1, status = 0;
    struct worker *worker = CS_NEW_ARRAY(arena, struct worker, threads);

    for (int w = 0; w < threads; w++)
        worker_init(&worker[w], study);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int t = 0; t < study->trials; t++) {
        run_trial(&worker[cs_thread_index()], study, t,
                  outcome + (size_t)t * (size_t)study->policies, bound ? bound + t : NULL);
        if (study->progress && cs_thread_index() == 0)
            study->progress(study->who, t);
    }
    for (int w = 0; w < threads; w++) {
        if (worker[w].err.text[0] && !status)
            status = cs_error_set(err, "%s", worker[w].err.text);
        worker_release(&worker[w]);
    }
    cs_arena_destroy(arena);
    return status;
}
