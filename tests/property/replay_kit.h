/* replay_kit.h - the driver of the problem queue (simulate.h) for lists of jobs on one pool of
 * processors, as tests write them. */
#ifndef CS_TEST_REPLAY_KIT_H
#define CS_TEST_REPLAY_KIT_H

#include "base/plain.h"
#include "model/arrival.h"
#include "problems/queue/sums.h"
#include "sched/urgency.h"

#include <inttypes.h>
#include <math.h>

/* An attempt that has ended.  Rows come in the order of their ends. */
typedef void replay_watch_f(void *who, const struct cs_job_row *row);

struct replay {
    int machine;         /* processors */
    double verification; /* seconds added to each attempt */
    const struct cs_sched_policy *policy;
    const double *param;                      /* of the policy, as in cs_policy_call */
    const struct cs_sched_priority *priority; /* of the estimates; NULL: fcfs, submit then id */
    const struct cs_sched_urgency *urgency;   /* one of a site instead; or NULL */
    struct cs_sched_draw draw;                /* what the priority depends on */
    bool measure;                             /* the last of the figures below too */
    bool sets;                                /* give every attempt the lowest free processors */
    replay_watch_f *watch;                    /* or NULL */
    void *who;
};

struct replay_state {
    const struct replay *replay;
    struct cs_queue_totals result;
    cs_arrival_next_f *next;
    void *source;
    bool any; /* an arrival came at all; the last one: */
    struct cs_arrival job;
};

/* ---- what arrives ---- */

static inline int check_arrival(const struct cs_arrival *job, int machine, struct cs_error *err)
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
static inline int check_order(int64_t id, double submit, const struct cs_arrival *job,
                              struct cs_error *err)
{
    if (job->submit > submit || (job->submit == submit && job->id >= id))
        return 0;
    return cs_error_set(err,
                        "job %" PRId64 ", submitted at %.15g s, comes after job %" PRId64
                        ", submitted at %.15g s: jobs must come by submit time, then id",
                        job->id, job->submit, id, submit);
}

static inline int next_job(void *who, struct cs_log_job *out, struct cs_error *err)
{
    struct replay_state *run = who;
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

static inline void replay_ended(void *who, const struct cs_queue_history *history, double now,
                                bool done)
{
    const struct replay_state *run = who;
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
static inline struct cs_sched_urgency urgency_of(const struct replay *replay)
{
    if (replay->urgency)
        return *replay->urgency;
    if (!replay->priority)
        return *cs_sched_urgency_find("fcfs", NULL);
    return (struct cs_sched_urgency){.name = replay->priority->name};
}

static inline int replay_operate(struct replay_state *run, struct cs_arena *arena,
                                 struct cs_error *err)
{
    const struct replay *replay = run->replay;
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
    struct cs_queue_simulated operated;
    struct cs_queue_measured measured;
    int status;

    if (replay->watch)
        observer[observers++] = (struct cs_queue_observer){.ended = replay_ended, .who = run};
    if (replay->measure)
        observer[observers++] = cs_queue_measures_observer(measures);
    op.observers = observers;
    status = cs_queue_simulate(&op, next_job, run, &operated, err);
    if (!status) {
        cs_queue_measures_finish(measures, &measured);
        cs_queue_sums_finish(&sums, &operated, &measured, &run->result);
    }
    cs_queue_measures_destroy(measures);
    return status;
}

static inline int replay_run(const struct replay *replay, cs_arrival_next_f *next, void *source,
                             struct cs_queue_totals *result, struct cs_error *err)
{
    const struct cs_sched_jobs none = {0, replay->machine, replay->verification, NULL, NULL};
    struct replay_state run = {.replay = replay, .next = next, .source = source};
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
struct replay_source {
    const struct cs_arrival *job;
    const int64_t *failures;
    int count, next;
};

/* The number of a job is its place. */
static inline int replay_schedule_next(void *from, struct cs_arrival *out, struct cs_error *err)
{
    struct replay_source *source = from;
    int j = source->next;

    (void)err;
    if (j == source->count)
        return 0;
    *out = source->job[j];
    out->id = j;
    out->submit -= source->job[0].submit;
    out->failures = source->failures[j];
    source->next++;
    return 1;
}

static inline void add_bar(void *schedule, const struct cs_job_row *row)
{
    cs_schedule_add(schedule,
                    &(struct cs_bar){
                        .kind = row->success ? CS_BAR_WORK : CS_BAR_LOST,
                        .task = (int)row->id,
                        .attempt = row->attempt + 1,
                        .group = row->shelf,
                        .start = row->start,
                        .end = row->finish,
                        .intervals = row->intervals,
                        .procs = row->set,
                    },
                    NULL);
}

static inline struct cs_schedule *replay_schedule(const struct replay *replay,
                                                  const struct cs_arrival *job, int count,
                                                  const int64_t *failures, const char *const *name,
                                                  struct cs_error *err)
{
    struct cs_schedule *schedule = cs_schedule_create("rigid", replay->machine, count, name);
    struct replay_source source = {.job = job, .failures = failures, .count = count};
    struct replay watched = *replay;
    struct cs_queue_totals result;

    watched.sets = true;
    watched.watch = add_bar;
    watched.who = schedule;
    if (replay_run(&watched, replay_schedule_next, &source, &result, err) == 0)
        return schedule;
    cs_schedule_destroy(schedule);
    return NULL;
}
/* "fcfs", a priority of batches or one of sites. */
static inline int replay_priority_find(const char *name, struct replay *variant)
{
    struct cs_error none = {0};

    variant->urgency = NULL;
    variant->priority = NULL;
    if (!cs_plain_compare(name, "fcfs"))
        return 0;
    variant->priority = cs_sched_priority_find(name, &none);
    if (!variant->priority)
        variant->urgency = cs_sched_urgency_find(name, &none);
    return variant->priority || variant->urgency ? 0 : -1;
}

struct replay_at {
    const struct cs_arrival *job;
    int count, next;
    const int64_t *failures; /* of each, instead of those of the job; or NULL */
};

static inline int replay_next(void *source, struct cs_arrival *out, struct cs_error *err)
{
    struct replay_at *at = source;

    (void)err;
    if (at->next == at->count)
        return 0;
    *out = at->job[at->next];
    if (at->failures)
        out->failures = at->failures[at->next];
    at->next++;
    return 1;
}

#endif
