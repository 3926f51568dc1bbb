/* bundle.c - one round: price, keep the best proof, add packs, some steps towards better prices.
 *
 * Source: a proximal bundle method on the program of docs/spec/pack.md, Part II 2.3, with Farley's
 * bound; measured in bench/README.md, "Packs of many tasks, as measured".
 *
 * Invariants: the centre proves `bound`: it is divided by theta, so no pack is worth more than its
 * cost there; the bound never falls between two calls of begin; `hope` and `away` are
 * estimates of what is left, no proofs.  All draws come from `rng`.
 * Complexity of a round: one search over the costs (price.c), `apart` sets of knapsacks, and
 * `steps` Newton steps of rows^3 / 6 multiplications each.
 *
 * constant      value  unit      found by               half, double
 * STIFF           100  relative  bench, 1,000 tasks     300: equal; half: not measured
 * APART             4  sets      bench, 1,000 tasks     2: gaps of 0.17 to 0.2 % instead of 0.15 %
 *                                                       when packs are packed again; 8: equal
 * STEPS             4  steps     bench, 1,000 tasks     3: the bound ends early, at 714,305 s
 * COLUMNS           8  per row   bench                  fewer: noise; double: not measured
 * trim share     0.02  relative  bench                  0.002: dives end 0.3 to 0.6 % above the
 *                                                       program instead of 0.15 to 0.25 %
 * LEAST_STIFF       2  relative  not recorded           not measured
 * MOST_STIFF     2000  relative  not recorded           not measured
 * LOOSER          0.8  factor    not recorded           not measured
 * STIFFER         1.3  factor    not recorded           not measured
 * FLOOR          0.05  of mean   not recorded           not measured
 * SLACK          2e-5  relative  not recorded           not measured
 * WORTH          0.95  relative  not recorded           not measured
 * SHARE           0.2  relative  not recorded           not measured
 * MOST_HOPE      0.01  relative  not recorded           not measured
 * LEAST_HOPE     2e-6  relative  not recorded           not measured
 * WRONG          0.05  relative  not recorded           not measured
 */
#include "problems/pack/bundle.h"

#include <math.h>
#include <string.h>

#define STIFF 100.0
#define LEAST_STIFF 2.0
#define MOST_STIFF 2000.0
#define LOOSER 0.8     /* where the bound rises, */
#define STIFFER 1.3    /* where not */
#define FLOOR 0.05     /* of the mean: cheaper rows are no less stiff */
#define STEPS 4        /* of Newton, a round */
#define SLACK 2e-5     /* relative, of pricing */
#define APART 4        /* times that packs without common tasks are priced, a round */
#define WORTH 0.95     /* a pack is worth so much of its cost, or is not added */
#define COLUMNS 8      /* for every row: beyond so many the costly ones are dropped */
#define EXPENSIVE 0.02 /* relative */
#define SHARE 0.2      /* of what is hoped for, that complementarity is brought down to */
#define MOST_HOPE 0.01
#define LEAST_HOPE 2e-6
#define LEAST_PRICE 1e-9
#define WRONG 0.05 /* relative: what prices may be off */

void cs_pack_bundle_init(struct cs_pack_bundle *b, const struct cs_pack_candidates *c,
                         const struct cs_pack_hats *hats, int thresholds, double scale,
                         struct cs_rng *rng, struct cs_arena *arena)
{
    *b = (struct cs_pack_bundle){.rng = rng, .stiff = STIFF, .apart = APART};
    cs_pack_price_init(&b->price, c, arena);
    b->price.slack = SLACK;
    cs_pack_interior_init(&b->master, c, hats, thresholds, scale, arena);
    b->master.steps = STEPS;
    b->worth = CS_NEW_ARRAY(arena, double, c->tasks);
    b->left = CS_NEW_ARRAY(arena, double, c->tasks);
    b->task = CS_NEW_ARRAY(arena, int, c->tasks);
    b->drawn = CS_NEW_ARRAY(arena, int, c->tasks);
    b->bonus = CS_NEW_ARRAY(arena, double, thresholds);
}

void cs_pack_bundle_seed(struct cs_pack_bundle *b, const int *task, int count)
{
    const int v = cs_pack_candidates_fit(b->master.c, task, count, 0);

    if (v < b->master.c->count)
        cs_pack_interior_add(&b->master, v, task, count);
}

/* The worth of every plan at the prices, scaled. */
static double worth_of_plan(const struct cs_pack_interior *l)
{
    double sum = 0;

    for (int r = 0; r < l->rows; r++)
        sum += l->price[r] * l->right[r];
    return sum;
}

/* The deviation of the weighted rows from their right side, at the prices of the centre. */
static double not_met(const struct cs_pack_interior *l)
{
    double sum = 0;

    for (int r = 0; r < l->rows; r++)
        sum += l->center[r] * l->stiff[r] * fabs(l->price[r] - l->center[r]);
    return sum;
}

double cs_pack_bundle_caveat(const struct cs_pack_bundle *b)
{
    return fabs(b->hope) + WRONG * b->away;
}

/* Rows are as stiff as they are long, for a change that is relative to their price. */
static void set_stiff(struct cs_pack_bundle *b)
{
    struct cs_pack_interior *l = &b->master;
    double mean = 0;

    for (int r = 0; r < l->first; r++)
        mean += l->center[r] / l->first;
    for (int r = 0; r < l->rows; r++) {
        const double packs = r < l->first ? 1 : (double)l->first / 10;

        l->stiff[r] =
            b->stiff * fmax(1, fabs(l->right[r])) / fmax(l->center[r], packs * FLOOR * mean);
    }
}

void cs_pack_bundle_begin(struct cs_pack_bundle *b)
{
    b->bound = 0;
    b->hope = MOST_HOPE;
    b->away = 1;
    for (int r = 0; r < b->master.rows; r++)
        b->master.price[r] = fmax(b->master.price[r], LEAST_PRICE);
    memcpy(b->master.center, b->master.price, (size_t)b->master.rows * sizeof(double));
}

/* The prices as the search wants them. */
static struct cs_pack_prices report_prices(struct cs_pack_bundle *b)
{
    const struct cs_pack_interior *l = &b->master;

    for (int i = 0; i < l->c->tasks; i++)
        b->worth[i] = cs_pack_interior_price(l, i, l->price) * l->scale;
    for (int k = 0; k < l->rows - l->first; k++)
        b->bonus[k] = l->sense[k] * l->price[l->first + k] * l->scale;
    return (struct cs_pack_prices){b->worth, l->rows - l->first, l->threshold, b->bonus};
}

/* Price, move the centre where that proves more, and bring the prices to where no pack is worth
 * more than it costs. */
static void bundle_ask(struct cs_pack_bundle *b, const struct cs_pack_prices *prices)
{
    struct cs_pack_interior *l = &b->master;
    const double theta = cs_pack_price_search(&b->price, prices, 0.9);
    const double bound = worth_of_plan(l) / theta, factor = fmin(1, 1 / (theta * 1.0005));

    if (bound > b->bound) {
        b->bound = bound;
        for (int r = 0; r < l->rows; r++)
            l->center[r] = l->price[r] / theta;
        b->stiff = fmax(LEAST_STIFF, b->stiff * LOOSER);
    } else {
        b->stiff = fmin(MOST_STIFF, b->stiff * STIFFER);
    }
    for (int r = 0; r < l->rows; r++)
        l->price[r] *= factor;
}

static void add_best(struct cs_pack_bundle *b, const struct cs_pack_prices *prices)
{
    for (int k = 0; k < CS_PACK_PRICE_BLOCKS; k++) {
        int v, count;

        if (b->price.where[k] < 0)
            continue;
        count = cs_pack_price_column(&b->price, prices, k, &v, b->task);
        if (count)
            cs_pack_interior_add(&b->master, v, b->task, count);
    }
}

/* Costs of packs, each as often as chance and its weight will have it, in random order. */
static int draw_costs(struct cs_pack_bundle *b, int columns)
{
    int count = 0;

    for (int a = 0; a < columns && count < b->master.c->tasks; a++) {
        if (cs_rng_uniform(b->rng) < b->master.column[a].weight)
            b->drawn[count++] = b->master.column[a].candidate;
    }
    cs_rng_shuffle(b->rng, b->drawn, count);
    return count;
}

/* The best packs of such costs that have no task in common. */
static void add_apart(struct cs_pack_bundle *b, int columns)
{
    const struct cs_pack_candidates *c = b->master.c;
    const int drawn = draw_costs(b, columns);

    memcpy(b->left, b->worth, (size_t)c->tasks * sizeof *b->left);
    cs_pack_knapsack_set(&b->price.knapsack, b->left);
    for (int k = 0; k < drawn; k++) {
        double worth = 0;
        int count, v;

        count = cs_pack_knapsack_members(&b->price.knapsack, b->drawn[k], b->task);
        for (int a = 0; a < count; a++) {
            worth += b->worth[b->task[a]];
            b->left[b->task[a]] = 0;
        }
        cs_pack_knapsack_discard(&b->price.knapsack);
        v = cs_pack_candidates_fit(c, b->task, count, 0);
        if (count && worth > WORTH * c->cost[v])
            cs_pack_interior_add(&b->master, v, b->task, count);
    }
}

void cs_pack_bundle_round(struct cs_pack_bundle *b)
{
    struct cs_pack_interior *l = &b->master;
    const bool first = b->bound == 0;
    const struct cs_pack_prices prices = report_prices(b);
    const int before = l->columns;
    double mu;

    bundle_ask(b, &prices);
    set_stiff(b);
    add_best(b, &prices);
    for (int k = 0; k < b->apart && !first; k++)
        add_apart(b, before);
    cs_pack_interior_allow(l);
    mu = b->bound * SHARE * fmin(fmax(b->hope, LEAST_HOPE), MOST_HOPE) / (l->columns + l->rows);
    if (first)
        cs_pack_interior_begin(l, mu);
    for (int a = before; a < l->columns; a++)
        l->column[a].weight = mu / l->column[a].reduced;
    cs_pack_interior_solve(l, mu);
    b->hope = worth_of_plan(l) / b->bound - 1;
    b->away = not_met(l) / b->bound;
    if (l->columns > COLUMNS * l->rows)
        cs_pack_interior_trim(l, EXPENSIVE);
}
