/* journal.c - opening journals, and what is in them besides rounds. */
#include "run/journal.h"
#include "base/bug.h"
#include "base/database.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/plain.h"
#include "config.h"
#include "run/template.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define APPLICATION 0x63737275 /* "csru" */
#define PATIENCE 10000         /* milliseconds */
#define PAGE "1024" /* bytes: a round changes the last page of each table, which is all written */

static const char schema[] =
    "BEGIN IMMEDIATE;"
    "CREATE TABLE run(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE input(name TEXT PRIMARY KEY, sha256 TEXT NOT NULL, bytes BLOB NOT NULL);"
    "CREATE TABLE task(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, procs INTEGER NOT NULL, "
    "expected REAL NOT NULL);"
    "CREATE TABLE executor(id INTEGER PRIMARY KEY, host TEXT NOT NULL, boot TEXT NOT NULL, pid "
    "INTEGER NOT NULL, job TEXT, began REAL NOT NULL, ended REAL);"
    "CREATE TABLE round(id INTEGER PRIMARY KEY, executor INTEGER NOT NULL, time REAL NOT NULL, "
    "asked "
    "INTEGER NOT NULL, digest INTEGER NOT NULL);"
    "CREATE TABLE seal(name TEXT PRIMARY KEY, rows INTEGER NOT NULL, digest INTEGER NOT NULL) "
    "WITHOUT ROWID; INSERT INTO seal VALUES('round', 0, 0);"
    "CREATE TABLE event(round INTEGER, seq INTEGER, kind TEXT NOT NULL, task INTEGER, attempt "
    "INTEGER, slot INTEGER, time REAL NOT NULL, outcome TEXT, status INTEGER, value REAL, detail "
    "TEXT, PRIMARY KEY(round, seq)) WITHOUT ROWID;"
    "CREATE TABLE action(round INTEGER, seq INTEGER, kind TEXT NOT NULL, task INTEGER NOT NULL, "
    "attempt INTEGER, detail TEXT, PRIMARY KEY(round, seq)) WITHOUT ROWID;"
    "CREATE TABLE attempt(id INTEGER PRIMARY KEY, round INTEGER NOT NULL, task INTEGER NOT NULL, "
    "try "
    "INTEGER NOT NULL, slots TEXT NOT NULL, start REAL NOT NULL, expected REAL NOT NULL, "
    "restart REAL);"
    "CREATE TABLE attempt_end(attempt INTEGER PRIMARY KEY, began REAL, ended REAL, verify_began "
    "REAL, "
    "verify_ended REAL, status INTEGER, verify_status INTEGER, cpu REAL, rss INTEGER, leftovers "
    "INTEGER, outcome TEXT NOT NULL);"
    "CREATE VIEW task_now AS SELECT t.id, t.name, t.procs, t.expected, (SELECT max(a.try) FROM "
    "attempt "
    "a WHERE a.task = t.id) AS tries, (SELECT e.outcome FROM attempt a JOIN attempt_end e ON "
    "e.attempt "
    "= a.id WHERE a.task = t.id ORDER BY a.id DESC LIMIT 1) AS outcome FROM task t;"
    "CREATE VIEW slot_now AS SELECT a.slots, t.name, a.id AS attempt, a.start FROM attempt a JOIN "
    "task "
    "t ON t.id = a.task WHERE NOT EXISTS (SELECT 1 FROM attempt_end e WHERE e.attempt = a.id);"
    "PRAGMA application_id = 1668510325; PRAGMA user_version = 2; COMMIT";

/* An error message: the damage, and the way out.  Returns -1. */
static int run_journal_damaged(const struct cs_run_journal *journal, const char *what,
                               struct cs_error *err)
{
    return cs_error_set(err,
                        "%s: the journal is damaged (%.200s): no task is started; outputs of what "
                        "has run stay where they are: begin a new run with --into in another "
                        "directory",
                        journal->path, what);
}

int cs_run_journal_fail(const struct cs_run_journal *journal, struct cs_error *err)
{
    switch (sqlite3_errcode(journal->db)) {
    case SQLITE_FULL:
        return cs_error_set(err, "%s: the disk is full", journal->path);
    case SQLITE_NOTADB:
        return cs_error_set(err, "%s: not a journal of a run", journal->path);
    case SQLITE_CORRUPT:
        return run_journal_damaged(journal, sqlite3_errmsg(journal->db), err);
    case SQLITE_CONSTRAINT:
        return cs_error_set(err, "%s: another process has worked on this run meanwhile",
                            journal->path);
    default:
        return cs_error_set(err, "%s: %s", journal->path, sqlite3_errmsg(journal->db));
    }
}

int cs_run_journal_exec(struct cs_run_journal *journal, const char *sql, struct cs_error *err)
{
    return sqlite3_exec(journal->db, sql, NULL, NULL, NULL) ? cs_run_journal_fail(journal, err) : 0;
}

sqlite3_stmt *cs_run_journal_prepare(const struct cs_run_journal *journal, const char *sql,
                                     struct cs_error *err)
{
    sqlite3_stmt *statement = NULL;

    if (sqlite3_prepare_v2(journal->db, sql, -1, &statement, NULL))
        cs_run_journal_fail(journal, err);
    return statement;
}

/* Memory has run out, perhaps in the middle of a statement. */
static void journal_drop(struct cs_guarded *guarded)
{
    cs_run_journal_close((struct cs_run_journal *)(void *)guarded);
}

static struct cs_run_journal *journal_allocate(const char *path, bool durable)
{
    struct cs_run_journal *journal = calloc(1, sizeof *journal);

    if (!journal)
        cs_bug_no_memory(sizeof *journal);
    journal->path = strdup(path);
    journal->durable = durable;
    journal->settled = true;
    journal->format = CS_RUN_FORMAT;
    if (!journal->path) {
        free(journal);
        cs_bug_no_memory(strlen(path));
    }
    cs_guard_keep(&journal->guarded, journal_drop);
    return journal;
}

/* Only this thread uses it. */
static int connect_to(struct cs_run_journal *journal, int flags, struct cs_error *err)
{
    if (sqlite3_open_v2(journal->path, &journal->db, flags | SQLITE_OPEN_NOMUTEX, NULL) ||
        cs_database_defend(journal->db))
        return cs_run_journal_fail(journal, err);
    sqlite3_busy_timeout(journal->db, PATIENCE);
    return 0;
}

/* After each commit; it takes the place of SQLite's own checkpoints. */
static int count_pages(void *who, sqlite3 *db, const char *name, int pages)
{
    struct cs_run_journal *journal = who;

    (void)db;
    (void)name;
    journal->pages = pages;
    journal->settled = false;
    return SQLITE_OK;
}

bool cs_run_journal_settle(struct cs_run_journal *journal, bool waits)
{
    int all = 0, moved = 0;

    if (!waits)
        sqlite3_busy_timeout(journal->db, 0);
    journal->settled =
        !sqlite3_wal_checkpoint_v2(journal->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, &all, &moved) &&
        all == moved;
    sqlite3_busy_timeout(journal->db, PATIENCE);
    if (journal->settled)
        journal->pages = 0;
    return journal->settled;
}

static int choose_mode(struct cs_run_journal *journal, struct cs_error *err)
{
    if (cs_run_journal_exec(journal,
                            cs_remote_is(journal->path) ? "PRAGMA journal_mode = DELETE"
                                                        : "PRAGMA journal_mode = WAL",
                            err))
        return -1;
    sqlite3_wal_hook(journal->db, count_pages, journal);
    return cs_run_journal_exec(
        journal, journal->durable ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL",
        err);
}

static int prepare_all(struct cs_run_journal *j, struct cs_error *err)
{
    j->begin = cs_run_journal_prepare(j, "BEGIN IMMEDIATE", err);
    j->commit = cs_run_journal_prepare(j, "COMMIT", err);
    j->put_round = cs_run_journal_prepare(j,
                                          j->format < 2 ? "INSERT INTO round VALUES(?,?,?,?)"
                                                        : "INSERT INTO round VALUES(?,?,?,?,?)",
                                          err);
    j->put_event =
        cs_run_journal_prepare(j, "INSERT INTO event VALUES(?,?,?,?,?,?,?,?,?,?,?)", err);
    j->put_action = cs_run_journal_prepare(j, "INSERT INTO action VALUES(?,?,?,?,?,?)", err);
    j->put_attempt = cs_run_journal_prepare(j, "INSERT INTO attempt VALUES(?,?,?,?,?,?,?,?)", err);
    j->put_end =
        cs_run_journal_prepare(j, "INSERT INTO attempt_end VALUES(?,?,?,?,?,?,?,?,?,?,?)", err);
    return j->begin && j->commit && j->put_round && j->put_event && j->put_action &&
                   j->put_attempt && j->put_end
               ? 0
               : -1;
}

struct cs_run_journal *cs_run_journal_create(const char *path, bool durable, struct cs_error *err)
{
    struct cs_run_journal *journal = journal_allocate(path, durable);

    if (!connect_to(journal, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err) &&
        !cs_run_journal_exec(journal, "PRAGMA page_size = " PAGE, err) &&
        !choose_mode(journal, err) && !cs_run_journal_exec(journal, schema, err) &&
        !prepare_all(journal, err))
        return journal;
    cs_run_journal_close(journal);
    return NULL;
}

/* A number that a statement gives. */
static int journal_ask(const struct cs_run_journal *journal, const char *sql, int64_t *out,
                       struct cs_error *err)
{
    sqlite3_stmt *statement = cs_run_journal_prepare(journal, sql, err);
    int status = 0;

    if (!statement)
        return -1;
    if (sqlite3_step(statement) == SQLITE_ROW)
        *out = sqlite3_column_int64(statement, 0);
    else
        status = cs_run_journal_fail(journal, err);
    sqlite3_finalize(statement);
    return status;
}

/* Our tables, and views word for word. */
static bool is_ours(const void *who, const struct cs_database_object *object)
{
    static const char tables[] =
        " run input task executor round seal event action attempt attempt_end ";
    const char *at;
    char word[32] = "";
    const size_t length = strlen(object->sql);

    (void)who;
    if (!strcmp(object->type, "view"))
        return (at = strstr(schema, object->sql)) && length && at[length] == ';';
    cs_plain_print(word, sizeof word, " %s ", object->name);
    return !strcmp(object->type, "table") && strstr(tables, word);
}

/* Nothing of a schema that cosched does not create is ever run. */
static int check_schema(const struct cs_run_journal *journal, struct cs_error *err)
{
    struct cs_strbuf fault = CS_STRBUF_INIT;
    const int code = cs_database_check(journal->db, is_ours, NULL, &fault);

    if (code == SQLITE_AUTH)
        cs_error_set(err, "%s: %s is not one that cosched creates: not read", journal->path,
                     fault.text);
    else if (code)
        cs_run_journal_fail(journal, err);
    cs_strbuf_release(&fault);
    return code ? -1 : 0;
}

/* Has the directory of attempts anything in it? */
static bool has_attempts(const char *folder, int length)
{
    struct cs_strbuf path = CS_STRBUF_INIT;
    const struct dirent *entry;
    bool some = false;
    DIR *entries;

    cs_strbuf_printf(&path, "%.*s/a", length, folder);
    entries = opendir(path.text);
    while (entries && !some && (entry = readdir(entries)))
        some = strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    if (entries)
        closedir(entries);
    cs_strbuf_release(&path);
    return some;
}

int cs_run_journal_refuse_empty(const char *path, struct cs_error *err)
{
    const char *slash = strrchr(path, '/');
    const int length = slash ? (int)(slash - path) : 0;

    if (slash && !has_attempts(path, length))
        return cs_error_set(err, "%s: no run in it: start with --into", path);
    return cs_error_set(
        err,
        "%s: an empty journal: nothing to resume; outputs of what has run stay where "
        "they are: begin a new run with --into in another directory",
        path);
}

/* Has it no round?  Also where it is empty, or is not there; not where it cannot be read. */
static bool is_blank(const char *path)
{
    struct cs_run_journal *journal;
    int64_t tables = -1, rounds = -1;
    struct stat file;

    if (stat(path, &file) || (S_ISREG(file.st_mode) && file.st_size == 0))
        return true;
    journal = journal_allocate(path, false);
    if (!connect_to(journal, SQLITE_OPEN_READWRITE, NULL) &&
        !journal_ask(journal, "SELECT count(*) FROM sqlite_schema", &tables, NULL) && tables > 0)
        journal_ask(journal, "SELECT count(*) FROM round", &rounds, NULL);
    cs_run_journal_close(journal);
    return tables == 0 || rounds == 0;
}

bool cs_run_journal_is_unused(const char *folder)
{
    struct cs_strbuf path = CS_STRBUF_INIT;
    bool unused = !has_attempts(folder, (int)strlen(folder));

    cs_strbuf_printf(&path, "%s/journal.db", folder);
    unused = unused && is_blank(path.text);
    cs_strbuf_release(&path);
    return unused;
}

const char *cs_run_journal_boot(const struct cs_run_journal *journal, struct cs_arena *arena)
{
    sqlite3_stmt *get =
        cs_run_journal_prepare(journal, "SELECT boot FROM executor ORDER BY id DESC LIMIT 1", NULL);
    const char *boot = "";

    if (get && sqlite3_step(get) == SQLITE_ROW && sqlite3_column_text(get, 0))
        boot = cs_arena_strdup(arena, (const char *)sqlite3_column_text(get, 0));
    sqlite3_finalize(get);
    return boot;
}

static int check_format(struct cs_run_journal *journal, struct cs_error *err)
{
    int64_t application = 0, format = 0, seals = 0;

    if (journal_ask(journal, "PRAGMA application_id", &application, err) ||
        journal_ask(journal, "PRAGMA user_version", &format, err) ||
        journal_ask(journal, "SELECT count(*) FROM sqlite_schema WHERE name = 'seal'", &seals, err))
        return -1;
    if (application == 0)
        return cs_run_journal_refuse_empty(journal->path, err);
    if (application != APPLICATION)
        return cs_error_set(err, "%s: not a journal of a run", journal->path);
    if (format < 1 || format > CS_RUN_FORMAT || (format == 1 && seals))
        return cs_error_set(err,
                            "%s: a journal of format %lld; this is cosched %s, which knows "
                            "formats 1 to %d",
                            journal->path, (long long)format, CS_VERSION, CS_RUN_FORMAT);
    journal->format = (int)format;
    if (check_schema(journal, err))
        return -1;
    return journal_ask(journal, "SELECT coalesce(max(id), 0) FROM round", &journal->round, err) ||
                   journal_ask(journal, "SELECT coalesce(max(id), 0) FROM executor",
                               &journal->executor, err)
               ? -1
               : 0;
}

/* Consistency of kinds of rows: a message for each disagreement. */
static const char agreement[] =
    "SELECT 'a round is missing' WHERE (SELECT count(*) FROM round) != "
    "(SELECT coalesce(max(id), 0) FROM round) UNION ALL "
    "SELECT 'an event is of no round' WHERE EXISTS (SELECT 1 FROM event WHERE round NOT IN "
    "(SELECT id FROM round)) UNION ALL "
    "SELECT 'an attempt is of no round' WHERE EXISTS (SELECT 1 FROM attempt WHERE round NOT IN "
    "(SELECT id FROM round)) UNION ALL "
    "SELECT 'attempts and their starts are not as many' WHERE (SELECT count(*) FROM action WHERE "
    "kind = 'start') + (SELECT count(*) FROM event WHERE kind = 'found') != (SELECT count(*) FROM "
    "attempt) UNION ALL "
    "SELECT 'attempts that have ended and their ends are not as many' WHERE (SELECT count(*) FROM "
    "event WHERE kind IN ('ended', 'found')) != (SELECT count(*) FROM attempt_end) UNION ALL "
    "SELECT 'an attempt has two outcomes' WHERE EXISTS (SELECT 1 FROM event e LEFT JOIN "
    "attempt_end x ON x.attempt = e.attempt WHERE e.kind IN ('ended', 'found') AND e.outcome IS "
    "NOT x.outcome)";

/* Damage that leaves a good database: what has ended might run again because of it. */
static int check_rows(struct cs_run_journal *journal, struct cs_error *err)
{
    sqlite3_stmt *statement = cs_run_journal_prepare(journal, agreement, err);
    int step = statement ? sqlite3_step(statement) : SQLITE_ERROR, status = 0;

    if (step == SQLITE_ROW)
        status = run_journal_damaged(journal, (const char *)sqlite3_column_text(statement, 0), err);
    else if (step != SQLITE_DONE)
        status = statement ? cs_run_journal_fail(journal, err) : -1;
    sqlite3_finalize(statement);
    return status;
}

/* The integrity check of the database, in one line. */
static int fail_whole(const struct cs_run_journal *journal, const char *reply, struct cs_error *err)
{
    const char *line = strchr(reply, '\n') ? strchr(reply, '\n') + 1 : reply;
    char what[200];

    cs_plain_print(what, sizeof what, "%.*s", (int)strcspn(line, "\n"), line);
    return run_journal_damaged(journal, what, err);
}

static int check_whole(struct cs_run_journal *journal, struct cs_error *err)
{
    sqlite3_stmt *statement = cs_run_journal_prepare(journal, "PRAGMA quick_check(1)", err);
    const char *reply;
    int status = -1;

    if (!statement)
        return -1;
    if (sqlite3_step(statement) != SQLITE_ROW)
        cs_run_journal_fail(journal, err);
    else if ((reply = (const char *)sqlite3_column_text(statement, 0)) && !strcmp(reply, "ok"))
        status = 0;
    else
        fail_whole(journal, reply ? reply : "", err);
    sqlite3_finalize(statement);
    return status;
}

static int run_journal_check_seals(struct cs_run_journal *journal, struct cs_error *err);

struct cs_run_journal *cs_run_journal_open(const char *path, bool writes, bool durable,
                                           struct cs_error *err)
{
    struct cs_run_journal *journal = journal_allocate(path, durable);
    struct stat file;

    if (stat(path, &file))
        cs_error_set(err, "%s: there is no such journal, so there is no run", path);
    else if (!S_ISREG(file.st_mode))
        cs_error_set(err, "%s: no file, so it is no journal of a run", path);
    else if (file.st_size == 0)
        cs_run_journal_refuse_empty(path, err);
    else if (!connect_to(journal, SQLITE_OPEN_READWRITE, err) &&
             (writes || !cs_run_journal_exec(journal, "PRAGMA query_only = 1; BEGIN", err)) &&
             !check_format(journal, err) && !check_whole(journal, err) &&
             !run_journal_check_seals(journal, err) &&
             (!writes || (!check_rows(journal, err) && !choose_mode(journal, err) &&
                          !prepare_all(journal, err))))
        return journal;
    cs_run_journal_close(journal);
    return NULL;
}

void cs_run_journal_close(struct cs_run_journal *j)
{
    sqlite3_stmt *statement;

    if (!j)
        return;
    cs_guard_discard(&j->guarded);
    while (j->db && (statement = sqlite3_next_stmt(j->db, NULL)))
        sqlite3_finalize(statement);
    sqlite3_close(j->db);
    free(j->path);
    free(j);
}

static int journal_finish(struct cs_run_journal *journal, sqlite3_stmt *statement,
                          struct cs_error *err)
{
    int status = sqlite3_step(statement) == SQLITE_DONE ? 0 : cs_run_journal_fail(journal, err);

    sqlite3_finalize(statement);
    return status;
}

int cs_run_journal_put(struct cs_run_journal *journal, const char *key, const char *value,
                       struct cs_error *err)
{
    sqlite3_stmt *put =
        cs_run_journal_prepare(journal, "INSERT OR REPLACE INTO run VALUES(?, ?)", err);

    if (!put)
        return -1;
    sqlite3_bind_text(put, 1, key, -1, SQLITE_STATIC);
    sqlite3_bind_text(put, 2, value, -1, SQLITE_STATIC);
    return journal_finish(journal, put, err);
}

const char *cs_run_journal_get(const struct cs_run_journal *journal, const char *key,
                               struct cs_arena *arena)
{
    sqlite3_stmt *get =
        cs_run_journal_prepare(journal, "SELECT value FROM run WHERE key = ?", NULL);
    const char *value = NULL;

    if (!get)
        return NULL;
    sqlite3_bind_text(get, 1, key, -1, SQLITE_STATIC);
    if (sqlite3_step(get) == SQLITE_ROW && sqlite3_column_text(get, 0))
        value = cs_arena_strdup(arena, (const char *)sqlite3_column_text(get, 0));
    sqlite3_finalize(get);
    return value;
}

static void journal_hash(const void *bytes, size_t size, char text[CS_DIGEST_TEXT])
{
    struct cs_digest digest;

    cs_digest_init(&digest);
    cs_digest_put_bytes(&digest, bytes, size);
    cs_digest_finish(&digest, text);
}

int cs_run_journal_put_input(struct cs_run_journal *journal, const char *name, const void *bytes,
                             size_t size, struct cs_error *err)
{
    sqlite3_stmt *put = cs_run_journal_prepare(journal, "INSERT INTO input VALUES(?, ?, ?)", err);
    char sha256[CS_DIGEST_TEXT];

    if (!put)
        return -1;
    journal_hash(bytes, size, sha256);
    sqlite3_bind_text(put, 1, name, -1, SQLITE_STATIC);
    sqlite3_bind_text(put, 2, sha256, -1, SQLITE_STATIC);
    sqlite3_bind_blob64(put, 3, bytes, size, SQLITE_STATIC);
    return journal_finish(journal, put, err);
}

int cs_run_journal_get_input(const struct cs_run_journal *journal, const char *name,
                             struct cs_strbuf *bytes, struct cs_error *err)
{
    sqlite3_stmt *get = cs_run_journal_prepare(
        journal, "SELECT bytes, sha256 FROM input NOT INDEXED WHERE name = ?", err);
    char sha256[CS_DIGEST_TEXT] = "";
    int status = -1;

    if (!get)
        return -1;
    sqlite3_bind_text(get, 1, name, -1, SQLITE_STATIC);
    if (sqlite3_step(get) != SQLITE_ROW) {
        cs_error_set(err, "%s: the input \"%s\" is missing: nothing to resume", journal->path,
                     name);
    } else {
        size_t size = (size_t)sqlite3_column_bytes(get, 0);
        const char *reply = (const char *)sqlite3_column_text(get, 1);

        if (size)
            cs_strbuf_append(bytes, sqlite3_column_blob(get, 0), size);
        journal_hash(bytes->text, bytes->length, sha256);
        status = reply && !strcmp(reply, sha256)
                     ? 0
                     : cs_error_set(err, "%s: the input \"%s\" is not as it was stored",
                                    journal->path, name);
    }
    sqlite3_finalize(get);
    return status;
}

int cs_run_journal_put_tasks(struct cs_run_journal *journal, const struct cs_run_setup *setup,
                             struct cs_error *err)
{
    sqlite3_stmt *put = cs_run_journal_prepare(journal, "INSERT INTO task VALUES(?, ?, ?, ?)", err);
    int status = put ? 0 : -1;

    for (int t = 0; !status && t < setup->tasks; t++) {
        sqlite3_bind_int(put, 1, t);
        sqlite3_bind_text(put, 2, setup->task[t].name, -1, SQLITE_STATIC);
        sqlite3_bind_int(put, 3, setup->task[t].procs);
        sqlite3_bind_double(put, 4, setup->task[t].expected);
        if (sqlite3_step(put) != SQLITE_DONE)
            status = cs_run_journal_fail(journal, err);
        sqlite3_reset(put);
    }
    sqlite3_finalize(put);
    return status ? -1 : cs_run_journal_checksum(journal, CS_RUN_TABLE_TASK, err);
}

int cs_run_journal_put_executor(struct cs_run_journal *journal, const char *host, const char *boot,
                                int pid, const char *job, double began, struct cs_error *err)
{
    sqlite3_stmt *put = cs_run_journal_prepare(
        journal, "INSERT INTO executor VALUES(NULL, ?, ?, ?, ?, ?, NULL)", err);

    if (!put)
        return -1;
    sqlite3_bind_text(put, 1, host, -1, SQLITE_STATIC);
    sqlite3_bind_text(put, 2, boot, -1, SQLITE_STATIC);
    sqlite3_bind_int(put, 3, pid);
    if (job)
        sqlite3_bind_text(put, 4, job, -1, SQLITE_STATIC);
    sqlite3_bind_double(put, 5, began);
    if (journal_finish(journal, put, err))
        return -1;
    journal->executor = sqlite3_last_insert_rowid(journal->db);
    return cs_run_journal_checksum(journal, CS_RUN_TABLE_EXECUTOR, err);
}

static int put_end(struct cs_run_journal *journal, double ended, struct cs_error *err)
{
    sqlite3_stmt *put =
        cs_run_journal_prepare(journal, "UPDATE executor SET ended = ? WHERE id = ?", err);

    if (!put)
        return -1;
    sqlite3_bind_double(put, 1, ended);
    sqlite3_bind_int64(put, 2, journal->executor);
    return journal_finish(journal, put, err);
}

static int run_journal_checksum_rounds(struct cs_run_journal *journal, struct cs_error *err);

int cs_run_journal_end_executor(struct cs_run_journal *journal, double ended, struct cs_error *err)
{
    if (cs_run_journal_exec(journal, "BEGIN IMMEDIATE", err))
        return -1;
    if (!put_end(journal, ended, err) &&
        !cs_run_journal_checksum(journal, CS_RUN_TABLE_EXECUTOR, err) &&
        !run_journal_checksum_rounds(journal, err) && !cs_run_journal_exec(journal, "COMMIT", err))
        return 0;
    if (!sqlite3_get_autocommit(journal->db))
        sqlite3_exec(journal->db, "ROLLBACK", NULL, NULL, NULL);
    return -1;
}

/* ---- sums over the rows of a journal ---- */

/* By cs_run_table, with whose number the hash of a row begins. */
static const struct {
    const char *name, *what, *rows;
} table[] = {
    {"run", "settings", "SELECT key, value FROM run"},
    {"input", "inputs", "SELECT name, sha256 FROM input"},
    {"task", "tasks", "SELECT id, name, procs, expected FROM task"},
    {"executor", "executors", "SELECT id, host, boot, pid, job, began, ended FROM executor"},
    {"round", "rounds", "SELECT id, executor, time, asked FROM round"},
    {"event", "rounds",
     "SELECT round, seq, kind, task, attempt, slot, time, outcome, status, value, detail "
     "FROM event"},
    {"action", "rounds", "SELECT round, seq, kind, task, attempt, detail FROM action"},
    {"attempt", "rounds",
     "SELECT id, round, task, try, slots, start, expected, restart FROM attempt"},
    {"attempt_end", "rounds",
     "SELECT attempt, began, ended, verify_began, verify_ended, status, "
     "verify_status, cpu, rss, leftovers, outcome FROM attempt_end"},
};

static uint64_t hash_column(uint64_t hash, sqlite3_stmt *s, int column)
{
    switch (sqlite3_column_type(s, column)) {
    case SQLITE_INTEGER:
        return cs_row_hash_integer(hash, sqlite3_column_int64(s, column));
    case SQLITE_FLOAT:
        return cs_row_hash_real(hash, sqlite3_column_double(s, column));
    case SQLITE_NULL:
        return cs_row_hash_nothing(hash);
    case SQLITE_TEXT:
        return cs_row_hash_text(hash, sqlite3_column_text(s, column),
                                (size_t)sqlite3_column_bytes(s, column));
    default:
        return cs_row_hash_blob(hash, sqlite3_column_blob(s, column),
                                (size_t)sqlite3_column_bytes(s, column));
    }
}

struct checksum {
    int64_t rows;
    uint64_t sum;
};

static int add_up(const struct cs_run_journal *journal, int which, struct checksum *checksum,
                  struct cs_error *err)
{
    sqlite3_stmt *s = cs_run_journal_prepare(journal, table[which].rows, err);
    int step = SQLITE_ERROR, status;

    while (s && (step = sqlite3_step(s)) == SQLITE_ROW) {
        uint64_t hash = (uint64_t)which;

        for (int c = 0; c < sqlite3_column_count(s); c++)
            hash = hash_column(hash, s, c);
        checksum->sum += hash;
        checksum->rows++;
    }
    status = !s ? -1 : step == SQLITE_DONE ? 0 : cs_run_journal_fail(journal, err);
    sqlite3_finalize(s);
    return status;
}

static int journal_checksum_put(struct cs_run_journal *journal, const char *name,
                                struct checksum checksum, struct cs_error *err)
{
    sqlite3_stmt *s =
        cs_run_journal_prepare(journal, "INSERT OR REPLACE INTO seal VALUES(?, ?, ?)", err);
    int status;

    if (!s)
        return -1;
    sqlite3_bind_text(s, 1, name, -1, SQLITE_STATIC);
    sqlite3_bind_int64(s, 2, checksum.rows);
    sqlite3_bind_int64(s, 3, (sqlite3_int64)checksum.sum);
    status = sqlite3_step(s) == SQLITE_DONE ? 0 : cs_run_journal_fail(journal, err);
    sqlite3_finalize(s);
    return status;
}

int cs_run_journal_checksum(struct cs_run_journal *journal, enum cs_run_table which,
                            struct cs_error *err)
{
    struct checksum checksum = {0, 0};

    if (journal->format < 2)
        return 0;
    return add_up(journal, (int)which, &checksum, err)
               ? -1
               : journal_checksum_put(journal, table[which].name, checksum, err);
}

/* No round will be added for now. */
static int run_journal_checksum_rounds(struct cs_run_journal *journal, struct cs_error *err)
{
    return journal->format < 2
               ? 0
               : journal_checksum_put(journal, "round",
                                      (struct checksum){journal->round, journal->sum}, err);
}

/* The row of a statement for a name or a number; false if it does not exist. */
static bool journal_checksum_find(const struct cs_run_journal *journal, const char *sql,
                                  const char *name, int64_t number, struct checksum *checksum)
{
    sqlite3_stmt *s = cs_run_journal_prepare(journal, sql, NULL);
    bool found;

    if (!s)
        return false;
    if (name)
        sqlite3_bind_text(s, 1, name, -1, SQLITE_STATIC);
    else
        sqlite3_bind_int64(s, 1, number);
    found = sqlite3_step(s) == SQLITE_ROW;
    if (found)
        *checksum =
            (struct checksum){sqlite3_column_int64(s, 0), (uint64_t)sqlite3_column_int64(s, 1)};
    sqlite3_finalize(s);
    return found;
}

static bool find_checksum(const struct cs_run_journal *journal, const char *name,
                          struct checksum *checksum)
{
    return journal_checksum_find(journal, "SELECT rows, digest FROM seal WHERE name = ?", name, 0,
                                 checksum);
}

static bool find_round(const struct cs_run_journal *journal, int64_t round,
                       struct checksum *checksum)
{
    *checksum = (struct checksum){0, 0};
    return round == 0 || journal_checksum_find(journal, "SELECT id, digest FROM round WHERE id = ?",
                                               NULL, round, checksum);
}

static int journal_checksum_fail(const struct cs_run_journal *journal, const char *what,
                                 struct cs_error *err)
{
    char text[80];

    cs_plain_print(text, sizeof text, "its %s are not those that were written", what);
    return run_journal_damaged(journal, text, err);
}

static int check_rounds(struct cs_run_journal *journal, struct cs_error *err)
{
    struct checksum last, left, then, all = {0, 0};

    for (int t = CS_RUN_TABLE_ROUND; t <= CS_RUN_TABLE_ATTEMPT_END; t++)
        if (add_up(journal, t, &all, err))
            return -1;
    if (!find_round(journal, journal->round, &last) || last.sum != all.sum)
        return journal_checksum_fail(journal, table[CS_RUN_TABLE_ROUND].what, err);
    if (!find_checksum(journal, "round", &left) || left.rows < 0 || left.rows > journal->round ||
        !find_round(journal, left.rows, &then) || then.sum != left.sum)
        return journal_checksum_fail(journal, "last rounds", err);
    journal->sum = all.sum;
    return 0;
}

/* Are all rows as they were written?  Sets journal->sum.  -1 with err: the journal is damaged. */
static int run_journal_check_seals(struct cs_run_journal *journal, struct cs_error *err)
{
    if (journal->format < 2)
        return 0;
    for (int t = 0; t < CS_RUN_TABLE_ROUND; t++) {
        struct checksum now = {0, 0}, then;

        if (add_up(journal, t, &now, err))
            return -1;
        if (!find_checksum(journal, table[t].name, &then) || then.rows != now.rows ||
            then.sum != now.sum)
            return journal_checksum_fail(journal, table[t].what, err);
    }
    return check_rounds(journal, err);
}

/* A round, written as one transaction. */

/* The row that is bound: its statement, and its hash so far. */
struct row {
    struct cs_run_journal *journal;
    sqlite3_stmt *statement;
    int columns;
    uint64_t hash;
};

static struct row begin_row(struct cs_run_journal *j, sqlite3_stmt *statement,
                            enum cs_run_table which)
{
    return (struct row){j, statement, 0, which};
}

static void bind_nothing(struct row *row)
{
    sqlite3_bind_null(row->statement, ++row->columns);
    row->hash = cs_row_hash_nothing(row->hash);
}

static void bind_integer(struct row *row, int64_t value)
{
    sqlite3_bind_int64(row->statement, ++row->columns, value);
    row->hash = cs_row_hash_integer(row->hash, value);
}

/* -1 is nothing. */
static void bind_index(struct row *row, int64_t value)
{
    if (value < 0)
        bind_nothing(row);
    else
        bind_integer(row, value);
}

/* NaN is nothing. */
static void bind_real(struct row *row, double value)
{
    if (isnan(value)) {
        bind_nothing(row);
        return;
    }
    sqlite3_bind_double(row->statement, ++row->columns, value);
    row->hash = cs_row_hash_real(row->hash, value);
}

/* NULL is nothing. */
static void bind_text(struct row *row, const char *text)
{
    size_t size = text ? strlen(text) : 0;

    if (!text) {
        bind_nothing(row);
        return;
    }
    sqlite3_bind_text(row->statement, ++row->columns, text, (int)size, SQLITE_STATIC);
    row->hash = cs_row_hash_text(row->hash, text, size);
}

static int journal_round_step(struct cs_run_journal *j, sqlite3_stmt *s, struct cs_error *err)
{
    int status = sqlite3_step(s) == SQLITE_DONE ? 0 : cs_run_journal_fail(j, err);

    sqlite3_reset(s);
    return status;
}

static int end_row(const struct row *row, struct cs_error *err)
{
    row->journal->sum += row->hash;
    return journal_round_step(row->journal, row->statement, err);
}

static int put_event(struct cs_run_journal *j, int seq, const struct cs_run_event *event,
                     struct cs_error *err)
{
    struct row row = begin_row(j, j->put_event, CS_RUN_TABLE_EVENT);

    bind_integer(&row, j->round);
    bind_integer(&row, seq);
    bind_text(&row, cs_run_event_kind_name(event->kind));
    bind_index(&row, event->task);
    bind_index(&row, event->attempt ? event->attempt : -1);
    bind_index(&row, event->slot);
    bind_real(&row, event->time);
    bind_text(&row, event->outcome ? cs_run_outcome_name(event->outcome) : NULL);
    bind_integer(&row, event->status);
    bind_real(&row, event->value);
    bind_text(&row, event->detail);
    return end_row(&row, err);
}

static int journal_round_put_end(struct cs_run_journal *j, const struct cs_run_event *event,
                                 const struct cs_run_finish *f, struct cs_error *err)
{
    struct row row = begin_row(j, j->put_end, CS_RUN_TABLE_ATTEMPT_END);

    bind_integer(&row, event->attempt);
    bind_real(&row, f->began);
    bind_real(&row, f->ended);
    bind_real(&row, f->verify_began);
    bind_real(&row, f->verify_ended);
    bind_integer(&row, f->status);
    bind_integer(&row, f->verify_status);
    bind_real(&row, f->cpu);
    bind_integer(&row, f->rss);
    bind_integer(&row, f->left);
    bind_text(&row, cs_run_outcome_name(event->outcome));
    return end_row(&row, err);
}

static int put_attempt(struct cs_run_journal *j, const struct cs_run_attempt *attempt,
                       double restart, struct cs_error *err)
{
    struct row row = begin_row(j, j->put_attempt, CS_RUN_TABLE_ATTEMPT);
    struct cs_strbuf slots = CS_STRBUF_INIT;
    int status;

    cs_run_put_slots(attempt->slot, attempt->count, &slots);
    bind_integer(&row, attempt->number);
    bind_integer(&row, j->round);
    bind_integer(&row, attempt->task);
    bind_integer(&row, attempt->try);
    bind_text(&row, slots.text);
    bind_real(&row, attempt->start);
    bind_real(&row, attempt->expected);
    bind_real(&row, restart);
    status = end_row(&row, err);
    cs_strbuf_release(&slots);
    return status;
}

static int put_action(struct cs_run_journal *j, const struct cs_run *run, int seq,
                      struct cs_error *err)
{
    const struct cs_run_action *action = &run->action[seq];
    const struct cs_run_attempt *attempt;
    struct row row = begin_row(j, j->put_action, CS_RUN_TABLE_ACTION);

    bind_integer(&row, j->round);
    bind_integer(&row, seq);
    bind_text(&row, cs_run_action_kind_name(action->kind));
    bind_integer(&row, action->task);
    bind_index(&row, action->attempt ? action->attempt : -1);
    bind_text(&row, action->why);
    if (end_row(&row, err))
        return -1;
    if (action->kind != CS_RUN_START)
        return 0;
    attempt = cs_run_attempt_find(run, action->attempt);
    return put_attempt(j, attempt, attempt->restarts ? run->usage[attempt->task].saved_share : NAN,
                       err);
}

/* The row of an attempt that the journal had lost. */
static int put_found(struct cs_run_journal *j, const struct cs_run *run,
                     const struct cs_run_event *event, struct cs_error *err)
{
    int *slot = cs_block_zero((size_t)event->count + 1, sizeof *slot);
    const struct cs_run_attempt attempt = {
        .number = event->attempt,
        .task = event->task,
        .try = event->try,
        .count = event->count,
        .slot = slot,
        .start = event->start,
        .expected = run->setup->task[event->task].expected,
    };
    int status;

    memcpy(slot, event->held, (size_t)event->count * sizeof *slot);
    status = put_attempt(j, &attempt, NAN, err);
    cs_block_free(slot);
    return status;
}

/* The round itself, the last of its rows: it has the sum of all. */
static int journal_round_put_head(struct cs_run_journal *j, double now, bool asked,
                                  struct cs_error *err)
{
    struct row row = begin_row(j, j->put_round, CS_RUN_TABLE_ROUND);

    bind_integer(&row, j->round);
    bind_integer(&row, j->executor);
    bind_real(&row, now);
    bind_integer(&row, asked);
    if (j->format >= 2)
        sqlite3_bind_int64(row.statement, row.columns + 1, (sqlite3_int64)(j->sum + row.hash));
    return end_row(&row, err);
}

static int put_all(struct cs_run_journal *j, const struct cs_run *run, bool asked,
                   const struct cs_run_event *event, const struct cs_run_finish *finish, int count,
                   struct cs_error *err)
{
    for (int e = 0; e < count; e++)
        if (put_event(j, e, &event[e], err) ||
            (event[e].kind == CS_RUN_FOUND && put_found(j, run, &event[e], err)) ||
            (event[e].outcome && journal_round_put_end(j, &event[e], &finish[e], err)))
            return -1;
    for (int a = 0; a < run->actions; a++)
        if (put_action(j, run, a, err))
            return -1;
    return journal_round_put_head(j, run->now, asked, err);
}

int cs_run_journal_put_round(struct cs_run_journal *j, const struct cs_run *run, bool asked,
                             const struct cs_run_event *event, const struct cs_run_finish *finish,
                             int count, struct cs_error *err)
{
    const uint64_t before = j->sum;

    if (journal_round_step(j, j->begin, err)) {
        j->failure = sqlite3_errcode(j->db);
        return -1;
    }
    j->round++;
    if (!put_all(j, run, asked, event, finish, count, err) &&
        !journal_round_step(j, j->commit, err))
        return 0;
    j->round--;
    j->sum = before;
    j->failure = sqlite3_errcode(j->db);
    if (!sqlite3_get_autocommit(j->db))
        sqlite3_exec(j->db, "ROLLBACK", NULL, NULL, NULL);
    return -1;
}
