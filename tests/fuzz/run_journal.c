/* Journals of runs: whatever is in their rows, who looks at the run gets a story or a sentence. The
 * bytes are SQL that fills an empty journal: rows are what a journal is made of, and mutations of
 * their text are other rows.  The journal is of format 1, which has no digests that would stop them
 * at once. */
#include "run/history.h"

#include "base/bug.h"
#include "base/plain.h"
#include "fuzz/fuzz.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STEPS_MOST 20000 /* of the machine of SQLite, in thousands: no query without an end */

static char folder[] = "/tmp/cosched-fuzz-XXXXXX", path[sizeof folder + 16];
static sqlite3 *db;

static void leave(void)
{
    static const char *const ending[] = {"", "-wal", "-shm", "-journal"};
    char file[sizeof path + 16];

    sqlite3_close(db);
    for (size_t k = 0; k < sizeof ending / sizeof *ending; k++) {
        cs_plain_print(file, sizeof file, "%s%s", path, ending[k]);
        unlink(file);
    }
    rmdir(folder);
}

/* Rows may come and go; nothing else. */
static int permit(void *who, int what, const char *a, const char *b, const char *c, const char *d)
{
    (void)who, (void)a, (void)b, (void)c, (void)d;
    return what == SQLITE_INSERT || what == SQLITE_UPDATE || what == SQLITE_DELETE ||
                   what == SQLITE_SELECT || what == SQLITE_READ
               ? SQLITE_OK
               : SQLITE_DENY;
}

static int stop(void *steps)
{
    return --*(int *)steps < 0;
}

static void begin(void)
{
    struct cs_error err = {0};

    CS_REQUIRE(mkdtemp(folder));
    cs_plain_print(path, sizeof path, "%s/journal.db", folder);
    cs_run_journal_close(cs_run_journal_create(path, false, &err));
    CS_REQUIRE(sqlite3_open(path, &db) == SQLITE_OK);
    CS_REQUIRE(!sqlite3_exec(db,
                             "PRAGMA synchronous = OFF; DROP TABLE seal; ALTER TABLE round DROP "
                             "COLUMN digest; PRAGMA user_version = 1",
                             NULL, NULL, NULL));
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 1 << 20);
    atexit(leave);
}

static void fill(const char *sql)
{
    int steps = STEPS_MOST / 1000;

    CS_REQUIRE(!sqlite3_exec(db,
                             "BEGIN; DELETE FROM run; DELETE FROM input; DELETE FROM task; DELETE "
                             "FROM executor; DELETE FROM round; DELETE FROM event; DELETE FROM "
                             "action; DELETE FROM attempt; DELETE FROM attempt_end",
                             NULL, NULL, NULL));
    sqlite3_set_authorizer(db, permit, NULL);
    sqlite3_progress_handler(db, 1000, stop, &steps);
    sqlite3_exec(db, sql, NULL, NULL, NULL);
    sqlite3_progress_handler(db, 0, NULL, NULL);
    sqlite3_set_authorizer(db, NULL, NULL);
    if (!sqlite3_get_autocommit(db))
        sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *sql = malloc(size + 1);
    struct cs_run_history *history;
    struct cs_error err = {0};

    CS_REQUIRE(sql);
    memcpy(sql, data, size);
    sql[size] = '\0';
    if (!db)
        begin();
    fill(sql);
    free(sql);
    history = cs_run_history_read(folder, &err);
    CS_REQUIRE(history || *err.text);
    if (history) {
        cs_schedule_destroy(cs_run_history_schedule(history));
        cs_schedule_destroy(cs_run_history_planned(history, &err));
    }
    cs_run_history_destroy(history);
    return 0;
}
