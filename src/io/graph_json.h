/* graph_json.h - task graphs as JSON: ours, and WfCommons' descriptions of workflows. */
#ifndef CS_IO_GRAPH_JSON_H
#define CS_IO_GRAPH_JSON_H

#include "base/json.h"
#include "base/jsonw.h"
#include "model/graph.h"

#define CS_GRAPH_FORMAT "cosched-graph-1"

/* {"format", "note", "name", "tasks": [{"name", "flops", "alpha"}], "arcs": [[from, to, bytes]]};
 * format, note, names and alpha may be left out; `known` is that of a trap (model/known.h). */
struct cs_graph *cs_graph_json_read(const struct cs_json_at *at, const char *file,
                                    struct cs_error *err);

/* The same object.  A graph of some hundred tasks is written one task a line. */
void cs_graph_json_put(struct cs_jsonw *w, const struct cs_graph *graph);

/* A WfFormat document (1.0 to 1.6) of tasks that ran. */
struct cs_graph *cs_graph_wfcommons_read(const struct cs_json_at *root, const char *file,
                                         const struct cs_graph_reading *how, struct cs_error *err);

/* cs_graph_read for bytes; `name` is for messages. */
struct cs_graph *cs_graph_read_memory(const char *name, const void *bytes, size_t size,
                                      const struct cs_graph_reading *how, struct cs_error *err);

#endif
