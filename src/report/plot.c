/* plot.c - the layout of a figure: heading, panels in rows, legend. */
#include "report/plot.h"
#include "base/order.h"
#include "report/plot_parts.h"
#include "report/svg.h"
#include "report/text_metrics.h"

#include <math.h>
#include <string.h>

/* The scales of a panel, its grid, ticks and titles. */

#define FONT CS_PLOT_FONT
#define TITLE 12.0
#define LINE 15.0           /* from one line of a title to the next */
#define MARGIN_BETWEEN 30.0 /* that the title of a y axis may be longer than it */
#define LONGEST_LABEL 110.0 /* of a category that is tilted */
#define TILT 35.0           /* degrees */

/* Far from where the arithmetic of a scale would overflow. */
static bool plot_axes_showable(bool on_log, double value)
{
    return isfinite(value) && fabs(value) < 1e200 && (!on_log || value > 1e-200);
}

double cs_plot_pixel(const struct cs_plot_scale *scale, double value)
{
    double part;

    if (!plot_axes_showable(scale->log, value))
        return NAN;
    part = scale->log ? log(value / scale->low) / log(scale->high / scale->low)
                      : (value - scale->low) / (scale->high - scale->low);
    return scale->from + part * (scale->to - scale->from);
}

/* The range of the numbers that an axis can show. */
struct range {
    bool log;
    double low, high;
};

static void plot_axes_include(struct range *range, double value)
{
    if (!plot_axes_showable(range->log, value))
        return;
    range->low = fmin(range->low, value);
    range->high = fmax(range->high, value);
}

static void include_series(struct range *x, struct range *y, const struct cs_plot_series *series,
                           bool forest)
{
    struct range *around = forest ? x : y;

    for (int i = 0; i < series->count; i++) {
        plot_axes_include(x, series->x ? series->x[i] : i);
        plot_axes_include(y, series->y[i]);
        if (series->low && isfinite(series->y[i]))
            plot_axes_include(around, series->low[i]);
        if (series->high && isfinite(series->y[i]))
            plot_axes_include(around, series->high[i]);
    }
}

/* A single value gets some room around it, zeros get an axis to 1. */
static void open_up(struct range *range)
{
    double around = 0.1 * fabs(range->low);

    if (range->high - range->low > 1e-12 * fabs(range->high))
        return;
    if (around == 0) {
        range->high = 1;
    } else if (range->log) {
        range->low /= 2;
        range->high *= 2;
    } else {
        range->low -= around;
        range->high += around;
    }
}

static void pad_log(struct range *range, double part)
{
    double factor = pow(range->high / range->low, part);

    range->low /= factor;
    range->high *= factor;
}

static void set_scale(struct cs_plot_scale *scale, const struct cs_plot_axis *axis,
                      struct range range)
{
    *scale = (struct cs_plot_scale){.log = axis->log, .low = range.low, .high = range.high};
    if (axis->fixed) {
        scale->low = axis->low;
        scale->high = axis->high;
    }
}

static void measure_y(struct cs_plot_frame *frame, struct range range)
{
    const struct cs_plot_axis *axis = &frame->panel->y;
    bool zero = !axis->log && (axis->zero || frame->panel->kind == CS_PLOT_BARS);

    if (axis->categories) {
        frame->up = (struct cs_plot_scale){.low = axis->categories - 0.5, .high = -0.5};
        return;
    }
    if (zero)
        plot_axes_include(&range, 0);
    open_up(&range);
    if (axis->log)
        pad_log(&range, 0.05);
    else
        cs_ticks_widen(&range.low, &range.high, 5);
    set_scale(&frame->up, axis, range);
    (axis->log ? cs_ticks_log : cs_ticks_linear)(frame->up.low, frame->up.high, 6,
                                                 &frame->up.ticks);
}

static void measure_x(struct cs_plot_frame *frame, struct range range)
{
    const struct cs_plot_axis *axis = &frame->panel->x;
    double pad;

    if (axis->categories) {
        frame->across = (struct cs_plot_scale){.low = -0.5, .high = axis->categories - 0.5};
        return;
    }
    if (axis->zero && !axis->log)
        plot_axes_include(&range, 0);
    open_up(&range);
    pad = 0.03 * (range.high - range.low);
    if (axis->log) {
        pad_log(&range, 0.03);
    } else {
        range.low -= axis->zero && range.low >= 0 ? 0 : pad;
        range.high += pad;
    }
    set_scale(&frame->across, axis, range);
}

static void include_reach(struct range *range, const struct cs_plot_axis *axis)
{
    if (!axis->reach)
        return;
    plot_axes_include(range, axis->reach_low);
    plot_axes_include(range, axis->reach_high);
}

/* Scales and ticks. */
static void plot_measure(struct cs_plot_frame *frame)
{
    const struct cs_plot_panel *panel = frame->panel;
    struct range x = {panel->x.log, INFINITY, -INFINITY}, y = {panel->y.log, INFINITY, -INFINITY};

    for (int s = 0; s < panel->series_count; s++)
        include_series(&x, &y, &panel->series[s], panel->kind == CS_PLOT_FOREST);
    frame->empty = x.low > x.high || y.low > y.high;
    for (int m = 0; m < panel->mark_count; m++)
        plot_axes_include(&y, panel->mark[m].y);
    include_reach(&x, &panel->x);
    include_reach(&y, &panel->y);
    if (x.low > x.high)
        x.low = x.high = 1;
    if (y.low > y.high)
        y.low = y.high = 1;
    measure_y(frame, y);
    measure_x(frame, x);
}

/* Room around the data. */

static bool plot_axes_has(const char *text)
{
    return text && *text;
}

static double widest_category(const struct cs_plot_axis *axis)
{
    double widest = 0;

    for (int i = 0; i < axis->categories; i++)
        widest = fmax(widest, cs_text_width(axis->category[i], FONT, false));
    return widest;
}

static double plot_left_room(const struct cs_plot_frame *frame)
{
    double widest = widest_category(&frame->panel->y);

    for (int i = 0; i < frame->up.ticks.count; i++)
        widest = fmax(widest, cs_text_width(frame->up.ticks.label[i], FONT, false));
    return widest + 8 + (plot_axes_has(frame->panel->y.title) ? 20 : 0) +
           (frame->folded ? LINE : 0);
}

static double plot_bottom_room(struct cs_plot_frame *frame, double width)
{
    const struct cs_plot_axis *axis = &frame->panel->x;
    double labels = 20, widest = widest_category(axis);

    frame->tilted = axis->categories && widest > width / axis->categories - 8;
    if (frame->tilted)
        labels = 14 + sin(TILT * 3.14159265 / 180) * fmin(widest, LONGEST_LABEL);
    return labels + (plot_axes_has(axis->title) ? 20 : 0);
}

/* A title that is too wide has two lines; where its first one ends. */
static size_t plot_axes_fold(const char *title, double size, bool bold, double room)
{
    struct cs_strbuf line = CS_STRBUF_INIT;
    size_t end = strlen(title);

    cs_strbuf_puts(&line, title);
    while (cs_text_width(line.text, size, bold) > room && strrchr(line.text, ' ')) {
        end = (size_t)(strrchr(line.text, ' ') - line.text);
        line.text[end] = '\0';
    }
    cs_strbuf_release(&line);
    return end;
}

static size_t first_line(const struct cs_plot_frame *frame)
{
    return plot_axes_fold(frame->panel->title, TITLE, true, frame->w);
}

static double plot_top_room(const struct cs_plot_frame *frame)
{
    const char *title = frame->panel->title;

    return !plot_axes_has(title) ? 8 : TITLE + 10 + (title[first_line(frame)] ? LINE : 0);
}

/* A title with its unit. */
static void put_title(const struct cs_plot_axis *axis, struct cs_strbuf *out)
{
    cs_strbuf_puts(out, axis->title);
    if (plot_axes_has(axis->unit))
        cs_strbuf_printf(out, " (%s)", axis->unit);
}

/* Fold the title of the vertical axis into a row so high, before the room is measured. */
static void plot_fold(struct cs_plot_frame *frame, double row)
{
    const struct cs_plot_panel *panel = frame->panel;
    double height = row - (plot_axes_has(panel->title) ? TITLE + 10 : 8) -
                    (plot_axes_has(panel->x.title) ? 40 : 20) + MARGIN_BETWEEN;
    struct cs_strbuf title = CS_STRBUF_INIT;

    if (plot_axes_has(panel->y.title)) {
        put_title(&panel->y, &title);
        frame->folded = plot_axes_fold(title.text, FONT, false, height) < title.length;
    }
    cs_strbuf_release(&title);
}

/* Drawing. */

static void draw_y(struct cs_plot *plot, const struct cs_plot_frame *frame)
{
    const struct cs_svg_paint grid = {.class = "grid", .stroke = plot->theme->grid, .width = 1};
    const struct cs_svg_font font = {
        .class = "tick-label", .size = FONT, .fill = plot->theme->muted, .anchor = CS_SVG_END};

    for (int i = 0; i < frame->panel->y.categories; i++) {
        double y = floor(cs_plot_pixel(&frame->up, i)) + 0.5;

        cs_svg_line(plot->out, frame->x, y, frame->x + frame->w, y, &grid);
        cs_svg_text(plot->out, frame->x - 6, y + 3.6, &font, frame->panel->y.category[i]);
    }
    for (int i = 0; i < frame->up.ticks.count; i++) {
        double y = floor(cs_plot_pixel(&frame->up, frame->up.ticks.at[i])) + 0.5;

        cs_svg_line(plot->out, frame->x, y, frame->x + frame->w, y, &grid);
        cs_svg_text(plot->out, frame->x - 6, y + 3.6, &font, frame->up.ticks.label[i]);
    }
}

static void draw_category(struct cs_plot *plot, const struct cs_plot_frame *frame, int index)
{
    const struct cs_svg_font level = {
        .class = "tick-label", .size = FONT, .fill = plot->theme->muted, .anchor = CS_SVG_MIDDLE};
    const struct cs_svg_font tilted = {.class = "tick-label",
                                       .size = FONT,
                                       .fill = plot->theme->muted,
                                       .anchor = CS_SVG_END,
                                       .turn = -TILT};
    const char *label = frame->panel->x.category[index];
    struct cs_strbuf text = CS_STRBUF_INIT;
    double x = cs_plot_pixel(&frame->across, index), y = frame->y + frame->h;

    if (!frame->tilted)
        cs_svg_text(plot->out, x, y + 16, &level, label);
    else if (cs_text_elide(&text, label, FONT, false, LONGEST_LABEL, 1))
        cs_svg_text(plot->out, x + 4, y + 13, &tilted, text.text);
    cs_strbuf_release(&text);
}

/* Every n-th, so that neither level nor tilted labels run into each other. */
static void draw_categories(struct cs_plot *plot, const struct cs_plot_frame *frame)
{
    int count = frame->panel->x.categories;
    int step = (int)ceil(16 / (frame->w / count));

    for (int i = 0; i < count; i += frame->tilted ? step : 1)
        draw_category(plot, frame, i);
}

/* On a logarithmic axis a handful of values that were measured are better ticks than powers of
 * ten: 16 32 64 128. */
static bool measured_ticks(struct cs_plot *plot, const struct cs_plot_frame *frame,
                           struct cs_ticks *ticks)
{
    const struct cs_plot_panel *panel = frame->panel;
    double value[CS_TICKS_MAX];
    int count = 0;

    for (int s = 0; s < panel->series_count; s++)
        for (int i = 0; i < panel->series[s].count; i++) {
            double x = panel->series[s].x ? panel->series[s].x[i] : i;
            int at = 0;

            if (!isfinite(cs_plot_pixel(&frame->across, x)))
                continue;
            while (at < count && value[at] != x)
                at++;
            if (at == count && count == 10)
                return false;
            value[at] = x;
            count += at == count;
        }
    cs_order_sort_doubles(value, count, plot->arena);
    return cs_ticks_at(value, count, ticks);
}

static bool plot_axes_crowded(const struct cs_plot_frame *frame, const struct cs_ticks *ticks)
{
    double end = -INFINITY;

    for (int i = 0; i < ticks->count; i++) {
        double x = cs_plot_pixel(&frame->across, ticks->at[i]);
        double half = cs_text_width(ticks->label[i], FONT, false) / 2;

        if (!*ticks->label[i])
            continue;
        if (x - half < end + 6)
            return true;
        end = x + half;
    }
    return false;
}

/* Labels of every n-th only, the first among them, where all would run into each other. */
static void thin_out(const struct cs_plot_frame *frame, struct cs_ticks *ticks)
{
    for (int n = 2; plot_axes_crowded(frame, ticks); n++) {
        *ticks = *frame->panel->x.ticks;
        for (int i = 0; i < ticks->count; i++)
            if (i % n)
                *ticks->label[i] = '\0';
    }
}

static void x_ticks(struct cs_plot *plot, const struct cs_plot_frame *frame, struct cs_ticks *ticks)
{
    const struct cs_plot_scale *scale = &frame->across;

    if (frame->panel->x.ticks) {
        *ticks = *frame->panel->x.ticks;
        thin_out(frame, ticks);
        return;
    }
    if (scale->log && !frame->panel->x.fixed && measured_ticks(plot, frame, ticks) &&
        !plot_axes_crowded(frame, ticks))
        return;
    for (int wanted = cs_ticks_wanted(frame->w, 60); wanted >= 1; wanted--) {
        (scale->log ? cs_ticks_log : cs_ticks_linear)(scale->low, scale->high, wanted, ticks);
        if (!plot_axes_crowded(frame, ticks))
            return;
    }
}

static void draw_x(struct cs_plot *plot, const struct cs_plot_frame *frame)
{
    const struct cs_svg_paint grid = {.class = "grid", .stroke = plot->theme->grid, .width = 1};
    const struct cs_svg_font font = {
        .class = "tick-label", .size = FONT, .fill = plot->theme->muted, .anchor = CS_SVG_MIDDLE};
    struct cs_ticks ticks;

    if (frame->panel->x.categories) {
        draw_categories(plot, frame);
        return;
    }
    x_ticks(plot, frame, &ticks);
    for (int i = 0; i < ticks.count; i++) {
        double x = floor(cs_plot_pixel(&frame->across, ticks.at[i])) + 0.5;

        cs_svg_line(plot->out, x, frame->y, x, frame->y + frame->h, &grid);
        if (*ticks.label[i])
            cs_svg_text(plot->out, x, frame->y + frame->h + 16, &font, ticks.label[i]);
    }
}

static void draw_title(struct cs_plot *plot, double x, double y, const struct cs_svg_font *font,
                       const char *title, double room)
{
    struct cs_strbuf shown = CS_STRBUF_INIT;

    if (cs_text_elide(&shown, title, font->size, font->bold, room, 1))
        cs_svg_text(plot->out, x, y, font, shown.text);
    cs_strbuf_release(&shown);
}

/* Of the panel. */
static void draw_heading(struct cs_plot *plot, const struct cs_plot_frame *frame)
{
    const struct cs_svg_font font = {
        .class = "panel-title", .size = TITLE, .fill = plot->theme->text, .bold = true};
    const char *title = frame->panel->title;
    size_t end = first_line(frame);
    struct cs_strbuf line = CS_STRBUF_INIT;

    cs_strbuf_append(&line, title, end);
    draw_title(plot, frame->x, frame->y - 9 - (title[end] ? LINE : 0), &font, line.text, frame->w);
    if (title[end])
        draw_title(plot, frame->x, frame->y - 9, &font, title + end + 1, frame->w);
    cs_strbuf_release(&line);
}

/* Upwards at the left, in two lines where it is too wide for one. */
static void draw_y_title(struct cs_plot *plot, const struct cs_plot_frame *frame,
                         const struct cs_svg_font *font)
{
    double x = frame->x - plot_left_room(frame) + 11, y = frame->y + frame->h / 2;
    double room = frame->h + MARGIN_BETWEEN;
    struct cs_strbuf title = CS_STRBUF_INIT, line = CS_STRBUF_INIT;
    size_t end;

    put_title(&frame->panel->y, &title);
    end = frame->folded ? plot_axes_fold(title.text, FONT, false, room) : title.length;
    cs_strbuf_append(&line, title.text, end);
    draw_title(plot, x, y, font, line.text, room);
    if (end < title.length)
        draw_title(plot, x + LINE, y, font, title.text + end + 1, room);
    cs_strbuf_release(&title);
    cs_strbuf_release(&line);
}

static void draw_titles(struct cs_plot *plot, const struct cs_plot_frame *frame)
{
    const struct cs_plot_panel *panel = frame->panel;
    struct cs_svg_font axis = {
        .class = "axis-title", .size = FONT, .fill = plot->theme->text, .anchor = CS_SVG_MIDDLE};
    struct cs_plot_frame level = *frame;
    struct cs_strbuf title = CS_STRBUF_INIT;

    if (plot_axes_has(panel->title))
        draw_heading(plot, frame);
    if (plot_axes_has(panel->x.title)) {
        put_title(&panel->x, &title);
        draw_title(plot, frame->x + frame->w / 2,
                   frame->y + frame->h + plot_bottom_room(&level, frame->w) - 3, &axis, title.text,
                   frame->w + 40);
    }
    axis.turn = -90;
    if (plot_axes_has(panel->y.title))
        draw_y_title(plot, frame, &axis);
    cs_strbuf_release(&title);
}

/* Behind everything, cut at the sides of the panel. */
static void draw_shades(struct cs_plot *plot, const struct cs_plot_frame *frame)
{
    const struct cs_svg_paint paint = {.class = "shade", .fill = plot->theme->grid, .opacity = 0.5};

    for (int i = 0; i < frame->panel->shade_count; i++) {
        double from = cs_plot_pixel(&frame->across, frame->panel->shade[2 * i]);
        double to = cs_plot_pixel(&frame->across, frame->panel->shade[2 * i + 1]);

        from = fmax(from, frame->x);
        to = fmin(to, frame->x + frame->w);
        if (to > from)
            cs_svg_rect(plot->out, from, frame->y, to - from, frame->h, 0, &paint);
    }
}

static void plot_draw_axes(struct cs_plot *plot, const struct cs_plot_frame *frame)
{
    const struct cs_svg_paint line = {.class = "axis", .stroke = plot->theme->axis, .width = 1};
    double left = frame->x - 0.5, bottom = frame->y + frame->h + 0.5;

    draw_titles(plot, frame);
    if (!frame->empty) {
        draw_shades(plot, frame);
        draw_y(plot, frame);
        draw_x(plot, frame);
    }
    cs_svg_line(plot->out, left, frame->y, left, bottom, &line);
    cs_svg_line(plot->out, left, bottom, frame->x + frame->w, bottom, &line);
}

/* One entry for each name, below the panels. */

#define SAMPLE 26.0
#define PLOT_LEGEND_LINE 19.0
#define GAP 22.0
#define ABOVE 10.0

struct grid {
    int columns, rows;
    double width; /* of a column */
};

/* Names that are empty have no entry; when they are the only ones there is no legend. */
static struct grid grid_of(const struct cs_plot *plot)
{
    double room = plot->width - 2 * CS_HEADING_MARGIN;
    struct grid grid = {0};
    int count = 0;

    for (int i = 0; i < plot->names; i++) {
        double width = SAMPLE + 6 + cs_text_width(plot->name[i], CS_PLOT_FONT, false);

        count += plot->name[i][0] != '\0';
        grid.width = fmax(grid.width, fmin(width, room));
    }
    if (!count)
        return grid;
    grid.columns = (int)((room + GAP) / (grid.width + GAP));
    grid.rows = (count + grid.columns - 1) / grid.columns;
    grid.columns = (count + grid.rows - 1) / grid.rows;
    return grid;
}

static double plot_legend_height(const struct cs_plot *plot)
{
    struct grid grid = grid_of(plot);

    return grid.rows ? ABOVE + grid.rows * PLOT_LEGEND_LINE : 0;
}

static void draw_sample(struct cs_plot *plot, int name, double x, double y)
{
    struct cs_plot_style appearance = cs_plot_style(plot, name, plot->kind[name]);
    const bool ring = appearance.hollow;

    if (plot->kind[name] == CS_PLOT_BARS) {
        cs_plot_draw_block(plot, x + SAMPLE - 14, y - 6, 12, 12, 2, &appearance);
        return;
    }
    cs_svg_line(plot->out, x, y, x + SAMPLE, y,
                &(struct cs_svg_paint){.stroke = ring ? plot->theme->grid : appearance.color.text,
                                       .width = 1.8,
                                       .dash = appearance.dash});
    cs_plot_draw_marker(plot, x + SAMPLE / 2, y, &appearance);
}

static void plot_draw_legend(struct cs_plot *plot)
{
    const struct cs_svg_font font = {
        .class = "legend-label", .size = CS_PLOT_FONT, .fill = plot->theme->text};
    struct grid grid = grid_of(plot);
    struct cs_strbuf text = CS_STRBUF_INIT;
    double left, top = plot->height - CS_HEADING_MARGIN - grid.rows * PLOT_LEGEND_LINE + 4;
    int at = 0;

    if (!grid.rows)
        return;
    left = floor((plot->width - grid.columns * (grid.width + GAP) + GAP) / 2);
    cs_svg_group_begin(plot->out, "legend", NULL);
    for (int i = 0; i < plot->names; i++) {
        double x = left + at % grid.columns * (grid.width + GAP);
        double y = top + at / grid.columns * PLOT_LEGEND_LINE + 6;

        if (!plot->name[i][0])
            continue;
        at++;
        draw_sample(plot, i, x, y);
        cs_strbuf_clear(&text);
        if (cs_text_elide(&text, plot->name[i], CS_PLOT_FONT, false, grid.width - SAMPLE - 6 + 0.01,
                          1))
            cs_svg_text(plot->out, x + SAMPLE + 6, y + 4, &font, text.text);
    }
    cs_svg_group_end(plot->out);
    cs_strbuf_release(&text);
}

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
    const int categories = panel->x.categories + panel->y.categories;

    if (panel->kind == CS_PLOT_BARS && (panel->x.categories < 1 || panel->y.log))
        return cs_error_set(err, "panel %d: bars need categories and a linear y axis", index + 1);
    if ((panel->kind == CS_PLOT_FOREST) != (panel->y.categories > 0))
        return cs_error_set(err, "panel %d: categories of y go with a forest", index + 1);
    for (int s = 0; s < panel->series_count && categories; s++)
        for (int i = 0; i < panel->series[s].count; i++) {
            const struct cs_plot_series *series = &panel->series[s];
            double x = panel->y.categories ? series->y[i] : series->x ? series->x[i] : i;

            if (!(x >= 0 && x < categories && x == floor(x)))
                return cs_error_set(err, "panel %d, %s: category %g, but there are only 0 to %d",
                                    index + 1, series->name, x, categories - 1);
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
    plot->dashed = CS_NEW_ARRAY(plot->arena, bool, most);
    plot->hollow = CS_NEW_ARRAY(plot->arena, bool, most);
    for (int p = 0; p < figure->panel_count; p++)
        for (int s = 0; s < figure->panel[p].series_count; s++) {
            const char *name = figure->panel[p].series[s].name;

            if (cs_plot_name_index(plot, name) < plot->names)
                continue;
            plot->kind[plot->names] = figure->panel[p].kind;
            plot->dashed[plot->names] = figure->panel[p].series[s].dashed;
            plot->dashes = plot->dashes || plot->dashed[plot->names];
            plot->hollow[plot->names] = figure->panel[p].series[s].hollow;
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
            left = fmax(left, plot_left_room(&plot->frame[p]));
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
        top = fmax(top, plot_top_room(&plot->frame[p]));
        bottom = fmax(bottom, plot_bottom_room(&plot->frame[p], plot->frame[p].w));
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

/* The height of a row of panels so wide: less in narrow figures, more for many rows of forests. */
static double natural_row(const struct cs_plot_figure *figure, double width, bool alone)
{
    double height = floor(fmin(alone ? 380 : 300, 0.62 * width + 60));

    for (int p = 0; p < figure->panel_count; p++)
        if (figure->panel[p].y.categories)
            height = fmax(height, 75 + 16 * figure->panel[p].y.categories);
    return height;
}

static void lay_out(struct cs_plot *plot)
{
    const struct cs_plot_figure *figure = plot->figure;
    int columns = columns_of(figure), rows = (figure->panel_count + columns - 1) / columns;
    double top = cs_heading_height(figure->title, figure->subtitle), legend, row;

    plot->width = figure->width  ? figure->width
                  : columns == 1 ? 640
                                 : fmin(480.0 * columns, LARGEST);
    legend = plot_legend_height(plot);
    row = figure->height ? (figure->height - top - legend - MARGIN - (rows - 1) * ROW_GAP) / rows
                         : natural_row(figure, plot->width / columns, columns == 1 && rows == 1);
    plot->height =
        figure->height ? figure->height : top + rows * row + (rows - 1) * ROW_GAP + legend + MARGIN;
    for (int p = 0; p < figure->panel_count; p++)
        plot_fold(&plot->frame[p], row);
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
        plot_draw_axes(plot, &plot->frame[p]);
        cs_plot_draw_data(plot, &plot->frame[p]);
        cs_svg_group_end(plot->out);
    }
    plot_draw_legend(plot);
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
        plot_measure(&plot.frame[p]);
    }
    lay_out(&plot);
    plot_draw(&plot);
    cs_arena_destroy(plot.arena);
    return 0;
}
