/* watch.c - the watch of each thread. */
#include "base/watch.h"

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
    if (!watch || watch->size == sizeof *watch)
        return 0;
    return cs_error_set(err, "a watch says that it has %zu bytes, this library knows one of %zu",
                        watch->size, sizeof *watch);
}

bool cs_watch_stops(const struct cs_watch *watch)
{
    return watch && watch->stop && watch->stop(watch->who);
}
