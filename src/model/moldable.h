/* moldable.h - the times of moldable tasks on 1 .. procs processors, repaired or as given.
 *
 * Algorithms with a guarantee need, for every task and 1 <= j < procs,
 *   (1) t(j + 1) <= t(j)        (2) j t(j) <= (j + 1) t(j + 1).
 * The repair is the smallest profile above the running minimum of the raw one that
 * satisfies both: a real run is never longer than modelled.  (1) holds exactly.
 *
 * As given, a task that holds j processors takes the least time known for an allowed count
 * (model/counts.h) up to j, and is launched on that count: (1) holds, (2) need not.
 *
 * Small instances are tabulated, so that a row is an array.  Large ones made of
 * formulas are evaluated when asked, clamped at their fastest processor count.
 */
#ifndef CS_MODEL_MOLDABLE_H
#define CS_MODEL_MOLDABLE_H

#include "base/arena.h"

#include <cosched/error.h>
#include <cosched/workload.h>
#include <stdbool.h>
#include <stddef.h>

/* Above so many entries tables are refused, below so many formulas are tabulated. */
#define CS_MOLDABLE_TABLE_LIMIT ((size_t)1 << 27)
#define CS_MOLDABLE_TABULATE ((size_t)1 << 22)

struct cs_moldable {
    int count, procs;
    const double *table;              /* count rows of procs times, or NULL */
    const struct cs_profile *profile; /* count, asked where there is no table */
    const int *fastest;               /* no table: beyond it more processors do not help */
    const int *min_procs;             /* count: the first j with a finite time; mostly 1 */
    const int *changed;               /* count: entries that the repair changed */
    const double *largest;            /* count: the largest relative change */
    bool supplied;                    /* not repaired */
    bool rising;                      /* (2) holds, to a relative 1e-12 */
    const int *first;   /* given, with a table: steps first[i] .. first[i + 1] - 1 of task i */
    const int *step;    /* counts where its time falls, rising */
    const double *work; /* the least work on this step or a later one */
    void *storage;
};

/* NULL with err when a task has no finite time on up to procs processors, a table is
 * shorter than procs, or a time is not a positive number. */
struct cs_moldable *cs_moldable_create(const struct cs_workload *workload, int procs,
                                       struct cs_error *err);

/* The same, as given; margin as in model/counts.h.  NULL with err when a task has no allowed count,
 * a release date, or the times make too large a table. */
struct cs_moldable *cs_moldable_create_measured(const struct cs_workload *workload, int procs,
                                                double margin, struct cs_error *err);

/* The repaired input: for algorithms that need (2). It lives in the arena. */
struct cs_moldable *cs_moldable_repaired(const struct cs_moldable *supplied,
                                         struct cs_arena *arena);

void cs_moldable_destroy(struct cs_moldable *m);

/* Repair the row raw[0 .. procs - 1] into row (which may be raw).  Returns how many
 * entries changed; *largest is the largest relative change. */
int cs_moldable_repair(const double *raw, int procs, double *row, double *largest);

double cs_moldable_formula_time(const struct cs_moldable *m, int task, int procs);

static inline double cs_moldable_time(const struct cs_moldable *m, int task, int procs)
{
    if (m->table)
        return m->table[(size_t)task * (size_t)m->procs + (size_t)procs - 1];
    return cs_moldable_formula_time(m, task, procs);
}

/* The least processors on which the task takes at most `seconds`; procs + 1 if none do. */
int cs_moldable_need(const struct cs_moldable *m, int task, double seconds);

/* The least work of the task on a count where it takes at most `seconds`, which it can. */
double cs_moldable_work_within(const struct cs_moldable *m, int task, double seconds);

/* The count on which the task is launched when it holds so many processors. */
static inline int cs_moldable_launched(const struct cs_moldable *m, int task, int procs)
{
    return m->supplied ? cs_moldable_need(m, task, cs_moldable_time(m, task, procs)) : procs;
}

#endif
