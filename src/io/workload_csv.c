/* workload_csv.c - measured times, one a row: columns app, procs, seconds.
 *
 * Rows of one application need not be neighbours; applications keep the order of their first
 * rows.  Several rows of one application on the same number of processors are several runs:
 * the smallest time counts.  Further columns are not looked at.
 */
#include "base/bug.h"
#include "io/measure.h"
#include "io/names.h"
#include "io/workload.h"

#include <limits.h>
#include <stdlib.h>

struct table {
    struct cs_csv *csv;
    struct cs_error *err;
    int app, procs, seconds; /* columns */
    struct cs_names *names;
    struct cs_measure *measure;
    size_t count, room;
};

static int find_columns(struct table *table)
{
    table->app = cs_csv_require(table->csv, "app", table->err);
    table->procs = table->app < 0 ? -1 : cs_csv_require(table->csv, "procs", table->err);
    table->seconds = table->procs < 0 ? -1 : cs_csv_require(table->csv, "seconds", table->err);
    return table->seconds < 0 ? -1 : 0;
}

static void append(struct table *table, const struct cs_measure *measure)
{
    if (table->count == table->room) {
        table->room = table->room ? 2 * table->room : 256;
        table->measure = realloc(table->measure, table->room * sizeof *measure);
        if (!table->measure)
            cs_bug_no_memory(table->room * sizeof *measure);
    }
    table->measure[table->count++] = *measure;
}

static int read_row(struct table *table)
{
    struct cs_measure measure;
    const char *name, *fault;

    if (cs_csv_word(table->csv, table->app, &name, table->err))
        return -1;
    fault = cs_names_fault(name);
    if (fault)
        return cs_csv_error(table->csv, table->app, table->err,
                            "this cannot be the name of an application: %s", fault);
    if (cs_csv_int(table->csv, table->procs, 1, CS_IO_PROCS_MOST, &measure.procs, table->err) ||
        cs_csv_double(table->csv, table->seconds, CS_NUMBER_POSITIVE, &measure.seconds, table->err))
        return -1;
    measure.task = cs_names_add(table->names, name);
    append(table, &measure);
    return 0;
}

static int read_rows(struct table *table)
{
    int more;

    while ((more = cs_csv_next(table->csv, table->err)) > 0)
        if (read_row(table))
            return -1;
    return more;
}

static struct cs_workload *build(struct table *table, const struct cs_workload_options *options,
                                 struct cs_arena *arena)
{
    int count;
    const char *const *name = cs_names_list(table->names, &count);
    struct cs_profile *profile = CS_NEW_ARRAY(arena, struct cs_profile, count);

    cs_measure_profiles(table->measure, table->count, options, profile, arena);
    return cs_workload_create(count, name, profile);
}

struct cs_workload *cs_workload_csv_read(struct cs_csv *csv,
                                         const struct cs_workload_options *options,
                                         struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct table table = {.csv = csv, .err = err, .names = cs_names_create(arena)};
    struct cs_workload *workload = NULL;

    if (find_columns(&table) == 0 && read_rows(&table) == 0)
        workload = build(&table, options, arena);
    free(table.measure);
    cs_arena_destroy(arena);
    return workload;
}
