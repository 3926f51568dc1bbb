/* grid.c - cells on many cores (base/workers.h); the first failure in the order of the runs counts.
 */
#include "campaign/grid.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/lock.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "base/watch.h"
#include "base/workers.h"
#include "campaign/parameters.h"
#include "campaign/store.h"

#include <string.h>

#define PURPOSE 1002 /* of the random stream: seeds of replicates */

struct job {
    const struct cs_problem *problem;
    const struct cs_cell *cell;
    const struct cs_grid_options *options;
    struct cs_cache *keep;
    double *value;
    int metrics;
    int *todo; /* the cells that are not in the store, `count` of them */
    int count, done;
    struct cs_lock counting;
};

struct worker {
    struct job *job;
};

static void set_value(const struct job *job, int c, const struct cs_record *record)
{
    memcpy(job->value + (size_t)c * (size_t)job->metrics, record->value,
           (size_t)job->metrics * sizeof *job->value);
}

static int find_known(const struct job *job, int c, bool *known, struct cs_error *err)
{
    struct cs_record record;

    *known = false;
    if (!job->options->store)
        return 0;
    if (cs_store_get(job->options->store, job->problem, &job->cell[c], known, &record, err))
        return -1;
    if (*known)
        set_value(job, c, &record);
    return 0;
}

/* The parameters with files named from here; NULL when they are as they are.  Threads share those
 * of cells, so references to them are not counted. */
static json_t *find_files(const struct job *job, json_t *parameters)
{
    const char *folder = job->options->folder;

    return folder && *folder ? cs_parameters_place(job->problem, parameters, folder, strlen(folder))
                             : NULL;
}

/* "jobs=100 policy=easy replicate=3: what went wrong" */
static void name_cell(const struct cs_cell *cell, struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_parameters_put_words(cell->parameters, &text);
    cs_error_prefix(err, "%s replicate=%d", text.text, cell->replicate);
    cs_strbuf_release(&text);
}

/* A stopped cell has no record, regardless of its result. SQLite does not keep the sign of zero, so
 * it is removed here. */
static int make_record(const struct job *job, const struct cs_cell *cell, struct cs_record *record,
                       struct cs_error *err)
{
    json_t *placed = find_files(job, cell->parameters);
    CS_JSON_HOLD(placed);
    double start = cs_clock_now();
    int status = cs_cell_run(job->problem, placed ? placed : cell->parameters, cell->seed,
                             job->keep, record->value, record->instance, err);

    for (int m = 0; m < job->metrics; m++)
        record->value[m] += 0.0;
    record->seconds = cs_clock_now() - start;
    if (status)
        name_cell(cell, err);
    return cs_watch_settle(status, err);
}

static int run_cell(struct job *job, int c, struct cs_error *err)
{
    const struct cs_cell *cell = &job->cell[c];
    struct cs_store *store = job->options->store;
    struct cs_record record = {.run = 0};
    bool known;

    if (find_known(job, c, &known, err))
        return -1;
    if (known)
        return 0;
    if (make_record(job, cell, &record, err) ||
        (store && cs_store_put(store, job->problem, cell, &record, err)))
        return -1;
    set_value(job, c, &record);
    return 0;
}

static void count_cell(struct job *job)
{
    cs_lock_take(&job->counting);
    job->done++;
    if (job->options->progress)
        job->options->progress(job->options->who, job->done, job->count);
    cs_lock_give(&job->counting);
}

uint64_t cs_grid_seed(uint64_t seed, int replicate)
{
    struct cs_rng rng;

    cs_rng_init(&rng, seed, PURPOSE, (uint64_t)replicate);
    return cs_rng_next(&rng);
}

/* The fractional part of cell * the golden ratio, in shards: no period that a grid could have. */
bool cs_grid_shard_has(int cell, int shard, int shards)
{
    uint64_t fraction = ((uint64_t)cell * UINT64_C(11400714819323198485)) >> 32;

    return (int)((fraction * (uint64_t)shards) >> 32) == shard - 1;
}

static int greatest_common_divisor(int a, int b)
{
    return b ? greatest_common_divisor(b, a % b) : a;
}

/* Cells of one kind are adjacent and have similar costs. Steps of the golden ratio of their number
 * visit every kind early and evenly, so the share of finished cells predicts the remaining time. */
static int find_step(int count)
{
    int step = (int)(0.6180339887 * count);

    while (greatest_common_divisor(count, step) != 1)
        step++;
    return step;
}

static int find_todo(struct job *job, int cells, struct cs_error *err)
{
    for (int c = 0; c < cells; c++) {
        bool known;

        if (find_known(job, c, &known, err))
            return -1;
        if (!known)
            job->todo[job->count++] = c;
    }
    return 0;
}

static int grid_begin(void *worker, const void *job, struct cs_error *err)
{
    struct worker *own = worker;

    (void)err;
    own->job = (struct job *)(uintptr_t)job;
    return 0;
}

static int grid_run(void *worker, long i, struct cs_error *err)
{
    struct job *job = ((struct worker *)worker)->job;
    int64_t step = find_step(job->count);
    int status = run_cell(job, job->todo[(step * i) % job->count], err);

    if (!status)
        count_cell(job);
    return status;
}

static int run_todo(struct job *job, struct cs_error *err)
{
    const struct cs_workers share = {.runs = job->count,
                                     .threads = job->options->threads,
                                     .size = sizeof(struct worker),
                                     .job = job,
                                     .begin = grid_begin,
                                     .run = grid_run};

    return cs_workers_run(&share, err);
}

/* The files that the cells read, each once. */
static int check_file(const struct cs_grid_options *options, json_t *seen, const char *name,
                      struct cs_error *err)
{
    const char *folder = options->folder;
    struct cs_strbuf path = CS_STRBUF_INIT;
    char digest[CS_DIGEST_TEXT];
    int status;

    if (json_object_get(seen, name))
        return 0;
    cs_json_set(seen, name, json_true());
    if (folder && *folder && *name != '/')
        cs_strbuf_printf(&path, "%s/", folder);
    cs_strbuf_puts(&path, name);
    status = cs_digest_file(path.text, digest, err);
    if (!status && options->store)
        status = cs_store_add_input(options->store, name, digest, err);
    cs_strbuf_release(&path);
    return status;
}

static int check_value(const struct cs_grid_options *options, json_t *seen, const json_t *value,
                       struct cs_error *err)
{
    if (!json_is_array(value))
        return check_file(options, seen, json_string_value(value), err);
    for (size_t i = 0; i < json_array_size(value); i++)
        if (check_file(options, seen, json_string_value(json_array_get(value, i)), err))
            return -1;
    return 0;
}

int cs_grid_check_files(const struct cs_problem *problem, const struct cs_cell *cell, int count,
                        const struct cs_grid_options *options, struct cs_error *err)
{
    json_t *seen = cs_json_made(json_object()), *last = NULL, *value;
    CS_JSON_HOLD(seen);
    const char *key;
    int status = 0;

    for (int c = 0; c < count && !status; c++) {
        if (cell[c].parameters == last)
            continue;
        last = cell[c].parameters;
        json_object_foreach(last, key, value)
        {
            if (!status && cs_parameters_is_file(problem, key))
                status = check_value(options, seen, value, err);
        }
    }
    return status;
}

/* Memory forgets what was read anyway. */
static bool keeps_files(const struct cs_store *store)
{
    return store && strcmp(cs_store_path(store), CS_STORE_MEMORY) != 0;
}

int cs_grid_run(const struct cs_problem *problem, const struct cs_cell *cell, int count,
                const struct cs_grid_options *options, double *value, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_cache *own = options->keep ? NULL : cs_cache_create();
    struct job job = {.problem = problem,
                      .cell = cell,
                      .options = options,
                      .keep = own ? own : options->keep,
                      .value = value,
                      .metrics = cs_cell_metric_count(problem),
                      .todo = CS_NEW_ARRAY(arena, int, count),
                      .counting = CS_LOCK_INIT};
    bool kept = keeps_files(options->store);
    int status = kept ? cs_grid_check_files(problem, cell, count, options, err) : 0;

    if (!status)
        status = find_todo(&job, count, err);
    if (!status && options->progress)
        options->progress(options->who, 0, job.count);
    if (!status)
        status = run_todo(&job, err);
    if (!status && kept && job.count)
        status = cs_grid_check_files(problem, cell, count, options, err);
    cs_cache_destroy(own);
    cs_arena_destroy(arena);
    return status;
}
