/* gantt_frame.c - textures, idle time, groups and axes of the Gantt chart. */
#include "base/order.h"
#include "base/plain.h"
#include "report/axis.h"
#include "report/gantt_parts.h"
#include "report/human.h"
#include "report/svg.h"
#include "report/text_metrics.h"

#include <math.h>
#include <string.h>

/* Which colour is which application, and which texture which kind. */

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
    cs_strbuf_puts(out, count ? " more" : " tasks without a label");
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

/* A crowded chart of tasks has the scale of its density in place of names. */
static bool is_scale(const struct cs_gantt *g)
{
    return g->dense && !g->options.owners;
}

/* Are there more tasks than colours? */
static bool is_ambiguous(const struct cs_gantt *g)
{
    return !g->options.owners && g->apps > CS_PALETTE_BARS;
}

/* Fewer rows mean fewer names; the last place is for "… and 3 more". */
static struct listing gantt_legend_list(const struct cs_gantt *g, int rows)
{
    struct listing l = {.count = g->listed, .columns = 1};
    double longest = 0;
    int places;

    if (is_scale(g) || is_ambiguous(g)) {
        l.count = 0;
        l.more = is_scale(g) ? 0 : g->listed;
        l.rows = rows > 0 && (l.more || is_scale(g));
        l.column_width = g->w;
        return l;
    }
    for (int i = 0; i < g->listed; i++)
        longest = fmax(longest, label_width(g, g->list[i]));
    l.column_width = fmin(longest, WIDEST);
    if (g->listed > g->options.legend)
        l.column_width = fmax(l.column_width, rest_width(g->listed));
    l.columns = (int)((g->w + COLUMN_GAP) / (l.column_width + COLUMN_GAP));
    l.columns = l.columns < 1 ? 1 : l.columns;
    if (l.count > g->options.legend)
        l.count = g->options.legend;
    places = rows * l.columns;
    if (l.count + (l.count < g->listed) > places)
        l.count = places ? places - 1 : 0;
    if (l.count && l.count < g->listed && l.count % l.columns == 0)
        l.count--;
    l.more = g->listed - l.count;
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
        if (g->seen[kind] && g->options.color_by != CS_COLOR_KIND)
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
    int *chosen = CS_NEW_ARRAY(g->arena, int, g->listed);
    bool *in = CS_NEW_ARRAY(g->arena, bool, g->most_apps);
    int *order = CS_NEW_ARRAY(g->arena, int, g->listed);
    int at = 0;

    for (int i = 0; i < g->listed; i++)
        order[i] = g->list[i];
    cs_order_sort_descending(g->app_work, order, g->listed, g->arena);
    for (int i = 0; i < count; i++)
        in[order[i]] = true;
    for (int i = 0; i < g->listed; i++)
        if (in[g->list[i]])
            chosen[at++] = g->list[i];
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
        enum cs_bar_kind kind =
            g->options.color_by == CS_COLOR_KIND ? (enum cs_bar_kind)chosen[i] : CS_BAR_WORK;
        struct cs_gantt_style appearance = cs_gantt_style(g, g->hue[chosen[i]], kind);

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

const char *cs_gantt_kind_label(enum cs_bar_kind kind)
{
    return kind == CS_BAR_LOST     ? "lost work"
           : kind == CS_BAR_MOVE   ? "data movement"
           : kind == CS_BAR_VERIFY ? "verification"
                                   : cs_bar_kind_name(kind);
}

/* The strengths of the cells of a crowded chart. */
static void draw_scale(struct cs_gantt *g)
{
    const struct cs_color_text fill = cs_color_text(cs_gantt_style(g, 0, CS_BAR_WORK).fill);
    struct cs_strbuf text = CS_STRBUF_INIT;
    double x = g->x;

    for (int part = 1; part <= 4; part++) {
        cs_strbuf_clear(&text);
        cs_strbuf_printf(&text, "%d %%%s", 25 * part, part < 4 ? "" : " busy");
        cs_svg_rect(g->out, x, g->legend_y, SWATCH, SWATCH, 2,
                    &(struct cs_svg_paint){.fill = fill.text, .opacity = part / 4.0});
        draw_label(g, x + SWATCH + 6, g->legend_y, text.text, 80);
        x += SWATCH + 6 + cs_text_width(text.text, CS_GANTT_FONT, false) + COLUMN_GAP;
    }
    cs_strbuf_release(&text);
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

        if (g->seen[kind] && g->options.color_by != CS_COLOR_KIND)
            draw_kind(g, &x, y, cs_color_text(appearance.fill).text, appearance.texture,
                      cs_gantt_kind_label((enum cs_bar_kind)kind));
    }
    cs_strbuf_puts(&text, "idle: ");
    cs_human_percent(&text, idle_part, 1);
    if (idle_part > 0)
        draw_kind(g, &x, y, g->theme->idle, g->dense ? NULL : idle, text.text);
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
    if (is_scale(g))
        draw_scale(g);
    else
        draw_apps(g, &l);
    draw_kinds(g, g->legend_y + l.rows * LINE);
    cs_svg_group_end(g->out);
}

/* Textures: lines and dots in black or white at half strength, over the colour of the
 * application.  Their names carry the theme, so that charts can share a page. */

static const struct {
    const char *name;
    int size, turn;
    const char *shapes; /* painted with the ink */
} texture[CS_GANTT_KINDS] = {
    [CS_BAR_CHECKPOINT] = {"checkpoint", 5, 0, "<circle cx=\"2.5\" cy=\"2.5\" r=\"1.3\"/>"},
    [CS_BAR_RECOVERY] = {"recovery", 6, 45, "<path d=\"M0 0h6v1.4h-6zM0 0v6h1.4v-6z\"/>"},
    [CS_BAR_DOWNTIME] = {"downtime", 4, 45, "<path d=\"M0 0h4v1.5h-4z\"/>"},
    [CS_BAR_VERIFY] = {"verify", 4, 0, "<path d=\"M0 0h4v1.5h-4z\"/>"},
    [CS_BAR_MOVE] = {"move", 9, -45, "<path d=\"M0 0h9v4.5h-9z\"/>"},
    [CS_BAR_LOST] = {"lost", 5, 45, "<path d=\"M0 0h1.3v5h-1.3z\"/>"},
    [CS_BAR_PROGRAM] = {"program", 9, 45, "<path d=\"M0 0h9v4.5h-9z\"/>"},
};

static void put_pattern(struct cs_gantt *g, const char *name, const char *ink, int size, int turn,
                        const char *paint, const char *shapes)
{
    cs_strbuf_printf(g->out,
                     "<pattern id=\"cs-%s-%s\" width=\"%d\" height=\"%d\" "
                     "patternUnits=\"userSpaceOnUse\"",
                     name, ink, size, size);
    if (turn)
        cs_strbuf_printf(g->out, " patternTransform=\"rotate(%d)\"", turn);
    cs_strbuf_printf(g->out, "><g %s>%s</g></pattern>\n", paint, shapes);
}

static const char *theme_name(const struct cs_gantt *g)
{
    return g->theme->dark ? "dark" : "light";
}

static int most_hue(const struct cs_gantt *g)
{
    int most = -1;

    for (int i = 0; i < g->apps; i++)
        most = g->hue[g->app[i]] > most ? g->hue[g->app[i]] : most;
    return most;
}

void cs_gantt_draw_patterns(struct cs_gantt *g)
{
    char paint[32];

    cs_strbuf_puts(g->out, "<defs>\n");
    cs_plain_print(paint, sizeof paint, "fill=\"%s\"", g->theme->idle_line);
    put_pattern(g, "idle", theme_name(g), 6, 45, paint, "<path d=\"M0 0h1v6h-1z\"/>");
    for (int kind = 0; kind < CS_GANTT_KINDS; kind++) {
        if (!texture[kind].name || !g->seen[kind])
            continue;
        put_pattern(g, texture[kind].name, "white", texture[kind].size, texture[kind].turn,
                    "fill=\"#ffffff\" fill-opacity=\"0.6\"", texture[kind].shapes);
        put_pattern(g, texture[kind].name, "black", texture[kind].size, texture[kind].turn,
                    "fill=\"#000000\" fill-opacity=\"0.5\"", texture[kind].shapes);
    }
    cs_hatch_put_patterns(most_hue(g) + 1, g->theme, g->out);
    cs_strbuf_puts(g->out, "</defs>\n");
}

/* Classes in rising order have rising lightness; greys have hatches instead. */
static struct cs_color hue_color(const struct cs_gantt *g, int hue)
{
    return g->ordered && !g->theme->grey ? cs_palette_shade(hue, g->most_apps, g->theme)
                                         : cs_palette_bar(hue, g->theme);
}

static struct cs_gantt_style gantt_frame_hatch(const struct cs_gantt *g, int hue)
{
    struct cs_gantt_style appearance = {.fill = hue_color(g, hue)};
    struct cs_hatch_fill fill = cs_hatch_fill(cs_hatch(hue, g->theme), appearance.fill);

    appearance.hatched = fill.text[0];
    memcpy(appearance.texture, fill.text, sizeof appearance.texture);
    return appearance;
}

struct cs_gantt_style cs_gantt_style(const struct cs_gantt *g, int hue, enum cs_bar_kind kind)
{
    struct cs_color color = hue < 0 ? cs_color_parse(g->theme->muted) : hue_color(g, hue);
    struct cs_gantt_style appearance = {.fill = color};

    if (kind == CS_BAR_WORK && hue >= 0)
        return gantt_frame_hatch(g, hue);

    if (kind == CS_BAR_DOWNTIME)
        appearance.fill = cs_color_parse(g->theme->axis);
    if (kind == CS_BAR_LOST)
        appearance.fill = cs_color_mix(color, cs_color_parse(g->theme->background), 0.6);
    if (texture[kind].name)
        cs_plain_print(appearance.texture, sizeof appearance.texture, "url(#cs-%s-%s)",
                       texture[kind].name,
                       cs_color_ink(appearance.fill)[1] == '0' ? "black" : "white");
    return appearance;
}

static void time_ticks(const struct cs_gantt *g, struct cs_ticks *ticks)
{
    cs_ticks_time(g->begin, g->end, cs_ticks_wanted(g->w, 90), cs_time_unit(g->end - g->begin),
                  ticks);
}

void cs_gantt_draw_grid(struct cs_gantt *g, double y, double height)
{
    const struct cs_svg_paint line = {.class = "grid", .stroke = g->theme->grid, .width = 1};
    struct cs_ticks ticks;

    time_ticks(g, &ticks);
    for (int i = 0; i < ticks.count && g->bars; i++) {
        double x = floor(cs_gantt_x(g, ticks.at[i])) + 0.5;

        cs_svg_line(g->out, x, y, x, y + height, &line);
    }
}

void cs_gantt_idle_fill(const struct cs_gantt *g, char fill[32])
{
    cs_plain_print(fill, 32, "url(#cs-idle-%s)", theme_name(g));
}

void cs_gantt_draw_background(struct cs_gantt *g)
{
    char hatch[32];

    cs_gantt_idle_fill(g, hatch);
    cs_svg_group_begin(g->out, "idle", g->bars ? "idle" : NULL);
    cs_svg_rect(g->out, g->x, g->y, g->w, g->h, 0, &(struct cs_svg_paint){.fill = g->theme->idle});
    if (g->bars && !g->dense)
        cs_svg_rect(g->out, g->x, g->y, cs_gantt_x(g, g->last) - g->x, g->h, 0,
                    &(struct cs_svg_paint){.fill = hatch});
    cs_svg_group_end(g->out);
    cs_gantt_draw_grid(g, g->y, g->h);
}

/* "pack 3"; clusters have names. */
static void put_group(const struct cs_gantt *g, int number, struct cs_strbuf *text)
{
    const struct cs_platform *platform = cs_schedule_platform(g->schedule);

    cs_strbuf_clear(text);
    if (g->split == CS_GANTT_BY_PROCS && platform && number < platform->clusters)
        cs_strbuf_puts(text, platform->cluster[number].name);
    else
        cs_strbuf_printf(text, "%s %lld", g->options.group, number + 1LL);
}

/* "pack 3 · 1 h 12 min", "pack 3", "3", or nothing: the longest that fits. */
static void group_label(const struct cs_gantt *g, const struct cs_gantt_group *group, double room,
                        struct cs_strbuf *text)
{
    put_group(g, group->number, text);
    if (g->split == CS_GANTT_BY_TIME) {
        cs_strbuf_puts(text, " \xc2\xb7 ");
        cs_human_duration(text, group->end - group->start);
    }
    if (cs_text_width(text->text, CS_GANTT_FONT, false) <= room)
        return;
    put_group(g, group->number, text);
    if (cs_text_width(text->text, CS_GANTT_FONT, false) <= room)
        return;
    cs_strbuf_clear(text);
    cs_strbuf_printf(text, "%lld", group->number + 1LL);
    if (cs_text_width(text->text, CS_GANTT_FONT, false) > room)
        cs_strbuf_clear(text);
}

static void draw_pack(struct cs_gantt *g, int index, struct cs_strbuf *text)
{
    const struct cs_gantt_group *group = &g->group[index];
    const struct cs_svg_paint line = {.class = "boundary", .stroke = g->theme->text, .width = 1};
    const struct cs_svg_font font = {
        .class = "group", .size = CS_GANTT_FONT, .fill = g->theme->text, .anchor = CS_SVG_MIDDLE};
    double left = cs_gantt_x(g, group->start), right = cs_gantt_x(g, group->end);
    double x = floor(left) + 0.5;

    group_label(g, group, right - left - 6, text);
    if (text->length)
        cs_svg_text(g->out, (left + right) / 2, g->y - 7, &font, text->text);
    if (index && (text->length || right - left > 4))
        cs_svg_line(g->out, x, g->y - 16, x, g->y + g->h, &line);
}

static void draw_cluster(struct cs_gantt *g, int index, struct cs_strbuf *text)
{
    const struct cs_gantt_group *group = &g->group[index];
    const struct cs_svg_paint line = {.class = "boundary", .stroke = g->theme->text, .width = 1};
    double low = cs_gantt_y(g, group->first), high = cs_gantt_y(g, group->last + 1);
    double x = g->x + g->w + 16, y = floor(low) + 0.5;
    const struct cs_svg_font font = {.class = "group",
                                     .size = CS_GANTT_FONT,
                                     .fill = g->theme->text,
                                     .anchor = CS_SVG_MIDDLE,
                                     .turn = -90};

    group_label(g, group, low - high - 6, text);
    if (text->length)
        cs_svg_text(g->out, x, (low + high) / 2, &font, text->text);
    if (index && (text->length || low - high > 4))
        cs_svg_line(g->out, g->x, y, g->x + g->w + 18, y, &line);
}

void cs_gantt_draw_groups(struct cs_gantt *g)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (g->split == CS_GANTT_WHOLE)
        return;
    cs_svg_group_begin(g->out, "groups", NULL);
    for (int i = 0; i < g->groups; i++)
        (g->split == CS_GANTT_BY_TIME ? draw_pack : draw_cluster)(g, i, &text);
    cs_svg_group_end(g->out);
    cs_strbuf_release(&text);
}

static void proc_ticks(const struct cs_gantt *g, double height, struct cs_ticks *ticks)
{
    cs_ticks_procs(g->procs, cs_ticks_wanted(height, 42), ticks);
}

double cs_gantt_axis_room(const struct cs_gantt *g)
{
    struct cs_strbuf label = CS_STRBUF_INIT;
    double width;

    cs_human_count(&label, g->procs);
    width = cs_text_width(label.text, CS_GANTT_FONT, false);
    cs_strbuf_release(&label);
    return 14 + 6 + width + 7;
}

static void draw_proc_axis(struct cs_gantt *g)
{
    const struct cs_svg_paint line = {.class = "tick", .stroke = g->theme->axis, .width = 1};
    const struct cs_svg_font font = {.class = "tick-label",
                                     .size = CS_GANTT_FONT,
                                     .fill = g->theme->muted,
                                     .anchor = CS_SVG_END};
    const struct cs_svg_font title = {.class = "axis-title",
                                      .size = CS_GANTT_FONT + 1,
                                      .fill = g->theme->text,
                                      .anchor = CS_SVG_MIDDLE,
                                      .turn = -90};
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_ticks ticks;

    proc_ticks(g, g->h, &ticks);
    for (int i = 0; i < ticks.count; i++) {
        double y = floor(cs_gantt_y(g, ticks.at[i])) + 0.5;

        cs_svg_line(g->out, g->x - 4, y, g->x, y, &line);
        cs_svg_text(g->out, g->x - 7, y + 3.5, &font, ticks.label[i]);
    }
    cs_strbuf_printf(&text, "%ss", g->options.processor);
    if (cs_text_width(text.text, title.size, false) <= g->h + 30)
        cs_svg_text(g->out, 16 + 8, g->y + g->h / 2, &title, text.text);
    cs_strbuf_release(&text);
}

static void draw_time_axis(struct cs_gantt *g)
{
    const struct cs_svg_paint line = {.class = "tick", .stroke = g->theme->axis, .width = 1};
    const struct cs_svg_font font = {.class = "tick-label",
                                     .size = CS_GANTT_FONT,
                                     .fill = g->theme->muted,
                                     .anchor = CS_SVG_MIDDLE};
    const struct cs_svg_font title = {.class = "axis-title",
                                      .size = CS_GANTT_FONT + 1,
                                      .fill = g->theme->text,
                                      .anchor = CS_SVG_MIDDLE};
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_ticks ticks;
    double y = g->bottom;

    time_ticks(g, &ticks);
    for (int i = 0; i < ticks.count && g->bars; i++) {
        double x = floor(cs_gantt_x(g, ticks.at[i])) + 0.5;

        cs_svg_line(g->out, x, y, x, y + 4, &line);
        cs_svg_text(g->out, x, y + 16, &font, ticks.label[i]);
    }
    cs_strbuf_puts(&text, "time");
    if (g->bars)
        cs_strbuf_printf(&text, " (%s)", cs_time_unit(g->end - g->begin).name);
    cs_svg_text(g->out, g->x + g->w / 2, y + 33, &title, text.text);
    cs_strbuf_release(&text);
}

void cs_gantt_draw_axes(struct cs_gantt *g)
{
    const struct cs_svg_paint frame = {
        .class = "frame", .fill = "none", .stroke = g->theme->axis, .width = 1};

    cs_svg_group_begin(g->out, "axes", NULL);
    cs_svg_rect(g->out, g->x - 0.5, g->y - 0.5, g->w + 1, g->h + 1, 0, &frame);
    draw_proc_axis(g);
    draw_time_axis(g);
    cs_svg_group_end(g->out);
}
