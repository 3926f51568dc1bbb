/* simulate.h - a variant in virtual time. */
#ifndef CS_MOLDABLE_SIMULATE_H
#define CS_MOLDABLE_SIMULATE_H

#include "problems/moldable/variant.h"

const struct cs_moldable_variant *cs_moldable_variant_at(int index);

/* Real times and failures of one scenario. */
struct cs_moldable_truth {
    const double *factor;   /* of the times, by task; NULL: 1 */
    const int *failures;    /* attempts that fail, by task; NULL: none */
    const double *walltime; /* for the bound: stopped after it, by task (+inf: never); NULL: none */
};

struct cs_moldable_outcome {
    double makespan;
    double busy;  /* processor seconds held */
    int stopped;  /* tasks stopped at their walltime limit: not done */
    int attempts; /* and the attempts themselves, in the order of their starts, or NULL */
    const struct cs_moldable_attempt *attempt;
};

struct cs_moldable_simulator;

/* Ready for many scenarios; NULL with err if the variant does not fit the scene.  `walltime` by
 * task (+inf: none) or NULL. */
struct cs_moldable_simulator *cs_moldable_simulator_create(const struct cs_moldable_scene *scene,
                                                           const struct cs_policy_call *call,
                                                           const double *walltime,
                                                           struct cs_error *err);
void cs_moldable_simulator_destroy(struct cs_moldable_simulator *simulator);

/* One scenario.  The attempts stay until the next one. */
void cs_moldable_simulator_run(struct cs_moldable_simulator *simulator,
                               const struct cs_moldable_truth *truth,
                               struct cs_moldable_outcome *outcome);

/* A bound for every policy: without failures the larger of critical and area with the real times,
 * with them L(f) of the papers.  A task that its walltime can stop takes no longer than that, once.
 */
double cs_moldable_real_bound(const struct cs_moldable_bag *bag,
                              const struct cs_moldable_truth *truth, struct cs_arena *scratch);

#endif
