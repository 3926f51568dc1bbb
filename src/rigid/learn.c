/* learn.c - ranks of the driver outside, ranks of the moment inside. */
#include "rigid/learn.h"

#include "base/order.h"
#include "rigid/rate.h"

#include <math.h>

struct learner {
    const struct cs_rigid_instance *outer; /* ranks as the driver has them, for good */
    struct cs_rigid_instance inner;        /* ranks as the policy has them now */
    const struct cs_rigid_policy *policy;
    void *state; /* of the policy */
    struct cs_rigid_rate rate;
    int waiting;
    bool *waits;                  /* each job */
    bool ended;                   /* an attempt, since the order was made */
    int *job, *procs;             /* of inner */
    double *seconds;              /* of inner */
    int *outer_rank, *inner_rank; /* of each job */
    double *log_seconds, *key;    /* of each job */
    int *order, *moved;
    struct cs_arena *scratch;
};

static void take_order(struct learner *l, const int *order)
{
    for (int k = 0; k < l->inner.count; k++) {
        int j = order[k], outer = l->outer_rank[j];

        l->job[k] = j;
        l->seconds[k] = l->outer->seconds[outer];
        l->procs[k] = l->outer->procs[outer];
        l->inner_rank[j] = k;
    }
}

static void init_inner(struct learner *l, struct cs_arena *arena)
{
    int count = l->outer->count;

    l->job = CS_NEW_ARRAY(arena, int, count);
    l->procs = CS_NEW_ARRAY(arena, int, count);
    l->seconds = CS_NEW_ARRAY(arena, double, count);
    l->outer_rank = CS_NEW_ARRAY(arena, int, count);
    l->inner_rank = CS_NEW_ARRAY(arena, int, count);
    l->log_seconds = CS_NEW_ARRAY(arena, double, count);
    l->key = CS_NEW_ARRAY(arena, double, count);
    l->waits = CS_NEW_ARRAY(arena, bool, count);
    l->order = CS_NEW_ARRAY(arena, int, count);
    l->moved = CS_NEW_ARRAY(arena, int, count);
    l->inner = *l->outer;
    l->inner.job = l->job;
    l->inner.procs = l->procs;
    l->inner.seconds = l->seconds;
    for (int k = 0; k < count; k++) {
        l->outer_rank[l->outer->job[k]] = k;
        l->log_seconds[l->outer->job[k]] = log(l->outer->seconds[k]);
    }
    take_order(l, l->outer->job);
}

static bool same_order(const struct learner *l)
{
    for (int k = 0; k < l->inner.count; k++)
        if (l->order[k] != l->job[k])
            return false;
    return true;
}

/* The order by what is known now; the policy is told where its ranks have gone. */
static void learn(struct learner *l)
{
    double rate = cs_rigid_rate_estimate(&l->rate);

    l->ended = false;
    for (int j = 0; j < l->inner.count; j++)
        l->key[j] = l->log_seconds[j] + rate * l->rate.area[j];
    cs_order_descending(l->key, l->inner.count, l->order, l->scratch);
    if (same_order(l))
        return;
    for (int k = 0; k < l->inner.count; k++)
        l->moved[l->order[k]] = k;
    for (int k = 0; k < l->inner.count; k++)
        l->inner_rank[k] = l->moved[l->job[k]];
    for (int k = 0; k < l->inner.count; k++)
        l->moved[k] = l->inner_rank[k];
    take_order(l, l->order);
    l->policy->reranked(l->state, l->moved);
}

static void begin(void *state)
{
    struct learner *l = state;

    cs_rigid_rate_begin(&l->rate);
    l->waiting = l->inner.count;
    for (int j = 0; j < l->inner.count; j++)
        l->waits[j] = true;
    l->ended = true;
    l->policy->begin(l->state);
}

/* Returns the ticket that the policy knows. */
static int wait(struct learner *l, int job, bool waits)
{
    l->waiting += waits - l->waits[job];
    l->waits[job] = waits;
    return l->inner_rank[job];
}

static void arrived(void *state, int rank)
{
    struct learner *l = state;

    l->policy->arrived(l->state, wait(l, l->outer->job[rank], true));
}

static void failed(void *state, int rank)
{
    struct learner *l = state;
    int job = l->outer->job[rank];

    cs_rigid_rate_failed(&l->rate, job);
    l->ended = true;
    l->policy->failed(l->state, wait(l, job, true));
}

static void withdrawn(void *state, int rank)
{
    struct learner *l = state;

    l->policy->withdrawn(l->state, wait(l, l->outer->job[rank], false));
}

static void off_plan(void *state, enum cs_rigid_surprise surprise)
{
    struct learner *l = state;

    if (l->policy->off_plan)
        l->policy->off_plan(l->state, surprise);
}

static int shelf(void *state)
{
    struct learner *l = state;

    return l->policy->shelf(l->state);
}

static double wake(void *state)
{
    struct learner *l = state;

    return l->policy->wake(l->state);
}

static void succeeded(void *state, int rank)
{
    struct learner *l = state;

    cs_rigid_rate_succeeded(&l->rate, l->outer->job[rank]);
    l->ended = true;
}

static int decide(void *state, const struct cs_rigid_view *view, int *start)
{
    struct learner *l = state;
    int count;

    if (l->ended && l->waiting > 1)
        learn(l);
    count = l->policy->decide(l->state, view, start);
    for (int a = 0; a < count; a++) {
        int job = l->job[start[a]];

        wait(l, job, false);
        start[a] = l->outer_rank[job];
    }
    return count;
}

void *cs_rigid_learn_create(const struct cs_rigid_policy **policy,
                            const struct cs_rigid_instance *in, const double *param,
                            struct cs_arena *arena, struct cs_error *err)
{
    struct learner *l = CS_NEW(arena, struct learner);
    struct cs_rigid_policy *shown = CS_NEW(arena, struct cs_rigid_policy);

    *l = (struct learner){.outer = in, .policy = *policy, .scratch = arena};
    init_inner(l, arena);
    cs_rigid_rate_init(&l->rate, in->jobs, arena);
    l->state = l->policy->create(&l->inner, param, arena, err);
    if (!l->state)
        return NULL;
    *shown = **policy;
    shown->begin = begin;
    shown->arrived = arrived;
    shown->failed = failed;
    shown->succeeded = succeeded;
    shown->withdrawn = withdrawn;
    shown->off_plan = off_plan;
    shown->shelf = l->policy->shelf ? shelf : NULL;
    shown->wake = l->policy->wake ? wake : NULL;
    shown->decide = decide;
    *policy = shown;
    return l;
}
