/* check_schedule: the sweep over processors against a look at every pair of bars. */

#include "base/strbuf.h"
#include "check/check.h"
#include "model/bars.h"
#include "model/blocks.h"
#include "model/procset.h"
#include "unit/kit.h"

#include <cosched/case.h>

#include <stdlib.h>
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
                                         start + 1 + (int)(next(seed) % 6), count, set, 0},
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

/* Bars at which more processors are held than there are, by a look at every pair. */
static size_t count_crowded(const struct cs_schedule *s)
{
    size_t bars, crowded = 0;
    const struct cs_bar *bar = cs_schedule_bars(s, &bars);

    for (size_t b = 0; b < bars; b++) {
        int held = bar[b].count;

        for (size_t a = 0; a < bars; a++)
            held += a != b && earlier(bar, a, b) && bar[a].end > bar[b].start ? bar[a].count : 0;
        crowded += held > cs_schedule_procs(s);
    }
    return crowded;
}

static void adds_up_counts(void **state)
{
    unsigned seed = 3;
    int valid = 0;

    (void)state;
    for (int round = 0; round < 5000; round++) {
        struct cs_schedule *s = cs_schedule_create("rigid", 40, 4, names);
        struct cs_check_report *report = cs_check_report_create(100);
        size_t crowded;

        for (int bars = (int)(next(&seed) % BARS); bars > 0; bars--) {
            const int start = (int)(next(&seed) % 20);
            const struct cs_bar bar = {.kind = CS_BAR_WORK,
                                       .task = (int)(next(&seed) % 4),
                                       .attempt = 1,
                                       .group = -1,
                                       .start = start,
                                       .end = start + 1 + (int)(next(&seed) % 6),
                                       .count = 1 + (int)(next(&seed) % 16)};

            cs_schedule_add(s, &bar, NULL);
        }
        crowded = count_crowded(s);
        cs_check_general(s, false, report);
        assert_int_equal(report->total, crowded);
        assert_int_equal(cs_schedule_number(s), crowded == 0);
        if (!crowded) {
            cs_check_general(s, false, report);
            assert_int_equal(report->total, 0);
            valid++;
        }
        cs_check_report_destroy(report);
        cs_schedule_destroy(s);
    }
    assert_in_range(valid, 500, 4500);
}

static void lets_a_bar_begin_where_another_ends(void **state)
{
    struct cs_schedule *s = cs_schedule_create("rigid", 1, 4, names);
    struct cs_check_report *report = cs_check_report_create(9);
    const struct cs_interval set = {0, 0};

    (void)state;
    cs_schedule_add(s, &(struct cs_bar){CS_BAR_WORK, 1, 2, -1, 0.3, 0.4, 1, &set, 0}, NULL);
    cs_schedule_add(s, &(struct cs_bar){CS_BAR_LOST, 1, 1, -1, 0, 0.3, 1, &set, 0}, NULL);
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
    cs_schedule_add(s, &(struct cs_bar){CS_BAR_WORK, 0, 1, -1, 0, 5, 1, &low, 0}, NULL);
    cs_schedule_add(s, &(struct cs_bar){CS_BAR_WORK, 1, 1, -1, 0, 7, 1, &high, 0}, NULL);
    cs_schedule_add(s, &(struct cs_bar){CS_BAR_WORK, 2, 1, -1, 3, 4, 1, &all, 0}, NULL);
    cs_check_general(s, true, report);
    assert_int_equal(report->total, 1);
    assert_string_equal(
        report->item[0].text,
        "task \"c\" starts at 3 s on processor 4, which task \"b\" holds until 7 s");
    cs_check_report_destroy(report);
    cs_schedule_destroy(s);
}

/* ---- forged files ---- */

#define JOBS 250
#define PROCS 48

/* The bars of a valid schedule that keeps all processors busy, in whole blocks or not. */
struct plan {
    struct cs_arena *arena;
    struct cs_bar bar[JOBS];
    struct cs_blocks_set set[JOBS];
};

static void end_before(struct plan *plan, struct cs_blocks *blocks, int count, double now)
{
    for (int j = 0; j < count; j++)
        if (plan->set[j].count > 0 && plan->bar[j].end <= now) {
            cs_blocks_release_some(blocks, plan->set[j].interval, plan->set[j].count);
            plan->set[j].count = 0;
        }
}

static double next_end(const struct plan *plan, int count)
{
    double end = 1e9;

    for (int j = 0; j < count; j++)
        if (plan->set[j].count > 0 && plan->bar[j].end < end)
            end = plan->bar[j].end;
    return end;
}

static void make_plan(struct plan *plan, unsigned *seed, bool lowest)
{
    struct cs_blocks blocks;
    double now = 0;

    cs_blocks_init(&blocks, PROCS, plan->arena);
    for (int j = 0; j < JOBS; j++) {
        const int procs = 1 + (int)(next(seed) % 20);
        const double end = 1 + next(seed) % 9;

        while (blocks.free < procs) {
            now = next_end(plan, j);
            end_before(plan, &blocks, j, now);
        }
        if (lowest)
            cs_blocks_take_lowest(&blocks, procs, now + end, &plan->set[j]);
        else
            cs_blocks_take(&blocks, procs, now + end, &plan->set[j]);
        plan->bar[j] = (struct cs_bar){
            CS_BAR_WORK, j, 1, -1, now, now + end, plan->set[j].count, plan->set[j].interval, 0};
    }
}

static void write_plan(const struct plan *plan, struct cs_strbuf *text)
{
    cs_strbuf_clear(text);
    cs_strbuf_printf(text, "{\"format\": \"cosched-schedule-1\", \"procs\": %d, \"tasks\": [",
                     PROCS);
    for (int j = 0; j < JOBS; j++)
        cs_strbuf_printf(text, "%s\"job%d\"", j ? ", " : "", j);
    cs_strbuf_puts(text, "],\n\"bars\": [");
    for (int j = 0; j < JOBS; j++) {
        const struct cs_bar *bar = &plan->bar[j];

        cs_strbuf_printf(text, "%s\n{\"task\": %d, \"procs\": \"", j ? "," : "", bar->task);
        cs_procset_print(text, bar->procs, bar->intervals);
        cs_strbuf_printf(text, "\", \"start\": %.17g, \"end\": %.17g}", bar->start, bar->end);
    }
    cs_strbuf_puts(text, "]}\n");
}

static bool bars_share(const struct cs_bar *a, const struct cs_bar *b)
{
    return a->start < b->end && b->start < a->end &&
           cs_procset_common(a->procs, a->intervals, b->procs, b->intervals) >= 0;
}

/* How many bars start on a processor that an earlier one still holds. */
static long plan_sharing(const struct plan *plan)
{
    long sharing = 0;

    for (size_t b = 0; b < JOBS; b++) {
        bool shares = false;

        for (size_t a = 0; a < JOBS; a++)
            shares |=
                a != b && earlier(plan->bar, a, b) && bars_share(&plan->bar[a], &plan->bar[b]);
        sharing += shares;
    }
    return sharing;
}

static void check_text(const struct plan *plan, struct cs_strbuf *text, long expected)
{
    struct cs_error err = {0};
    char *result;
    const char *total;

    write_plan(plan, text);
    result = cs_check_text(text->text, text->length, NULL, 0, &err);
    assert_non_null(result);
    total = strstr(result, "\"total\": ");
    assert_non_null(total);
    assert_int_equal(strtol(total + strlen("\"total\": "), NULL, 10), expected);
    assert_int_equal(strstr(result, "\"not valid\"") != NULL, expected > 0);
    cs_free(result);
}

/* The bar starts, or ends, while another bar still has, or already has, one of its processors. */
static void move_bar(struct plan *plan, int j)
{
    struct cs_bar *bar = &plan->bar[j];

    for (int other = 0; other < JOBS; other++) {
        const struct cs_bar *near = &plan->bar[other];

        if (other == j ||
            cs_procset_common(bar->procs, bar->intervals, near->procs, near->intervals) < 0)
            continue;
        if (near->end <= bar->start)
            bar->start = near->end - 0.25;
        else
            bar->end = near->start + 0.25;
        return;
    }
    fail_msg("bar %d has its processors alone", j);
}

/* One of its processors is one of a bar that runs at the same time. */
static void assign_twice(struct plan *plan, int j)
{
    static struct cs_interval set[PROCS];
    struct cs_bar *bar = &plan->bar[j];

    for (int other = 0; other < JOBS; other++) {
        const struct cs_bar *near = &plan->bar[other];
        int count = bar->intervals;

        if (other == j || near->start >= bar->end || bar->start >= near->end)
            continue;
        memcpy(set, bar->procs, (size_t)count * sizeof *set);
        if (set[0].first < set[0].last)
            set[0].first++;
        else
            count--, memmove(set, set + 1, (size_t)count * sizeof *set);
        set[count].first = set[count].last = near->procs[near->intervals - 1].last;
        bar->intervals = cs_procset_normalise(set, count + 1);
        bar->procs = set;
        return;
    }
    fail_msg("bar %d has the machine alone", j);
}

/* A file for every position and each of two forgeries, in both forms of placement. */
static void detects_a_forgery_at_every_position(void **state)
{
    struct cs_arena *arena = cs_arena_create();
    struct plan *plan = cs_arena_alloc(arena, 1, sizeof *plan);
    struct cs_strbuf text = CS_STRBUF_INIT;
    unsigned seed = 3;
    int forged = 0;

    (void)state;
    plan->arena = arena;
    for (int round = 0; round < 4; round++) {
        make_plan(plan, &seed, round % 2);
        check_text(plan, &text, 0);
        for (int j = 0; j < JOBS; j++) {
            const struct cs_bar bar = plan->bar[j];

            for (int kind = 0; kind < 2; kind++) {
                long sharing;

                (kind ? assign_twice : move_bar)(plan, j);
                sharing = plan_sharing(plan);
                assert_true(sharing > 0);
                check_text(plan, &text, sharing);
                plan->bar[j] = bar;
                forged++;
            }
        }
        memset(plan->set, 0, sizeof plan->set);
    }
    assert_int_equal(forged, 2000);
    cs_strbuf_release(&text);
    cs_arena_destroy(arena);
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
        cmocka_unit_test(adds_up_counts),
        cmocka_unit_test(lets_a_bar_begin_where_another_ends),
        cmocka_unit_test(names_the_bar_that_holds_a_processor_longest),
        cmocka_unit_test(detects_a_forgery_at_every_position),
        cmocka_unit_test(has_words_for_every_violation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
