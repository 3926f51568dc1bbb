/* plot_legend.c - one entry for each name, below the panels. */
#include "report/heading.h"
#include "report/plot_parts.h"
#include "report/svg.h"
#include "report/text_metrics.h"

#include <math.h>

#define SAMPLE 26.0
#define LINE 19.0
#define GAP 22.0
#define ABOVE 10.0

struct grid {
    int columns, rows;
    double width; /* of a column */
};

/* Names that are empty have no entry; when they are the only ones there is no legend. */
static struct grid grid_of(const struct cs_plot *plot)
{
    double room = plot->width - 2 * CS_HEADING_MARGIN;
    struct grid grid = {0};
    int count = 0;

    for (int i = 0; i < plot->names; i++) {
        double width = SAMPLE + 6 + cs_text_width(plot->name[i], CS_PLOT_FONT, false);

        count += plot->name[i][0] != '\0';
        grid.width = fmax(grid.width, fmin(width, room));
    }
    if (!count)
        return grid;
    grid.columns = (int)((room + GAP) / (grid.width + GAP));
    grid.rows = (count + grid.columns - 1) / grid.columns;
    grid.columns = (count + grid.rows - 1) / grid.rows;
    return grid;
}

double cs_plot_legend_height(const struct cs_plot *plot)
{
    struct grid grid = grid_of(plot);

    return grid.rows ? ABOVE + grid.rows * LINE : 0;
}

static void draw_sample(struct cs_plot *plot, int name, double x, double y)
{
    struct cs_plot_style appearance = cs_plot_style(plot, name, plot->kind[name]);

    if (plot->kind[name] == CS_PLOT_BARS) {
        cs_plot_draw_block(plot, x + SAMPLE - 14, y - 6, 12, 12, 2, &appearance);
        return;
    }
    cs_svg_line(plot->out, x, y, x + SAMPLE, y,
                &(struct cs_svg_paint){
                    .stroke = appearance.color.text, .width = 1.8, .dash = appearance.dash});
    cs_plot_draw_marker(plot, x + SAMPLE / 2, y, &appearance);
}

void cs_plot_draw_legend(struct cs_plot *plot)
{
    const struct cs_svg_font font = {
        .class = "legend-label", .size = CS_PLOT_FONT, .fill = plot->theme->text};
    struct grid grid = grid_of(plot);
    struct cs_strbuf text = CS_STRBUF_INIT;
    double left, top = plot->height - CS_HEADING_MARGIN - grid.rows * LINE + 4;
    int at = 0;

    if (!grid.rows)
        return;
    left = floor((plot->width - grid.columns * (grid.width + GAP) + GAP) / 2);
    cs_svg_group_begin(plot->out, "legend", NULL);
    for (int i = 0; i < plot->names; i++) {
        double x = left + at % grid.columns * (grid.width + GAP);
        double y = top + at / grid.columns * LINE + 6;

        if (!plot->name[i][0])
            continue;
        at++;
        draw_sample(plot, i, x, y);
        cs_strbuf_clear(&text);
        if (cs_text_elide(&text, plot->name[i], CS_PLOT_FONT, false, grid.width - SAMPLE - 6 + 0.01,
                          1))
            cs_svg_text(plot->out, x + SAMPLE + 6, y + 4, &font, text.text);
    }
    cs_svg_group_end(plot->out);
    cs_strbuf_release(&text);
}
