/* results.c - the cells of an experiment, their values and places. */
#include "campaign/results.h"
#include "base/clock.h"
#include "base/stats.h"
#include "campaign/parameters.h"
#include "campaign/statistics.h"
#include "campaign/store.h"

#include <math.h>
#include <string.h>

/* --- places: a table of combinations, open addressing --- */

static uint32_t results_hash(const int *at, int axes, int axis, int value)
{
    uint32_t sum = 2166136261u;

    for (int a = 0; a < axes; a++)
        sum = (sum ^ (uint32_t)(a == axis ? value : at[a])) * 16777619u;
    return sum ^ sum >> 15;
}

static bool is_at(const int *there, const int *at, int axes, int axis, int value)
{
    for (int a = 0; a < axes; a++)
        if (there[a] != (a == axis ? value : at[a]))
            return false;
    return true;
}

/* The slot of a place, or the free one where it belongs. */
static int find_slot(const struct cs_results *results, const int *at, int axis, int value)
{
    const struct cs_experiment *experiment = results->experiment;
    int slot =
        (int)(results_hash(at, experiment->axes, axis, value) & (uint32_t)(results->slots - 1));

    while (results->index[slot] >= 0 && !is_at(experiment->combination[results->index[slot]].at, at,
                                               experiment->axes, axis, value))
        slot = (slot + 1) & (results->slots - 1);
    return slot;
}

static void make_index(struct cs_results *results)
{
    const struct cs_experiment *experiment = results->experiment;

    for (results->slots = 4; results->slots < 2 * experiment->combinations;)
        results->slots *= 2;
    results->index = CS_NEW_ARRAY(results->arena, int, results->slots);
    for (int i = 0; i < results->slots; i++)
        results->index[i] = -1;
    for (int c = 0; c < experiment->combinations; c++)
        results->index[find_slot(results, experiment->combination[c].at, -1, 0)] = c;
}

int cs_results_besides(const struct cs_results *results, int combination, int axis, int value)
{
    const int *at = results->experiment->combination[combination].at;

    return results->index[find_slot(results, at, axis, value)];
}

int cs_results_over(const struct cs_results *results, int combination, int series)
{
    int over;

    if (series < 0)
        return series;
    over = cs_results_besides(results, combination, results->experiment->series, series);
    return over < 0 ? -2 : over;
}

/* --- values --- */

struct cs_results *cs_results_create(const struct cs_experiment *experiment)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_results *results = CS_NEW(arena, struct cs_results);
    int metrics = cs_cell_metric_count(experiment->problem);
    size_t values = (size_t)experiment->count * (size_t)metrics;

    *results = (struct cs_results){
        .experiment = experiment,
        .metrics = metrics,
        .arena = arena,
        .value = CS_NEW_ARRAY(arena, double, values),
        .done = CS_NEW_ARRAY(arena, bool, experiment->count),
    };
    for (size_t v = 0; v < values; v++)
        results->value[v] = NAN;
    make_index(results);
    return results;
}

void cs_results_destroy(struct cs_results *results)
{
    if (results)
        cs_arena_destroy(results->arena);
}

static void results_take(void *who, int cell, const struct cs_record *record)
{
    struct cs_results *results = who;
    const size_t metrics = (size_t)results->metrics;

    memcpy(results->value + (size_t)cell * metrics, record->value, metrics * sizeof(double));
    results->done[cell] = true;
}

int cs_results_load(struct cs_results *results, struct cs_store *store, struct cs_error *err)
{
    return cs_experiment_inspect(results->experiment, store, true, results_take, results, err);
}

/* The selected cells, in the arena. */
static struct cs_cell *results_choose(const struct cs_experiment *experiment, const bool *keep,
                                      struct cs_arena *arena, int *count)
{
    struct cs_cell *cell = CS_NEW_ARRAY(arena, struct cs_cell, experiment->count);

    *count = 0;
    for (int c = 0; c < experiment->count; c++)
        if (!keep || keep[c])
            cell[(*count)++] = experiment->cell[c];
    return cell;
}

int cs_results_check_files(const struct cs_results *results, const bool *keep,
                           struct cs_store *store, struct cs_error *err)
{
    const struct cs_experiment *experiment = results->experiment;
    const struct cs_grid_options options = {.store = store, .folder = experiment->folder};
    struct cs_arena *arena = cs_arena_create();
    int count, status;
    const struct cs_cell *cell = results_choose(experiment, keep, arena, &count);

    status = cs_grid_check_files(experiment->problem, cell, count, &options, err);
    cs_arena_destroy(arena);
    return status;
}

/* From the beginning of the table to the cells that they are of, the last ones first. */
static void results_spread(struct cs_results *results, const bool *keep, int count)
{
    const size_t metrics = (size_t)results->metrics;

    for (int c = results->experiment->count - 1; c >= 0; c--) {
        double *value = results->value + (size_t)c * metrics;

        results->done[c] = !keep || keep[c];
        if (results->done[c] && --count < c)
            memcpy(value, results->value + (size_t)count * metrics, metrics * sizeof *value);
        for (size_t m = 0; !results->done[c] && m < metrics; m++)
            value[m] = NAN;
    }
}

int cs_results_run(struct cs_results *results, const bool *keep,
                   const struct cs_grid_options *options, struct cs_error *err)
{
    const struct cs_experiment *experiment = results->experiment;
    struct cs_arena *arena = cs_arena_create();
    struct cs_grid_options own = *options;
    double start = cs_clock_now();
    int count, status;
    const struct cs_cell *cell = results_choose(experiment, keep, arena, &count);

    own.folder = experiment->folder;
    own.threads = experiment->serial ? 1 : options->threads;
    status = cs_grid_run(experiment->problem, cell, count, &own, results->value, err);
    if (!status)
        results_spread(results, keep, count);
    results->seconds = cs_clock_now() - start;
    cs_arena_destroy(arena);
    return status;
}

int cs_results_done(const struct cs_results *results, int combination)
{
    const struct cs_combination all = {0, results->experiment->count, NULL};
    const struct cs_combination *of =
        combination < 0 ? &all : &results->experiment->combination[combination];
    int done = 0;

    for (int c = of->first; c < of->first + of->count; c++)
        done += results->done[c];
    return done;
}

/* --- panels --- */

struct draft {
    const struct cs_results *results;
    struct cs_arena *arena;
    int panels;
    struct cs_panel *panel;
    int *first; /* a combination of each */
};

/* On an axis that there may not be. */
static int value_on(const struct cs_experiment *experiment, int combination, int axis)
{
    return axis < 0 ? 0 : experiment->combination[combination].at[axis];
}

static int count_on(const struct cs_experiment *experiment, int axis)
{
    return axis < 0 ? 1 : experiment->axis[axis].count;
}

int cs_results_series(const struct cs_results *results)
{
    return count_on(results->experiment, results->experiment->series);
}

static bool is_same_panel(const struct cs_experiment *experiment, int c, int d)
{
    for (int a = 0; a < experiment->axes; a++)
        if (a != experiment->series && a != experiment->x &&
            value_on(experiment, c, a) != value_on(experiment, d, a))
            return false;
    return true;
}

/* "mean_failure_probability = 0.3" */
static const char *make_title(struct draft *draft, int c)
{
    const struct cs_experiment *experiment = draft->results->experiment;
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *title;

    for (int a = 0; a < experiment->axes; a++) {
        int v = value_on(experiment, c, a);

        if (a == experiment->series || a == experiment->x || v < 0)
            continue;
        if (!experiment->axis[a].plain)
            cs_strbuf_printf(&text, "%s%s = ", text.length ? ", " : "", experiment->axis[a].title);
        cs_strbuf_puts(&text, experiment->axis[a].value[v].label);
    }
    title = text.length ? cs_arena_strdup(draft->arena, text.text) : experiment->title;
    cs_strbuf_release(&text);
    return title;
}

static struct cs_panel *find_panel(struct draft *draft, int c)
{
    const struct cs_experiment *experiment = draft->results->experiment;
    struct cs_panel *panel;

    for (int p = draft->panels - 1; p >= 0; p--)
        if (is_same_panel(experiment, draft->first[p], c))
            return &draft->panel[p];
    draft->first[draft->panels] = c;
    panel = &draft->panel[draft->panels++];
    *panel = (struct cs_panel){
        .title = make_title(draft, c),
        .value = value_on(experiment, c, experiment->panel),
        .x = CS_NEW_ARRAY(draft->arena, int, count_on(experiment, experiment->x)),
    };
    return panel;
}

/* The index of a value on the axis of a panel; the count of them when it is new. */
static int find_x(const struct cs_panel *panel, int x)
{
    int i = 0;

    while (i < panel->count && panel->x[i] != x)
        i++;
    return i;
}

static void results_place(struct draft *draft, struct cs_panel *panel, int series, int x, int c)
{
    const int all = cs_results_series(draft->results) * panel->count;

    if (!panel->combination) {
        panel->combination = CS_NEW_ARRAY(draft->arena, int, all);
        for (int i = 0; i < all; i++)
            panel->combination[i] = -1;
    }
    panel->combination[series * panel->count + find_x(panel, x)] = c;
}

/* First the values on their axes, then what is there. */
static void results_walk(struct draft *draft, bool second)
{
    const struct cs_experiment *experiment = draft->results->experiment;

    for (int c = 0; c < experiment->combinations; c++) {
        int series = value_on(experiment, c, experiment->series);
        int x = value_on(experiment, c, experiment->x);
        struct cs_panel *panel = series < 0 || x < 0 ? NULL : find_panel(draft, c);

        if (panel && second)
            results_place(draft, panel, series, x, c);
        else if (panel && find_x(panel, x) == panel->count)
            panel->x[panel->count++] = x;
    }
}

const struct cs_panel *cs_results_panels(const struct cs_results *results, struct cs_arena *arena,
                                         int *count)
{
    const int most = results->experiment->combinations;
    struct draft draft = {.results = results,
                          .arena = arena,
                          .panel = CS_NEW_ARRAY(arena, struct cs_panel, most),
                          .first = CS_NEW_ARRAY(arena, int, most)};

    results_walk(&draft, false);
    results_walk(&draft, true);
    *count = draft.panels;
    return draft.panel;
}

/* Means, ratios and claims, from the values of cells. */

#define PARTS 40 /* of the replicates, for confidence intervals of claims */

/* --- runs of a combination --- */

static bool is_kept(const struct cs_results *results, int replicate)
{
    return !results->kept || results->kept[replicate];
}

/* With one of several seeds only, its replicates count as if they were alone. */
static bool left_out(const struct cs_results *results, int replicate)
{
    const int seeds = results->only ? results->experiment->seeds : 1;

    return (results->only && replicate % seeds != results->only - 1) ||
           (results->parts > 1 && replicate / seeds % results->parts == results->without) ||
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

/* In how many parts the replicates are left out in turn. */
static int jackknife_parts(const struct cs_results *results)
{
    const int parts = cs_experiment_most_replicates(results->experiment) /
                      (results->only ? results->experiment->seeds : 1);

    return parts < PARTS ? parts : PARTS;
}

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

double cs_results_average_error(const struct cs_results *results,
                                const struct cs_experiment_metric *metric,
                                const struct cs_panel *panel, int series)
{
    struct cs_results some = *results;
    struct cs_stats stats = {0};

    some.parts = jackknife_parts(results);
    for (some.without = 0; some.parts > 1 && some.without < some.parts; some.without++)
        cs_stats_add(&stats, cs_results_average(&some, metric, panel, series));
    return stats.count > 1 ? (double)(some.parts - 1) * cs_stats_confidence(&stats) : 0;
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
    case CS_BETTER:
    case CS_SAME:
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

/* The limit of a check that is computed from another value. */
static double limit_of(const struct cs_results *results, const struct cs_check *check)
{
    return check->factor * cs_results_select(results, check->other) + check->plus;
}

/* By how much ours is above what is wanted. */
static double margin_of(const struct cs_results *results, const struct cs_check *check)
{
    double own = cs_results_select(results, &check->value);

    return check->other ? own - limit_of(results, check) : own;
}

static bool has_condition(const struct cs_check *check)
{
    return check->value.where || (check->other && check->other->where);
}

double cs_check_error(const struct cs_results *results, const struct cs_check *check)
{
    struct cs_results some = *results;
    struct cs_stats stats = {0};

    some.parts = jackknife_parts(results);
    for (some.without = 0; some.parts > 1 && some.without < some.parts; some.without++) {
        double margin = margin_of(&some, check);

        if (!isfinite(margin))
            return has_condition(check) ? INFINITY : 0;
        cs_stats_add(&stats, margin);
    }
    return stats.count > 1 ? (double)(some.parts - 1) * cs_stats_confidence(&stats) : 0;
}

/* The series that a select names; -1: it is not in this run, which may be a quick one. */
static int named_series(const struct cs_experiment *experiment, const struct cs_select *select)
{
    int s = experiment->axis[experiment->series].count - 1;

    while (s >= 0 && !select->series[s])
        s--;
    return s;
}

/* The value of a check (y) and the other one (x) of every replicate in every chosen place. */
static struct cs_pairs pairs_of(const struct cs_results *results, const struct cs_check *check,
                                bool smaller, struct cs_arena *arena)
{
    const struct cs_experiment *experiment = results->experiment;
    const int other = named_series(experiment, check->other);
    const int most = experiment->combinations * cs_experiment_most_replicates(experiment);
    double *x = CS_NEW_ARRAY(arena, double, most), *y = CS_NEW_ARRAY(arena, double, most);
    int n = 0;

    for (int c = 0; c < experiment->combinations; c++) {
        const int over = cs_results_over(results, c, other);

        if (!is_chosen(experiment, &check->value, experiment->combination[c].at))
            continue;
        for (int r = 0; r < replicates_of(results, over, c); r++, n++) {
            y[n] = cs_results_value(results, check->value.metric, -1, c, r);
            x[n] = raw_value(results, check->other->metric, over, r);
        }
    }
    return cs_statistics_pairs(x, y, n, smaller, 0.95, arena);
}

/* Signed ranks at 0.05, without adjustment for several checks. */
static enum cs_finding pair_finding(const struct cs_results *results, const struct cs_check *check,
                                    double *p)
{
    const struct cs_experiment *experiment = results->experiment;
    const char *name = cs_cell_metrics(experiment->problem)[check->value.metric].name;
    const bool smaller = cs_metric_direction(experiment->problem, name) != 0;
    struct cs_arena *arena = cs_arena_create();
    struct cs_pairs pairs = {0};
    bool differ, better;

    if (named_series(experiment, &check->value) >= 0 && named_series(experiment, check->other) >= 0)
        pairs = pairs_of(results, check, smaller, arena);
    cs_arena_destroy(arena);
    *p = pairs.pairs < 2 ? NAN : pairs.p;
    if (pairs.pairs < 2)
        return CS_UNCHECKED;
    differ = pairs.p < 0.05;
    better = differ && (pairs.effect < 0) == smaller;
    return (check->relation == CS_BETTER ? better : !differ) ? CS_AGREES : CS_DISAGREES;
}

double cs_check_p(const struct cs_results *results, const struct cs_check *check)
{
    double p = NAN;

    if (check->relation >= CS_BETTER)
        pair_finding(results, check, &p);
    return p;
}

enum cs_finding cs_check_finding(const struct cs_results *results, const struct cs_check *check,
                                 double *value, double *other)
{
    double low = check->low, error;
    bool below, above, here;

    *value = cs_results_select(results, &check->value);
    if (check->other)
        low = limit_of(results, check);
    *other = low;
    if (isnan(*value) || isnan(low))
        return CS_UNCHECKED;
    if (check->relation >= CS_BETTER)
        return pair_finding(results, check, &error);
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

double cs_check_second(const struct cs_results *results, const struct cs_check *check)
{
    const struct cs_second_column *second = results->experiment->second;
    struct cs_select select = check->value;

    select.metric = second ? second->metric[select.metric] : -1;
    return select.metric < 0 ? NAN : cs_results_select(results, &select);
}

struct cs_tally cs_claim_tally(const struct cs_results *results, const struct cs_claim *claim)
{
    int count[CS_UNCHECKED + 1] = {0};

    for (int c = 0; c < claim->count; c++) {
        double value, other;

        if (!claim->check[c].extra)
            count[cs_check_finding(results, &claim->check[c], &value, &other)]++;
    }
    return (struct cs_tally){.checks = count[CS_AGREES] + count[CS_DISAGREES] + count[CS_OPEN],
                             .agree = count[CS_AGREES],
                             .differ = count[CS_DISAGREES],
                             .open = count[CS_OPEN]};
}

static enum cs_finding finding_of(const struct cs_tally *tally)
{
    if (tally->agree)
        return tally->differ || tally->open ? CS_PARTLY : CS_AGREES;
    if (tally->differ)
        return CS_DISAGREES;
    return tally->open ? CS_OPEN : CS_UNCHECKED;
}

enum cs_finding cs_claim_finding(const struct cs_results *results, const struct cs_claim *claim)
{
    const struct cs_tally tally = cs_claim_tally(results, claim);

    return finding_of(&tally);
}

static const char *claim_word(const struct cs_claim *claim, enum cs_finding finding)
{
    if (!claim->answer || finding == CS_UNCHECKED)
        return cs_finding_word(finding);
    return finding == CS_AGREES ? claim->answer : cs_finding_word(CS_OPEN);
}

int cs_claim_seeds(const struct cs_results *results, const struct cs_claim *claim)
{
    const enum cs_finding pooled = cs_claim_finding(results, claim);
    struct cs_results some = *results;
    int same = 0;

    for (some.only = 1; some.only <= results->experiment->seeds; some.only++)
        same += cs_claim_finding(&some, claim) == pooled;
    return same;
}

void cs_claim_put_words(const struct cs_results *results, const struct cs_claim *claim,
                        struct cs_strbuf *out)
{
    const struct cs_tally tally = cs_claim_tally(results, claim);
    const enum cs_finding finding = finding_of(&tally);

    cs_strbuf_puts(out, claim_word(claim, finding));
    if (claim->answer)
        return;
    if (finding == CS_PARTLY)
        cs_strbuf_printf(out, " (%d of %d)", tally.agree, tally.checks);
    if (finding == CS_OPEN)
        cs_strbuf_printf(out, " (%d agree, %d open)", tally.agree, tally.open);
    if (claim->stand_in)
        cs_strbuf_puts(out, ", stand-in");
}

const char *cs_claim_verdict(const struct cs_results *results, const struct cs_claim *claim)
{
    return claim_word(claim, cs_claim_finding(results, claim));
}

bool cs_claim_counts(const struct cs_claim *claim)
{
    return !claim->stand_in && !claim->answer;
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
