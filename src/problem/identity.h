/* identity.h - digests of the input of policies.
 *
 * Two runs with the same digest ran on the same instance, regardless of the policy, its rules and
 * the sampled failures. The digest excludes names, which no policy reads, and the origin of an
 * instance: a generated workload and its file, read again, have the same digest. It includes every
 * number of the instance. This file has the part that problems share.
 */
#ifndef CS_PROBLEM_IDENTITY_H
#define CS_PROBLEM_IDENTITY_H

#include "base/digest.h"

#include <cosched/workload.h>

void cs_identity_put_profile(struct cs_digest *digest, const struct cs_profile *profile);

#endif
