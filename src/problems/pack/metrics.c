/* metrics.c - metrics of a plan, and its layout in time.
 *
 * Source: Aupy et al., Section 6; docs/spec/pack.md 6; the order by Smith's rule: Part II 3.
 *
 * Invariants: ratios are NaN without tasks; packs of equal keys stay in the order of their
 * creation; costs are added in that order too, so totals do not depend on the order in time.
 * Complexity: O(n log n) for the responses, O(n log p) for the minimal counts.
 */
#include "base/arena.h"
#include "base/bug.h"
#include "base/guard.h"
#include "base/order.h"
#include "problems/pack/policy.h"

#include <math.h>

static double one_pack_cost(const struct cs_pack_instance *in)
{
    double cost = 0;

    for (int i = 0; i < in->tasks->count; i++)
        cost += cs_pack_time(in, i, in->tasks->procs);
    return cost;
}

enum share { HELD, USED, MINIMAL };

/* Processor time: of the processors that tasks hold, of those that they are launched on, or of the
 * fewest that keep the costs. */
static double busy_time(const struct cs_pack_instance *in, const struct cs_pack_plan *plan,
                        enum share share)
{
    double busy = 0;

    for (int b = 0; b < plan->packs; b++)
        for (int a = plan->first[b]; a < plan->first[b + 1]; a++) {
            int i = plan->task[a], procs = plan->procs[a];

            if (share == MINIMAL)
                procs = cs_moldable_need(in->tasks, i, plan->cost[b]);
            busy += (share == USED ? cs_moldable_launched(in->tasks, i, procs) : procs) *
                    cs_pack_time(in, i, procs);
        }
    return busy;
}

/* The mean response when every task has all processors, the shortest first. */
static double best_response(const struct cs_pack_instance *in, struct cs_arena *scratch)
{
    int n = in->tasks->count, *order = CS_NEW_ARRAY(scratch, int, n);
    double *time = CS_NEW_ARRAY(scratch, double, n), sum = 0, now = 0;

    for (int i = 0; i < n; i++)
        time[i] = cs_pack_time(in, i, in->tasks->procs);
    cs_order_ascending(time, n, order, scratch);
    for (int a = 0; a < n; a++) {
        now += time[order[a]];
        sum += now;
    }
    return sum / n;
}

/* The packs in an order; ties in creation order. */
static int *pack_order(const struct cs_pack_plan *plan, enum cs_pack_order by,
                       struct cs_arena *scratch)
{
    int *order = CS_NEW_ARRAY(scratch, int, plan->packs);
    double *key = CS_NEW_ARRAY(scratch, double, plan->packs);

    for (int b = 0; b < plan->packs; b++) {
        int size = plan->first[b + 1] - plan->first[b];

        key[b] = by == CS_PACK_ORDER_COST    ? plan->cost[b]
                 : by == CS_PACK_ORDER_SMITH ? plan->cost[b] / size
                                             : 0;
    }
    cs_order_ascending(key, plan->packs, order, scratch);
    return order;
}

static double metrics_response(const struct cs_pack_instance *in, const struct cs_pack_plan *plan,
                               enum cs_pack_order by, struct cs_arena *scratch)
{
    const int *order = pack_order(plan, by, scratch);
    double sum = 0, now = 0;

    for (int v = 0; v < plan->packs; v++) {
        int b = order[v];

        for (int a = plan->first[b]; a < plan->first[b + 1]; a++)
            sum += now + cs_pack_time(in, plan->task[a], plan->procs[a]);
        now += plan->cost[b];
    }
    return sum / in->tasks->count;
}

int cs_pack_metrics_compute(const struct cs_pack_instance *in, const struct cs_pack_plan *plan,
                            struct cs_pack_metrics *metrics)
{
    CS_ASK(in && plan && metrics && cs_pack_plan_fits(in, plan), NULL, -1);
    CS_GUARD(NULL, -1);
    struct cs_arena *scratch;
    double alone, area = in->tasks->procs * plan->total;

    *metrics = (struct cs_pack_metrics){0, 0, NAN, NAN, NAN, NAN, NAN, NAN};
    if (in->tasks->count == 0)
        return 0;
    scratch = cs_arena_create();
    alone = best_response(in, scratch);
    *metrics = (struct cs_pack_metrics){
        .cost = plan->total,
        .one_pack_cost = one_pack_cost(in),
        .packing_ratio = busy_time(in, plan, HELD) / area,
        .packing_ratio_used = busy_time(in, plan, USED) / area,
        .packing_ratio_minimal = busy_time(in, plan, MINIMAL) / area,
        .relative_response_time = metrics_response(in, plan, CS_PACK_ORDER_COST, scratch) / alone,
        .smith_response_time = metrics_response(in, plan, CS_PACK_ORDER_SMITH, scratch) / alone,
    };
    metrics->relative_cost = metrics->cost / metrics->one_pack_cost;
    cs_arena_destroy(scratch);
    return 0;
}

static void add_pack(const struct cs_pack_instance *in, const struct cs_pack_plan *plan, int b,
                     double start, struct cs_schedule *schedule)
{
    int next = 0;

    for (int a = plan->first[b]; a < plan->first[b + 1]; a++) {
        struct cs_interval procs = {next, next + plan->procs[a] - 1};

        cs_schedule_add(schedule,
                        &(struct cs_bar){
                            .kind = CS_BAR_WORK,
                            .task = plan->task[a],
                            .attempt = 1,
                            .group = b,
                            .start = start,
                            .end = start + cs_pack_time(in, plan->task[a], plan->procs[a]),
                            .intervals = 1,
                            .procs = &procs,
                        },
                        NULL);
        next += plan->procs[a];
    }
}

struct cs_schedule *cs_pack_schedule(const struct cs_pack_instance *in,
                                     const struct cs_pack_plan *plan, enum cs_pack_order by)
{
    CS_ASK(in && plan && cs_pack_plan_fits(in, plan), NULL, NULL);
    CS_GUARD(NULL, NULL);
    struct cs_arena *scratch = cs_arena_create();
    const int *order = pack_order(plan, by, scratch);
    struct cs_schedule *schedule =
        cs_schedule_create("pack", in->tasks->procs, in->tasks->count, in->workload->name);
    double now = 0;

    for (int v = 0; v < plan->packs; v++) {
        add_pack(in, plan, order[v], now, schedule);
        now += plan->cost[order[v]];
    }
    cs_arena_destroy(scratch);
    return schedule;
}
