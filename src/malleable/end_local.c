/* end_local.c - Algorithm 3: free processors go to the tasks that are expected to end last.
 *
 * The latest (ties: the lower index) gets the fewest more that let it end earlier; one for which
 * none do is left out for this event.
 */
#include "malleable/policy.h"

void cs_malleable_local(struct cs_malleable_plan *plan)
{
    struct cs_heap *latest = plan->heap;
    int left = plan->free;

    cs_heap_reset(latest);
    for (int a = 0; a < plan->members && left >= 2; a++) {
        const struct cs_malleable_member *m = &plan->member[a];

        if (!cs_malleable_hopeless(plan, m, m->now + 2, m->now + left, m->finish))
            cs_heap_push(latest, a, -m->finish);
    }
    while (left >= 2 && latest->count) {
        struct cs_malleable_member *m = &plan->member[cs_heap_top(latest)];
        double finish;
        const int k = cs_malleable_gain(plan, m, left, &finish);

        if (k == 0) {
            cs_heap_pop(latest);
            continue;
        }
        left -= k - m->share;
        m->share = k;
        m->expected = finish;
        cs_heap_update(latest, cs_heap_top(latest), -finish);
    }
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
