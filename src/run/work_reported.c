/* work_reported.c - the view of a run for its watch, and messages about errors. */
#include "base/guard.h"
#include "base/heap.h"
#include "base/order.h"
#include "base/plain.h"
#include "model/graph.h"
#include "run/dry.h"
#include "run/executor.h"
#include "run/request.h"
#include "run/round.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/wait.h>

/* what runs ends as expected, or at any moment when it is late; behind it comes what
 * waits, as the plan has it or the longest first. */

struct cs_run_forecast {
    double planned; /* makespan of the plan, or by the virtual clock; NaN: unknown */
    /* Slot seconds of attempts that ended well: as expected, and as they were. */
    double expected, took;
    const struct cs_bar **bar; /* of the plan, by task; NULL without a plan */
    int *order;                /* tasks by planned start, or the longest first */
    double *free, *end;        /* room, with a plan: by slot and by task */
    struct cs_heap ends;       /* room: tasks by when they give their slots back */
    int *freed;                /* room: so many */
};

#define DRY_MOST 20000 /* tasks; with more the virtual clock would hold up the beginning */

static double plan_by_clock(const struct cs_run_setup *setup, int slots)
{
    const struct cs_run_dry dry = {.setup = setup, .slots = slots};
    struct cs_error reported = {0};
    struct cs_schedule *schedule =
        setup->tasks <= DRY_MOST ? cs_run_dry_schedule(&dry, &reported) : NULL;
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

/* For a run on so many slots; lives in the arena.  Where there is no plan the virtual clock makes
 * one if it may, which takes time. */
static struct cs_run_forecast *run_forecast_create(const struct cs_run_setup *setup, int slots,
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

/* An attempt of this task took so many seconds and ended well. */
static void run_forecast_see(struct cs_run_forecast *f, const struct cs_run_task *task,
                             double seconds)
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

/* When the attempt ends; one with progress continues at its rate so far. */
static double work_reported_end_of(const struct cs_run *run, const struct cs_run_attempt *attempt,
                                   double pace, double now)
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

static bool work_reported_waits(const struct cs_run *run, int task)
{
    return run->usage[task].state == CS_RUN_WAITING || run->usage[task].state == CS_RUN_HELD;
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

        if (!work_reported_waits(run, task))
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

/* Waiting tasks, the longest first, each as soon as slots are free. The last entry of the heap
 * represents the slots that are free now. */
static double list_tasks(struct cs_run_forecast *f, const struct cs_run *run, double pace,
                         double now, double end)
{
    const int none = run->setup->tasks;

    f->freed[none] = run->slots.free;
    if (run->slots.free > 0)
        cs_heap_push(&f->ends, none, now);
    for (int k = 0; k < none; k++) {
        const struct cs_run_task *task = &run->setup->task[f->order[k]];

        if (work_reported_waits(run, f->order[k]) && task->procs <= run->slots.up)
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
        double ends = work_reported_end_of(run, attempt, pace, now);

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

/* Predicted end (run time), if the remaining attempts behave like the ended ones: along the
 * followed plan, by the clock of the decider if it has one, else by the capacity of the remaining
 * slots. NaN if unknown. */
static double run_forecast_end(struct cs_run_forecast *f, const struct cs_run *run, double now)
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

/* the public functions that start and resume a run. */

struct cs_run_view {
    const struct cs_run_watch *watch; /* or NULL */
    const struct cs_run_executor *x;  /* NULL: it has not begun */
    struct cs_run_forecast *forecast; /* NULL: not requested */
};

/* Those of a struct cs_run_view. */
static struct cs_run_watcher run_watcher_of(struct cs_run_view *view);

static struct cs_run_terms terms_of(const struct cs_run_options *options)
{
    return (struct cs_run_terms){
        .durable = options->durable,
        .kills = options->kill,
        .retries = options->retry_failed,
        .declare_lost = options->declare_lost,
        .slots = options->slots,
        .margin = options->margin,
        .poll = options->poll,
        .signals = options->signals,
    };
}

static void work_reported_report(const struct cs_run_executor *x, enum cs_run_ending ending,
                                 struct cs_run_ended *ended)
{
    const int *in_state = x->run.in_state;

    *ended = (struct cs_run_ended){
        .ending = ending,
        .signal = ending == CS_RUN_SIGNALLED ? x->signal : 0,
        .tasks = x->setup.tasks,
        .done = in_state[CS_RUN_DONE],
        .failed = in_state[CS_RUN_BROKEN],
        .skipped = in_state[CS_RUN_SKIPPED],
    };
    cs_plain_print(ended->folder, sizeof ended->folder, "%s", x->folder);
}

/* NULL: it could not begin. */
static int work_reported_work(struct cs_run_executor *x, struct cs_run_view *view,
                              struct cs_run_ended *ended, struct cs_error *err)
{
    enum cs_run_ending ending = CS_RUN_SIGNALLED;
    int status;

    if (!x)
        return -1;
    view->x = x;
    work_reported_report(x, CS_RUN_ASKED_TO_STOP, ended);
    if (view->watch && view->watch->foresee)
        view->forecast = run_forecast_create(&x->setup, x->slots, view->watch->plan, x->arena);
    status = cs_run_executor_work(x, &ending, err);
    work_reported_report(x, status ? CS_RUN_ASKED_TO_STOP : ending, ended);
    view->x = NULL;
    cs_run_executor_destroy(x);
    return status;
}

static int work_reported_begin(const struct cs_run_document *document, const char *folder,
                               const struct cs_run_options *options, struct cs_run_view *view,
                               struct cs_run_ended *ended, struct cs_error *err)
{
    const struct cs_run_watcher watcher = run_watcher_of(view);
    struct cs_run_terms terms = terms_of(options);
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_run_executor *x;

    terms.file = document->file;
    cs_json_put(&text, document->json, 0);
    x = cs_run_executor_begin(folder, text.text, document->folder, document->input,
                              document->bytes.text, document->bytes.length, &terms, &watcher, err);
    cs_strbuf_release(&text);
    return work_reported_work(x, view, ended, err);
}

static int work_reported_check(const struct cs_run_options *options,
                               const struct cs_run_watch *watch, struct cs_error *err)
{
#ifndef __linux__
    return cs_error_set(err, "runs need Linux: this system has no signalfd, epoll and pidfd");
#endif
    if (cs_run_request_check(options, err))
        return -1;
    if (watch && cs_ask_size("a watch of a run", watch->size, sizeof *watch, err))
        return -1;
    return getauxval(AT_SECURE)
               ? cs_error_set(err, "a program that runs others is not to be set-uid")
               : 0;
}

int cs_run_start(const char *input, const char *folder, const struct cs_run_options *options,
                 const struct cs_run_watch *watch, struct cs_run_ended *ended, struct cs_error *err)
{
    CS_ASK(input && folder, err, -1);
    CS_GUARD(err, -1);
    struct cs_run_view view = {.watch = watch};
    struct cs_run_document *document;
    struct cs_run_options usual;
    const struct cs_run_options *how = options ? options : &usual;
    struct cs_run_ended own;
    struct cs_run_ended *out = ended ? ended : &own;
    struct cs_arena *arena;
    int status = -1;

    cs_run_defaults(&usual);
    *out = (struct cs_run_ended){.ending = CS_RUN_ASKED_TO_STOP};
    if (work_reported_check(how, watch, err))
        return -1;
    arena = cs_arena_create();
    document = cs_run_request_open(input, how, false, arena, err);
    if (document && !strcmp(cs_run_request_engine(document), "dry")) {
        out->ending = CS_RUN_ONLY_DRY;
        status = 0;
    } else if (document) {
        status = work_reported_begin(document, folder, how, &view, out, err);
    }
    cs_run_document_release(document);
    cs_arena_destroy(arena);
    return status;
}

int cs_run_resume(const char *folder, const struct cs_run_options *options,
                  const struct cs_run_watch *watch, struct cs_run_ended *ended,
                  struct cs_error *err)
{
    CS_ASK(folder, err, -1);
    CS_GUARD(err, -1);
    struct cs_run_view view = {.watch = watch};
    const struct cs_run_watcher watcher = run_watcher_of(&view);
    struct cs_run_options usual;
    const struct cs_run_options *how = options ? options : &usual;
    struct cs_run_terms terms;
    struct cs_run_ended own;
    struct cs_run_ended *out = ended ? ended : &own;

    cs_run_defaults(&usual);
    *out = (struct cs_run_ended){.ending = CS_RUN_ASKED_TO_STOP};
    if (work_reported_check(how, watch, err))
        return -1;
    terms = terms_of(how);
    return work_reported_work(cs_run_executor_resume(folder, &terms, &watcher, err), &view, out,
                              err);
}

/* ---- state ---- */

int cs_run_view_state(const struct cs_run_view *view, struct cs_run_state *state)
{
    const struct cs_run *run;

    if (!view || !view->x || !state || state->size != sizeof *state)
        return -1;
    run = &view->x->run;
    *state = (struct cs_run_state){
        .size = sizeof *state,
        .tasks = view->x->setup.tasks,
        .done = run->in_state[CS_RUN_DONE],
        .running = run->count,
        .waiting = run->in_state[CS_RUN_WAITING] + run->in_state[CS_RUN_HELD],
        .failed = run->in_state[CS_RUN_BROKEN],
        .skipped = run->in_state[CS_RUN_SKIPPED],
        .slots = run->slots.up,
        .used = run->slots.up - run->slots.free,
        .stopping = run->stopping,
        .wakes = view->x->wakes,
        .now = cs_run_clock(view->x),
        .planned = view->forecast ? view->forecast->planned : NAN,
        .end = NAN,
    };
    if (view->forecast)
        state->end = run_forecast_end(view->forecast, run, state->now);
    return 0;
}

int cs_run_view_running(const struct cs_run_view *view, int index, struct cs_run_running *running)
{
    const struct cs_run_attempt *attempt;
    const struct cs_run_checkpoint *checkpoint;
    const struct cs_run *run;
    double works;

    if (!view || !view->x || !running || running->size != sizeof *running || index < 0 ||
        index >= view->x->run.count)
        return -1;
    run = &view->x->run;
    attempt = run->running[index];
    checkpoint = view->x->setup.task[attempt->task].settings->checkpoint;
    *running = (struct cs_run_running){
        .size = sizeof *running,
        .task = view->x->setup.task[attempt->task].name,
        .attempt = attempt->try,
        .procs = attempt->count,
        .slot = attempt->slot,
        .start = attempt->start,
        .expected = attempt->expected,
        .end = attempt->start + attempt->expected,
        .stops = attempt->asked || attempt->stops,
        .shows = checkpoint && checkpoint->progress,
        .progress = attempt->progress,
    };
    if (run->decider->foresee)
        run->decider->foresee(run->state, attempt->task, &works, &running->end);
    return 0;
}

/* ---- what went wrong ---- */

static void put_reason(struct cs_strbuf *out, const struct cs_run_event *event)
{
    if (event->detail)
        cs_strbuf_printf(out, " (%s)", event->detail);
    else if (event->outcome == CS_RUN_CORRUPT)
        cs_strbuf_puts(out, " (its verification failed)");
    else if (event->outcome == CS_RUN_FAILED && WIFSIGNALED(event->status))
        cs_strbuf_printf(out, " (signal %d)", WTERMSIG(event->status));
    else if (event->outcome == CS_RUN_FAILED)
        cs_strbuf_printf(out, " (status %d)", WEXITSTATUS(event->status));
}

/* The path of its output, unless it is in the settings. */
static void put_output(struct cs_strbuf *out, const struct cs_run_executor *x,
                       const struct cs_run_settings *settings, int64_t attempt)
{
    if (settings->out)
        return;
    cs_strbuf_puts(out, "; its output: ");
    cs_run_attempt_path(x->folder, attempt, "out", out);
    if (!settings->err)
        cs_strbuf_puts(out, " and .err");
}

static bool was_killed(const struct cs_run_event *event)
{
    return WIFSIGNALED(event->status) && WTERMSIG(event->status) == SIGKILL;
}

/* "task a: failed (status 3), for good after 3 tries; its output: ..."; nothing of what is tried
 * again. */
static void put_end(struct cs_strbuf *out, const struct cs_run_executor *x,
                    const struct cs_run_event *event)
{
    const struct cs_run_task *task = &x->setup.task[event->task];
    int tries = x->run.usage[event->task].tries;

    if (event->outcome == CS_RUN_STOPPED && task->settings->checkpoint && was_killed(event)) {
        cs_strbuf_printf(out,
                         "task %s did not stop within its grace and was killed; it resumes from "
                         "its saved state",
                         task->name);
        return;
    }
    if (event->finding != CS_RUN_ABANDONED && event->outcome != CS_RUN_LOST)
        return;
    cs_strbuf_printf(out, "task %s: %s", task->name, cs_run_outcome_name(event->outcome));
    put_reason(out, event);
    if (event->finding == CS_RUN_ABANDONED) {
        cs_strbuf_printf(out, ", for good after %d %s", tries, tries == 1 ? "try" : "tries");
        if (event->outcome != CS_RUN_CANNOT_START)
            put_output(out, x, task->settings, event->attempt);
    }
}

static void work_reported_say(void *who, const char *error_text)
{
    const struct cs_run_view *view = who;

    if (view->watch && view->watch->say)
        view->watch->say(view->watch->who, error_text);
}

static void work_reported_end(void *who, const struct cs_run_executor *x,
                              const struct cs_run_event *event, const struct cs_run_finish *finish)
{
    const struct cs_run_view *view = who;
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (view->forecast && event->finding == CS_RUN_SUCCEEDED)
        run_forecast_see(view->forecast, &x->setup.task[event->task],
                         finish->ended - finish->began);
    put_end(&text, x, event);
    if (text.length)
        work_reported_say(who, text.text);
    cs_strbuf_release(&text);
}

static void work_reported_tick(void *who, const struct cs_run_executor *x)
{
    const struct cs_run_view *view = who;

    (void)x;
    if (view->watch && view->watch->show)
        view->watch->show(view->watch->who, view);
}

static int work_reported_stop(void *who)
{
    const struct cs_run_view *view = who;

    return view->watch->stop(view->watch->who);
}

static struct cs_run_watcher run_watcher_of(struct cs_run_view *view)
{
    return (struct cs_run_watcher){
        .who = view,
        .end = work_reported_end,
        .tick = work_reported_tick,
        .say = work_reported_say,
        .stop = view->watch && view->watch->stop ? work_reported_stop : NULL,
    };
}
