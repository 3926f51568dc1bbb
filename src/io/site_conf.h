/* site_conf.h - for the reader of slurm.conf only: its state, and groups made of it. */
#ifndef CS_IO_SITE_CONF_H
#define CS_IO_SITE_CONF_H

#include "io/names.h"
#include "io/site_build.h"

#define CS_CONF_PARTITIONS 4096

#define CS_CONF_KINDS (CS_LOG_RESOURCES - 2)

/* Generic resources of a node, in the order of its list. */
struct cs_conf_gres {
    int count;
    struct cs_site_gres item[CS_CONF_KINDS];
};

enum cs_conf_state { CS_CONF_UP, CS_CONF_DOWN, CS_CONF_DRAINED, CS_CONF_FUTURE };

struct cs_conf_node {
    int64_t cores, memory;
    const struct cs_conf_gres *gres;
    const char *features;
    enum cs_conf_state state;
    int class;
};

/* The values of a line of nodes, or of the DEFAULT before it; -1: missing. */
struct cs_conf_shape {
    int64_t cpus, boards, sockets, cores, threads, memory;
    const struct cs_conf_gres *gres;
    const char *features;
    enum cs_conf_state state;
};

/* A line of a file. */
struct cs_conf_place {
    const char *file;
    long line;
};

struct cs_conf_part {
    const char *name, *nodes;
    double seconds, usual, tier, priority;
    int64_t least_nodes, most_nodes;
    bool fallback, exclusive;
    struct cs_conf_place place;
};

/* NodeSet and DownNodes: a list of nodes, or those with a feature. */
struct cs_conf_list {
    const char *name, *nodes, *feature;
    enum cs_conf_state state;
    struct cs_conf_place place;
};

struct cs_conf {
    struct cs_lines *lines; /* of the file that is read */
    const char *path;       /* of it; NULL: it has no folder */
    int depth;              /* of files that include each other */
    bool scontrol;          /* the record at hand is of scontrol: it replaces an earlier one */
    const char *cluster;
    struct cs_arena *arena;
    struct cs_site_file *out;
    struct cs_names *nodes, *words;
    struct cs_conf_place *word; /* of each word */
    struct cs_conf_node *node;  /* by number of the name */
    int room, word_room;
    struct cs_conf_shape supplied, shape; /* of DEFAULT, of the line */
    struct cs_conf_part usual, part[CS_CONF_PARTITIONS];
    int parts;
    int sets, set_room, downs, down_room;
    struct cs_conf_list *set, *down;
    int kinds;
    struct cs_site_kind_of_gres kind[CS_CONF_KINDS];
    bool linear, memory; /* whole nodes; memory is counted */
    struct cs_error why; /* of a value */
};

/* ---- text ---- */

/* All of conf->lines: lines of a slurm.conf, or what scontrol shows of configuration, partitions
 * and nodes, one record a line or on several.  -1 with err. */
int cs_conf_text_read(struct cs_conf *conf, struct cs_error *err);

int cs_conf_line_read(struct cs_conf *conf, char *text, struct cs_error *err);
int cs_conf_key_read(struct cs_conf *conf, const char *key, char *value, struct cs_error *err);

/* ---- keys that change scheduling and are not modelled ---- */

enum cs_conf_scope { CS_CONF_SITE, CS_CONF_SCHEDULER, CS_CONF_PARTITION };

/* The n-th row of the table, for tests: false behind the last.  `harmful` and `harmless` are
 * values; NULL: every value is harmful, NULL as a key of the scheduler stands alone. */
bool cs_conf_key_row(int n, enum cs_conf_scope *scope, const char **key, const char **harmless);

/* ---- generic resources and states ---- */

#endif
