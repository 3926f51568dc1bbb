/* profile.c - a step function in a sorted array. */
#include "rigid/profile.h"

#include <string.h>

void cs_rigid_profile_init(struct cs_rigid_profile *profile, const struct cs_rigid_instance *in,
                           struct cs_arena *arena)
{
    *profile = (struct cs_rigid_profile){.in = in};
    profile->step = CS_NEW_ARRAY(arena, struct cs_rigid_step, 4 * (size_t)in->count + 4);
}

void cs_rigid_profile_begin(struct cs_rigid_profile *p, const struct cs_rigid_view *view)
{
    struct cs_rigid_step *last = p->step;

    *last = (struct cs_rigid_step){view->now, view->free};
    for (int a = view->running - 1; a >= 0; a--) {
        const struct cs_rigid_attempt *attempt = &view->attempt[a];

        if (attempt->end != last->time) {
            last[1] = (struct cs_rigid_step){attempt->end, last->free};
            last++;
        }
        last->free += attempt->procs;
    }
    p->first = 0;
    p->count = (int)(last - p->step) + 1;
}

/* The steps move to the front of the array when half of that is of the past. */
static void compact(struct cs_rigid_profile *p)
{
    p->count -= p->first;
    memmove(p->step, p->step + p->first, (size_t)p->count * sizeof *p->step);
    p->first = 0;
}

void cs_rigid_profile_advance(struct cs_rigid_profile *p, double now)
{
    while (p->first + 1 < p->count && p->step[p->first + 1].time <= now)
        p->first++;
    p->step[p->first].time = now;
    if (p->first > p->in->count / 2)
        compact(p);
}

static void insert_step(struct cs_rigid_profile *p, int at, double time)
{
    struct cs_rigid_step *step = p->step + at;

    memmove(step + 1, step, (size_t)(p->count - at) * sizeof *step);
    *step = (struct cs_rigid_step){time, step[-1].free};
    p->count++;
}

/* Less processors from step `from` until `end`, where step `to` is the first from there on. */
static void take_steps(struct cs_rigid_profile *p, int from, int to, double end, int procs)
{
    if (to == p->count || p->step[to].time != end)
        insert_step(p, to, end);
    for (int i = from; i < to; i++)
        p->step[i].free -= procs;
}

double cs_rigid_profile_reserve(struct cs_rigid_profile *p, int rank)
{
    int procs = p->in->procs[rank], from = p->first;

    for (;;) {
        double end;
        int next;

        while (p->step[from].free < procs)
            from++;
        end = cs_rigid_end(p->in, rank, p->step[from].time);
        for (next = from + 1; next < p->count && p->step[next].time < end; next++)
            if (p->step[next].free < procs)
                break;
        if (next == p->count || p->step[next].time >= end) {
            take_steps(p, from, next, end, procs);
            return p->step[from].time;
        }
        from = next + 1;
    }
}

bool cs_rigid_profile_fits_now(const struct cs_rigid_profile *p, int rank)
{
    const struct cs_rigid_step *step = p->step + p->first, *last = p->step + p->count;
    double end = cs_rigid_end(p->in, rank, step->time);
    int procs = p->in->procs[rank];

    do {
        if (step->free < procs)
            return false;
        step++;
    } while (step < last && step->time < end);
    return true;
}

/* The first step at `time` or later. */
static int find_step(const struct cs_rigid_profile *p, double time)
{
    int low = p->first, high = p->count;

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (p->step[middle].time < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void cs_rigid_profile_take(struct cs_rigid_profile *p, int rank, double start)
{
    double end = cs_rigid_end(p->in, rank, start);
    int from = find_step(p, start);

    if (from == p->count || p->step[from].time != start)
        insert_step(p, from, start);
    take_steps(p, from, find_step(p, end), end, p->in->procs[rank]);
}

/* Take out step i when it changes nothing. */
static void merge_step(struct cs_rigid_profile *p, int i)
{
    struct cs_rigid_step *step = p->step + i;

    if (i == p->first || i >= p->count || step->free != step[-1].free)
        return;
    memmove(step, step + 1, (size_t)(p->count - i - 1) * sizeof *step);
    p->count--;
}

void cs_rigid_profile_give_back(struct cs_rigid_profile *p, int rank, double start)
{
    int from = find_step(p, start), to = find_step(p, cs_rigid_end(p->in, rank, start));

    for (int i = from; i < to; i++)
        p->step[i].free += p->in->procs[rank];
    merge_step(p, to);
    merge_step(p, from);
}
