/* urgency.h - the order of the waiting jobs of a site.
 *
 * Ascending by: minus the tier of the partition, the key, arrival, number.  r is the run time of a
 * job that the policy receives, q its processors, w its waiting time so far, a = max(1, arrival -
 * first arrival of the log); logarithms are those of the C library.
 */
#ifndef CS_SCHED_URGENCY_H
#define CS_SCHED_URGENCY_H

#include "base/strbuf.h"
#include "model/log_job.h"
#include "model/site.h"
#include "sched/priority.h"

/* The inputs of a key. */
struct cs_sched_urgent {
    double r, q, w, a, arrival;
};

struct cs_sched_urgency {
    const char *name, *summary, *source;
    bool moves;       /* with time: keys are computed at each round */
    bool multifactor; /* of fair shares, ages and sizes: below */
    double (*key)(const struct cs_sched_urgent *job); /* NULL: multifactor, or that of priority.h of
                                                         the same name */
};

/* All of them, *count. */
const struct cs_sched_urgency *cs_sched_urgencies(int *count);

/* The index-th of those that are no priorities of batches (priority.h); NULL past the last.  And
 * the names of those that need only arrivals. */
const struct cs_sched_urgency *cs_sched_urgency_beyond(int index);
void cs_sched_urgency_put_beyond(struct cs_strbuf *out, const char *between);

/* "queue|fcfs|lcfs|..." for the parameter of a policy: the order of the queue, or one of those that
 * have a key; and the urgency of a choice, NULL for the queue. */
#define CS_SCHED_URGENCY_CHOICES                                                                   \
    "queue|fcfs|lcfs|spt|lpt|lpa|hpa|sa|la|lxf|sexf|wfp3|unicef|f1|f2|f3|f4"
const struct cs_sched_urgency *cs_sched_urgency_of_choice(int choice);

/* By name, in any case; sjf is spt.  NULL with err, which lists what would be right. */
const struct cs_sched_urgency *cs_sched_urgency_find(const char *name, struct cs_error *err);

/* Slurm's multifactor priority:
 *
 *     floor(age_weight A + fairshare_weight F + size_weight S + partition_weight Q + qos_weight O
 *           - nice), at least 1
 *
 * with A = min(1, w / max_age), S = procs / all (1 - S when small jobs are favoured), Q and O the
 * priorities over the largest one, F the fair share of (account, user). */
struct cs_sched_multifactor {
    double age_weight, fairshare_weight, size_weight, partition_weight, qos_weight;
    double max_age, half_life, calc_period; /* seconds */
    bool favor_small;
    bool classic; /* fair share; else the fair tree */
    /* By name. */
    int shares_count, qos_count;
    const struct cs_sched_named *shares; /* of accounts; others have 1 */
    const struct cs_sched_named *qos;    /* priorities; others have 0 */
    /* The names behind the numbers of a job. */
    const struct cs_log_names *users, *accounts, *qualities;
    /* Accounts and users that are known from the beginning; others when they are seen. */
    int members;
    const struct cs_sched_member *member;
};

struct cs_sched_named {
    const char *name;
    double value;
};

struct cs_sched_member {
    int account, user;
};

/* Weights 0; max_age and half_life 7 days, calc_period 300 s, fair tree. */
struct cs_sched_multifactor cs_sched_multifactor_default(void);

#endif
