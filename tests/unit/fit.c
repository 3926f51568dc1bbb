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
    struct cs_error err = {0};
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
    for (int round = 0; round < 60; round++) {
        const struct cs_profile truth = {.kind = CS_PROFILE_AMDAHL,
                                         .seq_time = exp(40 * draw() - 20),
                                         .seq_fraction = 0.001 + 0.9 * draw()};
        struct cs_fit fit = fit_formula(&truth, 2 + round % (MOST - 1), 0);

        assert_true(near(fit.model[CS_FIT_AMDAHL].profile.seq_time, truth.seq_time, 1e-9));
        assert_true(near(fit.model[CS_FIT_AMDAHL].profile.seq_fraction, truth.seq_fraction, 1e-9));
        assert_true(fit.model[CS_FIT_AMDAHL].rms < 1e-9 && fit.model[CS_FIT_AMDAHL].worst < 1e-9);
        assert_int_equal(fit.best, CS_FIT_AMDAHL);
    }
}

static void recovers_overhead_from_exact_times(void **state)
{
    (void)state;
    for (int round = 0; round < 60; round++) {
        const struct cs_profile truth = {.kind = CS_PROFILE_OVERHEAD,
                                         .seq_time = exp(40 * draw() - 20),
                                         .seq_fraction = 0.001 + 0.5 * draw(),
                                         .overhead = 0.0005 + 0.05 * draw()};
        struct cs_fit fit = fit_formula(&truth, 4 + round % (MOST - 3), 0);

        assert_int_equal(fit.best, CS_FIT_OVERHEAD);
        assert_true(near(fit.model[CS_FIT_OVERHEAD].profile.seq_time, truth.seq_time, 1e-9));
        assert_true(
            near(fit.model[CS_FIT_OVERHEAD].profile.seq_fraction, truth.seq_fraction, 1e-9));
        assert_true(near(fit.model[CS_FIT_OVERHEAD].profile.overhead, truth.overhead, 1e-9));
        assert_true(fit.model[CS_FIT_OVERHEAD].left_out < 1e-9);
        assert_true(fit.model[CS_FIT_AMDAHL].rms > fit.model[CS_FIT_OVERHEAD].rms);
    }
}

static void recovers_the_other_laws_from_exact_times(void **state)
{
    (void)state;
    for (int round = 0; round < 50; round++) {
        const struct cs_profile universal = {.kind = CS_PROFILE_UNIVERSAL,
                                             .seq_time = exp(40 * draw() - 20),
                                             .seq_fraction = 0.001 + 0.5 * draw(),
                                             .overhead = 1e-5 + 0.01 * draw()};
        const struct cs_profile power = {.kind = CS_PROFILE_POWER,
                                         .seq_time = exp(40 * draw() - 20),
                                         .seq_fraction = 0.01 + 0.3 * draw(),
                                         .overhead = 0.01 + 0.1 * draw(),
                                         .exponent = 0.4 + 0.5 * draw()};
        const struct cs_fit first = fit_formula(&universal, 6 + round % 6, 0);
        const struct cs_fit second = fit_formula(&power, 8 + round % 4, 0);
        const struct cs_profile *u = &first.model[CS_FIT_UNIVERSAL].profile;
        const struct cs_profile *p = &second.model[CS_FIT_POWER].profile;

        assert_int_equal(first.best, CS_FIT_UNIVERSAL);
        assert_true(near(u->seq_time, universal.seq_time, 1e-9));
        assert_true(near(u->seq_fraction, universal.seq_fraction, 1e-9));
        assert_true(near(u->overhead, universal.overhead, 1e-9));
        assert_int_equal(second.best, CS_FIT_POWER);
        assert_true(near(p->seq_time, power.seq_time, 1e-5));
        assert_true(near(p->exponent, power.exponent, 1e-5));
    }
}

/* A value of the normal distribution. */
static double normal(void)
{
    const double radius = sqrt(-2 * log(1 - draw()));

    return radius * cos(6.283185307179586 * draw());
}

/* How often intervals hold the truth: a model fitted to `runs` noisy runs on each of 1, 2, 4 .. */
static void count_held(const struct cs_profile *truth, enum cs_fit_kind kind, int counts, int runs,
                       double noise, int *held)
{
    const double want[] = {truth->seq_time, truth->seq_fraction, truth->overhead, truth->exponent};
    int procs[MOST], many[MOST];
    double seconds[MOST], run[MOST * 5];
    struct cs_profile measured = {.kind = CS_PROFILE_POINTS,
                                  .count = counts,
                                  .procs = procs,
                                  .seconds = seconds,
                                  .runs = many,
                                  .run = run};
    struct cs_error err = {0};
    struct cs_fit fit;

    for (int i = 0; i < counts; i++) {
        procs[i] = 1 << i;
        many[i] = runs;
        for (int j = 0; j < runs; j++)
            run[i * runs + j] = cs_profile_time(truth, procs[i]) * (1 + noise * normal());
        seconds[i] = run[i * runs];
    }
    assert_int_equal(cs_fit_profile(&measured, &fit, &err), 0);
    assert_int_equal(fit.points, counts);
    assert_int_equal(fit.runs, counts * runs);
    for (int k = 0; k < CS_FIT_PARAMETERS; k++)
        held[k] += fit.model[kind].interval[k].low <= want[k] &&
                   want[k] <= fit.model[kind].interval[k].high;
}

static void intervals_hold_the_truth(void **state)
{
    static const struct {
        struct cs_profile truth;
        enum cs_fit_kind kind;
        int counts, runs, parameters;
    } cases[] = {
        {{.kind = CS_PROFILE_AMDAHL, .seq_time = 500, .seq_fraction = 0.05},
         CS_FIT_AMDAHL,
         6,
         1,
         2},
        {{.kind = CS_PROFILE_AMDAHL, .seq_time = 500, .seq_fraction = 0.05},
         CS_FIT_AMDAHL,
         5,
         3,
         2},
        {{.kind = CS_PROFILE_OVERHEAD, .seq_time = 90, .seq_fraction = 0.1, .overhead = 0.02},
         CS_FIT_OVERHEAD,
         8,
         2,
         3},
        {{.kind = CS_PROFILE_UNIVERSAL, .seq_time = 9e5, .seq_fraction = 0.02, .overhead = 1e-3},
         CS_FIT_UNIVERSAL,
         7,
         1,
         3},
        {{.kind = CS_PROFILE_POWER,
          .seq_time = 1000,
          .seq_fraction = 0.05,
          .overhead = 0.02,
          .exponent = 0.7},
         CS_FIT_POWER,
         9,
         2,
         4},
    };
    enum { ROUNDS = 100 };

    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        int held[CS_FIT_PARAMETERS] = {0};

        for (int round = 0; round < ROUNDS; round++)
            count_held(&cases[c].truth, cases[c].kind, cases[c].counts, cases[c].runs, 0.03, held);
        for (int k = 0; k < cases[c].parameters; k++)
            if (held[k] < 0.9 * ROUNDS)
                fail_msg("case %zu: the interval of parameter %d held the truth %d times of %d", c,
                         k, held[k], ROUNDS);
    }
}

/* Three runs agree on every count but one, whose outlier would bend the curve. */
static void runs_that_differ_weigh_less(void **state)
{
    const int procs[] = {1, 2, 4, 8, 16, 32}, many[] = {4, 4, 4, 4, 4, 4};
    double seconds[6], run[24], one[6];
    struct cs_profile all = {.kind = CS_PROFILE_POINTS,
                             .count = 6,
                             .procs = procs,
                             .seconds = seconds,
                             .runs = many,
                             .run = run};
    struct cs_profile means = {
        .kind = CS_PROFILE_POINTS, .count = 6, .procs = procs, .seconds = one};
    struct cs_error err = {0};
    struct cs_fit weighted, plain;

    (void)state;
    for (int i = 0; i < 6; i++) {
        const double time = 100 * (0.1 + 0.9 / procs[i]);

        one[i] = 0;
        for (int j = 0; j < 4; j++) {
            run[4 * i + j] = time * (0.99 + j * 0.02 / 3) * (i == 5 && j == 3 ? 2 : 1);
            one[i] += run[4 * i + j] / 4;
        }
        seconds[i] = run[4 * i];
    }
    assert_int_equal(cs_fit_profile(&all, &weighted, &err), 0);
    assert_int_equal(cs_fit_profile(&means, &plain, &err), 0);
    assert_true(weighted.spread > 0.1 && weighted.spread < 0.2 && isnan(plain.spread));
    assert_true(fabs(weighted.model[CS_FIT_AMDAHL].profile.seq_fraction - 0.1) <
                0.8 * fabs(plain.model[CS_FIT_AMDAHL].profile.seq_fraction - 0.1));
}

/* Far from 1 processor nothing is known of it, and a flat curve has no overhead to speak of. */
static void says_what_is_undetermined(void **state)
{
    const int procs[] = {512, 640, 768, 896, 1024, 1280};
    const double seconds[] = {10, 10.3, 9.9, 9.8, 10.2, 10};
    const struct cs_profile measured = {
        .kind = CS_PROFILE_POINTS, .count = 6, .procs = procs, .seconds = seconds};
    struct cs_error err = {0};
    const struct cs_fit_interval *interval;
    struct cs_fit fit;

    (void)state;
    assert_int_equal(cs_fit_profile(&measured, &fit, &err), 0);
    interval = fit.model[CS_FIT_AMDAHL].interval;
    assert_false(interval[CS_FIT_SEQ_TIME].determined);
    assert_true(interval[CS_FIT_SEQ_TIME].high > 10 * interval[CS_FIT_SEQ_TIME].low);
    assert_false(interval[CS_FIT_SEQ_FRACTION].determined);
    assert_false(fit.model[CS_FIT_POWER].interval[CS_FIT_EXPONENT].determined);
}

static void the_least_criterion_wins(void **state)
{
    const struct cs_profile truth = {
        .kind = CS_PROFILE_UNIVERSAL, .seq_time = 100, .seq_fraction = 0.02, .overhead = 0.004};
    struct cs_fit fit;

    (void)state;
    fit = fit_formula(&truth, 9, 0.004);
    assert_int_equal(fit.best, CS_FIT_UNIVERSAL);
    assert_true(fit.next < CS_FIT_KINDS);
    for (int kind = 0; kind < CS_FIT_KINDS; kind++) {
        const double k = kind == CS_FIT_AMDAHL ? 3 : kind == CS_FIT_POWER ? 5 : 4;
        const struct cs_fit_model *model = &fit.model[kind];
        const double want =
            9 * log(model->rms * model->rms) + 2 * k + 2 * k * (k + 1) / (9 - k - 1);

        assert_true(near(model->aicc, want, 1e-6));
        assert_true(model->aicc >= fit.model[fit.best].aicc);
        assert_true(kind == (int)fit.best || model->aicc >= fit.model[fit.next].aicc);
    }
}

static void comes_close_with_noise(void **state)
{
    const struct cs_profile truth = {
        .kind = CS_PROFILE_OVERHEAD, .seq_time = 1000, .seq_fraction = 0.1, .overhead = 0.02};

    (void)state;
    for (int round = 0; round < 50; round++) {
        struct cs_fit fit = fit_formula(&truth, MOST, 0.02);

        assert_true(fit.best != CS_FIT_AMDAHL);
        assert_true(near(fit.model[CS_FIT_OVERHEAD].profile.seq_time, 1000, 0.05));
        assert_true(near(fit.model[CS_FIT_OVERHEAD].profile.seq_fraction, 0.1, 0.3));
        assert_true(near(fit.model[CS_FIT_OVERHEAD].profile.overhead, 0.02, 0.3));
        assert_true(fit.model[CS_FIT_OVERHEAD].rms <= 0.02 &&
                    fit.model[CS_FIT_OVERHEAD].worst <= 0.05);
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
    for (int round = 0; round < 150; round++) {
        double seconds[6], best;
        struct cs_profile measured = {
            .kind = CS_PROFILE_POINTS, .count = 6, .procs = procs, .seconds = seconds};
        struct cs_error err = {0};
        struct cs_fit fit;

        for (int i = 0; i < 6; i++)
            seconds[i] = exp(3 * draw()) / (round % 2 ? 1 : procs[i]);
        assert_int_equal(cs_fit_profile(&measured, &fit, &err), 0);
        best = squares(&fit.model[CS_FIT_OVERHEAD].profile, &measured);
        assert_true(near(sqrt(best / 6), fit.model[CS_FIT_OVERHEAD].rms, 1e-6));
        if (overhead_alone(&measured) <= best)
            continue;
        tried++;
        assert_true(best <= squares(&fit.model[CS_FIT_AMDAHL].profile, &measured) * (1 + 1e-9));
        for (int other = 0; other < 50; other++) {
            struct cs_profile p = fit.model[CS_FIT_OVERHEAD].profile;
            double step = pow(10, -4 * draw());

            p.seq_time *= 1 + step * (draw() - 0.5);
            p.seq_fraction = fmin(1, fmax(0, p.seq_fraction + step * (draw() - 0.5)));
            p.overhead = fmax(0, p.overhead + step * (draw() - 0.5));
            assert_true(squares(&p, &measured) >= best * (1 - 1e-9));
            p.overhead = 0;
            assert_true(squares(&p, &measured) >=
                        squares(&fit.model[CS_FIT_AMDAHL].profile, &measured) * (1 - 1e-9));
        }
    }
    assert_in_range(tried, 140, 150);
}

static void stays_within_the_limits(void **state)
{
    const int procs[] = {1, 2, 4, 8};
    const double rising[] = {1, 2, 4, 8}, falling[] = {8, 2, 0.5, 0.125};
    struct cs_profile measured = {
        .kind = CS_PROFILE_POINTS, .count = 4, .procs = procs, .seconds = rising};
    struct cs_error err = {0};
    struct cs_fit fit;

    (void)state;
    assert_int_equal(cs_fit_profile(&measured, &fit, &err), 0);
    assert_true(fit.model[CS_FIT_AMDAHL].profile.seq_fraction == 1);
    assert_true(fit.model[CS_FIT_OVERHEAD].profile.overhead > 0);
    measured.seconds = falling;
    assert_int_equal(cs_fit_profile(&measured, &fit, &err), 0);
    assert_true(fit.model[CS_FIT_AMDAHL].profile.seq_fraction == 0);
    assert_true(fit.model[CS_FIT_OVERHEAD].profile.overhead == 0);
}

static void says_when_points_are_few(void **state)
{
    const struct cs_profile truth = {
        .kind = CS_PROFILE_OVERHEAD, .seq_time = 100, .seq_fraction = 0.25, .overhead = 0.02};
    struct cs_fit one = fit_formula(&truth, 1, 0), two = fit_formula(&truth, 2, 0);
    struct cs_fit three = fit_formula(&truth, 3, 0);

    (void)state;
    assert_true(one.model[CS_FIT_AMDAHL].profile.seq_time == 100 &&
                one.model[CS_FIT_AMDAHL].profile.seq_fraction == 1);
    assert_false(one.model[CS_FIT_OVERHEAD].known);
    assert_string_equal(one.why, "one count: only a fixed time can be fitted");
    assert_false(one.model[CS_FIT_AMDAHL].interval[CS_FIT_SEQ_TIME].determined);
    assert_true(two.model[CS_FIT_AMDAHL].rms < 1e-12);
    assert_true(isnan(two.model[CS_FIT_AMDAHL].left_out));
    assert_true(isnan(two.model[CS_FIT_AMDAHL].interval[CS_FIT_SEQ_TIME].low));
    assert_false(two.model[CS_FIT_OVERHEAD].known);
    assert_true(three.model[CS_FIT_OVERHEAD].known && three.model[CS_FIT_OVERHEAD].rms < 1e-9);
    assert_true(isnan(three.model[CS_FIT_OVERHEAD].left_out));
    assert_false(isnan(three.model[CS_FIT_AMDAHL].left_out));
    assert_false(three.model[CS_FIT_POWER].known);
    assert_int_equal(three.best, CS_FIT_AMDAHL);
    assert_int_equal(three.next, CS_FIT_KINDS);
    assert_string_equal(three.why, "undetermined: 3 runs on 3 counts are too few to choose, five "
                                   "are needed for Amdahl's law and six for a third parameter");
}

static void refuses_what_cannot_be_fitted(void **state)
{
    const double nothing[] = {INFINITY}, wide[] = {1e-300, 1e300};
    struct cs_profile p = {.kind = CS_PROFILE_AMDAHL, .seq_time = 1};
    struct cs_error formula = {0}, empty = {0}, range = {0}, task = {0};
    const char *const name[] = {"cfd"};
    struct cs_workload *w = cs_workload_create(1, name, &p, NULL);
    struct cs_fit fit;

    (void)state;
    assert_int_equal(cs_fit_profile(&p, &fit, &formula), -1);
    assert_string_equal(formula.text,
                        "the profile is a formula already: measured times are needed");
    assert_null(cs_fit_workload(w, CS_FIT_BEST, &fit, NULL, &task));
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
    struct cs_error err = {0};
    struct cs_fit fit;

    (void)state;
    assert_int_equal(cs_fit_profile(&table, &fit, &err), 0);
    assert_int_equal(fit.points, 3);
}

static void fits_the_measured_example(void **state)
{
    struct cs_error err = {0};
    struct cs_workload *measured =
        cs_workload_read(CS_SOURCE_DIR "/examples/archer2.csv", NULL, &err);
    struct cs_fit fit[100];
    enum cs_fit_kind used[100];
    struct cs_workload *formulas;

    (void)state;
    assert_non_null(measured);
    assert_in_range(measured->count, 5, 100);
    formulas = cs_fit_workload(measured, CS_FIT_BEST, fit, used, &err);
    assert_non_null(formulas);
    assert_int_equal(formulas->count, measured->count);
    for (int i = 0; i < formulas->count; i++) {
        const struct cs_fit_model *better = &fit[i].model[fit[i].best];

        assert_string_equal(formulas->name[i], measured->name[i]);
        assert_int_equal(used[i], fit[i].best);
        assert_int_equal(formulas->profile[i].kind, better->profile.kind);
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
    struct cs_workload *measured = cs_workload_create(2, NULL, profile, NULL);
    struct cs_error err = {0};
    struct cs_fit fit[2];
    struct cs_workload *w;

    (void)state;
    measured->procs = 8;
    w = cs_fit_workload(measured, CS_FIT_OVERHEAD, fit, NULL, &err);
    assert_int_equal(w->profile[0].kind, CS_PROFILE_OVERHEAD);
    assert_int_equal(w->profile[1].kind, CS_PROFILE_AMDAHL);
    assert_int_equal(w->procs, 8);
    cs_workload_destroy(w);
    w = cs_fit_workload(measured, CS_FIT_AMDAHL, fit, NULL, &err);
    assert_int_equal(w->profile[0].kind, CS_PROFILE_AMDAHL);
    cs_workload_destroy(w);
    cs_workload_destroy(measured);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recovers_amdahl_from_exact_times),
        cmocka_unit_test(recovers_overhead_from_exact_times),
        cmocka_unit_test(recovers_the_other_laws_from_exact_times),
        cmocka_unit_test(intervals_hold_the_truth),
        cmocka_unit_test(runs_that_differ_weigh_less),
        cmocka_unit_test(says_what_is_undetermined),
        cmocka_unit_test(the_least_criterion_wins),
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
