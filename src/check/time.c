/* time.c - the closed form of the repair, kind by kind. */
#include "check/time.h"

#include "base/bug.h"

#include <math.h>

/* The times on up to a number of processors. */
struct seen {
    double least; /* the running minimum m */
    double work;  /* the largest i m(i) */
};

static void time_see(struct seen *seen, int procs, double seconds)
{
    seen->least = fmin(seen->least, seconds);
    if (isfinite(seen->least))
        seen->work = fmax(seen->work, procs * seen->least);
}

static double time_answer(const struct seen *seen, int procs)
{
    return fmax(seen->least, seen->work / procs);
}

static double table_time(const struct cs_profile *p, int procs)
{
    struct seen seen = {INFINITY, 0};

    for (int j = 1; j <= procs && j <= p->count; j++)
        time_see(&seen, j, p->seconds[j - 1]);
    time_see(&seen, procs, INFINITY);
    return time_answer(&seen, procs);
}

static void table_times(const struct cs_profile *p, int procs, double *seconds)
{
    struct seen seen = {INFINITY, 0};

    for (int j = 1; j <= procs; j++) {
        time_see(&seen, j, j <= p->count ? p->seconds[j - 1] : INFINITY);
        seconds[j - 1] = time_answer(&seen, j);
    }
}

/* A formula falls up to a count, where its derivative is 0, and then rises. */
double cs_check_turn(const struct cs_profile *p)
{
    double shared = 1 - p->seq_fraction, growth = p->overhead;

    switch (p->kind) {
    case CS_PROFILE_OVERHEAD:
        return growth > 0 ? shared * log(2) / growth : INFINITY;
    case CS_PROFILE_UNIVERSAL:
        return growth > 0 ? sqrt(shared / growth) : INFINITY;
    case CS_PROFILE_DOWNEY: /* constant from there on */
        return p->sigma <= 1 ? 2 * p->parallelism - 1 : p->parallelism * (p->sigma + 1) - p->sigma;
    case CS_PROFILE_POWER:
        growth *= p->exponent;
        return growth > 0 ? pow(shared / growth, 1 / (p->exponent + 1)) : INFINITY;
    default:
        return INFINITY;
    }
}

/* The work of a formula always rises: the repaired time is the least one so far. */
static double formula_time(const struct cs_profile *p, int procs)
{
    double turn = cs_check_turn(p);
    double least = cs_profile_time(p, procs);

    if (!(turn < procs))
        return least;
    for (int j = (int)turn - 1; j <= (int)turn + 2; j++)
        if (j >= 1 && j <= procs)
            least = fmin(least, cs_profile_time(p, j));
    return least;
}

/* The counts first .. last lie on one power law.  The least time so far stays until the curve
 * falls below it, and on either side the work is monotone: it is largest at the ends or at
 * the crossing. */
static void see_curve(struct seen *seen, const struct cs_profile *p, int first, int last)
{
    double a = cs_profile_time(p, first), b = cs_profile_time(p, last);
    double before = seen->least;
    double slope = (log(b) - log(a)) / (log(last) - log(first));
    double crossing = first * exp((log(before) - log(a)) / slope);

    time_see(seen, first, a);
    if (b < before && a > before)
        for (int k = -2; k <= 2; k++) {
            double j = floor(crossing) + k;

            if (j > first && j < last)
                time_see(seen, (int)j, cs_profile_time(p, (int)j));
        }
    time_see(seen, last, b);
}

static void see_segment(struct seen *seen, const struct cs_profile *p, int first, int next,
                        int procs)
{
    int last = next - 1 < procs ? next - 1 : procs;

    if (last > first && p->fill == CS_FILL_POWER)
        see_curve(seen, p, first, last);
    else
        time_see(seen, last, cs_profile_time(p, first));
}

static double points_time(const struct cs_profile *p, int procs)
{
    struct seen seen = {INFINITY, 0};

    if (p->fewer == CS_FEWER_SCALE)
        time_see(&seen, p->procs[0], p->seconds[0]);
    if (procs < p->procs[0])
        return cs_profile_time(p, procs);
    for (int i = 0; i + 1 < p->count && p->procs[i] <= procs; i++)
        see_segment(&seen, p, p->procs[i], p->procs[i + 1], procs);
    if (procs >= p->procs[p->count - 1])
        time_see(&seen, p->procs[p->count - 1], p->seconds[p->count - 1]);
    time_see(&seen, procs, INFINITY);
    return time_answer(&seen, procs);
}

double cs_check_time(const struct cs_profile *profile, int procs)
{
    switch (profile->kind) {
    case CS_PROFILE_TABLE:
        return table_time(profile, procs);
    case CS_PROFILE_POINTS:
        return points_time(profile, procs);
    case CS_PROFILE_AMDAHL:
    case CS_PROFILE_COMMUNICATION:
    case CS_PROFILE_OVERHEAD:
    case CS_PROFILE_UNIVERSAL:
    case CS_PROFILE_POWER:
    case CS_PROFILE_DOWNEY:
        return formula_time(profile, procs);
    }
    cs_bug("profile of kind %d", (int)profile->kind);
}

void cs_check_times(const struct cs_profile *profile, int procs, double *seconds)
{
    if (profile->kind == CS_PROFILE_TABLE)
        table_times(profile, procs, seconds);
    else
        for (int j = 1; j <= procs; j++)
            seconds[j - 1] = cs_check_time(profile, j);
}
