/* replan.c - from the state of a simulation to a plan, and from the plan to the state. */
#include "malleable/simulate.h"

static void add_member(struct cs_malleable_simulation *s, int task, int faulty)
{
    const struct cs_malleable_state *state = &s->state[task];
    const struct cs_malleable_running *run = &s->running[task];
    struct cs_malleable_plan *plan = &s->plan;
    struct cs_malleable_member *m = &plan->member[plan->members];

    *m = (struct cs_malleable_member){
        .task = task,
        .now = state->procs,
        .share = state->procs,
        .alpha = state->alpha,
        .base = s->now,
        .finish = state->expected_finish,
        .expected = state->expected_finish,
        .running = run,
        .start = state->start,
    };
    if (task == faulty) {
        plan->faulty = plan->members;
        m->base = run->recovered;
        m->running = NULL;
    }
    plan->members++;
}

/* Who takes part (section 6): who computes, and the task that failed; not those that end before it
 * is back.  At a wake, who has just begun to compute takes part too. */
static void gather(struct cs_malleable_simulation *s, int faulty, bool wake)
{
    const double back = faulty >= 0 ? s->state[faulty].start : -INFINITY;

    s->plan.time = s->now;
    s->plan.members = 0;
    s->plan.faulty = -1;
    s->plan.free = s->free;
    for (int a = 0; a < s->actives; a++) {
        const struct cs_malleable_state *state = &s->state[s->active[a]];

        if (s->active[a] == faulty ||
            ((wake ? s->now >= state->start : s->now > state->start) && state->planned_end > back))
            add_member(s, s->active[a], faulty);
    }
}

/* A changed task moves its data and protects it with a checkpoint; the failed one after downtime
 * and recovery, which have begun already. */
static void change(struct cs_malleable_simulation *s, struct cs_malleable_member *m)
{
    const struct cs_malleable_rate *rate = &s->model->rate[m->task];
    struct cs_malleable_state *state = &s->state[m->task];
    struct cs_malleable_running *run = &s->running[m->task];
    const bool failed = s->plan.faulty >= 0 && m == &s->plan.member[s->plan.faulty];

    cs_malleable_look(&s->plan, m);
    run->moved = true;
    run->old_procs = m->now;
    run->old_alpha = state->alpha;
    if (!failed) {
        const struct cs_malleable_progress p = cs_malleable_progress(run, state->start, s->now);

        run->old_alpha = cs_malleable_saved(run, &p, state->alpha);
        run->attempt++;
        run->since = run->down_end = run->recovered = s->now;
    }
    state->procs = m->share;
    state->alpha = m->alpha;
    run->move_end = run->recovered + cs_malleable_rate_move(rate, m->now, m->share);
    state->start = run->move_end + rate->checkpoint / m->share;
    cs_malleable_restart(s, m->task);
}

/* First everybody gives back, then everybody takes, in task order; then moves begin. */
static int carry_out(struct cs_malleable_simulation *s)
{
    const struct cs_malleable_plan *plan = &s->plan;
    int changed = 0;

    for (int a = 0; a < plan->members; a++) {
        const struct cs_malleable_member *m = &plan->member[a];

        if (m->share == m->now)
            continue;
        changed++;
        if (a != plan->faulty)
            cs_malleable_account_close(&s->account, m->task, &s->state[m->task],
                                       &s->running[m->task], s->now, CS_MALLEABLE_CLOSE_CHANGED);
        if (m->share < m->now)
            cs_malleable_pairs_give(&s->pairs, m->task, (m->now - m->share) / 2);
        s->free += m->now - m->share;
    }
    for (int a = 0; a < plan->members && changed; a++) {
        struct cs_malleable_member *m = &plan->member[a];

        if (m->share > m->now)
            cs_malleable_pairs_take(&s->pairs, m->task, (m->share - m->now) / 2);
        if (m->share != m->now)
            change(s, m);
    }
    return changed;
}

int cs_malleable_replan(struct cs_malleable_simulation *s, const struct cs_malleable_policy *policy,
                        int faulty, bool wake)
{
    const struct cs_arena_mark mark = cs_arena_mark(s->arena);
    int changed;

    if (policy->only_free && s->free < 2)
        return 0;
    gather(s, faulty, wake);
    if (s->plan.members == 0)
        return 0;
    if (s->rules.hysteresis > 0 &&
        !cs_malleable_conceivable(&s->plan, s->rules.hysteresis, policy->only_free))
        return 0;
    policy->decide(&s->plan);
    if (policy->greedy && s->rules.minimal_disruption)
        cs_malleable_disrupt_less(&s->plan);
    cs_arena_rewind(s->arena, mark);
    if (s->rules.hysteresis > 0 && !cs_malleable_worthwhile(&s->plan, s->rules.hysteresis))
        return 0;
    changed = carry_out(s);
    s->outcome->plans += changed > 0;
    s->outcome->moved += changed;
    return changed;
}
