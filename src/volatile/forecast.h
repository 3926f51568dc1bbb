/* forecast.h - how well beliefs foretell what hosts do: will these hosts, which are up, all stay?
 *
 * Moments of a judged stretch are drawn, and at each of them hosts of a pool that are up.  Beliefs
 * say how likely all of them stay up for so many more slots; then it is looked up.  What was not
 * watched is not judged.
 */
#ifndef CS_VOLATILE_FORECAST_H
#define CS_VOLATILE_FORECAST_H

#include "volatile/belief.h"

#include <cosched/volatile.h>

/* What is asked, and of whom: `belief` was fitted to what was before the judged slots. */
struct cs_volatile_question {
    struct cs_volatile_history judged;
    const struct cs_volatile_belief *const *belief;
    int beliefs;
    int hosts;     /* that have to stay, at least 1 */
    int64_t slots; /* for so many more, at least 1 */
    long moments;  /* to draw */
    uint64_t seed;
};

/* Means over the moments at which so many hosts were up and what they did was watched; NaN when
 * there is none. */
struct cs_volatile_answered {
    long moments;
    double found; /* share in which all stayed */
    /* By belief: the mean probability; minus its logarithm for what happened (probabilities cut to
     * 0.001 .. 0.999); the square of its distance from it. */
    double *predicted, *log_loss, *brier;
};

/* Arrays live in the arena. */
struct cs_volatile_answered cs_volatile_ask(const struct cs_volatile_question *question,
                                            struct cs_arena *arena);

#endif
