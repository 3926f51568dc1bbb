/* laws_pools.c - laws of the pools of a fleet, and how well beliefs foretell its second half. */
#include "volatile/forecast.h"
#include "volatile/laws.h"

#include <math.h>

#define MOMENTS 400
#define WORKLOADS 4
#define CROWDS 5
#define BELIEFS (CS_VOLATILE_MODELS - 1)

static const int crowds[CROWDS] = {1, 2, 4, 8, 16};
static const double parts[WORKLOADS] = {0.05, 0.2, 0.5, 1}; /* of a mean life before */
static const double given[WORKLOADS] = {0.05, 0.25, 1, 4};  /* of what is asked for */

struct pool {
    const char *name;
    struct cs_volatile_history all;
    struct cs_volatile_tally tally;
    int64_t lives, ended;
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
    struct cs_volatile_belief *belief[BELIEFS]; /* of the first half, by model - 1 */
    int pools;
    struct pool *pool;
    int cells;
    double log_loss[BELIEFS], brier[BELIEFS]; /* means over the cells */
};

/* ---- made ---- */

static int pools_of(const struct cs_volatile_laws_asked *asked)
{
    if (asked->pooling == CS_VOLATILE_POOL_FLEET)
        return 1;
    return asked->pooling == CS_VOLATILE_POOL_ZONE ? asked->fleet->zones : asked->fleet->hosts;
}

static struct pool pool_at(const struct cs_volatile_laws_asked *asked, int p)
{
    const struct cs_fleet *fleet = asked->fleet;
    struct pool pool = {.name = "all", .all = {fleet, 0, fleet->hosts, 0, fleet->slots}};

    if (asked->pooling == CS_VOLATILE_POOL_ZONE) {
        pool.name = fleet->zone[p].name;
        pool.all.first = fleet->zone[p].first;
        pool.all.hosts = fleet->zone[p].hosts;
    } else if (asked->pooling == CS_VOLATILE_POOL_HOST) {
        pool.name = fleet->host[p].name;
        pool.all.first = p;
        pool.all.hosts = 1;
    }
    return pool;
}

/* Slots lived for each end; infinite, or not a number, where no life ended. */
static double mean_life(const struct cs_fleet_life *life, int64_t lives, int64_t *ended)
{
    double length = 0;

    *ended = 0;
    for (int64_t i = 0; i < lives; i++) {
        *ended += life[i].ended;
        length += life[i].length;
    }
    return length / (double)*ended;
}

/* Questions about the second half are as long as the first one says, if it does. */
static double mean_before(const struct pool *pool)
{
    struct cs_arena *scratch = cs_arena_create();
    struct cs_volatile_history half = pool->all;
    const struct cs_fleet_life *life;
    int64_t lives, ended;
    double mean;

    half.to /= 2;
    life = cs_volatile_lives(&half, &lives, scratch);
    mean = mean_life(life, lives, &ended);
    cs_arena_destroy(scratch);
    return ended ? mean : pool->mean;
}

static void fit_laws(struct pool *pool, struct cs_arena *arena)
{
    struct cs_arena *scratch = cs_arena_create();
    const struct cs_fleet_life *life = cs_volatile_lives(&pool->all, &pool->lives, scratch);

    pool->mean = mean_life(life, pool->lives, &pool->ended);
    for (int k = 0; pool->ended && k < CS_VOLATILE_SURVIVAL_KINDS; k++)
        pool->law[k] =
            cs_volatile_survival_fit((enum cs_volatile_survival_kind)k, life, pool->lives, arena);
    cs_arena_destroy(scratch);
    pool->before = mean_before(pool);
}

static int64_t workload_of(const struct pools *p, const struct pool *pool, int w)
{
    double slots =
        p->asked->workload ? given[w] * (double)p->asked->workload : parts[w] * pool->before;

    return slots >= 1 ? (int64_t)fmin(round(slots), 1e15) : 1;
}

static void ask(struct pools *p, struct pool *pool, int k, int w)
{
    bool asked = p->asked->workload || pool->ended; /* else nobody knows how long lives are */
    struct cs_volatile_question question = {
        .judged = pool->all,
        .belief = (const struct cs_volatile_belief *const *)p->belief,
        .beliefs = BELIEFS,
        .hosts = crowds[k],
        .slots = pool->workload[w],
        .moments = asked && crowds[k] <= pool->all.hosts ? MOMENTS : 0,
        .seed = (uint64_t)(pool - p->pool),
    };
    struct cs_volatile_answered *answer = &pool->answer[k][w];

    question.judged.from = pool->all.to / 2;
    *answer = cs_volatile_ask(&question, p->arena);
    if (!answer->moments)
        return;
    p->cells++;
    for (int b = 0; b < BELIEFS; b++) {
        p->log_loss[b] += answer->log_loss[b];
        p->brier[b] += answer->brier[b];
    }
}

static void judge(struct pools *p, struct pool *pool)
{
    pool->tally = cs_volatile_tally(&pool->all);
    pool->co_failure = cs_volatile_co_failure(&pool->all);
    fit_laws(pool, p->arena);
    for (int w = 0; w < WORKLOADS; w++)
        pool->workload[w] = workload_of(p, pool, w);
    for (int k = 0; k < CROWDS; k++)
        for (int w = 0; w < WORKLOADS; w++)
            ask(p, pool, k, w);
}

static int make(struct pools *p, struct cs_error *err)
{
    const struct cs_volatile_laws_asked *asked = p->asked;

    for (int b = 0; b < BELIEFS; b++) {
        p->belief[b] = cs_volatile_belief_fit(asked->fleet, (enum cs_volatile_model)(b + 1),
                                              asked->pooling, 0, asked->fleet->slots / 2, err);
        if (!p->belief[b])
            return -1;
    }
    p->pools = pools_of(asked);
    p->pool = CS_NEW_ARRAY(p->arena, struct pool, p->pools);
    for (int i = 0; i < p->pools; i++) {
        p->pool[i] = pool_at(asked, i);
        if (p->pool[i].all.hosts)
            judge(p, &p->pool[i]);
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
        cs_jsonw_put_double(w, cs_volatile_model_name((enum cs_volatile_model)(b + 1)),
                            a->predicted[b]);
    cs_jsonw_close(w);
}

static void json_pool(struct cs_jsonw *w, const struct pool *pool)
{
    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "pool", pool->name);
    cs_jsonw_put_int(w, "hosts", pool->all.hosts);
    cs_jsonw_put_double(w, "known_slots", pool->tally.known);
    cs_jsonw_put_double(w, "up_slots", pool->tally.up);
    cs_jsonw_put_int(w, "lives", pool->lives);
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

static void put_beliefs(struct cs_jsonw *w, const struct pools *p)
{
    cs_jsonw_key(w, "beliefs");
    cs_jsonw_open(w, '[');
    for (int b = 0; b < BELIEFS; b++) {
        cs_jsonw_open_flat(w, '{');
        cs_jsonw_put_string(w, "belief", cs_volatile_model_name((enum cs_volatile_model)(b + 1)));
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
    cs_jsonw_put_string(w, "belief", cs_volatile_model_name(p->asked->belief));
    put_beliefs(w, p);
    cs_jsonw_key(w, "pools");
    cs_jsonw_open(w, '[');
    for (int i = 0; i < p->pools; i++)
        json_pool(w, &p->pool[i]);
    cs_jsonw_close(w);
    cs_jsonw_close(w);
}

int cs_volatile_laws_put_pools(const struct cs_volatile_laws_asked *asked, struct cs_jsonw *w,
                               struct cs_error *err)
{
    struct pools p = {.asked = asked, .arena = cs_arena_create()};
    int status;

    if (asked->fleet->slots < 2)
        status = cs_error_set(err, "a trace of one slot says nothing, there must be at least 2");
    else
        status = make(&p, err);
    if (!status)
        put_all(w, &p);
    for (int b = 0; b < BELIEFS; b++)
        cs_volatile_belief_destroy(p.belief[b]);
    cs_arena_destroy(p.arena);
    return status;
}
