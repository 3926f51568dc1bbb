/* sets.h - statistics of sets of hosts that must be up together, computed once for each set.
 *
 * For a set S whose hosts are all up now, with U(t) the probability that all are up after t slots
 * and none was down between, Eu = sum U(t) and A = sum t U(t) over t >= 1 (section 3.2):
 *
 *     P+  = Eu / (1 + Eu)          they are all up again before one is down
 *     Ec  = A / (1 + Eu)^2         sum of t f(t), f the law of the next such slot
 *     gap = Ec / P+                its mean, given that it comes
 *     L                            mean number of slots before the first down
 *
 * Sets are numbers from 0, the empty set, on; they are found by adding one host at a time, and what
 * is known of a set does not depend on the order.  Sums are expansions into 2^|S| exponentials for
 * few hosts and sums over fixed nodes for many.
 */
#ifndef CS_VOLATILE_SETS_H
#define CS_VOLATILE_SETS_H

#include "problems/volatile/sums.h"

struct cs_volatile_set {
    double loss;     /* -log P+, from 0 to +inf */
    double partial;  /* Ec */
    double gap;      /* NaN when P+ is 0 */
    double lifetime; /* L; NaN before cs_volatile_sets_lifetime */
};

struct cs_volatile_sets;

/* Everything lives in the arena but the sets themselves. */
struct cs_volatile_sets *cs_volatile_sets_create(const struct cs_volatile_instance *in);
void cs_volatile_sets_destroy(struct cs_volatile_sets *sets);

const struct cs_volatile_chain *cs_volatile_sets_chain(const struct cs_volatile_sets *sets,
                                                       int host);

/* Forget all sets when there are very many: true when numbers of sets are no longer valid. */
bool cs_volatile_sets_relieve(struct cs_volatile_sets *sets);

/* The set with one host more, which it does not have yet. */
int cs_volatile_sets_add(struct cs_volatile_sets *sets, int set, int host);

const struct cs_volatile_set *cs_volatile_sets_get(const struct cs_volatile_sets *sets, int set);
double cs_volatile_sets_lifetime(struct cs_volatile_sets *sets, int set);

/* Hosts of a set, ascending; *count of them. */
const int *cs_volatile_sets_members(const struct cs_volatile_sets *sets, int set, int *count);

/* How many sets have been computed. */
int64_t cs_volatile_sets_computed(const struct cs_volatile_sets *sets);

/* The summer of the sets: for other sums over the same hosts. */
struct cs_volatile_summer *cs_volatile_sets_summer(const struct cs_volatile_sets *sets);

/* cs_volatile_summer_first of a set. */
struct cs_volatile_first cs_volatile_sets_first(struct cs_volatile_sets *sets, int set,
                                                const bool *reclaimed);

#endif
