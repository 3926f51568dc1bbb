/* grid.c - cells on many cores; the first failure in the order of the cells counts. */
#include "campaign/grid.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/rng.h"
#include "campaign/store.h"

#include <limits.h>
#include <string.h>

#define PURPOSE 1002 /* of the random stream: seeds of replicates */

struct job {
    const struct cs_runner *runner;
    const struct cs_cell *cell;
    const struct cs_grid_options *options;
    struct cs_keep *keep;
    double *value;
    int metrics;
    const int *todo; /* the cells that are not in the store, `count` of them */
    int count, done;
    int failed; /* the lowest cell that failed so far, or INT_MAX */
    struct cs_error error;
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
    if (cs_store_get(job->options->store, job->runner, &job->cell[c], known, &record, err))
        return -1;
    if (*known)
        set_value(job, c, &record);
    return 0;
}

/* SQLite does not keep the sign of zero, so that nobody may see it. */
static int make_record(const struct job *job, const struct cs_cell *cell, struct cs_record *record,
                       struct cs_error *err)
{
    double start = cs_clock_now();

    if (job->runner->run(cell->parameters, cell->seed, job->keep, record->value, record->instance,
                         err))
        return -1;
    for (int m = 0; m < job->metrics; m++)
        record->value[m] += 0.0;
    record->seconds = cs_clock_now() - start;
    return 0;
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
        (store && cs_store_put(store, job->runner, cell, &record, err)))
        return -1;
    set_value(job, c, &record);
    return 0;
}

static void finish_cell(struct job *job, int c, int status, const struct cs_error *err)
{
#pragma omp critical(cs_grid)
    {
        if (status && c < job->failed) {
            job->failed = c;
            job->error = *err;
        }
        job->done++;
        if (job->options->progress)
            job->options->progress(job->options->who, job->done, job->count);
    }
}

static bool is_wanted(struct job *job, int c)
{
    bool wanted;

#pragma omp critical(cs_grid)
    wanted = c < job->failed;
    return wanted;
}

uint64_t cs_grid_seed(uint64_t seed, int replicate)
{
    struct cs_rng rng;

    cs_rng_init(&rng, seed, PURPOSE, (uint64_t)replicate);
    return cs_rng_next(&rng);
}

static int greatest_common_divisor(int a, int b)
{
    return b ? greatest_common_divisor(b, a % b) : a;
}

/* Cells of one kind stand together and cost alike.  Steps of the golden ratio of all of them meet
 * every kind early and evenly, so that the share of cells done tells the time that is left. */
static int find_step(int count)
{
    int step = (int)(0.6180339887 * count);

    while (greatest_common_divisor(count, step) != 1)
        step++;
    return step;
}

static int find_todo(struct job *job, int cells, int *todo, struct cs_error *err)
{
    for (int c = 0; c < cells; c++) {
        bool known;

        if (find_known(job, c, &known, err))
            return -1;
        if (!known)
            todo[job->count++] = c;
    }
    return 0;
}

static void run_todo(struct job *job, int threads)
{
    const int64_t step = find_step(job->count);

    (void)threads;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int i = 0; i < job->count; i++) {
        int c = job->todo[(step * i) % job->count];
        struct cs_error own = {{0}};

        if (is_wanted(job, c))
            finish_cell(job, c, run_cell(job, c, &own), &own);
    }
}

int cs_grid_run(const struct cs_runner *runner, const struct cs_cell *cell, int count,
                const struct cs_grid_options *options, double *value, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_keep *own = options->keep ? NULL : cs_keep_create();
    int *todo = CS_NEW_ARRAY(arena, int, count);
    struct job job = {.runner = runner,
                      .cell = cell,
                      .options = options,
                      .keep = own ? own : options->keep,
                      .value = value,
                      .metrics = cs_runner_metrics(runner),
                      .todo = todo,
                      .failed = INT_MAX};
    int status = find_todo(&job, count, todo, err);

    if (!status)
        run_todo(&job, options->threads > 0 ? options->threads : 1);
    cs_keep_destroy(own);
    cs_arena_destroy(arena);
    return job.failed < INT_MAX ? cs_error_set(err, "%s", job.error.text) : status;
}
