/* schedule.c - what holds for the bars of any schedule. */
#include "base/arena.h"
#include "base/guard.h"
#include "check/check.h"
#include "check/report.h"
#include "model/bars.h"
#include "model/procset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* a sweep over time with a tree over the processors.
 *
 * The ends of all intervals cut the processors into pieces. Bars come by rising start; the tree
 * knows for any range of pieces which bar so far ends last there. If that is after the start of the
 * new bar, the two share a processor. O(n log n) for n intervals, for any number of processors of
 * an interval.
 *
 * If intervals are short, testing each of their processors is faster; most schedules have no shared
 * processor.
 */

/* Processors of an interval, in the mean, up to which they are looked at one by one. */
#define SHORT 128

/* Nodes 2 .. 2 * leaves - 1 below node 1; a node holds bar numbers from 1, 0 for none. */
struct tree {
    const struct cs_bar *bar;
    size_t leaves;
    size_t *cover; /* ends last of the bars that cover all of the node */
    size_t *last;  /* ends last of the bars that touch the node */
};

struct sweep {
    const struct cs_bar *bar;
    size_t pieces;
    long long *cut; /* pieces + 1: piece i is processors cut[i] .. cut[i + 1] - 1 */
    size_t *order;  /* bars by (start, index) */
    size_t count;
    struct tree tree;
};

static size_t schedule_later(const struct tree *tree, size_t a, size_t b)
{
    if (!a || !b)
        return a ? a : b;
    return tree->bar[b - 1].end > tree->bar[a - 1].end ? b : a;
}

/* The bar that ends last in the leaves from .. to - 1 of a node that has the leaves
 * low .. high - 1. */
static size_t tree_last(const struct tree *tree, size_t node, size_t low, size_t high, size_t from,
                        size_t to)
{
    size_t middle = low + (high - low) / 2, found;

    if (to <= low || high <= from)
        return 0;
    if (from <= low && high <= to)
        return tree->last[node];
    found =
        schedule_later(tree, tree->cover[node], tree_last(tree, 2 * node, low, middle, from, to));
    return schedule_later(tree, found, tree_last(tree, 2 * node + 1, middle, high, from, to));
}

static void tree_add(struct tree *tree, size_t node, size_t low, size_t high, size_t from,
                     size_t to, size_t bar)
{
    size_t middle = low + (high - low) / 2;

    if (to <= low || high <= from)
        return;
    tree->last[node] = schedule_later(tree, tree->last[node], bar);
    if (from <= low && high <= to) {
        tree->cover[node] = schedule_later(tree, tree->cover[node], bar);
        return;
    }
    tree_add(tree, 2 * node, low, middle, from, to, bar);
    tree_add(tree, 2 * node + 1, middle, high, from, to, bar);
}

static int compare_cuts(const void *a, const void *b)
{
    const long long *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

struct key {
    double start;
    size_t bar;
};

static int compare_keys(const void *a, const void *b)
{
    const struct key *x = a, *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->bar > y->bar) - (x->bar < y->bar);
}

static void make_cuts(struct sweep *sweep, size_t intervals, struct cs_arena *arena)
{
    size_t cuts = 0, kept = 0;

    sweep->cut = CS_NEW_ARRAY(arena, long long, 2 * intervals + 1);
    for (size_t i = 0; i < sweep->count; i++) {
        const struct cs_bar *bar = &sweep->bar[sweep->order[i]];

        for (int k = 0; k < bar->intervals; k++) {
            sweep->cut[cuts++] = bar->procs[k].first;
            sweep->cut[cuts++] = (long long)bar->procs[k].last + 1;
        }
    }
    qsort(sweep->cut, cuts, sizeof *sweep->cut, compare_cuts);
    for (size_t i = 0; i < cuts; i++)
        if (i == 0 || sweep->cut[i] != sweep->cut[kept - 1])
            sweep->cut[kept++] = sweep->cut[i];
    sweep->pieces = kept ? kept - 1 : 0;
}

static void make_tree(struct sweep *sweep, struct cs_arena *arena)
{
    struct tree *tree = &sweep->tree;

    *tree = (struct tree){.bar = sweep->bar, .leaves = 1};
    while (tree->leaves < sweep->pieces)
        tree->leaves *= 2;
    tree->cover = CS_NEW_ARRAY(arena, size_t, 2 * tree->leaves);
    tree->last = CS_NEW_ARRAY(arena, size_t, 2 * tree->leaves);
}

static void sort_keys(struct key *key, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (compare_keys(&key[i - 1], &key[i]) > 0) {
            qsort(key, count, sizeof *key, compare_keys);
            return;
        }
}

static void make_order(struct sweep *sweep, size_t bars, const bool *fit, struct cs_arena *arena)
{
    struct key *key = CS_NEW_ARRAY(arena, struct key, bars);

    for (size_t i = 0; i < bars; i++)
        if (fit[i])
            key[sweep->count++] = (struct key){sweep->bar[i].start, i};
    sort_keys(key, sweep->count);
    sweep->order = CS_NEW_ARRAY(arena, size_t, sweep->count);
    for (size_t i = 0; i < sweep->count; i++)
        sweep->order[i] = key[i].bar;
}

static size_t piece_from(const struct sweep *sweep, long long processor)
{
    size_t low = 0, high = sweep->pieces;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (sweep->cut[middle] < processor)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The bar that holds any of the new bar's processors longest, and the new bar takes over. */
static size_t schedule_hold(struct sweep *sweep, size_t index)
{
    const struct cs_bar *bar = &sweep->bar[index];
    struct tree *tree = &sweep->tree;
    size_t holder = 0;

    for (int k = 0; k < bar->intervals; k++) {
        size_t from = piece_from(sweep, bar->procs[k].first);
        size_t to = piece_from(sweep, (long long)bar->procs[k].last + 1);

        holder = schedule_later(tree, holder, tree_last(tree, 1, 0, tree->leaves, from, to));
        tree_add(tree, 1, 0, tree->leaves, from, to, index + 1);
    }
    return holder;
}

static void report_sharing(const struct cs_schedule *schedule, const struct cs_bar *bar,
                           const struct cs_bar *holder, struct cs_check_report *report)
{
    int shared = cs_procset_common(bar->procs, bar->intervals, holder->procs, holder->intervals);
    const char *unit = cs_check_unit(schedule);

    cs_check_add(report, CS_VIOLATION_PROC_SHARED, bar->task, bar->start,
                 "task \"%.60s\" starts at %.15g %s on processor %d, which task \"%.60s\" holds "
                 "until %.15g %s",
                 cs_schedule_task_name(schedule, bar->task), bar->start, unit, shared,
                 cs_schedule_task_name(schedule, holder->task), holder->end, unit);
}

/* Take the processors of a bar, each of which is held until some time. */
static bool schedule_take(double *until, const struct cs_bar *bar)
{
    bool free = true;

    for (int k = 0; k < bar->intervals; k++)
        for (int p = bar->procs[k].first; p <= bar->procs[k].last; p++) {
            free &= until[p] <= bar->start;
            until[p] = bar->end > until[p] ? bar->end : until[p];
        }
    return free;
}

/* Are all bars on processors of the machine, on few of them in the mean? */
static bool are_short(const struct sweep *sweep, int procs, size_t intervals)
{
    long long left = (long long)(SHORT * intervals);

    for (size_t i = 0; i < sweep->count && left >= 0; i++) {
        const struct cs_bar *bar = &sweep->bar[sweep->order[i]];

        if (bar->procs[bar->intervals - 1].last >= procs)
            return false;
        left -= cs_procset_size(bar->procs, bar->intervals);
    }
    return left >= 0;
}

/* Is it plain that no two bars share a processor of the machine? */
static bool nobody_shares(const struct sweep *sweep, int procs, size_t intervals,
                          struct cs_arena *arena)
{
    double *until;

    if ((size_t)procs > SHORT * intervals || !are_short(sweep, procs, intervals))
        return false;
    until = CS_NEW_ARRAY(arena, double, procs);
    for (int p = 0; p < procs; p++)
        until[p] = -INFINITY;
    for (size_t i = 0; i < sweep->count; i++)
        if (!schedule_take(until, &sweep->bar[sweep->order[i]]))
            return false;
    return true;
}

static void report_all(const struct cs_schedule *schedule, struct sweep *sweep,
                       struct cs_check_report *report)
{
    for (size_t i = 0; i < sweep->count; i++) {
        const struct cs_bar *bar = &sweep->bar[sweep->order[i]];
        size_t holder = schedule_hold(sweep, sweep->order[i]);

        if (holder && sweep->bar[holder - 1].end > bar->start)
            report_sharing(schedule, bar, &sweep->bar[holder - 1], report);
    }
}

/* Report every bar that starts on a processor which an earlier bar (by start, then index)
 * still holds, with the one that holds it longest.  Only bars with fit[bar] are looked at:
 * their times are finite, their length positive and their sets well formed. */
static void cs_check_sharing(const struct cs_schedule *schedule, const bool *fit,
                             struct cs_check_report *report)
{
    struct cs_arena *arena = cs_arena_create();
    size_t bars, intervals = 0;
    struct sweep sweep = {.bar = cs_schedule_bars(schedule, &bars)};

    for (size_t i = 0; i < bars; i++)
        intervals += (size_t)sweep.bar[i].intervals;
    make_order(&sweep, bars, fit, arena);
    if (!nobody_shares(&sweep, cs_schedule_procs(schedule), intervals, arena)) {
        make_cuts(&sweep, intervals, arena);
        make_tree(&sweep, arena);
        report_all(schedule, &sweep, report);
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
    cs_check_sharing(schedule, fit, report);
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
