/* gantt_facts.c - data of the bars of a schedule, computed before drawing. */
#include "model/bars.h"
#include "model/procset.h"
#include "report/gantt_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FEW_APPS CS_PALETTE_BARS /* these keep their colours from chart to chart */

static int gantt_facts_check_bar(const struct cs_gantt *g, size_t index, struct cs_error *err)
{
    const struct cs_bar *bar = &g->bar[index];
    const char *name = cs_gantt_name(g, bar->task);

    if (!isfinite(bar->start) || !isfinite(bar->end) || fabs(bar->start) > 1e100 ||
        fabs(bar->end) > 1e100)
        return cs_error_set(err, "bar %zu (%s): it runs from %g to %g, but times must be finite",
                            index, name, bar->start, bar->end);
    if (bar->end < bar->start)
        return cs_error_set(err, "bar %zu (%s): it ends at %g, before its start at %g", index, name,
                            bar->end, bar->start);
    if (!cs_procset_well_formed(bar->procs, bar->intervals))
        return cs_error_set(err, "bar %zu (%s): its processors are not in order", index, name);
    for (int i = 0; i < bar->intervals; i++)
        if (bar->procs[i].first < 0 || bar->procs[i].last >= g->procs)
            return cs_error_set(err,
                                "bar %zu (%s): it has processors %d-%d, but the schedule only 0-%d",
                                index, name, bar->procs[i].first, bar->procs[i].last, g->procs - 1);
    return 0;
}

int cs_gantt_check(const struct cs_gantt *g, struct cs_error *err)
{
    for (size_t i = 0; i < g->bars; i++)
        if (gantt_facts_check_bar(g, i, err))
            return -1;
    return 0;
}

static void gantt_facts_span(struct cs_gantt *g)
{
    g->begin = 0;
    g->end = 0;
    for (size_t i = 0; i < g->bars; i++) {
        g->begin = fmin(g->begin, g->bar[i].start);
        g->end = fmax(g->end, g->bar[i].end);
    }
    g->last = g->end;
    if (g->options.planned)
        g->end = fmax(g->end, cs_schedule_makespan(g->options.planned));
    if (!(g->end > g->begin))
        g->end = g->begin + 1;
    if (!(g->last > g->begin))
        g->last = g->end;
}

struct debut {
    double start;
    int proc, app;
};

static bool gantt_facts_earlier(const struct debut *a, const struct debut *b)
{
    return a->start < b->start || (a->start == b->start && a->proc < b->proc);
}

static int by_appearance(const void *left, const void *right)
{
    const struct debut *a = left, *b = right;

    return gantt_facts_earlier(a, b)   ? -1
           : gantt_facts_earlier(b, a) ? 1
                                       : (a->app > b->app) - (a->app < b->app);
}

/* Applications by first appearance, classes in their own order. */
static void gantt_facts_appearance(struct cs_gantt *g)
{
    struct debut *debut = CS_NEW_ARRAY(g->arena, struct debut, g->most_apps);
    int *place = CS_NEW_ARRAY(g->arena, int, g->most_apps); /* 1 + where it is in debut */

    for (size_t i = 0; i < g->bars; i++) {
        const struct cs_bar *bar = &g->bar[i];
        int app = cs_gantt_app(g, bar);
        struct debut now = {.app = app};

        if (g->options.color_by == CS_COLOR_TASK) {
            now.start = bar->start;
            now.proc = bar->intervals ? bar->procs[0].first : g->procs;
        }

        if (!place[app]) {
            debut[g->apps] = now;
            place[app] = ++g->apps;
        } else if (gantt_facts_earlier(&now, &debut[place[app] - 1])) {
            debut[place[app] - 1] = now;
        }
    }
    qsort(debut, (size_t)g->apps, sizeof *debut, by_appearance);
    g->app = CS_NEW_ARRAY(g->arena, int, g->apps);
    for (int i = 0; i < g->apps; i++)
        g->app[i] = debut[i].app;
}

static void gantt_facts_paint(struct cs_gantt *g)
{
    const int first = g->options.color_by == CS_COLOR_KIND ? CS_BAR_WORK : 0;

    for (int app = first; app < g->most_apps; app++)
        g->hue[app] = app - first;
    if (g->most_apps > FEW_APPS)
        for (int i = 0; i < g->apps; i++)
            g->hue[g->app[i]] = i % CS_PALETTE_BARS;
}

static void gantt_facts_sum(struct cs_gantt *g)
{
    for (size_t i = 0; i < g->bars; i++) {
        const struct cs_bar *bar = &g->bar[i];
        double work = (double)cs_bar_procs(bar) * (bar->end - bar->start);

        g->app_work[cs_gantt_app(g, bar)] += work;
        g->busy += work;
        g->seen[bar->kind] = true;
    }
}

/* Groups. */

static int by_number(const void *left, const void *right)
{
    const struct cs_gantt_group *a = left, *b = right;

    return (a->number > b->number) - (a->number < b->number);
}

static int by_start(const void *left, const void *right)
{
    const struct cs_gantt_group *a = left, *b = right;

    return a->start != b->start ? (a->start > b->start) - (a->start < b->start)
                                : by_number(left, right);
}

static int by_first(const void *left, const void *right)
{
    const struct cs_gantt_group *a = left, *b = right;

    return a->first != b->first ? (a->first > b->first) - (a->first < b->first)
                                : by_number(left, right);
}

static void gantt_facts_join(struct cs_gantt_group *into, const struct cs_gantt_group *from)
{
    into->start = fmin(into->start, from->start);
    into->end = fmax(into->end, from->end);
    into->first = into->first < from->first ? into->first : from->first;
    into->last = into->last > from->last ? into->last : from->last;
}

/* One entry for each group that some bar names. */
static void gantt_facts_gather(struct cs_gantt *g)
{
    struct cs_gantt_group *list;
    size_t count = 0, named = 0;

    for (size_t i = 0; i < g->bars; i++)
        named += g->bar[i].group >= 0;
    list = CS_NEW_ARRAY(g->arena, struct cs_gantt_group, named);
    for (size_t i = 0; i < g->bars; i++) {
        const struct cs_bar *bar = &g->bar[i];

        if (bar->group >= 0 && (bar->intervals || bar->count))
            list[count++] = (struct cs_gantt_group){
                bar->group, bar->start, bar->end, bar->intervals ? bar->procs[0].first : 0,
                bar->intervals ? bar->procs[bar->intervals - 1].last : g->procs - 1};
    }
    qsort(list, count, sizeof *list, by_number);
    for (size_t i = 0; i < count; i++) {
        if (g->groups && list[g->groups - 1].number == list[i].number)
            gantt_facts_join(&list[g->groups - 1], &list[i]);
        else
            list[g->groups++] = list[i];
    }
    g->group = list;
}

static bool gantt_facts_apart(const struct cs_gantt *g, enum cs_gantt_split split)
{
    double slack = 1e-9 * (g->end - g->begin);

    for (int i = 1; i < g->groups; i++)
        if (split == CS_GANTT_BY_TIME ? g->group[i].start < g->group[i - 1].end - slack
                                      : g->group[i].first <= g->group[i - 1].last)
            return false;
    return true;
}

/* Those of the machine, whether something runs on them or not. */
static void take_clusters(struct cs_gantt *g, const struct cs_platform *platform)
{
    g->groups = platform->clusters;
    g->group = CS_NEW_ARRAY(g->arena, struct cs_gantt_group, g->groups);
    for (int c = 0; c < g->groups; c++) {
        const struct cs_cluster *cluster = &platform->cluster[c];

        g->group[c] = (struct cs_gantt_group){c, g->begin, g->end, cluster->first,
                                              cluster->first + cluster->procs - 1};
    }
    g->split = g->groups > 1 ? CS_GANTT_BY_PROCS : CS_GANTT_WHOLE;
}

static void gantt_facts_divide(struct cs_gantt *g)
{
    const struct cs_platform *platform = cs_schedule_platform(g->schedule);

    if (platform && !strcmp(cs_schedule_problem(g->schedule), "ptg")) {
        take_clusters(g, platform);
        return;
    }
    gantt_facts_gather(g);
    if (!g->groups)
        return;
    qsort(g->group, (size_t)g->groups, sizeof *g->group, by_start);
    if (gantt_facts_apart(g, CS_GANTT_BY_TIME)) {
        g->split = CS_GANTT_BY_TIME;
        return;
    }
    qsort(g->group, (size_t)g->groups, sizeof *g->group, by_first);
    if (gantt_facts_apart(g, CS_GANTT_BY_PROCS))
        g->split = CS_GANTT_BY_PROCS;
}

void cs_gantt_collect(struct cs_gantt *g)
{
    g->most_apps = g->options.owners ? g->options.owners : g->tasks;
    g->hue = CS_NEW_ARRAY(g->arena, int, g->most_apps);
    g->app_work = CS_NEW_ARRAY(g->arena, double, g->most_apps);
    gantt_facts_span(g);
    gantt_facts_appearance(g);
    gantt_facts_paint(g);
    gantt_facts_sum(g);
    gantt_facts_divide(g);
}
