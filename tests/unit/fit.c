/* fit: exact data give back their parameters, noisy data come close, and few points say so. */
#include <cosched/fit.h>

#include "config.h"
#include "unit/kit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST 12

static unsigned long long draws = 1;

static double draw(void)
{
    draws = draws * 6364136223846793005u + 1442695040888963407u;
    return (double)(draws >> 33) / 2147483648.0;
}

/* Times of a formula at 1, 2, 4, ... with relative noise, and the fit to them. */
static struct cs_fit fit_formula(const struct cs_profile *truth, int count, double noise)
{
    int procs[MOST];
    double seconds[MOST];
    struct cs_profile measured = {
        .kind = CS_PROFILE_POINTS, .count = count, .procs = procs, .seconds = seconds};
    struct cs_error err = {{0}};
    struct cs_fit fit;

    for (int i = 0; i < count; i++) {
        procs[i] = 1 << i;
        seconds[i] = cs_profile_time(truth, procs[i]) * (1 + noise * (2 * draw() - 1));
    }
    if (cs_fit_profile(&measured, &fit, &err))
        fail_msg("%s", err.text);
    return fit;
}

static bool near(double a, double b, double relative)
{
    return fabs(a - b) <= relative * fmax(fabs(a), fabs(b));
}

static void recovers_amdahl_from_exact_times(void **state)
{
    (void)state;
    for (int round = 0; round < 500; round++) {
        const struct cs_profile truth = {.kind = CS_PROFILE_AMDAHL,
                                         .seq_time = exp(40 * draw() - 20),
                                         .seq_fraction = 0.001 + 0.9 * draw()};
        struct cs_fit fit = fit_formula(&truth, 2 + round % (MOST - 1), 0);

        assert_true(near(fit.amdahl.profile.seq_time, truth.seq_time, 1e-9));
        assert_true(near(fit.amdahl.profile.seq_fraction, truth.seq_fraction, 1e-9));
        assert_true(fit.amdahl.rms < 1e-9 && fit.amdahl.worst < 1e-9);
        assert_int_equal(fit.better, CS_PROFILE_AMDAHL);
    }
}

static void recovers_overhead_from_exact_times(void **state)
{
    (void)state;
    for (int round = 0; round < 500; round++) {
        const struct cs_profile truth = {.kind = CS_PROFILE_OVERHEAD,
                                         .seq_time = exp(40 * draw() - 20),
                                         .seq_fraction = 0.001 + 0.5 * draw(),
                                         .overhead = 0.0005 + 0.05 * draw()};
        struct cs_fit fit = fit_formula(&truth, 4 + round % (MOST - 3), 0);

        assert_int_equal(fit.better, CS_PROFILE_OVERHEAD);
        assert_true(near(fit.overhead.profile.seq_time, truth.seq_time, 1e-9));
        assert_true(near(fit.overhead.profile.seq_fraction, truth.seq_fraction, 1e-9));
        assert_true(near(fit.overhead.profile.overhead, truth.overhead, 1e-9));
        assert_true(fit.overhead.left_out < 1e-9);
        assert_true(fit.amdahl.rms > fit.overhead.rms);
    }
}

static void comes_close_with_noise(void **state)
{
    const struct cs_profile truth = {
        .kind = CS_PROFILE_OVERHEAD, .seq_time = 1000, .seq_fraction = 0.1, .overhead = 0.02};

    (void)state;
    for (int round = 0; round < 300; round++) {
        struct cs_fit fit = fit_formula(&truth, MOST, 0.02);

        assert_int_equal(fit.better, CS_PROFILE_OVERHEAD);
        assert_true(near(fit.overhead.profile.seq_time, 1000, 0.05));
        assert_true(near(fit.overhead.profile.seq_fraction, 0.1, 0.3));
        assert_true(near(fit.overhead.profile.overhead, 0.02, 0.3));
        assert_true(fit.overhead.rms <= 0.02 && fit.overhead.worst <= 0.05);
    }
}

/* The error of the one model that is not allowed: overhead without a sequential time. */
static double overhead_alone(const struct cs_profile *measured)
{
    double both = 0, own = 0;

    for (int i = 0; i < measured->count; i++) {
        double term = log2(measured->procs[i]) / measured->seconds[i];

        both += term;
        own += term * term;
    }
    return measured->count - both * both / own;
}

/* No weights nearby, within the limits, have a smaller error. */
static double squares(const struct cs_profile *model, const struct cs_profile *measured)
{
    double sum = 0;

    for (int i = 0; i < measured->count; i++) {
        double time = cs_profile_time(model, measured->procs[i]);

        sum += pow((time - measured->seconds[i]) / measured->seconds[i], 2);
    }
    return sum;
}

static void no_other_parameters_fit_better(void **state)
{
    const int procs[] = {1, 2, 3, 5, 8, 24};
    int tried = 0;

    (void)state;
    for (int round = 0; round < 2000; round++) {
        double seconds[6], best;
        struct cs_profile measured = {
            .kind = CS_PROFILE_POINTS, .count = 6, .procs = procs, .seconds = seconds};
        struct cs_error err = {{0}};
        struct cs_fit fit;

        for (int i = 0; i < 6; i++)
            seconds[i] = exp(3 * draw()) / (round % 2 ? 1 : procs[i]);
        assert_int_equal(cs_fit_profile(&measured, &fit, &err), 0);
        best = squares(&fit.overhead.profile, &measured);
        assert_true(near(sqrt(best / 6), fit.overhead.rms, 1e-6));
        if (overhead_alone(&measured) <= best)
            continue;
        tried++;
        assert_true(best <= squares(&fit.amdahl.profile, &measured) * (1 + 1e-9));
        for (int other = 0; other < 50; other++) {
            struct cs_profile p = fit.overhead.profile;
            double step = pow(10, -4 * draw());

            p.seq_time *= 1 + step * (draw() - 0.5);
            p.seq_fraction = fmin(1, fmax(0, p.seq_fraction + step * (draw() - 0.5)));
            p.overhead = fmax(0, p.overhead + step * (draw() - 0.5));
            assert_true(squares(&p, &measured) >= best * (1 - 1e-9));
            p.overhead = 0;
            assert_true(squares(&p, &measured) >=
                        squares(&fit.amdahl.profile, &measured) * (1 - 1e-9));
        }
    }
    assert_in_range(tried, 1900, 2000);
}

static void stays_within_the_limits(void **state)
{
    const int procs[] = {1, 2, 4, 8};
    const double rising[] = {1, 2, 4, 8}, falling[] = {8, 2, 0.5, 0.125};
    struct cs_profile measured = {
        .kind = CS_PROFILE_POINTS, .count = 4, .procs = procs, .seconds = rising};
    struct cs_error err = {{0}};
    struct cs_fit fit;

    (void)state;
    assert_int_equal(cs_fit_profile(&measured, &fit, &err), 0);
    assert_true(fit.amdahl.profile.seq_fraction == 1);
    assert_true(fit.overhead.profile.overhead > 0);
    measured.seconds = falling;
    assert_int_equal(cs_fit_profile(&measured, &fit, &err), 0);
    assert_true(fit.amdahl.profile.seq_fraction == 0);
    assert_true(fit.overhead.profile.overhead == 0);
    assert_string_equal(fit.why, "the best overhead is 0");
}

static void says_when_points_are_few(void **state)
{
    const struct cs_profile truth = {
        .kind = CS_PROFILE_OVERHEAD, .seq_time = 100, .seq_fraction = 0.25, .overhead = 0.02};
    struct cs_fit one = fit_formula(&truth, 1, 0), two = fit_formula(&truth, 2, 0);
    struct cs_fit three = fit_formula(&truth, 3, 0);

    (void)state;
    assert_true(one.amdahl.profile.seq_time == 100 && one.amdahl.profile.seq_fraction == 1);
    assert_false(one.overhead.known);
    assert_string_equal(one.why, "one point: only a fixed time can be told");
    assert_true(two.amdahl.rms < 1e-12 && isnan(two.amdahl.left_out));
    assert_false(two.overhead.known);
    assert_string_equal(two.why, "two points: overhead needs at least three");
    assert_true(three.overhead.known && three.overhead.rms < 1e-9);
    assert_true(isnan(three.overhead.left_out) && !isnan(three.amdahl.left_out));
    assert_int_equal(three.better, CS_PROFILE_AMDAHL);
    assert_string_equal(three.why, "three points always fit with overhead: the simpler model, "
                                   "until there are four");
}

static void refuses_what_cannot_be_fitted(void **state)
{
    const double nothing[] = {INFINITY}, wide[] = {1e-300, 1e300};
    struct cs_profile p = {.kind = CS_PROFILE_AMDAHL, .seq_time = 1};
    struct cs_error formula = {{0}}, empty = {{0}}, range = {{0}}, task = {{0}};
    const char *const name[] = {"cfd"};
    struct cs_workload *w = cs_workload_create(1, name, &p);
    struct cs_fit fit;

    (void)state;
    assert_int_equal(cs_fit_profile(&p, &fit, &formula), -1);
    assert_string_equal(formula.text,
                        "the profile is a formula already: measured times are needed");
    assert_null(cs_fit_workload(w, CS_FIT_BETTER, &fit, &task));
    assert_string_equal(task.text, "task 0 (cfd): the profile is a formula already: measured times "
                                   "are needed");
    p = (struct cs_profile){.kind = CS_PROFILE_TABLE, .count = 1, .seconds = nothing};
    assert_int_equal(cs_fit_profile(&p, &fit, &empty), -1);
    assert_string_equal(empty.text, "the profile has no finite time");
    p = (struct cs_profile){.kind = CS_PROFILE_TABLE, .count = 2, .seconds = wide};
    assert_int_equal(cs_fit_profile(&p, &fit, &range), -1);
    assert_string_equal(range.text, "the measured times differ too much to be fitted");
    cs_workload_destroy(w);
}

static void reads_a_table_as_points(void **state)
{
    const double seconds[] = {INFINITY, 60, 110.0 / 2.5, 40};
    const struct cs_profile table = {.kind = CS_PROFILE_TABLE, .count = 4, .seconds = seconds};
    struct cs_error err = {{0}};
    struct cs_fit fit;

    (void)state;
    assert_int_equal(cs_fit_profile(&table, &fit, &err), 0);
    assert_int_equal(fit.points, 3);
}

static void fits_the_measured_example(void **state)
{
    struct cs_error err = {{0}};
    struct cs_workload *measured =
        cs_workload_read(CS_SOURCE_DIR "/examples/archer2.csv", NULL, &err);
    struct cs_fit fit[100];
    struct cs_workload *formulas;

    (void)state;
    assert_non_null(measured);
    assert_in_range(measured->count, 5, 100);
    formulas = cs_fit_workload(measured, CS_FIT_BETTER, fit, &err);
    assert_non_null(formulas);
    assert_int_equal(formulas->count, measured->count);
    for (int i = 0; i < formulas->count; i++) {
        const struct cs_fit_model *better =
            fit[i].better == CS_PROFILE_OVERHEAD ? &fit[i].overhead : &fit[i].amdahl;

        assert_string_equal(formulas->name[i], measured->name[i]);
        assert_int_equal(formulas->profile[i].kind, fit[i].better);
        assert_true(better->rms >= 0 && better->rms < 0.3);
        assert_true(better->worst >= better->rms);
    }
    cs_workload_destroy(formulas);
    cs_workload_destroy(measured);
}

static void gives_every_task_the_model_asked_for(void **state)
{
    const int procs[] = {1, 2, 4, 8};
    const double seconds[] = {10, 6, 4, 3};
    const struct cs_profile profile[] = {
        {.kind = CS_PROFILE_POINTS, .count = 4, .procs = procs, .seconds = seconds},
        {.kind = CS_PROFILE_POINTS, .count = 2, .procs = procs, .seconds = seconds},
    };
    struct cs_workload *measured = cs_workload_create(2, NULL, profile);
    struct cs_error err = {{0}};
    struct cs_fit fit[2];
    struct cs_workload *w;

    (void)state;
    measured->procs = 8;
    w = cs_fit_workload(measured, CS_FIT_OVERHEAD, fit, &err);
    assert_int_equal(w->profile[0].kind, CS_PROFILE_OVERHEAD);
    assert_int_equal(w->profile[1].kind, CS_PROFILE_AMDAHL);
    assert_int_equal(w->procs, 8);
    cs_workload_destroy(w);
    w = cs_fit_workload(measured, CS_FIT_AMDAHL, fit, &err);
    assert_int_equal(w->profile[0].kind, CS_PROFILE_AMDAHL);
    cs_workload_destroy(w);
    cs_workload_destroy(measured);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recovers_amdahl_from_exact_times),
        cmocka_unit_test(recovers_overhead_from_exact_times),
        cmocka_unit_test(comes_close_with_noise),
        cmocka_unit_test(no_other_parameters_fit_better),
        cmocka_unit_test(stays_within_the_limits),
        cmocka_unit_test(says_when_points_are_few),
        cmocka_unit_test(refuses_what_cannot_be_fitted),
        cmocka_unit_test(reads_a_table_as_points),
        cmocka_unit_test(fits_the_measured_example),
        cmocka_unit_test(gives_every_task_the_model_asked_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
