/* site.h - the machine of an operator: pools, partitions, and temporary outages.
 *
 * A job requests units >= 1 times a demand from the pools of its partition. In [s, e) a pool offers
 *
 *     min(most, min over x in [s, e) and resources r with demand_r > 0 of
 *               floor(free_r(x) / demand_r)),  at least 0
 *
 * units.  A job fits when the offers add up to its units; it takes from the pools in the order of
 * the partition, from each as much as it offers, until it has enough.
 *
 *     processors only   one pool of (P); a unit is a processor
 *     whole nodes       a pool a group of (nodes); a unit is a node
 *     pooled            a pool a group of (cores, memory, GPUs) times its nodes; a unit is the
 *                       demand of a job on one node
 *     packed            a pool a node of (cores, memory, GPUs), at most one unit each
 *
 * Generic resources such as GPUs are a resource for each name and type. A job that names no type
 * takes any of the name, in the order of the node's list: if there are several, the demand for them
 * has a separate index after the resources, the capacity of which is 0. Whole nodes have capacities
 * of generic resources too, if some node has any.
 */
#ifndef CS_MODEL_SITE_H
#define CS_MODEL_SITE_H

#include "base/arena.h"
#include "model/log_job.h"

enum cs_site_kind { CS_SITE_PROCESSORS, CS_SITE_NODES, CS_SITE_POOLED, CS_SITE_PACKED };

/* A kind of generic resource; the type may be "". */
struct cs_site_kind_of_gres {
    const char *name, *type;
};

/* So much of a kind. */
struct cs_site_gres {
    int kind;
    int64_t count;
};

struct cs_site_group {
    const char *name;
    const char *first; /* name of its first node, only shown; or NULL */
    int nodes;
    int64_t cores, memory, gpus; /* of a node; memory in megabytes; 0: unset */
    int gres;                    /* of a node, in the order of its list; the GPUs are among them */
    const struct cs_site_gres *gres_list;
};

struct cs_site_partition {
    const char *name;
    int groups;
    const int *group;                /* in the order in which they are taken from */
    double tier;                     /* larger comes first */
    double priority;                 /* of the multifactor priority */
    double seconds;                  /* the longest request; INFINITY: no bound */
    double usual;                    /* the request of a job that has none; 0: not set */
    int64_t least_nodes, most_nodes; /* of a job; 0: no bound */
    bool out;                        /* none of its nodes is in service: it has no groups */
    /* Filled by cs_site_finish. */
    int pools;
    const int *pool;
};

struct cs_site_pool {
    int64_t capacity[CS_LOG_RESOURCES];
    int64_t most; /* units of one job */
    int group;
    int64_t first; /* number of its first processor or node, over all pools */
};

struct cs_site {
    enum cs_site_kind kind;
    int groups, partitions;
    const struct cs_site_group *group;
    const struct cs_site_partition *partition;
    int fallback;   /* partition of jobs that name none that is here; -1: they are left out */
    bool no_memory; /* memory of jobs is not looked at */
    int kinds;      /* of generic resources; 0: GPUs without a type, and other names are ignored */
    const struct cs_site_kind_of_gres *kind_of_gres;
    /* Filled by cs_site_finish. */
    int resources;             /* 1, or 2 and the kinds where memory and generic resources count */
    int demands;               /* the same and one for each name of several types */
    int any[CS_LOG_RESOURCES]; /* of a resource: the demand for any type of its name; 0: it has no
                                  other */
    int pools;
    const struct cs_site_pool *pool;
    int64_t procs; /* first capacities of all pools together */
};

/* A machine of so many processors, 1 or more, in one partition that takes every job.  Lives in the
 * arena. */
const struct cs_site *cs_site_of_processors(int procs, struct cs_arena *arena);

/* Fill in what follows from kind, groups and partitions.  -1 with err: a group of no nodes, a
 * partition of no groups, a name that comes twice, more than can be counted. */
int cs_site_finish(struct cs_site *site, struct cs_arena *arena, struct cs_error *err);

/* The partition of that name; -1 for none. */
int cs_site_partition_find(const struct cs_site *site, const char *name);

/* Whether a job can run at all, and why not. */
enum cs_site_finding {
    CS_SITE_FITS,
    CS_SITE_NO_WIDTH,     /* neither cores nor nodes are known */
    CS_SITE_NO_PARTITION, /* -1, and there is no default */
    CS_SITE_TOO_WIDE,     /* for its partition when that is empty */
    CS_SITE_NO_GRES,      /* it asks for a generic resource that no node has */
};

/* Fill in units, demand and procs of the job from its cores, nodes, memory and GPUs and its
 * partition (a number of this site; -1 becomes the one to fall back to).  `by_nodes`: where only
 * processors are counted, they are nodes. */
enum cs_site_finding cs_site_size(const struct cs_site *site, bool by_nodes,
                                  struct cs_log_job *job);

/* The index of the demand for a generic resource, type "" for any; -1: no node has it. */
int cs_site_demand(const struct cs_site *site, const char *name, const char *type);

/* Can this pool satisfy the demand of a share of a job? A whole node must have it on the node. */
bool cs_site_may(const struct cs_site *site, const struct cs_site_pool *pool, int demand,
                 int64_t amount);

/* The first generic resource of the job that no node has; NULL: every one is there. */
const struct cs_log_gres_item *cs_site_lacks(const struct cs_site *site,
                                             const struct cs_log_job *job);

/* The same for a job that has its units, demand and procs already. */
enum cs_site_finding cs_site_check_job(const struct cs_site *site, struct cs_log_job *job);

enum cs_site_outage_kind { CS_SITE_MAINTENANCE, CS_SITE_DRAIN, CS_SITE_DOWN };

/* So many units of the first resource of a group (nodes, but for processors) are away in
 * [start, end).  Maintenance is known from `announced` on. */
struct cs_site_outage {
    double start, end, announced; /* announced -INFINITY: always */
    int64_t count;
    enum cs_site_outage_kind kind;
    int group;
};

#endif
