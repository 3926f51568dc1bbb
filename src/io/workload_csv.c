/* workload_csv.c - applications in a table.
 *
 * Measured times have columns app, procs, seconds.  Rows of one application need not be
 * neighbours; applications keep the order of their first rows.  Several rows of one application
 * on the same number of processors are several runs: the smallest time counts.
 *
 * Formulas have no column procs but app, seconds, seq_fraction and perhaps overhead, one row an
 * application.  With a column size instead of seconds, an application of size m is that of
 * Equation (10) of Benoit, Pottier, Robert: it takes 2 m log2 m seconds, communicates m log2 m,
 * saves its state in m and moves m, of which columns may say otherwise.  In all, checkpoint and
 * data may be said, once or always the same.  Further columns are not looked at.
 */
#include "base/bug.h"
#include "io/measure.h"
#include "io/names.h"
#include "io/workload.h"
#include "model/workload.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum { CHECKPOINT, DATA, STATES };

#define SIZE_MOST 1e15
#define SIZE_FRACTION 0.08 /* the default of the paper */

static const char *const state_names[STATES] = {"checkpoint", "data"};

/* What is read of one application, measured times apart. */
struct app {
    struct cs_profile profile;
    double state[STATES]; /* NaN: not said */
};

struct table {
    struct cs_csv *csv;
    struct cs_error *err;
    bool formulas;
    int app, procs, seconds, size, fraction, overhead; /* columns, -1 for none */
    int state[STATES];
    struct cs_names *names;
    struct app *apps;
    size_t apps_room;
    struct cs_measure *measure;
    size_t count, room;
};

/* Room for one more of something; the array may move. */
static void *grow(void *array, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return array;
    *room = *room ? 2 * *room : 256;
    array = realloc(array, *room * size);
    if (!array)
        cs_bug_no_memory(*room * size);
    return array;
}

static int find_columns(struct table *table)
{
    table->procs = cs_csv_find(table->csv, "procs");
    table->fraction = cs_csv_find(table->csv, "seq_fraction");
    table->overhead = cs_csv_find(table->csv, "overhead");
    for (int s = 0; s < STATES; s++)
        table->state[s] = cs_csv_find(table->csv, state_names[s]);
    table->size = cs_csv_find(table->csv, "size");
    table->seconds = cs_csv_find(table->csv, "seconds");
    table->formulas = table->procs < 0 && (table->fraction >= 0 || table->size >= 0);
    table->app = cs_csv_require(table->csv, "app", table->err);
    if (table->app < 0)
        return -1;
    if (!table->formulas && cs_csv_require(table->csv, "procs", table->err) < 0)
        return -1;
    if (table->formulas && table->size >= 0 && table->seconds >= 0)
        return cs_csv_error(table->csv, table->size, table->err,
                            "an application has a size or seconds, not both");
    if (table->formulas && table->size >= 0)
        return 0;
    return cs_csv_require(table->csv, "seconds", table->err) < 0 ? -1 : 0;
}

static int read_size(struct table *table, struct app *app)
{
    double size;

    if (cs_csv_double(table->csv, table->size, CS_NUMBER_POSITIVE, &size, table->err))
        return -1;
    if (!(size > 1 && size <= SIZE_MOST))
        return cs_csv_error(table->csv, table->size, table->err,
                            "found %.15g, expected a number above 1, at most %g", size, SIZE_MOST);
    app->profile.seq_time = 2 * size * log2(size);
    app->profile.seq_fraction = SIZE_FRACTION;
    app->profile.overhead = size * log2(size);
    for (int s = 0; s < STATES; s++)
        if (isnan(app->state[s]))
            app->state[s] = size;
    return 0;
}

static int read_time(struct table *table, struct app *app)
{
    if (table->size >= 0)
        return read_size(table, app);
    return cs_csv_double(table->csv, table->seconds, CS_NUMBER_POSITIVE, &app->profile.seq_time,
                         table->err);
}

static int read_formula(struct table *table, struct app *app)
{
    struct cs_profile *p = &app->profile;

    *p = (struct cs_profile){.kind = CS_PROFILE_COMMUNICATION};
    if (read_time(table, app) ||
        (table->fraction >= 0 && cs_csv_double(table->csv, table->fraction, CS_NUMBER_NOT_NEGATIVE,
                                               &p->seq_fraction, table->err)) ||
        (table->overhead >= 0 && cs_csv_double(table->csv, table->overhead, CS_NUMBER_NOT_NEGATIVE,
                                               &p->overhead, table->err)))
        return -1;
    if (p->seq_fraction > 1)
        return cs_csv_error(table->csv, table->fraction, table->err,
                            "found %.15g, expected a number from 0 to 1", p->seq_fraction);
    return 0;
}

static int read_measure(struct table *table, int task)
{
    struct cs_measure measure = {.task = task};

    if (cs_csv_int(table->csv, table->procs, 1, CS_IO_PROCS_MOST, &measure.procs, table->err) ||
        cs_csv_double(table->csv, table->seconds, CS_NUMBER_POSITIVE, &measure.seconds, table->err))
        return -1;
    table->measure = grow(table->measure, table->count, &table->room, sizeof measure);
    table->measure[table->count++] = measure;
    return 0;
}

static int read_state(struct table *table, int state, struct app *app)
{
    int column = table->state[state];
    double value;

    if (column < 0 || !*cs_csv_text(table->csv, column))
        return 0;
    if (cs_csv_double(table->csv, column, CS_NUMBER_NOT_NEGATIVE, &value, table->err))
        return -1;
    if (!isnan(app->state[state]) && app->state[state] != value)
        return cs_csv_error(table->csv, column, table->err,
                            "found %.15g, but an earlier row of this application says %.15g", value,
                            app->state[state]);
    app->state[state] = value;
    return 0;
}

/* The number of the application of the row, a new one or one that is known; -1 with err. */
static int read_app(struct table *table, const char *name)
{
    const char *fault = cs_names_fault(name);
    int known = cs_names_find(table->names, name), task;

    if (fault)
        return cs_csv_error(table->csv, table->app, table->err,
                            "this cannot be the name of an application: %s", fault);
    if (known >= 0 && table->formulas)
        return cs_csv_error(table->csv, table->app, table->err,
                            "\"%.60s\" has a row already, and a formula needs but one", name);
    task = cs_names_add(table->names, name);
    if (known < 0) {
        table->apps = grow(table->apps, (size_t)task, &table->apps_room, sizeof *table->apps);
        table->apps[task] = (struct app){.state = {NAN, NAN}};
    }
    return task;
}

static int read_row(struct table *table)
{
    const char *name;
    int task;

    if (cs_csv_word(table->csv, table->app, &name, table->err))
        return -1;
    task = read_app(table, name);
    if (task < 0)
        return -1;
    for (int s = 0; s < STATES; s++)
        if (read_state(table, s, &table->apps[task]))
            return -1;
    return table->formulas ? read_formula(table, &table->apps[task]) : read_measure(table, task);
}

static int read_rows(struct table *table)
{
    int more;

    while ((more = cs_csv_next(table->csv, table->err)) > 0)
        if (read_row(table))
            return -1;
    return more;
}

/* The numbers of one kind, or NULL when no application says one. */
static double *gather(const struct table *table, int state, int count, struct cs_arena *arena)
{
    double *value = CS_NEW_ARRAY(arena, double, count);
    bool any = false;

    for (int i = 0; i < count; i++) {
        value[i] = table->apps[i].state[state];
        any |= !isnan(value[i]);
    }
    return any ? value : NULL;
}

static struct cs_workload *build(struct table *table, const struct cs_workload_options *options,
                                 struct cs_arena *arena)
{
    int count;
    const char *const *name = cs_names_list(table->names, &count);
    struct cs_profile *profile = CS_NEW_ARRAY(arena, struct cs_profile, count);
    struct cs_workload *workload;

    for (int i = 0; i < count; i++)
        profile[i] = table->apps[i].profile;
    if (!table->formulas)
        cs_measure_profiles(table->measure, table->count, options, profile, arena);
    workload = cs_workload_create(count, name, profile);
    cs_workload_set_state(workload, gather(table, CHECKPOINT, count, arena),
                          gather(table, DATA, count, arena));
    return workload;
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
    free(table.apps);
    cs_arena_destroy(arena);
    return workload;
}
