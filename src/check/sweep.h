/* sweep.h - no processor is in two bars at the same time: bars one by one, in one pass.
 *
 * Bars come by rising start, with finite times, a positive length and a well-formed set of
 * processors.  A bar costs O(log p) for each of its intervals; memory is proportional to the number
 * of processors in use, for any number of bars.
 */
#ifndef CS_CHECK_SWEEP_H
#define CS_CHECK_SWEEP_H

#include "base/sorted.h"
#include "model/schedule.h"

/* The bar that holds a processor. */
struct cs_check_holder {
    int task, proc;
    double end;
};

struct cs_check_sweep {
    struct cs_sorted held; /* by the first of some processors with one holder, until the next key */
    double start;          /* of the last bar */
    int chunk;             /* where the interval before was found: the next of a bar is near */
};

void cs_check_sweep_init(struct cs_check_sweep *sweep, struct cs_arena *arena);

/* The bar takes its processors.  False if one of them is in use: the holder that ends last, with
 * the lowest processor that it shares with the bar. */
bool cs_check_sweep_add(struct cs_check_sweep *sweep, const struct cs_bar *bar,
                        struct cs_check_holder *holder);

#endif
