/* graph_dot.c - DOT as daggen --dot and SimGrid write it.
 *
 *     digraph G {
 *       1 [size="49659735022", alpha="0.19"]
 *       1 -> 3 [size="411041792"]
 *       3 [size="3775920707"]
 *     }
 *
 * A node is a task: size is its work in flop, alpha its sequential part (default 0). An arc carries
 * size bytes (0; negative ones are 0, as for SimGrid). Defaults (node [...], edge [...]), chains a
 * -> b -> c, ports, attributes of other names and assignments are accepted. An arc may come before
 * the nodes at its ends, but nodes must be declared. A node "root" or "end" of size 0 is a dummy
 * that is dropped with its arcs. Subgraphs, undirected graphs and HTML text are rejected: this is a
 * subset of the language, without the dependencies of its library.
 */
#include "base/error.h"
#include "base/number.h"
#include "base/plain.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "base/vector.h"
#include "io/graph_build.h"

#include <cosched/error.h>

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

/* words of DOT. */

enum cs_dot_kind {
    CS_DOT_END,   /* of the file */
    CS_DOT_ID,    /* text in `text` */
    CS_DOT_MARK,  /* one of { } [ ] = ; , : */
    CS_DOT_ARROW, /* -> */
};

struct cs_dot_lex {
    const char *file, *at, *end;
    long line;
    enum cs_dot_kind kind; /* of the current word */
    char mark;
    bool quoted;           /* an ID that was in quotes: never a keyword */
    struct cs_strbuf text; /* of an ID; the owner releases it */
};

/* Begin before the first word. */
static void dot_lex_begin(struct cs_dot_lex *lex, const char *file, const char *bytes, size_t size)
{
    *lex = (struct cs_dot_lex){
        .file = file, .at = bytes, .end = bytes + size, .line = 1, .text = CS_STRBUF_INIT};
    if (size >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3))
        lex->at += 3;
}

/* "FILE:LINE: " and the sentence.  Returns -1. */
static int dot_lex_error(const struct cs_dot_lex *lex, struct cs_error *err, const char *format,
                         ...)
{
    struct cs_error fault = {0};
    va_list args;

    va_start(args, format);
    cs_plain_vprint(fault.text, sizeof fault.text, format, args);
    va_end(args);
    return cs_error_set_at(err, CS_ERROR_INPUT, lex->file, lex->line, "%s", fault.text);
}

/* "expected RIGHT, found WORD". */
static int dot_lex_expected(const struct cs_dot_lex *lex, const char *right, struct cs_error *err)
{
    struct cs_strbuf found = CS_STRBUF_INIT;

    if (lex->kind == CS_DOT_ID)
        cs_strbuf_put_excerpt(&found, lex->text.text);
    else if (lex->kind == CS_DOT_MARK)
        cs_strbuf_printf(&found, "\"%c\"", lex->mark);
    else
        cs_strbuf_puts(&found, lex->kind == CS_DOT_ARROW ? "\"->\"" : "the end of the file");
    dot_lex_error(lex, err, "found %s, expected %s", found.text, right);
    cs_strbuf_release(&found);
    return -1;
}

static bool dot_lex_is(const struct cs_dot_lex *lex, char mark)
{
    return lex->kind == CS_DOT_MARK && lex->mark == mark;
}

/* An unquoted ID, capitals or not. */
static bool dot_lex_keyword(const struct cs_dot_lex *lex, const char *word)
{
    return lex->kind == CS_DOT_ID && !lex->quoted && !cs_plain_compare(lex->text.text, word);
}

static bool graph_dot_follows(const struct cs_dot_lex *lex, const char *text)
{
    size_t length = strlen(text);

    return (size_t)(lex->end - lex->at) >= length && !memcmp(lex->at, text, length);
}

static void skip_line(struct cs_dot_lex *lex)
{
    while (lex->at < lex->end && *lex->at != '\n')
        lex->at++;
}

static int skip_comment(struct cs_dot_lex *lex, struct cs_error *err)
{
    long line = lex->line;

    for (lex->at += 2; lex->at < lex->end; lex->at++) {
        if (graph_dot_follows(lex, "*/")) {
            lex->at += 2;
            return 0;
        }
        lex->line += *lex->at == '\n';
    }
    lex->line = line;
    return dot_lex_error(lex, err, "the comment that begins here never ends");
}

/* Blanks and comments. */
static int graph_dot_skip(struct cs_dot_lex *lex, struct cs_error *err)
{
    bool fresh = lex->line == 1 && lex->kind == CS_DOT_END;

    while (lex->at < lex->end) {
        char c = *lex->at;

        if (c == '\n') {
            lex->line++;
            lex->at++;
            fresh = true;
        } else if (c && strchr(" \t\r\f\v", c)) {
            lex->at++;
        } else if (graph_dot_follows(lex, "//") || (c == '#' && fresh)) {
            skip_line(lex);
        } else if (graph_dot_follows(lex, "/*")) {
            if (skip_comment(lex, err))
                return -1;
        } else {
            break;
        }
    }
    return 0;
}

static bool in_name(char c)
{
    unsigned char u = (unsigned char)c;

    return u >= 0x80 || u == '_' || (u >= '0' && u <= '9') || (u >= 'a' && u <= 'z') ||
           (u >= 'A' && u <= 'Z');
}

static int read_quoted(struct cs_dot_lex *lex, struct cs_error *err)
{
    long line = lex->line;

    for (lex->at++; lex->at < lex->end && *lex->at != '"'; lex->at++) {
        if (graph_dot_follows(lex, "\\\"")) {
            lex->at++;
        } else if (graph_dot_follows(lex, "\\\n") || graph_dot_follows(lex, "\\\r\n")) {
            lex->at += lex->at[1] == '\r' ? 2 : 1;
            lex->line++;
            continue;
        }
        if (!*lex->at)
            return dot_lex_error(lex, err, "there is a NUL byte");
        lex->line += *lex->at == '\n';
        cs_strbuf_putc(&lex->text, *lex->at);
    }
    if (lex->at == lex->end) {
        lex->line = line;
        return dot_lex_error(lex, err, "the quoted text that begins here never ends");
    }
    lex->at++;
    return 0;
}

/* "a" + "b" */
static int read_quoted_parts(struct cs_dot_lex *lex, struct cs_error *err)
{
    lex->kind = CS_DOT_ID;
    lex->quoted = true;
    for (;;) {
        if (read_quoted(lex, err) || graph_dot_skip(lex, err))
            return -1;
        if (lex->at == lex->end || *lex->at != '+')
            return 0;
        lex->at++;
        if (graph_dot_skip(lex, err))
            return -1;
        if (lex->at == lex->end || *lex->at != '"')
            return dot_lex_error(lex, err, "after + there must be quoted text");
    }
}

/* A name, or a numeral: [-] digits [. digits]. */
static int read_name(struct cs_dot_lex *lex, struct cs_error *err)
{
    const char *from = lex->at;

    lex->kind = CS_DOT_ID;
    if (lex->at < lex->end && *lex->at == '-')
        lex->at++;
    while (lex->at < lex->end && (in_name(*lex->at) || *lex->at == '.'))
        lex->at++;
    if (lex->at == from + (*from == '-'))
        return dot_lex_error(lex, err,
                             "found the byte 0x%02x, where none of the words of DOT begins",
                             (unsigned char)*from);
    cs_strbuf_append(&lex->text, from, (size_t)(lex->at - from));
    return 0;
}

/* Go to the next word.  -1 with err. */
static int dot_lex_next(struct cs_dot_lex *lex, struct cs_error *err)
{
    if (graph_dot_skip(lex, err))
        return -1;
    cs_strbuf_clear(&lex->text);
    lex->quoted = false;
    if (lex->at == lex->end) {
        lex->kind = CS_DOT_END;
        return 0;
    }
    if (*lex->at == '"')
        return read_quoted_parts(lex, err);
    if (graph_dot_follows(lex, "->")) {
        lex->kind = CS_DOT_ARROW;
        lex->at += 2;
        return 0;
    }
    if (graph_dot_follows(lex, "--"))
        return dot_lex_error(lex, err, "found --, arcs of a digraph are written ->");
    if (*lex->at && strchr("{}[]=;,:", *lex->at)) {
        lex->kind = CS_DOT_MARK;
        lex->mark = *lex->at++;
        return 0;
    }
    return read_name(lex, err);
}

struct attributes {
    double size, alpha; /* NaN: unset */
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

static int graph_dot_see(struct reader *r, const char *name)
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
    dot_lex_expected(&r->lex, "a number", err);
    return cs_error_prefix(err, "%s", name);
}

/* a = b, the current word being a; without `out` it is skipped. */
static int read_attribute(struct reader *r, struct attributes *out, struct cs_error *err)
{
    bool size, alpha;

    if (r->lex.kind != CS_DOT_ID)
        return dot_lex_expected(&r->lex, "the name of an attribute", err);
    size = out && !strcmp(r->lex.text.text, "size");
    alpha = out && !strcmp(r->lex.text.text, "alpha");
    if (dot_lex_next(&r->lex, err))
        return -1;
    if (!dot_lex_is(&r->lex, '='))
        return dot_lex_expected(&r->lex, "= and the value of an attribute", err);
    if (dot_lex_next(&r->lex, err))
        return -1;
    if (r->lex.kind != CS_DOT_ID)
        return dot_lex_expected(&r->lex, "the value of an attribute", err);
    if (size && read_value(r, "size", &out->size, err))
        return -1;
    if (alpha && read_value(r, "alpha", &out->alpha, err))
        return -1;
    return dot_lex_next(&r->lex, err);
}

/* [a=b, c=d] [e=f], if there are any. */
static int read_attributes(struct reader *r, struct attributes *out, struct cs_error *err)
{
    while (dot_lex_is(&r->lex, '[')) {
        if (dot_lex_next(&r->lex, err))
            return -1;
        while (!dot_lex_is(&r->lex, ']')) {
            if (read_attribute(r, out, err))
                return -1;
            if ((dot_lex_is(&r->lex, ',') || dot_lex_is(&r->lex, ';')) &&
                dot_lex_next(&r->lex, err))
                return -1;
        }
        if (dot_lex_next(&r->lex, err))
            return -1;
    }
    return 0;
}

static int graph_dot_declare(struct reader *r, int at, const char *name,
                             const struct attributes *supplied, long line, struct cs_error *err)
{
    struct cs_error fault = {0};
    double alpha = isnan(supplied->alpha) ? 0 : supplied->alpha;
    int task;

    r->lex.line = line;
    if (r->task[at])
        return dot_lex_error(&r->lex, err, "task %.60s is there twice", name);
    if (isnan(supplied->size))
        return dot_lex_error(&r->lex, err, "task %.60s has no size, which is its work in flop",
                             name);
    if (supplied->size == 0 && (!strcmp(name, "root") || !strcmp(name, "end"))) {
        r->task[at] = -1;
        return 0;
    }
    if (!(supplied->size >= 0))
        return dot_lex_error(&r->lex, err,
                             "task %.60s: the size is %g flop, it must not be "
                             "negative",
                             name, supplied->size);
    if (!(alpha >= 0 && alpha <= 1))
        return dot_lex_error(&r->lex, err, "task %.60s: alpha is %g, it must be in 0 .. 1", name,
                             alpha);
    task = cs_graph_draft_task(&r->draft, name, supplied->size, alpha, &fault);
    if (task < 0)
        return dot_lex_error(&r->lex, err, "%s", fault.text);
    r->task[at] = task + 1;
    return 0;
}

static void add_arc(struct reader *r, int from, int to)
{
    CS_ARENA_ROOM(r->draft.arena, r->arc, r->arcs, r->room, 64);
    r->arc[r->arcs++] = (struct pending){from, to, 0, r->lex.line};
}

/* The name of a node, and perhaps :port:compass, which is ignored. */
static int read_node_id(struct reader *r, int *at, struct cs_error *err)
{
    if (dot_lex_is(&r->lex, '{') || dot_lex_keyword(&r->lex, "subgraph"))
        return dot_lex_error(&r->lex, err, "subgraphs are not read");
    if (r->lex.kind != CS_DOT_ID)
        return dot_lex_expected(&r->lex, "the name of a node", err);
    *at = graph_dot_see(r, r->lex.text.text);
    if (dot_lex_next(&r->lex, err))
        return -1;
    while (dot_lex_is(&r->lex, ':')) {
        if (dot_lex_next(&r->lex, err))
            return -1;
        if (r->lex.kind != CS_DOT_ID)
            return dot_lex_expected(&r->lex, "a port", err);
        if (dot_lex_next(&r->lex, err))
            return -1;
    }
    return 0;
}

/* -> b -> c [size=...] */
static int read_chain(struct reader *r, int from, struct cs_error *err)
{
    struct attributes supplied = r->edge;
    int first = r->arcs, to;

    while (r->lex.kind == CS_DOT_ARROW) {
        if (dot_lex_next(&r->lex, err) || read_node_id(r, &to, err))
            return -1;
        if (r->arcs == CS_GRAPH_ARCS_MOST)
            return dot_lex_error(&r->lex, err, "more than %d arcs", CS_GRAPH_ARCS_MOST);
        add_arc(r, from, to);
        from = to;
    }
    if (read_attributes(r, &supplied, err))
        return -1;
    for (int a = first; a < r->arcs; a++)
        r->arc[a].bytes = supplied.size > 0 ? supplied.size : 0;
    return 0;
}

static int read_statement(struct reader *r, struct cs_error *err)
{
    struct attributes supplied = r->node;
    bool node = dot_lex_keyword(&r->lex, "node"), edge = dot_lex_keyword(&r->lex, "edge");
    long line = r->lex.line;
    char *name;
    int at;

    if (node || edge || dot_lex_keyword(&r->lex, "graph")) {
        struct attributes *out = node ? &r->node : edge ? &r->edge : NULL;

        return dot_lex_next(&r->lex, err) || read_attributes(r, out, err) ? -1 : 0;
    }
    name = cs_arena_strdup(r->draft.arena, r->lex.text.text);
    if (read_node_id(r, &at, err))
        return -1;
    if (dot_lex_is(&r->lex, '=')) {
        if (dot_lex_next(&r->lex, err))
            return -1;
        return r->lex.kind == CS_DOT_ID ? dot_lex_next(&r->lex, err)
                                        : dot_lex_expected(&r->lex, "a value", err);
    }
    if (r->lex.kind == CS_DOT_ARROW)
        return read_chain(r, at, err);
    return read_attributes(r, &supplied, err) ||
                   graph_dot_declare(r, at, name, &supplied, line, err)
               ? -1
               : 0;
}

static int read_body(struct reader *r, struct cs_error *err)
{
    if (!dot_lex_is(&r->lex, '{'))
        return dot_lex_expected(&r->lex, "{", err);
    if (dot_lex_next(&r->lex, err))
        return -1;
    while (!dot_lex_is(&r->lex, '}')) {
        if (r->lex.kind == CS_DOT_END)
            return dot_lex_expected(&r->lex, "} at the end of the graph", err);
        if (!dot_lex_is(&r->lex, ';') && read_statement(r, err))
            return -1;
        if (dot_lex_is(&r->lex, ';') && dot_lex_next(&r->lex, err))
            return -1;
    }
    if (dot_lex_next(&r->lex, err))
        return -1;
    return r->lex.kind == CS_DOT_END ? 0
                                     : dot_lex_expected(&r->lex, "nothing after the graph", err);
}

/* strict digraph NAME { ... } */
static int read_graph(struct reader *r, const char **name, struct cs_error *err)
{
    if (dot_lex_next(&r->lex, err))
        return -1;
    if (dot_lex_keyword(&r->lex, "strict") && dot_lex_next(&r->lex, err))
        return -1;
    if (!dot_lex_keyword(&r->lex, "digraph"))
        return dot_lex_expected(
            &r->lex,
            "digraph: task graphs are read from DOT, daggen, WfCommons, DAX and JSON of cosched",
            err);
    if (dot_lex_next(&r->lex, err))
        return -1;
    if (r->lex.kind == CS_DOT_ID) {
        if (strcmp(r->lex.text.text, "G"))
            *name = cs_arena_strdup(r->draft.arena, r->lex.text.text);
        if (dot_lex_next(&r->lex, err))
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
            return dot_lex_error(&r->lex, err,
                                 "the arc from %.60s to %.60s: unknown task %.60s, it is nowhere "
                                 "declared",
                                 name[arc->from], name[arc->to],
                                 from ? name[arc->to] : name[arc->from]);
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
    dot_lex_begin(&r.lex, file, bytes, size);
    status = read_graph(&r, &name, err);
    if (status == 0)
        status = link_arcs(&r, err);
    cs_strbuf_release(&r.lex.text);
    graph = cs_graph_draft_end(&r.draft, status, name, err);
    return graph;
}
