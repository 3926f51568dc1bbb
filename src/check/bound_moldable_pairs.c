/* bound_moldable_pairs.c - is a certificate of pairs or scales a proof that no plan ends by a given
 * time?
 *
 * In a plan that does, the tasks have at most the total weight under a weighted sum of pairs of
 * dual feasible functions (Fekete, Schepers 2004), for any counts. This excludes every count of a
 * task whose weight is too large even if all other tasks have their least. The certificate then
 * continues with the remaining counts: with other pairs, or separately for one task on few and on
 * many processors, until no count remains.
 *
 * Shares are shortened by 1e-12, and near a step a function takes its lower value.
 */
#include "check/bound_moldable.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define PAIRS_MOST 1e9   /* counts times pairs, of all cases */
#define SCALES_LOOKS 2e5 /* as many as these take a pair of scales */
#define NEAR 1e-9
#define SHORT (1 - 1e-12)

static double bound_moldable_pairs_family(double share, double k)
{
    double times = (k + 1) * share, whole = round(times);

    if (fabs(times - whole) < NEAR)
        return fmax(0, fmin(share, (whole - 1) / k));
    return floor(times) / k;
}

/* The multiples of `unit` that fit into less than half; of more, those that do not fit in the
 * rest. */
static double bound_moldable_pairs_rounded(double share, double unit)
{
    double whole = floor(1 / unit);

    share -= NEAR;
    if (share > 0.5)
        return (whole - floor((1 - share) / unit)) / whole;
    return floor(fmax(0, share) / unit) / whole;
}

static double of_time(const struct cs_dual *f, double share)
{
    switch (f->kind) {
    case CS_DUAL_FAMILY:
        return bound_moldable_pairs_family(share, f->at);
    case CS_DUAL_ROUND:
        return bound_moldable_pairs_rounded(share, f->at);
    case CS_DUAL_STEP:
        return share > 1 - f->at + NEAR ? 1 : share < f->at + NEAR ? 0 : share;
    case CS_DUAL_ITSELF:
        break;
    }
    return share;
}

/* Counts are whole, so only the last step rounds. */
double cs_check_dual_of_width(const struct cs_dual *f, int count, int procs)
{
    double k = f->at, share = (double)count / procs;

    if (f->kind == CS_DUAL_FAMILY)
        return fmod((k + 1) * count, procs) == 0 ? share : floor((k + 1) * count / procs) / k;
    if (f->kind == CS_DUAL_ITSELF)
        return share;
    return count > procs - k ? 1 : count < k ? 0 : share;
}

static bool is_dual(const struct cs_dual *f, double whole)
{
    switch (f->kind) {
    case CS_DUAL_FAMILY:
        return f->at >= 1 && f->at <= 1e6 && f->at == floor(f->at);
    case CS_DUAL_ROUND:
        return whole == 1 && f->at >= 1e-3 && f->at <= 0.5;
    case CS_DUAL_STEP:
        return f->at >= 0 && f->at <= whole / 2;
    case CS_DUAL_ITSELF:
        break;
    }
    return true;
}

struct proof {
    const struct cs_check_bag *bag;
    double seconds, looks; /* counts times pairs that may still be looked at */
    double *takes;         /* by count of a task */
    struct cs_arena *scratch;
};

static double bound_moldable_pairs_taken(const struct proof *p, int a,
                                         const struct cs_moldable_certificate *by)
{
    const struct cs_check_bag *bag = p->bag;
    double share = bag->seconds[a] / p->seconds * SHORT, sum = 0;

    for (int k = 0; k < by->pairs; k++)
        sum += by->pair[k].weight *
               cs_check_dual_of_width(&by->pair[k].width, bag->count[a], bag->procs) *
               of_time(&by->pair[k].time, share);
    return sum;
}

/* The sum of the weights; NaN if the pairs are invalid. */
static double bound_moldable_pairs_weights(const struct cs_check_bag *bag,
                                           const struct cs_moldable_certificate *by)
{
    double sum = 0;

    for (int k = 0; k < by->pairs; k++) {
        if (!is_dual(&by->pair[k].width, bag->procs) || !is_dual(&by->pair[k].time, 1) ||
            !(by->pair[k].weight >= 0))
            return NAN;
        sum += by->pair[k].weight;
    }
    return sum;
}

/* The weight of the open counts under scales or pairs, and its maximum. */
static double bound_moldable_pairs_take(struct proof *p, const bool *open,
                                        const struct cs_moldable_certificate *by)
{
    if (by->scales > 0) {
        p->looks -= SCALES_LOOKS;
        return cs_check_scales_take(p->bag, p->seconds, open, by, p->takes, p->scratch);
    }
    for (int a = 0; a < p->bag->first[p->bag->tasks]; a++)
        if (open[a]) {
            p->takes[a] = bound_moldable_pairs_taken(p, a, by);
            p->looks -= by->pairs;
        }
    return bound_moldable_pairs_weights(p->bag, by);
}

static double least_taken(const struct proof *p, int task, const bool *open)
{
    double least = INFINITY;

    for (int a = p->bag->first[task]; a < p->bag->first[task + 1]; a++)
        if (open[a])
            least = fmin(least, p->takes[a]);
    return least;
}

/* Do the pairs, or the scales, leave nothing?  Counts that take too much are closed. */
static bool pairs_exceed(struct proof *p, bool *open, const struct cs_moldable_certificate *by)
{
    const struct cs_check_bag *bag = p->bag;
    double *least = CS_NEW_ARRAY(p->scratch, double, bag->tasks),
           most = bound_moldable_pairs_take(p, open, by), sum = 0;

    for (int i = 0; i < bag->tasks; i++)
        sum += least[i] = least_taken(p, i, open);
    if (cs_check_bag_exceeds(bag, sum, most))
        return true;
    for (int i = 0; i < bag->tasks; i++)
        for (int a = bag->first[i]; a < bag->first[i + 1]; a++)
            if (open[a] && cs_check_bag_exceeds(bag, sum - least[i] + p->takes[a], most))
                open[a] = false;
    return false;
}

static bool bound_moldable_pairs_proves(struct proof *p, const bool *before,
                                        const struct cs_moldable_certificate *by)
{
    const struct cs_check_bag *bag = p->bag;
    struct cs_arena_mark mark = cs_arena_mark(p->scratch);
    size_t size = (size_t)bag->first[bag->tasks] * sizeof *before;
    bool *open = CS_NEW_ARRAY(p->scratch, bool, size), *side = CS_NEW_ARRAY(p->scratch, bool, size);
    bool proved;

    memcpy(open, before, size);
    proved = pairs_exceed(p, open, by);
    if (!proved && p->looks > 0 && by->narrow && !by->wide)
        proved = bound_moldable_pairs_proves(p, open, by->narrow);
    if (!proved && p->looks > 0 && by->narrow && by->wide && by->task < bag->tasks) {
        proved = true;
        for (int wide = 0; wide < 2 && proved; wide++) {
            memcpy(side, open, size);
            for (int a = bag->first[by->task]; a < bag->first[by->task + 1]; a++)
                side[a] = open[a] && (bag->count[a] > by->most) == wide;
            proved = bound_moldable_pairs_proves(p, side, wide ? by->wide : by->narrow);
        }
    }
    cs_arena_rewind(p->scratch, mark);
    return proved;
}

bool cs_check_bag_certified(const struct cs_check_bag *bag, double seconds,
                            const struct cs_moldable_certificate *by, struct cs_arena *scratch)
{
    size_t counts = (size_t)bag->first[bag->tasks];
    struct proof p = {bag, seconds, PAIRS_MOST, CS_NEW_ARRAY(scratch, double, counts), scratch};
    bool *open = CS_NEW_ARRAY(scratch, bool, counts);

    for (int i = 0; i < bag->tasks; i++)
        for (int a = cs_check_bag_within(bag, i, seconds); a < bag->first[i + 1]; a++)
            open[a] = true;
    return (by->pairs > 0 || by->scales > 0 || by->narrow) &&
           bound_moldable_pairs_proves(&p, open, by);
}
