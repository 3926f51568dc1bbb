/* study.c - trials of all policies on the same states, shared by worker threads.
 *
 * Source: spec/volatile.md 8 (paired comparison: the same states for all heuristics of a trial).
 * Idea: each worker has its own estimator and deciders; a trial makes its states once and runs each
 * policy on them.
 * Invariants: a result depends on (instance, world, seed, trial, policy) alone, so any number of
 * threads gives the same bytes; caches of a worker never change a result.
 * Complexity: trials x policies simulations.  bench/README.md: Table II (5,100 runs of ten trials)
 * took 25 minutes of processor time.
 * Constants: DICE and TURN only separate streams of random numbers.
 */
#include "problems/volatile/study.h"
#include "base/rng.h"
#include "model/extpol.h"
#include "problems/volatile/optimum.h"
#include "problems/volatile/simulate.h"
#include "problems/volatile/source.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* A lower bound on the number of slots, for all states known beforehand.
 *
 * Source: without checkpoints the off-line problem (optimum.c; spec/volatile.md 6, Part II.5).
 * With checkpoints (III.3) a bound that is not in the paper: computed slots are kept, so an
 * iteration need not find W slots without a loss, but no slot can add more than 1 / W of an
 * iteration, where W is the least workload of any configuration of the hosts that are up in it.
 * Invariant: transfers and the cost of saves are ignored, so no schedule is shorter.
 * Complexity with checkpoints: O(hosts log(most workload)) for each slot in which a state changes.
 *
 * Constant: ROUNDING 1e-6, a share of all iterations; it covers the rounding of sums and of
 * progress (cs_volatile_rest).  Set by hand; half and double: not measured.
 */

#define ROUNDING 1e-6 /* of iterations: far above that of sums, and of how progress is rounded */

struct pace {
    const struct cs_volatile_instance *in;
    bool *up;      /* by host */
    int64_t tasks; /* that the hosts that are up can hold */
};

/* The tasks that hosts that are up compute within so many slots. */
static int64_t tasks_within(const struct pace *p, int64_t workload)
{
    int64_t tasks = 0;

    for (int q = 0; q < p->in->hosts; q++) {
        int64_t held = p->up[q] ? workload / p->in->host[q].slots : 0;

        tasks += held < p->in->capacity[q] ? held : p->in->capacity[q];
    }
    return tasks;
}

/* The most that a slot brings of an iteration. */
static double bound_progress(const struct pace *p)
{
    int64_t low = 0, high = p->in->most_workload;

    if (p->tasks < p->in->app.tasks)
        return 0;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;

        if (tasks_within(p, middle) >= p->in->app.tasks)
            high = middle;
        else
            low = middle;
    }
    return 1 / (double)high;
}

static void change_host(struct pace *p, int host, bool up)
{
    if (p->up[host] != up)
        p->tasks += up ? p->in->capacity[host] : -(int64_t)p->in->capacity[host];
    p->up[host] = up;
}

static int64_t keep_pace(struct pace *p, struct cs_volatile_source *source)
{
    int64_t end = source->end < p->in->app.cap ? source->end : p->in->app.cap, slot = 0;
    double left = (double)p->in->app.iterations * (1 - ROUNDING);
    const struct cs_volatile_change *change;

    for (size_t at = 0; slot < end;) {
        double each;
        int64_t next;

        while ((change = cs_volatile_source_change(source, at)) && change->slot <= slot) {
            change_host(p, (int)(change->what / 4), change->what % 4 == CS_VOLATILE_UP);
            at++;
        }
        next = change && change->slot < end ? change->slot : end;
        each = bound_progress(p);
        if ((double)(next - slot) * each >= left)
            return slot + (int64_t)ceil(left / each);
        left -= (double)(next - slot) * each;
        slot = next;
    }
    return -1;
}

static int64_t with_checkpoints(const struct cs_volatile_instance *in,
                                struct cs_volatile_source *source)
{
    struct cs_arena *arena = cs_arena_create();
    struct pace p = {.in = in, .up = CS_NEW_ARRAY(arena, bool, in->hosts)};
    int64_t slots;

    for (int q = 0; q < in->hosts; q++)
        change_host(&p, q, source->first[q] == CS_VOLATILE_UP);
    slots = keep_pace(&p, source);
    cs_arena_destroy(arena);
    return slots;
}

struct cs_volatile_limit cs_volatile_limit(const struct cs_volatile_instance *in,
                                           struct cs_volatile_source *source, int64_t patience)
{
    struct cs_arena *arena;
    struct cs_volatile_optimum optimum;

    if (in->app.save_every > 0)
        return (struct cs_volatile_limit){with_checkpoints(in, source), false};
    arena = cs_arena_create();
    optimum = cs_volatile_optimum_find(in, source, patience > 0 ? patience : 1, arena);
    cs_arena_destroy(arena);
    return (struct cs_volatile_limit){optimum.slots, optimum.exact};
}

#define DICE 0x64696365u /* keeps this stream apart from others */
#define TURN 0x7475726eu /* and this one */

struct job {
    const struct cs_volatile_study *study;
    const struct cs_volatile_sky *sky;
    struct cs_volatile_outcome *outcome;
    struct cs_volatile_limit *limit; /* or NULL */
};

struct worker {
    const struct job *job;
    struct cs_arena *arena;
    struct cs_volatile_estimator *estimator;
    struct cs_volatile_simulation **simulation; /* by policy */
};

struct cs_volatile_sky {
    const struct cs_volatile_world *world;
    const struct cs_volatile_instance *truth;
    const struct cs_volatile_laws *laws; /* or NULL */
};

struct cs_volatile_sky *cs_volatile_sky_create(const struct cs_volatile_world *world,
                                               const struct cs_volatile_instance *in,
                                               struct cs_arena *arena, struct cs_error *err)
{
    struct cs_volatile_sky *sky = CS_NEW(arena, struct cs_volatile_sky);
    int hosts;

    sky->world = world;
    sky->truth = world->truth ? world->truth : in;
    hosts = world->rule == CS_VOLATILE_RULE_TRACES ? world->fleet->hosts : sky->truth->hosts;
    if (hosts != in->hosts) {
        cs_error_set(err, "the states are those of %d hosts, the instance has %d", hosts,
                     in->hosts);
        return NULL;
    }
    if (world->rule == CS_VOLATILE_RULE_TRACES)
        return sky;
    if (world->rule == CS_VOLATILE_RULE_SEMI_MARKOV)
        sky->laws = cs_volatile_laws_create(sky->truth, world->law, world->parameter, arena, err);
    return world->rule == CS_VOLATILE_RULE_SEMI_MARKOV && !sky->laws ? NULL : sky;
}

/* Those of the trial begin in a slot that is drawn, and go round. */
static struct cs_volatile_source *traces_of(const struct cs_volatile_sky *sky, uint64_t seed,
                                            uint64_t trial)
{
    const struct cs_volatile_world *world = sky->world;
    int64_t first = world->from;
    struct cs_rng rng;

    if (world->turn && trial > 0) {
        cs_rng_init(&rng, seed, TURN, trial);
        first += (int64_t)cs_rng_below(&rng, (uint64_t)(world->fleet->slots - first));
    }
    return cs_volatile_source_turned(sky->truth, world->fleet, world->from, first,
                                     world->fleet->slots);
}

struct cs_volatile_source *cs_volatile_sky_source(const struct cs_volatile_sky *sky, uint64_t seed,
                                                  uint64_t trial)
{
    if (sky->laws)
        return cs_volatile_source_of_laws(sky->laws, seed, trial);
    if (sky->world->rule == CS_VOLATILE_RULE_TRACES)
        return traces_of(sky, seed, trial);
    return cs_volatile_source_markov(sky->truth, seed, trial);
}

uint64_t cs_volatile_dice_seed(uint64_t seed, uint64_t trial)
{
    struct cs_rng rng;

    cs_rng_init(&rng, seed, DICE, trial);
    return cs_rng_next(&rng);
}

static int study_begin(void *worker, const void *job, struct cs_error *err)
{
    struct worker *w = worker;
    const struct cs_volatile_study *study = ((const struct job *)job)->study;
    int count;
    const struct cs_volatile_policy *const *list = cs_volatile_policy_list(&count);

    (void)err;
    *w = (struct worker){.job = job, .arena = cs_arena_create()};
    w->estimator = cs_volatile_estimator_create(study->instance);
    w->simulation = CS_NEW_ARRAY(w->arena, struct cs_volatile_simulation *, study->policies);
    for (int p = 0; p < study->policies; p++) {
        const struct cs_volatile_policy *policy = list[study->call[p].policy];
        struct cs_volatile_options options = cs_volatile_options_of(policy, study->call[p].param);

        options.lifetime_model = study->lifetime_model;
        w->simulation[p] = cs_volatile_simulation_create(
            study->instance, cs_volatile_decider_create(w->estimator, policy, options, w->arena),
            options.prefetch, w->arena);
    }
    return 0;
}

static void study_end(void *worker)
{
    struct worker *w = worker;

    cs_volatile_estimator_destroy(w->estimator);
    cs_arena_destroy(w->arena);
}

static int run_trial(void *worker, const struct cs_loop_at *at, void *out, struct cs_error *err)
{
    const struct worker *w = worker;
    const struct job *job = w->job;
    const struct cs_volatile_study *study = job->study;
    uint64_t number = study->first + (uint64_t)at->scenario;
    struct cs_volatile_source *source = cs_volatile_sky_source(job->sky, study->seed, number);
    struct cs_volatile_outcome *outcome = out;

    (void)err;
    for (int p = 0; p < study->policies; p++)
        cs_volatile_simulation_run(w->simulation[p], source,
                                   cs_volatile_dice_seed(study->seed, number), CS_VOLATILE_SKIPPING,
                                   NULL, NULL, &outcome[p]);
    if (job->limit)
        job->limit[at->scenario] = cs_volatile_limit(study->instance, source, study->patience);
    cs_volatile_source_destroy(source);
    return 0;
}

/* External policies must have a program. */
static int check_calls(const struct cs_volatile_study *study, struct cs_error *err)
{
    int count;
    const struct cs_policy *const *list = cs_volatile_policies(&count);

    for (int p = 0; p < study->policies; p++)
        if (list[study->call[p].policy]->extpol && !cs_extpol_of(study->call[p].param, err))
            return -1;
    return 0;
}

static int run_trials(const struct job *job, struct cs_error *err)
{
    const struct cs_volatile_study *study = job->study;
    const struct cs_loop loop = {
        .scenarios = study->trials,
        .threads = study->threads,
        .job = job,
        .worker = sizeof(struct worker),
        .outcome = job->outcome,
        .size = sizeof *job->outcome * (size_t)study->policies,
        .begin = study_begin,
        .run = run_trial,
        .end = study_end,
        .progress = study->progress,
        .weight = study->policies,
    };

    return cs_loop_run(&loop, err);
}

int cs_volatile_study_run(const struct cs_volatile_study *study,
                          struct cs_volatile_outcome *outcome, struct cs_volatile_limit *limit,
                          struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    const struct cs_volatile_sky *sky =
        cs_volatile_sky_create(&study->world, study->instance, arena, err);
    const struct job job = {study, sky, outcome, limit};
    int status = sky && !check_calls(study, err) ? run_trials(&job, err) : -1;

    cs_arena_destroy(arena);
    return status;
}
