/* cases.c - a makespan is too short when no allotment satisfies conservative scales.
 *
 * Source: cosched; scales: Fekete, Schepers 2004 (below).
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
#include "problems/moldable/bag.h"
#include "problems/moldable/bound.h"
#include "problems/moldable/lp.h"

#include <math.h>
#include <string.h>
/* Conservative scales of the times and of the widths of a bag (Fekete, Schepers 2004).
 *
 * Values of the candidates are a scale of the times when those of tasks that fit one after the
 * other within lambda add up to no more than a most; they are one of the widths when those of tasks
 * that fit side by side do.  In a plan that ends by lambda the tasks have sum of c/P time +
 * t/lambda width <= both mosts: each processor, and each moment, gives no more.  Dual feasible
 * functions are scales for every bag; these are made for the tasks that there are, each of which
 * runs once.
 */

/* A pair of scales, by candidate, and what the tasks take under it, of the most that they may. */
struct cs_moldable_scale_pair {
    double *time, *width;
    double most_time, most_width, taken;
};

struct cs_moldable_scales {
    const struct cs_moldable_bag *bag;
    const bool *open; /* candidates that are not, are in no plan */
    double lambda;
    int candidates;
    struct cs_moldable_scale_pair tried, best;
    double *take;  /* by candidate: under the pair that was examined last */
    double *value; /* by column; of the first ones by candidate: how much of the task runs so */
    double *layer; /* of patterns */
    int *pattern;  /* by task: a candidate, or -1 */
    struct cs_lp lp;
};

/* The best pair of scales, by column generation.
 *
 * Source: cosched; conservative scales: Fekete, Schepers 2004.
 * Idea: the linear program has fractions of the candidates of each task, patterns of tasks one
 * after the other that fill processors, and patterns of tasks side by side that fill moments, so
 * that every candidate has its processors and its moments; the least share of all processors and
 * moments that this needs.  Its dual values are scales, and patterns that are worth more than they
 * cost are found by dynamic programming.
 * Invariants: scales are rounded down to multiples of 1 / DIGITS and both mosts are computed for
 * the rounded ones; times are rounded down to units, which makes patterns larger and proofs
 * weaker, never wrong; a candidate that is not open has the value 0 in both scales.
 * Complexity: 2 + tasks + 2 candidates rows, a step of the simplex method O(rows^2); a pattern
 * O(candidates UNITS) or O(candidates procs); at most ROUNDS rounds.
 *
 *   constant         value  unit        how found; half, double
 *   TASKS_MOST       64     tasks       not recorded; not measured
 *   PROCS_MOST       4096   processors  not recorded; not measured
 *   CANDIDATES_MOST  240    candidates  600 are too many rows for a second (bench/README.md)
 *   UNITS            4096   of lambda   not recorded; not measured
 *   SHARE            0.7    of a pair   prices mixed with the best 0.7 to 0.3 save up to two thirds
 *                                       of the work (bench/README.md); not measured
 *   ROUNDS           400    rounds      not recorded; not measured
 */

#define TASKS_MOST 64
#define PROCS_MOST 4096
#define CANDIDATES_MOST 240
#define COLUMNS_MOST 6000
#define UNITS 4096   /* of times in patterns */
#define MISSING 10.0 /* the cost of a task that is not there */
#define NUDGE 1e-7   /* of right sides, against many plans of one cost */
#define CLOSE 1e-9
#define DIGITS 1e7
#define ROUNDS 400
#define SCALES_SHARE 0.7 /* of the best pair in those that are tried */

enum { ROW_TIME, ROW_WIDTH, ROWS_TASKS }; /* then one by task, then two by candidate */

static int row_of(const struct cs_moldable_scales *s, int candidate, bool width)
{
    return ROWS_TASKS + s->bag->tasks + 2 * candidate + width;
}

static double part_of_procs(const struct cs_moldable_scales *s, int candidate)
{
    return (double)s->bag->count[candidate] / s->bag->procs;
}

static double part_of_time(const struct cs_moldable_scales *s, int candidate)
{
    return s->bag->seconds[candidate] / s->lambda * (1 - 1e-12);
}

/* Differs from row to row. */
static double scales_nudge(int row)
{
    const double x = row * 0.6180339887498949;

    return NUDGE * (1 + x - floor(x));
}

/* Columns of candidates come after those of the rows and the one of the share. */
static int column_of(const struct cs_moldable_scales *s, int candidate)
{
    return s->lp.rows + 1 + candidate;
}

static void add_candidates(struct cs_moldable_scales *s, int task)
{
    for (int c = s->bag->first[task]; c < s->bag->first[task + 1]; c++) {
        const struct cs_lp_entry entry[] = {{ROWS_TASKS + task, 1},
                                            {row_of(s, c, false), part_of_procs(s, c)},
                                            {row_of(s, c, true), part_of_time(s, c)}};

        cs_lp_add_column(&s->lp, 0, entry, 3);
    }
}

static void make_program(struct cs_moldable_scales *s, struct cs_arena *arena)
{
    const struct cs_lp_entry share[] = {{ROW_TIME, -1}, {ROW_WIDTH, -1}};
    const int tasks = s->bag->tasks, rows = row_of(s, s->candidates, false);

    cs_lp_init(&s->lp, rows, COLUMNS_MOST, arena);
    for (int row = 0; row < rows; row++) {
        const bool task = row >= ROWS_TASKS && row < ROWS_TASKS + tasks;

        cs_lp_add_row(&s->lp, task ? MISSING : 0, task ? 1 : scales_nudge(row));
    }
    cs_lp_add_column(&s->lp, 1, share, 2);
    for (int i = 0; i < tasks; i++)
        add_candidates(s, i);
}

static struct cs_moldable_scale_pair make_pair(int candidates, struct cs_arena *arena)
{
    return (struct cs_moldable_scale_pair){.time = CS_NEW_ARRAY(arena, double, candidates),
                                           .width = CS_NEW_ARRAY(arena, double, candidates)};
}

static bool moldable_scales_apply(const struct cs_moldable_bag *bag)
{
    return bag->tasks <= TASKS_MOST && bag->procs <= PROCS_MOST &&
           bag->first[bag->tasks] <= CANDIDATES_MOST;
}

static void moldable_scales_init(struct cs_moldable_scales *s, const struct cs_moldable_bag *bag,
                                 double lambda, struct cs_arena *arena)
{
    const int candidates = bag->first[bag->tasks];
    const size_t units = (size_t)(bag->procs > UNITS ? bag->procs : UNITS) + 1;

    *s = (struct cs_moldable_scales){.bag = bag, .lambda = lambda, .candidates = candidates};
    s->tried = make_pair(candidates, arena);
    s->best = make_pair(candidates, arena);
    s->take = CS_NEW_ARRAY(arena, double, candidates);
    s->value = CS_NEW_ARRAY(arena, double, COLUMNS_MOST);
    s->layer = CS_NEW_ARRAY(arena, double, units *((size_t)bag->tasks + 1));
    s->pattern = CS_NEW_ARRAY(arena, int, bag->tasks);
    make_program(s, arena);
}

static double scales_worth(const struct cs_moldable_scales *s, int candidate, bool width)
{
    return s->open[candidate] ? fmax(0, -s->lp.price[row_of(s, candidate, width)]) : 0;
}

/* The scales of the prices, and so much of the best ones: prices jump from one extreme to another.
 * Of few digits, so that they can be written down. */
static void make_scales(struct cs_moldable_scales *s, double share)
{
    const double all = s->best.most_time + s->best.most_width, part = share > 0 ? share / all : 0;

    for (int c = 0; c < s->candidates; c++) {
        const double time = (1 - share) * scales_worth(s, c, false) + part * s->best.time[c];
        const double width = (1 - share) * scales_worth(s, c, true) + part * s->best.width[c];

        s->tried.time[c] = s->open[c] ? floor(time * DIGITS) / DIGITS : 0;
        s->tried.width[c] = s->open[c] ? floor(width * DIGITS) / DIGITS : 0;
    }
}

/* Times are rounded down: patterns get larger, which weakens what is proved and nothing else. */
static int units_of(const struct cs_moldable_scales *s, int candidate, bool width)
{
    return width ? s->bag->count[candidate] : (int)(part_of_time(s, candidate) * UNITS);
}

static double *layer_of(const struct cs_moldable_scales *s, int tasks, int units)
{
    return s->layer + (size_t)tasks * (size_t)(units + 1);
}

/* One more task: the most by units. */
static void add_layer(struct cs_moldable_scales *s, int task, bool width, int units)
{
    const double *scale = width ? s->tried.width : s->tried.time;
    const double *before = layer_of(s, task, units);
    double *after = layer_of(s, task + 1, units);

    memcpy(after, before, (size_t)(units + 1) * sizeof *after);
    for (int c = s->bag->first[task]; c < s->bag->first[task + 1]; c++) {
        const int mine = units_of(s, c, width);
        const double value = scale[c];

        for (int u = mine; value > 0 && u <= units; u++)
            after[u] = before[u - mine] + value > after[u] ? before[u - mine] + value : after[u];
        s->lp.work += units;
    }
}

/* The tasks that make the most of a scale side by side, or one after the other. */
static double find_pattern(struct cs_moldable_scales *s, bool width)
{
    const double *scale = width ? s->tried.width : s->tried.time;
    const int units = width ? s->bag->procs : UNITS;
    int left = units;

    memset(s->layer, 0, (size_t)(units + 1) * sizeof *s->layer);
    for (int i = 0; i < s->bag->tasks; i++)
        add_layer(s, i, width, units);
    for (int i = s->bag->tasks - 1; i >= 0; i--) {
        const double *before = layer_of(s, i, units), most = layer_of(s, i + 1, units)[left];

        s->pattern[i] = -1;
        for (int c = s->bag->first[i]; most > before[left] && c < s->bag->first[i + 1]; c++) {
            const int rest = left - units_of(s, c, width);

            if (rest >= 0 && before[rest] + scale[c] == most) {
                s->pattern[i] = c;
                left = rest;
                break;
            }
        }
    }
    return layer_of(s, s->bag->tasks, units)[units];
}

/* True when the pattern is worth more than its cost. */
static bool add_pattern(struct cs_moldable_scales *s, bool width)
{
    struct cs_lp_entry entry[TASKS_MOST + 1] = {{width ? ROW_WIDTH : ROW_TIME, 1}};
    double gain = s->lp.price[entry[0].row];
    int entries = 1;

    for (int i = 0; i < s->bag->tasks; i++)
        if (s->pattern[i] >= 0) {
            entry[entries] = (struct cs_lp_entry){row_of(s, s->pattern[i], width), -1};
            gain -= s->lp.price[entry[entries++].row];
        }
    if (!(gain > CLOSE) || s->lp.columns == s->lp.columns_most)
        return false;
    cs_lp_add_column(&s->lp, 0, entry, entries);
    return true;
}

/* The least that a task takes. */
static double least_take(struct cs_moldable_scales *s, int task, const bool *open,
                         const struct cs_moldable_scale_pair *pair)
{
    double least = INFINITY;

    for (int c = s->bag->first[task]; c < s->bag->first[task + 1]; c++) {
        s->take[c] = part_of_procs(s, c) * pair->time[c] + part_of_time(s, c) * pair->width[c];
        if (open[c])
            least = fmin(least, s->take[c]);
    }
    return least;
}

static double scales_take_all(struct cs_moldable_scales *s, const bool *open,
                              const struct cs_moldable_scale_pair *pair)
{
    double all = 0;

    for (int i = 0; i < s->bag->tasks; i++)
        all += least_take(s, i, open, pair);
    return all;
}

/* True when more patterns may make better scales. */
static bool try_scales(struct cs_moldable_scales *s, double share)
{
    struct cs_moldable_scale_pair *tried = &s->tried;
    bool more;

    make_scales(s, share);
    tried->most_time = find_pattern(s, false);
    more = add_pattern(s, false);
    tried->most_width = find_pattern(s, true);
    more |= add_pattern(s, true);
    tried->taken = scales_take_all(s, s->open, tried) / (tried->most_time + tried->most_width);
    if (tried->taken > s->best.taken) {
        const struct cs_moldable_scale_pair old = s->best;

        s->best = *tried;
        *tried = old;
    }
    return more;
}

static bool is_refuted(const struct cs_moldable_scales *s)
{
    return s->best.taken > 1 + CLOSE;
}

/* Until nothing lowers the share, or all processors and moments are enough. */
static void scales_solve(struct cs_moldable_scales *s)
{
    while (cs_lp_step(&s->lp) && cs_lp_cost(&s->lp) > 1 - CLOSE)
        continue;
}

/* Looks for a pair under which the open candidates take too much, which is the best then: true.
 * Else the values are a plan of fractions of them, or an attempt at one. */
static bool moldable_scales_refute(struct cs_moldable_scales *s, const bool *open)
{
    bool more = true;

    s->open = open;
    s->best.taken = 0;
    for (int c = 0; c < s->candidates; c++)
        s->lp.column[column_of(s, c)].cost = open[c] ? 0 : MISSING;
    for (int round = 0; round < ROUNDS && more && !is_refuted(s); round++) {
        scales_solve(s);
        more = cs_lp_cost(&s->lp) > 1;
        if (s->best.most_time > 0 && try_scales(s, SCALES_SHARE))
            continue;
        more = !is_refuted(s) && try_scales(s, 0) && more;
    }
    cs_lp_values(&s->lp, s->value);
    memmove(s->value, s->value + column_of(s, 0), (size_t)s->candidates * sizeof *s->value);
    return is_refuted(s);
}

/* Of open candidates those that under the best pair do not take too much on their own. */
static void moldable_scales_left(struct cs_moldable_scales *s, const bool *open, bool *left)
{
    const double most = s->best.most_time + s->best.most_width;
    const double all = scales_take_all(s, open, &s->best);

    for (int i = 0; i < s->bag->tasks; i++) {
        const double others = all - least_take(s, i, open, &s->best);

        for (int c = s->bag->first[i]; c < s->bag->first[i + 1]; c++)
            left[c] = open[c] && !(others + s->take[c] > most * (1 + CLOSE));
    }
}

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

    moldable_scales_left(&c->scales, open, left);
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
    proved = moldable_scales_refute(&c->scales, open);
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

    moldable_scales_init(&c->scales, c->bag, lambda, own);
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
    return moldable_scales_apply(bag);
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
