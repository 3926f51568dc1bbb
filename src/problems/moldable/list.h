/* list.h - an allotment and an order become a schedule: LIST, EARLIEST, COMPACT (spec/moldable.md
 * 4). */
#ifndef CS_MOLDABLE_LIST_H
#define CS_MOLDABLE_LIST_H

#include "base/heap.h"
#include "base/tournament.h"
#include "problems/moldable/free_procs.h"
#include "problems/moldable/moldable.h"

#include <stdbool.h>

enum cs_moldable_order {
    CS_MOLDABLE_LPT,   /* time descending */
    CS_MOLDABLE_AREA,  /* work descending */
    CS_MOLDABLE_WIDE,  /* count descending */
    CS_MOLDABLE_INDEX, /* as numbered */
};

/* The tasks sorted by the key of their candidates; ties: smaller index. */
void cs_moldable_sort(const struct cs_moldable_bag *bag, const int *choice,
                      enum cs_moldable_order kind, int *order, struct cs_arena *scratch);

/* The tasks sorted by (start, index). */
void cs_moldable_sort_starts(const struct cs_moldable_bag *bag, const double *start, int *order,
                             struct cs_arena *scratch);

/* The tasks of a plan sorted by (start, index), but those so short that they end where they start
 * before the others that start there: in this order each finds its processors free. */
void cs_moldable_sort_plan(const struct cs_moldable_bag *bag, const struct cs_moldable_plan *plan,
                           int *order, struct cs_arena *scratch);

/* What LIST needs, made once for many lists. */
struct cs_moldable_lister {
    const struct cs_moldable_bag *bag;
    struct cs_tournament waiting; /* by place in the order: minus the count, if released */
    struct cs_heap running;       /* by end */
    int *place;                   /* of a task in the order; only with releases */
    int *arrival;                 /* tasks by (release, index); only with releases */
    struct cs_moldable_room room;
    int *first; /* out: by task, the lowest number of its processors; NULL where any will do */
};

void cs_moldable_lister_init(struct cs_moldable_lister *lister, const struct cs_moldable_bag *bag,
                             struct cs_arena *arena);

/* LIST: at every event, in order, what fits starts.  Fills start[] and lister->first[], returns the
 * makespan; +inf, and they are of no use, as soon as an end reaches `cutoff`.  O(n log n), and what
 * looking at free blocks takes. */
double cs_moldable_list(struct cs_moldable_lister *lister, const int *choice, const int *order,
                        double cutoff, double *start);

/* What EARLIEST needs. */
struct cs_moldable_skyline {
    const struct cs_moldable_bag *bag;
    int count;    /* instants; the last stretch, to infinity, is free */
    double *time; /* when the stretch begins */
    int *free;    /* processors during it */
};

void cs_moldable_skyline_init(struct cs_moldable_skyline *skyline,
                              const struct cs_moldable_bag *bag, struct cs_arena *arena);

/* EARLIEST: in order, each task as early as it fits among those placed, on any processors.  As
 * cs_moldable_list.  O(n^2) at worst. */
double cs_moldable_earliest(struct cs_moldable_skyline *skyline, const int *choice,
                            const int *order, double cutoff, double *start);

/* All processors are free. */
void cs_moldable_skyline_clear(struct cs_moldable_skyline *skyline);

/* Take processors from `start` up to `end`, or give them back when procs is negative.  At most
 * twice as often as there are tasks. */
void cs_moldable_skyline_take(struct cs_moldable_skyline *skyline, double start, double end,
                              int procs);

/* Are so many free all the time? */
bool cs_moldable_skyline_fits(const struct cs_moldable_skyline *skyline, double start, double end,
                              int procs);

#endif
