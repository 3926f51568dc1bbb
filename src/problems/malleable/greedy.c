/* greedy.c - Algorithm 5: all processors dealt again, one jump after the other.
 *
 * Source: the paper, Algorithm 5 (IteratedGreedy) and section 5.2 (EndGreedy); spec/malleable.md
 * 7.
 *
 * Idea: as written, all members begin with two processors and the member that would end last
 * climbs, jump by jump, until it cannot.  So those that would end after T climb before any that
 * would end by T: if the fewest processors with which all end by T are enough together, the
 * greedy comes to exactly that state, and can begin there.  T is first the latest finish if no
 * allocation changes: mostly no member can end by then with fewer processors, and the plan is
 * complete.  If much is left to assign, as after a failure, a guess of the best T saves most of
 * the climb.
 *
 * Invariants: `left` is the number of free processors after the shares so far, and is not
 * negative when the climb begins; the climb begins in a state that the climb from two would
 * reach, so the result does not depend on the guess.  Ties: the lower row.
 *
 * Complexity: O(n) for floors and shares of one T, at most TRIES + 2 values of T; then O(log n)
 * and one search (plan.c) for each jump of the climb.
 *
 * The constants below only decide how much time a plan takes (bench/README.md, "Malleable tasks,
 * as measured": with and without the guess results are the same to the last bit).
 *
 * | constant | value | unit | effect | at half, at double |
 * |----------|-------|------|----------------|--------------------|
 * | STEPS | 8 | evaluations | one guess of T by interpolation | not measured |
 * | NEAR | 4 | processors | a guess whose need is so close is taken | not measured |
 * | TRIES | 4 | values of T | exact starts before the climb | not measured |
 * | SPARE | 8 | processors | margin of a guess, left to the climb | not measured |
 * | 3 * count | 3 | processors per row | at most so many left: no guess | not measured |
 * | 1 / 16, 0.9 | - | share of the bracket | the next T when a guess fails | not measured |
 * | 0.49 | 0.49 | pairs | rounds a need up to pairs | not measured |
 * | TINY | 1e-300 | s | keeps a division by zero out of the columns | not measured |
 */
#include "problems/malleable/plan.h"
#include "problems/malleable/policy.h"

/* All processors dealt again when a task ends: Algorithm 5 without a failed task.
 *
 * Source: the paper, section 5.2 (EndGreedy); spec/malleable.md 7.  Idea, invariants, complexity
 * and constants are those of greedy.c.
 */

const struct cs_malleable_policy cs_malleable_end_greedy = {
    .info =
        {
            .name = "greedy",
            .problem = "malleable",
            .summary = "when a task ends: all processors are dealt again",
            .source = "Benoit, Pottier, Robert, Inria RR-8795, section 5.2 (EndGreedy)",
            .aliases = "end-greedy|eg",
        },
    .greedy = true,
    .decide = cs_malleable_greedy,
};

/* Algorithm 5: all processors dealt again when a failure makes a task the
 * longest.
 *
 * Source: the paper, Algorithm 5 (IteratedGreedy); spec/malleable.md 7, gaps A11, A15 and A26.
 * Idea, invariants, complexity and constants are those of greedy.c; that data of the failed task
 * move only after downtime and recovery is in `base` of its member (plan.h).
 */

const struct cs_malleable_policy cs_malleable_failure_greedy = {
    .info =
        {
            .name = "iterated-greedy",
            .problem = "malleable",
            .summary = "after a failure: all processors are dealt again",
            .source = "Benoit, Pottier, Robert, Inria RR-8795, Algorithm 5 (IteratedGreedy)",
            .aliases = "ig",
        },
    .greedy = true,
    .decide = cs_malleable_greedy,
};

/* Columns of members, and the time at which their needs meet the processors that exist: the need
 * is about a / (time - b), so that one over it is nearly a straight line. */

struct cs_malleable_guess {
    int members, all; /* all: processors that there are */
    double *fixed, *each, *shared, *data, *now, *finish, *need;
};

/* Without members yet; in the scratch of the plan. */
static struct cs_malleable_guess malleable_guess_create(const struct cs_malleable_plan *plan)
{
    const int count = plan->rows->count;
    double *column = CS_NEW_ARRAY(plan->scratch, double, 7 * count);

    return (struct cs_malleable_guess){
        .all = plan->free,
        .fixed = column,
        .each = column + count,
        .shared = column + 2 * count,
        .data = column + 3 * count,
        .now = column + 4 * count,
        .finish = column + 5 * count,
        .need = column + 6 * count,
    };
}

static void malleable_guess_add(struct cs_malleable_guess *g, const struct cs_malleable_plan *plan,
                                const struct cs_malleable_member *m)
{
    const struct cs_malleable_rate *rate = &plan->model->rate[m->task];
    const int a = g->members++;

    g->fixed[a] = m->base + m->floor.fixed;
    g->each[a] = rate->data / m->now;
    g->shared[a] = m->floor.shared + rate->checkpoint + rate->deficit / 2;
    if (m->floor.measured)
        g->shared[a] += m->floor.scale * m->now * cs_moldable_time(m->floor.measured, 0, m->now);
    g->data[a] = rate->data;
    g->now[a] = m->now;
    g->finish[a] = m->finish;
    g->all += m->now;
}

#define ROUND 0x1.8p52
#define TINY 1e-300

static double sum_of(const double *number, int count)
{
    double sum[4] = {0};
    int at = 0;

    for (; at + 4 <= count; at += 4)
        for (int r = 0; r < 4; r++)
            sum[r] += number[at + r];
    for (; at < count; at++)
        sum[0] += number[at];
    return sum[0] + sum[1] + (sum[2] + sum[3]);
}

/* The sum of about how many processors all need. */
static double malleable_guess_need(const struct cs_malleable_guess *g, double time)
{
    const double *restrict fixed = g->fixed, *restrict each = g->each, *restrict data = g->data;
    const double *restrict shared = g->shared, *restrict now = g->now, *restrict finish = g->finish;
    const int members = g->members;
    double *restrict out = g->need;

    for (int a = 0; a < members; a++) {
        const double room = cs_malleable_larger(time - fixed[a], TINY);
        const double less = cs_malleable_larger(room - each[a], TINY);
        const double fewer = shared[a] / less, more = (shared[a] + data[a]) / room;
        const double same = now[a];
        const double other = finish[a] <= time ? same : more;
        const double k = fewer < same ? fewer : other;

        out[a] = cs_malleable_larger(2 * (k * 0.5 + 0.49 + ROUND - ROUND), 2);
    }
    return sum_of(out, g->members);
}

#define STEPS 8
#define NEAR 4

/* About the earliest time, after `early` and up to `latest`, by which so many processors let
 * all members end. */
static double malleable_guess_time(const struct cs_malleable_guess *g, double early, double latest,
                                   double procs)
{
    double low = early, high = latest, below = 0, above = 1 / malleable_guess_need(g, high);

    for (int h = 0; h < STEPS; h++) {
        const double part = (1 / procs - below) / (above - below);
        const double time = low + (high - low) * part;
        double one;

        if (!(time > low && time < high))
            break;
        one = 1 / malleable_guess_need(g, time);
        if (one * procs >= 1) {
            high = time;
            above = one;
            if (one * (procs - NEAR) <= 1)
                break;
        } else {
            low = time;
            below = one;
        }
    }
    return high;
}

/* The members that may end before `limit` with fewer processors, or do not with their present
 * ones, into plan->row; returns how many.  The others keep their processors. */
static int greedy_call(struct cs_malleable_plan *plan, double limit)
{
    const double *expected = plan->expected, *floor = plan->floor;
    const int count = plan->rows->count;
    int some = 0, *row = plan->row;

    cs_malleable_rows_floor_fewer(plan->rows, plan->time, plan->floor);
    if (plan->faulty >= 0)
        plan->floor[plan->faulty] = -INFINITY;
    for (int a = 0; a < count; a++) {
        row[some] = a;
        some += (expected[a] >= limit) | ((expected[a] > -INFINITY) & !(floor[a] >= limit));
    }
    return some;
}

/* The fewest processors, up to `most`, with which a member ends before `limit`; if none do, the
 * fewest of all.  Returns whether some do. */
static bool greedy_settle(struct cs_malleable_plan *plan, int a, int most, double limit)
{
    struct cs_malleable_member *m = cs_malleable_meet(plan, a);
    const int least = plan->model->rate[m->task].least;

    m->share = cs_malleable_first(plan, m, least, most, limit, &plan->expected[a]);
    if (m->share)
        return true;
    m->share = least;
    plan->expected[a] = cs_malleable_finish(plan, m, least);
    return false;
}

/* The fewest processors with which all members end by `latest`, which all do with their present
 * ones; returns how many are left. */
static int greedy_begin(struct cs_malleable_plan *plan, double latest)
{
    const double limit = nextafter(latest, INFINITY);
    const int some = greedy_call(plan, limit), *row = plan->row;
    int left = plan->free;

    for (int c = 0; c < some; c++) {
        const struct cs_malleable_member *m = cs_malleable_meet(plan, row[c]);

        greedy_settle(plan, row[c], m->now, limit);
        left += m->now - m->share;
    }
    return left;
}

/* All members have their present processors again. */
static void greedy_reset(struct cs_malleable_plan *plan)
{
    for (int a = cs_malleable_next_met(plan, 0); a >= 0; a = cs_malleable_next_met(plan, a + 1)) {
        plan->member[a].share = plan->member[a].now;
        plan->expected[a] = plan->member[a].finish;
    }
}

/* The same for an earlier time, if `all` processors are enough; otherwise how many more it takes,
 * negative, or about that. */
static int begin_early(struct cs_malleable_plan *plan, double latest, int all)
{
    const double limit = nextafter(latest, INFINITY);
    const int *row = plan->row;
    int left = plan->free, some;

    greedy_reset(plan);
    some = greedy_call(plan, limit);
    for (int c = 0; c < some; c++) {
        const struct cs_malleable_member *m = cs_malleable_meet(plan, row[c]);

        if (!greedy_settle(plan, row[c], all, limit))
            return -all;
        left += m->now - m->share;
    }
    return left;
}

#define TRIES 4
#define SPARE 8

/* A bracket of the best time: at `low` some processors are missing, at `high` some are left; -1:
 * how many is not known. */
struct bracket {
    double low, high;
    int missing, left;
};

static void greedy_tighten(struct bracket *b, double time, int left)
{
    if (left < 0) {
        b->low = time;
        b->missing = -left;
    } else {
        b->high = time;
        b->left = left;
    }
}

/* A better time, when `off` is by how much the guess was wrong at the last one. */
static double next_time(const struct bracket *b, const struct cs_malleable_guess *g, double off)
{
    const double length = b->high - b->low;

    if (b->missing >= g->all)
        return b->low + length / 16;
    if (b->missing > 0 && b->left >= 0)
        return b->low + length * fmin(0.9, (b->missing + SPARE) / (double)(b->missing + b->left));
    return malleable_guess_time(g, b->low, b->high, g->all - off - SPARE);
}

/* From a time between the best one and `latest`, where `left` processors are left; -1: not
 * known. */
static int begin_near(struct cs_malleable_plan *plan, double latest, int left)
{
    const struct cs_arena_mark mark = cs_arena_mark(plan->scratch);
    struct cs_malleable_guess g = malleable_guess_create(plan);
    struct bracket b = {plan->time, latest, -1, left};
    double off = 0;

    for (int a = 0; a < plan->rows->count; a++)
        if (plan->expected[a] > -INFINITY)
            malleable_guess_add(&g, plan, cs_malleable_meet(plan, a));
    if (left >= 0)
        off = g.all - left - malleable_guess_need(&g, latest);
    for (int t = 0; t < TRIES && (left < 0 || left > plan->rows->count); t++) {
        const double time = next_time(&b, &g, off);

        if (!(time < b.high))
            break;
        left = begin_early(plan, time, g.all);
        greedy_tighten(&b, time, left);
        off = g.all - left - malleable_guess_need(&g, time);
    }
    if (left < 0)
        left = begin_early(plan, b.high, g.all);
    cs_arena_rewind(plan->scratch, mark);
    return left;
}

/* The row of the largest expected finish; ties: the lower row. */
static int last_of(const struct cs_malleable_plan *plan)
{
    const double latest = cs_malleable_rows_largest(plan->expected, plan->rows->count);
    int a = 0;

    while (plan->expected[a] < latest)
        a++;
    return a;
}

/* Another jump of member a, which is the last; returns what is then left, 0 without a gain. */
static int greedy_jump(struct cs_malleable_plan *plan, int a, double next, int left)
{
    struct cs_malleable_member *m = cs_malleable_meet(plan, a);
    double finish;
    const int k = cs_malleable_gain(plan, m, plan->expected[a], next, left, &finish);

    if (k == 0)
        return 0;
    left -= k - m->share;
    m->share = k;
    plan->expected[a] = finish;
    return left;
}

/* Give the processors that are left to the member that is last, one jump at a time.  Mostly the
 * first of these members gains nothing. */
static void greedy_climb(struct cs_malleable_plan *plan, int left)
{
    if (left >= 2)
        left = greedy_jump(plan, last_of(plan), INFINITY, left);
    if (left < 2)
        return;
    cs_tournament_play(&plan->last);
    do {
        const int a = cs_tournament_winner(&plan->last);

        left = greedy_jump(plan, a, cs_tournament_largest_but(&plan->last, a), left);
        cs_tournament_set(&plan->last, a, plan->expected[a]);
    } while (left >= 2);
}

/* Does the last one gain anything? */
static bool can_climb(struct cs_malleable_plan *plan, int left)
{
    const int a = last_of(plan);
    const struct cs_malleable_member *m = cs_malleable_meet(plan, a);
    double finish;

    return cs_malleable_first(plan, m, m->share + 2, m->share + left, plan->expected[a], &finish);
}

void cs_malleable_greedy(struct cs_malleable_plan *plan)
{
    int left;

    if (plan->faulty >= 0 && isfinite(plan->latest)) {
        left = begin_near(plan, plan->latest, -1);
    } else {
        left = greedy_begin(plan, plan->latest);
        if (left > 3 * plan->rows->count && isfinite(plan->latest) && can_climb(plan, left))
            left = begin_near(plan, plan->latest, left);
    }
    greedy_climb(plan, left);
}
