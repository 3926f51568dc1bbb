/* problem.h - options and studies of the problem volatile, for its views. */
#ifndef CS_VOLATILE_PROBLEM_H
#define CS_VOLATILE_PROBLEM_H

#include "base/digest.h"
#include "io/hosts.h"
#include "problem/problem.h"
#include "problems/volatile/optimum.h"
#include "problems/volatile/schedule.h"
#include "problems/volatile/study.h"
#include "problems/volatile/volatile.h"

/* The functions of the problem volatile; see struct cs_problem. */
/* The digest of an instance (problem/cache.h). */
/* The application and the hosts with their chains, as policies are given them. */
void cs_volatile_identity(const struct cs_volatile_instance *instance, char text[CS_DIGEST_TEXT]);

struct cs_volatile_settings {
    struct cs_study_options study;
    const char *policy, *policy_program;
    double policy_patience;
    int estimate, prefetch, singles, aware;
    int64_t hosts, tasks, transfers, wmin, iterations, cap;
    int law;
    double shape;
    const char *trace; /* paths with line ends between */
    const char *components;
    double slot;
    int model;
    int64_t history, scenarios;
    int lifetime_model, pool;
    int64_t save_every, save_cost, spares;
    int bound;
    int64_t patience;
    int64_t slots, set;
    const char *trap;
    int64_t planted_hosts, planted_slots;
    double density; /* NaN: the default */
};

/* The outcome of a run, and the bound on it. */
struct cs_volatile_seen {
    struct cs_volatile_outcome outcome;
    struct cs_volatile_limit limit;
};

struct cs_volatile_case {
    struct cs_study study;
    const struct cs_volatile_settings *settings;
    struct cs_cache *cache;
    unsigned action;
    struct cs_hosts *hosts;                /* with the traces of --trace */
    struct cs_fleet *read;                 /* of --trace, or NULL */
    const struct cs_fleet *fleet;          /* traces that rule, or NULL */
    struct cs_volatile_instance *made;     /* the generated instance, or NULL */
    struct cs_volatile_instance *truth;    /* the true instance; may be the generated one */
    struct cs_volatile_instance *believed; /* assumed by policies; may be the truth */
    struct cs_volatile_world world;
    struct cs_volatile_lifetime_model
        *lifetime_model;         /* of a history, or NULL: the assumed chains */
    int64_t history;             /* slots that the chains were fitted to; 0: they were given */
    struct cs_extpol *extpol;    /* the external policy of `program`, or NULL */
    struct cs_policy_call *call; /* of each variant */
    const char *offline;         /* the off-line problem that is solved exactly; or NULL */
    int64_t patience;            /* of the search for its optimum */
    struct cs_volatile_optimum optimum;       /* the plan */
    const struct cs_volatile_seen *reference; /* runs of IE, in experiments, once it has run */
};

/* One run, kept. */
struct cs_volatile_kept {
    struct cs_kept record;
    struct cs_volatile_trial *trial;
};

/* Is the bound of that run the optimum? */
bool cs_volatile_case_optimum(const struct cs_volatile_case *c,
                              const struct cs_volatile_limit *limit);

extern const struct cs_problem cs_problem_volatile;
extern const struct cs_value cs_volatile_values[]; /* end with a NULL name */

#endif
