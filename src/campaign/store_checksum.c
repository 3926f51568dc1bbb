/* store_checksum.c - digests of rows, and their sums over tables.
 *
 * Every row has the digest of its other columns (of cells also one of the columns before the
 * metrics), and every table has the number of its rows and the exclusive or of their digests, which
 * triggers update in the transaction of each change. The digest of a row detects corrupted bytes,
 * the sum missing or duplicate rows.
 */
#include "campaign/store_file.h"

#include "base/row_hash.h"
#include "base/strbuf.h"

#include <string.h>

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

int cs_store_checksum_connect(const struct cs_store *store, struct cs_error *err)
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

bool cs_store_checksum_is(const struct cs_database_object *object)
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
