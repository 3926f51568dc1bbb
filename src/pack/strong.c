/* strong.c - the lower bound of column generation, or of what patience left of it. */
#include "base/guard.h"
#include "config.h"
#include "pack/descent.h"
#include "pack/policy.h"

#include <math.h>

#if CS_HAVE_CBC

#include "pack/colgen.h"

static double generate_bound(const struct cs_pack_instance *in,
                             const struct cs_policy_context *context)
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
    cs_pack_colgen_run(&g, plan->total, context);
    bound = fmin(g.bound, plan->total);
    cs_pack_colgen_release(&g);
    cs_pack_plan_destroy(plan);
    return bound;
}

int cs_pack_bound_strong(const struct cs_pack_instance *in, const struct cs_pack_request *request,
                         double *bound, struct cs_error *err)
{
    CS_ASK(in && request && bound, err, -1);
    CS_GUARD(err, -1);
    struct cs_policy_context context = {
        .threads = 1, .expired = request->expired, .who = request->who, .err = err};
    struct cs_pack_bounds cheap;

    cs_pack_bounds_compute(in, &cheap);
    *bound = cheap.best;
    if (in->tasks->count == 0 || !cs_pack_colgen_possible(in))
        return 0;
    context.scratch = cs_arena_create();
    *bound = fmax(*bound, generate_bound(in, &context));
    cs_arena_destroy(context.scratch);
    return 0;
}

#else

int cs_pack_bound_strong(const struct cs_pack_instance *in, const struct cs_pack_request *request,
                         double *bound, struct cs_error *err)
{
    (void)in;
    (void)request;
    (void)bound;
    return cs_error_set(err, "the strong bound needs CLP and CBC, which this build lacks: install "
                             "coinor-libclp-dev and coinor-libcbc-dev and build again");
}

#endif
