/* plan.c - plans under construction, and the call of a planner.
 *
 * Source: spec/moldable.md 1 (what a plan is) and 6 (only a strictly shorter plan replaces
 * another).
 * Invariants: makespan is infinite in an empty plan; end and procs follow from choice and start;
 * after a failed planner the plan is empty.
 * Complexity: O(tasks) each; plan_crowded O(tasks log tasks) and the free blocks (free_procs.c).
 */
#include "base/bug.h"
#include "base/guard.h"
#include "base/heap.h"
#include "model/policy_param.h"
#include "problems/moldable/free_procs.h"
#include "problems/moldable/policy.h"

#include <string.h>

int cs_moldable_plan_check_room(const struct cs_moldable_instance *in,
                                const struct cs_moldable_plan *plan, struct cs_error *err)
{
    if (plan->tasks == in->bag.tasks)
        return 0;
    return cs_error_set(err, "the plan is made for %d task%s, the instance has %d", plan->tasks,
                        plan->tasks == 1 ? "" : "s", in->bag.tasks);
}

/* Where tasks hold any processors, their numbers do not matter. */
static bool is_placed(const struct cs_moldable_bag *bag, const struct cs_moldable_plan *plan,
                      int task)
{
    int last = bag->procs - cs_moldable_width(bag, task, plan->choice[task]);

    return !bag->contiguous || (plan->first[task] >= 0 && plan->first[task] <= last);
}

bool cs_moldable_plan_fits(const struct cs_moldable_instance *in,
                           const struct cs_moldable_plan *plan)
{
    if (plan->tasks != in->bag.tasks)
        return false;
    for (int i = 0; i < plan->tasks; i++)
        if (plan->choice[i] < 0 || plan->choice[i] >= cs_moldable_candidates(&in->bag, i) ||
            !(plan->start[i] >= 0 && plan->end[i] >= plan->start[i] && isfinite(plan->end[i])) ||
            !is_placed(&in->bag, plan, i))
            return false;
    return true;
}

/* The tasks that have ended at `now` give their processors back. */
static void end_until(const struct cs_moldable_bag *bag, const struct cs_moldable_plan *plan,
                      struct cs_heap *running, struct cs_moldable_room *room, double now)
{
    while (running->count && cs_heap_top_key(running) <= now) {
        int task = cs_heap_pop(running);

        cs_moldable_room_give(room, plan->first[task],
                              cs_moldable_width(bag, task, plan->choice[task]));
    }
}

int cs_moldable_plan_crowded(const struct cs_moldable_bag *bag, const struct cs_moldable_plan *plan,
                             int *order, struct cs_arena *scratch)
{
    struct cs_moldable_room room;
    struct cs_heap running;

    cs_moldable_room_init(&room, bag, scratch);
    cs_moldable_room_clear(&room, bag->procs);
    cs_heap_init(&running, bag->tasks, scratch);
    cs_moldable_sort_plan(bag, plan, order, scratch);
    for (int a = 0; a < bag->tasks; a++) {
        int task = order[a], procs = cs_moldable_width(bag, task, plan->choice[task]), first;

        end_until(bag, plan, &running, &room, plan->start[task]);
        first = procs > room.most ? -1 : cs_moldable_room_take(&room, plan->first[task], procs);
        if (first < 0 || (bag->contiguous && first != plan->first[task]))
            return task;
        cs_heap_push(&running, task, plan->end[task]);
    }
    return -1;
}

struct cs_moldable_plan *cs_moldable_plan_create(int tasks)
{
    CS_ASK(tasks >= 0, NULL, NULL);
    CS_GUARD(NULL, NULL);
    struct cs_moldable_plan *plan = cs_block_zero(1, sizeof *plan);
    size_t n = (size_t)tasks;

    plan->tasks = tasks;
    plan->choice = cs_block_zero(n, sizeof *plan->choice);
    plan->procs = cs_block_zero(n, sizeof *plan->procs);
    plan->start = cs_block_zero(n, sizeof *plan->start);
    plan->end = cs_block_zero(n, sizeof *plan->end);
    plan->first = cs_block_zero(n, sizeof *plan->first);
    return plan;
}

void cs_moldable_plan_destroy(struct cs_moldable_plan *plan)
{
    if (!plan)
        return;
    cs_block_free(plan->choice);
    cs_block_free(plan->procs);
    cs_block_free(plan->start);
    cs_block_free(plan->end);
    cs_block_free(plan->first);
    cs_block_free(plan);
}

void cs_moldable_plan_clear(struct cs_moldable_plan *plan)
{
    plan->makespan = INFINITY;
    plan->bound = 0;
    plan->optimal = false;
    memset(plan->note, 0, sizeof plan->note);
}

void cs_moldable_plan_set(const struct cs_moldable_bag *bag, struct cs_moldable_plan *plan,
                          const int *choice, const double *start, const int *first)
{
    plan->makespan = 0;
    for (int i = 0; i < bag->tasks; i++) {
        int at = bag->first[i] + choice[i];

        plan->choice[i] = choice[i];
        plan->procs[i] = bag->count[at];
        plan->start[i] = start[i];
        plan->first[i] = first ? first[i] : -1;
        plan->end[i] = start[i] + bag->seconds[at];
        plan->makespan = fmax(plan->makespan, plan->end[i]);
    }
}

bool cs_moldable_plan_offer(const struct cs_moldable_bag *bag, struct cs_moldable_plan *plan,
                            double makespan, const int *choice, const double *start,
                            const int *first)
{
    bool better = makespan < plan->makespan;

    if (better)
        cs_moldable_plan_set(bag, plan, choice, start, first);
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
    memcpy(to->first, from->first, n * sizeof *to->first);
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

int cs_moldable_refuse_contiguous(const struct cs_moldable_instance *in,
                                  const struct cs_policy_context *context, const char *planner)
{
    if (!in->bag.contiguous)
        return 0;
    return cs_error_set(context->err,
                        "%s does not plan for consecutive processors: take another planner, such "
                        "as search",
                        planner);
}

#define CS_MOLDABLE_POLICY(name) extern const struct cs_moldable_policy cs_moldable_policy_##name;
#include "problems/moldable/policies.def"
#undef CS_MOLDABLE_POLICY

static const struct cs_moldable_policy *const policies[] = {
#define CS_MOLDABLE_POLICY(name) &cs_moldable_policy_##name,
#include "problems/moldable/policies.def"
#undef CS_MOLDABLE_POLICY
};

#define POLICIES (sizeof policies / sizeof *policies)

const struct cs_policy *const *cs_moldable_policies(int *count)
{
    CS_ASK(count, NULL, NULL);
#define CS_MOLDABLE_POLICY(name) &cs_moldable_policy_##name.info,
    static const struct cs_policy *const infos[] = {
#include "problems/moldable/policies.def"
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
    CS_ASK(in && request && plan, err, -1);
    CS_GUARD(err, -1);
    int count;
    const struct cs_policy *const *list = cs_moldable_policies(&count);

    if (cs_policy_call_check(&request->call, list, count, err) ||
        cs_moldable_plan_check_room(in, plan, err))
        return -1;
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
