/* gantt_strips.c - utilisation, queue length and resources over time, in strips below the plot.
 *
 * Source of the resources: spec/bag.md 9.3.  GPUs have lanes, which show the task on each; other
 * resources are curves, from which windows are hatched.
 */
#include "model/bars.h"
#include "model/procset.h"
#include "problems/moldable/bag/machine.h"
#include "report/gantt_parts.h"
#include "report/human.h"
#include "report/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MANY_TASKS 15 /* more of them have strips */
#define STRIP 32.0
#define LANE 13.0    /* of a GPU */
#define LANES 12     /* up to so many are drawn one by one, all in LANE * LANES */
#define ARC_TASKS 60 /* more of them have no lines of precedence */
#define ABOVE 21.0   /* the name of a strip, and the distance to what is above it */

/* An amount over time: its mean in each column of pixels. */
struct strip {
    const struct cs_gantt *g;
    int columns;
    double *mean, *step; /* step: what all columns from here on have more; while it is made */
};

static struct strip gantt_strips_begin(const struct cs_gantt *g)
{
    struct strip s = {.g = g, .columns = (int)g->w};

    s.mean = CS_NEW_ARRAY(g->arena, double, s.columns);
    s.step = CS_NEW_ARRAY(g->arena, double, s.columns + 2);
    return s;
}

static void strip_add(struct strip *s, double from, double to, double amount)
{
    double left = fmax(cs_gantt_x(s->g, from) - s->g->x, 0);
    double right = fmin(cs_gantt_x(s->g, to) - s->g->x, s->columns);
    int first = (int)fmin(left, s->columns - 1), last = (int)fmin(right, s->columns - 1);

    if (!(right > left))
        return;
    if (first == last) {
        s->mean[first] += amount * (right - left);
        return;
    }
    s->mean[first] += amount * (first + 1 - left);
    s->mean[last] += amount * (right - last);
    s->step[first + 1] += amount;
    s->step[last] -= amount;
}

/* The largest mean. */
static double strip_finish(struct strip *s)
{
    double level = 0, most = 0;

    for (int c = 0; c < s->columns; c++) {
        level += s->step[c];
        s->mean[c] = fmax(s->mean[c] + level, 0);
        most = fmax(most, s->mean[c]);
    }
    return most;
}

static bool has_queue(const struct cs_gantt *g)
{
    return g->options.submit || g->options.strips == CS_STRIPS_ON;
}

static int gantt_strips_count(const struct cs_gantt *g)
{
    enum cs_strips wanted = g->options.strips;

    if (!g->bars || wanted == CS_STRIPS_OFF || (wanted == CS_STRIPS_AUTO && g->tasks <= MANY_TASKS))
        return 0;
    return 1 + has_queue(g);
}

static bool resource_has_lanes(const struct cs_gantt *g, int r)
{
    return !g->dense && cs_modes_numbered(g->options.resource[r].name);
}

/* Of processors the plot shows the use: they have a curve where windows take some. */
static bool resource_is_drawn(const struct cs_gantt *g, int r)
{
    return g->bars && g->options.strips != CS_STRIPS_OFF && g->options.resource[r].value > 0 &&
           (r > 0 || (g->options.modes && g->options.modes->windows > 0));
}

static double resource_height(const struct cs_gantt *g, int r)
{
    return resource_has_lanes(g, r) ? fmin(g->options.resource[r].value, LANES) * LANE : STRIP;
}

double cs_gantt_strips_height(const struct cs_gantt *g)
{
    double height = gantt_strips_count(g) * (ABOVE + STRIP);

    for (int r = 0; r < g->options.resources; r++)
        if (resource_is_drawn(g, r))
            height += ABOVE + resource_height(g, r);
    return height;
}

/* The upper edge over the columns, down to the lower one. */
static void strip_put_area(const struct strip *s, double bottom, double top, struct cs_strbuf *path)
{
    double height = 0;

    cs_svg_command(path, 'M', (double[]){s->g->x, bottom}, 2);
    for (int c = 0; c < s->columns; c++) {
        double now = round(100 * fmin(s->mean[c] / top, 1) * STRIP) / 100, x = s->g->x + c;

        if (now == height)
            continue;
        cs_svg_command(path, 'H', &x, 1);
        cs_svg_command(path, 'V', (double[]){bottom - now}, 1);
        height = now;
    }
    cs_svg_command(path, 'H', (double[]){s->g->x + s->columns}, 1);
    cs_svg_command(path, 'V', &bottom, 1);
    cs_strbuf_putc(path, 'z');
}

static void strip_draw_frame(struct cs_gantt *g, double y, double height, const char *top,
                             const char *title)
{
    const struct cs_theme *theme = g->theme;
    const struct cs_svg_font tick = {
        .class = "tick-label", .size = CS_GANTT_FONT, .fill = theme->muted, .anchor = CS_SVG_END};
    const struct cs_svg_font name = {
        .class = "strip-title", .size = CS_GANTT_FONT, .fill = theme->text};
    const struct cs_svg_paint line = {.class = "tick", .stroke = theme->axis, .width = 1};

    cs_svg_rect(g->out, g->x - 0.5, y - 0.5, g->w + 1, height + 1, 0,
                &(struct cs_svg_paint){
                    .class = "frame", .fill = "none", .stroke = theme->axis, .width = 1});
    cs_svg_line(g->out, g->x - 4, y + 0.5, g->x, y + 0.5, &line);
    cs_svg_line(g->out, g->x - 4, y + height + 0.5, g->x, y + height + 0.5, &line);
    cs_svg_text(g->out, g->x - 7, y + 6, &tick, top);
    cs_svg_text(g->out, g->x - 7, y + height + 2, &tick, "0");
    cs_svg_text(g->out, g->x, y - 5, &name, title);
}

static void strip_draw_axis(struct cs_gantt *g, double y, double top, const char *title)
{
    struct cs_strbuf label = CS_STRBUF_INIT;

    cs_human_digits(&label, top, 3);
    strip_draw_frame(g, y, STRIP, label.text, title);
    cs_strbuf_release(&label);
}

static void strip_draw(struct cs_gantt *g, const struct strip *s, double y, double top,
                       const char *title)
{
    struct cs_strbuf path = CS_STRBUF_INIT;

    cs_gantt_draw_grid(g, y, STRIP);
    strip_put_area(s, y + STRIP, top, &path);
    cs_svg_path(g->out, path.text, &(struct cs_svg_paint){.fill = g->theme->muted, .opacity = 0.6});
    strip_draw_axis(g, y, top, title);
    cs_strbuf_release(&path);
}

static void gantt_strips_utilisation(struct cs_gantt *g, double y)
{
    struct strip s = gantt_strips_begin(g);
    struct cs_strbuf title = CS_STRBUF_INIT;

    for (size_t b = 0; b < g->bars; b++)
        strip_add(&s, g->bar[b].start, g->bar[b].end,
                  100.0 * (double)cs_bar_procs(&g->bar[b]) / g->procs);
    strip_finish(&s);
    cs_strbuf_puts(&title, "utilisation (%), mean ");
    cs_human_percent(&title, g->busy / (g->procs * (g->last - g->begin)), 1);
    strip_draw(g, &s, y, 100, title.text);
    cs_strbuf_release(&title);
}

/* A digit times a power of ten, not below the value. */
static double gantt_strips_round(double value)
{
    static const double factor[] = {1, 2, 3, 4, 5, 6, 8, 10};
    const double power = pow(10, floor(log10(fmax(value, 1))));
    int i = 0;

    while (i < 7 && value > factor[i] * power)
        i++;
    return factor[i] * power;
}

/* A task waits from its submission to the end of its last bar, except in its bars. */
static void gantt_strips_queue(struct cs_gantt *g, double y)
{
    struct strip s = gantt_strips_begin(g);
    const bool jobs = !strcmp(cs_schedule_problem(g->schedule), "rigid");
    double *end = CS_NEW_ARRAY(g->arena, double, g->tasks);

    for (size_t b = 0; b < g->bars; b++) {
        const struct cs_bar *bar = &g->bar[b];

        end[bar->task] = fmax(end[bar->task], bar->end);
        strip_add(&s, bar->start, bar->end, -1);
    }
    for (int i = 0; i < g->tasks; i++)
        strip_add(&s, g->options.submit ? g->options.submit[i] : 0, end[i], 1);
    strip_draw(g, &s, y, gantt_strips_round(strip_finish(&s)),
               jobs ? "waiting jobs" : "waiting tasks");
}

/* ---- resources ---- */

/* The amount of a resource that a bar takes; of a numbered one its numbers, *intervals of them. */
static double bar_takes(const struct cs_gantt *g, size_t bar, const char *name,
                        const struct cs_interval **set, int *intervals)
{
    struct cs_error ignored = {0};
    size_t length;
    const char *text = cs_uses_find(cs_schedule_uses(g->schedule, bar), name, &length);

    *intervals = 0;
    if (!text)
        return 0;
    if (!cs_modes_numbered(name))
        return (double)strtoll(text, NULL, 10);
    *intervals =
        cs_procset_parse(cs_arena_strndup(g->arena, text, length), g->arena, set, &ignored);
    *intervals = *intervals < 0 ? 0 : *intervals;
    return (double)cs_procset_size(*set, *intervals);
}

/* The curve of a resource; returns its area. */
static double resource_collect(struct cs_gantt *g, int r, struct strip *s)
{
    const struct cs_bag_amount *resource = &g->options.resource[r];
    double area = 0;

    for (size_t b = 0; b < g->bars; b++) {
        const struct cs_interval *set;
        int intervals;
        const double amount = r ? bar_takes(g, b, resource->name, &set, &intervals)
                                : (double)cs_bar_procs(&g->bar[b]);

        strip_add(s, g->bar[b].start, g->bar[b].end, amount);
        area += amount * (g->bar[b].end - g->bar[b].start);
    }
    strip_finish(s);
    return area;
}

/* Collect what windows take of a resource; returns the area. */
static double windows_collect(struct cs_gantt *g, int r, struct strip *s)
{
    const struct cs_modes *m = g->options.modes;
    double area = 0;

    for (int w = 0; m && w < m->windows; w++)
        for (int k = 0; k < m->resources; k++)
            if (!strcmp(m->resource_name[k], g->options.resource[r].name))
                strip_add(s, m->from[w], fmin(m->to[w], g->last),
                          (double)m->less[(size_t)w * (size_t)m->resources + (size_t)k]);
    strip_finish(s);
    for (int c = 0; c < s->columns; c++) {
        s->mean[c] = fmin(s->mean[c], g->options.resource[r].value);
        area += s->mean[c] * (g->end - g->begin) / s->columns;
    }
    return area;
}

/* Hatched from above. */
static void windows_draw(struct cs_gantt *g, int r, struct strip *s, double y, double height)
{
    struct cs_strbuf path = CS_STRBUF_INIT;
    char hatch[32];

    cs_gantt_idle_fill(g, hatch);
    for (int c = 0; c < s->columns; c++)
        s->mean[c] = -s->mean[c] * height / STRIP;
    strip_put_area(s, y, g->options.resource[r].value, &path);
    cs_svg_path(g->out, path.text,
                &(struct cs_svg_paint){.class = "away", .fill = hatch, .stroke = g->theme->axis});
    cs_strbuf_release(&path);
}

/* The task on each GPU, in its colour. */
static void resource_draw_lanes(struct cs_gantt *g, int r, double y, double height)
{
    const struct cs_bag_amount *resource = &g->options.resource[r];
    const double lane = height / resource->value;

    for (size_t b = 0; b < g->bars; b++) {
        const struct cs_bar *bar = &g->bar[b];
        const double from = cs_gantt_x(g, bar->start), to = cs_gantt_x(g, bar->end);
        const struct cs_gantt_style style =
            cs_gantt_style(g, g->hue[cs_gantt_app(g, bar)], bar->kind);
        const struct cs_color_text fill = cs_color_text(style.fill);
        const struct cs_interval *set;
        int intervals;

        bar_takes(g, b, resource->name, &set, &intervals);
        for (int k = 0; k < intervals; k++)
            cs_svg_rect(g->out, from, y + height - (set[k].last + 1) * lane, to - from,
                        (set[k].last - set[k].first + 1) * lane, 0,
                        &(struct cs_svg_paint){
                            .fill = fill.text, .stroke = g->theme->background, .width = 0.5});
    }
}

static void resource_draw(struct cs_gantt *g, int r, double y)
{
    const struct cs_bag_amount *resource = &g->options.resource[r];
    const double height = resource_height(g, r);
    struct strip s = gantt_strips_begin(g), away = gantt_strips_begin(g);
    const double area = resource_collect(g, r, &s), less = windows_collect(g, r, &away);
    const double room = resource->value * (g->last - g->begin) - less;
    struct cs_strbuf title = CS_STRBUF_INIT, top = CS_STRBUF_INIT, path = CS_STRBUF_INIT;

    cs_gantt_draw_grid(g, y, height);
    if (resource_has_lanes(g, r)) {
        resource_draw_lanes(g, r, y, height);
    } else {
        strip_put_area(&s, y + height, resource->value, &path);
        cs_svg_path(g->out, path.text,
                    &(struct cs_svg_paint){.fill = g->theme->muted, .opacity = 0.6});
    }
    if (less > 0)
        windows_draw(g, r, &away, y, height);
    cs_bag_put_amount(&top, resource->name, (int64_t)resource->value);
    cs_strbuf_printf(&title, "%s, mean ", r ? resource->name : "processors");
    cs_human_percent(&title, room > 0 ? area / room : 0, 1);
    strip_draw_frame(g, y, height, top.text, title.text);
    cs_strbuf_release(&title);
    cs_strbuf_release(&top);
    cs_strbuf_release(&path);
}

/* The bar that ends a task, or begins it; NULL: none. */
static const struct cs_bar *task_bar(const struct cs_gantt *g, int task, bool last)
{
    const struct cs_bar *found = NULL;

    for (size_t b = 0; b < g->bars; b++)
        if (g->bar[b].task == task && g->bar[b].intervals > 0 &&
            (!found || (last ? g->bar[b].end > found->end : g->bar[b].start < found->start)))
            found = &g->bar[b];
    return found;
}

/* Where lines begin and end: below the label of the bar. */
static double bar_foot(const struct cs_gantt *g, const struct cs_bar *bar)
{
    const int first = bar->procs[0].first;

    return cs_gantt_y(g, first + 0.12 * (bar->procs[0].last + 1 - first));
}

void cs_gantt_draw_arcs(struct cs_gantt *g)
{
    const struct cs_modes *m = g->options.modes;

    if (!m || m->tasks != g->tasks || m->tasks > ARC_TASKS || !m->before_first[m->tasks])
        return;
    cs_svg_group_begin(g->out, "arcs", NULL);
    for (int i = 0; i < m->tasks; i++)
        for (int a = m->before_first[i]; a < m->before_first[i + 1]; a++) {
            const struct cs_bar *from = task_bar(g, m->before[a], true),
                                *to = task_bar(g, i, false);

            if (from && to)
                cs_svg_line(
                    g->out, cs_gantt_x(g, from->end), bar_foot(g, from), cs_gantt_x(g, to->start),
                    bar_foot(g, to),
                    &(struct cs_svg_paint){.class = "arc", .stroke = g->theme->text, .width = 1});
        }
    cs_svg_group_end(g->out);
}

void cs_gantt_draw_strips(struct cs_gantt *g)
{
    double y = g->y + g->h + ABOVE;

    if (!(cs_gantt_strips_height(g) > 0))
        return;
    cs_svg_group_begin(g->out, "strips", NULL);
    if (g->options.resources)
        cs_svg_group_begin(g->out, "resources", NULL);
    for (int r = 0; r < g->options.resources; r++)
        if (resource_is_drawn(g, r)) {
            resource_draw(g, r, y);
            y += resource_height(g, r) + ABOVE;
        }
    if (g->options.resources)
        cs_svg_group_end(g->out);
    if (gantt_strips_count(g))
        gantt_strips_utilisation(g, y);
    if (gantt_strips_count(g) > 1)
        gantt_strips_queue(g, y + STRIP + ABOVE);
    cs_svg_group_end(g->out);
}
