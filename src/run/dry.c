/* dry.c - the earliest ends become the events of the next round. */
#include "run/dry.h"

#include "base/heap.h"
#include "base/watch.h"

#include <math.h>
#include <stdlib.h>

struct clockwork {
    const struct cs_run_dry *dry;
    struct cs_run run;
    struct cs_heap ends;   /* tasks that run, by when they end */
    struct cs_heap begins; /* those of a decider that foresees, by when they begin to work */
    struct cs_run_event *event;
    int count;
    struct cs_schedule *schedule;
    struct cs_interval *set;   /* room for a bar */
    const struct cs_bar **bar; /* of the followed plan, by task; NULL without a plan */
};

const struct cs_bar **cs_run_dry_plan(const struct cs_run_setup *setup, struct cs_arena *arena)
{
    const struct cs_bar **list, *bar;
    size_t count;

    if (!setup->plan)
        return NULL;
    list = CS_NEW_ARRAY(arena, const struct cs_bar *, setup->tasks);
    bar = cs_schedule_bars(setup->plan->schedule, &count);
    for (size_t b = 0; b < count; b++)
        if (bar[b].kind == CS_BAR_WORK)
            list[bar[b].task] = &bar[b];
    return list;
}

/* An attempt that starts at its planned time also ends at it, to the last bit. */
static const struct cs_bar *dry_planned(const struct clockwork *c,
                                        const struct cs_run_attempt *attempt)
{
    const struct cs_bar *bar = c->bar ? c->bar[attempt->task] : NULL;

    return bar && bar->start == attempt->start && bar->end - bar->start == attempt->expected ? bar
                                                                                             : NULL;
}

static double dry_end_of(const struct clockwork *c, const struct cs_run_attempt *attempt)
{
    double expected = attempt->expected;

    if (!c->dry->seconds && dry_planned(c, attempt))
        return dry_planned(c, attempt)->end;

    if (c->dry->seconds)
        expected = c->dry->seconds(c->dry->who, attempt->task, attempt->try, expected);
    return attempt->start + expected;
}

static bool dry_fails(const struct clockwork *c, const struct cs_run_attempt *attempt)
{
    return c->dry->failures && attempt->try <= c->dry->failures[attempt->task];
}

static void dry_draw(struct clockwork *c, const struct cs_run_attempt *attempt, double end)
{
    int sets = 0;

    for (int k = 0; k < attempt->count; k++)
        if (sets && c->set[sets - 1].last + 1 == attempt->slot[k])
            c->set[sets - 1].last++;
        else
            c->set[sets++] = (struct cs_interval){attempt->slot[k], attempt->slot[k]};
    cs_schedule_add(c->schedule,
                    &(struct cs_bar){
                        .kind = dry_fails(c, attempt) ? CS_BAR_LOST : CS_BAR_WORK,
                        .task = attempt->task,
                        .attempt = attempt->try,
                        .group = c->dry->setup->task[attempt->task].group,
                        .start = attempt->start,
                        .end = end,
                        .intervals = sets,
                        .procs = c->set,
                    },
                    NULL);
}

static void start_all(struct clockwork *c)
{
    for (int a = 0; a < c->run.actions; a++)
        if (c->run.action[a].kind == CS_RUN_START) {
            const struct cs_run_attempt *attempt =
                cs_run_attempt_find(&c->run, c->run.action[a].attempt);
            double end = dry_end_of(c, attempt);

            if (c->run.decider->foresee) {
                double works;

                c->run.decider->foresee(c->run.state, attempt->task, &works, &end);
                cs_heap_push(&c->begins, attempt->task, works);
                continue;
            }
            cs_heap_push(&c->ends, attempt->task, end);
            dry_draw(c, attempt, end);
        }
}

static void add_event(struct clockwork *c, enum cs_run_event_kind kind, int task, double now,
                      enum cs_run_outcome outcome)
{
    const struct cs_run_attempt *attempt = cs_run_attempt_of(&c->run, task);

    if (kind == CS_RUN_ENDED && c->run.decider->foresee)
        dry_draw(c, attempt, now);
    c->event[c->count++] = (struct cs_run_event){
        .kind = kind,
        .task = task,
        .slot = -1,
        .attempt = attempt->number,
        .time = now,
        .outcome = outcome,
        .value = kind == CS_RUN_BEGAN,
    };
}

/* It will end by the clock of the decider. */
static void begin_task(struct clockwork *c, int task, double now)
{
    double works, ends;

    c->run.decider->foresee(c->run.state, task, &works, &ends);
    cs_heap_push(&c->ends, task, ends);
    add_event(c, CS_RUN_BEGAN, task, now, (enum cs_run_outcome)0);
}

/* Attempts that are signalled to stop end immediately. */
static void stop_all(struct clockwork *c, double now)
{
    for (int a = 0; a < c->run.actions; a++) {
        const struct cs_run_action *action = &c->run.action[a];

        if (action->kind != CS_RUN_STOP)
            continue;
        add_event(c, CS_RUN_SAVED, action->task, now, (enum cs_run_outcome)0);
        add_event(c, CS_RUN_ENDED, action->task, now, CS_RUN_STOPPED);
        cs_heap_remove(&c->ends, action->task);
    }
}

/* The next call of the decider; one that predicts is called at the predicted time. */
static double wake_of(const struct clockwork *c)
{
    const struct cs_run_decider *decider = c->run.decider;

    return decider->wake && !decider->foresee ? decider->wake(c->run.state) : INFINITY;
}

/* All that end at the next moment, those that stop, or those that begin to work. */
static double dry_collect(struct clockwork *c)
{
    const double begin = c->begins.count ? cs_heap_top_key(&c->begins) : INFINITY;
    const double now = fmin(begin, c->ends.count ? cs_heap_top_key(&c->ends) : INFINITY);
    const double wake = wake_of(c);

    c->count = 0;
    stop_all(c, c->run.now);
    if (c->count)
        return c->run.now;
    if (wake < now) {
        c->event[c->count++] =
            (struct cs_run_event){.kind = CS_RUN_DUE, .task = -1, .slot = -1, .time = wake};
        return wake;
    }
    while (c->ends.count > 0 && cs_heap_top_key(&c->ends) == now) {
        int task = cs_heap_pop(&c->ends);

        add_event(c, CS_RUN_ENDED, task, now,
                  dry_fails(c, cs_run_attempt_of(&c->run, task)) ? CS_RUN_CORRUPT : CS_RUN_OK);
    }
    while (c->count == 0 && c->begins.count > 0 && cs_heap_top_key(&c->begins) == now)
        begin_task(c, cs_heap_pop(&c->begins), now);
    return now;
}

static int by_attempt(const void *a, const void *b)
{
    const struct cs_run_event *x = a, *y = b;

    if (x->attempt != y->attempt)
        return x->attempt < y->attempt ? -1 : 1;
    return (x->kind > y->kind) - (x->kind < y->kind);
}

static void dry_work(struct clockwork *c)
{
    double now = 0;

    cs_run_round(&c->run, now, c->event, 0);
    for (start_all(c); c->ends.count > 0 || c->begins.count > 0; start_all(c)) {
        if (cs_watch_calls())
            return;
        now = dry_collect(c);
        qsort(c->event, (size_t)c->count, sizeof *c->event, by_attempt);
        cs_run_round(&c->run, now, c->event, c->count);
    }
}

struct cs_schedule *cs_run_dry_schedule(const struct cs_run_dry *dry, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    const struct cs_run_setup *setup = dry->setup;
    const char **name = CS_NEW_ARRAY(arena, const char *, setup->tasks);
    struct clockwork c = {
        .dry = dry,
        .event = CS_NEW_ARRAY(arena, struct cs_run_event, 2 * (size_t)setup->tasks),
        .set = CS_NEW_ARRAY(arena, struct cs_interval, dry->slots),
        .bar = cs_run_dry_plan(setup, arena),
    };

    for (int t = 0; t < setup->tasks; t++)
        name[t] = setup->task[t].name;
    cs_heap_init(&c.ends, setup->tasks, arena);
    cs_heap_init(&c.begins, setup->tasks, arena);
    if (!cs_run_begin(&c.run, setup, dry->slots, arena, err)) {
        c.schedule =
            cs_schedule_create(cs_run_setup_problem(setup), dry->slots, setup->tasks, name);
        dry_work(&c);
    }
    if (cs_watch_settle(0, err)) {
        cs_schedule_destroy(c.schedule);
        c.schedule = NULL;
    }
    cs_run_release(&c.run);
    cs_arena_destroy(arena);
    return c.schedule;
}
