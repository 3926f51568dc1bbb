/* instance.c - rigid jobs: checks and rank order.
 *
 * Source: spec/rigid.md 1 and 2 (bad inputs).
 *
 * Invariants: arrays of an instance are by rank, job[rank] is the index in the input.
 *
 * Complexity: O(n).
 *
 * Constant                           | found                                   | at half, at double
 * AREA_MOST: 1e290 processor seconds | keeps makespans of 10^7 failures finite | not measured
 */
#include "sched/instance.h"

#include "base/guard.h"

#include <math.h>

#define AREA_MOST 1e290

/* Makespans must be numbers, also when jobs run a million times. */
static int check_sum(const struct cs_sched_jobs *jobs, struct cs_error *err)
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

int cs_sched_jobs_check(const struct cs_sched_jobs *jobs, struct cs_error *err)
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

double cs_sched_mean_area(const struct cs_sched_jobs *jobs)
{
    CS_ASK(jobs, NULL, NAN);
    double sum = 0;

    for (int j = 0; j < jobs->count; j++)
        sum += jobs->seconds[j] * jobs->procs[j];
    return jobs->count ? sum / jobs->count : 0;
}

struct cs_sched_instance *cs_sched_instance_create(const struct cs_sched_jobs *jobs,
                                                   const int *order, struct cs_arena *arena)
{
    struct cs_sched_instance *in = CS_NEW(arena, struct cs_sched_instance);
    double *seconds = CS_NEW_ARRAY(arena, double, jobs->count);
    int *procs = CS_NEW_ARRAY(arena, int, jobs->count);
    int *job = CS_NEW_ARRAY(arena, int, jobs->count);

    for (int k = 0; k < jobs->count; k++) {
        job[k] = order[k];
        seconds[k] = jobs->seconds[order[k]];
        procs[k] = jobs->procs[order[k]];
    }
    *in = (struct cs_sched_instance){
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

void cs_sched_hold_amounts(const struct cs_site *site, const struct cs_sched_request *request,
                           const struct cs_sched_hold *hold, int h, int64_t *amount)
{
    for (int r = 0; r < site->resources; r++)
        amount[r] = request->any ? hold->amount[h * site->resources + r]
                                 : hold->taken[h].units * request->demand[r];
}

void cs_sched_usage_add(const struct cs_sched_instance *in, int ticket, int attempts)
{
    int user = in->usage ? in->request[ticket].user : -1;

    if (user < 0)
        return;
    in->usage->jobs[user] += attempts;
    in->usage->procs[user] += attempts * in->request[ticket].procs;
}
