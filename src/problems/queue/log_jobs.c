/* log_jobs.c - jobs in the order in which they are done. */
#include "problems/queue/log_jobs.h"

#include "base/vector.h"
#include "model/procset.h"
#include "problems/queue/measures.h"

#include <math.h>

struct cs_queue_log_jobs *cs_queue_log_jobs_create(void)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_queue_log_jobs *jobs = CS_NEW(arena, struct cs_queue_log_jobs);

    jobs->arena = arena;
    return jobs;
}

void cs_queue_log_jobs_destroy(struct cs_queue_log_jobs *jobs)
{
    if (jobs)
        cs_arena_destroy(jobs->arena);
}

static const char *text_of_set(const struct cs_queue_history *history, struct cs_arena *arena)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *made;

    if (!history->intervals)
        return NULL;
    cs_procset_print(&text, history->set, history->intervals);
    made = cs_arena_strdup(arena, text.text);
    cs_strbuf_release(&text);
    return made;
}

static double log_jobs_finite(double value)
{
    return isfinite(value) ? value : NAN;
}

static struct cs_queue_job_done done_of(const struct cs_queue_history *history,
                                        struct cs_arena *arena)
{
    const struct cs_log_job *job = &history->job;

    return (struct cs_queue_job_done){
        .id = job->id,
        .number = history->number,
        .procs = job->procs,
        .label = job->label ? cs_arena_strdup(arena, job->label) : NULL,
        .submit = job->submit,
        .start = history->start,
        .end = history->end,
        .estimate = log_jobs_finite(history->estimate),
        .request = history->request > 0 ? log_jobs_finite(history->request) : NAN,
        .promise = log_jobs_finite(history->promise),
        .wait = log_jobs_finite(cs_queue_history_wait(history)),
        .slowdown = log_jobs_finite(cs_queue_history_slowdown(history)),
        .attempts = history->attempt,
        .user = job->user,
        .partition = job->named,
        .killed = history->killed,
        .set = text_of_set(history, arena),
    };
}

static void log_jobs_ended(void *who, const struct cs_queue_history *history, double now, bool done)
{
    struct cs_queue_log_jobs *jobs = who;

    (void)now;
    if (!done)
        return;
    CS_ARENA_ROOM(jobs->arena, jobs->job, jobs->count, jobs->room, 1024);
    jobs->labels = jobs->labels || history->job.label;
    jobs->job[jobs->count++] = done_of(history, jobs->arena);
}

struct cs_queue_observer cs_queue_log_jobs_observer(struct cs_queue_log_jobs *jobs)
{
    return (struct cs_queue_observer){.ended = log_jobs_ended, .who = jobs};
}
