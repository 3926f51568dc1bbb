/* moldable_counts: random tables and measurements with holes, fills and limits: a plan launches
 * tasks on allowed counts only, and a time called measured stands in the input. */
#include "property/moldable_kit.h"

#include "base/splitmix.h"
#include "model/profile.h"
#include "model/workload.h"
#include "unit/kit.h"

#include <string.h>

#define PROCS_MOST 12

struct draw {
    struct cs_splitmix random;
    struct cs_arena *arena;
};

static int below(struct draw *d, int m)
{
    return (int)cs_splitmix_below(&d->random, (uint64_t)m);
}

/* Falling, flat and rising in turns. */
static double time_on(struct draw *d, int j)
{
    double most = 1 + below(d, 60);

    return below(d, 3) ? 1 + most / j : 1 + most;
}

static struct cs_profile draw_table(struct draw *d)
{
    int count = 1 + below(d, PROCS_MOST);
    double *seconds = CS_NEW_ARRAY(d->arena, double, count);

    for (int j = 1; j <= count; j++)
        seconds[j - 1] = below(d, 3) == 0 ? INFINITY : time_on(d, j);
    seconds[below(d, count)] = 7;
    return (struct cs_profile){.kind = CS_PROFILE_TABLE, .count = count, .seconds = seconds};
}

static struct cs_profile draw_points(struct draw *d)
{
    int *procs = CS_NEW_ARRAY(d->arena, int, PROCS_MOST), count = 0;
    double *seconds = CS_NEW_ARRAY(d->arena, double, PROCS_MOST);
    bool powers = below(d, 2), scales = below(d, 3) == 0;

    for (int j = 1; j <= PROCS_MOST; j++)
        if (below(d, 3) == 0 || (j == PROCS_MOST && count == 0)) {
            procs[count] = j;
            seconds[count++] = time_on(d, j);
        }
    return (struct cs_profile){.kind = CS_PROFILE_POINTS,
                               .fill = powers ? CS_FILL_POWER : CS_FILL_STEP,
                               .fewer = scales ? CS_FEWER_SCALE : CS_FEWER_REFUSE,
                               .count = count,
                               .procs = procs,
                               .seconds = seconds};
}

static struct cs_task_limit draw_limit(struct draw *d)
{
    struct cs_task_limit limit = {0};
    int *count = CS_NEW_ARRAY(d->arena, int, 4);

    switch (below(d, 6)) {
    case 0:
        limit.min_procs = 1 + below(d, 4);
        limit.max_procs = limit.min_procs + below(d, 8);
        break;
    case 1:
        limit.powers_of_two = true;
        break;
    case 2:
        limit.multiple = 1 + below(d, 3);
        break;
    case 3:
        for (int k = 0; k < 4; k++)
            count[k] = 1 + below(d, PROCS_MOST);
        limit.counts = 4;
        limit.count = count;
        break;
    case 4:
        limit.walltime = 5 + below(d, 40);
        break;
    default:
        break;
    }
    return limit;
}

/* The time in the input, if the count has one: +inf. */
static double supplied(const struct cs_profile *p, int j)
{
    if (p->kind == CS_PROFILE_TABLE)
        return j <= p->count ? p->seconds[j - 1] : INFINITY;
    for (int a = 0; a < p->count; a++)
        if (p->procs[a] == j)
            return p->seconds[a];
    return INFINITY;
}

static bool in_list(const struct cs_task_limit *limit, int j)
{
    for (int k = 0; k < limit->counts; k++)
        if (limit->count[k] == j)
            return true;
    return limit->counts == 0;
}

/* The time on an allowed count, as spec/moldable.md 2.2 has it; else +inf. */
static double allowed(const struct cs_profile *p, const struct cs_task_limit *l, double margin,
                      int j)
{
    double seconds = supplied(p, j);

    if (p->kind == CS_PROFILE_POINTS && isinf(seconds)) {
        bool inside = j > p->procs[0] && j < p->procs[p->count - 1];

        if (inside ? p->fill == CS_FILL_POWER : j < p->procs[0] && p->fewer == CS_FEWER_SCALE)
            seconds = cs_profile_time(p, j);
    }
    if (j < l->min_procs || (l->max_procs && j > l->max_procs) ||
        (l->powers_of_two && j != 1 && j != 2 && j != 4 && j != 8) ||
        (l->multiple && j % l->multiple) || !in_list(l, j) ||
        (l->walltime > 0 && margin * seconds > l->walltime))
        return INFINITY;
    return seconds;
}

/* Every allowed count has a candidate that is no wider and no slower, so that any plan on allowed
 * counts is one on candidates that is no longer. */
static void check_candidates(const struct cs_moldable_instance *in, int task, double margin)
{
    const struct cs_profile *profile = &in->workload->profile[task];
    const struct cs_task_limit *limit = &in->workload->limit[task];
    int procs = in->bag.procs;

    for (int j = 1; j <= procs; j++) {
        double seconds = allowed(profile, limit, margin, j);
        int x = cs_moldable_within(&in->bag, task, j);

        if (isfinite(seconds))
            assert_true(x >= 0 && cs_moldable_seconds(&in->bag, task, x) <= seconds);
    }
    for (int x = 0; x < cs_moldable_instance_candidates(in, task); x++) {
        struct cs_moldable_candidate c = cs_moldable_instance_candidate(in, task, x);

        assert_true(c.procs <= procs && c.seconds == allowed(profile, limit, margin, c.procs));
        assert_int_equal(c.origin == CS_ORIGIN_MEASURED, isfinite(supplied(profile, c.procs)));
        assert_true(x == 0 || c.seconds < cs_moldable_seconds(&in->bag, task, x - 1));
    }
}

static void check_plan(const struct moldable_case *c, const char *planner, double margin)
{
    struct cs_moldable_plan *plan = moldable_case_plan(c, planner, 1);
    const char *fault = moldable_plan_fault(c->instance, plan);

    if (fault)
        fail_msg("%s: %s", planner, fault);
    for (int i = 0; i < plan->tasks; i++) {
        double seconds =
            allowed(&c->workload->profile[i], &c->workload->limit[i], margin, plan->procs[i]);

        if (!(isfinite(seconds) && plan->end[i] == plan->start[i] + seconds))
            fail_msg("%s: task %d on %d processors", planner, i, plan->procs[i]);
    }
    cs_moldable_plan_destroy(plan);
}

/* False when some task has no allowed count, which must be so. */
static bool make(struct moldable_case *c, struct draw *d, double margin)
{
    const struct cs_moldable_options options = {.margin = margin};
    int n = 1 + below(d, 6), procs = 1 + below(d, PROCS_MOST);
    struct cs_profile *profile = CS_NEW_ARRAY(d->arena, struct cs_profile, n);
    struct cs_task_limit *limit = CS_NEW_ARRAY(d->arena, struct cs_task_limit, n);
    bool runs = true;

    for (int i = 0; i < n; i++) {
        bool any = false;

        profile[i] = below(d, 2) ? draw_table(d) : draw_points(d);
        limit[i] = draw_limit(d);
        for (int j = 1; j <= procs; j++)
            any |= isfinite(allowed(&profile[i], &limit[i], margin, j));
        runs &= any;
    }
    c->workload = cs_workload_create(n, NULL, profile, NULL);
    cs_workload_set_limits(c->workload, limit);
    c->instance = cs_moldable_instance_create(c->workload, procs, &options, NULL);
    assert_int_equal(c->instance != NULL, runs);
    return runs;
}

static void plans_keep_to_what_is_allowed(void **state)
{
    static const char *const planners[] = {"turek-wolf-yu",    "sweep", "mounie-rapine-trystram",
                                           "search:moves=300", "packs", "list:allotment=gamma"};
    int planned = 0;

    (void)state;
    for (uint64_t seed = 0; seed < KIT_ROUNDS(4000); seed++) {
        struct moldable_case c = {.arena = cs_arena_create()};
        struct draw d = {{seed}, c.arena};
        double margin = seed % 3 ? 1 : 1.25;

        if (make(&c, &d, margin)) {
            for (int i = 0; i < c.workload->count; i++)
                check_candidates(c.instance, i, margin);
            check_plan(&c, planners[seed % 6], margin);
            planned++;
        }
        moldable_case_destroy(&c);
    }
    assert_true(planned > KIT_ROUNDS(4000) / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_keep_to_what_is_allowed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
