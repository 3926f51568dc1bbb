/* store.h - storage of campaigns: documents, and the values of executed cells.
 *
 * A store is a SQLite file, or memory.  It holds
 *
 *   document sweeps and papers, as JSON run each time the tool worked on it: version, command,
 *   machine, when input the input files, with the SHA-256 of their bytes PROBLEM one table for each
 *   problem, a row a cell: parameters (canonical JSON), seed (decimal
 *              text: it has 64 bits), instance (its SHA-256, or NULL), run, seconds (how long it
 *              took), finished (when, in seconds since 1970), and a column for each metric; NaN is
 *              NULL
 *
 * The key of a cell contains everything that its values depend on: the problem, the parameters and
 * the seed. Progress is not stored separately: the finished part of a document is the set of its
 * cells in the store. A cell is durable once cs_store_put has returned, even if the process is
 * killed (after a crash of the machine the last few may be missing, but none is incomplete), and is
 * never changed.
 *
 * Every row has a digest, and every table the sum of these: later damage is detected when it is
 * read (store.c), and never gives a wrong number.
 *
 * One process writes at a time; others may read concurrently, each row as soon as it is stored,
 * also from other machines on network file systems. A process opens a file once. Functions on cells
 * may be called from several threads.
 *
 * Errors are one line that begins with the name of the file.
 */
#ifndef CS_CAMPAIGN_STORE_H
#define CS_CAMPAIGN_STORE_H

#include "base/arena.h"
#include "base/digest.h"
#include "campaign/grid.h"

#define CS_STORE_MEMORY ":memory:"

struct cs_store;

enum cs_store_mode {
    CS_STORE_READ = 1, /* the file must be a store */
    CS_STORE_WRITE, /* made when it is missing or empty; refused while another process writes, and
                     * when another build of the tool has run cells: they could differ */
    CS_STORE_BUILD, /* as to write, but one that is made has its name from cs_store_publish on, and
                     * leaves nothing without it */
    CS_STORE_OTHER_BUILD = 16, /* and one of these: not refused for that */
};

/* The path must outlive the store; CS_STORE_MEMORY with CS_STORE_WRITE is memory.  NULL with err:
 * a folder, no store, a store of another format, one that is in use, ... */
struct cs_store *cs_store_open(const char *path, enum cs_store_mode mode, struct cs_error *err);

/* NULL is allowed. A written store is then one file, unless it is being read. */
void cs_store_close(struct cs_store *store);

/* Rename a built store to its final name; afterwards it can only be closed. */
int cs_store_publish(struct cs_store *store, struct cs_error *err);

const char *cs_store_path(const struct cs_store *store);

/* Does the file begin as databases of SQLite do? Opening it checks whether it is a store of
 * cosched. */
bool cs_store_seems(const char *path);

/* Does a process have it open for writing?  No for what is no store. */
bool cs_store_is_busy(const char *path);

/* A transaction: several changes that become one, or a consistent snapshot for reading.
 * Transactions cannot be nested. Without a commit (after an error or the end of the process) the
 * store is unchanged. */
int cs_store_begin(struct cs_store *store, struct cs_error *err);
int cs_store_commit(struct cs_store *store, struct cs_error *err);
void cs_store_rollback(struct cs_store *store);

/* --- cells --- */

struct cs_record {
    double value[CS_CELL_METRICS]; /* one for each metric of the problem */
    double seconds;                /* how long it took; NaN: unknown */
    double finished;               /* when, in seconds since 1970 (UTC); to put, 0: now */
    int64_t run;                   /* in the table of runs; to put, 0: the run that was begun */
    char instance[CS_DIGEST_TEXT]; /* digest of its input; "": unknown */
};

/* Read the record of a cell; *known is false if it is missing. -1 with err when the file cannot be
 * read. */
int cs_store_get(struct cs_store *store, const struct cs_problem *problem,
                 const struct cs_cell *cell, bool *known, struct cs_record *record,
                 struct cs_error *err);

/* Keep the record; what is known of the cell already stays as it is.  -1 with err when it cannot be
 * stored, such as for want of space; what was stored before is safe. */
int cs_store_put(struct cs_store *store, const struct cs_problem *problem,
                 const struct cs_cell *cell, const struct cs_record *record, struct cs_error *err);

/* All cells of the problem's problem, by parameters and seed (as texts), whichever document wanted
 * them; without `values` only those of the metrics are left out.  `see` must not use the store; it
 * returns not 0 to stop, with err.  -1 with err. */
struct cs_store_row {
    const char *parameters; /* canonical JSON; lives as long as the call */
    uint64_t seed;
    struct cs_record record;
};
typedef int cs_store_see_f(void *who, const struct cs_store_row *row, struct cs_error *err);
int cs_store_each(struct cs_store *store, const struct cs_problem *problem, bool values,
                  cs_store_see_f *see, void *who, struct cs_error *err);

/* The same of the table of its former problem (problem/problem.h), with cells of both: stores of
 * cosched 0.2 have those of the problem there.  Nothing if there is no former problem. */
int cs_store_each_former(struct cs_store *store, const struct cs_problem *problem, bool values,
                         cs_store_see_f *see, void *who, struct cs_error *err);

/* --- documents, runs, inputs: lists in the order of their ids, made in the arena --- */

struct cs_document {
    int64_t id;
    const char *kind;     /* "sweep" or "paper" */
    const char *name;     /* the stem of the sweep's file, or such as "pack/fig2" */
    const char *file;     /* the file as it was named when it was first run */
    const char *text;     /* JSON; a paper's without "base" */
    const char *supplied; /* parameters that were given from outside: a JSON object */
    bool quick;
    uint64_t seed;
    char sha256[CS_DIGEST_TEXT]; /* of kind, quick, seed, given and text: the same campaign */
};

/* Keep the document, unless one with the same kind, quick, seed, given and text is there; id and
 * sha256 of `document` are not looked at.  *id is that of the one in the store. */
int cs_store_add_document(struct cs_store *store, const struct cs_document *document, int64_t *id,
                          struct cs_error *err);
int cs_store_documents(struct cs_store *store, struct cs_arena *arena, struct cs_document **list,
                       int *count, struct cs_error *err);

struct cs_store_run {
    int64_t id;
    const char *version; /* of the tool */
    const char *build;   /* cs_build(); "" in stores of 0.1 */
    const char *command;
    const char *documents; /* SHA-256 of those that it was for, with blanks between; "" in 0.1 */
    const char *host;
    int threads;
    int shard, shards;     /* which cells it was to run, cs_grid_shard_has; 0: all */
    double started, ended; /* seconds since 1970 (UTC); ended is NaN for an active or killed run */
};

/* A run begins now, on this machine: cells that are put belong to it from here on, and added or
 * existing documents are recorded as its documents. */
int cs_store_begin_run(struct cs_store *store, const char *command, int threads,
                       struct cs_error *err);
int cs_store_begin_shard(struct cs_store *store, const char *command, int threads, int shard,
                         int shards, struct cs_error *err);
int cs_store_end_run(struct cs_store *store, struct cs_error *err);

/* A run of another store, to copy its cells; *id is its number here. */
int cs_store_add_run(struct cs_store *store, const struct cs_store_run *run, int64_t *id,
                     struct cs_error *err);
int cs_store_runs(struct cs_store *store, struct cs_arena *arena, struct cs_store_run **list,
                  int *count, struct cs_error *err);

struct cs_store_input {
    const char *path; /* as the parameters name it */
    const char *sha256;
};

/* Cells read this file, and these are its bytes.  Refused when the store knows other bytes under
 * this name. */
int cs_store_add_input(struct cs_store *store, const char *path, const char *sha256,
                       struct cs_error *err);
int cs_store_inputs(struct cs_store *store, struct cs_arena *arena, struct cs_store_input **list,
                    int *count, struct cs_error *err);

/* The document of that name, or whose SHA-256 begins so (NULL: the only one), in the arena.  NULL
 * with err, which lists those that there are. */
const struct cs_document *cs_store_choose(struct cs_store *store, const char *name,
                                          struct cs_arena *arena, struct cs_error *err);

#endif
