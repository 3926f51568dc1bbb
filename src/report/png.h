/* png.h - pictures as files. */
#ifndef CS_REPORT_PNG_H
#define CS_REPORT_PNG_H

#include "base/strbuf.h"

#include <cosched/error.h>

/* Append the PNG of an SVG text, `scale` pixels for one of its units (2 is crisp on paper).
 * Text needs a font on the machine (fonts-dejavu-core on Debian).  -1 with err when this
 * build has no librsvg and cairo, or the picture is not SVG or too large. */
int cs_png_render(const char *svg, double scale, struct cs_strbuf *png, struct cs_error *err);

/* Can the picture be written to this file: does its name end in .svg, or in .png and this
 * build makes PNG?  For asking before a long computation. */
int cs_picture_check(const char *path, struct cs_error *err);

/* Write an SVG text to a file as .svg or .png by its name, whole or not at all. */
int cs_picture_write(const char *path, const char *svg, struct cs_error *err);

#endif
