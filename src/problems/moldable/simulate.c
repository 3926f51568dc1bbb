/* simulate.c - events in virtual time: tasks arrive, attempts end well or not.
 *
 * Source: spec/moldable.md 7.2 (carrying out a plan) and 8.1 (silent errors); the bound is that of
 * 7.4, and L(f) of 8.1 with failures.
 * Idea: at each instant all ends are handled, then all arrivals, then the policy decides.  An
 * attempt runs for time * factor; it fails while failures are left for its task; one that would
 * run longer than its walltime is stopped there and its task counts as done but stopped.
 * Invariants: a policy does not read the real end of a running attempt (variant.h); launches fit
 * the free processors, which is checked; running[] is in the order of the starts; past[] holds
 * every attempt of the scenario.
 * Complexity: O(log tasks + running) for each attempt, and what the policy takes.
 */
#include "problems/moldable/simulate.h"

#include "base/guard.h"
#include "base/order.h"
#include "problems/moldable/bound.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct cs_moldable_simulator {
    struct cs_arena *arena;
    const struct cs_moldable_bag *bag;
    const struct cs_moldable_variant *variant;
    void *state;
    const double *walltime;
    int *arrival; /* tasks by (release, index) */

    const struct cs_moldable_truth *truth;
    struct cs_moldable_view view;
    struct cs_moldable_room free;
    struct cs_moldable_attempt *running; /* in the order of their starts */
    struct cs_moldable_attempt *past;    /* all, in that order */
    size_t pasts, room;
    int *trial;          /* by task: its attempt in past[] */
    struct cs_heap ends; /* tasks by end */
    int *left;           /* failures to come */
    bool *waits, *done;
    struct cs_moldable_launch *launch;
    int arrived, stopped;
    double busy;
};

static void simulate_allocate(struct cs_moldable_simulator *s)
{
    int n = s->bag->tasks;

    s->arrival = CS_NEW_ARRAY(s->arena, int, n);
    s->running = CS_NEW_ARRAY(s->arena, struct cs_moldable_attempt, n);
    s->trial = CS_NEW_ARRAY(s->arena, int, n);
    s->left = CS_NEW_ARRAY(s->arena, int, n);
    s->waits = CS_NEW_ARRAY(s->arena, bool, n);
    s->done = CS_NEW_ARRAY(s->arena, bool, n);
    s->launch = CS_NEW_ARRAY(s->arena, struct cs_moldable_launch, n);
    cs_heap_init(&s->ends, n, s->arena);
    cs_moldable_room_init(&s->free, s->bag, s->arena);
    for (int i = 0; i < n; i++)
        s->arrival[i] = i;
    if (s->bag->release)
        cs_order_sort_ascending(s->bag->release, s->arrival, n, s->arena);
}

struct cs_moldable_simulator *cs_moldable_simulator_create(const struct cs_moldable_scene *scene,
                                                           const struct cs_policy_call *call,
                                                           const double *walltime,
                                                           struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_moldable_simulator *s = CS_NEW(arena, struct cs_moldable_simulator);

    s->arena = arena;
    s->bag = scene->bag;
    s->variant = cs_moldable_variant_at(call->policy);
    s->walltime = walltime;
    simulate_allocate(s);
    if (s->variant->follows && !scene->plan)
        cs_error_set(err, "%s needs a plan, and no plan was given", s->variant->info.name);
    else
        s->state = s->variant->create(scene, call->param, arena, err);
    if (s->state)
        return s;
    cs_arena_destroy(arena);
    return NULL;
}

void cs_moldable_simulator_destroy(struct cs_moldable_simulator *s)
{
    if (!s)
        return;
    cs_block_free(s->past);
    cs_arena_destroy(s->arena);
}

static void simulate_begin(struct cs_moldable_simulator *s, const struct cs_moldable_truth *truth)
{
    int n = s->bag->tasks;

    s->truth = truth;
    s->arrived = s->stopped = 0;
    s->pasts = 0;
    s->busy = 0;
    for (int i = 0; i < n; i++) {
        s->left[i] = truth->failures ? truth->failures[i] : 0;
        s->waits[i] = s->done[i] = false;
    }
    cs_heap_reset(&s->ends);
    cs_moldable_room_clear(&s->free, s->bag->procs);
    s->view = (struct cs_moldable_view){
        .room = &s->free, .attempt = s->running, .waits = s->waits, .done = s->done};
    s->variant->begin(s->state);
}

static void let_in(struct cs_moldable_simulator *s)
{
    while (s->arrived < s->bag->tasks &&
           cs_moldable_release(s->bag, s->arrival[s->arrived]) <= s->view.now) {
        int task = s->arrival[s->arrived++];

        s->waits[task] = true;
        s->view.waiting++;
        s->variant->wait(s->state, task);
    }
}

static void simulate_remember(struct cs_moldable_simulator *s,
                              const struct cs_moldable_attempt *attempt)
{
    if (s->pasts == s->room) {
        s->room = 2 * s->room + 64;
        s->past = cs_block_resize(s->past, s->room * sizeof *s->past);
    }
    s->trial[attempt->task] = (int)s->pasts;
    s->past[s->pasts++] = *attempt;
}

static void simulate_launch(struct cs_moldable_simulator *s, struct cs_moldable_launch it)
{
    double factor = s->truth->factor ? s->truth->factor[it.task] : 1;
    double seconds = cs_moldable_seconds(s->bag, it.task, it.choice) * factor;
    double limit = s->walltime ? s->walltime[it.task] : INFINITY;
    int width = cs_moldable_width(s->bag, it.task, it.choice);
    struct cs_moldable_attempt attempt = {
        .task = it.task,
        .choice = it.choice,
        .first = it.first,
        .start = s->view.now,
        .end = s->view.now + fmin(seconds, limit),
        .stopped = seconds > limit,
    };

    CS_REQUIRE(s->waits[it.task] && width <= s->free.most);
    CS_REQUIRE(cs_moldable_room_take(&s->free, it.first, width) == it.first || !s->bag->contiguous);
    attempt.lost = !attempt.stopped && s->left[it.task] > 0;
    s->waits[it.task] = false;
    s->view.waiting--;
    s->busy += width * (attempt.end - attempt.start);
    s->running[s->view.running++] = attempt;
    simulate_remember(s, &attempt);
    cs_heap_push(&s->ends, it.task, attempt.end);
}

static void simulate_discard(struct cs_moldable_simulator *s, int task)
{
    int at = 0;

    while (s->running[at].task != task)
        at++;
    s->view.running--;
    memmove(s->running + at, s->running + at + 1,
            (size_t)(s->view.running - at) * sizeof *s->running);
}

static void simulate_end(struct cs_moldable_simulator *s, int task)
{
    const struct cs_moldable_attempt *attempt = &s->past[s->trial[task]];

    cs_moldable_room_give(&s->free, attempt->first,
                          cs_moldable_width(s->bag, task, attempt->choice));
    simulate_discard(s, task);
    if (attempt->lost) {
        s->left[task]--;
        s->waits[task] = true;
        s->view.waiting++;
        s->variant->failed(s->state, task);
        return;
    }
    s->stopped += attempt->stopped;
    s->done[task] = true;
    if (s->variant->finished)
        s->variant->finished(s->state, task);
}

/* The next instant at which something happens.  False: nothing will. */
static bool go_on(struct cs_moldable_simulator *s)
{
    double next = s->ends.count ? cs_heap_top_key(&s->ends) : INFINITY;

    if (s->arrived < s->bag->tasks)
        next = fmin(next, cs_moldable_release(s->bag, s->arrival[s->arrived]));
    if (isinf(next))
        return false;
    s->view.now = next;
    while (s->ends.count && cs_heap_top_key(&s->ends) <= next)
        simulate_end(s, cs_heap_pop(&s->ends));
    return true;
}

void cs_moldable_simulator_run(struct cs_moldable_simulator *s,
                               const struct cs_moldable_truth *truth,
                               struct cs_moldable_outcome *outcome)
{
    simulate_begin(s, truth);
    do {
        int launches;

        let_in(s);
        launches = s->view.waiting ? s->variant->decide(s->state, &s->view, s->launch) : 0;
        for (int a = 0; a < launches; a++)
            simulate_launch(s, s->launch[a]);
    } while (go_on(s));
    CS_REQUIRE(s->view.waiting == 0);
    *outcome = (struct cs_moldable_outcome){
        .busy = s->busy, .stopped = s->stopped, .attempts = (int)s->pasts, .attempt = s->past};
    for (size_t a = 0; a < s->pasts; a++)
        outcome->makespan = fmax(outcome->makespan, s->past[a].end);
}

static double factor_of(const struct cs_moldable_truth *truth, int task)
{
    return truth->factor ? truth->factor[task] : 1;
}

static double limit_of(const struct cs_moldable_truth *truth, int task)
{
    return truth->walltime ? truth->walltime[task] : INFINITY;
}

static double least_work_until(const struct cs_moldable_bag *bag, int task, double factor,
                               double limit)
{
    double least = INFINITY;

    for (int a = bag->first[task]; a < bag->first[task + 1]; a++)
        least = fmin(least, bag->count[a] * fmin(bag->seconds[a] * factor, limit));
    return least;
}

static double bound_with_failures(const struct cs_moldable_bag *bag,
                                  const struct cs_moldable_truth *truth)
{
    double longest = 0, work = 0;

    for (int i = 0; i < bag->tasks; i++) {
        double factor = factor_of(truth, i), limit = limit_of(truth, i);
        double attempts = (truth->failures[i] + 1) * factor;

        if (bag->seconds[bag->first[i]] * factor > limit) {
            longest = fmax(longest, fmin(factor * cs_moldable_fastest(bag, i), limit));
            work += least_work_until(bag, i, factor, limit);
        } else {
            longest = fmax(longest, attempts * cs_moldable_fastest(bag, i));
            work += attempts * cs_moldable_least_work(bag, i);
        }
    }
    return fmax(longest, work / bag->procs);
}

double cs_moldable_real_bound(const struct cs_moldable_bag *bag,
                              const struct cs_moldable_truth *truth, struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    struct cs_moldable_bag real = *bag;
    double *seconds, threshold, bound;

    if (truth->failures)
        return bound_with_failures(bag, truth);
    seconds = CS_NEW_ARRAY(scratch, double, bag->first[bag->tasks]);
    for (int i = 0; i < bag->tasks; i++)
        for (int a = bag->first[i]; a < bag->first[i + 1]; a++)
            seconds[a] = fmin(bag->seconds[a] * factor_of(truth, i), limit_of(truth, i));
    real.seconds = seconds;
    cs_moldable_bag_finish(&real, scratch);
    bound = fmax(cs_moldable_critical(&real), cs_moldable_area(&real, &threshold, scratch));
    cs_arena_rewind(scratch, mark);
    return bound;
}
