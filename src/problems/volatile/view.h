/* view.h - the input of a policy: the knowledge of a real master at the beginning of a slot. */
#ifndef CS_VOLATILE_VIEW_H
#define CS_VOLATILE_VIEW_H

#include "problems/volatile/instance.h"

#include <math.h>

struct cs_volatile_view {
    const struct cs_volatile_instance *in;
    const unsigned char *state; /* by host: enum cs_volatile_state in this slot */
    const int *program;         /* by host: slots of the program still to receive */
    const int *got;             /* by host: complete data messages of this iteration */
    const int *part;            /* by host: slots received of the message under way */
    const int *tasks;           /* by host: x of the running configuration; 0 for others */
    const int *member;          /* hosts of the running configuration, ascending */
    int members;                /* 0: nothing runs */
    int64_t done, workload;     /* slots computed, of so many: what was not saved of all */
    int64_t tau;                /* slots since the iteration began */
    const int *touched;   /* hosts that came up, are no longer up or have other messages than */
    int touches;          /* at the last decision, each of them once */
    int64_t slot;         /* this one */
    const int64_t *since; /* by host that is up: since when; may be before slot 0 */
    double saved;         /* what part of the iteration is safe at the master */
    double base;          /* what was when the configuration was installed */
    int64_t full;         /* slots of computation of the running one, nothing saved */
    int64_t fresh;        /* of `done`, slots since the last save */
    int64_t saving;       /* slots left of a save that is under way */
};

/* Slots of computation that are left when this part of so many is saved. */
static inline int64_t cs_volatile_rest(int64_t workload, double saved)
{
    double rest = ceil((1 - saved) * (double)workload - 1e-9);

    return rest > 1 ? (int64_t)rest : 1;
}

/* Slots of transfers that a host still needs for so many tasks. */
static inline int cs_volatile_need(const struct cs_volatile_view *view, int host, int tasks)
{
    int got = view->got[host];

    if (tasks == 0)
        return 0;
    return view->program[host] +
           (tasks > got ? (tasks - got) * view->in->app.data - view->part[host] : 0);
}

/* A configuration that a policy wants. */
struct cs_volatile_plan {
    int *tasks;  /* by host */
    int *member; /* ascending, `members` of them */
    int members;
    int64_t workload;
};

#endif
