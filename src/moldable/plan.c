/* plan.c - plans under construction, and the call of a planner. */
#include "base/bug.h"
#include "base/guard.h"
#include "moldable/policy.h"

#include <stdlib.h>
#include <string.h>

static void *array(size_t count, size_t size)
{
    void *at = calloc(count ? count : 1, size);

    if (!at)
        cs_bug_no_memory(count * size);
    return at;
}

struct cs_moldable_plan *cs_moldable_plan_create(int tasks)
{
    CS_GUARD(NULL, NULL);
    struct cs_moldable_plan *plan = array(1, sizeof *plan);
    size_t n = (size_t)tasks;

    CS_REQUIRE(tasks >= 0);
    plan->tasks = tasks;
    plan->choice = array(n, sizeof *plan->choice);
    plan->procs = array(n, sizeof *plan->procs);
    plan->start = array(n, sizeof *plan->start);
    plan->end = array(n, sizeof *plan->end);
    return plan;
}

void cs_moldable_plan_destroy(struct cs_moldable_plan *plan)
{
    if (!plan)
        return;
    free(plan->choice);
    free(plan->procs);
    free(plan->start);
    free(plan->end);
    free(plan);
}

void cs_moldable_plan_clear(struct cs_moldable_plan *plan)
{
    plan->makespan = INFINITY;
    plan->bound = 0;
    plan->optimal = false;
    memset(plan->note, 0, sizeof plan->note);
}

void cs_moldable_plan_set(const struct cs_moldable_bag *bag, struct cs_moldable_plan *plan,
                          const int *choice, const double *start)
{
    plan->makespan = 0;
    for (int i = 0; i < bag->tasks; i++) {
        int at = bag->first[i] + choice[i];

        plan->choice[i] = choice[i];
        plan->procs[i] = bag->count[at];
        plan->start[i] = start[i];
        plan->end[i] = start[i] + bag->seconds[at];
        plan->makespan = fmax(plan->makespan, plan->end[i]);
    }
}

bool cs_moldable_plan_offer(const struct cs_moldable_bag *bag, struct cs_moldable_plan *plan,
                            double makespan, const int *choice, const double *start)
{
    bool better = makespan < plan->makespan;

    if (better)
        cs_moldable_plan_set(bag, plan, choice, start);
    return better;
}

void cs_moldable_plan_copy(struct cs_moldable_plan *to, const struct cs_moldable_plan *from)
{
    size_t n = (size_t)from->tasks;

    CS_REQUIRE(to->tasks == from->tasks);
    memcpy(to->choice, from->choice, n * sizeof *to->choice);
    memcpy(to->procs, from->procs, n * sizeof *to->procs);
    memcpy(to->start, from->start, n * sizeof *to->start);
    memcpy(to->end, from->end, n * sizeof *to->end);
    memcpy(to->note, from->note, sizeof to->note);
    to->makespan = from->makespan;
    to->bound = from->bound;
    to->optimal = from->optimal;
}

void cs_moldable_plan_note(struct cs_moldable_plan *plan, const char *name, const char *word,
                           double number)
{
    int at = 0;

    while (at < CS_MOLDABLE_NOTES && plan->note[at].name && strcmp(plan->note[at].name, name))
        at++;
    CS_REQUIRE(at < CS_MOLDABLE_NOTES);
    plan->note[at].name = name;
    plan->note[at].word = word;
    plan->note[at].number = number;
}

#define CS_MOLDABLE_POLICY(name) extern const struct cs_moldable_policy cs_moldable_policy_##name;
#include "moldable/policies.def"
#undef CS_MOLDABLE_POLICY

static const struct cs_moldable_policy *const policies[] = {
#define CS_MOLDABLE_POLICY(name) &cs_moldable_policy_##name,
#include "moldable/policies.def"
#undef CS_MOLDABLE_POLICY
};

#define POLICIES (sizeof policies / sizeof *policies)

const struct cs_policy *const *cs_moldable_policies(int *count)
{
#define CS_MOLDABLE_POLICY(name) &cs_moldable_policy_##name.info,
    static const struct cs_policy *const infos[] = {
#include "moldable/policies.def"
    };
#undef CS_MOLDABLE_POLICY

    *count = POLICIES;
    return infos;
}

static int call_policy(const struct cs_moldable_instance *in,
                       const struct cs_moldable_request *request, struct cs_moldable_plan *plan,
                       struct cs_error *err)
{
    const struct cs_moldable_policy *policy = policies[request->call.policy];
    struct cs_arena *scratch = cs_arena_create();
    const struct cs_policy_context context = {
        .param = request->call.param,
        .seed = request->seed,
        .threads = request->threads > 1 ? request->threads : 1,
        .expired = request->expired,
        .who = request->who,
        .scratch = scratch,
        .err = err,
    };
    int status = policy->plan(in, &context, plan);

    if (status == 0 && request->thrift)
        cs_moldable_thrift(&in->bag, plan, scratch);
    cs_arena_destroy(scratch);
    return status;
}

int cs_moldable_plan_make(const struct cs_moldable_instance *in,
                          const struct cs_moldable_request *request, struct cs_moldable_plan *plan,
                          struct cs_error *err)
{
    CS_GUARD(err, -1);
    CS_REQUIRE(request->call.policy >= 0 && (size_t)request->call.policy < POLICIES);
    CS_REQUIRE(plan->tasks == in->bag.tasks);
    cs_moldable_plan_clear(plan);
    if (in->bag.tasks == 0) {
        plan->makespan = 0;
        plan->optimal = true;
        return 0;
    }
    if (call_policy(in, request, plan, err) == 0)
        return 0;
    cs_moldable_plan_clear(plan);
    return -1;
}
