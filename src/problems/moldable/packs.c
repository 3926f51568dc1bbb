/* packs - shelves one after the other: what barriers cost.
 *
 * Source: spec/moldable.md 6.9; the packs of Aupy et al. 2015.
 * Idea: a pack costs the least T for which the fewest processors within T of its tasks fit the
 * machine.  Up to 16 tasks the partition is optimal, by a program over all subsets; for more it is
 * the best cut of one order (thrifty(T) of the area bound, lpt) into packs of neighbours.
 * Invariants: the cost of a pack does not fall when a task is added; its tasks start together on
 * processors side by side, so the plan is also one of consecutive processors.
 * Complexity: O(3^tasks) time and O(2^tasks) memory up to SUBSETS_MOST; above it a pack grows
 * O(tasks NEIGHBOURS_MOST) times.
 *
 *   constant         value  unit   how found             half, double
 *   SUBSETS_MOST     16     tasks  spec/moldable.md 6.9  not measured
 *   NEIGHBOURS_MOST  256    tasks  not recorded          not measured
 */
#include "base/order.h"
#include "problems/moldable/bound.h"
#include "problems/moldable/policy.h"

#include <string.h>

#define SUBSETS_MOST 16
#define NEIGHBOURS_MOST 256 /* tasks of a pack that are tried when there are many */

/* A pack that grows task by task; its cost never falls. */
struct pack {
    const struct cs_moldable_bag *bag;
    int *task, *at; /* at: the candidate within the cost */
    int count;
    long long procs;
    double cost;
};

static void open_pack(struct pack *p)
{
    p->count = 0;
    p->procs = 0;
    p->cost = 0;
}

/* The next longer time of a task of the pack on fewer processors; +inf: none. */
static double next_cost(const struct pack *p)
{
    double next = INFINITY;

    for (int a = 0; a < p->count; a++)
        if (p->at[a] > p->bag->first[p->task[a]])
            next = fmin(next, p->bag->seconds[p->at[a] - 1]);
    return next;
}

static void set_cost(struct pack *p, double cost)
{
    p->cost = cost;
    p->procs = 0;
    for (int a = 0; a < p->count; a++) {
        while (p->at[a] > p->bag->first[p->task[a]] && p->bag->seconds[p->at[a] - 1] <= cost)
            p->at[a]--;
        p->procs += p->bag->count[p->at[a]];
    }
}

/* False when the pack does not fit any more. */
static bool packs_add(struct pack *p, int task)
{
    p->task[p->count] = task;
    p->at[p->count] = p->bag->first[task + 1] - 1;
    p->count++;
    set_cost(p, fmax(p->cost, cs_moldable_fastest(p->bag, task)));
    while (p->procs > p->bag->procs) {
        double next = next_cost(p);

        if (isinf(next))
            return false;
        set_cost(p, next);
    }
    return true;
}

struct packing {
    const struct cs_moldable_bag *bag;
    struct pack pack;
    int *choice;
    int *first;
    double *start, now;
};

/* The open pack comes next, its tasks side by side. */
static void packs_lay(struct packing *p)
{
    int first = 0;

    for (int a = 0; a < p->pack.count; a++) {
        p->first[p->pack.task[a]] = first;
        first += p->bag->count[p->pack.at[a]];
        p->choice[p->pack.task[a]] = p->pack.at[a] - p->bag->first[p->pack.task[a]];
        p->start[p->pack.task[a]] = p->now;
    }
    p->now += p->pack.cost;
}

static void lay_subset(struct packing *p, unsigned subset)
{
    open_pack(&p->pack);
    for (int i = 0; subset >> i; i++)
        if (subset >> i & 1)
            packs_add(&p->pack, i);
    packs_lay(p);
}

/* cost[subset] of one pack each. */
static void subset_costs(struct packing *p, double *cost)
{
    unsigned all = 1u << p->bag->tasks;

    for (unsigned subset = 1; subset < all; subset++) {
        bool fits = true;

        open_pack(&p->pack);
        for (int i = 0; fits && subset >> i; i++)
            fits = !(subset >> i & 1) || packs_add(&p->pack, i);
        cost[subset] = fits ? p->pack.cost : INFINITY;
    }
}

/* best[set]: least cost of packs that hold exactly the tasks of `set`; each pack with its lowest
 * task is tried, so that no partition is examined twice.  Returns how many packs. */
static int partition_subsets(struct packing *p, struct cs_arena *scratch)
{
    unsigned all = 1u << p->bag->tasks;
    double *cost = CS_NEW_ARRAY(scratch, double, all), *best = CS_NEW_ARRAY(scratch, double, all);
    unsigned *first = CS_NEW_ARRAY(scratch, unsigned, all);
    int packs = 0;

    subset_costs(p, cost);
    for (unsigned set = 1; set < all; set++) {
        unsigned low = set & -set, rest = set ^ low;

        best[set] = INFINITY;
        for (unsigned part = rest;; part = (part - 1) & rest) {
            double sum = cost[part | low] + best[rest ^ part];

            if (sum < best[set]) {
                best[set] = sum;
                first[set] = part | low;
            }
            if (part == 0)
                break;
        }
    }
    for (unsigned set = all - 1; set; set ^= first[set], packs++)
        lay_subset(p, first[set]);
    return packs;
}

/* The best cut of an order into packs. */
static int partition_order(struct packing *p, const int *order, struct cs_arena *scratch)
{
    int n = p->bag->tasks, *from = CS_NEW_ARRAY(scratch, int, n + 1), packs = 0;
    double *best = CS_NEW_ARRAY(scratch, double, n + 1);

    for (int end = 1; end <= n; end++) {
        best[end] = INFINITY;
        open_pack(&p->pack);
        for (int a = end - 1; a >= 0 && end - a <= NEIGHBOURS_MOST; a--) {
            if (!packs_add(&p->pack, order[a]))
                break;
            if (best[a] + p->pack.cost < best[end]) {
                best[end] = best[a] + p->pack.cost;
                from[end] = a;
            }
        }
    }
    for (int end = n; end > 0; end = from[end], packs++) {
        open_pack(&p->pack);
        for (int a = end - 1; a >= from[end]; a--)
            packs_add(&p->pack, order[a]);
        packs_lay(p);
    }
    return packs;
}

/* Are the packs optimal among packs: so few tasks? */
static bool moldable_packs_exact(const struct cs_moldable_bag *bag)
{
    return bag->tasks <= SUBSETS_MOST;
}

/* Packs without release dates as a plan; returns how many. */
static int moldable_packs(const struct cs_moldable_bag *bag, struct cs_moldable_plan *plan,
                          struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    int n = bag->tasks, packs;
    struct packing p = {.bag = bag, .pack.bag = bag};

    p.choice = CS_NEW_ARRAY(scratch, int, n);
    p.start = CS_NEW_ARRAY(scratch, double, n);
    p.first = CS_NEW_ARRAY(scratch, int, n);
    p.pack.task = CS_NEW_ARRAY(scratch, int, n);
    p.pack.at = CS_NEW_ARRAY(scratch, int, n);
    if (moldable_packs_exact(bag)) {
        packs = partition_subsets(&p, scratch);
    } else {
        int *order = CS_NEW_ARRAY(scratch, int, n);
        double threshold;

        cs_moldable_area(bag, &threshold, scratch);
        cs_moldable_thrifty(bag, threshold, p.choice);
        cs_moldable_sort(bag, p.choice, CS_MOLDABLE_LPT, order, scratch);
        packs = partition_order(&p, order, scratch);
    }
    cs_moldable_plan_set(bag, plan, p.choice, p.start, p.first);
    cs_arena_rewind(scratch, mark);
    return packs;
}

static int plan_packs(const struct cs_moldable_instance *in,
                      const struct cs_policy_context *context, struct cs_moldable_plan *plan)
{
    if (in->bag.release)
        return cs_error_set(context->err, "packs has no answer to release dates: take another "
                                          "planner, such as search");
    cs_moldable_plan_note(plan, "packs", NULL, moldable_packs(&in->bag, plan, context->scratch));
    return 0;
}

const struct cs_moldable_policy cs_moldable_policy_packs = {
    .info =
        {
            .name = "packs",
            .problem = "moldable",
            .summary = "packs one after the other, for comparison; the best ones up to 16 tasks",
            .source = "Aupy et al. 2015",
        },
    .plan = plan_packs,
};
