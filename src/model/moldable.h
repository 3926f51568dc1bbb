/* moldable.h - the repaired times of moldable tasks on 1 .. procs processors.
 *
 * The algorithms need, for every task and 1 <= j < procs,
 *   (1) t(j + 1) <= t(j)        (2) j t(j) <= (j + 1) t(j + 1).
 * The repair is the smallest profile above the running minimum of the raw one that
 * satisfies both: a real run is never longer than modelled.  (1) holds exactly.
 *
 * Small instances are tabulated, so that a row is an array.  Large ones made of
 * formulas are evaluated when asked, clamped at their fastest processor count.
 */
#ifndef CS_MODEL_MOLDABLE_H
#define CS_MODEL_MOLDABLE_H

#include <cosched/error.h>
#include <cosched/workload.h>
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
    void *storage;
};

/* NULL with err when a task has no finite time on up to procs processors, a table is
 * shorter than procs, or a time is not a positive number. */
struct cs_moldable *cs_moldable_create(const struct cs_workload *workload, int procs,
                                       struct cs_error *err);
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

#endif
