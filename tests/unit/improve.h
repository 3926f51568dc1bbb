/* improve.h - random pack instances, brute force over them, and plans told valid or not, by
 * means that share nothing with the policies under test. */
#ifndef CS_TESTS_UNIT_IMPROVE_H
#define CS_TESTS_UNIT_IMPROVE_H

#include "base/splitmix.h"
#include "problems/pack/policy.h"
#include "unit/kit.h"

#include <math.h>
#include <string.h>

#define IMPROVE_TASKS 340
#define IMPROVE_PROCS 32

struct improve_case {
    struct cs_profile profile[IMPROVE_TASKS];
    double seconds[IMPROVE_TASKS][IMPROVE_PROCS];
    struct cs_workload *workload;
    struct cs_pack_instance *in;
};

static inline double improve_uniform(struct cs_splitmix *state)
{
    return (double)(cs_splitmix_next(state) >> 11) * 0x1p-53;
}

/* Raw times that mostly fall with j, some flat, some from a coarse set so that ties are common; a
 * task in four cannot run on the fewest processors if `minimum`. */
static inline void improve_raw(struct improve_case *c, int task, int procs, bool minimum,
                               struct cs_splitmix *state)
{
    double size = 1 + 20 * improve_uniform(state), flat = improve_uniform(state);
    int least =
        minimum && improve_uniform(state) < 0.25 ? 1 + (int)(improve_uniform(state) * procs) : 1;
    bool coarse = improve_uniform(state) < 0.3;

    for (int j = 1; j <= procs; j++) {
        double time = size * (flat + (1 - flat) / j) * (1 + 0.2 * improve_uniform(state));

        if (coarse)
            time = ceil(time);
        c->seconds[task][j - 1] = j < least ? INFINITY : time;
    }
    c->profile[task] =
        (struct cs_profile){.kind = CS_PROFILE_TABLE, .count = procs, .seconds = c->seconds[task]};
}

static inline void improve_create(struct improve_case *c, int tasks, int procs, int pack_size,
                                  bool minimum, uint64_t seed)
{
    struct cs_splitmix state = {seed};

    for (int i = 0; i < tasks; i++)
        improve_raw(c, i, procs, minimum, &state);
    c->workload = cs_workload_create(tasks, NULL, c->profile, NULL);
    c->in = cs_pack_instance_create(c->workload, procs, pack_size ? pack_size : CS_PACK_UNLIMITED,
                                    NULL);
    assert_non_null(c->in);
}

static inline void improve_destroy(struct improve_case *c)
{
    cs_pack_instance_destroy(c->in);
    cs_workload_destroy(c->workload);
}

/* The least time in which these tasks fit side by side: every time is tried, every need counted
 * from the first processor on.  +inf when they never do. */
static inline double improve_pack_cost(const struct cs_pack_instance *in, const int *task,
                                       int count)
{
    double best = count ? INFINITY : 0;

    for (int a = 0; a < count; a++)
        for (int j = 1; j <= in->tasks->procs; j++) {
            double limit = cs_pack_time(in, task[a], j);
            int used = 0;

            if (!(limit < best))
                continue;
            for (int b = 0; b < count; b++) {
                int need = 1;

                while (need <= in->tasks->procs && cs_pack_time(in, task[b], need) > limit)
                    need++;
                used += need;
            }
            if (used <= in->tasks->procs)
                best = limit;
        }
    return best;
}

/* The cheapest of all partitions, tasks placed one after the other. */
struct improve_search {
    const struct cs_pack_instance *in;
    int pack[8][8], size[8], packs;
    double best;
};

static inline void improve_place(struct improve_search *s, int task)
{
    double total = 0;

    if (task == s->in->tasks->count) {
        for (int b = 0; b < s->packs; b++)
            total += improve_pack_cost(s->in, s->pack[b], s->size[b]);
        s->best = total < s->best ? total : s->best;
        return;
    }
    for (int b = 0; b <= s->packs; b++) {
        bool fresh = b == s->packs;

        if (!fresh && s->size[b] == s->in->pack_size)
            continue;
        s->pack[b][s->size[b]++] = task;
        s->packs += fresh;
        improve_place(s, task + 1);
        s->packs -= fresh;
        s->size[b]--;
    }
}

static inline double improve_optimum(const struct cs_pack_instance *in)
{
    struct improve_search s = {.in = in, .best = INFINITY};

    assert_true(in->tasks->count <= 8);
    improve_place(&s, 0);
    return s.best;
}

static inline int improve_policy(const char *name)
{
    int count;
    const struct cs_policy *const *list = cs_pack_policies(&count);

    for (int k = 0; k < count; k++)
        if (!strcmp(list[k]->name, name))
            return k;
    fail_msg("no policy %s", name);
    return -1;
}

/* Every task once, packs not too large nor too wide, costs that are what the packs cost at best. */
static inline void improve_assert_valid(const struct cs_pack_instance *in,
                                        const struct cs_pack_plan *plan)
{
    int seen[IMPROVE_TASKS] = {0};
    double total = 0;

    assert_int_equal(plan->tasks, in->tasks->count);
    assert_int_equal(plan->first[plan->packs], plan->tasks);
    for (int b = 0; b < plan->packs; b++) {
        int from = plan->first[b], size = plan->first[b + 1] - from, procs = 0;
        double longest = 0;

        assert_in_range(size, 1, in->pack_size);
        for (int k = from; k < from + size; k++) {
            assert_int_equal(seen[plan->task[k]]++, 0);
            assert_true(plan->procs[k] >= 1);
            procs += plan->procs[k];
            longest = fmax(longest, cs_pack_time(in, plan->task[k], plan->procs[k]));
        }
        assert_true(procs <= in->tasks->procs);
        assert_true(plan->cost[b] == longest);
        assert_true(plan->cost[b] == improve_pack_cost(in, plan->task + from, size));
        total += longest;
    }
    assert_true(plan->total == total);
}

static inline bool improve_never(const void *who)
{
    (void)who;
    return true;
}

/* The total of a policy with one parameter, its plan checked; hurried: with no patience at all. */
static inline double improve_total(const struct cs_pack_instance *in, const char *name,
                                   double param, bool hurried)
{
    struct cs_pack_request request = {.expired = hurried ? improve_never : NULL};
    struct cs_pack_plan *plan = cs_pack_plan_create(in->tasks->count);
    struct cs_error err = {0};
    double total;
    int count;
    const struct cs_policy *const *list = cs_pack_policies(&count);

    assert_int_equal(cs_policy_parse(name, list, count, &request.call, &err), 0);
    request.call.param[0] = param;
    assert_int_equal(cs_pack_plan_make(in, &request, plan, &err), 0);
    improve_assert_valid(in, plan);
    total = plan->total;
    cs_pack_plan_destroy(plan);
    return total;
}

#endif
