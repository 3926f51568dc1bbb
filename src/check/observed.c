/* observed.c - the bars of each task in the order of their starts. */
#include "check/observed.h"

#include "base/arena.h"
#include "check/report.h"
#include "model/procset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct watch {
    const struct cs_schedule *schedule;
    const struct cs_schedule_observed *observed;
    struct cs_check_report *report;
    int *well;                  /* by task: attempts that ended well */
    const struct cs_bar **last; /* by task: the bar before, or NULL */
};

static int compare(const void *a, const void *b)
{
    const struct cs_bar *x = *(const struct cs_bar *const *)a,
                        *y = *(const struct cs_bar *const *)b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x > y) - (x < y);
}

static void check_attempt(const struct watch *w, const struct cs_bar *bar)
{
    const struct cs_bar *before = w->last[bar->task];
    const char *name = cs_schedule_task_name(w->schedule, bar->task);
    const bool saves = w->observed->saves && w->observed->saves[bar->task];

    if (bar->kind == CS_BAR_VERIFY && (!before || before->attempt != bar->attempt))
        cs_check_add(
            w->report, CS_VIOLATION_ATTEMPT_ORDER, bar->task, bar->start,
            "task \"%.60s\" is verified at %.15g s in attempt %d, which did not run before", name,
            bar->start, bar->attempt);
    else if (bar->kind != CS_BAR_VERIFY && before && bar->attempt <= before->attempt &&
             !(saves && bar->attempt == before->attempt && bar->start >= before->end))
        cs_check_add(w->report, CS_VIOLATION_ATTEMPT_ORDER, bar->task, bar->start,
                     "task \"%.60s\" has attempt %d at %.15g s after attempt %d", name,
                     bar->attempt, bar->start, before->attempt);
    if (!saves && w->well[bar->task] > 0 && bar->kind != CS_BAR_VERIFY)
        cs_check_add(w->report, CS_VIOLATION_RERUN, bar->task, bar->start,
                     "task \"%.60s\" runs at %.15g s although it had ended well", name, bar->start);
}

/* The last part of a task that saves its state is the work that ended well. */
static void check_bar(const struct watch *w, const struct cs_bar *bar)
{
    const bool saves = w->observed->saves && w->observed->saves[bar->task];
    const bool resized = saves && !strcmp(cs_schedule_problem(w->schedule), "malleable");
    long long procs = cs_procset_size(bar->procs, bar->intervals);
    const char *name = cs_schedule_task_name(w->schedule, bar->task);

    if (bar->kind != CS_BAR_WORK && bar->kind != CS_BAR_LOST && bar->kind != CS_BAR_VERIFY &&
        !(saves && (bar->kind == CS_BAR_RECOVERY || bar->kind == CS_BAR_MOVE ||
                    bar->kind == CS_BAR_CHECKPOINT)))
        cs_check_add(w->report, CS_VIOLATION_BAR_KIND, bar->task, bar->start,
                     "task \"%.60s\" has a bar of kind %s at %.15g s: work, lost or verify are "
                     "observed",
                     name, cs_bar_kind_name(bar->kind), bar->start);
    check_attempt(w, bar);
    if (w->observed->procs && !resized && procs != w->observed->procs[bar->task])
        cs_check_add(w->report, CS_VIOLATION_WIDTH, bar->task, bar->start,
                     "task \"%.60s\" has %lld processors at %.15g s: it asked for %d", name, procs,
                     bar->start, w->observed->procs[bar->task]);
    w->last[bar->task] = bar;
    if (saves && bar->kind != CS_BAR_VERIFY)
        w->well[bar->task] = bar->kind == CS_BAR_WORK;
    else
        w->well[bar->task] += bar->kind == CS_BAR_WORK;
}

static void check_ends(const struct watch *w)
{
    int next = 0;

    for (int t = 0; t < cs_schedule_tasks(w->schedule); t++) {
        bool unfinished = next < w->observed->unfinished && w->observed->task[next] == t;

        next += unfinished;
        if (unfinished && w->well[t] && !(w->observed->saves && w->observed->saves[t]))
            cs_check_add(w->report, CS_VIOLATION_FAILURES, t, NAN,
                         "task \"%.60s\" is said to have failed, and ended well",
                         cs_schedule_task_name(w->schedule, t));
        else if (!unfinished && !w->well[t])
            cs_check_add(w->report, CS_VIOLATION_TASK_MISSING, t, NAN,
                         "task \"%.60s\" never ended well, and is not said to have failed",
                         cs_schedule_task_name(w->schedule, t));
    }
}

void cs_check_observed(const struct cs_schedule *schedule,
                       const struct cs_schedule_observed *observed, struct cs_check_report *report)
{
    struct cs_arena *arena = cs_arena_create();
    int tasks = cs_schedule_tasks(schedule);
    struct watch w = {
        .schedule = schedule,
        .observed = observed,
        .report = report,
        .well = CS_NEW_ARRAY(arena, int, tasks),
        .last = CS_NEW_ARRAY(arena, const struct cs_bar *, tasks),
    };
    const struct cs_bar *bar, **order;
    size_t count;

    cs_check_schedule(schedule, true, report);
    bar = cs_schedule_bars(schedule, &count);
    order = CS_NEW_ARRAY(arena, const struct cs_bar *, count);
    for (size_t b = 0; b < count; b++)
        order[b] = &bar[b];
    if (count)
        qsort(order, count, sizeof *order, compare);
    for (size_t b = 0; b < count; b++)
        check_bar(&w, order[b]);
    check_ends(&w);
    cs_arena_destroy(arena);
}
