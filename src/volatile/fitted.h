/* fitted.h - what policies believe of hosts after having watched them for a while. */
#ifndef CS_VOLATILE_FITTED_H
#define CS_VOLATILE_FITTED_H

#include "volatile/study.h"

/* The same hosts and application with chains that were fitted (fit.h) to the first
 * `history` slots that the world shows in a trial of its own, which is none of those below 2^62.
 * NULL with err as in volatile.h.  The caller destroys it. */
struct cs_volatile_instance *cs_volatile_fitted(const struct cs_volatile_instance *truth,
                                                const struct cs_volatile_world *world,
                                                uint64_t seed, int64_t history,
                                                struct cs_error *err);

#endif
