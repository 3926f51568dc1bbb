/* queue.c - rigid jobs under the list policies of the rigid problem, which are driven by events
 * instead of by a simulator.
 *
 * An attempt is expected to end as the instance says; one that is late is expected to end at any
 * moment.  Jobs of a shelf keep their slots until it is over, as in the simulator's schedules.
 */
#include "run/decider.h"
#include "run/setup.h"

#include "rigid/learn.h"
#include "rigid/priority.h"

#include <math.h>
#include <string.h>

struct attempt {
    double end; /* expected */
    int rank;
};

struct queue {
    struct cs_rigid_jobs jobs;
    struct cs_rigid_instance *in;
    const struct cs_rigid_policy *policy;
    void *state;
    int *rank;               /* by task */
    struct attempt *attempt; /* that run, the one that ends last first */
    struct cs_rigid_attempt *shown;
    int running, slots, lost, held; /* slots: of the machine; held: by those that run */
    int *start;
    bool late;           /* an attempt ended at another time than expected */
    double verification; /* mean of those seen */
    int verifications;
    int **kept; /* shelves: by task, slots of the attempt before, or NULL */
    struct cs_arena *arena;
};

static int create_policy(struct queue *q, const struct cs_run_setup *setup, struct cs_error *err)
{
    const struct cs_rigid_priority *priority = cs_rigid_priority_find(setup->priority, err);
    const struct cs_rigid_draw draw = {.seed = 1};
    struct cs_policy_call call;

    q->policy = cs_rigid_policy_parse(setup->policy, &call, err);
    if (!priority || !q->policy || cs_rigid_jobs_check(&q->jobs, err))
        return -1;
    q->in = cs_rigid_priority_instance(priority, &q->jobs, &draw, q->arena);
    q->state = q->in->learns ? cs_rigid_learn_create(&q->policy, q->in, call.param, q->arena, err)
                             : q->policy->create(q->in, call.param, q->arena, err);
    return q->state ? 0 : -1;
}

static void *create(const struct cs_run_setup *setup, int slots, struct cs_arena *arena,
                    struct cs_error *err)
{
    struct queue *q = CS_NEW(arena, struct queue);

    *q = (struct queue){
        .jobs = {.count = setup->tasks,
                 .machine = slots,
                 .seconds = setup->seconds,
                 .procs = setup->procs},
        .slots = slots,
        .arena = arena,
    };
    if (create_policy(q, setup, err))
        return NULL;
    q->rank = CS_NEW_ARRAY(arena, int, setup->tasks);
    q->attempt = CS_NEW_ARRAY(arena, struct attempt, setup->tasks);
    q->shown = CS_NEW_ARRAY(arena, struct cs_rigid_attempt, setup->tasks);
    q->start = CS_NEW_ARRAY(arena, int, setup->tasks);
    if (q->policy->shelves)
        q->kept = CS_NEW_ARRAY(arena, int *, setup->tasks);
    for (int k = 0; k < setup->tasks; k++)
        q->rank[q->in->job[k]] = k;
    q->policy->begin(q->state);
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
    q->late = true;
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
    int rank = q->rank[event->task], at = 0;

    while (q->attempt[at].rank != rank)
        at++;
    q->late = q->late || q->attempt[at].end != event->time;
    q->held -= q->in->procs[rank];
    q->running--;
    memmove(q->attempt + at, q->attempt + at + 1, (size_t)(q->running - at) * sizeof *q->attempt);
    learn_verification(q, event->value);
    keep_slots(q, event);
    if (event->verdict == CS_RUN_SUCCEEDED && q->policy->succeeded)
        q->policy->succeeded(q->state, rank);
    else if (event->verdict == CS_RUN_AGAIN)
        q->policy->failed(q->state, rank);
}

static void see(void *state, const struct cs_run_event *event)
{
    struct queue *q = state;

    if (event->kind == CS_RUN_ENDED)
        see_end(q, event);
    else if (event->kind == CS_RUN_DUE)
        q->policy->failed(q->state, q->rank[event->task]);
    else if (event->kind == CS_RUN_SLOT_DOWN)
        q->lost++;
    else if (event->kind == CS_RUN_SLOT_UP)
        q->lost--;
}

/* The machine as the policy sees it.  An attempt that is late ends at any moment. */
static struct cs_rigid_view look(struct queue *q, double now)
{
    for (int a = 0; a < q->running; a++) {
        int rank = q->attempt[a].rank;
        double end = q->attempt[a].end;

        q->shown[a] = (struct cs_rigid_attempt){end > now ? end : nextafter(now, INFINITY),
                                                q->in->procs[rank], rank};
    }
    return (struct cs_rigid_view){
        .now = now,
        .free = q->slots - q->lost - q->held,
        .running = q->running,
        .attempt = q->shown,
    };
}

static void note_start(struct queue *q, int rank, double now)
{
    double end = cs_rigid_end(q->in, rank, now);
    int at = q->running++;

    for (; at > 0 && q->attempt[at - 1].end < end; at--)
        q->attempt[at] = q->attempt[at - 1];
    q->attempt[at] = (struct attempt){end, rank};
    q->held += q->in->procs[rank];
}

static int decide(void *state, double now, struct cs_run_action *action)
{
    struct queue *q = state;
    struct cs_rigid_view view = look(q, now);
    bool same_shelf = q->running > 0;
    int count;

    q->late = false;
    count = q->policy->decide(q->state, &view, q->start);
    for (int a = 0; a < count; a++) {
        int task = q->in->job[q->start[a]];

        note_start(q, q->start[a], now);
        action[a] = (struct cs_run_action){
            .kind = CS_RUN_START,
            .task = task,
            .count = q->in->procs[q->start[a]],
            .slot = q->kept && same_shelf ? q->kept[task] : NULL,
        };
    }
    return count;
}

const struct cs_run_decider cs_run_decider_queue = {
    .name = "queue",
    .create = create,
    .see = see,
    .decide = decide,
};
