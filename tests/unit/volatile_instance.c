/* volatile_instance: what is refused, in which words, and what becomes of the rest. */
#include "problems/volatile/instance.h"
#include "problems/volatile/policy.h"
#include "unit/kit.h"

#include <math.h>
#include <string.h>

struct draft {
    struct cs_volatile_host host[2];
    struct cs_volatile_application app;
    int hosts;
};

static struct draft sound(void)
{
    return (struct draft){
        .host = {{"a", 2, 1, {{0.9, 0.06, 0.04}, {0.1, 0.8, 0.1}, {0.2, 0.2, 0.6}}},
                 {"b", 3, CS_VOLATILE_UNLIMITED, {{1}, {0, 1, 0}, {0, 0, 1}}}},
        .app = {3, 2, 4, 1, 2, 100, 0, 0, 0},
        .hosts = 2,
    };
}

static void refused(const struct draft *d, const char *text)
{
    struct cs_error err = {0};

    assert_null(cs_volatile_instance_create(d->hosts, d->host, &d->app, &err));
    assert_string_equal(err.text, text);
}

static void applications_out_of_range_are_refused(void **state)
{
    struct draft d = sound();

    (void)state;
    d.app.tasks = 0;
    refused(&d, "an iteration has 0 tasks, it must have at least 1");
    d = sound();
    d.app.iterations = -1;
    refused(&d, "there are -1 iterations, there must be from 1 to 1000000");
    d = sound();
    d.app.program = -1;
    refused(&d, "the program takes -1 slots to send, it must be at least 0");
    d = sound();
    d.app.data = -2;
    refused(&d, "the data of a task take -2 slots to send, it must be at least 0");
    d = sound();
    d.app.transfers = 0;
    refused(&d, "the master can send to 0 hosts at the same time, it must be at least 1");
    d = sound();
    d.app.cap = 0;
    refused(&d, "the cap is 0 slots, it must be between 1 and 100000000");
    d = sound();
    d.app.cap = 100000001;
    refused(&d, "the cap is 100000001 slots, it must be between 1 and 100000000");
    d = sound();
    d.app.data = 2000000000;
    refused(&d, "the program and the data of 3 tasks take 6000000004 slots to send, it must be at "
                "most 2147483647");
}

static void hosts_out_of_range_are_refused(void **state)
{
    struct draft d = sound();

    (void)state;
    d.hosts = 0;
    refused(&d, "there are 0 hosts, there must be between 1 and 1000000");
    d = sound();
    d.host[1].slots = 0;
    refused(&d, "host b: a task takes 0 slots, it must be at least 1");
    d = sound();
    d.host[0].capacity = -1;
    refused(&d, "host a: its capacity is -1 tasks, it must be at least 0");
    d = sound();
    d.host[1].slots = 1000000000;
    refused(&d, "host b: 3 tasks of 1000000000 slots take 3000000000 slots, it must be at most "
                "2147483647");
    d = sound();
    d.host[1].capacity = 1;
    refused(&d, "the hosts can hold 2 tasks at the same time, an iteration has 3: no configuration "
                "can ever "
                "exist");
    d = sound();
    d.host[1].name = "a";
    refused(&d, "two hosts have the name \"a\"");
    d.host[1].name = "";
    refused(&d, "host 1 has an empty name");
}

static void chains_that_are_none_are_refused(void **state)
{
    struct draft d = sound();

    (void)state;
    d.host[0].chain[0][2] = -0.1;
    refused(&d, "host a: the probability of down after up is -0.1, it must be between 0 and 1");
    d = sound();
    d.host[0].chain[1][0] = 1.5;
    refused(&d, "host a: the probability of up after reclaimed is 1.5, it must be between 0 and 1");
    d = sound();
    d.host[1].chain[2][2] = NAN;
    refused(&d, "host b: the probability of down after down is nan, it must be between 0 and 1");
    d = sound();
    d.host[0].chain[0][0] = 0.8;
    refused(&d, "host a: the probabilities after up sum to 0.9, they must sum to 1");
    d = sound();
    d.host[0].chain[2][2] += 1e-8;
    refused(&d, "host a: the probabilities after down sum to 1.00000001, they must sum to 1");
}

static void the_diagonal_is_what_the_row_leaves(void **state)
{
    struct draft d = sound();
    struct cs_error err = {0};
    struct cs_volatile_instance *in;

    (void)state;
    d.host[0].chain[0][0] += 5e-10;
    d.host[0].chain[0][2] = -0.0;
    d.host[0].chain[0][1] = 0.1;
    in = cs_volatile_instance_create(d.hosts, d.host, &d.app, &err);
    assert_non_null(in);
    assert_true(cs_volatile_instance_host(in, 0)->chain[0][0] == 1 - 0.1);
    assert_false(signbit(cs_volatile_instance_host(in, 0)->chain[0][2]));
    cs_volatile_instance_destroy(in);
}

static void capacities_end_at_the_tasks_and_names_are_numbers_by_default(void **state)
{
    struct draft d = sound();
    struct cs_error err = {0};
    struct cs_volatile_instance *in;

    (void)state;
    d.host[0].name = d.host[1].name = NULL;
    in = cs_volatile_instance_create(d.hosts, d.host, &d.app, &err);
    assert_non_null(in);
    assert_int_equal(cs_volatile_instance_hosts(in), 2);
    assert_string_equal(cs_volatile_instance_host(in, 1)->name, "1");
    assert_int_equal(in->capacity[0], 1);
    assert_int_equal(in->capacity[1], 3);
    assert_int_equal(in->most_need, 7);
    assert_int_equal(in->most_workload, 9);
    assert_int_equal(cs_volatile_instance_application(in)->cap, 100);
    cs_volatile_instance_destroy(in);
    cs_volatile_instance_destroy(NULL);
}

static void the_papers_scenarios_are_as_it_says(void **state)
{
    struct cs_volatile_generator r = {20, 5, 10, 3, 10, 1000000, 1, 2};
    struct cs_error err = {0};
    struct cs_volatile_instance *in = cs_volatile_generate(&r, &err), *again;
    int fastest = 100, slowest = 0;

    (void)state;
    again = cs_volatile_generate(&r, &err);
    assert_int_equal(in->app.program, 15);
    assert_int_equal(in->app.data, 3);
    for (int q = 0; q < 20; q++) {
        const struct cs_volatile_host *host = &in->host[q];

        assert_memory_equal(host->chain, again->host[q].chain, sizeof host->chain);
        assert_in_range(host->slots, 3, 30);
        fastest = host->slots < fastest ? host->slots : fastest;
        slowest = host->slots > slowest ? host->slots : slowest;
        for (int s = 0; s < 3; s++) {
            assert_true(host->chain[s][s] >= 0.9 && host->chain[s][s] <= 0.99);
            assert_true(host->chain[s][(s + 1) % 3] == host->chain[s][(s + 2) % 3]);
        }
    }
    assert_true(fastest < 9 && slowest > 24);
    cs_volatile_instance_destroy(in);
    cs_volatile_instance_destroy(again);
    r.wmin = 0;
    assert_null(cs_volatile_generate(&r, &err));
    assert_string_equal(
        err.text, "the fastest host takes 0 slots for a task, it must be between 1 and 1000000");
    err = (struct cs_error){0};
    r.hosts = 0;
    assert_null(cs_volatile_generate(&r, &err));
    assert_string_equal(err.text, "there are 0 hosts, there must be between 1 and 100000");
}

static void policies_have_their_parameters(void **state)
{
    int count;
    const struct cs_policy *const *list = cs_volatile_policies(&count);
    struct cs_policy_call call;
    struct cs_error err = {0};
    struct cs_volatile_options o;

    (void)state;
    assert_int_equal(count, 22);
    assert_int_equal(cs_policy_parse("y-ie", list, count, &call, &err), 0);
    o = cs_volatile_options_of(cs_volatile_policy_list(&count)[call.policy], call.param);
    assert_true(o.estimate == CS_VOLATILE_PRINTED && o.prefetch == CS_VOLATILE_PREFETCH_NONE &&
                !o.singles && !o.aware);
    assert_int_equal(cs_policy_parse("t:aware=yes,singles=yes,prefetch=data,estimate=conditional",
                                     list, count, &call, &err),
                     0);
    assert_string_equal(list[call.policy]->name, "t-it");
    o = cs_volatile_options_of(cs_volatile_policy_list(&count)[call.policy], call.param);
    assert_true(o.estimate == CS_VOLATILE_CONDITIONAL && o.prefetch == CS_VOLATILE_PREFETCH_DATA &&
                o.singles && o.aware);
    assert_int_equal(cs_policy_parse("random:prefetch=program", list, count, &call, &err), 0);
    o = cs_volatile_options_of(cs_volatile_policy_list(&count)[call.policy], call.param);
    assert_int_equal(o.prefetch, CS_VOLATILE_PREFETCH_PROGRAM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(applications_out_of_range_are_refused),
        cmocka_unit_test(hosts_out_of_range_are_refused),
        cmocka_unit_test(chains_that_are_none_are_refused),
        cmocka_unit_test(the_diagonal_is_what_the_row_leaves),
        cmocka_unit_test(capacities_end_at_the_tasks_and_names_are_numbers_by_default),
        cmocka_unit_test(the_papers_scenarios_are_as_it_says),
        cmocka_unit_test(policies_have_their_parameters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
