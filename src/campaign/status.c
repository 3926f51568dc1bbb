/* status.c - documents experiment again, and their cells looked up. */
#include "campaign/status.h"

#include "campaign/experiment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RECENT_SECONDS 60
#define RECENT_CELLS 20

/* A document, with what all stores together have of it. */
struct topic {
    struct topic *next;
    const struct cs_document *document;
    struct cs_experiment *experiment;
    bool *done; /* by cell: some store has it */
    struct cs_status_row *row;
    int rows, room;
};

struct reader {
    struct cs_arena *arena;
    double now;
    struct topic *first, **end;

    /* of the store that is read */
    const char *path;
    bool busy;
    struct cs_store_run *run;
    int runs;
};

const char *cs_status_word(enum cs_status_state state)
{
    static const char *const word[] = {
        [CS_STATUS_NEW] = "new",         [CS_STATUS_RUNNING] = "running",
        [CS_STATUS_STOPPED] = "stopped", [CS_STATUS_KILLED] = "killed",
        [CS_STATUS_DONE] = "done",
    };

    return word[state];
}

/* --- the cells of one document in one store --- */

/* Of the cells of the last run: how many, and when each was finished. */
struct pace {
    int count;
    double *finished;
};

static int compare_times(const void *a, const void *b)
{
    double one = *(const double *)a, other = *(const double *)b;

    return (one > other) - (one < other);
}

/* From the end of the cell before the recent ones, or the start of the run, until now. */
static double recent_rate(struct pace *pace, double started, double now)
{
    int first = pace->count;

    qsort(pace->finished, (size_t)pace->count, sizeof *pace->finished, compare_times);
    while (first > 0 &&
           (pace->finished[first - 1] > now - RECENT_SECONDS || first > pace->count - RECENT_CELLS))
        first--;
    return (pace->count - first) / (now - (first ? pace->finished[first - 1] : started));
}

static void classify_pace(struct cs_status_row *row, struct pace *pace, double started, double now)
{
    if (!pace->count || now <= started)
        return;
    row->rate = pace->count / (now - started);
    row->recent = recent_rate(pace, started, now);
    row->left = (row->cells - row->done) / row->recent;
}

static void classify_state(const struct reader *reader, struct cs_status_row *row,
                           struct pace *pace, double last)
{
    const struct cs_store_run *run = reader->runs ? &reader->run[reader->runs - 1] : NULL;

    row->since = last;
    if (row->done == row->cells) {
        row->state = CS_STATUS_DONE;
    } else if (!run) {
        row->state = CS_STATUS_NEW;
    } else if (reader->busy && isnan(run->ended)) {
        row->state = CS_STATUS_RUNNING;
        row->since = run->started;
        classify_pace(row, pace, run->started, reader->now);
    } else if (isnan(run->ended)) {
        row->state = CS_STATUS_KILLED;
        row->since = isnan(last) ? run->started : last;
    } else {
        row->state = CS_STATUS_STOPPED;
        row->since = run->ended;
    }
}

/* A cell that a store has. */
struct count {
    struct topic *topic;
    struct cs_status_row *row;
    struct pace *pace;
    int64_t run; /* the last one of the store */
    double last;
};

static void count_cell(void *who, int cell, const struct cs_record *record)
{
    struct count *count = who;
    struct cs_status_row *row = count->row;
    bool ours = !row->shards || cs_grid_shard_has(cell, row->shard, row->shards);

    count->topic->done[cell] = true;
    row->done += ours;
    row->seconds += isnan(record->seconds) ? 0 : record->seconds;
    count->last = fmax(count->last, record->finished);
    if (ours && record->run == count->run && !isnan(record->finished))
        count->pace->finished[count->pace->count++] = record->finished;
}

static int count_cells(const struct reader *reader, struct cs_store *store, struct topic *topic,
                       struct cs_status_row *row, struct pace *pace, double *last,
                       struct cs_error *err)
{
    struct count count = {topic, row, pace, reader->runs ? reader->run[reader->runs - 1].id : 0,
                          NAN};
    int status = cs_experiment_inspect(topic->experiment, store, false, count_cell, &count, err);

    for (int c = 0; c < topic->experiment->count; c++)
        row->cells += !row->shards || cs_grid_shard_has(c, row->shard, row->shards);
    *last = count.last;
    return status;
}

static struct cs_status_row *new_row(struct reader *reader, struct topic *topic)
{
    struct cs_status_row *bigger;

    if (topic->rows == topic->room) {
        topic->room = 2 * topic->room + 4;
        bigger = CS_NEW_ARRAY(reader->arena, struct cs_status_row, topic->room);
        if (topic->rows)
            memcpy(bigger, topic->row, (size_t)topic->rows * sizeof *bigger);
        topic->row = bigger;
    }
    topic->row[topic->rows] = (struct cs_status_row){
        .document = topic->document, .since = NAN, .rate = NAN, .recent = NAN, .left = NAN};
    return &topic->row[topic->rows++];
}

/* The cells of all runs; a store that was merged has runs of several shards. */
static void find_shard(const struct reader *reader, struct cs_status_row *row)
{
    for (int r = 0; r < reader->runs; r++) {
        const struct cs_store_run *run = &reader->run[r];

        if (r > 0 && (run->shard != row->shard || run->shards != row->shards)) {
            row->shard = row->shards = 0;
            return;
        }
        row->shard = run->shard;
        row->shards = run->shards;
    }
}

/* The same with the runs that were for the document only; where that is not known, with all. */
static struct reader status_narrow(const struct reader *reader, const struct cs_document *document)
{
    struct reader mine = *reader;

    mine.run = CS_NEW_ARRAY(reader->arena, struct cs_store_run, reader->runs);
    mine.runs = 0;
    for (int r = 0; r < reader->runs; r++)
        if (!*reader->run[r].documents || strstr(reader->run[r].documents, document->sha256)) {
            mine.run[mine.runs++] = reader->run[r];
            mine.busy = reader->busy && r == reader->runs - 1;
        }
    mine.busy = mine.busy && mine.runs;
    return mine;
}

static int add_row(struct reader *all, struct cs_store *store, struct topic *topic,
                   struct cs_error *err)
{
    const struct reader own = status_narrow(all, topic->document), *reader = &own;
    struct cs_arena *arena = cs_arena_create();
    struct pace pace = {0, CS_NEW_ARRAY(arena, double, topic->experiment->count)};
    struct cs_status_row *row = new_row(all, topic);
    double last = NAN;
    int status;

    row->store = reader->path;
    find_shard(reader, row);
    row->runs = reader->runs;
    for (int r = 0; r < reader->runs; r++)
        row->killed += isnan(reader->run[r].ended) && !(reader->busy && r == reader->runs - 1);
    status = count_cells(reader, store, topic, row, &pace, &last, err);
    if (!status)
        classify_state(reader, row, &pace, last);
    cs_arena_destroy(arena);
    return status;
}

/* --- documents and stores --- */

static struct topic *find_topic(struct reader *reader, const struct cs_document *document,
                                struct cs_error *err)
{
    struct topic *topic = reader->first;

    while (topic && strcmp(topic->document->sha256, document->sha256))
        topic = topic->next;
    if (topic)
        return topic;
    topic = CS_NEW(reader->arena, struct topic);
    topic->document = document;
    topic->experiment = cs_experiment_compile(document, err);
    if (!topic->experiment)
        return NULL;
    topic->done = CS_NEW_ARRAY(reader->arena, bool, topic->experiment->count);
    *reader->end = topic;
    reader->end = &topic->next;
    return topic;
}

static int read_documents(struct reader *reader, struct cs_store *store, struct cs_error *err)
{
    struct cs_document *list;
    struct topic *topic;
    int count;

    if (cs_store_documents(store, reader->arena, &list, &count, err) ||
        cs_store_runs(store, reader->arena, &reader->run, &reader->runs, err))
        return -1;
    for (int d = 0; d < count; d++) {
        topic = find_topic(reader, &list[d], err);
        if (!topic)
            return cs_error_prefix(err, "%s", reader->path);
        if (add_row(reader, store, topic, err))
            return -1;
    }
    return 0;
}

/* The lock is tested first: a writer that ends before the rows are read is seen as ended. */
static int read_store(struct reader *reader, const char *path, struct cs_error *err)
{
    bool busy = cs_store_is_busy(path);
    struct cs_store *store = cs_store_open(path, CS_STORE_READ, err);
    int status;

    if (!store)
        return -1;
    reader->path = path;
    reader->busy = busy;
    status = cs_store_begin(store, err) || read_documents(reader, store, err) ? -1 : 0;
    cs_store_rollback(store);
    cs_store_close(store);
    return status;
}

/* --- all stores of a document together --- */

static void add_sum(double *sum, double value)
{
    if (!isnan(value))
        *sum = isnan(*sum) ? value : *sum + value;
}

/* Shards are done when the last one is. The remaining time is unknown if a shard is stopped or on
 * another machine. */
static void classify_all(struct cs_status_row *all, const struct cs_status_row *row, int rows)
{
    double slowest = 0;
    int shards = 0, present = 0;
    bool halted = false;

    all->state = all->done == all->cells ? CS_STATUS_DONE : CS_STATUS_NEW;
    for (int r = 0; r < rows; r++) {
        if (all->state != CS_STATUS_DONE && row[r].state != CS_STATUS_NEW &&
            row[r].state != CS_STATUS_DONE &&
            (all->state == CS_STATUS_NEW || row[r].state == CS_STATUS_RUNNING ||
             (all->state != CS_STATUS_RUNNING && row[r].state == CS_STATUS_KILLED)))
            all->state = row[r].state;
        shards = row[r].shards > shards ? row[r].shards : shards;
        present += row[r].shards > 0;
        halted = halted || (row[r].state != CS_STATUS_RUNNING && row[r].state != CS_STATUS_DONE);
        slowest = isnan(row[r].left) ? slowest : fmax(slowest, row[r].left);
        add_sum(&all->rate, row[r].rate);
        add_sum(&all->recent, row[r].recent);
        all->since = fmax(all->since, row[r].since);
        all->runs += row[r].runs;
        all->killed += row[r].killed;
        all->seconds += row[r].seconds;
    }
    if (all->state == CS_STATUS_RUNNING && !halted && present >= shards && slowest > 0)
        all->left = slowest;
}

static void add_all(struct reader *reader, struct topic *topic)
{
    int rows = topic->rows;
    struct cs_status_row *all;

    if (rows < 2)
        return;
    all = new_row(reader, topic);
    all->cells = topic->experiment->count;
    for (int c = 0; c < all->cells; c++)
        all->done += topic->done[c];
    classify_all(all, topic->row, rows);
}

static void put_rows(struct reader *reader, struct cs_status *status)
{
    int count = 0;

    for (struct topic *topic = reader->first; topic; topic = topic->next) {
        add_all(reader, topic);
        count += topic->rows;
    }
    status->row = CS_NEW_ARRAY(reader->arena, struct cs_status_row, count);
    for (struct topic *topic = reader->first; topic; topic = topic->next) {
        memcpy(status->row + status->count, topic->row, (size_t)topic->rows * sizeof *topic->row);
        status->count += topic->rows;
    }
}

static void status_release(struct reader *reader)
{
    for (struct topic *topic = reader->first; topic; topic = topic->next)
        cs_experiment_destroy(topic->experiment);
}

struct cs_status *cs_status_create(const char *const *path, int count, double now,
                                   struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_status *status = CS_NEW(arena, struct cs_status);
    struct reader reader = {.arena = arena, .now = now};
    int failed = 0;

    status->arena = arena;
    reader.end = &reader.first;
    for (int p = 0; p < count && !failed; p++)
        failed = read_store(&reader, path[p], err);
    if (!failed)
        put_rows(&reader, status);
    status_release(&reader);
    if (!failed)
        return status;
    cs_arena_destroy(arena);
    return NULL;
}

void cs_status_destroy(struct cs_status *status)
{
    if (status)
        cs_arena_destroy(status->arena);
}
