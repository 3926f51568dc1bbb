/* dual.c - which functions there are, and what they make of candidates.
 *
 * Of widths: the width itself, steps, and the family of Fekete and Schepers.  Of times the same,
 * with each of those; and with the width itself steps and roundings at the times of this bag: what
 * matters is which tasks still fit beside the long ones.
 */
#include "moldable/dual.h"

#include "base/order.h"

#include <math.h>

#define STEPS_WIDE 12 /* from 2 on */
#define FAMILY_WIDE 8
#define TIMES 15 /* itself, a family of 5, steps at 0.05 .. 0.45 */
#define TIMES_FAMILY 5
#define PARTS 3 /* of a time, or of what it leaves */
#define STEP_LEAST 0.02
#define STEP_APART 0.002
#define CLOSE 1e-9
#define DIGITS 1e6 /* of steps */

/* Of shares from 0 to 1; near a step the value before it. */
static double of_time(const struct cs_dual *f, double share)
{
    const double x = share - CLOSE, k = f->at, whole = floor(1 / k);

    switch (f->kind) {
    case CS_DUAL_FAMILY: {
        const double near = round((k + 1) * share);

        if (fabs((k + 1) * share - near) < CLOSE)
            return fmax(0, fmin(share, (near - 1) / k));
        return floor((k + 1) * share) / k;
    }
    case CS_DUAL_STEP:
        return x > 1 - k ? 1 : x < k ? 0 : share;
    case CS_DUAL_ROUND:
        return x > 0.5 ? (whole - floor((1 - x) / k)) / whole : floor(fmax(0, x) / k) / whole;
    case CS_DUAL_ITSELF:
        break;
    }
    return share;
}

static struct cs_dual width_dual(int function)
{
    if (function == 0)
        return (struct cs_dual){CS_DUAL_ITSELF, 0};
    if (function <= STEPS_WIDE)
        return (struct cs_dual){CS_DUAL_STEP, function + 1};
    return (struct cs_dual){CS_DUAL_FAMILY, function - STEPS_WIDE};
}

static struct cs_dual time_dual(int function)
{
    if (function == 0)
        return (struct cs_dual){CS_DUAL_ITSELF, 0};
    if (function <= TIMES_FAMILY)
        return (struct cs_dual){CS_DUAL_FAMILY, function};
    return (struct cs_dual){CS_DUAL_STEP, (function - TIMES_FAMILY) / 20.0};
}

static double of_width(int function, int count, int procs)
{
    const int step = function + 1, k = function - STEPS_WIDE;
    const double share = (double)count / procs;

    if (function == 0)
        return share;
    if (function <= STEPS_WIDE)
        return step > procs / 2 ? 0 : count > procs - step ? 1 : count < step ? 0 : share;
    if ((long long)(k + 1) * count % procs == 0)
        return share;
    return (double)((long long)(k + 1) * count / procs) / k;
}

void cs_moldable_duals_init(struct cs_moldable_duals *d, const struct cs_moldable_bag *bag,
                            int steps, struct cs_arena *arena)
{
    const size_t candidates = (size_t)bag->first[bag->tasks];
    const int functions = 1 + STEPS_WIDE + FAMILY_WIDE, most = TIMES + 2 * steps;

    *d = (struct cs_moldable_duals){.bag = bag, .widths = (functions + 3) / 4 * 4, .steps = steps};
    d->pairs = d->widths * TIMES + (2 * steps + 3) / 4 * 4;
    d->wide = CS_NEW_ARRAY(arena, double, cs_arena_area((size_t)d->widths, (size_t)bag->procs + 1));
    d->taken = CS_NEW_ARRAY(arena, double, candidates *(size_t)d->pairs);
    d->of_time = CS_NEW_ARRAY(arena, struct cs_dual, most);
    d->step = CS_NEW_ARRAY(arena, double, 2 * PARTS * candidates);
    for (int g = 0; g < TIMES; g++)
        d->of_time[g] = time_dual(g);
    for (int c = 0; c <= bag->procs; c++)
        for (int f = 0; f < functions; f++)
            d->wide[c * d->widths + f] = of_width(f, c, bag->procs);
}

/* Where a task, or a part of it or of what it leaves, begins to count or to fit; evenly chosen. */
static void find_steps(struct cs_moldable_duals *d, double lambda, struct cs_arena *scratch)
{
    const struct cs_moldable_bag *bag = d->bag;
    double *step = d->step;
    size_t all = 0, kept = 0;

    for (int c = 0; c < bag->first[bag->tasks]; c++)
        for (int part = 1; part <= PARTS && bag->seconds[c] < lambda; part++) {
            const double share = bag->seconds[c] / lambda;

            step[all++] = floor(share / part * DIGITS - 0.1) / DIGITS;
            step[all++] = ceil((1 - share) / part * DIGITS + 0.1) / DIGITS;
        }
    cs_order_sort_doubles(step, all, scratch);
    for (size_t s = 0; s < all; s++)
        if (step[s] > STEP_LEAST && step[s] <= 0.5 &&
            (kept == 0 || step[s] > step[kept - 1] + STEP_APART))
            step[kept++] = step[s];
    d->times = TIMES;
    for (size_t s = 0, most = kept < (size_t)d->steps ? kept : (size_t)d->steps; s < most; s++) {
        const double at = step[s * kept / most];

        d->of_time[d->times++] = (struct cs_dual){CS_DUAL_STEP, at};
        d->of_time[d->times++] = (struct cs_dual){CS_DUAL_ROUND, at};
    }
}

void cs_moldable_duals_take(struct cs_moldable_duals *d, double lambda)
{
    const struct cs_moldable_bag *bag = d->bag;
    struct cs_arena *scratch = cs_arena_create();

    find_steps(d, lambda, scratch);
    for (int c = 0; c < bag->first[bag->tasks]; c++) {
        const double share = bag->seconds[c] / lambda * (1 - 1e-12);
        const double *wide = d->wide + (size_t)bag->count[c] * (size_t)d->widths;
        double *out = d->taken + (size_t)c * (size_t)d->pairs;
        const double *end = out + d->pairs;

        for (int g = 0; g < d->times; g++) {
            const double part = of_time(&d->of_time[g], share);
            const int widths = g < TIMES ? d->widths : 1;

            for (int f = 0; f < widths; f++)
                *out++ = part * wide[f];
        }
        while (out < end)
            *out++ = 0;
    }
    cs_arena_destroy(scratch);
}

struct cs_moldable_pair cs_moldable_duals_pair(const struct cs_moldable_duals *d, int pair)
{
    const int grid = d->widths * TIMES;

    if (pair >= grid)
        return (struct cs_moldable_pair){width_dual(0), d->of_time[TIMES + pair - grid], 0};
    return (struct cs_moldable_pair){width_dual(pair % d->widths), d->of_time[pair / d->widths], 0};
}
