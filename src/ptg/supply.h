/* supply.h - the data that a task waits for, from the places of its predecessors.
 *
 * D, the data bound, is when all data are there at the latest, by sizes only; D', the data date,
 * is when they are on the processors that were chosen.  Only what comes from the same cluster can
 * be sooner than its bound.
 */
#ifndef CS_PTG_SUPPLY_H
#define CS_PTG_SUPPLY_H

#include "base/arena.h"
#include "ptg/instance.h"
#include "ptg/network.h"

/* What comes to the task along an arc. */
struct cs_ptg_supply {
    const struct cs_ptg_place *from;
    struct cs_ptg_transfer transfer;
    double leaves;
};

/* The task that is being placed. */
struct cs_ptg_subject {
    const struct cs_graph_task *task;
    const struct cs_ptg_supply *supply; /* by rising predecessor */
    int supplies;
    double now;
};

/* The task of this number, whose predecessors have been placed, not to start before `now`; data
 * leave when a predecessor ends, or with `late` now. */
struct cs_ptg_subject cs_ptg_subject_of(const struct cs_ptg_instance *in, bool fan, bool late,
                                        const struct cs_ptg_place *place, int number, double now,
                                        struct cs_arena *scratch);

/* D on so many processors of a cluster. */
double cs_ptg_data_bound(const struct cs_ptg_subject *subject, int cluster, int procs);

/* The same for what comes from other clusters only; `now` when nothing does. */
double cs_ptg_data_away(const struct cs_ptg_subject *subject, int cluster, int procs);

/* D' on these processors, where `away` is the date above. */
double cs_ptg_data_date(const struct cs_ptg_subject *subject, int cluster, int procs, double away,
                        const struct cs_interval *set, int intervals);

#endif
