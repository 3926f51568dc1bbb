/* graph.c - task graphs from files: what is inside decides how they are read. */
#include "base/file.h"
#include "base/guard.h"
#include "base/rng.h"
#include "base/source.h"
#include "base/strbuf.h"
#include "base/vector.h"
#include "io/graph_build.h"
#include "io/graph_json.h"

#include <limits.h>
#include <string.h>

/* Tasks and arcs that come one by one. */

#define TASKS_MOST (INT_MAX / 4)
#define PURPOSE_ALPHA 0x616c7068 /* a separate stream */

void cs_graph_draft_begin(struct cs_graph_draft *draft, const char *file,
                          const struct cs_graph_reading *how)
{
    *draft = (struct cs_graph_draft){.file = file, .how = how, .arena = cs_arena_create()};
    draft->names = cs_names_create(draft->arena);
}

int cs_graph_draft_find(const struct cs_graph_draft *draft, const char *name)
{
    return cs_names_find(draft->names, name);
}

static int refuse_name(const char *name, const char *why, struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_strbuf_put_excerpt(&text, name);
    cs_error_set(err, "the name %s of a task: %s", text.text, why);
    cs_strbuf_release(&text);
    return -1;
}

int cs_graph_draft_task(struct cs_graph_draft *draft, const char *name, double flops, double alpha,
                        struct cs_error *err)
{
    const char *fault = cs_names_fault(name);

    if (fault)
        return refuse_name(name, fault, err);
    if (cs_names_find(draft->names, name) >= 0)
        return refuse_name(name, "another task has it already", err);
    if (draft->tasks == TASKS_MOST)
        return cs_error_set(err, "more than %d tasks", TASKS_MOST);
    CS_ARENA_ROOM(draft->arena, draft->task, draft->tasks, draft->task_room, 64);
    cs_names_add(draft->names, name);
    draft->task[draft->tasks] = (struct cs_graph_task){
        .name = cs_arena_strdup(draft->arena, name), .flops = flops, .alpha = alpha};
    return draft->tasks++;
}

int cs_graph_draft_arc(struct cs_graph_draft *draft, int from, int to, double bytes,
                       struct cs_error *err)
{
    if (draft->arcs == CS_GRAPH_ARCS_MOST)
        return cs_error_set(err, "more than %d arcs", CS_GRAPH_ARCS_MOST);
    CS_ARENA_ROOM(draft->arena, draft->arc, draft->arcs, draft->arc_room, 64);
    draft->arc[draft->arcs++] = (struct cs_graph_arc){from, to, bytes};
    return 0;
}

double cs_graph_draft_alpha(const struct cs_graph_draft *draft)
{
    const struct cs_graph_reading *how = draft->how;
    struct cs_rng rng;

    if (!(how->alpha_high > how->alpha))
        return how->alpha;
    cs_rng_init(&rng, how->seed, PURPOSE_ALPHA, (uint64_t)draft->tasks);
    return how->alpha + (how->alpha_high - how->alpha) * cs_rng_uniform(&rng);
}

const char *cs_graph_stem(const char *file, struct cs_arena *arena)
{
    const char *slash = strrchr(file, '/');
    const char *base = slash ? slash + 1 : file;
    const char *dot = base[0] ? strchr(base + 1, '.') : NULL;
    const char *stem = cs_arena_strndup(arena, base, dot ? (size_t)(dot - base) : strlen(base));

    return cs_names_fault(stem) ? "graph" : stem;
}

struct cs_graph *cs_graph_draft_end(struct cs_graph_draft *draft, int status, const char *name,
                                    struct cs_error *err)
{
    struct cs_error fault = {0};
    struct cs_graph *graph = NULL;

    if (status == 0) {
        if (!name || cs_names_fault(name))
            name = cs_graph_stem(draft->file, draft->arena);
        graph = cs_graph_create(name, draft->tasks, draft->task, draft->arcs, draft->arc, &fault);
        if (!graph)
            cs_error_set(err, "%s: %s", draft->file, fault.text);
    }
    cs_arena_destroy(draft->arena);
    return graph;
}

/* The first byte that is not a blank; size if there are only blanks. */
static size_t graph_beginning(const char *bytes, size_t size)
{
    size_t at = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

    while (at < size && bytes[at] && strchr(" \t\r\n", bytes[at]))
        at++;
    return at;
}

/* Does a line before the first brace begin with NODE?  Comments of daggen may come first. */
static bool looks_like_daggen(const char *text, size_t size)
{
    bool fresh = true;

    for (size_t at = 0; at < size && text[at] != '{'; at++) {
        if (fresh && size - at >= 4 && !memcmp(text + at, "NODE", 4))
            return true;
        fresh = text[at] == '\n';
    }
    return false;
}

static struct cs_graph *read_json(const char *name, const char *bytes, size_t size,
                                  const struct cs_graph_reading *how, struct cs_error *err)
{
    json_t *document = cs_json_load_memory(name, bytes, size, err);
    CS_JSON_HOLD(document);
    struct cs_json_at root = cs_json_root(name, document);
    struct cs_graph *graph = NULL;

    if (document && json_object_get(document, "workflow"))
        graph = cs_graph_wfcommons_read(&root, name, how, err);
    else if (document)
        graph = cs_graph_json_read(&root, name, err);
    return graph;
}

static int check_reading(const struct cs_graph_reading *how, struct cs_error *err)
{
    if (!cs_number_meets(how->speed, CS_NUMBER_POSITIVE))
        return cs_error_set(err, "the speed is %g flop/s, it must be a positive number",
                            how->speed);
    if (!(how->alpha >= 0 && how->alpha <= 1) || !(how->alpha_high >= 0 && how->alpha_high <= 1))
        return cs_error_set(err, "alpha is %g, it must be in 0 .. 1",
                            how->alpha >= 0 && how->alpha <= 1 ? how->alpha_high : how->alpha);
    return 0;
}

struct cs_graph *cs_graph_read_memory(const char *name, const void *bytes, size_t size,
                                      const struct cs_graph_reading *how, struct cs_error *err)
{
    const struct cs_graph_reading fallback = CS_GRAPH_READING;
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_graph *graph = NULL;
    size_t at = graph_beginning(bytes, size);
    char first = at < size ? ((const char *)bytes)[at] : '\0';

    how = how ? how : &fallback;
    if (check_reading(how, err))
        return NULL;
    cs_strbuf_append(&text, bytes, size);
    if (at == size)
        cs_error_set(err, "%s: the file is empty", name);
    else if (first == '{' || first == '[')
        graph = read_json(name, text.text, size, how, err);
    else if (first == '<')
        graph = cs_graph_dax_read(name, text.text, size, how, err);
    else if (looks_like_daggen(text.text + at, size - at))
        graph = cs_graph_daggen_read(name, text.text, size, how, err);
    else
        graph = cs_graph_dot_read(name, text.text, size, how, err);
    cs_strbuf_release(&text);
    return graph;
}

struct cs_graph *cs_graph_read(const char *path, const struct cs_graph_reading *how,
                               struct cs_error *err)
{
    CS_ASK(path, err, NULL);
    CS_GUARD(err, NULL);
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_graph *graph = NULL;

    if (cs_file_read(path, CS_FILE_LARGEST, &text, err) == 0)
        graph = cs_graph_read_memory(cs_source_name(path), text.text, text.length, how, err);
    cs_strbuf_release(&text);
    return graph;
}

static int put_dot_name(struct cs_strbuf *out, const char *name, struct cs_error *err)
{
    size_t length = strlen(name);

    if (length > 0 && name[length - 1] == '\\')
        return cs_error_set(err, "the name %.60s ends with a backslash: DOT cannot represent it",
                            name);
    cs_strbuf_putc(out, '"');
    for (; *name; name++) {
        if (*name == '"')
            cs_strbuf_putc(out, '\\');
        cs_strbuf_putc(out, *name);
    }
    cs_strbuf_putc(out, '"');
    return 0;
}

static int put_dot(struct cs_strbuf *out, const struct cs_graph *graph, struct cs_error *err)
{
    cs_strbuf_puts(out, "digraph ");
    if (put_dot_name(out, graph->name, err))
        return -1;
    cs_strbuf_puts(out, " {\n");
    for (int v = 0; v < graph->tasks; v++) {
        cs_strbuf_puts(out, "  ");
        if (put_dot_name(out, graph->task[v].name, err))
            return -1;
        cs_strbuf_printf(out, " [size=\"%.0f\", alpha=\"%.17g\"]\n", graph->task[v].flops,
                         graph->task[v].alpha);
    }
    for (int a = 0; a < graph->arcs; a++) {
        cs_strbuf_puts(out, "  ");
        put_dot_name(out, graph->task[graph->arc[a].from].name, err);
        cs_strbuf_puts(out, " -> ");
        put_dot_name(out, graph->task[graph->arc[a].to].name, err);
        cs_strbuf_printf(out, " [size=\"%.0f\"]\n", graph->arc[a].bytes);
    }
    cs_strbuf_puts(out, "}\n");
    return 0;
}

static void graph_put_json(struct cs_strbuf *out, const struct cs_graph *graph)
{
    struct cs_jsonw w = cs_jsonw_begin(out);

    cs_graph_json_put(&w, graph);
    cs_jsonw_end(&w);
}

int cs_graph_write(const struct cs_graph *graph, const char *path, struct cs_error *err)
{
    CS_ASK(graph && path, err, -1);
    CS_GUARD(err, -1);
    struct cs_strbuf text = CS_STRBUF_INIT;
    size_t length = strlen(path);
    int status = 0;

    if (length > 4 && !strcmp(path + length - 4, ".dot"))
        status = put_dot(&text, graph, err);
    else
        graph_put_json(&text, graph);
    if (status == 0)
        status = cs_file_write(path, text.text, text.length, err);
    cs_strbuf_release(&text);
    return status;
}
