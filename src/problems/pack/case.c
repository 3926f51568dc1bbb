/* case.c - from options to a study of packs, to its plans, to a schedule. */
#include "problems/pack/case.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/stats.h"
#include "config.h"
#include "io/schedule_json.h"
#include "io/schedule_keys.h"
#include "model/extpol.h"
#include "model/schedule.h"
#include "problem/cache.h"
#include "problems/pack/coin.h"
#include "problems/pack/ilp.h"
#include "problems/pack/instance.h"
#include "problems/pack/pack.h"
#include "problems/pack/problem.h"
#include "problems/pack/strong.h"

#include <math.h>
#include <string.h>

/* A plan and its metrics in the words of a schedule file. */

static const struct cs_pack_declared_pack *declare_packs(const struct cs_pack_instance *in,
                                                         const struct cs_pack_plan *plan,
                                                         struct cs_arena *arena)
{
    struct cs_pack_declared_pack *pack =
        CS_NEW_ARRAY(arena, struct cs_pack_declared_pack, plan->packs);
    struct cs_pack_declared_task *entry =
        CS_NEW_ARRAY(arena, struct cs_pack_declared_task, plan->tasks);

    for (int b = 0; b < plan->packs; b++) {
        pack[b] = (struct cs_pack_declared_pack){
            .cost = plan->cost[b],
            .tasks = plan->first[b + 1] - plan->first[b],
            .task = entry + plan->first[b],
        };
        for (int a = plan->first[b]; a < plan->first[b + 1]; a++)
            entry[a] = (struct cs_pack_declared_task){
                .task = plan->task[a],
                .procs = plan->procs[a],
                .launched = in->tasks->supplied
                                ? cs_moldable_launched(in->tasks, plan->task[a], plan->procs[a])
                                : 0,
                .seconds = cs_pack_time(in, plan->task[a], plan->procs[a]),
            };
    }
    return pack;
}

static void declare_bound(struct cs_pack_declared *declared, double bound)
{
    declared->lower_bound = declared->gap = NAN;
    if (!(bound > 0))
        return;
    declared->lower_bound = fmin(bound, declared->cost);
    declared->gap = (declared->cost - declared->lower_bound) / declared->lower_bound;
}

struct cs_pack_declared *cs_pack_declare(const struct cs_pack_instance *instance,
                                         const struct cs_pack_plan *plan, double lower_bound,
                                         struct cs_arena *arena)
{
    struct cs_pack_declared *declared = CS_NEW(arena, struct cs_pack_declared);
    struct cs_pack_metrics metrics;

    cs_pack_metrics_compute(instance, plan, &metrics);
    *declared = (struct cs_pack_declared){
        .pack_size = instance->pack_size,
        .supplied = instance->tasks->supplied,
        .cost = metrics.cost,
        .one_pack_cost = metrics.one_pack_cost,
        .relative_cost = metrics.relative_cost,
        .packing_ratio = metrics.packing_ratio,
        .relative_response_time = metrics.relative_response_time,
        .packs = plan->packs,
        .pack = declare_packs(instance, plan, arena),
        .optimal = plan->optimal,
        .says_optimal = true,
        .packing_ratio_used = metrics.packing_ratio_used,
        .packing_ratio_minimal = metrics.packing_ratio_minimal,
        .smith_response_time = metrics.smith_response_time,
    };
    declare_bound(declared, fmax(lower_bound, plan->bound));
    return declared;
}

static struct cs_pack_case *pack_case_of(struct cs_study *study)
{
    return (struct cs_pack_case *)(void *)study;
}

static const struct cs_pack_case *pack_case_in(const struct cs_study *study)
{
    return (const struct cs_pack_case *)(const void *)study;
}

static int64_t whole_or(int64_t supplied, int64_t fallback)
{
    return supplied == CS_FIELD_NONE ? fallback : supplied;
}

int cs_pack_case_check(const void *options, struct cs_error *err)
{
    const struct cs_pack_options *o = options;

    if (o->policy && o->effort >= 0)
        return cs_error_set(err, "--policy and --effort both choose a policy: give one of them");
    return !o->study.input == (o->workload < 0)
               ? cs_error_set(err, "expected either workload or input")
               : 0;
}

/* ---- the instance ---- */

static struct cs_workload *case_generate(const struct cs_pack_options *o, int64_t procs,
                                         int64_t seed, struct cs_error *err)
{
    const struct cs_pack_generator generator = {
        .tasks = (int)o->tasks, .procs = (int)procs, .seed = (uint64_t)seed};

    return cs_pack_generate(cs_pack_workload_at(o->workload)->name, &generator, err);
}

static int get_workload(struct cs_pack_case *c, struct cs_error *err)
{
    const struct cs_pack_options *o = c->options;

    if (o->study.input) {
        c->workload = cs_launch_read(o->study.input, &o->launch, c->study.arena, err);
        return c->workload ? 0 : -1;
    }
    c->workload =
        case_generate(o, whole_or(o->procs, 0), whole_or(o->workload_seed, o->study.seed), err);
    return c->workload ? cs_launch_restrict(c->workload, &o->launch, c->study.arena, err) : -1;
}

static int make_instance(struct cs_pack_case *c, struct cs_error *err)
{
    const struct cs_pack_options *o = c->options;
    int said = c->workload->pack_size ? c->workload->pack_size : CS_PACK_UNLIMITED;
    int procs = (int)whole_or(o->procs, c->workload->procs);

    if (!procs && o->procs == CS_FIELD_NONE)
        return cs_error_set(err, "%s: number of processors is missing; give --procs P",
                            o->study.input);
    c->instance = cs_pack_instance_create_measured(
        c->workload, procs, (int)whole_or(o->pack_size, said), o->launch.margin, err);
    if (c->instance)
        return 0;
    return o->study.input ? cs_error_prefix(err, "%s", o->study.input) : -1;
}

/* ---- variants ---- */

/* A variant by effort gets the name of the policy that made its plan, once that exists. */
static int case_find_variants(struct cs_pack_case *c, struct cs_error *err)
{
    struct cs_arena *arena = c->study.arena;
    const char *const effort = "effort", *const *word = &effort;
    struct cs_policy_call *call;
    struct cs_variant *variant;
    int count;

    c->study.variants = 1;
    if (c->options->policy) {
        c->study.variants = cs_study_policies(c->study.problem->choice, c->options->policy, 0,
                                              arena, &call, &word, err);
        c->call = call;
        c->extpol = cs_extpol_create(c->options->policy_program, c->options->patience);
        cs_extpol_attach(c->extpol, cs_pack_policies(&count), call, c->study.variants);
    }
    if (c->study.variants < 0)
        return -1;
    variant = CS_NEW_ARRAY(arena, struct cs_variant, c->study.variants);
    c->plan = CS_NEW_ARRAY(arena, struct cs_pack_plan *, c->study.variants);
    c->why = CS_NEW_ARRAY(arena, struct cs_error, c->study.variants);
    for (int w = 0; w < c->study.variants; w++) {
        variant[w].word[0] = word[w];
        c->plan[w] = cs_pack_plan_create(c->workload->count);
    }
    c->study.variant = variant;
    return 0;
}

#define PROVED_TASKS 16   /* up to so many a plan by effort is proven anyway */
#define BOUNDED_TASKS 256 /* up to so many the strong bound takes less than a second, */
#define BOUNDED_TIMES 3e5 /* and up to so many tasks times processors */

static bool wants_strong(const struct cs_pack_case *c)
{
    int tasks = c->workload->count;

    if (c->options->bound >= 0)
        return c->options->bound == 1;
    return CS_HAVE_CBC && !c->no_prices && c->verb == CS_PLAN && !c->call &&
           c->options->effort != CS_PACK_EFFORT_FAST && tasks > PROVED_TASKS &&
           tasks <= BOUNDED_TASKS &&
           (double)tasks * cs_pack_instance_procs(c->instance) <= BOUNDED_TIMES;
}

/* A bound that no option requests is omitted where its libraries are missing. */
static void find_prices(struct cs_pack_case *c, const struct cs_study_context *context)
{
    struct cs_error why = {0};

    if (c->options->bound >= 0 || !wants_strong(c) || !cs_pack_coin_load(&why))
        return;
    c->no_prices = true;
    cs_study_warn(context, "the bound is the cheap one: %s", why.text);
}

struct cs_study *cs_pack_case_open(const void *options, const struct cs_study_context *context,
                                   struct cs_error *err)
{
    struct cs_pack_case *c = cs_study_create(&cs_problem_pack, options, sizeof *c);

    c->options = options;
    c->verb = context->verb;
    c->study.runs = 1;
    c->study.certain = true;
    if (get_workload(c, err) || make_instance(c, err) || case_find_variants(c, err)) {
        c->study.variants = c->plan ? c->study.variants : 0;
        cs_study_close(&c->study);
        return NULL;
    }
    c->runs = cs_launch_report_runs(c->workload, &c->options->launch, c->study.arena);
    cs_study_warn_lines(context, c->workload->remark);
    find_prices(c, context);
    return &c->study;
}

void cs_pack_case_close(struct cs_study *study)
{
    struct cs_pack_case *c = pack_case_of(study);

    for (int w = 0; w < study->variants; w++)
        cs_pack_plan_destroy(c->plan[w]);
    cs_extpol_destroy(c->extpol);
    cs_pack_instance_destroy(c->instance);
    cs_workload_destroy(c->workload);
}

/* ---- the plans ---- */

#define PATIENCE_FOR_ONE 60
#define PATIENCE_FOR_EACH 10

/* How long one policy, or the strong bound, may take; infinite: as long as it wants. */
static double case_patience(const struct cs_pack_case *c)
{
    if (!isnan(c->options->time_limit))
        return c->options->time_limit;
    if (c->verb == CS_EXPERIMENT)
        return INFINITY;
    return c->study.variants > 1 ? PATIENCE_FOR_EACH : PATIENCE_FOR_ONE;
}

/* Patience begins now. */
static struct cs_pack_request request_for(const struct cs_pack_case *c,
                                          struct cs_deadline *deadline)
{
    double limit = case_patience(c);

    *deadline = cs_deadline_in(limit);
    return (struct cs_pack_request){
        .seed = (uint64_t)c->study.options->seed,
        .threads = cs_study_threads(&c->study),
        .expired = isfinite(limit) ? cs_deadline_expired : NULL,
        .who = deadline,
    };
}

static int find_bound(struct cs_pack_case *c, struct cs_error *err)
{
    struct cs_deadline deadline;
    struct cs_pack_request request = request_for(c, &deadline);
    struct cs_pack_bounds bounds;

    cs_pack_bounds_compute(c->instance, &bounds);
    c->cheap = c->bound = bounds.best;
    if (!wants_strong(c))
        return 0;
    if (cs_pack_bound_priced(c->instance, &request, &c->priced, &c->prices, c->study.arena, err))
        return -1;
    c->bound = c->priced;
    return 0;
}

static int plan_once(const struct cs_pack_case *c, int variant, double *seconds,
                     struct cs_error *err)
{
    struct cs_deadline deadline;
    struct cs_pack_request request = request_for(c, &deadline);
    int effort = c->options->effort < 0 ? CS_PACK_EFFORT_DEFAULT : c->options->effort;
    double start = cs_clock_now();
    int status;

    if (c->call) {
        request.call = c->call[variant];
        status = cs_pack_plan_make(c->instance, &request, c->plan[variant], err);
    } else {
        status = cs_pack_effort_plan(c->instance, (enum cs_pack_effort)effort, &request,
                                     c->plan[variant], err);
    }
    *seconds = cs_clock_now() - start;
    return status;
}

/* Quick policies side by side are timed again, so that the figure is worth printing. */
#define RUNS 9
#define QUICK 0.02

static int plan_timed(const struct cs_pack_case *c, int variant, double *milliseconds,
                      struct cs_error *err)
{
    bool asked = c->options->repeat != CS_FIELD_NONE;
    long most = asked ? (long)c->options->repeat : c->study.variants > 1 ? RUNS : 1, runs = 0;
    double *seconds = CS_NEW_ARRAY(c->study.arena, double, most);

    do {
        if (plan_once(c, variant, &seconds[runs++], err))
            return -1;
    } while (runs < most && (asked || seconds[0] < QUICK));
    *milliseconds = asked || c->verb != CS_EXPERIMENT
                        ? 1000 * cs_stats_quantile(seconds, (int)runs, 0.5, c->study.arena)
                        : NAN;
    return 0;
}

static const struct cs_policy *policy_of(const struct cs_pack_case *c, int variant)
{
    int count;

    return c->call ? cs_pack_policies(&count)[c->call[variant].policy] : NULL;
}

static const char *chosen_in(const struct cs_pack_plan *plan)
{
    for (int i = 0; i < CS_PACK_NOTES && plan->note[i].name; i++)
        if (!strcmp(plan->note[i].name, "chosen"))
            return plan->note[i].word;
    return "nothing to do";
}

static bool is_trimmed(const struct cs_pack_case *c)
{
    return c->options->hand_out < 0 ? c->verb != CS_EXPERIMENT
                                    : c->options->hand_out == CS_PACK_USED;
}

/* In an experiment a policy that this build lacks has no values; next to others, nor has one that
 * fails. */
static int plan_variant(struct cs_pack_case *c, int variant, struct cs_pack_seen *seen,
                        struct cs_error *err)
{
    const struct cs_policy *policy = policy_of(c, variant);
    const struct cs_pack_plan *plan = c->plan[variant];

    if (c->verb == CS_EXPERIMENT && policy && policy->missing)
        return 0;
    if (plan_timed(c, variant, &seen->milliseconds, c->study.variants > 1 ? &c->why[variant] : err))
        return c->study.variants > 1 ? 0 : -1;
    if (is_trimmed(c))
        cs_pack_plan_trim(c->instance, c->plan[variant]);
    seen->made = true;
    seen->packs = plan->packs;
    seen->optimal = plan->optimal;
    seen->bound = plan->optimal ? plan->total : fmax(c->bound, plan->bound);
    cs_pack_metrics_compute(c->instance, plan, &seen->metrics);
    return 0;
}

#define ALIKE (1 + 1e-12)

static const char *remark_on(const struct cs_pack_case *c, int variant, double best)
{
    const struct cs_pack_seen *seen = cs_study_outcome(&c->study, variant, 0);

    if (!seen->made)
        return policy_of(c, variant)->missing ? policy_of(c, variant)->missing : "see below";
    return seen->optimal ? "optimal" : seen->metrics.cost <= best * ALIKE ? "best" : "";
}

/* A bound that one policy proves holds for all. */
static void compare(struct cs_pack_case *c)
{
    struct cs_pack_seen *seen = c->study.outcome;
    const char **remark = CS_NEW_ARRAY(c->study.arena, const char *, c->study.variants);
    double best = INFINITY;

    for (int w = 0; w < c->study.variants; w++)
        if (seen[w].made) {
            best = fmin(best, seen[w].metrics.cost);
            c->bound = fmax(c->bound, seen[w].bound);
        }
    c->bound = fmin(c->bound, best);
    for (int w = 0; w < c->study.variants; w++) {
        seen[w].bound = c->bound;
        remark[w] = remark_on(c, w, best);
    }
    c->study.remark = remark;
}

int cs_pack_case_run(struct cs_study *study, const struct cs_study_progress *progress,
                     struct cs_error *err)
{
    struct cs_pack_case *c = pack_case_of(study);
    struct cs_pack_seen *seen = study->outcome;

    if (c->options->write_lp &&
        cs_pack_ilp_write(c->instance, (const char *const *)c->workload->name, c->options->write_lp,
                          err))
        return -1;
    if (find_bound(c, err))
        return -1;
    for (int w = 0; w < study->variants; w++) {
        if (plan_variant(c, w, &seen[w], err))
            return -1;
        if (progress)
            progress->show(progress->who, w + 1);
    }
    if (!c->call) {
        struct cs_variant *variant = CS_NEW(study->arena, struct cs_variant);

        variant->word[0] = chosen_in(c->plan[0]);
        study->variant = variant;
    }
    if (study->variants > 1)
        compare(c);
    return 0;
}

void cs_pack_case_identify(const struct cs_study *study, char text[CS_DIGEST_TEXT])
{
    const struct cs_pack_case *c = pack_case_in(study);
    struct cs_digest digest;

    cs_digest_init(&digest);
    cs_digest_put_text(&digest, "pack 1");
    cs_digest_put_integer(&digest, cs_pack_instance_procs(c->instance));
    cs_digest_put_integer(&digest, cs_pack_instance_pack_size(c->instance));
    cs_digest_put_integer(&digest, c->workload->count);
    for (int i = 0; i < c->workload->count; i++)
        cs_identity_put_profile(&digest, &c->workload->profile[i]);
    cs_digest_finish(&digest, text);
}

/* ---- one plan, kept ---- */

#define CERTAIN (1 + 1e-10)

/* The proof of a bound that is above the cheap ones: prices, or the search of a policy. */
static struct cs_pack_certificate case_certify(const struct cs_pack_case *c, double bound)
{
    struct cs_pack_certificate by = {0};

    if (!(bound > c->cheap * CERTAIN))
        return by;
    by = c->prices;
    by.search = !by.price || bound > c->priced * CERTAIN;
    return by;
}

/* A variant that failed among others has no plan. */
static int check_made(const struct cs_pack_case *c, int variant, struct cs_error *err)
{
    const struct cs_pack_seen *seen = cs_study_outcome(&c->study, variant, 0);

    if (seen->made)
        return 0;
    return *c->why[variant].text ? cs_error_pass(err, &c->why[variant])
                                 : cs_error_set(err, "there is no plan");
}

static struct cs_kept *case_record(const struct cs_pack_case *c, int variant)
{
    const struct cs_study *study = &c->study;
    struct cs_pack_kept *kept = CS_NEW(study->arena, struct cs_pack_kept);
    struct cs_platform *platform =
        cs_platform_homogeneous(study->options->unit, cs_pack_instance_procs(c->instance), NULL);
    struct cs_schedule *schedule =
        cs_pack_schedule(c->instance, c->plan[variant], (enum cs_pack_order)c->options->order);
    struct cs_pack_declared *declared =
        cs_pack_declare(c->instance, c->plan[variant], c->bound, study->arena);

    cs_schedule_set_platform(schedule, platform, NULL);
    cs_platform_destroy(platform);
    declared->certificate = case_certify(c, declared->lower_bound);
    *kept = (struct cs_pack_kept){
        {schedule, c->workload},
        c->plan[variant],
        declared,
    };
    return &kept->record;
}

struct cs_kept *cs_pack_case_record(const struct cs_study *study, int variant, long run,
                                    struct cs_error *err)
{
    const struct cs_pack_case *c = pack_case_in(study);

    (void)run;
    return check_made(c, variant, err) ? NULL : case_record(c, variant);
}

static void put_notes(const struct cs_pack_plan *plan, struct cs_jsonw *w)
{
    cs_jsonw_key(w, "notes");
    cs_jsonw_open(w, '{');
    for (int i = 0; i < CS_PACK_NOTES && plan->note[i].name; i++)
        if (plan->note[i].word)
            cs_jsonw_put_string(w, plan->note[i].name, plan->note[i].word);
        else
            cs_jsonw_put_double(w, plan->note[i].name, plan->note[i].number);
    cs_jsonw_close(w);
}

void cs_pack_case_put(const struct cs_study *study, const struct cs_kept *record,
                      struct cs_jsonw *w)
{
    const struct cs_pack_kept *kept = (const struct cs_pack_kept *)(const void *)record;

    cs_keys_put(w, cs_keys_pack, record->schedule, kept->declared);
    cs_jsonw_put_int(w, "seed", study->options->seed);
    put_notes(kept->plan, w);
}

void cs_pack_case_discard(struct cs_kept *record)
{
    cs_schedule_destroy(record->schedule);
}

int cs_pack_case_generate(const void *options, struct cs_error *err)
{
    const struct cs_pack_options *o = options;
    struct cs_workload *workload = case_generate(o, o->made_for, o->study.seed, err);
    int status = workload ? cs_workload_write(workload, workload->source,
                                              o->study.output ? o->study.output : "-", err)
                          : -1;

    cs_workload_destroy(workload);
    return status;
}

/* ---- for a judge ---- */

int cs_pack_case_supplied(const struct cs_study *study, struct cs_schedule_file *file,
                          struct cs_error *err)
{
    const struct cs_pack_case *c = pack_case_in(study);
    struct cs_pack_declared *declared = CS_NEW(study->arena, struct cs_pack_declared);

    if (cs_study_supplied_tasks(file, cs_pack_instance_procs(c->instance), c->workload->count,
                                c->workload->name, err))
        return -1;
    file->workload = c->workload;
    if (!file->pack)
        return 0;
    *declared = *file->pack;
    declared->pack_size = cs_pack_instance_pack_size(c->instance);
    file->pack = declared;
    return 0;
}
