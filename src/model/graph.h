/* graph.h - parallel task graphs (PTGs): moldable tasks and the data between them.
 *
 * A graph is directed and has no cycle.  A task has work (flop) and the part alpha of its
 * sequential time that does not parallelise (Amdahl): on n processors of speed s (flop/s) it
 * takes (alpha + (1 - alpha) / n) * flops / s seconds.  An arc carries bytes from one task to
 * another.  Tasks are numbered from 0 in the order in which they were given.
 */
#ifndef CS_MODEL_GRAPH_H
#define CS_MODEL_GRAPH_H

#include <cosched/error.h>
#include <stdint.h>

struct cs_known;

struct cs_graph_task {
    const char *name;
    double flops;  /* at least 0 */
    double alpha;  /* 0 .. 1 */
    double memory; /* bytes over all its processors, at least 0; 0 when unknown */
    int cores;     /* that it had where it was measured, at least 0; 0 when unknown */
};

struct cs_graph_arc {
    int from, to;
    double bytes; /* at least 0; 0 is an order without data */
};

/* Read only.  The precedence level of a task is 0 without predecessor, else one more than the
 * largest level of its predecessors. */
struct cs_graph {
    const char *name;
    int tasks, arcs;
    const struct cs_graph_task *task;
    const struct cs_graph_arc *arc; /* sorted by (from, to), no two alike */
    const int *first_out; /* tasks + 1: task v is `from` of arcs first_out[v] .. [v + 1] */
    const int *in;        /* indices of arcs sorted by (to, from) */
    const int *first_in;  /* tasks + 1: task v is `to` of arcs in[first_in[v] .. [v + 1]] */
    int levels;
    const int *level;             /* of each task */
    const int *members;           /* levels: how many tasks each has */
    const int *order;             /* all tasks by (level, index): every arc goes forwards */
    int width;                    /* tasks of the largest level */
    double work;                  /* flop of all tasks, added in their order */
    const struct cs_known *known; /* what is proven of its optimum; or NULL */
    void *storage;                /* private */
};

/* A graph of copies of these tasks and arcs.  Names may be NULL: then "0", "1", ...; a name that is
 * empty or appears twice is refused.  Arcs between the same two tasks become one, bytes added.
 * Refused too: no task, work, memory, cores or bytes that are negative, infinite or not a number,
 * alpha outside 0 .. 1, an arc from or to a task that is not there, a task that follows itself, a
 * cycle, sums that overflow.  NULL with err on failure.  O(tasks + arcs log arcs).  The caller
 * destroys it. */
struct cs_graph *cs_graph_create(const char *name, int tasks, const struct cs_graph_task *task,
                                 int arcs, const struct cs_graph_arc *arc, struct cs_error *err);
void cs_graph_destroy(struct cs_graph *graph); /* NULL is fine */

/* Set the key `known` from its text. -1 with err. */
int cs_graph_set_known(struct cs_graph *graph, const char *text, struct cs_error *err);

/* Options for data missing in workflow files: runtimes become work, and tasks get a part that does
 * not parallelise. */
struct cs_graph_reading {
    double speed;      /* flop/s of the processors on which runtimes were measured */
    double alpha;      /* of every task */
    double alpha_high; /* above alpha: drawn in [alpha, alpha_high) for each task */
    uint64_t seed;     /* for that */
};
#define CS_GRAPH_READING                                                                           \
    {                                                                                              \
        .speed = 1e9                                                                               \
    }

/* Read a graph from a file ("-": standard input; gzip and xz are unpacked): our JSON, WfCommons
 * JSON, DOT with size and alpha, the native format of daggen, or DAX (where the build has
 * libexpat); what is inside decides (docs/formats.md).  `how` plays a part for WfCommons and DAX
 * only; NULL: CS_GRAPH_READING.  NULL with err on failure.  The caller destroys it. */
struct cs_graph *cs_graph_read(const char *path, const struct cs_graph_reading *how,
                               struct cs_error *err);

/* Write it as DOT when the path ends with .dot, else as JSON; "-" is standard output.  DOT rounds
 * work and data to whole numbers and knows neither memory nor cores.  0, or -1 with err. */
int cs_graph_write(const struct cs_graph *graph, const char *path, struct cs_error *err);

/* Seconds of a task on procs >= 1 processors of this speed. */
double cs_graph_task_time(const struct cs_graph_task *task, int procs, double speed);

/* The longest path, in seconds, with each task v on procs[v] processors of this speed (procs NULL:
 * one each); communication is not counted.  bottom[v], unless NULL, is the length of the longest
 * path that begins with v, v included. */
double cs_graph_critical_path(const struct cs_graph *graph, const int *procs, double speed,
                              double *bottom);

#endif
