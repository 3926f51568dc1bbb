/* conservative_bits.h - reservations of a batch of few jobs (conservative.h): who waits and who is
 * planned are sets of bits.
 */
#ifndef CS_RIGID_CONSERVATIVE_BITS_H
#define CS_RIGID_CONSERVATIVE_BITS_H

#include "rigid/free_times.h"
#include "rigid/queue.h"

/* Reservations by rank. */
struct cs_rigid_slots {
    struct cs_rigid_free_times profile; /* with what runs */
    uint64_t *planned;                  /* who has a reservation */
    int count;                          /* of them */
    double *start;                      /* of who is planned */
    double earliest;                    /* no reservation starts before */
};

/* A job that gets its slot when those before it have theirs that come in its way. */
struct cs_rigid_claim {
    int rank, next; /* nobody before `next` comes in the way, unless the slot changes */
    bool passed;    /* somebody before `next` is not planned */
    int step;       /* of the profile, where the slot begins */
    double start, end;
};

struct cs_rigid_conservative_bits {
    const struct cs_rigid_instance *in;
    struct cs_rigid_queue *queue; /* who waits; shared with the caller, who adds and removes */
    struct cs_rigid_slots slots;
    uint64_t *changed;            /* who came back since the last decision */
    double *bound;                /* no slot of a job begins before, as long as nobody gives back */
    struct cs_rigid_claim *claim; /* each comes in the way of the one before */
    bool fresh;                   /* the profile is to be made from the machine */
    bool beginning;               /* nothing has happened yet */
    struct cs_rigid_slots first;  /* as they are after the first decision of every scenario */
    int first_starts;             /* -1: not known yet */
    int *first_start;
};

void cs_rigid_conservative_bits_init(struct cs_rigid_conservative_bits *c,
                                     const struct cs_rigid_instance *in,
                                     struct cs_rigid_queue *queue, struct cs_arena *arena);
void cs_rigid_conservative_bits_begin(struct cs_rigid_conservative_bits *c);
/* The plan no longer holds. */
void cs_rigid_conservative_bits_forget(struct cs_rigid_conservative_bits *c);
/* This job waits now: it failed. */
void cs_rigid_conservative_bits_waits(struct cs_rigid_conservative_bits *c, int rank);

/* Takes the jobs that start now out of the queue. */
int cs_rigid_conservative_bits_decide(struct cs_rigid_conservative_bits *c,
                                      const struct cs_rigid_view *view, int *start);

#endif
