/* queue.c - waiting jobs in order, and the first of them that fits: bits, a tree, or a line.
 *
 * Source: spec/rigid.md II 1.1 and 1.2 (bit matrix; segment tree over ranks).
 *
 * Idea: a question is a step function: how many processors are free for how long.
 * Answer: the first job in order that is under one of its steps.
 * - Bits (batches of up to CS_SCHED_QUEUE_BITS jobs): one set of bits for each distinct width and
 *   each distinct time; a question is a few ANDs for each 64 jobs.
 * - Tree (more jobs, or ranks that change): nodes over blocks of ranks hold the least time of each
 *   class of widths, as the narrowest and the shortest job of a node may be two jobs.
 * - Line (jobs that arrive): sorted blocks, wait_queue.c.
 *
 * Invariants:
 * - The three forms give the same job for the same question.  The tree holds times as floats that
 *   are rounded down, and compares them with limits that are rounded up: rounding can only make it
 *   visit a block in vain; the jobs of a block are compared in double precision.
 * - least[node] is the minimum of its two children; `blocks` is a power of two.
 * - take_*: what a job takes is subtracted before the next is searched, so all that start fit.
 *
 * Complexity: bits O(n / 64) words for each query and each step; tree O(log n) if the classes
 * exclude, O(n) at worst; line see wait_queue.c.  Measured (bench/README.md): greedy, LPT 26 ns for
 * an attempt of 100 jobs, 120 of 1,000, 514 of a million; EASY, LA 7,637 of a million.
 *
 * Constant                         | found                     | at half, at double
 * ..._QUEUE_BITS: 512 jobs         | not recorded              | not measured; 1,024 fit row[]
 * ..._QUEUE_SLICES: 256            | not recorded              | not measured; a guess only
 * ..._TREE_BLOCK: 8 ranks          | not recorded              | not measured; 16 fit waits[]
 * ..._TREE_CLASSES: 16             | bench/README.md: gains    | not measured
 *                                  | from 100,000 jobs on
 * below_class: 16 shares           | most often few are free   | not measured
 * 0x1p-22, 0x1p-50: relative slack | rounding of float, double | not measured
 */
#include "sched/queue.h"
#include "base/order.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

/* The sets of bits by which a queue of few jobs answers: by width, and by time.
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

#define ROW_TABLE_LIMIT (1 << 20)
#define QUEUE_BITS_SLICES CS_SCHED_QUEUE_SLICES

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
    uint16_t *guess = CS_NEW_ARRAY(arena, uint16_t, QUEUE_BITS_SLICES + 1);
    int row = 0;

    q->slices_per_second = q->times ? QUEUE_BITS_SLICES / q->time[q->times - 1] : 1;
    for (int s = 0; s <= QUEUE_BITS_SLICES; s++) {
        while (row < q->times && q->time[row] * q->slices_per_second < s)
            row++;
        guess[s] = (uint16_t)row;
    }
    q->guess = guess;
}

/* The tables of the bits; for cs_sched_queue_init. */
static void sched_queue_init_bits(struct cs_sched_queue *q, struct cs_arena *arena)
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

/* least times by class of widths, over blocks of ranks. */

#define BLOCK CS_SCHED_TREE_BLOCK
#define CLASSES CS_SCHED_TREE_CLASSES

/* Which part of the jobs, by width, is below a class: what is free is mostly little. */
static const double below_class[CLASSES] = {0,       1. / 512, 1. / 256, 1. / 128, 1. / 64, 1. / 32,
                                            3. / 64, 1. / 16,  3. / 32,  1. / 8,   3. / 16, 1. / 4,
                                            3. / 8,  1. / 2,   5. / 8,   3. / 4};

static const struct cs_sched_tree_least nobody = {
    .seconds = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY,
                INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY},
    .procs = INT_MAX,
};

static float not_above(double x)
{
    float f = x < FLT_MAX ? (float)x : FLT_MAX;

    return (double)f > x ? nextafterf(f, -INFINITY) : f;
}

static float not_below(double x)
{
    double above = x + (fabs(x) * 0x1p-22 + FLT_MIN);

    return above < FLT_MAX ? (float)above : FLT_MAX;
}

static void make_classes(struct cs_sched_tree *t, struct cs_arena *arena)
{
    double *width = CS_NEW_ARRAY(arena, double, t->in->count);
    int *order = CS_NEW_ARRAY(arena, int, t->in->count);

    if (t->in->count == 0)
        return;
    for (int k = 0; k < t->in->count; k++)
        width[k] = t->in->procs[k];
    cs_order_ascending(width, t->in->count, order, arena);
    for (int c = 0; c < CLASSES; c++)
        t->class_least[c] = t->in->procs[order[(int)(below_class[c] * t->in->count)]];
}

/* The last whose least width is no larger. */
static uint8_t class_of(const struct cs_sched_tree *t, int procs)
{
    int class = 0;

    for (int half = CLASSES / 2; half > 0; half /= 2)
        if (t->class_least[class + half] <= procs)
            class += half;
    return (uint8_t) class;
}

/* The ranks of the instance have changed; the caller fills the tree again. */
static void rigid_tree_learn(struct cs_sched_tree *t)
{
    for (int k = 0; k < t->in->count; k++) {
        t->class[k] = class_of(t, t->in->procs[k]);
        t->seconds[k] = not_above(t->in->seconds[k]);
    }
}

/* No job waits. */
static void rigid_tree_init(struct cs_sched_tree *t, const struct cs_sched_instance *in,
                            struct cs_arena *arena)
{
    *t = (struct cs_sched_tree){.in = in, .blocks = 1};
    while (t->blocks < (in->count + BLOCK - 1) / BLOCK)
        t->blocks *= 2;
    t->waits = CS_NEW_ARRAY(arena, uint16_t, (size_t)t->blocks);
    t->class = CS_NEW_ARRAY(arena, uint8_t, in->count);
    t->seconds = CS_NEW_ARRAY(arena, float, in->count);
    t->least = CS_NEW_ARRAY(arena, struct cs_sched_tree_least, 2 * (size_t)t->blocks);
    for (int node = 0; node < 2 * t->blocks; node++)
        t->least[node] = nobody;
    make_classes(t, arena);
    rigid_tree_learn(t);
}

static void add_to_block(struct cs_sched_tree *t, int rank)
{
    struct cs_sched_tree_least *least = &t->least[t->blocks + rank / BLOCK];
    float *of_class = &least->seconds[t->class[rank]];

    *of_class = t->seconds[rank] < *of_class ? t->seconds[rank] : *of_class;
    least->procs = t->in->procs[rank] < least->procs ? t->in->procs[rank] : least->procs;
}

static void measure_block(struct cs_sched_tree *t, int block)
{
    t->least[t->blocks + block] = nobody;
    for (unsigned bits = t->waits[block]; bits; bits &= bits - 1)
        add_to_block(t, BLOCK * block + __builtin_ctz(bits));
}

/* Update the class after one of its jobs has left the block. */
static void measure_class(struct cs_sched_tree *t, int block, int class)
{
    struct cs_sched_tree_least *least = &t->least[t->blocks + block];
    float seconds = INFINITY;
    int procs = INT_MAX;

    for (unsigned bits = t->waits[block]; bits; bits &= bits - 1) {
        int rank = BLOCK * block + __builtin_ctz(bits);

        if (t->class[rank] == class && t->seconds[rank] < seconds)
            seconds = t->seconds[rank];
        if (t->in->procs[rank] < procs)
            procs = t->in->procs[rank];
    }
    least->seconds[class] = seconds;
    least->procs = procs;
}

static inline float least_time(const struct cs_sched_tree_least *two, int class)
{
    float a = two[0].seconds[class], b = two[1].seconds[class];

    return a < b ? a : b;
}

static inline int least_width(const struct cs_sched_tree_least *two)
{
    return two[0].procs < two[1].procs ? two[0].procs : two[1].procs;
}

/* Those wait that are in the set, or all when it is NULL. */
static void rigid_tree_fill(struct cs_sched_tree *t, const bool *set)
{
    memset(t->waits, 0, (size_t)t->blocks * sizeof *t->waits);
    for (int k = 0; k < t->in->count; k++)
        if (!set || set[k])
            t->waits[k / BLOCK] |= (uint16_t)(1u << k % BLOCK);
    for (int b = 0; b < t->blocks; b++)
        measure_block(t, b);
    for (int node = t->blocks - 1; node >= 1; node--) {
        for (int c = 0; c < CLASSES; c++)
            t->least[node].seconds[c] = least_time(&t->least[2 * node], c);
        t->least[node].procs = least_width(&t->least[2 * node]);
    }
}

static void rigid_tree_put(struct cs_sched_tree *t, int rank, bool waits)
{
    int block = rank / BLOCK, class = t->class[rank];
    const struct cs_sched_tree_least *of_block = &t->least[t->blocks + block];
    unsigned bit = 1u << rank % BLOCK;

    t->waits[block] = (uint16_t)(waits ? t->waits[block] | bit : t->waits[block] & ~bit);
    if (waits)
        add_to_block(t, rank);
    else if (t->seconds[rank] <= of_block->seconds[class] || t->in->procs[rank] <= of_block->procs)
        measure_class(t, block, class);
    else
        return;
    for (int node = (t->blocks + block) / 2; node >= 1; node /= 2) {
        struct cs_sched_tree_least *least = &t->least[node];
        const struct cs_sched_tree_least *two = &t->least[2 * node];
        float seconds = least_time(two, class);
        int procs = least_width(two);

        if (least->seconds[class] == seconds && least->procs == procs)
            return;
        least->seconds[class] = seconds;
        least->procs = procs;
    }
}

struct search {
    const struct cs_sched_tree *tree;
    const struct cs_sched_step_function *free_steps;
    int from;
    float longest[CLASSES]; /* no job of the class that is under the step function but not under the
                               last step is longer; negative: no such job */
};

/* How long an attempt may be that ends by then, or nearly. */
static float longest_until(const struct cs_sched_step_function *free_steps, double end)
{
    double slack = (fabs(end) + fabs(free_steps->now) + free_steps->verification) * 0x1p-50;

    return not_below((end - free_steps->now) - free_steps->verification + slack);
}

static void find_longest(struct search *s)
{
    const struct cs_sched_step_function *free_steps = s->free_steps;
    int step = free_steps->steps - 2, c = 0;

    for (; step >= 0 && c < CLASSES; step--)
        for (float longest = longest_until(free_steps, free_steps->end[step]);
             c < CLASSES && s->tree->class_least[c] <= free_steps->free[step]; c++)
            s->longest[c] = longest;
    for (; c < CLASSES; c++)
        s->longest[c] = -1;
}

static bool may_hold(const struct search *s, const struct cs_sched_tree_least *least)
{
    int any = least->procs <= s->free_steps->free[s->free_steps->steps - 1];

    if (any || least->procs > s->free_steps->free[0])
        return any;
    for (int c = 0; c < CLASSES; c++)
        any |= least->seconds[c] <= s->longest[c];
    return any;
}

static int first_in_block(const struct search *s, int block)
{
    const struct cs_sched_instance *in = s->tree->in;
    unsigned bits = s->tree->waits[block];

    if (s->from > BLOCK * block)
        bits &= ~0u << (s->from - BLOCK * block);
    for (; bits; bits &= bits - 1) {
        int rank = BLOCK * block + __builtin_ctz(bits);

        if (in->procs[rank] <= s->free_steps->free[0] &&
            cs_sched_step_function_allow(s->free_steps, in->procs[rank], in->seconds[rank]))
            return rank;
    }
    return -1;
}

/* The first rank from `from` on that waits and is under the step function; -1 for none. */
static int queue_tree_first(const struct cs_sched_tree *tree, int from,
                            const struct cs_sched_step_function *free_steps)
{
    int node = from > 0 ? tree->blocks + from / BLOCK : 1, found;
    struct search s;

    if (from / BLOCK >= tree->blocks || tree->least[1].procs > free_steps->free[0])
        return -1;
    s.tree = tree;
    s.free_steps = free_steps;
    s.from = from;
    if (free_steps->free[free_steps->steps - 1] < free_steps->free[0])
        find_longest(&s);
    for (;;) {
        if (may_hold(&s, &tree->least[node])) {
            if (node < tree->blocks) {
                node *= 2;
                continue;
            }
            found = first_in_block(&s, node - tree->blocks);
            if (found >= 0)
                return found;
        }
        while (node & 1)
            node /= 2;
        if (node == 0)
            return -1;
        node++;
    }
}

#define SLICES CS_SCHED_QUEUE_SLICES

static inline int first_bit(uint64_t bits)
{
    return __builtin_ctzll(bits);
}

/* The line. */

static struct cs_wait_queue_entry entry_of(const struct cs_sched_queue *q, int ticket)
{
    return (struct cs_wait_queue_entry){q->in->place[ticket], q->in->seconds[ticket],
                                        q->in->procs[ticket], ticket};
}

static int ticket_of(const struct cs_wait_queue_entry *entry)
{
    return entry ? entry->ticket : -1;
}

/* All kinds. */

void cs_sched_queue_init(struct cs_sched_queue *q, const struct cs_sched_instance *in,
                         struct cs_arena *arena)
{
    *q = (struct cs_sched_queue){.in = in};
    if (in->place) {
        q->kind = CS_SCHED_QUEUE_OF_LINE;
        cs_wait_queue_init(&q->line, arena);
        return;
    }
    if (in->count <= CS_SCHED_QUEUE_BITS && !in->learns) {
        sched_queue_init_bits(q, arena);
        return;
    }
    q->kind = CS_SCHED_QUEUE_OF_TREE;
    rigid_tree_init(&q->tree, in, arena);
    if (in->learns)
        q->moved = CS_NEW_ARRAY(arena, bool, (size_t)in->count);
}

void cs_sched_queue_fill(struct cs_sched_queue *q)
{
    if (q->kind == CS_SCHED_QUEUE_OF_LINE) {
        q->waiting = 0;
        cs_wait_queue_clear(&q->line);
        return;
    }
    q->waiting = q->in->count;
    if (q->kind == CS_SCHED_QUEUE_OF_TREE) {
        rigid_tree_fill(&q->tree, NULL);
        return;
    }
    for (int w = 0; w < q->words; w++)
        q->wait[w] = UINT64_MAX;
    if (q->in->count % 64)
        q->wait[q->words - 1] = ((uint64_t)1 << (q->in->count % 64)) - 1;
}

static void add_elsewhere(struct cs_sched_queue *q, int ticket)
{
    struct cs_wait_queue_entry entry;

    if (q->kind == CS_SCHED_QUEUE_OF_TREE) {
        rigid_tree_put(&q->tree, ticket, true);
        return;
    }
    entry = entry_of(q, ticket);
    cs_wait_queue_insert(&q->line, &entry);
}

void cs_sched_queue_add(struct cs_sched_queue *q, int ticket)
{
    q->waiting++;
    if (q->kind == CS_SCHED_QUEUE_OF_BITS)
        q->wait[ticket / 64] |= (uint64_t)1 << (ticket % 64);
    else
        add_elsewhere(q, ticket);
}

static void remove_elsewhere(struct cs_sched_queue *q, int ticket)
{
    if (q->kind == CS_SCHED_QUEUE_OF_TREE)
        rigid_tree_put(&q->tree, ticket, false);
    else
        cs_wait_queue_remove(&q->line, cs_wait_queue_find(&q->line, &q->in->place[ticket]));
}

void cs_sched_queue_remove(struct cs_sched_queue *q, int ticket)
{
    q->waiting--;
    if (q->kind == CS_SCHED_QUEUE_OF_BITS)
        q->wait[ticket / 64] &= ~((uint64_t)1 << (ticket % 64));
    else
        remove_elsewhere(q, ticket);
}

void cs_sched_queue_remove_at(struct cs_sched_queue *q, struct cs_sched_cursor cursor)
{
    if (q->kind != CS_SCHED_QUEUE_OF_LINE) {
        cs_sched_queue_remove(q, cursor.at);
        return;
    }
    q->waiting--;
    cs_wait_queue_remove(&q->line, cursor);
}

static bool line_has(const struct cs_sched_queue *q, int ticket)
{
    struct cs_sched_cursor at = cs_wait_queue_find(&q->line, &q->in->place[ticket]);

    return ticket_of(cs_wait_queue_at(&q->line, &at)) == ticket;
}

bool cs_sched_queue_has(const struct cs_sched_queue *q, int ticket)
{
    if (q->kind == CS_SCHED_QUEUE_OF_LINE)
        return line_has(q, ticket);
    if (q->kind == CS_SCHED_QUEUE_OF_TREE)
        return cs_sched_tree_has(&q->tree, ticket);
    return q->wait[ticket / 64] >> (ticket % 64) & 1;
}

void cs_sched_queue_rerank(struct cs_sched_queue *q, const int *rank)
{
    for (int k = 0; k < q->in->count; k++)
        q->moved[rank[k]] = cs_sched_queue_has(q, k);
    rigid_tree_learn(&q->tree);
    rigid_tree_fill(&q->tree, q->moved);
}

/* The bits of word w that stand for ranks from `from` on. */
static inline uint64_t from_mask(int w, int from)
{
    int skip = from - 64 * w;

    return skip <= 0 ? UINT64_MAX : skip >= 64 ? 0 : UINT64_MAX << skip;
}

int cs_sched_queue_at_elsewhere(const struct cs_sched_queue *q, struct cs_sched_cursor *cursor)
{
    static const int any_width = INT_MAX - 1;
    static const struct cs_sched_step_function all = {.steps = 1, .free = &any_width};
    int rank;

    if (q->kind == CS_SCHED_QUEUE_OF_LINE)
        return ticket_of(cs_wait_queue_at(&q->line, cursor));
    rank = queue_tree_first(&q->tree, cursor->at, &all);
    cursor->at = rank >= 0 ? rank : q->in->count;
    return rank;
}

static int search_width_row(const struct cs_sched_queue *q, int free)
{
    int low = 0, high = q->widths;

    while (low < high) {
        int middle = (low + high) / 2;

        if (q->width[middle] <= free)
            low = middle + 1;
        else
            high = middle;
    }
    return low * q->words;
}

/* Jobs that want no more than what is free; the first where there is a table. */
static inline const uint64_t *table_row(const struct cs_sched_queue *q, int free)
{
    return q->by_width + q->row[free < q->widest ? free : q->widest];
}

static inline const uint64_t *width_row(const struct cs_sched_queue *q, int free)
{
    return q->row ? table_row(q, free) : q->by_width + search_width_row(q, free);
}

static inline bool ends_by(const struct cs_sched_queue *q, int time, double now, double limit)
{
    return (now + q->time[time]) + q->in->verification <= limit;
}

/* Jobs that end by `limit` when they start now.  A guess from a table, then the exact place: a
 * search by halves would be a series of branches that are mispredicted. */
static inline const uint64_t *time_row(const struct cs_sched_queue *q, double now, double limit)
{
    double slice = (limit - now) * q->slices_per_second;
    int row = q->guess[slice < 0 ? 0 : slice < SLICES ? (int)slice : SLICES];

    while (row < q->times && ends_by(q, row, now, limit))
        row++;
    while (row > 0 && !ends_by(q, row - 1, now, limit))
        row--;
    return q->by_time + (size_t)row * (size_t)q->words;
}

/* Take out, in order, the jobs that stay below `extra` at `shadow` or ends by then. */
static int take_elsewhere(struct cs_sched_queue *q, double now, int free, double shadow, int extra,
                          int *start)
{
    struct cs_sched_cursor at = {0, 0};
    int count = 0;

    for (; free > 0; free -= q->in->procs[start[count++]]) {
        const int under[2] = {free, extra < free ? extra : free};
        const struct cs_sched_step_function free_steps = {now, q->in->verification, 2, &shadow,
                                                          under};
        int ticket = cs_sched_queue_first_below(q, &at, &free_steps);

        if (ticket < 0)
            break;
        if (cs_sched_end(q->in, ticket, now) > shadow)
            extra -= q->in->procs[ticket];
        start[count] = ticket;
        cs_sched_queue_remove_at(q, at);
    }
    return count;
}

int cs_sched_queue_take_fitting_elsewhere(struct cs_sched_queue *q, int free, int *start)
{
    return take_elsewhere(q, 0, free, INFINITY, free, start);
}

int cs_sched_queue_take_fitting_bits(struct cs_sched_queue *q, int free, int *start)
{
    const uint64_t *row = table_row(q, free);
    int count = 0;

    for (int w = 0; w < q->words; w++) {
        uint64_t bits = q->wait[w] & row[w];

        while (bits) {
            uint64_t bit = bits & -bits;
            int rank = 64 * w + first_bit(bits);

            start[count++] = rank;
            free -= q->in->procs[rank];
            q->wait[w] ^= bit;
            row = table_row(q, free);
            bits = (bits ^ bit) & row[w];
        }
    }
    q->waiting -= count;
    return count;
}

static bool any_bit_fits(const struct cs_sched_queue *q, int free)
{
    const uint64_t *row = width_row(q, free);
    uint64_t any = 0;

    for (int w = 0; w < q->words; w++)
        any |= q->wait[w] & row[w];
    return any != 0;
}

bool cs_sched_queue_any_fits(const struct cs_sched_queue *q, int free)
{
    const struct cs_sched_step_function now = {.steps = 1, .free = &free};
    struct cs_sched_cursor first = {0, 0};

    if (q->kind == CS_SCHED_QUEUE_OF_BITS)
        return any_bit_fits(q, free);
    if (q->kind == CS_SCHED_QUEUE_OF_TREE)
        return q->tree.least[1].procs <= free;
    return cs_wait_queue_first(&q->line, &first, &now) != NULL;
}

int cs_sched_queue_take_backfill(struct cs_sched_queue *q, double now, int free, double shadow,
                                 int extra, int *start)
{
    const uint64_t *early, *narrow;
    int count = 0;

    if (q->kind != CS_SCHED_QUEUE_OF_BITS)
        return take_elsewhere(q, now, free, shadow, extra, start);
    if (!any_bit_fits(q, free))
        return 0;
    early = time_row(q, now, shadow);
    narrow = width_row(q, extra);
    for (int w = 0; w < q->words; w++) {
        uint64_t bits = q->wait[w] & width_row(q, free)[w] & (early[w] | narrow[w]);

        while (bits) {
            int rank = 64 * w + first_bit(bits);
            uint64_t bit = bits & -bits;

            start[count++] = rank;
            free -= q->in->procs[rank];
            q->wait[w] &= ~bit;
            if (!(early[w] & bit)) {
                extra -= q->in->procs[rank];
                narrow = width_row(q, extra);
            }
            bits &= (bits - 1) & width_row(q, free)[w] & (early[w] | narrow[w]);
        }
    }
    q->waiting -= count;
    return count;
}

/* Narrow the candidates to the row.  Returns whether there are any. */
static inline bool queue_narrow(uint64_t *candidates, const uint64_t *row, int words)
{
    uint64_t any = 0;

    for (int w = 0; w < words; w++)
        any |= candidates[w] &= row[w];
    return any != 0;
}

static inline int first_of_words_under(const struct cs_sched_queue *q, int from, const double *time,
                                       const int *free, int steps, int words)
{
    uint64_t under[CS_SCHED_QUEUE_BITS / 64], found[CS_SCHED_QUEUE_BITS / 64] = {0};
    int least = free[0];
    bool any;

    for (int w = 0; w < words; w++)
        under[w] = q->wait[w] & from_mask(w, from);
    any = queue_narrow(under, width_row(q, least), words);
    for (int s = 1; s < steps && any; s++)
        if (free[s] < least) {
            const uint64_t *early = time_row(q, time[0], time[s]);

            for (int w = 0; w < words; w++)
                found[w] |= under[w] & early[w];
            least = free[s];
            any = queue_narrow(under, width_row(q, least), words);
        }
    for (int w = 0; w < words; w++)
        if (found[w] | under[w])
            return 64 * w + first_bit(found[w] | under[w]);
    return -1;
}

/* Where the number of words is known all of them are in registers. */
static int first_of_bits_under(const struct cs_sched_queue *q, int from, const double *time,
                               const int *free, int steps)
{
    if (q->words == 1)
        return first_of_words_under(q, from, time, free, steps, 1);
    if (q->words == 2)
        return first_of_words_under(q, from, time, free, steps, 2);
    return first_of_words_under(q, from, time, free, steps, q->words);
}

int cs_sched_queue_first_under(const struct cs_sched_queue *q, struct cs_sched_cursor *cursor,
                               const double *time, const int *free, int steps)
{
    return cursor->at = first_of_bits_under(q, cursor->at, time, free, steps);
}

static int first_of_bits_below(const struct cs_sched_queue *q, int from,
                               const struct cs_sched_step_function *free_steps)
{
    uint64_t found[CS_SCHED_QUEUE_BITS / 64] = {0};
    int last = free_steps->steps - 1;

    for (int s = 0; s < last; s++) {
        const uint64_t *early = time_row(q, free_steps->now, free_steps->end[s]);
        const uint64_t *row = width_row(q, free_steps->free[s]);

        for (int w = from / 64; w < q->words; w++)
            found[w] |= early[w] & row[w];
    }
    for (int w = from / 64; w < q->words; w++) {
        uint64_t bits =
            (found[w] | width_row(q, free_steps->free[last])[w]) & q->wait[w] & from_mask(w, from);

        if (bits)
            return 64 * w + first_bit(bits);
    }
    return -1;
}

int cs_sched_queue_first_below(const struct cs_sched_queue *q, struct cs_sched_cursor *cursor,
                               const struct cs_sched_step_function *free_steps)
{
    if (q->kind == CS_SCHED_QUEUE_OF_LINE)
        return ticket_of(cs_wait_queue_first(&q->line, cursor, free_steps));
    return cursor->at = q->kind == CS_SCHED_QUEUE_OF_TREE
                            ? queue_tree_first(&q->tree, cursor->at, free_steps)
                            : first_of_bits_below(q, cursor->at, free_steps);
}

void cs_sched_queue_begin(void *state)
{
    cs_sched_queue_fill(state);
}

void cs_sched_queue_waits(void *state, int ticket)
{
    cs_sched_queue_add(state, ticket);
}

void cs_sched_queue_withdrawn(void *state, int ticket)
{
    if (cs_sched_queue_has(state, ticket))
        cs_sched_queue_remove(state, ticket);
}

void cs_sched_queue_reranked(void *state, const int *rank)
{
    cs_sched_queue_rerank(state, rank);
}
