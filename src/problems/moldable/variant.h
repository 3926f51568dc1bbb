/* variant.h - the interface of a policy that executes a bag with uncertain times and failures.
 *
 * A policy reacts to events: a task waits (it arrived, or its attempt failed), an attempt ended
 * well.  After all events of an instant it decides which tasks start.  It must not use real times
 * and failures, which the view has (end, lost and stopped of a running attempt), before its
 * attempts end.  To add one: one .c file here, one line in variants.def, one line in meson.build.
 */
#ifndef CS_MOLDABLE_VARIANT_H
#define CS_MOLDABLE_VARIANT_H

#include "problems/moldable/instance.h"
#include "problems/moldable/list.h"

/* The same for all scenarios. */
struct cs_moldable_scene {
    const struct cs_moldable_bag *bag;
    const struct cs_moldable_plan *plan; /* NULL without a plan */
    const int *order;                    /* of the plan: tasks by (start, index) */
    const double *expected;              /* attempts by task */
};

struct cs_moldable_attempt {
    int task, choice;
    int first; /* the lowest number of its processors where they are consecutive */
    double start;
    double end;   /* real; the policy must not use it while the attempt runs */
    bool lost;    /* it failed */
    bool stopped; /* at the walltime limit */
};

struct cs_moldable_view {
    double now;
    const struct cs_moldable_room *room;       /* the processors that are free */
    int running;                               /* attempts */
    const struct cs_moldable_attempt *attempt; /* running of them, in the order of their starts */
    int waiting;                               /* tasks that have arrived, not running, not done */
    const bool *waits;                         /* by task */
    const bool *done;                          /* by task */
};

/* An attempt to start, on processors from `first` on where they are consecutive. */
struct cs_moldable_launch {
    int task, choice, first;
};

struct cs_moldable_variant {
    struct cs_policy info;
    bool follows; /* needs a plan */
    /* The state of the policy; lives in the arena.  NULL with err if the scene does not fit. */
    void *(*create)(const struct cs_moldable_scene *scene, const double *param,
                    struct cs_arena *arena, struct cs_error *err);
    void (*begin)(void *state);              /* a new scenario: no task waits yet */
    void (*wait)(void *state, int task);     /* it has arrived */
    void (*failed)(void *state, int task);   /* its attempt failed: it waits again */
    void (*finished)(void *state, int task); /* done; NULL: of no interest */
    /* Launches that fit, in launch[] (room for all): how many. */
    int (*decide)(void *state, const struct cs_moldable_view *view,
                  struct cs_moldable_launch *launch);
};

/* Tasks that wait in an order, with counts: what lists are made of. */
struct cs_moldable_queue {
    const struct cs_moldable_bag *bag;
    int *order, *place, *choice;
    const int *request;           /* by task, the first number that it would like; NULL: none */
    struct cs_moldable_room room; /* while launches are chosen */
    struct cs_tournament waiting; /* by place: minus the count */
};

void cs_moldable_queue_init(struct cs_moldable_queue *queue, const struct cs_moldable_bag *bag,
                            struct cs_arena *arena);

/* No task waits; the order and the counts, which the caller wrote to the arrays, hold from now on.
 */
void cs_moldable_queue_begin(struct cs_moldable_queue *queue);
void cs_moldable_queue_add(struct cs_moldable_queue *queue, int task);

/* LIST: the first that fits, again and again, on the processors that it would like or, where others
 * are there, on the lowest. */
int cs_moldable_queue_take(struct cs_moldable_queue *queue, const struct cs_moldable_view *view,
                           struct cs_moldable_launch *launch);

/* The same, but no task overtakes the first, whether it has arrived or not. */
int cs_moldable_queue_take_first(struct cs_moldable_queue *queue,
                                 const struct cs_moldable_view *view,
                                 struct cs_moldable_launch *launch);

/* The candidate of lpa: the first of least ratio, in work or in time, to the best. */
int cs_moldable_lpa_choice(const struct cs_moldable_bag *bag, int task);

/* When a running attempt seems to end: after its planned time, or a little later when that is over.
 */
double cs_moldable_seems_to_end(const struct cs_moldable_bag *bag, double now,
                                const struct cs_moldable_attempt *attempt);

#endif
