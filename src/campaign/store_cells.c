/* store_cells.c - one table for each problem, made when it is first needed. */
#include "base/plain.h"
#include "campaign/store_file.h"

#include "base/lock.h"
#include "base/number.h"
#include "base/strbuf.h"
#include "campaign/parameters.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Columns before those of the metrics. */
enum { INSTANCE, RUN, SECONDS, FINISHED, METRIC };

/* The columns in the digest "head", so rows can be counted without their metrics. */
#define HEAD "parameters, seed, instance, run, seconds, finished"

struct cs_store_table {
    struct cs_store_table *next;
    const struct cs_problem *problem;
    const struct cs_problem *owner; /* of the table: `problem`, or its former problem */
    int metrics;
    sqlite3_stmt *get, *put; /* NULL: not prepared */
};

static void put_metrics(const struct cs_problem *problem, const char *after, struct cs_strbuf *sql)
{
    for (const struct cs_metric *m = cs_cell_metrics(problem); m->name; m++)
        cs_strbuf_printf(sql, ", \"%s\"%s", m->column, after);
}

/* ---- columns that stores of older builds do not have ---- */

static int has_column(const struct cs_store *store, const char *table, const char *name, bool *has,
                      struct cs_error *err)
{
    sqlite3_stmt *statement =
        cs_store_prepare(store, "SELECT 1 FROM pragma_table_info(?) WHERE name = ?", err);
    int step;

    if (!statement)
        return -1;
    cs_store_bind(statement, 1, table);
    cs_store_bind(statement, 2, name);
    step = sqlite3_step(statement);
    *has = step == SQLITE_ROW;
    sqlite3_finalize(statement);
    return step == SQLITE_ROW || step == SQLITE_DONE ? 0 : cs_store_fail(store, err);
}

static int add_column(const struct cs_store *store, const char *table, const char *name,
                      const char *type, struct cs_error *err)
{
    struct cs_strbuf sql = CS_STRBUF_INIT;
    bool has = true;
    int status = has_column(store, table, name, &has, err);

    cs_strbuf_printf(&sql, "ALTER TABLE \"%s\" ADD COLUMN \"%s\" %s", table, name, type);
    if (!status && !has)
        status = cs_store_exec(store, sql.text, err);
    cs_strbuf_release(&sql);
    return status;
}

static int add_columns(const struct cs_store *store, const struct cs_problem *problem,
                       struct cs_error *err)
{
    for (const struct cs_metric *m = cs_cell_metrics(problem); m->name; m++)
        if (m->value->later && add_column(store, problem->name, m->column, "REAL", err))
            return -1;
    return add_column(store, problem->name, "head", "INTEGER", err);
}

/* Append the value of a metric, NULL where there is no column for it. */
static int put_column(const struct cs_store *store, const struct cs_problem *problem,
                      const struct cs_metric *m, struct cs_strbuf *sql, struct cs_error *err)
{
    bool has = true;

    if (m->value->later && has_column(store, problem->name, m->column, &has, err))
        return -1;
    if (has)
        cs_strbuf_printf(sql, ", \"%s\".\"%s\"", problem->name, m->column);
    else
        cs_strbuf_puts(sql, ", NULL");
    return 0;
}

/* The content of the checksum of a row, in its original order: later additions follow the key. */
static int put_sealed(const struct cs_store *store, const struct cs_problem *problem,
                      struct cs_strbuf *sql, struct cs_error *err)
{
    cs_strbuf_puts(sql, "instance, run, seconds, finished");
    for (int later = 0; later < 2; later++) {
        for (const struct cs_metric *m = cs_cell_metrics(problem); m->name; m++)
            if (m->value->later == (later == 1) && put_column(store, problem, m, sql, err))
                return -1;
        if (!later)
            cs_strbuf_puts(sql, ", parameters, seed");
    }
    return 0;
}

/* The same of values that are bound. */
static void put_bound(const struct cs_problem *problem, struct cs_strbuf *sql)
{
    const int metrics = cs_cell_metric_count(problem);

    cs_strbuf_puts(sql, "?1, ?2, ?3, ?4");
    for (int later = 0; later < 2; later++) {
        for (int m = 0; m < metrics; m++)
            if (cs_cell_metrics(problem)[m].value->later == (later == 1))
                cs_strbuf_printf(sql, ", ?%d", METRIC + 1 + m);
        if (!later)
            cs_strbuf_printf(sql, ", ?%d, ?%d", METRIC + metrics + 1, METRIC + metrics + 2);
    }
}

static int make_table(const struct cs_store *store, const struct cs_problem *problem,
                      struct cs_error *err)
{
    struct cs_strbuf sql = CS_STRBUF_INIT;
    int status;

    cs_strbuf_printf(
        &sql,
        "CREATE TABLE IF NOT EXISTS \"%s\"(parameters TEXT NOT NULL, seed TEXT NOT "
        "NULL, instance TEXT, run INTEGER NOT NULL, seconds REAL, finished REAL, head INTEGER",
        problem->name);
    put_metrics(problem, " REAL", &sql);
    cs_strbuf_puts(&sql, ", digest INTEGER NOT NULL, PRIMARY KEY(parameters, seed)) WITHOUT ROWID");
    status = cs_store_exec(store, sql.text, err) || add_columns(store, problem, err) ||
                     cs_store_checksum_table(store, problem->name, err)
                 ? -1
                 : 0;
    cs_strbuf_release(&sql);
    return status;
}

static int has_table(const struct cs_store *store, const char *name, bool *has,
                     struct cs_error *err)
{
    sqlite3_stmt *statement = cs_store_prepare(
        store, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", err);
    int status = 0;

    if (!statement)
        return -1;
    cs_store_bind(statement, 1, name);
    switch (sqlite3_step(statement)) {
    case SQLITE_ROW:
        *has = true;
        break;
    case SQLITE_DONE:
        *has = false;
        break;
    default:
        status = cs_store_fail(store, err);
    }
    sqlite3_finalize(statement);
    return status;
}

/* Is the row as it was stored, and its digest?  Without metrics the digest of its head is enough,
 * where it has one. */
static int put_checksum(const struct cs_store *store, const struct cs_problem *problem, int metrics,
                        struct cs_strbuf *sql, struct cs_error *err)
{
    struct cs_strbuf sealed = CS_STRBUF_INIT;
    bool has = false;
    int status = put_sealed(store, problem, &sealed, err) ||
                         has_column(store, problem->name, "head", &has, err)
                     ? -1
                     : 0;

    cs_store_checksum_put(store, problem->name, sealed.text ? sealed.text : "", has ? HEAD : NULL,
                          metrics > 0, sql);
    cs_strbuf_release(&sealed);
    return status;
}

/* The columns of so many metrics come first. */
static int put_select(const struct cs_store *store, const struct cs_store_table *table, int metrics,
                      const char *after, struct cs_strbuf *sql, struct cs_error *err)
{
    const struct cs_metric *metric = cs_cell_metrics(table->problem);
    int status = 0;

    cs_strbuf_puts(sql, "SELECT instance, run, seconds, finished");
    for (int m = 0; !status && m < metrics; m++)
        status = put_column(store, table->owner, &metric[m], sql, err);
    cs_strbuf_puts(sql, ", parameters, seed");
    if (!status)
        status = put_checksum(store, table->owner, metrics, sql, err);
    cs_strbuf_printf(sql, " FROM \"%s\" %s", table->owner->name, after);
    return status;
}

static sqlite3_stmt *prepare_select(const struct cs_store *store,
                                    const struct cs_store_table *table, int metrics,
                                    const char *after, struct cs_error *err)
{
    struct cs_strbuf sql = CS_STRBUF_INIT;
    sqlite3_stmt *statement = NULL;

    if (!put_select(store, table, metrics, after, &sql, err))
        statement = cs_store_prepare(store, sql.text, err);
    cs_strbuf_release(&sql);
    return statement;
}

static sqlite3_stmt *prepare_put(const struct cs_store *store, const struct cs_problem *problem,
                                 struct cs_error *err)
{
    struct cs_strbuf sql = CS_STRBUF_INIT, values = CS_STRBUF_INIT, bound = CS_STRBUF_INIT;
    const int key = METRIC + cs_cell_metric_count(problem) + 1;
    sqlite3_stmt *statement;

    put_bound(problem, &bound);
    cs_strbuf_printf(&sql, "INSERT INTO \"%s\"(instance, run, seconds, finished", problem->name);
    put_metrics(problem, "", &sql);
    for (int v = 1; v <= key + 1; v++)
        cs_strbuf_printf(&values, "%s?%d", v > 1 ? ", " : "", v);
    cs_strbuf_printf(&sql,
                     ", parameters, seed, head, digest) VALUES(%s, row_digest('%s', ?%d, ?%d, ?1, "
                     "?2, ?3, ?4), cell_digest('%s', %s)) ON CONFLICT DO NOTHING",
                     values.text, problem->name, key, key + 1, problem->name, bound.text);
    statement = cs_store_prepare(store, sql.text, err);
    cs_strbuf_release(&sql);
    cs_strbuf_release(&values);
    cs_strbuf_release(&bound);
    return statement;
}

static struct cs_store_table *find_table(struct cs_store *store, const struct cs_problem *problem,
                                         const struct cs_problem *owner)
{
    struct cs_store_table *table = store->first;

    while (table && (table->problem != problem || table->owner != owner))
        table = table->next;
    if (table)
        return table;
    table = CS_NEW(store->arena, struct cs_store_table);
    *table = (struct cs_store_table){.next = store->first,
                                     .problem = problem,
                                     .owner = owner,
                                     .metrics = cs_cell_metric_count(problem)};
    store->first = table;
    return table;
}

void cs_store_release_cells(struct cs_store *store)
{
    for (struct cs_store_table *table = store->first; table; table = table->next) {
        sqlite3_finalize(table->get);
        sqlite3_finalize(table->put);
        table->get = table->put = NULL;
    }
}

static double store_cells_number_of(sqlite3_stmt *row, int column)
{
    return sqlite3_column_type(row, column) == SQLITE_NULL ? NAN
                                                           : sqlite3_column_double(row, column);
}

/* A metric as it is today; cosched 0.1 had some in other units. */
static double metric_of(const struct cs_store *store, const struct cs_problem *problem,
                        sqlite3_stmt *row, int m)
{
    const double unit = cs_cell_metrics(problem)[m].value->old_unit;

    return store_cells_number_of(row, METRIC + m) * (store->format < 2 && unit > 0 ? unit : 1);
}

static void read_record(const struct cs_store *store, const struct cs_problem *problem,
                        sqlite3_stmt *row, int metrics, struct cs_record *record)
{
    const char *instance = (const char *)sqlite3_column_text(row, INSTANCE);

    *record = (struct cs_record){.run = sqlite3_column_int64(row, RUN),
                                 .seconds = store_cells_number_of(row, SECONDS),
                                 .finished = store_cells_number_of(row, FINISHED)};
    if (instance && strlen(instance) == CS_DIGEST_TEXT - 1)
        memcpy(record->instance, instance, CS_DIGEST_TEXT - 1);
    for (int m = 0; m < metrics; m++)
        record->value[m] = metric_of(store, problem, row, m);
}

static void bind_key(sqlite3_stmt *statement, int column, const char *parameters, const char *seed)
{
    cs_store_bind(statement, column, parameters);
    cs_store_bind(statement, column + 1, seed);
}

/* The row must be the requested one: in a file with swapped pages SQLite finds others. */
static int check_row(const struct cs_store *store, const struct cs_store_table *table,
                     const char *parameters, const char *seed, struct cs_error *err)
{
    struct cs_store_checksum ignored = {0, 0};
    const char *found = (const char *)sqlite3_column_text(table->get, METRIC + table->metrics);
    const char *its = (const char *)sqlite3_column_text(table->get, METRIC + table->metrics + 1);

    if (!found || !its || strcmp(found, parameters) != 0 || strcmp(its, seed) != 0)
        return cs_error_set(err, "%s: the store is damaged (%s has rows in the wrong place)",
                            store->path, table->owner->name);
    return cs_store_checksum_row(store, table->owner->name, table->get, METRIC + table->metrics + 2,
                                 &ignored, err);
}

static int store_cells_get(struct cs_store *store, struct cs_store_table *table,
                           const char *parameters, const char *seed, bool *known,
                           struct cs_record *record, struct cs_error *err)
{
    int status = 0;

    *known = false;
    if (!table->get) {
        if (has_table(store, table->owner->name, known, err))
            return -1;
        if (!*known)
            return 0;
        table->get =
            prepare_select(store, table, table->metrics, "WHERE parameters = ? AND seed = ?", err);
        if (!table->get)
            return -1;
    }
    bind_key(table->get, 1, parameters, seed);
    switch (sqlite3_step(table->get)) {
    case SQLITE_ROW:
        *known = true;
        read_record(store, table->problem, table->get, table->metrics, record);
        status = check_row(store, table, parameters, seed, err);
        break;
    case SQLITE_DONE:
        *known = false;
        break;
    default:
        status = cs_store_fail(store, err);
    }
    sqlite3_reset(table->get);
    return status;
}

static int prepare_table(const struct cs_store *store, struct cs_store_table *table,
                         struct cs_error *err)
{
    if (table->put)
        return 0;
    if (make_table(store, table->problem, err))
        return -1;
    sqlite3_finalize(table->get);
    table->get = NULL;
    table->put = prepare_put(store, table->problem, err);
    return table->put ? 0 : -1;
}

static int store_cells_put(struct cs_store *store, struct cs_store_table *table,
                           const char *parameters, const char *seed, const struct cs_record *record,
                           struct cs_error *err)
{
    int status;

    if (prepare_table(store, table, err))
        return -1;
    cs_store_bind(table->put, 1 + INSTANCE, *record->instance ? record->instance : NULL);
    sqlite3_bind_int64(table->put, 1 + RUN, record->run ? record->run : store->run);
    sqlite3_bind_double(table->put, 1 + SECONDS, record->seconds);
    sqlite3_bind_double(table->put, 1 + FINISHED,
                        record->finished == 0 ? cs_store_now() : record->finished);
    for (int m = 0; m < table->metrics; m++)
        sqlite3_bind_double(table->put, 1 + METRIC + m, record->value[m]);
    bind_key(table->put, 1 + METRIC + table->metrics, parameters, seed);
    status = sqlite3_step(table->put) == SQLITE_DONE ? 0 : cs_store_fail(store, err);
    sqlite3_reset(table->put);
    return status;
}

static struct cs_lock lock = CS_LOCK_PROCESS; /* of all stores */

struct key {
    struct cs_strbuf parameters;
    char seed[24];
};

static struct key make_key(const struct cs_problem *problem, const struct cs_cell *cell)
{
    struct key key = {.parameters = CS_STRBUF_INIT};

    cs_parameters_put_stored(problem, cell->parameters, &key.parameters);
    cs_plain_print(key.seed, sizeof key.seed, "%" PRIu64, cell->seed);
    return key;
}

/* The problem in whose table stores of cosched 0.2 have the cells; or NULL. */
static const struct cs_problem *former_owner(const struct cs_problem *problem)
{
    return problem->former ? cs_problem_find(problem->former, NULL) : NULL;
}

int cs_store_get(struct cs_store *store, const struct cs_problem *problem,
                 const struct cs_cell *cell, bool *known, struct cs_record *record,
                 struct cs_error *err)
{
    const struct cs_problem *former = former_owner(problem);
    struct key key = make_key(problem, cell);
    int status;

    cs_lock_take(&lock);
    status = store_cells_get(store, find_table(store, problem, problem), key.parameters.text,
                             key.seed, known, record, err);
    if (!status && !*known && former)
        status = store_cells_get(store, find_table(store, problem, former), key.parameters.text,
                                 key.seed, known, record, err);
    cs_lock_give(&lock);
    cs_strbuf_release(&key.parameters);
    return status;
}

int cs_store_put(struct cs_store *store, const struct cs_problem *problem,
                 const struct cs_cell *cell, const struct cs_record *record, struct cs_error *err)
{
    struct key key = make_key(problem, cell);
    int status;

    cs_lock_take(&lock);
    status = store_cells_put(store, find_table(store, problem, problem), key.parameters.text,
                             key.seed, record, err);
    cs_lock_give(&lock);
    cs_strbuf_release(&key.parameters);
    return status;
}

/* The key of the row before. */
struct before {
    struct cs_strbuf parameters, seed;
    bool any;
};

static void copy_text(struct cs_strbuf *copy, const char *text)
{
    cs_strbuf_clear(copy);
    cs_strbuf_puts(copy, text);
}

static bool is_after(struct before *before, const char *parameters, const char *seed)
{
    int order = before->any ? strcmp(before->parameters.text, parameters) : -1;

    if (order)
        copy_text(&before->parameters, parameters);
    else
        order = strcmp(before->seed.text, seed);
    copy_text(&before->seed, seed);
    before->any = true;
    return order < 0;
}

/* The rows that are read come one after the other, each as it was stored. */
struct inspection {
    const struct cs_store *store;
    struct cs_store_table table; /* no statement is prepared */
    int metrics;
    struct before before;
    struct cs_store_checksum checksum;
    cs_store_see_f *see;
    void *who;
};

static int see_row(struct inspection *inspection, sqlite3_stmt *statement, struct cs_error *err)
{
    int key = METRIC + inspection->metrics;
    struct cs_store_row row = {.parameters = (const char *)sqlite3_column_text(statement, key)};
    const char *seed = (const char *)sqlite3_column_text(statement, key + 1);

    if (!row.parameters || !seed || cs_number_uint64(seed, &row.seed))
        return cs_error_set(err, "%s: the store is damaged (a cell without a key)",
                            inspection->store->path);
    if (!is_after(&inspection->before, row.parameters, seed))
        return cs_error_set(err, "%s: the store is damaged (%s has rows in the wrong place)",
                            inspection->store->path, inspection->table.owner->name);
    if (cs_store_checksum_row(inspection->store, inspection->table.owner->name, statement, key + 2,
                              &inspection->checksum, err))
        return -1;
    read_record(inspection->store, inspection->table.problem, statement, inspection->metrics,
                &row.record);
    return inspection->see(inspection->who, &row, err) ? -1 : 0;
}

static int see_rows(struct inspection *inspection, struct cs_error *err)
{
    int step = SQLITE_ROW, status = 0;
    sqlite3_stmt *statement = prepare_select(inspection->store, &inspection->table,
                                             inspection->metrics, "ORDER BY parameters, seed", err);

    if (!statement)
        return -1;
    while (!status && (step = sqlite3_step(statement)) == SQLITE_ROW)
        status = see_row(inspection, statement, err);
    if (!status && step != SQLITE_DONE)
        status = cs_store_fail(inspection->store, err);
    sqlite3_finalize(statement);
    return status;
}

/* As they are at one moment. */
static int table_each(struct cs_store *store, const struct cs_problem *problem,
                      const struct cs_problem *owner, bool values, cs_store_see_f *see, void *who,
                      struct cs_error *err)
{
    struct inspection inspection = {
        .store = store,
        .table = {.problem = problem, .owner = owner},
        .metrics = values ? cs_cell_metric_count(problem) : 0,
        .before = {.parameters = CS_STRBUF_INIT, .seed = CS_STRBUF_INIT},
        .see = see,
        .who = who};
    bool own = sqlite3_get_autocommit(store->db), has = false;
    int status = own ? cs_store_exec(store, "BEGIN", err) : 0;

    if (!status)
        status = has_table(store, owner->name, &has, err);
    if (!status && has)
        status = see_rows(&inspection, err);
    if (!status)
        status = cs_store_checksum_all(store, owner->name, &inspection.checksum, err);
    if (own && !sqlite3_get_autocommit(store->db))
        sqlite3_exec(store->db, "COMMIT", NULL, NULL, NULL);
    cs_strbuf_release(&inspection.before.parameters);
    cs_strbuf_release(&inspection.before.seed);
    return status;
}

int cs_store_each(struct cs_store *store, const struct cs_problem *problem, bool values,
                  cs_store_see_f *see, void *who, struct cs_error *err)
{
    return table_each(store, problem, problem, values, see, who, err);
}

int cs_store_each_former(struct cs_store *store, const struct cs_problem *problem, bool values,
                         cs_store_see_f *see, void *who, struct cs_error *err)
{
    const struct cs_problem *former = former_owner(problem);

    return former ? table_each(store, problem, former, values, see, who, err) : 0;
}
