/* palette.h - distinguishable colours, also for the colour-blind.
 *
 * The first twelve colours of bars are at least 19 apart in CIELAB to every kind of eye (normal,
 * protan, deutan and tritan vision simulated after Machado et al. 2009; on dark ground 17), those
 * of lines 22 (17). Seven rounds of lighter, darker and greyer ones follow; then they repeat. In
 * grey there are six shades of bars, which hatches (svg.h) distinguish further, and four of
 * lines, which have markers and dashes; their order keeps neighbours apart.
 */
#ifndef CS_REPORT_PALETTE_H
#define CS_REPORT_PALETTE_H

#include <stdbool.h>

#define CS_PALETTE_BARS 96
#define CS_PALETTE_LINES 9

/* How pictures look: for light grounds, for dark ones, and for print without colours. */
enum cs_style { CS_STYLE_COLOR, CS_STYLE_DARK, CS_STYLE_GREY };

#define CS_STYLES "color|dark|grey"

static inline enum cs_style cs_style(bool dark)
{
    return dark ? CS_STYLE_DARK : CS_STYLE_COLOR;
}

/* The colours of everything except the data. */
struct cs_theme {
    bool dark, grey;
    const char *background, *text, *muted, *axis, *grid;
    const char *idle, *idle_line; /* where processors wait */
};

const struct cs_theme *cs_theme(enum cs_style style);

struct cs_color {
    unsigned char red, green, blue;
};

struct cs_color cs_palette_bar(int index, const struct cs_theme *theme); /* any index >= 0 */
/* The index-th of `count` things that have an order, from violet over green to yellow (the map
 * viridis, which every eye sees rise in lightness); neighbours differ in lightness too. */
struct cs_color cs_palette_shade(int index, int count, const struct cs_theme *theme);
struct cs_color cs_palette_line(int index, const struct cs_theme *theme); /* any index >= 0 */

/* "#rrggbb" and back. */
struct cs_color_text {
    char text[8];
};

struct cs_color_text cs_color_text(struct cs_color color);
struct cs_color cs_color_parse(const char *text);

/* `amount` (0 .. 1) of the way from a to b. */
struct cs_color cs_color_mix(struct cs_color a, struct cs_color b, double amount);

/* The contrast ratio of WCAG, 1 .. 21. */
double cs_color_contrast(struct cs_color a, struct cs_color b);

/* Black or white, whichever reads better on the colour; always at least 4.5. */
const char *cs_color_ink(struct cs_color on);

#endif
