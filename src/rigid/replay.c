/* replay.c - the driver of operate.h on identical processors, and sums of what it says. */
#include "rigid/replay.h"

#include "rigid/measures.h"

#include <inttypes.h>
#include <math.h>

struct run {
    const struct cs_rigid_replay *replay;
    struct cs_rigid_replay_result result;
    double wait, slowdown; /* sums */
    int64_t waiting;
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
    if (!run->any)
        run->result.first_submit = run->result.last_end = run->job.submit;
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

static void arrived(void *who, const struct cs_rigid_story *story, double now)
{
    (void)story;
    (void)now;
    ((struct run *)who)->waiting++;
}

static void started(void *who, const struct cs_rigid_story *story, double now)
{
    (void)story;
    (void)now;
    ((struct run *)who)->waiting--;
}

static void tell(const struct run *run, const struct cs_rigid_story *story, bool done)
{
    const struct cs_job_row row = {
        .id = story->job.id,
        .attempt = story->attempt - 1,
        .success = done,
        .submit = story->since,
        .requested = story->job.request,
        .start = story->start,
        .finish = story->end,
        .procs = (int)story->job.procs,
        .shelf = story->shelf,
        .intervals = story->intervals,
        .set = story->set,
    };

    if (run->replay->watch)
        run->replay->watch(run->replay->who, &row);
}

static void count_job(struct run *run, const struct cs_rigid_story *story)
{
    struct cs_rigid_replay_result *result = &run->result;
    double seconds = story->job.seconds + run->replay->verification;
    double slowdown = fmax(1, (story->end - story->job.submit) / fmax(seconds, 10));
    double wait = story->end - story->job.submit - story->ran;

    run->wait += wait;
    result->max_wait = fmax(result->max_wait, wait);
    run->slowdown += slowdown;
    result->max_slowdown = fmax(result->max_slowdown, slowdown);
    result->last_end = fmax(result->last_end, story->end);
}

static void ended(void *who, const struct cs_rigid_story *story, double now, bool done)
{
    struct run *run = who;
    double area = (story->end - story->start) * (double)story->job.procs;

    (void)now;
    tell(run, story, done);
    run->result.busy += area;
    run->result.waste += done ? 0 : area;
    run->waiting += !done;
    if (done)
        count_job(run, story);
}

static void instant(void *who, double now)
{
    struct run *run = who;

    (void)now;
    if (run->waiting > run->result.largest_queue)
        run->result.largest_queue = run->waiting;
}

/* ---- all of it ---- */

static void sum_up(struct run *run, const struct cs_rigid_operated *operated)
{
    struct cs_rigid_replay_result *result = &run->result;

    result->jobs = operated->jobs;
    result->attempts = operated->attempts;
    result->failures = operated->failures;
    result->most_unfinished = operated->most_unfinished;
    result->memory = operated->memory;
    result->makespan = result->last_end - result->first_submit;
    if (result->jobs == 0)
        return;
    result->mean_wait = run->wait / (double)result->jobs;
    result->mean_slowdown = run->slowdown / (double)result->jobs;
    if (result->makespan > 0) {
        result->utilisation = result->busy / (run->replay->machine * result->makespan);
        result->throughput = (double)result->jobs / (result->makespan / 3600);
    }
}

/* A batch's priority goes by its name. */
static struct cs_rigid_urgency urgency_of(const struct cs_rigid_replay *replay)
{
    if (replay->urgency)
        return *replay->urgency;
    if (!replay->priority)
        return *cs_rigid_urgency_find("fcfs", NULL);
    return (struct cs_rigid_urgency){.name = replay->priority->name};
}

static void take_measures(struct cs_rigid_measures *measures, struct cs_rigid_replay_result *result)
{
    struct cs_rigid_measured m;

    cs_rigid_measures_finish(measures, &m);
    result->median_wait = m.median_wait;
    result->p95_wait = m.p95_wait;
    result->area_weighted_wait = m.area_weighted_wait;
    result->loss_of_capacity = m.loss_of_capacity;
}

static int operate(struct run *run, struct cs_arena *arena, struct cs_error *err)
{
    const struct cs_rigid_replay *replay = run->replay;
    const struct cs_rigid_urgency urgency = urgency_of(replay);
    const struct cs_rigid_window all = {0};
    struct cs_rigid_measures *measures = cs_rigid_measures_create(replay->machine, &all);
    const struct cs_rigid_observer observer[] = {
        {.arrived = arrived, .started = started, .ended = ended, .instant = instant, .who = run},
        cs_rigid_measures_observer(measures)};
    const struct cs_rigid_operation op = {
        .site = cs_site_of_processors(replay->machine, arena),
        .policy = replay->policy,
        .param = replay->param,
        .priority = &urgency,
        .draw = replay->draw,
        .overrun = CS_RIGID_EXTEND,
        .verification = replay->verification,
        .sets = replay->sets,
        .observers = replay->measure ? 2 : 1,
        .observer = observer,
    };
    struct cs_rigid_operated operated;
    int status = cs_rigid_operate(&op, next_job, run, &operated, err);

    if (!status) {
        sum_up(run, &operated);
        take_measures(measures, &run->result);
    }
    cs_rigid_measures_destroy(measures);
    return status;
}

int cs_rigid_replay_run(const struct cs_rigid_replay *replay, cs_arrival_next_f *next, void *source,
                        struct cs_rigid_replay_result *result, struct cs_error *err)
{
    const struct cs_rigid_jobs none = {0, replay->machine, replay->verification, NULL, NULL};
    struct run run = {.replay = replay, .next = next, .source = source};
    struct cs_arena *arena;
    int status;

    if (cs_rigid_jobs_check(&none, err))
        return -1;
    arena = cs_arena_create();
    status = operate(&run, arena, err);
    cs_arena_destroy(arena);
    if (status == 0)
        *result = run.result;
    return status;
}
