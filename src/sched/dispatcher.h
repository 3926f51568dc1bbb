/* dispatcher.h - passes events to a policy and gives it the machine state.
 *
 * A driver reports events (a job arrives, an attempt ends, processors go or come back), then
 * requests the round of that instant, in which the policy starts attempts.  The dispatcher keeps
 * the running attempts by expected ends.  An attempt that is still running at its expected end is
 * expected to end at any moment: at the next number after now.
 */
#ifndef CS_SCHED_DISPATCHER_H
#define CS_SCHED_DISPATCHER_H

#include "sched/policy.h"

struct cs_sched_dispatcher {
    const struct cs_sched_instance *in;
    const struct cs_sched_policy *policy;
    void *state;
    struct cs_sched_view view;
    struct cs_sched_running running; /* of the view */
    int *start;                      /* what the last round started */
    int waiting;
    double wake; /* the policy requests a round then; INFINITY */
    /* Where attempts do not end when they were expected to. */
    struct cs_arena *arena;
    int owed;       /* lost processors that are still in use */
    int room;       /* tickets that the arrays below have room for */
    int64_t starts; /* so far */
    int64_t *added; /* by ticket: the number of its last start */
    double *end;    /* by ticket: its expected end */
    bool early, shrunk;
};

/* Lives in the arena, as the instance must.  -1 with err when the policy refuses its parameters. */
int cs_sched_dispatcher_init(struct cs_sched_dispatcher *dispatcher,
                             const struct cs_sched_instance *in,
                             const struct cs_sched_policy *policy, const double *param,
                             struct cs_arena *arena, struct cs_error *err);

/* From the beginning, at time 0. */
void cs_sched_dispatcher_begin(struct cs_sched_dispatcher *dispatcher);

/* The instance has this job now, or it is back after it was withdrawn. */
void cs_sched_dispatcher_arrived(struct cs_sched_dispatcher *dispatcher, int ticket);

/* It waits no more. */
void cs_sched_dispatcher_withdrawn(struct cs_sched_dispatcher *dispatcher, int ticket);

/* The outcome of an attempt for its job. */
enum cs_sched_outcome_of_attempt { CS_SCHED_DONE, CS_SCHED_AGAIN, CS_SCHED_ABANDONED };

void cs_sched_dispatcher_ended(struct cs_sched_dispatcher *dispatcher, int ticket, double now,
                               enum cs_sched_outcome_of_attempt outcome);

/* The job that was given up after an error waits again. */
void cs_sched_dispatcher_again(struct cs_sched_dispatcher *dispatcher, int ticket);

/* The attempt is now expected to end then, which is later. */
void cs_sched_dispatcher_put_off(struct cs_sched_dispatcher *dispatcher, int ticket, double end);

/* The expected times of attempts have changed. */
void cs_sched_dispatcher_expect_again(struct cs_sched_dispatcher *dispatcher);

/* Remove this number of processors or, if negative, return it.  Processors in use leave when their
 * attempts end. */
void cs_sched_dispatcher_lose(struct cs_sched_dispatcher *dispatcher, int procs);

/* The machine has this number of processors in addition to those of the instance.  They are lost at
 * first. */
void cs_sched_dispatcher_grow(struct cs_sched_dispatcher *dispatcher, int procs);

/* Ask the policy at the end of an instant; returns how many start, dispatcher->start[]
 * are their tickets. */
int cs_sched_dispatcher_round(struct cs_sched_dispatcher *dispatcher, double now);

#endif
