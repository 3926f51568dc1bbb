/* spot_kit.h - one run of a job on a market, from its numbers alone. */
#ifndef CS_TESTS_SPOT_KIT_H
#define CS_TESTS_SPOT_KIT_H

#include "problems/spot/simulate.h"
#include "problems/spot/table.h"

enum { KIT_GREEDY, KIT_UNIFORM, KIT_TABLE, KIT_SPOT_POLICIES };

/* Check the job, prepare the policy, run it; outcome->clairvoyant_cost is set too. */
static inline int kit_spot_run(const struct cs_spot_job *job, const struct cs_spot_market *market,
                               int64_t from, int policy, const struct cs_spot_phases *phases,
                               struct cs_spot_outcome *outcome, unsigned char *mode,
                               struct cs_error *err)
{
    struct cs_spot_request request = {.policy = cs_spot_policy_at(policy), .young = phases->young};
    struct cs_arena *arena;
    int status = cs_spot_job_check(job, market, from, err);

    if (status)
        return -1;
    arena = cs_arena_create();
    if (request.policy->prepare) {
        request.plan = request.policy->prepare(job, phases, arena, err);
        status = request.plan ? 0 : -1;
    }
    if (!status) {
        cs_spot_run(job, market, from, &request, outcome, mode);
        outcome->clairvoyant_cost = cs_spot_clairvoyant_cost(job, market, from);
    }
    cs_arena_destroy(arena);
    return status;
}

#endif
