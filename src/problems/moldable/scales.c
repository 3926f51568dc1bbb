/* scales.c - the best pair of scales, by column generation.
 *
 * Source: cosched; conservative scales: Fekete, Schepers 2004 (scales.h).
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
#include "problems/moldable/scales.h"

#include <math.h>
#include <string.h>

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
#define SHARE 0.7 /* of the best pair in those that are tried */

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

bool cs_moldable_scales_apply(const struct cs_moldable_bag *bag)
{
    return bag->tasks <= TASKS_MOST && bag->procs <= PROCS_MOST &&
           bag->first[bag->tasks] <= CANDIDATES_MOST;
}

void cs_moldable_scales_init(struct cs_moldable_scales *s, const struct cs_moldable_bag *bag,
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

bool cs_moldable_scales_refute(struct cs_moldable_scales *s, const bool *open)
{
    bool more = true;

    s->open = open;
    s->best.taken = 0;
    for (int c = 0; c < s->candidates; c++)
        s->lp.column[column_of(s, c)].cost = open[c] ? 0 : MISSING;
    for (int round = 0; round < ROUNDS && more && !is_refuted(s); round++) {
        scales_solve(s);
        more = cs_lp_cost(&s->lp) > 1;
        if (s->best.most_time > 0 && try_scales(s, SHARE))
            continue;
        more = !is_refuted(s) && try_scales(s, 0) && more;
    }
    cs_lp_values(&s->lp, s->value);
    memmove(s->value, s->value + column_of(s, 0), (size_t)s->candidates * sizeof *s->value);
    return is_refuted(s);
}

void cs_moldable_scales_left(struct cs_moldable_scales *s, const bool *open, bool *left)
{
    const double most = s->best.most_time + s->best.most_width;
    const double all = scales_take_all(s, open, &s->best);

    for (int i = 0; i < s->bag->tasks; i++) {
        const double others = all - least_take(s, i, open, &s->best);

        for (int c = s->bag->first[i]; c < s->bag->first[i + 1]; c++)
            left[c] = open[c] && !(others + s->take[c] > most * (1 + CLOSE));
    }
}
