/* gantt_legend.c - which colour is which application, and which texture which kind. */
#include "report/gantt_parts.h"
#include "report/human.h"
#include "report/svg.h"
#include "report/text_metrics.h"

#include "base/order.h"

#include <math.h>

#define SWATCH 12.0
#define LINE 19.0
#define WIDEST 210.0
#define COLUMN_GAP 20.0
#define ROUNDING 0.01 /* of sums of widths */

/* The names that are listed, in columns of equal width. */
struct listing {
    int count, more; /* applications listed, and those left out */
    int columns, rows;
    double column_width;
};

static double label_width(const struct cs_gantt *g, int app)
{
    return SWATCH + 6 + cs_text_width(cs_gantt_app_name(g, app), CS_GANTT_FONT, false);
}

static void put_rest(struct cs_strbuf *out, int count, int more)
{
    cs_strbuf_puts(out, count ? "\xe2\x80\xa6 and " : "");
    cs_human_count(out, more);
    cs_strbuf_puts(out, count ? " more" : " tasks");
}

/* Of "... and so many more" at most. */
static double rest_width(int apps)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    double width;

    put_rest(&text, 1, apps);
    width = cs_text_width(text.text, CS_GANTT_FONT, false);
    cs_strbuf_release(&text);
    return width;
}

/* Columns as wide as the longest name needs, as far as that costs no row. */
static void gantt_legend_widen(const struct cs_gantt *g, struct listing *l, double longest)
{
    int needed = l->rows ? (l->count + (l->more > 0) + l->rows - 1) / l->rows : 0;

    if (!needed || needed > l->columns || longest <= l->column_width)
        return;
    l->columns = needed;
    l->column_width = fmin(longest, (g->w + COLUMN_GAP) / needed - COLUMN_GAP);
}

/* Fewer rows mean fewer names; the last place is for "… and 3 more". */
static struct listing gantt_legend_list(const struct cs_gantt *g, int rows)
{
    struct listing l = {.count = g->apps, .columns = 1};
    double longest = 0;
    int places;

    for (int i = 0; i < g->apps; i++)
        longest = fmax(longest, label_width(g, g->app[i]));
    l.column_width = fmin(longest, WIDEST);
    if (g->apps > g->options.legend)
        l.column_width = fmax(l.column_width, rest_width(g->apps));
    l.columns = (int)((g->w + COLUMN_GAP) / (l.column_width + COLUMN_GAP));
    l.columns = l.columns < 1 ? 1 : l.columns;
    if (l.count > g->options.legend)
        l.count = g->options.legend;
    places = rows * l.columns;
    if (l.count + (l.count < g->apps) > places)
        l.count = places ? places - 1 : 0;
    if (l.count && l.count < g->apps && l.count % l.columns == 0)
        l.count--;
    l.more = g->apps - l.count;
    l.rows = (l.count + (l.more > 0) + l.columns - 1) / l.columns;
    if (!places || g->options.legend < 0)
        l.count = l.rows = l.more = 0;
    gantt_legend_widen(g, &l, longest);
    return l;
}

/* Of the time until the last bar ends.  Rounding must not make idle what is full. */
static double idle_fraction(const struct cs_gantt *g)
{
    double part = 1 - g->busy / (g->procs * (g->last - g->begin));

    return part > 1e-9 ? part : 0;
}

static bool has_kinds(const struct cs_gantt *g)
{
    for (int kind = CS_BAR_CHECKPOINT; kind < CS_GANTT_KINDS; kind++)
        if (g->seen[kind])
            return true;
    return idle_fraction(g) > 0 || g->options.planned;
}

double cs_gantt_legend_height(const struct cs_gantt *g, int *rows)
{
    struct listing l = gantt_legend_list(g, *rows);

    *rows = l.rows;
    if (!g->bars || g->options.legend < 0)
        return 0;
    return (l.rows + has_kinds(g)) * LINE + 4;
}

/* The applications listed: those with most work, in the order of their appearance. */
static int *gantt_legend_choose(const struct cs_gantt *g, int count)
{
    int *chosen = CS_NEW_ARRAY(g->arena, int, g->apps);
    bool *in = CS_NEW_ARRAY(g->arena, bool, g->most_apps);
    int *order = CS_NEW_ARRAY(g->arena, int, g->apps);
    int at = 0;

    for (int i = 0; i < g->apps; i++)
        order[i] = g->app[i];
    cs_order_sort_descending(g->app_work, order, g->apps, g->arena);
    for (int i = 0; i < count; i++)
        in[order[i]] = true;
    for (int i = 0; i < g->apps; i++)
        if (in[g->app[i]])
            chosen[at++] = g->app[i];
    return chosen;
}

static void draw_label(struct cs_gantt *g, double x, double y, const char *label, double room)
{
    const struct cs_svg_font font = {
        .class = "legend-label", .size = CS_GANTT_FONT, .fill = g->theme->text};
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (cs_text_elide(&text, label, CS_GANTT_FONT, false, room, 1))
        cs_svg_text(g->out, x, y + 10, &font, text.text);
    cs_strbuf_release(&text);
}

static void draw_swatch(struct cs_gantt *g, double x, double y, const char *fill,
                        const char *texture)
{
    cs_svg_rect(g->out, x, y, SWATCH, SWATCH, 2, &(struct cs_svg_paint){.fill = fill});
    if (texture && *texture)
        cs_svg_rect(g->out, x, y, SWATCH, SWATCH, 2, &(struct cs_svg_paint){.fill = texture});
}

static void draw_apps(struct cs_gantt *g, const struct listing *l)
{
    const int *chosen = gantt_legend_choose(g, l->count);
    double step = l->column_width + COLUMN_GAP;
    struct cs_strbuf text = CS_STRBUF_INIT;

    for (int i = 0; i < l->count; i++) {
        double x = g->x + i % l->columns * step, y = g->legend_y + i / l->columns * LINE;
        struct cs_gantt_style appearance = cs_gantt_style(g, g->hue[chosen[i]], CS_BAR_WORK);

        draw_swatch(g, x, y, cs_color_text(appearance.fill).text, appearance.texture);
        draw_label(g, x + SWATCH + 6, y, cs_gantt_app_name(g, chosen[i]),
                   fmin(l->column_width, g->w) - SWATCH - 6 + ROUNDING);
    }
    if (l->more && l->rows) {
        put_rest(&text, l->count, l->more);
        draw_label(g, g->x + l->count % l->columns * step,
                   g->legend_y + l->count / l->columns * LINE, text.text, l->column_width);
    }
    cs_strbuf_release(&text);
}

/* One entry on the line of kinds; moves x behind it, and draws nothing beyond the plot. */
static void draw_kind(struct cs_gantt *g, double *x, double y, const char *fill,
                      const char *texture, const char *label)
{
    double width = cs_text_width(label, CS_GANTT_FONT, false);

    if (*x + SWATCH + 6 + width > g->width)
        return;
    draw_swatch(g, *x, y, fill, texture);
    draw_label(g, *x + SWATCH + 6, y, label, width + 1);
    *x += SWATCH + 6 + width + COLUMN_GAP;
}

static const char *kind_label(enum cs_bar_kind kind)
{
    return kind == CS_BAR_LOST     ? "lost work"
           : kind == CS_BAR_MOVE   ? "data movement"
           : kind == CS_BAR_VERIFY ? "verification"
                                   : cs_bar_kind_name(kind);
}

/* An outline, as over the bars. */
static void draw_planned(struct cs_gantt *g, double x, double y)
{
    cs_svg_rect(g->out, x, y, SWATCH, SWATCH, 2,
                &(struct cs_svg_paint){
                    .fill = "none", .stroke = g->theme->text, .width = 1.2, .dash = "3 2"});
    draw_label(g, x + SWATCH + 6, y, "planned", 100);
}

static void draw_kinds(struct cs_gantt *g, double y)
{
    const char *idle = g->theme->dark ? "url(#cs-idle-dark)" : "url(#cs-idle-light)";
    struct cs_strbuf text = CS_STRBUF_INIT;
    double x = g->x, idle_part = idle_fraction(g);

    for (int kind = CS_BAR_CHECKPOINT; kind < CS_GANTT_KINDS; kind++) {
        struct cs_gantt_style appearance = cs_gantt_style(g, -1, (enum cs_bar_kind)kind);

        if (g->seen[kind])
            draw_kind(g, &x, y, cs_color_text(appearance.fill).text, appearance.texture,
                      kind_label((enum cs_bar_kind)kind));
    }
    cs_strbuf_puts(&text, "idle: ");
    cs_human_percent(&text, idle_part, 1);
    if (idle_part > 0)
        draw_kind(g, &x, y, g->theme->idle, idle, text.text);
    if (g->options.planned)
        draw_planned(g, x, y);
    cs_strbuf_release(&text);
}

void cs_gantt_draw_legend(struct cs_gantt *g)
{
    struct listing l = gantt_legend_list(g, g->legend_room);

    if (!g->bars || g->options.legend < 0)
        return;
    cs_svg_group_begin(g->out, "legend", NULL);
    draw_apps(g, &l);
    draw_kinds(g, g->legend_y + l.rows * LINE);
    cs_svg_group_end(g->out);
}
