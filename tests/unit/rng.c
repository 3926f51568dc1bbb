/* rng: known answers, streams of their own, and distributions that are what they say. */
#include "base/rng.h"
#include "base/splitmix.h"
#include "base/stats.h"
#include "base/wide.h"
#include "unit/dies.h"
#include "unit/kit.h"

#include <stdlib.h>
#include <string.h>

#define MANY 200000

#if defined(__SIZEOF_INT128__) && __has_include(<Random123/philox.h>)
#include <Random123/philox.h>

static void philox_gives_the_known_answers_of_its_authors(void **state)
{
    const philox4x64_ctr_t ones = {{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}};
    const philox4x64_ctr_t pi = {
        {0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89}};
    const philox4x64_key_t ones_key = {{UINT64_MAX, UINT64_MAX}};
    const philox4x64_key_t pi_key = {{0x452821e638d01377, 0xbe5466cf34e90c6c}};
    const philox4x64_ctr_t a = philox4x64(ones, ones_key);
    const philox4x64_ctr_t b = philox4x64(pi, pi_key);

    (void)state;
    assert_true(a.v[0] == 0x87b092c3013fe90b && a.v[1] == 0x438c3c67be8d0224);
    assert_true(a.v[2] == 0x9cc7d7c69cd777b6 && a.v[3] == 0xa09caebf594f0ba0);
    assert_true(b.v[0] == 0xa528f45403e61d95 && b.v[1] == 0x38c72dbd566e9788);
    assert_true(b.v[2] == 0xa5a1610e72fd18b5 && b.v[3] == 0x57bd43b5e52b7fe6);
}

static void a_stream_is_the_cipher_of_its_counter(void **state)
{
    const philox4x64_key_t key = {{77, 5}};
    struct cs_rng rng;

    (void)state;
    cs_rng_init(&rng, 77, 5, UINT64_MAX - 3);
    for (uint64_t block = 0; block < 100; block++) {
        const philox4x64_ctr_t counter = {{block, UINT64_MAX - 3, 0, 0}};
        const philox4x64_ctr_t want = philox4x64(counter, key);

        for (int i = 0; i < 4; i++)
            assert_true(cs_rng_next(&rng) == want.v[i]);
    }
}
#else
static void philox_gives_the_known_answers_of_its_authors(void **state)
{
    (void)state;
    skip();
}

static void a_stream_is_the_cipher_of_its_counter(void **state)
{
    (void)state;
    skip();
}
#endif

/* What machines without a type of 128 bits compute. */
static void products_of_halves_are_the_product(void **state)
{
    struct cs_rng rng;

    (void)state;
    cs_rng_init(&rng, 5, 1, 0);
    for (int i = 0; i < 1000; i++) {
        uint64_t a = cs_rng_next(&rng) >> i % 64, b = cs_rng_next(&rng) << i % 17, low[2], high[2];

        high[0] = cs_wide_multiply(a, b, &low[0]);
        high[1] = cs_wide_multiply_halves(a, b, &low[1]);
        assert_true(high[0] == high[1] && low[0] == low[1]);
    }
}

static void the_first_stream_begins_with_the_known_answer(void **state)
{
    static const uint64_t known[] = {0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b,
                                     0x7e68b68aec7ba23b};
    struct cs_rng rng;

    (void)state;
    cs_rng_init(&rng, 0, 0, 0);
    for (int i = 0; i < 4; i++)
        assert_true(cs_rng_next(&rng) == known[i]);
}

static void a_copy_draws_the_same_numbers_again(void **state)
{
    struct cs_rng rng, copy;

    (void)state;
    cs_rng_init(&rng, 1, 2, 3);
    cs_rng_next(&rng);
    copy = rng;
    for (int i = 0; i < 100; i++)
        assert_true(cs_rng_next(&rng) == cs_rng_next(&copy));
}

static double correlation(struct cs_rng a, struct cs_rng b)
{
    double sum = 0;

    for (int i = 0; i < MANY; i++)
        sum += (cs_rng_uniform(&a) - 0.5) * (cs_rng_uniform(&b) - 0.5);
    return 12 * sum / MANY;
}

static void neighbouring_streams_have_nothing_in_common(void **state)
{
    struct cs_rng base, seed, purpose, scenario;
    const double limit = 5 / sqrt(MANY);

    (void)state;
    cs_rng_init(&base, 10, 0, 0);
    cs_rng_init(&seed, 11, 0, 0);
    cs_rng_init(&purpose, 10, 1, 0);
    cs_rng_init(&scenario, 10, 0, 1);
    assert_true(fabs(correlation(base, seed)) < limit);
    assert_true(fabs(correlation(base, purpose)) < limit);
    assert_true(fabs(correlation(base, scenario)) < limit);
    assert_true(fabs(correlation(purpose, scenario)) < limit);
}

static void uniform_fills_its_range_evenly(void **state)
{
    int count[64] = {0};
    double chi = 0;
    struct cs_rng rng;

    (void)state;
    cs_rng_init(&rng, 42, 0, 0);
    for (int i = 0; i < MANY; i++) {
        const double u = cs_rng_uniform(&rng);

        assert_true(u >= 0 && u < 1);
        count[(int)(64 * u)]++;
    }
    for (int i = 0; i < 64; i++)
        chi += (count[i] - MANY / 64.0) * (count[i] - MANY / 64.0) / (MANY / 64.0);
    assert_true(chi > 25 && chi < 120);
}

static void open_never_reaches_its_ends(void **state)
{
    struct cs_rng rng = {.used = 2, .block = {0, 0, 0, UINT64_MAX}};

    (void)state;
    assert_true(cs_rng_open(&rng) > 0);
    assert_true(cs_rng_open(&rng) < 1);
    rng.used = 3;
    assert_true(cs_rng_uniform(&rng) < 1);
    rng.used = 2;
    assert_true(isfinite(cs_rng_exponential(&rng, 1e300)));
}

/* Floor of next * m / 2^64 alone would give multiples of three half of the time. */
static void below_has_no_favourites(void **state)
{
    const uint64_t m = (uint64_t)3 << 62;
    struct cs_rng rng;
    int multiples = 0, count[7] = {0};

    (void)state;
    cs_rng_init(&rng, 7, 0, 0);
    for (int i = 0; i < MANY; i++) {
        const uint64_t large = cs_rng_below(&rng, m), small = cs_rng_below(&rng, 7);

        assert_true(large < m && small < 7);
        multiples += large % 3 == 0;
        count[small]++;
    }
    assert_true(fabs(multiples - MANY / 3.0) < 5 * sqrt(MANY * 2.0 / 9));
    for (int i = 0; i < 7; i++)
        assert_true(fabs(count[i] - MANY / 7.0) < 5 * sqrt(MANY * 6.0 / 49));
    assert_true(cs_rng_below(&rng, 1) == 0);
}

static void below_nothing(void)
{
    struct cs_rng rng;

    cs_rng_init(&rng, 7, 0, 0);
    cs_rng_below(&rng, 0);
}

static void below_zero_is_a_bug(void **state)
{
    (void)state;
    assert_true(dies(below_nothing));
}

enum law { NORMAL, EXPONENTIAL, WEIBULL, LOGNORMAL };

static double draw(struct cs_rng *rng, enum law law)
{
    switch (law) {
    case EXPONENTIAL:
        return cs_rng_exponential(rng, 4);
    case WEIBULL:
        return cs_rng_weibull(rng, 0.7, 10);
    case LOGNORMAL:
        return cs_rng_lognormal(rng, 1, 0.5);
    case NORMAL:
        break;
    }
    return cs_rng_normal(rng);
}

/* Mean within five standard errors, deviation within three per cent. */
static void check_law(enum law law, double mean, double deviation)
{
    struct cs_stats stats = {0};
    struct cs_rng rng;

    cs_rng_init(&rng, 2026, (uint32_t)law, 0);
    for (int i = 0; i < MANY; i++)
        cs_stats_add(&stats, draw(&rng, law));
    assert_true(fabs(stats.mean - mean) < 5 * deviation / sqrt(MANY));
    assert_true(fabs(cs_stats_deviation(&stats) / deviation - 1) < 0.03);
}

static void laws_have_their_mean_and_deviation(void **state)
{
    const double shape = 0.7, g1 = tgamma(1 + 1 / shape), g2 = tgamma(1 + 2 / shape);

    (void)state;
    check_law(NORMAL, 0, 1);
    check_law(EXPONENTIAL, 4, 4);
    check_law(WEIBULL, 10 * g1, 10 * sqrt(g2 - g1 * g1));
    check_law(LOGNORMAL, exp(1.125), exp(1.125) * sqrt(exp(0.25) - 1));
}

/* The share of normals beyond 1, 2 and 3. */
static void normals_have_the_tails_of_normals(void **state)
{
    static const double share[] = {0.3173105, 0.0455003, 0.0026998};
    int beyond[3] = {0};
    struct cs_rng rng;

    (void)state;
    cs_rng_init(&rng, 3, 3, 3);
    for (int i = 0; i < MANY; i++) {
        const double x = fabs(cs_rng_normal(&rng));

        for (int k = 0; k < 3; k++)
            beyond[k] += x > k + 1;
    }
    for (int k = 0; k < 3; k++)
        assert_true(fabs(beyond[k] - MANY * share[k]) < 5 * sqrt(MANY * share[k]));
}

static void shuffle_makes_every_order_equally_likely(void **state)
{
    int count[27] = {0};
    struct cs_rng rng;

    (void)state;
    cs_rng_init(&rng, 9, 0, 0);
    for (int i = 0; i < 60000; i++) {
        int items[] = {0, 1, 2};

        cs_rng_shuffle(&rng, items, 3);
        assert_int_equal(items[0] + items[1] + items[2], 3);
        count[9 * items[0] + 3 * items[1] + items[2]]++;
    }
    for (int i = 0; i < 27; i++)
        assert_true(count[i] == 0 || abs(count[i] - 10000) < 500);
    assert_true(count[5] && count[7] && count[11] && count[15] && count[19] && count[21]);
    cs_rng_shuffle(&rng, NULL, 0);
}

static void splitmix_gives_the_reference_values(void **state)
{
    static const uint64_t known[] = {6457827717110365317U, 3203168211198807973U,
                                     9817491932198370423U, 4593380528125082431U,
                                     16408922859458223821U};
    struct cs_splitmix g = {1234567}, zero = {0};

    (void)state;
    for (int i = 0; i < 5; i++)
        assert_true(cs_splitmix_next(&g) == known[i]);
    assert_true(cs_splitmix_next(&zero) == 0xe220a8397b1dcdafU);
}

static void splitmix_below_is_the_floor_of_the_product(void **state)
{
    struct cs_splitmix g = {1234567};

    (void)state;
    assert_true(cs_splitmix_below(&g, 10) == 3); /* 10 * 0.35008... */
    assert_true(cs_splitmix_below(&g, 1000) == 173);
    assert_true(cs_splitmix_below(&g, UINT64_MAX) == 9817491932198370422U);
    assert_true(cs_splitmix_below(&g, 1) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_gives_the_known_answers_of_its_authors),
        cmocka_unit_test(products_of_halves_are_the_product),
        cmocka_unit_test(the_first_stream_begins_with_the_known_answer),
        cmocka_unit_test(a_stream_is_the_cipher_of_its_counter),
        cmocka_unit_test(a_copy_draws_the_same_numbers_again),
        cmocka_unit_test(neighbouring_streams_have_nothing_in_common),
        cmocka_unit_test(uniform_fills_its_range_evenly),
        cmocka_unit_test(open_never_reaches_its_ends),
        cmocka_unit_test(below_has_no_favourites),
        cmocka_unit_test(below_zero_is_a_bug),
        cmocka_unit_test(laws_have_their_mean_and_deviation),
        cmocka_unit_test(normals_have_the_tails_of_normals),
        cmocka_unit_test(shuffle_makes_every_order_equally_likely),
        cmocka_unit_test(splitmix_gives_the_reference_values),
        cmocka_unit_test(splitmix_below_is_the_floor_of_the_product),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
