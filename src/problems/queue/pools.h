/* pools.h - the free resources in the pools of a site, and the resources that outages remove.
 *
 * Maintenance and drains take idle resources immediately; the rest is owed, and leaves as soon as
 * it becomes free, before any job gets it.  When an outage ends, all it took comes back.  On
 * machines whose pools are nodes an outage takes the last nodes of the group.
 */
#ifndef CS_QUEUE_POOLS_H
#define CS_QUEUE_POOLS_H

#include "sched/policy.h"

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

/* Has the pool less idle than the part wants? */
bool cs_queue_pools_lack(const struct cs_queue_pools *pools, const struct cs_queue_part *part);

/* The outage takes what is idle of this part; it gives back all of it. */
void cs_queue_pools_begin(struct cs_queue_pools *pools, struct cs_queue_part *part);
void cs_queue_pools_end(struct cs_queue_pools *pools, struct cs_queue_part *part);

/* After the phases and what is known have changed: the next instant. */
void cs_queue_pools_settle(struct cs_queue_pools *pools, double now);

/* The known changes of the pools, for the view. */
void cs_queue_pools_show(struct cs_queue_pools *pools, struct cs_sched_view *view);

#endif
