/* text_metrics.h - how wide text is, good enough to lay a picture out.
 *
 * Widths are those of DejaVu Sans, a wide face: in Helvetica or Arial the same text is
 * narrower, so what fits here fits there.  Sizes and widths are in the same unit (pixels).
 * Text is UTF-8; bytes that are not count as one U+FFFD each.
 */
#ifndef CS_REPORT_TEXT_METRICS_H
#define CS_REPORT_TEXT_METRICS_H

#include "base/strbuf.h"

#include <stdbool.h>

/* The font families every picture asks for. */
#define CS_TEXT_FAMILY "DejaVu Sans, Helvetica, Arial, sans-serif"

/* The code point at *text, which moves behind it; 0 at the end, where it stays. */
unsigned cs_text_next(const char **text);

/* Append a code point as UTF-8. */
void cs_text_put(struct cs_strbuf *out, unsigned code);

/* The width of the text in a font of so many pixels. */
double cs_text_width(const char *text, double size, bool bold);

/* Append the text, or as much of its beginning as fits into `room` and an ellipsis. If fewer than
 * `least` letters would remain no text is appended. Return whether any text was appended. */
bool cs_text_elide(struct cs_strbuf *out, const char *text, double size, bool bold, double room,
                   int least);

/* Columns of a terminal: 0 for combining marks, 2 for wide East Asian letters and emoji. */
int cs_text_columns(const char *text);

/* The same as cs_text_elide in columns of a terminal; always appends something that fits
 * into room >= 1. */
void cs_text_elide_columns(struct cs_strbuf *out, const char *text, int room);

#endif
