/* profile.h - is it a profile? */
#ifndef CS_MODEL_PROFILE_H
#define CS_MODEL_PROFILE_H

#include <cosched/error.h>
#include <cosched/profile.h>

/* -1 with err for a kind that is none, times or counts that are missing or out of range. */
int cs_profile_check(const struct cs_profile *profile, struct cs_error *err);

#endif
