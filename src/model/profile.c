/* profile.c - evaluate a profile at a number of processors. */
#include "model/profile.h"

#include "base/guard.h"

#include <math.h>
#include <stdbool.h>

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

static double profile_between(const struct cs_profile *profile, int left, int procs)
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
    return profile_between(profile, left, procs);
}

const char *cs_time_origin_name(enum cs_time_origin origin)
{
    CS_ASK(origin >= CS_ORIGIN_MEASURED && origin <= CS_ORIGIN_SCALED, NULL, NULL);
    static const char *const names[] = {"", "measured", "modelled", "interpolated", "scaled"};

    return names[origin];
}

enum cs_time_origin cs_profile_origin(const struct cs_profile *profile, int procs)
{
    int left;

    if (!profile || profile->kind == CS_PROFILE_TABLE)
        return CS_ORIGIN_MEASURED;
    if (profile->kind != CS_PROFILE_POINTS)
        return CS_ORIGIN_MODELLED;
    left = points_up_to(profile, procs) - 1;
    if (left < 0)
        return CS_ORIGIN_SCALED;
    return profile->procs[left] == procs ? CS_ORIGIN_MEASURED : CS_ORIGIN_INTERPOLATED;
}

static bool is_measured(const struct cs_profile *profile)
{
    return profile->kind == CS_PROFILE_TABLE || profile->kind == CS_PROFILE_POINTS;
}

double cs_downey_turn(double a, double sigma)
{
    return sigma > 1 ? a + a * sigma - sigma : 2 * a - 1;
}

double cs_downey_speedup(double a, double sigma, double n)
{
    if (n > cs_downey_turn(a, sigma))
        return a;
    if (sigma > 1)
        return n * a * (sigma + 1) / (sigma * (n + a - 1) + a);
    return n <= a ? a * n / (a + sigma * (n - 1) / 2)
                  : a * n / (sigma * (a - 0.5) + n * (1 - sigma / 2));
}

double cs_profile_time(const struct cs_profile *profile, int procs)
{
    CS_ASK(profile && procs >= 1 &&
               (!is_measured(profile) || (profile->count >= 1 && profile->seconds)),
           NULL, NAN);
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
    case CS_PROFILE_DOWNEY:
        return profile->seq_time / cs_downey_speedup(profile->parallelism, profile->sigma, procs);
    }
    return NAN;
}

static int check_measured(const struct cs_profile *p, struct cs_error *err)
{
    bool points = p->kind == CS_PROFILE_POINTS;

    if (p->count < 1 || !p->seconds || (points && !p->procs))
        return cs_error_set(err, "its profile has no times");
    for (int a = 0; a < p->count; a++) {
        if (!(p->seconds[a] > 0) || (points && isinf(p->seconds[a])))
            return cs_error_set(err, "time %d is %g s, it must be positive%s", a, p->seconds[a],
                                points ? " and finite" : "");
        if (points && p->procs[a] <= (a ? p->procs[a - 1] : 0))
            return cs_error_set(err,
                                "the counts of processors must rise from 1 on, "
                                "number %d is %d",
                                a, p->procs[a]);
        if (points && p->runs && (p->runs[a] < 1 || !p->run))
            return cs_error_set(err, "time %d was measured %d times", a, p->runs[a]);
    }
    return 0;
}

int cs_downey_check(const struct cs_profile *p, struct cs_error *err)
{
    if (!(p->parallelism >= 1 && p->parallelism <= CS_DOWNEY_MOST))
        return cs_error_set(err, "parallelism is %g, it must be between 1 and %g", p->parallelism,
                            CS_DOWNEY_MOST);
    if (!(p->sigma >= 0 && p->sigma <= CS_DOWNEY_MOST))
        return cs_error_set(err, "sigma is %g, it must be between 0 and %g", p->sigma,
                            CS_DOWNEY_MOST);
    return 0;
}

int cs_profile_check(const struct cs_profile *p, struct cs_error *err)
{
    if ((int)p->kind < CS_PROFILE_TABLE || p->kind > CS_PROFILE_DOWNEY)
        return cs_error_set(err, "there is no profile of kind %d, only 1 to %d", (int)p->kind,
                            CS_PROFILE_DOWNEY);
    if (is_measured(p))
        return check_measured(p, err);
    if (!(p->seq_time > 0 && isfinite(p->seq_time)))
        return cs_error_set(err, "seq_time is %g s, it must be a positive number", p->seq_time);
    if (!(p->seq_fraction >= 0 && p->seq_fraction <= 1))
        return cs_error_set(err, "seq_fraction is %g, it must be between 0 and 1", p->seq_fraction);
    if (p->kind == CS_PROFILE_POWER && !(p->exponent >= -1 && p->exponent <= 10))
        return cs_error_set(err, "exponent is %g, it must be between -1 and 10", p->exponent);
    if (p->kind == CS_PROFILE_DOWNEY)
        return cs_downey_check(p, err);
    if (p->kind != CS_PROFILE_AMDAHL && !(p->overhead >= 0 && isfinite(p->overhead)))
        return cs_error_set(err, "overhead is %g, it must be a number from 0 on", p->overhead);
    return 0;
}
