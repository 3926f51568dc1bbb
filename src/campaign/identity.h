/* identity.h - digests of what policies are given.
 *
 * Two cells with the same digest ran on the same instance, whatever the policy, the rules it runs
 * under and the failures that are drawn.  Names play no part (no policy looks at them), nor does
 * where an instance came from: a workload that was generated and its file, read again, are alike.
 * What is left is numbers, and each of them counts.
 *
 * Each function writes the digest in hexadecimal.
 */
#ifndef CS_CAMPAIGN_IDENTITY_H
#define CS_CAMPAIGN_IDENTITY_H

#include "base/digest.h"

#include <cosched/ptg.h>

/* The same graphs with the same releases on several platforms: at least one. */
void cs_identity_ptg(const struct cs_ptg_instance *const *instance, int platforms,
                     char text[CS_DIGEST_TEXT]);

#endif
