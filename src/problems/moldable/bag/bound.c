/* bound.c - lower bounds on the makespan of a general bag.
 *
 * Source: spec/bag.md 5.2 (area), 5.3 (prices), 5.4 (disjunctive).
 * Idea: with a price for each resource, the priced areas of all tasks (of the modes that can end by
 * T) have to fit into the priced room before T.  The least such T is found by bisection over the
 * dates at which a mode can end, then exactly inside one piece, where the area is constant and the
 * room linear.  Prices rise for resources that are loaded and fall for others.
 * Invariants: any prices give a valid bound; the test fails below the answer and holds above it.
 * Complexity: O(tasks * candidates * resources * log candidates) for one bound, 61 of them; cliques
 * O(tasks^3).
 *
 *   constant  value  unit   how found           half, double
 *   ROUNDS    60     steps  spec/bag.md 5.3     not measured
 */
#include "base/order.h"
#include "problems/moldable/bag/bag.h"

#include <math.h>
#include <string.h>

#define ROUNDS 60

struct pricing {
    const struct cs_bag *bag;
    const double *price;
    double *area;  /* by candidate: price of its area */
    double *date;  /* break points: where modes can end and windows begin and end */
    double *rise;  /* by step of the room: priced room a second */
    double *begun; /* by step of the room: priced room before it */
    int dates;
};

static double mode_end(const struct cs_bag *bag, int task, int mode)
{
    return bag->head[task] + bag->data.seconds[mode] + bag->tail[task];
}

static double mode_price(const struct cs_bag *bag, const double *price, int mode)
{
    double sum = 0;

    for (int r = 0; r < bag->data.resources; r++)
        sum += price[r] * (double)cs_bag_use(bag, mode)[r];
    return sum;
}

/* Of the candidates that can end by T that of the least area, the first of several; the fastest if
 * all end later. */
static int task_cheapest(const struct cs_bag *bag, const double *area, int task, double seconds)
{
    const int last = bag->data.first[task + 1] - 1;
    int best = -1;

    for (int m = bag->data.first[task]; m <= last; m++)
        if (mode_end(bag, task, m) <= seconds && (best < 0 || area[m] < area[best]))
            best = m;
    return best < 0 ? last : best;
}

static double pricing_area(const struct pricing *p, double seconds)
{
    double sum = 0;

    for (int i = 0; i < p->bag->data.tasks; i++)
        sum += p->area[task_cheapest(p->bag, p->area, i, seconds)];
    return sum;
}

static int pricing_step(const struct pricing *p, double seconds)
{
    int step = p->bag->steps - 1;

    while (step > 0 && p->bag->step[step] > seconds)
        step--;
    return step;
}

static double pricing_room(const struct pricing *p, double seconds)
{
    const int step = pricing_step(p, seconds);

    return p->begun[step] + p->rise[step] * (seconds - p->bag->step[step]);
}

static void pricing_dates(struct pricing *p, struct cs_arena *scratch)
{
    const struct cs_bag *bag = p->bag;

    p->date = CS_NEW_ARRAY(scratch, double, bag->data.first[bag->data.tasks] + bag->steps + 1);
    p->dates = 1;
    p->date[0] = bag->critical;
    for (int i = 0; i < bag->data.tasks; i++)
        for (int m = bag->data.first[i]; m < bag->data.first[i + 1]; m++)
            if (mode_end(bag, i, m) > bag->critical)
                p->date[p->dates++] = mode_end(bag, i, m);
    for (int k = 0; k < bag->steps; k++)
        if (bag->step[k] > bag->critical)
            p->date[p->dates++] = bag->step[k];
    cs_order_sort_doubles(p->date, p->dates, scratch);
}

static void pricing_init(struct pricing *p, const struct cs_bag *bag, const double *price,
                         struct cs_arena *scratch)
{
    const int modes = bag->data.first[bag->data.tasks];

    p->bag = bag;
    p->price = price;
    p->area = CS_NEW_ARRAY(scratch, double, modes);
    p->rise = CS_NEW_ARRAY(scratch, double, bag->steps);
    p->begun = CS_NEW_ARRAY(scratch, double, bag->steps);
    for (int m = 0; m < modes; m++)
        p->area[m] = mode_price(bag, price, m) * bag->data.seconds[m];
    for (int k = 0; k < bag->steps; k++) {
        const int64_t *room = bag->room + (size_t)k * (size_t)bag->data.resources;

        for (int r = 0; r < bag->data.resources; r++)
            p->rise[k] += price[r] * (double)room[r];
        if (k > 0)
            p->begun[k] = p->begun[k - 1] + p->rise[k - 1] * (bag->step[k] - bag->step[k - 1]);
    }
    pricing_dates(p, scratch);
}

/* On the piece that begins at break point k; `next` is its end. */
static double pricing_inside(const struct pricing *p, int k, double next)
{
    const double from = p->date[k], lacking = pricing_area(p, from) - pricing_room(p, from);
    const double rise = p->rise[pricing_step(p, from)];

    if (lacking <= 0)
        return from;
    return rise > 0 ? fmin(next, from + lacking / rise) : next;
}

static double pricing_solve(const struct pricing *p)
{
    int low = 0, high = p->dates; /* the test fails at low and holds at high */

    if (pricing_area(p, p->date[0]) <= pricing_room(p, p->date[0]))
        return p->date[0];
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;

        if (pricing_area(p, p->date[middle]) <= pricing_room(p, p->date[middle]))
            high = middle;
        else
            low = middle;
    }
    return pricing_inside(p, low, high < p->dates ? p->date[high] : INFINITY);
}

/* The least T of 5.3 with these prices; infinite if no plan exists. */
static double bound_priced(const struct cs_bag *bag, const double *price, struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    struct pricing p = {.bag = bag};
    double bound;

    pricing_init(&p, bag, price, scratch);
    bound = pricing_solve(&p);
    cs_arena_rewind(scratch, mark);
    return bound;
}

/* The mode of 6.1. */
static int task_thrifty(const struct cs_bag *bag, const double *price, int task, double seconds)
{
    int best = bag->data.first[task + 1] - 1;
    double least = INFINITY;

    for (int m = bag->data.first[task]; m < bag->data.first[task + 1]; m++) {
        const double area = mode_price(bag, price, m) * bag->data.seconds[m];

        if (mode_end(bag, task, m) <= seconds && area < least) {
            least = area;
            best = m;
        }
    }
    return best;
}

void cs_bag_thrifty(const struct cs_bag *bag, const double *price, double seconds, int *choice)
{
    for (int i = 0; i < bag->data.tasks; i++)
        choice[i] = task_thrifty(bag, price, i, seconds) - bag->data.first[i];
}

/* The largest area, with the unit vector of its resource as prices. */
static void area_bound(const struct cs_bag *bag, struct cs_bag_bounds *b, struct cs_arena *scratch)
{
    const int resources = bag->data.resources;
    double *unit = CS_NEW_ARRAY(scratch, double, resources);
    int best = -1;

    for (int r = 0; r < resources; r++) {
        unit[r] = 1;
        b->area[r] = bag->data.capacity[r] > 0 ? bound_priced(bag, unit, scratch) : bag->critical;
        unit[r] = 0;
        if (bag->data.capacity[r] > 0 && (best < 0 || b->area[r] > b->area[best]))
            best = r;
    }
    b->priced = best < 0 ? bag->critical : b->area[best];
    if (best >= 0)
        b->price[best] = 1;
}

/* The second half of y is room for the load of each resource. */
static void price_move(const struct cs_bag *bag, double *y, double value, double seconds, int round)
{
    const struct cs_modes *data = &bag->data;
    double sum = 0, *load = y + data->resources;

    memset(load, 0, (size_t)data->resources * sizeof *load);
    for (int i = 0; i < data->tasks; i++) {
        const int best = task_thrifty(bag, y, i, seconds);

        for (int r = 0; r < data->resources; r++)
            load[r] += (double)cs_bag_use(bag, best)[r] * data->seconds[best];
    }
    for (int r = 0; r < data->resources; r++) {
        const double capacity = (double)data->capacity[r];

        if (capacity > 0)
            y[r] *= 1 + 2 / ((double)round + 4) * (load[r] / (capacity * value) - 1);
        sum += y[r] * capacity;
    }
    for (int r = 0; r < data->resources; r++)
        y[r] /= sum;
}

static void price_bound(const struct cs_bag *bag, struct cs_bag_bounds *b, struct cs_arena *scratch)
{
    const int resources = bag->data.resources;
    double *y = CS_NEW_ARRAY(scratch, double, 2 * resources);

    for (int r = 0; r < resources; r++)
        y[r] = bag->data.capacity[r] > 0 ? 1 / ((double)bag->data.capacity[r] * resources) : 0;
    for (int round = 0; round < ROUNDS; round++) {
        const double value = bound_priced(bag, y, scratch);

        if (value > b->priced * (1 + 1e-12)) {
            b->priced = value;
            memcpy(b->price, y, (size_t)resources * sizeof *y);
        }
        if (value == 0 || isinf(value))
            return;
        price_move(bag, y, value, fmax(value, b->priced), round);
    }
}

/* before[i * n + j]: i precedes j. */
static bool *path_closure(const struct cs_bag *bag, struct cs_arena *arena)
{
    const size_t n = (size_t)bag->data.tasks;
    bool *path = CS_NEW_ARRAY(arena, bool, n *n);

    for (size_t place = 0; place < n; place++) {
        const int j = bag->ranked[place];

        for (int a = bag->data.before_first[j]; a < bag->data.before_first[j + 1]; a++) {
            const size_t k = (size_t)bag->data.before[a];

            path[k * n + (size_t)j] = true;
            for (size_t i = 0; i < n; i++)
                path[i * n + (size_t)j] |= path[i * n + k];
        }
    }
    return path;
}

/* By task and resource: the least amount of its candidates. */
static int64_t *least_amounts(const struct cs_bag *bag, struct cs_arena *arena)
{
    const int resources = bag->data.resources;
    int64_t *least = CS_NEW_ARRAY(arena, int64_t, (size_t)bag->data.tasks * (size_t)resources);

    for (int i = 0; i < bag->data.tasks; i++)
        for (int r = 0; r < resources; r++) {
            int64_t *l = &least[(size_t)i * (size_t)resources + (size_t)r];

            *l = cs_bag_use(bag, bag->data.first[i])[r];
            for (int m = bag->data.first[i]; m < bag->data.first[i + 1]; m++)
                if (cs_bag_use(bag, m)[r] < *l)
                    *l = cs_bag_use(bag, m)[r];
        }
    return least;
}

/* Tasks that can never run at the same time (5.4), by task and task; in the arena. */
static bool *tasks_apart(const struct cs_bag *bag, struct cs_arena *arena)
{
    const size_t n = (size_t)bag->data.tasks, resources = (size_t)bag->data.resources;
    bool *path = path_closure(bag, arena), *apart = CS_NEW_ARRAY(arena, bool, n *n);
    const int64_t *least = least_amounts(bag, arena);

    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            bool is = path[i * n + j] || path[j * n + i];

            for (size_t r = 0; r < resources && !is; r++) {
                const int64_t a = least[i * resources + r], b = least[j * resources + r];

                is = a > 0 && b > 0 && a > bag->data.capacity[r] - b;
            }
            apart[i * n + j] = is && i != j;
        }
    return apart;
}

/* Tasks by their fastest time, and which are apart. */
struct cliques {
    const struct cs_bag *bag;
    const bool *apart;
    const int *by_time;
};

static void cliques_init(struct cliques *c, const struct cs_bag *bag, struct cs_arena *arena)
{
    const int n = bag->data.tasks;
    double *fastest = CS_NEW_ARRAY(arena, double, n);
    int *by_time = CS_NEW_ARRAY(arena, int, n);

    for (int i = 0; i < n; i++)
        fastest[i] = cs_bag_fastest(bag, i);
    cs_order_descending(fastest, n, by_time, arena);
    *c = (struct cliques){bag, tasks_apart(bag, arena), by_time};
}

/* The bound of the clique that begins with a task, and its size. */
static double clique_bound(const struct cliques *c, int seed, int *clique, int *tasks)
{
    const struct cs_bag *bag = c->bag;
    const int n = bag->data.tasks;
    double head = bag->head[seed], tail = bag->tail[seed], sum = 0;
    int size = 1;

    clique[0] = seed;
    for (int place = 0; place < n; place++) {
        const int i = c->by_time[place];
        bool fits = true;

        for (int k = 0; k < size && fits; k++)
            fits = c->apart[(size_t)clique[k] * (size_t)n + (size_t)i];
        if (fits)
            clique[size++] = i;
    }
    for (int k = 0; k < size; k++) {
        head = fmin(head, bag->head[clique[k]]);
        tail = fmin(tail, bag->tail[clique[k]]);
        sum += cs_bag_fastest(bag, clique[k]);
    }
    *tasks = size;
    return head + sum + tail;
}

static double apart_bound(const struct cs_bag *bag, struct cs_arena *scratch)
{
    int *clique = CS_NEW_ARRAY(scratch, int, bag->data.tasks), tasks;
    double bound = 0;
    struct cliques c;

    cliques_init(&c, bag, scratch);
    for (int seed = 0; seed < bag->data.tasks; seed++)
        bound = fmax(bound, clique_bound(&c, seed, clique, &tasks));
    return bound;
}

int cs_bag_clique(const struct cs_bag *bag, const int **clique, struct cs_arena *arena)
{
    int *best = CS_NEW_ARRAY(arena, int, bag->data.tasks), tasks = 0, at = 0;
    double bound = 0;
    struct cliques c;

    cliques_init(&c, bag, arena);
    for (int seed = 0; seed < bag->data.tasks; seed++) {
        const double value = clique_bound(&c, seed, best, &tasks);

        at = value > bound ? seed : at;
        bound = fmax(bound, value);
    }
    if (bag->data.tasks)
        clique_bound(&c, at, best, &tasks);
    *clique = best;
    return tasks;
}

void cs_bag_bound(const struct cs_bag *bag, struct cs_bag_bounds *bounds, struct cs_arena *arena)
{
    struct cs_arena_mark mark;

    bounds->area = CS_NEW_ARRAY(arena, double, bag->data.resources);
    bounds->price = CS_NEW_ARRAY(arena, double, bag->data.resources);
    mark = cs_arena_mark(arena);
    area_bound(bag, bounds, arena);
    price_bound(bag, bounds, arena);
    bounds->apart = apart_bound(bag, arena);
    cs_arena_rewind(arena, mark);
    bounds->least = fmax(fmax(bag->critical, bounds->priced), bounds->apart);
}
