/* ribbons_chart.c - the layout of the stream chart: title, plot, axes and legend from top to
 * bottom. */
#include "report/ribbons_chart.h"

#include "report/gantt.h"
#include "report/heading.h"
#include "report/human.h"
#include "report/ribbons_parts.h"
#include "report/svg.h"

#include <math.h>

#define MARGIN CS_HEADING_MARGIN
#define ABOVE 24.0   /* failures and the name of the bound */
#define AXIS 44.0    /* ticks and title below the plot */
#define SMALLEST 6.0 /* pixels of labels */
#define ASPECT 0.62  /* of the plot of a narrow picture, at most */
#define SHORTEST 300.0
#define USUAL 600.0
#define TALLEST 900.0
#define RIBBON 26.0 /* height of a ribbon in a chart without a given height, up to USUAL */
#define THIN 9.0    /* and up to TALLEST */

static struct cs_ribbons_chart_options
ribbons_chart_settle(const struct cs_ribbons_chart_options *supplied,
                     const struct cs_platform *platform)
{
    struct cs_ribbons_chart_options o = supplied ? *supplied : (struct cs_ribbons_chart_options){0};

    o.width = o.width ? o.width : 1120;
    if (!o.processor)
        o.processor = platform ? platform->unit : "processor";
    o.least_type = o.least_type > 0 ? o.least_type : SMALLEST;
    return o;
}

/* "makespan 264 d, 7.5 % above the lower bound of 245 d · 19 failures" */
static void put_facts(const struct cs_ribbons *s, struct cs_strbuf *text)
{
    double bound = s->options.lower_bound;
    int failures_hit = 0;

    if (s->options.policy)
        cs_strbuf_printf(text, "%s \xc2\xb7 ", s->options.policy);
    cs_strbuf_puts(text, "makespan ");
    cs_human_duration(text, s->end);
    if (bound > 0) {
        cs_strbuf_puts(text, ", ");
        cs_human_percent(text, s->end / bound - 1, 1);
        cs_strbuf_puts(text, " above the lower bound of ");
        cs_human_duration(text, bound);
    }
    for (int i = 0; i < s->options.faults; i++)
        failures_hit += s->options.fault[i].failures_hit;
    if (!s->options.faults)
        return;
    cs_strbuf_puts(text, " \xc2\xb7 ");
    cs_human_units(text, s->options.faults, "failure");
    if (failures_hit < s->options.faults) {
        cs_strbuf_puts(text, ", ");
        cs_human_count(text, s->options.faults - failures_hit);
        cs_strbuf_puts(text, " of them harmless");
    }
}

static double natural_height(int bands, double width)
{
    return fmin(ASPECT * width,
                fmin(fmax(fmin(fmax(bands * RIBBON, SHORTEST), USUAL), bands * THIN), TALLEST));
}

static void lay_out(struct cs_ribbons *s)
{
    double top = ceil(cs_heading_height(s->options.title, s->options.subtitle) + ABOVE);
    double rest;

    s->width = s->options.width;
    s->x = ceil(MARGIN + cs_ribbons_axis_room(s));
    s->w = floor(s->width - MARGIN - 4 - s->x);
    rest = top + AXIS + cs_ribbons_legend_height(s) + MARGIN;
    s->h =
        s->options.height ? fmax(s->options.height - rest, 24) : natural_height(s->bands, s->width);
    s->h = floor(s->h);
    s->height = s->options.height ? s->options.height : rest + s->h;
    s->y = top;
}

static void draw_nothing(struct cs_ribbons *s)
{
    const struct cs_svg_font font = {
        .class = "empty", .size = 13, .fill = s->theme->muted, .anchor = CS_SVG_MIDDLE};

    cs_svg_text(s->out, s->x + s->w / 2, s->y + s->h / 2 + 4, &font, "nothing ran");
}

static void ribbons_chart_draw(struct cs_ribbons *s)
{
    cs_svg_begin(s->out, s->width, s->height, s->theme->dark ? "cs-stream dark" : "cs-stream light",
                 s->options.title ? s->options.title : "applications over time");
    cs_svg_rect(s->out, 0, 0, s->width, s->height, 0,
                &(struct cs_svg_paint){.class = "background", .fill = s->theme->background});
    cs_heading_draw(s->out, s->theme, s->options.title, s->options.subtitle, s->width);
    cs_ribbons_draw_patterns(s);
    cs_ribbons_draw_background(s);
    if (s->bands) {
        cs_ribbons_draw_ribbons(s);
        cs_ribbons_draw_labels(s);
    } else {
        draw_nothing(s);
    }
    cs_ribbons_draw_axes(s);
    cs_ribbons_draw_legend(s, s->y + s->h + AXIS);
    cs_svg_end(s->out);
}

static void draw_all(struct cs_ribbons *s)
{
    struct cs_strbuf facts = CS_STRBUF_INIT;

    s->arena = cs_arena_create();
    cs_ribbons_collect(s);
    cs_ribbons_stack(s);
    if (!s->options.subtitle && s->bands) {
        put_facts(s, &facts);
        s->options.subtitle = facts.text;
    }
    lay_out(s);
    ribbons_chart_draw(s);
    cs_strbuf_release(&facts);
    cs_arena_destroy(s->arena);
}

int cs_ribbons_chart_svg(const struct cs_schedule *schedule,
                         const struct cs_ribbons_chart_options *options, struct cs_strbuf *out,
                         struct cs_error *err)
{
    struct cs_ribbons s = {.schedule = schedule,
                           .options = ribbons_chart_settle(options, cs_schedule_platform(schedule)),
                           .procs = cs_schedule_procs(schedule),
                           .out = out};

    if (cs_gantt_possible(schedule, s.options.width, s.options.height, err))
        return -1;
    s.procs = s.procs > 0 ? s.procs : 1;
    s.theme = cs_theme(s.options.style);
    draw_all(&s);
    return 0;
}
