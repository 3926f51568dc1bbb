/* moldable.c - the bars of a plan or of a run of the moldable problem against the instance.
 *
 * The allowed counts of a task are recomputed here, from its profile and its limits.
 */
#include "base/arena.h"
#include "base/guard.h"
#include "check/bag.h"
#include "check/bound.h"
#include "check/bound_moldable.h"
#include "check/known_time.h"
#include "model/bars.h"
#include "model/procset.h"
#include "model/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct check {
    const struct cs_schedule *schedule;
    const struct cs_workload *workload;
    const struct cs_moldable_declared *said;
    const struct cs_bar **bar; /* by task, start and place */
    size_t bars;
    struct cs_check_report *report;
};

static const char *moldable_name_of(const struct check *c, int task)
{
    return cs_schedule_task_name(c->schedule, task);
}

static bool same_tasks(const struct check *c)
{
    int tasks = cs_schedule_tasks(c->schedule);

    if (tasks != c->workload->count) {
        cs_check_add(c->report, CS_VIOLATION_INSTANCE, -1, NAN,
                     "the schedule has %d tasks and the instance %d: they must be the same", tasks,
                     c->workload->count);
        return false;
    }
    for (int i = 0; i < tasks; i++)
        if (strcmp(moldable_name_of(c, i), c->workload->name[i]) != 0)
            cs_check_add(c->report, CS_VIOLATION_INSTANCE, i, NAN,
                         "task %d is \"%.60s\" in the schedule and \"%.60s\" in the instance", i,
                         moldable_name_of(c, i), c->workload->name[i]);
    return true;
}

static void check_limits(const struct check *c, const struct cs_bar *bar, long long procs,
                         double seconds)
{
    static const struct cs_task_limit none;
    const struct cs_task_limit *limit = c->workload->limit ? &c->workload->limit[bar->task] : &none;
    const char *broken = cs_check_broken_limit(limit, procs);

    if (broken)
        cs_check_add(c->report, CS_VIOLATION_WIDTH, bar->task, bar->start,
                     "task \"%.60s\" has %lld processors at %.15g s: %s does not allow that",
                     moldable_name_of(c, bar->task), procs, bar->start, broken);
    if (cs_check_over_walltime(limit, seconds))
        cs_check_add(c->report, CS_VIOLATION_WIDTH, bar->task, bar->start,
                     "task \"%.60s\" takes %.15g s on %lld processors: its walltime is %.15g s, "
                     "with the margin %.15g",
                     moldable_name_of(c, bar->task), seconds, procs, limit->walltime,
                     fmax(limit->margin, 1));
    if (bar->start < limit->release)
        cs_check_add(c->report, CS_VIOLATION_EARLY, bar->task, bar->start,
                     "task \"%.60s\" starts at %.15g s, its release is %.15g s",
                     moldable_name_of(c, bar->task), bar->start, limit->release);
}

/* Processors that have to be consecutive. */
static void check_numbers(const struct check *c, const struct cs_bar *bar)
{
    if (c->said && c->said->contiguous && bar->intervals > 1)
        cs_check_add(c->report, CS_VIOLATION_SCATTERED, bar->task, bar->start,
                     "task \"%.60s\" has some of the processors from %d to %d at %.15g s: they "
                     "must be consecutive",
                     moldable_name_of(c, bar->task), bar->procs[0].first,
                     bar->procs[bar->intervals - 1].last, bar->start);
}

static bool is_stopped(const struct check *c, int task)
{
    return c->said && c->said->stopped && c->said->stopped[task];
}

static bool is_bar(const struct check *c, const struct cs_bar *bar)
{
    long long procs = cs_bar_procs(bar);

    return cs_procset_well_formed(bar->procs, bar->intervals) && procs >= 1 &&
           procs <= cs_schedule_procs(c->schedule);
}

/* The time of its task on its processors; NaN if unknown. */
static double time_of(const struct check *c, const struct cs_bar *bar)
{
    long long procs = cs_bar_procs(bar);
    double seconds = cs_check_known_time(&c->workload->profile[bar->task], procs);

    return seconds * (c->said && c->said->factor ? c->said->factor[bar->task] : 1);
}

/* The walltime of its task; +inf: it has none. */
static double walltime_of(const struct check *c, const struct cs_bar *bar)
{
    double walltime = c->workload->limit ? c->workload->limit[bar->task].walltime : 0;

    return walltime > 0 ? walltime : INFINITY;
}

/* The last bar of a task that is declared stopped. */
static void check_stop(const struct check *c, const struct cs_bar *bar)
{
    double walltime = walltime_of(c, bar), seconds = time_of(c, bar);

    if (isinf(walltime))
        cs_check_add(c->report, CS_VIOLATION_DURATION, bar->task, bar->end,
                     "task \"%.60s\" is declared stopped at its walltime, and has no walltime",
                     moldable_name_of(c, bar->task));
    else if (!(seconds > walltime))
        cs_check_add(c->report, CS_VIOLATION_DURATION, bar->task, bar->end,
                     "task \"%.60s\" is declared stopped at its walltime of %.15g s: it takes "
                     "%.15g s",
                     moldable_name_of(c, bar->task), walltime, seconds);
    else if (bar->kind != CS_BAR_LOST)
        cs_check_add(c->report, CS_VIOLATION_DURATION, bar->task, bar->end,
                     "task \"%.60s\" is declared stopped at its walltime: its last bar must be "
                     "lost",
                     moldable_name_of(c, bar->task));
}

static void moldable_check_bar(const struct check *c, const struct cs_bar *bar, bool stops)
{
    long long procs = cs_bar_procs(bar);
    double seconds, end;

    if (!is_bar(c, bar))
        return;
    check_numbers(c, bar);
    seconds = cs_check_known_time(&c->workload->profile[bar->task], procs);
    if (isnan(seconds)) {
        cs_check_add(c->report, CS_VIOLATION_WIDTH, bar->task, bar->start,
                     "task \"%.60s\" has %lld processor%s at %.15g s: no time is known for that "
                     "count",
                     moldable_name_of(c, bar->task), procs, procs == 1 ? "" : "s", bar->start);
        return;
    }
    check_limits(c, bar, procs, seconds);
    if (stops)
        check_stop(c, bar);
    end = bar->start + (stops ? fmin(time_of(c, bar), walltime_of(c, bar)) : time_of(c, bar));
    if (bar->end != end)
        cs_check_add(c->report, CS_VIOLATION_DURATION, bar->task, bar->start,
                     "task \"%.60s\" starts at %.17g s and ends at %.17g s: on %lld processor%s it "
                     "must end at %.17g s",
                     moldable_name_of(c, bar->task), bar->start, bar->end, procs,
                     procs == 1 ? "" : "s", end);
}

/* Attempt number `place` of `count`: all but the last fail, the last does not. */
static void check_attempt(const struct check *c, const struct cs_bar *bar, size_t place,
                          size_t count)
{
    bool last = place + 1 == count;

    if (!cs_check_attempt(c->schedule, bar, place, c->report))
        return;
    if (bar->kind == CS_BAR_WORK && !last)
        cs_check_add(c->report, CS_VIOLATION_TASK_REPEATED, bar->task, bar->end,
                     "task \"%.60s\" runs again although its attempt that ended at %.15g s did not "
                     "fail",
                     moldable_name_of(c, bar->task), bar->end);
    else if (bar->kind == CS_BAR_LOST && last && !is_stopped(c, bar->task))
        cs_check_add(c->report, CS_VIOLATION_TASK_MISSING, bar->task, bar->end,
                     "task \"%.60s\" never succeeds: its last attempt, which ended at %.15g s, "
                     "failed",
                     moldable_name_of(c, bar->task), bar->end);
}

/* The declared origin of the time of a task. */
static void check_origin(const struct check *c, const struct cs_bar *bar)
{
    const char *said = c->said->origin ? c->said->origin[bar->task] : NULL, *is;

    if (!said || !is_bar(c, bar))
        return;
    is = cs_time_origin_name(
        cs_profile_origin(&c->workload->profile[bar->task], (int)cs_bar_procs(bar)));
    if (strcmp(said, is) != 0)
        cs_check_add(c->report, CS_VIOLATION_DECLARED_TASK, bar->task, bar->start,
                     "the time of task \"%.60s\" is declared as %.20s: it is %s",
                     moldable_name_of(c, bar->task), said, is);
}

/* The declarations of a task that has a bar. */
static void check_task_said(const struct check *c, const struct cs_bar *bar, size_t bars)
{
    int task = bar->task;
    long long procs = cs_bar_procs(bar), lost;

    if (c->said->counts && c->said->counts[task] != procs)
        cs_check_add(c->report, CS_VIOLATION_DECLARED_TASK, task, bar->start,
                     "task \"%.60s\" is declared as launched on %d processors: it holds %lld",
                     moldable_name_of(c, task), c->said->counts[task], procs);
    lost = (long long)bars - 1;
    if (c->said->failures &&
        (is_stopped(c, task) ? c->said->failures[task] < lost : c->said->failures[task] != lost))
        cs_check_add(c->report, CS_VIOLATION_FAILURES, task, NAN,
                     "task \"%.60s\" failed %lld times: the scenario has %d",
                     moldable_name_of(c, task), lost, c->said->failures[task]);
    if (!c->said->failures && lost > 0)
        cs_check_lack(c->report, "the file has no \"failures\": the number of failed attempts is "
                                 "unknown");
}

static void check_task(const struct check *c, int task, const struct cs_bar *const *bar,
                       size_t count)
{
    if (count == 0) {
        cs_check_add(c->report, CS_VIOLATION_TASK_MISSING, task, NAN, "task \"%.60s\" never runs",
                     moldable_name_of(c, task));
        return;
    }
    for (size_t i = 0; i < count; i++) {
        moldable_check_bar(c, bar[i], is_stopped(c, task) && i + 1 == count);
        check_attempt(c, bar[i], i, count);
    }
    if (c->said) {
        check_task_said(c, bar[0], count);
        check_origin(c, bar[0]);
    }
}

/* Bars of tasks so short that their end is their start. */
static const bool *find_tiny(const struct check *c, struct cs_arena *arena)
{
    size_t bars;
    const struct cs_bar *bar = cs_schedule_bars(c->schedule, &bars);
    bool *tiny = CS_NEW_ARRAY(arena, bool, bars);

    for (size_t i = 0; i < bars; i++)
        tiny[i] = is_bar(c, &bar[i]) && bar[i].start + time_of(c, &bar[i]) == bar[i].start;
    return tiny;
}

static void check_tasks(struct check *c, struct cs_arena *arena)
{
    size_t at = 0;

    c->bar = cs_bars_by_task(c->schedule, &c->bars, arena);
    for (int task = 0; task < cs_schedule_tasks(c->schedule); task++) {
        size_t first = at;

        while (at < c->bars && c->bar[at]->task == task)
            at++;
        check_task(c, task, c->bar + first, at - first);
    }
}

/* A little below the bound, so that rounding does not matter. */
static enum cs_check_shown bound_shown(const struct check *c, struct cs_arena *arena)
{
    const struct cs_moldable_certificate *by = &c->said->certificate;
    double below = c->said->lower_bound * (1 - CS_CHECK_BOUND_SAME);
    struct cs_check_bag bag;

    if (!cs_check_bag_init(&bag, c->workload, cs_schedule_procs(c->schedule), c->said, arena))
        return CS_CHECK_TOO_LARGE;
    if (!(below > 0) || cs_check_bag_too_short(&bag, below, by, arena))
        return CS_CHECK_SHOWN;
    switch (cs_check_bag_search(&bag, below, arena)) {
    case CS_CHECK_SEARCH_NONE:
        return CS_CHECK_SHOWN;
    case CS_CHECK_SEARCH_PLAN:
        return CS_CHECK_REFUTED;
    case CS_CHECK_SEARCH_GAVE_UP:
        break;
    }
    if (!c->said->contiguous && cs_check_bag_list(&bag, below, arena))
        return CS_CHECK_REFUTED;
    return by->search ? CS_CHECK_SEARCHED : CS_CHECK_NOT_SHOWN;
}

/* Bounds of the times that were planned with, also for a run with other times. */
static void check_simple(const struct check *c, struct cs_arena *arena)
{
    static const struct cs_moldable_declared planned = {0};
    const struct {
        const char *name;
        double bound;
        enum cs_check_simple argument;
    } simple[] = {
        {"critical", c->said->critical, CS_CHECK_SIMPLE_PATH},
        {"area", c->said->area, CS_CHECK_SIMPLE_AREA},
        {"knapsack", c->said->knapsack, CS_CHECK_SIMPLE_MIDDLE},
        {"width", c->said->width, CS_CHECK_SIMPLE_WIDTH},
    };
    struct cs_check_bag bag;
    bool small =
        cs_check_bag_init(&bag, c->workload, cs_schedule_procs(c->schedule), &planned, arena);

    for (size_t k = 0; k < sizeof simple / sizeof *simple; k++) {
        if (isnan(simple[k].bound))
            continue;
        if (!small ||
            (simple[k].argument == CS_CHECK_SIMPLE_MIDDLE && !cs_check_bag_has_middle(&bag)))
            cs_check_note(c->report, "its \"bounds\" were not checked, which would take too long");
        else if (!cs_check_bag_is_bound(&bag, simple[k].argument, simple[k].bound, arena))
            cs_check_add(c->report, CS_VIOLATION_DECLARED_BOUND, -1, NAN,
                         "the declared bound \"%s\" is %.15g: that of the instance is another",
                         simple[k].name, simple[k].bound);
    }
}

static void check_gap(const struct check *c)
{
    double makespan = cs_schedule_makespan(c->schedule);
    double gap = makespan / c->said->lower_bound - 1;

    if (makespan == 0 && c->said->lower_bound == 0 && c->said->gap == 0)
        return; /* no tasks */
    if (!isnan(c->said->gap) && isnan(c->said->lower_bound))
        cs_check_add(c->report, CS_VIOLATION_DECLARED_BOUND, -1, makespan,
                     "the declared gap is %.15g: the file has no lower bound", c->said->gap);
    else if (!isnan(c->said->gap) && !(fabs(gap - c->said->gap) <= 1e-9))
        cs_check_add(c->report, CS_VIOLATION_DECLARED_BOUND, -1, makespan,
                     "the declared gap is %.15g: makespan / lower_bound - 1 is %.15g", c->said->gap,
                     gap);
}

static void check_bound(const struct check *c, struct cs_arena *arena)
{
    check_simple(c, arena);
    if (!isnan(c->said->lower_bound))
        cs_check_bound_shown(c->said->lower_bound, bound_shown(c, arena),
                             cs_schedule_makespan(c->schedule), c->report);
    check_gap(c);
}

int cs_check_moldable(const struct cs_schedule *schedule, const struct cs_workload *workload,
                      const struct cs_moldable_declared *declared, struct cs_check_report *report)
{
    CS_ASK(schedule && workload && report, NULL, -1);
    CS_GUARD(NULL, cs_check_broken(report));
    struct cs_arena *arena = cs_arena_create();
    struct check c = {
        .schedule = schedule, .workload = workload, .said = declared, .report = report};

    if (!same_tasks(&c)) {
        cs_check_general(schedule, true, report);
    } else if (workload->modes) {
        cs_check_general_bag(schedule, workload, declared, report);
    } else {
        cs_check_bars(schedule, true, find_tiny(&c, arena), report);
        check_tasks(&c, arena);
        if (declared && (declared->bag || declared->mode))
            cs_check_add(report, CS_VIOLATION_INSTANCE, -1, NAN,
                         "the file has keys of a bag with resources, its instance has none");
        if (declared)
            check_bound(&c, arena);
    }
    cs_arena_destroy(arena);
    return 0;
}
