/* policy.h - the interface of a policy for rigid jobs.
 *
 * A policy reacts to events: a job has arrived, an attempt ended with an error, an attempt ended
 * well.  After all events of an instant it decides which jobs to start.  Its input is limited to
 * the state of a real machine: never how often a job will fail, how long it will really run or what
 * comes later.  So one policy serves batches (problems/rigid/simulate.c), jobs that arrive
 * (problems/queue/simulate.c) and real processes (run/queue.c); dispatcher.h connects a driver to a
 * policy.
 *
 * Jobs are identified by tickets (instance.h).  in->seconds is the expected time of an attempt,
 * which may end before or after.  Processors are counted; the driver chooses which ones an attempt
 * gets, in the order in which attempts start: whole blocks of free ones (model/blocks.h); but a job
 * that starts again on its shelf keeps its processors.
 *
 * To add a policy: one .c file in policies/, one line in policies.def, one line in meson.build.
 */
#ifndef CS_SCHED_POLICY_H
#define CS_SCHED_POLICY_H

#include "model/policy.h"
#include "sched/running.h"

/* At that time the resources of a pool grow or shrink, independent of the running attempts. */
struct cs_sched_change {
    double time;
    int pool;
    int64_t delta[CS_LOG_RESOURCES];
};

/* The machine now. */
struct cs_sched_view {
    double now;
    int free;                               /* processors */
    int lost;                               /* lost processors, neither free nor in use */
    bool changed;                           /* since the last decision something ended, returned,
                                               left or was put off; else jobs arrived at most */
    const struct cs_sched_running *running; /* attempts, by expected ends; all are after now */
    /* Of a site. */
    const int64_t (*pool)[CS_LOG_RESOURCES]; /* free in each pool */
    int changes;
    const struct cs_sched_change *change; /* that are known; times before now stand for now */
};

/* Deviations from the expected course since the last decision. */
enum cs_sched_surprise {
    CS_SCHED_EARLY, /* processors came back sooner: an attempt ended early, or lost ones returned */
    CS_SCHED_SHRUNK, /* fewer than expected: an attempt overran, or processors were lost */
};

struct cs_sched_policy {
    struct cs_policy info;
    /* When no job waits, all unfinished jobs run and a failed job restarts immediately: the driver
     * then need not request any more decisions. */
    bool tail;
    /* The form of the policy that decides on this machine with these parameters; NULL from there
     * is this policy itself.  Without it the policy knows one pool of processors only, in which
     * jobs keep their places (cs_sched_policy_choose). */
    const struct cs_sched_policy *(*choose)(const struct cs_sched_instance *in,
                                            const double *param);
    /* The state of the policy; allocated in the arena.  NULL with err when the parameters do not
     * fit. */
    void *(*create)(const struct cs_sched_instance *in, const double *param, struct cs_arena *arena,
                    struct cs_error *err);
    /* From the beginning: no attempt runs; in a batch every job waits, where jobs arrive none. */
    void (*begin)(void *state);
    /* The job waits: it has arrived, or is back after it was withdrawn. */
    void (*arrived)(void *state, int ticket);
    /* The attempt ended with an error: the job waits again. */
    void (*failed)(void *state, int ticket);
    /* The attempt ended well.  NULL: of no interest. */
    void (*succeeded)(void *state, int ticket);
    /* The job waits no more, or its attempt ended with an error and it shall not run again. */
    void (*withdrawn)(void *state, int ticket);
    /* Called before decide.  NULL for policies that plan from scratch at every decision. */
    void (*off_plan)(void *state, enum cs_sched_surprise surprise);
    /* The instance's ranks have changed, in place: what had rank k has rank[k].  Only for instances
     * that learn. */
    void (*reranked)(void *state, const int *rank);
    /* Tickets to start now, each at most once, in start[] (capacity for all that wait): returns the
     * number.  They fit.  No waiting job is wider than the machine without its lost processors. */
    int (*decide)(void *state, const struct cs_sched_view *view, int *start);
    /* The shelf that runs, from 0; read after each decision.  NULL: jobs do not run in shelves. */
    int (*shelf)(void *state);
    /* The instant, after now, at which the policy requests a decision even without another event;
     * INFINITY for none.  Read after each decision.  NULL: never. */
    double (*wake)(void *state);
};

/* The policies, *count of them, in the order in which they are listed. */
const struct cs_policy *const *cs_sched_policies(int *count);

/* The policy of a call. */
const struct cs_sched_policy *cs_sched_policy_at(int index);

/* Read "easy", "list:reservations=2", ...: the values of the parameters are stored in call->param.
 * NULL with err. */
const struct cs_sched_policy *cs_sched_policy_parse(const char *text, struct cs_policy_call *call,
                                                    struct cs_error *err);

/* The form of the policy for this instance; NULL with err if it has none. */
const struct cs_sched_policy *cs_sched_policy_choose(const struct cs_sched_policy *policy,
                                                     const struct cs_sched_instance *in,
                                                     const double *param, struct cs_error *err);

/* Is it more than one pool of processors in which jobs keep their places? */
static inline bool cs_sched_is_general(const struct cs_sched_instance *in)
{
    return in->site || in->moves;
}

/* What "all" stands for: every policy of ours, and those that parameters make others of, as words
 * for cs_sched_policy_parse.  The list lives in the arena. */
const char *const *cs_sched_policy_all(struct cs_arena *arena, int *count);

#endif
