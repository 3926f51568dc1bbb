/* workers.c - runs shared out over threads by OpenMP. */
#include "base/workers.h"

#include "base/arena.h"
#include "base/guard.h"
#include "base/lock.h"
#include "base/thread.h"
#include "base/watch.h"

#include <cosched/watch.h>
#include <limits.h>
#include <stdbool.h>
#include <time.h>

#define LONGEST_PAUSE 5000000 /* ns */

struct party {
    const struct cs_workers *share;
    char *workers;
    long done;
    long failed; /* the first run that failed, or LONG_MAX */
    struct cs_error error;
    bool stopped;
    struct cs_lock lock;          /* of these three */
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

static void remember_stop(struct party *party)
{
    cs_lock_take(&party->lock);
    party->stopped = true;
    cs_lock_give(&party->lock);
}

/* Memory that runs out here is the error of this run: nobody jumps out of a team of threads. */
static int guarded_run(const struct cs_workers *share, void *worker, long run, struct cs_error *err)
{
    CS_GUARD_INNER(err, -1);

    return share->run(worker, run, err);
}

/* Every thread asks who watches the one that asked for all this. */
static int watched_run(struct party *party, void *worker, long run, struct cs_error *err)
{
    const struct cs_watch *before = cs_watch_enter(party->watch);
    int status;

    if (cs_watch_stops(party->watch))
        cs_watch_hear();
    status = cs_watch_settle(0, err) ? -1 : guarded_run(party->share, worker, run, err);
    status = cs_watch_settle(status, err);
    if (status && cs_watch_calls())
        remember_stop(party);
    cs_watch_enter(before);
    return status;
}

static void run_one(struct party *party, long run)
{
    const struct cs_workers *share = party->share;
    int thread = cs_thread_index();
    struct cs_error own = {0};
    long done;

    if (!is_wanted(party, run))
        return;
    if (watched_run(party, worker_of(party, thread), run, &own))
        remember(party, run, &own);
#pragma omp atomic capture
    done = ++party->done;
    if (thread == 0 && share->progress)
        share->progress(share->who, done);
}

/* The thread that asked has nothing left to do; the others may have much, and some watches hear of
 * a stop in that thread only (Python's signals).  The others then end by themselves. */
static void wait_watching(struct party *party)
{
    struct timespec pause = {.tv_nsec = 20000};
    long done = 0;

    while (party->watch && party->watch->stop) {
#pragma omp atomic read
        done = party->done;
        if (done == party->share->runs || !is_wanted(party, LONG_MAX - 1) || cs_watch_calls())
            return;
        nanosleep(&pause, NULL);
        pause.tv_nsec += pause.tv_nsec < LONGEST_PAUSE ? pause.tv_nsec : 0;
    }
}

static void run_all(struct party *party, int threads)
{
    int chunk = party->share->chunk > 0 ? party->share->chunk : 1;

    (void)threads;
    (void)chunk;
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(dynamic, chunk) nowait
        for (long run = 0; run < party->share->runs; run++)
            run_one(party, run);
        if (cs_thread_index() == 0)
            wait_watching(party);
    }
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
        status = cs_error_pass(err, &party.error);
    if (party.stopped)
        cs_watch_hear();
    cs_arena_destroy(arena);
    return status;
}
