/* replay.c - replay of a list of arrivals: the driver of operate.c on one pool of identical
 * processors, under a priority of batches.
 *
 * Source: spec/replay.md 4 and 7.5; spec/rigid.md II 6 (arrivals over time).
 *
 * Invariants: arrivals come by submit time, then id (checked); the estimate of a job is its
 * request; no job has a user, an account or a quality of service, so no limit or fair share
 * applies.
 *
 * Complexity: that of operate.c.
 */
#include "problems/queue/replay.h"

#include "problems/queue/sums.h"

#include <inttypes.h>
#include <math.h>

struct run {
    const struct cs_queue_replay *replay;
    struct cs_queue_replay_result result;
    cs_arrival_next_f *next;
    void *source;
    bool any; /* an arrival came at all; the last one: */
    struct cs_arrival job;
};

/* ---- what arrives ---- */

static int check_arrival(const struct cs_arrival *job, int machine, struct cs_error *err)
{
    if (!isfinite(job->submit))
        return cs_error_set(err, "job %" PRId64 ": its submit time is %g, it must be a number",
                            job->id, job->submit);
    if (!(job->seconds > 0 && isfinite(job->seconds)))
        return cs_error_set(err, "job %" PRId64 ": its time is %g s, it must be a positive number",
                            job->id, job->seconds);
    if (!(job->estimate > 0 && isfinite(job->estimate)))
        return cs_error_set(err,
                            "job %" PRId64 ": its estimate is %g s, it must be a positive number",
                            job->id, job->estimate);
    if (job->procs < 1 || job->procs > machine)
        return cs_error_set(err,
                            "job %" PRId64 ": it wants %d processors, it must be 1 to the %d of "
                            "the machine",
                            job->id, job->procs, machine);
    if (job->failures < 0)
        return cs_error_set(err,
                            "job %" PRId64 ": it fails %" PRId64 " times, it must be 0 or more",
                            job->id, job->failures);
    return 0;
}

/* After a job with this number and submit time. */
static int check_order(int64_t id, double submit, const struct cs_arrival *job,
                       struct cs_error *err)
{
    if (job->submit > submit || (job->submit == submit && job->id >= id))
        return 0;
    return cs_error_set(err,
                        "job %" PRId64 ", submitted at %.15g s, comes after job %" PRId64
                        ", submitted at %.15g s: jobs must come by submit time, then id",
                        job->id, job->submit, id, submit);
}

static int next_job(void *who, struct cs_log_job *out, struct cs_error *err)
{
    struct run *run = who;
    const double submit = run->job.submit;
    const int64_t id = run->job.id;
    int status = run->next(run->source, &run->job, err);

    if (status <= 0)
        return status;
    if (check_arrival(&run->job, run->replay->machine, err) ||
        (run->any && check_order(id, submit, &run->job, err)))
        return -1;
    run->any = true;
    *out = (struct cs_log_job){
        .id = run->job.id,
        .submit = run->job.submit,
        .seconds = run->job.seconds,
        .request = run->job.estimate,
        .recorded = NAN,
        .procs = run->job.procs,
        .units = run->job.procs,
        .demand = {1},
        .user = -1,
        .account = -1,
        .qos = -1,
        .failures = run->job.failures,
    };
    return 1;
}

/* ---- what happens ---- */

static void replay_ended(void *who, const struct cs_queue_history *history, double now, bool done)
{
    const struct run *run = who;
    const struct cs_job_row row = {
        .id = history->job.id,
        .attempt = history->attempt - 1,
        .success = done,
        .submit = history->since,
        .requested = history->job.request,
        .start = history->start,
        .finish = history->end,
        .procs = (int)history->job.procs,
        .shelf = history->shelf,
        .intervals = history->intervals,
        .set = history->set,
    };

    (void)now;
    run->replay->watch(run->replay->who, &row);
}

/* ---- all of it ---- */

/* A batch's priority goes by its name. */
static struct cs_sched_urgency urgency_of(const struct cs_queue_replay *replay)
{
    if (replay->urgency)
        return *replay->urgency;
    if (!replay->priority)
        return *cs_sched_urgency_find("fcfs", NULL);
    return (struct cs_sched_urgency){.name = replay->priority->name};
}

static int replay_operate(struct run *run, struct cs_arena *arena, struct cs_error *err)
{
    const struct cs_queue_replay *replay = run->replay;
    const struct cs_sched_urgency urgency = urgency_of(replay);
    const struct cs_queue_window all = {0};
    struct cs_queue_measures *measures = cs_queue_measures_create(replay->machine, &all);
    struct cs_queue_sums sums = {.machine = replay->machine, .verification = replay->verification};
    struct cs_queue_observer observer[3] = {cs_queue_sums_observer(&sums)};
    int observers = 1;
    struct cs_queue_operation op = {
        .site = cs_site_of_processors(replay->machine, arena),
        .policy = replay->policy,
        .param = replay->param,
        .priority = &urgency,
        .draw = replay->draw,
        .overrun = CS_QUEUE_EXTEND,
        .verification = replay->verification,
        .sets = replay->sets,
        .observer = observer,
    };
    struct cs_queue_operated operated;
    struct cs_queue_measured measured;
    int status;

    if (replay->watch)
        observer[observers++] = (struct cs_queue_observer){.ended = replay_ended, .who = run};
    if (replay->measure)
        observer[observers++] = cs_queue_measures_observer(measures);
    op.observers = observers;
    status = cs_queue_operate(&op, next_job, run, &operated, err);
    if (!status) {
        cs_queue_measures_finish(measures, &measured);
        cs_queue_sums_finish(&sums, &operated, &measured, &run->result);
    }
    cs_queue_measures_destroy(measures);
    return status;
}

int cs_queue_replay_run(const struct cs_queue_replay *replay, cs_arrival_next_f *next, void *source,
                        struct cs_queue_replay_result *result, struct cs_error *err)
{
    const struct cs_sched_jobs none = {0, replay->machine, replay->verification, NULL, NULL};
    struct run run = {.replay = replay, .next = next, .source = source};
    struct cs_arena *arena;
    int status;

    if (cs_sched_jobs_check(&none, err))
        return -1;
    arena = cs_arena_create();
    status = replay_operate(&run, arena, err);
    cs_arena_destroy(arena);
    if (status == 0)
        *result = run.result;
    return status;
}
