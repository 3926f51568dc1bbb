/* uniform.c - as much work done at any time as the time passed would need on average.
 *
 * Source: Uniform Progress of Wu et al., "Can't Be Late: Optimizing Spot Instance Savings under
 * Deadlines", NSDI 2024; spec/volatile.md III.6, with the safety net of the driver in place of the
 * paper's.
 * Idea: spot if it is available; else on demand while the work done is below work / deadline of the
 * time, and until it is ahead by two change-overs.
 * Complexity: O(1) per tick.
 *
 * Constant: SLACK 1e-9 ticks of work, against rounding (III.6; half and double: not measured).
 */
#include "problems/spot/policy.h"

#define SLACK 1e-9

static enum cs_spot_mode uniform_choose(const void *plan, const struct cs_spot_view *v)
{
    double pace = (double)v->job->work / (double)v->job->deadline;
    double done = (double)(v->job->work - v->left), tick = (double)v->tick;

    (void)plan;
    if (v->there)
        return CS_SPOT_SPOT;
    if (v->mode == CS_SPOT_DEMAND)
        return done >= pace * (tick + 2 * (double)v->job->change) - SLACK ? CS_SPOT_IDLE
                                                                          : CS_SPOT_DEMAND;
    return done < pace * tick - SLACK ? CS_SPOT_DEMAND : CS_SPOT_IDLE;
}

const struct cs_spot_policy cs_spot_policy_uniform = {
    .info = {.name = "uniform",
             .problem = "spot",
             .summary = "progress at the pace of the deadline",
             .source = "Uniform Progress: Wu et al., \"Can't Be Late\", NSDI 2024"},
    .choose = uniform_choose,
};
