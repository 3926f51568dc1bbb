/* simulate.h - the jobs of a log on the machine of a site, under a policy.
 *
 * The driver takes jobs from a source one by one and remembers only those that wait or run.  At an
 * instant, in this order: attempts end, by start, then number; outages end, then begin; jobs
 * arrive, in the order of the log; attempts that outlive what was expected are extended; then one
 * round of the policy (spec/replay.md 4 to 8).  Times are seconds on
 * the clock of the log.
 *
 *     struct cs_queue_operation op = {.site = site, .policy = policy, .param = call.param,
 *                                     .priority = cs_sched_urgency_find("fcfs", &err)};
 *     cs_queue_simulate(&op, next, source, &result, &err);
 */
#ifndef CS_QUEUE_SIMULATE_H
#define CS_QUEUE_SIMULATE_H

#include "base/arena.h"
#include "model/site.h"
#include "sched/policy.h"
#include "sched/urgency.h"

/* The run time that the policy receives. */
enum cs_queue_notify {
    CS_QUEUE_REQUESTED,
    CS_QUEUE_EXACT,
    CS_QUEUE_LAST_TWO, /* the mean of the last two jobs of the user that had ended */
};

/* Jobs that run longer than requested. */
enum cs_queue_overrun {
    CS_QUEUE_RAISE,  /* the policy receives the run time from the beginning */
    CS_QUEUE_KILL,   /* ended at request + grace */
    CS_QUEUE_EXTEND, /* found out when the expected end comes */
};

struct cs_queue_reported {
    double request, top, estimate;
    double seconds; /* that it really runs */
    bool killed;
};

struct cs_queue_teller {
    enum cs_queue_notify notify;
    enum cs_queue_overrun overrun;
    double grace, default_request;
    struct cs_arena *arena;
    int users; /* room */
    struct cs_queue_last_two {
        int count;
        double seconds[2]; /* of the last that ended, and of the one before */
    } * last;
};

/* The limit of an attempt with extensions: a million of the longest. */
#define CS_QUEUE_LONGEST_EXTENDED (1e6 * 360000)

/* A job that waits, runs or is done, as an observer sees it. */
struct cs_queue_history {
    struct cs_log_job job;
    int64_t number;    /* place in the log, from 0 */
    double request;    /* the log's, or what stands for it */
    double estimate;   /* the run time that the policy receives */
    double since;      /* it waits, or waited for the attempt below: its arrival, or an end */
    double start, end; /* of the attempt that runs, or of the last one */
    double first;      /* start of the first attempt */
    double ran;        /* seconds in all attempts that have ended */
    double promise;    /* first reservation that a policy made for good; NAN: none */
    double fair;       /* start without later arrivals; NAN: not computed */
    int attempt;       /* attempts that have begun */
    int requeued;      /* attempts that an outage ended */
    int extended;      /* times that the expected end was put off */
    bool killed;       /* at its request */
    int shelf;         /* on which the attempt runs, from 0; -1: none */
    int pools;         /* from which the attempt takes */
    const struct cs_sched_taken *taken;
    int intervals; /* processors or nodes of the attempt, when the operation gives them; 0: no */
    const struct cs_interval *set;
};

/* Every one may be NULL. */
struct cs_queue_observer {
    void (*arrived)(void *who, const struct cs_queue_history *history, double now);
    void (*started)(void *who, const struct cs_queue_history *history, double now);
    /* An attempt ended; `done`: it was the last, and what the source keeps of the job may go. */
    void (*ended)(void *who, const struct cs_queue_history *history, double now, bool done);
    /* The job never runs: alone it exceeds the limit of its user (over_limit below).  The source
     * may discard it. */
    void (*left_out)(void *who, const struct cs_log_job *job);
    /* An instant is over: nothing changes until the next. */
    void (*instant)(void *who, double now);
    void *who;
};

struct cs_queue_operation {
    const struct cs_site *site;
    int outages;
    const struct cs_site_outage *outage; /* in the order of their file */
    const struct cs_sched_policy *policy;
    const double *param; /* of the policy, as in cs_policy_call */
    const struct cs_sched_urgency *priority;
    const struct cs_sched_multifactor *multifactor; /* of priority slurm; or NULL */
    struct cs_sched_draw draw;                      /* what the priorities of batches depend on */
    enum cs_queue_notify notify;
    enum cs_queue_overrun overrun;
    double grace;           /* seconds that are granted before a job is killed */
    double default_request; /* of jobs that have none; <= 0: the longest of the partition, else the
                               run time */
    double verification;    /* seconds added to each attempt */
    int64_t user_jobs, user_procs; /* of a user at most; 0: no limit */
    int64_t fair;                  /* of every so-many-th job: its start without later arrivals
                                      (Sabin and Sadayappan); 0: of none */
    bool sets;                     /* record the processors or nodes of an attempt */
    int observers;
    const struct cs_queue_observer *observer; /* called in this order */
};

/* Totals that belong to no single job. */
struct cs_queue_simulated {
    int64_t jobs, attempts, failures;
    int64_t raised;          /* jobs of which the policy receives the run time, which is longer
                                than the request */
    int64_t killed;          /* jobs */
    double undone;           /* processor seconds that the killed ones had left */
    int64_t extended;        /* expected ends that were put off */
    int64_t requeued;        /* attempts that an outage ended */
    int64_t over_limit;      /* jobs that are left out: alone above the limit of their user */
    int64_t new_plans;       /* reservations were dropped and made again */
    int64_t moves;           /* of reservations */
    int64_t broken;          /* promises */
    int64_t most_unfinished; /* the largest number of jobs in memory */
    size_t memory;           /* bytes that the driver took */
};

/* -1 with err: naming the job, when one does not fit or comes before another; the policy refuses
 * its parameters or the machine; the source fails. */
int cs_queue_simulate(const struct cs_queue_operation *op, cs_log_next_f *next, void *source,
                      struct cs_queue_simulated *result, struct cs_error *err);

#endif
