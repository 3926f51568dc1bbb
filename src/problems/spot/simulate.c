/* simulate.c - runs of one job, tick by tick.
 *
 * Source: spec/volatile.md III.6.
 * Idea: the policy proposes a mode; a mode after which the job could no longer end in time on
 * demand is replaced by spot (if that is available and safe), else by on demand until the end.
 * Invariants: with work + change <= deadline no run of any policy is late; after a forced change to
 * on demand there is no other change; each tick that is not idle is paid, change-overs included.
 * Complexity: O(ticks of the run) choices; run_find_age O(ticks before it).
 */
#include "problems/spot/simulate.h"

#include <math.h>

/* One job under way. */
struct run {
    const struct cs_spot_job *job;
    const struct cs_spot_market *market;
    const struct cs_spot_request *request;
    struct cs_spot_view view;
    int64_t from, age; /* age: ticks for which spot has been available, or away */
    bool last;         /* on demand to the end */
};

/* Work left after a tick of this choice. */
static int64_t left_after(const struct cs_spot_view *v, enum cs_spot_mode choice)
{
    int64_t pending = choice != v->mode ? v->job->change : v->pending;

    return choice == CS_SPOT_IDLE || pending > 0 ? v->left : v->left - 1;
}

/* Can the job still end in time on demand? */
static bool choice_safe(const struct cs_spot_view *v, enum cs_spot_mode choice)
{
    int64_t left = left_after(v, choice);

    return left <= 0 || v->job->deadline - v->tick - 1 >= left + v->job->change;
}

static enum cs_spot_mode run_choose(struct run *r)
{
    const struct cs_spot_view *v = &r->view;
    enum cs_spot_mode choice;

    if (r->last)
        return CS_SPOT_DEMAND;
    choice = r->request->policy->choose(r->request->plan, v);
    if (choice == CS_SPOT_SPOT && !v->there)
        choice = CS_SPOT_IDLE;
    if (choice == CS_SPOT_DEMAND || choice_safe(v, choice))
        return choice;
    if (choice == CS_SPOT_IDLE && v->there && choice_safe(v, CS_SPOT_SPOT))
        return CS_SPOT_SPOT;
    r->last = true;
    return CS_SPOT_DEMAND;
}

static double spot_price_at(const struct run *r, int64_t tick)
{
    return r->market->price && tick < r->market->ticks ? r->market->price[tick] : r->job->spot;
}

/* Update the view for the tick that begins. */
static void run_observe(struct run *r)
{
    struct cs_spot_view *v = &r->view;
    bool there = cs_spot_market_there(r->market, r->from + v->tick);

    r->age = there == v->there ? r->age + 1 : 1;
    v->there = there;
    v->old = r->age > r->request->young;
    if (v->mode == CS_SPOT_SPOT && !there) {
        v->mode = CS_SPOT_IDLE;
        v->pending = 0;
    }
}

static void run_tick(struct run *r, enum cs_spot_mode choice, struct cs_spot_outcome *o)
{
    struct cs_spot_view *v = &r->view;

    if (choice == CS_SPOT_IDLE) {
        v->pending = 0;
    } else if (choice != v->mode) {
        v->pending = r->job->change;
        o->starts++;
    }
    v->mode = choice;
    if (choice == CS_SPOT_IDLE)
        return;
    o->on_spot += choice == CS_SPOT_SPOT;
    o->on_demand += choice == CS_SPOT_DEMAND;
    o->cost += choice == CS_SPOT_SPOT ? spot_price_at(r, r->from + v->tick) : r->job->demand;
    if (v->pending > 0)
        v->pending--;
    else
        v->left--;
}

/* How long spot has been as it is in the tick before the job. */
static void run_find_age(struct run *r)
{
    bool there = r->from && cs_spot_market_there(r->market, r->from - 1);

    r->view.there = there;
    for (int64_t t = r->from; t > 0 && cs_spot_market_there(r->market, t - 1) == there; t--)
        r->age++;
}

void cs_spot_run(const struct cs_spot_job *job, const struct cs_spot_market *market, int64_t from,
                 const struct cs_spot_request *request, struct cs_spot_outcome *o,
                 unsigned char *mode)
{
    const struct cs_spot_policy *policy = request->policy;
    struct run r = {.job = job, .market = market, .request = request, .from = from};
    struct cs_spot_view *v = &r.view;

    *o = (struct cs_spot_outcome){.expected = NAN, .clairvoyant_cost = NAN};
    r.view = (struct cs_spot_view){.job = job, .left = job->work};
    run_find_age(&r);
    for (; v->left > 0; v->tick++) {
        enum cs_spot_mode choice;

        run_observe(&r);
        if (policy->expected && !v->tick)
            o->expected = policy->expected(request->plan, v);
        choice = run_choose(&r);
        if (mode)
            mode[v->tick] = (unsigned char)choice;
        run_tick(&r, choice, o);
    }
    o->end = v->tick;
    o->late = v->tick > job->deadline ? v->tick - job->deadline : 0;
}
