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
#include "pack/pack_approx.h"

#include "base/order.h"
#include "model/allocation.h"

#include <math.h>
#include <string.h>

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

void cs_pack_approx_every(const struct cs_pack_instance *in,
                          const struct cs_policy_context *context, enum cs_pack_approx_mode mode,
                          struct cs_pack_plan *plan)
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
static void judge_as_given(const struct cs_pack_instance *in, struct cs_pack_plan *plan)
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
    (two ? cs_pack_approx_two : cs_pack_approx_every)(&repaired, context, mode, plan);
    if (!in->tasks->rising)
        judge_as_given(in, plan);
    if (mode == CS_PACK_APPROX_END || (mode == CS_PACK_APPROX_EVERY && !in->tasks->rising))
        cs_pack_plan_share(in, plan, context->scratch);
    return 0;
}

static const struct cs_param params[] = {
    {
        .name = "mode",
        .kind = CS_PARAM_CHOICE,
        .fallback = "every",
        .choices = "printed|end|every",
        .summary = "Algorithm 1 nowhere, on the answer, or at every state",
    },
    {
        .name = "states",
        .kind = CS_PARAM_CHOICE,
        .fallback = "every",
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
