/* dispatch.h - graphs that arrive over time, by a dispatcher that lets tasks wait.
 *
 * spec/ptg.md III.7.  No processor is reserved for the future: at every date the
 * tasks that are ready are visited by falling key, and one starts on processors that are free now
 * if nowhere could it end sooner by waiting for processors that end later; else it waits for the
 * next date.  It never looks at graphs before their release.
 */
#ifndef CS_PTG_DISPATCH_H
#define CS_PTG_DISPATCH_H

#include "problems/ptg/instance.h"

enum cs_ptg_dispatch_key {
    CS_PTG_DISPATCH_STRETCH,  /* time since the release over the time alone, plus what part the
                                 rank is of the graph's largest */
    CS_PTG_DISPATCH_FDWS,     /* graphs with few tasks left and short paths go first */
    CS_PTG_DISPATCH_SHORTEST, /* least left to do, by rank and the time alone */
    CS_PTG_DISPATCH_FIRST,    /* first come */
    CS_PTG_DISPATCH_RANK,     /* rank over the largest of its graph */
};

struct cs_ptg_dispatch {
    enum cs_ptg_dispatch_key key;
    double efficiency; /* no width below it */
    bool shares;       /* the graphs that are there have equal parts of the power */
    bool fan;          /* the network */
};

/* alone[graph] on return, unless NULL: how long joint takes for the graph alone.  The caller
 * destroys the plan. */
struct cs_ptg_plan *cs_ptg_dispatch_plan(const struct cs_ptg_instance *in,
                                         const struct cs_ptg_dispatch *how, double *alone);

#endif
