/* solo.c - duels of two hosts, each with what it has received, remembered in two bits. */
#include "volatile/solo.h"

#define RANGES 64            /* of the time since the iteration began */
#define MOST_BYTES (1 << 25) /* of what is remembered */

enum verdict { UNKNOWN, WORSE, NOT_WORSE };

struct cs_volatile_solo {
    const struct cs_volatile_gauge *gauge;
    struct cs_arena *arena;
    bool able;          /* is this measure looked at? */
    int codes;          /* of what a host may have */
    size_t bytes, used; /* of a row; of all rows */
    /* By range, and by host and what it has: a row, or NULL.  Of a row: two bits for each other
     * host and what that has. */
    unsigned char **row[RANGES];
};

struct cs_volatile_solo *cs_volatile_solo_create(const struct cs_volatile_gauge *gauge,
                                                 struct cs_arena *arena)
{
    const struct cs_volatile_instance *in = gauge->estimator->in;
    struct cs_volatile_solo *solo = CS_NEW(arena, struct cs_volatile_solo);

    *solo = (struct cs_volatile_solo){
        .gauge = gauge,
        .arena = arena,
        .codes = in->most_need + 1,
        .bytes = ((size_t)in->hosts * ((size_t)in->most_need + 1) + 3) / 4,
    };
    solo->able = gauge->choice != CS_VOLATILE_RESTARTS &&
                 (size_t)in->hosts * (size_t)solo->codes * sizeof(unsigned char *) < MOST_BYTES;
    return solo;
}

/* What a host has: slots that it has received. */
static inline int code_of(const struct cs_volatile_view *view, int q)
{
    const struct cs_volatile_application *app = &view->in->app;

    return app->program - view->program[q] + view->got[q] * app->data + view->part[q];
}

static int range_of(const struct cs_volatile_solo *solo, int64_t tau)
{
    int range = 0;

    if (solo->gauge->choice == CS_VOLATILE_YIELD)
        for (; tau > 0; tau /= 2)
            range++;
    return range;
}

static unsigned char *row_of(struct cs_volatile_solo *solo, int range, int host, int code)
{
    size_t at = (size_t)host * (size_t)solo->codes + (size_t)code,
           rows = (size_t)solo->gauge->estimator->in->hosts * (size_t)solo->codes;

    if (!solo->row[range]) {
        solo->row[range] = CS_NEW_ARRAY(solo->arena, unsigned char *, rows);
        solo->used += rows * sizeof(unsigned char *);
    }
    if (!solo->row[range][at] && solo->used + solo->bytes < MOST_BYTES) {
        solo->row[range][at] = CS_NEW_ARRAY(solo->arena, unsigned char, solo->bytes);
        solo->used += solo->bytes;
    }
    return solo->row[range][at];
}

/* What a step weighs: without the set, and the ends of the range of times. */
struct weight {
    double log_p, time;
};

struct duel {
    const struct cs_volatile_gauge *gauge;
    const struct cs_volatile_view *view;
    int host, other;
    double tau[2];
};

static double score(const struct duel *d, struct weight w, int end)
{
    switch (d->gauge->choice) {
    case CS_VOLATILE_PROBABILITY:
        return w.log_p;
    case CS_VOLATILE_TIME:
        return -w.time;
    case CS_VOLATILE_YIELD:
        return w.log_p - log(w.time + d->tau[end]);
    default:
        return w.log_p - log(w.time);
    }
}

static double log_alive(const struct duel *d, int host, double time)
{
    return log(
        cs_volatile_chain_alive(cs_volatile_sets_chain(d->gauge->estimator->sets, host), time));
}

/* So many tasks on the host, and one on the other when there is another. */
static struct weight weigh(const struct duel *d, int tasks, int other)
{
    const struct cs_volatile_gauge *g = d->gauge;
    struct cs_volatile_estimator *e = g->estimator;
    const struct cs_volatile_host *host = d->view->in->host;
    int64_t workload = (int64_t)tasks * host[d->host].slots;
    int set = 0, need = 0, more = other < 0 ? 0 : cs_volatile_need(d->view, other, 1);
    double transfer = 0, log_p = 0;
    const struct cs_volatile_set *stats;

    if (tasks > 0) {
        need = cs_volatile_need(d->view, d->host, tasks);
        set = cs_volatile_sets_add(e->sets, set, d->host);
        transfer = cs_volatile_single(e, g->estimate, d->host, need);
    }
    if (other >= 0) {
        set = cs_volatile_sets_add(e->sets, set, other);
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

static bool wins(const struct duel *d, struct weight host, struct weight other)
{
    double size = 1;

    if (!(host.time < INFINITY) || !(host.log_p > -INFINITY))
        return false;
    for (int end = 0; end < 2; end++)
        size = fmax(size, fabs(score(d, host, end)));
    for (int end = 0; end < 2; end++)
        if (!(score(d, host, end) - score(d, other, end) > CS_VOLATILE_MARGIN * size))
            return false;
    return true;
}

static enum verdict fight(const struct duel *d)
{
    int tasks = d->view->in->app.tasks;

    for (int n = 0; n < tasks; n++)
        if (!wins(d, weigh(d, n + 1, -1), weigh(d, n, d->other)))
            return NOT_WORSE;
    return WORSE;
}

/* Both ends of a range of times. */
static enum verdict decide(const struct cs_volatile_solo *solo, const struct cs_volatile_view *view,
                           int range, int host, int other)
{
    const struct duel duel = {
        .gauge = solo->gauge,
        .view = view,
        .host = host,
        .other = other,
        .tau = {range ? ldexp(1, range - 1) : 0, range ? ldexp(1, range) : 0},
    };

    return fight(&duel);
}

static inline bool beats(const struct cs_volatile_solo *solo, const struct cs_volatile_view *view,
                         int range, unsigned char *row, int host, int other)
{
    size_t at = (size_t)other * (size_t)solo->codes + (size_t)code_of(view, other);
    int shift = (int)(at % 4 * 2);
    enum verdict verdict = (enum verdict)(row[at / 4] >> shift & 3);

    if (verdict == UNKNOWN) {
        verdict = decide(solo, view, range, host, other);
        row[at / 4] |= (unsigned char)(verdict << shift);
    }
    return verdict == WORSE;
}

bool cs_volatile_solo_is_chosen(struct cs_volatile_solo *solo, const struct cs_volatile_view *view,
                                int host)
{
    const struct cs_volatile_instance *in = view->in;
    int range = range_of(solo, view->tau);
    unsigned char *row;

    if (!solo->able || in->capacity[host] < in->app.tasks)
        return false;
    row = row_of(solo, range, host, code_of(view, host));
    if (!row)
        return false;
    for (int q = 0; q < in->hosts; q++)
        if (q != host && view->state[q] == CS_VOLATILE_UP && in->capacity[q] > 0 &&
            !beats(solo, view, range, row, host, q))
            return false;
    return true;
}
