/* colgen.c - rounds of pricing at smoothed prices, Farley's bound after each.
 *
 * Source: docs/spec/pack.md, Part II 2.3; colgen.h states the program.
 *
 * Invariants: `bound` holds for the limits as they are, at any time; it is -infinity after a
 * restart; the centre is the prices that prove it, divided by theta, with no price against the
 * sense of its row; pricing adds a column only if it pays at the prices of the master (seeds are
 * always added).
 * Complexity: a round is a solve of the master and some searches over the costs (price.c); the
 * number of rounds has no useful bound, so patience and `most_rounds` end it.
 *
 * constant       value  unit      found by                 half, double
 * SMOOTHING        0.7  share     spec, Part II 2.3        not measured; halved within a round
 *                                                          until a column pays
 * PRECISE        1e-10  relative  rounding of sums         not measured
 * MANY_TASKS       128  tasks     not recorded             not measured
 * FIRST_KNOTS       12  knots     not recorded             not measured; doubled each stage
 * TASKS_A_KNOT       8  tasks     bench: 96 of 1,000       not measured
 * NEAR            2e-4  relative  not recorded             not measured
 * LAST_NEAR       1e-5  relative  not recorded             not measured
 */
#include "problems/pack/colgen.h"

#include "base/guard.h"
#include "problems/pack/approach.h"
#include "problems/pack/levels.h"
#include "problems/pack/policy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SMOOTHING 0.7
#define PRECISE 1e-10 /* relative: the bound equals the value */

/* Prices are shared at first by so many tasks; a stage ends when value and bound are so near, and
 * the stages when one gains less. */
#define MANY_TASKS 128
#define FIRST_KNOTS 12
#define TASKS_A_KNOT 8 /* fewer: a row each costs less */
#define NEAR 2e-4
#define LAST_NEAR 1e-5

bool cs_pack_colgen_possible(const struct cs_pack_instance *in)
{
    size_t tasks = (size_t)in->tasks->count, procs = (size_t)in->tasks->procs;

    return tasks <= CS_PACK_COLGEN_TASKS && procs <= CS_PACK_NEED_MAX &&
           tasks * procs <= CS_PACK_COLGEN_TIMES;
}

double cs_pack_colgen_most(const struct cs_pack_instance *in, const struct cs_pack_plan *plan,
                           struct cs_arena *scratch)
{
    double most = cs_pack_levels_ceiling(in, plan->total, scratch);

    for (int b = 0; b < plan->packs; b++)
        most = fmax(most, plan->cost[b]);
    return most;
}

static int colgen_falling(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x < y) - (x > y);
}

static void add_cardinality_rows(struct cs_pack_colgen *g)
{
    const struct cs_pack_candidates *c = g->c;
    struct cs_arena_mark mark = cs_arena_mark(g->scratch);
    double *least = CS_NEW_ARRAY(g->scratch, double, c->tasks);

    for (int i = 0; i < c->tasks; i++)
        least[i] = cs_pack_time(c->in, i, c->procs);
    qsort(least, (size_t)c->tasks, sizeof *least, colgen_falling);
    for (int r = 0; r * c->limit < c->tasks; r++)
        cs_pack_master_limit(g->master, cs_pack_candidates_find(c, least[r * c->limit]), r + 1,
                             INFINITY);
    cs_arena_rewind(g->scratch, mark);
}

static bool shared_at_first(const struct cs_pack_candidates *c)
{
    return c->tasks >= MANY_TASKS || !c->all;
}

static void colgen_seed(struct cs_pack_colgen *g, const int *task, int count);

void cs_pack_colgen_init(struct cs_pack_colgen *g, const struct cs_pack_candidates *c, double most)
{
    *g = (struct cs_pack_colgen){.c = c,
                                 .scale = most / 100,
                                 .arena = cs_arena_create(),
                                 .scratch = cs_arena_create(),
                                 .bound = -INFINITY,
                                 .knots = FIRST_KNOTS};
    cs_pack_price_init(&g->price, c, g->arena);
    g->hats = CS_NEW(g->arena, struct cs_pack_hats);
    if (shared_at_first(c))
        cs_pack_hats_shared(g->hats, c, FIRST_KNOTS, g->arena);
    else
        cs_pack_hats_single(g->hats, c->tasks, g->arena);
    g->master = cs_pack_master_create(c, g->hats, g->scale);
    add_cardinality_rows(g);
    for (int i = 0; i < c->tasks; i++)
        colgen_seed(g, &i, 1);
}

/* The columns and limits of the master, over other rows. */
static void change_rows(struct cs_pack_colgen *g, struct cs_pack_hats *hats)
{
    struct cs_pack_master *old = g->master;

    g->master = cs_pack_master_create(g->c, hats, g->scale);
    g->hats = hats;
    for (int row = g->c->tasks; row < cs_pack_master_rows(old); row++)
        cs_pack_master_limit(g->master, cs_pack_master_threshold(old, row),
                             cs_pack_master_low(old, row), cs_pack_master_high(old, row));
    for (int a = 0; a < cs_pack_master_columns(old); a++)
        cs_pack_master_add(g->master, cs_pack_master_column(old, a), 1);
    cs_pack_master_destroy(old);
    g->added = true;
}

bool cs_pack_colgen_is_full(const struct cs_pack_colgen *g)
{
    return g->hats->entries == 1;
}

void cs_pack_colgen_release(struct cs_pack_colgen *g)
{
    cs_pack_approach_destroy(g->approach);
    cs_pack_master_destroy(g->master);
    cs_arena_destroy(g->arena);
    cs_arena_destroy(g->scratch);
    cs_block_free(g->center);
}

/* A pack of these tasks (rising), at the least cost that holds them. */
static void colgen_seed(struct cs_pack_colgen *g, const int *task, int count)
{
    int v = cs_pack_candidates_fit(g->c, task, count, 0);

    if (v == g->c->count)
        return;
    cs_pack_master_add(g->master, &(struct cs_pack_column){v, count, task}, 1);
    g->added = true;
}

static int colgen_rising(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

void cs_pack_colgen_seed_plan(struct cs_pack_colgen *g, const struct cs_pack_plan *plan)
{
    struct cs_arena_mark mark = cs_arena_mark(g->scratch);
    int *task = CS_NEW_ARRAY(g->scratch, int, plan->tasks);

    memcpy(task, plan->task, (size_t)plan->tasks * sizeof *task);
    for (int b = 0; b < plan->packs; b++) {
        int first = plan->first[b], count = plan->first[b + 1] - first;

        qsort(task + first, (size_t)count, sizeof *task, colgen_rising);
        colgen_seed(g, task + first, count);
    }
    cs_arena_rewind(g->scratch, mark);
}

void cs_pack_colgen_restart(struct cs_pack_colgen *g, const double *center, int rows)
{
    g->bound = -INFINITY;
    g->center_rows = rows;
    if (g->center_room < rows) {
        g->center_room = 2 * rows;
        g->center = cs_block_resize(g->center, (size_t)g->center_room * sizeof *g->center);
    }
    if (rows)
        memmove(g->center, center, (size_t)rows * sizeof *center);
}

/* One round of pricing: prices by row, and as the search wants them. */
struct round {
    double *row; /* rows prices */
    int rows;
    struct cs_pack_prices prices;
    int *threshold, *which; /* sorted thresholds and their rows */
    int *task;              /* of one column */
    double *bonus;
};

static void sort_thresholds(const struct cs_pack_colgen *g, struct round *r)
{
    int count = 0;

    for (int row = g->c->tasks; row < r->rows; row++) {
        int v = cs_pack_master_threshold(g->master, row), a = count++;

        for (; a > 0 && r->threshold[a - 1] > v; a--) {
            r->threshold[a] = r->threshold[a - 1];
            r->which[a] = r->which[a - 1];
        }
        r->threshold[a] = v;
        r->which[a] = row;
    }
}

static void round_init(struct cs_pack_colgen *g, struct round *r)
{
    *r = (struct round){.rows = cs_pack_master_rows(g->master)};
    r->row = CS_NEW_ARRAY(g->scratch, double, r->rows);
    r->threshold = CS_NEW_ARRAY(g->scratch, int, r->rows);
    r->which = CS_NEW_ARRAY(g->scratch, int, r->rows);
    r->task = CS_NEW_ARRAY(g->scratch, int, g->c->limit);
    r->bonus = CS_NEW_ARRAY(g->scratch, double, r->rows);
    sort_thresholds(g, r);
}

/* Prices that a bound may use: none against the sense of its row. */
static double colgen_allowed(const struct cs_pack_colgen *g, int row, double price)
{
    if (price > 0)
        return cs_pack_master_low(g->master, row) > 0 ? price : 0;
    return isfinite(cs_pack_master_high(g->master, row)) ? price : 0;
}

static double worth_of(const struct cs_pack_colgen *g, const struct round *r)
{
    double sum = 0;

    for (int row = 0; row < r->rows; row++) {
        if (r->row[row] > 0)
            sum += r->row[row] * cs_pack_master_low(g->master, row);
        else if (r->row[row] < 0)
            sum += r->row[row] * cs_pack_master_high(g->master, row);
    }
    return sum;
}

/* Ask at share * center + (1 - share) * master's prices. */
static void colgen_mix(struct cs_pack_colgen *g, struct round *r, const double *master,
                       double share)
{
    int used = 0;

    for (int row = 0; row < r->rows; row++) {
        double center = row < g->center_rows ? g->center[row] : 0;

        r->row[row] = colgen_allowed(g, row, share * center + (1 - share) * master[row]);
    }
    for (int a = 0; a < r->rows - g->c->tasks; a++) {
        double bonus = r->row[r->which[a]];

        if (bonus == 0)
            continue;
        r->bonus[used] = bonus;
        r->threshold[used] = cs_pack_master_threshold(g->master, r->which[a]);
        used++;
    }
    r->prices = (struct cs_pack_prices){r->row, used, r->threshold, r->bonus};
}

static void improve_bound(struct cs_pack_colgen *g, const struct round *r, double theta)
{
    double bound = worth_of(g, r) / theta;

    if (!(bound > g->bound))
        return;
    cs_pack_colgen_restart(g, r->row, r->rows);
    for (int row = 0; row < r->rows; row++)
        g->center[row] /= theta;
    g->bound = bound;
}

/* How much more than its cost the master's prices pay for the column. */
static double colgen_profit(const struct cs_pack_colgen *g, const double *master, int v,
                            const int *task, int count)
{
    double worth = -g->c->cost[v];

    for (int a = 0; a < count; a++)
        worth += master[task[a]];
    for (int row = g->c->tasks; row < cs_pack_master_rows(g->master); row++) {
        if (cs_pack_master_threshold(g->master, row) <= v)
            worth += master[row];
    }
    return worth;
}

static int add_columns(struct cs_pack_colgen *g, const struct round *r, const double *master)
{
    int added = 0, *task = r->task;

    for (int b = 0; b < CS_PACK_PRICE_BLOCKS; b++) {
        int v, count;

        if (g->price.where[b] < 0)
            continue;
        count = cs_pack_price_column(&g->price, &r->prices, b, &v, task);
        if (colgen_profit(g, master, v, task, count) <= PRECISE * g->c->cost[v])
            continue;
        cs_pack_master_add(g->master, &(struct cs_pack_column){v, count, task}, 1);
        added++;
    }
    return added;
}

/* Price at less and less smoothed prices until a column pays under the master's. */
static int colgen_generate(struct cs_pack_colgen *g, struct round *r, const double *master,
                           double target)
{
    int added = 0;

    for (double share = g->center_rows ? SMOOTHING : 0; !added;
         share = share > 0.2 ? share / 2 : 0) {
        double theta;

        colgen_mix(g, r, master, share);
        theta = cs_pack_price_search(&g->price, &r->prices, 1);
        improve_bound(g, r, theta);
        if (g->bound >= target)
            return 0;
        added = add_columns(g, r, master);
        if (share == 0)
            break;
    }
    return added;
}

enum cs_pack_colgen_end cs_pack_colgen_run(struct cs_pack_colgen *g, double target,
                                           const struct cs_policy_context *context)
{
    struct cs_arena_mark mark = cs_arena_mark(g->scratch);
    enum cs_pack_colgen_end end = CS_PACK_COLGEN_EXPIRED;
    struct round r;
    double *master;

    round_init(g, &r);
    master = CS_NEW_ARRAY(g->scratch, double, r.rows);
    while (!cs_pack_expired(context)) {
        if (!cs_pack_master_solve(g->master, g->added, context, &g->value))
            break;
        cs_pack_master_prices(g->master, master);
        g->rounds++;
        g->added = colgen_generate(g, &r, master, target) > 0;
        if (g->bound >= target) {
            end = CS_PACK_COLGEN_REACHED;
            break;
        }
        if (!g->added || g->bound >= g->value * (1 - fmax(g->tolerance, PRECISE))) {
            end = CS_PACK_COLGEN_DONE;
            break;
        }
        if (g->rounds == g->most_rounds) {
            end = CS_PACK_COLGEN_ROUGH;
            break;
        }
    }
    cs_arena_rewind(g->scratch, mark);
    return end;
}

/* The best prices again, priced exactly. */
static void prove_center(struct cs_pack_colgen *g)
{
    struct cs_arena_mark mark = cs_arena_mark(g->scratch);
    struct round r;

    if (!g->center_rows)
        return;
    round_init(g, &r);
    colgen_mix(g, &r, g->center, 1);
    improve_bound(g, &r, cs_pack_price_search(&g->price, &r.prices, 0.5));
    cs_arena_rewind(g->scratch, mark);
}

/* Prices shared between `knots` in each order. */
static enum cs_pack_colgen_end run_shared(struct cs_pack_colgen *g, int knots, double target,
                                          const struct cs_policy_context *context)
{
    struct cs_pack_hats *hats = CS_NEW(g->arena, struct cs_pack_hats);
    enum cs_pack_colgen_end end;

    if (knots > FIRST_KNOTS) {
        cs_pack_hats_shared(hats, g->c, knots, g->arena);
        change_rows(g, hats);
    }
    g->tolerance = NEAR;
    g->price.slack = NEAR;
    end = cs_pack_colgen_run(g, target, context);
    g->tolerance = g->price.slack = 0;
    prove_center(g);
    return g->bound >= target ? CS_PACK_COLGEN_REACHED : end;
}

static bool worth_sharing(const struct cs_pack_colgen *g)
{
    if (g->shared || cs_pack_colgen_is_full(g))
        return false;
    return g->knots == FIRST_KNOTS ||
           (g->knots * TASKS_A_KNOT <= g->c->tasks && g->bound >= g->before * (1 + NEAR));
}

static enum cs_pack_colgen_end colgen_share(struct cs_pack_colgen *g, double target,
                                            const struct cs_policy_context *context)
{
    for (; worth_sharing(g); g->knots *= 2) {
        const double before = g->bound;
        enum cs_pack_colgen_end end;

        end = run_shared(g, g->knots, target, context);
        if (end != CS_PACK_COLGEN_DONE)
            return end;
        g->before = before;
    }
    g->shared = true;
    return CS_PACK_COLGEN_DONE;
}

/* Prices for all that is left: those of the bundle, then its packs for the master. */
static enum cs_pack_colgen_end colgen_approach(struct cs_pack_colgen *g, double near, double target,
                                               const struct cs_policy_context *context)
{
    enum cs_pack_colgen_end end;

    if (!g->approach)
        g->approach = cs_pack_approach_create(g);
    end = cs_pack_approach_run(g->approach, near, target, context);
    prove_center(g);
    return g->bound >= target ? CS_PACK_COLGEN_REACHED : end;
}

enum cs_pack_colgen_end cs_pack_colgen_near(struct cs_pack_colgen *g, double near, double target,
                                            const struct cs_policy_context *context)
{
    if (g->shared || cs_pack_colgen_is_full(g))
        return CS_PACK_COLGEN_DONE;
    if (cs_pack_approach_possible(g))
        return colgen_approach(g, near, target, context);
    return colgen_share(g, target, context);
}

/* The master has what the approach found, which is over. */
static void end_approach(struct cs_pack_colgen *g)
{
    if (g->approach)
        cs_pack_approach_give(g->approach);
    cs_pack_approach_destroy(g->approach);
    g->approach = NULL;
    g->shared = true;
}

enum cs_pack_colgen_end cs_pack_colgen_root(struct cs_pack_colgen *g, double target,
                                            const struct cs_policy_context *context)
{
    enum cs_pack_colgen_end end = cs_pack_colgen_near(g, LAST_NEAR, target, context);

    if (end != CS_PACK_COLGEN_DONE || !g->c->all)
        return end;
    end_approach(g);
    if (!cs_pack_colgen_is_full(g)) {
        struct cs_pack_hats *hats = CS_NEW(g->arena, struct cs_pack_hats);

        cs_pack_hats_single(hats, g->c->tasks, g->arena);
        change_rows(g, hats);
    }
    return cs_pack_colgen_run(g, target, context);
}
