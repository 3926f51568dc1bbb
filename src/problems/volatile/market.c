/* market.c - markets of a fleet, and policies that buy in them.
 *
 * Source: spec/volatile.md III.6 (its measured table: 12 starts for each zone, in the second half).
 * Idea: the zone of each file is a market; the phases of spot are fitted to its history, and jobs
 * begin at drawn ticks after it.
 * Invariants: every policy meets the same starts; no job begins where the trace ends before its
 * deadline; prices of an hour are converted to prices of a tick and of all instances.
 * Complexity: one table for each market (deadline_table.c), O(ticks) for a run.
 * Constants: HOUR 3600 s; NEAR 1e-9 of a price interval, against rounding (set by hand; half and
 * double: not measured).
 */
#include "problems/volatile/market.h"

#include "base/rng.h"
#include "base/workers.h"
#include "problem/sample.h"
#include "problems/volatile/deadline.h"
#include "problems/volatile/states.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define PURPOSE 0x6d61726bu /* keeps this stream apart from others */
#define HOUR 3600.0
#define NEAR 1e-9

enum { ALL_BUYERS };

struct market {
    struct cs_volatile_market spot;
    struct cs_volatile_phases phases;
    const struct cs_volatile_table *table; /* NULL when no variant needs it */
};

struct cs_volatile_markets {
    struct cs_volatile_job job;
    int64_t history;
    int markets;
    struct market *market;
    enum cs_volatile_buyer buyer[CS_VOLATILE_BUYERS];
};

bool cs_volatile_market_asked(const struct cs_volatile_settings *o)
{
    return !isnan(o->deadline);
}

/* ---- the markets ---- */

static const unsigned char *ticks_of(const struct cs_fleet_host *host, int64_t ticks,
                                     struct cs_arena *arena)
{
    unsigned char *there = CS_NEW_ARRAY(arena, unsigned char, ticks);
    int64_t slot = 0;

    for (int64_t i = 0; slot < ticks; i++)
        for (; slot < ticks && slot < host->run[i].end; slot++)
            there[slot] = host->run[i].state == CS_FLEET_UP;
    return there;
}

/* Of a tick, from prices of an hour. */
static const double *prices_of(const struct cs_fleet_zone *zone, double tick, int64_t instances,
                               struct cs_arena *arena)
{
    double *price;

    if (!zone->prices)
        return NULL;
    price = CS_NEW_ARRAY(arena, double, zone->slots);
    for (int64_t t = 0; t < zone->slots; t++) {
        int64_t at = (int64_t)floor((double)t * tick / zone->gap + NEAR);

        price[t] = zone->price[at < zone->prices ? at : zone->prices - 1] * tick / HOUR *
                   (double)instances;
    }
    return price;
}

static int make_market(struct cs_volatile_case *c, int z, struct market *m, struct cs_error *err)
{
    const struct cs_fleet *fleet = c->fleet;
    const struct cs_fleet_zone *zone = &fleet->zone[z];
    struct cs_volatile_markets *all = c->markets;
    int seat = (int)c->settings->instances - 1;

    if (seat >= zone->hosts)
        return cs_error_set(err, "%s: --instances %d, but there are never more than %d", zone->name,
                            seat + 1, zone->hosts);
    m->spot.ticks = zone->slots;
    m->spot.there = ticks_of(&fleet->host[zone->first + seat], zone->slots, c->study.arena);
    m->spot.price = prices_of(zone, fleet->slot, c->settings->instances, c->study.arena);
    if (all->history < 1 || all->history + all->job.deadline > zone->slots)
        return cs_error_set(err,
                            "%s: %" PRId64 " ticks are too few for a history of %" PRId64
                            " and a deadline after %" PRId64,
                            zone->name, zone->slots, all->history, all->job.deadline);
    m->phases = cs_volatile_phases_fit(&m->spot, 0, all->history, c->settings->young);
    return 0;
}

static bool goes_by_table(const struct cs_volatile_case *c)
{
    for (int w = 0; w < c->study.variants; w++)
        if (c->markets->buyer[w] == CS_VOLATILE_TABLE)
            return true;
    return false;
}

static int make_markets(struct cs_volatile_case *c, struct cs_error *err)
{
    struct cs_volatile_markets *all = c->markets;

    all->markets = c->fleet->zones;
    all->market = CS_NEW_ARRAY(c->study.arena, struct market, all->markets);
    for (int z = 0; z < all->markets; z++) {
        struct market *m = &all->market[z];

        if (make_market(c, z, m, err))
            return -1;
        if (!goes_by_table(c))
            continue;
        m->table = cs_volatile_table_create(&all->job, &m->phases, c->study.arena, err);
        if (!m->table)
            return -1;
    }
    return 0;
}

/* ---- from options ---- */

static int64_t ticks_up(double seconds, double tick)
{
    return (int64_t)ceil(seconds / tick - NEAR);
}

static int check_job(const struct cs_volatile_settings *o, struct cs_error *err)
{
    if (!o->trace)
        return cs_error_set(err, "--deadline needs --trace: when spot instances were there");
    if (isnan(o->work))
        return cs_error_set(err, "--deadline needs --work: how long the job computes");
    return 0;
}

static void set_job(struct cs_volatile_case *c)
{
    const struct cs_volatile_settings *o = c->settings;
    double tick = c->fleet->slot, hours = tick / HOUR;

    c->markets->job = (struct cs_volatile_job){
        .work = ticks_up(o->work, tick),
        .deadline = (int64_t)floor(o->deadline / tick + NEAR),
        .change = isnan(o->change_over) ? 0 : ticks_up(o->change_over, tick),
        .spot = o->spot_price * hours * (double)o->instances,
        .demand = o->demand_price * hours * (double)o->instances,
    };
    c->markets->history = o->history > 0 ? o->history : c->fleet->slots / 2;
}

static void set_variants(struct cs_volatile_case *c)
{
    int first = c->settings->buyer == ALL_BUYERS ? CS_VOLATILE_GREEDY : c->settings->buyer - 1;
    int last = c->settings->buyer == ALL_BUYERS ? CS_VOLATILE_TABLE : first;
    struct cs_variant *variant = CS_NEW_ARRAY(c->study.arena, struct cs_variant, last - first + 1);

    for (int b = first; b <= last; b++) {
        c->markets->buyer[c->study.variants] = (enum cs_volatile_buyer)b;
        variant[c->study.variants++].word[0] = cs_volatile_buyer_name((enum cs_volatile_buyer)b);
    }
    c->study.variant = variant;
    c->study.reference = last > first ? CS_VOLATILE_UNIFORM : 0;
}

int cs_volatile_market_open(struct cs_volatile_case *c, struct cs_error *err)
{
    const struct cs_volatile_settings *o = c->settings;
    const struct cs_fleet_options options = {.slot = isnan(o->slot) ? 0 : o->slot,
                                             .components = o->components};
    int count = 0;
    const char *const *path;

    if (check_job(o, err))
        return -1;
    path = cs_volatile_states_paths(o->trace, c->study.arena, &count);
    c->fleet = c->read = cs_fleet_read(path, count, &options, err);
    if (!c->read)
        return -1;
    c->study.topic = CS_VOLATILE_TOPIC_DEADLINE;
    c->markets = CS_NEW(c->study.arena, struct cs_volatile_markets);
    set_job(c);
    set_variants(c);
    return make_markets(c, err);
}

struct cs_volatile_job_facts cs_volatile_market_facts(const struct cs_volatile_case *c)
{
    const struct cs_volatile_markets *m = c->markets;

    return (struct cs_volatile_job_facts){
        .job = m->job,
        .markets = m->markets,
        .tick = c->fleet->slot,
        .history = m->history,
        .prices = m->market[0].spot.price != NULL,
        .late = m->job.work + m->job.change > m->job.deadline,
    };
}

void cs_volatile_market_identify(const struct cs_volatile_case *c, char text[CS_DIGEST_TEXT])
{
    const struct cs_volatile_markets *m = c->markets;
    struct cs_digest digest;

    cs_digest_init(&digest);
    cs_digest_put_text(&digest, "volatile deadline 1");
    cs_digest_put_integer(&digest, m->job.work);
    cs_digest_put_integer(&digest, m->job.deadline);
    cs_digest_put_integer(&digest, m->job.change);
    cs_digest_put_double(&digest, m->job.spot);
    cs_digest_put_double(&digest, m->job.demand);
    for (int z = 0; z < m->markets; z++) {
        const struct cs_volatile_market *spot = &m->market[z].spot;

        cs_digest_put_integer(&digest, spot->ticks);
        for (int64_t t = 0; t < spot->ticks; t++)
            cs_digest_put_integer(&digest, spot->there[t]);
    }
    cs_digest_finish(&digest, text);
}

/* ---- runs ---- */

struct job {
    struct cs_volatile_case *c;
    const struct cs_study_progress *progress;
};

static int market_begin(void *worker, const void *job, struct cs_error *err)
{
    (void)err;
    *(const struct job **)worker = job;
    return 0;
}

static int64_t beginning_of(const struct cs_volatile_markets *m, const struct market *market,
                            uint64_t seed, long run)
{
    struct cs_rng rng;

    cs_rng_init(&rng, seed, PURPOSE, (uint64_t)run);
    return m->history + (int64_t)cs_rng_below(&rng, (uint64_t)(market->spot.ticks - m->history -
                                                               m->job.deadline + 1));
}

static int run_job(void *worker, long run, struct cs_error *err)
{
    struct cs_volatile_case *c = (*(const struct job **)worker)->c;
    const struct cs_volatile_markets *m = c->markets;
    const struct market *market = &m->market[run % m->markets];
    int64_t from = beginning_of(m, market, (uint64_t)c->settings->study.seed, run);
    struct cs_volatile_seen *seen = c->study.outcome;
    struct cs_volatile_purchase best;

    if (cs_volatile_buy(&m->job, &market->spot, from, CS_VOLATILE_CLAIRVOYANT, NULL, &best, NULL,
                        err))
        return -1;
    for (int w = 0; w < c->study.variants; w++) {
        struct cs_volatile_seen *one = &seen[w * c->study.runs + run];

        cs_volatile_buy_with(&m->job, &market->spot, from, m->buyer[w], market->table,
                             market->phases.young, &one->purchase, NULL);
        one->least = best.cost;
    }
    return 0;
}

static void market_show(void *who, long done)
{
    const struct job *job = who;

    if (job->progress)
        job->progress->show(job->progress->who, (double)done * job->c->study.variants);
}

/* The cheapest. */
static void market_remark(struct cs_study *study)
{
    const char **word = CS_NEW_ARRAY(study->arena, const char *, study->variants);
    double *over = CS_NEW_ARRAY(study->arena, double, study->variants), best = INFINITY;

    for (int w = 0; w < study->variants; w++) {
        over[w] = cs_study_compare(study, w, study->reference).over;
        best = fmin(best, over[w]);
    }
    for (int w = 0; w < study->variants; w++)
        word[w] = over[w] <= best ? "best" : "";
    study->remark = word;
}

int cs_volatile_market_run(struct cs_volatile_case *c, const struct cs_study_progress *progress,
                           struct cs_error *err)
{
    struct job job = {c, progress};
    const struct cs_workers share = {
        .runs = c->study.runs,
        .threads = cs_study_threads(&c->study),
        .size = sizeof(const struct job *),
        .job = &job,
        .begin = market_begin,
        .run = run_job,
        .progress = market_show,
        .who = &job,
    };

    if (cs_workers_run(&share, err))
        return -1;
    market_remark(&c->study);
    return 0;
}
