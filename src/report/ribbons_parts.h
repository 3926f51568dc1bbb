/* ribbons_parts.h - shared declarations of the files of the stream chart, and those of
 * ribbons_facts.c for pages (page_scene.h); no other file includes it. */
#ifndef CS_REPORT_RIBBONS_PARTS_H
#define CS_REPORT_RIBBONS_PARTS_H

#include "base/arena.h"
#include "report/palette.h"
#include "report/ribbons_chart.h"

#include <stddef.h>

#define CS_RIBBONS_FONT 11.0

/* How processor time is split, in the order of the legend. */
enum cs_ribbons_share {
    CS_RIBBONS_WORK,
    CS_RIBBONS_CHECKPOINT,
    CS_RIBBONS_LOST,
    CS_RIBBONS_DOWN,
    CS_RIBBONS_MOVE,
    CS_RIBBONS_IDLE,
    CS_RIBBONS_SHARES
};

/* Bars of an application on one set of processors, one after the other. */
struct cs_ribbons_piece {
    double start, end;
    long long procs;
    size_t first, bars; /* in cs_ribbons.bar */
};

struct cs_ribbons_band {
    int task;
    size_t first, pieces; /* in cs_ribbons.piece */
    double start, end;
    struct cs_color color;
};

struct cs_ribbons {
    const struct cs_schedule *schedule;
    struct cs_ribbons_chart_options options;
    const struct cs_theme *theme;
    const struct cs_bar **bar; /* by task, then start */
    size_t bars;
    int procs;
    double end;                      /* seconds at the right edge */
    double share[CS_RIBBONS_SHARES]; /* processors times seconds */

    struct cs_ribbons_band *band; /* from the bottom of the stack up */
    int bands;
    struct cs_ribbons_piece *piece;
    size_t pieces;

    /* The stack after each change: level[e * (bands + 1) + b] processors lie below band b. */
    int events;
    double *when; /* seconds, ascending; [0] is 0 */
    double *level;
    double *move; /* by event: seconds of the shortest move that begins there; 0: none */

    double width, height;  /* of the picture */
    double x, y, w, h;     /* of the plot */
    unsigned long long id; /* distinguishes the ids of this chart from those of another */

    struct cs_arena *arena;
    struct cs_strbuf *out;
};

static inline double cs_ribbons_x(const struct cs_ribbons *s, double time)
{
    return s->x + time / s->end * s->w;
}

static inline double cs_ribbons_y(const struct cs_ribbons *s, double procs)
{
    return s->y + s->h - procs / s->procs * s->h;
}

static inline double cs_ribbons_level(const struct cs_ribbons *s, int event, int band)
{
    return s->level[(size_t)event * (size_t)(s->bands + 1) + (size_t)band];
}

static inline const char *cs_ribbons_name(const struct cs_ribbons *s, int band)
{
    return cs_schedule_task_name(s->schedule, s->band[band].task);
}

/* Which share of processor time a bar is; `fresh` until its segment has worked. */
enum cs_ribbons_share cs_ribbons_share_of(const struct cs_bar *bar, bool fresh);

/* ribbons_facts.c */
void cs_ribbons_collect(struct cs_ribbons *s);
/* The event in force at a time. */
int cs_ribbons_event_at(const struct cs_ribbons *s, double time);
void cs_ribbons_swatch(struct cs_ribbons *s, double x, double y, double size,
                       enum cs_ribbons_share share, struct cs_color color);
/* ribbons_frame.c: names on ribbons, failures. */
void cs_ribbons_draw_labels(struct cs_ribbons *s);
/* Background, axes, legend. */
double cs_ribbons_axis_room(const struct cs_ribbons *s);
void cs_ribbons_draw_background(struct cs_ribbons *s);
void cs_ribbons_draw_axes(struct cs_ribbons *s);
double cs_ribbons_legend_height(struct cs_ribbons *s);
void cs_ribbons_draw_legend(struct cs_ribbons *s, double y);

#endif
