/* identity.c - numbers of profiles in a fixed order. */
#include "problem/identity.h"

#include <stdbool.h>

/* Measured at 1, 2, ..., count: then the rule for times between points does not matter. */
static bool is_table(const struct cs_profile *profile)
{
    if (profile->kind == CS_PROFILE_POINTS)
        for (int i = 0; i < profile->count; i++)
            if (profile->procs[i] != i + 1)
                return false;
    return profile->kind == CS_PROFILE_TABLE || profile->kind == CS_PROFILE_POINTS;
}

static void put_measured(struct cs_digest *digest, const struct cs_profile *profile)
{
    bool table = is_table(profile);

    cs_digest_put_integer(digest, table ? CS_PROFILE_TABLE : CS_PROFILE_POINTS);
    cs_digest_put_integer(digest, profile->count);
    if (!table) {
        cs_digest_put_integer(digest, profile->fill);
        cs_digest_put_integer(digest, profile->fewer);
    }
    for (int i = 0; i < profile->count; i++) {
        cs_digest_put_integer(digest, table ? i + 1 : profile->procs[i]);
        cs_digest_put_double(digest, profile->seconds[i]);
    }
}

void cs_identity_put_profile(struct cs_digest *digest, const struct cs_profile *profile)
{
    if (profile->kind == CS_PROFILE_TABLE || profile->kind == CS_PROFILE_POINTS) {
        put_measured(digest, profile);
        return;
    }
    cs_digest_put_integer(digest, profile->kind);
    cs_digest_put_double(digest, profile->seq_time);
    cs_digest_put_double(digest, profile->seq_fraction);
    cs_digest_put_double(digest, profile->kind == CS_PROFILE_AMDAHL ? 0 : profile->overhead);
    if (profile->kind == CS_PROFILE_POWER)
        cs_digest_put_double(digest, profile->exponent);
}
