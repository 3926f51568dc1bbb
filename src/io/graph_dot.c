/* graph_dot.c - DOT as daggen --dot and SimGrid write it.
 *
 *     digraph G {
 *       1 [size="49659735022", alpha="0.19"]
 *       1 -> 3 [size="411041792"]
 *       3 [size="3775920707"]
 *     }
 *
 * A node is a task: size is its work in flop, alpha its sequential part (0 when it does not say).
 * An arc carries size bytes (0; negative ones are 0, as for SimGrid).  Defaults (node [...], edge
 * [...]), chains a -> b -> c, ports, attributes of other names and assignments are fine.  An arc
 * may come before the nodes at its ends, but nodes must be declared.  A node "root" or "end" of
 * size 0 is a dummy that is dropped with its arcs.  Subgraphs, undirected graphs and HTML text are
 * refused: this is a subset of the language, without a library that brings a window system along.
 */
#include "base/number.h"
#include "base/utf8.h"
#include "io/dot_lex.h"
#include "io/graph_build.h"

#include <math.h>
#include <string.h>

struct attributes {
    double size, alpha; /* NaN: not said */
};

struct pending {
    int from, to; /* in `seen` */
    double bytes;
    long line;
};

struct reader {
    struct cs_dot_lex lex;
    struct cs_graph_draft draft;
    struct cs_names *seen; /* every name that a node or an arc uses */
    int *task;             /* by seen: task + 1; 0: not declared; -1: a dummy */
    int task_room;
    struct pending *arc;
    int arcs, room;
    struct attributes node, edge; /* defaults */
};

static int see(struct reader *r, const char *name)
{
    int at = cs_names_add(r->seen, name);

    if (at >= r->task_room) {
        int room = r->task_room ? 2 * r->task_room : 64;
        int *more = CS_NEW_ARRAY(r->draft.arena, int, room);

        if (r->task_room)
            memcpy(more, r->task, (size_t)r->task_room * sizeof *more);
        r->task = more;
        r->task_room = room;
    }
    return at;
}

static int read_value(struct reader *r, const char *name, double *value, struct cs_error *err)
{
    const char *text = r->lex.text.text;

    if (cs_number_double(text, value) == CS_NUMBER_FINE)
        return 0;
    *value = NAN;
    cs_dot_lex_expected(&r->lex, "a number", err);
    return cs_error_prefix(err, "%s", name);
}

/* a = b, the current word being a; with no `out` whatever it is. */
static int read_attribute(struct reader *r, struct attributes *out, struct cs_error *err)
{
    bool size, alpha;

    if (r->lex.kind != CS_DOT_ID)
        return cs_dot_lex_expected(&r->lex, "the name of an attribute", err);
    size = out && !strcmp(r->lex.text.text, "size");
    alpha = out && !strcmp(r->lex.text.text, "alpha");
    if (cs_dot_lex_next(&r->lex, err))
        return -1;
    if (!cs_dot_lex_is(&r->lex, '='))
        return cs_dot_lex_expected(&r->lex, "= and the value of an attribute", err);
    if (cs_dot_lex_next(&r->lex, err))
        return -1;
    if (r->lex.kind != CS_DOT_ID)
        return cs_dot_lex_expected(&r->lex, "the value of an attribute", err);
    if (size && read_value(r, "size", &out->size, err))
        return -1;
    if (alpha && read_value(r, "alpha", &out->alpha, err))
        return -1;
    return cs_dot_lex_next(&r->lex, err);
}

/* [a=b, c=d] [e=f], if there are any. */
static int read_attributes(struct reader *r, struct attributes *out, struct cs_error *err)
{
    while (cs_dot_lex_is(&r->lex, '[')) {
        if (cs_dot_lex_next(&r->lex, err))
            return -1;
        while (!cs_dot_lex_is(&r->lex, ']')) {
            if (read_attribute(r, out, err))
                return -1;
            if ((cs_dot_lex_is(&r->lex, ',') || cs_dot_lex_is(&r->lex, ';')) &&
                cs_dot_lex_next(&r->lex, err))
                return -1;
        }
        if (cs_dot_lex_next(&r->lex, err))
            return -1;
    }
    return 0;
}

static int declare(struct reader *r, int at, const char *name, const struct attributes *given,
                   long line, struct cs_error *err)
{
    struct cs_error fault = {0};
    double alpha = isnan(given->alpha) ? 0 : given->alpha;
    int task;

    r->lex.line = line;
    if (r->task[at])
        return cs_dot_lex_error(&r->lex, err, "task %.60s is there twice", name);
    if (isnan(given->size))
        return cs_dot_lex_error(&r->lex, err, "task %.60s has no size, which is its work in flop",
                                name);
    if (given->size == 0 && (!strcmp(name, "root") || !strcmp(name, "end"))) {
        r->task[at] = -1;
        return 0;
    }
    if (!(given->size >= 0))
        return cs_dot_lex_error(&r->lex, err,
                                "task %.60s: the size is %g flop, it must not be "
                                "negative",
                                name, given->size);
    if (!(alpha >= 0 && alpha <= 1))
        return cs_dot_lex_error(&r->lex, err, "task %.60s: alpha is %g, it must be in 0 .. 1", name,
                                alpha);
    task = cs_graph_draft_task(&r->draft, name, given->size, alpha, &fault);
    if (task < 0)
        return cs_dot_lex_error(&r->lex, err, "%s", fault.text);
    r->task[at] = task + 1;
    return 0;
}

static void add_arc(struct reader *r, int from, int to)
{
    if (r->arcs == r->room) {
        int room = r->room ? 2 * r->room : 64;
        struct pending *more = CS_NEW_ARRAY(r->draft.arena, struct pending, room);

        if (r->arcs > 0)
            memcpy(more, r->arc, (size_t)r->arcs * sizeof *more);
        r->arc = more;
        r->room = room;
    }
    r->arc[r->arcs++] = (struct pending){from, to, 0, r->lex.line};
}

/* The name of a node, and perhaps :port:compass, which says nothing here. */
static int read_node_id(struct reader *r, int *at, struct cs_error *err)
{
    if (cs_dot_lex_is(&r->lex, '{') || cs_dot_lex_keyword(&r->lex, "subgraph"))
        return cs_dot_lex_error(&r->lex, err, "subgraphs are not read");
    if (r->lex.kind != CS_DOT_ID)
        return cs_dot_lex_expected(&r->lex, "the name of a node", err);
    *at = see(r, r->lex.text.text);
    if (cs_dot_lex_next(&r->lex, err))
        return -1;
    while (cs_dot_lex_is(&r->lex, ':')) {
        if (cs_dot_lex_next(&r->lex, err))
            return -1;
        if (r->lex.kind != CS_DOT_ID)
            return cs_dot_lex_expected(&r->lex, "a port", err);
        if (cs_dot_lex_next(&r->lex, err))
            return -1;
    }
    return 0;
}

/* -> b -> c [size=...] */
static int read_chain(struct reader *r, int from, struct cs_error *err)
{
    struct attributes given = r->edge;
    int first = r->arcs, to;

    while (r->lex.kind == CS_DOT_ARROW) {
        if (cs_dot_lex_next(&r->lex, err) || read_node_id(r, &to, err))
            return -1;
        if (r->arcs == CS_GRAPH_ARCS_MOST)
            return cs_dot_lex_error(&r->lex, err, "more than %d arcs", CS_GRAPH_ARCS_MOST);
        add_arc(r, from, to);
        from = to;
    }
    if (read_attributes(r, &given, err))
        return -1;
    for (int a = first; a < r->arcs; a++)
        r->arc[a].bytes = given.size > 0 ? given.size : 0;
    return 0;
}

static int read_statement(struct reader *r, struct cs_error *err)
{
    struct attributes given = r->node;
    bool node = cs_dot_lex_keyword(&r->lex, "node"), edge = cs_dot_lex_keyword(&r->lex, "edge");
    long line = r->lex.line;
    char *name;
    int at;

    if (node || edge || cs_dot_lex_keyword(&r->lex, "graph")) {
        struct attributes *out = node ? &r->node : edge ? &r->edge : NULL;

        return cs_dot_lex_next(&r->lex, err) || read_attributes(r, out, err) ? -1 : 0;
    }
    name = cs_arena_strdup(r->draft.arena, r->lex.text.text);
    if (read_node_id(r, &at, err))
        return -1;
    if (cs_dot_lex_is(&r->lex, '=')) {
        if (cs_dot_lex_next(&r->lex, err))
            return -1;
        return r->lex.kind == CS_DOT_ID ? cs_dot_lex_next(&r->lex, err)
                                        : cs_dot_lex_expected(&r->lex, "a value", err);
    }
    if (r->lex.kind == CS_DOT_ARROW)
        return read_chain(r, at, err);
    return read_attributes(r, &given, err) || declare(r, at, name, &given, line, err) ? -1 : 0;
}

static int read_body(struct reader *r, struct cs_error *err)
{
    if (!cs_dot_lex_is(&r->lex, '{'))
        return cs_dot_lex_expected(&r->lex, "{", err);
    if (cs_dot_lex_next(&r->lex, err))
        return -1;
    while (!cs_dot_lex_is(&r->lex, '}')) {
        if (r->lex.kind == CS_DOT_END)
            return cs_dot_lex_expected(&r->lex, "} at the end of the graph", err);
        if (!cs_dot_lex_is(&r->lex, ';') && read_statement(r, err))
            return -1;
        if (cs_dot_lex_is(&r->lex, ';') && cs_dot_lex_next(&r->lex, err))
            return -1;
    }
    if (cs_dot_lex_next(&r->lex, err))
        return -1;
    return r->lex.kind == CS_DOT_END ? 0
                                     : cs_dot_lex_expected(&r->lex, "nothing after the graph", err);
}

/* strict digraph NAME { ... } */
static int read_graph(struct reader *r, const char **name, struct cs_error *err)
{
    if (cs_dot_lex_next(&r->lex, err))
        return -1;
    if (cs_dot_lex_keyword(&r->lex, "strict") && cs_dot_lex_next(&r->lex, err))
        return -1;
    if (!cs_dot_lex_keyword(&r->lex, "digraph"))
        return cs_dot_lex_expected(
            &r->lex,
            "digraph: task graphs are read from DOT, daggen, WfCommons, DAX and JSON of cosched",
            err);
    if (cs_dot_lex_next(&r->lex, err))
        return -1;
    if (r->lex.kind == CS_DOT_ID) {
        if (strcmp(r->lex.text.text, "G"))
            *name = cs_arena_strdup(r->draft.arena, r->lex.text.text);
        if (cs_dot_lex_next(&r->lex, err))
            return -1;
    }
    return read_body(r, err);
}

static int link_arcs(struct reader *r, struct cs_error *err)
{
    int count;
    const char *const *name = cs_names_list(r->seen, &count);

    for (int a = 0; a < r->arcs; a++) {
        const struct pending *arc = &r->arc[a];
        int from = r->task[arc->from], to = r->task[arc->to];

        r->lex.line = arc->line;
        if (!from || !to)
            return cs_dot_lex_error(
                &r->lex, err,
                "the arc from %.60s to %.60s: unknown task %.60s, it is nowhere "
                "declared",
                name[arc->from], name[arc->to], from ? name[arc->to] : name[arc->from]);
        if (from > 0 && to > 0 && cs_graph_draft_arc(&r->draft, from - 1, to - 1, arc->bytes, err))
            return -1;
    }
    return 0;
}

/* The whole file is UTF-8. */
static int check_text(const char *file, const char *bytes, size_t size, struct cs_error *err)
{
    long line = 1;

    for (size_t at = 0; at < size;) {
        int length = bytes[at] ? cs_utf8_length(bytes + at) : 0;

        if (length == 0)
            return cs_error_set_at(err, CS_ERROR_INPUT, file, line,
                                   "found a byte 0x%02x that is not UTF-8 text",
                                   (unsigned char)bytes[at]);
        line += bytes[at] == '\n';
        at += (size_t)length;
    }
    return 0;
}

struct cs_graph *cs_graph_dot_read(const char *file, const char *bytes, size_t size,
                                   const struct cs_graph_reading *how, struct cs_error *err)
{
    struct reader r = {.node = {NAN, NAN}, .edge = {NAN, NAN}};
    const char *name = NULL;
    struct cs_graph *graph;
    int status;

    if (check_text(file, bytes, size, err))
        return NULL;
    cs_graph_draft_begin(&r.draft, file, how);
    r.seen = cs_names_create(r.draft.arena);
    cs_dot_lex_begin(&r.lex, file, bytes, size);
    status = read_graph(&r, &name, err);
    if (status == 0)
        status = link_arcs(&r, err);
    cs_strbuf_release(&r.lex.text);
    graph = cs_graph_draft_end(&r.draft, status, name, err);
    return graph;
}
