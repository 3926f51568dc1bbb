/* rows.h - the unfinished tasks side by side, one column for each number, in the order of tasks.
 *
 * Plans look through all tasks at every event.  Columns make such a pass cost a few instructions
 * for a task; mostly it shows that almost no task is worth a closer look, by floors of the expected
 * finish that hold without knowing exactly what is left of a task: as if all time since its start
 * had been work.
 */
#ifndef CS_MALLEABLE_ROWS_H
#define CS_MALLEABLE_ROWS_H

#include "problems/malleable/expected.h"

enum cs_malleable_column {
    CS_ROW_START,
    CS_ROW_END,    /* planned */
    CS_ROW_FINISH, /* expected */
    CS_ROW_PROCS,
    CS_ROW_PERIODS, /* that are known to be over since the start */
    /* At time t at least left - speed t of a task is left. */
    CS_ROW_LEFT,
    CS_ROW_SPEED,
    /* See struct cs_malleable_refusal. */
    CS_ROW_FIXED,
    CS_ROW_RISE,
    CS_ROW_UNTIL,
    /* Of the rate. */
    CS_ROW_SEQUENTIAL,
    CS_ROW_PARALLEL,
    CS_ROW_CHECKPOINT, /* -INFINITY when measured: no floor is known */
    CS_ROW_DATA,
    CS_ROW_AGAIN,
    CS_ROW_SLOPE,
    CS_ROW_DEFICIT,
    CS_ROW_COLUMNS,
};

struct cs_malleable_rows {
    int count, living, most; /* rows; those that have not ended; tasks */
    int *task;               /* by row, ascending */
    int *row;                /* by task */
    int *from;               /* room */
    double *column[CS_ROW_COLUMNS];
};

void cs_malleable_rows_init(struct cs_malleable_rows *rows, int tasks, struct cs_arena *arena);

/* All tasks, of these rates, have a row; the rest comes with cs_malleable_rows_set. */
void cs_malleable_rows_fill(struct cs_malleable_rows *rows, const struct cs_malleable_rate *rate);

/* The columns of a row that follow from its rate. */
void cs_malleable_rows_rate(struct cs_malleable_rows *rows, int a,
                            const struct cs_malleable_rate *rate);

/* Both for as many tasks. */
void cs_malleable_rows_copy(struct cs_malleable_rows *to, const struct cs_malleable_rows *from);

/* A task has begun again; `seconds` it takes as a whole. */
void cs_malleable_rows_set(struct cs_malleable_rows *rows, int task,
                           const struct cs_malleable_rate *rate,
                           const struct cs_malleable_state *state, double seconds);

/* So many periods of a task are over at `time`, with alpha left: better floors. */
void cs_malleable_rows_advance(struct cs_malleable_rows *rows, int a,
                               const struct cs_malleable_rate *rate, double periods, double alpha,
                               double time);

/* A task has ended: it is never a member again.  Its row may stay for a while. */
void cs_malleable_rows_remove(struct cs_malleable_rows *rows, int task);

/* Of `count` numbers, -INFINITY for none. */
double cs_malleable_rows_largest(const double *number, int count);

/* expected[row] of those that have started before `after` and end after `back`; -INFINITY for
 * others. */
void cs_malleable_rows_members(const struct cs_malleable_rows *rows, double after, double back,
                               double *expected);

/* floor[row]: a lower bound of the expected finish on 2 .. more additional processors, moved at
 * `time`; -INFINITY when unknown.  more >= 2. */
void cs_malleable_rows_floor_more(const struct cs_malleable_rows *rows, double time, int more,
                                  double *floor);

/* The same for fewer processors than now. */
void cs_malleable_rows_floor_fewer(const struct cs_malleable_rows *rows, double time,
                                   double *floor);

#endif
