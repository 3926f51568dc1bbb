/* end_local.c - Algorithm 3: free processors go to the tasks that are expected to end last.
 *
 * The latest (ties: the lower index) gets the fewest more that let it end earlier; one for which
 * none do is left out for this event.
 */
#include "malleable/policy.h"

#include <math.h>

/* The fewest more that let a member end earlier; false if none of `left` do. */
static bool give(const struct cs_malleable_plan *plan, struct cs_malleable_member *m, int *left)
{
    double finish;
    int k;

    if (cs_malleable_hopeless(plan, m, m->share + 2, m->share + *left, m->expected))
        return false;
    cs_malleable_look(plan, m);
    k = cs_malleable_gain(plan, m, *left, &finish);
    if (k == 0)
        return false;
    *left -= k - m->share;
    m->share = k;
    m->expected = finish;
    return true;
}

/* The first of the largest: four runs of maxima that do not wait for each other, then where. */
static int largest(const double *key, int count)
{
    double most[4] = {key[0], key[0], key[0], key[0]};
    int at = 0;

    for (; at + 4 <= count; at += 4)
        for (int r = 0; r < 4; r++)
            most[r] = cs_malleable_larger(key[at + r], most[r]);
    for (; at < count; at++)
        most[0] = cs_malleable_larger(key[at], most[0]);
    most[0] = cs_malleable_larger(cs_malleable_larger(most[0], most[1]),
                                  cs_malleable_larger(most[2], most[3]));
    for (at = 0; key[at] < most[0];)
        at++;
    return at;
}

/* The same with a heap, for those that are not yet left out. */
static void give_many(struct cs_malleable_plan *plan, const double *key, int left)
{
    struct cs_heap *latest = plan->heap;

    cs_heap_reset(latest);
    for (int a = 0; a < plan->members; a++) {
        const struct cs_malleable_member *m = &plan->member[a];

        if (key[a] > -INFINITY &&
            !cs_malleable_hopeless(plan, m, m->share + 2, m->share + left, m->expected))
            cs_heap_append(latest, a, -key[a]);
    }
    cs_heap_order(latest);
    while (left >= 2 && latest->count) {
        const int a = cs_heap_top(latest);

        if (give(plan, &plan->member[a], &left))
            cs_heap_update(latest, a, -plan->member[a].expected);
        else
            cs_heap_pop(latest);
    }
}

/* Mostly free processors are gone after a few: looking through all is then faster than a heap. */
#define FEW 6

void cs_malleable_local(struct cs_malleable_plan *plan)
{
    const struct cs_arena_mark mark = cs_arena_mark(plan->scratch);
    double *key = CS_NEW_ARRAY(plan->scratch, double, plan->members);
    int left = plan->free;

    for (int a = 0; a < plan->members; a++)
        key[a] = plan->member[a].finish;
    for (int tries = 0; tries < FEW && left >= 2 && plan->members > 0; tries++) {
        const int a = largest(key, plan->members);

        if (!(key[a] > -INFINITY))
            break;
        key[a] = give(plan, &plan->member[a], &left) ? plan->member[a].expected : -INFINITY;
    }
    if (left >= 2)
        give_many(plan, key, left);
    cs_arena_rewind(plan->scratch, mark);
}

const struct cs_malleable_policy cs_malleable_end_local = {
    .info =
        {
            .name = "local",
            .problem = "malleable",
            .summary = "when a task ends: its processors go to the tasks that will end last",
            .source = "Benoit, Pottier, Robert, Inria RR-8795, Algorithm 3 (EndLocal)",
            .aliases = "end-local|el",
        },
    .only_free = true,
    .decide = cs_malleable_local,
};
