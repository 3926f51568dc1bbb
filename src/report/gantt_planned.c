/* gantt_planned.c - what was planned, as dashed outlines over what ran. */
#include "report/gantt_parts.h"
#include "report/human.h"
#include "report/svg.h"

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

void cs_gantt_draw_planned(struct cs_gantt *g)
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
