/* store_file.h - what the parts of the store share: the connection, statements, errors. */
#ifndef CS_CAMPAIGN_STORE_FILE_H
#define CS_CAMPAIGN_STORE_FILE_H

#include "campaign/store.h"

#include <sqlite3.h>

struct cs_store_table;

struct cs_store {
    struct cs_arena *arena;
    const char *path;
    const char *draft; /* where it is as long as it is built, or NULL */
    enum cs_store_mode mode;
    sqlite3 *db;
    int lock;                     /* a file descriptor; -1: none */
    const char *lock_path;        /* or NULL */
    int64_t run;                  /* that was begun; 0: none */
    struct cs_store_table *first; /* the tables of problems that were used */
};

/* "PATH: what SQLite says", in our words where a user meets it.  Returns -1. */
int cs_store_fail(const struct cs_store *store, struct cs_error *err);

/* Run SQL without results. */
int cs_store_exec(const struct cs_store *store, const char *sql, struct cs_error *err);

/* A statement, for sqlite3_finalize; NULL with err. */
sqlite3_stmt *cs_store_prepare(const struct cs_store *store, const char *sql, struct cs_error *err);

/* Run a statement that gives no row, and finalize it. */
int cs_store_finish(const struct cs_store *store, sqlite3_stmt *statement, struct cs_error *err);

/* Text, or NULL, that stays as it is until the statement has run. */
void cs_store_bind(sqlite3_stmt *statement, int column, const char *text);

/* Seconds since 1970 (UTC). */
double cs_store_now(void);

/* Forget the statements on cells. */
void cs_store_release_cells(struct cs_store *store);

/* The lock of the one who writes: a file beside the store, which goes with it. */
int cs_store_lock(struct cs_store *store, struct cs_error *err);
void cs_store_unlock(struct cs_store *store);

#endif
