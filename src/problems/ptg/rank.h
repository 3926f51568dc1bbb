/* rank.h - in which order the tasks of all graphs are examined.
 *
 * The rank of a task is the longest way to the end of its graph that begins with it: times on as
 * many processors of mean speed as half their efficiency allows, transfers between so many, of mean
 * links (spec/ptg.md III.3).
 */
#ifndef CS_PTG_RANK_H
#define CS_PTG_RANK_H

#include "base/arena.h"
#include "problems/ptg/instance.h"

/* rank[] by number; the floor counts from a half on, and above 1 every task has one processor. */
void cs_ptg_rank(const struct cs_ptg_instance *in, double efficiency, double *rank,
                 struct cs_arena *scratch);

/* The largest rank of a graph. */
double cs_ptg_rank_largest(const struct cs_ptg_instance *in, const double *rank, int graph);

/* All numbers by (key descending, graph, place in the graph's topological order). */
void cs_ptg_rank_order(const struct cs_ptg_instance *in, const double *key, int *order,
                       struct cs_arena *scratch);

#endif
