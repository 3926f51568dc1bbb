/* fit_pools.h - what a fleet says of its pools: laws of lives, co-failure, and how well beliefs
 * foretell its second half.
 */
#ifndef CS_CLI_FIT_POOLS_H
#define CS_CLI_FIT_POOLS_H

#include "base/strbuf.h"
#include "cli/base/format.h"

#include <cosched/volatile.h>

struct cs_fit_pools {
    const struct cs_fleet *fleet;
    enum cs_volatile_model model; /* that is shown beside the chains; not AUTO */
    enum cs_volatile_pooling pooling;
    int64_t workload; /* slots to stay; 0: parts of the mean life of each pool */
    enum cs_format format;
};

/* Append the report.  -1 with err: the fleet is too short. */
int cs_fit_pools_put(const struct cs_fit_pools *asked, struct cs_strbuf *out, struct cs_error *err);

#endif
