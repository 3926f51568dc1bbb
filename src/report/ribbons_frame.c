/* ribbons_frame.c - background, axes, bound and legend of the stream chart. */
#include "report/axis.h"
#include "report/flow.h"
#include "report/human.h"
#include "report/ribbons_parts.h"
#include "report/svg.h"
#include "report/text_metrics.h"

#include <math.h>

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
