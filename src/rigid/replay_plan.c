/* replay_plan.c - a step function in a sorted array that grows. */
#include "rigid/replay_plan.h"

#include <string.h>

void cs_rigid_replay_plan_init(struct cs_rigid_replay_plan *plan, double verification,
                               struct cs_arena *arena)
{
    *plan = (struct cs_rigid_replay_plan){.arena = arena, .verification = verification};
}

static void make_room(struct cs_rigid_replay_plan *p)
{
    struct cs_rigid_replay_step *old = p->step;

    if (p->count < p->room)
        return;
    p->room = p->room ? 2 * p->room : 64;
    p->step = CS_NEW_ARRAY(p->arena, struct cs_rigid_replay_step, p->room);
    if (p->count)
        memcpy(p->step, old, (size_t)p->count * sizeof *old);
}

static void push(struct cs_rigid_replay_plan *p, double time, int free)
{
    make_room(p);
    p->step[p->count++] = (struct cs_rigid_replay_step){time, free};
}

void cs_rigid_replay_plan_begin(struct cs_rigid_replay_plan *p, double now, int free,
                                const struct cs_rigid_replay_list *running)
{
    p->first = p->count = 0;
    push(p, now, free);
    for (int b = 0; b < running->blocks; b++)
        for (int i = 0; i < running->block[b]->count; i++) {
            const struct cs_rigid_replay_entry *entry = &running->block[b]->entry[i];

            free += entry->procs;
            if (entry->key != p->step[p->count - 1].time)
                push(p, entry->key, free);
            else
                p->step[p->count - 1].free = free;
        }
}

void cs_rigid_replay_plan_advance(struct cs_rigid_replay_plan *p, double now)
{
    while (p->first + 1 < p->count && p->step[p->first + 1].time <= now)
        p->first++;
    p->step[p->first].time = now;
    if (p->first > p->count / 2) {
        p->count -= p->first;
        memmove(p->step, p->step + p->first, (size_t)p->count * sizeof *p->step);
        p->first = 0;
    }
}

static void insert_step(struct cs_rigid_replay_plan *p, int at, double time)
{
    make_room(p);
    memmove(p->step + at + 1, p->step + at, (size_t)(p->count - at) * sizeof *p->step);
    p->step[at] = (struct cs_rigid_replay_step){time, p->step[at - 1].free};
    p->count++;
}

static double end_of(const struct cs_rigid_replay_plan *p, double start, double seconds)
{
    return (start + seconds) + p->verification;
}

double cs_rigid_replay_plan_reserve(struct cs_rigid_replay_plan *p, int procs, double seconds)
{
    int from = p->first;

    for (;;) {
        double end;
        int to;

        while (p->step[from].free < procs)
            from++;
        end = end_of(p, p->step[from].time, seconds);
        for (to = from + 1; to < p->count && p->step[to].time < end; to++)
            if (p->step[to].free < procs)
                break;
        if (to < p->count && p->step[to].time < end) {
            from = to + 1;
            continue;
        }
        if (to == p->count || p->step[to].time != end)
            insert_step(p, to, end);
        for (int i = from; i < to; i++)
            p->step[i].free -= procs;
        return p->step[from].time;
    }
}

bool cs_rigid_replay_plan_fits(const struct cs_rigid_replay_plan *p, int procs, double seconds)
{
    double end = end_of(p, p->step[p->first].time, seconds);
    int i = p->first;

    do
        if (p->step[i].free < procs)
            return false;
    while (++i < p->count && p->step[i].time < end);
    return true;
}

struct cs_rigid_replay_stairs cs_rigid_replay_plan_stairs(struct cs_rigid_replay_plan *p)
{
    int steps = 0, least = p->step[p->first].free;

    if (p->stairs_room < p->room) {
        p->stairs_room = p->room;
        p->stairs_end = CS_NEW_ARRAY(p->arena, double, p->room);
        p->stairs_free = CS_NEW_ARRAY(p->arena, int, p->room);
    }
    for (int i = p->first + 1; i < p->count && least > 0; i++)
        if (p->step[i].free < least) {
            p->stairs_end[steps] = p->step[i].time;
            p->stairs_free[steps++] = least;
            least = p->step[i].free;
        }
    p->stairs_free[steps++] = least;
    return (struct cs_rigid_replay_stairs){p->step[p->first].time, p->verification, steps,
                                           p->stairs_end, p->stairs_free};
}
