/* moldable_world: random bags carried out while times differ and attempts fail: every way does all
 * tasks within the machine, learns nothing beforehand, and does the same twice. */
#include "property/moldable_kit.h"

#include "base/mix.h"
#include "base/strbuf.h"
#include "problems/moldable/draw.h"
#include "problems/moldable/simulate.h"
#include "unit/kit.h"

#include <string.h>

static const int mixes[] = {0, MOLDABLE_WHOLE, MOLDABLE_RELEASE};

struct world {
    struct moldable_case c;
    const struct cs_moldable_bag *bag;
    struct cs_moldable_plan *plan;
    struct cs_moldable_scene scene;
    double *factor, *expected;
    int *failures, *order;
};

static struct world make(uint64_t seed, int max_tasks, int flavours, double sigma, double qbar)
{
    struct world w = {.c = moldable_case_create(seed, max_tasks, 12, flavours)};
    const struct cs_moldable_world law = {.sigma = sigma, .qbar = qbar, .seed = seed};
    struct cs_error err = {0};
    int n = w.c.instance->bag.tasks;

    w.bag = &w.c.instance->bag;
    w.plan = moldable_case_plan(&w.c, "search:moves=200", seed);
    w.factor = CS_NEW_ARRAY(w.c.arena, double, n);
    w.expected = CS_NEW_ARRAY(w.c.arena, double, n);
    w.failures = CS_NEW_ARRAY(w.c.arena, int, n);
    w.order = CS_NEW_ARRAY(w.c.arena, int, n);
    cs_moldable_sort_starts(w.bag, w.plan->start, w.order, w.c.arena);
    cs_moldable_expected(w.bag, qbar, w.expected);
    assert_int_equal(cs_moldable_world_check(&law, &err), 0);
    assert_int_equal(cs_moldable_world_draw(w.c.instance, &law, 3, w.factor, w.failures, &err), 0);
    w.scene = (struct cs_moldable_scene){w.bag, w.plan, w.order, w.expected};
    return w;
}

static void destroy(struct world *w)
{
    cs_moldable_plan_destroy(w->plan);
    moldable_case_destroy(&w->c);
}

static struct cs_moldable_simulator *start(const struct world *w, const char *variant,
                                           const double *walltime)
{
    int count;
    const struct cs_policy *const *list = cs_moldable_variants(&count);
    struct cs_policy_call call;
    struct cs_error err = {0};
    struct cs_moldable_simulator *simulator = NULL;

    if (cs_policy_parse(variant, list, count, &call, &err) == 0)
        simulator = cs_moldable_simulator_create(&w->scene, &call, walltime, &err);
    if (!simulator)
        fail_msg("%s: %s", variant, err.text);
    return simulator;
}

static double carry_out(const struct world *w, const char *variant, bool noise, bool fails)
{
    struct cs_moldable_simulator *simulator = start(w, variant, NULL);
    const struct cs_moldable_truth truth = {.factor = noise ? w->factor : NULL,
                                            .failures = fails ? w->failures : NULL};
    struct cs_moldable_outcome outcome;

    cs_moldable_simulator_run(simulator, &truth, &outcome);
    cs_moldable_simulator_destroy(simulator);
    return outcome.makespan;
}

/* Every attempt is as long as it must be, as often as it must be, within the machine. */
static void check_attempts(const struct world *w, const char *variant,
                           const struct cs_moldable_outcome *o)
{
    int *tries = CS_NEW_ARRAY(w->c.arena, int, w->bag->tasks);

    for (int a = 0; a < o->attempts; a++) {
        const struct cs_moldable_attempt *at = &o->attempt[a];
        double seconds = cs_moldable_seconds(w->bag, at->task, at->choice) * w->factor[at->task];
        int used = 0;

        for (int b = 0; b < o->attempts; b++)
            if (o->attempt[b].start <= at->start && at->start < o->attempt[b].end)
                used += cs_moldable_width(w->bag, o->attempt[b].task, o->attempt[b].choice);
        if (used > w->bag->procs)
            fail_msg("%s uses %d of %d processors", variant, used, w->bag->procs);
        assert_true(at->start >= cs_moldable_release(w->bag, at->task));
        assert_true(at->end == at->start + seconds);
        assert_int_equal(at->lost, tries[at->task] < w->failures[at->task]);
        tries[at->task]++;
    }
    for (int i = 0; i < w->bag->tasks; i++)
        assert_int_equal(tries[i], w->failures[i] + 1);
}

static void every_variant_does_every_task(void **state)
{
    int count;
    const struct cs_policy *const *list = cs_moldable_variants(&count);

    (void)state;
    for (uint64_t seed = 0; seed < 150; seed++) {
        struct world w = make(seed, 25, mixes[seed % 3], 0.3, 0.3);
        const struct cs_moldable_truth truth = {.factor = w.factor, .failures = w.failures};

        for (int k = 0; k < count; k++) {
            struct cs_moldable_simulator *simulator = start(&w, list[k]->name, NULL);
            struct cs_moldable_outcome outcome, again;

            cs_moldable_simulator_run(simulator, &truth, &outcome);
            check_attempts(&w, list[k]->name, &outcome);
            assert_true(outcome.makespan >=
                        cs_moldable_real_bound(w.bag, &truth, w.c.arena) * (1 - 1e-12));
            cs_moldable_simulator_run(simulator, &truth, &again);
            assert_true(again.makespan == outcome.makespan);
            cs_moldable_simulator_destroy(simulator);
        }
        destroy(&w);
    }
}

/* Tasks that would take longest are stopped at half of that. */
static void no_run_with_stops_ends_below_its_bound(void **state)
{
    int count, stopped = 0;
    const struct cs_policy *const *list = cs_moldable_variants(&count);

    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct world w = make(seed, 12, mixes[seed % 3], 0.3, 0.5);
        double *walltime = CS_NEW_ARRAY(w.c.arena, double, w.bag->tasks);
        struct cs_moldable_truth truth = {w.factor, seed % 2 ? w.failures : NULL, walltime};

        for (int i = 0; i < w.bag->tasks; i++)
            walltime[i] = i % 3 ? INFINITY : w.bag->seconds[w.bag->first[i]] * w.factor[i] / 2;
        for (int k = 0; k < count; k++) {
            struct cs_moldable_simulator *simulator = start(&w, list[k]->name, walltime);
            struct cs_moldable_outcome outcome;

            cs_moldable_simulator_run(simulator, &truth, &outcome);
            stopped += outcome.stopped;
            assert_true(outcome.makespan >=
                        cs_moldable_real_bound(w.bag, &truth, w.c.arena) * (1 - 1e-12));
            cs_moldable_simulator_destroy(simulator);
        }
        destroy(&w);
    }
    assert_true(stopped > 0);
}

static void exact_times_follow_and_order_never_exceed_the_plan(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 400; seed++) {
        struct world w = make(seed, 15, mixes[seed % 3], 0, 0);

        assert_true(carry_out(&w, "follow", false, false) <= w.plan->makespan);
        assert_true(carry_out(&w, "order", false, false) <= w.plan->makespan);
        destroy(&w);
    }
}

/* A plan that a list made is made again by the same list. */
static void exact_times_list_repeats_a_list(void **state)
{
    static const char *const planners[] = {"ludwig-tiwari", "turek-wolf-yu", "sweep"};

    (void)state;
    for (uint64_t seed = 0; seed < 150; seed++) {
        struct world w = make(seed, 15, 0, 0, 0);

        cs_moldable_plan_destroy(w.plan);
        w.plan = moldable_case_plan(&w.c, planners[seed % 3], seed);
        cs_moldable_sort_starts(w.bag, w.plan->start, w.order, w.c.arena);
        w.scene.plan = w.plan;
        assert_true(carry_out(&w, "list", false, false) == w.plan->makespan);
        destroy(&w);
    }
}

/* Deciding again looks at those who come, too. */
static void exact_times_replan_is_no_longer_than_list(void **state)
{
    int shorter = 0;

    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct world w = make(seed, 15, MOLDABLE_RELEASE, 0, 0);
        double list = carry_out(&w, "list", false, false);
        double replan = carry_out(&w, "replan", false, false);

        assert_true(replan <= list);
        shorter += replan < list;
        destroy(&w);
    }
    assert_true(shorter > 0);
}

static void without_failures_lpa_is_one_list(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct world w = make(seed, 15, mixes[seed % 3], 0, 0);
        struct cs_moldable_lister lister;
        int n = w.bag->tasks, *choice = CS_NEW_ARRAY(w.c.arena, int, n);
        double *at = CS_NEW_ARRAY(w.c.arena, double, n);

        for (int i = 0; i < n; i++)
            choice[i] = cs_moldable_lpa_choice(w.bag, i);
        cs_moldable_sort(w.bag, choice, CS_MOLDABLE_LPT, w.order, w.c.arena);
        cs_moldable_lister_init(&lister, w.bag, w.c.arena);
        assert_true(carry_out(&w, "lpa", true, true) ==
                    cs_moldable_list(&lister, choice, w.order, INFINITY, at));
        destroy(&w);
    }
}

/* Half the time of everybody's plan: whoever is longer is stopped there. */
static void a_walltime_stops_what_is_longer(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        struct world w = make(seed, 15, 0, 0.5, 0);
        double *limit = CS_NEW_ARRAY(w.c.arena, double, w.bag->tasks);
        const struct cs_moldable_truth truth = {.factor = w.factor};
        struct cs_moldable_simulator *simulator;
        struct cs_moldable_outcome outcome;
        int longer = 0;

        for (int i = 0; i < w.bag->tasks; i++) {
            limit[i] = cs_moldable_seconds(w.bag, i, w.plan->choice[i]);
            longer += w.factor[i] > 1;
        }
        simulator = start(&w, "order", limit);
        cs_moldable_simulator_run(simulator, &truth, &outcome);
        assert_int_equal(outcome.stopped, longer);
        assert_true(outcome.makespan <= w.plan->makespan);
        cs_moldable_simulator_destroy(simulator);
        destroy(&w);
    }
}

/* The mean makespan of the plan in the scenarios that robust looks at. */
static double mean_makespan(struct world *w, const char *variant, int scenarios, double sigma,
                            double qbar)
{
    const struct cs_moldable_world law = {
        .sigma = sigma,
        .qbar = qbar,
        .seed = cs_mix(7, CS_MOLDABLE_STREAM_ROBUST, 0, 0, 0),
    };
    struct cs_error err = {0};
    double mean = 0;

    cs_moldable_thrift(w->bag, w->plan, w->c.arena);
    cs_moldable_sort_plan(w->bag, w->plan, w->order, w->c.arena);
    w->scene.plan = w->plan;
    for (int s = 0; s < scenarios; s++) {
        assert_int_equal(
            cs_moldable_world_draw(w->c.instance, &law, (uint64_t)s, w->factor, w->failures, &err),
            0);
        mean += carry_out(w, variant, true, qbar > 0) / scenarios;
    }
    return mean;
}

static double note_of(const struct cs_moldable_plan *plan, const char *name)
{
    for (int a = 0; a < CS_MOLDABLE_NOTES && plan->note[a].name; a++)
        if (strcmp(plan->note[a].name, name) == 0)
            return plan->note[a].number;
    return NAN;
}

/* Nobody's mean is below that of the plan taken, which is one of them. */
static void robust_takes_the_plan_of_least_mean(void **state)
{
    static const char *const variants[] = {"order", "list", "follow", "replan"};
    static const char *const others[] = {"ludwig-tiwari", "turek-wolf-yu", "sweep",
                                         "mounie-rapine-trystram"};
    int differ = 0;

    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        const char *variant = variants[seed % 4];
        double sigma = 0.1 * (double)(seed % 5), qbar = seed % 3 ? 0 : 0.3, least = INFINITY, found;
        struct world w = make(seed, 15, mixes[seed % 3], sigma, qbar);
        struct cs_strbuf name = CS_STRBUF_INIT;
        struct cs_moldable_plan *robust;

        cs_strbuf_printf(&name, "robust:sigma=%.1f,qbar=%.1f,way=%s,scenarios=5,seeds=3,moves=50",
                         sigma, qbar, variant);
        robust = moldable_case_plan(&w.c, name.text, 7);
        cs_strbuf_release(&name);
        for (int p = 0; p < 7; p++) {
            if (p == 3 && !cs_moldable_shelves_apply(w.bag))
                continue;
            cs_moldable_plan_destroy(w.plan);
            w.plan = moldable_case_plan(&w.c, p < 4 ? others[p] : "search:moves=50",
                                        7 + (uint64_t)(p > 4 ? p - 4 : 0));
            found = mean_makespan(&w, variant, 5, sigma, qbar);
            differ += found > least;
            least = fmin(least, found);
        }
        assert_true(note_of(robust, "mean makespan") == least);
        cs_moldable_plan_destroy(w.plan);
        w.plan = robust;
        assert_true(mean_makespan(&w, variant, 5, sigma, qbar) == least);
        destroy(&w);
    }
    assert_true(differ > 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_variant_does_every_task),
        cmocka_unit_test(no_run_with_stops_ends_below_its_bound),
        cmocka_unit_test(exact_times_follow_and_order_never_exceed_the_plan),
        cmocka_unit_test(exact_times_list_repeats_a_list),
        cmocka_unit_test(exact_times_replan_is_no_longer_than_list),
        cmocka_unit_test(without_failures_lpa_is_one_list),
        cmocka_unit_test(a_walltime_stops_what_is_longer),
        cmocka_unit_test(robust_takes_the_plan_of_least_mean),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
