/* bound_bag.c - which modes of a general bag are allowed, its lower bounds and their certificates.
 *
 * Source: spec/bag.md 3.2 (allowed modes), 5.1 to 5.5 (bounds), 5.6 (certificates).
 * Idea: bounds take all allowed modes, which gives the same as candidates: a dominated mode is no
 * faster and needs no less.
 * Complexity: O(modes log modes * windows) a bound, O(tasks^2 * resources) a clique.
 */
#include "check/bag.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool cs_check_of_nodes(const struct cs_modes *m, int resource)
{
    return resource == 0 || (m->per_node && m->per_node[resource] >= 0);
}

/* Memory that is not given is not limited; other resources have no capacity then. */
int64_t *cs_check_capacities(const struct cs_modes *m, int procs, struct cs_arena *arena)
{
    int64_t *capacity = CS_NEW_ARRAY(arena, int64_t, m->resources);
    const int nodes = m->nodes > 1 ? m->nodes : 1;

    for (int r = 0; r < m->resources; r++)
        capacity[r] = r == 0                                  ? procs
                      : m->per_node && m->per_node[r] >= 0    ? m->per_node[r] * nodes
                      : m->per_proc && m->per_proc[r] >= 0    ? INT64_MAX
                      : m->capacity[r] >= 0                   ? m->capacity[r]
                      : strcmp(m->resource_name[r], "memory") ? 0
                                                              : INT64_MAX;
    return capacity;
}

int64_t cs_check_node_room(const struct cs_modes *m, int procs, int resource)
{
    return resource == 0 ? procs / m->nodes : m->per_node[resource];
}

/* How many nodes amounts need at least. */
int cs_check_nodes_needed(const struct cs_modes *m, int procs, const int64_t *use)
{
    int nodes = 0;

    for (int r = 0; r < m->resources; r++)
        while (cs_check_of_nodes(m, r) && use[r] > 0 && nodes <= m->nodes &&
               (!nodes || cs_modes_share(use[r], nodes) > cs_check_node_room(m, procs, r)))
            nodes++;
    return nodes;
}

/* Why the mode is not allowed, in a few words; NULL. */
const char *cs_check_mode_fault(const struct cs_modes *m, int procs, const int64_t *capacity,
                                int task, int mode)
{
    const int64_t *use = cs_modes_use(m, mode);
    const int span = m->span ? m->span[mode] : 0;
    int needed;

    for (int r = 0; r < m->resources; r++) {
        if (use[r] > capacity[r])
            return m->resource_name[r];
        if (r && m->per_proc && m->per_proc[r] >= 0 &&
            (double)use[r] > (double)m->per_proc[r] * (double)use[0])
            return m->resource_name[r];
    }
    for (int q = 0; q < m->budgets; q++)
        if (m->budget[q] >= 0 && cs_modes_spend(m, mode)[q] > m->budget[q])
            return m->budget_name[q];
    if (m->walltime && m->seconds[mode] > m->walltime[task])
        return "walltime";
    needed = m->nodes > 1 ? cs_check_nodes_needed(m, procs, use) : 0;
    return needed > m->nodes || (span && (span < needed || span > m->nodes)) ? "nodes" : NULL;
}

/* ---- bounds ---- */

/* Tasks whose predecessors are ranked, until all are. */
static void bounds_rank(struct cs_check_bounds *b)
{
    const struct cs_modes *m = b->m;
    int *missing = CS_NEW_ARRAY(b->arena, int, m->tasks), done = 0;
    bool moved = true;

    b->ranked = CS_NEW_ARRAY(b->arena, int, m->tasks);
    for (int i = 0; i < m->tasks; i++)
        missing[i] = 1;
    while (moved) {
        moved = false;
        for (int i = 0; i < m->tasks; i++) {
            bool waits = !missing[i];

            for (int a = m->before_first[i]; a < m->before_first[i + 1]; a++)
                waits |= missing[m->before[a]] > 0;
            if (waits)
                continue;
            missing[i] = 0;
            b->ranked[done++] = i;
            moved = true;
        }
    }
}

struct cs_check_bounds cs_check_bounds_begin(const struct cs_modes *m, int procs,
                                             struct cs_arena *arena)
{
    struct cs_check_bounds b = {.m = m, .procs = procs, .arena = arena};

    b.capacity = cs_check_capacities(m, procs, arena);
    b.allowed = CS_NEW_ARRAY(arena, bool, m->first[m->tasks]);
    b.fastest = CS_NEW_ARRAY(arena, double, m->tasks);
    b.head = CS_NEW_ARRAY(arena, double, m->tasks);
    b.tail = CS_NEW_ARRAY(arena, double, m->tasks);
    bounds_rank(&b);
    for (int i = 0; i < m->tasks; i++) {
        b.fastest[i] = INFINITY;
        for (int k = m->first[i]; k < m->first[i + 1]; k++) {
            b.allowed[k] = !cs_check_mode_fault(m, procs, b.capacity, i, k);
            if (b.allowed[k])
                b.fastest[i] = fmin(b.fastest[i], m->seconds[k]);
        }
    }
    for (int place = 0; place < m->tasks; place++) {
        const int i = b.ranked[place];

        b.head[i] = m->release ? m->release[i] : 0;
        for (int a = m->before_first[i]; a < m->before_first[i + 1]; a++)
            b.head[i] = fmax(b.head[i], b.head[m->before[a]] + b.fastest[m->before[a]]);
        b.critical = fmax(b.critical, b.head[i] + b.fastest[i]);
    }
    for (int place = m->tasks - 1; place >= 0; place--) {
        const int i = b.ranked[place];

        for (int a = m->before_first[i]; a < m->before_first[i + 1]; a++)
            b.tail[m->before[a]] = fmax(b.tail[m->before[a]], b.fastest[i] + b.tail[i]);
    }
    return b;
}

static double priced_use(const struct cs_check_bounds *b, const double *price, int mode)
{
    double sum = 0;

    for (int r = 0; r < b->m->resources; r++)
        sum += price[r] * (double)cs_modes_use(b->m, mode)[r];
    return sum;
}

/* The least priced work of all tasks in modes that can end by T. */
static double priced_work(const struct cs_check_bounds *b, const double *price, double seconds)
{
    double sum = 0;

    for (int i = 0; i < b->m->tasks; i++) {
        double least = INFINITY;

        for (int k = b->m->first[i]; k < b->m->first[i + 1]; k++)
            if (b->allowed[k] && b->head[i] + b->m->seconds[k] + b->tail[i] <= seconds)
                least = fmin(least, priced_use(b, price, k) * b->m->seconds[k]);
        sum += least;
    }
    return sum;
}

/* The prices of what is free at a date. */
double cs_check_bounds_free(const struct cs_check_bounds *b, const double *price, double date)
{
    double sum = 0;

    for (int r = 0; r < b->m->resources; r++) {
        int64_t away = 0;

        if (!(price[r] > 0))
            continue;
        for (int w = 0; w < b->m->windows; w++)
            if (b->m->from[w] <= date && date < b->m->to[w])
                away += b->m->less[(size_t)w * (size_t)b->m->resources + (size_t)r];
        if (away < b->capacity[r])
            sum += price[r] * (double)(b->capacity[r] - away);
    }
    return sum;
}

/* The next begin or end of a window after a date. */
double cs_check_window_next(const struct cs_check_bounds *b, double date)
{
    double next = INFINITY;

    for (int w = 0; w < b->m->windows; w++) {
        if (b->m->from[w] > date)
            next = fmin(next, b->m->from[w]);
        if (b->m->to[w] > date)
            next = fmin(next, b->m->to[w]);
    }
    return next;
}

/* The first date until which there is so much room; infinite: never. */
static double room_date(const struct cs_check_bounds *b, const double *price, double work)
{
    double at = 0, room = 0;

    for (;;) {
        const double slope = cs_check_bounds_free(b, price, at), next = cs_check_window_next(b, at);

        if (room >= work)
            return at;
        if (slope > 0 && (isinf(next) || room + slope * (next - at) >= work))
            return at + (work - room) / slope;
        if (isinf(next))
            return INFINITY;
        room += slope * (next - at);
        at = next;
    }
}

static int double_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* 5.3: the least T, at least critical, whose room is enough for the work.  Work falls at the break
 * points, room rises. */
double cs_check_bounds_priced(const struct cs_check_bounds *b, const double *price)
{
    const int modes = b->m->first[b->m->tasks];
    double *point = CS_NEW_ARRAY(b->arena, double, modes + 1);
    int points = 0, low = 0, high;

    point[points++] = b->critical;
    for (int i = 0; i < b->m->tasks; i++)
        for (int k = b->m->first[i]; k < b->m->first[i + 1]; k++) {
            const double end = b->head[i] + b->m->seconds[k] + b->tail[i];

            if (b->allowed[k] && end > b->critical)
                point[points++] = end;
        }
    qsort(point, (size_t)points, sizeof *point, double_compare);
    high = points;
    while (low < high) { /* the first point at which the room is enough */
        const int middle = low + (high - low) / 2;

        if (room_date(b, price, priced_work(b, price, point[middle])) <= point[middle])
            high = middle;
        else
            low = middle + 1;
    }
    if (low == 0)
        return point[0];
    return low < points
               ? fmin(point[low], room_date(b, price, priced_work(b, price, point[low - 1])))
               : room_date(b, price, priced_work(b, price, point[points - 1]));
}

/* ---- certificates ---- */

/* Values by name; false: an unknown name, or a value that is negative or no number. */
static bool amounts_take(const struct cs_bag_amount *amount, int count, const char *const *name,
                         int names, double *out)
{
    for (int k = 0; k < count; k++) {
        int place = 0;

        while (place < names && strcmp(name[place], amount[k].name) != 0)
            place++;
        if (place == names || !(amount[k].value >= 0) || isinf(amount[k].value))
            return false;
        out[place] += amount[k].value;
    }
    return true;
}

static double certified_prices(const struct cs_check_bounds *b, const struct cs_bag_certificate *by)
{
    double *price = CS_NEW_ARRAY(b->arena, double, b->m->resources), sum = 0;

    if (!amounts_take(by->price, by->prices, b->m->resource_name, b->m->resources, price))
        return NAN;
    for (int r = 0; r < b->m->resources; r++)
        sum += b->capacity[r] == INT64_MAX && price[r] > 0 ? INFINITY : price[r];
    return sum > 0 && !isinf(sum) ? cs_check_bounds_priced(b, price) : NAN;
}

/* Is there a path from one task to the other? */
static bool path_exists(const struct cs_check_bounds *b, int from, int to)
{
    bool *reaches = CS_NEW_ARRAY(b->arena, bool, b->m->tasks);

    reaches[from] = true;
    for (int place = 0; place < b->m->tasks; place++) {
        const int i = b->ranked[place];

        for (int a = b->m->before_first[i]; a < b->m->before_first[i + 1]; a++)
            reaches[i] |= reaches[b->m->before[a]];
    }
    return reaches[to];
}

static int64_t least_amount(const struct cs_check_bounds *b, int task, int resource)
{
    int64_t least = INT64_MAX;

    for (int k = b->m->first[task]; k < b->m->first[task + 1]; k++)
        if (b->allowed[k] && cs_modes_use(b->m, k)[resource] < least)
            least = cs_modes_use(b->m, k)[resource];
    return least;
}

static bool tasks_apart(const struct cs_check_bounds *b, int x, int y)
{
    struct cs_arena_mark mark = cs_arena_mark(b->arena);
    bool apart = path_exists(b, x, y) || path_exists(b, y, x);

    for (int r = 0; r < b->m->resources && !apart; r++) {
        const int64_t p = least_amount(b, x, r), q = least_amount(b, y, r);

        apart = p > 0 && q > 0 && p > b->capacity[r] - q;
    }
    cs_arena_rewind(b->arena, mark);
    return apart;
}

static double certified_clique(const struct cs_check_bounds *b, const struct cs_bag_certificate *by)
{
    double head = INFINITY, tail = INFINITY, sum = 0;

    for (int k = 0; k < by->tasks; k++) {
        const int i = by->task[k];

        if (i < 0 || i >= b->m->tasks)
            return NAN;
        for (int e = 0; e < k; e++)
            if (by->task[e] == i || !tasks_apart(b, by->task[e], i))
                return NAN;
        head = fmin(head, b->head[i]);
        tail = fmin(tail, b->tail[i]);
        sum += b->fastest[i];
    }
    return head + sum + tail;
}

static bool is_arc(const struct cs_modes *m, int from, int to)
{
    for (int a = m->before_first[to]; a < m->before_first[to + 1]; a++)
        if (m->before[a] == from)
            return true;
    return false;
}

/* Flow out of and into each task; false: on no arc, not a number, or more enters than leaves. */
static bool flow_take(const struct cs_check_bounds *b, const struct cs_bag_certificate *by,
                      double *out, double *in, double *last)
{
    const struct cs_modes *m = b->m;

    for (int k = 0; k < by->flows; k++) {
        const struct cs_bag_flow *f = &by->flow[k];

        if (f->from < 0 || f->from >= m->tasks || f->to < -1 || f->to >= m->tasks ||
            (f->to >= 0 && !is_arc(m, f->from, f->to)) || !(f->amount >= 0) || isinf(f->amount))
            return false;
        out[f->from] += f->amount;
        if (f->to >= 0)
            in[f->to] += f->amount;
        else
            *last += f->amount;
    }
    for (int i = 0; i < m->tasks; i++)
        if (in[i] > out[i])
            return false;
    return true;
}

static bool has_window(const struct cs_modes *m, int resource)
{
    for (int w = 0; w < m->windows; w++)
        if (m->less[(size_t)w * (size_t)m->resources + (size_t)resource] > 0)
            return true;
    return false;
}

/* 5.5 */
static double certified_flow(const struct cs_check_bounds *b, const struct cs_bag_certificate *by)
{
    const struct cs_modes *m = b->m;
    double *price = CS_NEW_ARRAY(b->arena, double, m->resources),
           *budget = CS_NEW_ARRAY(b->arena, double, m->budgets),
           *out = CS_NEW_ARRAY(b->arena, double, m->tasks),
           *in = CS_NEW_ARRAY(b->arena, double, m->tasks);
    double weight = 0, sum = 0;

    if (!amounts_take(by->price, by->prices, m->resource_name, m->resources, price) ||
        !amounts_take(by->budget, by->budgets, m->budget_name, m->budgets, budget) ||
        !flow_take(b, by, out, in, &weight))
        return NAN;
    for (int r = 0; r < m->resources; r++) {
        if (price[r] > 0 && (has_window(m, r) || b->capacity[r] == INT64_MAX))
            return NAN;
        weight += price[r] > 0 ? price[r] * (double)b->capacity[r] : 0;
    }
    for (int i = 0; i < m->tasks; i++) {
        double least = INFINITY;

        for (int k = m->first[i]; k < m->first[i + 1]; k++) {
            double cost = (out[i] + priced_use(b, price, k)) * m->seconds[k];

            for (int q = 0; q < m->budgets; q++)
                cost += budget[q] * (double)cs_modes_spend(m, k)[q] / 1000;
            if (b->allowed[k])
                least = fmin(least, cost);
        }
        sum += least + (out[i] - in[i]) * (m->release ? m->release[i] : 0);
    }
    for (int q = 0; q < m->budgets; q++)
        sum -= budget[q] * (double)m->budget[q] / 1000;
    return weight > 0 ? sum / weight : NAN;
}

double cs_check_bounds_certified(const struct cs_check_bounds *b,
                                 const struct cs_bag_certificate *by)
{
    return by->has_flow ? certified_flow(b, by)
           : by->tasks  ? certified_clique(b, by)
                        : certified_prices(b, by);
}

double cs_check_general_certified(const struct cs_modes *modes, int procs,
                                  const struct cs_bag_certificate *by)
{
    struct cs_arena *arena = cs_arena_create();
    const struct cs_check_bounds b = cs_check_bounds_begin(modes, procs, arena);
    const double bound = cs_check_bounds_certified(&b, by);

    cs_arena_destroy(arena);
    return bound;
}
