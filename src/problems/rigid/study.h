/* study.h - one policy and one priority through many failure scenarios.
 *
 * Scenarios are shared out over threads; every figure depends on (jobs, policy, priority, scenario)
 * alone, so any number of threads gives the same bytes.  The promises are in
 * sched/rigid.h.
 */
#ifndef CS_RIGID_STUDY_H
#define CS_RIGID_STUDY_H

#include "problem/loop.h"
#include "problems/rigid/simulate.h"
#include "sched/priority.h"
#include "sched/scenarios.h"

/* Does it name all that is needed, and are the scenarios those of its jobs? */
bool cs_rigid_study_is_whole(const struct cs_rigid_study *study);

/* Studies of several variants and sets of jobs. */
struct cs_rigid_batch {
    const struct cs_rigid_study *study; /* of each variant and in it of each set; those without
                                           scenarios do not run */
    int variants, sets;
    long scenarios; /* of each study */
    int threads;
    void *seen; /* of each run, in the order of the loop, `size` bytes each */
    size_t size;
    void (*see)(void *seen, const struct cs_rigid_outcome *outcome);
    const struct cs_study_progress *progress; /* or NULL */
};

int cs_rigid_batch_run(const struct cs_rigid_batch *batch, struct cs_error *err);

#endif
