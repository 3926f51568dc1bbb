/* gantt_faults.c - bolts on the processors that failed. */
#include "report/gantt_parts.h"
#include "report/human.h"
#include "report/svg.h"

static void draw_fault(struct cs_gantt *g, const struct cs_bolt_fault *fault, double size,
                       struct cs_strbuf *text)
{
    double x = cs_gantt_x(g, fault->time), y = cs_gantt_y(g, fault->processor + 0.5);

    if (fault->processor >= g->procs || fault->time < g->begin || fault->time > g->end)
        return;
    cs_strbuf_clear(text);
    cs_strbuf_puts(text, "failure at ");
    cs_human_digits(text, fault->time, 7);
    cs_strbuf_printf(text, " s\n%s %d%s", g->options.processor, fault->processor,
                     fault->failures_hit ? "" : "\nno loss: no computation was active");
    cs_svg_group_begin(g->out, fault->failures_hit ? "failure" : "harmless", text->text);
    cs_bolt_draw(g->out, g->theme, x, y, size, fault->failures_hit);
    cs_svg_group_end(g->out);
}

void cs_gantt_draw_faults(struct cs_gantt *g)
{
    double size = cs_bolt_size(g->options.faults);
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (!g->options.faults)
        return;
    cs_svg_group_begin(g->out, "failures", NULL);
    for (int i = 0; i < g->options.faults; i++)
        draw_fault(g, &g->options.fault[i], size, &text);
    cs_svg_group_end(g->out);
    cs_strbuf_release(&text);
}
