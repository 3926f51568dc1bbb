/* ptg_kit.h - instances, options and strategies from golden files of the ptg problem. */
#ifndef CS_TESTS_GOLDEN_PTG_KIT_H
#define CS_TESTS_GOLDEN_PTG_KIT_H

#include "base/arena.h"
#include "problems/ptg/instance.h"

#include <jansson.h>

struct golden_ptg {
    struct cs_platform *platform;
    int graphs;
    struct cs_graph **graph;
    struct cs_ptg_instance *in; /* NULL when there is no graph */
    struct cs_arena *arena;     /* made before, released with the rest */
};

int golden_ptg_read(struct golden_ptg *kit, const json_t *json, struct cs_error *err);
void golden_ptg_release(struct golden_ptg *kit);

struct cs_ptg_options golden_ptg_options(const json_t *json);
/* With the memory of processors, of tasks and the cores of these as lists of their own, or NULL. */
struct cs_platform *golden_ptg_platform(const json_t *json, const json_t *memory,
                                        struct cs_error *err);
struct cs_graph *golden_ptg_graph(const json_t *json, const json_t *memory, const json_t *cores,
                                  struct cs_arena *arena, struct cs_error *err);

/* "WPS-width" with the mu of the case: a number, or one for each measure, or NULL. */
int golden_ptg_call(const char *strategy, const json_t *mu, struct cs_policy_call *call,
                    struct cs_error *err);

/* The shares of a strategy in beta[], which must be those that are wanted. */
int golden_ptg_share(struct golden_ptg *kit, const char *strategy, const json_t *mu,
                     const json_t *want, double *beta, struct cs_error *err);

/* Are the tasks where and when the case says, by graph and task? */
int golden_ptg_places(const json_t *want, const struct cs_ptg_plan *plan,
                      const struct cs_platform *platform, struct cs_error *err);

/* The kinds of the second-generation planner; reads the instance into the kit.  1: another kind. */
int golden_ptg_part3(const char *kind, const json_t *json, struct golden_ptg *kit,
                     struct cs_error *err);

/* The kinds that are no plan: generators, errors, parse, simgrid. */
int golden_ptg_part(const char *kind, const json_t *json, struct cs_error *err);

#endif
