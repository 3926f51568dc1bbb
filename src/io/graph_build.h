/* graph_build.h - task graphs as readers make them: tasks and arcs come one by one, by name.
 *
 *     struct cs_graph_draft draft;
 *     cs_graph_draft_begin(&draft, "montage.json", &reading);
 *     ... cs_graph_draft_task and cs_graph_draft_arc; -1 when something is wrong
 *     return cs_graph_draft_end(&draft, status, "montage", err);
 */
#ifndef CS_IO_GRAPH_BUILD_H
#define CS_IO_GRAPH_BUILD_H

#include "base/arena.h"
#include "io/names.h"
#include "model/graph.h"

struct cs_graph_draft {
    const char *file; /* as messages call it */
    const struct cs_graph_reading *how;
    struct cs_arena *arena;
    struct cs_names *names;
    int tasks, task_room, arcs, arc_room;
    struct cs_graph_task *task;
    struct cs_graph_arc *arc;
};

void cs_graph_draft_begin(struct cs_graph_draft *draft, const char *file,
                          const struct cs_graph_reading *how);

/* Add a task; its number, or -1 with err ("the name ... ": empty, not UTF-8, or there already). */
int cs_graph_draft_task(struct cs_graph_draft *draft, const char *name, double flops, double alpha,
                        struct cs_error *err);

/* The number of a task, -1 if the name is unknown. */
int cs_graph_draft_find(const struct cs_graph_draft *draft, const char *name);

/* Add an arc between tasks that are there; at most CS_GRAPH_ARCS_MOST of them. */
#define CS_GRAPH_ARCS_MOST 200000000
int cs_graph_draft_arc(struct cs_graph_draft *draft, int from, int to, double bytes,
                       struct cs_error *err);

/* Alpha of the next task, if the format has none. */
double cs_graph_draft_alpha(const struct cs_graph_draft *draft);

/* The graph, or NULL with "FILE: reason" if it is invalid or the status is not 0. An empty name is
 * replaced by the name of the file without folder and extensions. The draft is released. */
struct cs_graph *cs_graph_draft_end(struct cs_graph_draft *draft, int status, const char *name,
                                    struct cs_error *err);

/* "montage" for "runs/montage.json.gz"; "graph" where that leaves no good name. */
const char *cs_graph_stem(const char *file, struct cs_arena *arena);

/* One reader a format, for the bytes of a file. */
struct cs_graph *cs_graph_dot_read(const char *file, const char *bytes, size_t size,
                                   const struct cs_graph_reading *how, struct cs_error *err);
struct cs_graph *cs_graph_daggen_read(const char *file, const char *bytes, size_t size,
                                      const struct cs_graph_reading *how, struct cs_error *err);
struct cs_graph *cs_graph_dax_read(const char *file, const char *bytes, size_t size,
                                   const struct cs_graph_reading *how, struct cs_error *err);

#endif
