/* chain.h - probabilities of the Markov chain of one host, without cancellation.
 *
 * The chain restricted to up and reclaimed has the eigenvalues 1 - y1 >= 1 - y2; y1 and y2 are
 * computed from the rates themselves, so that a host that fails once in 1e7 slots loses no digits.
 * Times are in slots and may be real; spec/volatile.md 3.1 and 3.5.
 */
#ifndef CS_VOLATILE_CHAIN_H
#define CS_VOLATILE_CHAIN_H

#include "problems/volatile/volatile.h"

struct cs_volatile_chain {
    double reclaim;     /* u to r */
    double restore;     /* r to u */
    double y1, y2;      /* 0 <= y1 <= y2 <= 2 */
    double log1, log2;  /* of the sizes of the eigenvalues, |1 - y| */
    double distance;    /* D = y2 - y1 */
    double mu, nu;      /* P(u ->t u) = mu (1 - y1)^t + nu (1 - y2)^t */
    double alpha, beta; /* P_ND(t) = alpha (1 - y1)^t + beta (1 - y2)^t, where D > 1e-6 */
};

/* Only what leaves a state is examined. */
void cs_volatile_chain_init(struct cs_volatile_chain *chain,
                            const double p[CS_VOLATILE_STATES][CS_VOLATILE_STATES]);

/* Up after t slots and never down between, from up and from reclaimed.  Where an eigenvalue is
 * negative its power is 0 for a t that is not whole. */
double cs_volatile_chain_up(const struct cs_volatile_chain *chain, double t);
double cs_volatile_chain_return(const struct cs_volatile_chain *chain, double t);

/* P_ND: not down in the t slots after an up slot.  Where an eigenvalue is negative, the geometric
 * interpolation between whole t. */
double cs_volatile_chain_alive(const struct cs_volatile_chain *chain, double t);

/* The long-run share of each state. */
void cs_volatile_chain_stationary(const double p[CS_VOLATILE_STATES][CS_VOLATILE_STATES],
                                  double share[CS_VOLATILE_STATES]);

#endif
