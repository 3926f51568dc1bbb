/* modes.h - a bag of tasks with modes, several resources, budgets, windows and precedence.
 *
 * The data of spec/bag.md 1, as a reader fills them: no algorithm, no order of modes.  Amounts of
 * resources are whole; those of budgets, and limits of budgets, are thousandths.  A task takes one
 * of its modes and keeps it.
 */
#ifndef CS_MODEL_MODES_H
#define CS_MODEL_MODES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct cs_modes {
    int tasks, resources, budgets, windows;
    const char *const *task_name;
    const char *const *resource_name; /* the first one is that of processors */
    const char *const *budget_name;
    const int64_t *capacity; /* by resource */
    const int64_t *budget;   /* by budget */
    const int *first;        /* by task, tasks + 1: its modes are first[i] .. first[i + 1] - 1 */
    const double *seconds;   /* by mode */
    const int64_t *use;      /* by mode and resource */
    const int64_t *spend;    /* by mode and budget */
    const int *before_first; /* by task, tasks + 1, an interval of before[] */
    const int *before;       /* the tasks that end first */
    const double *release;   /* by task; NULL: 0 */
    const double *deadline;  /* by task; NULL: none; infinite: none */
    const double *walltime;  /* by task; NULL: none; infinite: none */
    const double *from, *to; /* by window; an infinite end: without end */
    const int64_t *less;     /* by window and resource */
    int nodes;               /* above 1: tasks share nodes (spec/bag.md 3.6) */
    const int64_t *per_node; /* by resource: the capacity of a node; -1: of the whole machine */
    const int *span;         /* by mode: nodes; NULL or 0: the least */

    /* As read, before the machine is known: capacities and budgets that are not given are -1, nodes
     * 0, and a mode of 0 processors stands for all counts of the task's profile. */
    const int64_t *per_proc;     /* by resource: of each processor (3.3); -1: none; or NULL */
    const char *const *label;    /* by mode; "": none; or NULL */
    const unsigned char *origin; /* by mode: enum cs_time_origin; NULL: measured */
    const char *source;          /* the file, or NULL: for messages */
};

/* The amounts of a mode, by resource and by budget. */
static inline const int64_t *cs_modes_use(const struct cs_modes *modes, int mode)
{
    return modes->use + (size_t)mode * (size_t)modes->resources;
}

static inline const int64_t *cs_modes_spend(const struct cs_modes *modes, int mode)
{
    return modes->spend + (size_t)mode * (size_t)modes->budgets;
}

/* The most of an amount that one of so many nodes has. */
static inline int64_t cs_modes_share(int64_t amount, int nodes)
{
    return (amount + nodes - 1) / nodes;
}

/* The names of the resources that have numbers: gpus, and gpus:KIND. */
static inline bool cs_modes_numbered(const char *resource)
{
    return strncmp(resource, "gpus", 4) == 0 && (!resource[4] || resource[4] == ':');
}

#endif
