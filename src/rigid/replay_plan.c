/* replay_plan.c - a step function in blocks. */
#include "rigid/replay_plan.h"

#include <limits.h>
#include <string.h>

#define STEPS CS_RIGID_REPLAY_STEPS
#define FILLED (STEPS * 3 / 4) /* by plan_begin, to leave room */

/* A step. */
struct at {
    int block, step;
};

void cs_rigid_replay_plan_init(struct cs_rigid_replay_plan *plan, double verification,
                               struct cs_arena *arena)
{
    *plan = (struct cs_rigid_replay_plan){.arena = arena, .verification = verification};
}

static void make_room(struct cs_rigid_replay_plan *p)
{
    struct cs_rigid_replay_steps **old = p->block;

    if (p->blocks < p->room)
        return;
    p->room = p->room ? 2 * p->room : 16;
    p->block = CS_NEW_ARRAY(p->arena, struct cs_rigid_replay_steps *, p->room);
    if (p->blocks)
        memcpy(p->block, old, (size_t)p->blocks * sizeof(struct cs_rigid_replay_steps *));
}

/* A new, empty block at position b. */
static struct cs_rigid_replay_steps *add_block(struct cs_rigid_replay_plan *p, int b)
{
    struct cs_rigid_replay_steps *steps = p->spare;

    if (steps)
        p->spare = steps->next_spare;
    else
        steps = CS_NEW(p->arena, struct cs_rigid_replay_steps);
    make_room(p);
    memmove(p->block + b + 1, p->block + b,
            (size_t)(p->blocks - b) * sizeof(struct cs_rigid_replay_steps *));
    p->block[b] = steps;
    p->blocks++;
    steps->count = steps->add = 0;
    steps->least = INT_MAX;
    steps->most = INT_MIN;
    return steps;
}

static void drop_blocks(struct cs_rigid_replay_plan *p, int count)
{
    if (count == 0)
        return;
    for (int b = 0; b < count; b++) {
        p->block[b]->next_spare = p->spare;
        p->spare = p->block[b];
    }
    p->blocks -= count;
    memmove(p->block, p->block + count, (size_t)p->blocks * sizeof(struct cs_rigid_replay_steps *));
}

static void measure(struct cs_rigid_replay_steps *steps)
{
    int least = INT_MAX, most = INT_MIN;

    for (int i = 0; i < steps->count; i++) {
        least = steps->free[i] < least ? steps->free[i] : least;
        most = steps->free[i] > most ? steps->free[i] : most;
    }
    steps->least = least;
    steps->most = most;
}

/* The last step of a plan that is being made. */
static void push(struct cs_rigid_replay_plan *p, double time, int free)
{
    struct cs_rigid_replay_steps *steps = p->blocks ? p->block[p->blocks - 1] : NULL;

    if (steps && steps->time[steps->count - 1] == time) {
        steps->free[steps->count - 1] = free;
        return;
    }
    if (!steps || steps->count == FILLED)
        steps = add_block(p, p->blocks);
    steps->time[steps->count] = time;
    steps->free[steps->count++] = free;
}

void cs_rigid_replay_plan_begin(struct cs_rigid_replay_plan *p, double now, int free,
                                const struct cs_rigid_replay_list *running)
{
    drop_blocks(p, p->blocks);
    push(p, now, free);
    for (int b = 0; b < running->blocks; b++)
        for (int i = 0; i < running->block[b]->count; i++) {
            free += running->block[b]->entry[i].procs;
            push(p, running->block[b]->entry[i].key, free);
        }
    for (int b = 0; b < p->blocks; b++)
        measure(p->block[b]);
}

/* The last step at or before this time; there is one. */
static struct at find(const struct cs_rigid_replay_plan *p, double time)
{
    struct at at = {0, 0};
    int high = p->blocks;

    while (high - at.block > 1) {
        int middle = at.block + (high - at.block) / 2;

        if (p->block[middle]->time[0] <= time)
            at.block = middle;
        else
            high = middle;
    }
    high = p->block[at.block]->count;
    while (high - at.step > 1) {
        int middle = at.step + (high - at.step) / 2;

        if (p->block[at.block]->time[middle] <= time)
            at.step = middle;
        else
            high = middle;
    }
    return at;
}

void cs_rigid_replay_plan_advance(struct cs_rigid_replay_plan *p, double now)
{
    struct at at = find(p, now);
    struct cs_rigid_replay_steps *first = p->block[at.block];

    drop_blocks(p, at.block);
    if (at.step > 0) {
        first->count -= at.step;
        memmove(first->time, first->time + at.step, (size_t)first->count * sizeof *first->time);
        memmove(first->free, first->free + at.step, (size_t)first->count * sizeof *first->free);
        measure(first);
    }
    first->time[0] = now;
}

/* The upper half of a full block goes to a new one behind it. */
static void split(struct cs_rigid_replay_plan *p, int b)
{
    struct cs_rigid_replay_steps *upper = add_block(p, b + 1), *lower = p->block[b];

    upper->count = STEPS / 2;
    lower->count = STEPS - STEPS / 2;
    upper->add = lower->add;
    memcpy(upper->time, lower->time + lower->count, (size_t)upper->count * sizeof *upper->time);
    memcpy(upper->free, lower->free + lower->count, (size_t)upper->count * sizeof *upper->free);
    measure(lower);
    measure(upper);
}

/* Let there be a step at this time, and return it. */
static struct at cut(struct cs_rigid_replay_plan *p, double time)
{
    struct at at = find(p, time);
    struct cs_rigid_replay_steps *steps = p->block[at.block];
    size_t behind;

    if (steps->time[at.step] == time)
        return at;
    if (steps->count == STEPS) {
        split(p, at.block);
        at = find(p, time);
        steps = p->block[at.block];
    }
    at.step++;
    behind = (size_t)(steps->count - at.step);
    memmove(steps->time + at.step + 1, steps->time + at.step, behind * sizeof *steps->time);
    memmove(steps->free + at.step + 1, steps->free + at.step, behind * sizeof *steps->free);
    steps->time[at.step] = time;
    steps->free[at.step] = steps->free[at.step - 1];
    steps->count++;
    return at;
}

/* Processors less from step `from` on until `end`. */
static void take(struct cs_rigid_replay_plan *p, struct at from, double end, int procs)
{
    double start = p->block[from.block]->time[from.step];
    int blocks = p->blocks;
    struct at to = cut(p, end);

    if (p->blocks > blocks)
        from = find(p, start);
    for (int b = from.block; b <= to.block; b++) {
        struct cs_rigid_replay_steps *steps = p->block[b];
        int first = b == from.block ? from.step : 0, last = b == to.block ? to.step : steps->count;

        if (first == 0 && last == steps->count) {
            steps->add -= procs;
        } else if (first < last) {
            for (int i = first; i < last; i++)
                steps->free[i] -= procs;
            measure(steps);
        }
    }
}

/* The first step from this one on with so many processors free; the last one has them all. */
static struct at first_with(const struct cs_rigid_replay_plan *p, struct at at, int procs)
{
    for (;; at = (struct at){at.block + 1, 0}) {
        const struct cs_rigid_replay_steps *steps = p->block[at.block];

        if (steps->most + steps->add < procs)
            continue;
        for (; at.step < steps->count; at.step++)
            if (steps->free[at.step] + steps->add >= procs)
                return at;
    }
}

/* The first step from this one on that begins before `end` and has fewer free; false for none. */
static bool first_without(const struct cs_rigid_replay_plan *p, struct at *at, double end,
                          int procs)
{
    for (; at->block < p->blocks; *at = (struct at){at->block + 1, 0}) {
        const struct cs_rigid_replay_steps *steps = p->block[at->block];

        if (steps->least + steps->add >= procs && steps->time[steps->count - 1] < end)
            continue;
        for (; at->step < steps->count; at->step++) {
            if (steps->time[at->step] >= end)
                return false;
            if (steps->free[at->step] + steps->add < procs)
                return true;
        }
    }
    return false;
}

static double end_of(const struct cs_rigid_replay_plan *p, double start, double seconds)
{
    return (start + seconds) + p->verification;
}

double cs_rigid_replay_plan_reserve(struct cs_rigid_replay_plan *p, int procs, double seconds)
{
    struct at at = {0, 0};

    for (;;) {
        struct at from = at = first_with(p, at, procs);
        double start = p->block[from.block]->time[from.step], end = end_of(p, start, seconds);

        if (!first_without(p, &at, end, procs)) {
            take(p, from, end, procs);
            return start;
        }
    }
}

bool cs_rigid_replay_plan_fits(const struct cs_rigid_replay_plan *p, int procs, double seconds)
{
    struct at at = {0, 0};

    if (p->block[0]->free[0] + p->block[0]->add < procs)
        return false;
    return !first_without(p, &at, end_of(p, p->block[0]->time[0], seconds), procs);
}

/* Room for as many stairs as there are steps. */
static void make_stairs_room(struct cs_rigid_replay_plan *p)
{
    if (p->stairs_room >= p->blocks * STEPS)
        return;
    p->stairs_room = 2 * p->blocks * STEPS;
    p->stairs_end = CS_NEW_ARRAY(p->arena, double, p->stairs_room);
    p->stairs_free = CS_NEW_ARRAY(p->arena, int, p->stairs_room);
}

struct cs_rigid_replay_stairs cs_rigid_replay_plan_stairs(struct cs_rigid_replay_plan *p)
{
    int stairs = 0, least = p->block[0]->free[0] + p->block[0]->add;

    make_stairs_room(p);
    for (int b = 0; b < p->blocks && least > 0; b++) {
        const struct cs_rigid_replay_steps *steps = p->block[b];

        if (steps->least + steps->add >= least)
            continue;
        for (int i = 0; i < steps->count && least > 0; i++)
            if (steps->free[i] + steps->add < least) {
                p->stairs_end[stairs] = steps->time[i];
                p->stairs_free[stairs++] = least;
                least = steps->free[i] + steps->add;
            }
    }
    p->stairs_free[stairs++] = least;
    return (struct cs_rigid_replay_stairs){p->block[0]->time[0], p->verification, stairs,
                                           p->stairs_end, p->stairs_free};
}
