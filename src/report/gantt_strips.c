/* gantt_strips.c - utilisation and queue length over time, in strips below the plot. */
#include "model/bars.h"
#include "report/gantt_parts.h"
#include "report/human.h"
#include "report/svg.h"

#include <math.h>
#include <string.h>

#define MANY_TASKS 15 /* more of them have strips */
#define STRIP 32.0
#define ABOVE 21.0 /* the name of a strip, and the distance to what is above it */

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

double cs_gantt_strips_height(const struct cs_gantt *g)
{
    return gantt_strips_count(g) * (ABOVE + STRIP);
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

static void strip_draw_axis(struct cs_gantt *g, double y, double top, const char *title)
{
    const struct cs_theme *theme = g->theme;
    const struct cs_svg_font tick = {
        .class = "tick-label", .size = CS_GANTT_FONT, .fill = theme->muted, .anchor = CS_SVG_END};
    const struct cs_svg_font name = {
        .class = "strip-title", .size = CS_GANTT_FONT, .fill = theme->text};
    const struct cs_svg_paint line = {.class = "tick", .stroke = theme->axis, .width = 1};
    struct cs_strbuf label = CS_STRBUF_INIT;

    cs_human_digits(&label, top, 3);
    cs_svg_rect(g->out, g->x - 0.5, y - 0.5, g->w + 1, STRIP + 1, 0,
                &(struct cs_svg_paint){
                    .class = "frame", .fill = "none", .stroke = theme->axis, .width = 1});
    cs_svg_line(g->out, g->x - 4, y + 0.5, g->x, y + 0.5, &line);
    cs_svg_line(g->out, g->x - 4, y + STRIP + 0.5, g->x, y + STRIP + 0.5, &line);
    cs_svg_text(g->out, g->x - 7, y + 6, &tick, label.text);
    cs_svg_text(g->out, g->x - 7, y + STRIP + 2, &tick, "0");
    cs_svg_text(g->out, g->x, y - 5, &name, title);
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

void cs_gantt_draw_strips(struct cs_gantt *g)
{
    double y = g->y + g->h + ABOVE;

    if (!gantt_strips_count(g))
        return;
    cs_svg_group_begin(g->out, "strips", NULL);
    gantt_strips_utilisation(g, y);
    if (has_queue(g))
        gantt_strips_queue(g, y + STRIP + ABOVE);
    cs_svg_group_end(g->out);
}
