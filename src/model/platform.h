/* platform.h - the machine: clusters of identical processors.
 *
 * Processors are numbered from 0 over the whole platform, cluster by cluster.  What a processor is
 * (a core, a node) is up to the user; `unit` is the word for it.
 */
#ifndef CS_MODEL_PLATFORM_H
#define CS_MODEL_PLATFORM_H

#include <cosched/error.h>
#include <stdbool.h>

/* Of a node, watts. */
struct cs_watts {
    double busy, idle, off;
    double off_after; /* seconds without a busy processor, after which it is off; NaN: never */
    double wake;      /* joules */
};

struct cs_cluster {
    const char *name;
    int procs;    /* at least 1 */
    double speed; /* flop/s of one processor; 0 when unknown */
    int first;    /* its first processor; set by cs_platform_create */
    /* Every processor has a dedicated link to the switch of its cluster, full duplex. */
    double bandwidth;      /* bytes/s in each direction; 0 if unknown */
    double latency;        /* seconds */
    double memory;         /* bytes that a processor has; 0 when unknown */
    struct cs_watts watts; /* busy, idle and off only; busy 0 when unknown */
};

/* How clusters are joined: all on one switch that never blocks, or each with a separate switch and
 * one backbone between them that all traffic from cluster to cluster shares. */
struct cs_backbone {
    bool shared_switch;
    double bandwidth; /* bytes/s; 0 when unknown or when there is one switch */
    double latency;   /* seconds */
};

struct cs_platform {
    const char *name; /* "" when it has none */
    const char *unit; /* "processor", "node", ... */
    int procs;        /* of all clusters */
    int clusters;
    const struct cs_cluster *cluster; /* clusters of them, by rising `first` */
    struct cs_backbone backbone;
    void *storage; /* private */
};

/* A copy of these clusters, in this order; `first` is set.  Refuses no cluster at all, names that
 * are empty or appear twice, no processors, more than an int holds, and a speed or a memory that is
 * negative or not finite; links and backbone are unknown.  NULL with err on failure.  The caller
 * destroys it.
 */
struct cs_platform *cs_platform_create(const char *unit, int clusters,
                                       const struct cs_cluster *cluster, struct cs_error *err);

/* The same with a name (NULL: none) and a network: also refuses a bandwidth of a cluster that is
 * not positive, a negative latency, and two clusters or more that neither share a switch nor have a
 * backbone of positive bandwidth. */
struct cs_platform *cs_platform_create_grid(const char *name, const char *unit, int clusters,
                                            const struct cs_cluster *cluster,
                                            const struct cs_backbone *backbone,
                                            struct cs_error *err);

/* Ethernet of the paper's time, the default for files without it: links of 1 Gbit/s and 50 us, a
 * backbone of 10 Gbit/s and 100 us. */
#define CS_LINK_BANDWIDTH 125e6
#define CS_LINK_LATENCY 50e-6
#define CS_BACKBONE_BANDWIDTH 1250e6
#define CS_BACKBONE_LATENCY 100e-6

/* The four sites of Grid'5000 of N'takpe and Suter (RR-6774, table 1): "grid5000-lille",
 * "grid5000-nancy", "grid5000-rennes", "grid5000-sophia", from index 0 on; NULL at the end. */
const char *cs_platform_site_name(int index);

/* The site of that name. NULL with err, which lists them, if it does not exist. */
struct cs_platform *cs_platform_site(const char *name, struct cs_error *err);

/* One cluster, "all", of procs processors of unknown speed. NULL with err without processors. */
struct cs_platform *cs_platform_homogeneous(const char *unit, int procs, struct cs_error *err);

/* Read a platform from a file ("-": standard input; gzip and xz are unpacked): our JSON, links that
 * it leaves out being Ethernet, or where the build has libexpat the clusters in SimGrid's XML
 * (docs/formats.md).  NULL with err on failure.  The caller destroys it. */
struct cs_platform *cs_platform_read(const char *path, struct cs_error *err);

/* A copy, name and network included. */
struct cs_platform *cs_platform_copy(const struct cs_platform *platform);

void cs_platform_destroy(struct cs_platform *platform); /* NULL is fine */

/* The index of the cluster that a processor belongs to; -1 when it is out of range. */
int cs_platform_cluster_of(const struct cs_platform *platform, int processor);

#endif
