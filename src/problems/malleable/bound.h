/* bound.h - the least time in which work can be done on shares of the machine. */
#ifndef CS_MALLEABLE_BOUND_H
#define CS_MALLEABLE_BOUND_H

#include "problems/malleable/instance.h"

/* The lower convex envelope of processors over speed, for each task, on even counts. */
struct cs_malleable_hulls;

/* Lives in the arena, as the instance must. */
struct cs_malleable_hulls *cs_malleable_hulls_create(const struct cs_malleable_instance *instance,
                                                     struct cs_arena *arena);

/* Do the shares fit with which all tasks do what is left of them, alpha[task], in so many seconds?
 */
bool cs_malleable_hulls_fit(const struct cs_malleable_hulls *hulls, const double *alpha,
                            double seconds);

/* The least of these times; NULL: all of every task. */
double cs_malleable_hulls_least(const struct cs_malleable_hulls *hulls, const double *alpha);

/* The bound of spec/malleable.md 3, on shares that are any real number: never above
 * cs_malleable_lower_bound. */
double cs_malleable_fluid_bound(const struct cs_malleable_instance *instance);

#endif
