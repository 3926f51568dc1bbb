/* bound.c - iteration after iteration, the earliest end that a relaxation allows. */
#include "volatile/bound.h"

#include "base/bug.h"
#include "volatile/optimum.h"

#include <stdlib.h>
#include <string.h>

#define SHORTEST 128
#define MOST_CELLS ((int64_t)1 << 28)

/* A stretch of slots of the window in which a host is not down. */
struct life {
    int host;
    int from, to; /* slots of the window */
    int first;    /* in which it can compute at the earliest */
    int room;     /* tasks, for the workload that is tried */
    bool dropped;
};

/* The walk along the states: where an iteration begins. */
struct walk {
    struct cs_volatile_source *source;
    unsigned char *state;
    int *owned;  /* by host: up slots of its life before now */
    size_t at;   /* the next change */
    int64_t now; /* the slot */
};

struct bound {
    const struct cs_volatile_instance *in;
    struct cs_arena *arena;
    struct walk walk;
    int *workload, workloads; /* all that an iteration can have, ascending */
    int sending;              /* slots in which data are sent, at least */
    int length;               /* of the window */
    unsigned char *state;     /* by host and slot of the window; hosts one after the other */
    int64_t *cover;           /* by slot: tasks that hosts up there have room for */
    struct life *life;
    int lives, life_room;
};

static int by_number(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;

    return (x > y) - (x < y);
}

static void list_workloads(struct bound *b)
{
    int64_t room = 0;
    int count = 0;

    for (int q = 0; q < b->in->hosts; q++)
        room += b->in->capacity[q];
    b->workload = CS_NEW_ARRAY(b->arena, int, room);
    for (int q = 0; q < b->in->hosts; q++)
        for (int x = 1; x <= b->in->capacity[q]; x++)
            b->workload[count++] = x * b->in->host[q].slots;
    qsort(b->workload, (size_t)count, sizeof *b->workload, by_number);
    for (int i = 0; i < count; i++)
        if (b->workloads == 0 || b->workload[i] != b->workload[b->workloads - 1])
            b->workload[b->workloads++] = b->workload[i];
}

/* Go on to a later slot, counting what lives have seen. */
static void walk_to(struct walk *w, int hosts, int64_t slot)
{
    const struct cs_volatile_change *change;

    while (w->now < slot) {
        int64_t until = slot;

        change = cs_volatile_source_change(w->source, w->at);
        until = change && change->slot < until ? change->slot : until;
        for (int q = 0; q < hosts; q++) {
            int64_t owned = w->owned[q] + (until - w->now);

            if (w->state[q] == CS_VOLATILE_UP)
                w->owned[q] = owned < CS_VOLATILE_CAP_MAX ? (int)owned : CS_VOLATILE_CAP_MAX;
        }
        w->now = until;
        for (; (change = cs_volatile_source_change(w->source, w->at)) && change->slot <= w->now;
             w->at++) {
            w->state[change->what / 4] = (unsigned char)(change->what % 4);
            if (change->what % 4 == CS_VOLATILE_DOWN)
                w->owned[change->what / 4] = 0;
        }
    }
}

/* The states of `length` slots from now on. */
static void open_window(struct bound *b, int length)
{
    const struct walk *w = &b->walk;
    const struct cs_volatile_change *change;
    size_t hosts = (size_t)b->in->hosts, cells = hosts * (size_t)length;

    b->length = length;
    b->state = realloc(b->state, cells);
    b->cover = realloc(b->cover, (size_t)length * sizeof *b->cover);
    if (!b->state || !b->cover)
        cs_bug_no_memory(cells);
    for (size_t q = 0; q < hosts; q++)
        memset(b->state + q * (size_t)length, w->state[q], (size_t)length);
    for (size_t at = w->at;
         (change = cs_volatile_source_change(w->source, at)) && change->slot < w->now + length;
         at++) {
        size_t start = (size_t)(change->slot - w->now);

        memset(b->state + (size_t)(change->what / 4) * (size_t)length + start,
               (int)(change->what % 4), (size_t)length - start);
    }
}

static void add_life(struct bound *b, int host, int from, int to, int owned)
{
    const unsigned char *state = b->state + (size_t)host * (size_t)b->length;
    int data = b->in->app.data, seen = 0, t = from;

    for (; t < to; t++) {
        if (seen >= data && owned + seen >= b->in->app.program + data && t >= b->sending)
            break;
        seen += state[t] == CS_VOLATILE_UP;
    }
    if (t == to)
        return;
    if (b->lives == b->life_room) {
        b->life_room = b->life_room ? 2 * b->life_room : 256;
        b->life = realloc(b->life, (size_t)b->life_room * sizeof *b->life);
        if (!b->life)
            cs_bug_no_memory((size_t)b->life_room * sizeof *b->life);
    }
    b->life[b->lives++] = (struct life){.host = host, .from = from, .to = to, .first = t};
}

static void list_lives(struct bound *b)
{
    b->lives = 0;
    for (int q = 0; q < b->in->hosts; q++) {
        const unsigned char *state = b->state + (size_t)q * (size_t)b->length;
        int from = -1;

        for (int t = 0; t <= b->length; t++) {
            bool down = t == b->length || state[t] == CS_VOLATILE_DOWN;

            if (!down && from < 0)
                from = t;
            if (down && from >= 0) {
                add_life(b, q, from, t, from == 0 ? b->walk.owned[q] : 0);
                from = -1;
            }
        }
    }
}

static void cover(struct bound *b, const struct life *life, int end, int room)
{
    const unsigned char *state = b->state + (size_t)life->host * (size_t)b->length;

    for (int t = life->first; t < life->to && t < end; t++)
        if (state[t] == CS_VOLATILE_UP)
            b->cover[t] += room;
}

/* Slots in which a life and enough others are up. */
static int count_covered(const struct bound *b, const struct life *life, int end)
{
    const unsigned char *state = b->state + (size_t)life->host * (size_t)b->length;
    int count = 0;

    for (int t = life->first; t < life->to && t < end; t++)
        count += state[t] == CS_VOLATILE_UP && b->cover[t] >= b->in->app.tasks;
    return count;
}

static bool drop_once(struct bound *b, int workload, int end, int *left)
{
    bool dropped = false;

    *left = 0;
    for (int i = 0; i < b->lives; i++) {
        struct life *life = &b->life[i];

        if (life->dropped)
            continue;
        if (count_covered(b, life, end) >= workload) {
            ++*left;
            continue;
        }
        life->dropped = dropped = true;
        cover(b, life, end, -life->room);
    }
    return dropped;
}

/* Can an iteration of this workload end before slot `end` of the window? */
static bool allowed(struct bound *b, int workload, int end)
{
    int left;

    if ((int64_t)b->sending + workload > end)
        return false;
    memset(b->cover, 0, (size_t)end * sizeof *b->cover);
    for (int i = 0; i < b->lives; i++) {
        struct life *life = &b->life[i];
        int room = workload / b->in->host[life->host].slots;

        life->room = room < b->in->capacity[life->host] ? room : b->in->capacity[life->host];
        life->dropped = life->room == 0;
        cover(b, life, end, life->room);
    }
    while (drop_once(b, workload, end, &left))
        continue;
    return left > 0;
}

static bool any_allowed(struct bound *b, int end)
{
    for (int i = 0; i < b->workloads; i++)
        if (allowed(b, b->workload[i], end))
            return true;
    return false;
}

/* The least end of any workload, knowing that `end` is allowed for one. */
static int least_end(struct bound *b, int end)
{
    for (int i = 0; i < b->workloads; i++) {
        int low = 0;

        if (!allowed(b, b->workload[i], end - 1))
            continue;
        end--;
        while (end - low > 1) {
            int middle = low + (end - low) / 2;

            if (allowed(b, b->workload[i], middle))
                end = middle;
            else
                low = middle;
        }
    }
    return end;
}

/* Slots until the first iteration that begins now can have ended; 0 when it cannot before `most`
 * slots, and the window then is as long as could be looked at. */
static int64_t next_end(struct bound *b, int64_t most)
{
    int64_t length = SHORTEST;

    for (;; length *= 2) {
        length = length < most ? length : most;
        open_window(b, (int)length);
        list_lives(b);
        if (any_allowed(b, b->length))
            return least_end(b, b->length);
        if (length == most || length * 2 * b->in->hosts > MOST_CELLS)
            return 0;
    }
}

static int64_t run(struct bound *b, int64_t end)
{
    for (int i = 0; i < b->in->app.iterations; i++) {
        int64_t slots = b->walk.now < end ? next_end(b, end - b->walk.now) : 0;

        if (slots == 0 && b->walk.now + b->length < end)
            return b->walk.now + b->length + 1;
        if (slots == 0)
            return -1;
        walk_to(&b->walk, b->in->hosts, b->walk.now + slots);
    }
    return b->walk.now;
}

int64_t cs_volatile_bound(const struct cs_volatile_instance *in, struct cs_volatile_source *source)
{
    struct bound b = {.in = in, .arena = cs_arena_create()};
    int64_t end = source->end < in->app.cap ? source->end : in->app.cap, result;

    CS_REQUIRE(source->hosts == in->hosts);
    b.walk = (struct walk){
        .source = source,
        .state = CS_NEW_ARRAY(b.arena, unsigned char, in->hosts),
        .owned = CS_NEW_ARRAY(b.arena, int, in->hosts),
    };
    memcpy(b.walk.state, source->first, (size_t)in->hosts);
    b.sending =
        (int)(((int64_t)in->app.tasks * in->app.data + in->app.transfers - 1) / in->app.transfers);
    list_workloads(&b);
    result = run(&b, end);
    free(b.state);
    free(b.cover);
    free(b.life);
    cs_arena_destroy(b.arena);
    return result;
}

struct cs_volatile_limit cs_volatile_limit(const struct cs_volatile_instance *in,
                                           struct cs_volatile_source *source, int64_t patience)
{
    if (patience > 0 && cs_volatile_offline_name(in)) {
        struct cs_arena *arena = cs_arena_create();
        struct cs_volatile_optimum optimum = cs_volatile_optimum_find(in, source, patience, arena);

        cs_arena_destroy(arena);
        if (optimum.answer != CS_VOLATILE_OPEN)
            return (struct cs_volatile_limit){optimum.slots, true};
    }
    return (struct cs_volatile_limit){cs_volatile_bound(in, source), false};
}
