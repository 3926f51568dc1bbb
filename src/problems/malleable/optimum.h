/* optimum.h - the least makespan that decisions could have reached, with failures known before. */
#ifndef CS_MALLEABLE_OPTIMUM_H
#define CS_MALLEABLE_OPTIMUM_H

#include "base/arena.h"
#include "problems/malleable/malleable.h"

#define CS_MALLEABLE_OPTIMUM_TASKS 6 /* more, or more pairs, only with `exact` */
#define CS_MALLEABLE_OPTIMUM_PAIRS 12
#define CS_MALLEABLE_OPTIMUM_MOST_TASKS 16 /* never more */
#define CS_MALLEABLE_OPTIMUM_MOST_PAIRS 64

/* Processors of every task from a date on. */
struct cs_malleable_choice {
    double time;
    const int *procs; /* by task; 0: it has ended */
};

struct cs_malleable_optimum {
    double makespan; /* the least that was found */
    double bound;    /* work on shares of the machine, without failures */
    bool proven;     /* no choices end before; else the search was cut short */
    long long nodes; /* allocations that were tried */
    int choices;     /* that lead to the makespan */
    const struct cs_malleable_choice *choice;
};

/* Find the least makespan of all choices of allocations at time 0, at ends, at failures that
 * strike a computing task, and at wakes if the rules have them (docs/spec/science.md 10.1); the
 * policies of the rules do not matter.  `trace` is at the beginning of its scenario, or NULL.
 * `exact`: for as many tasks and pairs as CS_MALLEABLE_OPTIMUM_MOST_*.  The choices live in the
 * arena.  -1 with err if there are too many. */
int cs_malleable_optimum_find(const struct cs_malleable_instance *instance,
                              const struct cs_malleable_rules *rules,
                              struct cs_malleable_trace *trace, uint64_t scenario, bool exact,
                              struct cs_arena *arena, struct cs_malleable_optimum *optimum,
                              struct cs_error *err);

/* Is the instance small enough, and does the search have the layout?  -1 with err. */
int cs_malleable_optimum_check(const struct cs_malleable_instance *instance,
                               const struct cs_malleable_rules *rules, bool exact,
                               struct cs_error *err);

#endif
