/* cases.c - a makespan is too short when no allotment satisfies conservative scales.
 *
 * Source: cosched; scales: Fekete, Schepers 2004 (scales.h).
 * Idea: where the best scales do not show it, candidates that alone would take too much are left
 * out, and then a task is split: it runs on up to so many processors, or on more, where most work
 * lies evenly on both sides.  When a whole allotment satisfies all scales there is no proof.
 * Invariants: `low` is proved and only grows; `high` is the plan, or a makespan that was not
 * refuted in its share of the work; a proof is a tree whose leaves are refuted by one pair of
 * scales each.
 * Complexity: exponential at worst, stopped by WORK.  30 bags of 15 tasks on 40 processors, powers
 * of two: mean gap 0.21 % instead of 0.44 %, 0.47 s instead of 0.19 s (bench/README.md).
 *
 *   constant    value  unit          how found; half, double
 *   WORK        2.5e9  numbers read  1.2 s where it is used up (bench/README.md); not measured
 *   TRIES       8      makespans     not recorded; not measured
 *   STEP        0.42   of the gap    not recorded; not measured
 *   SHARE       0.75   of the work   not recorded; not measured
 *   LEAST       2e7    numbers read  not recorded; not measured
 *   DEPTH_MOST  200    levels        not recorded; not measured
 *   CASES_MOST  2000   cases         not recorded; not measured
 * Splits where most work lies evenly, instead of most fractions, take a third to a half of the
 * cases.
 */
#include "problems/moldable/bound.h"
#include "problems/moldable/scales.h"

#include <math.h>
#include <string.h>

#define WORK 2.5e9 /* numbers that may be examined, less than a second */
#define TRIES 8
#define STEP 0.42  /* of the gap: how far below the plan the first makespans are */
#define SHARE 0.75 /* of the work left: for one makespan */
#define LEAST 2e7  /* no makespan is tried with less */
#define DEPTH_MOST 200
#define EVEN_LEAST 1e-6
#define CASES_MOST 2000

struct cases {
    const struct cs_moldable_bag *bag;
    struct cs_moldable_scales scales;
    double work; /* that is left, */
    double most; /* and what the makespan that is tried may take of it */
    int left;    /* cases that may still be examined */
    struct cs_arena *scratch;
    struct cs_arena *arena; /* of certificates; NULL: none wanted */
    struct cs_moldable_patience patience;
};

static bool is_over(const struct cases *c)
{
    return c->scales.lp.work > c->most || c->left == 0 ||
           (c->patience.expired && c->patience.expired(c->patience.who));
}

/* Where a task is split: after one of its candidates; -1: there is nothing to split. */
struct place {
    int task, candidate;
};

/* Where most work lies evenly on both sides. */
static struct place find_place(const struct cases *c, const bool *open)
{
    struct place place = {0, -1};
    double most = 0;

    for (int i = 0; i < c->bag->tasks; i++) {
        double below = 0, all = 0;

        for (int a = c->bag->first[i]; a < c->bag->first[i + 1]; a++)
            all += open[a] ? c->scales.value[a] : 0;
        for (int a = c->bag->first[i]; a < c->bag->first[i + 1]; a++) {
            double even;

            below += open[a] ? c->scales.value[a] : 0;
            even = fmin(below, all - below);
            if (even > EVEN_LEAST && even * c->bag->work[a] > most) {
                most = even * c->bag->work[a];
                place = (struct place){i, a};
            }
        }
    }
    return place;
}

static int count_values(const struct cases *c)
{
    const struct cs_moldable_scale_pair *best = &c->scales.best;
    int count = 0;

    for (int a = 0; a < c->scales.candidates; a++)
        count += best->time[a] > 0 || best->width[a] > 0;
    return count;
}

static void cases_certify(const struct cases *c, struct cs_moldable_certificate *by)
{
    const struct cs_moldable_scale_pair *best = &c->scales.best;
    struct cs_moldable_scale *scale;

    by->scale = scale = CS_NEW_ARRAY(c->arena, struct cs_moldable_scale, count_values(c));
    for (int i = 0; i < c->bag->tasks; i++)
        for (int a = c->bag->first[i]; a < c->bag->first[i + 1]; a++)
            if (best->time[a] > 0 || best->width[a] > 0)
                scale[by->scales++] =
                    (struct cs_moldable_scale){i, c->bag->count[a], best->time[a], best->width[a]};
}

static bool cases_refute(struct cases *c, const bool *open, int depth,
                         struct cs_moldable_certificate *by);

static struct cs_moldable_certificate *cases_below(const struct cases *c,
                                                   const struct cs_moldable_certificate **place)
{
    struct cs_moldable_certificate *new = CS_NEW(c->arena, struct cs_moldable_certificate);

    *place = new;
    return new;
}

/* The task on up to the place's count, and on more. */
static bool cases_split(struct cases *c, const bool *open, struct place place, int depth,
                        struct cs_moldable_certificate *by)
{
    const size_t size = (size_t)c->scales.candidates * sizeof *open;
    bool *side = CS_NEW_ARRAY(c->scratch, bool, c->scales.candidates);

    if (place.candidate < 0)
        return false;
    if (by) {
        by->task = place.task;
        by->most = c->bag->count[place.candidate];
    }
    for (int wide = 0; wide < 2; wide++) {
        memcpy(side, open, size);
        for (int a = c->bag->first[place.task]; a < c->bag->first[place.task + 1]; a++)
            side[a] = open[a] && (a > place.candidate) == wide;
        if (!cases_refute(c, side, depth + 1,
                          !by ? NULL : cases_below(c, wide ? &by->wide : &by->narrow)))
            return false;
    }
    return true;
}

/* No proof for the open candidates: tries those that are left, or splits a task. */
static bool go_on(struct cases *c, const bool *open, int depth, struct cs_moldable_certificate *by)
{
    const struct place place = find_place(c, open);
    bool *left = CS_NEW_ARRAY(c->scratch, bool, c->scales.candidates);

    cs_moldable_scales_left(&c->scales, open, left);
    if (memcmp(left, open, (size_t)c->scales.candidates * sizeof *left) == 0)
        return cases_split(c, open, place, depth, by);
    if (by)
        cases_certify(c, by);
    return cases_refute(c, left, depth + 1, by ? cases_below(c, &by->narrow) : NULL);
}

/* Can none of the open candidates do it? */
static bool cases_refute(struct cases *c, const bool *open, int depth,
                         struct cs_moldable_certificate *by)
{
    const struct cs_arena_mark mark = cs_arena_mark(c->scratch);
    bool proved;

    if (depth > DEPTH_MOST || is_over(c))
        return false;
    c->left--;
    proved = cs_moldable_scales_refute(&c->scales, open);
    if (proved && by)
        cases_certify(c, by);
    if (!proved)
        proved = go_on(c, open, depth, by);
    cs_arena_rewind(c->scratch, mark);
    return proved;
}

/* No plan ends by lambda: true is a proof.  Its cost is taken from the work. */
static bool too_short(struct cases *c, double lambda, struct cs_moldable_certificate *by)
{
    struct cs_arena *own = cs_arena_create();
    bool *open = CS_NEW_ARRAY(own, bool, c->bag->first[c->bag->tasks]), proved;

    cs_moldable_scales_init(&c->scales, c->bag, lambda, own);
    for (int a = 0; a < c->scales.candidates; a++)
        open[a] = c->bag->seconds[a] <= lambda;
    c->left = CASES_MOST;
    c->most = SHARE * c->work;
    proved = cases_refute(c, open, 0, by);
    c->work -= c->scales.lp.work;
    cs_arena_destroy(own);
    return proved;
}

bool cs_moldable_cases_apply(const struct cs_moldable_bag *bag)
{
    return cs_moldable_scales_apply(bag);
}

/* Proofs get longer as the gap gets smaller: from the large ones down, and where that ends between
 * the last two. */
double cs_moldable_cases(const struct cs_moldable_bag *bag, double low, double high,
                         struct cs_moldable_patience patience, struct cs_arena *scratch)
{
    struct cases cases = {.bag = bag, .work = WORK, .scratch = scratch, .patience = patience};
    const bool worth = low < high && cs_moldable_cases_apply(bag);
    const double best = high;

    for (int i = 0; worth && i < TRIES && cases.work > LEAST; i++) {
        const double lambda = high == best ? high - STEP * (high - low) : low + (high - low) / 2;

        *(too_short(&cases, lambda, NULL) ? &low : &high) = lambda;
    }
    return low;
}

bool cs_moldable_cases_certify(const struct cs_moldable_bag *bag, double bound,
                               struct cs_moldable_certificate *by, struct cs_arena *arena)
{
    struct cs_arena *scratch = cs_arena_create();
    struct cs_moldable_certificate mine = {0};
    struct cases cases = {.bag = bag, .work = INFINITY, .scratch = scratch, .arena = arena};
    const bool proved = cs_moldable_cases_apply(bag) && too_short(&cases, bound, &mine);

    if (proved)
        *by = mine;
    cs_arena_destroy(scratch);
    return proved;
}
