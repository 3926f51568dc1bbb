/* availability.c - merge files of availability, and detect their format. */
#include "io/availability_build.h"

#include "base/bug.h"
#include "base/file.h"
#include "base/source.h"
#include "base/strbuf.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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
