/* profile.c - what a profile says for a number of processors. */
#include <cosched/profile.h>

#include "base/bug.h"

#include <math.h>

/* The number of points measured on at most `procs` processors. */
static int points_up_to(const struct cs_profile *profile, int procs)
{
    int low = 0, high = profile->count;

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (profile->procs[middle] <= procs)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static double between(const struct cs_profile *profile, int left, int procs)
{
    const double *t = profile->seconds + left;
    const int *at = profile->procs + left;

    if (profile->fill == CS_FILL_STEP || procs == at[0] || t[0] == t[1])
        return t[0];
    return t[0] * pow(t[1] / t[0], log((double)procs / at[0]) / log((double)at[1] / at[0]));
}

static double points_time(const struct cs_profile *profile, int procs)
{
    int left = points_up_to(profile, procs) - 1;

    if (left < 0 && profile->fewer == CS_FEWER_REFUSE)
        return INFINITY;
    if (left < 0)
        return profile->seconds[0] * profile->procs[0] / procs;
    if (left == profile->count - 1)
        return profile->seconds[left];
    return between(profile, left, procs);
}

const char *cs_time_origin_name(enum cs_time_origin origin)
{
    static const char *const names[] = {"", "measured", "modelled", "interpolated", "scaled"};

    return names[origin];
}

enum cs_time_origin cs_profile_origin(const struct cs_profile *profile, int procs)
{
    int left;

    if (profile->kind == CS_PROFILE_TABLE)
        return CS_ORIGIN_MEASURED;
    if (profile->kind != CS_PROFILE_POINTS)
        return CS_ORIGIN_MODELLED;
    left = points_up_to(profile, procs) - 1;
    if (left < 0)
        return CS_ORIGIN_SCALED;
    return profile->procs[left] == procs ? CS_ORIGIN_MEASURED : CS_ORIGIN_INTERPOLATED;
}

double cs_profile_time(const struct cs_profile *profile, int procs)
{
    double amdahl = profile->seq_fraction + (1 - profile->seq_fraction) / procs;

    switch (profile->kind) {
    case CS_PROFILE_TABLE:
        return profile->seconds[(procs < profile->count ? procs : profile->count) - 1];
    case CS_PROFILE_POINTS:
        return points_time(profile, procs);
    case CS_PROFILE_AMDAHL:
        return profile->seq_time * amdahl;
    case CS_PROFILE_OVERHEAD:
        return profile->seq_time * (amdahl + profile->overhead * log2(procs));
    case CS_PROFILE_COMMUNICATION:
        return profile->seq_fraction * profile->seq_time +
               ((1 - profile->seq_fraction) * profile->seq_time + profile->overhead) / procs;
    case CS_PROFILE_UNIVERSAL:
        return profile->seq_time * (amdahl + profile->overhead * (procs - 1));
    case CS_PROFILE_POWER:
        return profile->seq_time * (amdahl + profile->overhead * pow(procs, profile->exponent));
    }
    cs_bug("profile of kind %d", (int)profile->kind);
}
