/* choose.h - a new configuration: tasks given out one by one, section 4 of the specification. */
#ifndef CS_VOLATILE_CHOOSE_H
#define CS_VOLATILE_CHOOSE_H

#include "volatile/estimate.h"
#include "volatile/view.h"

struct cs_volatile_chooser;

/* Lives in the arena, as the estimator must.  `choice` is a measure, not NONE and not DICE. */
struct cs_volatile_chooser *cs_volatile_chooser_create(struct cs_volatile_estimator *estimator,
                                                       enum cs_volatile_measure choice,
                                                       enum cs_volatile_estimate estimate,
                                                       bool singles, struct cs_arena *arena);

/* Fill the plan from hosts that are up.  False when they cannot hold all tasks: the plan then is
 * as before. */
bool cs_volatile_choose(struct cs_volatile_chooser *chooser, const struct cs_volatile_view *view,
                        struct cs_volatile_plan *plan);

/* Would the last choice be made again?  `view` lists the hosts that are not what they were when it
 * was made, or when this was asked last; see trail.h. */
bool cs_volatile_choice_stands(struct cs_volatile_chooser *chooser,
                               const struct cs_volatile_view *view);

/* Not all such hosts will be listed. */
void cs_volatile_chooser_forget(struct cs_volatile_chooser *chooser);

/* Can the hosts that are up hold all tasks? */
bool cs_volatile_possible(const struct cs_volatile_view *view);

#endif
