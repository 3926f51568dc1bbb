/* rate.c - the error rate lambda from attempts that have ended, by Newton's method (rate.h).
 *
 * Source: spec/rigid.md II 2 ("learnt"), beyond the paper; the model of failures is spec/rigid.md
 * 6, the priority `lert-learnt`.
 *
 * Idea: the most probable log(lambda) under a Gamma prior solves score(lambda) = 0 (rate.h).
 * Newton starts from the last estimate and is kept at or above k / (k / prior + S), where the
 * score is not negative, as each failed attempt adds a positive term.
 *
 * Invariants: the score falls and is convex, so the iterations approach its only root; areas are
 * in mean areas, so that no sum overflows; x / (exp(x) - 1) is 1 and its slope -1/2 at x = 0.
 *
 * Complexity: O(jobs that failed) for each step.
 *
 * Constant                                      | found        | at half, at double
 * CS_SCHED_RATE_PRIOR: 0.35, lambda x mean area | rigid II 2   | not measured
 * WEIGHT: 1 attempt, weight of the prior        | rate.h       | not measured
 * STEPS: 100 Newton steps at most               | not recorded | not measured
 * CLOSE: 1e-12, relative change at the end      | not recorded | not measured
 *
 * Measured (spec/rigid.md II 2, q = 0.3, P = 10,000): R-LIST-1 with lambda learnt is 0.0109 below
 * R-LIST-0 with LA in normalised makespan, with lambda given 0.0115.
 */
#include "sched/rate.h"

#include <math.h>

#define WEIGHT 1.0 /* k of the prior */
#define STEPS 100
#define CLOSE 1e-12

/* Areas as multiples of their mean; times are scaled by the longest first. */
static void measure_areas(const struct cs_sched_jobs *jobs, double *area)
{
    double longest = 0, sum = 0;

    for (int j = 0; j < jobs->count; j++)
        longest = fmax(longest, jobs->seconds[j]);
    for (int j = 0; j < jobs->count; j++) {
        area[j] = jobs->seconds[j] / longest * jobs->procs[j];
        sum += area[j];
    }
    for (int j = 0; j < jobs->count; j++)
        area[j] *= jobs->count / sum;
}

void cs_sched_rate_init(struct cs_sched_rate *rate, const struct cs_sched_jobs *jobs,
                        struct cs_arena *arena)
{
    *rate = (struct cs_sched_rate){
        .count = jobs->count,
        .area = CS_NEW_ARRAY(arena, double, jobs->count),
        .job = CS_NEW_ARRAY(arena, int, jobs->count),
        .failures = CS_NEW_ARRAY(arena, int64_t, jobs->count),
    };
    measure_areas(jobs, rate->area);
    cs_sched_rate_begin(rate);
}

void cs_sched_rate_begin(struct cs_sched_rate *rate)
{
    rate->succeeded = 0;
    rate->failed = 0;
    rate->estimate = CS_SCHED_RATE_PRIOR;
    for (int j = 0; j < rate->count; j++)
        rate->failures[j] = 0;
}

void cs_sched_rate_succeeded(struct cs_sched_rate *rate, int job)
{
    rate->succeeded += rate->area[job];
}

void cs_sched_rate_failed(struct cs_sched_rate *rate, int job)
{
    if (rate->failures[job]++ == 0)
        rate->job[rate->failed++] = job;
}

/* The left side of the equation; *slope is its derivative. */
static double rate_score(const struct cs_sched_rate *rate, double lambda, double *slope)
{
    double successes = WEIGHT / CS_SCHED_RATE_PRIOR + rate->succeeded;
    double value = WEIGHT - successes * lambda;

    *slope = -successes;
    for (int f = 0; f < rate->failed; f++) {
        double area = rate->area[rate->job[f]], times = (double)rate->failures[rate->job[f]];
        double x = lambda * area, grown = expm1(x), part = x > 0 ? x / grown : 1;

        value += times * part;
        *slope += times * area * (x > 0 ? (1 - part) / grown - part : -0.5);
    }
    return value;
}

double cs_sched_rate_estimate(struct cs_sched_rate *rate)
{
    double least = WEIGHT / (WEIGHT / CS_SCHED_RATE_PRIOR + rate->succeeded);
    double lambda = rate->estimate;

    for (int step = 0; step < STEPS; step++) {
        double before = lambda, slope, value = rate_score(rate, lambda, &slope);

        lambda = fmax(least, lambda - value / slope);
        if (fabs(lambda - before) <= CLOSE * lambda)
            break;
    }
    return rate->estimate = lambda;
}
