/* volatile_optimum.c - the optimum without transfers against every configuration there is. */
#include "base/rng.h"
#include "problems/volatile/optimum.h"
#include "problems/volatile/study.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HOSTS 5
#define SLOTS 90

struct draft {
    char text[HOSTS][SLOTS + 1];
    const char *trace[HOSTS];
    struct cs_volatile_host host[HOSTS];
    struct cs_volatile_application app;
    int hosts, slots;
    struct cs_volatile_instance *in;
    struct cs_volatile_source *source;
};

static void finish(struct draft *d)
{
    struct cs_error err = {0};

    d->in = cs_volatile_instance_create(d->hosts, d->host, &d->app, &err);
    d->source = d->in ? cs_volatile_source_traces(d->in, d->trace, &err) : NULL;
}

static void release(struct draft *d)
{
    cs_volatile_source_destroy(d->source);
    cs_volatile_instance_destroy(d->in);
}

/* Speeds and capacities: all 1 and alike, unlimited and alike, or any. */
static void draw(struct draft *d, int round)
{
    struct cs_rng rng;
    int room = 0, kind = round % 3, stay, slots;

    cs_rng_init(&rng, 22, 1, (uint64_t)round);
    *d = (struct draft){.hosts = 1 + (int)cs_rng_below(&rng, HOSTS)};
    d->slots = 1 + (int)cs_rng_below(&rng, SLOTS);
    stay = 2 + (int)cs_rng_below(&rng, 8);
    slots = 1 + (int)cs_rng_below(&rng, 4);
    for (int q = 0; q < d->hosts; q++) {
        char letter = "urd"[cs_rng_below(&rng, 3)];
        int capacity = (int)cs_rng_below(&rng, 4);

        for (int t = 0; t < d->slots; t++) {
            if (cs_rng_below(&rng, (uint64_t)stay) == 0)
                letter = "uuurd"[cs_rng_below(&rng, 5)];
            d->text[q][t] = letter;
        }
        d->trace[q] = d->text[q];
        d->host[q] = (struct cs_volatile_host){NULL,
                                               kind == 2 ? 1 + (int)cs_rng_below(&rng, 4) : slots,
                                               kind == 0   ? 1
                                               : kind == 1 ? CS_VOLATILE_UNLIMITED
                                                           : capacity,
                                               {{1}, {0, 1, 0}, {0, 0, 1}}};
        room += kind == 1 ? 4 : d->host[q].capacity;
    }
    d->app = (struct cs_volatile_application){1, 1, 0, 0, 1, 1000, 0, 0, 0};
    d->app.tasks = 1 + (int)cs_rng_below(&rng, room > 4 ? 4 : room > 0 ? (uint64_t)room : 1);
    d->app.iterations = 1 + (int)cs_rng_below(&rng, 4);
    finish(d);
}

/* The slot after the one in which this configuration, installed in slot `from`, has done its work;
 * 0 when it is not all up then, or somebody goes down, or the traces end. */
static int end_of(const struct draft *d, const int *tasks, int from)
{
    int workload = 0, done = 0;

    for (int q = 0; q < d->hosts; q++)
        if (tasks[q] * d->host[q].slots > workload)
            workload = tasks[q] * d->host[q].slots;
    for (int t = from; t < d->slots; t++) {
        bool all = true;

        for (int q = 0; q < d->hosts; q++) {
            if (tasks[q] == 0)
                continue;
            if (d->trace[q][t] == 'd')
                return 0;
            all &= d->trace[q][t] == 'u';
        }
        if (!all && t == from)
            return 0;
        done += all;
        if (done == workload)
            return t + 1;
    }
    return 0;
}

/* Every way to give the tasks to the hosts, in every slot. */
static int least_end(const struct draft *d, int from, int *tasks, int host, int left)
{
    int best = 0;

    if (host == d->hosts) {
        for (int t = from; left == 0 && t < d->slots; t++) {
            int end = end_of(d, tasks, t);

            best = end && (!best || end < best) ? end : best;
        }
        return best;
    }
    for (int x = 0; x <= left && x <= d->host[host].capacity; x++) {
        int end;

        tasks[host] = x;
        end = least_end(d, from, tasks, host + 1, left - x);
        best = end && (!best || end < best) ? end : best;
    }
    tasks[host] = 0;
    return best;
}

static int64_t brute_force(const struct draft *d)
{
    int now = 0, tasks[HOSTS] = {0};

    for (int i = 0; i < d->app.iterations; i++) {
        now = least_end(d, now, tasks, 0, d->app.tasks);
        if (!now)
            return -1;
    }
    return now;
}

static void stages_are_what_they_say(const struct draft *d, const struct cs_volatile_optimum *o)
{
    int64_t now = 0;

    assert_int_equal(o->stages, d->app.iterations);
    for (int i = 0; i < o->stages; i++) {
        const struct cs_volatile_stage *stage = &o->stage[i];
        int tasks = 0;

        for (int q = 0; q < d->hosts; q++) {
            assert_in_range(stage->tasks[q], 0, d->host[q].capacity);
            tasks += stage->tasks[q];
        }
        assert_int_equal(tasks, d->app.tasks);
        assert_true(stage->from >= now);
        assert_int_equal(end_of(d, stage->tasks, (int)stage->from), stage->to);
        now = stage->to;
    }
    assert_int_equal(now, o->slots);
}

static void the_optimum_is_that_of_all_configurations(void **state)
{
    int found[3] = {0}, none = 0, wider = 0;

    (void)state;
    for (int round = 0; round < 900; round++) {
        struct cs_arena *arena = cs_arena_create();
        struct cs_volatile_optimum o;
        struct draft d;

        draw(&d, round);
        if (d.source) {
            o = cs_volatile_optimum_find(d.in, d.source, 0, arena);
            assert_int_equal(o.slots, brute_force(&d));
            assert_int_equal(o.exact, true);
            if (o.slots > 0)
                stages_are_what_they_say(&d, &o);
            found[round % 3] += o.slots > 0;
            none += o.slots < 0;
            wider += o.slots > 0 && cs_volatile_limit(d.in, d.source, 0).slots < o.slots;
            assert_true(o.slots < 0 || cs_volatile_limit(d.in, d.source, 0).slots <= o.slots);
        }
        release(&d);
        cs_arena_destroy(arena);
    }
    assert_true(found[0] > 50 && found[1] > 100 && found[2] > 50 && none > 100);
    assert_true(wider > 0);
}

static void no_policy_beats_it(void **state)
{
    int count, ended = 0;
    const struct cs_policy *const *list = cs_volatile_policies(&count);

    (void)state;
    for (int round = 0; round < 300; round++) {
        struct cs_arena *arena = cs_arena_create();
        struct cs_error err = {0};
        struct draft d;

        draw(&d, round);
        for (int p = 0; d.source && p < count && !list[p]->extpol; p++) {
            struct cs_policy_call call = {.policy = p};
            struct cs_volatile_request request = {.call = call, .seed = 4};
            struct cs_volatile_outcome outcome;
            struct cs_volatile_limit limit = cs_volatile_limit(d.in, d.source, INT64_MAX);

            assert_true(limit.optimum);
            assert_int_equal(cs_volatile_simulate(d.in, &request, d.source, &outcome, &err), 0);
            assert_true(!outcome.finished || outcome.makespan >= limit.slots);
            assert_true(!outcome.finished || limit.slots > 0);
            ended += outcome.finished && outcome.makespan == limit.slots;
        }
        release(&d);
        cs_arena_destroy(arena);
    }
    assert_true(ended > 200);
}

/* Two tasks of two slots, one at a host.
 *
 *   P1 uurduuuuuu    P1 and P2 share slots 0 and 2, but P1 is reclaimed in 2: only 0, and 4 on.
 *   P2 urduuuduuu    P2 is down in 2 and 6.
 *   P3 ruuuuruuuu    P1 and P3 share 1, and then P1 is down in 3; P2 and P3 share 3 and 4.
 *
 * The first iteration ends with slot 4 (P2 and P3 in 3, 4), the second with slot 7: P1 and P3 are
 * up in 6 and 7 (P3 is reclaimed in 5; P2 is down in 6). */
static void by_hand(void **state)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_volatile_optimum o;
    struct draft d = {.hosts = 3,
                      .slots = 10,
                      .trace = {"uurduuuuuu", "urduuuduuu", "ruuuuruuuu"},
                      .app = {2, 2, 0, 0, 1, 1000, 0, 0, 0}};
    static const int first[] = {0, 1, 1}, second[] = {1, 0, 1};

    (void)state;
    for (int q = 0; q < 3; q++)
        d.host[q] = (struct cs_volatile_host){NULL, 2, 1, {{1}, {0, 1, 0}, {0, 0, 1}}};
    finish(&d);
    assert_string_equal(cs_volatile_offline_name(d.in), "offline-1");
    o = cs_volatile_optimum_find(d.in, d.source, 0, arena);
    assert_int_equal(o.slots, 8);
    assert_int_equal(o.stage[0].from, 3);
    assert_int_equal(o.stage[0].to, 5);
    assert_memory_equal(o.stage[0].tasks, first, sizeof first);
    assert_int_equal(o.stage[1].from, 6);
    assert_memory_equal(o.stage[1].tasks, second, sizeof second);
    release(&d);
    cs_arena_destroy(arena);
}

static const char *name_of(int a, int b, int slots, int program, int data)
{
    struct draft d = {
        .hosts = 2, .slots = 1, .trace = {"u", "u"}, .app = {3, 1, 0, 0, 1, 9, 0, 0, 0}};
    const char *name;

    d.app.program = program;
    d.app.data = data;
    d.app.tasks = a == 1 && b == 1 ? 2 : 3;
    d.host[0] = (struct cs_volatile_host){NULL, 2, a, {{1}, {0, 1, 0}, {0, 0, 1}}};
    d.host[1] = (struct cs_volatile_host){NULL, slots, b, {{1}, {0, 1, 0}, {0, 0, 1}}};
    finish(&d);
    name = cs_volatile_offline_name(d.in);
    release(&d);
    return name;
}

static void problems_have_the_names_of_the_paper(void **state)
{
    (void)state;
    assert_string_equal(name_of(1, 1, 2, 0, 0), "offline-1");
    assert_string_equal(name_of(3, CS_VOLATILE_UNLIMITED, 2, 0, 0), "offline-inf");
    assert_string_equal(name_of(3, 2, 2, 0, 0), "offline");
    assert_string_equal(name_of(1, 1, 3, 0, 0), "offline");
    assert_string_equal(name_of(3, 3, 3, 0, 0), "offline");
    assert_null(name_of(3, 3, 2, 1, 0));
    assert_null(name_of(1, 1, 2, 0, 1));
}

static void patience_ends_and_the_bound_stays(void **state)
{
    int open = 0, closed = 0;

    (void)state;
    for (int round = 0; round < 200; round++) {
        struct cs_volatile_limit whole, part, none;
        struct draft d;

        draw(&d, round);
        if (!d.source) {
            release(&d);
            continue;
        }
        whole = cs_volatile_limit(d.in, d.source, INT64_MAX);
        part = cs_volatile_limit(d.in, d.source, 12);
        none = cs_volatile_limit(d.in, d.source, 0);
        assert_true(whole.optimum);
        assert_int_equal(none.slots, cs_volatile_limit(d.in, d.source, 0).slots);
        assert_true(!none.optimum || none.slots == -1);
        assert_true(!part.optimum || part.slots == whole.slots);
        assert_true(whole.slots == -1 || (none.slots <= part.slots && part.slots <= whole.slots));
        open += !part.optimum;
        closed += part.optimum;
        release(&d);
    }
    assert_true(open > 20 && closed > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_optimum_is_that_of_all_configurations),
        cmocka_unit_test(no_policy_beats_it),
        cmocka_unit_test(by_hand),
        cmocka_unit_test(problems_have_the_names_of_the_paper),
        cmocka_unit_test(patience_ends_and_the_bound_stays),
    };

    return cmocka_run_group_tests_name("volatile_optimum", tests, NULL, NULL);
}
