/* study.h - policies through many trials on the same states.
 *
 * Trials are shared out over threads; in a trial every policy meets the same states.  Every figure
 * depends on (instance, world, seed, trial, policy) alone, so any number of threads gives the same
 * bytes.
 */
#ifndef CS_VOLATILE_STUDY_H
#define CS_VOLATILE_STUDY_H

#include "problem/loop.h"
#include "problems/volatile/decide.h"
#include "problems/volatile/source.h"

#include <stdbool.h>

/* A lower bound on the slots of any schedule, for all states known beforehand. */
struct cs_volatile_limit {
    int64_t slots; /* no schedule is shorter; -1: none ends in time */
    bool optimum;  /* no transfers, and a schedule is as long, or no schedule exists */
};

/* With checkpoints the bound of study.c, else what optimum.h finds within `patience` words of
 * slots; 0 does not search, and takes for possible what a look at each host and slot does not
 * exclude. */
struct cs_volatile_limit cs_volatile_limit(const struct cs_volatile_instance *in,
                                           struct cs_volatile_source *source, int64_t patience);

enum cs_volatile_rule {
    CS_VOLATILE_RULE_CHAINS,      /* Markov */
    CS_VOLATILE_RULE_SEMI_MARKOV, /* the law, with the means of the chains */
    CS_VOLATILE_RULE_TRACES,      /* the same in every trial, or turned */
};

/* The rule of the states of the hosts. */
struct cs_volatile_world {
    enum cs_volatile_rule rule;
    const struct cs_volatile_instance *truth; /* whose chains rule; NULL: the policies are right */
    enum cs_volatile_law law;
    double parameter;             /* of the law */
    const struct cs_fleet *fleet; /* for TRACES: one host for each of the instance */
    int64_t from;                 /* traces rule from that slot on */
    bool turn;                    /* trials after 0 begin somewhere in them and go round */
};

/* A world made ready for the hosts of an instance; both must live as long as it, and it lives in
 * the arena.  NULL with err as in volatile.h. */
struct cs_volatile_sky;
struct cs_volatile_sky *cs_volatile_sky_create(const struct cs_volatile_world *world,
                                               const struct cs_volatile_instance *in,
                                               struct cs_arena *arena, struct cs_error *err);

/* The states of one trial; the caller destroys them. */
struct cs_volatile_source *cs_volatile_sky_source(const struct cs_volatile_sky *sky, uint64_t seed,
                                                  uint64_t trial);

/* The seed of the dice of a policy in a trial. */
uint64_t cs_volatile_dice_seed(uint64_t seed, uint64_t trial);

struct cs_volatile_study {
    const struct cs_volatile_instance *instance;
    struct cs_volatile_world world;
    const struct cs_volatile_lifetime_model
        *lifetime_model;               /* as in struct cs_volatile_request; or NULL */
    const struct cs_policy_call *call; /* `policies` of them */
    int policies;
    uint64_t seed;
    uint64_t first; /* number of the first trial */
    int trials;
    int threads;                              /* 0: one */
    int64_t patience;                         /* of the search for optima, of the bound */
    const struct cs_study_progress *progress; /* runs of a policy; or NULL */
};

/* outcome[trial * policies + policy]; limit[trial], or NULL: what no policy can beat.  -1 with err:
 * the states cannot be made. */
int cs_volatile_study_run(const struct cs_volatile_study *study,
                          struct cs_volatile_outcome *outcome, struct cs_volatile_limit *limit,
                          struct cs_error *err);

#endif
