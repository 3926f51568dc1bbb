/* assign.c - where any free processors will do, the lowest numbers, from a set of bits.
 *
 * Source: spec/moldable.md 4.6.
 * Idea: tasks by start; ends up to that start give their processors back, then the task takes the
 * lowest free ones.
 * Invariants: no word below word[low] has a free processor; a valid plan always finds enough.
 * Complexity: O(processors held + tasks log tasks), and the words passed while `low` rises.
 */
#include "problems/moldable/assign.h"

#include "base/bug.h"
#include "base/heap.h"

#include <string.h>

struct numbers {
    uint64_t *word; /* a bit is a free processor */
    int words, low; /* no bit below word[low] */
};

static void assign_give(struct numbers *n, int proc)
{
    n->word[proc / 64] |= (uint64_t)1 << (proc % 64);
    n->low = proc / 64 < n->low ? proc / 64 : n->low;
}

static int assign_lowest(uint64_t word)
{
    int bit = 0;

    for (int half = 32; half; half /= 2)
        if (!(word & (((uint64_t)1 << half) - 1))) {
            word >>= half;
            bit += half;
        }
    return bit;
}

static int assign_take(struct numbers *n)
{
    int bit;

    while (n->low < n->words && n->word[n->low] == 0)
        n->low++;
    CS_REQUIRE(n->low < n->words);
    bit = assign_lowest(n->word[n->low]);
    n->word[n->low] &= n->word[n->low] - 1;
    return 64 * n->low + bit;
}

/* As the plan has them. */
static void place_blocks(const struct cs_moldable_bag *bag, const struct cs_moldable_plan *plan,
                         struct cs_moldable_places *places)
{
    for (int i = 0; i < bag->tasks; i++)
        for (int a = 0; a < plan->procs[i]; a++)
            places->proc[places->first[i] + a] = plan->first[i] + a;
}

struct cs_moldable_places cs_moldable_assign(const struct cs_moldable_bag *bag,
                                             const struct cs_moldable_plan *plan, const int *order,
                                             struct cs_arena *arena)
{
    struct cs_moldable_places places = {.first = CS_NEW_ARRAY(arena, int, bag->tasks + 1)};
    struct numbers n = {.words = (bag->procs + 63) / 64};
    struct cs_heap running;

    for (int i = 0; i < bag->tasks; i++)
        places.first[i + 1] = places.first[i] + plan->procs[i];
    places.proc = CS_NEW_ARRAY(arena, int, places.first[bag->tasks]);
    if (bag->contiguous) {
        place_blocks(bag, plan, &places);
        return places;
    }
    n.word = CS_NEW_ARRAY(arena, uint64_t, n.words);
    for (int q = 0; q < bag->procs; q++)
        assign_give(&n, q);
    cs_heap_init(&running, bag->tasks, arena);
    for (int p = 0; p < bag->tasks; p++) {
        int task = order[p];

        while (running.count && cs_heap_top_key(&running) <= plan->start[task]) {
            int done = cs_heap_pop(&running);

            for (int a = places.first[done]; a < places.first[done + 1]; a++)
                assign_give(&n, places.proc[a]);
        }
        for (int a = places.first[task]; a < places.first[task + 1]; a++)
            places.proc[a] = assign_take(&n);
        cs_heap_push(&running, task, plan->end[task]);
    }
    return places;
}
