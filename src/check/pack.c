/* pack.c - the bars of a plan of packs against the instance. */
#include "base/arena.h"
#include "base/guard.h"
#include "check/bound_pack.h"
#include "check/known_time.h"
#include "check/report.h"
#include "model/bars.h"
#include "model/procset.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The declared packs, costs and metrics of a plan, recomputed.
 *
 * The declared packs must be the packs of the bars.  Costs and metrics are then computed
 * from the declared packs, in their order, as the paper's Section 6 defines them.
 */

#define EXACT 1e-12
#define CLOSE 1e-9

struct claim {
    const struct cs_schedule *schedule;
    const struct cs_workload *workload;
    const struct cs_pack_declared *declared;
    const struct cs_bar **bar_of; /* the first bar of a task, or NULL */
    double *alone;                /* seconds of a task on all processors */
    double sum;                   /* of the costs of the packs */
    double cost;                  /* as declared, or that sum */
    struct cs_check_report *report;
    struct cs_arena *arena;
};

static bool pack_declared_near(double a, double b, double relative)
{
    return isfinite(a - b) && fabs(a - b) <= relative * fmax(fabs(a), fabs(b));
}

static const char *pack_declared_name_of(const struct claim *c, int task)
{
    return cs_schedule_task_name(c->schedule, task);
}

static double pack_declared_time_of(const struct claim *c, int task, int procs)
{
    return cs_check_pack_time(c->workload, c->declared->supplied, task, procs);
}

static void find_bars(struct claim *c)
{
    int tasks = cs_schedule_tasks(c->schedule), procs = cs_schedule_procs(c->schedule);
    size_t bars;
    const struct cs_bar *bar = cs_schedule_bars(c->schedule, &bars);

    c->bar_of = CS_NEW_ARRAY(c->arena, const struct cs_bar *, tasks);
    c->alone = CS_NEW_ARRAY(c->arena, double, tasks);
    for (size_t i = bars; i-- > 0;)
        c->bar_of[bar[i].task] = &bar[i];
    for (int i = 0; i < tasks; i++)
        c->alone[i] = pack_declared_time_of(c, i, procs);
}

static void check_against_bar(const struct claim *c, int pack,
                              const struct cs_pack_declared_task *entry)
{
    const struct cs_bar *bar = c->bar_of[entry->task];
    long long procs = bar ? cs_bar_procs(bar) : 0;

    if (!bar)
        cs_check_add(c->report, CS_VIOLATION_DECLARED_TASK, entry->task, NAN,
                     "pack %d lists task \"%.60s\", which has no bar", pack,
                     pack_declared_name_of(c, entry->task));
    else if (bar->group != pack)
        cs_check_add(c->report, CS_VIOLATION_DECLARED_TASK, entry->task, bar->start,
                     "pack %d lists task \"%.60s\", whose bar at %.15g s is in pack %d", pack,
                     pack_declared_name_of(c, entry->task), bar->start, bar->group);
    else if (procs != entry->procs)
        cs_check_add(c->report, CS_VIOLATION_DECLARED_TASK, entry->task, bar->start,
                     "pack %d gives task \"%.60s\" %d processors, its bar at %.15g s has %lld",
                     pack, pack_declared_name_of(c, entry->task), entry->procs, bar->start, procs);
}

static void check_seconds(const struct claim *c, int pack,
                          const struct cs_pack_declared_task *entry)
{
    double want;

    if (entry->procs < 1 || entry->procs > cs_schedule_procs(c->schedule))
        return;
    want = pack_declared_time_of(c, entry->task, entry->procs);
    if (!isinf(want) && !pack_declared_near(entry->seconds, want, EXACT))
        cs_check_add(c->report, CS_VIOLATION_DECLARED_TASK, entry->task, NAN,
                     "pack %d declares that task \"%.60s\" takes %.15g s on %d processors: it "
                     "takes %.15g s",
                     pack, pack_declared_name_of(c, entry->task), entry->seconds, entry->procs,
                     want);
}

/* The count that a task is launched on: allowed, no more than it holds, and with that time. */
static void check_launched(const struct claim *c, int pack,
                           const struct cs_pack_declared_task *entry)
{
    static const struct cs_task_limit none;
    const struct cs_workload *w = c->workload;
    const char *broken;
    double want;

    if (entry->launched == 0)
        return;
    broken = cs_check_broken_limit(w->limit ? &w->limit[entry->task] : &none, entry->launched);
    want = cs_check_known_time(&w->profile[entry->task], entry->launched);
    if (entry->launched > entry->procs)
        cs_check_add(c->report, CS_VIOLATION_DECLARED_TASK, entry->task, NAN,
                     "pack %d launches task \"%.60s\" on %d processors, of which it holds %d", pack,
                     pack_declared_name_of(c, entry->task), entry->launched, entry->procs);
    if (broken || isnan(want))
        cs_check_add(c->report, CS_VIOLATION_DECLARED_TASK, entry->task, NAN,
                     "pack %d launches task \"%.60s\" on %d processors: %s", pack,
                     pack_declared_name_of(c, entry->task), entry->launched,
                     broken ? broken : "no time is known for that count");
    else if (c->declared->supplied && !pack_declared_near(entry->seconds, want, EXACT))
        cs_check_add(c->report, CS_VIOLATION_DECLARED_TASK, entry->task, NAN,
                     "pack %d declares that task \"%.60s\" takes %.15g s on %d processors: it "
                     "takes %.15g s",
                     pack, pack_declared_name_of(c, entry->task), entry->seconds, entry->launched,
                     want);
}

static void check_lists(const struct claim *c)
{
    int tasks = cs_schedule_tasks(c->schedule);
    bool *listed = CS_NEW_ARRAY(c->arena, bool, tasks);

    for (int b = 0; b < c->declared->packs; b++)
        for (int i = 0; i < c->declared->pack[b].tasks; i++) {
            const struct cs_pack_declared_task *entry = &c->declared->pack[b].task[i];

            if (listed[entry->task])
                cs_check_add(c->report, CS_VIOLATION_DECLARED_TASK, entry->task, NAN,
                             "pack %d lists task \"%.60s\" again", b,
                             pack_declared_name_of(c, entry->task));
            listed[entry->task] = true;
            check_against_bar(c, b, entry);
            check_seconds(c, b, entry);
            check_launched(c, b, entry);
        }
    for (int i = 0; i < tasks; i++)
        if (!listed[i])
            cs_check_add(c->report, CS_VIOLATION_DECLARED_TASK, i, NAN,
                         "no pack lists task \"%.60s\"", pack_declared_name_of(c, i));
}

static double pack_declared_longest(const struct cs_pack_declared_pack *pack)
{
    double seconds = 0;

    for (int i = 0; i < pack->tasks; i++)
        seconds = fmax(seconds, pack->task[i].seconds);
    return seconds;
}

static void check_costs(struct claim *c)
{
    const struct cs_pack_declared *d = c->declared;
    double sum = 0;

    for (int b = 0; b < d->packs; b++) {
        double cost = pack_declared_longest(&d->pack[b]);

        if (!pack_declared_near(d->pack[b].cost, cost, EXACT))
            cs_check_add(c->report, CS_VIOLATION_DECLARED_COST, -1, NAN,
                         "pack %d declares a cost of %.15g s: its longest task takes %.15g s", b,
                         d->pack[b].cost, cost);
        sum += d->pack[b].cost;
    }
    if (!isnan(d->cost) && !pack_declared_near(d->cost, sum, EXACT + d->packs * DBL_EPSILON))
        cs_check_add(c->report, CS_VIOLATION_DECLARED_COST, -1, NAN,
                     "the declared cost is %.15g s: the packs cost %.15g s together", d->cost, sum);
    c->sum = sum;
    c->cost = isnan(d->cost) ? sum : d->cost;
}

/* A plan lasts as long as its packs cost: where the file gives a cost or what follows from it, no
 * time passes before, between or after packs. */
static void check_idle(const struct claim *c)
{
    const struct cs_pack_declared *d = c->declared;
    double makespan = cs_schedule_makespan(c->schedule);

    if (!d->optimal && isnan(d->cost) && isnan(d->gap))
        return;
    if (makespan > fmax(c->sum, c->cost) * (1 + CLOSE) && isfinite(makespan))
        cs_check_add(c->report, d->optimal ? CS_VIOLATION_OPTIMAL : CS_VIOLATION_DECLARED_COST, -1,
                     makespan,
                     "the packs cost %.15g s together and the plan ends at %.15g s: no pack runs "
                     "during the difference",
                     c->sum, makespan);
}

static void check_ratio(const struct claim *c, const char *key, double declared, double want)
{
    if (!isnan(declared) && !pack_declared_near(declared, want, CLOSE))
        cs_check_add(c->report, CS_VIOLATION_DECLARED_RATIO, -1, NAN,
                     "the declared %s is %.15g: from the packs it is %.15g", key, declared, want);
}

static double sum_of(const double *value, int count)
{
    double sum = 0;

    for (int i = 0; i < count; i++)
        sum += value[i];
    return sum;
}

/* The fewest processors on which a task takes no longer than its pack costs; `most` are enough. */
static int pack_declared_fewest(const struct claim *c, int task, double cost, int most)
{
    int low = 1;

    while (low < most) {
        int middle = low + (most - low) / 2;

        if (pack_declared_time_of(c, task, middle) <= cost * (1 + EXACT))
            most = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Processor time if no task holds more processors than necessary for the cost of its pack. */
static double least_busy_time(const struct claim *c)
{
    double busy = 0;

    for (int b = 0; b < c->declared->packs; b++)
        for (int i = 0; i < c->declared->pack[b].tasks; i++) {
            const struct cs_pack_declared_task *entry = &c->declared->pack[b].task[i];
            int procs =
                pack_declared_fewest(c, entry->task, c->declared->pack[b].cost, entry->procs);

            busy += procs * pack_declared_time_of(c, entry->task, procs);
        }
    return busy;
}

/* Processor time of the counts that tasks are launched on. */
static double used_time(const struct cs_pack_declared *d)
{
    double busy = 0;

    for (int b = 0; b < d->packs; b++)
        for (int i = 0; i < d->pack[b].tasks; i++) {
            const struct cs_pack_declared_task *entry = &d->pack[b].task[i];

            busy += (entry->launched ? entry->launched : entry->procs) * entry->seconds;
        }
    return busy;
}

static double busy_time(const struct cs_pack_declared *d)
{
    double busy = 0;

    for (int b = 0; b < d->packs; b++)
        for (int i = 0; i < d->pack[b].tasks; i++)
            busy += d->pack[b].task[i].procs * d->pack[b].task[i].seconds;
    return busy;
}

static int compare_seconds(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* The sum of the answers of the tasks run alone, the shortest first. */
static double response_alone(const struct claim *c)
{
    int tasks = cs_schedule_tasks(c->schedule);
    double *seconds = CS_NEW_ARRAY(c->arena, double, tasks);
    double clock = 0, sum = 0;

    for (int i = 0; i < tasks; i++)
        seconds[i] = c->alone[i];
    qsort(seconds, (size_t)tasks, sizeof *seconds, compare_seconds);
    for (int i = 0; i < tasks; i++) {
        clock += seconds[i];
        sum += clock;
    }
    return sum;
}

/* Packs by (key, index): the index keeps the order of creation among equals. */
struct turn {
    double key;
    int pack;
};

static int compare_turns(const void *a, const void *b)
{
    const struct turn *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->pack > y->pack) - (x->pack < y->pack);
}

/* Packs by rising cost, or by rising cost / tasks. */
static double response_in_packs(const struct claim *c, bool smith)
{
    const struct cs_pack_declared *d = c->declared;
    struct turn *turn = CS_NEW_ARRAY(c->arena, struct turn, d->packs);
    double clock = 0, sum = 0;

    for (int b = 0; b < d->packs; b++)
        turn[b] = (struct turn){d->pack[b].cost / (smith ? d->pack[b].tasks : 1), b};
    qsort(turn, (size_t)d->packs, sizeof *turn, compare_turns);
    for (int v = 0; v < d->packs; v++) {
        const struct cs_pack_declared_pack *pack = &d->pack[turn[v].pack];

        for (int i = 0; i < pack->tasks; i++)
            sum += clock + pack->task[i].seconds;
        clock += pack->cost;
    }
    return sum;
}

static void check_ratios(const struct claim *c)
{
    const struct cs_pack_declared *d = c->declared;
    int tasks = cs_schedule_tasks(c->schedule);
    double one_pack = sum_of(c->alone, tasks), area = cs_schedule_procs(c->schedule) * c->cost;

    check_ratio(c, "one_pack_cost", d->one_pack_cost, one_pack);
    check_ratio(c, "relative_cost", d->relative_cost, c->cost / one_pack);
    check_ratio(c, "packing_ratio", d->packing_ratio, busy_time(d) / area);
    if (d->packing_ratio_used != 0)
        check_ratio(c, "packing_ratio_used", d->packing_ratio_used, used_time(d) / area);
    if (d->packing_ratio_minimal != 0)
        check_ratio(c, "packing_ratio_minimal", d->packing_ratio_minimal,
                    least_busy_time(c) / area);
    check_ratio(c, "relative_response_time", d->relative_response_time,
                response_in_packs(c, false) / response_alone(c));
    if (d->smith_response_time != 0)
        check_ratio(c, "smith_response_time", d->smith_response_time,
                    response_in_packs(c, true) / response_alone(c));
}

/* Bounds of more tasks are looked at by other arguments before all plans are. */
#define FEW_TASKS 12

static double least_cost(const struct claim *c)
{
    return cs_check_bound_pack(c->workload, cs_schedule_procs(c->schedule), c->declared->pack_size,
                               c->declared->supplied);
}

static enum cs_check_shown argue_bound(const struct claim *c)
{
    return cs_check_pack_shown(c->workload, cs_schedule_procs(c->schedule), c->declared);
}

static void check_optimal(const struct claim *c, double least)
{
    const struct cs_pack_declared *d = c->declared;

    if (d->optimal && !pack_declared_near(c->cost, isinf(least) ? d->lower_bound : least, CLOSE) &&
        c->cost > 0)
        cs_check_add(c->report, CS_VIOLATION_OPTIMAL, -1, NAN,
                     "the plan is declared optimal: it costs %.15g s, and %s %.15g s", c->cost,
                     isinf(least) ? "the declared lower bound is" : "another plan costs",
                     isinf(least) ? d->lower_bound : least);
}

static void check_bound(const struct claim *c)
{
    const struct cs_pack_declared *d = c->declared;
    bool few = c->workload->count <= FEW_TASKS, claims = d->lower_bound > 0;
    enum cs_check_shown shown = !few && claims ? argue_bound(c) : CS_CHECK_TOO_LARGE;
    double least;

    if (isnan(d->lower_bound) && !d->optimal)
        return;
    least = shown == CS_CHECK_SHOWN ? INFINITY : least_cost(c);
    if (few && isinf(least) && claims)
        shown = argue_bound(c);
    check_optimal(c, least);
    if (isfinite(least) || !claims)
        cs_check_bound(d->lower_bound, claims ? least : 0, c->cost, c->report);
    else
        cs_check_bound_shown(d->lower_bound, shown, c->cost, c->report);
}

static void check_gap(const struct claim *c)
{
    const struct cs_pack_declared *d = c->declared;
    double gap = (c->cost - d->lower_bound) / d->lower_bound;

    if (isnan(d->gap) || d->lower_bound < 0 || (c->cost == 0 && d->gap == 0))
        return;
    if (isnan(d->lower_bound))
        cs_check_add(c->report, CS_VIOLATION_DECLARED_BOUND, -1, NAN,
                     "the declared gap is %.15g: the file has no lower bound", d->gap);
    else if (!(isfinite(gap) && fabs(d->gap - gap) <= CLOSE * (1 + gap)))
        cs_check_add(c->report, CS_VIOLATION_DECLARED_BOUND, -1, NAN,
                     "the declared gap is %.15g: (cost - lower bound) / lower bound is %.15g",
                     d->gap, gap);
}

/* The declared packs of a plan against its bars; a part of cs_check_pack.  The schedule and
 * the workload have the same number of tasks. */
static void pack_check_declared(const struct cs_schedule *schedule,
                                const struct cs_workload *workload,
                                const struct cs_pack_declared *declared,
                                struct cs_check_report *report)
{
    struct claim c = {
        .schedule = schedule,
        .workload = workload,
        .declared = declared,
        .report = report,
        .arena = cs_arena_create(),
    };

    find_bars(&c);
    check_lists(&c);
    check_costs(&c);
    check_idle(&c);
    check_ratios(&c);
    check_bound(&c);
    check_gap(&c);
    cs_arena_destroy(c.arena);
}

#define TOLERANCE 1e-12

struct plan {
    const struct cs_schedule *schedule;
    const struct cs_workload *workload;
    const struct cs_bar *bar;
    size_t bars;
    int pack_size;
    bool supplied; /* times are those of the instance, not repaired */
    struct cs_check_report *report;
};

/* One pack: the summary of its bars. */
struct pack {
    int group;
    int tasks;
    long long procs;
    double start, end; /* of the first bar; the latest */
};

static const char *pack_name_of(const struct plan *plan, int task)
{
    return cs_schedule_task_name(plan->schedule, task);
}

static bool same_tasks(const struct plan *plan)
{
    int tasks = cs_schedule_tasks(plan->schedule);

    if (tasks != plan->workload->count) {
        cs_check_add(plan->report, CS_VIOLATION_INSTANCE, -1, NAN,
                     "the schedule has %d tasks and the instance %d: they must be the same", tasks,
                     plan->workload->count);
        return false;
    }
    for (int i = 0; i < tasks; i++)
        if (strcmp(pack_name_of(plan, i), plan->workload->name[i]) != 0)
            cs_check_add(plan->report, CS_VIOLATION_INSTANCE, i, NAN,
                         "task %d is \"%.60s\" in the schedule and \"%.60s\" in the instance", i,
                         pack_name_of(plan, i), plan->workload->name[i]);
    return true;
}

static void check_once(const struct plan *plan, struct cs_arena *arena)
{
    int tasks = plan->workload->count;
    bool *seen = CS_NEW_ARRAY(arena, bool, tasks);

    for (size_t i = 0; i < plan->bars; i++) {
        const struct cs_bar *bar = &plan->bar[i];

        if (seen[bar->task])
            cs_check_add(plan->report, CS_VIOLATION_TASK_REPEATED, bar->task, bar->start,
                         "task \"%.60s\" runs again at %.15g s: every task runs once",
                         pack_name_of(plan, bar->task), bar->start);
        seen[bar->task] = true;
    }
    for (int i = 0; i < tasks; i++)
        if (!seen[i])
            cs_check_add(plan->report, CS_VIOLATION_TASK_MISSING, i, NAN,
                         "task \"%.60s\" never runs", pack_name_of(plan, i));
}

static double time_of(const struct plan *plan, int task, long long procs)
{
    return cs_check_pack_time(plan->workload, plan->supplied, task, (int)procs);
}

static const struct cs_task_limit *limit_of(const struct plan *plan, int task)
{
    static const struct cs_task_limit none;

    return plan->workload->limit ? &plan->workload->limit[task] : &none;
}

/* With repaired times a task is launched on all processors that it holds; with given ones the
 * declared packs name the count. */
static void check_count(const struct plan *plan, const struct cs_bar *bar)
{
    long long procs = cs_bar_procs(bar);
    const char *broken =
        plan->supplied ? NULL : cs_check_broken_limit(limit_of(plan, bar->task), procs);

    if (broken)
        cs_check_add(plan->report, CS_VIOLATION_WIDTH, bar->task, bar->start,
                     "task \"%.60s\" has %lld processor%s at %.15g s: %s does not allow that",
                     pack_name_of(plan, bar->task), procs, procs == 1 ? "" : "s", bar->start,
                     broken);
}

/* Limits that hold for given and for repaired times. */
static void check_limit(const struct plan *plan, const struct cs_bar *bar)
{
    const struct cs_task_limit *limit = limit_of(plan, bar->task);
    const double seconds = bar->end - bar->start, rounding = 4 * DBL_EPSILON * fabs(bar->end);

    check_count(plan, bar);
    if (cs_check_over_walltime(limit, seconds * (1 - TOLERANCE) - rounding))
        cs_check_add(plan->report, CS_VIOLATION_WIDTH, bar->task, bar->start,
                     "task \"%.60s\" takes %.15g s from %.15g s on: its walltime of %.15g s with "
                     "the margin %.15g does not allow that",
                     pack_name_of(plan, bar->task), seconds, bar->start, limit->walltime,
                     fmax(limit->margin, 1));
    if (bar->start < limit->release)
        cs_check_add(plan->report, CS_VIOLATION_EARLY, bar->task, bar->start,
                     "task \"%.60s\" starts at %.15g s, its release is %.15g s",
                     pack_name_of(plan, bar->task), bar->start, limit->release);
}

static void check_duration(const struct plan *plan, const struct cs_bar *bar)
{
    long long procs = cs_bar_procs(bar);
    double want, rounding = 4 * DBL_EPSILON * fabs(bar->end), length = bar->end - bar->start;

    if (!cs_procset_well_formed(bar->procs, bar->intervals) || procs < 1 ||
        procs > cs_schedule_procs(plan->schedule) || !isfinite(length))
        return;
    check_limit(plan, bar);
    want = time_of(plan, bar->task, procs);
    if (isinf(want))
        cs_check_add(plan->report, CS_VIOLATION_TOO_FEW_PROCS, bar->task, bar->start,
                     "task \"%.60s\" has %lld processor%s at %.15g s: it cannot run on so few",
                     pack_name_of(plan, bar->task), procs, procs == 1 ? "" : "s", bar->start);
    else if (!(fabs(length - want) <= TOLERANCE * want + rounding))
        cs_check_add(plan->report, CS_VIOLATION_DURATION, bar->task, bar->start,
                     "task \"%.60s\" takes %.15g s from %.15g s on: on %lld processor%s it must "
                     "take %.15g s",
                     pack_name_of(plan, bar->task), length, bar->start, procs,
                     procs == 1 ? "" : "s", want);
}

static void pack_check_bar(const struct plan *plan, const struct cs_bar *bar)
{
    if (bar->kind != CS_BAR_WORK)
        cs_check_add(
            plan->report, CS_VIOLATION_BAR_KIND, bar->task, bar->start,
            "task \"%.60s\" has a bar of kind %s at %.15g s: a plan of packs has only work",
            pack_name_of(plan, bar->task), cs_bar_kind_name(bar->kind), bar->start);
    if (bar->group < 0)
        cs_check_add(plan->report, CS_VIOLATION_PACK_MISSING, bar->task, bar->start,
                     "task \"%.60s\" at %.15g s is in no pack", pack_name_of(plan, bar->task),
                     bar->start);
    if (bar->attempt > 1)
        cs_check_add(plan->report, CS_VIOLATION_ATTEMPT_ORDER, bar->task, bar->start,
                     "task \"%.60s\" has attempt %d at %.15g s: it runs once",
                     pack_name_of(plan, bar->task), bar->attempt, bar->start);
    check_duration(plan, bar);
}

struct key {
    int group;
    size_t bar;
};

static int compare_keys(const void *a, const void *b)
{
    const struct key *x = a, *y = b;

    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return (x->bar > y->bar) - (x->bar < y->bar);
}

static void add_to_pack(const struct plan *plan, struct pack *pack, const struct cs_bar *bar)
{
    if (pack->tasks++ == 0) {
        pack->group = bar->group;
        pack->start = bar->start;
        pack->end = bar->end;
    }
    pack->procs += cs_bar_procs(bar);
    pack->end = fmax(pack->end, bar->end);
    if (bar->start != pack->start)
        cs_check_add(plan->report, CS_VIOLATION_PACK_START, bar->task, bar->start,
                     "task \"%.60s\" starts at %.15g s and its pack %d at %.15g s: the tasks of a "
                     "pack start together",
                     pack_name_of(plan, bar->task), bar->start, bar->group, pack->start);
}

static void check_limits(const struct plan *plan, const struct pack *pack)
{
    int procs = cs_schedule_procs(plan->schedule);

    if (pack->tasks > plan->pack_size)
        cs_check_add(plan->report, CS_VIOLATION_PACK_SIZE, -1, pack->start,
                     "pack %d at %.15g s has %d tasks: at most %d may share one", pack->group,
                     pack->start, pack->tasks, plan->pack_size);
    if (pack->procs > procs)
        cs_check_add(plan->report, CS_VIOLATION_PACK_PROCS, -1, pack->start,
                     "pack %d at %.15g s uses %lld processors: there are %d", pack->group,
                     pack->start, pack->procs, procs);
}

static int compare_packs(const void *a, const void *b)
{
    const struct pack *x = a, *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->group > y->group) - (x->group < y->group);
}

static void check_order(const struct plan *plan, struct pack *pack, size_t packs)
{
    size_t last = 0;

    qsort(pack, packs, sizeof *pack, compare_packs);
    for (size_t i = 1; i < packs; i++) {
        if (pack[i].start < pack[last].end)
            cs_check_add(plan->report, CS_VIOLATION_PACK_OVERLAP, -1, pack[i].start,
                         "pack %d starts at %.15g s before pack %d ends at %.15g s", pack[i].group,
                         pack[i].start, pack[last].group, pack[last].end);
        if (pack[i].end > pack[last].end)
            last = i;
    }
}

static bool pack_usable(const struct cs_bar *bar)
{
    return bar->group >= 0 && isfinite(bar->start) && isfinite(bar->end);
}

static void check_packs(const struct plan *plan, struct cs_arena *arena)
{
    struct key *key = CS_NEW_ARRAY(arena, struct key, plan->bars);
    struct pack *pack = CS_NEW_ARRAY(arena, struct pack, plan->bars);
    size_t count = 0, packs = 0;

    for (size_t i = 0; i < plan->bars; i++)
        if (pack_usable(&plan->bar[i]))
            key[count++] = (struct key){plan->bar[i].group, i};
    qsort(key, count, sizeof *key, compare_keys);
    for (size_t i = 0; i < count; i++) {
        packs += i == 0 || key[i].group != key[i - 1].group;
        add_to_pack(plan, &pack[packs - 1], &plan->bar[key[i].bar]);
    }
    for (size_t b = 0; b < packs; b++)
        check_limits(plan, &pack[b]);
    check_order(plan, pack, packs);
}

/* Bars of tasks so short that their end is their start. */
static const bool *find_tiny(const struct plan *plan, struct cs_arena *arena)
{
    bool *tiny = CS_NEW_ARRAY(arena, bool, plan->bars);

    for (size_t i = 0; i < plan->bars; i++) {
        const struct cs_bar *bar = &plan->bar[i];
        long long procs = cs_bar_procs(bar);

        tiny[i] = procs >= 1 && procs <= cs_schedule_procs(plan->schedule) &&
                  bar->start + time_of(plan, bar->task, procs) == bar->start;
    }
    return tiny;
}

int cs_check_pack(const struct cs_schedule *schedule, const struct cs_workload *workload,
                  int pack_size, const struct cs_pack_declared *declared,
                  struct cs_check_report *report)
{
    CS_ASK(schedule && workload && report, NULL, -1);
    CS_GUARD(NULL, cs_check_broken(report));
    struct cs_arena *arena = cs_arena_create();
    struct plan plan = {
        .schedule = schedule,
        .workload = workload,
        .pack_size = pack_size,
        .supplied = declared && declared->supplied,
        .report = report,
    };

    plan.bar = cs_schedule_bars(schedule, &plan.bars);
    if (!same_tasks(&plan)) {
        cs_check_general(schedule, true, report);
    } else {
        cs_check_bars(schedule, true, find_tiny(&plan, arena), report);
        check_once(&plan, arena);
        for (size_t i = 0; i < plan.bars; i++)
            pack_check_bar(&plan, &plan.bar[i]);
        check_packs(&plan, arena);
        if (declared)
            pack_check_declared(schedule, workload, declared, report);
    }
    cs_arena_destroy(arena);
    return 0;
}
