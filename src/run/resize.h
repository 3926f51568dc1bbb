/* resize.h - applications that save their state, widened and narrowed while they run.
 *
 * The policies of the malleable problem decide at their desk (malleable/desk.h); what they are told
 * is observed instead of laid out.  An observation (a share is left, at a time) begins a new
 * stretch, with the share times the slowness of the task: what its work has taken over what the
 * model says.
 *
 * A resize is a transaction.  Whoever changes is asked to stop and is in transit, in no plan, until
 * it has been restarted and has shown progress; its units beyond the new size are free when it has
 * stopped, and it starts as soon as there are enough.  The sizes add up to what there is, so
 * everybody starts.  No second plan is made meanwhile.
 *
 * A unit is what is given and taken: a pair of slots (the model's checkpoints live in the memories
 * of two), or a slot, which then counts as two processors of the model, each half as fast: so all
 * times, periods and costs of the model are those of whole slots.  Slots that the run did not begin
 * with make new units, whose times the model is asked for anew; what was observed stays.
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
    CS_RUN_LEAVES,  /* was asked to stop */
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
    bool missed;             /* it started when a policy was asked: to be asked again */
    bool blind;              /* it shows no progress: the model says how far it is */
    bool failed;             /* and the policy for failures is to be asked */
    double left, saved_left; /* shares: observed last, and when its state was saved last */
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
    int *gone;              /* by unit: slots that are down, or are none */
    int *slot;              /* of starts, room for all */
    int free, living;
    bool begun, ended, woken; /* ended, woken: a policy is to be asked */
    double asked_at;          /* when one was asked last */
    double now;
    struct cs_arena *arena;
};

/* Take so many free units, the lowest; give back all but the lowest so many. */
void cs_run_resize_take(struct cs_run_resize *r, int task, int units);
void cs_run_resize_keep(struct cs_run_resize *r, int task, int units);

/* The model learns of slots that have come. */
void cs_run_resize_model(struct cs_run_resize *r);

/* So much is left of a task at `time`: a new stretch. */
void cs_run_resize_observe(struct cs_run_resize *r, int task, double time, double left);

/* What a stop on so many units, or a move, took: the model learns it. */
void cs_run_resize_learn_stop(struct cs_run_resize *r, int task, double seconds);
void cs_run_resize_learn_move(struct cs_run_resize *r, int task, double seconds);

/* Young's period of a task on what it has, seconds. */
double cs_run_resize_period(const struct cs_run_resize *r, int task);

int cs_run_resize_decide(void *state, double now, struct cs_run_action *action);
double cs_run_resize_wake(const void *state);

/* The workload of the setup as an instance of the model, for so many slots.  NULL with err. */
struct cs_malleable_instance *cs_run_resize_instance(const struct cs_run_setup *setup, int slots,
                                                     struct cs_error *err);

#endif
