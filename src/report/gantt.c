/* gantt.c - the layout of the chart: title, plot, axes and legend from top to bottom. */
#include "report/gantt.h"

#include "model/bars.h"
#include "report/gantt_parts.h"
#include "report/heading.h"
#include "report/svg.h"

#include <math.h>

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
    struct cs_gantt g = {.schedule = schedule, .procs = cs_schedule_procs(schedule)};

    g.bar = cs_schedule_bars(schedule, &g.bars);
    return check_size(width, height, err) || cs_schedule_need_numbers(schedule, err) ||
                   cs_gantt_check(&g, err)
               ? -1
               : 0;
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

/* The plot gets what the legend leaves; a given height shortens the legend first. */
static void lay_out(struct cs_gantt *g)
{
    double top, rest, legend;

    g->width = g->options.width;
    g->x = ceil(MARGIN + cs_gantt_axis_room(g));
    g->w = floor(g->width - MARGIN - (g->split == CS_GANTT_BY_PROCS ? GROUP_LABEL : 4) - g->x);
    top = header_height(g);
    g->legend_room = 1000;
    legend = cs_gantt_legend_height(g, &g->legend_room);
    if (g->options.height) {
        rest = g->options.height - top - AXIS - MARGIN;
        while (g->legend_room > 0 && legend > 0.35 * rest) {
            g->legend_room--;
            legend = cs_gantt_legend_height(g, &g->legend_room);
        }
        g->h = floor(fmax(rest - legend, 24));
        g->height = g->options.height;
    } else {
        g->h = floor(fmin(fmax(g->procs * ROW, SHORTEST),
                          g->bars ? fmin(TALLEST, ASPECT * g->width) : SHORTEST));
        g->height = top + g->h + AXIS + legend + MARGIN;
    }
    g->y = top;
    g->legend_y = g->y + g->h + AXIS;
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
        cs_gantt_draw_bars(g);
    else
        draw_nothing(g);
    cs_gantt_draw_planned(g);
    cs_gantt_draw_groups(g);
    cs_gantt_draw_faults(g);
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

    g.bar = cs_schedule_bars(schedule, &g.bars);
    g.procs = cs_schedule_procs(schedule);
    g.tasks = cs_schedule_tasks(schedule);
    if (cs_gantt_possible(schedule, g.options.width, g.options.height, err))
        return -1;
    g.procs = g.procs > 0 ? g.procs : 1;
    g.theme = cs_theme(g.options.style);
    g.arena = cs_arena_create();
    cs_gantt_collect(&g);
    lay_out(&g);
    gantt_draw(&g);
    cs_arena_destroy(g.arena);
    return 0;
}
