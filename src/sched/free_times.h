/* free_times.h - how many processors are free from now on: running attempts and reservations. */
#ifndef CS_SCHED_FREE_TIMES_H
#define CS_SCHED_FREE_TIMES_H

#include "sched/policy.h"
#include "sched/queue.h"

struct cs_sched_free_since {
    double time;
    int free;
};

/* A step function: from time[i] on, until the next step or for ever, free[i] processors are free.
 * In the end all are that are not lost. */
struct cs_sched_free_times {
    const struct cs_sched_instance *in;
    struct cs_arena *arena;
    int first, count, room; /* steps first .. count - 1, by time; time[first] is now */
    double *time;
    int *free;
    int steps_room; /* the last answer */
    double *steps_end;
    int *steps_free;
    struct cs_sched_free_since *since;
};

void cs_sched_free_times_init(struct cs_sched_free_times *profile,
                              const struct cs_sched_instance *in, struct cs_arena *arena);

/* Only the running attempts, from view->now on. */
void cs_sched_free_times_begin(struct cs_sched_free_times *profile,
                               const struct cs_sched_view *view);

/* The same steps as another profile of the instance. */
void cs_sched_free_times_copy(struct cs_sched_free_times *profile,
                              const struct cs_sched_free_times *from);

/* Discard the steps before `now`. */
void cs_sched_free_times_advance(struct cs_sched_free_times *profile, double now);

/* Reserve the earliest whole attempt of this job from now on; there always is one.  Returns its
 * start. */
double cs_sched_free_times_reserve(struct cs_sched_free_times *profile, int ticket);

/* The step at which that begins, and the reservation there. */
int cs_sched_free_times_find(const struct cs_sched_free_times *profile, int ticket);
void cs_sched_free_times_take_at(struct cs_sched_free_times *profile, int ticket, int step);

/* The start of that, which is not reserved. */
double cs_sched_free_times_earliest(const struct cs_sched_free_times *profile, int ticket);

/* Attempts that could begin before `until`, as a step function from 0 on over the time that an
 * attempt takes.  An attempt that could begin is under it; one that is under it nearly could.  The
 * result is valid until the next query. */
struct cs_sched_step_function cs_sched_free_times_openings(struct cs_sched_free_times *profile,
                                                           double until);

/* Could a whole attempt of this job start now? */
bool cs_sched_free_times_fits_now(const struct cs_sched_free_times *profile, int ticket);

int cs_sched_free_times_candidate_elsewhere(struct cs_sched_free_times *profile,
                                            const struct cs_sched_queue *queue,
                                            struct cs_sched_cursor *cursor);

/* The first waiting job from the cursor on that could start now; the cursor moves to it; -1 for
 * none. */
static inline int cs_sched_free_times_candidate(struct cs_sched_free_times *profile,
                                                const struct cs_sched_queue *queue,
                                                struct cs_sched_cursor *cursor)
{
    int first = profile->first;

    if (queue->kind != CS_SCHED_QUEUE_OF_BITS)
        return cs_sched_free_times_candidate_elsewhere(profile, queue, cursor);
    return cs_sched_queue_first_under(queue, cursor, profile->time + first, profile->free + first,
                                      profile->count - first);
}

/* An attempt of this job from `start` on takes its processors, or gives them back. */
void cs_sched_free_times_take(struct cs_sched_free_times *profile, int ticket, double start);
void cs_sched_free_times_give_back(struct cs_sched_free_times *profile, int ticket, double start);

/* In [from, to), from now on, so many processors more are free, or when negative fewer. */
void cs_sched_free_times_add(struct cs_sched_free_times *profile, double from, double to,
                             int procs);

/* Are so many processors free from now until then? */
bool cs_sched_free_times_free_until(const struct cs_sched_free_times *profile, int procs,
                                    double until);

/* The step of the earliest start before `begin` of a whole attempt of this job, which has a
 * reservation there; -1 if no earlier start exists. */
int cs_sched_free_times_before(const struct cs_sched_free_times *profile, int ticket, double begin);

/* That reservation moves to a step, whose time is returned. */
double cs_sched_free_times_move(struct cs_sched_free_times *profile, int ticket, double begin,
                                int step);

#endif
