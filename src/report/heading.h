/* heading.h - the title and subtitle of a picture. */
#ifndef CS_REPORT_HEADING_H
#define CS_REPORT_HEADING_H

#include "base/strbuf.h"
#include "report/palette.h"

#define CS_HEADING_MARGIN 16.0 /* around every picture */

/* The pixels above the first thing below the heading; either text may be NULL or empty. */
double cs_heading_height(const char *title, const char *subtitle);

/* Draws what fits into the width of the picture. */
void cs_heading_draw(struct cs_strbuf *out, const struct cs_theme *theme, const char *title,
                     const char *subtitle, double width);

#endif
