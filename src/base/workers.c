/* workers.c - runs shared out over a team of threads. */
#include "base/workers.h"

#include "base/arena.h"
#include "base/guard.h"
#include "base/lock.h"
#include "base/thread.h"
#include "base/watch.h"

#include <cosched/watch.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

#define LONGEST_PAUSE 5000000 /* ns */

struct party {
    const struct cs_workers *share;
    char *workers;
    atomic_long next, done; /* the run to be taken next; runs that have ended */
    atomic_long failed;     /* the first run that failed, or LONG_MAX */
    struct cs_error error;  /* of it */
    struct cs_lock lock;    /* of these two */
};

static void *worker_of(const struct party *party, int member)
{
    return party->workers + (size_t)member * party->share->size;
}

static bool run_is_wanted(struct party *party, long run)
{
    return run < party->failed;
}

static void error_keep(struct party *party, long run, const struct cs_error *err)
{
    cs_lock_take(&party->lock);
    if (run < party->failed) {
        party->failed = run;
        party->error = *err;
    }
    cs_lock_give(&party->lock);
}

/* Memory that runs out here is the error of this run, not of the team. */
static int run_guarded(const struct cs_workers *share, void *worker, long run, struct cs_error *err)
{
    CS_GUARD_INNER(err, -1);

    return share->run(worker, run, err);
}

/* Every member calls the watch of the thread that called. */
static int run_watched(const struct cs_workers *share, void *worker, long run, struct cs_error *err)
{
    int status;

    if (cs_watch_stops(cs_watch_here()))
        cs_watch_hear();
    status = cs_watch_settle(0, err) ? -1 : run_guarded(share, worker, run, err);
    return cs_watch_settle(status, err);
}

static void run_one(struct party *party, int member, long run)
{
    const struct cs_workers *share = party->share;
    struct cs_error own = {0};
    long done;

    if (!run_is_wanted(party, run))
        return;
    if (run_watched(share, worker_of(party, member), run, &own))
        error_keep(party, run, &own);
    done = ++party->done;
    if (member == 0 && share->progress)
        share->progress(share->who, done);
}

/* The thread that called has nothing left to do; the others may have much, and some watches learn
 * of a stop in that thread only (Python's signals).  The others then end. */
static void wait_watching(struct party *party)
{
    const struct cs_watch *watch = cs_watch_here();
    struct timespec pause = {.tv_nsec = 20000};

    while (watch && watch->stop) {
        if (party->done == party->share->runs || !run_is_wanted(party, LONG_MAX - 1) ||
            cs_watch_calls())
            return;
        nanosleep(&pause, NULL);
        pause.tv_nsec += pause.tv_nsec < LONGEST_PAUSE ? pause.tv_nsec : 0;
    }
}

static int chunk_of(const struct cs_workers *share)
{
    return share->chunk > 0 ? share->chunk : 1;
}

static void runs_take(void *who, int member)
{
    struct party *party = who;
    const long runs = party->share->runs, chunk = chunk_of(party->share);
    long first;

    while ((first = atomic_fetch_add(&party->next, chunk)) < runs)
        for (long run = first; run < runs && run < first + chunk; run++)
            run_one(party, member, run);
    if (member == 0)
        wait_watching(party);
}

/* As many as there are chunks; one at least. */
static int worker_count(const struct cs_workers *share)
{
    const long chunk = chunk_of(share), most = share->runs / chunk + (share->runs % chunk > 0);
    const int threads = cs_team_size(share->threads);

    if (most < 1)
        return 1;
    return threads < most ? threads : (int)most;
}

int cs_workers_run(const struct cs_workers *share, struct cs_error *err)
{
    const int workers = worker_count(share);
    int begun = 0, status = 0;
    struct cs_arena *arena = cs_arena_create();
    struct party party = {.share = share,
                          .workers = cs_arena_alloc(arena, (size_t)workers, share->size),
                          .failed = LONG_MAX,
                          .lock = CS_LOCK_INIT};

    while (begun < workers && !status) {
        status = share->begin(worker_of(&party, begun), share->job, err);
        begun += !status;
    }
    if (!status)
        cs_team_run(workers, runs_take, &party);
    for (int w = 0; w < begun && share->end; w++)
        share->end(worker_of(&party, w));
    if (!status && party.failed < LONG_MAX)
        status = cs_error_pass(err, &party.error);
    cs_arena_destroy(arena);
    return status;
}
