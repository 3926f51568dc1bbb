/* availability_components.c - the Failure Trace Archive's component table: from when to when each
 * node was watched.
 *
 * A node is watched while all of its components are.  NULL is the first or the last moment of the
 * file, which limits nothing.
 */
#include "io/availability_build.h"

#include <math.h>
#include <string.h>

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
