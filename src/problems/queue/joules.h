/* joules.h - the energy of a replay in its window (docs/spec/science.md 5.1), an observer of
 * cs_queue_simulate or cs_queue_recorded_run. */
#ifndef CS_QUEUE_JOULES_H
#define CS_QUEUE_JOULES_H

#include "model/energy.h"
#include "problems/queue/measures.h"

struct cs_queue_joules;

/* `procs`: of the machine. */
struct cs_queue_joules *cs_queue_joules_create(double procs,
                                               const struct cs_energy_options *options,
                                               const struct cs_queue_window *window);
void cs_queue_joules_destroy(struct cs_queue_joules *joules); /* NULL is fine */

struct cs_queue_observer cs_queue_joules_observer(struct cs_queue_joules *joules);

/* After the last instant; `until` is the length of the window. NaN: no job arrived, or off-after
 * needs processors that a job does not state. */
struct cs_energy cs_queue_joules_finish(struct cs_queue_joules *joules);

#endif
