/* log_row.h - for the readers of logs only: one line, taken apart. */
#ifndef CS_IO_LOG_ROW_H
#define CS_IO_LOG_ROW_H

#include "base/lines.h"
#include "io/log.h"
#include "io/names.h"

#define CS_LOG_LARGEST 1e15 /* times and sizes */

/* A job, before the machine has a word. */
struct cs_log_row {
    double arrival, submit, run;
    double request;  /* <= 0: none */
    double recorded; /* NaN: none */
    int64_t id, line;
    int64_t cores, nodes, memory, gpus; /* of the whole job; -1: unknown */
    const struct cs_log_gres *gres;     /* as in cs_log_job; NULL */
    char *label;                        /* freed by cs_log_label_free; NULL: the id is the number */
    int user, account, partition, qos;  /* -1: none */
    enum cs_log_state state;
    unsigned flags; /* 1 << rule, of those that are kept */
};

/* Common state of all readers. */
struct cs_log_scan {
    const struct cs_log_options *options;
    struct cs_log_counts *counts;
    struct cs_names *users, *accounts, *partitions, *qualities;
    struct cs_log_gres_table *gres;
    struct cs_error why; /* of a line that is malformed, without its place */
};

/* One file. */
struct cs_log_format {
    enum cs_log_kind kind;
    /* Whether a file whose first line that is not blank is this one is such a log. */
    bool (*matches)(const char *line);
    /* Read the part before the jobs. *line is the first line, and becomes the first with a job, or
     * NULL if there is no such line. *state, if set, is given to end(). -1 with err. */
    int (*begin)(struct cs_log_scan *scan, struct cs_lines *lines, char **line, void **state,
                 struct cs_error *err);
    /* Parse a line. CS_LOG_KEPT with *row, or the rule that leaves it out (CS_LOG_NOT_ENDED with
     * its sizes, its partition and its run time so far, if it runs, else 0); CS_LOG_RULES: not a
     * data line. */
    enum cs_log_rule (*read)(struct cs_log_scan *scan, void *state, char *line,
                             struct cs_log_row *row);
    /* Instead of read, if jobs are not lines: the next job. CS_LOG_RULES: end. */
    enum cs_log_rule (*next)(struct cs_log_scan *scan, void *state, struct cs_log_row *row);
    int64_t (*machine)(const void *state); /* its processors, 0: unknown; NULL: they never are */
    void (*end)(void *state);              /* NULL: free() */
};

extern const struct cs_log_format cs_log_format_swf, cs_log_format_sacct, cs_log_format_pbs,
    cs_log_format_alcf, cs_log_format_batsim, cs_log_format_batsim_json;

/* The header of SWF; the state of its files. */
struct cs_log_swf {
    int64_t max_procs, max_nodes, start;
    bool dated;
    char zone[64];
};

/* "FILE: this is no job log: ...", with what its first line looks like.  Returns -1. */
int cs_log_refuse(struct cs_lines *lines, const char *first, struct cs_error *err);

/* A malformed line: the sentence goes to scan->why.  Returns CS_LOG_MALFORMED. */
enum cs_log_rule cs_log_malformed(struct cs_log_scan *scan, const char *format, ...)
    CS_PRINTF(2, 3);

/* A number of at most CS_LOG_LARGEST in size; false if the text is invalid. */
bool cs_log_number(const char *text, double *out);

/* The same cut to an integer, -1 if invalid. */
int64_t cs_log_whole(const char *text);

/* The generic resources of a list such as "cpu=4,gres/gpu:a100=2,gres/gpu=2,gres/shard=1"; NULL
 * when there are no more than GPUs without a type.  Where a name has types, what has none is their
 * sum. They live as long as the log. */
const struct cs_log_gres *cs_log_gres_read(struct cs_log_gres_table *table, const char *tres);

struct cs_log_gres_table *cs_log_gres_create(struct cs_arena *arena);

/* A job is left out, as no node has this. */
void cs_log_gres_lacks(struct cs_log_counts *counts, const struct cs_log_gres_item *item);

/* The number of a name; -1 for "". */
int cs_log_name(struct cs_names *names, const char *text);

/* The id as a number, and as a label when it is more than that. */
void cs_log_put_id(struct cs_log_row *row, const char *text);

/* Labels in use are in a ring around `*all`, so each can be released. */
struct cs_log_link {
    struct cs_log_link *before, *after;
};

void cs_log_label_keep(struct cs_log_link *all, char *text);
void cs_log_label_free_all(struct cs_log_link *all);
void cs_log_label_free(char *text); /* kept or not; NULL is fine */

/* Columns by name.  `at[i]` is the role of column i, -1 for none. */
struct cs_log_columns {
    char separator; /* '|' or ',', which may be quoted */
    int count;
    int at[512];
};

/* Find the roles, in any case; "NAME%20" is NAME.  False when there are too many columns. */
bool cs_log_columns_find(struct cs_log_columns *columns, char *header, const char *const *role,
                         int roles);

/* Cut the line at its separators; roles without a column are "".  How many fields there were; one
 * empty field at the end more than there are columns does not count. */
int cs_log_columns_split(const struct cs_log_columns *columns, char *line, const char **role,
                         int roles);

#endif
