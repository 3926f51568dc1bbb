/* choose.c - the next task goes where the measure of the whole is best.
 *
 * A step looks at every candidate host; sets are numbers in the table of sets, so that a candidate
 * costs a look-up.  The host that the same step took last time is measured first; a candidate that
 * bounds show to be worse is not measured (step.h).  What makes its steps certain is left in a
 * trail (trail.h), along which the next choice goes as far as it can.
 */
#include "volatile/choose.h"

#include "base/bug.h"
#include "volatile/solo.h"
#include "volatile/step.h"
#include "volatile/trail.h"

#include <string.h>

#define RECENT 8

struct step {
    struct cs_volatile_partial after;
    struct cs_volatile_score score;
    int candidate; /* -1: none yet */
};

struct cs_volatile_chooser {
    struct cs_volatile_gauge gauge;
    bool singles;
    const struct cs_volatile_view *view;
    struct cs_volatile_candidate *candidate;
    int candidates, *taken, takens; /* taken: candidates that have a task */
    int *member, *need;             /* room for a load */
    int *place;                     /* by host: its candidate, when that is the same host */
    int *last;                      /* by step: the host that was taken last time */
    struct cs_volatile_trail *trail;
    struct cs_volatile_solo *solo;
    int recent[RECENT]; /* hosts that got all tasks, the last first; -1 for none */
};

static const struct cs_volatile_set *sets_of_one(struct cs_volatile_sets *sets, int hosts,
                                                 struct cs_arena *arena)
{
    struct cs_volatile_set *alone = CS_NEW_ARRAY(arena, struct cs_volatile_set, hosts);

    for (int q = 0; q < hosts; q++)
        alone[q] = *cs_volatile_sets_get(sets, cs_volatile_sets_add(sets, 0, q));
    return alone;
}

struct cs_volatile_chooser *cs_volatile_chooser_create(struct cs_volatile_estimator *estimator,
                                                       enum cs_volatile_measure choice,
                                                       enum cs_volatile_estimate estimate,
                                                       bool singles, struct cs_arena *arena)
{
    struct cs_volatile_chooser *c = CS_NEW(arena, struct cs_volatile_chooser);
    int hosts = estimator->in->hosts;

    CS_REQUIRE(choice != CS_VOLATILE_NONE && choice != CS_VOLATILE_DICE);
    *c = (struct cs_volatile_chooser){
        .gauge = {.estimator = estimator,
                  .choice = choice,
                  .estimate = choice == CS_VOLATILE_RESTARTS ? CS_VOLATILE_CONDITIONAL : estimate,
                  .alone = sets_of_one(estimator->sets, hosts, arena)},
        .singles = singles,
        .candidate = CS_NEW_ARRAY(arena, struct cs_volatile_candidate, hosts),
        .taken = CS_NEW_ARRAY(arena, int, hosts),
        .member = CS_NEW_ARRAY(arena, int, hosts),
        .need = CS_NEW_ARRAY(arena, int, hosts),
        .place = CS_NEW_ARRAY(arena, int, hosts),
        .last = CS_NEW_ARRAY(arena, int, estimator->in->app.tasks),
    };
    c->trail = cs_volatile_trail_create(&c->gauge, arena);
    c->solo = cs_volatile_solo_create(&c->gauge, arena);
    for (int i = 0; i < RECENT; i++)
        c->recent[i] = -1;
    return c;
}

bool cs_volatile_possible(const struct cs_volatile_view *view)
{
    int64_t room = 0;

    for (int q = 0; q < view->in->hosts; q++)
        if (view->state[q] == CS_VOLATILE_UP)
            room += view->in->capacity[q];
    return room >= view->in->app.tasks;
}

static bool begin(struct cs_volatile_chooser *c, const struct cs_volatile_view *view)
{
    const struct cs_volatile_instance *in = view->in;
    int64_t room = 0;

    c->view = view;
    c->gauge.tau = view->tau;
    c->candidates = c->takens = 0;
    for (int q = 0; q < in->hosts; q++) {
        if (view->state[q] != CS_VOLATILE_UP || in->capacity[q] == 0)
            continue;
        room += in->capacity[q];
        c->place[q] = c->candidates;
        c->candidate[c->candidates++] = cs_volatile_candidate_of(&c->gauge, view, q);
    }
    return room >= in->app.tasks;
}

/* log Pcomm for a new Ecomm, or with a new host. */
static double log_alive(struct cs_volatile_chooser *c, const struct cs_volatile_partial *before,
                        const struct cs_volatile_candidate *k, double transfer)
{
    struct cs_volatile_estimator *e = c->gauge.estimator;
    double *row = cs_volatile_row_of(e, transfer), sum = 0;

    if (transfer == before->transfer)
        sum = before->log_alive;
    else
        for (int i = 0; i < c->takens; i++)
            sum += cs_volatile_row_at(e, row, transfer, c->candidate[c->taken[i]].host);
    return k->tasks ? sum : sum + cs_volatile_row_at(e, row, transfer, k->host);
}

/* The score without overflow, from scratch: times beyond the range of numbers are compared by their
 * logarithms. */
static struct cs_volatile_score measure_slowly(struct cs_volatile_chooser *c,
                                               const struct cs_volatile_candidate *k,
                                               const struct cs_volatile_partial *after)
{
    struct cs_volatile_load load = {.set = after->set, .workload = after->workload};
    struct cs_volatile_value value;

    for (int i = 0; i < c->takens; i++) {
        const struct cs_volatile_candidate *other = &c->candidate[c->taken[i]];

        c->member[load.members] = other->host;
        c->need[load.members++] = other == k ? k->next : other->need;
    }
    if (k->tasks == 0) {
        c->member[load.members] = k->host;
        c->need[load.members++] = k->next;
    }
    load.member = c->member;
    load.need = c->need;
    value = cs_volatile_evaluate(c->gauge.estimator, c->gauge.estimate, &load);
    value.lifetime = c->gauge.choice == CS_VOLATILE_RESTARTS
                         ? cs_volatile_sets_lifetime(c->gauge.estimator->sets, after->set)
                         : NAN;
    return cs_volatile_score_of(c->gauge.choice, &value, c->gauge.tau);
}

/* Surely worse than another candidate, whose score is above `cut` by more than rounding. */
static inline bool hopeless(const struct cs_volatile_chooser *c,
                            const struct cs_volatile_partial *before, double loss,
                            struct cs_volatile_candidate *k, struct cs_volatile_partial *after,
                            double cut)
{
    if (k->bound < cut)
        return true;
    cs_volatile_extend(&c->gauge, before, k, after);
    k->bound = cs_volatile_bound_of(&c->gauge, before, loss, k, after, cut);
    return k->bound < cut;
}

static inline void measure_time(struct cs_volatile_chooser *c,
                                const struct cs_volatile_candidate *k,
                                const struct cs_volatile_set *set, struct step *step)
{
    struct cs_volatile_partial *after = &step->after;

    step->score.value =
        -(after->transfer + cs_volatile_work_time(set, c->gauge.estimate, after->workload));
    if (isinf(step->score.value))
        step->score = measure_slowly(c, k, after);
}

static inline void measure_other(struct cs_volatile_chooser *c,
                                 const struct cs_volatile_partial *before,
                                 const struct cs_volatile_candidate *k,
                                 const struct cs_volatile_set *set, struct step *step)
{
    struct cs_volatile_partial *after = &step->after;
    struct cs_volatile_value value;

    after->log_alive = log_alive(c, before, k, after->transfer);
    value.log_p = after->log_alive + cs_volatile_work_log_p(set, after->workload);
    step->score.value = value.log_p;
    if (c->gauge.choice == CS_VOLATILE_PROBABILITY)
        return;
    value.time = after->transfer + cs_volatile_work_time(set, c->gauge.estimate, after->workload);
    if (isinf(value.time)) {
        step->score = measure_slowly(c, k, after);
        return;
    }
    value.log_time = c->gauge.choice == CS_VOLATILE_APPARENT_YIELD ? log(value.time) : NAN;
    value.lifetime = c->gauge.choice == CS_VOLATILE_RESTARTS
                         ? cs_volatile_sets_lifetime(c->gauge.estimator->sets, after->set)
                         : NAN;
    step->score = cs_volatile_score_of(c->gauge.choice, &value, c->gauge.tau);
}

/* The whole of a step of this candidate, which has been extended. */
static inline void measure(struct cs_volatile_chooser *c, const struct cs_volatile_partial *before,
                           struct step *step)
{
    const struct cs_volatile_candidate *k = &c->candidate[step->candidate];
    struct cs_volatile_sets *sets = c->gauge.estimator->sets;
    const struct cs_volatile_set *set;

    step->after.set = k->tasks ? before->set : cs_volatile_sets_add(sets, before->set, k->host);
    set = cs_volatile_sets_get(sets, step->after.set);
    if (c->gauge.choice == CS_VOLATILE_TIME)
        measure_time(c, k, set, step);
    else
        measure_other(c, before, k, set, step);
}

/* The candidate that was taken in this step last time, when it still can be; else -1. */
static int guess(const struct cs_volatile_chooser *c, int task)
{
    int host = c->last[task], at = c->place[host];

    if (at >= c->candidates || c->candidate[at].host != host ||
        c->candidate[at].tasks == c->candidate[at].capacity)
        return -1;
    return at;
}

/* A step that is about to be taken: the best candidate yet, and what all others have at most. */
static void take_step(struct cs_volatile_chooser *c, const struct cs_volatile_partial *before,
                      int task, struct step *best)
{
    const struct cs_volatile_gauge *g = &c->gauge;
    double loss = cs_volatile_sets_get(g->estimator->sets, before->set)->loss;
    double cut = -INFINITY, rival = -INFINITY;
    struct step step, hint = {.candidate = guess(c, task)};

    best->candidate = -1;
    if (hint.candidate >= 0) {
        cs_volatile_extend(g, before, &c->candidate[hint.candidate], &hint.after);
        measure(c, before, &hint);
        cut = cs_volatile_cut_below(hint.score.value);
    }
    for (int i = 0; i < c->candidates; i++) {
        struct cs_volatile_candidate *k = &c->candidate[i];

        step.candidate = i;
        if (k->tasks == k->capacity)
            continue;
        if (i != hint.candidate && hopeless(c, before, loss, k, &step.after, cut)) {
            rival = cs_volatile_larger(rival, k->bound);
            continue;
        }
        if (i == hint.candidate)
            step = hint;
        else
            measure(c, before, &step);
        if (best->candidate >= 0 && !cs_volatile_better(g->choice, &step.score, &best->score)) {
            rival = cs_volatile_larger(rival, step.score.value);
            continue;
        }
        if (best->candidate >= 0)
            rival = cs_volatile_larger(rival, best->score.value);
        *best = step;
        cut = cs_volatile_larger(cut, cs_volatile_cut_below(step.score.value));
    }
    CS_REQUIRE(best->candidate >= 0);
    c->last[task] = c->candidate[best->candidate].host;
    cs_volatile_trail_tell(c->trail, task, before, c->last[task], best->score.value, rival);
}

/* The step that was taken last time, when it is certain that it would be taken again. */
static bool repeat_step(struct cs_volatile_chooser *c, const struct cs_volatile_partial *before,
                        int task, struct step *best)
{
    const int *doubted;
    int doubts, host = cs_volatile_trail_ask(c->trail, task, &doubted, &doubts);
    double rival = -INFINITY;

    if (host < 0)
        return false;
    best->candidate = c->place[host];
    cs_volatile_extend(&c->gauge, before, &c->candidate[best->candidate], &best->after);
    measure(c, before, best);
    for (int i = 0; i < doubts; i++) {
        struct step step = {.candidate = c->place[doubted[i]]};

        cs_volatile_extend(&c->gauge, before, &c->candidate[step.candidate], &step.after);
        measure(c, before, &step);
        rival = cs_volatile_larger(rival, step.score.value);
    }
    return cs_volatile_trail_repeat(c->trail, task, before, best->score.value, rival);
}

static void give_task(struct cs_volatile_chooser *c, int candidate)
{
    struct cs_volatile_candidate *k = &c->candidate[candidate];

    if (k->tasks++ == 0)
        c->taken[c->takens++] = candidate;
    cs_volatile_look_ahead(&c->gauge, c->view, k);
}

/* All tasks to one host instead, where that is better still. */
static void try_singles(struct cs_volatile_chooser *c, struct cs_volatile_score best)
{
    struct cs_volatile_estimator *e = c->gauge.estimator;
    int tasks = e->in->app.tasks, found = -1;

    for (int i = 0; i < c->candidates; i++) {
        const struct cs_volatile_candidate *k = &c->candidate[i];
        int need = cs_volatile_need(c->view, k->host, tasks);
        struct cs_volatile_load load = {.set = cs_volatile_sets_add(e->sets, 0, k->host),
                                        .members = 1,
                                        .member = &k->host,
                                        .need = &need,
                                        .workload = (int64_t)tasks * k->slots};
        struct cs_volatile_value value;
        struct cs_volatile_score score;

        if (k->capacity < tasks)
            continue;
        value = cs_volatile_evaluate(e, c->gauge.estimate, &load);
        if (c->gauge.choice == CS_VOLATILE_RESTARTS)
            value.lifetime = cs_volatile_sets_lifetime(e->sets, load.set);
        score = cs_volatile_score_of(c->gauge.choice, &value, c->gauge.tau);
        if (cs_volatile_better(c->gauge.choice, &score, &best)) {
            best = score;
            found = i;
        }
    }
    if (found < 0)
        return;
    for (int i = 0; i < c->candidates; i++)
        c->candidate[i].tasks = i == found ? tasks : 0;
}

static void write_plan(const struct cs_volatile_chooser *c, struct cs_volatile_plan *plan)
{
    for (int i = 0; i < plan->members; i++)
        plan->tasks[plan->member[i]] = 0;
    plan->members = 0;
    plan->workload = 0;
    for (int i = 0; i < c->candidates; i++) {
        const struct cs_volatile_candidate *k = &c->candidate[i];
        int64_t work = (int64_t)k->tasks * k->slots;

        if (k->tasks == 0)
            continue;
        plan->tasks[k->host] = k->tasks;
        plan->member[plan->members++] = k->host;
        plan->workload = work > plan->workload ? work : plan->workload;
    }
}

static void move_to_front(struct cs_volatile_chooser *c, int host)
{
    int at = 0;

    while (at < RECENT - 1 && c->recent[at] != host)
        at++;
    for (; at > 0; at--)
        c->recent[at] = c->recent[at - 1];
    c->recent[0] = host;
}

bool cs_volatile_choose(struct cs_volatile_chooser *c, const struct cs_volatile_view *view,
                        struct cs_volatile_plan *plan)
{
    struct cs_volatile_partial partial = {0};
    struct step best = {.candidate = -1};

    cs_volatile_trail_begin(c->trail);
    if (!begin(c, view))
        return false;
    for (int task = 0; task < view->in->app.tasks; task++) {
        if (!repeat_step(c, &partial, task, &best))
            take_step(c, &partial, task, &best);
        give_task(c, best.candidate);
        partial = best.after;
    }
    if (c->singles)
        try_singles(c, best.score);
    write_plan(c, plan);
    if (c->singles)
        return true;
    cs_volatile_trail_end(c->trail, view, plan);
    if (plan->members == 1)
        move_to_front(c, plan->member[0]);
    return true;
}

void cs_volatile_chooser_forget(struct cs_volatile_chooser *c)
{
    cs_volatile_trail_forget(c->trail);
    cs_volatile_solo_forget(c->solo);
}

/* The host that certainly gets all tasks, or -1. */
static int find_solo(struct cs_volatile_chooser *c, const struct cs_volatile_view *view)
{
    for (int i = 0; i < RECENT; i++)
        if (c->recent[i] >= 0 && cs_volatile_solo_is_chosen(c->solo, view, c->recent[i]))
            return c->recent[i];
    return -1;
}

static void give_all(struct cs_volatile_chooser *c, const struct cs_volatile_view *view, int host,
                     struct cs_volatile_plan *plan)
{
    for (int i = 0; i < plan->members; i++)
        plan->tasks[plan->member[i]] = 0;
    plan->members = 1;
    plan->member[0] = host;
    plan->tasks[host] = view->in->app.tasks;
    plan->workload = (int64_t)plan->tasks[host] * view->in->host[host].slots;
    move_to_front(c, host);
}

enum cs_volatile_again cs_volatile_choose_again(struct cs_volatile_chooser *c,
                                                const struct cs_volatile_view *view,
                                                struct cs_volatile_plan *plan)
{
    int host;
    bool same;

    if (c->singles)
        return CS_VOLATILE_UNCERTAIN;
    cs_volatile_solo_look(c->solo, view);
    if (plan->members > 1 && cs_volatile_trail_look(c->trail, view))
        return CS_VOLATILE_SAME;
    host = find_solo(c, view);
    if (host < 0)
        return plan->members == 1 && cs_volatile_trail_look(c->trail, view) ? CS_VOLATILE_SAME
                                                                            : CS_VOLATILE_UNCERTAIN;
    cs_volatile_trail_forget(c->trail);
    same = plan->tasks[host] == view->in->app.tasks;
    if (!same)
        give_all(c, view, host, plan);
    return same ? CS_VOLATILE_SAME : CS_VOLATILE_OTHER;
}
