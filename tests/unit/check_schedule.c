/* check_schedule: the sweep over processors against a look at every pair of bars. */

#include "check/check.h"
#include "model/procset.h"
#include "unit/kit.h"

#include <string.h>

#define BARS 30

static const char *const names[] = {"a", "b", "c", "d"};

static unsigned next(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 16;
}

/* Few times and processors, so that bars meet, touch and overlap often. */
static struct cs_schedule *random_schedule(unsigned *seed)
{
    struct cs_schedule *s = cs_schedule_create("rigid", 40, 4, names);
    int bars = (int)(next(seed) % BARS);

    for (int i = 0; i < bars; i++) {
        struct cs_interval set[3];
        int count = 1 + (int)(next(seed) % 3), start = (int)(next(seed) % 20);

        for (int k = 0; k < count; k++) {
            set[k].first = (int)(next(seed) % 36);
            set[k].last = set[k].first + (int)(next(seed) % 5);
        }
        count = cs_procset_normalise(set, count);
        cs_schedule_add(s,
                        &(struct cs_bar){CS_BAR_WORK, (int)(next(seed) % 4), 1, -1, start,
                                         start + 1 + (int)(next(seed) % 6), count, set},
                        NULL);
    }
    return s;
}

static bool earlier(const struct cs_bar *bar, size_t a, size_t b)
{
    return bar[a].start < bar[b].start || (bar[a].start == bar[b].start && a < b);
}

static size_t count_sharing(const struct cs_schedule *s)
{
    size_t bars, sharing = 0;
    const struct cs_bar *bar = cs_schedule_bars(s, &bars);

    for (size_t b = 0; b < bars; b++) {
        bool shares = false;

        for (size_t a = 0; a < bars; a++)
            shares |= a != b && earlier(bar, a, b) && bar[a].end > bar[b].start &&
                      cs_procset_common(bar[a].procs, bar[a].intervals, bar[b].procs,
                                        bar[b].intervals) >= 0;
        sharing += shares;
    }
    return sharing;
}

static size_t count_overlaps(const struct cs_schedule *s)
{
    size_t bars, overlaps = 0;
    const struct cs_bar *bar = cs_schedule_bars(s, &bars);

    for (size_t b = 0; b < bars; b++) {
        bool overlap = false;

        for (size_t a = 0; a < bars; a++)
            overlap |= a != b && earlier(bar, a, b) && bar[a].end > bar[b].start &&
                       bar[a].task == bar[b].task;
        overlaps += overlap;
    }
    return overlaps;
}

static void finds_all_that_a_look_at_every_pair_finds(void **state)
{
    unsigned seed = 7;
    int valid = 0;

    (void)state;
    for (int round = 0; round < 20000; round++) {
        struct cs_schedule *s = random_schedule(&seed);
        struct cs_check_report *loose = cs_check_report_create(100);
        struct cs_check_report *strict = cs_check_report_create(100);
        size_t sharing = count_sharing(s), overlaps = count_overlaps(s);

        cs_check_general(s, false, loose);
        cs_check_general(s, true, strict);
        assert_int_equal(loose->total, sharing);
        assert_int_equal(strict->total, sharing + overlaps);
        valid += sharing == 0;
        cs_check_report_destroy(loose);
        cs_check_report_destroy(strict);
        cs_schedule_destroy(s);
    }
    assert_in_range(valid, 1000, 19000);
}

static void lets_a_bar_begin_where_another_ends(void **state)
{
    struct cs_schedule *s = cs_schedule_create("rigid", 1, 4, names);
    struct cs_check_report *report = cs_check_report_create(9);
    const struct cs_interval set = {0, 0};

    (void)state;
    cs_schedule_add(s, &(struct cs_bar){CS_BAR_WORK, 1, 2, -1, 0.3, 0.4, 1, &set}, NULL);
    cs_schedule_add(s, &(struct cs_bar){CS_BAR_LOST, 1, 1, -1, 0, 0.3, 1, &set}, NULL);
    cs_check_general(s, true, report);
    assert_int_equal(report->total, 0);
    cs_check_report_destroy(report);
    cs_schedule_destroy(s);
}

static void names_the_bar_that_holds_a_processor_longest(void **state)
{
    struct cs_schedule *s = cs_schedule_create("rigid", 9, 4, names);
    struct cs_check_report *report = cs_check_report_create(9);
    const struct cs_interval low = {0, 3}, high = {4, 8}, all = {2, 8};

    (void)state;
    cs_schedule_add(s, &(struct cs_bar){CS_BAR_WORK, 0, 1, -1, 0, 5, 1, &low}, NULL);
    cs_schedule_add(s, &(struct cs_bar){CS_BAR_WORK, 1, 1, -1, 0, 7, 1, &high}, NULL);
    cs_schedule_add(s, &(struct cs_bar){CS_BAR_WORK, 2, 1, -1, 3, 4, 1, &all}, NULL);
    cs_check_general(s, true, report);
    assert_int_equal(report->total, 1);
    assert_string_equal(
        report->item[0].text,
        "task \"c\" starts at 3 s on processor 4, which task \"b\" holds until 7 s");
    cs_check_report_destroy(report);
    cs_schedule_destroy(s);
}

static void has_words_for_every_violation(void **state)
{
    (void)state;
    for (int v = CS_VIOLATION_BAR_TIME; v <= CS_VIOLATION_DECLARED_AREA; v++) {
        const char *name = cs_violation_name((enum cs_violation)v);

        assert_non_null(name);
        for (int other = CS_VIOLATION_BAR_TIME; other < v; other++)
            assert_string_not_equal(name, cs_violation_name((enum cs_violation)other));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_all_that_a_look_at_every_pair_finds),
        cmocka_unit_test(lets_a_bar_begin_where_another_ends),
        cmocka_unit_test(names_the_bar_that_holds_a_processor_longest),
        cmocka_unit_test(has_words_for_every_violation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
