/* reference.c - the reference cluster, and allocations translated to real clusters.
 *
 * Source: spec/ptg.md 2 (HCPA); the largest useful allocation is a candidate rule of section 3.
 *
 * Invariants
 *   - translated allocations are in 1 .. procs of the cluster.  A task takes no longer there than
 *     on the reference cluster (up to rounding), unless that needs more processors than there are.
 *   - whether an allocation is allowed is monotone in its processors: it needs more of each
 *     cluster, and its efficiency falls.  So the largest one is found by bisection.
 *
 * Complexity: a translation O(1); the largest allocation O(K log P), K clusters, P processors.
 * The tolerances 1e-9 and 1e-15 are those of spec/ptg.md 2 and 3, against rounding; not tuned.
 */
#include "problems/ptg/reference.h"

#include <limits.h>
#include <math.h>

struct cs_ptg_reference cs_ptg_reference_of(const struct cs_platform *platform,
                                            enum cs_ptg_reference_speed which)
{
    struct cs_ptg_reference r = {.platform = platform, .speed = platform->cluster[0].speed};
    double procs;

    for (int k = 0; k < platform->clusters; k++) {
        double speed = platform->cluster[k].speed;

        r.power += platform->cluster[k].procs * speed;
        r.speed = which == CS_PTG_REFERENCE_SLOWEST ? fmin(r.speed, speed) : fmax(r.speed, speed);
    }
    procs = floor(r.power / r.speed + 1e-9);
    r.procs = procs < INT_MAX ? (int)procs : INT_MAX - 1;
    return r;
}

/* How many processors of a cluster do a task in the time of `procs` reference processors, a real
 * number (section 2, f); +inf when no number does. */
static double real_width(const struct cs_ptg_reference *reference, double alpha, int procs,
                         int cluster)
{
    double r = reference->platform->cluster[cluster].speed / reference->speed;
    double den = r * (alpha + (1 - alpha) / procs) - alpha;

    if (alpha >= 1)
        return r >= 1 ? 1 : INFINITY;
    return den > 1e-15 ? (1 - alpha) / den : INFINITY;
}

int cs_ptg_reference_translate(const struct cs_ptg_reference *reference, double alpha, int procs,
                               int cluster)
{
    double width = real_width(reference, alpha, procs, cluster);
    int most = reference->platform->cluster[cluster].procs, whole;

    if (!(width < most))
        return most;
    whole = (int)ceil(width - 1e-9);
    return whole > 1 ? whole : 1;
}

bool cs_ptg_reference_fits(const struct cs_ptg_reference *reference, double alpha, int procs)
{
    for (int k = 0; k < reference->platform->clusters; k++)
        if (real_width(reference, alpha, procs, k) <= reference->platform->cluster[k].procs + 1e-9)
            return true;
    return false;
}

/* Some cluster has enough processors (unless the options lift that), and the efficiency is not
 * below the floor. */
static bool reference_allowed(const struct cs_ptg_reference *reference, double alpha, int procs,
                              const struct cs_ptg_options *options)
{
    if (options->cap == CS_PTG_CAP_CLUSTER && !cs_ptg_reference_fits(reference, alpha, procs))
        return false;
    return !(options->efficiency > 0) || 1 / (alpha * procs + 1 - alpha) >= options->efficiency;
}

int cs_ptg_reference_most(const struct cs_ptg_reference *reference, double alpha,
                          const struct cs_ptg_options *options)
{
    int low = 1, high = reference->procs;

    while (low < high) {
        int middle = high - (high - low) / 2;

        if (reference_allowed(reference, alpha, middle, options))
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}
