/* plan.c - packs under construction, and the call of a policy.
 *
 * Source: docs/spec/pack.md 1 and 3.1 (Algorithm 1, by src/model/allocation.h).
 *
 * Invariants: first[] rises strictly, first[packs] == tasks once the last pack is closed, and total
 * is the sum of cost[] in the order in which the packs were closed.
 */
#include "base/bug.h"
#include "base/guard.h"
#include "model/allocation.h"
#include "model/policy_param.h"
#include "problems/pack/policy.h"

#include <math.h>
#include <string.h>

int cs_pack_plan_check_room(const struct cs_pack_instance *in, const struct cs_pack_plan *plan,
                            struct cs_error *err)
{
    if (plan->room >= in->tasks->count)
        return 0;
    return cs_error_set(err, "the plan has room for %d task%s, the instance has %d", plan->room,
                        plan->room == 1 ? "" : "s", in->tasks->count);
}

bool cs_pack_plan_fits(const struct cs_pack_instance *in, const struct cs_pack_plan *plan)
{
    const struct cs_moldable *tasks = in->tasks;

    if (plan->tasks < 0 || plan->tasks > tasks->count || plan->tasks > plan->room ||
        plan->packs < 0 || plan->packs > plan->tasks || plan->first[plan->packs] != plan->tasks)
        return false;
    for (int b = 0; b < plan->packs; b++)
        if (plan->first[b] < 0 || plan->first[b] >= plan->first[b + 1])
            return false;
    for (int a = 0; a < plan->tasks; a++)
        if (plan->task[a] < 0 || plan->task[a] >= tasks->count ||
            plan->procs[a] < tasks->min_procs[plan->task[a]] || plan->procs[a] > tasks->procs)
            return false;
    return true;
}

/* The plan and its arrays are one block: small plans are made in less time than five take. */
struct cs_pack_plan *cs_pack_plan_create(int tasks)
{
    CS_ASK(tasks >= 0, NULL, NULL);
    CS_GUARD(NULL, NULL);
    const size_t n = (size_t)tasks;
    struct cs_pack_plan *plan = cs_block_zero(1, sizeof *plan + n * sizeof *plan->cost +
                                                     (n + 1 + n + n) * sizeof *plan->first);

    plan->room = tasks;
    plan->cost = (double *)(plan + 1);
    plan->first = (int *)(plan->cost + n);
    plan->task = plan->first + n + 1;
    plan->procs = plan->task + n;
    return plan;
}

void cs_pack_plan_destroy(struct cs_pack_plan *plan)
{
    cs_block_free(plan);
}

void cs_pack_plan_clear(struct cs_pack_plan *plan)
{
    plan->tasks = plan->packs = 0;
    plan->first[0] = 0;
    plan->total = plan->bound = 0;
    plan->optimal = false;
    memset(plan->note, 0, sizeof plan->note);
}

void cs_pack_plan_add(struct cs_pack_plan *plan, int task, int procs)
{
    plan->task[plan->tasks] = task;
    plan->procs[plan->tasks] = procs;
    plan->tasks++;
}

void cs_pack_plan_close(struct cs_pack_plan *plan, double cost)
{
    plan->cost[plan->packs] = cost;
    plan->total += cost;
    plan->first[++plan->packs] = plan->tasks;
}

void cs_pack_plan_copy(struct cs_pack_plan *to, const struct cs_pack_plan *from)
{
    size_t n = (size_t)from->tasks, packs = (size_t)from->packs;

    memcpy(to->first, from->first, (packs + 1) * sizeof *to->first);
    memcpy(to->task, from->task, n * sizeof *to->task);
    memcpy(to->procs, from->procs, n * sizeof *to->procs);
    memcpy(to->cost, from->cost, packs * sizeof *to->cost);
    memcpy(to->note, from->note, sizeof to->note);
    to->tasks = from->tasks;
    to->packs = from->packs;
    to->total = from->total;
    to->bound = from->bound;
    to->optimal = from->optimal;
}

void cs_pack_plan_note(struct cs_pack_plan *plan, const char *name, const char *word, double number)
{
    int at = 0;

    while (at < CS_PACK_NOTES && plan->note[at].name && strcmp(plan->note[at].name, name))
        at++;
    CS_REQUIRE(at < CS_PACK_NOTES);
    plan->note[at].name = name;
    plan->note[at].word = word;
    plan->note[at].number = number;
}

void cs_pack_plan_share(const struct cs_pack_instance *in, struct cs_pack_plan *plan,
                        struct cs_arena *scratch)
{
    plan->total = 0;
    for (int b = 0; b < plan->packs; b++) {
        int first = plan->first[b], count = plan->first[b + 1] - first;

        plan->cost[b] = cs_allocation_improve(in->tasks, plan->task + first, count,
                                              plan->procs + first, scratch);
        plan->total += plan->cost[b];
    }
}

int cs_pack_plan_trim(const struct cs_pack_instance *in, struct cs_pack_plan *plan)
{
    CS_ASK(in && plan && cs_pack_plan_fits(in, plan), NULL, -1);
    CS_GUARD(NULL, -1);
    for (int b = 0; b < plan->packs; b++)
        for (int a = plan->first[b]; a < plan->first[b + 1]; a++)
            plan->procs[a] = cs_moldable_need(in->tasks, plan->task[a], plan->cost[b]);
    return 0;
}

#define CS_PACK_POLICY(name) extern const struct cs_pack_policy cs_pack_policy_##name;
#include "problems/pack/policies.def"
#undef CS_PACK_POLICY

static const struct cs_pack_policy *const policies[] = {
#define CS_PACK_POLICY(name) &cs_pack_policy_##name,
#include "problems/pack/policies.def"
#undef CS_PACK_POLICY
};

#define POLICIES (sizeof policies / sizeof *policies)

const struct cs_policy *const *cs_pack_policies(int *count)
{
    CS_ASK(count, NULL, NULL);
#define CS_PACK_POLICY(name) &cs_pack_policy_##name.info,
    static const struct cs_policy *const infos[] = {
#include "problems/pack/policies.def"
    };
#undef CS_PACK_POLICY

    *count = POLICIES;
    return infos;
}

static int call_policy(const struct cs_pack_instance *in, const struct cs_pack_request *request,
                       struct cs_arena *scratch, struct cs_pack_plan *plan, struct cs_error *err)
{
    const struct cs_pack_policy *policy = policies[request->call.policy];
    const struct cs_policy_context context = {
        .param = request->call.param,
        .seed = request->seed,
        .threads = request->threads > 1 ? request->threads : 1,
        .expired = request->expired,
        .who = request->who,
        .scratch = scratch,
        .err = err,
    };

    if (policy->info.missing)
        return cs_error_set_as(err, CS_ERROR_MISSING, "policy %s is not in this build: %s",
                               policy->info.name, policy->info.missing);
    return policy->plan(in, &context, plan);
}

int cs_pack_plan_make(const struct cs_pack_instance *in, const struct cs_pack_request *request,
                      struct cs_pack_plan *plan, struct cs_error *err)
{
    CS_ASK(in && request && plan, err, -1);
    CS_GUARD(err, -1);
    struct cs_arena *scratch;
    int status;

    int count;
    const struct cs_policy *const *list = cs_pack_policies(&count);

    if (cs_policy_call_check(&request->call, list, count, err) ||
        cs_pack_plan_check_room(in, plan, err))
        return -1;
    cs_pack_plan_clear(plan);
    if (in->tasks->count == 0) {
        plan->optimal = true;
        return 0;
    }
    scratch = cs_arena_create();
    status = call_policy(in, request, scratch, plan, err);
    cs_arena_destroy(scratch);
    if (status)
        cs_pack_plan_clear(plan);
    return status;
}
