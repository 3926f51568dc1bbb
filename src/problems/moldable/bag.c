/* bag.c - candidates looked up by time and by width.
 *
 * Source: spec/moldable.md 3.1 (candidates) and 6.1 (gamma, thrifty).
 * Invariants: counts rise and seconds fall within a task, both strictly, so that all look-ups are
 * binary searches; work may rise or fall; thrifty[a] is the candidate of least work from a on,
 * ties to the narrower.
 * Complexity: O(candidates) to finish a bag, O(log candidates) a look-up.
 */
#include "problems/moldable/bag.h"

void cs_moldable_bag_finish(struct cs_moldable_bag *bag, struct cs_arena *arena)
{
    int all = bag->first[bag->tasks];
    double *work = CS_NEW_ARRAY(arena, double, all);
    int *thrifty = CS_NEW_ARRAY(arena, int, all);

    for (int a = 0; a < all; a++)
        work[a] = bag->count[a] * bag->seconds[a];
    for (int i = 0; i < bag->tasks; i++) {
        int best = bag->first[i + 1] - 1;

        for (int a = best; a >= bag->first[i]; a--) {
            best = work[a] <= work[best] ? a : best;
            thrifty[a] = best;
        }
    }
    bag->work = work;
    bag->thrifty = thrifty;
}

int cs_moldable_quick(const struct cs_moldable_bag *bag, int task, double seconds)
{
    return cs_moldable_quick_between(bag, bag->first[task], bag->first[task + 1], seconds);
}

int cs_moldable_within(const struct cs_moldable_bag *bag, int task, int procs)
{
    int low = bag->first[task], high = bag->first[task + 1];

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (bag->count[middle] > procs)
            high = middle;
        else
            low = middle + 1;
    }
    return low - bag->first[task] - 1;
}

void cs_moldable_gamma(const struct cs_moldable_bag *bag, double seconds, int *choice)
{
    for (int i = 0; i < bag->tasks; i++) {
        int at = cs_moldable_quick(bag, i, seconds);

        choice[i] = at - bag->first[i] - (at == bag->first[i + 1]);
    }
}

void cs_moldable_thrifty(const struct cs_moldable_bag *bag, double seconds, int *choice)
{
    for (int i = 0; i < bag->tasks; i++) {
        int at = cs_moldable_quick(bag, i, seconds), last = bag->first[i + 1] - 1;

        choice[i] = (at > last ? last : bag->thrifty[at]) - bag->first[i];
    }
}
