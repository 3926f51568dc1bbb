/* workers.c - runs shared out over threads by OpenMP. */
#include "base/workers.h"

#include "base/arena.h"
#include "base/guard.h"
#include "base/lock.h"
#include "base/thread.h"
#include "base/watch.h"

#include <limits.h>
#include <stdbool.h>

struct party {
    const struct cs_workers *share;
    char *workers;
    long done;
    long failed; /* the first run that failed, or LONG_MAX */
    struct cs_error error;
    struct cs_lock lock;          /* of these two */
    const struct cs_watch *watch; /* of the thread that asked */
};

static void *worker_of(const struct party *party, int thread)
{
    return party->workers + (size_t)thread * party->share->size;
}

static bool is_wanted(struct party *party, long run)
{
    long failed;

#pragma omp atomic read
    failed = party->failed;
    return run < failed;
}

static void remember(struct party *party, long run, const struct cs_error *err)
{
    cs_lock_take(&party->lock);
    if (run < party->failed) {
#pragma omp atomic write
        party->failed = run;
        party->error = *err;
    }
    cs_lock_give(&party->lock);
}

static const struct cs_error *stopped(struct cs_error *err)
{
    cs_error_set(err, "stopped");
    return err;
}

/* Memory that runs out here is the error of this run: nobody jumps out of a team of threads. */
static int guarded_run(const struct cs_workers *share, void *worker, long run, struct cs_error *err)
{
    CS_GUARD_INNER(err, -1);

    return share->run(worker, run, err);
}

static void run_one(struct party *party, long run)
{
    const struct cs_workers *share = party->share;
    int thread = cs_thread_index();
    struct cs_error own = {{0}};
    bool wanted = is_wanted(party, run);
    long done;

    if (wanted && cs_watch_stops(party->watch))
        remember(party, run, stopped(&own));
    else if (wanted && guarded_run(share, worker_of(party, thread), run, &own))
        remember(party, run, &own);
    if (!share->progress)
        return;
#pragma omp atomic capture
    done = ++party->done;
    if (thread == 0)
        share->progress(share->who, done);
}

static void run_all(struct party *party, int threads)
{
    int chunk = party->share->chunk > 0 ? party->share->chunk : 1;

    (void)threads;
    (void)chunk;
#pragma omp parallel for num_threads(threads) schedule(dynamic, chunk)
    for (long run = 0; run < party->share->runs; run++)
        run_one(party, run);
}

int cs_workers_run(const struct cs_workers *share, struct cs_error *err)
{
    int threads = share->threads > 1 ? share->threads : 1, begun = 0, status = 0;
    struct cs_arena *arena = cs_arena_create();
    struct party party = {.share = share,
                          .workers = cs_arena_alloc(arena, (size_t)threads, share->size),
                          .failed = LONG_MAX,
                          .lock = CS_LOCK_INIT,
                          .watch = cs_watch_here()};

    while (begun < threads && !status) {
        status = share->begin(worker_of(&party, begun), share->job, err);
        begun += !status;
    }
    if (!status)
        run_all(&party, threads);
    for (int w = 0; w < begun && share->end; w++)
        share->end(worker_of(&party, w));
    if (!status && party.failed < LONG_MAX)
        status = cs_error_set(err, "%s", party.error.text);
    cs_arena_destroy(arena);
    return status;
}
