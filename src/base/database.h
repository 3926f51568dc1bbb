/* database.h - files of SQLite that another program may have written.
 *
 * A store or a journal is a file that users pass on.  Its schema can name views without an end,
 * triggers and generated columns, which a query would run.  Both openers therefore restrict the
 * connection first, and compare the schema with what cosched creates before any other query.
 */
#ifndef CS_BASE_DATABASE_H
#define CS_BASE_DATABASE_H

#include "base/strbuf.h"

#include <sqlite3.h>
#include <stdbool.h>

/* No trusted schema, no views, no writes to the schema, checked cells: a code of SQLite. */
int cs_database_defend(sqlite3 *db);

/* Does cosched create an object like this one?  `sql` creates it. */
struct cs_database_object {
    const char *type, *name, *table, *sql;
};

/* SQLITE_OK when all of the schema is known: plain tables, their own indices, and other objects
 * only when `known` accepts them too.  SQLITE_AUTH, with the first fault, when it is not; else the
 * code of the failure. */
int cs_database_check(sqlite3 *db,
                      bool (*known)(const void *who, const struct cs_database_object *object),
                      const void *who, struct cs_strbuf *fault);

#endif
