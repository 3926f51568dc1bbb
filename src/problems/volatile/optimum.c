/* optimum.c - iteration after iteration, the earliest end by a binary search for each workload.
 *
 * Source: spec/volatile.md 6 and Part II.5 (clairvoyant bound; not in the paper beyond one
 * iteration).  optimum.h states why the sum over iterations is exact without transfers.
 * Idea: in a window from the end of the last iteration on, each stretch in which a host is not down
 * is a part; for each workload W that an iteration can have, together.c searches parts with
 * capacity for all tasks that share W slots before `end`.  The window doubles until an iteration
 * ends in it.
 * Invariants: `exact` only without program and data, and if no search and no window reached its
 * limit; else the number is a lower bound, since a search without an answer counts as possible.
 * Complexity: distinct workloads x log(window) searches for each iteration, each exponential at
 * worst and limited by `patience` words of 64 slots.
 *
 * Constants (set by hand; half and double: not measured):
 *   SHORTEST   128   slots of the first window
 *   MOST_CELLS 2^30  hosts x slots of a window, one bit each; longer windows are not opened
 */
#include "problems/volatile/optimum.h"

#include "base/bug.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define SHORTEST 128
#define MOST_CELLS ((int64_t)1 << 30) /* hosts times slots of a window */

struct problem {
    const struct cs_volatile_instance *in;
    struct cs_volatile_source *source;
    struct cs_arena *arena, *window; /* what stays, and what lasts as long as a window */
    struct cs_arena_mark empty;      /* the window's */
    int *workload, workloads;        /* all that an iteration can have, ascending */
    int sending;                     /* slots in which data are sent, at least */
    unsigned char *state;            /* by host, now */
    int *owned;                      /* by host: up slots of its life before now */
    size_t at;                       /* the next change */
    int64_t now, patience, spent;
    bool open; /* something was taken for possible */
    /* The window: the slots from now on, and the stretches of them in which hosts are not down. */
    int length;
    struct cs_volatile_together *together;
    struct cs_volatile_part *life, *part;
    int lifetimes, life_room;
};

const char *cs_volatile_offline_name(const struct cs_volatile_instance *in)
{
    bool one = true, any = true;

    if (in->app.program > 0 || in->app.data > 0 || in->app.save_every > 0)
        return NULL;
    for (int q = 0; q < in->hosts; q++) {
        one &= in->capacity[q] == 1 && in->host[q].slots == in->host[0].slots;
        any &= in->capacity[q] == in->app.tasks && in->host[q].slots == in->host[0].slots;
    }
    return one ? "offline-1" : any ? "offline-inf" : "offline";
}

static int by_number(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;

    return (x > y) - (x < y);
}

static void list_workloads(struct problem *p)
{
    int64_t room = 0;
    int count = 0;

    for (int q = 0; q < p->in->hosts; q++)
        room += p->in->capacity[q];
    p->workload = CS_NEW_ARRAY(p->arena, int, room);
    for (int q = 0; q < p->in->hosts; q++)
        for (int x = 1; x <= p->in->capacity[q]; x++)
            p->workload[count++] = x * p->in->host[q].slots;
    qsort(p->workload, (size_t)count, sizeof *p->workload, by_number);
    for (int i = 0; i < count; i++)
        if (p->workloads == 0 || p->workload[i] != p->workload[p->workloads - 1])
            p->workload[p->workloads++] = p->workload[i];
}

/* The first slot of a lifetime in which the host can compute, `to` if it never can. */
static int first_slot(const struct problem *p, int host, int from, int to)
{
    const uint64_t *up = p->together->up[host];
    int data = p->in->app.data, most = p->in->app.program + data, seen = 0;
    int owned = from == 0 ? p->owned[host] : 0, t = from;

    for (; t < to && (seen < data || owned + seen < most || t < p->sending); t++)
        seen += (int)(up[t / 64] >> t % 64 & 1);
    return t;
}

static void add_life(struct problem *p, int host, int from, int to)
{
    struct cs_volatile_part *old = p->life;

    from = first_slot(p, host, from, to);
    if (from == to)
        return;
    if (p->lifetimes == p->life_room) {
        p->life_room = p->life_room ? 2 * p->life_room : 256;
        p->life = CS_NEW_ARRAY(p->window, struct cs_volatile_part, p->life_room);
        if (p->lifetimes)
            memcpy(p->life, old, (size_t)p->lifetimes * sizeof *old);
    }
    p->life[p->lifetimes++] = (struct cs_volatile_part){.host = host, .from = from, .to = to};
}

/* A host was in this state in slots since .. until - 1. */
static void put_stretch(struct problem *p, int host, int state, int since, int until)
{
    if (state == CS_VOLATILE_UP && since < until)
        cs_volatile_together_set_up(p->together, host, since, until);
}

static void open_window(struct problem *p, int length)
{
    const struct cs_volatile_change *change;
    int hosts = p->in->hosts, *since, *born;
    unsigned char *state;

    cs_arena_rewind(p->window, p->empty);
    since = CS_NEW_ARRAY(p->window, int, hosts);
    born = CS_NEW_ARRAY(p->window, int, hosts);
    state = CS_NEW_ARRAY(p->window, unsigned char, hosts);
    memcpy(state, p->state, (size_t)hosts);
    p->length = length;
    p->lifetimes = p->life_room = 0;
    p->together = cs_volatile_together_create(hosts, length, p->in->app.tasks, p->window);
    for (size_t at = p->at;
         (change = cs_volatile_source_change(p->source, at)) && change->slot < p->now + length;
         at++) {
        int q = (int)(change->what / 4), now = (int)(change->slot - p->now);

        put_stretch(p, q, state[q], since[q], now);
        if (change->what % 4 == CS_VOLATILE_DOWN && state[q] != CS_VOLATILE_DOWN)
            add_life(p, q, born[q], now);
        since[q] = now;
        if (state[q] == CS_VOLATILE_DOWN)
            born[q] = now;
        state[q] = (unsigned char)(change->what % 4);
    }
    for (int q = 0; q < hosts; q++) {
        put_stretch(p, q, state[q], since[q], length);
        if (state[q] != CS_VOLATILE_DOWN)
            add_life(p, q, born[q], length);
    }
    p->part = CS_NEW_ARRAY(p->window, struct cs_volatile_part, p->lifetimes);
}

/* Can an iteration of this workload end before slot `end` of the window? */
static bool can_end(struct problem *p, int workload, int end)
{
    enum cs_volatile_answer answer;
    int parts = 0;

    if ((int64_t)p->sending + workload > end)
        return false;
    for (int i = 0; i < p->lifetimes; i++) {
        struct cs_volatile_part part = p->life[i];
        int room = workload / p->in->host[part.host].slots;

        part.room = room < p->in->capacity[part.host] ? room : p->in->capacity[part.host];
        part.to = part.to < end ? part.to : end;
        if (part.room > 0 && part.to - part.from >= workload)
            p->part[parts++] = part;
    }
    p->together->spent = p->spent;
    p->together->patience = p->patience;
    answer =
        cs_volatile_together_search(p->together, p->part, parts, end, p->in->app.tasks, workload);
    p->spent = p->together->spent;
    if (answer == CS_VOLATILE_OPEN) {
        p->together->choices = 0;
        p->together->end = end;
    }
    p->open |= answer == CS_VOLATILE_OPEN;
    return answer != CS_VOLATILE_NO;
}

static bool all_up(const struct cs_volatile_together *t, int slot)
{
    for (int i = 0; i < t->choices; i++)
        if (!(t->up[t->choice[i]->host][slot / 64] >> slot % 64 & 1))
            return false;
    return true;
}

/* The result of the search, as the stage that ends the iteration. */
static void keep_stage(const struct problem *p, int workload, int *tasks,
                       struct cs_volatile_stage *stage)
{
    const struct cs_volatile_together *t = p->together;
    int left = p->in->app.tasks, from = 0;

    memset(tasks, 0, (size_t)p->in->hosts * sizeof *tasks);
    for (int i = 0; i < t->choices; i++) {
        const struct cs_volatile_part *part = t->choice[i];

        tasks[part->host] = part->room < left ? part->room : left;
        left -= tasks[part->host];
        from = part->from > from ? part->from : from;
    }
    while (!all_up(t, from))
        from++;
    *stage = (struct cs_volatile_stage){
        .from = p->now + from, .to = p->now + t->end, .workload = workload, .tasks = tasks};
}

/* The least end of any workload in the window; false if no workload fits. */
static bool least_end(struct problem *p, struct cs_volatile_stage *stage, int *tasks)
{
    int end = p->length + 1;

    for (int i = 0; i < p->workloads && p->workload[i] < end; i++) {
        int low = p->workload[i] - 1, middle = end - 1;

        while (middle > low) {
            if (can_end(p, p->workload[i], middle)) {
                end = p->together->end;
                keep_stage(p, p->workload[i], tasks, stage);
            } else if (middle == end - 1) {
                break;
            } else {
                low = middle;
            }
            middle = low + (end - low) / 2;
        }
    }
    return end <= p->length;
}

/* The next iteration; false when none ends within so many slots, or not within the window, which
 * then is as long as can be examined. */
static bool next_stage(struct problem *p, int64_t slots, struct cs_volatile_stage *stage)
{
    int *tasks = CS_NEW_ARRAY(p->arena, int, p->in->hosts);

    for (int64_t length = SHORTEST;; length *= 2) {
        length = length < slots ? length : slots;
        open_window(p, (int)length);
        if (least_end(p, stage, tasks))
            return true;
        if (length == slots || 2 * length * p->in->hosts > MOST_CELLS)
            return false;
    }
}

/* Move to a later slot, counting the up slots of each stretch. */
static void walk_to(struct problem *p, int64_t slot)
{
    const struct cs_volatile_change *change;

    while (p->now < slot) {
        int64_t until = slot;

        change = cs_volatile_source_change(p->source, p->at);
        until = change && change->slot < until ? change->slot : until;
        for (int q = 0; q < p->in->hosts; q++)
            if (p->state[q] == CS_VOLATILE_UP)
                p->owned[q] += (int)(until - p->now);
        p->now = until;
        for (; (change = cs_volatile_source_change(p->source, p->at)) && change->slot <= until;
             p->at++) {
            p->state[change->what / 4] = (unsigned char)(change->what % 4);
            if (change->what % 4 == CS_VOLATILE_DOWN)
                p->owned[change->what / 4] = 0;
        }
    }
}

static struct cs_volatile_optimum optimum_run(struct problem *p, int64_t end)
{
    const struct cs_volatile_application *app = &p->in->app;
    bool free = app->program == 0 && app->data == 0;
    struct cs_volatile_optimum o = {.slots = -1, .exact = free};
    struct cs_volatile_stage *stage =
        CS_NEW_ARRAY(p->arena, struct cs_volatile_stage, app->iterations);

    while (o.stages < app->iterations && p->now < end &&
           next_stage(p, end - p->now, &stage[o.stages]))
        walk_to(p, stage[o.stages++].to);
    o.stage = stage;
    o.spent = p->spent;
    if (o.stages == app->iterations) {
        o.slots = p->now;
        o.exact = free && !p->open;
    } else if (p->now < end && p->now + p->length < end) {
        o.slots = p->now + p->length + 1;
        o.exact = false;
    }
    return o;
}

struct cs_volatile_optimum cs_volatile_optimum_find(const struct cs_volatile_instance *in,
                                                    struct cs_volatile_source *source,
                                                    int64_t patience, struct cs_arena *arena)
{
    struct problem p = {
        .in = in,
        .source = source,
        .arena = arena,
        .window = cs_arena_create(),
        .patience = patience,
    };
    int64_t end = source->end < in->app.cap ? source->end : in->app.cap;
    struct cs_volatile_optimum optimum;

    CS_REQUIRE(source->hosts == in->hosts);
    p.empty = cs_arena_mark(p.window);
    p.sending =
        (int)(((int64_t)in->app.tasks * in->app.data + in->app.transfers - 1) / in->app.transfers);
    p.owned = CS_NEW_ARRAY(arena, int, in->hosts);
    p.state = CS_NEW_ARRAY(arena, unsigned char, in->hosts);
    memcpy(p.state, source->first, (size_t)in->hosts);
    list_workloads(&p);
    optimum = optimum_run(&p, end);
    cs_arena_destroy(p.window);
    return optimum;
}
