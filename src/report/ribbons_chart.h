/* ribbons_chart.h - applications that widen and narrow over time, as a picture.
 *
 * Every application is a ribbon as thick as its number of processors; the ribbons lie on one
 * another, so that all of them are as thick as the processors in use and what is left above is
 * idle.  Checkpoints are light stripes, what a failure threw away is hatched, downtime and
 * recovery are dark, moves of data have arrows; a bolt marks a failure.  Stripes that are
 * thinner than a pixel are gathered.  Hovering tells what a segment or a stripe is.
 *
 * Which processors an application has is not shown: gantt.h does that.
 */
#ifndef CS_REPORT_RIBBONS_CHART_H
#define CS_REPORT_RIBBONS_CHART_H

#include "base/strbuf.h"
#include "model/schedule.h"
#include "report/bolt.h"
#include "report/palette.h"

#include <cosched/error.h>
#include <stdbool.h>

struct cs_ribbons_chart_options {
    int width, height;     /* pixels; 0: 1120, and what suits the number of applications */
    const char *title;     /* NULL: none */
    const char *subtitle;  /* NULL: makespan, bound, gap and failures ... */
    const char *policy;    /* ... after this, if given */
    const char *processor; /* what a processor is called; NULL: as the platform says */
    double lower_bound;    /* seconds; not positive or NaN: none */
    double least_type;     /* labels are at least so many pixels high or left out; 0: 6 */
    int faults;
    const struct cs_bolt_fault *fault; /* by time */
    enum cs_style style;
};

/* Append the picture; sizes and errors are those of cs_gantt_svg.  `options` may be NULL. */
int cs_ribbons_chart_svg(const struct cs_schedule *schedule,
                         const struct cs_ribbons_chart_options *options, struct cs_strbuf *out,
                         struct cs_error *err);

#endif
