/* case_run.c - the plans and runs of a study, what is seen of them, and one of them kept. */
#include "base/guard.h"
#include "base/watch.h"
#include "io/schedule_json.h"
#include "io/schedule_keys.h"
#include "model/profile.h"
#include "problem/cache.h"
#include "problems/moldable/assign.h"
#include "problems/moldable/bound.h"
#include "problems/moldable/case.h"
#include "problems/moldable/draw.h"
#include "problems/moldable/policy.h"
#include "problems/moldable/problem.h"
#include "problems/moldable/simulate.h"

#include <string.h>

/* Attempts get processor numbers and become bars.
 *
 * Source: spec/moldable.md 9: one bar a task, with silent errors one an attempt, and 4.6.
 * Invariants: bars are in the order of the starts; attempts of a task are counted from 1.
 * Complexity: that of assign.c, and the processors held.
 */

/* Attempts as the tasks of a plan: each has its own count and time. */
static struct cs_moldable_plan *as_plan(const struct cs_moldable_bag *bag,
                                        const struct cs_moldable_outcome *o, int *order)
{
    struct cs_moldable_plan *plan = cs_moldable_plan_create(o->attempts);

    for (int a = 0; a < o->attempts; a++) {
        plan->procs[a] = cs_moldable_width(bag, o->attempt[a].task, o->attempt[a].choice);
        plan->start[a] = o->attempt[a].start;
        plan->end[a] = o->attempt[a].end;
        plan->first[a] = o->attempt[a].first;
        order[a] = a;
    }
    return plan;
}

struct cs_schedule *cs_moldable_run_schedule(const struct cs_moldable_instance *in,
                                             const struct cs_moldable_outcome *o)
{
    struct cs_schedule *schedule =
        cs_schedule_create("moldable", in->bag.procs, in->bag.tasks, in->workload->name);
    struct cs_arena *arena = cs_arena_create();
    int *order = CS_NEW_ARRAY(arena, int, o->attempts);
    int *tries = CS_NEW_ARRAY(arena, int, in->bag.tasks);
    struct cs_moldable_plan *plan = as_plan(&in->bag, o, order);
    struct cs_moldable_bag attempts = {
        .tasks = o->attempts, .procs = in->bag.procs, .contiguous = in->bag.contiguous};
    const struct cs_blocks_set *set = cs_moldable_assign(&attempts, plan, order, false, arena);

    for (int a = 0; a < o->attempts; a++) {
        const struct cs_moldable_attempt *at = &o->attempt[a];
        struct cs_bar bar = {.kind = at->lost || at->stopped ? CS_BAR_LOST : CS_BAR_WORK,
                             .task = at->task,
                             .attempt = ++tries[at->task],
                             .group = -1,
                             .start = at->start,
                             .end = at->end,
                             .intervals = set[a].count,
                             .procs = set[a].interval};

        cs_schedule_add(schedule, &bar, NULL);
    }
    cs_moldable_plan_destroy(plan);
    cs_arena_destroy(arena);
    return schedule;
}

struct cs_schedule *cs_moldable_schedule(const struct cs_moldable_instance *in,
                                         const struct cs_moldable_plan *plan)
{
    CS_ASK(in && plan && cs_moldable_plan_fits(in, plan), NULL, NULL);
    CS_GUARD(NULL, NULL);
    struct cs_arena *arena = cs_arena_create();
    int n = in->bag.tasks, *order = CS_NEW_ARRAY(arena, int, n);
    struct cs_moldable_attempt *attempt = CS_NEW_ARRAY(arena, struct cs_moldable_attempt, n);
    struct cs_moldable_outcome o = {.attempts = n, .attempt = attempt};
    struct cs_schedule *schedule;

    if (cs_moldable_plan_crowded(&in->bag, plan, order, arena) >= 0) {
        cs_arena_destroy(arena);
        return NULL;
    }
    for (int p = 0; p < n; p++) {
        int i = order[p];

        attempt[p] = (struct cs_moldable_attempt){.task = i,
                                                  .choice = plan->choice[i],
                                                  .first = plan->first[i],
                                                  .start = plan->start[i],
                                                  .end = plan->end[i]};
    }
    schedule = cs_moldable_run_schedule(in, &o);
    cs_arena_destroy(arena);
    return schedule;
}

static struct cs_moldable_case *case_run_case_of(struct cs_study *study)
{
    return (struct cs_moldable_case *)(void *)study;
}

static const struct cs_moldable_case *case_run_case_in(const struct cs_study *study)
{
    return (const struct cs_moldable_case *)(const void *)study;
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

/* Never above what was found: bounds are sums with other roundings. */
static double case_run_bound_of(const struct cs_moldable_case *c,
                                const struct cs_moldable_plan *plan)
{
    return fmin(fmax(c->bounds.best, plan->bound), plan->makespan);
}

static void see_plan(const struct cs_moldable_case *c, const struct cs_moldable_plan *plan,
                     struct cs_moldable_seen *seen)
{
    seen->makespan = plan->makespan;
    seen->bound = case_run_bound_of(c, plan);
    seen->attempts = plan->tasks;
    for (int i = 0; i < plan->tasks; i++)
        seen->hours += c->general ? plan->procs[i] * (plan->end[i] - plan->start[i]) / 3600
                                  : cs_moldable_work(&c->instance->bag, i, plan->choice[i]) / 3600;
    sum_up(&c->instance->bag, plan->end, seen);
}

static bool compares_all(const struct cs_moldable_case *c)
{
    return c->options->planner && strcmp(c->options->planner, "all") == 0;
}

/* No plan of this bag is shorter than what any of them has proved. */
static void share_bound(struct cs_moldable_case *c)
{
    struct cs_moldable_seen *seen = c->study.outcome;

    for (int w = 0; w < c->study.variants; w++)
        c->bound = fmax(c->bound, seen[w].bound);
    for (int w = 0; w < c->study.variants; w++)
        c->bound = fmin(c->bound, seen[w].makespan);
    for (int w = 0; w < c->study.variants; w++)
        if (!isnan(seen[w].makespan))
            seen[w].bound = c->bound;
}

/* The remark of each planner in the comparison; a planner without a plan has no makespan. */
static void case_run_remark(struct cs_moldable_case *c)
{
    const struct cs_moldable_seen *seen = c->study.outcome;
    const char **text = CS_NEW_ARRAY(c->study.arena, const char *, c->study.variants);
    double best = INFINITY;

    for (int w = 0; w < c->study.variants; w++)
        best = fmin(best, seen[w].makespan);
    for (int w = 0; w < c->study.variants; w++)
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

    for (int w = 0; w < c->study.variants; w++) {
        double start = cs_clock_now();

        struct cs_error why = {0};

        if (cs_moldable_case_plan(c, c->call ? &c->call[w] : NULL, c->plan[w], &why)) {
            if (!compares_all(c) || cs_watch_stops(cs_watch_here()))
                return cs_error_pass(err, &why);
            seen[w] = nothing_seen;
            continue;
        }
        seen[w].seconds = cs_clock_now() - start;
        see_plan(c, c->plan[w], &seen[w]);
        if (progress)
            progress->show(progress->who, w + 1);
    }
    share_bound(c);
    case_run_remark(c);
    if (c->study.variants == 1)
        cs_moldable_case_explain(c, c->plan[0]);
    return 0;
}

static int run_sizes(struct cs_moldable_case *c, struct cs_error *err)
{
    struct cs_moldable_seen *seen = c->study.outcome;
    const double start = cs_clock_now();

    if (cs_moldable_case_frontier(c, err))
        return -1;
    seen->seconds = cs_clock_now() - start;
    see_plan(c, c->plan[0], seen);
    share_bound(c);
    cs_moldable_case_explain(c, c->plan[0]);
    return 0;
}

/* ---- runs ---- */

struct worker {
    const struct cs_moldable_case *c;
    struct cs_arena *arena;
    struct cs_moldable_simulator *simulator; /* of the variant that it runs */
    double *factor, *end;
    int *failures;
};

static int worker_begin(void *worker, const void *job, struct cs_error *err)
{
    struct worker *w = worker;
    int n;

    (void)err;
    w->c = job;
    n = w->c->workload->count;
    w->arena = cs_arena_create();
    w->factor = CS_NEW_ARRAY(w->arena, double, n);
    w->end = CS_NEW_ARRAY(w->arena, double, n);
    w->failures = CS_NEW_ARRAY(w->arena, int, n);
    return 0;
}

static int worker_enter(void *worker, int variant, int set, struct cs_error *err)
{
    struct worker *w = worker;
    struct cs_moldable_simulator *last = w->simulator;

    (void)set;
    w->simulator = NULL;
    cs_moldable_simulator_destroy(last);
    w->simulator = cs_moldable_simulator_create(&w->c->scene[variant], &w->c->call[variant],
                                                w->c->walltime, err);
    return w->simulator ? 0 : -1;
}

static struct cs_moldable_truth truth_of(const struct worker *w)
{
    const struct cs_moldable_asked *o = w->c->options;

    return (struct cs_moldable_truth){w->factor, o->qbar > 0 ? w->failures : NULL, w->c->walltime};
}

static int draw_and_run(struct worker *w, long run, struct cs_moldable_outcome *outcome,
                        struct cs_error *err)
{
    const struct cs_moldable_case *c = w->c;
    struct cs_moldable_truth truth;

    if (cs_moldable_world_draw(c->instance, &c->world, (uint64_t)run, w->factor, w->failures, err))
        return -1;
    truth = truth_of(w);
    cs_moldable_simulator_run(w->simulator, &truth, outcome);
    return 0;
}

/* At most the makespan of the run. */
static double bound_of_run(struct worker *w, const struct cs_moldable_outcome *outcome)
{
    const struct cs_moldable_case *c = w->c;
    const struct cs_moldable_truth truth = truth_of(w);
    const double bound = cs_moldable_real_bound(&c->instance->bag, &truth, w->arena);

    return fmin(c->sure ? fmax(bound, c->bound) : bound, outcome->makespan);
}

static int worker_run(void *worker, const struct cs_loop_at *at, void *out, struct cs_error *err)
{
    struct worker *w = worker;
    struct cs_moldable_seen *seen = out;
    struct cs_moldable_outcome outcome;

    if (draw_and_run(w, at->scenario, &outcome, err))
        return -1;
    *seen = (struct cs_moldable_seen){
        .makespan = outcome.makespan,
        .bound = bound_of_run(w, &outcome),
        .hours = outcome.busy / 3600,
        .attempts = outcome.attempts,
        .stopped = outcome.stopped,
        .seconds = NAN,
    };
    for (int a = 0; a < outcome.attempts; a++)
        w->end[outcome.attempt[a].task] = outcome.attempt[a].end;
    sum_up(&w->c->instance->bag, w->end, seen);
    return 0;
}

static void worker_end(void *worker)
{
    struct worker *w = worker;

    cs_moldable_simulator_destroy(w->simulator);
    cs_arena_destroy(w->arena);
}

static int run_variants(struct cs_moldable_case *c, const struct cs_study_progress *progress,
                        struct cs_error *err)
{
    const struct cs_loop loop = {
        .variants = c->study.variants,
        .scenarios = c->study.runs,
        .threads = cs_study_threads(&c->study),
        .job = c,
        .worker = sizeof(struct worker),
        .outcome = c->study.outcome,
        .size = sizeof(struct cs_moldable_seen),
        .begin = worker_begin,
        .enter = worker_enter,
        .run = worker_run,
        .end = worker_end,
        .progress = progress,
    };

    return cs_loop_run(&loop, err);
}

int cs_moldable_case_run(struct cs_study *study, const struct cs_study_progress *progress,
                         struct cs_error *err)
{
    struct cs_moldable_case *c = case_run_case_of(study);

    if (c->ranged)
        return run_sizes(c, err);
    return study->certain ? run_planners(c, progress, err) : run_variants(c, progress, err);
}

static void identify_amounts(struct cs_digest *digest, const int64_t *amount, int count)
{
    for (int k = 0; k < count; k++)
        cs_digest_put_integer(digest, amount[k]);
}

static void identify_general(struct cs_digest *digest, const struct cs_modes *m)
{
    const int modes = m->first[m->tasks];

    cs_digest_put_text(digest, "general");
    for (int r = 0; r < m->resources; r++)
        cs_digest_put_text(digest, m->resource_name[r]);
    identify_amounts(digest, m->capacity, m->resources);
    identify_amounts(digest, m->budget, m->budgets);
    identify_amounts(digest, m->use, modes * m->resources);
    identify_amounts(digest, m->spend, modes * m->budgets);
    identify_amounts(digest, m->less, m->windows * m->resources);
    cs_digest_put_integer(digest, m->nodes);
    for (int k = 0; k < modes; k++) {
        cs_digest_put_double(digest, m->seconds[k]);
        cs_digest_put_integer(digest, m->span ? m->span[k] : 0);
    }
    for (int i = 0; i < m->tasks; i++) {
        cs_digest_put_integer(digest, m->first[i]);
        cs_digest_put_double(digest, m->deadline ? m->deadline[i] : INFINITY);
        for (int a = m->before_first[i]; a < m->before_first[i + 1]; a++)
            cs_digest_put_integer(digest, m->before[a]);
    }
    for (int w = 0; w < m->windows; w++) {
        cs_digest_put_double(digest, m->from[w]);
        cs_digest_put_double(digest, m->to[w]);
    }
}

/* Candidates, releases, and constraints on processors: the whole input of planners and variants. */
void cs_moldable_case_identify(const struct cs_study *study, char text[CS_DIGEST_TEXT])
{
    const struct cs_moldable_bag *bag = &case_run_case_in(study)->instance->bag;
    struct cs_digest digest;

    cs_digest_init(&digest);
    cs_digest_put_text(&digest, "moldable 1");
    cs_digest_put_integer(&digest, bag->procs);
    cs_digest_put_integer(&digest, bag->tasks);
    if (bag->contiguous)
        cs_digest_put_text(&digest, "contiguous");
    if (case_run_case_in(study)->general)
        identify_general(&digest, &case_run_case_in(study)->general->bag.data);
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

static struct cs_kept *case_run_keep(const struct cs_study *study, struct cs_moldable_kept *kept,
                                     struct cs_schedule *schedule)
{
    const struct cs_moldable_case *c = case_run_case_in(study);
    struct cs_platform *platform =
        cs_platform_homogeneous(study->options->unit, c->instance->bag.procs, NULL);

    cs_schedule_set_platform(schedule, platform, NULL);
    cs_platform_destroy(platform);
    kept->record = (struct cs_kept){schedule, c->workload};
    kept->makespan = cs_schedule_makespan(schedule);
    return &kept->record;
}

static struct cs_kept *record_plan(const struct cs_study *study, int variant, struct cs_error *err)
{
    const struct cs_moldable_case *c = case_run_case_in(study);
    struct cs_moldable_kept *kept = CS_NEW(study->arena, struct cs_moldable_kept);

    if (isinf(c->plan[variant]->makespan)) {
        cs_error_set(err, "this planner has no plan for such a bag");
        return NULL;
    }
    kept->plan = c->plan[variant];
    kept->bound = case_run_bound_of(c, kept->plan);
    return case_run_keep(study, kept,
                         c->general
                             ? cs_bag_general_schedule(c->general, c->workload->name, kept->plan)
                             : cs_moldable_schedule(c->instance, kept->plan));
}

/* The data of the run in the file stays in the study's arena. */
static void report_run(const struct cs_study *study, struct cs_moldable_kept *kept,
                       const struct worker *w, const struct cs_moldable_outcome *outcome)
{
    const struct cs_moldable_asked *o = case_run_case_in(study)->options;
    int n = case_run_case_in(study)->workload->count;
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

struct cs_kept *cs_moldable_case_record(const struct cs_study *study, int variant, long run,
                                        struct cs_error *err)
{
    const struct cs_moldable_case *c = case_run_case_in(study);
    struct cs_moldable_kept *kept;
    struct cs_moldable_outcome outcome;
    struct cs_kept *record = NULL;
    struct worker w = {0};

    if (study->certain)
        return record_plan(study, variant, err);
    if (worker_begin(&w, c, err))
        return NULL;
    if (!worker_enter(&w, variant, 0, err) && !draw_and_run(&w, run, &outcome, err)) {
        kept = CS_NEW(study->arena, struct cs_moldable_kept);
        kept->bound = bound_of_run(&w, &outcome);
        report_run(study, kept, &w, &outcome);
        record = case_run_keep(study, kept, cs_moldable_run_schedule(c->instance, &outcome));
    }
    worker_end(&w);
    return record;
}

static int64_t note_of(const struct cs_moldable_plan *plan, const char *name, int64_t fallback)
{
    for (int a = 0; a < CS_MOLDABLE_NOTES && plan->note[a].name; a++)
        if (strcmp(plan->note[a].name, name) == 0)
            return (int64_t)plan->note[a].number;
    return fallback;
}

static const char *const *case_run_origins(const struct cs_moldable_case *c,
                                           const struct cs_moldable_plan *plan)
{
    const char **origin = CS_NEW_ARRAY(c->study.arena, const char *, plan->tasks);

    for (int i = 0; i < plan->tasks; i++)
        origin[i] = cs_time_origin_name(
            cs_moldable_instance_candidate(c->instance, i, plan->choice[i]).origin);
    return origin;
}

/* The proof of a bound that is above the cheap ones. */
static struct cs_moldable_certificate case_run_certify(const struct cs_moldable_case *c,
                                                       const struct cs_moldable_kept *kept)
{
    struct cs_moldable_certificate by = {0};

    if (c->general || !(kept->plan || c->sure) || !(kept->bound > c->bounds.best))
        return by;
    by.search = !cs_moldable_joint_certify(&c->instance->bag, kept->bound, &by, c->study.arena) &&
                !cs_moldable_cases_certify(&c->instance->bag, kept->bound, &by, c->study.arena);
    return by;
}

/* The gap of a proven optimum is 0, independent of rounding in the bound; of a plain bag whose
 * times the exact method rounded the rest is given (spec/bag.md 6.4). */
static double gap_of(const struct cs_moldable_case *c, const struct cs_moldable_kept *kept)
{
    const double gap = kept->makespan / kept->bound - 1;

    return kept->plan && kept->plan->optimal && (c->general || !(gap > 1e-9)) ? 0 : gap;
}

void cs_moldable_case_put(const struct cs_study *study, const struct cs_kept *record,
                          struct cs_jsonw *w)
{
    const struct cs_moldable_case *c = case_run_case_in(study);
    const struct cs_moldable_kept *kept = (const struct cs_moldable_kept *)(const void *)record;
    struct cs_moldable_declared said = {
        .lower_bound = kept->bound,
        .gap = gap_of(c, kept),
        .critical = c->bounds.critical,
        .area = c->bounds.area,
        .knapsack = c->bounds.knapsack,
        .width = c->bounds.width,
        .seed = study->options->seed,
        .moves = -1,
        .contiguous = c->instance->bag.contiguous,
        .failures = kept->failures,
        .factor = kept->factor,
        .stopped = kept->stopped,
        .certificate = case_run_certify(c, kept),
        .late = NAN,
        .prices = NAN,
        .disjunctive = NAN,
        .relaxation = NAN,
    };

    if (c->general)
        cs_bag_general_declare(c->general, kept->plan, kept->bound, &said, c->study.arena);
    if (kept->plan) {
        said.seed = note_of(kept->plan, "seed", said.seed);
        said.moves = note_of(kept->plan, "moves", -1);
        said.counts = kept->plan->procs;
        said.origin = c->general ? NULL : case_run_origins(c, kept->plan);
    }
    cs_keys_put(w, cs_keys_moldable, record->schedule, &said);
}

void cs_moldable_case_discard(struct cs_kept *record)
{
    cs_schedule_destroy(record->schedule);
}

/* ---- for a check ---- */

/* Sample the failures and factors of the run again; a plan has none. */
static int draw_again(const struct cs_study *study, struct cs_moldable_declared *declared,
                      struct cs_error *err)
{
    const struct cs_moldable_case *c = case_run_case_in(study);
    double *factor = CS_NEW_ARRAY(study->arena, double, c->workload->count);
    int *failures = CS_NEW_ARRAY(study->arena, int, c->workload->count);

    declared->factor = NULL;
    declared->failures = NULL;
    if (study->certain) {
        declared->stopped = NULL;
        return 0;
    }
    if (cs_moldable_world_draw(c->instance, &c->world, (uint64_t)study->options->scenario, factor,
                               failures, err))
        return -1;
    declared->factor = c->options->sigma > 0 ? factor : NULL;
    declared->failures = c->options->qbar > 0 ? failures : NULL;
    return 0;
}

int cs_moldable_case_supplied(const struct cs_study *study, struct cs_schedule_file *file,
                              struct cs_error *err)
{
    const struct cs_moldable_case *c = case_run_case_in(study);
    struct cs_moldable_declared *declared = CS_NEW(study->arena, struct cs_moldable_declared);

    if (cs_study_supplied_tasks(file, c->instance->bag.procs, c->workload->count, c->workload->name,
                                err))
        return -1;
    file->workload = c->workload;
    if (!file->moldable)
        return 0;
    *declared = *file->moldable;
    declared->contiguous = c->instance->bag.contiguous;
    file->moldable = declared;
    return draw_again(study, declared, err);
}
