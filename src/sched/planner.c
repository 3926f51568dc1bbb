/* planner.c - the wait queue and the plan of the policies for any machine.
 *
 * Source: spec/replay.md 4 (the plan), 7 ("fits now", earliest) and 8.1 (limits of users).
 *
 * Idea: a sorted array of tickets, and a space (availability.c) that is built from what runs at the
 * begin of each round.  The policies fcfs, easy, list, conservative and slurm walk the array in
 * order and call try (start now if it fits), reserve (earliest slot, or start) and close (pools of
 * a partition).
 *
 * Invariants:
 * - Outside a round line[] is in the order of the queue; if places move with time (in->moves), it
 *   is sorted when a round begins.  The merge sort is stable and returns early if nothing moved.
 * - During a round line[k] = -1 marks a job that started; cs_sched_planner_end removes the marks,
 *   so indices stay valid between begin and end.
 * - Reservations live as long as the round, unless the policy takes them again.
 * - Usage of users counts attempts that run, and reservations only where a policy adds them.
 *
 * Complexity: add O(log n) to find the place and O(n) to move; sort O(n) when in order, otherwise
 * O(n log n); a round O(n) and the searches of the space.  There are no tuned constants.
 */
#include "sched/planner.h"

#include "base/vector.h"

#include <math.h>
#include <string.h>

void cs_sched_planner_init(struct cs_sched_planner *p, const struct cs_sched_instance *in,
                           struct cs_arena *arena)
{
    *p = (struct cs_sched_planner){.in = in, .arena = arena};
    cs_sched_availability_init(&p->space, in, arena);
}

/* The first place whose job is not before this one. */
static int planner_find(const struct cs_sched_planner *p, int ticket)
{
    int low = 0, high = p->waiting;

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (cs_sched_before(p->in, p->line[middle], ticket))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void cs_sched_planner_fill(void *state)
{
    struct cs_sched_planner *p = state;

    p->waiting = 0;
    for (int k = 0; k < (p->in->place ? 0 : p->in->count); k++)
        cs_sched_planner_add(p, k);
}

/* Where places move, at the end: they are sorted when a round begins. */
void cs_sched_planner_add(void *state, int ticket)
{
    struct cs_sched_planner *p = state;
    int at = p->in->moves ? p->waiting : planner_find(p, ticket);

    CS_ARENA_ROOM(p->arena, p->line, p->waiting, p->room, 16);
    memmove(p->line + at + 1, p->line + at, (size_t)(p->waiting - at) * sizeof *p->line);
    p->line[at] = ticket;
    p->waiting++;
}

void cs_sched_planner_withdraw(void *state, int ticket)
{
    struct cs_sched_planner *p = state;
    int kept = 0;

    for (int k = 0; k < p->waiting; k++)
        if (p->line[k] != ticket)
            p->line[kept++] = p->line[k];
    p->waiting = kept;
}

/* Sorted by merging runs: places of jobs that wait change little from one round to the next. */
static void planner_merge(struct cs_sched_planner *p, const int *from, int *to, int low, int middle,
                          int high)
{
    int a = low, b = middle;

    for (int at = low; at < high; at++) {
        bool second = a == middle || (b < high && cs_sched_before(p->in, from[b], from[a]));

        to[at] = from[second ? b++ : a++];
    }
}

static bool is_sorted(const struct cs_sched_planner *p)
{
    for (int k = 1; k < p->waiting; k++)
        if (cs_sched_before(p->in, p->line[k], p->line[k - 1]))
            return false;
    return true;
}

static void planner_sort(struct cs_sched_planner *p)
{
    struct cs_arena_mark mark = cs_arena_mark(p->arena);
    int *other, *from = p->line;

    if (is_sorted(p))
        return;
    other = CS_NEW_ARRAY(p->arena, int, p->waiting);
    for (int width = 1; width < p->waiting; width *= 2) {
        int *to = from == p->line ? other : p->line;

        for (int low = 0; low < p->waiting; low += 2 * width) {
            int middle = low + width < p->waiting ? low + width : p->waiting;
            int high = low + 2 * width < p->waiting ? low + 2 * width : p->waiting;

            planner_merge(p, from, to, low, middle, high);
        }
        from = to;
    }
    if (from != p->line)
        memcpy(p->line, from, (size_t)p->waiting * sizeof *p->line);
    cs_arena_rewind(p->arena, mark);
}

void cs_sched_planner_permute(struct cs_sched_planner *p, const int *rank, int count, void *of,
                              size_t size)
{
    struct cs_arena_mark mark = cs_arena_mark(p->arena);
    char *copy = cs_arena_alloc(p->arena, (size_t)count, size);

    if (count)
        memcpy(copy, of, (size_t)count * size);
    for (int k = 0; k < count; k++)
        memcpy((char *)of + (size_t)rank[k] * size, copy + (size_t)k * size, size);
    cs_arena_rewind(p->arena, mark);
}

void cs_sched_planner_rerank(void *state, const int *rank)
{
    struct cs_sched_planner *p = state;

    for (int k = 0; k < p->waiting; k++)
        p->line[k] = rank[p->line[k]];
    cs_sched_planner_permute(p, rank, p->tickets, p->holds, sizeof *p->holds);
    planner_sort(p);
}

void cs_sched_planner_begin(struct cs_sched_planner *p, const struct cs_sched_view *view,
                            int *start)
{
    p->now = view->now;
    p->start = start;
    p->starts = 0;
    if (p->in->moves)
        planner_sort(p);
    cs_sched_availability_begin(&p->space, view);
}

int cs_sched_planner_end(struct cs_sched_planner *p)
{
    int kept = 0;

    for (int k = 0; k < p->waiting; k++)
        if (p->line[k] >= 0)
            p->line[kept++] = p->line[k];
    p->waiting = kept;
    return p->starts;
}

bool cs_sched_planner_admits(const struct cs_sched_planner *p, int ticket)
{
    const struct cs_sched_usage *usage = p->in->usage;
    const struct cs_sched_request *request;

    if (!usage)
        return true;
    request = &p->in->request[ticket];
    if (request->user < 0)
        return true;
    return !(usage->most_jobs && usage->jobs[request->user] + 1 > usage->most_jobs) &&
           !(usage->most_procs && usage->procs[request->user] + request->procs > usage->most_procs);
}

struct cs_sched_hold *cs_sched_planner_hold(struct cs_sched_planner *p, int ticket)
{
    if (p->in->site)
        return &p->in->hold[ticket];
    if (ticket >= p->tickets) {
        size_t old = (size_t)p->tickets;

        p->tickets = p->in->count;
        p->holds = cs_arena_grow(p->arena, p->holds, old, (size_t)p->tickets, sizeof *p->holds);
    }
    return &p->holds[ticket];
}

static void planner_take(struct cs_sched_planner *p, int ticket, double start)
{
    cs_sched_availability_take(&p->space, ticket, cs_sched_planner_hold(p, ticket), start,
                               cs_sched_plan_end(p->in, ticket, start));
}

void cs_sched_planner_start(struct cs_sched_planner *p, int place)
{
    int ticket = p->line[place];

    planner_take(p, ticket, p->now);
    cs_sched_usage_add(p->in, ticket, 1);
    p->start[p->starts++] = ticket;
    p->line[place] = -1;
}

bool cs_sched_planner_try(struct cs_sched_planner *p, int place, const bool *closed)
{
    int ticket = p->line[place];

    if (!cs_sched_availability_fits(&p->space, ticket, p->now, closed,
                                    cs_sched_planner_hold(p, ticket)))
        return false;
    cs_sched_planner_start(p, place);
    return true;
}

double cs_sched_planner_reserve(struct cs_sched_planner *p, int place)
{
    int ticket = p->line[place];
    double start =
        cs_sched_availability_earliest(&p->space, ticket, cs_sched_planner_hold(p, ticket));

    if (start == p->now)
        cs_sched_planner_start(p, place);
    else if (start < INFINITY)
        planner_take(p, ticket, start);
    return start;
}

bool cs_sched_planner_any(const struct cs_sched_planner *p, int ticket, const bool *closed)
{
    const struct cs_site_partition *partition;

    if (!p->in->site)
        return closed[0];
    partition = &p->in->site->partition[p->in->request[ticket].partition];
    for (int k = 0; k < partition->pools; k++)
        if (closed[partition->pool[k]])
            return true;
    return false;
}

void cs_sched_planner_close(const struct cs_sched_planner *p, int ticket, bool *closed)
{
    const struct cs_site_partition *partition;

    closed[0] |= !p->in->site;
    if (!p->in->site)
        return;
    partition = &p->in->site->partition[p->in->request[ticket].partition];
    for (int k = 0; k < partition->pools; k++)
        closed[partition->pool[k]] = true;
}
