/* simulate.h - the driver of malleable policies in virtual time (spec/malleable.md 5).
 *
 * Ends come before wakes, wakes before failures of the same time.  Expected times decide, nothing
 * else: what happens follows from the layout of every stretch (struct cs_malleable_running,
 * plan.h).
 */
#ifndef CS_MALLEABLE_SIMULATE_H
#define CS_MALLEABLE_SIMULATE_H

#include "base/tournament.h"
#include "problems/malleable/dispatcher.h"
#include "problems/malleable/optimum.h"
#include "problems/malleable/pairs.h"
#include "problems/malleable/plan.h"

/* How a stretch ends. */
enum cs_malleable_close {
    CS_MALLEABLE_CLOSE_ENDED,
    CS_MALLEABLE_CLOSE_FAILED,      /* at or after `start`; also a silent error that is found */
    CS_MALLEABLE_CLOSE_FATAL,       /* the same, and only the disk checkpoint is left */
    CS_MALLEABLE_CLOSE_CHANGED,     /* other processors; after `start` */
    CS_MALLEABLE_CLOSE_INTERRUPTED, /* a failure in the checkpoint of a move */
};

/* Work, and an unfinished checkpoint, before a move: they wait until it is known whether the
 * checkpoint of the move saves them. */
struct cs_malleable_waiting {
    int attempt, pairs;
    const int *pair;
    double start, worked, end;
};

/* Bars of the pattern layout that a failure may still make lost: those since the last disk
 * checkpoint, `saved` of them before the last checkpoint. */
struct cs_malleable_pending {
    struct cs_malleable_bar *bar;
    int count, room, saved;
};

struct cs_malleable_account {
    const struct cs_malleable_model *model;
    const struct cs_malleable_pairs *pairs;
    const struct cs_malleable_observer *observer; /* or NULL */
    struct cs_malleable_areas area;
    /* Only with an observer of bars. */
    struct cs_arena *arena;
    int *pair;                            /* room for all */
    struct cs_malleable_waiting *waiting; /* by task */
    struct cs_malleable_pending *pending; /* by task; NULL: another layout */
};

/* The stretch of a task ends at `time`; its processors are still its own. */
void cs_malleable_account_close(struct cs_malleable_account *account, int task,
                                const struct cs_malleable_state *state,
                                struct cs_malleable_running *run, double time,
                                enum cs_malleable_close how);

struct cs_malleable_simulation {
    const struct cs_malleable_instance *in;
    struct cs_arena *arena; /* of all below; rewound to `mark` after every run */
    struct cs_arena_mark mark;
    double lower_bound;
    bool timed;           /* measure the time in policies: */
    double planned_first; /* that of Algorithm 1, seconds */
    double planned;       /* of a run */
    /* Time 0, where every run begins; of what is below. */
    struct {
        struct cs_malleable_state *state;
        struct cs_malleable_running *running;
        struct cs_malleable_rows rows;
        struct cs_malleable_pairs pairs;
        struct cs_tournament ends;
        int free;
    } first;
    /* A run. */
    struct cs_malleable_dispatcher dispatcher;
    struct cs_malleable_pairs pairs;
    struct cs_malleable_account account;
    struct cs_tournament ends;  /* by task: minus its planned end */
    struct cs_tournament wakes; /* minus its start, if later than the last event */
    struct cs_rng *errors;      /* silent and fatal ones, of the trace; NULL: not drawn */
    int *ended;
    double *end;
    double now;
    const struct cs_malleable_observer *observer;
    struct cs_malleable_outcome *outcome;
    const struct cs_malleable_optimum *followed; /* its decisions, not those of policies; or NULL */
    int decision;                                /* of it: the next one */
};

/* Every later run begins with the first decision of an optimum, and makes the others when their
 * dates come.  The optimum must live as long. */
void cs_malleable_simulation_follow(struct cs_malleable_simulation *s,
                                    const struct cs_malleable_optimum *optimum);

/* As cs_malleable_simulation_create, for rules whose policies ask this program, or NULL.  The
 * caller checks afterwards whether the program failed (cs_extpol_check). */
struct cs_malleable_simulation *
cs_malleable_simulation_create_asking(const struct cs_malleable_instance *in,
                                      const struct cs_malleable_rules *rules,
                                      struct cs_extpol *extpol, struct cs_error *err);

/* Run once and keep what happened; as cs_malleable_simulation_run, with the program of the policies
 * or NULL.  NULL with err when the rules are refused, or when there is no progress.  The caller
 * destroys it. */
struct cs_malleable_record *cs_malleable_record_create(const struct cs_malleable_instance *in,
                                                       const struct cs_malleable_rules *rules,
                                                       struct cs_extpol *extpol,
                                                       struct cs_malleable_trace *trace,
                                                       struct cs_error *err);

/* The same with the decisions of an optimum of these rules, in the scenario where it was found.
 * NULL with err also if they do not end when the optimum does. */
struct cs_malleable_record *cs_malleable_record_optimum(const struct cs_malleable_instance *in,
                                                        const struct cs_malleable_rules *rules,
                                                        const struct cs_malleable_optimum *optimum,
                                                        struct cs_malleable_trace *trace,
                                                        struct cs_error *err);

/* A task begins again with the rest of its work, alpha, at state.start on state.procs processors:
 * the layout of it, its planned and its expected end, and when it is examined again. */
void cs_malleable_restart(struct cs_malleable_simulation *s, int task);

/* Call the policy for an event; `faulty` is the task that failed, or -1.  Returns how many
 * allocations changed. */
int cs_malleable_replan(struct cs_malleable_simulation *s, const struct cs_malleable_policy *policy,
                        int faulty, bool wake);

/* The policy that makes the decisions of s->followed. */
extern const struct cs_malleable_policy cs_malleable_following;

#endif
