/* draw.c - noise on times, and silent errors.
 *
 * Source: spec/moldable.md 7.1 (noise) and 8.1 (failures).
 * Idea: one log-normal factor of mean 1 for each task, by Box and Muller's formula, the same for
 * every count; the number of failures is geometric, by inversion of one uniform number.
 * Invariants: a number depends on (seed, stream, set, scenario, task) alone, not on the order of
 * the draws; failures depend on least work, not on the counts that a plan uses.
 * Complexity: O(tasks) a scenario.  More than CS_MOLDABLE_FAILURES_MOST failures of one task are
 * an error.
 */
#include "problems/moldable/draw.h"

#include "base/guard.h"
#include "base/mix.h"
#include "problems/moldable/instance.h"

#include <math.h>

double cs_moldable_noise(double sigma, uint64_t seed, uint64_t set, uint64_t scenario,
                         uint64_t task)
{
    double u, v, z;

    if (sigma == 0)
        return 1;
    u = cs_mix_uniform(cs_mix(seed, CS_MOLDABLE_STREAM_NOISE, set, scenario, task));
    v = cs_mix_uniform(cs_mix(seed, CS_MOLDABLE_STREAM_NOISE + 1, set, scenario, task));
    z = sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
    return exp(sigma * z - sigma * sigma / 2);
}

static double mean_area(const struct cs_moldable_bag *bag)
{
    double sum = 0;

    for (int i = 0; i < bag->tasks; i++)
        sum += cs_moldable_least_work(bag, i);
    return sum / bag->tasks;
}

void cs_moldable_expected(const struct cs_moldable_bag *bag, double qbar, double *attempts)
{
    double mean = mean_area(bag);

    for (int i = 0; i < bag->tasks; i++)
        attempts[i] = exp(-log1p(-qbar) * cs_moldable_least_work(bag, i) / mean);
}

/* Geometric: an attempt fails with probability 1 - exp(-exposure). */
static double count_failures(double exposure, double uniform)
{
    double q = exposure > 0 ? -expm1(-exposure) : 0;

    if (uniform > q)
        return 0;
    return floor(log(uniform) / (q < 0.5 ? log(q) : log1p(-exp(-exposure))));
}

/* failures[i] of every task.  -1 with err when one would fail too often. */
static int draw_failures(const struct cs_moldable_bag *bag, double qbar, uint64_t seed,
                         uint64_t set, uint64_t scenario, int *failures, struct cs_error *err)
{
    double mean = mean_area(bag);

    for (int i = 0; i < bag->tasks; i++) {
        double exposure = -log1p(-qbar) * (cs_moldable_least_work(bag, i) / mean);
        double count = count_failures(
            exposure,
            cs_mix_uniform(cs_mix(seed, CS_MOLDABLE_STREAM_FAILURES, set, scenario, (uint64_t)i)));

        if (!(count <= CS_MOLDABLE_FAILURES_MOST))
            return cs_error_set(err,
                                "task %d has %g times the mean work: at a mean failure probability "
                                "of %g it would fail more than %d times; lower the probability or "
                                "split the task",
                                i, cs_moldable_least_work(bag, i) / mean, qbar,
                                CS_MOLDABLE_FAILURES_MOST);
        failures[i] = (int)count;
    }
    return 0;
}

int cs_moldable_world_check(const struct cs_moldable_world *world, struct cs_error *err)
{
    CS_ASK(world, err, -1);
    CS_GUARD(err, -1);
    if (!(world->sigma >= 0 && isfinite(world->sigma)))
        return cs_error_set(err, "sigma is %g, it must be a number from 0 on", world->sigma);
    if (!(world->qbar >= 0 && world->qbar < 1))
        return cs_error_set(err, "qbar is %g, it must be from 0 to below 1", world->qbar);
    return 0;
}

int cs_moldable_world_draw(const struct cs_moldable_instance *in,
                           const struct cs_moldable_world *world, uint64_t scenario, double *factor,
                           int *failures, struct cs_error *err)
{
    CS_ASK(in && world && factor && failures, err, -1);
    CS_GUARD(err, -1);
    for (int i = 0; i < in->bag.tasks; i++)
        factor[i] = cs_moldable_noise(world->sigma, world->seed, world->set, scenario, (uint64_t)i);
    return draw_failures(&in->bag, world->qbar, world->seed, world->set, scenario, failures, err);
}
