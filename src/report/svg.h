/* svg.h - pictures as text: a writer of SVG.
 *
 * Numbers have at most two digits after the point, so the same chart has the same bytes everywhere.
 * Text stays text: every element may have a class, to restyle the chart, and a group may have a
 * tooltip. Nothing refers to the outside: no style sheet, font or script.
 */
#ifndef CS_REPORT_SVG_H
#define CS_REPORT_SVG_H

#include "base/strbuf.h"
#include "report/palette.h"

#include <stdbool.h>

/* The title and subtitle of a picture. */
#define CS_HEADING_MARGIN 16.0 /* around every picture */

/* The pixels above the first thing below the heading; either text may be NULL or empty. */
double cs_heading_height(const char *title, const char *subtitle);

/* Draws what fits into the width of the picture. */
void cs_heading_draw(struct cs_strbuf *out, const struct cs_theme *theme, const char *title,
                     const char *subtitle, double width);

/* The mark of a failure in pictures. */
struct cs_bolt_fault {
    double time;       /* seconds */
    int processor;     /* one that the schedule does not have is marked nowhere */
    bool failures_hit; /* it threw work back; else it did no harm */
};

/* The red of failures. */
const char *cs_bolt_color(const struct cs_theme *theme);

/* How large bolts are in a picture with so many. */
double cs_bolt_size(int faults);

/* A bolt around a point, `size` pixels high: red, or white when it did no harm. */
void cs_bolt_draw(struct cs_strbuf *out, const struct cs_theme *theme, double x, double y,
                  double size, bool failures_hit);

/* Lines and dots over the greys of bars: in grey there are six shades, and after them the
 * same under a hatch each, thirty bars that can be distinguished in print.
 */
/* Whether a bar of that index (any >= 0) has a hatch: its number, 0 for none and in colour. */
int cs_hatch(int index, const struct cs_theme *theme);

/* The patterns of the hatches of bars 0 .. count - 1, among the definitions of a picture. */
void cs_hatch_put_patterns(int count, const struct cs_theme *theme, struct cs_strbuf *out);

/* The fill of a hatch over that colour. */
struct cs_hatch_fill {
    char text[40]; /* "" for hatch 0 */
};

struct cs_hatch_fill cs_hatch_fill(int hatch, struct cs_color over);

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
