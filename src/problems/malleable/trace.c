/* trace.c - failures from a list or from random laws.
 *
 * Source: the paper, section 6; spec/malleable.md 8.  Weibull and lognormal are beyond the
 * paper.
 *
 * Idea: exponential: one Poisson stream of rate procs / mtbf whose processor is uniform, which
 * is exact.  Other laws: every processor renews independently of the others; the next failure is
 * on top of a heap.
 *
 * Invariants: all numbers come from the stream of (seed, purpose, scenario) in the order of
 * failures, so that all policies meet the same failures; times do not fall; failures at equal
 * times of a list keep their order; the scale is chosen so that the mean of every law is mtbf.
 *
 * Complexity: exponential O(1) for each failure; other laws O(procs) for the first, then O(log
 * procs); a list is sorted once, O(count log count).  The only constant, MOST_FAULTS (2^30
 * failures of a list), keeps indices in an int.
 */
#include "problems/malleable/trace.h"

#include "base/arena.h"
#include "base/guard.h"
#include "base/heap.h"
#include "base/order.h"
#include "base/rng.h"

#include <math.h>

struct cs_malleable_trace {
    struct cs_arena *arena;
    size_t count, next;          /* of a list */
    const struct cs_fault *list; /* or NULL: drawn */
    struct cs_malleable_failures law;
    uint32_t purpose;
    double scale; /* weibull: its scale; lognormal: mu */
    struct cs_rng rng, errors;
    double now;
    bool begun; /* the heap is filled */
    struct cs_heap heap;
    double *first; /* room for the first failure of each processor */
};

static struct cs_malleable_trace *new_trace(void)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_malleable_trace *trace = CS_NEW(arena, struct cs_malleable_trace);

    trace->arena = arena;
    return trace;
}

void cs_malleable_trace_destroy(struct cs_malleable_trace *trace)
{
    if (trace)
        cs_arena_destroy(trace->arena);
}

static int check_fault(size_t at, const struct cs_fault *fault, struct cs_error *err)
{
    if (!(fault->time >= 0 && isfinite(fault->time)))
        return cs_error_set(err, "failure %zu: the time is %g, it must be a number from 0 on", at,
                            isnan(fault->time) ? NAN : fault->time);
    if (fault->processor < 0)
        return cs_error_set(err, "failure %zu: the processor is %d, it must be at least 0", at,
                            fault->processor);
    return 0;
}

#define MOST_FAULTS ((size_t)1 << 30)

struct cs_malleable_trace *cs_malleable_trace_list(size_t count, const struct cs_fault *fault,
                                                   struct cs_error *err)
{
    CS_ASK(fault || !count, err, NULL);
    CS_GUARD(err, NULL);
    struct cs_malleable_trace *trace;
    struct cs_fault *list;
    double *time;
    int *order;

    if (count > MOST_FAULTS) {
        cs_error_set(err, "there are %zu failures, at most %zu are allowed", count, MOST_FAULTS);
        return NULL;
    }
    for (size_t f = 0; f < count; f++)
        if (check_fault(f, &fault[f], err))
            return NULL;
    trace = new_trace();
    list = CS_NEW_ARRAY(trace->arena, struct cs_fault, count + 1);
    time = CS_NEW_ARRAY(trace->arena, double, count);
    order = CS_NEW_ARRAY(trace->arena, int, count);
    for (size_t f = 0; f < count; f++)
        time[f] = fault[f].time;
    cs_order_ascending(time, (int)count, order, trace->arena);
    for (size_t f = 0; f < count; f++)
        list[f] = fault[order[f]];
    trace->list = list;
    trace->count = count;
    cs_malleable_trace_seed(trace, 0, 0);
    return trace;
}

static int check_law(const struct cs_malleable_failures *f, struct cs_error *err)
{
    if (f->procs < 1)
        return cs_error_set(err, "%d processors cannot fail, at least 1 is needed", f->procs);
    if (!(f->mtbf > 0))
        return cs_error_set(err,
                            "the mean time between failures of a processor is %g s, it must be "
                            "positive (inf: none fails)",
                            isnan(f->mtbf) ? NAN : f->mtbf);
    if (!cs_malleable_law_name(f->law))
        return cs_error_set(err, "there is no law %d of failures", (int)f->law);
    if (f->law != CS_MALLEABLE_EXPONENTIAL && !(f->shape > 0 && isfinite(f->shape)))
        return cs_error_set(err, "the shape of the %s law is %g, it must be a positive number",
                            cs_malleable_law_name(f->law), isnan(f->shape) ? NAN : f->shape);
    return 0;
}

/* The scale (lognormal: mu) with which the mean of the law is mtbf. */
static double scale_of(const struct cs_malleable_failures *f)
{
    if (f->law == CS_MALLEABLE_WEIBULL)
        return f->mtbf / tgamma(1 + 1 / f->shape);
    return log(f->mtbf) - f->shape * f->shape / 2;
}

struct cs_malleable_trace *cs_malleable_trace_draw_for(const struct cs_malleable_failures *failures,
                                                       uint32_t purpose, struct cs_error *err)
{
    struct cs_malleable_trace *trace;

    if (check_law(failures, err))
        return NULL;
    if (failures->law == CS_MALLEABLE_WEIBULL && isfinite(failures->mtbf) &&
        !(scale_of(failures) > 0)) {
        cs_error_set(err, "the shape of the weibull law is %g, too small to have a mean",
                     failures->shape);
        return NULL;
    }
    trace = new_trace();
    trace->law = *failures;
    trace->purpose = purpose;
    trace->scale = scale_of(failures);
    if (failures->law != CS_MALLEABLE_EXPONENTIAL) {
        cs_heap_init(&trace->heap, failures->procs, trace->arena);
        trace->first = CS_NEW_ARRAY(trace->arena, double, failures->procs);
    }
    cs_malleable_trace_begin(trace, 0);
    return trace;
}

struct cs_malleable_trace *cs_malleable_trace_draw(const struct cs_malleable_failures *failures,
                                                   struct cs_error *err)
{
    CS_ASK(failures, err, NULL);
    CS_GUARD(err, NULL);
    return cs_malleable_trace_draw_for(failures, CS_MALLEABLE_PURPOSE_FAILURES, err);
}

struct cs_rng *cs_malleable_trace_errors(struct cs_malleable_trace *trace)
{
    return &trace->errors;
}

void cs_malleable_trace_seed(struct cs_malleable_trace *trace, uint64_t seed, uint64_t scenario)
{
    cs_rng_init(&trace->errors, seed, CS_MALLEABLE_PURPOSE_PATTERN, scenario);
}

void cs_malleable_trace_begin(struct cs_malleable_trace *trace, uint64_t scenario)
{
    CS_ASK(trace, NULL, );
    trace->next = 0;
    cs_malleable_trace_seed(trace, trace->law.seed, scenario);
    if (trace->list)
        return;
    cs_rng_init(&trace->rng, trace->law.seed, trace->purpose, scenario);
    trace->now = 0;
    trace->begun = false;
}

static double trace_between(struct cs_malleable_trace *trace)
{
    if (trace->law.law == CS_MALLEABLE_WEIBULL)
        return cs_rng_weibull(&trace->rng, trace->law.shape, trace->scale);
    return cs_rng_lognormal(&trace->rng, trace->scale, trace->law.shape);
}

static void next_renewal(struct cs_malleable_trace *trace, struct cs_fault *fault)
{
    int processor;

    if (!trace->begun) {
        for (int x = 0; x < trace->law.procs; x++)
            trace->first[x] = trace_between(trace);
        cs_heap_fill(&trace->heap, trace->first);
        trace->begun = true;
    }
    processor = cs_heap_top(&trace->heap);
    *fault = (struct cs_fault){cs_heap_top_key(&trace->heap), processor};
    cs_heap_update(&trace->heap, processor, fault->time + trace_between(trace));
}

static void next_poisson(struct cs_malleable_trace *trace, struct cs_fault *fault)
{
    const int procs = trace->law.procs;

    trace->now += cs_rng_exponential(&trace->rng, trace->law.mtbf / procs);
    fault->time = trace->now;
    fault->processor = (int)cs_rng_below(&trace->rng, (uint64_t)procs);
}

bool cs_malleable_trace_next(struct cs_malleable_trace *trace, struct cs_fault *fault)
{
    CS_ASK(trace && fault, NULL, false);
    if (trace->list) {
        if (trace->next == trace->count)
            return false;
        *fault = trace->list[trace->next++];
        return true;
    }
    if (isinf(trace->law.mtbf))
        return false;
    if (trace->law.law == CS_MALLEABLE_EXPONENTIAL)
        next_poisson(trace, fault);
    else
        next_renewal(trace, fault);
    return isfinite(fault->time);
}
