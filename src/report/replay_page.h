/* replay_page.h - a replay over calendar time, as a page and as a picture. */
#ifndef CS_REPORT_REPLAY_PAGE_H
#define CS_REPORT_REPLAY_PAGE_H

#include "report/page.h"
#include "report/replay_view.h"
#include "report/schedule_chart.h"

/* Rows that are drawn, at most; points of a curve over time. */
#define CS_REPLAY_DRAWN 8
#define CS_REPLAY_POINTS 500

enum cs_replay_chart {
    CS_REPLAY_OVER_TIME, /* utilisation, queue, work and waits, one above the other */
    CS_REPLAY_SHARES,    /* distribution functions of waits and bounded slowdowns */
    CS_REPLAY_ALL,
};

/* Its sections, on a page that may have others; `name` is the prefix of their headings, or NULL. -1
 * with err. */
int cs_replay_page_add(struct cs_page *page, const struct cs_replay_view *view, const char *name,
                       struct cs_error *err);

/* Append a chart as SVG: curves of all rows on one set of axes. A width or height of 0 is the
 * default. -1 with err. */
int cs_replay_chart(const struct cs_replay_view *view, enum cs_replay_chart which,
                    const struct cs_chart_style *appearance, struct cs_strbuf *svg,
                    struct cs_error *err);

#endif
