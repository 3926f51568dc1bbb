/* bound_volatile.c - the clairvoyant earliest end of all iterations.
 *
 * An iteration that begins after slot s ends with some set of hosts. A host of it computes after it
 * was up for the program since its last failure, and for the data of a task and as long as all data
 * take to send since s; then all of them must be up together in W slots, between which none goes
 * down, where W is the least workload with which they hold all tasks. All sets of at most as many
 * hosts as tasks are simulated together, slot by slot; the earliest end is the best beginning of
 * the next iteration. Where there are too many sets, slots in which all usable hosts together could
 * compute count for all of them. With checkpoints a slot brings at most one part in W of an
 * iteration.
 */
#include "check/bound.h"

#include "base/arena.h"

#include <limits.h>
#include <string.h>

#define HOSTS_MOST 64 /* of which sets are followed */
#define SETS_MOST 4e6
#define STEPS_MOST 1e9 /* sets times slots in which all tasks can be held */
#define ROUNDING 1e-6  /* of iterations, as progress is rounded */

struct scan {
    const struct cs_volatile_declared *d;
    int *program, *data; /* by host: slots up since its last failure, since s */
    bool *usable;        /* by host, in this slot */
    uint64_t up;         /* the usable ones */
    uint64_t down;       /* those that were down since the last slot that counted */
    int most;            /* no workload is longer */
    int sets;            /* 0: they are too many */
    uint64_t *set;       /* their hosts */
    int *workload;       /* by set */
    int *count;          /* by set, or by workload: slots together */
};

static int bound_volatile_room(const struct cs_volatile_declared *d, int host, int workload)
{
    int tasks = workload / d->slots_per_task[host];

    return tasks < d->capacity[host] ? tasks : d->capacity[host];
}

/* Do the hosts hold all tasks in so many slots? */
static bool bound_volatile_holds(const struct cs_volatile_declared *d, const bool *host,
                                 int workload)
{
    int64_t tasks = 0;

    for (int q = 0; q < d->hosts && tasks < d->tasks; q++)
        tasks += host[q] ? bound_volatile_room(d, q, workload) : 0;
    return tasks >= d->tasks;
}

/* The least workload of these hosts; INT_MAX when they never hold all tasks. */
static int least_workload(const struct scan *s, const bool *host)
{
    int low = 0, high = s->most;

    if (!bound_volatile_holds(s->d, host, high))
        return INT_MAX;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;

        if (bound_volatile_holds(s->d, host, middle))
            high = middle;
        else
            low = middle;
    }
    return high;
}

static int most_workload(const struct cs_volatile_declared *d)
{
    int64_t most = 1;

    for (int q = 0; q < d->hosts; q++) {
        int64_t tasks = d->capacity[q] < d->tasks ? d->capacity[q] : d->tasks;

        most = tasks * d->slots_per_task[q] > most ? tasks * d->slots_per_task[q] : most;
    }
    return most < INT_MAX ? (int)most : INT_MAX - 1;
}

/* The hosts that can compute in slot t of an iteration that began at s. */
static void bound_volatile_inspect(struct scan *c, long long s, long long t)
{
    long long sending =
        ((long long)c->d->tasks * c->d->data + c->d->transfers - 1) / c->d->transfers;

    c->up = 0;
    for (int q = 0; q < c->d->hosts; q++) {
        char state = c->d->trace[q][t];

        c->usable[q] = state == 'u' && t - s >= sending && c->data[q] >= c->d->data &&
                       c->program[q] >= c->d->program + c->d->data;
        if (q < HOSTS_MOST) {
            c->up |= (uint64_t)c->usable[q] << q;
            c->down |= (uint64_t)(state == 'd') << q;
        }
        c->program[q] = state == 'd' ? 0 : c->program[q] + (state == 'u');
        c->data[q] = state == 'd' ? 0 : c->data[q] + (state == 'u');
    }
}

/* One slot for every set; does an iteration end with it? */
static bool step_sets(struct scan *c)
{
    bool ends = false;

    for (int i = 0; i < c->sets; i++) {
        if (c->set[i] & c->down)
            c->count[i] = 0;
        if ((c->set[i] & c->up) == c->set[i])
            ends |= ++c->count[i] >= c->workload[i];
    }
    return ends;
}

/* One slot for every workload, for any set of hosts. */
static bool step_all(struct scan *c)
{
    int least = least_workload(c, c->usable);
    bool ends = false;

    for (int workload = least; workload <= c->most; workload++)
        ends |= ++c->count[workload] >= workload;
    return ends;
}

/* How many sets of at most `size` of the hosts there are, the empty one not counted. */
static double count_sets(int hosts, int size)
{
    double all = 0, of_size = 1;

    for (int k = 1; k <= size; k++) {
        of_size *= (double)(hosts - k + 1) / k;
        all += of_size;
    }
    return all;
}

/* Every set with host `first` or later in addition to the `size` hosts of `set`. */
static void add_sets(struct scan *c, uint64_t set, int size, int first)
{
    if (size > 0) {
        for (int q = 0; q < c->d->hosts; q++)
            c->usable[q] = set >> q & 1;
        c->set[c->sets] = set;
        c->workload[c->sets++] = least_workload(c, c->usable);
    }
    for (int q = first; size < c->d->tasks && q < c->d->hosts; q++)
        add_sets(c, set | (uint64_t)1 << q, size + 1, q + 1);
}

static void find_sets(struct scan *c, struct cs_arena *arena)
{
    int hosts = c->d->hosts, size = hosts < c->d->tasks ? hosts : c->d->tasks;
    double sets = count_sets(hosts, size);

    if (hosts > HOSTS_MOST || !(sets <= SETS_MOST))
        return;
    c->set = CS_NEW_ARRAY(arena, uint64_t, (size_t)sets + 1);
    c->workload = CS_NEW_ARRAY(arena, int, (size_t)sets + 1);
    add_sets(c, 0, 0, 0);
}

static void bound_volatile_begin(struct scan *c, size_t counts)
{
    memset(c->count, 0, counts * sizeof *c->count);
    memset(c->data, 0, (size_t)c->d->hosts * sizeof *c->data);
}

/* Slots by which all iterations can end; more than the horizon if they cannot, 0 if it takes too
 * long to compute. */
static double bound_volatile_follow(struct scan *c, bool step(struct scan *c), size_t counts)
{
    long long s = 0;
    double steps = 0;
    int ended = 0;

    memset(c->program, 0, (size_t)c->d->hosts * sizeof *c->program);
    bound_volatile_begin(c, counts);
    for (long long t = 0; t < c->d->slots; t++) {
        bool ends;

        bound_volatile_inspect(c, s, t);
        if (!bound_volatile_holds(c->d, c->usable, c->most))
            continue;
        steps += (double)counts;
        if (steps > STEPS_MOST)
            return 0;
        ends = step(c);
        c->down = 0;
        if (!ends)
            continue;
        s = t + 1;
        if (++ended == c->d->iterations)
            return (double)s;
        bound_volatile_begin(c, counts);
    }
    return (double)c->d->slots + 1;
}

static double without_checkpoints(struct scan *c, struct cs_arena *arena)
{
    double least = 0;

    if (c->sets) {
        c->count = CS_NEW_ARRAY(arena, int, c->sets);
        least = bound_volatile_follow(c, step_sets, (size_t)c->sets);
    }
    if (least > 0)
        return least;
    c->sets = 0;
    c->count = CS_NEW_ARRAY(arena, int, (size_t)c->most + 1);
    return bound_volatile_follow(c, step_all, (size_t)c->most + 1);
}

static double with_checkpoints(struct scan *c)
{
    double left = c->d->iterations * (1 - ROUNDING);

    for (long long t = 0; t < c->d->slots; t++) {
        int workload;

        for (int q = 0; q < c->d->hosts; q++)
            c->usable[q] = c->d->trace[q][t] == 'u';
        workload = least_workload(c, c->usable);
        left -= workload == INT_MAX ? 0 : 1.0 / workload;
        if (left <= ROUNDING / c->most)
            return (double)(t + 1);
    }
    return (double)c->d->slots + 1;
}

enum cs_check_shown cs_check_bound_volatile(const struct cs_volatile_declared *d)
{
    struct cs_arena *arena = cs_arena_create();
    struct scan c = {.d = d, .most = most_workload(d)};
    bool saves = d->save_every > 0, exact;
    double least;

    c.program = CS_NEW_ARRAY(arena, int, d->hosts);
    c.data = CS_NEW_ARRAY(arena, int, d->hosts);
    c.usable = CS_NEW_ARRAY(arena, bool, d->hosts);
    if (!saves)
        find_sets(&c, arena);
    least = saves ? with_checkpoints(&c) : without_checkpoints(&c, arena);
    exact = (saves || c.sets) && least <= (double)d->slots;
    cs_arena_destroy(arena);
    return d->lower_bound <= least ? CS_CHECK_SHOWN
           : exact                 ? CS_CHECK_NOT_SHOWN
                                   : CS_CHECK_TOO_LARGE;
}
