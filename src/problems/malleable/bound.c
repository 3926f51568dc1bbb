/* bound.c - the fluid lower bound on every makespan.
 *
 * Source: spec/malleable.md 3 (Lower bound), with measured times added.
 *
 * Idea: a task that must end by T needs least area with a constant share of the machine, because
 * its speed is concave in the processors: share(T) = B / (T - f t1) for formulas; for measured
 * times the inverse of the concave hull of the speeds 1 / t(j) at even j.  The smallest T at
 * which the shares fit the machine is a bound for every policy and every trace of failures.
 *
 * Invariants: the shares fit at `high` and do not fit at `low`; the corners of a hull rise in
 * processors and in speed, and their slopes fall.
 *
 * Complexity: a hull O(p / 2); a test of one T O(n), with measured times O(n log p); the
 * bisection ends when no number lies between `low` and `high`, so it has no tolerance to tune.
 */
#include "problems/malleable/expected.h"

#include "base/guard.h"

/* Corners of the hull of (processors, speed), from (0, 0) on; speeds rise. */
struct hull {
    int corners;
    double *procs, *speed;
};

static bool left_of(const struct hull *h, double procs, double speed)
{
    const int last = h->corners - 1;
    const double x = h->procs[last] - h->procs[last - 1], y = h->speed[last] - h->speed[last - 1];

    return y * (procs - h->procs[last]) <= (speed - h->speed[last]) * x;
}

static struct hull make_hull(const struct cs_moldable *measured, int usable, struct cs_arena *arena)
{
    struct hull h = {1, CS_NEW_ARRAY(arena, double, usable / 2 + 1),
                     CS_NEW_ARRAY(arena, double, usable / 2 + 1)};

    for (int j = 2; j <= usable; j += 2) {
        const double speed = 1 / cs_moldable_time(measured, 0, j);

        if (!(speed > h.speed[h.corners - 1]))
            continue;
        while (h.corners > 1 && left_of(&h, j, speed))
            h.corners--;
        h.procs[h.corners] = j;
        h.speed[h.corners] = speed;
        h.corners++;
    }
    return h;
}

/* The processors for such a speed; +inf when none give it. */
static double hull_share(const struct hull *h, double speed)
{
    int low = 0, high = h->corners - 1;

    if (speed > h->speed[high])
        return INFINITY;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;

        if (h->speed[middle] < speed)
            low = middle;
        else
            high = middle;
    }
    return h->procs[low] + (h->procs[high] - h->procs[low]) * (speed - h->speed[low]) /
                               (h->speed[high] - h->speed[low]);
}

/* The speed on a share of the machine that need not be whole. */
static double hull_speed(const struct hull *h, double procs)
{
    int c = 1;

    while (c < h->corners - 1 && h->procs[c] < procs)
        c++;
    if (procs >= h->procs[c])
        return h->speed[c];
    return h->speed[c - 1] + (h->speed[c] - h->speed[c - 1]) * (procs - h->procs[c - 1]) /
                                 (h->procs[c] - h->procs[c - 1]);
}

struct fluid {
    int tasks;
    const double *fixed, *shared; /* of formulas */
    const struct hull *hull;      /* corners = 0: a formula */
};

/* Do the shares with which all tasks end by `end` fit? */
static bool bound_fits(const struct fluid *fluid, double end, int procs)
{
    double sum = 0;

    for (int i = 0; i < fluid->tasks && sum <= procs; i++) {
        const double left = end - fluid->fixed[i];

        if (fluid->hull[i].corners)
            sum += hull_share(&fluid->hull[i], 1 / end);
        else if (fluid->shared[i] > 0)
            sum += left > 0 ? fluid->shared[i] / left : INFINITY;
    }
    return sum <= procs;
}

static double bound_solve(const struct fluid *fluid, int procs)
{
    const double each = (double)procs / fluid->tasks;
    double low = 0, high = 0;

    for (int i = 0; i < fluid->tasks; i++) {
        const struct hull *h = &fluid->hull[i];

        low = fmax(low, h->corners ? 1 / h->speed[h->corners - 1] : fluid->fixed[i]);
        high = fmax(high, h->corners ? 1 / hull_speed(h, each)
                                     : fluid->fixed[i] + fluid->shared[i] / each);
    }
    if (bound_fits(fluid, low, procs))
        return low;
    for (;;) {
        const double middle = low + (high - low) / 2;

        if (!(middle > low && middle < high))
            return high;
        if (bound_fits(fluid, middle, procs))
            high = middle;
        else
            low = middle;
    }
}

double cs_malleable_lower_bound(const struct cs_malleable_instance *in)
{
    CS_ASK(in, NULL, NAN);
    CS_GUARD(NULL, NAN);
    struct cs_arena *arena = cs_arena_create();
    double *fixed = CS_NEW_ARRAY(arena, double, in->tasks);
    double *shared = CS_NEW_ARRAY(arena, double, in->tasks);
    struct hull *hull = CS_NEW_ARRAY(arena, struct hull, in->tasks);
    double bound;

    for (int i = 0; i < in->tasks; i++) {
        const struct cs_malleable_task *t = &in->task[i];

        if (in->measured[i])
            hull[i] = make_hull(in->measured[i], in->usable, arena);
        fixed[i] = t->sequential_fraction * t->seconds;
        shared[i] = (1 - t->sequential_fraction) * t->seconds + t->overhead;
    }
    bound = bound_solve(&(struct fluid){in->tasks, fixed, shared, hull}, in->platform.procs);
    cs_arena_destroy(arena);
    return bound;
}
