/* alcf.c - the job logs that Argonne's leadership computing facility publishes as CSV. */
#include "io/joblog_build.h"

#include "base/calendar.h"
#include "base/csv.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MIRA 49152

struct columns {
    int id, queued, runtime, used, requested, walltime;
};

static int find_columns(const struct cs_csv *csv, struct columns *c, struct cs_error *err)
{
    c->id = cs_csv_require(csv, "COBALT_JOBID", err);
    c->queued = cs_csv_require(csv, "QUEUED_TIMESTAMP", err);
    c->runtime = cs_csv_require(csv, "RUNTIME_SECONDS", err);
    c->used = cs_csv_require(csv, "NODES_USED", err);
    c->requested = cs_csv_find(csv, "NODES_REQUESTED");
    c->walltime = cs_csv_find(csv, "WALLTIME_SECONDS");
    return c->id < 0 || c->queued < 0 || c->runtime < 0 || c->used < 0 ? -1 : 0;
}

/* "YYYY-MM-DD HH:MM:SS[.ffffff]" as Unix seconds, the fraction cut off. */
static int read_time(const struct cs_csv *csv, int column, int64_t *seconds, struct cs_error *err)
{
    const char *text = cs_csv_text(csv, column);
    int year, month, day, hour, minute, second, used = 0;

    if (sscanf(text, "%4d-%2d-%2d %2d:%2d:%2d%n", &year, &month, &day, &hour, &minute, &second,
               &used) != 6 ||
        (text[used] && text[used] != '.') ||
        cs_calendar_seconds(year, month, day, hour, minute, second, seconds))
        return cs_csv_error(csv, column, err,
                            "found \"%s\", expected a time such as 2019-06-01 23:59:59", text);
    return 0;
}

/* An empty field, or a column that is not there, is unknown: -1. */
static int read_number(const struct cs_csv *csv, int column, double *out, struct cs_error *err)
{
    *out = -1;
    if (column < 0 || !cs_csv_text(csv, column)[0])
        return 0;
    return cs_csv_double(csv, column, CS_NUMBER_FINITE, out, err);
}

static int read_row(const struct cs_csv *csv, const struct columns *c, const char *month,
                    struct cs_joblog *log, struct cs_error *err)
{
    struct cs_joblog_job job = {.user = -1};
    double used, requested, id;
    int64_t queued = 0;
    char date[32];

    if (cs_csv_double(csv, c->id, CS_NUMBER_NOT_NEGATIVE, &id, err) ||
        read_time(csv, c->queued, &queued, err) ||
        read_number(csv, c->runtime, &job.seconds, err) || read_number(csv, c->used, &used, err) ||
        read_number(csv, c->requested, &requested, err) ||
        read_number(csv, c->walltime, &job.requested, err))
        return -1;
    if (id > CS_JOBLOG_LARGEST)
        return cs_csv_error(csv, c->id, err, "found %g, which is too large", id);
    log->lines++;
    cs_joblog_date(cs_joblog_day(queued), date);
    if (month && strncmp(date, month, 7)) {
        log->skipped[CS_JOBLOG_OTHER_MONTH]++;
        return 0;
    }
    job.id = (int64_t)id;
    job.submit = (double)queued;
    job.procs = (int)fmin(used > 0 ? used : requested, 2e9);
    cs_joblog_offer(log, &job);
    return 0;
}

static struct cs_joblog *read_alcf(struct cs_csv *csv, int machine, const char *month,
                                   struct cs_error *err)
{
    struct cs_joblog *log;
    struct columns columns;
    int status;

    if (!csv)
        return NULL;
    log = cs_joblog_create(machine > 0 ? machine : MIRA);
    status = find_columns(csv, &columns, err) ? -1 : 1;
    while (status > 0 && (status = cs_csv_next(csv, err)) > 0)
        if (read_row(csv, &columns, month, log, err))
            status = -1;
    cs_csv_close(csv);
    if (status == 0)
        return log;
    cs_joblog_destroy(log);
    return NULL;
}

struct cs_joblog *cs_joblog_read_alcf(const char *path, int machine, const char *month,
                                      struct cs_error *err)
{
    return cs_joblog_month_check(month, err)
               ? NULL
               : read_alcf(cs_csv_open(path, err), machine, month, err);
}

struct cs_joblog *cs_joblog_read_alcf_memory(const char *name, const void *bytes, size_t size,
                                             int machine, const char *month, struct cs_error *err)
{
    return cs_joblog_month_check(month, err)
               ? NULL
               : read_alcf(cs_csv_open_memory(name, bytes, size, err), machine, month, err);
}
