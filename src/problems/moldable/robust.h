/* robust.h - the assumptions of the planner `robust` that its call does not give. */
#ifndef CS_MOLDABLE_ROBUST_H
#define CS_MOLDABLE_ROBUST_H

#include "problems/moldable/variant.h"

bool cs_moldable_robust_is(const struct cs_policy_call *call);

/* Add the values that the call of robust leaves open: the uncertainty of the runs, and the policy
 * that will execute its plan (a call of cs_moldable_variants); one without a plan counts as order.
 */
void cs_moldable_robust_expect(struct cs_policy_call *call, double sigma, double qbar, int variant);

#endif
