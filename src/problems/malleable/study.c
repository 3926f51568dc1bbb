/* study.c - the runs of a study: workers that each own a simulation and a trace.
 *
 * Source: spec/malleable.md 8 (failures of a list); docs/spec/science.md 10 (the optimum).
 */
#include "base/arena.h"
#include "base/rng.h"
#include "problem/loop.h"
#include "problems/malleable/optimum.h"
#include "problems/malleable/problem.h"
#include "problems/malleable/simulate.h"
#include "problems/malleable/trace.h"

#include <math.h>

#define PURPOSE 0x6c697374u /* "list": where in a list a scenario begins */

/* The list from a moment on, then its beginning. */
static struct cs_malleable_trace *problem_turned(const struct cs_malleable_source *source,
                                                 int scenario, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_fault *fault = CS_NEW_ARRAY(arena, struct cs_fault, source->listed);
    double span = source->list[source->listed - 1].time, moment;
    struct cs_malleable_trace *trace;
    struct cs_rng rng;

    cs_rng_init(&rng, source->law.seed, PURPOSE, (uint64_t)scenario);
    moment = span * cs_rng_uniform(&rng);
    for (size_t i = 0; i < source->listed; i++) {
        fault[i] = source->list[i];
        fault[i].time += fault[i].time < moment ? span - moment : -moment;
    }
    trace = cs_malleable_trace_list(source->listed, fault, err);
    cs_arena_destroy(arena);
    return trace;
}

/* The failures of a scenario, ready to be played.  The caller destroys it; NULL with err. */
struct cs_malleable_trace *cs_malleable_source_trace(const struct cs_malleable_source *source,
                                                     int scenario, struct cs_error *err)
{
    struct cs_malleable_trace *trace;

    if (!source->list)
        trace = cs_malleable_trace_draw(&source->law, err);
    else if (scenario && source->listed)
        trace = problem_turned(source, scenario, err);
    else
        trace = cs_malleable_trace_list(source->listed, source->list, err);
    if (trace && source->list)
        cs_malleable_trace_seed(trace, source->law.seed, (uint64_t)scenario);
    else if (trace)
        cs_malleable_trace_begin(trace, (uint64_t)scenario);
    return trace;
}

struct worker {
    const struct cs_malleable_study *study;
    struct cs_malleable_simulation *simulation; /* of the variant that it runs */
    struct cs_malleable_trace *trace;           /* of the law, used again for every scenario */
    bool searches;                              /* the variant is the optimum */
};

static void worker_end(void *worker)
{
    struct worker *w = worker;

    cs_malleable_trace_destroy(w->trace);
    cs_malleable_simulation_destroy(w->simulation);
}

static int worker_begin(void *worker, const void *job, struct cs_error *err)
{
    struct worker *w = worker;

    w->study = job;
    if (w->study->source->list)
        return 0;
    w->trace = cs_malleable_trace_draw(&w->study->source->law, err);
    return w->trace ? 0 : -1;
}

static int worker_enter(void *worker, int variant, int set, struct cs_error *err)
{
    struct worker *w = worker;
    struct cs_malleable_simulation *last = w->simulation;

    (void)set;
    w->searches = variant == w->study->optimum;
    w->simulation = NULL;
    cs_malleable_simulation_destroy(last);
    w->simulation = cs_malleable_simulation_create_asking(
        w->study->instance, &w->study->rules[variant], w->study->extpol, err);
    if (!w->simulation)
        return -1;
    w->simulation->timed = w->study->timed;
    return 0;
}

/* The state of a run at a moment. */
struct glance {
    double time;
    int tasks;
    struct cs_malleable_seen *seen;
};

/* The state after the last event that is not later than the moment holds then. */
static void problem_inspect(void *who, const struct cs_malleable_event *event)
{
    struct glance *glance = who;
    double sum = 0, squares = 0, longest = 0;
    int running = 0;

    if (event->time > glance->time)
        return;
    for (int i = 0; i < glance->tasks; i++) {
        double procs = event->state[i].procs;

        longest = fmax(longest, event->state[i].expected_finish);
        running += procs > 0;
        sum += procs;
        squares += procs * procs;
    }
    glance->seen->expected = longest;
    glance->seen->deviation =
        running ? sqrt(fmax(0, squares / running - sum / running * sum / running)) : NAN;
}

/* Runs that are over by then have no such moment. */
static void run_seen(const struct worker *w, struct cs_malleable_trace *trace,
                     struct cs_malleable_seen *seen)
{
    struct glance glance = {w->study->at, cs_malleable_instance_tasks(w->study->instance), seen};
    const struct cs_malleable_observer observer = {.event = problem_inspect, .who = &glance};
    bool looks = !isnan(w->study->at);

    seen->expected = seen->deviation = seen->optimum_gap = NAN;
    cs_malleable_simulation_run(w->simulation, trace, looks ? &observer : NULL, &seen->outcome);
    seen->planning = w->study->timed ? w->simulation->planned : NAN;
    seen->patterns = w->simulation->dispatcher.rules.layout == CS_MALLEABLE_PATTERN;
    if (looks && !(w->study->at < seen->outcome.makespan))
        seen->expected = seen->deviation = NAN;
    seen->outcome.end = NULL;
}

/* The least makespan of a scenario, with its failures known before. */
static int run_search(const struct worker *w, struct cs_malleable_trace *trace, int64_t scenario,
                      struct cs_malleable_seen *seen, struct cs_error *err)
{
    const struct cs_malleable_rules *rules = &w->study->rules[w->study->optimum];
    struct cs_malleable_optimum best;
    struct cs_arena *arena = cs_arena_create();
    int status = cs_malleable_optimum_find(w->study->instance, rules, trace,
                                           w->trace ? (uint64_t)scenario : 0, w->study->exact,
                                           arena, &best, err);

    cs_arena_destroy(arena);
    if (status)
        return -1;
    seen->expected = seen->deviation = seen->planning = NAN;
    seen->patterns = false;
    seen->optimum_gap = best.proven ? 0 : best.makespan / best.bound - 1;
    seen->outcome = (struct cs_malleable_outcome){
        .makespan = best.makespan,
        .lower_bound = best.bound,
        .gap = best.makespan / best.bound - 1,
        .area = {NAN, NAN, NAN, NAN, NAN, NAN},
    };
    return 0;
}

static int worker_run(void *worker, const struct cs_loop_at *at, void *out, struct cs_error *err)
{
    struct worker *w = worker;
    struct cs_malleable_trace *trace = w->trace;
    int status = 0;

    if (trace)
        cs_malleable_trace_begin(trace, (uint64_t)at->scenario);
    else
        trace = cs_malleable_source_trace(w->study->source, (int)at->scenario, err);
    if (!trace)
        return -1;
    if (w->searches)
        status = run_search(w, trace, at->scenario, out, err);
    else
        run_seen(w, trace, out);
    if (trace != w->trace)
        cs_malleable_trace_destroy(trace);
    return status;
}

/* out[variant * scenarios + s] for every scenario.  -1 with err. */
int cs_malleable_study_run(const struct cs_malleable_study *study, struct cs_malleable_seen *out,
                           struct cs_error *err)
{
    const struct cs_loop loop = {
        .variants = study->variants,
        .scenarios = study->scenarios,
        .threads = study->threads,
        .job = study,
        .worker = sizeof(struct worker),
        .outcome = out,
        .size = sizeof *out,
        .begin = worker_begin,
        .enter = worker_enter,
        .run = worker_run,
        .end = worker_end,
        .progress = study->progress,
    };

    return cs_loop_run(&loop, err);
}
