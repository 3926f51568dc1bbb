/* simulate_volatile.h - the parts of "simulate volatile". */
#ifndef CS_CLI_SIMULATE_VOLATILE_H
#define CS_CLI_SIMULATE_VOLATILE_H

#include "cli/base/command.h"
#include "cli/base/format.h"
#include "cli/base/progress.h"
#include "io/availability.h"
#include "volatile/hosts.h"

struct cs_simulate_volatile {
    const struct cs_arguments *args;
    const char *words; /* of the command */
    struct cs_arena *arena;
    const char *path;
    struct cs_hosts *scenario;             /* with the traces of --trace */
    struct cs_volatile_instance *instance; /* what policies believe */
    struct cs_volatile_instance *truth;    /* what rules, when that is something else; or NULL */
    struct cs_volatile_world world;
    struct cs_availability *availability; /* of --trace, or NULL */
    const char *kind;                     /* of the traces: "spot instances"; or NULL */
    int64_t history; /* slots that the chains were fitted to; 0 when they were given */
    int trials, threads;
    uint64_t seed;
    int ways;
    const char *const *name;             /* of each way, as it was asked for */
    struct cs_policy_call *call;         /* by way */
    const char *offline;                 /* the off-line problem that is solved exactly; or NULL */
    int64_t patience;                    /* of the search for its optimum */
    struct cs_volatile_limit *limit;     /* by trial */
    struct cs_volatile_outcome *outcome; /* [trial * ways + way] */
    struct cs_progress bar;
};

/* What --policy, --estimate, --prefetch, ... ask for; -1 with err. */
int cs_simulate_volatile_ways(struct cs_simulate_volatile *run, struct cs_error *err);

/* The hosts, what rules them and what policies believe; -1 with err. */
int cs_simulate_volatile_world(struct cs_simulate_volatile *run, struct cs_error *err);

/* The hosts and what rules them, without policies that believe something; -1 with err. */
int cs_simulate_volatile_states(struct cs_simulate_volatile *run, struct cs_error *err);

/* --bound: what makespans are held against; -1 with err. */
int cs_simulate_volatile_bound(struct cs_simulate_volatile *run, struct cs_error *err);

/* What the limit of a trial is: "offline-1", "offline-inf" or "offline" (the optimum) or
 * "clairvoyant" (a bound). */
const char *cs_simulate_volatile_limit_name(const struct cs_simulate_volatile *run, int trial);

/* Of how many trials the optimum is known, and in how many nobody could have ended. */
struct cs_simulate_volatile_limits {
    int optima, hopeless;
};
struct cs_simulate_volatile_limits
cs_simulate_volatile_count_limits(const struct cs_simulate_volatile *run);

/* What the makespans are held against, a line. */
void cs_simulate_volatile_put_limits(const struct cs_simulate_volatile *run, struct cs_strbuf *out);

/* What was found, in one of the formats. */
void cs_simulate_volatile_show(const struct cs_simulate_volatile *run, enum cs_format format,
                               struct cs_strbuf *out);

/* --per-trial, --schedule and --gantt: is the line right (usage), can they be written, and writing
 * them; -1 with err. */
int cs_simulate_volatile_check_line(const struct cs_arguments *args, struct cs_error *err);
int cs_simulate_volatile_check_outputs(const struct cs_arguments *args, struct cs_error *err);
int cs_simulate_volatile_files(const struct cs_simulate_volatile *run, struct cs_error *err);

/* A trial where --schedule and --gantt say; the first way has decided.  -1 with err. */
struct cs_volatile_trial;
int cs_simulate_volatile_put_trial(const struct cs_simulate_volatile *run,
                                   const struct cs_volatile_trial *trial, struct cs_error *err);

static inline const struct cs_volatile_outcome *
cs_simulate_volatile_outcome(const struct cs_simulate_volatile *run, int way, int trial)
{
    return &run->outcome[(size_t)trial * (size_t)run->ways + (size_t)way];
}

#endif
