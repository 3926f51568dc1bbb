/* gantt.h - a schedule as a chart: processors upwards, time to the right.
 *
 * Every application (a task, or the owner of several) has a colour, every kind of bar a texture,
 * idle processors are hatched. Groups that follow one another in time (packs) are separated by
 * lines and labelled above; groups of distinct processors (clusters) are separated by lines and
 * labelled at the side. Labels fit or are elided; hovering over a bar shows its data. The legend
 * lists the applications that no bar has the name of. Bars smaller than a pixel are merged into
 * pixels with the most frequent colour; above CS_GANTT_CROWDED bars the chart shows density only:
 * the share of a cell that is busy. So the size of the chart does not grow with the bars.
 */
#ifndef CS_REPORT_GANTT_H
#define CS_REPORT_GANTT_H

#include "base/strbuf.h"
#include "model/modes.h"
#include "model/schedule.h"
#include "report/palette.h"
#include "report/svg.h"

#include <cosched/error.h>
#include <stdbool.h>

#define CS_GANTT_CROWDED 20000 /* bars; more of them are drawn as density */

/* The meaning of a colour; as CS_GANTT_COLOR_BY. */
enum cs_color_by {
    CS_COLOR_TASK,
    CS_COLOR_USER,
    CS_COLOR_WIDTH,
    CS_COLOR_WAIT,
    CS_COLOR_KIND, /* of a bar: work, checkpoint, ... */
    CS_COLOR_STATE,
    CS_COLOR_PROBLEM
};

#define CS_GANTT_COLOR_BY "task|user|width|wait|kind|state|problem"

/* Charts of utilisation and queue length under the bars: for many tasks, always, never. */
enum cs_strips { CS_STRIPS_AUTO, CS_STRIPS_ON, CS_STRIPS_OFF };

#define CS_GANTT_STRIPS "auto|on|off"

struct cs_gantt_options {
    int width, height;     /* pixels; 0: 960, and what the processors and the legend need */
    const char *title;     /* NULL: none */
    const char *subtitle;  /* NULL: none */
    const char *processor; /* name of a processor; NULL: from the platform */
    const char *group;     /* name of a group; NULL: "pack" */
    const int *launched;   /* by task: of the processors that it holds; NULL: all */
    const bool *estimated; /* by task: its time was not measured on that count; NULL: none */
    int faults;            /* failures to mark */
    const struct cs_bolt_fault *fault;
    const struct cs_schedule *planned; /* outlines over the bars: what was planned; NULL: none */
    int owners;       /* applications that several tasks belong to; 0: each task is one */
    const int *owner; /* by task: colours and the legend are theirs */
    const char *const *owner_name;
    enum cs_color_by color_by; /* classes of bars have colours, in place of the applications */
    const double *submit;      /* by task, seconds; NULL: all tasks are there at 0 */
    const char *const *user;   /* by task; NULL: unknown */
    enum cs_strips strips;
    int resources; /* of a general bag, after processors: their use is drawn below the plot */
    const struct cs_bag_amount *resource; /* their capacities */
    const struct cs_modes *modes;         /* its windows and precedence; NULL: none */
    int legend;                           /* most applications listed; 0: 30, negative: no legend */
    double least_type; /* labels of bars are at least so many pixels high or left out; 0: 7.5 */
    enum cs_style style;
};

#define CS_GANTT_MIN_WIDTH 240
#define CS_GANTT_MIN_HEIGHT 160
#define CS_GANTT_MAX_SIZE 16000

/* Append the picture.  `options` may be NULL.  -1 with err for a size out of range and for a
 * schedule that cannot be drawn: times that are not finite, bars that end before they start,
 * processors that the schedule does not have; for a class that the tasks do not have. */
int cs_gantt_svg(const struct cs_schedule *schedule, const struct cs_gantt_options *options,
                 struct cs_strbuf *out, struct cs_error *err);

/* Can the schedule be drawn at this size (0: default)? 0, or -1 with err, for any chart of a
 * schedule. */
int cs_gantt_possible(const struct cs_schedule *schedule, int width, int height,
                      struct cs_error *err);

/* The same without a size, and of bars that have counts, for what needs no numbers. */
int cs_gantt_readable(const struct cs_schedule *schedule, struct cs_error *err);

#endif
