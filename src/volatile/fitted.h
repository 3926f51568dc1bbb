/* fitted.h - what policies believe of hosts after having watched them for a while. */
#ifndef CS_VOLATILE_FITTED_H
#define CS_VOLATILE_FITTED_H

#include "volatile/study.h"

struct cs_volatile_fitted {
    const struct cs_fleet *history;        /* lives in the arena */
    struct cs_volatile_instance *instance; /* the caller destroys it */
};

/* The first `history` slots that the world shows in a trial of its own, which is none of those
 * below 2^62, and the same hosts and application with chains that were fitted (fit.h) to them.  -1
 * with err as in volatile.h. */
int cs_volatile_fit_history(const struct cs_volatile_instance *truth,
                            const struct cs_volatile_world *world, uint64_t seed, int64_t history,
                            struct cs_arena *arena, struct cs_volatile_fitted *fitted,
                            struct cs_error *err);

#endif
