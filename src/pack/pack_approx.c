/* pack_approx - Aupy et al., Algorithm 3: first fit decreasing at every state of a rising
 * assignment.
 *
 * From the fewest processors on, the longest task gets one more until the total work exceeds p
 * times the longest time (exit "area") or the longest task has all p (exit "p reached").  The
 * cheapest state is the answer; for pack_size = p it costs at most three times the optimum (Theorem
 * 5).
 *
 * states=every looks at each state, as printed but for the loop bound, which stops one state early.
 * states=two looks at the last two only, which keeps the factor three: pack_approx_two.c.
 */
#include "pack/pack_approx.h"

#include "base/order.h"

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

void cs_pack_approx_every(const struct cs_pack_instance *in,
                          const struct cs_policy_context *context, enum cs_pack_approx_mode mode,
                          struct cs_pack_plan *plan)
{
    struct cs_pack_plan *now = cs_pack_plan_create(in->tasks->count);
    enum cs_pack_approx_exit exit;
    struct state state;
    int states = 0;

    state_init(&state, in, context->scratch);
    for (;;) {
        cs_pack_make(in, state.procs, state.order, now, context->scratch);
        if (mode == CS_PACK_APPROX_EVERY)
            cs_pack_plan_share(in, now, context->scratch);
        if (states++ == 0 || now->total < plan->total)
            cs_pack_plan_copy(plan, now);
        exit = exit_of(&state);
        if (exit != GO_ON || cs_pack_expired(context))
            break;
        head_gets_one_more(&state);
    }
    cs_pack_plan_destroy(now);
    cs_pack_plan_note(plan, "iterations", NULL, states);
    cs_pack_plan_note(plan, "exit",
                      exit == BY_AREA ? "area"
                      : exit == BY_P  ? "p reached"
                                      : "time limit",
                      0);
}

static int plan_pack_approx(const struct cs_pack_instance *in,
                            const struct cs_policy_context *context, struct cs_pack_plan *plan)
{
    enum cs_pack_approx_mode mode = (enum cs_pack_approx_mode)context->param[0];
    bool two = context->param[1] == 1;

    (two ? cs_pack_approx_two : cs_pack_approx_every)(in, context, mode, plan);
    if (mode == CS_PACK_APPROX_END)
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
