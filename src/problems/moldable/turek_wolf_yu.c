/* turek-wolf-yu - list every allotment of least work within a threshold, longest first.
 *
 * Source: spec/moldable.md 6.3; Turek, Wolf, Yu, SPAA 1992.
 * Idea: the thresholds are all candidate times, largest first, down to the least that all tasks
 * can keep.  The paper's rule (give the longest task its next count) visits the same allotments.
 * Invariants: with falling thresholds work rises, so that the loop ends once work / procs is above
 * the best makespan; an allotment equal to the one before is not listed again.  Never worse than
 * ludwig-tiwari, whose threshold is among these.
 * Complexity: at most one list for each distinct candidate time: O(candidates tasks log tasks).
 * effort.c leaves it out above TUREK_MOST.
 */
#include "base/order.h"
#include "problems/moldable/bound.h"
#include "problems/moldable/policy.h"

#include <string.h>

struct turek {
    const struct cs_moldable_bag *bag;
    struct cs_moldable_lister lister;
    int *choice, *before, *order;
    double *start;
    struct cs_arena *scratch;
};

/* May the list of this allotment be shorter than `best`? *enough: none of a smaller threshold may.
 */
static bool turek_wolf_yu_promising(const struct turek *t, double best, bool *enough)
{
    double work = 0, longest = 0;

    for (int i = 0; i < t->bag->tasks; i++) {
        work += cs_moldable_work(t->bag, i, t->choice[i]);
        longest = fmax(longest, cs_moldable_seconds(t->bag, i, t->choice[i]));
    }
    *enough = work / t->bag->procs * (1 - 1e-9) > best;
    return !*enough && longest < best;
}

static bool try_threshold(struct turek *t, double threshold, struct cs_moldable_plan *plan)
{
    size_t bytes = (size_t)t->bag->tasks * sizeof *t->choice;
    bool enough;
    double makespan;

    cs_moldable_thrifty(t->bag, threshold, t->choice);
    if (memcmp(t->choice, t->before, bytes) == 0)
        return true;
    memcpy(t->before, t->choice, bytes);
    if (!turek_wolf_yu_promising(t, plan->makespan, &enough))
        return !enough;
    cs_moldable_sort(t->bag, t->choice, CS_MOLDABLE_LPT, t->order, t->scratch);
    makespan = cs_moldable_list(&t->lister, t->choice, t->order, plan->makespan, t->start);
    cs_moldable_plan_offer(t->bag, plan, makespan, t->choice, t->start, t->lister.first);
    return true;
}

static void try_all(struct turek *t, struct cs_moldable_plan *plan)
{
    const struct cs_moldable_bag *bag = t->bag;
    int all = bag->first[bag->tasks], at = all;
    double *time = CS_NEW_ARRAY(t->scratch, double, all), shortest = 0;

    memcpy(time, bag->seconds, (size_t)all * sizeof *time);
    cs_order_sort_doubles(time, all, t->scratch);
    for (int i = 0; i < bag->tasks; i++)
        shortest = fmax(shortest, cs_moldable_fastest(bag, i));
    memset(t->before, -1, (size_t)bag->tasks * sizeof *t->before);
    while (at > 0 && time[at - 1] >= shortest) {
        if (!try_threshold(t, time[at - 1], plan))
            return;
        at--;
        while (at > 0 && time[at - 1] == time[at])
            at--;
    }
}

void cs_moldable_turek_wolf_yu(const struct cs_moldable_bag *bag, struct cs_moldable_plan *plan,
                               struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    struct turek t = {
        .bag = bag,
        .choice = CS_NEW_ARRAY(scratch, int, bag->tasks),
        .before = CS_NEW_ARRAY(scratch, int, bag->tasks),
        .order = CS_NEW_ARRAY(scratch, int, bag->tasks),
        .start = CS_NEW_ARRAY(scratch, double, bag->tasks),
        .scratch = scratch,
    };

    cs_moldable_lister_init(&t.lister, bag, scratch);
    try_all(&t, plan);
    cs_arena_rewind(scratch, mark);
}

static int plan_turek_wolf_yu(const struct cs_moldable_instance *in,
                              const struct cs_policy_context *context,
                              struct cs_moldable_plan *plan)
{
    cs_moldable_turek_wolf_yu(&in->bag, plan, context->scratch);
    return 0;
}

const struct cs_moldable_policy cs_moldable_policy_turek_wolf_yu = {
    .info =
        {
            .name = "turek-wolf-yu",
            .problem = "moldable",
            .summary = "the best list of the allotments of least work within all thresholds",
            .source = "Turek, Wolf, Yu 1992",
        },
    .plan = plan_turek_wolf_yu,
};
