/* bound_pack.c - the least cost of all plans of a few tasks.
 *
 * A pack lasts some time that one of its tasks takes on some number of processors.  The least such
 * time of every set is found by bisection among all of them; then the best division of every set
 * into the pack of its first task and the rest.
 */
#include "check/bound_pack.h"
#include "base/arena.h"
#include "check/given.h"

#include <math.h>
#include <stdlib.h>

#define MOST_TASKS 16
#define MOST_TIMES 1e6 /* tasks times processors */

struct sets {
    int tasks, procs, size;
    double *time;   /* tasks x procs */
    double *moment; /* all times, rising */
    int moments;
};

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

int cs_check_pack_need(const double *row, int procs, double seconds)
{
    int low = 0, high = procs;

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (row[middle] <= seconds)
            high = middle;
        else
            low = middle + 1;
    }
    return low + 1;
}

static bool bound_pack_fits(const struct sets *s, unsigned set, double seconds)
{
    long long procs = 0;

    for (int i = 0; i < s->tasks; i++)
        if (set >> i & 1)
            procs += cs_check_pack_need(s->time + (size_t)i * (size_t)s->procs, s->procs, seconds);
    return procs <= s->procs;
}

/* The first moment by which the set can be done, from that of a part of it on; `moments`: none. */
static int pack_end(const struct sets *s, unsigned set, int part)
{
    int low = part, high = s->moments, count = 0;

    for (int i = 0; i < s->tasks; i++)
        count += (int)(set >> i & 1);
    if (count > s->size)
        return s->moments;
    if (low < high && bound_pack_fits(s, set, s->moment[low]))
        return low;
    while (low < high) {
        int middle = low + (high - low) / 2;

        if (bound_pack_fits(s, set, s->moment[middle]))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void find_times(struct sets *s, const struct cs_workload *workload, bool supplied,
                       struct cs_arena *arena)
{
    size_t all = (size_t)s->tasks * (size_t)s->procs;

    s->time = CS_NEW_ARRAY(arena, double, all);
    s->moment = CS_NEW_ARRAY(arena, double, all);
    for (size_t k = 0; k < all; k++) {
        int task = (int)(k / (size_t)s->procs), procs = (int)(k % (size_t)s->procs) + 1;

        s->time[k] = cs_check_pack_time(workload, supplied, task, procs);
        if (isfinite(s->time[k]))
            s->moment[s->moments++] = s->time[k];
    }
    qsort(s->moment, (size_t)s->moments, sizeof *s->moment, by_value);
}

double cs_check_bound_pack(const struct cs_workload *workload, int procs, int pack_size,
                           bool supplied)
{
    struct sets s = {.tasks = workload->count, .procs = procs, .size = pack_size};
    struct cs_arena *arena;
    double *pack, *best, least;
    int *end;

    if (s.tasks > MOST_TASKS || (double)s.tasks * procs > MOST_TIMES)
        return INFINITY;
    arena = cs_arena_create();
    find_times(&s, workload, supplied, arena);
    pack = CS_NEW_ARRAY(arena, double, (size_t)1 << s.tasks);
    best = CS_NEW_ARRAY(arena, double, (size_t)1 << s.tasks);
    end = CS_NEW_ARRAY(arena, int, (size_t)1 << s.tasks);
    for (unsigned set = 1; set < 1u << s.tasks; set++) {
        unsigned first = set & (0u - set), rest = set ^ first;

        end[set] = pack_end(&s, set, end[rest]);
        best[set] = pack[set] = end[set] < s.moments ? s.moment[end[set]] : INFINITY;
        for (unsigned with = rest; with; with = (with - 1) & rest)
            best[set] = fmin(best[set], pack[set ^ with] + best[with]);
    }
    least = best[(1u << s.tasks) - 1];
    cs_arena_destroy(arena);
    return least;
}
