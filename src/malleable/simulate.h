/* simulate.h - the driver of malleable policies in virtual time (section 5 of the specification).
 *
 * Ends come before wakes, wakes before failures of the same time.  Expected times decide, nothing
 * else: what happens follows from the layout of every stretch (running.h).
 */
#ifndef CS_MALLEABLE_SIMULATE_H
#define CS_MALLEABLE_SIMULATE_H

#include "malleable/account.h"
#include "malleable/policy.h"

struct cs_malleable_simulation {
    const struct cs_malleable_instance *in;
    struct cs_malleable_rules rules;
    struct cs_arena *arena; /* of all below; rewound to `mark` after every run */
    struct cs_arena_mark mark;
    const struct cs_malleable_model *model;
    int *initial;             /* processors at time 0 */
    double *initial_expected; /* tR of them */
    int initial_free;
    double lower_bound;
    /* A run. */
    struct cs_malleable_state *state;     /* by task */
    struct cs_malleable_running *running; /* by task */
    struct cs_malleable_pairs pairs;
    struct cs_malleable_account account;
    struct cs_malleable_plan plan; /* with room for all tasks */
    struct cs_heap heap;           /* of the plan */
    struct cs_heap ends, wakes;    /* by planned end; by start, if later than the last event */
    int *active, actives;          /* unfinished tasks, ascending */
    int *ended;
    double *end;
    int free; /* processors in pairs */
    double now;
    const struct cs_malleable_observer *observer;
    struct cs_malleable_outcome *outcome;
};

/* A task begins anew with what is left, alpha, at state.start on state.procs processors: the layout
 * of it, its planned and its expected end. */
void cs_malleable_restart(struct cs_malleable_simulation *s, int task);

/* Ask the policy about an event, `faulty` is a task or -1; members compute before `until`, ends
 * before or at `back` are left out.  Returns how many allocations changed. */
int cs_malleable_replan(struct cs_malleable_simulation *s, const struct cs_malleable_policy *policy,
                        int faulty, bool wake);

#endif
