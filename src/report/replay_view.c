/* replay_view.c - reading the JSON of a replay.  Keys that are not known are left alone. */
#include "report/replay_view.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define FORMAT "cosched-replay-1"

struct reader {
    struct cs_arena *arena;
    struct cs_error *err;
};

bool cs_replay_view_seems(const struct cs_json_at *document)
{
    struct cs_error none = {0};
    const char *format;

    return !cs_json_get_string(document, "format", &format, &none) && !strcmp(format, FORMAT);
}

/* ---- values ---- */

/* A copy; a text may not outlive the next one. */
static int take_text(struct reader *r, const struct cs_json_at *object, const char *key,
                     const char **out)
{
    const char *text;

    if (cs_json_get_string(object, key, &text, r->err))
        return -1;
    *out = cs_arena_strdup(r->arena, text);
    return 0;
}

static int take_count(struct reader *r, const struct cs_json_at *object, const char *key,
                      int64_t *out)
{
    struct cs_json_at at;

    return cs_json_member(object, key, &at, r->err) || cs_json_int64(&at, 0, INT64_MAX, out, r->err)
               ? -1
               : 0;
}

/* NaN when the key is missing or null. */
static int take_number(struct reader *r, const struct cs_json_at *object, const char *key,
                       double *out)
{
    *out = NAN;
    return cs_json_has(object, key) ? cs_json_get_double(object, key, CS_NUMBER_FINITE, out, r->err)
                                    : 0;
}

static int open_array(struct reader *r, const struct cs_json_at *object, const char *key,
                      struct cs_json_at *at, int *count)
{
    size_t size;

    if (cs_json_member(object, key, at, r->err) || cs_json_array(at, &size, r->err))
        return -1;
    if (size > INT_MAX / 4)
        return cs_json_error(at, r->err, "%zu values are too many", size);
    *count = (int)size;
    return 0;
}

static int take_texts(struct reader *r, const struct cs_json_at *object, const char *key,
                      int *count, const char *const **out)
{
    struct cs_json_at list, at;
    const char **text;

    if (open_array(r, object, key, &list, count))
        return -1;
    *out = text = CS_NEW_ARRAY(r->arena, const char *, *count);
    for (int i = 0; i < *count; i++) {
        at = cs_json_element(&list, (size_t)i);
        if (cs_json_string(&at, &text[i], r->err))
            return -1;
        text[i] = cs_arena_strdup(r->arena, text[i]);
    }
    return 0;
}

/* `count` numbers, or any number of them if negative; null is NaN. */
static int take_numbers(struct reader *r, const struct cs_json_at *object, const char *key,
                        int *count, const double **out)
{
    struct cs_json_at list, at;
    double *number;
    int found = 0;

    if (open_array(r, object, key, &list, &found))
        return -1;
    if (*count >= 0 && found != *count)
        return cs_json_error(&list, r->err, "found %d numbers, the others are %d", found, *count);
    *count = found;
    *out = number = CS_NEW_ARRAY(r->arena, double, found);
    for (int i = 0; i < found; i++) {
        at = cs_json_element(&list, (size_t)i);
        number[i] = NAN;
        if (cs_json_type(&at) != JSON_NULL &&
            cs_json_double(&at, CS_NUMBER_FINITE, &number[i], r->err))
            return -1;
    }
    return 0;
}

/* ---- what was read ---- */

static int take_rules(struct reader *r, const struct cs_json_at *input, struct cs_replay_view *view)
{
    struct cs_json_at rules;

    if (cs_json_member(input, "rules", &rules, r->err) || cs_json_keys(&rules, NULL, r->err))
        return -1;
    for (int rule = 0; rule < CS_LOG_RULES; rule++) {
        const char *key = cs_log_rule_key((enum cs_log_rule)rule);

        if (cs_json_has(&rules, key) && take_count(r, &rules, key, &view->rule[rule]))
            return -1;
    }
    return 0;
}

static int take_input(struct reader *r, const struct cs_json_at *root, struct cs_replay_view *view)
{
    const char *const *file;
    struct cs_json_at input, machine;

    if (cs_json_member(root, "input", &input, r->err) ||
        take_texts(r, &input, "files", &view->files, &file) ||
        take_text(r, &input, "kind", &view->kind) || take_count(r, &input, "lines", &view->lines) ||
        take_count(r, &input, "jobs", &view->jobs) || take_rules(r, &input, view) ||
        take_texts(r, &input, "malformed_lines", &view->notes, &view->note) ||
        take_texts(r, &input, "warnings", &view->warnings, &view->warning) ||
        cs_json_member(root, "machine", &machine, r->err) ||
        take_count(r, &machine, "procs", &view->procs))
        return -1;
    view->unit = "processor";
    if (cs_json_has(&machine, "unit") && take_text(r, &machine, "unit", &view->unit))
        return -1;
    if (view->procs < 1)
        return cs_json_error(&machine, r->err, "the machine has no processors");
    if (cs_json_has(&input, "drawn") && take_text(r, &input, "drawn", &view->drawn))
        return -1;
    if (view->files < 1 && !view->drawn)
        return cs_json_error(&input, r->err, "there is no file");
    return 0;
}

static int take_outages(struct reader *r, const struct cs_json_at *time,
                        struct cs_replay_view *view)
{
    struct cs_json_at list;
    double *outage;

    if (open_array(r, time, "outages", &list, &view->outages))
        return -1;
    view->outage = outage = CS_NEW_ARRAY(r->arena, double, 2 * (size_t)view->outages);
    for (int i = 0; i < view->outages; i++) {
        const struct cs_json_at at = cs_json_element(&list, (size_t)i);

        if (cs_json_get_double(&at, "start", CS_NUMBER_FINITE, &outage[2 * i], r->err) ||
            cs_json_get_double(&at, "end", CS_NUMBER_FINITE, &outage[2 * i + 1], r->err))
            return -1;
    }
    return 0;
}

static int take_zone(struct reader *r, const struct cs_json_at *time, struct cs_replay_view *view)
{
    struct cs_json_at at;
    struct cs_error why = {0};
    const char *name;

    if (!cs_json_has(time, "zone"))
        return 0;
    if (cs_json_member(time, "zone", &at, r->err) || cs_json_string(&at, &name, r->err))
        return -1;
    view->zone = cs_zone_open(name, &why);
    return view->zone ? 0 : cs_json_error(&at, r->err, "%s", why.text);
}

/* Older files lack it; they are valid replays, but cannot be drawn. */
static int take_time(struct reader *r, const struct cs_json_at *root, struct cs_replay_view *view)
{
    struct cs_json_at time;

    if (!cs_json_has(root, "time"))
        return cs_json_error(root, r->err,
                             "\"time\" is missing: the replay was made by an older version, which "
                             "did not keep what is drawn");
    return cs_json_member(root, "time", &time, r->err) ||
                   cs_json_get_double(&time, "epoch", CS_NUMBER_FINITE, &view->epoch, r->err) ||
                   cs_json_get_bool(&time, "dated", &view->dated, r->err) ||
                   take_number(r, &time, "last_arrival", &view->last) ||
                   take_zone(r, &time, view) || take_outages(r, &time, view)
               ? -1
               : 0;
}

/* ---- rows ---- */

static int take_measures(struct reader *r, const struct cs_json_at *at, struct cs_replay_row *row)
{
    int count = 0;
    double *measure;

    while (cs_queue_is_replay_value(&cs_problem_queue.value[count]))
        count++;
    row->measure = measure = CS_NEW_ARRAY(r->arena, double, count);
    for (int m = 0; m < count; m++)
        if (take_number(r, at, cs_problem_queue.value[m].name, &measure[m]))
            return -1;
    return 0;
}

static int take_curves(struct reader *r, const struct cs_json_at *row,
                       struct cs_replay_curves *curves)
{
    struct cs_json_at at, seconds;

    curves->count = -1;
    if (cs_json_member(row, "series", &at, r->err) ||
        cs_json_get_double(&at, "origin", CS_NUMBER_FINITE, &curves->origin, r->err) ||
        cs_json_member(&at, "seconds", &seconds, r->err) ||
        cs_json_double(&seconds, CS_NUMBER_NOT_NEGATIVE, &curves->length, r->err) ||
        take_numbers(r, &at, "busy_processor_seconds", &curves->count, &curves->busy) ||
        take_numbers(r, &at, "waiting_job_seconds", &curves->count, &curves->queue) ||
        take_numbers(r, &at, "waiting_work_seconds", &curves->count, &curves->work) ||
        take_numbers(r, &at, "measured_jobs", &curves->count, &curves->jobs) ||
        take_numbers(r, &at, "total_wait", &curves->count, &curves->wait))
        return -1;
    if (curves->count > 0 && curves->length < 1)
        return cs_json_error(&seconds, r->err, "found %.15g, expected at least 1", curves->length);
    return 0;
}

static int take_shares(struct reader *r, const struct cs_json_at *row, const char *key,
                       struct cs_replay_shares *shares)
{
    struct cs_json_at at;

    shares->count = -1;
    if (cs_json_member(row, key, &at, r->err) ||
        take_numbers(r, &at, "at", &shares->count, &shares->at) ||
        take_numbers(r, &at, "share", &shares->count, &shares->share))
        return -1;
    for (int i = 0; i < shares->count; i++)
        if (!(shares->at[i] > (i ? shares->at[i - 1] : 0)))
            return cs_json_error(&at, r->err, "\"at\" has to be positive and to grow");
    return shares->count > 1 ? 0 : cs_json_error(&at, r->err, "two points are wanted at least");
}

static int take_cell(struct reader *r, const struct cs_json_at *at, struct cs_replay_cell *cell)
{
    struct cs_json_at key;

    return cs_json_member(at, "key", &key, r->err) ||
                   cs_json_int64(&key, INT64_MIN, INT64_MAX, &cell->key, r->err) ||
                   take_text(r, at, "class", &cell->name) ||
                   take_count(r, at, "jobs", &cell->jobs) ||
                   take_number(r, at, "processor_hours", &cell->hours) ||
                   take_number(r, at, "mean_wait", &cell->mean_wait)
               ? -1
               : 0;
}

static int take_cells(struct reader *r, const struct cs_json_at *tables, enum cs_queue_by by,
                      struct cs_replay_cells *cells)
{
    struct cs_json_at list;
    struct cs_replay_cell *cell;

    if (!cs_json_has(tables, cs_queue_by_word(by)))
        return 0;
    if (open_array(r, tables, cs_queue_by_word(by), &list, &cells->count))
        return -1;
    cells->cell = cell = CS_NEW_ARRAY(r->arena, struct cs_replay_cell, cells->count);
    for (int i = 0; i < cells->count; i++) {
        const struct cs_json_at at = cs_json_element(&list, (size_t)i);

        if (take_cell(r, &at, &cell[i]))
            return -1;
        if (i && cell[i].key <= cell[i - 1].key)
            return cs_json_error(&at, r->err, "keys have to grow");
    }
    return 0;
}

static int take_tables(struct reader *r, const struct cs_json_at *at, struct cs_replay_row *row)
{
    struct cs_json_at tables;

    if (!cs_json_has(at, "tables"))
        return 0;
    return cs_json_member(at, "tables", &tables, r->err) ||
                   take_cells(r, &tables, CS_QUEUE_BY_CLASS, &row->classes) ||
                   take_cells(r, &tables, CS_QUEUE_BY_USER, &row->users) ||
                   take_cells(r, &tables, CS_QUEUE_BY_ACCOUNT, &row->accounts)
               ? -1
               : 0;
}

static int take_row(struct reader *r, const struct cs_json_at *at, struct cs_replay_row *row)
{
    return take_text(r, at, "name", &row->name) || take_measures(r, at, row) ||
                   cs_energy_get(at, &row->energy, r->arena, r->err) ||
                   take_curves(r, at, &row->curves) || take_shares(r, at, "waits", &row->waits) ||
                   take_shares(r, at, "slowdowns", &row->slowdowns) || take_tables(r, at, row)
               ? -1
               : 0;
}

static int take_rows(struct reader *r, const struct cs_json_at *root, struct cs_replay_view *view)
{
    struct cs_json_at list;
    struct cs_replay_row *row;

    if (open_array(r, root, "rows", &list, &view->rows))
        return -1;
    if (view->rows == 0)
        return cs_json_error(&list, r->err, "there is no row");
    view->row = row = CS_NEW_ARRAY(r->arena, struct cs_replay_row, view->rows);
    for (int i = 0; i < view->rows; i++) {
        const struct cs_json_at at = cs_json_element(&list, (size_t)i);

        if (take_row(r, &at, &row[i]))
            return -1;
    }
    return 0;
}

int cs_replay_view_read(const struct cs_json_at *document, struct cs_arena *arena,
                        struct cs_replay_view *view, struct cs_error *err)
{
    struct reader r = {arena, err};

    *view = (struct cs_replay_view){.last = NAN};
    return take_text(&r, document, "command", &view->command) || take_time(&r, document, view) ||
                   take_input(&r, document, view) || take_rows(&r, document, view)
               ? -1
               : 0;
}

void cs_replay_view_release(struct cs_replay_view *view)
{
    cs_zone_destroy(view->zone);
}
