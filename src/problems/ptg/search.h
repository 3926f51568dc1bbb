/* search.h - local search on a plan: the tasks on the critical chain get another width, another
 * cluster or an earlier turn.
 *
 * spec/ptg.md III.4.  A plan is a list of all tasks and a cluster and a width for
 * each; decoding places them one after the other, in holes too.  A move is kept unless the value,
 * then the end of all, then the sum of all ends, is worse.  Only tasks from the first change of the
 * list on are placed again; where the value is that end, no further than until a task ends so
 * late that the whole must be worse.
 */
#ifndef CS_PTG_SEARCH_H
#define CS_PTG_SEARCH_H

#include "problems/ptg/instance.h"

struct cs_ptg_search {
    int moves;
    uint64_t seed;
    bool fan;   /* the network */
    bool plain; /* decode the whole list every time: the same plan, for tests */
    double (*value)(const void *who, double end, const double *completion); /* of all; by graph.
                                                                               NULL: the end */
    const void *who;
};

struct cs_ptg_search_result {
    int evaluated, accepted;
};

/* The best plan that was seen, of the places of this one on; the caller destroys it.  result may be
 * NULL. */
struct cs_ptg_plan *cs_ptg_search_from(const struct cs_ptg_instance *in,
                                       const struct cs_ptg_plan *plan,
                                       const struct cs_ptg_search *how,
                                       struct cs_ptg_search_result *result);

#endif
