/* platform.h - the machine: clusters of identical processors.
 *
 * Processors are numbered from 0 over the whole platform, cluster by cluster.  What a processor is
 * (a core, a node) is up to the user; `unit` is the word for it.
 */
#ifndef COSCHED_PLATFORM_H
#define COSCHED_PLATFORM_H

#include <cosched/error.h>

CS_BEGIN_DECLS

struct cs_cluster {
    const char *name;
    int procs;    /* at least 1 */
    double speed; /* flop/s of one processor; 0 when unknown */
    int first;    /* its first processor; set by cs_platform_create */
};

struct cs_platform {
    const char *unit; /* "processor", "node", ... */
    int procs;        /* of all clusters */
    int clusters;
    const struct cs_cluster *cluster; /* clusters of them, by rising `first` */
    void *storage;                    /* private */
};

/* A copy of these clusters, in this order; `first` is set.  Refuses no cluster at all, names that
 * are empty or appear twice, no processors, more than an int holds, and a speed that is negative or
 * not finite.  NULL with err on failure.  The caller destroys it. */
CS_API struct cs_platform *cs_platform_create(const char *unit, int clusters,
                                              const struct cs_cluster *cluster,
                                              struct cs_error *err);

/* One cluster, "all", of procs >= 1 processors of unknown speed. */
CS_API struct cs_platform *cs_platform_homogeneous(const char *unit, int procs);

CS_API void cs_platform_destroy(struct cs_platform *platform); /* NULL is fine */

/* The index of the cluster that a processor belongs to; a processor out of range is a bug. */
CS_API int cs_platform_cluster_of(const struct cs_platform *platform, int processor);

CS_END_DECLS

#endif
