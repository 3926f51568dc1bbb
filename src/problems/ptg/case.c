/* case.c - from options to a study of task graphs, to its plans, to a schedule. */
#include "problems/ptg/case.h"
#include "base/file.h"
#include "base/plain.h"
#include "base/watch.h"
#include "io/platform_json.h"
#include "io/schedule_json.h"
#include "io/schedule_keys.h"
#include "model/extpol.h"
#include "model/known.h"
#include "problem/cache.h"
#include "problem/problem.h"
#include "problems/ptg/problem.h"
#include "problems/ptg/strategy.h"

#include <math.h>
#include <string.h>

/* what cells share, strategies on several platforms, and means over these. */

struct cs_ptg_known {
    struct cs_arena *arena;
    double *own[CS_PTG_SITES], *planned[CS_PTG_SITES]; /* makespans alone: judged, planned */
    struct cs_ptg_seen least[CS_PTG_SITES];            /* among those compared; else NaN */
    char identity[CS_DIGEST_TEXT];
    int variants;
    const char *const *name;
    struct cs_policy_call *call;
    struct cs_ptg_seen *mean;      /* by variant: over the sites */
    const struct cs_known *proven; /* of the optimum; or NULL */
    const char *unproven;          /* why that does not hold here; or NULL */
    int procs;
};

/* ---- a strategy ---- */

/* Makespans alone are those of the shares, the same for all strategies that give some. */
static bool ptg_variant_shares(const struct cs_ptg_variant *variant)
{
    int count;

    return !cs_ptg_strategies(&count)[variant->request.call.policy]->itself;
}

/* How a strategy is tried, here and in plans: plan and replay (unless they are there), metrics
 * where the makespans alone are known; -1 with err. */
static int ptg_variant_make(const struct cs_ptg_case *c, const struct cs_ptg_instance *instance,
                            struct cs_ptg_variant *variant, struct cs_error *err)
{
    if (!variant->plan)
        variant->plan = cs_ptg_plan_make(instance, &variant->request, err);
    if (!variant->plan)
        return -1;
    if (variant->own)
        variant->metrics = cs_ptg_metrics_create(instance, variant->plan, variant->own);
    if (!c->settings->replay)
        return 0;
    if (!variant->replayed)
        variant->replayed = cs_ptg_replay_fluid(instance, variant->plan);
    variant->contended = cs_ptg_metrics_create(instance, variant->replayed, variant->own_contended);
    return 0;
}

static void ptg_variant_release(struct cs_ptg_variant *variant)
{
    cs_ptg_metrics_destroy(variant->metrics);
    cs_ptg_metrics_destroy(variant->contended);
    cs_ptg_plan_destroy(variant->plan);
    cs_ptg_plan_destroy(variant->replayed);
}

/* ---- on one platform ---- */

static void known_see(const struct cs_ptg_instance *instance, const struct cs_ptg_metrics *m,
                      const struct cs_ptg_metrics *planned, struct cs_ptg_seen *seen)
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
        [CS_PTG_PLANNED_UNFAIRNESS] = planned->unfairness,
        [CS_PTG_PLANNED_SLOWDOWN] = planned->average_slowdown,
        [CS_PTG_PLANNED_MAKESPAN] = planned->makespan,
        [CS_PTG_PLANNED_RELATIVE] = planned->makespan,
        [CS_PTG_PLANNED_AVERAGE] = planned->average_makespan,
        [CS_PTG_CONTENDED] = NAN,
        [CS_PTG_CONTENDED_UNFAIRNESS] = NAN,
    }};
}

/* A platform, and the makespans of graphs alone there. */
struct site {
    const struct cs_ptg_instance *instance;
    const double *own, *planned; /* judged and planned */
};

static struct site site_of(const struct cs_ptg_known *known, const struct cs_ptg_input *supplied,
                           int site)
{
    return (struct site){supplied->instance[site], known->own[site], known->planned[site]};
}

/* Dates are those of the replay, when there is one; those of the plan are seen too. */
static int run_site(const struct cs_ptg_case *c, const struct site *site,
                    const struct cs_policy_call *call, struct cs_ptg_seen *seen,
                    struct cs_error *err)
{
    const struct cs_ptg_instance *instance = site->instance;
    const bool replay = c->settings->replay > 0;
    const size_t graphs = (size_t)cs_ptg_instance_graphs(instance);
    struct cs_ptg_variant variant = {
        .request = {.call = *call, .options = &c->options, .mode = c->mode},
    };
    struct cs_arena *arena = cs_arena_create();
    double *alone = CS_NEW_ARRAY(arena, double, graphs), *planned = alone;
    const bool shares = ptg_variant_shares(&variant);
    int status = shares ? 0 : cs_ptg_own_by(instance, &variant.request, replay, alone, err);

    if (!shares && replay) {
        planned = CS_NEW_ARRAY(arena, double, graphs);
        status = status || cs_ptg_own_by(instance, &variant.request, false, planned, err) ? -1 : 0;
    }
    variant.own_contended = shares ? site->own : alone;
    variant.own = shares ? site->planned : planned;
    variant.request.own = shares ? variant.own : NULL;
    status = status || ptg_variant_make(c, instance, &variant, err) ? -1 : 0;
    if (!status)
        known_see(instance, replay ? variant.contended : variant.metrics, variant.metrics, seen);
    ptg_variant_release(&variant);
    cs_arena_destroy(arena);
    return status;
}

/* Makespans over the least ones. */
static void case_relate(struct cs_ptg_seen *seen, const struct cs_ptg_seen *least)
{
    seen->at[CS_PTG_RELATIVE] /= least->at[CS_PTG_RELATIVE];
    seen->at[CS_PTG_RELATIVE_AVERAGE] /= least->at[CS_PTG_RELATIVE_AVERAGE];
    seen->at[CS_PTG_PLANNED_RELATIVE] /= least->at[CS_PTG_PLANNED_RELATIVE];
}

static void add_mean(struct cs_ptg_seen *mean, const struct cs_ptg_seen *seen, int sites)
{
    for (int m = 0; m < CS_PTG_SEEN; m++)
        mean->at[m] += seen->at[m] / sites;
}

/* ---- what is kept ---- */

static int compare_site(const struct cs_ptg_case *c, const struct cs_ptg_input *supplied, int site,
                        struct cs_ptg_known *known, struct cs_error *err)
{
    struct cs_ptg_seen *seen = CS_NEW_ARRAY(known->arena, struct cs_ptg_seen, known->variants);
    const struct site at = site_of(known, supplied, site);
    double *least = known->least[site].at;

    for (int m = 0; m < CS_PTG_SEEN; m++)
        least[m] = NAN;
    for (int w = 0; w < known->variants; w++) {
        if (run_site(c, &at, &known->call[w], &seen[w], err))
            return cs_error_prefix(err, "compare");
        for (int m = 0; m < CS_PTG_SEEN; m++)
            least[m] = fmin(least[m], seen[w].at[m]);
    }
    for (int w = 0; w < known->variants; w++) {
        case_relate(&seen[w], &known->least[site]);
        add_mean(&known->mean[w], &seen[w], supplied->sites);
    }
    return 0;
}

static int find_compared(const struct cs_ptg_case *c, struct cs_ptg_known *known,
                         struct cs_error *err)
{
    const char *text = c->settings->compare;
    int count;

    if (!text || !text[strspn(text, " ")])
        return 0;
    known->variants = cs_study_policies(c->study.problem->choice, text, 0, known->arena,
                                        &known->call, &known->name, err);
    if (known->variants < 0)
        return cs_error_prefix(err, "compare");
    cs_extpol_attach(c->extpol, cs_ptg_policies(&count), known->call, known->variants);
    known->mean = CS_NEW_ARRAY(known->arena, struct cs_ptg_seen, known->variants);
    return 0;
}

/* The key `known` of a graph. It holds for the graph alone, from the start, on processors of
 * 1 flop/s; else `why` is set. */
static const struct cs_known *proven_of(const struct cs_ptg_input *in, const char **why)
{
    const struct cs_known *known = NULL;

    for (int g = 0; g < in->list.graphs && !known; g++)
        known = in->list.graph[g]->known;
    *why = NULL;
    if (in->list.graphs > 1 || in->sites > 1)
        *why = "of one graph on one platform";
    else if (in->release)
        *why = "of a graph that is there from the start";
    for (int k = 0; k < in->platform[0]->clusters; k++)
        if (in->platform[0]->cluster[k].speed != 1)
            *why = "of processors of 1 flop/s";
    return known;
}

static void case_know(struct cs_ptg_case *c, const struct cs_known *known, const char *why,
                      int procs, const struct cs_study_context *context)
{
    if (known && why)
        cs_study_warn(context, "known: the optimum is that %s: ignored", why);
    else
        cs_study_know(&c->study, known, procs, 0, context);
}

/* A copy that outlives the graphs. */
static void learn_proven(struct cs_ptg_known *known, const struct cs_ptg_input *supplied)
{
    const struct cs_known *proven = proven_of(supplied, &known->unproven);
    struct cs_known *copy;

    known->procs = supplied->platform[0]->procs;
    if (!proven)
        return;
    copy = CS_NEW(known->arena, struct cs_known);
    *copy = *proven;
    copy->text = cs_arena_strdup(known->arena, proven->text);
    known->proven = copy;
}

static int case_learn(const struct cs_ptg_case *c, const struct cs_ptg_input *supplied,
                      struct cs_ptg_known *known, struct cs_error *err)
{
    cs_ptg_identify((const struct cs_ptg_instance *const *)supplied->instance, supplied->sites,
                    known->identity);
    learn_proven(known, supplied);
    for (int i = 0; i < supplied->sites; i++) {
        double *own = CS_NEW_ARRAY(known->arena, double, supplied->list.graphs);

        known->own[i] = known->planned[i] = own;
        if (cs_ptg_own(supplied->instance[i], &c->options, false, own, err))
            return -1;
        if (c->settings->replay > 0) {
            own = known->own[i] = CS_NEW_ARRAY(known->arena, double, supplied->list.graphs);
            if (cs_ptg_own(supplied->instance[i], &c->options, true, own, err))
                return -1;
        }
        if (compare_site(c, supplied, i, known, err))
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
    struct cs_ptg_input supplied = {0};
    int status;

    known->arena = arena;
    status = find_compared(c, known, err) ||
             cs_ptg_input_open(&supplied, c->settings, arena, err) ||
             case_learn(c, &supplied, known, err);
    cs_ptg_input_close(&supplied);
    if (status)
        destroy_known(known);
    return status ? NULL : known;
}

/* The stored results of the combination of these options; NULL with err. */
static const struct cs_ptg_known *ptg_known_get(const struct cs_ptg_case *c, struct cs_cache *cache,
                                                struct cs_error *err)
{
    static const struct cs_cache_kind kind = {"results", make_known, destroy_known};
    const struct cs_cache_by by = {c->study.problem, c->settings, 0, "policy|mu"};

    return cs_cache_get_by(cache, &by, &kind, c, err);
}

static const char *ptg_known_identity(const struct cs_ptg_known *known)
{
    return known->identity;
}

/* ---- a cell ---- */

static int run_alone(struct cs_ptg_case *c, struct cs_ptg_seen *mean, struct cs_error *err)
{
    struct cs_ptg_seen seen;

    *mean = (struct cs_ptg_seen){{0}};
    if (cs_ptg_input_open(&c->supplied, c->settings, c->study.arena, err))
        return -1;
    for (int i = 0; i < c->supplied.sites; i++) {
        const struct site at = site_of(c->known, &c->supplied, i);

        if (run_site(c, &at, &c->variant[0].request.call, &seen, err))
            return -1;
        case_relate(&seen, &c->known->least[i]);
        add_mean(mean, &seen, c->supplied.sites);
    }
    return 0;
}

/* The only variant of a cell: means over the platforms; -1 with err. */
static int ptg_known_run(struct cs_ptg_case *c, struct cs_ptg_seen *seen, struct cs_error *err)
{
    const struct cs_ptg_known *known = c->known;

    for (int w = 0; w < known->variants && isnan(c->settings->mu); w++)
        if (!strcmp(known->name[w], c->study.variant[0].word[0])) {
            *seen = known->mean[w];
            return 0;
        }
    return run_alone(c, seen, err);
}

static struct cs_ptg_case *ptg_case_of(struct cs_study *study)
{
    return (struct cs_ptg_case *)(void *)study;
}

static const struct cs_ptg_case *ptg_case_in(const struct cs_study *study)
{
    return (const struct cs_ptg_case *)(const void *)study;
}

int cs_ptg_case_check(const void *options, struct cs_error *err)
{
    const struct cs_ptg_settings *settings = options;
    const char *const *path = settings->study.inputs;
    int inputs = 0;

    if (path && *path && !settings->platform)
        return cs_error_set(err, "which platform? Give --platform a file, or one of "
                                 "grid5000-lille, grid5000-nancy, grid5000-rennes, "
                                 "grid5000-sophia");
    for (; path && *path; path++)
        inputs += !strcmp(*path, "-");
    inputs += settings->platform && !strcmp(settings->platform, "-");
    if (inputs > 1)
        return cs_error_set(err, "standard input (-) can be read once only");
    if (settings->replay == CS_PTG_REPLAY_SIMGRID)
        return cs_error_set(err,
                            "--replay: found simgrid, expected no or fluid: SimGrid is now in "
                            "a test of the source only, ptg_simgrid (meson -Dsimgrid=enabled)");
    return cs_ptg_generator_check(settings, err);
}

/* ---- the variants ---- */

static void read_options(struct cs_ptg_case *c)
{
    const struct cs_ptg_settings *o = c->settings;

    c->mode = (enum cs_ptg_mode)(o->online + 1);
    c->options = (struct cs_ptg_options){
        .procedure = (enum cs_ptg_procedure)o->allocation,
        .gain = (enum cs_ptg_gain)o->gain,
        .reference = (enum cs_ptg_reference_speed)o->reference,
        .cap = (enum cs_ptg_cap)o->largest,
        .order = (enum cs_ptg_order)o->order,
        .network = o->network ? CS_PTG_NETWORK_PLAIN : CS_PTG_NETWORK_FAN,
        .pack = o->packing == 0,
        .late_transfer = c->mode != CS_PTG_OFFLINE,
        .efficiency = o->efficiency,
        .batch = isnan(o->batch) ? CS_PTG_BATCH_AUTO : o->batch,
    };
}

static const char *policy_text(const struct cs_ptg_settings *settings)
{
    if (settings->policy)
        return settings->policy;
    return settings->online >= 0 || !isnan(settings->mu) ? "wps-width" : "portfolio";
}

/* Of a request for all policies: not those that need all graphs from the start while graphs arrive,
 * and not those for one graph on one cluster, unless that is the input (of experiments the input is
 * not known). */
static bool is_left_out(const struct cs_ptg_case *c, const struct cs_ptg_strategy *strategy)
{
    const struct cs_ptg_input *in = &c->supplied;
    const bool single = in->sites == 1 && in->list.graphs == 1 && in->platform[0]->clusters == 1;

    return (strategy->single && !single) ||
           (c->mode != CS_PTG_OFFLINE && strategy->plan && !strategy->arrivals);
}

static int drop_planners(const struct cs_ptg_case *c, struct cs_policy_call *call,
                         const char **word, int variants)
{
    int count, kept = 0;
    const struct cs_ptg_strategy *const *list = cs_ptg_strategies(&count);

    for (int i = 0; i < variants; i++)
        if (!is_left_out(c, list[call[i].policy])) {
            call[kept] = call[i];
            word[kept++] = word[i];
        }
    return kept;
}

/* mu for the strategies that weigh equal shares against others; does this one? */
static bool set_mu(const struct cs_ptg_settings *settings, struct cs_policy_call *call)
{
    int count;
    const struct cs_policy *policy = cs_ptg_policies(&count)[call->policy];

    if (strncmp(policy->name, "wps-", 4))
        return false;
    for (int p = 0; policy->params[p].name; p++)
        if (!strcmp(policy->params[p].name, "mu"))
            call->param[p] = settings->mu;
    return true;
}

static int case_weigh(struct cs_ptg_case *c, struct cs_error *err)
{
    bool used = false;

    if (isnan(c->settings->mu))
        return 0;
    for (int w = 0; w < c->study.variants; w++)
        used |= set_mu(c->settings, &c->variant[w].request.call);
    return used ? 0
                : cs_error_set(err, "--mu is for the wps strategies, and --policy %s names none",
                               policy_text(c->settings));
}

static int case_find_variants(struct cs_ptg_case *c, struct cs_error *err)
{
    struct cs_arena *arena = c->study.arena;
    const char *text = policy_text(c->settings), *const * word, **kept;
    struct cs_policy_call *call;
    struct cs_variant *variant;
    int variants = cs_study_policies(c->study.problem->choice, text, 0, arena, &call, &word, err);
    int count;

    if (variants < 0)
        return -1;
    c->extpol = cs_extpol_create(c->settings->policy_program, c->settings->patience);
    cs_extpol_attach(c->extpol, cs_ptg_policies(&count), call, variants);
    kept = CS_NEW_ARRAY(arena, const char *, variants);
    memcpy(kept, word, (size_t)variants * sizeof *kept);
    if (!cs_plain_compare(text, "all"))
        variants = drop_planners(c, call, kept, variants);
    variant = CS_NEW_ARRAY(arena, struct cs_variant, variants);
    c->variant = CS_NEW_ARRAY(arena, struct cs_ptg_variant, variants);
    for (int w = 0; w < variants; w++) {
        variant[w].word[0] = kept[w];
        c->variant[w].request.call = call[w];
        c->variant[w].request.options = &c->options;
        c->variant[w].request.mode = c->mode;
    }
    c->study.variant = variant;
    c->study.variants = variants;
    return case_weigh(c, err);
}

/* A graph whose tasks are all sequential gains nothing from a share. */
static void warn_sequential(const struct cs_ptg_case *c, const struct cs_study_context *context)
{
    const struct cs_graph_list *list = &c->supplied.list;

    for (int g = 0; g < list->graphs; g++)
        for (int v = 0; v < list->graph[g]->tasks; v++)
            if (list->graph[g]->task[v].alpha < 1)
                return;
    cs_study_warn(context,
                  "all tasks are sequential (alpha is 1), so each runs on one processor with any "
                  "strategy; --alpha sets the sequential part of the tasks of workflows");
}

static int open_plan(struct cs_ptg_case *c, const struct cs_study_context *context,
                     struct cs_error *err)
{
    const struct cs_known *known;
    const char *why;

    if (cs_ptg_input_open(&c->supplied, c->settings, c->study.arena, err) ||
        case_find_variants(c, err))
        return -1;
    known = proven_of(&c->supplied, &why);
    case_know(c, known, why, c->supplied.platform[0]->procs, context);
    if (!known)
        warn_sequential(c, context);
    return 0;
}

static int open_cell(struct cs_ptg_case *c, const struct cs_study_context *context,
                     struct cs_error *err)
{
    if (case_find_variants(c, err))
        return -1;
    if (!context->cache)
        c->cache = cs_cache_create();
    c->known = ptg_known_get(c, context->cache ? context->cache : c->cache, err);
    if (!c->known)
        return -1;
    case_know(c, c->known->proven, c->known->unproven, c->known->procs, context);
    return 0;
}

struct cs_study *cs_ptg_case_open(const void *options, const struct cs_study_context *context,
                                  struct cs_error *err)
{
    struct cs_ptg_case *c = cs_study_create(&cs_problem_ptg, options, sizeof *c);

    c->settings = options;
    c->study.runs = 1;
    c->study.certain = true;
    read_options(c);
    if ((context->action == CS_EXPERIMENT ? open_cell : open_plan)(c, context, err)) {
        cs_study_close(&c->study);
        return NULL;
    }
    return &c->study;
}

void cs_ptg_case_close(struct cs_study *study)
{
    struct cs_ptg_case *c = ptg_case_of(study);

    for (int w = 0; w < study->variants; w++)
        ptg_variant_release(&c->variant[w]);
    cs_extpol_destroy(c->extpol);
    cs_ptg_input_close(&c->supplied);
    cs_cache_destroy(c->cache);
}

/* ---- the plans ---- */

struct own {
    double *planned, *contended;
};

/* A plan of a single graph with the whole platform is the plan of that graph alone: large ones need
 * not be planned twice.  1 when it was, 0 when it is another, -1 with err. */
static int try_single(const struct cs_ptg_case *c, struct cs_ptg_variant *variant, struct own *own,
                      struct cs_error *err)
{
    const struct cs_ptg_input *supplied = &c->supplied;

    if (supplied->list.graphs > 1 || supplied->release || c->mode != CS_PTG_OFFLINE)
        return 0;
    variant->plan = cs_ptg_plan_make(supplied->instance[0], &variant->request, err);
    if (!variant->plan)
        return -1;
    if (variant->plan->beta[0] < 1)
        return 0;
    own->planned[0] = variant->plan->makespan;
    if (c->settings->replay) {
        variant->replayed = cs_ptg_replay_fluid(supplied->instance[0], variant->plan);
        own->contended[0] = variant->replayed->makespan;
    }
    return 1;
}

static int find_own(struct cs_ptg_case *c, struct cs_ptg_variant *variant, struct own *own,
                    struct cs_error *err)
{
    const struct cs_ptg_instance *instance = c->supplied.instance[0];
    int single = try_single(c, variant, own, err);

    if (single)
        return single < 0 ? -1 : 0;
    if (cs_ptg_own_by(instance, &variant->request, false, own->planned, err))
        return -1;
    return c->settings->replay
               ? cs_ptg_own_by(instance, &variant->request, true, own->contended, err)
               : 0;
}

/* Makespans alone: those of the shares are the same for all of these. */
static int take_own(struct cs_ptg_case *c, struct cs_ptg_variant *variant, struct cs_error *err)
{
    bool shares = ptg_variant_shares(variant);
    struct own own = {c->own, c->own_contended};

    if (!shares || !c->own) {
        own = (struct own){CS_NEW_ARRAY(c->study.arena, double, c->supplied.list.graphs),
                           CS_NEW_ARRAY(c->study.arena, double, c->supplied.list.graphs)};
        if (find_own(c, variant, &own, err))
            return -1;
    }
    if (shares) {
        c->own = own.planned;
        c->own_contended = own.contended;
    }
    variant->own = own.planned;
    variant->own_contended = own.contended;
    variant->request.own = shares ? own.planned : NULL;
    return 0;
}

static void case_see(const struct cs_ptg_case *c, const struct cs_ptg_variant *variant,
                     struct cs_ptg_seen *seen)
{
    const struct cs_ptg_metrics *m = variant->metrics, *then = variant->contended;

    *seen = (struct cs_ptg_seen){{
        [CS_PTG_UNFAIRNESS] = m->unfairness,
        [CS_PTG_SLOWDOWN] = m->average_slowdown,
        [CS_PTG_MAKESPAN] = m->makespan,
        [CS_PTG_GAP] = c->bounds.window > 0 ? m->makespan / c->bounds.window - 1 : NAN,
        [CS_PTG_AVERAGE] = m->average_makespan,
        [CS_PTG_RELATIVE_AVERAGE] = NAN,
        [CS_PTG_PLANNED_UNFAIRNESS] = m->unfairness,
        [CS_PTG_PLANNED_SLOWDOWN] = m->average_slowdown,
        [CS_PTG_PLANNED_MAKESPAN] = m->makespan,
        [CS_PTG_PLANNED_AVERAGE] = m->average_makespan,
        [CS_PTG_CONTENDED] = then ? then->makespan : NAN,
        [CS_PTG_CONTENDED_UNFAIRNESS] = then ? then->unfairness : NAN,
    }};
}

static double least_of(const struct cs_ptg_seen *seen, int variants, enum cs_ptg_seen_at at)
{
    double least = INFINITY;

    for (int w = 0; w < variants; w++)
        least = fmin(least, seen[w].at[at]);
    return least;
}

static void compare(struct cs_study *study, struct cs_ptg_seen *seen)
{
    static const char *const word[] = {"", "fairest", "shortest", "shortest, fairest"};
    const char **remark = CS_NEW_ARRAY(study->arena, const char *, study->variants);
    double best = least_of(seen, study->variants, CS_PTG_MAKESPAN);
    double least = least_of(seen, study->variants, CS_PTG_UNFAIRNESS);

    for (int w = 0; w < study->variants; w++) {
        double makespan = seen[w].at[CS_PTG_MAKESPAN];

        seen[w].at[CS_PTG_RELATIVE] = best > 0 ? makespan / best : 1;
        seen[w].at[CS_PTG_PLANNED_RELATIVE] = seen[w].at[CS_PTG_RELATIVE];
        remark[w] = word[2 * (makespan <= best) + (seen[w].at[CS_PTG_UNFAIRNESS] <= least)];
    }
    study->remark = remark;
}

/* The schedule names its tasks GRAPH/TASK, with distinct names of graphs. */
static const char *const *labels_of(const struct cs_ptg_case *c, const struct cs_ptg_plan *plan)
{
    struct cs_schedule *schedule = cs_ptg_schedule(c->supplied.instance[0], plan);
    const char **label = CS_NEW_ARRAY(c->study.arena, const char *, plan->graphs);

    for (int g = 0; g < plan->graphs; g++) {
        const char *name = cs_schedule_task_name(schedule, plan->first[g]);

        label[g] = cs_arena_strndup(c->study.arena, name, strcspn(name, "/"));
    }
    cs_schedule_destroy(schedule);
    return label;
}

static int run_variants(struct cs_ptg_case *c, const struct cs_study_progress *progress,
                        struct cs_error *err)
{
    struct cs_study *study = &c->study;
    struct cs_ptg_seen *seen = study->outcome;

    if (c->known)
        return ptg_known_run(c, seen, err);
    cs_ptg_bounds_compute(c->supplied.instance[0], &c->bounds);
    for (int w = 0; w < study->variants; w++) {
        if (cs_watch_calls())
            return cs_watch_settle(-1, err);
        if (take_own(c, &c->variant[w], err) ||
            ptg_variant_make(c, c->supplied.instance[0], &c->variant[w], err))
            return -1;
        case_see(c, &c->variant[w], &seen[w]);
        if (progress)
            progress->show(progress->who, w + 1);
    }
    compare(study, seen);
    c->label = labels_of(c, c->variant[0].plan);
    return 0;
}

#define OUT_OF_MEMORY (-2) /* the guard has released what the run has made */

/* The plans of a run live as long as the case, not as long as the call that makes them. */
static int run_guarded(struct cs_ptg_case *c, const struct cs_study_progress *progress,
                       struct cs_error *err)
{
    int status;
    CS_GUARD_INNER(err, OUT_OF_MEMORY);

    status = run_variants(c, progress, err);
    cs_guard_leave_to(&guard_, cs_arena_guarded(c->study.arena));
    return status;
}

/* The pointers to plans that the guard has released. */
static void clear_variants(struct cs_ptg_case *c)
{
    for (int w = 0; w < c->study.variants; w++) {
        c->variant[w].metrics = c->variant[w].contended = NULL;
        c->variant[w].plan = c->variant[w].replayed = NULL;
    }
    if (c->known)
        c->supplied = (struct cs_ptg_input){0};
}

int cs_ptg_case_run(struct cs_study *study, const struct cs_study_progress *progress,
                    struct cs_error *err)
{
    struct cs_ptg_case *c = ptg_case_of(study);
    const int status = run_guarded(c, progress, err);

    if (status == OUT_OF_MEMORY)
        clear_variants(c);
    return status ? -1 : 0;
}

/* ---- identities ---- */

static void put_graph(struct cs_digest *digest, const struct cs_graph *graph)
{
    cs_digest_put_integer(digest, graph->tasks);
    for (int v = 0; v < graph->tasks; v++) {
        cs_digest_put_double(digest, graph->task[v].flops);
        cs_digest_put_double(digest, graph->task[v].alpha);
        if (graph->task[v].memory > 0 || graph->task[v].cores > 0) {
            cs_digest_put_double(digest, graph->task[v].memory);
            cs_digest_put_integer(digest, graph->task[v].cores);
        }
    }
    cs_digest_put_integer(digest, graph->arcs);
    for (int a = 0; a < graph->arcs; a++) {
        cs_digest_put_integer(digest, graph->arc[a].from);
        cs_digest_put_integer(digest, graph->arc[a].to);
        cs_digest_put_double(digest, graph->arc[a].bytes);
    }
}

static void put_platform(struct cs_digest *digest, const struct cs_platform *platform)
{
    cs_digest_put_integer(digest, platform->clusters);
    for (int c = 0; c < platform->clusters; c++) {
        cs_digest_put_integer(digest, platform->cluster[c].procs);
        cs_digest_put_double(digest, platform->cluster[c].speed);
        cs_digest_put_double(digest, platform->cluster[c].bandwidth);
        cs_digest_put_double(digest, platform->cluster[c].latency);
        if (platform->cluster[c].memory > 0)
            cs_digest_put_double(digest, platform->cluster[c].memory);
    }
    cs_digest_put_integer(digest, platform->backbone.shared_switch);
    cs_digest_put_double(digest, platform->backbone.bandwidth);
    cs_digest_put_double(digest, platform->backbone.latency);
}

void cs_ptg_identify(const struct cs_ptg_instance *const *instance, int platforms,
                     char text[CS_DIGEST_TEXT])
{
    int graphs = cs_ptg_instance_graphs(instance[0]);
    struct cs_digest digest;

    cs_digest_init(&digest);
    cs_digest_put_text(&digest, "ptg 1");
    cs_digest_put_integer(&digest, platforms);
    for (int p = 0; p < platforms; p++)
        put_platform(&digest, cs_ptg_instance_platform(instance[p]));
    cs_digest_put_integer(&digest, graphs);
    for (int g = 0; g < graphs; g++) {
        put_graph(&digest, cs_ptg_instance_graph(instance[0], g));
        cs_digest_put_double(&digest, cs_ptg_instance_release(instance[0], g));
    }
    cs_digest_finish(&digest, text);
}

void cs_ptg_case_identify(const struct cs_study *study, char text[CS_DIGEST_TEXT])
{
    const struct cs_ptg_case *c = ptg_case_in(study);

    if (c->known)
        memcpy(text, ptg_known_identity(c->known), CS_DIGEST_TEXT);
    else
        cs_ptg_identify((const struct cs_ptg_instance *const *)c->supplied.instance,
                        c->supplied.sites, text);
}

/* ---- one plan, kept ---- */

struct cs_kept *cs_ptg_case_record(const struct cs_study *study, int variant, long run,
                                   struct cs_error *err)
{
    const struct cs_ptg_case *c = ptg_case_in(study);
    struct cs_kept *kept = CS_NEW(study->arena, struct cs_kept);

    (void)run;
    (void)err;
    kept->schedule = cs_ptg_schedule(c->supplied.instance[0], c->variant[variant].plan);
    return kept;
}

void cs_ptg_case_put(const struct cs_study *study, const struct cs_kept *record, struct cs_jsonw *w)
{
    const struct cs_ptg_case *c = ptg_case_in(study);
    const struct cs_ptg_plan *plan = c->variant[0].plan;
    const struct cs_ptg_declared declared = {
        .graphs = c->supplied.list.graphs,
        .graph = (const struct cs_graph *const *)c->supplied.list.graph,
        .release = c->supplied.release,
        .fan = c->options.network == CS_PTG_NETWORK_FAN,
        .lower_bound = c->bounds.window,
        .share = plan->beta,
    };

    cs_keys_put(w, cs_keys_ptg, record->schedule, &declared);
}

void cs_ptg_case_discard(struct cs_kept *record)
{
    cs_schedule_destroy(record->schedule);
}

/* ---- generated graphs, written ---- */

static bool is_dot(const char *path)
{
    size_t length = strlen(path);

    return length > 4 && !strcmp(path + length - 4, ".dot");
}

/* "graphs.dot" becomes "graphs0.dot", "graphs1.dot", ... */
static int write_dots(struct cs_graph **graph, int count, const char *path, struct cs_error *err)
{
    struct cs_strbuf name = CS_STRBUF_INIT;
    int stem = (int)strlen(path) - 4, status = 0;

    for (int g = 0; g < count && !status; g++) {
        cs_strbuf_clear(&name);
        cs_strbuf_printf(&name, "%.*s%d.dot", stem, path, g);
        status = cs_graph_write(graph[g], name.text, err);
    }
    cs_strbuf_release(&name);
    return status;
}

static int write_list(struct cs_graph **graph, int count, const char *path, struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&text);
    int status;

    cs_graph_list_json_put(&w, count, (const struct cs_graph *const *)graph);
    cs_jsonw_end(&w);
    status = cs_file_write(path, text.text, text.length, err);
    cs_strbuf_release(&text);
    return status;
}

static int write_platform(const struct cs_platform *platform, const char *path,
                          struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&text);
    int status;

    cs_platform_json_put(&w, platform);
    cs_jsonw_end(&w);
    status = cs_file_write(path, text.text, text.length, err);
    cs_strbuf_release(&text);
    return status;
}

static int generate_trap(const struct cs_ptg_settings *o, const char *output, struct cs_error *err)
{
    struct cs_platform *platform = NULL;
    struct cs_graph *graph;
    int status;

    if (is_dot(output))
        return cs_error_set(err,
                            "--output: found %s, expected JSON: DOT has no place for what is "
                            "known of the optimum",
                            output);
    graph = cs_ptg_trap(o, &platform, err);
    if (!graph)
        return -1;
    status = o->platform_output ? write_platform(platform, o->platform_output, err) : 0;
    if (!status)
        status = cs_graph_write(graph, output, err);
    cs_graph_destroy(graph);
    cs_platform_destroy(platform);
    return status;
}

int cs_ptg_case_generate(const void *options, struct cs_error *err)
{
    const struct cs_ptg_settings *settings = options;
    const char *output = settings->study.output ? settings->study.output : "-";
    int count = (int)settings->count, status;
    struct cs_arena *arena = cs_arena_create();
    struct cs_graph **graph = CS_NEW_ARRAY(arena, struct cs_graph *, count);

    if (settings->trap.name) {
        cs_arena_destroy(arena);
        return generate_trap(settings, output, err);
    }
    status = cs_ptg_generator_make(settings, count, graph, err);
    if (!status && count == 1)
        status = cs_graph_write(graph[0], output, err);
    else if (!status)
        status = (is_dot(output) ? write_dots : write_list)(graph, count, output, err);
    for (int g = 0; g < count; g++)
        cs_graph_destroy(graph[g]);
    cs_arena_destroy(arena);
    return status;
}

/* ---- for a judge ---- */

static int tasks_of(const struct cs_ptg_input *supplied)
{
    int tasks = 0;

    for (int g = 0; g < supplied->list.graphs; g++)
        tasks += supplied->list.graph[g]->tasks;
    return tasks;
}

int cs_ptg_case_supplied(const struct cs_study *study, struct cs_schedule_file *file,
                         struct cs_error *err)
{
    const struct cs_ptg_case *c = ptg_case_in(study);
    const struct cs_ptg_input *supplied = &c->supplied;
    struct cs_ptg_declared *declared = CS_NEW(study->arena, struct cs_ptg_declared);

    if (cs_study_supplied_tasks(file, supplied->platform[0]->procs, tasks_of(supplied), NULL, err))
        return -1;
    cs_schedule_set_platform(file->schedule, supplied->platform[0], NULL);
    if (!file->ptg)
        return 0;
    *declared = *file->ptg;
    declared->graphs = supplied->list.graphs;
    declared->graph = (const struct cs_graph *const *)supplied->list.graph;
    declared->release = supplied->release;
    declared->fan = c->options.network == CS_PTG_NETWORK_FAN;
    file->ptg = declared;
    return 0;
}
