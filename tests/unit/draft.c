/* draft.c - random valid plans of packs, made without any code of the pack problem. */
#include "unit/draft.h"

#include "check/bound.h"
#include "model/moldable.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct maker {
    struct draft *draft;
    struct cs_moldable *times;
    unsigned long long draws;
    double clock;
    int entries;
};

static double draw(struct maker *m)
{
    m->draws = m->draws * 6364136223846793005u + 1442695040888963407u;
    return (double)(m->draws >> 33) / 2147483648.0;
}

static int draw_int(struct maker *m, int low, int high)
{
    return low + (int)(draw(m) * (high - low + 1));
}

static struct cs_profile make_profile(struct maker *m)
{
    int procs = m->draft->procs;
    double *seconds = CS_NEW_ARRAY(m->draft->arena, double, procs);
    int *at = CS_NEW_ARRAY(m->draft->arena, int, 2);
    struct cs_profile p = {
        .kind = draw_int(m, CS_PROFILE_TABLE, CS_PROFILE_DOWNEY),
        .count = procs,
        .seconds = seconds,
        .seq_time = 1 + 100 * draw(m),
        .seq_fraction = draw(m) * draw(m),
        .overhead = 0.1 * draw(m),
        .exponent = 2 * draw(m) - 0.5,
        .parallelism = 1 + procs * draw(m),
        .sigma = 2 * draw(m),
    };

    for (int j = 0; j < procs; j++)
        seconds[j] = (1 + 100 * draw(m)) / sqrt(j + 1);
    if (p.kind == CS_PROFILE_TABLE && draw_int(m, 0, 3) == 0)
        seconds[0] = INFINITY;
    if (p.kind == CS_PROFILE_POINTS) {
        p.count = 2;
        p.procs = memcpy(at, (int[]){1 + draw_int(m, 0, 1), procs}, 2 * sizeof *at);
        p.fewer = draw_int(m, CS_FEWER_REFUSE, CS_FEWER_SCALE);
    }
    return p;
}

static void make_workload(struct maker *m)
{
    struct draft *d = m->draft;
    struct cs_profile profile[DRAFT_MOST];
    struct cs_error err = {0};

    for (int i = 0; i < d->tasks; i++)
        profile[i] = make_profile(m);
    d->workload = cs_workload_create(d->tasks, NULL, profile, NULL);
    m->times = cs_moldable_create(d->workload, d->procs, &err);
    if (!m->times)
        abort();
}

static void add_task(struct maker *m, int task, int procs, int first)
{
    struct draft *d = m->draft;
    struct cs_pack_declared_pack *pack = &d->pack[d->declared.packs];
    double seconds = cs_moldable_time(m->times, task, procs);
    int b = d->bars++;

    d->set[b][0] = (struct cs_interval){first, first + procs - 1};
    d->bar[b] = (struct cs_bar){
        CS_BAR_WORK, task, 1, d->declared.packs, m->clock, m->clock + seconds, 1, NULL, 0};
    d->entry[m->entries++] =
        (struct cs_pack_declared_task){.task = task, .procs = procs, .seconds = seconds};
    pack->tasks++;
    pack->cost = fmax(pack->cost, seconds);
}

/* Tasks from .. to - 1 as one pack, or fewer if their least processors do not fit. */
static int make_pack(struct maker *m, int from, int to)
{
    struct draft *d = m->draft;
    struct cs_pack_declared_pack *pack = &d->pack[d->declared.packs];
    int share[DRAFT_MOST], used = 0, first = 0, count = 0;

    for (int i = from; i < to && used + m->times->min_procs[i] <= d->procs; i++)
        used += share[count++] = m->times->min_procs[i];
    while (used < d->procs && draw_int(m, 0, 9)) {
        share[draw_int(m, 0, count - 1)]++;
        used++;
    }
    pack->task = d->entry + m->entries;
    for (int i = 0; i < count; i++) {
        add_task(m, from + i, share[i], first);
        first += share[i];
    }
    m->clock += pack->cost;
    d->declared.cost += pack->cost;
    d->declared.packs++;
    return from + count;
}

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* The packs of a draft run in the order of creation, which need not be the order by cost. */
static double responses(const struct draft *d)
{
    double sum = 0;

    for (int b = 0; b < d->declared.packs; b++) {
        double before = 0;

        for (int a = 0; a < d->declared.packs; a++)
            if (d->pack[a].cost < d->pack[b].cost || (d->pack[a].cost == d->pack[b].cost && a < b))
                before += d->pack[a].cost;
        for (int i = 0; i < d->pack[b].tasks; i++)
            sum += before + d->pack[b].task[i].seconds;
    }
    return sum;
}

static void declare(struct maker *m)
{
    struct draft *d = m->draft;
    struct cs_pack_declared *say = &d->declared;
    double alone[DRAFT_MOST], busy = 0, response = 0;

    say->one_pack_cost = 0;
    for (int i = 0; i < d->tasks; i++)
        say->one_pack_cost += alone[i] = cs_moldable_time(m->times, i, d->procs);
    qsort(alone, (size_t)d->tasks, sizeof *alone, compare);
    for (int i = 0; i < d->tasks; i++)
        response += (d->tasks - i) * alone[i];
    for (int i = 0; i < m->entries; i++)
        busy += d->entry[i].procs * d->entry[i].seconds;
    say->pack_size = d->pack_size;
    say->relative_cost = say->cost / say->one_pack_cost;
    say->packing_ratio = busy / (d->procs * say->cost);
    say->relative_response_time = responses(d) / response;
    say->lower_bound = alone[d->tasks - 1];
    say->gap = (say->cost - say->lower_bound) / say->lower_bound;
}

void draft_make(struct draft *draft, unsigned long long seed)
{
    struct maker m = {.draft = draft, .draws = seed * 2654435761u + 1};

    memset(draft, 0, sizeof *draft);
    draft->arena = cs_arena_create();
    draft->tasks = draw_int(&m, 5, DRAFT_MOST);
    draft->procs = draw_int(&m, 4, 40);
    draft->pack_size = draw_int(&m, 2, draft->procs < 4 ? draft->procs : 4);
    make_workload(&m);
    for (int i = 0; i < draft->tasks;) {
        int size = i ? draw_int(&m, 1, draft->pack_size) : 2;

        i = make_pack(&m, i, i + size < draft->tasks ? i + size : draft->tasks);
    }
    declare(&m);
    cs_moldable_destroy(m.times);
}

static void swap_bars(struct draft *d, int a, int b)
{
    struct cs_bar bar = d->bar[a];
    struct cs_interval set = d->set[a][0];

    d->bar[a] = d->bar[b];
    d->bar[b] = bar;
    d->set[a][0] = d->set[b][0];
    d->set[b][0] = set;
}

void draft_turn_around(struct draft *draft, unsigned long long seed)
{
    struct maker m = {.draft = draft, .draws = seed + 1};
    double start[DRAFT_MOST], clock = 0;

    for (int b = draft->declared.packs - 1; b >= 0; b--) {
        start[b] = clock;
        clock += draft->pack[b].cost;
    }
    for (int i = 0; i < draft->bars; i++) {
        struct cs_bar *bar = &draft->bar[i];
        const struct cs_pack_declared_task *entry = &draft->entry[i];

        bar->start = start[bar->group];
        bar->end = bar->start + entry->seconds;
    }
    for (int i = draft->bars - 1; i > 0; i--)
        swap_bars(draft, i, draw_int(&m, 0, i));
}

void draft_release(struct draft *draft)
{
    cs_workload_destroy(draft->workload);
    cs_arena_destroy(draft->arena);
}

struct cs_schedule *draft_schedule(const struct draft *draft)
{
    struct cs_schedule *s =
        cs_schedule_create("pack", draft->procs, draft->tasks, draft->workload->name);

    for (int i = 0; i < draft->bars; i++) {
        struct cs_bar bar = draft->bar[i];

        bar.procs = draft->set[i];
        cs_schedule_add(s, &bar, NULL);
    }
    return s;
}

struct cs_check_report *draft_check(const struct draft *draft)
{
    struct cs_check_report *report = cs_check_report_create(100);
    struct cs_schedule *schedule = draft_schedule(draft);
    struct cs_pack_declared declared = draft->declared;

    declared.pack = draft->pack;
    cs_check_pack(schedule, draft->workload, draft->pack_size, &declared, report);
    cs_schedule_destroy(schedule);
    return report;
}
