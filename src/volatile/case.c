/* case.c - from options to a study of hosts that come and go, and to its runs. */
#include "volatile/case.h"

#include "base/file.h"
#include "base/rng.h"
#include "study/cache.h"
#include "volatile/fitted.h"
#include "volatile/hosts.h"
#include "volatile/identity.h"
#include "volatile/problem.h"

#include <math.h>
#include <stdlib.h>

#define USUAL_TRANSFERS 5
#define DRAW 0x6e636f6du /* keeps the draw of the transfers apart from others */

static struct cs_volatile_case *case_of(struct cs_study *study)
{
    return (struct cs_volatile_case *)(void *)study;
}

/* ---- the instance ---- */

static int draw_transfers(uint64_t seed)
{
    static const int of_the_paper[] = {5, 10, 20};
    struct cs_rng rng;

    cs_rng_init(&rng, seed, DRAW, 0);
    return of_the_paper[cs_rng_below(&rng, 3)];
}

static int set_law(const struct cs_volatile_settings *s, struct cs_volatile_world *world,
                   struct cs_error *err)
{
    if (s->law <= CS_HOSTS_MARKOV)
        return isnan(s->shape)
                   ? 0
                   : cs_error_set(err, "--shape is for --law weibull and --law lognormal");
    world->rule = CS_VOLATILE_RULE_SEMI_MARKOV;
    world->law = s->law == CS_HOSTS_WEIBULL ? CS_VOLATILE_LAW_WEIBULL : CS_VOLATILE_LAW_LOGNORMAL;
    world->parameter = !isnan(s->shape) ? s->shape : s->law == CS_HOSTS_WEIBULL ? 0.5 : 1;
    return 0;
}

static struct cs_volatile_recipe recipe_of(const struct cs_volatile_settings *s, int transfers)
{
    return (struct cs_volatile_recipe){
        .hosts = (int)s->hosts,
        .tasks = (int)s->tasks,
        .transfers = s->transfers == CS_FIELD_NONE ? transfers : (int)s->transfers,
        .wmin = (int)s->wmin,
        .iterations = (int)s->iterations,
        .cap = (int)s->cap,
        .seed = (uint64_t)s->study.seed,
        .scenario = (uint64_t)s->set,
    };
}

static int make_hosts(struct cs_volatile_case *c, struct cs_error *err)
{
    uint64_t seed = (uint64_t)c->settings->study.seed;
    const struct cs_volatile_recipe recipe = recipe_of(c->settings, draw_transfers(seed));

    c->truth = c->believed = cs_volatile_generate(&recipe, err);
    if (!c->truth)
        return -1;
    c->world.truth = c->truth;
    if (c->settings->history)
        c->believed = cs_volatile_fitted(c->truth, &c->world, seed, c->settings->history, err);
    return c->believed ? 0 : -1;
}

/* ---- the ways ---- */

static int find_ways(struct cs_volatile_case *c, struct cs_error *err)
{
    struct cs_study *study = &c->study;
    const char *const *word;
    struct cs_way *way;

    study->ways = cs_study_policies(&study->problem->choice[0], c->settings->policy, 0,
                                    study->arena, &c->call, &word, err);
    if (study->ways < 0)
        return -1;
    study->way = way = CS_NEW_ARRAY(study->arena, struct cs_way, study->ways);
    for (int w = 0; w < study->ways; w++)
        way[w] = (struct cs_way){{word[w]}};
    return 0;
}

struct cs_study *cs_volatile_case_open(const void *options, const struct cs_study_context *context,
                                       struct cs_error *err)
{
    struct cs_volatile_case *c = cs_study_create(&cs_problem_volatile, options, sizeof *c);

    c->settings = options;
    c->cache = context->cache;
    c->study.runs = (long)c->settings->scenarios;
    if (!set_law(c->settings, &c->world, err) && !make_hosts(c, err) && !find_ways(c, err))
        return &c->study;
    cs_study_close(&c->study);
    return NULL;
}

void cs_volatile_case_close(struct cs_study *study)
{
    struct cs_volatile_case *c = case_of(study);

    if (c->believed != c->truth)
        cs_volatile_instance_destroy(c->believed);
    cs_volatile_instance_destroy(c->truth);
}

void cs_volatile_case_identify(const struct cs_study *study, char text[CS_DIGEST_TEXT])
{
    cs_volatile_identity(((const struct cs_volatile_case *)(const void *)study)->believed, text);
}

/* ---- the runs ---- */

static int run_way(const struct cs_volatile_case *c, const struct cs_policy_call *call,
                   struct cs_volatile_outcome *outcome, struct cs_error *err)
{
    const struct cs_volatile_study study = {
        .instance = c->believed,
        .world = c->world,
        .call = call,
        .policies = 1,
        .seed = (uint64_t)c->settings->study.seed,
        .trials = (int)c->study.runs,
        .threads = cs_study_threads(&c->study),
    };

    return cs_volatile_study_run(&study, outcome, NULL, err);
}

/* The runs of IE, which many cells are compared with. */
static void *make_reference(const void *how, struct cs_error *err)
{
    const struct cs_volatile_case *c = how;
    struct cs_arena *arena = cs_arena_create();
    struct cs_volatile_outcome *outcome =
        CS_NEW_ARRAY(arena, struct cs_volatile_outcome, c->study.runs);
    int64_t *makespan = calloc((size_t)c->study.runs, sizeof *makespan);
    struct cs_policy_call call;
    int count;
    const struct cs_policy *const *list = cs_volatile_policies(&count);

    if (!makespan || cs_policy_parse("ie", list, count, &call, err) ||
        run_way(c, &call, outcome, err)) {
        free(makespan);
        cs_arena_destroy(arena);
        return NULL;
    }
    for (long r = 0; r < c->study.runs; r++)
        makespan[r] = outcome[r].makespan;
    cs_arena_destroy(arena);
    return makespan;
}

static const struct cs_cache_kind reference_kind = {.make = make_reference, .destroy = free};

/* All that the runs of IE depend on: everything but the policy. */
static int find_reference(struct cs_volatile_case *c, struct cs_error *err)
{
    struct cs_volatile_settings same = *c->settings;
    char digest[CS_DIGEST_TEXT];
    struct cs_strbuf key = CS_STRBUF_INIT;

    same.policy = NULL;
    cs_fields_digest(c->study.problem->field, &same, digest);
    cs_strbuf_printf(&key, "volatile ie %lld %s", (long long)same.study.seed, digest);
    c->reference = cs_cache_get(c->cache, key.text, &reference_kind, c, err);
    cs_strbuf_release(&key);
    return c->reference ? 0 : -1;
}

int cs_volatile_case_run(struct cs_study *study, const struct cs_study_progress *progress,
                         struct cs_error *err)
{
    struct cs_volatile_case *c = case_of(study);
    struct cs_volatile_outcome *outcome = study->outcome;

    (void)progress;
    for (int w = 0; w < study->ways; w++)
        if (run_way(c, &c->call[w], outcome + (size_t)w * (size_t)study->runs, err))
            return -1;
    return find_reference(c, err);
}

/* ---- what is generated ---- */

/* The states of one trial, as traces of the hosts. */
static int draw_traces(struct cs_hosts *s, const struct cs_volatile_instance *instance,
                       const struct cs_volatile_world *world, int64_t slots, uint64_t seed,
                       struct cs_error *err)
{
    struct cs_host *host = CS_NEW_ARRAY(s->arena, struct cs_host, s->hosts);
    struct cs_volatile_sky *sky = cs_volatile_sky_create(world, instance, s->arena, err);
    struct cs_volatile_source *source = sky ? cs_volatile_sky_source(sky, seed, 0) : NULL;

    for (int q = 0; source && q < s->hosts; q++) {
        host[q] = s->host[q];
        host[q].trace = cs_volatile_source_trace(source, q, slots, s->arena);
    }
    s->host = host;
    s->slots = slots;
    cs_volatile_source_destroy(source);
    return source ? 0 : -1;
}

static void name_source(struct cs_hosts *s, const struct cs_volatile_recipe *r)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_strbuf_printf(&text, "cosched generate volatile: wmin %d, scenario %llu, seed %llu", r->wmin,
                     (unsigned long long)r->scenario, (unsigned long long)r->seed);
    s->source = cs_arena_strdup(s->arena, text.text);
    cs_strbuf_release(&text);
}

static int write_hosts(const struct cs_hosts *s, const char *output, struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&text);
    int status;

    cs_hosts_put(s, &w);
    cs_jsonw_end(&w);
    status = cs_file_write(output ? output : "-", text.text, text.length, err);
    cs_strbuf_release(&text);
    return status;
}

int cs_volatile_case_generate(const void *options, struct cs_error *err)
{
    const struct cs_volatile_settings *given = options;
    const struct cs_volatile_recipe recipe = recipe_of(given, USUAL_TRANSFERS);
    struct cs_volatile_world world = {.rule = CS_VOLATILE_RULE_CHAINS};
    struct cs_volatile_instance *instance = cs_volatile_generate(&recipe, err);
    struct cs_hosts *s = instance ? cs_hosts_from_volatile(instance) : NULL;
    int status = s ? set_law(given, &world, err) : -1;

    if (!status) {
        name_source(s, &recipe);
        s->law = (enum cs_hosts_law)(given->law < 0 ? CS_HOSTS_MARKOV : given->law);
        s->shape = s->law == CS_HOSTS_MARKOV ? s->shape : world.parameter;
        if (given->slots != CS_FIELD_NONE)
            status = draw_traces(s, instance, &world, given->slots, recipe.seed, err);
    }
    if (!status)
        status = write_hosts(s, given->study.output, err);
    cs_hosts_destroy(s);
    cs_volatile_instance_destroy(instance);
    return status;
}
