/* laws_pools.c - laws of the pools of a fleet, and how well they predict its second half.
 *
 * Source: spec/volatile.md III.2 (measured table: log loss and Brier score), III.7 (output).
 * Idea: models are fitted to the first half of the slots; at random moments of the second half k
 * hosts are drawn from those that are up, and each model predicts that all stay up for W slots.
 * Invariants: every model meets the same moments and hosts (the stream depends on the pool alone);
 * a question whose answer the trace does not show is not counted; probabilities are cut to LEAST ..
 * 1 - LEAST.
 * Complexity: MOMENTS x CROWDS x WORKLOADS = 8,000 questions for a pool, each O(hosts log runs).
 * bench/README.md: three quarters of the time of `fit availability` on LANL are these draws.
 *
 * Constants (III.2, III.7; half and double: not measured): MOMENTS 400 questions for each k and W;
 * k = 1, 2, 4, 8, 16 hosts; W = 0.05, 0.2, 0.5, 1 mean uptimes of the first half, or 0.05, 0.25, 1,
 * 4 times the workload that is given; LEAST 0.001, a probability.
 */
#include "base/file.h"
#include "base/guard.h"
#include "base/jsonw.h"
#include "base/plain.h"
#include "base/rng.h"
#include "problems/volatile/fit.h"
#include "problems/volatile/hosts.h"
#include "problems/volatile/lifetime_model.h"
#include "problems/volatile/volatile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* laws and chains of hosts that come and go, for programs: as JSON, and as a scenario. */

struct cs_volatile_laws_asked {
    const struct cs_fleet *fleet;
    enum cs_fit_lifetime_model lifetime_model; /* that is named in the text; not AUTO */
    enum cs_fit_pooling pooling;
    int64_t workload; /* slots to stay; 0: parts of the first half's mean life */
};

/* An object.  -1 with err, and nothing written: the fleet is too short. */
static int volatile_laws_put_pools(const struct cs_volatile_laws_asked *asked, struct cs_jsonw *w,
                                   struct cs_error *err);

/* ---- hosts, one by one ---- */

/* About the mean number of up slots between two times down. */
static int64_t usual_workload(const struct cs_fleet_host *host)
{
    int64_t ups = 0, lifetimes = 1;

    for (int64_t i = 0; i < host->runs; i++) {
        if (host->run[i].state == CS_FLEET_UP)
            ups += host->run[i].end - cs_fleet_run_begin(host, i);
        lifetimes += i > 0 && host->run[i].state == CS_FLEET_DOWN;
    }
    return ups / lifetimes;
}

static int64_t at_least_one(int64_t slots)
{
    return slots < 1 ? 1 : slots;
}

static int fit_hosts(const struct cs_fleet *fleet, int64_t supplied, struct cs_volatile_fit *fit,
                     struct cs_error *err)
{
    for (int q = 0; q < fleet->hosts; q++) {
        int64_t middle = supplied ? supplied : usual_workload(&fleet->host[q]);
        const int64_t workload[] = {at_least_one(middle / 4), at_least_one(middle),
                                    at_least_one(4 * middle)};

        if (cs_volatile_fit_host(&fleet->host[q], workload, &fit[q], err))
            return cs_error_prefix(err, "host %s", fleet->host[q].name);
    }
    return 0;
}

static void put_numbered(struct cs_jsonw *w, const char *word, int number, double value)
{
    char key[40];

    cs_plain_print(key, sizeof key, "%s_%d", word, number);
    cs_jsonw_put_double(w, key, value);
}

static void put_law(struct cs_jsonw *w, const struct cs_volatile_fit_state *up, int l)
{
    static const char *const words[][2] = {{"weibull_shape", "weibull_scale"},
                                           {"lognormal_sigma", "lognormal_median"}};
    static const char *const distances[] = {"geometric_distance", "weibull_distance",
                                            "lognormal_distance"};
    const struct cs_volatile_fit_law *law = &up->law[l];
    bool there = up->best >= 0 && !isnan(law->distance);

    for (int k = 0; l > CS_VOLATILE_FIT_GEOMETRIC && k < 2; k++)
        cs_jsonw_put_double(w, words[l - 1][k],
                            !there ? NAN
                            : k    ? law->holding.scale
                                   : law->holding.parameter);
    cs_jsonw_put_double(w, distances[l], there ? law->distance : NAN);
}

static void put_up(struct cs_jsonw *w, const struct cs_volatile_fit_state *up)
{
    static const char *const names[] = {"geometric", "weibull", "log-normal"};

    cs_jsonw_put_int(w, "intervals", up->intervals);
    cs_jsonw_put_double(w, "mean_slots", up->intervals ? up->mean : NAN);
    for (int l = 0; l < CS_VOLATILE_FIT_LAWS; l++)
        put_law(w, up, l);
    cs_jsonw_put_string(w, "best", up->best >= 0 ? names[up->best] : NULL);
}

static void put_chain(struct cs_jsonw *w, const struct cs_volatile_fit *f)
{
    static const char letters[] = "urd";

    for (int i = 0; i < CS_VOLATILE_STATES; i++)
        for (int j = 0; j < CS_VOLATILE_STATES; j++)
            cs_jsonw_put_double(w, (char[]){'p', '_', letters[i], letters[j], 0}, f->chain[i][j]);
}

static void put_host(struct cs_jsonw *w, const char *name, const struct cs_volatile_fit *f)
{
    static const char *const states[] = {"up", "reclaimed", "down"};
    static const char *const aics[] = {"geometric_aic", "weibull_aic", "lognormal_aic"};
    const struct cs_volatile_fit_state *up = &f->state[CS_VOLATILE_UP];

    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "host", name);
    for (int i = 0; i < CS_VOLATILE_STATES; i++)
        cs_jsonw_put_double(w, states[i], (double)f->state[i].slots / (double)f->slots);
    put_up(w, up);
    for (int i = 0; i < CS_VOLATILE_FIT_FORECASTS; i++) {
        put_numbered(w, "workload", i + 1, (double)f->forecast[i].workload);
        put_numbered(w, "predicted", i + 1, f->forecast[i].predicted);
        put_numbered(w, "found", i + 1, f->forecast[i].found);
    }
    for (int l = 0; l < CS_VOLATILE_FIT_LAWS; l++)
        cs_jsonw_put_double(w, aics[l], up->law[l].aic);
    put_chain(w, f);
    cs_jsonw_close(w);
}

static int put_hosts(const struct cs_fleet *fleet, int64_t workload, struct cs_jsonw *w,
                     struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_volatile_fit *fit = CS_NEW_ARRAY(arena, struct cs_volatile_fit, fleet->hosts);
    int status = fit_hosts(fleet, workload, fit, err);

    if (!status) {
        cs_jsonw_open(w, '[');
        for (int q = 0; q < fleet->hosts; q++)
            put_host(w, fleet->host[q].name, &fit[q]);
        cs_jsonw_close(w);
    }
    cs_arena_destroy(arena);
    return status;
}

/* ---- options ---- */

static int laws_pools_check(const struct cs_fit_availability_options *how, struct cs_error *err)
{
    if (cs_ask_size("the options of laws", how->size, sizeof *how, err))
        return -1;
    if (!cs_volatile_model_name(how->lifetime_model))
        return cs_error_set(err, "there is no lifetime model %d", (int)how->lifetime_model);
    if ((int)how->pooling < 0 || how->pooling > CS_FIT_POOL_HOST)
        return cs_error_set(err, "pooling cannot be %d", (int)how->pooling);
    if (how->workload < 0 || how->workload > 100000000)
        return cs_error_set(err, "workload cannot be %lld: expected up to 100000000 slots",
                            (long long)how->workload);
    return 0;
}

char *cs_volatile_laws(const struct cs_fleet *fleet, const struct cs_fit_availability_options *how,
                       struct cs_error *err)
{
    CS_ASK(fleet && fleet->hosts > 0, err, NULL);
    CS_GUARD(err, NULL);
    const struct cs_fit_availability_options none = {.size = sizeof none};
    const struct cs_fit_availability_options *options = how ? how : &none;
    struct cs_strbuf out = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&out);
    struct cs_volatile_laws_asked asked = {.fleet = fleet};

    if (laws_pools_check(options, err))
        return NULL;
    asked.lifetime_model =
        options->lifetime_model ? options->lifetime_model : CS_FIT_LIFETIME_LOG_NORMAL;
    asked.pooling = options->pooling;
    asked.workload = options->workload;
    if (options->each ? put_hosts(fleet, options->workload, &w, err)
                      : volatile_laws_put_pools(&asked, &w, err)) {
        cs_strbuf_release(&out);
        return NULL;
    }
    cs_jsonw_end(&w);
    return cs_strbuf_take(&out);
}

/* ---- a scenario ---- */

static void put_scenario(const struct cs_fleet *fleet, const struct cs_volatile_fit *fit,
                         struct cs_arena *arena, struct cs_strbuf *out)
{
    struct cs_host *host = CS_NEW_ARRAY(arena, struct cs_host, fleet->hosts);
    const struct cs_hosts s = {
        .source = "fitted by cosched fit availability",
        .slot = fleet->slot,
        .tasks = 5,
        .iterations = 10,
        .program = 5,
        .data = 1,
        .transfers = 5,
        .cap = 1000000,
        .shape = NAN,
        .hosts = fleet->hosts,
        .host = host,
        .slots = fleet->slots,
    };
    struct cs_jsonw w = cs_jsonw_begin(out);

    for (int q = 0; q < fleet->hosts; q++) {
        host[q] = (struct cs_host){.name = fleet->host[q].name,
                                   .slots = 1,
                                   .capacity = -1,
                                   .has_chain = true,
                                   .trace = fleet->host[q]};
        memcpy(host[q].chain, fit[q].chain, sizeof host[q].chain);
    }
    cs_hosts_put(&s, &w);
    cs_jsonw_end(&w);
}

char *cs_volatile_scenario(const struct cs_fleet *fleet, struct cs_error *err)
{
    CS_ASK(fleet && fleet->hosts > 0, err, NULL);
    CS_GUARD(err, NULL);
    struct cs_arena *arena = cs_arena_create();
    struct cs_volatile_fit *fit = CS_NEW_ARRAY(arena, struct cs_volatile_fit, fleet->hosts);
    struct cs_strbuf out = CS_STRBUF_INIT;
    int status = fit_hosts(fleet, 0, fit, err);

    if (!status)
        put_scenario(fleet, fit, arena, &out);
    cs_arena_destroy(arena);
    return status ? NULL : cs_strbuf_take(&out);
}

/* ---- files ---- */

static void describe_fleet(const struct cs_fleet *fleet, struct cs_fit_hosts *found)
{
    *found = (struct cs_fit_hosts){
        .hosts = fleet->hosts,
        .dropped = fleet->dropped,
        .slots = fleet->slots,
        .slot = fleet->slot,
    };
    cs_plain_print(found->kind, sizeof found->kind, "%s", fleet->zone[0].kind);
}

static int write_scenario(const struct cs_fleet *fleet, const char *path, struct cs_error *err)
{
    char *text = cs_volatile_scenario(fleet, err);
    int status = text ? cs_file_write(path, text, strlen(text), err) : -1;

    free(text);
    return status;
}

char *cs_fit_availability(const char *const *paths, int count,
                          const struct cs_fit_availability_options *options,
                          struct cs_fit_hosts *found, struct cs_error *err)
{
    const struct cs_fit_availability_options none = {.size = sizeof none},
                                             *how = options ? options : &none;
    struct cs_fleet *fleet;
    char *text = NULL;

    if (laws_pools_check(how, err))
        return NULL;
    fleet =
        cs_fleet_read(paths, count,
                      &(struct cs_fleet_options){
                          .slot = how->slot, .hosts = how->hosts, .components = how->components},
                      err);
    if (fleet && (!how->scenario || !write_scenario(fleet, how->scenario, err)))
        text = cs_volatile_laws(fleet, how, err);
    if (text && found)
        describe_fleet(fleet, found);
    cs_fleet_destroy(fleet);
    return text;
}

/* draws of hosts, and what became of them. */

/* A question, and the models that answer it: each model was fitted to the slots before the judged
 * ones. */
struct cs_volatile_question {
    struct cs_volatile_history judged;
    const struct cs_volatile_lifetime_model *const *lifetime_model;
    int beliefs;
    int hosts;     /* that have to stay, at least 1 */
    int64_t slots; /* for so many more, at least 1 */
    long moments;  /* to draw */
    uint64_t seed;
};

/* Means over the moments at which so many hosts were up and their states after were observed; NaN
 * if there are no such moments. */
struct cs_volatile_answered {
    long moments;
    double found; /* share in which all stayed */
    /* By model: the mean probability; minus its logarithm for the observed event (probabilities cut
     * to 0.001 .. 0.999); the square of its distance from it. */
    double *predicted, *log_loss, *brier;
};

#define PURPOSE 0x666f7265u /* keeps this stream apart from others */
#define LEAST 0.001

enum fate { LEFT, STAYED, UNWATCHED };

/* Hosts that are up at a moment. */
struct crowd {
    int *host;
    int64_t *run;
    int hosts;
};

static void laws_pools_gather(const struct cs_volatile_history *h, int64_t slot,
                              struct crowd *crowd)
{
    crowd->hosts = 0;
    for (int q = h->first; q < h->first + h->hosts; q++) {
        int64_t run = cs_fleet_run_at(&h->fleet->host[q], slot);

        if (h->fleet->host[q].run[run].state != CS_FLEET_UP)
            continue;
        crowd->host[crowd->hosts] = q;
        crowd->run[crowd->hosts++] = run;
    }
}

/* The first so many are drawn from all of them. */
static void laws_pools_shuffle(struct crowd *crowd, int drawn, struct cs_rng *rng)
{
    for (int i = 0; i < drawn; i++) {
        int j = i + (int)cs_rng_below(rng, (uint64_t)(crowd->hosts - i)), host = crowd->host[i];
        int64_t run = crowd->run[i];

        crowd->host[i] = crowd->host[j];
        crowd->run[i] = crowd->run[j];
        crowd->host[j] = host;
        crowd->run[j] = run;
    }
}

static enum fate fate_of(const struct cs_fleet_host *host, int64_t run, int64_t last)
{
    if (host->run[run].end > last)
        return STAYED;
    return run + 1 == host->runs || host->run[run + 1].state == CS_FLEET_UNKNOWN ? UNWATCHED : LEFT;
}

/* One that left is enough, regardless of the others. */
static enum fate fate_of_all(const struct cs_fleet *fleet, const struct crowd *crowd, int drawn,
                             int64_t last)
{
    enum fate all = STAYED;

    for (int i = 0; i < drawn; i++) {
        enum fate one = fate_of(&fleet->host[crowd->host[i]], crowd->run[i], last);

        if (one == LEFT)
            return LEFT;
        all = one == UNWATCHED ? one : all;
    }
    return all;
}

static void laws_pools_add(const struct cs_volatile_question *q, const struct crowd *crowd,
                           int64_t slot, bool stayed, double *age, struct cs_volatile_answered *a)
{
    for (int i = 0; i < q->hosts; i++)
        age[i] =
            (double)(slot + 1 -
                     cs_fleet_run_begin(&q->judged.fleet->host[crowd->host[i]], crowd->run[i]));
    a->moments++;
    a->found += stayed;
    for (int b = 0; b < q->beliefs; b++) {
        double p = cs_volatile_lifetime_model_chance(q->lifetime_model[b], q->hosts, crowd->host,
                                                     age, (double)q->slots);
        double cut = fmin(fmax(p, LEAST), 1 - LEAST);

        a->predicted[b] += p;
        a->log_loss[b] -= log(stayed ? cut : 1 - cut);
        a->brier[b] += (cut - stayed) * (cut - stayed);
    }
}

static void laws_pools_divide(struct cs_volatile_answered *a, int beliefs)
{
    double n = a->moments ? (double)a->moments : NAN;

    a->found /= n;
    for (int b = 0; b < beliefs; b++) {
        a->predicted[b] /= n;
        a->log_loss[b] /= n;
        a->brier[b] /= n;
    }
}

/* Arrays live in the arena. */
static struct cs_volatile_answered volatile_ask(const struct cs_volatile_question *q,
                                                struct cs_arena *arena)
{
    const struct cs_volatile_history *h = &q->judged;
    struct cs_volatile_answered a = {.predicted = CS_NEW_ARRAY(arena, double, q->beliefs),
                                     .log_loss = CS_NEW_ARRAY(arena, double, q->beliefs),
                                     .brier = CS_NEW_ARRAY(arena, double, q->beliefs)};
    struct cs_arena *scratch = cs_arena_create();
    struct crowd crowd = {CS_NEW_ARRAY(scratch, int, h->hosts),
                          CS_NEW_ARRAY(scratch, int64_t, h->hosts), 0};
    double *age = CS_NEW_ARRAY(scratch, double, q->hosts);
    struct cs_rng rng;

    cs_rng_init(&rng, q->seed, PURPOSE, 0);
    for (long m = 0; m < q->moments && h->to - h->from > q->slots; m++) {
        int64_t slot =
            h->from + (int64_t)cs_rng_below(&rng, (uint64_t)(h->to - h->from - q->slots));
        enum fate fate;

        laws_pools_gather(h, slot, &crowd);
        if (crowd.hosts < q->hosts)
            continue;
        laws_pools_shuffle(&crowd, q->hosts, &rng);
        fate = fate_of_all(h->fleet, &crowd, q->hosts, slot + q->slots);
        if (fate != UNWATCHED)
            laws_pools_add(q, &crowd, slot, fate == STAYED, age, &a);
    }
    laws_pools_divide(&a, q->beliefs);
    cs_arena_destroy(scratch);
    return a;
}

#define MOMENTS 400
#define WORKLOADS 4
#define CROWDS 5
#define BELIEFS (CS_FIT_LIFETIME_MODELS - 1)

static const int crowds[CROWDS] = {1, 2, 4, 8, 16};
static const double parts[WORKLOADS] = {0.05, 0.2, 0.5, 1};   /* of a mean life before */
static const double supplied[WORKLOADS] = {0.05, 0.25, 1, 4}; /* of the workload in the question */

struct pool {
    const char *name;
    struct cs_volatile_history all;
    struct cs_volatile_counters counters;
    int64_t lifetimes, ended;
    double mean;   /* slots lived for each end */
    double before; /* the same of the first half */
    double co_failure;
    struct cs_volatile_survival law[CS_VOLATILE_SURVIVAL_KINDS]; /* when lives ended */
    int64_t workload[WORKLOADS];
    struct cs_volatile_answered answer[CROWDS][WORKLOADS];
};

struct pools {
    const struct cs_volatile_laws_asked *asked;
    struct cs_arena *arena;
    struct cs_volatile_lifetime_model
        *lifetime_model[BELIEFS]; /* of the first half, by model - 1 */
    int pools;
    struct pool *pool;
    int cells;
    double log_loss[BELIEFS], brier[BELIEFS]; /* means over the cells */
};

/* ---- fits ---- */

static int pools_of(const struct cs_volatile_laws_asked *asked)
{
    if (asked->pooling == CS_FIT_POOL_FLEET)
        return 1;
    return asked->pooling == CS_FIT_POOL_ZONE ? asked->fleet->zones : asked->fleet->hosts;
}

static struct pool pool_at(const struct cs_volatile_laws_asked *asked, int p)
{
    const struct cs_fleet *fleet = asked->fleet;
    struct pool pool = {.name = "all", .all = {fleet, 0, fleet->hosts, 0, fleet->slots}};

    if (asked->pooling == CS_FIT_POOL_ZONE) {
        pool.name = fleet->zone[p].name;
        pool.all.first = fleet->zone[p].first;
        pool.all.hosts = fleet->zone[p].hosts;
    } else if (asked->pooling == CS_FIT_POOL_HOST) {
        pool.name = fleet->host[p].name;
        pool.all.first = p;
        pool.all.hosts = 1;
    }
    return pool;
}

/* Slots lived for each end; infinite, or not a number, where no life ended. */
static double mean_life(const struct cs_fleet_life *life, int64_t lifetimes, int64_t *ended)
{
    double length = 0;

    *ended = 0;
    for (int64_t i = 0; i < lifetimes; i++) {
        *ended += life[i].ended;
        length += life[i].length;
    }
    return length / (double)*ended;
}

/* The mean lifetime in the first half, from which the questions about the second half get their
 * lengths; the mean of the pool if no lifetime ended in the first half. */
static double mean_before(const struct pool *pool)
{
    struct cs_arena *scratch = cs_arena_create();
    struct cs_volatile_history half = pool->all;
    const struct cs_fleet_life *life;
    int64_t lifetimes, ended;
    double mean;

    half.to /= 2;
    life = cs_volatile_lifetimes(&half, &lifetimes, scratch);
    mean = mean_life(life, lifetimes, &ended);
    cs_arena_destroy(scratch);
    return ended ? mean : pool->mean;
}

static void fit_laws(struct pool *pool, struct cs_arena *arena)
{
    struct cs_arena *scratch = cs_arena_create();
    const struct cs_fleet_life *life = cs_volatile_lifetimes(&pool->all, &pool->lifetimes, scratch);

    pool->mean = mean_life(life, pool->lifetimes, &pool->ended);
    for (int k = 0; pool->ended && k < CS_VOLATILE_SURVIVAL_KINDS; k++)
        pool->law[k] = cs_volatile_survival_fit((enum cs_volatile_survival_kind)k, life,
                                                pool->lifetimes, arena);
    cs_arena_destroy(scratch);
    pool->before = mean_before(pool);
}

static int64_t workload_of(const struct pools *p, const struct pool *pool, int w)
{
    double slots =
        p->asked->workload ? supplied[w] * (double)p->asked->workload : parts[w] * pool->before;

    return slots >= 1 ? (int64_t)fmin(round(slots), 1e15) : 1;
}

static void laws_pools_ask(struct pools *p, struct pool *pool, int k, int w)
{
    bool asked = p->asked->workload || pool->ended; /* else the length of uptimes is unknown */
    struct cs_volatile_question question = {
        .judged = pool->all,
        .lifetime_model = (const struct cs_volatile_lifetime_model *const *)p->lifetime_model,
        .beliefs = BELIEFS,
        .hosts = crowds[k],
        .slots = pool->workload[w],
        .moments = asked && crowds[k] <= pool->all.hosts ? MOMENTS : 0,
        .seed = (uint64_t)(pool - p->pool),
    };
    struct cs_volatile_answered *answer = &pool->answer[k][w];

    question.judged.from = pool->all.to / 2;
    *answer = volatile_ask(&question, p->arena);
    if (!answer->moments)
        return;
    p->cells++;
    for (int b = 0; b < BELIEFS; b++) {
        p->log_loss[b] += answer->log_loss[b];
        p->brier[b] += answer->brier[b];
    }
}

static void laws_pools_judge(struct pools *p, struct pool *pool)
{
    pool->counters = cs_volatile_counters(&pool->all);
    pool->co_failure = cs_volatile_co_failure(&pool->all);
    fit_laws(pool, p->arena);
    for (int w = 0; w < WORKLOADS; w++)
        pool->workload[w] = workload_of(p, pool, w);
    for (int k = 0; k < CROWDS; k++)
        for (int w = 0; w < WORKLOADS; w++)
            laws_pools_ask(p, pool, k, w);
}

static int laws_pools_make(struct pools *p, struct cs_error *err)
{
    const struct cs_volatile_laws_asked *asked = p->asked;

    for (int b = 0; b < BELIEFS; b++) {
        p->lifetime_model[b] =
            cs_volatile_lifetime_model_fit(asked->fleet, (enum cs_fit_lifetime_model)(b + 1),
                                           asked->pooling, 0, asked->fleet->slots / 2, err);
        if (!p->lifetime_model[b])
            return -1;
    }
    p->pools = pools_of(asked);
    p->pool = CS_NEW_ARRAY(p->arena, struct pool, p->pools);
    for (int i = 0; i < p->pools; i++) {
        p->pool[i] = pool_at(asked, i);
        if (p->pool[i].all.hosts)
            laws_pools_judge(p, &p->pool[i]);
    }
    for (int b = 0; b < BELIEFS; b++) {
        p->log_loss[b] /= p->cells ? p->cells : NAN;
        p->brier[b] /= p->cells ? p->cells : NAN;
    }
    return 0;
}

/* ---- JSON ---- */

static void json_law(struct cs_jsonw *w, const struct cs_volatile_survival *law)
{
    static const char *const first[] = {"rate", "shape", "mu", "tail"};
    static const char *const second[] = {NULL, "scale", "sigma", NULL};

    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_string(w, "law", cs_volatile_survival_name(law->kind));
    cs_jsonw_put_double(w, first[law->kind], law->a);
    if (second[law->kind])
        cs_jsonw_put_double(w, second[law->kind], law->b);
    if (law->kind == CS_VOLATILE_SURVIVAL_PRODUCT_LIMIT)
        cs_jsonw_put_int(w, "steps", law->steps);
    else
        cs_jsonw_put_double(w, "log_likelihood", law->log_likelihood);
    cs_jsonw_close(w);
}

static void json_answer(struct cs_jsonw *w, const struct pool *pool, int k, int slots)
{
    const struct cs_volatile_answered *a = &pool->answer[k][slots];

    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_int(w, "hosts", crowds[k]);
    cs_jsonw_put_int(w, "slots", pool->workload[slots]);
    cs_jsonw_put_int(w, "moments", a->moments);
    cs_jsonw_put_double(w, "found", a->found);
    for (int b = 0; b < BELIEFS; b++)
        cs_jsonw_put_double(w, cs_volatile_model_name((enum cs_fit_lifetime_model)(b + 1)),
                            a->predicted[b]);
    cs_jsonw_close(w);
}

static void json_pool(struct cs_jsonw *w, const struct pool *pool)
{
    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "pool", pool->name);
    cs_jsonw_put_int(w, "hosts", pool->all.hosts);
    cs_jsonw_put_double(w, "known_slots", pool->counters.known);
    cs_jsonw_put_double(w, "up_slots", pool->counters.up);
    cs_jsonw_put_int(w, "lives", pool->lifetimes);
    cs_jsonw_put_int(w, "ended", pool->ended);
    cs_jsonw_put_double(w, "mean_life", pool->ended ? pool->mean : NAN);
    cs_jsonw_put_double(w, "mean_life_before", pool->ended ? pool->before : NAN);
    cs_jsonw_put_double(w, "co_failure", pool->co_failure);
    cs_jsonw_key(w, "laws");
    cs_jsonw_open(w, '[');
    for (int k = 0; pool->ended && k < CS_VOLATILE_SURVIVAL_KINDS; k++)
        json_law(w, &pool->law[k]);
    cs_jsonw_close(w);
    cs_jsonw_key(w, "forecasts");
    cs_jsonw_open(w, '[');
    for (int k = 0; k < CROWDS; k++)
        for (int i = 0; i < WORKLOADS; i++)
            if (pool->all.hosts && pool->answer[k][i].moments)
                json_answer(w, pool, k, i);
    cs_jsonw_close(w);
    cs_jsonw_close(w);
}

static void put_lifetime_models(struct cs_jsonw *w, const struct pools *p)
{
    cs_jsonw_key(w, "lifetime_models");
    cs_jsonw_open(w, '[');
    for (int b = 0; b < BELIEFS; b++) {
        cs_jsonw_open_flat(w, '{');
        cs_jsonw_put_string(w, "lifetime_model",
                            cs_volatile_model_name((enum cs_fit_lifetime_model)(b + 1)));
        cs_jsonw_put_double(w, "log_loss", p->log_loss[b]);
        cs_jsonw_put_double(w, "brier", p->brier[b]);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

static void put_all(struct cs_jsonw *w, const struct pools *p)
{
    const struct cs_fleet *fleet = p->asked->fleet;

    cs_jsonw_open(w, '{');
    cs_jsonw_put_int(w, "hosts", fleet->hosts);
    cs_jsonw_put_int(w, "dropped", fleet->dropped);
    cs_jsonw_put_int(w, "slots", fleet->slots);
    cs_jsonw_put_double(w, "slot", fleet->slot);
    cs_jsonw_put_string(w, "lifetime_model", cs_volatile_model_name(p->asked->lifetime_model));
    put_lifetime_models(w, p);
    cs_jsonw_key(w, "pools");
    cs_jsonw_open(w, '[');
    for (int i = 0; i < p->pools; i++)
        json_pool(w, &p->pool[i]);
    cs_jsonw_close(w);
    cs_jsonw_close(w);
}

static int volatile_laws_put_pools(const struct cs_volatile_laws_asked *asked, struct cs_jsonw *w,
                                   struct cs_error *err)
{
    struct pools p = {.asked = asked, .arena = cs_arena_create()};
    int status;

    if (asked->fleet->slots < 2)
        status = cs_error_set(err, "trace: found 1 slot, expected at least 2");
    else
        status = laws_pools_make(&p, err);
    if (!status)
        put_all(w, &p);
    for (int b = 0; b < BELIEFS; b++)
        cs_volatile_lifetime_model_destroy(p.lifetime_model[b]);
    cs_arena_destroy(p.arena);
    return status;
}
