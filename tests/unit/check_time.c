/* check_time: the checker's closed form of the repair against the repair itself. */
#include "check/time.h"

#include "model/moldable.h"
#include "unit/kit.h"

#include <math.h>

#define MOST 60

static unsigned long long state_of_draws = 1;

static double draw(void)
{
    state_of_draws = state_of_draws * 6364136223846793005u + 1442695040888963407u;
    return (double)(state_of_draws >> 33) / 2147483648.0;
}

static int draw_int(int low, int high)
{
    return low + (int)(draw() * (high - low + 1));
}

/* Every count up to `procs`, the raw profile repaired step by step as the reference. */
static void agrees(const struct cs_profile *p, int procs)
{
    double raw[MOST] = {0}, row[MOST], largest;

    for (int j = 1; j <= procs; j++)
        raw[j - 1] = cs_profile_time(p, j);
    cs_moldable_repair(raw, procs, row, &largest);
    for (int j = 1; j <= procs; j++) {
        double got = cs_check_time(p, j), want = row[j - 1];

        if (isinf(want))
            assert_true(isinf(got));
        else
            assert_true(fabs(got - want) <= 1e-12 * want);
    }
}

static void agrees_on_tables(void **state)
{
    double seconds[MOST];

    (void)state;
    for (int round = 0; round < 3000; round++) {
        struct cs_profile p = {
            .kind = CS_PROFILE_TABLE, .count = draw_int(1, MOST), .seconds = seconds};
        int hole = draw_int(0, p.count - 1);

        for (int j = 0; j < p.count; j++)
            seconds[j] =
                j < hole && round % 2 ? INFINITY : 0.5 + 4 * draw() / (round % 3 ? j + 1 : 1);
        agrees(&p, MOST);
    }
}

static void agrees_on_points(void **state)
{
    double seconds[8];
    int procs[8];

    (void)state;
    for (int round = 0; round < 20000; round++) {
        struct cs_profile p = {
            .kind = CS_PROFILE_POINTS,
            .fill = round % 3 ? CS_FILL_POWER : CS_FILL_STEP,
            .fewer = round % 2 ? CS_FEWER_REFUSE : CS_FEWER_SCALE,
            .count = draw_int(1, 8),
            .procs = procs,
            .seconds = seconds,
        };

        for (int i = 0; i < p.count; i++) {
            procs[i] = (i ? procs[i - 1] : 0) + draw_int(1, 12);
            seconds[i] = exp(4 * draw());
        }
        agrees(&p, MOST);
    }
}

static void agrees_on_formulas(void **state)
{
    static const enum cs_profile_kind kinds[] = {CS_PROFILE_AMDAHL,        CS_PROFILE_OVERHEAD,
                                                 CS_PROFILE_COMMUNICATION, CS_PROFILE_UNIVERSAL,
                                                 CS_PROFILE_POWER,         CS_PROFILE_DOWNEY};

    (void)state;
    for (int round = 0; round < 5000; round++) {
        struct cs_profile p = {
            .kind = kinds[round % 6],
            .seq_time = 1 + 1000 * draw(),
            .seq_fraction = round % 7   ? draw() * draw()
                            : round % 3 ? 0
                                        : 1,
            .overhead = round % 11 ? draw() * draw() * draw() : 0,
            .exponent = round % 13 ? 4 * draw() - 1 : 0,
            .parallelism = 1 + 2 * MOST * draw() * draw(),
            .sigma = round % 5 ? 3 * draw() : 0,
        };

        agrees(&p, MOST);
    }
}

static void takes_no_longer_for_a_billion_processors(void **state)
{
    const int procs[] = {1, 1000000000};
    const double seconds[] = {100, 50};
    const struct cs_profile points = {
        .kind = CS_PROFILE_POINTS, .count = 2, .procs = procs, .seconds = seconds};
    const struct cs_profile overhead = {
        .kind = CS_PROFILE_OVERHEAD, .seq_time = 100, .seq_fraction = 0.5, .overhead = 0.125};

    (void)state;
    assert_true(cs_check_time(&points, 2000000000) == 50);
    assert_true(cs_check_time(&points, 999999999) > 50);
    assert_true(fabs(cs_check_time(&overhead, 2000000000) -
                     100 * (0.5 + 0.5 / 3 + 0.125 * log2(3))) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_on_tables),
        cmocka_unit_test(agrees_on_points),
        cmocka_unit_test(agrees_on_formulas),
        cmocka_unit_test(takes_no_longer_for_a_billion_processors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
