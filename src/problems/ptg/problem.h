/* problem.h - options and studies of the problem ptg, for its views. */
#ifndef CS_PTG_PROBLEM_H
#define CS_PTG_PROBLEM_H

#include "problem/problem.h"
#include "problems/ptg/ptg.h"
#include "problems/ptg/settings.h"

/* The metrics of a plan; in experiments means over the platforms. */
enum cs_ptg_seen_at {
    CS_PTG_UNFAIRNESS,
    CS_PTG_SLOWDOWN,
    CS_PTG_MAKESPAN,
    CS_PTG_RELATIVE,
    CS_PTG_GAP,
    CS_PTG_AVERAGE,
    CS_PTG_RELATIVE_AVERAGE,
    /* The same five of the plan itself, where the others are those of its replay. */
    CS_PTG_PLANNED_UNFAIRNESS,
    CS_PTG_PLANNED_SLOWDOWN,
    CS_PTG_PLANNED_MAKESPAN,
    CS_PTG_PLANNED_RELATIVE,
    CS_PTG_PLANNED_AVERAGE,
    CS_PTG_CONTENDED,
    CS_PTG_CONTENDED_UNFAIRNESS,
    CS_PTG_SEEN,
};
struct cs_ptg_seen {
    double at[CS_PTG_SEEN]; /* NaN: no value */
};

/* A strategy and what came of it. */
struct cs_ptg_variant {
    struct cs_ptg_request request;
    const double *own, *own_contended;   /* by graph: makespans alone; NULL: not needed */
    struct cs_ptg_plan *plan, *replayed; /* replayed: NULL unless requested */
    struct cs_ptg_metrics *metrics, *contended;
};

struct cs_ptg_case {
    struct cs_study study;
    const struct cs_ptg_settings *settings;
    struct cs_ptg_options options;
    enum cs_ptg_mode mode;
    struct cs_ptg_variant *variant;
    struct cs_extpol *extpol;     /* the external policy of `program`, or NULL */
    struct cs_ptg_input supplied; /* in experiments only while it runs */

    /* Of plans. */
    double *own, *own_contended; /* by graph: makespans alone, by shares; NULL until needed */
    struct cs_ptg_bounds bounds;
    const char *const *label; /* by graph: distinct names */

    /* Of experiments. */
    const struct cs_ptg_known *known;
    struct cs_cache *cache; /* when the context has no cache */
};

extern const struct cs_problem cs_problem_ptg;

#endif
