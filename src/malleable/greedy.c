/* greedy.c - Algorithm 5: all processors dealt again, one jump after the other.
 *
 * As written, everybody begins with two processors and the member that would end last climbs, jump
 * by jump, until it cannot.  So those that would end after T climb before any that would end by T:
 * if the fewest processors with which all end by T are enough together, the greedy comes to exactly
 * that state, and can begin there.  T is the latest finish if nothing changes: mostly nobody can
 * end by then with fewer processors, and nothing is left to do.
 */
#include "malleable/plan.h"

/* The fewest processors with which everybody ends by then; returns how many are left. */
static int begin(struct cs_malleable_plan *plan, double latest)
{
    const double limit = nextafter(latest, INFINITY);
    int left = plan->free;

    for (int a = 0; a < plan->members; a++) {
        struct cs_malleable_member *m = &plan->member[a];
        const int least = plan->model->rate[m->task].least;
        const int k = cs_malleable_first(plan, m, least, m->now, limit, &m->expected);

        m->share = k ? k : least;
        left += m->now - m->share;
    }
    return left;
}

void cs_malleable_greedy(struct cs_malleable_plan *plan)
{
    struct cs_heap *last = plan->heap;
    double latest = -INFINITY;
    int left;

    for (int a = 0; a < plan->members; a++)
        latest = fmax(latest, plan->member[a].finish);
    left = begin(plan, latest);
    cs_heap_reset(last);
    for (int a = 0; a < plan->members; a++)
        cs_heap_push(last, a, -plan->member[a].expected);
    while (left >= 2) {
        struct cs_malleable_member *m = &plan->member[cs_heap_top(last)];
        double finish;
        const int k = cs_malleable_gain(plan, m, left, &finish);

        if (k == 0)
            break;
        left -= k - m->share;
        m->share = k;
        m->expected = finish;
        cs_heap_update(last, cs_heap_top(last), -finish);
    }
}
