/* jobs_csv.c - tables of jobs as Batsim writes them. */
#include "io/jobs_csv.h"

#include "base/csv.h"
#include "base/file.h"
#include "model/procset.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* Whole numbers, which most times are, the short way. */
static void put_whole(struct cs_strbuf *out, int64_t value)
{
    char digits[24], *at = digits + sizeof digits;
    uint64_t left = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

    do
        *--at = (char)('0' + left % 10);
    while (left /= 10);
    if (value < 0)
        *--at = '-';
    cs_strbuf_append(out, at, (size_t)(digits + sizeof digits - at));
}

static void jobs_csv_put_number(struct cs_strbuf *out, double value)
{
    if (fabs(value) < 0x1p53 && value == trunc(value))
        put_whole(out, (int64_t)value);
    else
        cs_strbuf_put_double(out, value);
    cs_strbuf_putc(out, ',');
}

static void put_set(struct cs_strbuf *out, const struct cs_job_row *row)
{
    for (int i = 0; i < row->intervals; i++) {
        if (i)
            cs_strbuf_putc(out, ' ');
        put_whole(out, row->set[i].first);
        if (row->set[i].last != row->set[i].first) {
            cs_strbuf_putc(out, '-');
            put_whole(out, row->set[i].last);
        }
    }
}

static void jobs_csv_put_name(struct cs_strbuf *out, const struct cs_job_row *row)
{
    put_whole(out, row->id);
    if (row->attempt) {
        cs_strbuf_putc(out, '#');
        put_whole(out, row->attempt);
    }
    cs_strbuf_putc(out, ',');
}

void cs_jobs_csv_put(struct cs_strbuf *out, const char *workload, const struct cs_job_row *row)
{
    double seconds = row->finish - row->start, turnaround = row->finish - row->submit;

    jobs_csv_put_name(out, row);
    cs_csv_quote(out, workload);
    cs_strbuf_putc(out, ',');
    jobs_csv_put_number(out, seconds);
    jobs_csv_put_number(out, row->submit);
    jobs_csv_put_number(out, row->procs);
    jobs_csv_put_number(out, row->requested);
    cs_strbuf_puts(out, row->success ? "1,COMPLETED_SUCCESSFULLY," : "0,COMPLETED_FAILED,");
    jobs_csv_put_number(out, row->start);
    jobs_csv_put_number(out, seconds);
    jobs_csv_put_number(out, row->finish);
    jobs_csv_put_number(out, row->start - row->submit);
    jobs_csv_put_number(out, turnaround);
    jobs_csv_put_number(out, seconds > 0 ? turnaround / seconds : 1);
    put_set(out, row);
    cs_strbuf_putc(out, '\n');
}

struct columns {
    int id, submit, procs, requested, success, start, finish, set, promise, attempts;
};

/* A column under the first of its names that is there; -1 for none. */
static int find_any(const struct cs_csv *csv, const char *const *name)
{
    int column = -1;

    for (; *name && column < 0; name++)
        column = cs_csv_find(csv, *name);
    return column;
}

#define ANY(...) ((const char *const[]){__VA_ARGS__, NULL})

static int require_any(const struct cs_csv *csv, const char *const *name, int *out,
                       struct cs_error *err)
{
    *out = find_any(csv, name);
    if (*out < 0)
        *out = cs_csv_require(csv, *name, err);
    return *out < 0 ? -1 : 0;
}

/* Batsim's names, its older ones, those of cosched replay. */
static int find_columns(const struct cs_csv *csv, struct columns *c, struct cs_error *err)
{
    if (require_any(csv, ANY("job_id", "jobID"), &c->id, err) ||
        require_any(csv, ANY("submission_time", "submit"), &c->submit, err) ||
        require_any(csv,
                    ANY("requested_number_of_resources", "requested_number_of_processors", "procs"),
                    &c->procs, err) ||
        require_any(csv, ANY("starting_time", "start"), &c->start, err) ||
        require_any(csv, ANY("finish_time", "end"), &c->finish, err))
        return -1;
    c->requested = find_any(csv, ANY("requested_time", "estimate"));
    c->success = cs_csv_find(csv, "success");
    c->set = find_any(csv, ANY("allocated_resources", "allocated_processors", "allocated"));
    c->promise = cs_csv_find(csv, "promise");
    c->attempts = cs_csv_find(csv, "attempts");
    return 0;
}

static int read_id(const struct cs_csv *csv, int column, struct cs_job_row *row,
                   struct cs_error *err)
{
    const char *text = cs_csv_text(csv, column), *bang = strrchr(text, '!'), *hash;
    const char *name = bang ? bang + 1 : text;
    char id[32] = "";
    int attempt = 0;

    hash = strchr(name, '#');
    if (strlen(name) < sizeof id)
        memcpy(id, name, hash ? (size_t)(hash - name) : strlen(name));
    if (cs_number_int64(id, &row->id) != CS_NUMBER_FINE ||
        (hash && (cs_number_int(hash + 1, &attempt) != CS_NUMBER_FINE || attempt < 0)))
        return cs_csv_error(csv, column, err,
                            "found \"%.60s\", expected the number of a job, such as 17, or 17#1 "
                            "for its next attempt",
                            text);
    row->attempt = attempt;
    return 0;
}

static int read_set(const struct cs_csv *csv, int column, struct cs_job_table *table,
                    struct cs_job_row *row, struct cs_arena *arena, struct cs_error *err)
{
    struct cs_error why = {0};

    if (column < 0 || !*cs_csv_text(csv, column)) {
        table->sets = false;
        return 0;
    }
    row->intervals = cs_procset_parse(cs_csv_text(csv, column), arena, &row->set, &why);
    return row->intervals < 0 ? cs_csv_error(csv, column, err, "%s", why.text) : 0;
}

/* The table of a replay has the last attempt of a job, a promise is about the first. */
static int read_promise(const struct cs_csv *csv, const struct columns *c, struct cs_job_row *row,
                        struct cs_error *err)
{
    int attempts = 1;

    if (c->attempts >= 0 && cs_csv_int(csv, c->attempts, 1, INT_MAX, &attempts, err))
        return -1;
    if (c->promise < 0 || !*cs_csv_text(csv, c->promise) || attempts > 1)
        return 0;
    row->promised = true;
    return cs_csv_double(csv, c->promise, CS_NUMBER_FINITE, &row->promise, err);
}

static int jobs_csv_read_row(const struct cs_csv *csv, const struct columns *c,
                             struct cs_job_table *table, struct cs_job_row *row,
                             struct cs_arena *arena, struct cs_error *err)
{
    int success = 1;

    *row = (struct cs_job_row){.requested = -1, .shelf = -1};
    if (read_id(csv, c->id, row, err) ||
        cs_csv_double(csv, c->submit, CS_NUMBER_FINITE, &row->submit, err) ||
        cs_csv_int(csv, c->procs, 1, INT_MAX, &row->procs, err) ||
        cs_csv_double(csv, c->start, CS_NUMBER_FINITE, &row->start, err) ||
        cs_csv_double(csv, c->finish, CS_NUMBER_FINITE, &row->finish, err))
        return -1;
    if (c->requested >= 0 && *cs_csv_text(csv, c->requested) &&
        cs_csv_double(csv, c->requested, CS_NUMBER_FINITE, &row->requested, err))
        return -1;
    if (c->success >= 0 && cs_csv_int(csv, c->success, 0, 1, &success, err))
        return -1;
    row->success = success;
    if (read_promise(csv, c, row, err))
        return -1;
    return read_set(csv, c->set, table, row, arena, err);
}

/* Room for one more; it doubles. */
static struct cs_job_row *next_row(struct cs_job_table *table, struct cs_arena *arena)
{
    if ((table->count & (table->count - 1)) == 0) {
        struct cs_job_row *old = table->row;

        table->row = CS_NEW_ARRAY(arena, struct cs_job_row, 2 * (size_t)table->count + 1);
        if (table->count)
            memcpy(table->row, old, (size_t)table->count * sizeof *old);
    }
    return &table->row[table->count];
}

static int jobs_csv_read_rows(struct cs_csv *csv, struct cs_job_table *table,
                              struct cs_arena *arena, struct cs_error *err)
{
    struct columns columns;
    int status;

    if (find_columns(csv, &columns, err))
        return -1;
    while ((status = cs_csv_next(csv, err)) > 0) {
        if (!*cs_csv_text(csv, columns.start)) {
            table->rejected++;
            continue;
        }
        if (table->count == INT_MAX / 4)
            return cs_csv_error(csv, -1, err, "there are too many rows");
        if (jobs_csv_read_row(csv, &columns, table, next_row(table, arena), arena, err))
            return -1;
        table->count++;
    }
    return status;
}

/* Closes the file. */
static struct cs_job_table *read_table(struct cs_csv *csv, struct cs_arena *arena,
                                       struct cs_error *err)
{
    struct cs_job_table *table = CS_NEW(arena, struct cs_job_table);
    int status;

    if (!csv)
        return NULL;
    table->sets = true;
    status = jobs_csv_read_rows(csv, table, arena, err);
    cs_csv_close(csv);
    return status ? NULL : table;
}

struct cs_job_table *cs_jobs_csv_read(const char *path, struct cs_arena *arena,
                                      struct cs_error *err)
{
    return read_table(cs_csv_open(path, err), arena, err);
}

struct cs_job_table *cs_jobs_csv_read_memory(const char *name, const void *bytes, size_t size,
                                             struct cs_arena *arena, struct cs_error *err)
{
    return read_table(cs_csv_open_memory(name, bytes, size, err), arena, err);
}
