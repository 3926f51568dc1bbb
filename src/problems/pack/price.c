/* price.c - bisection of the candidate costs, between thresholds where the bonus is constant.
 *
 * Source: docs/spec/pack.md, Part II 2.3 (pricing over all T, Farley's bound).
 *
 * The value of the knapsack never falls when the cost T rises, so its value at the upper end of an
 * interval bounds the ratio of worth and cost of all packs in it by (value + bonus) / least cost.
 * An interval is dropped if that is no better than the best ratio of its block (or the floor);
 * otherwise its middle is evaluated.  The best cost of each block gives one column.
 *
 * Invariants: the result is at least the ratio of every pack, by the margin `slack`, and at least
 * `floor`, so dividing the prices by it gives a valid bound.
 * Complexity: about 100 knapsacks instead of the 500 to 4000 candidates (docs/spec/pack.md, II
 * 2.3).
 *
 * constant               value  unit      found by       half, double
 * CS_PACK_PRICE_BLOCKS      40  columns   not recorded   not measured
 */
#include "problems/pack/price.h"

#include "base/bug.h"

#include <math.h>

struct segment {
    struct cs_pack_price *p;
    double bonus, floor;
};

void cs_pack_price_init(struct cs_pack_price *p, const struct cs_pack_candidates *c,
                        struct cs_arena *arena)
{
    *p = (struct cs_pack_price){.c = c};
    cs_pack_knapsack_init(&p->knapsack, c, arena);
}

static int block_of(const struct cs_pack_price *p, int v)
{
    return (int)((long)v * CS_PACK_PRICE_BLOCKS / p->c->count);
}

static double price_evaluate(const struct segment *s, int v)
{
    struct cs_pack_price *p = s->p;
    double value = cs_pack_knapsack_value(&p->knapsack, v);
    double ratio = (value + s->bonus) / p->c->cost[v];
    int b = block_of(p, v);

    p->evaluations++;
    if (ratio > p->best[b]) {
        p->best[b] = ratio;
        p->where[b] = v;
    }
    return value;
}

/* All of low .. high have a value of at most `above`. */
static void price_search(const struct segment *s, int low, int high, double above)
{
    while (low <= high) {
        double cut = s->p->best[block_of(s->p, low)] * (1 + s->p->slack), limit, value;
        int middle = low + (high - low) / 2;

        limit = (above + s->bonus) / s->p->c->cost[low];
        if (limit <= s->floor || (limit <= cut && block_of(s->p, low) == block_of(s->p, high)))
            return;
        value = price_evaluate(s, middle);
        if (value < above)
            price_search(s, middle + 1, high, above);
        high = middle - 1;
        above = value;
    }
}

/* The costs low .. high, which have the bonus; returns a value that holds for all below. */
static double search_segment(const struct segment *s, int low, int high, double above)
{
    if (low > high || (above + s->bonus) / s->p->c->cost[low] <= s->floor)
        return above;
    above = price_evaluate(s, high);
    price_search(s, low, high - 1, above);
    return above;
}

double cs_pack_price_search(struct cs_pack_price *p, const struct cs_pack_prices *prices,
                            double floor)
{
    struct segment s = {p, 0, floor};
    double most = floor, above = INFINITY;
    int high = p->c->count - 1;

    cs_pack_knapsack_set(&p->knapsack, prices->worth);
    for (int b = 0; b < CS_PACK_PRICE_BLOCKS; b++) {
        p->best[b] = floor;
        p->where[b] = -1;
    }
    for (int r = 0; r < prices->thresholds; r++)
        s.bonus += prices->bonus[r];
    for (int r = prices->thresholds - 1; r >= 0; r--) {
        above = search_segment(&s, prices->threshold[r], high, above);
        high = prices->threshold[r] - 1;
        s.bonus -= prices->bonus[r];
    }
    s.bonus = 0;
    search_segment(&s, 0, high, above);
    for (int b = 0; b < CS_PACK_PRICE_BLOCKS; b++)
        most = p->best[b] > most ? p->best[b] : most;
    return most * (1 + p->slack);
}

int cs_pack_price_column(struct cs_pack_price *p, const struct cs_pack_prices *prices, int b,
                         int *candidate, int *task)
{
    int least = 0, count;

    CS_REQUIRE(p->where[b] >= 0);
    count = cs_pack_knapsack_members(&p->knapsack, p->where[b], task);
    for (int r = 0; r < prices->thresholds && prices->threshold[r] <= p->where[b]; r++)
        least = prices->threshold[r];
    *candidate = cs_pack_candidates_fit(p->c, task, count, least);
    return count;
}
