/* moldable_change: what a change of a bag may do to its plans and bounds, and what rigid jobs say
 * of tasks that have one count. */
#include "property/moldable_kit.h"

#include "model/workload.h"
#include "problems/moldable/bound.h"
#include "problems/rigid/study.h"
#include "sched/priority.h"
#include "unit/kit.h"

#include <string.h>

/* Another bag: times scaled, more processors, one more count for one task. */
struct change {
    double factor;
    int more_procs;
    int task, procs; /* of the new count; procs 0: none */
    double seconds;
};

static struct cs_profile changed_profile(const struct cs_profile *old, struct change change,
                                         bool grows, struct cs_arena *arena)
{
    int *procs = CS_NEW_ARRAY(arena, int, old->count + 1), count = 0;
    double *seconds = CS_NEW_ARRAY(arena, double, old->count + 1);
    struct cs_profile profile = *old;

    for (int a = 0; a <= old->count; a++) {
        if (grows && (a == old->count || old->procs[a] > change.procs)) {
            procs[count] = change.procs;
            seconds[count++] = change.seconds;
            grows = false;
        }
        if (a == old->count)
            break;
        procs[count] = old->procs[a];
        seconds[count++] = old->seconds[a] * change.factor;
    }
    profile.count = count;
    profile.procs = procs;
    profile.seconds = seconds;
    return profile;
}

static struct moldable_case changed(const struct moldable_case *old, struct change change)
{
    struct moldable_case c = {.arena = cs_arena_create()};
    const struct cs_workload *from = old->workload;
    struct cs_profile *profile = CS_NEW_ARRAY(c.arena, struct cs_profile, from->count);
    struct cs_task_limit *limit = CS_NEW_ARRAY(c.arena, struct cs_task_limit, from->count);
    struct cs_error err = {0};

    for (int i = 0; i < from->count; i++) {
        profile[i] =
            changed_profile(&from->profile[i], change, change.procs && i == change.task, c.arena);
        limit[i].release = from->limit[i].release * change.factor;
    }
    c.workload = cs_workload_create(from->count, NULL, profile, NULL);
    cs_workload_set_limits(c.workload, limit);
    c.instance = cs_moldable_instance_create(
        c.workload, old->instance->bag.procs + change.more_procs, NULL, &err);
    if (!c.instance)
        fail_msg("%s", err.text);
    return c;
}

/* By a power of two, which rounds nothing. */
static void longer_times_scale_every_start(void **state)
{
    static const char *const planners[] = {"list:decoder=earliest",
                                           "ludwig-tiwari",
                                           "turek-wolf-yu",
                                           "sweep",
                                           "mounie-rapine-trystram",
                                           "search:moves=500",
                                           "exact:nodes=500,moves=0,conflicts=50"};

    (void)state;
    for (uint64_t seed = 0; seed < KIT_ROUNDS(160); seed++) {
        double factor = seed % 2 ? 0x1p-7 : 0x1p9;
        struct moldable_case c =
            moldable_case_create(seed, 12, 12, seed % 4 ? 0 : MOLDABLE_RELEASE);
        struct moldable_case d = changed(&c, (struct change){.factor = factor});

        for (size_t p = 0; p < sizeof planners / sizeof *planners; p++) {
            struct cs_moldable_plan *one, *other;

            if (c.instance->bag.release && strncmp(planners[p], "mounie", 6) == 0)
                continue;
            one = moldable_case_plan(&c, planners[p], seed);
            other = moldable_case_plan(&d, planners[p], seed);
            for (int i = 0; i < one->tasks; i++)
                if (other->start[i] != factor * one->start[i] || other->procs[i] != one->procs[i])
                    fail_msg("%s, seed %d, task %d", planners[p], (int)seed, i);
            cs_moldable_plan_destroy(one);
            cs_moldable_plan_destroy(other);
        }
        moldable_case_destroy(&d);
        moldable_case_destroy(&c);
    }
}

/* A count on which the task was not measured; 0 when there is none. */
static int new_count(const struct cs_profile *profile, int procs, uint64_t seed)
{
    for (int k = 0; k < procs; k++) {
        int count = 1 + (int)((seed + (uint64_t)k) % (uint64_t)procs);
        bool measured = false;

        for (int a = 0; a < profile->count; a++)
            measured |= profile->procs[a] == count;
        if (!measured)
            return count;
    }
    return 0;
}

static void assert_not_above(const struct moldable_case *changed, const struct moldable_case *old)
{
    struct cs_moldable_bounds now, before;

    cs_moldable_bounds_compute(changed->instance, &now);
    cs_moldable_bounds_compute(old->instance, &before);
    assert_true(now.critical <= before.critical * (1 + 1e-12));
    assert_true(now.area <= before.area * (1 + 1e-12));
    assert_true(now.knapsack <= before.knapsack * (1 + 1e-12));
    assert_true(now.width <= before.width * (1 + 1e-12));
}

static double optimum(const struct moldable_case *c)
{
    struct cs_moldable_plan *plan = moldable_case_plan(c, "exact:moves=200", 1);
    double makespan = plan->makespan;

    assert_true(plan->optimal);
    cs_moldable_plan_destroy(plan);
    return makespan;
}

static void one_more_count_makes_nothing_longer(void **state)
{
    int grown = 0;

    (void)state;
    for (uint64_t seed = 0; seed < KIT_ROUNDS(160); seed++) {
        struct moldable_case c = moldable_case_create(seed, 5, 8, seed % 3 ? 0 : MOLDABLE_RELEASE);
        struct change change = {.factor = 1, .seconds = 1 + (double)(seed * 7 % 23)};
        struct moldable_case d;

        change.task = (int)(seed % (uint64_t)c.workload->count);
        change.procs = new_count(&c.workload->profile[change.task], c.instance->bag.procs, seed);
        d = changed(&c, change);
        assert_not_above(&d, &c);
        assert_true(optimum(&d) <= optimum(&c) * (1 + 1e-12));
        grown += change.procs > 0;
        moldable_case_destroy(&d);
        moldable_case_destroy(&c);
    }
    assert_true(grown > 0);
}

static void one_more_processor_makes_no_optimum_longer(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < KIT_ROUNDS(160); seed++) {
        struct moldable_case c = moldable_case_create(seed, 5, 7, seed % 3 ? 0 : MOLDABLE_RELEASE);
        struct moldable_case d = changed(&c, (struct change){.factor = 1, .more_procs = 1});

        assert_true(optimum(&d) <= optimum(&c) * (1 + 1e-12));
        moldable_case_destroy(&d);
        moldable_case_destroy(&c);
    }
}

/* ---- one count for each task: jobs of the rigid problem ---- */

static struct moldable_case with_one_count(const struct moldable_case *old)
{
    struct moldable_case c = {.arena = cs_arena_create()};
    const struct cs_workload *from = old->workload;
    struct cs_profile *profile = CS_NEW_ARRAY(c.arena, struct cs_profile, from->count);

    for (int i = 0; i < from->count; i++) {
        int a = i % from->profile[i].count;

        profile[i] = from->profile[i];
        profile[i].count = 1;
        profile[i].procs = from->profile[i].procs + a;
        profile[i].seconds = from->profile[i].seconds + a;
    }
    c.workload = cs_workload_create(from->count, NULL, profile, NULL);
    c.instance = cs_moldable_instance_create(c.workload, old->instance->bag.procs, NULL, NULL);
    assert_non_null(c.instance);
    return c;
}

struct starts {
    double at[64];
};

static void watch(void *who, int job, double start, double end)
{
    ((struct starts *)who)->at[job] = start;
    (void)end;
}

/* The same jobs in the rigid problem, greedily: the makespan, and starts in the order of jobs. */
static double run_rigid(const struct cs_moldable_bag *bag, const char *priority,
                        struct starts *starts, struct cs_arena *arena)
{
    const struct cs_sched_jobs jobs = {
        .count = bag->tasks, .machine = bag->procs, .seconds = bag->seconds, .procs = bag->count};
    const struct cs_sched_draw draw = {.seed = 1};
    const struct cs_sched_instance *in =
        cs_sched_priority_instance(cs_sched_priority_find(priority, NULL), &jobs, &draw, arena);
    int64_t *failures = CS_NEW_ARRAY(arena, int64_t, bag->tasks);
    struct cs_policy_call call;
    struct cs_error err = {0};
    const struct cs_sched_policy *policy = cs_sched_policy_parse("r-list-0", &call, &err);

    assert_non_null(policy);
    return cs_rigid_simulation_run(cs_rigid_simulation_create(in, policy, call.param, arena, &err),
                                   failures, watch, starts);
}

static void tasks_with_one_count_are_rigid_jobs(void **state)
{
    static const char *const order[][2] = {
        {"list:order=lpt", "lpt"}, {"list:order=area", "la"}, {"list:order=wide", "hpa"}};

    (void)state;
    for (uint64_t seed = 0; seed < 600; seed++) {
        struct moldable_case all = moldable_case_create(seed, 40, 16, 0), c = with_one_count(&all);
        const char *const *kind = order[seed % 3];
        struct cs_moldable_plan *plan = moldable_case_plan(&c, kind[0], 1);
        struct starts starts;

        assert_true(run_rigid(&c.instance->bag, kind[1], &starts, c.arena) == plan->makespan);
        for (int i = 0; i < plan->tasks; i++)
            if (starts.at[i] != plan->start[i])
                fail_msg("%s, seed %d: task %d starts at %.17g, its job at %.17g", kind[0],
                         (int)seed, i, plan->start[i], starts.at[i]);
        cs_moldable_plan_destroy(plan);
        moldable_case_destroy(&c);
        moldable_case_destroy(&all);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(longer_times_scale_every_start),
        cmocka_unit_test(one_more_count_makes_nothing_longer),
        cmocka_unit_test(one_more_processor_makes_no_optimum_longer),
        cmocka_unit_test(tasks_with_one_count_are_rigid_jobs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
