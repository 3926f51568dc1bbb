/* page.h - a replay over calendar time, as a page and as a picture. */
#ifndef CS_CLI_REPLAY_PAGE_H
#define CS_CLI_REPLAY_PAGE_H

#include "cli/replay/request.h"
#include "report/palette.h"

/* Rows that are drawn, at most; points of a curve over time. */
#define CS_REPLAY_DRAWN 8
#define CS_REPLAY_POINTS 500

enum cs_replay_picture {
    CS_REPLAY_OVER_TIME, /* utilisation, queue, work and waits, one above the other */
    CS_REPLAY_SHARES,    /* distribution functions of waits and bounded slowdowns */
    CS_REPLAY_ALL,
};

/* Append the HTML page. */
void cs_replay_page(const struct cs_replay_request *request, const struct cs_rigid_log_rows *rows,
                    const struct cs_arguments *args, struct cs_strbuf *html);

/* Append a picture as SVG: curves of all rows on one set of axes.  -1 with err. */
int cs_replay_picture(const struct cs_replay_request *request, const struct cs_rigid_log_rows *rows,
                      enum cs_replay_picture which, enum cs_style style, struct cs_strbuf *svg,
                      struct cs_error *err);

#endif
