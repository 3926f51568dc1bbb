/* log_times: stamps, zones and durations of logs; quantiles beyond what is kept. */
#include "unit/kit.h"

#include "base/sketch.h"
#include "io/stamp.h"

#include <math.h>

static int64_t stamp(const char *text, const struct cs_zone *zone)
{
    int64_t seconds = -1;

    return cs_stamp_read(text, zone, &seconds) > CS_STAMP_NONE ? seconds : -1;
}

/* Golden case r04_times of spec/replay.md 15.1. */
static void reads_stamps_in_a_zone(void **state)
{
    struct cs_error err = {0};
    struct cs_zone *berlin = cs_zone_open("Europe/Berlin", &err);

    (void)state;
    if (!berlin)
        skip();
    assert_int_equal(stamp("2026-10-25T02:30:00", NULL), 1792895400);
    assert_int_equal(stamp("2026-10-25T02:30:00", berlin), 1792888200);
    assert_int_equal(stamp("2026-10-25T03:00:00", berlin), 1792897200 - 3600);
    assert_int_equal(stamp("2026-03-29T01:59:59", berlin), 1774745999);
    assert_int_equal(stamp("2026-03-29T03:00:00", berlin), 1774746000);
    assert_int_equal(stamp("2126-07-01 12:00:00.5", berlin) + 7200,
                     stamp("2126-07-01T12:00:00", NULL));
    assert_int_equal(stamp("2026-07-01T12:00:00+02:00", berlin), 1782900000);
    assert_int_equal(stamp("2026-07-01T10:00:00Z", berlin), 1782900000);
    assert_int_equal(stamp("1782900000", berlin), 1782900000);
    assert_int_equal(stamp("Unknown", berlin), -1);
    assert_int_equal(stamp("2026-02-30T00:00:00", berlin), -1);
    cs_zone_destroy(berlin);
}

static void reads_offsets_and_refuses_what_is_no_zone(void **state)
{
    struct cs_error err = {0};
    struct cs_zone *zone = cs_zone_open("-03:30", &err);

    (void)state;
    assert_non_null(zone);
    assert_int_equal(cs_zone_offset(zone, 0), -12600);
    cs_zone_destroy(zone);
    assert_null(cs_zone_open("../../etc/passwd", &err));
    assert_string_equal(err.text,
                        "there is no time zone \"../../etc/passwd\": expected one such as "
                        "Europe/Berlin");
    assert_null(cs_zone_open_memory("TZif2", 5, NULL));
}

static void reads_durations(void **state)
{
    (void)state;
    assert_int_equal(cs_stamp_duration("1-02:03:04"), 93784);
    assert_int_equal(cs_stamp_duration("30:00"), 1800);
    assert_int_equal(cs_stamp_duration("01:00:00.500"), 3600);
    assert_int_equal(cs_stamp_duration("UNLIMITED"), -1);
    assert_int_equal(cs_stamp_minutes("14-0"), 1209600);
    assert_int_equal(cs_stamp_minutes("720"), 43200);
    assert_int_equal(cs_stamp_minutes("30:00"), 1800);
}

static void quantiles_beyond_what_is_kept_are_close(void **state)
{
    struct cs_sketch exact = {.most = 100000}, rough = {.most = 100};

    (void)state;
    for (int i = 0; i < 20000; i++) {
        const double value = i % 3 ? pow(1.0005, i) : 0;

        cs_sketch_add(&exact, value);
        cs_sketch_add(&rough, value);
    }
    assert_true(cs_sketch_packed(&rough) && !cs_sketch_packed(&exact));
    for (double q = 0.01; q < 1; q += 0.01) {
        const double want = cs_sketch_quantile(&exact, q), got = cs_sketch_quantile(&rough, q);

        assert_true(fabs(got - want) <= 0.003 * want);
    }
    assert_true(cs_sketch_quantile(&rough, 1) == cs_sketch_quantile(&exact, 1));
    cs_sketch_release(&exact);
    cs_sketch_release(&rough);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_stamps_in_a_zone),
        cmocka_unit_test(reads_offsets_and_refuses_what_is_no_zone),
        cmocka_unit_test(reads_durations),
        cmocka_unit_test(quantiles_beyond_what_is_kept_are_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
