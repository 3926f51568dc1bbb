/* tournament: who is the largest, against a plain search through everything. */
#include "base/tournament.h"
#include "base/rng.h"
#include "unit/dies.h"
#include "unit/kit.h"

#include <math.h>

#define MOST 40

static int plain_winner(const double *key, int count, int but)
{
    int winner = -1;

    for (int i = 0; i < count; i++)
        if (i != but && (winner < 0 || key[i] > key[winner]))
            winner = i;
    return winner;
}

static void the_lowest_of_the_largest_wins(void **state)
{
    static const double key[] = {2, 5, -1, 5, 5};
    struct cs_arena *arena = cs_arena_create();
    struct cs_tournament t;
    double *number;

    (void)state;
    cs_tournament_init(&t, 5, arena);
    number = cs_tournament_begin(&t, 5);
    for (int i = 0; i < 5; i++)
        number[i] = key[i];
    cs_tournament_play(&t);
    assert_int_equal(cs_tournament_winner(&t), 1);
    assert_true(cs_tournament_largest(&t) == 5);
    assert_true(cs_tournament_largest_but(&t, 1) == 5);
    cs_tournament_set(&t, 1, -INFINITY);
    assert_int_equal(cs_tournament_winner(&t), 3);
    cs_tournament_set(&t, 2, INFINITY);
    assert_int_equal(cs_tournament_winner(&t), 2);
    assert_true(cs_tournament_largest_but(&t, 2) == 5);
    cs_arena_destroy(arena);
}

/* Small numbers, so that many are equal. */
static double draw(struct cs_rng *rng)
{
    const double x = (double)cs_rng_below(rng, 12);

    return x > 9 ? -INFINITY : x;
}

static void changes_are_seen_as_a_search_sees_them(void **state)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_tournament t, copy;
    struct cs_rng rng;
    int none = 0;

    (void)state;
    cs_rng_init(&rng, 1, 2, 3);
    cs_tournament_init(&t, MOST, arena);
    cs_tournament_init(&copy, MOST, arena);
    for (int round = 0; round < 400; round++) {
        const int count = 1 + (int)cs_rng_below(&rng, MOST);
        double key[MOST], *number = cs_tournament_begin(&t, count);

        for (int i = 0; i < count; i++)
            number[i] = key[i] = draw(&rng);
        cs_tournament_play(&t);
        for (int change = 0; change < 30; change++) {
            const int at = (int)cs_rng_below(&rng, (uint64_t)count);
            const int winner = plain_winner(key, count, -1), next = plain_winner(key, count, at);

            assert_true(cs_tournament_largest(&t) == key[winner]);
            if (key[winner] > -INFINITY)
                assert_int_equal(cs_tournament_winner(&t), winner);
            else
                none++;
            assert_true(cs_tournament_largest_but(&t, at) == (next < 0 ? -INFINITY : key[next]));
            key[at] = draw(&rng);
            cs_tournament_set(&t, at, key[at]);
            assert_true(number[at] == key[at]);
            if (change == 10) {
                cs_tournament_copy(&copy, &t);
                cs_tournament_clear(&t, count);
                assert_true(cs_tournament_largest(&t) == -INFINITY);
                cs_tournament_copy(&t, &copy);
            }
        }
    }
    assert_true(none > 0);
    cs_arena_destroy(arena);
}

static void more_than_there_is_room_for(void)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_tournament t;

    cs_tournament_init(&t, 3, arena);
    cs_tournament_begin(&t, 4);
}

static void too_many_are_a_bug(void **state)
{
    (void)state;
    assert_true(dies(more_than_there_is_room_for));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lowest_of_the_largest_wins),
        cmocka_unit_test(changes_are_seen_as_a_search_sees_them),
        cmocka_unit_test(too_many_are_a_bug),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
