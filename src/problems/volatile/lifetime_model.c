/* lifetime_model.c - probabilities that hosts stay up, alone and together.
 *
 * Source: spec/volatile.md III.2 (age, frailty, co-failure, "Together").
 * Idea: ln P(up for h more slots | age a) = theta (ln S(a + h) - ln S(a)); in a pool, with s the
 * sum and m the least of ln P_q, ln P = m + (1 - rho)(s - m).  Chains multiply and have no age.
 * Invariants: LEAST <= ln P <= 0; rho = 0 gives the product, rho = 1 the weakest host; pools are
 * independent of each other; the memo does not change any result.
 * Complexity: stay O(1) (a product limit: O(log steps)); together O(hosts x pools of the set), up
 * to O(hosts^2) when each host is a pool.
 *
 * Constants (set by hand; half and double: not measured):
 *   LEAST     -1e6  ln P: smaller probabilities are not distinguished
 *   MEMO_BITS 13    2^13 entries of ln S, direct mapped: a newer entry replaces an older one
 */
#include "problems/volatile/lifetime_model.h"
#include "base/bug.h"
#include "base/guard.h"
#include "problems/volatile/survival.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST (-1e6) /* of ln P: smaller probabilities are not distinguished */

const struct cs_volatile_lifetime_model *
cs_volatile_lifetime_model_of(const struct cs_volatile_instance *in, struct cs_arena *arena)
{
    struct cs_volatile_lifetime_model *b = CS_NEW(arena, struct cs_volatile_lifetime_model);
    double *leave = CS_NEW_ARRAY(arena, double, in->hosts);

    for (int q = 0; q < in->hosts; q++) {
        const double *up = in->host[q].chain[CS_VOLATILE_UP];
        const double *away = in->host[q].chain[CS_VOLATILE_RECLAIMED];
        double back = away[CS_VOLATILE_UP] + away[CS_VOLATILE_DOWN];
        double lost = back > 0 ? away[CS_VOLATILE_DOWN] / back : 1;

        leave[q] = up[CS_VOLATILE_DOWN] + up[CS_VOLATILE_RECLAIMED] * lost;
    }
    *b = (struct cs_volatile_lifetime_model){.kind = CS_VOLATILE_LIFETIME_MODEL_CHAINS,
                                             .leave = leave};
    return b;
}

/* One place for each hash: what comes later takes it. */
#define MEMO_BITS 13

struct cs_volatile_memo {
    struct memory {
        double length, log; /* length 0: an empty entry */
        int pool;
    } at[1 << MEMO_BITS];
};

struct cs_volatile_memo *cs_volatile_memo_create(struct cs_arena *arena)
{
    return CS_NEW(arena, struct cs_volatile_memo);
}

static double log_survival(const struct cs_volatile_lifetime_model *b,
                           struct cs_volatile_memo *memo, int pool, double length)
{
    struct memory *m;
    uint64_t bits;

    if (!memo || b->law[pool].kind == CS_VOLATILE_SURVIVAL_EXPONENTIAL)
        return cs_volatile_survival_log(&b->law[pool], length);
    memcpy(&bits, &length, sizeof bits);
    bits = (bits ^ (uint64_t)pool) * 0x9e3779b97f4a7c15u;
    m = &memo->at[bits >> (64 - MEMO_BITS)];
    if (m->length != length || m->pool != pool)
        *m = (struct memory){length, cs_volatile_survival_log(&b->law[pool], length), pool};
    return m->log;
}

static int pool_of(const struct cs_volatile_lifetime_model *b, int host)
{
    return b->pool ? b->pool[host] : 0;
}

double cs_volatile_lifetime_model_stay(const struct cs_volatile_lifetime_model *b,
                                       struct cs_volatile_memo *memo, int host, double age,
                                       double more)
{
    double log_p;

    if (!(more > 0))
        return 0;
    if (b->kind == CS_VOLATILE_LIFETIME_MODEL_CHAINS) {
        log_p = more * log1p(-b->leave[host]);
    } else {
        int pool = pool_of(b, host);

        log_p = log_survival(b, memo, pool, age + more) - log_survival(b, memo, pool, age);
        log_p *= b->frailty ? b->frailty[host] : 1;
    }
    if (log_p >= LEAST)
        return log_p < 0 ? log_p : 0;
    return LEAST;
}

double cs_volatile_lifetime_model_together(const struct cs_volatile_lifetime_model *b, int hosts,
                                           const int *host, const double *log_p)
{
    double total = 0;

    if (b->kind == CS_VOLATILE_LIFETIME_MODEL_CHAINS) {
        for (int i = 0; i < hosts; i++)
            total += log_p[i];
        return total;
    }
    for (int i = 0; i < hosts; i++) {
        int pool = pool_of(b, host[i]), before = 0;
        double sum = 0, least = 0;

        while (before < i && pool_of(b, host[before]) != pool)
            before++;
        if (before < i)
            continue;
        for (int j = i; j < hosts; j++)
            if (pool_of(b, host[j]) == pool) {
                sum += log_p[j];
                least = log_p[j] < least ? log_p[j] : least;
            }
        total += least + (1 - b->co_failure[pool]) * (sum - least);
    }
    return total;
}

/* A lifetime model from the history of a fleet.
 *
 * Source: spec/volatile.md III.2 (laws of a pool, few ended uptimes), III.4 (`auto`).
 * Idea: one law for each pool (zone, fleet or host) with its co-failure, one frailty for each host;
 * or a chain for each host or pool.  `auto` takes log-normal laws where hosts have few ended
 * uptimes in the history, else a chain for each host.
 * Invariants: every host belongs to one pool; frailty is 1 where the pool is a single host; pools
 * with fewer than FEWEST ended uptimes use a constant rate and are counted (`few`).
 * Complexity: O(runs log runs) and the fits of survival.c.
 *
 * Constants:
 *   FEWEST   5   ended uptimes of a pool, for a law (III.2); half and double: not measured
 *   SEASONED 10  ended uptimes of a host on average, for a separate chain (III.4).  Set by
 *                hand between 2 to 3 (LANL, Bamboo) and 14 to 107 (SkyPilot): 5 decides those
 *                fleets as 10 does, 20 may not; not validated on other traces
 */

#define FEWEST 5    /* lifetimes that ended, for a law */
#define SEASONED 10 /* of a host on average, for a separate chain */

const char *cs_volatile_model_name(enum cs_fit_lifetime_model model)
{
    CS_ASK((int)model >= 0 && model < CS_FIT_LIFETIME_MODELS, NULL, NULL);
    static const char *const name[] = {"auto",    "chain",      "pooled-chain",
                                       "weibull", "log-normal", "kaplan-meier"};

    return name[model];
}

/* A model that is being fitted. */
struct fit {
    struct cs_volatile_lifetime_model *lifetime_model;
    struct cs_volatile_history all;
    enum cs_fit_pooling pooling;
};

static int pools_of(const struct fit *f)
{
    if (f->pooling == CS_FIT_POOL_FLEET)
        return 1;
    return f->pooling == CS_FIT_POOL_ZONE ? f->all.fleet->zones : f->all.hosts;
}

static struct cs_volatile_history pool_at(const struct fit *f, int pool)
{
    struct cs_volatile_history h = f->all;

    if (f->pooling == CS_FIT_POOL_ZONE) {
        h.first = f->all.fleet->zone[pool].first;
        h.hosts = f->all.fleet->zone[pool].hosts;
    } else if (f->pooling == CS_FIT_POOL_HOST) {
        h.first = pool;
        h.hosts = 1;
    }
    return h;
}

static int64_t count_ended(const struct cs_fleet_life *life, int64_t lifetimes)
{
    int64_t ended = 0;

    for (int64_t i = 0; i < lifetimes; i++)
        ended += life[i].ended;
    return ended;
}

static enum cs_fit_lifetime_model lifetime_model_fit_settle(const struct fit *f,
                                                            enum cs_fit_lifetime_model model)
{
    struct cs_arena *scratch;
    int64_t lifetimes, ended;
    const struct cs_fleet_life *life;

    if (model != CS_FIT_LIFETIME_AUTO)
        return model;
    scratch = cs_arena_create();
    life = cs_volatile_lifetimes(&f->all, &lifetimes, scratch);
    ended = count_ended(life, lifetimes);
    cs_arena_destroy(scratch);
    return ended < (int64_t)SEASONED * f->all.hosts ? CS_FIT_LIFETIME_LOG_NORMAL
                                                    : CS_FIT_LIFETIME_CHAIN;
}

/* One rate for each host, or for each pool. */
static void fit_chains(struct fit *f, bool pooled)
{
    double *leave = CS_NEW_ARRAY(f->lifetime_model->arena, double, f->all.hosts);
    struct fit each = *f;

    each.pooling = pooled ? f->pooling : CS_FIT_POOL_HOST;
    for (int p = 0; p < pools_of(&each); p++) {
        struct cs_volatile_history h = pool_at(&each, p);
        double rate = cs_volatile_counters(&h).leave;

        for (int q = h.first; q < h.first + h.hosts; q++)
            leave[q] = rate;
    }
    f->lifetime_model->kind = CS_VOLATILE_LIFETIME_MODEL_CHAINS;
    f->lifetime_model->leave = leave;
}

static enum cs_volatile_survival_kind law_of(enum cs_fit_lifetime_model model)
{
    if (model == CS_FIT_LIFETIME_WEIBULL)
        return CS_VOLATILE_SURVIVAL_WEIBULL;
    return model == CS_FIT_LIFETIME_LOG_NORMAL ? CS_VOLATILE_SURVIVAL_LOG_NORMAL
                                               : CS_VOLATILE_SURVIVAL_PRODUCT_LIMIT;
}

/* Where no life was seen to begin there is still the time that hosts were up. */
static struct cs_volatile_survival law_of_none(const struct cs_volatile_history *h)
{
    const struct cs_fleet_life all = {fmax(1, cs_volatile_counters(h).up), false};

    return cs_volatile_survival_few(&all, 1);
}

static struct cs_volatile_survival fit_pool(struct fit *f, const struct cs_volatile_history *h,
                                            enum cs_fit_lifetime_model model)
{
    struct cs_arena *scratch = cs_arena_create();
    struct cs_volatile_survival law;
    int64_t lifetimes;
    const struct cs_fleet_life *life = cs_volatile_lifetimes(h, &lifetimes, scratch);

    if (count_ended(life, lifetimes) >= FEWEST) {
        law = cs_volatile_survival_fit(law_of(model), life, lifetimes, f->lifetime_model->arena);
    } else {
        law = lifetimes ? cs_volatile_survival_few(life, lifetimes) : law_of_none(h);
        f->lifetime_model->few++;
    }
    cs_arena_destroy(scratch);
    return law;
}

static void fit_laws(struct fit *f, enum cs_fit_lifetime_model model)
{
    struct cs_arena *arena = f->lifetime_model->arena;
    int pools = pools_of(f);
    struct cs_volatile_survival *law = CS_NEW_ARRAY(arena, struct cs_volatile_survival, pools);
    double *co_failure = CS_NEW_ARRAY(arena, double, pools);
    double *frailty = CS_NEW_ARRAY(arena, double, f->all.hosts);
    int *pool = CS_NEW_ARRAY(arena, int, f->all.hosts);

    for (int p = 0; p < pools; p++) {
        struct cs_volatile_history h = pool_at(f, p);

        if (!h.hosts)
            continue;
        law[p] = fit_pool(f, &h, model);
        co_failure[p] = cs_volatile_co_failure(&h);
        for (int i = 0; i < h.hosts; i++) {
            pool[h.first + i] = p;
            frailty[h.first + i] =
                f->pooling == CS_FIT_POOL_HOST ? 1 : cs_volatile_frailty(&h, i, &law[p]);
        }
    }
    f->lifetime_model->kind = CS_VOLATILE_LIFETIME_MODEL_LAWS;
    f->lifetime_model->pools = pools;
    f->lifetime_model->pool = pool;
    f->lifetime_model->law = law;
    f->lifetime_model->co_failure = co_failure;
    f->lifetime_model->frailty = frailty;
}

struct cs_volatile_lifetime_model *cs_volatile_lifetime_model_fit(const struct cs_fleet *fleet,
                                                                  enum cs_fit_lifetime_model model,
                                                                  enum cs_fit_pooling pooling,
                                                                  int64_t from, int64_t to,
                                                                  struct cs_error *err)
{
    CS_ASK(fleet && cs_volatile_model_name(model) && (int)pooling >= 0 &&
               pooling <= CS_FIT_POOL_HOST,
           err, NULL);
    CS_GUARD(err, NULL);
    struct fit f = {.all = {fleet, 0, fleet->hosts, from, to}, .pooling = pooling};
    struct cs_arena *arena;

    if (from < 0 || from >= to || to > fleet->slots) {
        cs_error_set(err,
                     "a history of slots %" PRId64 " to %" PRId64
                     " is requested, the fleet has %" PRId64,
                     from, to, fleet->slots);
        return NULL;
    }
    arena = cs_arena_create();
    f.lifetime_model = CS_NEW(arena, struct cs_volatile_lifetime_model);
    f.lifetime_model->arena = arena;
    f.lifetime_model->model = lifetime_model_fit_settle(&f, model);
    if (f.lifetime_model->model <= CS_FIT_LIFETIME_POOLED_CHAIN)
        fit_chains(&f, f.lifetime_model->model == CS_FIT_LIFETIME_POOLED_CHAIN);
    else
        fit_laws(&f, f.lifetime_model->model);
    return f.lifetime_model;
}

void cs_volatile_lifetime_model_destroy(struct cs_volatile_lifetime_model *b)
{
    if (b)
        cs_arena_destroy(b->arena);
}

enum cs_fit_lifetime_model
cs_volatile_lifetime_model_model(const struct cs_volatile_lifetime_model *b)
{
    CS_ASK(b, NULL, CS_FIT_LIFETIME_AUTO);
    return b->model;
}

int cs_volatile_lifetime_model_few(const struct cs_volatile_lifetime_model *b)
{
    CS_ASK(b, NULL, 0);
    return b->few;
}

double cs_volatile_lifetime_model_chance(const struct cs_volatile_lifetime_model *b, int hosts,
                                         const int *host, const double *age, double more)
{
    CS_ASK(b && hosts >= 0 && host && age, NULL, NAN);
    CS_GUARD(NULL, NAN);
    struct cs_arena *scratch = cs_arena_create();
    double *log_p = CS_NEW_ARRAY(scratch, double, hosts), together;

    for (int i = 0; i < hosts; i++)
        log_p[i] = cs_volatile_lifetime_model_stay(b, NULL, host[i], age[i], more);
    together = cs_volatile_lifetime_model_together(b, hosts, host, log_p);
    cs_arena_destroy(scratch);
    return exp(together);
}

/* Uptimes, frailty, co-failure and slot counts of a pool, as sums over runs.
 *
 * Source: spec/volatile.md III.2.
 * Idea: a run of up slots counts with its length whether it ended or was cut off; how many hosts
 * are up at a failure is found by merging sorted begins and ends, not slot by slot.
 * Invariants: the first run of a host and a run after an unknown slot have no known age and are no
 * uptime; co-failure is 0 when there is no pair to count, else in [0, 1]; frailty is positive.
 * Complexity: O(runs) for each function, O(runs log runs) for co-failure; never O(slots).
 *
 * Constants (values of III.2 and II.3; half and double: not measured):
 *   PRIOR     2.0   failures that draw a frailty towards 1
 *   SMOOTHING 0.01  count added to each of the three transitions out of up
 */

#define PRIOR 2.0 /* failures */
#define SMOOTHING 0.01

static const struct cs_fleet_host *host_of(const struct cs_volatile_history *h, int i)
{
    return &h->fleet->host[h->first + i];
}

/* A run cut to the history. */
struct piece {
    int64_t begin, end; /* of the run itself */
    int64_t from, to;   /* of it in the history */
    enum cs_fleet_state state;
};

static struct piece piece_of(const struct cs_volatile_history *h, const struct cs_fleet_host *host,
                             int64_t run)
{
    struct piece p = {.begin = cs_fleet_run_begin(host, run),
                      .end = host->run[run].end,
                      .state = host->run[run].state};

    p.from = p.begin > h->from ? p.begin : h->from;
    p.to = p.end < h->to ? p.end : h->to;
    return p;
}

/* The first run of a host that has a part in the history. */
static int64_t first_run(const struct cs_volatile_history *h, const struct cs_fleet_host *host)
{
    return cs_fleet_run_at(host, h->from);
}

static bool in_history(const struct cs_volatile_history *h, const struct cs_fleet_host *host,
                       int64_t run)
{
    return run < host->runs && cs_fleet_run_begin(host, run) < h->to;
}

/* Was it seen how the run ends? */
static bool lifetimes_ends(const struct cs_fleet_host *host, int64_t run)
{
    return run + 1 < host->runs && host->run[run + 1].state != CS_FLEET_UNKNOWN;
}

/* Does a run of the history begin a life there, as was seen? */
static bool begins_life(const struct cs_volatile_history *h, const struct cs_fleet_host *host,
                        int64_t run)
{
    return host->run[run].state == CS_FLEET_UP && run > 0 &&
           cs_fleet_run_begin(host, run) >= h->from && host->run[run - 1].state != CS_FLEET_UNKNOWN;
}

/* Up runs that have a part in the history, or those of them that are lives. */
static int64_t count_ups(const struct cs_volatile_history *h, bool lifetimes)
{
    int64_t count = 0;

    for (int i = 0; i < h->hosts; i++) {
        const struct cs_fleet_host *host = host_of(h, i);

        for (int64_t r = first_run(h, host); in_history(h, host, r); r++)
            count += lifetimes ? begins_life(h, host, r) : host->run[r].state == CS_FLEET_UP;
    }
    return count;
}

const struct cs_fleet_life *cs_volatile_lifetimes(const struct cs_volatile_history *h,
                                                  int64_t *count, struct cs_arena *arena)
{
    struct cs_fleet_life *life = CS_NEW_ARRAY(arena, struct cs_fleet_life, count_ups(h, true));

    *count = 0;
    for (int i = 0; i < h->hosts; i++) {
        const struct cs_fleet_host *host = host_of(h, i);

        for (int64_t r = first_run(h, host); in_history(h, host, r); r++) {
            struct piece p = piece_of(h, host, r);

            if (begins_life(h, host, r))
                life[(*count)++] = (struct cs_fleet_life){
                    (double)(p.to - p.begin), p.end <= h->to && lifetimes_ends(host, r)};
        }
    }
    return life;
}

static int by_slot(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Slots at which hosts begin and end to be up, and of the ends those that are failures; sorted. */
struct moments {
    int64_t *begin, *end, *fall;
    int64_t begins, ends, falls;
};

static struct moments moments_of(const struct cs_volatile_history *h, struct cs_arena *scratch)
{
    int64_t ups = count_ups(h, false);
    struct moments m = {.begin = CS_NEW_ARRAY(scratch, int64_t, ups),
                        .end = CS_NEW_ARRAY(scratch, int64_t, ups),
                        .fall = CS_NEW_ARRAY(scratch, int64_t, ups)};

    for (int i = 0; i < h->hosts; i++) {
        const struct cs_fleet_host *host = host_of(h, i);

        for (int64_t r = first_run(h, host); in_history(h, host, r); r++) {
            struct piece p = piece_of(h, host, r);

            if (p.state != CS_FLEET_UP)
                continue;
            m.begin[m.begins++] = p.from;
            m.end[m.ends++] = p.end;
            if (p.end < h->to && r + 1 < host->runs && host->run[r + 1].state == CS_FLEET_DOWN)
                m.fall[m.falls++] = p.end;
        }
    }
    qsort(m.begin, (size_t)m.begins, sizeof *m.begin, by_slot);
    qsort(m.end, (size_t)m.ends, sizeof *m.end, by_slot);
    qsort(m.fall, (size_t)m.falls, sizeof *m.fall, by_slot);
    return m;
}

double cs_volatile_co_failure(const struct cs_volatile_history *h)
{
    struct cs_arena *scratch = cs_arena_create();
    struct moments m = moments_of(h, scratch);
    double together = 0, possible = 0;

    for (int64_t i = 0, next, b = 0, e = 0; i < m.falls; i = next) {
        int64_t t = m.fall[i];
        double fell, up;

        for (next = i; next < m.falls && m.fall[next] == t;)
            next++;
        while (b < m.begins && m.begin[b] < t)
            b++;
        while (e < m.ends && m.end[e] < t)
            e++;
        fell = (double)(next - i);
        up = (double)(b - e);
        together += fell * (fell - 1);
        possible += fell * (up - 1);
    }
    cs_arena_destroy(scratch);
    return possible > 0 ? together / possible : 0;
}

double cs_volatile_frailty(const struct cs_volatile_history *h, int i,
                           const struct cs_volatile_survival *law)
{
    const struct cs_fleet_host *host = host_of(h, i);
    double failures = 0, hazard = 0;

    for (int64_t r = first_run(h, host); in_history(h, host, r); r++) {
        struct piece p = piece_of(h, host, r);

        if (p.state != CS_FLEET_UP)
            continue;
        hazard += cs_volatile_survival_log(law, (double)(p.from - p.begin)) -
                  cs_volatile_survival_log(law, (double)(p.to - p.begin));
        failures += p.end < h->to && lifetimes_ends(host, r);
    }
    return (failures + PRIOR) / (hazard + PRIOR);
}

struct cs_volatile_counters cs_volatile_counters(const struct cs_volatile_history *h)
{
    double moves[3] = {0}, down;
    struct cs_volatile_counters counters = {0};

    for (int i = 0; i < h->hosts; i++) {
        const struct cs_fleet_host *host = host_of(h, i);

        for (int64_t r = first_run(h, host); in_history(h, host, r); r++) {
            struct piece p = piece_of(h, host, r);
            double slots = (double)(p.to - p.from);

            counters.known += p.state == CS_FLEET_UNKNOWN ? 0 : slots;
            if (p.state != CS_FLEET_UP)
                continue;
            counters.up += slots;
            moves[CS_FLEET_UP] += slots - 1;
            if (p.end < h->to && lifetimes_ends(host, r))
                moves[host->run[r + 1].state]++;
        }
    }
    down = moves[CS_FLEET_DOWN] + SMOOTHING;
    counters.leave = down / (moves[0] + moves[1] + moves[2] + 3 * SMOOTHING);
    return counters;
}
