/* resize.c - what is seen. */
#include "run/resize.h"

#include "base/order.h"

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
    r->instance = cs_run_resize_instance(setup, slots, err);
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

void cs_run_resize_take(struct cs_run_resize *r, int task, int units)
{
    for (int u = 0; u < r->units && units > 0; u++)
        if (r->owner[u] == -1) {
            r->owner[u] = task;
            r->app[task].units++;
            r->free--;
            units--;
        }
}

void cs_run_resize_keep(struct cs_run_resize *r, int task, int units)
{
    for (int u = r->units - 1; u >= 0 && r->app[task].units > units; u--)
        if (r->owner[u] == task) {
            r->owner[u] = -1;
            r->app[task].units--;
            r->free++;
        }
}

void cs_run_resize_observe(struct cs_run_resize *r, int task, double time, double left)
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

void cs_run_resize_learn_stop(struct cs_run_resize *r, int task, double seconds)
{
    if (!(seconds > 0))
        return;
    r->app[task].stop_cost = seconds;
    add_cost(&r->app[task].stops, seconds * 2 * r->app[task].units);
    set_costs(r, task);
}

/* The unit of the time of this move is Equation (9) for m = 1. */
void cs_run_resize_learn_move(struct cs_run_resize *r, int task, double seconds)
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

void cs_run_resize_model(struct cs_run_resize *r)
{
    struct cs_malleable_instance *instance;

    if (r->modelled >= r->slots)
        return;
    instance = cs_run_resize_instance(r->setup, r->slots, NULL);
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

double cs_run_resize_period(const struct cs_run_resize *r, int task)
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
                   : c->young   ? time + cs_run_resize_period(r, task)
                                : INFINITY;
    if (app->moves)
        cs_run_resize_learn_move(r, task, time - app->started_at);
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
        cs_run_resize_observe(r, event->task, event->time, app->left);
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
    cs_run_resize_observe(r, event->task, event->time, app->left);
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
        cs_run_resize_keep(r, event->task, 0);
        cs_malleable_dispatcher_leave(&r->dispatcher, event->task);
        r->living--;
        r->ended = true;
        return;
    }
    go_back(r, event);
    if (app->phase == CS_RUN_LEAVES && event->outcome == CS_RUN_STOPPED)
        cs_run_resize_learn_stop(r, event->task, event->time - app->asked_at);
    if (app->units > app->size)
        cs_run_resize_keep(r, event->task, app->size);
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

const struct cs_run_decider cs_run_decider_resize = {
    .name = "resize",
    .grows = true,
    .create = resize_create,
    .destroy = resize_destroy,
    .see = resize_see,
    .decide = cs_run_resize_decide,
    .wake = cs_run_resize_wake,
    .foresee = resize_foresee,
};
