/* grid.c - cells on many cores; the first failure in the order of the cells counts. */
#include "campaign/grid.h"

#include "base/rng.h"
#include "campaign/store.h"

#include <stdlib.h>
#include <string.h>

#define PURPOSE 1002 /* of the random stream: seeds of replicates */

struct job {
    const struct cs_runner *runner;
    const struct cs_cell *cell;
    const struct cs_grid_options *options;
    double *value;
    int count, metrics;
    int done;
    int failed; /* the lowest cell that failed so far, or count */
    struct cs_error error;
};

static int run_cell(struct job *job, int c, struct cs_error *err)
{
    const struct cs_cell *cell = &job->cell[c];
    double *value = job->value + (size_t)c * (size_t)job->metrics;
    struct cs_store *store = job->options->store;

    if (store && cs_store_get(store, job->runner, cell, value))
        return 0;
    if (job->runner->run(cell->parameters, cell->seed, value, err))
        return -1;
    if (store)
        cs_store_put(store, job->runner, cell, value);
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

int cs_grid_run(const struct cs_runner *runner, const struct cs_cell *cell, int count,
                const struct cs_grid_options *options, double *value, struct cs_error *err)
{
    int threads = options->threads > 0 ? options->threads : 1;
    struct job job = {.runner = runner,
                      .cell = cell,
                      .options = options,
                      .value = value,
                      .count = count,
                      .metrics = cs_runner_metrics(runner),
                      .failed = count};

    (void)threads;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int c = 0; c < count; c++) {
        struct cs_error own = {{0}};

        if (is_wanted(&job, c))
            finish_cell(&job, c, run_cell(&job, c, &own), &own);
    }
    return job.failed < count ? cs_error_set(err, "%s", job.error.text) : 0;
}
