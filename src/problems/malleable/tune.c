/* tune.c - a portfolio of rules, judged by playing scenarios that are not the real ones.
 *
 * Source: spec/malleable.md, part II, sections 1 and 3 (beyond the paper).
 *
 * Idea: simulate 6 period factors with 5 pairs of policies on random scenarios, and take the
 * pair of least mean makespan.  The scenarios have a purpose of their stream
 * (CS_MALLEABLE_PURPOSE_TUNING) that no simulation uses, so that there is no selection bias.
 *
 * Invariants: each candidate plays the same scenarios; a candidate that makes no progress in one
 * of them is infinitely long; ties: the lower index, so that the longer period wins.  The result
 * does not depend on the number of threads: a candidate is judged by one worker.
 *
 * Complexity: 30 * scenarios runs (simulate.c).  spec/malleable.md reports 1 to 5 s of processor
 * time for 3 to 10 scenarios, and makespans below all four heuristics of the paper in its 4
 * settings.
 *
 * | constant | value | unit | how found | at half, at double |
 * |----------|-------|------|-----------|--------------------|
 * | factors | 1 to 0.15 | of Young's period | best: 0.25 to 0.5 (part II, 1) | see registry.c |
 * | variants | 5 | pairs | both heuristics with both ends; no moves | not measured |
 */
#include "base/guard.h"
#include "base/stats.h"
#include "base/workers.h"
#include "problems/malleable/instance.h"
#include "problems/malleable/trace.h"

#include <math.h>

static const double factors[] = {1, .7, .5, .35, .25, .15};
static const int variants[][2] = {
    {CS_MALLEABLE_END_LOCAL, CS_MALLEABLE_FAILURE_GREEDY},
    {CS_MALLEABLE_END_GREEDY, CS_MALLEABLE_FAILURE_GREEDY},
    {CS_MALLEABLE_END_LOCAL, CS_MALLEABLE_FAILURE_SHORTEST},
    {CS_MALLEABLE_END_GREEDY, CS_MALLEABLE_FAILURE_SHORTEST},
    {CS_MALLEABLE_END_NONE, CS_MALLEABLE_FAILURE_NONE},
};

#define FACTORS ((int)(sizeof factors / sizeof *factors))
#define VARIANTS ((int)(sizeof variants / sizeof *variants))

_Static_assert(FACTORS *VARIANTS == CS_MALLEABLE_CANDIDATES, "the constant of the header counts "
                                                             "them");

static void tune_evaluate(const struct cs_malleable_instance *in, struct cs_malleable_candidate *c,
                          struct cs_malleable_trace *trace, int scenarios)
{
    struct cs_malleable_simulation *simulation =
        cs_malleable_simulation_create(in, &c->rules, NULL);
    struct cs_malleable_outcome outcome;
    struct cs_stats stats = {0};
    bool stuck = false;

    for (int s = 0; s < scenarios && !stuck; s++) {
        cs_malleable_trace_begin(trace, (uint64_t)s);
        cs_malleable_simulation_run(simulation, trace, NULL, &outcome);
        stuck = outcome.no_progress;
        if (!stuck)
            cs_stats_add(&stats, outcome.makespan);
    }
    cs_malleable_simulation_destroy(simulation);
    c->makespan = stuck ? INFINITY : cs_stats_mean(&stats);
    c->error = stuck ? NAN : cs_stats_deviation(&stats) / sqrt(scenarios);
}

static void tune_fill(const struct cs_malleable_rules *base,
                      struct cs_malleable_candidate *candidate)
{
    for (int c = 0; c < CS_MALLEABLE_CANDIDATES; c++) {
        candidate[c] = (struct cs_malleable_candidate){.rules = *base};
        candidate[c].rules.period_factor = factors[c / VARIANTS];
        candidate[c].rules.on_end = variants[c % VARIANTS][0];
        candidate[c].rules.on_failure = variants[c % VARIANTS][1];
    }
}

struct job {
    const struct cs_malleable_instance *in;
    const struct cs_malleable_failures *failures;
    int scenarios;
    struct cs_malleable_candidate *candidate;
};

struct worker {
    const struct job *job;
    struct cs_malleable_trace *trace;
};

static int tune_begin(void *worker, const void *job, struct cs_error *err)
{
    struct worker *w = worker;

    w->job = job;
    w->trace = cs_malleable_trace_draw_for(w->job->failures, CS_MALLEABLE_PURPOSE_TUNING, err);
    return w->trace ? 0 : -1;
}

static int evaluate_one(void *worker, long c, struct cs_error *err)
{
    struct worker *w = worker;

    (void)err;
    tune_evaluate(w->job->in, &w->job->candidate[c], w->trace, w->job->scenarios);
    return 0;
}

static void tune_end(void *worker)
{
    cs_malleable_trace_destroy(((struct worker *)worker)->trace);
}

static int evaluate_all(const struct job *job, int threads, struct cs_error *err)
{
    const struct cs_workers share = {
        .runs = CS_MALLEABLE_CANDIDATES,
        .threads = threads,
        .size = sizeof(struct worker),
        .job = job,
        .begin = tune_begin,
        .run = evaluate_one,
        .end = tune_end,
    };

    return cs_workers_run(&share, err);
}

int cs_malleable_tune(const struct cs_malleable_instance *in, const struct cs_malleable_rules *base,
                      const struct cs_malleable_failures *failures, int scenarios, int threads,
                      struct cs_malleable_candidate *candidate, struct cs_error *err)
{
    CS_ASK(in && base && failures && candidate, err, -1);
    CS_GUARD(err, -1);
    const struct job job = {in, failures, scenarios, candidate};
    int best = 0;

    if (scenarios < 1 || scenarios > CS_MALLEABLE_TUNING_MOST)
        return cs_error_set(err, "%d scenarios to choose by, there must be between 1 and %d",
                            scenarios, CS_MALLEABLE_TUNING_MOST);
    if (cs_malleable_rules_check(base, err))
        return -1;
    tune_fill(base, candidate);
    if (evaluate_all(&job, threads, err))
        return -1;
    for (int c = 1; c < CS_MALLEABLE_CANDIDATES; c++)
        if (candidate[c].makespan < candidate[best].makespan)
            best = c;
    return best;
}
