/* slurm.c - policy `slurm`: event passes in order, and backfill cycles at intervals.
 *
 * Source: spec/replay.md 7.6; Slurm, sched/builtin and sched/backfill.
 *
 * Idea: at each instant at which something happened, the first `queue` jobs start if they fit in
 * pools that are not closed; a job that does not fit closes the pools of its partition.  At
 * multiples of `interval`, if something happened since the last cycle, up to `depth` jobs take the
 * earliest slot: a slot that begins now is a start, one within `window` is reserved for this
 * cycle.
 *
 * Invariants:
 * - Reservations live for one cycle; their ends are cut to multiples of `resolution`, but they
 *   last at least one of these.
 * - `dirty`: something happened since the last cycle, or the last cycle started a job.
 * - If both fall on one instant the event pass comes first, in the same space.
 * - At an instant requested for a cycle, an attempt that continues past its expected end is not an
 *   event.
 *
 * Complexity: event pass at most `queue` searches of the space, cycle at most `depth`.
 *
 * Parameter        | found              | at half, at double
 * interval: 30 s   | spec/replay.md 7.6 | not measured
 * depth: 500 jobs  | spec/replay.md 7.6 | not measured
 * queue: 100 jobs  | spec/replay.md 7.6 | not measured
 * window: 86,400 s | spec/replay.md 7.6 | not measured
 * resolution: 60 s | spec/replay.md 7.6 | not measured
 */
#include "sched/planner.h"

#include <math.h>
#include <string.h>

enum { INTERVAL, DEPTH, QUEUE, WINDOW, RESOLUTION, USER };

struct slurm {
    struct cs_sched_planner planner;
    const double *param;
    bool *closed; /* by pool */
    bool event;   /* something happened at this instant */
    bool dirty;   /* something happened since the last cycle */
    int users;    /* room */
    int *tested;  /* in this cycle, by user */
    double next;
};

static void *slurm_create(const struct cs_sched_instance *in, const double *param,
                          struct cs_arena *arena, struct cs_error *err)
{
    struct slurm *s = CS_NEW(arena, struct slurm);
    double *copy = CS_NEW_ARRAY(arena, double, CS_POLICY_PARAM_MAX);

    (void)err;
    memcpy(copy, param, CS_POLICY_PARAM_MAX * sizeof *copy);
    s->param = copy;
    cs_sched_planner_init(&s->planner, in, arena);
    s->closed = CS_NEW_ARRAY(arena, bool, s->planner.space.pools);
    return s;
}

static void slurm_begin(void *state)
{
    struct slurm *s = state;

    s->event = true;
    s->dirty = false;
    s->next = INFINITY;
    cs_sched_planner_fill(s);
}

static void slurm_waits(void *state, int ticket)
{
    ((struct slurm *)state)->event = true;
    cs_sched_planner_add(state, ticket);
}

static void slurm_withdrawn(void *state, int ticket)
{
    ((struct slurm *)state)->event = true;
    cs_sched_planner_withdraw(state, ticket);
}

static void slurm_succeeded(void *state, int ticket)
{
    (void)ticket;
    ((struct slurm *)state)->event = true;
}

static void off_plan(void *state, enum cs_sched_surprise surprise)
{
    ((struct slurm *)state)->event |= surprise == CS_SCHED_EARLY;
}

static void event_pass(struct slurm *s)
{
    struct cs_sched_planner *p = &s->planner;
    double left = s->param[QUEUE];

    memset(s->closed, 0, (size_t)p->space.pools * sizeof *s->closed);
    for (int k = 0; k < p->waiting && left > 0; k++) {
        int ticket = p->line[k];

        if (!cs_sched_planner_admits(p, ticket))
            continue;
        left--;
        if (!cs_sched_planner_try(p, k, s->closed))
            cs_sched_planner_close(p, ticket, s->closed);
    }
}

/* May one more job of this user be tested in this cycle?  It is counted. */
static bool count_user(struct slurm *s, int ticket)
{
    const struct cs_sched_instance *in = s->planner.in;
    int user = in->request ? in->request[ticket].user : -1;

    if (s->param[USER] == 0 || user < 0)
        return true;
    if (user >= s->users) {
        size_t old = (size_t)s->users;

        s->users = 2 * user + 16;
        s->tested =
            cs_arena_grow(s->planner.arena, s->tested, old, (size_t)s->users, sizeof *s->tested);
    }
    return ++s->tested[user] <= s->param[USER];
}

/* Reserve from `start` on, for whole steps of the resolution. */
static void slurm_reserve(struct slurm *s, int ticket, double start)
{
    struct cs_sched_planner *p = &s->planner;
    double step = s->param[RESOLUTION];
    double end = floor(cs_sched_end(p->in, ticket, start) / step) * step;

    end = fmax(start + step, end);
    cs_sched_availability_take(&p->space, ticket, cs_sched_planner_hold(p, ticket), start,
                               end > start ? end : cs_sched_plan_end(p->in, ticket, start));
}

static void slurm_backfill(struct slurm *s)
{
    struct cs_sched_planner *p = &s->planner;
    double left = s->param[DEPTH];

    if (s->tested)
        memset(s->tested, 0, (size_t)s->users * sizeof *s->tested);
    for (int k = 0; k < p->waiting && left > 0; k++) {
        int ticket = p->line[k];
        double start;

        if (ticket < 0 || !cs_sched_planner_admits(p, ticket) || !count_user(s, ticket))
            continue;
        left--;
        start = cs_sched_availability_earliest(&p->space, ticket, cs_sched_planner_hold(p, ticket));
        if (start == p->now)
            cs_sched_planner_start(p, k);
        else if (start <= p->now + s->param[WINDOW])
            slurm_reserve(s, ticket, start);
    }
}

/* How many cycles there have been by now: a quotient may fall short of what was multiplied. */
static double cycles_by(const struct slurm *s, double now)
{
    double count = floor(now / s->param[INTERVAL]);

    return (count + 1) * s->param[INTERVAL] <= now ? count + 1 : count;
}

static bool is_cycle(const struct slurm *s, double now)
{
    return now == s->next || cycles_by(s, now) * s->param[INTERVAL] == now;
}

/* The next cycle; an interval below the resolution of the clock becomes the shortest possible. */
static double next_cycle(const struct slurm *s, double now)
{
    double next = (cycles_by(s, now) + 1) * s->param[INTERVAL];

    return next > now && next < INFINITY ? next : nextafter(now, INFINITY);
}

static int slurm_decide(void *state, const struct cs_sched_view *view, int *start)
{
    struct slurm *s = state;
    struct cs_sched_planner *p = &s->planner;
    bool event = s->event || (view->changed && view->now != s->next);
    bool cycle = p->waiting && is_cycle(s, view->now) && (event || s->dirty);

    s->event = false;
    s->dirty |= event;
    s->next = INFINITY;
    if (!p->waiting)
        return 0;
    cs_sched_planner_begin(p, view, start);
    if (event)
        event_pass(s);
    if (cycle && p->starts < p->waiting) {
        int before = p->starts;

        slurm_backfill(s);
        s->dirty = p->starts > before;
    }
    cs_sched_planner_end(p);
    if (p->waiting && s->dirty)
        s->next = next_cycle(s, view->now);
    return p->starts;
}

static double slurm_wake(void *state)
{
    return ((struct slurm *)state)->next;
}

static const struct cs_sched_policy *slurm_choose(const struct cs_sched_instance *in,
                                                  const double *param)
{
    (void)in;
    (void)param;
    return NULL;
}

static const struct cs_policy_param params[] = {
    {
        .name = "interval",
        .kind = CS_POLICY_PARAM_REAL,
        .default_text = "30",
        .low = 0,
        .high = INFINITY,
        .open = true,
        .summary = "seconds between backfill cycles",
    },
    {
        .name = "depth",
        .kind = CS_POLICY_PARAM_INTEGER,
        .default_text = "500",
        .low = 0,
        .high = 1000000000,
        .summary = "jobs that a cycle looks at",
    },
    {
        .name = "queue",
        .kind = CS_POLICY_PARAM_INTEGER,
        .default_text = "100",
        .low = 0,
        .high = 1000000000,
        .summary = "jobs that are looked at when something happens",
    },
    {
        .name = "window",
        .kind = CS_POLICY_PARAM_REAL,
        .default_text = "86400",
        .low = 0,
        .high = INFINITY,
        .summary = "seconds from now in which a cycle makes reservations",
    },
    {
        .name = "resolution",
        .kind = CS_POLICY_PARAM_REAL,
        .default_text = "60",
        .low = 0,
        .high = INFINITY,
        .open = true,
        .summary = "seconds to which the ends of reservations are cut",
    },
    {
        .name = "user",
        .kind = CS_POLICY_PARAM_INTEGER,
        .default_text = "0",
        .low = 0,
        .high = 1000000000,
        .summary = "jobs of a user that a cycle looks at; 0: no limit",
    },
    {0},
};

const struct cs_sched_policy cs_sched_policy_slurm = {
    .info =
        {
            .name = "slurm",
            .problem = "rigid",
            .summary = "Slurm's passes: in order at each event, backfilling at intervals",
            .source = "Slurm, sched/builtin and sched/backfill",
            .params = params,
        },
    .choose = slurm_choose,
    .create = slurm_create,
    .begin = slurm_begin,
    .arrived = slurm_waits,
    .failed = slurm_waits,
    .succeeded = slurm_succeeded,
    .withdrawn = slurm_withdrawn,
    .off_plan = off_plan,
    .reranked = cs_sched_planner_rerank,
    .decide = slurm_decide,
    .wake = slurm_wake,
};
