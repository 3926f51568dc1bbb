/* exact.h - the variables of the exact method, which its propagators share (exact.c, table.c). */
#ifndef CS_MOLDABLE_BAG_EXACT_H
#define CS_MOLDABLE_BAG_EXACT_H

#include "problems/moldable/bag/bag.h"
#include "problems/moldable/bag/learn.h"

enum what { IS_OTHER, IS_DATE, IS_MODE, IS_FUNCTION };

/* A value of each mode of a task: its length, an amount, an area. */
struct function {
    int variable, task;
    const int *value; /* by candidate of the task */
    int resource;     /* the time table that it concerns; -1 */
    int sum;          /* the sum that it is part of; -1 */
};

/* A length or an amount: a variable, or the same in all modes. */
struct term {
    int function; /* -1 */
    int value;
};

struct task {
    int start;
    int end, lag; /* the end is this variable + lag */
    int mode;     /* the variable of the first of its candidates; -1: it has one only */
    int candidates;
    int function, functions; /* an interval */
    uint64_t tables;         /* those that it is an item of, by bit; those above 63: the last */
};

struct item {
    int task;
    struct term amount;
};

struct fixed {
    int begin, end, amount; /* windows, merged */
};

/* The time table of a resource. */
struct table {
    int capacity;
    struct item *item;
    int items;
    struct fixed *fixed;
    int fixeds;
    /* Items, and after them fixed parts: what certainly runs, and the orders of it. */
    int *begin, *end, *amount, *by_begin, *by_end;
    int highest; /* of the profile */
};

enum sum_kind { SUM_AREA, SUM_BUDGET, SUM_RELAXED };

/* A sum of functions within a limit, within the room before the makespan, or within a linear
 * function of it. */
struct sum {
    enum sum_kind kind;
    int resource;
    double slope, offset;
    int shift; /* of areas that are too large */
    int64_t constant, limit;
    int *function;
    int functions;
};

struct exact {
    const struct cs_bag *bag;
    struct cs_learn *learn;
    const int *low, *root;
    double unit;
    bool rounded;
    int ceiling; /* the largest makespan that is searched for; INT_MAX */
    int variables, makespan;
    int mirrored; /* the task that begins before its mirror image; -1 */
    struct task *task;
    struct function *function;
    int functions;
    enum what *what; /* by variable */
    int *of;         /* by variable: task or function */
    struct table *table;
    struct sum *sum;
    int sums;
    bool *table_due, *sum_due;
    bool changed;
    int *at, *height, steps; /* the profile at hand */
    int *held;               /* items in the explanation at hand */
    const struct cs_bag_plan *best;
    struct cs_bag_proof *proof;
    struct cs_arena *arena;
};

/* Raise a bound, unless it is there; false: a conflict. */
static inline bool exact_raise(struct exact *e, int side, int bound, struct cs_reason reason)
{
    if (bound <= e->low[side])
        return true;
    e->changed = true;
    return cs_learn_raise(e->learn, side, bound, reason);
}

static inline int start_low(const struct exact *e, const struct task *task)
{
    return e->low[2 * task->start];
}

static inline int start_high(const struct exact *e, const struct task *task)
{
    return -e->low[2 * task->start + 1];
}

static inline int end_low(const struct exact *e, const struct task *task)
{
    return e->low[2 * task->end] + task->lag;
}

static inline int end_high(const struct exact *e, const struct task *task)
{
    return -e->low[2 * task->end + 1] + task->lag;
}

static inline int amount_low(const struct exact *e, const struct item *item)
{
    return item->amount.function < 0 ? item->amount.value
                                     : e->low[2 * e->function[item->amount.function].variable];
}

/* One round of the time table of a resource; false: a conflict. */
bool cs_bag_table_propagate(struct exact *e, struct table *table);

#endif
