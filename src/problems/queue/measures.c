/* measures.c - measures of a replay: integrals over time, sums and quantiles over jobs.
 *
 * Source: spec/replay.md 10.1 to 10.3 and 10.5.
 *
 * Idea: an observer of the driver.  At each change it adds (value x time since the last change) to
 * the integrals; a copy of these at the last arrival closes the window.  A job is measured when it
 * is done, if it arrived in the window.
 *
 * Invariants:
 * - `used`, `queue` and `work` hold since `now`; advance() is called before each of them changes.
 * - Jobs that end at one instant are added in the order of their numbers when the instant is over:
 *   the sums do not depend on the order of events within an instant.
 * - Overtakes and jobs that fit are counted with Fenwick trees over the numbers that never
 *   started, and over the widths that wait.
 *
 * Complexity: O(log n) for each event, n jobs that wait; a new width or full seats O(n log n),
 * rarely.
 *
 * Constant                                         | found               | at half, at double
 * EXACT: 2^20 values, then quantiles from a sketch | spec/replay.md 10.3 | not measured
 * 10 s: least run time in the bounded slowdown     | spec/replay.md 10.2 | not measured
 */
#include "problems/queue/measures.h"
#include "base/guard.h"
#include "base/sketch.h"
#include "base/stats.h"
#include "base/vector.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Batch means of a stream: confidence interval of a mean of correlated values.
 *
 * Source: spec/replay.md 10.3 (confidence): the method of batch means.
 *
 * Idea: values go to batches of equal size by their place; when CS_QUEUE_BATCHES would not be
 * enough, neighbours are joined and the size doubles.  In the end batches are joined until at most
 * MOST are complete; their means give a Student interval and a lag-1 autocorrelation.
 *
 * Invariants: the size is a power of two times the first size; a join adds neighbours, so sums are
 * those of all values in the batch.
 *
 * Complexity: O(1) for each value (amortised), fixed memory.
 *
 * Constant                                         | found               | at half, at double
 * MOST: 40 batches in the end                      | spec/replay.md 10.3 | not measured
 * FEWEST: 40 values, fewer give no interval        | spec/replay.md 10.3 | not measured
 * CS_QUEUE_BATCHES: 80 batches while values arrive | spec/replay.md 10.3 | not measured
 */

#define MOST 40
#define FEWEST 40

static void batches_join(struct cs_queue_batches *b)
{
    for (int i = 0; i < CS_QUEUE_BATCHES / 2; i++) {
        b->sum[i] = b->sum[2 * i] + b->sum[2 * i + 1];
        b->full[i] = b->full[2 * i] + b->full[2 * i + 1];
    }
    for (int i = CS_QUEUE_BATCHES / 2; i < CS_QUEUE_BATCHES; i++) {
        b->sum[i] = 0;
        b->full[i] = 0;
    }
    b->size *= 2;
}

void cs_queue_batches_add(struct cs_queue_batches *b, int64_t place, double value)
{
    while (place / b->size >= CS_QUEUE_BATCHES)
        batches_join(b);
    b->sum[place / b->size] += value;
    b->full[place / b->size]++;
    b->count++;
}

/* The mean of neighbours' products of distances to the mean, over that of squares. */
static double batches_autocorrelation(const double *x, int n, double mean)
{
    double products = 0, squares = 0;

    for (int i = 0; i < n; i++) {
        squares += (x[i] - mean) * (x[i] - mean);
        if (i + 1 < n)
            products += (x[i] - mean) * (x[i + 1] - mean);
    }
    return squares > 0 ? products / squares : 0;
}

struct cs_queue_confidence cs_queue_batches_finish(struct cs_queue_batches *b)
{
    struct cs_stats stats = {0};
    double mean[MOST];
    int n;

    if (b->count < FEWEST)
        return (struct cs_queue_confidence){0, 0, NAN, NAN};
    while (b->count / b->size > MOST)
        batches_join(b);
    n = (int)(b->count / b->size);
    for (int i = 0; i < n; i++) {
        mean[i] = b->sum[i] / (double)b->size;
        cs_stats_add(&stats, mean[i]);
    }
    return (struct cs_queue_confidence){
        .batch = b->size,
        .count = n,
        .half = n > 1
                    ? cs_stats_student(0.95, (uint64_t)n - 1) * sqrt(cs_stats_variance(&stats) / n)
                    : NAN,
        .related = batches_autocorrelation(mean, n, stats.mean),
    };
}

/* Fenwick's trees that are built again when they are full. */

/* How many jobs of each width wait.  Start with { 0 }. */
struct cs_queue_widths {
    int count, room;
    int64_t *width; /* ascending */
    int64_t *sum;   /* Fenwick's tree over them, from 1 */
};

/* The numbers of jobs that have never started.  Start with { 0 }. */
struct cs_queue_numbers {
    int64_t room, used, count; /* seats; given out; that are taken */
    int64_t *number;           /* of each seat, ascending */
    int64_t *sum;              /* Fenwick's tree over the seats that are taken, from 1 */
};

static int64_t *measures_resized(int64_t *memory, int64_t count)
{
    return cs_block_resize(memory, (size_t)count * sizeof *memory);
}

static void measures_add(int64_t *sum, int64_t room, int64_t at, int64_t change)
{
    for (at++; at <= room; at += at & -at)
        sum[at] += change;
}

/* Of the first `count`. */
static int64_t measures_total(const int64_t *sum, int64_t count)
{
    int64_t result = 0;

    for (; count > 0; count -= count & -count)
        result += sum[count];
    return result;
}

/* The first of `count` ascending values that is `value` or more. */
static int64_t measures_find(const int64_t *list, int64_t count, int64_t value)
{
    int64_t low = 0, high = count;

    while (low < high) {
        const int64_t middle = (low + high) / 2;

        if (list[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- widths ---- */

static void insert_width(struct cs_queue_widths *w, int64_t at, int64_t width)
{
    int64_t *each = measures_resized(NULL, w->count + 1);

    for (int i = 0; i < w->count; i++)
        each[i] = measures_total(w->sum, i + 1) - measures_total(w->sum, i);
    if (w->count == w->room) {
        w->room = w->room ? 2 * w->room : 64;
        w->width = measures_resized(w->width, w->room);
        w->sum = measures_resized(w->sum, w->room + 1);
    }
    memmove(w->width + at + 1, w->width + at, (size_t)(w->count - at) * sizeof *w->width);
    w->width[at] = width;
    w->count++;
    memset(w->sum, 0, (size_t)(w->room + 1) * sizeof *w->sum);
    for (int i = 0, old = 0; i < w->count; i++)
        if (i != at)
            measures_add(w->sum, w->room, i, each[old++]);
    cs_block_free(each);
}

static void queue_widths_add(struct cs_queue_widths *w, int64_t width, int change)
{
    int64_t at = measures_find(w->width, w->count, width);

    if (at == w->count || w->width[at] != width)
        insert_width(w, at, width);
    measures_add(w->sum, w->room, at, change);
}

static int64_t queue_widths_at_most(const struct cs_queue_widths *w, int64_t width)
{
    return measures_total(w->sum, measures_find(w->width, w->count, width + 1));
}

static void queue_widths_release(struct cs_queue_widths *w)
{
    cs_block_free(w->width);
    cs_block_free(w->sum);
    *w = (struct cs_queue_widths){0};
}

/* ---- numbers ---- */

/* Seats for those that are left, and as many more. */
static void seat_again(struct cs_queue_numbers *n)
{
    int64_t used = 0;

    for (int64_t i = 0; i < n->used; i++)
        if (measures_total(n->sum, i + 1) > measures_total(n->sum, i))
            n->number[used++] = n->number[i];
    n->used = used;
    if (n->room < 2 * used + 64) {
        n->room = 4 * used + 1024;
        n->number = measures_resized(n->number, n->room);
        n->sum = measures_resized(n->sum, n->room + 1);
    }
    memset(n->sum, 0, (size_t)(n->room + 1) * sizeof *n->sum);
    for (int64_t i = 0; i < used; i++)
        measures_add(n->sum, n->room, i, 1);
}

/* Numbers must ascend. */
static void queue_numbers_add(struct cs_queue_numbers *n, int64_t number)
{
    if (n->used == n->room)
        seat_again(n);
    n->number[n->used] = number;
    measures_add(n->sum, n->room, n->used++, 1);
    n->count++;
}

static void queue_numbers_remove(struct cs_queue_numbers *n, int64_t number)
{
    measures_add(n->sum, n->room, measures_find(n->number, n->used, number), -1);
    n->count--;
}

static int64_t queue_numbers_below(const struct cs_queue_numbers *n, int64_t number)
{
    return n->count ? measures_total(n->sum, measures_find(n->number, n->used, number)) : 0;
}

static void queue_numbers_release(struct cs_queue_numbers *n)
{
    cs_block_free(n->number);
    cs_block_free(n->sum);
    *n = (struct cs_queue_numbers){0};
}

#define EXACT ((int64_t)1 << 20)

/* Integrals over time from the beginning of the window on. */
struct integrals {
    struct cs_neumaier used, lost, queue, work, unexplained;
};

/* A job that is done, until its instant is over. */
struct done {
    int64_t number;
    double wait, slowdown, each, response, area, late; /* after the fair start; NaN: not known */
};

struct cs_queue_measures {
    double procs;
    struct cs_queue_window window;
    struct cs_queue_measured sums;
    bool any;
    double now, opened; /* the window's beginning */
    int64_t first_number;
    double used, work; /* now: processors; request x processors of those that wait */
    int64_t queue;
    struct integrals running, at_last; /* up to now; up to the last arrival */
    struct cs_queue_widths widths;
    struct cs_queue_numbers numbers;
    struct cs_sketch waits, slowdowns;
    struct cs_neumaier wait, slowdown, each, response, weighted, area, late;
    struct cs_queue_batches wait_batches, slowdown_batches;
    double last_end;
    struct done *done;
    int64_t *started; /* numbers, at this instant, for the first time */
    int dones, done_room, starts, start_room;
};

struct cs_queue_measures *cs_queue_measures_create(double procs,
                                                   const struct cs_queue_window *window)
{
    struct cs_queue_measures *m = cs_block_zero(1, sizeof *m);

    m->procs = procs;
    m->window = *window;
    m->waits.most = m->slowdowns.most = EXACT;
    m->wait_batches.size = m->slowdown_batches.size = 1;
    return m;
}

void cs_queue_measures_destroy(struct cs_queue_measures *m)
{
    if (!m)
        return;
    queue_widths_release(&m->widths);
    queue_numbers_release(&m->numbers);
    cs_sketch_release(&m->waits);
    cs_sketch_release(&m->slowdowns);
    cs_block_free(m->done);
    cs_block_free(m->started);
    cs_block_free(m);
}

/* The end of the window; what runs after the last arrival is cut off in the end. */
static double measures_closing(const struct cs_queue_measures *m)
{
    return m->window.cooldown > 0 ? m->window.last - m->window.cooldown : INFINITY;
}

/* Advance the integrals to `now`; the state has been constant since `m->now`. */
static void measures_advance(struct cs_queue_measures *m, double now)
{
    const double from = fmax(m->now, m->opened), to = fmin(now, measures_closing(m)),
                 time = to - from;
    const double free = m->procs - m->used;
    int64_t fits;

    m->now = now;
    if (!(time > 0))
        return;
    cs_neumaier_add(&m->running.used, m->used * time);
    if (m->queue == 0)
        return;
    fits = free > 0 ? queue_widths_at_most(&m->widths, (int64_t)free) : 0;
    cs_neumaier_add(&m->running.queue, (double)m->queue * time);
    cs_neumaier_add(&m->running.work, m->work * time);
    if (fits > 0) {
        cs_neumaier_add(&m->running.lost, free * time);
        cs_neumaier_add(&m->running.unexplained, (double)fits * time);
    }
}

static bool is_measured(const struct cs_queue_measures *m, double arrival)
{
    return arrival >= m->opened && arrival <= measures_closing(m);
}

static void measures_wait(struct cs_queue_measures *m, const struct cs_queue_history *history,
                          int change)
{
    m->queue += change;
    m->work += change * (history->request > 0 ? history->request : 0) * (double)history->job.procs;
    if (m->queue == 0)
        m->work = 0;
    queue_widths_add(&m->widths, history->job.procs, change);
}

static void measures_arrived(void *who, const struct cs_queue_history *history, double now)
{
    struct cs_queue_measures *m = who;

    if (!m->any) {
        m->sums.first = m->now = now;
        m->opened = now + m->window.warmup;
        m->last_end = now;
        m->first_number = -1;
    }
    m->any = true;
    measures_advance(m, now);
    m->at_last = m->running;
    m->sums.last = now;
    if (m->first_number < 0 && is_measured(m, now))
        m->first_number = history->number;
    measures_wait(m, history, 1);
    queue_numbers_add(&m->numbers, history->number);
}

static void measures_started(void *who, const struct cs_queue_history *history, double now)
{
    struct cs_queue_measures *m = who;

    measures_advance(m, now);
    measures_wait(m, history, -1);
    m->used += (double)history->job.procs;
    if (history->attempt > 1)
        return;
    queue_numbers_remove(&m->numbers, history->number);
    CS_BLOCK_ROOM(m->started, m->starts, m->start_room, 64);
    m->started[m->starts++] = history->number;
    if (history->start - history->promise > m->sums.late)
        m->sums.late = history->start - history->promise;
}

double cs_queue_history_wait(const struct cs_queue_history *history)
{
    return history->end - history->job.submit - history->ran;
}

double cs_queue_history_slowdown(const struct cs_queue_history *history)
{
    return fmax(1, (history->end - history->job.submit) / fmax(history->end - history->start, 10));
}

static void measures_ended(void *who, const struct cs_queue_history *history, double now, bool done)
{
    struct cs_queue_measures *m = who;
    const double procs = (double)history->job.procs, r = history->end - history->start;
    const double response = history->end - history->job.submit;

    measures_advance(m, now);
    m->used -= procs;
    if (!done) {
        measures_wait(m, history, 1);
        return;
    }
    m->last_end = fmax(m->last_end, now);
    if (!is_measured(m, history->job.submit))
        return;
    CS_BLOCK_ROOM(m->done, m->dones, m->done_room, 64);
    m->done[m->dones++] = (struct done){
        .number = history->number,
        .wait = cs_queue_history_wait(history),
        .slowdown = cs_queue_history_slowdown(history),
        .each = fmax(1, response / (procs * fmax(r, 10))),
        .response = response,
        .area = procs * r,
        .late = history->first - history->fair,
    };
}

static void rigid_measure(struct cs_queue_measures *m, const struct done *d)
{
    const int64_t place = d->number - m->first_number;

    m->sums.jobs++;
    cs_neumaier_add(&m->wait, d->wait);
    cs_neumaier_add(&m->slowdown, d->slowdown);
    cs_neumaier_add(&m->each, d->each);
    cs_neumaier_add(&m->response, d->response);
    cs_neumaier_add(&m->weighted, d->wait * d->area);
    cs_neumaier_add(&m->area, d->area);
    if (!isnan(d->late)) {
        m->sums.fair_jobs++;
        m->sums.unfair_jobs += d->late > 0;
        cs_neumaier_add(&m->late, fmax(0, d->late));
    }
    cs_sketch_add(&m->waits, d->wait);
    cs_sketch_add(&m->slowdowns, d->slowdown);
    cs_queue_batches_add(&m->wait_batches, place, d->wait);
    cs_queue_batches_add(&m->slowdown_batches, place, d->slowdown);
}

static int by_number(const void *a, const void *b)
{
    const int64_t x = ((const struct done *)a)->number, y = ((const struct done *)b)->number;

    return (x > y) - (x < y);
}

static void measures_instant(void *who, double now)
{
    struct cs_queue_measures *m = who;

    measures_advance(m, now);
    if (m->queue > m->sums.longest_queue && now >= m->opened && now <= measures_closing(m))
        m->sums.longest_queue = m->queue;
    for (int i = 0; i < m->starts; i++)
        m->sums.overtakes += queue_numbers_below(&m->numbers, m->started[i]);
    m->starts = 0;
    if (m->dones > 1)
        qsort(m->done, (size_t)m->dones, sizeof *m->done, by_number);
    for (int i = 0; i < m->dones; i++)
        rigid_measure(m, &m->done[i]);
    m->dones = 0;
}

struct cs_queue_observer cs_queue_measures_observer(struct cs_queue_measures *m)
{
    return (struct cs_queue_observer){
        .arrived = measures_arrived,
        .started = measures_started,
        .ended = measures_ended,
        .instant = measures_instant,
        .who = m,
    };
}

static void finish_jobs(struct cs_queue_measures *m, struct cs_queue_measured *out)
{
    const double n = out->jobs ? (double)out->jobs : NAN;

    out->total_wait = cs_neumaier(&m->wait);
    out->mean_wait = out->total_wait / n;
    out->median_wait = cs_sketch_quantile(&m->waits, 0.5);
    out->p95_wait = cs_sketch_quantile(&m->waits, 0.95);
    out->p99_wait = cs_sketch_quantile(&m->waits, 0.99);
    out->longest_wait = cs_sketch_quantile(&m->waits, 1);
    out->area_weighted_wait = out->jobs ? cs_neumaier(&m->weighted) / cs_neumaier(&m->area) : NAN;
    out->mean_slowdown = cs_neumaier(&m->slowdown) / n;
    out->median_slowdown = cs_sketch_quantile(&m->slowdowns, 0.5);
    out->p95_slowdown = cs_sketch_quantile(&m->slowdowns, 0.95);
    out->per_processor_slowdown = cs_neumaier(&m->each) / n;
    out->mean_response = cs_neumaier(&m->response) / n;
    out->mean_unfairness = out->fair_jobs ? cs_neumaier(&m->late) / (double)out->fair_jobs : NAN;
    out->approximate = cs_sketch_packed(&m->waits);
    out->wait = cs_queue_batches_finish(&m->wait_batches);
    out->slowdown = cs_queue_batches_finish(&m->slowdown_batches);
}

static void finish_machine(const struct cs_queue_measures *m, struct cs_queue_measured *out)
{
    const struct integrals *sum = &m->at_last;
    double time;

    out->window = m->any ? fmax(0, fmin(out->last, measures_closing(m)) - m->opened) : 0;
    time = out->window > 0 ? out->window : NAN;
    out->utilisation = cs_neumaier(&sum->used) / (m->procs * time);
    out->loss_of_capacity = cs_neumaier(&sum->lost) / (m->procs * time);
    out->mean_queue = cs_neumaier(&sum->queue) / time;
    out->queued_work = cs_neumaier(&sum->work) / time;
    out->jobs_a_day = (double)out->jobs / (time / 86400);
    out->processor_hours_a_day = cs_neumaier(&sum->used) / 3600 / (time / 86400);
    out->makespan = m->any ? m->last_end - out->first : 0;
}

void cs_queue_measures_finish(struct cs_queue_measures *m, struct cs_queue_measured *out)
{
    *out = m->sums;
    finish_jobs(m, out);
    finish_machine(m, out);
    out->unexplained_wait = cs_neumaier(&m->running.unexplained);
}

double cs_queue_measures_wait_share(struct cs_queue_measures *m, double value)
{
    return cs_sketch_share(&m->waits, value);
}

double cs_queue_measures_slowdown_share(struct cs_queue_measures *m, double value)
{
    return cs_sketch_share(&m->slowdowns, value);
}
