/* study.c - policies and priorities through many failure scenarios, on several threads.
 *
 * Source: spec/rigid.md 7 (bound and normalised makespan, for each scenario).
 *
 * Idea: each worker owns an arena, a simulation and an array of failures; scenarios are shared out
 * in chunks.  A priority that depends on the scenario (random) makes its order and simulation
 * again for each one.
 *
 * Invariants: a result depends on (jobs, policy, priority, scenario) only, and is written to its
 * own place: the same bytes for any number of threads.
 *
 * Constant                                          | found        | at half, at double
 * CHUNK: 16 scenarios, which take microseconds each | not recorded | not measured
 */
#include "problems/rigid/study.h"
#include "base/guard.h"
#include "base/order.h"
#include "sched/instance.h"

#include <math.h>
#include <stdbool.h>

/* Lower bounds of the makespan for known failures: the plain one L(f), and a strong one
 * that uses the widths of the jobs.
 *
 * Source: spec/rigid.md 7: L(f) = max(max T_j, sum T_j p_j / P) with T_j = (f_j + 1)(t_j + v),
 * whose sums are in the order of the input, so that no priority changes their rounding; II 3 (dual
 * feasible functions; exclusion).
 *
 * Idea of the strong bound: u(p) with sum u <= 1 for each set of jobs that fits on the machine
 * gives OPT >= sum u(p_j) T_j, T_j = (f_j + 1)(t_j + v).  Two families: jobs wider than P - cut
 * count as P and those narrower than cut as 0; and u(x) = floor((k + 1) x) / k for x = p / P (x
 * itself if (k + 1) x is whole).  Exclusion: while job i runs, no job wider than P - p_i runs, so
 * OPT >= T_i + bound of those jobs.  The result is the largest of all of these.
 *
 * Invariants:
 * - The result is never below L(f) of spec/rigid.md 7 (it starts from it) and not above the
 *   makespan of any valid schedule with these failures.
 * - Jobs are sorted by width, so the jobs wider than a limit are a suffix; job i itself is left
 *   out.
 * - Cuts tried: each width up to half of P, and P - width + 1 for each wider job.
 *
 * Complexity: O(n^2) for a suffix, O(n^3) in all.  Measured: 1 ms for n = 100 (spec/rigid.md II
 * 3).
 *
 * Constant                                | found        | at half, at double
 * FOLDS: k = 1 .. 20 of the second family | not recorded | not measured
 *
 * Measured (spec/rigid.md II 3): with both families and exclusion the optimum is 1.0135 times the
 * bound on 1,500 tiny instances, 1.215 times L(f); no change on the synthetic sets of the paper.
 */

#define FOLDS 20

static double cs_rigid_bound_of(const struct cs_sched_jobs *jobs, const int64_t *failures,
                                double verification);

double cs_rigid_lower_bound(const struct cs_sched_jobs *jobs, const int64_t *failures,
                            bool without_verification)
{
    CS_ASK(jobs && failures && !cs_sched_jobs_check(jobs, NULL), NULL, NAN);
    return cs_rigid_bound_of(jobs, failures, without_verification ? 0 : jobs->verification);
}

/* cs_rigid_lower_bound of jobs that have been checked, since every scenario calls it. */
static double cs_rigid_bound_of(const struct cs_sched_jobs *jobs, const int64_t *failures,
                                double verification)
{
    double longest = 0, area = 0;

    for (int j = 0; j < jobs->count; j++) {
        double chain = (double)(failures[j] + 1) * (jobs->seconds[j] + verification);

        longest = fmax(longest, chain);
        area += chain * jobs->procs[j];
    }
    return fmax(longest, area / jobs->machine);
}

/* Jobs by rising width, with their total times. */
struct chains {
    int machine, count;
    int *procs;
    double *total;
};

static void sort_chains(const struct cs_sched_jobs *jobs, const int64_t *failures, struct chains *c,
                        struct cs_arena *scratch)
{
    int n = jobs->count, *order = CS_NEW_ARRAY(scratch, int, n);
    double *width = CS_NEW_ARRAY(scratch, double, n);

    *c = (struct chains){jobs->machine, n, CS_NEW_ARRAY(scratch, int, n),
                         CS_NEW_ARRAY(scratch, double, n)};
    for (int j = 0; j < n; j++)
        width[j] = jobs->procs[j];
    cs_order_ascending(width, n, order, scratch);
    for (int a = 0; a < n; a++) {
        int j = order[a];

        c->procs[a] = jobs->procs[j];
        c->total[a] = (double)(failures[j] + 1) * (jobs->seconds[j] + jobs->verification);
    }
}

/* Jobs wider than machine - cut count as the whole machine, those narrower than cut not at all;
 * jobs from[] on, without `skip`. */
static double cut_bound(const struct chains *c, int from, int skip, int cut)
{
    double sum = 0;

    for (int a = from; a < c->count; a++) {
        int p = c->procs[a];
        int counts = p > c->machine - cut ? c->machine : p < cut ? 0 : p;

        if (a != skip)
            sum += counts * c->total[a];
    }
    return sum / c->machine;
}

/* u(x) = x where (k + 1) x is whole, floor((k + 1) x) / k elsewhere, x = p / machine. */
static double fold_bound(const struct chains *c, int from, int skip, int k)
{
    double sum = 0;

    for (int a = from; a < c->count; a++) {
        int64_t scaled = (int64_t)(k + 1) * c->procs[a], whole = scaled / c->machine;
        bool exact = scaled % c->machine == 0;

        if (a != skip)
            sum += (exact ? (double)c->procs[a] / c->machine : (double)whole / k) * c->total[a];
    }
    return sum;
}

static double bound_strong_longest(const struct chains *c, int from, int skip)
{
    double most = 0;

    for (int a = from; a < c->count; a++)
        if (a != skip && c->total[a] > most)
            most = c->total[a];
    return most;
}

/* The best of all for the jobs from `from` on, without `skip` (-1: all of them). */
static double suffix_bound(const struct chains *c, int from, int skip)
{
    double best = fmax(bound_strong_longest(c, from, skip), cut_bound(c, from, skip, 0));

    for (int a = from; a < c->count && 2 * (int64_t)c->procs[a] <= c->machine; a++)
        if (a == from || c->procs[a] != c->procs[a - 1])
            best = fmax(best, cut_bound(c, from, skip, c->procs[a]));
    for (int a = c->count - 1; a >= from && 2 * (int64_t)c->procs[a] > c->machine; a--)
        best = fmax(best, cut_bound(c, from, skip, c->machine - c->procs[a] + 1));
    for (int k = 1; k <= FOLDS; k++)
        best = fmax(best, fold_bound(c, from, skip, k));
    return best;
}

/* The first job wider than `procs`. */
static int first_wider(const struct chains *c, int procs)
{
    int a = 0;

    while (a < c->count && c->procs[a] <= procs)
        a++;
    return a;
}

double cs_rigid_bound_strong(const struct cs_sched_jobs *jobs, const int64_t *failures,
                             struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    double best = cs_rigid_bound_of(jobs, failures, jobs->verification);
    struct chains c;

    sort_chains(jobs, failures, &c, scratch);
    best = fmax(best, suffix_bound(&c, 0, -1));
    for (int i = 0; i < c.count; i++) {
        int wide = first_wider(&c, c.machine - c.procs[i]);

        if (wide < c.count && c.total[i] > 0)
            best = fmax(best, c.total[i] + suffix_bound(&c, wide, i >= wide ? i : -1));
    }
    cs_arena_rewind(scratch, mark);
    return best;
}

#define CHUNK 16 /* scenarios take microseconds */

struct worker {
    const struct cs_rigid_batch *batch;
    const struct cs_rigid_study *study; /* of the variant and set that it runs */
    struct cs_arena *arena;             /* the worker's own */
    struct cs_arena_mark mark;
    struct cs_rigid_simulation *simulation;
    int64_t *failures;
};

/* The order is the same for all scenarios, or made for this one; the simulation goes with it. */
static int worker_set_up(struct worker *w, int scenario, struct cs_error *err)
{
    const struct cs_rigid_study *study = w->study;
    const struct cs_sched_draw draw = {
        .seed = study->scenarios->seed,
        .set = study->scenarios->set,
        .scenario = (uint64_t)scenario,
        .lambda = study->scenarios->law.rate,
    };
    const struct cs_sched_instance *in;

    cs_arena_rewind(w->arena, w->mark);
    in = cs_sched_priority_instance(study->priority, study->jobs, &draw, w->arena);
    w->simulation = cs_rigid_simulation_create(in, study->policy, study->param, w->arena, err);
    return w->simulation ? 0 : -1;
}

static void worker_end(void *worker)
{
    struct worker *w = worker;

    cs_arena_destroy(w->arena);
}

static int worker_begin(void *worker, const void *job, struct cs_error *err)
{
    const struct cs_rigid_batch *batch = job;
    struct worker *w = worker;
    int most = 0;

    (void)err;
    for (int s = 0; s < batch->sets; s++)
        most = batch->study[s].jobs->count > most ? batch->study[s].jobs->count : most;
    *w = (struct worker){.batch = batch, .arena = cs_arena_create()};
    w->failures = CS_NEW_ARRAY(w->arena, int64_t, most);
    w->mark = cs_arena_mark(w->arena);
    return 0;
}

static int worker_enter(void *worker, int variant, int set, struct cs_error *err)
{
    struct worker *w = worker;

    w->study = &w->batch->study[variant * w->batch->sets + set];
    return !w->study->scenarios || w->study->priority->per_scenario ? 0 : worker_set_up(w, 0, err);
}

static void study_measure(const struct worker *w, double makespan, struct cs_rigid_outcome *out)
{
    const struct cs_sched_jobs *jobs = w->study->jobs;
    double work = 0;

    *out = (struct cs_rigid_outcome){.makespan = makespan};
    for (int j = 0; j < jobs->count; j++) {
        double attempt = (jobs->seconds[j] + jobs->verification) * jobs->procs[j];

        out->failures += w->failures[j];
        out->waste += (double)w->failures[j] * attempt;
        work += attempt;
    }
    out->bound = cs_rigid_bound_of(jobs, w->failures, jobs->verification);
    out->ratio = jobs->count ? makespan / out->bound : 1;
    out->utilisation = jobs->count ? (work + out->waste) / (jobs->machine * makespan) : 1;
}

static int worker_run(void *worker, const struct cs_loop_at *at, void *seen, struct cs_error *err)
{
    struct worker *w = worker;
    const int scenario = (int)at->scenario;
    struct cs_rigid_outcome outcome;

    if (!w->study->scenarios)
        return 0;
    if (cs_sched_scenarios_get(w->study->scenarios, scenario, w->failures, err) ||
        (w->study->priority->per_scenario && worker_set_up(w, scenario, err)))
        return -1;
    study_measure(w, cs_rigid_simulation_run(w->simulation, w->failures, NULL, NULL), &outcome);
    w->batch->see(seen, &outcome);
    return 0;
}

int cs_rigid_batch_run(const struct cs_rigid_batch *batch, struct cs_error *err)
{
    const struct cs_loop loop = {
        .variants = batch->variants,
        .sets = batch->sets,
        .scenarios = batch->scenarios,
        .threads = batch->threads,
        .chunk = CHUNK,
        .job = batch,
        .worker = sizeof(struct worker),
        .outcome = batch->seen,
        .size = batch->size,
        .begin = worker_begin,
        .enter = worker_enter,
        .run = worker_run,
        .end = worker_end,
        .progress = batch->progress,
    };

    return cs_loop_run(&loop, err);
}

bool cs_rigid_study_is_whole(const struct cs_rigid_study *study)
{
    return study && study->jobs && study->policy && study->param && study->priority &&
           study->scenarios && study->scenarios->jobs == study->jobs;
}

static void study_see(void *seen, const struct cs_rigid_outcome *outcome)
{
    *(struct cs_rigid_outcome *)seen = *outcome;
}

int cs_rigid_study_run(const struct cs_rigid_study *study, struct cs_rigid_outcome *out,
                       struct cs_error *err)
{
    CS_ASK(cs_rigid_study_is_whole(study) && out, err, -1);
    CS_GUARD(err, -1);
    const struct cs_rigid_batch batch = {
        .study = study,
        .variants = 1,
        .sets = 1,
        .scenarios = study->scenarios->count,
        .threads = study->threads,
        .seen = out,
        .size = sizeof *out,
        .see = study_see,
    };

    return cs_rigid_batch_run(&batch, err);
}

struct bounder {
    const struct cs_sched_scenarios *scenarios;
    struct cs_arena *arena;
    int64_t *failures;
    struct cs_arena_mark mark;
};

static int bounder_begin(void *worker, const void *job, struct cs_error *err)
{
    struct bounder *b = worker;

    (void)err;
    *b = (struct bounder){.scenarios = job, .arena = cs_arena_create()};
    b->failures = CS_NEW_ARRAY(b->arena, int64_t, b->scenarios->jobs->count);
    b->mark = cs_arena_mark(b->arena);
    return 0;
}

static int bounder_run(void *worker, const struct cs_loop_at *at, void *bound, struct cs_error *err)
{
    struct bounder *b = worker;

    if (cs_sched_scenarios_get(b->scenarios, (int)at->scenario, b->failures, err))
        return -1;
    *(double *)bound = cs_rigid_bound_strong(b->scenarios->jobs, b->failures, b->arena);
    cs_arena_rewind(b->arena, b->mark);
    return 0;
}

static void bounder_end(void *worker)
{
    struct bounder *b = worker;

    cs_arena_destroy(b->arena);
}

int cs_rigid_study_bounds(const struct cs_sched_scenarios *scenarios, int threads, double *bound,
                          struct cs_error *err)
{
    CS_ASK(scenarios && bound, err, -1);
    CS_GUARD(err, -1);
    const struct cs_loop loop = {
        .scenarios = scenarios->count,
        .threads = threads,
        .job = scenarios,
        .worker = sizeof(struct bounder),
        .outcome = bound,
        .size = sizeof *bound,
        .begin = bounder_begin,
        .run = bounder_run,
        .end = bounder_end,
    };

    return cs_loop_run(&loop, err);
}
