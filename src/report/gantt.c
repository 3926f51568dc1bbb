/* gantt.c - the layout of the chart: title, plot, axes and legend from top to bottom. */
#include "report/gantt.h"
#include "base/order.h"
#include "model/bars.h"
#include "model/procset.h"
#include "report/gantt_parts.h"
#include "report/human.h"
#include "report/svg.h"
#include "report/text_metrics.h"

#include <math.h>
#include <string.h>

/* ---- the plan, as dashed outlines over the run ---- */

static void draw_outline(struct cs_gantt *g, const struct cs_bar *bar, struct cs_strbuf *text)
{
    const struct cs_svg_paint paint = {
        .fill = "none", .stroke = g->theme->text, .width = 1.2, .dash = "3 2"};

    cs_strbuf_clear(text);
    cs_strbuf_printf(text, "%s\nplanned from ", cs_gantt_name(g, bar->task));
    cs_human_digits(text, bar->start, 7);
    cs_strbuf_puts(text, " s to ");
    cs_human_digits(text, bar->end, 7);
    cs_strbuf_puts(text, " s");
    cs_svg_group_begin(g->out, "outline", text->text);
    for (int i = 0; i < bar->intervals; i++) {
        double x = cs_gantt_x(g, bar->start), y = cs_gantt_y(g, bar->procs[i].last + 1);

        cs_svg_rect(g->out, x + 0.5, y + 0.5, cs_gantt_x(g, bar->end) - x - 1,
                    cs_gantt_y(g, bar->procs[i].first) - y - 1, 1.5, &paint);
    }
    cs_svg_group_end(g->out);
}

static bool is_seen(const struct cs_gantt *g, const struct cs_bar *bar)
{
    return bar->kind == CS_BAR_WORK && cs_gantt_x(g, bar->end) - cs_gantt_x(g, bar->start) > 2 &&
           g->h / g->procs > 2 && bar->intervals > 0 &&
           bar->procs[bar->intervals - 1].last < g->procs;
}

/* Outlines of what was planned. */
static void gantt_draw_planned(struct cs_gantt *g)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    const struct cs_bar *bar;
    size_t count;

    if (!g->options.planned)
        return;
    bar = cs_schedule_bars(g->options.planned, &count);
    cs_svg_group_begin(g->out, "planned", NULL);
    for (size_t b = 0; b < count; b++)
        if (is_seen(g, &bar[b]))
            draw_outline(g, &bar[b], &text);
    cs_svg_group_end(g->out);
    cs_strbuf_release(&text);
}

/* Bolts on the processors that failed. */

static void draw_fault(struct cs_gantt *g, const struct cs_bolt_fault *fault, double size,
                       struct cs_strbuf *text)
{
    double x = cs_gantt_x(g, fault->time), y = cs_gantt_y(g, fault->processor + 0.5);

    if (fault->processor >= g->procs || fault->time < g->begin || fault->time > g->end)
        return;
    cs_strbuf_clear(text);
    cs_strbuf_puts(text, "failure at ");
    cs_human_digits(text, fault->time, 7);
    cs_strbuf_printf(text, " s\n%s %d%s", g->options.processor, fault->processor,
                     fault->failures_hit ? "" : "\nno loss: no computation was active");
    cs_svg_group_begin(g->out, fault->failures_hit ? "failure" : "harmless", text->text);
    cs_bolt_draw(g->out, g->theme, x, y, size, fault->failures_hit);
    cs_svg_group_end(g->out);
}

/* Bolts on the processors that failed. */
static void gantt_draw_faults(struct cs_gantt *g)
{
    double size = cs_bolt_size(g->options.faults);
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (!g->options.faults)
        return;
    cs_svg_group_begin(g->out, "failures", NULL);
    for (int i = 0; i < g->options.faults; i++)
        draw_fault(g, &g->options.fault[i], size, &text);
    cs_svg_group_end(g->out);
    cs_strbuf_release(&text);
}

/* Bars below a pixel, gathered into pixels; of a crowded chart all bars.
 *
 * A cell is one pixel wide and holds whole processors, as few as make it a pixel high; two pixels
 * in a crowded chart.  It shows the colour that fills most of it (a weighted majority vote: exact
 * when one colour fills over half), the stronger the more of it is filled, and never quite nothing.
 * In a crowded chart tasks have one colour, and the strength is the share that is filled.
 */

enum { LOST = CS_PALETTE_BARS, DOWN = 2 * CS_PALETTE_BARS, KEYS = DOWN + 1 };
enum { FEW_LEVELS = 4, LEVELS = 20, SIDE = 2 };

struct cell {
    float cover, vote;
    short key;
};

struct cs_gantt_pixels {
    struct cs_gantt *g;
    int columns, rows, per; /* per: processors in a row of cells */
    int side, levels;       /* side: pixels of a cell */
    struct cell *cell;
    int *held;       /* rows: processors of the bar at hand */
    int first, last; /* rows touched by it; first > last: none */
    bool any;
};

static struct cs_gantt_pixels *gantt_pixels_create(struct cs_gantt *g)
{
    struct cs_gantt_pixels *p = CS_NEW(g->arena, struct cs_gantt_pixels);

    p->g = g;
    p->side = g->dense ? SIDE : 1;
    p->levels = g->dense ? LEVELS : FEW_LEVELS;
    p->columns = (int)ceil(g->w / p->side);
    p->per = (int)ceil(g->procs / g->h * p->side);
    p->rows = (g->procs - 1) / p->per + 1;
    p->cell = CS_NEW_ARRAY(g->arena, struct cell, (size_t)p->columns * (size_t)p->rows);
    p->held = CS_NEW_ARRAY(g->arena, int, p->rows);
    p->first = p->rows;
    p->last = -1;
    return p;
}

/* Starts a bar, adds rows of processors to it, and paints them from left to right. */
static void gantt_pixels_rows(struct cs_gantt_pixels *p, int first, int last)
{
    int low = first / p->per, high = last / p->per;

    for (int row = low; row <= high; row++) {
        int from = row == low ? first : row * p->per;
        int to = row == high ? last : (row + 1) * p->per - 1;

        p->held[row] += to - from + 1;
    }
    p->first = low < p->first ? low : p->first;
    p->last = high > p->last ? high : p->last;
}

static void gantt_pixels_vote(struct cell *cell, short key, float amount)
{
    cell->cover += amount;
    if (cell->key == key) {
        cell->vote += amount;
    } else if (amount > cell->vote) {
        cell->key = key;
        cell->vote = amount - cell->vote;
    } else {
        cell->vote -= amount;
    }
}

static short key_of(const struct cs_gantt *g, const struct cs_bar *bar)
{
    bool one = g->dense && g->options.color_by == CS_COLOR_TASK;
    int hue = one ? 0 : g->hue[cs_gantt_app(g, bar)] % CS_PALETTE_BARS;

    return (short)(bar->kind == CS_BAR_DOWNTIME ? DOWN
                   : bar->kind == CS_BAR_LOST   ? LOST + hue
                                                : hue);
}

static void paint_row(struct cs_gantt_pixels *p, int row, double left, double right, short key)
{
    int from = (int)left, to = (int)ceil(right) - 1;
    double part = (double)p->held[row] / p->per;

    from = from < p->columns ? from : p->columns - 1;
    to = to < from ? from : to < p->columns ? to : p->columns - 1;
    for (int c = from; c <= to; c++) {
        double wide = fmax(fmin(right, c + 1) - fmax(left, c), 1e-9);

        gantt_pixels_vote(&p->cell[(size_t)row * (size_t)p->columns + (size_t)c], key,
                          (float)(wide * part));
    }
}

static void gantt_pixels_bar(struct cs_gantt_pixels *p, const struct cs_bar *bar)
{
    double left = (cs_gantt_x(p->g, bar->start) - p->g->x) / p->side;
    double right = (cs_gantt_x(p->g, bar->end) - p->g->x) / p->side;

    for (int row = p->first; row <= p->last; row++) {
        if (p->held[row])
            paint_row(p, row, left, right, key_of(p->g, bar));
        p->held[row] = 0;
        p->any = true;
    }
    p->first = p->rows;
    p->last = -1;
}

/* The colour and strength of a cell as one number, or -1. */
static int gantt_pixels_shade(const struct cs_gantt_pixels *p, const struct cell *cell)
{
    double cover = p->levels * (double)cell->cover;
    int level = (int)(p->g->dense ? round(cover) : ceil(cover - 1e-3));

    if (cell->cover <= 0)
        return -1;
    level = level < 1 ? 1 : level > p->levels ? p->levels : level;
    return cell->key * p->levels + level - 1;
}

/* The opacity of a level: linear where it is the share that is filled. */
static double gantt_pixels_strength(const struct cs_gantt_pixels *p, int level)
{
    return p->g->dense ? (level + 1.0) / p->levels : 0.4 + 0.2 * level;
}

static void put_run(struct cs_gantt_pixels *p, struct cs_strbuf *path, int row, int from, int to)
{
    int top = (row + 1) * p->per < p->g->procs ? (row + 1) * p->per : p->g->procs;
    double y = cs_gantt_y(p->g, top), height = cs_gantt_y(p->g, row * p->per) - y;

    double left = from * p->side, right = fmin(to * p->side, p->g->w);

    cs_svg_command(path, 'M', (double[]){p->g->x + left, y}, 2);
    cs_svg_command(path, 'h', (double[]){right - left}, 1);
    cs_svg_command(path, 'v', (double[]){height}, 1);
    cs_svg_command(path, 'h', (double[]){left - right}, 1);
    cs_strbuf_putc(path, 'z');
}

static void gantt_pixels_put_row(struct cs_gantt_pixels *p, int row, struct cs_strbuf *path)
{
    const struct cell *cell = &p->cell[(size_t)row * (size_t)p->columns];
    int from = 0;

    for (int c = 1; c <= p->columns; c++) {
        int is = gantt_pixels_shade(p, &cell[from]);

        if (c < p->columns && gantt_pixels_shade(p, &cell[c]) == is)
            continue;
        if (is >= 0)
            put_run(p, &path[is], row, from, c);
        from = c;
    }
}

static struct cs_gantt_style style_of(const struct cs_gantt *g, int key)
{
    enum cs_bar_kind kind = key == DOWN ? CS_BAR_DOWNTIME : key >= LOST ? CS_BAR_LOST : CS_BAR_WORK;

    return cs_gantt_style(g, key % CS_PALETTE_BARS, kind);
}

static void gantt_pixels_paint(struct cs_gantt_pixels *p, int key, double strength,
                               const char *commands)
{
    struct cs_gantt_style appearance = style_of(p->g, key);
    struct cs_color_text fill = cs_color_text(appearance.fill);

    cs_svg_path(p->g->out, commands,
                &(struct cs_svg_paint){.fill = fill.text, .opacity = strength});
    if (appearance.hatched)
        cs_svg_path(p->g->out, commands,
                    &(struct cs_svg_paint){.fill = appearance.texture, .opacity = strength});
}

static void gantt_pixels_draw(struct cs_gantt_pixels *p)
{
    const int paths = KEYS * p->levels;
    struct cs_strbuf *path;

    if (!p->any)
        return;
    path = CS_NEW_ARRAY(p->g->arena, struct cs_strbuf, paths);
    for (int i = 0; i < paths; i++)
        path[i] = (struct cs_strbuf)CS_STRBUF_INIT;
    for (int row = 0; row < p->rows; row++)
        gantt_pixels_put_row(p, row, path);
    cs_strbuf_printf(p->g->out, "<g class=\"%s\" shape-rendering=\"crispEdges\">\n",
                     p->g->dense ? "density" : "pixels");
    for (int i = 0; i < paths; i++) {
        if (path[i].length)
            gantt_pixels_paint(p, i / p->levels, gantt_pixels_strength(p, i % p->levels),
                               path[i].text);
        cs_strbuf_release(&path[i]);
    }
    cs_svg_group_end(p->g->out);
}

/* The bars: one by one with tooltip and label, the smaller ones of a crowded
 * chart in one path a colour, and what is smaller than a pixel through pixels. */

#define MOST_TOOLTIPS 5000
#define PATHS (CS_PALETTE_BARS * CS_GANTT_KINDS)
#define PAD 4.0 /* between a label and the edges of its bar, along the text */
#define LINE 13.0
#define MARGIN_BETWEEN 7.0 /* between a name and what follows it */
#define ELIDED 9.0         /* font of names that are cut */

struct box {
    double x, y, w, h;
};

static struct box box_of(const struct cs_gantt *g, const struct cs_bar *bar, int interval)
{
    const struct cs_interval *procs = &bar->procs[interval];
    struct box box = {.x = cs_gantt_x(g, bar->start), .y = cs_gantt_y(g, procs->last + 1)};

    box.w = cs_gantt_x(g, bar->end) - box.x;
    box.h = cs_gantt_y(g, procs->first) - box.y;
    return box;
}

static bool gantt_bars_tiny(struct box box)
{
    return box.w < 1 || box.h < 1;
}

/* A hair of background between neighbours. */
static struct box gantt_bars_inset(struct box box)
{
    double gap = box.w >= 3 && box.h >= 3 ? 0.5 : 0;

    return (struct box){box.x + gap, box.y + gap, box.w - 2 * gap, box.h - 2 * gap};
}

/* Tooltips. */

static void put_procs(const struct cs_bar *bar, struct cs_strbuf *text)
{
    int shown = bar->intervals < 8 ? bar->intervals : 8;

    cs_procset_print(text, bar->procs, shown);
    if (shown < bar->intervals)
        cs_strbuf_puts(text, " \xe2\x80\xa6");
}

static bool is_estimated(const struct cs_gantt *g, const struct cs_bar *bar)
{
    return g->options.estimated && g->options.estimated[bar->task];
}

static void gantt_bars_put_time(const struct cs_gantt *g, const struct cs_bar *bar,
                                struct cs_strbuf *text)
{
    cs_strbuf_puts(text, is_estimated(g, bar) ? "~ " : "");
    cs_human_duration(text, bar->end - bar->start);
}

static void put_tooltip(const struct cs_gantt *g, const struct cs_bar *bar, struct cs_strbuf *text)
{
    cs_strbuf_clear(text);
    cs_strbuf_puts(text, cs_gantt_name(g, bar->task));
    cs_strbuf_printf(text, "\n%s, attempt %d\n", cs_bar_kind_name(bar->kind), bar->attempt);
    cs_human_units(text, cs_bar_procs(bar), g->options.processor);
    cs_strbuf_puts(text, ": ");
    put_procs(bar, text);
    if (g->options.launched)
        cs_strbuf_printf(text, "\nlaunched on %d", g->options.launched[bar->task]);
    cs_strbuf_puts(text, "\nfrom ");
    cs_human_digits(text, bar->start, 7);
    cs_strbuf_puts(text, " s to ");
    cs_human_digits(text, bar->end, 7);
    cs_strbuf_puts(text, " s\n");
    gantt_bars_put_time(g, bar, text);
    if (is_estimated(g, bar))
        cs_strbuf_puts(text, ", not measured on that count");
}

/* Labels. */

/* Where a label goes: its lines run along the box, or up along it when it is turned. */
struct place {
    struct box box;
    bool turned;
    double along, across; /* room for the lines, and for how many */
    double size;
    const char *ink;
    const char *ground; /* background of the lines, over a hatch; or NULL */
};

static struct place gantt_bars_place_of(struct box box, bool turned, const char *ink)
{
    struct place p = {.box = box, .turned = turned, .ink = ink};

    p.along = (turned ? box.h : box.w) - 2 * PAD;
    p.across = turned ? box.w : box.h;
    p.size = fmin(CS_GANTT_FONT, p.across - 3);
    return p;
}

static void draw_ground(struct cs_gantt *g, const struct place *p, double x, double y, double width)
{
    double w = fmin(width + 4, p->along + PAD), h = fmin(p->size + 2, p->across);

    if (p->turned)
        cs_svg_rect(g->out, x - h / 2, y - w / 2, h, w, 0,
                    &(struct cs_svg_paint){.fill = p->ground});
    else
        cs_svg_rect(g->out, x - w / 2, y - h / 2, w, h, 0,
                    &(struct cs_svg_paint){.fill = p->ground});
}

/* A line whose middle is so far from the middle of the box: along the text, and below it. */
static void put_line(struct cs_gantt *g, const struct place *p, double along, double below,
                     bool bold, const char *text)
{
    const struct cs_svg_font font = {.class = "label",
                                     .size = p->size,
                                     .fill = p->ink,
                                     .bold = bold,
                                     .anchor = CS_SVG_MIDDLE,
                                     .turn = p->turned ? -90 : 0};
    double x = p->box.x + p->box.w / 2, y = p->box.y + p->box.h / 2;
    double down = below + 0.36 * p->size;

    if (p->ground)
        draw_ground(g, p, p->turned ? x + below : x + along, p->turned ? y - along : y + below,
                    cs_text_width(text, p->size, bold));
    if (p->turned)
        cs_svg_text(g->out, x + down, y - along, &font, text);
    else
        cs_svg_text(g->out, x + along, y + down, &font, text);
}

/* The first of "24 nodes · 35.2 s" and "24 nodes" that fits; empty when neither does. */
static void put_detail(const struct cs_gantt *g, const struct cs_bar *bar, double size, double room,
                       struct cs_strbuf *text)
{
    long long procs = cs_bar_procs(bar);

    for (int with_time = 1; with_time >= 0; with_time--) {
        cs_strbuf_clear(text);
        if (g->options.launched && g->options.launched[bar->task] != procs)
            cs_strbuf_printf(text, "%d of ", g->options.launched[bar->task]);
        cs_human_units(text, procs, g->options.processor);
        if (with_time) {
            cs_strbuf_puts(text, " \xc2\xb7 ");
            gantt_bars_put_time(g, bar, text);
        }
        if (cs_text_width(text->text, size, false) <= room)
            return;
    }
    cs_strbuf_clear(text);
}

/* The name, and the details below it or behind it where there is room. */
static void put_lines(struct cs_gantt *g, const struct cs_bar *bar, const struct place *p,
                      const char *name, struct cs_strbuf *text)
{
    bool two = p->across >= 2 * LINE + 6;
    double width = cs_text_width(name, p->size, true), more;

    put_detail(g, bar, p->size, two ? p->along : p->along - width - MARGIN_BETWEEN, text);
    more = cs_text_width(text->text, p->size, false) + MARGIN_BETWEEN;
    if (!text->length) {
        put_line(g, p, 0, 0, true, name);
    } else if (two) {
        put_line(g, p, 0, -LINE / 2, true, name);
        put_line(g, p, 0, LINE / 2, false, text->text);
    } else {
        put_line(g, p, -more / 2, 0, true, name);
        put_line(g, p, (width + MARGIN_BETWEEN) / 2, 0, false, text->text);
    }
}

/* Makes the font smaller until the whole name fits; false when it had to be too small. */
static bool gantt_bars_shrink(const struct cs_gantt *g, struct place *p, const char *name)
{
    double width = cs_text_width(name, 1, true), least = g->options.least_type;

    if (p->size < least || width * least > p->along)
        return false;
    p->size = fmin(p->size, floor(p->along / width * 4) / 4);
    return true;
}

/* Along the time if the whole name fits, else upwards; else whichever shows more of it. */
static struct place gantt_bars_choose(const struct cs_gantt *g, struct box box, const char *ink,
                                      const char *name, bool *whole)
{
    struct place level = gantt_bars_place_of(box, false, ink),
                 upright = gantt_bars_place_of(box, true, ink);
    bool fits_level = gantt_bars_shrink(g, &level, name),
         fits_upright = gantt_bars_shrink(g, &upright, name);
    double least = g->options.least_type;

    *whole = fits_level || fits_upright;
    if (fits_level && (!fits_upright || level.size >= upright.size - 1))
        return level;
    if (fits_upright)
        return upright;
    return level.size < least || (upright.size >= least && upright.along > level.along) ? upright
                                                                                        : level;
}

/* A few letters of a name are not useful: half of it, or eight, must be visible. */
static int least_letters(const char *name)
{
    int half = (cs_text_columns(name) + 1) / 2;

    return half < 6 ? 6 : half > 8 ? 8 : half;
}

/* "x" for the task "climate/x" of the application climate, which the colour shows. */
static const char *label_name(const struct cs_gantt *g, const struct cs_bar *bar)
{
    const char *name = cs_gantt_name(g, bar->task), *owner;
    size_t length;

    if (!g->options.owners)
        return name;
    owner = cs_gantt_app_name(g, cs_gantt_app(g, bar));
    length = strlen(owner);
    return !strncmp(name, owner, length) && name[length] == '/' ? name + length + 1 : name;
}

static void draw_label(struct cs_gantt *g, const struct cs_bar *bar, struct box box,
                       const struct cs_gantt_style *appearance, struct cs_strbuf *text)
{
    const char *name = label_name(g, bar);
    bool whole;
    struct place p = gantt_bars_choose(g, box, cs_color_ink(appearance->fill), name, &whole);
    struct cs_color_text ground = cs_color_text(appearance->fill);
    struct cs_strbuf shown = CS_STRBUF_INIT;

    p.ground = appearance->hatched ? ground.text : NULL;
    if (!whole)
        p.size = fmin(p.size, fmax(ELIDED, g->options.least_type));
    if (p.size >= g->options.least_type &&
        cs_text_elide(&shown, name, p.size, true, p.along, whole ? 1 : least_letters(name)))
        put_lines(g, bar, &p, shown.text, text);
    cs_strbuf_release(&shown);
}

/* Bars one by one. */

static void draw_box(struct cs_gantt *g, struct box box, const struct cs_gantt_style *appearance)
{
    struct cs_color_text fill = cs_color_text(appearance->fill);
    struct box in = gantt_bars_inset(box);
    double radius = in.w >= 8 && in.h >= 8 ? 1.5 : 0;

    cs_svg_rect(g->out, in.x, in.y, in.w, in.h, radius, &(struct cs_svg_paint){.fill = fill.text});
    if (appearance->texture[0])
        cs_svg_rect(g->out, in.x, in.y, in.w, in.h, radius,
                    &(struct cs_svg_paint){.fill = appearance->texture});
}

static struct cs_gantt_style gantt_bars_style_of(const struct cs_gantt *g, const struct cs_bar *bar)
{
    return cs_gantt_style(g, g->hue[cs_gantt_app(g, bar)], bar->kind);
}

/* The highest, where the label goes; of height 0 if all are tiny. */
static struct box largest_box(const struct cs_gantt *g, const struct cs_bar *bar)
{
    struct box largest = {.h = 0};

    for (int i = 0; i < bar->intervals; i++) {
        struct box box = box_of(g, bar, i);

        if (!gantt_bars_tiny(box) && box.h > largest.h)
            largest = box;
    }
    return largest;
}

static void draw_bar(struct cs_gantt *g, const struct cs_bar *bar, struct cs_strbuf *text)
{
    struct cs_gantt_style appearance = gantt_bars_style_of(g, bar);

    put_tooltip(g, bar, text);
    cs_svg_group_begin(g->out, cs_bar_kind_name(bar->kind), text->text);
    for (int i = 0; i < bar->intervals; i++) {
        struct box box = box_of(g, bar, i);

        if (!gantt_bars_tiny(box))
            draw_box(g, box, &appearance);
    }
    if (bar->kind == CS_BAR_WORK)
        draw_label(g, bar, largest_box(g, bar), &appearance, text);
    cs_svg_group_end(g->out);
}

/* Many in one step. */

static void add_box(struct cs_strbuf *path, struct box box)
{
    struct box in = gantt_bars_inset(box);

    cs_svg_command(path, 'M', (double[]){in.x, in.y}, 2);
    cs_svg_command(path, 'h', (double[]){in.w}, 1);
    cs_svg_command(path, 'v', (double[]){in.h}, 1);
    cs_svg_command(path, 'h', (double[]){-in.w}, 1);
    cs_strbuf_putc(path, 'z');
}

static void draw_path(struct cs_gantt *g, int hue, enum cs_bar_kind kind, const char *commands)
{
    struct cs_gantt_style appearance = cs_gantt_style(g, hue, kind);
    struct cs_color_text fill = cs_color_text(appearance.fill);

    cs_svg_path(g->out, commands, &(struct cs_svg_paint){.fill = fill.text});
    if (appearance.texture[0])
        cs_svg_path(g->out, commands, &(struct cs_svg_paint){.fill = appearance.texture});
}

static void draw_paths(struct cs_gantt *g, struct cs_strbuf *path)
{
    for (int i = 0; i < PATHS; i++) {
        if (path[i].length)
            draw_path(g, i / CS_GANTT_KINDS, (enum cs_bar_kind)(i % CS_GANTT_KINDS), path[i].text);
        cs_strbuf_release(&path[i]);
    }
}

/* The bar goes to the pixels where it is tiny, and to the paths unless it is drawn alone. */
static void sort_out(struct cs_gantt *g, const struct cs_bar *bar, struct cs_gantt_pixels *pixels,
                     struct cs_strbuf *path)
{
    int hue = g->hue[cs_gantt_app(g, bar)] % CS_PALETTE_BARS;
    bool alone = !g->dense && g->alone[bar - g->bar];

    for (int i = 0; i < bar->intervals; i++) {
        struct box box = box_of(g, bar, i);

        if (g->dense || gantt_bars_tiny(box))
            gantt_pixels_rows(pixels, bar->procs[i].first, bar->procs[i].last);
        else if (!alone)
            add_box(&path[hue * CS_GANTT_KINDS + (int)bar->kind], box);
    }
    gantt_pixels_bar(pixels, bar);
}

/* Does some bar have the whole name of its application as its label? */
static bool is_labelled(const struct cs_gantt *g, const struct cs_bar *bar)
{
    bool whole;

    if (bar->kind != CS_BAR_WORK)
        return false;
    gantt_bars_choose(g, largest_box(g, bar), "", label_name(g, bar), &whole);
    return whole;
}

/* The applications for the legend: those without a label. */
static void choose_listed(struct cs_gantt *g)
{
    bool *labelled = CS_NEW_ARRAY(g->arena, bool, g->most_apps);

    g->list = CS_NEW_ARRAY(g->arena, int, g->apps);
    g->listed = 0;
    for (size_t b = 0; b < g->bars && !g->options.owners && !g->dense; b++)
        if (g->alone[b] && !labelled[g->bar[b].task])
            labelled[g->bar[b].task] = is_labelled(g, &g->bar[b]);
    for (int i = 0; i < g->apps; i++)
        if (!labelled[g->app[i]])
            g->list[g->listed++] = g->app[i];
}

/* The bars that get a tooltip: those with the largest area that is not tiny. */
static bool *choose_alone(struct cs_gantt *g)
{
    bool *alone = CS_NEW_ARRAY(g->arena, bool, g->bars);
    double *area = CS_NEW_ARRAY(g->arena, double, g->bars);
    int *large = CS_NEW_ARRAY(g->arena, int, g->bars), *order, count = 0;

    for (size_t b = 0; b < g->bars; b++) {
        for (int i = 0; i < g->bar[b].intervals; i++) {
            struct box box = box_of(g, &g->bar[b], i);

            area[count] += gantt_bars_tiny(box) ? 0 : box.w * box.h;
        }
        large[count] = (int)b;
        count += area[count] > 0;
    }
    order = CS_NEW_ARRAY(g->arena, int, count);
    cs_order_descending(area, count, order, g->arena);
    for (int i = 0; i < count && i < MOST_TOOLTIPS; i++)
        alone[large[order[i]]] = true;
    return alone;
}

static void gantt_draw_bars(struct cs_gantt *g)
{
    struct cs_gantt_pixels *pixels = gantt_pixels_create(g);
    struct cs_strbuf path[PATHS], text = CS_STRBUF_INIT;

    for (int i = 0; i < PATHS; i++)
        path[i] = (struct cs_strbuf)CS_STRBUF_INIT;
    for (size_t i = 0; i < g->bars; i++)
        sort_out(g, &g->bar[i], pixels, path);
    cs_svg_group_begin(g->out, "bars", NULL);
    gantt_pixels_draw(pixels);
    draw_paths(g, path);
    for (size_t i = 0; i < g->bars && !g->dense; i++)
        if (g->alone[i])
            draw_bar(g, &g->bar[i], &text);
    cs_svg_group_end(g->out);
    cs_strbuf_release(&text);
}

#define MARGIN CS_HEADING_MARGIN
#define ROW 16.0
#define TALLEST 480.0
#define ASPECT 0.62  /* of the plot of a narrow picture, at most */
#define SMALLEST 7.5 /* pixels of the labels of bars */
#define SHORTEST 64.0
#define AXIS 42.0        /* ticks and title below the plot */
#define GROUP_LABEL 20.0 /* above the plot, or right of it */

static int check_size(int width, int height, struct cs_error *err)
{
    if (width && (width < CS_GANTT_MIN_WIDTH || width > CS_GANTT_MAX_SIZE))
        return cs_error_set(err, "a Gantt chart of width %d: %d to %d pixels are possible", width,
                            CS_GANTT_MIN_WIDTH, CS_GANTT_MAX_SIZE);
    if (height && (height < CS_GANTT_MIN_HEIGHT || height > CS_GANTT_MAX_SIZE))
        return cs_error_set(err, "a Gantt chart of height %d: %d to %d pixels are possible", height,
                            CS_GANTT_MIN_HEIGHT, CS_GANTT_MAX_SIZE);
    return 0;
}

int cs_gantt_possible(const struct cs_schedule *schedule, int width, int height,
                      struct cs_error *err)
{
    return check_size(width, height, err) || cs_schedule_need_numbers(schedule, err) ||
                   cs_gantt_readable(schedule, err)
               ? -1
               : 0;
}

int cs_gantt_readable(const struct cs_schedule *schedule, struct cs_error *err)
{
    struct cs_gantt g = {.schedule = schedule, .procs = cs_schedule_procs(schedule)};

    g.bar = cs_schedule_bars(schedule, &g.bars);
    return cs_gantt_check(&g, err);
}

static struct cs_gantt_options gantt_settle(const struct cs_gantt_options *supplied,
                                            const struct cs_platform *platform)
{
    struct cs_gantt_options o = supplied ? *supplied : (struct cs_gantt_options){0};

    o.width = o.width ? o.width : 960;
    if (!o.processor)
        o.processor = platform ? platform->unit : "processor";
    o.group = o.group ? o.group : "pack";
    o.legend = o.legend ? o.legend : 30;
    o.least_type = o.least_type > 0 ? o.least_type : SMALLEST;
    return o;
}

static double header_height(const struct cs_gantt *g)
{
    return ceil(cs_heading_height(g->options.title, g->options.subtitle) +
                (g->split == CS_GANTT_BY_TIME ? GROUP_LABEL : 0));
}

/* The height of a legend for a plot of this height; the legend lists what that leaves unlabelled.
 */
static double legend_for(struct cs_gantt *g, double height, double most)
{
    double legend;

    g->h = height;
    g->alone = g->dense ? NULL : choose_alone(g);
    choose_listed(g);
    g->legend_room = 1000;
    legend = cs_gantt_legend_height(g, &g->legend_room);
    while (g->legend_room > 0 && legend > most) {
        g->legend_room--;
        legend = cs_gantt_legend_height(g, &g->legend_room);
    }
    return legend;
}

/* A given height shortens the legend, then the plot: a lower plot may need a longer legend. */
static void fit_plot(struct cs_gantt *g, double rest)
{
    double legend = 0, needed = legend_for(g, floor(fmax(rest, 24)), 0.35 * rest);

    while (needed > legend) {
        legend = needed;
        needed = legend_for(g, floor(fmax(rest - legend, 24)), 0.35 * rest);
    }
}

static void lay_out(struct cs_gantt *g)
{
    double top, strips, legend;

    g->width = g->options.width;
    g->x = ceil(MARGIN + cs_gantt_axis_room(g));
    g->w = floor(g->width - MARGIN - (g->split == CS_GANTT_BY_PROCS ? GROUP_LABEL : 4) - g->x);
    top = header_height(g);
    g->y = top;
    strips = cs_gantt_strips_height(g);
    if (g->options.height) {
        fit_plot(g, g->options.height - top - strips - AXIS - MARGIN);
        g->height = g->options.height;
    } else {
        double height = floor(fmin(fmax(g->procs * ROW, SHORTEST),
                                   g->bars ? fmin(TALLEST, ASPECT * g->width) : SHORTEST));

        legend = legend_for(g, height, g->options.owners ? INFINITY : fmax(0.6 * height, 4 * ROW));
        g->height = top + g->h + strips + AXIS + legend + MARGIN;
    }
    g->bottom = g->y + g->h + strips;
    g->legend_y = g->bottom + AXIS;
}

static void draw_nothing(struct cs_gantt *g)
{
    const struct cs_svg_font font = {
        .class = "empty", .size = 13, .fill = g->theme->muted, .anchor = CS_SVG_MIDDLE};

    cs_svg_text(g->out, g->x + g->w / 2, g->y + g->h / 2 + 4, &font, "nothing ran");
}

static void gantt_draw(struct cs_gantt *g)
{
    cs_svg_begin(g->out, g->width, g->height, g->theme->dark ? "cs-gantt dark" : "cs-gantt light",
                 g->options.title ? g->options.title : "Gantt chart");
    cs_svg_rect(g->out, 0, 0, g->width, g->height, 0,
                &(struct cs_svg_paint){.class = "background", .fill = g->theme->background});
    cs_heading_draw(g->out, g->theme, g->options.title, g->options.subtitle, g->width);
    cs_gantt_draw_patterns(g);
    cs_gantt_draw_background(g);
    if (g->bars)
        gantt_draw_bars(g);
    else
        draw_nothing(g);
    gantt_draw_planned(g);
    cs_gantt_draw_groups(g);
    gantt_draw_faults(g);
    cs_gantt_draw_arcs(g);
    cs_gantt_draw_strips(g);
    cs_gantt_draw_axes(g);
    cs_gantt_draw_legend(g);
    cs_svg_end(g->out);
}

int cs_gantt_svg(const struct cs_schedule *schedule, const struct cs_gantt_options *options,
                 struct cs_strbuf *out, struct cs_error *err)
{
    struct cs_gantt g = {.schedule = schedule,
                         .options = gantt_settle(options, cs_schedule_platform(schedule)),
                         .out = out};
    int status;

    g.bar = cs_schedule_bars(schedule, &g.bars);
    g.procs = cs_schedule_procs(schedule);
    g.tasks = cs_schedule_tasks(schedule);
    if (cs_gantt_possible(schedule, g.options.width, g.options.height, err))
        return -1;
    g.procs = g.procs > 0 ? g.procs : 1;
    g.theme = cs_theme(g.options.style);
    g.dense = g.bars > CS_GANTT_CROWDED;
    g.arena = cs_arena_create();
    status = cs_gantt_classify(&g, err);
    if (!status) {
        cs_gantt_collect(&g);
        lay_out(&g);
        gantt_draw(&g);
    }
    cs_arena_destroy(g.arena);
    return status;
}
