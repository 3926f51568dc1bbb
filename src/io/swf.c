/* swf.c - the Standard Workload Format of the Parallel Workloads Archive, version 2.2.
 *
 * Comment lines begin with ';' and may hold "Key: value"; data lines have 18 numbers.  Status 2, 3
 * and 4 are pieces of a job whose total stands on a line of its own.
 */
#include "base/plain.h"
#include "io/joblog_build.h"

#include "base/lines.h"
#include "base/number.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    ID,
    SUBMIT,
    WAIT,
    RUN,
    PROCS,
    CPU,
    MEMORY,
    ASKED_PROCS,
    ASKED_TIME,
    ASKED_MEMORY,
    STATUS,
    USER
};

#define FIELDS 18

static const char *const field_name[FIELDS] = {
    "job number",
    "submit time",
    "wait time",
    "run time",
    "allocated processors",
    "CPU time",
    "used memory",
    "requested processors",
    "requested time",
    "requested memory",
    "status",
    "user",
    "group",
    "executable",
    "queue",
    "partition",
    "preceding job",
    "think time",
};

/* What the header says of the machine; MaxProcs wins over MaxNodes. */
struct header {
    int max_procs, max_nodes;
};

static void read_header(char *line, struct header *header, struct cs_joblog *log)
{
    char *key = line + strspn(line, "; \t"), *colon = strchr(key, ':');
    long long value;

    if (!colon)
        return;
    *colon = '\0';
    value = strtoll(colon + 1, NULL, 10);
    if (!cs_plain_compare(key, "UnixStartTime") && llabs(value) <= (long long)CS_JOBLOG_LARGEST)
        log->start = value;
    else if (!cs_plain_compare(key, "MaxProcs") && value > 0 && value <= INT_MAX)
        header->max_procs = (int)value;
    else if (!cs_plain_compare(key, "MaxNodes") && value > 0 && value <= INT_MAX)
        header->max_nodes = (int)value;
}

/* Cut the line at its blanks.  How many fields there are, of which the first 18 are kept. */
static int split(char *line, char *field[FIELDS])
{
    int count = 0;

    for (;;) {
        line += strspn(line, " \t");
        if (!*line)
            return count;
        if (count < FIELDS)
            field[count] = line;
        count++;
        line += strcspn(line, " \t");
        if (*line)
            *line++ = '\0';
    }
}

static int read_number(const struct cs_lines *lines, char **field, int which, double *out,
                       struct cs_error *err)
{
    if (cs_number_double(field[which], out) == CS_NUMBER_FINE)
        return 0;
    return cs_lines_error(lines, err, "field %d (%s): found \"%s\", expected a number", which + 1,
                          field_name[which], field[which]);
}

/* A number that fits many times into 64 bits. */
static int read_count(const struct cs_lines *lines, char **field, int which, double *out,
                      struct cs_error *err)
{
    if (read_number(lines, field, which, out, err))
        return -1;
    if (!(*out >= -CS_JOBLOG_LARGEST && *out <= CS_JOBLOG_LARGEST))
        return cs_lines_error(lines, err, "field %d (%s): found %s, which is too large", which + 1,
                              field_name[which], field[which]);
    return 0;
}

static int read_whole(const struct cs_lines *lines, char **field, int which, int *out,
                      struct cs_error *err)
{
    double value;

    if (read_number(lines, field, which, &value, err))
        return -1;
    if (!(value >= INT_MIN && value <= INT_MAX) || value != (int)value)
        return cs_lines_error(lines, err, "field %d (%s): found %s, expected a whole number",
                              which + 1, field_name[which], field[which]);
    *out = (int)value;
    return 0;
}

/* Fields that are not needed refuse no log: -1 when it is no such number. */
static int whole_or_none(char **field, int which)
{
    double value;

    if (cs_number_double(field[which], &value) != CS_NUMBER_FINE)
        return -1;
    return value >= INT_MIN && value <= INT_MAX && value == (int)value ? (int)value : -1;
}

static int read_job(const struct cs_lines *lines, char *line, struct cs_joblog *log,
                    struct cs_error *err)
{
    char *field[FIELDS];
    int count = split(line, field), asked, status;
    struct cs_joblog_job job;
    double id;

    if (count == 0)
        return 0;
    log->lines++;
    if (count < FIELDS)
        return cs_lines_error(lines, err, "found %d fields, a line of the format has %d", count,
                              FIELDS);
    if (read_count(lines, field, ID, &id, err) ||
        read_count(lines, field, SUBMIT, &job.submit, err) ||
        read_number(lines, field, RUN, &job.seconds, err) ||
        read_whole(lines, field, PROCS, &job.procs, err))
        return -1;
    asked = whole_or_none(field, ASKED_PROCS);
    status = whole_or_none(field, STATUS);
    job.user = whole_or_none(field, USER);
    if (cs_number_double(field[ASKED_TIME], &job.requested) != CS_NUMBER_FINE)
        job.requested = -1;
    job.id = (int64_t)id;
    if (job.procs <= 0)
        job.procs = asked;
    if (status >= 2 && status <= 4)
        log->skipped[CS_JOBLOG_PARTIAL]++;
    else
        cs_joblog_offer(log, &job);
    return 0;
}

static int read_lines(struct cs_lines *lines, int machine, struct cs_joblog *log,
                      struct cs_error *err)
{
    struct header header = {0};
    char *line;
    size_t length;
    int status;

    while ((status = cs_lines_next(lines, &line, &length, err)) > 0) {
        if (line[strspn(line, " \t")] == ';') {
            read_header(line, &header, log);
            if (machine <= 0)
                log->machine = header.max_procs ? header.max_procs : header.max_nodes;
        } else if (read_job(lines, line, log, err)) {
            return -1;
        }
    }
    return status;
}

static struct cs_joblog *read_swf(struct cs_lines *lines, int machine, struct cs_error *err)
{
    struct cs_joblog *log;

    if (!lines)
        return NULL;
    log = cs_joblog_create(machine);
    if (read_lines(lines, machine, log, err)) {
        cs_joblog_destroy(log);
        log = NULL;
    }
    cs_lines_close(lines);
    return log;
}

struct cs_joblog *cs_joblog_read_swf(const char *path, int machine, struct cs_error *err)
{
    return read_swf(cs_lines_open(path, err), machine, err);
}

struct cs_joblog *cs_joblog_read_swf_memory(const char *name, const void *bytes, size_t size,
                                            int machine, struct cs_error *err)
{
    return read_swf(cs_lines_open_memory(name, bytes, size), machine, err);
}
