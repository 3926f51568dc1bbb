/* plot.h - figures of one or more panels: lines with markers, grouped bars, or forests.
 *
 * Series that have the same name in several panels have the same colour, marker and dash and one
 * entry in the legend, below the panels. Everything is drawn from plain numbers: NaN is a gap, and
 * so is a value that a logarithmic axis cannot show.
 */
#ifndef CS_REPORT_PLOT_H
#define CS_REPORT_PLOT_H

#include "base/strbuf.h"
#include "report/axis.h"
#include "report/palette.h"

#include <cosched/error.h>
#include <stdbool.h>

struct cs_plot_axis {
    const char *title; /* NULL: none */
    const char *unit;  /* shown as "title (unit)"; NULL: none */
    bool log;          /* y of lines, x when numeric */
    bool zero;         /* linear: the axis begins at 0 (or ends there) */
    bool fixed;        /* show low .. high exactly, cut what is outside */
    bool clip; /* fixed axis of values, no bars: triangles on the border for points outside */
    double low, high;
    bool reach; /* the axis covers these values too, which other panels have */
    double reach_low, reach_high;
    int categories; /* x, of forests y: > 0 makes x[] indices 0 .. categories - 1 of these labels */
    const char *const *category;
    const struct cs_ticks *ticks; /* x: these instead of round numbers; or NULL */
};

struct cs_plot_series {
    const char *name;
    int count;
    const double *x; /* lines: numbers, or category indices; NULL: 0, 1, 2, ... */
    const double *y;
    const double *low, *high; /* a band around lines, whiskers on bars; or NULL */
    const double *label;      /* lines: a number at each point, where it has room; or NULL */
    bool dots, plain;         /* lines: markers only; no markers */
    bool dashed;              /* lines: then all others of the figure are solid */
    bool hollow;              /* forests: its marks are rings */
};

/* A dashed line across the panel, for a bound or a value from a paper. */
struct cs_plot_mark {
    double y;
    const char *label; /* at the right end, above the line; or NULL */
};

/* Bars need categories and a linear y. A forest has a row for each category of y, from top to
 * bottom, in which y[] places the values x[] with their whiskers low[] to high[]. */
enum cs_plot_kind { CS_PLOT_LINES, CS_PLOT_BARS, CS_PLOT_FOREST };

struct cs_plot_panel {
    const char *title; /* NULL: none */
    enum cs_plot_kind kind;
    bool apart; /* lines over categories: points with whiskers side by side, which nothing joins */
    struct cs_plot_axis x, y;
    int series_count;
    const struct cs_plot_series *series;
    int mark_count;
    const struct cs_plot_mark *mark;
    int shade_count; /* stretches of x that are shaded: from shade[2i] to shade[2i + 1] */
    const double *shade;
};

struct cs_plot_figure {
    const char *title, *subtitle; /* NULL: none */
    int columns;                  /* panels side by side; 0: 1 for one panel, else 2 */
    int width, height;            /* pixels; 0: 480 a column (640 for one), 300 a row */
    enum cs_style style;
    int panel_count;
    const struct cs_plot_panel *panel;
};

/* Append the figure as SVG. -1 with err when there is no panel, a size is out of range, a fixed
 * axis is empty, or a category index is invalid. A panel without numbers shows "no data". */
int cs_plot_svg(const struct cs_plot_figure *figure, struct cs_strbuf *out, struct cs_error *err);

#endif
