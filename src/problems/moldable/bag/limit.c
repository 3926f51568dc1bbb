/* limit.c - what limits the makespan of a plan.
 *
 * Source: spec/bag.md 7.6 and 7.7.
 * Idea: the largest of the bounds names the limit; of equal bounds the first of critical, areas and
 * prices, cliques, relaxation.  A bound computed again with more of a resource or budget shows how
 * much that would save.
 * Complexity: that of bound.c.
 */
#include "problems/moldable/bag/bag.h"

#include <math.h>
#include <string.h>

#define SAME 1e-9   /* bounds of different computations are equal up to this */
#define EXACT 1e-12 /* sums in another order */

/* The tasks of a longest path, the first one first. */
static void limit_find_chain(const struct cs_bag *bag, struct cs_bag_limit *limit,
                             struct cs_arena *arena)
{
    const struct cs_modes *data = &bag->data;
    int *chain = CS_NEW_ARRAY(arena, int, data->tasks), last = 0, at = data->tasks;

    for (int i = 1; i < data->tasks; i++)
        if (bag->head[i] + cs_bag_fastest(bag, i) > bag->head[last] + cs_bag_fastest(bag, last))
            last = i;
    while (last >= 0) {
        int before = -1;

        chain[--at] = last;
        for (int a = data->before_first[last]; a < data->before_first[last + 1] && before < 0; a++)
            if (bag->head[data->before[a]] + cs_bag_fastest(bag, data->before[a]) ==
                bag->head[last])
                before = data->before[a];
        last = before;
    }
    limit->task = chain + at;
    limit->tasks = data->tasks - at;
}

/* The resource of the largest price of its whole capacity. */
static int limit_find_resource(const struct cs_bag *bag, const double *price)
{
    int best = 0;

    for (int r = 1; r < bag->data.resources; r++)
        if (price[r] * (double)bag->data.capacity[r] >
            price[best] * (double)bag->data.capacity[best])
            best = r;
    return best;
}

/* The budget of the largest price of its whole limit; -1: no budget has a price. */
static int limit_find_budget(const struct cs_bag *bag, const struct cs_bag_relaxation *relaxed)
{
    int best = -1;
    double most = 0;

    for (int q = 0; q < bag->data.budgets; q++)
        if (relaxed->budget[q] * (double)bag->data.budget[q] > most) {
            most = relaxed->budget[q] * (double)bag->data.budget[q];
            best = q;
        }
    return best;
}

/* The fall of the bound with one more of a resource, or one more of it on one node. */
static double limit_save_resource(const struct cs_modes *data, const struct cs_bag_bounds *bounds,
                                  int resource, struct cs_arena *arena)
{
    int64_t *capacity = CS_NEW_ARRAY(arena, int64_t, data->resources);
    struct cs_modes more = *data;
    struct cs_bag_bounds other;
    struct cs_bag bag;
    struct cs_error ignored = {0};

    memcpy(capacity, data->capacity, (size_t)data->resources * sizeof *capacity);
    capacity[resource] += data->per_node && data->per_node[resource] > 0 && data->nodes > 1
                              ? data->per_node[resource]
                              : 1;
    more.capacity = capacity;
    if (cs_bag_create(&more, &bag, arena, &ignored))
        return 0;
    cs_bag_bound(&bag, &other, arena);
    return bounds->least - other.least;
}

static double limit_save_budget(const struct cs_modes *data,
                                const struct cs_bag_relaxation *relaxed, int budget,
                                struct cs_arena *arena)
{
    int64_t *limit = CS_NEW_ARRAY(arena, int64_t, data->budgets);
    struct cs_modes more = *data;
    struct cs_bag_relaxation other;
    struct cs_bag bag;
    struct cs_error ignored = {0};

    memcpy(limit, data->budget, (size_t)data->budgets * sizeof *limit);
    limit[budget] += limit[budget] / 10;
    more.budget = limit;
    if (cs_bag_create(&more, &bag, arena, &ignored) || !cs_bag_relax(&bag, &other, arena))
        return 0;
    return relaxed->bound - other.bound;
}

static void limit_find_kind(const struct cs_bag *bag, const struct cs_bag_bounds *bounds,
                            const struct cs_bag_relaxation *relaxed, struct cs_bag_limit *limit)
{
    double best = bag->critical;

    limit->kind = CS_LIMIT_CRITICAL;
    if (bounds->priced > best * (1 + SAME)) {
        best = bounds->priced;
        limit->kind = CS_LIMIT_RESOURCE;
        limit->index = limit_find_resource(bag, bounds->price);
    }
    if (bounds->apart > best * (1 + SAME)) {
        best = bounds->apart;
        limit->kind = CS_LIMIT_APART;
    }
    if (relaxed && relaxed->bound > best * (1 + SAME)) {
        limit->index = limit_find_budget(bag, relaxed);
        limit->kind = limit->index < 0 ? CS_LIMIT_CHAIN : CS_LIMIT_BUDGET;
    }
}

void cs_bag_limit_find(const struct cs_modes *data, const struct cs_bag *bag,
                       const struct cs_bag_reached *reached, struct cs_bag_limit *limit,
                       struct cs_arena *arena)
{
    const struct cs_bag_bounds *bounds = reached->bounds;

    *limit = (struct cs_bag_limit){.kind = CS_LIMIT_UNKNOWN, .index = -1};
    if (bag->data.tasks == 0)
        return;
    if (reached->makespan <= bag->critical * (1 + EXACT))
        limit->kind = CS_LIMIT_CRITICAL;
    else if (reached->makespan <= (1 + CS_LIMIT_GAP) * reached->bound)
        limit_find_kind(bag, bounds, reached->relaxed, limit);
    if (limit->kind == CS_LIMIT_CRITICAL)
        limit_find_chain(bag, limit, arena);
    else if (limit->kind == CS_LIMIT_RESOURCE)
        limit->saved = limit_save_resource(data, bounds, limit->index, arena);
    else if (limit->kind == CS_LIMIT_APART)
        limit->tasks = cs_bag_clique(bag, &limit->task, arena);
    else if (limit->kind == CS_LIMIT_BUDGET)
        limit->saved = limit_save_budget(data, reached->relaxed, limit->index, arena);
}

void cs_bag_limit_put(const struct cs_bag *bag, const struct cs_bag_limit *limit,
                      struct cs_strbuf *out)
{
    static const char *const name[] = {"unknown", "critical", "", "apart", "budget ", "chain"};

    cs_strbuf_puts(out, name[limit->kind]);
    if (limit->kind == CS_LIMIT_RESOURCE)
        cs_strbuf_puts(out, bag->data.resource_name[limit->index]);
    if (limit->kind == CS_LIMIT_BUDGET)
        cs_strbuf_puts(out, bag->data.budget_name[limit->index]);
}
