/* replay.h - rigid jobs that arrive over time, such as those of a job log.
 *
 * A driver in virtual time that streams: it asks for one arrival after the other and remembers
 * only what is queued or running.  Ends and arrivals of one instant are handled together, ends
 * first, then one scheduling pass follows.  The scheduler plans with the estimates; an attempt
 * that ends earlier than that gives its processors back at once.  A job that has failures left
 * when an attempt ends goes back to the queue, at its place (Benoit et al. 2021, with the release
 * times of the specification's second part, section 6).
 *
 * In order of cost a pass asks the queue "who is the first that fits?" (replay_list.h), adds up
 * the running attempts by estimated end until the first job that waits fits, and, for the
 * conservative policy, makes only as many reservations as matter for who starts now.
 *
 * A shelf is made when nothing runs and somebody waits: when the one before it has ended, or, if
 * nobody waited then, when the next job arrives.  It ends when its last attempt does, which may be
 * before the end T that its estimates promised.  Shelf-fill runs a job that failed again at once,
 * on its own processors, if by its estimate that ends by T.  With exact estimates and all jobs
 * there from the beginning these are the shelves of the paper.
 */
#ifndef CS_RIGID_REPLAY_H
#define CS_RIGID_REPLAY_H

#include "model/arrival.h"
#include "rigid/policy.h"
#include "rigid/priority.h"

enum cs_rigid_replay_policy {
    CS_RIGID_REPLAY_GREEDY,      /* list:reservations=0 */
    CS_RIGID_REPLAY_EASY,        /* list:reservations=1: a head that fits uses the reservation up */
    CS_RIGID_REPLAY_STRICT_EASY, /* strict-easy: the first that does not fit has a reservation */
    CS_RIGID_REPLAY_CONSERVATIVE, /* list: everybody has one, made anew at every pass */
    CS_RIGID_REPLAY_ROUND,        /* list with any other number of them, made anew likewise */
    CS_RIGID_REPLAY_SHELF,        /* shelf */
    CS_RIGID_REPLAY_SHELF_FILL,   /* shelf-fill */
};

/* An attempt that has ended.  Rows come in the order of their ends. */
typedef void cs_rigid_replay_watch_f(void *who, const struct cs_job_row *row);

struct cs_rigid_replay {
    int machine;         /* processors */
    double verification; /* seconds added to each attempt */
    enum cs_rigid_replay_policy policy;
    int reservations; /* of CS_RIGID_REPLAY_ROUND, >= 0 */
    bool in_order;    /* shelves: the first job that does not fit closes the shelf */
    const struct cs_rigid_priority *priority; /* of the estimates; NULL: fcfs, submit then id */
    struct cs_rigid_draw draw;                /* what the priority depends on */
    bool sets;                                /* give every attempt the lowest free processors */
    cs_rigid_replay_watch_f *watch;           /* or NULL */
    void *who;
};

/* Times in seconds.  A job waits from its submission to its last end, but for the time in which it
 * runs; its bounded slowdown is its turnaround over an attempt of 10 s or more, at least 1. */
struct cs_rigid_replay_result {
    int64_t jobs, attempts, failures;
    double first_submit, last_end;
    double makespan;    /* last_end - first_submit; 0 without jobs */
    double busy, waste; /* processor seconds: all attempts, those that failed */
    double utilisation; /* busy / (machine * makespan) */
    double mean_wait, max_wait;
    double mean_slowdown, max_slowdown;
    double throughput;       /* jobs an hour */
    int64_t largest_queue;   /* jobs that waited at once, after a pass */
    int64_t most_unfinished; /* jobs that were in memory at once */
    size_t memory;           /* bytes that the driver took */
};

/* -1 with err, naming the job, when an arrival is not fit or out of order, or the source fails. */
int cs_rigid_replay_run(const struct cs_rigid_replay *replay, cs_arrival_next_f *next, void *source,
                        struct cs_rigid_replay_result *result, struct cs_error *err);

/* Set what a policy of the registry with its parameters means here: policy, reservations and
 * in_order.  -1 with err when it is not made for arrivals; `replay` is as it was then. */
int cs_rigid_replay_set_policy(struct cs_rigid_replay *replay, const struct cs_rigid_policy *policy,
                               const double *param, struct cs_error *err);

/* Like cs_rigid_priority_find, and "fcfs" (*out = NULL); priorities that learn are refused.  -1
 * with err. */
int cs_rigid_replay_priority_find(const char *name, const struct cs_rigid_priority **out,
                                  struct cs_error *err);

#endif
