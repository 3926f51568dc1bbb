/* watch.c - the watch of each thread. */
#include "base/watch.h"

#include <cosched/watch.h>
#include <stddef.h>

static _Thread_local const struct cs_watch *here;

const struct cs_watch *cs_watch_enter(const struct cs_watch *watch)
{
    const struct cs_watch *before = here;

    here = watch;
    return before;
}

const struct cs_watch *cs_watch_here(void)
{
    return here;
}

bool cs_watch_stops(const struct cs_watch *watch)
{
    return watch && watch->stop && watch->stop(watch->who);
}
