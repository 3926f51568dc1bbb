/* calendar.c - busy intervals of one cluster as edges and sets of bits.
 *
 * Source: spec/ptg.md III.2 for what idle means, III.9 for one set of bits per distinct date.
 *
 * Idea: between two edges the free processors do not change.  A window [t, t + d) has enough when
 * the intersection of the sets of its edges has.  The intersection is built from the last edge
 * backwards: the edge at which too few are left is in every later window that begins not after
 * it, so the search continues behind it.
 *
 * Invariants
 *   - edge 0 has date 0 and is never dropped; dates rise strictly; date[] is a separate array,
 *     since searches by date read only dates.
 *   - edge[e].free is the number of bits of its first set; every other edge has uses > 0.
 *   - the second set of an edge holds the processors that are inside one interval on both sides:
 *     busy even for a task of length 0.
 *   - at the last edge all processors are free, so every search ends.
 *   - leave undoes enter exactly: the dates must be equal bit for bit.
 *
 * Complexity, E edges, w words of 64 processors: search by date O(log E); enter and leave O(E) for
 * the array and O(w) for each edge that the interval spans; one window O(w) for each of its edges;
 * take O(w) for each earlier edge until it has enough.  Making room in the array of edges takes
 * most of joint-level on 100,000 tasks (60,000 edges, bench/README.md).  No tuned constants.
 */
#include "problems/ptg/calendar.h"

#include "base/bug.h"

#include <math.h>
#include <string.h>

static int bits_of(uint64_t word)
{
    word -= word >> 1 & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (int)(word * 0x0101010101010101u >> 56);
}

static int size_of(const uint64_t *set, int words)
{
    int count = 0;

    for (int i = 0; i < words; i++)
        count += bits_of(set[i]);
    return count;
}

static uint64_t *free_from(const struct cs_ptg_calendar *c, int edge)
{
    return c->edge[edge].sets;
}

/* Those with one interval before and after the edge. */
static uint64_t *calendar_across(const struct cs_ptg_calendar *c, int edge)
{
    return c->edge[edge].sets + c->words;
}

/* The bits of word i that are processors. */
static uint64_t calendar_whole(const struct cs_ptg_calendar *c, int i)
{
    int left = c->procs - 64 * i;

    return left >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << left) - 1;
}

/* The last edge that is not after the date. */
static int edge_at(const struct cs_ptg_calendar *c, double date)
{
    int low = 0, high = c->edges;

    while (high - low > 1) {
        int middle = low + (high - low) / 2;

        if (c->date[middle] <= date)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The last edge before a date, from an edge on that is not after it: doubling steps, since windows
 * are short compared with the calendar. */
static int edge_before(const struct cs_ptg_calendar *c, int from, double date)
{
    int low = from, step = 1;

    while (low + step < c->edges && c->date[low + step] < date) {
        low += step;
        step *= 2;
    }
    for (; step > 0; step /= 2)
        if (low + step < c->edges && c->date[low + step] < date)
            low += step;
    return low;
}

static uint64_t *new_sets(struct cs_ptg_calendar *c)
{
    return c->spares > 0 ? c->spare[--c->spares] : CS_NEW_ARRAY(c->arena, uint64_t, 2 * c->words);
}

static void calendar_make_room(struct cs_ptg_calendar *c)
{
    size_t kept = (size_t)c->room, room = 2 * kept;

    if (c->edges < c->room)
        return;
    c->date = cs_arena_grow(c->arena, c->date, kept, room, sizeof *c->date);
    c->edge = cs_arena_grow(c->arena, c->edge, kept, room, sizeof *c->edge);
    c->spare = cs_arena_grow(c->arena, c->spare, kept, room, sizeof *c->spare);
    c->room *= 2;
}

void cs_ptg_calendar_init(struct cs_ptg_calendar *calendar, int first, int procs,
                          struct cs_arena *arena)
{
    struct cs_ptg_calendar *c = calendar;
    int words = (procs + 63) / 64;

    *c = (struct cs_ptg_calendar){.first = first,
                                  .procs = procs,
                                  .words = words,
                                  .date = CS_NEW_ARRAY(arena, double, 16),
                                  .edge = CS_NEW_ARRAY(arena, struct cs_ptg_edge, 16),
                                  .edges = 1,
                                  .room = 16,
                                  .spare = CS_NEW_ARRAY(arena, uint64_t *, 16),
                                  .work = CS_NEW_ARRAY(arena, uint64_t, words),
                                  .arena = arena};
    c->edge[0] = (struct cs_ptg_edge){1, procs, new_sets(c)};
    for (int i = 0; i < words; i++)
        free_from(c, 0)[i] = calendar_whole(c, i);
}

/* The edge of this date, made if needed. */
static int edge_of(struct cs_ptg_calendar *c, double date)
{
    int at = edge_at(c, date);
    uint64_t *sets;

    if (c->date[at] == date)
        return at;
    calendar_make_room(c);
    sets = new_sets(c);
    memcpy(sets, free_from(c, at), (size_t)c->words * sizeof *sets);
    for (int i = 0; i < c->words; i++)
        sets[c->words + i] = calendar_whole(c, i) & ~free_from(c, at)[i];
    at++;
    memmove(c->edge + at + 1, c->edge + at, (size_t)(c->edges - at) * sizeof *c->edge);
    memmove(c->date + at + 1, c->date + at, (size_t)(c->edges - at) * sizeof *c->date);
    c->edge[at] = (struct cs_ptg_edge){0, c->edge[at - 1].free, sets};
    c->date[at] = date;
    c->edges++;
    return at;
}

/* An edge at which no interval begins or ends is no edge; its sets are used again. */
static void drop_unused(struct cs_ptg_calendar *c, int at)
{
    if (c->edge[at].uses > 0)
        return;
    c->spare[c->spares++] = c->edge[at].sets;
    c->edges--;
    memmove(c->edge + at, c->edge + at + 1, (size_t)(c->edges - at) * sizeof *c->edge);
    memmove(c->date + at, c->date + at + 1, (size_t)(c->edges - at) * sizeof *c->date);
}

static void count_free(struct cs_ptg_calendar *c, int from, int to)
{
    for (int e = from; e < to; e++)
        c->edge[e].free = size_of(free_from(c, e), c->words);
}

void cs_ptg_calendar_enter(struct cs_ptg_calendar *calendar, const uint64_t *set, double start,
                           double finish)
{
    struct cs_ptg_calendar *c = calendar;
    int from, to;

    if (!(finish > start))
        return;
    from = edge_of(c, start);
    to = edge_of(c, finish);
    c->edge[from].uses++;
    c->edge[to].uses++;
    for (int e = from; e < to; e++)
        for (int i = 0; i < c->words; i++) {
            free_from(c, e)[i] &= ~set[i];
            calendar_across(c, e)[i] |= e > from ? set[i] : 0;
        }
    count_free(c, from, to);
}

void cs_ptg_calendar_leave(struct cs_ptg_calendar *calendar, const uint64_t *set, double start,
                           double finish)
{
    struct cs_ptg_calendar *c = calendar;
    int from, to;

    if (!(finish > start))
        return;
    from = edge_at(c, start);
    to = edge_at(c, finish);
    CS_REQUIRE(c->date[from] == start && c->date[to] == finish);
    for (int e = from; e < to; e++)
        for (int i = 0; i < c->words; i++) {
            free_from(c, e)[i] |= set[i];
            calendar_across(c, e)[i] &= e > from ? ~set[i] : ~(uint64_t)0;
        }
    count_free(c, from, to);
    c->edge[from].uses--;
    c->edge[to].uses--;
    drop_unused(c, to);
    drop_unused(c, from);
}

/* Processors that are idle at a date for a task of length 0: those not inside an interval. */
static void idle_at(const struct cs_ptg_calendar *c, int edge, double date, uint64_t *set)
{
    bool on = c->date[edge] == date;

    for (int i = 0; i < c->words; i++)
        set[i] = on ? calendar_whole(c, i) & ~calendar_across(c, edge)[i] : free_from(c, edge)[i];
}

/* Intersect backwards from one edge to an earlier one: the edge where fewer than `procs` are left,
 * or -1. */
static int short_of(const struct cs_ptg_calendar *c, int from, int to, int procs)
{
    uint64_t *set = c->work;

    for (int i = 0; i < c->words; i++)
        set[i] = calendar_whole(c, i);
    for (int e = to; e >= from; e--) {
        const uint64_t *here = free_from(c, e);
        int count = 0;

        if (c->edge[e].free < procs)
            return e;
        for (int i = 0; i < c->words; i++) {
            set[i] &= here[i];
            count += bits_of(set[i]);
        }
        if (count < procs)
            return e;
    }
    return -1;
}

/* The next edge from which on enough are free. */
static int next_with(const struct cs_ptg_calendar *c, int at, int procs)
{
    while (c->edge[at].free < procs)
        at++;
    return at;
}

double cs_ptg_calendar_find(const struct cs_ptg_calendar *calendar, int procs, double from,
                            double seconds, double limit)
{
    const struct cs_ptg_calendar *c = calendar;
    int at = edge_at(c, from);
    double date = from, end = from + seconds;

    for (;;) {
        int behind = at;

        if (end > date) {
            behind = short_of(c, at, edge_before(c, at, end), procs);
            if (behind < 0)
                return date;
        } else {
            idle_at(c, at, date, c->work);
            if (size_of(c->work, c->words) >= procs)
                return date;
        }
        at = end > date ? next_with(c, behind + 1, procs) : behind + 1;
        date = c->date[at];
        end = date + seconds;
        if (end > limit)
            return INFINITY;
    }
}

/* Processors that are idle in [date, date + seconds). */
static void idle_during(const struct cs_ptg_calendar *c, int edge, double date, double seconds,
                        uint64_t *set)
{
    double end = date + seconds;

    idle_at(c, edge, date, set);
    for (int e = edge; end > date && e < c->edges && (e == edge || c->date[e] < end); e++)
        for (int i = 0; i < c->words; i++)
            set[i] &= free_from(c, e)[i];
}

/* Move the lowest `procs` of one set to another. */
static void move_lowest(uint64_t *from, uint64_t *to, int procs, int words)
{
    for (int i = 0; i < words && procs > 0; i++) {
        int here = bits_of(from[i]);
        uint64_t left = 0;

        for (; here > procs; here--) {
            uint64_t top = from[i];

            for (int s = 1; s < 64; s *= 2)
                top |= top >> s;
            top ^= top >> 1;
            left |= top;
            from[i] ^= top;
        }
        to[i] |= from[i];
        procs -= here;
        from[i] = left;
    }
}

double cs_ptg_calendar_take(const struct cs_ptg_calendar *calendar, int procs, double date,
                            double seconds, uint64_t *set)
{
    const struct cs_ptg_calendar *c = calendar;
    int at = edge_at(c, date), left = procs;
    uint64_t *rest = c->work;
    double latest = 0;

    idle_during(c, at, date, seconds, rest);
    memset(set, 0, (size_t)c->words * sizeof *set);
    for (int e = at; e > 0 && left > 0; e--) {
        const uint64_t *before = free_from(c, e - 1);
        int count = 0;

        for (int i = 0; i < c->words; i++)
            count += bits_of(rest[i] & ~before[i]);
        if (count == 0)
            continue;
        latest = left == procs ? c->date[e] : latest;
        for (int i = 0; i < c->words && left > 0; i++) {
            uint64_t group = rest[i] & ~before[i];
            int here = bits_of(group);

            rest[i] &= before[i];
            move_lowest(&group, set + i, left, 1);
            left -= here < left ? here : left;
        }
    }
    move_lowest(rest, set, left, c->words);
    return latest;
}

/* Is one of the set busy from the edge on, or around it? */
static bool is_busy(const struct cs_ptg_calendar *c, const uint64_t *set, const uint64_t *idle)
{
    bool busy = false;

    for (int i = 0; i < c->words; i++)
        busy |= (set[i] & ~idle[i]) != 0;
    return busy;
}

/* The last edge from `at` on with one of the set busy behind it before the end, or -1. */
static int last_busy(const struct cs_ptg_calendar *c, const uint64_t *set, int at, double date,
                     double end)
{
    if (!(end > date)) {
        idle_at(c, at, date, c->work);
        return is_busy(c, set, c->work) ? at : -1;
    }
    for (int e = edge_before(c, at, end); e >= at; e--)
        if (is_busy(c, set, free_from(c, e)))
            return e;
    return -1;
}

double cs_ptg_calendar_fit(const struct cs_ptg_calendar *calendar, const uint64_t *set, double from,
                           double seconds, double limit)
{
    const struct cs_ptg_calendar *c = calendar;
    double date = from;

    for (int at = edge_at(c, from); !(date + seconds > limit); date = c->date[at]) {
        int busy = last_busy(c, set, at, date, date + seconds);

        if (busy < 0)
            return date;
        at = busy + 1;
    }
    return INFINITY;
}

void cs_ptg_calendar_set(const struct cs_ptg_calendar *calendar, const struct cs_interval *procs,
                         int intervals, uint64_t *set)
{
    memset(set, 0, (size_t)calendar->words * sizeof *set);
    for (int i = 0; i < intervals; i++)
        for (int p = procs[i].first - calendar->first; p <= procs[i].last - calendar->first; p++)
            set[p / 64] |= (uint64_t)1 << p % 64;
}

int cs_ptg_calendar_intervals(const struct cs_ptg_calendar *calendar, const uint64_t *set,
                              struct cs_interval *procs)
{
    int count = 0, first = calendar->first;

    for (int p = 0; p < calendar->procs; p++) {
        if (!(set[p / 64] >> p % 64 & 1))
            continue;
        if (count > 0 && procs[count - 1].last == first + p - 1)
            procs[count - 1].last++;
        else
            procs[count++] = (struct cs_interval){first + p, first + p};
    }
    return count;
}
