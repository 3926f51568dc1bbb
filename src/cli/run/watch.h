/* watch.h - what a run says on standard error while it goes on. */
#ifndef CS_CLI_RUN_WATCH_H
#define CS_CLI_RUN_WATCH_H

#include "cli/run/live.h"
#include "run/forecast.h"

/* How far it is: a table where there is a terminal for one, one line there, or nothing.  Elsewhere
 * a line a minute. */
enum cs_run_style { CS_RUN_AUTO, CS_RUN_LINE, CS_RUN_QUIET };

struct cs_run_watch {
    enum cs_run_style style;
    bool terminal, drawn;
    double shown; /* when, on a clock that never goes back */
    struct cs_run_live live;
    struct cs_run_forecast *forecast; /* NULL: nobody wants one */
};

void cs_run_watch_init(struct cs_run_watch *watch, enum cs_run_style style);
struct cs_run_watcher cs_run_watch_of(struct cs_run_watch *watch);
void cs_run_watch_begin(struct cs_run_watch *watch, const struct cs_run_executor *x);
void cs_run_watch_end(struct cs_run_watch *watch, const struct cs_run_executor *x,
                      enum cs_run_ending ending);

#endif
