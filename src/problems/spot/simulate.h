/* simulate.h - one run of a job: a policy proposes a mode in each tick, the driver keeps the
 * deadline, pays and counts; spec/volatile.md III.6.
 *
 * At the start of a tick, a job on spot that is no longer available is idle.  The policy chooses
 * idle, spot (idle if it is not available) or on demand.  A start on other instances costs `change`
 * ticks without progress, which are paid.  No run is late when work + change <= deadline: a choice
 * that could make it late is replaced (after idle by spot, if that is available and safe; else by
 * on demand, until the end).
 */
#ifndef CS_SPOT_SIMULATE_H
#define CS_SPOT_SIMULATE_H

#include "problems/spot/policy.h"

struct cs_spot_outcome {
    double cost;
    int64_t end;                /* ticks until the job ended */
    int64_t late;               /* of them, after the deadline */
    int64_t starts;             /* on spot or on demand */
    int64_t on_spot, on_demand; /* ticks paid */
    double expected;            /* the cost that the policy's plan expects at the start, or NaN */
    double clairvoyant_cost;    /* of the cheapest run in time; set by the caller */
};

/* How the job is run. */
struct cs_spot_request {
    const struct cs_spot_policy *policy;
    const void *plan; /* of policy->prepare, or NULL */
    int64_t young;    /* of the phases */
};

/* The job, which was checked, starts at tick `from` of the market.  mode, NULL or capacity for as
 * many ticks as the job can take (its work, deadline and change together), receives the mode of
 * each tick up to the end. */
void cs_spot_run(const struct cs_spot_job *job, const struct cs_spot_market *market, int64_t from,
                 const struct cs_spot_request *request, struct cs_spot_outcome *outcome,
                 unsigned char *mode);

#endif
