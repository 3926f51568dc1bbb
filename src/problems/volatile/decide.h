/* decide.h - in every slot: keep what runs, or install something else; section 5. */
#ifndef CS_VOLATILE_DECIDE_H
#define CS_VOLATILE_DECIDE_H

#include "problems/volatile/choose.h"

struct cs_volatile_decider;

/* The decision for a slot, and for the slots after it in which no host begins or ends to be up and
 * no transfer takes place. */
enum cs_volatile_finding {
    CS_VOLATILE_KEEP,      /* keep, in this slot */
    CS_VOLATILE_KEEP_LONG, /* keep, in those too, for any other change */
    CS_VOLATILE_INSTALL,   /* install the plan */
};

/* Lives in the arena, as the estimator must. */
struct cs_volatile_decider *cs_volatile_decider_create(struct cs_volatile_estimator *estimator,
                                                       const struct cs_volatile_policy *policy,
                                                       struct cs_volatile_options options,
                                                       struct cs_arena *arena);

/* Instead of the policy: these tasks (by host), installed when all their hosts are up. */
struct cs_volatile_decider *cs_volatile_decider_create_fixed(const struct cs_volatile_instance *in,
                                                             const int *tasks,
                                                             struct cs_arena *arena);

/* Its lifetime model; NULL only for a fixed decider. */
const struct cs_volatile_lifetime_model *
cs_volatile_decider_lifetime_model(const struct cs_volatile_decider *decider);

/* A new run.  `thorough`: work everything out in every slot, as a reference for tests. */
void cs_volatile_decider_begin(struct cs_volatile_decider *decider, uint64_t seed, bool thorough);

/* `stamp` is another number whenever the set of hosts that are up, or the messages that they have
 * received, have changed. */
enum cs_volatile_finding cs_volatile_decide(struct cs_volatile_decider *decider,
                                            const struct cs_volatile_view *view, int64_t stamp);

/* Does it leave a running configuration alone? */
bool cs_volatile_decider_passive(const struct cs_volatile_decider *decider);

/* The plan of the last INSTALL. */
const struct cs_volatile_plan *cs_volatile_decider_plan(const struct cs_volatile_decider *decider);

/* How many configurations have been worked out in this run. */
int64_t cs_volatile_decider_count(const struct cs_volatile_decider *decider);

#endif
