/* hosts_chart.h - a scenario on volatile hosts, as a chart: Figure 1 of Casanova et al.
 *
 * Every host has a lane over time. Its background shows the state: up (light), reclaimed (grey,
 * hatched), down (dark); the foreground shows its activity: it receives the program or data,
 * computes, or computes results that are lost. Lines mark where iterations end. Slots thinner than
 * a pixel are merged: a pixel shows the most frequent value. Hovering describes a bar.
 */
#ifndef CS_REPORT_HOSTS_CHART_H
#define CS_REPORT_HOSTS_CHART_H

#include "base/strbuf.h"
#include "model/schedule.h"
#include "report/gantt.h"
#include "report/palette.h"

#include <cosched/error.h>
#include <stdbool.h>

#define CS_HOSTS_CHART_MOST 500 /* hosts */

struct cs_hosts_chart_options {
    int width;            /* pixels; 0: 1120 */
    const char *title;    /* NULL: none */
    const char *subtitle; /* NULL: none */
    enum cs_style style;
    enum cs_color_by color_by; /* kinds of bars always have colours; others are refused */
};

/* Append the picture of a schedule of the problem volatile.  -1 with err: too many hosts, or
 * nothing ran. */
int cs_hosts_chart_svg(const struct cs_schedule *schedule,
                       const struct cs_volatile_declared *declared,
                       const struct cs_hosts_chart_options *options, struct cs_strbuf *out,
                       struct cs_error *err);

#endif
