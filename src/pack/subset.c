/* subset.c - f(S) = min of pc(P) + f(S \ P) over the packs P of S that hold its lowest task.
 *
 * pc(P), the optimal cost of one pack, is a candidate cost no less than that of P without its
 * highest task, so that it is found by bisection above it.  O(3^n + 2^n n log(np)) time,
 * 20 bytes for each of the 2^n sets.
 */
#include "pack/subset.h"

#include "base/bug.h"
#include "pack/candidate.h"

#include <math.h>

#define POLL 0x3ff /* patience is asked once in so many sets */

typedef uint32_t set;

struct subsets {
    struct cs_pack_candidates c;
    const struct cs_policy_context *context;
    set count;
    int *cost;  /* pc by candidate; c.count where the set is no pack */
    double *f;  /* of the cheapest plan of the set */
    set *first; /* the pack of its lowest task in that plan */
};

static int members(set s, int *task)
{
    int count = 0;

    for (int i = 0; s >> i; i++) {
        if (s >> i & 1)
            task[count++] = i;
    }
    return count;
}

static set highest(set s)
{
    set bit = 1;

    while (s >> 1 >= bit)
        bit <<= 1;
    return bit;
}

static bool find_pack_costs(struct subsets *d)
{
    int task[CS_PACK_SUBSET_MAX];

    for (set s = 1; s < d->count; s++) {
        int count = members(s, task), low = d->cost[s ^ highest(s)];

        d->cost[s] =
            count <= d->c.limit ? cs_pack_candidates_fit(&d->c, task, count, low) : d->c.count;
        if ((s & POLL) == 0 && cs_pack_expired(d->context))
            return false;
    }
    return true;
}

static void find_best_plan(struct subsets *d, set s)
{
    set low = s & (~s + 1), rest = s ^ low, others = rest;

    d->f[s] = INFINITY;
    for (;; others = (others - 1) & rest) {
        set pack = others | low;
        int v = d->cost[pack];

        if (v < d->c.count && d->c.cost[v] + d->f[s ^ pack] < d->f[s]) {
            d->f[s] = d->c.cost[v] + d->f[s ^ pack];
            d->first[s] = pack;
        }
        if (!others)
            return;
    }
}

static void make_plan(const struct subsets *d, struct cs_pack_plan *plan)
{
    int task[CS_PACK_SUBSET_MAX];

    cs_pack_plan_clear(plan);
    for (set s = d->count - 1; s; s ^= d->first[s]) {
        int count = members(d->first[s], task);

        for (int a = 0; a < count; a++)
            cs_pack_plan_add(plan, task[a], d->c.in->tasks->min_procs[task[a]]);
        cs_pack_plan_close(plan, 0);
    }
    cs_pack_plan_share(d->c.in, plan, d->context->scratch);
    plan->optimal = true;
    plan->bound = plan->total;
}

bool cs_pack_subset_plan(const struct cs_pack_instance *in, const struct cs_policy_context *context,
                         struct cs_pack_plan *plan)
{
    struct subsets d = {.context = context, .count = (set)1 << in->tasks->count};

    CS_REQUIRE(in->tasks->count <= CS_PACK_SUBSET_MAX);
    cs_pack_candidates_init(&d.c, in, INFINITY, context->scratch);
    d.cost = CS_NEW_ARRAY(context->scratch, int, d.count);
    d.f = CS_NEW_ARRAY(context->scratch, double, d.count);
    d.first = CS_NEW_ARRAY(context->scratch, set, d.count);
    if (!find_pack_costs(&d))
        return false;
    for (set s = 1; s < d.count; s++) {
        find_best_plan(&d, s);
        if ((s & POLL) == 0 && cs_pack_expired(context))
            return false;
    }
    make_plan(&d, plan);
    return true;
}
