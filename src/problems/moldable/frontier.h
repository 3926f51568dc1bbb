/* frontier.h - how many processors to request: one plan a size (spec/bag.md 7.1 to 7.4).
 *
 * The plans come from a function, so that every kind of bag has a frontier.
 */
#ifndef CS_MOLDABLE_FRONTIER_H
#define CS_MOLDABLE_FRONTIER_H

#include "base/arena.h"

#include <cosched/error.h>
#include <stdbool.h>

/* The sizes of "8..256", "8..256:8", "8,16,32": ascending, distinct.  The limits are those of
 * --procs. */
#define CS_FRONTIER_SIZES_MOST 1000000

struct cs_frontier_sizes {
    int *size;
    int count;
};

/* 0: one whole number; 1: more than one size; -1 with err, which begins with "--procs". */
int cs_frontier_sizes_parse(const char *text, struct cs_arena *arena,
                            struct cs_frontier_sizes *sizes, struct cs_error *err);

struct cs_frontier_row {
    int procs;
    bool thorough; /* planned with the better effort */
    bool probe;    /* for the deadline only: left out unless it is an answer */
    /* From the function: of the plan made for this size.  Makespan infinite: there is no plan. */
    double made, proven; /* makespan, lower bound */
    double critical;     /* the bound of the longest path */
    double work;         /* least processor seconds of all tasks */
    const char *binding; /* what the largest bound names (spec/bag.md 7.6) */
    /* Results. */
    int planned;     /* the size whose plan this is: this one or a smaller one; 0: none */
    double makespan; /* of that plan; infinite: none */
    double bound;    /* no plan of this size is shorter */
    double charged;  /* processor seconds: procs * makespan */
    double efficiency;
    bool best;         /* no other size has both makespan and charged at most as large */
    const char *limit; /* "critical", a resource, "apart", ..., "unknown"; NULL: no plan */
};

struct cs_frontier_request {
    struct cs_frontier_sizes all;
    double within;   /* a share: 0.05 */
    double deadline; /* seconds; NaN: none */
    bool uniform;    /* row->thorough makes no difference */
    int (*plan)(void *who, struct cs_frontier_row *row, struct cs_error *err); /* -1 with err */
    void *who;
};

/* Rows by rising size; indices of the answers of 7.4, -1: none. */
struct cs_frontier {
    struct cs_frontier_row *row;
    int rows, room;
    int within;   /* smallest size within a share of the least makespan */
    int same;     /* smallest size with the least makespan */
    int deadline; /* least charged of those that end in time */
};

int cs_frontier_find(const struct cs_frontier_request *request, struct cs_frontier *frontier,
                     struct cs_arena *arena, struct cs_error *err);

/* 0 where the bound is reached; NaN without a plan. */
double cs_frontier_gap(const struct cs_frontier_row *row);

#endif
