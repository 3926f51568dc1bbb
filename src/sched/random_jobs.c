/* random_jobs.c - synthetic jobs and failures from a counter-based generator.
 *
 * Source: spec/rigid.md 6; Benoit et al. 2021 (synthetic sets, silent errors).
 *
 * Idea: each random number is a hash of (seed, stream, set, scenario, job), so that any scenario
 * can be drawn alone, and all probabilities, machines and policies have the same draws.  The
 * failures of a job are geometric, by inversion: floor(log(u) / log(q)), q = 1 - exp(-lambda
 * area).
 *
 * Invariants:
 * - No state: the same arguments give the same draw, in any order and on any thread.
 * - log(q) is computed as log1p(-exp(-x)) for q >= 0.5, which keeps the digits near q = 1.
 * - A job with q = 1 in doubles, or with more than CS_SCHED_FAILURE_CAP failures, is an error and
 *   never cut off.
 *
 * Complexity: O(1) for each job and scenario.
 *
 * Constant                                 | found                      | at half, at double
 * procs 50 .. 2,000; seconds 100 .. 20,000 | spec/rigid.md 6, the paper | not measured
 * CS_SCHED_FAILURE_CAP: failures of a job  | spec/rigid.md 2: 10^7      | not measured
 */
#include "sched/random_jobs.h"

#include "base/guard.h"
#include "base/mix.h"

#include <math.h>

uint64_t cs_sched_mix(uint64_t seed, uint64_t stream, uint64_t set, uint64_t scenario, uint64_t job)
{
    return cs_mix(seed, stream, set, scenario, job);
}

double cs_sched_uniform(uint64_t hash)
{
    return cs_mix_uniform(hash);
}

static struct cs_sched_chance chance_of(double exposure)
{
    double q = exposure > 0 ? -expm1(-exposure) : 0;

    return (struct cs_sched_chance){q, q < 0.5 ? log(q) : log1p(-exp(-exposure))};
}

static inline double count_failures(struct cs_sched_chance chance, double uniform)
{
    return uniform > chance.fails ? 0 : floor(log(uniform) / chance.log_fails);
}

double cs_sched_geometric(double exposure, double uniform)
{
    struct cs_sched_chance chance = chance_of(exposure);

    return chance.fails < 1 ? count_failures(chance, uniform) : -1;
}

double cs_sched_rate(const struct cs_sched_jobs *jobs, double mean)
{
    return jobs->count ? -log1p(-mean) / cs_sched_mean_area(jobs) : 0;
}

static int random_jobs_refuse(const struct cs_sched_jobs *jobs, int job, double mean,
                              struct cs_error *err)
{
    return cs_error_set(err,
                        "job %d has %g times the mean area: at a mean failure probability "
                        "of %g it would fail more than %d times; lower the probability or "
                        "split the job",
                        job, jobs->seconds[job] * jobs->procs[job] / cs_sched_mean_area(jobs), mean,
                        CS_SCHED_FAILURE_CAP);
}

int cs_sched_chances(const struct cs_sched_jobs *jobs, double mean, struct cs_sched_chance *chance,
                     struct cs_error *err)
{
    double exposure = -log1p(-mean), area = cs_sched_mean_area(jobs);

    if (!(mean >= 0 && mean < 1))
        return cs_error_set(err, "the mean failure probability is %g, it must be from 0 to below 1",
                            mean);
    for (int j = 0; j < jobs->count; j++) {
        chance[j] = chance_of(exposure * (jobs->seconds[j] * jobs->procs[j] / area));
        if (chance[j].fails >= 1)
            return random_jobs_refuse(jobs, j, mean, err);
    }
    return 0;
}

int cs_sched_draw_with(const struct cs_sched_jobs *jobs, double mean,
                       const struct cs_sched_chance *chance, uint64_t seed, uint64_t set,
                       uint64_t scenario, int64_t *failures, struct cs_error *err)
{
    uint64_t h = cs_mix_scenario(seed, CS_SCHED_STREAM_FAILURES, set, scenario);

    for (int j = 0; j < jobs->count; j++) {
        double u = cs_mix_uniform(cs_mix_hash(h ^ (uint64_t)j));
        double count = count_failures(chance[j], u);

        if (count > CS_SCHED_FAILURE_CAP)
            return random_jobs_refuse(jobs, j, mean, err);
        failures[j] = (int64_t)count;
    }
    return 0;
}

int cs_sched_draw_failures(const struct cs_sched_jobs *jobs, double mean, uint64_t seed,
                           uint64_t set, uint64_t scenario, int64_t *failures, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_sched_chance *chance = CS_NEW_ARRAY(arena, struct cs_sched_chance, jobs->count);
    int status = cs_sched_chances(jobs, mean, chance, err);

    if (!status)
        status = cs_sched_draw_with(jobs, mean, chance, seed, set, scenario, failures, err);
    cs_arena_destroy(arena);
    return status;
}

void cs_sched_draw_jobs(uint64_t seed, uint64_t set, int count, double *seconds, int *procs)
{
    CS_ASK(seconds && procs, NULL, );
    for (int j = 0; j < count; j++) {
        uint64_t job = (uint64_t)j;
        double p = cs_sched_uniform(cs_sched_mix(seed, CS_SCHED_STREAM_PROCS, set, 0, job));
        double t = cs_sched_uniform(cs_sched_mix(seed, CS_SCHED_STREAM_SECONDS, set, 0, job));

        procs[j] = 50 + (int)(p * 1951);
        seconds[j] = 100 + t * 19900;
    }
}
