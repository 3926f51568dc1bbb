/* bound.c - cheap lower bounds on the cost of every plan.
 *
 * Source: docs/spec/pack.md, Part II 4.
 *
 * In a plan of cost C every pack b lasts T_b, holds at most K tasks, and a task in it has at least
 * need(i, T_b) processors.
 *
 *   area         T_b <= C, so every task does at least the least work of a count where it takes
 *                at most C, and the sum of these is at most p C: C is at least the smallest such
 *                time.
 *   cardinality  The r-th longest pack (from 0) lasts at least as long as the (r K + 1)-th longest
 *                task on all processors.
 *   mixed        For 0 <= a <= 1 the tasks of a pack have a s_i / p + (1 - a) / K in all at most
 *                1, so C is at least the sum over i of min_j t(i, j) (a j / p + (1 - a) / K).
 *                That is concave in a: tangents from both sides meet near the best a.
 *
 * K is the pack size, or fewer if the tasks' minimum counts let fewer run side by side.
 *
 * Sums are plain: n terms above 0 are off by at most n DBL_EPSILON, so are the costs of plans that
 * the bounds are compared with, and (2) holds up to rounding.  All is covered by a margin: every
 * bound is lowered by a relative 1e-12 + 4 n DBL_EPSILON.
 *
 * Invariants: `low` of the area search is a valid bound at every step, so its number of trials
 * limits the quality only; the mixed bound is valid at every a, so the same holds for it.
 * Complexity: cardinality O(n log n); area one pass over the tasks per trial; mixed O(n p) per
 * tangent with a table, O(n log p) with a formula.
 *
 * constant               value  unit      found by                  half, double
 * AREA_TRIALS              100  trials    ends before: 1e-13        not measured
 * MIXED_TRIALS              24  tangents  not recorded              not measured
 * MIXED_TRIALS_FORMULA       5  tangents  a formula costs more      not measured
 */
#include "base/arena.h"
#include "base/guard.h"
#include "base/order.h"
#include "problems/pack/instance.h"

#include <float.h>
#include <math.h>

#define AREA_TRIALS 100
#define MIXED_TRIALS 24 /* with a table; a formula costs more, so fewer */
#define MIXED_TRIALS_FORMULA 5

static double bound_work(const struct cs_moldable *m, int task, int procs)
{
    return procs * cs_moldable_time(m, task, procs);
}

/* The least work if every task takes at most `seconds`, which every task can. */
static double area_within(const struct cs_moldable *m, double seconds)
{
    double sum = 0;

    for (int i = 0; i < m->count; i++) {
        int least = m->min_procs[i];

        sum += m->rising && cs_moldable_time(m, i, least) <= seconds
                   ? bound_work(m, i, least)
                   : cs_moldable_work_within(m, i, seconds);
    }
    return sum;
}

/* `low` is a bound, `high` is possible; the next time to look at is `low` itself or the middle.
 * Where the area does not change the area at `high` gives the answer, and `low` is possible. */
static double area_bound(const struct cs_moldable *m)
{
    double low = 0, least = 0, high = INFINITY;

    for (int i = 0; i < m->count; i++) {
        low = fmax(low, cs_moldable_time(m, i, m->procs));
        least += cs_moldable_work_within(m, i, INFINITY);
    }
    low = fmax(low, least / m->procs);
    for (int trial = 0; trial < AREA_TRIALS && high > low * (1 + 1e-13); trial++) {
        double middle = trial % 2 == 0 ? low : low + (high - low) / 2;
        double needed = area_within(m, middle) / m->procs;

        if (needed > middle) {
            low = middle;
            high = fmin(high, needed);
        } else {
            low = fmax(low, needed);
            high = middle;
        }
    }
    return low;
}

/* How many tasks can run side by side. */
static int side_by_side(const struct cs_pack_instance *in, struct cs_arena *scratch)
{
    const struct cs_moldable *m = in->tasks;
    double *least = CS_NEW_ARRAY(scratch, double, m->count);
    int *order = CS_NEW_ARRAY(scratch, int, m->count), most = 0;
    long long procs = 0;

    for (int i = 0; i < m->count; i++)
        least[i] = m->min_procs[i];
    cs_order_ascending(least, m->count, order, scratch);
    while (most < m->count && most < in->pack_size && procs + m->min_procs[order[most]] <= m->procs)
        procs += m->min_procs[order[most++]];
    return most;
}

static double cardinality_bound(const struct cs_moldable *m, int size, struct cs_arena *scratch)
{
    double *time = CS_NEW_ARRAY(scratch, double, m->count), sum = 0;
    int *order = CS_NEW_ARRAY(scratch, int, m->count);

    for (int i = 0; i < m->count; i++)
        time[i] = cs_moldable_time(m, i, m->procs);
    cs_order_descending(time, m->count, order, scratch);
    for (int r = 0; r < m->count; r += size) {
        sum += time[order[r]];
        if (size >= m->count - r)
            break;
    }
    return sum;
}

/* The mixed bound at one a: its value and its slope. */
struct tangent {
    double a, value, slope;
};

static int cheapest_in_row(const struct cs_moldable *m, int task, double each, double fixed)
{
    const double *row = m->table + (size_t)task * (size_t)m->procs;
    int best = m->min_procs[task];
    double least = INFINITY;

    for (int j = best; j <= m->procs; j++) {
        double value = row[j - 1] * (each * j + fixed);

        if (value < least) {
            least = value;
            best = j;
        }
    }
    return best;
}

/* For the formulas t(j) (each j + fixed) falls, then rises: times j^2 its derivative rises. */
static int cheapest_of_formula(const struct cs_moldable *m, int task, double each, double fixed)
{
    int low = 1, high = m->fastest[task];

    while (low < high) {
        int j = low + (high - low) / 2;

        if (cs_moldable_time(m, task, j + 1) * (each * (j + 1) + fixed) <
            cs_moldable_time(m, task, j) * (each * j + fixed))
            low = j + 1;
        else
            high = j;
    }
    return low;
}

static struct tangent mixed_at(const struct cs_moldable *m, int size, double a)
{
    struct tangent tangent = {.a = a};
    double each = a / m->procs, fixed = (1 - a) / size;

    for (int i = 0; i < m->count; i++) {
        int j = (m->table ? cheapest_in_row : cheapest_of_formula)(m, i, each, fixed);
        double time = cs_moldable_time(m, i, j);

        tangent.value += time * (each * j + fixed);
        tangent.slope += time * ((double)j / m->procs - 1.0 / size);
    }
    return tangent;
}

static double mixed_bound(const struct cs_moldable *m, int size)
{
    int trials = m->table ? MIXED_TRIALS : MIXED_TRIALS_FORMULA;
    struct tangent right = mixed_at(m, size, 1), left;
    double best = right.value;

    if (right.slope >= 0)
        return best;
    left = mixed_at(m, size, 0);
    best = fmax(best, left.value);
    while (trials-- > 0 && left.slope > 0 && right.slope < 0) {
        double a = (right.value - right.slope * right.a - left.value + left.slope * left.a) /
                   (left.slope - right.slope);
        struct tangent middle;

        if (!(a > left.a && a < right.a))
            break;
        middle = mixed_at(m, size, a);
        best = fmax(best, middle.value);
        *(middle.slope > 0 ? &left : &right) = middle;
    }
    return best;
}

int cs_pack_bounds_compute(const struct cs_pack_instance *in, struct cs_pack_bounds *bounds)
{
    CS_ASK(in && bounds, NULL, -1);
    CS_GUARD(NULL, -1);
    double safe = 1 - (1e-12 + 4.0 * in->tasks->count * DBL_EPSILON);
    struct cs_arena *scratch;
    int size;

    *bounds = (struct cs_pack_bounds){0};
    if (in->tasks->count == 0)
        return 0;
    scratch = cs_arena_create();
    size = side_by_side(in, scratch);
    bounds->area = safe * area_bound(in->tasks);
    bounds->cardinality = safe * cardinality_bound(in->tasks, size, scratch);
    bounds->mixed = safe * mixed_bound(in->tasks, size);
    bounds->best = fmax(bounds->area, fmax(bounds->cardinality, bounds->mixed));
    cs_arena_destroy(scratch);
    return 0;
}
