/* log_csv.c - job logs of Argonne's leadership computing facility, and the table that Batsim and
 * evalys have (PREFIX_jobs.csv). */
#include "base/guard.h"
#include "base/plain.h"
#include "io/log_row.h"
#include "io/stamp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool log_csv_contains(const char *line, const char *word)
{
    for (; *line; line++)
        if (cs_plain_begins(line, word))
            return true;
    return false;
}

static int log_csv_begin(struct cs_lines *lines, char **line, void **state, const char *const *role,
                         int roles, struct cs_error *err)
{
    struct cs_log_columns *columns = cs_block_zero(1, sizeof *columns);
    size_t length;
    int status;

    *state = columns;
    columns->separator = ',';
    if (!cs_log_columns_find(columns, *line, role, roles))
        return cs_lines_error(lines, err, "there are more than 512 columns");
    status = cs_lines_next(lines, line, &length, err);
    if (status == 0)
        *line = NULL;
    return status < 0 ? -1 : 0;
}

/* Whether the line is one of jobs; CS_LOG_KEPT, then it is cut. */
static enum cs_log_rule log_csv_cut(struct cs_log_scan *scan, const struct cs_log_columns *columns,
                                    char *line, const char **role, int roles)
{
    int count;

    if (!*line || *line == '#')
        return CS_LOG_RULES;
    count = cs_log_columns_split(columns, line, role, roles);
    return count == columns->count
               ? CS_LOG_KEPT
               : cs_log_malformed(scan, "%d columns, not %d", count, columns->count);
}

static double number_or(const char *text, double otherwise)
{
    double value;

    return cs_log_number(text, &value) ? value : otherwise;
}

/* ---- ALCF ---- */

enum alcf {
    ALCF_ID,
    ALCF_QUEUED,
    ALCF_START,
    ALCF_RUNTIME,
    ALCF_WALLTIME,
    ALCF_NODES_USED,
    ALCF_NODES_REQUESTED,
    ALCF_CORES_USED,
    ALCF_CORES_REQUESTED,
    ALCF_USER,
    ALCF_PROJECT,
    ALCF_QUEUE,
    ALCF_ROLES,
};

static const char *const alcf_name[ALCF_ROLES] = {
    "COBALT_JOBID",     "QUEUED_TIMESTAMP", "START_TIMESTAMP",    "RUNTIME_SECONDS",
    "WALLTIME_SECONDS", "NODES_USED",       "NODES_REQUESTED",    "CORES_USED",
    "CORES_REQUESTED",  "USERNAME_GENID",   "PROJECT_NAME_GENID", "QUEUE_NAME",
};

static bool alcf_matches(const char *line)
{
    return strchr(line, ',') &&
           (log_csv_contains(line, "COBALT_JOBID") || log_csv_contains(line, "\"JOB_NAME\""));
}

static int alcf_begin(struct cs_log_scan *scan, struct cs_lines *lines, char **line, void **state,
                      struct cs_error *err)
{
    (void)scan;
    return log_csv_begin(lines, line, state, alcf_name, ALCF_ROLES, err);
}

static int64_t width_of(const char *used, const char *requested)
{
    double width = number_or(used, -1);

    if (!(width >= 1))
        width = number_or(requested, -1);
    return width >= 1 ? (int64_t)width : -1;
}

static void alcf_fill(struct cs_log_scan *scan, const char *const role[ALCF_ROLES], int64_t queued,
                      struct cs_log_row *row)
{
    int64_t start;

    cs_log_put_id(row, role[ALCF_ID]);
    row->arrival = row->submit = (double)queued;
    row->recorded = NAN;
    if (cs_stamp_read(role[ALCF_START], scan->options->zone, &start) > CS_STAMP_NONE)
        row->recorded = (double)start;
    row->request = number_or(role[ALCF_WALLTIME], -1);
    row->memory = row->gpus = -1;
    row->user = cs_log_name(scan->users, role[ALCF_USER]);
    row->account = cs_log_name(scan->accounts, role[ALCF_PROJECT]);
    row->partition = cs_log_name(scan->partitions, role[ALCF_QUEUE]);
    row->qos = -1;
    if (!(row->request > 0))
        row->flags |= 1U << CS_LOG_NO_REQUEST;
}

static enum cs_log_rule alcf_read(struct cs_log_scan *scan, void *state, char *line,
                                  struct cs_log_row *row)
{
    const char *role[ALCF_ROLES];
    enum cs_log_rule rule = log_csv_cut(scan, state, line, role, ALCF_ROLES);
    int64_t queued;

    if (rule != CS_LOG_KEPT)
        return rule;
    if (cs_stamp_read(role[ALCF_QUEUED], scan->options->zone, &queued) <= CS_STAMP_NONE)
        return cs_log_malformed(scan, "QUEUED_TIMESTAMP \"%.40s\" is no time", role[ALCF_QUEUED]);
    row->run = number_or(role[ALCF_RUNTIME], -1);
    if (!(row->run > 0))
        return CS_LOG_NO_TIME;
    row->nodes = width_of(role[ALCF_NODES_USED], role[ALCF_NODES_REQUESTED]);
    row->cores = width_of(role[ALCF_CORES_USED], role[ALCF_CORES_REQUESTED]);
    if (row->nodes < 0 && row->cores < 0)
        return CS_LOG_NO_WIDTH;
    alcf_fill(scan, role, queued, row);
    return CS_LOG_KEPT;
}

const struct cs_log_format cs_log_format_alcf = {
    .kind = CS_LOG_ALCF,
    .matches = alcf_matches,
    .begin = alcf_begin,
    .read = alcf_read,
};

/* ---- Batsim ---- */

enum batsim {
    BATSIM_ID,
    BATSIM_SUBMIT,
    BATSIM_PROCS,
    BATSIM_REQUEST,
    BATSIM_RUN,
    BATSIM_START,
    BATSIM_OLD_ID,
    BATSIM_OLD_PROCS,
    BATSIM_ROLES,
};

static const char *const batsim_name[BATSIM_ROLES] = {
    "job_id",
    "submission_time",
    "requested_number_of_resources",
    "requested_time",
    "execution_time",
    "starting_time",
    "jobID",
    "requested_number_of_processors",
};

static bool batsim_matches(const char *line)
{
    return strchr(line, ',') && log_csv_contains(line, "submission_time") &&
           log_csv_contains(line, "requested_number_of_");
}

static int batsim_begin(struct cs_log_scan *scan, struct cs_lines *lines, char **line, void **state,
                        struct cs_error *err)
{
    (void)scan;
    return log_csv_begin(lines, line, state, batsim_name, BATSIM_ROLES, err);
}

static enum cs_log_rule batsim_read(struct cs_log_scan *scan, void *state, char *line,
                                    struct cs_log_row *row)
{
    const char *role[BATSIM_ROLES];
    enum cs_log_rule rule = log_csv_cut(scan, state, line, role, BATSIM_ROLES);
    double start;

    if (rule != CS_LOG_KEPT)
        return rule;
    if (!cs_log_number(role[BATSIM_SUBMIT], &row->submit))
        return cs_log_malformed(scan, "submission_time \"%.40s\" is no number",
                                role[BATSIM_SUBMIT]);
    start = number_or(role[BATSIM_START], -1);
    row->run = number_or(role[BATSIM_RUN], -1);
    if (!(row->run > 0))
        return start < 0 ? CS_LOG_NEVER_STARTED : CS_LOG_NO_TIME;
    row->cores = width_of(role[BATSIM_PROCS], role[BATSIM_OLD_PROCS]);
    if (row->cores < 0)
        return CS_LOG_NO_WIDTH;
    cs_log_put_id(row, role[BATSIM_ID][0] ? role[BATSIM_ID] : role[BATSIM_OLD_ID]);
    row->arrival = row->submit;
    row->recorded = start >= row->submit ? start : NAN;
    row->request = number_or(role[BATSIM_REQUEST], -1);
    row->nodes = row->memory = row->gpus = -1;
    row->user = row->account = row->partition = row->qos = -1;
    if (!(row->request > 0))
        row->flags |= 1U << CS_LOG_NO_REQUEST;
    return CS_LOG_KEPT;
}

const struct cs_log_format cs_log_format_batsim = {
    .kind = CS_LOG_BATSIM,
    .matches = batsim_matches,
    .begin = batsim_begin,
    .read = batsim_read,
};
