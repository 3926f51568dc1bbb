/* calendar.h - when each processor of one cluster is busy, holes included.
 *
 * Dates at which an interval begins or ends are edges, kept by rising date; between two edges the
 * free processors are a set of bits.  The processors that are free during [t, t + d) are the
 * intersection of the sets from t to t + d.  If too few are left at one edge of a window, no later
 * window that contains this edge has enough: the search continues behind it.
 *
 * spec/ptg.md III.2: a processor is idle in [t, t + d) when no busy interval that
 * ends after t begins before t + d; intervals of length 0 are not entered.
 */
#ifndef CS_PTG_CALENDAR_H
#define CS_PTG_CALENDAR_H

#include "base/arena.h"
#include "model/schedule.h"

#include <stdint.h>

struct cs_ptg_edge {
    int uses;       /* intervals that begin or end here */
    int free;       /* processors from here on */
    uint64_t *sets; /* which they are, and those with one interval on both sides */
};

struct cs_ptg_calendar {
    int first, procs, words; /* words of a set */
    double *date;            /* of every edge, rising */
    struct cs_ptg_edge *edge;
    int edges, room;
    uint64_t **spare; /* sets that no edge has; room for as many as there are edges */
    int spares;
    uint64_t *work; /* scratch: one set */
    struct cs_arena *arena;
};

/* All processors first .. first + procs - 1 are free. */
void cs_ptg_calendar_init(struct cs_ptg_calendar *calendar, int first, int procs,
                          struct cs_arena *arena);

/* The processors are busy in [start, finish); they were idle. */
void cs_ptg_calendar_enter(struct cs_ptg_calendar *calendar, const uint64_t *set, double start,
                           double finish);

/* Take that back. */
void cs_ptg_calendar_leave(struct cs_ptg_calendar *calendar, const uint64_t *set, double start,
                           double finish);

/* The first of `from` and the later edges at which at least `procs` processors are idle for so many
 * seconds; +inf when that is after `from` and ends after `limit`. */
double cs_ptg_calendar_find(const struct cs_ptg_calendar *calendar, int procs, double from,
                            double seconds, double limit);

/* Of those that are idle then, the `procs` that were busy last, ties to the lowest, as a set;
 * returns until when any of them is busy before `date`, 0 if none ever was. */
double cs_ptg_calendar_take(const struct cs_ptg_calendar *calendar, int procs, double date,
                            double seconds, uint64_t *set);

/* The first date from `from` on when all of the set are idle for so long; +inf when that ends after
 * `limit`. */
double cs_ptg_calendar_fit(const struct cs_ptg_calendar *calendar, const uint64_t *set, double from,
                           double seconds, double limit);

/* A set from processors numbered over the whole platform, and back: returns how many intervals. */
void cs_ptg_calendar_set(const struct cs_ptg_calendar *calendar, const struct cs_interval *procs,
                         int intervals, uint64_t *set);
int cs_ptg_calendar_intervals(const struct cs_ptg_calendar *calendar, const uint64_t *set,
                              struct cs_interval *procs);

#endif
