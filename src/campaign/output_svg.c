/* output_svg.c - the figure: a plot for each metric (row) and panel (column); of a table, a plot
 * for each metric and panel with the policies side by side, or in rows, the numbers of the paper
 * next to the results. */
#include "campaign/output.h"

#include "report/axis.h"
#include "report/plot.h"

#include <math.h>
#include <string.h>

#define LABELS 12
#define NARROWEST 240 /* panels side by side */

struct drawing {
    const struct cs_results *results;
    const struct cs_experiment *experiment;
    const struct cs_experiment_metric *metric;
    const struct cs_panel *panel;
    struct cs_arena *arena;
};

/* An experiment without an axis has one value on it, which is a word. */
static double output_svg_number_of(const struct drawing *drawing, int i)
{
    const struct cs_experiment *experiment = drawing->experiment;

    return experiment->x < 0 ? NAN
                             : experiment->axis[experiment->x].value[drawing->panel->x[i]].number;
}

/* Words, and few numbers at equal distances: each value has a separate label. */
static bool is_labelled(const struct drawing *drawing)
{
    const int count = drawing->panel->count;
    double first = output_svg_number_of(drawing, 0);
    double step = count > 1 ? output_svg_number_of(drawing, 1) - first : 0;

    if (isnan(first))
        return true;
    for (int i = 2; i < count; i++)
        if (output_svg_number_of(drawing, i) - output_svg_number_of(drawing, i - 1) != step)
            return false;
    return !drawing->experiment->log && count > 1 && count <= LABELS && step > 0;
}

/* The name of a parameter or metric as a title: "pack size", with a unit "mean wait (h)". */
static const char *plain_title(struct cs_arena *arena, const char *name, const char *unit)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *title;

    for (const char *at = name; *at; at++)
        cs_strbuf_putc(&text, *at == '_' ? ' ' : *at);
    if (unit)
        cs_strbuf_printf(&text, " (%s)", unit);
    title = cs_arena_strdup(arena, text.text);
    cs_strbuf_release(&text);
    return title;
}

/* The title that the file gives, or the name of the parameter; times without a unit are seconds. */
static const char *x_title(struct drawing *drawing)
{
    const struct cs_experiment *experiment = drawing->experiment;
    const struct cs_experiment_axis *axis = &experiment->axis[experiment->x];
    const char *name = axis->parameter ? axis->parameter : axis->name;
    const char *label = axis->value[drawing->panel->x[0]].label;
    const size_t length = strlen(label);
    const struct cs_param *field;
    struct cs_error err = {0};
    bool seconds;

    if (axis->title != name)
        return axis->title;
    field = cs_cell_param(experiment->problem, name, &err);
    seconds = field && field->kind == CS_PARAM_SECONDS && length &&
              strchr("0123456789", label[length - 1]) != NULL;
    return plain_title(drawing->arena, name, seconds ? "s" : NULL);
}

static struct cs_plot_axis x_axis(struct drawing *drawing)
{
    const struct cs_experiment *experiment = drawing->experiment;
    const struct cs_panel *panel = drawing->panel;
    const char **word = CS_NEW_ARRAY(drawing->arena, const char *, panel->count);

    for (int i = 0; i < panel->count; i++)
        word[i] = experiment->x < 0 ? "" : experiment->axis[experiment->x].value[panel->x[i]].label;
    return (struct cs_plot_axis){.title = experiment->x < 0 ? "" : x_title(drawing),
                                 .log = experiment->log,
                                 .categories = is_labelled(drawing) ? panel->count : 0,
                                 .category = word};
}

static const char *label_of(const struct cs_experiment *experiment, int series)
{
    return experiment->series < 0 ? experiment->title
                                  : experiment->axis[experiment->series].value[series].label;
}

static struct cs_mean mean_of(const struct drawing *drawing, int combination)
{
    const struct cs_experiment_metric *metric = drawing->metric;
    int over = cs_results_over(drawing->results, combination, metric->over);
    struct cs_mean mean = cs_results_mean(drawing->results, metric->index, over, combination);

    mean.mean /= metric->unit;
    mean.half_width /= metric->unit;
    return mean;
}

/* An interval does not reach below the least value that the metric can have. */
static double least_low(const struct cs_experiment_metric *metric, const struct cs_mean *mean)
{
    const double low = mean->mean - mean->half_width;

    return low < metric->from && mean->mean >= metric->from ? metric->from : low;
}

/* The values of a series that were run; false without values. */
static bool draw_series(struct drawing *drawing, int s, struct cs_plot_series *out)
{
    const struct cs_panel *panel = drawing->panel;
    const bool labelled = is_labelled(drawing);
    double *x = CS_NEW_ARRAY(drawing->arena, double, panel->count);
    double *y = CS_NEW_ARRAY(drawing->arena, double, panel->count);
    double *low = CS_NEW_ARRAY(drawing->arena, double, panel->count);
    double *high = CS_NEW_ARRAY(drawing->arena, double, panel->count);
    int count = 0, replicates = 0;

    for (int i = 0; i < panel->count; i++) {
        int c = panel->combination[s * panel->count + i];
        struct cs_mean mean;

        if (c < 0)
            continue;
        mean = mean_of(drawing, c);
        replicates = drawing->experiment->combination[c].count;
        x[count] = labelled ? i : output_svg_number_of(drawing, i);
        y[count] = mean.mean;
        low[count] = least_low(drawing->metric, &mean);
        high[count++] = mean.mean + mean.half_width;
    }
    *out = (struct cs_plot_series){
        .name = label_of(drawing->experiment, s),
        .count = count,
        .x = x,
        .y = y,
        .dashed = drawing->experiment->series >= 0 &&
                  drawing->experiment->axis[drawing->experiment->series].value[s].dashed};
    if (replicates > 1) {
        out->low = low;
        out->high = high;
    }
    return count > 0;
}

static struct cs_plot_axis value_axis(const struct cs_experiment_metric *metric)
{
    return (struct cs_plot_axis){.title = metric->title,
                                 .log = metric->log,
                                 .zero = metric->from == 0,
                                 .fixed = !isnan(metric->from) && !isnan(metric->to),
                                 .clip = metric->clip,
                                 .low = metric->from,
                                 .high = metric->to};
}

static bool is_drawn(const struct cs_experiment *experiment, int series)
{
    return experiment->series < 0 || !experiment->axis[experiment->series].value[series].hidden;
}

/* The name of a file is not a title. */
static const char *title_of(const struct drawing *drawing)
{
    const char *title = drawing->panel->title;

    return title == drawing->experiment->name ? NULL : plain_title(drawing->arena, title, NULL);
}

static struct cs_plot_panel draw_panel(struct drawing *drawing)
{
    int count = cs_results_series(drawing->results);
    struct cs_plot_series *series = CS_NEW_ARRAY(drawing->arena, struct cs_plot_series, count);
    struct cs_plot_panel plot = {.title = title_of(drawing),
                                 .kind = CS_PLOT_LINES,
                                 .apart = isnan(output_svg_number_of(drawing, 0)),
                                 .x = x_axis(drawing),
                                 .y = value_axis(drawing->metric),
                                 .series = series};

    for (int s = 0; s < count; s++)
        if (is_drawn(drawing->experiment, s) && draw_series(drawing, s, &series[plot.series_count]))
            plot.series_count++;
    return plot;
}

/* Milliseconds belong to the machine on which they are measured, all other values do not. */
static const char *experiment_name(const struct cs_experiment *experiment)
{
    return experiment->serial ? "this machine" : "cosched";
}

/* The numbers of a table, one for each series. */
struct column {
    int count;
    const char **word;
    double *ours, *low, *high, *theirs, *place;
};

static struct column column_of(struct drawing *drawing)
{
    const struct cs_results *results = drawing->results;
    const struct cs_experiment_metric *metric = drawing->metric;
    const int count = cs_results_series(results);
    struct column column = {.count = count,
                            .word = CS_NEW_ARRAY(drawing->arena, const char *, count),
                            .ours = CS_NEW_ARRAY(drawing->arena, double, count),
                            .low = CS_NEW_ARRAY(drawing->arena, double, count),
                            .high = CS_NEW_ARRAY(drawing->arena, double, count),
                            .theirs = CS_NEW_ARRAY(drawing->arena, double, count),
                            .place = CS_NEW_ARRAY(drawing->arena, double, count)};

    for (int s = 0; s < count; s++) {
        struct cs_mean mean = {
            .mean = cs_results_average(results, metric, drawing->panel, s) / metric->unit,
            .half_width =
                cs_results_average_error(results, metric, drawing->panel, s) / metric->unit};

        column.word[s] = label_of(drawing->experiment, s);
        column.ours[s] = mean.mean;
        column.low[s] = mean.half_width > 0 ? least_low(metric, &mean) : NAN;
        column.high[s] = mean.half_width > 0 ? mean.mean + mean.half_width : NAN;
        column.theirs[s] = cs_results_reference(results, metric, drawing->panel, s);
        column.place[s] = s;
    }
    return column;
}

/* Policies side by side. */
static struct cs_plot_panel draw_table(struct drawing *drawing)
{
    const struct column column = column_of(drawing);
    struct cs_plot_series *series = CS_NEW_ARRAY(drawing->arena, struct cs_plot_series, 2);
    const bool printed = drawing->metric->reference != NULL;

    series[0] = (struct cs_plot_series){
        .name = "the paper", .count = column.count, .x = column.place, .y = column.theirs};
    series[1] = (struct cs_plot_series){.name = experiment_name(drawing->experiment),
                                        .count = column.count,
                                        .x = column.place,
                                        .y = column.ours,
                                        .low = column.low,
                                        .high = column.high};
    return (struct cs_plot_panel){.title = title_of(drawing),
                                  .kind = CS_PLOT_LINES,
                                  .apart = true,
                                  .x = {.categories = column.count, .category = column.word},
                                  .y = value_axis(drawing->metric),
                                  .series_count = printed ? 2 : 1,
                                  .series = printed ? series : series + 1};
}

/* Rows by value, those without one last. */
static void place_rows(struct column *column, struct cs_arena *arena)
{
    const char **word = CS_NEW_ARRAY(arena, const char *, column->count);

    for (int s = 0; s < column->count; s++) {
        int before = 0;

        for (int o = 0; o < column->count; o++) {
            const double own = column->ours[s], other = column->ours[o];
            const bool level = other == own || (isnan(other) && isnan(own));

            before += other < own || (isnan(own) && !isnan(other)) || (level && o < s);
        }
        column->place[s] = before;
        word[before] = column->word[s];
    }
    column->word = word;
}

/* A row for each policy. */
static struct cs_plot_panel draw_forest(struct drawing *drawing)
{
    struct column column = column_of(drawing);
    struct cs_plot_series *series = CS_NEW_ARRAY(drawing->arena, struct cs_plot_series, 2);

    place_rows(&column, drawing->arena);
    series[0] = (struct cs_plot_series){.name = experiment_name(drawing->experiment),
                                        .count = column.count,
                                        .x = column.ours,
                                        .y = column.place,
                                        .low = column.low,
                                        .high = column.high};
    series[1] = (struct cs_plot_series){.name = "the paper",
                                        .count = column.count,
                                        .x = column.theirs,
                                        .y = column.place,
                                        .hollow = true};
    return (struct cs_plot_panel){.title = title_of(drawing),
                                  .kind = CS_PLOT_FOREST,
                                  .x = value_axis(drawing->metric),
                                  .y = {.categories = column.count, .category = column.word},
                                  .series_count = drawing->metric->reference ? 2 : 1,
                                  .series = series};
}

/* Is the metric of this name; any for NULL. */
static bool is_metric(const struct cs_experiment *experiment, int m, const char *name)
{
    const struct cs_metric *own =
        &cs_cell_metrics(experiment->problem)[experiment->metric[m].index];

    return !name || !strcmp(own->name, name) || (own->old && !strcmp(own->old, name));
}

static int count_metrics(const struct cs_experiment *experiment, const char *name,
                         struct cs_error *err)
{
    struct cs_strbuf names = CS_STRBUF_INIT;
    int count = 0;

    for (int m = 0; m < experiment->metrics; m++)
        count += is_metric(experiment, m, name);
    if (count)
        return count;
    for (int m = 0; m < experiment->metrics; m++)
        cs_strbuf_printf(&names, "%s%s", m ? ", " : "",
                         cs_cell_metrics(experiment->problem)[experiment->metric[m].index].name);
    cs_error_set(err, "%s shows no metric %s, but %s", experiment->name, name, names.text);
    cs_strbuf_release(&names);
    return 0;
}

/* As many panels side by side as leave each of them room. */
static int columns_of(const struct cs_experiment *experiment, int panels, int width)
{
    int columns = experiment->columns ? experiment->columns : panels;
    int most = width ? width / NARROWEST : columns;

    return columns < most ? columns : most > 1 ? most : 1;
}

/* The numbers of a metric are across in forests, upwards elsewhere. */
static const double *values_of(const struct cs_plot_panel *plot, int s)
{
    return plot->kind == CS_PLOT_FOREST ? plot->series[s].x : plot->series[s].y;
}

static struct cs_plot_axis *axis_of(struct cs_plot_panel *plot)
{
    return plot->kind == CS_PLOT_FOREST ? &plot->x : &plot->y;
}

/* The largest value of a metric, in all panels. */
static double largest_value(const struct cs_plot_panel *plot, int panels)
{
    double most = 0;

    for (int p = 0; p < panels; p++)
        for (int s = 0; s < plot[p].series_count; s++)
            for (int i = 0; i < plot[p].series[s].count; i++)
                most = fmax(most, fabs(values_of(&plot[p], s)[i]));
    return most;
}

static const double *scale_values(struct cs_arena *arena, const double *value, int count,
                                  double factor)
{
    double *scaled = CS_NEW_ARRAY(arena, double, count);

    for (int i = 0; value && i < count; i++)
        scaled[i] = value[i] * factor;
    return value ? scaled : NULL;
}

/* A metric for which the file sets neither title nor range: seconds in a unit that suits them,
 * shares in percent. */
static void scale_metric(const struct cs_experiment *experiment, int m, struct cs_plot_panel *plot,
                         int panels, struct cs_arena *arena)
{
    const struct cs_experiment_metric *metric = &experiment->metric[m];
    const struct cs_metric *own = &cs_cell_metrics(experiment->problem)[metric->index];
    const enum cs_value_kind kind = own->value ? own->value->kind : CS_VALUE_NUMBER;
    struct cs_time_unit unit = {NULL, 1};

    if (metric->title != own->name || !isnan(metric->from) || !isnan(metric->to))
        return;
    if (kind == CS_VALUE_SECONDS && !(largest_value(plot, panels) > 0))
        unit.name = "s";
    else if (kind == CS_VALUE_SECONDS)
        unit = cs_time_unit(largest_value(plot, panels));
    else if (kind == CS_VALUE_SHARE)
        unit = (struct cs_time_unit){"%", 0.01};
    for (int p = 0; p < panels; p++) {
        struct cs_plot_series *series =
            CS_NEW_ARRAY(arena, struct cs_plot_series, plot[p].series_count);

        for (int s = 0; s < plot[p].series_count; s++) {
            const int count = plot[p].series[s].count;

            series[s] = plot[p].series[s];
            *(plot[p].kind == CS_PLOT_FOREST ? &series[s].x : &series[s].y) =
                scale_values(arena, values_of(&plot[p], s), count, 1 / unit.seconds);
            series[s].low = scale_values(arena, series[s].low, count, 1 / unit.seconds);
            series[s].high = scale_values(arena, series[s].high, count, 1 / unit.seconds);
        }
        plot[p].series = series;
        axis_of(&plot[p])->title = plain_title(arena, own->name, unit.name);
    }
}

static void widen(struct cs_plot_axis *axis, double value)
{
    if (!isfinite(value) || (axis->log && !(value > 0)))
        return;
    axis->reach_low = axis->reach ? fmin(axis->reach_low, value) : value;
    axis->reach_high = axis->reach ? fmax(axis->reach_high, value) : value;
    axis->reach = true;
}

static void widen_all(struct cs_plot_axis *axis, const double *value, int count)
{
    for (int i = 0; value && i < count; i++)
        widen(axis, value[i]);
}

/* Panels of a metric in one row of plots have one range. */
static void share_range(struct cs_plot_panel *plot, int count)
{
    struct cs_plot_axis all = *axis_of(plot);

    for (int p = 0; p < count; p++)
        for (int s = 0; s < plot[p].series_count; s++) {
            const struct cs_plot_series *series = &plot[p].series[s];

            widen_all(&all, values_of(&plot[p], s), series->count);
            widen_all(&all, series->low, series->count);
            widen_all(&all, series->high, series->count);
        }
    for (int p = 0; p < count && !all.fixed; p++) {
        struct cs_plot_axis *axis = axis_of(&plot[p]);

        axis->reach = all.reach;
        axis->reach_low = all.reach_low;
        axis->reach_high = all.reach_high;
    }
}

/* The panels of a metric, from place `first` of the figure on, row by row. */
static void share_ranges(struct cs_plot_panel *plot, int panels, int first, int columns)
{
    for (int p = 0, count; p < panels; p += count) {
        const int left = columns - (first + p) % columns;

        count = left < panels - p ? left : panels - p;
        share_range(plot + p, count);
    }
}

/* The only panel of several metrics has its title above the first. */
static void put_plots(const struct drawing *of, const char *metric, int panels, int columns,
                      struct cs_plot_panel *plot)
{
    const struct cs_experiment *experiment = of->experiment;
    const struct cs_plot_panel *first = plot;
    struct cs_plot_panel (*draw)(struct drawing *) = experiment->table ? draw_table : draw_panel;

    if (experiment->forest)
        draw = draw_forest;
    for (int m = 0; m < experiment->metrics; m++) {
        if (!is_metric(experiment, m, metric))
            continue;
        for (int p = 0; p < panels; p++) {
            struct drawing drawing = *of;

            drawing.metric = &experiment->metric[m];
            drawing.panel = &of->panel[p];
            plot[p] = draw(&drawing);
            if (panels == 1 && plot > first)
                plot[p].title = NULL;
        }
        scale_metric(experiment, m, plot, panels, of->arena);
        if (!experiment->metric[m].own_range && experiment->paper)
            share_ranges(plot, panels, (int)(plot - first), columns);
        plot += panels;
    }
}

static void set_heading(struct cs_plot_figure *figure, const struct cs_experiment *experiment,
                        struct cs_strbuf *title, struct cs_strbuf *subtitle)
{
    cs_output_heading(experiment, title);
    cs_experiment_put_subtitle(experiment, subtitle);
    figure->title = title->text;
    figure->subtitle = subtitle->length ? subtitle->text : NULL;
}

int cs_output_svg(const struct cs_results *results, const struct cs_figure_style *appearance,
                  struct cs_strbuf *out, struct cs_error *err)
{
    const struct cs_experiment *experiment = results->experiment;
    const struct cs_figure_style usual = {.metric = NULL}, *l = appearance ? appearance : &usual;
    int panels, metrics = count_metrics(experiment, l->metric, err), status;
    struct cs_arena *arena;
    struct cs_strbuf title = CS_STRBUF_INIT, subtitle = CS_STRBUF_INIT;
    const struct cs_panel *panel;
    struct cs_plot_figure figure = {.width = l->picture.width,
                                    .height = l->picture.height,
                                    .style = l->picture.style,
                                    .title = l->picture.title};
    struct cs_plot_panel *plot;

    if (!metrics)
        return -1;
    arena = cs_arena_create();
    panel = cs_results_panels(results, arena, &panels);
    plot = CS_NEW_ARRAY(arena, struct cs_plot_panel, panels * metrics);
    figure.columns = columns_of(experiment, panels, figure.width);
    put_plots(&(struct drawing){results, experiment, NULL, panel, arena}, l->metric, panels,
              figure.columns, plot);
    figure.panel_count = panels * metrics;
    figure.panel = plot;
    if (!appearance)
        set_heading(&figure, experiment, &title, &subtitle);
    status = panels ? cs_plot_svg(&figure, out, err)
                    : cs_error_set(err,
                                   "%s has no figure: no parameter is in all lists of \"vary\", "
                                   "which the x axis needs",
                                   experiment->name);
    cs_strbuf_release(&title);
    cs_strbuf_release(&subtitle);
    cs_arena_destroy(arena);
    return status;
}
