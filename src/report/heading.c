/* heading.c - the title and subtitle of a picture. */
#include "report/heading.h"

#include "report/svg.h"
#include "report/text_metrics.h"

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
