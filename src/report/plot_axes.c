/* plot_axes.c - the scales of a panel, its grid, ticks and titles. */
#include "base/order.h"
#include "report/plot_parts.h"
#include "report/svg.h"
#include "report/text_metrics.h"

#include <math.h>
#include <string.h>

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

static void include_series(struct range *x, struct range *y, const struct cs_plot_series *series)
{
    for (int i = 0; i < series->count; i++) {
        plot_axes_include(x, series->x ? series->x[i] : i);
        plot_axes_include(y, series->y[i]);
        if (series->low && isfinite(series->y[i]))
            plot_axes_include(y, series->low[i]);
        if (series->high && isfinite(series->y[i]))
            plot_axes_include(y, series->high[i]);
    }
}

/* A single value gets some room around it. */
static void open_up(struct range *range)
{
    double around = fabs(range->low) > 0 ? 0.1 * fabs(range->low) : 1;

    if (range->high - range->low > 1e-12 * fabs(range->high))
        return;
    if (range->log) {
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

void cs_plot_measure(struct cs_plot *plot, struct cs_plot_frame *frame)
{
    const struct cs_plot_panel *panel = frame->panel;
    struct range x = {panel->x.log, INFINITY, -INFINITY}, y = {panel->y.log, INFINITY, -INFINITY};

    (void)plot;
    for (int s = 0; s < panel->series_count; s++)
        include_series(&x, &y, &panel->series[s]);
    frame->empty = x.low > x.high || y.low > y.high;
    for (int m = 0; m < panel->mark_count; m++)
        plot_axes_include(&y, panel->mark[m].y);
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

double cs_plot_left_room(const struct cs_plot_frame *frame)
{
    double widest = 0;

    for (int i = 0; i < frame->up.ticks.count; i++)
        widest = fmax(widest, cs_text_width(frame->up.ticks.label[i], FONT, false));
    return widest + 8 + (plot_axes_has(frame->panel->y.title) ? 20 : 0) +
           (frame->folded ? LINE : 0);
}

static double widest_category(const struct cs_plot_axis *axis)
{
    double widest = 0;

    for (int i = 0; i < axis->categories; i++)
        widest = fmax(widest, cs_text_width(axis->category[i], FONT, false));
    return widest;
}

double cs_plot_bottom_room(struct cs_plot_frame *frame, double width)
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

double cs_plot_top_room(const struct cs_plot_frame *frame)
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

void cs_plot_fold(struct cs_plot_frame *frame, double row)
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
    double x = frame->x - cs_plot_left_room(frame) + 11, y = frame->y + frame->h / 2;
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
                   frame->y + frame->h + cs_plot_bottom_room(&level, frame->w) - 3, &axis,
                   title.text, frame->w + 40);
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

void cs_plot_draw_axes(struct cs_plot *plot, const struct cs_plot_frame *frame)
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
