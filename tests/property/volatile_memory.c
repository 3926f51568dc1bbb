/* volatile_memory.c - what policies remember changes nothing: scenarios like those of the paper,
 * with hosts enough for duels and trails, against runs that work everything out in every slot. */
#include "problems/volatile/simulate.h"
#include "property/volatile_kit.h"

#include <stdlib.h>

struct digest {
    uint64_t sum;
    int hosts;
};

static void mix(struct digest *d, int64_t value)
{
    d->sum = (d->sum ^ (uint64_t)value) * 0x100000001b3u;
}

static void watch(void *who, const struct cs_volatile_span *span)
{
    struct digest *d = who;

    for (int64_t t = span->from; t < span->to; t++) {
        mix(d, span->configuration);
        for (int q = 0; q < d->hosts; q++)
            mix(d, 256 * span->tasks[q] + span->act[q]);
    }
}

static uint64_t run(const struct cs_volatile_instance *in, const struct cs_policy_call *call,
                    struct cs_volatile_source *source, enum cs_volatile_pace pace,
                    struct cs_volatile_outcome *outcome)
{
    int count;
    const struct cs_volatile_policy *policy = cs_volatile_policy_list(&count)[call->policy];
    struct cs_volatile_options options = cs_volatile_options_of(policy, call->param);
    struct cs_arena *arena = cs_arena_create();
    struct cs_volatile_estimator *estimator = cs_volatile_estimator_create(in);
    struct digest digest = {.hosts = in->hosts};

    cs_volatile_simulation_run(
        cs_volatile_simulation_create(in,
                                      cs_volatile_decider_create(estimator, policy, options, arena),
                                      options.prefetch, arena),
        source, 3, pace, watch, &digest, outcome);
    cs_volatile_estimator_destroy(estimator);
    cs_arena_destroy(arena);
    return digest.sum;
}

static void compare(const struct cs_volatile_instance *in, struct cs_volatile_source *source,
                    int policy, int option)
{
    struct cs_volatile_outcome slow, fast;
    struct cs_policy_call call;
    char text[96];
    uint64_t sum;

    if (!kit_call(policy, option, &call, text))
        return;
    sum = run(in, &call, source, CS_VOLATILE_SLOTS, &slow);
    if (sum != run(in, &call, source, CS_VOLATILE_SKIPPING, &fast) || fast.slots != slow.slots ||
        fast.switches != slow.switches || fast.lost != slow.lost || fast.sent != slow.sent)
        fail_msg("%s: %d slots and %d switches, slot by slot %d and %d", text, (int)fast.slots,
                 (int)fast.switches, (int)slow.slots, (int)slow.switches);
}

/* All policies as they are, and each with one of the sets of options. */
static void compare_all(const struct cs_volatile_instance *in, uint64_t trial)
{
    struct cs_volatile_source *source = cs_volatile_source_markov(in, 21, trial);
    int count;

    cs_volatile_policies(&count);
    for (int p = 0; p < count; p++) {
        compare(in, source, p, 0);
        compare(in, source, p, 1 + (p + (int)trial) % (KIT_OPTIONS - 1));
    }
    cs_volatile_source_destroy(source);
}

static struct cs_volatile_instance *scenario(int tasks, int transfers, int wmin, int number)
{
    const struct cs_volatile_generator generator = {
        .hosts = 20,
        .tasks = tasks,
        .transfers = transfers,
        .wmin = wmin,
        .iterations = 10,
        .cap = 2500,
        .seed = 4,
        .scenario = (uint64_t)number,
    };
    struct cs_error err = {0};
    struct cs_volatile_instance *in = cs_volatile_generate(&generator, &err);

    assert_non_null(in);
    return in;
}

static void scenarios_of_the_paper_are_the_same_slot_by_slot(void **state)
{
    static const int wmin[] = {1, 3, 5, 10};

    (void)state;
    for (int n = 0; n < KIT_ROUNDS(8); n++) {
        struct cs_volatile_instance *in =
            scenario(n % 2 ? 10 : 5, n % 3 ? 5 : 1, wmin[n / 2], 50 + n);

        compare_all(in, (uint64_t)n);
        cs_volatile_instance_destroy(in);
    }
}

/* Transfers so long that hosts hardly live through them: probabilities vanish, and come back as the
 * transfers go on. */
static void probabilities_that_vanish_are_the_same_slot_by_slot(void **state)
{
    (void)state;
    for (int n = 0; n < 3; n++) {
        struct cs_volatile_instance *in = scenario(10, 5, 8 + n % 3, 100 + n), *slow;
        struct cs_volatile_application app = in->app;
        struct cs_error err = {0};

        app.data *= 1 + n;
        slow = cs_volatile_instance_create(in->hosts, in->host, &app, &err);
        assert_non_null(slow);
        compare_all(slow, (uint64_t)n);
        cs_volatile_instance_destroy(slow);
        cs_volatile_instance_destroy(in);
    }
}

/* Two of each host, one of them better by very little, down to what rounding hides. */
static void hosts_that_are_nearly_the_same_are_the_same_slot_by_slot(void **state)
{
    (void)state;
    for (int n = 0; n < KIT_ROUNDS(4); n++) {
        struct cs_volatile_instance *in = scenario(6, 2, 2 + n, 80 + n), *near;
        struct cs_volatile_host host[20];
        struct cs_error err = {0};

        memcpy(host, in->host, sizeof host);
        for (int q = 0; q < 20; q += 2) {
            host[q + 1].slots = host[q].slots;
            host[q + 1].capacity = n % 2 ? 3 : host[q].capacity;
            memcpy(host[q + 1].chain, host[q].chain, sizeof host[q].chain);
            host[q + 1].chain[0][2] -= ldexp(host[q].chain[0][2], -16 - 2 * q);
            host[q + 1].chain[0][0] += host[q].chain[0][2] - host[q + 1].chain[0][2];
        }
        near = cs_volatile_instance_create(20, host, &in->app, &err);
        assert_non_null(near);
        compare_all(near, (uint64_t)n);
        cs_volatile_instance_destroy(near);
        cs_volatile_instance_destroy(in);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenarios_of_the_paper_are_the_same_slot_by_slot),
        cmocka_unit_test(probabilities_that_vanish_are_the_same_slot_by_slot),
        cmocka_unit_test(hosts_that_are_nearly_the_same_are_the_same_slot_by_slot),
    };

    return cmocka_run_group_tests_name("volatile_memory", tests, NULL, NULL);
}
