/* lifetime_model_fit.c - a lifetime model from the history of a fleet.
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
#include "problems/volatile/lifetime_model.h"

#include "base/guard.h"

#include <inttypes.h>
#include <math.h>

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
