/* clock.c - POSIX's monotonic clock. */
#include "base/clock.h"

#include "base/watch.h"

#include <time.h>

double cs_clock_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

struct cs_deadline cs_deadline_in(double seconds)
{
    return (struct cs_deadline){.at = cs_clock_now() + seconds};
}

bool cs_deadline_expired(const void *deadline)
{
    const struct cs_deadline *d = deadline;

    return cs_clock_now() >= d->at || cs_watch_calls();
}
