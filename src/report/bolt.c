/* bolt.c - the mark of a failure. */
#include "report/bolt.h"

#include "report/svg.h"

const char *cs_bolt_color(const struct cs_theme *theme)
{
    return theme->grey ? "#000000" : theme->dark ? "#ff5a4f" : "#d81e2c";
}

double cs_bolt_size(int faults)
{
    return faults <= 60 ? 17 : faults <= 200 ? 13 : 9;
}

void cs_bolt_draw(struct cs_strbuf *out, const struct cs_theme *theme, double x, double y,
                  double size, bool failures_hit)
{
    static const double corner[][2] = {{0.15, -0.5}, {-0.35, 0.1},  {-0.02, 0.1},
                                       {-0.15, 0.5}, {0.35, -0.12}, {0.03, -0.12}};
    const char *red = cs_bolt_color(theme);
    struct cs_strbuf path = CS_STRBUF_INIT;

    for (int i = 0; i < 6; i++)
        cs_svg_command(&path, i ? 'L' : 'M',
                       (double[]){x + corner[i][0] * size, y + corner[i][1] * size}, 2);
    cs_strbuf_putc(&path, 'z');
    cs_svg_path(out, path.text,
                &(struct cs_svg_paint){
                    .fill = "none", .stroke = "#ffffff", .width = size > 10 ? 2.4 : 1.6});
    cs_svg_path(out, path.text,
                &(struct cs_svg_paint){.fill = failures_hit ? red : "#ffffff",
                                       .stroke = red,
                                       .width = failures_hit ? 0.4 : 0.9});
    cs_strbuf_release(&path);
}
