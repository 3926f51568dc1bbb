/* run_volatile.c - trials of a random scenario of hosts that come and go, beside those of IE. */
#include "campaign/identity.h"
#include "campaign/runner.h"

#include "base/rng.h"
#include "base/strbuf.h"
#include "volatile/fitted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TRIALS_MOST 10000
#define DRAW 0x6e636f6du /* keeps the draw of the transfers apart from others */

enum {
    MAKESPAN,
    FAILED,
    DIFF,
    SPREAD,
    WINS,
    WINS30,
    RATIO,
    SLOTS,
    DECISIONS,
    METRICS,
};

static const struct cs_metric metrics[] = {
    [MAKESPAN] = {.name = "makespan", .summary = "slots, mean of the trials that did not fail"},
    [FAILED] = {.name = "failed", .summary = "trials in which the cap came first, per cent"},
    [DIFF] = {.name = "diff",
              .summary =
                  "mean makespan minus that of IE, over the smaller, per cent; of the trials "
                  "in which both ended"},
    [SPREAD] = {.name = "spread", .summary = "the same as a fraction, for its deviation"},
    [WINS] = {.name = "wins", .summary = "trials with a makespan at most that of IE, per cent"},
    [WINS30] = {.name = "wins30", .summary = "trials at most 30 % above IE, per cent"},
    [RATIO] = {.name = "ratio",
               .summary =
                   "geometric mean of makespan / makespan of IE, of the trials in which both "
                   "ended"},
    [SLOTS] = {.name = "slots", .summary = "simulated, sum over the trials"},
    [DECISIONS] = {.name = "decisions", .summary = "of the policy, sum over the trials"},
    [METRICS] = {0},
};

#define NUMBER(word, low_, high_, summary_)                                                        \
    {                                                                                              \
        .name = (word), .kind = CS_PARAMETER_INTEGER, .low = (low_), .high = (high_),              \
        .summary = (summary_),                                                                     \
    }

static const struct cs_parameter parameters[] = {
    {.name = "policy",
     .kind = CS_PARAMETER_TEXT,
     .required = true,
     .summary = "such as y-ie or y-ie:estimate=conditional"},
    NUMBER("hosts", 1, 10000, "20"),
    NUMBER("tasks", 1, 100000, "of an iteration; 5"),
    NUMBER("transfers", 1, 10000,
           "hosts that the master can send to at once; when not given 5, 10 or 20, drawn for each "
           "scenario"),
    NUMBER("wmin", 1, 1000000, "how hard; 1"),
    NUMBER("iterations", 1, 1000000, "10"),
    NUMBER("cap", 1, CS_VOLATILE_CAP_MAX, "slots; 1000000"),
    NUMBER("trials", 1, TRIALS_MOST, "of a scenario; 10"),
    {.name = "law", .kind = CS_PARAMETER_TEXT, .summary = "markov, weibull or lognormal; markov"},
    {.name = "shape",
     .kind = CS_PARAMETER_REAL,
     .low = 0.05,
     .high = 100,
     .summary = "of weibull, or sigma of lognormal; 0.5, 1"},
    NUMBER("history", 0, 10000000,
           "slots that the chains which policies believe are fitted to; 0: they know the truth; 0"),
    {0},
};

/* What the trials of a scenario need. */
struct job {
    const json_t *given;
    uint64_t seed;
    int trials;
    struct cs_volatile_instance *truth, *believed; /* may be the same */
    struct cs_volatile_world world;
};

static int read_law(struct job *job, struct cs_error *err)
{
    const char *law = cs_parameter_text(job->given, "law", "markov");

    if (!strcmp(law, "markov"))
        return 0;
    job->world.rule = CS_VOLATILE_RULE_SEMI_MARKOV;
    job->world.law = strcmp(law, "weibull") ? CS_VOLATILE_LAW_LOGNORMAL : CS_VOLATILE_LAW_WEIBULL;
    job->world.parameter = cs_parameter_real(job->given, "shape", strcmp(law, "weibull") ? 1 : 0.5);
    if (strcmp(law, "weibull") && strcmp(law, "lognormal"))
        return cs_error_set(err, "law: found \"%s\", expected markov, weibull or lognormal", law);
    return 0;
}

static int draw_transfers(uint64_t seed)
{
    static const int of_the_paper[] = {5, 10, 20};
    struct cs_rng rng;

    cs_rng_init(&rng, seed, DRAW, 0);
    return of_the_paper[cs_rng_below(&rng, 3)];
}

static int job_init(struct job *job, struct cs_error *err)
{
    const json_t *given = job->given;
    const struct cs_volatile_recipe recipe = {
        .hosts = cs_parameter_integer(given, "hosts", 20),
        .tasks = cs_parameter_integer(given, "tasks", 5),
        .transfers = cs_parameter_integer(given, "transfers", draw_transfers(job->seed)),
        .wmin = cs_parameter_integer(given, "wmin", 1),
        .iterations = cs_parameter_integer(given, "iterations", 10),
        .cap = cs_parameter_integer(given, "cap", 1000000),
        .seed = job->seed,
    };
    int history = cs_parameter_integer(given, "history", 0);

    job->trials = cs_parameter_integer(given, "trials", 10);
    if (read_law(job, err))
        return -1;
    job->truth = job->believed = cs_volatile_generate(&recipe, err);
    if (!job->truth)
        return -1;
    job->world.truth = job->truth;
    if (history)
        job->believed = cs_volatile_fitted(job->truth, &job->world, job->seed, history, err);
    return job->believed ? 0 : -1;
}

static void job_release(struct job *job)
{
    if (job->believed != job->truth)
        cs_volatile_instance_destroy(job->believed);
    cs_volatile_instance_destroy(job->truth);
}

static int run_trials(const struct job *job, const char *policy,
                      struct cs_volatile_outcome *outcome, struct cs_error *err)
{
    int count;
    const struct cs_policy *const *list = cs_volatile_policies(&count);
    struct cs_policy_call call;
    const struct cs_volatile_study study = {
        .instance = job->believed,
        .world = job->world,
        .call = &call,
        .policies = 1,
        .seed = job->seed,
        .trials = job->trials,
    };

    if (cs_policy_parse(policy, list, count, &call, err))
        return cs_error_prefix(err, "policy");
    return cs_volatile_study_run(&study, outcome, NULL, err);
}

/* The trials of IE, which many cells are compared with. */

static void *make_reference(const void *how, struct cs_error *err)
{
    const struct job *job = how;
    struct cs_arena *arena = cs_arena_create();
    struct cs_volatile_outcome *outcome =
        CS_NEW_ARRAY(arena, struct cs_volatile_outcome, job->trials);
    int64_t *makespan = calloc((size_t)job->trials, sizeof *makespan);

    if (!makespan || run_trials(job, "ie", outcome, err)) {
        free(makespan);
        cs_arena_destroy(arena);
        return NULL;
    }
    for (int t = 0; t < job->trials; t++)
        makespan[t] = outcome[t].makespan;
    cs_arena_destroy(arena);
    return makespan;
}

static const struct cs_cache_kind reference_kind = {.make = make_reference, .destroy = free};

/* Makespans by trial, -1 for those that failed. */
static const int64_t *find_reference(const struct job *job, struct cs_cache *keep,
                                     struct cs_error *err)
{
    json_t *rest = json_deep_copy(job->given);
    struct cs_strbuf key = CS_STRBUF_INIT;
    const int64_t *reference;
    char *text;

    json_object_del(rest, "policy");
    text = json_dumps(rest, JSON_SORT_KEYS | JSON_COMPACT);
    cs_strbuf_printf(&key, "volatile ie %llu %s", (unsigned long long)job->seed, text);
    reference = cs_cache_get(keep, key.text, &reference_kind, job, err);
    cs_strbuf_release(&key);
    free(text);
    json_decref(rest);
    return reference;
}

/* Sums over the trials in which both ended. */
struct pairs {
    int count;
    double own, other, logs;
};

static void fill(const struct job *job, const struct cs_volatile_outcome *outcome,
                 const int64_t *reference, double *value)
{
    struct pairs pairs = {0};
    double sum = 0, own, other;
    int ended = 0, wins = 0, wins30 = 0, judged = 0;

    for (int m = 0; m < METRICS; m++)
        value[m] = 0;
    for (int t = 0; t < job->trials; t++) {
        const struct cs_volatile_outcome *o = &outcome[t];
        double mine = o->finished ? (double)o->makespan : INFINITY;
        double ie = reference[t] >= 0 ? (double)reference[t] : INFINITY;

        value[SLOTS] += (double)o->slots;
        value[DECISIONS] += (double)o->decisions;
        ended += o->finished;
        sum += o->finished ? mine : 0;
        judged += isfinite(mine) || isfinite(ie);
        wins += isfinite(mine) && mine <= ie;
        wins30 += isfinite(mine) && mine <= 1.3 * ie;
        if (isfinite(mine) && isfinite(ie))
            pairs = (struct pairs){pairs.count + 1, pairs.own + mine, pairs.other + ie,
                                   pairs.logs + log(mine / ie)};
    }
    own = pairs.own / pairs.count;
    other = pairs.other / pairs.count;
    value[MAKESPAN] = ended ? sum / ended : NAN;
    value[FAILED] = 100.0 * (job->trials - ended) / job->trials;
    value[SPREAD] = pairs.count ? (own - other) / fmin(own, other) : NAN;
    value[DIFF] = 100 * value[SPREAD];
    value[WINS] = judged ? 100.0 * wins / judged : NAN;
    value[WINS30] = judged ? 100.0 * wins30 / judged : NAN;
    value[RATIO] = pairs.count ? exp(pairs.logs / pairs.count) : NAN;
}

static int compare(const struct job *job, struct cs_cache *keep, double *value,
                   struct cs_error *err)
{
    const char *policy = cs_parameter_text(job->given, "policy", "ie");
    struct cs_arena *arena = cs_arena_create();
    struct cs_volatile_outcome *outcome =
        CS_NEW_ARRAY(arena, struct cs_volatile_outcome, job->trials);
    int status = run_trials(job, policy, outcome, err);
    const int64_t *reference = status ? NULL : find_reference(job, keep, err);

    if (reference)
        fill(job, outcome, reference, value);
    cs_arena_destroy(arena);
    return reference ? 0 : -1;
}

static int run(const json_t *given, uint64_t seed, struct cs_cache *keep, double *value,
               char *identity, struct cs_error *err)
{
    struct job job = {.given = given, .seed = seed};
    int status = job_init(&job, err);

    if (!status) {
        cs_identity_volatile(job.believed, identity);
        status = compare(&job, keep, value, err);
    }
    job_release(&job);
    return status;
}

const struct cs_runner cs_runner_volatile = {
    .name = "volatile",
    .summary = "run a tightly coupled application on hosts that come and go",
    .parameters = parameters,
    .metrics = metrics,
    .run = run,
};
