/* volatile_laws: lives and laws of a small pool.  Figures are those of the golden case
 * f32_laws_few of spec/volatile.md III.8, and by hand. */
#include "problems/volatile/lifetime_model.h"
#include "unit/kit.h"

#include <math.h>

static void near(double got, double want)
{
    if (!(fabs(got - want) <= 1e-9 * fmax(1, fabs(want))))
        fail_msg("%.12g, expected %.12g", got, want);
}

static struct cs_fleet *fleet_of(int hosts, const char *const *text)
{
    struct cs_error err = {0};
    struct cs_fleet *fleet = cs_fleet_create_text(hosts, text, 1, &err);

    if (!fleet)
        fail_msg("%s", err.text);
    return fleet;
}

static const char *const few[] = {"d5 u7 d3 u15 d2", "u5 d9 u18", "d1 ?3 u5 d5 u6 d8 u4"};

static void lifetimes_whose_beginning_was_seen(void **state)
{
    static const struct cs_fleet_life want[] = {
        {7, true}, {15, true}, {18, false}, {6, true}, {4, false}};
    struct cs_fleet *fleet = fleet_of(3, few);
    const struct cs_volatile_history history = {fleet, 0, 3, 0, 32};
    struct cs_arena *arena = cs_arena_create();
    int64_t count;
    const struct cs_fleet_life *life = cs_volatile_lifetimes(&history, &count, arena);

    (void)state;
    assert_int_equal(count, 5);
    for (int i = 0; i < 5; i++)
        assert_true(life[i].length == want[i].length && life[i].ended == want[i].ended);
    cs_arena_destroy(arena);
    cs_fleet_destroy(fleet);
}

static void lifetimes_are_cut_where_history_ends(void **state)
{
    struct cs_fleet *fleet = fleet_of(3, few);
    const struct cs_volatile_history history = {fleet, 0, 2, 10, 30};
    struct cs_arena *arena = cs_arena_create();
    int64_t count;
    const struct cs_fleet_life *life = cs_volatile_lifetimes(&history, &count, arena);

    (void)state;
    assert_int_equal(count, 2);
    assert_true(life[0].length == 15 && life[0].ended);
    assert_true(life[1].length == 16 && !life[1].ended);
    cs_arena_destroy(arena);
    cs_fleet_destroy(fleet);
}

static void laws_of_few_lifetimes(void **state)
{
    static const struct cs_fleet_life life[] = {
        {7, true}, {15, true}, {18, false}, {6, true}, {4, false}};
    struct cs_arena *arena = cs_arena_create();
    struct cs_volatile_survival law;

    (void)state;
    law = cs_volatile_survival_fit(CS_VOLATILE_SURVIVAL_EXPONENTIAL, life, 5, arena);
    near(law.a, 0.06);
    near(law.log_likelihood, -11.44023215028011);
    law = cs_volatile_survival_fit(CS_VOLATILE_SURVIVAL_WEIBULL, life, 5, arena);
    near(law.a, 1.9760526235243792);
    near(law.b, 14.725446828291403);
    near(law.log_likelihood, -10.609572068323622);
    law = cs_volatile_survival_fit(CS_VOLATILE_SURVIVAL_LOG_NORMAL, life, 5, arena);
    near(law.a, 2.430292443765655);
    near(law.b, 0.5868438491652668);
    near(law.log_likelihood, -10.21656242715403);
    near(cs_volatile_survival_log(&law, 30) - cs_volatile_survival_log(&law, 10),
         -2.481367660218287);
    law = cs_volatile_survival_fit(CS_VOLATILE_SURVIVAL_PRODUCT_LIMIT, life, 5, arena);
    assert_int_equal(law.steps, 0);
    near(law.a, 0.05263157894736842);
    law = cs_volatile_survival_few(life, 5);
    near(law.a, 3.5 / 50);
    cs_arena_destroy(arena);
}

/* Thirteen lives: two end at 1, one is cut off at 2, one of ten ends at 3; then fewer are left.
 * The middle one of those that ended has 6: five ended later, after 16 slots more. */
static void steps_of_the_product_limit(void **state)
{
    static const struct cs_fleet_life life[] = {
        {1, true}, {1, true}, {2, false}, {3, true}, {5, true}, {6, true},  {6, true},
        {7, true}, {8, true}, {9, true},  {9, true}, {9, true}, {10, false}};
    struct cs_arena *arena = cs_arena_create();
    struct cs_volatile_survival law =
        cs_volatile_survival_fit(CS_VOLATILE_SURVIVAL_PRODUCT_LIMIT, life, 13, arena);

    (void)state;
    assert_int_equal(law.steps, 2);
    near(law.log[0], log(11.0 / 13));
    near(law.log[1], log(11.0 / 13) + log(9.0 / 10));
    near(cs_volatile_survival_log(&law, 0.5), 0);
    near(cs_volatile_survival_log(&law, 2.9), law.log[0]);
    near(law.a, 5.0 / 16);
    near(cs_volatile_survival_log(&law, 5), law.log[1] - 2 * law.a);
    cs_arena_destroy(arena);
}

static void far_tails_stay_finite(void **state)
{
    const struct cs_volatile_survival law = {
        .kind = CS_VOLATILE_SURVIVAL_LOG_NORMAL, .a = 0, .b = 0.01};
    double last = 0;

    (void)state;
    for (double t = 1; t < 1e9; t *= 1.01) {
        double now = cs_volatile_survival_log(&law, t);

        assert_true(isfinite(now) && now < last);
        last = now;
    }
}

static void frailty_counts_failures_against_the_law(void **state)
{
    struct cs_fleet *fleet = fleet_of(3, few);
    const struct cs_volatile_history history = {fleet, 0, 3, 0, 32};
    const struct cs_volatile_survival law = {.kind = CS_VOLATILE_SURVIVAL_EXPONENTIAL, .a = 0.06};

    (void)state;
    near(cs_volatile_frailty(&history, 0, &law), 4 / (22 * 0.06 + 2));
    near(cs_volatile_frailty(&history, 1, &law), 3 / (23 * 0.06 + 2));
    cs_fleet_destroy(fleet);
}

/* At 4 two of three go down together; at 8 one of three alone. */
static void hosts_that_fail_together(void **state)
{
    static const char *const text[] = {"u4 d2 u6", "u4 d1 u7", "u8 d1 u3"};
    struct cs_fleet *fleet = fleet_of(3, text);
    const struct cs_volatile_history history = {fleet, 0, 3, 0, 12};

    (void)state;
    near(cs_volatile_co_failure(&history), 2.0 / (2 * 2 + 1 * 2));
    cs_fleet_destroy(fleet);
}

static void together_by_hand(void **state)
{
    const double rho[] = {0.25, 1}, log_p[] = {-1, -2, -4};
    const int pool[] = {0, 0, 1}, host[] = {0, 1, 2};
    struct cs_volatile_lifetime_model b = {
        .kind = CS_VOLATILE_LIFETIME_MODEL_LAWS, .pools = 2, .co_failure = rho};

    (void)state;
    near(cs_volatile_lifetime_model_together(&b, 3, host, log_p), -4 + 0.75 * -3);
    b.pool = pool;
    near(cs_volatile_lifetime_model_together(&b, 3, host, log_p), -2 + 0.75 * -1 - 4);
    b.kind = CS_VOLATILE_LIFETIME_MODEL_CHAINS;
    near(cs_volatile_lifetime_model_together(&b, 3, host, log_p), -7);
}

/* Every other slot down: ten lives of one slot each are enough for a chain of its own. */
static const char *const restless[] = {
    "d1 u1 d1 u1 d1 u1 d1 u1 d1 u1 d1 u1 d1 u1 d1 u1 d1 u1 d1 u1 d1 "
    "u1 d1 u1 d1 u1 d1 u1 d1 u1 d1 u1 d1 u1 d1 u1 d1 u1 d1"};

static void auto_takes_a_chain_where_hosts_have_lived_often(void **state)
{
    struct cs_fleet *many = fleet_of(1, restless), *little = fleet_of(3, few);
    struct cs_volatile_lifetime_model *b;
    const int host = 0;
    const double age = 1;

    (void)state;
    b = cs_volatile_lifetime_model_fit(many, CS_FIT_LIFETIME_AUTO, CS_FIT_POOL_ZONE, 0, 39, NULL);
    assert_int_equal(cs_volatile_lifetime_model_model(b), CS_FIT_LIFETIME_CHAIN);
    near(cs_volatile_lifetime_model_chance(b, 1, &host, &age, 1), 1 - 19.01 / 19.03);
    cs_volatile_lifetime_model_destroy(b);
    b = cs_volatile_lifetime_model_fit(little, CS_FIT_LIFETIME_AUTO, CS_FIT_POOL_ZONE, 0, 32, NULL);
    assert_int_equal(cs_volatile_lifetime_model_model(b), CS_FIT_LIFETIME_LOG_NORMAL);
    assert_int_equal(cs_volatile_lifetime_model_few(b), 1);
    cs_volatile_lifetime_model_destroy(b);
    cs_fleet_destroy(many);
    cs_fleet_destroy(little);
}

/* Three ended lives are few: (3 + 1/2) / 50 for all, and three, none and one failures. */
static void few_lifetimes_make_a_rate(void **state)
{
    struct cs_fleet *fleet = fleet_of(3, few);
    struct cs_volatile_lifetime_model *b = cs_volatile_lifetime_model_fit(
        fleet, CS_FIT_LIFETIME_WEIBULL, CS_FIT_POOL_FLEET, 0, 32, NULL);
    const double age[] = {4, 9};
    const int host[] = {0, 1};
    double rate = 3.5 / 50;

    (void)state;
    near(cs_volatile_lifetime_model_chance(b, 1, host, age, 5),
         exp(-5 * rate * (2 + 2) / (2 + 22 * rate)));
    near(cs_volatile_lifetime_model_chance(b, 2, host, age, 5),
         exp(-5 * rate * (4 / (2 + 22 * rate) + 3 / (2 + 23 * rate))));
    cs_volatile_lifetime_model_destroy(b);
    b = cs_volatile_lifetime_model_fit(fleet, CS_FIT_LIFETIME_WEIBULL, CS_FIT_POOL_HOST, 0, 32,
                                       NULL);
    assert_int_equal(cs_volatile_lifetime_model_few(b), 3);
    near(cs_volatile_lifetime_model_chance(b, 1, host, age, 5), exp(-5 * 2.5 / 22));
    cs_volatile_lifetime_model_destroy(b);
    cs_fleet_destroy(fleet);
}

static void hosts_that_never_failed_are_not_certain_to_stay(void **state)
{
    static const char *const up[] = {"u100", "u100"};
    struct cs_fleet *fleet = fleet_of(2, up);
    struct cs_error err = {0};
    const double age = 30;
    const int host = 1;

    (void)state;
    for (int m = CS_FIT_LIFETIME_AUTO; m < CS_FIT_LIFETIME_MODELS; m++) {
        struct cs_volatile_lifetime_model *b = cs_volatile_lifetime_model_fit(
            fleet, (enum cs_fit_lifetime_model)m, CS_FIT_POOL_ZONE, 0, 50, &err);
        double chance = cs_volatile_lifetime_model_chance(b, 1, &host, &age, 10);

        assert_true(chance > 0.9 && chance < 1);
        cs_volatile_lifetime_model_destroy(b);
    }
    assert_null(cs_volatile_lifetime_model_fit(fleet, CS_FIT_LIFETIME_CHAIN, CS_FIT_POOL_ZONE, 40,
                                               101, &err));
    assert_string_equal(err.text, "a history of slots 40 to 101 is requested, the fleet has 100");
    cs_fleet_destroy(fleet);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lifetimes_whose_beginning_was_seen),
        cmocka_unit_test(lifetimes_are_cut_where_history_ends),
        cmocka_unit_test(laws_of_few_lifetimes),
        cmocka_unit_test(steps_of_the_product_limit),
        cmocka_unit_test(far_tails_stay_finite),
        cmocka_unit_test(frailty_counts_failures_against_the_law),
        cmocka_unit_test(hosts_that_fail_together),
        cmocka_unit_test(together_by_hand),
        cmocka_unit_test(auto_takes_a_chain_where_hosts_have_lived_often),
        cmocka_unit_test(few_lifetimes_make_a_rate),
        cmocka_unit_test(hosts_that_never_failed_are_not_certain_to_stay),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
