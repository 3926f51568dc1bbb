/* pack_prices: the checker shows the bounds of column generation by their prices, and by no prices
 * a bound that is none. */
#include "problems/pack/strong.h"

#include "base/rng.h"
#include "check/bound_pack.h"
#include "config.h"
#include "property/pack_kit.h"
#include "unit/kit.h"

#include <math.h>
#include <string.h>

#define CASES KIT_ROUNDS(60)
#define ATTEMPTS 40

static enum cs_check_shown judge(const struct pack_case *c, double bound,
                                 const struct cs_pack_certificate *by)
{
    const struct cs_pack_declared declared = {
        .pack_size = cs_pack_instance_pack_size(c->instance),
        .lower_bound = bound,
        .certificate = *by,
    };

    return cs_check_pack_shown(c->workload, cs_pack_instance_procs(c->instance), &declared);
}

static double find_prices(const struct pack_case *c, struct cs_pack_certificate *by)
{
    const struct cs_pack_request request = {.threads = 1};
    double bound;

    *by = (struct cs_pack_certificate){0};
    assert_int_equal(cs_pack_bound_priced(c->instance, &request, &bound, by, c->arena, NULL), 0);
    return bound;
}

static void the_bounds_of_column_generation_are_shown(void **state)
{
    const struct cs_pack_certificate none = {0};
    int priced = 0;

    (void)state;
    if (!CS_HAVE_CBC)
        skip();
    for (uint64_t seed = 0; seed < CASES; seed++) {
        struct pack_case c = pack_case_create(3000 + seed, 40, 40);
        struct cs_pack_certificate by;
        double bound = find_prices(&c, &by);

        assert_int_equal(judge(&c, bound, &by), CS_CHECK_SHOWN);
        assert_int_not_equal(judge(&c, bound * 1.0001, &by), CS_CHECK_SHOWN);
        if (by.price) {
            priced++;
            assert_int_not_equal(judge(&c, bound * 1.0001, &none), CS_CHECK_SHOWN);
        }
        pack_case_destroy(&c);
    }
    assert_true(priced > CASES / 3);
}

/* Prices and steps at random, near the right ones where there are some. */
static void draw_prices(const struct pack_case *c, double optimum, struct cs_pack_certificate *by,
                        struct cs_rng *rng)
{
    int tasks = c->workload->count;
    double *price = CS_NEW_ARRAY(c->arena, double, tasks);
    struct cs_pack_step *step = CS_NEW_ARRAY(c->arena, struct cs_pack_step, 2);

    for (int i = 0; i < tasks; i++)
        price[i] = by->price ? by->price[i] * (0.9 + 0.2 * cs_rng_uniform(rng))
                             : 2 * optimum / tasks * cs_rng_uniform(rng);
    for (int k = 0; k < 2; k++) {
        int task = (int)(cs_rng_uniform(rng) * tasks);

        step[k].seconds = cs_pack_instance_time(c->instance, task, c->instance->tasks->procs);
        step[k].price = optimum / 4 * cs_rng_uniform(rng);
    }
    *by = (struct cs_pack_certificate){price, (int)(cs_rng_uniform(rng) * 3), step, false};
}

static void no_prices_show_more_than_the_best_plan(void **state)
{
    const struct cs_pack_certificate none = {0};
    int shown = 0;

    (void)state;
    for (uint64_t seed = 0; seed < CASES; seed++) {
        struct pack_case c = pack_case_create(5000 + seed, 7, 7);
        struct cs_rng rng;
        double optimum = cs_check_bound_pack(c.workload, cs_pack_instance_procs(c.instance),
                                             cs_pack_instance_pack_size(c.instance), false);

        cs_rng_init(&rng, seed, 1, 0);
        for (int k = 0; k < ATTEMPTS; k++) {
            struct cs_pack_certificate by = {0};
            double bound = optimum * (0.8 + 0.3 * cs_rng_uniform(&rng));

            if (CS_HAVE_CBC && k % 2 == 0)
                find_prices(&c, &by);
            draw_prices(&c, optimum, &by, &rng);
            if (judge(&c, bound, &by) != CS_CHECK_SHOWN)
                continue;
            assert_true(bound <= optimum * (1 + 2e-9));
            shown += judge(&c, bound, &none) != CS_CHECK_SHOWN;
        }
        pack_case_destroy(&c);
    }
    assert_true(shown > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bounds_of_column_generation_are_shown),
        cmocka_unit_test(no_prices_show_more_than_the_best_plan),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
