/* record.c - one run kept: bars as a schedule, events as marks.
 *
 * Source: spec/malleable.md 4 (timeline) and 15 (events).  An observer of the simulation keeps
 * bars and events in lists, since their number is not known before the end.
 *
 * Invariants: bars are sorted by start, then by task; marks keep the order of events; the record
 * owns copies, so that the simulation can be destroyed.  A run without progress gives an error.
 *
 * Complexity: O(b log b) for b bars, and one interval for each run of neighbouring pairs of a
 * bar.
 */
#include "base/arena.h"
#include "base/bug.h"
#include "base/guard.h"
#include "base/order.h"
#include "problems/malleable/instance.h"
#include "problems/malleable/simulate.h"

#include <stdlib.h>
#include <string.h>

struct kept_bar {
    struct cs_bar bar; /* its set is in the arena */
    struct kept_bar *next;
};

struct kept_mark {
    struct cs_malleable_mark mark;
    struct kept_mark *next;
};

struct storage {
    struct cs_arena *arena;
    struct kept_bar *bars, **last_bar;
    struct kept_mark *marks, **last_mark;
    int bar_count, mark_count;
    struct cs_malleable_record record;
};

/* Pairs as intervals of processors. */
static const struct cs_interval *record_intervals(struct cs_arena *arena,
                                                  const struct cs_malleable_bar *bar, int *count)
{
    struct cs_interval *set = CS_NEW_ARRAY(arena, struct cs_interval, bar->pairs);
    int made = 0;

    for (int x = 0; x < bar->pairs; x++) {
        if (made && set[made - 1].last + 1 == 2 * bar->pair[x])
            set[made - 1].last += 2;
        else
            set[made++] = (struct cs_interval){2 * bar->pair[x], 2 * bar->pair[x] + 1};
    }
    *count = made;
    return set;
}

static void keep_bar(void *who, const struct cs_malleable_bar *bar)
{
    struct storage *st = who;
    struct kept_bar *kept = CS_NEW(st->arena, struct kept_bar);

    kept->bar = (struct cs_bar){
        .kind = bar->kind,
        .task = bar->task,
        .attempt = bar->attempt,
        .group = -1,
        .start = bar->start,
        .end = bar->end,
    };
    kept->bar.procs = record_intervals(st->arena, bar, &kept->bar.intervals);
    *st->last_bar = kept;
    st->last_bar = &kept->next;
    st->bar_count++;
}

static void keep_event(void *who, const struct cs_malleable_event *event)
{
    struct storage *st = who;
    struct kept_mark *kept = CS_NEW(st->arena, struct kept_mark);
    int *ended = CS_NEW_ARRAY(st->arena, int, event->ended);

    for (int a = 0; a < event->ended; a++)
        ended[a] = event->ended_task[a];
    kept->mark = (struct cs_malleable_mark){
        .time = event->time,
        .kind = event->kind,
        .effect = event->effect,
        .processor = event->processor,
        .task = event->task,
        .fatal = event->fatal,
        .disk = event->disk,
        .ended = event->ended,
        .ended_task = ended,
    };
    *st->last_mark = kept;
    st->last_mark = &kept->next;
    st->mark_count++;
}

static int compare_bars(const void *a, const void *b)
{
    const struct cs_bar *x = *(const struct cs_bar *const *)a,
                        *y = *(const struct cs_bar *const *)b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->task > y->task) - (x->task < y->task);
}

static void lay_bars(struct storage *st)
{
    const struct cs_bar **bar = CS_NEW_ARRAY(st->arena, const struct cs_bar *, st->bar_count);
    int count = 0;

    for (const struct kept_bar *kept = st->bars; kept; kept = kept->next)
        bar[count++] = &kept->bar;
    qsort(bar, (size_t)count, sizeof *bar, compare_bars);
    for (int b = 0; b < count; b++)
        cs_schedule_add(st->record.schedule, bar[b], NULL);
}

static void list_marks(struct storage *st)
{
    struct cs_malleable_mark *mark =
        CS_NEW_ARRAY(st->arena, struct cs_malleable_mark, st->mark_count);
    int count = 0;

    for (const struct kept_mark *kept = st->marks; kept; kept = kept->next)
        mark[count++] = kept->mark;
    st->record.mark = mark;
    st->record.marks = count;
}

static int record_run(struct storage *st, struct cs_malleable_simulation *simulation,
                      struct cs_malleable_trace *trace, int tasks, struct cs_error *err)
{
    const struct cs_malleable_observer observer = {keep_event, keep_bar, st};
    struct cs_malleable_outcome *outcome = &st->record.outcome;
    double *end = CS_NEW_ARRAY(st->arena, double, tasks);

    cs_malleable_simulation_run(simulation, trace, &observer, outcome);
    memcpy(end, outcome->end, (size_t)tasks * sizeof *end);
    outcome->end = end;
    if (outcome->no_progress)
        return cs_error_set(err,
                            "no progress after %lld failures: the tasks cannot end at such a rate",
                            (long long)outcome->failures);
    return 0;
}

/* Takes the simulation over. */
static struct cs_malleable_record *record_simulation(struct cs_malleable_simulation *simulation,
                                                     struct cs_malleable_trace *trace,
                                                     struct cs_error *err)
{
    const struct cs_malleable_instance *in = simulation->in;
    struct cs_arena *arena = cs_arena_create();
    const char **name = CS_NEW_ARRAY(arena, const char *, in->tasks);
    struct storage *st = CS_NEW(arena, struct storage);
    int failed;

    st->arena = arena;
    st->last_bar = &st->bars;
    st->last_mark = &st->marks;
    st->record.storage = st;
    for (int i = 0; i < in->tasks; i++)
        name[i] = in->task[i].name;
    st->record.schedule = cs_schedule_create("malleable", in->platform.procs, in->tasks, name);
    failed = record_run(st, simulation, trace, in->tasks, err);
    cs_malleable_simulation_destroy(simulation);
    if (failed) {
        cs_malleable_record_destroy(&st->record);
        return NULL;
    }
    lay_bars(st);
    list_marks(st);
    return &st->record;
}

struct cs_malleable_record *cs_malleable_record_create(const struct cs_malleable_instance *in,
                                                       const struct cs_malleable_rules *rules,
                                                       struct cs_extpol *extpol,
                                                       struct cs_malleable_trace *trace,
                                                       struct cs_error *err)
{
    CS_ASK(in && rules, err, NULL);
    CS_GUARD(err, NULL);
    struct cs_malleable_simulation *simulation =
        cs_malleable_simulation_create_asking(in, rules, extpol, err);

    return simulation ? record_simulation(simulation, trace, err) : NULL;
}

struct cs_malleable_record *cs_malleable_record_optimum(const struct cs_malleable_instance *in,
                                                        const struct cs_malleable_rules *rules,
                                                        const struct cs_malleable_optimum *optimum,
                                                        struct cs_malleable_trace *trace,
                                                        struct cs_error *err)
{
    struct cs_malleable_simulation *simulation = cs_malleable_simulation_create(in, rules, err);
    struct cs_malleable_record *record;

    if (!simulation)
        return NULL;
    cs_malleable_simulation_follow(simulation, optimum);
    record = record_simulation(simulation, trace, err);
    if (record && record->outcome.makespan != optimum->makespan) {
        cs_error_set(err, "optimum: its decisions end at %.17g s, not at %.17g s",
                     record->outcome.makespan, optimum->makespan);
        cs_malleable_record_destroy(record);
        return NULL;
    }
    if (record)
        record->searched = true;
    return record;
}

void cs_malleable_record_destroy(struct cs_malleable_record *record)
{
    if (!record)
        return;
    cs_schedule_destroy(record->schedule);
    cs_arena_destroy(((struct storage *)record->storage)->arena);
}
