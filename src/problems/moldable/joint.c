/* joint.c - a makespan is too short when no allotment satisfies pairs of functions together.
 *
 * Source: cosched; the functions are those of Fekete and Schepers and steps (spec/moldable.md
 * 5.4).
 * Idea: area, knapsack and width bound take one pair of dual feasible functions each and another
 * allotment for each of them.  Here one allotment has to satisfy all pairs: for any weights of the
 * pairs, what the tasks take at least is no more than the weights, or lambda is too short.
 * Weights that show this are found by multiplying those of broken pairs.  Where no weights are
 * found because two counts of a task share the work between them, the task is split: it runs on up
 * to so many processors, or on more.  Candidates that alone would take too much under the weights
 * are left out on both sides.
 * Invariants: the result is never below `low`; each proof is evaluated again with weights of few
 * digits (joint_proves), so that a certificate holds them exactly; pairs are a multiple of four.
 * Complexity: O(open candidates pairs) a round; a makespan is tried HALVINGS times.  No split
 * begins once the work is used up.  At 15 to 200 tasks: bench/README.md, "Bags without barriers".
 *
 *   constant      value  unit             how found; half, double
 *   WORK_LEAST    4e7    numbers read     not recorded; not measured
 *   WORK          3e8    numbers read     not recorded (bound.h: up to half a second)
 *   WORK_BRIEF    3e7    numbers read     where cases.c comes after; not measured
 *   PAIRS_LEAST   360    pairs            24 functions of widths times TIMES; not measured
 *   STEPS_MOST    128    steps            halved until the first rounds fit; not measured
 *   ROUNDS_LEAST  50     rounds           not recorded; not measured
 *   ROUNDS_MOST   400    rounds           five times the rounds and fixed functions: 0.08 points
 *                                         gained (bench/README.md); half, double not measured
 *   FEW           16     allotments       not recorded; not measured
 *   SPLITS_MOST   48     splits           not recorded; not measured
 *   HALVINGS      7      makespans        ends within 1/128 of the gap; not measured
 */
#include "base/order.h"
#include "model/schedule.h"
#include "problems/moldable/bag.h"
#include "problems/moldable/bound.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* The functions, and their values for candidates.
 *
 * Of widths: the width itself, steps, and the family of Fekete and Schepers.  Of times the same,
 * with each of those; and with the width itself steps and roundings at the times of this bag: what
 * matters is which tasks still fit together with the long ones.
 */

struct cs_moldable_duals {
    const struct cs_moldable_bag *bag;
    int widths;    /* functions of widths, that of each with each of the first times */
    int times;     /* functions of times; the first ones are the same for every makespan */
    int pairs;     /* a multiple of four */
    int steps;     /* where the others may step, */
    double *step;  /* sorted */
    double *wide;  /* by count and function */
    double *taken; /* by candidate and pair */
    struct cs_dual *of_time;
};

#define STEPS_WIDE 12 /* from 2 on */
#define FAMILY_WIDE 8
#define TIMES 15 /* itself, a family of 5, steps at 0.05 .. 0.45 */
#define TIMES_FAMILY 5
#define PARTS 3 /* of a time, or of its remainder */
#define STEP_LEAST 0.02
#define STEP_APART 0.002
#define DUAL_CLOSE 1e-9
#define DUAL_DIGITS 1e6 /* of steps */

/* Of shares from 0 to 1; near a step the value before it. */
static double of_time(const struct cs_dual *f, double share)
{
    const double x = share - DUAL_CLOSE, k = f->at, whole = floor(1 / k);

    switch (f->kind) {
    case CS_DUAL_FAMILY: {
        const double near = round((k + 1) * share);

        if (fabs((k + 1) * share - near) < DUAL_CLOSE)
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

/* Up to `steps` functions of each of two kinds are made for each makespan. */
static void moldable_duals_init(struct cs_moldable_duals *d, const struct cs_moldable_bag *bag,
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

/* The points at which a task, or a part of it or of its remainder, begins to count or to fit;
 * evenly chosen. */
static void find_steps(struct cs_moldable_duals *d, double lambda, struct cs_arena *scratch)
{
    const struct cs_moldable_bag *bag = d->bag;
    double *step = d->step;
    size_t all = 0, kept = 0;

    for (int c = 0; c < bag->first[bag->tasks]; c++)
        for (int part = 1; part <= PARTS && bag->seconds[c] < lambda; part++) {
            const double share = bag->seconds[c] / lambda;

            step[all++] = floor(share / part * DUAL_DIGITS - 0.1) / DUAL_DIGITS;
            step[all++] = ceil((1 - share) / part * DUAL_DIGITS + 0.1) / DUAL_DIGITS;
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

/* The values of each candidate within lambda, by pair. */
static void moldable_duals_take(struct cs_moldable_duals *d, double lambda)
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

static struct cs_moldable_pair moldable_duals_pair(const struct cs_moldable_duals *d, int pair)
{
    const int grid = d->widths * TIMES;

    if (pair >= grid)
        return (struct cs_moldable_pair){width_dual(0), d->of_time[TIMES + pair - grid], 0};
    return (struct cs_moldable_pair){width_dual(pair % d->widths), d->of_time[pair / d->widths], 0};
}

#define WORK_LEAST 4e7 /* numbers that the first rounds may look at, */
#define WORK 3e8       /* and all of them before nothing more is split, */
#define WORK_BRIEF 3e7 /* or where scales come after */
#define PAIRS_LEAST 360
#define STEPS_MOST 128
#define ROUNDS_LEAST 50
#define ROUNDS_MOST 400 /* at the root, and where few allotments are left */
#define FEW 16
#define SPLITS_MOST 48
#define DEPTH_MOST 40
#define HALVINGS 7
#define CLOSE 1e-9
#define DIGITS 1e7 /* of weights */

struct joint {
    const struct cs_moldable_bag *bag;
    struct cs_moldable_duals duals;
    int pairs, candidates, splits;
    double lambda, work;
    double *weight; /* of pairs, sum 1 */
    double *load;   /* of pairs, less 1 */
    double *best;   /* the weights under which the most was taken */
    double *value;  /* by candidate: the share that it takes */
    double *chosen; /* by candidate: how often it took least */
    struct cs_arena *scratch;
    struct cs_arena *arena; /* of certificates; NULL: none wanted */
    struct cs_moldable_patience patience;
};

static bool joint_expired(const struct joint *j)
{
    return j->patience.expired && j->patience.expired(j->patience.who);
}

/* Four sums, which do not wait for each other; pairs are a multiple of four. */
static double joint_weighed(const struct joint *j, int candidate)
{
    const double *taken = j->duals.taken + (size_t)candidate * (size_t)j->pairs;
    double sum[4] = {0};

    for (int k = 0; k < j->pairs; k += 4)
        for (int i = 0; i < 4; i++)
            sum[i] += j->weight[k + i] * taken[k + i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* The candidate of a task that takes least; -1: none is open. */
static int least_of(struct joint *j, int task, const bool *open)
{
    int least = -1;

    for (int c = j->bag->first[task]; c < j->bag->first[task + 1]; c++) {
        if (!open[c])
            continue;
        j->value[c] = joint_weighed(j, c);
        j->work -= j->pairs;
        if (least < 0 || j->value[c] < j->value[least])
            least = c;
    }
    return least;
}

/* The least that all tasks take; the loads become those of the candidates that take it. */
static double joint_least(struct joint *j, const bool *open)
{
    double all = 0;

    for (int k = 0; k < j->pairs; k++)
        j->load[k] = -1;
    for (int i = 0; i < j->bag->tasks; i++) {
        const int c = least_of(j, i, open);
        const double *taken;

        if (c < 0)
            return INFINITY;
        taken = j->duals.taken + (size_t)c * (size_t)j->pairs;
        for (int k = 0; k < j->pairs; k++)
            j->load[k] += taken[k];
        j->chosen[c]++;
        all += j->value[c];
    }
    return all;
}

static void joint_multiply(struct joint *j, double step)
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

static void copy_weights(const struct joint *j, double *to, const double *from)
{
    memcpy(to, from, (size_t)j->pairs * sizeof *to);
}

/* Do weights of few digits, without those below `cut`, prove it?  Else the candidates that would
 * take too much are no longer left[]. */
static bool joint_proves(struct joint *j, const double *weight, double cut, const bool *open,
                         bool *left)
{
    double sum = 0, all;

    for (int k = 0; k < j->pairs; k++) {
        j->weight[k] = weight[k] < cut ? 0 : round(weight[k] * DIGITS) / DIGITS;
        sum += j->weight[k];
    }
    all = joint_least(j, open);
    memcpy(left, open, (size_t)j->candidates * sizeof *left);
    if (all > sum * (1 + CLOSE))
        return true;
    for (int i = 0; i < j->bag->tasks; i++) {
        double mine = INFINITY;

        for (int c = j->bag->first[i]; c < j->bag->first[i + 1]; c++)
            mine = open[c] ? fmin(mine, j->value[c]) : mine;
        for (int c = j->bag->first[i]; c < j->bag->first[i + 1]; c++)
            left[c] = open[c] && !(all - mine + j->value[c] > sum * (1 + CLOSE));
    }
    return false;
}

/* Weights from these on: true is a proof by the best of them, and left[] is as in joint_proves. */
static bool joint_weigh(struct joint *j, int rounds, const bool *open, bool *left)
{
    double most = 0;

    memset(j->chosen, 0, (size_t)j->candidates * sizeof *j->chosen);
    for (int round = 0; round < rounds && !joint_expired(j); round++) {
        const double all = joint_least(j, open);

        if (all > most) {
            most = all;
            copy_weights(j, j->best, j->weight);
        }
        if (all > 1 + CLOSE) {
            if (joint_proves(j, j->best, 0, open, left))
                return true;
            copy_weights(j, j->weight, j->best);
        }
        if (round == rounds / 2)
            memset(j->chosen, 0, (size_t)j->candidates * sizeof *j->chosen);
        joint_multiply(j, 3 / sqrt(1 + 0.05 * round));
    }
    return joint_proves(j, j->best, 0, open, left);
}

static double joint_allotments(const struct joint *j, const bool *open)
{
    double all = 1;

    for (int i = 0; i < j->bag->tasks; i++) {
        int mine = 0;

        for (int c = j->bag->first[i]; c < j->bag->first[i + 1]; c++)
            mine += open[c];
        all *= mine;
    }
    return all;
}

/* How evenly the candidates up to c and those above it took least; -1: none is above. */
static double joint_evenness(const struct joint *j, int task, const bool *open, int c)
{
    double below = 0, above = 0;
    bool any = false;

    for (int a = j->bag->first[task]; a < j->bag->first[task + 1]; a++) {
        *(a <= c ? &below : &above) += open[a] ? j->chosen[a] : 0;
        any |= a > c && open[a];
    }
    return any ? fmin(below, above) : -1;
}

/* Where a task is split: after one of its candidates; -1: no task is left to split. */
struct place {
    int task, candidate;
};

static struct place find_split(const struct joint *j, const bool *open)
{
    struct place place = {0, -1};
    double most = -1;

    for (int i = 0; i < j->bag->tasks; i++)
        for (int c = j->bag->first[i]; c < j->bag->first[i + 1]; c++) {
            const double even = open[c] ? joint_evenness(j, i, open, c) : -1;

            if (even > most) {
                most = even;
                place = (struct place){i, c};
            }
        }
    return place;
}

/* The fewest of the best weights that do what all of them do. */
static void joint_certify(struct joint *j, const bool *open, const bool *left, bool proved,
                          struct cs_moldable_certificate *by)
{
    const size_t size = (size_t)j->candidates * sizeof *left;
    bool *now = CS_NEW_ARRAY(j->scratch, bool, j->candidates);
    struct cs_moldable_pair *pair;

    if (!proved && memcmp(open, left, size) == 0)
        return;
    for (double cut = 0.1; cut > 1 / DIGITS; cut /= 2)
        if (joint_proves(j, j->best, cut, open, now) == proved &&
            (proved || memcmp(now, left, size) == 0))
            break;
    by->pair = pair = CS_NEW_ARRAY(j->arena, struct cs_moldable_pair, j->pairs);
    for (int k = 0; k < j->pairs; k++)
        if (j->weight[k] > 0) {
            pair[by->pairs] = moldable_duals_pair(&j->duals, k);
            pair[by->pairs++].weight = j->weight[k];
        }
}

struct node {
    const bool *open;
    const double *weight; /* to begin with */
    int depth;
    bool thorough;
};

static bool joint_refute(struct joint *j, const struct node *node,
                         struct cs_moldable_certificate *by);

static struct cs_moldable_certificate *joint_below(struct joint *j,
                                                   const struct cs_moldable_certificate **place)
{
    struct cs_moldable_certificate *new;

    if (!place)
        return NULL;
    *place = new = CS_NEW(j->arena, struct cs_moldable_certificate);
    return new;
}

/* The task on up to the place's count, and on more. */
static bool joint_split(struct joint *j, const struct node *node, struct place place,
                        struct cs_moldable_certificate *by)
{
    bool *side = CS_NEW_ARRAY(j->scratch, bool, j->candidates);

    if (place.candidate < 0 || node->depth == DEPTH_MOST || j->splits == SPLITS_MOST ||
        j->work <= 0 || joint_expired(j))
        return false;
    j->splits++;
    if (by) {
        by->task = place.task;
        by->most = j->bag->count[place.candidate];
    }
    for (int wide = 0; wide < 2; wide++) {
        const struct node next = {side, node->weight, node->depth + 1, false};

        memcpy(side, node->open, (size_t)j->candidates * sizeof *side);
        for (int c = j->bag->first[place.task]; c < j->bag->first[place.task + 1]; c++)
            side[c] = node->open[c] && (c > place.candidate) == wide;
        if (!joint_refute(j, &next, joint_below(j, !by ? NULL : wide ? &by->wide : &by->narrow)))
            return false;
    }
    return true;
}

static int count_open(const struct joint *j, const bool *open)
{
    int count = 0;

    for (int c = 0; c < j->candidates; c++)
        count += open[c];
    return count;
}

/* The next step for the candidates that are left: look at them alone when they have become fewer,
 * take more rounds where that is worth it, else split a task. */
static bool go_on(struct joint *j, const struct node *node, const bool *left, struct place place,
                  struct cs_moldable_certificate *by)
{
    double *weight = CS_NEW_ARRAY(j->scratch, double, j->pairs);
    struct node next = {left, weight, node->depth, node->thorough};

    copy_weights(j, weight, j->best);
    if (memcmp(left, node->open, (size_t)j->candidates * sizeof *left) != 0)
        return joint_refute(j, &next, joint_below(j, by ? &by->narrow : NULL));
    if (!node->thorough && (node->depth == 0 || joint_allotments(j, left) <= FEW)) {
        next.thorough = true;
        return joint_refute(j, &next, joint_below(j, by ? &by->narrow : NULL));
    }
    return joint_split(j, &next, place, by);
}

/* Can none of the open candidates do it? */
static bool joint_refute(struct joint *j, const struct node *node,
                         struct cs_moldable_certificate *by)
{
    const struct cs_arena_mark mark = cs_arena_mark(j->scratch);
    bool *left = CS_NEW_ARRAY(j->scratch, bool, j->candidates), proved;
    struct place place;

    copy_weights(j, j->weight, node->weight);
    proved = joint_weigh(j, node->thorough ? ROUNDS_MOST : ROUNDS_LEAST, node->open, left);
    if (!proved && 4 * count_open(j, left) >= 3 * count_open(j, node->open))
        memcpy(left, node->open, (size_t)j->candidates * sizeof *left);
    place = find_split(j, left);
    if (by)
        joint_certify(j, node->open, left, proved, by);
    if (!proved)
        proved = go_on(j, node, left, place, by);
    cs_arena_rewind(j->scratch, mark);
    return proved;
}

/* No plan ends by lambda: true is a proof, false is not. */
static bool too_short(struct joint *j, double lambda, struct cs_moldable_certificate *by)
{
    const struct cs_arena_mark mark = cs_arena_mark(j->scratch);
    double *weight = CS_NEW_ARRAY(j->scratch, double, j->pairs);
    bool *open = CS_NEW_ARRAY(j->scratch, bool, j->candidates), proved;

    moldable_duals_take(&j->duals, lambda);
    for (int k = 0; k < j->pairs; k++)
        weight[k] = (k == 0 ? 0.5 : 0.5 / (j->pairs - 1));
    for (int c = 0; c < j->candidates; c++)
        open[c] = j->bag->seconds[c] <= lambda;
    j->splits = 0;
    proved = joint_refute(j, &(struct node){open, weight, 0, false}, by);
    cs_arena_rewind(j->scratch, mark);
    return proved;
}

/* False when it would take too long. */
static bool joint_prepare(struct joint *j, const struct cs_moldable_bag *bag,
                          struct cs_arena *scratch)
{
    const int candidates = bag->first[bag->tasks];
    int steps = STEPS_MOST;

    *j = (struct joint){.bag = bag, .candidates = candidates};
    j->work = cs_moldable_cases_apply(bag) ? WORK_BRIEF : WORK;
    j->scratch = scratch;
    while (steps > 0 && (double)candidates * (PAIRS_LEAST + 2 * steps) * ROUNDS_LEAST > WORK_LEAST)
        steps /= 2;
    if ((double)candidates * PAIRS_LEAST * ROUNDS_LEAST > WORK_LEAST || bag->procs > 100000)
        return false;
    moldable_duals_init(&j->duals, bag, steps, scratch);
    j->pairs = j->duals.pairs;
    j->weight = CS_NEW_ARRAY(scratch, double, j->pairs);
    j->load = CS_NEW_ARRAY(scratch, double, j->pairs);
    j->best = CS_NEW_ARRAY(scratch, double, j->pairs);
    j->value = CS_NEW_ARRAY(scratch, double, candidates);
    j->chosen = CS_NEW_ARRAY(scratch, double, candidates);
    return true;
}

/* Where a thorough look costs much of what is granted, the least that would be gained comes first:
 * many bags that are so large gain nothing. */
static bool worth_it(struct joint *j, double low, double high)
{
    return (double)j->candidates * j->pairs * ROUNDS_MOST < WORK / 6 ||
           too_short(j, low + (high - low) / (1 << HALVINGS), NULL);
}

double cs_moldable_joint(const struct cs_moldable_bag *bag, double low, double high,
                         struct cs_moldable_patience patience, struct cs_arena *scratch)
{
    const struct cs_arena_mark mark = cs_arena_mark(scratch);
    struct joint joint;
    bool worth = low < high && joint_prepare(&joint, bag, scratch);

    joint.patience = patience;
    worth = worth && worth_it(&joint, low, high);
    for (int i = 0; worth && i < HALVINGS && !joint_expired(&joint); i++) {
        const double middle = low + (high - low) / 2;

        *(too_short(&joint, middle, NULL) ? &low : &high) = middle;
    }
    cs_arena_rewind(scratch, mark);
    return low;
}

bool cs_moldable_joint_certify(const struct cs_moldable_bag *bag, double bound,
                               struct cs_moldable_certificate *by, struct cs_arena *arena)
{
    struct cs_arena *scratch = cs_arena_create();
    struct cs_moldable_certificate mine = {0};
    struct joint joint;
    bool proved = false;

    if (joint_prepare(&joint, bag, scratch)) {
        joint.arena = arena;
        joint.work = INFINITY;
        proved = too_short(&joint, bound, &mine);
    }
    if (proved)
        *by = mine;
    cs_arena_destroy(scratch);
    return proved;
}
