/* study.h - one policy and one priority through many failure scenarios.
 *
 * Scenarios are shared out over threads; every figure depends on (jobs, policy, priority, scenario)
 * alone, so any number of threads gives the same bytes.  The promises are in
 * sched/rigid.h.
 */
#ifndef CS_RIGID_STUDY_H
#define CS_RIGID_STUDY_H

#include "problems/rigid/simulate.h"
#include "sched/priority.h"
#include "sched/scenarios.h"

/* Does it name all that is needed, and are the scenarios those of its jobs? */
bool cs_rigid_study_is_whole(const struct cs_rigid_study *study);

#endif
