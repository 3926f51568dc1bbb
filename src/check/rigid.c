/* rigid.c - a schedule of the rigid problem: attempts, lengths, widths, failures, shelves. */
#include "base/arena.h"
#include "base/guard.h"
#include "check/bound.h"
#include "model/bars.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct check {
    const struct cs_schedule *schedule;
    const struct cs_rigid_declared *jobs;
    const struct cs_bar **bar; /* sorted by task, start and place */
    size_t bars;
    struct cs_check_report *report;
};

static const char *rigid_name_of(const struct check *c, int task)
{
    return cs_schedule_task_name(c->schedule, task);
}

static int by_group(const void *a, const void *b)
{
    const struct cs_bar *x = *(const struct cs_bar *const *)a,
                        *y = *(const struct cs_bar *const *)b;

    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x > y) - (x < y);
}

static double rigid_end_of(const struct check *c, const struct cs_bar *bar)
{
    return (bar->start + c->jobs->seconds[bar->task]) + c->jobs->verification;
}

/* Length and width of one attempt. */
static void rigid_check_bar(const struct check *c, const struct cs_bar *bar)
{
    double end = rigid_end_of(c, bar);
    long long width = cs_bar_procs(bar);

    if (c->jobs->submit && bar->start < c->jobs->submit[bar->task])
        cs_check_add(c->report, CS_VIOLATION_EARLY, bar->task, bar->start,
                     "task \"%.60s\" starts at %.15g s, it is submitted at %.15g s",
                     rigid_name_of(c, bar->task), bar->start, c->jobs->submit[bar->task]);
    if (bar->end != end)
        cs_check_add(c->report, CS_VIOLATION_DURATION, bar->task, bar->start,
                     "task \"%.60s\" starts at %.17g s and ends at %.17g s: it must end at %.17g s",
                     rigid_name_of(c, bar->task), bar->start, bar->end, end);
    if (width != c->jobs->procs[bar->task])
        cs_check_add(c->report, CS_VIOLATION_WIDTH, bar->task, bar->start,
                     "task \"%.60s\" has %lld processors at %.15g s: it needs %d",
                     rigid_name_of(c, bar->task), width, bar->start, c->jobs->procs[bar->task]);
}

/* Attempt number `place` of `count` of its task. */
static void check_attempt(const struct check *c, const struct cs_bar *bar, size_t place,
                          size_t count)
{
    if (!cs_check_attempt(c->schedule, bar, place, c->report))
        return;
    if (bar->kind == CS_BAR_WORK && place + 1 < count)
        cs_check_add(c->report, CS_VIOLATION_RERUN, bar->task, bar->end,
                     "task \"%.60s\" runs again although its attempt that ended at %.15g s did not "
                     "fail",
                     rigid_name_of(c, bar->task), bar->end);
    else if (bar->kind == CS_BAR_LOST && place + 1 == count)
        cs_check_add(
            c->report, CS_VIOLATION_TASK_MISSING, bar->task, bar->end,
            "task \"%.60s\" never succeeds: its last attempt, which ended at %.15g s, failed",
            rigid_name_of(c, bar->task), bar->end);
}

static void check_task(const struct check *c, int task, const struct cs_bar *const *bar,
                       size_t count)
{
    int64_t lost = 0;

    if (count == 0) {
        cs_check_add(c->report, CS_VIOLATION_TASK_MISSING, task, NAN, "task \"%.60s\" never runs",
                     rigid_name_of(c, task));
        return;
    }
    for (size_t i = 0; i < count; i++) {
        rigid_check_bar(c, bar[i]);
        check_attempt(c, bar[i], i, count);
        lost += bar[i]->kind == CS_BAR_LOST;
    }
    if (c->jobs->failures && lost != c->jobs->failures[task])
        cs_check_add(c->report, CS_VIOLATION_FAILURES, task, NAN,
                     "task \"%.60s\" failed %lld times: the scenario has %lld",
                     rigid_name_of(c, task), (long long)lost, (long long)c->jobs->failures[task]);
    if (!c->jobs->failures && lost)
        cs_check_lack(c->report, "the file has no \"failures\": the number of failed attempts is "
                                 "unknown");
}

static void check_tasks(const struct check *c)
{
    size_t at = 0;

    for (int task = 0; task < cs_schedule_tasks(c->schedule); task++) {
        size_t first = at;

        while (at < c->bars && c->bar[at]->task == task)
            at++;
        check_task(c, task, c->bar + first, at - first);
    }
}

/* The bar of the shelf in which this task ended just when `bar` starts. */
static const struct cs_bar *bar_before(const struct cs_bar *const *shelf, size_t count,
                                       const struct cs_bar *bar)
{
    for (size_t i = 0; i < count; i++)
        if (shelf[i]->task == bar->task && shelf[i]->end == bar->start)
            return shelf[i];
    return NULL;
}

static bool same_set(const struct cs_bar *a, const struct cs_bar *b)
{
    return a->intervals == b->intervals &&
           !memcmp(a->procs, b->procs, (size_t)a->intervals * sizeof *a->procs);
}

/* The expected end of a bar by the estimate given to the policy. */
static double expected_end(const struct check *c, const struct cs_bar *bar)
{
    if (!c->jobs->estimate)
        return bar->end;
    return (bar->start + c->jobs->estimate[bar->task]) + c->jobs->verification;
}

/* A bar that starts later than its shelf: the same job again, immediately, on its processors, in
 * time. */
static void check_refill(const struct check *c, const struct cs_bar *const *shelf, size_t count,
                         const struct cs_bar *bar, double end)
{
    const struct cs_bar *before = bar_before(shelf, count, bar);

    if (!before)
        cs_check_add(
            c->report, CS_VIOLATION_SHELF, bar->task, bar->start,
            "task \"%.60s\" starts at %.15g s within shelf %d: only a job of the shelf may, "
            "when it has just failed",
            rigid_name_of(c, bar->task), bar->start, bar->group);
    else if (!same_set(before, bar))
        cs_check_add(c->report, CS_VIOLATION_SHELF, bar->task, bar->start,
                     "task \"%.60s\" changes its processors at %.15g s within shelf %d",
                     rigid_name_of(c, bar->task), bar->start, bar->group);
    if (expected_end(c, bar) > end)
        cs_check_add(c->report, CS_VIOLATION_SHELF, bar->task, bar->start,
                     "task \"%.60s\" starts again at %.15g s and ends at %.15g s: shelf %d ends at "
                     "%.15g s",
                     rigid_name_of(c, bar->task), bar->start, expected_end(c, bar), bar->group,
                     end);
}

/* One shelf, which must start at `from`; returns when it is over. */
static double check_shelf(const struct check *c, const struct cs_bar *const *shelf, size_t count,
                          double from)
{
    double end = 0, last = 0;
    size_t i = 0;

    if (shelf[0]->start != from)
        cs_check_add(c->report, CS_VIOLATION_SHELF, shelf[0]->task, shelf[0]->start,
                     "shelf %d starts at %.15g s: it must start at %.15g s, when %s",
                     shelf[0]->group, shelf[0]->start, from,
                     c->jobs->submit ? "the one before it has ended and a job is there"
                                     : "the one before it ends");
    for (; i < count && shelf[i]->start == shelf[0]->start; i++)
        end = fmax(end, expected_end(c, shelf[i]));
    for (; i < count; i++)
        check_refill(c, shelf, count, shelf[i], end);
    for (i = 0; i < count; i++)
        last = fmax(last, shelf[i]->end);
    return c->jobs->estimate ? last : end;
}

/* first[i]: the earliest submission of the jobs of bars i, i + 1, ..., which are sorted by group.
 */
static const double *first_submissions(const struct check *c, struct cs_arena *arena)
{
    double *first = CS_NEW_ARRAY(arena, double, c->bars + 1);

    if (!c->jobs->submit)
        return first;
    first[c->bars] = INFINITY;
    for (size_t i = c->bars; i-- > 0;)
        first[i] = fmin(first[i + 1], c->jobs->submit[c->bar[i]->task]);
    return first;
}

static void check_shelves(const struct check *c, struct cs_arena *arena)
{
    const double *submit;
    double end = 0;
    size_t at = 0;

    qsort(c->bar, c->bars, sizeof *c->bar, by_group);
    submit = first_submissions(c, arena);
    while (at < c->bars) {
        size_t first = at;

        while (at < c->bars && c->bar[at]->group == c->bar[first]->group)
            at++;
        if (c->bar[first]->group < 0)
            cs_check_add(c->report, CS_VIOLATION_SHELF, c->bar[first]->task, c->bar[first]->start,
                         "task \"%.60s\" is on no shelf at %.15g s",
                         rigid_name_of(c, c->bar[first]->task), c->bar[first]->start);
        else
            end = check_shelf(c, c->bar + first, at - first, fmax(end, submit[first]));
    }
}

/* Without the failures of the scenario those of the bars count. */
static void check_bound(const struct check *c, struct cs_arena *arena)
{
    int tasks = cs_schedule_tasks(c->schedule);
    int64_t *lost = CS_NEW_ARRAY(arena, int64_t, tasks);

    for (size_t i = 0; i < c->bars; i++)
        lost[c->bar[i]->task] += c->bar[i]->kind == CS_BAR_LOST;
    cs_check_bound(c->jobs->lower_bound,
                   cs_check_bound_rigid(c->jobs, tasks, cs_schedule_procs(c->schedule),
                                        c->jobs->failures ? c->jobs->failures : lost),
                   cs_schedule_makespan(c->schedule), c->report);
}

int cs_check_rigid(const struct cs_schedule *schedule, const struct cs_rigid_declared *declared,
                   struct cs_check_report *report)
{
    CS_ASK(schedule && declared && report, NULL, -1);
    CS_GUARD(NULL, cs_check_broken(report));
    struct cs_arena *arena = cs_arena_create();
    struct check c = {.schedule = schedule, .jobs = declared, .report = report};
    const struct cs_bar *bar = cs_schedule_bars(schedule, &c.bars);
    bool *tiny;

    tiny = CS_NEW_ARRAY(arena, bool, c.bars);
    for (size_t i = 0; i < c.bars; i++)
        tiny[i] = bar[i].start > 0 && rigid_end_of(&c, &bar[i]) == bar[i].start;
    cs_check_bars(schedule, true, tiny, report);
    c.bar = cs_bars_by_task(schedule, &c.bars, arena);
    check_tasks(&c);
    if (declared->shelves)
        check_shelves(&c, arena);
    check_bound(&c, arena);
    cs_arena_destroy(arena);
    return 0;
}
