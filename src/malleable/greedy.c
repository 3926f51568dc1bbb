/* greedy.c - Algorithm 5: all processors dealt again, one jump after the other.
 *
 * As written, everybody begins with two processors and the member that would end last climbs, jump
 * by jump, until it cannot.  So those that would end after T climb before any that would end by T:
 * if the fewest processors with which all end by T are enough together, the greedy comes to exactly
 * that state, and can begin there.  T is first the latest finish if nothing changes: mostly nobody
 * can end by then with fewer processors, and nothing is left to do.  If much is left to hand out,
 * an estimate of the best T saves most of the climb.
 */
#include "malleable/plan.h"

/* Known without a look at what is left. */
static bool is_refused(const struct cs_malleable_plan *plan, const struct cs_malleable_member *m,
                       double limit)
{
    const struct cs_malleable_refusal *fewer = m->running ? &m->running->fewer : NULL;

    return fewer && plan->time <= fewer->until &&
           fewer->fixed + fewer->rise * plan->time > limit * (1 + 1e-9) && m->finish < limit;
}

/* The fewest processors with which everybody ends by `latest`, which all do with what they have;
 * returns how many are left. */
static int begin(struct cs_malleable_plan *plan, double latest)
{
    const double limit = nextafter(latest, INFINITY);
    int left = plan->free;

    for (int a = 0; a < plan->members; a++) {
        struct cs_malleable_member *m = &plan->member[a];
        const int least = plan->model->rate[m->task].least;
        int k = 0;

        m->share = m->now;
        m->expected = m->finish;
        if (is_refused(plan, m, limit))
            continue;
        cs_malleable_look(plan, m);
        if (least < m->now && !cs_malleable_hopeless(plan, m, least, m->now - 2, limit))
            k = cs_malleable_first(plan, m, least, m->now - 2, limit, &m->expected);
        if (k == 0 && m->finish < limit) {
            k = m->now;
            m->expected = m->finish;
        } else if (k == 0) {
            k = least;
            m->expected = cs_malleable_finish(plan, m, least);
        }
        m->share = k;
        left += m->now - k;
    }
    return left;
}

/* The same for an earlier time; -1 when the processors are not enough. */
static int begin_early(struct cs_malleable_plan *plan, double latest, int all)
{
    const double limit = nextafter(latest, INFINITY);
    int left = all;

    for (int a = 0; a < plan->members; a++)
        left -= plan->model->rate[plan->member[a].task].least;
    for (int a = 0; a < plan->members; a++) {
        struct cs_malleable_member *m = &plan->member[a];
        const int least = plan->model->rate[m->task].least;
        int k;

        cs_malleable_look(plan, m);
        k = cs_malleable_first(plan, m, least, least + left, limit, &m->expected);
        if (k == 0)
            return -1;
        m->share = k;
        left -= k - least;
    }
    return left;
}

/* About how many processors a member needs to end by a time: (a + b / k) + base, as if floors were
 * half a checkpoint higher. */
struct guess {
    double fixed, shared, each, data, finish;
    int now;
};

static struct guess guess_of(const struct cs_malleable_plan *plan,
                             const struct cs_malleable_member *m)
{
    const struct cs_malleable_rate *rate = &plan->model->rate[m->task];
    const struct cs_malleable_floor floor = cs_malleable_floor_of(rate, m->alpha);
    double shared = floor.shared + rate->checkpoint + rate->deficit / 2;

    if (floor.measured)
        shared += floor.scale * m->now * cs_moldable_time(floor.measured, 0, m->now);
    return (struct guess){
        m->base + floor.fixed, shared, rate->data / m->now, rate->data, m->finish, m->now};
}

static double need(const struct guess *g, double time)
{
    const double room = time - g->fixed, less = room - g->each;
    double k = less > 0 ? g->shared / less : INFINITY;

    if (!(k < g->now))
        k = g->finish <= time ? g->now : room > 0 ? (g->shared + g->data) / room : INFINITY;
    return k < 2 ? 2 : k + 1;
}

#define HALVINGS 12

/* About the earliest time by which `all` processors let everybody end. */
static double guess_time(struct cs_malleable_plan *plan, int all, double latest)
{
    const struct cs_arena_mark mark = cs_arena_mark(plan->scratch);
    struct guess *guess = CS_NEW_ARRAY(plan->scratch, struct guess, plan->members);
    double low = plan->time, high = latest;

    for (int a = 0; a < plan->members; a++) {
        cs_malleable_look(plan, &plan->member[a]);
        guess[a] = guess_of(plan, &plan->member[a]);
    }
    for (int h = 0; h < HALVINGS; h++) {
        const double middle = low + (high - low) / 2;
        double sum = 0;

        for (int a = 0; a < plan->members && sum <= all; a++)
            sum += need(&guess[a], middle);
        if (sum <= all)
            high = middle;
        else
            low = middle;
    }
    cs_arena_rewind(plan->scratch, mark);
    return high;
}

/* From a time between the best one and `latest`, if one is found at the first tries. */
static int begin_near(struct cs_malleable_plan *plan, double latest, int left)
{
    static const double above[] = {1. / 64, 1. / 8, 1. / 2};
    int all = left;
    double best;

    for (int a = 0; a < plan->members; a++)
        all += plan->member[a].share;
    best = guess_time(plan, all, latest);
    for (int t = 0; t < 3; t++) {
        const int early = begin_early(plan, best + above[t] * (latest - best), all);

        if (early >= 0)
            return early;
    }
    return begin(plan, latest);
}

static int last_member(const struct cs_malleable_plan *plan)
{
    int last = 0;

    for (int a = 1; a < plan->members; a++)
        if (plan->member[a].expected > plan->member[last].expected)
            last = a;
    return last;
}

static void climb(struct cs_malleable_plan *plan, int left)
{
    struct cs_heap *last = plan->heap;

    cs_heap_reset(last);
    for (int a = 0; a < plan->members; a++)
        cs_heap_append(last, a, -plan->member[a].expected);
    cs_heap_order(last);
    while (left >= 2) {
        struct cs_malleable_member *m = &plan->member[cs_heap_top(last)];
        double finish;
        int k;

        cs_malleable_look(plan, m);
        k = cs_malleable_gain(plan, m, left, &finish);
        if (k == 0)
            break;
        left -= k - m->share;
        m->share = k;
        m->expected = finish;
        cs_heap_update(last, cs_heap_top(last), -finish);
    }
}

void cs_malleable_greedy(struct cs_malleable_plan *plan)
{
    const double latest = cs_malleable_latest(plan);
    int left = begin(plan, latest);
    struct cs_malleable_member *last = &plan->member[last_member(plan)];
    double finish;

    if (left < 2)
        return;
    cs_malleable_look(plan, last);
    if (!cs_malleable_gain(plan, last, left, &finish))
        return;
    if (left > 3 * plan->members && isfinite(latest))
        left = begin_near(plan, latest, left);
    climb(plan, left);
}
