/* fit_points.c - means of runs, and what each of them weighs.
 *
 * The variance of a count is estimated from few runs, often two.  Weights of such estimates
 * would be noise; so each is joined with PRIOR degrees of freedom of the pooled variance. */
#include "model/fit_points.h"

#include <math.h>
#include <stdbool.h>

#define PRIOR 8.0

static double mean(const double *value, int count)
{
    double sum = 0;

    for (int i = 0; i < count; i++)
        sum += value[i] / count;
    return sum;
}

static double squares_around(const double *value, int count, double middle)
{
    double sum = 0;

    for (int i = 0; i < count; i++)
        sum += (value[i] / middle - 1) * (value[i] / middle - 1);
    return sum;
}

static void weigh(struct cs_fit_points *p, const int *runs, const double *squares)
{
    double pooled = 0, all = 0;
    int degrees = p->runs - p->count;

    for (int i = 0; i < p->count; i++)
        all += squares[i];
    if (degrees > 0)
        pooled = all / degrees;
    p->spread = degrees > 0 ? sqrt(pooled) : NAN;
    for (int i = 0; i < p->count; i++) {
        double own = (PRIOR * pooled + squares[i]) / (PRIOR + runs[i] - 1);
        double trust = own > 0 ? pooled / own : 1;

        p->weight[i] = runs[i] * trust;
        p->within += trust * squares[i];
    }
}

static void read_runs(const struct cs_profile *profile, struct cs_fit_points *p,
                      struct cs_arena *arena)
{
    const bool table = profile->kind == CS_PROFILE_TABLE;
    int *runs = CS_NEW_ARRAY(arena, int, profile->count);
    double *squares = CS_NEW_ARRAY(arena, double, profile->count);
    const double *run = table ? NULL : profile->run;

    for (int i = 0; i < profile->count; i++) {
        const double *first = run ? run : profile->seconds + i;
        const int many = run && profile->runs ? profile->runs[i] : 1;

        if (!isfinite(*first))
            continue;
        p->procs[p->count] = table ? i + 1 : profile->procs[i];
        p->seconds[p->count] = mean(first, many);
        squares[p->count] = squares_around(first, many, p->seconds[p->count]);
        runs[p->count++] = many;
        p->runs += many;
        if (run)
            run += many;
    }
    weigh(p, runs, squares);
}

int cs_fit_points_read(const struct cs_profile *profile, struct cs_fit_points *p,
                       struct cs_arena *arena, struct cs_error *err)
{
    if (profile->kind != CS_PROFILE_TABLE && profile->kind != CS_PROFILE_POINTS)
        return cs_error_set(err, "the profile is a formula already: measured times are needed");
    *p = (struct cs_fit_points){.procs = CS_NEW_ARRAY(arena, int, profile->count),
                                .seconds = CS_NEW_ARRAY(arena, double, profile->count),
                                .weight = CS_NEW_ARRAY(arena, double, profile->count)};
    read_runs(profile, p, arena);
    if (p->count == 0)
        return cs_error_set(err, "the profile has no finite time");
    for (int i = 0; i < p->count; i++)
        p->unit = fmax(p->unit, p->seconds[i]);
    for (int i = 0; i < p->count; i++)
        p->seconds[i] /= p->unit;
    return 0;
}
