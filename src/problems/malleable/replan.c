/* replan.c - from the state of a simulation to a plan, and from the plan to the state.
 *
 * Source: spec/malleable.md 7 (Applying a plan) and the timeline of section 4.
 *
 * Idea: the dispatcher lists the changes; tasks that shrink return their highest pairs before
 * tasks that grow take the lowest free ones, both in task order.
 *
 * Invariants: a changed task keeps its last checkpoint (old_procs, old_alpha) until `start`,
 * since a failure in the checkpoint of the move returns to it; unchanged tasks keep stretch and
 * checkpoint phase; free processors and pairs agree after the second loop.
 *
 * Complexity: O(log n) for each change and the cost of pairs.c for each pair moved.
 */
#include "base/clock.h"
#include "problems/malleable/simulate.h"

/* A changed task moves its data and protects it with a checkpoint; the failed one after downtime
 * and recovery, which have begun already. */
static void replan_change(struct cs_malleable_simulation *s, const struct cs_malleable_member *m)
{
    const struct cs_malleable_rate *rate = &s->dispatcher.model->rate[m->task];
    struct cs_malleable_state *state = &s->dispatcher.state[m->task];
    struct cs_malleable_running *run = &s->dispatcher.running[m->task];
    const bool failed = s->dispatcher.plan.faulty >= 0 &&
                        m == &s->dispatcher.plan.member[s->dispatcher.plan.faulty];

    run->moved = true;
    run->old_procs = m->now;
    run->old_alpha = state->alpha;
    if (!failed) {
        const struct cs_malleable_progress p = cs_malleable_progress(run, state->start, s->now);

        run->old_alpha = cs_malleable_saved(run, &p, state->alpha);
        run->attempt++;
        run->since = run->down_end = run->recovered = s->now;
    }
    run->done = -1;
    state->procs = m->share;
    state->alpha = m->alpha;
    run->move_end = run->recovered + cs_malleable_rate_move(rate, m->now, m->share);
    state->start = run->move_end + rate->checkpoint / m->share;
    cs_malleable_restart(s, m->task);
}

/* First all shrinking tasks return pairs, then all growing tasks take theirs, in task order; the
 * move of a task begins when it has its pairs. */
static void carry_out(struct cs_malleable_simulation *s, int changes)
{
    const struct cs_malleable_plan *plan = &s->dispatcher.plan;

    for (int c = 0; c < changes; c++) {
        const struct cs_malleable_member *m = &plan->member[plan->row[c]];

        if (plan->row[c] != plan->faulty)
            cs_malleable_account_close(&s->account, m->task, &s->dispatcher.state[m->task],
                                       &s->dispatcher.running[m->task], s->now,
                                       CS_MALLEABLE_CLOSE_CHANGED);
        if (m->share < m->now)
            cs_malleable_pairs_give(&s->pairs, m->task, (m->now - m->share) / 2);
        s->dispatcher.free += m->now - m->share;
    }
    for (int c = 0; c < changes; c++) {
        const struct cs_malleable_member *m = &plan->member[plan->row[c]];

        if (m->share > m->now)
            cs_malleable_pairs_take(&s->pairs, m->task, (m->share - m->now) / 2);
        replan_change(s, m);
    }
}

/* The decision of this date, by task; NULL: none, all keep their processors. */
static const int *decided_now(struct cs_malleable_simulation *s)
{
    const struct cs_malleable_optimum *o = s->followed;

    while (s->decision < o->choices && o->choice[s->decision].time < s->now)
        s->decision++;
    return s->decision < o->choices && o->choice[s->decision].time <= s->now
               ? o->choice[s->decision++].procs
               : NULL;
}

static void follow_decision(struct cs_malleable_plan *plan)
{
    for (int a = 0; a < plan->rows->count; a++)
        if (plan->expected[a] > -INFINITY)
            cs_malleable_meet(plan, a)->share = plan->decided[plan->rows->task[a]];
}

const struct cs_malleable_policy cs_malleable_following = {.decide = follow_decision};

int cs_malleable_replan(struct cs_malleable_simulation *s, const struct cs_malleable_policy *policy,
                        int faulty, bool wake)
{
    const double began = s->timed ? cs_clock_now() : 0;
    int changes;

    if (s->followed) {
        s->dispatcher.plan.decided = decided_now(s);
        if (!s->dispatcher.plan.decided)
            return 0;
    }
    changes = cs_malleable_dispatcher_decide(&s->dispatcher, policy, s->now, faulty, wake);
    if (s->timed)
        s->planned += cs_clock_now() - began;
    carry_out(s, changes);
    s->outcome->plans += changes > 0;
    s->outcome->moved += changes;
    return changes;
}
