/* forecast.c - draws of hosts, and what became of them. */
#include "volatile/forecast.h"

#include "base/rng.h"

#include <math.h>

#define PURPOSE 0x666f7265u /* keeps this stream apart from others */
#define LEAST 0.001

enum fate { LEFT, STAYED, UNWATCHED };

/* Hosts that are up at a moment. */
struct crowd {
    int *host;
    int64_t *run;
    int hosts;
};

static void gather(const struct cs_volatile_history *h, int64_t slot, struct crowd *crowd)
{
    crowd->hosts = 0;
    for (int q = h->first; q < h->first + h->hosts; q++) {
        int64_t run = cs_fleet_run_at(&h->fleet->host[q], slot);

        if (h->fleet->host[q].run[run].state != CS_FLEET_UP)
            continue;
        crowd->host[crowd->hosts] = q;
        crowd->run[crowd->hosts++] = run;
    }
}

/* The first so many are drawn from all of them. */
static void shuffle(struct crowd *crowd, int drawn, struct cs_rng *rng)
{
    for (int i = 0; i < drawn; i++) {
        int j = i + (int)cs_rng_below(rng, (uint64_t)(crowd->hosts - i)), host = crowd->host[i];
        int64_t run = crowd->run[i];

        crowd->host[i] = crowd->host[j];
        crowd->run[i] = crowd->run[j];
        crowd->host[j] = host;
        crowd->run[j] = run;
    }
}

static enum fate fate_of(const struct cs_fleet_host *host, int64_t run, int64_t last)
{
    if (host->run[run].end > last)
        return STAYED;
    return run + 1 == host->runs || host->run[run + 1].state == CS_FLEET_UNKNOWN ? UNWATCHED : LEFT;
}

/* One that left is enough, whatever the others did. */
static enum fate fate_of_all(const struct cs_fleet *fleet, const struct crowd *crowd, int drawn,
                             int64_t last)
{
    enum fate all = STAYED;

    for (int i = 0; i < drawn; i++) {
        enum fate one = fate_of(&fleet->host[crowd->host[i]], crowd->run[i], last);

        if (one == LEFT)
            return LEFT;
        all = one == UNWATCHED ? one : all;
    }
    return all;
}

static void add(const struct cs_volatile_question *q, const struct crowd *crowd, int64_t slot,
                bool stayed, double *age, struct cs_volatile_answered *a)
{
    for (int i = 0; i < q->hosts; i++)
        age[i] =
            (double)(slot + 1 -
                     cs_fleet_run_begin(&q->judged.fleet->host[crowd->host[i]], crowd->run[i]));
    a->moments++;
    a->found += stayed;
    for (int b = 0; b < q->beliefs; b++) {
        double p =
            cs_volatile_belief_chance(q->belief[b], q->hosts, crowd->host, age, (double)q->slots);
        double cut = fmin(fmax(p, LEAST), 1 - LEAST);

        a->predicted[b] += p;
        a->log_loss[b] -= log(stayed ? cut : 1 - cut);
        a->brier[b] += (cut - stayed) * (cut - stayed);
    }
}

static void divide(struct cs_volatile_answered *a, int beliefs)
{
    double n = a->moments ? (double)a->moments : NAN;

    a->found /= n;
    for (int b = 0; b < beliefs; b++) {
        a->predicted[b] /= n;
        a->log_loss[b] /= n;
        a->brier[b] /= n;
    }
}

struct cs_volatile_answered cs_volatile_ask(const struct cs_volatile_question *q,
                                            struct cs_arena *arena)
{
    const struct cs_volatile_history *h = &q->judged;
    struct cs_volatile_answered a = {.predicted = CS_NEW_ARRAY(arena, double, q->beliefs),
                                     .log_loss = CS_NEW_ARRAY(arena, double, q->beliefs),
                                     .brier = CS_NEW_ARRAY(arena, double, q->beliefs)};
    struct cs_arena *scratch = cs_arena_create();
    struct crowd crowd = {CS_NEW_ARRAY(scratch, int, h->hosts),
                          CS_NEW_ARRAY(scratch, int64_t, h->hosts), 0};
    double *age = CS_NEW_ARRAY(scratch, double, q->hosts);
    struct cs_rng rng;

    cs_rng_init(&rng, q->seed, PURPOSE, 0);
    for (long m = 0; m < q->moments && h->to - h->from > q->slots; m++) {
        int64_t slot =
            h->from + (int64_t)cs_rng_below(&rng, (uint64_t)(h->to - h->from - q->slots));
        enum fate fate;

        gather(h, slot, &crowd);
        if (crowd.hosts < q->hosts)
            continue;
        shuffle(&crowd, q->hosts, &rng);
        fate = fate_of_all(h->fleet, &crowd, q->hosts, slot + q->slots);
        if (fate != UNWATCHED)
            add(q, &crowd, slot, fate == STAYED, age, &a);
    }
    divide(&a, q->beliefs);
    cs_arena_destroy(scratch);
    return a;
}
