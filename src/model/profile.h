/* profile.h - is it a profile, and where do its times come from? */
#ifndef CS_MODEL_PROFILE_H
#define CS_MODEL_PROFILE_H

#include <cosched/error.h>
#include <cosched/workload.h>

/* -1 with err for an unknown kind, times or counts that are missing or out of range. */
int cs_profile_check(const struct cs_profile *profile, struct cs_error *err);

/* Downey, "A parallel workload model and its implications for processor allocation", 1997: the
 * speedup on n >= 1 processors for an average parallelism a >= 1 and a coefficient of variance
 * sigma >= 0 (spec/science.md 9.3), which is a from the turn on. */
double cs_downey_speedup(double a, double sigma, double n);
double cs_downey_turn(double a, double sigma);

/* The largest parallelism and sigma. */
#define CS_DOWNEY_MOST 1e15

/* -1 with err when parallelism or sigma are out of range. */
int cs_downey_check(const struct cs_profile *profile, struct cs_error *err);

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
