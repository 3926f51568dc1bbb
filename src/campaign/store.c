/* store.c - opening and closing stores.
 *
 * SQLite in WAL mode: a transaction is an append to FILE-wal, and readers do not disturb it. The
 * last step of a writer returns to a self-contained file, which can be copied, and read without
 * write access. WAL needs memory shared by all processes with the file open, which does not exist
 * across machines: network file systems use a rollback journal instead, as does a single
 * transaction on an existing store, since switching to WAL and back changes its first page. The
 * mode is chosen at the first write: rejected calls leave the file unchanged.
 * COSCHED_STORE_JOURNAL=delete in the environment asks for it everywhere, for tests.
 */
#define _XOPEN_SOURCE 700 /* realpath */
#include "base/build.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "campaign/store_file.h"
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One process writes at a time.
 *
 * A file next to the store is locked, not the store itself: SQLite releases all locks of the
 * process on its own files when it unlocks them. The lock ends with the process; the leftover file
 * of a killed process has no effect.
 */

/* Next to the target of a link. */
static const char *find_path(const char *path, struct cs_arena *arena)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    char real[PATH_MAX];
    const char *found;

    cs_strbuf_printf(&text, "%s-lock", realpath(path, real) ? real : path);
    found = cs_arena_strdup(arena, text.text);
    cs_strbuf_release(&text);
    return found;
}

static struct flock whole_file(void)
{
    return (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET};
}

/* A process that releases the lock also removes the file: the locked file must be the existing
 * one. */
static bool is_there(int fd, const char *path)
{
    struct stat mine, there;

    return !fstat(fd, &mine) && !stat(path, &there) && mine.st_ino == there.st_ino &&
           mine.st_dev == there.st_dev;
}

static int store_lock_refuse(const struct cs_store *store, int fd, struct cs_error *err)
{
    struct flock lock = whole_file();

    if (!fcntl(fd, F_GETLK, &lock) && lock.l_type != F_UNLCK)
        return cs_error_set(err, "%s: process %ld is writing it; one at a time can", store->path,
                            (long)lock.l_pid);
    return cs_error_set(err, "%s: another process is writing it; one at a time can", store->path);
}

/* The lock of the writer: a file next to the store, removed with the lock. */
static int store_lock(struct cs_store *store, struct cs_error *err)
{
    struct flock lock = whole_file();

    store->lock_path = find_path(store->path, store->arena);
    for (;;) {
        store->lock = open(store->lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (store->lock < 0)
            return cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: cannot be locked (%s): %s",
                                   store->path, store->lock_path, strerror(errno));
        if (fcntl(store->lock, F_SETLK, &lock)) {
            store_lock_refuse(store, store->lock, err);
            close(store->lock);
            store->lock = -1;
            return -1;
        }
        if (is_there(store->lock, store->lock_path))
            return 0;
        close(store->lock);
    }
}

static void store_unlock(struct cs_store *store)
{
    if (store->lock < 0)
        return;
    unlink(store->lock_path);
    close(store->lock);
    store->lock = -1;
}

bool cs_store_is_busy(const char *path)
{
    struct cs_arena *arena = cs_arena_create();
    struct flock lock = whole_file();
    int fd = open(find_path(path, arena), O_RDONLY | O_CLOEXEC);
    bool busy = fd >= 0 && !fcntl(fd, F_GETLK, &lock) && lock.l_type != F_UNLCK;

    if (fd >= 0)
        close(fd);
    cs_arena_destroy(arena);
    return busy;
}

/* Digests of rows, and their sums over tables.
 *
 * Every row has the digest of its other columns (of cells also one of the columns before the
 * metrics), and every table has the number of its rows and the exclusive or of their digests, which
 * triggers update in the transaction of each change. The digest of a row detects corrupted bytes,
 * the sum missing or duplicate rows.
 */

static uint64_t mix_value(uint64_t hash, sqlite3_value *value)
{
    switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER:
        return cs_row_hash_integer(hash, sqlite3_value_int64(value));
    case SQLITE_FLOAT:
        return cs_row_hash_real(hash, sqlite3_value_double(value));
    case SQLITE_NULL:
        return cs_row_hash_nothing(hash);
    case SQLITE_TEXT:
        return cs_row_hash_text(hash, sqlite3_value_blob(value),
                                (size_t)sqlite3_value_bytes(value));
    default:
        return cs_row_hash_blob(hash, sqlite3_value_blob(value),
                                (size_t)sqlite3_value_bytes(value));
    }
}

static void store_checksum_digest(sqlite3_context *context, int count, sqlite3_value **value)
{
    uint64_t hash = 0;

    for (int i = 0; i < count; i++)
        hash = mix_value(hash, value[i]);
    sqlite3_result_int64(context, (sqlite3_int64)hash);
}

/* Without what is not there at the end, which rows of older stores do not have. */
static void digest_cell(sqlite3_context *context, int count, sqlite3_value **value)
{
    while (count && sqlite3_value_type(value[count - 1]) == SQLITE_NULL)
        count--;
    store_checksum_digest(context, count, value);
}

static int store_checksum_connect(const struct cs_store *store, const char *name,
                                  void (*function)(sqlite3_context *, int, sqlite3_value **))
{
    return sqlite3_create_function_v2(store->db, name, -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL,
                                      function, NULL, NULL, NULL);
}

/* Make row_digest(...) known to SQL, and cell_digest(...) of cells. */
static int cs_store_checksum_connect(const struct cs_store *store, struct cs_error *err)
{
    return store_checksum_connect(store, "row_digest", store_checksum_digest) ||
                   store_checksum_connect(store, "cell_digest", digest_cell)
               ? cs_store_fail(store, err)
               : 0;
}

static const struct change {
    const char *event;
    struct {
        const char *rows, *side;
    } part[2];
} changes[] = {{"INSERT", {{"+ 1", "NEW"}}},
               {"DELETE", {{"- 1", "OLD"}}},
               {"UPDATE", {{"- 1", "OLD"}, {"+ 1", "NEW"}}}};

enum { CHANGES = sizeof changes / sizeof *changes };

/* The text after the name of a trigger. */
static void put_trigger(struct cs_strbuf *sql, const char *table, const struct change *change)
{
    cs_strbuf_printf(sql, "\"%s_%s\" AFTER %s ON \"%s\" BEGIN ", table, change->event,
                     change->event, table);
    for (int p = 0; p < 2 && change->part[p].rows; p++)
        cs_strbuf_printf(sql,
                         "UPDATE tally SET rows = rows %s, digest = (digest | %s.digest) - "
                         "(digest & %s.digest) WHERE name = '%s';",
                         change->part[p].rows, change->part[p].side, change->part[p].side, table);
    cs_strbuf_puts(sql, "END");
}

/* Is it one of those triggers? */
static bool store_checksum_is(const struct cs_database_object *object)
{
    struct cs_strbuf sql = CS_STRBUF_INIT;
    bool is = false;

    for (int c = 0; c < CHANGES && !is; c++) {
        cs_strbuf_clear(&sql);
        cs_strbuf_puts(&sql, "CREATE TRIGGER ");
        put_trigger(&sql, object->table, &changes[c]);
        is = !strcmp(object->type, "trigger") && !strcmp(object->sql, sql.text);
    }
    cs_strbuf_release(&sql);
    return is;
}

int cs_store_checksum_table(const struct cs_store *store, const char *table, struct cs_error *err)
{
    struct cs_strbuf sql = CS_STRBUF_INIT;
    int status;

    cs_strbuf_printf(&sql, "INSERT OR IGNORE INTO tally VALUES('%s', 0, 0);", table);
    for (int c = 0; c < CHANGES; c++) {
        cs_strbuf_puts(&sql, "CREATE TRIGGER IF NOT EXISTS ");
        put_trigger(&sql, table, &changes[c]);
        cs_strbuf_putc(&sql, ';');
    }
    status = cs_store_exec(store, sql.text, err);
    cs_strbuf_release(&sql);
    return status;
}

int cs_store_checksum_row(const struct cs_store *store, const char *table, sqlite3_stmt *row,
                          int column, struct cs_store_checksum *checksum, struct cs_error *err)
{
    if (store->format < 2)
        return 0;
    if (!sqlite3_column_int(row, column))
        return cs_error_set(err, "%s: the store is damaged (a row of %s is not what was stored)",
                            store->path, table);
    checksum->rows++;
    checksum->digest ^= (uint64_t)sqlite3_column_int64(row, column + 1);
    return 0;
}

int cs_store_checksum_all(const struct cs_store *store, const char *table,
                          const struct cs_store_checksum *checksum, struct cs_error *err)
{
    struct cs_store_checksum want = {0, 0};
    sqlite3_stmt *statement;
    int step;

    if (store->format < 2)
        return 0;
    statement = cs_store_prepare(store, "SELECT rows, digest FROM tally WHERE name = ?", err);
    if (!statement)
        return -1;
    cs_store_bind(statement, 1, table);
    step = sqlite3_step(statement);
    if (step == SQLITE_ROW)
        want = (struct cs_store_checksum){sqlite3_column_int64(statement, 0),
                                          (uint64_t)sqlite3_column_int64(statement, 1)};
    sqlite3_finalize(statement);
    if (step != SQLITE_ROW && step != SQLITE_DONE)
        return cs_store_fail(store, err);
    if (want.rows != checksum->rows)
        return cs_error_set(err, "%s: the store is damaged (%s has %lld rows, %lld were stored)",
                            store->path, table, (long long)checksum->rows, (long long)want.rows);
    if (want.digest != checksum->digest)
        return cs_error_set(err, "%s: the store is damaged (the rows of %s are not those stored)",
                            store->path, table);
    return 0;
}

void cs_store_checksum_put(const struct cs_store *store, const char *table, const char *values,
                           const char *head, bool whole, struct cs_strbuf *sql)
{
    if (store->format < 2)
        cs_strbuf_puts(sql, ", 1, 0");
    else if (!head)
        cs_strbuf_printf(sql, ", cell_digest('%s', %s) = digest, digest", table, values);
    else if (whole)
        cs_strbuf_printf(sql,
                         ", cell_digest('%s', %s) = digest AND (head IS NULL OR head = "
                         "row_digest('%s', %s)), digest",
                         table, values, table, head);
    else
        cs_strbuf_printf(sql,
                         ", CASE WHEN head IS NULL THEN cell_digest('%s', %s) = digest ELSE "
                         "row_digest('%s', %s) = head END, digest",
                         table, values, table, head);
}

#define APPLICATION 0x43534348 /* "CSCH" */
#define FORMAT 2
#define PATIENCE 10000         /* milliseconds */
#define PATIENCE_WRITER 600000 /* where a reader can keep the writer waiting */

#define NUMBER_(n) #n
#define NUMBER(n) NUMBER_(n)

static const char schema[] =
    "CREATE TABLE document(id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, "
    "file TEXT NOT NULL, text TEXT NOT NULL, given TEXT NOT NULL, quick INTEGER NOT NULL, "
    "seed TEXT NOT NULL, sha256 TEXT NOT NULL UNIQUE, digest INTEGER NOT NULL);"
    "CREATE TABLE run(id INTEGER PRIMARY KEY, version TEXT NOT NULL, build TEXT NOT NULL, "
    "command TEXT NOT NULL, documents TEXT NOT NULL, host TEXT NOT NULL, "
    "threads INTEGER NOT NULL, started REAL NOT NULL, ended REAL, "
    "shard INTEGER NOT NULL, shards INTEGER NOT NULL, digest INTEGER NOT NULL);"
    "CREATE TABLE input(path TEXT PRIMARY KEY, sha256 TEXT NOT NULL, digest INTEGER NOT NULL) "
    "WITHOUT ROWID;"
    "CREATE TABLE tally(name TEXT PRIMARY KEY, rows INTEGER NOT NULL, digest INTEGER NOT NULL) "
    "WITHOUT ROWID;"
    "PRAGMA application_id = " NUMBER(APPLICATION) ";"
                                                   "PRAGMA user_version = " NUMBER(FORMAT) ";";

/* The system error, if SQLite has kept it. */
static const char *system_error(const struct cs_store *store)
{
    int number = sqlite3_system_errno(store->db);

    return number ? strerror(number) : sqlite3_errmsg(store->db);
}

int cs_store_fail(const struct cs_store *store, struct cs_error *err)
{
    switch (sqlite3_errcode(store->db)) {
    case SQLITE_FULL:
        return cs_error_set_as(err, CS_ERROR_SYSTEM,
                               "%s: the disk is full; what was stored before is safe", store->path);
    case SQLITE_NOTADB:
        return cs_error_set(err, "%s: not a store of cosched", store->path);
    case SQLITE_CORRUPT:
        return cs_error_set(err, "%s: the store is damaged (%s)", store->path,
                            sqlite3_errmsg(store->db));
    case SQLITE_READONLY:
        return cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: cannot be written", store->path);
    case SQLITE_BUSY:
        return cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: another program keeps it locked",
                               store->path);
    case SQLITE_IOERR:
        return cs_error_set_as(err, CS_ERROR_SYSTEM,
                               "%s: cannot be read or written (%s); what was stored before is safe",
                               store->path, system_error(store));
    case SQLITE_CANTOPEN:
        return cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: cannot be opened (%s)", store->path,
                               system_error(store));
    default:
        return cs_error_set(err, "%s: %s", store->path, sqlite3_errmsg(store->db));
    }
}

int cs_store_exec(const struct cs_store *store, const char *sql, struct cs_error *err)
{
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) ? cs_store_fail(store, err) : 0;
}

sqlite3_stmt *cs_store_prepare(const struct cs_store *store, const char *sql, struct cs_error *err)
{
    sqlite3_stmt *statement = NULL;

    if (sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL))
        cs_store_fail(store, err);
    return statement;
}

int cs_store_finish(const struct cs_store *store, sqlite3_stmt *statement, struct cs_error *err)
{
    int status = sqlite3_step(statement) == SQLITE_DONE ? 0 : cs_store_fail(store, err);

    sqlite3_finalize(statement);
    return status;
}

void cs_store_bind(sqlite3_stmt *statement, int column, const char *text)
{
    sqlite3_bind_text(statement, column, text, -1, SQLITE_STATIC);
}

/* The number that a statement gives. */
int cs_store_ask(const struct cs_store *store, const char *sql, int64_t *out, struct cs_error *err)
{
    sqlite3_stmt *statement = cs_store_prepare(store, sql, err);
    int status = 0;

    if (!statement)
        return -1;
    if (sqlite3_step(statement) == SQLITE_ROW)
        *out = sqlite3_column_int64(statement, 0);
    else
        status = cs_store_fail(store, err);
    sqlite3_finalize(statement);
    return status;
}

/* The first bytes of databases of SQLite. */
static const char magic[] = "SQLite format 3";

bool cs_store_seems(const char *path)
{
    char head[sizeof magic] = "";

    return strcmp(path, "-") && cs_file_head(path, head, sizeof head) == sizeof head &&
           !memcmp(head, magic, sizeof magic);
}

/* Reject files that SQLite could treat as an empty database and write to. */
static int inspect_file(const struct cs_store *store, struct cs_error *err)
{
    char head[sizeof magic] = "";
    struct stat file;
    ssize_t size;

    if (stat(store->path, &file)) {
        if (errno == ENOENT && store->mode != CS_STORE_READ)
            return 0;
        return cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: %s", store->path,
                               errno == ENOENT ? "there is no such store" : strerror(errno));
    }
    if (S_ISDIR(file.st_mode))
        return cs_error_set(err, "%s: a folder, not a store", store->path);
    if (!S_ISREG(file.st_mode))
        return cs_error_set(err, "%s: not a regular file, a store has to be one", store->path);
    size = cs_file_head(store->path, head, sizeof head);
    if (size < 0)
        return cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: %s", store->path, strerror(errno));
    if (size && memcmp(head, magic, sizeof magic))
        return cs_error_set(err, "%s: not a store of cosched", store->path);
    if (store->mode != CS_STORE_READ && access(store->path, W_OK))
        return cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: cannot be written (%s)", store->path,
                               strerror(errno));
    return 0;
}

static int connect_to(struct cs_store *store, const char *name, int flags, struct cs_error *err)
{
    if (store->mode == CS_STORE_READ)
        flags |= SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(name, &store->db, flags, NULL) || cs_database_defend(store->db))
        return cs_store_fail(store, err);
    sqlite3_busy_timeout(store->db, PATIENCE);
    return cs_store_checksum_connect(store, err);
}

/* Is the file next to the store non-empty? Then the store is incomplete without it. */
static bool has_rest(const struct cs_store *store, const char *ending)
{
    struct cs_strbuf name = CS_STRBUF_INIT;
    struct stat rest;
    bool has;

    cs_strbuf_printf(&name, "%s%s", store->path, ending);
    has = !stat(name.text, &rest) && rest.st_size > 0;
    cs_strbuf_release(&name);
    return has;
}

/* Open the file unchanged, in a directory in which SQLite cannot create its auxiliary files. */
static int connect_alone(struct cs_store *store, struct cs_error *err)
{
    struct cs_strbuf name = CS_STRBUF_INIT;
    bool wal = has_rest(store, "-wal");
    int status = -1;

    if (wal || has_rest(store, "-journal")) {
        cs_error_set(err,
                     "%s: its writer was killed, and %s%s cannot be recovered without write "
                     "access to its directory",
                     store->path, store->path, wal ? "-wal" : "-journal");
    } else {
        cs_strbuf_puts(&name, "file:");
        for (const char *c = store->path; *c; c++)
            if (strchr("%?#", *c))
                cs_strbuf_printf(&name, "%%%02X", (unsigned)*c);
            else
                cs_strbuf_putc(&name, *c);
        cs_strbuf_puts(&name, "?immutable=1");
        sqlite3_close(store->db);
        status = connect_to(store, name.text, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, err);
    }
    cs_strbuf_release(&name);
    return status;
}

/* The first open after a kill rolls back incomplete writes, also for reading. */
static int connect_reader(struct cs_store *store, struct cs_error *err)
{
    if (connect_to(store, store->path, SQLITE_OPEN_READWRITE, err))
        return -1;
    switch (sqlite3_exec(store->db, "PRAGMA query_only = 1; SELECT count(*) FROM sqlite_master",
                         NULL, NULL, NULL)) {
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
        return connect_alone(store, err);
    default:
        return 0;
    }
}

/* Our tables, one for each problem, and the triggers that keep up the tally of each. */
static bool is_ours(const void *who, const struct cs_database_object *object)
{
    static const char *const table[] = {"document", "run", "input", "tally"};
    static const char cells[] = "(parameters TEXT NOT NULL, seed TEXT NOT NULL, ";
    const char *columns = strchr(object->sql, '(');

    (void)who;
    if (strcmp(object->type, "table") != 0)
        return store_checksum_is(object);
    for (size_t t = 0; t < sizeof table / sizeof *table; t++)
        if (!strcmp(object->name, table[t]))
            return true;
    return columns && !strncmp(columns, cells, sizeof cells - 1);
}

/* Nothing of a schema that cosched does not create is ever run. */
static int check_schema(const struct cs_store *store, struct cs_error *err)
{
    struct cs_strbuf fault = CS_STRBUF_INIT;
    const int code = cs_database_check(store->db, is_ours, NULL, &fault);

    if (code == SQLITE_AUTH)
        cs_error_set(err, "%s: %s is not one that cosched creates: not read", store->path,
                     fault.text);
    else if (code)
        cs_store_fail(store, err);
    cs_strbuf_release(&fault);
    return code ? -1 : 0;
}

static int check_known(struct cs_store *store, int64_t application, int64_t format,
                       struct cs_error *err)
{
    if (application != APPLICATION)
        return cs_error_set(err, "%s: a database of something else, not a store of cosched",
                            store->path);
    if (format < 1 || format > FORMAT)
        return cs_error_set(err,
                            "%s: a store of format %lld; this is cosched %s, which knows format %d",
                            store->path, (long long)format, CS_VERSION, FORMAT);
    if (format < FORMAT && store->mode != CS_STORE_READ)
        return cs_error_set(err,
                            "%s: a store of format %lld, which cosched 0.1 wrote: it can be read, "
                            "but not added to; take another file",
                            store->path, (long long)format);
    store->format = (int)format;
    return 0;
}

/* *empty: the tables must be created first. */
static int check_format(struct cs_store *store, bool *empty, struct cs_error *err)
{
    int64_t application = 0, format = 0, tables = 0;

    if (cs_store_ask(store, "PRAGMA application_id", &application, err) ||
        cs_store_ask(store, "PRAGMA user_version", &format, err) ||
        cs_store_ask(store, "SELECT count(*) FROM sqlite_master", &tables, err))
        return -1;
    *empty = !application && !format && !tables;
    if (!*empty)
        return check_known(store, application, format, err) || check_schema(store, err) ? -1 : 0;
    store->format = FORMAT;
    return store->mode == CS_STORE_READ
               ? cs_error_set(err, "%s: an empty store without runs", store->path)
               : 0;
}

static int make_all(struct cs_store *store, struct cs_error *err)
{
    static const char *const sealed[] = {"document", "run", "input"};

    if (cs_store_exec(store, schema, err))
        return -1;
    for (size_t t = 0; t < sizeof sealed / sizeof *sealed; t++)
        if (cs_store_checksum_table(store, sealed[t], err))
            return -1;
    return cs_store_commit(store, err);
}

static int make_tables(struct cs_store *store, struct cs_error *err)
{
    if (cs_store_begin(store, err))
        return -1;
    if (!make_all(store, err))
        return 0;
    cs_store_rollback(store);
    return -1;
}

/* Are all runs of this build? */
static int check_build(struct cs_store *store, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_store_run *run;
    int count, status = cs_store_runs(store, arena, &run, &count, err);

    for (int r = 0; !status && !store->other_build && r < count; r++)
        if (strcmp(run[r].build, cs_build()))
            status = cs_error_set(err,
                                  "%s: has runs of cosched %s, and this is %s, whose results may "
                                  "differ; take another file, or continue with --allow-other-build",
                                  store->path, run[r].build, cs_build());
    cs_arena_destroy(arena);
    return status;
}

static const char *file_of(const struct cs_store *store)
{
    return store->draft ? store->draft : store->path;
}

/* An existing draft is abandoned: its creator had the lock that this process holds. */
static void remove_draft(const struct cs_store *store)
{
    unlink(store->draft);
    for (size_t e = 0; e < sizeof store->rest / sizeof *store->rest; e++)
        unlink(store->rest[e]);
}

/* A missing store is created in the same directory under another name. */
static void begin_draft(struct cs_store *store)
{
    static const char *const ending[] = {"-wal", "-shm", "-journal"};
    struct cs_strbuf name = CS_STRBUF_INIT;

    if (store->mode == CS_STORE_BUILD && access(store->path, F_OK)) {
        for (size_t e = 0; e < sizeof ending / sizeof *ending; e++) {
            cs_strbuf_clear(&name);
            cs_strbuf_printf(&name, "%s.new%s", store->path, ending[e]);
            store->rest[e] = cs_arena_strdup(store->arena, name.text);
        }
        cs_strbuf_clear(&name);
        cs_strbuf_printf(&name, "%s.new", store->path);
        store->draft = cs_arena_strdup(store->arena, name.text);
        remove_draft(store);
    }
    store->at_once = store->mode == CS_STORE_BUILD && !store->draft;
    store->mode = CS_STORE_WRITE;
    cs_strbuf_release(&name);
}

int cs_store_choose_journal(struct cs_store *store, struct cs_error *err)
{
    const char *words = cs_remote_is(store->path)
                            ? "PRAGMA journal_mode = DELETE; PRAGMA synchronous = NORMAL"
                            : "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL";

    if (store->journaled || !strcmp(store->path, CS_STORE_MEMORY))
        return 0;
    if (cs_store_exec(store, store->at_once ? "PRAGMA synchronous = FULL" : words, err))
        return -1;
    store->journaled = true;
    sqlite3_busy_timeout(store->db, PATIENCE_WRITER);
    return 0;
}

static int open_writer(struct cs_store *store, struct cs_error *err)
{
    bool memory = !strcmp(store->path, CS_STORE_MEMORY), empty = false;

    if (!memory && (inspect_file(store, err) || store_lock(store, err)))
        return -1;
    begin_draft(store);
    if (connect_to(store, file_of(store), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err) ||
        check_format(store, &empty, err))
        return -1;
    return empty ? make_tables(store, err) : check_build(store, err);
}

static int open_reader(struct cs_store *store, struct cs_error *err)
{
    bool empty;

    return inspect_file(store, err) || connect_reader(store, err) ||
                   check_format(store, &empty, err)
               ? -1
               : 0;
}

/* Memory has run out, perhaps in the middle of a statement. */
static void store_drop(struct cs_guarded *guarded)
{
    struct cs_store *store = (struct cs_store *)(void *)guarded;
    sqlite3_stmt *statement;

    cs_store_release_cells(store);
    while (store->db && (statement = sqlite3_next_stmt(store->db, NULL)))
        sqlite3_finalize(statement);
    cs_store_close(store);
}

struct cs_store *cs_store_open(const char *path, enum cs_store_mode mode, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_store *store = CS_NEW(arena, struct cs_store);

    *store = (struct cs_store){.arena = arena,
                               .path = path,
                               .mode = mode & ~CS_STORE_OTHER_BUILD,
                               .other_build = mode & CS_STORE_OTHER_BUILD,
                               .lock = -1};
    cs_guard_keep(&store->guarded, store_drop);
    if (!*path)
        cs_error_set(err, "a store needs the name of a file");
    else if (!(store->mode == CS_STORE_READ ? open_reader(store, err) : open_writer(store, err)))
        return store;
    store->mode = CS_STORE_READ;
    cs_store_close(store);
    return NULL;
}

/* Return to one file, unless it is being read. */
static void store_disconnect(struct cs_store *store)
{
    cs_store_release_cells(store);
    if (store->db && store->mode == CS_STORE_WRITE) {
        sqlite3_busy_timeout(store->db, 0);
        sqlite3_exec(store->db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    }
    sqlite3_close(store->db);
    store->db = NULL;
}

int cs_store_publish(struct cs_store *store, struct cs_error *err)
{
    store_disconnect(store);
    if (store->draft && cs_file_rename(store->draft, store->path, err))
        return -1;
    store->draft = NULL;
    return 0;
}

void cs_store_close(struct cs_store *store)
{
    if (!store)
        return;
    cs_guard_discard(&store->guarded);
    store_disconnect(store);
    if (store->draft)
        remove_draft(store);
    store_unlock(store);
    cs_arena_destroy(store->arena);
}

const char *cs_store_path(const struct cs_store *store)
{
    return store->path;
}

int cs_store_begin(struct cs_store *store, struct cs_error *err)
{
    if (store->mode != CS_STORE_WRITE)
        return cs_store_exec(store, "BEGIN", err);
    return cs_store_choose_journal(store, err) ? -1 : cs_store_exec(store, "BEGIN IMMEDIATE", err);
}

int cs_store_commit(struct cs_store *store, struct cs_error *err)
{
    return cs_store_exec(store, "COMMIT", err);
}

/* Tables created in the transaction are removed too. */
void cs_store_rollback(struct cs_store *store)
{
    cs_store_release_cells(store);
    if (!sqlite3_get_autocommit(store->db))
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
}
