/* replay_study.h - logs replayed with their submit times, under many policies, priorities and
 * failure scenarios.
 *
 * The runs are distributed over threads one by one; every figure depends on (set, variant,
 * scenario) alone, so any number of threads gives the same bytes.  In addition to the sets a thread
 * needs one number a job, and the queued and running jobs of its current replay.
 */
#ifndef CS_QUEUE_REPLAY_STUDY_H
#define CS_QUEUE_REPLAY_STUDY_H

#include "problem/loop.h"
#include "problems/queue/replay.h"
#include "problems/queue/replay_log.h"
#include "sched/scenarios.h"

/* Jobs that are replayed on their own, beginning with an empty machine. */
struct cs_queue_replay_jobs {
    const struct cs_queue_arrivals *arrivals;
    const struct cs_sched_scenarios *scenarios; /* of the same jobs in the same order */
};

/* How: policy, param and priority count, the rest does not. */
struct cs_queue_replay_study {
    int machine;
    double verification;
    int sets, variants, scenarios; /* scenarios of each set */
    const struct cs_queue_replay_jobs *set;
    const struct cs_queue_replay *variant;
    bool measure; /* as in struct cs_queue_replay */
    int threads;
    const struct cs_study_progress *progress; /* or NULL */
};

/* The outcome of one run. */
struct cs_queue_replay_outcome {
    struct cs_queue_replay_result result;
    double bound; /* on the makespan (cs_queue_arrivals_bound), seconds */
    double ratio; /* makespan / bound; 1 when there is no job */
};

/* out[(variant * sets + set) * scenarios + scenario].  -1 with err, that of the first run with
 * one. */
int cs_queue_replay_study_run(const struct cs_queue_replay_study *study,
                              struct cs_queue_replay_outcome *out, struct cs_error *err);

/* The inputs of a random or rate-aware priority in a scenario. */
struct cs_sched_draw cs_queue_replay_draw(const struct cs_sched_scenarios *scenarios, int scenario);

#endif
