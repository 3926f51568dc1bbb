/* lifetime_model.h - the probability that hosts stay up, alone and together, as policies use it.
 *
 * A model is either one chain a host, without age and independent of the others, or laws of pools
 * of hosts, with age, frailty and co-failure.  Pools are independent of each other.
 */
#ifndef CS_VOLATILE_LIFETIME_MODEL_H
#define CS_VOLATILE_LIFETIME_MODEL_H

#include "problems/volatile/instance.h"
#include "problems/volatile/survival.h"

/* The history of a pool of hosts: how long they stayed up, which fail more often than
 * the others, and how often they fail together.
 *
 * History is slots from .. to - 1 of some hosts of a fleet.  A life is a run of up slots that
 * begins there, was seen to begin (it is not the first of its host and follows no unknown slot),
 * and is cut off at `to`, at the end of the fleet and by unknown slots.
 */
struct cs_volatile_history {
    const struct cs_fleet *fleet;
    int first, hosts; /* numbers first .. first + hosts - 1 */
    int64_t from, to; /* slots, 0 <= from < to <= those of the fleet */
};

/* *count of lives by host, then by time; they live in the arena. */
const struct cs_fleet_life *cs_volatile_lifetimes(const struct cs_volatile_history *history,
                                                  int64_t *count, struct cs_arena *arena);

/* The probability that, when one host goes down, another that is up does too. */
double cs_volatile_co_failure(const struct cs_volatile_history *history);

/* How many times faster than by the law a host fails, drawn towards 1 by two failures. */
double cs_volatile_frailty(const struct cs_volatile_history *history, int host,
                           const struct cs_volatile_survival *law);

/* Counts of slots: how many slots were known, and in how many it was up. */
struct cs_volatile_counters {
    double known, up;
    double leave; /* of the slots after up slots that are known, how many down, smoothed by 0.01 */
};

struct cs_volatile_counters cs_volatile_counters(const struct cs_volatile_history *history);

enum cs_volatile_lifetime_model_kind {
    CS_VOLATILE_LIFETIME_MODEL_CHAINS,
    CS_VOLATILE_LIFETIME_MODEL_LAWS
};

struct cs_volatile_lifetime_model {
    enum cs_volatile_lifetime_model_kind kind;
    const double *leave; /* by host: the probability to go down, per slot; for CHAINS */
    int pools;           /* the rest is for LAWS */
    const int *pool;     /* by host; NULL: 0 for all */
    const struct cs_volatile_survival *law; /* by pool */
    const double *co_failure;               /* by pool */
    const double *frailty;                  /* by host; NULL: 1 for all */
    enum cs_fit_lifetime_model model;       /* of one that was fitted, with the arena it owns */
    int few;
    struct cs_arena *arena;
};

/* The chains of the instance: how likely a host goes down before it is up again.  Lives in the
 * arena. */
const struct cs_volatile_lifetime_model *
cs_volatile_lifetime_model_of(const struct cs_volatile_instance *in, struct cs_arena *arena);

/* Values of ln S computed before: policies need the same ones repeatedly. */
struct cs_volatile_memo;
struct cs_volatile_memo *cs_volatile_memo_create(struct cs_arena *arena);

/* ln of the probability that a host of this age (slots that it has been up, this one included)
 * stays up for so many more; finite, at most 0.  A memo serves one model; it may be NULL. */
double cs_volatile_lifetime_model_stay(const struct cs_volatile_lifetime_model *lifetime_model,
                                       struct cs_volatile_memo *memo, int host, double age,
                                       double more);

/* ln of the probability that all of these hosts stay, of which each does with ln P log_p[i]: m +
 * (1 - rho)(s - m) with the sum s and the least m of each pool. */
double cs_volatile_lifetime_model_together(const struct cs_volatile_lifetime_model *lifetime_model,
                                           int hosts, const int *host, const double *log_p);

#endif
