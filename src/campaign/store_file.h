/* store_file.h - what the parts of the store share: the connection, statements, errors. */
#ifndef CS_CAMPAIGN_STORE_FILE_H
#define CS_CAMPAIGN_STORE_FILE_H

#include "base/database.h"
#include "base/guard.h"
#include "base/strbuf.h"
#include "campaign/store.h"

#include <sqlite3.h>

struct cs_store_table;

struct cs_store {
    struct cs_guarded guarded; /* first: closed when memory runs out */
    struct cs_arena *arena;
    const char *path;
    const char *draft;   /* where it is as long as it is built, or NULL */
    const char *rest[3]; /* the auxiliary files of SQLite */
    enum cs_store_mode mode;
    bool at_once;     /* what is written is one transaction on a store that was there */
    bool journaled;   /* the journal is chosen: something will be written */
    bool other_build; /* cells of other builds are no reason to refuse it */
    int format;       /* of the file: 1 has no digests and can only be read */
    sqlite3 *db;
    int lock;                     /* a file descriptor; -1: none */
    const char *lock_path;        /* or NULL */
    int64_t run;                  /* that was begun; 0: none */
    struct cs_store_table *first; /* the tables of problems that were used */
};

/* Set "PATH: error of SQLite", with a clear message for common errors. Return -1. */
int cs_store_fail(const struct cs_store *store, struct cs_error *err);

/* Before the first thing that is written, outside of any transaction. */
int cs_store_choose_journal(struct cs_store *store, struct cs_error *err);

/* Run SQL without results. */
int cs_store_exec(const struct cs_store *store, const char *sql, struct cs_error *err);

/* A statement, for sqlite3_finalize; NULL with err. */
sqlite3_stmt *cs_store_prepare(const struct cs_store *store, const char *sql, struct cs_error *err);

/* The one number that a question is answered with. */
int cs_store_ask(const struct cs_store *store, const char *sql, int64_t *out, struct cs_error *err);

/* Run a statement that gives no row, and finalize it. */
int cs_store_finish(const struct cs_store *store, sqlite3_stmt *statement, struct cs_error *err);

/* Text, or NULL, that stays as it is until the statement has run. */
void cs_store_bind(sqlite3_stmt *statement, int column, const char *text);

/* Seconds since 1970 (UTC). */
double cs_store_now(void);

/* The checksum of the rows of a table (store.c). */
struct cs_store_checksum {
    int64_t rows;
    uint64_t digest;
};

/* Begin the tally of a new table, and the triggers that keep it up. */
int cs_store_checksum_table(const struct cs_store *store, const char *table, struct cs_error *err);

/* Append two columns to a SELECT: is the row as it was stored, and its digest.  Of these values
 * (SQL), or of those that its head is the digest of (NULL: there are no heads) unless it is whole.
 */
void cs_store_checksum_put(const struct cs_store *store, const char *table, const char *values,
                           const char *head, bool whole, struct cs_strbuf *sql);

/* Look at these two, from the given column on, and count the row in; then at the sum of all.  -1
 * with err: the store is damaged. */
int cs_store_checksum_row(const struct cs_store *store, const char *table, sqlite3_stmt *row,
                          int column, struct cs_store_checksum *checksum, struct cs_error *err);
int cs_store_checksum_all(const struct cs_store *store, const char *table,
                          const struct cs_store_checksum *checksum, struct cs_error *err);

/* Forget the statements on cells. */
void cs_store_release_cells(struct cs_store *store);

#endif
