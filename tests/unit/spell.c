/* spell: what somebody meant when they wrote something else. */
#include "base/suggest.h"
#include "unit/kit.h"

static void counts_the_letters_to_change(void **state)
{
    const struct {
        const char *a, *b;
        int distance;
    } cases[] = {
        {"", "", 0},
        {"abc", "", 3},
        {"", "abc", 3},
        {"abc", "abc", 0},
        {"abc", "abd", 1},
        {"abc", "acb", 1},
        {"abc", "ab", 1},
        {"ab", "cab", 1},
        {"PACK", "pack", 0},
        {"ca", "abc", 3},
        {"kitten", "sitting", 3},
        {"plan", "paln", 1},
        {"list", "lits", 1},
        {"matching", "mathcing", 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(cs_suggest_distance(cases[i].a, cases[i].b), cases[i].distance);
        assert_int_equal(cs_suggest_distance(cases[i].b, cases[i].a), cases[i].distance);
    }
}

static void keeps_the_nearest_name_and_the_first_of_equals(void **state)
{
    struct cs_suggest suggest = {.word = "paln"};

    (void)state;
    cs_suggest_offer(&suggest, "paper");
    cs_suggest_offer(&suggest, "plan");
    cs_suggest_offer(&suggest, "pain");
    assert_string_equal(suggest.best, "plan");
}

static void leaves_names_that_are_too_far(void **state)
{
    struct cs_suggest suggest = {.word = "xyz"};

    (void)state;
    cs_suggest_offer(&suggest, "plan");
    cs_suggest_offer(&suggest, "it");
    cs_suggest_offer(&suggest, "");
    assert_string_equal(suggest.best, "");
}

static void takes_a_beginning_for_the_name(void **state)
{
    struct cs_suggest suggest = {.word = "local"};

    (void)state;
    cs_suggest_offer_parts(&suggest, "contiguous|local-search|exact", '|');
    assert_string_equal(suggest.best, "local-search");
}

static void cuts_what_is_very_long(void **state)
{
    char text[1000];
    struct cs_suggest suggest = {.word = text};

    (void)state;
    for (int i = 0; i < 999; i++)
        text[i] = 'a';
    text[999] = '\0';
    assert_int_equal(cs_suggest_distance(text, "a"), CS_SUGGEST_SIZE - 2);
    cs_suggest_offer(&suggest, text);
    cs_suggest_offer_parts(&suggest, text, '|');
    assert_int_equal(suggest.distance, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_the_letters_to_change),
        cmocka_unit_test(keeps_the_nearest_name_and_the_first_of_equals),
        cmocka_unit_test(leaves_names_that_are_too_far),
        cmocka_unit_test(takes_a_beginning_for_the_name),
        cmocka_unit_test(cuts_what_is_very_long),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
