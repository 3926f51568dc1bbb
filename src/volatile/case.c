/* case.c - from options to a study of hosts that come and go, and to its runs. */
#include "volatile/case.h"

#include "base/rng.h"
#include "study/cache.h"
#include "volatile/fitted.h"
#include "volatile/identity.h"
#include "volatile/problem.h"

#include <math.h>
#include <stdlib.h>

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

static int set_law(struct cs_volatile_case *c, struct cs_error *err)
{
    static const double usual_shape[] = {NAN, 0.5, 1};
    const struct cs_volatile_settings *s = c->settings;

    if (s->law == 0)
        return isnan(s->shape)
                   ? 0
                   : cs_error_set(err, "--shape is for --law weibull and --law lognormal");
    c->world.rule = CS_VOLATILE_RULE_SEMI_MARKOV;
    c->world.law = s->law == 1 ? CS_VOLATILE_LAW_WEIBULL : CS_VOLATILE_LAW_LOGNORMAL;
    c->world.parameter = isnan(s->shape) ? usual_shape[s->law] : s->shape;
    return 0;
}

static int make_hosts(struct cs_volatile_case *c, struct cs_error *err)
{
    const struct cs_volatile_settings *s = c->settings;
    uint64_t seed = (uint64_t)s->study.seed;
    const struct cs_volatile_recipe recipe = {
        .hosts = (int)s->hosts,
        .tasks = (int)s->tasks,
        .transfers = s->transfers == CS_FIELD_NONE ? draw_transfers(seed) : (int)s->transfers,
        .wmin = (int)s->wmin,
        .iterations = (int)s->iterations,
        .cap = (int)s->cap,
        .seed = seed,
    };

    c->truth = c->believed = cs_volatile_generate(&recipe, err);
    if (!c->truth)
        return -1;
    c->world.truth = c->truth;
    if (s->history)
        c->believed = cs_volatile_fitted(c->truth, &c->world, seed, s->history, err);
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
    if (!set_law(c, err) && !make_hosts(c, err) && !find_ways(c, err))
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
