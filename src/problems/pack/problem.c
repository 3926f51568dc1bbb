/* problem.c - the problem pack, described once (problem/problem.h). */
#include "problems/pack/problem.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/stats.h"
#include "config.h"
#include "io/schedule_json.h"
#include "io/schedule_keys.h"
#include "model/extpol.h"
#include "model/schedule.h"
#include "problem/cache.h"
#include "problem/inputs.h"
#include "problem/problem.h"
#include "problem/rows.h"
#include "problems/pack/coin.h"
#include "problems/pack/ilp.h"
#include "problems/pack/instance.h"
#include "problems/pack/pack.h"
#include "problems/pack/strong.h"

#include <math.h>
#include <string.h>

/* From options to a study of packs, to its plans, to a schedule. */

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

#define TRAPS "three-partition|parallel"

static int pack_check_trap(const struct cs_pack_options *o, struct cs_error *err)
{
    if (o->study.input || o->workload >= 0)
        return cs_error_set(err, "--trap makes the tasks: it cannot be set with workload or input");
    return cs_trap_check("pack", TRAPS, o->trap.name, err);
}

static int pack_case_check(const void *options, struct cs_error *err)
{
    const struct cs_pack_options *o = options;

    if (o->policy && o->effort >= 0)
        return cs_error_set(err, "--policy and --effort both choose a policy: give one of them");
    if (o->trap.name)
        return pack_check_trap(o, err);
    return !o->study.input == (o->workload < 0)
               ? cs_error_set(err, "expected one of workload, input and trap")
               : 0;
}

/* ---- the instance ---- */

static struct cs_workload *case_generate(const struct cs_pack_options *o, int64_t procs,
                                         int64_t seed, struct cs_error *err)
{
    const struct cs_pack_generator generator = {
        .tasks = (int)o->tasks, .procs = (int)procs, .seed = (uint64_t)seed};

    if (o->trap.name)
        return cs_trap_workload_pack(&o->trap, o->pack_size, o->tasks, procs, (uint64_t)seed,
                                     (uint64_t)o->set, err);
    return cs_pack_generate(cs_pack_workload_at(o->workload)->name, &generator, err);
}

static int get_workload(struct cs_pack_case *c, struct cs_error *err)
{
    const struct cs_pack_options *o = c->options;

    if (o->study.input) {
        c->workload = cs_launch_read(cs_inputs_paths(&o->study, c->study.arena), &o->launch, false,
                                     c->study.arena, err);
        return c->workload ? 0 : -1;
    }
    c->workload = case_generate(o, cs_param_or(o->procs, 0),
                                cs_param_or(o->workload_seed, o->study.seed), err);
    return c->workload ? cs_launch_restrict(c->workload, &o->launch, c->study.arena, err) : -1;
}

static int make_instance(struct cs_pack_case *c, struct cs_error *err)
{
    const struct cs_pack_options *o = c->options;
    int said = c->workload->pack_size ? c->workload->pack_size : CS_PACK_UNLIMITED;
    int procs = (int)cs_param_or(o->procs, c->workload->procs);

    if (!procs && o->procs == CS_PARAM_NONE)
        return cs_error_set(err, "%s: number of processors is missing; give --procs P",
                            o->study.input);
    c->instance = cs_pack_instance_create_measured(
        c->workload, procs, (int)cs_param_or(o->pack_size, said), o->launch.margin, err);
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
    return CS_HAVE_CBC && !c->no_prices && c->action == CS_PLAN && !c->call &&
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

static struct cs_study *pack_case_open(const void *options, const struct cs_study_context *context,
                                       struct cs_error *err)
{
    struct cs_pack_case *c = cs_study_create(&cs_problem_pack, options, sizeof *c);

    c->options = options;
    c->action = context->action;
    c->study.runs = 1;
    c->study.certain = true;
    if (get_workload(c, err) || make_instance(c, err) || case_find_variants(c, err)) {
        c->study.variants = c->plan ? c->study.variants : 0;
        cs_study_close(&c->study);
        return NULL;
    }
    c->runs = cs_launch_report_runs(c->workload, &c->options->launch, c->study.arena);
    cs_study_warn_lines(context, c->workload->remark);
    cs_study_know(&c->study, c->workload->known, cs_pack_instance_procs(c->instance),
                  cs_pack_instance_pack_size(c->instance), context);
    find_prices(c, context);
    return &c->study;
}

static void pack_case_close(struct cs_study *study)
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
    if (c->action == CS_EXPERIMENT)
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
    bool asked = c->options->repeat != CS_PARAM_NONE;
    long most = asked ? (long)c->options->repeat : c->study.variants > 1 ? RUNS : 1, runs = 0;
    double *seconds = CS_NEW_ARRAY(c->study.arena, double, most);

    do {
        if (plan_once(c, variant, &seconds[runs++], err))
            return -1;
    } while (runs < most && (asked || seconds[0] < QUICK));
    *milliseconds = asked || c->action != CS_EXPERIMENT
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
    return c->options->hand_out < 0 ? c->action != CS_EXPERIMENT
                                    : c->options->hand_out == CS_PACK_USED;
}

/* The number that the plan notes under this name, or NaN. */
static double plan_noted(const struct cs_pack_plan *plan, const char *name)
{
    for (int i = 0; i < CS_PACK_NOTES && plan->note[i].name; i++)
        if (!strcmp(plan->note[i].name, name))
            return plan->note[i].number;
    return NAN;
}

/* In an experiment a policy that this build lacks has no values; next to others, nor has one that
 * fails. */
static int plan_variant(struct cs_pack_case *c, int variant, struct cs_pack_seen *seen,
                        struct cs_error *err)
{
    const struct cs_policy *policy = policy_of(c, variant);
    const struct cs_pack_plan *plan = c->plan[variant];

    if (c->action == CS_EXPERIMENT && policy && policy->missing)
        return 0;
    if (plan_timed(c, variant, &seen->milliseconds, c->study.variants > 1 ? &c->why[variant] : err))
        return c->study.variants > 1 ? 0 : -1;
    if (is_trimmed(c))
        cs_pack_plan_trim(c->instance, c->plan[variant]);
    seen->made = true;
    seen->packs = plan->packs;
    seen->iterations = plan_noted(plan, "iterations");
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

static int pack_case_run(struct cs_study *study, const struct cs_study_progress *progress,
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

static struct cs_kept *pack_case_record(const struct cs_study *study, int variant, long run,
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

static void pack_case_put(const struct cs_study *study, const struct cs_kept *record,
                          struct cs_jsonw *w)
{
    const struct cs_pack_kept *kept = (const struct cs_pack_kept *)(const void *)record;

    cs_keys_put(w, cs_keys_pack, record->schedule, kept->declared);
    cs_jsonw_put_int(w, "seed", study->options->seed);
    put_notes(kept->plan, w);
}

static void pack_case_discard(struct cs_kept *record)
{
    cs_schedule_destroy(record->schedule);
}

static int pack_case_generate(const void *options, struct cs_error *err)
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

/* For a judge: see cs_problem.given. */
static int pack_case_supplied(const struct cs_study *study, struct cs_schedule_file *file,
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

#define AT(member) offsetof(struct cs_pack_options, member)

enum { ANY = CS_PLAN | CS_EXPERIMENT };

static void policy_words(struct cs_strbuf *words)
{
    cs_study_policy_words(&cs_problem_pack.choice[0], words);
}

static const struct cs_param params[] = {
    CS_ROW_INPUTS("the applications, instead of workload"),
    {.name = "workload",
     .letter = 'w',
     .kind = CS_PARAM_CHOICE,
     .choices = "i|ii-a|ii-b|iii-a|iii-b|random|formula",
     .summary = "i, ii-a ... iii-b: stand-ins for the paper's three workloads; random: sampled; "
                "formula: Amdahl's law with overhead, for very many tasks",
     .actions = CS_GENERATOR,
     .scope = CS_SCOPE_GENERATOR,
     .at = AT(workload)},
    CS_ROW_COUNT("tasks", "0", 0, 100000000, "of random and formula; 0: 65", AT(tasks)),
    {.name = "workload-seed",
     .kind = CS_PARAM_INTEGER,
     .argument = "S",
     .low = 0,
     .high = 9007199254740992.0,
     .summary = "of random workloads; default: the replicate's own",
     .actions = CS_EXPERIMENT,
     .scope = CS_SCOPE_GENERATOR,
     .at = AT(workload_seed)},
    {.name = "procs",
     .letter = 'p',
     .kind = CS_PARAM_INTEGER,
     .argument = "P",
     .default_text = "0",
     .low = 0,
     .high = 100000000,
     .summary = "processors that the times are made for; 0: those of the paper",
     .actions = CS_GENERATE,
     .scope = CS_SCOPE_GENERATOR,
     .at = AT(made_for)},
    CS_ROW_SEED("of random and formula, and of traps", CS_GENERATE),
    CS_ROW_OUTPUT("FILE.json", CS_GENERATE),
    CS_ROW_TRAP(TRAPS,
                "instead of a workload: tasks of 3-PARTITION (packs of 3 or more), or more "
                "perfectly parallel tasks than processors",
                CS_GENERATOR, AT(trap)),
    CS_ROWS_TRAP_PARTITION(CS_GENERATOR, AT(trap)),
    {.name = "set",
     .needs = "trap",
     .kind = CS_PARAM_INTEGER,
     .argument = "I",
     .default_text = "0",
     .high = 9007199254740992.0,
     .summary = "another number, another instance of the trap",
     .actions = CS_GENERATOR,
     .scope = CS_SCOPE_GENERATOR,
     .at = AT(set)},
    CS_ROW_PROCS("Applications and machine", 1, ANY, AT(procs)),
    {.name = "pack-size",
     .letter = 'k',
     .kind = CS_PARAM_INTEGER,
     .argument = "K",
     .low = 1,
     .high = 100000000,
     .summary = "most tasks in a pack; default: as many as processors, of the trap "
                "three-partition 3",
     .actions = ANY | CS_GENERATE,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(pack_size)},
    CS_ROWS_LAUNCH("The tasks", ANY, AT(launch)),
    {.name = "assign",
     .old = "hand-out",
     .old_stored = true,
     .kind = CS_PARAM_CHOICE,
     .choices = "used|all",
     .group = "How it is planned",
     .summary = "processors that tasks hold: the fewest that keep the costs, or all that there are "
                "(Algorithm 1); default: used, in an experiment all",
     .actions = ANY,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(hand_out)},
    {.name = "policy",
     .kind = CS_PARAM_TEXT,
     .argument = "NAME[:PARAM=VALUE,...]",
     .values = policy_words,
     .policies = &cs_problem_pack.choice[0],
     .list = true,
     .summary =
         "the policy, see 'cosched list pack'; several with commas between them, or all, are "
         "compared in a table",
     .actions = ANY,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(policy)},
    CS_ROWS_PROGRAM("packs", ANY, AT(policy_program), AT(patience)),
    {.name = "effort",
     .kind = CS_PARAM_CHOICE,
     .choices = "fast|default|high|exact",
     .summary = "instead of a policy: how hard to try; default: default",
     .actions = ANY,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(effort)},
    {.name = "time-limit",
     .kind = CS_PARAM_SECONDS,
     .argument = "TIME",
     .low = 0,
     .high = 1e9,
     .summary = "searches end after this time with the best plan so far and its proven gap; "
                "default: 60 s, 10 s for each of several policies, none in an experiment",
     .actions = ANY,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(time_limit)},
    {.name = "bound",
     .kind = CS_PARAM_CHOICE,
     .choices = "cheap|strong",
     .summary = "the lower bound that the gap is measured against; strong is column generation, "
                "within the time limit; default: strong for a plan by effort of up to 256 tasks "
                "and 300,000 tasks times processors, where the build can",
     .actions = ANY,
     .at = AT(bound)},
    {.name = "repeat",
     .kind = CS_PARAM_INTEGER,
     .argument = "N",
     .low = 1,
     .high = 1000000,
     .summary = "how often the planning is timed, the median counts; default: once, 9 times for "
                "quick policies side by side, never in an experiment",
     .actions = ANY,
     .at = AT(repeat)},
    CS_ROW_SEED("for the policies that draw at random", CS_PLAN),
    CS_ROW_THREADS(CS_PLAN),
    CS_ROWS_ENERGY(ANY),
    CS_ROW_FORMAT("Output", CS_PLAN),
    {.name = "output",
     .letter = 'o',
     .kind = CS_PARAM_PATH,
     .argument = "FILE.json",
     .summary = "write the plan as JSON (cosched-schedule-1), which 'cosched check' judges",
     .actions = CS_PLAN,
     .at = CS_STUDY_AT(schedule),
     .old = "schedule",
     .old_stays = true},
    CS_ROW_PROCESSORS(CS_PLAN),
    CS_ROW_GANTT("draw the plan", CS_PLAN),
    CS_ROW_SBATCH("; with --unit node each task on its own nodes"),
    {.name = "order",
     .kind = CS_PARAM_CHOICE,
     .choices = "creation|cost|smith",
     .default_text = "creation",
     .summary = "how the packs follow one another: as made, shortest first, or by least cost for "
                "each task, which is best for the mean response time",
     .actions = CS_PLAN,
     .at = AT(order)},
    {.name = "write-lp",
     .kind = CS_PARAM_PATH,
     .argument = "FILE.lp",
     .summary = "write the integer program of the paper (Theorem 4) in LP format, for any solver",
     .actions = CS_PLAN,
     .at = AT(write_lp)},
    CS_ROW_UNIT(CS_PLAN),
    CS_ROW_TITLE(CS_PLAN),
    CS_ROW_DARK(CS_PLAN),
    {0},
};

#define VALUE(id, expression)                                                                      \
    static double id(const struct cs_study *study, const void *one)                                \
    {                                                                                              \
        const struct cs_pack_seen *o = one;                                                        \
                                                                                                   \
        (void)study;                                                                               \
        return o->made ? expression : NAN;                                                         \
    }

VALUE(cost, o->metrics.cost)
VALUE(gap, o->metrics.cost / o->bound - 1)
VALUE(packs, o->packs)
VALUE(relative_cost, o->metrics.relative_cost)
VALUE(packing_ratio, o->metrics.packing_ratio)
VALUE(packing_ratio_used, o->metrics.packing_ratio_used)
VALUE(relative_response_time, o->metrics.relative_response_time)
VALUE(milliseconds, o->milliseconds)
VALUE(iterations, o->iterations)
VALUE(one_pack_cost, o->metrics.one_pack_cost)
VALUE(packing_ratio_minimal, o->metrics.packing_ratio_minimal)
VALUE(smith_response_time, o->metrics.smith_response_time)
VALUE(bound, o->bound)
VALUE(optimal, o->optimal)
VALUE(known_gap, cs_study_known_gap(study, o->metrics.cost))

static double pack_least_work(const struct cs_pack_case *c)
{
    double work = 0;

    for (int i = 0; c->study.energy && i < c->workload->count; i++) {
        double least = INFINITY;

        for (int j = 1; j <= cs_pack_instance_procs(c->instance); j++)
            least = fmin(least, j * cs_pack_time(c->instance, i, j));
        work += least;
    }
    return work;
}

VALUE(energy_bound,
      cs_study_energy_bound(study, cs_pack_instance_procs(pack_case_in(study)->instance), o->bound,
                            pack_least_work(pack_case_in(study))))

CS_FUNCTIONS_ENERGY

static const struct cs_value values[] = {
    {"cost", "cost", "sum of the pack costs, seconds", .kind = CS_VALUE_SECONDS, .in = CS_IN_ALL,
     .column = "cost", .digits = 7, .of = cost},
    {"gap", "gap", "cost / lower bound - 1", .kind = CS_VALUE_SHARE, .in = CS_IN_ALL,
     .column = "gap", .digits = 2, .of = gap},
    {"packs", "packs", "number of packs", .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL,
     .column = "packs", .of = packs},
    {"relative_cost", "relative cost", "cost / one_pack_cost", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_ALL, .column = "relative cost", .digits = 4, .of = relative_cost},
    {"packing_ratio", "packing ratio", "held share of the processors' time",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL, .column = "packing", .unit = "ratio", .digits = 4,
     .of = packing_ratio},
    {"relative_response_time", "relative response time",
     "mean response / that of shortest task first", .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL,
     .column = "response", .unit = "relative", .digits = 4, .of = relative_response_time},
    {"milliseconds", "planned in (ms)", "time to plan, median of `repeat` times",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL, .column = "planned in", .unit = "ms", .digits = 4,
     .measured = true, .of = milliseconds},
    {"iterations", "iterations", "iterations that PACK-APPROX needs, where a plan notes them",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_EXPERIMENTS, .later = true, .of = iterations},
    {"one_pack_cost", "cost of one pack per task", "cost of one pack per task, seconds",
     .kind = CS_VALUE_SECONDS, .in = CS_IN_EXPERIMENTS, .of = one_pack_cost},
    {"packing_ratio_used", "packing ratio, used",
     "packing_ratio with the counts that tasks are launched on", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_EXPERIMENTS, .of = packing_ratio_used},
    {"packing_ratio_minimal", "packing ratio, minimal",
     "packing_ratio with no processor given in vain", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_EXPERIMENTS, .of = packing_ratio_minimal},
    {"smith_response_time", "response time, best order",
     "relative_response_time, packs in the best order", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_EXPERIMENTS, .of = smith_response_time},
    {"lower_bound", "lower bound", "a lower bound on the cost, seconds", .kind = CS_VALUE_SECONDS,
     .in = CS_IN_EXPERIMENTS, .old = "bound", .of = bound},
    {"optimal", "optimal", "1 when proven, else 0", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_EXPERIMENTS, .of = optimal},
    CS_VALUE_KNOWN_GAP("cost"),
    CS_VALUES_ENERGY_BOUND,
    {0},
};

/* The policy exact plans small workloads without linear programs. */
static int policy_ready(const struct cs_policy *policy, struct cs_error *err)
{
    return strcmp(policy->name, "ilp") == 0 ? cs_pack_coin_check(err) : 0;
}

const struct cs_problem cs_problem_pack = {
    .name = "pack",
    .summary = "which applications run together, on how many processors each, so that the packs "
               "run one after the other finish soonest",
    .param = params,
    .value = values,
    .choice = {{"policy", "policies", cs_pack_policies}},
    .variant = {"policy"},
    .options = sizeof(struct cs_pack_options),
    .outcome = sizeof(struct cs_pack_seen),
    .check = pack_case_check,
    .ready = policy_ready,
    .open = pack_case_open,
    .close = pack_case_close,
    .run = pack_case_run,
    .identify = cs_pack_case_identify,
    .record = pack_case_record,
    .put = pack_case_put,
    .discard = pack_case_discard,
    .supplied = pack_case_supplied,
    .generate = pack_case_generate,
};
