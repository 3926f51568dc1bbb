/* fit_pools.c - pools of a fleet, as tables for people or whole for programs. */
#include "cli/fit_pools.h"

#include "base/jsonw.h"
#include "cli/base/output.h"
#include "report/human.h"
#include "report/table.h"
#include "volatile/forecast.h"

#include <math.h>

#define MOMENTS 400
#define WORKLOADS 4
#define CROWDS 5
#define BELIEFS (CS_VOLATILE_MODELS - 1)

static const int crowds[CROWDS] = {1, 2, 4, 8, 16};
static const double parts[WORKLOADS] = {0.05, 0.2, 0.5, 1}; /* of a mean life */
static const double given[WORKLOADS] = {0.05, 0.25, 1, 4};  /* of what is asked for */

struct pool {
    const char *name;
    struct cs_volatile_history all;
    struct cs_volatile_tally tally;
    int64_t lives, ended;
    double mean; /* slots lived for each end */
    double co_failure;
    struct cs_volatile_survival law[CS_VOLATILE_SURVIVAL_KINDS]; /* when lives ended */
    int64_t workload[WORKLOADS];
    struct cs_volatile_answered answer[CROWDS][WORKLOADS];
};

struct pools {
    const struct cs_fit_pools *asked;
    struct cs_arena *arena;
    struct cs_volatile_belief *belief[BELIEFS]; /* of the first half, by model - 1 */
    int pools;
    struct pool *pool;
    int cells;
    double log_loss[BELIEFS], brier[BELIEFS]; /* means over the cells */
};

/* ---- made ---- */

static int pools_of(const struct cs_fit_pools *asked)
{
    if (asked->pooling == CS_VOLATILE_POOL_FLEET)
        return 1;
    return asked->pooling == CS_VOLATILE_POOL_ZONE ? asked->fleet->zones : asked->fleet->hosts;
}

static struct pool pool_at(const struct cs_fit_pools *asked, int p)
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

static void fit_laws(struct pool *pool, struct cs_arena *arena)
{
    const struct cs_fleet_life *life = cs_volatile_lives(&pool->all, &pool->lives, arena);
    double length = 0;

    for (int64_t i = 0; i < pool->lives; i++) {
        pool->ended += life[i].ended;
        length += life[i].length;
    }
    pool->mean = length / (double)pool->ended;
    for (int k = 0; pool->ended && k < CS_VOLATILE_SURVIVAL_KINDS; k++)
        pool->law[k] =
            cs_volatile_survival_fit((enum cs_volatile_survival_kind)k, life, pool->lives, arena);
}

static int64_t workload_of(const struct pools *p, const struct pool *pool, int w)
{
    double slots =
        p->asked->workload ? given[w] * (double)p->asked->workload : parts[w] * pool->mean;

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
    const struct cs_fit_pools *asked = p->asked;

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

/* ---- for people, and rows ---- */

#define COUNT(key_, heading_)                                                                      \
    {                                                                                              \
        .key = (key_), .heading = (heading_), .kind = CS_COLUMN_COUNT                              \
    }
#define NUMBER(key_, heading_, unit_, digits_)                                                     \
    {                                                                                              \
        .key = (key_), .heading = (heading_), .unit = (unit_), .kind = CS_COLUMN_NUMBER,           \
        .digits = (digits_)                                                                        \
    }
#define HIDDEN(key_)                                                                               \
    {                                                                                              \
        .key = (key_), .kind = CS_COLUMN_NUMBER, .hidden = true                                    \
    }

static const struct cs_column columns[] = {
    {.key = "pool", .kind = CS_COLUMN_WORD},
    COUNT("hosts", NULL),
    {.key = "known_slots", .heading = "known", .unit = "slots", .kind = CS_COLUMN_COUNT},
    {.key = "up", .kind = CS_COLUMN_FRACTION, .digits = 2},
    COUNT("lives", NULL),
    COUNT("ended", NULL),
    {.key = "mean_life", .heading = "mean", .unit = "slots", .kind = CS_COLUMN_DIGITS, .digits = 4},
    HIDDEN("exponential_rate"),
    NUMBER("exponential_log_likelihood", "exponential", "ln L", 1),
    NUMBER("weibull_shape", "Weibull", "shape", 2),
    HIDDEN("weibull_scale"),
    NUMBER("weibull_log_likelihood", "", "ln L", 1),
    HIDDEN("lognormal_mu"),
    NUMBER("lognormal_sigma", "log-normal", "sigma", 2),
    NUMBER("lognormal_log_likelihood", "", "ln L", 1),
    {.key = "product_limit_steps", .kind = CS_COLUMN_COUNT, .hidden = true},
    NUMBER("product_limit_tail", "product limit", "tail / slot", 5),
    NUMBER("co_failure", "go down", "together", 3),
};

static void add_pool(struct cs_table *table, const struct pool *pool)
{
    const struct cs_volatile_survival *law = pool->law;
    const struct cs_volatile_survival *limit = &law[CS_VOLATILE_SURVIVAL_PRODUCT_LIMIT];
    bool known = pool->ended > 0;

    cs_table_text(table, pool->name);
    cs_table_count(table, pool->all.hosts);
    cs_table_count(table, (long long)pool->tally.known);
    cs_table_number(table, pool->tally.known > 0 ? pool->tally.up / pool->tally.known : NAN);
    cs_table_count(table, pool->lives);
    cs_table_count(table, pool->ended);
    cs_table_number(table, known ? pool->mean : NAN);
    for (int k = 0; k < CS_VOLATILE_SURVIVAL_PRODUCT_LIMIT; k++) {
        cs_table_number(table, known ? law[k].a : NAN);
        if (k != CS_VOLATILE_SURVIVAL_EXPONENTIAL)
            cs_table_number(table, known ? law[k].b : NAN);
        cs_table_number(table, known ? law[k].log_likelihood : NAN);
    }
    cs_table_count(table, limit->steps);
    cs_table_number(table, known ? limit->a : NAN);
    cs_table_number(table, pool->co_failure);
}

static void put_pools(const struct pools *p, enum cs_table_format format, struct cs_strbuf *out)
{
    struct cs_table *table = cs_table_create(columns, sizeof columns / sizeof *columns);

    for (int i = 0; i < p->pools; i++)
        add_pool(table, &p->pool[i]);
    cs_output_table(table, format, 0, out);
    cs_table_destroy(table);
}

static void put_head(const struct pools *p, struct cs_strbuf *out)
{
    const struct cs_fleet *fleet = p->asked->fleet;

    cs_human_units(out, fleet->hosts, "host");
    cs_strbuf_printf(out, " (%s), ", fleet->zone[0].kind);
    cs_human_units(out, fleet->slots, "slot");
    cs_strbuf_puts(out, " of ");
    cs_human_duration(out, fleet->slot);
    if (fleet->dropped) {
        cs_strbuf_puts(out, "; ");
        cs_human_units(out, fleet->dropped, "host");
        cs_strbuf_puts(out, " of which nothing is known left out");
    }
    cs_strbuf_puts(out, "\n\n");
}

/* People see a few of them. */
static bool is_shown(const struct pool *pool, int k, int w)
{
    return pool->all.hosts && (crowds[k] == 1 || crowds[k] == 4) && w > 0 &&
           pool->answer[k][w].moments;
}

static void add_answer(struct cs_table *table, const struct pools *p, const struct pool *pool,
                       int k, int w)
{
    const struct cs_volatile_answered *a = &pool->answer[k][w];

    cs_table_text(table, pool->name);
    cs_table_count(table, crowds[k]);
    cs_table_count(table, pool->workload[w]);
    cs_table_number(table, a->found);
    cs_table_number(table, a->predicted[p->asked->model - 1]);
    cs_table_number(table, a->predicted[CS_VOLATILE_MODEL_CHAIN - 1]);
    cs_table_number(table, a->predicted[CS_VOLATILE_MODEL_POOLED_CHAIN - 1]);
}

static void put_answers(const struct pools *p, struct cs_strbuf *out)
{
    const struct cs_column column[] = {
        {.key = "pool", .kind = CS_COLUMN_WORD},
        COUNT("hosts", NULL),
        {.key = "slots", .heading = "W", .unit = "slots", .kind = CS_COLUMN_COUNT},
        NUMBER("found", "found", NULL, 3),
        NUMBER("belief", cs_volatile_model_name(p->asked->model), "age, together", 3),
        NUMBER("chain", "chain", "of each host", 3),
        NUMBER("pooled", "chain", "of the pool", 3),
    };
    struct cs_table *table = cs_table_create(column, sizeof column / sizeof *column);

    cs_strbuf_puts(out, "\nP(W), that hosts which are up all stay for W slots: found in the second "
                        "half, and as the first half says\n\n");
    for (int i = 0; i < p->pools; i++)
        for (int k = 0; k < CROWDS; k++)
            for (int w = 0; w < WORKLOADS; w++)
                if (is_shown(&p->pool[i], k, w))
                    add_answer(table, p, &p->pool[i], k, w);
    cs_output_table(table, CS_TABLE_TEXT, 0, out);
    cs_table_destroy(table);
}

static void put_losses(const struct pools *p, struct cs_strbuf *out)
{
    cs_strbuf_printf(out, "\nlog loss (Brier), the mean of %d such forecasts with 1 to %d hosts: ",
                     p->cells, crowds[CROWDS - 1]);
    for (int b = 0; b < BELIEFS; b++) {
        cs_strbuf_printf(out, "%s%s ", b ? ", " : "",
                         cs_volatile_model_name((enum cs_volatile_model)(b + 1)));
        cs_human_fixed(out, p->log_loss[b], 3);
        cs_strbuf_puts(out, " (");
        cs_human_fixed(out, p->brier[b], 3);
        cs_strbuf_putc(out, ')');
    }
    cs_strbuf_putc(out, '\n');
}

static void put_text(const struct pools *p, struct cs_strbuf *out)
{
    put_head(p, out);
    put_pools(p, CS_TABLE_TEXT, out);
    if (!p->cells)
        return;
    put_answers(p, out);
    put_losses(p, out);
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

static void put_json(const struct pools *p, struct cs_strbuf *out)
{
    const struct cs_fleet *fleet = p->asked->fleet;
    struct cs_jsonw w = cs_jsonw_begin(out);

    cs_jsonw_open(&w, '{');
    cs_jsonw_put_int(&w, "hosts", fleet->hosts);
    cs_jsonw_put_int(&w, "dropped", fleet->dropped);
    cs_jsonw_put_int(&w, "slots", fleet->slots);
    cs_jsonw_put_double(&w, "slot", fleet->slot);
    cs_jsonw_put_string(&w, "belief", cs_volatile_model_name(p->asked->model));
    cs_jsonw_key(&w, "beliefs");
    cs_jsonw_open(&w, '[');
    for (int b = 0; b < BELIEFS; b++) {
        cs_jsonw_open_flat(&w, '{');
        cs_jsonw_put_string(&w, "belief", cs_volatile_model_name((enum cs_volatile_model)(b + 1)));
        cs_jsonw_put_double(&w, "log_loss", p->log_loss[b]);
        cs_jsonw_put_double(&w, "brier", p->brier[b]);
        cs_jsonw_close(&w);
    }
    cs_jsonw_close(&w);
    cs_jsonw_key(&w, "pools");
    cs_jsonw_open(&w, '[');
    for (int i = 0; i < p->pools; i++)
        json_pool(&w, &p->pool[i]);
    cs_jsonw_close(&w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}

int cs_fit_pools_put(const struct cs_fit_pools *asked, struct cs_strbuf *out, struct cs_error *err)
{
    struct pools p = {.asked = asked, .arena = cs_arena_create()};
    int status;

    if (asked->fleet->slots < 2)
        status = cs_error_set(err, "a trace of one slot says nothing, there must be at least 2");
    else
        status = make(&p, err);
    if (!status && asked->format == CS_FORMAT_JSON)
        put_json(&p, out);
    else if (!status && asked->format == CS_FORMAT_CSV)
        put_pools(&p, CS_TABLE_CSV, out);
    else if (!status)
        put_text(&p, out);
    for (int b = 0; b < BELIEFS; b++)
        cs_volatile_belief_destroy(p.belief[b]);
    cs_arena_destroy(p.arena);
    return status;
}
