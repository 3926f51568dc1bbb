/* fcfs.c - first come, first served: in queue order, without backfilling.
 *
 * Source: spec/replay.md 7.1; Feitelson and Rudolph 1995.
 *
 * Idea: on one pool heads start as long as they fit.  On any machine a job that does not start,
 * since it does not fit or a pool of its partition is closed, closes the pools of its partition
 * for the round.
 *
 * Invariant: no job starts while a more urgent one waits for the same pools.
 *
 * Complexity: O(1) queries for each start on one pool; O(n) searches of the space on any machine.
 */
#include "sched/planner.h"
#include "sched/queue.h"

#include <string.h>

/* One pool: the state is the queue. */

static void *fcfs_create(const struct cs_sched_instance *in, const double *param,
                         struct cs_arena *arena, struct cs_error *err)
{
    struct cs_sched_queue *queue = CS_NEW(arena, struct cs_sched_queue);

    (void)param;
    (void)err;
    cs_sched_queue_init(queue, in, arena);
    return queue;
}

static int fcfs_decide(void *state, const struct cs_sched_view *view, int *start)
{
    struct cs_sched_queue *queue = state;
    struct cs_sched_cursor first = {0, 0};
    int count = 0, free = view->free, head;

    while ((head = cs_sched_queue_at(queue, &first)) >= 0 && queue->in->procs[head] <= free) {
        cs_sched_queue_remove_at(queue, first);
        free -= queue->in->procs[head];
        start[count++] = head;
    }
    return count;
}

/* Any machine: a job that does not start, because it does not fit or because one of its pools is
 * closed, closes the pools of its partition for the round. */
struct closing {
    struct cs_sched_planner planner;
    bool *closed; /* by pool */
};

static void *create_general(const struct cs_sched_instance *in, const double *param,
                            struct cs_arena *arena, struct cs_error *err)
{
    struct closing *c = CS_NEW(arena, struct closing);

    (void)param;
    (void)err;
    cs_sched_planner_init(&c->planner, in, arena);
    c->closed = CS_NEW_ARRAY(arena, bool, c->planner.space.pools);
    return c;
}

static int decide_general(void *state, const struct cs_sched_view *view, int *start)
{
    struct closing *c = state;
    struct cs_sched_planner *p = &c->planner;

    if (!p->waiting)
        return 0;
    cs_sched_planner_begin(p, view, start);
    memset(c->closed, 0, (size_t)p->space.pools * sizeof *c->closed);
    for (int k = 0; k < p->waiting; k++) {
        const int ticket = p->line[k];

        if (!cs_sched_planner_admits(p, ticket))
            continue;
        if (cs_sched_planner_any(p, ticket, c->closed) || !cs_sched_planner_try(p, k, NULL))
            cs_sched_planner_close(p, ticket, c->closed);
    }
    return cs_sched_planner_end(p);
}

static const struct cs_sched_policy general = {
    .create = create_general,
    .begin = cs_sched_planner_fill,
    .arrived = cs_sched_planner_add,
    .failed = cs_sched_planner_add,
    .withdrawn = cs_sched_planner_withdraw,
    .reranked = cs_sched_planner_rerank,
    .decide = decide_general,
};

static const struct cs_sched_policy *fcfs_choose(const struct cs_sched_instance *in,
                                                 const double *param)
{
    (void)param;
    return cs_sched_is_general(in) ? &general : NULL;
}

const struct cs_sched_policy cs_sched_policy_fcfs = {
    .info =
        {
            .name = "fcfs",
            .problem = "rigid",
            .summary = "in order of priority, no job overtakes one that waits for the same "
                       "processors",
            .source = "no backfilling; Feitelson and Rudolph 1995",
        },
    .tail = true,
    .choose = fcfs_choose,
    .create = fcfs_create,
    .begin = cs_sched_queue_begin,
    .arrived = cs_sched_queue_waits,
    .failed = cs_sched_queue_waits,
    .withdrawn = cs_sched_queue_withdrawn,
    .reranked = cs_sched_queue_reranked,
    .decide = fcfs_decide,
};
