/* work.h - a run that a caller has begun or goes on with, and what he is told of it. */
#ifndef CS_RUN_WORK_H
#define CS_RUN_WORK_H

#include "run/executor.h"
#include "run/forecast.h"

struct cs_run_look {
    const struct cs_run_watch *watch; /* or NULL */
    const struct cs_run_executor *x;  /* NULL: it has not begun */
    struct cs_run_forecast *forecast; /* NULL: nobody wants one */
};

/* Those of a struct cs_run_look. */
struct cs_run_watcher cs_run_watcher_of(struct cs_run_look *look);

#endif
