/* decider.h - events in, actions out.
 *
 * A decider uses only `now` and the times in events as clock, and no file, process or simulator.
 * Its state depends on the events only: replaying a journal restores it.
 *
 * To add one: one .c file here, one line in deciders.def, one in meson.build.
 */
#ifndef CS_RUN_DECIDER_H
#define CS_RUN_DECIDER_H

#include "base/arena.h"
#include "run/run.h"

#include <cosched/error.h>

struct cs_run_setup;

struct cs_run_decider {
    const char *name;
    bool grows; /* slots may come that the run did not begin with */
    /* For so many slots, all up.  The state lives in the arena.  NULL with err. */
    void *(*create)(const struct cs_run_setup *setup, int slots, struct cs_arena *arena,
                    struct cs_error *err);
    void (*destroy)(void *state); /* what is not in the arena; NULL: nothing */
    /* In order; event->time is run time. */
    void (*see)(void *state, const struct cs_run_event *event);
    /* Write the actions to action[] (capacity: twice the tasks); return their number. Slots of an
     * action are unchanged until the next call. The caller executes the actions. */
    int (*decide)(void *state, double now, struct cs_run_action *action);
    /* Next time of a call without an event: run time, INFINITY: never. NULL: never. */
    double (*wake)(const void *state);
    /* When the attempt of a task that runs has begun to work, and when it will have done all that
     * is left, by the decider's own clock; for the virtual clock.  NULL: as long as is expected. */
    void (*foresee)(const void *state, int task, double *works, double *ends);
};

/* By name: NULL if it does not exist. */
const struct cs_run_decider *cs_run_decider_find(const char *name);

#endif
