/* conservative.h - reservations for everybody, made only as far as they matter.
 *
 * If nothing failed since the last decision, a fresh round gives every waiting job its old
 * reservation; after a failure at rank r the reservations of lower ranks stay.  Only who starts now
 * can be seen, so jobs are planned in rank order only while one that is not planned could start
 * now.
 */
#ifndef CS_RIGID_CONSERVATIVE_H
#define CS_RIGID_CONSERVATIVE_H

#include "rigid/free_times.h"
#include "rigid/queue.h"

/* Reservations by rising rank. */
struct cs_rigid_plan {
    struct cs_rigid_free_times profile; /* with what runs */
    int next;                           /* ranks below are planned, or run, or are done */
    int planned;                        /* reservations, all of ranks below next */
    int *rank;
    double *start;   /* parallel to rank */
    double earliest; /* no reservation starts before */
};

struct cs_rigid_conservative {
    const struct cs_rigid_instance *in;
    struct cs_rigid_queue *queue; /* who waits; shared with the caller, who adds failed jobs */
    struct cs_rigid_plan plan;
    bool fresh;   /* the plan is to be made from the machine */
    int failures; /* ranks that failed since the last decision */
    int *failed;
    struct cs_rigid_plan first; /* as it is after the first decision of every scenario */
    int first_starts;           /* -1: not known yet */
    int *first_start;
};

void cs_rigid_conservative_init(struct cs_rigid_conservative *c, const struct cs_rigid_instance *in,
                                struct cs_rigid_queue *queue, struct cs_arena *arena);
/* No plan: at the beginning, or because the ranks of an instance that learns have changed. */
void cs_rigid_conservative_begin(struct cs_rigid_conservative *c);
void cs_rigid_conservative_failed(struct cs_rigid_conservative *c, int rank);

/* Takes the jobs that start now out of the queue. */
int cs_rigid_conservative_decide(struct cs_rigid_conservative *c, const struct cs_rigid_view *view,
                                 int *start);

#endif
