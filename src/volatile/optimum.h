/* optimum.h - the shortest schedule of who knows all states, where nothing is transferred.
 *
 * Without program and data an iteration leaves nothing behind, so the earliest end of one is the
 * best beginning of the next, and only the configuration that ends an iteration matters: hosts,
 * each between two slots in which it is down, that have room for all tasks and share the slots that
 * the slowest of them needs.  With one task at a host and equal speeds this is the paper's off-line
 * problem with mu = 1, iteration after iteration; with any number of tasks, that with mu =
 * infinity; speeds and capacities may also differ.  Unlike there, a host that goes down loses what
 * it has computed, as everywhere else in this folder.
 */
#ifndef CS_VOLATILE_OPTIMUM_H
#define CS_VOLATILE_OPTIMUM_H

#include "volatile/source.h"
#include "volatile/together.h"

/* The configuration with which an iteration ends. */
struct cs_volatile_stage {
    int64_t from, to; /* it computes in slot `from` first, and in `to - 1` last */
    int workload;     /* slots of computation */
    const int *tasks; /* by host */
};

struct cs_volatile_optimum {
    enum cs_volatile_answer answer; /* NO: nothing ends in time; OPEN: patience ended first */
    int64_t slots;                  /* the makespan; -1 without an answer YES */
    int stages;                     /* iterations that end in time */
    const struct cs_volatile_stage *stage;
    int64_t spent; /* words of slots that the search looked at */
};

/* The paper's name of the problem that the instance is when all states are known: "offline-1" (one
 * task at a host, equal speeds), "offline-inf" (any number), "offline" (another transfer-free one);
 * NULL when something is transferred. */
const char *cs_volatile_offline_name(const struct cs_volatile_instance *in);

/* For an instance without transfers.  The search ends after `patience` words of 64 slots, 0: never.
 * Stages live in the arena. */
struct cs_volatile_optimum cs_volatile_optimum_find(const struct cs_volatile_instance *in,
                                                    struct cs_volatile_source *source,
                                                    int64_t patience, struct cs_arena *arena);

#endif
