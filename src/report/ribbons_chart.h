/* ribbons_chart.h - applications that widen and narrow over time, as a chart.
 *
 * Every application is a ribbon as thick as its number of processors; the ribbons lie on one
 * another, so their total thickness is the number of processors in use, and the rest above is idle.
 * Checkpoints are light stripes, lost work is hatched, downtime and recovery are dark, moves of
 * data have arrows; a bolt marks a failure. Stripes thinner than a pixel are merged. Hovering
 * describes a segment or a stripe.
 *
 * Which processors an application has is not shown: gantt.h does that.
 */
#ifndef CS_REPORT_RIBBONS_CHART_H
#define CS_REPORT_RIBBONS_CHART_H

#include "base/strbuf.h"
#include "model/schedule.h"
#include "report/palette.h"
#include "report/svg.h"

#include <cosched/error.h>
#include <stdbool.h>

struct cs_ribbons_chart_options {
    int width, height;     /* pixels; 0: 1120, and what suits the number of applications */
    const char *title;     /* NULL: none */
    const char *subtitle;  /* NULL: makespan, bound, gap and failures ... */
    const char *policy;    /* ... after this, if given */
    const char *processor; /* name of a processor; NULL: from the platform */
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
