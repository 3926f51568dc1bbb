/* pack_declared.c - the declared packs, costs and metrics of a plan, recomputed.
 *
 * The declared packs must be the packs of the bars.  Costs and metrics are then computed
 * from the declared packs, in their order, as the paper's Section 6 defines them.
 */
#include "base/arena.h"
#include "check/bound_pack.h"
#include "check/given.h"
#include "model/procset.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

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

static double time_of(const struct claim *c, int task, int procs)
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
        c->alone[i] = time_of(c, i, procs);
}

static void check_against_bar(const struct claim *c, int pack,
                              const struct cs_pack_declared_task *entry)
{
    const struct cs_bar *bar = c->bar_of[entry->task];
    long long procs = bar ? cs_procset_size(bar->procs, bar->intervals) : 0;

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
    want = time_of(c, entry->task, entry->procs);
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

        if (time_of(c, task, middle) <= cost * (1 + EXACT))
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

            busy += procs * time_of(c, entry->task, procs);
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

void cs_check_pack_declared(const struct cs_schedule *schedule, const struct cs_workload *workload,
                            const struct cs_pack_declared *declared, struct cs_check_report *report)
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
