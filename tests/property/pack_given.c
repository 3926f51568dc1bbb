/* pack_given: packs on times as given: holes, super-linear rows, limits; no false proof, no time
 * that contradicts a measurement. */
#include "config.h"

#include "base/splitmix.h"
#include "check/bound.h"
#include "check/check.h"
#include "check/known_time.h"
#include "model/workload.h"
#include "problems/pack/problem.h"
#include "property/pack_kit.h"
#include "unit/kit.h"

#include <math.h>
#include <string.h>

#define CASES 3000

static int below(struct cs_splitmix *random, int m)
{
    return (int)cs_splitmix_below(random, (uint64_t)m);
}

/* Whole times with holes: they rise and fall as they like, and many are equal. */
static void draw_table(struct cs_profile *profile, int procs, struct cs_splitmix *random,
                       struct cs_arena *arena)
{
    int count = 1 + below(random, procs + 2), wild = below(random, 2), sure;
    double *seconds = CS_NEW_ARRAY(arena, double, count);

    for (int j = 1; j <= count; j++) {
        double hole = below(random, 3), time = below(random, 40);

        seconds[j - 1] = hole == 0 ? INFINITY : wild ? 1 + time : ceil((60 + time / 2) / j);
    }
    sure = below(random, count < procs ? count : procs);
    seconds[sure] = 1 + below(random, 60);
    *profile = (struct cs_profile){.kind = CS_PROFILE_TABLE, .count = count, .seconds = seconds};
}

static void draw_points(struct cs_profile *profile, int procs, struct cs_splitmix *random,
                        struct cs_arena *arena)
{
    int *at = CS_NEW_ARRAY(arena, int, 3), from = 1 + below(random, procs), fill, fewer;
    double *seconds = CS_NEW_ARRAY(arena, double, 3);

    for (int a = 0; a < 3; a++) {
        at[a] = from;
        seconds[a] = 1 + below(random, 90) / (double)from;
        from += 1 + below(random, 3);
    }
    fill = below(random, 2);
    fewer = below(random, 4);
    *profile = (struct cs_profile){.kind = CS_PROFILE_POINTS,
                                   .fill = fill ? CS_FILL_POWER : CS_FILL_STEP,
                                   .fewer = fewer ? CS_FEWER_REFUSE : CS_FEWER_SCALE,
                                   .count = 1 + below(random, 3),
                                   .procs = at,
                                   .seconds = seconds};
}

static void draw_profile(struct cs_profile *profile, int procs, struct cs_splitmix *random,
                         struct cs_arena *arena)
{
    int kind = below(random, 6), time = below(random, 50), share = below(random, 5);
    int overhead = below(random, 3);

    if (kind == 0)
        *profile = (struct cs_profile){.kind = CS_PROFILE_OVERHEAD,
                                       .seq_time = 1 + time,
                                       .seq_fraction = share / 10.0,
                                       .overhead = overhead / 5.0};
    else
        (kind < 3 ? draw_points : draw_table)(profile, procs, random, arena);
}

/* Random limits that forbid something now and then. */
static void draw_limits(struct cs_workload *workload, int procs, struct cs_splitmix *random,
                        struct cs_arena *arena)
{
    struct cs_task_limit *limit = CS_NEW_ARRAY(arena, struct cs_task_limit, workload->count);

    for (int i = 0; i < workload->count; i++) {
        if (below(random, 3) == 0)
            limit[i].max_procs = 1 + below(random, procs);
        if (below(random, 4) == 0)
            limit[i].multiple = 1 + below(random, 2);
        if (below(random, 4) == 0)
            limit[i].walltime = 10 + below(random, 60);
    }
    cs_workload_set_limits(workload, limit);
}

/* NULL instance: some task cannot run, which is a case like any other. */
static struct pack_case draw(uint64_t seed, int max_tasks, int max_procs)
{
    struct cs_splitmix random = {seed};
    struct pack_case c = {.arena = cs_arena_create()};
    int n = 1 + below(&random, max_tasks), p = 1 + below(&random, max_procs);
    struct cs_profile *profile = CS_NEW_ARRAY(c.arena, struct cs_profile, n);
    struct cs_error err = {0};

    for (int i = 0; i < n; i++)
        draw_profile(&profile[i], p, &random, c.arena);
    c.workload = cs_workload_create(n, NULL, profile, NULL);
    if (below(&random, 3) == 0)
        draw_limits(c.workload, p, &random, c.arena);
    c.instance =
        cs_pack_instance_create_measured(c.workload, p, 1 + below(&random, p + 1), 1, &err);
    if (!c.instance)
        assert_non_null(strstr(err.text, "task "));
    return c;
}

static void rows_are_steps_over_allowed_counts(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < CASES; seed++) {
        struct pack_case c = draw(seed, 4, 12);

        for (int i = 0; c.instance && i < c.workload->count; i++)
            for (int j = 1; j <= cs_pack_instance_procs(c.instance); j++) {
                double time = cs_pack_instance_time(c.instance, i, j);

                assert_true(time == cs_check_measured_time(c.workload, i, j));
                if (isfinite(time))
                    assert_true(cs_check_known_time(&c.workload->profile[i],
                                                    cs_pack_instance_launched(c.instance, i, j)) ==
                                time);
            }
        pack_case_destroy(&c);
    }
}

static void judge(const struct pack_case *c, struct cs_pack_plan *plan, double bound,
                  const char *who)
{
    const struct cs_pack_declared *said = cs_pack_declare(c->instance, plan, bound, c->arena);
    struct cs_schedule *schedule = cs_pack_schedule(c->instance, plan, CS_PACK_ORDER_CREATION);
    struct cs_check_report *report = cs_check_report_create(5);

    cs_check_pack(schedule, c->workload, c->instance->pack_size, said, report);
    if (report->total)
        fail_msg("%s: %s", who, report->item[0].text);
    cs_check_report_destroy(report);
    cs_schedule_destroy(schedule);
}

/* One policy: valid, not below the optimum, and proven only when it is. */
static void try(const struct pack_case *c, const char *policy, double optimum, bool exact)
{
    struct cs_pack_plan *plan = pack_case_plan(c, policy, 1);

    if (!(plan->total >= optimum * (1 - 1e-12)) || !(plan->bound <= optimum * (1 + 1e-12)))
        fail_msg("%s: costs %.17g, bound %.17g, optimum %.17g", policy, plan->total, plan->bound,
                 optimum);
    if ((exact || plan->optimal) && !(plan->total <= optimum * (1 + 1e-12)))
        fail_msg("%s: proves %.17g, optimum %.17g", policy, plan->total, optimum);
    judge(c, plan, plan->bound, policy);
    cs_pack_plan_trim(c->instance, plan);
    judge(c, plan, plan->bound, policy);
    cs_pack_plan_destroy(plan);
}

static void every_policy_is_valid_and_no_proof_is_false(void **state)
{
    static const char *const policies[] = {"one-by-one",  "pack-approx",  "pack-by-pack",
                                           "contiguous",  "local-search", "pair-search:kicks=2",
                                           "random-pack", "random-proc",  "pack-approx:states=two"};

    (void)state;
    for (uint64_t seed = 0; seed < CASES; seed++) {
        struct pack_case c = draw(seed, 5, 8);
        struct cs_pack_bounds bounds;
        double optimum;

        if (c.instance) {
            optimum = cs_check_bound_pack(c.workload, cs_pack_instance_procs(c.instance),
                                          c.instance->pack_size, true);
            cs_pack_bounds_compute(c.instance, &bounds);
            assert_true(bounds.best <= optimum);
            try(&c, policies[seed % (sizeof policies / sizeof *policies)], optimum, false);
            try(&c, "exact:method=subset", optimum, true);
#if CS_HAVE_CBC
            if (seed % 10 == 0)
                try(&c, "exact:method=branch", optimum, false);
#endif
        }
        pack_case_destroy(&c);
    }
}

static void efforts_prove_nothing_false(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < CASES / 10; seed++) {
        struct pack_case c = draw(seed + 1000000, 6, 10);
        struct cs_pack_request request = {.seed = 1};
        struct cs_pack_plan *plan = cs_pack_plan_create(c.workload->count);
        struct cs_error err;
        double optimum;

        if (c.instance) {
            optimum = cs_check_bound_pack(c.workload, cs_pack_instance_procs(c.instance),
                                          c.instance->pack_size, true);
            assert_int_equal(
                cs_pack_effort_plan(c.instance, CS_PACK_EFFORT_DEFAULT, &request, plan, &err), 0);
            assert_true(plan->optimal && fabs(plan->total - optimum) <= 1e-12 * optimum);
        }
        cs_pack_plan_destroy(plan);
        pack_case_destroy(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_steps_over_allowed_counts),
        cmocka_unit_test(every_policy_is_valid_and_no_proof_is_false),
        cmocka_unit_test(efforts_prove_nothing_false),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
