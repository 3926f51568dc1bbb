/* decide.c - passive, proactive, random and fixed policies, and those of programs.
 *
 * While the hosts that are up and what they have received stay the same, the configuration that
 * would be chosen stays the same too (unless its measure is the yield, which depends on the time):
 * it is then only compared.  And while the running one makes progress it only gets better, so that
 * what was kept once is kept until something changes.
 */
#include "volatile/decide.h"

#include "base/xoshiro.h"
#include "volatile/program.h"
#include "volatile/rate.h"

#include <string.h>

#define NEVER (-1)

struct cs_volatile_decider {
    const struct cs_volatile_instance *in;
    struct cs_volatile_estimator *estimator;
    enum cs_volatile_measure criterion, choice;
    enum cs_volatile_estimate estimate; /* of the criterion */
    bool aware, thorough, fixed;
    struct cs_volatile_chooser *chooser;
    const struct cs_volatile_belief *belief;
    struct cs_volatile_rater *rater;     /* of RATE */
    struct cs_volatile_program *program; /* of OUTSIDE */
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

static struct cs_volatile_decider *create(const struct cs_volatile_instance *in,
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
    struct cs_volatile_decider *d = create(estimator->in, arena);

    d->estimator = estimator;
    d->criterion = policy->criterion;
    d->choice = policy->choice;
    d->estimate = d->criterion == CS_VOLATILE_RESTARTS ? CS_VOLATILE_CONDITIONAL : options.estimate;
    d->aware = options.aware;
    d->belief = options.belief ? options.belief : cs_volatile_belief_of(estimator->in, arena);
    if (d->choice == CS_VOLATILE_OUTSIDE)
        d->program = cs_volatile_program_create(estimator->in, options.outside, arena);
    else if (d->choice == CS_VOLATILE_RATE)
        d->rater = cs_volatile_rater_create(estimator->in, d->belief, arena);
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
    struct cs_volatile_decider *d = create(in, arena);

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
        cs_volatile_chooser_forget(d->chooser);
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

static struct cs_volatile_value evaluate(struct cs_volatile_decider *d,
                                         const struct cs_volatile_view *view, const int *member,
                                         int members, const int *tasks, int64_t workload)
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

/* Section 3.6: nothing is left to transfer and some hosts are reclaimed.  The printed form divides
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
    struct cs_volatile_value value =
        evaluate(d, view, view->member, view->members, view->tasks, view->workload - view->done);
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

/* What this measure chooses now. */
static void make_plan(struct cs_volatile_decider *d, const struct cs_volatile_view *view,
                      int64_t stamp)
{
    enum cs_volatile_again again = CS_VOLATILE_UNCERTAIN;

    if (stamp == d->stamp && d->choice != CS_VOLATILE_YIELD && !d->thorough)
        return;
    d->stamp = stamp;
    d->count++;
    if (d->thorough)
        cs_volatile_chooser_forget(d->chooser);
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
        d->value = evaluate(d, view, d->plan.member, d->plan.members, d->plan.tasks,
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
static enum cs_volatile_verdict decide_rate(struct cs_volatile_decider *d,
                                            const struct cs_volatile_view *view, int64_t stamp)
{
    if (d->thorough || d->belief->kind != CS_VOLATILE_BELIEF_CHAINS || stamp != d->stamp ||
        d->saved != view->saved) {
        d->count++;
        d->possible = cs_volatile_rate_choose(d->rater, view, &d->plan, &d->rate);
    }
    d->stamp = stamp;
    d->saved = view->saved;
    if (!d->possible)
        return CS_VOLATILE_KEEP_LONG;
    if (view->members == 0)
        return CS_VOLATILE_INSTALL;
    if (same_plan(view, &d->plan) ||
        !cs_volatile_beats(d->rate, cs_volatile_rate_of(d->rater, view)))
        return CS_VOLATILE_KEEP;
    return CS_VOLATILE_INSTALL;
}

static enum cs_volatile_verdict ask_program(struct cs_volatile_decider *d,
                                            const struct cs_volatile_view *view)
{
    const enum cs_volatile_verdict verdict =
        cs_volatile_program_decide(d->program, view, d->plan.tasks);

    d->count++;
    if (verdict == CS_VOLATILE_INSTALL)
        measure_plan(&d->plan, d->in);
    return verdict;
}

/* The plan is not what runs: is it better?  When not, will that last?  Everything that changes
 * without us is the progress of what runs, which makes it better (unless it saves or waits), and
 * the time, on which only the yield depends: that of the slower one gains by it. */
static enum cs_volatile_verdict compare(struct cs_volatile_decider *d,
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

static enum cs_volatile_verdict decide(struct cs_volatile_decider *d,
                                       const struct cs_volatile_view *view, int64_t stamp)
{
    bool running = view->members > 0;

    if (running && cs_volatile_decider_passive(d)) {
        if (d->chooser)
            cs_volatile_chooser_forget(d->chooser);
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
    make_plan(d, view, stamp);
    if (!d->possible)
        return CS_VOLATILE_KEEP_LONG;
    if (!running)
        return CS_VOLATILE_INSTALL;
    if (same_plan(view, &d->plan))
        return CS_VOLATILE_KEEP_LONG;
    return compare(d, view);
}

enum cs_volatile_verdict cs_volatile_decide(struct cs_volatile_decider *d,
                                            const struct cs_volatile_view *view, int64_t stamp)
{
    enum cs_volatile_verdict verdict = decide(d, view, stamp);

    if (verdict == CS_VOLATILE_KEEP_LONG && view->members > 0 && d->choice == CS_VOLATILE_YIELD &&
        d->criterion != CS_VOLATILE_NONE && d->possible)
        return CS_VOLATILE_KEEP;
    return verdict;
}

const struct cs_volatile_belief *cs_volatile_decider_belief(const struct cs_volatile_decider *d)
{
    return d->belief;
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
