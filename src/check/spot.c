/* spot.c - a schedule of the problem spot, bar by bar.
 *
 * Source: spec/volatile.md III.6.  No code is shared with policies and driver: modes, change-overs,
 * progress, cost and lateness are found again from the bars, in their order in time, and from the
 * trace.  Complexity: O(bars log bars + ticks of the bars on spot).
 * Constant: CLOSE 1e-9, relative, of times and costs (hand-set).
 */
#include "base/arena.h"
#include "base/guard.h"
#include "check/check.h"
#include "check/report.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CLOSE 1e-9

enum mode { IDLE, SPOT, DEMAND };

struct check {
    const struct cs_schedule *schedule;
    const struct cs_spot_declared *d;
    struct cs_check_report *report;
    enum mode mode;
    long long end; /* of the bar before, in ticks */
    long long pending, done;
    int starts;
    double cost;
};

static bool spot_close(double a, double b)
{
    return fabs(a - b) <= CLOSE * fmax(fabs(a), fabs(b));
}

/* The number of the tick that begins at this time; -1 if none does. */
static long long spot_tick_of(const struct check *c, double time)
{
    double tick = round(time / c->d->tick);

    if (!(tick >= 0 && tick <= INT_MAX))
        return -1;
    return spot_close(tick * c->d->tick, time) ? (long long)tick : -1;
}

/* Are the bars those of one job named "job" on spot and on demand, and has the trace a letter for
 * each tick? */
static bool spot_readable(const struct check *c)
{
    const struct cs_spot_declared *d = c->d;
    const size_t before = c->report->total;

    if (cs_schedule_procs(c->schedule) != 2LL * d->instances)
        cs_check_add(c->report, CS_VIOLATION_INSTANCE, -1, NAN,
                     "%d processors, it must be %lld: the instances on spot and those on demand",
                     cs_schedule_procs(c->schedule), 2LL * d->instances);
    if (cs_schedule_tasks(c->schedule) != 1 ||
        strcmp(cs_schedule_task_name(c->schedule, 0), "job") != 0)
        cs_check_add(c->report, CS_VIOLATION_INSTANCE, -1, NAN,
                     "the tasks must be one, named \"job\"");
    if (strlen(d->there) != (size_t)d->ticks || strspn(d->there, "01") != (size_t)d->ticks)
        cs_check_add(c->report, CS_VIOLATION_INSTANCE, -1, NAN,
                     "the trace must have %d letters, each 0 or 1", d->ticks);
    return c->report->total == before;
}

/* Of a bar; IDLE: it is neither on all spot nor on all on-demand instances. */
static enum mode spot_mode(const struct check *c, const struct cs_bar *bar)
{
    const int n = c->d->instances;

    if (bar->intervals != 1 || bar->procs->last - bar->procs->first != n - 1)
        return IDLE;
    return bar->procs->first == 0 ? SPOT : bar->procs->first == n ? DEMAND : IDLE;
}

/* Spot must be available; it is paid. */
static void spot_tick(struct check *c, long long tick)
{
    const bool known = tick < c->d->ticks;

    if (!known || c->d->there[tick] != '1')
        cs_check_add(c->report, CS_VIOLATION_NOT_UP, 0, (double)tick * c->d->tick,
                     "the job is on spot in tick %lld, in which spot is not available", tick);
    c->cost += known && c->d->price ? c->d->price[tick] : c->d->spot;
}

/* A bar after a gap, or in another mode, is a start. */
static void spot_start(struct check *c, const struct cs_bar *bar, enum mode mode, long long from)
{
    if (from != c->end || mode != c->mode) {
        c->pending = c->d->change;
        c->starts++;
    }
    c->mode = mode;
    if (bar->attempt != c->starts)
        cs_check_add(c->report, CS_VIOLATION_ATTEMPT_ORDER, 0, bar->start,
                     "a bar at %.15g s has attempt %d, it belongs to start %d", bar->start,
                     bar->attempt, c->starts);
}

/* Recovery lasts for the change-over, work follows it. */
static void spot_progress(struct check *c, const struct cs_bar *bar, long long ticks)
{
    const bool works = bar->kind == CS_BAR_WORK;

    if (!works && bar->kind != CS_BAR_RECOVERY)
        cs_check_add(c->report, CS_VIOLATION_BAR_KIND, 0, bar->start,
                     "a bar at %.15g s is of kind %s, it must be recovery or work", bar->start,
                     cs_bar_kind_name(bar->kind));
    if (works && c->pending > 0)
        cs_check_add(c->report, CS_VIOLATION_DURATION, 0, bar->start,
                     "the job works at %.15g s, before the end of a change-over of %d ticks",
                     bar->start, c->d->change);
    if (!works && ticks > c->pending)
        cs_check_add(c->report, CS_VIOLATION_DURATION, 0, bar->start,
                     "recovery at %.15g s is longer than a change-over of %d ticks", bar->start,
                     c->d->change);
    c->done += works ? ticks : 0;
    c->pending -= works ? c->pending : ticks;
}

static void spot_bar(struct check *c, const struct cs_bar *bar)
{
    long long from = spot_tick_of(c, bar->start), to = spot_tick_of(c, bar->end);
    enum mode mode = spot_mode(c, bar);

    if (mode == IDLE) {
        cs_check_add(c->report, CS_VIOLATION_WIDTH, 0, bar->start,
                     "a bar at %.15g s must be all %d instances of spot, or of on demand",
                     bar->start, c->d->instances);
        return;
    }
    if (from < 0 || to <= from || from < c->end) {
        cs_check_add(c->report, CS_VIOLATION_BAR_TIME, 0, bar->start,
                     "a bar from %.15g to %.15g s: it must be whole ticks of %.15g s, after the "
                     "bar before",
                     bar->start, bar->end, c->d->tick);
        return;
    }
    spot_start(c, bar, mode, from);
    spot_progress(c, bar, to - from);
    if (mode == DEMAND)
        c->cost += (double)(to - from) * c->d->demand;
    for (long long t = from; mode == SPOT && t < to && t <= c->d->ticks; t++)
        spot_tick(c, t);
    c->end = to;
}

/* The sums, and the deadline. */
static void spot_check_end(const struct check *c)
{
    const struct cs_spot_declared *d = c->d;
    const long long late = c->end > d->deadline ? c->end - d->deadline : 0;

    if (c->done != d->work)
        cs_check_add(c->report, CS_VIOLATION_WORK, 0, NAN, "%lld ticks of work, it must be %d",
                     c->done, d->work);
    if (!spot_close(c->cost, d->cost))
        cs_check_add(c->report, CS_VIOLATION_DECLARED_COST, 0, NAN,
                     "the declared cost is %.15g, that of the bars %.15g", d->cost, c->cost);
    if (c->starts != d->starts)
        cs_check_add(c->report, CS_VIOLATION_DECLARED_RATIO, 0, NAN,
                     "%d declared starts, the bars have %d", d->starts, c->starts);
    if (late != d->late)
        cs_check_add(c->report, CS_VIOLATION_DECLARED_RATIO, 0, NAN,
                     "declared %d ticks late, the job is %lld ticks late", d->late, late);
    if (late > 0 && (long long)d->work + d->change <= d->deadline)
        cs_check_add(c->report, CS_VIOLATION_LATE, 0, (double)d->deadline * d->tick,
                     "the job ends %lld ticks after its deadline, which work and one change-over "
                     "can meet",
                     late);
}

static int spot_by_start(const void *a, const void *b)
{
    const struct cs_bar *x = *(const struct cs_bar *const *)a;
    const struct cs_bar *y = *(const struct cs_bar *const *)b;

    return (x->start > y->start) - (x->start < y->start);
}

static void spot_bars(struct check *c, struct cs_arena *arena)
{
    size_t count;
    const struct cs_bar *bar = cs_schedule_bars(c->schedule, &count);
    const struct cs_bar **order = CS_NEW_ARRAY(arena, const struct cs_bar *, count);

    for (size_t i = 0; i < count; i++)
        order[i] = &bar[i];
    if (count)
        qsort(order, count, sizeof *order, spot_by_start);
    for (size_t i = 0; i < count; i++)
        spot_bar(c, order[i]);
    spot_check_end(c);
}

int cs_check_spot(const struct cs_schedule *schedule, const struct cs_spot_declared *declared,
                  struct cs_check_report *report)
{
    CS_ASK(schedule && declared && declared->there && report, NULL, -1);
    CS_GUARD(NULL, cs_check_broken(report));
    struct check c = {.schedule = schedule, .d = declared, .report = report};
    struct cs_arena *arena;

    cs_check_general(schedule, true, report);
    if (!spot_readable(&c))
        return 0;
    arena = cs_arena_create();
    spot_bars(&c, arena);
    cs_arena_destroy(arena);
    return 0;
}
