/* fairshare.h - usage that decays by halves, shares of it, and Slurm's multifactor priority
 * (urgency.h).
 *
 * The usage of (account, user) is the sum over its attempts of the integral of
 * procs 2^(-(T - x) / half_life) dx up to T, the last multiple of calc_period that is not after
 * now.  Fair shares change when T does, or when a new user or account appears.
 */
#ifndef CS_SCHED_FAIRSHARE_H
#define CS_SCHED_FAIRSHARE_H

#include "model/site.h"
#include "sched/urgency.h"

struct cs_sched_sharer {
    int account, user;
    double usage, share; /* share: F */
};

struct cs_sched_sharing_account {
    int account, users;
    double supplied, usage, level;
};

/* An attempt whose usage is not all counted. */
struct cs_sched_using {
    int sharer;
    double procs, start, end;
};

struct cs_sched_fairshare {
    const struct cs_sched_multifactor *of; /* NULL: usage is not recorded */
    const struct cs_site *site;
    struct cs_arena *arena;
    double until; /* T */
    bool stale;   /* the shares are */
    int sharers, sharer_room;
    struct cs_sched_sharer *sharer;
    int accounts, account_room;
    struct cs_sched_sharing_account *account;
    int slots;                  /* of the table of sharers, a power of two */
    int *table;                 /* sharers, -1: none */
    struct cs_sched_leaf *leaf; /* scratch, by sharer */
    int running_room;
    struct cs_sched_using *running; /* by ticket; procs 0: does not run */
    int highest;                    /* no ticket from here on ever ran */
    int ended, ended_room;
    struct cs_sched_using *past; /* ended after `until` */
    double highest_partition, highest_qos;
};

void cs_sched_fairshare_init(struct cs_sched_fairshare *fairshare, const struct cs_site *site,
                             const struct cs_sched_multifactor *of, struct cs_arena *arena);

/* All of these do nothing before init. */
void cs_sched_fairshare_seen(struct cs_sched_fairshare *fairshare, int account, int user);
void cs_sched_fairshare_started(struct cs_sched_fairshare *fairshare, int ticket,
                                const struct cs_log_job *job, double now);
void cs_sched_fairshare_ended(struct cs_sched_fairshare *fairshare, int ticket, double now);

/* The shares are those of now. */
void cs_sched_fairshare_advance(struct cs_sched_fairshare *fairshare, double now);

/* Larger comes first. */
double cs_sched_fairshare_priority(const struct cs_sched_fairshare *fairshare,
                                   const struct cs_log_job *job, double now);

#endif
