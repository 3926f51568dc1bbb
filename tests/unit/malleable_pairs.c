/* malleable_pairs: who owns which pair, against a plain list of owners. */
#include "base/splitmix.h"
#include "problems/malleable/pairs.h"
#include "unit/kit.h"

#define PAIRS 300
#define TASKS 7

struct plain {
    int owner[PAIRS], count[TASKS];
};

static void plain_take(struct plain *p, int task, int count)
{
    for (int x = 0; x < PAIRS && count > 0; x++)
        if (p->owner[x] < 0) {
            p->owner[x] = task;
            p->count[task]++;
            count--;
        }
}

static void plain_give(struct plain *p, int task, int count)
{
    for (int x = PAIRS - 1; x >= 0 && count > 0; x--)
        if (p->owner[x] == task) {
            p->owner[x] = -1;
            p->count[task]--;
            count--;
        }
}

static void assert_same(const struct cs_malleable_pairs *pairs, const struct plain *p)
{
    int list[PAIRS];

    assert_memory_equal(pairs->owner, p->owner, sizeof p->owner);
    for (int task = 0; task < TASKS; task++) {
        int at = 0;

        cs_malleable_pairs_list(pairs, task, p->count[task], list);
        for (int x = 0; x < PAIRS; x++)
            if (p->owner[x] == task)
                assert_int_equal(list[at++], x);
    }
}

static void the_highest_are_given_and_the_lowest_are_taken(void **state)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_splitmix random = {1};
    struct cs_malleable_pairs pairs, copy;

    (void)state;
    cs_malleable_pairs_init(&copy, PAIRS, TASKS, arena);
    cs_malleable_pairs_init(&pairs, PAIRS, TASKS, arena);
    for (int round = 0; round < 20; round++) {
        int procs[TASKS], at = 0;
        struct plain p = {.count = {0}};

        for (int x = 0; x < PAIRS; x++)
            p.owner[x] = -1;
        for (int task = 0; task < TASKS; task++) {
            procs[task] = 2 * (1 + (int)cs_splitmix_below(&random, 40));
            for (int x = 0; x < procs[task] / 2; x++)
                p.owner[at++] = task;
            p.count[task] = procs[task] / 2;
        }
        cs_malleable_pairs_deal(&pairs, procs);
        assert_same(&pairs, &p);
        for (int step = 0; step < 200; step++) {
            const int task = (int)cs_splitmix_below(&random, TASKS);
            int free = PAIRS, count;

            for (int i = 0; i < TASKS; i++)
                free -= p.count[i];
            if (cs_splitmix_below(&random, 2)) {
                count = (int)cs_splitmix_below(&random, (uint64_t)free + 1);
                plain_take(&p, task, count);
                cs_malleable_pairs_take(&pairs, task, count);
            } else {
                count = (int)cs_splitmix_below(&random, (uint64_t)p.count[task] + 1);
                plain_give(&p, task, count);
                cs_malleable_pairs_give(&pairs, task, count);
            }
            assert_same(&pairs, &p);
            if (step == 100) {
                cs_malleable_pairs_copy(&copy, &pairs);
                cs_malleable_pairs_deal(&pairs, procs);
                cs_malleable_pairs_copy(&pairs, &copy);
            }
        }
    }
    cs_arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_highest_are_given_and_the_lowest_are_taken),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
