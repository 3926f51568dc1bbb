/* robust.h - what the planner `robust` expects, where its words leave it open. */
#ifndef CS_MOLDABLE_ROBUST_H
#define CS_MOLDABLE_ROBUST_H

#include "problems/moldable/variant.h"

bool cs_moldable_robust_is(const struct cs_policy_call *call);

/* What the call of robust does not say: the uncertainty of the runs, and the way in which its plan
 * will be carried out (a call of cs_moldable_variants); a way without a plan counts as order. */
void cs_moldable_robust_expect(struct cs_policy_call *call, double sigma, double qbar, int variant);

#endif
