/* pattern.c - patterns of verified checkpoints: first order, exact expectation, simulation.
 *
 * Source: docs/spec/science.md 11.1 to 11.6.
 *
 * Idea: all segments but the last are tried alike, so that a try is computed twice and the
 * expectation of the pattern is a sum over segments, each of which may have to repeat those before
 * it.
 *
 * Invariants: with verification and disk checkpoint 0 and no silent errors the first order is
 * Young's formula; the exact overhead is above that of the first order for all costs that were
 * measured; ties go to fewer chunks, then fewer segments.
 *
 * Complexity: an expectation O(segments + chunks); the first order O(1000); the best work 200 times
 * an expectation.
 *
 * | constant | value | unit | how found | at half, at double |
 * |----------|-------|------|-----------|--------------------|
 * | STEPS | 200 | steps | spec 11.4: golden section | not measured |
 * | SPAN | 20 | ratio | spec 11.4: around the first order | not measured |
 */
#include "model/pattern.h"

#include "base/rng.h"

#include <math.h>
#include <stdbool.h>

#define STEPS 200
#define SPAN 20
#define PURPOSE 1421

static bool is_cost(double seconds)
{
    return seconds >= 0 && isfinite(seconds);
}

int cs_pattern_costs_check(const struct cs_pattern_costs *c, struct cs_error *err)
{
    const struct {
        const char *name;
        double value;
    } number[] = {
        {"verification", c->verification},
        {"memory-checkpoint", c->memory},
        {"disk-checkpoint", c->disk},
        {"downtime", c->downtime},
        {"memory-recovery", c->memory_recovery},
        {"disk-recovery", c->disk_recovery},
        {"silent-rate", c->silent},
        {"fail-stop-rate", c->fail_stop},
    };

    for (int i = 0; i < (int)(sizeof number / sizeof *number); i++)
        if (!is_cost(number[i].value))
            return cs_error_set(err, "--%s: %g is not a number from 0 on", number[i].name,
                                number[i].value);
    if (!(c->fatal >= 0 && c->fatal <= 1))
        return cs_error_set(err, "--fatal-share: %g is not between 0 and 1", c->fatal);
    if (!(c->verification + c->memory + c->disk > 0))
        return cs_error_set(err, "--memory-checkpoint: a pattern needs a verification, memory or "
                                 "disk cost above 0");
    if (!(c->silent + c->fail_stop > 0))
        return cs_error_set(err, "--silent-rate: a pattern needs a rate of errors above 0");
    return 0;
}

/* ---- first order ---- */

/* Work that an error costs per second of work squared, in a segment and in the pattern; cost of a
 * segment. */
struct order {
    double a, b, c;
};

static struct order order_of(const struct cs_pattern_costs *costs, int chunks)
{
    return (struct order){
        .a = costs->silent * (1 + 1.0 / chunks) / 2 + (1 - costs->fatal) * costs->fail_stop / 2,
        .b = chunks * costs->verification + costs->memory,
        .c = costs->fatal * costs->fail_stop / 2,
    };
}

double cs_pattern_first_order_work(const struct cs_pattern_costs *costs, int segments, int chunks,
                                   double *overhead)
{
    const struct order o = order_of(costs, chunks);
    const double cost = segments * o.b + costs->disk, again = o.a / segments + o.c;

    if (overhead)
        *overhead = 2 * sqrt(cost * again);
    return sqrt(cost / again) / segments / chunks;
}

static int pattern_within(double k)
{
    return k < 1 ? 1 : k > CS_PATTERN_MOST ? CS_PATTERN_MOST : (int)k;
}

struct cs_pattern cs_pattern_first_order(const struct cs_pattern_costs *costs, double *overhead)
{
    const int most = costs->verification > 0 ? CS_PATTERN_MOST : 1;
    struct cs_pattern best = {0};
    double least = INFINITY;

    for (int m = 1; m <= most; m++) {
        const struct order o = order_of(costs, m);
        double k = 1;

        if (costs->disk > 0)
            k = o.b * o.c > 0 ? floor(sqrt(costs->disk * o.a / (o.b * o.c))) : CS_PATTERN_MOST;
        for (int more = 0; more < 2; more++) {
            const int segments = pattern_within(costs->disk > 0 ? k + more : 1);
            const double product = (segments * o.b + costs->disk) * (o.a / segments + o.c);

            if (!(product < least))
                continue;
            least = product;
            best = (struct cs_pattern){.segments = segments, .chunks = m};
        }
    }
    best.work = cs_pattern_first_order_work(costs, best.segments, best.chunks, overhead);
    return best;
}

/* ---- exact expectation ---- */

/* A try of a segment: its expected length until an error or its end, and the probabilities that a
 * fail-stop error, a silent error or nothing ends it. */
struct attempt {
    double length, failed, found, done;
};

/* `seconds` in which fail-stop errors strike. */
static void attempt_pass(struct attempt *a, double fail_stop, double seconds)
{
    const double chance = -expm1(-fail_stop * seconds);

    a->length += a->done * (fail_stop > 0 ? chance / fail_stop : seconds);
    a->failed += a->done * chance;
    a->done *= exp(-fail_stop * seconds);
}

static struct attempt attempt_of(const struct cs_pattern_costs *costs,
                                 const struct cs_pattern *pattern, double tail)
{
    struct attempt a = {.done = 1};

    for (int m = 0; m < pattern->chunks; m++) {
        attempt_pass(&a, costs->fail_stop, pattern->work + costs->verification);
        a.found += a.done * -expm1(-costs->silent * pattern->work);
        a.done *= exp(-costs->silent * pattern->work);
    }
    attempt_pass(&a, costs->fail_stop, tail);
    return a;
}

/* A segment after those that took `before` together. */
static double attempt_expected(const struct cs_pattern_costs *c, const struct attempt *a,
                               double before)
{
    const double memory = a->failed * (1 - c->fatal) * (c->downtime + c->memory_recovery);
    double disk = 0;

    if (c->fatal > 0)
        disk = a->failed * c->fatal * (c->downtime + c->disk_recovery + before);
    return a->done > 0 ? (a->length + a->found * c->memory_recovery + memory + disk) / a->done
                       : INFINITY;
}

/* Of the segments from `from` on; a fatal error repeats those before it too. */
static double expected_rest(const struct cs_pattern_costs *costs, const struct cs_pattern *pattern,
                            double from)
{
    const struct attempt inner = attempt_of(costs, pattern, costs->memory);
    const struct attempt last = attempt_of(costs, pattern, costs->memory + costs->disk);
    double sum = 0, before = 0;

    for (int s = 1; s < pattern->segments; s++) {
        sum += attempt_expected(costs, &inner, sum);
        if (s <= from)
            before = sum;
    }
    return sum + attempt_expected(costs, &last, sum) - before;
}

double cs_pattern_expected(const struct cs_pattern_costs *costs, const struct cs_pattern *pattern)
{
    return expected_rest(costs, pattern, 0);
}

double cs_pattern_overhead(const struct cs_pattern_costs *costs, const struct cs_pattern *pattern)
{
    return cs_pattern_expected(costs, pattern) /
               ((double)pattern->segments * pattern->chunks * pattern->work) -
           1;
}

static double overhead_at(const struct cs_pattern_costs *costs, struct cs_pattern pattern,
                          double logarithm)
{
    pattern.work = exp(logarithm) / pattern.segments / pattern.chunks;
    return cs_pattern_overhead(costs, &pattern);
}

/* Golden section on the logarithm of the work of the whole pattern. */
struct cs_pattern cs_pattern_best(const struct cs_pattern_costs *costs, int segments, int chunks)
{
    const double ratio = (sqrt(5) - 1) / 2;
    struct cs_pattern best = {.segments = segments, .chunks = chunks};
    const double first =
        log(cs_pattern_first_order_work(costs, segments, chunks, NULL) * segments * chunks);
    double low = first - log(SPAN), high = first + log(SPAN);
    double left = high - ratio * (high - low), right = low + ratio * (high - low);
    double at_left = overhead_at(costs, best, left), at_right = overhead_at(costs, best, right);

    for (int step = 0; step < STEPS; step++) {
        if (at_left <= at_right) {
            high = right;
            right = left;
            at_right = at_left;
            left = high - ratio * (high - low);
            at_left = overhead_at(costs, best, left);
        } else {
            low = left;
            left = right;
            at_left = at_right;
            right = low + ratio * (high - low);
            at_right = overhead_at(costs, best, right);
        }
    }
    best.work = exp(low + (high - low) / 2) / segments / chunks;
    return best;
}

/* ---- simulation ---- */

enum ending { ENDING_DONE, ENDING_MEMORY, ENDING_DISK };

/* One try of a segment; its seconds are added, recoveries included. */
static enum ending pattern_try(const struct cs_pattern_costs *c, const struct cs_pattern *pattern,
                               double tail, struct cs_rng *rng, double *seconds)
{
    const double failure = c->fail_stop > 0 ? cs_rng_exponential(rng, 1 / c->fail_stop) : INFINITY;
    bool silent = false;
    double at = 0;

    for (int m = 0; m < pattern->chunks && !silent && at <= failure; m++) {
        silent = c->silent > 0 && cs_rng_exponential(rng, 1 / c->silent) < pattern->work;
        at += pattern->work + c->verification;
    }
    if (!silent && at <= failure)
        at += tail;
    if (failure < at) {
        const bool fatal = cs_rng_uniform(rng) < c->fatal;

        *seconds += failure + c->downtime + (fatal ? c->disk_recovery : c->memory_recovery);
        return fatal ? ENDING_DISK : ENDING_MEMORY;
    }
    *seconds += at + (silent ? c->memory_recovery : 0);
    return silent ? ENDING_MEMORY : ENDING_DONE;
}

static double pattern_run(const struct cs_pattern_costs *c, const struct cs_pattern *pattern,
                          uint64_t seed, uint64_t run)
{
    struct cs_rng rng;
    double seconds = 0;
    int segment = 0;

    cs_rng_init(&rng, seed, PURPOSE, run);
    while (segment < pattern->segments) {
        const double tail = c->memory + (segment == pattern->segments - 1 ? c->disk : 0);
        const enum ending ending = pattern_try(c, pattern, tail, &rng, &seconds);

        segment = ending == ENDING_DONE ? segment + 1 : ending == ENDING_DISK ? 0 : segment;
    }
    return seconds;
}

struct cs_stats cs_pattern_simulate(const struct cs_pattern_costs *costs,
                                    const struct cs_pattern *pattern, uint64_t seed, int64_t runs)
{
    struct cs_stats stats = {0};

    for (int64_t run = 0; run < runs; run++)
        cs_stats_add(&stats, pattern_run(costs, pattern, seed, (uint64_t)run));
    return stats;
}

/* ---- layout ---- */

static struct cs_pattern_costs costs_on(const struct cs_pattern_task *task, int procs)
{
    const double memory = task->checkpoint / procs, disk = task->disk / procs;

    return (struct cs_pattern_costs){
        .verification = task->verification / procs,
        .memory = memory,
        .disk = disk,
        .downtime = task->downtime,
        .memory_recovery = memory,
        .disk_recovery = disk,
        .silent = procs / task->silent_mtbf,
        .fail_stop = procs / task->mtbf,
        .fatal = disk > 0 ? -expm1(-(task->downtime + memory) / task->mtbf) : 0,
    };
}

/* The seconds that a pattern adds to its work. */
static double pattern_added(const struct cs_pattern_costs *c, const struct cs_pattern *p)
{
    return p->segments * (p->chunks * c->verification + c->memory) + c->disk;
}

struct cs_pattern_layout cs_pattern_form(const struct cs_pattern_task *task, int procs)
{
    struct cs_pattern_layout layout = {.costs = costs_on(task, procs)};

    layout.pattern = cs_pattern_first_order(&layout.costs, NULL);
    layout.each = cs_pattern_expected(&layout.costs, &layout.pattern);
    return layout;
}

void cs_pattern_fill(struct cs_pattern_layout *layout, double seconds)
{
    const struct cs_pattern *p = &layout->pattern;
    const double whole = p->segments * (double)p->chunks * p->work;
    double left;

    layout->rest = (struct cs_pattern){0};
    layout->whole = floor(seconds / whole);
    left = fmax(0, seconds - layout->whole * whole);
    layout->fault_free = seconds + layout->whole * pattern_added(&layout->costs, p);
    if (!(left > 0))
        return;
    layout->rest = (struct cs_pattern){
        .segments = (int)fmin(p->segments, fmax(1, floor(left / (p->chunks * p->work) + 0.5))),
        .chunks = p->chunks,
    };
    layout->rest.work = left / layout->rest.segments / p->chunks;
    layout->fault_free += pattern_added(&layout->costs, &layout->rest);
}

struct cs_pattern_layout cs_pattern_lay_out(const struct cs_pattern_task *task, int procs,
                                            double seconds)
{
    struct cs_pattern_layout layout = cs_pattern_form(task, procs);

    cs_pattern_fill(&layout, seconds);
    return layout;
}

/* Whole patterns before a segment. */
static double patterns_before(const struct cs_pattern_layout *l, double segment)
{
    return fmin(floor(segment / l->pattern.segments), l->whole);
}

double cs_pattern_segments(const struct cs_pattern_layout *l)
{
    return l->whole * l->pattern.segments + l->rest.segments;
}

const struct cs_pattern *cs_pattern_of(const struct cs_pattern_layout *l, double segment)
{
    return segment < l->whole * l->pattern.segments ? &l->pattern : &l->rest;
}

double cs_pattern_disk(const struct cs_pattern_layout *l, double segment)
{
    return patterns_before(l, segment) * l->pattern.segments;
}

double cs_pattern_expected_from(const struct cs_pattern_layout *l, double segment)
{
    const double before = patterns_before(l, segment), in = segment - cs_pattern_disk(l, segment);
    double sum = before < l->whole ? (l->whole - before) * l->each : 0;

    if (in > 0 && before < l->whole)
        sum += expected_rest(&l->costs, &l->pattern, in) - l->each;
    if (l->rest.segments)
        sum += expected_rest(&l->costs, &l->rest, before < l->whole ? 0 : in);
    return sum;
}

double cs_pattern_layout_expected(const struct cs_pattern_layout *layout)
{
    return cs_pattern_expected_from(layout, 0);
}

/* ---- places in a layout ---- */

static double segment_work(const struct cs_pattern *p)
{
    return p->chunks * p->work;
}

/* Of a segment that is not the last of its pattern. */
static double segment_time(const struct cs_pattern_costs *c, const struct cs_pattern *p)
{
    return p->chunks * (p->work + c->verification) + c->memory;
}

double cs_pattern_work_before(const struct cs_pattern_layout *l, double segment)
{
    const double whole = fmin(segment, l->whole * l->pattern.segments);

    return whole * segment_work(&l->pattern) + (segment - whole) * segment_work(&l->rest);
}

double cs_pattern_time_before(const struct cs_pattern_layout *l, double segment)
{
    const double whole = fmin(segment, l->whole * l->pattern.segments);
    const double disks = patterns_before(l, segment) +
                         (l->rest.segments && segment >= cs_pattern_segments(l) ? 1 : 0);

    return whole * segment_time(&l->costs, &l->pattern) +
           (segment - whole) * segment_time(&l->costs, &l->rest) + disks * l->costs.disk;
}

struct cs_pattern_place cs_pattern_find(const struct cs_pattern_layout *l, double from,
                                        double seconds)
{
    const double at = cs_pattern_time_before(l, from) + seconds;
    const double whole = l->pattern.segments * segment_time(&l->costs, &l->pattern) + l->costs.disk;
    struct cs_pattern_place place = {.segment =
                                         fmin(floor(at / whole), l->whole) * l->pattern.segments};
    const struct cs_pattern *p = cs_pattern_of(l, place.segment);

    if (p->segments)
        place.segment += fmin(
            floor((at - cs_pattern_time_before(l, place.segment)) / segment_time(&l->costs, p)),
            p->segments - 1);
    place.segment = fmax(place.segment, from);
    place.rest = fmax(at - cs_pattern_time_before(l, place.segment), 0);
    if (p->segments)
        place.chunks = (int)fmin(floor(place.rest / (p->work + l->costs.verification)), p->chunks);
    place.rest -= place.chunks * (p->work + l->costs.verification);
    return place;
}

struct cs_pattern_place cs_pattern_find_work(const struct cs_pattern_layout *l, double from,
                                             double work)
{
    const double at = cs_pattern_work_before(l, from) + work, each = segment_work(&l->pattern);
    const double whole = l->whole * l->pattern.segments;
    struct cs_pattern_place place = {.segment = fmax(from, fmin(floor(at / each), whole))};
    const struct cs_pattern *p;

    if (place.segment >= whole && l->rest.segments)
        place.segment = fmax(from, whole + floor((at - whole * each) / segment_work(&l->rest)));
    if (!(place.segment < cs_pattern_segments(l)))
        return (struct cs_pattern_place){.segment = -1};
    p = cs_pattern_of(l, place.segment);
    place.chunks = (int)fmax(
        0, fmin(floor((at - cs_pattern_work_before(l, place.segment)) / p->work), p->chunks - 1));
    return place;
}
