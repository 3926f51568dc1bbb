/* results.c - the cells of a paper and what is computed from their values. */
#include "campaign/results.h"

#include "base/clock.h"
#include "base/stats.h"
#include "base/strbuf.h"
#include "campaign/store.h"

#include <limits.h>
#include <math.h>

int cs_results_cells(const struct cs_paper *paper)
{
    int count = 0;

    for (int p = 0; p < paper->npanels; p++)
        for (int s = 0; s < paper->nseries; s++)
            if (paper->series[s].in[p])
                count += paper->panel[p].count * paper->series[s].replicates;
    return count;
}

/* Where times are measured seeds are others than elsewhere: a store never gives such a cell what
 * was measured while others ran beside it. */
static uint64_t seed_of(const struct cs_results *results, int replicate)
{
    uint64_t seed = results->seed;

    return cs_grid_seed(results->paper->serial ? cs_grid_seed(seed, INT_MAX) : seed, replicate);
}

static void add_cells(struct cs_results *results, int p, int s)
{
    const struct cs_paper *paper = results->paper;
    int *first = &results->first[p * paper->nseries + s];

    *first = -1;
    if (!paper->series[s].in[p])
        return;
    *first = results->count;
    for (int x = 0; x < paper->panel[p].count; x++) {
        json_t *parameters = cs_paper_parameters(paper, p, s, x);

        for (int r = 0; r < paper->series[s].replicates; r++)
            results->cell[results->count++] =
                (struct cs_cell){.panel = p,
                                 .series = s,
                                 .x = x,
                                 .replicate = r,
                                 .seed = seed_of(results, r),
                                 .parameters = json_incref(parameters)};
        json_decref(parameters);
    }
}

struct cs_results *cs_results_prepare(const struct cs_paper *paper, uint64_t seed)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_results *results = CS_NEW(arena, struct cs_results);
    int cells = cs_results_cells(paper);

    results->paper = paper;
    results->seed = seed;
    results->arena = arena;
    results->metrics = cs_runner_metrics(paper->runner);
    results->cell = CS_NEW_ARRAY(arena, struct cs_cell, cells);
    results->first = CS_NEW_ARRAY(arena, int, paper->npanels * paper->nseries);
    results->value = CS_NEW_ARRAY(arena, double, (size_t)cells *(size_t)results->metrics);
    results->done = CS_NEW_ARRAY(arena, bool, cells);
    for (size_t v = 0; v < (size_t)cells * (size_t)results->metrics; v++)
        results->value[v] = NAN;
    for (int p = 0; p < paper->npanels; p++)
        for (int s = 0; s < paper->nseries; s++)
            add_cells(results, p, s);
    return results;
}

int cs_results_load(struct cs_results *results, struct cs_store *store, struct cs_error *err)
{
    for (int c = 0; c < results->count; c++) {
        struct cs_record record;

        if (cs_store_get(store, results->paper->runner, &results->cell[c], &results->done[c],
                         &record, err))
            return -1;
        for (int m = 0; results->done[c] && m < results->metrics; m++)
            results->value[(size_t)c * (size_t)results->metrics + (size_t)m] = record.value[m];
    }
    return 0;
}

struct cs_results *cs_results_create(const struct cs_paper *paper, uint64_t seed,
                                     const struct cs_grid_options *options, struct cs_error *err)
{
    struct cs_results *results = cs_results_prepare(paper, seed);
    struct cs_grid_options own = *options;
    double start = cs_clock_now();

    if (paper->serial)
        own.threads = 1;
    if (cs_grid_run(paper->runner, results->cell, results->count, &own, results->value, err)) {
        cs_results_destroy(results);
        return NULL;
    }
    for (int c = 0; c < results->count; c++)
        results->done[c] = true;
    results->seconds = cs_clock_now() - start;
    return results;
}

void cs_results_destroy(struct cs_results *results)
{
    if (!results)
        return;
    for (int c = 0; c < results->count; c++)
        json_decref(results->cell[c].parameters);
    cs_arena_destroy(results->arena);
}

/* NaN where the series is not run; a series with one replicate has the same for all. */
static double raw_value(const struct cs_results *results, int metric, int panel, int series, int x,
                        int replicate)
{
    int first = results->first[panel * results->paper->nseries + series];
    int replicates = results->paper->series[series].replicates;
    int r = replicates == 1 ? 0 : replicate;

    if (first < 0 || r >= replicates)
        return NAN;
    return results
        ->value[(size_t)(first + x * replicates + r) * (size_t)results->metrics + (size_t)metric];
}

/* How many replicates a value may have: those of the series, or those it is divided by. */
static int replicates_of(const struct cs_results *results, int series, int over)
{
    int own = results->paper->series[series].replicates;
    int other = over < 0 ? 1 : results->paper->series[over].replicates;

    return own == 1 ? other : own;
}

double cs_results_value(const struct cs_results *results, int metric, int over, int panel,
                        int series, int x, int replicate)
{
    double value = raw_value(results, metric, panel, series, x, replicate);

    if (over >= 0)
        value /= raw_value(results, metric, panel, over, x, replicate);
    return value;
}

/* The ratio a / b of the means of runs that met the same, and the confidence interval that
 * belongs to it: that of a - ratio b, over the mean of b. */
static struct cs_mean ratio_of_means(const struct cs_results *results, int metric, int over,
                                     int panel, int series, int x)
{
    struct cs_stats a = {0}, b = {0}, rest = {0};
    int replicates = replicates_of(results, series, over);
    double ratio;

    for (int r = 0; r < replicates; r++) {
        cs_stats_add(&a, raw_value(results, metric, panel, series, x, r));
        cs_stats_add(&b, raw_value(results, metric, panel, over, x, r));
    }
    ratio = cs_stats_mean(&a) / cs_stats_mean(&b);
    for (int r = 0; r < replicates; r++)
        cs_stats_add(&rest, raw_value(results, metric, panel, series, x, r) -
                                ratio * raw_value(results, metric, panel, over, x, r));
    return (struct cs_mean){.mean = ratio,
                            .half_width =
                                replicates > 1 ? cs_stats_confidence(&rest) / cs_stats_mean(&b) : 0,
                            .count = isfinite(ratio) ? replicates : 0};
}

static struct cs_mean mean_of_runs(const struct cs_results *results, int metric, int over,
                                   int panel, int series, int x)
{
    struct cs_stats stats = {0};

    for (int r = 0; r < replicates_of(results, series, over); r++) {
        double value = cs_results_value(results, metric, over, panel, series, x, r);

        if (isfinite(value))
            cs_stats_add(&stats, value);
    }
    return (struct cs_mean){.mean = cs_stats_mean(&stats),
                            .half_width = stats.count > 1 ? cs_stats_confidence(&stats) : 0,
                            .count = (int)stats.count};
}

struct cs_mean cs_results_mean(const struct cs_results *results, int metric, int over, int panel,
                               int series, int x)
{
    return over >= 0 && results->paper->means
               ? ratio_of_means(results, metric, over, panel, series, x)
               : mean_of_runs(results, metric, over, panel, series, x);
}

/* Of all runs of a series in a panel. */
static double statistic_of(const struct cs_results *results, const struct cs_paper_metric *metric,
                           int panel, int series)
{
    bool logs = metric->statistic == CS_STATISTIC_GEOMETRIC;
    struct cs_stats stats = {0};

    for (int x = 0; x < results->paper->panel[panel].count; x++)
        for (int r = 0; r < replicates_of(results, series, metric->over); r++) {
            double value =
                cs_results_value(results, metric->index, metric->over, panel, series, x, r);

            if (isfinite(value))
                cs_stats_add(&stats, logs ? log(value) : value);
        }
    return logs ? exp(cs_stats_mean(&stats)) : cs_stats_deviation(&stats);
}

double cs_results_average(const struct cs_results *results, const struct cs_paper_metric *metric,
                          int panel, int series)
{
    struct cs_stats stats = {0};

    if (metric->statistic != CS_STATISTIC_MEAN)
        return statistic_of(results, metric, panel, series);
    for (int x = 0; x < results->paper->panel[panel].count; x++) {
        double mean = cs_results_mean(results, metric->index, metric->over, panel, series, x).mean;

        if (!isnan(mean))
            cs_stats_add(&stats, mean);
    }
    return cs_stats_mean(&stats);
}

void cs_results_warnings(const struct cs_results *results,
                         void (*tell)(const char *text, void *who), void *who)
{
    cs_grid_warnings(results->paper->runner, results->value, results->count, tell, who);
}

static bool is_true(double value, enum cs_relation relation, double low, double high)
{
    switch (relation) {
    case CS_BELOW:
        return value < low;
    case CS_AT_MOST:
        return value <= low;
    case CS_ABOVE:
        return value > low;
    case CS_AT_LEAST:
        return value >= low;
    case CS_BETWEEN:
        break;
    }
    return value >= low && value <= high;
}

static bool is_chosen(const struct cs_select *select, const struct cs_paper_x *x)
{
    if (json_is_array(select->x)) {
        for (size_t i = 0; i < json_array_size(select->x); i++)
            if (json_equal(json_array_get(select->x, i), x->value))
                return true;
        return false;
    }
    if (select->x)
        return json_equal(select->x, x->value);
    return isnan(x->number) || (x->number >= select->from && x->number <= select->to);
}

struct gather {
    const struct cs_results *results;
    const struct cs_select *select;
    struct cs_stats stats;
    int in_relation;
};

static void gather_value(struct gather *gather, double value)
{
    const struct cs_select *select = gather->select;

    if (!isfinite(value))
        return;
    cs_stats_add(&gather->stats, value);
    if (select->reduce == CS_REDUCE_SHARE)
        gather->in_relation += is_true(value, select->relation, select->low, select->high);
}

static void gather_cells(struct gather *gather, int p, int s, int x)
{
    const struct cs_select *select = gather->select;
    const struct cs_results *results = gather->results;

    if (select->replicates == CS_REPLICATES_MEAN) {
        gather_value(gather, cs_results_mean(results, select->metric, select->over, p, s, x).mean);
        return;
    }
    for (int r = 0; r < replicates_of(results, s, select->over); r++)
        gather_value(gather, cs_results_value(results, select->metric, select->over, p, s, x, r));
}

double cs_results_select(const struct cs_results *results, const struct cs_select *select,
                         int *count)
{
    const struct cs_paper *paper = results->paper;
    struct gather gather = {.results = results, .select = select};

    for (int p = 0; p < paper->npanels; p++)
        for (int s = 0; s < paper->nseries; s++)
            for (int x = 0; select->panel[p] && select->series[s] && x < paper->panel[p].count; x++)
                if (is_chosen(select, &paper->panel[p].x[x]))
                    gather_cells(&gather, p, s, x);
    if (count)
        *count = (int)gather.stats.count;
    if (!gather.stats.count)
        return NAN;
    switch (select->reduce) {
    case CS_REDUCE_MEAN:
        return cs_stats_mean(&gather.stats);
    case CS_REDUCE_MIN:
        return cs_stats_min(&gather.stats);
    case CS_REDUCE_MAX:
        return cs_stats_max(&gather.stats);
    case CS_REDUCE_SHARE:
        break;
    }
    return (double)gather.in_relation / (double)gather.stats.count;
}

enum cs_verdict cs_check_verdict(const struct cs_results *results, const struct cs_check *check,
                                 double *value, double *other)
{
    double low = check->low;

    *value = cs_results_select(results, &check->value, NULL);
    if (check->other)
        low = check->factor * cs_results_select(results, check->other, NULL);
    *other = low;
    if (isnan(*value) || isnan(low))
        return CS_UNCHECKED;
    return is_true(*value, check->relation, low, check->high) ? CS_AGREES : CS_DISAGREES;
}

enum cs_verdict cs_claim_verdict(const struct cs_results *results, const struct cs_claim *claim)
{
    int agree = 0, disagree = 0;

    for (int c = 0; c < claim->count; c++) {
        double value, other;
        enum cs_verdict verdict = cs_check_verdict(results, &claim->check[c], &value, &other);

        agree += verdict == CS_AGREES;
        disagree += verdict == CS_DISAGREES;
    }
    if (agree && disagree)
        return CS_PARTLY;
    if (agree)
        return CS_AGREES;
    return disagree ? CS_DISAGREES : CS_UNCHECKED;
}

const char *cs_verdict_word(enum cs_verdict verdict)
{
    switch (verdict) {
    case CS_AGREES:
        return "agrees";
    case CS_DISAGREES:
        return "does not agree";
    case CS_PARTLY:
        return "agrees in part";
    case CS_UNCHECKED:
        break;
    }
    return "not checked";
}
