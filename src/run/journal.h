/* journal.h - events and decisions of each round, in RUN/journal.db.
 *
 * SQLite. Rows are only added, a round is a transaction, and every start, signal or removal is in
 * the journal first. The state of a run results from replaying the events (replay.h).
 *
 * The last column of a round is the sum of the hashes of the rows of all rounds so far, and the
 * table seal has the sums of the rows of the other tables, and the number of rounds at the exit of
 * an executor: corrupted bytes and missing rows are detected. Format 1 has neither.
 *
 * SQLite reads a write-ahead log up to its first damaged frame, so a corrupted byte in it removes
 * the last rounds and leaves a valid journal. The records of the attempts that ended in rounds of
 * the log are therefore kept until these rounds are checkpointed into the database.
 */
#ifndef CS_RUN_JOURNAL_H
#define CS_RUN_JOURNAL_H

#include "base/guard.h"
#include "base/strbuf.h"
#include "run/engine.h"

#include <sqlite3.h>

#define CS_RUN_FORMAT 2

struct cs_run_journal {
    struct cs_guarded guarded; /* first: it is closed when memory runs out */
    sqlite3 *db;
    char *path;
    bool durable;
    int format;              /* of the file */
    int64_t executor, round; /* the last */
    uint64_t sum;            /* of the hashes of the rows of all rounds */
    int failure;             /* of SQLite, why a round could not be written */
    int pages;               /* of the log, after the last commit */
    bool settled;            /* no round is in the log only */
    sqlite3_stmt *begin, *commit, *put_round, *put_event, *put_action, *put_attempt, *put_end;
};

/* Data of an ended attempt in addition to the event; times are run time, NaN if unknown. */
struct cs_run_finish {
    double began, ended, verify_began, verify_ended;
    int status, verify_status; /* as from wait(2) */
    double cpu;                /* seconds */
    long rss;                  /* KiB */
    int left;
};

/* Make the file, with the tables in it; it must not exist.  NULL with err. */
struct cs_run_journal *cs_run_journal_create(const char *path, bool durable, struct cs_error *err);

/* Open it, to write or only to look, at what is there now until it is closed; refuses what is no
 * journal, one of another version, one that is damaged.  NULL with err. */
struct cs_run_journal *cs_run_journal_open(const char *path, bool writes, bool durable,
                                           struct cs_error *err);
void cs_run_journal_close(struct cs_run_journal *journal); /* NULL is fine */

/* Move the log into the database: false when a reader is in the way, which is not waited for unless
 * `waits`. */
bool cs_run_journal_settle(struct cs_run_journal *journal, bool waits);

/* Set err to "PATH: error of SQLite". Returns -1. */
int cs_run_journal_fail(const struct cs_run_journal *journal, struct cs_error *err);

int cs_run_journal_exec(struct cs_run_journal *journal, const char *sql, struct cs_error *err);

/* A statement that the caller finalizes; NULL with err. */
sqlite3_stmt *cs_run_journal_prepare(const struct cs_run_journal *journal, const char *sql,
                                     struct cs_error *err);

/* The texts of the table run; get: in the arena, NULL if missing. */
int cs_run_journal_put(struct cs_run_journal *journal, const char *key, const char *value,
                       struct cs_error *err);
const char *cs_run_journal_get(const struct cs_run_journal *journal, const char *key,
                               struct cs_arena *arena);

/* The files that the run was made of. */
int cs_run_journal_put_input(struct cs_run_journal *journal, const char *name, const void *bytes,
                             size_t size, struct cs_error *err);
int cs_run_journal_get_input(const struct cs_run_journal *journal, const char *name,
                             struct cs_strbuf *bytes, struct cs_error *err);

int cs_run_journal_put_tasks(struct cs_run_journal *journal, const struct cs_run_setup *setup,
                             struct cs_error *err);

/* A process begins to work on the run, as part of that job unless it is NULL. */
int cs_run_journal_put_executor(struct cs_run_journal *journal, const char *host, const char *boot,
                                int pid, const char *job, double began, struct cs_error *err);
int cs_run_journal_end_executor(struct cs_run_journal *journal, double ended, struct cs_error *err);

/* The tables; those from rounds on are filled by rounds. */
enum cs_run_table {
    CS_RUN_TABLE_RUN,
    CS_RUN_TABLE_INPUT,
    CS_RUN_TABLE_TASK,
    CS_RUN_TABLE_EXECUTOR,
    CS_RUN_TABLE_ROUND,
    CS_RUN_TABLE_EVENT,
    CS_RUN_TABLE_ACTION,
    CS_RUN_TABLE_ATTEMPT,
    CS_RUN_TABLE_ATTEMPT_END,
};

/* One of the first four was changed: write down what its rows add up to, in the same transaction.
 */
int cs_run_journal_checksum(struct cs_run_journal *journal, enum cs_run_table table,
                            struct cs_error *err);

/* An error message for a journal without a run: no run has begun there, or all of it is lost. */
int cs_run_journal_refuse_empty(const char *path, struct cs_error *err);

/* Is the directory of a run unused: without files of attempts, and with a journal without rounds,
 * or without a journal? */
bool cs_run_journal_is_unused(const char *folder);

/* The boot of the last executor, in the arena; "" for a journal without executors. */
const char *cs_run_journal_boot(const struct cs_run_journal *journal, struct cs_arena *arena);

/* Write a round of cs_run_round: its events (finish: data of each, or NULL) and run->action[], as
 * one transaction. When it fails the journal is unchanged. */
int cs_run_journal_put_round(struct cs_run_journal *journal, const struct cs_run *run, bool asked,
                             const struct cs_run_event *event, const struct cs_run_finish *finish,
                             int count, struct cs_error *err);

#endif
