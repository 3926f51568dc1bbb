/* schedule_chart.h - a schedule of any problem as the picture that suits it: applications over
 * time for malleable, hosts over time for volatile, processors over time for the others. */
#ifndef CS_REPORT_SCHEDULE_CHART_H
#define CS_REPORT_SCHEDULE_CHART_H

#include "base/strbuf.h"
#include "model/schedule.h"
#include "report/gantt.h"
#include "report/palette.h"

struct cs_chart_style {
    int width, height; /* units of SVG, 96 an inch; 0: what suits (hosts: always what suits) */
    enum cs_style style;
    enum cs_color_by color_by;
    enum cs_strips strips;
    const char *title; /* NULL: none */
    double least_type; /* type smaller than this is left out, units of SVG; 0: what suits */
};

/* Append the picture as SVG.  -1 with err for a size out of range and for what cannot be drawn. */
int cs_schedule_chart(const struct cs_schedule_file *file, const struct cs_chart_style *appearance,
                      struct cs_strbuf *svg, struct cs_error *err);

/* Append the colours of its tasks in a Gantt chart as a list of texts in JSON. */
void cs_schedule_chart_colors(const struct cs_schedule_file *file, enum cs_style style,
                              struct cs_strbuf *json);

#endif
