/* relax.c - the relaxation of a general bag as a linear program, and what its multipliers prove.
 *
 * Source: spec/bag.md 5.5 (its dual).
 * Idea: tasks take their modes in fractions.  A flow along the arcs, prices of resources and of
 * budgets, together of weight 1, give each mode a cost; the cheapest modes of all tasks, less the
 * budgets at their prices, are a lower bound on the makespan.  The simplex method of lp.h finds the
 * best multipliers, all rows of which hold at 0, so that it needs no first phase.
 * Invariants: any multipliers >= 0 in which no more flow enters a task than leaves it give a valid
 * bound; rounding is repaired from the last task to the first before anything is computed.
 * Complexity: rows = modes + tasks + 1; O(rows^2) a step, WORK numbers at most.
 *
 *   constant  value  unit              how found     half, double
 *   WORK      1e9    numbers examined  not recorded  not measured
 *   ROWS      800    rows              not recorded  not measured
 *   NUDGE     1e-7   of a time         not recorded  not measured
 */
#include "problems/moldable/bag/bag.h"
#include "problems/moldable/lp.h"

#include <math.h>
#include <string.h>

#define WORK 1e9
#define ROWS 800
#define NUDGE 1e-7

struct relaxing {
    const struct cs_bag *bag;
    struct cs_lp lp;
    struct cs_lp_entry *entry;
    int entries;
    int flow, last, price, budget; /* the first column of each kind */
    double longest;
};

static void entry_add(struct relaxing *x, int row, double value)
{
    if (value != 0)
        x->entry[x->entries++] = (struct cs_lp_entry){row, value};
}

static int column_end(struct relaxing *x, double cost)
{
    const int column = cs_lp_add_column(&x->lp, cost, x->entry, x->entries);

    x->entries = 0;
    return column;
}

/* Flow that leaves a task costs the time of each of its modes; less its release date. */
static void leaving_add(struct relaxing *x, int task)
{
    const struct cs_modes *data = &x->bag->data;

    for (int m = data->first[task]; m < data->first[task + 1]; m++)
        entry_add(x, m, -(data->seconds[m] + cs_bag_release(x->bag, task)));
    entry_add(x, data->first[data->tasks] + task, -1);
}

static void entering_add(struct relaxing *x, int task)
{
    const struct cs_modes *data = &x->bag->data;

    for (int m = data->first[task]; m < data->first[task + 1]; m++)
        entry_add(x, m, cs_bag_release(x->bag, task));
    entry_add(x, data->first[data->tasks] + task, 1);
}

static bool resource_priced(const struct cs_bag *bag, int r)
{
    for (int k = 0; k < bag->steps; k++)
        if (bag->room[(size_t)k * (size_t)bag->data.resources + (size_t)r] != bag->data.capacity[r])
            return false;
    return bag->data.capacity[r] > 0;
}

static void columns_flow(struct relaxing *x)
{
    const struct cs_modes *data = &x->bag->data;
    const int weight = data->first[data->tasks] + data->tasks;

    x->flow = x->lp.columns;
    for (int i = 0; i < data->tasks; i++)
        for (int a = data->before_first[i]; a < data->before_first[i + 1]; a++) {
            leaving_add(x, data->before[a]);
            entering_add(x, i);
            column_end(x, 0);
        }
    x->last = x->lp.columns;
    for (int i = 0; i < data->tasks; i++) {
        leaving_add(x, i);
        entry_add(x, weight, 1);
        column_end(x, 0);
    }
}

/* Prices are those of the whole capacity, or of the whole budget. */
static void columns_prices(struct relaxing *x)
{
    const struct cs_modes *data = &x->bag->data;
    const int modes = data->first[data->tasks];

    x->price = x->lp.columns;
    for (int r = 0; r < data->resources; r++) {
        const bool priced = resource_priced(x->bag, r);

        for (int m = 0; m < modes && priced; m++)
            entry_add(x, m,
                      -(double)cs_bag_use(x->bag, m)[r] * data->seconds[m] /
                          (double)data->capacity[r]);
        entry_add(x, modes + data->tasks, 1);
        column_end(x, 0);
    }
    x->budget = x->lp.columns;
    for (int q = 0; q < data->budgets; q++) {
        const double whole = data->budget[q] > 0 ? (double)data->budget[q] : 1;

        for (int m = 0; m < modes; m++)
            entry_add(x, m, -(double)data->spend[m * data->budgets + q] / whole * x->longest);
        column_end(x, (double)data->budget[q] / whole * x->longest);
    }
}

/* Rows: the cost of each mode, the balance of each task, the weight.  Small right sides that differ
 * keep the method from going in circles. */
static void rows_add(struct relaxing *x)
{
    const struct cs_modes *data = &x->bag->data;
    const int modes = data->first[data->tasks];

    for (int k = 0; k < modes + data->tasks; k++) {
        const double nudge = NUDGE * (1 + (double)((unsigned)k * 2654435761u % 1024) / 1024);

        cs_lp_add_row(&x->lp, 0, k < modes ? nudge * x->longest : nudge);
    }
    cs_lp_add_row(&x->lp, 0, 1);
    for (int i = 0; i < data->tasks; i++) {
        for (int m = data->first[i]; m < data->first[i + 1]; m++)
            entry_add(x, m, 1);
        column_end(x, -1);
    }
}

static void relaxing_solve(struct relaxing *x, struct cs_arena *scratch)
{
    const struct cs_modes *data = &x->bag->data;
    const int rows = data->first[data->tasks] + data->tasks + 1;
    const int columns =
        rows + 2 * data->tasks + data->before_first[data->tasks] + data->resources + data->budgets;

    for (int m = 0; m < data->first[data->tasks]; m++)
        x->longest = fmax(x->longest, data->seconds[m]);
    cs_lp_init(&x->lp, rows, columns, scratch);
    x->entry = CS_NEW_ARRAY(scratch, struct cs_lp_entry, 2 * rows + 2);
    rows_add(x);
    columns_flow(x);
    columns_prices(x);
    while (x->lp.work < WORK && cs_lp_step(&x->lp)) {
    }
}

static double arrived(const struct cs_bag *bag, const struct cs_bag_relaxation *relaxed, int task)
{
    double sum = 0;

    for (int a = bag->data.before_first[task]; a < bag->data.before_first[task + 1]; a++)
        sum += relaxed->flow[a];
    return sum;
}

/* Flow that leaves each task, once no more enters it than leaves it. */
static void flow_balance(const struct cs_bag *bag, struct cs_bag_relaxation *relaxed)
{
    for (int i = 0; i < bag->data.tasks; i++)
        relaxed->leaves[i] = relaxed->last[i];
    for (int place = bag->data.tasks - 1; place >= 0; place--) {
        const int i = bag->ranked[place];
        const double enters = arrived(bag, relaxed, i);
        const double keep =
            enters > relaxed->leaves[i] ? relaxed->leaves[i] / enters * (1 - 1e-12) : 1;

        for (int a = bag->data.before_first[i]; a < bag->data.before_first[i + 1]; a++) {
            relaxed->flow[a] *= keep;
            relaxed->leaves[bag->data.before[a]] += relaxed->flow[a];
        }
    }
}

double cs_bag_relaxed_cost(const struct cs_bag *bag, const struct cs_bag_relaxation *relaxed,
                           int task, int mode, double seconds)
{
    double cost = relaxed->leaves[task] * seconds;

    for (int r = 0; r < bag->data.resources; r++)
        cost += relaxed->price[r] * (double)cs_bag_use(bag, mode)[r] * seconds;
    for (int q = 0; q < bag->data.budgets; q++)
        cost += relaxed->budget[q] * (double)bag->data.spend[mode * bag->data.budgets + q];
    return cost;
}

/* The bound of the multipliers. */
static void relaxed_value(const struct cs_bag *bag, struct cs_bag_relaxation *relaxed)
{
    double sum = 0;

    relaxed->weight = relaxed->spent = relaxed->released = 0;
    for (int r = 0; r < bag->data.resources; r++)
        relaxed->weight += relaxed->price[r] * (double)bag->data.capacity[r];
    for (int q = 0; q < bag->data.budgets; q++)
        relaxed->spent += relaxed->budget[q] * (double)bag->data.budget[q];
    for (int i = 0; i < bag->data.tasks; i++) {
        double least = INFINITY;

        for (int m = bag->data.first[i]; m < bag->data.first[i + 1]; m++)
            least = fmin(least, cs_bag_relaxed_cost(bag, relaxed, i, m, bag->data.seconds[m]));
        relaxed->weight += relaxed->last[i];
        relaxed->released +=
            (relaxed->leaves[i] - arrived(bag, relaxed, i)) * cs_bag_release(bag, i);
        sum += least;
    }
    relaxed->bound =
        relaxed->weight > 0 ? (sum + relaxed->released - relaxed->spent) / relaxed->weight : 0;
}

bool cs_bag_relax(const struct cs_bag *bag, struct cs_bag_relaxation *relaxed,
                  struct cs_arena *arena)
{
    const struct cs_modes *data = &bag->data;
    const int arcs = data->before_first[data->tasks];
    struct relaxing x = {.bag = bag};
    struct cs_arena_mark mark;
    double *value;

    if (data->first[data->tasks] + data->tasks + 1 > ROWS || data->tasks == 0)
        return false;
    relaxed->flow = CS_NEW_ARRAY(arena, double, arcs);
    relaxed->last = CS_NEW_ARRAY(arena, double, data->tasks);
    relaxed->leaves = CS_NEW_ARRAY(arena, double, data->tasks);
    relaxed->price = CS_NEW_ARRAY(arena, double, data->resources);
    relaxed->budget = CS_NEW_ARRAY(arena, double, data->budgets);
    mark = cs_arena_mark(arena);
    relaxing_solve(&x, arena);
    value = CS_NEW_ARRAY(arena, double, x.lp.columns);
    cs_lp_values(&x.lp, value);
    for (int a = 0; a < arcs; a++)
        relaxed->flow[a] = fmax(value[x.flow + a], 0);
    for (int i = 0; i < data->tasks; i++)
        relaxed->last[i] = fmax(value[x.last + i], 0);
    for (int r = 0; r < data->resources; r++)
        relaxed->price[r] =
            resource_priced(bag, r) ? fmax(value[x.price + r], 0) / (double)data->capacity[r] : 0;
    for (int q = 0; q < data->budgets; q++)
        relaxed->budget[q] = fmax(value[x.budget + q], 0) * x.longest /
                             (data->budget[q] > 0 ? (double)data->budget[q] : 1);
    cs_arena_rewind(arena, mark);
    flow_balance(bag, relaxed);
    relaxed_value(bag, relaxed);
    return true;
}
