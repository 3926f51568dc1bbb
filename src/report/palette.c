/* palette.c - colours that stay apart, found by a search that made the smallest distance over
 * normal, protan, deutan and tritan vision as large as it could. */
#include "report/palette.h"

#include "base/bug.h"
#include "base/plain.h"

#include <math.h>
#include <stdio.h>

enum { BASE = 12 };

static const struct cs_theme light = {
    .background = "#ffffff",
    .text = "#1f2328",
    .muted = "#59606a",
    .axis = "#8b929c",
    .grid = "#e3e6ea",
    .idle = "#f5f5f3",
    .idle_line = "#d4d4cf",
};

static const struct cs_theme dark = {
    .dark = true,
    .background = "#15181d",
    .text = "#eceff3",
    .muted = "#a3abb6",
    .axis = "#6f7782",
    .grid = "#2e343c",
    .idle = "#1d2127",
    .idle_line = "#383f48",
};

static const struct cs_theme grey = {
    .grey = true,
    .background = "#ffffff",
    .text = "#000000",
    .muted = "#404040",
    .axis = "#707070",
    .grid = "#dedede",
    .idle = "#ffffff",
    .idle_line = "#c8c8c8",
};

static const char *const bar_light[BASE] = {"#5b8ce6", "#ffd06f", "#007401", "#d8436b",
                                            "#a2d6ff", "#661039", "#90a016", "#311b82",
                                            "#22bfb0", "#f19374", "#b03795", "#4d280b"};
static const char *const bar_dark[BASE] = {"#93b1f2", "#ffd470", "#318306", "#fd6b88",
                                           "#a7ecff", "#835679", "#a1ac1d", "#867bf1",
                                           "#36ceb5", "#ea9667", "#ad42ab", "#9e4a43"};
static const char *const line_light[CS_PALETTE_LINES] = {"#1e6bab", "#cc2967", "#415700",
                                                         "#db7f5d", "#162188", "#03a9b0",
                                                         "#560041", "#bc9300", "#37210f"};

static const char *const bar_grey[] = {"#6e6e6e", "#e0e0e0", "#a8a8a8",
                                       "#3c3c3c", "#c4c4c4", "#8b8b8b"};
static const char *const line_grey[] = {"#000000", "#8c8c8c", "#505050", "#a8a8a8"};

const struct cs_theme *cs_theme(enum cs_style style)
{
    return style == CS_STYLE_GREY ? &grey : style == CS_STYLE_DARK ? &dark : &light;
}

struct cs_color cs_palette_bar(int index, const struct cs_theme *theme)
{
    static const struct {
        struct cs_color into;
        double amount;
    } round[CS_PALETTE_BARS / BASE] = {
        {{0, 0, 0}, 0},    {{255, 255, 255}, 0.45}, {{0, 0, 0}, 0.35},      {{255, 255, 255}, 0.22},
        {{0, 0, 0}, 0.18}, {{255, 255, 255}, 0.66}, {{120, 120, 120}, 0.5}, {{0, 0, 0}, 0.52},
    };
    int turn = index % CS_PALETTE_BARS / BASE;

    if (theme->grey)
        return cs_color_parse(bar_grey[index % (int)(sizeof bar_grey / sizeof *bar_grey)]);
    return cs_color_mix(cs_color_parse((theme->dark ? bar_dark : bar_light)[index % BASE]),
                        round[turn].into, round[turn].amount);
}

struct cs_color cs_palette_line(int index, const struct cs_theme *theme)
{
    if (theme->grey)
        return cs_color_parse(line_grey[index % (int)(sizeof line_grey / sizeof *line_grey)]);
    return cs_color_parse((theme->dark ? bar_dark : line_light)[index % CS_PALETTE_LINES]);
}

static struct cs_color grey_of(struct cs_color c)
{
    unsigned char level = (unsigned char)lround(0.299 * c.red + 0.587 * c.green + 0.114 * c.blue);

    return (struct cs_color){level, level, level};
}

struct cs_color cs_palette_shade(int index, int count, const struct cs_theme *theme)
{
    static const char *const map[] = {"#46317e", "#3f4889", "#365c8d", "#2d718e", "#24868e",
                                      "#1fa187", "#4ac16d", "#86d549", "#c2df23"};
    const int steps = (int)(sizeof map / sizeof *map) - 1;
    double at = count > 1 ? (double)index / (count - 1) * steps : steps / 3.0;
    int low = at >= steps ? steps - 1 : (int)at;
    struct cs_color color =
        cs_color_mix(cs_color_parse(map[low]), cs_color_parse(map[low + 1]), at - low);

    if (theme->grey)
        return grey_of(cs_color_mix(color, (struct cs_color){255, 255, 255}, index % 2 ? 0.4 : 0));
    if (index % 2)
        color = cs_color_mix(color, (struct cs_color){255, 255, 255}, 0.16);
    return theme->dark ? cs_color_mix(color, (struct cs_color){255, 255, 255}, 0.08) : color;
}

struct cs_color_text cs_color_text(struct cs_color color)
{
    struct cs_color_text text;

    cs_plain_print(text.text, sizeof text.text, "#%02x%02x%02x", color.red, color.green,
                   color.blue);
    return text;
}

struct cs_color cs_color_parse(const char *text)
{
    unsigned red, green, blue;

    CS_REQUIRE(sscanf(text, "#%2x%2x%2x", &red, &green, &blue) == 3);
    return (struct cs_color){(unsigned char)red, (unsigned char)green, (unsigned char)blue};
}

static unsigned char palette_between(unsigned char a, unsigned char b, double amount)
{
    return (unsigned char)lround(a + (b - a) * amount);
}

struct cs_color cs_color_mix(struct cs_color a, struct cs_color b, double amount)
{
    return (struct cs_color){palette_between(a.red, b.red, amount),
                             palette_between(a.green, b.green, amount),
                             palette_between(a.blue, b.blue, amount)};
}

static double palette_linear(unsigned char channel)
{
    double c = channel / 255.0;

    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double palette_luminance(struct cs_color c)
{
    return 0.2126 * palette_linear(c.red) + 0.7152 * palette_linear(c.green) +
           0.0722 * palette_linear(c.blue);
}

double cs_color_contrast(struct cs_color a, struct cs_color b)
{
    double x = palette_luminance(a), y = palette_luminance(b);

    return (fmax(x, y) + 0.05) / (fmin(x, y) + 0.05);
}

const char *cs_color_ink(struct cs_color on)
{
    const struct cs_color black = {0, 0, 0}, white = {255, 255, 255};

    return cs_color_contrast(on, black) >= cs_color_contrast(on, white) ? "#000000" : "#ffffff";
}
