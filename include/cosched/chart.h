/* chart.h - schedules, replays and results as charts and pages, and charts as files: SVG, PDF, PNG.
 *
 *     const struct cs_chart_options how = {.size = sizeof how, .width = 640};
 *     char *svg = cs_schedule_svg(schedule, NULL, &how, NULL, &err);
 *
 *     if (svg && !cs_chart_write("plan.pdf", svg, CS_CHART_DPI, &err))
 *         ...
 *     cs_free(svg);
 *
 * A picture is a text in SVG, a unit of which is 1/96 inch.  The same input makes the same bytes.
 */
#ifndef COSCHED_CHART_H
#define COSCHED_CHART_H

#include <cosched/error.h>
#include <cosched/schedule.h>
#include <stddef.h>

CS_BEGIN_DECLS

#define CS_CHART_DPI 192.0 /* of PNGs, unless told otherwise: two pixels for one of SVG */

/* Members that are 0 or NULL are unset; those of other charts are ignored. */
struct cs_chart_options {
    size_t size;           /* sizeof(struct cs_chart_options) */
    int width, height;     /* units of SVG; 0: what suits */
    const char *style;     /* "color" (NULL is that), "dark" or "grey" */
    const char *title;     /* a line above; NULL: none */
    double least_type;     /* type smaller than this is left out, units of SVG; 0: what suits */
    const char *subtitle;  /* cs_schedule_svg: a line below the title; NULL: none */
    const char *processor; /* the same: what a processor is called; NULL: as in the platform */
    const char *group;     /* the same: what a group of bars is called; NULL: "pack" */
    const char *metric;    /* cs_chart_svg of a store: only its panels; NULL: all */
    const char *color_by;  /* of a schedule: "task" (NULL), "user", "width", "wait", "kind", "state"
                              or "problem" */
    const char *strips;    /* of a schedule, below its bars: utilisation and queue; "auto" (NULL):
                              of more than 15 tasks, "on", "off" */
};

/* The input of a chart: a schedule or plan (cosched-schedule-1), a replay (cosched-replay-1, what
 * `cosched replay --format json` prints), the store of a campaign or of papers, or, for
 * cs_chart_svg, measured times in a file. */
struct cs_chart_source {
    const char *name;  /* a path, "-" is standard input, the folder of a run what ran there; or what
                          messages and headings call it */
    const void *bytes; /* the text of a schedule or of a replay; NULL: it is in the file */
    size_t length;     /* of the text */
};

/* Can a picture be written to this file: does its name end in .svg, or in .png or .pdf and this
 * build makes those?  For asking before a long computation.  -1 with err. */
CS_API int cs_chart_check(const char *path, struct cs_error *err);

/* Write a text in SVG to a file in the format of its extension, atomically; `dpi`, dots an inch, is
 * for PNGs. They and PDFs are made by librsvg and cairo, which are loaded on first use and need an
 * installed font. -1 with err. */
CS_API int cs_chart_write(const char *path, const char *svg, double dpi, struct cs_error *err);

/* The same, "png" or "pdf", as bytes, which the caller frees with cs_free (case.h); *length may be
 * NULL.  NULL with err. */
CS_API char *cs_chart_image(const char *svg, const char *form, double dpi, size_t *length,
                            struct cs_error *err);

/* A Gantt chart: processors upwards, time to the right, a colour for each task. `planned` (may be
 * NULL), a schedule of the same tasks, is drawn over it as outlines. `how` may be NULL. The caller
 * frees the text with cs_free (case.h); *length is without the 0 at its end and may be NULL. NULL
 * with err, for a size out of range and for invalid schedules: times that are not finite, bars that
 * end before they start, processors that the schedule does not have. */
CS_API char *cs_schedule_svg(const struct cs_schedule *schedule, const struct cs_schedule *planned,
                             const struct cs_chart_options *how, size_t *length,
                             struct cs_error *err);

/* The text of a schedule file as a picture (SVG), so many pixels wide (0: what suits); freed with
 * cs_free.  NULL with err. */
CS_API char *cs_schedule_text_svg(const char *text, size_t size, int width, const char *title,
                                  size_t *length, struct cs_error *err);

/* The colours of the tasks in the Gantt chart of a schedule file, in a style ("color", also NULL,
 * "dark" or "grey"), as a list of texts such as "#5b8ce6" in JSON, in the order of the tasks; freed
 * with cs_free.  NULL with err. */
CS_API char *cs_schedule_text_colors(const char *text, size_t size, const char *style,
                                     struct cs_error *err);

/* The picture that `cosched plot` makes.  `figure`: of a store the name of a figure or a sweep,
 * NULL where there is one; of a replay "time", "shares" or NULL, both; of timings "time" (NULL),
 * "speedup", "efficiency", or "csv", their rows; of a schedule NULL.  `how` may be NULL; the text
 * is as above.  NULL with err. */
CS_API char *cs_chart_svg(const struct cs_chart_source *source, const char *figure,
                          const struct cs_chart_options *how, size_t *length, struct cs_error *err);

struct cs_report_options {
    size_t size;         /* sizeof(struct cs_report_options) */
    const char *title;   /* NULL: the name of the only source, or how many there are */
    const char *command; /* command recorded in the page; NULL: none */
    const char *papers;  /* the folder of papers whose commands need not name it; NULL: none */
    const char *watts;  /* of a node: schedules show their energy (schedule.h); NULL: as declared */
    int procs_per_node; /* with watts */
    double energy_until; /* with watts, seconds; NaN: the makespan */
};

/* The page that `cosched report` makes: one HTML file to look around in, with a section or more for
 * each source; `how` may be NULL, the text is as above.  NULL with err. */
CS_API char *cs_report_html(const struct cs_chart_source *sources, int count,
                            const struct cs_report_options *how, size_t *length,
                            struct cs_error *err);

/* The same page written to a file ("-": standard output) while it is made, so that memory does not
 * hold it: to a new file in the same directory, which then replaces the old one. -1 with err, and
 * the old file is as before. */
CS_API int cs_report_write(const struct cs_chart_source *sources, int count,
                           const struct cs_report_options *how, const char *path,
                           struct cs_error *err);

CS_END_DECLS

#endif
