/* greedy.c - Algorithm 5: all processors dealt again, one jump after the other. */
#include "malleable/plan.h"

void cs_malleable_greedy(struct cs_malleable_plan *plan)
{
    struct cs_heap *latest = plan->heap;
    int left = plan->free;

    cs_heap_reset(latest);
    for (int a = 0; a < plan->members; a++) {
        struct cs_malleable_member *m = &plan->member[a];

        m->share = plan->model->rate[m->task].least;
        left += m->now - m->share;
        m->expected = cs_malleable_finish(plan, m, m->share);
        cs_heap_push(latest, a, -m->expected);
    }
    while (left >= 2 && latest->count) {
        struct cs_malleable_member *m = &plan->member[cs_heap_top(latest)];
        const int q = cs_malleable_gain(plan, m, left);

        if (q == 0)
            break;
        m->share += q;
        left -= q;
        m->expected = cs_malleable_finish(plan, m, m->share);
        cs_heap_update(latest, cs_heap_top(latest), -m->expected);
    }
}
