/* master.c - the restricted master through CLP's C interface, warm started.
 *
 * Source: docs/spec/pack.md, Part II 2.3; docs/dev/decisions/linear-programs.md for CLP; the
 * exchange columns are dual-optimal inequalities (master.h).
 *
 * Invariants: what[] names every column of the LP, in its order; the slacks of the cover rows come
 * first, then the exchanges, then packs and the slacks of thresholds; slacks and exchanges are
 * never removed; an exchange is open only while both of its tasks are covered.
 * Complexity: O(n^2 p + n^3) once to find the exchanges; a solve is a simplex method without a
 * bound.
 *
 * constant      value  unit        found by                  half, double
 * COLUMNS          12  per row     bench, 200 tasks          40: 17 rounds a node instead of 49,
 *                                                            but longer ones; as many nodes
 * ITERATIONS     5000  iterations  a poll costs little       not measured; reaction time only
 * SLACK_PRICE    1000  scaled      a plan costs about 100    not measured
 */
#include "problems/pack/master.h"

#include "base/bug.h"
#include "base/guard.h"
#include "problems/pack/coin_table.h"
#include "problems/pack/policy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 12         /* for every row: beyond so many the costlier half is dropped */
#define ITERATIONS 5000    /* of the simplex, between two polls */
#define SLACK_PRICE 1000.0 /* scaled; a whole plan costs about 100 */

enum { SLACK = -1, EXCHANGE = -2 };
enum { BASIC = 1, AT_LOWER = 3 }; /* CLP's words */

struct cs_pack_master {
    struct cs_guarded guarded; /* first: the linear program */
    const struct cs_pack_candidates *c;
    const struct cs_pack_hats *hats;
    double scale;
    Clp_Simplex *lp;
    struct cs_arena *arena; /* columns and their tasks */
    struct cs_pack_column *column;
    int columns, column_room;
    double *weight;
    int *what; /* of every column of the LP: SLACK, EXCHANGE or which pack */
    int lp_columns, lp_room;
    int (*exchange)[2]; /* the tasks of LP column tasks + e */
    int exchanges, exchange_room;
    int *threshold;
    double *low, *high; /* of the rows after the cover rows */
    int thresholds, threshold_room;
};

static void *master_grow(void *old, int *room, int want, size_t size)
{
    if (want <= *room)
        return old;
    *room = want > 2 * *room ? want : 2 * *room;
    return cs_block_resize(old, (size_t)*room * size);
}

static void add_lp_column(struct cs_pack_master *m, int what, double cost, int count,
                          const int *row, const double *value)
{
    double low = 0, high = INFINITY;
    CoinBigIndex start[2] = {0, count};

    m->what = master_grow(m->what, &m->lp_room, m->lp_columns + 1, sizeof *m->what);
    m->what[m->lp_columns++] = what;
    cs_pack_coin.Clp_addColumns(m->lp, 1, &low, &high, &cost, start, row, value);
}

static void add_cover_rows(struct cs_pack_master *m)
{
    double one = 1, high = INFINITY, *low = cs_block_zero((size_t)m->hats->rows + 1, sizeof *low);
    CoinBigIndex start[2] = {0, 0};
    int none = 0;

    for (int i = 0; i < m->c->tasks; i++)
        cs_pack_hats_add(m->hats, &i, 1, low);
    for (int row = 0; row < m->hats->rows; row++)
        cs_pack_coin.Clp_addRows(m->lp, 1, &low[row], &high, start, &none, &one);
    for (int row = 0; row < m->hats->rows; row++)
        add_lp_column(m, SLACK, SLACK_PRICE, 1, &row, &one);
    cs_block_free(low);
}

/* Is task a never faster than b?  Equal tasks: the lower index counts as slower. */
static bool master_dominates(const struct cs_pack_candidates *c, int a, int b)
{
    bool equal = true;

    for (int j = 1; j <= c->procs; j++) {
        double x = cs_pack_time(c->in, a, j), y = cs_pack_time(c->in, b, j);

        if (x < y)
            return false;
        equal &= x == y;
    }
    return !equal || a < b;
}

/* Only pairs without a task in between: the others follow. */
static bool master_immediate(const uint8_t *over, int tasks, int a, int b)
{
    for (int i = 0; i < tasks; i++) {
        if (over[a * tasks + i] && over[i * tasks + b])
            return false;
    }
    return true;
}

static void add_exchange(struct cs_pack_master *m, int a, int b)
{
    m->exchange =
        master_grow(m->exchange, &m->exchange_room, m->exchanges + 1, sizeof *m->exchange);
    m->exchange[m->exchanges][0] = a;
    m->exchange[m->exchanges++][1] = b;
    add_lp_column(m, EXCHANGE, 0, 2, (int[]){a, b}, (double[]){-1, 1});
}

static void add_exchanges(struct cs_pack_master *m)
{
    int tasks = m->c->tasks;
    uint8_t *over = cs_block_zero((size_t)tasks * (size_t)tasks + 1, 1);

    for (int a = 0; a < tasks; a++) {
        for (int b = 0; b < tasks; b++)
            over[a * tasks + b] = a != b && master_dominates(m->c, a, b);
    }
    for (int a = 0; a < tasks; a++) {
        for (int b = 0; b < tasks; b++) {
            if (over[a * tasks + b] && master_immediate(over, tasks, a, b))
                add_exchange(m, a, b);
        }
    }
    cs_block_free(over);
}

static bool row_for_each_task(const struct cs_pack_master *m)
{
    return m->hats->entries == 1;
}

static void drop_lp(struct cs_guarded *master)
{
    Clp_Simplex *lp = ((struct cs_pack_master *)(void *)master)->lp;

    if (!cs_pack_coin_is_broken(lp))
        cs_pack_coin.Clp_deleteModel(lp);
}

struct cs_pack_master *cs_pack_master_create(const struct cs_pack_candidates *c,
                                             const struct cs_pack_hats *hats, double scale)
{
    struct cs_pack_master *m = cs_block_zero(1, sizeof *m);

    CS_REQUIRE(!cs_pack_coin_load(NULL));
    m->c = c;
    m->hats = hats;
    m->scale = scale;
    m->arena = cs_arena_create();
    m->lp = cs_pack_coin.Clp_newModel();
    cs_guard_keep(&m->guarded, drop_lp);
    cs_pack_coin.Clp_setLogLevel(m->lp, 0);
    cs_pack_coin.Clp_scaling(m->lp, 0);
    cs_pack_coin.Clp_setDualTolerance(m->lp, 1e-9);
    cs_pack_coin.Clp_setPrimalTolerance(m->lp, 1e-9);
    add_cover_rows(m);
    if (row_for_each_task(m))
        add_exchanges(m);
    return m;
}

void cs_pack_master_destroy(struct cs_pack_master *m)
{
    if (!m)
        return;
    cs_guard_discard(&m->guarded);
    cs_pack_coin.Clp_deleteModel(m->lp);
    cs_arena_destroy(m->arena);
    cs_block_free(m->column);
    cs_block_free(m->weight);
    cs_block_free(m->what);
    cs_block_free(m->exchange);
    cs_block_free(m->threshold);
    cs_block_free(m->low);
    cs_block_free(m->high);
    cs_block_free(m);
}

static void copy_column(struct cs_pack_master *m, const struct cs_pack_column *from)
{
    int *task = CS_NEW_ARRAY(m->arena, int, from->count);
    int room = m->column_room;

    memcpy(task, from->task, (size_t)from->count * sizeof *task);
    m->column = master_grow(m->column, &m->column_room, m->columns + 1, sizeof *m->column);
    m->weight = master_grow(m->weight, &room, m->columns + 1, sizeof *m->weight);
    m->weight[m->columns] = 0;
    m->column[m->columns++] = (struct cs_pack_column){from->candidate, from->count, task};
}

/* The rows in which the column is, and its coefficients there; `sum`: zeros, for every cover row.
 */
static int put_rows(const struct cs_pack_master *m, const struct cs_pack_column *from, double *sum,
                    int *row, double *value)
{
    int count = 0;

    cs_pack_hats_add(m->hats, from->task, from->count, sum);
    for (int r = 0; r < m->hats->rows; r++) {
        if (sum[r] == 0)
            continue;
        value[count] = sum[r];
        row[count++] = r;
        sum[r] = 0;
    }
    for (int r = 0; r < m->thresholds; r++) {
        if (from->candidate < m->threshold[r])
            continue;
        value[count] = 1;
        row[count++] = m->hats->rows + r;
    }
    return count;
}

void cs_pack_master_add(struct cs_pack_master *m, const struct cs_pack_column *column, int count)
{
    size_t rows = (size_t)(m->hats->rows + m->thresholds) + 1;
    int *row = cs_block_resize(NULL, rows * sizeof *row);
    double *value = cs_block_resize(NULL, rows * sizeof *value);
    double *sum = cs_block_zero(rows, sizeof *sum);

    for (int a = 0; a < count; a++) {
        copy_column(m, &column[a]);
        add_lp_column(m, m->columns - 1, m->c->cost[column[a].candidate] / m->scale,
                      put_rows(m, &column[a], sum, row, value), row, value);
    }
    cs_block_free(row);
    cs_block_free(value);
    cs_block_free(sum);
}

static void add_threshold_row(struct cs_pack_master *m, int v)
{
    double low = -INFINITY, high = INFINITY, one = 1;
    size_t most = (size_t)m->lp_columns + 1;
    int *column = cs_block_resize(NULL, most * sizeof *column), count = 0;
    double *ones = cs_block_resize(NULL, most * sizeof *ones);
    int row = m->hats->rows + m->thresholds;

    for (int j = 0; j < m->lp_columns; j++) {
        if (m->what[j] >= 0 && m->column[m->what[j]].candidate >= v) {
            ones[count] = 1;
            column[count++] = j;
        }
    }
    cs_pack_coin.Clp_addRows(m->lp, 1, &low, &high, (CoinBigIndex[]){0, count}, column, ones);
    add_lp_column(m, SLACK, SLACK_PRICE, 1, &row, &one);
    cs_block_free(column);
    cs_block_free(ones);
}

static int find_threshold(struct cs_pack_master *m, int v)
{
    int room = m->threshold_room;

    for (int r = 0; r < m->thresholds; r++) {
        if (m->threshold[r] == v)
            return r;
    }
    add_threshold_row(m, v);
    m->threshold =
        master_grow(m->threshold, &m->threshold_room, m->thresholds + 1, sizeof *m->threshold);
    m->low = master_grow(m->low, &(int){room}, m->thresholds + 1, sizeof *m->low);
    m->high = master_grow(m->high, &(int){room}, m->thresholds + 1, sizeof *m->high);
    m->threshold[m->thresholds] = v;
    return m->thresholds++;
}

void cs_pack_master_limit(struct cs_pack_master *m, int v, double low, double high)
{
    int r = find_threshold(m, v), row = m->hats->rows + r;

    m->low[r] = low;
    m->high[r] = high;
    cs_pack_coin.Clp_rowLower(m->lp)[row] = low > 0 ? low : -INFINITY;
    cs_pack_coin.Clp_rowUpper(m->lp)[row] = high;
}

/* CLP stops after so many iterations; called again, it continues from there. */
static bool master_optimize(struct cs_pack_master *m, bool primal,
                            const struct cs_policy_context *context)
{
    do {
        cs_pack_coin.Clp_setMaximumIterations(m->lp, ITERATIONS);
        if (primal)
            cs_pack_coin.Clp_primal(m->lp, 0);
        else
            cs_pack_coin.Clp_dual(m->lp, 0);
        primal = true;
    } while (cs_pack_coin.Clp_status(m->lp) == 3 && !cs_pack_expired(context));
    return cs_pack_coin.Clp_status(m->lp) == 0;
}

/* From the slacks, where the last basis leads nowhere. */
static bool optimize_afresh(struct cs_pack_master *m, const struct cs_policy_context *context)
{
    for (int row = 0; row < m->hats->rows + m->thresholds; row++)
        cs_pack_coin.Clp_setRowStatus(m->lp, row, BASIC);
    for (int j = 0; j < m->lp_columns; j++)
        cs_pack_coin.Clp_setColumnStatus(m->lp, j, AT_LOWER);
    return master_optimize(m, true, context);
}

void cs_pack_master_cover(struct cs_pack_master *m, int task, double low)
{
    cs_pack_coin.Clp_rowLower(m->lp)[task] = low > 0 ? low : -INFINITY;
    for (int e = 0; e < m->exchanges; e++) {
        int a = m->exchange[e][0], b = m->exchange[e][1];
        bool both = cs_pack_master_low(m, a) > 0 && cs_pack_master_low(m, b) > 0;

        if (a == task || b == task)
            cs_pack_coin.Clp_columnUpper(m->lp)[m->c->tasks + e] = both ? INFINITY : 0;
    }
}

bool cs_pack_master_solve(struct cs_pack_master *m, bool primal,
                          const struct cs_policy_context *context, double *value)
{
    const double *solution;

    if (!master_optimize(m, primal, context) &&
        (cs_pack_expired(context) || !optimize_afresh(m, context)))
        return false;
    solution = cs_pack_coin.Clp_primalColumnSolution(m->lp);
    for (int j = 0; j < m->lp_columns; j++) {
        if (m->what[j] >= 0)
            m->weight[m->what[j]] = solution[j];
    }
    *value = cs_pack_coin.Clp_objectiveValue(m->lp) * m->scale;
    return true;
}

static int master_rising(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Half of the packs have a reduced cost of at most this. */
static double median_cost(const struct cs_pack_master *m, const double *reduced)
{
    double *cost = cs_block_resize(NULL, (size_t)m->columns * sizeof *cost), median;
    int count = 0;

    for (int j = 0; j < m->lp_columns; j++) {
        if (m->what[j] >= 0)
            cost[count++] = reduced[j];
    }
    qsort(cost, (size_t)count, sizeof *cost, master_rising);
    median = cost[count / 2];
    cs_block_free(cost);
    return median;
}

/* Keep LP column j, now the `at`-th, and its pack. */
static void keep_column(struct cs_pack_master *m, int j, int at, int *packs)
{
    int a = m->what[j];

    m->what[at] = a;
    if (a < 0)
        return;
    m->column[*packs] = m->column[a];
    m->weight[*packs] = m->weight[a];
    m->what[at] = (*packs)++;
}

void cs_pack_master_trim(struct cs_pack_master *m)
{
    const double *reduced = cs_pack_coin.Clp_dualColumnSolution(m->lp);
    int *gone, count = 0, kept = 0, packs = 0;
    double most;

    if (m->columns < COLUMNS * (m->hats->rows + m->thresholds))
        return;
    gone = cs_block_resize(NULL, (size_t)m->lp_columns * sizeof *gone);
    most = median_cost(m, reduced);
    for (int j = 0; j < m->lp_columns; j++) {
        if (m->what[j] >= 0 && reduced[j] > most &&
            cs_pack_coin.Clp_getColumnStatus(m->lp, j) == AT_LOWER)
            gone[count++] = j;
        else
            keep_column(m, j, kept++, &packs);
    }
    cs_pack_coin.Clp_deleteColumns(m->lp, count, gone);
    m->lp_columns = kept;
    m->columns = packs;
    cs_block_free(gone);
}

int cs_pack_master_rows(const struct cs_pack_master *m)
{
    return m->c->tasks + m->thresholds;
}

int cs_pack_master_threshold(const struct cs_pack_master *m, int row)
{
    return m->threshold[row - m->c->tasks];
}

double cs_pack_master_low(const struct cs_pack_master *m, int row)
{
    if (row >= m->c->tasks)
        return m->low[row - m->c->tasks];
    return row_for_each_task(m) ? fmax(0, cs_pack_coin.Clp_rowLower(m->lp)[row]) : 1;
}

double cs_pack_master_high(const struct cs_pack_master *m, int row)
{
    return row < m->c->tasks ? INFINITY : m->high[row - m->c->tasks];
}

void cs_pack_master_prices(const struct cs_pack_master *m, double *price)
{
    const double *dual = cs_pack_coin.Clp_dualRowSolution(m->lp);

    for (int i = 0; i < m->c->tasks; i++)
        price[i] = cs_pack_hats_price(m->hats, i, dual) * m->scale;
    for (int r = 0; r < m->thresholds; r++)
        price[m->c->tasks + r] = dual[m->hats->rows + r] * m->scale;
}

int cs_pack_master_columns(const struct cs_pack_master *m)
{
    return m->columns;
}

const struct cs_pack_column *cs_pack_master_column(const struct cs_pack_master *m, int a)
{
    return &m->column[a];
}

const double *cs_pack_master_weights(const struct cs_pack_master *m)
{
    return m->weight;
}
