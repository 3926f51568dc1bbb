/* timings_chart.h - measured times as charts: time, speedup and efficiency with fits. */
#ifndef CS_API_TIMINGS_CHART_H
#define CS_API_TIMINGS_CHART_H

#include "report/page.h"
#include "report/schedule_chart.h"

#include <cosched/chart.h>
#include <cosched/workload.h>

/* The measured times of a file or directory that is no document of cosched. NULL with err, which is
 * empty for a document. The caller destroys it. */
struct cs_workload *cs_timings_chart_read(const struct cs_chart_source *source,
                                          struct cs_error *err);

/* Append the figure "time" (also NULL), "speedup" or "efficiency" as SVG, or "csv": rows of app,
 * procs, seconds, speedup, efficiency, fitted, low, high. -1 with err. */
int cs_timings_chart_put(const struct cs_workload *workload, const char *figure,
                         const struct cs_chart_style *style, struct cs_strbuf *out,
                         struct cs_error *err);

/* Add sections with a table of applications and of all counts, and pictures of time, speedup and
 * efficiency (none of more than 60 applications); the headings begin with the name, unless it is
 * NULL. -1 with err. */
int cs_timings_chart_page(const struct cs_workload *workload, const char *name,
                          struct cs_page *page, struct cs_error *err);

#endif
