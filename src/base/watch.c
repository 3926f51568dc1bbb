/* watch.c - the watch of each thread. */
#include "base/watch.h"

#include "base/guard.h"

#include <cosched/error.h>
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

int cs_watch_check(const struct cs_watch *watch, struct cs_error *err)
{
    return watch ? cs_ask_size("a watch", watch->size, sizeof *watch, err) : 0;
}

bool cs_watch_stops(const struct cs_watch *watch)
{
    return watch && watch->stop && watch->stop(watch->who);
}
