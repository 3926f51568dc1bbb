/* free_times.h - how many processors are free from now on: running attempts and reservations. */
#ifndef CS_RIGID_FREE_TIMES_H
#define CS_RIGID_FREE_TIMES_H

#include "rigid/policy.h"
#include "rigid/queue.h"

/* A step function: from time[i] on, until the next step or for ever, free[i] processors are free.
 * The whole machine is free in the end. */
struct cs_rigid_free_times {
    const struct cs_rigid_instance *in;
    int first, count; /* steps first .. count - 1, by time; time[first] is now */
    double *time;
    int *free;
};

void cs_rigid_free_times_init(struct cs_rigid_free_times *profile,
                              const struct cs_rigid_instance *in, struct cs_arena *arena);

/* Only the running attempts, from view->now on. */
void cs_rigid_free_times_begin(struct cs_rigid_free_times *profile,
                               const struct cs_rigid_view *view);

/* The same steps as another profile of the instance. */
void cs_rigid_free_times_copy(struct cs_rigid_free_times *profile,
                              const struct cs_rigid_free_times *from);

/* What is before `now` is forgotten. */
void cs_rigid_free_times_advance(struct cs_rigid_free_times *profile, double now);

/* Reserve the earliest whole attempt of this rank from now on; there always is one.  Returns its
 * start. */
double cs_rigid_free_times_reserve(struct cs_rigid_free_times *profile, int rank);

/* Could a whole attempt of this rank start now? */
bool cs_rigid_free_times_fits_now(const struct cs_rigid_free_times *profile, int rank);

/* The lowest rank from `from` on that waits and could start now, -1 for none. */
int cs_rigid_free_times_candidate(const struct cs_rigid_free_times *profile,
                                  const struct cs_rigid_queue *queue, int from);

/* An attempt of this rank from `start` on takes its processors, or gives them back. */
void cs_rigid_free_times_take(struct cs_rigid_free_times *profile, int rank, double start);
void cs_rigid_free_times_give_back(struct cs_rigid_free_times *profile, int rank, double start);

#endif
