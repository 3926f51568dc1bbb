/* workload_csv.c - applications in a table.
 *
 * Measured times have columns app, procs, seconds (workload_columns.h lists other names). Rows of
 * one application need not be adjacent; applications keep the order of their first rows. Several
 * rows of one application on the same number of processors are several runs (measure.h). Times are
 * seconds, or times with units (base/number.h).
 *
 * Formulas have no column procs but app, seconds, seq_fraction and perhaps overhead, one row an
 * application. With a column size instead of seconds, an application of size m is that of Equation
 * (10) of Benoit, Pottier, Robert: it takes 2 m log2 m seconds, communicates m log2 m, saves its
 * state in m and moves m, unless columns set other values.
 *
 * In all, checkpoint, data, verification, disk and limits (min_procs, max_procs, counts, walltime,
 * release) may be in one row of an application, or be equal in all. A warning names further columns
 * that look like requirements, or whose runs on one count differ by much.
 */
#include "base/digest.h"
#include "base/guard.h"
#include "base/number.h"
#include "base/plain.h"
#include "base/vector.h"
#include "io/measure.h"
#include "io/modes_csv.h"
#include "io/names.h"
#include "io/workload.h"
#include "io/workload_columns.h"
#include "io/workload_limit.h"
#include "model/workload.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { CHECKPOINT, DATA, SIZED, VERIFICATION = SIZED, DISK, STATES };

enum { OTHERS = 8 };

#define SIZE_MOST 1e15
#define SIZE_FRACTION 0.08 /* the default of the paper */

/* The data of one application, without measured times. */
struct app {
    struct cs_profile profile;
    double state[STATES]; /* NaN: missing */
    struct cs_task_limit limit;
    bool limited, released;
    char *counts; /* NULL: missing */
};

struct table {
    struct cs_csv *csv;
    struct cs_error *err;
    struct cs_workload_columns column;
    struct cs_arena *arena;
    struct cs_names *names;
    struct app *apps;
    size_t apps_room;
    struct cs_measure *measure;
    size_t count, room;
    int other[OTHERS], others; /* columns that are not read, the first of them */
    struct cs_modes_csv modes; /* requirements, if they are read */
    const uint32_t **digest;   /* by row of modes: of the other columns */
    size_t digests, digests_room;
};

/* A time: a number of seconds, or with a unit or colons. */
static int read_seconds(const struct table *table, int column, enum cs_number_want want,
                        double *out)
{
    const char *text = cs_csv_text(table->csv, column);
    char wanted[100];

    if ((cs_number_double(text, out) == CS_NUMBER_FINE || !cs_seconds_parse(text, out)) &&
        cs_number_meets(*out, want))
        return 0;
    cs_plain_print(wanted, sizeof wanted, "%s of seconds, or a time such as 1.5h or 00:12:11",
                   cs_number_wanted(want));
    return cs_csv_unexpected(table->csv, column, wanted, table->err);
}

static int read_size(struct table *table, struct app *app)
{
    double size;

    if (cs_csv_double(table->csv, table->column.size, CS_NUMBER_POSITIVE, &size, table->err))
        return -1;
    if (!(size > 1 && size <= SIZE_MOST))
        return cs_csv_error(table->csv, table->column.size, table->err,
                            "found %.15g, expected a number above 1, at most %g", size, SIZE_MOST);
    app->profile.seq_time = 2 * size * log2(size);
    app->profile.seq_fraction = SIZE_FRACTION;
    app->profile.overhead = size * log2(size);
    for (int s = 0; s < SIZED; s++)
        if (isnan(app->state[s]))
            app->state[s] = size;
    return 0;
}

static int read_time(struct table *table, struct app *app)
{
    if (table->column.size >= 0)
        return read_size(table, app);
    return read_seconds(table, table->column.seconds, CS_NUMBER_POSITIVE, &app->profile.seq_time);
}

static int read_formula(struct table *table, struct app *app)
{
    struct cs_profile *p = &app->profile;

    *p = (struct cs_profile){.kind = CS_PROFILE_COMMUNICATION};
    if (read_time(table, app) ||
        (table->column.fraction >= 0 &&
         cs_csv_double(table->csv, table->column.fraction, CS_NUMBER_NOT_NEGATIVE, &p->seq_fraction,
                       table->err)) ||
        (table->column.overhead >= 0 &&
         cs_csv_double(table->csv, table->column.overhead, CS_NUMBER_NOT_NEGATIVE, &p->overhead,
                       table->err)))
        return -1;
    if (p->seq_fraction > 1)
        return cs_csv_error(table->csv, table->column.fraction, table->err,
                            "found %.15g, expected a number from 0 to 1", p->seq_fraction);
    return 0;
}

static const uint32_t *read_others(struct table *table)
{
    uint32_t *digest;

    if (!table->others)
        return NULL;
    digest = CS_NEW_ARRAY(table->arena, uint32_t, table->others);
    for (int o = 0; o < table->others; o++) {
        const char *text = cs_csv_text(table->csv, table->other[o]);

        digest[o] = (uint32_t)cs_row_hash_text(0, text, strlen(text));
    }
    return digest;
}

/* The requirements of the row. */
static int read_mode(struct table *table, const struct cs_measure *measure)
{
    if (!table->modes.any)
        return 0;
    CS_BLOCK_ROOM(table->digest, table->digests, table->digests_room, 256);
    table->digest[table->digests++] = measure->other;
    return cs_modes_csv_row(&table->modes, measure->task, measure->procs, measure->seconds,
                            table->err);
}

static int read_measure(struct table *table, int task)
{
    struct cs_measure measure = {.task = task};

    if (cs_csv_int(table->csv, table->column.procs, 1, CS_IO_PROCS_MOST, &measure.procs,
                   table->err) ||
        read_seconds(table, table->column.seconds, CS_NUMBER_POSITIVE, &measure.seconds))
        return -1;
    measure.other = read_others(table);
    CS_BLOCK_ROOM(table->measure, table->count, table->room, 256);
    table->measure[table->count++] = measure;
    return read_mode(table, &measure);
}

static int said_otherwise(const struct table *table, int column, double value, double before)
{
    return cs_csv_error(table->csv, column, table->err,
                        "found %.15g, but an earlier row of this application has %.15g", value,
                        before);
}

static bool is_said(const struct table *table, int column)
{
    return column >= 0 && *cs_csv_text(table->csv, column);
}

static int read_state(struct table *table, int column, double *state)
{
    double value;

    if (!is_said(table, column))
        return 0;
    if (cs_csv_double(table->csv, column, CS_NUMBER_NOT_NEGATIVE, &value, table->err))
        return -1;
    if (!isnan(*state) && *state != value)
        return said_otherwise(table, column, value, *state);
    *state = value;
    return 0;
}

static int read_least(struct table *table, int column, struct app *app, int *limit)
{
    int value;

    if (!is_said(table, column))
        return 0;
    if (cs_csv_int(table->csv, column, 1, CS_IO_PROCS_MOST, &value, table->err))
        return -1;
    if (*limit && *limit != value)
        return said_otherwise(table, column, value, *limit);
    *limit = value;
    app->limited = true;
    return 0;
}

static int read_walltime(struct table *table, int column, struct app *app)
{
    double value;

    if (!is_said(table, column))
        return 0;
    if (read_seconds(table, column, CS_NUMBER_POSITIVE, &value))
        return -1;
    if (app->limit.walltime > 0 && app->limit.walltime != value)
        return said_otherwise(table, column, value, app->limit.walltime);
    app->limit.walltime = value;
    return app->limited = true, 0;
}

static int read_release(struct table *table, int column, struct app *app)
{
    double value;

    if (!is_said(table, column))
        return 0;
    if (read_seconds(table, column, CS_NUMBER_NOT_NEGATIVE, &value))
        return -1;
    if (app->released && app->limit.release != value)
        return said_otherwise(table, column, value, app->limit.release);
    app->limit.release = value;
    return app->limited = app->released = true, 0;
}

/* A list with commas, or with what stands for them where commas separate columns. */
static int read_counts(struct table *table, int column, struct app *app)
{
    struct cs_error why = {0};
    char *text;

    if (!is_said(table, column))
        return 0;
    text = cs_arena_strdup(table->arena, cs_csv_text(table->csv, column));
    for (char *at = text; *at; at++)
        if (strchr(" ;|/+", *at))
            *at = ',';
    if (app->counts)
        return strcmp(app->counts, text) == 0
                   ? 0
                   : cs_csv_error(table->csv, column, table->err,
                                  "found \"%.60s\", but an earlier row of this application has "
                                  "\"%.60s\"",
                                  text, app->counts);
    if (cs_workload_counts_parse(text, &app->limit, table->arena, &why))
        return cs_csv_error(table->csv, column, table->err, "%s", why.text);
    app->counts = text;
    return app->limited = true, 0;
}

static int read_limits(struct table *table, struct app *app)
{
    const struct cs_workload_columns *c = &table->column;

    if (read_least(table, c->min_procs, app, &app->limit.min_procs) ||
        read_least(table, c->max_procs, app, &app->limit.max_procs) ||
        read_counts(table, c->counts, app) || read_walltime(table, c->walltime, app) ||
        read_release(table, c->release, app))
        return -1;
    if (app->limit.max_procs > 0 && app->limit.min_procs > app->limit.max_procs)
        return cs_csv_error(table->csv, c->max_procs, table->err,
                            "found %d, which is below the min_procs of this application, %d",
                            app->limit.max_procs, app->limit.min_procs);
    return 0;
}

/* The number of the application of the row, a new one or one that is known; -1 with err. */
static int read_app(struct table *table, const char *name)
{
    const char *fault = cs_names_fault(name);
    int known = cs_names_find(table->names, name), task;

    if (fault)
        return cs_csv_error(table->csv, table->column.app, table->err,
                            "this cannot be the name of an application: %s", fault);
    if (known >= 0 && table->column.formulas)
        return cs_csv_error(table->csv, table->column.app, table->err,
                            "\"%.60s\" has a row already, and a formula needs but one", name);
    task = cs_names_add(table->names, name);
    if (known < 0) {
        CS_BLOCK_ROOM(table->apps, (size_t)task, table->apps_room, 256);
        table->apps[task] = (struct app){.state = {NAN, NAN, NAN, NAN}};
    }
    return task;
}

static int workload_csv_read_row(struct table *table)
{
    const char *name;
    struct app *app;
    int task;

    if (cs_csv_word(table->csv, table->column.app, &name, table->err))
        return -1;
    task = read_app(table, name);
    if (task < 0)
        return -1;
    app = &table->apps[task];
    if (read_state(table, table->column.checkpoint, &app->state[CHECKPOINT]) ||
        read_state(table, table->column.data, &app->state[DATA]) ||
        read_state(table, table->column.verification, &app->state[VERIFICATION]) ||
        read_state(table, table->column.disk, &app->state[DISK]) || read_limits(table, app))
        return -1;
    if (!table->column.formulas)
        return read_measure(table, task);
    return read_formula(table, app) || read_mode(table, &(struct cs_measure){.task = task}) ? -1
                                                                                            : 0;
}

static int workload_csv_read_rows(struct table *table)
{
    int more;

    while ((more = cs_csv_next(table->csv, table->err)) > 0)
        if (workload_csv_read_row(table))
            return -1;
    return more;
}

/* The numbers of one kind, or NULL if no application has one. */
static double *workload_csv_gather(const struct table *table, int state, int count,
                                   struct cs_arena *arena)
{
    double *value = CS_NEW_ARRAY(arena, double, count);
    bool any = false;

    for (int i = 0; i < count; i++) {
        value[i] = table->apps[i].state[state];
        any |= !isnan(value[i]);
    }
    return any ? value : NULL;
}

static void set_limits(const struct table *table, struct cs_workload *workload)
{
    struct cs_task_limit *limit = CS_NEW_ARRAY(table->arena, struct cs_task_limit, workload->count);
    bool any = false;

    for (int i = 0; i < workload->count; i++) {
        limit[i] = table->apps[i].limit;
        any |= table->apps[i].limited;
    }
    if (any)
        cs_workload_set_limits(workload, limit);
}

/* The columns, not read, in which the runs from `first` to `end` differ. */
static void put_others(const void *who, size_t first, size_t end, struct cs_strbuf *out)
{
    const struct table *table = who;
    const char *comma = " the column ";

    for (int o = 0; o < table->others; o++) {
        size_t same = first;

        while (same < end && table->measure[same].other[o] == table->measure[first].other[o])
            same++;
        if (same == end)
            continue;
        cs_strbuf_printf(out, "%s%.60s", comma, cs_csv_column_name(table->csv, table->other[o]));
        comma = ", ";
    }
    if (*comma == ',')
        cs_strbuf_puts(out, " differs");
}

/* The same of rows of modes. */
static void put_mode_others(const void *who, const int *row, int rows, struct cs_strbuf *out)
{
    const struct table *table = who;
    const char *comma = " the column ";

    for (int o = 0; o < table->others; o++) {
        int same = 0;

        while (same < rows && table->digest[row[same]][o] == table->digest[row[0]][o])
            same++;
        if (same == rows)
            continue;
        cs_strbuf_printf(out, "%s%.60s", comma, cs_csv_column_name(table->csv, table->other[o]));
        comma = ", ";
    }
    if (*comma == ',')
        cs_strbuf_puts(out, " differs");
}

static void set_caveats(struct table *table, const struct cs_modes *modes,
                        struct cs_workload *workload)
{
    struct cs_strbuf caveats = CS_STRBUF_INIT;

    cs_workload_columns_put_caveats(table->csv, &table->column, &caveats);
    if (modes && !table->column.formulas)
        cs_mode_rows_put_caveats(&table->modes.rows, modes, (const char *const *)workload->name,
                                 cs_csv_name(table->csv),
                                 &(struct cs_mode_columns){put_mode_others, table}, &caveats);
    else
        cs_measure_put_caveats(table->measure, table->count, (const char *const *)workload->name,
                               cs_csv_name(table->csv),
                               &(struct cs_measure_columns){put_others, table}, &caveats);
    if (caveats.length)
        cs_workload_set_remark(workload, caveats.text);
    cs_strbuf_release(&caveats);
}

/* Runs of several modes on one count are not runs of one. */
static void set_mode_profiles(const struct table *table, const struct cs_modes *modes,
                              struct cs_profile *profile)
{
    for (int i = 0; i < modes->tasks; i++) {
        struct cs_profile own = cs_modes_profile(modes, i, table->arena);

        own.fill = profile[i].fill;
        own.fewer = profile[i].fewer;
        if (own.count < modes->first[i + 1] - modes->first[i])
            profile[i] = own;
    }
}

static struct cs_workload *workload_csv_build(struct table *table,
                                              const struct cs_workload_options *options,
                                              struct cs_arena *arena)
{
    int count;
    const char *const *name = cs_names_list(table->names, &count);
    struct cs_profile *profile = CS_NEW_ARRAY(arena, struct cs_profile, count);
    struct cs_modes *modes = NULL;
    struct cs_workload *workload;

    if (table->modes.any) {
        modes = cs_modes_csv_finish(&table->modes, table->names, options->times, table->err);
        if (!modes)
            return NULL;
    }

    for (int i = 0; i < count; i++)
        profile[i] = table->apps[i].profile;
    if (!table->column.formulas)
        cs_measure_profiles(table->measure, table->count, options, profile, arena);
    if (modes && !table->column.formulas)
        set_mode_profiles(table, modes, profile);
    workload = cs_workload_create(count, name, profile, NULL);
    cs_workload_set_modes(workload, modes);
    cs_workload_set_state(workload, workload_csv_gather(table, CHECKPOINT, count, arena),
                          workload_csv_gather(table, DATA, count, arena));
    cs_workload_set_levels(workload, workload_csv_gather(table, VERIFICATION, count, arena),
                           workload_csv_gather(table, DISK, count, arena));
    set_limits(table, workload);
    set_caveats(table, modes, workload);
    return workload;
}

static int find_others(struct table *table, bool modes)
{
    if (modes && cs_modes_csv_find(table->csv, table->arena, &table->modes, table->err))
        return -1;
    table->column.requirement = modes ? table->modes.read : NULL;
    for (int c = 0; c < cs_csv_columns(table->csv) && table->others < OTHERS; c++)
        if (cs_workload_columns_ignore(&table->column, c))
            table->other[table->others++] = c;
    return 0;
}

struct cs_workload *cs_workload_csv_read(struct cs_csv *csv,
                                         const struct cs_workload_options *options,
                                         struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct table table = {.csv = csv, .err = err, .names = cs_names_create(arena), .arena = arena};
    struct cs_workload *workload = NULL;

    if (cs_workload_columns_find(csv, &table.column, err) == 0 &&
        !find_others(&table, options->modes) && workload_csv_read_rows(&table) == 0)
        workload = workload_csv_build(&table, options, arena);
    cs_block_free(table.digest);
    cs_block_free(table.measure);
    cs_block_free(table.apps);
    cs_arena_destroy(arena);
    return workload;
}
