/* faults_lanl.c - the failure data of Los Alamos National Laboratory, LA-UR-05-7318. */
#include "io/faults_build.h"

#include "base/csv.h"
#include "base/zone.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define SYSTEMS 100
#define DAY 86400.0

static const char header[] = "System,machine type,";

/* Where the row of names begins: in the first lines; NULL when it is not there. */
static const char *find_header(const char *bytes, size_t size)
{
    const char *at = bytes;

    for (int line = 0; line < 5 && at; line++) {
        const char *end = memchr(at, '\n', size - (size_t)(at - bytes));

        if (size - (size_t)(at - bytes) >= sizeof header - 1 &&
            !memcmp(at, header, sizeof header - 1))
            return at;
        at = end ? end + 1 : NULL;
    }
    return NULL;
}

bool cs_faults_is_lanl(const char *bytes, size_t size)
{
    return find_header(bytes, size) != NULL;
}

/* The title above the names becomes a comment. */
static void hide_title(char *bytes, size_t size)
{
    const char *names = find_header(bytes, size);
    bool begins = true;

    for (char *at = bytes; at < names; at++) {
        if (begins)
            *at = *at == '\n' || *at == '\r' ? *at : '#';
        begins = *at == '\n';
    }
}

struct columns {
    int system, node, started;
};

static int find_columns(const struct cs_csv *csv, struct columns *c, struct cs_error *err)
{
    c->system = cs_csv_require(csv, "System", err);
    c->node = c->system < 0 ? -1 : cs_csv_require(csv, "nodenumz", err);
    c->started = c->node < 0 ? -1 : cs_csv_require(csv, "Prob Started (mm/dd/yy hh:mm)", err);
    return c->started < 0 ? -1 : 0;
}

/* "6/21/2005 10:54" */
static int read_time(const struct cs_csv *csv, int column, double *time, struct cs_error *err)
{
    const char *text = cs_csv_text(csv, column);
    int year, month, day, hour, minute, used = 0;
    int64_t seconds;

    if (sscanf(text, "%2d/%2d/%4d %2d:%2d%n", &month, &day, &year, &hour, &minute, &used) != 5 ||
        text[used] || year < 1900 ||
        cs_calendar_seconds(year, month, day, hour, minute, 0, &seconds))
        return cs_csv_error(csv, column, err,
                            "found \"%.60s\", expected a time such as 6/21/2005 10:54", text);
    *time = (double)seconds;
    return 0;
}

static int faults_lanl_read_row(struct cs_faults *faults, const struct cs_csv *csv,
                                const struct columns *c, struct cs_error *err)
{
    struct cs_fault fault;

    faults->lines++;
    if (!*cs_csv_text(csv, c->node)) {
        faults->skipped++;
        return 0;
    }
    if (cs_csv_int(csv, c->node, 0, INT_MAX - 1, &fault.processor, err) ||
        read_time(csv, c->started, &fault.time, err))
        return -1;
    cs_faults_add(faults, &fault);
    return 0;
}

static int faults_lanl_read_rows(struct cs_faults *faults, struct cs_csv *csv,
                                 const struct columns *c, int system, bool seen[SYSTEMS],
                                 struct cs_error *err)
{
    int more, number;

    while ((more = cs_csv_next(csv, err)) > 0) {
        if (cs_csv_int(csv, c->system, 1, SYSTEMS - 1, &number, err))
            return -1;
        seen[number] = true;
        if (number == system && faults_lanl_read_row(faults, csv, c, err))
            return -1;
    }
    return more;
}

static int no_system(const char *name, int system, const bool seen[SYSTEMS], struct cs_error *err)
{
    struct cs_strbuf list = CS_STRBUF_INIT;

    for (int s = 1; s < SYSTEMS; s++)
        if (seen[s])
            cs_strbuf_printf(&list, "%s%d", list.length ? ", " : "", s);
    if (system)
        cs_error_set(err, "%s: there is no failure of system %d, only of %s", name, system,
                     list.text);
    else
        cs_error_set(err, "%s: the log has several systems: select one of %s", name, list.text);
    cs_strbuf_release(&list);
    return -1;
}

static void start_at_midnight(struct cs_faults *faults)
{
    double first = INFINITY;

    for (size_t i = 0; i < faults->count; i++)
        first = fmin(first, faults->fault[i].time);
    first = floor(first / DAY) * DAY;
    for (size_t i = 0; i < faults->count; i++)
        faults->fault[i].time -= first;
}

static int read_table(struct cs_faults *faults, struct cs_csv *csv, int system,
                      struct cs_error *err)
{
    struct columns columns;
    bool seen[SYSTEMS] = {false};

    if (find_columns(csv, &columns, err) ||
        faults_lanl_read_rows(faults, csv, &columns, system, seen, err))
        return -1;
    if (!faults->lines)
        return no_system(cs_csv_name(csv), system, seen, err);
    start_at_midnight(faults);
    return 0;
}

int cs_faults_read_lanl(struct cs_faults *faults, const char *name, char *bytes, size_t size,
                        int system, struct cs_error *err)
{
    struct cs_csv *csv;
    int status;

    hide_title(bytes, size);
    csv = cs_csv_open_memory(name, bytes, size, err);
    status = csv ? read_table(faults, csv, system, err) : -1;
    cs_csv_close(csv);
    return status;
}
