/* moldable_unrepaired.c - times as given: every row is a staircase over the allowed counts. */
#include "base/bug.h"
#include "model/counts.h"
#include "model/formulas.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define RISING (1 + 1e-12) /* work that falls by less has not fallen */

/* Steps of all tasks, one task after the other. */
struct steps {
    size_t count, room;
    int *first, *step;
    double *seconds, *work;
};

static void *supplied_more(struct cs_arena *arena, const void *old, size_t count, size_t room,
                           size_t size)
{
    void *to = cs_arena_alloc(arena, room, size);

    return count ? memcpy(to, old, count * size) : to;
}

static void supplied_grow(struct steps *s, size_t entries, struct cs_arena *arena)
{
    if (s->count + entries <= s->room)
        return;
    s->room = 2 * (s->count + entries);
    s->step = supplied_more(arena, s->step, s->count, s->room, sizeof *s->step);
    s->seconds = supplied_more(arena, s->seconds, s->count, s->room, sizeof *s->seconds);
    s->work = supplied_more(arena, s->work, s->count, s->room, sizeof *s->work);
}

/* The counts on which the task is faster than on every smaller one.  Returns whether work rises. */
static bool add_steps(struct steps *s, const struct cs_counts *counts, struct cs_arena *arena)
{
    size_t from = s->count;
    double least = INFINITY;
    bool rising = true;

    supplied_grow(s, (size_t)counts->entries, arena);
    for (int a = 0; a < counts->entries; a++) {
        if (!(counts->seconds[a] < least))
            continue;
        least = counts->seconds[a];
        s->step[s->count] = counts->procs[a];
        s->seconds[s->count] = least;
        s->work[s->count] = counts->procs[a] * least;
        rising &= s->count == from || s->work[s->count - 1] <= RISING * s->work[s->count];
        s->count++;
    }
    return rising;
}

static void fill_row(const struct steps *s, int task, int procs, double *row)
{
    int at = s->first[task], end = s->first[task + 1];

    for (int j = 1; j <= procs; j++) {
        while (at < end && s->step[at] <= j)
            at++;
        row[j - 1] = at > s->first[task] ? s->seconds[at - 1] : INFINITY;
    }
}

/* From work on a step to the least work from it on. */
static void least_from_here_on(struct steps *s, int task)
{
    for (int a = s->first[task + 1] - 2; a >= s->first[task]; a--)
        s->work[a] = fmin(s->work[a], s->work[a + 1]);
}

static int supplied_tabulate(struct cs_moldable *m, const struct cs_workload *workload,
                             double margin, struct cs_arena *arena, struct cs_error *err)
{
    double *table = CS_NEW_ARRAY(arena, double, (size_t)m->count *(size_t)m->procs);
    int *min_procs = CS_NEW_ARRAY(arena, int, m->count);
    struct steps s = {.first = CS_NEW_ARRAY(arena, int, m->count + 1)};
    struct cs_counts counts;

    cs_counts_init(&counts, workload, m->procs, arena);
    for (int i = 0; i < m->count; i++) {
        if (cs_counts_find(&counts, workload, i, m->procs, margin, err))
            return -1;
        m->rising &= add_steps(&s, &counts, arena);
        s.first[i + 1] = (int)s.count;
        fill_row(&s, i, m->procs, table + (size_t)i * (size_t)m->procs);
        least_from_here_on(&s, i);
        min_procs[i] = s.step[s.first[i]];
    }
    m->table = table;
    m->min_procs = min_procs;
    m->changed = CS_NEW_ARRAY(arena, int, m->count);
    m->largest = CS_NEW_ARRAY(arena, double, m->count);
    m->first = s.first;
    m->step = s.step;
    m->work = s.work;
    return 0;
}

static int check_releases(const struct cs_workload *workload, struct cs_error *err)
{
    for (int i = 0; workload->limit && i < workload->count; i++)
        if (workload->limit[i].release > 0)
            return cs_error_set(err,
                                "task %d (%s): its release is %.15g s: packs all start in turn, "
                                "which the problem moldable does not ask for: plan it with that",
                                i, workload->name[i], workload->limit[i].release);
    return 0;
}

static int check_size(uint64_t entries, const struct cs_workload *workload, int procs,
                      struct cs_error *err)
{
    if (entries <= CS_MOLDABLE_TABLE_LIMIT)
        return 0;
    return cs_error_set(err,
                        "%d tasks on %d processors need a table of %" PRIu64
                        " times, more than the %zu "
                        "that are allowed: give formulas without limits instead",
                        workload->count, procs, entries, CS_MOLDABLE_TABLE_LIMIT);
}

struct cs_moldable *cs_moldable_create_measured(const struct cs_workload *workload, int procs,
                                                double margin, struct cs_error *err)
{
    uint64_t entries = (uint64_t)workload->count * (uint64_t)procs;
    bool formulas =
        entries > CS_MOLDABLE_TABULATE && !workload->limit && cs_moldable_all_formulas(workload);
    struct cs_arena *arena;
    struct cs_moldable *m;

    CS_REQUIRE(procs >= 1 && workload->count >= 0);
    if (check_releases(workload, err) || (!formulas && check_size(entries, workload, procs, err)))
        return NULL;
    arena = cs_arena_create();
    m = CS_NEW(arena, struct cs_moldable);
    *m = (struct cs_moldable){.count = workload->count,
                              .procs = procs,
                              .profile = workload->profile,
                              .supplied = true,
                              .rising = true,
                              .storage = arena};
    if (formulas ? cs_moldable_keep_formulas(m, workload, arena, err)
                 : supplied_tabulate(m, workload, margin, arena, err)) {
        cs_arena_destroy(arena);
        return NULL;
    }
    return m;
}

struct cs_moldable *cs_moldable_repaired(const struct cs_moldable *supplied, struct cs_arena *arena)
{
    struct cs_moldable *m = CS_NEW(arena, struct cs_moldable);
    size_t procs = (size_t)supplied->procs;
    double *table = CS_NEW_ARRAY(arena, double, (size_t)supplied->count *procs), largest;

    for (int i = 0; i < supplied->count; i++)
        cs_moldable_repair(supplied->table + (size_t)i * procs, supplied->procs,
                           table + (size_t)i * procs, &largest);
    *m = *supplied;
    m->table = table;
    m->supplied = false;
    m->rising = true;
    m->first = m->step = NULL;
    m->work = NULL;
    return m;
}

double cs_moldable_work_within(const struct cs_moldable *m, int task, double seconds)
{
    int need = cs_moldable_need(m, task, seconds), low, high;

    need = need < m->min_procs[task] ? m->min_procs[task] : need;
    if (!m->first)
        return need * cs_moldable_time(m, task, need);
    low = m->first[task];
    high = m->first[task + 1] - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;

        if (m->step[middle] >= need)
            high = middle;
        else
            low = middle + 1;
    }
    return m->work[low];
}
