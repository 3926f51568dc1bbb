/* availability.c - merge files of availability, and detect their format. */
#include "base/bug.h"
#include "base/file.h"
#include "base/source.h"
#include "base/strbuf.h"
#include "io/availability_build.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The Failure Trace Archive's component table: from when to when each
 * node was watched.
 *
 * A node is watched while all of its components are.  NULL is the first or the last moment of the
 * file, which limits nothing.
 */

enum { NODE, START, STOP, COLUMNS };

static const char *const column_names[COLUMNS] = {"node_id", "trace_start", "trace_end"};

static int read_moment(struct cs_lines *lines, const char *what, const char *text, double *out,
                       struct cs_error *err)
{
    *out = NAN;
    return cs_availability_unknown(text) ? 0 : cs_availability_number(lines, what, text, out, err);
}

static struct cs_availability_window *window_of(struct cs_availability_draft *draft, int host)
{
    draft->window =
        cs_availability_grow(draft, draft->window, (size_t)draft->windows, sizeof *draft->window,
                             (size_t)host + 1, &draft->window_room);
    for (; draft->windows <= host; draft->windows++)
        draft->window[draft->windows] = (struct cs_availability_window){NAN, NAN, false};
    return &draft->window[host];
}

static int availability_components_read_row(struct cs_availability_draft *draft,
                                            struct cs_lines *lines, char *line, const int *column,
                                            struct cs_error *err)
{
    char *field[CS_AVAILABILITY_FIELDS];
    struct cs_availability_window *window;
    double from, to;

    if (cs_availability_row(lines, line, column_names, COLUMNS, column, field, err))
        return -1;
    if (read_moment(lines, column_names[START], field[column[START]], &from, err) ||
        read_moment(lines, column_names[STOP], field[column[STOP]], &to, err))
        return -1;
    if (to < from)
        return cs_lines_error(lines, err, "trace_end is %.15g, before trace_start, which is %.15g",
                              to, from);
    if (cs_names_fault(field[column[NODE]]))
        return cs_lines_error(lines, err, "node_id: %s", cs_names_fault(field[column[NODE]]));
    window = window_of(draft, cs_names_add(draft->names, field[column[NODE]]));
    *window = (struct cs_availability_window){fmax(window->from, from), fmin(window->to, to), true};
    draft->first = fmin(draft->first, fmin(from, to));
    draft->last = fmax(draft->last, fmax(from, to));
    return 0;
}

/* A node without events in the file must have a time in the table. */
static int check_windows(const struct cs_availability_draft *draft, const struct cs_lines *lines,
                         int with_events, struct cs_error *err)
{
    int count;
    const char *const *name = cs_names_list(draft->names, &count);

    for (int q = with_events; q < draft->windows; q++)
        if (isnan(draft->window[q].from) && isnan(draft->window[q].to))
            return cs_error_set(err,
                                "%s: node %s has no event, and neither trace_start nor trace_end",
                                cs_lines_name(lines), name[q]);
    return 0;
}

int cs_availability_read_components(struct cs_availability_draft *draft, struct cs_lines *lines,
                                    struct cs_error *err)
{
    int column[COLUMNS], more, with_events;
    bool header = false;
    size_t length;
    char *line;

    cs_names_list(draft->names, &with_events);
    draft->first = draft->last = NAN;
    while ((more = cs_lines_next(lines, &line, &length, err)) == 1) {
        if (!header && !line[strspn(line, " \t\r")])
            continue;
        if (!header) {
            header = true;
            if (cs_availability_header(lines, line, "component", column_names, COLUMNS, column,
                                       err))
                return -1;
        } else if (*line != '#' && line[strspn(line, " \t\r")] &&
                   availability_components_read_row(draft, lines, line, column, err)) {
            return -1;
        }
    }
    if (!more && !header)
        return cs_error_set(err, "%s: nothing in it", cs_lines_name(lines));
    return more ? more : check_windows(draft, lines, with_events, err);
}

/* Cut one file into slots.
 *
 * Slot i lasts from t0 + i L to t0 + (i + 1) L; t0 is the earliest moment of the file. A host is
 * made of marks: intervals of slots in a state, of which the worst counts if they overlap.
 */

#define NEAR 1e-9 /* of a slot: that far from its edge is on it */
#define MOST_SLOTS 1e12
#define MOST_RUNS 50000000

/* A file on its way. */
struct cut {
    struct cs_availability_draft *draft;
    const char *name;
    double slot, start;
    int64_t slots;
    struct cs_fleet_strip strip;
    struct cs_arena *arena;
};

static double first_slot(const struct cut *c, double moment)
{
    return floor((moment - c->start) / c->slot + NEAR);
}

static double last_slot(const struct cut *c, double moment)
{
    return ceil((moment - c->start) / c->slot - NEAR);
}

static int64_t availability_cut_clip(const struct cut *c, double slot)
{
    if (!(slot > 0))
        return 0;
    return slot < (double)c->slots ? (int64_t)slot : c->slots;
}

/* Marks. */

/* From slot `at` on there is one mark more, or one less, of a state. */
struct edge {
    int64_t at;
    int state, change;
};

struct edges {
    struct edge *edge;
    size_t count, room;
};

static int by_slot(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;

    return (x->at > y->at) - (x->at < y->at);
}

/* All slots that a stretch of time has a part in.  A host that went down at a moment was down in
 * that slot. */
static void availability_cut_mark(struct cut *c, struct edges *e, enum cs_fleet_state state,
                                  double from, double to)
{
    double first = first_slot(c, from), end = last_slot(c, to);
    int64_t begin, stop;

    if (end <= first && state == CS_FLEET_DOWN)
        end = first + 1;
    begin = availability_cut_clip(c, first);
    stop = availability_cut_clip(c, end);
    if (stop <= begin)
        return;
    e->edge =
        cs_availability_grow(c->draft, e->edge, e->count, sizeof *e->edge, e->count + 2, &e->room);
    e->edge[e->count++] = (struct edge){begin, state, 1};
    e->edge[e->count++] = (struct edge){stop, state, -1};
}

static enum cs_fleet_state availability_cut_worst(const int *marks)
{
    static const enum cs_fleet_state order[] = {CS_FLEET_DOWN, CS_FLEET_UNKNOWN,
                                                CS_FLEET_RECLAIMED};

    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (marks[order[i]] > 0)
            return order[i];
    return CS_FLEET_UP;
}

/* Up where there is no mark. */
static void lay_marks(struct cut *c, struct edges *e)
{
    int marks[CS_FLEET_UNKNOWN + 1] = {0};

    if (e->count)
        qsort(e->edge, e->count, sizeof *e->edge, by_slot);
    for (size_t i = 0; i < e->count; i++) {
        cs_fleet_strip_add(&c->strip, availability_cut_worst(marks), e->edge[i].at);
        marks[e->edge[i].state] += e->edge[i].change;
    }
    cs_fleet_strip_add(&c->strip, CS_FLEET_UP, c->slots);
    e->count = 0;
}

/* Event tables, and traces. */

static int by_time(const void *a, const void *b)
{
    const struct cs_stretch *x = a, *y = b;

    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

static enum cs_fleet_state state_of(char letter)
{
    return (enum cs_fleet_state)cs_fleet_state_of(letter);
}

/* The moments between which a host was watched. */
static struct cs_availability_window availability_cut_watched(const struct cut *c,
                                                              const struct cs_stretch *stretch,
                                                              size_t count, int host, double end)
{
    const struct cs_availability_draft *draft = c->draft;
    struct cs_availability_window window = {INFINITY, -INFINITY, true};

    if (host < draft->windows && draft->window[host].known) {
        window = draft->window[host];
        window.from = isnan(window.from) ? c->start : window.from;
        window.to = isnan(window.to) ? end : window.to;
        return window;
    }
    for (size_t i = 0; i < count; i++) {
        window.from = fmin(window.from, stretch[i].from);
        window.to = fmax(window.to, stretch[i].to);
    }
    return window;
}

/* The stretches of one host within its window, unknown outside; between them it is up in a list of
 * failures, else unknown. */
static void lay_stretches(struct cut *c, struct edges *e, const struct cs_stretch *stretch,
                          size_t count, int host, double end)
{
    struct cs_availability_window window = availability_cut_watched(c, stretch, count, host, end);
    double edge = c->start + (double)c->slots * c->slot, seen = window.from;

    if (!(window.from <= window.to)) {
        availability_cut_mark(c, e, CS_FLEET_UNKNOWN, c->start, edge);
        lay_marks(c, e);
        return;
    }
    availability_cut_mark(c, e, CS_FLEET_UNKNOWN, c->start, window.from);
    for (size_t i = 0; i < count; i++) {
        double from = fmax(stretch[i].from, window.from), to = fmin(stretch[i].to, window.to);

        if (from > to)
            continue;
        if (from > seen && c->draft->reports_up)
            availability_cut_mark(c, e, CS_FLEET_UNKNOWN, seen, from);
        availability_cut_mark(c, e, state_of(stretch[i].state), from, to);
        seen = fmax(seen, to);
    }
    if (window.to > seen && c->draft->reports_up)
        availability_cut_mark(c, e, CS_FLEET_UNKNOWN, seen, window.to);
    availability_cut_mark(c, e, CS_FLEET_UNKNOWN, window.to, edge);
    lay_marks(c, e);
}

/* The stretches of one host, by time. */
struct reported {
    struct cs_stretch *stretch;
    size_t count, room;
};

static void availability_cut_gather(struct cs_availability_draft *draft, size_t host,
                                    struct reported *reported)
{
    const struct cs_stretch *last = host < draft->reports ? draft->reported[host] : NULL;
    size_t at = 0;

    for (const struct cs_stretch *s = last; s; s = s->before)
        at++;
    reported->stretch = cs_availability_grow(draft, reported->stretch, 0, sizeof *reported->stretch,
                                             at, &reported->room);
    reported->count = at;
    for (const struct cs_stretch *s = last; s; s = s->before)
        reported->stretch[--at] = *s;
    if (reported->count)
        qsort(reported->stretch, reported->count, sizeof *reported->stretch, by_time);
}

static void cut_stretches(struct cut *c, struct cs_availability_zone *zone, double end)
{
    struct edges e = {0};
    struct reported reported = {0};
    int count;
    const char *const *name = cs_names_list(c->draft->names, &count);

    for (int q = 0; q < zone->hosts; q++) {
        availability_cut_gather(c->draft, (size_t)q, &reported);
        lay_stretches(c, &e, reported.stretch, reported.count, q, end);
        zone->host[q] = cs_fleet_strip_host(&c->strip, name[q], c->arena);
    }
}

/* Counts. */

struct count_run {
    int64_t end;
    int count;
};

struct counts {
    struct count_run *run;
    int64_t runs;
};

/* So many in these slots; the first of them may be the last of the run before. */
static void put_count(struct counts *s, int64_t first, int64_t end, int count)
{
    struct count_run *last = s->runs ? &s->run[s->runs - 1] : NULL;

    if (last && last->end > first) {
        int least = last->count < count ? last->count : count;

        last->end = first;
        if ((s->runs > 1 ? s->run[s->runs - 2].end : 0) == first)
            s->runs--;
        s->run[s->runs++] = (struct count_run){++first, least};
    }
    if (end > first)
        s->run[s->runs++] = (struct count_run){end, count};
}

/* The least count of each slot; the last one holds to the end. */
static struct counts count_slots(struct cut *c)
{
    const struct cs_availability_draft *draft = c->draft;
    struct counts s = {CS_NEW_ARRAY(draft->arena, struct count_run, 2 * draft->changes + 2), 0};

    for (size_t i = 0; i < draft->changes; i++) {
        bool last = i + 1 == draft->changes;
        double from = draft->change[i].time, to = last ? 0 : draft->change[i + 1].time;
        int64_t end = last ? c->slots : availability_cut_clip(c, last_slot(c, to));

        if (last || to > from)
            put_count(&s, availability_cut_clip(c, first_slot(c, from)), end,
                      draft->change[i].count);
    }
    return s;
}

static int cut_counts(struct cut *c, struct cs_availability_zone *zone, struct cs_error *err)
{
    struct counts s = count_slots(c);
    int count;
    const char *const *name = cs_names_list(c->draft->names, &count);

    if ((double)s.runs * zone->hosts > MOST_RUNS)
        return cs_error_set(err,
                            "%s: %d hosts and %" PRId64 " changes of their number are too many: "
                            "keep fewer hosts",
                            c->name, zone->hosts, s.runs);
    zone->nested = true;
    for (int q = 0; q < zone->hosts; q++) {
        for (int64_t i = 0; i < s.runs; i++)
            cs_fleet_strip_add(&c->strip, s.run[i].count > q ? CS_FLEET_UP : CS_FLEET_DOWN,
                               s.run[i].end);
        zone->host[q] = cs_fleet_strip_host(&c->strip, name[q], c->arena);
    }
    return 0;
}

/* Instances that live once. */

/* Seat of an instance, since when; -1: it is not there. */
struct instance {
    int seat;
    size_t order; /* of its addition */
    double since;
};

/* A host is a seat: lives one after the other. */
struct seat {
    bool taken;
    struct cs_fleet_strip strip;
};

struct seats {
    struct instance *instance; /* by number of its name */
    struct seat *seat;
    int seats;
    size_t room;
    size_t added;
    struct cs_availability_zone *zone;
};

static int take_seat(struct cut *c, struct seats *s)
{
    int seat = 0;

    while (seat < s->seats && s->seat[seat].taken)
        seat++;
    if (seat == s->seats) {
        s->seat = cs_availability_grow(c->draft, s->seat, (size_t)s->seats, sizeof *s->seat,
                                       (size_t)s->seats + 1, &s->room);
        s->seat[s->seats++] = (struct seat){.strip = {.arena = c->draft->arena}};
    }
    s->seat[seat].taken = true;
    return seat;
}

/* A life is over, or the file is: up in the slots that lie wholly inside. */
static void leave_seat(struct cut *c, struct seats *s, struct instance *who, double now, bool ended)
{
    struct seat *seat = &s->seat[who->seat];
    int64_t first = availability_cut_clip(c, ceil((who->since - c->start) / c->slot - NEAR));
    int64_t end = availability_cut_clip(c, floor((now - c->start) / c->slot + NEAR));

    if (end > first) {
        cs_fleet_strip_add(&seat->strip, CS_FLEET_DOWN, first);
        cs_fleet_strip_add(&seat->strip, CS_FLEET_UP, end);
    }
    s->zone->life[s->zone->lifetimes++] = (struct cs_fleet_life){now - who->since, ended};
    seat->taken = false;
    who->seat = -1;
}

static void remove_instance(struct cut *c, struct seats *s,
                            const struct cs_availability_change *change)
{
    struct instance *who = &s->instance[change->instance];

    if (!change->comes && who->seat >= 0)
        leave_seat(c, s, who, change->time, true);
}

static void add_instance(struct cut *c, struct seats *s,
                         const struct cs_availability_change *change)
{
    struct instance *who = &s->instance[change->instance];

    if (change->comes && who->seat < 0)
        *who = (struct instance){take_seat(c, s), s->added++, change->time};
}

/* Apply the events of one time: removals first, then additions. */
static void change_seats(struct cut *c, struct seats *s, size_t from, size_t to)
{
    const struct cs_availability_change *change = c->draft->change;

    for (size_t i = from; i < to; i++)
        remove_instance(c, s, &change[i]);
    for (size_t i = from; i < to; i++)
        add_instance(c, s, &change[i]);
}

static int by_order(const void *a, const void *b)
{
    const struct instance *const *x = a, *const *y = b;

    return ((*x)->order > (*y)->order) - ((*x)->order < (*y)->order);
}

/* The instances at the end, in order of arrival. */
static void end_seats(struct cut *c, struct seats *s, int names, double end)
{
    struct instance **who = CS_NEW_ARRAY(c->draft->arena, struct instance *, names);
    int count = 0;

    for (int i = 0; i < names; i++)
        if (s->instance[i].seat >= 0)
            who[count++] = &s->instance[i];
    if (count)
        qsort(who, (size_t)count, sizeof *who, by_order);
    for (int i = 0; i < count; i++)
        leave_seat(c, s, who[i], end, false);
}

static void cut_instances(struct cut *c, struct cs_availability_zone *zone, double end, int hosts)
{
    const struct cs_availability_draft *draft = c->draft;
    struct seats s = {.zone = zone};
    int names;

    cs_names_list(draft->names, &names);
    s.instance = CS_NEW_ARRAY(draft->arena, struct instance, names);
    zone->life = CS_NEW_ARRAY(c->arena, struct cs_fleet_life, draft->changes);
    for (int i = 0; i < names; i++)
        s.instance[i].seat = -1;
    for (size_t i = 0, next; i < draft->changes; i = next) {
        for (next = i; next < draft->changes && draft->change[next].time == draft->change[i].time;)
            next++;
        change_seats(c, &s, i, next);
    }
    end_seats(c, &s, names, end);
    zone->hosts = hosts && hosts < s.seats ? hosts : s.seats;
    zone->host = CS_NEW_ARRAY(c->arena, struct cs_fleet_host, zone->hosts);
    for (int q = 0; q < zone->hosts; q++) {
        struct cs_strbuf text = CS_STRBUF_INIT;

        cs_strbuf_printf(&text, "%d", q);
        cs_fleet_strip_add(&s.seat[q].strip, CS_FLEET_DOWN, c->slots);
        zone->host[q] = cs_fleet_strip_host(&s.seat[q].strip, text.text, c->arena);
        cs_strbuf_release(&text);
    }
}

/* The first and last time in the file. */
static struct cs_availability_window
availability_cut_window_of(const struct cs_availability_draft *draft)
{
    struct cs_availability_window window = {INFINITY, -INFINITY, true};

    if (draft->count)
        window = (struct cs_availability_window){draft->from, draft->to, true};
    if (draft->windows) {
        window.from = fmin(window.from, draft->first);
        window.to = fmax(window.to, draft->last);
    }
    if (draft->changes) {
        window.from = draft->change[0].time;
        window.to = draft->end;
    }
    return window;
}

int cs_availability_cut(struct cs_availability_draft *draft, const char *name, double slot,
                        int hosts, struct cs_availability_zone *zone, struct cs_arena *arena,
                        struct cs_error *err)
{
    struct cs_availability_window window = availability_cut_window_of(draft);
    struct cut c = {.draft = draft,
                    .name = name,
                    .slot = slot,
                    .start = window.from,
                    .strip = {.arena = draft->arena},
                    .arena = arena};
    double slots = ceil((window.to - window.from) / slot - NEAR);

    if (!(slots >= 1) || slots > MOST_SLOTS)
        return cs_error_set(err, "%s: the trace lasts %.6g s, which is %s slot of %.6g s", name,
                            window.to - window.from, slots >= 1 ? "too many a" : "no", slot);
    *zone = (struct cs_availability_zone){.slots = (int64_t)slots};
    c.slots = zone->slots;
    if (draft->changes && draft->change[0].count < 0) {
        cut_instances(&c, zone, window.to, hosts);
        return 0;
    }
    cs_names_list(draft->names, &zone->hosts);
    zone->hosts = hosts && hosts < zone->hosts ? hosts : zone->hosts;
    zone->host = CS_NEW_ARRAY(arena, struct cs_fleet_host, zone->hosts);
    if (draft->changes)
        return cut_counts(&c, zone, err);
    cut_stretches(&c, zone, window.to);
    return 0;
}

void *cs_availability_grow(struct cs_availability_draft *draft, void *old, size_t count,
                           size_t size, size_t least, size_t *room)
{
    void *bigger;

    if (*room >= least)
        return old;
    *room = 2 * *room > least ? 2 * *room : least;
    bigger = cs_arena_alloc(draft->arena, *room, size);
    if (count)
        memcpy(bigger, old, count * size);
    return bigger;
}

void cs_availability_add(struct cs_availability_draft *draft, int host, char state, double from,
                         double to)
{
    struct cs_stretch *stretch = CS_NEW(draft->arena, struct cs_stretch);
    const size_t reports = (size_t)host + 1;

    CS_REQUIRE(host >= 0 && from <= to);
    draft->reported = cs_availability_grow(draft, draft->reported, draft->reports,
                                           sizeof *draft->reported, reports, &draft->report_room);
    draft->reports = reports > draft->reports ? reports : draft->reports;
    *stretch = (struct cs_stretch){from, to, draft->reported[host], state};
    draft->reported[host] = stretch;
    draft->from = draft->count ? fmin(draft->from, from) : from;
    draft->to = draft->count ? fmax(draft->to, to) : to;
    draft->count++;
}

void cs_availability_change(struct cs_availability_draft *draft,
                            const struct cs_availability_change *change)
{
    if (draft->changes == draft->change_room)
        draft->change =
            cs_availability_grow(draft, draft->change, draft->changes, sizeof *draft->change,
                                 draft->changes + 256, &draft->change_room);
    draft->change[draft->changes++] = *change;
}

int cs_availability_host(struct cs_availability_draft *draft, int number)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    int host;

    cs_strbuf_printf(&text, "%d", number);
    host = cs_names_add(draft->names, text.text);
    cs_strbuf_release(&text);
    return host;
}

/* The archive separates columns by tabs, and often their names by blanks. */
static bool of_table(const char *line)
{
    return strchr(line, '\t') || (*line == '#' && strstr(line, "event_type"));
}

/* Blanks, or a comment that is not the header of a table. */
static bool says_nothing(const char *line, size_t length)
{
    return strspn(line, " \t\r") == length || (*line == '#' && !of_table(line));
}

int cs_availability_read_lines(struct cs_availability_draft *draft, struct cs_lines *lines,
                               struct cs_error *err)
{
    char *line = NULL;
    size_t length = 0;
    int more;

    do {
        more = cs_lines_next(lines, &line, &length, err);
    } while (more == 1 && says_nothing(line, length));
    if (more == 1)
        return of_table(line) ? cs_availability_read_table(draft, lines, line, err)
                              : cs_availability_read_spot(draft, lines, line, err);
    return more ? -1 : cs_error_set(err, "%s: nothing in it", cs_lines_name(lines));
}

const char *cs_availability_begin(const char *bytes, size_t size)
{
    const char *end = bytes + size;

    if (size >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3))
        bytes += 3;
    while (bytes < end && strchr(" \t\r\n", *bytes) && *bytes)
        bytes++;
    return bytes < end ? bytes : NULL;
}
