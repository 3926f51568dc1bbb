/* table.c - least expected cost by dynamic programming, and the clairvoyant cost.
 *
 * Source: spec/volatile.md III.6 (`table`, bound).
 * Idea: the state is r ticks left to the deadline, c ticks of work and change-over left, the phase
 * of spot (away or available, young or old) and the mode; V(r, c, phase, mode) is the least price
 * of this tick plus the expected V of the next.  The clairvoyant cost is the same without chance.
 * Invariants: V = 0 at c = 0 and infinite at r = 0 with c > 0; choices that could be late are not
 * allowed; ties (CLOSE) go to the first of idle, spot, on demand.
 * Complexity: O(deadline (work + change)) states of 12 entries; only two layers of costs are kept,
 * and choices take two bits each, 4 bytes for each r and c.  III.6 measured 0.16 s for 12 million
 * states in the reference code, and that the table saves 36 to 85 % of the cost of `uniform` above
 * the clairvoyant one (docs/papers.md: 29 % with other starts, where time is short).  Longer ticks
 * reduce the time by the square.
 *
 * Constants (half and double: not measured):
 *   CLOSE       1e-12  price: a smaller difference is a tie (III.6)
 *   HOPELESS    1e6    prices on demand, the cost of an end that is late (III.6)
 *   MOST_STATES 2^28   pairs of r and c (1 GiB of choices); above it the table is rejected
 */
#include "problems/spot/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define CLOSE 1e-12
#define HOPELESS 1e6         /* prices on demand of what cannot end in time */
#define NO_PROMISE INT64_MAX /* for a policy that knows that the job will end */
#define MOST_STATES ((int64_t)1 << 28)

/* Costs of the states of one tick, by c. */
struct costs {
    double at[CS_SPOT_PHASES][CS_SPOT_MODES];
};

struct cs_spot_table {
    const struct cs_spot_job *job;
    int64_t most;           /* c, at most */
    const uint32_t *choice; /* by r and c: two bits for each phase and mode */
    struct costs first;     /* of the beginning */
};

/* The value of c after a choice. */
static int64_t left_of(const struct cs_spot_job *job, int64_t c, enum cs_spot_mode mode,
                       enum cs_spot_mode choice)
{
    if (choice == CS_SPOT_IDLE)
        return c;
    c += choice != mode ? job->change : 0;
    return (c < job->work + job->change ? c : job->work + job->change) - 1;
}

/* A tick: the phase that it shows, the price of spot, and what the states of the next one cost.
 * After it there are so many ticks in which the job must be able to end on demand. */
struct tick {
    const struct cs_spot_job *job;
    const struct costs *next;
    int phase;
    double spot;
    int64_t after;
};

/* The choice of least cost. */
static enum cs_spot_mode table_best(const struct tick *t, int64_t c, enum cs_spot_mode mode,
                                    double *cost)
{
    const struct cs_spot_job *job = t->job;
    bool there = t->phase >= 2;
    enum cs_spot_mode chosen = CS_SPOT_IDLE;

    if (mode == CS_SPOT_SPOT && !there)
        mode = CS_SPOT_IDLE;
    *cost = INFINITY;
    for (int k = CS_SPOT_IDLE; k <= CS_SPOT_DEMAND; k++) {
        int64_t left = left_of(job, c, mode, (enum cs_spot_mode)k);
        double value = t->next[left].at[t->phase][k];

        if (k == CS_SPOT_SPOT && !there)
            continue;
        if (k != CS_SPOT_DEMAND && left > 0 && t->after < left + job->change)
            continue;
        if (k == CS_SPOT_SPOT)
            value += t->spot;
        if (k == CS_SPOT_DEMAND)
            value = isinf(value) ? HOPELESS * job->demand : value + job->demand;
        if (value < *cost - CLOSE || (isinf(*cost) && !isinf(value))) {
            *cost = value;
            chosen = (enum cs_spot_mode)k;
        }
    }
    return chosen;
}

static void end_costs(struct costs *costs, int64_t most)
{
    for (int64_t c = 0; c <= most; c++)
        for (int p = 0; p < CS_SPOT_PHASES; p++)
            for (int k = 0; k < CS_SPOT_MODES; k++)
                costs[c].at[p][k] = c ? INFINITY : 0;
}

/* Seen from the tick before, in each of its phases. */
static struct costs table_expect(const struct costs *v, const struct cs_spot_phases *phases)
{
    struct costs e;

    for (int p = 0; p < CS_SPOT_PHASES; p++) {
        double end = phases->end[p / 2][p % 2];
        double grow = p % 2 ? 0 : (1 - end) * phases->grow;

        for (int k = 0; k < CS_SPOT_MODES; k++) {
            double other = v->at[2 * !(p / 2)][k], same = v->at[p][k];

            e.at[p][k] = isinf(same) ? same : end * other + (1 - end - grow) * same;
            if (!isinf(same) && grow > 0)
                e.at[p][k] += grow * v->at[p + 1][k];
        }
    }
    return e;
}

static struct costs table_fill(const struct cs_spot_job *job, const struct cs_spot_phases *phases,
                               struct costs *now, struct costs *next, uint32_t *choice)
{
    int64_t most = job->work + job->change;

    end_costs(now, most);
    for (int64_t r = 1; r <= job->deadline; r++) {
        uint32_t *row = choice + (r - 1) * (most + 1);

        for (int64_t c = 0; c <= most; c++)
            next[c] = table_expect(&now[c], phases);
        for (int64_t c = 1; c <= most; c++)
            for (int i = 0; i < CS_SPOT_PHASES * CS_SPOT_MODES; i++) {
                const struct tick tick = {job, next, i / CS_SPOT_MODES, job->spot, r - 1};
                int mode = i % CS_SPOT_MODES;

                row[c] |= (uint32_t)table_best(&tick, c, (enum cs_spot_mode)mode,
                                               &now[c].at[tick.phase][mode])
                          << 2 * i;
            }
    }
    return now[job->work];
}

struct cs_spot_table *cs_spot_table_create(const struct cs_spot_job *job,
                                           const struct cs_spot_phases *phases,
                                           struct cs_arena *arena, struct cs_error *err)
{
    int64_t most = job->work + job->change, states;
    struct cs_arena *scratch;
    struct cs_spot_table *table;
    uint32_t *choice;

    if (job->deadline > MOST_STATES / (most + 1)) {
        cs_error_set(err,
                     "a table of %" PRId64 " ticks to the deadline and %" PRId64
                     " of work is too large: take longer ticks",
                     job->deadline, job->work);
        return NULL;
    }
    states = job->deadline * (most + 1);
    scratch = cs_arena_create();
    table = CS_NEW(arena, struct cs_spot_table);
    choice = CS_NEW_ARRAY(arena, uint32_t, states);
    *table = (struct cs_spot_table){.job = job, .most = most, .choice = choice};
    table->first = table_fill(job, phases, CS_NEW_ARRAY(scratch, struct costs, most + 1),
                              CS_NEW_ARRAY(scratch, struct costs, most + 1), choice);
    cs_arena_destroy(scratch);
    return table;
}

double cs_spot_table_cost(const struct cs_spot_table *t, int phase, enum cs_spot_mode mode)
{
    return t->first.at[phase][mode];
}

static void *table_prepare(const struct cs_spot_job *job, const struct cs_spot_phases *phases,
                           struct cs_arena *arena, struct cs_error *err)
{
    return cs_spot_table_create(job, phases, arena, err);
}

static double table_expected(const void *plan, const struct cs_spot_view *v)
{
    return cs_spot_table_cost(plan, 2 * v->there + v->old, CS_SPOT_IDLE);
}

static enum cs_spot_mode table_choose(const void *plan, const struct cs_spot_view *v)
{
    const struct cs_spot_table *t = plan;
    int64_t r = t->job->deadline - v->tick, c = v->left + v->pending;
    int i = (2 * v->there + v->old) * CS_SPOT_MODES + (int)v->mode;

    if (r < 1 || c < 1 || c > t->most)
        return CS_SPOT_DEMAND;
    return (enum cs_spot_mode)(t->choice[(r - 1) * (t->most + 1) + c] >> 2 * i & 3);
}

const struct cs_spot_policy cs_spot_policy_table = {
    .info = {.name = "table",
             .problem = "spot",
             .summary =
                 "least expected cost, by how long spot was available and away in the history",
             .source = "cosched, docs/spec/volatile.md III.6"},
    .prepare = table_prepare,
    .choose = table_choose,
    .expected = table_expected,
};

double cs_spot_clairvoyant_cost(const struct cs_spot_job *job, const struct cs_spot_market *market,
                                int64_t from)
{
    int64_t most = job->work + job->change;
    struct cs_arena *arena = cs_arena_create();
    struct costs *now = CS_NEW_ARRAY(arena, struct costs, most + 1);
    struct costs *next = CS_NEW_ARRAY(arena, struct costs, most + 1);
    double cost;

    end_costs(now, most);
    for (int64_t r = 1; r <= job->deadline; r++) {
        int64_t tick = from + job->deadline - r;
        const struct tick t = {job, now, 2 * market->there[tick],
                               market->price ? market->price[tick] : job->spot, NO_PROMISE};
        struct costs *swap = now;

        now = next;
        next = swap;
        for (int64_t c = 0; c <= most; c++)
            for (int k = 0; k < CS_SPOT_MODES; k++) {
                double *value = &now[c].at[t.phase][k];

                *value = 0;
                if (c)
                    table_best(&t, c, (enum cs_spot_mode)k, value);
                for (int p = 0; p < CS_SPOT_PHASES; p++)
                    now[c].at[p][k] = *value;
            }
    }
    cost = now[job->work].at[0][CS_SPOT_IDLE];
    cs_arena_destroy(arena);
    return cost;
}
