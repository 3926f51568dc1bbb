/* bag.h - general bags: several resources, modes, budgets, windows, precedence (spec/bag.md).
 *
 * A bag has the candidates of all tasks in the order of spec/bag.md 3.2; every algorithm sees these
 * only.  A candidate is an index into the arrays of `data`; a choice counts from the first
 * candidate of its task.
 */
#ifndef CS_MOLDABLE_BAG_BAG_H
#define CS_MOLDABLE_BAG_BAG_H

#include "base/arena.h"
#include "base/strbuf.h"
#include "model/modes.h"

#include <cosched/error.h>
#include <stdbool.h>

struct cs_bag {
    struct cs_modes data; /* its modes are the candidates */
    const int *origin;    /* by candidate: the mode of the input, from the first of its task */
    const int *after_first, *after; /* the successors, as before_first and before */
    const int *ranked, *rank;       /* tasks in topological order; the place of each (4.3) */
    const double *head, *tail;      /* longest paths to and after a task, fastest modes (5) */
    double critical;                /* 5.1 */
    int steps;                      /* of the capacity: windows begin and end between them */
    const double *step;             /* by step, its begin; the first is 0 */
    const int64_t *room;            /* by step and resource: the capacity less all windows */
    bool dated;                     /* windows, release dates or deadlines */
};

/* -1 with err: a task without candidate, or a circle.  The bag refers to the arrays of `data`. */
int cs_bag_create(const struct cs_modes *data, struct cs_bag *bag, struct cs_arena *arena,
                  struct cs_error *err);

static inline int cs_bag_candidates(const struct cs_bag *bag, int task)
{
    return bag->data.first[task + 1] - bag->data.first[task];
}

static inline double cs_bag_seconds(const struct cs_bag *bag, int task, int choice)
{
    return bag->data.seconds[bag->data.first[task] + choice];
}

/* The time of its fastest candidate. */
static inline double cs_bag_fastest(const struct cs_bag *bag, int task)
{
    return bag->data.seconds[bag->data.first[task + 1] - 1];
}

static inline const int64_t *cs_bag_use(const struct cs_bag *bag, int mode)
{
    return cs_modes_use(&bag->data, mode);
}

static inline double cs_bag_release(const struct cs_bag *bag, int task)
{
    return bag->data.release ? bag->data.release[task] : 0;
}

/* A plan: choices and starts.  Without a plan the makespan is infinite. */
struct cs_bag_plan {
    int *choice;
    double *start;
    double over; /* budgets, spec/bag.md 1.4 */
    double late;
    double makespan;
};

void cs_bag_plan_init(struct cs_bag_plan *plan, const struct cs_bag *bag, struct cs_arena *arena);
void cs_bag_plan_copy(struct cs_bag_plan *to, const struct cs_bag_plan *from, int tasks);

/* Is it better by 1.4, strictly? */
bool cs_bag_plan_better(const struct cs_bag_plan *a, const struct cs_bag_plan *b);

static inline double cs_bag_end(const struct cs_bag *bag, const struct cs_bag_plan *plan, int task)
{
    return plan->start[task] + cs_bag_seconds(bag, task, plan->choice[task]);
}

/* The amount of a budget that these choices spend; the overrun of all budgets. */
int64_t cs_bag_spent(const struct cs_bag *bag, const int *choice, int budget);
double cs_bag_overrun(const struct cs_bag *bag, const int *choice);

/* Decoders (4), on shared nodes EARLIEST-N, and no LIST: plan->choice and an order, in which
 * predecessors come first, give starts, late, makespan and overrun.  Room of a decoder is made
 * once. */
struct cs_bag_decoder;
struct cs_bag_decoder *cs_bag_decoder_create(const struct cs_bag *bag, struct cs_arena *arena);
void cs_bag_earliest(struct cs_bag_decoder *decoder, const int *order, struct cs_bag_plan *plan);

/* EARLIEST of the first tasks of an order gives their starts only; false: no plan. Not for shared
 * nodes. */
bool cs_bag_earliest_some(struct cs_bag_decoder *decoder, const int *order, int count,
                          struct cs_bag_plan *plan);
void cs_bag_list(struct cs_bag_decoder *decoder, const int *order, struct cs_bag_plan *plan);

/* `to`, of the same choices, becomes JUSTIFY of `from` (4.3). */
void cs_bag_justify(struct cs_bag_decoder *decoder, const struct cs_bag_plan *from,
                    struct cs_bag_plan *to);

/* Shared nodes (3.6, 4.4).  The number of nodes for these amounts: `span` if it is given, else the
 * least, 0 for amounts of the whole machine only; -1: not allowed. */
int cs_bag_span(const struct cs_modes *data, const int64_t *use, int span);

struct cs_bag_nodes {
    int span;
    const int *node; /* in ascending order */
};

/* EARLIEST-N: starts, makespan, and the nodes of each task in the arena; false: no plan. */
bool cs_bag_earliest_nodes(const struct cs_bag *bag, const int *order, struct cs_bag_plan *plan,
                           struct cs_bag_nodes *nodes, struct cs_arena *arena);

/* The first window for which too few nodes are free, and how many it needs; -1: none. */
int cs_bag_window_unplaced(const struct cs_bag *bag, int *span, struct cs_arena *arena);

/* Numbers (4.5): bars by (start, index) take the lowest free ones of a resource; number[b] has room
 * for those of bar b. */
struct cs_bag_bar {
    double start, end;
    int amount;
};
void cs_bag_number(const struct cs_bag_bar *bar, int bars, int capacity, int **number,
                   struct cs_arena *scratch);

/* Tasks by (start, rank). */
void cs_bag_order(const struct cs_bag *bag, const double *start, int *order,
                  struct cs_arena *scratch);

/* Bounds (5): T0 and the prices of spec/bag.md 5.3. */
struct cs_bag_bounds {
    double *area;  /* by resource */
    double *price; /* by resource */
    double priced; /* the bound of these prices */
    double apart;  /* 5.4 */
    double least;  /* T0 */
};

void cs_bag_bound(const struct cs_bag *bag, struct cs_bag_bounds *bounds, struct cs_arena *arena);

/* The tasks of a clique with the bound of 5.4, in the arena; returns how many. */
int cs_bag_clique(const struct cs_bag *bag, const int **clique, struct cs_arena *arena);

/* Planners (6): the plan becomes the best of it and theirs. */
void cs_bag_lists(const struct cs_bag *bag, const struct cs_bag_bounds *bounds,
                  struct cs_bag_plan *plan, struct cs_arena *scratch);
void cs_bag_search(const struct cs_bag *bag, const struct cs_bag_bounds *bounds, uint64_t seed,
                   int moves, struct cs_bag_plan *plan, struct cs_arena *scratch);

/* All modes and orders that can lead to a better plan, while at most so many tasks are placed;
 * true: the plan is optimal (1.4).  On shared nodes: of the plans that EARLIEST-N makes. */
bool cs_bag_enumerate(const struct cs_bag *bag, long long placements, struct cs_bag_plan *plan,
                      struct cs_arena *scratch);

/* The linear relaxation (5.5): multipliers, and the bound that they prove. */
struct cs_bag_relaxation {
    double *flow;   /* by arc, as before[] */
    double *last;   /* by task: flow to the end */
    double *leaves; /* by task: all flow that leaves it */
    double *price;  /* by resource */
    double *budget; /* by budget, for a thousandth */
    double weight;  /* kappa */
    double spent;   /* sum of budgets at their prices */
    double released, bound;
};

/* False: the bag is too large for it. */
bool cs_bag_relax(const struct cs_bag *bag, struct cs_bag_relaxation *relaxed,
                  struct cs_arena *arena);

/* The cost of a mode that takes so many seconds. */
double cs_bag_relaxed_cost(const struct cs_bag *bag, const struct cs_bag_relaxation *relaxed,
                           int task, int mode, double seconds);

/* The exact method (6.4): the plan becomes the best of it and what is found. */
struct cs_bag_proof {
    long long conflicts;                        /* at most */
    const struct cs_bag_relaxation *relaxation; /* NULL: without */
    bool (*expired)(const void *who);
    const void *who;
    /* Results. */
    double bound;    /* proven, at least the one that was passed in; infinite: no plan exists that
                        keeps budgets and deadlines */
    bool closed;     /* the search has ended: the plan is optimal up to the rounding of times */
    long long spent; /* conflicts */
};

void cs_bag_exact(const struct cs_bag *bag, struct cs_bag_proof *proof, struct cs_bag_plan *plan,
                  struct cs_arena *scratch);

#define CS_LIMIT_GAP 0.05 /* above this gap between plan and bound the limit is unknown */

/* The limit of a plan (7.6). */
enum cs_bag_limit_kind {
    CS_LIMIT_UNKNOWN,
    CS_LIMIT_CRITICAL, /* task: a longest path */
    CS_LIMIT_RESOURCE, /* index; saved: by one more, or one more node's share */
    CS_LIMIT_APART,    /* task: a clique */
    CS_LIMIT_BUDGET,   /* index; saved: by 10 % more */
    CS_LIMIT_CHAIN,
};

struct cs_bag_limit {
    enum cs_bag_limit_kind kind;
    int index, tasks;
    const int *task;
    double saved; /* seconds by which the bound falls */
};

/* A plan and the bounds of its bag; relaxed: NULL without it. */
struct cs_bag_reached {
    double makespan, bound;
    const struct cs_bag_bounds *bounds;
    const struct cs_bag_relaxation *relaxed;
};

/* `data`: the modes from which the bag was made. */
void cs_bag_limit_find(const struct cs_modes *data, const struct cs_bag *bag,
                       const struct cs_bag_reached *reached, struct cs_bag_limit *limit,
                       struct cs_arena *arena);

/* Append "critical", "gpus", "budget node_hours". */
void cs_bag_limit_put(const struct cs_bag *bag, const struct cs_bag_limit *limit,
                      struct cs_strbuf *out);

/* 6.1 */
void cs_bag_thrifty(const struct cs_bag *bag, const double *price, double seconds, int *choice);

#endif
