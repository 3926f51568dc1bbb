/* interior.c - Newton steps on a dense system of the rows.
 *
 * Source: primal-dual interior point with a proximal term (interior.h states the program); it
 * replaces the simplex method where that needs too many rounds (bench/README.md, "Packs of many
 * tasks").
 *
 * A step solves (rows' ratio matrix + stiffness) x = side by a Cholesky factor and moves primal and
 * dual values each as far as the nearest bound allows.  The caller sets mu, so that a few steps
 * per round of pricing are enough; columns with a small reduced cost are first made feasible by
 * lowering all prices (cs_pack_interior_allow).
 *
 * Invariants: prices, weights, surpluses and reduced costs are positive at all times; the entries
 * of a column are sorted by row, so only the lower half of the matrix is filled.
 * Complexity: rows^3 / 6 multiplications for a step, and the sum of entries^2 over the columns to
 * fill the matrix (filling it row by row was slower: bench/README.md).
 *
 * constant        value  unit       found by       half, double
 * STEPS              12  steps      not recorded   see STEPS of bundle.c, which replaces it
 * COVERED          1e-4  coverage   not recorded   not measured
 * NOT_COVERED      1e-3  coverage   not recorded   not measured
 * NEAR_EDGE        0.95  of a step  not recorded   not measured
 * INSIDE           1e-5  relative   not recorded   not measured
 * LEAST_SURPLUS    0.01  coverage   not recorded   not measured
 */
#include "problems/pack/interior.h"

#include "base/cholesky.h"

#include <math.h>
#include <string.h>

#define STEPS 12
#define COVERED 1e-4 /* rows that lack so little are covered */
#define NOT_COVERED 1e-3
#define NEAR_EDGE 0.95 /* of the way to the nearest bound */
#define INSIDE 1e-5    /* relative: what a column must cost more than its tasks are worth */
#define LEAST_SURPLUS 0.01

static double *new_rows(const struct cs_pack_interior *l)
{
    return CS_NEW_ARRAY(l->arena, double, l->rows);
}

static void make_rows(struct cs_pack_interior *l, int thresholds)
{
    l->first = l->hats ? l->hats->rows : l->c->tasks;
    l->rows = l->first + thresholds;
    l->threshold = CS_NEW_ARRAY(l->arena, int, thresholds);
    l->sense = CS_NEW_ARRAY(l->arena, double, thresholds);
    l->row_of = CS_NEW_ARRAY(l->arena, int, l->c->tasks);
    l->right = new_rows(l);
    for (int i = 0; i < l->c->tasks; i++) {
        l->row_of[i] = i;
        if (l->hats)
            cs_pack_hats_add(l->hats, &i, 1, l->right);
        else
            l->right[i] = 1;
    }
}

void cs_pack_interior_init(struct cs_pack_interior *l, const struct cs_pack_candidates *c,
                           const struct cs_pack_hats *hats, int thresholds, double scale,
                           struct cs_arena *arena)
{
    *l = (struct cs_pack_interior){
        .c = c, .hats = hats, .arena = arena, .scale = scale, .steps = STEPS};
    make_rows(l, thresholds);
    l->price = new_rows(l);
    l->center = new_rows(l);
    l->stiff = new_rows(l);
    l->surplus = new_rows(l);
    l->to_price = new_rows(l);
    l->to_surplus = new_rows(l);
    l->missing = new_rows(l);
    l->side = new_rows(l);
    l->sum = new_rows(l);
    l->matrix = CS_NEW_ARRAY(arena, double, cs_arena_area((size_t)l->rows, (size_t)l->rows));
}

static double sum_of(const struct cs_pack_inner *column, const double *of_row)
{
    double sum = 0;

    for (int e = 0; e < column->entries; e++)
        sum += column->value[e] * of_row[column->row[e]];
    return sum;
}

/* With hats tasks share rows. */
static void find_shared(struct cs_pack_interior *l, struct cs_pack_inner *column)
{
    cs_pack_hats_add(l->hats, column->task, column->count, l->sum);
    for (int r = 0; r < l->first; r++) {
        if (l->sum[r] == 0)
            continue;
        column->row[column->entries] = r;
        column->value[column->entries++] = l->sum[r];
        l->sum[r] = 0;
    }
}

static void find_own(const struct cs_pack_interior *l, struct cs_pack_inner *column)
{
    for (int a = 0; a < column->count; a++) {
        column->row[column->entries] = l->row_of[column->task[a]];
        column->value[column->entries++] = 1;
    }
}

/* Which row has how much of the column; rising, so that half a matrix is filled. */
static void find_entries(struct cs_pack_interior *l, struct cs_pack_inner *column)
{
    const int tasks = l->hats ? column->count * l->hats->entries : column->count;
    const int most = (tasks < l->first ? tasks : l->first) + l->rows - l->first;

    column->row = CS_NEW_ARRAY(l->arena, int, most);
    column->value = CS_NEW_ARRAY(l->arena, double, most);
    column->entries = 0;
    if (l->hats)
        find_shared(l, column);
    else
        find_own(l, column);
    for (int r = l->first; r < l->rows && l->threshold[r - l->first] <= column->candidate; r++) {
        column->row[column->entries] = r;
        column->value[column->entries++] = l->sense[r - l->first];
    }
}

static void interior_make_room(struct cs_pack_interior *l)
{
    const int room = l->room ? 2 * l->room : 512;
    struct cs_pack_inner *column = CS_NEW_ARRAY(l->arena, struct cs_pack_inner, room);

    if (l->columns)
        memcpy(column, l->column, (size_t)l->columns * sizeof *column);
    l->column = column;
    l->room = room;
}

void cs_pack_interior_add(struct cs_pack_interior *l, int candidate, const int *task, int count)
{
    struct cs_pack_inner *column;

    if (l->columns == l->room)
        interior_make_room(l);
    column = &l->column[l->columns++];
    *column = (struct cs_pack_inner){.candidate = candidate, .count = count};
    column->cost = l->c->cost[candidate] / l->scale;
    column->task = CS_NEW_ARRAY(l->arena, int, count);
    memcpy(column->task, task, (size_t)count * sizeof *task);
    find_entries(l, column);
    column->reduced = column->cost - sum_of(column, l->price);
}

double cs_pack_interior_price(const struct cs_pack_interior *l, int i, const double *row)
{
    if (l->hats)
        return cs_pack_hats_price(l->hats, i, row);
    return l->row_of[i] < 0 ? 0 : row[l->row_of[i]];
}

/* The least reduced cost of all columns, relative. */
static double interior_reduce(struct cs_pack_interior *l)
{
    double least = 1;

    for (int a = 0; a < l->columns; a++) {
        struct cs_pack_inner *column = &l->column[a];

        column->reduced = column->cost - sum_of(column, l->price);
        least = fmin(least, column->reduced / column->cost);
    }
    return least;
}

void cs_pack_interior_allow(struct cs_pack_interior *l)
{
    double least = interior_reduce(l), factor = (1 - INSIDE) / (1 - least);

    if (least >= INSIDE)
        return;
    for (int r = 0; r < l->rows; r++)
        l->price[r] *= factor;
    interior_reduce(l);
    for (int a = 0; a < l->columns; a++)
        l->column[a].reduced = fmax(l->column[a].reduced, INSIDE / 2 * l->column[a].cost);
}

/* missing[]: by how much the weights fall short of 1 + surplus.  Returns the largest. */
static double interior_measure(struct cs_pack_interior *l)
{
    double most = 0;

    for (int r = 0; r < l->rows; r++)
        l->missing[r] = l->right[r] + l->surplus[r] - l->stiff[r] * (l->price[r] - l->center[r]);
    for (int a = 0; a < l->columns; a++) {
        const struct cs_pack_inner *column = &l->column[a];

        for (int e = 0; e < column->entries; e++)
            l->missing[column->row[e]] -= column->value[e] * column->weight;
    }
    for (int r = 0; r < l->rows; r++)
        most = fmax(most, fabs(l->missing[r]));
    return most;
}

void cs_pack_interior_begin(struct cs_pack_interior *l, double mu)
{
    for (int a = 0; a < l->columns; a++)
        l->column[a].weight = fmax(l->column[a].weight, mu / l->column[a].reduced);
    memset(l->surplus, 0, (size_t)l->rows * sizeof *l->surplus);
    interior_measure(l);
    for (int r = 0; r < l->rows; r++)
        l->surplus[r] = fmax(fmax(-l->missing[r], LEAST_SURPLUS), mu / l->price[r]);
}

/* The lower half of the matrix, and the right side; away, to_weight: of every column. */
static void fill_system(struct cs_pack_interior *l, double mu)
{
    const size_t rows = (size_t)l->rows;

    interior_measure(l);
    memset(l->matrix, 0, rows * rows * sizeof *l->matrix);
    for (size_t r = 0; r < rows; r++) {
        l->side[r] = l->missing[r] + mu / l->price[r] - l->surplus[r];
        l->matrix[r * rows + r] = l->surplus[r] / l->price[r] + l->stiff[r];
    }
    for (int a = 0; a < l->columns; a++) {
        struct cs_pack_inner *column = &l->column[a];
        double ratio = column->weight / column->reduced;

        column->away = column->cost - column->reduced - sum_of(column, l->price);
        column->to_weight = mu / column->reduced - column->weight - ratio * column->away;
        for (int e = 0; e < column->entries; e++) {
            double *of_row = l->matrix + (size_t)column->row[e] * rows;
            const double with = ratio * column->value[e];

            l->side[column->row[e]] -= column->value[e] * column->to_weight;
            for (int f = 0; f <= e; f++)
                of_row[column->row[f]] += with * column->value[f];
        }
    }
}

static double interior_limit(double step, double value, double change)
{
    return change < 0 ? fmin(step, -value / change) : step;
}

static void interior_step(struct cs_pack_interior *l, double mu)
{
    double primal = 1 / NEAR_EDGE, dual = 1 / NEAR_EDGE;

    fill_system(l, mu);
    cs_cholesky_factor(l->matrix, l->rows);
    memcpy(l->to_price, l->side, (size_t)l->rows * sizeof *l->side);
    cs_cholesky_solve(l->matrix, l->rows, l->to_price);
    for (int a = 0; a < l->columns; a++) {
        struct cs_pack_inner *column = &l->column[a];
        double worth = sum_of(column, l->to_price);

        column->to_reduced = column->away - worth;
        column->to_weight += column->weight / column->reduced * worth;
        primal = interior_limit(primal, column->weight, column->to_weight);
        dual = interior_limit(dual, column->reduced, column->to_reduced);
    }
    for (int r = 0; r < l->rows; r++) {
        l->to_surplus[r] = (mu - l->surplus[r] * l->to_price[r]) / l->price[r] - l->surplus[r];
        primal = interior_limit(primal, l->surplus[r], l->to_surplus[r]);
        dual = interior_limit(dual, l->price[r], l->to_price[r]);
    }
    primal *= NEAR_EDGE;
    dual *= NEAR_EDGE;
    for (int a = 0; a < l->columns; a++) {
        l->column[a].weight += primal * l->column[a].to_weight;
        l->column[a].reduced += dual * l->column[a].to_reduced;
    }
    for (int r = 0; r < l->rows; r++) {
        l->surplus[r] += primal * l->to_surplus[r];
        l->price[r] += dual * l->to_price[r];
    }
}

static double interior_complementarity(const struct cs_pack_interior *l)
{
    double sum = 0;

    for (int a = 0; a < l->columns; a++)
        sum += l->column[a].weight * l->column[a].reduced;
    for (int r = 0; r < l->rows; r++)
        sum += l->surplus[r] * l->price[r];
    return sum;
}

double cs_pack_interior_solve(struct cs_pack_interior *l, double mu)
{
    double missing = INFINITY, value = 0;

    for (int s = 0; s < l->steps; s++) {
        interior_step(l, mu);
        missing = interior_measure(l);
        if (missing < COVERED && interior_complementarity(l) < 2 * mu * (l->columns + l->rows))
            break;
    }
    for (int a = 0; a < l->columns; a++)
        value += l->column[a].cost * l->column[a].weight;
    return missing < NOT_COVERED ? value : INFINITY;
}

void cs_pack_interior_trim(struct cs_pack_interior *l, double share)
{
    int kept = 0;

    for (int a = 0; a < l->columns; a++) {
        if (l->column[a].count == 1 || l->column[a].reduced <= share * l->column[a].cost)
            l->column[kept++] = l->column[a];
    }
    l->columns = kept;
}

static void cut_rows(struct cs_pack_interior *l, const int *pack_of)
{
    int rows = 0;

    for (int i = 0; i < l->c->tasks; i++) {
        const int row = l->row_of[i];

        if (row < 0)
            continue;
        l->row_of[i] = pack_of[i] < 0 ? rows : -1;
        if (pack_of[i] >= 0)
            continue;
        l->price[rows] = l->price[row];
        l->center[rows] = l->center[row];
        l->stiff[rows] = l->stiff[row];
        l->right[rows] = l->right[row];
        l->surplus[rows++] = l->surplus[row];
    }
    l->rows = l->first = rows;
}

/* Reduce the column to the tasks that still have a row.  False if no task has one. */
static bool cut_column(struct cs_pack_interior *l, struct cs_pack_inner *column)
{
    int count = 0;

    for (int e = 0; e < column->count; e++) {
        if (l->row_of[column->task[e]] >= 0)
            column->task[count++] = column->task[e];
    }
    if (count != column->count && count) {
        column->candidate = cs_pack_candidates_fit(l->c, column->task, count, 0);
        column->cost = l->c->cost[column->candidate] / l->scale;
    }
    column->count = count;
    if (count)
        find_entries(l, column);
    return count > 0;
}

void cs_pack_interior_cut(struct cs_pack_interior *l, const int *pack_of)
{
    int kept = 0;

    cut_rows(l, pack_of);
    for (int a = 0; a < l->columns; a++) {
        if (cut_column(l, &l->column[a]))
            l->column[kept++] = l->column[a];
    }
    l->columns = kept;
}
