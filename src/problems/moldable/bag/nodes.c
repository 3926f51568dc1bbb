/* nodes.c - plans on nodes that tasks share, and the numbers of processors and GPUs.
 *
 * Source: spec/bag.md 3.6 (shares), 4.4 (EARLIEST-N), 4.5 (numbers).
 * Idea: a task lies on k nodes with an equal share of each.  At each date that it may start, the
 * nodes that have its share until its end are collected; the k with the fewest free processors are
 * taken.  Windows are placed first, in the same way.
 * Invariants: no node and no total is ever exceeded; a number is held by one bar at a time.
 * Complexity: O(tasks) dates for each task, O(nodes * resources * tasks^2) for each date.
 */
#include "base/order.h"
#include "problems/moldable/bag/bag.h"

#include <math.h>
#include <string.h>

/* The amounts that a task or a window holds. */
struct hold {
    double start, end;
    const int64_t *use;
    int span;
    const int *node; /* span of them */
};

struct placing {
    const struct cs_bag *bag;
    struct hold *hold;
    int holds;
    int *chosen;
    int64_t *free; /* by node: processors */
    int failed;    /* the last window that was tried */
    struct cs_arena *arena;
};

int cs_bag_span(const struct cs_modes *data, const int64_t *use, int span)
{
    int least = 0;

    for (int r = 0; r < data->resources; r++)
        while (data->per_node[r] >= 0 && use[r] > 0 && least <= data->nodes &&
               (least == 0 || cs_modes_share(use[r], least) > data->per_node[r]))
            least++;
    if (least > data->nodes || (span > 0 && span < least))
        return -1;
    return span > 0 ? span : least;
}

static int64_t hold_share(const struct placing *p, const struct hold *h, int node, int r)
{
    if (p->bag->data.per_node[r] < 0)
        return node < 0 ? h->use[r] : 0;
    for (int k = 0; k < h->span; k++)
        if (h->node[k] == node)
            return cs_modes_share(h->use[r], h->span);
    return 0;
}

static int64_t held_at(const struct placing *p, int node, int r, double at)
{
    int64_t held = 0;

    for (int k = 0; k < p->holds; k++)
        if (p->hold[k].start <= at && at < p->hold[k].end)
            held += hold_share(p, &p->hold[k], node, r);
    return held;
}

/* The least that is free during [start, end): of a node, or of the machine (node -1). */
static int64_t free_during(const struct placing *p, int node, int r, double start, double end)
{
    const struct cs_modes *data = &p->bag->data;
    int64_t most = held_at(p, node, r, start);

    for (int k = 0; k < p->holds; k++)
        if (start < p->hold[k].start && p->hold[k].start < end) {
            const int64_t held = held_at(p, node, r, p->hold[k].start);

            most = held > most ? held : most;
        }
    return (node < 0 ? data->capacity[r] : data->per_node[r]) - most;
}

static bool node_fits(const struct placing *p, int node, const int64_t *use, int span, double start,
                      double end)
{
    const struct cs_modes *data = &p->bag->data;

    for (int r = 0; r < data->resources; r++) {
        const bool mine = node < 0 ? data->per_node[r] < 0 : data->per_node[r] >= 0;
        const int64_t share = node < 0 ? use[r] : cs_modes_share(use[r], span);

        if (mine && use[r] > 0 && share > free_during(p, node, r, start, end))
            return false;
    }
    return true;
}

/* The nodes of least free processors that have room, into chosen[] in ascending order. */
static bool nodes_choose(struct placing *p, const int64_t *use, int span, double start, double end)
{
    const int nodes = p->bag->data.nodes;

    if (!node_fits(p, -1, use, 1, start, end))
        return false;
    for (int j = 0; j < nodes; j++)
        p->free[j] = span > 0 && node_fits(p, j, use, span, start, end)
                         ? free_during(p, j, 0, start, end)
                         : -1;
    for (int k = 0; k < span; k++) {
        int best = -1, place = k;

        for (int j = 0; j < nodes; j++)
            if (p->free[j] >= 0 && (best < 0 || p->free[j] < p->free[best]))
                best = j;
        if (best < 0)
            return false;
        p->free[best] = -1;
        for (; place > 0 && p->chosen[place - 1] > best; place--)
            p->chosen[place] = p->chosen[place - 1];
        p->chosen[place] = best;
    }
    return true;
}

static void hold_add(struct placing *p, double start, double end, const int64_t *use, int span)
{
    int *node = CS_NEW_ARRAY(p->arena, int, span);

    memcpy(node, p->chosen, (size_t)span * sizeof *node);
    p->hold[p->holds++] = (struct hold){start, end, use, span, node};
}

static struct placing placing_begin(const struct cs_bag *bag, struct cs_arena *arena)
{
    const struct cs_modes *data = &bag->data;

    return (struct placing){.bag = bag,
                            .hold = CS_NEW_ARRAY(arena, struct hold, data->tasks + data->windows),
                            .chosen = CS_NEW_ARRAY(arena, int, data->nodes),
                            .free = CS_NEW_ARRAY(arena, int64_t, data->nodes),
                            .arena = arena};
}

/* Windows by (from, index); false: too few nodes are free for one. */
static bool windows_place(struct placing *p)
{
    const struct cs_modes *data = &p->bag->data;
    int *order = CS_NEW_ARRAY(p->arena, int, data->windows);

    if (data->windows)
        cs_order_ascending(data->from, data->windows, order, p->arena);
    for (int k = 0; k < data->windows; k++) {
        const int w = order[k];
        const int64_t *less = data->less + (size_t)w * (size_t)data->resources;
        const int span = cs_bag_span(data, less, 0);

        p->failed = w;
        if (span < 0 || !nodes_choose(p, less, span, data->from[w], data->to[w]))
            return false;
        hold_add(p, data->from[w], data->to[w], less, span);
    }
    return true;
}

int cs_bag_window_unplaced(const struct cs_bag *bag, int *span, struct cs_arena *arena)
{
    const struct cs_modes *data = &bag->data;
    struct placing p = placing_begin(bag, arena);

    if (windows_place(&p))
        return -1;
    *span = cs_bag_span(data, data->less + (size_t)p.failed * (size_t)data->resources, 0);
    if (*span < 0)
        *span = data->nodes + 1;
    return p.failed;
}

/* The next end after a date; infinite: none. */
static double next_end(const struct placing *p, double date)
{
    double next = INFINITY;

    for (int k = 0; k < p->holds; k++)
        if (p->hold[k].end > date)
            next = fmin(next, p->hold[k].end);
    return next;
}

static bool task_lay(struct placing *p, struct cs_bag_plan *plan, int task)
{
    const struct cs_modes *data = &p->bag->data;
    const int mode = data->first[task] + plan->choice[task];
    const int64_t *use = cs_bag_use(p->bag, mode);
    const int span = cs_bag_span(data, use, data->span ? data->span[mode] : 0);
    double date = cs_bag_release(p->bag, task);

    for (int a = data->before_first[task]; a < data->before_first[task + 1]; a++)
        date = fmax(date, cs_bag_end(p->bag, plan, data->before[a]));
    while (span >= 0 && !isinf(date) &&
           !nodes_choose(p, use, span, date, date + data->seconds[mode]))
        date = next_end(p, date);
    if (span < 0 || isinf(date))
        return false;
    plan->start[task] = date;
    hold_add(p, date, date + data->seconds[mode], use, span);
    return true;
}

bool cs_bag_earliest_nodes(const struct cs_bag *bag, const int *order, struct cs_bag_plan *plan,
                           struct cs_bag_nodes *nodes, struct cs_arena *arena)
{
    const struct cs_modes *data = &bag->data;
    struct placing p = placing_begin(bag, arena);

    plan->makespan = INFINITY;
    if (!windows_place(&p))
        return false;
    for (int place = 0; place < data->tasks; place++) {
        if (!task_lay(&p, plan, order[place]))
            return false;
        nodes[order[place]] =
            (struct cs_bag_nodes){p.hold[p.holds - 1].span, p.hold[p.holds - 1].node};
    }
    plan->makespan = 0;
    for (int i = 0; i < data->tasks; i++)
        plan->makespan = fmax(plan->makespan, cs_bag_end(bag, plan, i));
    return true;
}

void cs_bag_number(const struct cs_bag_bar *bar, int bars, int capacity, int **number,
                   struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    double *busy = CS_NEW_ARRAY(scratch, double, capacity),
           *start = CS_NEW_ARRAY(scratch, double, bars);
    int *order = CS_NEW_ARRAY(scratch, int, bars);

    for (int b = 0; b < bars; b++)
        start[b] = bar[b].start;
    for (int u = 0; u < capacity; u++)
        busy[u] = -INFINITY;
    cs_order_ascending(start, bars, order, scratch);
    for (int k = 0; k < bars; k++) {
        const struct cs_bag_bar *b = &bar[order[k]];
        int taken = 0;

        for (int u = 0; u < capacity && taken < b->amount; u++)
            if (busy[u] <= b->start) {
                number[order[k]][taken++] = u;
                busy[u] = b->end;
            }
    }
    cs_arena_rewind(scratch, mark);
}
