/* round.h - the state of a run, and its update by a round.
 *
 * The state of a run results from the events: the same setup and events give the same actions,
 * attempts and slots, live or read from a journal.
 */
#ifndef CS_RUN_ROUND_H
#define CS_RUN_ROUND_H

#include "base/arena.h"
#include "run/decider.h"
#include "run/setup.h"

#include <stdbool.h>

#define CS_RUN_SLOTS_MOST 1000000 /* that a run grows to */

struct cs_run_slots {
    int count, free, up; /* free: up and not allocated */
    int lowest;          /* no slot before it is free */
    int room;            /* of held and down */
    bool *held, *down;   /* by slot */
};

/* Losses in a row after which a task has failed. */
#define CS_RUN_LOSSES_MOST 5

/* The largest number of an attempt: exact in a double. */
#define CS_RUN_NUMBER_MOST 1000000000000000

struct cs_run_usage {
    unsigned char state;          /* of enum cs_run_task_state */
    unsigned char losses;         /* in a row */
    bool saved;                   /* the next attempt resumes from the saved state */
    bool again;                   /* the saved state led to a wrong result */
    double progress, saved_share; /* done, as last observed, and when it was saved last; 0 .. 1 */
    double first;                 /* run time of its first start */
    int tries, failures, corruptions;
};

struct cs_run {
    const struct cs_run_setup *setup;
    const struct cs_run_decider *decider;
    void *state;
    struct cs_run_slots slots;
    struct cs_run_usage *usage; /* by task */
    int in_state[CS_RUN_TASK_STATE_LAST + 1];
    struct cs_run_attempt **running; /* in the order of their numbers */
    int count, room;                 /* of running */
    int64_t last;                    /* number of the last attempt */
    double now;
    int stopping; /* 0 no, 1 nothing starts, 2 nothing runs on */
    double limit; /* run time at which the allocation ends; INFINITY: never */
    int actions;  /* of the last round */
    struct cs_run_action *action;
    struct cs_arena *arena;
};

/* Start with `slots` slots, all up, and no events. `run` lives as long as the arena; release frees
 * the memory of attempts. -1 with err. */
int cs_run_begin(struct cs_run *run, const struct cs_run_setup *setup, int slots,
                 struct cs_arena *arena, struct cs_error *err);
void cs_run_release(struct cs_run *run);

/* Apply the events up to `now`, in order, and complete them. Then, unless starts are disabled, call
 * the decider and apply run->action[]: attempts are created, not yet started. Ended attempts are
 * removed. Return whether the decider was called. */
bool cs_run_round(struct cs_run *run, double now, struct cs_run_event *event, int count);

/* The attempt of this number that runs, or NULL. */
struct cs_run_attempt *cs_run_attempt_find(const struct cs_run *run, int64_t number);

/* The attempt of this task that runs, or NULL. */
struct cs_run_attempt *cs_run_attempt_of(const struct cs_run *run, int task);

/* Are all tasks done, failed or skipped? */
bool cs_run_is_over(const struct cs_run *run);

/* Have so many tasks failed that nothing more starts? */
bool cs_run_is_halted(const struct cs_run *run);

/* The descriptor of the keeper of an attempt, which is closed with it or when memory runs out; and
 * closed now, when there is one. */
void cs_run_attempt_hold(struct cs_run_attempt *attempt, int pidfd);
void cs_run_attempt_let_go(struct cs_run_attempt *attempt);

#endif
