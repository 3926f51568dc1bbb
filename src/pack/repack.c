/* repack.c - rounds of pricing at central prices, and the dive. */
#include "pack/repack.h"

#include "pack/interior.h"
#include "pack/pair.h"
#include "pack/price.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_ROUNDS 60
#define FIRST_NEAR 3e-3 /* relative: value and bound are near enough to dive */
#define ROUNDS 10       /* between two fixings */
#define NEAR 4e-3
#define SLACK 1e-4 /* relative, of pricing */
#define APART 4    /* times that packs without common tasks are priced, a round */
#define WORTH 0.95 /* a pack is worth so much of its cost, or is not added */
#define COLUMNS 12 /* for every row: beyond so many the dear ones are forgotten */
#define DEAR 0.15  /* relative */
#define SURE 0.8   /* packs of such weight are fixed together */
#define SHARE 0.1  /* of the gap, that complementarity is brought down to */
#define FIRST_GAP 0.05
#define LEAST_GAP 1e-6
#define MARGIN 1e-2 /* relative: how much dearer a dive may be to be improved by pairs */
#define LEAST_GAIN 1e-9

struct repack {
    const struct cs_pack_instance *in;
    const struct cs_policy_context *context;
    struct cs_rng *rng;
    struct cs_arena *arena;
    struct cs_pack_candidates c;
    struct cs_pack_price price;
    struct cs_pack_interior master;
    double *worth, *left; /* of every task: its price; the same while it is in no drawn pack */
    double *best;         /* of every row: the prices that prove most */
    int *task, *drawn;    /* scratch: a pack; costs that are drawn */
    int *pack_of, packs;  /* fixed: of every task, -1 while it has none */
};

/* The least share of the machine that the task takes, times its time: what it costs at least. */
static double least_area(const struct cs_pack_instance *in, int i)
{
    double least = INFINITY;

    for (int j = 1; j <= in->tasks->procs; j++)
        least =
            fmin(least, cs_pack_time(in, i, j) * fmax(j, (double)in->tasks->procs / in->pack_size));
    return least / in->tasks->procs;
}

static void add_pack(struct repack *r, const int *task, int count)
{
    int v = cs_pack_candidates_fit(&r->c, task, count, 0);

    if (v < r->c.count)
        cs_pack_interior_add(&r->master, v, task, count);
}

static int rising(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void seed(struct repack *r, const struct cs_pack_plan *plan)
{
    for (int i = 0; i < r->c.tasks; i++)
        add_pack(r, &i, 1);
    for (int b = 0; b < plan->packs; b++) {
        const int count = plan->first[b + 1] - plan->first[b];

        memcpy(r->task, plan->task + plan->first[b], (size_t)count * sizeof *r->task);
        qsort(r->task, (size_t)count, sizeof *r->task, rising);
        add_pack(r, r->task, count);
    }
}

static void repack_init(struct repack *r, const struct cs_pack_plan *plan)
{
    const int n = r->in->tasks->count;

    cs_pack_candidates_init(&r->c, r->in, plan->total, r->arena);
    cs_pack_price_init(&r->price, &r->c, r->arena);
    r->price.slack = SLACK;
    cs_pack_interior_init(&r->master, &r->c, NULL, 0, plan->total / 100, r->arena);
    r->worth = CS_NEW_ARRAY(r->arena, double, n);
    r->left = CS_NEW_ARRAY(r->arena, double, n);
    r->best = CS_NEW_ARRAY(r->arena, double, n);
    r->task = CS_NEW_ARRAY(r->arena, int, n);
    r->drawn = CS_NEW_ARRAY(r->arena, int, n);
    r->pack_of = CS_NEW_ARRAY(r->arena, int, n);
    for (int i = 0; i < n; i++) {
        r->pack_of[i] = -1;
        r->master.price[i] = least_area(r->in, i) / r->master.scale;
    }
    seed(r, plan);
}

/* Price, keep what proves most, and bring the prices to where no pack is worth more than it costs.
 * Returns the bound, scaled. */
static double ask(struct repack *r, const struct cs_pack_prices *prices, double bound)
{
    struct cs_pack_interior *l = &r->master;
    double sum = 0, theta, factor;

    for (int i = 0; i < r->c.tasks; i++)
        r->worth[i] = l->row_of[i] < 0 ? 0 : l->price[l->row_of[i]] * l->scale;
    for (int row = 0; row < l->rows; row++)
        sum += l->price[row];
    theta = cs_pack_price_search(&r->price, prices, 0.9);
    if (sum / theta > bound) {
        bound = sum / theta;
        for (int row = 0; row < l->rows; row++)
            r->best[row] = l->price[row] / theta;
    }
    factor = fmin(1, 1 / (theta * 1.0005));
    for (int row = 0; row < l->rows; row++)
        l->price[row] *= factor;
    return bound;
}

static void add_best(struct repack *r, const struct cs_pack_prices *prices)
{
    for (int b = 0; b < CS_PACK_PRICE_BLOCKS; b++) {
        int v, count;

        if (r->price.where[b] < 0)
            continue;
        count = cs_pack_price_column(&r->price, prices, b, &v, r->task);
        if (count)
            cs_pack_interior_add(&r->master, v, r->task, count);
    }
}

/* Costs of packs, each as often as chance and its weight will have it, in random order. */
static int draw_costs(struct repack *r, int columns)
{
    int count = 0;

    for (int a = 0; a < columns && count < r->c.tasks; a++) {
        if (cs_rng_uniform(r->rng) < r->master.column[a].weight)
            r->drawn[count++] = r->master.column[a].candidate;
    }
    cs_rng_shuffle(r->rng, r->drawn, count);
    return count;
}

/* The best packs of such costs that have no task in common. */
static void add_apart(struct repack *r, int columns)
{
    const int drawn = draw_costs(r, columns);

    memcpy(r->left, r->worth, (size_t)r->c.tasks * sizeof *r->left);
    for (int k = 0; k < drawn; k++) {
        double worth = 0;
        int count, v;

        cs_pack_knapsack_set(&r->price.knapsack, r->left);
        count = cs_pack_knapsack_members(&r->price.knapsack, r->drawn[k], r->task);
        for (int a = 0; a < count; a++) {
            worth += r->worth[r->task[a]];
            r->left[r->task[a]] = 0;
        }
        v = cs_pack_candidates_fit(&r->c, r->task, count, 0);
        if (count && worth > WORTH * r->c.cost[v])
            cs_pack_interior_add(&r->master, v, r->task, count);
    }
}

/* One round.  The bound and the value so far, scaled; the latter is made anew. */
static void make_round(struct repack *r, bool first, double *bound, double *value)
{
    struct cs_pack_interior *l = &r->master;
    const struct cs_pack_prices prices = {r->worth, 0, NULL, NULL};
    const int before = l->columns;
    double gap, mu;

    *bound = ask(r, &prices, *bound);
    add_best(r, &prices);
    for (int k = 0; k < APART && !first; k++)
        add_apart(r, before);
    cs_pack_interior_allow(l);
    gap = isfinite(*value) ? fmax(LEAST_GAP, *value / *bound - 1) : FIRST_GAP;
    mu = *bound * fmax(gap * SHARE, LEAST_GAP) / (l->columns + l->rows);
    if (first)
        cs_pack_interior_begin(l, mu);
    for (int a = before; a < l->columns; a++)
        l->column[a].weight = mu / l->column[a].reduced;
    *value = cs_pack_interior_solve(l, mu);
    if (l->columns > COLUMNS * l->rows)
        cs_pack_interior_trim(l, DEAR);
}

/* The best prices stay.  Returns the bound, scaled, or a negative number when patience ended. */
static double generate(struct repack *r, int rounds, double near)
{
    double bound = 0, value = INFINITY;

    for (int k = 0; k < rounds && !(value / bound - 1 < near); k++) {
        if (cs_pack_expired(r->context))
            return -1;
        make_round(r, k == 0, &bound, &value);
    }
    memcpy(r->master.price, r->best, (size_t)r->master.rows * sizeof *r->best);
    return bound;
}

static void fix(struct repack *r, const struct cs_pack_inner *column)
{
    bool any = false;

    for (int e = 0; e < column->count; e++) {
        if (r->pack_of[column->task[e]] < 0) {
            r->pack_of[column->task[e]] = r->packs;
            any = true;
        }
    }
    r->packs += any;
}

/* The pack of most weight x cost, and all that are as good as sure. */
static bool fix_best(struct repack *r)
{
    struct cs_pack_interior *l = &r->master;
    double most = 0;
    int best = -1;

    for (int a = 0; a < l->columns; a++) {
        double score = l->column[a].weight * l->column[a].cost;

        if (score > most) {
            best = a;
            most = score;
        }
    }
    if (best < 0)
        return false;
    fix(r, &l->column[best]);
    for (int a = 0; a < l->columns; a++) {
        if (l->column[a].weight >= SURE)
            fix(r, &l->column[a]);
    }
    cs_pack_interior_cut(l, r->pack_of);
    return true;
}

static bool dive(struct repack *r, double known)
{
    double bound = generate(r, FIRST_ROUNDS, FIRST_NEAR);

    if (bound < 0 || bound * r->master.scale > known * (1 - LEAST_GAIN))
        return false;
    while (r->master.rows) {
        if (!fix_best(r) || (r->master.rows && generate(r, ROUNDS, NEAR) < 0))
            return false;
    }
    return true;
}

static void write_plan(const struct repack *r, struct cs_pack_plan *plan)
{
    cs_pack_plan_clear(plan);
    for (int b = 0; b < r->packs; b++) {
        for (int i = 0; i < r->c.tasks; i++) {
            if (r->pack_of[i] == b)
                cs_pack_plan_add(plan, i, r->in->tasks->min_procs[i]);
        }
        cs_pack_plan_close(plan, 0);
    }
    cs_pack_plan_share(r->in, plan, r->arena);
}

static void keep_cheaper(struct cs_pack_plan *plan, const struct cs_pack_plan *other)
{
    if (other->total < plan->total)
        cs_pack_plan_copy(plan, other);
}

/* Divide pairs of its packs anew. */
static void improve(const struct repack *r, double ceiling, struct cs_pack_plan *plan)
{
    const int levels =
        cs_pack_levels_affordable((size_t)plan->tasks + (size_t)plan->packs, CS_PACK_LEVELS_MAX);
    struct cs_pack_loads *loads;
    struct cs_pack_plan *other;

    if (!levels)
        return;
    loads = cs_pack_loads_create(cs_pack_levels_create(r->in, levels, ceiling, r->arena), r->in,
                                 plan, r->arena);
    if (!loads)
        return;
    other = cs_pack_plan_create(plan->tasks);
    cs_pack_pair_search(loads, r->context);
    cs_pack_loads_write(loads, r->in, other);
    keep_cheaper(plan, other);
    cs_pack_plan_destroy(other);
}

bool cs_pack_repack(const struct cs_pack_instance *in, const struct cs_policy_context *context,
                    struct cs_rng *rng, double margin, struct cs_pack_plan *plan)
{
    struct repack r = {.in = in, .context = context, .rng = rng, .arena = cs_arena_create()};
    struct cs_pack_plan *other = cs_pack_plan_create(in->tasks->count);
    bool changed = false;

    repack_init(&r, plan);
    if (dive(&r, plan->total)) {
        write_plan(&r, other);
        if (other->total < plan->total * (1 + MARGIN))
            improve(&r, fmax(plan->total, other->total), other);
        changed = other->total < plan->total * (1 + margin);
        if (changed)
            cs_pack_plan_copy(plan, other);
    }
    cs_pack_plan_destroy(other);
    cs_arena_destroy(r.arena);
    return changed;
}
