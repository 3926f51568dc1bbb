/* forecast.h - when a run was planned to be over, and when it looks as if it will be. */
#ifndef CS_RUN_FORECAST_H
#define CS_RUN_FORECAST_H

#include "base/heap.h"
#include "run/round.h"

struct cs_run_forecast {
    double planned; /* makespan of the plan, or by the virtual clock; NaN: nobody knows */
    /* Slot seconds of attempts that ended well: as expected, and as they were. */
    double expected, took;
    const struct cs_bar **bar; /* of the plan, by task; NULL: there is none */
    int *order;                /* tasks by planned start, or the longest first */
    double *free, *end;        /* room, with a plan: by slot and by task */
    struct cs_heap ends;       /* room: tasks by when they give their slots back */
    int *freed;                /* room: so many */
};

/* For a run on so many slots; lives in the arena.  Where there is no plan the virtual clock makes
 * one if it may, which takes time. */
struct cs_run_forecast *cs_run_forecast_create(const struct cs_run_setup *setup, int slots,
                                               bool clock, struct cs_arena *arena);

/* An attempt of this task took so many seconds and ended well. */
void cs_run_forecast_see(struct cs_run_forecast *forecast, const struct cs_run_task *task,
                         double seconds);

/* Run time at which it will be over, if what is left goes as what has ended did: along the plan
 * that is followed, by the decider's own clock where it has one, else as much as the slots that are
 * left can do.  NaN when that cannot be told. */
double cs_run_forecast_end(struct cs_run_forecast *forecast, const struct cs_run *run, double now);

#endif
