/* states.c - the states that hosts go through, and the model that policies have of them.
 *
 * Source: spec/volatile.md 8 and Part II.2 (chains fitted to a history of 20,000 slots), III.1 and
 * III.4 (traces: fitted to the first part, simulated on the rest).
 * Invariants: the drawn history is a separate trial, none of those of runs; where a trace is both
 * fitted and simulated, the fitted slots come before the simulated ones.
 * Complexity: that of the generators and fits that are called.
 *
 * Constants: HISTORY 20000 slots (Part II.2); SLOT 60 s, on which no result depends.
 */
#include "problems/volatile/states.h"
#include "base/rng.h"
#include "model/fleet.h"
#include "problem/traps.h"
#include "problems/volatile/fit.h"
#include "problems/volatile/hosts.h"
#include "problems/volatile/study.h"

#include <math.h>
#include <string.h>

/* a history, and the chain of each host in it. */

struct cs_volatile_fitted {
    const struct cs_fleet *history;        /* lives in the arena */
    struct cs_volatile_instance *instance; /* the caller destroys it */
};

#define PAST ((uint64_t)1 << 62) /* the trial in which the history is drawn */
#define SLOT 60.0                /* seconds; nothing depends on it */

static struct cs_volatile_instance *states_fit(const struct cs_volatile_instance *truth,
                                               const struct cs_fleet *past, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_volatile_host *host = CS_NEW_ARRAY(arena, struct cs_volatile_host, truth->hosts);
    struct cs_volatile_instance *instance;

    for (int q = 0; q < truth->hosts; q++) {
        host[q] = truth->host[q];
        cs_volatile_fit_chain(&past->host[q], past->slots, host[q].chain);
    }
    instance = cs_volatile_instance_create(truth->hosts, host, &truth->app, err);
    cs_arena_destroy(arena);
    return instance;
}

/* The first `history` slots of a separate trial of the world, whose number is not below 2^62, and
 * the same hosts and application with chains that were fitted (fit.h) to them.  -1 with err as in
 * volatile.h. */
static int volatile_fit_history(const struct cs_volatile_instance *truth,
                                const struct cs_volatile_world *world, uint64_t seed,
                                int64_t history, struct cs_arena *arena,
                                struct cs_volatile_fitted *fitted, struct cs_error *err)
{
    struct cs_fleet_host *host = CS_NEW_ARRAY(arena, struct cs_fleet_host, truth->hosts);
    struct cs_volatile_sky *sky = cs_volatile_sky_create(world, truth, arena, err);
    struct cs_volatile_source *source = sky ? cs_volatile_sky_source(sky, seed, PAST) : NULL;

    if (!source)
        return -1;
    for (int q = 0; q < truth->hosts; q++)
        host[q] = cs_volatile_source_runs(source, q, history, arena);
    cs_volatile_source_destroy(source);
    fitted->history = cs_fleet_of_hosts(truth->hosts, host, SLOT, "drawn", arena);
    fitted->instance = states_fit(truth, fitted->history, err);
    return fitted->instance ? 0 : -1;
}

#define HISTORY 20000    /* slots that a chain is fitted to when a law rules */
#define DRAW 0x6e636f6du /* keeps the draw of the transfers apart from others */

enum model { SUPPLIED, FITTED };

static const char *states_name_of(const struct cs_volatile_case *c)
{
    return c->settings->study.input ? c->settings->study.input : "the hosts";
}

int cs_volatile_states_law(const struct cs_volatile_settings *o, struct cs_hosts *hosts,
                           struct cs_volatile_world *world, struct cs_error *err)
{
    bool shaped = !isnan(o->shape);

    if (o->law >= 0)
        hosts->law = (enum cs_hosts_law)o->law;
    if (shaped && hosts->law == CS_HOSTS_MARKOV)
        return cs_error_set(err, "--shape is for --law weibull and --law lognormal");
    if (hosts->law == CS_HOSTS_MARKOV)
        return 0;
    if (shaped)
        hosts->shape = o->shape;
    else if (o->law >= 0)
        hosts->shape = hosts->law == CS_HOSTS_WEIBULL ? 0.5 : 1;
    world->rule = CS_VOLATILE_RULE_SEMI_MARKOV;
    world->law =
        hosts->law == CS_HOSTS_WEIBULL ? CS_VOLATILE_LAW_WEIBULL : CS_VOLATILE_LAW_LOGNORMAL;
    world->parameter = hosts->shape;
    return 0;
}

/* ---- the hosts ---- */

static int draw_transfers(uint64_t seed)
{
    static const int of_the_paper[] = {5, 10, 20};
    struct cs_rng rng;

    cs_rng_init(&rng, seed, DRAW, 0);
    return of_the_paper[cs_rng_below(&rng, 3)];
}

struct cs_volatile_generator cs_volatile_states_generator(const struct cs_volatile_settings *o)
{
    return (struct cs_volatile_generator){
        .hosts = (int)o->hosts,
        .tasks = (int)o->tasks,
        .transfers = o->transfers == CS_PARAM_NONE ? draw_transfers((uint64_t)o->study.seed)
                                                   : (int)o->transfers,
        .wmin = (int)o->wmin,
        .iterations = (int)o->iterations,
        .cap = (int)o->cap,
        .seed = (uint64_t)o->study.seed,
        .scenario = (uint64_t)o->set,
    };
}

/* ---- bi-cliques ---- */

static void put_planted(struct cs_jsonw *w, const char *key, const int *list, int count)
{
    cs_jsonw_key(w, key);
    cs_jsonw_open_flat(w, '[');
    for (int i = 0; i < count; i++)
        cs_jsonw_int(w, list[i]);
    cs_jsonw_close(w);
}

/* No schedule is shorter than the work of a task; the planted hosts do with at_most. */
static const struct cs_known *biclique_known(const struct cs_biclique *b, const char *name,
                                             struct cs_arena *arena, struct cs_error *err)
{
    const bool tight = b->at_most == b->slots_a_task;
    struct cs_known *known = CS_NEW(arena, struct cs_known);
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&text);
    int status;

    cs_known_open(&w, tight ? b->at_most : NAN, b->slots_a_task, b->at_most, b->hosts, name);
    cs_jsonw_put_string(&w, "problem", "volatile");
    put_planted(&w, "hosts", b->host, b->planted_hosts);
    put_planted(&w, "slots", b->slot, b->planted_slots);
    cs_jsonw_put_int(&w, "columns", b->slots);
    cs_known_close(
        &w, "the work of a task; the planted hosts are up in the planted slots (Theorem 4.1)");
    status = cs_known_parse(text.text, known, arena, err);
    cs_strbuf_release(&text);
    return status ? NULL : known;
}

/* Hosts and slots of the bi-clique, each other slot up with the density, which is their chain. */
static int biclique_hosts(const struct cs_biclique *b, struct cs_hosts *s, struct cs_error *err)
{
    struct cs_host *host = CS_NEW_ARRAY(s->arena, struct cs_host, b->hosts);
    char *letters = CS_NEW_ARRAY(s->arena, char, b->columns + 1);
    struct cs_fleet_strip strip = {.arena = s->arena};

    for (int q = 0; q < b->hosts; q++) {
        host[q] =
            (struct cs_host){.slots = b->slots_a_task, .capacity = b->capacity, .has_chain = true};
        for (int i = 0; i < 3; i++) {
            host[q].chain[i][0] = b->density;
            host[q].chain[i][1] = 1 - b->density;
        }
        for (int t = 0; t < b->columns; t++)
            letters[t] = b->up[(int64_t)q * b->columns + t] ? 'u' : 'r';
        if (cs_fleet_strip_text(&strip, letters, err))
            return -1;
        host[q].trace = cs_fleet_strip_host(&strip, "", s->arena);
    }
    s->host = host;
    return 0;
}

static int check_trap(const struct cs_volatile_settings *o, struct cs_error *err)
{
    struct cs_volatile_settings usual = {0};
    const char *other;

    cs_params_reset(cs_problem_volatile.param, &usual);
    other = o->law >= 0                                           ? "law"
            : !isnan(o->shape)                                    ? "shape"
            : o->transfers != CS_PARAM_NONE                       ? "transfers"
            : o->tasks != usual.tasks                             ? "tasks"
            : o->wmin != usual.wmin                               ? "wmin"
            : o->iterations != usual.iterations                   ? "iterations"
            : o->scenarios != usual.scenarios && o->scenarios > 1 ? "scenarios"
            : o->trace                                            ? "trace"
                                                                  : NULL;
    if (cs_trap_check("volatile", CS_VOLATILE_TRAPS, o->trap, err))
        return -1;
    if (o->study.input)
        return cs_error_set(err, "found input and trap, expected one of them");
    return other ? cs_error_set(err, "--%s: the trap decides it", other) : 0;
}

struct cs_hosts *cs_volatile_states_trap(const struct cs_volatile_settings *o, struct cs_error *err)
{
    struct cs_biclique b = {
        .hosts = (int)o->hosts,
        .slots = (int)cs_param_or(o->slots, 40),
        .planted_hosts = (int)cs_param_or(o->planted_hosts, 6),
        .planted_slots = (int)cs_param_or(o->planted_slots, 12),
        .density = isnan(o->density) ? 0.5 : o->density,
        .free = !strcmp(o->trap, "biclique-free"),
    };
    struct cs_arena *arena = cs_arena_create();
    struct cs_hosts *s = CS_NEW(arena, struct cs_hosts);

    *s =
        (struct cs_hosts){.source = "", .slot = NAN, .shape = NAN, .iterations = 1, .arena = arena};
    if (!check_trap(o, err) &&
        !cs_biclique_draw(&b, (uint64_t)o->study.seed, (uint64_t)o->set, arena, err)) {
        s->tasks = b.tasks;
        s->transfers = s->hosts = b.hosts;
        s->cap = (int)o->cap;
        s->slots = b.columns;
        s->known = biclique_known(&b, o->trap, arena, err);
        if (s->known && !biclique_hosts(&b, s, err))
            return s;
    }
    cs_arena_destroy(arena);
    return NULL;
}

static int get_hosts(struct cs_volatile_case *c, struct cs_error *err)
{
    const struct cs_volatile_settings *o = c->settings;
    struct cs_volatile_generator generator = cs_volatile_states_generator(o);

    if (!o->study.input && c->action != CS_EXPERIMENT)
        return cs_error_set(err, "which hosts? give a scenario (cosched-volatile-1), such as "
                                 "'cosched generate volatile' writes, or - for standard input");
    if (o->trap || o->study.input) {
        c->hosts = o->trap ? cs_volatile_states_trap(o, err) : cs_hosts_read(o->study.input, err);
        return c->hosts ? 0 : -1;
    }
    if (o->slots != CS_PARAM_NONE)
        return cs_error_set(err, "--slots: experiments draw the states of a trap only");
    c->made = cs_volatile_generate(&generator, err);
    c->hosts = c->made ? cs_hosts_from_volatile(c->made) : NULL;
    return c->hosts ? 0 : -1;
}

/* ---- traces ---- */

/* Machine i of the trace is host i. */
static int read_trace(struct cs_volatile_case *c, struct cs_error *err)
{
    struct cs_hosts *s = c->hosts;
    struct cs_host *host = CS_NEW_ARRAY(c->study.arena, struct cs_host, s->hosts);
    const struct cs_fleet_options options = {
        .slot = isnan(c->settings->slot) ? 0 : c->settings->slot,
        .hosts = s->hosts,
        .components = c->settings->components,
    };
    const char *const *path = cs_param_lines(c->settings->trace, c->study.arena);
    int count = 0;

    while (path[count])
        count++;
    c->read = cs_fleet_read(path, count, &options, err);
    if (!c->read)
        return -1;
    if (c->read->hosts < s->hosts)
        return cs_error_set(err, "%s: %d machines, but the scenario has %d hosts", path[0],
                            c->read->hosts, s->hosts);
    for (int q = 0; q < s->hosts; q++) {
        host[q] = s->host[q];
        host[q].trace = c->read->host[q];
    }
    s->host = host;
    s->slots = c->read->slots;
    return 0;
}

/* The traces of the hosts themselves. */
static const struct cs_fleet *own_fleet(const struct cs_volatile_case *c)
{
    const struct cs_hosts *s = c->hosts;
    struct cs_fleet_host *host = CS_NEW_ARRAY(c->study.arena, struct cs_fleet_host, s->hosts);

    for (int q = 0; q < s->hosts; q++)
        host[q] = s->host[q].trace;
    return cs_fleet_of_hosts(s->hosts, host, isnan(s->slot) ? 60 : s->slot, "scenario",
                             c->study.arena);
}

/* Traces rule from `history` on, round and round. */
static void ruled_by_traces(struct cs_volatile_case *c)
{
    c->fleet = c->read ? c->read : own_fleet(c);
    c->world.rule = CS_VOLATILE_RULE_TRACES;
    c->world.fleet = c->fleet;
    c->world.from = c->history;
    c->world.turn = true;
}

/* How much of the traces is for fitting: the given number of slots, else half. */
static int read_history(struct cs_volatile_case *c, struct cs_error *err)
{
    int64_t slots = c->hosts->slots;

    c->history = c->settings->history > 0 ? c->settings->history : slots / 2;
    if (c->history < 1 || c->history >= slots)
        return cs_error_set(err,
                            "--history %lld: the traces have %lld slots, of which some must be "
                            "left to simulate",
                            (long long)c->history, (long long)slots);
    return 0;
}

/* ---- the model of policies ---- */

/* Are the chains of policies fitted to a history?  -1 with err. */
static int find_model(const struct cs_volatile_case *c, struct cs_error *err)
{
    const struct cs_volatile_settings *o = c->settings;
    bool chains = true, fitted;

    for (int q = 0; q < c->hosts->hosts; q++)
        chains &= c->hosts->host[q].has_chain;
    if (c->action == CS_PLAN)
        return 0;
    fitted = o->model >= 0 ? o->model == FITTED : !chains || o->history > 0;
    if (!fitted && !chains)
        return cs_error_set(err,
                            "%s: not every host has a chain: --model given has nothing to "
                            "believe",
                            states_name_of(c));
    if (o->history > 0 && !fitted)
        return cs_error_set(err, "--history is for --model fitted");
    return fitted;
}

/* Values of --save-every, --save-cost and --spares replace those of the file of hosts. */
static int set_application(const struct cs_volatile_settings *o, struct cs_hosts *s,
                           struct cs_error *err)
{
    if (o->save_every != CS_PARAM_NONE)
        s->save_every = (int)o->save_every;
    if (o->save_cost != CS_PARAM_NONE)
        s->save_cost = (int)o->save_cost;
    if (o->spares != CS_PARAM_NONE)
        s->spares = (int)o->spares;
    if (o->save_cost != CS_PARAM_NONE && !s->save_every)
        return cs_error_set(err, "--save-cost is for --save-every");
    return 0;
}

static bool changes_application(const struct cs_volatile_settings *o)
{
    return o->save_every != CS_PARAM_NONE || o->save_cost != CS_PARAM_NONE ||
           o->spares != CS_PARAM_NONE;
}

/* From the first slots of a fleet. */
static int fit_lifetime_model(struct cs_volatile_case *c, const struct cs_fleet *fleet,
                              struct cs_error *err)
{
    const struct cs_volatile_settings *o = c->settings;

    c->lifetime_model =
        cs_volatile_lifetime_model_fit(fleet, (enum cs_fit_lifetime_model)o->lifetime_model,
                                       (enum cs_fit_pooling)o->pool, 0, c->history, err);
    return c->lifetime_model ? 0 : -1;
}

static int make_truth(struct cs_volatile_case *c, bool fitted, struct cs_error *err)
{
    c->truth = c->made && !fitted && !changes_application(c->settings)
                   ? c->made
                   : cs_volatile_from_scenario(c->hosts, fitted, c->history, err);
    c->believed = c->truth;
    return c->truth ? 0 : cs_error_prefix(err, "%s", states_name_of(c));
}

/* The same for a sampled history; the truth is unchanged. */
static int fit_to_history(struct cs_volatile_case *c, struct cs_error *err)
{
    struct cs_volatile_fitted fitted;

    c->history = c->settings->history > 0 ? c->settings->history : HISTORY;
    c->world.truth = c->truth;
    if (volatile_fit_history(c->truth, &c->world, (uint64_t)c->settings->study.seed, c->history,
                             c->study.arena, &fitted, err))
        return -1;
    c->believed = fitted.instance;
    return fit_lifetime_model(c, fitted.history, err);
}

static int find_traced(struct cs_volatile_case *c, bool fitted, struct cs_error *err)
{
    if (c->settings->law >= 0 || !isnan(c->settings->shape))
        return cs_error_set(err, "%s: traces rule here: leave --law and --shape out",
                            states_name_of(c));
    if ((fitted && read_history(c, err)) || make_truth(c, fitted, err))
        return -1;
    ruled_by_traces(c);
    return fitted ? fit_lifetime_model(c, c->fleet, err) : 0;
}

int cs_volatile_states_find(struct cs_volatile_case *c, struct cs_error *err)
{
    int fitted;

    if (get_hosts(c, err) || (c->settings->trace && read_trace(c, err)))
        return -1;
    if (set_application(c->settings, c->hosts, err))
        return -1;
    fitted = find_model(c, err);
    if (fitted < 0)
        return -1;
    if (c->hosts->slots > 0)
        return find_traced(c, fitted, err);
    if (make_truth(c, false, err) || cs_volatile_states_law(c->settings, c->hosts, &c->world, err))
        return -1;
    return fitted ? fit_to_history(c, err) : 0;
}

void cs_volatile_states_destroy(struct cs_volatile_case *c)
{
    cs_volatile_lifetime_model_destroy(c->lifetime_model);
    if (c->believed != c->truth)
        cs_volatile_instance_destroy(c->believed);
    if (c->truth != c->made)
        cs_volatile_instance_destroy(c->truth);
    cs_hosts_destroy(c->hosts);
    cs_volatile_instance_destroy(c->made);
    cs_fleet_destroy(c->read);
}
