/* output_svg.c - the figure: a plot for each metric (row) and panel (column); of a table, a plot
 * for each metric and panel with the policies side by side, the paper's numbers beside ours. */
#include "campaign/output.h"

#include "report/plot.h"

#include <math.h>

#define LABELS 12

struct drawing {
    const struct cs_results *results;
    const struct cs_paper_metric *metric;
    int panel;
    struct cs_arena *arena;
};

/* Words, and few numbers at equal distances: each value has a label of its own. */
static bool is_labelled(const struct cs_paper *paper, const struct cs_paper_panel *panel)
{
    const struct cs_paper_x *x = panel->x;

    if (isnan(x[0].number))
        return true;
    for (int i = 2; i < panel->count; i++)
        if (x[i].number - x[i - 1].number != x[1].number - x[0].number)
            return false;
    return !paper->x_log && panel->count > 1 && panel->count <= LABELS && x[1].number > x[0].number;
}

static struct cs_plot_axis x_axis(struct drawing *drawing)
{
    const struct cs_paper *paper = drawing->results->paper;
    const struct cs_paper_panel *panel = &paper->panel[drawing->panel];
    const char **word = CS_NEW_ARRAY(drawing->arena, const char *, panel->count);

    for (int i = 0; i < panel->count; i++)
        word[i] = panel->x[i].label;
    return (struct cs_plot_axis){.title = paper->x_title,
                                 .log = paper->x_log,
                                 .categories = is_labelled(paper, panel) ? panel->count : 0,
                                 .category = word};
}

static void draw_series(struct drawing *drawing, int s, struct cs_plot_series *out)
{
    const struct cs_paper *paper = drawing->results->paper;
    const struct cs_paper_panel *panel = &paper->panel[drawing->panel];
    const bool labelled = is_labelled(paper, panel);
    double *x = CS_NEW_ARRAY(drawing->arena, double, panel->count);
    double *y = CS_NEW_ARRAY(drawing->arena, double, panel->count);
    double *low = CS_NEW_ARRAY(drawing->arena, double, panel->count);
    double *high = CS_NEW_ARRAY(drawing->arena, double, panel->count);

    for (int i = 0; i < panel->count; i++) {
        struct cs_mean mean = cs_results_mean(drawing->results, drawing->metric->index,
                                              drawing->metric->over, drawing->panel, s, i);

        x[i] = labelled ? i : panel->x[i].number;
        y[i] = mean.mean;
        low[i] = mean.mean - mean.half_width;
        high[i] = mean.mean + mean.half_width;
    }
    *out = (struct cs_plot_series){
        .name = paper->series[s].label, .count = panel->count, .x = x, .y = y};
    if (paper->series[s].replicates > 1) {
        out->low = low;
        out->high = high;
    }
}

static struct cs_plot_axis value_axis(const struct cs_paper_metric *metric)
{
    return (struct cs_plot_axis){.title = metric->title,
                                 .log = metric->log,
                                 .zero = metric->from == 0,
                                 .fixed = !isnan(metric->from) && !isnan(metric->to),
                                 .low = metric->from,
                                 .high = metric->to};
}

static struct cs_plot_panel draw_panel(struct drawing *drawing)
{
    const struct cs_paper *paper = drawing->results->paper;
    const struct cs_paper_panel *panel = &paper->panel[drawing->panel];
    struct cs_plot_series *series =
        CS_NEW_ARRAY(drawing->arena, struct cs_plot_series, paper->nseries);
    struct cs_plot_panel plot = {.title = panel->title,
                                 .kind = CS_PLOT_LINES,
                                 .x = x_axis(drawing),
                                 .y = value_axis(drawing->metric),
                                 .series = series};

    for (int s = 0; s < paper->nseries; s++)
        if (paper->series[s].in[drawing->panel] && paper->series[s].draw)
            draw_series(drawing, s, &series[plot.series_count++]);
    return plot;
}

/* A gap after every point, so that no line joins one policy with the next. */
static struct cs_plot_series points(struct drawing *drawing, const char *name, const double *value)
{
    int count = drawing->results->paper->nseries;
    double *x = CS_NEW_ARRAY(drawing->arena, double, 2 * count);
    double *y = CS_NEW_ARRAY(drawing->arena, double, 2 * count);

    for (int s = 0; s < count; s++) {
        x[2 * s] = x[2 * s + 1] = s;
        y[2 * s] = value[s];
        y[2 * s + 1] = NAN;
    }
    return (struct cs_plot_series){.name = name, .count = 2 * count, .x = x, .y = y};
}

static struct cs_plot_panel draw_table(struct drawing *drawing)
{
    const struct cs_paper *paper = drawing->results->paper;
    const char **word = CS_NEW_ARRAY(drawing->arena, const char *, paper->nseries);
    double *ours = CS_NEW_ARRAY(drawing->arena, double, paper->nseries);
    double *theirs = CS_NEW_ARRAY(drawing->arena, double, paper->nseries);
    struct cs_plot_series *series = CS_NEW_ARRAY(drawing->arena, struct cs_plot_series, 2);
    const double *reference = drawing->metric->reference;

    for (int s = 0; s < paper->nseries; s++) {
        word[s] = paper->series[s].label;
        ours[s] = cs_results_average(drawing->results, drawing->metric, drawing->panel, s);
        theirs[s] = reference ? reference[s * paper->npanels + drawing->panel] : NAN;
    }
    series[0] = points(drawing, "the paper", theirs);
    series[1] = points(drawing, "this machine", ours);
    return (struct cs_plot_panel){.title = paper->panel[drawing->panel].title,
                                  .kind = CS_PLOT_LINES,
                                  .x = {.categories = paper->nseries, .category = word},
                                  .y = value_axis(drawing->metric),
                                  .series_count = reference ? 2 : 1,
                                  .series = reference ? series : series + 1};
}

int cs_output_svg(const struct cs_results *results, struct cs_strbuf *out, struct cs_error *err)
{
    const struct cs_paper *paper = results->paper;
    struct cs_arena *arena = cs_arena_create();
    struct cs_plot_panel *plot =
        CS_NEW_ARRAY(arena, struct cs_plot_panel, paper->npanels * paper->nmetrics);
    struct cs_strbuf title = CS_STRBUF_INIT;
    struct cs_plot_figure figure = {.columns = paper->columns ? paper->columns : paper->npanels,
                                    .panel_count = paper->npanels * paper->nmetrics,
                                    .panel = plot};
    int status;

    for (int m = 0; m < paper->nmetrics; m++)
        for (int p = 0; p < paper->npanels; p++) {
            struct drawing drawing = {results, &paper->metric[m], p, arena};

            *plot++ = paper->table ? draw_table(&drawing) : draw_panel(&drawing);
        }
    cs_strbuf_printf(&title, "%s: %s", paper->place, paper->title);
    figure.title = title.text;
    figure.subtitle = paper->subtitle;
    status = cs_plot_svg(&figure, out, err);
    cs_strbuf_release(&title);
    cs_arena_destroy(arena);
    return status;
}
