/* arrival.h - fast path for arrivals: try the arriving job before inserting it into the queue.
 *
 * For policies after whose decisions no waiting job could start.  That remains true while jobs only
 * arrive: the number of free processors does not grow, and a job that starts later ends later.
 * So a job that arrives behind the head is the only one to examine.
 */
#ifndef CS_SCHED_ARRIVAL_H
#define CS_SCHED_ARRIVAL_H

#include "sched/policy.h"
#include "sched/queue.h"

/* EASY's reservation: when so many processors are free for good, and how many are left over then
 * (Lifka 1995). */
struct cs_sched_shadow {
    double at; /* now when there are enough */
    int extra;
};

/* From the running attempts and those that start now (NULL: none), after which `free` processors
 * are free.  In the end there are enough. */
struct cs_sched_shadow cs_sched_shadow_among(const struct cs_sched_view *view,
                                             const struct cs_sched_running *starting, int free,
                                             int procs);

/* From the running attempts only. */
static inline struct cs_sched_shadow cs_sched_shadow_of(const struct cs_sched_view *view, int procs)
{
    const struct cs_sched_attempt *attempt = view->running->soon->attempt;
    struct cs_sched_shadow shadow = {view->now, view->free};
    int a = view->running->few - 1;

    if (view->running->others)
        return cs_sched_shadow_among(view, NULL, view->free, procs);
    for (; a >= 0 && shadow.extra < procs; a--) {
        shadow.at = attempt[a].end;
        shadow.extra += attempt[a].procs;
    }
    for (; a >= 0 && attempt[a].end == shadow.at; a--)
        shadow.extra += attempt[a].procs;
    shadow.extra -= procs;
    return shadow;
}

struct cs_sched_arrival {
    int ticket; /* -1: none */
    bool known; /* the shadow of the head, which does not fit */
    struct cs_sched_shadow shadow;
};

static inline void cs_sched_arrival_begin(struct cs_sched_arrival *arrival)
{
    arrival->ticket = -1;
    arrival->known = false;
}

/* It is in the queue from here on. */
static inline void cs_sched_arrival_settle(struct cs_sched_arrival *arrival,
                                           struct cs_sched_queue *queue)
{
    if (arrival->ticket < 0)
        return;
    cs_sched_queue_add(queue, arrival->ticket);
    arrival->ticket = -1;
}

/* Returns how many start. */
static inline int cs_sched_arrival_start(struct cs_sched_arrival *arrival, int *start)
{
    *start = arrival->ticket;
    arrival->ticket = -1;
    return 1;
}

/* Does it fit next to the reservation of the head?  A job that starts here does not move that
 * reservation: either it ends by then, or its processors are subtracted from the extra ones. */
static inline bool cs_sched_arrival_fits(struct cs_sched_arrival *arrival,
                                         const struct cs_sched_queue *queue,
                                         const struct cs_sched_view *view)
{
    const struct cs_sched_instance *in = queue->in;
    const int procs = in->procs[arrival->ticket];

    if (procs > view->free)
        return false;
    if (!arrival->known)
        arrival->shadow = cs_sched_shadow_of(view, in->procs[cs_sched_queue_head(queue)]);
    arrival->known = true;
    if (cs_sched_end(in, arrival->ticket, view->now) <= arrival->shadow.at)
        return true;
    if (procs > arrival->shadow.extra)
        return false;
    arrival->shadow.extra -= procs;
    return true;
}

#endif
