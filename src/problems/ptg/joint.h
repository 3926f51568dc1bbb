/* joint.h - plans in which cluster and width of every task are chosen together, holes included.
 *
 * spec/ptg.md III.3.  `joint` looks at all tasks of all graphs in one order, of
 * ranks or of ranks relative to the largest of their graph; a graph has all the platform if its
 * share is 1, else no task gets more than that.  `joint-level` divides the share of a graph among
 * the tasks of a precedence level, in proportion to their work.  `joint-ready` does the same for
 * the tasks that are ready, as time goes by.
 */
#ifndef CS_PTG_JOINT_H
#define CS_PTG_JOINT_H

#include "problems/ptg/instance.h"

enum cs_ptg_joint_kind { CS_PTG_JOINT, CS_PTG_JOINT_LEVEL, CS_PTG_JOINT_READY };
enum cs_ptg_joint_key { CS_PTG_KEY_RANK, CS_PTG_KEY_SHARE };

struct cs_ptg_joint {
    enum cs_ptg_joint_kind kind;
    enum cs_ptg_joint_key key; /* joint */
    double efficiency;         /* no width below it */
    bool fan;                  /* the network */
};

/* beta[graph], 0 .. 1 each.  The plan's bottom levels are the ranks, its allocations the widths.
 * The caller destroys it. */
struct cs_ptg_plan *cs_ptg_joint_plan(const struct cs_ptg_instance *in,
                                      const struct cs_ptg_joint *how, const double *beta);

#endif
