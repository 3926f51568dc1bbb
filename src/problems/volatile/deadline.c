/* deadline.c - runs of one job, tick by tick, and the phases of spot fitted to a trace.
 *
 * Source: spec/volatile.md III.6; `uniform` is Uniform Progress of Wu et al., "Can't Be Late", NSDI
 * 2024, with an exact safety net in place of the paper's.
 * Idea: the policy proposes a mode; a mode after which the job could no longer end in time on
 * demand is replaced by spot (if that is available and safe), else by on demand until the end.
 * Invariants: with work + change <= deadline no run of any policy is late; after a forced change to
 * on demand there is no other change; each tick that is not idle is paid, change-overs included.
 * Complexity: O(ticks of the run); look_back O(ticks before it); the fit O(ticks of the history).
 *
 * Constants (SLACK and MOST_END of III.6; half and double: not measured):
 *   SLACK      1e-9  ticks of work, against rounding in `uniform`
 *   MOST_END   0.9   upper limit of the probability that a phase ends in a tick
 *   MOST_TICKS 1e8   limit of work, deadline and change-over; set by hand
 */
#include "problems/volatile/deadline.h"

#include "base/guard.h"

#include <inttypes.h>
#include <math.h>

#define SLACK 1e-9 /* of work done, against rounding */
#define MOST_END 0.9
#define MOST_TICKS 100000000

const char *cs_volatile_buyer_name(enum cs_volatile_buyer buyer)
{
    CS_ASK((int)buyer >= 0 && buyer < CS_VOLATILE_BUYERS, NULL, NULL);
    static const char *const name[] = {"greedy", "uniform", "table", "clairvoyant"};

    return name[buyer];
}

/* One job under way. */
struct buying {
    const struct cs_volatile_job *job;
    const struct cs_volatile_market *market;
    const struct cs_volatile_table *table;
    enum cs_volatile_buyer buyer;
    struct cs_volatile_spot_view view;
    int64_t from, young, age; /* age: ticks for which spot has been there, or away */
    bool last;                /* on demand to the end */
};

/* Work left after a tick of this choice. */
static int64_t left_after(const struct cs_volatile_spot_view *v, enum cs_volatile_mode choice)
{
    int64_t pending = choice != v->mode ? v->job->change : v->pending;

    return choice == CS_VOLATILE_IDLE || pending > 0 ? v->left : v->left - 1;
}

/* Can the job still end in time on demand? */
static bool deadline_safe(const struct cs_volatile_spot_view *v, enum cs_volatile_mode choice)
{
    int64_t left = left_after(v, choice);

    return left <= 0 || v->job->deadline - v->tick - 1 >= left + v->job->change;
}

static enum cs_volatile_mode deadline_greedy(const struct cs_volatile_spot_view *v)
{
    if (v->mode == CS_VOLATILE_DEMAND)
        return CS_VOLATILE_DEMAND;
    return v->there ? CS_VOLATILE_SPOT : CS_VOLATILE_IDLE;
}

static enum cs_volatile_mode deadline_uniform(const struct cs_volatile_spot_view *v)
{
    double pace = (double)v->job->work / (double)v->job->deadline;
    double done = (double)(v->job->work - v->left), tick = (double)v->tick;

    if (v->there)
        return CS_VOLATILE_SPOT;
    if (v->mode == CS_VOLATILE_DEMAND)
        return done >= pace * (tick + 2 * (double)v->job->change) - SLACK ? CS_VOLATILE_IDLE
                                                                          : CS_VOLATILE_DEMAND;
    return done < pace * tick - SLACK ? CS_VOLATILE_DEMAND : CS_VOLATILE_IDLE;
}

static enum cs_volatile_mode deadline_choose(struct buying *b)
{
    const struct cs_volatile_spot_view *v = &b->view;
    enum cs_volatile_mode choice;

    if (b->last)
        return CS_VOLATILE_DEMAND;
    choice = b->buyer == CS_VOLATILE_GREEDY    ? deadline_greedy(v)
             : b->buyer == CS_VOLATILE_UNIFORM ? deadline_uniform(v)
                                               : cs_volatile_table_choose(b->table, v);
    if (choice == CS_VOLATILE_SPOT && !v->there)
        choice = CS_VOLATILE_IDLE;
    if (choice == CS_VOLATILE_DEMAND || deadline_safe(v, choice))
        return choice;
    if (choice == CS_VOLATILE_IDLE && v->there && deadline_safe(v, CS_VOLATILE_SPOT))
        return CS_VOLATILE_SPOT;
    b->last = true;
    return CS_VOLATILE_DEMAND;
}

static const struct cs_volatile_phases no_phases = {0, NAN, {{NAN, NAN}, {NAN, NAN}}};

static bool is_market(const struct cs_volatile_market *m)
{
    return m && m->ticks >= 0 && (m->there || !m->ticks);
}

static bool there_at(const struct cs_volatile_market *m, int64_t tick)
{
    return tick < m->ticks && m->there[tick];
}

static double price_at(const struct buying *b, int64_t tick)
{
    return b->market->price && tick < b->market->ticks ? b->market->price[tick] : b->job->spot;
}

/* Update the view for the tick that begins. */
static void deadline_inspect(struct buying *b)
{
    struct cs_volatile_spot_view *v = &b->view;
    bool there = there_at(b->market, b->from + v->tick);

    b->age = there == v->there ? b->age + 1 : 1;
    v->there = there;
    v->old = b->age > b->young;
    if (v->mode == CS_VOLATILE_SPOT && !there) {
        v->mode = CS_VOLATILE_IDLE;
        v->pending = 0;
    }
}

static void deadline_take(struct buying *b, enum cs_volatile_mode choice,
                          struct cs_volatile_purchase *p)
{
    struct cs_volatile_spot_view *v = &b->view;

    if (choice == CS_VOLATILE_IDLE) {
        v->pending = 0;
    } else if (choice != v->mode) {
        v->pending = b->job->change;
        p->starts++;
    }
    v->mode = choice;
    if (choice == CS_VOLATILE_IDLE)
        return;
    p->on_spot += choice == CS_VOLATILE_SPOT;
    p->on_demand += choice == CS_VOLATILE_DEMAND;
    p->cost += choice == CS_VOLATILE_SPOT ? price_at(b, b->from + v->tick) : b->job->demand;
    if (v->pending > 0)
        v->pending--;
    else
        v->left--;
}

static void deadline_run(struct buying *b, struct cs_volatile_purchase *p, unsigned char *mode)
{
    struct cs_volatile_spot_view *v = &b->view;

    for (; v->left > 0; v->tick++) {
        enum cs_volatile_mode choice;

        deadline_inspect(b);
        if (b->table && !v->tick)
            p->expected = cs_volatile_table_cost(b->table, 2 * v->there + v->old, CS_VOLATILE_IDLE);
        choice = deadline_choose(b);
        if (mode)
            mode[v->tick] = (unsigned char)choice;
        deadline_take(b, choice, p);
    }
    p->end = v->tick;
    p->late = v->tick > b->job->deadline ? v->tick - b->job->deadline : 0;
}

/* For how long spot has been as it is in the tick before the job. */
static void recheck(struct buying *b)
{
    b->view.there = b->from && there_at(b->market, b->from - 1);
    for (int64_t t = b->from; t > 0 && there_at(b->market, t - 1) == b->view.there; t--)
        b->age++;
}

static int check_job(const struct cs_volatile_job *job, const struct cs_volatile_market *market,
                     int64_t from, struct cs_error *err)
{
    if (job->work < 1 || job->work > MOST_TICKS)
        return cs_error_set(err, "the work is %" PRId64 " ticks, it must be between 1 and %d",
                            job->work, MOST_TICKS);
    if (job->deadline < 1 || job->deadline > MOST_TICKS)
        return cs_error_set(err, "the deadline is %" PRId64 " ticks, it must be between 1 and %d",
                            job->deadline, MOST_TICKS);
    if (job->change < 0 || job->change > MOST_TICKS)
        return cs_error_set(err,
                            "a change-over takes %" PRId64 " ticks, it must be between 0 and %d",
                            job->change, MOST_TICKS);
    if (!(job->spot >= 0 && isfinite(job->spot) && job->demand >= 0 && isfinite(job->demand)))
        return cs_error_set(err, "the prices are %g and %g, they must be finite and at least 0",
                            job->spot, job->demand);
    if (from < 0 || from > market->ticks - job->deadline)
        return cs_error_set(
            err, "the job may take ticks %" PRId64 " to %" PRId64 ", the trace has %" PRId64, from,
            from + job->deadline, market->ticks);
    return 0;
}

void cs_volatile_buy_with(const struct cs_volatile_job *job,
                          const struct cs_volatile_market *market, int64_t from,
                          enum cs_volatile_buyer buyer, const struct cs_volatile_table *table,
                          int64_t young, struct cs_volatile_purchase *purchase, unsigned char *mode)
{
    struct buying b = {.job = job, .market = market, .buyer = buyer, .from = from};

    *purchase = (struct cs_volatile_purchase){.end = -1, .expected = NAN};
    b.view = (struct cs_volatile_spot_view){.job = job, .left = job->work};
    recheck(&b);
    if (buyer == CS_VOLATILE_TABLE) {
        b.young = young;
        b.table = table;
    }
    deadline_run(&b, purchase, mode);
}

int cs_volatile_buy(const struct cs_volatile_job *job, const struct cs_volatile_market *market,
                    int64_t from, enum cs_volatile_buyer buyer,
                    const struct cs_volatile_phases *phases, struct cs_volatile_purchase *purchase,
                    unsigned char *mode, struct cs_error *err)
{
    CS_ASK(job && is_market(market) && from >= 0 && purchase && cs_volatile_buyer_name(buyer) &&
               (buyer != CS_VOLATILE_TABLE || (phases && phases->young >= 1)),
           err, -1);
    CS_GUARD(err, -1);
    const struct cs_volatile_table *table = NULL;
    struct cs_arena *arena;

    if (check_job(job, market, from, err))
        return -1;
    *purchase = (struct cs_volatile_purchase){.end = -1, .expected = NAN};
    if (buyer == CS_VOLATILE_CLAIRVOYANT) {
        purchase->cost = cs_volatile_clairvoyant_cost(job, market, from);
        return 0;
    }
    arena = cs_arena_create();
    if (buyer == CS_VOLATILE_TABLE)
        table = cs_volatile_table_create(job, phases, arena, err);
    if (buyer != CS_VOLATILE_TABLE || table)
        cs_volatile_buy_with(job, market, from, buyer, table, phases ? phases->young : 0, purchase,
                             mode);
    cs_arena_destroy(arena);
    return purchase->end < 0 ? -1 : 0;
}

/* Stretches of spot there ([1]) and away ([0]): how many ended young and old, and their ticks. */
struct lifetimes {
    double ended[2][2], ticks[2][2];
};

static void add_life(struct lifetimes *l, bool there, int64_t length, bool ended, int64_t young)
{
    bool old = length > young;

    l->ended[there][old] += ended;
    l->ticks[there][0] += (double)(old ? young : length);
    l->ticks[there][1] += (double)(old ? length - young : 0);
}

struct cs_volatile_phases cs_volatile_phases_fit(const struct cs_volatile_market *m, int64_t from,
                                                 int64_t to, int64_t young)
{
    struct cs_volatile_phases phases = {.young = young, .grow = 1 / (double)young};
    struct lifetimes l = {0};

    CS_ASK(is_market(m) && from >= 0 && young >= 1, NULL, no_phases);

    for (int64_t t = from, next; t < to; t = next) {
        for (next = t; next < to && there_at(m, next) == there_at(m, t);)
            next++;
        add_life(&l, there_at(m, t), next - t, next < to, young);
    }
    for (int there = 0; there < 2; there++)
        for (int old = 0; old < 2; old++)
            phases.end[there][old] =
                fmin(MOST_END, (0.5 + l.ended[there][old]) / (1 + l.ticks[there][old]));
    return phases;
}
