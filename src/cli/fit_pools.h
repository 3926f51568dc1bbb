/* fit_pools.h - what a fleet says of its pools, as tables. */
#ifndef CS_CLI_FIT_POOLS_H
#define CS_CLI_FIT_POOLS_H

#include "base/strbuf.h"
#include "report/table.h"

#include <cosched/fleet.h>
#include <jansson.h>

/* Append `laws`, what cs_volatile_laws tells of the pools of the fleet when forecasts are judged by
 * so many slots (0: parts of the mean life of each pool in the first half): a page of text, or a
 * table of CSV. */
void cs_fit_pools_put(const struct cs_fleet *fleet, int64_t workload, const json_t *laws,
                      enum cs_table_format format, struct cs_strbuf *out);

#endif
