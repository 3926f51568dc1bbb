/* log_pbs.c - accounting logs of PBS Professional, OpenPBS and Torque.
 *
 *     01/05/2026 09:00:10;E;123.server;user=ann queue=batch qtime=... start=... end=... ...
 *
 * An E makes a job, except for an array, 124[], whose tasks 124[3] have theirs. R, A and D (rerun,
 * aborted, deleted) are counted, other types have no data of executed jobs.
 */
#include "base/plain.h"
#include "io/log_row.h"
#include "io/stamp.h"

#include <math.h>
#include <string.h>

enum key {
    USER,
    GROUP,
    PROJECT,
    ACCOUNT,
    QUEUE,
    CREATED,
    QUEUED,
    ELIGIBLE,
    START,
    END,
    VNODES,
    HOSTS,
    NCPUS,
    NODES,
    GPUS,
    MEMORY,
    WALLTIME,
    USED_CPUS,
    USED_WALLTIME,
    EXIT,
    KEYS,
};

static const char *const key_name[KEYS] = {
    "user",
    "group",
    "project",
    "account",
    "queue",
    "ctime",
    "qtime",
    "etime",
    "start",
    "end",
    "exec_vnode",
    "exec_host",
    "Resource_List.ncpus",
    "Resource_List.nodect",
    "Resource_List.ngpus",
    "Resource_List.mem",
    "Resource_List.walltime",
    "resources_used.ncpus",
    "resources_used.walltime",
    "Exit_status",
};

/* "MM/DD/YYYY HH:MM:SS;". */
static bool log_pbs_matches(const char *line)
{
    static const char form[] = "00/00/0000 00:00:00;";

    for (const char *at = form; *at; at++, line++)
        if (*at == '0' ? *line < '0' || *line > '9' : *line != *at)
            return false;
    return true;
}

static int log_pbs_begin(struct cs_log_scan *scan, struct cs_lines *lines, char **line,
                         void **state, struct cs_error *err)
{
    (void)scan;
    (void)lines;
    (void)line;
    (void)state;
    (void)err;
    return 0;
}

/* Cut off the value at *at, which may be quoted; *at becomes what follows it. */
static char *cut_value(char **at)
{
    char *start = *at, *end;

    if (*start == '"' || *start == '\'') {
        end = strchr(start + 1, *start);
        start++;
        end = end ? end : start + strlen(start);
    } else {
        end = start + strcspn(start, " ");
    }
    *at = end + (*end != '\0');
    *end = '\0';
    return start;
}

static void log_pbs_split(char *at, const char *value[KEYS])
{
    for (int k = 0; k < KEYS; k++)
        value[k] = "";
    for (at += strspn(at, " "); *at; at += strspn(at, " ")) {
        char *name = at, *text;

        at += strcspn(at, "= ");
        if (*at != '=') {
            at += *at != '\0';
            continue;
        }
        *at++ = '\0';
        text = cut_value(&at);
        for (int k = 0; k < KEYS; k++)
            if (!strcmp(name, key_name[k]))
                value[k] = text;
    }
}

/* Of "0*64", "0" or "0-15,24-31", which end at `end`. */
static double count_cores(const char *at, const char *end)
{
    double sum = 0;

    for (const char *next; at < end; at = next) {
        const size_t length = strcspn(at, ",+");
        const char *star = memchr(at, '*', length), *dash = memchr(at, '-', length);

        if (star)
            sum += cs_plain_double(star + 1, NULL);
        else
            sum += dash ? cs_plain_double(dash + 1, NULL) - cs_plain_double(at, NULL) + 1 : 1;
        next = at + length + (at[length] == ',');
    }
    return sum;
}

/* Cores of "n1/0*64+n2/0*64", "n1/0+n1/1" and "n-1/0-3,8"; 0 if there are no hosts. */
static int64_t count_hosts(const char *at)
{
    double sum = 0;

    while (*at) {
        const size_t length = strcspn(at, "+");
        const char *slash = memchr(at, '/', length);

        sum += slash ? count_cores(slash + 1, at + length) : 1;
        at += length;
        at += *at == '+';
    }
    return sum >= 1 && sum <= CS_LOG_LARGEST ? (int64_t)sum : 0;
}

/* The ncpus of "(n1:ncpus=13:mem=4gb)+(n2:ncpus=4+n2[1]:ncpus=9)"; 0 without any. */
static int64_t count_vnodes(const char *at)
{
    static const char key[] = ":ncpus=";
    double sum = 0;

    while ((at = strstr(at, key))) {
        at += sizeof key - 1;
        sum += cs_plain_double(at, NULL);
    }
    return sum >= 1 && sum <= CS_LOG_LARGEST ? (int64_t)sum : 0;
}

/* "16gb" as megabytes, rounded up; -1 if invalid. */
static int64_t memory_of(const char *text)
{
    static const char power[] = "bkmgtp";
    char *end;
    double value = *text >= '0' && *text <= '9' ? cs_plain_double(text, &end) : -1;
    const char *unit;

    if (value < 0)
        return -1;
    unit = *end ? strchr(power, cs_plain_lower(*end)) : power;
    value *= pow(1024, unit ? (double)(unit - power) - 2 : -2);
    return value <= CS_LOG_LARGEST ? (int64_t)ceil(value) : -1;
}

static const char *first_text(const char *a, const char *b)
{
    return *a ? a : b;
}

static int64_t log_pbs_positive(const char *text)
{
    int64_t value = cs_log_whole(text);

    return value > 0 ? value : -1;
}

/* Allocated processors; where the log does not show them, the requested ones.  -1: unknown.  Hosts
 * may have a slot each where virtual nodes give the processors. */
static int64_t cores_of(const char *const value[KEYS])
{
    const int64_t slots = count_hosts(value[HOSTS]), vnodes = count_vnodes(value[VNODES]);
    const int64_t cores = slots > vnodes ? slots : vnodes;

    return cores > 0 ? cores : log_pbs_positive(first_text(value[NCPUS], value[USED_CPUS]));
}

static enum cs_log_rule read_job(struct cs_log_scan *scan, char *id, char *rest,
                                 struct cs_log_row *row)
{
    const char *value[KEYS];
    int64_t submit, start, end, eligible;

    log_pbs_split(rest, value);
    submit = cs_log_whole(first_text(value[QUEUED], value[CREATED]));
    start = cs_log_whole(value[START]);
    end = cs_log_whole(value[END]);
    eligible = cs_log_whole(value[ELIGIBLE]);
    if (submit < 0)
        return cs_log_malformed(scan, "there is no qtime and no ctime");
    if (start <= 0)
        return CS_LOG_NEVER_STARTED;
    row->run = end > start ? (double)(end - start)
                           : (double)cs_stamp_duration(end < 0 ? value[USED_WALLTIME] : "");
    if (!(row->run > 0))
        return CS_LOG_NO_TIME;
    row->cores = cores_of(value);
    row->nodes = log_pbs_positive(value[NODES]);
    if (row->cores < 0 && row->nodes < 0)
        return CS_LOG_NO_WIDTH;
    row->gpus = cs_log_whole(value[GPUS]);
    row->memory = memory_of(value[MEMORY]);
    row->submit = (double)submit;
    row->arrival = (double)(eligible > submit && !scan->options->by_submit ? eligible : submit);
    row->recorded = (double)start;
    row->request = (double)cs_stamp_duration(value[WALLTIME]);
    row->user = cs_log_name(scan->users, value[USER]);
    row->account = cs_log_name(
        scan->accounts, first_text(value[ACCOUNT], first_text(value[PROJECT], value[GROUP])));
    row->partition = cs_log_name(scan->partitions, value[QUEUE]);
    row->qos = -1;
    row->state = *value[EXIT] ? (strcmp(value[EXIT], "0") ? CS_LOG_FAILED : CS_LOG_COMPLETED)
                              : CS_LOG_UNKNOWN;
    row->flags |= strchr(id, '[') ? 1U << CS_LOG_ARRAY_TASKS : 0;
    row->flags |= row->request > 0 ? 0 : 1U << CS_LOG_NO_LIMIT;
    id[strcspn(id, ".")] = '\0';
    cs_log_put_id(row, id);
    return CS_LOG_KEPT;
}

static enum cs_log_rule read_line(struct cs_log_scan *scan, void *state, char *line,
                                  struct cs_log_row *row)
{
    char *type, *id, *rest;

    (void)state;
    if (!*line)
        return CS_LOG_RULES;
    type = strchr(line, ';');
    id = type ? strchr(type + 1, ';') : NULL;
    if (!log_pbs_matches(line) || !id)
        return cs_log_malformed(scan, "expected MM/DD/YYYY HH:MM:SS;TYPE;ID;...");
    *id++ = '\0';
    type++;
    rest = id + strcspn(id, ";");
    if (*rest)
        *rest++ = '\0';
    if (!strcmp(type, "R") || !strcmp(type, "A") || !strcmp(type, "D"))
        return CS_LOG_INTERRUPTED;
    if (strcmp(type, "E"))
        return CS_LOG_RULES;
    return strstr(id, "[]") ? CS_LOG_WHOLE_ARRAYS : read_job(scan, id, rest, row);
}

const struct cs_log_format cs_log_format_pbs = {
    .kind = CS_LOG_PBS,
    .matches = log_pbs_matches,
    .begin = log_pbs_begin,
    .read = read_line,
};
