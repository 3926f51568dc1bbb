/* recorded.c - row `recorded`: starts and ends of the log, reported to the observers of a replay.
 *
 * Source: spec/replay.md 9.
 *
 * Idea: arrivals of the log are merged with two heaps: recorded starts of jobs that wait, and ends
 * of jobs that run.  At an instant attempts end, then jobs arrive, then attempts start.
 *
 * Invariants: ties are resolved by number; a job that started before it arrived starts at its
 * arrival and is counted (`early`); jobs without a recorded start are left out and counted
 * (`unknown`).  More processors in use than there are is reported, not prevented (`over`).
 *
 * Complexity: O(log n) for each job, n jobs that wait or run; memory grows with those only.
 *
 * Constant                                    | found        | at half, at double
 * LEVELS: 2^20 levels of use for the quantile | not recorded | not measured
 */
#include "problems/queue/recorded.h"

#include "base/guard.h"
#include "base/vector.h"

#include <math.h>

#define LEVELS ((int64_t)1 << 20)

/* A job that waits or runs; the next thing that happens to it is at `time`. */
struct entry {
    double time;
    int64_t number;
    struct cs_queue_history *history;
};

struct heap {
    int64_t count, room;
    struct entry *entry;
};

struct run {
    double procs, used, now;
    const struct cs_queue_observer *observer;
    int observers;
    struct heap waiting, running;
    struct cs_queue_history *spare; /* linked by job.label */
    struct cs_queue_recorded *result;
    double grain, *seconds; /* by processors in use over `grain` */
    int64_t levels;
    bool any;
    int64_t number;
};

/* ---- heaps ---- */

static bool recorded_before(const struct entry *a, const struct entry *b)
{
    return a->time < b->time || (a->time == b->time && a->number < b->number);
}

static void recorded_push(struct heap *h, struct entry entry)
{
    int64_t at = h->count++;

    CS_BLOCK_ROOM(h->entry, at, h->room, 256);
    for (; at > 0 && recorded_before(&entry, &h->entry[(at - 1) / 2]); at = (at - 1) / 2)
        h->entry[at] = h->entry[(at - 1) / 2];
    h->entry[at] = entry;
}

static struct cs_queue_history *recorded_pop(struct heap *h)
{
    struct cs_queue_history *history = h->entry[0].history;
    const struct entry last = h->entry[--h->count];
    int64_t at = 0;

    for (int64_t child = 1; child < h->count; child = 2 * at + 1) {
        child += child + 1 < h->count && recorded_before(&h->entry[child + 1], &h->entry[child]);
        if (!recorded_before(&h->entry[child], &last))
            break;
        h->entry[at] = h->entry[child];
        at = child;
    }
    h->entry[at] = last;
    return history;
}

static double next_of(const struct heap *h)
{
    return h->count ? h->entry[0].time : INFINITY;
}

/* ---- use ---- */

/* `used` processors were in use until `now`. */
static void count_time(struct run *r, double now)
{
    int64_t level = (int64_t)(r->used / r->grain);

    if (!(now > r->now))
        return;
    if (level >= r->levels) {
        const int64_t old = r->levels;

        r->levels = level + level / 2 + 64;
        r->seconds = cs_block_resize(r->seconds, (size_t)r->levels * sizeof *r->seconds);
        for (int64_t i = old; i < r->levels; i++)
            r->seconds[i] = 0;
    }
    r->seconds[level] += now - r->now;
}

static void inspect_use(struct run *r)
{
    struct cs_queue_recorded *result = r->result;

    result->peak = fmax(result->peak, r->used);
    if (r->used <= r->procs)
        return;
    if (!result->over++)
        result->first_over = r->now;
}

static double quantile_of_use(const struct run *r, double q)
{
    double total = 0, sum = 0;

    for (int64_t i = 0; i < r->levels; i++)
        total += r->seconds[i];
    for (int64_t i = 0; i < r->levels; i++) {
        sum += r->seconds[i];
        if (sum >= q * total && total > 0)
            return (double)i * r->grain;
    }
    return 0;
}

/* ---- what happens ---- */

static void report_end(struct run *r, struct cs_queue_history *history)
{
    history->ran = history->end - history->start;
    r->used -= (double)history->job.procs;
    for (int i = 0; i < r->observers; i++)
        if (r->observer[i].ended)
            r->observer[i].ended(r->observer[i].who, history, r->now, true);
    history->job.label = (const char *)(const void *)r->spare;
    r->spare = history;
}

static void report_start(struct run *r, struct cs_queue_history *history)
{
    history->attempt = 1;
    r->used += (double)history->job.procs;
    for (int i = 0; i < r->observers; i++)
        if (r->observer[i].started)
            r->observer[i].started(r->observer[i].who, history, r->now);
    recorded_push(&r->running, (struct entry){history->end, history->number, history});
}

static struct cs_queue_history *new_history(struct run *r)
{
    struct cs_queue_history *history = r->spare;

    if (!history)
        return cs_block_resize(NULL, sizeof *history);
    r->spare = (struct cs_queue_history *)(uintptr_t)history->job.label;
    return history;
}

static void report_arrival(struct run *r, const struct cs_log_job *job)
{
    struct cs_queue_history *history = new_history(r);
    const double start = fmax(job->recorded, job->submit);

    r->result->jobs++;
    r->result->early += job->recorded < job->submit;
    *history = (struct cs_queue_history){
        .job = *job,
        .number = r->number++,
        .request = job->request > 0 ? job->request : job->seconds,
        .estimate = job->request > 0 ? job->request : job->seconds,
        .since = job->submit,
        .start = start,
        .first = start,
        .end = start + job->seconds,
        .promise = NAN,
        .fair = NAN,
    };
    for (int i = 0; i < r->observers; i++)
        if (r->observer[i].arrived)
            r->observer[i].arrived(r->observer[i].who, history, r->now);
    recorded_push(&r->waiting, (struct entry){start, history->number, history});
}

/* ---- the loop ---- */

static int recorded_fetch(struct run *r, cs_log_next_f *next, void *source, struct cs_log_job *job,
                          struct cs_error *err)
{
    int status;

    while ((status = next(source, job, err)) > 0) {
        if (!isnan(job->recorded))
            return 1;
        r->result->unknown++;
        for (int i = 0; i < r->observers; i++)
            if (r->observer[i].left_out)
                r->observer[i].left_out(r->observer[i].who, job);
    }
    return status;
}

static void move_to(struct run *r, double now)
{
    if (r->any)
        count_time(r, now);
    r->any = true;
    r->now = now;
}

static int recorded_run(struct run *r, cs_log_next_f *next, void *source, struct cs_error *err)
{
    struct cs_log_job job;
    int status = recorded_fetch(r, next, source, &job, err);

    while (status > 0 || r->waiting.count || r->running.count) {
        if (status < 0)
            return -1;
        move_to(r, fmin(status > 0 ? job.submit : INFINITY,
                        fmin(next_of(&r->waiting), next_of(&r->running))));
        while (next_of(&r->running) == r->now)
            report_end(r, recorded_pop(&r->running));
        for (; status > 0 && job.submit == r->now;
             status = recorded_fetch(r, next, source, &job, err))
            report_arrival(r, &job);
        while (next_of(&r->waiting) == r->now)
            report_start(r, recorded_pop(&r->waiting));
        inspect_use(r);
        for (int i = 0; i < r->observers; i++)
            if (r->observer[i].instant)
                r->observer[i].instant(r->observer[i].who, r->now);
    }
    return status;
}

static void recorded_release(struct run *r)
{
    while (r->waiting.count)
        cs_block_free(recorded_pop(&r->waiting));
    while (r->running.count)
        cs_block_free(recorded_pop(&r->running));
    while (r->spare) {
        struct cs_queue_history *history = r->spare;

        r->spare = (struct cs_queue_history *)(uintptr_t)history->job.label;
        cs_block_free(history);
    }
    cs_block_free(r->waiting.entry);
    cs_block_free(r->running.entry);
    cs_block_free(r->seconds);
}

int cs_queue_recorded_run(double procs, cs_log_next_f *next, void *source,
                          const struct cs_queue_observer *observer, int observers,
                          struct cs_queue_recorded *result, struct cs_error *err)
{
    struct run r = {
        .procs = procs,
        .observer = observer,
        .observers = observers,
        .result = result,
        .grain = fmax(1, ceil(procs / (double)LEVELS)),
    };
    int status;

    *result = (struct cs_queue_recorded){.first_over = NAN};
    status = recorded_run(&r, next, source, err);
    result->mostly = quantile_of_use(&r, 0.999);
    recorded_release(&r);
    return status;
}
