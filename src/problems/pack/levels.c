/* levels.c - candidate costs by merging the sorted rows of times, needs by filling the stretches
 * between them.
 *
 * Source: docs/spec/pack.md, Part II 2.2 (candidate costs, geometric grid).
 *
 * Invariants: cost[] rises strictly; a row of needs never rises with the level, and is above the
 * capacity where the task cannot run; with `exact` the levels are all candidate costs of the range.
 * Complexity: O(N log n) to merge N = n p times, up to SORT_LIMIT; then O(n count) to fill the
 * rows, and O(log p) for each change of a need that is found by bisection.
 *
 * constant             value  unit     found by            half, double
 * SORT_LIMIT            2^20  times    not recorded        not measured; above, the grid is not
 *                                                          lowered to candidates
 * ENTRY_LIMIT           2^26  entries  memory              not measured
 * FEWEST_LEVELS          256  levels   not recorded        not measured
 * LARGEST_NEED         65534  procs    16 bits             double: does not fit
 * CS_PACK_LEVELS_MAX   16384  levels   not recorded        not measured; a quantile grid costs 15 %
 *                                                          more (spec, Part II 2.2)
 */
#include "problems/pack/levels.h"

#include "base/order.h"

#include <math.h>

#define SORT_LIMIT ((size_t)1 << 20)  /* times sorted at most; above, the grid */
#define ENTRY_LIMIT ((size_t)1 << 26) /* entries of rows at most */
#define FEWEST_LEVELS 256             /* below this a plan on levels is not worth its time */
#define LARGEST_NEED 65534            /* so that capacity + 1 fits 16 bits */

/* Pack costs lie between these two. */
struct range {
    double low, high;
};

static struct range useful_range(const struct cs_pack_instance *in, double ceiling)
{
    const struct cs_moldable *m = in->tasks;
    int even = m->procs / in->pack_size;
    struct range range = {.low = INFINITY, .high = 0};

    for (int i = 0; i < m->count; i++)
        if (m->min_procs[i] > even)
            even = 1;
    for (int i = 0; i < m->count; i++) {
        int least = m->min_procs[i] > even ? m->min_procs[i] : even;
        double best = cs_pack_time(in, i, m->procs), worst = cs_pack_time(in, i, least);

        range.low = best < range.low ? best : range.low;
        range.high = worst > range.high ? worst : range.high;
    }
    range.high = range.high < ceiling ? range.high : fmax(range.low, ceiling);
    return range;
}

/* The least that the others cost when the `size` tasks of largest value are taken away: every
 * `each`-th of what is left, in falling order. */
static double levels_rest(const double *value, int count, int size, int each,
                          struct cs_arena *arena)
{
    int *order = CS_NEW_ARRAY(arena, int, count);
    double sum = 0;

    cs_order_descending(value, count, order, arena);
    for (int k = size; k < count; k += each) {
        sum += value[order[k]];
        if (each > count - k)
            break;
    }
    return sum;
}

double cs_pack_levels_ceiling(const struct cs_pack_instance *in, double total,
                              struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    const struct cs_moldable *m = in->tasks;
    double *time = CS_NEW_ARRAY(scratch, double, m->count);
    double *area = CS_NEW_ARRAY(scratch, double, m->count), others = 0;

    for (int i = 0; i < m->count; i++) {
        time[i] = cs_pack_time(in, i, m->procs);
        area[i] = cs_moldable_work_within(m, i, INFINITY) / m->procs;
    }
    others = fmax(levels_rest(time, m->count, in->pack_size, in->pack_size, scratch),
                  levels_rest(area, m->count, in->pack_size, 1, scratch));
    cs_arena_rewind(scratch, mark);
    return (total - others) * (1 + 1e-9);
}

/* Merge ascending a[0 .. na - 1] and b[0 .. nb - 1], without branches on the values. */
static void levels_merge(const double *a, size_t na, const double *b, size_t nb, double *out)
{
    const double *a_end = a + na, *b_end = b + nb;

    while (a < a_end && b < b_end) {
        bool second = *b < *a;

        *out++ = second ? *b : *a;
        b += second;
        a += !second;
    }
    while (a < a_end)
        *out++ = *a++;
    while (b < b_end)
        *out++ = *b++;
}

/* Sort `runs` ascending runs, run r from start[r] to start[r + 1], of `values`.  Returns the
 * sorted array, which is `values` or `other`. */
static double *merge_runs(double *values, double *other, size_t *start, int runs)
{
    while (runs > 1) {
        int made = 0;

        for (int r = 0; r < runs; r += 2) {
            size_t from = start[r], middle = start[r + 1];
            size_t to = r + 2 <= runs ? start[r + 2] : middle;

            levels_merge(values + from, middle - from, values + middle, to - middle, other + from);
            start[made++] = from;
            start[made] = to;
        }
        runs = made;
        double *swap = values;
        values = other;
        other = swap;
    }
    return values;
}

/* The times of the task inside the range, ascending, each once.  Returns how many. */
static size_t levels_collect(const struct cs_pack_instance *in, int task, struct range range,
                             double *out)
{
    size_t count = 0;
    double last = 0;

    for (int j = in->tasks->procs; j >= in->tasks->min_procs[task]; j--) {
        double time = cs_pack_time(in, task, j);

        if (time > range.high)
            break;
        if (time > last)
            out[count++] = last = time;
    }
    return count;
}

static int levels_distinct(double *sorted, size_t count)
{
    size_t kept = 0;

    for (size_t k = 0; k < count; k++)
        if (kept == 0 || sorted[k] > sorted[kept - 1])
            sorted[kept++] = sorted[k];
    return (int)kept;
}

/* All candidates in ascending order; NULL if they are too many to sort. */
static double *all_costs(const struct cs_pack_instance *in, struct range range, int *count,
                         struct cs_arena *arena)
{
    size_t entries = (size_t)in->tasks->count * (size_t)in->tasks->procs, used = 0;

    if (entries > SORT_LIMIT)
        return NULL;

    double *values = CS_NEW_ARRAY(arena, double, entries);
    double *other = CS_NEW_ARRAY(arena, double, entries);
    size_t *start = CS_NEW_ARRAY(arena, size_t, in->tasks->count + 1);

    for (int i = 0; i < in->tasks->count; i++) {
        start[i] = used;
        used += levels_collect(in, i, range, values + used);
    }
    start[in->tasks->count] = used;
    values = merge_runs(values, other, start, in->tasks->count);
    *count = levels_distinct(values, used);
    return values;
}

static double *grid_costs(struct range range, int limit, int *count, struct cs_arena *arena)
{
    double *cost = CS_NEW_ARRAY(arena, double, limit);
    double span = log2(range.high / range.low);
    int made = 0;

    for (int v = 0; v < limit; v++) {
        double value = v == limit - 1 ? range.high : range.low * exp2(span * v / (limit - 1));

        if (made == 0 || value > cost[made - 1])
            cost[made++] = value;
    }
    *count = made;
    return cost;
}

/* Lower every level of the grid to the largest candidate below it, or drop it. */
static void levels_snap(double *grid, int *count, const double *all, int candidates)
{
    int made = 0, at = 0;

    for (int v = 0; v < *count; v++) {
        int before = at;

        while (at < candidates && all[at] <= grid[v])
            at++;
        if (at > before)
            grid[made++] = all[at - 1];
    }
    *count = made;
}

/* All candidates where they are few enough, else a grid. */
static void choose_costs(const struct cs_pack_instance *in, struct range range, int limit,
                         struct cs_pack_levels *levels, struct cs_arena *arena)
{
    int candidates = 0;
    double *all = all_costs(in, range, &candidates, arena), *grid;

    levels->cost = all;
    levels->count = candidates;
    levels->exact = all && candidates <= limit && levels->unit == 1;
    if (all && candidates <= limit)
        return;
    levels->cost = grid = grid_costs(range, limit, &levels->count, arena);
    if (all)
        levels_snap(grid, &levels->count, all, candidates);
}

static void levels_fill(uint16_t *row, int from, int to, int need)
{
    for (int v = from; v < to; v++)
        row[v] = (uint16_t)need;
}

/* The first level from `from` on that costs at least `seconds`, or count. */
static int first_at_least(const struct cs_pack_levels *levels, int from, double seconds)
{
    int step = 1, high = from;

    while (high < levels->count && levels->cost[high] < seconds) {
        from = high + 1;
        high += step;
        step *= 2;
    }
    if (high > levels->count)
        high = levels->count;
    while (from < high) {
        int middle = from + (high - from) / 2;

        if (levels->cost[middle] < seconds)
            from = middle + 1;
        else
            high = middle;
    }
    return from;
}

/* A row from the few times of the task: between two of them the need does not change. */
static void need_by_times(const struct cs_pack_instance *in, int task,
                          const struct cs_pack_levels *levels, uint16_t *row)
{
    int procs = in->tasks->procs, least = in->tasks->min_procs[task];
    int from = first_at_least(levels, 0, cs_pack_time(in, task, procs));

    levels_fill(row, 0, from, procs + 1);
    for (int j = procs; j > least && from < levels->count; j--) {
        int to = first_at_least(levels, from, cs_pack_time(in, task, j - 1));

        levels_fill(row, from, to, j);
        from = to;
    }
    levels_fill(row, from, levels->count, least);
}

/* Rounded up to units.  A task that wants nearly all processors gets all of them. */
static int levels_units(int procs, const struct cs_pack_levels *levels, int all)
{
    int need = procs / levels->unit + (procs % levels->unit != 0);

    if (procs > all)
        return levels->capacity + 1;
    return need < levels->capacity ? need : levels->capacity;
}

/* The least processors in low .. high that meet the level, where high does. */
static int need_within(const struct cs_pack_instance *in, int task, double cost, int low, int high)
{
    while (low < high) {
        int middle = low + (high - low) / 2;

        if (cs_pack_time(in, task, middle) <= cost)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Fill the row from level `from` to before `to`, where the task needs at most `most` and at least
 * `least` processors. */
static void need_between(const struct cs_pack_instance *in, int task,
                         const struct cs_pack_levels *levels, uint16_t *row, int from, int to,
                         int most, int least)
{
    if (from >= to)
        return;
    if (most == least) {
        levels_fill(row, from, to, levels_units(most, levels, in->tasks->procs));
        return;
    }

    int middle = from + (to - from) / 2;
    int procs = need_within(in, task, levels->cost[middle], least, most);

    row[middle] = (uint16_t)levels_units(procs, levels, in->tasks->procs);
    need_between(in, task, levels, row, from, middle, most, procs);
    need_between(in, task, levels, row, middle + 1, to, procs, least);
}

/* A row by bisection, for times that are many or computed. */
static void need_by_levels(const struct cs_pack_instance *in, int task,
                           const struct cs_pack_levels *levels, uint16_t *row)
{
    int procs = in->tasks->procs;
    int from = first_at_least(levels, 0, cs_pack_time(in, task, procs));

    levels_fill(row, 0, from, levels->capacity + 1);
    need_between(in, task, levels, row, from, levels->count, procs, in->tasks->min_procs[task]);
}

static void fill_needs(const struct cs_pack_instance *in, struct cs_pack_levels *levels,
                       struct cs_arena *arena)
{
    uint16_t *need = CS_NEW_ARRAY(arena, uint16_t, levels->stride * (size_t)in->tasks->count);
    bool few = in->tasks->table && in->tasks->procs <= levels->count && levels->unit == 1;

    for (int i = 0; i < in->tasks->count; i++) {
        uint16_t *row = need + (size_t)i * levels->stride;

        if (few)
            need_by_times(in, i, levels, row);
        else
            need_by_levels(in, i, levels, row);
    }
    levels->need = need;
}

struct cs_pack_levels *cs_pack_levels_create(const struct cs_pack_instance *in, int limit,
                                             double ceiling, struct cs_arena *arena)
{
    struct cs_pack_levels *levels = CS_NEW(arena, struct cs_pack_levels);
    int procs = in->tasks->procs;

    levels->unit = procs / LARGEST_NEED + (procs % LARGEST_NEED != 0);
    levels->capacity = procs / levels->unit;
    choose_costs(in, useful_range(in, ceiling), limit, levels, arena);
    levels->stride = ((size_t)levels->count + 15) / 16 * 16;
    levels->zero = CS_NEW_ARRAY(arena, uint16_t, levels->stride);
    fill_needs(in, levels, arena);
    return levels;
}

int cs_pack_levels_affordable(size_t rows, int wanted)
{
    size_t most = ENTRY_LIMIT / rows;
    int levels = most < (size_t)wanted ? (int)most : wanted;

    return levels < FEWEST_LEVELS ? 0 : levels;
}

int cs_pack_levels_below(const struct cs_pack_levels *levels, double seconds)
{
    const double *base = levels->cost;
    int length = levels->count;

    while (length > 1) {
        int half = length / 2;

        base += base[half - 1] < seconds ? half : 0;
        length -= half;
    }
    return (int)(base - levels->cost) - (*base < seconds ? 0 : 1);
}
