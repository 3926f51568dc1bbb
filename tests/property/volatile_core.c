/* volatile_core.c - every policy on random instances: one result however it is run, valid for the
 * checker, not below the clairvoyant bound. */
#include "check/check.h"
#include "problems/volatile/schedule.h"
#include "problems/volatile/study.h"
#include "property/volatile_kit.h"

#include <stdlib.h>

#define ROUNDS KIT_ROUNDS(40)

/* Everything that a watcher sees, in a number that depends on the slots alone. */
struct digest {
    uint64_t sum;
    int hosts;
    int64_t slots;
};

static void mix(struct digest *d, uint64_t value)
{
    d->sum = (d->sum ^ value) * 0x100000001b3u;
}

static void watch(void *who, const struct cs_volatile_span *span)
{
    struct digest *d = who;

    assert_int_equal(span->from, d->slots);
    assert_true(span->to > span->from);
    for (int64_t t = span->from; t < span->to; t++, d->slots++) {
        mix(d, (uint64_t)span->iteration);
        mix(d, (uint64_t)span->configuration);
        for (int q = 0; q < d->hosts; q++) {
            mix(d, (uint64_t)span->tasks[q]);
            mix(d, (uint64_t)span->act[q]);
        }
    }
}

struct run {
    struct digest digest;
    struct cs_volatile_outcome outcome;
};

static struct run run(const struct cs_volatile_instance *in, const struct cs_policy_call *call,
                      struct cs_volatile_source *source, enum cs_volatile_pace pace)
{
    int count;
    const struct cs_volatile_policy *policy = cs_volatile_policy_list(&count)[call->policy];
    struct cs_volatile_options options = cs_volatile_options_of(policy, call->param);
    struct cs_arena *arena = cs_arena_create();
    struct cs_volatile_estimator *estimator = cs_volatile_estimator_create(in);
    struct run r = {.digest = {.hosts = in->hosts}};

    cs_volatile_simulation_run(
        cs_volatile_simulation_create(in,
                                      cs_volatile_decider_create(estimator, policy, options, arena),
                                      options.prefetch, arena),
        source, 3, pace, watch, &r.digest, &r.outcome);
    cs_volatile_estimator_destroy(estimator);
    cs_arena_destroy(arena);
    return r;
}

/* All but the number of decisions: slot by slot, everything is worked out again in every slot. */
static bool same(const struct run *a, const struct run *b)
{
    struct cs_volatile_outcome x = a->outcome, y = b->outcome;

    x.decisions = y.decisions = 0;
    return a->digest.sum == b->digest.sum && a->digest.slots == b->digest.slots &&
           x.finished == y.finished && x.makespan == y.makespan && x.slots == y.slots &&
           x.iterations == y.iterations && x.installed == y.installed && x.aborts == y.aborts &&
           x.switches == y.switches && x.computed == y.computed && x.lost == y.lost &&
           x.suspended == y.suspended && x.sent == y.sent && x.prefetched == y.prefetched &&
           x.idle == y.idle;
}

/* Call `judge` for every policy with every set of options on an instance and its states. */
typedef void judge_f(const struct cs_volatile_instance *in, const struct cs_policy_call *call,
                     struct cs_volatile_source *source, const char *text, int round);

static void for_all(int rounds, judge_f *judge)
{
    int count;

    cs_volatile_policies(&count);
    for (int round = 0; round < rounds; round++) {
        struct cs_volatile_instance *in = kit_instance(round);
        struct cs_volatile_source *source = cs_volatile_source_markov(in, 5, (uint64_t)round);

        for (int p = 0; p < count; p++)
            for (int o = 0; o < KIT_OPTIONS; o++) {
                struct cs_policy_call call;
                char text[96];

                if (kit_call(p, o, &call, text))
                    judge(in, &call, source, text, round);
            }
        cs_volatile_source_destroy(source);
        cs_volatile_instance_destroy(in);
    }
}

static void judge_pace(const struct cs_volatile_instance *in, const struct cs_policy_call *call,
                       struct cs_volatile_source *source, const char *text, int round)
{
    struct run slow = run(in, call, source, CS_VOLATILE_SLOTS);
    struct run fast = run(in, call, source, CS_VOLATILE_SKIPPING);
    struct run again = run(in, call, source, CS_VOLATILE_SKIPPING);

    if (!same(&slow, &fast))
        fail_msg("%s, round %d: skipping ends after %d slots, slot by slot after %d", text, round,
                 (int)fast.outcome.slots, (int)slow.outcome.slots);
    assert_true(same(&fast, &again) && fast.outcome.decisions == again.outcome.decisions);
    assert_true(fast.outcome.decisions <= slow.outcome.decisions);
}

static void skipping_gives_what_slot_by_slot_gives(void **state)
{
    (void)state;
    for_all(ROUNDS, judge_pace);
}

static void judge_schedule(const struct cs_volatile_instance *in, const struct cs_policy_call *call,
                           struct cs_volatile_source *source, const char *text, int round)
{
    const struct cs_volatile_request request = {.call = *call, .seed = 3};
    struct cs_check_report *report = cs_check_report_create(3);
    struct cs_error err = {0};
    struct cs_volatile_trial *trial = cs_volatile_trial_create(in, &request, source, &err);

    assert_non_null(trial);
    cs_check_volatile(trial->schedule, &trial->declared, report);
    if (report->total)
        fail_msg("%s, round %d: %s", text, round, report->item[0].text);
    cs_check_report_destroy(report);
    cs_volatile_trial_destroy(trial);
}

static void every_schedule_passes_the_checker(void **state)
{
    (void)state;
    for_all(ROUNDS, judge_schedule);
}

/* Slots of a kind add up. */
static void judge_counts(const struct cs_volatile_instance *in, const struct cs_policy_call *call,
                         struct cs_volatile_source *source, const char *text, int round)
{
    struct run r = run(in, call, source, CS_VOLATILE_SKIPPING);
    const struct cs_volatile_outcome *o = &r.outcome;
    int64_t bound = cs_volatile_limit(in, source, 0).slots;

    assert_true(o->slots <= in->app.cap && o->iterations <= in->app.iterations);
    assert_int_equal(o->finished, o->iterations == in->app.iterations);
    assert_int_equal(o->makespan, o->finished ? o->slots : -1);
    assert_true(o->computed + o->lost + o->suspended + o->idle <= o->slots);
    assert_true(o->installed >= o->iterations + o->aborts + o->switches);
    assert_true(o->installed <= o->iterations + o->aborts + o->switches + 1);
    assert_true(o->prefetched <= o->sent);
    assert_true(o->prefetched == 0 || strstr(text, "prefetch"));
    if (o->finished && (bound < 0 || bound > o->makespan))
        fail_msg("%s, round %d: %d slots, the bound is %d", text, round, (int)o->makespan,
                 (int)bound);
}

static void nobody_beats_the_clairvoyant_bound(void **state)
{
    (void)state;
    for_all(ROUNDS, judge_counts);
}

/* Every configuration there is, held on to for ever: the best of them is not below the bound, and
 * the bound is not always far away. */
static int64_t best_fixed(const struct cs_volatile_instance *in, struct cs_volatile_source *source,
                          int *tasks, int host, int left)
{
    int64_t best = INT64_MAX;
    struct cs_volatile_outcome out;

    if (host < in->hosts) {
        for (int x = 0; x <= left && x <= in->capacity[host]; x++) {
            int64_t one;

            tasks[host] = x;
            one = best_fixed(in, source, tasks, host + 1, left - x);
            best = one < best ? one : best;
        }
        tasks[host] = 0;
    } else if (left == 0) {
        struct cs_arena *arena = cs_arena_create();

        cs_volatile_simulation_run(
            cs_volatile_simulation_create(in, cs_volatile_decider_create_fixed(in, tasks, arena),
                                          CS_VOLATILE_PREFETCH_NONE, arena),
            source, 0, CS_VOLATILE_SKIPPING, NULL, NULL, &out);
        best = out.finished ? out.makespan : best;
        cs_arena_destroy(arena);
    }
    return best;
}

static void no_configuration_beats_the_clairvoyant_bound(void **state)
{
    int tight = 0;

    (void)state;
    for (int round = 0; round < 400; round++) {
        struct cs_volatile_instance *in = kit_instance(round);
        struct cs_volatile_source *source = cs_volatile_source_markov(in, 9, (uint64_t)round);
        int tasks[KIT_HOSTS] = {0};
        int64_t best = INT64_MAX, bound = cs_volatile_limit(in, source, 0).slots;

        if (in->hosts <= 5 && in->app.tasks <= 4)
            best = best_fixed(in, source, tasks, 0, in->app.tasks);
        if (best < INT64_MAX) {
            assert_in_range(bound, 1, best);
            tight += bound == best;
        }
        cs_volatile_source_destroy(source);
        cs_volatile_instance_destroy(in);
    }
    assert_true(tight >= 20);
}

static void a_study_does_not_depend_on_threads(void **state)
{
    enum { TRIALS = 7 };
    struct cs_policy_call call[64];
    struct cs_volatile_outcome *one, *four;
    struct cs_volatile_limit limit[2][TRIALS];
    struct cs_error err = {0};
    struct cs_volatile_instance *in = kit_instance(8);
    struct cs_volatile_study study = {
        .instance = in, .call = call, .seed = 2, .first = 3, .trials = TRIALS, .threads = 1};
    char text[96];
    int count;
    size_t size;

    (void)state;
    cs_volatile_policies(&count);
    for (int p = 0; p < count; p++)
        study.policies += kit_call(p, 0, &call[study.policies], text);
    size = TRIALS * (size_t)study.policies * sizeof *one;
    one = calloc(1, size);
    four = calloc(1, size);
    assert_int_equal(cs_volatile_study_run(&study, one, limit[0], &err), 0);
    study.threads = 4;
    assert_int_equal(cs_volatile_study_run(&study, four, limit[1], &err), 0);
    assert_memory_equal(one, four, size);
    for (int t = 0; t < TRIALS; t++) {
        assert_int_equal(limit[0][t].slots, limit[1][t].slots);
        assert_false(limit[0][t].optimum);
    }
    study.first = 4;
    assert_int_equal(cs_volatile_study_run(&study, four, NULL, &err), 0);
    assert_memory_equal(one + study.policies, four, size - (size_t)study.policies * sizeof *one);
    free(one);
    free(four);
    cs_volatile_instance_destroy(in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(skipping_gives_what_slot_by_slot_gives),
        cmocka_unit_test(every_schedule_passes_the_checker),
        cmocka_unit_test(nobody_beats_the_clairvoyant_bound),
        cmocka_unit_test(no_configuration_beats_the_clairvoyant_bound),
        cmocka_unit_test(a_study_does_not_depend_on_threads),
    };

    return cmocka_run_group_tests_name("volatile_core", tests, NULL, NULL);
}
