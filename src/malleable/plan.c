/* plan.c - gains, and the filters that keep plans from moving too much. */
#include "malleable/plan.h"

#include "base/order.h"

/* The refusal must never be wrong by a rounding error. */
#define ALMOST (1 - 1e-12)

/* tR >= alpha t, t never rises, and every move from j processors takes at least m / 2j: no F(k)
 * for k up to `most` is below this, but F(now). */
static double least_finish(const struct cs_malleable_plan *plan,
                           const struct cs_malleable_member *m, int most)
{
    const struct cs_malleable_rate *rate = &plan->model->rate[m->task];

    return m->base + rate->data / (2 * m->now) + rate->checkpoint / most +
           m->alpha * cs_malleable_rate_time(rate, most);
}

bool cs_malleable_hopeless(const struct cs_malleable_plan *plan,
                           const struct cs_malleable_member *m, int limit)
{
    const int most = m->share + limit;

    if (m->share < m->now && m->now <= most && m->finish < m->expected)
        return false;
    return least_finish(plan, m, most) * ALMOST >= m->expected;
}

int cs_malleable_gain(const struct cs_malleable_plan *plan, const struct cs_malleable_member *m,
                      int limit)
{
    if (limit < 2)
        return 0;
    if (cs_malleable_finish(plan, m, m->share + 2) < m->expected)
        return 2;
    if (cs_malleable_hopeless(plan, m, limit))
        return 0;
    for (int q = 4; q <= limit; q += 2)
        if (cs_malleable_finish(plan, m, m->share + q) < m->expected)
            return q;
    return 0;
}

static double largest_expected(const struct cs_malleable_plan *plan)
{
    double largest = -INFINITY;

    for (int a = 0; a < plan->members; a++)
        largest = fmax(largest, plan->member[a].expected);
    return largest;
}

void cs_malleable_disrupt_less(struct cs_malleable_plan *plan)
{
    const struct cs_arena_mark mark = cs_arena_mark(plan->scratch);
    double *extra = CS_NEW_ARRAY(plan->scratch, double, plan->members);
    int *order = CS_NEW_ARRAY(plan->scratch, int, plan->members);
    const double latest = largest_expected(plan);
    int left = plan->free, some = 0;

    for (int a = 0; a < plan->members; a++) {
        const struct cs_malleable_member *m = &plan->member[a];

        left += m->now - m->share;
        extra[a] = m->now - m->share;
        if (m->share != m->now && m->finish <= latest)
            order[some++] = a;
    }
    cs_order_sort_ascending(extra, order, some, plan->scratch);
    for (int c = 0; c < some; c++) {
        struct cs_malleable_member *m = &plan->member[order[c]];

        if (m->now - m->share > left)
            break;
        left -= m->now - m->share;
        m->share = m->now;
        m->expected = m->finish;
    }
    cs_arena_rewind(plan->scratch, mark);
}

bool cs_malleable_worthwhile(const struct cs_malleable_plan *plan, double share)
{
    double before = -INFINITY;

    for (int a = 0; a < plan->members; a++)
        before = fmax(before, plan->member[a].finish);
    return before - largest_expected(plan) > share * (before - plan->time);
}
