/* send.c - the bounded number of transfers. */
#include "volatile/send.h"

#include "base/order.h"
#include "volatile/sets.h"

#include <string.h>

void cs_volatile_fleet_init(struct cs_volatile_fleet *f, const struct cs_volatile_instance *in,
                            struct cs_arena *arena)
{
    *f = (struct cs_volatile_fleet){
        .in = in,
        .state = CS_NEW_ARRAY(arena, unsigned char, in->hosts),
        .since = CS_NEW_ARRAY(arena, int64_t, in->hosts),
        .program = CS_NEW_ARRAY(arena, int, in->hosts),
        .got = CS_NEW_ARRAY(arena, int, in->hosts),
        .part = CS_NEW_ARRAY(arena, int, in->hosts),
        .tasks = CS_NEW_ARRAY(arena, int, in->hosts),
        .member = CS_NEW_ARRAY(arena, int, in->hosts),
        .touched = CS_NEW_ARRAY(arena, int, in->hosts),
        .is_touched = CS_NEW_ARRAY(arena, bool, in->hosts),
    };
}

void cs_volatile_fleet_settle(struct cs_volatile_fleet *f)
{
    for (int i = 0; i < f->touches; i++)
        f->is_touched[f->touched[i]] = false;
    f->touches = 0;
}

void cs_volatile_fleet_begin(struct cs_volatile_fleet *f, const unsigned char *first,
                             const int64_t *age)
{
    size_t hosts = (size_t)f->in->hosts;

    memcpy(f->state, first, hosts);
    memset(f->tasks, 0, hosts * sizeof *f->tasks);
    for (int q = 0; q < f->in->hosts; q++) {
        cs_volatile_fleet_lose(f, q);
        f->since[q] = age ? -age[q] : 0;
    }
    cs_volatile_fleet_settle(f);
    f->members = 0;
    f->stamp = 0;
}

void cs_volatile_fleet_lose(struct cs_volatile_fleet *f, int host)
{
    f->program[host] = f->in->app.program;
    f->got[host] = f->part[host] = 0;
}

void cs_volatile_fleet_forget_data(struct cs_volatile_fleet *f)
{
    size_t hosts = (size_t)f->in->hosts;

    memset(f->got, 0, hosts * sizeof *f->got);
    memset(f->part, 0, hosts * sizeof *f->part);
    for (int q = 0; q < f->in->hosts; q++)
        cs_volatile_fleet_touch(f, q);
    f->stamp++;
}

/* By what all tasks on one host alone lose of log P, the least first. */
static int *order_of(const struct cs_volatile_instance *in, struct cs_arena *arena)
{
    struct cs_volatile_sets *sets = cs_volatile_sets_create(in);
    struct cs_arena *scratch = cs_arena_create();
    double *key = CS_NEW_ARRAY(scratch, double, in->hosts);
    int *order = CS_NEW_ARRAY(arena, int, in->hosts);

    for (int q = 0; q < in->hosts; q++) {
        int set = cs_volatile_sets_add(sets, 0, q);

        key[q] = (double)in->app.tasks * in->host[q].slots * cs_volatile_sets_get(sets, set)->loss;
    }
    cs_order_ascending(key, in->hosts, order, scratch);
    cs_arena_destroy(scratch);
    cs_volatile_sets_destroy(sets);
    return order;
}

void cs_volatile_sending_init(struct cs_volatile_sending *s, const struct cs_volatile_instance *in,
                              enum cs_volatile_prefetch prefetch, struct cs_arena *arena)
{
    *s = (struct cs_volatile_sending){
        .in = in,
        .prefetch = prefetch,
        .order = prefetch == CS_VOLATILE_PREFETCH_NONE ? NULL : order_of(in, arena),
        .host = CS_NEW_ARRAY(arena, int, in->hosts),
        .late = CS_NEW_ARRAY(arena, int, in->hosts),
    };
}

void cs_volatile_sending_begin(struct cs_volatile_sending *s)
{
    s->count = s->enrolled = 0;
}

/* Is a message partly there? */
static bool started(const struct cs_volatile_fleet *f, int host)
{
    return f->part[host] > 0 || (f->program[host] > 0 && f->program[host] < f->in->app.program);
}

static bool needs(const struct cs_volatile_fleet *f, int host)
{
    return f->program[host] > 0 || (f->in->app.data > 0 && f->tasks[host] > f->got[host]);
}

bool cs_volatile_sending_serve(struct cs_volatile_sending *s, const struct cs_volatile_fleet *f)
{
    bool any = false;
    int late = 0;

    for (int i = 0; i < f->members; i++) {
        int q = f->member[i];

        if (!needs(f, q))
            continue;
        any = true;
        if (f->state[q] != CS_VOLATILE_UP)
            continue;
        if (!started(f, q))
            s->late[late++] = q;
        else if (s->count < s->in->app.transfers)
            s->host[s->count++] = q;
    }
    for (int i = 0; i < late && s->count < s->in->app.transfers; i++)
        s->host[s->count++] = s->late[i];
    s->enrolled = s->count;
    return any;
}

/* 0 for what goes first, -1 for a host that gets nothing. */
static int turn(const struct cs_volatile_sending *s, const struct cs_volatile_fleet *f, int host)
{
    if (f->state[host] != CS_VOLATILE_UP || f->tasks[host] > 0 || s->in->capacity[host] == 0)
        return -1;
    if (f->program[host] > 0)
        return started(f, host) ? 0 : 1;
    if (s->prefetch == CS_VOLATILE_PREFETCH_DATA && s->in->app.data > 0 &&
        f->got[host] < s->in->capacity[host])
        return started(f, host) ? 0 : 2;
    return -1;
}

void cs_volatile_sending_prefetch(struct cs_volatile_sending *s, const struct cs_volatile_fleet *f)
{
    if (s->prefetch == CS_VOLATILE_PREFETCH_NONE)
        return;
    for (int pass = 0; pass < 3; pass++)
        for (int i = 0; i < s->in->hosts && s->count < s->in->app.transfers; i++)
            if (turn(s, f, s->order[i]) == pass)
                s->host[s->count++] = s->order[i];
}

void cs_volatile_sending_spares(struct cs_volatile_sending *s, const struct cs_volatile_fleet *f,
                                const int *host, int hosts)
{
    for (int i = 0; i < hosts && s->count < s->in->app.transfers; i++)
        if (f->program[host[i]] > 0)
            s->host[s->count++] = host[i];
}

int64_t cs_volatile_sending_least(const struct cs_volatile_sending *s,
                                  const struct cs_volatile_fleet *f, int64_t slots)
{
    for (int i = 0; i < s->count; i++) {
        int q = s->host[i];
        int left = f->program[q] > 0 ? f->program[q] : s->in->app.data - f->part[q];

        slots = left < slots ? left : slots;
    }
    return slots;
}

void cs_volatile_sending_advance(struct cs_volatile_sending *s, struct cs_volatile_fleet *f,
                                 int64_t slots)
{
    for (int i = 0; i < s->count; i++) {
        int q = s->host[i];

        cs_volatile_fleet_touch(f, q);
        if (f->program[q] > 0) {
            f->program[q] -= (int)slots;
        } else {
            f->part[q] += (int)slots;
            if (f->part[q] == s->in->app.data) {
                f->part[q] = 0;
                f->got[q]++;
            }
        }
    }
    f->stamp += s->count > 0;
}

void cs_volatile_sending_dismiss(const struct cs_volatile_sending *s, struct cs_volatile_fleet *f,
                                 int host)
{
    if (s->prefetch == CS_VOLATILE_PREFETCH_DATA)
        return;
    if (f->program[host] > 0)
        f->program[host] = s->in->app.program;
    f->got[host] = f->part[host] = 0;
    cs_volatile_fleet_touch(f, host);
}

void cs_volatile_sending_letters(const struct cs_volatile_sending *s,
                                 const struct cs_volatile_fleet *f, char *act)
{
    for (int i = 0; i < s->count; i++) {
        int q = s->host[i];

        act[q] = f->program[q] > 0 ? 'P' : 'D';
        if (i >= s->enrolled)
            act[q] = f->program[q] > 0 ? 'p' : 'd';
    }
}
