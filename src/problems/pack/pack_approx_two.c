/* pack_approx_two.c - the policy pack-approx: PACK-APPROX at every state, or at its last two.
 *
 * Source: Aupy et al., Algorithm 3 and Theorem 5; docs/spec/pack.md 5, PACK-APPROX.
 *
 * The variant states=two uses that "everything longer than T got more processors" is a state for
 * every T: the threshold state, where task i has need(i, T) processors. From state to state the
 * total work rises and the longest time falls, so bisection over T finds the last threshold state
 * that continues; from there the greedy walks through the tasks that tie at that time. The factor 3
 * of Theorem 5 holds for the cheaper of the last two states: the state of Lemma 6 is the last one,
 * or the last but one is as good.
 *
 * Invariants: procs[i] never falls from state to state; in states=every, order[] is always sorted
 * by (time descending, index ascending); both exit tests use the values from before the increment.
 * Complexity: states=every has at most n (p - 1) + 1 states of O(n log n) each; states=two takes
 * O(n log n + n log p log(np)).
 * There is no tuned constant.
 */
#include "base/order.h"
#include "model/allocation.h"
#include "problems/pack/policy.h"

#include <math.h>
#include <string.h>

/* pack_approx - Aupy et al., Algorithm 3: first fit decreasing at every state of a rising
 * assignment.
 *
 * From the fewest processors on, the longest task gets one more until the total work exceeds p
 * times the longest time (exit "area") or the longest task has all p (exit "p reached").  The
 * cheapest state is the answer; for pack_size = p it costs at most three times the optimum (Theorem
 * 5).
 *
 * The guarantee needs work that never falls: the states are those of the repaired times, the plan
 * is judged on the times as given.
 *
 * states=every looks at each state, as printed but for the loop bound, which stops one state early.
 * states=two looks at the last two only, which keeps the factor three: pack_approx_two.c.
 */

/* Where Algorithm 1 is applied: nowhere (as printed), to the answer, or at every state. */
enum cs_pack_approx_mode { CS_PACK_APPROX_PRINTED, CS_PACK_APPROX_END, CS_PACK_APPROX_EVERY };

/* The last two states, found by bisection: O(n log n + n log p log(np)) in all. */
static void cs_pack_approx_two(const struct cs_pack_instance *in,
                               const struct cs_policy_context *context,
                               enum cs_pack_approx_mode mode, struct cs_pack_plan *plan);

/* The state: processors of each task, and the tasks by (time descending, index ascending). */
struct state {
    const struct cs_pack_instance *in;
    int *procs, *order;
    double *time; /* on procs[] */
};

static void state_init(struct state *s, const struct cs_pack_instance *in, struct cs_arena *scratch)
{
    int n = in->tasks->count;

    s->in = in;
    s->procs = CS_NEW_ARRAY(scratch, int, n);
    s->order = CS_NEW_ARRAY(scratch, int, n);
    s->time = CS_NEW_ARRAY(scratch, double, n);
    for (int i = 0; i < n; i++) {
        s->procs[i] = in->tasks->min_procs[i];
        s->time[i] = cs_pack_time(in, i, s->procs[i]);
    }
    cs_order_descending(s->time, n, s->order, scratch);
}

static double total_work(const struct state *s)
{
    double work = 0;

    for (int i = 0; i < s->in->tasks->count; i++)
        work += s->time[i] * s->procs[i];
    return work;
}

/* Where the head belongs in order[1 ..] after its time fell, found by bisection. */
static void head_gets_one_more(struct state *s)
{
    int head = s->order[0], low = 1, high = s->in->tasks->count;
    double time = cs_pack_time(s->in, head, ++s->procs[head]);

    s->time[head] = time;
    while (low < high) {
        int middle = low + (high - low) / 2, other = s->order[middle];

        if (s->time[other] > time || (s->time[other] == time && other < head))
            low = middle + 1;
        else
            high = middle;
    }
    memmove(s->order, s->order + 1, (size_t)(low - 1) * sizeof *s->order);
    s->order[low - 1] = head;
}

enum cs_pack_approx_exit {
    GO_ON,
    BY_AREA,
    BY_P,
};

static enum cs_pack_approx_exit exit_of(const struct state *s)
{
    int p = s->in->tasks->procs, head = s->order[0];

    if (total_work(s) / p > s->time[head])
        return BY_AREA;
    return s->procs[head] == p ? BY_P : GO_ON;
}

/* The plans of a state and of the one before: as first fit decreasing left them, and with Algorithm
 * 1 in each pack.  From state to state many packs stay, and keep their processors and their cost.
 */
struct states {
    struct cs_pack_plan *raw, *raw_before, *shared, *shared_before;
};

static void swap_plans(struct cs_pack_plan **a, struct cs_pack_plan **b)
{
    struct cs_pack_plan *plan = *a;

    *a = *b;
    *b = plan;
}

static bool same_pack(const struct cs_pack_plan *a, const struct cs_pack_plan *b, int pack)
{
    int first = a->first[pack], end = a->first[pack + 1];
    size_t bytes = (size_t)(end - first) * sizeof *a->task;

    return pack < b->packs && b->first[pack] == first && b->first[pack + 1] == end &&
           !memcmp(a->task + first, b->task + first, bytes) &&
           !memcmp(a->procs + first, b->procs + first, bytes);
}

static void share_packs(const struct cs_pack_instance *in, struct states *s,
                        struct cs_arena *scratch)
{
    struct cs_pack_plan *shared = s->shared;

    cs_pack_plan_copy(shared, s->raw);
    shared->total = 0;
    for (int b = 0; b < shared->packs; b++) {
        int first = shared->first[b], count = shared->first[b + 1] - first;

        if (same_pack(s->raw, s->raw_before, b)) {
            memcpy(shared->procs + first, s->shared_before->procs + first,
                   (size_t)count * sizeof *shared->procs);
            shared->cost[b] = s->shared_before->cost[b];
        } else {
            shared->cost[b] = cs_allocation_improve(in->tasks, shared->task + first, count,
                                                    shared->procs + first, scratch);
        }
        shared->total += shared->cost[b];
    }
}

static void states_init(struct states *s, int tasks)
{
    s->raw = cs_pack_plan_create(tasks);
    s->raw_before = cs_pack_plan_create(tasks);
    s->shared = cs_pack_plan_create(tasks);
    s->shared_before = cs_pack_plan_create(tasks);
}

static void states_release(struct states *s)
{
    cs_pack_plan_destroy(s->raw);
    cs_pack_plan_destroy(s->raw_before);
    cs_pack_plan_destroy(s->shared);
    cs_pack_plan_destroy(s->shared_before);
}

/* The plan of this state, in s->raw or s->shared as the mode wants. */
static const struct cs_pack_plan *plan_state(const struct state *state, struct states *s,
                                             enum cs_pack_approx_mode mode,
                                             struct cs_arena *scratch)
{
    swap_plans(&s->raw, &s->raw_before);
    swap_plans(&s->shared, &s->shared_before);
    cs_pack_make(state->in, state->procs, state->order, s->raw, scratch);
    if (mode != CS_PACK_APPROX_EVERY)
        return s->raw;
    share_packs(state->in, s, scratch);
    return s->shared;
}

/* Both leave the last step of CS_PACK_APPROX_END to the caller, and note "iterations" (states
 * examined) and "exit" ("area", "p reached" or "time limit").
 *
 * Every state: up to n(p-1)+1 of them, O(n log n) each. */
static void pack_approx_every(const struct cs_pack_instance *in,
                              const struct cs_policy_context *context,
                              enum cs_pack_approx_mode mode, struct cs_pack_plan *plan)
{
    enum cs_pack_approx_exit exit;
    struct states states;
    struct state state;
    int count = 0;

    state_init(&state, in, context->scratch);
    states_init(&states, in->tasks->count);
    for (;;) {
        const struct cs_pack_plan *now = plan_state(&state, &states, mode, context->scratch);

        if (count++ == 0 || now->total < plan->total)
            cs_pack_plan_copy(plan, now);
        exit = exit_of(&state);
        if (exit != GO_ON || cs_pack_expired(context))
            break;
        head_gets_one_more(&state);
    }
    states_release(&states);
    cs_pack_plan_note(plan, "iterations", NULL, count);
    cs_pack_plan_note(plan, "exit",
                      exit == BY_AREA ? "area"
                      : exit == BY_P  ? "p reached"
                                      : "time limit",
                      0);
}

/* Costs on the times as given, none of which is longer than its repaired one. */
static void cost_as_supplied(const struct cs_pack_instance *in, struct cs_pack_plan *plan)
{
    plan->total = 0;
    for (int b = 0; b < plan->packs; b++) {
        plan->cost[b] = 0;
        for (int a = plan->first[b]; a < plan->first[b + 1]; a++)
            plan->cost[b] = fmax(plan->cost[b], cs_pack_time(in, plan->task[a], plan->procs[a]));
        plan->total += plan->cost[b];
    }
}

static int plan_pack_approx(const struct cs_pack_instance *in,
                            const struct cs_policy_context *context, struct cs_pack_plan *plan)
{
    enum cs_pack_approx_mode mode = (enum cs_pack_approx_mode)context->param[0];
    bool two = context->param[1] == 1;
    struct cs_pack_instance repaired = *in;

    if (!in->tasks->rising)
        repaired.tasks = cs_moldable_repaired(in->tasks, context->scratch);
    (two ? cs_pack_approx_two : pack_approx_every)(&repaired, context, mode, plan);
    if (!in->tasks->rising)
        cost_as_supplied(in, plan);
    if (mode == CS_PACK_APPROX_END || (mode == CS_PACK_APPROX_EVERY && !in->tasks->rising))
        cs_pack_plan_share(in, plan, context->scratch);
    return 0;
}

static const struct cs_policy_param params[] = {
    {
        .name = "mode",
        .kind = CS_POLICY_PARAM_CHOICE,
        .default_text = "every",
        .choices = "printed|end|every",
        .summary = "Algorithm 1 nowhere, on the answer, or at every state",
    },
    {
        .name = "states",
        .kind = CS_POLICY_PARAM_CHOICE,
        .default_text = "every",
        .choices = "every|two",
        .summary = "which states are looked at: every one, or the last two (fast, same guarantee)",
    },
    {0},
};

const struct cs_pack_policy cs_pack_policy_pack_approx = {
    .info =
        {
            .name = "pack-approx",
            .problem = "pack",
            .summary = "first fit decreasing while the longest task gets more processors",
            .source = "Aupy et al., Algorithm 3: PACK-APPROX, at most 3 times the optimum",
            .params = params,
        },
    .plan = plan_pack_approx,
};

struct search {
    const struct cs_pack_instance *in;
    int *procs;
    double work, longest; /* of the state in procs */
};

/* The processors of task i once everything longer than T has got more; never fewer than the
 * minimum, and at most p. */
static int procs_at(const struct cs_pack_instance *in, int i, double threshold)
{
    int need = cs_moldable_need(in->tasks, i, threshold), least = in->tasks->min_procs[i];

    return need > in->tasks->procs ? in->tasks->procs : need > least ? need : least;
}

static void go_to_threshold(struct search *s, double threshold)
{
    s->work = s->longest = 0;
    for (int i = 0; i < s->in->tasks->count; i++) {
        double time;

        s->procs[i] = procs_at(s->in, i, threshold);
        time = cs_pack_time(s->in, i, s->procs[i]);
        s->work += time * s->procs[i];
        s->longest = fmax(s->longest, time);
    }
}

static bool area_exit(const struct search *s)
{
    return s->work / s->in->tasks->procs > s->longest;
}

/* No state is beyond the one where a task has all p processors and is still the longest. */
static double least_threshold(const struct cs_pack_instance *in)
{
    double least = 0;

    for (int i = 0; i < in->tasks->count; i++)
        least = fmax(least, cs_pack_time(in, i, in->tasks->procs));
    return least;
}

/* The smallest T whose threshold state continues; procs stays there.  Between high, which
 * continues, and low, which does not, the bisection ends when no double is left. */
static void last_state_that_goes_on(struct search *s)
{
    double low = least_threshold(s->in), high;

    go_to_threshold(s, low);
    if (!area_exit(s))
        return;
    go_to_threshold(s, INFINITY);
    high = s->longest;
    if (area_exit(s))
        return;
    for (;;) {
        double middle = low + (high - low) / 2;

        if (middle <= low || middle >= high)
            break;
        go_to_threshold(s, middle);
        if (area_exit(s))
            low = middle;
        else
            high = s->longest;
    }
    go_to_threshold(s, high);
}

/* The tasks that tie for the longest time, by index: the next ones to get a processor. */
static int *tied_tasks(const struct search *s, int *count, struct cs_arena *scratch)
{
    int n = s->in->tasks->count;
    int *tied = CS_NEW_ARRAY(scratch, int, n);

    *count = 0;
    for (int i = 0; i < n; i++)
        if (cs_pack_time(s->in, i, s->procs[i]) == s->longest)
            tied[(*count)++] = i;
    return tied;
}

/* One more processor for task i. */
static void pack_approx_two_give(struct search *s, int i)
{
    s->work -= cs_pack_time(s->in, i, s->procs[i]) * s->procs[i];
    s->procs[i]++;
    s->work += cs_pack_time(s->in, i, s->procs[i]) * s->procs[i];
}

static double longest_time(const struct search *s)
{
    double longest = 0;

    for (int i = 0; i < s->in->tasks->count; i++)
        longest = fmax(longest, cs_pack_time(s->in, i, s->procs[i]));
    return longest;
}

/* Walk on to the state that exits.  Returns the task that got the last processor, -1 when the
 * first state exits immediately. */
static int walk_to_exit(struct search *s, const char **exit, struct cs_arena *scratch)
{
    int count, last = -1, p = s->in->tasks->procs;
    const int *tied = tied_tasks(s, &count, scratch);

    *exit = "area";
    for (int a = 0; !area_exit(s); a++) {
        if (a == count) {
            s->longest = longest_time(s);
            if (area_exit(s))
                break;
            tied = tied_tasks(s, &count, scratch);
            a = 0;
        }
        if (s->procs[tied[a]] == p) {
            *exit = "p reached";
            break;
        }
        last = tied[a];
        pack_approx_two_give(s, last);
        if (cs_pack_time(s->in, last, s->procs[last]) == s->longest)
            a--;
    }
    return last;
}

static void try_state(const struct search *s, enum cs_pack_approx_mode mode,
                      struct cs_pack_plan *now, struct cs_pack_plan *plan, struct cs_arena *scratch)
{
    cs_pack_make(s->in, s->procs, NULL, now, scratch);
    if (mode == CS_PACK_APPROX_EVERY)
        cs_pack_plan_share(s->in, now, scratch);
    if (plan->packs == 0 || now->total < plan->total)
        cs_pack_plan_copy(plan, now);
}

static void cs_pack_approx_two(const struct cs_pack_instance *in,
                               const struct cs_policy_context *context,
                               enum cs_pack_approx_mode mode, struct cs_pack_plan *plan)
{
    struct cs_pack_plan *now = cs_pack_plan_create(in->tasks->count);
    struct search search = {.in = in,
                            .procs = CS_NEW_ARRAY(context->scratch, int, in->tasks->count)};
    const char *exit;
    int last;

    last_state_that_goes_on(&search);
    last = walk_to_exit(&search, &exit, context->scratch);
    if (last >= 0) {
        search.procs[last]--;
        try_state(&search, mode, now, plan, context->scratch);
        search.procs[last]++;
    }
    try_state(&search, mode, now, plan, context->scratch);
    cs_pack_plan_destroy(now);
    cs_pack_plan_note(plan, "iterations", NULL, last >= 0 ? 2 : 1);
    cs_pack_plan_note(plan, "exit", exit, 0);
}
