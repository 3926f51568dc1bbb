/* decide.c - passive, proactive, random, fixed and external policies: one decision per slot.
 *
 * Source: spec/volatile.md 5 (section VI of the paper: criterion C and choice H), 3.6 (option
 * `aware`), III.4 (`rate` and `proactive-rate`).
 * Idea: a passive policy decides only when no configuration runs.  A proactive one makes the plan
 * of its choice H from scratch and installs it when criterion C prefers it by more than rounding.
 * While the hosts that are up and their received slots stay the same, so does the plan (unless H is
 * the yield, which depends on tau): it is then only compared.  While the running configuration
 * makes progress its score only improves, so KEEP_LONG holds until something changes. `rate`:
 * ln(expected safe progress) - ln(expected slots until it is safe or lost), renewal reward.
 * Invariants: KEEP_LONG only if every later slot without a change of hosts or transfers gives the
 * same answer; `thorough` recomputes everything and must decide the same (tests/golden).
 * Complexity: `rate` judges m p sets, each at PARTS + 1 horizons (with checkpoints: one for each
 * segment), each O(members); where ages count this happens in every slot.  Others: choose.c.
 *
 * Constants (values of III.4; half and double: not measured):
 *   PARTS      8       midpoints of the integral of S over the horizon, without checkpoints
 *   FAINT      1e-9    probability: segments after it are ignored
 *   LEAST_GAIN 1e-300  lower limit of gain and time before the logarithm
 */
#include "problems/volatile/decide.h"
#include "base/xoshiro.h"
#include "problems/volatile/choose.h"
#include "problems/volatile/estimate.h"
#include "problems/volatile/lifetime_model.h"
#include "problems/volatile/program.h"
#include "problems/volatile/view.h"

#include <math.h>
#include <string.h>

/* the score of a configuration, and the choice by it. */

struct cs_volatile_rater;

#define PARTS 8    /* of the time to a horizon */
#define FAINT 1e-9 /* no segment after it counts */
#define LEAST_GAIN 1e-300

struct cs_volatile_rater {
    const struct cs_volatile_instance *in;
    const struct cs_volatile_lifetime_model *lifetime_model;
    struct cs_volatile_memo *memo;
    int *tasks, *member; /* of the configuration under way; members in the order they came */
    int members;
    double *log_p; /* by place in `member` */
};

/* A configuration to be judged: its hosts are the members of the rater. */
struct prospect {
    double transfer;   /* slots until all members are ready */
    double workload;   /* of the whole iteration */
    double rest, done; /* slots of computation that are left, and that were computed */
    double fresh;      /* of them, after the last save */
    double saving;     /* slots left of a save under way */
};

/* Lives in the arena, as the instance and the lifetime model must. */
static struct cs_volatile_rater *
volatile_rater_create(const struct cs_volatile_instance *in,
                      const struct cs_volatile_lifetime_model *lifetime_model,
                      struct cs_arena *arena)
{
    struct cs_volatile_rater *r = CS_NEW(arena, struct cs_volatile_rater);

    *r = (struct cs_volatile_rater){
        .in = in,
        .lifetime_model = lifetime_model,
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
static double decide_stay(const struct cs_volatile_rater *r, const struct cs_volatile_view *view,
                          double horizon)
{
    for (int i = 0; i < r->members; i++)
        r->log_p[i] = cs_volatile_lifetime_model_stay(r->lifetime_model, r->memo, r->member[i],
                                                      age_of(view, r->member[i]), horizon);
    return exp(
        cs_volatile_lifetime_model_together(r->lifetime_model, r->members, r->member, r->log_p));
}

/* Expected safe progress in iterations, and expected slots. */
struct reward {
    double gain, time;
};

static struct reward all_or_nothing(const struct cs_volatile_rater *r,
                                    const struct cs_volatile_view *view, const struct prospect *p)
{
    double horizon = p->transfer + p->rest;
    struct reward reward = {decide_stay(r, view, horizon) * (p->rest + p->done) / p->workload, 0};

    for (int i = 0; i < PARTS; i++)
        reward.time += decide_stay(r, view, (i + 0.5) * horizon / PARTS) * horizon / PARTS;
    return reward;
}

/* From one save to the next: `before` is the probability that all members stay until then. */
static struct reward by_segments(const struct cs_volatile_rater *r,
                                 const struct cs_volatile_view *view, const struct prospect *p)
{
    const struct cs_volatile_application *app = &r->in->app;
    double at = p->transfer, from = 0, before = 1, rest = p->rest, fresh = p->fresh / p->workload;
    double next = app->save_every - p->fresh, now;
    struct reward reward = {0, 0};

    if (p->saving > 0) {
        at += p->saving;
        before = decide_stay(r, view, at);
        reward = (struct reward){before * fresh, at * (1 + before) / 2};
        from = at;
        fresh = 0;
        next = app->save_every;
    }
    do {
        double segment = fmin(rest, fmax(1, next));

        rest -= segment;
        at += segment + (rest > 0 ? app->save_cost : 0);
        now = decide_stay(r, view, at);
        reward.gain += now * (segment / p->workload + fresh);
        reward.time += (at - from) * (before + now) / 2;
        before = now;
        from = at;
        fresh = 0;
        next = app->save_every;
    } while (rest > 0 && now >= FAINT);
    return reward;
}

static double decide_score(const struct cs_volatile_rater *r, const struct cs_volatile_view *view,
                           const struct prospect *p)
{
    struct reward reward =
        r->in->app.save_every > 0 ? by_segments(r, view, p) : all_or_nothing(r, view, p);

    return log(fmax(LEAST_GAIN, reward.gain)) - log(fmax(LEAST_GAIN, reward.time));
}

/* Transfers of the configuration under way, and its workload. */
struct partial {
    int longest;
    int64_t sum, workload;
};

static struct partial decide_extend(const struct cs_volatile_rater *r,
                                    const struct cs_volatile_view *view,
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
    value = decide_score(r, view, &p);
    r->members = members;
    return value;
}

static void decide_give(struct cs_volatile_rater *r, struct partial *p, const struct partial *after,
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
        after = decide_extend(r, view, p, q);
        value = try_host(r, view, &after, q);
        if (chosen < 0 || cs_volatile_beats(value, *best)) {
            chosen = q;
            *best = value;
            *best_after = after;
        }
    }
    return chosen;
}

/* Tasks given out one by one to hosts that are up, and the score of the whole.  False when they
 * cannot hold all tasks: the plan then is as before. */
static bool volatile_rate_choose(struct cs_volatile_rater *r, const struct cs_volatile_view *view,
                                 struct cs_volatile_plan *plan, double *best)
{
    struct partial p = {0}, after = {0};

    if (!cs_volatile_possible(view))
        return false;
    memset(r->tasks, 0, (size_t)r->in->hosts * sizeof *r->tasks);
    r->members = 0;
    for (int task = 0; task < r->in->app.tasks; task++) {
        int host = best_host(r, view, &p, best, &after);

        decide_give(r, &p, &after, host);
    }
    memcpy(plan->tasks, r->tasks, (size_t)r->in->hosts * sizeof *r->tasks);
    plan->members = 0;
    plan->workload = p.workload;
    for (int q = 0; q < r->in->hosts; q++)
        if (plan->tasks[q] > 0)
            plan->member[plan->members++] = q;
    return true;
}

/* The score of the running configuration. */
static double volatile_rate_of(struct cs_volatile_rater *r, const struct cs_volatile_view *view)
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
    return decide_score(r, view, &p);
}

#define NEVER (-1)

struct cs_volatile_decider {
    const struct cs_volatile_instance *in;
    struct cs_volatile_estimator *estimator;
    enum cs_volatile_measure criterion, choice;
    enum cs_volatile_estimate estimate; /* of the criterion */
    bool aware, thorough, fixed;
    struct cs_volatile_chooser *chooser;
    const struct cs_volatile_lifetime_model *lifetime_model;
    struct cs_volatile_rater *rater;     /* of RATE */
    struct cs_volatile_program *program; /* of EXTPOL */
    struct cs_xoshiro dice;
    struct cs_volatile_plan plan;
    struct cs_volatile_value value; /* of the plan */
    bool valued;                    /* is that known? */
    double saved;                   /* for what was saved then */
    double rate;                    /* of the plan, of RATE */
    int64_t stamp;                  /* when the plan was made, or NEVER */
    bool possible;                  /* is there a plan? */
    int *need, *up;                 /* room, by host */
    bool *reclaimed;
    int64_t count;
};

static struct cs_volatile_decider *decide_create(const struct cs_volatile_instance *in,
                                                 struct cs_arena *arena)
{
    struct cs_volatile_decider *d = CS_NEW(arena, struct cs_volatile_decider);

    d->in = in;
    d->plan.tasks = CS_NEW_ARRAY(arena, int, in->hosts);
    d->plan.member = CS_NEW_ARRAY(arena, int, in->hosts);
    d->need = CS_NEW_ARRAY(arena, int, in->hosts);
    d->up = CS_NEW_ARRAY(arena, int, in->hosts);
    d->reclaimed = CS_NEW_ARRAY(arena, bool, in->hosts);
    return d;
}

struct cs_volatile_decider *cs_volatile_decider_create(struct cs_volatile_estimator *estimator,
                                                       const struct cs_volatile_policy *policy,
                                                       struct cs_volatile_options options,
                                                       struct cs_arena *arena)
{
    struct cs_volatile_decider *d = decide_create(estimator->in, arena);

    d->estimator = estimator;
    d->criterion = policy->criterion;
    d->choice = policy->choice;
    d->estimate = d->criterion == CS_VOLATILE_RESTARTS ? CS_VOLATILE_CONDITIONAL : options.estimate;
    d->aware = options.aware;
    d->lifetime_model = options.lifetime_model
                            ? options.lifetime_model
                            : cs_volatile_lifetime_model_of(estimator->in, arena);
    if (d->choice == CS_VOLATILE_EXTPOL)
        d->program = cs_volatile_program_create(estimator->in, options.extpol, arena);
    else if (d->choice == CS_VOLATILE_RATE)
        d->rater = volatile_rater_create(estimator->in, d->lifetime_model, arena);
    else if (d->choice != CS_VOLATILE_DICE)
        d->chooser = cs_volatile_chooser_create(estimator, d->choice, options.estimate,
                                                options.singles, arena);
    return d;
}

static void measure_plan(struct cs_volatile_plan *plan, const struct cs_volatile_instance *in)
{
    plan->members = 0;
    plan->workload = 0;
    for (int q = 0; q < in->hosts; q++) {
        int64_t work = (int64_t)plan->tasks[q] * in->host[q].slots;

        if (plan->tasks[q] > 0)
            plan->member[plan->members++] = q;
        plan->workload = work > plan->workload ? work : plan->workload;
    }
}

struct cs_volatile_decider *cs_volatile_decider_create_fixed(const struct cs_volatile_instance *in,
                                                             const int *tasks,
                                                             struct cs_arena *arena)
{
    struct cs_volatile_decider *d = decide_create(in, arena);

    d->fixed = true;
    memcpy(d->plan.tasks, tasks, (size_t)in->hosts * sizeof *tasks);
    measure_plan(&d->plan, in);
    return d;
}

void cs_volatile_decider_begin(struct cs_volatile_decider *d, uint64_t seed, bool thorough)
{
    cs_xoshiro_init(&d->dice, seed);
    d->thorough = thorough;
    d->stamp = NEVER;
    d->count = 0;
    if (d->chooser)
        cs_volatile_chooser_discard(d->chooser);
    if (d->program)
        cs_volatile_program_begin(d->program);
}

static bool all_up(const struct cs_volatile_view *view, const struct cs_volatile_plan *plan)
{
    for (int i = 0; i < plan->members; i++)
        if (view->state[plan->member[i]] != CS_VOLATILE_UP)
            return false;
    return true;
}

/* Each task to one of the hosts that are up; again when that one is full. */
static bool throw_dice(struct cs_volatile_decider *d, const struct cs_volatile_view *view)
{
    int count = 0;

    if (!cs_volatile_possible(view))
        return false;
    for (int q = 0; q < d->in->hosts; q++) {
        d->plan.tasks[q] = 0;
        if (view->state[q] == CS_VOLATILE_UP)
            d->up[count++] = q;
    }
    for (int task = 0; task < d->in->app.tasks;) {
        int q = d->up[cs_xoshiro_below(&d->dice, (uint64_t)count)];

        if (d->plan.tasks[q] == d->in->capacity[q])
            continue;
        d->plan.tasks[q]++;
        task++;
    }
    measure_plan(&d->plan, d->in);
    d->count++;
    return true;
}

static struct cs_volatile_value decide_evaluate(struct cs_volatile_decider *d,
                                                const struct cs_volatile_view *view,
                                                const int *member, int members, const int *tasks,
                                                int64_t workload)
{
    struct cs_volatile_load load = {
        .members = members, .member = member, .need = d->need, .workload = workload};
    struct cs_volatile_value value;

    for (int i = 0; i < members; i++) {
        d->need[i] = cs_volatile_need(view, member[i], tasks[member[i]]);
        load.set = cs_volatile_sets_add(d->estimator->sets, load.set, member[i]);
    }
    if (d->criterion == CS_VOLATILE_TIME)
        return cs_volatile_evaluate_time(d->estimator, d->estimate, &load);
    value = cs_volatile_evaluate(d->estimator, d->estimate, &load);
    if (d->criterion == CS_VOLATILE_RESTARTS)
        value.lifetime = cs_volatile_sets_lifetime(d->estimator->sets, load.set);
    return value;
}

/* Section 3.6: all transfers are complete and some hosts are reclaimed.  The printed form divides
 * a sum of partial expectations by the probability, as it does when all are up. */
static void measure_aware(struct cs_volatile_decider *d, const struct cs_volatile_view *view,
                          struct cs_volatile_value *value)
{
    struct cs_volatile_sets *sets = d->estimator->sets;
    double more = (double)(view->workload - view->done - 1);
    const struct cs_volatile_set *set;
    struct cs_volatile_first first;
    int number = 0;

    for (int i = 0; i < view->members; i++) {
        number = cs_volatile_sets_add(sets, number, view->member[i]);
        d->reclaimed[i] = view->state[view->member[i]] != CS_VOLATILE_UP;
    }
    set = cs_volatile_sets_get(sets, number);
    first = cs_volatile_sets_first(sets, number, d->reclaimed);
    value->log_p = log(first.chance) + (more > 0 ? -more * set->loss : 0);
    if (d->estimate == CS_VOLATILE_CONDITIONAL)
        value->log_time = log(first.wait / first.chance + 1 + (more > 0 ? more * set->gap : 0));
    else
        value->log_time = log(first.wait + 1 + more * set->partial) - value->log_p;
    if (!(first.chance > 0) || isnan(value->log_time))
        *value = (struct cs_volatile_value){-INFINITY, INFINITY, INFINITY, value->lifetime};
    value->time = exp(value->log_time);
}

static struct cs_volatile_value value_running(struct cs_volatile_decider *d,
                                              const struct cs_volatile_view *view)
{
    struct cs_volatile_value value = decide_evaluate(d, view, view->member, view->members,
                                                     view->tasks, view->workload - view->done);
    int64_t need = 0;
    bool up = true;

    if (!d->aware)
        return value;
    for (int i = 0; i < view->members; i++) {
        need += d->need[i];
        up &= view->state[view->member[i]] == CS_VOLATILE_UP;
    }
    if (need == 0 && !up)
        measure_aware(d, view, &value);
    return value;
}

static bool same_plan(const struct cs_volatile_view *view, const struct cs_volatile_plan *plan)
{
    if (view->members != plan->members)
        return false;
    for (int i = 0; i < plan->members; i++)
        if (view->tasks[plan->member[i]] != plan->tasks[plan->member[i]])
            return false;
    return true;
}

static bool touches_plan(const struct cs_volatile_view *view, const struct cs_volatile_plan *plan)
{
    for (int i = 0; i < view->touches; i++)
        if (plan->tasks[view->touched[i]] > 0)
            return true;
    return false;
}

/* The choice by this measure, now. */
static void decide_make_plan(struct cs_volatile_decider *d, const struct cs_volatile_view *view,
                             int64_t stamp)
{
    enum cs_volatile_again again = CS_VOLATILE_UNCERTAIN;

    if (stamp == d->stamp && d->choice != CS_VOLATILE_YIELD && !d->thorough)
        return;
    d->stamp = stamp;
    d->count++;
    if (d->thorough)
        cs_volatile_chooser_discard(d->chooser);
    else
        again = cs_volatile_choose_again(d->chooser, view, &d->plan);
    if (again == CS_VOLATILE_UNCERTAIN) {
        cs_volatile_sets_relieve(d->estimator->sets);
        d->possible = cs_volatile_choose(d->chooser, view, &d->plan);
    } else {
        d->possible = true;
    }
    d->valued = d->valued && again == CS_VOLATILE_SAME && !touches_plan(view, &d->plan);
}

static void value_plan(struct cs_volatile_decider *d, const struct cs_volatile_view *view)
{
    if (!d->valued || d->saved != view->saved)
        d->value = decide_evaluate(d, view, d->plan.member, d->plan.members, d->plan.tasks,
                                   cs_volatile_rest(d->plan.workload, view->saved));
    d->saved = view->saved;
    d->valued = true;
}

static bool all_members_up(const struct cs_volatile_view *view)
{
    for (int i = 0; i < view->members; i++)
        if (view->state[view->member[i]] != CS_VOLATILE_UP)
            return false;
    return true;
}

/* The same for the rate.  Where age counts hosts grow older, and the choice is made in every slot;
 * else while nothing changes it stays. */
static enum cs_volatile_finding decide_rate(struct cs_volatile_decider *d,
                                            const struct cs_volatile_view *view, int64_t stamp)
{
    if (d->thorough || d->lifetime_model->kind != CS_VOLATILE_LIFETIME_MODEL_CHAINS ||
        stamp != d->stamp || d->saved != view->saved) {
        d->count++;
        d->possible = volatile_rate_choose(d->rater, view, &d->plan, &d->rate);
    }
    d->stamp = stamp;
    d->saved = view->saved;
    if (!d->possible)
        return CS_VOLATILE_KEEP_LONG;
    if (view->members == 0)
        return CS_VOLATILE_INSTALL;
    if (same_plan(view, &d->plan) || !cs_volatile_beats(d->rate, volatile_rate_of(d->rater, view)))
        return CS_VOLATILE_KEEP;
    return CS_VOLATILE_INSTALL;
}

static enum cs_volatile_finding ask_program(struct cs_volatile_decider *d,
                                            const struct cs_volatile_view *view)
{
    const enum cs_volatile_finding finding =
        cs_volatile_program_decide(d->program, view, d->plan.tasks);

    d->count++;
    if (finding == CS_VOLATILE_INSTALL)
        measure_plan(&d->plan, d->in);
    return finding;
}

/* The plan is not what runs: is it better?  When not, will that last?  Everything that changes
 * without us is the progress of what runs, which makes it better (unless it saves or waits), and
 * the time, on which only the yield depends: that of the slower one gains by it. */
static enum cs_volatile_finding compare(struct cs_volatile_decider *d,
                                        const struct cs_volatile_view *view)
{
    struct cs_volatile_value now = value_running(d, view);
    struct cs_volatile_score kept = cs_volatile_score_of(d->criterion, &now, view->tau), other;

    value_plan(d, view);
    other = cs_volatile_score_of(d->criterion, &d->value, view->tau);
    if (cs_volatile_better(d->criterion, &other, &kept))
        return CS_VOLATILE_INSTALL;
    if (d->criterion != CS_VOLATILE_YIELD || d->value.log_p <= now.log_p)
        return CS_VOLATILE_KEEP_LONG;
    if (d->in->app.save_every == 0 && all_members_up(view))
        return CS_VOLATILE_KEEP_LONG;
    return now.time >= d->value.time ? CS_VOLATILE_KEEP_LONG : CS_VOLATILE_KEEP;
}

static enum cs_volatile_finding volatile_decide(struct cs_volatile_decider *d,
                                                const struct cs_volatile_view *view, int64_t stamp)
{
    bool running = view->members > 0;

    if (running && cs_volatile_decider_passive(d)) {
        if (d->chooser)
            cs_volatile_chooser_discard(d->chooser);
        return CS_VOLATILE_KEEP_LONG;
    }
    if (d->fixed)
        return all_up(view, &d->plan) ? CS_VOLATILE_INSTALL : CS_VOLATILE_KEEP_LONG;
    if (d->program)
        return ask_program(d, view);
    if (d->choice == CS_VOLATILE_DICE)
        return throw_dice(d, view) ? CS_VOLATILE_INSTALL : CS_VOLATILE_KEEP_LONG;
    if (d->choice == CS_VOLATILE_RATE)
        return decide_rate(d, view, stamp);
    decide_make_plan(d, view, stamp);
    if (!d->possible)
        return CS_VOLATILE_KEEP_LONG;
    if (!running)
        return CS_VOLATILE_INSTALL;
    if (same_plan(view, &d->plan))
        return CS_VOLATILE_KEEP_LONG;
    return compare(d, view);
}

enum cs_volatile_finding cs_volatile_decide(struct cs_volatile_decider *d,
                                            const struct cs_volatile_view *view, int64_t stamp)
{
    enum cs_volatile_finding finding = volatile_decide(d, view, stamp);

    if (finding == CS_VOLATILE_KEEP_LONG && view->members > 0 && d->choice == CS_VOLATILE_YIELD &&
        d->criterion != CS_VOLATILE_NONE && d->possible)
        return CS_VOLATILE_KEEP;
    return finding;
}

const struct cs_volatile_lifetime_model *
cs_volatile_decider_lifetime_model(const struct cs_volatile_decider *d)
{
    return d->lifetime_model;
}

bool cs_volatile_decider_passive(const struct cs_volatile_decider *d)
{
    return d->fixed || d->criterion == CS_VOLATILE_NONE;
}

const struct cs_volatile_plan *cs_volatile_decider_plan(const struct cs_volatile_decider *d)
{
    return &d->plan;
}

int64_t cs_volatile_decider_count(const struct cs_volatile_decider *d)
{
    return d->count;
}
