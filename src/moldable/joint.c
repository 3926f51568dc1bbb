/* joint.c - dual feasible functions of widths and of times at once.
 *
 * If sum of f(c) <= 1 for all tasks that may run together, and sum of g(t / lambda) <= 1 for all
 * that may run one after the other on a processor within lambda, then every plan of makespan
 * lambda has sum of f(c) g(t / lambda) <= 1 (Fekete, Schepers 2004: an instant gives each task its
 * f of a strip of width 1, and the tasks that pass a point of the strip follow each other).  Area,
 * knapsack and width bound take one such pair each and another allotment for each of them.  Here
 * one allotment has to satisfy all pairs: for any weights of the pairs, what the tasks take at
 * least is no more than 1, or lambda is too short.  Weights that show this are sought by
 * multiplying those of broken pairs; whatever comes out is a proof.
 *
 * Times are shortened by 1e-12 and steps are taken late, so that rounding makes nothing larger.
 */
#include "moldable/bound.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define STEPS_WIDE 12 /* of widths */
#define FAMILY 8      /* of widths */
#define TIMES 15      /* functions of times: itself, a family of 5, steps at 0.05 .. 0.45 */
#define TIMES_FAMILY 5
#define WORK 4e7 /* numbers looked at for one lambda */
#define ROUNDS_MOST 400
#define ROUNDS_LEAST 60
#define HALVINGS 8
#define CLOSE 1e-9
#define DIGITS 1e9 /* of weights */

struct joint {
    const struct cs_moldable_bag *bag;
    int widths, pairs, candidates, rounds;
    double *wide;   /* by function and count: widths * (procs + 1) */
    double *taken;  /* by candidate and pair */
    double *weight; /* of pairs, sum 1 */
    double *load;   /* of pairs, less 1 */
    double *kept;   /* weights that are not rounded */
};

static double family(double x, int k)
{
    const double y = (k + 1) * x, near = round(y);

    if (fabs(y - near) < CLOSE)
        return fmax(0, fmin(x, (near - 1) / k));
    return floor(y) / k;
}

static double time_step(int function)
{
    return (function - TIMES_FAMILY) / 20.0;
}

static double of_time(int function, double x)
{
    const double step = time_step(function);

    if (function == 0)
        return x;
    if (function <= TIMES_FAMILY)
        return family(x, function);
    return x > 1 - step + CLOSE ? 1 : x < step + CLOSE ? 0 : x;
}

static double of_width(int function, int count, int procs)
{
    const int step = function, k = function - STEPS_WIDE;

    if (function == 0)
        return (double)count / procs;
    if (function <= STEPS_WIDE)
        return step > procs / 2       ? 0
               : count > procs - step ? 1
               : count < step         ? 0
                                      : (double)count / procs;
    if ((long long)(k + 1) * count % procs == 0)
        return (double)count / procs;
    return (double)((long long)(k + 1) * count / procs) / k;
}

static void take(struct joint *j, double lambda)
{
    for (int c = 0; c < j->candidates; c++) {
        const double x = j->bag->seconds[c] / lambda * (1 - 1e-12);
        const double *wide = j->wide + (size_t)j->bag->count[c] * (size_t)j->widths;
        double *out = j->taken + (size_t)c * (size_t)j->pairs;

        for (int g = 0; g < TIMES; g++) {
            const double part = of_time(g, x);

            for (int f = 0; f < j->widths; f++)
                *out++ = part * wide[f];
        }
    }
}

/* Four sums, which do not wait for each other; pairs are a multiple of four. */
static double weighed(const struct joint *j, const double *taken)
{
    double sum[4] = {0};

    for (int k = 0; k < j->pairs; k += 4)
        for (int i = 0; i < 4; i++)
            sum[i] += j->weight[k + i] * taken[k + i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* What all tasks take at least; the loads become those of the candidates that take it. */
static double least(struct joint *j, double lambda)
{
    const struct cs_moldable_bag *bag = j->bag;
    double all = 0;

    for (int k = 0; k < j->pairs; k++)
        j->load[k] = -1;
    for (int i = 0; i < bag->tasks; i++) {
        double best = INFINITY;
        const double *taken = NULL;

        for (int c = bag->first[i]; c < bag->first[i + 1]; c++) {
            const double *here = j->taken + (size_t)c * (size_t)j->pairs;
            const double value = bag->seconds[c] <= lambda ? weighed(j, here) : INFINITY;

            if (value < best) {
                best = value;
                taken = here;
            }
        }
        if (!taken)
            return INFINITY;
        for (int k = 0; k < j->pairs; k++)
            j->load[k] += taken[k];
        all += best;
    }
    return all;
}

static void multiply(struct joint *j, double step)
{
    double sum = 0, most = 0;

    for (int k = 0; k < j->pairs; k++) {
        j->weight[k] *= exp(step * j->load[k]);
        most = fmax(most, j->weight[k]);
    }
    for (int k = 0; k < j->pairs; k++) {
        j->weight[k] = fmax(j->weight[k], 1e-9 * most);
        sum += j->weight[k];
    }
    for (int k = 0; k < j->pairs; k++)
        j->weight[k] /= sum;
}

/* Is it one with weights of few digits, without those below `cut`?  They stay when it is. */
static bool proves(struct joint *j, double lambda, double cut)
{
    double sum = 0;

    memcpy(j->kept, j->weight, (size_t)j->pairs * sizeof *j->kept);
    for (int k = 0; k < j->pairs; k++) {
        j->weight[k] = j->weight[k] < cut ? 0 : round(j->weight[k] * DIGITS) / DIGITS;
        sum += j->weight[k];
    }
    if (least(j, lambda) > sum * (1 + CLOSE))
        return true;
    memcpy(j->weight, j->kept, (size_t)j->pairs * sizeof *j->kept);
    return false;
}

/* No plan ends by lambda: true is a proof, false is not. */
static bool too_short(struct joint *j, double lambda)
{
    take(j, lambda);
    for (int k = 0; k < j->pairs; k++)
        j->weight[k] = (k == 0 ? 0.5 : 0.5 / (j->pairs - 1));
    for (int round = 0; round < j->rounds; round++) {
        if (least(j, lambda) > 1 + CLOSE && proves(j, lambda, 0))
            return true;
        multiply(j, 3 / sqrt(1 + 0.05 * round));
    }
    return false;
}

/* False when it would take too long. */
static bool prepare(struct joint *j, const struct cs_moldable_bag *bag, struct cs_arena *scratch)
{
    const int widths = (1 + STEPS_WIDE + FAMILY + 3) / 4 * 4;
    const double size = (double)bag->first[bag->tasks] * widths * TIMES;

    *j = (struct joint){.bag = bag,
                        .widths = widths,
                        .pairs = widths * TIMES,
                        .candidates = bag->first[bag->tasks],
                        .rounds = (int)fmin(ROUNDS_MOST, WORK / size)};
    if (j->rounds < ROUNDS_LEAST || bag->procs > 100000)
        return false;
    j->wide = CS_NEW_ARRAY(scratch, double, (size_t)widths *((size_t)bag->procs + 1));
    j->taken = CS_NEW_ARRAY(scratch, double, (size_t)j->candidates *(size_t)j->pairs);
    j->weight = CS_NEW_ARRAY(scratch, double, j->pairs);
    j->load = CS_NEW_ARRAY(scratch, double, j->pairs);
    j->kept = CS_NEW_ARRAY(scratch, double, j->pairs);
    for (int c = 0; c <= bag->procs; c++)
        for (int f = 0; f < widths; f++)
            j->wide[c * widths + f] = f <= STEPS_WIDE + FAMILY ? of_width(f, c, bag->procs) : 0;
    return true;
}

double cs_moldable_joint(const struct cs_moldable_bag *bag, double low, double high,
                         struct cs_arena *scratch)
{
    const struct cs_arena_mark mark = cs_arena_mark(scratch);
    struct joint joint;

    if (low < high && prepare(&joint, bag, scratch))
        for (int i = 0; i < HALVINGS; i++) {
            const double middle = low + (high - low) / 2;

            *(too_short(&joint, middle) ? &low : &high) = middle;
        }
    cs_arena_rewind(scratch, mark);
    return low;
}

static struct cs_dual dual_of_width(int function)
{
    if (function == 0)
        return (struct cs_dual){CS_DUAL_ITSELF, 0};
    if (function <= STEPS_WIDE)
        return (struct cs_dual){CS_DUAL_STEP, function};
    return (struct cs_dual){CS_DUAL_FAMILY, function - STEPS_WIDE};
}

static struct cs_dual dual_of_time(int function)
{
    if (function == 0)
        return (struct cs_dual){CS_DUAL_ITSELF, 0};
    if (function <= TIMES_FAMILY)
        return (struct cs_dual){CS_DUAL_FAMILY, function};
    return (struct cs_dual){CS_DUAL_STEP, time_step(function)};
}

/* Pairs are sorted by the function of times, then that of widths. */
static void tell(const struct joint *j, struct cs_moldable_certificate *by, struct cs_arena *arena)
{
    struct cs_moldable_pair *pair = CS_NEW_ARRAY(arena, struct cs_moldable_pair, j->pairs);

    *by = (struct cs_moldable_certificate){.pair = pair};
    for (int k = 0; k < j->pairs; k++)
        if (j->weight[k] > 0)
            pair[by->pairs++] = (struct cs_moldable_pair){
                dual_of_width(k % j->widths), dual_of_time(k / j->widths), j->weight[k]};
}

void cs_moldable_joint_certify(const struct cs_moldable_bag *bag, double bound,
                               struct cs_moldable_certificate *by, struct cs_arena *arena)
{
    struct cs_arena *scratch = cs_arena_create();
    struct joint joint;
    double cut = 0.1;

    if (prepare(&joint, bag, scratch) && too_short(&joint, bound)) {
        while (cut > 1 / DIGITS && !proves(&joint, bound, cut))
            cut /= 2;
        tell(&joint, by, arena);
    }
    cs_arena_destroy(scratch);
}
