/* table.h - least expected cost by dynamic programming, and the clairvoyant cost. */
#ifndef CS_SPOT_TABLE_H
#define CS_SPOT_TABLE_H

#include "problems/spot/policy.h"

/* The least expected cost by phase (2 available + old) and mode at the start of a job, and the
 * choices of all later states; lives in the arena.  NULL with err when it would take too much
 * memory. */
struct cs_spot_table;
struct cs_spot_table *cs_spot_table_create(const struct cs_spot_job *job,
                                           const struct cs_spot_phases *phases,
                                           struct cs_arena *arena, struct cs_error *err);
double cs_spot_table_cost(const struct cs_spot_table *table, int phase, enum cs_spot_mode mode);

/* The cost of the cheapest run in time when the trace is known, which lasts until the deadline. */
double cs_spot_clairvoyant_cost(const struct cs_spot_job *job, const struct cs_spot_market *market,
                                int64_t from);

#endif
