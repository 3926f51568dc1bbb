/* schedule.c - what holds for the bars of any schedule. */
#include "base/arena.h"
#include "base/guard.h"
#include "check/check.h"
#include "check/report.h"
#include "check/sweep.h"
#include "model/bars.h"
#include "model/procset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct key {
    double time;
    size_t bar;
};

static int compare_keys(const void *a, const void *b)
{
    const struct key *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return (x->bar > y->bar) - (x->bar < y->bar);
}

/* Bars with fit[bar] by (start, index); NULL: they are in this order. */
static const struct key *sort_bars(const struct cs_bar *bar, size_t bars, const bool *fit,
                                   size_t *count, struct cs_arena *arena)
{
    struct key *key;
    double start = -INFINITY;
    bool sorted = true;

    *count = 0;
    for (size_t i = 0; i < bars; i++) {
        if (!fit[i])
            continue;
        sorted &= start <= bar[i].start;
        start = bar[i].start;
        ++*count;
    }
    if (sorted)
        return NULL;
    key = CS_NEW_ARRAY(arena, struct key, *count);
    *count = 0;
    for (size_t i = 0; i < bars; i++)
        if (fit[i])
            key[(*count)++] = (struct key){bar[i].start, i};
    qsort(key, *count, sizeof *key, compare_keys);
    return key;
}

static void bar_sweep(const struct cs_schedule *schedule, struct cs_check_sweep *sweep,
                      const struct cs_bar *bar, struct cs_check_report *report)
{
    const char *unit = cs_check_unit(schedule);
    struct cs_check_holder holder;

    if (cs_check_sweep_add(sweep, bar, &holder))
        return;
    cs_check_add(report, CS_VIOLATION_PROC_SHARED, bar->task, bar->start,
                 "task \"%.60s\" starts at %.15g %s on processor %d, which task \"%.60s\" holds "
                 "until %.15g %s",
                 cs_schedule_task_name(schedule, bar->task), bar->start, unit, holder.proc,
                 cs_schedule_task_name(schedule, holder.task), holder.end, unit);
}

/* Report every bar that starts on a processor which an earlier bar (by start, then index)
 * still holds, with the one that holds it longest.  Only bars with fit[bar] are looked at:
 * their times are finite, their length positive and their sets well formed. */
static void check_sharing(const struct cs_schedule *schedule, const bool *fit,
                          struct cs_check_report *report)
{
    struct cs_arena *arena = cs_arena_create();
    size_t bars, count;
    const struct cs_bar *bar = cs_schedule_bars(schedule, &bars);
    const struct key *key = sort_bars(bar, bars, fit, &count, arena);
    struct cs_check_sweep sweep;

    cs_check_sweep_init(&sweep, arena);
    for (size_t i = 0; key && i < count; i++)
        bar_sweep(schedule, &sweep, &bar[key[i].bar], report);
    for (size_t i = 0; !key && i < bars; i++)
        if (fit[i])
            bar_sweep(schedule, &sweep, &bar[i], report);
    cs_arena_destroy(arena);
}

static void count_starts(const struct cs_schedule *schedule, const struct cs_bar *bar,
                         long long *free, struct cs_check_report *report)
{
    const int procs = cs_schedule_procs(schedule);

    *free -= bar->count;
    if (*free < 0)
        cs_check_add(report, CS_VIOLATION_PROC_SHARED, bar->task, bar->start,
                     "task \"%.60s\" starts at %.15g %s on %d processors: %lld are held then, the "
                     "platform has %d",
                     cs_schedule_task_name(schedule, bar->task), bar->start,
                     cs_check_unit(schedule), bar->count, procs - *free, procs);
}

/* The same for bars with counts instead of sets: every bar that starts when fewer processors are
 * free than it holds. Bars that end at that time hold none.  O(n log n). */
static void cs_check_counts(const struct cs_schedule *schedule, const bool *fit,
                            struct cs_check_report *report)
{
    struct cs_arena *arena = cs_arena_create();
    size_t bars, count, ended = 0;
    const struct cs_bar *bar = cs_schedule_bars(schedule, &bars);
    const struct key *start = sort_bars(bar, bars, fit, &count, arena);
    struct key *end = CS_NEW_ARRAY(arena, struct key, count);
    long long free = cs_schedule_procs(schedule);

    count = 0;
    for (size_t i = 0; i < bars; i++)
        if (fit[i])
            end[count++] = (struct key){bar[i].end, i};
    if (count)
        qsort(end, count, sizeof *end, compare_keys);
    for (size_t i = 0, next = 0; i < count; i++, next++) {
        while (!start && !fit[next])
            next++;
        const struct cs_bar *now = &bar[start ? start[i].bar : next];

        for (; ended < count && end[ended].time <= now->start; ended++)
            free += bar[end[ended].bar].count;
        count_starts(schedule, now, &free, report);
    }
    cs_arena_destroy(arena);
}

const char *cs_check_unit(const struct cs_schedule *schedule)
{
    return strcmp(cs_schedule_problem(schedule), "volatile") == 0 ? "slots" : "s";
}

static const char *schedule_name_of(const struct cs_schedule *schedule, const struct cs_bar *bar)
{
    return cs_schedule_task_name(schedule, bar->task);
}

bool cs_check_attempt(const struct cs_schedule *schedule, const struct cs_bar *bar, size_t place,
                      struct cs_check_report *report)
{
    const char *name = schedule_name_of(schedule, bar);

    if (bar->attempt >= 1 && (size_t)bar->attempt != place + 1)
        cs_check_add(report, CS_VIOLATION_ATTEMPT_ORDER, bar->task, bar->start,
                     "task \"%.60s\" has attempt %d at %.15g s: it is its attempt %zu", name,
                     bar->attempt, bar->start, place + 1);
    if (bar->kind == CS_BAR_WORK || bar->kind == CS_BAR_LOST)
        return true;
    cs_check_add(report, CS_VIOLATION_BAR_KIND, bar->task, bar->start,
                 "task \"%.60s\" has a bar of kind %s at %.15g s: an attempt is work or lost", name,
                 cs_bar_kind_name(bar->kind), bar->start);
    return false;
}

static bool check_times(const struct cs_schedule *schedule, const struct cs_bar *bar, bool tiny,
                        struct cs_check_report *report)
{
    const char *name = schedule_name_of(schedule, bar), *unit = cs_check_unit(schedule);

    if (!isfinite(bar->start) || !isfinite(bar->end) || bar->start < 0) {
        cs_check_add(report, CS_VIOLATION_BAR_TIME, bar->task, bar->start,
                     "task \"%.60s\" has a bar from %.15g %s to %.15g %s: times must be finite and "
                     "not negative",
                     name, bar->start, unit, bar->end, unit);
        return false;
    }
    if (bar->end <= bar->start && !(tiny && bar->end == bar->start)) {
        cs_check_add(
            report, CS_VIOLATION_BAR_LENGTH, bar->task, bar->start,
            "task \"%.60s\" has a bar that starts at %.15g %s and ends at %.15g %s: it must "
            "end later",
            name, bar->start, unit, bar->end, unit);
        return false;
    }
    return true;
}

static bool check_set(const struct cs_schedule *schedule, const struct cs_bar *bar,
                      struct cs_check_report *report)
{
    int procs = cs_schedule_procs(schedule);
    const char *name = schedule_name_of(schedule, bar), *unit = cs_check_unit(schedule);

    if (bar->count) {
        if (bar->count > procs)
            cs_check_add(report, CS_VIOLATION_PROC_RANGE, bar->task, bar->start,
                         "task \"%.60s\" uses %d processors at %.15g %s: the platform has %d", name,
                         bar->count, bar->start, unit, procs);
        return bar->count <= procs;
    }
    if (bar->intervals < 1) {
        cs_check_add(report, CS_VIOLATION_PROC_SET, bar->task, bar->start,
                     "task \"%.60s\" has no processor at %.15g %s", name, bar->start, unit);
        return false;
    }
    if (!cs_procset_well_formed(bar->procs, bar->intervals)) {
        cs_check_add(report, CS_VIOLATION_PROC_SET, bar->task, bar->start,
                     "the processors of task \"%.60s\" at %.15g %s are not a set of ascending, "
                     "disjoint intervals with gaps between them",
                     name, bar->start, unit);
        return false;
    }
    if (bar->procs[bar->intervals - 1].last >= procs)
        cs_check_add(report, CS_VIOLATION_PROC_RANGE, bar->task, bar->start,
                     "task \"%.60s\" uses processor %d at %.15g %s: the platform has %d, from 0 on",
                     name, bar->procs[bar->intervals - 1].last, bar->start, unit, procs);
    return true;
}

static bool schedule_check_bar(const struct cs_schedule *schedule, const struct cs_bar *bar,
                               bool tiny, struct cs_check_report *report)
{
    bool times = check_times(schedule, bar, tiny, report);
    bool set = check_set(schedule, bar, report);

    if (bar->attempt < 1)
        cs_check_add(report, CS_VIOLATION_ATTEMPT, bar->task, bar->start,
                     "task \"%.60s\" has attempt %d at %.15g %s: attempts count from 1",
                     schedule_name_of(schedule, bar), bar->attempt, bar->start,
                     cs_check_unit(schedule));
    return times && set && bar->end > bar->start;
}

/* Bars by (task, start): each must start when all before it of its task have ended. */
static void check_overlaps(const struct cs_schedule *schedule, const bool *fit,
                           struct cs_check_report *report)
{
    struct cs_arena *arena = cs_arena_create();
    size_t bars;
    const struct cs_bar *first = cs_schedule_bars(schedule, NULL);
    const struct cs_bar **bar = cs_bars_by_task(schedule, &bars, arena);
    const char *unit = cs_check_unit(schedule);
    double end = 0;

    for (size_t i = 0; i < bars; i++) {
        const struct cs_bar *now = bar[i];

        if (i == 0 || now->task != bar[i - 1]->task)
            end = 0;
        if (!fit[now - first])
            continue;
        if (now->start < end)
            cs_check_add(report, CS_VIOLATION_TASK_OVERLAP, now->task, now->start,
                         "task \"%.60s\" starts a bar at %.15g %s before its bar that ends at "
                         "%.15g %s is over",
                         schedule_name_of(schedule, now), now->start, unit, end, unit);
        end = now->end > end ? now->end : end;
    }
    cs_arena_destroy(arena);
}

void cs_check_bars(const struct cs_schedule *schedule, bool one_at_a_time, const bool *tiny,
                   struct cs_check_report *report)
{
    struct cs_arena *arena = cs_arena_create();
    size_t bars;
    const struct cs_bar *bar = cs_schedule_bars(schedule, &bars);
    bool *fit = CS_NEW_ARRAY(arena, bool, bars);

    for (size_t i = 0; i < bars; i++)
        fit[i] = schedule_check_bar(schedule, &bar[i], tiny && tiny[i], report);
    if (cs_schedule_has_counts(schedule))
        cs_check_counts(schedule, fit, report);
    else
        check_sharing(schedule, fit, report);
    if (one_at_a_time)
        check_overlaps(schedule, fit, report);
    cs_arena_destroy(arena);
}

int cs_check_general(const struct cs_schedule *schedule, bool one_at_a_time,
                     struct cs_check_report *report)
{
    CS_ASK(schedule && report, NULL, -1);
    CS_GUARD(NULL, cs_check_broken(report));
    cs_check_bars(schedule, one_at_a_time, NULL, report);
    return 0;
}
