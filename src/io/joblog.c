/* joblog.c - what the readers of job logs share: growing, rules, dates. */
#include "io/joblog.h"

#include "base/plain.h"
#include "io/joblog_build.h"

#include "base/bug.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *cs_joblog_rule_name(enum cs_joblog_rule rule)
{
    static const char *const name[] = {
        [CS_JOBLOG_PARTIAL] = "partial execution lines",
        [CS_JOBLOG_NO_RUNTIME] = "runtime missing or <= 0",
        [CS_JOBLOG_NO_WIDTH] = "width missing or <= 0",
        [CS_JOBLOG_TOO_WIDE] = "wider than the machine",
        [CS_JOBLOG_OTHER_MONTH] = "outside the month",
    };

    CS_REQUIRE(rule >= 0 && rule < CS_JOBLOG_RULES);
    return name[rule];
}

struct cs_joblog *cs_joblog_create(int machine)
{
    struct cs_joblog *log = calloc(1, sizeof *log);

    if (!log)
        cs_bug_no_memory(sizeof *log);
    log->machine = machine;
    return log;
}

void cs_joblog_destroy(struct cs_joblog *log)
{
    if (log)
        free(log->job);
    free(log);
}

int cs_joblog_month_check(const char *month, struct cs_error *err)
{
    int year, number, used = 0;

    if (!month || (sscanf(month, "%4d-%2d%n", &year, &number, &used) == 2 && used == 7 &&
                   !month[7] && number >= 1 && number <= 12))
        return 0;
    return cs_error_set(err, "the month is \"%.60s\", expected one such as 2019-06", month);
}

int cs_joblog_keep_month(struct cs_joblog *log, const char *month, struct cs_error *err)
{
    int kept = 0;

    if (cs_joblog_month_check(month, err))
        return -1;
    for (int j = 0; j < log->count; j++) {
        char date[32];

        cs_joblog_date(cs_joblog_day(log->start + (int64_t)floor(log->job[j].submit)), date);
        if (strncmp(date, month, 7))
            log->skipped[CS_JOBLOG_OTHER_MONTH]++;
        else
            log->job[kept++] = log->job[j];
    }
    log->count = kept;
    return 0;
}

/* The array has room for the next power of two. */
static void add(struct cs_joblog *log, const struct cs_joblog_job *job)
{
    if ((log->count & (log->count - 1)) == 0) {
        size_t room = log->count ? 2 * (size_t)log->count : 1;

        log->job = realloc(log->job, room * sizeof *log->job);
        if (!log->job)
            cs_bug_no_memory(room * sizeof *log->job);
    }
    log->job[log->count++] = *job;
}

void cs_joblog_offer(struct cs_joblog *log, const struct cs_joblog_job *job)
{
    if (!(job->seconds > 0))
        log->skipped[CS_JOBLOG_NO_RUNTIME]++;
    else if (job->procs < 1)
        log->skipped[CS_JOBLOG_NO_WIDTH]++;
    else if (log->machine > 0 && job->procs > log->machine)
        log->skipped[CS_JOBLOG_TOO_WIDE]++;
    else
        add(log, job);
}

int64_t cs_joblog_day(int64_t seconds)
{
    return seconds / 86400 - (seconds % 86400 < 0);
}

void cs_joblog_date(int64_t day, char date[32])
{
    int64_t z = day + 719468, era = (z >= 0 ? z : z - 146096) / 146097;
    int64_t of_era = z - era * 146097;
    int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * year + year / 4 - year / 100), m = (5 * of_year + 2) / 153;
    int month = (int)(m < 10 ? m + 3 : m - 9);

    cs_plain_print(date, 32, "%04" PRId64 "-%02d-%02d", year + era * 400 + (month <= 2), month,
                   (int)(of_year - (153 * m + 2) / 5 + 1));
}
