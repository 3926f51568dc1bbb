/* svg.h - pictures as text: a writer of SVG.
 *
 * Numbers have at most two digits after the point, so the same chart has the same bytes everywhere.
 * Text stays text: every element may have a class, to restyle the chart, and a group may have a
 * tooltip. Nothing refers to the outside: no style sheet, font or script.
 */
#ifndef CS_REPORT_SVG_H
#define CS_REPORT_SVG_H

#include "base/strbuf.h"

#include <stdbool.h>

/* How to paint a shape; NULL and 0 leave the attribute out. */
struct cs_svg_paint {
    const char *class;
    const char *fill; /* "none", "#rrggbb", "url(#id)"; SVG fills with black without it */
    const char *stroke;
    double width; /* of the stroke */
    const char *dash;
    double opacity; /* 0: opaque */
};

enum cs_svg_anchor { CS_SVG_START, CS_SVG_MIDDLE, CS_SVG_END };

struct cs_svg_font {
    const char *class;
    double size;
    const char *fill;
    bool bold;
    enum cs_svg_anchor anchor;
    double turn; /* degrees, clockwise, around the anchor */
};

/* At most two digits after the point, no needless zeros, never "-0".  Not finite: a bug. */
void cs_svg_number(struct cs_strbuf *out, double value);

/* Text for elements and attributes: & < > " escaped, control characters left out, bytes that
 * are not UTF-8 replaced by U+FFFD. */
void cs_svg_escape(struct cs_strbuf *out, const char *text);

/* The root element. `title` is the text for browsers and screen readers; class may be NULL. */
void cs_svg_begin(struct cs_strbuf *out, double width, double height, const char *class,
                  const char *title);
void cs_svg_end(struct cs_strbuf *out);

void cs_svg_rect(struct cs_strbuf *out, double x, double y, double width, double height,
                 double radius, const struct cs_svg_paint *paint);
void cs_svg_line(struct cs_strbuf *out, double x1, double y1, double x2, double y2,
                 const struct cs_svg_paint *paint);
void cs_svg_circle(struct cs_strbuf *out, double x, double y, double radius,
                   const struct cs_svg_paint *paint);

/* A path from a list of commands such as "M1 2h3v4z". */
void cs_svg_path(struct cs_strbuf *out, const char *commands, const struct cs_svg_paint *paint);

/* One command of a path: a letter and its numbers. */
void cs_svg_command(struct cs_strbuf *commands, char letter, const double *value, int count);

void cs_svg_text(struct cs_strbuf *out, double x, double y, const struct cs_svg_font *font,
                 const char *text);

/* Shapes that belong together; class and tooltip may be NULL. */
void cs_svg_group_begin(struct cs_strbuf *out, const char *class, const char *tooltip);
void cs_svg_group_end(struct cs_strbuf *out);

#endif
