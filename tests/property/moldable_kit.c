/* moldable_kit.c - written to be obviously right, not fast. */
#include "property/moldable_kit.h"

#include "base/splitmix.h"
#include "model/workload.h"
#include "unit/kit.h"

#include <string.h>

static double uniform(struct cs_splitmix *random)
{
    return (double)(cs_splitmix_next(random) >> 11) * 0x1p-53;
}

static int below(struct cs_splitmix *random, int m)
{
    return (int)cs_splitmix_below(random, (uint64_t)m);
}

enum row_kind { NOISE, AMDAHL, FLAT, PARALLEL, CACHE, KINDS };

static double row_time(enum row_kind kind, double t1, double f, int j, struct cs_splitmix *random)
{
    switch (kind) {
    case NOISE:
        return t1 * (0.2 + uniform(random)) / j;
    case AMDAHL:
        return t1 * (f + (1 - f) / j);
    case FLAT:
        return t1;
    case PARALLEL:
        return t1 / j;
    default:
        return t1 / j * (j > 2 ? 0.7 : 1);
    }
}

static struct cs_profile draw_profile(int procs, int flavours, struct cs_splitmix *random,
                                      struct cs_arena *arena)
{
    enum row_kind kind = (enum row_kind)below(random, KINDS);
    double t1 = 1 + 30 * uniform(random), f = uniform(random), *seconds;
    int *count = CS_NEW_ARRAY(arena, int, procs), counts = 0;

    seconds = CS_NEW_ARRAY(arena, double, procs);
    for (int j = 1; j <= procs; j++) {
        double t = row_time(kind, t1, f, j, random);

        if (below(random, 3) == 0 && !(j == procs && counts == 0) &&
            !(j == 1 && (flavours & MOLDABLE_NARROW)))
            continue;
        count[counts] = j;
        seconds[counts++] = flavours & MOLDABLE_WHOLE ? ceil(t) : t;
    }
    return (struct cs_profile){
        .kind = CS_PROFILE_POINTS,
        .fill = CS_FILL_STEP,
        .count = counts,
        .procs = count,
        .seconds = seconds,
    };
}

struct moldable_case moldable_case_create(uint64_t seed, int max_tasks, int max_procs, int flavours)
{
    struct cs_splitmix random = {seed};
    struct moldable_case c = {.arena = cs_arena_create()};
    int n = 1 + below(&random, max_tasks), p = 1 + below(&random, max_procs);
    struct cs_profile *profile = CS_NEW_ARRAY(c.arena, struct cs_profile, n);
    struct cs_task_limit *limit = CS_NEW_ARRAY(c.arena, struct cs_task_limit, n);
    const struct cs_moldable_options options = {.contiguous = flavours & MOLDABLE_CONTIGUOUS};
    struct cs_error err = {0};

    for (int i = 0; i < n; i++) {
        profile[i] = draw_profile(p, flavours, &random, c.arena);
        if (i > 0 && below(&random, 5) == 0)
            profile[i] = profile[i - 1];
        if ((flavours & MOLDABLE_RELEASE) && below(&random, 2))
            limit[i].release = floor(30 * uniform(&random));
    }
    c.workload = cs_workload_create(n, NULL, profile, NULL);
    cs_workload_set_limits(c.workload, limit);
    c.instance = cs_moldable_instance_create(c.workload, p, &options, &err);
    if (!c.instance)
        fail_msg("%s", err.text);
    return c;
}

void moldable_case_destroy(struct moldable_case *c)
{
    cs_moldable_instance_destroy(c->instance);
    cs_workload_destroy(c->workload);
    cs_arena_destroy(c->arena);
}

struct cs_moldable_plan *moldable_case_plan(const struct moldable_case *c, const char *policy,
                                            uint64_t seed)
{
    struct cs_moldable_plan *plan = cs_moldable_plan_create(c->instance->bag.tasks);
    struct cs_moldable_request request = {.seed = seed};
    struct cs_error err = {0};
    int count;
    const struct cs_policy *const *list = cs_moldable_policies(&count);

    if (cs_policy_parse(policy, list, count, &request.call, &err) ||
        cs_moldable_plan_make(c->instance, &request, plan, &err))
        fail_msg("%s: %s", policy, err.text);
    return plan;
}

/* Processors in use at the instant. */
static int used_at(const struct cs_moldable_plan *plan, double instant)
{
    int used = 0;

    for (int i = 0; i < plan->tasks; i++)
        if (plan->start[i] <= instant && instant < plan->end[i])
            used += plan->procs[i];
    return used;
}

/* Does the task share a processor with another one, or have one that is not there? */
static bool is_misplaced(const struct cs_moldable_plan *plan, int procs, int i)
{
    if (plan->first[i] < 0 || plan->first[i] + plan->procs[i] > procs)
        return true;
    for (int j = 0; j < plan->tasks; j++)
        if (j != i && plan->start[i] < plan->end[j] && plan->start[j] < plan->end[i] &&
            plan->first[i] < plan->first[j] + plan->procs[j] &&
            plan->first[j] < plan->first[i] + plan->procs[i])
            return true;
    return false;
}

const char *moldable_plan_fault(const struct cs_moldable_instance *in,
                                const struct cs_moldable_plan *plan)
{
    double last = 0;

    for (int i = 0; i < plan->tasks; i++) {
        struct cs_moldable_candidate candidate;

        if (plan->choice[i] < 0 || plan->choice[i] >= cs_moldable_instance_candidates(in, i))
            return "a candidate is out of range";
        candidate = cs_moldable_instance_candidate(in, i, plan->choice[i]);
        if (plan->procs[i] != candidate.procs)
            return "a count is not that of its candidate";
        if (plan->end[i] != plan->start[i] + candidate.seconds)
            return "an end is not start + seconds";
        if (!(plan->start[i] >= cs_moldable_release(&in->bag, i)))
            return "a task starts before its release";
        if (used_at(plan, plan->start[i]) > in->bag.procs)
            return "more processors are used than there are";
        if (in->bag.contiguous && is_misplaced(plan, in->bag.procs, i))
            return "a block is not free";
        last = fmax(last, plan->end[i]);
    }
    return last == plan->makespan ? NULL : "the makespan is not the latest end";
}

/* Do the processors suffice, the tasks order[0 .. placed - 1] being there? */
static bool fits(const struct cs_moldable_bag *bag, const int *choice, const int *order, int placed,
                 const double *start, double from, double to, int procs)
{
    for (int a = -1; a < placed; a++) {
        double instant = a < 0 ? from : start[order[a]];
        int used = procs;

        if (instant < from || instant >= to)
            continue;
        for (int b = 0; b < placed; b++) {
            int i = order[b];

            if (start[i] <= instant && instant < start[i] + cs_moldable_seconds(bag, i, choice[i]))
                used += cs_moldable_width(bag, i, choice[i]);
        }
        if (used > bag->procs)
            return false;
    }
    return true;
}

double moldable_earliest_slowly(const struct cs_moldable_bag *bag, const int *choice,
                                const int *order, double *start)
{
    double makespan = 0;

    for (int p = 0; p < bag->tasks; p++) {
        int task = order[p], procs = cs_moldable_width(bag, task, choice[task]);
        double seconds = cs_moldable_seconds(bag, task, choice[task]), best = INFINITY;
        double release = cs_moldable_release(bag, task);

        for (int a = -1; a < p; a++) {
            double s = release;

            if (a >= 0)
                s = start[order[a]] + cs_moldable_seconds(bag, order[a], choice[order[a]]);
            if (s >= release && s < best &&
                fits(bag, choice, order, p, start, s, s + seconds, procs))
                best = s;
        }
        start[task] = best;
        makespan = fmax(makespan, best + seconds);
    }
    return makespan;
}

struct brute {
    const struct cs_moldable_bag *bag;
    int *choice, *order;
    double best;
};

static void try_orders(struct brute *b, int placed)
{
    double start[8];

    if (placed == b->bag->tasks) {
        b->best = fmin(b->best, moldable_earliest_slowly(b->bag, b->choice, b->order, start));
        return;
    }
    for (int k = placed; k < b->bag->tasks; k++) {
        int task = b->order[k];

        b->order[k] = b->order[placed];
        b->order[placed] = task;
        try_orders(b, placed + 1);
        b->order[placed] = b->order[k];
        b->order[k] = task;
    }
}

static void try_counts(struct brute *b, int task)
{
    if (task == b->bag->tasks) {
        try_orders(b, 0);
        return;
    }
    for (int x = 0; x < cs_moldable_candidates(b->bag, task); x++) {
        b->choice[task] = x;
        try_counts(b, task + 1);
    }
}

double moldable_brute_force(const struct cs_moldable_bag *bag)
{
    struct cs_arena *arena = cs_arena_create();
    struct brute b = {.bag = bag, .best = INFINITY};

    assert_true(bag->tasks <= 8);
    b.choice = CS_NEW_ARRAY(arena, int, bag->tasks);
    b.order = CS_NEW_ARRAY(arena, int, bag->tasks);
    for (int i = 0; i < bag->tasks; i++)
        b.order[i] = i;
    try_counts(&b, 0);
    cs_arena_destroy(arena);
    return b.best;
}
