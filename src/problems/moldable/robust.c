/* robust - of several plans the one that does best when times are uncertain.
 *
 * Source: spec/moldable.md 7.4 (not from a paper).
 * Idea: the quick planners' plans and those of searches with several seeds are carried out in the
 * same scenarios, which are drawn from a seed that no run of this seed uses, with the policy that
 * will be used; the fewest tasks stopped at their walltime win, then the least mean makespan.
 * Invariants: the same for any number of threads: plan p has the seed `seed + p - QUICK`; all
 * plans see the same scenarios; ties go to the first plan; every plan passes thrift before it is
 * judged.
 * Complexity: (QUICK + seeds) scenarios simulations and seeds searches.  Measured: mean makespan
 * 0.983 to 0.986 of that of the search's plan (docs/papers.md).
 *
 *   constant     value  unit       how found             half, double
 *   USUAL_SIGMA  0.1    of log     not recorded          not measured
 *   scenarios    20     scenarios  spec/moldable.md 7.4  not measured
 *   seeds        8      seeds      not recorded          not measured
 *   moves        20000  moves      that of `search`      not measured
 */
#include "problems/moldable/robust.h"

#include "base/mix.h"
#include "base/workers.h"
#include "problems/moldable/draw.h"
#include "problems/moldable/policy.h"
#include "problems/moldable/simulate.h"

#include <string.h>

#define QUICK 4
#define USUAL_SIGMA 0.1

enum { SIGMA, QBAR, VARIANT, SCENARIOS, SEEDS, MOVES };

struct contest {
    const struct cs_moldable_instance *in;
    const struct cs_policy_context *context;
    struct cs_moldable_world world;
    struct cs_policy_call variant;
    double *expected;
    const double *walltime;
    long plans;
    struct cs_moldable_plan **plan;
    double *mean;    /* makespan of each; +inf for a planner that is not for such bags */
    double *stopped; /* mean of the tasks that meet their walltime */
    long long *moves;
};

struct worker {
    const struct contest *contest;
    struct cs_arena *scratch;
};

static const char *const quick[QUICK] = {"ludwig-tiwari", "turek-wolf-yu", "sweep",
                                         "mounie-rapine-trystram"};

static void plan_quickly(const struct cs_moldable_bag *bag, int which,
                         struct cs_moldable_plan *plan, struct cs_arena *scratch)
{
    if (which == 0)
        cs_moldable_ludwig_tiwari(bag, plan, scratch);
    else if (which == 1)
        cs_moldable_turek_wolf_yu(bag, plan, scratch);
    else if (which == 2)
        cs_moldable_sweep(bag, 1, 3, plan, scratch);
    else if (cs_moldable_shelves_apply(bag))
        cs_moldable_mounie_rapine_trystram(bag, plan, scratch);
}

static int robust_begin(void *worker, const void *job, struct cs_error *err)
{
    *(struct worker *)worker = (struct worker){job, cs_arena_create()};
    (void)err;
    return 0;
}

static void robust_end(void *worker)
{
    cs_arena_destroy(((struct worker *)worker)->scratch);
}

static int carry_out(const struct contest *c, long which, struct cs_arena *scratch,
                     struct cs_error *err)
{
    const struct cs_moldable_plan *plan = c->plan[which];
    const struct cs_moldable_bag *bag = &c->in->bag;
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    int *order = CS_NEW_ARRAY(scratch, int, bag->tasks);
    int *failures = CS_NEW_ARRAY(scratch, int, bag->tasks);
    double *factor = CS_NEW_ARRAY(scratch, double, bag->tasks);
    const struct cs_moldable_scene scene = {bag, plan, order, c->expected};
    const struct cs_moldable_truth truth = {.factor = factor,
                                            .failures = c->world.qbar > 0 ? failures : NULL};
    long scenarios = (long)c->context->param[SCENARIOS];
    struct cs_moldable_simulator *simulator;
    int status = 0;

    cs_moldable_sort_plan(bag, plan, order, scratch);
    simulator = cs_moldable_simulator_create(&scene, &c->variant, c->walltime, err);
    c->mean[which] = 0;
    for (long s = 0; simulator && s < scenarios && status == 0; s++) {
        struct cs_moldable_outcome outcome = {0};

        status =
            cs_moldable_world_draw(c->in, &c->world, (uint64_t)s, factor, failures, err) ? -1 : 0;
        if (status == 0)
            cs_moldable_simulator_run(simulator, &truth, &outcome);
        c->mean[which] += outcome.makespan / (double)scenarios;
        c->stopped[which] += outcome.stopped / (double)scenarios;
    }
    cs_moldable_simulator_destroy(simulator);
    cs_arena_rewind(scratch, mark);
    return simulator ? status : -1;
}

/* Plans 0 .. QUICK - 1 are there; the others are searched for from their best. */
static int robust_contend(void *worker, long run, struct cs_error *err)
{
    struct worker *w = worker;
    const struct contest *c = w->contest;
    struct cs_moldable_plan *plan = c->plan[run];

    if (run >= QUICK) {
        const struct cs_moldable_hunt hunt = {
            .seed = c->context->seed + (uint64_t)(run - QUICK),
            .moves = (long long)c->context->param[MOVES],
            .expired = c->context->expired,
            .who = c->context->who,
        };

        c->moves[run] = cs_moldable_search(&c->in->bag, &hunt, plan, w->scratch);
    }
    c->mean[run] = INFINITY;
    if (isinf(plan->makespan))
        return 0;
    cs_moldable_thrift(&c->in->bag, plan, w->scratch);
    return carry_out(c, run, w->scratch, err);
}

static int share_out(const struct contest *c, struct cs_error *err)
{
    const struct cs_workers share = {.runs = c->plans,
                                     .threads = c->context->threads,
                                     .size = sizeof(struct worker),
                                     .job = c,
                                     .begin = robust_begin,
                                     .run = robust_contend,
                                     .end = robust_end};

    return cs_workers_run(&share, err);
}

static void robust_report(const struct contest *c, long best, struct cs_moldable_plan *plan)
{
    cs_moldable_plan_copy(plan, c->plan[best]);
    cs_moldable_plan_note(plan, "plans compared", NULL, (double)c->plans);
    cs_moldable_plan_note(plan, "made by", best < QUICK ? quick[best] : "search", 0);
    if (best >= QUICK) {
        cs_moldable_plan_note(plan, "seed", NULL,
                              (double)(c->context->seed + (uint64_t)(best - QUICK)));
        cs_moldable_plan_note(plan, "moves", NULL, (double)c->moves[best]);
    }
    cs_moldable_plan_note(plan, "carried out by",
                          cs_moldable_variant_at(c->variant.policy)->info.name, 0);
    cs_moldable_plan_note(plan, "mean makespan", NULL, c->mean[best]);
    if (c->stopped[best] > 0)
        cs_moldable_plan_note(plan, "mean stopped", NULL, c->stopped[best]);
}

static double value_or(double supplied, double fallback)
{
    return isnan(supplied) ? fallback : supplied;
}

static void robust_prepare(struct contest *c, const struct cs_moldable_instance *in,
                           const struct cs_policy_context *context)
{
    struct cs_arena *arena = context->scratch;
    const double *param = context->param;

    *c = (struct contest){.in = in, .context = context, .plans = QUICK + (long)param[SEEDS]};
    c->world.sigma = value_or(param[SIGMA], USUAL_SIGMA);
    c->world.qbar = value_or(param[QBAR], 0);
    c->world.seed = cs_mix(context->seed, CS_MOLDABLE_STREAM_ROBUST, 0, 0, 0);
    c->variant.policy = (int)value_or(param[VARIANT], 0);
    c->expected = CS_NEW_ARRAY(arena, double, in->bag.tasks);
    c->plan = CS_NEW_ARRAY(arena, struct cs_moldable_plan *, c->plans);
    c->mean = CS_NEW_ARRAY(arena, double, c->plans);
    c->stopped = CS_NEW_ARRAY(arena, double, c->plans);
    c->moves = CS_NEW_ARRAY(arena, long long, c->plans);
    c->walltime = cs_moldable_walltimes(in, arena);
    cs_moldable_expected(&in->bag, c->world.qbar, c->expected);
}

/* The quick plans, and the best of them as the start of every search. */
static void make_plans(struct contest *c)
{
    long best = 0;

    for (long p = 0; p < c->plans; p++) {
        c->plan[p] = cs_moldable_plan_create(c->in->bag.tasks);
        cs_moldable_plan_clear(c->plan[p]);
    }
    for (int p = 0; p < QUICK; p++) {
        plan_quickly(&c->in->bag, p, c->plan[p], c->context->scratch);
        best = c->plan[p]->makespan < c->plan[best]->makespan ? p : best;
    }
    for (long p = QUICK; p < c->plans; p++)
        cs_moldable_plan_copy(c->plan[p], c->plan[best]);
}

static bool is_better(const struct contest *c, long a, long b)
{
    if (isinf(c->mean[a]) || isinf(c->mean[b]) || c->stopped[a] == c->stopped[b])
        return c->mean[a] < c->mean[b];
    return c->stopped[a] < c->stopped[b];
}

static int plan_robustly(const struct cs_moldable_instance *in,
                         const struct cs_policy_context *context, struct cs_moldable_plan *plan)
{
    struct contest contest;
    long best = 0;
    int status;

    robust_prepare(&contest, in, context);
    make_plans(&contest);
    status = share_out(&contest, context->err);
    for (long p = 1; p < contest.plans && status == 0; p++)
        best = is_better(&contest, p, best) ? p : best;
    if (status == 0)
        robust_report(&contest, best, plan);
    for (long p = 0; p < contest.plans; p++)
        cs_moldable_plan_destroy(contest.plan[p]);
    return status;
}

static const struct cs_policy_param params[] = {
    [SIGMA] = {.name = "sigma",
               .kind = CS_POLICY_PARAM_REAL,
               .default_text = "that of the runs",
               .low = 0,
               .high = 10,
               .summary = "of the logarithm of the factor on times; for a plan alone 0.1"},
    [QBAR] = {.name = "qbar",
              .kind = CS_POLICY_PARAM_REAL,
              .default_text = "that of the runs",
              .low = 0,
              .high = 0.999999,
              .summary =
                  "probability that an attempt of an average task fails; for a plan alone 0"},
    [VARIANT] = {.name = "way",
                 .kind = CS_POLICY_PARAM_CHOICE,
                 .default_text = "that of the runs",
                 .choices = "order|list|follow|replan",
                 .summary = "how the plan will be carried out; for a plan alone order"},
    [SCENARIOS] = {.name = "scenarios",
                   .kind = CS_POLICY_PARAM_INTEGER,
                   .default_text = "20",
                   .low = 1,
                   .high = 1000000,
                   .summary = "in how many scenarios every plan is carried out"},
    [SEEDS] = {.name = "seeds",
               .kind = CS_POLICY_PARAM_INTEGER,
               .default_text = "8",
               .low = 0,
               .high = 10000,
               .summary = "how many plans of the search are among them"},
    [MOVES] = {.name = "moves",
               .kind = CS_POLICY_PARAM_INTEGER,
               .default_text = "20000",
               .low = 0,
               .high = 1e12,
               .summary = "how many changes of counts and order each search tries"},
    {0},
};

const struct cs_moldable_policy cs_moldable_policy_robust = {
    .info =
        {
            .name = "robust",
            .problem = "moldable",
            .summary = "of the plans of several planners and seeds the one whose mean makespan "
                       "over simulated scenarios is least",
            .source = "cosched",
            .params = params,
        },
    .plan = plan_robustly,
};

bool cs_moldable_robust_is(const struct cs_policy_call *call)
{
    int count;

    return cs_moldable_policies(&count)[call->policy] == &cs_moldable_policy_robust.info;
}

void cs_moldable_robust_expect(struct cs_policy_call *call, double sigma, double qbar, int variant)
{
    const struct cs_moldable_variant *it = cs_moldable_variant_at(variant);

    call->param[SIGMA] = value_or(call->param[SIGMA], sigma);
    call->param[QBAR] = value_or(call->param[QBAR], qbar);
    call->param[VARIANT] = value_or(call->param[VARIANT], it->follows ? variant : 0);
}
