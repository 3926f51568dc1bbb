/* dry.h - what would happen: a run by a virtual clock, without any process.
 *
 * An attempt lasts what its task is expected to; ends of one instant are one round.  The schedule
 * is that of the simulator to the last bit, because the same code decides.
 */
#ifndef CS_RUN_DRY_H
#define CS_RUN_DRY_H

#include "model/schedule.h"
#include "run/round.h"

struct cs_run_dry {
    const struct cs_run_setup *setup;
    int slots;
    const int64_t *failures; /* by task: attempts that end with an error; NULL: none */
    /* How long an attempt lasts; NULL: as long as expected. */
    double (*seconds)(void *who, int task, int try, double expected);
    void *who;
};

/* A bar for each attempt, work or lost.  The caller destroys it.  NULL with err. */
struct cs_schedule *cs_run_dry_schedule(const struct cs_run_dry *dry, struct cs_error *err);

#endif
