/* lifetimes.h - the history of a pool of hosts: how long they stayed up, which fail more often than
 * the others, and how often they fail together.
 *
 * History is slots from .. to - 1 of some hosts of a fleet.  A life is a run of up slots that
 * begins there, was seen to begin (it is not the first of its host and follows no unknown slot),
 * and is cut off at `to`, at the end of the fleet and by unknown slots.
 */
#ifndef CS_VOLATILE_LIFETIMES_H
#define CS_VOLATILE_LIFETIMES_H

#include "problems/volatile/survival.h"

struct cs_volatile_history {
    const struct cs_fleet *fleet;
    int first, hosts; /* numbers first .. first + hosts - 1 */
    int64_t from, to; /* slots, 0 <= from < to <= those of the fleet */
};

/* *count of lives by host, then by time; they live in the arena. */
const struct cs_fleet_life *cs_volatile_lifetimes(const struct cs_volatile_history *history,
                                                  int64_t *count, struct cs_arena *arena);

/* The probability that, when one host goes down, another that is up does too. */
double cs_volatile_co_failure(const struct cs_volatile_history *history);

/* How many times faster than by the law a host fails, drawn towards 1 by two failures. */
double cs_volatile_frailty(const struct cs_volatile_history *history, int host,
                           const struct cs_volatile_survival *law);

/* Counts of slots: how many slots were known, and in how many it was up. */
struct cs_volatile_counters {
    double known, up;
    double leave; /* of the slots after up slots that are known, how many down, smoothed by 0.01 */
};

struct cs_volatile_counters cs_volatile_counters(const struct cs_volatile_history *history);

#endif
