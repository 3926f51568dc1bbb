/* queue.c - rigid jobs under the policies of src/sched, with their dispatcher.
 *
 * The expected end of an attempt is that of the instance; a late one is expected to end at any
 * time. Jobs of a shelf keep their slots until it is over, as in the simulator's schedules. A job
 * that is wider than the rest of the machine is held until enough slots return.
 */
#include "run/decider.h"
#include "run/setup.h"

#include "model/extpol.h"
#include "sched/dispatcher.h"
#include "sched/priority.h"

#include <math.h>
#include <string.h>

struct queue {
    const struct cs_run_setup *setup;
    struct cs_sched_jobs jobs;
    struct cs_sched_instance *in;
    struct cs_sched_dispatcher dispatcher;
    int *rank;              /* by task */
    bool *waits, *held;     /* by rank */
    int slots, lost, holds; /* holds: how many are held */
    double limit;           /* run time at which the allocation ends */
    double verification;    /* mean of those seen */
    int verifications;
    int shelf;  /* that runs */
    int **kept; /* shelves: by task, slots of the attempt before, or NULL */
    struct cs_arena *arena;
};

static int create_dispatcher(struct queue *q, const struct cs_run_setup *setup,
                             struct cs_error *err)
{
    const struct cs_sched_priority *priority = cs_sched_priority_find(setup->priority, err);
    const struct cs_sched_draw draw = {.seed = 1};
    struct cs_policy_call call;
    int count;
    const struct cs_policy *const *list = cs_sched_policies(&count);

    if (!priority)
        return cs_error_prefix(err, "%s: priority", setup->file);
    if (cs_extpol_parse_without(setup->policy, list, count, &call, err))
        return cs_error_prefix(err, "%s: policy", setup->file);
    if (cs_sched_jobs_check(&q->jobs, err))
        return -1;
    q->in = cs_sched_priority_instance(priority, &q->jobs, &draw, q->arena);
    return cs_sched_dispatcher_init(&q->dispatcher, q->in, cs_sched_policy_at(call.policy),
                                    call.param, q->arena, err);
}

static void *queue_create(const struct cs_run_setup *setup, int slots, struct cs_arena *arena,
                          struct cs_error *err)
{
    struct queue *q = CS_NEW(arena, struct queue);

    *q = (struct queue){
        .setup = setup,
        .limit = INFINITY,
        .jobs = {.count = setup->tasks,
                 .machine = slots,
                 .seconds = setup->seconds,
                 .procs = setup->procs},
        .slots = slots,
        .arena = arena,
    };
    if (create_dispatcher(q, setup, err))
        return NULL;
    q->rank = CS_NEW_ARRAY(arena, int, setup->tasks);
    q->waits = CS_NEW_ARRAY(arena, bool, setup->tasks);
    q->held = CS_NEW_ARRAY(arena, bool, setup->tasks);
    if (q->dispatcher.policy->shelf)
        q->kept = CS_NEW_ARRAY(arena, int *, setup->tasks);
    for (int k = 0; k < setup->tasks; k++) {
        q->rank[q->in->job[k]] = k;
        q->waits[k] = true;
    }
    q->shelf = -1;
    cs_sched_dispatcher_begin(&q->dispatcher);
    return q;
}

/* Verification takes as long as it did in the mean. */
static void learn_verification(struct queue *q, double seconds)
{
    if (!(seconds > 0))
        return;
    q->verifications++;
    q->verification += (seconds - q->verification) / q->verifications;
    q->in->verification = q->verification;
    cs_sched_dispatcher_expect_again(&q->dispatcher);
}

static void keep_slots(struct queue *q, const struct cs_run_event *event)
{
    if (!q->kept)
        return;
    if (!q->kept[event->task])
        q->kept[event->task] = CS_NEW_ARRAY(q->arena, int, q->jobs.procs[event->task]);
    memcpy(q->kept[event->task], event->held, (size_t)event->count * sizeof(int));
}

static void see_end(struct queue *q, const struct cs_run_event *event)
{
    int rank = q->rank[event->task];

    q->waits[rank] = event->finding == CS_RUN_AGAIN;
    cs_sched_dispatcher_ended(&q->dispatcher, rank, event->time,
                              event->finding == CS_RUN_SUCCEEDED ? CS_SCHED_DONE
                              : q->waits[rank]                   ? CS_SCHED_AGAIN
                                                                 : CS_SCHED_ABANDONED);
    learn_verification(q, event->value);
    keep_slots(q, event);
}

static void see_due(struct queue *q, int rank)
{
    q->waits[rank] = true;
    cs_sched_dispatcher_again(&q->dispatcher, rank);
}

/* An attempt that was unknown has ended: the policy has not seen it. */
static void see_found(struct queue *q, const struct cs_run_event *event)
{
    const int rank = q->rank[event->task];

    if (event->finding == CS_RUN_AGAIN) {
        if (!q->waits[rank])
            see_due(q, rank);
        return;
    }
    if (q->waits[rank] && !q->held[rank])
        cs_sched_dispatcher_withdrawn(&q->dispatcher, rank);
    q->waits[rank] = q->held[rank] = false;
}

static void see_slot(struct queue *q, int lost)
{
    q->lost += lost;
    cs_sched_dispatcher_lose(&q->dispatcher, lost);
}

/* One that the run did not begin with: the machine is larger. */
static void see_new_slots(struct queue *q, int slots)
{
    if (slots <= q->slots)
        return;
    cs_sched_dispatcher_grow(&q->dispatcher, slots - q->slots);
    q->lost += slots - q->slots;
    q->slots = slots;
}

static void queue_see(void *state, const struct cs_run_event *event)
{
    struct queue *q = state;

    if (event->kind == CS_RUN_ENDED)
        see_end(q, event);
    else if (event->kind == CS_RUN_FOUND)
        see_found(q, event);
    else if (event->kind == CS_RUN_DUE && event->task >= 0)
        see_due(q, q->rank[event->task]);
    else if (event->kind == CS_RUN_SLOT_DOWN)
        see_slot(q, 1);
    else if (event->kind == CS_RUN_SLOT_UP) {
        see_new_slots(q, event->slot + 1);
        see_slot(q, -1);
    } else if (event->kind == CS_RUN_LIMIT)
        q->limit = event->value;
    else if (event->kind == CS_RUN_RETRY)
        see_due(q, q->rank[event->task]);
}

/* A job that is wider than the rest, or would not end before the allocation, is hidden from the
 * policy, which could never start it. */
static void hold_back(struct queue *q, double now)
{
    if (q->lost == 0 && q->holds == 0 && isinf(q->limit))
        return;
    q->holds = 0;
    for (int k = 0; k < q->in->count; k++) {
        bool fits = q->in->procs[k] <= q->slots - q->lost &&
                    cs_run_setup_ends_by(q->setup, q->in->job[k], now, q->limit);

        if (q->waits[k] && !fits && !q->held[k])
            cs_sched_dispatcher_withdrawn(&q->dispatcher, k);
        else if (q->waits[k] && fits && q->held[k])
            cs_sched_dispatcher_arrived(&q->dispatcher, k);
        q->held[k] = q->waits[k] && !fits;
        q->holds += q->held[k];
    }
}

static bool is_same_shelf(struct queue *q)
{
    int before = q->shelf;

    if (!q->kept)
        return false;
    q->shelf = q->dispatcher.policy->shelf(q->dispatcher.state);
    return q->shelf == before;
}

static int queue_decide(void *state, double now, struct cs_run_action *action)
{
    struct queue *q = state;
    bool same_shelf;
    int count;

    hold_back(q, now);
    count = cs_sched_dispatcher_round(&q->dispatcher, now);
    same_shelf = is_same_shelf(q);
    for (int a = 0; a < count; a++) {
        int rank = q->dispatcher.start[a], task = q->in->job[rank];

        q->waits[rank] = false;
        action[a] = (struct cs_run_action){
            .kind = CS_RUN_START,
            .task = task,
            .count = q->in->procs[rank],
            .slot = same_shelf ? q->kept[task] : NULL,
        };
    }
    return count;
}

static double queue_wake(const void *state)
{
    return ((const struct queue *)state)->dispatcher.wake;
}

const struct cs_run_decider cs_run_decider_queue = {
    .name = "queue",
    .grows = true,
    .create = queue_create,
    .see = queue_see,
    .decide = queue_decide,
    .wake = queue_wake,
};
