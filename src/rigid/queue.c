/* queue.c - bits for few jobs, a tree for many, a line for those that arrive. */
#include "rigid/queue.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define SLICES CS_RIGID_QUEUE_SLICES

static inline int first_bit(uint64_t bits)
{
    return __builtin_ctzll(bits);
}

/* The line. */

static struct cs_rigid_line_entry entry_of(const struct cs_rigid_queue *q, int ticket)
{
    return (struct cs_rigid_line_entry){q->in->place[ticket], q->in->seconds[ticket],
                                        q->in->procs[ticket], ticket};
}

static int ticket_of(const struct cs_rigid_line_entry *entry)
{
    return entry ? entry->ticket : -1;
}

/* All kinds. */

void cs_rigid_queue_init(struct cs_rigid_queue *q, const struct cs_rigid_instance *in,
                         struct cs_arena *arena)
{
    *q = (struct cs_rigid_queue){.in = in};
    if (in->place) {
        q->kind = CS_RIGID_QUEUE_OF_LINE;
        cs_rigid_line_init(&q->line, arena);
        return;
    }
    if (in->count <= CS_RIGID_QUEUE_BITS && !in->learns) {
        cs_rigid_queue_init_bits(q, arena);
        return;
    }
    q->kind = CS_RIGID_QUEUE_OF_TREE;
    cs_rigid_tree_init(&q->tree, in, arena);
    if (in->learns)
        q->moved = CS_NEW_ARRAY(arena, bool, (size_t)in->count);
}

void cs_rigid_queue_fill(struct cs_rigid_queue *q)
{
    if (q->kind == CS_RIGID_QUEUE_OF_LINE) {
        q->waiting = 0;
        cs_rigid_line_clear(&q->line);
        return;
    }
    q->waiting = q->in->count;
    if (q->kind == CS_RIGID_QUEUE_OF_TREE) {
        cs_rigid_tree_fill(&q->tree, NULL);
        return;
    }
    for (int w = 0; w < q->words; w++)
        q->wait[w] = UINT64_MAX;
    if (q->in->count % 64)
        q->wait[q->words - 1] = ((uint64_t)1 << (q->in->count % 64)) - 1;
}

static void add_elsewhere(struct cs_rigid_queue *q, int ticket)
{
    struct cs_rigid_line_entry entry;

    if (q->kind == CS_RIGID_QUEUE_OF_TREE) {
        cs_rigid_tree_put(&q->tree, ticket, true);
        return;
    }
    entry = entry_of(q, ticket);
    cs_rigid_line_insert(&q->line, &entry);
}

void cs_rigid_queue_add(struct cs_rigid_queue *q, int ticket)
{
    q->waiting++;
    if (q->kind == CS_RIGID_QUEUE_OF_BITS)
        q->wait[ticket / 64] |= (uint64_t)1 << (ticket % 64);
    else
        add_elsewhere(q, ticket);
}

static void remove_elsewhere(struct cs_rigid_queue *q, int ticket)
{
    if (q->kind == CS_RIGID_QUEUE_OF_TREE)
        cs_rigid_tree_put(&q->tree, ticket, false);
    else
        cs_rigid_line_remove(&q->line, cs_rigid_line_find(&q->line, &q->in->place[ticket]));
}

void cs_rigid_queue_remove(struct cs_rigid_queue *q, int ticket)
{
    q->waiting--;
    if (q->kind == CS_RIGID_QUEUE_OF_BITS)
        q->wait[ticket / 64] &= ~((uint64_t)1 << (ticket % 64));
    else
        remove_elsewhere(q, ticket);
}

void cs_rigid_queue_remove_at(struct cs_rigid_queue *q, struct cs_rigid_cursor cursor)
{
    if (q->kind != CS_RIGID_QUEUE_OF_LINE) {
        cs_rigid_queue_remove(q, cursor.at);
        return;
    }
    q->waiting--;
    cs_rigid_line_remove(&q->line, cursor);
}

static bool line_has(const struct cs_rigid_queue *q, int ticket)
{
    struct cs_rigid_cursor at = cs_rigid_line_find(&q->line, &q->in->place[ticket]);

    return ticket_of(cs_rigid_line_at(&q->line, &at)) == ticket;
}

bool cs_rigid_queue_has(const struct cs_rigid_queue *q, int ticket)
{
    if (q->kind == CS_RIGID_QUEUE_OF_LINE)
        return line_has(q, ticket);
    if (q->kind == CS_RIGID_QUEUE_OF_TREE)
        return cs_rigid_tree_has(&q->tree, ticket);
    return q->wait[ticket / 64] >> (ticket % 64) & 1;
}

void cs_rigid_queue_rerank(struct cs_rigid_queue *q, const int *rank)
{
    for (int k = 0; k < q->in->count; k++)
        q->moved[rank[k]] = cs_rigid_queue_has(q, k);
    cs_rigid_tree_learn(&q->tree);
    cs_rigid_tree_fill(&q->tree, q->moved);
}

/* The bits of word w that stand for ranks from `from` on. */
static inline uint64_t from_mask(int w, int from)
{
    int skip = from - 64 * w;

    return skip <= 0 ? UINT64_MAX : skip >= 64 ? 0 : UINT64_MAX << skip;
}

int cs_rigid_queue_at_elsewhere(const struct cs_rigid_queue *q, struct cs_rigid_cursor *cursor)
{
    static const int any_width = INT_MAX - 1;
    static const struct cs_rigid_stairs all = {.steps = 1, .free = &any_width};
    int rank;

    if (q->kind == CS_RIGID_QUEUE_OF_LINE)
        return ticket_of(cs_rigid_line_at(&q->line, cursor));
    rank = cs_rigid_tree_first(&q->tree, cursor->at, &all);
    cursor->at = rank >= 0 ? rank : q->in->count;
    return rank;
}

static int search_width_row(const struct cs_rigid_queue *q, int free)
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
static inline const uint64_t *table_row(const struct cs_rigid_queue *q, int free)
{
    return q->by_width + q->row[free < q->widest ? free : q->widest];
}

static inline const uint64_t *width_row(const struct cs_rigid_queue *q, int free)
{
    return q->row ? table_row(q, free) : q->by_width + search_width_row(q, free);
}

static inline bool ends_by(const struct cs_rigid_queue *q, int time, double now, double limit)
{
    return (now + q->time[time]) + q->in->verification <= limit;
}

/* Jobs that end by `limit` when they start now.  A guess from a table, then the exact place: a
 * search by halves would be one branch after the other that nobody can foresee. */
static inline const uint64_t *time_row(const struct cs_rigid_queue *q, double now, double limit)
{
    double slice = (limit - now) * q->slices_per_second;
    int row = q->guess[slice < 0 ? 0 : slice < SLICES ? (int)slice : SLICES];

    while (row < q->times && ends_by(q, row, now, limit))
        row++;
    while (row > 0 && !ends_by(q, row - 1, now, limit))
        row--;
    return q->by_time + (size_t)row * (size_t)q->words;
}

/* Take out, in order, whoever stays below `extra` at `shadow` or ends by then. */
static int take_elsewhere(struct cs_rigid_queue *q, double now, int free, double shadow, int extra,
                          int *start)
{
    struct cs_rigid_cursor at = {0, 0};
    int count = 0;

    for (; free > 0; free -= q->in->procs[start[count++]]) {
        const int under[2] = {free, extra < free ? extra : free};
        const struct cs_rigid_stairs stairs = {now, q->in->verification, 2, &shadow, under};
        int ticket = cs_rigid_queue_first_below(q, &at, &stairs);

        if (ticket < 0)
            break;
        if (cs_rigid_end(q->in, ticket, now) > shadow)
            extra -= q->in->procs[ticket];
        start[count] = ticket;
        cs_rigid_queue_remove_at(q, at);
    }
    return count;
}

int cs_rigid_queue_take_fitting_elsewhere(struct cs_rigid_queue *q, int free, int *start)
{
    return take_elsewhere(q, 0, free, INFINITY, free, start);
}

int cs_rigid_queue_take_fitting_bits(struct cs_rigid_queue *q, int free, int *start)
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

static bool any_bit_fits(const struct cs_rigid_queue *q, int free)
{
    const uint64_t *row = width_row(q, free);
    uint64_t any = 0;

    for (int w = 0; w < q->words; w++)
        any |= q->wait[w] & row[w];
    return any != 0;
}

bool cs_rigid_queue_any_fits(const struct cs_rigid_queue *q, int free)
{
    const struct cs_rigid_stairs now = {.steps = 1, .free = &free};
    struct cs_rigid_cursor first = {0, 0};

    if (q->kind == CS_RIGID_QUEUE_OF_BITS)
        return any_bit_fits(q, free);
    if (q->kind == CS_RIGID_QUEUE_OF_TREE)
        return q->tree.least[1].procs <= free;
    return cs_rigid_line_first(&q->line, &first, &now) != NULL;
}

int cs_rigid_queue_take_backfill(struct cs_rigid_queue *q, double now, int free, double shadow,
                                 int extra, int *start)
{
    const uint64_t *early, *narrow;
    int count = 0;

    if (q->kind != CS_RIGID_QUEUE_OF_BITS)
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
static inline bool narrow(uint64_t *candidates, const uint64_t *row, int words)
{
    uint64_t any = 0;

    for (int w = 0; w < words; w++)
        any |= candidates[w] &= row[w];
    return any != 0;
}

static inline int first_of_words_under(const struct cs_rigid_queue *q, int from, const double *time,
                                       const int *free, int steps, int words)
{
    uint64_t under[CS_RIGID_QUEUE_BITS / 64], found[CS_RIGID_QUEUE_BITS / 64] = {0};
    int least = free[0];
    bool any;

    for (int w = 0; w < words; w++)
        under[w] = q->wait[w] & from_mask(w, from);
    any = narrow(under, width_row(q, least), words);
    for (int s = 1; s < steps && any; s++)
        if (free[s] < least) {
            const uint64_t *early = time_row(q, time[0], time[s]);

            for (int w = 0; w < words; w++)
                found[w] |= under[w] & early[w];
            least = free[s];
            any = narrow(under, width_row(q, least), words);
        }
    for (int w = 0; w < words; w++)
        if (found[w] | under[w])
            return 64 * w + first_bit(found[w] | under[w]);
    return -1;
}

/* Where the number of words is known all of them are in registers. */
static int first_of_bits_under(const struct cs_rigid_queue *q, int from, const double *time,
                               const int *free, int steps)
{
    if (q->words == 1)
        return first_of_words_under(q, from, time, free, steps, 1);
    if (q->words == 2)
        return first_of_words_under(q, from, time, free, steps, 2);
    return first_of_words_under(q, from, time, free, steps, q->words);
}

int cs_rigid_queue_first_under(const struct cs_rigid_queue *q, struct cs_rigid_cursor *cursor,
                               const double *time, const int *free, int steps)
{
    return cursor->at = first_of_bits_under(q, cursor->at, time, free, steps);
}

static int first_of_bits_below(const struct cs_rigid_queue *q, int from,
                               const struct cs_rigid_stairs *stairs)
{
    uint64_t found[CS_RIGID_QUEUE_BITS / 64] = {0};
    int last = stairs->steps - 1;

    for (int s = 0; s < last; s++) {
        const uint64_t *early = time_row(q, stairs->now, stairs->end[s]);
        const uint64_t *row = width_row(q, stairs->free[s]);

        for (int w = from / 64; w < q->words; w++)
            found[w] |= early[w] & row[w];
    }
    for (int w = from / 64; w < q->words; w++) {
        uint64_t bits =
            (found[w] | width_row(q, stairs->free[last])[w]) & q->wait[w] & from_mask(w, from);

        if (bits)
            return 64 * w + first_bit(bits);
    }
    return -1;
}

int cs_rigid_queue_first_below(const struct cs_rigid_queue *q, struct cs_rigid_cursor *cursor,
                               const struct cs_rigid_stairs *stairs)
{
    if (q->kind == CS_RIGID_QUEUE_OF_LINE)
        return ticket_of(cs_rigid_line_first(&q->line, cursor, stairs));
    return cursor->at = q->kind == CS_RIGID_QUEUE_OF_TREE
                            ? cs_rigid_tree_first(&q->tree, cursor->at, stairs)
                            : first_of_bits_below(q, cursor->at, stairs);
}

void cs_rigid_queue_begin(void *state)
{
    cs_rigid_queue_fill(state);
}

void cs_rigid_queue_waits(void *state, int ticket)
{
    cs_rigid_queue_add(state, ticket);
}

void cs_rigid_queue_withdrawn(void *state, int ticket)
{
    if (cs_rigid_queue_has(state, ticket))
        cs_rigid_queue_remove(state, ticket);
}

void cs_rigid_queue_reranked(void *state, const int *rank)
{
    cs_rigid_queue_rerank(state, rank);
}
