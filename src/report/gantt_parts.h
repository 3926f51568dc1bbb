/* gantt_parts.h - shared declarations of the files of the Gantt chart, and those of gantt_facts.c
 * for pages (page_scene.h); no other file includes it. */
#ifndef CS_REPORT_GANTT_PARTS_H
#define CS_REPORT_GANTT_PARTS_H

#include "base/arena.h"
#include "report/gantt.h"
#include "report/palette.h"

#include <stddef.h>

#define CS_GANTT_KINDS (CS_BAR_KIND_LAST + 1)
#define CS_GANTT_FONT 11.0 /* of labels, ticks and the legend */

/* A part of the schedule with a label: a pack, a cluster. */
struct cs_gantt_group {
    int number; /* as in the bars */
    double start, end;
    int first, last; /* processors */
};

enum cs_gantt_split { CS_GANTT_WHOLE, CS_GANTT_BY_TIME, CS_GANTT_BY_PROCS };

struct cs_gantt {
    const struct cs_schedule *schedule;
    const struct cs_bar *bar;
    size_t bars;
    int procs, tasks;
    double begin, end; /* seconds at the left and right edge */
    double last;       /* second at which the last bar ends; what was planned may end later */
    struct cs_gantt_options options;
    const struct cs_theme *theme;

    double width, height; /* of the picture */
    double x, y, w, h;    /* of the plot, whole pixels */
    double bottom;        /* of the plot, or of the last strip */
    double legend_y;
    int legend_room; /* rows of applications in the legend at most */
    bool dense;      /* bars are drawn as density */
    bool *alone;     /* by bar: drawn as a shape with tooltip and label; NULL: none */

    int most_apps;     /* applications: tasks, or their owners */
    int apps, *app;    /* those that have bars, by first appearance */
    int listed, *list; /* those that the legend lists: without a label on their bars */
    double *app_work;  /* by application: processors times seconds, all kinds */
    int *hue;          /* by application: index into the palette */
    bool ordered;      /* applications are classes in rising order */
    bool seen[CS_GANTT_KINDS];
    double busy; /* processors times seconds under bars */

    enum cs_gantt_split split;
    int groups;
    struct cs_gantt_group *group;

    struct cs_arena *arena;
    struct cs_strbuf *out;
};

static inline double cs_gantt_x(const struct cs_gantt *g, double time)
{
    return g->x + (time - g->begin) / (g->end - g->begin) * g->w;
}

/* The lower edge of a processor's row; processor 0 is at the bottom. */
static inline double cs_gantt_y(const struct cs_gantt *g, double proc)
{
    return g->y + g->h - proc / g->procs * g->h;
}

static inline int cs_gantt_app(const struct cs_gantt *g, const struct cs_bar *bar)
{
    return g->options.color_by == CS_COLOR_KIND ? (int)bar->kind
           : g->options.owners                  ? g->options.owner[bar->task]
                                                : bar->task;
}

static inline const char *cs_gantt_app_name(const struct cs_gantt *g, int app)
{
    return g->options.owners ? g->options.owner_name[app] : cs_schedule_task_name(g->schedule, app);
}

static inline const char *cs_gantt_name(const struct cs_gantt *g, int task)
{
    return cs_schedule_task_name(g->schedule, task);
}

/* gantt_facts.c: check the bars; -1 with err when they cannot be drawn. */
int cs_gantt_check(const struct cs_gantt *g, struct cs_error *err);
void cs_gantt_collect(struct cs_gantt *g);

/* gantt_classes.c: the classes of options.color_by become the owners.  -1 with err for tasks that
 * lack the data of the class. */
int cs_gantt_classify(struct cs_gantt *g, struct cs_error *err);

/* gantt_strips.c: utilisation, queue length and resources, below the plot on its time axis. */
double cs_gantt_strips_height(const struct cs_gantt *g);
void cs_gantt_draw_strips(struct cs_gantt *g);

/* Thin lines from the end of a task to the starts of those that wait for it, of few tasks. */
void cs_gantt_draw_arcs(struct cs_gantt *g);

/* gantt_frame.c: everything behind and around the bars. */
void cs_gantt_draw_patterns(struct cs_gantt *g);
void cs_gantt_draw_background(struct cs_gantt *g);
void cs_gantt_idle_fill(const struct cs_gantt *g, char fill[32]);
void cs_gantt_draw_grid(struct cs_gantt *g, double y, double height); /* lines at the ticks */
void cs_gantt_draw_groups(struct cs_gantt *g);
double cs_gantt_axis_room(const struct cs_gantt *g); /* pixels left of the plot */
void cs_gantt_draw_axes(struct cs_gantt *g);

/* The fill of a bar, and the texture over it (text[0] = 0: none): that of its kind, or in grey the
 * hatch of its application. */
struct cs_gantt_style {
    struct cs_color fill;
    char texture[40];
    bool hatched;
};

/* "lost work", "data movement", ... */
const char *cs_gantt_kind_label(enum cs_bar_kind kind);

/* hue: of an application; -1 for none. */
struct cs_gantt_style cs_gantt_style(const struct cs_gantt *g, int hue, enum cs_bar_kind kind);

/* Gathers what is smaller than a pixel. */
struct cs_gantt_pixels;

/* gantt_frame.c */
double cs_gantt_legend_height(const struct cs_gantt *g, int *rows);
void cs_gantt_draw_legend(struct cs_gantt *g);

#endif
