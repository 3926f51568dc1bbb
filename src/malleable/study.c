/* study.c - workers that each own a simulation and a trace. */
#include "malleable/study.h"

#include "base/arena.h"
#include "base/rng.h"
#include "base/thread.h"

#include <string.h>

#define PURPOSE 0x6c697374u /* "list": where in a list a scenario begins */

/* The list from a moment on, then its beginning. */
static struct cs_malleable_trace *turned(const struct cs_malleable_source *source, int scenario,
                                         struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_malleable_fault *fault =
        CS_NEW_ARRAY(arena, struct cs_malleable_fault, source->listed);
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

struct worker {
    const struct cs_malleable_study *study;
    struct cs_malleable_simulation *simulation;
    struct cs_malleable_trace *trace; /* of the law, used again for every scenario */
    struct cs_error err;
};

static void worker_init(struct worker *w, const struct cs_malleable_study *study)
{
    *w = (struct worker){.study = study};
    w->simulation = cs_malleable_simulation_create(study->instance, study->rules, &w->err);
    if (w->simulation && !study->source->list)
        w->trace = cs_malleable_trace_draw(&study->source->law, &w->err);
}

static void run_scenario(struct worker *w, int scenario, struct cs_malleable_outcome *out)
{
    struct cs_malleable_trace *trace = w->trace;

    if (w->err.text[0])
        return;
    if (trace)
        cs_malleable_trace_begin(trace, (uint64_t)scenario);
    else
        trace = cs_malleable_source_trace(w->study->source, scenario, &w->err);
    if (!trace)
        return;
    cs_malleable_simulation_run(w->simulation, trace, NULL, out);
    out->end = NULL;
    if (trace != w->trace)
        cs_malleable_trace_destroy(trace);
}

static int worker_end(struct worker *w, int status, struct cs_error *err)
{
    cs_malleable_trace_destroy(w->trace);
    cs_malleable_simulation_destroy(w->simulation);
    if (!w->err.text[0] || status)
        return status;
    return cs_error_set(err, "%s", w->err.text);
}

int cs_malleable_study_run(const struct cs_malleable_study *study, struct cs_malleable_outcome *out,
                           struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    int threads = study->threads > 1 ? study->threads : 1, status = 0;
    struct worker *worker = CS_NEW_ARRAY(arena, struct worker, threads);

    for (int w = 0; w < threads; w++)
        worker_init(&worker[w], study);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int s = 0; s < study->scenarios; s++) {
        run_scenario(&worker[cs_thread_index()], s, &out[s]);
        if (study->progress && cs_thread_index() == 0)
            study->progress(study->who, s);
    }
    for (int w = 0; w < threads; w++)
        status = worker_end(&worker[w], status, err);
    cs_arena_destroy(arena);
    return status;
}
