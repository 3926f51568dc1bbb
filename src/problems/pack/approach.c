/* approach.c - the stages of the bundle method: shared prices, then a row for each task.
 *
 * Source: bundle.h and hats.h; measured in bench/README.md, "Packs of many tasks, as measured".
 *
 * Tasks first share the prices of some knots, then the SOME_OWN most expensive tasks have a price
 * each, then all of up to OWN tasks.  Each stage begins with the prices of the stage before and
 * with the packs that are worth nearly their cost.  A stage ends when little is left to gain, or
 * when WATCHED rounds gained nearly nothing.
 *
 * Invariants: g->bound and g->center are those of the best prices of any stage, so the bound never
 * falls; thresholds of the bundle rise; the draws use a fixed seed, not that of the context.
 * Complexity: rounds of bundle.c; at most OWN rows, or 2 ONLY_KNOTS + SOME_OWN rows for more tasks.
 *
 * constant       value  unit      found by                half, double
 * FIRST_KNOTS       48  knots     bench, 1,000 tasks      96 prove 714,140 s, 48 713,150 s (CLP)
 * ONLY_KNOTS       192  knots     bench, 5,000 tasks      not measured; 192 take 3 s
 * OWN             1500  tasks     rows^3 of a step        not measured
 * SOME_OWN         400  tasks     bench, 1,000 tasks      not measured for the bound
 * SHARED_STIFF      10  relative  bench                   0: no better bound after 20 s
 * MANY_TASKS       128  tasks     not recorded            not measured
 * LIMITS            64  limits    not recorded            not measured
 * LARGE             16  tasks     not recorded            not measured
 * TASKS_A_KNOT       4  tasks     not recorded            not measured
 * SHARED_START     0.4  share     two orders share        not measured
 * SHARED_NEAR     1e-4  relative  not recorded            not measured
 * SOME_NEAR       6e-3  relative  not recorded            not measured
 * WATCHED           10  rounds    not recorded            not measured
 * LITTLE           0.1  relative  not recorded            not measured
 * GOOD            0.05  relative  not recorded            not measured
 * GIVEN           2e-3  relative  not recorded            not measured
 */
#include "problems/pack/approach.h"

#include "base/guard.h"
#include "problems/pack/policy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PURPOSE 1103 /* of the random stream: which costs are drawn */
#define MANY_TASKS 128
#define LIMITS 64 /* on the number of packs */
#define LARGE 16  /* packs of so many tasks */
#define OWN 1500  /* tasks: more share prices */
#define FIRST_KNOTS 48
#define ONLY_KNOTS 192
#define SOME_OWN 400 /* tasks that do not share, before all of up to OWN */
#define TASKS_A_KNOT 4
#define SHARED_STIFF 10.0
#define SHARED_START 0.4 /* of what a plan costs: two orders share it */
#define SHARED_NEAR 1e-4 /* relative: then the costliest tasks have separate ones, */
#define SOME_NEAR 6e-3   /* and then all */
#define WATCHED 10       /* rounds that gain less than */
#define LITTLE 0.1       /* of what would be near enough are the last */
#define GOOD 0.05        /* relative: packs that cost so much more than their worth go along, */
#define SUPPLIED 2e-3    /* and these go to the master */

struct cs_pack_approach {
    struct cs_pack_colgen *g;
    struct cs_arena *arena;
    struct cs_rng rng;
    struct cs_pack_hats hats;
    struct cs_pack_bundle *bundle;
    int *row_of; /* of every threshold: the row of the master of `g` */
    double *center;
    int own; /* tasks with a row each */
};

/* Large packs: of the very many limits, which mean little, so many are enough. */
static bool is_left_out(const struct cs_pack_colgen *g, int row)
{
    const int limits = cs_pack_master_rows(g->master) - g->c->tasks;

    return limits > LIMITS && (row - g->c->tasks) % (1 + limits / LIMITS) != 0;
}

static bool has_limit(const struct cs_pack_colgen *g, int row, bool high)
{
    if (is_left_out(g, row))
        return false;
    return high ? isfinite(cs_pack_master_high(g->master, row))
                : cs_pack_master_low(g->master, row) > 0;
}

static int count_limits(const struct cs_pack_colgen *g)
{
    int count = 0;

    for (int row = g->c->tasks; row < cs_pack_master_rows(g->master); row++)
        count += has_limit(g, row, false) + has_limit(g, row, true);
    return count;
}

bool cs_pack_approach_possible(const struct cs_pack_colgen *g)
{
    return g->c->tasks >= MANY_TASKS &&
           (g->c->limit >= LARGE || cs_pack_master_rows(g->master) - g->c->tasks <= LIMITS);
}

/* A limit of the master is a threshold of the bundle, at its place among the rising. */
static void put_limit(struct cs_pack_approach *a, int count, int row, bool high)
{
    struct cs_pack_interior *l = &a->bundle->master;
    const int v = cs_pack_master_threshold(a->g->master, row);
    int k = count;

    for (; k > 0 && l->threshold[k - 1] > v; k--) {
        l->threshold[k] = l->threshold[k - 1];
        l->sense[k] = l->sense[k - 1];
        l->right[l->first + k] = l->right[l->first + k - 1];
        a->row_of[k] = a->row_of[k - 1];
    }
    l->threshold[k] = v;
    l->sense[k] = high ? -1 : 1;
    l->right[l->first + k] =
        high ? -cs_pack_master_high(a->g->master, row) : cs_pack_master_low(a->g->master, row);
    a->row_of[k] = row;
}

static void put_limits(struct cs_pack_approach *a)
{
    int count = 0;

    for (int row = a->g->c->tasks; row < cs_pack_master_rows(a->g->master); row++) {
        for (int high = 0; high <= 1; high++)
            if (has_limit(a->g, row, high))
                put_limit(a, count++, row, high);
    }
}

static void make_bundle(struct cs_pack_approach *a, const struct cs_pack_hats *hats)
{
    const int limits = count_limits(a->g);

    a->bundle = CS_NEW(a->arena, struct cs_pack_bundle);
    a->row_of = CS_NEW_ARRAY(a->arena, int, limits);
    a->center = CS_NEW_ARRAY(a->arena, double, cs_pack_master_rows(a->g->master));
    cs_pack_bundle_init(a->bundle, a->g->c, hats, limits, a->g->scale, &a->rng, a->arena);
    put_limits(a);
}

static void seed_from_master(struct cs_pack_approach *a)
{
    const struct cs_pack_master *master = a->g->master;

    for (int k = 0; k < cs_pack_master_columns(master); k++) {
        const struct cs_pack_column *column = cs_pack_master_column(master, k);

        cs_pack_interior_add(&a->bundle->master, column->candidate, column->task, column->count);
    }
}

struct cs_pack_approach *cs_pack_approach_create(struct cs_pack_colgen *g)
{
    struct cs_pack_approach *a = CS_NEW(g->arena, struct cs_pack_approach);
    const int tasks = g->c->tasks;
    int knots = tasks > OWN || !g->c->all ? ONLY_KNOTS : FIRST_KNOTS;

    *a = (struct cs_pack_approach){.g = g, .arena = cs_arena_create()};
    cs_rng_init(&a->rng, 1, PURPOSE, 0);
    if (knots > tasks / TASKS_A_KNOT)
        knots = tasks / TASKS_A_KNOT > 2 ? tasks / TASKS_A_KNOT : 2;
    cs_pack_hats_shared(&a->hats, g->c, knots, a->arena);
    make_bundle(a, &a->hats);
    a->bundle->stiff = SHARED_STIFF;
    a->bundle->apart = 0;
    for (int r = 0; r < a->hats.rows; r++)
        a->bundle->master.price[r] = SHARED_START * 100 / tasks;
    cs_pack_bundle_begin(a->bundle);
    seed_from_master(a);
    return a;
}

void cs_pack_approach_destroy(struct cs_pack_approach *a)
{
    if (a)
        cs_arena_destroy(a->arena);
}

/* The centre of the bundle is that of `g`. */
static void keep_center(struct cs_pack_approach *a)
{
    const struct cs_pack_interior *l = &a->bundle->master;
    const int rows = cs_pack_master_rows(a->g->master);

    if (!(a->bundle->bound * l->scale > a->g->bound))
        return;
    memset(a->center, 0, (size_t)rows * sizeof *a->center);
    for (int i = 0; i < l->c->tasks; i++)
        a->center[i] = cs_pack_interior_price(l, i, l->center) * l->scale;
    for (int k = 0; k < l->rows - l->first; k++)
        a->center[a->row_of[k]] += l->sense[k] * l->center[l->first + k] * l->scale;
    cs_pack_colgen_restart(a->g, a->center, rows);
    a->g->bound = a->bundle->bound * l->scale;
}

static enum cs_pack_colgen_end approach_run(struct cs_pack_approach *a, double near, double target,
                                            const struct cs_policy_context *context)
{
    double before = 0;

    for (int round = 0; cs_pack_bundle_caveat(a->bundle) > near; round++) {
        if (round > 0 && round % WATCHED == 0) {
            if (a->bundle->bound <= before * (1 + LITTLE * near))
                break;
            before = a->bundle->bound;
        }
        if (cs_pack_expired(context))
            return CS_PACK_COLGEN_EXPIRED;
        cs_pack_bundle_round(a->bundle);
        keep_center(a);
        if (a->g->bound >= target)
            return CS_PACK_COLGEN_REACHED;
    }
    return CS_PACK_COLGEN_DONE;
}

/* The same prices, when the costliest tasks leave the others (NULL: all do). */
static void take_prices(struct cs_pack_interior *l, const struct cs_pack_interior *old,
                        const double *worth)
{
    const struct cs_pack_hats *hats = l->hats;

    for (int i = 0; i < l->c->tasks; i++) {
        if (!hats)
            l->price[i] = worth[i];
        else if (cs_pack_hats_is_own(hats, i))
            l->price[hats->row[i * hats->entries]] = worth[i];
    }
    if (hats)
        memcpy(l->price + hats->own, old->center, (size_t)old->first * sizeof *l->price);
    memcpy(l->price + l->first, old->center + old->first,
           (size_t)(old->rows - old->first) * sizeof *l->price);
}

/* Give a separate price to `own` tasks; keep the packs that are worth their cost. */
static void give_own(struct cs_pack_approach *a, int own)
{
    const struct cs_pack_interior *old = &a->bundle->master;
    struct cs_pack_hats *hats = own < old->c->tasks ? CS_NEW(a->arena, struct cs_pack_hats) : NULL;
    double *worth = CS_NEW_ARRAY(a->arena, double, old->c->tasks);

    for (int i = 0; i < old->c->tasks; i++)
        worth[i] = cs_pack_interior_price(old, i, old->center);
    if (hats)
        cs_pack_hats_own(hats, old->hats, worth, own, a->arena);
    make_bundle(a, hats);
    take_prices(&a->bundle->master, old, worth);
    cs_pack_bundle_begin(a->bundle);
    for (int k = 0; k < old->columns; k++) {
        const struct cs_pack_inner *column = &old->column[k];

        if (column->count == 1 || column->reduced <= GOOD * column->cost)
            cs_pack_interior_add(&a->bundle->master, column->candidate, column->task,
                                 column->count);
    }
    a->own = own;
}

/* The number of tasks with a separate price in the step after the present one. */
static int next_own(const struct cs_pack_approach *a)
{
    const int tasks = a->g->c->tasks;
    const bool all = tasks <= OWN && a->g->c->all;

    if (a->own == 0 && tasks > SOME_OWN * 3 / 2)
        return SOME_OWN;
    return all ? tasks : a->own;
}

enum cs_pack_colgen_end cs_pack_approach_run(struct cs_pack_approach *a, double near, double target,
                                             const struct cs_policy_context *context)
{
    for (;;) {
        const int next = next_own(a);
        const double here = next == a->own ? near : a->own ? fmax(near, SOME_NEAR) : SHARED_NEAR;
        const enum cs_pack_colgen_end end = approach_run(a, here, target, context);

        if (end != CS_PACK_COLGEN_DONE || next == a->own || (a->own && near > SOME_NEAR))
            return end;
        give_own(a, next);
    }
}

void cs_pack_approach_give(const struct cs_pack_approach *a)
{
    const struct cs_pack_interior *l = &a->bundle->master;

    for (int k = 0; k < l->columns; k++) {
        const struct cs_pack_inner *column = &l->column[k];

        if (column->count > 1 && column->reduced <= SUPPLIED * column->cost)
            cs_pack_master_add(
                a->g->master,
                &(struct cs_pack_column){column->candidate, column->count, column->task}, 1);
    }
}
