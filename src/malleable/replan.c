/* replan.c - from the state of a simulation to a plan, and from the plan to the state. */
#include "malleable/simulate.h"

/* A changed task moves its data and protects it with a checkpoint; the failed one after downtime
 * and recovery, which have begun already. */
static void change(struct cs_malleable_simulation *s, const struct cs_malleable_member *m)
{
    const struct cs_malleable_rate *rate = &s->model->rate[m->task];
    struct cs_malleable_state *state = &s->state[m->task];
    struct cs_malleable_running *run = &s->running[m->task];
    const bool failed = s->plan.faulty >= 0 && m == &s->plan.member[s->plan.faulty];

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
    struct cs_malleable_plan *plan = &s->plan;
    int changed = 0;

    for (int a = cs_malleable_next_met(plan, 0); a >= 0; a = cs_malleable_next_met(plan, a + 1)) {
        const struct cs_malleable_member *m = &plan->member[a];

        if (m->share == m->now)
            continue;
        plan->row[changed++] = a;
        if (a != plan->faulty)
            cs_malleable_account_close(&s->account, m->task, &s->state[m->task],
                                       &s->running[m->task], s->now, CS_MALLEABLE_CLOSE_CHANGED);
        if (m->share < m->now)
            cs_malleable_pairs_give(&s->pairs, m->task, (m->now - m->share) / 2);
        s->free += m->now - m->share;
    }
    for (int c = 0; c < changed; c++) {
        const struct cs_malleable_member *m = &plan->member[plan->row[c]];

        if (m->share > m->now)
            cs_malleable_pairs_take(&s->pairs, m->task, (m->share - m->now) / 2);
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
    s->plan.free = s->free;
    cs_malleable_plan_gather(&s->plan, s->now, faulty, wake);
    if (!(s->plan.latest > -INFINITY))
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
