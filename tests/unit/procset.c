/* procset: intervals of processors against plain arrays of flags. */
#include "model/procset.h"
#include "unit/kit.h"

#include <limits.h>
#include <string.h>

#define LINE 40

struct example {
    const char *text, *printed; /* printed NULL: refused */
    int count;
    long long size;
};

static const struct example examples[] = {
    {"", "", 0, 0},
    {"7", "7", 1, 1},
    {"0-3 7", "0-3 7", 2, 5},
    {"  0-3   7 ", "0-3 7", 2, 5},
    {"7 0-3", "0-3 7", 2, 5},
    {"0 1 2 3", "0-3", 1, 4},
    {"5-5", "5", 1, 1},
    {"0-2147483646", "0-2147483646", 1, INT_MAX},
    {"0-3 3", NULL, 0, 0},
    {"0-3 1-2", NULL, 0, 0},
    {"3-0", NULL, 0, 0},
    {"-1", NULL, 0, 0},
    {"1-", NULL, 0, 0},
    {"1-2-3", NULL, 0, 0},
    {"1,2", NULL, 0, 0},
    {"one", NULL, 0, 0},
    {"2147483647", NULL, 0, 0},
    {"99999999999999999999999999", NULL, 0, 0},
    {"1\t2", NULL, 0, 0},
};

static void reads_and_writes_sets(void **state)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_strbuf buf = CS_STRBUF_INIT;

    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const struct example *e = &examples[i];
        const struct cs_interval *set = NULL;
        struct cs_error err = {0};
        int count = cs_procset_parse(e->text, arena, &set, &err);

        if (!e->printed) {
            assert_int_equal(count, -1);
            assert_non_null(strstr(err.text, e->text));
            continue;
        }
        cs_strbuf_clear(&buf);
        cs_procset_print(&buf, set, count);
        assert_string_equal(buf.text, e->printed);
        assert_int_equal(count, e->count);
        assert_true(cs_procset_size(set, count) == e->size);
        assert_true(cs_procset_well_formed(set, count));
    }
    cs_strbuf_release(&buf);
    cs_arena_destroy(arena);
}

static void says_what_is_wrong_with_a_set(void **state)
{
    struct cs_arena *arena = cs_arena_create();
    const struct cs_interval *set;
    struct cs_error twice = {0}, form = {0};

    (void)state;
    assert_int_equal(cs_procset_parse("4-6 5", arena, &set, &twice), -1);
    assert_string_equal(twice.text, "the set of processors \"4-6 5\" names processor 5 twice");
    assert_int_equal(cs_procset_parse("a", arena, &set, &form), -1);
    assert_string_equal(form.text, "\"a\" is not a set of processors: write numbers and intervals "
                                   "with spaces between them, such as \"0-3 7\"");
    cs_arena_destroy(arena);
}

static unsigned next(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 16;
}

static int random_intervals(unsigned *seed, struct cs_interval *set, char *flags)
{
    int count = (int)(next(seed) % 6);

    memset(flags, 0, LINE);
    for (int i = 0; i < count; i++) {
        int first = (int)(next(seed) % LINE), last = first + (int)(next(seed) % 8);

        set[i] = (struct cs_interval){first, last < LINE ? last : LINE - 1};
        memset(flags + first, 1, (size_t)(set[i].last - first + 1));
    }
    return count;
}

static void agrees_with_flags_on_random_sets(void **state)
{
    struct cs_interval a[6], b[6];
    char in_a[LINE], in_b[LINE];
    unsigned seed = 1;

    (void)state;
    for (int round = 0; round < 20000; round++) {
        int a_count = cs_procset_normalise(a, random_intervals(&seed, a, in_a));
        int b_count = cs_procset_normalise(b, random_intervals(&seed, b, in_b));
        int size = 0, common = -1;

        for (int i = LINE - 1; i >= 0; i--) {
            size += in_a[i];
            common = in_a[i] && in_b[i] ? i : common;
        }
        assert_true(cs_procset_well_formed(a, a_count));
        assert_true(cs_procset_size(a, a_count) == size);
        assert_int_equal(cs_procset_common(a, a_count, b, b_count), common);
    }
}

static void knows_a_set_that_is_not_well_formed(void **state)
{
    const struct cs_interval touching[] = {{0, 3}, {4, 5}}, disorder[] = {{7, 7}, {0, 3}};
    const struct cs_interval negative[] = {{-1, 3}}, backwards[] = {{3, 2}};

    (void)state;
    assert_false(cs_procset_well_formed(touching, 2));
    assert_false(cs_procset_well_formed(disorder, 2));
    assert_false(cs_procset_well_formed(negative, 1));
    assert_false(cs_procset_well_formed(backwards, 1));
    assert_true(cs_procset_well_formed(NULL, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_and_writes_sets),
        cmocka_unit_test(says_what_is_wrong_with_a_set),
        cmocka_unit_test(agrees_with_flags_on_random_sets),
        cmocka_unit_test(knows_a_set_that_is_not_well_formed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
