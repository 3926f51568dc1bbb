/* Local search with another value than the end of all. */
#include "problems/ptg/joint.h"
#include "problems/ptg/search.h"
#include "property/ptg_kit.h"
#include "unit/kit.h"

/* The sum of what graphs end at, which moves for the end of all may raise. */
static double sum_of_ends(const void *graphs, double end, const double *completion)
{
    double sum = 0;

    (void)end;
    for (int g = 0; g < *(const int *)graphs; g++)
        sum += completion[g];
    return sum;
}

static void a_search_is_for_what_it_is_asked_for(void **state)
{
    double gained = 0, without = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        const struct cs_ptg_joint joint = {.efficiency = 0.1};
        struct cs_ptg_search how = {.moves = 200, .seed = seed};
        struct cs_ptg_plan *from, *end, *sum;
        double beta[PTG_KIT_GRAPHS], before;
        struct ptg_kit kit;

        ptg_kit_init(&kit, seed, 3, 20, seed % 3 == 0);
        for (int g = 0; g < kit.graphs; g++)
            beta[g] = 1;
        from = cs_ptg_joint_plan(kit.in, &joint, beta);
        end = cs_ptg_search_from(kit.in, from, &how, NULL);
        how.value = sum_of_ends;
        how.who = &kit.graphs;
        sum = cs_ptg_search_from(kit.in, from, &how, NULL);
        ptg_kit_check(&kit, sum, false);
        before = sum_of_ends(&kit.graphs, 0, from->completion);
        assert_true(sum_of_ends(&kit.graphs, 0, sum->completion) <= before);
        gained += 1 - sum_of_ends(&kit.graphs, 0, sum->completion) / before;
        without += 1 - sum_of_ends(&kit.graphs, 0, end->completion) / before;
        cs_ptg_plan_destroy(from);
        cs_ptg_plan_destroy(end);
        cs_ptg_plan_destroy(sum);
        ptg_kit_release(&kit);
    }
    assert_true(gained > without);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_search_is_for_what_it_is_asked_for),
    };

    return cmocka_run_group_tests_name("ptg_search", tests, NULL, NULL);
}
