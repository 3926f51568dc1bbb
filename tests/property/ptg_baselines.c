/* ptg_baselines: what the papers of hcpa, mheft and bicpa promise, on random graphs and platforms.
 */
#include "problems/ptg/baselines.h"
#include "problems/ptg/rank.h"
#include "problems/ptg/strategy.h"
#include "property/ptg_kit.h"
#include "unit/kit.h"

#include <math.h>
#include <string.h>

static struct cs_ptg_plan *plan_by(const struct ptg_kit *kit, const char *policy)
{
    struct cs_ptg_request request = {0};
    struct cs_error err = {0};
    struct cs_ptg_plan *plan;
    int count;
    const struct cs_policy *const *list = cs_ptg_policies(&count);

    if (cs_policy_parse(policy, list, count, &request.call, &err))
        fail_msg("%s", err.text);
    plan = cs_ptg_plan_make(kit->in, &request, &err);
    if (!plan)
        fail_msg("%s: %s", policy, err.text);
    ptg_kit_check(kit, plan, false);
    return plan;
}

static double area_of(const struct ptg_kit *kit, const struct cs_ptg_plan *plan)
{
    double area = 0;

    for (int v = 0; v < plan->tasks; v++)
        area +=
            plan->place[v].procs * cs_graph_task_time(cs_ptg_task(kit->in, v), plan->place[v].procs,
                                                      kit->platform->cluster[0].speed);
    return area;
}

/* One graph on one cluster: no rule loses to CPA in what it must not lose, and the plan has the
 * makespan and work of the size that was chosen. */
static void bicpa_is_no_worse_than_cpa_where_it_says_so(void **state)
{
    int tried = 0;

    (void)state;
    for (uint64_t seed = 1; tried < 25; seed++) {
        struct cs_arena *arena = cs_arena_create();
        struct cs_ptg_plan *cpa, *shorter, *less, *sum;
        struct ptg_kit kit;

        ptg_kit_init(&kit, seed, 1, 20, false);
        if (kit.platform->clusters == 1) {
            const struct cs_ptg_sizes sizes = cs_ptg_sizes_try(kit.in, false, arena);
            const int chosen = cs_ptg_sizes_choose(&sizes, CS_PTG_BICPA_S);

            cpa = plan_by(&kit, "bicpa:choose=cpa");
            shorter = plan_by(&kit, "bicpa:choose=M");
            less = plan_by(&kit, "bicpa:choose=W");
            sum = plan_by(&kit, "bicpa");
            assert_true(shorter->makespan <= cpa->makespan);
            assert_true(area_of(&kit, shorter) <= area_of(&kit, cpa) * (1 + 1e-12));
            assert_true(area_of(&kit, less) <= area_of(&kit, cpa) * (1 + 1e-12));
            assert_true(less->makespan <= cpa->makespan);
            assert_true(sum->makespan == sizes.makespan[chosen - 1]);
            for (int s = 0; s < sizes.sizes; s++) {
                assert_true(sizes.makespan[s] >= 0 && sizes.work[s] >= 0);
                assert_false(sizes.makespan[s] < sum->makespan &&
                             sizes.work[s] < sizes.work[chosen - 1]);
                for (int v = 0; s && v < kit.in->tasks; v++)
                    assert_true(sizes.width[s][v] >= sizes.width[s - 1][v]);
            }
            cs_ptg_plan_destroy(cpa);
            cs_ptg_plan_destroy(shorter);
            cs_ptg_plan_destroy(less);
            cs_ptg_plan_destroy(sum);
            tried++;
        }
        cs_arena_destroy(arena);
        ptg_kit_release(&kit);
    }
}

/* The first task of the list finds empty clusters: no width anywhere ends it earlier.  With one
 * processor at most of each cluster all tasks have one. */
static void mheft_takes_the_earliest_end(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct cs_arena *arena = cs_arena_create();
        struct cs_ptg_plan *plan, *narrow;
        struct ptg_kit kit;
        double least = INFINITY;
        int *order;

        ptg_kit_init(&kit, seed, PTG_KIT_GRAPHS, 25, false);
        plan = plan_by(&kit, "mheft");
        narrow = plan_by(&kit, "mheft:share=0");
        order = CS_NEW_ARRAY(arena, int, kit.in->tasks);
        cs_ptg_rank_order(kit.in, plan->bottom, order, arena);
        for (int k = 0; k < kit.platform->clusters; k++)
            for (int n = 1; n <= kit.platform->cluster[k].procs; n++)
                least = fmin(least, cs_graph_task_time(cs_ptg_task(kit.in, order[0]), n,
                                                       kit.platform->cluster[k].speed));
        assert_true(plan->place[order[0]].finish == least);
        for (int v = 0; v < narrow->tasks; v++)
            assert_int_equal(narrow->place[v].procs, 1);
        cs_ptg_plan_destroy(plan);
        cs_ptg_plan_destroy(narrow);
        cs_arena_destroy(arena);
        ptg_kit_release(&kit);
    }
}

/* hcpa is s with the rule of the average area and without packing. */
static void hcpa_is_scrap_with_all_of_the_platform(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        const double beta[PTG_KIT_GRAPHS] = {1, 1, 1, 1, 1, 1};
        struct cs_ptg_options options = CS_PTG_OPTIONS;
        struct cs_ptg_plan *plan, *same;
        struct ptg_kit kit;

        ptg_kit_init(&kit, seed, PTG_KIT_GRAPHS, 25, true);
        options.procedure = CS_PTG_SCRAP;
        options.pack = false;
        plan = plan_by(&kit, "hcpa");
        same = cs_ptg_plan_with_shares(kit.in, &options, beta, NULL);
        assert_true(ptg_kit_same(plan, same));
        cs_ptg_plan_destroy(plan);
        cs_ptg_plan_destroy(same);
        ptg_kit_release(&kit);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bicpa_is_no_worse_than_cpa_where_it_says_so),
        cmocka_unit_test(mheft_takes_the_earliest_end),
        cmocka_unit_test(hcpa_is_scrap_with_all_of_the_platform),
    };

    return cmocka_run_group_tests_name("ptg_baselines", tests, NULL, NULL);
}
