/* run_ptg.c - task graphs of the paper that share one of its platforms, or each of them in turn.
 *
 * A run is one combination of graphs; its values are means over the platforms.  What all strategies
 * need of a combination is made once and kept: the makespans of the graphs alone, and the results
 * of the strategies that are compared (`compare`), to whose best makespans are relative.
 */
#include "base/arena.h"
#include "base/strbuf.h"
#include "campaign/identity.h"
#include "campaign/runner.h"

#include <cosched/ptg.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define SITES 4
#define GRAPHS_MOST 1000

enum {
    UNFAIRNESS,
    SLOWDOWN,
    MAKESPAN,
    RELATIVE,
    AVERAGE,
    RELATIVE_AVERAGE,
    GAP,
    METRICS,
};

static const struct cs_metric metrics[] = {
    [UNFAIRNESS] = {.name = "unfairness", .summary = "sum of |slowdown - average slowdown|"},
    [SLOWDOWN] = {.name = "average_slowdown", .summary = "alone / shared, mean over graphs"},
    [MAKESPAN] = {.name = "makespan", .summary = "latest completion, seconds"},
    [RELATIVE] = {.name = "relative_makespan",
                  .summary = "makespan over the least of the strategies in compare"},
    [AVERAGE] = {.name = "average_makespan", .summary = "mean over graphs, seconds"},
    [RELATIVE_AVERAGE] = {.name = "relative_average",
                          .summary = "that over the least of the strategies in compare"},
    [GAP] = {.name = "gap", .summary = "makespan / lower bound - 1"},
    [METRICS] = {0},
};

static const struct cs_parameter parameters[] = {
    {.name = "strategy",
     .kind = CS_PARAMETER_TEXT,
     .required = true,
     .summary = "with its parameters"},
    {.name = "mu",
     .kind = CS_PARAMETER_REAL,
     .low = 0,
     .high = 1,
     .summary = "that parameter of the strategy"},
    {.name = "compare",
     .kind = CS_PARAMETER_TEXT,
     .summary = "strategies, with blanks between, that relative makespans refer to; none"},
    {.name = "family", .kind = CS_PARAMETER_TEXT, .summary = "random, fft or strassen; random"},
    {.name = "graphs",
     .kind = CS_PARAMETER_INTEGER,
     .low = 1,
     .high = GRAPHS_MOST,
     .summary = "how many share the platform; 10"},
    {.name = "platform",
     .kind = CS_PARAMETER_TEXT,
     .summary = "a site such as grid5000-lille, or grid5000 for the mean over all four; grid5000"},
    {.name = "network",
     .kind = CS_PARAMETER_TEXT,
     .summary = "plain or fan: who shares a link in plans; plain"},
    {.name = "allocation", .kind = CS_PARAMETER_TEXT, .summary = "scrap-max or scrap; scrap-max"},
    {.name = "efficiency",
     .kind = CS_PARAMETER_REAL,
     .low = 0,
     .high = 1,
     .summary = "no task grows beyond this parallel efficiency; 0"},
    {.name = "replay",
     .kind = CS_PARAMETER_INTEGER,
     .low = 0,
     .high = 1,
     .summary = "1: dates are those of the fluid replay, where transfers contend; 0"},
    {0},
};

/* What a cell is about, strategy apart. */
struct setting {
    enum cs_ptg_family family;
    int graphs, sites;
    const char *site[SITES];
    struct cs_ptg_options options;
    bool replay;
    uint64_t seed;
    const char *compare;
};

/* The graphs of a combination on a site. */
struct scene {
    struct cs_platform *platform;
    struct cs_ptg_instance *instance;
};

struct values {
    double metric[METRICS];
};

/* What is kept of a combination. */
struct known {
    struct cs_arena *arena;
    double *own[SITES];
    double least[SITES][METRICS]; /* of makespans, among those compared; else NaN */
    char identity[CS_DIGEST_TEXT];
    int ways;
    const char **name;
    struct values *mean; /* by way: over the sites */
};

static int read_word(const json_t *given, const char *name, const char *first, const char *second,
                     bool *is_second, struct cs_error *err)
{
    const char *word = cs_parameter_text(given, name, first);

    *is_second = !strcmp(word, second);
    return *is_second || !strcmp(word, first)
               ? 0
               : cs_error_set(err, "%s: found \"%.60s\", expected %s or %s", name, word, first,
                              second);
}

static int read_family(const json_t *given, struct setting *s, struct cs_error *err)
{
    const char *word = cs_parameter_text(given, "family", "random");

    for (int f = 0; cs_ptg_family_name(f); f++)
        if (!strcmp(word, cs_ptg_family_name(f))) {
            s->family = (enum cs_ptg_family)f;
            return 0;
        }
    return cs_error_set(err, "family: found \"%.60s\", expected random, fft or strassen", word);
}

static int read_sites(const json_t *given, struct setting *s, struct cs_error *err)
{
    const char *word = cs_parameter_text(given, "platform", "grid5000");
    struct cs_platform *platform;

    if (!strcmp(word, "grid5000")) {
        for (; s->sites < SITES; s->sites++)
            s->site[s->sites] = cs_platform_site_name(s->sites);
        return 0;
    }
    platform = cs_platform_site(word, err);
    if (!platform)
        return -1;
    cs_platform_destroy(platform);
    s->site[s->sites++] = word;
    return 0;
}

static int read_setting(const json_t *given, uint64_t seed, struct setting *s, struct cs_error *err)
{
    bool fan, scrap;

    *s = (struct setting){
        .graphs = cs_parameter_integer(given, "graphs", 10),
        .options = CS_PTG_OPTIONS,
        .replay = cs_parameter_integer(given, "replay", 0) == 1,
        .seed = seed,
        .compare = cs_parameter_text(given, "compare", ""),
    };
    if (read_family(given, s, err) || read_sites(given, s, err) ||
        read_word(given, "network", "plain", "fan", &fan, err) ||
        read_word(given, "allocation", "scrap-max", "scrap", &scrap, err))
        return -1;
    s->options.network = fan ? CS_PTG_NETWORK_FAN : CS_PTG_NETWORK_PLAIN;
    s->options.procedure = scrap ? CS_PTG_SCRAP : CS_PTG_SCRAP_MAX;
    s->options.efficiency = cs_parameter_real(given, "efficiency", 0);
    return 0;
}

static int open_scenes(const struct setting *s, struct cs_graph *const *graph, struct scene *scene,
                       struct cs_error *err)
{
    for (int i = 0; i < s->sites; i++) {
        scene[i].platform = cs_platform_site(s->site[i], err);
        if (scene[i].platform)
            scene[i].instance = cs_ptg_instance_create(
                scene[i].platform, s->graphs, (const struct cs_graph *const *)graph, NULL, err);
        if (!scene[i].instance)
            return -1;
    }
    return 0;
}

static void close_scenes(const struct setting *s, struct cs_graph **graph, struct scene *scene)
{
    for (int i = 0; i < s->sites; i++) {
        cs_ptg_instance_destroy(scene[i].instance);
        cs_platform_destroy(scene[i].platform);
    }
    for (int g = 0; g < s->graphs; g++)
        cs_graph_destroy(graph[g]);
}

/* A strategy on one site. */
static int run_site(const struct setting *s, const struct cs_ptg_instance *instance,
                    const struct cs_policy_call *call, const double *own, double *value,
                    struct cs_error *err)
{
    const struct cs_ptg_request request = {
        .call = *call, .options = &s->options, .own = s->replay ? NULL : own};
    struct cs_ptg_plan *plan = cs_ptg_plan_make(instance, &request, err), *replayed;
    struct cs_ptg_metrics *m;
    struct cs_ptg_bounds bounds;

    if (!plan)
        return -1;
    if (s->replay) {
        replayed = cs_ptg_replay_fluid(instance, plan);
        cs_ptg_plan_destroy(plan);
        plan = replayed;
    }
    m = cs_ptg_metrics_create(instance, plan, own);
    cs_ptg_bounds_compute(instance, &bounds);
    value[UNFAIRNESS] = m->unfairness;
    value[SLOWDOWN] = m->average_slowdown;
    value[MAKESPAN] = value[RELATIVE] = m->makespan;
    value[AVERAGE] = value[RELATIVE_AVERAGE] = m->average_makespan;
    value[GAP] = bounds.window > 0 ? m->makespan / bounds.window - 1 : NAN;
    cs_ptg_metrics_destroy(m);
    cs_ptg_plan_destroy(plan);
    return 0;
}

/* Makespans over the least ones. */
static void relate(double *value, const double *least)
{
    value[RELATIVE] /= least[RELATIVE];
    value[RELATIVE_AVERAGE] /= least[RELATIVE_AVERAGE];
}

static void add_mean(double *mean, const double *value, int sites)
{
    for (int m = 0; m < METRICS; m++)
        mean[m] += value[m] / sites;
}

/* What is kept. */

static void find_names(struct known *known, const char *text)
{
    known->name = CS_NEW_ARRAY(known->arena, const char *, strlen(text) + 1);
    for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
        size_t length = strcspn(text, " ");

        known->name[known->ways++] = cs_arena_strndup(known->arena, text, length);
        text += length;
    }
    known->mean = CS_NEW_ARRAY(known->arena, struct values, known->ways);
}

static int compare_site(const struct setting *s, int site, const struct cs_ptg_instance *instance,
                        struct known *known, struct cs_error *err)
{
    struct values *value = CS_NEW_ARRAY(known->arena, struct values, known->ways);
    double *least = known->least[site];
    struct cs_policy_call call;
    int count;
    const struct cs_policy *const *list = cs_ptg_policies(&count);

    for (int m = 0; m < METRICS; m++)
        least[m] = NAN;
    for (int w = 0; w < known->ways; w++) {
        if (cs_policy_parse(known->name[w], list, count, &call, err) ||
            run_site(s, instance, &call, known->own[site], value[w].metric, err))
            return cs_error_prefix(err, "compare");
        for (int m = 0; m < METRICS; m++)
            least[m] = fmin(least[m], value[w].metric[m]);
    }
    for (int w = 0; w < known->ways; w++) {
        relate(value[w].metric, least);
        add_mean(known->mean[w].metric, value[w].metric, s->sites);
    }
    return 0;
}

static int learn(const struct setting *s, const struct scene *scene, struct known *known,
                 struct cs_error *err)
{
    for (int i = 0; i < s->sites; i++) {
        known->own[i] = CS_NEW_ARRAY(known->arena, double, s->graphs);
        if (cs_ptg_own(scene[i].instance, &s->options, s->replay, known->own[i], err) ||
            compare_site(s, i, scene[i].instance, known, err))
            return -1;
    }
    return 0;
}

static void identify(const struct setting *s, const struct scene *scene, char *identity)
{
    const struct cs_ptg_instance *instance[SITES];

    for (int i = 0; i < s->sites; i++)
        instance[i] = scene[i].instance;
    cs_identity_ptg(instance, s->sites, identity);
}

static void destroy_known(void *thing)
{
    cs_arena_destroy(((struct known *)thing)->arena);
}

static void *make_known(const void *how, struct cs_error *err)
{
    const struct setting *s = how;
    struct cs_arena *arena = cs_arena_create();
    struct known *known = CS_NEW(arena, struct known);
    struct cs_graph *graph[GRAPHS_MOST];
    struct scene scene[SITES] = {{NULL, NULL}};
    int status;

    known->arena = arena;
    find_names(known, s->compare);
    cs_ptg_generate_run(s->seed, s->family, s->graphs, 0, graph);
    status = open_scenes(s, graph, scene, err) || learn(s, scene, known, err);
    if (!status)
        identify(s, scene, known->identity);
    close_scenes(s, graph, scene);
    if (status)
        destroy_known(known);
    return status ? NULL : known;
}

static const struct cs_cache_kind kind_of_known = {.make = make_known, .destroy = destroy_known};

static const struct known *get_known(const struct setting *s, struct cs_cache *keep,
                                     struct cs_error *err)
{
    struct cs_strbuf key = CS_STRBUF_INIT;
    const struct known *known;

    cs_strbuf_printf(&key, "ptg %d %d %" PRIu64 " %d %s %d %d %.17g %d %s", (int)s->family,
                     s->graphs, s->seed, s->sites, s->site[0], (int)s->options.network,
                     (int)s->options.procedure, s->options.efficiency, s->replay, s->compare);
    known = cs_cache_get(keep, key.text, &kind_of_known, s, err);
    cs_strbuf_release(&key);
    return known;
}

/* A strategy that is not among those compared. */
static int run_alone(const struct setting *s, const struct cs_policy_call *call,
                     const struct known *known, double *mean, struct cs_error *err)
{
    struct cs_graph *graph[GRAPHS_MOST];
    struct scene scene[SITES] = {{NULL, NULL}};
    double value[METRICS];
    int status;

    cs_ptg_generate_run(s->seed, s->family, s->graphs, 0, graph);
    status = open_scenes(s, graph, scene, err);
    for (int i = 0; i < s->sites && !status; i++) {
        status = run_site(s, scene[i].instance, call, known->own[i], value, err);
        relate(value, known->least[i]);
        add_mean(mean, value, s->sites);
    }
    close_scenes(s, graph, scene);
    return status;
}

static int set_mu(const json_t *given, struct cs_policy_call *call, struct cs_error *err)
{
    int count;
    const struct cs_policy *policy = cs_ptg_policies(&count)[call->policy];

    for (int p = 0; policy->params && policy->params[p].name; p++)
        if (!strcmp(policy->params[p].name, "mu")) {
            call->param[p] = cs_parameter_real(given, "mu", call->param[p]);
            return 0;
        }
    return cs_error_set(err, "mu: the strategy %s has no such parameter", policy->name);
}

static int run(const json_t *given, uint64_t seed, struct cs_cache *keep, double *value,
               char *identity, struct cs_error *err)
{
    const char *strategy = cs_parameter_text(given, "strategy", "");
    bool mu = json_object_get(given, "mu") != NULL;
    struct setting setting;
    struct cs_policy_call call;
    const struct known *known;
    int count;
    const struct cs_policy *const *list = cs_ptg_policies(&count);

    if (read_setting(given, seed, &setting, err) ||
        cs_policy_parse(strategy, list, count, &call, err) || (mu && set_mu(given, &call, err)))
        return -1;
    known = get_known(&setting, keep, err);
    if (!known)
        return -1;
    memcpy(identity, known->identity, sizeof known->identity);
    for (int w = 0; w < known->ways && !mu; w++)
        if (!strcmp(known->name[w], strategy)) {
            memcpy(value, known->mean[w].metric, sizeof known->mean[w].metric);
            return 0;
        }
    memset(value, 0, METRICS * sizeof *value);
    return run_alone(&setting, &call, known, value, err);
}

const struct cs_runner cs_runner_ptg = {
    .name = "ptg",
    .summary = "plan task graphs that share clusters",
    .parameters = parameters,
    .metrics = metrics,
    .run = run,
};
