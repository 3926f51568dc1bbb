/* draw.c - section 6 of the rigid specification. */
#include "rigid/draw.h"

#include <math.h>

uint64_t cs_rigid_splitmix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

uint64_t cs_rigid_mix(uint64_t seed, uint64_t stream, uint64_t set, uint64_t scenario, uint64_t job)
{
    uint64_t h = cs_rigid_splitmix(seed);

    h = cs_rigid_splitmix(h ^ stream);
    h = cs_rigid_splitmix(h ^ set);
    h = cs_rigid_splitmix(h ^ scenario);
    return cs_rigid_splitmix(h ^ job);
}

double cs_rigid_uniform(uint64_t hash)
{
    return ((double)(hash >> 11) + 0.5) * 0x1p-53;
}

double cs_rigid_geometric(double exposure, double uniform)
{
    double q = -expm1(-exposure);

    if (exposure <= 0)
        return 0;
    if (q >= 1)
        return -1;
    if (uniform > q)
        return 0;
    return floor(log(uniform) / (q < 0.5 ? log(q) : log1p(-exp(-exposure))));
}

double cs_rigid_rate(const struct cs_rigid_jobs *jobs, double mean)
{
    return jobs->count ? -log1p(-mean) / cs_rigid_mean_area(jobs) : 0;
}

int cs_rigid_draw_failures(const struct cs_rigid_jobs *jobs, double mean, uint64_t seed,
                           uint64_t set, uint64_t scenario, int64_t *failures, struct cs_error *err)
{
    double exposure = -log1p(-mean), area = cs_rigid_mean_area(jobs);

    if (!(mean >= 0 && mean < 1))
        return cs_error_set(err, "the mean failure probability is %g, it must be from 0 to below 1",
                            mean);
    for (int j = 0; j < jobs->count; j++) {
        double x = exposure * (jobs->seconds[j] * jobs->procs[j] / area);
        double u = cs_rigid_uniform(
            cs_rigid_mix(seed, CS_RIGID_STREAM_FAILURES, set, scenario, (uint64_t)j));
        double count = cs_rigid_geometric(x, u);

        if (count < 0 || count > CS_RIGID_FAILURE_CAP)
            return cs_error_set(err,
                                "job %d has %g times the mean area: at a mean failure probability "
                                "of %g it would fail more than %d times; lower the probability or "
                                "split the job",
                                j, jobs->seconds[j] * jobs->procs[j] / area, mean,
                                CS_RIGID_FAILURE_CAP);
        failures[j] = (int64_t)count;
    }
    return 0;
}

void cs_rigid_draw_jobs(uint64_t seed, uint64_t set, int count, double *seconds, int *procs)
{
    for (int j = 0; j < count; j++) {
        uint64_t job = (uint64_t)j;
        double p = cs_rigid_uniform(cs_rigid_mix(seed, CS_RIGID_STREAM_PROCS, set, 0, job));
        double t = cs_rigid_uniform(cs_rigid_mix(seed, CS_RIGID_STREAM_SECONDS, set, 0, job));

        procs[j] = 50 + (int)(p * 1951);
        seconds[j] = 100 + t * 19900;
    }
}
