/* site_file.h - the machine of an operator: a file of cosched, or the configuration of Slurm.
 *
 *     {"format": "cosched-machine-1", "alloc": "node",
 *      "groups": [{"name": "thin", "nodes": 900, "cores": 64, "memory": 256000}],
 *      "partitions": [{"name": "batch", "groups": ["thin"], "max_seconds": 172800,
 *                      "default": true, "tier": 1, "priority": 1}],
 *      "priority": {"age_weight": 1000}}
 *
 * {"processors": P} is a machine too. `alloc` is node, pooled or packed. A file whose first
 * significant line is Key=Value is a slurm.conf; its settings of policy and priority are read too.
 */
#ifndef CS_IO_SITE_FILE_H
#define CS_IO_SITE_FILE_H

#include "model/site.h"

struct cs_site_weight {
    const char *name;
    double value;
};

/* Slurm's multifactor priority, as far as in the file; NaN: missing. */
struct cs_site_priority {
    bool multifactor; /* true if the file has any of it */
    double age_weight, fairshare_weight, size_weight, partition_weight, qos_weight;
    double max_age, half_life, calc_period; /* seconds */
    int favor_small, classic;               /* 0 or 1; -1: missing */
    int shares, qualities;
    const struct cs_site_weight *share, *quality;
};

/* Slurm's backfill; NaN: missing. Seconds, and numbers of jobs. */
struct cs_site_backfill {
    double interval, depth, queue, window, resolution, user;
};

struct cs_site_file {
    const struct cs_site *site;
    bool slurm; /* it was a slurm.conf */
    struct cs_site_priority priority;
    struct cs_site_backfill backfill;
    double grace; /* seconds beyond the limit before a job is killed; NaN: missing */
    int unmodelled;
    const char *const *word;      /* keys that change scheduling and are not modelled */
    const long *word_line;        /* of its first place */
    const char *const *word_file; /* the same */
    /* Nodes out of service, which the site does not have, and their processors. */
    int down, drained, future;
    int64_t out_procs;
    bool no_real_memory; /* memory counts, and no node has a RealMemory */
};

/* How a machine is read; all 0: the file decides. */
struct cs_site_reading {
    const char *alloc; /* the kind of machine ("packed", ...); NULL: that of the file */
    const char *path;  /* included files are in its folder; NULL: none are followed */
    bool assume_up;    /* states of nodes do not count */
};

/* Lives in the arena; `how` may be NULL, its path is set by cs_site_file_read.  NULL with err. */
const struct cs_site_file *cs_site_file_read(const char *path, const struct cs_site_reading *how,
                                             struct cs_arena *arena, struct cs_error *err);
const struct cs_site_file *cs_site_file_read_memory(const char *name, const void *bytes,
                                                    size_t size, const struct cs_site_reading *how,
                                                    struct cs_arena *arena, struct cs_error *err);

#endif
