/* ribbons_frame.c - background, axes, bound and legend of the stream chart. */
#include "model/procset.h"
#include "report/axis.h"
#include "report/flow.h"
#include "report/human.h"
#include "report/ribbons_parts.h"
#include "report/svg.h"
#include "report/text_metrics.h"

#include <math.h>
#include <string.h>

/* Names where a ribbon is thick enough for long enough, and bolts. */

#define READABLE 9.5
#define ROOM 1.5
#define LARGEST 13.0
#define PAD 6.0

enum { STRIPE = 1, BOLT };

/* Where a band lies in each column of pixels; top > bottom where it is not. */
struct outline {
    double *top, *bottom;
    unsigned char *marked; /* STRIPE or BOLT where these are */
    int columns;
};

static void ribbons_labels_trace(const struct cs_ribbons *s, int band, struct outline *o)
{
    int e = 0;

    for (int c = 0; c < o->columns; c++) {
        double time = (c + 0.5) / s->w * s->end;

        while (e + 1 < s->events && s->when[e + 1] <= time)
            e++;
        o->top[c] = cs_ribbons_y(s, cs_ribbons_level(s, e, band + 1));
        o->bottom[c] = cs_ribbons_y(s, cs_ribbons_level(s, e, band));
    }
}

static void ribbons_labels_mark(const struct cs_ribbons *s, struct outline *o, double from,
                                double to, unsigned char what)
{
    int first = (int)fmax(from - s->x, 0), last = (int)fmin(to - s->x, o->columns - 1);

    for (int c = first; c <= last; c++)
        o->marked[c] = what;
}

/* The columns of a band that names should keep away from. */
static void mark_all(const struct cs_ribbons *s, int band, const int *holder, struct outline *o)
{
    const struct cs_ribbons_band *b = &s->band[band];
    double half = cs_bolt_size(s->options.faults) / 2;

    memset(o->marked, 0, (size_t)o->columns * sizeof *o->marked);
    for (size_t p = b->first; p < b->first + b->pieces; p++)
        for (size_t i = s->piece[p].first; i < s->piece[p].first + s->piece[p].bars; i++)
            if (s->bar[i]->kind != CS_BAR_WORK)
                ribbons_labels_mark(s, o, cs_ribbons_x(s, s->bar[i]->start),
                                    cs_ribbons_x(s, s->bar[i]->end), STRIPE);
    for (int i = 0; i < s->options.faults; i++) {
        double x = cs_ribbons_x(s, s->options.fault[i].time);

        if (holder[i] == band)
            ribbons_labels_mark(s, o, x - half, x + half, BOLT);
    }
}

/* The worst mark over so many columns. */
static int worst_mark(const struct outline *o, int from, int columns)
{
    int worst = 0;

    for (int c = from; c < from + columns; c++)
        worst = o->marked[c] > worst ? o->marked[c] : worst;
    return worst;
}

/* The height that is free over so many columns from `from` on. */
static double ribbons_labels_clear(const struct outline *o, int from, int columns, double *middle)
{
    double top = 0, bottom = INFINITY;

    for (int c = from; c < from + columns; c++) {
        top = fmax(top, o->top[c]);
        bottom = fmin(bottom, o->bottom[c]);
    }
    *middle = (top + bottom) / 2;
    return bottom - top;
}

struct place {
    double x, y, size;
};

/* The leftmost place for a text this wide at size 1, in the largest font of at least `least`
 * that has one, with no mark above `most`. */
static bool ribbons_labels_find(const struct cs_ribbons *s, const struct outline *o, double width,
                                double least, int most, struct place *place)
{
    static const double size[] = {LARGEST, 11, 9.5, 8, 7, 6};
    double largest = fmax(8, 1.1 * s->h / s->bands), middle;

    for (size_t i = 0; i < sizeof size / sizeof *size && size[i] >= least; i++) {
        int columns = (int)ceil(width * size[i] + 2 * PAD);

        for (int c = 2; c + columns < o->columns && size[i] <= largest; c += 2)
            if (o->bottom[c] - o->top[c] >= size[i] + ROOM &&
                ribbons_labels_clear(o, c, columns, &middle) >= size[i] + ROOM &&
                worst_mark(o, c, columns) <= most) {
                *place = (struct place){s->x + c + PAD, middle, size[i]};
                return true;
            }
    }
    return false;
}

/* The text with a rim of the colour below it, so that stripes do not cut it up. */
static void ribbons_labels_put_text(struct cs_ribbons *s, const struct place *p,
                                    struct cs_color color, const char *text)
{
    struct cs_svg_font font = {.class = "label", .size = p->size, .bold = true};
    struct cs_color_text rim = cs_color_text(color);
    const struct cs_color white = {255, 255, 255};

    cs_strbuf_printf(s->out, "<g stroke=\"%s\" stroke-width=\"2.5\" stroke-linejoin=\"round\">\n",
                     rim.text);
    font.class = "rim";
    font.fill = rim.text;
    cs_svg_text(s->out, p->x, p->y + 0.36 * p->size, &font, text);
    cs_svg_group_end(s->out);
    font.class = "label";
    font.fill = cs_color_contrast(color, white) >= 2.7 ? "#ffffff" : "#000000";
    cs_svg_text(s->out, p->x, p->y + 0.36 * p->size, &font, text);
}

static bool ribbons_labels_holds(const struct cs_bar *bar, int processor)
{
    const struct cs_interval one = {processor, processor};

    return cs_procset_common(bar->procs, bar->intervals, &one, 1) >= 0;
}

/* The band that holds the processor just before the time, or -1. */
static int find_holder(const struct cs_ribbons *s, const struct cs_bolt_fault *fault)
{
    for (int b = 0; b < s->bands; b++)
        for (size_t p = s->band[b].first; p < s->band[b].first + s->band[b].pieces; p++) {
            const struct cs_ribbons_piece *piece = &s->piece[p];

            if (piece->start < fault->time && fault->time <= piece->end &&
                ribbons_labels_holds(s->bar[piece->first], fault->processor))
                return b;
        }
    return -1;
}

static int *find_holders(const struct cs_ribbons *s)
{
    int *holder = CS_NEW_ARRAY(s->arena, int, s->options.faults);

    for (int i = 0; i < s->options.faults; i++)
        holder[i] = find_holder(s, &s->options.fault[i]);
    return holder;
}

static void draw_labels(struct cs_ribbons *s, const int *holder)
{
    const double least = s->options.least_type;
    struct outline o = {.columns = (int)s->w};

    o.top = CS_NEW_ARRAY(s->arena, double, o.columns);
    o.bottom = CS_NEW_ARRAY(s->arena, double, o.columns);
    o.marked = CS_NEW_ARRAY(s->arena, unsigned char, o.columns);
    cs_svg_group_begin(s->out, "labels", NULL);
    for (int b = 0; b < s->bands; b++) {
        const char *name = cs_ribbons_name(s, b);
        double width = cs_text_width(name, 1, true);
        struct place place;

        ribbons_labels_trace(s, b, &o);
        mark_all(s, b, holder, &o);
        if (ribbons_labels_find(s, &o, width, fmax(READABLE, least), 0, &place) ||
            ribbons_labels_find(s, &o, width, fmax(READABLE, least), STRIPE, &place) ||
            ribbons_labels_find(s, &o, width, least, 0, &place) ||
            ribbons_labels_find(s, &o, width, least, STRIPE, &place))
            ribbons_labels_put_text(s, &place, s->band[b].color, name);
    }
    cs_svg_group_end(s->out);
}

/* Failures. */

static void draw_fault(struct cs_ribbons *s, const struct cs_bolt_fault *fault, int band,
                       double size, struct cs_strbuf *text)
{
    int event = cs_ribbons_event_at(s, fault->time);
    double x = cs_ribbons_x(s, fault->time), y;

    if (band < 0)
        return;
    event = event && s->when[event] >= fault->time * (1 - 1e-12) ? event - 1 : event;
    y = cs_ribbons_y(s,
                     (cs_ribbons_level(s, event, band) + cs_ribbons_level(s, event, band + 1)) / 2);
    cs_strbuf_clear(text);
    cs_strbuf_puts(text, "failure at ");
    cs_human_digits(text, fault->time, 7);
    cs_strbuf_printf(text, " s\n%s %d of %s%s", s->options.processor, fault->processor,
                     cs_ribbons_name(s, band),
                     fault->failures_hit ? "" : "\nno loss: no computation was active");
    cs_svg_group_begin(s->out, fault->failures_hit ? "failure" : "harmless", text->text);
    cs_bolt_draw(s->out, s->theme, x, y, size, fault->failures_hit);
    cs_svg_group_end(s->out);
}

static void draw_faults(struct cs_ribbons *s, const int *holder)
{
    int faults = s->options.faults;
    double size = cs_bolt_size(faults);
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_svg_group_begin(s->out, "failures", NULL);
    for (int failures_hit = 0; failures_hit < 2; failures_hit++)
        for (int i = 0; i < faults; i++)
            if (s->options.fault[i].failures_hit == (failures_hit == 1))
                draw_fault(s, &s->options.fault[i], holder[i], size, &text);
    cs_svg_group_end(s->out);
    cs_strbuf_release(&text);
}

void cs_ribbons_draw_labels(struct cs_ribbons *s)
{
    const int *holder = find_holders(s);

    draw_labels(s, holder);
    draw_faults(s, holder);
}

#define SWATCH 13.0
#define GAP 22.0
#define LEGEND 24.0 /* of one row */
#define ROW 19.0    /* each further one */

static void proc_ticks(const struct cs_ribbons *s, double height, struct cs_ticks *ticks)
{
    cs_ticks_procs(s->procs, cs_ticks_wanted(height, 55), ticks);
}

static void time_ticks(const struct cs_ribbons *s, struct cs_ticks *ticks)
{
    cs_ticks_time(0, s->end, cs_ticks_wanted(s->w, 90), cs_time_unit(s->end), ticks);
}

double cs_ribbons_axis_room(const struct cs_ribbons *s)
{
    struct cs_ticks ticks;
    double room = 0;

    proc_ticks(s, 500, &ticks);
    for (int i = 0; i < ticks.count; i++)
        room = fmax(room, cs_text_width(ticks.label[i], CS_RIBBONS_FONT, false));
    return room + 7 + 18;
}

void cs_ribbons_draw_background(struct cs_ribbons *s)
{
    const struct cs_svg_paint line = {.class = "grid", .stroke = s->theme->grid, .width = 1};
    struct cs_ticks ticks;

    cs_svg_group_begin(s->out, "idle", s->bands ? "idle" : NULL);
    cs_svg_rect(s->out, s->x, s->y, s->w, s->h, 0, &(struct cs_svg_paint){.fill = s->theme->idle});
    cs_svg_group_end(s->out);
    time_ticks(s, &ticks);
    for (int i = 0; i < ticks.count; i++) {
        double x = floor(cs_ribbons_x(s, ticks.at[i])) + 0.5;

        cs_svg_line(s->out, x, s->y, x, s->y + s->h, &line);
    }
}

static void draw_proc_axis(struct cs_ribbons *s)
{
    const struct cs_svg_paint line = {.class = "tick", .stroke = s->theme->axis, .width = 1};
    const struct cs_svg_font font = {.class = "tick-label",
                                     .size = CS_RIBBONS_FONT,
                                     .fill = s->theme->muted,
                                     .anchor = CS_SVG_END};
    const struct cs_svg_font title = {.class = "axis-title",
                                      .size = CS_RIBBONS_FONT + 1,
                                      .fill = s->theme->text,
                                      .anchor = CS_SVG_MIDDLE,
                                      .turn = -90};
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_ticks ticks;

    proc_ticks(s, s->h, &ticks);
    for (int i = 0; i < ticks.count; i++) {
        double y = floor(cs_ribbons_y(s, ticks.at[i])) + 0.5;

        cs_svg_line(s->out, s->x - 4, y, s->x, y, &line);
        cs_svg_text(s->out, s->x - 7, y + 3.5, &font, ticks.label[i]);
    }
    cs_strbuf_printf(&text, "%ss", s->options.processor);
    cs_svg_text(s->out, 24, s->y + s->h / 2, &title, text.text);
    cs_strbuf_release(&text);
}

static void draw_time_axis(struct cs_ribbons *s)
{
    const struct cs_svg_paint line = {.class = "tick", .stroke = s->theme->axis, .width = 1};
    struct cs_svg_font font = {.class = "tick-label",
                               .size = CS_RIBBONS_FONT,
                               .fill = s->theme->muted,
                               .anchor = CS_SVG_MIDDLE};
    struct cs_strbuf text = CS_STRBUF_INIT;
    double y = s->y + s->h;
    struct cs_ticks ticks;

    time_ticks(s, &ticks);
    for (int i = 0; i < ticks.count; i++) {
        double x = floor(cs_ribbons_x(s, ticks.at[i])) + 0.5;

        cs_svg_line(s->out, x, y, x, y + 4, &line);
        cs_svg_text(s->out, x, y + 16, &font, ticks.label[i]);
    }
    font.class = "axis-title";
    font.size = CS_RIBBONS_FONT + 1;
    font.fill = s->theme->text;
    cs_strbuf_printf(&text, "time (%s)", cs_time_unit(s->end).name);
    cs_svg_text(s->out, s->x + s->w / 2, y + 33, &font, text.text);
    cs_strbuf_release(&text);
}

/* All failures as ticks above the plot: those that threw work back, and the others. */
static void draw_rug(struct cs_ribbons *s)
{
    cs_svg_group_begin(s->out, "rug", NULL);
    for (int i = 0; i < s->options.faults; i++) {
        const struct cs_bolt_fault *fault = &s->options.fault[i];
        double x = cs_ribbons_x(s, fault->time);

        if (fault->time <= s->end)
            cs_svg_line(s->out, x, s->y - (fault->failures_hit ? 7 : 4), x, s->y - 1,
                        &(struct cs_svg_paint){.stroke = fault->failures_hit
                                                             ? cs_bolt_color(s->theme)
                                                             : s->theme->axis,
                                               .width = 1.4});
    }
    cs_svg_group_end(s->out);
}

static void draw_bound(struct cs_ribbons *s)
{
    double x = cs_ribbons_x(s, s->options.lower_bound), left;
    const struct cs_svg_font font = {
        .class = "bound", .size = CS_RIBBONS_FONT, .fill = s->theme->text, .anchor = CS_SVG_MIDDLE};
    const char *text = "lower bound";
    double half = cs_text_width(text, CS_RIBBONS_FONT, false) / 2;

    if (!(s->options.lower_bound > 0) || x > s->x + s->w)
        return;
    left = fmin(fmax(x, s->x + half), s->x + s->w - half);
    cs_svg_line(s->out, x, s->y - 9, x, s->y + s->h,
                &(struct cs_svg_paint){
                    .class = "bound", .stroke = s->theme->text, .width = 1.3, .dash = "5 4"});
    cs_svg_text(s->out, left, s->y - 12, &font, text);
}

void cs_ribbons_draw_axes(struct cs_ribbons *s)
{
    cs_svg_group_begin(s->out, "axes", NULL);
    cs_svg_line(s->out, s->x - 0.5, s->y, s->x - 0.5, s->y + s->h + 0.5,
                &(struct cs_svg_paint){.class = "frame", .stroke = s->theme->axis, .width = 1});
    cs_svg_line(s->out, s->x - 0.5, s->y + s->h + 0.5, s->x + s->w, s->y + s->h + 0.5,
                &(struct cs_svg_paint){.class = "frame", .stroke = s->theme->axis, .width = 1});
    draw_proc_axis(s);
    draw_time_axis(s);
    draw_rug(s);
    draw_bound(s);
    cs_svg_group_end(s->out);
}

/* The legend: the split of processor time. */

static const char *const words[CS_RIBBONS_SHARES] = {
    "work", "checkpoints", "lost work", "downtime, recovery", "moves", "idle"};

static void put_share(const struct cs_ribbons *s, int share, struct cs_strbuf *text)
{
    double part = s->share[share] / (s->procs * s->end);

    cs_strbuf_clear(text);
    cs_strbuf_printf(text, "%s ", words[share]);
    cs_human_percent(text, part, part >= 0.0995 ? 0 : 1);
}

/* One entry of the legend: a share of processor time, or the mark of failures. */
struct entry {
    int share; /* CS_RIBBONS_SHARES: failures */
    struct cs_strbuf text;
};

static double entry_width(const struct entry *e)
{
    return SWATCH + 6 + cs_text_width(e->text.text, CS_RIBBONS_FONT, false);
}

static int list_entries(const struct cs_ribbons *s, struct entry *entry)
{
    int count = 0;

    for (int share = 0; share < CS_RIBBONS_SHARES; share++) {
        if (!(s->share[share] > 1e-9 * s->procs * s->end))
            continue;
        entry[count] = (struct entry){.share = share, .text = CS_STRBUF_INIT};
        put_share(s, share, &entry[count++].text);
    }
    if (s->options.faults) {
        entry[count] = (struct entry){.share = CS_RIBBONS_SHARES, .text = CS_STRBUF_INIT};
        cs_strbuf_puts(&entry[count++].text, "failure");
    }
    return count;
}

static void draw_swatch(struct cs_ribbons *s, double x, double y, int share)
{
    struct cs_color color = s->bands ? s->band[s->bands / 3].color : cs_color_parse("#2d718e");
    const struct cs_svg_paint rim = {.fill = "none", .stroke = s->theme->axis, .width = 0.6};

    if (share == CS_RIBBONS_SHARES)
        cs_bolt_draw(s->out, s->theme, x + SWATCH / 2, y + SWATCH / 2, 16, true);
    else if (share == CS_RIBBONS_IDLE)
        cs_svg_rect(
            s->out, x, y, SWATCH, SWATCH, 2,
            &(struct cs_svg_paint){.fill = s->theme->idle, .stroke = s->theme->axis, .width = 0.6});
    else
        cs_ribbons_swatch(s, x, y, SWATCH, (enum cs_ribbons_share)share, color);
    if (share == CS_RIBBONS_DOWN && s->theme->dark)
        cs_svg_rect(s->out, x, y, SWATCH, SWATCH, 2, &rim);
}

static void draw_entry(struct cs_ribbons *s, const struct cs_flow *flow, const struct entry *e)
{
    const struct cs_svg_font font = {
        .class = "legend-label", .size = CS_RIBBONS_FONT, .fill = s->theme->text};

    draw_swatch(s, flow->x, flow->y, e->share);
    cs_svg_text(s->out, flow->x + SWATCH + 6, flow->y + 10.5, &font, e->text.text);
}

/* Puts the entries into rows from y on, and draws them if asked to; the last row's y. */
static double flow_legend(struct cs_ribbons *s, double y, bool draws)
{
    struct cs_flow flow = {s->x, s->x + s->w, ROW, s->x, y};
    struct entry entry[CS_RIBBONS_SHARES + 1];
    int count = list_entries(s, entry);

    for (int i = 0; i < count; i++) {
        cs_flow_make_room(&flow, entry_width(&entry[i]));
        if (draws)
            draw_entry(s, &flow, &entry[i]);
        flow.x += entry_width(&entry[i]) + GAP;
        cs_strbuf_release(&entry[i].text);
    }
    return flow.y;
}

double cs_ribbons_legend_height(struct cs_ribbons *s)
{
    return LEGEND + flow_legend(s, 0, false);
}

void cs_ribbons_draw_legend(struct cs_ribbons *s, double y)
{
    cs_svg_group_begin(s->out, "legend", NULL);
    flow_legend(s, y, true);
    cs_svg_group_end(s->out);
}
