/* choose.c - the next task goes where the measure of the whole is best.
 *
 * A step looks at every candidate host; sets are numbers in the table of sets, so that a candidate
 * costs a look-up.  Scores are computed as far as they are needed: a time that cannot be less than
 * the best one, by the first terms of its exponential, is not computed.
 */
#include "volatile/choose.h"

#include "base/bug.h"

#include <string.h>

struct candidate {
    int host, tasks, capacity, slots;
    int need, next; /* slots of transfers for its tasks and for one more */
    double single;  /* the expected time of `next` */
};

/* The configuration so far. */
struct partial {
    int set;
    int64_t workload;
    double longest;   /* the largest expected time of transfers to one host */
    double sum;       /* slots of all transfers */
    double transfer;  /* Ecomm */
    double log_alive; /* log Pcomm */
};

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
    int candidates, *taken, takens; /* taken: candidates that have a task */
    int *member, *need;             /* room for a load */
};

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
    };
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
        c->candidate[c->candidates++] =
            (struct candidate){.host = q, .capacity = in->capacity[q], .slots = in->host[q].slots};
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

/* Is the printed time of this set certainly not below `limit`?  exp(x) >= 1 + x + x^2 / 2. */
static bool surely_longer(const struct cs_volatile_set *set, int64_t workload, double transfer,
                          double limit)
{
    double more = (double)(workload - 1), x = more * set->loss;

    return transfer + (1 + more * set->partial) * (1 + x * (1 + x / 2)) > limit * (1 + 1e-9);
}

/* The same without overflow, from scratch: times beyond the range of numbers are compared by their
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

/* All but the score of giving the next task to this candidate. */
static inline void extend(struct cs_volatile_chooser *c, const struct partial *before,
                          const struct candidate *k, struct partial *after)
{
    struct cs_volatile_estimator *e = c->estimator;
    int64_t work = (int64_t)(k->tasks + 1) * k->slots;

    after->set = k->tasks ? before->set : cs_volatile_sets_add(e->sets, before->set, k->host);
    after->workload = work > before->workload ? work : before->workload;
    after->longest = k->single > before->longest ? k->single : before->longest;
    after->sum = before->sum + (k->next - k->need);
    after->transfer = after->sum / e->transfers;
    if (after->longest > after->transfer)
        after->transfer = after->longest;
}

/* What it comes to; false when it surely is not better than the best. */
static inline bool measure_time(struct cs_volatile_chooser *c, const struct candidate *k,
                                const struct step *best, struct step *step)
{
    const struct partial *after = &step->after;
    const struct cs_volatile_set *set = cs_volatile_sets_get(c->estimator->sets, after->set);
    double time;

    if (best->candidate >= 0 && c->estimate == CS_VOLATILE_PRINTED &&
        surely_longer(set, after->workload, after->transfer, -best->score.value))
        return false;
    time = after->transfer + cs_volatile_work_time(set, c->estimate, after->workload);
    step->score.value = -time;
    if (isinf(time))
        step->score = measure_slowly(c, k, after);
    return true;
}

static inline void measure_other(struct cs_volatile_chooser *c, const struct partial *before,
                                 const struct candidate *k, struct step *step)
{
    struct partial *after = &step->after;
    const struct cs_volatile_set *set = cs_volatile_sets_get(c->estimator->sets, after->set);
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

static void take_step(struct cs_volatile_chooser *c, const struct partial *before,
                      struct step *best)
{
    struct step step = {.candidate = 0};

    best->candidate = -1;
    for (; step.candidate < c->candidates; step.candidate++) {
        const struct candidate *k = &c->candidate[step.candidate];

        if (k->tasks == k->capacity)
            continue;
        extend(c, before, k, &step.after);
        if (c->choice != CS_VOLATILE_TIME)
            measure_other(c, before, k, &step);
        else if (!measure_time(c, k, best, &step))
            continue;
        if (best->candidate < 0 || cs_volatile_better(c->choice, &step.score, &best->score))
            *best = step;
    }
    CS_REQUIRE(best->candidate >= 0);
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
    struct step best;

    if (!begin(c, view))
        return false;
    for (int task = 0; task < view->in->app.tasks; task++) {
        take_step(c, &partial, &best);
        give_task(c, best.candidate);
        partial = best.after;
    }
    if (c->singles)
        try_singles(c, best.score);
    write_plan(c, plan);
    return true;
}
