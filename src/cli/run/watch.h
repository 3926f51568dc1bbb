/* watch.h - what a run says on standard error while it goes on. */
#ifndef CS_CLI_RUN_WATCH_H
#define CS_CLI_RUN_WATCH_H

#include "cli/run/live.h"

/* How far it is: a table where there is a terminal for one, one line there, or nothing.  Elsewhere
 * a line a minute. */
enum cs_run_style { CS_RUN_AUTO, CS_RUN_LINE, CS_RUN_QUIET };

struct cs_run_viewer {
    enum cs_run_style style;
    bool terminal, drawn;
    double shown; /* when, on a clock that never goes back */
    struct cs_run_live live;
};

/* *watch is that of the library, for the viewer. */
void cs_run_viewer_init(struct cs_run_viewer *viewer, enum cs_run_style style,
                        struct cs_run_watch *watch);

/* Nobody works on the run any more. */
void cs_run_viewer_end(struct cs_run_viewer *viewer, const struct cs_run_ended *ended);

#endif
