/* energy.c - lower bounds from what tasks must do inside intervals.
 *
 * Source: spec/ptg.md III.6 (`integer` and `interval`), with one difference below.
 *
 * In a plan of length D a task runs inside its window [head, D - tail].  On n processors of a
 * cluster it lasts d seconds and does E flop, idle processors counted; inside [a, b] it does at
 * least the part of that by which it cannot be elsewhere.  The least of it over all variants that
 * fit the window, summed over the tasks, must not exceed what the platform does in the interval.
 *
 * spec/ptg.md III.6 drops variants that another beats in seconds and flop; such a variant may
 * still do less inside an interval, when it uses less power, and the sum would be no bound: here a
 * variant is dropped when another beats it in seconds and power.  (1 of 450 instances of the
 * paper's families differs, by 0.02 %.)
 *
 * Invariants
 *   - variants of a task have rising seconds and falling power; limits (limits.c) are respected.
 *   - the test is not monotone in D.  The result is always a length that fails the test, or the
 *     bound that the search began with, and so a bound.
 *   - interval >= integer >= max(area, path).
 *
 * Complexity: variants O(P log P) for each task, P processors of the platform; a test O(V F) for
 * each interval, F variants left, and stops when the sum exceeds the room; at most 1 + MARKS^2
 * intervals.
 *
 * Constants
 *   name        value  unit       found by           half, double
 *   MARKS       8      dates      spec/ptg.md III.6  not measured
 *   growth      1.25   factor     spec/ptg.md III.6  not measured
 *   bisections  60     tests      spec/ptg.md III.6  not measured
 *   width       1e-10  relative   spec/ptg.md III.6  not measured
 *   slack       1e-12  relative   rounding of sums   not measured
 * Measured there for one graph: interval over window +0.1 % (random), +3.2 % (FFT), +5.2 %
 * (Strassen).
 */
#include "problems/ptg/bound.h"

#include "base/guard.h"
#include "base/order.h"

#include <math.h>
#include <stdlib.h>

#define MARKS 8 /* heads and tails that begin and end intervals */

struct variant {
    double seconds, flop;
};

struct energy {
    const struct cs_ptg_instance *in;
    double *head, *tail;
    struct variant **variant; /* by number: by rising seconds and falling power */
    int *variants;
    double from[MARKS], until[MARKS]; /* heads; tails */
    int froms, untils;
};

static double power_of(const struct variant *variant)
{
    return variant->flop / variant->seconds;
}

static int by_seconds(const void *a, const void *b)
{
    const struct variant *x = a, *y = b;

    if (x->seconds != y->seconds)
        return x->seconds < y->seconds ? -1 : 1;
    return (x->flop > y->flop) - (x->flop < y->flop);
}

/* Those that no other beats in both seconds and power: only these do the least somewhere. */
static int keep_front(struct variant *variant, int count)
{
    int left = 0;

    qsort(variant, (size_t)count, sizeof *variant, by_seconds);
    for (int i = 0; i < count; i++)
        if (left == 0 || power_of(&variant[i]) < power_of(&variant[left - 1]))
            variant[left++] = variant[i];
    return left;
}

static int list_variants(const struct cs_ptg_instance *in, int number, struct variant *variant)
{
    const struct cs_graph_task *task = cs_ptg_task(in, number);
    int count = 0;

    for (int k = 0; k < in->platform->clusters && task->flops > 0; k++)
        for (int n = cs_ptg_low(in, number, k); n <= cs_ptg_high(in, number, k); n++)
            variant[count++] = (struct variant){
                cs_graph_task_time(task, n, in->platform->cluster[k].speed),
                task->flops * (task->alpha * n + 1 - task->alpha),
            };
    return keep_front(variant, count);
}

/* Sorted, without repeats; of more than MARKS an even choice. */
static int choose_marks(const double *value, int count, double *mark, struct cs_arena *scratch)
{
    double *sorted = CS_NEW_ARRAY(scratch, double, count + 1);
    int different = 0;

    for (int i = 0; i < count; i++)
        sorted[i + 1] = value[i];
    cs_order_sort_doubles(sorted, count + 1, scratch);
    for (int i = 0; i <= count; i++)
        if (i == 0 || sorted[i] != sorted[different - 1])
            sorted[different++] = sorted[i];
    if (different <= MARKS) {
        for (int i = 0; i < different; i++)
            mark[i] = sorted[i];
        return different;
    }
    for (int i = 0; i < MARKS; i++)
        mark[i] = sorted[(long long)i * (different - 1) / (MARKS - 1)];
    return MARKS;
}

/* The least that a task does inside [a, b]; +inf when it does not fit its window. */
static double least_inside(const struct energy *e, int v, double length, double a, double b)
{
    double head = e->head[v], end = length - e->tail[v], window = (end - head) * (1 + 1e-12);
    double least = INFINITY;

    for (int i = 0; i < e->variants[v] && e->variant[v][i].seconds <= window; i++) {
        double d = e->variant[v][i].seconds;
        double part = fmin(fmin(d, b - a), fmin(head + d - a, b - end + d));

        if (!(part > 0))
            return 0;
        least = fmin(least, e->variant[v][i].flop * part / d);
    }
    return e->variants[v] > 0 ? least : 0;
}

static bool fits_inside(const struct energy *e, double length, double a, double b)
{
    double sum = 0, room = (b - a) * e->in->power * (1 + 1e-12);

    for (int v = 0; v < e->in->tasks && sum <= room; v++)
        sum += least_inside(e, v, length, a, b);
    return sum <= room;
}

static bool fits_whole(const struct energy *e, double length)
{
    return fits_inside(e, length, 0, length);
}

static bool fits_everywhere(const struct energy *e, double length)
{
    if (!fits_whole(e, length))
        return false;
    for (int i = 0; i < e->froms; i++)
        for (int j = 0; j < e->untils; j++) {
            double a = e->from[i], b = length - e->until[j];

            if (a < b && !fits_inside(e, length, a, b))
                return false;
        }
    return true;
}

/* The greatest length that is known to fail, or `low` if that does not. */
static double energy_search(const struct energy *e, bool (*fits)(const struct energy *, double),
                            double low)
{
    double high = low;

    if (fits(e, low))
        return low;
    do {
        low = high;
        high *= 1.25;
    } while (!fits(e, high));
    for (int i = 0; i < 60 && high - low > 1e-10 * high; i++) {
        double middle = (low + high) / 2;

        if (fits(e, middle))
            high = middle;
        else
            low = middle;
    }
    return low;
}

int cs_ptg_bounds_sharpen(const struct cs_ptg_instance *instance, struct cs_ptg_bounds *bounds)
{
    CS_ASK(instance && bounds, NULL, -1);
    CS_GUARD(NULL, -1);
    const struct cs_ptg_instance *in = instance;
    struct cs_ptg_bounds known;
    struct cs_arena *arena = cs_arena_create();
    struct energy e = {
        .in = in,
        .head = CS_NEW_ARRAY(arena, double, in->tasks),
        .tail = CS_NEW_ARRAY(arena, double, in->tasks),
        .variant = CS_NEW_ARRAY(arena, struct variant *, in->tasks),
        .variants = CS_NEW_ARRAY(arena, int, in->tasks),
    };
    struct variant *all = CS_NEW_ARRAY(arena, struct variant, in->platform->procs);

    cs_ptg_bounds_compute(in, &known);
    cs_ptg_bound_paths(in, e.head, e.tail, arena);
    for (int v = 0; v < in->tasks; v++) {
        e.variants[v] = list_variants(in, v, all);
        e.variant[v] = CS_NEW_ARRAY(arena, struct variant, e.variants[v]);
        for (int i = 0; i < e.variants[v]; i++)
            e.variant[v][i] = all[i];
    }
    e.froms = choose_marks(e.head, in->tasks, e.from, arena);
    e.untils = choose_marks(e.tail, in->tasks, e.until, arena);
    bounds->integer = energy_search(&e, fits_whole, fmax(known.area, known.path));
    bounds->interval = energy_search(&e, fits_everywhere, bounds->integer);
    cs_arena_destroy(arena);
    return 0;
}
