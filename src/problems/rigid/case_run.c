/* case_run.c - a study of rigid jobs: its runs, one of them kept. */
#include "problems/rigid/case.h"

#include "base/digest.h"
#include "io/schedule_json.h"
#include "io/schedule_keys.h"
#include "model/extpol.h"
#include "problems/rigid/study.h"

#include <math.h>

static const struct cs_rigid_case *case_run_case_in(const struct cs_study *study)
{
    return (const struct cs_rigid_case *)(const void *)study;
}

/* ---- the runs ---- */

/* Of the first scenario of a set. */
static struct cs_rigid_seen *seen_of(const struct cs_rigid_case *c, int variant, int set)
{
    struct cs_rigid_seen *seen = c->study.outcome;

    return seen + (size_t)variant * (size_t)c->study.runs + (size_t)set * (size_t)c->scenarios;
}

static struct cs_rigid_study study_of(const struct cs_rigid_case *c, int variant, int set)
{
    return (struct cs_rigid_study){
        .jobs = &c->set[set].jobs,
        .policy = c->variant[variant].policy,
        .param = c->variant[variant].param,
        .priority = c->variant[variant].priority,
        .scenarios = c->drawn[set],
        .threads = cs_study_threads(&c->study),
        .processors = cs_study_processors(&c->study),
    };
}

static void case_run_see(void *seen, const struct cs_rigid_outcome *o)
{
    *(struct cs_rigid_seen *)seen = (struct cs_rigid_seen){
        .made = true,
        .makespan = o->makespan,
        .bound = o->bound,
        .ratio = o->ratio,
        .failures = (double)o->failures,
        .waste = o->waste,
        .utilisation = o->utilisation,
    };
}

static int run_batches(const struct cs_rigid_case *c, const struct cs_study_progress *progress,
                       struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_rigid_study *study =
        CS_NEW_ARRAY(arena, struct cs_rigid_study, (size_t)c->study.variants * (size_t)c->sets);
    const struct cs_rigid_batch batch = {
        .study = study,
        .variants = c->study.variants,
        .sets = c->sets,
        .scenarios = c->scenarios,
        .threads = cs_study_threads(&c->study),
        .seen = c->study.outcome,
        .size = sizeof(struct cs_rigid_seen),
        .see = case_run_see,
        .progress = progress,
    };
    int status;

    for (int i = 0; i < c->study.variants * c->sets; i++)
        study[i] = study_of(c, i / c->sets, i % c->sets);
    status = c->sets ? cs_rigid_batch_run(&batch, err) : 0;
    cs_arena_destroy(arena);
    return status;
}

/* The larger of the two bounds counts. */
static int raise_bounds(const struct cs_rigid_case *c, int set, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    double *bound = CS_NEW_ARRAY(arena, double, c->scenarios);
    int status = cs_rigid_study_bounds(c->drawn[set], cs_study_threads(&c->study), bound, err);

    for (int w = 0; !status && w < c->study.variants; w++)
        for (int i = 0; i < c->scenarios; i++) {
            struct cs_rigid_seen *seen = &seen_of(c, w, set)[i];

            seen->bound = fmax(seen->bound, bound[i]);
            seen->ratio = seen->bound > 0 ? seen->makespan / seen->bound : 1;
        }
    cs_arena_destroy(arena);
    return status;
}

/* The best of several variants has the least ratio in a batch, the least wait where jobs arrive. */
static double case_run_judge(const struct cs_rigid_case *c, int variant)
{
    const struct cs_rigid_seen *seen = seen_of(c, variant, 0);
    double sum = 0;

    for (long r = 0; r < c->study.runs; r++)
        if (seen[r].made)
            sum += seen[r].arrives ? seen[r].arrivals.mean_wait : seen[r].ratio;
    return sum;
}

static void case_run_remark(struct cs_study *study)
{
    const char **remark = CS_NEW_ARRAY(study->arena, const char *, study->variants);
    double *value = CS_NEW_ARRAY(study->arena, double, study->variants), best = INFINITY;

    for (int w = 0; w < study->variants; w++) {
        value[w] = case_run_judge(case_run_case_in(study), w);
        best = fmin(best, value[w]);
    }
    for (int w = 0; w < study->variants; w++)
        remark[w] = study->variants > 1 && value[w] <= best ? "best" : "";
    study->remark = remark;
}

int cs_rigid_case_run(struct cs_study *study, const struct cs_study_progress *progress,
                      struct cs_error *err)
{
    struct cs_rigid_case *c = (struct cs_rigid_case *)(void *)study;

    if (c->queue ? cs_rigid_arrivals_run(c, progress, err)
                 : (run_batches(c, progress, err) || cs_extpol_check(c->extpol, err)))
        return -1;
    for (int s = 0; !c->queue && s < c->sets; s++) {
        if (c->options->bound == 1 && c->drawn[s] && raise_bounds(c, s, err))
            return -1;
        for (int w = 0; w < study->variants; w++) {
            seen_of(c, w, s)->first = true;
            seen_of(c, w, s)->jobs = c->set[s].jobs.count;
        }
    }
    case_run_remark(study);
    return 0;
}

void cs_rigid_identify_jobs(struct cs_digest *digest, const struct cs_sched_jobs *jobs)
{
    cs_digest_put_integer(digest, jobs->machine);
    cs_digest_put_double(digest, jobs->verification);
    cs_digest_put_integer(digest, jobs->count);
    for (int j = 0; j < jobs->count; j++) {
        cs_digest_put_double(digest, jobs->seconds[j]);
        cs_digest_put_integer(digest, jobs->procs[j]);
    }
}

void cs_rigid_case_identify(const struct cs_study *study, char text[CS_DIGEST_TEXT])
{
    const struct cs_rigid_case *c = case_run_case_in(study);
    struct cs_digest digest;

    cs_digest_init(&digest);
    cs_digest_put_text(&digest, "rigid 1");
    if (c->queue)
        cs_rigid_arrivals_identify(c, &digest);
    for (int s = 0; !c->queue && s < c->sets; s++)
        cs_rigid_identify_jobs(&digest, &c->set[s].jobs);
    cs_digest_finish(&digest, text);
}

/* ---- one run, kept ---- */

static struct cs_rigid_kept *case_run_keep(const struct cs_rigid_case *c, int variant, int scenario,
                                           const int64_t *failures)
{
    const struct cs_rigid_seen *seen = cs_study_outcome(&c->study, variant, scenario);
    const struct cs_sched_jobs *jobs = &c->set[0].jobs;
    struct cs_rigid_kept *kept = CS_NEW(c->study.arena, struct cs_rigid_kept);

    kept->declared = (struct cs_rigid_declared){
        .priority = c->study.variant[variant].word[1],
        .scenario = scenario,
        .verification = jobs->verification,
        .lower_bound = seen->bound,
        .shelves = c->variant[variant].policy->shelf != NULL,
        .seconds = jobs->seconds,
        .procs = jobs->procs,
        .failures = failures,
    };
    return kept;
}

struct cs_kept *cs_rigid_case_record(const struct cs_study *study, int variant, long run,
                                     struct cs_error *err)
{
    const struct cs_rigid_case *c = case_run_case_in(study);
    const struct cs_sched_input_set *set = c->set;
    struct cs_rigid_study one;
    struct cs_rigid_kept *kept;
    int64_t *failures;

    if (c->queue)
        return cs_rigid_arrivals_record(study, variant, run, err);
    failures = CS_NEW_ARRAY(study->arena, int64_t, set->jobs.count);
    one = study_of(c, variant, 0);
    if (cs_sched_scenarios_get(c->drawn[0], (int)run, failures, err))
        return NULL;
    kept = case_run_keep(c, variant, (int)run, failures);
    kept->record.schedule = cs_rigid_study_schedule(&one, (int)run, set->job, err);
    if (kept->record.schedule && cs_extpol_check(c->extpol, err)) {
        cs_schedule_destroy(kept->record.schedule);
        return NULL;
    }
    return kept->record.schedule ? &kept->record : NULL;
}

static const struct cs_rigid_kept *kept_in(const struct cs_kept *record)
{
    return (const struct cs_rigid_kept *)(const void *)record;
}

void cs_rigid_case_put(const struct cs_study *study, const struct cs_kept *record,
                       struct cs_jsonw *w)
{
    if (case_run_case_in(study)->queue)
        cs_rigid_arrivals_put(study, record, w);
    else
        cs_keys_put(w, cs_keys_rigid, record->schedule, &kept_in(record)->declared);
}

void cs_rigid_case_discard(struct cs_kept *record)
{
    cs_schedule_destroy(record->schedule);
}

/* ---- for a judge ---- */

/* The set in which the scenario is. */
static int set_of(const struct cs_rigid_case *c, const struct cs_schedule_file *file,
                  struct cs_error *err)
{
    if (c->sets == 1 && c->drawn && c->drawn[0] && file->rigid->scenario < c->scenarios)
        return 0;
    return cs_error_set(err,
                        "what the schedule was made from has no scenario %d of one set of jobs",
                        file->rigid->scenario);
}

int cs_rigid_case_supplied(const struct cs_study *study, struct cs_schedule_file *file,
                           struct cs_error *err)
{
    const struct cs_rigid_case *c = case_run_case_in(study);
    struct cs_rigid_declared *declared = CS_NEW(study->arena, struct cs_rigid_declared);
    const struct cs_sched_jobs *jobs;
    int64_t *failures;
    int scenario;

    if (!file->rigid)
        return 0;
    if (c->queue)
        return cs_rigid_arrivals_supplied(study, file, err);
    jobs = &c->set[0].jobs;
    failures = CS_NEW_ARRAY(study->arena, int64_t, jobs->count);
    scenario = file->rigid->scenario < 0 ? (int)study->options->scenario : file->rigid->scenario;
    if (set_of(c, file, err) ||
        cs_study_supplied_tasks(file, c->machine, jobs->count, c->set[0].job, err) ||
        cs_sched_scenarios_get(c->drawn[0], scenario, failures, err))
        return -1;
    *declared = *file->rigid;
    declared->verification = jobs->verification;
    declared->seconds = jobs->seconds;
    declared->procs = jobs->procs;
    declared->failures = failures;
    declared->submit = declared->estimate = NULL;
    file->rigid = declared;
    return 0;
}
