/* arrivals_queue.c - a list that is linked in the order of the queue. */
#include "base/arena.h"
#include "check/arrivals_state.h"
#include "check/jobs.h"
#include "check/report.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The allocation of a job: units of each pool of its partition, in their order. */
struct cs_check_hold {
    double start, end;
    int *units;
    int64_t *types; /* of a job that takes any type: of each pool, of each resource; or NULL */
};

/* From time[i] on, until the next step or for ever, free[i][r] is free; may be negative. */
struct cs_check_steps {
    int count, room;
    double *time;
    int64_t (*free)[CS_LOG_RESOURCES];
};

struct cs_check_plan {
    const struct cs_site *site;
    struct cs_arena *arena;
    struct cs_check_steps *pool;
    int spares, spare_room;
    int64_t **spare; /* types of holds that no job has any more */
};

struct cs_check_queue {
    const struct cs_check_arrivals_state *s;
    struct cs_check_plan plan;
    struct cs_check_hold *hold;   /* of each job; units NULL: none yet */
    int *place, *next, *previous; /* of each job; the last of both is the anchor */
    int arrived;                  /* jobs so far */
    int running, *run;            /* jobs, in any order */
    int spares, **spare;          /* unused units of holds */
    int64_t *user_jobs, *user_procs;
    bool *known; /* of each outage: it is in the plan */
    int *times;  /* of each job: how often its expected end was extended */
};

/* arrays of steps, looked at from one end to the other. */

typedef const struct cs_check_arrivals_job *job_at;

static void check_plan_init(struct cs_check_plan *plan, const struct cs_site *site, double from,
                            struct cs_arena *arena)
{
    *plan = (struct cs_check_plan){
        .site = site,
        .arena = arena,
        .pool = CS_NEW_ARRAY(arena, struct cs_check_steps, site->pools),
    };
    for (int p = 0; p < site->pools; p++) {
        struct cs_check_steps *steps = &plan->pool[p];

        steps->count = 1;
        steps->room = 16;
        steps->time = CS_NEW_ARRAY(arena, double, steps->room);
        steps->free = cs_arena_alloc(arena, (size_t)steps->room, sizeof *steps->free);
        steps->time[0] = from;
        memcpy(steps->free[0], site->pool[p].capacity, sizeof steps->free[0]);
    }
}

/* The step in which that time lies. */
static int step_at(const struct cs_check_steps *steps, double time)
{
    int low = 0, high = steps->count;

    while (high - low > 1) {
        const int middle = low + (high - low) / 2;

        if (steps->time[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Make that time the beginning of a step; which one it is. */
static int arrivals_queue_split(struct cs_check_plan *plan, struct cs_check_steps *steps,
                                double time)
{
    const int at = step_at(steps, time);
    const size_t behind = (size_t)(steps->count - at);

    if (steps->time[at] >= time)
        return at;
    if (steps->count == steps->room) {
        const size_t old = (size_t)steps->room;

        steps->room *= 2;
        steps->time =
            cs_arena_grow(plan->arena, steps->time, old, (size_t)steps->room, sizeof *steps->time);
        steps->free =
            cs_arena_grow(plan->arena, steps->free, old, (size_t)steps->room, sizeof *steps->free);
    }
    memmove(&steps->time[at + 1], &steps->time[at], behind * sizeof *steps->time);
    memmove(&steps->free[at + 1], &steps->free[at], behind * sizeof *steps->free);
    steps->time[at + 1] = time;
    steps->count++;
    return at + 1;
}

static void arrivals_queue_add(struct cs_check_plan *plan, int pool, double start, double end,
                               const int64_t amount[CS_LOG_RESOURCES], int64_t times)
{
    struct cs_check_steps *steps = &plan->pool[pool];
    const int first = arrivals_queue_split(plan, steps, start);
    const int behind = isinf(end) ? steps->count : arrivals_queue_split(plan, steps, end);

    for (int i = first; i < behind; i++)
        for (int r = 0; r < plan->site->resources; r++)
            steps->free[i][r] += times * amount[r];
}

/* Discard the plan before this time. */
static void check_plan_discard(struct cs_check_plan *plan, double before)
{
    for (int p = 0; p < plan->site->pools; p++) {
        struct cs_check_steps *steps = &plan->pool[p];
        int kept = 0;

        for (int i = step_at(steps, before); i < steps->count; i++) {
            if (kept && !memcmp(steps->free[kept - 1], steps->free[i], sizeof steps->free[i]))
                continue;
            steps->time[kept] = steps->time[i];
            memmove(steps->free[kept++], steps->free[i], sizeof steps->free[i]);
        }
        steps->count = kept;
    }
}

/* In [start, end) so many units of the group's first resource are away. */
static void check_plan_away(struct cs_check_plan *plan, const struct cs_site_outage *outage,
                            double start)
{
    const struct cs_site *site = plan->site;
    const int nodes = site->kind == CS_SITE_PACKED ? 1 : site->group[outage->group].nodes;
    int64_t node[CS_LOG_RESOURCES];

    for (int p = 0; p < site->pools; p++) {
        if (site->pool[p].group != outage->group || !(start < outage->end))
            continue;
        for (int r = 0; r < CS_LOG_RESOURCES; r++)
            node[r] = site->pool[p].capacity[r] / nodes;
        arrivals_queue_add(plan, p, start, outage->end, node, -outage->count);
    }
}

/* ---- where a job fits ---- */

static bool takes_any(const struct cs_check_plan *plan, job_at job)
{
    for (int d = plan->site->resources; d < plan->site->demands; d++)
        if (job->demand[d] > 0)
            return true;
    return false;
}

/* A whole node gives its generic resources to one job: it has to have all that a share wants. */
static bool is_equipped(const struct cs_check_plan *plan, int pool, job_at job)
{
    const int64_t *has = plan->site->pool[pool].capacity;

    if (plan->site->kind != CS_SITE_NODES)
        return true;
    for (int d = 2; d < plan->site->demands; d++) {
        int64_t all = d < plan->site->resources ? has[d] : 0;

        for (int r = 2; r < plan->site->resources; r++)
            all += d >= plan->site->resources && plan->site->any[r] == d ? has[r] : 0;
        if (job->demand[d] > 0 && all < job->demand[d] * has[0])
            return false;
    }
    return true;
}

/* Units that a step has for it. */
static int64_t arrivals_queue_has(const struct cs_check_steps *steps, int step, job_at job)
{
    int64_t least = INT64_MAX;

    for (int r = 0; r < CS_LOG_RESOURCES; r++)
        if (job->demand[r] > 0) {
            const int64_t units =
                steps->free[step][r] > 0 ? steps->free[step][r] / job->demand[r] : 0;

            least = units < least ? units : least;
        }
    return least;
}

/* The amount of a resource that stays free in all of [start, end). */
static int64_t stays_free(const struct cs_check_steps *steps, int resource, double start,
                          double end)
{
    int64_t least = INT64_MAX;

    for (int i = step_at(steps, start); i < steps->count && steps->time[i] < end; i++)
        if (steps->free[i][resource] < least)
            least = steps->free[i][resource];
    return least > 0 ? least : 0;
}

/* The same as offer() for a job that takes any type: each one it has, it has to the end. */
static int64_t offer_of_types(const struct cs_check_plan *plan, int pool, job_at job, double start,
                              double end)
{
    const struct cs_site *site = plan->site;
    int64_t least = site->pool[pool].most;

    for (int d = 0; d < site->demands; d++) {
        int64_t sum = 0;

        if (job->demand[d] <= 0)
            continue;
        for (int r = 0; r < site->resources; r++)
            if (r == d || (d >= site->resources && site->any[r] == d))
                sum += stays_free(&plan->pool[pool], r, start, end);
        if (sum / job->demand[d] < least)
            least = sum / job->demand[d];
    }
    return least;
}

static int64_t arrivals_queue_offer(const struct cs_check_plan *plan, int pool, job_at job,
                                    double start, double end)
{
    const struct cs_check_steps *steps = &plan->pool[pool];
    int64_t least = plan->site->pool[pool].most;

    if (!is_equipped(plan, pool, job))
        return 0;
    if (takes_any(plan, job))
        return offer_of_types(plan, pool, job, start, end);
    for (int i = step_at(steps, start); i < steps->count && steps->time[i] < end && least; i++) {
        const int64_t units = arrivals_queue_has(steps, i, job);

        least = units < least ? units : least;
    }
    return least;
}

/* Which types a pool gives to so many units: those that its nodes list first, as long as there are
 * any; what lacks is laid on the first. */
static void list_types(const struct cs_check_plan *plan, int pool, job_at job,
                       const struct cs_check_hold *hold, int units, int64_t *types)
{
    const struct cs_site *site = plan->site;
    const struct cs_site_group *group = &site->group[site->pool[pool].group];

    for (int r = 0; r < site->resources; r++)
        types[r] = job->demand[r] * units;
    for (int d = site->resources; d < site->demands; d++) {
        int64_t wanted = job->demand[d] * units;
        int first = -1;

        for (int i = 0; i < group->gres && wanted > 0; i++) {
            const int r = 2 + group->gres_list[i].kind;
            int64_t free;

            if (site->any[r] != d)
                continue;
            first = first < 0 ? r : first;
            free = stays_free(&plan->pool[pool], r, hold->start, hold->end) - types[r];
            free = free < 0 ? 0 : free;
            types[r] += free < wanted ? free : wanted;
            wanted -= free < wanted ? free : wanted;
        }
        if (first >= 0)
            types[first] += wanted;
    }
}

/* The hold is over: its types may serve another one. */
static void check_plan_release(struct cs_check_plan *plan, struct cs_check_hold *hold)
{
    if (!hold->types)
        return;
    if (plan->spares == plan->spare_room) {
        plan->spare_room = 2 * plan->spare_room + 16;
        plan->spare = cs_arena_grow(plan->arena, plan->spare, (size_t)plan->spares,
                                    (size_t)plan->spare_room, sizeof *plan->spare);
    }
    plan->spare[plan->spares++] = hold->types;
    hold->types = NULL;
}

static void choose_types(struct cs_check_plan *plan, job_at job, struct cs_check_hold *hold)
{
    const struct cs_site_partition *partition = &plan->site->partition[job->partition];
    const size_t width = (size_t)plan->site->resources;

    if (!takes_any(plan, job))
        return;
    if (!hold->types)
        hold->types = plan->spares
                          ? plan->spare[--plan->spares]
                          : CS_NEW_ARRAY(plan->arena, int64_t, (size_t)plan->site->pools * width);
    for (int p = 0; p < partition->pools; p++)
        list_types(plan, partition->pool[p], job, hold, hold->units[p],
                   &hold->types[(size_t)p * width]);
}

/* Could the job run for its estimate from `start` on? The hold is its allocation; if it does not
 * fit, the rest is put on its first pool. */
static bool check_plan_fits(struct cs_check_plan *plan, job_at job, double start,
                            struct cs_check_hold *hold)
{
    const struct cs_site_partition *partition = &plan->site->partition[job->partition];
    int64_t wanted = job->units;

    hold->start = start;
    hold->end = start + job->estimate;
    for (int p = 0; p < partition->pools; p++) {
        const int64_t most =
            wanted ? arrivals_queue_offer(plan, partition->pool[p], job, start, hold->end) : 0;

        hold->units[p] = (int)(most < wanted ? most : wanted);
        wanted -= hold->units[p];
    }
    hold->units[0] += (int)wanted;
    choose_types(plan, job, hold);
    return wanted == 0;
}

/* The first step that begins after this time; INFINITY: none. */
static double next_step(const struct cs_check_plan *plan, job_at job, double after)
{
    const struct cs_site_partition *partition = &plan->site->partition[job->partition];
    double next = INFINITY;

    for (int p = 0; p < partition->pools; p++) {
        const struct cs_check_steps *steps = &plan->pool[partition->pool[p]];
        int i = step_at(steps, after);

        while (i < steps->count && steps->time[i] <= after)
            i++;
        if (i < steps->count)
            next = fmin(next, steps->time[i]);
    }
    return next;
}

/* With one pool: when the last step of a window that has too little is over. */
static double behind_narrow(const struct cs_check_plan *plan, job_at job, double start)
{
    const struct cs_check_steps *steps = &plan->pool[plan->site->partition[job->partition].pool[0]];
    const double end = start + job->estimate;
    double behind = INFINITY;
    int i = step_at(steps, start);

    for (; i < steps->count && steps->time[i] < end; i++)
        if (arrivals_queue_has(steps, i, job) < job->units)
            behind = i + 1 < steps->count ? steps->time[i + 1] : INFINITY;
    return behind;
}

/* The earliest start from `from` on, and its allocation; INFINITY: none. */
static double check_plan_earliest(struct cs_check_plan *plan, job_at job, double from,
                                  struct cs_check_hold *hold)
{
    const bool one = plan->site->partition[job->partition].pools == 1 && !takes_any(plan, job);
    double start = from;

    while (isfinite(start) && !check_plan_fits(plan, job, start, hold))
        start = one ? behind_narrow(plan, job, start) : next_step(plan, job, start);
    if (!isfinite(start))
        hold->start = hold->end = INFINITY;
    return start;
}

/* From `from` on, if the hold lasts so long, the job has it, or gives it back (sign -1, 1). */
static void check_plan_change(struct cs_check_plan *plan, job_at job,
                              const struct cs_check_hold *hold, double from, int sign)
{
    const struct cs_site_partition *partition = &plan->site->partition[job->partition];
    const double start = fmax(from, hold->start);

    for (int p = 0; start < hold->end && p < partition->pools; p++)
        if (hold->units[p] && takes_any(plan, job))
            arrivals_queue_add(plan, partition->pool[p], start, hold->end,
                               &hold->types[(size_t)p * (size_t)plan->site->resources], sign);
        else if (hold->units[p])
            arrivals_queue_add(plan, partition->pool[p], start, hold->end, job->demand,
                               sign * hold->units[p]);
}

int cs_check_arrivals_users(const struct cs_check_arrivals *what)
{
    int users = 0;

    for (int j = 0; j < what->jobs; j++)
        if (what->job[j].user >= users)
            users = what->job[j].user + 1;
    return users;
}

static void check_queue_init(struct cs_check_queue *q, const struct cs_check_arrivals_state *s)
{
    const struct cs_check_arrivals *what = s->what;
    const int users = cs_check_arrivals_users(what), anchor = what->jobs;

    *q = (struct cs_check_queue){
        .s = s,
        .hold = CS_NEW_ARRAY(s->arena, struct cs_check_hold, what->jobs),
        .place = CS_NEW_ARRAY(s->arena, int, what->jobs),
        .next = CS_NEW_ARRAY(s->arena, int, what->jobs + 1),
        .previous = CS_NEW_ARRAY(s->arena, int, what->jobs + 1),
        .run = CS_NEW_ARRAY(s->arena, int, what->jobs),
        .spare = CS_NEW_ARRAY(s->arena, int *, what->jobs),
        .user_jobs = CS_NEW_ARRAY(s->arena, int64_t, users),
        .user_procs = CS_NEW_ARRAY(s->arena, int64_t, users),
        .known = CS_NEW_ARRAY(s->arena, bool, what->outages),
        .times = CS_NEW_ARRAY(s->arena, int, what->jobs),
    };
    for (int k = 0; k < what->jobs; k++)
        q->place[s->line[k]] = k;
    q->next[anchor] = q->previous[anchor] = anchor;
    check_plan_init(&q->plan, what->site, what->jobs ? what->job[0].submit : 0, s->arena);
}

static void arrivals_queue_join(struct cs_check_queue *q, int job)
{
    const int anchor = q->s->what->jobs;
    int ahead = q->previous[anchor];

    while (ahead != anchor && q->place[ahead] > q->place[job])
        ahead = q->previous[ahead];
    q->previous[job] = ahead;
    q->next[job] = q->next[ahead];
    q->previous[q->next[job]] = job;
    q->next[ahead] = job;
}

/* The next arrival; INFINITY: none. */
static double check_queue_next_arrival(const struct cs_check_queue *q)
{
    return q->arrived < q->s->what->jobs ? q->s->what->job[q->arrived].submit : INFINITY;
}

/* Jobs that have arrived by then join the queue. */
static void check_queue_arrive(struct cs_check_queue *q, double now)
{
    for (; check_queue_next_arrival(q) <= now; q->arrived++)
        arrivals_queue_join(q, q->arrived);
}

/* When it is known. */
static double arrivals_queue_news(const struct cs_site_outage *outage)
{
    return outage->kind == CS_SITE_MAINTENANCE ? fmin(outage->announced, outage->start)
                                               : outage->start;
}

/* The plan loses what is known by then to go away. */
static void check_queue_outages(struct cs_check_queue *q, double now)
{
    const struct cs_check_arrivals *what = q->s->what;

    for (int o = 0; o < what->outages; o++)
        if (!q->known[o] && arrivals_queue_news(&what->outage[o]) <= now) {
            q->known[o] = true;
            check_plan_away(&q->plan, &what->outage[o], fmax(what->outage[o].start, now));
        }
}

/* The next time after `now` at which an outage begins, ends or is announced; INFINITY: none. */
static double check_queue_next_outage(const struct cs_check_queue *q, double now)
{
    const struct cs_check_arrivals *what = q->s->what;
    double next = INFINITY;

    for (int o = 0; o < what->outages; o++) {
        const double time[] = {arrivals_queue_news(&what->outage[o]), what->outage[o].start,
                               what->outage[o].end};

        for (int i = 0; i < 3; i++)
            if (time[i] > now)
                next = fmin(next, time[i]);
    }
    return next;
}

/* The job leaves the line and runs with its hold, which is in the plan. */
static void check_queue_start(struct cs_check_queue *q, int job)
{
    q->next[q->previous[job]] = q->next[job];
    q->previous[q->next[job]] = q->previous[job];
    q->run[q->running++] = job;
}

static double arrivals_queue_end_of(const struct cs_check_queue *q, int job)
{
    return q->hold[job].start + q->s->what->job[job].seconds;
}

static double check_queue_next_end(const struct cs_check_queue *q)
{
    double next = INFINITY;

    for (int i = 0; i < q->running; i++)
        next = fmin(next, arrivals_queue_end_of(q, q->run[i]));
    return next;
}

static void check_queue_count(struct cs_check_queue *q, int job, int sign);

/* Jobs that end by `now` release their allocation; true: one ended before its expected end. */
static bool check_queue_end(struct cs_check_queue *q, double now)
{
    bool early = false;
    int kept = 0;

    for (int i = 0; i < q->running; i++) {
        const int job = q->run[i];

        if (arrivals_queue_end_of(q, job) > now) {
            q->run[kept++] = job;
            continue;
        }
        early |= q->hold[job].end > now;
        check_plan_change(&q->plan, &q->s->what->job[job], &q->hold[job], now, 1);
        check_queue_count(q, job, -1);
        check_plan_release(&q->plan, &q->hold[job]);
        q->spare[q->spares++] = q->hold[job].units;
        q->hold[job].units = NULL;
    }
    q->running = kept;
    return early;
}

/* The k-th extension of a job, not beyond its request while that is to come (spec replay 6.2). */
static double extended_end(const struct cs_check_queue *q, int job, double now)
{
    static const double more[] = {60,    300,   900,   1800,   3600,  7200,
                                  18000, 36000, 72000, 180000, 360000};
    const int last = (int)(sizeof more / sizeof *more) - 1, time = q->times[job];
    const double latest = q->hold[job].start + q->s->what->job[job].estimate;
    double end = now + more[time < last ? time : last];

    end = end > now ? end : nextafter(now, INFINITY);
    return latest > now ? fmin(end, latest) : end;
}

/* Expected ends that come while the job runs are extended.  The next such end; INFINITY: none. */
static void check_queue_extend(struct cs_check_queue *q, double now)
{
    for (int i = 0; i < q->running && q->s->what->extend; i++) {
        struct cs_check_hold *hold = &q->hold[q->run[i]];

        if (hold->end > now)
            continue;
        hold->end = extended_end(q, q->run[i], now);
        q->times[q->run[i]]++;
        check_plan_change(&q->plan, &q->s->what->job[q->run[i]], hold, now, -1);
    }
}

static double check_queue_next_late(const struct cs_check_queue *q)
{
    double next = INFINITY;

    for (int i = 0; i < q->running && q->s->what->extend; i++)
        if (q->hold[q->run[i]].end < arrivals_queue_end_of(q, q->run[i]))
            next = fmin(next, q->hold[q->run[i]].end);
    return next;
}

/* One more job of this one's user would be too many. */
static bool check_queue_over_limit(const struct cs_check_queue *q, int job)
{
    const struct cs_check_arrivals *what = q->s->what;
    const int user = what->job[job].user;

    return user >= 0 &&
           ((what->user_jobs && q->user_jobs[user] >= what->user_jobs) ||
            (what->user_procs && q->user_procs[user] + what->job[job].procs > what->user_procs));
}

static void check_queue_count(struct cs_check_queue *q, int job, int sign)
{
    const struct cs_check_arrivals_job *j = &q->s->what->job[job];

    if (j->user < 0)
        return;
    q->user_jobs[j->user] += sign;
    q->user_procs[j->user] += sign * j->procs;
}

/* Room for what the job takes. */
static struct cs_check_hold *check_queue_hold(struct cs_check_queue *q, int job)
{
    if (!q->hold[job].units)
        q->hold[job].units = q->spares ? q->spare[--q->spares]
                                       : CS_NEW_ARRAY(q->s->arena, int, q->s->what->site->pools);
    return &q->hold[job];
}

/* Textbook conservative backfilling, recomputed: promise and start of every job,
 * independent of the table. */

struct exact {
    struct cs_check_queue q;
    bool *reserved;
    double *promise; /* NaN: none yet */
    struct cs_check_hold trial;
    double now;
};

static const struct cs_check_arrivals_job *arrivals_exact_job_at(const struct exact *e, int job)
{
    return &e->q.s->what->job[job];
}

static void arrivals_exact_take(struct exact *e, int job, int sign)
{
    check_plan_change(&e->q.plan, arrivals_exact_job_at(e, job), &e->q.hold[job], e->now, -sign);
}

/* Its reservation as early as can be. */
static void move_to_earliest(struct exact *e, int job)
{
    arrivals_exact_take(e, job, -1);
    check_plan_earliest(&e->q.plan, arrivals_exact_job_at(e, job), e->now, &e->q.hold[job]);
    arrivals_exact_take(e, job, 1);
}

/* To now if it fits, else it stays. */
static void move_to_now(struct exact *e, int job)
{
    arrivals_exact_take(e, job, -1);
    if (check_plan_fits(&e->q.plan, arrivals_exact_job_at(e, job), e->now, &e->trial)) {
        const struct cs_check_hold old = e->q.hold[job];

        e->q.hold[job] = e->trial;
        e->trial = old;
    }
    arrivals_exact_take(e, job, 1);
}

static void arrivals_exact_compress(struct exact *e)
{
    const int64_t first = e->q.s->what->compress;
    const int anchor = e->q.s->what->jobs;
    int64_t k = 0;

    for (int job = e->q.next[anchor]; job != anchor && first >= 0; job = e->q.next[job]) {
        if (!e->reserved[job])
            continue;
        if (e->q.hold[job].start > e->now)
            (k < first ? move_to_earliest : move_to_now)(e, job);
        k++;
    }
}

static void arrivals_exact_reserve(struct exact *e)
{
    const int anchor = e->q.s->what->jobs;

    for (int job = e->q.next[anchor]; job != anchor; job = e->q.next[job]) {
        if (e->reserved[job] || check_queue_over_limit(&e->q, job))
            continue;
        e->promise[job] = check_plan_earliest(&e->q.plan, arrivals_exact_job_at(e, job), e->now,
                                              check_queue_hold(&e->q, job));
        e->reserved[job] = true;
        check_queue_count(&e->q, job, 1);
        arrivals_exact_take(e, job, 1);
    }
}

/* Start the jobs that are due; return the next start. */
static double arrivals_exact_start(struct exact *e)
{
    const int anchor = e->q.s->what->jobs;
    double next = INFINITY;

    for (int job = e->q.next[anchor], behind; job != anchor; job = behind) {
        behind = e->q.next[job];
        if (!e->reserved[job])
            continue;
        if (e->q.hold[job].start <= e->now)
            check_queue_start(&e->q, job);
        else
            next = fmin(next, e->q.hold[job].start);
    }
    return next;
}

static double play_instant(struct exact *e)
{
    bool early = check_queue_end(&e->q, e->now);

    check_plan_discard(&e->q.plan, e->now);
    for (int o = 0; o < e->q.s->what->outages; o++)
        early |= e->q.s->what->outage[o].end == e->now;
    check_queue_outages(&e->q, e->now);
    check_queue_arrive(&e->q, e->now);
    if (early)
        arrivals_exact_compress(e);
    arrivals_exact_reserve(e);
    return arrivals_exact_start(e);
}

static void compare(const struct exact *e)
{
    const struct cs_check_arrivals *what = e->q.s->what;

    for (int j = 0; j < what->jobs; j++) {
        const int r = e->q.s->row[j];

        if (r < 0)
            continue;
        if (!(fabs(what->row[r].promise - e->promise[j]) <= what->tolerance))
            cs_check_add(e->q.s->report, CS_VIOLATION_RESERVATION, j, what->row[r].promise,
                         "job %s was promised %.15g s, the textbook promises %.15g s",
                         what->job[j].name, what->row[r].promise, e->promise[j]);
        else if (fabs(what->row[r].start - e->q.hold[j].start) > what->tolerance)
            cs_check_add(e->q.s->report, CS_VIOLATION_RESERVATION, j, what->row[r].start,
                         "job %s starts at %.15g s, by the textbook it starts at %.15g s",
                         what->job[j].name, what->row[r].start, e->q.hold[j].start);
    }
}

/* Why the promises cannot be worked out, or NULL. */
static const char *arrivals_exact_obstacle(const struct cs_check_arrivals *what)
{
    for (int o = 0; o < what->outages; o++)
        if (what->outage[o].kind != CS_SITE_MAINTENANCE ||
            what->outage[o].announced > what->job[0].submit)
            return "an unplanned outage makes all promises void: they were not computed again";
    for (int j = 0; j < what->jobs && what->extend; j++)
        if (what->job[j].seconds > what->job[j].estimate)
            return "jobs outlive their requests, which makes promises void: they were not computed "
                   "again";
    if (what->outages && what->site->kind == CS_SITE_PACKED)
        return "which nodes go away is not known: promises were not worked out again";
    return NULL;
}

void cs_check_arrivals_exact(const struct cs_check_arrivals_state *s)
{
    struct exact e = {.now = -INFINITY};
    double next = INFINITY;

    if (s->what->jobs == 0)
        return;
    if (arrivals_exact_obstacle(s->what)) {
        cs_check_lack(s->report, arrivals_exact_obstacle(s->what));
        return;
    }
    check_queue_init(&e.q, s);
    e.reserved = CS_NEW_ARRAY(s->arena, bool, s->what->jobs);
    e.promise = CS_NEW_ARRAY(s->arena, double, s->what->jobs);
    e.trial.units = CS_NEW_ARRAY(s->arena, int, s->what->site->pools);
    for (int j = 0; j < s->what->jobs; j++)
        e.promise[j] = NAN;
    for (;;) {
        const double ends = fmin(check_queue_next_end(&e.q), next);
        const double comes = check_queue_next_arrival(&e.q);

        if (isinf(ends) && isinf(comes) && e.q.next[s->what->jobs] == s->what->jobs)
            break;
        e.now = fmin(fmin(ends, comes), check_queue_next_outage(&e.q, e.now));
        if (isinf(e.now))
            break;
        next = play_instant(&e);
    }
    compare(&e);
}

/* Does a table of jobs keep the reservations of EASY on the pools of a site?
 *
 * The table is replayed, time by time. Every job ahead of the first waiting job of its partition
 * starts, or is that job; their possible resources are reserved in the order of the queue, and jobs
 * that start behind them must fit in the rest.
 */

struct easy {
    struct cs_check_queue q;
    bool *reported; /* of each job: a missing start was reported */
    int *head;      /* of each partition at this instant: the job, -1 for none yet */
    int heads;      /* partitions that have one */
    int *by_start;  /* jobs, by start, then place in the line */
    int next_start; /* in it */
    double now;
};

static const struct cs_check_arrivals_job *arrivals_easy_job_at(const struct easy *e, int job)
{
    return &e->q.s->what->job[job];
}

static double start_of(const struct easy *e, int job)
{
    return e->q.s->what->row[e->q.s->row[job]].start;
}

static void set_background(struct easy *e, int job, int sign)
{
    check_plan_change(&e->q.plan, arrivals_easy_job_at(e, job), &e->q.hold[job], e->now, -sign);
}

static void arrivals_easy_start(struct easy *e, int job, bool behind)
{
    const struct cs_check_arrivals_job *j = arrivals_easy_job_at(e, job);
    const int first = e->head[j->partition];

    if (!check_plan_fits(&e->q.plan, j, e->now, check_queue_hold(&e->q, job)) && behind)
        cs_check_add(e->q.s->report, CS_VIOLATION_RESERVATION, job, e->now,
                     "job %s starts at %.15g s and is to end at %.15g s: it delays a job that is "
                     "first in line, as job %s, which could start at %.15g s",
                     j->name, e->now, e->q.hold[job].end, arrivals_easy_job_at(e, first)->name,
                     e->q.hold[first].start);
    set_background(e, job, 1);
    check_queue_count(&e->q, job, 1);
    check_queue_start(&e->q, job);
}

/* The first in line of its partition, which does not start. */
static void wait_first(struct easy *e, int job)
{
    const struct cs_check_arrivals_job *j = arrivals_easy_job_at(e, job);
    const double at = check_plan_earliest(&e->q.plan, j, e->now, check_queue_hold(&e->q, job));

    if (at <= e->now && !e->reported[job]) {
        e->reported[job] = true;
        cs_check_add(e->q.s->report, CS_VIOLATION_HEAD_WAITS, job, e->now,
                     "job %s is first in line at %.15g s and fits: it must start", j->name, e->now);
    }
    if (isfinite(at))
        set_background(e, job, 1);
    else
        e->q.hold[job].start = INFINITY;
    e->head[j->partition] = job;
    e->heads++;
}

/* All jobs ahead of the first waiting job, in every partition. */
static void play_heads(struct easy *e)
{
    const struct cs_check_arrivals *what = e->q.s->what;

    e->heads = 0;
    for (int p = 0; p < what->site->partitions; p++)
        e->head[p] = -1;
    for (int job = e->q.next[what->jobs], behind;
         job != what->jobs && e->heads < what->site->partitions; job = behind) {
        behind = e->q.next[job];
        if (e->head[what->job[job].partition] >= 0)
            continue;
        if (start_of(e, job) <= e->now)
            arrivals_easy_start(e, job, false);
        else if (!check_queue_over_limit(&e->q, job))
            wait_first(e, job);
    }
}

static bool arrivals_easy_waits(const struct easy *e, int job)
{
    return e->q.next[e->q.previous[job]] == job;
}

static void play_behind(struct easy *e)
{
    const struct cs_check_arrivals *what = e->q.s->what;

    for (; e->next_start < what->jobs; e->next_start++) {
        const int job = e->by_start[e->next_start];

        if (e->q.s->row[job] >= 0 && start_of(e, job) > e->now)
            break;
        if (e->q.s->row[job] >= 0 && arrivals_easy_waits(e, job))
            arrivals_easy_start(e, job, true);
    }
    for (int p = 0; p < what->site->partitions; p++)
        if (e->head[p] >= 0 && isfinite(e->q.hold[e->head[p]].start))
            set_background(e, e->head[p], -1);
}

struct starting {
    double start;
    int place, job;
};

static int compare_starting(const void *a, const void *b)
{
    const struct starting *x = a, *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static int *order_starts(const struct cs_check_queue *q)
{
    const struct cs_check_arrivals_state *s = q->s;
    struct starting *all = CS_NEW_ARRAY(s->arena, struct starting, s->what->jobs);
    int *order = CS_NEW_ARRAY(s->arena, int, s->what->jobs);

    for (int j = 0; j < s->what->jobs; j++)
        all[j] = (struct starting){s->row[j] < 0 ? -INFINITY : s->what->row[s->row[j]].start,
                                   q->place[j], j};
    qsort(all, (size_t)s->what->jobs, sizeof *all, compare_starting);
    for (int j = 0; j < s->what->jobs; j++)
        order[j] = all[j].job;
    return order;
}

static double next_instant(const struct easy *e)
{
    const int jobs = e->q.s->what->jobs;
    const double begins = e->next_start < jobs && e->q.s->row[e->by_start[e->next_start]] >= 0
                              ? start_of(e, e->by_start[e->next_start])
                              : INFINITY;
    const double ends = fmin(check_queue_next_end(&e->q), check_queue_next_late(&e->q));
    const double next = fmin(fmin(begins, ends), check_queue_next_arrival(&e->q));

    return e->next_start < jobs ? fmin(next, check_queue_next_outage(&e->q, e->now)) : INFINITY;
}

void cs_check_arrivals_easy(const struct cs_check_arrivals_state *s)
{
    struct easy e = {.now = -INFINITY};

    if (s->what->outages && s->what->site->kind == CS_SITE_PACKED) {
        cs_check_lack(s->report, "which nodes go away is not known: reservations were not judged");
        return;
    }
    check_queue_init(&e.q, s);
    e.reported = CS_NEW_ARRAY(s->arena, bool, s->what->jobs);
    e.head = CS_NEW_ARRAY(s->arena, int, s->what->site->partitions);
    e.by_start = order_starts(&e.q);
    while (e.next_start < s->what->jobs && s->row[e.by_start[e.next_start]] < 0)
        e.next_start++;
    while (isfinite(e.now = next_instant(&e))) {
        check_queue_end(&e.q, e.now);
        check_plan_discard(&e.q.plan, e.now);
        check_queue_outages(&e.q, e.now);
        check_queue_extend(&e.q, e.now);
        check_queue_arrive(&e.q, e.now);
        play_heads(&e);
        play_behind(&e);
    }
}
