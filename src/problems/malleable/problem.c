/* problem.c - the problem malleable, described once (problem/problem.h): its parameters
 * (`params`), its metrics (`values`) and its runs.
 *
 * Scenarios are independent runs.  Each worker owns a simulation and a trace, and out[s] depends
 * on instance, rules, source and s only, so that results are the same for any number of
 * threads.  With a list of failures, scenario 0 is the list; scenario s > 0 begins at a uniform
 * moment of it and wraps around.
 *
 * To add a parameter: a row of `params`, a member of cs_malleable_options, its use below.
 * To add a metric: a VALUE line and a row of `values`.
 */
#include "problems/malleable/problem.h"

#include "base/arena.h"
#include "base/rng.h"
#include "io/faults.h"
#include "io/schedule_json.h"
#include "io/schedule_keys.h"
#include "model/extpol.h"
#include "model/schedule.h"
#include "model/workload.h"
#include "problem/cache.h"
#include "problem/inputs.h"
#include "problem/launch.h"
#include "problem/problem.h"
#include "problem/rows.h"
#include "problems/malleable/malleable.h"
#include "problems/malleable/optimum.h"
#include "problems/malleable/simulate.h"

#include <limits.h>
#include <math.h>

/* From options to a case of malleable applications, to its runs, to a schedule.
 *
 * Order of opening: workload, machine, failures (a list can give the mtbf), instance, then the
 * variants: all pairs of the policies at an end and at a failure, or the one that the portfolio
 * (tune.c) chooses.  The reference of comparisons is the variant without redistribution, if
 * present.
 *
 * Defaults: an MTBF of 100 years and, for generated tasks, 1,000 processors are the paper's
 * (spec/malleable.md 11); 100 scenarios are our choice, not measured at half or at double.
 * Invariant: tasks get the checkpoint and data of the file before those of the options, and the
 * identity of a case covers tasks and platform, not rules or seed.
 */

/* The keys of a schedule file that describe a run of malleable applications.
 *
 * The checker (src/check/malleable.c) judges a run by them with separate code, so all that
 * decides a schedule must be here: machine, rules, failures with their effects.  Areas, lower
 * bound and fatal failures are declared to be compared.
 */

static int count_faults(const struct cs_malleable_record *record)
{
    int faults = 0;

    for (int m = 0; m < record->marks; m++)
        faults += record->mark[m].kind == CS_MALLEABLE_FAILURE;
    return faults;
}

static const struct cs_malleable_declared_fault *
declare_faults(const struct cs_malleable_record *record, int faults, struct cs_arena *arena)
{
    struct cs_malleable_declared_fault *fault =
        CS_NEW_ARRAY(arena, struct cs_malleable_declared_fault, faults);
    int next = 0;

    for (int m = 0; m < record->marks; m++) {
        const struct cs_malleable_mark *mark = &record->mark[m];

        if (mark->kind == CS_MALLEABLE_FAILURE)
            fault[next++] = (struct cs_malleable_declared_fault){
                mark->time, mark->processor, cs_malleable_effect_name(mark->effect), mark->disk};
    }
    return fault;
}

const struct cs_malleable_declared *
cs_malleable_declare(const struct cs_malleable_instance *instance,
                     const struct cs_malleable_rules *rules,
                     const struct cs_malleable_record *record, struct cs_arena *arena)
{
    const struct cs_malleable_platform *platform = cs_malleable_instance_platform(instance);
    const struct cs_malleable_areas *area = &record->outcome.area;
    int count;
    struct cs_malleable_declared *declared = CS_NEW(arena, struct cs_malleable_declared);

    *declared = (struct cs_malleable_declared){
        .mtbf = platform->mtbf,
        .silent_mtbf = platform->silent_mtbf,
        .downtime = platform->downtime,
        .fault_free = platform->fault_free,
        .rules = *rules,
        .on_end =
            record->searched ? "optimum" : cs_malleable_end_policies(&count)[rules->on_end]->name,
        .on_failure = record->searched
                          ? "optimum"
                          : cs_malleable_failure_policies(&count)[rules->on_failure]->name,
        .faults = count_faults(record),
        .fatal = (int)record->outcome.fatal_in_reality,
        .has_areas = true,
        .areas =
            {
                .work = area->work,
                .checkpoint = area->checkpoint,
                .lost = area->lost,
                .down = area->down,
                .move = area->move,
                .idle = area->idle,
            },
        .lower_bound = record->outcome.lower_bound,
    };
    declared->fault = declare_faults(record, declared->faults, arena);
    return declared;
}

#define CASE_YEAR (365 * 86400.0)
#define USUAL_MTBF (100 * CASE_YEAR)
#define USUAL_PROCS 1000 /* for what is generated */
#define CASE_DAY 86400.0

static struct cs_malleable_case *malleable_case_of(struct cs_study *study)
{
    return (struct cs_malleable_case *)(void *)study;
}

static const struct cs_malleable_case *malleable_case_in(const struct cs_study *study)
{
    return (const struct cs_malleable_case *)(const void *)study;
}

static double real_or(double supplied, double fallback)
{
    return isnan(supplied) ? fallback : supplied;
}

static int malleable_case_check(const void *options, struct cs_error *err)
{
    const struct cs_malleable_options *o = options;

    if (o->trap.name && o->study.input)
        return cs_error_set(err, "found input and trap, expected one of them");
    if (o->trap.name && cs_trap_check("malleable", "three-partition", o->trap.name, err))
        return -1;
    if (o->tune == CS_PARAM_NONE)
        return 0;
    if (o->optimum)
        return cs_error_set(err, "--tune chooses the policies: leave --optimum out");
    if (o->on_end || o->on_failure)
        return cs_error_set(err,
                            "--tune chooses the policies: leave --on-end and --on-failure out");
    return o->fault_free ? cs_error_set(err, "--tune needs failures to choose by: leave "
                                             "--fault-free out")
                         : 0;
}

/* ---- the instance ---- */

static struct cs_malleable_generator generator_of(const struct cs_malleable_options *o)
{
    struct cs_malleable_generator generator = cs_malleable_generator_paper();

    generator.tasks = (int)o->tasks;
    generator.size_low = o->size_low;
    generator.size_high = o->size_high;
    generator.sequential_fraction = o->seq_fraction;
    generator.checkpoint_factor = o->checkpoint_factor;
    generator.seed = (uint64_t)o->study.seed;
    generator.set = (uint64_t)o->set;
    return generator;
}

static struct cs_workload *case_generate(const struct cs_malleable_options *o, struct cs_error *err)
{
    struct cs_malleable_generator generator = generator_of(o);

    return o->trap.name ? cs_trap_workload_malleable(&o->trap, (uint64_t)o->study.seed,
                                                     (uint64_t)o->set, err)
                        : cs_malleable_generate(&generator, err);
}

static int get_workload(struct cs_malleable_case *c, struct cs_error *err)
{
    const struct cs_malleable_options *o = c->options;
    const char *const *path = o->study.input ? cs_inputs_paths(&o->study, c->study.arena) : NULL;
    const struct cs_workload_options options = {
        .size = sizeof options,
        .fill = o->fill ? CS_FILL_STEP : CS_FILL_POWER,
        .fewer = o->fewer ? CS_FEWER_SCALE : CS_FEWER_REFUSE,
        .more = path ? path + 1 : NULL,
    };

    c->workload = path ? cs_workload_read(*path, &options, err) : case_generate(o, err);
    return c->workload ? cs_launch_refuse_caveats(c->workload->remark, o->strict, err) : -1;
}

static int set_machine(struct cs_malleable_case *c, struct cs_error *err)
{
    const struct cs_malleable_options *o = c->options;
    int64_t said = o->study.input || o->trap.name ? c->workload->procs : USUAL_PROCS;

    c->platform = (struct cs_malleable_platform){
        .procs = (int)(o->procs == CS_PARAM_NONE ? said : o->procs),
        .mtbf = real_or(o->mtbf, USUAL_MTBF),
        .silent_mtbf = real_or(o->silent_mtbf, INFINITY),
        .downtime = o->downtime,
        .fault_free = o->fault_free,
    };
    if (!(c->platform.mtbf > 0))
        return cs_error_set(err, "--mtbf must be longer than 0 s");
    if (!isnan(o->silent_mtbf) && !(o->silent_mtbf > 0))
        return cs_error_set(err, "silent_mtbf: must be longer than 0 s");
    return c->platform.procs
               ? 0
               : cs_error_set(err, "%s: number of processors is missing; give --procs P",
                              o->study.input);
}

/* A value that the input lacks for a task comes from the options, which hold for all tasks. */
static double *fill_state(struct cs_arena *arena, int count, const double *supplied,
                          double fallback)
{
    double *filled = CS_NEW_ARRAY(arena, double, count);

    for (int i = 0; i < count; i++)
        filled[i] = supplied && !isnan(supplied[i]) ? supplied[i] : fallback;
    return filled;
}

static void fill_states(struct cs_malleable_case *c)
{
    struct cs_workload *w = c->workload;

    cs_workload_set_state(
        w, fill_state(c->study.arena, w->count, w->checkpoint, c->options->checkpoint),
        fill_state(c->study.arena, w->count, w->data, c->options->data));
    if (w->verification || !isnan(c->options->verification) || w->disk || !isnan(c->options->disk))
        cs_workload_set_levels(
            w,
            fill_state(c->study.arena, w->count, w->verification,
                       real_or(c->options->verification, 0)),
            fill_state(c->study.arena, w->count, w->disk, real_or(c->options->disk, 0)));
}

/* ---- the failures ---- */

/* The list, and the mean time between failures that it implies. */
static int read_faults(struct cs_malleable_case *c, const struct cs_study_context *context,
                       struct cs_error *err)
{
    const struct cs_malleable_options *o = c->options;
    struct cs_faults *faults =
        cs_faults_read(o->faults, o->system == CS_PARAM_NONE ? 0 : (int)o->system, err);
    struct cs_fault *list;

    if (!faults)
        return -1;
    list = CS_NEW_ARRAY(c->study.arena, struct cs_fault, faults->count + 1);
    for (size_t i = 0; i < faults->count; i++)
        list[i] = faults->fault[i];
    c->source.list = list;
    c->source.listed = faults->count;
    c->kind = faults->kind;
    if (faults->skipped)
        cs_study_warn(context, "%s: %ld of %ld failures have no location and are left out",
                      o->faults, faults->skipped, faults->lines);
    if (isnan(o->mtbf) && faults->count > 1)
        c->platform.mtbf =
            list[faults->count - 1].time * faults->processors / (double)faults->count;
    cs_faults_destroy(faults);
    return 0;
}

static int set_law(struct cs_malleable_case *c, struct cs_error *err)
{
    static const double usual_shape[] = {1, 0.7, 1};
    const struct cs_malleable_options *o = c->options;

    c->source.law = (struct cs_malleable_failures){
        .procs = c->platform.procs,
        .mtbf = c->platform.mtbf,
        .law = (enum cs_malleable_law)(o->law < 0 ? 0 : o->law),
        .seed = (uint64_t)o->study.seed,
    };
    c->source.law.shape = real_or(o->shape, usual_shape[c->source.law.law]);
    return isnan(o->shape) || c->source.law.law != CS_MALLEABLE_EXPONENTIAL
               ? 0
               : cs_error_set(err, "--shape is for --law weibull and --law lognormal");
}

static long scenarios_of(const struct cs_malleable_case *c, unsigned action)
{
    const struct cs_malleable_options *o = c->options;

    if (o->scenarios != CS_PARAM_NONE)
        return (long)o->scenarios;
    return c->platform.fault_free || o->faults || action == CS_EXPERIMENT ? 1 : 100;
}

/* ---- the variants ---- */

static struct cs_malleable_rules rules_of(const struct cs_malleable_options *o)
{
    struct cs_malleable_rules r =
        o->rules == 1 ? cs_malleable_rules_paper() : cs_malleable_rules_recommended();

    r.period_factor = real_or(o->period_factor, r.period_factor);
    r.kappa = real_or(o->kappa, r.kappa);
    r.hysteresis = real_or(o->hysteresis, r.hysteresis);
    if (o->layout >= 0)
        r.layout = (enum cs_malleable_layout)o->layout;
    if (o->minimal_disruption >= 0)
        r.minimal_disruption = o->minimal_disruption == 1;
    if (o->wake >= 0)
        r.wake = o->wake == 1;
    return r;
}

static void name_variants(struct cs_malleable_case *c)
{
    int ends, failures;
    const struct cs_policy *const *end = cs_malleable_end_policies(&ends);
    const struct cs_policy *const *failure = cs_malleable_failure_policies(&failures);
    struct cs_variant *variant = CS_NEW_ARRAY(c->study.arena, struct cs_variant, c->study.variants);

    for (int w = 0; w < c->study.variants; w++) {
        const struct cs_malleable_rules *r = &c->rules[w];

        variant[w] = (struct cs_variant){
            {w == c->optimum ? "optimum" : end[r->on_end]->name, failure[r->on_failure]->name}};
        if (w != c->optimum && r->on_end == CS_MALLEABLE_END_NONE &&
            r->on_failure == CS_MALLEABLE_FAILURE_NONE)
            c->study.reference = w;
    }
    c->study.variant = variant;
}

static int case_tune(struct cs_malleable_case *c, const struct cs_malleable_rules *rules,
                     struct cs_error *err)
{
    struct cs_malleable_candidate candidate[CS_MALLEABLE_CANDIDATES];
    int best = cs_malleable_tune(c->instance, rules, &c->source.law, (int)c->options->tune,
                                 cs_study_threads(&c->study), candidate, err);

    if (best < 0)
        return -1;
    c->rules = CS_NEW(c->study.arena, struct cs_malleable_rules);
    *c->rules = candidate[best].rules;
    c->study.variants = 1;
    return 0;
}

/* Behind the policies: the least makespan that decisions could have reached. */
static int add_optimum(struct cs_malleable_case *c, struct cs_malleable_rules rules,
                       struct cs_error *err)
{
    rules.on_end = CS_MALLEABLE_END_NONE;
    rules.on_failure = CS_MALLEABLE_FAILURE_NONE;
    c->optimum = c->study.variants;
    c->rules[c->study.variants++] = rules;
    return cs_malleable_optimum_check(c->instance, &rules, c->options->effort == 1, err);
}

static int case_find_variants(struct cs_malleable_case *c, unsigned action, struct cs_error *err)
{
    const struct cs_problem_choice *choice = c->study.problem->choice;
    const struct cs_malleable_options *o = c->options;
    struct cs_malleable_rules rules = rules_of(o);
    struct cs_policy_call *end, *failure;
    const char *const *word;
    int ends, failures;

    if (cs_malleable_rules_check(&rules, err))
        return -1;
    if (!isnan(o->silent_mtbf) && rules.layout != CS_MALLEABLE_PATTERN)
        return cs_error_set(err, "silent_mtbf: silent errors need --layout pattern");
    if (o->tune != CS_PARAM_NONE)
        return case_tune(c, &rules, err);
    ends = cs_study_policies(&choice[0], o->on_end, rules.on_end, c->study.arena, &end, &word, err);
    failures = ends < 0 ? -1
                        : cs_study_policies(&choice[1], o->on_failure, rules.on_failure,
                                            c->study.arena, &failure, &word, err);
    if (failures < 0)
        return -1;
    c->rules = CS_NEW_ARRAY(c->study.arena, struct cs_malleable_rules, ends * failures + 1);
    for (int e = 0; e < ends && !(o->optimum && action == CS_EXPERIMENT); e++)
        for (int f = 0; f < failures; f++) {
            rules.on_end = end[e].policy;
            rules.on_failure = failure[f].policy;
            c->rules[c->study.variants++] = rules;
        }
    return o->optimum ? add_optimum(c, rules, err) : 0;
}

static int make_instance(struct cs_malleable_case *c, const struct cs_study_context *context,
                         struct cs_error *err)
{
    const char *warning;

    c->instance = cs_malleable_instance_from_workload(c->workload, NAN, NAN, &c->platform, err);
    if (!c->instance)
        return c->options->study.input ? cs_error_prefix(err, "%s", c->options->study.input) : -1;
    warning = cs_malleable_instance_warning(c->instance);
    if (warning)
        cs_study_warn(context, "%s", warning);
    c->study.scale = cs_malleable_lower_bound(c->instance);
    if (c->platform.fault_free || isinf(c->platform.mtbf))
        cs_study_know(&c->study, c->workload->known, c->platform.procs, 0, context);
    else if (c->workload->known)
        cs_study_warn(context, "known: the optimum is that of runs without failures: ignored");
    return 0;
}

static struct cs_study *malleable_case_open(const void *options,
                                            const struct cs_study_context *context,
                                            struct cs_error *err)
{
    struct cs_malleable_case *c = cs_study_create(&cs_problem_malleable, options, sizeof *c);

    c->options = options;
    c->optimum = -1;
    if (get_workload(c, err) || set_machine(c, err) ||
        (c->options->faults && read_faults(c, context, err)))
        goto failed;
    cs_study_warn_lines(context, c->workload->remark);
    fill_states(c);
    if (set_law(c, err) || make_instance(c, context, err) ||
        case_find_variants(c, context->action, err))
        goto failed;
    c->extpol = cs_extpol_create(c->options->policy_program, c->options->patience);
    name_variants(c);
    c->study.runs = scenarios_of(c, context->action);
    return &c->study;
failed:
    cs_study_close(&c->study);
    return NULL;
}

static void malleable_case_close(struct cs_study *study)
{
    cs_extpol_destroy(malleable_case_of(study)->extpol);
    cs_malleable_instance_destroy(malleable_case_of(study)->instance);
    cs_workload_destroy(malleable_case_of(study)->workload);
}

/* ---- the runs ---- */

/* A run without progress has no makespan, so that the mean of the scenarios is not defined. */
static int check_progress(const struct cs_study *study, int variant, struct cs_error *err)
{
    const char *input = study->options->input;

    if (study->runs == 1 && !input)
        return 0;
    for (long s = 0; s < study->runs; s++) {
        const struct cs_malleable_seen *seen = cs_study_outcome(study, variant, s);

        if (seen->outcome.no_progress)
            return cs_error_set(
                err,
                "%s: scenario %ld (on end %s, on failure %s) makes no progress: given up after %d "
                "%s too often for these applications",
                input ? input : "the applications", s, study->variant[variant].word[0],
                study->variant[variant].word[1], CS_MALLEABLE_FAILURES,
                seen->outcome.silent == CS_MALLEABLE_FAILURES ? "silent errors; they occur"
                                                              : "failures; processors fail");
    }
    return 0;
}

static int malleable_case_run(struct cs_study *study, const struct cs_study_progress *progress,
                              struct cs_error *err)
{
    struct cs_malleable_case *c = malleable_case_of(study);
    const struct cs_malleable_study all = {
        .instance = c->instance,
        .variants = study->variants,
        .rules = c->rules,
        .source = &c->source,
        .extpol = c->extpol,
        .scenarios = (int)study->runs,
        .threads = cs_study_threads(study),
        .at = c->options->at,
        .optimum = c->optimum,
        .exact = c->options->effort == 1,
        .timed = c->options->time_planning,
        .progress = progress,
    };

    if (cs_malleable_study_run(&all, study->outcome, err) || cs_extpol_check(c->extpol, err))
        return -1;
    for (int w = 0; w < study->variants; w++)
        if (check_progress(study, w, err))
            return -1;
    return 0;
}

static void put_task(struct cs_digest *digest, const struct cs_malleable_task *task)
{
    cs_digest_put_integer(digest, task->profile != NULL);
    if (task->profile) {
        cs_identity_put_profile(digest, task->profile);
    } else {
        cs_digest_put_double(digest, task->seconds);
        cs_digest_put_double(digest, task->sequential_fraction);
        cs_digest_put_double(digest, task->overhead);
    }
    cs_digest_put_double(digest, task->checkpoint);
    cs_digest_put_double(digest, task->data);
    if (!(task->verification > 0) && !(task->disk > 0))
        return;
    cs_digest_put_double(digest, task->verification);
    cs_digest_put_double(digest, task->disk);
}

/* Tasks with checkpoints and data, and the platform with its mean time between failures. */
static void malleable_case_identify(const struct cs_study *study, char text[CS_DIGEST_TEXT])
{
    const struct cs_malleable_case *c = malleable_case_in(study);
    int tasks = cs_malleable_instance_tasks(c->instance);
    struct cs_digest digest;

    cs_digest_init(&digest);
    cs_digest_put_text(&digest, "malleable 1");
    cs_digest_put_integer(&digest, c->platform.procs);
    cs_digest_put_double(&digest, c->platform.mtbf);
    cs_digest_put_double(&digest, c->platform.downtime);
    cs_digest_put_integer(&digest, c->platform.fault_free);
    if (isfinite(c->platform.silent_mtbf))
        cs_digest_put_double(&digest, c->platform.silent_mtbf);
    cs_digest_put_integer(&digest, tasks);
    for (int i = 0; i < tasks; i++)
        put_task(&digest, cs_malleable_instance_task(c->instance, i));
    cs_digest_finish(&digest, text);
}

/* ---- one run, kept ---- */

/* Searched again: a summary keeps no decisions. */
static struct cs_malleable_record *record_optimum(const struct cs_malleable_case *c, long run,
                                                  struct cs_malleable_trace *trace,
                                                  struct cs_error *err)
{
    const struct cs_malleable_rules *rules = &c->rules[c->optimum];
    const uint64_t scenario = c->source.list ? 0 : (uint64_t)run;
    struct cs_arena *arena = cs_arena_create();
    struct cs_malleable_record *made = NULL;
    struct cs_malleable_optimum best;

    if (!cs_malleable_optimum_find(c->instance, rules, trace, scenario, c->options->effort == 1,
                                   arena, &best, err)) {
        cs_malleable_trace_begin(trace, scenario);
        made = cs_malleable_record_optimum(c->instance, rules, &best, trace, err);
    }
    cs_arena_destroy(arena);
    return made;
}

static struct cs_kept *malleable_case_record(const struct cs_study *study, int variant, long run,
                                             struct cs_error *err)
{
    const struct cs_malleable_case *c = malleable_case_in(study);
    struct cs_malleable_trace *trace = cs_malleable_source_trace(&c->source, (int)run, err);
    struct cs_malleable_record *made = NULL;
    struct cs_malleable_kept *kept = CS_NEW(study->arena, struct cs_malleable_kept);
    struct cs_platform *platform;

    if (trace)
        made = variant == c->optimum ? record_optimum(c, run, trace, err)
                                     : cs_malleable_record_create(c->instance, &c->rules[variant],
                                                                  c->extpol, trace, err);
    cs_malleable_trace_destroy(trace);
    if (made && cs_extpol_check(c->extpol, err)) {
        cs_malleable_record_destroy(made);
        made = NULL;
    }
    if (!made)
        return NULL;
    platform = cs_platform_homogeneous(study->options->unit, c->platform.procs, NULL);
    cs_schedule_set_platform(made->schedule, platform, NULL);
    cs_platform_destroy(platform);
    *kept = (struct cs_malleable_kept){{made->schedule, c->workload}, variant, made};
    return &kept->record;
}

static struct cs_malleable_kept *kept_of(const struct cs_kept *record)
{
    return (struct cs_malleable_kept *)(uintptr_t)record;
}

static void malleable_case_put(const struct cs_study *study, const struct cs_kept *record,
                               struct cs_jsonw *w)
{
    const struct cs_malleable_case *c = malleable_case_in(study);
    const struct cs_malleable_kept *kept = kept_of(record);

    cs_keys_put(
        w, cs_keys_malleable, record->schedule,
        cs_malleable_declare(c->instance, &c->rules[kept->variant], kept->run, study->arena));
}

static void malleable_case_discard(struct cs_kept *record)
{
    cs_malleable_record_destroy(kept_of(record)->run);
}

static int malleable_case_generate(const void *options, struct cs_error *err)
{
    const struct cs_malleable_options *o = options;
    struct cs_workload *workload = case_generate(o, err);
    int status = workload ? cs_workload_write(workload, workload->source,
                                              o->study.output ? o->study.output : "-", err)
                          : -1;

    cs_workload_destroy(workload);
    return status;
}

/* ---- for a judge ---- */

/* The failures up to the end of the schedule; their effects are taken from the file. */
static int give_faults(const struct cs_malleable_case *c, struct cs_malleable_declared *declared,
                       double makespan, struct cs_error *err)
{
    struct cs_malleable_trace *trace =
        cs_malleable_source_trace(&c->source, (int)c->options->study.scenario, err);
    struct cs_malleable_declared_fault *fault =
        CS_NEW_ARRAY(c->study.arena, struct cs_malleable_declared_fault, declared->faults);
    struct cs_fault next = {.time = INFINITY};
    int count = 0, status = 0;

    if (!trace)
        return -1;
    for (; cs_malleable_trace_next(trace, &next) && next.time <= makespan; count++)
        if (count < declared->faults)
            fault[count] = (struct cs_malleable_declared_fault){next.time, next.processor,
                                                                declared->fault[count].effect,
                                                                declared->fault[count].disk};
    cs_malleable_trace_destroy(trace);
    if (count != declared->faults)
        status = cs_error_set(err, "the schedule has %d failures, its input %d", declared->faults,
                              count);
    declared->fault = fault;
    return status;
}

/* For a judge: see cs_problem.given. */
static int malleable_case_supplied(const struct cs_study *study, struct cs_schedule_file *file,
                                   struct cs_error *err)
{
    const struct cs_malleable_case *c = malleable_case_in(study);
    struct cs_malleable_declared *declared = CS_NEW(study->arena, struct cs_malleable_declared);

    if (cs_study_supplied_tasks(file, c->platform.procs, c->workload->count, c->workload->name,
                                err))
        return -1;
    file->workload = c->workload;
    if (!file->malleable)
        return 0;
    *declared = *file->malleable;
    declared->mtbf = c->platform.mtbf;
    declared->silent_mtbf = c->platform.silent_mtbf;
    declared->downtime = c->platform.downtime;
    declared->fault_free = c->platform.fault_free;
    file->malleable = declared;
    return declared->fault_free
               ? 0
               : give_faults(c, declared, cs_schedule_makespan(file->schedule), err);
}

#define YEAR (365 * 86400.0)
#define DAY 86400.0
#define AT(member) offsetof(struct cs_malleable_options, member)

enum {
    ANY = CS_PLAN | CS_SIMULATE | CS_EXPERIMENT,
    RUN = CS_SIMULATE | CS_EXPERIMENT,
};

static void end_words(struct cs_strbuf *words)
{
    cs_study_policy_words(&cs_problem_malleable.choice[0], words);
}

static void failure_words(struct cs_strbuf *words)
{
    cs_study_policy_words(&cs_problem_malleable.choice[1], words);
}

static const struct cs_param params[] = {
    CS_ROW_INPUTS("applications with checkpoints and data; a synthetic set when not given"),
    CS_ROW_COUNT("tasks", "100", 1, 100000000, "how many applications", AT(tasks)),
    CS_ROW_REAL("size-low", "M", "1.5e6", 1, 1e15,
                "smallest size; 1500 makes the paper's heterogeneous sets", AT(size_low)),
    CS_ROW_REAL("size-high", "M", "2.5e6", 1, 1e15, "largest size; sizes are uniform in between",
                AT(size_high)),
    CS_ROW_REAL("seq-fraction", "F", "0.08", 0, 1,
                "share of the time that more processors do not shorten", AT(seq_fraction)),
    CS_ROW_REAL("checkpoint-factor", "C", "1", 0, 1e9,
                "seconds of a checkpoint on one processor for each unit of size",
                AT(checkpoint_factor)),
    CS_ROW_WHOLE("set", "I", "0", 0, 9007199254740992.0,
                 "another number, another set of the same kind", AT(set)),
    CS_ROW_SEED("of the sizes", CS_GENERATE),
    CS_ROW_OUTPUT("FILE.json", CS_GENERATE),
    CS_ROW_TRAP("three-partition",
                "instead: tasks of 3-PARTITION on pairs of processors, for runs without failures",
                CS_GENERATOR, AT(trap)),
    CS_ROWS_TRAP_PARTITION(CS_GENERATOR, AT(trap)),
    CS_ROW_PROCS("The machine", 1, ANY, AT(procs)),
    {.name = "mtbf",
     .kind = CS_PARAM_SECONDS,
     .argument = "TIME",
     .low = 0,
     .high = 1e300,
     .summary = "mean time between failures of one processor, such as 10y; default: what a file of "
                "failures shows, else 100y",
     .actions = ANY,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(mtbf),
     .old = "mtbf_years",
     .old_unit = YEAR},
    {.name = "silent-mtbf",
     .kind = CS_PARAM_SECONDS,
     .argument = "TIME",
     .low = 0,
     .high = 1e300,
     .summary = "mean time between silent errors of one processor, which verifications find; only "
                "with --layout pattern; default: none occur",
     .actions = ANY,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(silent_mtbf)},
    {.name = "downtime",
     .kind = CS_PARAM_SECONDS,
     .argument = "TIME",
     .default_text = "60",
     .low = 0,
     .high = 1e12,
     .summary = "between a failure and the recovery",
     .actions = ANY,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(downtime)},
    {.name = "fault-free",
     .kind = CS_PARAM_FLAG,
     .summary = "no failures and no checkpoints: an optimistic reference",
     .actions = ANY,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(fault_free)},
    {.name = "checkpoint",
     .kind = CS_PARAM_SECONDS,
     .argument = "TIME",
     .low = 0,
     .high = 1e15,
     .group = "The applications",
     .summary =
         "a checkpoint on one processor, for applications of the input without one; it takes 1/j "
         "of it on j processors",
     .actions = ANY,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(checkpoint)},
    {.name = "data",
     .kind = CS_PARAM_SECONDS,
     .argument = "TIME",
     .low = 0,
     .high = 1e15,
     .summary =
         "data moved when processors change, as the time that one processor needs to send it, "
         "for applications without a value",
     .actions = ANY,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(data)},
    {.name = "verification",
     .kind = CS_PARAM_SECONDS,
     .argument = "TIME",
     .low = 0,
     .high = 1e15,
     .summary = "of the pattern layout: a verification on one processor, for applications without "
                "a value; default: 0",
     .actions = ANY,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(verification)},
    {.name = "disk",
     .kind = CS_PARAM_SECONDS,
     .argument = "TIME",
     .low = 0,
     .high = 1e15,
     .summary = "of the pattern layout: a checkpoint on disk on one processor, for applications "
                "without a value; default: 0, not used",
     .actions = ANY,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(disk)},
    CS_ROW_FILL(ANY, AT(fill)),
    CS_ROW_FEWER(ANY, AT(fewer)),
    CS_ROW_STRICT(ANY, AT(strict)),
    {.name = "on-end",
     .kind = CS_PARAM_TEXT,
     .argument = "NAME",
     .group = "The policies",
     .values = end_words,
     .policies = &cs_problem_malleable.choice[0],
     .list = true,
     .summary = "which processors move when an application ends, see 'cosched list malleable'; all "
                "compares; default: that of the rules",
     .actions = RUN,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(on_end)},
    {.name = "optimum",
     .kind = CS_PARAM_FLAG,
     .summary =
         "also the least makespan that decisions at the start, at ends and at failures could "
         "have reached, failures known before; up to 6 tasks on 12 pairs; --output and --gantt "
         "show its decisions; in experiments instead of a policy",
     .actions = RUN,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(optimum)},
    {.name = "effort",
     .needs = "optimum",
     .kind = CS_PARAM_CHOICE,
     .choices = "default|exact",
     .default_text = "default",
     .summary = "exact: search the optimum of up to 16 tasks on 64 pairs, however long it takes",
     .actions = RUN,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(effort)},
    {.name = "on-failure",
     .kind = CS_PARAM_TEXT,
     .argument = "NAME",
     .values = failure_words,
     .policies = &cs_problem_malleable.choice[1],
     .list = true,
     .summary = "which processors move when a failure has made an application the longest; all "
                "compares; default: that of the rules",
     .actions = RUN,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(on_failure)},
    CS_ROWS_PROGRAM("the processors of tasks", RUN, AT(policy_program), AT(patience)),
    {.name = "tune",
     .kind = CS_PARAM_INTEGER,
     .argument = "N",
     .low = 1,
     .high = CS_MALLEABLE_TUNING_MOST,
     .summary =
         "instead: try 30 pairs of policies and period factors in N scenarios that are drawn "
         "for this, and take the best",
     .actions = RUN,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(tune)},
    {.name = "rules",
     .kind = CS_PARAM_CHOICE,
     .choices = "recommended|paper",
     .default_text = "recommended",
     .group = "The rules",
     .summary = "what the options below are when not given: what we recommend, or what the paper "
                "does",
     .actions = ANY,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(rules)},
    {.name = "period-factor",
     .kind = CS_PARAM_REAL,
     .argument = "K",
     .low = 1e-6,
     .high = 1e6,
     .summary = "between checkpoints, K times Young's period; recommended 0.5, paper 1",
     .actions = ANY,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(period_factor)},
    {.name = "layout",
     .kind = CS_PARAM_CHOICE,
     .choices = "young|tail|pattern",
     .summary = "checkpoints a period apart, pieces as equal as what is left allows, or patterns "
                "of verifications and checkpoints in memory and on disk; default: young",
     .actions = ANY,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(layout)},
    {.name = "kappa",
     .kind = CS_PARAM_REAL,
     .argument = "K",
     .low = 1e-6,
     .high = 1e6,
     .summary = "of the tail layout: how many lost pieces to prepare for; default: 1",
     .actions = ANY,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(kappa)},
    {.name = "hysteresis",
     .kind = CS_PARAM_REAL,
     .argument = "H",
     .low = 0,
     .high = 0.999999,
     .summary = "processors move only when the expected makespan falls by more than this share; "
                "recommended 0.02, paper 0",
     .actions = ANY,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(hysteresis)},
    {.name = "minimal-disruption",
     .kind = CS_PARAM_CHOICE,
     .choices = "no|yes",
     .summary = "tasks keep their processors where a greedy plan is as good with them; recommended "
                "yes, paper no",
     .actions = ANY,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(minimal_disruption)},
    {.name = "wake",
     .kind = CS_PARAM_CHOICE,
     .choices = "no|yes",
     .summary =
         "free processors are offered to a task whose restart is over; recommended yes, paper "
         "no",
     .actions = ANY,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(wake)},
    {.name = "time-planning",
     .kind = CS_PARAM_FLAG,
     .summary = "measure the metric planning_seconds, in experiments that are `serial`",
     .actions = CS_EXPERIMENT,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(time_planning)},
    {.name = "law",
     .kind = CS_PARAM_CHOICE,
     .choices = "exponential|weibull|lognormal",
     .default_text = "exponential",
     .group = "The failures",
     .summary = "of the times between failures of one processor; their mean is --mtbf",
     .actions = RUN,
     .scope = CS_SCOPE_DRAW,
     .at = AT(law)},
    {.name = "shape",
     .kind = CS_PARAM_REAL,
     .argument = "X",
     .low = 0.05,
     .high = 100,
     .summary = "of weibull (below 1: failures come in bursts; default 0.7), or the deviation of "
                "the logarithm of lognormal (default 1)",
     .actions = RUN,
     .scope = CS_SCOPE_DRAW,
     .at = AT(shape)},
    {.name = "faults",
     .kind = CS_PARAM_PATH,
     .argument = "FILE",
     .summary = "failures from a list, a line \"time,processor\" each, or from the failure data of "
                "Los Alamos; scenarios after the first begin at a random moment of it",
     .actions = RUN,
     .scope = CS_SCOPE_DRAW,
     .at = AT(faults)},
    {.name = "system",
     .kind = CS_PARAM_INTEGER,
     .argument = "N",
     .low = 1,
     .high = 99,
     .needs = "faults",
     .summary = "the system, in the failure data of Los Alamos",
     .actions = RUN,
     .scope = CS_SCOPE_DRAW,
     .at = AT(system)},
    CS_ROW_SCENARIOS(
        10000000,
        "default: 100, or 1 with --faults or --fault-free, and in a cell of an experiment", RUN,
        AT(scenarios)),
    {.name = "at",
     .kind = CS_PARAM_SECONDS,
     .argument = "TIME",
     .low = 0,
     .high = 1e14,
     .summary = "when expected_makespan and procs_deviation are read; default: never",
     .actions = RUN,
     .scope = CS_SCOPE_NOTHING,
     .at = AT(at),
     .old = "at_days",
     .old_unit = DAY},
    CS_ROW_SEED("of the failures; every policy meets the same", CS_SIMULATE),
    CS_ROW_THREADS(CS_SIMULATE),
    CS_ROWS_ENERGY(ANY),
    CS_ROW_FORMAT("Output", CS_PLAN | CS_SIMULATE),
    CS_ROW_PER_SCENARIO(
        "a row for each scenario: makespan, failures, and what the processors' time went into"),
    CS_ROW_SCHEDULE("one scenario as a schedule (cosched-schedule-1), which 'cosched check' judges",
                    CS_SIMULATE),
    CS_ROW_GANTT("draw one scenario: the applications as they widen and narrow", CS_SIMULATE),
    {.name = "gantt-view",
     .kind = CS_PARAM_CHOICE,
     .choices = "applications|processors",
     .default_text = "applications",
     .needs = "gantt",
     .summary = "a ribbon for each application, or a row for each processor",
     .actions = CS_SIMULATE,
     .at = AT(gantt_view)},
    CS_ROW_SCENARIO("the one that --output and --gantt show, from 0"),
    CS_ROW_UNIT(CS_PLAN | CS_SIMULATE),
    CS_ROW_TITLE(CS_SIMULATE),
    CS_ROW_DARK(CS_SIMULATE),
    {0},
};

static const struct cs_malleable_outcome *problem_outcome(const void *one)
{
    return &((const struct cs_malleable_seen *)one)->outcome;
}

#define VALUE(id, expression)                                                                      \
    static double id(const struct cs_study *study, const void *one)                                \
    {                                                                                              \
        const struct cs_malleable_outcome *o = problem_outcome(one);                               \
        double all =                                                                               \
            ((const struct cs_malleable_case *)(const void *)study)->platform.procs * o->makespan; \
                                                                                                   \
        (void)all;                                                                                 \
        return expression;                                                                         \
    }

/* The optimum has no events that are counted. */
static bool is_search(const void *one)
{
    return !isnan(((const struct cs_malleable_seen *)one)->optimum_gap);
}

static bool has_patterns(const void *one)
{
    return ((const struct cs_malleable_seen *)one)->patterns;
}

VALUE(makespan, o->makespan)
VALUE(lower_bound, o->lower_bound)
VALUE(ratio, o->makespan / o->lower_bound)
VALUE(failures, is_search(one) ? NAN : (double)o->failures)
VALUE(failures_hit, is_search(one) ? NAN : (double)o->failures_hit)
VALUE(fatal, is_search(one) ? NAN : (double)o->fatal_in_reality)
VALUE(silent_errors, has_patterns(one) ? (double)o->silent : NAN)
VALUE(disk_recoveries, has_patterns(one) ? (double)o->disk : NAN)
VALUE(plans, is_search(one) ? NAN : (double)o->plans)
VALUE(moved, is_search(one) ? NAN : (double)o->moved)
VALUE(work, o->area.work / all)
VALUE(checkpoint, o->area.checkpoint / all)
VALUE(lost, o->area.lost / all)
VALUE(down, o->area.down / all)
VALUE(move, o->area.move / all)
VALUE(idle, o->area.idle / all)
VALUE(expected, ((const struct cs_malleable_seen *)one)->expected)
VALUE(deviation, ((const struct cs_malleable_seen *)one)->deviation)
VALUE(optimum_gap, ((const struct cs_malleable_seen *)one)->optimum_gap)
VALUE(planning, ((const struct cs_malleable_seen *)one)->planning)
VALUE(known_gap, cs_study_known_gap(study, o->makespan))

#define SHARE "share of the processors' time"

CS_FUNCTIONS_ENERGY

static const struct cs_value values[] = {
    {"makespan", "makespan", "seconds", .kind = CS_VALUE_SECONDS, .in = CS_IN_ALL,
     .column = "mean makespan", .of = makespan},
    {"lower_bound", "lower bound", "no scenario is shorter, seconds", .kind = CS_VALUE_SECONDS,
     .in = CS_IN_ROWS, .of = lower_bound},
    {"ratio", "makespan / bound", "makespan / lower bound", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_ALL, .column = "over bound", .digits = 4, .interval = true, .of = ratio},
    {"failures", "failures", "failures of processors", .kind = CS_VALUE_NUMBER, .in = CS_IN_ROWS,
     .of = failures},
    {"failures_hit", "failures that hit", "failures that made a task roll back",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL, .column = "hit", .digits = 1, .old = "struck",
     .of = failures_hit},
    {"fatal", "fatal in reality", "failures that would have been fatal in reality",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL, .column = "fatal", .digits = 2, .of = fatal},
    {"plans", "redistributions", "redistributions carried out", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_SUMMARY | CS_IN_ROWS, .of = plans},
    {"procs_moved", "allocations changed", "allocations changed by redistributions",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL, .column = "moved", .digits = 1, .old = "moved",
     .of = moved},
    {"work", "work", SHARE, .kind = CS_VALUE_SHARE, .in = CS_IN_ALL, .of = work},
    {"checkpoint", "checkpoints", SHARE, .kind = CS_VALUE_SHARE, .in = CS_IN_ALL, .of = checkpoint},
    {"lost", "lost work", SHARE, .kind = CS_VALUE_SHARE, .in = CS_IN_ALL, .column = "lost",
     .digits = 1, .of = lost},
    {"down", "downtime, recovery", "downtime and recovery, " SHARE, .kind = CS_VALUE_SHARE,
     .in = CS_IN_ALL, .of = down},
    {"move", "moves", SHARE, .kind = CS_VALUE_SHARE, .in = CS_IN_ALL, .of = move},
    {"idle", "idle", SHARE, .kind = CS_VALUE_SHARE, .in = CS_IN_ALL, .column = "idle", .digits = 1,
     .of = idle},
    {"expected_makespan", "expected makespan then",
     "as expected at the moment --at, seconds; none after the end", .kind = CS_VALUE_SECONDS,
     .in = CS_IN_ALL, .old_unit = DAY, .of = expected},
    {"procs_deviation", "deviation of processors then",
     "standard deviation of the processors of a running task at that moment",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL, .of = deviation},
    {"optimum_gap", "optimum above its bound",
     "of the optimum: 0 if it is proven, else how far it is above its lower bound",
     .kind = CS_VALUE_SHARE, .in = CS_IN_SUMMARY | CS_IN_EXPERIMENTS, .digits = 2, .later = true,
     .of = optimum_gap},
    {"planning_seconds", "time of policies",
     "wall time in policies in one simulation, initial schedule included, seconds; with "
     "time_planning",
     .kind = CS_VALUE_SECONDS, .in = CS_IN_EXPERIMENTS, .later = true, .measured = true,
     .of = planning},
    {"silent_errors", "silent errors", "silent errors that verifications found",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_SUMMARY | CS_IN_EXPERIMENTS, .later = true,
     .of = silent_errors},
    {"disk_recoveries", "recoveries from disk",
     "failures after which only the checkpoint on disk was left", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_SUMMARY | CS_IN_EXPERIMENTS, .later = true, .of = disk_recoveries},
    CS_VALUE_KNOWN_GAP("makespan"),
    CS_VALUES_ENERGY,
    {0},
};

const struct cs_problem cs_problem_malleable = {
    .name = "malleable",
    .summary = "how processors move between running applications when one ends, or when a failure "
               "has made one the longest",
    .param = params,
    .value = values,
    .choice = {{"on-end", "when an application ends", cs_malleable_end_policies},
               {"on-failure", "when a failure has made an application the longest",
                cs_malleable_failure_policies}},
    .variant = {"on_end", "on_failure"},
    .options = sizeof(struct cs_malleable_options),
    .outcome = sizeof(struct cs_malleable_seen),
    .check = malleable_case_check,
    .open = malleable_case_open,
    .close = malleable_case_close,
    .run = malleable_case_run,
    .identify = malleable_case_identify,
    .record = malleable_case_record,
    .put = malleable_case_put,
    .discard = malleable_case_discard,
    .supplied = malleable_case_supplied,
    .generate = malleable_case_generate,
};
