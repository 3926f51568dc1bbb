/* free_times.c - a step function in two sorted arrays; searches look at CS_LANES steps at once.
 *
 * Behind the last step stands one more, at infinity, with less than nothing free: there every
 * search for too few processors ends.
 */
#include "rigid/free_times.h"

#include "base/lanes.h"

#include <math.h>
#include <string.h>

/* Two steps for each attempt that runs or is reserved, as many of the past, and one at the end. */
void cs_rigid_free_times_init(struct cs_rigid_free_times *profile,
                              const struct cs_rigid_instance *in, struct cs_arena *arena)
{
    size_t room = 4 * (size_t)in->count + 5;

    *profile = (struct cs_rigid_free_times){.in = in};
    profile->time = CS_NEW_ARRAY(arena, double, room);
    profile->free = CS_NEW_ARRAY(arena, int, room + CS_LANES_ROOM);
}

void cs_rigid_free_times_begin(struct cs_rigid_free_times *p, const struct cs_rigid_view *view)
{
    int last = 0;

    p->time[0] = view->now;
    p->free[0] = view->free;
    for (int a = view->running - 1; a >= 0; a--) {
        const struct cs_rigid_attempt *attempt = &view->attempt[a];

        if (attempt->end != p->time[last]) {
            p->time[last + 1] = attempt->end;
            p->free[last + 1] = p->free[last];
            last++;
        }
        p->free[last] += attempt->procs;
    }
    p->first = 0;
    p->count = last + 1;
    p->time[p->count] = INFINITY;
    p->free[p->count] = -1;
}

/* Steps from the given one on move to another place in the array. */
static void move_steps(struct cs_rigid_free_times *p, int from, int to)
{
    size_t steps = (size_t)(p->count + 1 - from);

    memmove(p->time + to, p->time + from, steps * sizeof *p->time);
    memmove(p->free + to, p->free + from, steps * sizeof *p->free);
    p->count += to - from;
}

void cs_rigid_free_times_copy(struct cs_rigid_free_times *p, const struct cs_rigid_free_times *from)
{
    size_t steps = (size_t)(from->count + 1 - from->first);

    p->first = 0;
    p->count = from->count - from->first;
    memcpy(p->time, from->time + from->first, steps * sizeof *p->time);
    memcpy(p->free, from->free + from->first, steps * sizeof *p->free);
}

/* The steps move to the front of the array when half of that is of the past. */
void cs_rigid_free_times_advance(struct cs_rigid_free_times *p, double now)
{
    while (p->first + 1 < p->count && p->time[p->first + 1] <= now)
        p->first++;
    p->time[p->first] = now;
    if (p->first > p->in->count / 2) {
        move_steps(p, p->first, 0);
        p->first = 0;
    }
}

static void insert_step(struct cs_rigid_free_times *p, int at, double time)
{
    move_steps(p, at, at + 1);
    p->time[at] = time;
    p->free[at] = p->free[at - 1];
}

/* Which of the CS_LANES steps from `base` on have enough processors. */
static inline uint64_t enough(const struct cs_rigid_free_times *p, int base, int procs)
{
    int steps = p->count + 1 - base;

    return cs_lanes_at_least(p->free + base, steps < CS_LANES ? steps : CS_LANES, procs);
}

/* The first step from `from` on with too few processors. */
static int first_short(const struct cs_rigid_free_times *p, int from, int procs)
{
    for (;; from += CS_LANES) {
        uint64_t few = ~enough(p, from, procs);

        if (few)
            return from + __builtin_ctzll(few);
    }
}

/* Less processors from step `from` until `end`. */
static inline void take_steps(struct cs_rigid_free_times *p, int from, double end, int procs)
{
    const double *time = p->time + from;
    int *free = p->free + from, to;

    for (; *time < end; time++)
        *free++ -= procs;
    to = (int)(time - p->time);
    if (to == p->count || *time != end) {
        insert_step(p, to, end);
        *free += procs;
    }
}

/* The first step of the earliest slot.  Steps with enough processors are runs of bits: adding the
 * lowest bit of the first run carries to the step behind it. */
static inline int find_slot(const struct cs_rigid_free_times *p, int rank)
{
    const double *time = p->time, seconds = p->in->seconds[rank], extra = p->in->verification;
    int procs = p->in->procs[rank], base = p->first;

    for (;;) {
        uint64_t bits = enough(p, base, procs), behind = 1;
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

double cs_rigid_free_times_reserve(struct cs_rigid_free_times *p, int rank)
{
    int from = find_slot(p, rank);
    double start = p->time[from];

    take_steps(p, from, cs_rigid_end(p->in, rank, start), p->in->procs[rank]);
    return start;
}

bool cs_rigid_free_times_fits_now(const struct cs_rigid_free_times *p, int rank)
{
    int procs = p->in->procs[rank];

    return p->free[p->first] >= procs && !(p->time[first_short(p, p->first, procs)] <
                                           cs_rigid_end(p->in, rank, p->time[p->first]));
}

int cs_rigid_free_times_candidate(const struct cs_rigid_free_times *p,
                                  const struct cs_rigid_queue *queue, int from)
{
    return cs_rigid_queue_first_under(queue, from, p->time + p->first, p->free + p->first,
                                      p->count - p->first);
}

/* The first step at `time` or later. */
static int find_step(const struct cs_rigid_free_times *p, double time)
{
    int low = p->first, high = p->count;

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (p->time[middle] < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The step that begins at `time`, put in when there is none. */
static int step_at(struct cs_rigid_free_times *p, double time)
{
    int step = find_step(p, time);

    if (p->time[step] != time || step == p->count)
        insert_step(p, step, time);
    return step;
}

void cs_rigid_free_times_take(struct cs_rigid_free_times *p, int rank, double start)
{
    take_steps(p, step_at(p, start), cs_rigid_end(p->in, rank, start), p->in->procs[rank]);
}

/* Take out step i when it changes nothing. */
static void merge_step(struct cs_rigid_free_times *p, int i)
{
    if (i > p->first && i < p->count && p->free[i] == p->free[i - 1])
        move_steps(p, i + 1, i);
}

/* Its first and its last step may be gone, when others that met it there were given back. */
void cs_rigid_free_times_give_back(struct cs_rigid_free_times *p, int rank, double start)
{
    int from = step_at(p, start), to = step_at(p, cs_rigid_end(p->in, rank, start));

    for (int i = from; i < to; i++)
        p->free[i] += p->in->procs[rank];
    merge_step(p, to);
    merge_step(p, from);
}
