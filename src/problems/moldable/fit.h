/* fit.h - FIT (spec/moldable.md 4.4): LIST in which counts may change at the moment of starting.
 *
 * A task that does not fit starts narrower when it still ends below a deadline; the last to start
 * take the processors that no task waits for.
 */
#ifndef CS_MOLDABLE_FIT_H
#define CS_MOLDABLE_FIT_H

#include "problems/moldable/free_procs.h"

#include <stdbool.h>

struct cs_moldable_running {
    double end;
    int procs, first;
};

struct cs_moldable_fit {
    const struct cs_moldable_bag *bag;
    const short *within; /* by task, procs + 1 each: the widest candidate of so many; or NULL */
    int least;           /* the least count of any candidate */

    int *choice;   /* out: the candidates used */
    double *start; /* out */
    int *first;    /* out: the lowest numbers held; 0 where any processors will do */
    double makespan;
    int last; /* out: the task with the largest end, the first to reach it */

    int *next;                           /* places that wait, linked; 0 is before the first */
    int *started;                        /* tasks of a scan */
    struct cs_moldable_running *running; /* the one that ends first is the last */
    int runs;
    struct cs_moldable_room room;
    double now;
    bool plain; /* neither narrowing nor widening */
};

void cs_moldable_fit_init(struct cs_moldable_fit *fit, const struct cs_moldable_bag *bag,
                          struct cs_arena *arena);

/* Nothing runs, all processors are free, it is 0. */
void cs_moldable_fit_clear(struct cs_moldable_fit *fit);

/* So many processors, from `first` on, are taken until `end`; after cs_moldable_fit_clear, to start
 * from another state. */
void cs_moldable_fit_busy(struct cs_moldable_fit *fit, double end, int first, int procs);

/* The tasks order[0 .. count - 1] with the allotment, to end below `deadline`.  False as soon as
 * the makespan is above `limit`. */
bool cs_moldable_fit(struct cs_moldable_fit *fit, const int *choice, const int *order, int count,
                     double deadline, double limit);

#endif
