/* instance.h - hosts and an application, checked; read only once built. */
#ifndef CS_VOLATILE_INSTANCE_H
#define CS_VOLATILE_INSTANCE_H

#include "base/arena.h"
#include "problems/volatile/volatile.h"

struct cs_volatile_instance {
    struct cs_arena *arena; /* of this struct too */
    int hosts;
    const struct cs_volatile_host *host;
    struct cs_volatile_application app;
    const int *capacity;   /* by host: tasks that it may get, 0 .. app.tasks */
    int most_need;         /* slots of transfers that one host can need at most */
    int64_t most_workload; /* slots of computation of an iteration at most */
};

#endif
