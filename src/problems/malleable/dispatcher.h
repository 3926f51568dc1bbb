/* dispatcher.h - the state of tasks as a driver of malleable policies has it, and its calls of a
 * policy.
 *
 * The simulator (simulate.c) passes the consequences of the layout of its scenarios, a run of real
 * processes (src/run) passes its observations; the policies see the same plan.  An observation is a
 * new stretch: so much is left, from that moment on.
 */
#ifndef CS_MALLEABLE_DISPATCHER_H
#define CS_MALLEABLE_DISPATCHER_H

#include "problems/malleable/policy.h"

struct cs_malleable_dispatcher {
    struct cs_malleable_rules rules;
    struct cs_malleable_model *model;
    struct cs_malleable_state *state;     /* by task */
    struct cs_malleable_running *running; /* by task */
    struct cs_malleable_rows rows;        /* of the unfinished tasks */
    struct cs_malleable_plan plan;
    int free; /* processors in pairs, without owner */
};

/* Room for the tasks of an instance, in the arena; the rules are right.  No task has begun: before
 * that, rows and free are the driver's to set. */
void cs_malleable_dispatcher_init(struct cs_malleable_dispatcher *dispatcher,
                                  const struct cs_malleable_instance *in,
                                  const struct cs_malleable_rules *rules, struct cs_arena *arena);

/* A task begins again with the rest of its work, alpha, at state.start on state.procs processors:
 * its layout, its planned and its expected end.  It takes part in plans later than that. */
void cs_malleable_dispatcher_begin(struct cs_malleable_dispatcher *dispatcher, int task);

/* The work left of a task at `time`, by its layout. */
double cs_malleable_dispatcher_left(const struct cs_malleable_dispatcher *dispatcher, int task,
                                    double time);

/* It takes part in no plan until it begins again. */
void cs_malleable_dispatcher_withdraw(struct cs_malleable_dispatcher *dispatcher, int task);

/* It has ended, and its processors are free. */
void cs_malleable_dispatcher_leave(struct cs_malleable_dispatcher *dispatcher, int task);

/* The costs of a checkpoint and of a move on one processor (the C and m of the instance). */
void cs_malleable_dispatcher_cost(struct cs_malleable_dispatcher *dispatcher, int task,
                                  double checkpoint, double data);

/* Is no other expected to end later? */
bool cs_malleable_dispatcher_is_last(const struct cs_malleable_dispatcher *dispatcher, int task);

/* Ask a policy at `time`; `faulty` is the task that failed, or -1; at a wake, a task that has just
 * begun takes part.  Returns how many tasks change: plan.member[plan.row[c]] for c below that, by
 * task, with their processors `now` and `share`.  The plan is not applied. */
int cs_malleable_dispatcher_decide(struct cs_malleable_dispatcher *dispatcher,
                                   const struct cs_malleable_policy *policy, double time,
                                   int faulty, bool wake);

#endif
