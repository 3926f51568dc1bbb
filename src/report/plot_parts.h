/* plot_parts.h - shared declarations of the files of the plots; no other file includes it. */
#ifndef CS_REPORT_PLOT_PARTS_H
#define CS_REPORT_PLOT_PARTS_H

#include "base/arena.h"
#include "report/axis.h"
#include "report/palette.h"
#include "report/plot.h"
#include "report/svg.h"

#define CS_PLOT_FONT 11.0

/* One axis of a panel: pixels from, at the value low, to, at the value high. */
struct cs_plot_scale {
    bool log;
    double low, high, from, to;
    struct cs_ticks ticks;
};

/* A panel and the rectangle of its data. */
struct cs_plot_frame {
    const struct cs_plot_panel *panel;
    bool empty; /* no number to show */
    double x, y, w, h;
    struct cs_plot_scale across, up;
    bool tilted; /* labels of categories */
    bool folded; /* the title of y has two lines */
};

struct cs_plot {
    const struct cs_plot_figure *figure;
    const struct cs_theme *theme;
    struct cs_plot_frame *frame; /* one for each panel */
    int names;                   /* distinct names of series */
    const char **name;
    enum cs_plot_kind *kind; /* by name: of the first panel that has it */
    bool *dashed, dashes;    /* by name; some are */
    bool *hollow;            /* by name */
    double width, height;
    struct cs_arena *arena;
    struct cs_strbuf *out;
};

/* The pixel of a value; NaN when it cannot be shown. */
double cs_plot_pixel(const struct cs_plot_scale *scale, double value);

/* plot_data.c */
void cs_plot_draw_data(struct cs_plot *plot, const struct cs_plot_frame *frame);

/* How a name is drawn everywhere. */
struct cs_plot_style {
    struct cs_color_text color;
    struct cs_hatch_fill hatch; /* of bars in grey */
    const char *dash;
    int marker;
    bool hollow;
};

struct cs_plot_style cs_plot_style(const struct cs_plot *plot, int name, enum cs_plot_kind kind);
void cs_plot_draw_block(struct cs_plot *plot, double x, double y, double w, double h, double radius,
                        const struct cs_plot_style *appearance);
void cs_plot_draw_marker(struct cs_plot *plot, double x, double y,
                         const struct cs_plot_style *appearance);
int cs_plot_name_index(const struct cs_plot *plot, const char *name);

#endif
