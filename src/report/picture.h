/* picture.h - an SVG text as a file: .svg, .png or .pdf by its name.
 *
 * PNG and PDF are made by librsvg and cairo, which are loaded when the first of them is asked for.
 * Text needs a font on the machine (fonts-dejavu-core on Debian).
 */
#ifndef CS_REPORT_PICTURE_H
#define CS_REPORT_PICTURE_H

#include "base/strbuf.h"

#include <cosched/error.h>

#define CS_PICTURE_DPI 192.0 /* of PNGs, unless told otherwise: two pixels for one of SVG */

/* Append the PNG of an SVG text, so many dots an inch (96 units of SVG).  -1 with err when this
 * build has no librsvg and cairo, they are not installed, or the picture is not SVG or too large.
 */
int cs_picture_png(const char *svg, double dpi, struct cs_strbuf *png, struct cs_error *err);

/* Append the PDF of an SVG text: one page of its size, with text as text.  -1 with err as above. */
int cs_picture_pdf(const char *svg, struct cs_strbuf *pdf, struct cs_error *err);

/* Can the picture be written to this file: does its name end in .svg, or in .png or .pdf and this
 * build makes those?  For asking before a long computation. */
int cs_picture_check(const char *path, struct cs_error *err);

/* Write an SVG text to a file by its name, whole or not at all; `dpi` is for PNGs. */
int cs_picture_write(const char *path, const char *svg, double dpi, struct cs_error *err);

#endif
