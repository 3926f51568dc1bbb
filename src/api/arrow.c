/* arrow.c - schedules, cases, job logs and campaigns as Arrow columns. */
#include "api/columns.h"
#include "api/joblog.h"
#include "base/guard.h"
#include "base/json.h"
#include "io/schedule_json.h"
#include "model/bars.h"
#include "model/procset.h"

#include <cosched/arrow.h>
#include <cosched/case.h>
#include <math.h>
#include <string.h>

/* Pass the columns to the stream, or destroy them after a failure. */
static int arrow_finish(struct cs_columns *columns, int status, struct ArrowArrayStream *out)
{
    if (status)
        cs_columns_destroy(columns);
    else
        cs_columns_hand_over(columns, out);
    return status;
}

/* ---- schedules ---- */

static int put_procs(struct cs_columns *columns, const struct cs_bar *bar, size_t bars,
                     struct cs_arena *arena, struct cs_error *err)
{
    const char **text = CS_NEW_ARRAY(arena, const char *, bars);
    struct cs_strbuf procs = CS_STRBUF_INIT;

    for (size_t b = 0; b < bars; b++) {
        cs_strbuf_clear(&procs);
        cs_procset_print(&procs, bar[b].procs, bar[b].intervals);
        text[b] = cs_arena_strdup(arena, procs.text);
    }
    cs_strbuf_release(&procs);
    return cs_columns_texts(columns, "procs", text, err);
}

static int put_kinds(struct cs_columns *columns, const struct cs_bar *bar, size_t bars,
                     struct cs_error *err)
{
    const char *word[CS_BAR_KIND_LAST];
    int32_t *kind;

    for (int k = 0; k < CS_BAR_KIND_LAST; k++)
        word[k] = cs_bar_kind_name((enum cs_bar_kind)(k + 1));
    kind = cs_columns_words(columns, "kind", word, CS_BAR_KIND_LAST, err);
    for (size_t b = 0; kind && b < bars; b++)
        kind[b] = bar[b].kind - 1;
    return kind ? 0 : -1;
}

static int put_tasks(struct cs_columns *columns, const struct cs_schedule *schedule,
                     struct cs_arena *arena, struct cs_error *err)
{
    int tasks = cs_schedule_tasks(schedule);
    const char **name = CS_NEW_ARRAY(arena, const char *, tasks);
    int32_t *task = cs_columns_int32(columns, "task"), *index;
    size_t bars;
    const struct cs_bar *bar = cs_schedule_bars(schedule, &bars);

    for (int t = 0; t < tasks; t++)
        name[t] = cs_schedule_task_name(schedule, t);
    index = cs_columns_words(columns, "name", name, tasks, err);
    for (size_t b = 0; index && b < bars; b++)
        task[b] = index[b] = bar[b].task;
    return index ? 0 : -1;
}

static int put_bars(struct cs_columns *columns, const struct cs_schedule *schedule,
                    struct cs_arena *arena, struct cs_error *err)
{
    size_t bars;
    const struct cs_bar *bar = cs_schedule_bars(schedule, &bars);
    int32_t *attempt, *group, *first, *count;
    double *start, *end;

    if (cs_schedule_need_numbers(schedule, err) || put_tasks(columns, schedule, arena, err))
        return -1;
    attempt = cs_columns_int32(columns, "attempt");
    group = cs_columns_int32(columns, "group");
    if (put_kinds(columns, bar, bars, err))
        return -1;
    start = cs_columns_double(columns, "start");
    end = cs_columns_double(columns, "end");
    for (size_t b = 0; b < bars; b++) {
        attempt[b] = bar[b].attempt;
        group[b] = bar[b].group;
        start[b] = bar[b].start;
        end[b] = bar[b].end;
    }
    if (put_procs(columns, bar, bars, arena, err))
        return -1;
    first = cs_columns_int32(columns, "first");
    count = cs_columns_int32(columns, "count");
    for (size_t b = 0; b < bars; b++) {
        first[b] = bar[b].intervals ? bar[b].procs[0].first : -1;
        count[b] = (int32_t)cs_bar_procs(&bar[b]);
    }
    return 0;
}

int cs_schedule_arrow(const struct cs_schedule *schedule, struct ArrowArrayStream *out,
                      struct cs_error *err)
{
    CS_ASK(schedule && out, err, -1);
    CS_GUARD(err, -1);
    struct cs_arena *arena = cs_arena_create();
    size_t bars;
    struct cs_columns *columns;
    int status;

    cs_schedule_bars(schedule, &bars);
    columns = cs_columns_create((int64_t)bars);
    status = put_bars(columns, schedule, arena, err);
    cs_arena_destroy(arena);
    return arrow_finish(columns, status, out);
}

int cs_schedule_text_arrow(const char *text, size_t size, struct ArrowArrayStream *out,
                           struct cs_error *err)
{
    CS_ASK(text && out, err, -1);
    CS_GUARD(err, -1);
    struct cs_schedule_file *file = cs_schedule_file_read_memory("schedule", text, size, err);
    int status = file ? cs_schedule_arrow(file->schedule, out, err) : -1;

    cs_schedule_file_destroy(file);
    return status;
}

/* ---- studies ---- */

/* List the distinct labels of the variants for a key in word[], and the index of each variant's
 * label in of[]. Return their number. */
static int arrow_distinct(const struct cs_case *c, int key, const char **word, int *of)
{
    int count = 0;

    for (int variant = 0; variant < cs_case_variants(c); variant++) {
        const char *mine = cs_case_label(c, variant, key);
        int known = 0;

        while (known < count && strcmp(word[known], mine) != 0)
            known++;
        word[known] = mine;
        count += known == count;
        of[variant] = known;
    }
    return count;
}

static int put_key(struct cs_columns *columns, const struct cs_case *c, int key,
                   struct cs_arena *arena, struct cs_error *err)
{
    const char **word = CS_NEW_ARRAY(arena, const char *, cs_case_variants(c));
    int *of = CS_NEW_ARRAY(arena, int, cs_case_variants(c)),
        count = arrow_distinct(c, key, word, of);
    int32_t *index = cs_columns_words(columns, cs_case_key(c, key), word, count, err);

    for (int variant = 0; index && variant < cs_case_variants(c); variant++)
        for (long run = 0; run < cs_case_runs(c); run++)
            *index++ = of[variant];
    return index ? 0 : -1;
}

static int arrow_put_value(struct cs_columns *columns, const struct cs_case *c, const char *name,
                           struct cs_error *err)
{
    double *value = cs_columns_double(columns, name);

    for (int variant = 0; variant < cs_case_variants(c); variant++)
        if (cs_case_column(c, variant, name, value + variant * cs_case_runs(c), cs_case_runs(c),
                           err))
            return -1;
    return 0;
}

static int put_runs(struct cs_columns *columns, const struct cs_case *c, struct cs_arena *arena,
                    struct cs_error *err)
{
    int64_t *scenario;

    for (int key = 0; key < cs_case_keys(c); key++)
        if (put_key(columns, c, key, arena, err))
            return -1;
    scenario = cs_columns_int64(columns, "scenario");
    for (int variant = 0; variant < cs_case_variants(c); variant++)
        for (long run = 0; run < cs_case_runs(c); run++)
            *scenario++ = run;
    for (int v = 0; v < cs_case_metrics(c); v++)
        if (arrow_put_value(columns, c, cs_case_metric(c, v), err))
            return -1;
    return 0;
}

int cs_case_arrow(const struct cs_case *c, struct ArrowArrayStream *out, struct cs_error *err)
{
    CS_ASK(c && out, err, -1);
    CS_GUARD(err, -1);
    struct cs_arena *arena;
    struct cs_columns *columns;
    int status;

    if (!cs_case_metrics(c))
        return cs_error_set_as(err, CS_ERROR_USAGE,
                               "the case has no values: it has not run yet, or it is a plan "
                               "against chance, which has a schedule only");
    arena = cs_arena_create();
    columns = cs_columns_create((int64_t)cs_case_variants(c) * cs_case_runs(c));
    status = put_runs(columns, c, arena, err);
    cs_arena_destroy(arena);
    return arrow_finish(columns, status, out);
}

/* ---- job logs ---- */

static int arrow_put_names(struct cs_columns *columns, const char *name,
                           const struct cs_log_table *table, const struct cs_log_names *names,
                           size_t member, struct cs_error *err)
{
    int32_t *index = cs_columns_words(columns, name, names->name, names->count, err);

    for (int64_t i = 0; index && i < table->count; i++)
        memcpy(&index[i], (const char *)&table->job[i] + member, sizeof(int));
    return index ? 0 : -1;
}

static void put_times(struct cs_columns *columns, const struct cs_log_table *table)
{
    double *submit = cs_columns_double(columns, "submit");
    double *seconds = cs_columns_double(columns, "seconds");
    double *requested = cs_columns_double(columns, "requested");
    double *start = cs_columns_double(columns, "start");
    int64_t *procs = cs_columns_int64(columns, "procs");

    for (int64_t i = 0; i < table->count; i++) {
        const struct cs_log_kept *job = &table->job[i];

        submit[i] = job->submit;
        seconds[i] = job->seconds;
        requested[i] = job->request > 0 ? job->request : NAN;
        start[i] = job->start;
        procs[i] = job->procs;
    }
}

static int put_ids(struct cs_columns *columns, const struct cs_log_table *table,
                   struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    const char **name = CS_NEW_ARRAY(arena, const char *, table->count);
    int64_t *id = cs_columns_int64(columns, "id");
    int status;

    for (int64_t i = 0; i < table->count; i++) {
        id[i] = table->job[i].id;
        name[i] = table->job[i].name;
    }
    status = cs_columns_texts(columns, "name", name, err);
    cs_arena_destroy(arena);
    return status;
}

static int take_jobs(void *who, const struct cs_log_table *table, struct cs_error *err)
{
    struct cs_columns *columns = cs_columns_create(table->count);
    int status = put_ids(columns, table, err);

    if (!status)
        put_times(columns, table);
    if (status ||
        arrow_put_names(columns, "user", table, &table->users, offsetof(struct cs_log_kept, user),
                        err) ||
        arrow_put_names(columns, "account", table, &table->accounts,
                        offsetof(struct cs_log_kept, account), err) ||
        arrow_put_names(columns, "partition", table, &table->partitions,
                        offsetof(struct cs_log_kept, partition), err) ||
        arrow_put_names(columns, "qos", table, &table->qualities, offsetof(struct cs_log_kept, qos),
                        err))
        status = -1;
    return arrow_finish(columns, status, who);
}

int cs_joblog_arrow(const char *const *paths, int count, const struct cs_convert_options *how,
                    const struct cs_watch *watch, struct ArrowArrayStream *out,
                    struct cs_error *err)
{
    CS_ASK(cs_are_paths(paths, count) && out, err, -1);
    CS_GUARD(err, -1);
    return cs_joblog_take(paths, count, how, watch, take_jobs, out, err);
}

/* ---- campaigns ---- */

enum type { INTEGERS, NUMBERS, TEXTS };

static enum type type_of(const json_t *rows, const char *name, bool metric)
{
    enum type type = metric ? NUMBERS : INTEGERS;
    const json_t *row;
    size_t r;

    json_array_foreach(rows, r, row)
    {
        const json_t *value = json_object_get(row, name);

        if (json_is_string(value))
            return TEXTS;
        if (!json_is_integer(value))
            type = NUMBERS;
    }
    return type;
}

static int put_cells(struct cs_columns *columns, const char *name, const json_t *rows,
                     struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    const char **text = CS_NEW_ARRAY(arena, const char *, json_array_size(rows));
    int status;

    for (size_t r = 0; r < json_array_size(rows); r++)
        text[r] = json_string_value(json_object_get(json_array_get(rows, r), name));
    status = cs_columns_texts(columns, name, text, err);
    cs_arena_destroy(arena);
    return status;
}

static int put_column(struct cs_columns *columns, const char *name, const json_t *rows, bool metric,
                      struct cs_error *err)
{
    enum type type = type_of(rows, name, metric);
    int64_t *integer = type == INTEGERS ? cs_columns_int64(columns, name) : NULL;
    double *real = type == NUMBERS ? cs_columns_double(columns, name) : NULL;

    if (type == TEXTS)
        return put_cells(columns, name, rows, err);
    for (size_t r = 0; r < json_array_size(rows); r++) {
        const json_t *value = json_object_get(json_array_get(rows, r), name);

        if (integer)
            integer[r] = json_integer_value(value);
        else
            real[r] = json_is_number(value) ? json_number_value(value) : NAN;
    }
    return 0;
}

/* Columns after "instance" are metrics. */
static int arrow_put_table(struct cs_columns *columns, json_t *rows, struct cs_error *err)
{
    bool metric = false;
    const char *name;
    json_t *value;

    json_object_foreach(json_array_get(rows, 0), name, value)
    {
        if (put_column(columns, name, rows, metric, err))
            return -1;
        metric = metric || !strcmp(name, "instance");
    }
    return 0;
}

int cs_campaign_arrow(const char *store, const struct cs_campaign_export_options *options,
                      const struct cs_watch *watch, struct ArrowArrayStream *out,
                      struct cs_error *err)
{
    CS_ASK(store && out, err, -1);
    CS_GUARD(err, -1);
    struct cs_campaign_export_options how = {.size = sizeof how};
    struct cs_columns *columns;
    size_t length;
    json_t *rows;
    CS_HOLD(held);
    char *text;

    if (options && cs_ask_size("the options of an export", options->size, sizeof *options, err))
        return -1;
    if (options)
        how = *options;
    how.json = true;
    text = cs_campaign_export(store, &how, watch, &length, err);
    if (!text)
        return -1;
    cs_hold(&held, text, free);
    rows = cs_json_load_memory(store, text, length, err);
    cs_release(&held);
    if (!rows)
        return -1;
    cs_json_hold(&held, rows);
    columns = cs_columns_create((int64_t)json_array_size(rows));
    return arrow_finish(columns, arrow_put_table(columns, rows, err), out);
}
