/* policy.h - the interface of a policy for rigid jobs.
 *
 * A policy reacts to events: a job has arrived, an attempt ended with an error, an attempt ended
 * well.  After all events of an instant it is asked what to start.  It sees what a real machine
 * shows, never how often a job will fail, how long it will really run or what comes later, so that
 * one policy serves batches (problems/rigid/simulate.c), jobs that arrive (operate.c) and real
 * processes (run/queue.c): dispatcher.h is the deciding half of a driver.
 *
 * Jobs go by tickets (instance.h).  in->seconds is what an attempt is expected to take, and an
 * attempt may end before or after.  Processors are counted; which ones an attempt gets is for the
 * driver: the lowest free ones, in the order in which attempts start; but a job that starts again
 * on its shelf keeps its own.
 *
 * To add a policy: one .c file in policies/, one line in policies.def, one line in meson.build.
 */
#ifndef CS_SCHED_POLICY_H
#define CS_SCHED_POLICY_H

#include "model/policy.h"
#include "sched/running.h"

/* What there is of a pool becomes more or less then, whatever runs. */
struct cs_sched_change {
    double time;
    int pool;
    int64_t delta[CS_LOG_RESOURCES];
};

/* The machine now. */
struct cs_sched_view {
    double now;
    int free;                               /* processors */
    int lost;                               /* processors that are gone, neither free nor in use */
    bool changed;                           /* since the last decision something ended, came back,
                                               went away or was put off; else jobs arrived at most */
    const struct cs_sched_running *running; /* attempts, by expected ends; all are after now */
    /* Of a site. */
    const int64_t (*pool)[CS_LOG_RESOURCES]; /* free in each pool */
    int changes;
    const struct cs_sched_change *change; /* that are known; times before now stand for now */
};

/* What was not as expected since the last decision. */
enum cs_sched_surprise {
    CS_SCHED_EARLY, /* processors came back sooner: an attempt ended early, or lost ones returned */
    CS_SCHED_SHRUNK, /* there are fewer than there were to be: an attempt went on, some are gone */
};

struct cs_sched_policy {
    struct cs_policy info;
    /* When nobody waits, everything that is unfinished runs and a failed job starts again at once:
     * the driver then need not ask any more. */
    bool tail;
    /* The form of the policy that decides on this machine with these parameters; NULL from there
     * is this policy itself.  Without it the policy knows one pool of processors only, in which
     * jobs keep their places (cs_sched_policy_choose). */
    const struct cs_sched_policy *(*choose)(const struct cs_sched_instance *in,
                                            const double *param);
    /* What the policy knows; lives in the arena.  NULL with err when the parameters do not fit. */
    void *(*create)(const struct cs_sched_instance *in, const double *param, struct cs_arena *arena,
                    struct cs_error *err);
    /* From the beginning: nothing runs; in a batch every job waits, where jobs arrive nobody. */
    void (*begin)(void *state);
    /* The job waits: it has arrived, or has come back after it was withdrawn. */
    void (*arrived)(void *state, int ticket);
    /* The attempt ended with an error: the job waits again. */
    void (*failed)(void *state, int ticket);
    /* The attempt ended well.  NULL: of no interest. */
    void (*succeeded)(void *state, int ticket);
    /* The job waits no more, or its attempt ended with an error and it shall not run again. */
    void (*withdrawn)(void *state, int ticket);
    /* Called before decide.  NULL for policies that plan anew at every decision. */
    void (*off_plan)(void *state, enum cs_sched_surprise surprise);
    /* The instance's ranks have changed, in place: what had rank k has rank[k].  Only for instances
     * that learn. */
    void (*reranked)(void *state, const int *rank);
    /* Tickets to start now, each at most once, in start[] (room for all that wait): how many.  They
     * fit.  Nobody who waits is wider than the machine without what is lost. */
    int (*decide)(void *state, const struct cs_sched_view *view, int *start);
    /* Which shelf runs, from 0; asked after each decision.  NULL: jobs do not run in shelves. */
    int (*shelf)(void *state);
    /* The instant, after now, at which the policy wants to be asked though nothing else happens;
     * INFINITY for none.  Asked after each decision.  NULL: never. */
    double (*wake)(void *state);
};

/* Who starts: the policies, *count of them, in the order in which they are listed. */
const struct cs_policy *const *cs_sched_policies(int *count);

/* The policy of a call. */
const struct cs_sched_policy *cs_sched_policy_at(int index);

/* Read "easy", "list:reservations=2", ...: the values of the parameters stand in call->param.  NULL
 * with err. */
const struct cs_sched_policy *cs_sched_policy_parse(const char *text, struct cs_policy_call *call,
                                                    struct cs_error *err);

/* The form of the policy for this instance; NULL with err when there is none. */
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
