/* source.c - changes of states, generated ahead of the readers a stretch of slots at a time.
 *
 * Source: spec/volatile.md 1 (chains), 8 (stationary first state), Part II.2 (semi-Markov), III.1
 * (runs of fleets; unknown counts as down in a simulation).
 * Idea: each host jumps between states with a separate stream of random numbers; the changes of a
 * stretch are sorted by a counting sort on the slot, hosts in ascending order within a slot.
 * Invariants: the list is sorted by slot, then host; the states of a host depend on (seed, trial,
 * host) alone, so on no policy and no thread.
 * Complexity: O(changes + hosts + STRETCH) for each stretch, however long states last.
 *
 * Constants (set by hand; half and double: not measured):
 *   STRETCH       1024  slots of a stretch
 *   SLOWEST_LEAVE 1e-9  per slot: states of semi-Markov hosts must be left more often than that
 */
#include "problems/volatile/source.h"

#include "base/bug.h"
#include "base/guard.h"
#include "base/vector.h"
#include "model/fleet.h"
#include "problems/volatile/chain.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STRETCH 1024
#define SLOWEST_LEAVE 1e-9
#define PURPOSE 0x766f6c61u /* keeps these streams apart from others */

/* One host on its way. */
struct walker {
    struct cs_rng rng;
    int64_t next; /* the slot of its next change */
    int state;
};

/* How long a host stays in each state. */
struct stays {
    struct cs_volatile_holding in[CS_VOLATILE_STATES];
};

struct cs_volatile_laws {
    const struct cs_volatile_instance *in;
    const struct stays *stays; /* by host */
};

struct cs_volatile_process {
    const struct cs_volatile_instance *in;
    struct walker *walker;
    const struct stays *stays; /* by host */
    size_t *start;             /* room to sort a stretch */
};

static void add_change(struct cs_volatile_source *s, int64_t slot, int host, int state)
{
    CS_BLOCK_ROOM(s->change, s->count, s->room, 1024);
    s->change[s->count++] =
        (struct cs_volatile_change){(uint32_t)slot, (uint32_t)host * 4 + (uint32_t)state};
}

/* Where a host goes that leaves this state. */
static int source_jump(const double row[CS_VOLATILE_STATES], int from, struct cs_rng *rng)
{
    static const int next[] = {1, 2, 0}, other[] = {2, 0, 1};
    const int a = next[from], b = other[from];

    return cs_rng_uniform(rng) * (row[a] + row[b]) < row[a] ? a : b;
}

static int64_t source_later(int64_t slot, int64_t wait)
{
    return wait > CS_VOLATILE_FOREVER - slot ? CS_VOLATILE_FOREVER : slot + wait;
}

/* Its changes before `until`, in order; the list is sorted afterwards. */
static void source_walk(struct cs_volatile_source *s, int host, int64_t until)
{
    struct cs_volatile_process *p = s->process;
    struct walker *w = &p->walker[host];

    while (w->next < until) {
        w->state = source_jump(p->in->host[host].chain[w->state], w->state, &w->rng);
        add_change(s, w->next, host, w->state);
        w->next =
            source_later(w->next, cs_volatile_holding_draw(&p->stays[host].in[w->state], &w->rng));
    }
}

/* Changes from `from` on by slot; the hosts came one after the other, and stay so. */
static void sort_stretch(struct cs_volatile_source *s, size_t from, int64_t base)
{
    size_t count = s->count - from, *start = s->process->start, total = 0;
    struct cs_volatile_change *copy = cs_block_resize(NULL, (count + 1) * sizeof *copy);

    memcpy(copy, s->change + from, count * sizeof *copy);
    memset(start, 0, STRETCH * sizeof *start);
    for (size_t i = 0; i < count; i++)
        start[copy[i].slot - base]++;
    for (int k = 0; k < STRETCH; k++) {
        size_t here = start[k];

        start[k] = total;
        total += here;
    }
    for (size_t i = 0; i < count; i++)
        s->change[from + start[copy[i].slot - base]++] = copy[i];
    cs_block_free(copy);
}

/* Make the changes of the next stretch in which there is one; false at the end. */
static bool make_more(struct cs_volatile_source *s)
{
    struct cs_volatile_process *p = s->process;
    int64_t soonest = CS_VOLATILE_FOREVER, until;
    size_t from = s->count;

    for (int q = 0; q < s->hosts; q++)
        soonest = p->walker[q].next < soonest ? p->walker[q].next : soonest;
    if (soonest >= s->end)
        return false;
    until = soonest + STRETCH < s->end ? soonest + STRETCH : s->end;
    for (int q = 0; q < s->hosts; q++)
        source_walk(s, q, until);
    sort_stretch(s, from, soonest);
    return true;
}

bool cs_volatile_source_reach(struct cs_volatile_source *s, size_t at)
{
    while (at >= s->count)
        if (!s->process || !make_more(s))
            return false;
    return true;
}

static struct cs_volatile_source *source_create(int hosts)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_volatile_source *s = CS_NEW(arena, struct cs_volatile_source);

    *s = (struct cs_volatile_source){.hosts = hosts, .arena = arena};
    return s;
}

void cs_volatile_source_destroy(struct cs_volatile_source *s)
{
    if (!s)
        return;
    cs_block_free(s->change);
    cs_arena_destroy(s->arena);
}

static int draw_state(const double share[CS_VOLATILE_STATES], struct cs_rng *rng)
{
    double u = cs_rng_uniform(rng);

    if (u < share[CS_VOLATILE_UP])
        return CS_VOLATILE_UP;
    return u < share[CS_VOLATILE_UP] + share[CS_VOLATILE_RECLAIMED] ? CS_VOLATILE_RECLAIMED
                                                                    : CS_VOLATILE_DOWN;
}

/* Every host begins in its long-run state, in the middle of a stay. */
static struct cs_volatile_source *start_process(const struct cs_volatile_instance *in,
                                                const struct stays *stays, uint64_t seed,
                                                uint64_t trial, struct cs_volatile_source *s)
{
    struct cs_volatile_process *p = CS_NEW(s->arena, struct cs_volatile_process);
    unsigned char *first = CS_NEW_ARRAY(s->arena, unsigned char, in->hosts);

    p->in = in;
    p->walker = CS_NEW_ARRAY(s->arena, struct walker, in->hosts);
    p->stays = stays;
    p->start = CS_NEW_ARRAY(s->arena, size_t, STRETCH);
    for (int q = 0; q < in->hosts; q++) {
        struct walker *w = &p->walker[q];
        double share[CS_VOLATILE_STATES];

        cs_rng_init(&w->rng, seed, PURPOSE + (uint32_t)q, trial);
        cs_volatile_chain_stationary(in->host[q].chain, share);
        w->state = draw_state(share, &w->rng);
        w->next = cs_volatile_holding_rest(&stays[q].in[w->state], &w->rng);
        first[q] = (unsigned char)w->state;
    }
    s->first = first;
    s->end = CS_VOLATILE_CAP_MAX;
    s->process = p;
    return s;
}

static double source_leave(const struct cs_volatile_host *host, int state)
{
    double sum = 0;

    for (int to = 0; to < CS_VOLATILE_STATES; to++)
        if (to != state)
            sum += host->chain[state][to];
    return sum < 1 ? sum : 1;
}

struct cs_volatile_source *cs_volatile_source_markov(const struct cs_volatile_instance *in,
                                                     uint64_t seed, uint64_t trial)
{
    CS_ASK(in, NULL, NULL);
    CS_GUARD(NULL, NULL);
    struct cs_volatile_source *s = source_create(in->hosts);
    struct stays *stays = CS_NEW_ARRAY(s->arena, struct stays, in->hosts);

    for (int q = 0; q < in->hosts; q++)
        for (int state = 0; state < CS_VOLATILE_STATES; state++)
            stays[q].in[state] = cs_volatile_holding_geometric(source_leave(&in->host[q], state));
    return start_process(in, stays, seed, trial, s);
}

static int source_hold(const struct cs_volatile_host *host, enum cs_volatile_law law,
                       double parameter, struct stays *stays, struct cs_error *err)
{
    for (int state = 0; state < CS_VOLATILE_STATES; state++) {
        double rate = source_leave(host, state);

        if (!(rate > SLOWEST_LEAVE))
            return cs_error_set(err,
                                "host %s: its state '%c' is hardly ever left, holding times need a "
                                "mean below 1e9 slots",
                                host->name,
                                cs_volatile_state_letter((enum cs_volatile_state)state));
        stays->in[state] = cs_volatile_holding_create(law, parameter, 1 / rate);
    }
    return 0;
}

struct cs_volatile_laws *cs_volatile_laws_create(const struct cs_volatile_instance *in,
                                                 enum cs_volatile_law law, double parameter,
                                                 struct cs_arena *arena, struct cs_error *err)
{
    struct cs_volatile_laws *laws = CS_NEW(arena, struct cs_volatile_laws);
    struct stays *stays = CS_NEW_ARRAY(arena, struct stays, in->hosts);

    if (!(parameter >= 0.05 && parameter <= 20)) {
        cs_error_set(err, "the %s of holding times is %g, it must be between 0.05 and 20",
                     law == CS_VOLATILE_LAW_WEIBULL ? "shape" : "sigma", parameter);
        return NULL;
    }
    for (int q = 0; q < in->hosts; q++)
        if (source_hold(&in->host[q], law, parameter, &stays[q], err))
            return NULL;
    *laws = (struct cs_volatile_laws){in, stays};
    return laws;
}

struct cs_volatile_source *cs_volatile_source_of_laws(const struct cs_volatile_laws *laws,
                                                      uint64_t seed, uint64_t trial)
{
    return start_process(laws->in, laws->stays, seed, trial, source_create(laws->in->hosts));
}

struct cs_volatile_source *cs_volatile_source_semi_markov(const struct cs_volatile_instance *in,
                                                          enum cs_volatile_law law,
                                                          double parameter, uint64_t seed,
                                                          uint64_t trial, struct cs_error *err)
{
    CS_ASK(in, err, NULL);
    CS_GUARD(err, NULL);
    struct cs_volatile_source *s = source_create(in->hosts);
    struct cs_volatile_laws *laws = cs_volatile_laws_create(in, law, parameter, s->arena, err);

    if (laws)
        return start_process(in, laws->stays, seed, trial, s);
    cs_volatile_source_destroy(s);
    return NULL;
}

static int state_of(char letter)
{
    const char *at = letter ? strchr("urd", letter) : NULL;

    return at ? (int)(at - "urd") : -1;
}

static bool has_hole(const struct cs_volatile_instance *in, const char *const *trace)
{
    for (int q = 0; q < in->hosts; q++)
        if (!trace[q])
            return true;
    return false;
}

static int check_trace(const struct cs_volatile_instance *in, const char *const *trace, int host,
                       struct cs_error *err)
{
    size_t length = strlen(trace[0]);

    if (strlen(trace[host]) != length)
        return cs_error_set(err, "host %s: its trace has %zu slots, that of host %s has %zu",
                            in->host[host].name, strlen(trace[host]), in->host[0].name, length);
    for (size_t t = 0; t < length; t++)
        if (state_of(trace[host][t]) < 0)
            return cs_error_set(err, "host %s: slot %zu of its trace is '%c', it must be u, r or d",
                                in->host[host].name, t, trace[host][t]);
    return 0;
}

struct cs_volatile_source *cs_volatile_source_traces(const struct cs_volatile_instance *in,
                                                     const char *const *trace, struct cs_error *err)
{
    CS_ASK(in && trace && !has_hole(in, trace), err, NULL);
    CS_GUARD(err, NULL);
    size_t length = strlen(trace[0]);
    struct cs_volatile_source *s;
    unsigned char *first;

    for (int q = 0; q < in->hosts; q++)
        if (check_trace(in, trace, q, err))
            return NULL;
    if (length < 1 || length > CS_VOLATILE_CAP_MAX) {
        cs_error_set(err, "the traces have %zu slots, there must be between 1 and %d", length,
                     CS_VOLATILE_CAP_MAX);
        return NULL;
    }
    s = source_create(in->hosts);
    first = CS_NEW_ARRAY(s->arena, unsigned char, in->hosts);
    for (int q = 0; q < in->hosts; q++)
        first[q] = (unsigned char)state_of(trace[q][0]);
    for (size_t t = 1; t < length; t++)
        for (int q = 0; q < in->hosts; q++)
            if (trace[q][t] != trace[q][t - 1])
                add_change(s, (int64_t)t, q, state_of(trace[q][t]));
    s->first = first;
    s->end = (int64_t)length;
    return s;
}

static int source_shown(enum cs_fleet_state state)
{
    return state == CS_FLEET_UNKNOWN ? CS_VOLATILE_DOWN : (int)state;
}

/* Slots from .. to - 1 of a fleet, which begin in slot `at` of a run. */
struct part {
    int64_t from, to, at;
};

/* Changes of one host in a part, from this state on; returns the last. */
static int add_runs(struct cs_volatile_source *s, const struct cs_fleet_host *host, int number,
                    const struct part *part, int state)
{
    for (int64_t run = cs_fleet_run_at(host, part->from), slot = part->from; slot < part->to;
         slot = host->run[run++].end) {
        int next = source_shown(host->run[run].state);

        if (next != state)
            add_change(s, slot - part->from + part->at, number, next);
        state = next;
    }
    return state;
}

static int by_slot(const void *a, const void *b)
{
    const struct cs_volatile_change *x = a, *y = b;

    if (x->slot != y->slot)
        return x->slot < y->slot ? -1 : 1;
    return (x->what > y->what) - (x->what < y->what);
}

static void fill_fleet(struct cs_volatile_source *s, const struct cs_fleet *fleet,
                       const struct part *part, int parts)
{
    unsigned char *first = CS_NEW_ARRAY(s->arena, unsigned char, s->hosts);
    int64_t *age = CS_NEW_ARRAY(s->arena, int64_t, s->hosts);

    for (int q = 0; q < s->hosts; q++) {
        const struct cs_fleet_host *host = &fleet->host[q];
        int64_t run = cs_fleet_run_at(host, part->from);
        int state = source_shown(host->run[run].state);

        first[q] = (unsigned char)state;
        age[q] = part->from - cs_fleet_run_begin(host, run);
        for (int p = 0; p < parts; p++)
            state = add_runs(s, host, q, &part[p], state);
    }
    if (s->count)
        qsort(s->change, s->count, sizeof *s->change, by_slot);
    s->first = first;
    s->age = age;
}

struct cs_volatile_source *cs_volatile_source_turned(const struct cs_volatile_instance *in,
                                                     const struct cs_fleet *fleet, int64_t from,
                                                     int64_t first, int64_t to)
{
    struct cs_volatile_source *s = source_create(in->hosts);
    struct part part[] = {{first, to, 0}, {from, first, to - first}};

    CS_REQUIRE(fleet->hosts == in->hosts && from <= first && first < to);
    if (part[0].to > part[0].from + CS_VOLATILE_CAP_MAX)
        part[0].to = part[0].from + CS_VOLATILE_CAP_MAX;
    if (part[1].to > part[1].from + CS_VOLATILE_CAP_MAX - part[1].at)
        part[1].to = part[1].from + CS_VOLATILE_CAP_MAX - part[1].at;
    s->end = part[0].to - part[0].from;
    if (part[1].to > part[1].from)
        s->end += part[1].to - part[1].from;
    fill_fleet(s, fleet, part, 2);
    return s;
}

struct cs_volatile_source *cs_volatile_source_fleet(const struct cs_volatile_instance *in,
                                                    const struct cs_fleet *fleet, int64_t from,
                                                    int64_t slots, struct cs_error *err)
{
    CS_ASK(in && fleet, err, NULL);
    CS_GUARD(err, NULL);
    struct cs_volatile_source *s;

    if (fleet->hosts != in->hosts) {
        cs_error_set(err, "the fleet has %d hosts, the instance has %d", fleet->hosts, in->hosts);
        return NULL;
    }
    if (from < 0 || slots < 1 || slots > CS_VOLATILE_CAP_MAX || from > fleet->slots - slots) {
        cs_error_set(err,
                     "slots %" PRId64 " to %" PRId64 " are requested: there are %" PRId64
                     ", and a run has between 1 and %d",
                     from, from + slots, fleet->slots, CS_VOLATILE_CAP_MAX);
        return NULL;
    }
    s = source_create(in->hosts);
    s->end = slots;
    fill_fleet(s, fleet, &(struct part){from, from + slots, 0}, 1);
    return s;
}

enum cs_volatile_state cs_volatile_source_state(struct cs_volatile_source *s, int host,
                                                int64_t slot)
{
    const struct cs_volatile_change *change;
    int state = s->first[host];

    for (size_t at = 0; (change = cs_volatile_source_change(s, at)) && change->slot <= slot; at++)
        if (change->what / 4 == (uint32_t)host)
            state = (int)(change->what % 4);
    return (enum cs_volatile_state)state;
}

const char *cs_volatile_source_trace(struct cs_volatile_source *s, int host, int64_t slots,
                                     struct cs_arena *arena)
{
    int64_t length = slots < s->end ? slots : s->end, t = 0;
    char *text = cs_arena_alloc(arena, (size_t)length + 1, 1);
    const struct cs_volatile_change *change;
    int state = s->first[host];

    for (size_t at = 0; (change = cs_volatile_source_change(s, at)) && change->slot < length; at++)
        if (change->what / 4 == (uint32_t)host) {
            while (t < change->slot)
                text[t++] = "urd"[state];
            state = (int)(change->what % 4);
        }
    while (t < length)
        text[t++] = "urd"[state];
    return text;
}

struct cs_fleet_host cs_volatile_source_runs(struct cs_volatile_source *s, int host, int64_t slots,
                                             struct cs_arena *arena)
{
    struct cs_fleet_strip strip = {.arena = arena};
    int64_t length = slots < s->end ? slots : s->end;
    const struct cs_volatile_change *change;
    int state = s->first[host];

    for (size_t at = 0; (change = cs_volatile_source_change(s, at)) && change->slot < length; at++)
        if (change->what / 4 == (uint32_t)host) {
            cs_fleet_strip_add(&strip, (enum cs_fleet_state)state, change->slot);
            state = (int)(change->what % 4);
        }
    cs_fleet_strip_add(&strip, (enum cs_fleet_state)state, length);
    return cs_fleet_strip_host(&strip, "", arena);
}
