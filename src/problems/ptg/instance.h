/* instance.h - graphs on a platform, as the rest of the problem sees them. */
#ifndef CS_PTG_INSTANCE_H
#define CS_PTG_INSTANCE_H

#include "problems/ptg/ptg.h"

struct cs_ptg_instance {
    const struct cs_platform *platform;
    int graphs, tasks;
    const struct cs_graph *const *graph;
    const double *release; /* graphs */
    const int *first;      /* graphs + 1: task v of graph g has number first[g] + v */
    const int *graph_of;   /* tasks: by number */
    const int *sequence;   /* tasks: numbers, graph by graph in topological order, of those that
                              could come next always the lowest */
    const int *low, *high; /* tasks times clusters: least and greatest number of processors, low
                              above high: never there; NULL: 1 and all of the cluster */
    double power;          /* flop/s of the whole platform */
    void *storage;
};

/* The task of this number. */
static inline const struct cs_graph_task *cs_ptg_task(const struct cs_ptg_instance *in, int number)
{
    int g = in->graph_of[number];

    return &in->graph[g]->task[number - in->first[g]];
}

/* The least and the greatest number of processors of a task on a cluster. */
static inline int cs_ptg_low(const struct cs_ptg_instance *in, int number, int cluster)
{
    return in->low ? in->low[(size_t)number * (size_t)in->platform->clusters + (size_t)cluster] : 1;
}

static inline int cs_ptg_high(const struct cs_ptg_instance *in, int number, int cluster)
{
    return in->low ? in->high[(size_t)number * (size_t)in->platform->clusters + (size_t)cluster]
                   : in->platform->cluster[cluster].procs;
}

/* One graph of it alone on the platform, released at 0, with its limits. */
struct cs_ptg_instance *cs_ptg_instance_single(const struct cs_ptg_instance *in, int graph);

/* -1 with err when some task may not have every number of processors everywhere; the
 * message names the planner, `who`. */
int cs_ptg_instance_unlimited(const struct cs_ptg_instance *in, const char *who,
                              struct cs_error *err);

/* -1 with err when an option is out of range. */
int cs_ptg_options_check(const struct cs_ptg_options *options, struct cs_error *err);

#endif
