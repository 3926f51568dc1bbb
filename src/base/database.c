/* database.c - connections to files of SQLite that another program may have written. */
#include "base/database.h"

#include "base/plain.h"

#include <string.h>

int cs_database_defend(sqlite3 *db)
{
    const int code = sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL)
                         ? SQLITE_ERROR
                         : sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);

    if (code || sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL))
        return SQLITE_ERROR;
    return sqlite3_exec(db, "PRAGMA cell_size_check = 1; PRAGMA mmap_size = 0", NULL, NULL, NULL);
}

static bool is_word_part(char c)
{
    return cs_plain_is_word(c) || c == '_';
}

/* Is the word one of those that columns of ours never have? */
static bool is_forbidden(const char *at, size_t length)
{
    static const char *const word[] = {"as",        "check",      "collate", "default", "foreign",
                                       "generated", "references", "select",  "using",   "virtual"};
    char small[16] = "";

    for (size_t i = 0; i < length && length < sizeof small; i++)
        small[i] = cs_plain_lower(at[i]);
    for (size_t w = 0; w < sizeof word / sizeof *word; w++)
        if (!strcmp(small, word[w]))
            return true;
    return false;
}

/* The length of a name in quotes, of a word or of a separator; 0: something else. */
static size_t token_length(const char *at)
{
    size_t length = 0;

    if (*at == '"') {
        length = 1 + strcspn(at + 1, "\"");
        return at[length] == '"' ? length + 1 : 0;
    }
    while (is_word_part(at[length]))
        length++;
    return length ? length : strchr(" ,()\n", *at) ? 1 : 0;
}

/* A table with names and types of columns, keys, without computed columns. */
static bool is_plain_table(const char *sql)
{
    static const char begin[] = "CREATE TABLE ";
    size_t length;

    if (strncmp(sql, begin, sizeof begin - 1) != 0)
        return false;
    for (sql += sizeof begin - 1; *sql; sql += length) {
        length = token_length(sql);
        if (!length || is_forbidden(sql, length))
            return false;
    }
    return true;
}

static bool is_own_index(const struct cs_database_object *object)
{
    return !strcmp(object->type, "index") && !*object->sql &&
           !strncmp(object->name, "sqlite_autoindex_", 17);
}

static const char *text_of(sqlite3_stmt *row, int column)
{
    const char *text = (const char *)sqlite3_column_text(row, column);

    return text ? text : "";
}

int cs_database_check(sqlite3 *db,
                      bool (*known)(const void *who, const struct cs_database_object *object),
                      const void *who, struct cs_strbuf *fault)
{
    sqlite3_stmt *row = NULL;
    int step = sqlite3_prepare_v2(db, "SELECT type, name, tbl_name, sql FROM sqlite_schema", -1,
                                  &row, NULL);

    while (!step && (step = sqlite3_step(row)) == SQLITE_ROW) {
        const struct cs_database_object object = {text_of(row, 0), text_of(row, 1), text_of(row, 2),
                                                  text_of(row, 3)};
        const bool table = !strcmp(object.type, "table");

        step = SQLITE_OK;
        if (is_own_index(&object) ||
            ((!table || is_plain_table(object.sql)) && known(who, &object)))
            continue;
        cs_strbuf_printf(fault, "the %s ", table ? "table" : *object.type ? object.type : "object");
        cs_strbuf_put_excerpt(fault, object.name);
        step = SQLITE_AUTH;
    }
    sqlite3_finalize(row);
    return step == SQLITE_DONE ? SQLITE_OK : step;
}
