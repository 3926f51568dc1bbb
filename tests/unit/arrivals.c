/* arrivals: jobs, estimates, speedups and sequences are those of the models, to the second and in
 * distribution. */
#include "problems/queue/arrivals.h"

#include "base/arena.h"
#include "base/order.h"
#include "model/profile.h"
#include "unit/kit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void weights_have_mean_one_and_a_peak_at_noon(void **state)
{
    (void)state;
    for (int model = CS_LUBLIN_ALL; model <= CS_LUBLIN_BATCH; model++) {
        double weight[CS_LUBLIN_SLOTS], sum = 0;
        int highest = 0;

        cs_lublin_weights((enum cs_lublin_model)model, weight);
        for (int s = 0; s < CS_LUBLIN_SLOTS; s++) {
            assert_true(weight[s] > 0);
            sum += weight[s];
            highest = weight[s] > weight[highest] ? s : highest;
        }
        assert_true(fabs(sum - CS_LUBLIN_SLOTS) < 1e-9);
        assert_in_range(highest, 24, 31);
    }
}

/* The first jobs by an independent program. */
static void jobs_are_exact(void **state)
{
    static const struct cs_lublin_job all[] = {
        {607, 20, 2},    {634, 12, 8},     {652, 31182, 128},  {942, 24, 32},
        {1078, 6370, 2}, {1645, 10287, 2}, {1714, 11728, 128}, {1841, 132, 1},
    };
    static const struct cs_lublin_job batch[] = {
        {31, 12397, 2},  {5877, 21668, 1}, {8747, 22523, 2}, {8761, 39, 2},
        {8781, 1046, 4}, {9433, 1156, 1},  {9437, 30813, 2}, {9440, 7, 2},
    };
    const struct cs_lublin how[] = {
        {.model = CS_LUBLIN_ALL, .procs = 256, .gap_factor = 1, .seed = 1},
        {.model = CS_LUBLIN_BATCH,
         .procs = 4,
         .gap_factor = 0.5,
         .start_hour = 9,
         .seed = 3,
         .set = 1},
    };
    struct cs_lublin_job job[8];

    (void)state;
    for (int k = 0; k < 2; k++) {
        const struct cs_lublin_job *right = k ? batch : all;

        cs_lublin_draw(&how[k], 8, job);
        for (int j = 0; j < 8; j++) {
            assert_int_equal(job[j].submit, right[j].submit);
            assert_int_equal(job[j].seconds, right[j].seconds);
            assert_int_equal(job[j].procs, right[j].procs);
        }
    }
}

static double median_of(double *value, int count)
{
    struct cs_arena *arena = cs_arena_create();

    cs_order_sort_doubles(value, count, arena);
    cs_arena_destroy(arena);
    return value[count / 2];
}

/* The published sample of 10,000 jobs on 256 nodes has a mean width of 22.10, .249 serial jobs, a
 * mean time of 4863 s, mean and deviation of its logarithm 5.68 and 3.02, a median gap of 116 s. */
static void jobs_are_those_of_the_published_sample(void **state)
{
    enum { JOBS = 40000 };
    const struct cs_lublin how = {.model = CS_LUBLIN_ALL, .procs = 256, .gap_factor = 1, .seed = 1};
    struct cs_lublin_job *job = calloc(JOBS, sizeof *job);
    double *gap = calloc(JOBS, sizeof *gap), width = 0, time = 0, ln = 0, square = 0;
    int serial = 0;

    (void)state;
    cs_lublin_draw(&how, JOBS, job);
    for (int j = 0; j < JOBS; j++) {
        const double l = log((double)job[j].seconds);

        assert_in_range(job[j].procs, 1, 256);
        assert_true(job[j].seconds >= 1);
        gap[j] = (double)(job[j].submit - (j ? job[j - 1].submit : 0));
        assert_true(gap[j] >= 0);
        width += job[j].procs;
        time += (double)job[j].seconds;
        ln += l;
        square += l * l;
        serial += job[j].procs == 1;
    }
    ln /= JOBS;
    assert_true(fabs(width / JOBS - 22.1) < 0.7);
    assert_true(fabs((double)serial / JOBS - 0.244) < 0.01);
    assert_true(time / JOBS > 4700 && time / JOBS < 5200);
    assert_true(fabs(ln - 5.7) < 0.07);
    assert_true(fabs(sqrt(square / JOBS - ln * ln) - 3.03) < 0.04);
    assert_true(fabs(median_of(gap, JOBS) - 115) < 5);
    free(gap);
    free(job);
}

static void half_the_gap_factor_doubles_the_load(void **state)
{
    enum { JOBS = 20000 };
    struct cs_lublin how = {.model = CS_LUBLIN_BATCH, .procs = 128, .gap_factor = 1, .seed = 4};
    struct cs_lublin_job *job = calloc(2 * JOBS, sizeof *job);
    double ratio;

    (void)state;
    cs_lublin_draw(&how, JOBS, job);
    how.gap_factor = 0.5;
    cs_lublin_draw(&how, JOBS, job + JOBS);
    ratio = (double)job[2 * JOBS - 1].submit / (double)job[JOBS - 1].submit;
    assert_true(ratio > 0.49 && ratio < 0.51);
    for (int j = 0; j < JOBS; j++)
        assert_true(job[j].procs == job[JOBS + j].procs && job[j].seconds == job[JOBS + j].seconds);
    free(job);
}

static void a_histogram_is_exact(void **state)
{
    static const struct cs_estimates_bin right[] = {
        {300, 13}, {540, 4},   {600, 11}, {900, 8},  {1140, 3},  {1200, 9},
        {1500, 7}, {1800, 15}, {1830, 4}, {2100, 6}, {2400, 4},  {2640, 3},
        {2700, 4}, {3000, 5},  {3300, 3}, {3570, 3}, {3600, 48},
    };
    const struct cs_estimates how = {.largest = 3600, .seed = 2};
    struct cs_estimates_bin bin[CS_ESTIMATES_BINS];

    (void)state;
    assert_int_equal(cs_estimates_histogram(&how, 150, bin), 17);
    for (int i = 0; i < 17; i++)
        assert_true(bin[i].seconds == right[i].seconds && bin[i].jobs == right[i].jobs);
}

/* For every number of jobs: times rise up to the largest, jobs add up, no bin is empty. */
static void histograms_add_up(void **state)
{
    static const int counts[] = {1, 2, 3, 5, 12, 19, 20, 21, 33, 100, 700, 5000, 80000, 400000};
    static const int64_t largest[] = {3600, 3601, 7200, 64800, 172800, 2592000, 100000007};
    struct cs_estimates_bin bin[CS_ESTIMATES_BINS];

    (void)state;
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (size_t l = 0; l < sizeof largest / sizeof *largest; l++)
            for (uint64_t seed = 1; seed <= 3; seed++) {
                const struct cs_estimates how = {.largest = largest[l], .seed = seed};
                const int bins = cs_estimates_histogram(&how, counts[c], bin);
                int64_t sum = 0;

                assert_in_range(bins, 1, CS_ESTIMATES_BINS);
                for (int i = 0; i < bins; i++) {
                    assert_true(bin[i].jobs >= 1 && bin[i].seconds > (i ? bin[i - 1].seconds : 0));
                    assert_true(bin[i].seconds <= largest[l]);
                    sum += bin[i].jobs;
                }
                assert_int_equal(sum, counts[c]);
            }
}

static int64_t estimates_of(uint64_t seed, int64_t largest, double mean, int64_t estimate[])
{
    enum { JOBS = 2000 };
    const struct cs_lublin how = {
        .model = CS_LUBLIN_BATCH, .procs = 128, .gap_factor = 1, .seed = seed};
    const struct cs_estimates model = {.largest = largest, .seed = seed};
    struct cs_lublin_job job[JOBS];
    int64_t seconds[JOBS], sum = 0;
    struct cs_error err = {0};
    int cut;

    cs_lublin_draw(&how, JOBS, job);
    for (int j = 0; j < JOBS; j++)
        seconds[j] = (int64_t)ceil((double)job[j].seconds * mean);
    if (cs_estimates_assign(&model, JOBS, seconds, estimate, &cut, &err))
        fail_msg("%s", err.text);
    for (int j = 0; j < JOBS; j++) {
        const int64_t time = seconds[j] < largest ? seconds[j] : largest;

        assert_true(estimate[j] >= time && estimate[j] <= largest);
        cut -= seconds[j] > largest;
        sum += estimate[j];
    }
    assert_int_equal(cut, 0);
    return sum;
}

/* Estimates are never below the run time, and they are those of the histogram in another order. */
static void estimates_are_never_below_the_time(void **state)
{
    struct cs_estimates_bin bin[CS_ESTIMATES_BINS];
    int64_t estimate[2000];

    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        const struct cs_estimates how = {.largest = 172800, .seed = seed};
        int64_t sum = estimates_of(seed, how.largest, 0.5, estimate);
        const int bins = cs_estimates_histogram(&how, 2000, bin);

        for (int i = 0; i < bins; i++)
            sum -= bin[i].jobs * bin[i].seconds;
        assert_int_equal(sum, 0);
    }
}

static void too_many_long_jobs_are_refused(void **state)
{
    const struct cs_estimates how = {.largest = 7200, .seed = 1};
    int64_t seconds[200], estimate[200];
    struct cs_error err = {0};
    int cut;

    (void)state;
    for (int j = 0; j < 200; j++)
        seconds[j] = 7000;
    assert_int_equal(cs_estimates_assign(&how, 200, seconds, estimate, &cut, &err), -1);
    assert_string_equal(err.text, "too many jobs are longer than the estimates of the model allow: "
                                  "raise --largest-request");
}

/* Borders of the formula: continuous at n = A and at the turn, then constant; 1 on one processor.
 */
static void speedups_rise_to_the_parallelism(void **state)
{
    struct cs_downey_job job[200];

    (void)state;
    cs_downey_draw(1, 0, 128, 200, job);
    assert_true(fabs(job[0].parallelism - 51.26360286019829) < 1e-12);
    assert_true(fabs(job[0].sigma - 0.598025910096007) < 1e-12);
    for (int j = 0; j < 200; j++) {
        const double a = job[j].parallelism, sigma = job[j].sigma;
        const double turn = cs_downey_turn(a, sigma);
        double before = 0;

        assert_true(a >= 1 && a <= 128 && sigma >= 0 && sigma < 2);
        assert_true(fabs(cs_downey_speedup(a, sigma, 1) - 1) < 1e-12);
        assert_true(fabs(cs_downey_speedup(a, sigma, turn) - a) < 1e-9 * a);
        assert_true(fabs(cs_downey_speedup(a, sigma, a) -
                         cs_downey_speedup(a, sigma, a * (1 + 1e-12))) < 1e-9 * a);
        for (int n = 1; n <= 300; n++) {
            const double speedup = cs_downey_speedup(a, sigma, n);

            assert_true(speedup >= before * (1 - 1e-12) && speedup <= fmin(a, n) * (1 + 1e-12));
            before = speedup;
        }
        assert_true(before == a || 300 < turn);
    }
}

static void sequences_begin_where_rlscheduler_does(void **state)
{
    static const int64_t right[] = {7469, 4567, 2868, 1456, 7141, 3642, 3258, 1579, 5478, 1783};
    struct cs_error err = {0};
    int64_t start[1000];

    (void)state;
    assert_int_equal(cs_sequences_draw(1, 10000, 256, 10, start, &err), 0);
    for (int s = 0; s < 10; s++)
        assert_int_equal(start[s], right[s]);
    assert_int_equal(cs_sequences_draw(1, 514, 256, 1000, start, &err), 0);
    for (int s = 0; s < 1000; s++)
        assert_int_equal(start[s], 256);
    assert_int_equal(cs_sequences_draw(1, 513, 256, 1, start, &err), -1);
    assert_string_equal(err.text,
                        "--length: 513 jobs are too few for sequences of 256; 514 or more");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_have_mean_one_and_a_peak_at_noon),
        cmocka_unit_test(jobs_are_exact),
        cmocka_unit_test(jobs_are_those_of_the_published_sample),
        cmocka_unit_test(half_the_gap_factor_doubles_the_load),
        cmocka_unit_test(a_histogram_is_exact),
        cmocka_unit_test(histograms_add_up),
        cmocka_unit_test(estimates_are_never_below_the_time),
        cmocka_unit_test(too_many_long_jobs_are_refused),
        cmocka_unit_test(speedups_rise_to_the_parallelism),
        cmocka_unit_test(sequences_begin_where_rlscheduler_does),
    };

    return cmocka_run_group_tests_name("arrivals", tests, NULL, NULL);
}
