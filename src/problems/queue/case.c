/* case.c - from options to a study of jobs that arrive: the log or drawn jobs, variants, runs, one
 * run kept.
 *
 * Source: spec/replay.md; drawn jobs: drawn.c.
 */
#include "base/digest.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/watch.h"
#include "io/schedule_keys.h"
#include "problems/queue/problem.h"

#include <math.h>
#include <string.h>

static struct cs_queue_case *queue_case_of(struct cs_study *study)
{
    return (struct cs_queue_case *)(void *)study;
}

static const struct cs_queue_case *queue_case_in(const struct cs_study *study)
{
    return (const struct cs_queue_case *)(const void *)study;
}

int cs_queue_case_generate(const void *options, struct cs_error *err)
{
    const struct cs_queue_options *o = options;
    const struct cs_watch *watch = cs_watch_here();
    struct cs_strbuf text = CS_STRBUF_INIT, warning = CS_STRBUF_INIT;
    int status = cs_watch_settle(cs_queue_drawn_put(o, &text, &warning, err), err);

    if (!status && watch && watch->warn && warning.length > 0)
        watch->warn(watch->who, warning.text);
    cs_strbuf_release(&warning);
    if (!status)
        status =
            cs_file_write(o->study.output ? o->study.output : "-", text.text, text.length, err);
    cs_strbuf_release(&text);
    return status;
}

/* ---- opening ---- */

int cs_queue_case_check(const void *options, struct cs_error *err)
{
    const struct cs_queue_options *o = options;

    return cs_queue_drawn_check(o, err) ? -1 : cs_replay_check(&o->site, err);
}

static void case_discard(struct cs_guarded *guarded)
{
    struct cs_queue_case *c =
        (struct cs_queue_case *)(void *)((char *)guarded - offsetof(struct cs_queue_case, guarded));

    cs_replay_discard(&c->request);
}

/* The options of the request, with seed and threads of the study. */
static const struct cs_replay_options *case_options(const struct cs_queue_case *c, unsigned action)
{
    struct cs_replay_options *o = CS_NEW(c->study.arena, struct cs_replay_options);

    *o = c->options->site;
    o->seed = c->options->study.seed;
    o->threads = c->options->study.threads;
    o->set = c->options->set;
    o->full |= o->report != NULL;
    if (action != CS_REPLAY) {
        o->jobs = NULL;
        o->jobs_format = 0;
    }
    return o;
}

/* Sets depend on the log and the machine alone. */
static const struct cs_cache_by *case_by(const struct cs_queue_case *c)
{
    struct cs_cache_by *by = CS_NEW(c->study.arena, struct cs_cache_by);
    struct cs_queue_options *same = CS_NEW(c->study.arena, struct cs_queue_options);

    *same = *c->options;
    same->site.by_day |= same->site.day > 0;
    *by = (struct cs_cache_by){&cs_problem_queue, same, CS_SCOPE_INSTANCE,
                               "day|estimates|default-request|outages"};
    return by;
}

/* The power of nodes, which was checked when the study was opened; or NULL. */
static const struct cs_energy_options *case_watts(const struct cs_queue_case *c)
{
    const struct cs_study_options *o = &c->options->study;
    struct cs_energy_options *watts = CS_NEW(c->study.arena, struct cs_energy_options);

    watts->per_node = (int)o->procs_per_node;
    watts->until = NAN;
    return o->watts && !cs_watts_read(o->watts, &watts->watts, NULL) ? watts : NULL;
}

/* Can jobs be drawn instead of a log? */
static int check_model(const struct cs_queue_options *o, unsigned action, struct cs_error *err)
{
    if (action != CS_EXPERIMENT && o->workload < 0)
        return cs_error_set(err,
                            "LOG is missing: a job log, or --workload for jobs that are drawn");
    return o->workload > CS_QUEUE_UNIFORM && o->site.procs == CS_PARAM_NONE
               ? cs_error_set(err, "--procs is missing: --workload lublin and lublin-batch draw "
                                   "widths for so many processors, not for --nodes or --machine")
               : 0;
}

static int case_prepare(struct cs_queue_case *c, unsigned action, struct cs_error *err)
{
    static const char *const none[] = {NULL};
    const struct cs_study_options *o = &c->options->study;
    const char *const *path = o->inputs  ? o->inputs
                              : o->input ? cs_param_lines(o->input, c->study.arena)
                                         : none;
    struct cs_strbuf text = CS_STRBUF_INIT, warning = CS_STRBUF_INIT;
    int count = 0, status = 0;

    while (path[count])
        count++;
    if (!count && check_model(c->options, action, err))
        return -1;
    if (!count) {
        status = cs_queue_drawn_put(c->options, &text, &warning, err);
        c->request.drawn = text.text;
    }
    if (!status && warning.length > 0)
        cs_replay_warn(&c->request, "%s", warning.text);
    if (!status)
        status = cs_replay_prepare(path, count, case_options(c, action), &c->request, err);
    c->request.drawn = NULL;
    if (!count && !c->options->former) {
        cs_strbuf_clear(&text);
        cs_queue_drawn_name(c->options, &text);
        c->request.model = cs_arena_strdup(c->study.arena, text.text);
    }
    c->request.study.energy = case_watts(c);
    cs_strbuf_release(&text);
    cs_strbuf_release(&warning);
    return status;
}

static void name_variants(struct cs_queue_case *c)
{
    const struct cs_replay_request *r = &c->request;
    const int first = c->recorded, variants = r->study.variants / r->scenarios + first;
    struct cs_variant *variant = CS_NEW_ARRAY(c->study.arena, struct cs_variant, variants);

    if (first)
        variant[0] = (struct cs_variant){{"recorded", ""}};
    for (int v = first; v < variants; v++) {
        const struct cs_queue_log_variant *from =
            &r->study.variant[(size_t)(v - first) * (size_t)r->scenarios];

        variant[v] = (struct cs_variant){{from->policy, from->priority}};
    }
    c->study.variants = variants;
    c->study.variant = variant;
    c->study.reference = first ? 0 : -1;
    c->study.runs = r->scenarios;
}

static void name_sets(struct cs_queue_case *c)
{
    const struct cs_queue_cut *cut = c->request.study.cut;
    struct cs_study_group *group;

    if (!cut)
        return;
    group = CS_NEW_ARRAY(c->study.arena, struct cs_study_group, cut->sets);
    for (int s = 0; s < cut->sets; s++)
        group[s] = (struct cs_study_group){cut->set[s].name, cut->set[s].jobs.count};
    c->study.groups = cut->sets;
    c->study.group = group;
    c->study.runs *= cut->sets ? cut->sets : 1;
}

/* Without draws one run is enough. */
static bool case_is_certain(const struct cs_queue_case *c)
{
    const struct cs_queue_log_study *study = &c->request.study;
    bool certain =
        c->request.scenarios == 1 && !(study->error_rate > 0) && !study->failures && !study->cut;

    for (int v = 0; v < study->variants; v++)
        certain &= strcmp(study->variant[v].priority, "random") != 0;
    return certain;
}

struct cs_study *cs_queue_case_open(const void *options, const struct cs_study_context *context,
                                    struct cs_error *err)
{
    struct cs_queue_case *c = cs_study_create(&cs_problem_queue, options, sizeof *c);

    c->options = options;
    c->recorded =
        context->action != CS_EXPERIMENT && !c->options->former && cs_queue_has_log(c->options);
    c->request = (struct cs_replay_request){.arena = c->study.arena,
                                            .cache = context->cache,
                                            .by_options = case_by(c),
                                            .lenient = context->action == CS_EXPERIMENT,
                                            .warn = context->warn,
                                            .who = context->who};
    cs_guard_keep(&c->guarded, case_discard);
    if (case_prepare(c, context->action, err)) {
        cs_study_close(&c->study);
        return NULL;
    }
    c->request.warn = NULL; /* it lasts as long as this call */
    c->request.study.unrecorded = !c->recorded;
    name_variants(c);
    name_sets(c);
    c->study.certain = case_is_certain(c);
    if (c->request.study.log.site && c->request.study.log.site->kind != CS_SITE_PROCESSORS)
        c->study.named = "the nodes of a machine have numbers";
    return &c->study;
}

void cs_queue_case_close(struct cs_study *study)
{
    struct cs_queue_case *c = queue_case_of(study);

    cs_guard_discard(&c->running);
    cs_guard_discard(&c->guarded);
    cs_queue_log_rows_release(&c->rows);
    cs_replay_release(&c->request);
}

/* ---- running ---- */

bool cs_queue_is_recorded(const struct cs_queue_log_rows *rows)
{
    const int64_t kept = cs_log_counts(rows->log)->kept;

    return rows->count > 0 && kept > 0 && 2 * rows->row[0].recorded.jobs >= kept;
}

struct cs_queue_outcome cs_queue_outcome_of(const struct cs_queue_log_row *row)
{
    return (struct cs_queue_outcome){.made = row->made,
                                     .bound = row->bound,
                                     .measured = row->measured,
                                     .operated = row->operated,
                                     .sum = row->sum};
}

static bool case_is_recorded(const struct cs_queue_case *c)
{
    const struct cs_queue_cut *cut = c->request.study.cut;
    int64_t recorded = 0, jobs = 0;

    if (!cut)
        return cs_queue_is_recorded(&c->rows);
    for (int s = 0; s < cut->sets; s++) {
        recorded += c->rows.row[s].recorded.jobs;
        jobs += cut->set[s].jobs.count;
    }
    return jobs > 0 && 2 * recorded >= jobs;
}

/* A log without starts has no recorded variant. */
static void drop_recorded(struct cs_queue_case *c)
{
    c->recorded = false;
    c->study.variants--;
    c->study.variant++;
    c->study.reference = -1;
}

/* The row of a run of a variant: the scenarios of the first set, those of the next, and so on. */
static const struct cs_queue_log_row *case_row(const struct cs_queue_case *c, int variant, long run)
{
    const struct cs_queue_cut *cut = c->request.study.cut;
    const int scenarios = c->request.scenarios, sets = cut ? cut->sets : 1;
    const long at =
        variant < c->recorded ? 0 : 1 + (long)(variant - c->recorded) * scenarios + run % scenarios;

    return &c->rows.row[at * sets + run / scenarios];
}

static void case_take_rows(struct cs_queue_case *c)
{
    struct cs_queue_outcome *outcome = c->study.outcome;
    struct cs_energy *energy = NULL;

    if (c->recorded && !case_is_recorded(c))
        drop_recorded(c);
    if (c->request.study.energy)
        c->study.energy = energy =
            CS_NEW_ARRAY(c->study.arena, struct cs_energy, c->study.variants * c->study.runs);
    for (int v = 0; c->rows.count && v < c->study.variants; v++)
        for (long r = 0; r < c->study.runs; r++) {
            *outcome++ = cs_queue_outcome_of(case_row(c, v, r));
            if (energy)
                *energy++ = case_row(c, v, r)->energy;
        }
    if (c->rows.count && c->study.variants > c->recorded)
        c->study.scale = case_row(c, c->recorded, 0)->measured.makespan;
}

/* The sum of the mean waits of a variant. */
static double case_wait(const struct cs_queue_case *c, int variant)
{
    double sum = 0;

    for (long r = 0; r < c->study.runs; r++) {
        const struct cs_queue_outcome *o = cs_study_outcome(&c->study, variant, r);

        sum += o->made ? o->measured.mean_wait : 0;
    }
    return sum;
}

/* The policy with the least mean wait is the best; the recorded variant is not a policy. */
static void case_remark(struct cs_queue_case *c)
{
    const int first = c->recorded, variants = c->study.variants;
    const char **remark = CS_NEW_ARRAY(c->study.arena, const char *, variants);
    double best = INFINITY;

    for (int v = first; v < variants; v++)
        best = fmin(best, case_wait(c, v));
    for (int v = 0; v < variants; v++)
        remark[v] = v >= first && case_wait(c, v) <= best ? "best" : "";
    c->study.remark = remark;
}

/* Memory ran out: the guard of the run has released the rows. */
static void case_forget(struct cs_guarded *running)
{
    struct cs_queue_case *c =
        (struct cs_queue_case *)(void *)((char *)running - offsetof(struct cs_queue_case, running));

    c->rows = (struct cs_queue_log_rows){0};
}

int cs_queue_case_run(struct cs_study *study, const struct cs_study_progress *progress,
                      struct cs_error *err)
{
    struct cs_queue_case *c = queue_case_of(study);
    struct cs_queue_log_study log = c->request.study;

    log.progress = progress;
    cs_guard_discard(&c->running);
    cs_queue_log_rows_release(&c->rows);
    cs_guard_keep(&c->running, case_forget);
    if (cs_queue_log_study_run(&log, &c->rows, err) || cs_extpol_check(c->request.extpol, err))
        return -1;
    case_take_rows(c);
    case_remark(c);
    return 0;
}

void cs_queue_case_identify(const struct cs_study *study, char text[CS_DIGEST_TEXT])
{
    const struct cs_queue_case *c = queue_case_in(study);
    struct cs_digest digest;

    cs_digest_init(&digest);
    cs_digest_put_text(&digest, "queue 1");
    cs_replay_identify(&c->request, &digest);
    cs_digest_finish(&digest, text);
}

/* ---- one run, kept ---- */

/* The variant of the request that ran as this one; -1 with err for what was recorded. */
static int case_variant(const struct cs_queue_case *c, int variant, long run, struct cs_error *err)
{
    if (variant < c->recorded)
        return cs_error_set(err, "what was recorded is no run of a policy: name a policy");
    return (variant - c->recorded) * c->request.scenarios + (int)(run % c->request.scenarios);
}

/* One row again, with the outputs that the study has set; of a log in sets that of one set, in
 * `cut`. */
static int case_again(const struct cs_queue_case *c, struct cs_queue_log_study *study,
                      const struct cs_queue_kept *kept, struct cs_queue_cut *cut,
                      struct cs_queue_log_rows *rows, struct cs_error *err)
{
    study->variants = 1;
    study->variant = &c->request.study.variant[kept->variant];
    study->op.sets = true;
    study->by = study->recorded_by = 0;
    study->unrecorded = true;
    if (study->cut) {
        *cut = *study->cut;
        cut->sets = 1;
        cut->set += kept->set;
        cut->drawn += kept->set;
        cut->strong = false;
        cut->from_zero = c->options->site.former && study->keep;
        study->cut = cut;
    }
    if (cs_queue_log_study_run(study, rows, err))
        return -1;
    if (!cs_extpol_check(c->request.extpol, err))
        return 0;
    cs_queue_log_rows_release(rows);
    return -1;
}

struct cs_kept *cs_queue_case_record(const struct cs_study *study, int variant, long run,
                                     struct cs_error *err)
{
    const struct cs_queue_case *c = queue_case_in(study);
    const int at = case_variant(c, variant, run, err);
    struct cs_queue_log_study again = c->request.study;
    struct cs_queue_kept *kept = CS_NEW(study->arena, struct cs_queue_kept);
    struct cs_queue_log_rows rows;
    struct cs_queue_cut cut;

    again.keep = true;
    kept->variant = at;
    kept->set = (int)(run / c->request.scenarios);
    if (at < 0 || case_again(c, &again, kept, &cut, &rows, err))
        return NULL;
    kept->record.schedule = cs_queue_log_kept_schedule(rows.row[1].kept, again.log.site->procs,
                                                       &kept->declared, study->arena, err);
    kept->declared.priority = again.variant->priority;
    kept->declared.scenario = again.variant->scenario;
    kept->declared.shelves = again.variant->op.policy->shelf != NULL;
    if (again.cut && c->study.outcome)
        kept->declared.lower_bound =
            ((const struct cs_queue_outcome *)cs_study_outcome(study, variant, run))->bound;
    cs_queue_log_rows_release(&rows);
    return kept->record.schedule ? &kept->record : NULL;
}

void cs_queue_case_put(const struct cs_study *study, const struct cs_kept *record,
                       struct cs_jsonw *w)
{
    (void)study;
    cs_keys_put(w, cs_keys_rigid, record->schedule, &cs_queue_kept_of(record)->declared);
}

void cs_queue_case_discard(struct cs_kept *record)
{
    cs_schedule_destroy(record->schedule);
}

int cs_queue_case_table(const struct cs_study *study, const struct cs_kept *record,
                        struct cs_strbuf *out, struct cs_error *err)
{
    const struct cs_queue_case *c = queue_case_in(study);
    struct cs_queue_log_study again = c->request.study;
    struct cs_queue_log_rows rows;
    struct cs_queue_cut cut;

    again.text = out;
    again.form = (enum cs_queue_table_form)c->options->site.jobs_format;
    again.csv_safe = study->options->csv_safe;
    if (case_again(c, &again, cs_queue_kept_of(record), &cut, &rows, err))
        return -1;
    cs_queue_log_rows_release(&rows);
    return 0;
}

/* ---- for a judge ---- */

static const char **case_names(const struct cs_queue_case *c, const struct cs_schedule *schedule)
{
    const int tasks = cs_schedule_tasks(schedule);
    const char **name = CS_NEW_ARRAY(c->study.arena, const char *, tasks);

    for (int i = 0; i < tasks; i++)
        name[i] = cs_schedule_task_name(schedule, i);
    return name;
}

int cs_queue_case_supplied(const struct cs_study *study, struct cs_schedule_file *file,
                           struct cs_error *err)
{
    const struct cs_queue_case *c = queue_case_in(study);
    const int scenario = file->rigid && file->rigid->scenario > 0 ? file->rigid->scenario : 0;
    const char **name;
    struct cs_kept *record;
    int status;

    if (!file->rigid)
        return 0;
    if (scenario >= c->study.runs)
        return cs_error_set(err, "what the schedule was made from has no scenario %d", scenario);
    record = cs_queue_case_record(study, c->recorded, scenario, err);
    if (!record)
        return -1;
    name = case_names(c, record->schedule);
    status = cs_study_supplied_tasks(file, (int)c->request.study.log.site->procs,
                                     cs_schedule_tasks(record->schedule), name, err);
    if (!status) {
        struct cs_rigid_declared *declared = &((struct cs_queue_kept *)(void *)record)->declared;

        declared->lower_bound = file->rigid->lower_bound;
        file->rigid = declared;
    }
    cs_schedule_destroy(record->schedule);
    return status;
}
