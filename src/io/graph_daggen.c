/* graph_daggen.c - the native format of daggen.
 *
 *     NODE_COUNT 7
 *     NODE <id> <children|-> <ROOT|COMPUTATION|TRANSFER|END> <cost> <alpha>
 *
 * ROOT and END are dropped with their arcs.  A TRANSFER stands for an arc from its only parent to
 * its only child, its cost the bytes; one that begins at ROOT or leads to END is dropped too.
 * Lines that begin with // or # are comments.
 */
#include "base/error.h"
#include "base/lines.h"
#include "base/number.h"
#include "base/strbuf.h"
#include "base/vector.h"
#include "io/graph_build.h"

#include <limits.h>
#include <string.h>

enum kind { ROOT, COMPUTATION, TRANSFER, END };

struct node {
    const char *id, *children;
    enum kind kind;
    double cost;
    int task; /* COMPUTATION: its number */
    long line;
    int parent, parents, child, degree; /* TRANSFER: nodes, and how many */
};

struct reader {
    struct cs_graph_draft draft;
    struct cs_lines *lines;
    struct cs_names *ids;
    struct node *node;
    int nodes, room;
    int declared; /* NODE_COUNT, or -1 */
};

/* Cut the line at blanks; at most `most` words. */
static int graph_daggen_split(char *line, char **word, int most)
{
    const char *blanks = " \t\r\f\v";
    char *rest;
    int count = 0;

    for (char *at = strtok_r(line, blanks, &rest); at; at = strtok_r(NULL, blanks, &rest)) {
        if (count == most)
            return most + 1;
        word[count++] = at;
    }
    return count;
}

static int read_kind(const char *word, enum kind *kind)
{
    static const char *const names[] = {"ROOT", "COMPUTATION", "TRANSFER", "END"};

    for (int i = 0; i < 4; i++)
        if (!strcmp(word, names[i])) {
            *kind = (enum kind)i;
            return 0;
        }
    return -1;
}

static int graph_daggen_wrong(struct reader *r, const char *what, const char *found,
                              const char *right, struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_strbuf_put_excerpt(&text, found);
    cs_lines_error(r->lines, err, "%s: found %s, expected %s", what, text.text, right);
    cs_strbuf_release(&text);
    return -1;
}

static int graph_daggen_read_count(struct reader *r, char **word, int words, struct cs_error *err)
{
    if (words != 2 || cs_number_int(word[1], &r->declared) != CS_NUMBER_FINE || r->declared < 0)
        return graph_daggen_wrong(r, "NODE_COUNT", words > 1 ? word[1] : "", "one whole number",
                                  err);
    return 0;
}

static struct node *add_node(struct reader *r)
{
    CS_ARENA_ROOM(r->draft.arena, r->node, r->nodes, r->room, 64);
    return &r->node[r->nodes++];
}

static int graph_daggen_add_task(struct reader *r, struct node *node, double alpha,
                                 struct cs_error *err)
{
    struct cs_error fault = {0};

    node->task = cs_graph_draft_task(&r->draft, node->id, node->cost, alpha, &fault);
    return node->task < 0 ? cs_lines_error(r->lines, err, "%s", fault.text) : 0;
}

static int read_node(struct reader *r, char **word, int words, struct cs_error *err)
{
    struct node node = {.line = cs_lines_number(r->lines), .parent = -1, .child = -1};
    double alpha;

    if (words != 6)
        return cs_lines_error(
            r->lines, err,
            "found %s than 5 fields after NODE, expected id, children, type, cost "
            "and alpha",
            words < 6 ? "fewer" : "more");
    if (read_kind(word[3], &node.kind))
        return graph_daggen_wrong(r, "type", word[3], "ROOT, COMPUTATION, TRANSFER or END", err);
    if (cs_number_double(word[4], &node.cost) != CS_NUMBER_FINE ||
        !cs_number_meets(node.cost, CS_NUMBER_NOT_NEGATIVE))
        return graph_daggen_wrong(r, "cost", word[4], cs_number_wanted(CS_NUMBER_NOT_NEGATIVE),
                                  err);
    if (cs_number_double(word[5], &alpha) != CS_NUMBER_FINE || !(alpha >= 0 && alpha <= 1))
        return graph_daggen_wrong(r, "alpha", word[5], "a number in 0 .. 1", err);
    if (cs_names_find(r->ids, word[1]) >= 0)
        return graph_daggen_wrong(r, "id", word[1], "one that no other node has", err);
    cs_names_add(r->ids, word[1]);
    node.id = cs_arena_strdup(r->draft.arena, word[1]);
    node.children = cs_arena_strdup(r->draft.arena, strcmp(word[2], "-") ? word[2] : "");
    if (node.kind == COMPUTATION && graph_daggen_add_task(r, &node, alpha, err))
        return -1;
    *add_node(r) = node;
    return 0;
}

static int read_lines(struct reader *r, struct cs_error *err)
{
    char *line, *word[6];
    size_t length;
    int status;

    while ((status = cs_lines_next(r->lines, &line, &length, err)) > 0) {
        int words = graph_daggen_split(line, word, 6);

        if (words == 0 || word[0][0] == '#' || !strncmp(word[0], "//", 2))
            continue;
        if (!strcmp(word[0], "NODE_COUNT"))
            status = graph_daggen_read_count(r, word, words, err);
        else if (!strcmp(word[0], "NODE"))
            status = read_node(r, word, words, err);
        else
            status = graph_daggen_wrong(r, "line", word[0], "NODE_COUNT or NODE", err);
        if (status)
            return -1;
    }
    return status;
}

/* One child of a node. */
static int link_child(struct reader *r, int at, const char *id, struct cs_error *err)
{
    int to = cs_names_find(r->ids, id);
    struct node *from = &r->node[at], *child;

    if (to < 0)
        return cs_error_set_at(err, CS_ERROR_INPUT, r->draft.file, from->line,
                               "node %.40s has the child %.40s, an unknown task", from->id, id);
    child = &r->node[to];
    if (child->kind == TRANSFER) {
        child->parent = at;
        child->parents++;
    }
    if (from->kind == TRANSFER) {
        from->child = to;
        from->degree++;
    }
    if (from->kind == TRANSFER && child->kind == TRANSFER)
        return cs_error_set_at(err, CS_ERROR_INPUT, r->draft.file, from->line,
                               "transfer %.40s leads to transfer %.40s", from->id, id);
    if (from->kind == COMPUTATION && child->kind == COMPUTATION)
        return cs_graph_draft_arc(&r->draft, from->task, child->task, 0, err);
    return 0;
}

static int link_children(struct reader *r, int at, struct cs_error *err)
{
    char *list = cs_arena_strdup(r->draft.arena, r->node[at].children), *rest;

    for (char *id = strtok_r(list, ",", &rest); id; id = strtok_r(NULL, ",", &rest))
        if (link_child(r, at, id, err))
            return -1;
    return 0;
}

static int link_transfer(struct reader *r, const struct node *node, struct cs_error *err)
{
    const struct node *from, *to;

    if (node->parents != 1 || node->degree != 1)
        return cs_error_set_at(err, CS_ERROR_INPUT, r->draft.file, node->line,
                               "transfer %.40s has %d parents and %d children, it must have "
                               "one of each",
                               node->id, node->parents, node->degree);
    from = &r->node[node->parent];
    to = &r->node[node->child];
    if (from->kind != COMPUTATION || to->kind != COMPUTATION)
        return 0;
    return cs_graph_draft_arc(&r->draft, from->task, to->task, node->cost, err);
}

static int link_all(struct reader *r, struct cs_error *err)
{
    if (r->declared >= 0 && r->declared != r->nodes)
        return cs_error_set(err, "%s: NODE_COUNT is %d, but there are %d nodes", r->draft.file,
                            r->declared, r->nodes);
    for (int i = 0; i < r->nodes; i++)
        if (link_children(r, i, err))
            return -1;
    for (int i = 0; i < r->nodes; i++)
        if (r->node[i].kind == TRANSFER && link_transfer(r, &r->node[i], err))
            return -1;
    return 0;
}

struct cs_graph *cs_graph_daggen_read(const char *file, const char *bytes, size_t size,
                                      const struct cs_graph_reading *how, struct cs_error *err)
{
    struct reader r = {.declared = -1};
    int status;

    cs_graph_draft_begin(&r.draft, file, how);
    r.ids = cs_names_create(r.draft.arena);
    r.lines = cs_lines_open_memory(file, bytes, size);
    status = read_lines(&r, err);
    cs_lines_close(r.lines);
    if (status == 0)
        status = link_all(&r, err);
    return cs_graph_draft_end(&r.draft, status, NULL, err);
}
