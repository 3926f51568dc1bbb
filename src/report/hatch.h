/* hatch.h - lines and dots over the greys of bars: in grey there are six shades, and after them the
 * same under a hatch each, thirty bars that can be distinguished in print.
 */
#ifndef CS_REPORT_HATCH_H
#define CS_REPORT_HATCH_H

#include "base/strbuf.h"
#include "report/palette.h"

/* Whether a bar of that index (any >= 0) has a hatch: its number, 0 for none and in colour. */
int cs_hatch(int index, const struct cs_theme *theme);

/* The patterns of the hatches of bars 0 .. count - 1, among the definitions of a picture. */
void cs_hatch_put_patterns(int count, const struct cs_theme *theme, struct cs_strbuf *out);

/* The fill of a hatch over that colour. */
struct cs_hatch_fill {
    char text[40]; /* "" for hatch 0 */
};

struct cs_hatch_fill cs_hatch_fill(int hatch, struct cs_color over);

#endif
