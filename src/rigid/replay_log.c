/* replay_log.c - a job log in the order of its submit times. */
#include "rigid/replay_log.h"

#include "rigid/sets.h"

static double estimate_of(const struct cs_joblog_job *job, bool run_times,
                          struct cs_rigid_arrivals *count)
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

struct cs_rigid_arrivals *cs_rigid_arrivals_of_log(const struct cs_joblog *log, bool run_times,
                                                   struct cs_arena *arena)
{
    struct cs_rigid_arrivals *arrivals = CS_NEW(arena, struct cs_rigid_arrivals);
    int sets;
    const struct cs_rigid_set *all = cs_rigid_sets_by_count(log, 0, &sets, arena);

    arrivals->count = log->count;
    arrivals->job = CS_NEW_ARRAY(arena, struct cs_arrival, log->count);
    arrivals->index = CS_NEW_ARRAY(arena, int, log->count);
    for (int a = 0; a < log->count; a++) {
        const struct cs_joblog_job *job = &log->job[all->job[a]];

        arrivals->index[a] = all->job[a];
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

int cs_rigid_arrivals_next(void *source, struct cs_arrival *out, struct cs_error *err)
{
    struct cs_rigid_arrivals_at *at = source;

    (void)err;
    if (at->next == at->count)
        return 0;
    *out = at->job[at->next++];
    return 1;
}
