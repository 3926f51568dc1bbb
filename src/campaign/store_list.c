/* store_list.c - the documents, runs and inputs of a store. */
#define _XOPEN_SOURCE 700 /* gethostname */
#include "base/plain.h"
#include "campaign/store_file.h"

#include "base/bug.h"
#include "base/number.h"
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

double cs_store_now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_REALTIME, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static const char *text_of(struct cs_arena *arena, sqlite3_stmt *row, int column)
{
    const char *text = (const char *)sqlite3_column_text(row, column);

    return cs_arena_strdup(arena, text ? text : "");
}

/* Call `read` for each row of the statement, with a new element of the list. */
static int read_list(const struct cs_store *store, const char *table, const char *sql,
                     struct cs_arena *arena, size_t size,
                     void (*read)(struct cs_arena *arena, sqlite3_stmt *row, void *element),
                     void **list, int *count, struct cs_error *err)
{
    sqlite3_stmt *statement = cs_store_prepare(store, table, err);
    int64_t rows = 0;
    int step = SQLITE_ROW, status;

    if (!statement)
        return -1;
    status = sqlite3_step(statement) == SQLITE_ROW ? 0 : cs_store_fail(store, err);
    if (!status)
        rows = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    statement = status ? NULL : cs_store_prepare(store, sql, err);
    if (!statement)
        return -1;
    *list = cs_arena_alloc(arena, (size_t)rows, size);
    for (*count = 0; *count < rows && (step = sqlite3_step(statement)) == SQLITE_ROW; ++*count)
        read(arena, statement, (char *)*list + (size_t)*count * size);
    if (step != SQLITE_ROW && step != SQLITE_DONE)
        status = cs_store_fail(store, err);
    sqlite3_finalize(statement);
    return status;
}

static void hash_document(const struct cs_document *document, char hex[CS_DIGEST_TEXT])
{
    struct cs_digest digest;

    cs_digest_init(&digest);
    cs_digest_put_text(&digest, document->kind);
    cs_digest_put_integer(&digest, document->quick);
    cs_digest_put_integer(&digest, (int64_t)document->seed);
    cs_digest_put_text(&digest, document->given);
    cs_digest_put_text(&digest, document->text);
    cs_digest_finish(&digest, hex);
}

/* *id: of the document with this hash; as it was when there is none. */
static int find_document(const struct cs_store *store, const char *sha256, int64_t *id,
                         struct cs_error *err)
{
    sqlite3_stmt *statement =
        cs_store_prepare(store, "SELECT id FROM document WHERE sha256 = ?", err);
    int step;

    if (!statement)
        return -1;
    cs_store_bind(statement, 1, sha256);
    step = sqlite3_step(statement);
    if (step == SQLITE_ROW)
        *id = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return step == SQLITE_ROW || step == SQLITE_DONE ? 0 : cs_store_fail(store, err);
}

int cs_store_add_document(struct cs_store *store, const struct cs_document *document, int64_t *id,
                          struct cs_error *err)
{
    char sha256[CS_DIGEST_TEXT], seed[24];
    sqlite3_stmt *statement;

    *id = 0;
    hash_document(document, sha256);
    if (find_document(store, sha256, id, err))
        return -1;
    if (*id)
        return 0;
    statement = cs_store_prepare(store,
                                 "INSERT INTO document(kind, name, file, text, given, quick, seed, "
                                 "sha256) VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
                                 err);
    if (!statement)
        return -1;
    cs_plain_print(seed, sizeof seed, "%" PRIu64, document->seed);
    cs_store_bind(statement, 1, document->kind);
    cs_store_bind(statement, 2, document->name);
    cs_store_bind(statement, 3, document->file);
    cs_store_bind(statement, 4, document->text);
    cs_store_bind(statement, 5, document->given);
    sqlite3_bind_int(statement, 6, document->quick);
    cs_store_bind(statement, 7, seed);
    cs_store_bind(statement, 8, sha256);
    if (cs_store_finish(store, statement, err))
        return -1;
    *id = sqlite3_last_insert_rowid(store->db);
    return 0;
}

static void read_document(struct cs_arena *arena, sqlite3_stmt *row, void *element)
{
    struct cs_document *document = element;

    *document = (struct cs_document){.id = sqlite3_column_int64(row, 0),
                                     .kind = text_of(arena, row, 1),
                                     .name = text_of(arena, row, 2),
                                     .file = text_of(arena, row, 3),
                                     .text = text_of(arena, row, 4),
                                     .given = text_of(arena, row, 5),
                                     .quick = sqlite3_column_int(row, 6)};
    cs_number_uint64(text_of(arena, row, 7), &document->seed);
    cs_plain_print(document->sha256, sizeof document->sha256, "%s", text_of(arena, row, 8));
}

int cs_store_documents(struct cs_store *store, struct cs_arena *arena, struct cs_document **list,
                       int *count, struct cs_error *err)
{
    void *found = NULL;
    int status = read_list(store, "SELECT count(*) FROM document",
                           "SELECT id, kind, name, file, text, given, quick, seed, sha256 FROM "
                           "document ORDER BY id",
                           arena, sizeof **list, read_document, &found, count, err);

    *list = found;
    return status;
}

int cs_store_add_run(struct cs_store *store, const struct cs_store_run *run, int64_t *id,
                     struct cs_error *err)
{
    sqlite3_stmt *statement =
        cs_store_prepare(store,
                         "INSERT INTO run(version, command, host, threads, started, ended, shard, "
                         "shards) VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
                         err);

    if (!statement)
        return -1;
    cs_store_bind(statement, 1, run->version);
    cs_store_bind(statement, 2, run->command);
    cs_store_bind(statement, 3, run->host);
    sqlite3_bind_int(statement, 4, run->threads);
    sqlite3_bind_double(statement, 5, run->started);
    sqlite3_bind_double(statement, 6, run->ended);
    sqlite3_bind_int(statement, 7, run->shard);
    sqlite3_bind_int(statement, 8, run->shards);
    if (cs_store_finish(store, statement, err))
        return -1;
    *id = sqlite3_last_insert_rowid(store->db);
    return 0;
}

int cs_store_begin_run(struct cs_store *store, const char *command, int threads,
                       struct cs_error *err)
{
    return cs_store_begin_shard(store, command, threads, 0, 0, err);
}

int cs_store_begin_shard(struct cs_store *store, const char *command, int threads, int shard,
                         int shards, struct cs_error *err)
{
    char host[256] = "";
    struct cs_store_run run = {.version = CS_VERSION,
                               .command = command,
                               .host = host,
                               .threads = threads,
                               .shard = shard,
                               .shards = shards,
                               .started = cs_store_now(),
                               .ended = NAN};

    gethostname(host, sizeof host - 1);
    return cs_store_add_run(store, &run, &store->run, err);
}

int cs_store_end_run(struct cs_store *store, struct cs_error *err)
{
    sqlite3_stmt *statement = cs_store_prepare(store, "UPDATE run SET ended = ? WHERE id = ?", err);

    if (!statement)
        return -1;
    sqlite3_bind_double(statement, 1, cs_store_now());
    sqlite3_bind_int64(statement, 2, store->run);
    store->run = 0;
    return cs_store_finish(store, statement, err);
}

static void read_run(struct cs_arena *arena, sqlite3_stmt *row, void *element)
{
    struct cs_store_run *run = element;
    bool ended = sqlite3_column_type(row, 6) != SQLITE_NULL;

    *run = (struct cs_store_run){.id = sqlite3_column_int64(row, 0),
                                 .version = text_of(arena, row, 1),
                                 .command = text_of(arena, row, 2),
                                 .host = text_of(arena, row, 3),
                                 .threads = sqlite3_column_int(row, 4),
                                 .started = sqlite3_column_double(row, 5),
                                 .ended = ended ? sqlite3_column_double(row, 6) : NAN,
                                 .shard = sqlite3_column_int(row, 7),
                                 .shards = sqlite3_column_int(row, 8)};
}

int cs_store_runs(struct cs_store *store, struct cs_arena *arena, struct cs_store_run **list,
                  int *count, struct cs_error *err)
{
    void *found = NULL;
    int status = read_list(
        store, "SELECT count(*) FROM run",
        "SELECT id, version, command, host, threads, started, ended, shard, shards FROM run "
        "ORDER BY id",
        arena, sizeof **list, read_run, &found, count, err);

    *list = found;
    return status;
}

/* The hash that the store has for the path, in `known`; "" for none. */
static int find_input(const struct cs_store *store, const char *path, char known[CS_DIGEST_TEXT],
                      struct cs_error *err)
{
    sqlite3_stmt *statement =
        cs_store_prepare(store, "SELECT sha256 FROM input WHERE path = ?", err);
    int step;

    if (!statement)
        return -1;
    *known = '\0';
    cs_store_bind(statement, 1, path);
    step = sqlite3_step(statement);
    if (step == SQLITE_ROW)
        cs_plain_print(known, CS_DIGEST_TEXT, "%s",
                       (const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    return step == SQLITE_ROW || step == SQLITE_DONE ? 0 : cs_store_fail(store, err);
}

int cs_store_add_input(struct cs_store *store, const char *path, const char *sha256,
                       struct cs_error *err)
{
    char known[CS_DIGEST_TEXT];
    sqlite3_stmt *statement;

    if (find_input(store, path, known, err))
        return -1;
    if (*known && strcmp(known, sha256))
        return cs_error_set(err,
                            "%s: has results from another %s (SHA-256 %.12s.., now %.12s..); put "
                            "the old one back, or take another store",
                            store->path, path, known, sha256);
    if (*known)
        return 0;
    statement = cs_store_prepare(store, "INSERT INTO input(path, sha256) VALUES(?, ?)", err);
    if (!statement)
        return -1;
    cs_store_bind(statement, 1, path);
    cs_store_bind(statement, 2, sha256);
    return cs_store_finish(store, statement, err);
}

static void read_input(struct cs_arena *arena, sqlite3_stmt *row, void *element)
{
    struct cs_store_input *input = element;

    *input =
        (struct cs_store_input){.path = text_of(arena, row, 0), .sha256 = text_of(arena, row, 1)};
}

int cs_store_inputs(struct cs_store *store, struct cs_arena *arena, struct cs_store_input **list,
                    int *count, struct cs_error *err)
{
    void *found = NULL;
    int status = read_list(store, "SELECT count(*) FROM input",
                           "SELECT path, sha256 FROM input ORDER BY path", arena, sizeof **list,
                           read_input, &found, count, err);

    *list = found;
    return status;
}
