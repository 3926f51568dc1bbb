/* journal.h - what has happened and what was decided, round by round, in RUN/journal.db.
 *
 * SQLite.  Rows are only ever added, a round is a transaction, and nothing is started, signalled or
 * removed that is not in the journal first.  The state of a run is what results from playing the
 * events again (replay.h).
 *
 * The last column of a round is the sum of the hashes of the rows of all rounds so far, and the
 * table seal has what the rows of the other tables add up to, and how many rounds there were when
 * an executor left: a byte that turned, a row that is gone, shows.  Format 1 has neither.
 *
 * SQLite reads a write-ahead log up to its first damaged frame, so a turned byte in it takes the
 * last rounds away and leaves a sound journal.  The records of the attempts that ended in rounds of
 * the log are therefore kept until these rounds are settled: moved into the database.
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

/* What is known of an attempt that has ended, beyond the event; times are run time, NaN unknown. */
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

/* An error message: the damage, and the way out.  Returns -1. */
int cs_run_journal_damaged(const struct cs_run_journal *journal, const char *what,
                           struct cs_error *err);

/* "PATH: what SQLite says".  Returns -1. */
int cs_run_journal_fail(const struct cs_run_journal *journal, struct cs_error *err);

int cs_run_journal_exec(struct cs_run_journal *journal, const char *sql, struct cs_error *err);

/* A statement that the caller finalizes; NULL with err. */
sqlite3_stmt *cs_run_journal_prepare(const struct cs_run_journal *journal, const char *sql,
                                     struct cs_error *err);

/* The texts of the table run; get: in the arena, NULL when there is none. */
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

/* No round will be added for now. */
int cs_run_journal_checksum_rounds(struct cs_run_journal *journal, struct cs_error *err);

/* Are all rows as they were written?  Sets journal->sum.  -1 with err: the journal is damaged. */
int cs_run_journal_check_seals(struct cs_run_journal *journal, struct cs_error *err);

/* A round that cs_run_round has made: its events (finish: what is known of each, or NULL) and what
 * stands in run->action[], as one transaction.  When it fails nothing is written. */
int cs_run_journal_put_round(struct cs_run_journal *journal, const struct cs_run *run, bool asked,
                             const struct cs_run_event *event, const struct cs_run_finish *finish,
                             int count, struct cs_error *err);

#endif
