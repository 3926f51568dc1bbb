/* chart_export.h - an SVG text as PNG and PDF; cosched/chart.h writes them to files.
 *
 * PNG and PDF are made by librsvg and cairo, which are loaded on first use. Text needs a font on
 * the machine (fonts-dejavu-core on Debian).
 */
#ifndef CS_REPORT_CHART_EXPORT_H
#define CS_REPORT_CHART_EXPORT_H

#include "base/strbuf.h"

#include <cosched/chart.h>

/* Append the PNG of an SVG text, so many dots an inch (96 units of SVG).  -1 with err when this
 * build has no librsvg and cairo, they are not installed, or the picture is not SVG or too large.
 */
int cs_chart_png(const char *svg, double dpi, struct cs_strbuf *png, struct cs_error *err);

/* Append the PDF of an SVG text: one page of its size, with text as text.  -1 with err as above. */
int cs_chart_pdf(const char *svg, struct cs_strbuf *pdf, struct cs_error *err);

#endif
