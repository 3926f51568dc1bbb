/* store_list.c - the documents, runs and inputs of a store. */
#define _XOPEN_SOURCE 700 /* gethostname */
#include "base/plain.h"
#include "campaign/store_file.h"

#include "base/bug.h"
#include "base/build.h"
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

/* The tables, with the values that their digests are of. */
struct list {
    const char *table, *values, *order;
    int count; /* of values */
    size_t size;
    void (*read)(struct cs_arena *arena, sqlite3_stmt *row, void *element);
};

static int count_rows(const struct cs_store *store, const struct list *list, int64_t *rows,
                      struct cs_error *err)
{
    struct cs_strbuf sql = CS_STRBUF_INIT;
    sqlite3_stmt *statement;
    int status = -1;

    cs_strbuf_printf(&sql, "SELECT count(*) FROM %s", list->table);
    statement = cs_store_prepare(store, sql.text, err);
    cs_strbuf_release(&sql);
    if (!statement)
        return -1;
    status = sqlite3_step(statement) == SQLITE_ROW ? 0 : cs_store_fail(store, err);
    if (!status)
        *rows = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return status;
}

static sqlite3_stmt *select_rows(const struct cs_store *store, const struct list *list,
                                 struct cs_error *err)
{
    struct cs_strbuf sql = CS_STRBUF_INIT;
    sqlite3_stmt *statement;

    cs_strbuf_printf(&sql, "SELECT %s", list->values);
    cs_store_checksum_put(store, list->table, list->values, NULL, true, &sql);
    cs_strbuf_printf(&sql, " FROM %s ORDER BY %s", list->table, list->order);
    statement = cs_store_prepare(store, sql.text, err);
    cs_strbuf_release(&sql);
    return statement;
}

/* Call list->read for each row, with a new element. */
static int store_list_read_rows(const struct cs_store *store, const struct list *list,
                                struct cs_arena *arena, void **out, int *count,
                                struct cs_error *err)
{
    struct cs_store_checksum checksum = {0, 0};
    sqlite3_stmt *statement;
    int64_t rows = 0;
    int step = SQLITE_ROW, status = 0;

    *count = 0;
    if (count_rows(store, list, &rows, err))
        return -1;
    statement = select_rows(store, list, err);
    if (!statement)
        return -1;
    *out = cs_arena_alloc(arena, (size_t)rows, list->size);
    while (!status && *count < rows && (step = sqlite3_step(statement)) == SQLITE_ROW) {
        status = cs_store_checksum_row(store, list->table, statement, list->count, &checksum, err);
        list->read(arena, statement, (char *)*out + (size_t)(*count)++ * list->size);
    }
    if (!status && step != SQLITE_ROW && step != SQLITE_DONE)
        status = cs_store_fail(store, err);
    sqlite3_finalize(statement);
    return status ? -1 : cs_store_checksum_all(store, list->table, &checksum, err);
}

/* As they are at one moment. */
static int store_list_read_list(const struct cs_store *store, const struct list *list,
                                struct cs_arena *arena, void **out, int *count,
                                struct cs_error *err)
{
    bool own = sqlite3_get_autocommit(store->db);
    int status;

    *out = NULL;
    if (own && cs_store_exec(store, "BEGIN", err))
        return -1;
    status = store_list_read_rows(store, list, arena, out, count, err);
    if (own)
        sqlite3_exec(store->db, "COMMIT", NULL, NULL, NULL);
    return status;
}

/* The number of the next row. */
static int next_id(const struct cs_store *store, const char *sql, int64_t *id, struct cs_error *err)
{
    sqlite3_stmt *statement = cs_store_prepare(store, sql, err);
    int status;

    if (!statement)
        return -1;
    status = sqlite3_step(statement) == SQLITE_ROW ? 0 : cs_store_fail(store, err);
    *id = sqlite3_column_int64(statement, 0);
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
    cs_digest_put_text(&digest, document->supplied);
    cs_digest_put_text(&digest, document->text);
    cs_digest_finish(&digest, hex);
}

/* *id: of the document with this hash; unchanged if there is none. */
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

/* The active run is for this document too. */
static int run_is_for(const struct cs_store *store, const char *sha256, struct cs_error *err)
{
    static const char all[] = "CASE documents WHEN '' THEN ?1 ELSE documents || ' ' || ?1 END";
    struct cs_strbuf sql = CS_STRBUF_INIT;
    sqlite3_stmt *statement;

    cs_strbuf_printf(
        &sql,
        "UPDATE run SET documents = %s, digest = row_digest('run', id, version, build, "
        "command, %s, host, threads, started, ended, shard, shards) WHERE id = ?2",
        all, all);
    statement = cs_store_prepare(store, sql.text, err);
    cs_strbuf_release(&sql);
    if (!statement)
        return -1;
    cs_store_bind(statement, 1, sha256);
    sqlite3_bind_int64(statement, 2, store->run);
    return cs_store_finish(store, statement, err);
}

static int insert_document(const struct cs_store *store, const struct cs_document *document,
                           const char *sha256, int64_t id, struct cs_error *err)
{
    char seed[24];
    sqlite3_stmt *statement = cs_store_prepare(store,
                                               "INSERT INTO document VALUES(?1, ?2, ?3, ?4, ?5, "
                                               "?6, ?7, ?8, ?9, row_digest('document', ?1, "
                                               "?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9))",
                                               err);

    if (!statement)
        return -1;
    cs_plain_print(seed, sizeof seed, "%" PRIu64, document->seed);
    sqlite3_bind_int64(statement, 1, id);
    cs_store_bind(statement, 2, document->kind);
    cs_store_bind(statement, 3, document->name);
    cs_store_bind(statement, 4, document->file);
    cs_store_bind(statement, 5, document->text);
    cs_store_bind(statement, 6, document->supplied);
    sqlite3_bind_int(statement, 7, document->quick);
    cs_store_bind(statement, 8, seed);
    cs_store_bind(statement, 9, sha256);
    return cs_store_finish(store, statement, err);
}

int cs_store_add_document(struct cs_store *store, const struct cs_document *document, int64_t *id,
                          struct cs_error *err)
{
    char sha256[CS_DIGEST_TEXT];

    *id = 0;
    hash_document(document, sha256);
    if (find_document(store, sha256, id, err))
        return -1;
    if (!*id && (next_id(store, "SELECT coalesce(max(id), 0) + 1 FROM document", id, err) ||
                 insert_document(store, document, sha256, *id, err)))
        return -1;
    return store->run ? run_is_for(store, sha256, err) : 0;
}

static void read_document(struct cs_arena *arena, sqlite3_stmt *row, void *element)
{
    struct cs_document *document = element;

    *document = (struct cs_document){.id = sqlite3_column_int64(row, 0),
                                     .kind = text_of(arena, row, 1),
                                     .name = text_of(arena, row, 2),
                                     .file = text_of(arena, row, 3),
                                     .text = text_of(arena, row, 4),
                                     .supplied = text_of(arena, row, 5),
                                     .quick = sqlite3_column_int(row, 6)};
    cs_number_uint64(text_of(arena, row, 7), &document->seed);
    cs_plain_print(document->sha256, sizeof document->sha256, "%s", text_of(arena, row, 8));
}

int cs_store_documents(struct cs_store *store, struct cs_arena *arena, struct cs_document **list,
                       int *count, struct cs_error *err)
{
    static const struct list documents = {
        "document",    "id, kind, name, file, text, given, quick, seed, sha256",
        "id",          9,
        sizeof **list, read_document};
    void *found;
    int status = store_list_read_list(store, &documents, arena, &found, count, err);

    *list = found;
    return status;
}

int cs_store_add_run(struct cs_store *store, const struct cs_store_run *run, int64_t *id,
                     struct cs_error *err)
{
    sqlite3_stmt *statement = cs_store_prepare(store,
                                               "INSERT INTO run VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, "
                                               "?8, ?9, ?10, ?11, row_digest('run', ?1, "
                                               "?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11))",
                                               err);

    if (!statement)
        return -1;
    if (next_id(store, "SELECT coalesce(max(id), 0) + 1 FROM run", id, err)) {
        sqlite3_finalize(statement);
        return -1;
    }
    sqlite3_bind_int64(statement, 1, *id);
    cs_store_bind(statement, 2, run->version);
    cs_store_bind(statement, 3, run->build ? run->build : "");
    cs_store_bind(statement, 4, run->command);
    cs_store_bind(statement, 5, run->documents ? run->documents : "");
    cs_store_bind(statement, 6, run->host);
    sqlite3_bind_int(statement, 7, run->threads);
    sqlite3_bind_double(statement, 8, run->started);
    sqlite3_bind_double(statement, 9, run->ended);
    sqlite3_bind_int(statement, 10, run->shard);
    sqlite3_bind_int(statement, 11, run->shards);
    return cs_store_finish(store, statement, err);
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
                               .build = cs_build(),
                               .command = command,
                               .host = host,
                               .threads = threads,
                               .shard = shard,
                               .shards = shards,
                               .started = cs_store_now(),
                               .ended = NAN};

    gethostname(host, sizeof host - 1);
    if (sqlite3_get_autocommit(store->db) && cs_store_choose_journal(store, err))
        return -1;
    return cs_store_add_run(store, &run, &store->run, err);
}

int cs_store_end_run(struct cs_store *store, struct cs_error *err)
{
    sqlite3_stmt *statement = cs_store_prepare(
        store,
        "UPDATE run SET ended = ?1, digest = row_digest('run', id, version, build, command, "
        "documents, host, threads, started, ?1, shard, shards) WHERE id = ?2",
        err);

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
    bool ended = sqlite3_column_type(row, 8) != SQLITE_NULL;

    *run = (struct cs_store_run){.id = sqlite3_column_int64(row, 0),
                                 .version = text_of(arena, row, 1),
                                 .build = text_of(arena, row, 2),
                                 .command = text_of(arena, row, 3),
                                 .documents = text_of(arena, row, 4),
                                 .host = text_of(arena, row, 5),
                                 .threads = sqlite3_column_int(row, 6),
                                 .started = sqlite3_column_double(row, 7),
                                 .ended = ended ? sqlite3_column_double(row, 8) : NAN,
                                 .shard = sqlite3_column_int(row, 9),
                                 .shards = sqlite3_column_int(row, 10)};
}

int cs_store_runs(struct cs_store *store, struct cs_arena *arena, struct cs_store_run **list,
                  int *count, struct cs_error *err)
{
    const struct list runs = {
        "run",
        store->format < 2
            ? "id, version, '', command, '', host, threads, started, ended, shard, shards"
            : "id, version, build, command, documents, host, threads, started, ended, shard, "
              "shards",
        "id",
        11,
        sizeof **list,
        read_run};
    void *found;
    int status = store_list_read_list(store, &runs, arena, &found, count, err);

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
    statement = cs_store_prepare(
        store, "INSERT INTO input VALUES(?1, ?2, row_digest('input', ?1, ?2))", err);
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
    static const struct list inputs = {"input", "path, sha256", "path",
                                       2,       sizeof **list,  read_input};
    void *found;
    int status = store_list_read_list(store, &inputs, arena, &found, count, err);

    *list = found;
    return status;
}
