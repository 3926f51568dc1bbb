/* matching.c - the policy matching: optimal packs of at most two tasks.
 *
 * Source: Aupy et al., Section 4.1 (2-IN-p-COSCHEDULE); docs/spec/pack.md 4, 2-IN-p.
 *
 * A pair saves the times of its two tasks alone on all processors, less the cost of their pack; a
 * plan is a matching, and the best one has the largest sum of savings.  Savings become 64-bit
 * integers up to 2^50.  The dense graph is never given to the matching: it starts with a few
 * partners of every task; after a run, the pairs that promise most beyond its dual values are
 * added, until there is no such pair.  Then the matching is optimal for all pairs.
 *
 * Invariants: a pair that is not in the graph has a weight of 0, or is tested against the dual
 * values after every run; `optimal` is set only if the last test found no pair.
 * Complexity: O(n^2 log p) for the savings and 9 bytes for each of n (n - 1) / 2 pairs; each round
 * runs the matching on the edges so far and tests all pairs.
 *
 * constant     value  unit      found by             half, double
 * NEIGHBOURS       8  partners  not recorded         not measured; time only, not the cost
 * PARTNERS         4  partners  not recorded         not measured; time only, not the cost
 * RANGE         2^50  units     docs/spec/pack.md 4  not measured; resolution of the savings
 */
#include "problems/pack/matching.h"

#include "base/bug.h"
#include "base/order.h"
#include "problems/pack/lemon.h"

#include <math.h>
#include <stdlib.h>

#define NEIGHBOURS 8 /* of every task in the first graph */
#define PARTNERS 4   /* of every task that a round adds */
#define RANGE 0x1p50

double cs_pack_matching_pair(const struct cs_pack_instance *in, int a, int b)
{
    int procs = in->tasks->procs, low = 1, high = procs - 1;
    double best = INFINITY;

    if (procs < 2 || in->tasks->min_procs[a] + in->tasks->min_procs[b] > procs)
        return INFINITY;
    while (low < high) {
        int j = low + (high - low) / 2;

        if (cs_pack_time(in, b, j) <= cs_pack_time(in, a, procs - j))
            high = j;
        else
            low = j + 1;
    }
    for (int j = low > 1 ? low - 1 : 1; j <= low; j++)
        best = fmin(best, fmax(cs_pack_time(in, a, procs - j), cs_pack_time(in, b, j)));
    return best;
}

#if CS_HAVE_LEMON

/* Pairs (a, b), a < b, in one row after the other. */
struct pairs {
    const struct cs_pack_instance *in;
    int tasks;
    int64_t *weight; /* of every pair */
    uint8_t *known;  /* is the pair in the graph? */
    int *a, *b;      /* the edges of the graph */
    int64_t *of;
    int edges, room;
};

static size_t pair_index(const struct pairs *p, int a, int b)
{
    if (a > b)
        return pair_index(p, b, a);
    return (size_t)a * (size_t)(2 * p->tasks - a - 1) / 2 + (size_t)(b - a - 1);
}

/* No pair saves more than its shorter task takes alone, so the longest task sets the scale. */
static void matching_weigh(struct pairs *p)
{
    int n = p->tasks, procs = p->in->tasks->procs;
    double longest = 0;
    size_t at = 0;

    for (int i = 0; i < n; i++)
        longest = fmax(longest, cs_pack_time(p->in, i, procs));
    for (int a = 0; a < n; a++) {
        for (int b = a + 1; b < n; b++, at++) {
            double saving = cs_pack_time(p->in, a, procs) + cs_pack_time(p->in, b, procs) -
                            cs_pack_matching_pair(p->in, a, b);

            p->weight[at] = saving > 0 ? (int64_t)nearbyint(saving / longest * RANGE) : 0;
        }
    }
}

static void add_edge(struct pairs *p, int a, int b, struct cs_arena *scratch)
{
    size_t at = pair_index(p, a, b);

    if (p->known[at] || p->weight[at] == 0)
        return;
    if (p->edges == p->room) {
        int room = p->room ? 2 * p->room : p->tasks * NEIGHBOURS;
        int *from_a = p->a, *from_b = p->b;
        int64_t *of = p->of;

        p->a = CS_NEW_ARRAY(scratch, int, room);
        p->b = CS_NEW_ARRAY(scratch, int, room);
        p->of = CS_NEW_ARRAY(scratch, int64_t, room);
        for (int e = 0; e < p->edges; e++) {
            p->a[e] = from_a[e];
            p->b[e] = from_b[e];
            p->of[e] = of[e];
        }
        p->room = room;
    }
    p->known[at] = 1;
    p->a[p->edges] = a;
    p->b[p->edges] = b;
    p->of[p->edges++] = p->weight[at];
}

struct partner {
    int64_t gain;
    int task;
};

static int by_gain(const void *x, const void *y)
{
    const struct partner *a = x, *b = y;

    if (a->gain != b->gain)
        return a->gain > b->gain ? -1 : 1;
    return (a->task > b->task) - (a->task < b->task);
}

/* The possible gain of the pair beyond the dual values of the last matching. */
static int64_t gain_of(const struct pairs *p, int a, int b, const int64_t *dual)
{
    return p->weight[pair_index(p, a, b)] * cs_pack_lemon_scale - dual[a] - dual[b];
}

/* For every task the unknown pairs of most gain.  Returns whether any pair has a gain. */
static bool add_promising(struct pairs *p, const int64_t *dual, struct cs_arena *scratch)
{
    struct partner *list = CS_NEW_ARRAY(scratch, struct partner, p->tasks);
    bool any = false;

    for (int a = 0; a < p->tasks; a++) {
        int count = 0;

        for (int b = 0; b < p->tasks; b++) {
            if (b == a || p->known[pair_index(p, a, b)])
                continue;
            list[count].task = b;
            list[count].gain = gain_of(p, a, b, dual);
            count += list[count].gain > 0;
        }
        qsort(list, (size_t)count, sizeof *list, by_gain);
        for (int k = 0; k < count && k < PARTNERS; k++)
            add_edge(p, a, list[k].task, scratch);
        any |= count > 0;
    }
    return any;
}

/* Tasks that take about as long alone go well together. */
static void add_neighbours(struct pairs *p, struct cs_arena *scratch)
{
    double *alone = CS_NEW_ARRAY(scratch, double, p->tasks);
    int *order = CS_NEW_ARRAY(scratch, int, p->tasks);

    for (int i = 0; i < p->tasks; i++)
        alone[i] = cs_pack_time(p->in, i, p->in->tasks->procs);
    cs_order_descending(alone, p->tasks, order, scratch);
    for (int k = 0; k < p->tasks; k++) {
        for (int l = k + 1; l < p->tasks && l <= k + NEIGHBOURS; l++)
            add_edge(p, order[k], order[l], scratch);
    }
}

/* Returns whether no pair was left out: patience may end before. */
static bool matching_match(const struct cs_pack_instance *in, int *mate,
                           const struct cs_policy_context *context)
{
    struct pairs p = {.in = in, .tasks = in->tasks->count};
    size_t pairs = (size_t)p.tasks * (size_t)(p.tasks - 1) / 2;
    int64_t *dual = CS_NEW_ARRAY(context->scratch, int64_t, p.tasks);

    p.weight = CS_NEW_ARRAY(context->scratch, int64_t, pairs);
    p.known = CS_NEW_ARRAY(context->scratch, uint8_t, pairs);
    matching_weigh(&p);
    add_neighbours(&p, context->scratch);
    add_promising(&p, dual, context->scratch);
    do {
        if (cs_pack_lemon_match(p.tasks, p.edges, p.a, p.b, p.of, mate, dual))
            cs_bug_no_memory(0);
        if (!add_promising(&p, dual, context->scratch))
            return true;
    } while (!cs_pack_expired(context));
    return false;
}

static void make_packs(const struct cs_pack_instance *in, const int *mate,
                       struct cs_pack_plan *plan, struct cs_arena *scratch)
{
    for (int i = 0; i < in->tasks->count; i++) {
        if (mate[i] >= 0 && mate[i] < i)
            continue;
        cs_pack_plan_add(plan, i, in->tasks->min_procs[i]);
        if (mate[i] > i)
            cs_pack_plan_add(plan, mate[i], in->tasks->min_procs[mate[i]]);
        cs_pack_plan_close(plan, 0);
    }
    cs_pack_plan_share(in, plan, scratch);
}

int cs_pack_matching_plan(const struct cs_pack_instance *in,
                          const struct cs_policy_context *context, struct cs_pack_plan *plan)
{
    int n = in->tasks->count;
    int *mate = CS_NEW_ARRAY(context->scratch, int, n);
    bool complete = true;

    if (n > CS_PACK_MATCHING_MAX)
        return cs_error_set(context->err,
                            "matching: there are %d tasks; it compares all pairs and takes at "
                            "most %d",
                            n, CS_PACK_MATCHING_MAX);
    for (int i = 0; i < n; i++)
        mate[i] = -1;
    if (in->pack_size > 1 && n > 1)
        complete = matching_match(in, mate, context);
    make_packs(in, mate, plan, context->scratch);
    plan->optimal = complete && (in->pack_size <= 2 || n <= 2);
    plan->bound = plan->optimal ? plan->total : 0;
    return 0;
}

#else

int cs_pack_matching_plan(const struct cs_pack_instance *in,
                          const struct cs_policy_context *context, struct cs_pack_plan *plan)
{
    (void)in;
    (void)plan;
    return cs_error_set(context->err, "matching: %s", CS_PACK_MATCHING_MISSING);
}

#endif

const struct cs_pack_policy cs_pack_policy_matching = {
    .info =
        {
            .name = "matching",
            .problem = "pack",
            .summary = "the best plan with at most two tasks in a pack",
            .source = "Aupy et al., Section 4.1: 2-IN-p-COSCHEDULE by maximum weight matching",
            .missing = CS_PACK_MATCHING_MISSING,
            .exact = true,
        },
    .plan = cs_pack_matching_plan,
};
