/* run.h - plans made in virtual time: graphs arrive, tasks end, ready tasks are placed.
 *
 * spec/ptg.md 3, 4 and 15.  At every date all ends and releases of that date are
 * dealt with first, then shares where the mode requires it, then the tasks that are ready are
 * placed, by (bottom level descending, graph, task).
 */
#ifndef CS_PTG_RUN_H
#define CS_PTG_RUN_H

#include "problems/ptg/strategy.h"

/* Offline, with these shares, 0 .. 1 each; the options are in range. */
struct cs_ptg_plan *cs_ptg_run_shares(const struct cs_ptg_instance *in,
                                      const struct cs_ptg_options *options, const double *beta);

/* The same, and tasks may be wider where their level leaves some of the share; no width below this
 * efficiency. */
struct cs_ptg_plan *cs_ptg_run_widened(const struct cs_ptg_instance *in,
                                       const struct cs_ptg_options *options, double efficiency,
                                       const double *beta);

/* Tasks in the order of a list, which is topological, without holes and packing: each where it ends
 * first on a cluster with least .. greatest of its processors (tasks times clusters), ties to the
 * less power, then to the first met. */
struct cs_ptg_list {
    const int *order;        /* tasks: numbers */
    const int *least, *most; /* tasks times clusters; most below least: not there */
    bool fan;                /* the rule of options (ptg.h) */
};
void cs_ptg_run_list(const struct cs_ptg_instance *in, const struct cs_ptg_list *list,
                     struct cs_ptg_plan *plan);

/* One graph alone, released at 0, with the whole platform as its share. */
struct cs_ptg_plan *cs_ptg_run_alone(const struct cs_platform *platform,
                                     const struct cs_graph *graph,
                                     const struct cs_ptg_options *options);

/* Online: shares by the strategy, set at the events of the mode. */
struct cs_ptg_plan *cs_ptg_run_online(const struct cs_ptg_instance *in,
                                      const struct cs_ptg_options *options,
                                      const struct cs_ptg_strategy *strategy, const double *param,
                                      enum cs_ptg_mode mode);

/* An empty plan, with room for all tasks and `first` filled in. */
struct cs_ptg_plan *cs_ptg_plan_create(const struct cs_ptg_instance *in);

/* Are its graphs, tasks, clusters and processors those of the instance? */
bool cs_ptg_plan_fits(const struct cs_ptg_instance *in, const struct cs_ptg_plan *plan);

/* completion[] and makespan from the places. */
void cs_ptg_plan_finish(struct cs_ptg_plan *plan);

#endif
