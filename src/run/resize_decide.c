/* resize_decide.c - decide stops, starts with sizes, and saves. */
#include "run/resize.h"

#include "problems/malleable/initial.h"

#include <math.h>

#define WAKE 60.0 /* seconds between two offers of what is free */
#define RUN_FOR 3 /* times what a move took a task runs before it is moved again */

/* Algorithm 1 gives the sizes. */
static void resize_decide_begin(struct cs_run_resize *r)
{
    const struct cs_arena_mark mark = cs_arena_mark(r->arena);
    int *procs = CS_NEW_ARRAY(r->arena, int, r->setup->tasks);
    double *expected = CS_NEW_ARRAY(r->arena, double, r->setup->tasks);

    cs_malleable_initial_share(r->dispatcher.model, procs, expected, r->arena);
    for (int t = 0; t < r->setup->tasks; t++)
        r->app[t].size = procs[t] / 2;
    r->begun = true;
    cs_arena_rewind(r->arena, mark);
}

static bool in_transit(const struct cs_run_resize *r)
{
    for (int t = 0; t < r->setup->tasks; t++)
        if (r->app[t].moves)
            return true;
    return false;
}

/* A recently moved task is not moved again for a while. */
static void hold_back(struct cs_run_resize *r, bool back)
{
    for (int t = 0; t < r->setup->tasks; t++) {
        const struct cs_run_app *app = &r->app[t];

        if (app->phase != CS_RUN_WORKS || !(app->cost > 0) ||
            r->now >= app->started_at + RUN_FOR * app->cost)
            continue;
        if (back)
            r->dispatcher.rows.column[CS_ROW_START][r->dispatcher.rows.row[t]] =
                r->dispatcher.state[t].start;
        else
            cs_malleable_dispatcher_withdraw(&r->dispatcher, t);
    }
}

/* A task that is down, as a plan sees it: it resumes from its saved state after recovery. */
static void lay_down(struct cs_run_resize *r, int task)
{
    struct cs_malleable_running *run = &r->dispatcher.running[task];
    const int procs = 2 * r->app[task].units;

    r->dispatcher.state[task].procs = procs;
    run->recovered = r->now + cs_malleable_rate_recovery(&r->dispatcher.model->rate[task], procs);
    cs_run_resize_observe(r, task, run->recovered, r->app[task].left);
    cs_malleable_dispatcher_withdraw(&r->dispatcher, task);
}

static int resize_decide_stop(struct cs_run_resize *r, int task, struct cs_run_action *action)
{
    struct cs_run_app *app = &r->app[task];

    if (app->phase != CS_RUN_WORKS)
        return 0;
    app->phase = CS_RUN_LEAVES;
    app->asked_at = r->now;
    cs_malleable_dispatcher_withdraw(&r->dispatcher, task);
    *action = (struct cs_run_action){.kind = CS_RUN_STOP, .task = task};
    return 1;
}

/* Ask a policy, and those that it changes to stop; how many actions. */
static int resize_decide_ask(struct cs_run_resize *r, const struct cs_malleable_policy *policy,
                             int faulty, bool wake, struct cs_run_action *action)
{
    const struct cs_malleable_plan *plan = &r->dispatcher.plan;
    int changes, count = 0;

    r->asked_at = r->now;
    if (!policy->decide)
        return 0;
    for (int t = 0; t < r->setup->tasks; t++)
        r->app[t].missed |= r->app[t].phase == CS_RUN_STARTS;
    r->dispatcher.free = 2 * r->free;
    hold_back(r, false);
    changes = cs_malleable_dispatcher_decide(&r->dispatcher, policy, r->now, faulty, wake);
    hold_back(r, true);
    for (int c = 0; c < changes; c++) {
        const struct cs_malleable_member *m = &plan->member[plan->row[c]];
        struct cs_run_app *app = &r->app[m->task];

        app->from = app->units;
        app->size = m->share / 2;
        app->moves = true;
        count += resize_decide_stop(r, m->task, &action[count]);
        if (app->phase == CS_RUN_RESTS && app->units > app->size)
            cs_run_resize_keep(r, m->task, app->size);
    }
    return count;
}

/* Those that have failed since: the first that is now the last to end is helped. */
static int ask_for_failed(struct cs_run_resize *r, struct cs_run_action *action)
{
    const struct cs_malleable_policy *policy =
        cs_malleable_failure_policy(r->dispatcher.rules.on_failure);
    int count = 0;

    for (int t = 0; t < r->setup->tasks; t++) {
        struct cs_run_app *app = &r->app[t];

        if (!app->failed)
            continue;
        app->failed = false;
        if (app->phase != CS_RUN_RESTS || 2 * app->units < r->dispatcher.model->rate[t].least ||
            in_transit(r))
            continue;
        lay_down(r, t);
        if (cs_malleable_dispatcher_is_last(&r->dispatcher, t))
            count += resize_decide_ask(r, policy, t, false, &action[count]);
    }
    return count;
}

static bool may_wake(const struct cs_run_resize *r)
{
    return r->dispatcher.rules.wake && r->dispatcher.rules.on_end != CS_MALLEABLE_END_NONE &&
           r->free > 0 && r->living > 0;
}

static int resize_decide_plan(struct cs_run_resize *r, struct cs_run_action *action)
{
    int count = ask_for_failed(r, action);

    if (in_transit(r) || !r->living)
        return count;
    if (may_wake(r) && r->now >= r->asked_at + WAKE)
        r->woken = true;
    if (r->ended) {
        r->ended = false;
        count += resize_decide_ask(r, cs_malleable_end_policy(r->dispatcher.rules.on_end), -1,
                                   false, &action[count]);
    }
    if (r->woken && !in_transit(r)) {
        r->woken = false;
        if (may_wake(r))
            count += resize_decide_ask(r, cs_malleable_end_policy(CS_MALLEABLE_END_LOCAL), -1, true,
                                       &action[count]);
    }
    return count;
}

/* The slots of a task, rising, behind those of others that start now. */
static int list_slots(struct cs_run_resize *r, int task, int *slot)
{
    int count = 0;

    for (int u = 0; u < r->units; u++)
        for (int k = 0; k < r->each && r->owner[u] == task; k++)
            slot[count++] = u * r->each + k;
    return count;
}

static void resize_decide_start(struct cs_run_resize *r, int task, int *slot,
                                struct cs_run_action *action)
{
    const struct cs_malleable_rate *rate = &r->dispatcher.model->rate[task];
    struct cs_run_app *app = &r->app[task];
    struct cs_malleable_state *state = &r->dispatcher.state[task];
    double ready = r->now;

    state->procs = 2 * app->units;
    if (app->moves)
        ready += cs_malleable_rate_move(rate, 2 * app->from, state->procs);
    if (app->starts++)
        ready += cs_malleable_rate_recovery(rate, state->procs);
    cs_run_resize_observe(r, task, ready, app->left);
    cs_malleable_dispatcher_withdraw(&r->dispatcher, task);
    app->phase = CS_RUN_STARTS;
    app->started_at = r->now;
    *action = (struct cs_run_action){
        .kind = CS_RUN_START,
        .task = task,
        .count = list_slots(r, task, slot),
        .slot = slot,
        .expected = state->planned_end - r->now,
    };
}

static bool somebody_leaves(const struct cs_run_resize *r)
{
    for (int t = 0; t < r->setup->tasks; t++)
        if (r->app[t].phase == CS_RUN_LEAVES)
            return true;
    return false;
}

/* The last task of a transaction gets the units that remain after losses. */
static void fit_size(struct cs_run_resize *r, int task)
{
    struct cs_run_app *app = &r->app[task];
    const int least = r->dispatcher.model->rate[task].least / 2, most = app->units + r->free;

    if (app->size < least)
        app->size = least;
    if (app->size > most && most >= least && !somebody_leaves(r))
        app->size = most;
}

static int start_all(struct cs_run_resize *r, struct cs_run_action *action)
{
    int count = 0, used = 0;

    for (int t = 0; t < r->setup->tasks; t++) {
        struct cs_run_app *app = &r->app[t];

        if (app->phase != CS_RUN_RESTS)
            continue;
        fit_size(r, t);
        if (app->size - app->units > r->free)
            continue;
        cs_run_resize_take(r, t, app->size - app->units);
        resize_decide_start(r, t, r->slot + used, &action[count]);
        used += action[count++].count;
    }
    return count;
}

static int save_all(struct cs_run_resize *r, struct cs_run_action *action)
{
    int count = 0;

    for (int t = 0; t < r->setup->tasks; t++) {
        const struct cs_run_checkpoint *c = r->setup->task[t].settings->checkpoint;
        struct cs_run_app *app = &r->app[t];

        if (app->phase != CS_RUN_WORKS || r->now < app->save_at)
            continue;
        app->save_at = r->now + (c->every > 0 ? c->every : cs_run_resize_period(r, t));
        action[count++] = (struct cs_run_action){.kind = CS_RUN_SAVE, .task = t};
    }
    return count;
}

int cs_run_resize_decide(void *state, double now, struct cs_run_action *action)
{
    struct cs_run_resize *r = state;
    int count;

    r->now = now;
    cs_run_resize_model(r);
    if (!r->begun)
        resize_decide_begin(r);
    count = resize_decide_plan(r, action);
    count += start_all(r, action + count);
    return count + save_all(r, action + count);
}

double cs_run_resize_wake(const void *state)
{
    const struct cs_run_resize *r = state;
    double next = may_wake(r) && !in_transit(r) ? r->asked_at + WAKE : INFINITY;

    for (int t = 0; t < r->setup->tasks; t++)
        if (r->app[t].phase == CS_RUN_WORKS)
            next = fmin(next, r->app[t].save_at);
    return next;
}
