/* rate.c - the score of a configuration, and the choice by it. */
#include "volatile/rate.h"

#include "volatile/choose.h"
#include "volatile/estimate.h"

#include <math.h>
#include <string.h>

#define PARTS 8    /* of the time to a horizon */
#define FAINT 1e-9 /* no segment after it counts */
#define LEAST_GAIN 1e-300

struct cs_volatile_rater {
    const struct cs_volatile_instance *in;
    const struct cs_volatile_belief *belief;
    struct cs_volatile_memo *memo;
    int *tasks, *member; /* of the configuration under way; members in the order they came */
    int members;
    double *log_p; /* by place in `member` */
};

/* A configuration to be judged: its hosts are the members of the rater. */
struct prospect {
    double transfer;   /* slots until all have what they need */
    double workload;   /* of the whole iteration */
    double rest, done; /* slots of computation that are left, and that were computed */
    double fresh;      /* of them, after the last save */
    double saving;     /* slots left of a save under way */
};

struct cs_volatile_rater *cs_volatile_rater_create(const struct cs_volatile_instance *in,
                                                   const struct cs_volatile_belief *belief,
                                                   struct cs_arena *arena)
{
    struct cs_volatile_rater *r = CS_NEW(arena, struct cs_volatile_rater);

    *r = (struct cs_volatile_rater){
        .in = in,
        .belief = belief,
        .memo = cs_volatile_memo_create(arena),
        .tasks = CS_NEW_ARRAY(arena, int, in->hosts),
        .member = CS_NEW_ARRAY(arena, int, in->hosts),
        .log_p = CS_NEW_ARRAY(arena, double, in->hosts),
    };
    return r;
}

static double age_of(const struct cs_volatile_view *view, int host)
{
    if (view->state[host] != CS_VOLATILE_UP)
        return 1;
    return (double)(view->slot - view->since[host] + 1);
}

/* The probability that all members stay for so many slots. */
static double stay(const struct cs_volatile_rater *r, const struct cs_volatile_view *view,
                   double horizon)
{
    for (int i = 0; i < r->members; i++)
        r->log_p[i] = cs_volatile_belief_stay(r->belief, r->memo, r->member[i],
                                              age_of(view, r->member[i]), horizon);
    return exp(cs_volatile_belief_together(r->belief, r->members, r->member, r->log_p));
}

/* What is gained, and how long that takes. */
struct reward {
    double gain, time;
};

static struct reward all_or_nothing(const struct cs_volatile_rater *r,
                                    const struct cs_volatile_view *view, const struct prospect *p)
{
    double horizon = p->transfer + p->rest;
    struct reward reward = {stay(r, view, horizon) * (p->rest + p->done) / p->workload, 0};

    for (int i = 0; i < PARTS; i++)
        reward.time += stay(r, view, (i + 0.5) * horizon / PARTS) * horizon / PARTS;
    return reward;
}

/* From one save to the next: `before` is the probability to have come so far. */
static struct reward by_segments(const struct cs_volatile_rater *r,
                                 const struct cs_volatile_view *view, const struct prospect *p)
{
    const struct cs_volatile_application *app = &r->in->app;
    double at = p->transfer, from = 0, before = 1, rest = p->rest, fresh = p->fresh / p->workload;
    double next = app->save_every - p->fresh, now;
    struct reward reward = {0, 0};

    if (p->saving > 0) {
        at += p->saving;
        before = stay(r, view, at);
        reward = (struct reward){before * fresh, at * (1 + before) / 2};
        from = at;
        fresh = 0;
        next = app->save_every;
    }
    do {
        double segment = fmin(rest, fmax(1, next));

        rest -= segment;
        at += segment + (rest > 0 ? app->save_cost : 0);
        now = stay(r, view, at);
        reward.gain += now * (segment / p->workload + fresh);
        reward.time += (at - from) * (before + now) / 2;
        before = now;
        from = at;
        fresh = 0;
        next = app->save_every;
    } while (rest > 0 && now >= FAINT);
    return reward;
}

static double score(const struct cs_volatile_rater *r, const struct cs_volatile_view *view,
                    const struct prospect *p)
{
    struct reward reward =
        r->in->app.save_every > 0 ? by_segments(r, view, p) : all_or_nothing(r, view, p);

    return log(fmax(LEAST_GAIN, reward.gain)) - log(fmax(LEAST_GAIN, reward.time));
}

/* What the configuration under way has to be sent, and its workload. */
struct partial {
    int longest;
    int64_t sum, workload;
};

static struct partial extend(const struct cs_volatile_rater *r, const struct cs_volatile_view *view,
                             const struct partial *before, int host)
{
    int tasks = r->tasks[host], need = cs_volatile_need(view, host, tasks + 1);
    int64_t work = (int64_t)(tasks + 1) * r->in->host[host].slots;

    return (struct partial){
        .longest = need > before->longest ? need : before->longest,
        .sum = before->sum + need - cs_volatile_need(view, host, tasks),
        .workload = work > before->workload ? work : before->workload,
    };
}

static double transfer_of(const struct cs_volatile_rater *r, const struct partial *p)
{
    return fmax(p->longest, (double)p->sum / r->in->app.transfers);
}

/* The score when this host has one more task. */
static double try_host(struct cs_volatile_rater *r, const struct cs_volatile_view *view,
                       const struct partial *after, int host)
{
    const struct prospect p = {
        .transfer = transfer_of(r, after),
        .workload = (double)after->workload,
        .rest = (double)cs_volatile_rest(after->workload, view->saved),
    };
    int members = r->members;
    double value;

    if (r->tasks[host] == 0)
        r->member[r->members++] = host;
    value = score(r, view, &p);
    r->members = members;
    return value;
}

static void give(struct cs_volatile_rater *r, struct partial *p, const struct partial *after,
                 int host)
{
    if (r->tasks[host]++ == 0)
        r->member[r->members++] = host;
    *p = *after;
}

/* The host where one more task is best; its score, and what becomes of the configuration. */
static int best_host(struct cs_volatile_rater *r, const struct cs_volatile_view *view,
                     const struct partial *p, double *best, struct partial *best_after)
{
    int chosen = -1;

    for (int q = 0; q < r->in->hosts; q++) {
        struct partial after;
        double value;

        if (view->state[q] != CS_VOLATILE_UP || r->tasks[q] == r->in->capacity[q])
            continue;
        after = extend(r, view, p, q);
        value = try_host(r, view, &after, q);
        if (chosen < 0 || cs_volatile_beats(value, *best)) {
            chosen = q;
            *best = value;
            *best_after = after;
        }
    }
    return chosen;
}

bool cs_volatile_rate_choose(struct cs_volatile_rater *r, const struct cs_volatile_view *view,
                             struct cs_volatile_plan *plan, double *best)
{
    struct partial p = {0}, after = {0};

    if (!cs_volatile_possible(view))
        return false;
    memset(r->tasks, 0, (size_t)r->in->hosts * sizeof *r->tasks);
    r->members = 0;
    for (int task = 0; task < r->in->app.tasks; task++) {
        int host = best_host(r, view, &p, best, &after);

        give(r, &p, &after, host);
    }
    memcpy(plan->tasks, r->tasks, (size_t)r->in->hosts * sizeof *r->tasks);
    plan->members = 0;
    plan->workload = p.workload;
    for (int q = 0; q < r->in->hosts; q++)
        if (plan->tasks[q] > 0)
            plan->member[plan->members++] = q;
    return true;
}

double cs_volatile_rate_of(struct cs_volatile_rater *r, const struct cs_volatile_view *view)
{
    struct partial sent = {0};
    struct prospect p = {
        .workload = (double)view->full,
        .rest = (double)(view->workload - view->done),
        .done = (double)view->done,
        .fresh = (double)view->fresh,
        .saving = (double)view->saving,
    };

    for (r->members = 0; r->members < view->members; r->members++) {
        int q = view->member[r->members], need = cs_volatile_need(view, q, view->tasks[q]);

        r->member[r->members] = q;
        sent.longest = need > sent.longest ? need : sent.longest;
        sent.sum += need;
    }
    p.transfer = transfer_of(r, &sent);
    return score(r, view, &p);
}
