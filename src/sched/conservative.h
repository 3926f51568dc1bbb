/* conservative.h - reservations for all jobs, computed only where they matter.
 *
 * If all went as expected since the last decision, a new round gives every waiting job its old
 * reservation; when a job comes back or arrives, the reservations of more urgent jobs stay.
 * Only the jobs that start now are visible.  So a job is planned only when its reservation begins
 * before the end of a less urgent one that starts now or is planned itself.
 */
#ifndef CS_SCHED_CONSERVATIVE_H
#define CS_SCHED_CONSERVATIVE_H

#include "sched/free_times.h"
#include "sched/queue.h"

/* Reservations by rank. */
struct cs_sched_slots {
    struct cs_sched_free_times profile; /* with what runs */
    uint64_t *planned;                  /* ranks with a reservation */
    int count;                          /* of them */
    double *start;                      /* of each planned job */
    double earliest;                    /* no reservation starts before */
};

/* A job that gets its slot after the jobs before it that come in its way. */
struct cs_sched_claim {
    int rank, next; /* no job before `next` comes in the way, unless the slot changes */
    bool passed;    /* a job before `next` is not planned */
    int step;       /* of the profile, where the slot begins */
    double start, end;
};

struct cs_sched_conservative_bits {
    const struct cs_sched_instance *in;
    struct cs_sched_queue *queue; /* shared with the caller, who adds and removes jobs */
    struct cs_sched_slots slots;
    uint64_t *changed; /* the jobs that came back since the last decision */
    double *bound;     /* by rank: lower bound of the start of later slots, until a cut */
    struct cs_sched_claim *claim; /* each comes in the way of the one before */
    bool fresh;                   /* the profile must be built from the machine */
    bool beginning;               /* before the first event */
    struct cs_sched_slots first;  /* as they are after the first decision of every scenario */
    int first_starts;             /* -1: not known yet */
    int *first_start;
};

struct cs_sched_reservation {
    double start;
    int ticket;
};

/* Reservations in the order of their jobs. */
struct cs_sched_plan {
    struct cs_sched_free_times profile; /* with what runs */
    struct cs_sched_place next;         /* the jobs before it are planned, run or are done */
    int planned, room;
    struct cs_sched_reservation *reservation;
    double earliest; /* no reservation starts before */
};

/* A job that gets its slot after the jobs before it that come in its way. */
struct cs_sched_pending {
    int ticket;
    double start, end;           /* of its slot */
    struct cs_sched_cursor next; /* no job before it comes in the way */
    int asked;                   /* the number of jobs examined */
};

struct cs_sched_conservative {
    struct cs_sched_conservative_bits *bits; /* decides for a queue of bits; else NULL */
    const struct cs_sched_instance *in;
    struct cs_sched_queue *queue; /* shared with the caller, who adds and removes jobs */
    struct cs_arena *arena;
    struct cs_sched_plan plan;
    bool in_order; /* for logs: all jobs before one that could start now are planned */
    int depth, depth_room;
    struct cs_sched_pending *pending; /* each comes in the way of the one before */
    bool fresh;                       /* the plan must be built from the machine */
    int changes, room; /* the jobs that came back or arrived since the last decision, in order */
    int *changed;
    bool beginning;             /* before the first event */
    struct cs_sched_plan first; /* as it is after the first decision of every scenario */
    int first_starts;           /* -1: not known yet */
    int *first_start;
};

void cs_sched_conservative_init(struct cs_sched_conservative *c, const struct cs_sched_instance *in,
                                struct cs_sched_queue *queue, struct cs_arena *arena);
void cs_sched_conservative_begin(struct cs_sched_conservative *c);
/* The plan no longer holds. */
void cs_sched_conservative_discard(struct cs_sched_conservative *c);
/* This job waits now: it failed, or arrived. */
void cs_sched_conservative_waits(struct cs_sched_conservative *c, int ticket);

/* Takes the jobs that start now out of the queue. */
int cs_sched_conservative_decide(struct cs_sched_conservative *c, const struct cs_sched_view *view,
                                 int *start);

#endif
