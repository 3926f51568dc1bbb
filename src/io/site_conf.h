/* site_conf.h - for the reader of slurm.conf only: what it has read, and groups made of it. */
#ifndef CS_IO_SITE_CONF_H
#define CS_IO_SITE_CONF_H

#include "io/names.h"
#include "io/site_build.h"

#define CS_CONF_PARTITIONS 4096

struct cs_conf_node {
    int64_t cores, memory, gpus;
    int class;
};

/* What a line of nodes, or the DEFAULT before it, says; -1: nothing. */
struct cs_conf_shape {
    int64_t cpus, boards, sockets, cores, threads, memory, gpus;
};

struct cs_conf_part {
    const char *name, *nodes;
    double seconds, tier, priority;
    bool fallback, exclusive;
    long line;
};

struct cs_conf {
    struct cs_lines *lines;
    struct cs_arena *arena;
    struct cs_site_file *out;
    struct cs_names *nodes, *words;
    struct cs_conf_node *node; /* by number of the name */
    int room;
    struct cs_conf_shape given, shape; /* of DEFAULT, of the line */
    struct cs_conf_part usual, part[CS_CONF_PARTITIONS];
    int parts;
    bool linear;
    struct cs_error why; /* of a value */
};

/* How many nodes there are. */
int cs_conf_nodes(const struct cs_conf *conf);

/* Make groups of nodes with equal capacity in the same partitions, in the order in which their
 * first nodes come, and the partitions.  -1 with err. */
int cs_conf_make_site(struct cs_conf *conf, struct cs_site *site, struct cs_error *err);

#endif
