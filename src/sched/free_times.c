/* free_times.c - the availability profile of one pool: free processors as a step function of time.
 *
 * Source: spec/rigid.md 4.2 (avail) and II 1.3; spec/replay.md 4 (the plan).
 *
 * Idea: two sorted arrays, times and free processors.  A search compares CS_LANES steps in one
 * pass and gets a bit for each step with enough processors; a slot is a run of ones that is long
 * enough.  To take a slot subtracts over its steps and inserts at most two steps.
 *
 * Invariants:
 * - time[first .. count - 1] ascends strictly; time[first] is now; steps before `first` are of the
 *   past.
 * - time[count] = INFINITY and free[count] = -1: each search for too few processors ends there.
 * - free[count - 1] are the processors free after all attempts and reservations.  No job is wider
 *   (CS_REQUIRE), so each search for a slot ends.
 * - An attempt occupies [start, (start + seconds) + verification), with exactly this rounding;
 *   times are compared exactly.
 * - give_back and add remove a step that equals the one before it; take does not look for such
 *   steps.
 *
 * Complexity, with S steps: begin O(R) for R attempts that run; find O(S), 64 steps for each group
 * of comparisons; take O(S) to insert, O(log S) to find; openings O(S) groups, and
 * O(number of steps) to insert an opening.  Memory 4 jobs + 8 steps for a batch.
 *
 * Constant                                       | found          | at half, at double
 * CS_LANES: 64 steps                             | bits of a word | not measured
 * room / 8: steps of the past, then arrays move  | not recorded   | not measured
 * 0x1p-50: relative slack of an opening's length | rounding       | not measured; more slack adds
 *                                                |                | candidates, examined exactly
 */
#include "sched/free_times.h"

#include "base/bug.h"
#include "base/lanes.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* Two steps for each attempt that runs or is reserved, as many of the past, and one at the end:
 * enough for a batch. */
void cs_sched_free_times_init(struct cs_sched_free_times *profile,
                              const struct cs_sched_instance *in, struct cs_arena *arena)
{
    int room = 4 * in->count + 8;

    *profile = (struct cs_sched_free_times){.in = in, .arena = arena, .room = room};
    profile->time = CS_NEW_ARRAY(arena, double, room);
    profile->free = CS_NEW_ARRAY(arena, int, (size_t)room + CS_LANES_ROOM);
}

/* Let there be room for so many steps in all, of which the first `kept` are there. */
static void free_times_make_room(struct cs_sched_free_times *p, int steps, int kept)
{
    CS_REQUIRE(steps < INT_MAX / 4);
    p->room = 2 * steps;
    p->time = cs_arena_grow(p->arena, p->time, (size_t)kept, (size_t)p->room, sizeof *p->time);
    p->free = cs_arena_grow(p->arena, p->free, (size_t)kept, (size_t)p->room + CS_LANES_ROOM,
                            sizeof *p->free);
}

/* Room for the two steps that an attempt may put in. */
static inline void make_room_for_attempt(struct cs_sched_free_times *p)
{
    if (p->count + 3 > p->room)
        free_times_make_room(p, p->count + 3, p->count + 1);
}

/* The attempts of a block give their processors back; returns the last step so far. */
static int add_attempts(struct cs_sched_free_times *p, int last,
                        const struct cs_sched_attempt *attempt, int count)
{
    for (attempt += count - 1; count > 0; count--, attempt--) {
        if (attempt->end != p->time[last]) {
            p->time[last + 1] = attempt->end;
            p->free[last + 1] = p->free[last];
            last++;
        }
        p->free[last] += attempt->procs;
    }
    return last;
}

void cs_sched_free_times_begin(struct cs_sched_free_times *p, const struct cs_sched_view *view)
{
    int running = cs_sched_running_count(view->running), last = 0;

    if (p->room < running + 2)
        free_times_make_room(p, running + 2, 0);
    p->time[0] = view->now;
    p->free[0] = view->free;
    for (int b = view->running->blocks - 1; b >= 0; b--)
        last = add_attempts(p, last, view->running->block[b]->attempt,
                            cs_sched_running_count_in(view->running, b));
    p->first = 0;
    p->count = last + 1;
    p->time[p->count] = INFINITY;
    p->free[p->count] = -1;
}

/* Steps from the given one on move to another place in the array. */
static void move_steps(struct cs_sched_free_times *p, int from, int to)
{
    size_t steps = (size_t)(p->count + 1 - from);

    memmove(p->time + to, p->time + from, steps * sizeof *p->time);
    memmove(p->free + to, p->free + from, steps * sizeof *p->free);
    p->count += to - from;
}

void cs_sched_free_times_copy(struct cs_sched_free_times *p, const struct cs_sched_free_times *from)
{
    size_t steps = (size_t)(from->count + 1 - from->first);

    p->first = 0;
    p->count = from->count - from->first;
    memcpy(p->time, from->time + from->first, steps * sizeof *p->time);
    memcpy(p->free, from->free + from->first, steps * sizeof *p->free);
}

/* The steps move to the front of the array when half of that is of the past. */
void cs_sched_free_times_advance(struct cs_sched_free_times *p, double now)
{
    while (p->first + 1 < p->count && p->time[p->first + 1] <= now)
        p->first++;
    p->time[p->first] = now;
    if (p->first > p->room / 8) {
        move_steps(p, p->first, 0);
        p->first = 0;
    }
}

static void insert_step(struct cs_sched_free_times *p, int at, double time)
{
    move_steps(p, at, at + 1);
    p->time[at] = time;
    p->free[at] = p->free[at - 1];
}

/* Which of the CS_LANES steps from `base` on have enough processors. */
static inline uint64_t free_times_enough(const struct cs_sched_free_times *p, int base, int procs)
{
    int steps = p->count + 1 - base;

    if (steps >= CS_LANES)
        return cs_lanes_at_least(p->free + base, CS_LANES, procs);
    return cs_lanes_at_least(p->free + base, steps, procs) & ~(~(uint64_t)0 << steps);
}

/* The first step from `from` on with too few processors. */
static inline int first_short(const struct cs_sched_free_times *p, int from, int procs)
{
    for (;; from += CS_LANES) {
        uint64_t few = ~free_times_enough(p, from, procs);

        if (few)
            return from + __builtin_ctzll(few);
    }
}

/* Less processors from step `from` until `end`, whose step is returned. */
static inline int take_steps(struct cs_sched_free_times *p, int from, double end, int procs)
{
    const double *time = p->time + from;
    int *free = p->free + from, to;

    for (; *time < end; time++)
        *free++ -= procs;
    to = (int)(time - p->time);
    if (to == p->count || *time != end) {
        insert_step(p, to, end);
        p->free[to] += procs;
    }
    return to;
}

/* The first step of the earliest slot.  Steps with enough processors are runs of bits: adding the
 * lowest bit of the first run carries to the step behind it. */
static inline int find_slot(const struct cs_sched_free_times *p, int ticket)
{
    const double *time = p->time, seconds = p->in->seconds[ticket], extra = p->in->verification;
    int procs = p->in->procs[ticket], base = p->first;

    CS_REQUIRE(procs <= p->free[p->count - 1]);
    for (;;) {
        uint64_t bits = free_times_enough(p, base, procs), behind = 1;
        int next = base + CS_LANES;

        for (; bits && behind; bits &= behind) {
            int from = base + __builtin_ctzll(bits);

            behind = bits + (bits & -bits);
            next = behind ? base + __builtin_ctzll(behind) : first_short(p, base + CS_LANES, procs);
            if (!(time[next] < (time[from] + seconds) + extra))
                return from;
        }
        base = behind ? base + CS_LANES : next;
    }
}

int cs_sched_free_times_find(const struct cs_sched_free_times *p, int ticket)
{
    return find_slot(p, ticket);
}

void cs_sched_free_times_take_at(struct cs_sched_free_times *p, int ticket, int step)
{
    make_room_for_attempt(p);
    take_steps(p, step, cs_sched_plan_end(p->in, ticket, p->time[step]), p->in->procs[ticket]);
}

double cs_sched_free_times_reserve(struct cs_sched_free_times *p, int ticket)
{
    int from;
    double start;

    make_room_for_attempt(p);
    from = find_slot(p, ticket);
    start = p->time[from];

    take_steps(p, from, cs_sched_plan_end(p->in, ticket, start), p->in->procs[ticket]);
    return start;
}

double cs_sched_free_times_earliest(const struct cs_sched_free_times *p, int ticket)
{
    return p->time[find_slot(p, ticket)];
}

bool cs_sched_free_times_fits_now(const struct cs_sched_free_times *p, int ticket)
{
    double end = cs_sched_plan_end(p->in, ticket, p->time[p->first]);

    return cs_sched_free_times_free_until(p, p->in->procs[ticket], end);
}

static void make_room_for_steps(struct cs_sched_free_times *p)
{
    if (p->steps_room >= p->room)
        return;
    p->steps_room = p->room;
    p->steps_end = CS_NEW_ARRAY(p->arena, double, p->room);
    p->steps_free = CS_NEW_ARRAY(p->arena, int, p->room);
    p->since = CS_NEW_ARRAY(p->arena, struct cs_sched_free_since, p->room);
}

/* The least that is free so far, from now on. */
static struct cs_sched_step_function steps_of(struct cs_sched_free_times *p)
{
    int least = p->free[p->first], free_steps = 0;

    make_room_for_steps(p);
    for (int i = p->first; least > 0; least = p->free[i]) {
        i = first_short(p, i, least);
        if (i == p->count)
            break;
        p->steps_end[free_steps] = p->time[i];
        p->steps_free[free_steps++] = least;
    }
    p->steps_free[free_steps++] = least;
    return (struct cs_sched_step_function){p->time[p->first], p->in->verification, free_steps,
                                           p->steps_end, p->steps_free};
}

/* So many are free for so long, which matters unless more are for longer.  Returns the number of
 * steps. */
static int add_opening(struct cs_sched_free_times *p, int free_steps, double seconds, int free)
{
    int low, high;

    for (high = free_steps; high > 0 && p->steps_end[high - 1] >= seconds; high--)
        ;
    if (high < free_steps && p->steps_free[high] >= free)
        return free_steps;
    for (low = high; low > 0 && p->steps_free[low - 1] <= free; low--)
        ;
    high += high < free_steps && p->steps_end[high] == seconds;
    memmove(p->steps_end + low + 1, p->steps_end + high,
            (size_t)(free_steps - high) * sizeof *p->steps_end);
    memmove(p->steps_free + low + 1, p->steps_free + high,
            (size_t)(free_steps - high) * sizeof *p->steps_free);
    p->steps_end[low] = seconds;
    p->steps_free[low] = free;
    return free_steps + 1 - (high - low);
}

/* Rectangles under the steps, each as wide as possible: `since` holds those that continue at step
 * i. Their lengths get a slack that covers rounding. */
static int close_openings(struct cs_sched_free_times *p, int free_steps, int *open, int i)
{
    double time = p->time[i], since = time;

    for (; *open > 0 && p->since[*open - 1].free > p->free[i]; --*open) {
        since = p->since[*open - 1].time;
        free_steps =
            add_opening(p, free_steps, (time - since) + time * 0x1p-50, p->since[*open - 1].free);
    }
    if (p->free[i] > 0 && (*open == 0 || p->since[*open - 1].free < p->free[i]))
        p->since[(*open)++] = (struct cs_sched_free_since){since, p->free[i]};
    return free_steps;
}

struct cs_sched_step_function cs_sched_free_times_openings(struct cs_sched_free_times *p,
                                                           double until)
{
    int free_steps = 0, open = 0, i;

    make_room_for_steps(p);
    for (i = p->first; p->time[i] < until; i++)
        free_steps = close_openings(p, free_steps, &open, i);
    while (open > 0) {
        i = first_short(p, i, p->since[open - 1].free);
        free_steps = close_openings(p, free_steps, &open, i);
    }
    if (free_steps == 0 || p->steps_end[free_steps - 1] != INFINITY)
        p->steps_free[free_steps++] = 0;
    return (struct cs_sched_step_function){0, p->in->verification, free_steps, p->steps_end,
                                           p->steps_free};
}

int cs_sched_free_times_candidate_elsewhere(struct cs_sched_free_times *p,
                                            const struct cs_sched_queue *queue,
                                            struct cs_sched_cursor *cursor)
{
    const struct cs_sched_step_function free_steps = steps_of(p);

    return cs_sched_queue_first_below(queue, cursor, &free_steps);
}

/* The first step at `time` or later.  Which half is next cannot be foreseen, so both are the same
 * to the processor. */
static int find_step(const struct cs_sched_free_times *p, double time)
{
    const double *low = p->time + p->first;
    int left = p->count - p->first;

    while (left > 1) {
        int half = left / 2;

        low += (low[half - 1] < time) * half;
        left -= half;
    }
    return (int)(low - p->time) + (*low < time);
}

/* The step that begins at `time`, inserted if the profile has none. */
static int step_at(struct cs_sched_free_times *p, double time)
{
    int step = find_step(p, time);

    if (p->time[step] != time || step == p->count)
        insert_step(p, step, time);
    return step;
}

void cs_sched_free_times_take(struct cs_sched_free_times *p, int ticket, double start)
{
    make_room_for_attempt(p);
    take_steps(p, step_at(p, start), cs_sched_plan_end(p->in, ticket, start), p->in->procs[ticket]);
}

/* Take out step i when it changes nothing. */
static void merge_step(struct cs_sched_free_times *p, int i)
{
    if (i > p->first && i < p->count && p->free[i] == p->free[i - 1])
        move_steps(p, i + 1, i);
}

/* Its first and its last step may be gone, when others that met it there were given back. */
void cs_sched_free_times_give_back(struct cs_sched_free_times *p, int ticket, double start)
{
    int from, to;

    make_room_for_attempt(p);
    from = step_at(p, start);
    to = step_at(p, cs_sched_plan_end(p->in, ticket, start));
    for (int i = from; i < to; i++)
        p->free[i] += p->in->procs[ticket];
    merge_step(p, to);
    merge_step(p, from);
}

void cs_sched_free_times_add(struct cs_sched_free_times *p, double from, double to, int procs)
{
    int first, last;

    if (!(from < to))
        return;
    make_room_for_attempt(p);
    first = step_at(p, from);
    last = take_steps(p, first, to, -procs);
    merge_step(p, last);
    merge_step(p, first);
}

bool cs_sched_free_times_free_until(const struct cs_sched_free_times *p, int procs, double until)
{
    return !(p->time[first_short(p, p->first, procs)] < until);
}

static inline double free_times_least(double a, double b)
{
    return a < b ? a : b;
}

/* Runs of steps with enough processors; one that reaches the job's own slot is long enough. */
int cs_sched_free_times_before(const struct cs_sched_free_times *p, int ticket, double begin)
{
    const double *time = p->time, seconds = p->in->seconds[ticket], extra = p->in->verification;
    int procs = p->in->procs[ticket], base = p->first;

    while (base < p->count && time[base] < begin) {
        uint64_t bits = free_times_enough(p, base, procs), behind = 1;
        int next = base + CS_LANES;

        for (; bits && behind; bits &= behind) {
            int from = base + __builtin_ctzll(bits);

            behind = bits + (bits & -bits);
            next = behind ? base + __builtin_ctzll(behind) : first_short(p, base + CS_LANES, procs);
            if (!(time[next] < free_times_least((time[from] + seconds) + extra, begin)))
                return time[from] < begin ? from : -1;
        }
        base = behind ? base + CS_LANES : next;
    }
    return -1;
}

/* Where both slots overlap nothing changes. */
double cs_sched_free_times_move(struct cs_sched_free_times *p, int ticket, double begin, int step)
{
    double to = p->time[step], end = cs_sched_plan_end(p->in, ticket, to);
    int last, procs = p->in->procs[ticket];

    make_room_for_attempt(p);
    last = take_steps(p, step, free_times_least(end, begin), procs);
    merge_step(p, last);
    merge_step(p, step);
    cs_sched_free_times_add(p, begin < end ? end : begin, cs_sched_plan_end(p->in, ticket, begin),
                            procs);
    return to;
}
