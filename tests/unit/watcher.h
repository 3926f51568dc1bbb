/* watcher.h - whoever watches a call that takes long: what it is told grows, and it asks to stop.
 */
#ifndef CS_TESTS_UNIT_WATCHER_H
#define CS_TESTS_UNIT_WATCHER_H

#include "kit.h"

#include <cosched/watch.h>
#include <stdbool.h>

struct watcher {
    double until; /* it stops when it has been told of such a share */
    double share;
};

static bool watcher_stops(void *who)
{
    const struct watcher *w = who;

    return w->share >= w->until;
}

static void watcher_sees(void *who, double share)
{
    struct watcher *w = who;

    assert_true(share >= w->share && share <= 1);
    w->share = share;
}

static inline struct cs_watch watcher_of(struct watcher *who)
{
    return (struct cs_watch){.size = sizeof(struct cs_watch),
                             .stop = watcher_stops,
                             .progress = watcher_sees,
                             .who = who};
}

#endif
