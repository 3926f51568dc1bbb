/* pack_kit.c - written to be obviously right, not fast. */
#include "property/pack_kit.h"

#include "base/splitmix.h"
#include "unit/kit.h"

#include <math.h>
#include <string.h>

static double uniform(struct cs_splitmix *random)
{
    return (double)(cs_splitmix_next(random) >> 11) * 0x1p-53;
}

static int below(struct cs_splitmix *random, int m)
{
    return (int)cs_splitmix_below(random, (uint64_t)m);
}

enum row_kind { NOISE, AMDAHL, FLAT, PARALLEL, STEPS, KINDS };

static double row_time(enum row_kind kind, double t1, double f, int j, struct cs_splitmix *random)
{
    switch (kind) {
    case NOISE:
        return t1 * (0.2 + uniform(random)) / j;
    case AMDAHL:
        return t1 * (f + (1 - f) / j);
    case FLAT:
        return floor(t1) + 1;
    case PARALLEL:
        return (floor(t1) + 1) / j;
    default:
        return ceil((floor(t1) + 1) / ((j + 1) / 2));
    }
}

static void fill_row(double *row, int procs, struct cs_splitmix *random)
{
    enum row_kind kind = (enum row_kind)below(random, KINDS);
    double t1 = 1 + 99 * uniform(random), f = uniform(random);
    int least = below(random, 4) ? 1 : 1 + below(random, procs);

    for (int j = 1; j <= procs; j++) {
        row[j - 1] = row_time(kind, t1, f, j, random);
        if (j < least)
            row[j - 1] = INFINITY;
    }
}

struct pack_case pack_case_create(uint64_t seed, int max_tasks, int max_procs)
{
    struct cs_splitmix random = {seed};
    struct pack_case c = {.arena = cs_arena_create()};
    int n = 1 + below(&random, max_tasks), p = 1 + below(&random, max_procs);
    struct cs_profile *profile = CS_NEW_ARRAY(c.arena, struct cs_profile, n);
    struct cs_error err = {0};

    for (int i = 0; i < n; i++) {
        double *row = CS_NEW_ARRAY(c.arena, double, p);

        fill_row(row, p, &random);
        if (i > 0 && below(&random, 5) == 0)
            memcpy(row, profile[i - 1].seconds, (size_t)p * sizeof *row);
        profile[i] = (struct cs_profile){.kind = CS_PROFILE_TABLE, .count = p, .seconds = row};
    }
    c.workload = cs_workload_create(n, NULL, profile, NULL);
    c.instance = cs_pack_instance_create(c.workload, p, 1 + below(&random, p + 1), &err);
    if (!c.instance)
        fail_msg("%s", err.text);
    return c;
}

void pack_case_destroy(struct pack_case *c)
{
    cs_pack_instance_destroy(c->instance);
    cs_workload_destroy(c->workload);
    cs_arena_destroy(c->arena);
}

struct cs_pack_plan *pack_case_plan(const struct pack_case *c, const char *policy, uint64_t seed)
{
    struct cs_pack_plan *plan = cs_pack_plan_create(c->instance->tasks->count);
    struct cs_pack_request request = {.seed = seed};
    struct cs_error err = {0};
    int count;
    const struct cs_policy *const *list = cs_pack_policies(&count);

    if (cs_policy_parse(policy, list, count, &request.call, &err) ||
        cs_pack_plan_make(c->instance, &request, plan, &err))
        fail_msg("%s: %s", policy, err.text);
    return plan;
}

static const char *pack_fault(const struct cs_pack_instance *in, const struct cs_pack_plan *plan,
                              int b, int *seen)
{
    int size = plan->first[b + 1] - plan->first[b], used = 0;
    double cost = 0;

    if (size < 1 || size > in->pack_size)
        return "a pack is empty or has too many tasks";
    for (int a = plan->first[b]; a < plan->first[b + 1]; a++) {
        int i = plan->task[a], procs = plan->procs[a];

        if (i < 0 || i >= in->tasks->count || seen[i]++)
            return "a task is out of range or planned twice";
        if (procs < in->tasks->min_procs[i] || procs > in->tasks->procs)
            return "a task has too few or too many processors";
        used += procs;
        cost = fmax(cost, cs_pack_instance_time(in, i, procs));
    }
    if (used > in->tasks->procs)
        return "a pack has too many processors";
    return cost == plan->cost[b] ? NULL : "a pack does not cost its longest task";
}

const char *pack_plan_fault(const struct cs_pack_instance *in, const struct cs_pack_plan *plan)
{
    struct cs_arena *arena = cs_arena_create();
    int *seen = CS_NEW_ARRAY(arena, int, in->tasks->count);
    const char *fault = plan->first[0] ? "the first pack does not begin at 0" : NULL;
    double total = 0;

    for (int b = 0; b < plan->packs && !fault; b++) {
        fault = pack_fault(in, plan, b, seen);
        total += plan->cost[b];
    }
    if (!fault && (plan->tasks != in->tasks->count || plan->first[plan->packs] != plan->tasks))
        fault = "not every task is planned";
    if (!fault && fabs(total - plan->total) > 1e-12 * total)
        fault = "the total is not the sum of the packs";
    cs_arena_destroy(arena);
    return fault;
}

double pack_one_pack_slowly(const struct cs_pack_instance *in, const int *task, int count)
{
    int p = in->tasks->procs;
    struct cs_arena *arena = cs_arena_create();
    double *now = CS_NEW_ARRAY(arena, double, p + 1), *next = CS_NEW_ARRAY(arena, double, p + 1);
    double cost;

    for (int i = 0; i < count; i++) {
        for (int q = 0; q <= p; q++) {
            next[q] = INFINITY;
            for (int r = 1; r <= q; r++)
                next[q] = fmin(next[q], fmax(now[q - r], cs_pack_time(in, task[i], r)));
        }
        memcpy(now, next, (size_t)(p + 1) * sizeof *now);
    }
    cost = now[p];
    cs_arena_destroy(arena);
    return cost;
}

struct partition {
    const struct cs_pack_instance *in;
    int pack[9][9], size[9], packs;
    double best;
};

static void put_task(struct partition *part, int task)
{
    double cost = 0;

    if (task == part->in->tasks->count) {
        for (int b = 0; b < part->packs; b++)
            cost += pack_one_pack_slowly(part->in, part->pack[b], part->size[b]);
        part->best = fmin(part->best, cost);
        return;
    }
    for (int b = 0; b < part->packs; b++)
        if (part->size[b] < part->in->pack_size) {
            part->pack[b][part->size[b]++] = task;
            put_task(part, task + 1);
            part->size[b]--;
        }
    part->pack[part->packs][0] = task;
    part->size[part->packs++] = 1;
    put_task(part, task + 1);
    part->packs--;
}

double pack_brute_force(const struct cs_pack_instance *in)
{
    struct partition part = {.in = in, .best = INFINITY};

    assert_true(in->tasks->count <= 9);
    put_task(&part, 0);
    return part.best;
}
