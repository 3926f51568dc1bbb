/* ptg.c - a schedule of task graphs: durations, one cluster a task, data there in time.
 *
 * The time of a transfer is worked out part by part: who has which interval of the data, who wants
 * which, and what each link has to carry.  That is long for wide tasks, so an arc is only looked at
 * closely when its task does not wait as long as the transfer could take at most.
 */
#include "base/arena.h"
#include "base/guard.h"
#include "base/plain.h"
#include "check/bound.h"
#include "check/check.h"
#include "check/report.h"
#include "model/bars.h"
#include "model/procset.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* the names of a schedule of task graphs: GRAPH/TASK, in the order of the graphs.
 *
 * A slash in the name of a graph is an underscore there, and where two graphs have one name each
 * has its number behind it: GRAPH#NUMBER/TASK.
 */

/* The schedule has as many tasks as the graphs. */
void cs_check_ptg_names(const struct cs_schedule *schedule, const struct cs_ptg_declared *declared,
                        struct cs_arena *scratch, struct cs_check_report *report);

static char letter_of(char c)
{
    return (char)(c == '/' ? '_' : c);
}

static int by_name(const void *a, const void *b)
{
    const char *x = (*(const struct cs_graph *const *)a)->name;
    const char *y = (*(const struct cs_graph *const *)b)->name;

    for (; *x && letter_of(*x) == letter_of(*y); x++)
        y++;
    return (letter_of(*x) > letter_of(*y)) - (letter_of(*x) < letter_of(*y));
}

static bool have_twins(const struct cs_ptg_declared *d, struct cs_arena *arena)
{
    const struct cs_graph **graph = CS_NEW_ARRAY(arena, const struct cs_graph *, d->graphs);

    for (int g = 0; g < d->graphs; g++)
        graph[g] = d->graph[g];
    qsort(graph, (size_t)d->graphs, sizeof(const struct cs_graph *), by_name);
    for (int g = 1; g < d->graphs; g++)
        if (by_name(&graph[g - 1], &graph[g]) == 0)
            return true;
    return false;
}

/* The prefix of the names of the tasks of a graph. */
static char *prefix_of(const struct cs_graph *graph, int number, bool numbered,
                       struct cs_arena *arena)
{
    size_t length = strlen(graph->name), room = length + 16;
    char *prefix = cs_arena_alloc(arena, room, 1);

    for (size_t i = 0; i < length; i++)
        prefix[i] = letter_of(graph->name[i]);
    if (numbered)
        cs_plain_print(prefix + length, room - length, "#%d/", number);
    else
        cs_plain_print(prefix + length, room - length, "/");
    return prefix;
}

static void ptg_names_check_graph(const struct cs_schedule *schedule, const struct cs_graph *graph,
                                  int first, const char *prefix, struct cs_check_report *report)
{
    size_t length = strlen(prefix);

    for (int v = 0; v < graph->tasks; v++) {
        const char *name = cs_schedule_task_name(schedule, first + v);

        if (strncmp(name, prefix, length) != 0 || strcmp(name + length, graph->task[v].name) != 0)
            cs_check_add(report, CS_VIOLATION_INSTANCE, first + v, NAN,
                         "task %d is \"%.60s\" in the schedule and \"%.60s%.60s\" in the graphs",
                         first + v, name, prefix, graph->task[v].name);
    }
}

void cs_check_ptg_names(const struct cs_schedule *schedule, const struct cs_ptg_declared *declared,
                        struct cs_arena *scratch, struct cs_check_report *report)
{
    bool numbered = have_twins(declared, scratch);
    int first = 0;

    for (int g = 0; g < declared->graphs; g++) {
        ptg_names_check_graph(schedule, declared->graph[g], first,
                              prefix_of(declared->graph[g], g, numbered, scratch), report);
        first += declared->graph[g]->tasks;
    }
}

#define SAME 1e-9 /* relative difference of times that count as equal */

struct check {
    const struct cs_schedule *schedule;
    const struct cs_ptg_declared *declared;
    const struct cs_platform *platform;
    const struct cs_bar **bar; /* by task: the first bar of work with a usable set; or NULL */
    struct cs_check_report *report;
    struct cs_arena *scratch;
};

static const char *ptg_name_of(const struct check *c, int task)
{
    return cs_schedule_task_name(c->schedule, task);
}

static bool zero_length(const struct cs_bar *bar)
{
    return bar->start == bar->end && isfinite(bar->start) && bar->start >= 0;
}

static bool ptg_usable(const struct check *c, const struct cs_bar *bar)
{
    return bar->intervals > 0 && cs_procset_well_formed(bar->procs, bar->intervals) &&
           bar->procs[bar->intervals - 1].last < cs_schedule_procs(c->schedule) &&
           isfinite(bar->start) && isfinite(bar->end);
}

/* The rules of every schedule, for the bars that have a length; those of tasks without work have
 * none and conflict with no other bar. */
static void check_bars(const struct check *c)
{
    int tasks = cs_schedule_tasks(c->schedule);
    const char **name = CS_NEW_ARRAY(c->scratch, const char *, tasks);
    struct cs_schedule *copy;
    size_t bars;
    const struct cs_bar *bar = cs_schedule_bars(c->schedule, &bars);

    for (int v = 0; v < tasks; v++)
        name[v] = ptg_name_of(c, v);
    copy = cs_schedule_create("ptg", cs_schedule_procs(c->schedule), tasks, name);
    for (size_t i = 0; i < bars; i++)
        if (!zero_length(&bar[i]))
            cs_schedule_add(copy, &bar[i], NULL);
        else if (!ptg_usable(c, &bar[i]))
            cs_check_add(c->report, CS_VIOLATION_PROC_SET, bar[i].task, bar[i].start,
                         "task \"%.60s\" at %.15g s has no set of processors of this platform",
                         ptg_name_of(c, bar[i].task), bar[i].start);
    cs_check_general(copy, true, c->report);
    cs_schedule_destroy(copy);
}

static void check_cluster(const struct check *c, const struct cs_bar *bar)
{
    int first = cs_platform_cluster_of(c->platform, bar->procs[0].first);
    int last = cs_platform_cluster_of(c->platform, bar->procs[bar->intervals - 1].last);

    if (first != last)
        cs_check_add(c->report, CS_VIOLATION_CLUSTER, bar->task, bar->start,
                     "task \"%.60s\" runs on clusters %.40s and %.40s at the same time: it must "
                     "stay on one",
                     ptg_name_of(c, bar->task), c->platform->cluster[first].name,
                     c->platform->cluster[last].name);
    else if (bar->group != first)
        cs_check_add(c->report, CS_VIOLATION_CLUSTER, bar->task, bar->start,
                     "task \"%.60s\" runs on cluster %d, its bar has group %d",
                     ptg_name_of(c, bar->task), first, bar->group);
}

static void check_duration(const struct check *c, const struct cs_bar *bar,
                           const struct cs_graph_task *task)
{
    int k = cs_platform_cluster_of(c->platform, bar->procs[0].first);
    double procs = (double)cs_bar_procs(bar);
    double sequential = task->flops / c->platform->cluster[k].speed;
    double seconds = (task->alpha + (1 - task->alpha) / procs) * sequential;
    double end = bar->start + seconds;

    if (!(isfinite(end) && fabs(bar->end - end) <= 1e-12 * seconds + 4 * 0x1p-52 * fabs(end)))
        cs_check_add(
            c->report, CS_VIOLATION_DURATION, bar->task, bar->start,
            "task \"%.60s\" takes %.15g s on %.0f processors of cluster %.40s: it must take "
            "%.15g s",
            ptg_name_of(c, bar->task), bar->end - bar->start, procs, c->platform->cluster[k].name,
            seconds);
}

/* If a task has a memory demand and its cluster a memory size. */
static void check_memory(const struct check *c, const struct cs_bar *bar,
                         const struct cs_graph_task *task)
{
    int k = cs_platform_cluster_of(c->platform, bar->procs[0].first);
    double procs = (double)cs_bar_procs(bar);
    double memory = procs * c->platform->cluster[k].memory;

    if (memory > 0 && memory * (1 + 1e-6) < task->memory)
        cs_check_add(c->report, CS_VIOLATION_TOO_FEW_PROCS, bar->task, bar->start,
                     "task \"%.60s\" needs %.10g bytes of memory: %.0f processors of cluster %.40s "
                     "have %.10g",
                     ptg_name_of(c, bar->task), task->memory, procs, c->platform->cluster[k].name,
                     memory);
}

/* Which bar is whose, and what holds for each alone. */
static void check_tasks(struct check *c)
{
    size_t bars;
    const struct cs_bar *bar = cs_schedule_bars(c->schedule, &bars);
    int *count = CS_NEW_ARRAY(c->scratch, int, cs_schedule_tasks(c->schedule));

    for (size_t i = 0; i < bars; i++) {
        int v = bar[i].task;

        if (bar[i].kind != CS_BAR_WORK)
            cs_check_add(c->report, CS_VIOLATION_BAR_KIND, v, bar[i].start,
                         "task \"%.60s\" has a bar of kind %s at %.15g s: only work is expected",
                         ptg_name_of(c, v), cs_bar_kind_name(bar[i].kind), bar[i].start);
        if (++count[v] == 1 && ptg_usable(c, &bar[i]))
            c->bar[v] = &bar[i];
    }
    for (int v = 0; v < cs_schedule_tasks(c->schedule); v++)
        if (count[v] == 0)
            cs_check_add(c->report, CS_VIOLATION_TASK_MISSING, v, NAN, "task \"%.60s\" never runs",
                         ptg_name_of(c, v));
        else if (count[v] > 1)
            cs_check_add(c->report, CS_VIOLATION_TASK_REPEATED, v, NAN,
                         "task \"%.60s\" runs %d times: once is expected", ptg_name_of(c, v),
                         count[v]);
}

/* One side of a transfer: what its processors are, in order. */
static int *list_of(const struct cs_bar *bar, long long count, struct cs_arena *scratch)
{
    int *list = CS_NEW_ARRAY(scratch, int, count), at = 0;

    for (int i = 0; i < bar->intervals; i++)
        for (int p = bar->procs[i].first; p <= bar->procs[i].last; p++)
            list[at++] = p;
    return list;
}

/* Bytes that the busiest sender and receiver and all together have to move. */
struct load {
    double sender, receiver, all;
};

static struct load load_of(const struct check *c, double bytes, const struct cs_bar *from,
                           const struct cs_bar *to)
{
    struct cs_arena_mark mark = cs_arena_mark(c->scratch);
    long long p = cs_bar_procs(from);
    long long q = cs_bar_procs(to), i = 0, j = 0, at = 0;
    const int *source = list_of(from, p, c->scratch), *target = list_of(to, q, c->scratch);
    double *sent = CS_NEW_ARRAY(c->scratch, double, p), unit = bytes / ((double)p * (double)q);
    double *got = CS_NEW_ARRAY(c->scratch, double, q);
    struct load load = {0};

    while (i < p && j < q) {
        long long end = (i + 1) * q < (j + 1) * p ? (i + 1) * q : (j + 1) * p;

        if (source[i] != target[j]) {
            sent[i] += (double)(end - at) * unit;
            got[j] += (double)(end - at) * unit;
            load.all += (double)(end - at) * unit;
        }
        at = end;
        i += at == (i + 1) * q;
        j += at == (j + 1) * p;
    }
    for (i = 0; i < p; i++)
        load.sender = fmax(load.sender, sent[i]);
    for (j = 0; j < q; j++)
        load.receiver = fmax(load.receiver, got[j]);
    cs_arena_rewind(c->scratch, mark);
    return load;
}

/* Seconds between these clusters for this load; fans are how often it shares its links. */
static double seconds_of(const struct check *c, const struct load *load, int from, int to,
                         int fan_out, int fan_in)
{
    const struct cs_platform *p = c->platform;
    double out = fan_out * load->sender / p->cluster[from].bandwidth;
    double in = fan_in * load->receiver / p->cluster[to].bandwidth;
    double seconds = out > in ? out : in,
           latency = p->cluster[from].latency + p->cluster[to].latency;

    if (!(load->all > 0))
        return 0;
    if (from != to && !p->backbone.shared_switch) {
        latency += p->backbone.latency;
        if (load->all / p->backbone.bandwidth > seconds)
            seconds = load->all / p->backbone.bandwidth;
    }
    return latency + seconds;
}

static void check_arc(const struct check *c, const struct cs_graph *graph, int first,
                      const struct cs_graph_arc *arc)
{
    const struct cs_bar *from = c->bar[first + arc->from], *to = c->bar[first + arc->to];
    int fan_out = 1, fan_in = 1, k, l;
    struct load load;
    double there;

    if (!from || !to)
        return;
    if (c->declared->fan) {
        fan_out = graph->first_out[arc->from + 1] - graph->first_out[arc->from];
        fan_in = graph->first_in[arc->to + 1] - graph->first_in[arc->to];
    }
    k = cs_platform_cluster_of(c->platform, from->procs[0].first);
    l = cs_platform_cluster_of(c->platform, to->procs[0].first);
    load.sender = arc->bytes / (double)cs_bar_procs(from);
    load.receiver = arc->bytes / (double)cs_bar_procs(to);
    load.all = arc->bytes;
    there = from->end + seconds_of(c, &load, k, l, fan_out, fan_in);
    if (to->start >= there)
        return;
    load = load_of(c, arc->bytes, from, to);
    there = from->end + seconds_of(c, &load, k, l, fan_out, fan_in);
    if (to->start >= there - SAME * there)
        return;
    cs_check_add(
        c->report, CS_VIOLATION_PRECEDENCE, to->task, to->start,
        "task \"%.60s\" starts at %.15g s: its data from \"%.60s\", which ends at %.15g s, "
        "are there at %.15g s",
        ptg_name_of(c, to->task), to->start, ptg_name_of(c, from->task), from->end, there);
}

static void check_graph(const struct check *c, int g, int first)
{
    const struct cs_graph *graph = c->declared->graph[g];
    double release = c->declared->release ? c->declared->release[g] : 0;

    for (int v = 0; v < graph->tasks; v++) {
        const struct cs_bar *bar = c->bar[first + v];

        if (!bar)
            continue;
        if (bar->attempt > 1 || (zero_length(bar) && bar->attempt < 1))
            cs_check_add(c->report, CS_VIOLATION_ATTEMPT_ORDER, first + v, bar->start,
                         "task \"%.60s\" has attempt %d at %.15g s: it runs once",
                         ptg_name_of(c, first + v), bar->attempt, bar->start);
        check_cluster(c, bar);
        check_duration(c, bar, &graph->task[v]);
        check_memory(c, bar, &graph->task[v]);
        if (bar->start < release)
            cs_check_add(c->report, CS_VIOLATION_EARLY, first + v, bar->start,
                         "task \"%.60s\" starts at %.15g s, its graph is released at %.15g s",
                         ptg_name_of(c, first + v), bar->start, release);
    }
    for (int a = 0; a < graph->arcs; a++)
        check_arc(c, graph, first, &graph->arc[a]);
}

static void check_shares(const struct check *c)
{
    for (int g = 0; c->declared->share && g < c->declared->graphs; g++)
        if (!(c->declared->share[g] >= 0 && c->declared->share[g] <= 1))
            cs_check_add(c->report, CS_VIOLATION_DECLARED_RATIO, -1, NAN,
                         "the declared share of graph %d is %.15g: it must be from 0 to 1", g,
                         c->declared->share[g]);
}

static bool same_instance(const struct check *c)
{
    long long tasks = 0;

    for (int g = 0; g < c->declared->graphs; g++)
        tasks += c->declared->graph[g]->tasks;
    if (tasks != cs_schedule_tasks(c->schedule)) {
        cs_check_add(c->report, CS_VIOLATION_INSTANCE, -1, NAN,
                     "the graphs have %lld tasks, the schedule has %d", tasks,
                     cs_schedule_tasks(c->schedule));
        return false;
    }
    cs_check_ptg_names(c->schedule, c->declared, c->scratch, c->report);
    for (int k = 0; c->platform && k < c->platform->clusters; k++)
        if (!(c->platform->cluster[k].speed > 0) || !(c->platform->cluster[k].bandwidth > 0)) {
            cs_check_add(c->report, CS_VIOLATION_INSTANCE, -1, NAN,
                         "cluster %.40s has no speed or no bandwidth: no time can be checked",
                         c->platform->cluster[k].name);
            return false;
        }
    if (!c->platform)
        cs_check_add(c->report, CS_VIOLATION_INSTANCE, -1, NAN,
                     "the schedule has no platform: no time can be checked");
    return c->platform != NULL;
}

int cs_check_ptg(const struct cs_schedule *schedule, const struct cs_ptg_declared *declared,
                 struct cs_check_report *report)
{
    CS_ASK(schedule && declared && report, NULL, -1);
    CS_GUARD(NULL, cs_check_broken(report));
    struct check c = {.schedule = schedule,
                      .declared = declared,
                      .platform = cs_schedule_platform(schedule),
                      .report = report,
                      .scratch = cs_arena_create()};
    int first = 0;

    c.bar = CS_NEW_ARRAY(c.scratch, const struct cs_bar *, cs_schedule_tasks(schedule));
    check_bars(&c);
    check_tasks(&c);
    check_shares(&c);
    if (same_instance(&c)) {
        for (int g = 0; g < declared->graphs; g++) {
            check_graph(&c, g, first);
            first += declared->graph[g]->tasks;
        }
        cs_check_bound(declared->lower_bound, cs_check_bound_ptg(declared, c.platform),
                       cs_schedule_makespan(schedule), report);
    }
    cs_arena_destroy(c.scratch);
    return 0;
}
