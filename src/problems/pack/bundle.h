/* bundle.h - the linear program over all packs by a proximal bundle method.
 *
 * A round finds the packs that are worth more than they cost at the prices of an interior point
 * (interior.h), which is held near the best prices so far, the centre: those that prove most.
 * Farley's bound holds at any prices; where it is better, they are the next centre.  Each round
 * adds the best pack of each stretch of costs, and packs without a task in common, of costs drawn
 * by their weight, so that every task gets information.  A thousand tasks take some dozens of
 * rounds, where column generation by a simplex method takes thousands.
 */
#ifndef CS_PACK_BUNDLE_H
#define CS_PACK_BUNDLE_H

#include "base/rng.h"
#include "problems/pack/interior.h"
#include "problems/pack/price.h"

struct cs_pack_bundle {
    struct cs_pack_interior master; /* its centre: the best prices so far */
    struct cs_pack_price price;
    struct cs_rng *rng;
    double bound; /* what the centre proves, scaled */
    double hope;  /* relative: how much more the last prices promised to prove */
    double away;  /* relative: what rows lack or have too much, at the prices of the centre */
    double stiff; /* a row that is not covered has a price so much higher: 1 over that */
    int apart;    /* times that packs without common tasks are priced, a round */
    double *worth, *left; /* of every task: its price; the same while it is in no drawn pack */
    int *task, *drawn;    /* scratch: a pack; costs that are drawn */
    double *bonus;        /* of every threshold */
};

/* Without columns; the caller sets prices and, rising, thresholds (interior.h).  All memory is the
 * arena's. */
void cs_pack_bundle_init(struct cs_pack_bundle *b, const struct cs_pack_candidates *c,
                         const struct cs_pack_hats *hats, int thresholds, double scale,
                         struct cs_rng *rng, struct cs_arena *arena);

/* A pack of these tasks (rising), where any candidate holds them. */
void cs_pack_bundle_seed(struct cs_pack_bundle *b, const int *task, int count);

/* The prices are the first centre, or another one. */
void cs_pack_bundle_begin(struct cs_pack_bundle *b);

/* How much more the best prices may prove, relative, about: what is hoped for, and what rows that
 * are not met would be worth if their prices were wrong by a twentieth. */
double cs_pack_bundle_caveat(const struct cs_pack_bundle *b);

/* One round. */
void cs_pack_bundle_round(struct cs_pack_bundle *b);

#endif
