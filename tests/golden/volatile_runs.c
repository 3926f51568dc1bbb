/* volatile_runs.c - fleets simulated under the policies rate and proactive-rate, slot by slot and
 * skipping. */
#include "golden/volatile_kit.h"
#include "problems/volatile/lifetime_model.h"
#include "problems/volatile/simulate.h"

#include <string.h>

#define HOSTS 256
#define ALWAYS 1000000 /* iterations: more than there are slots */

struct scene {
    const json_t *json, *app, *lifetime_model, *expect;
    struct cs_fleet *fleet;
    struct cs_volatile_instance *in;
    struct cs_volatile_lifetime_model believed;
    struct cs_volatile_survival law;
    double leave[HOSTS], frailty[HOSTS], co_failure;
    struct cs_arena *arena;
};

static int numbers(const json_t *list, double *out, int count, const char *what,
                   struct cs_error *err)
{
    if ((int)json_array_size(list) != count)
        return cs_error_set(err, "%s has %zu numbers, expected %d", what, json_array_size(list),
                            count);
    for (int i = 0; i < count; i++)
        out[i] = json_number_value(json_array_get(list, (size_t)i));
    return 0;
}

static int law_of(const char *name)
{
    for (int k = 0; k < CS_VOLATILE_SURVIVAL_PRODUCT_LIMIT; k++)
        if (!strcmp(cs_volatile_survival_name((enum cs_volatile_survival_kind)k), name))
            return k;
    return -1;
}

static int read_lifetime_model(struct scene *s, struct cs_error *err)
{
    const char *name = json_string_value(json_object_get(s->lifetime_model, "law"));

    if (name && !strcmp(name, "chains")) {
        s->believed = (struct cs_volatile_lifetime_model){.kind = CS_VOLATILE_LIFETIME_MODEL_CHAINS,
                                                          .leave = s->leave};
        return numbers(json_object_get(s->lifetime_model, "leave"), s->leave, s->fleet->hosts,
                       "leave", err);
    }
    if (!name || law_of(name) < 0)
        return cs_error_set(err, "the law %s is not known", name ? name : "(none)");
    s->law = (struct cs_volatile_survival){.kind = (enum cs_volatile_survival_kind)law_of(name),
                                           .a = golden_real(s->lifetime_model, "p1"),
                                           .b = golden_real(s->lifetime_model, "p2")};
    s->co_failure = golden_real(s->lifetime_model, "co_failure");
    s->believed = (struct cs_volatile_lifetime_model){.kind = CS_VOLATILE_LIFETIME_MODEL_LAWS,
                                                      .pools = 1,
                                                      .law = &s->law,
                                                      .co_failure = &s->co_failure};
    if (!json_is_array(json_object_get(s->lifetime_model, "frailty")))
        return 0;
    s->believed.frailty = s->frailty;
    return numbers(json_object_get(s->lifetime_model, "frailty"), s->frailty, s->fleet->hosts,
                   "frailty", err);
}

static int read_instance(struct scene *s, struct cs_error *err)
{
    const struct cs_volatile_application app = {
        .tasks = golden_int(s->app, "m"),
        .iterations = ALWAYS,
        .program = golden_int(s->app, "Tprog"),
        .data = golden_int(s->app, "Tdata"),
        .transfers = golden_int(s->app, "ncom"),
        .cap = CS_VOLATILE_CAP_MAX,
        .save_every = golden_int(s->app, "save_every"),
        .save_cost = golden_int(s->app, "save_cost"),
        .spares = golden_int(s->app, "spares"),
    };
    struct cs_volatile_host host[HOSTS] = {{0}};
    double slots[HOSTS], capacity[HOSTS];

    if (numbers(json_object_get(s->app, "w"), slots, s->fleet->hosts, "w", err) ||
        numbers(json_object_get(s->app, "mu"), capacity, s->fleet->hosts, "mu", err))
        return -1;
    for (int q = 0; q < s->fleet->hosts; q++) {
        host[q].slots = (int)slots[q];
        host[q].capacity = (int)capacity[q];
        for (int i = 0; i < CS_VOLATILE_STATES; i++)
            host[q].chain[i][i] = 1;
    }
    s->in = cs_volatile_instance_create(s->fleet->hosts, host, &app, err);
    return s->in ? 0 : -1;
}

/* What is seen of a run. */
struct replay {
    const json_t *configurations;
    const char *activity;
    int hosts;
    int64_t from;
    size_t seen; /* configurations */
    int tasks[HOSTS];
    struct cs_error *err;
};

static char letter(const struct replay *r, const struct cs_volatile_span *span)
{
    if (!span->configuration)
        return '.';
    for (int q = 0; q < r->hosts; q++)
        if (span->act[q] == 'P' || span->act[q] == 'D')
            return 'T';
    for (int q = 0; q < r->hosts; q++)
        if (span->act[q] == 'C' || span->act[q] == 'S')
            return span->act[q];
    return 'I';
}

static void compare_configuration(struct replay *r, const struct cs_volatile_span *span)
{
    const json_t *want = json_array_get(r->configurations, r->seen),
                 *x = json_object_get(want, "x");
    int64_t slot = span->from + r->from;

    if (span->from && !memcmp(r->tasks, span->tasks, (size_t)r->hosts * sizeof *r->tasks))
        return;
    memcpy(r->tasks, span->tasks, (size_t)r->hosts * sizeof *r->tasks);
    if (!want || golden_int(want, "from") != slot) {
        cs_error_set(r->err, "another configuration in slot %d, expected one in slot %d", (int)slot,
                     want ? golden_int(want, "from") : -1);
        return;
    }
    r->seen++;
    for (int q = 0; q < r->hosts; q++)
        if (json_integer_value(json_array_get(x, (size_t)q)) != span->tasks[q])
            cs_error_set(r->err, "slot %d: host %d has %d tasks", (int)slot, q, span->tasks[q]);
}

static void watch(void *who, const struct cs_volatile_span *span)
{
    struct replay *r = who;

    compare_configuration(r, span);
    for (int64_t t = span->from; t < span->to && !r->err->text[0]; t++)
        if (letter(r, span) != r->activity[t])
            cs_error_set(r->err, "slot %d: %c, expected %c", (int)(t + r->from), letter(r, span),
                         r->activity[t]);
}

static int compare(const struct scene *s, const struct cs_volatile_outcome *out,
                   const struct replay *r, struct cs_error *err)
{
    if (err->text[0])
        return -1;
    if (r->seen != json_array_size(r->configurations))
        return cs_error_set(err, "%zu configurations, expected %zu", r->seen,
                            json_array_size(r->configurations));
    if (out->iterations != golden_int(s->expect, "iterations") ||
        out->installed != golden_int(s->expect, "installed") ||
        out->aborts != golden_int(s->expect, "aborts"))
        return cs_error_set(err, "%d iterations, %d configurations, %d aborts", out->iterations,
                            (int)out->installed, (int)out->aborts);
    return golden_close(json_object_get(s->expect, "work"), out->work, 1e-9, "work", err);
}

static int run(const struct scene *s, enum cs_volatile_pace pace, struct cs_error *err)
{
    const json_t *policy = json_object_get(s->json, "policy");
    const char *name =
        json_is_true(json_object_get(policy, "proactive")) ? "proactive-rate" : "rate";
    int count, from = golden_int(s->json, "from");
    const struct cs_volatile_options options = {.lifetime_model = &s->believed};
    struct cs_policy_call call;
    struct replay r = {.configurations = json_object_get(s->expect, "configurations"),
                       .activity = json_string_value(json_object_get(s->expect, "activity")),
                       .hosts = s->in->hosts,
                       .from = from,
                       .err = err};
    struct cs_volatile_estimator *estimator;
    struct cs_volatile_source *source;
    struct cs_volatile_outcome out;

    cs_volatile_policies(&count);
    if (cs_policy_parse(name, cs_volatile_policies(&count), count, &call, err))
        return -1;
    source = cs_volatile_source_fleet(s->in, s->fleet, from, golden_int(s->json, "slots"), err);
    if (!source)
        return -1;
    if (!r.activity || strlen(r.activity) != (size_t)golden_int(s->json, "slots")) {
        cs_volatile_source_destroy(source);
        return cs_error_set(err, "the activity is not as long as the run");
    }
    estimator = cs_volatile_estimator_create(s->in);
    cs_volatile_simulation_run(
        cs_volatile_simulation_create(
            s->in,
            cs_volatile_decider_create(estimator, cs_volatile_policy_list(&count)[call.policy],
                                       options, s->arena),
            CS_VOLATILE_PREFETCH_NONE, s->arena),
        source, 7, pace, watch, &r, &out);
    cs_volatile_estimator_destroy(estimator);
    cs_volatile_source_destroy(source);
    if (compare(s, &out, &r, err))
        return cs_error_prefix(err, "%s", pace == CS_VOLATILE_SLOTS ? "slot by slot" : "skipping");
    return 0;
}

int golden_fleet_run(const json_t *json, struct cs_error *err)
{
    struct scene s = {.json = json,
                      .app = json_object_get(json, "application"),
                      .lifetime_model = json_object_get(json_object_get(json, "policy"), "belief"),
                      .expect = json_object_get(json, "expect"),
                      .fleet = golden_fleet(json, err),
                      .arena = cs_arena_create()};
    int status = -1;

    if (s.fleet && !read_lifetime_model(&s, err) && !read_instance(&s, err))
        status = run(&s, CS_VOLATILE_SLOTS, err) || run(&s, CS_VOLATILE_SKIPPING, err) ? -1 : 0;
    cs_volatile_instance_destroy(s.in);
    cs_arena_destroy(s.arena);
    cs_fleet_destroy(s.fleet);
    return status;
}
