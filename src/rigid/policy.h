/* policy.h - the interface of a policy for rigid jobs.
 *
 * A policy reacts to events: a job waits (at the beginning, or because its attempt ended with an
 * error), an attempt ended well.  After all events of an instant it is asked what to start.  It
 * sees what a real machine shows, never how often a job will fail.  A driver in virtual time is
 * simulate.h; one that starts real processes can use the same code.
 *
 * To add a policy: one .c file here, one line in policies.def, one line in meson.build.
 */
#ifndef CS_RIGID_POLICY_H
#define CS_RIGID_POLICY_H

#include "rigid/instance.h"

struct cs_rigid_attempt {
    double end; /* when it will end, well or not */
    int procs;
    int rank; /* the driver's; a policy has no use for it */
};

/* The machine now. */
struct cs_rigid_view {
    double now;
    int free;                               /* processors */
    int running;                            /* attempts */
    const struct cs_rigid_attempt *attempt; /* running of them, the one that ends last first */
};

struct cs_rigid_policy {
    struct cs_policy info;
    /* When nobody waits, everything that is unfinished runs and a failed job starts again at once:
     * the driver then need not ask any more. */
    bool tail;
    bool shelves; /* jobs run in shelves, one after the other */
    /* What the policy knows; lives in the arena.  NULL with err when the parameters do not fit. */
    void *(*create)(const struct cs_rigid_instance *in, const double *param, struct cs_arena *arena,
                    struct cs_error *err);
    /* A new scenario: every job waits, nothing runs. */
    void (*begin)(void *state);
    /* The attempt of this rank ended with an error: it waits again. */
    void (*failed)(void *state, int rank);
    /* The attempt of this rank ended well.  NULL: of no interest. */
    void (*succeeded)(void *state, int rank);
    /* The instance's ranks have changed, in place: what had rank k has rank[k].  Only for instances
     * that learn. */
    void (*reranked)(void *state, const int *rank);
    /* Ranks to start now, each at most once, in start[] (room for all): how many.  They fit. */
    int (*decide)(void *state, const struct cs_rigid_view *view, int *start);
};

/* What "all" stands for: every policy, and those that parameters make others of, as words for
 * cs_rigid_policy_parse.  The list lives in the arena. */
const char *const *cs_rigid_policy_all(struct cs_arena *arena, int *count);

#endif
