/* sweep - lists of the fewest processors within thresholds around the area bound.
 *
 * Source: spec/moldable.md 6.4 (not from a paper).
 * Idea: gamma(w (0.2 + 0.02 g)) for g = 0 .. 79, w the area bound, each in the orders lpt, area,
 * wide.  Thresholds below the bound matter: they make tasks wider than its allotment and the tail
 * shorter.
 * Invariants: only a strictly shorter list replaces the plan; equal allotments are listed once.
 * Complexity: up to 240 lists, O(tasks log tasks) each; every=4 with lpt alone is 20 lists.
 *
 *   constant    value        unit           how found             half, double
 *   THRESHOLDS  80           thresholds     spec/moldable.md 6.4  not measured
 *   0.2, 0.02   0.2 .. 1.78  of the bound   spec/moldable.md 6.4  not measured
 */
#include "problems/moldable/bound.h"
#include "problems/moldable/policy.h"

#include <string.h>

#define THRESHOLDS 80

static const enum cs_moldable_order orders_tried[] = {CS_MOLDABLE_LPT, CS_MOLDABLE_AREA,
                                                      CS_MOLDABLE_WIDE};

void cs_moldable_sweep(const struct cs_moldable_bag *bag, int stride, int orders,
                       struct cs_moldable_plan *plan, struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    size_t bytes = (size_t)bag->tasks * sizeof(int);
    int *choice = CS_NEW_ARRAY(scratch, int, bag->tasks);
    int *before = CS_NEW_ARRAY(scratch, int, bag->tasks);
    int *order = CS_NEW_ARRAY(scratch, int, bag->tasks);
    double *start = CS_NEW_ARRAY(scratch, double, bag->tasks), threshold;
    double area = cs_moldable_area(bag, &threshold, scratch);
    struct cs_moldable_lister lister;

    cs_moldable_lister_init(&lister, bag, scratch);
    memset(before, -1, bytes);
    for (int g = 0; g < THRESHOLDS; g += stride) {
        cs_moldable_gamma(bag, area * (0.2 + 0.02 * g), choice);
        if (memcmp(choice, before, bytes) == 0)
            continue;
        memcpy(before, choice, bytes);
        for (int o = 0; o < orders; o++) {
            double makespan;

            cs_moldable_sort(bag, choice, orders_tried[o], order, scratch);
            makespan = cs_moldable_list(&lister, choice, order, plan->makespan, start);
            cs_moldable_plan_offer(bag, plan, makespan, choice, start, lister.first);
        }
    }
    cs_arena_rewind(scratch, mark);
}

enum { STRIDE, ORDERS };

static int plan_sweep(const struct cs_moldable_instance *in,
                      const struct cs_policy_context *context, struct cs_moldable_plan *plan)
{
    const double every = context->param[STRIDE];

    cs_moldable_sweep(&in->bag, every >= 1 ? (int)every : 1, context->param[ORDERS] == 0 ? 3 : 1,
                      plan, context->scratch);
    return 0;
}

static const struct cs_policy_param params[] = {
    [STRIDE] = {.name = "every",
                .kind = CS_POLICY_PARAM_INTEGER,
                .default_text = "1",
                .low = 1,
                .high = THRESHOLDS,
                .summary = "use every so many-th of the 80 thresholds"},
    [ORDERS] = {.name = "orders",
                .kind = CS_POLICY_PARAM_CHOICE,
                .default_text = "all",
                .choices = "all|lpt",
                .summary = "longest, most work and widest first, or only longest"},
    {0},
};

const struct cs_moldable_policy cs_moldable_policy_sweep = {
    .info =
        {
            .name = "sweep",
            .problem = "moldable",
            .summary = "the best list of the fewest processors within 80 thresholds",
            .source = "cosched",
            .params = params,
        },
    .plan = plan_sweep,
};
