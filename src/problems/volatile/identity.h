/* identity.h - the digest of an instance (problem/identity.h). */
#ifndef CS_VOLATILE_IDENTITY_H
#define CS_VOLATILE_IDENTITY_H

#include "base/digest.h"
#include "problems/volatile/volatile.h"

/* The application and the hosts with their chains, as policies are given them. */
void cs_volatile_identity(const struct cs_volatile_instance *instance, char text[CS_DIGEST_TEXT]);

#endif
