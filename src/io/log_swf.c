/* log_swf.c - the Standard Workload Format of the Parallel Workloads Archive, version 2.2.
 *
 * Comment lines begin with ';' and may hold "Key: value"; data lines have 18 numbers, of which
 * those after the fifth may be missing. Status 2, 3 and 4 are parts of a job whose total is on a
 * separate line.
 */
#include "base/guard.h"
#include "base/plain.h"
#include "io/log_row.h"

#include <math.h>
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
    USER,
    GROUP,
    PROGRAM,
    QUEUE,
    PARTITION,
    FIELDS = 18,
};

#define RUN_UNKNOWN 10 /* seconds of a job with a negative run time, where all jobs are kept */

/* A comment, or a number that a blank follows. */
static bool log_swf_matches(const char *line)
{
    size_t number;

    line += strspn(line, " \t");
    number = strspn(line, "+-.0123456789");
    return *line == ';' || (number && strspn(line + number, " \t") && !strpbrk(line, ",|;"));
}

static void read_key(char *line, struct cs_log_swf *header)
{
    char *key = line + strspn(line, "; \t"), *colon = strchr(key, ':'), *end;
    double value;

    if (!colon)
        return;
    *colon++ = '\0';
    colon += strspn(colon, " \t");
    value = cs_plain_double(colon, &end);
    if (!(fabs(value) <= CS_LOG_LARGEST))
        return;
    if (!cs_plain_compare(key, "UnixStartTime") && end > colon) {
        header->start = (int64_t)value;
        header->dated = true;
    } else if (!cs_plain_compare(key, "MaxProcs") && value > 0) {
        header->max_procs = (int64_t)value;
    } else if (!cs_plain_compare(key, "MaxNodes") && value > 0) {
        header->max_nodes = (int64_t)value;
    } else if (!cs_plain_compare(key, "TimeZoneString")) {
        colon[strcspn(colon, " \t")] = '\0';
        cs_plain_print(header->zone, sizeof header->zone, "%s", colon);
    }
}

static int log_swf_begin(struct cs_log_scan *scan, struct cs_lines *lines, char **line,
                         void **state, struct cs_error *err)
{
    struct cs_log_swf *header = cs_block_zero(1, sizeof *header);
    size_t length;
    int status = 1;

    (void)scan;
    *state = header;
    while (status > 0 && (*line)[strspn(*line, " \t")] == ';') {
        read_key(*line, header);
        status = cs_lines_next(lines, line, &length, err);
    }
    if (status == 0)
        *line = NULL;
    return status < 0 ? -1 : 0;
}

/* Cut the line at its blanks.  How many fields there are, of which the first 18 are kept. */
static int log_swf_split(char *line, char *field[FIELDS])
{
    int count = 0;

    for (;;) {
        while (*line == ' ' || *line == '\t')
            line++;
        if (!*line)
            return count;
        if (count < FIELDS)
            field[count] = line;
        count++;
        while (*line && *line != ' ' && *line != '\t')
            line++;
        if (*line)
            *line++ = '\0';
    }
}

static double log_swf_value_of(char *const field[FIELDS], int count, int which)
{
    double value;

    return which < count && cs_log_number(field[which], &value) ? value : -1;
}

/* Numbers of users, groups, queues and partitions; unknown ones are negative. */
static int log_swf_name_of(struct cs_names *names, char *const field[FIELDS], int count, int which)
{
    return which < count && field[which][0] != '-' ? cs_log_name(names, field[which]) : -1;
}

static enum cs_log_state state_of(double status)
{
    return status == 1   ? CS_LOG_COMPLETED
           : status == 0 ? CS_LOG_FAILED
           : status == 5 ? CS_LOG_CANCELLED
                         : CS_LOG_UNKNOWN;
}

/* kB per processor: requested, else used. */
static int64_t memory_of(char *const field[FIELDS], int count, double procs)
{
    double memory = log_swf_value_of(field, count, ASKED_MEMORY);

    if (memory <= 0)
        memory = log_swf_value_of(field, count, MEMORY);
    return memory > 0 ? (int64_t)fmin(ceil(memory * procs / 1024), CS_LOG_LARGEST) : -1;
}

/* The fields without which there is no job. */
struct needed {
    double submit, run, procs;
};

static bool read_needed(struct cs_log_scan *scan, char *const field[FIELDS], int count, int which,
                        double *out)
{
    if (which >= count)
        cs_log_malformed(scan, "field %d is missing", which + 1);
    else if (!cs_log_number(field[which], out))
        cs_log_malformed(scan, "field %d, \"%.40s\", is no number", which + 1, field[which]);
    else
        return true;
    return false;
}

static bool log_swf_check(struct cs_log_scan *scan, char *const field[FIELDS], int count,
                          struct needed *n)
{
    double id;

    return read_needed(scan, field, count, ID, &id) &&
           read_needed(scan, field, count, SUBMIT, &n->submit) &&
           read_needed(scan, field, count, RUN, &n->run) &&
           read_needed(scan, field, count, PROCS, &n->procs);
}

static void log_swf_fill(struct cs_log_scan *scan, char *const field[FIELDS], int count,
                         const struct needed *n, struct cs_log_row *row)
{
    const double wait = log_swf_value_of(field, count, WAIT);
    const int partition = scan->options->by_queue ? QUEUE : PARTITION;

    cs_log_put_id(row, field[ID]);
    row->arrival = row->submit = n->submit;
    row->run = n->run;
    row->request = log_swf_value_of(field, count, ASKED_TIME);
    if (scan->options->every && !(row->request > 0))
        row->request = row->run;
    row->recorded = wait >= 0 ? row->submit + wait : NAN;
    row->cores = (int64_t)n->procs;
    row->nodes = -1;
    row->memory = memory_of(field, count, n->procs);
    row->gpus = -1;
    row->user = log_swf_name_of(scan->users, field, count, USER);
    row->account = log_swf_name_of(scan->accounts, field, count, GROUP);
    row->qos = log_swf_name_of(scan->qualities, field, count, QUEUE);
    row->partition = log_swf_name_of(scan->partitions, field, count, partition);
    row->state = state_of(log_swf_value_of(field, count, STATUS));
    if (!(row->request > 0))
        row->flags |= 1U << CS_LOG_NO_REQUEST;
}

static enum cs_log_rule read_line(struct cs_log_scan *scan, void *state, char *line,
                                  struct cs_log_row *row)
{
    char *field[FIELDS];
    struct needed n;
    double status;
    int count;

    (void)state;
    if (line[strspn(line, " \t")] == ';')
        return CS_LOG_RULES;
    count = log_swf_split(line, field);
    if (count == 0)
        return CS_LOG_RULES;
    if (!log_swf_check(scan, field, count, &n))
        return CS_LOG_MALFORMED;
    status = log_swf_value_of(field, count, STATUS);
    if (status >= 2 && status <= 4)
        return CS_LOG_PARTIAL;
    if (!(n.run > 0) && !scan->options->every)
        return CS_LOG_NO_TIME;
    if (n.run < 0)
        n.run = RUN_UNKNOWN;
    if (!(n.procs >= 1) || scan->options->every)
        n.procs = fmax(n.procs, log_swf_value_of(field, count, ASKED_PROCS));
    if (!(n.procs >= 1))
        return CS_LOG_NO_WIDTH;
    log_swf_fill(scan, field, count, &n, row);
    return CS_LOG_KEPT;
}

static int64_t log_swf_machine(const void *state)
{
    const struct cs_log_swf *header = state;

    return header->max_procs ? header->max_procs : header->max_nodes;
}

const struct cs_log_format cs_log_format_swf = {
    .kind = CS_LOG_SWF,
    .matches = log_swf_matches,
    .begin = log_swf_begin,
    .read = read_line,
    .machine = log_swf_machine,
};
