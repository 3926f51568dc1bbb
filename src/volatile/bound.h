/* bound.h - what nobody could beat who knew all states beforehand. */
#ifndef CS_VOLATILE_BOUND_H
#define CS_VOLATILE_BOUND_H

#include "volatile/source.h"

#include <stdbool.h>

/* A lower bound on the makespan of every schedule on these states, also of those that prefetch; -1
 * when none ends before the cap or the end of the states.
 *
 * A life of a host is a stretch of slots between two in which it is down.  An iteration of workload
 * W that runs in slots s .. e needs lives with room for all its tasks (a host holds at most W / w
 * of them) that share W up slots there; each of these lives has, up to e, up slots for the program,
 * and from s on up slots for the data of a task and W more; and all the data of the iteration are
 * sent before the last W of these slots.  Which W slots they are is relaxed: lives and slots that
 * cannot take part are dropped until nothing changes, and when nothing is left the iteration cannot
 * end by e.  The earliest end of an iteration is the earliest beginning of the next. */
int64_t cs_volatile_bound(const struct cs_volatile_instance *in, struct cs_volatile_source *source);

struct cs_volatile_limit {
    int64_t slots; /* no schedule is shorter; -1: none ends in time */
    bool optimum;  /* and one is as long: it is that of optimum.h */
};

/* The exact optimum where nothing is transferred and the search for it (optimum.h) ends within
 * `patience` words of slots, else the bound.  Patience 0 does not search, INT64_MAX to the end. */
struct cs_volatile_limit cs_volatile_limit(const struct cs_volatile_instance *in,
                                           struct cs_volatile_source *source, int64_t patience);

#endif
