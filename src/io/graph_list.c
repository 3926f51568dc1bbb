/* graph_list.c - files of several task graphs. */
#include "io/graph_list.h"

#include "base/file.h"
#include "base/guard.h"
#include "base/source.h"
#include "io/graph_json.h"

#include <limits.h>
#include <string.h>

void cs_graph_list_release(struct cs_graph_list *list)
{
    for (int g = 0; g < list->graphs; g++)
        cs_graph_destroy(list->graph[g]);
    cs_block_free(list->graph);
    *list = (struct cs_graph_list){0};
}

static void graph_list_make_room(struct cs_graph_list *list, int more)
{
    size_t size = ((size_t)list->graphs + (size_t)more) * sizeof *list->graph;

    list->graph = cs_block_resize(list->graph, size);
}

/* Back to so many graphs. */
static void graph_list_shorten(struct cs_graph_list *list, int graphs)
{
    while (list->graphs > graphs)
        cs_graph_destroy(list->graph[--list->graphs]);
}

int cs_graph_list_json_read(struct cs_graph_list *list, const struct cs_json_at *array,
                            const char *file, struct cs_error *err)
{
    int before = list->graphs;
    size_t count;

    if (cs_json_array(array, &count, err))
        return -1;
    if (count == 0)
        return cs_json_error(array, err, "found no graph, expected at least one");
    if (count > (size_t)(INT_MAX / 2 - before))
        return cs_json_error(array, err, "%zu graphs are too many", count);
    graph_list_make_room(list, (int)count);
    for (size_t i = 0; i < count; i++) {
        struct cs_json_at at = cs_json_element(array, i);
        struct cs_graph *graph = cs_graph_json_read(&at, file, err);

        if (!graph) {
            graph_list_shorten(list, before);
            return -1;
        }
        list->graph[list->graphs++] = graph;
    }
    return 0;
}

static int graph_list_read_list(struct cs_graph_list *list, const char *name, json_t *document,
                                struct cs_error *err)
{
    struct cs_json_at root = cs_json_root(name, document), array;
    const char *format;

    if (cs_json_keys(&root, "format|note|graphs", err) ||
        cs_json_member(&root, "graphs", &array, err))
        return -1;
    if (cs_json_has(&root, "format")) {
        if (cs_json_get_string(&root, "format", &format, err))
            return -1;
        if (strcmp(format, CS_GRAPHS_FORMAT))
            return cs_json_error(&root, err, "format is %.60s, expected " CS_GRAPHS_FORMAT, format);
    }
    return cs_graph_list_json_read(list, &array, name, err);
}

/* The document when it is a list of graphs; NULL when it is something else, also no JSON. */
static json_t *list_of(const char *name, const struct cs_strbuf *text)
{
    struct cs_error ignored = {0};
    json_t *document = NULL;

    if (strstr(text->text, "\"graphs\""))
        document = cs_json_load_memory(name, text->text, text->length, &ignored);
    if (document && json_object_get(document, "graphs") && !json_object_get(document, "tasks") &&
        !json_object_get(document, "workflow"))
        return document;
    json_decref(document);
    return NULL;
}

static int append_one(struct cs_graph_list *list, struct cs_graph *graph)
{
    if (!graph)
        return -1;
    graph_list_make_room(list, 1);
    list->graph[list->graphs++] = graph;
    return 0;
}

int cs_graph_list_read_memory(struct cs_graph_list *list, const char *name,
                              const struct cs_strbuf *text, const struct cs_graph_reading *how,
                              struct cs_error *err)
{
    json_t *document = list_of(name, text);
    CS_JSON_HOLD(document);

    if (document)
        return graph_list_read_list(list, name, document, err);
    return append_one(list, cs_graph_read_memory(name, text->text, text->length, how, err));
}

int cs_graph_list_read(struct cs_graph_list *list, const char *path,
                       const struct cs_graph_reading *how, struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    int status = cs_file_read(path, CS_FILE_LARGEST, &text, err);

    if (!status)
        status = cs_graph_list_read_memory(list, cs_source_name(path), &text, how, err);
    cs_strbuf_release(&text);
    return status;
}

void cs_graph_list_json_put(struct cs_jsonw *w, int graphs, const struct cs_graph *const *graph)
{
    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "format", CS_GRAPHS_FORMAT);
    cs_jsonw_key(w, "graphs");
    cs_jsonw_open(w, '[');
    for (int g = 0; g < graphs; g++)
        cs_graph_json_put(w, graph[g]);
    cs_jsonw_close(w);
    cs_jsonw_close(w);
}
