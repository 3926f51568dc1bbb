/* bound_malleable.c - processors shared freely, at the concave hull of speeds. */
#include "base/arena.h"
#include "check/bound.h"
#include "check/time.h"

#include <math.h>

#define MOST 20000 /* processors */

struct hull {
    int corners;
    double *procs, *speed; /* from (0, 0), both rising */
};

static bool bound_malleable_below(const struct hull *h, double procs, double speed)
{
    int last = h->corners - 1;
    double before = (h->speed[last] - h->speed[last - 1]) / (h->procs[last] - h->procs[last - 1]);

    return (speed - h->speed[last]) / (procs - h->procs[last]) >= before;
}

static struct hull hull_of(const struct cs_profile *profile, int procs, struct cs_arena *arena)
{
    struct hull h = {1, CS_NEW_ARRAY(arena, double, procs / 2 + 1),
                     CS_NEW_ARRAY(arena, double, procs / 2 + 1)};

    for (int j = 2; j <= procs; j += 2) {
        double speed = 1 / cs_check_time(profile, j);

        if (!(speed > h.speed[h.corners - 1]))
            continue;
        while (h.corners > 1 && bound_malleable_below(&h, j, speed))
            h.corners--;
        h.procs[h.corners] = j;
        h.speed[h.corners++] = speed;
    }
    return h;
}

static double bound_malleable_share(const struct hull *h, double speed)
{
    int c = 1;

    while (c < h->corners && h->speed[c] < speed)
        c++;
    if (c == h->corners)
        return INFINITY;
    return h->procs[c] - (h->procs[c] - h->procs[c - 1]) * (h->speed[c] - speed) /
                             (h->speed[c] - h->speed[c - 1]);
}

static bool bound_malleable_fits(const struct hull *hull, int tasks, double end, int procs)
{
    double sum = 0;

    for (int i = 0; i < tasks; i++)
        sum += bound_malleable_share(&hull[i], 1 / end);
    return sum <= procs;
}

double cs_check_bound_malleable(const struct cs_workload *workload, int procs)
{
    struct cs_arena *arena;
    struct hull *hull;
    double low = 0, high = 1;

    if (procs > MOST || procs < 2 || workload->count == 0)
        return INFINITY;
    arena = cs_arena_create();
    hull = CS_NEW_ARRAY(arena, struct hull, workload->count);
    for (int i = 0; i < workload->count; i++)
        hull[i] = hull_of(&workload->profile[i], procs, arena);
    while (!bound_malleable_fits(hull, workload->count, high, procs) && isfinite(high))
        high *= 2;
    for (int step = 0; step < 100; step++) {
        double middle = low + (high - low) / 2;

        *(bound_malleable_fits(hull, workload->count, middle, procs) ? &high : &low) = middle;
    }
    cs_arena_destroy(arena);
    return high;
}
