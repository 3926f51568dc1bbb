/* rows.c - columns, and passes through them: plain loops that compilers turn into vectors.
 *
 * Source: spec/malleable.md 13 (fast refusal), as passes over all tasks; floors from expected.h.
 *
 * Idea: a plan needs to know which tasks could gain or give at all.  A floor of F that holds
 * without the exact work left (as if all time since `start` had been work) answers that in a few
 * instructions for a task; an advance (cs_malleable_rows_advance) makes the floor of a task
 * better.
 *
 * Invariants: task[] ascends, row[task[a]] = a; at time t at least left - speed t of a task is
 * left; a floor is never above F, up to rounding; rows of ended tasks have start = +infinity and
 * finish = -infinity until they are removed.
 *
 * Complexity: every pass O(count); removal O(1), with a compaction of O(17 count) each time a
 * fifth of the rows has ended.
 *
 * | constant | value | unit | how found | at half, at double |
 * |----------|-------|------|-----------|--------------------|
 * | LESS | 1 - 1e-9 | ratio | margin above the rounding of floors | not measured |
 * | STEEP | 1e200 | ratio | drops the floor after the time up to which it holds | not measured |
 * | 5 / 4 | 4 of 5 | rows | compaction when at most so many are living | not measured |
 */
#include "problems/malleable/rows.h"

#include "base/bug.h"

#include <string.h>

/* A floor must never forbid what a rounding error allows. */
#define LESS (1 - 1e-9)

#define STEEP 1e200

void cs_malleable_rows_init(struct cs_malleable_rows *rows, int tasks, struct cs_arena *arena)
{
    double *column = CS_NEW_ARRAY(arena, double, (size_t)CS_ROW_COLUMNS *(size_t)tasks);

    *rows = (struct cs_malleable_rows){
        .most = tasks,
        .task = CS_NEW_ARRAY(arena, int, tasks),
        .row = CS_NEW_ARRAY(arena, int, tasks),
        .from = CS_NEW_ARRAY(arena, int, tasks),
    };
    for (int c = 0; c < CS_ROW_COLUMNS; c++)
        rows->column[c] = column + (size_t)c * (size_t)tasks;
}

void cs_malleable_rows_rate(struct cs_malleable_rows *rows, int a,
                            const struct cs_malleable_rate *rate)
{
    rows->column[CS_ROW_SEQUENTIAL][a] = rate->fixed;
    rows->column[CS_ROW_PARALLEL][a] = rate->shared + rate->overhead;
    rows->column[CS_ROW_CHECKPOINT][a] = rate->measured ? -INFINITY : rate->checkpoint;
    rows->column[CS_ROW_DATA][a] = rate->data;
    rows->column[CS_ROW_AGAIN][a] = rate->again;
    rows->column[CS_ROW_SLOPE][a] = rate->slope;
    rows->column[CS_ROW_DEFICIT][a] = rate->deficit;
}

void cs_malleable_rows_fill(struct cs_malleable_rows *rows, const struct cs_malleable_rate *rate)
{
    rows->count = rows->living = rows->most;
    for (int i = 0; i < rows->most; i++) {
        rows->task[i] = rows->row[i] = i;
        cs_malleable_rows_rate(rows, i, &rate[i]);
    }
}

void cs_malleable_rows_copy(struct cs_malleable_rows *to, const struct cs_malleable_rows *from)
{
    const size_t most = (size_t)from->most;

    CS_REQUIRE(to->most == from->most);
    to->count = from->count;
    to->living = from->living;
    memcpy(to->task, from->task, most * sizeof *to->task);
    memcpy(to->row, from->row, most * sizeof *to->row);
    memcpy(to->column[0], from->column[0], CS_ROW_COLUMNS * most * sizeof *to->column[0]);
}

void cs_malleable_rows_advance(struct cs_malleable_rows *rows, int a,
                               const struct cs_malleable_rate *rate, double periods, double alpha,
                               double time)
{
    const int procs = (int)rows->column[CS_ROW_PROCS][a];
    const struct cs_malleable_refusal fewer = cs_malleable_refuse_fewer(rate, procs, alpha, time);

    rows->column[CS_ROW_PERIODS][a] = periods;
    rows->column[CS_ROW_LEFT][a] = alpha + time * rows->column[CS_ROW_SPEED][a];
    rows->column[CS_ROW_FIXED][a] = fewer.fixed;
    rows->column[CS_ROW_RISE][a] = fewer.rise;
    rows->column[CS_ROW_UNTIL][a] = fewer.until;
}

void cs_malleable_rows_set(struct cs_malleable_rows *rows, int task,
                           const struct cs_malleable_rate *rate,
                           const struct cs_malleable_state *state, double seconds)
{
    const int a = rows->row[task];

    rows->column[CS_ROW_START][a] = state->start;
    rows->column[CS_ROW_END][a] = state->planned_end;
    rows->column[CS_ROW_FINISH][a] = state->expected_finish;
    rows->column[CS_ROW_PROCS][a] = state->procs;
    rows->column[CS_ROW_SPEED][a] = 1 / seconds;
    cs_malleable_rows_advance(rows, a, rate, 0, state->alpha, state->start);
}

/* Rows of the living move up. */
static void close_up(struct cs_malleable_rows *rows)
{
    const double *finish = rows->column[CS_ROW_FINISH];
    int living = 0;

    for (int a = 0; a < rows->count; a++)
        if (finish[a] > -INFINITY)
            rows->from[living++] = a;
    for (int b = 0; b < living; b++) {
        rows->task[b] = rows->task[rows->from[b]];
        rows->row[rows->task[b]] = b;
    }
    for (int c = 0; c < CS_ROW_COLUMNS; c++) {
        double *column = rows->column[c];

        for (int b = 0; b < living; b++)
            column[b] = column[rows->from[b]];
    }
    rows->count = living;
}

void cs_malleable_rows_remove(struct cs_malleable_rows *rows, int task)
{
    const int a = rows->row[task];

    rows->column[CS_ROW_START][a] = INFINITY;
    rows->column[CS_ROW_FINISH][a] = -INFINITY;
    rows->living--;
    if (rows->living * 5 <= rows->count * 4)
        close_up(rows);
}

/* Four runs of maxima do not wait for each other. */
double cs_malleable_rows_largest(const double *number, int count)
{
    double most[4] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
    int at = 0;

    for (; at + 4 <= count; at += 4)
        for (int r = 0; r < 4; r++)
            most[r] = cs_malleable_larger(number[at + r], most[r]);
    for (; at < count; at++)
        most[0] = cs_malleable_larger(number[at], most[0]);
    return cs_malleable_larger(cs_malleable_larger(most[0], most[1]),
                               cs_malleable_larger(most[2], most[3]));
}

void cs_malleable_rows_members(const struct cs_malleable_rows *rows, double after, double back,
                               double *restrict expected)
{
    const double *restrict start = rows->column[CS_ROW_START];
    const double *restrict end = rows->column[CS_ROW_END];
    const double *restrict finish = rows->column[CS_ROW_FINISH];
    const int count = rows->count;

    for (int a = 0; a < count; a++) {
        const double one = finish[a];

        expected[a] = ((start[a] < after) & (end[a] > back)) ? one : -INFINITY;
    }
}

/* On h = 1 / most processors, where `most` is the largest number requested: a floor falls with the
 * number of processors. */
void cs_malleable_rows_floor_more(const struct cs_malleable_rows *rows, double time, int more,
                                  double *restrict floor)
{
    const double *restrict procs = rows->column[CS_ROW_PROCS];
    const double *restrict left = rows->column[CS_ROW_LEFT];
    const double *restrict speed = rows->column[CS_ROW_SPEED];
    const double *restrict sequential = rows->column[CS_ROW_SEQUENTIAL];
    const double *restrict parallel = rows->column[CS_ROW_PARALLEL];
    const double *restrict checkpoint = rows->column[CS_ROW_CHECKPOINT];
    const double *restrict data = rows->column[CS_ROW_DATA];
    const double *restrict again = rows->column[CS_ROW_AGAIN];
    const double *restrict slope = rows->column[CS_ROW_SLOPE];
    const double *restrict deficit = rows->column[CS_ROW_DEFICIT];

    for (int a = 0; a < rows->count; a++) {
        const double h = 1 / (procs[a] + more), half = 0.5 / procs[a];
        const double alpha = cs_malleable_larger(left[a] - speed[a] * time, 0);
        const double seconds = alpha * (sequential[a] + parallel[a] * h);
        const double gentle = again[a] * seconds, steep = slope[a] * seconds - deficit[a] * h;
        const double shared = slope[a] * alpha * parallel[a] + checkpoint[a] - deficit[a];
        const double work = ((steep > gentle) & (shared >= 0)) ? steep : gentle;

        floor[a] =
            LESS * (time + data[a] * cs_malleable_larger(h, half) + checkpoint[a] * h + work);
    }
}

void cs_malleable_rows_floor_fewer(const struct cs_malleable_rows *rows, double time,
                                   double *restrict floor)
{
    const double *restrict fixed = rows->column[CS_ROW_FIXED];
    const double *restrict rise = rows->column[CS_ROW_RISE];
    const double *restrict until = rows->column[CS_ROW_UNTIL];
    const int count = rows->count;

    for (int a = 0; a < count; a++)
        floor[a] =
            cs_malleable_smaller(LESS * (fixed[a] + rise[a] * time), STEEP * (until[a] - time));
}
