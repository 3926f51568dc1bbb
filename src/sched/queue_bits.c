/* queue_bits.c - the sets of bits by which a queue of few jobs answers: by width, and by time.
 *
 * Source: spec/rigid.md II 1.1 and 1.2.
 *
 * Idea: row r of by_width is the set of jobs whose width is among the r smallest distinct widths,
 * row r of by_time the same for times.  row[free] gives the row of by_width without a search;
 * guess[] the row of by_time to within a few, from which queue.c steps to the exact one.
 *
 * Invariants: row 0 is empty, the last row is all jobs, and each row includes the one before it.
 * row[] counts words and has 16 bits: (widths + 1) times words stays below 65,536.
 *
 * Complexity: O(n (widths + times)) time and (widths + times + 2) n / 8 bytes, once for an
 * instance.
 *
 * Constant                         | found                  | at half, at double
 * ROW_TABLE_LIMIT: 2^20 processors | 2 MiB of row[] at most | not measured
 */
#include "sched/queue.h"

#include "base/order.h"

#define ROW_TABLE_LIMIT (1 << 20)
#define SLICES CS_SCHED_QUEUE_SLICES

static int distinct_widths(const struct cs_sched_instance *in, int *width, struct cs_arena *arena)
{
    double *key = CS_NEW_ARRAY(arena, double, in->count);
    int *order = CS_NEW_ARRAY(arena, int, in->count), count = 0;

    for (int k = 0; k < in->count; k++)
        key[k] = in->procs[k];
    cs_order_ascending(key, in->count, order, arena);
    for (int a = 0; a < in->count; a++)
        if (count == 0 || in->procs[order[a]] != width[count - 1])
            width[count++] = in->procs[order[a]];
    return count;
}

static int distinct_times(const struct cs_sched_instance *in, double *time, struct cs_arena *arena)
{
    int *order = CS_NEW_ARRAY(arena, int, in->count), count = 0;

    cs_order_ascending(in->seconds, in->count, order, arena);
    for (int a = 0; a < in->count; a++)
        if (count == 0 || in->seconds[order[a]] != time[count - 1])
            time[count++] = in->seconds[order[a]];
    return count;
}

static void set_bit(uint64_t *bits, int k)
{
    bits[k / 64] |= (uint64_t)1 << (k % 64);
}

static void init_rows(struct cs_sched_queue *q, struct cs_arena *arena)
{
    size_t words = (size_t)q->words;

    q->by_width = CS_NEW_ARRAY(arena, uint64_t, words * (size_t)(q->widths + 1));
    q->by_time = CS_NEW_ARRAY(arena, uint64_t, words * (size_t)(q->times + 1));
    for (int k = 0; k < q->in->count; k++) {
        for (int r = 0; r < q->widths; r++)
            if (q->in->procs[k] <= q->width[r])
                set_bit(q->by_width + words * (size_t)(r + 1), k);
        for (int r = 0; r < q->times; r++)
            if (q->in->seconds[k] <= q->time[r])
                set_bit(q->by_time + words * (size_t)(r + 1), k);
    }
}

/* A table from free processors to the row, when no job is too wide for one. */
static void init_row_table(struct cs_sched_queue *q, struct cs_arena *arena)
{
    int r = 0;
    uint16_t *row;

    q->widest = q->widths ? q->width[q->widths - 1] : 0;
    if (q->widest > ROW_TABLE_LIMIT)
        return;
    row = CS_NEW_ARRAY(arena, uint16_t, (size_t)q->widest + 1);
    for (int free = 0; free <= q->widest; free++) {
        while (r < q->widths && q->width[r] <= free)
            r++;
        row[free] = (uint16_t)(r * q->words);
    }
    q->row = row;
}

/* About how many times are below each slice of the longest. */
static void init_guesses(struct cs_sched_queue *q, struct cs_arena *arena)
{
    uint16_t *guess = CS_NEW_ARRAY(arena, uint16_t, SLICES + 1);
    int row = 0;

    q->slices_per_second = q->times ? SLICES / q->time[q->times - 1] : 1;
    for (int s = 0; s <= SLICES; s++) {
        while (row < q->times && q->time[row] * q->slices_per_second < s)
            row++;
        guess[s] = (uint16_t)row;
    }
    q->guess = guess;
}

void cs_sched_queue_init_bits(struct cs_sched_queue *q, struct cs_arena *arena)
{
    int *width = CS_NEW_ARRAY(arena, int, q->in->count);
    double *time = CS_NEW_ARRAY(arena, double, q->in->count);

    q->words = (q->in->count + 63) / 64;
    q->wait = CS_NEW_ARRAY(arena, uint64_t, q->words);
    q->widths = distinct_widths(q->in, width, arena);
    q->times = distinct_times(q->in, time, arena);
    q->width = width;
    q->time = time;
    init_rows(q, arena);
    init_row_table(q, arena);
    init_guesses(q, arena);
}
