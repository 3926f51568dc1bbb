/* watch.h - what a run says on standard error while it goes on. */
#ifndef CS_CLI_RUN_WATCH_H
#define CS_CLI_RUN_WATCH_H

#include "run/executor.h"

struct cs_run_watch {
    bool quiet; /* no line of progress */
    bool terminal, drawn, waiting;
    double shown;      /* when, on a clock that never goes back */
    double area, left; /* seconds of slots: of all tasks, and of those that are not over */
};

struct cs_run_watcher cs_run_watch_of(struct cs_run_watch *watch);
void cs_run_watch_begin(struct cs_run_watch *watch, const struct cs_run_executor *x);
void cs_run_watch_end(struct cs_run_watch *watch, const struct cs_run_executor *x,
                      enum cs_run_ending ending);

#endif
