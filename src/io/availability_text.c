/* availability_text.c - the Failure Trace Archive's table of events, and spot instances as lines.
 */
#include "base/plain.h"
#include "io/availability_build.h"

#include "base/number.h"
#include "base/strbuf.h"
#include "base/zone.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Split a line at the separators, in place, without blanks around; how many, at most
 * CS_AVAILABILITY_FIELDS. */
static int availability_split(char *line, char separator, char **field)
{
    int count = 0;

    for (char *next = line; next && count < CS_AVAILABILITY_FIELDS;) {
        char *at = next, *end;

        next = strchr(at, separator);
        if (next)
            *next++ = '\0';
        at += strspn(at, " \t");
        for (end = at + strlen(at); end > at && strchr(" \t\r", end[-1]); end--)
            end[-1] = '\0';
        field[count++] = at;
    }
    return count;
}

static bool is_blank(const char *line)
{
    return !line[strspn(line, " \t\r")];
}

/* The event table. */

enum { NODE, TYPE, START, STOP, COLUMNS };

static const char *const column_names[COLUMNS] = {"node_id", "event_type", "event_start_time",
                                                  "event_stop_time"};

/* The order of the archive: event, component, node and platform id, node name, type, start, stop.
 */
static const int usual_columns[COLUMNS] = {2, 5, 6, 7};

int cs_availability_header(struct cs_lines *lines, char *line, const char *table,
                           const char *const *name, int columns, int *column, struct cs_error *err)
{
    char *field[CS_AVAILABILITY_FIELDS];
    int count =
        availability_split(line + strspn(line, "# "), strchr(line, '\t') ? '\t' : ' ', field);

    for (int c = 0; c < columns; c++) {
        column[c] = -1;
        for (int f = 0; f < count; f++)
            if (!cs_plain_compare(field[f], name[c]))
                column[c] = f;
        if (column[c] < 0)
            return cs_lines_error(lines, err, "the header of the %s table has no column \"%s\"",
                                  table, name[c]);
    }
    return 0;
}

int cs_availability_row(struct cs_lines *lines, char *line, const char *const *name, int columns,
                        const int *column, char **field, struct cs_error *err)
{
    const int count = availability_split(line, '\t', field);

    for (int c = 0; c < columns; c++)
        if (column[c] >= count)
            return cs_lines_error(lines, err,
                                  "%d columns, expected at least %d separated by tabs: %s is "
                                  "number %d",
                                  count, column[c] + 1, name[c], column[c] + 1);
    return 0;
}

int cs_availability_number(struct cs_lines *lines, const char *what, const char *text, double *out,
                           struct cs_error *err)
{
    struct cs_strbuf shown = CS_STRBUF_INIT;

    if (cs_number_double(text, out) == CS_NUMBER_FINE && fabs(*out) <= 1e15)
        return 0;
    cs_strbuf_put_excerpt(&shown, text);
    cs_lines_error(lines, err, "%s: found %s, expected a number", what, shown.text);
    cs_strbuf_release(&shown);
    return -1;
}

/* The archive's codes of events: 0 and what is not here is down; 2 (user present) and 3 (CPU
 * threshold exceeded) are those of the Notre Dame trace. */
static char letter_of(double type)
{
    if (type == 1)
        return 'u';
    return type == 2 || type == 3 ? 'r' : 'd';
}

bool cs_availability_unknown(const char *text)
{
    return !*text || !cs_plain_compare(text, "null") || !cs_plain_compare(text, "na");
}

/* A line that does not know when is left out. */
static int read_event(struct cs_availability_draft *draft, struct cs_lines *lines, char *line,
                      const int *column, struct cs_error *err)
{
    char *field[CS_AVAILABILITY_FIELDS];
    int host;
    double from, to, type;

    if (cs_availability_row(lines, line, column_names, COLUMNS, column, field, err))
        return -1;
    if (cs_availability_unknown(field[column[START]]) ||
        cs_availability_unknown(field[column[STOP]]))
        return 0;
    if (cs_availability_number(lines, column_names[START], field[column[START]], &from, err) ||
        cs_availability_number(lines, column_names[STOP], field[column[STOP]], &to, err) ||
        cs_availability_number(lines, column_names[TYPE], field[column[TYPE]], &type, err))
        return -1;
    if (to < from)
        return cs_lines_error(lines, err, "the event stops at %.15g, before it starts at %.15g", to,
                              from);
    if (cs_names_fault(field[column[NODE]]))
        return cs_lines_error(lines, err, "node_id: %s", cs_names_fault(field[column[NODE]]));
    host = cs_names_add(draft->names, field[column[NODE]]);
    cs_availability_add(draft, host, letter_of(type), from, to);
    draft->reports_up |= type == 1;
    return 0;
}

int cs_availability_read_table(struct cs_availability_draft *draft, struct cs_lines *lines,
                               char *line, struct cs_error *err)
{
    int column[COLUMNS], more;
    bool header = false;
    size_t length;

    draft->kind = "event table";
    memcpy(column, usual_columns, sizeof column);
    do {
        if (!header && strstr(line, "event_type")) {
            header = true;
            if (cs_availability_header(lines, line, "event", column_names, COLUMNS, column, err))
                return -1;
        } else if (*line != '#' && !is_blank(line) && read_event(draft, lines, line, column, err)) {
            return -1;
        }
        more = cs_lines_next(lines, &line, &length, err);
    } while (more == 1);
    return more;
}

/* Spot instances. */

/* The change of a line: a count, or one added or removed instance. */
struct change {
    double time;
    int count; /* or -1 */
    bool comes;
    const char *instance;
};

static int read_date(struct cs_lines *lines, char **field, struct change *change,
                     struct cs_error *err)
{
    int year, month, day, hour, minute, second, used = 0, at = 0;
    int64_t seconds;

    if (sscanf(field[0], "%4d-%2d-%2d%n", &year, &month, &day, &used) != 3 || field[0][used] ||
        sscanf(field[1], "%2d:%2d:%2d%n", &hour, &minute, &second, &at) != 3 || field[1][at] ||
        cs_calendar_seconds(year, month, day, hour, minute, second, &seconds))
        return cs_lines_error(lines, err,
                              "found \"%.40s, %.40s\", expected a date and a time such as "
                              "2021-12-11, 11:11:30",
                              field[0], field[1]);
    if (cs_number_int(field[2], &change->count) != CS_NUMBER_FINE || change->count < 0 ||
        change->count > CS_AVAILABILITY_HOSTS_MOST)
        return cs_lines_error(lines, err, "found \"%.40s\", expected a number of instances",
                              field[2]);
    change->time = (double)seconds;
    return 0;
}

static int read_change(struct cs_lines *lines, char *line, struct change *change,
                       struct cs_error *err)
{
    char *field[CS_AVAILABILITY_FIELDS];
    int count = availability_split(line, ',', field);
    bool add = count == 3 && !strcmp(field[1], "add");

    *change = (struct change){.count = -1, .comes = add};
    if (count != 3)
        return cs_lines_error(lines, err,
                              "%d fields, expected 3: \"2021-12-11, 11:11:30, 55\" or "
                              "\"60000,add,node19\"; or tabs, as in the Failure Trace Archive",
                              count);
    if (!add && strcmp(field[1], "remove"))
        return read_date(lines, field, change, err);
    if (cs_availability_number(lines, "milliseconds", field[0], &change->time, err))
        return -1;
    if (cs_names_fault(field[2]))
        return cs_lines_error(lines, err, "the instance: %s", cs_names_fault(field[2]));
    change->time /= 1000;
    change->instance = field[2];
    return 0;
}

/* Instances, under way. */
struct spot {
    double *since; /* by host: up since; NaN while it is not there */
    int hosts, room;
    double first, now;
    bool counts;
};

static void availability_text_grow(struct cs_availability_draft *draft, struct spot *spot,
                                   int hosts)
{
    if (hosts > spot->room) {
        int room = 2 * hosts;
        double *bigger = CS_NEW_ARRAY(draft->arena, double, room);

        for (int i = 0; i < room; i++)
            bigger[i] = i < spot->hosts ? spot->since[i] : NAN;
        spot->since = bigger;
        spot->room = room;
    }
    spot->hosts = hosts > spot->hosts ? hosts : spot->hosts;
}

static void set_up(struct cs_availability_draft *draft, struct spot *spot, int host, bool up)
{
    if (up && isnan(spot->since[host]))
        spot->since[host] = spot->now;
    if (!up && !isnan(spot->since[host])) {
        cs_availability_add(draft, host, 'u', spot->since[host], spot->now);
        spot->since[host] = NAN;
    }
}

static int availability_text_apply(struct cs_availability_draft *draft, struct cs_lines *lines,
                                   struct spot *spot, const struct change *change,
                                   struct cs_error *err)
{
    bool first = isnan(spot->first);
    int host;

    if (!first && change->time < spot->now)
        return cs_lines_error(lines, err, "this is earlier than the line before");
    if (!first && spot->counts != (change->count >= 0))
        return cs_lines_error(lines, err, "a count among instances, or the other way round");
    spot->first = first ? change->time : spot->first;
    spot->now = change->time;
    spot->counts = change->count >= 0;
    if (!spot->counts) {
        host = cs_names_add(draft->names, change->instance);
        cs_availability_change(
            draft, &(struct cs_availability_change){change->time, -1, host, change->comes});
        availability_text_grow(draft, spot, host + 1);
        set_up(draft, spot, host, change->comes);
        return 0;
    }
    cs_availability_change(draft,
                           &(struct cs_availability_change){change->time, change->count, 0, 0});
    for (host = spot->hosts; host < change->count; host++)
        cs_availability_host(draft, host);
    availability_text_grow(draft, spot, change->count);
    for (host = 0; host < spot->hosts; host++)
        set_up(draft, spot, host, host < change->count);
    return 0;
}

/* Instances at the end stay until then; all have the window of the file. */
static void end_spot(struct cs_availability_draft *draft, struct spot *spot)
{
    for (int host = 0; host < spot->hosts; host++) {
        set_up(draft, spot, host, false);
        cs_availability_add(draft, host, 'u', spot->first, spot->first);
        cs_availability_add(draft, host, 'u', spot->now, spot->now);
    }
    draft->end = spot->now;
}

int cs_availability_read_spot(struct cs_availability_draft *draft, struct cs_lines *lines,
                              char *line, struct cs_error *err)
{
    struct spot spot = {.first = NAN};
    struct change change;
    size_t length;
    int more = 1;

    draft->kind = "spot instances";
    do {
        if (*line != '#' && !is_blank(line) &&
            (read_change(lines, line, &change, err) ||
             availability_text_apply(draft, lines, &spot, &change, err)))
            return -1;
        more = cs_lines_next(lines, &line, &length, err);
    } while (more == 1);
    end_spot(draft, &spot);
    return more;
}
