/* volatile_offline.c - exact off-line solvers against every choice of hosts there is. */
#include "base/rng.h"
#include "problems/volatile/offline.h"
#include "problems/volatile/study.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HOSTS 7
#define SLOTS 70

struct draft {
    char text[HOSTS][SLOTS + 1];
    const char *trace[HOSTS];
    struct cs_volatile_offline problem;
};

static void draw(struct draft *d, int round)
{
    struct cs_rng rng;
    int slots, stay;

    cs_rng_init(&rng, 21, 1, (uint64_t)round);
    *d = (struct draft){.problem = {.trace = d->trace}};
    d->problem.hosts = 1 + (int)cs_rng_below(&rng, HOSTS);
    d->problem.tasks = 1 + (int)cs_rng_below(&rng, HOSTS);
    d->problem.slots = 1 + (int)cs_rng_below(&rng, 8);
    slots = 1 + (int)cs_rng_below(&rng, SLOTS);
    stay = 1 + (int)cs_rng_below(&rng, 6);
    for (int q = 0; q < d->problem.hosts; q++) {
        char letter = 'u';

        for (int t = 0; t < slots; t++) {
            if (cs_rng_below(&rng, (uint64_t)stay) == 0)
                letter = "urd"[cs_rng_below(&rng, 3)];
            d->text[q][t] = letter;
        }
        d->trace[q] = d->text[q];
    }
}

/* The slot after the one in which this set of hosts has been up together `wanted` times. */
static int64_t when_shared(const struct draft *d, unsigned set, int64_t wanted)
{
    int64_t count = 0;

    for (int t = 0; d->trace[0][t]; t++) {
        bool all = true;

        for (int q = 0; q < d->problem.hosts; q++)
            all &= !(set >> q & 1) || d->trace[q][t] == 'u';
        count += all;
        if (count == wanted)
            return t + 1;
    }
    return CS_VOLATILE_OFFLINE_NEVER;
}

static int64_t brute_force(const struct draft *d, bool one)
{
    int64_t best = CS_VOLATILE_OFFLINE_NEVER;

    for (unsigned set = 1; set < 1u << d->problem.hosts; set++) {
        int size = __builtin_popcount(set), each = (d->problem.tasks + size - 1) / size;
        int64_t end;

        if (one && size != d->problem.tasks)
            continue;
        end = when_shared(d, set, (int64_t)each * d->problem.slots);
        if (end > 0 && (best < 0 || end < best))
            best = end;
    }
    return best;
}

static void solvers_find_the_optimum(void **state)
{
    int possible = 0;

    (void)state;
    for (int round = 0; round < 1500; round++) {
        struct draft d;
        int64_t one, any;

        draw(&d, round);
        one = cs_volatile_offline_one(&d.problem);
        any = cs_volatile_offline_any(&d.problem);
        assert_int_equal(one, brute_force(&d, true));
        assert_int_equal(any, brute_force(&d, false));
        possible += one > 0;
    }
    assert_in_range(possible, 200, 1300);
}

/* Nothing is transferred and nobody is ever down: the bound is a relaxation of this very problem,
 * so it is never later, and mostly the same. */
static void the_bound_is_close_where_the_optimum_is_known(void **state)
{
    int same = 0, rounds = 0;

    (void)state;
    for (int round = 0; round < 300; round++) {
        struct cs_volatile_host host[HOSTS] = {{0}};
        struct cs_error err = {0};
        struct draft d;
        struct cs_volatile_application app = {1, 1, 0, 0, 1, 1000, 0, 0, 0};
        struct cs_volatile_instance *in;
        struct cs_volatile_source *source;
        int64_t optimum, bound;

        draw(&d, round);
        app.tasks = d.problem.tasks;
        for (int q = 0; q < d.problem.hosts; q++) {
            for (char *at = d.text[q]; *at; at++)
                *at = *at == 'd' ? 'r' : *at;
            host[q] = (struct cs_volatile_host){
                NULL, d.problem.slots, CS_VOLATILE_UNLIMITED, {{1}, {0, 1, 0}, {0, 0, 1}}};
        }
        in = cs_volatile_instance_create(d.problem.hosts, host, &app, &err);
        source = cs_volatile_source_traces(in, d.trace, &err);
        optimum = cs_volatile_offline_any(&d.problem);
        bound = cs_volatile_limit(in, source, 0).slots;
        if (optimum > 0) {
            assert_in_range(bound, 1, optimum);
            same += bound == optimum;
            rounds++;
        }
        cs_volatile_source_destroy(source);
        cs_volatile_instance_destroy(in);
    }
    assert_true(rounds > 100 && same * 10 >= rounds * 8);
}

static void patience_ends_and_is_owned_up_to(void **state)
{
    struct draft d;
    int open = 0;

    (void)state;
    for (int round = 0; round < 300; round++) {
        int64_t whole, one;

        draw(&d, round);
        whole = cs_volatile_offline_one(&d.problem);
        d.problem.patience = 3;
        one = cs_volatile_offline_one(&d.problem);
        assert_true(one == whole || one == CS_VOLATILE_OFFLINE_OPEN);
        open += one == CS_VOLATILE_OFFLINE_OPEN;
    }
    assert_true(open > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solvers_find_the_optimum),
        cmocka_unit_test(the_bound_is_close_where_the_optimum_is_known),
        cmocka_unit_test(patience_ends_and_is_owned_up_to),
    };

    return cmocka_run_group_tests_name("volatile_offline", tests, NULL, NULL);
}
