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

/* The tree. */

static void tree_set(struct cs_rigid_queue *q, int rank, int procs, double seconds)
{
    int node = rank + q->leaves;

    q->least_procs[node] = procs;
    q->least_seconds[node] = seconds;
    for (node /= 2; node >= 1; node /= 2) {
        const int *p = &q->least_procs[2 * node];
        const double *t = &q->least_seconds[2 * node];

        q->least_procs[node] = p[0] < p[1] ? p[0] : p[1];
        q->least_seconds[node] = t[0] < t[1] ? t[0] : t[1];
    }
}

/* Of the first `count` those wait that are in the set, or all when it is NULL. */
static void tree_fill(struct cs_rigid_queue *q, int count, const bool *set)
{
    for (int k = 0; k < q->leaves; k++) {
        bool there = k < count && (!set || set[k]);

        q->least_procs[q->leaves + k] = there ? q->in->procs[k] : INT_MAX;
        q->least_seconds[q->leaves + k] = there ? q->in->seconds[k] : INFINITY;
    }
    for (int node = q->leaves - 1; node >= 1; node--) {
        const int *p = &q->least_procs[2 * node];
        const double *t = &q->least_seconds[2 * node];

        q->least_procs[node] = p[0] < p[1] ? p[0] : p[1];
        q->least_seconds[node] = t[0] < t[1] ? t[0] : t[1];
    }
}

/* What a walk down the tree looks for: could there be such a job, given the least width and the
 * least time below a node?  At a leaf the answer is exact. */
typedef bool wanted_f(const void *question, int procs, double seconds);

static int tree_first(const struct cs_rigid_queue *q, int node, int low, int high, int from,
                      wanted_f *wanted, const void *question)
{
    int middle = low + (high - low) / 2, found;

    if (high <= from || q->least_procs[node] == INT_MAX ||
        !wanted(question, q->least_procs[node], q->least_seconds[node]))
        return -1;
    if (high - low == 1)
        return low;
    found = tree_first(q, 2 * node, low, middle, from, wanted, question);
    return found >= 0 ? found : tree_first(q, 2 * node + 1, middle, high, from, wanted, question);
}

static int tree_search(const struct cs_rigid_queue *q, int from, wanted_f *wanted,
                       const void *question)
{
    return tree_first(q, 1, 0, q->leaves, from, wanted, question);
}

static bool wanted_any(const void *question, int procs, double seconds)
{
    (void)question;
    (void)procs;
    (void)seconds;
    return true;
}

static bool wanted_fitting(const void *question, int procs, double seconds)
{
    (void)seconds;
    return procs <= *(const int *)question;
}

struct backfill {
    double now, verification, shadow;
    int free, extra;
};

static bool wanted_backfill(const void *question, int procs, double seconds)
{
    const struct backfill *b = question;

    return procs <= b->free &&
           (procs <= b->extra || (b->now + seconds) + b->verification <= b->shadow);
}

struct steps {
    double verification;
    const double *time;
    const int *free;
    int count;
};

static bool wanted_under(const void *question, int procs, double seconds)
{
    const struct steps *s = question;
    double end = (s->time[0] + seconds) + s->verification;
    int step = 0;

    do {
        if (s->free[step] < procs)
            return false;
        step++;
    } while (step < s->count && s->time[step] < end);
    return true;
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

/* Take out, in order, whoever stays below `extra` at `shadow` or ends by then. */
static int take_from_line(struct cs_rigid_queue *q, double now, int free, double shadow, int extra,
                          int *start)
{
    const struct cs_rigid_line_entry *entry;
    struct cs_rigid_cursor at = {0, 0};
    int count = 0;

    for (; free > 0; free -= q->in->procs[start[count++]]) {
        int under[2] = {free, extra < free ? extra : free};
        const struct cs_rigid_stairs stairs = {now, q->in->verification, 2, &shadow, under};

        if (!(entry = cs_rigid_line_first(&q->line, &at, &stairs)))
            break;
        if (cs_rigid_end(q->in, entry->ticket, now) > shadow)
            extra -= entry->procs;
        start[count] = entry->ticket;
        cs_rigid_line_remove(&q->line, at);
    }
    q->waiting -= count;
    return count;
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
    for (q->leaves = 1; q->leaves < in->count;)
        q->leaves *= 2;
    q->least_procs = CS_NEW_ARRAY(arena, int, 2 * (size_t)q->leaves);
    q->least_seconds = CS_NEW_ARRAY(arena, double, 2 * (size_t)q->leaves);
    if (in->learns)
        q->moved = CS_NEW_ARRAY(arena, bool, (size_t)q->leaves);
    tree_fill(q, 0, NULL);
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
        tree_fill(q, q->in->count, NULL);
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
        tree_set(q, ticket, q->in->procs[ticket], q->in->seconds[ticket]);
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
        tree_set(q, ticket, INT_MAX, INFINITY);
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
        return q->least_procs[q->leaves + ticket] != INT_MAX;
    return q->wait[ticket / 64] >> (ticket % 64) & 1;
}

void cs_rigid_queue_rerank(struct cs_rigid_queue *q, const int *rank)
{
    for (int k = 0; k < q->in->count; k++)
        q->moved[rank[k]] = cs_rigid_queue_has(q, k);
    tree_fill(q, q->in->count, q->moved);
}

/* The bits of word w that stand for ranks from `from` on. */
static inline uint64_t from_mask(int w, int from)
{
    int skip = from - 64 * w;

    return skip <= 0 ? UINT64_MAX : skip >= 64 ? 0 : UINT64_MAX << skip;
}

int cs_rigid_queue_at_elsewhere(const struct cs_rigid_queue *q, struct cs_rigid_cursor *cursor)
{
    int rank;

    if (q->kind == CS_RIGID_QUEUE_OF_LINE)
        return ticket_of(cs_rigid_line_at(&q->line, cursor));
    rank = tree_search(q, cursor->at, wanted_any, NULL);
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

/* Jobs that want no more than what is free. */
static inline const uint64_t *width_row(const struct cs_rigid_queue *q, int free)
{
    return q->by_width +
           (q->row ? q->row[free < q->widest ? free : q->widest] : search_width_row(q, free));
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

static int take_fitting_from_tree(struct cs_rigid_queue *q, int free, int *start)
{
    int count = 0, from = 0, rank;

    while ((rank = tree_search(q, from, wanted_fitting, &free)) >= 0) {
        start[count++] = rank;
        free -= q->in->procs[rank];
        cs_rigid_queue_remove(q, rank);
        from = rank + 1;
    }
    return count;
}

static int take_fitting_elsewhere(struct cs_rigid_queue *q, int free, int *start)
{
    if (q->kind == CS_RIGID_QUEUE_OF_TREE)
        return take_fitting_from_tree(q, free, start);
    return take_from_line(q, 0, free, INFINITY, free, start);
}

int cs_rigid_queue_take_fitting(struct cs_rigid_queue *q, int free, int *start)
{
    const uint64_t *row;
    int count = 0;

    if (q->kind != CS_RIGID_QUEUE_OF_BITS)
        return take_fitting_elsewhere(q, free, start);
    row = width_row(q, free);
    for (int w = 0; w < q->words; w++) {
        uint64_t bits = q->wait[w] & row[w];

        while (bits) {
            int rank = 64 * w + first_bit(bits);

            start[count++] = rank;
            free -= q->in->procs[rank];
            q->wait[w] &= ~(bits & -bits);
            row = width_row(q, free);
            bits &= (bits - 1) & row[w];
        }
    }
    q->waiting -= count;
    return count;
}

static int take_backfill_from_tree(struct cs_rigid_queue *q, struct backfill b, int *start)
{
    int count = 0, from = 0, rank;

    while ((rank = tree_search(q, from, wanted_backfill, &b)) >= 0) {
        start[count++] = rank;
        b.free -= q->in->procs[rank];
        if (!(cs_rigid_end(q->in, rank, b.now) <= b.shadow))
            b.extra -= q->in->procs[rank];
        cs_rigid_queue_remove(q, rank);
        from = rank + 1;
    }
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
        return q->least_procs[1] <= free;
    return cs_rigid_line_first(&q->line, &first, &now) != NULL;
}

static int take_backfill_elsewhere(struct cs_rigid_queue *q, double now, int free, double shadow,
                                   int extra, int *start)
{
    if (q->kind == CS_RIGID_QUEUE_OF_TREE)
        return take_backfill_from_tree(
            q, (struct backfill){now, q->in->verification, shadow, free, extra}, start);
    return take_from_line(q, now, free, shadow, extra, start);
}

int cs_rigid_queue_take_backfill(struct cs_rigid_queue *q, double now, int free, double shadow,
                                 int extra, int *start)
{
    const uint64_t *early, *narrow;
    int count = 0;

    if (q->kind != CS_RIGID_QUEUE_OF_BITS)
        return take_backfill_elsewhere(q, now, free, shadow, extra, start);
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
static inline bool narrow(const struct cs_rigid_queue *q, int from, uint64_t *candidates,
                          const uint64_t *row)
{
    uint64_t any = 0;

    for (int w = from / 64; w < q->words; w++)
        any |= candidates[w] &= row[w];
    return any != 0;
}

static int first_of_bits_under(const struct cs_rigid_queue *q, int from, const double *time,
                               const int *free, int steps)
{
    uint64_t under[CS_RIGID_QUEUE_BITS / 64], found[CS_RIGID_QUEUE_BITS / 64] = {0};
    int least = free[0];
    bool any;

    for (int w = from / 64; w < q->words; w++)
        under[w] = q->wait[w] & from_mask(w, from);
    any = narrow(q, from, under, width_row(q, least));
    for (int s = 1; s < steps && any; s++)
        if (free[s] < least) {
            const uint64_t *early = time_row(q, time[0], time[s]);

            for (int w = from / 64; w < q->words; w++)
                found[w] |= under[w] & early[w];
            least = free[s];
            any = narrow(q, from, under, width_row(q, least));
        }
    for (int w = from / 64; w < q->words; w++)
        if (found[w] | (any ? under[w] : 0))
            return 64 * w + first_bit(found[w] | (any ? under[w] : 0));
    return -1;
}

static int first_of_tree_under(const struct cs_rigid_queue *q, int from, const double *time,
                               const int *free, int steps)
{
    const struct steps question = {q->in->verification, time, free, steps};

    return tree_search(q, from, wanted_under, &question);
}

int cs_rigid_queue_first_under(const struct cs_rigid_queue *q, struct cs_rigid_cursor *cursor,
                               const double *time, const int *free, int steps)
{
    return cursor->at = q->kind == CS_RIGID_QUEUE_OF_TREE
                            ? first_of_tree_under(q, cursor->at, time, free, steps)
                            : first_of_bits_under(q, cursor->at, time, free, steps);
}

static bool wanted_below(const void *question, int procs, double seconds)
{
    return cs_rigid_stairs_allow(question, procs, seconds);
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
                            ? tree_search(q, cursor->at, wanted_below, stairs)
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
