/* view.h - what a policy may know: what a real master knows at the beginning of a slot. */
#ifndef CS_VOLATILE_VIEW_H
#define CS_VOLATILE_VIEW_H

#include "volatile/instance.h"

struct cs_volatile_view {
    const struct cs_volatile_instance *in;
    const unsigned char *state; /* by host: enum cs_volatile_state in this slot */
    const int *program;         /* by host: slots of the program still to receive */
    const int *got;             /* by host: complete data messages of this iteration */
    const int *part;            /* by host: slots received of the message under way */
    const int *tasks;           /* by host: x of the running configuration; 0 for others */
    const int *member;          /* hosts of the running configuration, ascending */
    int members;                /* 0: nothing runs */
    int64_t done, workload;     /* slots computed, of so many */
    int64_t tau;                /* slots since the iteration began */
    const int *touched;         /* hosts that came up, are up no more or have other things than */
    int touches;                /* when the policy was asked last, each of them once */
};

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
