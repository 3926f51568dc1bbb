/* instance.c - rigid jobs: checks, rank order, and the lower bound L(f).
 *
 * Source: spec/rigid.md 1, 2 (bad inputs) and 7: L(f) = max(max T_j, sum T_j p_j / P) with T_j =
 * (f_j + 1)(t_j + v).
 *
 * Invariants: arrays of an instance are by rank, job[rank] is the index in the input; the sums of
 * L(f) are in the order of the input, so that no priority changes their rounding.
 *
 * Complexity: O(n).
 *
 * Constant                           | found                                   | at half, at double
 * AREA_MOST: 1e290 processor seconds | keeps makespans of 10^7 failures finite | not measured
 */
#include "problems/rigid/instance.h"

#include "base/guard.h"

#include <math.h>

#define AREA_MOST 1e290

/* Makespans must be numbers, also when jobs run a million times. */
static int check_sum(const struct cs_rigid_jobs *jobs, struct cs_error *err)
{
    double sum = 0;

    for (int j = 0; j < jobs->count; j++)
        sum += (jobs->seconds[j] + jobs->verification) * jobs->procs[j];
    return sum <= AREA_MOST
               ? 0
               : cs_error_set(
                     err,
                     "the jobs take %.3g processor seconds, which must be at most %.0e: are "
                     "their times in seconds?",
                     sum, AREA_MOST);
}

int cs_rigid_jobs_check(const struct cs_rigid_jobs *jobs, struct cs_error *err)
{
    CS_ASK(jobs && jobs->count >= 0 && (!jobs->count || (jobs->seconds && jobs->procs)), err, -1);
    CS_GUARD(err, -1);
    if (jobs->machine < 1)
        return cs_error_set(err, "the number of processors is %d, it must be at least 1",
                            jobs->machine);
    if (!(jobs->verification >= 0 && isfinite(jobs->verification)))
        return cs_error_set(err, "the verification time is %g s, it must be a number from 0 on",
                            jobs->verification);
    for (int j = 0; j < jobs->count; j++) {
        if (!(jobs->seconds[j] > 0 && isfinite(jobs->seconds[j])))
            return cs_error_set(err, "job %d: its time is %g s, it must be a positive number", j,
                                jobs->seconds[j]);
        if (jobs->procs[j] < 1)
            return cs_error_set(err, "job %d: it wants %d processors, it must be at least 1", j,
                                jobs->procs[j]);
        if (jobs->procs[j] > jobs->machine)
            return cs_error_set(err,
                                "job %d: it wants %d processors, the machine has %d: it could "
                                "never run",
                                j, jobs->procs[j], jobs->machine);
    }
    return check_sum(jobs, err);
}

double cs_rigid_mean_area(const struct cs_rigid_jobs *jobs)
{
    CS_ASK(jobs, NULL, NAN);
    double sum = 0;

    for (int j = 0; j < jobs->count; j++)
        sum += jobs->seconds[j] * jobs->procs[j];
    return jobs->count ? sum / jobs->count : 0;
}

struct cs_rigid_instance *cs_rigid_instance_create(const struct cs_rigid_jobs *jobs,
                                                   const int *order, struct cs_arena *arena)
{
    struct cs_rigid_instance *in = CS_NEW(arena, struct cs_rigid_instance);
    double *seconds = CS_NEW_ARRAY(arena, double, jobs->count);
    int *procs = CS_NEW_ARRAY(arena, int, jobs->count);
    int *job = CS_NEW_ARRAY(arena, int, jobs->count);

    for (int k = 0; k < jobs->count; k++) {
        job[k] = order[k];
        seconds[k] = jobs->seconds[order[k]];
        procs[k] = jobs->procs[order[k]];
    }
    *in = (struct cs_rigid_instance){
        .jobs = jobs,
        .count = jobs->count,
        .machine = jobs->machine,
        .verification = jobs->verification,
        .job = job,
        .seconds = seconds,
        .procs = procs,
    };
    return in;
}

double cs_rigid_lower_bound(const struct cs_rigid_jobs *jobs, const int64_t *failures,
                            bool without_verification)
{
    CS_ASK(jobs && failures && !cs_rigid_jobs_check(jobs, NULL), NULL, NAN);
    return cs_rigid_bound_of(jobs, failures, without_verification ? 0 : jobs->verification);
}

double cs_rigid_bound_of(const struct cs_rigid_jobs *jobs, const int64_t *failures,
                         double verification)
{
    double longest = 0, area = 0;

    for (int j = 0; j < jobs->count; j++) {
        double chain = (double)(failures[j] + 1) * (jobs->seconds[j] + verification);

        longest = fmax(longest, chain);
        area += chain * jobs->procs[j];
    }
    return fmax(longest, area / jobs->machine);
}

void cs_rigid_hold_amounts(const struct cs_site *site, const struct cs_rigid_request *request,
                           const struct cs_rigid_hold *hold, int h, int64_t *amount)
{
    for (int r = 0; r < site->resources; r++)
        amount[r] = request->any ? hold->amount[h * site->resources + r]
                                 : hold->taken[h].units * request->demand[r];
}

void cs_rigid_usage_add(const struct cs_rigid_instance *in, int ticket, int attempts)
{
    int user = in->usage ? in->request[ticket].user : -1;

    if (user < 0)
        return;
    in->usage->jobs[user] += attempts;
    in->usage->procs[user] += attempts * in->request[ticket].procs;
}
