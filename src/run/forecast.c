/* forecast.c - what runs ends as expected, or at any moment when it is late; behind it comes what
 * waits, as the plan has it or the longest first. */
#include "run/forecast.h"

#include "base/order.h"
#include "run/dry.h"

#include <cosched/graph.h>
#include <math.h>
#include <string.h>

#define DRY_MOST 20000 /* tasks; with more the virtual clock would hold up the beginning */

static double plan_by_clock(const struct cs_run_setup *setup, int slots)
{
    const struct cs_run_dry dry = {.setup = setup, .slots = slots};
    struct cs_error told = {0};
    struct cs_schedule *schedule =
        setup->tasks <= DRY_MOST ? cs_run_dry_schedule(&dry, &told) : NULL;
    double makespan = schedule ? cs_schedule_makespan(schedule) : NAN;

    cs_schedule_destroy(schedule);
    return makespan;
}

static void read_plan(struct cs_run_forecast *f, const struct cs_run_setup *setup, int slots,
                      struct cs_arena *arena)
{
    double *start = CS_NEW_ARRAY(arena, double, setup->tasks);
    const struct cs_bar *bar;
    size_t count;

    f->planned = cs_schedule_makespan(setup->plan->schedule);
    f->bar = CS_NEW_ARRAY(arena, const struct cs_bar *, setup->tasks);
    f->free = CS_NEW_ARRAY(arena, double, slots);
    f->end = CS_NEW_ARRAY(arena, double, setup->tasks);
    bar = cs_schedule_bars(setup->plan->schedule, &count);
    for (size_t b = 0; b < count; b++)
        if (bar[b].kind == CS_BAR_WORK) {
            f->bar[bar[b].task] = &bar[b];
            start[bar[b].task] = bar[b].start;
        }
    cs_order_ascending(start, setup->tasks, f->order, arena);
}

static void sort_tasks(struct cs_run_forecast *f, const struct cs_run_setup *setup,
                       struct cs_arena *arena)
{
    double *seconds = CS_NEW_ARRAY(arena, double, setup->tasks);

    for (int t = 0; t < setup->tasks; t++)
        seconds[t] = setup->task[t].expected;
    cs_order_descending(seconds, setup->tasks, f->order, arena);
}

struct cs_run_forecast *cs_run_forecast_create(const struct cs_run_setup *setup, int slots,
                                               bool clock, struct cs_arena *arena)
{
    struct cs_run_forecast *f = CS_NEW(arena, struct cs_run_forecast);

    f->order = CS_NEW_ARRAY(arena, int, setup->tasks);
    f->freed = CS_NEW_ARRAY(arena, int, setup->tasks + 1);
    cs_heap_init(&f->ends, setup->tasks + 1, arena);
    if (setup->plan) {
        read_plan(f, setup, slots, arena);
    } else {
        f->planned = clock ? plan_by_clock(setup, slots) : NAN;
        sort_tasks(f, setup, arena);
    }
    return f;
}

void cs_run_forecast_see(struct cs_run_forecast *f, const struct cs_run_task *task, double seconds)
{
    if (!isfinite(seconds) || seconds < 0)
        return;
    f->expected += task->procs * task->expected;
    f->took += task->procs * seconds;
}

static double pace_of(const struct cs_run_forecast *f)
{
    return f->expected > 0 && f->took > 0 ? f->took / f->expected : 1;
}

/* When the attempt ends; one that shows its progress goes on as it did so far. */
static double end_of(const struct cs_run *run, const struct cs_run_attempt *attempt, double pace,
                     double now)
{
    double works, end = attempt->start + pace * attempt->expected;

    if (run->decider->foresee) {
        run->decider->foresee(run->state, attempt->task, &works, &end);
    } else if (!attempt->restarts && attempt->progress > 0 &&
               attempt->progress_at > attempt->start) {
        end = attempt->start + (attempt->progress_at - attempt->start) / attempt->progress;
    }
    return isfinite(end) ? fmax(end, now) : now;
}

static bool waits(const struct cs_run *run, int task)
{
    return run->ledger[task].state == CS_RUN_WAITING || run->ledger[task].state == CS_RUN_HELD;
}

static double after_needed(const struct cs_run_forecast *f, const struct cs_ptg_declared *ptg,
                           int task)
{
    double after = 0;
    int base = 0, g = 0;

    while (task - base >= ptg->graph[g]->tasks)
        base += ptg->graph[g++]->tasks;
    for (int k = ptg->graph[g]->first_in[task - base]; k < ptg->graph[g]->first_in[task - base + 1];
         k++)
        after = fmax(after, f->end[base + ptg->graph[g]->arc[ptg->graph[g]->in[k]].from]);
    return after;
}

/* A task behind all that has its slots, and that it needs; also behind the pack before. */
static double follow_one(struct cs_run_forecast *f, const struct cs_run *run, int task, double pace,
                         double start)
{
    const struct cs_bar *bar = f->bar[task];

    for (int k = 0; k < bar->intervals; k++)
        for (int p = bar->procs[k].first; p <= bar->procs[k].last; p++)
            start = fmax(start, f->free[p]);
    if (run->setup->plan->ptg)
        start = fmax(start, after_needed(f, run->setup->plan->ptg, task));
    f->end[task] = start + pace * (bar->end - bar->start);
    for (int k = 0; k < bar->intervals; k++)
        for (int p = bar->procs[k].first; p <= bar->procs[k].last; p++)
            f->free[p] = f->end[task];
    return f->end[task];
}

static double follow_plan(struct cs_run_forecast *f, const struct cs_run *run, double pace,
                          double now, double end)
{
    int group = -1;
    double barrier = now;

    for (int k = 0; k < run->setup->tasks; k++) {
        int task = f->order[k];

        if (!waits(run, task))
            continue;
        if (run->setup->barrier && f->bar[task]->group != group)
            barrier = end;
        group = f->bar[task]->group;
        end = fmax(end, follow_one(f, run, task, pace, barrier));
    }
    return end;
}

/* Slots come free by f->ends, so many (f->freed) at a time; the task takes the first ones. */
static double list_one(struct cs_run_forecast *f, int task, int procs, double seconds, double now)
{
    double start = now;
    int left = procs;

    while (left > 0 && f->ends.count > 0) {
        int who = cs_heap_top(&f->ends), some = f->freed[who] < left ? f->freed[who] : left;

        start = fmax(start, cs_heap_top_key(&f->ends));
        f->freed[who] -= some;
        left -= some;
        if (f->freed[who] == 0)
            cs_heap_pop(&f->ends);
    }
    f->freed[task] = procs;
    cs_heap_push(&f->ends, task, start + seconds);
    return start + seconds;
}

/* What waits, the longest first, each as soon as there are slots.  The last entry of the heap
 * stands for the slots that are free now. */
static double list_tasks(struct cs_run_forecast *f, const struct cs_run *run, double pace,
                         double now, double end)
{
    const int none = run->setup->tasks;

    f->freed[none] = run->slots.free;
    if (run->slots.free > 0)
        cs_heap_push(&f->ends, none, now);
    for (int k = 0; k < none; k++) {
        const struct cs_run_task *task = &run->setup->task[f->order[k]];

        if (waits(run, f->order[k]) && task->procs <= run->slots.up)
            end = fmax(end, list_one(f, f->order[k], task->procs, pace * task->expected, now));
    }
    return end;
}

/* When each attempt ends; the last of them. */
static double end_attempts(struct cs_run_forecast *f, const struct cs_run *run, double pace,
                           double now, bool follows)
{
    double last = now;

    for (int a = 0; a < run->count; a++) {
        const struct cs_run_attempt *attempt = run->running[a];
        double ends = end_of(run, attempt, pace, now);

        for (int k = 0; follows && k < attempt->count; k++)
            f->free[attempt->slot[k]] = ends;
        if (follows)
            f->end[attempt->task] = ends;
        else
            cs_heap_push(&f->ends, attempt->task, ends);
        f->freed[attempt->task] = attempt->count;
        last = fmax(last, ends);
    }
    return last;
}

double cs_run_forecast_end(struct cs_run_forecast *f, const struct cs_run *run, double now)
{
    const bool follows = f->bar && run->slots.up == run->slots.count;
    const double pace = pace_of(f);
    double end;

    if (follows) {
        memset(f->end, 0, (size_t)run->setup->tasks * sizeof *f->end);
        memset(f->free, 0, (size_t)run->slots.count * sizeof *f->free);
    }
    cs_heap_reset(&f->ends);
    end = end_attempts(f, run, pace, now, follows);
    return follows ? follow_plan(f, run, pace, now, end) : list_tasks(f, run, pace, now, end);
}
