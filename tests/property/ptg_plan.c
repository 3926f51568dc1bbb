/* ptg_plan: whatever strategy, options and arrivals: plans are valid, the same twice, and keep what
 * the shares promise. */
#include "problems/ptg/strategy.h"
#include "property/ptg_kit.h"
#include "unit/kit.h"

#include <math.h>
#include <string.h>

static struct cs_ptg_request request_for(int policy, const struct cs_ptg_options *options)
{
    struct cs_ptg_request request = {.options = options};
    int count;
    const struct cs_policy *const *list = cs_ptg_policies(&count);
    struct cs_error err = {0};

    if (cs_policy_parse(list[policy]->name, list, count, &request.call, &err))
        fail_msg("%s", err.text);
    return request;
}

static struct cs_ptg_options random_options(struct ptg_kit *kit)
{
    struct cs_ptg_options options = CS_PTG_OPTIONS;

    options.procedure = (enum cs_ptg_procedure)(ptg_kit_below(kit, 4) == 0);
    options.gain = (enum cs_ptg_gain)(ptg_kit_below(kit, 3) == 0);
    options.reference = (enum cs_ptg_reference_speed)(ptg_kit_below(kit, 4) == 0);
    options.cap = (enum cs_ptg_cap)(ptg_kit_below(kit, 4) == 0);
    options.network = (enum cs_ptg_network)(ptg_kit_below(kit, 2));
    options.pack = ptg_kit_below(kit, 4) > 0;
    options.late_transfer = ptg_kit_below(kit, 4) == 0;
    options.efficiency = ptg_kit_below(kit, 3) ? 0 : 0.4;
    options.batch = ptg_kit_below(kit, 3) ? CS_PTG_BATCH_AUTO : 0.05;
    return options;
}

static struct cs_ptg_plan *make(const struct ptg_kit *kit, const struct cs_ptg_request *request)
{
    struct cs_error err = {0};
    struct cs_ptg_plan *plan = cs_ptg_plan_make(kit->in, request, &err);

    if (!plan)
        fail_msg("%s", err.text);
    return plan;
}

/* bicpa, and more than it plans. */
static bool is_too_much(const struct ptg_kit *kit, const struct cs_ptg_strategy *strategy)
{
    return strategy->single && (kit->graphs > 1 || kit->platform->clusters > 1);
}

static void every_strategy_makes_valid_plans(void **state)
{
    int count, single = 0;
    const struct cs_ptg_strategy *const *list = cs_ptg_strategies(&count);

    (void)state;
    for (uint64_t seed = 1; seed <= KIT_ROUNDS(60); seed++) {
        struct ptg_kit kit;
        struct cs_ptg_options options;

        ptg_kit_init(&kit, seed, PTG_KIT_GRAPHS, 25, seed % 3 == 0);
        options = random_options(&kit);
        for (int p = 0; p < count && !list[p]->info.extpol; p++) {
            struct cs_ptg_request request = request_for(p, &options);
            struct cs_ptg_plan *plan, *again, *replayed;

            if (is_too_much(&kit, list[p])) {
                assert_null(cs_ptg_plan_make(kit.in, &request, NULL));
                continue;
            }
            single += list[p]->single;
            plan = make(&kit, &request);
            again = make(&kit, &request);
            replayed = cs_ptg_replay_fluid(kit.in, plan);
            ptg_kit_check(&kit, plan, options.network == CS_PTG_NETWORK_FAN);
            ptg_kit_check(&kit, replayed, false);
            assert_true(ptg_kit_same(plan, again));
            cs_ptg_plan_destroy(plan);
            cs_ptg_plan_destroy(again);
            cs_ptg_plan_destroy(replayed);
        }
        ptg_kit_release(&kit);
    }
    assert_true(single > 0);
}

static void plans_online_are_valid(void **state)
{
    int count;
    const struct cs_ptg_strategy *const *list = cs_ptg_strategies(&count);

    (void)state;
    for (uint64_t seed = 1; seed <= KIT_ROUNDS(40); seed++) {
        struct ptg_kit kit;
        struct cs_ptg_options options;

        ptg_kit_init(&kit, seed, PTG_KIT_GRAPHS, 25, true);
        options = random_options(&kit);
        for (int p = 0; p < count && !list[p]->info.extpol; p++)
            for (int mode = CS_PTG_FIXED; mode <= CS_PTG_FULL && !list[p]->plan; mode++) {
                struct cs_ptg_request request = request_for(p, &options);
                struct cs_ptg_plan *plan, *again;

                request.mode = (enum cs_ptg_mode)mode;
                plan = make(&kit, &request);
                again = make(&kit, &request);
                ptg_kit_check(&kit, plan, options.network == CS_PTG_NETWORK_FAN);
                assert_true(ptg_kit_same(plan, again));
                assert_true(mode != CS_PTG_FIXED || plan->revoked == 0);
                cs_ptg_plan_destroy(plan);
                cs_ptg_plan_destroy(again);
            }
        ptg_kit_release(&kit);
    }
}

static void the_global_order_never_goes_backwards(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= KIT_ROUNDS(40); seed++) {
        struct cs_ptg_options options = CS_PTG_OPTIONS;
        struct cs_ptg_request request = request_for(0, &options);
        struct cs_ptg_plan *plan;
        struct ptg_kit kit;

        options.order = CS_PTG_ORDER_GLOBAL;
        ptg_kit_init(&kit, seed, 3, 20, false);
        plan = make(&kit, &request);
        ptg_kit_check(&kit, plan, false);
        for (int v = 0; v < plan->tasks; v++)
            for (int w = 0; w < plan->tasks; w++)
                assert_true(!(plan->bottom[v] > plan->bottom[w]) ||
                            plan->place[v].start <= plan->place[w].start);
        cs_ptg_plan_destroy(plan);
        ptg_kit_release(&kit);
    }
}

/* Shares of every closed strategy: in 0 .. 1, summing to 1 but for s; es and ps are wps with mu 1
 * and 0; alike for graphs that are alike; moved along when graphs change places. */
static void shares_add_up(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        const struct cs_ptg_options options = CS_PTG_OPTIONS;
        struct cs_ptg_reference reference;
        struct cs_arena *arena = cs_arena_create();
        struct cs_ptg_scene scene;
        struct ptg_kit kit;
        int count;
        const struct cs_ptg_strategy *const *list = cs_ptg_strategies(&count);

        ptg_kit_init(&kit, seed, PTG_KIT_GRAPHS, 15, false);
        reference = cs_ptg_reference_of(kit.platform, options.reference);
        scene = cs_ptg_scene_of(kit.in, &reference, &options, arena);
        for (int p = 0; p < count; p++) {
            struct cs_ptg_request request = request_for(p, &options);
            const struct cs_graph *turned[PTG_KIT_GRAPHS];
            double beta[PTG_KIT_GRAPHS], other[PTG_KIT_GRAPHS], sum = 0;
            int n = kit.graphs;

            if (list[p]->plan || list[p]->info.extpol)
                continue;
            scene.graph = kit.in->graph;
            list[p]->shares(&scene, request.call.param, beta);
            for (int g = 0; g < n; g++) {
                assert_true(beta[g] >= 0 && beta[g] <= 1 + 1e-12);
                turned[g] = kit.graph[(g + 1) % n];
                sum += beta[g];
            }
            assert_true(strcmp(list[p]->info.name, "s") ? fabs(sum - 1) < 1e-12 : sum == n);
            scene.graph = turned;
            list[p]->shares(&scene, request.call.param, other);
            for (int g = 0; g < n; g++)
                assert_true(fabs(other[g] - beta[(g + 1) % n]) < 1e-12);
        }
        cs_arena_destroy(arena);
        ptg_kit_release(&kit);
    }
}

static void one_graph_alone_is_not_slowed_down(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= KIT_ROUNDS(60); seed++) {
        struct cs_ptg_options options;
        struct cs_ptg_request request;
        struct cs_ptg_plan *plan;
        struct cs_ptg_metrics *m;
        struct cs_error err = {0};
        struct ptg_kit kit;
        double own;

        ptg_kit_init(&kit, seed, 1, 30, false);
        options = random_options(&kit);
        request = request_for((int)(seed % 8), &options);
        plan = make(&kit, &request);
        assert_int_equal(cs_ptg_own(kit.in, &options, false, &own, &err), 0);
        m = cs_ptg_metrics_create(kit.in, plan, &own);
        assert_true(m->slowdown[0] == 1 && m->unfairness == 0);
        cs_ptg_metrics_destroy(m);
        cs_ptg_plan_destroy(plan);
        ptg_kit_release(&kit);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_strategy_makes_valid_plans),
        cmocka_unit_test(plans_online_are_valid),
        cmocka_unit_test(the_global_order_never_goes_backwards),
        cmocka_unit_test(shares_add_up),
        cmocka_unit_test(one_graph_alone_is_not_slowed_down),
    };

    return cmocka_run_group_tests_name("ptg_plan", tests, NULL, NULL);
}
