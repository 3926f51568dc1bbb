/* exact.h - proofs for small bags. */
#ifndef CS_MOLDABLE_EXACT_H
#define CS_MOLDABLE_EXACT_H

#include "problems/moldable/policy.h"

struct cs_moldable_proof {
    long long nodes; /* the largest number examined */
    bool (*expired)(const void *who);
    const void *who;
};

/* May it be tried: at most 64 tasks? */
bool cs_moldable_exact_applies(const struct cs_moldable_bag *bag);

/* Improve a plan to an optimal one, or to the best found when nodes or patience end;
 * plan->optimal shows which.  Returns the number of nodes examined. */
long long cs_moldable_prove(const struct cs_moldable_bag *bag,
                            const struct cs_moldable_proof *proof, struct cs_moldable_plan *plan,
                            struct cs_arena *scratch);

#endif
