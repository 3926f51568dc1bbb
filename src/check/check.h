/* check.h - the checkers of single problems, of which cs_check_file chooses one. */
#ifndef CS_CHECK_CHECK_H
#define CS_CHECK_CHECK_H

#include "model/schedule.h"

#include <cosched/check.h>

/* Any schedule: bars of positive length at finite times from 0 on, attempts from 1, sets of
 * processors well formed and in range, no processor in two bars at the same time (reported once for
 * a bar, with the bar that holds one of its processors longest), and with `one_at_a_time` no task
 * in two bars at the same time. O(n log n) for n intervals of processors. */
int cs_check_general(const struct cs_schedule *schedule, bool one_at_a_time,
                     struct cs_check_report *report);

/* A schedule of the pack problem, with the checks of cs_check_general: every task exactly once, in
 * one bar of work as long as its repaired profile at its number of processors (up to a relative
 * 1e-12 and the rounding of the bar's end); the tasks of a pack (the group of their bars) start
 * together, are at most pack_size and fit the machine; packs follow one another. With `declared`
 * (or NULL) also the packs, costs, metrics and bounds of the file. */
int cs_check_pack(const struct cs_schedule *schedule, const struct cs_workload *workload,
                  int pack_size, const struct cs_pack_declared *declared,
                  struct cs_check_report *report);

/* A schedule of the rigid problem, with the checks of cs_check_general: every attempt is as wide as
 * its job and ends at (start + seconds) + verification, exactly; attempts are numbered in their
 * order; a job runs again only after a failure and ends with a success, having failed as often as
 * in the scenario. With `shelves` the groups of the bars are shelves: they follow one another
 * without a gap, all their jobs start together, and within one only a job that has just failed
 * starts again, on its own processors, to end within the shelf. If jobs have submit times, none
 * starts before its own, and a shelf without waiting jobs starts at the next one; if they have
 * estimates, these define the planned end of a shelf, which ends with its last attempt. */
int cs_check_rigid(const struct cs_schedule *schedule, const struct cs_rigid_declared *declared,
                   struct cs_check_report *report);

/* A schedule of the malleable problem, with the checks of cs_check_general: tasks hold whole pairs
 * of processors, the same within a segment, and never wait before their end; a segment is
 * [downtime, recovery] [move, checkpoint] work, checkpoint, ..., each as long as defined by the
 * declared task, machine and period; the work that is not lost makes up the whole task; every
 * failure in the list has the effect that the bars show, and no segment ends without a failure, an
 * end or another event that can end it; the six areas and the lower bound. */
int cs_check_malleable(const struct cs_schedule *schedule, const struct cs_workload *workload,
                       const struct cs_malleable_declared *declared,
                       struct cs_check_report *report);

/* A schedule of the moldable problem, with the checks of cs_check_general: every task runs on
 * counts for which the instance has a time and which its limits allow, not before its release, and
 * ends at start + seconds, exactly, with `factor` of the real times; attempts are numbered, all but
 * the last fail, as often as in the scenario; counts, bound and gap as declared (or NULL). */
int cs_check_moldable(const struct cs_schedule *schedule, const struct cs_workload *workload,
                      const struct cs_moldable_declared *declared, struct cs_check_report *report);

/* A schedule of the ptg problem, with the checks of cs_check_general for bars that have a length:
 * every task exactly once, in one bar of work on processors of one cluster (its group), as long as
 * by Amdahl's law (bars of tasks without work have no length), not before its graph is released nor
 * before the data of its predecessors, sent when those end over dedicated links, have arrived (up
 * to a relative 1e-9). Tasks are named GRAPH/TASK, with an underscore for a slash in GRAPH; where
 * graphs share a name, GRAPH#g/TASK with the number g of the graph from 0. The platform is that of
 * the schedule. */
int cs_check_ptg(const struct cs_schedule *schedule, const struct cs_ptg_declared *declared,
                 struct cs_check_report *report);

/* A schedule of the problem volatile, also what cs_check_general looks for; slot by slot:
 * configurations hold all tasks on hosts that are up, within their capacity; a host works only
 * while it is up; no more hosts receive something than the master can send to, those with a message
 * that is partly there first, then the lowest number, the program before data and no more than is
 * needed; all enrolled hosts compute together, as soon and only when all are up and have
 * everything; a host that is down has lost all it had, and the computation of its
 * configuration is lost, as is that of one that is replaced; an iteration ends when its workload is
 * done, and only then; with prefetch hosts outside the configuration receive what is left of the
 * bound, the program before data.  With checkpoints all enrolled hosts save after so many computed
 * slots, and what was saved is not computed again; no more hosts outside the configuration than
 * there are spares receive the program (whether they are those likeliest to stay is not judged).
 * Tasks are named by the number of their iteration, from 1 on. */
int cs_check_volatile(const struct cs_schedule *schedule,
                      const struct cs_volatile_declared *declared, struct cs_check_report *report);

/* A schedule of the problem spot, also what cs_check_general looks for; tick by tick: spot is used
 * only while it is available; each start takes a whole change-over before it works, unless the
 * instances are left before; the work adds up; cost, starts and lateness are as declared, and a
 * deadline that work and a change-over can meet is met. */
int cs_check_spot(const struct cs_schedule *schedule, const struct cs_spot_declared *declared,
                  struct cs_check_report *report);

#endif
