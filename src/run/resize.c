/* resize.c - what is seen. */
#include "run/resize.h"
#include "base/order.h"
#include "model/workload.h"
#include "problems/malleable/initial.h"

#include <limits.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#define SHARE 0.02      /* of a task that has to be done before its slowness is known */
#define LEAST_COST 1e-3 /* processor seconds */
#define SLOWEST 1e3     /* above this the task makes no progress */

static void resize_destroy(void *state)
{
    struct cs_run_resize *r = state;

    cs_malleable_instance_destroy(r->instance);
}

static int *copy_room(const struct cs_run_resize *r, const int *old)
{
    int *copy = CS_NEW_ARRAY(r->arena, int, r->room);

    if (r->units)
        memcpy(copy, old, (size_t)r->units * sizeof *copy);
    return copy;
}

/* All of them are down at first. */
static void add_slots(struct cs_run_resize *r, int slots)
{
    const int units = (slots + r->each - 1) / r->each;

    if (units > r->room) {
        r->room = units + r->units;
        r->owner = copy_room(r, r->owner);
        r->gone = copy_room(r, r->gone);
        r->slot = CS_NEW_ARRAY(r->arena, int, (size_t)r->room *(size_t)r->each);
    }
    for (; r->units < units; r->units++) {
        r->owner[r->units] = -2;
        r->gone[r->units] = r->each;
    }
    r->slots = slots;
}

static void see_up(struct cs_run_resize *r, int unit)
{
    if (--r->gone[unit])
        return;
    r->owner[unit] = -1;
    r->free++;
    r->ended = true;
}

static struct cs_malleable_instance *run_resize_instance(const struct cs_run_setup *setup,
                                                         int slots, struct cs_error *err);

static void *resize_create(const struct cs_run_setup *setup, int slots, struct cs_arena *arena,
                           struct cs_error *err)
{
    struct cs_run_resize *r = CS_NEW(arena, struct cs_run_resize);

    *r = (struct cs_run_resize){
        .setup = setup,
        .each = setup->pairs ? 2 : 1,
        .modelled = slots,
        .living = setup->tasks,
        .arena = arena,
    };
    r->instance = run_resize_instance(setup, slots, err);
    if (!r->instance)
        return NULL;
    cs_malleable_dispatcher_init(&r->dispatcher, r->instance, &setup->rules, arena);
    cs_malleable_rows_fill(&r->dispatcher.rows, r->dispatcher.model->rate);
    r->app = CS_NEW_ARRAY(arena, struct cs_run_app, setup->tasks);
    add_slots(r, slots);
    for (int s = 0; s < slots; s++)
        see_up(r, s / r->each);
    r->ended = false;
    for (int t = 0; t < setup->tasks; t++)
        r->app[t] = (struct cs_run_app){.left = 1, .saved_left = 1, .slow = 1, .save_at = INFINITY};
    return r;
}

/* Take so many free units, the lowest; give back all but the lowest so many. */
static void run_resize_take(struct cs_run_resize *r, int task, int units)
{
    for (int u = 0; u < r->units && units > 0; u++)
        if (r->owner[u] == -1) {
            r->owner[u] = task;
            r->app[task].units++;
            r->free--;
            units--;
        }
}

static void run_resize_keep(struct cs_run_resize *r, int task, int units)
{
    for (int u = r->units - 1; u >= 0 && r->app[task].units > units; u--)
        if (r->owner[u] == task) {
            r->owner[u] = -1;
            r->app[task].units--;
            r->free++;
        }
}

/* So much is left of a task at `time`: a new stretch. */
static void run_resize_observe(struct cs_run_resize *r, int task, double time, double left)
{
    struct cs_malleable_state *state = &r->dispatcher.state[task];

    state->alpha = left * r->app[task].slow;
    state->start = time;
    cs_malleable_dispatcher_begin(&r->dispatcher, task);
}

static void add_cost(struct cs_run_costs *costs, double value)
{
    costs->seen[costs->count++ % CS_RUN_RESIZE_SEEN] = value;
}

static double resize_median(const struct cs_run_costs *costs, double fallback,
                            struct cs_arena *arena)
{
    const struct cs_arena_mark mark = cs_arena_mark(arena);
    const int count = costs->count < CS_RUN_RESIZE_SEEN ? costs->count : CS_RUN_RESIZE_SEEN;
    double *sorted, value;

    if (count == 0)
        return fallback;
    sorted = CS_NEW_ARRAY(arena, double, count);
    memcpy(sorted, costs->seen, (size_t)count * sizeof *sorted);
    cs_order_sort_doubles(sorted, count, arena);
    value = count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
    cs_arena_rewind(arena, mark);
    return value;
}

static void set_costs(struct cs_run_resize *r, int task)
{
    const struct cs_run_app *app = &r->app[task];
    const struct cs_malleable_rate *rate = &r->dispatcher.model->rate[task];

    cs_malleable_dispatcher_cost(
        &r->dispatcher, task,
        fmax(resize_median(&app->stops, rate->checkpoint, r->arena), LEAST_COST),
        resize_median(&app->moved, rate->data, r->arena));
}

/* Update the model with the measured time of a stop on its units, or of a move. */
static void run_resize_learn_stop(struct cs_run_resize *r, int task, double seconds)
{
    if (!(seconds > 0))
        return;
    r->app[task].stop_cost = seconds;
    add_cost(&r->app[task].stops, seconds * 2 * r->app[task].units);
    set_costs(r, task);
}

/* The unit of the time of this move is Equation (9) for m = 1. */
static void run_resize_learn_move(struct cs_run_resize *r, int task, double seconds)
{
    struct cs_run_app *app = &r->app[task];
    const struct cs_malleable_rate one = {.data = 1};

    app->cost = app->stop_cost + seconds;
    if (app->from == app->units || app->blind)
        return;
    add_cost(&app->moved, seconds / cs_malleable_rate_move(&one, 2 * app->from, 2 * app->units));
    set_costs(r, task);
}

/* No times are known for so many: those that the model does not know are of no use. */
static void refuse_slots(struct cs_run_resize *r)
{
    for (int u = r->modelled / r->each; u < r->units; u++) {
        r->free -= r->owner[u] == -1;
        r->owner[u] = -2;
        r->gone[u]++;
    }
    r->modelled = r->slots;
}

/* Add new slots to the model. */
static void run_resize_model(struct cs_run_resize *r)
{
    struct cs_malleable_instance *instance;

    if (r->modelled >= r->slots)
        return;
    instance = run_resize_instance(r->setup, r->slots, NULL);
    if (!instance) {
        refuse_slots(r);
        return;
    }
    *r->dispatcher.model = *cs_malleable_model_create(instance, &r->dispatcher.rules, r->arena);
    cs_malleable_instance_destroy(r->instance);
    r->instance = instance;
    r->modelled = r->slots;
    for (int t = 0; t < r->setup->tasks; t++) {
        if (r->app[t].phase == CS_RUN_IS_OVER)
            continue;
        cs_malleable_rows_rate(&r->dispatcher.rows, r->dispatcher.rows.row[t],
                               &r->dispatcher.model->rate[t]);
        if (r->app[t].stops.count + r->app[t].moved.count > 0)
            set_costs(r, t);
    }
}

/* Young's period of a task on its current units (seconds). */
static double run_resize_period(const struct cs_run_resize *r, int task)
{
    const struct cs_malleable_model *model = r->dispatcher.model;
    const double cost = fmax(model->rate[task].checkpoint, LEAST_COST);

    return model->failing ? model->factor * sqrt(2 * model->mtbf * cost) / (2 * r->app[task].units)
                          : INFINITY;
}

static const struct cs_run_checkpoint *checkpoint_of(const struct cs_run_resize *r, int task)
{
    return r->setup->task[task].settings->checkpoint;
}

/* It works from now on, and takes part in plans. */
static void resize_works(struct cs_run_resize *r, int task, double time)
{
    const struct cs_run_checkpoint *c = checkpoint_of(r, task);
    struct cs_run_app *app = &r->app[task];

    app->phase = CS_RUN_WORKS;
    app->first_at = time;
    app->first_left = app->left;
    app->save_at = c->every > 0 ? time + c->every
                   : c->young   ? time + run_resize_period(r, task)
                                : INFINITY;
    if (app->moves)
        run_resize_learn_move(r, task, time - app->started_at);
    if (app->starts > 1 || app->missed)
        r->woken = true;
    app->moves = app->missed = false;
}

/* Work since its first progress relative to the model. */
static void learn_slowness(struct cs_run_resize *r, int task, double time)
{
    struct cs_run_app *app = &r->app[task];
    const double share = app->first_left - app->left;
    const double seconds = share * cs_malleable_rate_time(&r->dispatcher.model->rate[task],
                                                          r->dispatcher.state[task].procs);

    if (share >= SHARE && time > app->first_at && seconds > 0)
        app->slow = fmin((time - app->first_at) / seconds, SLOWEST);
}

static void see_progress(struct cs_run_resize *r, const struct cs_run_event *event)
{
    struct cs_run_app *app = &r->app[event->task];

    app->left = 1 - event->value;
    if (app->phase == CS_RUN_STARTS)
        resize_works(r, event->task, event->time);
    else if (app->phase == CS_RUN_WORKS)
        learn_slowness(r, event->task, event->time);
    if (app->phase == CS_RUN_WORKS)
        run_resize_observe(r, event->task, event->time, app->left);
}

/* Without observations the remaining work is that of the model. */
static double left_of(const struct cs_run_resize *r, int task, double time)
{
    const struct cs_run_app *app = &r->app[task];

    if (!app->blind || app->phase == CS_RUN_STARTS)
        return app->left;
    return cs_malleable_dispatcher_left(&r->dispatcher, task, time) / app->slow;
}

static void see_begin(struct cs_run_resize *r, const struct cs_run_event *event)
{
    struct cs_run_app *app = &r->app[event->task];

    app->blind = event->value > 0;
    if (app->phase != CS_RUN_STARTS || !app->blind)
        return;
    resize_works(r, event->task, event->time);
    run_resize_observe(r, event->task, event->time, app->left);
}

static bool was_killed(const struct cs_run_event *event)
{
    return (WIFSIGNALED(event->status) && WTERMSIG(event->status) == SIGKILL) ||
           event->outcome == CS_RUN_LOST;
}

/* It resumes from its last state, with the remaining work of that state. */
static void go_back(struct cs_run_resize *r, const struct cs_run_event *event)
{
    struct cs_run_app *app = &r->app[event->task];

    if (event->outcome == CS_RUN_CORRUPT) {
        app->left = app->saved_left = 1;
    } else if (event->outcome == CS_RUN_STOPPED && !was_killed(event) &&
               !checkpoint_of(r, event->task)->saved.count) {
        app->left = app->saved_left = left_of(r, event->task, event->time);
    } else if (event->outcome != CS_RUN_VOID) {
        app->left = app->saved_left;
        app->failed = app->phase != CS_RUN_LEAVES && event->outcome != CS_RUN_STOPPED;
    }
}

static void see_end(struct cs_run_resize *r, const struct cs_run_event *event)
{
    struct cs_run_app *app = &r->app[event->task];

    if (event->finding == CS_RUN_SUCCEEDED || event->finding == CS_RUN_ABANDONED) {
        app->phase = CS_RUN_IS_OVER;
        app->moves = false;
        run_resize_keep(r, event->task, 0);
        cs_malleable_dispatcher_leave(&r->dispatcher, event->task);
        r->living--;
        r->ended = true;
        return;
    }
    go_back(r, event);
    if (app->phase == CS_RUN_LEAVES && event->outcome == CS_RUN_STOPPED)
        run_resize_learn_stop(r, event->task, event->time - app->asked_at);
    if (app->units > app->size)
        run_resize_keep(r, event->task, app->size);
    app->phase = event->finding == CS_RUN_LATER ? CS_RUN_DELAYED : CS_RUN_RESTS;
    cs_malleable_dispatcher_withdraw(&r->dispatcher, event->task);
}

static void see_loss(struct cs_run_resize *r, int unit)
{
    const int owner = r->owner[unit];

    if (r->gone[unit]++)
        return;
    r->owner[unit] = -2;
    if (owner < 0) {
        r->free--;
        return;
    }
    r->app[owner].units--;
    if (r->app[owner].size > r->app[owner].units && !r->app[owner].moves)
        r->app[owner].size = r->app[owner].units;
}

static void see_slot(struct cs_run_resize *r, const struct cs_run_event *event)
{
    if (event->slot >= r->slots)
        add_slots(r, event->slot + 1);
    if (event->kind == CS_RUN_SLOT_DOWN)
        see_loss(r, event->slot / r->each);
    else
        see_up(r, event->slot / r->each);
}

static void resize_see(void *state, const struct cs_run_event *event)
{
    struct cs_run_resize *r = state;

    if (event->kind == CS_RUN_SLOT_DOWN || event->kind == CS_RUN_SLOT_UP)
        see_slot(r, event);
    else if (event->kind == CS_RUN_BEGAN)
        see_begin(r, event);
    else if (event->kind == CS_RUN_PROGRESS)
        see_progress(r, event);
    else if (event->kind == CS_RUN_SAVED)
        r->app[event->task].saved_left = left_of(r, event->task, event->time);
    else if (event->kind == CS_RUN_ENDED ||
             (event->kind == CS_RUN_FOUND && r->app[event->task].phase != CS_RUN_IS_OVER))
        see_end(r, event);
    else if (event->kind == CS_RUN_DUE && event->task >= 0)
        r->app[event->task].phase = CS_RUN_RESTS;
}

/* By the model: when the attempt works, and when its work is done. */
static void resize_foresee(const void *state, int task, double *begins, double *ends)
{
    const struct cs_run_resize *r = state;

    *begins = r->dispatcher.state[task].start;
    *ends = r->dispatcher.state[task].planned_end;
}

/* The workload of a run as an instance of the model.
 *
 * If single slots are allocated, one counts as two processors of the model, each half as fast and
 * half as likely to fail: times of k slots are those of 2k processors, costs and the time between
 * failures are doubled, and the formulas stay the same.
 */

/* Missing values are measured at run time. */
#define CHECKPOINT 1.0 /* processor seconds */
#define DATA 0.0

struct halves {
    struct cs_arena *arena;
    int slots;
};

/* Measured, as points of twice as many processors. */
static struct cs_profile double_points(const struct halves *h, const struct cs_profile *p)
{
    const bool points = p->kind == CS_PROFILE_POINTS;
    const int most = points ? p->count : h->slots;
    int *procs = CS_NEW_ARRAY(h->arena, int, most), count = 0;
    double *seconds = CS_NEW_ARRAY(h->arena, double, most);

    for (int k = 0; k < most; k++) {
        const int from = points ? p->procs[k] : k + 1;

        if (!isfinite(cs_profile_time(p, from)) || from > INT_MAX / 2)
            continue;
        procs[count] = 2 * from;
        seconds[count++] = cs_profile_time(p, from);
    }
    return (struct cs_profile){.kind = CS_PROFILE_POINTS,
                               .fill = p->fill,
                               .fewer = p->fewer,
                               .count = count,
                               .procs = procs,
                               .seconds = seconds};
}

static struct cs_profile double_profile(const struct halves *h, const struct cs_profile *p)
{
    const double fixed = p->seq_fraction * p->seq_time, shared = p->seq_time - fixed;
    struct cs_profile twice = *p;

    if (p->kind != CS_PROFILE_AMDAHL && p->kind != CS_PROFILE_COMMUNICATION)
        return double_points(h, p);
    twice.seq_time = fixed + 2 * shared;
    twice.seq_fraction = fixed / twice.seq_time;
    twice.overhead = 2 * p->overhead;
    return twice;
}

static double *resize_instance_fill(struct cs_arena *arena, int count, const double *supplied,
                                    double fallback, double times)
{
    double *filled = CS_NEW_ARRAY(arena, double, count);

    for (int i = 0; i < count; i++)
        filled[i] = times * (supplied && !isnan(supplied[i]) ? supplied[i] : fallback);
    return filled;
}

/* The workload of the setup as an instance of the model, for so many slots.  NULL with err. */
static struct cs_malleable_instance *run_resize_instance(const struct cs_run_setup *setup,
                                                         int slots, struct cs_error *err)
{
    const struct cs_workload *w = setup->workload;
    const int times = setup->pairs ? 1 : 2;
    struct halves h = {.arena = cs_arena_create(), .slots = slots};
    struct cs_profile *profile = CS_NEW_ARRAY(h.arena, struct cs_profile, w->count);
    const struct cs_malleable_platform platform = {.procs = times * slots,
                                                   .mtbf = times * setup->mtbf};
    struct cs_workload *copy;
    struct cs_malleable_instance *in = NULL;

    for (int t = 0; t < w->count; t++)
        profile[t] = setup->pairs ? w->profile[t] : double_profile(&h, &w->profile[t]);
    copy = cs_workload_create(w->count, w->name, profile, NULL);
    if (w->count > (setup->pairs ? slots / 2 : slots))
        cs_error_set(err, "%s: %d applications need at least %d slots%s, and there are %d",
                     w->source, w->count, setup->pairs ? 2 * w->count : w->count,
                     setup->pairs ? ", a pair each (\"pairs\": false gives single ones)" : "",
                     slots);
    else if (w->limit)
        cs_error_set(err,
                     "%s: the applications have limits (least and largest counts, a walltime "
                     "or a release date), which are not kept when they are resized: take them "
                     "out",
                     w->source);
    else {
        cs_workload_set_state(
            copy, resize_instance_fill(h.arena, w->count, w->checkpoint, CHECKPOINT, times),
            resize_instance_fill(h.arena, w->count, w->data, DATA, times));
        in = cs_malleable_instance_from_workload(copy, NAN, NAN, &platform, err);
        if (!in)
            cs_error_prefix(err, "%s", w->source);
    }
    cs_workload_destroy(copy);
    cs_arena_destroy(h.arena);
    return in;
}

/* Decide stops, starts with sizes, and saves. */

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
    run_resize_observe(r, task, run->recovered, r->app[task].left);
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
            run_resize_keep(r, m->task, app->size);
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
    run_resize_observe(r, task, ready, app->left);
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
        run_resize_take(r, t, app->size - app->units);
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
        app->save_at = r->now + (c->every > 0 ? c->every : run_resize_period(r, t));
        action[count++] = (struct cs_run_action){.kind = CS_RUN_SAVE, .task = t};
    }
    return count;
}

static int run_resize_decide(void *state, double now, struct cs_run_action *action)
{
    struct cs_run_resize *r = state;
    int count;

    r->now = now;
    run_resize_model(r);
    if (!r->begun)
        resize_decide_begin(r);
    count = resize_decide_plan(r, action);
    count += start_all(r, action + count);
    return count + save_all(r, action + count);
}

static double run_resize_wake(const void *state)
{
    const struct cs_run_resize *r = state;
    double next = may_wake(r) && !in_transit(r) ? r->asked_at + WAKE : INFINITY;

    for (int t = 0; t < r->setup->tasks; t++)
        if (r->app[t].phase == CS_RUN_WORKS)
            next = fmin(next, r->app[t].save_at);
    return next;
}

const struct cs_run_decider cs_run_decider_resize = {
    .name = "resize",
    .grows = true,
    .create = resize_create,
    .destroy = resize_destroy,
    .see = resize_see,
    .decide = run_resize_decide,
    .wake = run_resize_wake,
    .foresee = resize_foresee,
};
