/* case.c - from options to a bag, to plans of it or runs, to a schedule. */
#include "moldable/case.h"

#include "base/workers.h"
#include "io/schedule_json.h"
#include "io/workload_limit.h"
#include "model/workload.h"
#include "moldable/draw.h"
#include "moldable/problem.h"
#include "moldable/schedule.h"
#include "study/identity.h"

#include <string.h>

#define USUAL_PROCS 200 /* for what is generated */

static struct cs_moldable_case *case_of(struct cs_study *study)
{
    return (struct cs_moldable_case *)(void *)study;
}

static const struct cs_moldable_case *case_in(const struct cs_study *study)
{
    return (const struct cs_moldable_case *)(const void *)study;
}

int cs_moldable_case_check(const void *options, struct cs_error *err)
{
    const struct cs_moldable_asked *o = options;

    return o->plan && o->planner
               ? cs_error_set(err, "--plan and --planner both say which plan: leave one out")
               : 0;
}

/* ---- the instance ---- */

static struct cs_moldable_recipe recipe_of(const struct cs_moldable_asked *o)
{
    return (struct cs_moldable_recipe){
        .model = (enum cs_moldable_model)(o->model < 0 ? CS_MOLDABLE_AMDAHL : o->model),
        .tasks = (int)o->tasks,
        .procs = (int)(o->procs == CS_FIELD_NONE ? USUAL_PROCS : o->procs),
        .seed = (uint64_t)o->study.seed,
        .set = (uint64_t)o->set,
    };
}

static int get_workload(struct cs_moldable_case *c, struct cs_error *err)
{
    const struct cs_moldable_asked *o = c->options;
    const struct cs_workload_options options = {
        .fill = o->fill == 1 ? CS_FILL_POWER : CS_FILL_STEP,
        .fewer = o->fewer == 1 ? CS_FEWER_SCALE : CS_FEWER_REFUSE,
    };
    struct cs_moldable_recipe recipe = recipe_of(o);

    c->workload = o->study.input ? cs_workload_read(o->study.input, &options, err)
                                 : cs_moldable_generate(&recipe);
    return c->workload ? 0 : -1;
}

static int64_t given_or(int64_t given, int64_t fallback)
{
    return given == CS_FIELD_NONE ? fallback : given;
}

static int make_instance(struct cs_moldable_case *c, struct cs_error *err)
{
    const struct cs_moldable_asked *o = c->options;
    struct cs_moldable_options options = {
        .limit = {.min_procs = (int)given_or(o->min_procs, 0),
                  .max_procs = (int)given_or(o->max_procs, 0),
                  .walltime = isnan(o->walltime) ? 0 : o->walltime},
        .margin = o->margin,
    };
    int procs = (int)given_or(o->procs, c->workload->procs);

    if (o->counts && cs_workload_counts_parse(o->counts, &options.limit, c->study.arena, err))
        return cs_error_prefix(err, "--counts");
    if (procs == 0)
        return cs_error_set(err, "%s does not say how many processors there are: give --procs P",
                            o->study.input);
    c->instance = cs_moldable_instance_create(c->workload, procs, &options, err);
    if (!c->instance)
        return o->study.input ? cs_error_prefix(err, "%s", o->study.input) : -1;
    cs_moldable_bounds_compute(c->instance, &c->bounds);
    c->study.scale = c->bounds.best;
    return 0;
}

static void set_walltimes(struct cs_moldable_case *c)
{
    const struct cs_task_limit *limit = c->workload->limit;
    double all = isnan(c->options->walltime) ? INFINITY : c->options->walltime;
    double *walltime = CS_NEW_ARRAY(c->study.arena, double, c->workload->count);

    for (int i = 0; i < c->workload->count; i++)
        walltime[i] = limit && limit[i].walltime > 0 ? fmin(all, limit[i].walltime) : all;
    c->walltime = walltime;
}

/* ---- plans ---- */

static struct cs_moldable_request request_of(const struct cs_moldable_case *c)
{
    return (struct cs_moldable_request){
        .seed = (uint64_t)c->study.options->seed,
        .threads = cs_study_threads(&c->study),
        .thrift = true,
        .expired = cs_deadline_expired,
        .who = &c->deadline,
    };
}

/* By the planner, or by the effort when there is none. */
static int make_plan(struct cs_moldable_case *c, const struct cs_policy_call *call,
                     struct cs_moldable_plan *plan, struct cs_error *err)
{
    struct cs_moldable_request request = request_of(c);

    if (!call)
        return cs_moldable_effort_plan(c->instance,
                                       (enum cs_moldable_effort)(c->options->effort < 0
                                                                     ? CS_MOLDABLE_EFFORT_DEFAULT
                                                                     : c->options->effort),
                                       &request, plan, err);
    request.call = *call;
    return cs_moldable_plan_make(c->instance, &request, plan, err);
}

static void keep_plans(struct cs_moldable_case *c, int plans)
{
    c->plan = CS_NEW_ARRAY(c->study.arena, struct cs_moldable_plan *, plans);
    c->plans = plans;
    for (int p = 0; p < plans; p++)
        c->plan[p] = cs_moldable_plan_create(c->workload->count);
}

static int find_task(const struct cs_workload *workload, const char *name)
{
    for (int i = 0; i < workload->count; i++)
        if (strcmp(workload->name[i], name) == 0)
            return i;
    return -1;
}

/* The candidate of so many processors; -1. */
static int find_choice(const struct cs_moldable_bag *bag, int task, long long procs)
{
    int x = procs > bag->procs ? -1 : cs_moldable_within(bag, task, (int)procs);

    return x >= 0 && cs_moldable_width(bag, task, x) == procs ? x : -1;
}

static int take_plan(struct cs_moldable_case *c, const struct cs_schedule_file *file,
                     struct cs_error *err)
{
    const struct cs_moldable_bag *bag = &c->instance->bag;
    int *choice = CS_NEW_ARRAY(c->study.arena, int, bag->tasks);
    double *start = CS_NEW_ARRAY(c->study.arena, double, bag->tasks);
    size_t bars;
    const struct cs_bar *bar = cs_schedule_bars(file->schedule, &bars);

    if (bars != (size_t)bag->tasks)
        return cs_error_set(err, "the plan has %zu bars, it must have one for each of the %d tasks",
                            bars, bag->tasks);
    for (int i = 0; i < bag->tasks; i++)
        choice[i] = -1;
    for (size_t b = 0; b < bars; b++) {
        const char *name = cs_schedule_task_name(file->schedule, bar[b].task);
        int task = find_task(c->workload, name);
        long long procs = 0;

        for (int s = 0; s < bar[b].intervals; s++)
            procs += bar[b].procs[s].last - bar[b].procs[s].first + 1;
        if (task < 0 || choice[task] >= 0)
            return cs_error_set(err, "the plan has \"%.60s\" %s", name,
                                task < 0 ? ", which the input has not" : "twice");
        choice[task] = find_choice(bag, task, procs);
        start[task] = bar[b].start;
        if (choice[task] < 0)
            return cs_error_set(err,
                                "the plan has \"%.60s\" on %lld processors, which is no count on "
                                "which it may run and is faster than on fewer",
                                name, procs);
    }
    cs_moldable_plan_set(bag, c->plan[0], choice, start);
    return 0;
}

static int read_plan(struct cs_moldable_case *c, struct cs_error *err)
{
    struct cs_schedule_file *file = cs_schedule_file_read(c->options->plan, err);
    int status = file ? take_plan(c, file, err) : -1;

    if (file && status)
        cs_error_prefix(err, "%s", c->options->plan);
    cs_schedule_file_destroy(file);
    return status;
}

/* The plan that simulations carry out. */
static int get_plan(struct cs_moldable_case *c, struct cs_error *err)
{
    const char *const *word;
    struct cs_policy_call *call = NULL;

    keep_plans(c, 1);
    if (c->options->plan)
        return read_plan(c, err);
    if (c->options->planner) {
        int count = cs_study_policies(&c->study.problem->choice[0], c->options->planner, 0,
                                      c->study.arena, &call, &word, err);

        if (count < 0)
            return -1;
        if (count > 1)
            return cs_error_set(err, "--planner is one planner: name one");
    }
    return make_plan(c, call, c->plan[0], err);
}

/* ---- the ways ---- */

static void name_way(struct cs_moldable_case *c, const char *const *word)
{
    struct cs_way *way = CS_NEW_ARRAY(c->study.arena, struct cs_way, c->study.ways);

    for (int w = 0; w < c->study.ways; w++)
        way[w] = (struct cs_way){{word[w]}};
    c->study.way = way;
}

static int find_planners(struct cs_moldable_case *c, struct cs_error *err)
{
    static const char *const efforts[] = {"fast effort", "default effort", "high effort",
                                          "exact effort"};
    const char *const *word;

    c->study.certain = true;
    c->study.runs = 1;
    c->study.ways = 1;
    if (c->options->planner) {
        c->study.ways = cs_study_policies(&c->study.problem->choice[0], c->options->planner, 0,
                                          c->study.arena, &c->call, &word, err);
        if (c->study.ways < 0)
            return -1;
    } else {
        word = &efforts[c->options->effort < 0 ? 1 : c->options->effort];
    }
    name_way(c, word);
    keep_plans(c, c->study.ways);
    return 0;
}

static void set_scene(struct cs_moldable_case *c)
{
    const struct cs_moldable_bag *bag = &c->instance->bag;
    int *order = CS_NEW_ARRAY(c->study.arena, int, bag->tasks);
    double *expected = CS_NEW_ARRAY(c->study.arena, double, bag->tasks);

    cs_moldable_sort_starts(bag, c->plan[0]->start, order, c->study.arena);
    cs_moldable_expected(bag, c->options->qbar, expected);
    c->scene = (struct cs_moldable_scene){bag, c->plan[0], order, expected};
}

static int find_ways(struct cs_moldable_case *c, unsigned verb, struct cs_error *err)
{
    const struct cs_moldable_asked *o = c->options;
    const char *const *word;
    bool sure = o->sigma == 0 && o->qbar == 0;

    c->study.ways = cs_study_policies(&c->study.problem->choice[1], o->policy, 0, c->study.arena,
                                      &c->call, &word, err);
    if (c->study.ways < 0)
        return -1;
    name_way(c, word);
    c->study.runs = o->scenarios != CS_FIELD_NONE   ? (long)o->scenarios
                    : sure || verb == CS_EXPERIMENT ? 1
                                                    : 100;
    c->world = (struct cs_moldable_world){.sigma = o->sigma,
                                          .qbar = o->qbar,
                                          .seed = (uint64_t)o->study.seed,
                                          .set = (uint64_t)o->set};
    if (cs_moldable_world_check(&c->world, err) || get_plan(c, err))
        return -1;
    set_walltimes(c);
    set_scene(c);
    return 0;
}

struct cs_study *cs_moldable_case_open(const void *options, const struct cs_study_context *context,
                                       struct cs_error *err)
{
    struct cs_moldable_case *c = cs_study_create(&cs_problem_moldable, options, sizeof *c);

    c->options = options;
    c->deadline = cs_deadline_in(context->verb == CS_PLAN && !isnan(c->options->time_limit)
                                     ? c->options->time_limit
                                     : INFINITY);
    if (get_workload(c, err) == 0 && make_instance(c, err) == 0 &&
        (context->verb == CS_PLAN ? find_planners(c, err) : find_ways(c, context->verb, err)) == 0)
        return &c->study;
    cs_study_close(&c->study);
    return NULL;
}

void cs_moldable_case_close(struct cs_study *study)
{
    struct cs_moldable_case *c = case_of(study);

    for (int p = 0; p < c->plans; p++)
        cs_moldable_plan_destroy(c->plan[p]);
    cs_moldable_instance_destroy(c->instance);
    cs_workload_destroy(c->workload);
}

/* ---- what is seen ---- */

static void sum_up(const struct cs_moldable_bag *bag, const double *end,
                   struct cs_moldable_seen *seen)
{
    double all = bag->procs * seen->makespan, useful = 0, n = bag->tasks;

    for (int i = 0; i < bag->tasks; i++) {
        useful += cs_moldable_least_work(bag, i);
        seen->completion += end[i] / n;
        seen->stretch += end[i] / cs_moldable_fastest(bag, i) / n;
    }
    seen->useful = useful / all;
    seen->held = seen->hours * 3600 / all;
}

static void see_plan(const struct cs_moldable_case *c, const struct cs_moldable_plan *plan,
                     struct cs_moldable_seen *seen)
{
    seen->makespan = plan->makespan;
    seen->bound = fmax(c->bounds.best, plan->bound);
    seen->attempts = plan->tasks;
    for (int i = 0; i < plan->tasks; i++)
        seen->hours += cs_moldable_work(&c->instance->bag, i, plan->choice[i]) / 3600;
    sum_up(&c->instance->bag, plan->end, seen);
}

static bool compares_all(const struct cs_moldable_case *c)
{
    return c->options->planner && strcmp(c->options->planner, "all") == 0;
}

/* Beside the others; those that had nothing to say have no makespan. */
static void remark(struct cs_moldable_case *c)
{
    const struct cs_moldable_seen *seen = c->study.outcome;
    const char **text = CS_NEW_ARRAY(c->study.arena, const char *, c->study.ways);
    double best = INFINITY;

    for (int w = 0; w < c->study.ways; w++)
        best = fmin(best, seen[w].makespan);
    for (int w = 0; w < c->study.ways; w++)
        text[w] = isnan(seen[w].makespan)    ? "not for such bags"
                  : seen[w].makespan <= best ? "best"
                                             : "";
    c->study.remark = text;
}

static const struct cs_moldable_seen nothing_seen = {NAN, NAN, NAN, NAN, NAN,
                                                     NAN, NAN, NAN, NAN, NAN};

static int run_planners(struct cs_moldable_case *c, const struct cs_study_progress *progress,
                        struct cs_error *err)
{
    struct cs_moldable_seen *seen = c->study.outcome;

    for (int w = 0; w < c->study.ways; w++) {
        double start = cs_clock_now();

        struct cs_error why = {{0}};

        if (make_plan(c, c->call ? &c->call[w] : NULL, c->plan[w], &why)) {
            if (!compares_all(c))
                return cs_error_set(err, "%s", why.text);
            seen[w] = nothing_seen;
            continue;
        }
        seen[w].seconds = cs_clock_now() - start;
        see_plan(c, c->plan[w], &seen[w]);
        if (progress)
            progress->show(progress->who, w + 1);
    }
    remark(c);
    return 0;
}

/* ---- runs ---- */

struct job {
    const struct cs_moldable_case *c;
    int way;
    struct cs_moldable_seen *seen;
};

struct worker {
    const struct job *job;
    struct cs_arena *arena;
    struct cs_moldable_simulator *simulator;
    double *factor, *end;
    int *failures;
};

static int begin(void *worker, const void *job, struct cs_error *err)
{
    struct worker *w = worker;
    int n;

    w->job = job;
    n = w->job->c->workload->count;
    w->arena = cs_arena_create();
    w->factor = CS_NEW_ARRAY(w->arena, double, n);
    w->end = CS_NEW_ARRAY(w->arena, double, n);
    w->failures = CS_NEW_ARRAY(w->arena, int, n);
    w->simulator = cs_moldable_simulator_create(&w->job->c->scene, &w->job->c->call[w->job->way],
                                                w->job->c->walltime, err);
    if (w->simulator)
        return 0;
    cs_arena_destroy(w->arena);
    return -1;
}

static struct cs_moldable_truth truth_of(const struct worker *w)
{
    const struct cs_moldable_asked *o = w->job->c->options;

    return (struct cs_moldable_truth){w->factor, o->qbar > 0 ? w->failures : NULL};
}

static int draw_and_run(struct worker *w, long run, struct cs_moldable_outcome *outcome,
                        struct cs_error *err)
{
    const struct cs_moldable_case *c = w->job->c;
    struct cs_moldable_truth truth;

    if (cs_moldable_world_draw(c->instance, &c->world, (uint64_t)run, w->factor, w->failures, err))
        return -1;
    truth = truth_of(w);
    cs_moldable_simulator_run(w->simulator, &truth, outcome);
    return 0;
}

static int run_one(void *worker, long run, struct cs_error *err)
{
    struct worker *w = worker;
    struct cs_moldable_seen *seen = &w->job->seen[run];
    struct cs_moldable_truth truth;
    struct cs_moldable_outcome outcome;

    if (draw_and_run(w, run, &outcome, err))
        return -1;
    truth = truth_of(w);
    *seen = (struct cs_moldable_seen){
        .makespan = outcome.makespan,
        .bound = cs_moldable_real_bound(w->job->c->scene.bag, &truth, w->arena),
        .hours = outcome.busy / 3600,
        .attempts = outcome.attempts,
        .stopped = outcome.stopped,
        .seconds = NAN,
    };
    for (int a = 0; a < outcome.attempts; a++)
        w->end[outcome.attempt[a].task] = outcome.attempt[a].end;
    sum_up(w->job->c->scene.bag, w->end, seen);
    return 0;
}

static void end(void *worker)
{
    struct worker *w = worker;

    cs_moldable_simulator_destroy(w->simulator);
    cs_arena_destroy(w->arena);
}

struct ahead {
    const struct cs_study_progress *progress;
    double before;
};

static void show(void *who, long done)
{
    const struct ahead *ahead = who;

    if (ahead->progress)
        ahead->progress->show(ahead->progress->who, ahead->before + (double)done);
}

static int run_ways(struct cs_moldable_case *c, const struct cs_study_progress *progress,
                    struct cs_error *err)
{
    struct ahead ahead = {.progress = progress};
    struct cs_moldable_seen *seen = c->study.outcome;

    for (int w = 0; w < c->study.ways; w++) {
        const struct job job = {c, w, seen + (size_t)w * (size_t)c->study.runs};
        const struct cs_workers share = {.runs = c->study.runs,
                                         .threads = cs_study_threads(&c->study),
                                         .size = sizeof(struct worker),
                                         .job = &job,
                                         .begin = begin,
                                         .run = run_one,
                                         .end = end,
                                         .progress = show,
                                         .who = &ahead};

        if (cs_workers_run(&share, err))
            return -1;
        ahead.before += (double)c->study.runs;
    }
    return 0;
}

int cs_moldable_case_run(struct cs_study *study, const struct cs_study_progress *progress,
                         struct cs_error *err)
{
    struct cs_moldable_case *c = case_of(study);

    return study->certain ? run_planners(c, progress, err) : run_ways(c, progress, err);
}

/* Candidates and releases: all that planners and ways are given. */
void cs_moldable_case_identify(const struct cs_study *study, char text[CS_DIGEST_TEXT])
{
    const struct cs_moldable_bag *bag = &case_in(study)->instance->bag;
    struct cs_digest digest;

    cs_digest_init(&digest);
    cs_digest_put_text(&digest, "moldable 1");
    cs_digest_put_integer(&digest, bag->procs);
    cs_digest_put_integer(&digest, bag->tasks);
    for (int i = 0; i < bag->tasks; i++) {
        cs_digest_put_integer(&digest, cs_moldable_candidates(bag, i));
        cs_digest_put_double(&digest, cs_moldable_release(bag, i));
        for (int a = bag->first[i]; a < bag->first[i + 1]; a++) {
            cs_digest_put_integer(&digest, bag->count[a]);
            cs_digest_put_double(&digest, bag->seconds[a]);
        }
    }
    cs_digest_finish(&digest, text);
}

/* ---- one plan or run, kept ---- */

static struct cs_kept *keep(const struct cs_study *study, struct cs_moldable_kept *kept,
                            struct cs_schedule *schedule)
{
    const struct cs_moldable_case *c = case_in(study);
    struct cs_platform *platform =
        cs_platform_homogeneous(study->options->unit, c->instance->bag.procs);

    cs_schedule_set_platform(schedule, platform);
    cs_platform_destroy(platform);
    kept->record = (struct cs_kept){schedule, c->workload};
    kept->makespan = cs_schedule_makespan(schedule);
    return &kept->record;
}

static struct cs_kept *record_plan(const struct cs_study *study, int way)
{
    const struct cs_moldable_case *c = case_in(study);
    struct cs_moldable_kept *kept = CS_NEW(study->arena, struct cs_moldable_kept);

    kept->plan = c->plan[way];
    kept->bound = fmax(c->bounds.best, kept->plan->bound);
    return keep(study, kept, cs_moldable_schedule(c->instance, kept->plan));
}

/* What the file tells of the run stays in the study's arena. */
static void tell_run(const struct cs_study *study, struct cs_moldable_kept *kept,
                     const struct worker *w, const struct cs_moldable_outcome *outcome)
{
    const struct cs_moldable_asked *o = case_in(study)->options;
    int n = case_in(study)->workload->count;
    double *factor = CS_NEW_ARRAY(study->arena, double, n);
    int *failures = CS_NEW_ARRAY(study->arena, int, n);
    bool *stopped = CS_NEW_ARRAY(study->arena, bool, n);

    memcpy(factor, w->factor, (size_t)n * sizeof *factor);
    memcpy(failures, w->failures, (size_t)n * sizeof *failures);
    for (int a = 0; a < outcome->attempts; a++)
        stopped[outcome->attempt[a].task] |= outcome->attempt[a].stopped;
    kept->factor = o->sigma > 0 ? factor : NULL;
    kept->failures = o->qbar > 0 ? failures : NULL;
    kept->stopped = outcome->stopped ? stopped : NULL;
}

struct cs_kept *cs_moldable_case_record(const struct cs_study *study, int way, long run,
                                        struct cs_error *err)
{
    const struct cs_moldable_case *c = case_in(study);
    const struct job job = {c, way, NULL};
    struct cs_moldable_kept *kept;
    struct cs_moldable_outcome outcome;
    struct cs_kept *record = NULL;
    struct worker w = {0};

    if (study->certain)
        return record_plan(study, way);
    if (begin(&w, &job, err))
        return NULL;
    if (draw_and_run(&w, run, &outcome, err) == 0) {
        const struct cs_moldable_truth truth = truth_of(&w);

        kept = CS_NEW(study->arena, struct cs_moldable_kept);
        kept->bound = cs_moldable_real_bound(c->scene.bag, &truth, w.arena);
        tell_run(study, kept, &w, &outcome);
        record = keep(study, kept, cs_moldable_run_schedule(c->instance, &outcome));
    }
    end(&w);
    return record;
}

static int64_t note_of(const struct cs_moldable_plan *plan, const char *name, int64_t fallback)
{
    for (int a = 0; a < CS_MOLDABLE_NOTES && plan->note[a].name; a++)
        if (strcmp(plan->note[a].name, name) == 0)
            return (int64_t)plan->note[a].number;
    return fallback;
}

static const char *const *origins(const struct cs_moldable_case *c,
                                  const struct cs_moldable_plan *plan)
{
    const char **origin = CS_NEW_ARRAY(c->study.arena, const char *, plan->tasks);

    for (int i = 0; i < plan->tasks; i++)
        origin[i] = cs_moldable_origin_name(
            cs_moldable_instance_candidate(c->instance, i, plan->choice[i]).origin);
    return origin;
}

void cs_moldable_case_put(const struct cs_study *study, const struct cs_kept *record,
                          struct cs_jsonw *w)
{
    const struct cs_moldable_case *c = case_in(study);
    const struct cs_moldable_kept *kept = (const struct cs_moldable_kept *)(const void *)record;
    struct cs_moldable_declared said = {
        .lower_bound = kept->bound,
        .gap = kept->makespan / kept->bound - 1,
        .critical = c->bounds.critical,
        .area = c->bounds.area,
        .knapsack = c->bounds.knapsack,
        .width = c->bounds.width,
        .seed = study->options->seed,
        .moves = -1,
        .failures = kept->failures,
        .factor = kept->factor,
        .stopped = kept->stopped,
    };

    if (kept->plan) {
        said.seed = note_of(kept->plan, "seed", said.seed);
        said.moves = note_of(kept->plan, "moves", -1);
        said.counts = kept->plan->procs;
        said.origin = origins(c, kept->plan);
    }
    cs_schedule_json_put_moldable(w, record->schedule, &said);
}

void cs_moldable_case_forget(struct cs_kept *record)
{
    cs_schedule_destroy(record->schedule);
}

int cs_moldable_case_generate(const void *options, struct cs_error *err)
{
    const struct cs_moldable_asked *o = options;
    struct cs_moldable_recipe recipe = recipe_of(o);
    struct cs_workload *workload = cs_moldable_generate(&recipe);
    int status =
        cs_workload_write(workload, workload->source, o->study.output ? o->study.output : "-", err);

    cs_workload_destroy(workload);
    return status;
}
