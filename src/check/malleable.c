/* malleable.c - a schedule of the malleable problem: bars cut into segments, and the sets of
 * processors of each.
 *
 * A task computes in segments; a failure or a redistribution ends one and begins the next.
 * What may be in a segment is judged by malleable_segment.c, why it ends by
 * malleable_cause.c, and the sums over all by malleable_area.c.
 */
#include "check/malleable.h"
#include "model/bars.h"

#include "base/guard.h"
#include "model/procset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool cs_check_malleable_now(double a, double b)
{
    return isfinite(a - b) && fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b));
}

bool cs_check_malleable_lasts(double seconds, double want, double end)
{
    return isfinite(want) && fabs(seconds - want) <= 1e-9 * fabs(want) + 1e-12 * end;
}

static const char *malleable_name_of(const struct cs_check_malleable *c, int task)
{
    return cs_check_malleable_name(c, task);
}

/* cs_check_general reports invalid bars; the other checks need valid ones. */
static bool malleable_sound(const struct cs_bar *bar, int procs)
{
    return isfinite(bar->start) && isfinite(bar->end) && bar->start >= 0 && bar->end > bar->start &&
           bar->intervals > 0 && cs_procset_well_formed(bar->procs, bar->intervals) &&
           bar->procs[bar->intervals - 1].last < procs && bar->attempt >= 1;
}

static bool same_set(const struct cs_bar *a, const struct cs_bar *b)
{
    return a->intervals == b->intervals &&
           !memcmp(a->procs, b->procs, (size_t)a->intervals * sizeof *a->procs);
}

static bool whole_pairs(const struct cs_bar *bar)
{
    for (int i = 0; i < bar->intervals; i++)
        if (bar->procs[i].first % 2 || bar->procs[i].last % 2 == 0)
            return false;
    return true;
}

/* Is every processor of a in b? */
static bool malleable_subset(const struct cs_bar *a, const struct cs_bar *b)
{
    int k = 0;

    for (int i = 0; i < a->intervals; i++) {
        while (k < b->intervals && b->procs[k].last < a->procs[i].first)
            k++;
        if (k == b->intervals || b->procs[k].first > a->procs[i].first ||
            b->procs[k].last < a->procs[i].last)
            return false;
    }
    return true;
}

/* Bars of a task follow one another from 0 on without a gap. */
static void check_contiguous(const struct cs_check_malleable *c, const struct cs_bar *bar,
                             const struct cs_bar *before)
{
    double from = before ? before->end : 0;

    if (bar->start > from && !cs_check_malleable_now(bar->start, from))
        cs_check_add(c->report, CS_VIOLATION_WAITS, bar->task, from,
                     "task \"%.60s\" does nothing from %.15g s to %.15g s: it never waits",
                     malleable_name_of(c, bar->task), from, bar->start);
}

static void check_attempt(const struct cs_check_malleable *c, const struct cs_bar *bar,
                          const struct cs_bar *before)
{
    int low = before ? before->attempt : 1, high = before ? low + 1 : 1;

    if (bar->attempt < low || bar->attempt > high)
        cs_check_add(c->report, CS_VIOLATION_ATTEMPT_ORDER, bar->task, bar->start,
                     "task \"%.60s\" has attempt %d at %.15g s after attempt %d: segments count "
                     "from 1 without a hole",
                     malleable_name_of(c, bar->task), bar->attempt, bar->start,
                     before ? before->attempt : 0);
}

static void check_set(const struct cs_check_malleable *c, const struct cs_bar *bar,
                      const struct cs_bar *before)
{
    if (before && before->attempt == bar->attempt) {
        if (!same_set(before, bar))
            cs_check_add(c->report, CS_VIOLATION_SEGMENT, bar->task, bar->start,
                         "task \"%.60s\" changes its processors at %.15g s within its segment %d",
                         malleable_name_of(c, bar->task), bar->start, bar->attempt);
        return;
    }
    if (!whole_pairs(bar))
        cs_check_add(c->report, CS_VIOLATION_PAIRS, bar->task, bar->start,
                     "task \"%.60s\" has processors that are not whole pairs (2x, 2x + 1) at "
                     "%.15g s",
                     malleable_name_of(c, bar->task), bar->start);
    if (before && !malleable_subset(bar, before) && !malleable_subset(before, bar))
        cs_check_add(c->report, CS_VIOLATION_REDISTRIBUTION, bar->task, bar->start,
                     "task \"%.60s\" gives up processors at %.15g s and takes others: it may do "
                     "one or the other",
                     malleable_name_of(c, bar->task), bar->start);
    if (before && !same_set(before, bar) &&
        cs_procset_size(before->procs, before->intervals) ==
            cs_procset_size(bar->procs, bar->intervals))
        cs_check_add(c->report, CS_VIOLATION_REDISTRIBUTION, bar->task, bar->start,
                     "task \"%.60s\" moves to as many other processors at %.15g s",
                     malleable_name_of(c, bar->task), bar->start);
}

static void malleable_cut(struct cs_check_malleable *c)
{
    c->segment = CS_NEW_ARRAY(c->arena, struct cs_check_segment, c->bars);
    for (size_t b = 0; b < c->bars; b++) {
        const struct cs_bar *bar = c->bar[b];
        struct cs_check_segment *s = c->segments ? &c->segment[c->segments - 1] : NULL;

        if (!s || s->task != bar->task || s->attempt != bar->attempt) {
            s = &c->segment[c->segments++];
            *s = (struct cs_check_segment){.task = bar->task,
                                           .attempt = bar->attempt,
                                           .first = b,
                                           .at = bar,
                                           .procs = cs_procset_size(bar->procs, bar->intervals),
                                           .start = bar->start,
                                           .failures_hit = bar->kind == CS_BAR_DOWNTIME ||
                                                           bar->kind == CS_BAR_RECOVERY,
                                           .failed_proc = -1};
        }
        s->count++;
        s->end = bar->end;
    }
}

static void index_tasks(struct cs_check_malleable *c)
{
    int tasks = cs_schedule_tasks(c->schedule);
    size_t at = 0;

    c->first = CS_NEW_ARRAY(c->arena, size_t, tasks + 1);
    for (int task = 0; task < tasks; task++) {
        c->first[task] = at;
        while (at < c->segments && c->segment[at].task == task)
            at++;
        if (at > c->first[task])
            c->segment[at - 1].last = true;
    }
    c->first[tasks] = at;
}

static void check_bars(const struct cs_check_malleable *c)
{
    for (size_t b = 0; b < c->bars; b++) {
        const struct cs_bar *before =
            b && c->bar[b - 1]->task == c->bar[b]->task ? c->bar[b - 1] : NULL;

        check_contiguous(c, c->bar[b], before);
        check_attempt(c, c->bar[b], before);
        check_set(c, c->bar[b], before);
    }
}

static void check_sound(struct cs_check_malleable *c)
{
    check_bars(c);
    malleable_cut(c);
    index_tasks(c);
    for (int task = 0; task < cs_schedule_tasks(c->schedule); task++)
        cs_check_malleable_task(c, task);
    cs_check_malleable_causes(c);
    cs_check_malleable_areas(c);
}

/* The tasks of the schedule are those of the workload, in its order. */
static bool same_tasks(const struct cs_check_malleable *c)
{
    int tasks = cs_schedule_tasks(c->schedule);

    if (c->workload->count != tasks) {
        cs_check_add(c->report, CS_VIOLATION_INSTANCE, -1, NAN,
                     "the instance has %d tasks, the schedule %d", c->workload->count, tasks);
        return false;
    }
    for (int i = 0; i < tasks; i++)
        if (strcmp(c->workload->name[i], malleable_name_of(c, i)) != 0)
            cs_check_add(c->report, CS_VIOLATION_INSTANCE, i, NAN,
                         "task %d is \"%.60s\" in the schedule and \"%.60s\" in the instance", i,
                         malleable_name_of(c, i), c->workload->name[i]);
    return true;
}

int cs_check_malleable(const struct cs_schedule *schedule, const struct cs_workload *workload,
                       const struct cs_malleable_declared *declared, struct cs_check_report *report)
{
    CS_ASK(schedule && workload && declared && report, NULL, -1);
    CS_GUARD(NULL, cs_check_broken(report));
    struct cs_check_malleable c = {.schedule = schedule,
                                   .workload = workload,
                                   .declared = declared,
                                   .report = report,
                                   .makespan = cs_schedule_makespan(schedule),
                                   .arena = cs_arena_create()};
    bool fine = true;

    cs_check_general(schedule, true, report);
    c.bar = cs_bars_by_task(schedule, &c.bars, c.arena);
    for (size_t b = 0; b < c.bars; b++)
        fine &= malleable_sound(c.bar[b], cs_schedule_procs(schedule));
    if (same_tasks(&c) && fine)
        check_sound(&c);
    cs_arena_destroy(c.arena);
    return 0;
}
