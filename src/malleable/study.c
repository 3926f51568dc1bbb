/* study.c - workers that each own a simulation and a trace. */
#include "malleable/study.h"

#include "base/arena.h"
#include "base/rng.h"
#include "base/workers.h"
#include "malleable/simulate.h"

#include <math.h>

#define PURPOSE 0x6c697374u /* "list": where in a list a scenario begins */

/* The list from a moment on, then its beginning. */
static struct cs_malleable_trace *turned(const struct cs_malleable_source *source, int scenario,
                                         struct cs_error *err)
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

struct cs_malleable_trace *cs_malleable_source_trace(const struct cs_malleable_source *source,
                                                     int scenario, struct cs_error *err)
{
    struct cs_malleable_trace *trace;

    if (source->list)
        return scenario && source->listed
                   ? turned(source, scenario, err)
                   : cs_malleable_trace_list(source->listed, source->list, err);
    trace = cs_malleable_trace_draw(&source->law, err);
    if (trace)
        cs_malleable_trace_begin(trace, (uint64_t)scenario);
    return trace;
}

struct job {
    const struct cs_malleable_study *study;
    struct cs_malleable_seen *out;
};

struct worker {
    const struct cs_malleable_study *study;
    struct cs_malleable_seen *out;
    struct cs_malleable_simulation *simulation;
    struct cs_malleable_trace *trace; /* of the law, used again for every scenario */
};

static void end(void *worker)
{
    struct worker *w = worker;

    cs_malleable_trace_destroy(w->trace);
    cs_malleable_simulation_destroy(w->simulation);
}

static int begin(void *worker, const void *job, struct cs_error *err)
{
    const struct job *given = job;
    struct worker *w = worker;
    bool law = !given->study->source->list;

    *w = (struct worker){.study = given->study, .out = given->out};
    w->simulation = cs_malleable_simulation_create_asking(w->study->instance, w->study->rules,
                                                          w->study->outside, err);
    if (w->simulation && law)
        w->trace = cs_malleable_trace_draw(&w->study->source->law, err);
    if (w->simulation && (!law || w->trace))
        return 0;
    end(w);
    return -1;
}

/* What a run looked like at a moment. */
struct glance {
    double time;
    int tasks;
    struct cs_malleable_seen *seen;
};

/* The state after the last event that is not later than the moment holds then. */
static void look(void *who, const struct cs_malleable_event *event)
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
    const struct cs_malleable_observer observer = {.event = look, .who = &glance};
    bool looks = !isnan(w->study->at);

    seen->expected = seen->deviation = NAN;
    cs_malleable_simulation_run(w->simulation, trace, looks ? &observer : NULL, &seen->outcome);
    if (looks && !(w->study->at < seen->outcome.makespan))
        seen->expected = seen->deviation = NAN;
    seen->outcome.end = NULL;
}

static int run_scenario(void *worker, long run, struct cs_error *err)
{
    struct worker *w = worker;
    struct cs_malleable_trace *trace = w->trace;

    if (trace)
        cs_malleable_trace_begin(trace, (uint64_t)run);
    else
        trace = cs_malleable_source_trace(w->study->source, (int)run, err);
    if (!trace)
        return -1;
    run_seen(w, trace, &w->out[run]);
    if (trace != w->trace)
        cs_malleable_trace_destroy(trace);
    return 0;
}

int cs_malleable_study_run(const struct cs_malleable_study *study, struct cs_malleable_seen *out,
                           struct cs_error *err)
{
    const struct job job = {study, out};
    const struct cs_workers share = {
        .runs = study->scenarios,
        .threads = study->threads,
        .size = sizeof(struct worker),
        .job = &job,
        .begin = begin,
        .run = run_scenario,
        .end = end,
        .progress = study->progress,
        .who = study->who,
    };

    return cs_workers_run(&share, err);
}
