/* bound.c - a lower bound on the number of slots, for all states known beforehand.
 *
 * Source: without checkpoints the off-line problem (optimum.c; spec/volatile.md 6, Part II.5).
 * With checkpoints (III.3) a bound that is not in the paper: computed slots are kept, so an
 * iteration need not find W slots without a loss, but no slot can add more than 1 / W of an
 * iteration, where W is the least workload of any configuration of the hosts that are up in it.
 * Invariant: transfers and the cost of saves are ignored, so no schedule is shorter.
 * Complexity with checkpoints: O(hosts log(most workload)) for each slot in which a state changes.
 *
 * Constant: ROUNDING 1e-6, a share of all iterations; it covers the rounding of sums and of
 * progress (cs_volatile_rest).  Set by hand; half and double: not measured.
 */
#include "problems/volatile/bound.h"

#include "problems/volatile/optimum.h"

#include <math.h>
#include <string.h>

#define ROUNDING 1e-6 /* of iterations: far above that of sums, and of how progress is rounded */

struct pace {
    const struct cs_volatile_instance *in;
    bool *up;      /* by host */
    int64_t tasks; /* that the hosts that are up can hold */
};

/* The tasks that hosts that are up compute within so many slots. */
static int64_t tasks_within(const struct pace *p, int64_t workload)
{
    int64_t tasks = 0;

    for (int q = 0; q < p->in->hosts; q++) {
        int64_t held = p->up[q] ? workload / p->in->host[q].slots : 0;

        tasks += held < p->in->capacity[q] ? held : p->in->capacity[q];
    }
    return tasks;
}

/* The most that a slot brings of an iteration. */
static double bound_progress(const struct pace *p)
{
    int64_t low = 0, high = p->in->most_workload;

    if (p->tasks < p->in->app.tasks)
        return 0;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;

        if (tasks_within(p, middle) >= p->in->app.tasks)
            high = middle;
        else
            low = middle;
    }
    return 1 / (double)high;
}

static void change_host(struct pace *p, int host, bool up)
{
    if (p->up[host] != up)
        p->tasks += up ? p->in->capacity[host] : -(int64_t)p->in->capacity[host];
    p->up[host] = up;
}

static int64_t keep_pace(struct pace *p, struct cs_volatile_source *source)
{
    int64_t end = source->end < p->in->app.cap ? source->end : p->in->app.cap, slot = 0;
    double left = (double)p->in->app.iterations * (1 - ROUNDING);
    const struct cs_volatile_change *change;

    for (size_t at = 0; slot < end;) {
        double each;
        int64_t next;

        while ((change = cs_volatile_source_change(source, at)) && change->slot <= slot) {
            change_host(p, (int)(change->what / 4), change->what % 4 == CS_VOLATILE_UP);
            at++;
        }
        next = change && change->slot < end ? change->slot : end;
        each = bound_progress(p);
        if ((double)(next - slot) * each >= left)
            return slot + (int64_t)ceil(left / each);
        left -= (double)(next - slot) * each;
        slot = next;
    }
    return -1;
}

static int64_t with_checkpoints(const struct cs_volatile_instance *in,
                                struct cs_volatile_source *source)
{
    struct cs_arena *arena = cs_arena_create();
    struct pace p = {.in = in, .up = CS_NEW_ARRAY(arena, bool, in->hosts)};
    int64_t slots;

    for (int q = 0; q < in->hosts; q++)
        change_host(&p, q, source->first[q] == CS_VOLATILE_UP);
    slots = keep_pace(&p, source);
    cs_arena_destroy(arena);
    return slots;
}

struct cs_volatile_limit cs_volatile_limit(const struct cs_volatile_instance *in,
                                           struct cs_volatile_source *source, int64_t patience)
{
    struct cs_arena *arena;
    struct cs_volatile_optimum optimum;

    if (in->app.save_every > 0)
        return (struct cs_volatile_limit){with_checkpoints(in, source), false};
    arena = cs_arena_create();
    optimum = cs_volatile_optimum_find(in, source, patience > 0 ? patience : 1, arena);
    cs_arena_destroy(arena);
    return (struct cs_volatile_limit){optimum.slots, optimum.exact};
}

int64_t cs_volatile_bound(const struct cs_volatile_instance *in, struct cs_volatile_source *source)
{
    return cs_volatile_limit(in, source, 0).slots;
}
