/* energy.c - the energy that a file declares, computed again from its bars.
 *
 * Source: docs/spec/science.md 5 and 12 (Checker). Node by node: the times in which some of its
 * processors are busy, sorted and merged; what is left until the end are gaps. No code is shared
 * with model/energy.c, which passes over the bars once.
 *
 * Complexity: O(s log s) for s stretches: bars times the nodes that each covers.
 */
#include "check/known.h"

#include "check/report.h"
#include "model/bars.h"
#include "model/energy.h"

#include <math.h>
#include <stdlib.h>

struct stretch {
    long long node;
    double start, end;
    int procs;
};

struct node_sums {
    double busy, idle, off, wake;
};

static int stretch_compare(const void *a, const void *b)
{
    const struct stretch *x = a, *y = b;

    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return (x->start > y->start) - (x->start < y->start);
}

/* The stretches of one bar on the processors of a cluster; without `out` one for each processor. */
static size_t stretch_of(const struct cs_bar *bar, const struct cs_cluster *of, int per_node,
                         struct stretch *out)
{
    size_t count = 0;

    for (int i = 0; i < bar->intervals; i++)
        for (int p = bar->procs[i].first; p <= bar->procs[i].last; p++) {
            const int at = p - of->first;

            if (at < 0 || at >= of->procs)
                continue;
            if (count > 0 && (out ? out[count - 1].node : -1) == at / per_node)
                out[count - 1].procs++;
            else if (out)
                out[count++] = (struct stretch){at / per_node, bar->start, bar->end, 1};
            else
                count++;
        }
    return count;
}

static size_t stretch_collect(const struct cs_schedule *schedule, const struct cs_cluster *of,
                              int per_node, struct stretch *out)
{
    size_t bars, count = 0;
    const struct cs_bar *bar = cs_schedule_bars(schedule, &bars);

    for (size_t b = 0; b < bars; b++)
        if (bar[b].kind != CS_BAR_DOWNTIME && bar[b].end > bar[b].start)
            count += stretch_of(&bar[b], of, per_node, out ? out + count : NULL);
    return count;
}

static void energy_gap(const struct cs_watts *w, double gap, bool wakes, struct node_sums *sum)
{
    if (!(gap > w->off_after)) {
        sum->idle += w->idle * gap;
        return;
    }
    sum->idle += w->idle * w->off_after;
    sum->off += w->off * (gap - w->off_after);
    sum->wake += wakes ? w->wake : 0;
}

/* The stretches of one node, sorted; returns how many. */
static size_t energy_node(const struct cs_energy_declared *d, const struct cs_watts *w,
                          const struct stretch *s, size_t left, struct node_sums *sum)
{
    double reached = 0;
    size_t i = 0;

    for (; i < left && s[i].node == s->node; i++) {
        const double fresh = fmax(s[i].end - fmax(s[i].start, reached), 0);

        if (s[i].start > reached)
            energy_gap(w, s[i].start - reached, true, sum);
        sum->busy +=
            (w->busy - w->idle) * s[i].procs / d->options.per_node * (s[i].end - s[i].start);
        sum->idle += w->idle * fresh;
        reached = fmax(reached, s[i].end);
    }
    energy_gap(w, d->energy.until - reached, false, sum);
    return i;
}

static void energy_cluster(const struct cs_schedule_file *file, const struct cs_cluster *of,
                           struct node_sums *sum)
{
    const struct cs_energy_declared *d = file->energy;
    const int nodes = (of->procs + d->options.per_node - 1) / d->options.per_node;
    struct cs_watts w = d->options.watts;
    struct cs_arena *arena = cs_arena_create();
    size_t count = stretch_collect(file->schedule, of, d->options.per_node, NULL), used = 0;
    struct stretch *s = CS_NEW_ARRAY(arena, struct stretch, count + 1);
    int seen = 0;

    if (of->watts.busy > 0)
        w = (struct cs_watts){of->watts.busy, of->watts.idle, of->watts.off, w.off_after, w.wake};
    count = stretch_collect(file->schedule, of, d->options.per_node, s);
    qsort(s, count, sizeof *s, stretch_compare);
    for (; used < count; seen++)
        used += energy_node(d, &w, s + used, count - used, sum);
    for (; seen < nodes; seen++)
        energy_gap(&w, d->energy.until, false, sum);
    cs_arena_destroy(arena);
}

static void energy_compare(struct cs_check_report *report, const char *part, double declared,
                           double want, double scale)
{
    if (!(fabs(declared - want) <= 1e-9 * scale))
        cs_check_add(report, CS_VIOLATION_DECLARED_ENERGY, -1, want,
                     "energy: %s is %.15g J, the bars need %.15g J", part, declared, want);
}

#define ENERGY_MOST 100000000 /* stretches of single processors */

/* Why it cannot be judged; NULL: it can. */
static const char *energy_unjudged(const struct cs_schedule *schedule,
                                   const struct cs_energy_options *options)
{
    const bool numbers =
        !isnan(options->watts.off_after) || options->per_node > 1 || cs_schedule_platform(schedule);
    size_t bars;
    const struct cs_bar *bar = cs_schedule_bars(schedule, &bars);
    long long all = 0;

    for (size_t b = 0; b < bars; b++) {
        if (bar[b].count && numbers)
            return "its energy was not judged: it has no numbers of processors";
        all += bar[b].count ? 0 : cs_bar_procs(&bar[b]);
    }
    return all > ENERGY_MOST ? "its energy was not judged, which would take too long" : NULL;
}

/* The busy part of bars without numbers of processors, one to a node. */
static double energy_of_counts(const struct cs_schedule *schedule, const struct cs_watts *w)
{
    size_t bars;
    const struct cs_bar *bar = cs_schedule_bars(schedule, &bars);
    double sum = 0;

    for (size_t b = 0; b < bars; b++)
        if (bar[b].kind != CS_BAR_DOWNTIME)
            sum += (w->busy - w->idle) * bar[b].count * (bar[b].end - bar[b].start);
    return sum;
}

void cs_check_energy(const struct cs_schedule_file *file, struct cs_check_report *report)
{
    const struct cs_energy_declared *d = file->energy;
    const struct cs_platform *platform = d ? cs_schedule_platform(file->schedule) : NULL;
    const double makespan = d ? cs_schedule_makespan(file->schedule) : 0;
    const char *unjudged = d ? energy_unjudged(file->schedule, &d->options) : NULL;
    struct node_sums sum = {0};

    if (!d)
        return;
    if (unjudged) {
        cs_check_note(report, unjudged);
        return;
    }
    sum.busy = energy_of_counts(file->schedule, &d->options.watts);
    if (d->energy.until < makespan)
        cs_check_add(report, CS_VIOLATION_DECLARED_ENERGY, -1, makespan,
                     "energy: until is %.15g s, before the makespan, %.15g s", d->energy.until,
                     makespan);
    for (int k = 0; k < (platform ? platform->clusters : 1); k++)
        energy_cluster(file,
                       platform ? &platform->cluster[k]
                                : &(struct cs_cluster){.procs = cs_schedule_procs(file->schedule)},
                       &sum);
    const double total = sum.busy + sum.idle + sum.off + sum.wake;

    energy_compare(report, "busy", d->energy.busy, sum.busy, total);
    energy_compare(report, "idle", d->energy.idle, sum.idle, total);
    energy_compare(report, "off", d->energy.off, sum.off, total);
    energy_compare(report, "wake", d->energy.wake, sum.wake, total);
    energy_compare(report, "joules", d->energy.total, total, total);
}
