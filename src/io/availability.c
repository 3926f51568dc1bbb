/* availability.c - which kind of file it is, and stretches made into slots. */
#include "io/availability_build.h"

#include "base/bug.h"
#include "base/file.h"
#include "base/source.h"
#include "base/strbuf.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define USUAL_SLOT 60.0
#define MOST_LETTERS ((double)(1 << 30))
#define MOST_SLOTS 100000000.0

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
    CS_REQUIRE(host >= 0 && from <= to);
    if (draft->count == draft->room)
        draft->stretch =
            cs_availability_grow(draft, draft->stretch, draft->count, sizeof *draft->stretch,
                                 draft->count + 256, &draft->room);
    draft->stretch[draft->count++] = (struct cs_stretch){host, state, from, to};
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

static int read_lines(struct cs_availability_draft *draft, const char *name, const void *bytes,
                      size_t size, struct cs_error *err)
{
    struct cs_lines *lines = cs_lines_open_memory(name, bytes, size);
    int status = cs_availability_read_lines(draft, lines, err);

    cs_lines_close(lines);
    return status;
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

static int read_draft(struct cs_availability_draft *draft, const char *name, const void *bytes,
                      size_t size, struct cs_error *err)
{
    const char *first = size ? cs_availability_begin(bytes, size) : NULL;
    int status;

    if (first && *first == '{')
        status = cs_availability_read_json(draft, name, bytes, size, err);
    else
        status = read_lines(draft, name, bytes, size, err);
    if (!status && !draft->count)
        return cs_error_set(err, "%s: no host in it", name);
    return status;
}

/* When a draft begins and ends. */
struct window {
    double from, to;
};

static struct window window_of(const struct cs_availability_draft *draft)
{
    struct window window = {INFINITY, -INFINITY};

    for (size_t i = 0; i < draft->count; i++) {
        window.from = fmin(window.from, draft->stretch[i].from);
        window.to = fmax(window.to, draft->stretch[i].to);
    }
    return window;
}

static int by_time(const void *a, const void *b)
{
    const struct cs_stretch *x = a, *y = b;

    if (x->host != y->host)
        return x->host < y->host ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

/* Hosts in slots, under way: 0 is a slot of which nothing is known. */
struct slots {
    double slot;
    int64_t count;
    char **row;
};

static int worse(char state)
{
    return state == 'd' ? 3 : state == 'r' ? 2 : state == 'u';
}

static void paint(char *row, const struct slots *s, char state, double from, double to)
{
    double last = ceil(to / s->slot - 1e-9), first = floor(from / s->slot + 1e-9);
    int64_t end = last > (double)s->count ? s->count : (int64_t)last;

    if (first >= (double)s->count)
        return;
    if (end <= (int64_t)first && state == 'd')
        end = (int64_t)first + 1;
    for (int64_t t = (int64_t)first; t < end; t++)
        if (worse(state) > worse(row[t]))
            row[t] = state;
}

/* All stretches of one host, and down between them. */
static void paint_host(char *row, const struct slots *s, const struct cs_stretch *stretch,
                       size_t count, double from)
{
    double end = 0;

    for (size_t i = 0; i < count; i++) {
        double begin = stretch[i].from - from;

        if (begin > end)
            paint(row, s, 'd', end, begin);
        paint(row, s, stretch[i].state, begin, stretch[i].to - from);
        end = fmax(end, stretch[i].to - from);
    }
    for (int64_t t = 0; t < s->count; t++)
        row[t] = row[t] ? row[t] : 'd';
}

static void paint_draft(struct cs_availability_draft *draft, const struct slots *s, int hosts)
{
    double from = window_of(draft).from;
    size_t next;

    qsort(draft->stretch, draft->count, sizeof *draft->stretch, by_time);
    for (size_t i = 0; i < draft->count && draft->stretch[i].host < hosts; i = next) {
        int host = draft->stretch[i].host;

        for (next = i; next < draft->count && draft->stretch[next].host == host; next++)
            continue;
        paint_host(s->row[host], s, draft->stretch + i, next - i, from);
    }
}

/* "trace.json" of "a/trace.json.gz", to tell the hosts of several files apart. */
static const char *stem(const char *path, struct cs_arena *arena)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

    return cs_arena_strndup(arena, name, strcspn(name, "."));
}

/* Drafts of several files, made into one. */
struct merge {
    struct cs_availability_draft *draft;
    const char *const *path;
    int drafts;
    const struct cs_availability_options *options;
};

static int hosts_of(const struct cs_availability_draft *draft)
{
    int count;

    cs_names_list(draft->names, &count);
    return count;
}

static void name_hosts(struct cs_availability *a, const struct merge *m, int d, int first,
                       int hosts)
{
    const char **name = (const char **)(uintptr_t)a->name;
    const char *const *list;
    int count;

    list = cs_names_list(m->draft[d].names, &count);
    for (int q = 0; q < hosts; q++) {
        struct cs_strbuf text = CS_STRBUF_INIT;

        if (m->drafts > 1)
            cs_strbuf_puts(&text, stem(m->path[d], a->arena));
        if (m->drafts > 1 && count > 1)
            cs_strbuf_putc(&text, ' ');
        if (m->drafts == 1 || count > 1)
            cs_strbuf_puts(&text, list[q]);
        name[first + q] = cs_arena_strdup(a->arena, text.text);
        cs_strbuf_release(&text);
    }
}

/* How long a slot is, how many there are, how many hosts; -1 with err when that is too much. */
static int measure(struct cs_availability *a, const struct merge *m, struct cs_error *err)
{
    double shortest = INFINITY, hosts = 0, slots;

    a->kind = m->draft[0].kind;
    a->slot = m->options->slot > 0  ? m->options->slot
              : m->draft[0].gap > 0 ? m->draft[0].gap
                                    : USUAL_SLOT;
    for (int d = 0; d < m->drafts; d++) {
        struct window window = window_of(&m->draft[d]);

        shortest = fmin(shortest, window.to - window.from);
        hosts += hosts_of(&m->draft[d]);
    }
    if (m->options->hosts > 0)
        hosts = fmin(hosts, m->options->hosts);
    slots = floor(shortest / a->slot + 1e-9);
    if (slots < 1)
        return cs_error_set(err, "%s: the trace lasts %.6g s, which is no slot of %.6g s",
                            m->path[0], shortest, a->slot);
    if (slots > MOST_SLOTS || slots * hosts > MOST_LETTERS)
        return cs_error_set(err,
                            "%s: %.0f hosts in %.0f slots of %.6g s are too many: take longer "
                            "slots or fewer hosts",
                            m->path[0], hosts, slots, a->slot);
    a->hosts = (int)hosts;
    a->slots = (int64_t)slots;
    return 0;
}

static struct cs_availability *merge(const struct merge *m, struct cs_arena *arena,
                                     struct cs_error *err)
{
    struct cs_availability *a = CS_NEW(arena, struct cs_availability);
    char **row;
    int first = 0;

    a->arena = arena;
    if (measure(a, m, err))
        return NULL;
    row = CS_NEW_ARRAY(arena, char *, a->hosts);
    a->name = CS_NEW_ARRAY(arena, const char *, a->hosts);
    for (int q = 0; q < a->hosts; q++)
        row[q] = CS_NEW_ARRAY(arena, char, a->slots + 1);
    for (int d = 0; d < m->drafts && first < a->hosts; d++) {
        int left = a->hosts - first, hosts = hosts_of(&m->draft[d]);
        const struct slots s = {a->slot, a->slots, row + first};

        hosts = hosts < left ? hosts : left;
        paint_draft(&m->draft[d], &s, hosts);
        name_hosts(a, m, d, first, hosts);
        first += hosts;
    }
    a->trace = (const char *const *)row;
    return a;
}

static struct cs_availability_draft draft_of(struct cs_arena *scratch)
{
    return (struct cs_availability_draft){.arena = scratch, .names = cs_names_create(scratch)};
}

static struct cs_availability *finish(const struct merge *m, int status, struct cs_arena *scratch,
                                      struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_availability *a = status ? NULL : merge(m, arena, err);

    if (!a)
        cs_arena_destroy(arena);
    cs_arena_destroy(scratch);
    return a;
}

struct cs_availability *cs_availability_read_memory(const char *name, const void *bytes,
                                                    size_t size,
                                                    const struct cs_availability_options *options,
                                                    struct cs_error *err)
{
    struct cs_arena *scratch = cs_arena_create();
    struct cs_availability_draft draft = draft_of(scratch);
    const struct merge m = {&draft, &name, 1, options};

    return finish(&m, read_draft(&draft, name, bytes, size, err), scratch, err);
}

struct cs_availability *cs_availability_read(const char *const *path, int count,
                                             const struct cs_availability_options *options,
                                             struct cs_error *err)
{
    struct cs_arena *scratch = cs_arena_create();
    struct cs_availability_draft *draft =
        CS_NEW_ARRAY(scratch, struct cs_availability_draft, count);
    const char **name = CS_NEW_ARRAY(scratch, const char *, count);
    const struct merge m = {draft, name, count, options};
    int status = 0;

    for (int d = 0; d < count && !status; d++) {
        struct cs_strbuf text = CS_STRBUF_INIT;

        name[d] = cs_source_name(path[d]);
        draft[d] = draft_of(scratch);
        status = cs_file_read(path[d], CS_FILE_LARGEST, &text, err) ||
                 read_draft(&draft[d], name[d], text.text, text.length, err);
        cs_strbuf_release(&text);
    }
    return finish(&m, status, scratch, err);
}

void cs_availability_destroy(struct cs_availability *availability)
{
    if (availability)
        cs_arena_destroy(availability->arena);
}
