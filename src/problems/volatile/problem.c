/* problem.c - the problem volatile, described once (problem/problem.h).
 *
 * A row of `params` is an option of the command line, a parameter of experiments and a line of
 * docs/parameters.md (written by script/parameters).  No algorithm is in this file.
 */
#include "problems/volatile/problem.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/guard.h"
#include "base/watch.h"
#include "io/schedule_json.h"
#include "io/schedule_keys.h"
#include "model/extpol.h"
#include "model/policy_param.h"
#include "problem/cache.h"
#include "problem/problem.h"
#include "problem/rows.h"
#include "problem/sample.h"
#include "problem/traps.h"
#include "problems/volatile/hosts.h"
#include "problems/volatile/states.h"
#include "problems/volatile/volatile.h"

#include <math.h>
#include <string.h>

/* From options to a study of hosts that come and go, to its runs, to a schedule. */

/* Numbers of an instance in a fixed order.
 *
 * Invariant: instances without checkpoints and spares have a digest without these numbers, as in
 * versions that had neither.
 */

static void put_host(struct cs_digest *digest, const struct cs_volatile_host *host)
{
    cs_digest_put_integer(digest, host->slots);
    cs_digest_put_integer(digest, host->capacity);
    for (int i = 0; i < CS_VOLATILE_STATES; i++)
        for (int j = 0; j < CS_VOLATILE_STATES; j++)
            cs_digest_put_double(digest, host->chain[i][j]);
}

void cs_volatile_identity(const struct cs_volatile_instance *instance, char text[CS_DIGEST_TEXT])
{
    const struct cs_volatile_application *application = cs_volatile_instance_application(instance);
    int hosts = cs_volatile_instance_hosts(instance);
    struct cs_digest own, *digest = &own;

    cs_digest_init(digest);
    cs_digest_put_text(digest, "volatile 1");
    cs_digest_put_integer(digest, application->tasks);
    cs_digest_put_integer(digest, application->iterations);
    cs_digest_put_integer(digest, application->program);
    cs_digest_put_integer(digest, application->data);
    cs_digest_put_integer(digest, application->transfers);
    cs_digest_put_integer(digest, application->cap);
    if (application->save_every || application->spares) {
        cs_digest_put_integer(digest, application->save_every);
        cs_digest_put_integer(digest, application->save_cost);
        cs_digest_put_integer(digest, application->spares);
    }
    cs_digest_put_integer(digest, hosts);
    for (int q = 0; q < hosts; q++)
        put_host(digest, cs_volatile_instance_host(instance, q));
    cs_digest_finish(digest, text);
}

enum bound { AUTO, CLAIRVOYANT, OPTIMUM };

static struct cs_volatile_case *volatile_case_of(struct cs_study *study)
{
    return (struct cs_volatile_case *)(void *)study;
}

static const struct cs_volatile_case *volatile_case_in(const struct cs_study *study)
{
    return (const struct cs_volatile_case *)(const void *)study;
}

/* ---- the variants ---- */

/* Parameters that set the parameter of the same name where a policy has it. */
static const struct {
    const char *name;
    size_t at;
} common[] = {
    {"estimate", offsetof(struct cs_volatile_settings, estimate)},
    {"prefetch", offsetof(struct cs_volatile_settings, prefetch)},
    {"single-hosts", offsetof(struct cs_volatile_settings, singles)},
    {"aware", offsetof(struct cs_volatile_settings, aware)},
};

#define COMMON (sizeof common / sizeof *common)

/* Does the text of the policy set the parameter itself? */
static bool case_sets(const char *text, const struct cs_policy_param *param)
{
    return cs_policy_text_sets(text, param->name) ||
           (param->old && cs_policy_text_sets(text, param->old));
}

static void set_common(const struct cs_volatile_settings *o, const char *word,
                       struct cs_policy_call *call)
{
    int count;
    const struct cs_policy_param *param = cs_volatile_policies(&count)[call->policy]->params;

    for (int i = 0; param && param[i].name; i++)
        for (size_t c = 0; c < COMMON; c++)
            if (!strcmp(param[i].name, common[c].name) && !case_sets(word, &param[i]))
                call->param[i] = *(const int *)(const void *)((const char *)o + common[c].at);
}

/* Prefetching and warm spares compete for the same transfers. */
static int check_spares(const struct cs_volatile_case *c, struct cs_error *err)
{
    int count;
    const struct cs_volatile_policy *const *list = cs_volatile_policy_list(&count);

    if (!cs_volatile_instance_application(c->believed)->spares)
        return 0;
    for (int w = 0; w < c->study.variants; w++) {
        const struct cs_volatile_policy *policy = list[c->call[w].policy];

        if (cs_volatile_options_of(policy, c->call[w].param).prefetch)
            return cs_error_set(err, "%s prefetches, and there are spares: take one of the two",
                                policy->info.name);
    }
    return 0;
}

/* The others are compared with ie, as in the paper, or else with the first. */
static int case_find_variants(struct cs_volatile_case *c, struct cs_error *err)
{
    struct cs_study *study = &c->study;
    const char *const *word;
    struct cs_variant *variant;
    int count;
    const struct cs_policy *const *list = cs_volatile_policies(&count);

    study->variants = cs_study_policies(&study->problem->choice[0], c->settings->policy, 0,
                                        study->arena, &c->call, &word, err);
    if (study->variants < 0)
        return -1;
    c->extpol = cs_extpol_create(c->settings->policy_program, c->settings->policy_patience);
    cs_extpol_attach(c->extpol, list, c->call, study->variants);
    study->variant = variant = CS_NEW_ARRAY(study->arena, struct cs_variant, study->variants);
    study->reference = 0;
    for (int w = study->variants - 1; w >= 0; w--) {
        variant[w] = (struct cs_variant){{word[w]}};
        set_common(c->settings, word[w], &c->call[w]);
        if (!strcmp(word[w], "ie"))
            study->reference = w;
    }
    return 0;
}

/* ---- what makespans are held against ---- */

static int set_bound(struct cs_volatile_case *c, struct cs_error *err)
{
    const struct cs_volatile_application *app = cs_volatile_instance_application(c->believed);
    const struct cs_volatile_settings *o = c->settings;

    if (o->bound == CLAIRVOYANT)
        return 0;
    c->offline = cs_volatile_offline_name(c->believed);
    c->patience = o->bound == OPTIMUM ? INT64_MAX : o->patience;
    if (o->bound == OPTIMUM && app->save_every)
        return cs_error_set(err,
                            "--bound optimum: the off-line problem knows no checkpoints; leave "
                            "it at auto");
    if (o->bound == OPTIMUM && !c->offline)
        return cs_error_set(err,
                            "--bound optimum: the off-line problem knows no transfers, and the "
                            "program takes %d slots, the data %d; leave it at auto",
                            app->program, app->data);
    return 0;
}

bool cs_volatile_case_optimum(const struct cs_volatile_case *c,
                              const struct cs_volatile_limit *limit)
{
    return c->offline && limit->optimum;
}

/* ---- the plan ---- */

static struct cs_volatile_source *source_of(const struct cs_volatile_case *c, long run,
                                            struct cs_error *err)
{
    struct cs_volatile_sky *sky =
        cs_volatile_sky_create(&c->world, c->believed, c->study.arena, err);

    if (!sky) {
        cs_error_prefix(err, "%s", c->settings->study.input ? c->settings->study.input : "hosts");
        return NULL;
    }
    return cs_volatile_sky_source(sky, (uint64_t)c->settings->study.seed, (uint64_t)run);
}

static int case_make_plan(struct cs_volatile_case *c, struct cs_error *err)
{
    const struct cs_volatile_application *app = cs_volatile_instance_application(c->believed);
    long run = (long)c->settings->study.scenario;
    struct cs_volatile_source *source;
    struct cs_variant *variant = CS_NEW(c->study.arena, struct cs_variant);

    c->offline = cs_volatile_offline_name(c->believed);
    if (app->save_every)
        return cs_error_set(err, "%s: the off-line problem knows no checkpoints",
                            c->settings->study.input);
    if (!c->offline)
        return cs_error_set(err,
                            "%s: the off-line problem knows no transfers, and the program takes "
                            "%d slots, the data %d",
                            c->settings->study.input, app->program, app->data);
    source = source_of(c, run, err);
    if (!source)
        return -1;
    *variant = (struct cs_variant){{c->offline}};
    c->study.variant = variant;
    c->study.variants = 1;
    c->study.runs = run + 1;
    c->optimum = cs_volatile_optimum_find(c->believed, source, 0, c->study.arena);
    cs_volatile_source_destroy(source);
    return 0;
}

/* The optimum of a trap is that of its states from the first slot on, with its application. */
static void case_know(struct cs_volatile_case *c, const struct cs_study_context *context)
{
    const struct cs_volatile_settings *o = c->settings;
    const bool first = c->action == CS_EXPERIMENT || o->study.scenario == 0;
    const bool alone = first && (c->action == CS_PLAN || c->study.runs == 1);
    const bool traced = c->world.rule == CS_VOLATILE_RULE_TRACES && !c->read && !c->world.from;

    if (!c->hosts->known)
        return;
    if (!alone || !traced || o->save_every != CS_PARAM_NONE)
        cs_study_warn(context, "known: the optimum is that of one scenario, the states of the file "
                               "from the first slot on, without saves: ignored");
    else
        cs_study_know(&c->study, c->hosts->known, c->hosts->hosts, 0, context);
}

static struct cs_study *volatile_case_open(const void *options,
                                           const struct cs_study_context *context,
                                           struct cs_error *err)
{
    struct cs_volatile_case *c = cs_study_create(&cs_problem_volatile, options, sizeof *c);
    int status;

    c->settings = options;
    c->cache = context->cache;
    c->action = context->action;
    c->study.runs = c->settings->trap ? 1 : (long)c->settings->scenarios;
    if (c->action == CS_PLAN)
        status = cs_volatile_states_find(c, err) || case_make_plan(c, err);
    else
        status = case_find_variants(c, err) || cs_volatile_states_find(c, err) ||
                 check_spares(c, err) || set_bound(c, err);
    if (!status) {
        case_know(c, context);
        return &c->study;
    }
    cs_study_close(&c->study);
    return NULL;
}

static void volatile_case_close(struct cs_study *study)
{
    cs_extpol_destroy(volatile_case_of(study)->extpol);
    cs_volatile_states_destroy(volatile_case_of(study));
}

static void volatile_case_identify(const struct cs_study *study, char text[CS_DIGEST_TEXT])
{
    cs_volatile_identity(volatile_case_in(study)->believed, text);
}

/* ---- the runs ---- */

/* Policies through all scenarios: outcome[scenario * policies + policy]. */
static int run_policies(const struct cs_volatile_case *c, const struct cs_policy_call *call,
                        int policies, const struct cs_study_progress *progress,
                        struct cs_volatile_outcome *outcome, struct cs_volatile_limit *limit,
                        struct cs_error *err)
{
    const struct cs_volatile_study study = {
        .instance = c->believed,
        .world = c->world,
        .lifetime_model = c->lifetime_model,
        .call = call,
        .policies = policies,
        .seed = (uint64_t)c->settings->study.seed,
        .trials = (int)c->study.runs,
        .patience = c->patience,
        .threads = cs_study_threads(&c->study),
        .progress = progress,
    };

    return cs_volatile_study_run(&study, outcome, limit, err) || cs_extpol_check(c->extpol, err)
               ? -1
               : 0;
}

/* seen[variant * runs + scenario], of policies that have run. */
static int see_policies(const struct cs_volatile_case *c, const struct cs_policy_call *call,
                        int policies, const struct cs_study_progress *progress,
                        const struct cs_volatile_seen *known, struct cs_volatile_seen *seen,
                        struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    long runs = c->study.runs;
    struct cs_volatile_limit *limit = CS_NEW_ARRAY(arena, struct cs_volatile_limit, runs);
    struct cs_volatile_outcome *outcome = CS_NEW_ARRAY(
        arena, struct cs_volatile_outcome, cs_arena_area((size_t)policies, (size_t)runs));
    int status = run_policies(c, call, policies, progress, outcome, known ? NULL : limit, err);

    for (int w = 0; !status && w < policies; w++)
        for (long r = 0; r < runs; r++)
            *seen++ = (struct cs_volatile_seen){.outcome = outcome[r * policies + w],
                                                .limit = known ? known[r].limit : limit[r]};
    cs_arena_destroy(arena);
    return status;
}

/* The runs of IE, which many cells are compared with, and their limits. */
static void *make_reference(const void *how, struct cs_error *err)
{
    const struct cs_volatile_case *c = how;
    struct cs_volatile_seen *seen = cs_block_zero((size_t)c->study.runs, sizeof *seen);
    struct cs_policy_call call;
    int count;
    const struct cs_policy *const *list = cs_volatile_policies(&count);

    if (!cs_policy_parse("ie", list, count, &call, err) &&
        !see_policies(c, &call, 1, NULL, NULL, seen, err))
        return seen;
    cs_block_free(seen);
    return NULL;
}

static const struct cs_cache_kind reference_kind = {"reference", make_reference, cs_block_free};

/* All that the runs of IE depend on: everything but the policy. */
static int find_reference(struct cs_volatile_case *c, struct cs_error *err)
{
    const struct cs_cache_by by = {c->study.problem, c->settings, 0,
                                   "policy|policy-program|estimate|prefetch|single-hosts|aware"};

    c->reference = cs_cache_get_by(c->cache, &by, &reference_kind, c, err);
    return c->reference ? 0 : -1;
}

/* Is it IE as the paper has it? */
static bool is_reference(const struct cs_volatile_case *c)
{
    const struct cs_volatile_settings *o = c->settings;

    return c->study.variants == 1 && !strcmp(c->study.variant[0].word[0], "ie") && !o->estimate &&
           !o->prefetch && !o->singles && !o->aware;
}

/* A cell of an experiment, which may be IE itself. */
static int run_cell(struct cs_volatile_case *c, struct cs_error *err)
{
    struct cs_volatile_seen *seen = c->study.outcome;

    if (find_reference(c, err))
        return -1;
    if (!is_reference(c))
        return see_policies(c, c->call, c->study.variants, NULL, c->reference, seen, err);
    memcpy(seen, c->reference, (size_t)c->study.runs * sizeof *seen);
    return 0;
}

/* The best of those that never failed. */
static void case_remark(struct cs_study *study)
{
    const char **word = CS_NEW_ARRAY(study->arena, const char *, study->variants);
    double *over = CS_NEW_ARRAY(study->arena, double, study->variants), best = INFINITY;

    for (int w = 0; w < study->variants; w++) {
        over[w] = cs_study_compare(study, w, study->reference).over;
        for (long r = 0; r < study->runs; r++)
            if (!((const struct cs_volatile_seen *)cs_study_outcome(study, w, r))->outcome.finished)
                over[w] = NAN;
        best = fmin(best, over[w]);
    }
    for (int w = 0; w < study->variants; w++)
        word[w] = over[w] <= best ? "best" : "";
    study->remark = word;
}

static int volatile_case_run(struct cs_study *study, const struct cs_study_progress *progress,
                             struct cs_error *err)
{
    struct cs_volatile_case *c = volatile_case_of(study);

    if (c->action == CS_EXPERIMENT
            ? run_cell(c, err)
            : see_policies(c, c->call, study->variants, progress, NULL, study->outcome, err))
        return -1;
    case_remark(study);
    return 0;
}

/* ---- one run, kept ---- */

static struct cs_volatile_trial *run_once_more(const struct cs_volatile_case *c, int variant,
                                               long run, struct cs_volatile_source *source,
                                               struct cs_error *err)
{
    const struct cs_volatile_seen *seen = cs_study_outcome(&c->study, variant, run);
    const struct cs_volatile_request request = {
        .call = c->call[variant],
        .lifetime_model = c->lifetime_model,
        .seed = cs_volatile_dice_seed((uint64_t)c->settings->study.seed, (uint64_t)run),
    };
    struct cs_volatile_trial *trial = cs_volatile_trial_create(c->believed, &request, source, err);

    if (trial && cs_extpol_check(c->extpol, err)) {
        cs_volatile_trial_destroy(trial);
        return NULL;
    }
    if (trial)
        trial->declared.lower_bound = seen->limit.slots < 0 ? NAN : (double)seen->limit.slots;
    return trial;
}

static struct cs_kept *volatile_case_record(const struct cs_study *study, int variant, long run,
                                            struct cs_error *err)
{
    const struct cs_volatile_case *c = volatile_case_in(study);
    struct cs_volatile_kept *kept = CS_NEW(study->arena, struct cs_volatile_kept);
    struct cs_volatile_source *source;

    if (c->action == CS_PLAN && c->optimum.slots < 0) {
        cs_error_set(err, "%s: no schedule ends in time, so no file is written",
                     c->settings->study.input);
        return NULL;
    }
    source = source_of(c, run, err);
    if (!source)
        return NULL;
    kept->trial = c->action == CS_PLAN
                      ? cs_volatile_trial_of_optimum(c->believed, source, &c->optimum)
                      : run_once_more(c, variant, run, source, err);
    cs_volatile_source_destroy(source);
    if (!kept->trial)
        return NULL;
    kept->record.schedule = kept->trial->schedule;
    return &kept->record;
}

static void volatile_case_put(const struct cs_study *study, const struct cs_kept *record,
                              struct cs_jsonw *w)
{
    (void)study;
    cs_keys_put(w, cs_keys_volatile, record->schedule,
                &((const struct cs_volatile_kept *)(const void *)record)->trial->declared);
}

static void volatile_case_discard(struct cs_kept *record)
{
    cs_volatile_trial_destroy(((struct cs_volatile_kept *)(void *)record)->trial);
}

/* ---- what is generated ---- */

/* The states of one scenario, as traces of the hosts. */
static int draw_traces(struct cs_hosts *s, const struct cs_volatile_instance *instance,
                       const struct cs_volatile_world *world, int64_t slots, uint64_t seed,
                       struct cs_error *err)
{
    struct cs_host *host = CS_NEW_ARRAY(s->arena, struct cs_host, s->hosts);
    struct cs_volatile_sky *sky = cs_volatile_sky_create(world, instance, s->arena, err);
    struct cs_volatile_source *source = sky ? cs_volatile_sky_source(sky, seed, 0) : NULL;

    for (int q = 0; source && q < s->hosts && !cs_watch_calls(); q++) {
        host[q] = s->host[q];
        host[q].trace = cs_volatile_source_runs(source, q, slots, s->arena);
    }
    s->host = host;
    s->slots = slots;
    cs_volatile_source_destroy(source);
    return source ? cs_watch_settle(0, err) : -1;
}

static void name_source(struct cs_hosts *s, const struct cs_volatile_generator *r)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_strbuf_printf(&text, "cosched generate volatile: wmin %d, scenario %llu, seed %llu", r->wmin,
                     (unsigned long long)r->scenario, (unsigned long long)r->seed);
    s->source = cs_arena_strdup(s->arena, text.text);
    cs_strbuf_release(&text);
}

static int write_hosts(const struct cs_hosts *s, const char *output, struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&text);
    int status;

    cs_hosts_put(s, &w);
    cs_jsonw_end(&w);
    status = cs_file_write(output ? output : "-", text.text, text.length, err);
    cs_strbuf_release(&text);
    return status;
}

static int generate_hosts(const struct cs_volatile_settings *supplied, struct cs_error *err)
{
    const struct cs_volatile_generator generator = cs_volatile_states_generator(supplied);
    struct cs_volatile_world world = {.rule = CS_VOLATILE_RULE_CHAINS};
    struct cs_volatile_instance *instance = cs_volatile_generate(&generator, err);
    struct cs_hosts *s = instance ? cs_hosts_from_volatile(instance) : NULL;
    int status = s ? cs_volatile_states_law(supplied, s, &world, err) : -1;

    if (!status) {
        name_source(s, &generator);
        if (supplied->slots != CS_PARAM_NONE)
            status = draw_traces(s, instance, &world, supplied->slots, generator.seed, err);
    }
    if (!status)
        status = write_hosts(s, supplied->study.output, err);
    cs_hosts_destroy(s);
    cs_volatile_instance_destroy(instance);
    return status;
}

static int volatile_case_generate(const void *options, struct cs_error *err)
{
    const struct cs_volatile_settings *supplied = options;
    struct cs_hosts *trap = supplied->trap ? cs_volatile_states_trap(supplied, err) : NULL;
    int status;

    if (!supplied->trap)
        return generate_hosts(supplied, err);
    status = trap ? write_hosts(trap, supplied->study.output, err) : -1;
    cs_hosts_destroy(trap);
    return status;
}

/* ---- for a judge ---- */

/* The states of the hosts, and what each of them is. */
static int give_hosts(const struct cs_volatile_case *c, struct cs_volatile_declared *declared,
                      struct cs_error *err)
{
    const struct cs_volatile_instance *in = c->believed;
    struct cs_volatile_source *source = source_of(c, (long)c->settings->study.scenario, err);
    int *slots = CS_NEW_ARRAY(c->study.arena, int, in->hosts);
    const char **name = CS_NEW_ARRAY(c->study.arena, const char *, in->hosts);
    const char **trace = CS_NEW_ARRAY(c->study.arena, const char *, in->hosts);

    if (!source)
        return -1;
    for (int q = 0; q < in->hosts; q++) {
        name[q] = in->host[q].name;
        slots[q] = in->host[q].slots;
        trace[q] = cs_volatile_source_trace(source, q, declared->slots, c->study.arena);
    }
    cs_volatile_source_destroy(source);
    declared->host = name;
    declared->slots_per_task = slots;
    declared->capacity = in->capacity;
    declared->trace = trace;
    return 0;
}

/* For a judge: see cs_problem.given. */
static int volatile_case_supplied(const struct cs_study *study, struct cs_schedule_file *file,
                                  struct cs_error *err)
{
    const struct cs_volatile_case *c = volatile_case_in(study);
    const struct cs_volatile_application *app = cs_volatile_instance_application(c->believed);
    struct cs_volatile_declared *declared = CS_NEW(study->arena, struct cs_volatile_declared);

    if (cs_study_supplied_tasks(file, c->believed->hosts, app->iterations, NULL, err))
        return -1;
    if (!file->trial)
        return 0;
    *declared = *file->trial;
    declared->tasks = app->tasks;
    declared->iterations = app->iterations;
    declared->program = app->program;
    declared->data = app->data;
    declared->transfers = app->transfers;
    file->trial = declared;
    return give_hosts(c, declared, err);
}

#define AT(member) offsetof(struct cs_volatile_settings, member)

enum {
    ANY = CS_PLAN | CS_SIMULATE | CS_EXPERIMENT,
    RUN = CS_SIMULATE | CS_EXPERIMENT,
    SHOWN = CS_PLAN | CS_SIMULATE,
};

static void policy_words(struct cs_strbuf *words)
{
    cs_study_policy_words(&cs_problem_volatile.choice[0], words);
}

static const struct cs_param params[] = {
    CS_ROW_INPUT("hosts and an application (cosched-volatile-1); random ones when not given"),
    CS_ROW_WHOLE("hosts", "P", "20", 1, 10000, "how many hosts", AT(hosts)),
    CS_ROW_WHOLE("tasks", "M", "5", 1, 100000, "tasks of an iteration; the paper has 5 and 10",
                 AT(tasks)),
    CS_ROW_WHOLE("transfers", "N", NULL, 1, 10000,
                 "hosts that the master can send to at the same time (default: 5, 10 or 20, "
                 "chosen by the seed, as in the paper)",
                 AT(transfers)),
    CS_ROW_WHOLE("wmin", "W", "1", 1, 1000000,
                 "how hard: a task takes W to 10 W slots, its data W, the program 5 W; the paper "
                 "has 1 to 10",
                 AT(wmin)),
    CS_ROW_WHOLE("iterations", "N", "10", 1, 1000000, "to do", AT(iterations)),
    CS_ROW_WHOLE("cap", "SLOTS", "1000000", 1, CS_VOLATILE_CAP_MAX,
                 "after which a scenario has failed", AT(cap)),
    {.name = "policy",
     .kind = CS_PARAM_TEXT,
     .argument = "NAME[,NAME...]",
     .default_text = "y-ie",
     .group = "The policies",
     .values = policy_words,
     .policies = &cs_problem_volatile.choice[0],
     .list = true,
     .summary = "see 'cosched list volatile'; several, with parameters as in "
                "ie,y-ie:estimate=conditional, or all, are compared scenario by scenario with ie, "
                "or else with the first",
     .actions = RUN,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(policy)},
    CS_ROWS_PROGRAM("the tasks of hosts", RUN, AT(policy_program), AT(policy_patience)),
    {.name = "estimate",
     .kind = CS_PARAM_CHOICE,
     .choices = "printed|conditional",
     .default_text = "printed",
     .summary = "of the expected time: as the paper prints it, or its true value given success",
     .actions = RUN,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(estimate)},
    {.name = "prefetch",
     .kind = CS_PARAM_CHOICE,
     .choices = "none|program|data",
     .default_text = "none",
     .summary = "what idle transfers send to hosts outside the configuration: the program, or data "
                "too; the paper's model knows no such thing",
     .actions = RUN,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(prefetch)},
    {.name = "single-hosts",
     .old = "singles",
     .old_stored = true,
     .kind = CS_PARAM_CHOICE,
     .choices = "no|yes",
     .default_text = "no",
     .summary = "consider also each host alone",
     .actions = RUN,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(singles)},
    {.name = "aware",
     .kind = CS_PARAM_CHOICE,
     .choices = "no|yes",
     .default_text = "no",
     .summary = "the exact measure of a running configuration with reclaimed hosts",
     .actions = RUN,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(aware)},
    {.name = "law",
     .kind = CS_PARAM_CHOICE,
     .choices = "markov|weibull|lognormal",
     .group = "The hosts",
     .summary = "law of the times in a state, with the means of the chains (default: from the "
                "scenario, else markov)",
     .actions = ANY | CS_GENERATE,
     .scope = CS_SCOPE_DRAW,
     .at = AT(law)},
    {.name = "shape",
     .kind = CS_PARAM_REAL,
     .argument = "X",
     .low = 0.05,
     .high = 100,
     .summary = "of weibull (below 1: the longer a state has lasted, the longer it will; default "
                "0.5), or the deviation of the logarithm of lognormal (default 1)",
     .actions = ANY | CS_GENERATE,
     .scope = CS_SCOPE_DRAW,
     .at = AT(shape)},
    {.name = "trace",
     .kind = CS_PARAM_PATH,
     .argument = "FILE",
     .repeats = true,
     .summary =
         "states from a trace that 'cosched fit availability' reads, one of its machines for "
         "each host in order; several files are machines side by side",
     .actions = ANY,
     .scope = CS_SCOPE_DRAW,
     .at = AT(trace)},
    {.name = "components",
     .kind = CS_PARAM_PATH,
     .argument = "FILE",
     .needs = "trace",
     .summary = "component table of an event table of the archive: when nodes were monitored "
                "(default: component.tab in the directory of the trace, if it exists)",
     .actions = ANY,
     .scope = CS_SCOPE_DRAW,
     .at = AT(components)},
    {.name = "slot",
     .kind = CS_PARAM_SECONDS,
     .argument = "TIME",
     .low = 0.001,
     .high = 1e9,
     .needs = "trace",
     .summary = "slot length of the trace (seconds; default: the longest of the files, else 60)",
     .actions = ANY,
     .scope = CS_SCOPE_DRAW,
     .at = AT(slot)},
    {.name = "model",
     .kind = CS_PARAM_CHOICE,
     .choices = "given|fitted",
     .summary = "model that policies assume: the chains of the scenario, or chains fitted to a "
                "history of the states before the simulation (default: given if every host has a "
                "chain and there is no --history)",
     .actions = RUN,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(model)},
    {.name = "history",
     .kind = CS_PARAM_INTEGER,
     .argument = "SLOTS",
     .low = 0,
     .high = 10000000,
     .summary = "to fit chains to; 0 is as when not given; default: the first half of traces, else "
                "20000",
     .actions = RUN,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(history)},
    {.name = "lifetime-model",
     .old = "belief",
     .old_stored = true,
     .kind = CS_PARAM_CHOICE,
     .choices = "auto|chain|pooled-chain|weibull|log-normal|kaplan-meier",
     .old_choice = "product-limit=kaplan-meier",
     .old_choice_stored = true,
     .default_text = "auto",
     .summary =
         "what rate, proactive-rate and warm spares go by where there is a history: how long "
         "hosts stay by a chain of each or of a pool, or by a law of lives with age, frailty "
         "and co-failure; auto is log-normal where hosts have fewer than 10 ended lives "
         "each, else chain",
     .actions = RUN,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(lifetime_model)},
    {.name = "pool",
     .kind = CS_PARAM_CHOICE,
     .choices = "zone|fleet|host",
     .default_text = "zone",
     .summary = "whose lives are of one law: those of a file's hosts, of all, or of each host",
     .actions = RUN,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(pool)},
    {.name = "save-every",
     .kind = CS_PARAM_INTEGER,
     .argument = "SLOTS",
     .low = 0,
     .high = 100000000,
     .group = "The application",
     .summary = "save the results of an iteration every N slots, so the loss of a host loses "
                "only later slots; 0: never (default: from the scenario, else never)",
     .actions = RUN,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(save_every)},
    {.name = "save-cost",
     .kind = CS_PARAM_INTEGER,
     .argument = "SLOTS",
     .low = 0,
     .high = 100000000,
     .summary = "duration of a save (slots; default: from the scenario, else 0)",
     .actions = RUN,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(save_cost)},
    {.name = "spares",
     .kind = CS_PARAM_INTEGER,
     .argument = "N",
     .low = 0,
     .high = 100000,
     .summary = "send the program to N hosts outside the configuration too, the most likely to "
                "stay, in unused transfer slots (default: from the scenario, else 0)",
     .actions = RUN,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(spares)},
    {.name = "slots",
     .kind = CS_PARAM_INTEGER,
     .argument = "N",
     .low = 1,
     .high = 10000000,
     .group = "Generator",
     .summary = "draw the states too, as traces of so many slots; default of a trap: 40",
     .actions = CS_GENERATOR,
     .scope = CS_SCOPE_GENERATOR,
     .at = AT(slots)},
    {.name = "set",
     .kind = CS_PARAM_INTEGER,
     .argument = "I",
     .default_text = "0",
     .low = 0,
     .high = 9007199254740992.0,
     .summary = "another number, other hosts of the same kind",
     .actions = CS_GENERATOR,
     .scope = CS_SCOPE_GENERATOR,
     .at = AT(set),
     .old = "scenario"},
    CS_ROW_SEED("of the hosts", CS_GENERATE),
    CS_ROW_TRAP(CS_VOLATILE_TRAPS,
                "instead: hosts that are all up in some slots, hard to find (Theorem 4.1); "
                "biclique-free: hosts hold several tasks",
                CS_GENERATOR, AT(trap)),
    {.name = "planted-hosts",
     .needs = "trap",
     .kind = CS_PARAM_INTEGER,
     .argument = "A",
     .low = 1,
     .high = 10000,
     .summary = "how many are up together, each for a task (default: 6)",
     .actions = CS_GENERATOR,
     .scope = CS_SCOPE_GENERATOR,
     .at = AT(planted_hosts)},
    {.name = "planted-slots",
     .needs = "trap",
     .kind = CS_PARAM_INTEGER,
     .argument = "B",
     .low = 1,
     .high = 1000000,
     .summary = "in how many slots, the work of a task (default: 12)",
     .actions = CS_GENERATOR,
     .scope = CS_SCOPE_GENERATOR,
     .at = AT(planted_slots)},
    {.name = "density",
     .needs = "trap",
     .kind = CS_PARAM_REAL,
     .argument = "D",
     .low = 0,
     .high = 1,
     .summary = "share of the other slots in which a host is up (default: 0.5)",
     .actions = CS_GENERATOR,
     .scope = CS_SCOPE_GENERATOR,
     .at = AT(density)},
    CS_ROW_OUTPUT("FILE.json", CS_GENERATE),
    {.name = "scenarios",
     .letter = 'n',
     .kind = CS_PARAM_INTEGER,
     .argument = "N",
     .default_text = "100",
     .low = 1,
     .high = 1000000,
     .group = "The scenarios",
     .summary = "how many; in one every policy meets the same states; those after the first begin "
                "at a random slot of the traces and go round; in experiments a trap has one",
     .actions = RUN,
     .scope = CS_SCOPE_DRAW,
     .at = AT(scenarios),
     .old = "trials"},
    CS_ROW_SEED("of the states", SHOWN),
    CS_ROW_THREADS(CS_SIMULATE),
    {.name = "bound",
     .kind = CS_PARAM_CHOICE,
     .choices = "auto|clairvoyant|optimum",
     .default_text = "auto",
     .group = "Output",
     .summary = "what makespans are held against: clairvoyant, a bound for who knows all states; "
                "optimum, the shortest schedule then, for scenarios without program and data, "
                "however long the search takes; auto, the optimum where there is neither and "
                "the search limit suffices, else the bound",
     .actions = RUN,
     .at = AT(bound)},
    {.name = "search-limit",
     .old = "patience",
     .old_stored = true,
     .kind = CS_PARAM_INTEGER,
     .argument = "WORDS",
     .default_text = "268435456",
     .low = 1,
     .high = 1000000000000000,
     .summary = "of --bound auto: how many words of 64 slots the search for the optimum of a "
                "scenario looks at; some 500 million take a second",
     .actions = RUN,
     .at = AT(patience)},
    CS_ROW_FORMAT("Output", SHOWN),
    {.name = "per-scenario",
     .kind = CS_PARAM_PATH,
     .argument = "FILE.csv",
     .summary = "a row for each policy and scenario",
     .actions = CS_SIMULATE,
     .at = CS_STUDY_AT(per_scenario),
     .old = "per-trial"},
    CS_ROW_SCHEDULE("one scenario as a schedule (cosched-schedule-1), which 'cosched check' judges",
                    SHOWN),
    CS_ROW_GANTT("draw one scenario: every host over time, its states and activity", SHOWN),
    {.name = "scenario",
     .kind = CS_PARAM_INTEGER,
     .argument = "I",
     .default_text = "0",
     .low = 0,
     .high = 1000000,
     .summary = "the one that --output and --gantt show, and that is planned, from 0; a plan has "
                "all slots of traces, also those that chains are fitted to",
     .actions = SHOWN,
     .at = CS_STUDY_AT(scenario),
     .old = "trial"},
    CS_ROW_TITLE(SHOWN),
    CS_ROW_DARK(SHOWN),
    {0},
};

const struct cs_problem cs_problem_volatile = {
    .name = "volatile",
    .summary = "which of the hosts that come and go an iterative, tightly coupled application uses "
               "now",
    .param = params,
    .value = cs_volatile_values,
    .choice = {{"policy", "policies", cs_volatile_policies}},
    .variant = {"policy"},
    .options = sizeof(struct cs_volatile_settings),
    .outcome = sizeof(struct cs_volatile_seen),
    .open = volatile_case_open,
    .close = volatile_case_close,
    .run = volatile_case_run,
    .identify = volatile_case_identify,
    .record = volatile_case_record,
    .put = volatile_case_put,
    .discard = volatile_case_discard,
    .supplied = volatile_case_supplied,
    .generate = volatile_case_generate,
};
