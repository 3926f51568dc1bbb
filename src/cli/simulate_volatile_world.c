/* simulate_volatile_world.c - which states hosts go through, and what policies believe of them. */
#include "cli/simulate_volatile.h"
#include "volatile/fitted.h"

#include <math.h>
#include <string.h>

#define HISTORY 20000 /* slots that a chain is fitted to when a law rules */

enum model { GIVEN, FITTED };

/* Traces rule from `history` on, round and round. */
static void ruled_by_traces(struct cs_simulate_volatile *run)
{
    const char **trace = CS_NEW_ARRAY(run->arena, const char *, run->scenario->hosts);

    for (int q = 0; q < run->scenario->hosts; q++)
        trace[q] = run->scenario->host[q].trace + run->history;
    run->world.rule = CS_VOLATILE_RULE_TRACES;
    run->world.trace = trace;
    run->world.turn = true;
}

/* --law and --shape, or what the scenario says. */
static int read_law(struct cs_simulate_volatile *run, struct cs_error *err)
{
    const struct cs_arguments *args = run->args;
    bool given = cs_arguments_given(args, "law"), shaped = cs_arguments_given(args, "shape");
    enum cs_hosts_law law =
        given ? (enum cs_hosts_law)cs_arguments_choice(args, "law") : run->scenario->law;

    if (shaped && law == CS_HOSTS_MARKOV)
        return cs_error_set(err, "--shape is for --law weibull and --law lognormal");
    run->scenario->law = law;
    if (law == CS_HOSTS_MARKOV)
        return 0;
    if (shaped)
        run->scenario->shape = cs_arguments_real(args, "shape");
    else if (given)
        run->scenario->shape = law == CS_HOSTS_WEIBULL ? 0.5 : 1;
    run->world.rule = CS_VOLATILE_RULE_SEMI_MARKOV;
    run->world.law = law == CS_HOSTS_WEIBULL ? CS_VOLATILE_LAW_WEIBULL : CS_VOLATILE_LAW_LOGNORMAL;
    run->world.parameter = run->scenario->shape;
    return 0;
}

/* Chains from a history that was drawn; the truth stays what it was. */
static int fit_to_history(struct cs_simulate_volatile *run, struct cs_error *err)
{
    run->history = cs_arguments_given(run->args, "history")
                       ? cs_arguments_integer(run->args, "history")
                       : HISTORY;
    run->truth = run->instance;
    run->world.truth = run->truth;
    run->instance = cs_volatile_fitted(run->truth, &run->world, run->seed, run->history, err);
    return run->instance ? 0 : -1;
}

/* How much of the traces is for fitting: what is said, else half. */
static int read_history(struct cs_simulate_volatile *run, struct cs_error *err)
{
    int64_t slots = run->scenario->slots;

    run->history = cs_arguments_given(run->args, "history")
                       ? cs_arguments_integer(run->args, "history")
                       : slots / 2;
    if (run->history < 1 || run->history >= slots)
        return cs_error_set(err,
                            "--history %lld: the traces have %lld slots, of which some must be "
                            "left to simulate",
                            (long long)run->history, (long long)slots);
    return 0;
}

/* Machine i of the trace is host i. */
static int read_trace(struct cs_simulate_volatile *run, struct cs_error *err)
{
    struct cs_hosts *s = run->scenario;
    struct cs_host *host = CS_NEW_ARRAY(run->arena, struct cs_host, s->hosts);
    const struct cs_availability_options options = {
        .slot = cs_arguments_given(run->args, "slot") ? cs_arguments_real(run->args, "slot") : 0,
        .hosts = s->hosts,
    };
    int count;
    const char *const *path = cs_arguments_texts(run->args, "trace", &count);
    struct cs_availability *a = cs_availability_read(path, count, &options, err);

    if (!a)
        return -1;
    run->availability = a;
    if (a->hosts < s->hosts)
        return cs_error_set(err, "%s: %d machines, but the scenario has %d hosts", path[0],
                            a->hosts, s->hosts);
    for (int q = 0; q < s->hosts; q++) {
        host[q] = s->host[q];
        host[q].trace = a->trace[q];
    }
    s->host = host;
    s->slots = a->slots;
    run->kind = a->kind;
    return 0;
}

static int refuse_law(const struct cs_simulate_volatile *run, struct cs_error *err)
{
    if (cs_arguments_given(run->args, "law") || cs_arguments_given(run->args, "shape"))
        return cs_error_set(err, "%s: traces rule here: leave --law and --shape out", run->path);
    return 0;
}

int cs_simulate_volatile_states(struct cs_simulate_volatile *run, struct cs_error *err)
{
    if (cs_arguments_given(run->args, "trace") && read_trace(run, err))
        return -1;
    if (run->scenario->slots > 0 && refuse_law(run, err))
        return -1;
    run->instance = cs_volatile_from_scenario(run->scenario, false, 0, err);
    if (!run->instance)
        return cs_error_prefix(err, "%s", run->path);
    if (run->scenario->slots == 0)
        return read_law(run, err);
    ruled_by_traces(run);
    return 0;
}

int cs_simulate_volatile_world(struct cs_simulate_volatile *run, struct cs_error *err)
{
    const struct cs_arguments *args = run->args;
    const struct cs_hosts *s = run->scenario;
    bool traces, chains = true, fitted;

    if (cs_arguments_given(args, "trace") && read_trace(run, err))
        return -1;
    traces = s->slots > 0;

    for (int q = 0; q < s->hosts; q++)
        chains &= s->host[q].has_chain;
    fitted =
        cs_arguments_given(args, "model") ? cs_arguments_choice(args, "model") == FITTED : !chains;
    if (!fitted && !chains)
        return cs_error_set(err,
                            "%s: not every host has a chain: --model given has nothing to "
                            "believe",
                            run->path);
    if (cs_arguments_given(args, "history") && !fitted)
        return cs_error_set(err, "--history is for --model fitted");
    if (traces && refuse_law(run, err))
        return -1;
    if (traces && fitted && read_history(run, err))
        return -1;
    run->instance = cs_volatile_from_scenario(s, traces && fitted, run->history, err);
    if (!run->instance)
        return cs_error_prefix(err, "%s", run->path);
    if (traces) {
        ruled_by_traces(run);
        return 0;
    }
    if (read_law(run, err))
        return -1;
    return fitted ? fit_to_history(run, err) : 0;
}
