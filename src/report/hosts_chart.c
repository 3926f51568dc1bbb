/* hosts_chart.c - columns of slots, runs of equal columns, rectangles. */
#include "report/hosts_chart.h"

#include "base/arena.h"
#include "base/plain.h"
#include "report/axis.h"
#include "report/flow.h"
#include "report/gantt.h"
#include "report/svg.h"
#include "report/text_metrics.h"

#include <math.h>
#include <string.h>

#define USUAL 1120.0 /* pixels wide */
#define MARGIN 16.0
#define FONT 11.0
#define ABOVE 20.0 /* the numbers of iterations */
#define AXIS 44.0
#define LEGEND 26.0

enum act { NOTHING, PROGRAM, DATA, COMPUTES, LOST, SAVES, ACTS };

static const struct {
    const char *class, *name, *letter, *color, *grey, *action;
} acts[ACTS] = {
    [PROGRAM] = {"program", "receives the program", "P", "#cc79a7", "#4a4a4a",
                 "receives the program"},
    [DATA] = {"data", "receives data", "D", "#56b4e9", "#a6a6a6", "receives data"},
    [COMPUTES] = {"computes", "computes", "C", "#009e73", "#d6d6d6", "computes"},
    [LOST] = {"lost", "computes, thrown away", "X", "#d55e00", "#7a7a7a",
              "computes what is thrown away"},
    [SAVES] = {"saves", "saves", "S", "#f0e442", "#efefef", "saves what is computed"},
};

struct lanes {
    const struct cs_schedule *schedule;
    const struct cs_volatile_declared *d;
    const struct cs_hosts_chart_options *options;
    const struct cs_theme *theme;
    struct cs_strbuf *out;
    struct cs_arena *arena;
    double width, x, y, w, h, lane; /* of the picture; of the plot; of a lane */
    int columns;
};

static double x_of(const struct lanes *l, double slot)
{
    return l->x + slot / (double)l->d->slots * l->w;
}

static struct cs_color_text hosts_chart_shade(const struct lanes *l, double amount)
{
    return cs_color_text(
        cs_color_mix(cs_color_parse(l->theme->background), cs_color_parse(l->theme->text), amount));
}

static struct cs_color_text state_color(const struct lanes *l, char state)
{
    return hosts_chart_shade(l, state == 'd' ? 0.62 : state == 'r' ? 0.2 : 0.035);
}

static struct cs_color act_hue(const struct lanes *l, enum act act)
{
    return cs_color_parse(l->theme->grey ? acts[act].grey : acts[act].color);
}

static struct cs_color_text act_color(const struct lanes *l, enum act act)
{
    return cs_color_text(act_hue(l, act));
}

static enum act act_of(enum cs_bar_kind kind)
{
    switch (kind) {
    case CS_BAR_PROGRAM:
        return PROGRAM;
    case CS_BAR_MOVE:
        return DATA;
    case CS_BAR_LOST:
        return LOST;
    case CS_BAR_CHECKPOINT:
        return SAVES;
    default:
        return COMPUTES;
    }
}

static void hosts_chart_name_of(const struct lanes *l, int host, char *text, size_t size)
{
    if (l->d->host[host])
        cs_plain_print(text, size, "%s", l->d->host[host]);
    else
        cs_plain_print(text, size, "%d", host);
}

/* The letter that a column of a trace has most of; the worse of equals. */
static char state_in(const char *trace, long long from, long long to)
{
    long long count[3] = {0};

    for (long long t = from; t < to; t++)
        count[trace[t] == 'u' ? 0 : trace[t] == 'r' ? 1 : 2]++;
    if (count[2] >= count[1] && count[2] >= count[0])
        return 'd';
    return count[1] >= count[0] ? 'r' : 'u';
}

static long long column_at(const struct lanes *l, int column)
{
    return l->d->slots * column / l->columns;
}

static void draw_run(struct lanes *l, int host, char state, int from, int to)
{
    double x = x_of(l, (double)column_at(l, from)), end = x_of(l, (double)column_at(l, to));
    struct cs_color_text color = state_color(l, state);
    const char *class = state == 'd' ? "down" : state == 'r' ? "reclaimed" : "up";
    double gap = l->lane > 12 ? 1.5 : 0.5;

    cs_svg_rect(l->out, x, l->y + host * l->lane + gap, end - x, l->lane - 2 * gap, 0,
                &(struct cs_svg_paint){.class = class, .fill = color.text});
    if (state == 'r' && end - x > 2)
        cs_svg_rect(l->out, x, l->y + host * l->lane + gap, end - x, l->lane - 2 * gap, 0,
                    &(struct cs_svg_paint){.class = class, .fill = "url(#reclaimed)"});
}

static void draw_states(struct lanes *l)
{
    for (int q = 0; q < l->d->hosts; q++) {
        int from = 0;
        char now = 0;

        for (int c = 0; c <= l->columns; c++) {
            char state =
                c < l->columns ? state_in(l->d->trace[q], column_at(l, c), column_at(l, c + 1)) : 0;

            if (c && state != now) {
                draw_run(l, q, now, from, c);
                from = c;
            }
            now = state;
        }
    }
}

static void label_bar(struct lanes *l, enum act act, double x, double y, double width,
                      double height)
{
    struct cs_svg_font font = {.class = "label",
                               .size = FONT,
                               .fill = cs_color_ink(act_hue(l, act)),
                               .anchor = CS_SVG_MIDDLE};
    static const char *const words[ACTS] = {"", "program", "data", "computes", "lost"};
    const char *text = words[act];

    if (height < FONT + 1)
        return;
    if (cs_text_width(text, FONT, false) > width - 6)
        text = acts[act].letter;
    if (cs_text_width(text, FONT, false) <= width - 3)
        cs_svg_text(l->out, x + width / 2, y + height / 2 + 4, &font, text);
}

static void draw_bar(struct lanes *l, const struct cs_bar *bar)
{
    int host = bar->procs->first;
    double x = x_of(l, bar->start), width = x_of(l, bar->end) - x;
    double inset = l->lane > 12 ? 4 : 1, y = l->y + host * l->lane + inset;
    enum act act = act_of(bar->kind);
    char name[80], tooltip[256];

    hosts_chart_name_of(l, host, name, sizeof name);
    cs_plain_print(tooltip, sizeof tooltip, "%s %s, iteration %d, try %d: slots %.0f to %.0f%s",
                   name, acts[act].action, bar->task + 1, bar->attempt, bar->start, bar->end - 1,
                   bar->group < 0 ? " (outside the configuration)" : "");
    cs_svg_group_begin(l->out, acts[act].class, tooltip);
    cs_svg_rect(l->out, x, y, fmax(width, 0.6), l->lane - 2 * inset, width > 6 ? 1.5 : 0,
                &(struct cs_svg_paint){.fill = act_color(l, act).text});
    if (act == LOST && width > 4)
        cs_svg_rect(l->out, x, y, width, l->lane - 2 * inset, 0,
                    &(struct cs_svg_paint){.fill = "url(#lost)"});
    label_bar(l, act, x, y, width, l->lane - 2 * inset);
    cs_svg_group_end(l->out);
}

static void draw_bars(struct lanes *l)
{
    size_t count;
    const struct cs_bar *bar = cs_schedule_bars(l->schedule, &count);

    for (size_t i = 0; i < count; i++)
        if (bar[i].intervals == 1 && bar[i].procs->first < l->d->hosts)
            draw_bar(l, &bar[i]);
}

/* Where each iteration ended; NaN for those that did not. */
static double *ends_of(const struct lanes *l)
{
    double *end = CS_NEW_ARRAY(l->arena, double, l->d->completed + 1);
    size_t count;
    const struct cs_bar *bar = cs_schedule_bars(l->schedule, &count);

    for (size_t i = 0; i < count; i++)
        if (bar[i].kind == CS_BAR_WORK && bar[i].task < l->d->completed)
            end[bar[i].task] = fmax(end[bar[i].task], bar[i].end);
    return end;
}

static void draw_iterations(struct lanes *l)
{
    const struct cs_svg_paint line = {
        .class = "iteration", .stroke = l->theme->text, .width = 1, .dash = "4 2"};
    const struct cs_svg_font font = {
        .class = "iteration", .size = FONT, .fill = l->theme->muted, .anchor = CS_SVG_MIDDLE};
    double *end = ends_of(l), from = 0;

    for (int i = 0; i < l->d->completed; i++) {
        double x = x_of(l, end[i]), room = x - x_of(l, from);
        char text[40];

        cs_plain_print(text, sizeof text, "iteration %d", i + 1);
        if (cs_text_width(text, FONT, false) > room - 6)
            cs_plain_print(text, sizeof text, "%d", i + 1);
        if (cs_text_width(text, FONT, false) <= room - 2)
            cs_svg_text(l->out, x - room / 2, l->y - 6, &font, text);
        if (room > 3)
            cs_svg_line(l->out, x, l->y - 3, x, l->y + l->h, &line);
        from = end[i];
    }
}

static void draw_names(struct lanes *l)
{
    const struct cs_svg_font font = {
        .class = "host", .size = FONT, .fill = l->theme->text, .anchor = CS_SVG_END};
    int every = (int)ceil((FONT + 2) / l->lane);

    for (int q = 0; q < l->d->hosts; q += every) {
        struct cs_strbuf text = CS_STRBUF_INIT;
        char name[200];

        hosts_chart_name_of(l, q, name, sizeof name);
        cs_text_elide(&text, name, FONT, false, l->x - MARGIN - 8, 3);
        cs_svg_text(l->out, l->x - 7, l->y + (q + 0.5) * l->lane + 4, &font, text.text);
        cs_strbuf_release(&text);
    }
}

static void draw_axis(struct lanes *l)
{
    const struct cs_svg_paint line = {.class = "tick", .stroke = l->theme->axis, .width = 1};
    struct cs_svg_font font = {
        .class = "tick-label", .size = FONT, .fill = l->theme->muted, .anchor = CS_SVG_MIDDLE};
    struct cs_ticks ticks;

    cs_ticks_whole(0, (double)l->d->slots, l->w < 700 ? (int)(l->w / 70) : 10, &ticks);
    for (int i = 0; i < ticks.count; i++) {
        double x = floor(x_of(l, ticks.at[i])) + 0.5;

        cs_svg_line(l->out, x, l->y + l->h, x, l->y + l->h + 4, &line);
        cs_svg_text(l->out, x, l->y + l->h + 16, &font, ticks.label[i]);
    }
    font.class = "axis-title";
    font.size = FONT + 1;
    font.fill = l->theme->text;
    cs_svg_text(l->out, l->x + l->w / 2, l->y + l->h + 33, &font, "time (slots)");
}

/* An entry of the legend: a colour, an optional mark over it, and its meaning. */
struct entry {
    struct cs_color_text fill;
    const char *over, *name;
};

static void draw_entry(struct lanes *l, double x, double y, const struct entry *e)
{
    const struct cs_svg_font font = {.class = "legend", .size = FONT, .fill = l->theme->text};
    struct cs_svg_paint paint = {.fill = e->fill.text, .stroke = l->theme->axis, .width = 0.7};

    cs_svg_rect(l->out, x, y - 9, 14, 11, 1, &paint);
    if (e->over)
        cs_svg_rect(l->out, x, y - 9, 14, 11, 1, &(struct cs_svg_paint){.fill = e->over});
    cs_svg_text(l->out, x + 19, y, &font, e->name);
}

/* Puts the entries into rows from y on, and draws them if asked to; the last row's y. */
static double flow_legend(struct lanes *l, double y, bool draws)
{
    const struct entry entry[] = {
        {act_color(l, PROGRAM), NULL, acts[PROGRAM].name},
        {act_color(l, DATA), NULL, acts[DATA].name},
        {act_color(l, COMPUTES), NULL, acts[COMPUTES].name},
        {act_color(l, LOST), "url(#lost)", acts[LOST].name},
        {state_color(l, 'u'), NULL, "up"},
        {state_color(l, 'r'), "url(#reclaimed)", "reclaimed"},
        {state_color(l, 'd'), NULL, "down"},
        {act_color(l, SAVES), NULL, acts[SAVES].name},
    };
    size_t entries = sizeof entry / sizeof *entry - (l->d->save_every > 0 ? 0 : 1);
    struct cs_flow flow = {l->x, l->x + l->w, 19, l->x, y};

    for (size_t i = 0; i < entries; i++) {
        double width = 19 + cs_text_width(entry[i].name, FONT, false);

        cs_flow_make_room(&flow, width);
        if (draws)
            draw_entry(l, flow.x, flow.y, &entry[i]);
        flow.x += width + 16;
    }
    return flow.y;
}

static void draw_patterns(struct lanes *l)
{
    cs_strbuf_printf(l->out,
                     "<defs><pattern id=\"reclaimed\" width=\"6\" height=\"6\" "
                     "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
                     "<path d=\"M0 0h1.4v6h-1.4z\" fill=\"%s\" fill-opacity=\"0.35\"/></pattern>"
                     "<pattern id=\"lost\" width=\"5\" height=\"5\" "
                     "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(-45)\">"
                     "<path d=\"M0 0h1.6v5h-1.6z\" fill=\"#ffffff\" fill-opacity=\"0.55\"/>"
                     "</pattern></defs>\n",
                     l->theme->text);
}

static void lay_out(struct lanes *l)
{
    double names = 0;

    for (int q = 0; q < l->d->hosts; q++) {
        char name[200];

        hosts_chart_name_of(l, q, name, sizeof name);
        names = fmax(names, cs_text_width(name, FONT, false));
    }
    l->width = l->options->width ? l->options->width : USUAL;
    l->lane = l->d->hosts <= 24 ? 24 : fmax(5, floor(600.0 / l->d->hosts));
    l->x = ceil(MARGIN + fmin(names, fmin(150, l->width / 4)) + 10);
    l->w = l->width - MARGIN - 4 - l->x;
    l->y = ceil(cs_heading_height(l->options->title, l->options->subtitle) + ABOVE);
    l->h = l->lane * l->d->hosts;
    l->columns = l->d->slots < (long long)l->w ? (int)l->d->slots : (int)l->w;
}

static void hosts_chart_draw(struct lanes *l)
{
    double legend = LEGEND + flow_legend(l, 0, false);
    double height = l->y + l->h + AXIS + legend + MARGIN - 8;

    cs_svg_begin(l->out, l->width, height, l->theme->dark ? "cs-lanes dark" : "cs-lanes light",
                 l->options->title ? l->options->title : "hosts over time");
    cs_svg_rect(l->out, 0, 0, l->width, height, 0,
                &(struct cs_svg_paint){.class = "background", .fill = l->theme->background});
    cs_heading_draw(l->out, l->theme, l->options->title, l->options->subtitle, l->width);
    draw_patterns(l);
    draw_states(l);
    draw_bars(l);
    draw_iterations(l);
    draw_names(l);
    draw_axis(l);
    flow_legend(l, l->y + l->h + AXIS + 12, true);
    cs_svg_end(l->out);
}

int cs_hosts_chart_svg(const struct cs_schedule *schedule,
                       const struct cs_volatile_declared *declared,
                       const struct cs_hosts_chart_options *options, struct cs_strbuf *out,
                       struct cs_error *err)
{
    struct lanes l = {.schedule = schedule,
                      .d = declared,
                      .options = options,
                      .theme = cs_theme(options->style),
                      .out = out};

    if (options->width &&
        (options->width < CS_GANTT_MIN_WIDTH || options->width > CS_GANTT_MAX_SIZE))
        return cs_error_set(err, "a picture of width %d: %d to %d pixels are possible",
                            options->width, CS_GANTT_MIN_WIDTH, CS_GANTT_MAX_SIZE);
    if (declared->hosts > CS_HOSTS_CHART_MOST)
        return cs_error_set(err, "a picture has room for %d hosts, here are %d",
                            CS_HOSTS_CHART_MOST, declared->hosts);
    if (options->color_by != CS_COLOR_TASK && options->color_by != CS_COLOR_KIND)
        return cs_error_set(err, "the chart of a volatile schedule has no classes of tasks as "
                                 "colours, but the kinds of bars");
    if (declared->slots < 1)
        return cs_error_set(err, "nothing ran: there is nothing to draw");
    l.arena = cs_arena_create();
    lay_out(&l);
    hosts_chart_draw(&l);
    cs_arena_destroy(l.arena);
    return 0;
}
