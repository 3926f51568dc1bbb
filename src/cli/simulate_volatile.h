/* simulate_volatile.h - the parts of "simulate volatile". */
#ifndef CS_CLI_SIMULATE_VOLATILE_H
#define CS_CLI_SIMULATE_VOLATILE_H

#include "cli/command.h"
#include "cli/format.h"
#include "cli/progress.h"
#include "cli/volatile.h"
#include "io/availability.h"

struct cs_simulate_volatile {
    const struct cs_arguments *args;
    struct cs_arena *arena;
    const char *path;
    struct cs_scenario *scenario;          /* with the traces of --trace */
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
    int64_t *bound;                      /* by trial */
    struct cs_volatile_outcome *outcome; /* [trial * ways + way] */
    struct cs_progress bar;
};

/* What --policy, --estimate, --prefetch, ... ask for; -1 with err. */
int cs_simulate_volatile_ways(struct cs_simulate_volatile *run, struct cs_error *err);

/* The hosts, what rules them and what policies believe; -1 with err. */
int cs_simulate_volatile_world(struct cs_simulate_volatile *run, struct cs_error *err);

/* What was found, in one of the formats. */
void cs_simulate_volatile_show(const struct cs_simulate_volatile *run, enum cs_format format,
                               struct cs_strbuf *out);

/* --per-trial, --schedule and --gantt: is the line right (usage), can they be written, and writing
 * them; -1 with err. */
int cs_simulate_volatile_check_line(const struct cs_arguments *args, struct cs_error *err);
int cs_simulate_volatile_check_outputs(const struct cs_arguments *args, struct cs_error *err);
int cs_simulate_volatile_files(const struct cs_simulate_volatile *run, struct cs_error *err);

static inline const struct cs_volatile_outcome *
cs_simulate_volatile_outcome(const struct cs_simulate_volatile *run, int way, int trial)
{
    return &run->outcome[(size_t)trial * (size_t)run->ways + (size_t)way];
}

#endif
