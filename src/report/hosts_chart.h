/* hosts_chart.h - a scenario on hosts that come and go, as a picture: Figure 1 of Casanova et al.
 *
 * Every host has a lane over time.  Its background tells the state: up (light), reclaimed (grey,
 * hatched), down (dark); on it lies what the host does: it receives the program or data, computes,
 * or computes what is then thrown away.  Lines mark where iterations end.  Slots that are thinner
 * than a pixel are gathered: a pixel shows what there is most of.  Hovering tells what a bar is.
 */
#ifndef CS_REPORT_HOSTS_CHART_H
#define CS_REPORT_HOSTS_CHART_H

#include "base/strbuf.h"
#include "model/schedule.h"
#include "report/palette.h"

#include <cosched/error.h>
#include <stdbool.h>

#define CS_HOSTS_CHART_MOST 500 /* hosts */

struct cs_hosts_chart_options {
    int width;            /* pixels; 0: 1120 */
    const char *title;    /* NULL: none */
    const char *subtitle; /* NULL: none */
    enum cs_style style;
};

/* Append the picture of a schedule of the problem volatile.  -1 with err: too many hosts, or
 * nothing ran. */
int cs_hosts_chart_svg(const struct cs_schedule *schedule,
                       const struct cs_volatile_declared *declared,
                       const struct cs_hosts_chart_options *options, struct cs_strbuf *out,
                       struct cs_error *err);

#endif
