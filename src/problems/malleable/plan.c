/* plan.c - gains, and the filters that keep plans from moving too much.
 *
 * Source: spec/malleable.md 6 (F and gain) and part II, section 2 (hysteresis, minimal
 * disruption).
 *
 * Idea: find the smallest even k with F(k) below a limit, where F is expensive and not monotone.
 * A floor of F that falls with k forbids most k for the price of a division; each k that fails
 * gives a better floor for all that is larger.  Equation (9) is a + b / k on each of its
 * stretches, so that the floor stays a hyperbola there.
 *
 * Invariants: the search returns the k of the plain scan: a floor only skips k that cannot do.
 * Before a decision each member has share = now; policies keep plan->expected[row] = F(share);
 * minimal disruption never makes the largest F larger and never uses more than the free
 * processors.
 *
 * Complexity: gathering O(n); a search O(1) for each k that the floor allows, with measured
 * times O(high - low); minimal disruption O(n + m log m) for m changed members.
 *
 * | constant | value | unit | how found | at half, at double |
 * |----------|-------|------|-----------|--------------------|
 * | MORE, LESS | 1 + 1e-12, 1 - 1e-12 | ratio | margin above the rounding of F | not measured |
 */
#include "problems/malleable/plan.h"
#include "base/order.h"

#include <string.h>

void cs_malleable_plan_init(struct cs_malleable_plan *plan, int tasks, struct cs_arena *arena)
{
    *plan = (struct cs_malleable_plan){
        .member = CS_NEW_ARRAY(arena, struct cs_malleable_member, tasks),
        .met = CS_NEW_ARRAY(arena, uint64_t, tasks / 64 + 1),
        .floor = CS_NEW_ARRAY(arena, double, tasks),
        .row = CS_NEW_ARRAY(arena, int, tasks + 1),
        .scratch = arena,
    };
    cs_tournament_init(&plan->last, tasks, arena);
    cs_tournament_init(&plan->queue, tasks, arena);
}

void cs_malleable_plan_gather(struct cs_malleable_plan *plan, double time, int faulty, bool wake)
{
    const struct cs_malleable_rows *rows = plan->rows;
    const double back = faulty >= 0 ? plan->state[faulty].start : -INFINITY;

    plan->time = time;
    plan->expected = cs_tournament_begin(&plan->last, rows->count);
    cs_malleable_rows_members(rows, wake ? nextafter(time, INFINITY) : time, back, plan->expected);
    plan->faulty = faulty >= 0 ? rows->row[faulty] : -1;
    if (faulty >= 0)
        plan->expected[plan->faulty] = plan->state[faulty].expected_finish;
    plan->latest = cs_malleable_rows_largest(plan->expected, rows->count);
    memset(plan->met, 0, ((size_t)rows->count / 64 + 1) * sizeof *plan->met);
}

struct cs_malleable_progress cs_malleable_pattern_progress(const struct cs_malleable_running *run,
                                                           double seconds)
{
    const struct cs_pattern_layout *l = &run->layout;
    const struct cs_pattern_place place = cs_pattern_find(l, run->done, seconds);
    const double chunk = cs_pattern_of(l, place.segment)->work;
    const bool computes = place.chunks < cs_pattern_of(l, place.segment)->chunks;
    struct cs_malleable_progress p = {
        .saved = cs_pattern_work_before(l, place.segment) - cs_pattern_work_before(l, run->done),
        .segment = place.segment,
        .chunks = place.chunks,
        .partial = computes ? cs_malleable_smaller(place.rest, chunk) : 0,
        .rest = place.rest + place.chunks * (chunk + l->costs.verification),
    };

    p.work = p.chunks * chunk + (l->costs.silent > 0 ? 0 : p.partial);
    return p;
}

void cs_malleable_plan_introduce(struct cs_malleable_plan *plan, int a)
{
    const int task = plan->rows->task[a];
    const struct cs_malleable_state *state = &plan->state[task];
    const struct cs_malleable_running *run = &plan->running[task];
    struct cs_malleable_member *m = &plan->member[a];

    *m = (struct cs_malleable_member){
        .task = task,
        .now = state->procs,
        .share = state->procs,
        .alpha = state->alpha,
        .base = plan->time,
        .finish = state->expected_finish,
    };
    if (a == plan->faulty) {
        m->base = run->recovered;
    } else {
        const struct cs_malleable_progress p = cs_malleable_progress(run, state->start, plan->time);

        m->alpha = cs_malleable_live(run, &p, state->alpha);
        if (p.periods > plan->rows->column[CS_ROW_PERIODS][a])
            cs_malleable_rows_advance(plan->rows, a, &plan->model->rate[task], p.periods,
                                      cs_malleable_saved(run, &p, state->alpha),
                                      state->start + p.periods * run->period);
    }
    m->floor = cs_malleable_floor_of(&plan->model->rate[task], m->alpha);
    plan->met[a / 64] |= UINT64_C(1) << (a % 64);
}

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

static int plan_even(double k)
{
    return 2 * (int)ceil(k / 2);
}

/* The first even k in low .. high with b / k <= room, or 0. */
static int first_hyperbola(double room, double b, int low, int high)
{
    if (b <= room * low)
        return low;
    if (!(room > 0) || b * LESS > room * high)
        return 0;
    return plan_even(cs_malleable_smaller(b / room * LESS, high));
}

static int first_measured(const struct cs_malleable_floor *floor, double room, double b, int low,
                          int high)
{
    for (int k = low; k <= high; k += 2)
        if (b / k + floor->scale * cs_moldable_time(floor->measured, 0, k) <= room)
            return k;
    return 0;
}

/* The first that the floor allows, where a move takes a + b / k. */
static int first_allowed(const struct search *s, double a, double b, int low, int high)
{
    const struct cs_malleable_floor *floor = &s->floor;
    const double room = s->limit * MORE - (s->m->base + a + floor->fixed);
    const double shared = s->rate->checkpoint + b + floor->shared;

    if (low > high)
        return 0;
    return floor->measured ? first_measured(floor, room, shared, low, high)
                           : first_hyperbola(room, shared, low, high);
}

/* Of k processors, with the sum in Equation (4): the floor for more of them. */
static void raise_floor(struct search *s, int k, double sum)
{
    const struct cs_malleable_model *model = s->plan->model;
    const double rise = s->rate->again * s->m->alpha, all = s->rate->again * model->mtbf * sum;

    if (!model->failing || model->tail || model->form || !isfinite(all))
        return;
    if (s->rate->measured) {
        s->floor.scale = rise;
        s->floor.shared = all - rise * k * cs_moldable_time(s->rate->measured, 0, k);
        return;
    }
    s->floor.fixed = rise * s->rate->fixed + model->lambda * model->downtime * all;
    s->floor.shared = all - rise * s->rate->fixed * k;
}

/* tR(k), and the sum in it. */
static double expected_on(const struct search *s, int k, double *sum)
{
    const struct cs_malleable_model *model = s->plan->model;
    const double alpha = s->m->alpha;
    struct cs_malleable_pieces p;

    *sum = 0;
    if (!model->failing || !(alpha > 0))
        return alpha > 0 ? alpha * cs_malleable_rate_time(s->rate, k) : 0;
    if (model->form)
        return cs_malleable_model_expected(model, s->m->task, k, alpha);
    p = cs_malleable_model_pieces(model, s->m->task, k, alpha);
    *sum = cs_malleable_model_sum(model, s->m->task, k, &p);
    return cs_malleable_model_product(model, s->m->task, k, *sum);
}

static int first_on(struct search *s, double a, double b, int low, int high, double *finish)
{
    int k = low;

    while ((k = first_allowed(s, a, b, k, high)) > 0) {
        double sum;
        const double expected = expected_on(s, k, &sum);

        *finish = s->m->base + cs_malleable_rate_move(s->rate, s->m->now, k) +
                  s->rate->checkpoint / k + expected;
        if (*finish < s->limit)
            return k;
        raise_floor(s, k, sum);
        k += 2;
    }
    return 0;
}

static int first_fewer(struct search *s, int low, int high, double *finish)
{
    const int now = s->m->now, half = (now + 3) / 4 * 2;
    const double d = s->rate->data, each = d / now;
    int k = 0;

    if (low < half)
        k = first_on(s, -each, d, low, high < half ? high : half - 2, finish);
    if (k == 0 && high >= half)
        k = first_on(s, each, 0, low > half ? low : half, high, finish);
    return k;
}

static int first_more(struct search *s, int low, int high, double *finish)
{
    const int now = s->m->now, twice = now <= high / 2 ? 2 * now : high;
    const double d = s->rate->data;
    int k = 0;

    if (low <= twice)
        k = first_on(s, 0, d, low, twice, finish);
    if (k == 0 && high > twice)
        k = first_on(s, d / now, -d, low > twice ? low : twice + 2, high, finish);
    return k;
}

int cs_malleable_first(const struct cs_malleable_plan *plan, const struct cs_malleable_member *m,
                       int low, int high, double limit, double *finish)
{
    const struct cs_malleable_rate *rate = &plan->model->rate[m->task];
    const int now = m->now;
    struct search s = {plan, m, rate, m->floor, limit};
    int k = 0;

    if (low < now)
        k = first_fewer(&s, low, high < now ? high : now - 2, finish);
    if (k == 0 && low <= now && now <= high && m->finish < limit) {
        *finish = m->finish;
        return now;
    }
    if (k == 0 && high > now)
        k = first_more(&s, low > now ? low : now + 2, high, finish);
    return k;
}

int cs_malleable_gain(const struct cs_malleable_plan *plan, const struct cs_malleable_member *m,
                      double expected, double next, int most, double *finish)
{
    const int high = m->share + most;
    int k = cs_malleable_first(plan, m, m->share + 2, high, expected, finish);
    double later;
    int far;

    if (k == 0 || *finish <= next)
        return k;
    far = cs_malleable_first(plan, m, k + 2, high, next, &later);
    if (far) {
        *finish = later;
        return far;
    }
    while ((far = cs_malleable_first(plan, m, k + 2, high, *finish, &later)) > 0) {
        k = far;
        *finish = later;
    }
    return k;
}

void cs_malleable_disrupt_less(struct cs_malleable_plan *plan)
{
    const struct cs_arena_mark mark = cs_arena_mark(plan->scratch);
    double *extra = CS_NEW_ARRAY(plan->scratch, double, plan->rows->count);
    int *order = CS_NEW_ARRAY(plan->scratch, int, plan->rows->count);
    const double latest = cs_malleable_rows_largest(plan->expected, plan->rows->count);
    int left = plan->free, some = 0;

    for (int a = cs_malleable_next_met(plan, 0); a >= 0; a = cs_malleable_next_met(plan, a + 1)) {
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
        plan->expected[order[c]] = m->finish;
    }
    cs_arena_rewind(plan->scratch, mark);
}

bool cs_malleable_worthwhile(const struct cs_malleable_plan *plan, double share)
{
    const double after = cs_malleable_rows_largest(plan->expected, plan->rows->count);

    return plan->latest - after > share * (plan->latest - plan->time);
}

/* A member ends at `limit` or later; can it end before, with so many more processors than it has or
 * than it needs at least? */
static bool can_end(struct cs_malleable_plan *plan, int a, int spare, double limit, bool only_free)
{
    struct cs_malleable_member *m = cs_malleable_meet(plan, a);
    const int least = only_free ? m->now : plan->model->rate[m->task].least;
    double finish;

    return cs_malleable_first(plan, m, least, least + spare, limit, &finish);
}

bool cs_malleable_conceivable(struct cs_malleable_plan *plan, double share, bool only_free)
{
    const struct cs_malleable_rows *rows = plan->rows;
    const double limit = (plan->latest - share * (plan->latest - plan->time)) * MORE;
    int spare = plan->free;

    for (int a = 0; a < rows->count && !only_free; a++)
        if (plan->expected[a] > -INFINITY)
            spare += (int)rows->column[CS_ROW_PROCS][a] - plan->model->rate[rows->task[a]].least;
    for (int a = 0; a < rows->count; a++)
        if (plan->expected[a] >= limit && !can_end(plan, a, spare, limit, only_free))
            return false;
    return true;
}
