/* timings_chart.h - measured times as charts: time, speedup and efficiency with fits. */
#ifndef CS_API_TIMINGS_CHART_H
#define CS_API_TIMINGS_CHART_H

#include "report/schedule_chart.h"

#include <cosched/workload.h>

/* Has any application measured times? */
bool cs_timings_chart_is(const struct cs_workload *workload);

/* Append the figure "time" (also NULL), "speedup" or "efficiency" as SVG, or "csv": rows of app,
 * procs, seconds, speedup, efficiency, fitted, low, high. -1 with err. */
int cs_timings_chart_put(const struct cs_workload *workload, const char *figure,
                         const struct cs_chart_style *style, struct cs_strbuf *out,
                         struct cs_error *err);

#endif
