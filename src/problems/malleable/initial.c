/* initial.c - Algorithm 1 in its jump form.
 *
 * Source: the paper, Algorithm 1; spec/malleable.md 7, gaps A6 and A18 of section 12.
 *
 * Idea: each task begins with its least even number of processors (2 for formulas).  The task
 * that is expected to take longest gets the fewest more that shorten it: a jump replaces the
 * paper's steps of two, with the same result.  The search ends when the longest cannot be
 * shortened.
 *
 * Invariants: procs[i] is even and at least `least`; the sum of procs and `left` is `usable`;
 * expected[i] = tR(i, procs[i], 1); only a strictly shorter time wins, so infinity never does.
 * Ties: the lower index, which is the order of the heap.
 *
 * Complexity: O((n + p / 2) log n) for the heap; a jump is O(1) when two more help, O(left) when
 * none do; one comparison with the fault-free time on all that is left refuses most of the
 * latter.
 */
#include "problems/malleable/initial.h"

#include "base/heap.h"

/* The smallest even q in 2 .. limit with tR(procs + q) < now, or 0.  Expected times are at least
 * the fault-free time on the most processors. */
static int first_gain(const struct cs_malleable_model *model, int task, int procs, int limit,
                      double now)
{
    if (cs_malleable_rate_time(&model->rate[task], procs + limit) >= now)
        return 0;
    for (int q = 2; q <= limit; q += 2)
        if (cs_malleable_model_expected(model, task, procs + q, 1) < now)
            return q;
    return 0;
}

int cs_malleable_initial_share(const struct cs_malleable_model *model, int *procs, double *expected,
                               struct cs_arena *scratch)
{
    const struct cs_arena_mark mark = cs_arena_mark(scratch);
    int left = model->usable;
    struct cs_heap longest;

    cs_heap_init(&longest, model->tasks, scratch);
    for (int i = 0; i < model->tasks; i++) {
        procs[i] = model->rate[i].least;
        left -= procs[i];
        expected[i] = cs_malleable_model_expected(model, i, procs[i], 1);
        cs_heap_push(&longest, i, -expected[i]);
    }
    while (left >= 2) {
        const int i = cs_heap_top(&longest);
        const int q = first_gain(model, i, procs[i], left, expected[i]);

        if (q == 0)
            break;
        procs[i] += q;
        left -= q;
        expected[i] = cs_malleable_model_expected(model, i, procs[i], 1);
        cs_heap_update(&longest, i, -expected[i]);
    }
    cs_arena_rewind(scratch, mark);
    return left + model->in->platform.procs % 2;
}
