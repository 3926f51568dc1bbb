/* plot_data.c - lines, markers, bands, bars and marks. */
#include "report/human.h"
#include "report/plot_parts.h"
#include "report/svg.h"
#include "report/text_metrics.h"

#include <math.h>

enum { MARKERS = 7 };

#define MARKER 3.6        /* half the size */
#define MARKER_SPACE 11.0 /* closer points on average have no separate markers */

struct cs_plot_style cs_plot_style(const struct cs_plot *plot, int name, enum cs_plot_kind kind)
{
    static const char *const dash[] = {NULL, "7 3", "2 2.5", "8 3 2 3"};
    const char *own = plot->dashed[name] ? dash[1] : NULL;
    struct cs_color color = kind == CS_PLOT_BARS ? cs_palette_bar(name, plot->theme)
                                                 : cs_palette_line(name, plot->theme);

    return (struct cs_plot_style){
        .color = cs_color_text(color),
        .hatch = cs_hatch_fill(kind == CS_PLOT_BARS ? cs_hatch(name, plot->theme) : 0, color),
        .dash = plot->dashes ? own : dash[name / 5 % 4],
        .marker = name % MARKERS,
        .hollow = plot->hollow[name],
    };
}

void cs_plot_draw_block(struct cs_plot *plot, double x, double y, double w, double h, double radius,
                        const struct cs_plot_style *appearance)
{
    cs_svg_rect(plot->out, x, y, w, h, radius,
                &(struct cs_svg_paint){.fill = appearance->color.text});
    if (appearance->hatch.text[0])
        cs_svg_rect(plot->out, x, y, w, h, radius,
                    &(struct cs_svg_paint){.fill = appearance->hatch.text});
}

/* Markers are polygons around a point, in units of their half size; the first is a circle. */
static void plot_data_polygon(struct cs_plot *plot, double x, double y, const double *corner,
                              int count, const struct cs_svg_paint *paint)
{
    struct cs_strbuf path = CS_STRBUF_INIT;

    for (int i = 0; i < count; i++) {
        const double at[] = {x + corner[2 * i] * MARKER, y + corner[2 * i + 1] * MARKER};

        cs_svg_command(&path, i ? 'L' : 'M', at, 2);
    }
    cs_strbuf_putc(&path, 'z');
    cs_svg_path(plot->out, path.text, paint);
    cs_strbuf_release(&path);
}

void cs_plot_draw_marker(struct cs_plot *plot, double x, double y,
                         const struct cs_plot_style *appearance)
{
    static const struct {
        int count;
        double corner[24];
    } shape[MARKERS] = {
        {0, {0}},
        {4, {-0.9, -0.9, 0.9, -0.9, 0.9, 0.9, -0.9, 0.9}},
        {3, {0, -1.2, 1.15, 0.85, -1.15, 0.85}},
        {4, {0, -1.35, 1.35, 0, 0, 1.35, -1.35, 0}},
        {3, {0, 1.2, 1.15, -0.85, -1.15, -0.85}},
        {12, {-0.4, -1.2, 0.4,  -1.2, 0.4,  -0.4, 1.2,  -0.4, 1.2,  0.4,  0.4,  0.4,
              0.4,  1.2,  -0.4, 1.2,  -0.4, 0.4,  -1.2, 0.4,  -1.2, -0.4, -0.4, -0.4}},
        {5, {0, -1.2, 1.14, -0.37, 0.7, 0.97, -0.7, 0.97, -1.14, -0.37}},
    };
    const bool ring = appearance->hollow;
    const struct cs_svg_paint paint = {.fill = ring ? "none" : appearance->color.text,
                                       .stroke =
                                           ring ? appearance->color.text : plot->theme->background,
                                       .width = ring ? 1.4 : 0.8};

    if (shape[appearance->marker].count)
        plot_data_polygon(plot, x, y, shape[appearance->marker].corner,
                          shape[appearance->marker].count, &paint);
    else
        cs_svg_circle(plot->out, x, y, MARKER, &paint);
}

struct point {
    double x, y;
};

static struct point point_of(const struct cs_plot_frame *frame, const struct cs_plot_series *series,
                             const double *y, int i)
{
    return (struct point){cs_plot_pixel(&frame->across, series->x ? series->x[i] : i),
                          cs_plot_pixel(&frame->up, y[i])};
}

static bool is_point(struct point p)
{
    return isfinite(p.x) && isfinite(p.y);
}

static bool plot_data_inside(const struct cs_plot_frame *frame, struct point p)
{
    return is_point(p) && p.x >= frame->x - 0.5 && p.x <= frame->x + frame->w + 0.5 &&
           p.y >= frame->y - 0.5 && p.y <= frame->y + frame->h + 0.5;
}

static double plot_data_clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

static struct point plot_data_within(const struct cs_plot_frame *frame, double px, double py)
{
    return (struct point){plot_data_clamp(px, frame->x, frame->x + frame->w),
                          plot_data_clamp(py, frame->y, frame->y + frame->h)};
}

/* Keep the part of a segment where low <= value <= high (one coordinate); false: none. */
static bool plot_data_cut(double from, double step, double low, double high, double *first,
                          double *last)
{
    double a = (low - from) / step, b = (high - from) / step;

    if (step == 0)
        return from >= low && from <= high;
    *first = fmax(*first, fmin(a, b));
    *last = fmin(*last, fmax(a, b));
    return *first <= *last;
}

static void add_segment(const struct cs_plot_frame *frame, struct cs_strbuf *path, struct point a,
                        struct point b, struct point *pen)
{
    double first = 0, last = 1, dx = b.x - a.x, dy = b.y - a.y;
    struct point from, to;

    if (!plot_data_cut(a.x, dx, frame->x, frame->x + frame->w, &first, &last) ||
        !plot_data_cut(a.y, dy, frame->y, frame->y + frame->h, &first, &last))
        return;
    from = plot_data_within(frame, a.x + first * dx, a.y + first * dy);
    to = plot_data_within(frame, a.x + last * dx, a.y + last * dy);
    if (first > 0 || pen->x != a.x || pen->y != a.y)
        cs_svg_command(path, 'M', (double[]){from.x, from.y}, 2);
    cs_svg_command(path, 'L', (double[]){to.x, to.y}, 2);
    *pen = last < 1 ? (struct point){NAN, NAN} : b;
}

static void draw_line(struct cs_plot *plot, const struct cs_plot_frame *frame,
                      const struct cs_plot_series *series, const struct cs_plot_style *appearance)
{
    struct cs_strbuf path = CS_STRBUF_INIT;
    struct point pen = {NAN, NAN};

    for (int i = 1; i < series->count; i++) {
        struct point a = point_of(frame, series, series->y, i - 1);
        struct point b = point_of(frame, series, series->y, i);

        if (is_point(a) && is_point(b))
            add_segment(frame, &path, a, b, &pen);
    }
    if (path.length)
        cs_svg_path(plot->out, path.text,
                    &(struct cs_svg_paint){.fill = "none",
                                           .stroke = appearance->color.text,
                                           .width = 1.8,
                                           .dash = appearance->dash});
    cs_strbuf_release(&path);
}

static void band_point(const struct cs_plot_frame *frame, struct cs_strbuf *path, struct point p,
                       bool first)
{
    struct point at = plot_data_within(frame, p.x, p.y);

    cs_svg_command(path, first ? 'M' : 'L', (double[]){at.x, at.y}, 2);
}

/* Where low cannot be shown on a logarithmic axis the band reaches the bottom. */
static struct point low_of(const struct cs_plot_frame *frame, const struct cs_plot_series *series,
                           int i)
{
    struct point p = point_of(frame, series, series->low, i);

    if (!isfinite(p.y) && isfinite(series->low[i]))
        p.y = frame->y + frame->h;
    return p;
}

static bool in_band(const struct cs_plot_frame *frame, const struct cs_plot_series *series, int i)
{
    return isfinite(series->y[i]) && is_point(low_of(frame, series, i)) &&
           is_point(point_of(frame, series, series->high, i));
}

static void draw_band(struct cs_plot *plot, const struct cs_plot_frame *frame,
                      const struct cs_plot_series *series, const struct cs_plot_style *appearance)
{
    struct cs_strbuf path = CS_STRBUF_INIT;
    int end;

    if (!series->low || !series->high)
        return;
    for (int start = 0; start < series->count; start = end + 1) {
        for (end = start; end < series->count && in_band(frame, series, end);)
            end++;
        if (end - start < 2)
            continue;
        for (int i = start; i < end; i++)
            band_point(frame, &path, point_of(frame, series, series->high, i), i == start);
        for (int i = end - 1; i >= start; i--)
            band_point(frame, &path, low_of(frame, series, i), false);
        cs_strbuf_putc(&path, 'z');
    }
    if (path.length)
        cs_svg_path(plot->out, path.text,
                    &(struct cs_svg_paint){
                        .class = "band", .fill = appearance->color.text, .opacity = 0.16});
    cs_strbuf_release(&path);
}

static void put_tooltip(const struct cs_plot_frame *frame, const struct cs_plot_series *series,
                        int i, struct cs_strbuf *text)
{
    const bool forest = frame->panel->kind == CS_PLOT_FOREST;
    const struct cs_plot_axis *axis = forest ? &frame->panel->y : &frame->panel->x;
    double x = series->x ? series->x[i] : i;
    double place = forest ? series->y[i] : x, value = forest ? x : series->y[i];

    cs_strbuf_clear(text);
    cs_strbuf_printf(text, "%s\n", series->name);
    if (axis->categories)
        cs_strbuf_puts(text, axis->category[(int)place]);
    else
        cs_human_digits(text, place, 6);
    cs_strbuf_puts(text, ": ");
    cs_human_digits(text, value, 6);
}

/* A triangle with the number of a point on the border behind which it is. */
static void draw_clipped(struct cs_plot *plot, const struct cs_plot_frame *frame, double x,
                         double value, const struct cs_plot_style *appearance)
{
    static const double up[] = {0, -1.2, 1.15, 0.85, -1.15, 0.85},
                        down[] = {0, 1.2, 1.15, -0.85, -1.15, -0.85};
    const struct cs_plot_axis *axis = &frame->panel->y;
    const bool above = value > axis->high;
    const double y = above ? frame->y + MARKER * 1.3 : frame->y + frame->h - MARKER * 1.3;
    const struct cs_svg_font font = {.class = "clipped",
                                     .size = CS_PLOT_FONT - 1,
                                     .fill = plot->theme->text,
                                     .anchor = CS_SVG_MIDDLE};
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (!axis->clip || !isfinite(value) || (value >= axis->low && value <= axis->high))
        return;
    plot_data_polygon(plot, x, y, above ? up : down, 3,
                      &(struct cs_svg_paint){.fill = appearance->color.text});
    cs_human_digits(&text, value, 4);
    cs_svg_text(plot->out, x, above ? y + CS_PLOT_FONT + 4 : y - 6, &font, text.text);
    cs_strbuf_release(&text);
}

static void draw_markers(struct cs_plot *plot, const struct cs_plot_frame *frame,
                         const struct cs_plot_series *series,
                         const struct cs_plot_style *appearance)
{
    int step = (int)ceil(series->count * MARKER_SPACE / frame->w);
    struct cs_strbuf text = CS_STRBUF_INIT;

    for (int i = 0; i<series->count; i += step> 1 ? step : 1) {
        struct point p = point_of(frame, series, series->y, i);

        draw_clipped(plot, frame, p.x, series->y[i], appearance);
        if (!plot_data_inside(frame, p))
            continue;
        put_tooltip(frame, series, i, &text);
        cs_svg_group_begin(plot->out, NULL, text.text);
        cs_plot_draw_marker(plot, p.x, p.y, appearance);
        cs_svg_group_end(plot->out);
    }
    cs_strbuf_release(&text);
}

/* Numbers at the points; those that would lie on the one before are left out. */
static void draw_labels(struct cs_plot *plot, const struct cs_plot_frame *frame,
                        const struct cs_plot_series *series)
{
    const struct cs_svg_font font = {
        .size = CS_PLOT_FONT, .fill = plot->theme->text, .anchor = CS_SVG_START};
    struct point last = {-INFINITY, -INFINITY};
    struct cs_strbuf text = CS_STRBUF_INIT;

    for (int i = 0; series->label && i < series->count; i++) {
        struct point p = point_of(frame, series, series->y, i);
        bool clear = fabs(p.x - last.x) > 3 * CS_PLOT_FONT || fabs(p.y - last.y) > CS_PLOT_FONT;

        if (!plot_data_inside(frame, p) || !clear)
            continue;
        text.length = 0;
        cs_human_digits(&text, series->label[i], 9);
        cs_svg_text(plot->out, p.x + 0.5 * CS_PLOT_FONT, p.y - 0.5 * CS_PLOT_FONT, &font,
                    text.text);
        last = p;
    }
    cs_strbuf_release(&text);
}

/* An interval at a mark. */
struct whisker {
    double x, width;
    const char *stroke;
};

static void draw_whisker(struct cs_plot *plot, const struct cs_plot_frame *frame,
                         const struct cs_plot_series *series, int i, struct whisker at)
{
    const struct cs_svg_paint line = {.class = "whisker", .stroke = at.stroke, .width = 1};
    const double x = at.x;
    double top, bottom, half = fmin(3, at.width / 3);

    if (!series->low || !series->high)
        return;
    bottom =
        plot_data_clamp(cs_plot_pixel(&frame->up, series->low[i]), frame->y, frame->y + frame->h);
    top =
        plot_data_clamp(cs_plot_pixel(&frame->up, series->high[i]), frame->y, frame->y + frame->h);
    if (!isfinite(bottom) || !isfinite(top))
        return;
    cs_svg_line(plot->out, x, bottom, x, top, &line);
    cs_svg_line(plot->out, x - half, top, x + half, top, &line);
    cs_svg_line(plot->out, x - half, bottom, x + half, bottom, &line);
}

/* The series of a panel whose points are apart, next to each other at each category. */
static void draw_points(struct cs_plot *plot, const struct cs_plot_frame *frame, int s)
{
    const struct cs_plot_panel *panel = frame->panel;
    const struct cs_plot_series *series = &panel->series[s];
    const double slot = frame->w / (panel->x.categories > 0 ? panel->x.categories : 1);
    const double step = fmin(4 * MARKER, 0.7 * slot / panel->series_count);
    struct cs_plot_style appearance =
        cs_plot_style(plot, cs_plot_name_index(plot, series->name), CS_PLOT_LINES);
    struct cs_strbuf text = CS_STRBUF_INIT;

    for (int i = 0; i < series->count; i++) {
        struct point p = point_of(frame, series, series->y, i);

        p.x += (s - (panel->series_count - 1) / 2.0) * step;
        draw_clipped(plot, frame, p.x, series->y[i], &appearance);
        if (!plot_data_inside(frame, p))
            continue;
        put_tooltip(frame, series, i, &text);
        cs_svg_group_begin(plot->out, NULL, text.text);
        draw_whisker(plot, frame, series, i, (struct whisker){p.x, step, plot->theme->text});
        cs_plot_draw_marker(plot, p.x, p.y, &appearance);
        cs_svg_group_end(plot->out);
    }
    cs_strbuf_release(&text);
}

/* More bands than this hide each other. */
#define BANDS 4

static void draw_intervals(struct cs_plot *plot, const struct cs_plot_frame *frame, int s)
{
    const struct cs_plot_panel *panel = frame->panel;
    const struct cs_plot_series *series = &panel->series[s];
    const struct cs_plot_style appearance =
        cs_plot_style(plot, cs_plot_name_index(plot, series->name), CS_PLOT_LINES);

    if (panel->series_count <= BANDS) {
        draw_band(plot, frame, series, &appearance);
        return;
    }
    for (int i = 0; i < series->count; i++) {
        const struct point p = point_of(frame, series, series->y, i);

        if (plot_data_inside(frame, p))
            draw_whisker(plot, frame, series, i, (struct whisker){p.x, 9, appearance.color.text});
    }
}

static void draw_lines(struct cs_plot *plot, const struct cs_plot_frame *frame)
{
    const struct cs_plot_panel *panel = frame->panel;

    for (int s = 0; s < panel->series_count && panel->apart; s++)
        draw_points(plot, frame, s);
    if (panel->apart)
        return;
    for (int s = 0; s < panel->series_count; s++)
        draw_intervals(plot, frame, s);
    for (int s = 0; s < panel->series_count; s++) {
        const struct cs_plot_series *series = &panel->series[s];
        struct cs_plot_style appearance =
            cs_plot_style(plot, cs_plot_name_index(plot, series->name), CS_PLOT_LINES);

        cs_svg_group_begin(plot->out, "series", series->name);
        if (!series->dots)
            draw_line(plot, frame, series, &appearance);
        if (!series->plain)
            draw_markers(plot, frame, series, &appearance);
        draw_labels(plot, frame, series);
        cs_svg_group_end(plot->out);
    }
}

/* Forests. */

#define BEYOND 50.0 /* of a ring from the border, so that both values can be read */

/* A triangle with the number of a value on the border behind which it is. */
static void draw_beyond(struct cs_plot *plot, const struct cs_plot_frame *frame, double value,
                        double y, const struct cs_plot_style *appearance)
{
    static const double right[] = {1.2, 0, -0.85, 1.15, -0.85, -1.15},
                        left[] = {-1.2, 0, 0.85, 1.15, 0.85, -1.15};
    const struct cs_plot_axis *axis = &frame->panel->x;
    const bool above = value > axis->high;
    const double side = above ? -1 : 1, border = above ? frame->x + frame->w : frame->x;
    const double x = border + side * (MARKER * 1.3 + (appearance->hollow ? BEYOND : 0));
    const struct cs_svg_font font = {.class = "clipped",
                                     .size = CS_PLOT_FONT - 1,
                                     .fill = plot->theme->text,
                                     .anchor = above ? CS_SVG_END : CS_SVG_START};
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (!axis->clip || !isfinite(value) || (value >= axis->low && value <= axis->high))
        return;
    plot_data_polygon(
        plot, x, y, above ? right : left, 3,
        &(struct cs_svg_paint){.fill = appearance->hollow ? "none" : appearance->color.text,
                               .stroke = appearance->color.text,
                               .width = 1});
    cs_human_digits(&text, value, 4);
    cs_svg_text(plot->out, x + side * MARKER * 1.7, y + 3.6, &font, text.text);
    cs_strbuf_release(&text);
}

/* The interval of a value, as a line along its row with an end where it is not cut. */
static void draw_span(struct cs_plot *plot, const struct cs_plot_frame *frame,
                      const struct cs_plot_series *series, int i, double y, const char *stroke)
{
    const struct cs_svg_paint line = {.class = "whisker", .stroke = stroke, .width = 1.2};
    double end[2], cut[2];

    if (!series->low || !series->high)
        return;
    end[0] = cs_plot_pixel(&frame->across, series->low[i]);
    end[1] = cs_plot_pixel(&frame->across, series->high[i]);
    if (!isfinite(end[0]) || !isfinite(end[1]))
        return;
    for (int e = 0; e < 2; e++)
        cut[e] = plot_data_clamp(end[e], frame->x, frame->x + frame->w);
    cs_svg_line(plot->out, cut[0], y, cut[1], y, &line);
    for (int e = 0; e < 2; e++)
        if (cut[e] == end[e])
            cs_svg_line(plot->out, cut[e], y - 3, cut[e], y + 3, &line);
}

static void draw_forest(struct cs_plot *plot, const struct cs_plot_frame *frame)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    for (int s = 0; s < frame->panel->series_count; s++) {
        const struct cs_plot_series *series = &frame->panel->series[s];
        const struct cs_plot_style appearance =
            cs_plot_style(plot, cs_plot_name_index(plot, series->name), CS_PLOT_FOREST);

        for (int i = 0; i < series->count; i++) {
            const struct point p = point_of(frame, series, series->y, i);

            draw_beyond(plot, frame, series->x ? series->x[i] : i, p.y, &appearance);
            if (!plot_data_inside(frame, p))
                continue;
            put_tooltip(frame, series, i, &text);
            cs_svg_group_begin(plot->out, NULL, text.text);
            draw_span(plot, frame, series, i, p.y, appearance.color.text);
            cs_plot_draw_marker(plot, p.x, p.y, &appearance);
            cs_svg_group_end(plot->out);
        }
    }
    cs_strbuf_release(&text);
}

/* Bars. */

static void draw_bar(struct cs_plot *plot, const struct cs_plot_frame *frame, int s, int i)
{
    const struct cs_plot_series *series = &frame->panel->series[s];
    double slot = frame->w / frame->panel->x.categories;
    double width = 0.8 * slot / frame->panel->series_count;
    double left = frame->x + slot * ((series->x ? series->x[i] : i) + 0.1) + s * width;
    double zero = plot_data_clamp(cs_plot_pixel(&frame->up, 0), frame->y, frame->y + frame->h);
    double top =
        plot_data_clamp(cs_plot_pixel(&frame->up, series->y[i]), frame->y, frame->y + frame->h);
    double gap = width > 4 ? 0.5 : 0;
    struct cs_plot_style appearance =
        cs_plot_style(plot, cs_plot_name_index(plot, series->name), CS_PLOT_BARS);
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (!isfinite(top))
        return;
    put_tooltip(frame, series, i, &text);
    cs_svg_group_begin(plot->out, "bar", text.text);
    cs_plot_draw_block(plot, left + gap, fmin(zero, top), width - 2 * gap, fabs(zero - top), 0,
                       &appearance);
    draw_whisker(plot, frame, series, i,
                 (struct whisker){left + width / 2, width, plot->theme->text});
    cs_svg_group_end(plot->out);
    cs_strbuf_release(&text);
}

static void draw_bars(struct cs_plot *plot, const struct cs_plot_frame *frame)
{
    for (int s = 0; s < frame->panel->series_count; s++)
        for (int i = 0; i < frame->panel->series[s].count; i++)
            draw_bar(plot, frame, s, i);
}

static void draw_mark(struct cs_plot *plot, const struct cs_plot_frame *frame,
                      const struct cs_plot_mark *mark)
{
    const struct cs_svg_paint line = {
        .class = "mark", .stroke = plot->theme->muted, .width = 1.2, .dash = "4 3"};
    const struct cs_svg_font font = {
        .class = "mark-label", .size = 10, .fill = plot->theme->muted, .anchor = CS_SVG_END};
    double y = cs_plot_pixel(&frame->up, mark->y);
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (!(y >= frame->y && y <= frame->y + frame->h))
        return;
    cs_svg_line(plot->out, frame->x, y, frame->x + frame->w, y, &line);
    if (mark->label && cs_text_elide(&text, mark->label, 10, false, frame->w - 6, 1))
        cs_svg_text(plot->out, frame->x + frame->w - 3, y < frame->y + 16 ? y + 12 : y - 4, &font,
                    text.text);
    cs_strbuf_release(&text);
}

void cs_plot_draw_data(struct cs_plot *plot, const struct cs_plot_frame *frame)
{
    static void (*const draw[])(struct cs_plot *, const struct cs_plot_frame *) = {
        draw_lines, draw_bars, draw_forest};
    const struct cs_svg_font font = {
        .class = "empty", .size = 13, .fill = plot->theme->muted, .anchor = CS_SVG_MIDDLE};

    if (frame->empty) {
        cs_svg_text(plot->out, frame->x + frame->w / 2, frame->y + frame->h / 2, &font, "no data");
        return;
    }
    for (int m = 0; m < frame->panel->mark_count; m++)
        draw_mark(plot, frame, &frame->panel->mark[m]);
    draw[frame->panel->kind](plot, frame);
}
