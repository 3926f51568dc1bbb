/* svg.c - pictures as text. */
#include "report/svg.h"
#include "base/bug.h"
#include "base/plain.h"
#include "base/strbuf.h"
#include "report/palette.h"
#include "report/text_metrics.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

void cs_svg_number(struct cs_strbuf *out, double value)
{
    long long hundredths;
    int cents;

    CS_REQUIRE(isfinite(value) && fabs(value) < 1e12);
    hundredths = llround(value * 100);
    if (hundredths < 0)
        cs_strbuf_putc(out, '-');
    hundredths = llabs(hundredths);
    cents = (int)(hundredths % 100);
    cs_strbuf_printf(out, "%lld", hundredths / 100);
    if (cents % 10)
        cs_strbuf_printf(out, ".%02d", cents);
    else if (cents)
        cs_strbuf_printf(out, ".%d", cents / 10);
}

void cs_svg_escape(struct cs_strbuf *out, const char *text)
{
    for (unsigned code; (code = cs_text_next(&text));) {
        if (code == '&')
            cs_strbuf_puts(out, "&amp;");
        else if (code == '<')
            cs_strbuf_puts(out, "&lt;");
        else if (code == '>')
            cs_strbuf_puts(out, "&gt;");
        else if (code == '"')
            cs_strbuf_puts(out, "&quot;");
        else if (code == '\n' || code == '\t')
            cs_strbuf_putc(out, (char)code);
        else if (code >= 0x20 && code != 0x7f && code != 0xfffe && code != 0xffff)
            cs_text_put(out, code);
    }
}

static void put_word(struct cs_strbuf *out, const char *name, const char *value)
{
    if (!value)
        return;
    cs_strbuf_printf(out, " %s=\"", name);
    cs_svg_escape(out, value);
    cs_strbuf_putc(out, '"');
}

static void put_measure(struct cs_strbuf *out, const char *name, double value)
{
    cs_strbuf_printf(out, " %s=\"", name);
    cs_svg_number(out, value);
    cs_strbuf_putc(out, '"');
}

static void put_paint(struct cs_strbuf *out, const struct cs_svg_paint *paint)
{
    put_word(out, "class", paint->class);
    put_word(out, "fill", paint->fill);
    put_word(out, "stroke", paint->stroke);
    if (paint->width > 0)
        put_measure(out, "stroke-width", paint->width);
    put_word(out, "stroke-dasharray", paint->dash);
    if (paint->opacity > 0 && paint->opacity < 1)
        put_measure(out, "opacity", paint->opacity);
}

static void put_title(struct cs_strbuf *out, const char *title)
{
    cs_strbuf_puts(out, "<title>");
    cs_svg_escape(out, title);
    cs_strbuf_puts(out, "</title>");
}

void cs_svg_begin(struct cs_strbuf *out, double width, double height, const char *class,
                  const char *title)
{
    cs_strbuf_puts(out, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
    put_measure(out, "width", width);
    put_measure(out, "height", height);
    cs_strbuf_puts(out, " viewBox=\"0 0 ");
    cs_svg_number(out, width);
    cs_strbuf_putc(out, ' ');
    cs_svg_number(out, height);
    cs_strbuf_putc(out, '"');
    put_word(out, "class", class);
    put_word(out, "font-family", CS_TEXT_FAMILY);
    cs_strbuf_puts(out, " role=\"img\">\n");
    put_title(out, title);
    cs_strbuf_putc(out, '\n');
}

void cs_svg_end(struct cs_strbuf *out)
{
    cs_strbuf_puts(out, "</svg>\n");
}

void cs_svg_rect(struct cs_strbuf *out, double x, double y, double width, double height,
                 double radius, const struct cs_svg_paint *paint)
{
    cs_strbuf_puts(out, "<rect");
    put_measure(out, "x", x);
    put_measure(out, "y", y);
    put_measure(out, "width", width > 0 ? width : 0);
    put_measure(out, "height", height > 0 ? height : 0);
    if (radius > 0)
        put_measure(out, "rx", radius);
    put_paint(out, paint);
    cs_strbuf_puts(out, "/>\n");
}

void cs_svg_line(struct cs_strbuf *out, double x1, double y1, double x2, double y2,
                 const struct cs_svg_paint *paint)
{
    cs_strbuf_puts(out, "<line");
    put_measure(out, "x1", x1);
    put_measure(out, "y1", y1);
    put_measure(out, "x2", x2);
    put_measure(out, "y2", y2);
    put_paint(out, paint);
    cs_strbuf_puts(out, "/>\n");
}

void cs_svg_circle(struct cs_strbuf *out, double x, double y, double radius,
                   const struct cs_svg_paint *paint)
{
    cs_strbuf_puts(out, "<circle");
    put_measure(out, "cx", x);
    put_measure(out, "cy", y);
    put_measure(out, "r", radius);
    put_paint(out, paint);
    cs_strbuf_puts(out, "/>\n");
}

void cs_svg_path(struct cs_strbuf *out, const char *commands, const struct cs_svg_paint *paint)
{
    cs_strbuf_puts(out, "<path");
    put_paint(out, paint);
    cs_strbuf_puts(out, " d=\"");
    cs_strbuf_puts(out, commands);
    cs_strbuf_puts(out, "\"/>\n");
}

void cs_svg_command(struct cs_strbuf *commands, char letter, const double *value, int count)
{
    cs_strbuf_putc(commands, letter);
    for (int i = 0; i < count; i++) {
        if (i)
            cs_strbuf_putc(commands, ' ');
        cs_svg_number(commands, value[i]);
    }
}

static void put_turn(struct cs_strbuf *out, double turn, double x, double y)
{
    cs_strbuf_puts(out, " transform=\"rotate(");
    cs_svg_number(out, turn);
    cs_strbuf_putc(out, ' ');
    cs_svg_number(out, x);
    cs_strbuf_putc(out, ' ');
    cs_svg_number(out, y);
    cs_strbuf_puts(out, ")\"");
}

void cs_svg_text(struct cs_strbuf *out, double x, double y, const struct cs_svg_font *font,
                 const char *text)
{
    static const char *const anchor[] = {NULL, "middle", "end"};

    cs_strbuf_puts(out, "<text");
    put_measure(out, "x", x);
    put_measure(out, "y", y);
    put_word(out, "class", font->class);
    put_measure(out, "font-size", font->size);
    put_word(out, "font-weight", font->bold ? "bold" : NULL);
    put_word(out, "fill", font->fill);
    put_word(out, "text-anchor", anchor[font->anchor]);
    if (font->turn != 0)
        put_turn(out, font->turn, x, y);
    cs_strbuf_putc(out, '>');
    cs_svg_escape(out, text);
    cs_strbuf_puts(out, "</text>\n");
}

void cs_svg_group_begin(struct cs_strbuf *out, const char *class, const char *tooltip)
{
    cs_strbuf_puts(out, "<g");
    put_word(out, "class", class);
    cs_strbuf_putc(out, '>');
    if (tooltip)
        put_title(out, tooltip);
    cs_strbuf_putc(out, '\n');
}

void cs_svg_group_end(struct cs_strbuf *out)
{
    cs_strbuf_puts(out, "</g>\n");
}

/* Patterns of SVG, thinner than those of the kinds of bars (gantt_frame.c). */

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

/* The mark of a failure. */

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

/* The title and subtitle of a picture. */

#define TITLE 17.0
#define SUBTITLE 12.0
#define GAP 6.0

static bool heading_has(const char *text)
{
    return text && *text;
}

double cs_heading_height(const char *title, const char *subtitle)
{
    double height = CS_HEADING_MARGIN;

    height += heading_has(title) ? TITLE + GAP : 0;
    height += heading_has(subtitle) ? SUBTITLE + GAP : 0;
    return height > CS_HEADING_MARGIN ? height + GAP : height;
}

static void draw_line(struct cs_strbuf *out, const struct cs_svg_font *font, const char *text,
                      double y, double room)
{
    struct cs_strbuf shown = CS_STRBUF_INIT;

    if (cs_text_elide(&shown, text, font->size, font->bold, room, 1))
        cs_svg_text(out, CS_HEADING_MARGIN, y + 0.85 * font->size, font, shown.text);
    cs_strbuf_release(&shown);
}

void cs_heading_draw(struct cs_strbuf *out, const struct cs_theme *theme, const char *title,
                     const char *subtitle, double width)
{
    const struct cs_svg_font first = {
        .class = "title", .size = TITLE, .fill = theme->text, .bold = true};
    const struct cs_svg_font second = {.class = "subtitle", .size = SUBTITLE, .fill = theme->muted};
    double y = CS_HEADING_MARGIN, room = width - 2 * CS_HEADING_MARGIN;

    if (heading_has(title)) {
        draw_line(out, &first, title, y, room);
        y += TITLE + GAP;
    }
    if (heading_has(subtitle))
        draw_line(out, &second, subtitle, y, room);
}
