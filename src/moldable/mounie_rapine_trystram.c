/* mounie-rapine-trystram - two shelves and a third: at most 1.5 times the repaired optimum.
 *
 * Mounie, Rapine, Trystram, SIAM J. Comput. 37(2), 2007, on the repaired times (work never falls);
 * d is exactly the least value that the dual test accepts.  The plan is carried over to the given
 * times, where each width becomes the widest candidate within it.
 */
#include "model/moldable.h"
#include "moldable/bound.h"
#include "moldable/policy.h"
#include "moldable/shelves.h"

#include <string.h>

/* The candidates of the repaired step function of one task, from *at on. */
static void repair_task(const struct cs_moldable_bag *bag, int task, double *row, int *count,
                        double *seconds, int *at)
{
    double largest, least = INFINITY;
    int x = -1, most = cs_moldable_candidates(bag, task);

    for (int j = 1; j <= bag->procs; j++) {
        while (x + 1 < most && cs_moldable_width(bag, task, x + 1) <= j)
            x++;
        row[j - 1] = x < 0 ? INFINITY : cs_moldable_seconds(bag, task, x);
    }
    cs_moldable_repair(row, bag->procs, row, &largest);
    for (int j = 1; j <= bag->procs; j++)
        if (row[j - 1] < least) {
            least = row[j - 1];
            count[*at] = j;
            seconds[*at] = least;
            (*at)++;
        }
}

static struct cs_moldable_bag repair(const struct cs_moldable_bag *bag, struct cs_arena *arena)
{
    size_t most = 0;
    struct cs_moldable_bag repaired = *bag;
    int *first = CS_NEW_ARRAY(arena, int, bag->tasks + 1), *count, at = 0;
    double *seconds, *row = CS_NEW_ARRAY(arena, double, bag->procs);

    most = cs_arena_area((size_t)bag->tasks, (size_t)bag->procs);
    count = CS_NEW_ARRAY(arena, int, most);
    seconds = CS_NEW_ARRAY(arena, double, most);
    for (int i = 0; i < bag->tasks; i++) {
        repair_task(bag, i, row, count, seconds, &at);
        first[i + 1] = at;
    }
    repaired.first = first;
    repaired.count = count;
    repaired.seconds = seconds;
    cs_moldable_bag_finish(&repaired, arena);
    return repaired;
}

bool cs_moldable_shelves_apply(const struct cs_moldable_bag *bag)
{
    return !bag->release && !bag->contiguous &&
           (double)bag->procs * bag->first[bag->tasks] <= CS_MOLDABLE_KNAPSACK_MOST;
}

/* The same widths on the given times. */
static void carry_over(const struct cs_moldable_bag *bag, const int *width, int *choice)
{
    for (int i = 0; i < bag->tasks; i++)
        choice[i] = cs_moldable_within(bag, i, width[i]);
}

/* The construction pushed together. */
static void offer_compact(const struct cs_moldable_bag *bag, const int *choice, const double *at,
                          struct cs_moldable_plan *plan, struct cs_arena *scratch)
{
    int *order = CS_NEW_ARRAY(scratch, int, bag->tasks);
    double *start = CS_NEW_ARRAY(scratch, double, bag->tasks), makespan;
    struct cs_moldable_skyline skyline;

    cs_moldable_sort_starts(bag, at, order, scratch);
    cs_moldable_skyline_init(&skyline, bag, scratch);
    makespan = cs_moldable_earliest(&skyline, choice, order, plan->makespan, start);
    cs_moldable_plan_offer(bag, plan, makespan, choice, start, NULL);
}

static void offer_lists(const struct cs_moldable_bag *bag, const int *choice,
                        struct cs_moldable_plan *plan, struct cs_arena *scratch)
{
    static const enum cs_moldable_order kinds[] = {CS_MOLDABLE_LPT, CS_MOLDABLE_AREA,
                                                   CS_MOLDABLE_WIDE};
    int *order = CS_NEW_ARRAY(scratch, int, bag->tasks);
    double *start = CS_NEW_ARRAY(scratch, double, bag->tasks), makespan;
    struct cs_moldable_lister lister;

    cs_moldable_lister_init(&lister, bag, scratch);
    for (int o = 0; o < 3; o++) {
        cs_moldable_sort(bag, choice, kinds[o], order, scratch);
        makespan = cs_moldable_list(&lister, choice, order, plan->makespan, start);
        cs_moldable_plan_offer(bag, plan, makespan, choice, start, NULL);
    }
}

struct cs_moldable_shelves cs_moldable_mounie_rapine_trystram(const struct cs_moldable_bag *bag,
                                                              struct cs_moldable_plan *plan,
                                                              struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    struct cs_moldable_bag repaired = repair(bag, scratch);
    int *width = CS_NEW_ARRAY(scratch, int, bag->tasks);
    int *choice = CS_NEW_ARRAY(scratch, int, bag->tasks);
    double *start = CS_NEW_ARRAY(scratch, double, bag->tasks), threshold;
    struct cs_moldable_shelves said;

    said.d =
        cs_moldable_knapsack(&repaired, cs_moldable_area(&repaired, &threshold, scratch), scratch);
    said.d = fmax(said.d, cs_moldable_critical(&repaired));
    said.constructed = cs_moldable_build_shelves(&repaired, said.d, width, start, scratch);
    carry_over(bag, width, choice);
    if (!isnan(said.constructed))
        offer_compact(bag, choice, start, plan, scratch);
    offer_lists(bag, choice, plan, scratch);
    cs_arena_rewind(scratch, mark);
    return said;
}

static int plan_mounie(const struct cs_moldable_instance *in,
                       const struct cs_policy_context *context, struct cs_moldable_plan *plan)
{
    struct cs_moldable_shelves said;

    if (cs_moldable_refuse_contiguous(in, context, "mounie-rapine-trystram"))
        return -1;
    if (in->bag.release)
        return cs_error_set(context->err, "mounie-rapine-trystram has no answer to release dates: "
                                          "take another planner, such as search");
    if (!cs_moldable_shelves_apply(&in->bag))
        return cs_error_set(context->err,
                            "mounie-rapine-trystram would take too long: %d processors times %d "
                            "candidates is more than 1e8",
                            in->bag.procs, in->bag.first[in->bag.tasks]);
    said = cs_moldable_mounie_rapine_trystram(&in->bag, plan, context->scratch);
    cs_moldable_plan_note(plan, "d", NULL, said.d);
    if (!isnan(said.constructed))
        cs_moldable_plan_note(plan, "constructed", NULL, said.constructed);
    return 0;
}

const struct cs_moldable_policy cs_moldable_policy_mounie_rapine_trystram = {
    .info =
        {
            .name = "mounie-rapine-trystram",
            .problem = "moldable",
            .summary = "two shelves chosen by a knapsack, and a third",
            .source = "Mounie, Rapine, Trystram 2007",
        },
    .plan = plan_mounie,
};
