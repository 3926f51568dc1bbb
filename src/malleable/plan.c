/* plan.c - gains, and the filters that keep plans from moving too much. */
#include "malleable/plan.h"

#include "base/order.h"

/* Looking for the first k, one stretch after the other on which the time of a move is a hyperbola.
 * The floor of tR forbids most k for the price of a division; a k that it allows is tried, and if
 * it does not do, tR(k) makes a better floor for all that is larger: with Y = lambda j W, which
 * never falls with j, the sum in Equation (4) rises by at least the rise of Y. */

/* A floor must never forbid what a rounding error allows. */
#define MORE (1 + 1e-12)
#define LESS (1 - 1e-12)

struct search {
    const struct cs_malleable_plan *plan;
    const struct cs_malleable_member *m;
    const struct cs_malleable_rate *rate;
    struct cs_malleable_floor floor;
    double limit;
};

/* k in low .. high, where a move takes a + b / k. */
struct stretch {
    double a, b;
    int low, high;
};

static int even(double k)
{
    return 2 * (int)ceil(k / 2);
}

/* The first even k in low .. high with a + b / k <= limit, or 0. */
static int first_hyperbola(double a, double b, double limit, int low, int high)
{
    const double room = limit * MORE - a;

    if (b <= room * low)
        return low;
    if (!(room > 0) || b * LESS > room * high)
        return 0;
    return even(cs_malleable_smaller(b / room * LESS, high));
}

static int first_measured(const struct cs_malleable_floor *floor, double a, double b, double limit,
                          int low, int high)
{
    for (int k = low; k <= high; k += 2)
        if (a + b / k + floor->scale * cs_moldable_time(floor->measured, 0, k) <= limit * MORE)
            return k;
    return 0;
}

static int first_allowed(const struct search *s, const struct stretch *on, int low)
{
    const struct cs_malleable_floor *floor = &s->floor;
    const double a = s->m->base + on->a + floor->fixed;
    const double b = s->rate->checkpoint + on->b + floor->shared;

    if (low > on->high)
        return 0;
    return floor->measured ? first_measured(floor, a, b, s->limit, low, on->high)
                           : first_hyperbola(a, b, s->limit, low, on->high);
}

/* tR(k) is `expected`: the floor for more processors. */
static void raise_floor(struct search *s, int k, double expected)
{
    const struct cs_malleable_model *model = s->plan->model;
    const double sum = expected * k / (1 + model->lambda * model->downtime * k);
    const double rise = s->rate->again * s->m->alpha;

    if (!model->failing || model->tail || !isfinite(sum))
        return;
    if (s->rate->measured) {
        s->floor.scale = rise;
        s->floor.shared = sum - rise * k * cs_moldable_time(s->rate->measured, 0, k);
        return;
    }
    s->floor.fixed = rise * s->rate->fixed + model->lambda * model->downtime * sum;
    s->floor.shared = sum - rise * s->rate->fixed * k;
}

static int first_on(struct search *s, const struct stretch *on, double *finish)
{
    int k = on->low;

    while ((k = first_allowed(s, on, k)) > 0) {
        const double expected =
            cs_malleable_model_expected(s->plan->model, s->m->task, k, s->m->alpha);

        *finish = s->m->base + cs_malleable_rate_move(s->rate, s->m->now, k) +
                  s->rate->checkpoint / k + expected;
        if (*finish < s->limit)
            return k;
        raise_floor(s, k, expected);
        k += 2;
    }
    return 0;
}

/* Below what is left, as if nothing but work had been done since the start. */
static double least_left(const struct cs_malleable_plan *plan, const struct cs_malleable_member *m)
{
    const double done = (plan->time - m->start) * m->running->speed;

    return cs_malleable_larger(m->alpha - done * MORE, 0);
}

bool cs_malleable_hopeless(const struct cs_malleable_plan *plan,
                           const struct cs_malleable_member *m, int low, int high, double limit)
{
    const struct cs_malleable_rate *rate = &plan->model->rate[m->task];
    const double alpha = m->running ? least_left(plan, m) : m->alpha;
    const struct cs_malleable_floor floor = cs_malleable_floor_of(rate, alpha);
    const double now = m->now, most = high;
    double room = limit * MORE - m->base - floor.fixed;

    if (low <= m->now && m->now <= high && m->finish < limit)
        return false;
    if (floor.measured)
        room -= floor.scale * cs_moldable_time(floor.measured, 0, high);
    if (high < m->now)
        return (room * most - rate->checkpoint - floor.shared) * now < rate->data * most;
    return (room * most - rate->checkpoint - floor.shared) * (2 * now) < rate->data * most;
}

int cs_malleable_first(const struct cs_malleable_plan *plan, const struct cs_malleable_member *m,
                       int low, int high, double limit, double *finish)
{
    const struct cs_malleable_rate *rate = &plan->model->rate[m->task];
    const int now = m->now, half = (now + 3) / 4 * 2, twice = now <= high / 2 ? 2 * now : high;
    const double d = rate->data, each = d / now;
    const bool stay = low <= now && now <= high && m->finish < limit;
    const struct stretch part[] = {
        {-each, d, low, half - 2},
        {each, 0, half, now - 2},
        {0, d, now + 2, twice},
        {each, -d, twice + 2, high},
    };
    struct search s = {plan, m, rate, cs_malleable_floor_of(rate, m->alpha), limit};

    if (stay)
        high = now - 2;
    for (int i = 0; i < 4; i++) {
        const struct stretch on = {part[i].a, part[i].b, part[i].low > low ? part[i].low : low,
                                   part[i].high < high ? part[i].high : high};
        const int k = on.low <= on.high ? first_on(&s, &on, finish) : 0;

        if (k)
            return k;
    }
    *finish = m->finish;
    return stay ? now : 0;
}

static double largest_expected(const struct cs_malleable_plan *plan)
{
    double largest = -INFINITY;

    for (int a = 0; a < plan->members; a++)
        largest = cs_malleable_larger(plan->member[a].expected, largest);
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

double cs_malleable_latest(const struct cs_malleable_plan *plan)
{
    double latest = -INFINITY;

    for (int a = 0; a < plan->members; a++)
        latest = cs_malleable_larger(plan->member[a].finish, latest);
    return latest;
}

bool cs_malleable_worthwhile(const struct cs_malleable_plan *plan, double share)
{
    const double before = cs_malleable_latest(plan);

    return before - largest_expected(plan) > share * (before - plan->time);
}

bool cs_malleable_conceivable(const struct cs_malleable_plan *plan, double share, bool only_free)
{
    const double before = cs_malleable_latest(plan);
    const double limit = (before - share * (before - plan->time)) * MORE;
    int spare = plan->free;
    double finish;

    for (int a = 0; a < plan->members && !only_free; a++)
        spare += plan->member[a].now - plan->model->rate[plan->member[a].task].least;
    for (int a = 0; a < plan->members; a++) {
        struct cs_malleable_member *m = &plan->member[a];
        const int least = only_free ? m->now : plan->model->rate[m->task].least;

        if (m->finish < limit)
            continue;
        cs_malleable_look(plan, m);
        if (!cs_malleable_first(plan, m, least, (only_free ? m->now : least) + spare, limit,
                                &finish))
            return false;
    }
    return true;
}
