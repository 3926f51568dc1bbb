/* policy.h - the interface of a policy for malleable tasks.
 *
 * A policy is called when a task ends, or when a failure has made a task the longest.  It is given
 * a plan (plan.h): the tasks whose processors may change, with the data that a real system has -
 * their processors, the work that is left, their expected finish - and the free processors; it sets
 * how many processors each shall have.  A driver applies the plan: the simulator in virtual time
 * (simulate.c), or a run of real processes (src/run).
 *
 * To add a policy: one .c file here, one line in policies.def, one line in meson.build.
 */
#ifndef CS_MALLEABLE_POLICY_H
#define CS_MALLEABLE_POLICY_H

#include "model/policy.h"
#include "problems/malleable/plan.h"

struct cs_malleable_policy {
    struct cs_policy info;
    bool greedy;    /* plans from scratch: minimal disruption makes sense */
    bool only_free; /* takes free processors only */
    /* Set the shares of the plan; NULL: never plans. */
    void (*decide)(struct cs_malleable_plan *plan);
};

const struct cs_malleable_policy *cs_malleable_end_policy(int index);
const struct cs_malleable_policy *cs_malleable_failure_policy(int index);

#endif
