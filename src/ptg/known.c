/* known.c - what cells share, strategies on several platforms, and means over these. */
#include "ptg/known.h"

#include "model/outside.h"
#include "ptg/case.h"
#include "ptg/strategy.h"
#include "study/cache.h"
#include "study/words.h"

#include <math.h>
#include <string.h>

struct cs_ptg_known {
    struct cs_arena *arena;
    double *own[CS_PTG_SITES];
    struct cs_ptg_seen least[CS_PTG_SITES]; /* among those compared; else NaN */
    char identity[CS_DIGEST_TEXT];
    int ways;
    const char *const *name;
    struct cs_policy_call *call;
    struct cs_ptg_seen *mean; /* by way: over the sites */
};

/* ---- a strategy ---- */

bool cs_ptg_way_shares(const struct cs_ptg_way *way)
{
    int count;

    return !cs_ptg_strategies(&count)[way->request.call.policy]->itself;
}

struct cs_ptg_plan *cs_ptg_way_replay(const struct cs_ptg_case *c,
                                      const struct cs_ptg_instance *instance,
                                      const struct cs_ptg_plan *plan, struct cs_error *err)
{
    return c->said->replay == 2 ? cs_ptg_replay_simgrid(instance, plan, err)
                                : cs_ptg_replay_fluid(instance, plan);
}

int cs_ptg_way_make(const struct cs_ptg_case *c, const struct cs_ptg_instance *instance,
                    struct cs_ptg_way *way, struct cs_error *err)
{
    if (!way->plan)
        way->plan = cs_ptg_plan_make(instance, &way->request, err);
    if (!way->plan)
        return -1;
    if (way->own)
        way->metrics = cs_ptg_metrics_create(instance, way->plan, way->own);
    if (!c->said->replay)
        return 0;
    if (!way->replayed)
        way->replayed = cs_ptg_way_replay(c, instance, way->plan, err);
    if (!way->replayed)
        return -1;
    way->contended = cs_ptg_metrics_create(instance, way->replayed, way->own_contended);
    return 0;
}

void cs_ptg_way_release(struct cs_ptg_way *way)
{
    cs_ptg_metrics_destroy(way->metrics);
    cs_ptg_metrics_destroy(way->contended);
    cs_ptg_plan_destroy(way->plan);
    cs_ptg_plan_destroy(way->replayed);
}

/* ---- on one platform ---- */

static void see(const struct cs_ptg_instance *instance, const struct cs_ptg_metrics *m,
                struct cs_ptg_seen *seen)
{
    struct cs_ptg_bounds bounds;

    cs_ptg_bounds_compute(instance, &bounds);
    *seen = (struct cs_ptg_seen){{
        [CS_PTG_UNFAIRNESS] = m->unfairness,
        [CS_PTG_SLOWDOWN] = m->average_slowdown,
        [CS_PTG_MAKESPAN] = m->makespan,
        [CS_PTG_RELATIVE] = m->makespan,
        [CS_PTG_GAP] = bounds.window > 0 ? m->makespan / bounds.window - 1 : NAN,
        [CS_PTG_AVERAGE] = m->average_makespan,
        [CS_PTG_RELATIVE_AVERAGE] = m->average_makespan,
        [CS_PTG_CONTENDED] = NAN,
        [CS_PTG_CONTENDED_UNFAIRNESS] = NAN,
    }};
}

/* Dates are those of the replay, when there is one. */
static int run_site(const struct cs_ptg_case *c, const struct cs_ptg_instance *instance,
                    const struct cs_policy_call *call, const double *own, struct cs_ptg_seen *seen,
                    struct cs_error *err)
{
    bool replay = c->said->replay > 0;
    struct cs_ptg_way way = {
        .request = {.call = *call, .options = &c->options, .mode = c->mode},
    };
    struct cs_arena *arena = cs_arena_create();
    double *alone = CS_NEW_ARRAY(arena, double, cs_ptg_instance_graphs(instance));
    bool shares = cs_ptg_way_shares(&way);
    int status = shares ? 0 : cs_ptg_own_by(instance, &way.request, replay, alone, err);

    if (shares) {
        memcpy(alone, own, (size_t)cs_ptg_instance_graphs(instance) * sizeof *alone);
        way.request.own = replay ? NULL : alone;
    }
    if (replay)
        way.own_contended = alone;
    else
        way.own = alone;
    status = status || cs_ptg_way_make(c, instance, &way, err) ? -1 : 0;
    if (!status)
        see(instance, replay ? way.contended : way.metrics, seen);
    cs_ptg_way_release(&way);
    cs_arena_destroy(arena);
    return status;
}

/* Makespans over the least ones. */
static void relate(struct cs_ptg_seen *seen, const struct cs_ptg_seen *least)
{
    seen->at[CS_PTG_RELATIVE] /= least->at[CS_PTG_RELATIVE];
    seen->at[CS_PTG_RELATIVE_AVERAGE] /= least->at[CS_PTG_RELATIVE_AVERAGE];
}

static void add_mean(struct cs_ptg_seen *mean, const struct cs_ptg_seen *seen, int sites)
{
    for (int m = 0; m < CS_PTG_SEEN; m++)
        mean->at[m] += seen->at[m] / sites;
}

/* ---- what is kept ---- */

static int compare_site(const struct cs_ptg_case *c, const struct cs_ptg_given *given, int site,
                        struct cs_ptg_known *known, struct cs_error *err)
{
    struct cs_ptg_seen *seen = CS_NEW_ARRAY(known->arena, struct cs_ptg_seen, known->ways);
    double *least = known->least[site].at;

    for (int m = 0; m < CS_PTG_SEEN; m++)
        least[m] = NAN;
    for (int w = 0; w < known->ways; w++) {
        if (run_site(c, given->instance[site], &known->call[w], known->own[site], &seen[w], err))
            return cs_error_prefix(err, "compare");
        for (int m = 0; m < CS_PTG_SEEN; m++)
            least[m] = fmin(least[m], seen[w].at[m]);
    }
    for (int w = 0; w < known->ways; w++) {
        relate(&seen[w], &known->least[site]);
        add_mean(&known->mean[w], &seen[w], given->sites);
    }
    return 0;
}

static int find_compared(const struct cs_ptg_case *c, struct cs_ptg_known *known,
                         struct cs_error *err)
{
    const char *text = c->said->compare;
    int count;

    if (!text || !text[strspn(text, " ")])
        return 0;
    known->ways = cs_study_policies(c->study.problem->choice, text, 0, known->arena, &known->call,
                                    &known->name, err);
    if (known->ways < 0)
        return cs_error_prefix(err, "compare");
    cs_outside_attach(c->outside, cs_ptg_policies(&count), known->call, known->ways);
    known->mean = CS_NEW_ARRAY(known->arena, struct cs_ptg_seen, known->ways);
    return 0;
}

static int learn(const struct cs_ptg_case *c, const struct cs_ptg_given *given,
                 struct cs_ptg_known *known, struct cs_error *err)
{
    cs_ptg_identify((const struct cs_ptg_instance *const *)given->instance, given->sites,
                    known->identity);
    for (int i = 0; i < given->sites; i++) {
        known->own[i] = CS_NEW_ARRAY(known->arena, double, given->list.graphs);
        if (cs_ptg_own(given->instance[i], &c->options, c->said->replay > 0, known->own[i], err) ||
            compare_site(c, given, i, known, err))
            return -1;
    }
    return 0;
}

static void destroy_known(void *thing)
{
    cs_arena_destroy(((struct cs_ptg_known *)thing)->arena);
}

static void *make_known(const void *how, struct cs_error *err)
{
    const struct cs_ptg_case *c = how;
    struct cs_arena *arena = cs_arena_create();
    struct cs_ptg_known *known = CS_NEW(arena, struct cs_ptg_known);
    struct cs_ptg_given given = {0};
    int status;

    known->arena = arena;
    status = find_compared(c, known, err) || cs_ptg_given_open(&given, c->said, arena, err) ||
             learn(c, &given, known, err);
    cs_ptg_given_close(&given);
    if (status)
        destroy_known(known);
    return status ? NULL : known;
}

/* Strategies apart, all options count. */
const struct cs_ptg_known *cs_ptg_known_get(const struct cs_ptg_case *c, struct cs_cache *cache,
                                            struct cs_error *err)
{
    static const struct cs_cache_kind kind = {.make = make_known, .destroy = destroy_known};
    struct cs_ptg_said said = *c->said;
    struct cs_strbuf key = CS_STRBUF_INIT;
    char digest[CS_DIGEST_TEXT];
    const struct cs_ptg_known *known;

    said.policy = NULL;
    said.mu = NAN;
    cs_fields_digest(c->study.problem->field, &said, digest);
    cs_strbuf_printf(&key, "ptg %s", digest);
    known = cs_cache_get(cache, key.text, &kind, c, err);
    cs_strbuf_release(&key);
    return known;
}

const char *cs_ptg_known_identity(const struct cs_ptg_known *known)
{
    return known->identity;
}

/* ---- a cell ---- */

static int run_alone(struct cs_ptg_case *c, struct cs_ptg_seen *mean, struct cs_error *err)
{
    struct cs_ptg_seen seen;

    *mean = (struct cs_ptg_seen){{0}};
    if (cs_ptg_given_open(&c->given, c->said, c->study.arena, err))
        return -1;
    for (int i = 0; i < c->given.sites; i++) {
        if (run_site(c, c->given.instance[i], &c->way[0].request.call, c->known->own[i], &seen,
                     err))
            return -1;
        relate(&seen, &c->known->least[i]);
        add_mean(mean, &seen, c->given.sites);
    }
    return 0;
}

int cs_ptg_known_run(struct cs_ptg_case *c, struct cs_ptg_seen *seen, struct cs_error *err)
{
    const struct cs_ptg_known *known = c->known;

    for (int w = 0; w < known->ways && isnan(c->said->mu); w++)
        if (!strcmp(known->name[w], c->study.way[0].word[0])) {
            *seen = known->mean[w];
            return 0;
        }
    return run_alone(c, seen, err);
}
