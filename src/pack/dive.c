/* dive.c - fix, generate, repeat; then descent. */
#include "pack/dive.h"

#include "pack/descent.h"
#include "pack/pair.h"

#include <math.h>
#include <string.h>

#define SURE 0.95  /* packs of such weight are fixed together */
#define ROUNDS 15  /* of pricing between two fixings */
#define ROUGH 1e-4 /* relative: good enough between two fixings */

struct cs_pack_dive {
    struct cs_pack_colgen *g;
    int *pack_of; /* of every task, -1 while it has none */
    int packs, left;
};

struct cs_pack_dive *cs_pack_dive_create(struct cs_pack_colgen *g, struct cs_arena *arena)
{
    struct cs_pack_dive *d = CS_NEW(arena, struct cs_pack_dive);

    d->g = g;
    d->pack_of = CS_NEW_ARRAY(arena, int, g->c->tasks);
    return d;
}

/* The tasks of the column that still have no pack get this one; the rows count it. */
static void fix(struct cs_pack_dive *d, const struct cs_pack_column *column)
{
    struct cs_pack_master *master = d->g->master;

    for (int a = 0; a < column->count; a++) {
        int i = column->task[a];

        if (d->pack_of[i] >= 0)
            continue;
        d->pack_of[i] = d->packs;
        d->left--;
        cs_pack_master_cover(master, i, 0);
    }
    d->packs++;
    for (int row = d->g->c->tasks; row < cs_pack_master_rows(master); row++) {
        int v = cs_pack_master_threshold(master, row);

        if (v <= column->candidate)
            cs_pack_master_limit(master, v, fmax(0, cs_pack_master_low(master, row) - 1),
                                 fmax(0, cs_pack_master_high(master, row) - 1));
    }
}

static bool is_new(const struct cs_pack_dive *d, const struct cs_pack_column *column)
{
    for (int a = 0; a < column->count; a++) {
        if (d->pack_of[column->task[a]] < 0)
            return true;
    }
    return false;
}

/* Fix the pack of most weight x cost that still brings a task, and all that are as good as
 * sure. */
static bool fix_best(struct cs_pack_dive *d)
{
    const double *weight = cs_pack_master_weights(d->g->master);
    int columns = cs_pack_master_columns(d->g->master), best = -1;
    double most = 0;

    for (int a = 0; a < columns; a++) {
        const struct cs_pack_column *column = cs_pack_master_column(d->g->master, a);
        double score = weight[a] * d->g->c->cost[column->candidate];

        if (score > most && is_new(d, column)) {
            best = a;
            most = score;
        }
    }
    if (best < 0)
        return false;
    fix(d, cs_pack_master_column(d->g->master, best));
    for (int a = 0; a < columns; a++) {
        if (weight[a] >= SURE && is_new(d, cs_pack_master_column(d->g->master, a)))
            fix(d, cs_pack_master_column(d->g->master, a));
    }
    return true;
}

static bool generate(struct cs_pack_dive *d, const struct cs_policy_context *context)
{
    struct cs_pack_colgen *g = d->g;
    enum cs_pack_colgen_end end;

    cs_pack_colgen_restart(g, g->center, g->center_rows);
    g->tolerance = ROUGH;
    g->most_rounds = g->rounds + ROUNDS;
    end = cs_pack_colgen_run(g, INFINITY, context);
    g->tolerance = 0;
    g->most_rounds = 0;
    return end != CS_PACK_COLGEN_EXPIRED;
}

static void make_plan(const struct cs_pack_dive *d, const struct cs_policy_context *context,
                      struct cs_pack_plan *plan)
{
    int tasks = d->g->c->tasks;

    cs_pack_plan_clear(plan);
    for (int b = 0; b < d->packs; b++) {
        for (int i = 0; i < tasks; i++) {
            if (d->pack_of[i] == b)
                cs_pack_plan_add(plan, i, d->g->c->in->tasks->min_procs[i]);
        }
        cs_pack_plan_close(plan, 0);
    }
    cs_pack_plan_share(d->g->c->in, plan, context->scratch);
}

static struct cs_pack_loads *load(const struct cs_pack_instance *in,
                                  const struct cs_pack_plan *plan, struct cs_arena *scratch)
{
    size_t rows = (size_t)in->tasks->count + (size_t)plan->packs + 1;
    int limit = cs_pack_levels_affordable(rows, CS_PACK_LEVELS_MAX);
    double ceiling = cs_pack_levels_ceiling(in, plan->total, scratch);

    if (limit == 0)
        return NULL;
    return cs_pack_loads_create(cs_pack_levels_create(in, limit, ceiling, scratch), in, plan,
                                scratch);
}

/* Descent; and where that is cheaper than what is known, pairs of packs too. */
static void polish(const struct cs_pack_instance *in, const struct cs_policy_context *context,
                   double known, struct cs_pack_plan *plan)
{
    struct cs_arena_mark mark = cs_arena_mark(context->scratch);
    struct cs_pack_plan *better = cs_pack_plan_create(in->tasks->count);
    struct cs_pack_loads *loads = load(in, plan, context->scratch);

    if (loads) {
        cs_pack_descent(loads, context);
        if (loads->total < known)
            cs_pack_pair_search(loads, context);
        cs_pack_loads_write(loads, in, better);
        if (better->total < plan->total)
            cs_pack_plan_copy(plan, better);
    }
    cs_pack_plan_destroy(better);
    cs_arena_rewind(context->scratch, mark);
}

void cs_pack_dive_run(struct cs_pack_dive *d, const struct cs_policy_context *context,
                      struct cs_pack_plan *plan)
{
    struct cs_pack_plan *found;

    d->packs = 0;
    d->left = d->g->c->tasks;
    memset(d->pack_of, -1, (size_t)d->left * sizeof *d->pack_of);
    do {
        if (!fix_best(d))
            return;
    } while (d->left && generate(d, context));
    if (d->left)
        return;
    found = cs_pack_plan_create(d->g->c->tasks);
    make_plan(d, context, found);
    polish(d->g->c->in, context, plan->total, found);
    if (found->total < plan->total)
        cs_pack_plan_copy(plan, found);
    cs_pack_plan_destroy(found);
}
