/* joblog.c - a log read to its end. */
#include "io/joblog.h"

#include "base/guard.h"
#include "base/zone.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

#define MIRA 49152

void cs_joblog_destroy(struct cs_joblog *log)
{
    if (log)
        cs_block_free(log->job);
    cs_block_free(log);
}

/* From its first second to that of the month after it. */
static int span_of_month(const char *month, double *from, double *to, struct cs_error *err)
{
    int year, number;

    if (cs_calendar_month(month, &year, &number, err))
        return -1;
    *from = (double)cs_calendar_days(year, number, 1) * 86400;
    *to = (double)cs_calendar_days(year + number / 12, number % 12 + 1, 1) * 86400;
    return 0;
}

/* The array has room for the next power of two. */
static void joblog_add(struct cs_joblog *log, const struct cs_joblog_job *job)
{
    if ((log->count & (log->count - 1)) == 0) {
        size_t room = log->count ? 2 * (size_t)log->count : 1;

        log->job = cs_block_resize(log->job, room * sizeof *log->job);
    }
    log->job[log->count++] = *job;
}

static struct cs_joblog_job job_of(const struct cs_joblog *log, const struct cs_log_job *job)
{
    return (struct cs_joblog_job){
        .id = job->id,
        .submit = log->kind == CS_LOG_ALCF ? floor(job->submit) : job->submit,
        .seconds = job->seconds,
        .requested = job->request,
        .procs = (int)job->procs,
        .user = job->user,
    };
}

static int take_jobs(struct cs_joblog *log, struct cs_log *source, struct cs_error *err)
{
    struct cs_log_job job;
    int status;

    while ((status = cs_log_next(source, &job, err)) > 0) {
        const struct cs_joblog_job one = job_of(log, &job);

        joblog_add(log, &one);
        cs_log_done(source, &job);
    }
    return status;
}

static int machine_of(const struct cs_log *source, int supplied)
{
    if (supplied > 0)
        return supplied;
    if (cs_log_kind(source, 0) == CS_LOG_ALCF)
        return MIRA;
    return (int)fmin((double)cs_log_machine(source), INT_MAX);
}

/* The source is closed. */
static struct cs_joblog *read_log(struct cs_log *source, int machine, struct cs_error *err)
{
    struct cs_joblog *log;

    if (!source)
        return NULL;
    log = cs_block_zero(1, sizeof *log);
    log->kind = cs_log_kind(source, 0);
    log->machine = machine_of(source, machine);
    log->start = cs_log_epoch(source);
    cs_log_set_most(source, log->machine > 0 ? log->machine : INT_MAX);
    if (take_jobs(log, source, err)) {
        cs_joblog_destroy(log);
        log = NULL;
    } else {
        log->counts = *cs_log_counts(source);
    }
    cs_log_close(source);
    return log;
}

static int log_options(const struct cs_joblog_options *supplied, struct cs_log_options *options,
                       struct cs_error *err)
{
    return supplied->month ? span_of_month(supplied->month, &options->from, &options->to, err) : 0;
}

struct cs_joblog *cs_joblog_read(const char *path, const struct cs_joblog_options *supplied,
                                 struct cs_error *err)
{
    struct cs_log_options options = {0};

    return log_options(supplied, &options, err)
               ? NULL
               : read_log(cs_log_open(&path, 1, &options, err), supplied->machine, err);
}

struct cs_joblog *cs_joblog_read_memory(const char *name, const void *bytes, size_t size,
                                        const struct cs_joblog_options *supplied,
                                        struct cs_error *err)
{
    struct cs_log_options options = {0};

    return log_options(supplied, &options, err)
               ? NULL
               : read_log(cs_log_open_memory(name, bytes, size, &options, err), supplied->machine,
                          err);
}
