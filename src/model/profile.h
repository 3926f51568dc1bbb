/* profile.h - is it a profile, and where do its times come from? */
#ifndef CS_MODEL_PROFILE_H
#define CS_MODEL_PROFILE_H

#include <cosched/error.h>
#include <cosched/workload.h>

/* -1 with err for an unknown kind, times or counts that are missing or out of range. */
int cs_profile_check(const struct cs_profile *profile, struct cs_error *err);

/* Where the time on a count comes from. */
enum cs_time_origin {
    CS_ORIGIN_MEASURED = 1, /* a row of timings, a point, an entry of a table */
    CS_ORIGIN_MODELLED,     /* a formula */
    CS_ORIGIN_INTERPOLATED, /* between two measured counts, by the power law */
    CS_ORIGIN_SCALED,       /* below the smallest measured count */
};

/* "measured", "modelled", "interpolated", "scaled". */
const char *cs_time_origin_name(enum cs_time_origin origin);

/* Of the time that cs_profile_time gives for a count. */
enum cs_time_origin cs_profile_origin(const struct cs_profile *profile, int procs);

#endif
