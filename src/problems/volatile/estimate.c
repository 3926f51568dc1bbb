/* estimate.c - tables of single hosts, and the value of a configuration.
 *
 * Source: spec/volatile.md 3.2 (P(W), E(W) printed and conditional), 3.5 (Ecomm, Pcomm), Part II.1
 * (criterion T: D = min(Ecomm + E(W), 1 + L (1 - P)), T = D / P).
 * Idea: E^{q}(n) and log P_ND of it are tabled by host and n; log P_ND of other times is kept in
 * rows, a direct-mapped cache by the bits of the time.
 * Invariants: caches do not change any result; where a time is not finite, scores use logarithms.
 * Complexity: O(members) for a value once tables and row are filled.
 *
 * Constants (memory limits set by hand; half and double: not measured):
 *   ROWS          16384  rows at most; halved until rows x hosts fit ROW_NUMBERS, at least 16
 *   ROW_NUMBERS   2^21   numbers in all rows (16 MiB)
 *   TABLE_NUMBERS 2^22   numbers in a table of all hosts (32 MiB); above it values are computed
 */
#include "problems/volatile/estimate.h"

#include <string.h>

#define ROWS 16384 /* at most; a power of two */
#define ROW_NUMBERS (1 << 21)
#define TABLE_NUMBERS (1 << 22) /* of the tables of all hosts */

struct cs_volatile_estimator *cs_volatile_estimator_create(const struct cs_volatile_instance *in)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_volatile_estimator *e = CS_NEW(arena, struct cs_volatile_estimator);
    size_t rows = ROWS;

    while (rows > 16 && rows * (size_t)in->hosts > ROW_NUMBERS)
        rows /= 2;
    *e = (struct cs_volatile_estimator){
        .in = in,
        .sets = cs_volatile_sets_create(in),
        .transfers = in->app.transfers,
        .single = {CS_NEW_ARRAY(arena, double *, in->hosts),
                   CS_NEW_ARRAY(arena, double *, in->hosts)},
        .alive = {CS_NEW_ARRAY(arena, double *, in->hosts),
                  CS_NEW_ARRAY(arena, double *, in->hosts)},
        .row = CS_NEW_ARRAY(arena, struct cs_volatile_row, rows),
        .rows = rows,
        .none = CS_NEW_ARRAY(arena, double, in->hosts),
        .arena = arena,
    };
    return e;
}

void cs_volatile_estimator_destroy(struct cs_volatile_estimator *e)
{
    if (!e)
        return;
    cs_volatile_sets_destroy(e->sets);
    cs_arena_destroy(e->arena);
}

double cs_volatile_work_log_time(const struct cs_volatile_set *set,
                                 enum cs_volatile_estimate estimate, int64_t workload)
{
    double more = (double)(workload - 1);

    if (workload <= 1 || estimate == CS_VOLATILE_CONDITIONAL)
        return log(cs_volatile_work_time(set, estimate, workload));
    return log1p(more * set->partial) + more * set->loss;
}

static bool estimate_tabled(const struct cs_volatile_instance *in)
{
    return ((int64_t)in->most_need + 1) * in->hosts <= TABLE_NUMBERS;
}

double cs_volatile_single_new(struct cs_volatile_estimator *e, enum cs_volatile_estimate estimate,
                              int host, int n)
{
    const struct cs_volatile_set *set =
        cs_volatile_sets_get(e->sets, cs_volatile_sets_add(e->sets, 0, host));
    double *table;

    if (!estimate_tabled(e->in))
        return cs_volatile_work_time(set, estimate, n);
    table = CS_NEW_ARRAY(e->arena, double, e->in->most_need + 1);
    for (int i = 0; i <= e->in->most_need; i++)
        table[i] = cs_volatile_work_time(set, estimate, i);
    e->single[estimate][host] = table;
    return table[n];
}

double cs_volatile_single_alive_new(struct cs_volatile_estimator *e,
                                    enum cs_volatile_estimate estimate, int host, int n)
{
    const struct cs_volatile_chain *chain = cs_volatile_sets_chain(e->sets, host);
    double *table;

    if (!estimate_tabled(e->in))
        return log(cs_volatile_chain_alive(chain, cs_volatile_single(e, estimate, host, n)));
    table = CS_NEW_ARRAY(e->arena, double, e->in->most_need + 1);
    for (int i = 0; i <= e->in->most_need; i++)
        table[i] = log(cs_volatile_chain_alive(chain, cs_volatile_single(e, estimate, host, i)));
    e->alive[estimate][host] = table;
    return table[n];
}

static size_t estimate_place_of(const struct cs_volatile_estimator *e, double time)
{
    uint64_t bits;

    memcpy(&bits, &time, sizeof bits);
    return (bits * 0x9e3779b97f4a7c15u >> 32) & (e->rows - 1);
}

double *cs_volatile_row_of(struct cs_volatile_estimator *e, double time)
{
    struct cs_volatile_row *row;

    if (time == 0)
        return e->none;
    row = &e->row[estimate_place_of(e, time)];
    if (row->time != time) {
        if (!row->value)
            row->value = CS_NEW_ARRAY(e->arena, double, e->in->hosts);
        for (int q = 0; q < e->in->hosts; q++)
            row->value[q] = NAN;
        row->time = time;
    }
    return row->value;
}

static double add_logs(double a, double b)
{
    double high = a > b ? a : b, low = a > b ? b : a;

    return isinf(high) ? high : high + log1p(exp(low - high));
}

/* log Ecomm, without overflow. */
static double log_transfer_time(struct cs_volatile_estimator *e, enum cs_volatile_estimate estimate,
                                const struct cs_volatile_load *load, double sum)
{
    double longest = log(sum / e->transfers);

    for (int i = 0; i < load->members; i++) {
        const struct cs_volatile_set *set =
            cs_volatile_sets_get(e->sets, cs_volatile_sets_add(e->sets, 0, load->member[i]));

        longest = fmax(longest, cs_volatile_work_log_time(set, estimate, load->need[i]));
    }
    return longest;
}

/* Ecomm, and the sum of all transfers. */
static double transfer_time(struct cs_volatile_estimator *e, enum cs_volatile_estimate estimate,
                            const struct cs_volatile_load *load, double *sum)
{
    double longest = 0;
    int64_t slots = 0;

    for (int i = 0; i < load->members; i++) {
        double single = cs_volatile_single(e, estimate, load->member[i], load->need[i]);

        longest = single > longest ? single : longest;
        slots += load->need[i];
    }
    *sum = (double)slots;
    return *sum / e->transfers > longest ? *sum / e->transfers : longest;
}

/* The logarithm of all the time, which overflows. */
static double log_of_overflow(struct cs_volatile_estimator *e, enum cs_volatile_estimate estimate,
                              const struct cs_volatile_load *load, double sum)
{
    double transfer = log_transfer_time(e, estimate, load, sum);

    return add_logs(transfer, cs_volatile_work_log_time(cs_volatile_sets_get(e->sets, load->set),
                                                        estimate, load->workload));
}

struct cs_volatile_value cs_volatile_evaluate(struct cs_volatile_estimator *e,
                                              enum cs_volatile_estimate estimate,
                                              const struct cs_volatile_load *load)
{
    const struct cs_volatile_set *set = cs_volatile_sets_get(e->sets, load->set);
    struct cs_volatile_value value = {.log_p = cs_volatile_work_log_p(set, load->workload)};
    double sum, transfer = transfer_time(e, estimate, load, &sum), *row;

    row = cs_volatile_row_of(e, transfer);
    for (int i = 0; i < load->members; i++)
        value.log_p += cs_volatile_row_at(e, row, transfer, load->member[i]);
    set = cs_volatile_sets_get(e->sets, load->set);
    value.time = transfer + cs_volatile_work_time(set, estimate, load->workload);
    value.log_time =
        isfinite(value.time) ? log(value.time) : log_of_overflow(e, estimate, load, sum);
    return value;
}

struct cs_volatile_value cs_volatile_evaluate_time(struct cs_volatile_estimator *e,
                                                   enum cs_volatile_estimate estimate,
                                                   const struct cs_volatile_load *load)
{
    double sum, transfer = transfer_time(e, estimate, load, &sum);
    const struct cs_volatile_set *set = cs_volatile_sets_get(e->sets, load->set);
    struct cs_volatile_value value = {
        .log_p = NAN,
        .time = transfer + cs_volatile_work_time(set, estimate, load->workload),
        .log_time = NAN,
    };

    if (!isfinite(value.time))
        value.log_time = log_of_overflow(e, estimate, load, sum);
    return value;
}

struct cs_volatile_score cs_volatile_score_of(enum cs_volatile_measure measure,
                                              const struct cs_volatile_value *v, int64_t tau)
{
    double attempt;

    switch (measure) {
    case CS_VOLATILE_PROBABILITY:
        return (struct cs_volatile_score){v->log_p, 0};
    case CS_VOLATILE_TIME:
        return (struct cs_volatile_score){-v->time, v->log_time};
    case CS_VOLATILE_YIELD:
        return (struct cs_volatile_score){
            v->log_p - (isfinite(v->time) ? log(v->time + (double)tau) : v->log_time), 0};
    case CS_VOLATILE_APPARENT_YIELD:
        return (struct cs_volatile_score){v->log_p - v->log_time, 0};
    case CS_VOLATILE_RESTARTS:
        attempt = v->log_p < 0 ? fmin(v->time, 1 - v->lifetime * expm1(v->log_p)) : v->time;
        return (struct cs_volatile_score){v->log_p - log(attempt), 0};
    default:
        return (struct cs_volatile_score){0, 0};
    }
}
