/* optimum.h - the shortest clairvoyant schedule (all states known), or a bound on it.
 *
 * A lifetime of a host is a stretch of slots between two in which it is down.  An iteration of
 * workload W that runs in slots s .. e needs lifetimes, one for each of its hosts, with capacity
 * for all its tasks (a host holds at most W / w of them), that share W slots in which all are up.
 *
 * Without program and data this condition is sufficient, and no state is carried over: the earliest
 * end of an iteration is the best beginning of the next, and the result is the optimum.  With one
 * task at a host and equal speeds this is the paper's off-line problem with mu = 1, iteration after
 * iteration; with any number of tasks, that with mu = infinity; speeds and capacities may also
 * differ.  Unlike there, a host that goes down loses its computed slots, as everywhere else in
 * this folder.
 *
 * With transfers it is a bound, also on schedules that prefetch: the W slots of a lifetime come
 * after slots in which the host was up for the program (since its beginning) and for the data of a
 * task (since s), and after as many slots as all the data of the iteration take.  The assignment of
 * transfers to hosts is relaxed.
 */
#ifndef CS_VOLATILE_OPTIMUM_H
#define CS_VOLATILE_OPTIMUM_H

#include "problems/volatile/source.h"
#include "problems/volatile/together.h"

#include <stdbool.h>

/* The configuration with which an iteration ends. */
struct cs_volatile_stage {
    int64_t from, to; /* it computes in slot `from` first, and in `to - 1` last */
    int workload;     /* slots of computation */
    const int *tasks; /* by host */
};

struct cs_volatile_optimum {
    int64_t slots; /* no schedule is shorter; -1: none ends in time */
    bool exact;    /* no transfers, and a schedule of that length exists, or none ends */
    /* The iterations, when it is exact: of a schedule as long, or as many as can end in time. */
    int stages;
    const struct cs_volatile_stage *stage;
    int64_t spent; /* words of slots that the search examined */
};

/* The paper's name of the problem that the instance is when all states are known: "offline-1" (one
 * task at a host, equal speeds), "offline-inf" (any number), "offline" (another transfer-free one);
 * NULL when something is transferred, or saved. */
const char *cs_volatile_offline_name(const struct cs_volatile_instance *in);

/* After `patience` words of 64 slots (0: no limit) the search counts every condition that it would
 * have to search for as possible: then the result is a bound.  Stages live in the arena. */
struct cs_volatile_optimum cs_volatile_optimum_find(const struct cs_volatile_instance *in,
                                                    struct cs_volatile_source *source,
                                                    int64_t patience, struct cs_arena *arena);

#endif
