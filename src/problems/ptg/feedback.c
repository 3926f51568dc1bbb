/* feedback.c - shares that follow from schedules.
 *
 * Source: spec/ptg.md, Part II, 1 (FB-fair, FB-trade, FB-makespan).
 *
 * A plan takes milliseconds, so correct the shares with it: make a schedule, give more to graphs
 * that were slowed down more than the average, and again.  A share becomes
 *   beta_i (average slowdown / slowdown_i)^0.7, scaled to the sum `sigma`, at most 1.
 * The schedule with the least J = unfairness / graphs + w makespan / first makespan is kept.  With
 * `on=fluid` slowdowns and makespans are those of the fluid replay, where transfers contend.
 *
 * Invariants
 *   - the plan that is kept has the least J of all rounds, the first of equals; if no J is a
 *     number, it is the last plan.
 *   - slowdowns use own[], which is fixed for all rounds and judged like the plans (`on`).
 *
 * Complexity: rounds + 1 plans of all graphs, as many replays with `on=fluid`, and one plan for
 * each graph alone unless the request has own[].
 *
 * Constants
 *   name      value  unit      found by                            half, double
 *   exponent  0.7    -         spec/ptg.md, Part II, 1             not measured
 *   w         0      of J      feedback-fair, from wps-width       see below
 *   w         1      of J      feedback-trade, from wps-width      see below
 *   w         3      of J      feedback-makespan, from ps-work     not measured
 *   sigma     1      sum       parameter; 1.5 is shorter           see below
 *   rounds    9      rounds    parameter; ten schedules            not measured
 * Random graphs, unfairness and makespan over the best of the paper (spec/ptg.md, Part II, 1):
 *   feedback-fair 0.072, 1.241          feedback-trade 0.195, 1.173
 *   feedback-makespan 0.839, 1.020      feedback-trade with sigma 1.5: 0.237, 1.112
 */
#include "problems/ptg/replay.h"
#include "problems/ptg/run.h"

#include <math.h>
#include <string.h>

enum param { P_SIGMA, P_ROUNDS, P_MU, P_ON };

struct loop {
    const struct cs_ptg_instance *in;
    const struct cs_ptg_options *options;
    const double *param;
    double weight; /* of the makespan */
    const double *own;
    double *beta;
    struct cs_arena *scratch;
};

struct outcome {
    double makespan, unfairness;
    double average;
    double *slowdown;
};

static void feedback_judge(const struct loop *l, const struct cs_ptg_plan *plan,
                           struct outcome *out)
{
    int n = l->in->graphs;
    double sum = 0;

    out->makespan = plan->makespan;
    out->unfairness = 0;
    for (int g = 0; g < n; g++) {
        double shared = plan->completion[g] - l->in->release[g];

        out->slowdown[g] = l->own[g] > 0 ? l->own[g] / shared : 1;
        sum += out->slowdown[g];
    }
    out->average = sum / n;
    for (int g = 0; g < n; g++)
        out->unfairness += fabs(out->slowdown[g] - out->average);
}

/* Graphs that were slowed down more than the average get more, scaled to the sum sigma. */
static void feedback_correct(const struct loop *l, const struct outcome *out)
{
    int n = l->in->graphs;
    double sum = 0;

    for (int g = 0; g < n; g++) {
        l->beta[g] *= pow(out->average / out->slowdown[g], 0.7);
        sum += l->beta[g];
    }
    for (int g = 0; g < n && sum > 0; g++)
        l->beta[g] = fmin(1, l->beta[g] * l->param[P_SIGMA] / sum);
}

static void feedback_measure(const struct loop *l, const struct cs_ptg_plan *plan,
                             struct outcome *out)
{
    struct cs_ptg_plan *replayed;

    if (l->param[P_ON] == 0) {
        feedback_judge(l, plan, out);
        return;
    }
    replayed = cs_ptg_replay_fluid(l->in, plan);
    feedback_judge(l, replayed, out);
    cs_ptg_plan_destroy(replayed);
}

/* Plans and corrections in turns; the plan of the least J. */
static struct cs_ptg_plan *run_loop(const struct loop *l)
{
    int n = l->in->graphs, rounds = (int)l->param[P_ROUNDS];
    struct outcome out = {.slowdown = CS_NEW_ARRAY(l->scratch, double, n)};
    struct cs_ptg_plan *best = NULL;
    double least = INFINITY, first = 0;

    for (int round = 0; round <= rounds; round++) {
        struct cs_ptg_plan *plan = cs_ptg_run_shares(l->in, l->options, l->beta);
        double value;

        feedback_measure(l, plan, &out);
        first = round == 0 ? out.makespan : first;
        value = out.unfairness / n + (first > 0 ? l->weight * out.makespan / first : 0);
        if (!best || value < least || isnan(least)) {
            least = value;
            cs_ptg_plan_destroy(best);
            best = plan;
        } else {
            cs_ptg_plan_destroy(plan);
        }
        feedback_correct(l, &out);
    }
    best->rounds = rounds + 1;
    return best;
}

static struct cs_ptg_plan *
feed_back(const struct cs_ptg_instance *in, const struct cs_ptg_request *request, double weight,
          double (*gamma)(const struct cs_ptg_scene *, const struct cs_graph *), double mu)
{
    struct cs_arena *scratch = cs_arena_create();
    const struct cs_ptg_options *options = request->options;
    struct cs_ptg_reference reference = cs_ptg_reference_of(in->platform, options->reference);
    struct cs_ptg_scene scene = cs_ptg_scene_of(in, &reference, options, scratch);
    double *own = CS_NEW_ARRAY(scratch, double, in->graphs);
    double *value = CS_NEW_ARRAY(scratch, double, in->graphs);
    struct loop l = {in, options, request->call.param, weight, own, NULL, scratch};
    bool fluid = request->call.param[P_ON] != 0;
    struct cs_ptg_plan *plan;

    l.beta = CS_NEW_ARRAY(scratch, double, in->graphs);
    if (request->own && !fluid)
        memcpy(own, request->own, (size_t)in->graphs * sizeof *own);
    else
        cs_ptg_own_each(in, options, fluid, own);
    for (int g = 0; g < in->graphs; g++)
        value[g] = gamma(&scene, in->graph[g]);
    cs_ptg_shares_weighted(value, in->graphs, mu, l.beta);
    plan = run_loop(&l);
    cs_arena_destroy(scratch);
    return plan;
}

#define PARAM_SIGMA                                                                                \
    {                                                                                              \
        .name = "sigma", .kind = CS_POLICY_PARAM_REAL, .default_text = "1", .low = 0.1,            \
        .high = 100, .summary = "sum of the corrected shares; 1.5 is shorter and less fair"        \
    }
#define PARAM_ROUNDS                                                                               \
    {                                                                                              \
        .name = "rounds", .kind = CS_POLICY_PARAM_INTEGER, .default_text = "9", .low = 0,          \
        .high = 10000, .summary = "corrections after the first schedule"                           \
    }
#define PARAM_ON                                                                                   \
    {                                                                                              \
        .name = "on", .kind = CS_POLICY_PARAM_CHOICE, .default_text = "plan",                      \
        .choices = "plan|fluid",                                                                   \
        .summary = "judge the planned dates, or those of the fluid replay"                         \
    }
#define PARAM_MU(fallback_)                                                                        \
    {                                                                                              \
        .name = "mu", .kind = CS_POLICY_PARAM_REAL, .default_text = fallback_, .low = 0,           \
        .high = 1, .summary = "weight of equal shares in the first shares"                         \
    }

static const struct cs_policy_param from_width[] = {
    PARAM_SIGMA, PARAM_ROUNDS, PARAM_MU("0.5"), PARAM_ON, {0}};
static const struct cs_policy_param from_work[] = {
    PARAM_SIGMA, PARAM_ROUNDS, PARAM_MU("0"), PARAM_ON, {0}};

static struct cs_ptg_plan *plan_fair(const struct cs_ptg_instance *in,
                                     const struct cs_ptg_request *request, struct cs_error *err)
{
    (void)err;
    return feed_back(in, request, 0, cs_ptg_gamma_width, request->call.param[P_MU]);
}

static struct cs_ptg_plan *plan_trade(const struct cs_ptg_instance *in,
                                      const struct cs_ptg_request *request, struct cs_error *err)
{
    (void)err;
    return feed_back(in, request, 1, cs_ptg_gamma_width, request->call.param[P_MU]);
}

static struct cs_ptg_plan *plan_makespan(const struct cs_ptg_instance *in,
                                         const struct cs_ptg_request *request, struct cs_error *err)
{
    (void)err;
    return feed_back(in, request, 3, cs_ptg_gamma_work, request->call.param[P_MU]);
}

#define SOURCE "ours: shares corrected by the slowdowns of schedules"

const struct cs_ptg_strategy cs_ptg_strategy_feedback_fair = {
    .info = {.name = "feedback-fair",
             .problem = "ptg",
             .summary = "shares corrected by schedules until slowdowns are alike",
             .source = SOURCE,
             .params = from_width},
    .plan = plan_fair,
};

const struct cs_ptg_strategy cs_ptg_strategy_feedback_trade = {
    .info = {.name = "feedback-trade",
             .problem = "ptg",
             .summary = "shares corrected by schedules, fairness against makespan",
             .source = SOURCE,
             .params = from_width},
    .plan = plan_trade,
};

const struct cs_ptg_strategy cs_ptg_strategy_feedback_makespan = {
    .info = {.name = "feedback-makespan",
             .problem = "ptg",
             .summary = "shares corrected by schedules, mostly for the makespan",
             .source = SOURCE,
             .params = from_work},
    .plan = plan_makespan,
};
