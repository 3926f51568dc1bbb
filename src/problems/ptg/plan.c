/* plan.c - requests are checked and planned; times of graphs alone.
 *
 * A strategy either gives shares (run.c plans with them, offline or online) or makes the whole
 * plan.  A request is rejected when its options, its mode or the limits of the instance do not fit
 * the strategy; no strategy is replaced by another.  The time of a graph alone is that of the same
 * strategy when it is marked `itself`, else that of s (spec/ptg.md 7 and III.3).
 */
#include "base/guard.h"
#include "model/extpol.h"
#include "model/policy_param.h"
#include "problems/ptg/replay.h"
#include "problems/ptg/run.h"

#include <string.h>

static const struct cs_ptg_options defaults = CS_PTG_OPTIONS;

static int check_request(const struct cs_ptg_instance *in, const struct cs_ptg_strategy *strategy,
                         const struct cs_ptg_options *options, enum cs_ptg_mode mode,
                         struct cs_error *err)
{
    if ((int)mode < CS_PTG_OFFLINE || mode > CS_PTG_FULL)
        return cs_error_set(err, "there is no mode number %d", (int)mode);
    if (cs_ptg_options_check(options, err) ||
        (!strategy->limits && cs_ptg_instance_unlimited(in, strategy->info.name, err)))
        return -1;
    if (mode != CS_PTG_OFFLINE && strategy->plan && !strategy->arrivals)
        return cs_error_set(err,
                            "%s needs all graphs in advance: it cannot set shares as they "
                            "arrive",
                            strategy->info.name);
    if (mode != CS_PTG_OFFLINE && options->order == CS_PTG_ORDER_GLOBAL)
        return cs_error_set(err, "the global order needs all graphs in advance");
    return 0;
}

static struct cs_ptg_plan *plan_offline(const struct cs_ptg_instance *in,
                                        const struct cs_ptg_strategy *strategy,
                                        const struct cs_ptg_options *options, const double *param)
{
    struct cs_arena *scratch = cs_arena_create();
    struct cs_ptg_reference reference = cs_ptg_reference_of(in->platform, options->reference);
    struct cs_ptg_scene scene = cs_ptg_scene_of(in, &reference, options, scratch);
    double *beta = CS_NEW_ARRAY(scratch, double, in->graphs);
    struct cs_ptg_plan *plan;

    strategy->shares(&scene, param, beta);
    plan = cs_ptg_run_shares(in, options, beta);
    cs_arena_destroy(scratch);
    return plan;
}

static struct cs_ptg_plan *plan_make(const struct cs_ptg_instance *in,
                                     const struct cs_ptg_strategy *strategy,
                                     const struct cs_ptg_request *request, struct cs_error *err)
{
    if (strategy->plan)
        return strategy->plan(in, request, err);
    if (request->mode == CS_PTG_OFFLINE)
        return plan_offline(in, strategy, request->options, request->call.param);
    return cs_ptg_run_online(in, request->options, strategy, request->call.param, request->mode);
}

/* With an external program, which may have failed although there is a plan. */
static struct cs_ptg_plan *make_extpol(const struct cs_ptg_instance *in,
                                       const struct cs_ptg_strategy *strategy,
                                       const struct cs_ptg_request *request, struct cs_error *err)
{
    struct cs_extpol *extpol = cs_extpol_of(request->call.param, err);
    struct cs_ptg_plan *plan = extpol ? plan_make(in, strategy, request, err) : NULL;

    if (!plan || !cs_extpol_check(extpol, err))
        return plan;
    cs_ptg_plan_destroy(plan);
    return NULL;
}

struct cs_ptg_plan *cs_ptg_plan_make(const struct cs_ptg_instance *instance,
                                     const struct cs_ptg_request *request, struct cs_error *err)
{
    CS_ASK(instance && request, err, NULL);
    CS_GUARD(err, NULL);
    struct cs_ptg_request call = *request;
    const struct cs_ptg_strategy *strategy;
    int count;
    const struct cs_policy *const *list = cs_ptg_policies(&count);

    if (cs_policy_call_check(&request->call, list, count, err))
        return NULL;
    strategy = cs_ptg_strategies(&count)[request->call.policy];
    if (!call.options)
        call.options = &defaults;
    if (check_request(instance, strategy, call.options, call.mode, err))
        return NULL;
    return strategy->info.extpol ? make_extpol(instance, strategy, &call, err)
                                 : plan_make(instance, strategy, &call, err);
}

struct cs_ptg_plan *cs_ptg_plan_with_shares(const struct cs_ptg_instance *instance,
                                            const struct cs_ptg_options *options,
                                            const double *beta, struct cs_error *err)
{
    CS_ASK(instance && beta, err, NULL);
    CS_GUARD(err, NULL);
    const struct cs_ptg_options *how = options ? options : &defaults;

    if (cs_ptg_options_check(how, err) ||
        cs_ptg_instance_unlimited(instance, "a plan with given shares", err))
        return NULL;
    for (int g = 0; g < instance->graphs; g++)
        if (!(beta[g] > 0 && beta[g] <= 1)) {
            cs_error_set(err, "graph %.60s: the share beta is %g, it must be above 0 and at most 1",
                         instance->graph[g]->name, beta[g]);
            return NULL;
        }
    return cs_ptg_run_shares(instance, how, beta);
}

void cs_ptg_own_each(const struct cs_ptg_instance *in, const struct cs_ptg_options *options,
                     bool fluid, double *own)
{
    for (int g = 0; g < in->graphs; g++) {
        struct cs_ptg_instance *single =
            cs_ptg_instance_create(in->platform, 1, &in->graph[g], NULL, NULL);
        struct cs_ptg_plan *plan = cs_ptg_run_shares(single, options, &(double){1}), *replayed;

        if (fluid) {
            replayed = cs_ptg_replay_fluid(single, plan);
            cs_ptg_plan_destroy(plan);
            plan = replayed;
        }
        own[g] = plan->makespan;
        cs_ptg_plan_destroy(plan);
        cs_ptg_instance_destroy(single);
    }
}

/* The time of a graph alone by a strategy; less than 0 with err. */
static double own_by(const struct cs_ptg_instance *single, const struct cs_ptg_request *request,
                     bool fluid, struct cs_error *err)
{
    struct cs_ptg_plan *plan = cs_ptg_plan_make(single, request, err), *judged;
    double makespan;

    if (!plan)
        return -1;
    judged = fluid ? cs_ptg_replay_fluid(single, plan) : NULL;
    makespan = judged ? judged->makespan : plan->makespan;
    cs_ptg_plan_destroy(judged);
    cs_ptg_plan_destroy(plan);
    return makespan;
}

int cs_ptg_own_by(const struct cs_ptg_instance *instance, const struct cs_ptg_request *request,
                  bool fluid, double *own, struct cs_error *err)
{
    CS_ASK(instance && request && own, err, -1);
    CS_GUARD(err, -1);
    struct cs_ptg_request call = *request;
    const struct cs_ptg_strategy *strategy;
    int count;
    const struct cs_policy *const *list = cs_ptg_policies(&count);

    if (cs_policy_call_check(&request->call, list, count, err))
        return -1;
    strategy = cs_ptg_strategies(&count)[request->call.policy];
    if (!strategy->itself)
        return cs_ptg_own(instance, request->options, fluid, own, err);
    call.mode = CS_PTG_OFFLINE;
    call.own = NULL;
    for (int g = 0; g < instance->graphs; g++) {
        struct cs_ptg_instance *single = cs_ptg_instance_single(instance, g);

        own[g] = own_by(single, &call, fluid, err);
        cs_ptg_instance_destroy(single);
        if (own[g] < 0)
            return -1;
    }
    return 0;
}

int cs_ptg_own(const struct cs_ptg_instance *instance, const struct cs_ptg_options *options,
               bool fluid, double *own, struct cs_error *err)
{
    CS_ASK(instance && own, err, -1);
    CS_GUARD(err, -1);
    const struct cs_ptg_options *how = options ? options : &defaults;

    if (cs_ptg_options_check(how, err) || cs_ptg_instance_unlimited(instance, "s", err))
        return -1;
    cs_ptg_own_each(instance, how, fluid, own);
    return 0;
}
