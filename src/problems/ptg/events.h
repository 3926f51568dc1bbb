/* events.h - virtual time: graphs are released, tasks end, others become ready.
 *
 * All ends and releases of one date are taken together; the tasks that became ready by them are
 * then the caller's to place, and to announce the ends of.
 */
#ifndef CS_PTG_EVENTS_H
#define CS_PTG_EVENTS_H

#include "base/heap.h"
#include "problems/ptg/instance.h"

struct cs_ptg_events {
    const struct cs_ptg_instance *in;
    struct cs_heap heap; /* ends of tasks by number, then releases: tasks + graph */
    int *waits;          /* by task: predecessors that have not ended */
    int *left;           /* by graph: tasks that have not ended; -1 before its release */
    bool *fresh;         /* by graph: released at this very date */
    int *ready, readies; /* numbers of the tasks that became ready at this date */
    int *ended, endings; /* and of those that ended */
};

/* The releases of all graphs are to come. */
void cs_ptg_events_init(struct cs_ptg_events *events, const struct cs_ptg_instance *in,
                        struct cs_arena *arena);

/* A task will end then. */
static inline void cs_ptg_events_push(struct cs_ptg_events *events, int number, double finish)
{
    cs_heap_push(&events->heap, number, finish);
}

/* The next date; there is one. */
static inline double cs_ptg_events_next(const struct cs_ptg_events *events)
{
    return cs_heap_top_key(&events->heap);
}

/* The events of one date. */
struct cs_ptg_happened {
    bool arrival, completion; /* of a graph */
};
struct cs_ptg_happened cs_ptg_events_take(struct cs_ptg_events *events, double now);

#endif
