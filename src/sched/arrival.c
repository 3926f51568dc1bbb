/* arrival.c - when enough processors are free for the head of the queue, and how many are left
 * over.
 *
 * Source: spec/rigid.md 4.3 (m = 1: s and extra).
 *
 * Idea: a walk along the ends of the attempts that run, merged with the heads that start now, in
 * ascending order; whole blocks are passed by their sum of processors while that is not enough.
 *
 * Invariants: the result does not depend on the blocks; attempts with the same end are passed
 * together, so `extra` counts all of them.
 *
 * Complexity: O(R / 64 + 64) for R attempts that run, plus O(heads that start now).
 */
#include "sched/arrival.h"

#include <math.h>

/* The part of a list not yet passed: attempts `count - 1` to 0 of this block, and all blocks
 * before it. */
struct walk {
    const struct cs_sched_running *running;
    int block, count;
};

static struct walk walk_along(const struct cs_sched_running *running)
{
    return running ? (struct walk){running, running->blocks - 1, running->few} : (struct walk){0};
}

static const struct cs_sched_attempt *shadow_next(const struct walk *walk)
{
    return walk->count ? &walk->running->block[walk->block]->attempt[walk->count - 1] : NULL;
}

static void shadow_pass(struct walk *walk)
{
    if (--walk->count == 0 && walk->block > 0)
        walk->count = walk->running->block[--walk->block]->count;
}

/* Pass what ends by then; returns its processors. */
static int pass_until(struct walk *walk, double end)
{
    const struct cs_sched_attempt *attempt;
    int procs = 0;

    for (; (attempt = shadow_next(walk)) && attempt->end <= end; shadow_pass(walk))
        procs += attempt->procs;
    return procs;
}

/* Pass a whole block of what runs, with what starts now and ends no later, if fewer than `procs`
 * are free then.  Returns whether it was passed. */
static bool pass_block(struct walk *runs, struct walk *starts, int *free, int procs)
{
    const struct cs_sched_running_block *block = runs->running->block[runs->block];
    struct walk to = *starts;
    int more;

    if (block == runs->running->soon || runs->count < block->count)
        return false;
    more = block->procs + pass_until(&to, block->attempt[0].end);
    if (*free + more >= procs)
        return false;
    *free += more;
    *starts = to;
    runs->count = 1;
    shadow_pass(runs);
    return true;
}

struct cs_sched_shadow cs_sched_shadow_among(const struct cs_sched_view *view,
                                             const struct cs_sched_running *starting, int free,
                                             int procs)
{
    struct walk runs = walk_along(view->running), starts = walk_along(starting);
    struct cs_sched_shadow shadow = {view->now, free};

    while (shadow.extra < procs) {
        const struct cs_sched_attempt *a = shadow_next(&runs), *b = shadow_next(&starts);

        if (a && pass_block(&runs, &starts, &shadow.extra, procs))
            continue;
        shadow.at = fmin(a ? a->end : INFINITY, b ? b->end : INFINITY);
        shadow.extra += pass_until(&runs, shadow.at) + pass_until(&starts, shadow.at);
    }
    shadow.extra -= procs;
    return shadow;
}
