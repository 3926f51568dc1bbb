/* identity.h - digests of what policies are given.
 *
 * Two runs with the same digest ran on the same instance, whatever the policy, the rules it runs
 * under and the failures that are drawn.  Names play no part (no policy looks at them), nor does
 * where an instance came from: a workload that was generated and its file, read again, are alike.
 * What is left is numbers, and each of them counts.  Here is what problems share.
 */
#ifndef CS_PROBLEM_IDENTITY_H
#define CS_PROBLEM_IDENTITY_H

#include "base/digest.h"

#include <cosched/workload.h>

void cs_identity_put_profile(struct cs_digest *digest, const struct cs_profile *profile);

#endif
