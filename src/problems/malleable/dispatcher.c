/* dispatcher.c - from what is known to a plan, and to the changes that it requests.
 *
 * Source: spec/malleable.md 4 (planned end, tU) and 6; the order of the filters is ours.
 *
 * Idea: (1) no free pair and a policy that only uses those: no plan; (2) hysteresis cannot be
 * met: no plan; (3) the policy sets shares; (4) a greedy plan returns allocations that it does
 * not need; (5) the plan is dropped if the expected maximum falls by too little.
 *
 * Invariants: tU is at least the planned end (section 14, trap 3), which is required at each
 * begin; the state of tasks does not change here, the driver applies the changes.
 *
 * Complexity: O(n) to gather members, then the policy; a refusal by (1) is O(1).
 *
 * | constant | value | unit | how found | at half, at double |
 * |----------|-------|------|-----------|--------------------|
 * | 1e-9 | 1e-9 | ratio | rounding of tU against the planned end | not measured |
 * | LEAST_SHARE | 1e-12 | share | rounding of the work left of patterns | not measured |
 * | NOTHING | 1e-280 | s | shorter times vanish when multiplied by lambda | not measured |
 */
#include "problems/malleable/dispatcher.h"

#include "base/bug.h"

/* Seconds that are lost when they are multiplied with the rate of failures. */
#define NOTHING 1e-280

/* Of a task that moves during its last checkpoint only rounding errors are left. */
#define LEAST_SHARE 1e-12

void cs_malleable_dispatcher_init(struct cs_malleable_dispatcher *dispatcher,
                                  const struct cs_malleable_instance *in,
                                  const struct cs_malleable_rules *rules, struct cs_arena *arena)
{
    *dispatcher = (struct cs_malleable_dispatcher){
        .rules = *rules,
        .model = cs_malleable_model_create(in, rules, arena),
        .state = CS_NEW_ARRAY(arena, struct cs_malleable_state, in->tasks),
        .running = CS_NEW_ARRAY(arena, struct cs_malleable_running, in->tasks),
    };
    cs_malleable_rows_init(&dispatcher->rows, in->tasks, arena);
    cs_malleable_plan_init(&dispatcher->plan, in->tasks, arena);
    dispatcher->plan.model = dispatcher->model;
    dispatcher->plan.rows = &dispatcher->rows;
    dispatcher->plan.state = dispatcher->state;
    dispatcher->plan.running = dispatcher->running;
}

/* The patterns of what is left; those of a task that was rolled back continue. */
static void begin_patterns(const struct cs_malleable_model *model, int task,
                           struct cs_malleable_state *state, struct cs_malleable_running *run)
{
    struct cs_pattern_layout *l = &run->layout;

    if (run->done < 0) {
        if (state->alpha < LEAST_SHARE)
            state->alpha = 0;
        *l = cs_malleable_model_patterns(model, task, state->procs, state->alpha);
        run->begun = state->alpha;
        run->done = 0;
    }
    state->planned_end = state->start + (cs_pattern_time_before(l, cs_pattern_segments(l)) -
                                         cs_pattern_time_before(l, run->done));
    state->expected_finish = state->start + cs_pattern_expected_from(l, run->done);
}

void cs_malleable_dispatcher_begin(struct cs_malleable_dispatcher *dispatcher, int task)
{
    const struct cs_malleable_rate *rate = &dispatcher->model->rate[task];
    struct cs_malleable_state *state = &dispatcher->state[task];
    struct cs_malleable_running *run = &dispatcher->running[task];

    run->seconds = cs_malleable_rate_time(rate, state->procs);
    run->pieces = cs_malleable_model_pieces(dispatcher->model, task, state->procs, state->alpha);
    run->period = run->pieces.work + rate->checkpoint / state->procs;
    state->planned_end = state->start + run->pieces.last;
    if (run->pieces.pieces > 0)
        state->planned_end += run->pieces.pieces * run->period;
    if (dispatcher->model->form)
        begin_patterns(dispatcher->model, task, state, run);
    else
        state->expected_finish =
            state->start +
            cs_malleable_model_expected(dispatcher->model, task, state->procs, state->alpha);
    CS_REQUIRE(state->expected_finish >= state->planned_end * (1 - 1e-9) - NOTHING);
    cs_malleable_rows_set(&dispatcher->rows, task, rate, state, run->seconds);
}

double cs_malleable_dispatcher_left(const struct cs_malleable_dispatcher *dispatcher, int task,
                                    double time)
{
    const struct cs_malleable_running *run = &dispatcher->running[task];
    const struct cs_malleable_state *state = &dispatcher->state[task];
    const struct cs_malleable_progress p =
        cs_malleable_progress(run, state->start, cs_malleable_larger(time, state->start));

    return cs_malleable_live(run, &p, state->alpha);
}

void cs_malleable_dispatcher_withdraw(struct cs_malleable_dispatcher *dispatcher, int task)
{
    dispatcher->rows.column[CS_ROW_START][dispatcher->rows.row[task]] = INFINITY;
}

void cs_malleable_dispatcher_leave(struct cs_malleable_dispatcher *dispatcher, int task)
{
    struct cs_malleable_state *state = &dispatcher->state[task];

    dispatcher->free += state->procs;
    state->procs = 0;
    state->alpha = 0;
    state->expected_finish = state->planned_end;
    cs_malleable_rows_remove(&dispatcher->rows, task);
}

void cs_malleable_dispatcher_cost(struct cs_malleable_dispatcher *dispatcher, int task,
                                  double checkpoint, double data)
{
    cs_malleable_model_cost(dispatcher->model, &dispatcher->rules, task, checkpoint, data);
    cs_malleable_rows_rate(&dispatcher->rows, dispatcher->rows.row[task],
                           &dispatcher->model->rate[task]);
}

bool cs_malleable_dispatcher_is_last(const struct cs_malleable_dispatcher *dispatcher, int task)
{
    return !(
        cs_malleable_rows_largest(dispatcher->rows.column[CS_ROW_FINISH], dispatcher->rows.count) >
        dispatcher->state[task].expected_finish);
}

/* The rows whose processors change, into plan->row. */
static int list_changes(struct cs_malleable_plan *plan)
{
    int changes = 0;

    for (int a = cs_malleable_next_met(plan, 0); a >= 0; a = cs_malleable_next_met(plan, a + 1))
        if (plan->member[a].share != plan->member[a].now)
            plan->row[changes++] = a;
    return changes;
}

int cs_malleable_dispatcher_decide(struct cs_malleable_dispatcher *dispatcher,
                                   const struct cs_malleable_policy *policy, double time,
                                   int faulty, bool wake)
{
    struct cs_malleable_plan *plan = &dispatcher->plan;
    const struct cs_arena_mark mark = cs_arena_mark(plan->scratch);
    const double hysteresis = dispatcher->rules.hysteresis;

    if (policy->only_free && dispatcher->free < 2)
        return 0;
    plan->free = dispatcher->free;
    cs_malleable_plan_gather(plan, time, faulty, wake);
    if (!(plan->latest > -INFINITY))
        return 0;
    if (hysteresis > 0 && !cs_malleable_conceivable(plan, hysteresis, policy->only_free))
        return 0;
    policy->decide(plan);
    if (policy->greedy && dispatcher->rules.minimal_disruption)
        cs_malleable_disrupt_less(plan);
    cs_arena_rewind(plan->scratch, mark);
    if (hysteresis > 0 && !cs_malleable_worthwhile(plan, hysteresis))
        return 0;
    return list_changes(plan);
}
