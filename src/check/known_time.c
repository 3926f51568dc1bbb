/* known_time.c - what is known of counts, and which of them are allowed. */
#include "check/known_time.h"

#include "check/time.h"

#include <math.h>
#include <stddef.h>

double cs_check_known_time(const struct cs_profile *profile, long long procs)
{
    if (profile->kind == CS_PROFILE_TABLE)
        return procs <= profile->count && isfinite(profile->seconds[procs - 1])
                   ? profile->seconds[procs - 1]
                   : NAN;
    if (profile->kind != CS_PROFILE_POINTS)
        return cs_profile_time(profile, (int)procs);
    for (int a = 0; a < profile->count; a++)
        if (profile->procs[a] == procs)
            return profile->seconds[a];
    if ((procs < profile->procs[0] && profile->fewer == CS_FEWER_SCALE) ||
        (procs > profile->procs[0] && procs < profile->procs[profile->count - 1] &&
         profile->fill == CS_FILL_POWER))
        return cs_profile_time(profile, (int)procs);
    return NAN;
}

const char *cs_check_broken_limit(const struct cs_task_limit *limit, long long procs)
{
    bool listed = limit->counts == 0;

    for (int i = 0; i < limit->counts; i++)
        listed |= limit->count[i] == procs;
    if (!listed)
        return "its list of counts";
    if (limit->min_procs > procs)
        return "min_procs";
    if (limit->max_procs > 0 && limit->max_procs < procs)
        return "max_procs";
    if (limit->multiple > 0 && procs % limit->multiple)
        return "multiples";
    return limit->powers_of_two && (procs & (procs - 1)) ? "powers of two" : NULL;
}

bool cs_check_over_walltime(const struct cs_task_limit *limit, double seconds)
{
    return limit->walltime > 0 && fmax(limit->margin, 1) * seconds > limit->walltime;
}

/* A profile under its limits. */
struct supplied {
    const struct cs_profile *profile;
    const struct cs_task_limit *limit;
};

/* +inf when the count is not allowed. */
static double time_on(const struct supplied *g, int procs)
{
    double seconds = cs_check_known_time(g->profile, procs);

    if (isnan(seconds) || cs_check_broken_limit(g->limit, procs) ||
        cs_check_over_walltime(g->limit, seconds))
        return INFINITY;
    return seconds;
}

static double least_of_points(const struct supplied *g, int procs)
{
    const struct cs_profile *p = g->profile;
    double least = INFINITY;

    if (p->fewer == CS_FEWER_SCALE)
        for (int j = p->procs[0] - 1 < procs ? p->procs[0] - 1 : procs; j >= 1; j--)
            least = fmin(least, time_on(g, j));
    for (int a = 0; a < p->count && p->procs[a] <= procs; a++) {
        least = fmin(least, time_on(g, p->procs[a]));
        if (p->fill == CS_FILL_POWER && a + 1 < p->count)
            for (int j = p->procs[a] + 1; j < p->procs[a + 1] && j <= procs; j++)
                least = fmin(least, time_on(g, j));
    }
    return least;
}

/* A formula falls up to a count and then rises: the allowed counts on both sides of it that are
 * closest to it are its fastest ones. */
static double least_of_formula(const struct supplied *g, int procs)
{
    const struct cs_profile *p = g->profile;
    int most = g->limit->max_procs > 0 && g->limit->max_procs < procs ? g->limit->max_procs : procs;
    double turn = cs_check_turn(p);
    int middle = turn < most ? (int)turn : most;
    double below = INFINITY, above = INFINITY;

    for (int j = middle; j >= 1 && isinf(below); j--)
        below = time_on(g, j);
    for (int j = middle < 1 ? 1 : middle + 1; j <= most && isinf(above); j++)
        above = time_on(g, j);
    return fmin(below, above);
}

static struct supplied supplied_of(const struct cs_workload *workload, int task)
{
    static const struct cs_task_limit none;

    return (struct supplied){&workload->profile[task],
                             workload->limit ? &workload->limit[task] : &none};
}

double cs_check_allowed_time(const struct cs_workload *workload, int task, int procs)
{
    const struct supplied g = supplied_of(workload, task);

    return time_on(&g, procs);
}

double cs_check_measured_time(const struct cs_workload *workload, int task, int procs)
{
    const struct supplied g = supplied_of(workload, task);
    double least = INFINITY;

    if (g.profile->kind == CS_PROFILE_POINTS)
        return least_of_points(&g, procs);
    if (g.profile->kind != CS_PROFILE_TABLE)
        return least_of_formula(&g, procs);
    for (int j = 1; j <= procs && j <= g.profile->count; j++)
        least = fmin(least, time_on(&g, j));
    return least;
}

static bool limit_is_set(const struct cs_task_limit *limit)
{
    return limit->counts || limit->min_procs > 1 || limit->max_procs || limit->multiple > 1 ||
           limit->powers_of_two || limit->walltime > 0;
}

/* Repaired times never rise: the widest count that is allowed is the fastest one. */
double cs_check_repaired_time(const struct cs_workload *workload, int task, int procs)
{
    const struct supplied g = supplied_of(workload, task);
    double seconds;

    if (!limit_is_set(g.limit))
        return cs_check_time(g.profile, procs);
    while (procs >= 1 && cs_check_broken_limit(g.limit, procs))
        procs--;
    if (procs < 1)
        return INFINITY;
    seconds = cs_check_time(g.profile, procs);
    return cs_check_over_walltime(g.limit, seconds) ? INFINITY : seconds;
}

double cs_check_pack_time(const struct cs_workload *workload, bool supplied, int task, int procs)
{
    return supplied ? cs_check_measured_time(workload, task, procs)
                    : cs_check_repaired_time(workload, task, procs);
}
