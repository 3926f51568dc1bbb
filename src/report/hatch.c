/* hatch.c - patterns of SVG, thinner than those of the kinds of bars (gantt_frame.c). */
#include "report/hatch.h"

#include "base/plain.h"

#define SHADES 6 /* in grey (palette.c) */

static const struct {
    int size, turn;
    const char *shapes;
} hatch[] = {
    {0, 0, NULL},
    {7, -45, "<path d=\"M0 0h1.1v7h-1.1z\"/>"},
    {6, 0, "<path d=\"M0 0h1v6h-1z\"/>"},
    {7, 0, "<path d=\"M0 0h7v1h-7zM0 0v7h1v-7z\"/>"},
    {8, 0, "<circle cx=\"2\" cy=\"2\" r=\"1.1\"/><circle cx=\"6\" cy=\"6\" r=\"1.1\"/>"},
};

enum { HATCHES = sizeof hatch / sizeof *hatch };

int cs_hatch(int index, const struct cs_theme *theme)
{
    return theme->grey ? index % CS_PALETTE_BARS / SHADES % HATCHES : 0;
}

static void put_pattern(int h, const char *ink, const char *paint, struct cs_strbuf *out)
{
    cs_strbuf_printf(out,
                     "<pattern id=\"cs-hatch%d-%s\" width=\"%d\" height=\"%d\" "
                     "patternUnits=\"userSpaceOnUse\"",
                     h, ink, hatch[h].size, hatch[h].size);
    if (hatch[h].turn)
        cs_strbuf_printf(out, " patternTransform=\"rotate(%d)\"", hatch[h].turn);
    cs_strbuf_printf(out, "><g %s>%s</g></pattern>\n", paint, hatch[h].shapes);
}

void cs_hatch_put_patterns(int count, const struct cs_theme *theme, struct cs_strbuf *out)
{
    for (int h = 1; h < HATCHES && theme->grey && h * SHADES < count; h++) {
        put_pattern(h, "white", "fill=\"#ffffff\" fill-opacity=\"0.75\"", out);
        put_pattern(h, "black", "fill=\"#000000\" fill-opacity=\"0.6\"", out);
    }
}

struct cs_hatch_fill cs_hatch_fill(int h, struct cs_color over)
{
    struct cs_hatch_fill fill = {""};

    if (h)
        cs_plain_print(fill.text, sizeof fill.text, "url(#cs-hatch%d-%s)", h,
                       cs_color_ink(over)[1] == '0' ? "black" : "white");
    return fill;
}
