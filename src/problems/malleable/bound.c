/* bound.c - the fluid lower bounds on every makespan.
 *
 * Source: docs/spec/science.md 10.2 and 10.3 (hull bound); spec/malleable.md 3 (shares that are
 * any real number).
 *
 * Idea: a task that must end by T needs least area with a constant share of the machine, because
 * its speed is concave in the processors.  Tasks run on even counts, so that no mixture of counts
 * is faster than the concave hull of the speeds 1 / t(j) at even j from (0, 0) on; its inverse is
 * the share of a speed.  The smallest T at which the shares fit the machine is a bound for every
 * policy and every trace of failures.  On real counts a formula needs B / (T - f t1), which is
 * less.
 *
 * Invariants: the shares fit at `high` and do not fit at `low`; the corners of a hull rise in
 * processors and in speed, and their slopes fall; all even counts of a formula are corners.
 *
 * Complexity: a hull O(p / 2) for measured times, none for formulas; a test of one T O(n), with
 * measured times O(n log p); the bisection ends when no number lies between `low` and `high`, so
 * it has no tolerance to tune.
 */
#include "problems/malleable/bound.h"
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

struct cs_malleable_hulls {
    int tasks, procs, usable;
    double *fixed, *shared; /* of formulas: fixed + shared / j seconds */
    struct hull *hull;      /* corners = 0: a formula */
};

struct cs_malleable_hulls *cs_malleable_hulls_create(const struct cs_malleable_instance *in,
                                                     struct cs_arena *arena)
{
    struct cs_malleable_hulls *hulls = CS_NEW(arena, struct cs_malleable_hulls);

    *hulls = (struct cs_malleable_hulls){
        .tasks = in->tasks,
        .procs = in->platform.procs,
        .usable = in->usable,
        .fixed = CS_NEW_ARRAY(arena, double, in->tasks),
        .shared = CS_NEW_ARRAY(arena, double, in->tasks),
        .hull = CS_NEW_ARRAY(arena, struct hull, in->tasks),
    };
    for (int i = 0; i < in->tasks; i++) {
        const struct cs_malleable_task *t = &in->task[i];

        if (in->measured[i])
            hulls->hull[i] = make_hull(in->measured[i], in->usable, arena);
        hulls->fixed[i] = t->sequential_fraction * t->seconds;
        hulls->shared[i] = (1 - t->sequential_fraction) * t->seconds + t->overhead;
    }
    return hulls;
}

/* The least seconds of a task, on all processors. */
static double hulls_shortest(const struct cs_malleable_hulls *h, int task)
{
    const struct hull *hull = &h->hull[task];

    return hull->corners ? 1 / hull->speed[hull->corners - 1]
                         : h->fixed[task] + h->shared[task] / h->usable;
}

/* Between the even counts around the real one that gives this speed. */
static double formula_share(const struct cs_malleable_hulls *h, int task, double speed)
{
    const double fixed = h->fixed[task], shared = h->shared[task];
    const double left = 1 - speed * fixed, real = left > 0 ? speed * shared / left : INFINITY;
    double low, high, slow, fast;

    if (!(shared > 0))
        return speed <= 1 / fixed ? 2 * speed * fixed : INFINITY;
    if (!(real <= h->usable * (1 + 1e-12)))
        return INFINITY;
    low = 2 * cs_malleable_whole(cs_malleable_smaller(real, h->usable - 1) / 2);
    high = low + 2;
    slow = low > 0 ? 1 / (fixed + shared / low) : 0;
    fast = 1 / (fixed + shared / high);
    return low + 2 * (speed - slow) / (fast - slow);
}

static double hulls_share(const struct cs_malleable_hulls *h, int task, double speed)
{
    return h->hull[task].corners ? hull_share(&h->hull[task], speed)
                                 : formula_share(h, task, speed);
}

bool cs_malleable_hulls_fit(const struct cs_malleable_hulls *h, const double *alpha, double seconds)
{
    double sum = 0;

    for (int i = 0; i < h->tasks && sum <= h->procs; i++) {
        const double left = alpha ? alpha[i] : 1;

        if (left > 0)
            sum += hulls_share(h, i, left / seconds);
    }
    return sum <= h->procs;
}

/* The smallest number above `low` that fits, if all above it fit. */
static double bound_bisect(const struct cs_malleable_hulls *h, const double *alpha, double low)
{
    double high = low > 0 ? low : 1;

    while (!cs_malleable_hulls_fit(h, alpha, high) && isfinite(high)) {
        low = high;
        high *= 2;
    }
    for (;;) {
        const double middle = low + (high - low) / 2;

        if (!(middle > low && middle < high))
            return high;
        if (cs_malleable_hulls_fit(h, alpha, middle))
            high = middle;
        else
            low = middle;
    }
}

double cs_malleable_hulls_least(const struct cs_malleable_hulls *h, const double *alpha)
{
    double low = 0;

    for (int i = 0; i < h->tasks; i++)
        low = cs_malleable_larger(low, (alpha ? alpha[i] : 1) * hulls_shortest(h, i));
    return cs_malleable_hulls_fit(h, alpha, low) ? low : bound_bisect(h, alpha, low);
}

double cs_malleable_lower_bound(const struct cs_malleable_instance *in)
{
    CS_ASK(in, NULL, NAN);
    CS_GUARD(NULL, NAN);
    struct cs_arena *arena = cs_arena_create();
    double bound;

    bound = cs_malleable_hulls_least(cs_malleable_hulls_create(in, arena), NULL);
    cs_arena_destroy(arena);
    return bound;
}

/* Do the shares with which all tasks end by `end` fit, when they may be any real number? */
static bool fluid_fits(const struct cs_malleable_hulls *h, double end)
{
    double sum = 0;

    for (int i = 0; i < h->tasks && sum <= h->procs; i++) {
        const double left = end - h->fixed[i];

        if (h->hull[i].corners)
            sum += hull_share(&h->hull[i], 1 / end);
        else if (h->shared[i] > 0)
            sum += left > 0 ? h->shared[i] / left : INFINITY;
    }
    return sum <= h->procs;
}

double cs_malleable_fluid_bound(const struct cs_malleable_instance *in)
{
    CS_ASK(in, NULL, NAN);
    CS_GUARD(NULL, NAN);
    struct cs_arena *arena = cs_arena_create();
    const struct cs_malleable_hulls *h = cs_malleable_hulls_create(in, arena);
    double low = 0, high = cs_malleable_hulls_least(h, NULL);

    for (int i = 0; i < h->tasks; i++)
        low = fmax(low, h->hull[i].corners ? hulls_shortest(h, i) : h->fixed[i]);
    while (!fluid_fits(h, low)) {
        const double middle = low + (high - low) / 2;

        if (!(middle > low && middle < high)) {
            low = high;
            break;
        }
        *(fluid_fits(h, middle) ? &high : &low) = middle;
    }
    cs_arena_destroy(arena);
    return low;
}
