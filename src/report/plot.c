/* plot.c - the layout of a figure: heading, panels in rows, legend. */
#include "report/plot.h"

#include "report/heading.h"
#include "report/plot_parts.h"
#include "report/svg.h"

#include <math.h>
#include <string.h>

enum { SMALLEST = 160, LARGEST = 16000, MOST_PANELS = 400 };

#define MARGIN CS_HEADING_MARGIN
#define COLUMN_GAP 22.0
#define ROW_GAP 14.0

static int columns_of(const struct cs_plot_figure *figure)
{
    int columns = figure->columns ? figure->columns : figure->panel_count == 1 ? 1 : 2;

    return columns < figure->panel_count ? columns : figure->panel_count;
}

static int check_axis(const struct cs_plot_axis *axis, const char *letter, int panel,
                      struct cs_error *err)
{
    if (!axis->fixed)
        return 0;
    if (!isfinite(axis->low) || !isfinite(axis->high) || axis->low >= axis->high)
        return cs_error_set(err, "panel %d: the %s axis from %g to %g is empty", panel + 1, letter,
                            axis->low, axis->high);
    if (axis->log && axis->low <= 0)
        return cs_error_set(err, "panel %d: a logarithmic %s axis cannot begin at %g", panel + 1,
                            letter, axis->low);
    return 0;
}

static int plot_check_names(const struct cs_plot_panel *panel, int index, struct cs_error *err)
{
    for (int s = 0; s < panel->series_count; s++)
        if (!panel->series[s].name || !panel->series[s].y)
            return cs_error_set(err, "panel %d: series %d has no %s", index + 1, s + 1,
                                panel->series[s].name ? "y" : "name");
    return 0;
}

static int check_categories(const struct cs_plot_panel *panel, int index, struct cs_error *err)
{
    if (panel->kind == CS_PLOT_BARS && (panel->x.categories < 1 || panel->y.log))
        return cs_error_set(err, "panel %d: bars need categories and a linear y axis", index + 1);
    for (int s = 0; s < panel->series_count && panel->x.categories; s++)
        for (int i = 0; i < panel->series[s].count; i++) {
            double x = panel->series[s].x ? panel->series[s].x[i] : i;

            if (!(x >= 0 && x < panel->x.categories && x == floor(x)))
                return cs_error_set(err, "panel %d, %s: category %g, but there are only 0 to %d",
                                    index + 1, panel->series[s].name, x, panel->x.categories - 1);
        }
    return 0;
}

static int check_size(int value, const char *what, struct cs_error *err)
{
    if (value && (value < SMALLEST || value > LARGEST))
        return cs_error_set(err, "a figure of %s %d: %d to %d pixels are possible", what, value,
                            SMALLEST, LARGEST);
    return 0;
}

static int plot_check(const struct cs_plot_figure *figure, struct cs_error *err)
{
    if (figure->panel_count < 1 || figure->panel_count > MOST_PANELS || figure->columns < 0)
        return cs_error_set(err, "a figure of %d panels in %d columns: 1 to %d panels are possible",
                            figure->panel_count, figure->columns, MOST_PANELS);
    if (check_size(figure->width, "width", err) || check_size(figure->height, "height", err))
        return -1;
    for (int p = 0; p < figure->panel_count; p++)
        if (check_axis(&figure->panel[p].x, "x", p, err) ||
            check_axis(&figure->panel[p].y, "y", p, err) ||
            plot_check_names(&figure->panel[p], p, err) ||
            check_categories(&figure->panel[p], p, err))
            return -1;
    return 0;
}

int cs_plot_name_index(const struct cs_plot *plot, const char *name)
{
    int index = 0;

    while (index < plot->names && strcmp(plot->name[index], name))
        index++;
    return index;
}

static void collect_names(struct cs_plot *plot)
{
    const struct cs_plot_figure *figure = plot->figure;
    int most = 0;

    for (int p = 0; p < figure->panel_count; p++)
        most += figure->panel[p].series_count;
    plot->name = CS_NEW_ARRAY(plot->arena, const char *, most);
    plot->kind = CS_NEW_ARRAY(plot->arena, enum cs_plot_kind, most);
    for (int p = 0; p < figure->panel_count; p++)
        for (int s = 0; s < figure->panel[p].series_count; s++) {
            const char *name = figure->panel[p].series[s].name;

            if (cs_plot_name_index(plot, name) < plot->names)
                continue;
            plot->kind[plot->names] = figure->panel[p].kind;
            plot->name[plot->names++] = name;
        }
}

/* The data of the panels in a column begin at the same x, those in a row end at the same y. */
static void place_columns(struct cs_plot *plot, int columns)
{
    double width = (plot->width - 2 * MARGIN - (columns - 1) * COLUMN_GAP) / columns;

    for (int c = 0; c < columns; c++) {
        double left = 0, x = MARGIN + c * (width + COLUMN_GAP);

        for (int p = c; p < plot->figure->panel_count; p += columns)
            left = fmax(left, cs_plot_left_room(&plot->frame[p]));
        for (int p = c; p < plot->figure->panel_count; p += columns) {
            plot->frame[p].x = ceil(x + left);
            plot->frame[p].w = fmax(floor(x + width) - plot->frame[p].x, 20);
        }
    }
}

static void place_row(struct cs_plot *plot, int first, int columns, double y, double height)
{
    int last =
        first + columns < plot->figure->panel_count ? first + columns : plot->figure->panel_count;
    double top = 0, bottom = 0;

    for (int p = first; p < last; p++) {
        top = fmax(top, cs_plot_top_room(&plot->frame[p]));
        bottom = fmax(bottom, cs_plot_bottom_room(&plot->frame[p], plot->frame[p].w));
    }
    for (int p = first; p < last; p++) {
        plot->frame[p].y = ceil(y + top);
        plot->frame[p].h = fmax(floor(y + height - bottom) - plot->frame[p].y, 20);
    }
}

static void set_scales(struct cs_plot_frame *frame)
{
    frame->across.from = frame->x;
    frame->across.to = frame->x + frame->w;
    frame->up.from = frame->y + frame->h;
    frame->up.to = frame->y;
}

/* The height of a row of panels so wide: less in narrow figures. */
static double natural_row(double width, bool alone)
{
    return floor(fmin(alone ? 380 : 300, 0.62 * width + 60));
}

static void lay_out(struct cs_plot *plot)
{
    const struct cs_plot_figure *figure = plot->figure;
    int columns = columns_of(figure), rows = (figure->panel_count + columns - 1) / columns;
    double top = cs_heading_height(figure->title, figure->subtitle), legend, row;

    plot->width = figure->width  ? figure->width
                  : columns == 1 ? 640
                                 : fmin(480.0 * columns, LARGEST);
    legend = cs_plot_legend_height(plot);
    row = figure->height ? (figure->height - top - legend - MARGIN - (rows - 1) * ROW_GAP) / rows
                         : natural_row(plot->width / columns, columns == 1 && rows == 1);
    plot->height =
        figure->height ? figure->height : top + rows * row + (rows - 1) * ROW_GAP + legend + MARGIN;
    for (int p = 0; p < figure->panel_count; p++)
        cs_plot_fold(&plot->frame[p], row);
    place_columns(plot, columns);
    for (int r = 0; r < rows; r++)
        place_row(plot, r * columns, columns, top + r * (row + ROW_GAP), row);
    for (int p = 0; p < figure->panel_count; p++)
        set_scales(&plot->frame[p]);
}

static void put_hatches(struct cs_plot *plot)
{
    struct cs_strbuf patterns = CS_STRBUF_INIT;
    int bars = 0;

    for (int name = 0; name < plot->names; name++)
        if (plot->kind[name] == CS_PLOT_BARS)
            bars = name + 1;
    cs_hatch_put_patterns(bars, plot->theme, &patterns);
    if (patterns.length)
        cs_strbuf_printf(plot->out, "<defs>\n%s</defs>\n", patterns.text);
    cs_strbuf_release(&patterns);
}

static void plot_draw(struct cs_plot *plot)
{
    const struct cs_plot_figure *figure = plot->figure;

    cs_svg_begin(plot->out, plot->width, plot->height,
                 plot->theme->dark ? "cs-plot dark" : "cs-plot light",
                 figure->title ? figure->title : "Figure");
    cs_svg_rect(plot->out, 0, 0, plot->width, plot->height, 0,
                &(struct cs_svg_paint){.class = "background", .fill = plot->theme->background});
    put_hatches(plot);
    cs_heading_draw(plot->out, plot->theme, figure->title, figure->subtitle, plot->width);
    for (int p = 0; p < figure->panel_count; p++) {
        cs_svg_group_begin(plot->out, "panel", NULL);
        cs_plot_draw_axes(plot, &plot->frame[p]);
        cs_plot_draw_data(plot, &plot->frame[p]);
        cs_svg_group_end(plot->out);
    }
    cs_plot_draw_legend(plot);
    cs_svg_end(plot->out);
}

int cs_plot_svg(const struct cs_plot_figure *figure, struct cs_strbuf *out, struct cs_error *err)
{
    struct cs_plot plot = {.figure = figure, .out = out};

    if (plot_check(figure, err))
        return -1;
    plot.theme = cs_theme(figure->style);
    plot.arena = cs_arena_create();
    plot.frame = CS_NEW_ARRAY(plot.arena, struct cs_plot_frame, figure->panel_count);
    collect_names(&plot);
    for (int p = 0; p < figure->panel_count; p++) {
        plot.frame[p].panel = &figure->panel[p];
        cs_plot_measure(&plot, &plot.frame[p]);
    }
    lay_out(&plot);
    plot_draw(&plot);
    cs_arena_destroy(plot.arena);
    return 0;
}
