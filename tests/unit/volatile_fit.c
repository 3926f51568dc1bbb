/* volatile_fit: what traces say, by hand and drawn from a known law. */
#include "model/fleet.h"
#include "problems/volatile/fit.h"
#include "problems/volatile/source.h"
#include "unit/kit.h"

#include <math.h>
#include <string.h>

static const int64_t workload[] = {1, 2, 3};

static struct cs_fleet_host runs_of(const char *trace, struct cs_arena *arena)
{
    struct cs_fleet_strip strip = {.arena = arena};
    struct cs_error err = {0};

    if (cs_fleet_strip_text(&strip, trace, &err))
        fail_msg("%s", err.text);
    return cs_fleet_strip_host(&strip, "host", arena);
}

static void fit(const char *trace, struct cs_volatile_fit *out)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_fleet_host host = runs_of(trace, arena);
    struct cs_error err = {0};

    if (cs_volatile_fit_host(&host, workload, out, &err))
        fail_msg("%s", err.text);
    cs_arena_destroy(arena);
}

static void near(double got, double want, double slack)
{
    if (!(fabs(got - want) <= slack))
        fail_msg("%.12g, expected %.12g", got, want);
}

static void moves_and_intervals_are_counted(void **state)
{
    struct cs_volatile_fit f;

    (void)state;
    fit("uuurruddu?uur", &f);
    assert_int_equal(f.slots, 12);
    assert_int_equal(f.moves[0][0], 3);
    assert_int_equal(f.moves[0][1], 2);
    assert_int_equal(f.moves[0][2], 1);
    assert_int_equal(f.moves[1][0], 1);
    assert_int_equal(f.moves[1][1], 1);
    assert_int_equal(f.moves[2][0], 1);
    assert_int_equal(f.moves[2][2], 1);
    near(f.chain[0][1], 2.01 / 6.03, 1e-15);
    near(f.chain[2][1], 0.01 / 2.03, 1e-15);
    assert_int_equal(f.state[0].slots, 7);
    assert_int_equal(f.state[0].intervals, 1);
    assert_int_equal(f.state[0].censored, 1);
    near(f.state[0].mean, 1, 0);
    assert_int_equal(f.state[1].intervals, 1);
    assert_int_equal(f.state[1].censored, 1);
    near(f.state[2].mean, 2, 0);
}

/* Whole intervals of 1 and 3 slots: left twice in four slots, so P(1) = 1/2 and P(3) = 1/8. */
static void a_geometric_law_by_hand(void **state)
{
    const struct cs_volatile_fit_law *law;
    struct cs_volatile_fit f;

    (void)state;
    fit("dudduuudd", &f);
    law = &f.state[0].law[CS_VOLATILE_FIT_GEOMETRIC];
    near(law->holding.mean, 2, 1e-12);
    near(law->log_likelihood, log(1.0 / 2) + log(1.0 / 8), 1e-12);
    near(law->aic, 2 + 2 * log(16), 1e-12);
    near(law->distance, 0.25, 1e-12);
    assert_int_equal(f.state[0].best, CS_VOLATILE_FIT_GEOMETRIC);
    assert_true(isnan(f.state[0].law[CS_VOLATILE_FIT_WEIBULL].aic));
}

/* Second half: from its four up slots 3, 2, 1 up slots come before the end of their life, and one
 * more whose life is cut off. */
static void forecasts_are_made_on_one_half_and_judged_on_the_other(void **state)
{
    struct cs_volatile_fit f;

    (void)state;
    fit("uruduuru"
        "uurudrru",
        &f);
    near(f.forecast[0].found, 1, 0);
    near(f.forecast[1].found, 2.0 / 3, 1e-15);
    near(f.forecast[2].found, 1.0 / 3, 1e-15);
    near(f.forecast[0].predicted, 1, 0);
    near(f.forecast[1].predicted, 1.01 / 4.03 + 2.01 / 4.03 * 2.01 / 2.03 / (1 - 0.01 / 2.03),
         1e-12);
}

static void what_is_no_trace_is_refused(void **state)
{
    const struct cs_fleet_run one = {1, CS_FLEET_UP};
    const struct cs_fleet_host host = {"host", 1, &one};
    struct cs_arena *arena = cs_arena_create();
    struct cs_fleet_strip strip = {.arena = arena};
    struct cs_error err = {0};
    struct cs_volatile_fit f;

    (void)state;
    assert_int_equal(cs_volatile_fit_host(&host, workload, &f, &err), -1);
    assert_string_equal(err.text, "trace: found 1 slot, expected at least 2");
    err.text[0] = 0;
    assert_int_equal(cs_fleet_strip_text(&strip, "uxu", &err), -1);
    assert_string_equal(err.text,
                        "slot 1 is \"x\", expected u (up), r (reclaimed), d (down) or ? (unknown)");
    cs_arena_destroy(arena);
}

/* Letters with and without numbers say the same. */
static void runs_are_read_with_numbers_too(void **state)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_fleet_host plain = runs_of("uuud??r", arena), short_ = runs_of("u3 d1 ?2 r1", arena);

    (void)state;
    assert_int_equal(plain.runs, 4);
    assert_int_equal(short_.runs, 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(plain.run[i].end, short_.run[i].end);
        assert_int_equal(plain.run[i].state, short_.run[i].state);
    }
    cs_arena_destroy(arena);
}

static void a_host_that_is_never_seen_has_no_laws(void **state)
{
    struct cs_volatile_fit f;

    (void)state;
    fit("????", &f);
    assert_int_equal(f.slots, 0);
    assert_true(isnan(f.log_likelihood));
    near(f.chain[0][0], 1.0 / 3, 1e-15);
    assert_int_equal(f.state[0].best, -1);
    assert_true(isnan(f.forecast[0].predicted) && isnan(f.forecast[0].found));
    fit("uuuuuuuu", &f);
    assert_int_equal(f.state[0].best, -1);
    near(f.forecast[2].found, 1, 0);
}

/* 300,000 slots of a known law: the law is recognised and its parameters are found. */
static void laws_are_recognised(void **state)
{
    static const struct {
        enum cs_volatile_law law;
        double parameter;
        int want;
    } variant[] = {{CS_VOLATILE_LAW_WEIBULL, 0.6, CS_VOLATILE_FIT_WEIBULL},
                   {CS_VOLATILE_LAW_WEIBULL, 2, CS_VOLATILE_FIT_WEIBULL},
                   {CS_VOLATILE_LAW_LOGNORMAL, 1.2, CS_VOLATILE_FIT_LOGNORMAL}};
    struct cs_volatile_generator generator = {2, 2, 2, 1, 1, 1000, 4, 4};
    struct cs_error err = {0};
    struct cs_volatile_instance *in = cs_volatile_generate(&generator, &err);

    (void)state;
    for (size_t k = 0; k < sizeof variant / sizeof *variant; k++) {
        struct cs_arena *arena = cs_arena_create();
        struct cs_volatile_source *source =
            cs_volatile_source_semi_markov(in, variant[k].law, variant[k].parameter, 5, 6, &err);
        struct cs_volatile_fit f;

        fit(cs_volatile_source_trace(source, 0, 300000, arena), &f);
        for (int s = 0; s < 3; s++) {
            const struct cs_volatile_fit_law *law = &f.state[s].law[variant[k].want];

            assert_int_equal(f.state[s].best, variant[k].want);
            near(law->holding.parameter / variant[k].parameter, 1, 0.1);
            assert_true(law->distance < 0.03);
            assert_true(law->distance < f.state[s].law[CS_VOLATILE_FIT_GEOMETRIC].distance);
        }
        cs_volatile_source_destroy(source);
        cs_arena_destroy(arena);
    }
    cs_volatile_instance_destroy(in);
}

/* Of a Markov host the chain comes back, and the geometric law is not far behind the others. */
static void a_chain_is_found_again(void **state)
{
    struct cs_volatile_generator generator = {2, 2, 2, 1, 1, 1000, 4, 5};
    struct cs_error err = {0};
    struct cs_volatile_instance *in = cs_volatile_generate(&generator, &err);
    struct cs_volatile_source *source = cs_volatile_source_markov(in, 5, 6);
    struct cs_arena *arena = cs_arena_create();
    struct cs_volatile_fit f;

    (void)state;
    fit(cs_volatile_source_trace(source, 1, 300000, arena), &f);
    for (int i = 0; i < 9; i++)
        near(f.chain[i / 3][i % 3], cs_volatile_instance_host(in, 1)->chain[i / 3][i % 3], 0.004);
    for (int s = 0; s < 3; s++) {
        near(f.state[s].law[CS_VOLATILE_FIT_WEIBULL].holding.parameter, 1, 0.05);
        near(f.state[s].law[CS_VOLATILE_FIT_WEIBULL].aic,
             f.state[s].law[CS_VOLATILE_FIT_GEOMETRIC].aic, 10);
        near(f.forecast[s].predicted, f.forecast[s].found, 0.01);
    }
    cs_volatile_source_destroy(source);
    cs_arena_destroy(arena);
    cs_volatile_instance_destroy(in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_and_intervals_are_counted),
        cmocka_unit_test(a_geometric_law_by_hand),
        cmocka_unit_test(forecasts_are_made_on_one_half_and_judged_on_the_other),
        cmocka_unit_test(what_is_no_trace_is_refused),
        cmocka_unit_test(runs_are_read_with_numbers_too),
        cmocka_unit_test(a_host_that_is_never_seen_has_no_laws),
        cmocka_unit_test(laws_are_recognised),
        cmocka_unit_test(a_chain_is_found_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
