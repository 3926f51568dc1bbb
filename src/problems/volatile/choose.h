/* choose.h - a new configuration: tasks given out one by one, spec/volatile.md 4. */
#ifndef CS_VOLATILE_CHOOSE_H
#define CS_VOLATILE_CHOOSE_H

#include "problems/volatile/estimate.h"
#include "problems/volatile/view.h"

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

/* The result of the same choice, as far as it is certain without making it. */
enum cs_volatile_again {
    CS_VOLATILE_UNCERTAIN,
    CS_VOLATILE_SAME,  /* the plan, which is that of the last choice */
    CS_VOLATILE_OTHER, /* another, which the plan is now */
};

/* `view` lists the hosts that have changed since the last call. */
enum cs_volatile_again cs_volatile_choose_again(struct cs_volatile_chooser *chooser,
                                                const struct cs_volatile_view *view,
                                                struct cs_volatile_plan *plan);

/* Not all such hosts will be listed. */
void cs_volatile_chooser_discard(struct cs_volatile_chooser *chooser);

/* Can the hosts that are up hold all tasks? */
bool cs_volatile_possible(const struct cs_volatile_view *view);

#endif
