/* log_row.c - what the readers of logs share. */
#include "io/log_row.h"

#include "base/guard.h"
#include "base/number.h"
#include "base/plain.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int cs_log_refuse(struct cs_lines *lines, const char *first, struct cs_error *err)
{
    const char *text = first + strspn(first, " \t");
    const char *looks = "";

    if (*text == '{' || *text == '[')
        looks = "; this looks like JSON (a schedule, a workload or a machine)";
    else if (*text == '<')
        looks = "; this looks like XML or HTML";
    else if (cs_plain_begins(text, "JobID") && strchr(text, ','))
        looks = "; this looks like sacct --delimiter=, whose values have commas too: omit that "
                "option";
    else if (cs_plain_begins(text, "JobID"))
        looks = "; this looks like sacct without --parsable2 (-P): give it that option";
    else if (strchr(text, '|'))
        looks = "; this looks like sacct --parsable2 without its header or without JobID: leave "
                "--noheader away";
    else if (cs_plain_begins(text, "policy,priority,job_id"))
        looks = "; this looks like a table of jobs that a replay wrote: cosched check judges it";
    else if (strchr(text, ','))
        looks = "; this looks like CSV, but neither ALCF's nor Batsim's";
    else if (*text == '#' || strchr(text, '='))
        looks = "; this looks like a configuration: a machine is given with --machine";
    return cs_error_set(
        err,
        "%s: this is no job log: expected SWF, sacct -P, the accounting log of PBS, "
        "or CSV of ALCF or Batsim%s",
        cs_lines_name(lines), looks);
}

enum cs_log_rule cs_log_malformed(struct cs_log_scan *scan, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    cs_plain_vprint(scan->why.text, sizeof scan->why.text, format, args);
    va_end(args);
    return CS_LOG_MALFORMED;
}

/* Up to 15 digits, which most numbers of logs are. */
static bool read_digits(const char *text, double *out)
{
    const bool negative = *text == '-';
    const char *start = text + negative, *at = start;
    int64_t value = 0;

    for (; *at >= '0' && *at <= '9' && at - start < 15; at++)
        value = 10 * value + (*at - '0');
    *out = (double)(negative ? -value : value);
    return at > start && !*at;
}

bool cs_log_number(const char *text, double *out)
{
    if (read_digits(text, out))
        return true;
    return cs_number_double(text, out) == CS_NUMBER_FINE && fabs(*out) <= CS_LOG_LARGEST;
}

int64_t cs_log_whole(const char *text)
{
    double value;

    return cs_log_number(text, &value) && value >= 0 ? (int64_t)value : -1;
}

int cs_log_name(struct cs_names *names, const char *text)
{
    return *text ? cs_names_add(names, text) : -1;
}

struct label {
    struct cs_log_link link;
    char text[];
};

static struct label *label_of(char *text)
{
    return (struct label *)(void *)(text - offsetof(struct label, text));
}

static char *label_create(const char *text, size_t size)
{
    struct label *label = cs_block_resize(NULL, sizeof *label + size);

    label->link = (struct cs_log_link){NULL, NULL};
    memcpy(label->text, text, size);
    return label->text;
}

void cs_log_label_keep(struct cs_log_link *all, char *text)
{
    struct cs_log_link *link = text ? &label_of(text)->link : NULL;

    if (!link)
        return;
    link->before = all;
    link->after = all->after;
    link->before->after = link->after->before = link;
}

void cs_log_label_free(char *text)
{
    struct label *label = text ? label_of(text) : NULL;

    if (label && label->link.after) {
        label->link.before->after = label->link.after;
        label->link.after->before = label->link.before;
    }
    cs_block_free(label);
}

void cs_log_label_free_all(struct cs_log_link *all)
{
    while (all->after != all)
        cs_log_label_free(((struct label *)(void *)all->after)->text);
}

void cs_log_put_id(struct cs_log_row *row, const char *text)
{
    const size_t size = strlen(text) + 1;
    const char *at = text;

    row->id = 0;
    row->label = NULL;
    for (; *at >= '0' && *at <= '9' && at - text < 18; at++)
        row->id = 10 * row->id + (*at - '0');
    if (at > text && !*at && (*text != '0' || size == 2))
        return;
    row->label = label_create(text, size);
}

/* The end of the field that begins at `line`, which is cut out of its quotes. */
static char *end_of_field(char **line, char separator)
{
    char *at = *line, *to;

    if (separator != ',' || *at != '"') {
        at = strchr(at, separator);
        return at ? at : *line + strlen(*line);
    }
    *line = to = ++at;
    for (; *at && (*at != '"' || at[1] == '"'); at++) {
        at += *at == '"';
        *to++ = *at;
    }
    at += *at == '"';
    *to = '\0';
    return at + strcspn(at, ",");
}

static int find_role(const char *name, const char *const *role, int roles)
{
    for (int i = 0; i < roles; i++)
        if (!cs_plain_compare(name, role[i]))
            return i;
    return -1;
}

bool cs_log_columns_find(struct cs_log_columns *columns, char *header, const char *const *role,
                         int roles)
{
    const int room = (int)(sizeof columns->at / sizeof columns->at[0]);
    bool more = true;

    for (columns->count = 0; more; columns->count++) {
        char *end = end_of_field(&header, columns->separator);

        more = *end != '\0';
        *end = '\0';
        if (!more && !*header && columns->count)
            break;
        if (columns->count == room)
            return false;
        header[strcspn(header, "%")] = '\0';
        columns->at[columns->count] = find_role(header, role, roles);
        header = end + more;
    }
    return true;
}

int cs_log_columns_split(const struct cs_log_columns *columns, char *line, const char **role,
                         int roles)
{
    bool more = true;
    int count = 0;

    for (int i = 0; i < roles; i++)
        role[i] = "";
    for (; more; count++) {
        char *end = end_of_field(&line, columns->separator);

        more = *end != '\0';
        *end = '\0';
        if (count == columns->count && !more && !*line)
            break;
        if (count < columns->count && columns->at[count] >= 0)
            role[columns->at[count]] = line;
        line = end + more;
    }
    return count;
}
