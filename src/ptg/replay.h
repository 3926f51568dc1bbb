/* replay.h - what the fluid replay and the schedules alone lend to the strategies. */
#ifndef CS_PTG_REPLAY_H
#define CS_PTG_REPLAY_H

#include "ptg/instance.h"

/* own[graph]: makespans alone, as planned or, with `fluid`, as replayed.  The options are in
 * range. */
void cs_ptg_own_each(const struct cs_ptg_instance *in, const struct cs_ptg_options *options,
                     bool fluid, double *own);

#endif
