/* bound.h - a lower bound on the slots of any schedule, for all states known beforehand. */
#ifndef CS_VOLATILE_BOUND_H
#define CS_VOLATILE_BOUND_H

#include "problems/volatile/source.h"

#include <stdbool.h>

struct cs_volatile_limit {
    int64_t slots; /* no schedule is shorter; -1: none ends in time */
    bool optimum;  /* no transfers, and a schedule is as long, or no schedule exists */
};

/* With checkpoints the bound of bound.c, else what optimum.h finds within `patience` words of
 * slots; 0 does not search, and takes for possible what a look at each host and slot does not
 * exclude. */
struct cs_volatile_limit cs_volatile_limit(const struct cs_volatile_instance *in,
                                           struct cs_volatile_source *source, int64_t patience);

/* Without a search. */
int64_t cs_volatile_bound(const struct cs_volatile_instance *in, struct cs_volatile_source *source);

#endif
