/* results_numbers.c - means, ratios and claims, from the values of cells. */
#include "base/stats.h"
#include "campaign/results.h"

#include <math.h>

#define PARTS 40 /* of the replicates, for confidence intervals of claims */

/* --- runs of a combination --- */

static bool is_kept(const struct cs_results *results, int replicate)
{
    return !results->kept || results->kept[replicate];
}

static bool left_out(const struct cs_results *results, int replicate)
{
    return (results->parts > 1 && replicate % results->parts == results->without) ||
           !is_kept(results, replicate);
}

/* Of a replicate of a combination, or of its only one; -1 if missing. */
static int cell_of(const struct cs_results *results, int combination, int replicate)
{
    const struct cs_combination *of;
    int r;

    if (combination < 0)
        return -1;
    of = &results->experiment->combination[combination];
    if (of->count > 1 ? left_out(results, replicate) : !is_kept(results, replicate))
        return -1;
    r = of->count == 1 ? 0 : replicate;
    return r < of->count && results->done[of->first + r] ? of->first + r : -1;
}

static double raw_value(const struct cs_results *results, int metric, int combination,
                        int replicate)
{
    int c = cell_of(results, combination, replicate);

    return c < 0 ? NAN : results->value[(size_t)c * (size_t)results->metrics + (size_t)metric];
}

/* How many replicates a value may have: those of the combination, or those it is divided by. */
static int replicates_of(const struct cs_results *results, int over, int combination)
{
    const struct cs_combination *all = results->experiment->combination;
    int own = all[combination].count;

    return own == 1 && over >= 0 ? all[over].count : own;
}

double cs_results_value(const struct cs_results *results, int metric, int over, int combination,
                        int replicate)
{
    double value = raw_value(results, metric, combination, replicate);

    return over == -1 ? value : value / raw_value(results, metric, over, replicate);
}

/* The ratio a / b of the means of runs that met the same, and the confidence interval that
 * belongs to it: that of a - ratio b, over the mean of b. */
static struct cs_mean ratio_of_means(const struct cs_results *results, int metric, int over,
                                     int combination)
{
    struct cs_stats a = {0}, b = {0}, rest = {0};
    int replicates = replicates_of(results, over, combination);
    double ratio;

    for (int r = 0; r < replicates; r++) {
        if (left_out(results, r))
            continue;
        cs_stats_add(&a, raw_value(results, metric, combination, r));
        cs_stats_add(&b, raw_value(results, metric, over, r));
    }
    ratio = cs_stats_mean(&a) / cs_stats_mean(&b);
    for (int r = 0; r < replicates; r++)
        if (!left_out(results, r))
            cs_stats_add(&rest, raw_value(results, metric, combination, r) -
                                    ratio * raw_value(results, metric, over, r));
    return (struct cs_mean){.mean = ratio,
                            .half_width =
                                replicates > 1 ? cs_stats_confidence(&rest) / cs_stats_mean(&b) : 0,
                            .count = isfinite(ratio) ? replicates : 0};
}

struct cs_mean cs_results_mean(const struct cs_results *results, int metric, int over,
                               int combination)
{
    struct cs_stats stats = {0};

    if (over != -1 && results->experiment->means)
        return ratio_of_means(results, metric, over, combination);
    for (int r = 0; r < replicates_of(results, over, combination); r++) {
        double value = cs_results_value(results, metric, over, combination, r);

        if (isfinite(value))
            cs_stats_add(&stats, value);
    }
    return (struct cs_mean){.mean = cs_stats_mean(&stats),
                            .half_width = stats.count > 1 ? cs_stats_confidence(&stats) : 0,
                            .count = (int)stats.count};
}

/* --- all figures of a combination --- */

static struct cs_sample no_sample(void)
{
    struct cs_sample sample;

    for (int f = 0; f < CS_FIGURES; f++)
        sample.figure[f] = NAN;
    return sample;
}

static void divide_means(const struct cs_results *results, int metric, int over, int combination,
                         struct cs_figures *number)
{
    struct cs_mean mean = ratio_of_means(results, metric, over, combination);

    if (!isfinite(mean.mean))
        return;
    number->sample.figure[CS_FIGURE_MEAN] = mean.mean;
    number->sample.figure[CS_FIGURE_CONFIDENCE] = mean.count > 1 ? mean.half_width : NAN;
}

struct cs_figures cs_results_number(const struct cs_results *results, int metric, int over,
                                    int combination)
{
    int replicates = replicates_of(results, over, combination);
    struct cs_arena *scratch = cs_arena_create();
    double *kept = CS_NEW_ARRAY(scratch, double, replicates);
    struct cs_figures number = {0};

    for (int r = 0; r < replicates; r++) {
        double value = cs_results_value(results, metric, over, combination, r);

        if (cell_of(results, combination, r) < 0 || (over >= 0 && cell_of(results, over, r) < 0))
            continue;
        if (isfinite(value))
            kept[number.n++] = value;
        else
            number.none++;
    }
    number.sample = number.n ? cs_sample_make(kept, number.n) : no_sample();
    if (over >= 0 && results->experiment->means)
        divide_means(results, metric, over, combination, &number);
    cs_arena_destroy(scratch);
    return number;
}

/* --- tables --- */

/* Of all runs of a series in a panel. */
static double statistic_of(const struct cs_results *results,
                           const struct cs_experiment_metric *metric, const struct cs_panel *panel,
                           int series)
{
    bool logs = metric->statistic == CS_STATISTIC_GEOMETRIC;
    struct cs_stats stats = {0};

    for (int i = 0; i < panel->count; i++) {
        int c = panel->combination[series * panel->count + i];
        int over = c < 0 ? -1 : cs_results_over(results, c, metric->over);

        for (int r = 0; c >= 0 && r < replicates_of(results, over, c); r++) {
            double value = cs_results_value(results, metric->index, over, c, r);

            if (isfinite(value))
                cs_stats_add(&stats, logs ? log(value) : value);
        }
    }
    return logs ? exp(cs_stats_mean(&stats)) : cs_stats_deviation(&stats);
}

double cs_results_average(const struct cs_results *results,
                          const struct cs_experiment_metric *metric, const struct cs_panel *panel,
                          int series)
{
    struct cs_stats stats = {0};

    if (metric->statistic != CS_STATISTIC_MEAN)
        return statistic_of(results, metric, panel, series);
    for (int i = 0; i < panel->count; i++) {
        int c = panel->combination[series * panel->count + i];
        int over = c < 0 ? -1 : cs_results_over(results, c, metric->over);
        double mean = c < 0 ? NAN : cs_results_mean(results, metric->index, over, c).mean;

        if (!isnan(mean))
            cs_stats_add(&stats, mean);
    }
    return cs_stats_mean(&stats);
}

double cs_results_reference(const struct cs_results *results,
                            const struct cs_experiment_metric *metric, const struct cs_panel *panel,
                            int series)
{
    const struct cs_experiment *experiment = results->experiment;

    if (!metric->reference)
        return NAN;
    return metric->reference[series * experiment->axis[experiment->panel].count + panel->value];
}

/* --- warnings --- */

/* How many runs have a value above 0, and the largest. */
static int count_above(const struct cs_results *results, int metric, double *largest)
{
    int above = 0;

    *largest = 0;
    for (int c = 0; c < results->experiment->count; c++) {
        double own = results->value[(size_t)c * (size_t)results->metrics + (size_t)metric];

        above += own > 0;
        *largest = own > *largest ? own : *largest;
    }
    return above;
}

void cs_results_warnings(const struct cs_results *results,
                         void (*report)(const char *text, void *who), void *who)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    for (int m = 0; m < results->metrics; m++) {
        const struct cs_metric *metric = &cs_cell_metrics(results->experiment->problem)[m];
        double largest;
        int above = count_above(results, m, &largest);

        if (!metric->warning || !above)
            continue;
        cs_strbuf_clear(&text);
        cs_strbuf_printf(&text, "in %d of %d runs %s (up to %g in one)", above,
                         cs_results_done(results, -1), metric->warning, largest);
        report(text.text, who);
    }
    cs_strbuf_release(&text);
}

/* --- claims --- */

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

static bool is_marked(const bool *mark, const int *at, int axis)
{
    return !mark || (at[axis] >= 0 && mark[at[axis]]);
}

static bool is_chosen(const struct cs_experiment *experiment, const struct cs_select *select,
                      const int *at)
{
    return select->over != -2 && is_marked(select->panel, at, experiment->panel) &&
           is_marked(select->series, at, experiment->series) &&
           is_marked(select->x, at, experiment->x);
}

struct gather {
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

/* kept[r]: the condition is true of replicate r. */
static void keep_where(const struct cs_results *results, const struct cs_where *where, int c,
                       int replicates, bool *kept)
{
    int other = where->series == -1 ? c : cs_results_over(results, c, where->series);

    for (int r = 0; r < replicates; r++)
        kept[r] = is_true(raw_value(results, where->metric, other, r), where->relation, where->low,
                          where->high);
}

static void gather_cells(struct gather *gather, const struct cs_results *results, int c)
{
    const struct cs_select *select = gather->select;
    int over = cs_results_over(results, c, select->over);

    if (select->replicates == CS_REPLICATES_MEAN) {
        gather_value(gather, cs_results_mean(results, select->metric, over, c).mean);
        return;
    }
    for (int r = 0; r < replicates_of(results, over, c); r++)
        gather_value(gather, cs_results_value(results, select->metric, over, c, r));
}

/* Of a combination, those replicates of which the condition is true. */
static void gather_kept(struct gather *gather, const struct cs_results *results, int c)
{
    int replicates = replicates_of(results, cs_results_over(results, c, gather->select->over), c);
    struct cs_arena *scratch = cs_arena_create();
    bool *kept = CS_NEW_ARRAY(scratch, bool, replicates);
    struct cs_results some = *results;

    keep_where(results, gather->select->where, c, replicates, kept);
    some.kept = kept;
    gather_cells(gather, &some, c);
    cs_arena_destroy(scratch);
}

double cs_results_select(const struct cs_results *results, const struct cs_select *select)
{
    const struct cs_experiment *experiment = results->experiment;
    struct gather gather = {.select = select};

    for (int c = 0; c < experiment->combinations; c++) {
        if (!is_chosen(experiment, select, experiment->combination[c].at))
            continue;
        if (select->where)
            gather_kept(&gather, results, c);
        else
            gather_cells(&gather, results, c);
    }
    if (!gather.stats.count)
        return NAN;
    switch (select->reduce) {
    case CS_REDUCE_MEAN:
        return cs_stats_mean(&gather.stats);
    case CS_REDUCE_MIN:
        return cs_stats_min(&gather.stats);
    case CS_REDUCE_MAX:
        return cs_stats_max(&gather.stats);
    case CS_REDUCE_SPREAD:
        return cs_stats_max(&gather.stats) / cs_stats_min(&gather.stats);
    case CS_REDUCE_SHARE:
        break;
    }
    return (double)gather.in_relation / (double)gather.stats.count;
}

/* By how much ours is above what is wanted. */
static double margin_of(const struct cs_results *results, const struct cs_check *check)
{
    double own = cs_results_select(results, &check->value);

    return check->other ? own - check->factor * cs_results_select(results, check->other) : own;
}

static bool has_condition(const struct cs_check *check)
{
    return check->value.where || (check->other && check->other->where);
}

static int most_replicates(const struct cs_experiment *experiment)
{
    int most = 1;

    for (int c = 0; c < experiment->combinations; c++)
        if (experiment->combination[c].count > most)
            most = experiment->combination[c].count;
    return most;
}

double cs_check_error(const struct cs_results *results, const struct cs_check *check)
{
    struct cs_results some = *results;
    struct cs_stats stats = {0};

    some.parts = most_replicates(results->experiment);
    some.parts = some.parts < PARTS ? some.parts : PARTS;
    for (some.without = 0; some.parts > 1 && some.without < some.parts; some.without++) {
        double margin = margin_of(&some, check);

        if (!isfinite(margin))
            return has_condition(check) ? INFINITY : 0;
        cs_stats_add(&stats, margin);
    }
    return stats.count > 1 ? (double)(some.parts - 1) * cs_stats_confidence(&stats) : 0;
}

enum cs_finding cs_check_finding(const struct cs_results *results, const struct cs_check *check,
                                 double *value, double *other)
{
    double low = check->low, error;
    bool below, above, here;

    *value = cs_results_select(results, &check->value);
    if (check->other)
        low = check->factor * cs_results_select(results, check->other);
    *other = low;
    if (isnan(*value) || isnan(low))
        return CS_UNCHECKED;
    error = cs_check_error(results, check);
    here = is_true(*value, check->relation, low, check->high);
    below = is_true(*value - error, check->relation, low, check->high);
    above = is_true(*value + error, check->relation, low, check->high);
    if (below && above)
        return CS_AGREES;
    if (here || below || above ||
        (check->relation == CS_BETWEEN && *value - error<low && * value + error> check->high))
        return CS_OPEN;
    return CS_DISAGREES;
}

enum cs_finding cs_claim_finding(const struct cs_results *results, const struct cs_claim *claim)
{
    int count[CS_UNCHECKED + 1] = {0};

    for (int c = 0; c < claim->count; c++) {
        double value, other;

        if (!claim->check[c].extra)
            count[cs_check_finding(results, &claim->check[c], &value, &other)]++;
    }
    if (count[CS_AGREES])
        return count[CS_DISAGREES] || count[CS_OPEN] ? CS_PARTLY : CS_AGREES;
    if (count[CS_DISAGREES])
        return CS_DISAGREES;
    return count[CS_OPEN] ? CS_OPEN : CS_UNCHECKED;
}

const char *cs_finding_word(enum cs_finding finding)
{
    switch (finding) {
    case CS_AGREES:
        return "agrees";
    case CS_DISAGREES:
        return "does not agree";
    case CS_PARTLY:
        return "agrees in part";
    case CS_OPEN:
        return "undecided";
    case CS_UNCHECKED:
        break;
    }
    return "not checked";
}
