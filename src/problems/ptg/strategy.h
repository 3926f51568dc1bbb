/* strategy.h - the interface of a strategy: which share of the platform each graph may use.
 *
 * To add one: a `const struct cs_ptg_strategy cs_ptg_strategy_NAME` in a .c file here, one line in
 * policies.def, one line in meson.build for a new file.
 */
#ifndef CS_PTG_STRATEGY_H
#define CS_PTG_STRATEGY_H

#include "base/arena.h"
#include "problems/ptg/instance.h"
#include "problems/ptg/reference.h"

/* The graphs that share the platform now; with what is left of each when they arrive over time. */
struct cs_ptg_scene {
    const struct cs_platform *platform;
    const struct cs_ptg_reference *reference;
    const struct cs_ptg_options *options;
    int graphs;                          /* at least 1 */
    const struct cs_graph *const *graph; /* NULL: nothing of it is left to place */
    struct cs_arena *scratch;
};

struct cs_ptg_strategy {
    struct cs_policy info;
    /* beta[graph], 0 .. 1; 0 only for a graph that has nothing to divide by. */
    void (*shares)(const struct cs_ptg_scene *scene, const double *param, double *beta);
    /* NULL, or the whole plan, where shares follow from schedules, or where it is no matter of
     * shares alone; NULL with err. */
    struct cs_ptg_plan *(*plan)(const struct cs_ptg_instance *in,
                                const struct cs_ptg_request *request, struct cs_error *err);
    bool itself;   /* what a graph takes alone is by this strategy, not by s */
    bool limits;   /* knows least and greatest numbers of processors */
    bool single;   /* plans one graph on one cluster only */
    bool arrivals; /* plan never looks at graphs before their release: fine with every mode */
};

/* Is it planned by the rule of the fan? */
static inline bool cs_ptg_request_fan(const struct cs_ptg_request *request)
{
    return request->options->network == CS_PTG_NETWORK_FAN;
}

/* All strategies, *count of them, in the order of policies.def. */
const struct cs_ptg_strategy *const *cs_ptg_strategies(int *count);

/* beta = mu / n + (1 - mu) gamma / (sum of gamma); 1 / n instead of the fraction when the sum is
 * 0. */
void cs_ptg_shares_weighted(const double *gamma, int graphs, double mu, double *beta);

/* beta[graph] by the strategy of that name with its fallback parameters, which has shares. */
void cs_ptg_shares_named(const struct cs_ptg_instance *in, const struct cs_ptg_options *options,
                         const char *name, double *beta);

/* Measures that a share can be proportional to. */
double cs_ptg_gamma_cp(const struct cs_ptg_scene *scene, const struct cs_graph *graph);
double cs_ptg_gamma_width(const struct cs_ptg_scene *scene, const struct cs_graph *graph);
double cs_ptg_gamma_work(const struct cs_ptg_scene *scene, const struct cs_graph *graph);

/* The scene in which all graphs of an instance are there. */
struct cs_ptg_scene cs_ptg_scene_of(const struct cs_ptg_instance *in,
                                    const struct cs_ptg_reference *reference,
                                    const struct cs_ptg_options *options, struct cs_arena *scratch);

#endif
