/* volatile_simulate: runs that can be followed slot by slot. */
#include "problems/volatile/simulate.h"
#include "unit/kit.h"

#include <string.h>

#define HOSTS 5
#define MOST 60

struct scene {
    struct cs_volatile_host host[HOSTS];
    int hosts;
    struct cs_volatile_application app;
    const char *trace[HOSTS];
    const char *policy; /* or NULL for tasks[] */
    int tasks[HOSTS];
    enum cs_volatile_prefetch prefetch; /* where the tasks are fixed */
};

/* What hosts do, a line for each. */
struct history {
    char act[HOSTS][MOST + 1];
    struct cs_volatile_outcome out;
};

static void watch(void *who, const struct cs_volatile_span *span)
{
    struct history *history = who;

    for (int64_t t = span->from; t < span->to; t++)
        for (int q = 0; span->act[q]; q++)
            history->act[q][t] = span->act[q];
}

static struct history run(const struct scene *scene)
{
    struct history history = {0};
    struct cs_error err = {0};
    struct cs_arena *arena = cs_arena_create();
    struct cs_volatile_instance *in =
        cs_volatile_instance_create(scene->hosts, scene->host, &scene->app, &err);
    struct cs_volatile_source *source = cs_volatile_source_traces(in, scene->trace, &err);
    struct cs_volatile_estimator *estimator = cs_volatile_estimator_create(in);
    struct cs_volatile_options options = {.prefetch = scene->prefetch};
    struct cs_volatile_decider *decider;
    struct cs_policy_call call;
    int count;

    cs_volatile_policies(&count);
    if (scene->policy) {
        assert_int_equal(
            cs_policy_parse(scene->policy, cs_volatile_policies(&count), count, &call, &err), 0);
        options = cs_volatile_options_of(cs_volatile_policy_list(&count)[call.policy], call.param);
        decider = cs_volatile_decider_create(
            estimator, cs_volatile_policy_list(&count)[call.policy], options, arena);
    } else {
        decider = cs_volatile_decider_create_fixed(in, scene->tasks, arena);
    }
    cs_volatile_simulation_run(cs_volatile_simulation_create(in, decider, options.prefetch, arena),
                               source, 1, CS_VOLATILE_SKIPPING, watch, &history, &history.out);
    cs_volatile_estimator_destroy(estimator);
    cs_volatile_source_destroy(source);
    cs_volatile_instance_destroy(in);
    cs_arena_destroy(arena);
    return history;
}

static void set_host(struct scene *s, int q, int slots, int capacity)
{
    s->host[q] = (struct cs_volatile_host){
        .slots = slots,
        .capacity = capacity,
        .chain = {{0.9, 0.05, 0.05}, {0.1, 0.8, 0.1}, {0.1, 0.1, 0.8}},
    };
}

/* Figure 1 of the paper: what its five hosts do. */
static void figure_1_of_the_paper(void **state)
{
    struct scene s = {
        .hosts = 5,
        .app = {5, 1, 2, 1, 2, 1000, 0, 0, 0},
        .trace = {"ddddddddddddddddddddduuuuuuu", "ruuuuuuuuurruuuuuuuuuuuuuuuu",
                  "ruuruuuuuuurruuuuuuuuuuuuuuu", "ruuuuuuuuuuuuuuuuuuuuuuuuuuu",
                  "rrrrrrrrrrrrrrrruuuuuuuuuuuu"},
        .tasks = {0, 2, 2, 1, 0},
    };
    struct history history;

    (void)state;
    for (int q = 0; q < HOSTS; q++)
        set_host(&s, q, q + 1, CS_VOLATILE_UNLIMITED);
    history = run(&s);
    assert_string_equal(history.act[0], "................");
    assert_string_equal(history.act[1], ".PPDDIICCCIIICCC");
    assert_string_equal(history.act[2], ".PPIIDDCCCIIICCC");
    assert_string_equal(history.act[3], ".IIPPDICCCIIICCC");
    assert_string_equal(history.act[4], "................");
    assert_int_equal(history.out.makespan, 16);
    assert_int_equal(history.out.computed, 6);
    assert_int_equal(history.out.suspended, 3);
    assert_int_equal(history.out.idle, 1);
    assert_int_equal(history.out.sent, 11);
}

static struct scene pair(void)
{
    struct scene s = {.hosts = 2, .app = {2, 2, 1, 1, 1, 1000, 0, 0, 0}, .tasks = {1, 1}};

    set_host(&s, 0, 2, 1);
    set_host(&s, 1, 2, 1);
    return s;
}

/* Host 1 is down in slot 5: it loses program and data, host 0 keeps both; the slot that was
 * computed is lost.  In the second iteration only data are sent. */
static void a_host_that_is_down_loses_what_it_has(void **state)
{
    struct scene s = pair();
    struct history history;

    (void)state;
    s.trace[0] = "uuuuuuuuuuuuuuuuuuuu";
    s.trace[1] = "uuuuuduuuuuuuuuuuuuu";
    history = run(&s);
    assert_string_equal(history.act[0], "PDIIC.IICCDICC");
    assert_string_equal(history.act[1], "IIPDC.PDCCIDCC");
    assert_int_equal(history.out.makespan, 14);
    assert_int_equal(history.out.aborts, 1);
    assert_int_equal(history.out.lost, 1);
    assert_int_equal(history.out.computed, 4);
    assert_int_equal(history.out.installed, 3);
    assert_int_equal(history.out.idle, 1);
}

/* A reclaimed host keeps everything: the transfers to it and the computation wait. */
static void a_reclaimed_host_keeps_what_it_has(void **state)
{
    struct scene s = pair();
    struct history history;

    (void)state;
    s.app = (struct cs_volatile_application){2, 1, 3, 1, 1, 1000, 0, 0, 0};
    s.trace[0] = "urruuuuuuuuuuuuuuuuu";
    s.trace[1] = "uuuuuuuuurruuuuuuuuu";
    history = run(&s);
    assert_string_equal(history.act[0], "PIIPPIDICIIC");
    assert_string_equal(history.act[1], "IPPIIPIDCIIC");
}

static void a_run_ends_at_the_cap_or_with_the_traces(void **state)
{
    struct scene s = pair();
    struct history history;

    (void)state;
    s.trace[0] = s.trace[1] = "uuuuuuu";
    history = run(&s);
    assert_false(history.out.finished);
    assert_int_equal(history.out.makespan, -1);
    assert_int_equal(history.out.slots, 7);
    assert_int_equal(history.out.iterations, 1);
    s.trace[0] = s.trace[1] = "uuuuuuuuuuuuuuuuuuuuu";
    s.app.cap = 5;
    history = run(&s);
    assert_int_equal(history.out.slots, 5);
    assert_int_equal(history.out.iterations, 0);
    assert_int_equal(history.out.lost, 1);
    s.app.cap = 10;
    history = run(&s);
    assert_true(history.out.finished);
    assert_int_equal(history.out.makespan, 10);
}

/* What the master does not need for the configuration goes to host 1, in idle slots too. */
static void prefetch_sends_the_program_and_data_to_others(void **state)
{
    struct scene s = pair();
    struct history history;

    (void)state;
    s.app = (struct cs_volatile_application){1, 1, 2, 1, 1, 1000, 0, 0, 0};
    s.tasks[1] = 0;
    s.trace[0] = "ruuurruuuuuuuuuuuuuuu";
    s.trace[1] = "uuuuuuuuuuuuuuuuuuuuu";
    history = run(&s);
    assert_string_equal(history.act[0], ".PPDIICC");
    assert_string_equal(history.act[1], "........");
    s.prefetch = CS_VOLATILE_PREFETCH_PROGRAM;
    history = run(&s);
    assert_string_equal(history.act[0], ".PPDIICC");
    assert_string_equal(history.act[1], "p...p...");
    s.prefetch = CS_VOLATILE_PREFETCH_DATA;
    history = run(&s);
    assert_string_equal(history.act[1], "p...pd..");
    assert_int_equal(history.out.prefetched, 3);
}

/* Host 0 alone would need 2 + 10 slots; host 1 comes up in slot 4 and is five times as fast. */
static void proactive_policies_switch_and_passive_ones_do_not(void **state)
{
    struct scene s = pair();
    struct history history;

    (void)state;
    s.app = (struct cs_volatile_application){1, 1, 1, 1, 1, 1000, 0, 0, 0};
    set_host(&s, 0, 10, 1);
    set_host(&s, 1, 1, 1);
    s.trace[0] = "uuuuuuuuuuuuuuuuuuuu";
    s.trace[1] = "dddduuuuuuuuuuuuuuuu";
    s.policy = "ie";
    history = run(&s);
    assert_string_equal(history.act[0], "PDCCCCCCCCCC");
    assert_int_equal(history.out.switches, 0);
    s.policy = "e-ie";
    history = run(&s);
    assert_string_equal(history.act[0], "PDCC...");
    assert_string_equal(history.act[1], "....PDC");
    assert_int_equal(history.out.switches, 1);
    assert_int_equal(history.out.lost, 2);
    assert_int_equal(history.out.makespan, 7);
}

static void requests_that_are_none_are_refused(void **state)
{
    struct cs_volatile_generator generator = {3, 2, 1, 1, 1, 100, 1, 1};
    struct cs_error err = {0};
    struct cs_volatile_instance *in = cs_volatile_generate(&generator, &err), *other;
    struct cs_volatile_source *source = cs_volatile_source_markov(in, 1, 1);
    struct cs_volatile_request request = {.call = {.policy = 99}};
    struct cs_volatile_outcome out;

    (void)state;
    assert_int_equal(cs_volatile_simulate(in, &request, source, &out, &err), -1);
    assert_string_equal(err.text, "policy number 99 does not exist, there are 22");
    request.call.policy = 0;
    generator.hosts = 4;
    other = cs_volatile_generate(&generator, &err);
    err.text[0] = 0;
    assert_int_equal(cs_volatile_simulate(other, &request, source, &out, &err), -1);
    assert_string_equal(err.text, "the states are those of 3 hosts, the instance has 4");
    assert_int_equal(cs_volatile_simulate(in, &request, source, &out, &err), 0);
    assert_true(out.slots > 0 && out.slots <= 100);
    cs_volatile_source_destroy(source);
    cs_volatile_instance_destroy(in);
    cs_volatile_instance_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_1_of_the_paper),
        cmocka_unit_test(a_host_that_is_down_loses_what_it_has),
        cmocka_unit_test(a_reclaimed_host_keeps_what_it_has),
        cmocka_unit_test(a_run_ends_at_the_cap_or_with_the_traces),
        cmocka_unit_test(prefetch_sends_the_program_and_data_to_others),
        cmocka_unit_test(proactive_policies_switch_and_passive_ones_do_not),
        cmocka_unit_test(requests_that_are_none_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
