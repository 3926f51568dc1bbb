/* graph_list.h - several task graphs in one file.
 *
 * {"format": "cosched-graphs-1", "note", "graphs": [graph, ...]}; each graph is an object as in
 * graph_json.h.
 */
#ifndef CS_IO_GRAPH_LIST_H
#define CS_IO_GRAPH_LIST_H

#include "base/json.h"
#include "base/jsonw.h"
#include "model/graph.h"

#define CS_GRAPHS_FORMAT "cosched-graphs-1"

struct cs_graph_list {
    int graphs;
    struct cs_graph **graph;
};

void cs_graph_list_release(struct cs_graph_list *list); /* its graphs too */

/* Append the graphs of a file: all of a list, or the one that any other file holds
 * (cs_graph_read).  -1 with err; the list is as before then. */
int cs_graph_list_read(struct cs_graph_list *list, const char *path,
                       const struct cs_graph_reading *how, struct cs_error *err);

/* The same for the text of a file; `name` is for messages. */
int cs_graph_list_read_memory(struct cs_graph_list *list, const char *name,
                              const struct cs_strbuf *text, const struct cs_graph_reading *how,
                              struct cs_error *err);

/* Append the graphs of the array; -1 with err. */
int cs_graph_list_json_read(struct cs_graph_list *list, const struct cs_json_at *array,
                            const char *file, struct cs_error *err);

/* The document. */
void cs_graph_list_json_put(struct cs_jsonw *w, int graphs, const struct cs_graph *const *graph);

#endif
