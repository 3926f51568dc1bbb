/* account.h - stretches that are over: what the processors did, and the bars of a picture. */
#ifndef CS_MALLEABLE_ACCOUNT_H
#define CS_MALLEABLE_ACCOUNT_H

#include "malleable/pairs.h"
#include "malleable/running.h"

/* How a stretch ends. */
enum cs_malleable_close {
    CS_MALLEABLE_CLOSE_ENDED,
    CS_MALLEABLE_CLOSE_FAILED,      /* at or after `start` */
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

struct cs_malleable_account {
    const struct cs_malleable_model *model;
    const struct cs_malleable_pairs *pairs;
    const struct cs_malleable_observer *observer; /* or NULL */
    struct cs_malleable_areas area;
    /* Only with an observer of bars. */
    struct cs_arena *arena;
    int *pair;                            /* room for all */
    struct cs_malleable_waiting *waiting; /* by task */
};

/* The stretch of a task ends at `time`; its processors are still its own. */
void cs_malleable_account_close(struct cs_malleable_account *account, int task,
                                const struct cs_malleable_state *state,
                                struct cs_malleable_running *run, double time,
                                enum cs_malleable_close how);

#endif
