/* joules.c - the energy of a replay in its window.
 *
 * Source: docs/spec/science.md 5; the window: spec/replay.md 10.1.
 *
 * Idea: an observer of the driver. It integrates used processors over time; with off-after it also
 * keeps, for each node, the number of busy processors and the time at which the last one ended.
 * Time after the last arrival does not count, and which arrival is the last is unknown until the
 * end: the integral is copied at each arrival, and gaps that ended since then wait in a list.
 *
 * Complexity: O(1) for each event, with off-after O(processors of the job).
 */
#include "problems/queue/joules.h"

#include "base/guard.h"
#include "base/sketch.h"
#include "base/vector.h"

#include <math.h>

struct gap {
    double from, to;
};

struct cs_queue_joules {
    struct cs_energy_options options;
    struct cs_queue_window window;
    double procs;
    int nodes;
    int *busy;     /* of each node: processors in use; NULL: no node is ever off */
    double *since; /* of each node without a busy processor */
    bool any, unknown;
    double opened, last, now, used;
    struct cs_neumaier running, at_last; /* processor seconds */
    struct cs_neumaier off;              /* seconds */
    double wakes;
    struct gap *gap; /* that ended at the last arrival or later */
    int gaps, room;
};

struct cs_queue_joules *cs_queue_joules_create(double procs,
                                               const struct cs_energy_options *options,
                                               const struct cs_queue_window *window)
{
    struct cs_queue_joules *j = cs_block_zero(1, sizeof *j);

    j->options = *options;
    j->window = *window;
    j->procs = procs;
    j->nodes = (int)((procs + options->per_node - 1) / options->per_node);
    if (!isnan(options->watts.off_after)) {
        j->busy = cs_block_zero((size_t)j->nodes, sizeof *j->busy);
        j->since = cs_block_zero((size_t)j->nodes, sizeof *j->since);
    }
    return j;
}

void cs_queue_joules_destroy(struct cs_queue_joules *j)
{
    if (!j)
        return;
    cs_block_free(j->busy);
    cs_block_free(j->since);
    cs_block_free(j->gap);
    cs_block_free(j);
}

static double joules_closing(const struct cs_queue_joules *j)
{
    return j->window.cooldown > 0 ? j->window.last - j->window.cooldown : INFINITY;
}

static void joules_advance(struct cs_queue_joules *j, double now)
{
    const double time = fmin(now, joules_closing(j)) - fmax(j->now, j->opened);

    j->now = now;
    if (time > 0)
        cs_neumaier_add(&j->running, j->used * time);
}

/* No processor of a node is busy, which draws power until `end`. */
static void joules_gap(struct cs_queue_joules *j, struct gap gap, double end)
{
    const double time = fmin(gap.to, end) - fmax(gap.from, j->opened);

    if (!(time > j->options.watts.off_after))
        return;
    cs_neumaier_add(&j->off, time - j->options.watts.off_after);
    j->wakes += gap.to < end;
}

static void joules_arrived(void *who, const struct cs_queue_history *history, double now)
{
    struct cs_queue_joules *j = who;
    int left = 0;

    (void)history;
    if (!j->any)
        j->opened = j->now = now + j->window.warmup;
    j->any = true;
    joules_advance(j, now);
    j->at_last = j->running;
    j->last = now;
    for (int g = 0; g < j->gaps; g++)
        if (j->gap[g].to < now)
            joules_gap(j, j->gap[g], joules_closing(j));
        else
            j->gap[left++] = j->gap[g];
    j->gaps = left;
}

static void joules_put_gap(struct cs_queue_joules *j, double from, double to)
{
    if (!(to > from))
        return;
    CS_BLOCK_ROOM(j->gap, j->gaps, j->room, 64);
    j->gap[j->gaps++] = (struct gap){from, to};
}

static void joules_switch(struct cs_queue_joules *j, const struct cs_queue_history *history,
                          double now, int change)
{
    j->unknown |= j->busy && !history->intervals;
    for (int i = 0; j->busy && i < history->intervals; i++)
        for (int p = history->set[i].first; p <= history->set[i].last; p++) {
            const int node = p / j->options.per_node;

            if (change > 0 && !j->busy[node])
                joules_put_gap(j, j->since[node], now);
            j->busy[node] += change;
            if (!j->busy[node])
                j->since[node] = now;
        }
}

static void joules_started(void *who, const struct cs_queue_history *history, double now)
{
    struct cs_queue_joules *j = who;

    joules_advance(j, now);
    j->used += (double)history->job.procs;
    joules_switch(j, history, now, 1);
}

static void joules_ended(void *who, const struct cs_queue_history *history, double now, bool done)
{
    struct cs_queue_joules *j = who;

    (void)done;
    joules_advance(j, now);
    j->used -= (double)history->job.procs;
    joules_switch(j, history, now, -1);
}

struct cs_queue_observer cs_queue_joules_observer(struct cs_queue_joules *j)
{
    return (struct cs_queue_observer){
        .arrived = joules_arrived, .started = joules_started, .ended = joules_ended, .who = j};
}

struct cs_energy cs_queue_joules_finish(struct cs_queue_joules *j)
{
    const struct cs_watts *w = &j->options.watts;
    const double end = fmin(j->last, joules_closing(j)), window = fmax(0, end - j->opened);
    struct cs_energy e = {.until = window};
    double off;

    if (j->unknown || !j->any)
        return (struct cs_energy){NAN, NAN, NAN, NAN, NAN, NAN};
    for (int n = 0; j->busy && n < j->nodes; n++)
        if (!j->busy[n])
            joules_put_gap(j, j->since[n], INFINITY);
    for (int g = 0; g < j->gaps; g++)
        joules_gap(j, j->gap[g], end);
    off = cs_neumaier(&j->off);
    e.busy = (w->busy - w->idle) / j->options.per_node * cs_neumaier(&j->at_last);
    e.idle = w->idle * (j->nodes * window - off);
    e.off = w->off * off;
    e.wake = w->wake * j->wakes;
    e.total = e.busy + e.idle + e.off + e.wake;
    return e;
}
