/* canonical - the planner `list`: one allotment and one order made into a schedule.
 *
 * Source: spec/moldable.md 4.1 to 4.3 and 6.1; Garey, Graham 1975.
 * Idea: the allotment thrifty(T) or gamma(T), T = factor times the threshold of the area bound, in
 * one of four orders, by LIST or by EARLIEST.  The baseline of the other planners.
 * Invariant: thrifty, lpt, LIST and factor 1 give the plan of ludwig-tiwari.
 * Complexity: the area bound, a sort, and one list: O(tasks log tasks), EARLIEST O(tasks^2) at
 * worst.
 */
#include "problems/moldable/bound.h"
#include "problems/moldable/policy.h"

enum { ALLOTMENT, ORDER, DECODER, FACTOR };

static int plan_list(const struct cs_moldable_instance *in, const struct cs_policy_context *context,
                     struct cs_moldable_plan *plan)
{
    const struct cs_moldable_bag *bag = &in->bag;
    struct cs_arena *scratch = context->scratch;
    int *choice = CS_NEW_ARRAY(scratch, int, bag->tasks);
    int *order = CS_NEW_ARRAY(scratch, int, bag->tasks);
    double *start = CS_NEW_ARRAY(scratch, double, bag->tasks), threshold;
    const int *first = NULL;

    if (context->param[DECODER] != 0 &&
        cs_moldable_refuse_contiguous(in, context, "list:decoder=earliest"))
        return -1;
    cs_moldable_area(bag, &threshold, scratch);
    threshold *= context->param[FACTOR];
    (context->param[ALLOTMENT] == 0 ? cs_moldable_thrifty : cs_moldable_gamma)(bag, threshold,
                                                                               choice);
    cs_moldable_sort(bag, choice, (enum cs_moldable_order)context->param[ORDER], order, scratch);
    if (context->param[DECODER] == 0) {
        struct cs_moldable_lister lister;

        cs_moldable_lister_init(&lister, bag, scratch);
        cs_moldable_list(&lister, choice, order, INFINITY, start);
        first = lister.first;
    } else {
        struct cs_moldable_skyline skyline;

        cs_moldable_skyline_init(&skyline, bag, scratch);
        cs_moldable_earliest(&skyline, choice, order, INFINITY, start);
    }
    cs_moldable_plan_set(bag, plan, choice, start, first);
    return 0;
}

static const struct cs_policy_param params[] = {
    [ALLOTMENT] = {.name = "allotment",
                   .kind = CS_POLICY_PARAM_CHOICE,
                   .default_text = "thrifty",
                   .choices = "thrifty|gamma",
                   .summary = "of counts within the threshold that of least work, or the fewest"},
    [ORDER] = {.name = "order",
               .kind = CS_POLICY_PARAM_CHOICE,
               .default_text = "lpt",
               .choices = "lpt|area|wide|index",
               .summary = "longest, most work, or widest first, or as given"},
    [DECODER] = {.name = "decoder",
                 .kind = CS_POLICY_PARAM_CHOICE,
                 .default_text = "list",
                 .choices = "list|earliest",
                 .summary = "start what fits at each event, or each task as early as it fits"},
    [FACTOR] = {.name = "factor",
                .kind = CS_POLICY_PARAM_REAL,
                .default_text = "1",
                .low = 0,
                .high = 1000,
                .summary = "times the threshold of the area bound"},
    {0},
};

const struct cs_moldable_policy cs_moldable_policy_list = {
    .info =
        {
            .name = "list",
            .problem = "moldable",
            .summary = "one allotment, one order, what fits starts",
            .source = "Garey, Graham 1975",
            .params = params,
        },
    .plan = plan_list,
};
