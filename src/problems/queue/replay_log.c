/* replay_log.c - a job log in the order of its submit times. */
#include "problems/queue/replay_log.h"

#include <math.h>

static double estimate_of(const struct cs_joblog_job *job, bool run_times,
                          struct cs_queue_arrivals *count)
{
    if (run_times)
        return job->seconds;
    if (!(job->requested > 0)) {
        count->unknown++;
        return job->seconds;
    }
    if (job->requested < job->seconds) {
        count->exceeded++;
        return job->seconds;
    }
    count->requested++;
    return job->requested;
}

struct cs_queue_arrivals *cs_queue_arrivals_of_set(const struct cs_joblog *log,
                                                   const struct cs_sched_set *set, bool run_times,
                                                   struct cs_arena *arena)
{
    struct cs_queue_arrivals *arrivals = CS_NEW(arena, struct cs_queue_arrivals);

    arrivals->count = set->count;
    arrivals->job = CS_NEW_ARRAY(arena, struct cs_arrival, set->count);
    arrivals->index = CS_NEW_ARRAY(arena, int, set->count);
    for (int a = 0; a < set->count; a++) {
        const struct cs_joblog_job *job = &log->job[set->job[a]];

        arrivals->index[a] = set->job[a];
        arrivals->job[a] = (struct cs_arrival){
            .id = job->id,
            .submit = job->submit,
            .seconds = job->seconds,
            .estimate = estimate_of(job, run_times, arrivals),
            .procs = job->procs,
        };
    }
    return arrivals;
}

struct cs_queue_arrivals *cs_queue_arrivals_of_log(const struct cs_joblog *log, bool run_times,
                                                   struct cs_arena *arena)
{
    const struct cs_sched_set none = {.count = 0};
    int sets;
    const struct cs_sched_set *all = cs_sched_sets_by_count(log, 0, &sets, arena);

    return cs_queue_arrivals_of_set(log, sets ? all : &none, run_times, arena);
}

int cs_queue_arrivals_next(void *source, struct cs_arrival *out, struct cs_error *err)
{
    struct cs_queue_arrivals_at *at = source;

    (void)err;
    if (at->next == at->count)
        return 0;
    *out = at->job[at->next];
    if (at->failures)
        out->failures = at->failures[at->next];
    at->next++;
    return 1;
}

double cs_queue_arrivals_bound(const struct cs_arrival *job, int count, const int64_t *failures,
                               int machine, double verification)
{
    double area = 0, bound = 0;

    for (int j = count - 1; j >= 0; j--) {
        int64_t failed = failures ? failures[j] : job[j].failures;
        double chain = (double)(failed + 1) * (job[j].seconds + verification);
        double since = job[j].submit - job[0].submit;

        area += chain * job[j].procs;
        bound = fmax(bound, fmax(since + chain, since + area / machine));
    }
    return bound;
}
