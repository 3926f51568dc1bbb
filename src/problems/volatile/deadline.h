/* deadline.h - a job with a deadline on instances that may go (spot) and on some that do not (on
 * demand): which of them to take in each tick; spec/volatile.md III.6.
 *
 * At the start of a tick: on spot that is no longer there, the job is idle.  The policy chooses
 * idle, spot (idle when it is not there) or on demand.  To choose spot or on demand after anything
 * else costs `change` ticks without progress, which are paid.  No run is late when work + change <=
 * deadline: a choice that could make it late is replaced (spot that is there, after idle; else on
 * demand, to the end).
 */
#ifndef CS_VOLATILE_DEADLINE_H
#define CS_VOLATILE_DEADLINE_H

#include "base/arena.h"

#include <cosched/volatile.h>

/* The ticks of a trace, up to now. */
struct cs_volatile_spot_view {
    const struct cs_volatile_job *job;
    int64_t tick;          /* since the job began */
    int64_t left, pending; /* ticks of work, and of a change-over */
    enum cs_volatile_mode mode;
    bool there; /* is spot? */
    bool old;   /* has that been so for more than `young` ticks, this one included? */
};

/* The expected least cost by phase (2 there + old) and mode at the beginning of a job, and what to
 * choose on the way; lives in the arena.  NULL with err when it would take too much memory. */
struct cs_volatile_table;
struct cs_volatile_table *cs_volatile_table_create(const struct cs_volatile_job *job,
                                                   const struct cs_volatile_phases *phases,
                                                   struct cs_arena *arena, struct cs_error *err);
double cs_volatile_table_cost(const struct cs_volatile_table *table, int phase,
                              enum cs_volatile_mode mode);
enum cs_volatile_mode cs_volatile_table_choose(const struct cs_volatile_table *table,
                                               const struct cs_volatile_spot_view *view);

/* cs_volatile_buy of GREEDY, UNIFORM or TABLE with a job that was checked and, for TABLE, the table
 * of the phases, which serves any number of runs. */
void cs_volatile_buy_with(const struct cs_volatile_job *job,
                          const struct cs_volatile_market *market, int64_t from,
                          enum cs_volatile_buyer buyer, const struct cs_volatile_table *table,
                          int64_t young, struct cs_volatile_purchase *purchase,
                          unsigned char *mode);

/* The cheapest run for who knows the trace, which lasts until the deadline. */
double cs_volatile_clairvoyant_cost(const struct cs_volatile_job *job,
                                    const struct cs_volatile_market *market, int64_t from);

#define CS_VOLATILE_PHASES 4

#endif
