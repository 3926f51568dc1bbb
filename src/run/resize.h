/* resize.h - applications that save their state, widened and narrowed while they run.
 *
 * The policies of the malleable problem decide through their dispatcher (malleable/dispatcher.h),
 * with observed instead of simulated events. An observation (remaining share at a time) begins a
 * new segment, with the share times the slowness of the task: measured over modelled time of its
 * work.
 *
 * A resize is a transaction. A resized task is signalled to stop and is in transit, in no plan,
 * until it has restarted and shown progress. Its units beyond the new size are free when it has
 * stopped, and it starts as soon as enough are free. The sizes add up to at most the machine, so
 * every task starts. No second plan is made meanwhile.
 *
 * A unit is the quantum of allocation: a pair of slots (the model keeps checkpoints in the memories
 * of two), or a slot, which then counts as two processors of the model, each half as fast, so all
 * times, periods and costs of the model are those of whole slots. Additional slots after the start
 * make new units, with new times of the model; observations stay.
 */
#ifndef CS_RUN_RESIZE_H
#define CS_RUN_RESIZE_H

#include "problems/malleable/dispatcher.h"
#include "run/decider.h"
#include "run/setup.h"

#define CS_RUN_RESIZE_SEEN 5 /* costs of which the median counts */

enum cs_run_phase {
    CS_RUN_RESTS,   /* may start */
    CS_RUN_DELAYED, /* until its delay is over */
    CS_RUN_STARTS,  /* runs, and has shown nothing yet */
    CS_RUN_WORKS,   /* takes part in plans */
    CS_RUN_LEAVES,  /* was signalled to stop */
    CS_RUN_IS_OVER,
};

struct cs_run_costs {
    double seen[CS_RUN_RESIZE_SEEN];
    int count; /* of all that were seen */
};

struct cs_run_app {
    enum cs_run_phase phase;
    int units, size; /* held and wanted */
    int from;        /* units before the move */
    int starts;
    bool moves;              /* in transit */
    bool missed;             /* it started during a call of the policy: call it again */
    bool blind;              /* it shows no progress: the model predicts it */
    bool failed;             /* and the policy for failures must be called */
    double left, saved_left; /* shares: last observed, and at the last save */
    double slow;
    double first_at, first_left; /* of the attempt */
    double started_at, asked_at;
    double stop_cost, cost; /* seconds that the last stop, and the last move, took */
    double save_at;
    struct cs_run_costs stops, moved; /* C and m of the model, as seen */
};

struct cs_run_resize {
    const struct cs_run_setup *setup;
    struct cs_malleable_instance *instance;
    struct cs_malleable_dispatcher dispatcher;
    struct cs_run_app *app; /* by task */
    int each, units, room;  /* slots of a unit; how many units there are */
    int slots, modelled;    /* that there are; of which the model knows */
    int *owner;             /* by unit: a task, -1: free, -2: gone */
    int *gone;              /* by unit: slots that are down or missing */
    int *slot;              /* of starts, capacity for all */
    int free, living;
    bool begun, ended, woken; /* ended, woken: a policy must be called */
    double asked_at;          /* time of the last call of a policy */
    double now;
    struct cs_arena *arena;
};

#endif
