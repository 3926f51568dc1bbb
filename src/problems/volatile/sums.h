/* sums.h - sums over all times of products over the hosts of a set.
 *
 * Two methods, spec/volatile.md 3.3 (a) and (b): the expansion of the product into
 * 2^count exponentials, and fixed nodes for the whole platform.  Sets come as ascending hosts, so
 * that the same set always gives the same bits; products of a common beginning are kept from one
 * call to the next.
 */
#ifndef CS_VOLATILE_SUMS_H
#define CS_VOLATILE_SUMS_H

#include "base/arena.h"
#include "problems/volatile/chain.h"
#include "problems/volatile/instance.h"

struct cs_volatile_nodes {
    int count;
    const double *t, *weight;
};

struct cs_volatile_summer {
    int hosts;
    const struct cs_volatile_chain *chain; /* by host */
    const bool *stubborn; /* by host: a negative eigenvalue that fades too slowly for nodes */
    struct cs_volatile_nodes nodes;
    struct cs_arena *arena;
    double **up, **alive, **back;     /* by host, at each node; NULL until needed */
    struct cs_volatile_fold *terms;   /* private: products of the last expansion */
    struct cs_volatile_fold *product; /* and of the last sum over nodes */
};

/* Lives in the arena, and takes more of it when it meets a host for the first time. */
struct cs_volatile_summer *cs_volatile_summer_create(const struct cs_volatile_instance *in,
                                                     struct cs_arena *arena);

/* Eu and A.  When none of the hosts can ever be down, eu is +inf and `a` is the gap. */
struct cs_volatile_sums {
    double eu, a;
};
struct cs_volatile_sums cs_volatile_summer_of(struct cs_volatile_summer *summer, const int *host,
                                              int count);

/* The same by the one method and by the other; not for hosts that can never be down. */
struct cs_volatile_sums cs_volatile_summer_expand(struct cs_volatile_summer *summer,
                                                  const int *host, int count);
struct cs_volatile_sums cs_volatile_summer_nodes(struct cs_volatile_summer *summer, const int *host,
                                                 int count);

/* L: the mean number of slots, now included, before the first of the hosts is down; +inf when none
 * can be. */
double cs_volatile_summer_lifetime(struct cs_volatile_summer *summer, const int *host, int count);

/* Section 3.6: some of the hosts are reclaimed now, the others up.  `chance` is the probability
 * that all are up together some time before one is down, `wait` the mean number of slots until then
 * times that probability. */
struct cs_volatile_first {
    double chance, wait;
};
struct cs_volatile_first cs_volatile_summer_first(struct cs_volatile_summer *summer,
                                                  const int *host, int count,
                                                  const bool *reclaimed);

#endif
