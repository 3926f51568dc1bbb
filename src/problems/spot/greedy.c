/* greedy.c - spot while it is available, on demand only when time runs out.
 *
 * Source: spec/volatile.md III.6.
 * Idea: once on demand, stay; else spot if it is available, else wait.  The driver replaces the
 * wait when it is no longer safe.
 * Complexity: O(1) per tick.
 */
#include "problems/spot/policy.h"

static enum cs_spot_mode greedy_choose(const void *plan, const struct cs_spot_view *v)
{
    (void)plan;
    if (v->mode == CS_SPOT_DEMAND)
        return CS_SPOT_DEMAND;
    return v->there ? CS_SPOT_SPOT : CS_SPOT_IDLE;
}

const struct cs_spot_policy cs_spot_policy_greedy = {
    .info = {.name = "greedy",
             .problem = "spot",
             .summary = "spot while it is available; on demand only when time runs out",
             .source = "cosched, docs/spec/volatile.md III.6"},
    .choose = greedy_choose,
};
