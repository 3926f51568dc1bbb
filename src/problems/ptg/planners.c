/* planners.c - strategies that choose cluster and width of every task themselves.
 *
 * Source: spec/ptg.md III.3 to III.7, under the names and parameters by which users know them.
 * Shares, where a strategy has them, are those of a strategy of the paper.
 *
 * Defaults of parameters, by the tables of spec/ptg.md (geometric means over the lower bound)
 *   strategy     parameter   default  found by                                half, double
 *   widen        efficiency  0.1      III.3; III.0 has 0.2: 1.139 (random)    not measured
 *   joint        efficiency  0.1      III.3; III.0: 1.085 (random)            not measured
 *   joint-level  efficiency  0.05     III.3; III.0: 1.202 (random)            not measured
 *   joint-ready  efficiency  0.1      III.3                                   not measured
 *   search       moves       1000     III.4; gains see search.c               not measured
 *   portfolio    moves       0        III.5; bench/README.md has 1,000        -
 *   dispatch     efficiency  0.3      III.7                                   see below
 * dispatch with 0.5 instead of 0.3: mean stretch 2.25 for 1.86 (random, load 5) and 1.96 for 1.99
 * (FFT, load 5); half was not measured.  The portfolio plans with 0.05 to 0.5 instead of one
 * value.
 */
#include "base/thread.h"
#include "problems/ptg/dispatch.h"
#include "problems/ptg/joint.h"
#include "problems/ptg/portfolio.h"
#include "problems/ptg/run.h"
#include "problems/ptg/search.h"
#include "problems/ptg/strategy.h"

#include <math.h>

/* The strategies of policies.def that are but shares, in its order. */
#define SHARES "s|es|ps-cp|ps-width|ps-work|wps-cp|wps-width|wps-work|wps-mix|wps-par|wps-power"

#define PARAM_EFFICIENCY(fallback_)                                                                \
    {                                                                                              \
        .name = "efficiency", .kind = CS_POLICY_PARAM_REAL, .default_text = fallback_, .low = 0,   \
        .high = 1, .summary = "no task is wider than it uses its processors this well"             \
    }
#define PARAM_SHARES(fallback_)                                                                    \
    {                                                                                              \
        .name = "shares", .kind = CS_POLICY_PARAM_CHOICE, .default_text = fallback_,               \
        .choices = SHARES, .summary = "the strategy that gives each graph its share"               \
    }
#define PARAM_MU                                                                                   \
    {                                                                                              \
        .name = "mu", .kind = CS_POLICY_PARAM_REAL, .default_text = "that of the shares",          \
        .low = 0, .high = 1, .summary = "weight of equal shares, for shares that have one"         \
    }
#define PARAM_KEY                                                                                  \
    {                                                                                              \
        .name = "key", .kind = CS_POLICY_PARAM_CHOICE, .default_text = "rank",                     \
        .choices = "rank|share",                                                                   \
        .summary = "tasks with a long path to the exit first, or with a path long for their graph" \
    }
#define PARAM_SEED                                                                                 \
    {                                                                                              \
        .name = "seed", .kind = CS_POLICY_PARAM_INTEGER, .default_text = "1", .low = 0,            \
        .high = 1e15, .summary = "of the moves"                                                    \
    }
#define PARAM_MOVES(fallback_)                                                                     \
    {                                                                                              \
        .name = "moves", .kind = CS_POLICY_PARAM_INTEGER, .default_text = fallback_, .low = 0,     \
        .high = 1e9, .summary = "how many moves are tried on the plan"                             \
    }

enum { E_EFFICIENCY, E_SHARES, E_MU, E_KEY };

/* beta[] by the shares of the request's parameters. */
static double *shares_of(const struct cs_ptg_instance *in, const struct cs_ptg_request *request,
                         struct cs_arena *scratch)
{
    struct cs_ptg_reference reference =
        cs_ptg_reference_of(in->platform, request->options->reference);
    struct cs_ptg_scene scene = cs_ptg_scene_of(in, &reference, request->options, scratch);
    double *beta = CS_NEW_ARRAY(scratch, double, in->graphs), mu = request->call.param[E_MU];
    struct cs_policy_call call;
    int count, which = (int)request->call.param[E_SHARES];
    const struct cs_policy *const *list = cs_ptg_policies(&count);

    cs_policy_parse(list[which]->name, list, count, &call, NULL);
    if (!isnan(mu))
        call.param[0] = mu;
    cs_ptg_strategies(&count)[which]->shares(&scene, call.param, beta);
    return beta;
}

static struct cs_ptg_plan *plan_widen(const struct cs_ptg_instance *in,
                                      const struct cs_ptg_request *request, struct cs_error *err)
{
    struct cs_arena *scratch = cs_arena_create();
    struct cs_ptg_plan *plan = cs_ptg_run_widened(
        in, request->options, request->call.param[E_EFFICIENCY], shares_of(in, request, scratch));

    (void)err;
    cs_arena_destroy(scratch);
    return plan;
}

static struct cs_ptg_plan *joint_by(const struct cs_ptg_instance *in,
                                    const struct cs_ptg_request *request,
                                    enum cs_ptg_joint_kind kind)
{
    struct cs_arena *scratch = cs_arena_create();
    const struct cs_ptg_joint how = {
        .kind = kind,
        .key = kind == CS_PTG_JOINT ? (enum cs_ptg_joint_key)request->call.param[E_KEY]
                                    : CS_PTG_KEY_RANK,
        .efficiency = request->call.param[E_EFFICIENCY],
        .fan = cs_ptg_request_fan(request),
    };
    struct cs_ptg_plan *plan = cs_ptg_joint_plan(in, &how, shares_of(in, request, scratch));

    cs_arena_destroy(scratch);
    return plan;
}

static struct cs_ptg_plan *plan_joint(const struct cs_ptg_instance *in,
                                      const struct cs_ptg_request *request, struct cs_error *err)
{
    (void)err;
    return joint_by(in, request, CS_PTG_JOINT);
}

static struct cs_ptg_plan *plan_level(const struct cs_ptg_instance *in,
                                      const struct cs_ptg_request *request, struct cs_error *err)
{
    (void)err;
    return joint_by(in, request, CS_PTG_JOINT_LEVEL);
}

static struct cs_ptg_plan *plan_ready(const struct cs_ptg_instance *in,
                                      const struct cs_ptg_request *request, struct cs_error *err)
{
    (void)err;
    return joint_by(in, request, CS_PTG_JOINT_READY);
}

enum { S_FROM = E_KEY + 1, S_MOVES, S_SEED };
enum { FROM_JOINT, FROM_LEVEL, FROM_READY, FROM_WIDEN };

static struct cs_ptg_plan *plan_search(const struct cs_ptg_instance *in,
                                       const struct cs_ptg_request *request, struct cs_error *err)
{
    const double *param = request->call.param;
    const struct cs_ptg_search how = {.moves = (int)param[S_MOVES],
                                      .seed = (uint64_t)param[S_SEED],
                                      .fan = cs_ptg_request_fan(request)};
    int from = (int)param[S_FROM];
    struct cs_ptg_plan *first, *best;

    if (from == FROM_WIDEN && cs_ptg_instance_unlimited(in, "search:from=widen", err))
        return NULL;
    first = from == FROM_WIDEN ? plan_widen(in, request, err)
                               : joint_by(in, request, (enum cs_ptg_joint_kind)from);
    best = cs_ptg_search_from(in, first, &how, NULL);
    cs_ptg_plan_destroy(first);
    return best;
}

enum { P_OBJECTIVE, P_JUDGE, P_MOVES, P_SEED };

static struct cs_ptg_plan *plan_portfolio(const struct cs_ptg_instance *in,
                                          const struct cs_ptg_request *request,
                                          struct cs_error *err)
{
    const double *param = request->call.param;
    struct cs_ptg_portfolio how = {
        .objective = in->graphs > 1 ? CS_PTG_TRADE : CS_PTG_MAKESPAN,
        .fluid = param[P_JUDGE] == 0,
        .moves = (int)param[P_MOVES],
        .seed = (uint64_t)param[P_SEED],
        .threads = cs_thread_limit(),
    };

    (void)err;
    if (param[P_OBJECTIVE] > 0)
        how.objective = (enum cs_ptg_objective)(param[P_OBJECTIVE] - 1);
    return cs_ptg_portfolio_plan(in, request->options, &how);
}

enum { D_EFFICIENCY, D_KEY, D_SHARES };

static struct cs_ptg_plan *plan_dispatch(const struct cs_ptg_instance *in,
                                         const struct cs_ptg_request *request, struct cs_error *err)
{
    const double *param = request->call.param;
    const struct cs_ptg_dispatch how = {.key = (enum cs_ptg_dispatch_key)param[D_KEY],
                                        .efficiency = param[D_EFFICIENCY],
                                        .shares = param[D_SHARES] == 0,
                                        .fan = cs_ptg_request_fan(request)};

    (void)err;
    return cs_ptg_dispatch_plan(in, &how, NULL);
}

#define OURS "ours, spec/ptg.md, Part III"

const struct cs_ptg_strategy cs_ptg_strategy_widen = {
    .info = {.name = "widen",
             .problem = "ptg",
             .summary = "shares as in the paper; a task may use what its level leaves of them",
             .source = OURS,
             .params =
                 (const struct cs_policy_param[]){
                     PARAM_EFFICIENCY("0.1"), PARAM_SHARES("wps-work"), PARAM_MU, {0}}},
    .plan = plan_widen,
    .itself = true,
};

const struct cs_ptg_strategy cs_ptg_strategy_joint = {
    .info = {.name = "joint",
             .problem = "ptg",
             .summary = "cluster and width of each task chosen together, holes included",
             .source = OURS,
             .params =
                 (const struct cs_policy_param[]){
                     PARAM_EFFICIENCY("0.1"), PARAM_SHARES("s"), PARAM_MU, PARAM_KEY, {0}}},
    .plan = plan_joint,
    .itself = true,
    .limits = true,
};

const struct cs_ptg_strategy cs_ptg_strategy_joint_level = {
    .info = {.name = "joint-level",
             .problem = "ptg",
             .summary = "the same, with a level's power divided among its tasks by their work",
             .source = OURS,
             .params =
                 (const struct cs_policy_param[]){
                     PARAM_EFFICIENCY("0.05"), PARAM_SHARES("s"), PARAM_MU, {0}}},
    .plan = plan_level,
    .itself = true,
    .limits = true,
};

const struct cs_ptg_strategy cs_ptg_strategy_joint_ready = {
    .info = {.name = "joint-ready",
             .problem = "ptg",
             .summary = "that for the tasks that are ready, as time goes by",
             .source = OURS,
             .params =
                 (const struct cs_policy_param[]){
                     PARAM_EFFICIENCY("0.1"), PARAM_SHARES("wps-work"), PARAM_MU, {0}}},
    .plan = plan_ready,
    .itself = true,
    .limits = true,
};

const struct cs_ptg_strategy cs_ptg_strategy_search = {
    .info = {.name = "search",
             .problem = "ptg",
             .summary = "local search on the critical chain of such a plan",
             .source = OURS,
             .params =
                 (const struct cs_policy_param[]){PARAM_EFFICIENCY("0.1"),
                                                  PARAM_SHARES("s"),
                                                  PARAM_MU,
                                                  PARAM_KEY,
                                                  {.name = "from",
                                                   .kind = CS_POLICY_PARAM_CHOICE,
                                                   .default_text = "joint",
                                                   .choices = "joint|joint-level|joint-ready|widen",
                                                   .summary = "the strategy of the first plan"},
                                                  PARAM_MOVES("1000"),
                                                  PARAM_SEED,
                                                  {0}}},
    .plan = plan_search,
    .itself = true,
    .limits = true,
};

const struct cs_ptg_strategy cs_ptg_strategy_portfolio = {
    .info = {.name = "portfolio",
             .problem = "ptg",
             .summary = "28 plans by the strategies above (11 for one graph), and the best of them",
             .source = OURS,
             .params =
                 (const struct cs_policy_param[]){
                     {.name = "objective",
                      .kind = CS_POLICY_PARAM_CHOICE,
                      .default_text = "auto",
                      .choices = "auto|makespan|stretch|trade",
                      .summary = "the end of all, the largest stretch of a graph, or both; auto: "
                                 "makespan for one graph, trade for several"},
                     {.name = "judge",
                      .kind = CS_POLICY_PARAM_CHOICE,
                      .default_text = "fluid",
                      .choices = "fluid|analytic",
                      .summary = "dates of the fluid replay, or as planned, as always above 20,000 "
                                 "tasks"},
                     PARAM_MOVES("0"),
                     PARAM_SEED,
                     {0}}},
    .plan = plan_portfolio,
    .itself = true,
    .limits = true,
};

const struct cs_ptg_strategy cs_ptg_strategy_dispatch = {
    .info = {.name = "dispatch",
             .problem = "ptg",
             .summary = "no reservations: a ready task waits until it is worth starting",
             .source = OURS,
             .params =
                 (const struct cs_policy_param[]){
                     PARAM_EFFICIENCY("0.3"),
                     {.name = "key",
                      .kind = CS_POLICY_PARAM_CHOICE,
                      .default_text = "stretch",
                      .choices = "stretch|fdws|shortest|first|rank",
                      .summary = "who goes first: the graph that is behind most, the one with "
                                 "little left, the shortest, the first to come, the longest way"},
                     {.name = "shares",
                      .kind = CS_POLICY_PARAM_CHOICE,
                      .default_text = "yes",
                      .choices = "yes|no",
                      .summary = "graphs that are there have equal parts"},
                     {0}}},
    .plan = plan_dispatch,
    .itself = true,
    .limits = true,
    .arrivals = true,
};
