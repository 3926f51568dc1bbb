/* watcher.h - whoever watches a call that takes long: what it is told grows, and it asks to stop.
 */
#ifndef CS_TESTS_UNIT_WATCHER_H
#define CS_TESTS_UNIT_WATCHER_H

#include "kit.h"

#include <cosched/watch.h>
#include <stdbool.h>

struct watcher {
    int asked, after; /* it stops when it is asked once more than that */
    double share;
};

static bool watcher_stops(void *who)
{
    struct watcher *w = who;

    return __atomic_add_fetch(&w->asked, 1, __ATOMIC_SEQ_CST) > w->after;
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
