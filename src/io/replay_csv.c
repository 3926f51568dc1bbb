/* replay_csv.c - rows one by one; names of policies are kept once. */
#include "io/jobs_csv.h"

#include "base/csv.h"
#include "model/procset.h"

#include <limits.h>
#include <math.h>
#include <string.h>

struct columns {
    int policy, priority, id, number, procs, submit, start, end, promise, attempts, killed, set;
    int wait, slowdown, estimate, request, user, partition;
};

static int find_columns(const struct cs_csv *csv, struct columns *c, struct cs_error *err)
{
    const struct {
        const char *name;
        int *at;
    } needed[] = {{"policy", &c->policy}, {"priority", &c->priority},
                  {"job_id", &c->id},     {"number", &c->number},
                  {"procs", &c->procs},   {"submit", &c->submit},
                  {"start", &c->start},   {"end", &c->end}};

    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if ((*needed[i].at = cs_csv_require(csv, needed[i].name, err)) < 0)
            return -1;
    c->promise = cs_csv_find(csv, "promise");
    c->attempts = cs_csv_find(csv, "attempts");
    c->killed = cs_csv_find(csv, "killed");
    c->set = cs_csv_find(csv, "allocated");
    c->wait = cs_csv_find(csv, "wait");
    c->slowdown = cs_csv_find(csv, "bounded_slowdown");
    c->estimate = cs_csv_find(csv, "estimate");
    c->request = cs_csv_find(csv, "request");
    c->user = cs_csv_find(csv, "user");
    c->partition = cs_csv_find(csv, "partition");
    return 0;
}

static int replay_csv_read_count(const struct cs_csv *csv, int column, int64_t *out,
                                 struct cs_error *err)
{
    if (cs_number_int64(cs_csv_text(csv, column), out) == CS_NUMBER_FINE && *out >= 0)
        return 0;
    return cs_csv_error(csv, column, err, "found \"%.60s\", expected a whole number, 0 or more",
                        cs_csv_text(csv, column));
}

static const char *replay_csv_keep(const char *last, const char *text, struct cs_arena *arena)
{
    return last && !strcmp(last, text) ? last : cs_arena_strdup(arena, text);
}

/* A value that may be missing or empty. */
static int read_real(const struct cs_csv *csv, int column, double *out, struct cs_error *err)
{
    if (column < 0 || !*cs_csv_text(csv, column))
        return 0;
    return cs_csv_double(csv, column, CS_NUMBER_FINITE, out, err);
}

static int read_rest(const struct cs_csv *csv, const struct columns *c,
                     struct cs_replay_csv_row *row, struct cs_arena *arena, struct cs_error *err)
{
    struct cs_error why = {0};
    int killed = 0;

    if (read_real(csv, c->promise, &row->promise, err) ||
        read_real(csv, c->wait, &row->wait, err) ||
        read_real(csv, c->estimate, &row->estimate, err) ||
        read_real(csv, c->request, &row->request, err) ||
        read_real(csv, c->slowdown, &row->bounded_slowdown, err))
        return -1;
    if (c->attempts >= 0 && cs_csv_int(csv, c->attempts, 1, INT_MAX, &row->attempts, err))
        return -1;
    if (c->killed >= 0 && cs_csv_int(csv, c->killed, 0, 1, &killed, err))
        return -1;
    row->killed = killed;
    if (c->set < 0 || !*cs_csv_text(csv, c->set))
        return 0;
    row->intervals = cs_procset_parse(cs_csv_text(csv, c->set), arena, &row->set, &why);
    return row->intervals < 0 ? cs_csv_error(csv, c->set, err, "%s", why.text) : 0;
}

static int replay_csv_read_row(const struct cs_csv *csv, const struct columns *c,
                               const struct cs_replay_csv_row *last, struct cs_replay_csv_row *row,
                               struct cs_arena *arena, struct cs_error *err)
{
    *row = (struct cs_replay_csv_row){.promise = NAN,
                                      .wait = NAN,
                                      .bounded_slowdown = NAN,
                                      .estimate = NAN,
                                      .request = NAN,
                                      .attempts = 1};
    row->policy = replay_csv_keep(last ? last->policy : NULL, cs_csv_text(csv, c->policy), arena);
    row->priority =
        replay_csv_keep(last ? last->priority : NULL, cs_csv_text(csv, c->priority), arena);
    row->id = cs_arena_strdup(arena, cs_csv_text(csv, c->id));
    if (c->user >= 0)
        row->user = replay_csv_keep(last ? last->user : NULL, cs_csv_text(csv, c->user), arena);
    if (c->partition >= 0)
        row->partition =
            replay_csv_keep(last ? last->partition : NULL, cs_csv_text(csv, c->partition), arena);
    if (replay_csv_read_count(csv, c->number, &row->number, err) ||
        replay_csv_read_count(csv, c->procs, &row->procs, err) ||
        cs_csv_double(csv, c->submit, CS_NUMBER_FINITE, &row->submit, err) ||
        cs_csv_double(csv, c->start, CS_NUMBER_FINITE, &row->start, err) ||
        cs_csv_double(csv, c->end, CS_NUMBER_FINITE, &row->end, err))
        return -1;
    return read_rest(csv, c, row, arena, err);
}

static int replay_csv_read_rows(struct cs_csv *csv, struct cs_replay_csv *table,
                                struct cs_arena *arena, struct cs_error *err)
{
    struct columns columns;
    int status, room = 0;

    if (find_columns(csv, &columns, err))
        return -1;
    while ((status = cs_csv_next(csv, err)) > 0) {
        if (table->count == INT_MAX / 4)
            return cs_csv_error(csv, -1, err, "there are too many rows");
        if (table->count == room) {
            room = 2 * room + 64;
            table->row = cs_arena_grow(arena, table->row, (size_t)table->count, (size_t)room,
                                       sizeof *table->row);
        }
        if (replay_csv_read_row(csv, &columns, table->count ? &table->row[table->count - 1] : NULL,
                                &table->row[table->count], arena, err))
            return -1;
        table->count++;
    }
    return status;
}

/* Closes the file. */
static const struct cs_replay_csv *read_table(struct cs_csv *csv, struct cs_arena *arena,
                                              struct cs_error *err)
{
    struct cs_replay_csv *table = CS_NEW(arena, struct cs_replay_csv);
    int status;

    if (!csv)
        return NULL;
    status = replay_csv_read_rows(csv, table, arena, err);
    cs_csv_close(csv);
    return status ? NULL : table;
}

const struct cs_replay_csv *cs_replay_csv_read(const char *path, struct cs_arena *arena,
                                               struct cs_error *err)
{
    return read_table(cs_csv_open(path, err), arena, err);
}

const struct cs_replay_csv *cs_replay_csv_read_memory(const char *name, const void *bytes,
                                                      size_t size, struct cs_arena *arena,
                                                      struct cs_error *err)
{
    return read_table(cs_csv_open_memory(name, bytes, size, err), arena, err);
}

bool cs_replay_csv_seems(const char *path)
{
    struct cs_error none = {0};
    struct cs_csv *csv = strcmp(path, "-") ? cs_csv_open(path, &none) : NULL;
    const bool seems = csv && cs_csv_find(csv, "policy") >= 0 && cs_csv_find(csv, "number") >= 0;

    cs_csv_close(csv);
    return seems;
}
