/* settings.h - the options of the problem ptg, and the graphs and platforms that they name.
 */
#ifndef CS_PTG_SETTINGS_H
#define CS_PTG_SETTINGS_H

#include "base/arena.h"
#include "io/graph_list.h"
#include "problem/problem.h"
#include "problem/traps.h"
#include "problems/ptg/ptg.h"

/* Of --replay: what SimGrid did in 0.2, which is refused. */
#define CS_PTG_REPLAY_SIMGRID 2

struct cs_ptg_settings {
    struct cs_study_options study;
    const char *platform; /* of plans: a file or a site */
    const char *sites;    /* of experiments: the same, or grid5000 for all sites */
    int network;          /* 0 is fan */
    const char *alpha;
    double speed;
    int cores; /* enum cs_ptg_cores */
    const char *release;

    const char *policy, *policy_program;
    double patience; /* with the program */
    double mu;
    int online;     /* -1: all is known beforehand */
    int allocation; /* enum cs_ptg_procedure */
    double efficiency;
    int gain, reference, largest; /* the enums of problems/ptg/ptg.h */
    int order, packing;           /* packing: 0 is yes */
    double batch;
    int replay; /* 0 no, 1 fluid, CS_PTG_REPLAY_SIMGRID */
    const char *compare;

    int family, cost; /* cost: -1 when not given */
    int64_t count, graphs, combination, tasks, jump, points;
    double width, regular, density;
    struct cs_trap_options trap;
    const char *platform_output; /* of generate with a trap */
};

#define CS_PTG_SITES 4

struct cs_ptg_input {
    int sites;
    struct cs_platform *platform[CS_PTG_SITES];
    struct cs_graph_list list;
    const double *release; /* by graph; NULL: all at 0 */
    struct cs_ptg_instance *instance[CS_PTG_SITES];
};

/* Read, or generate.  What is there is released by close, also after -1 with err. */
int cs_ptg_input_open(struct cs_ptg_input *supplied, const struct cs_ptg_settings *settings,
                      struct cs_arena *arena, struct cs_error *err);
void cs_ptg_input_close(struct cs_ptg_input *supplied);

/* Do the options of the recipe go together?  -1 with err. */
int cs_ptg_generator_check(const struct cs_ptg_settings *settings, struct cs_error *err);

/* The graph of the trap and, unless platform is NULL, its machine; NULL with err. */
struct cs_graph *cs_ptg_trap(const struct cs_ptg_settings *settings, struct cs_platform **platform,
                             struct cs_error *err);

/* Fill graph[count] by the recipe; -1 with err, and what was made is in graph. */
int cs_ptg_generator_make(const struct cs_ptg_settings *settings, int count,
                          struct cs_graph **graph, struct cs_error *err);

#endif
