/* policy.h - a policy of the problem spot: one file each, listed in policies.def.
 *
 * In each tick a policy chooses idle, spot or on demand from the view, which has nothing of the
 * future.  A choice that could make the job late is replaced by the driver (simulate.c), so a
 * policy needs no safety net.
 */
#ifndef CS_SPOT_POLICY_H
#define CS_SPOT_POLICY_H

#include "base/arena.h"
#include "model/policy.h"
#include "problems/spot/instance.h"

/* The start of a tick. */
struct cs_spot_view {
    const struct cs_spot_job *job;
    int64_t tick;          /* since the start of the job */
    int64_t left, pending; /* ticks of work, and of a change-over */
    enum cs_spot_mode mode;
    bool there; /* is spot available? */
    bool old;   /* has that been so for more than `young` ticks, this one included? */
};

struct cs_spot_policy {
    struct cs_policy info;

    /* A plan for the job on a market of these phases, for any number of runs; lives in the arena.
     * NULL with err.  NULL: the policy needs none. */
    void *(*prepare)(const struct cs_spot_job *job, const struct cs_spot_phases *phases,
                     struct cs_arena *arena, struct cs_error *err);
    enum cs_spot_mode (*choose)(const void *plan, const struct cs_spot_view *view);

    /* The cost that the plan expects at the start; NULL: none. */
    double (*expected)(const void *plan, const struct cs_spot_view *view);
};

const struct cs_policy *const *cs_spot_policies(int *count);
const struct cs_spot_policy *cs_spot_policy_at(int index);

#endif
