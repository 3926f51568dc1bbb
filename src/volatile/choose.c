/* choose.c - the next task goes where the measure of the whole is best.
 *
 * A step looks at every candidate host; sets are numbers in the table of sets, so that a candidate
 * costs a look-up.  The host that the same step took last time is measured first; a candidate that
 * bounds show to be worse is not measured: P+(S + q) is at most P+(S) and P+(q), and a gap is at
 * least 1 (section 3.4).  Bounds leave a margin far above rounding, so that no choice depends on
 * them.
 */
#include "volatile/choose.h"

#include "base/bug.h"

#include <string.h>

struct candidate {
    int host, tasks, capacity, slots;
    int need, next; /* slots of transfers for its tasks and for one more */
    double single;  /* the expected time of `next` */
    double loss;    /* -log P+ of the host alone */
    double alive;   /* log P_ND for that time: it gets no better in a configuration */
    double bound;   /* its score in a step before, at most; it gets no better */
};

/* The configuration so far. */
struct partial {
    int set;
    int64_t workload;
    double longest;   /* the largest expected time of transfers to one host */
    double sum;       /* slots of all transfers */
    double transfer;  /* Ecomm */
    double log_alive; /* log Pcomm, where probabilities are */
};

#define MARGIN 1e-9
#define HUGE_LOSS 600.0 /* of log P: exp of it is still a number */

struct step {
    struct partial after;
    struct cs_volatile_score score;
    int candidate; /* -1: none yet */
};

struct cs_volatile_chooser {
    struct cs_volatile_estimator *estimator;
    enum cs_volatile_measure choice;
    enum cs_volatile_estimate estimate;
    bool singles;
    const struct cs_volatile_view *view;
    struct candidate *candidate;
    int candidates, *taken, takens;      /* taken: candidates that have a task */
    int *member, *need;                  /* room for a load */
    const struct cs_volatile_set *alone; /* by host */
    int *place;                          /* by host: its candidate, when that is the same host */
    int *last;                           /* by step: the host that was taken last time */
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

    CS_REQUIRE(choice != CS_VOLATILE_NONE && choice != CS_VOLATILE_DICE);
    *c = (struct cs_volatile_chooser){
        .estimator = estimator,
        .choice = choice,
        .estimate = choice == CS_VOLATILE_RESTARTS ? CS_VOLATILE_CONDITIONAL : estimate,
        .singles = singles,
        .candidate = CS_NEW_ARRAY(arena, struct candidate, estimator->in->hosts),
        .taken = CS_NEW_ARRAY(arena, int, estimator->in->hosts),
        .member = CS_NEW_ARRAY(arena, int, estimator->in->hosts),
        .need = CS_NEW_ARRAY(arena, int, estimator->in->hosts),
        .place = CS_NEW_ARRAY(arena, int, estimator->in->hosts),
        .last = CS_NEW_ARRAY(arena, int, estimator->in->app.tasks),
    };
    c->alone = sets_of_one(estimator->sets, estimator->in->hosts, arena);
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

static void look_ahead(struct cs_volatile_chooser *c, struct candidate *k)
{
    k->need = k->next;
    if (k->tasks < k->capacity) {
        k->next = cs_volatile_need(c->view, k->host, k->tasks + 1);
        k->single = cs_volatile_single(c->estimator, c->estimate, k->host, k->next);
        if (c->choice != CS_VOLATILE_TIME && k->tasks == 0)
            k->alive = cs_volatile_single_alive(c->estimator, c->estimate, k->host, k->next);
    }
}

static bool begin(struct cs_volatile_chooser *c, const struct cs_volatile_view *view)
{
    const struct cs_volatile_instance *in = view->in;
    int64_t room = 0;

    c->view = view;
    c->candidates = c->takens = 0;
    for (int q = 0; q < in->hosts; q++) {
        if (view->state[q] != CS_VOLATILE_UP || in->capacity[q] == 0)
            continue;
        room += in->capacity[q];
        c->place[q] = c->candidates;
        c->candidate[c->candidates++] = (struct candidate){.host = q,
                                                           .capacity = in->capacity[q],
                                                           .slots = in->host[q].slots,
                                                           .loss = c->alone[q].loss,
                                                           .bound = INFINITY};
    }
    if (room < in->app.tasks)
        return false;
    for (int i = 0; i < c->candidates; i++)
        look_ahead(c, &c->candidate[i]);
    return true;
}

/* log Pcomm for a new Ecomm, or with a new host. */
static double log_alive(struct cs_volatile_chooser *c, const struct partial *before,
                        const struct candidate *k, double transfer)
{
    struct cs_volatile_estimator *e = c->estimator;
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
                                               const struct candidate *k,
                                               const struct partial *after)
{
    struct cs_volatile_load load = {.set = after->set, .workload = after->workload};
    struct cs_volatile_value value;

    for (int i = 0; i < c->takens; i++) {
        const struct candidate *other = &c->candidate[c->taken[i]];

        c->member[load.members] = other->host;
        c->need[load.members++] = other == k ? k->next : other->need;
    }
    if (k->tasks == 0) {
        c->member[load.members] = k->host;
        c->need[load.members++] = k->next;
    }
    load.member = c->member;
    load.need = c->need;
    value = cs_volatile_evaluate(c->estimator, c->estimate, &load);
    value.lifetime = c->choice == CS_VOLATILE_RESTARTS
                         ? cs_volatile_sets_lifetime(c->estimator->sets, after->set)
                         : NAN;
    return cs_volatile_score_of(c->choice, &value, c->view->tau);
}

/* Work and transfers after giving the next task to this candidate; not yet the set. */
static inline void extend(const struct cs_volatile_chooser *c, const struct partial *before,
                          const struct candidate *k, struct partial *after)
{
    int64_t work = (int64_t)(k->tasks + 1) * k->slots;

    after->workload = work > before->workload ? work : before->workload;
    after->longest = k->single > before->longest ? k->single : before->longest;
    after->sum = before->sum + (k->next - k->need);
    after->transfer = after->sum / c->estimator->transfers;
    if (after->longest > after->transfer)
        after->transfer = after->longest;
}

/* The score of a candidate is at most this: with the smaller P+ of the set so far and of the host
 * alone, with Pcomm as if the host were sent to alone, and with a gap of 1.  What is below `cut`
 * need not be close. */
static inline double bound_of(const struct cs_volatile_chooser *c, const struct partial *before,
                              double loss, const struct candidate *k, const struct partial *after,
                              double cut)
{
    double more = (double)(after->workload - 1), x = 0, log_p, time;

    if (more > 0)
        x = more * (k->loss > loss ? k->loss : loss);
    log_p = before->log_alive + (k->tasks ? 0 : k->alive) - x;
    if (c->choice == CS_VOLATILE_PROBABILITY || c->choice == CS_VOLATILE_RESTARTS)
        return log_p;
    time = after->transfer + more + 1;
    if (c->choice == CS_VOLATILE_TIME ? -time < cut : log_p < cut)
        return c->choice == CS_VOLATILE_TIME ? -time : log_p;
    if (c->estimate == CS_VOLATILE_PRINTED && x < HUGE_LOSS)
        time = fmax(time, after->transfer + (1 + more - x) * exp(x));
    if (c->choice == CS_VOLATILE_TIME)
        return -time;
    return log_p - log(c->choice == CS_VOLATILE_YIELD ? time + (double)c->view->tau : time);
}

/* Surely worse than another candidate, whose score is above `cut` by more than rounding. */
static inline bool hopeless(const struct cs_volatile_chooser *c, const struct partial *before,
                            double loss, struct candidate *k, struct partial *after, double cut)
{
    if (k->bound < cut)
        return true;
    extend(c, before, k, after);
    k->bound = bound_of(c, before, loss, k, after, cut);
    return k->bound < cut;
}

static double cut_below(double limit)
{
    double size = fabs(limit);

    return limit - MARGIN * (size > 1 ? size : 1);
}

static inline void measure_time(struct cs_volatile_chooser *c, const struct candidate *k,
                                const struct cs_volatile_set *set, struct step *step)
{
    struct partial *after = &step->after;

    step->score.value =
        -(after->transfer + cs_volatile_work_time(set, c->estimate, after->workload));
    if (isinf(step->score.value))
        step->score = measure_slowly(c, k, after);
}

static inline void measure_other(struct cs_volatile_chooser *c, const struct partial *before,
                                 const struct candidate *k, const struct cs_volatile_set *set,
                                 struct step *step)
{
    struct partial *after = &step->after;
    struct cs_volatile_value value;

    after->log_alive = log_alive(c, before, k, after->transfer);
    value.log_p = after->log_alive + cs_volatile_work_log_p(set, after->workload);
    step->score.value = value.log_p;
    if (c->choice == CS_VOLATILE_PROBABILITY)
        return;
    value.time = after->transfer + cs_volatile_work_time(set, c->estimate, after->workload);
    if (isinf(value.time)) {
        step->score = measure_slowly(c, k, after);
        return;
    }
    value.log_time = c->choice == CS_VOLATILE_APPARENT_YIELD ? log(value.time) : NAN;
    value.lifetime = c->choice == CS_VOLATILE_RESTARTS
                         ? cs_volatile_sets_lifetime(c->estimator->sets, after->set)
                         : NAN;
    step->score = cs_volatile_score_of(c->choice, &value, c->view->tau);
}

/* The whole of a step of this candidate, which has been extended. */
static inline void measure(struct cs_volatile_chooser *c, const struct partial *before,
                           struct step *step)
{
    const struct candidate *k = &c->candidate[step->candidate];
    struct cs_volatile_sets *sets = c->estimator->sets;
    const struct cs_volatile_set *set;

    step->after.set = k->tasks ? before->set : cs_volatile_sets_add(sets, before->set, k->host);
    set = cs_volatile_sets_get(sets, step->after.set);
    if (c->choice == CS_VOLATILE_TIME)
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

static void take_step(struct cs_volatile_chooser *c, const struct partial *before, int task,
                      struct step *best)
{
    double loss = cs_volatile_sets_get(c->estimator->sets, before->set)->loss, cut = -INFINITY;
    struct step step, hint = {.candidate = guess(c, task)};

    best->candidate = -1;
    if (hint.candidate >= 0) {
        extend(c, before, &c->candidate[hint.candidate], &hint.after);
        measure(c, before, &hint);
        cut = cut_below(hint.score.value);
    }
    for (int i = 0; i < c->candidates; i++) {
        struct candidate *k = &c->candidate[i];

        step.candidate = i;
        if (k->tasks == k->capacity ||
            (i != hint.candidate && hopeless(c, before, loss, k, &step.after, cut)))
            continue;
        if (i == hint.candidate)
            step = hint;
        else
            measure(c, before, &step);
        if (best->candidate >= 0 && !cs_volatile_better(c->choice, &step.score, &best->score))
            continue;
        *best = step;
        cut = fmax(cut, cut_below(step.score.value));
    }
    CS_REQUIRE(best->candidate >= 0);
    c->last[task] = c->candidate[best->candidate].host;
}

static void give_task(struct cs_volatile_chooser *c, int candidate)
{
    struct candidate *k = &c->candidate[candidate];

    if (k->tasks++ == 0)
        c->taken[c->takens++] = candidate;
    look_ahead(c, k);
}

/* All tasks to one host instead, where that is better still. */
static void try_singles(struct cs_volatile_chooser *c, struct cs_volatile_score best)
{
    struct cs_volatile_estimator *e = c->estimator;
    int tasks = e->in->app.tasks, found = -1;

    for (int i = 0; i < c->candidates; i++) {
        const struct candidate *k = &c->candidate[i];
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
        value = cs_volatile_evaluate(e, c->estimate, &load);
        if (c->choice == CS_VOLATILE_RESTARTS)
            value.lifetime = cs_volatile_sets_lifetime(e->sets, load.set);
        score = cs_volatile_score_of(c->choice, &value, c->view->tau);
        if (cs_volatile_better(c->choice, &score, &best)) {
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
        const struct candidate *k = &c->candidate[i];
        int64_t work = (int64_t)k->tasks * k->slots;

        if (k->tasks == 0)
            continue;
        plan->tasks[k->host] = k->tasks;
        plan->member[plan->members++] = k->host;
        plan->workload = work > plan->workload ? work : plan->workload;
    }
}

bool cs_volatile_choose(struct cs_volatile_chooser *c, const struct cs_volatile_view *view,
                        struct cs_volatile_plan *plan)
{
    struct partial partial = {0};
    struct step best = {.candidate = -1};

    if (!begin(c, view))
        return false;
    for (int task = 0; task < view->in->app.tasks; task++) {
        take_step(c, &partial, task, &best);
        give_task(c, best.candidate);
        partial = best.after;
    }
    if (c->singles)
        try_singles(c, best.score);
    write_plan(c, plan);
    return true;
}
