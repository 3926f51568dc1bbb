/* solo.c - duels of two hosts, each with what it has received, remembered in two bits. */
#include "volatile/solo.h"

#define RANGES 17            /* of the time since the iteration began: 0, and [16^i, 16^(i+1)) */
#define MOST_BYTES (1 << 25) /* of what is remembered */
#define LONGEST 1e20         /* times of which the logarithm is below 50 */

enum verdict { UNKNOWN, WORSE, NOT_WORSE };

/* What a step weighs. */
struct weight {
    double log_p, time;
};

/* Of a host and what it has. */
struct row {
    unsigned char *duel; /* by other host and what that has: two bits; NULL until needed */
    /* Sets of hosts: those that have nothing and are worse, those that have the program and are
     * worse, those that have nothing and are not worse, and those that have the program. */
    uint64_t *sure;
    struct weight *alone; /* by tasks */
};

struct cs_volatile_solo {
    const struct cs_volatile_gauge *gauge;
    struct cs_arena *arena;
    bool able, seen;    /* is this measure looked at?  Are the sets those of the last view? */
    int codes, words;   /* of what a host may have; of a set of hosts */
    size_t bytes, used; /* of a row; of all rows */
    uint64_t *up, *bare, *ready;
    struct row *row[RANGES]; /* by range, and by host and what it has */
};

struct cs_volatile_solo *cs_volatile_solo_create(const struct cs_volatile_gauge *gauge,
                                                 struct cs_arena *arena)
{
    const struct cs_volatile_instance *in = gauge->estimator->in;
    struct cs_volatile_solo *solo = CS_NEW(arena, struct cs_volatile_solo);
    size_t codes = (size_t)in->most_need + 1, hosts = (size_t)in->hosts;

    *solo = (struct cs_volatile_solo){
        .gauge = gauge,
        .arena = arena,
        .able = gauge->choice != CS_VOLATILE_RESTARTS &&
                hosts * codes * sizeof(struct row) < MOST_BYTES / 4,
        .codes = in->most_need + 1,
        .words = (in->hosts + 63) / 64,
    };
    solo->bytes = (hosts * codes + 3) / 4 + 4 * (size_t)solo->words * sizeof(uint64_t) +
                  ((size_t)in->app.tasks + 1) * sizeof(struct weight);
    solo->up = CS_NEW_ARRAY(arena, uint64_t, solo->words);
    solo->bare = CS_NEW_ARRAY(arena, uint64_t, solo->words);
    solo->ready = CS_NEW_ARRAY(arena, uint64_t, solo->words);
    return solo;
}

void cs_volatile_solo_forget(struct cs_volatile_solo *solo)
{
    solo->seen = false;
}

/* What a host has: slots that it has received. */
static inline int code_of(const struct cs_volatile_view *view, int q)
{
    const struct cs_volatile_application *app = &view->in->app;

    return app->program - view->program[q] + view->got[q] * app->data + view->part[q];
}

static void look_at(struct cs_volatile_solo *solo, const struct cs_volatile_view *view, int q)
{
    bool up = view->state[q] == CS_VOLATILE_UP && view->in->capacity[q] > 0;
    int code = code_of(view, q), word = q / 64;
    uint64_t bit = (uint64_t)1 << q % 64;

    solo->up[word] &= ~bit;
    solo->bare[word] &= ~bit;
    solo->ready[word] &= ~bit;
    if (!up)
        return;
    solo->up[word] |= bit;
    if (code == 0)
        solo->bare[word] |= bit;
    else if (code == view->in->app.program)
        solo->ready[word] |= bit;
}

void cs_volatile_solo_look(struct cs_volatile_solo *solo, const struct cs_volatile_view *view)
{
    if (solo->seen)
        for (int i = 0; i < view->touches; i++)
            look_at(solo, view, view->touched[i]);
    else
        for (int q = 0; q < view->in->hosts; q++)
            look_at(solo, view, q);
    solo->seen = true;
}

static int range_of(const struct cs_volatile_solo *solo, int64_t tau)
{
    int range = 0;

    if (solo->gauge->choice == CS_VOLATILE_YIELD)
        for (; tau > 0; tau /= 16)
            range++;
    return range;
}

/* Rooms for verdicts; NULL when there is too much to remember. */
static struct row *row_of(struct cs_volatile_solo *solo, int range, int host, int code)
{
    const struct cs_volatile_instance *in = solo->gauge->estimator->in;
    size_t rows = (size_t)in->hosts * (size_t)solo->codes;
    struct row *row;

    if (!solo->row[range]) {
        solo->row[range] = CS_NEW_ARRAY(solo->arena, struct row, rows);
        solo->used += rows * sizeof(struct row);
    }
    row = &solo->row[range][(size_t)host * (size_t)solo->codes + (size_t)code];
    if (row->duel)
        return row;
    if (solo->used + solo->bytes > MOST_BYTES)
        return NULL;
    row->duel = CS_NEW_ARRAY(solo->arena, unsigned char, (rows + 3) / 4);
    row->sure = CS_NEW_ARRAY(solo->arena, uint64_t, 4 * (size_t)solo->words);
    row->alone = CS_NEW_ARRAY(solo->arena, struct weight, (size_t)in->app.tasks + 1);
    solo->used += solo->bytes;
    return row;
}

struct duel {
    const struct cs_volatile_gauge *gauge;
    const struct cs_volatile_view *view;
    int host, other;
    int64_t tau[2]; /* ends of the range */
};

static double log_alive(const struct duel *d, int host, double time)
{
    return log(
        cs_volatile_chain_alive(cs_volatile_sets_chain(d->gauge->estimator->sets, host), time));
}

/* So many tasks on the host, and one on the other unless that is -1. */
static struct weight weigh(const struct duel *d, int tasks, int other)
{
    const struct cs_volatile_gauge *g = d->gauge;
    struct cs_volatile_estimator *e = g->estimator;
    const struct cs_volatile_host *host = d->view->in->host;
    int64_t workload = (int64_t)tasks * host[d->host].slots;
    int set = 0, need = cs_volatile_need(d->view, d->host, tasks), more = 0;
    const struct cs_volatile_set *stats;
    double transfer = 0, log_p = 0;

    if (tasks > 0) {
        set = cs_volatile_sets_add(e->sets, set, d->host);
        transfer = cs_volatile_single(e, g->estimate, d->host, need);
    }
    if (other >= 0) {
        set = cs_volatile_sets_add(e->sets, set, other);
        more = cs_volatile_need(d->view, other, 1);
        transfer = fmax(transfer, cs_volatile_single(e, g->estimate, other, more));
        workload = host[other].slots > workload ? host[other].slots : workload;
    }
    transfer = fmax(transfer, ((double)need + more) / e->transfers);
    stats = cs_volatile_sets_get(e->sets, set);
    if (g->choice != CS_VOLATILE_TIME) {
        log_p = cs_volatile_work_log_p(stats, workload);
        log_p += tasks > 0 ? log_alive(d, d->host, transfer) : 0;
        log_p += other >= 0 ? log_alive(d, other, transfer) : 0;
    }
    return (struct weight){log_p, transfer + cs_volatile_work_time(stats, g->estimate, workload)};
}

/* No better than this is so many tasks on the host and one on the other: bounds of section 3.4. */
static struct weight weigh_roughly(const struct duel *d, int tasks)
{
    const struct cs_volatile_gauge *g = d->gauge;
    struct cs_volatile_estimator *e = g->estimator;
    const struct cs_volatile_host *host = d->view->in->host;
    int need = cs_volatile_need(d->view, d->host, tasks);
    int more = cs_volatile_need(d->view, d->other, 1);
    int64_t workload = (int64_t)tasks * host[d->host].slots;
    double loss = g->alone[d->other].loss, log_p = 0, transfer;

    workload = host[d->other].slots > workload ? host[d->other].slots : workload;
    transfer = cs_volatile_single(e, g->estimate, d->other, more);
    if (tasks > 0) {
        loss = fmax(loss, g->alone[d->host].loss);
        transfer = fmax(transfer, cs_volatile_single(e, g->estimate, d->host, need));
    }
    if (g->choice != CS_VOLATILE_TIME) {
        log_p = cs_volatile_single_alive(e, g->estimate, d->other, more);
        if (tasks > 0)
            log_p += cs_volatile_single_alive(e, g->estimate, d->host, need);
        if (workload > 1)
            log_p -= (double)(workload - 1) * loss;
    }
    return (struct weight){log_p, transfer + (double)workload};
}

/* The lead of one yield over another, P / (E + tau), in logarithms. */
static double lead(struct weight host, struct weight other, double tau)
{
    double log_p = host.log_p - other.log_p, rise = (host.time - other.time) / (other.time + tau);

    return rise <= 0 || log_p > rise ? log_p - rise : log_p - log1p(rise);
}

static bool wins(const struct duel *d, struct weight host, struct weight other)
{
    double size = 50 + fabs(host.log_p);

    if (!(host.time < LONGEST) || !(size < LONGEST))
        return false;
    switch (d->gauge->choice) {
    case CS_VOLATILE_PROBABILITY:
        return host.log_p - other.log_p > CS_VOLATILE_MARGIN * size;
    case CS_VOLATILE_TIME:
        return other.time - host.time > CS_VOLATILE_MARGIN * fmax(1, host.time);
    case CS_VOLATILE_YIELD:
        return lead(host, other, (double)d->tau[0]) > CS_VOLATILE_MARGIN * size &&
               lead(host, other, (double)d->tau[1]) > CS_VOLATILE_MARGIN * size;
    default:
        return lead(host, other, 0) > CS_VOLATILE_MARGIN * size;
    }
}

static enum verdict fight(const struct duel *d, const struct weight *alone)
{
    int tasks = d->view->in->app.tasks;

    for (int n = 0; n < tasks; n++)
        if (!wins(d, alone[n + 1], weigh_roughly(d, n)) &&
            !wins(d, alone[n + 1], weigh(d, n, d->other)))
            return NOT_WORSE;
    return WORSE;
}

static enum verdict decide(const struct cs_volatile_solo *solo, const struct cs_volatile_view *view,
                           int range, const struct row *row, int host, int other)
{
    const struct duel duel = {
        .gauge = solo->gauge,
        .view = view,
        .host = host,
        .other = other,
        .tau = {range ? (int64_t)1 << 4 * (range - 1) : 0,
                range < RANGES - 1 ? (int64_t)1 << 4 * range : INT64_MAX},
    };

    if (row->alone[1].time == 0)
        for (int n = 1; n <= view->in->app.tasks; n++)
            row->alone[n] = weigh(&duel, n, -1);
    return fight(&duel, row->alone);
}

static bool beats(const struct cs_volatile_solo *solo, const struct cs_volatile_view *view,
                  int range, struct row *row, int host, int other)
{
    int code = code_of(view, other), program = view->in->app.program;
    size_t at = (size_t)other * (size_t)solo->codes + (size_t)code;
    int shift = (int)(at % 4 * 2);
    enum verdict verdict = (enum verdict)(row->duel[at / 4] >> shift & 3);

    if (verdict == UNKNOWN) {
        verdict = decide(solo, view, range, row, host, other);
        row->duel[at / 4] |= (unsigned char)(verdict << shift);
    }
    if (code == 0 || code == program)
        row->sure[(2 * (verdict != WORSE) + (code != 0)) * solo->words + other / 64] |=
            (uint64_t)1 << other % 64;
    return verdict == WORSE;
}

/* Hosts number 64 * word and so on. */
static bool beats_all(const struct cs_volatile_solo *solo, const struct cs_volatile_view *view,
                      int range, struct row *row, int host, int word)
{
    const uint64_t *sure = row->sure + word;
    uint64_t bare = solo->bare[word], ready = solo->ready[word], left = solo->up[word];

    if ((bare & sure[2 * solo->words]) | (ready & sure[3 * solo->words]))
        return false;
    left &= ~(bare & sure[0]) & ~(ready & sure[solo->words]);
    for (int q = 64 * word; left; q++, left >>= 1)
        if (left & 1 && q != host && !beats(solo, view, range, row, host, q))
            return false;
    return true;
}

bool cs_volatile_solo_is_chosen(struct cs_volatile_solo *solo, const struct cs_volatile_view *view,
                                int host)
{
    const struct cs_volatile_instance *in = view->in;
    int range = range_of(solo, view->tau);
    struct row *row;

    if (!solo->able || view->state[host] != CS_VOLATILE_UP || in->capacity[host] < in->app.tasks)
        return false;
    row = row_of(solo, range, host, code_of(view, host));
    for (int w = 0; w < solo->words && row; w++)
        if (!beats_all(solo, view, range, row, host, w))
            return false;
    return row != NULL;
}
