/* simulate_parts.h - what the parts of the driver of simulate.h share. */
#ifndef CS_QUEUE_SIMULATE_PARTS_H
#define CS_QUEUE_SIMULATE_PARTS_H

#include "base/heap.h"
#include "model/blocks.h"
#include "problems/queue/simulate.h"
#include "sched/dispatcher.h"
#include "sched/fairshare.h"
#include "sched/policy.h"

/* The free resources in the pools of a site, and the resources that outages remove.
 *
 * Maintenance and drains take idle resources immediately; the rest is owed, and leaves as soon as
 * it becomes free, before any job gets it.  When an outage ends, all it took comes back.  On
 * machines whose pools are nodes an outage takes the last nodes of the group.
 */
enum cs_queue_phase { CS_QUEUE_COMING, CS_QUEUE_AWAY, CS_QUEUE_OVER };

/* The resources that an outage takes of one pool. */
struct cs_queue_part {
    int outage, pool;
    int64_t count[CS_LOG_RESOURCES], gone[CS_LOG_RESOURCES], owed[CS_LOG_RESOURCES];
};

struct cs_queue_pools {
    const struct cs_site *site;
    const struct cs_site_outage *outage;
    int outages, parts;
    int64_t (*free)[CS_LOG_RESOURCES]; /* by pool */
    enum cs_queue_phase *phase;        /* by outage */
    bool *known;
    struct cs_queue_part *part; /* in the order of the outages */
    struct cs_sched_change *change;
    double next; /* instant at which an outage is announced, begins or ends */
};

/* -1 with err when an outage takes more than there is, or ends before it begins. */
int cs_queue_pools_init(struct cs_queue_pools *pools, const struct cs_site *site,
                        const struct cs_site_outage *outage, int outages, struct cs_arena *arena,
                        struct cs_error *err);

/* An attempt takes its hold, or gives it back. */
void cs_queue_pools_take(struct cs_queue_pools *pools, const struct cs_sched_request *request,
                         const struct cs_sched_hold *hold);
void cs_queue_pools_give(struct cs_queue_pools *pools, const struct cs_sched_request *request,
                         const struct cs_sched_hold *hold);

/* The known changes of the pools, for the view. */
void cs_queue_pools_show(struct cs_queue_pools *pools, struct cs_sched_view *view);

/* A job that waits or runs, by its ticket. */
struct cs_queue_holder {
    struct cs_queue_history history;
    struct cs_queue_reported reported;
    int64_t left; /* failures still to come */
    int times;    /* that the expected end of this attempt was put off */
    int where;    /* in the list of those that wait */
    bool stays;   /* failed on its shelf at this instant, and keeps its processors */
    int next_spare;
    struct cs_blocks_set only; /* that the attempt has, where there is one pool */
    int sets, room;
    struct cs_blocks_set *set;    /* the same by pool that it takes from */
    struct cs_interval *interval; /* the same over all pools */
};

/* The observers that implement the call of an event, in the order of the operation. */
struct cs_queue_hearers {
    int count;
    const struct cs_queue_observer **of;
};

struct cs_queue_run {
    const struct cs_queue_operation *op;
    const struct cs_site *site;
    struct cs_arena *arena;
    double now;
    /* The jobs as the policy sees them: the instance and the data behind its pointers. */
    bool general;
    struct cs_sched_instance in;
    double *seconds;
    int *procs;
    struct cs_sched_place *place;
    struct cs_sched_request *request;
    struct cs_sched_counters counters;
    struct cs_sched_usage usage;
    struct cs_sched_dispatcher dispatcher;
    /* State that is hidden from the policy. */
    struct cs_queue_pools pools;
    struct cs_queue_teller teller;
    struct cs_sched_fairshare fairshare;
    const struct cs_sched_priority *batch; /* the key is that of a batch; or NULL */
    int *tier;                             /* by partition: place of its tier, the highest is 0 */
    struct cs_queue_holder *kept;          /* by ticket */
    int spare;                             /* a ticket; -1: none */
    int *waiting, waits;                   /* tickets, in no order; where orders change with time */
    struct cs_heap ends;                   /* of what runs */
    struct cs_heap lates;                  /* the expected ends of what will outlive them */
    int *ending;                           /* tickets whose attempts end at this instant */
    int shelf;                             /* that runs; -1 */
    int *staying, stays;                   /* tickets */
    struct cs_blocks *names;               /* by pool; NULL: they have no names */
    struct cs_queue_hearers arrived, started, ended, left_out, instant;
    struct cs_queue_simulated *result;
    cs_log_next_f *next;
    void *source;
    bool any, more; /* an arrival came at all; `coming` is the next */
    struct cs_log_job coming;
    int64_t number, unfinished;
};

/* Notify every observer that implements the call. */
#define CS_QUEUE_REPORT(run, call, ...)                                                            \
    do                                                                                             \
        for (int o_ = 0; o_ < (run)->call.count; o_++)                                             \
            (run)->call.of[o_]->call((run)->call.of[o_]->who, __VA_ARGS__);                        \
    while (0)

/* A ticket serves one job after the other. */
int cs_queue_run_ticket(struct cs_queue_run *run);
void cs_queue_run_give_ticket(struct cs_queue_run *run, int ticket);

/* Prepare the data that orders depend on; -1 with err. */
int cs_queue_run_order(struct cs_queue_run *run, struct cs_error *err);
/* Where the priority puts a job now; and all that wait, where that changes. */
struct cs_sched_place cs_queue_run_place(const struct cs_queue_run *run, int ticket);
void cs_queue_run_order_again(struct cs_queue_run *run);

/* Numbers for the attempt of a ticket, and back. */
void cs_queue_run_names(struct cs_queue_run *run);
void cs_queue_run_name(struct cs_queue_run *run, int ticket);
void cs_queue_run_unname(struct cs_queue_run *run, int ticket);

/* Turn to the shelf that runs now: a job that failed on another one returns its processors.  After
 * attempts have started, the failed jobs that did not start again return theirs. */
void cs_queue_run_turn_shelf(struct cs_queue_run *run);
void cs_queue_run_leave_shelf(struct cs_queue_run *run);

/* The attempt of the ticket ends now; `cut`: by an outage. */
void cs_queue_run_end(struct cs_queue_run *run, int ticket, bool cut);

/* Outages that are announced, end or begin by now. */
void cs_queue_run_outages(struct cs_queue_run *run);

#endif
