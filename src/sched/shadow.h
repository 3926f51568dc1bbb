/* shadow.h - EASY's reservation: when so many processors are free for good, and how many are left
 * over then (Lifka 1995).
 */
#ifndef CS_SCHED_SHADOW_H
#define CS_SCHED_SHADOW_H

#include "sched/policy.h"

struct cs_sched_shadow {
    double at; /* now when there are enough */
    int extra;
};

/* From the running attempts and those that start now (NULL: none), after which `free` processors
 * are free.  In the end there are enough. */
struct cs_sched_shadow cs_sched_shadow_among(const struct cs_sched_view *view,
                                             const struct cs_sched_running *starting, int free,
                                             int procs);

/* From the running attempts only. */
static inline struct cs_sched_shadow cs_sched_shadow_of(const struct cs_sched_view *view, int procs)
{
    const struct cs_sched_attempt *attempt = view->running->soon->attempt;
    struct cs_sched_shadow shadow = {view->now, view->free};
    int a = view->running->few - 1;

    if (view->running->others)
        return cs_sched_shadow_among(view, NULL, view->free, procs);
    for (; a >= 0 && shadow.extra < procs; a--) {
        shadow.at = attempt[a].end;
        shadow.extra += attempt[a].procs;
    }
    for (; a >= 0 && attempt[a].end == shadow.at; a--)
        shadow.extra += attempt[a].procs;
    shadow.extra -= procs;
    return shadow;
}

#endif
