/* replay_state.h - what the driver of arrivals remembers; for replay*.c only. */
#ifndef CS_RIGID_REPLAY_STATE_H
#define CS_RIGID_REPLAY_STATE_H

#include "rigid/replay.h"
#include "rigid/replay_list.h"
#include "rigid/replay_plan.h"
#include "rigid/replay_procs.h"

/* A job that is queued or running. */
struct cs_rigid_replay_slot {
    struct cs_arrival job;
    struct cs_rigid_replay_entry place; /* in the queue */
    int64_t left;                       /* failures still to come */
    int attempt;
    double since; /* it waits */
    double waited;
    double start, end, estimated_end; /* of the attempt that runs */
    int shelf;                        /* of that attempt; -1 for none */
    struct cs_rigid_replay_set set;
    int next_spare;
};

/* EASY's reservation: when the head fits, and how many processors are left over then. */
struct cs_rigid_replay_shadow {
    bool known; /* for the present head and the present running attempts */
    double at;
    int extra;
};

struct cs_rigid_replay_planned {
    struct cs_rigid_replay_entry entry;
    double start;
};

struct cs_rigid_replay_state {
    const struct cs_rigid_replay *replay;
    struct cs_arena *arena;
    double now;
    int free;
    struct cs_rigid_replay_list waiting;
    struct cs_rigid_replay_list running; /* by estimated end */
    struct cs_rigid_replay_list ending;  /* by end */
    struct cs_rigid_replay_procs procs;
    struct cs_rigid_replay_slot **slot; /* by number, in chunks that stay where they are */
    int slots, chunks, spare;
    int64_t unfinished;
    struct cs_rigid_replay_shadow shadow;
    int shelf;        /* number of the last one, -1 before the first */
    double shelf_end; /* of that one, by the estimates */

    /* The conservative plan: the reservations of the first that wait, by order. */
    struct cs_rigid_replay_plan plan;
    bool plan_known;
    struct cs_rigid_replay_planned *planned;
    int plans, plans_room;
    bool any_passed;                          /* the entry below is set */
    struct cs_rigid_replay_entry last_passed; /* up to here everybody is planned or started */
};

struct cs_rigid_replay_slot *cs_rigid_replay_slot(struct cs_rigid_replay_state *s, int slot);

/* Take the entry out of the queue and run it. */
void cs_rigid_replay_start(struct cs_rigid_replay_state *s, struct cs_rigid_replay_place place);

/* What changed since the last pass. */
struct cs_rigid_replay_news {
    int ends, arrivals;
    struct cs_rigid_replay_entry arrival; /* the last of them */
    bool off_plan;                        /* an end that was not expected, or a failure */
    bool before_plan;                     /* somebody came before those that are planned */
};

void cs_rigid_replay_pass(struct cs_rigid_replay_state *s, const struct cs_rigid_replay_news *news);
void cs_rigid_replay_pass_conservative(struct cs_rigid_replay_state *s,
                                       const struct cs_rigid_replay_news *news);
void cs_rigid_replay_pass_round(struct cs_rigid_replay_state *s);
void cs_rigid_replay_pass_shelf(struct cs_rigid_replay_state *s);

#endif
