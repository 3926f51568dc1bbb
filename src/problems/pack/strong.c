/* strong.c - the lower bound of column generation, or of what patience left of it.
 *
 * Source: docs/spec/pack.md, Part II 2.3. The start is a plan of descent.c, whose total sets the
 * scale and limits the candidate costs.
 *
 * Invariants: the result is at least the cheap bounds and at most the total of the start; the
 * certificate is prices from which `cosched check` recomputes the bound without this code.
 * Complexity: that of colgen.c; it ends with patience and then returns the best bound so far.
 */
#include "problems/pack/strong.h"
#include "base/guard.h"
#include "config.h"
#include "problems/pack/descent.h"
#include "problems/pack/policy.h"

#include <math.h>
#include <string.h>

#if CS_HAVE_CBC

#include "problems/pack/coin.h"
#include "problems/pack/colgen.h"

/* The prices with the best bound. */
static void report_prices(const struct cs_pack_colgen *g, struct cs_pack_certificate *by,
                          struct cs_arena *arena)
{
    int tasks = g->c->tasks, rows = g->center_rows;
    double *price = CS_NEW_ARRAY(arena, double, tasks);
    struct cs_pack_step *step = CS_NEW_ARRAY(arena, struct cs_pack_step, rows - tasks);

    memcpy(price, g->center, (size_t)tasks * sizeof *price);
    *by = (struct cs_pack_certificate){.price = price, .step = step};
    for (int row = tasks; row < rows; row++)
        if (g->center[row] > 0)
            step[by->steps++] = (struct cs_pack_step){
                g->c->cost[cs_pack_master_threshold(g->master, row)], g->center[row]};
}

static double generate_bound(const struct cs_pack_instance *in, double cheap,
                             const struct cs_policy_context *context,
                             struct cs_pack_certificate *by, struct cs_arena *arena)
{
    struct cs_pack_plan *plan = cs_pack_plan_create(in->tasks->count);
    struct cs_pack_candidates candidates;
    struct cs_pack_colgen g;
    double most, bound;

    cs_pack_plan_clear(plan);
    cs_pack_descent_plan(in, context, 4, plan);
    most = cs_pack_colgen_most(in, plan, context->scratch);
    cs_pack_candidates_init(&candidates, in, most, context->scratch);
    cs_pack_colgen_init(&g, &candidates, plan->total);
    cs_pack_colgen_seed_plan(&g, plan);
    cs_pack_colgen_root(&g, plan->total, context);
    bound = fmin(g.bound, plan->total);
    if (bound > cheap && arena)
        report_prices(&g, by, arena);
    cs_pack_colgen_release(&g);
    cs_pack_plan_destroy(plan);
    return bound;
}

int cs_pack_bound_priced(const struct cs_pack_instance *in, const struct cs_pack_request *request,
                         double *bound, struct cs_pack_certificate *by, struct cs_arena *arena,
                         struct cs_error *err)
{
    struct cs_policy_context context = {
        .threads = 1, .expired = request->expired, .who = request->who, .err = err};
    struct cs_pack_bounds cheap;

    cs_pack_bounds_compute(in, &cheap);
    *bound = cheap.best;
    if (in->tasks->count == 0 || !cs_pack_colgen_possible(in))
        return 0;
    if (cs_pack_coin_load(err))
        return -1;
    context.scratch = cs_arena_create();
    *bound = fmax(*bound, generate_bound(in, cheap.best, &context, by, arena));
    cs_arena_destroy(context.scratch);
    return 0;
}

#else

int cs_pack_bound_priced(const struct cs_pack_instance *in, const struct cs_pack_request *request,
                         double *bound, struct cs_pack_certificate *by, struct cs_arena *arena,
                         struct cs_error *err)
{
    (void)in;
    (void)request;
    (void)bound;
    (void)by;
    (void)arena;
    return cs_error_set_as(err, CS_ERROR_MISSING,
                           "the strong bound needs CLP and CBC, which this build lacks: install "
                           "coinor-libclp-dev and coinor-libcbc-dev and build again");
}

#endif
