/* schedule.c - bars in a growing array, their processor sets in an arena. */

#include "model/schedule.h"
#include "base/arena.h"
#include "base/guard.h"
#include "base/plain.h"
#include "model/bars.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct cs_schedule {
    struct cs_arena *arena; /* this struct, the names, the sets of the bars */
    const char *problem;
    const char *const *name;
    int procs, tasks;
    struct cs_bar *bar;
    size_t count, room;
    double makespan;
    struct cs_platform *platform; /* or NULL */
};

static const char *const kind_names[] = {
    [CS_BAR_WORK] = "work",         [CS_BAR_CHECKPOINT] = "checkpoint",
    [CS_BAR_RECOVERY] = "recovery", [CS_BAR_DOWNTIME] = "downtime",
    [CS_BAR_VERIFY] = "verify",     [CS_BAR_MOVE] = "move",
    [CS_BAR_LOST] = "lost",         [CS_BAR_PROGRAM] = "program",
};

const char *cs_bar_kind_name(enum cs_bar_kind kind)
{
    CS_ASK(kind >= CS_BAR_WORK && kind <= CS_BAR_KIND_LAST, NULL, NULL);
    return kind_names[kind];
}

static bool has_hole(const char *const *names, int tasks)
{
    for (int i = 0; names && i < tasks; i++)
        if (!names[i])
            return true;
    return false;
}

struct cs_schedule *cs_schedule_create(const char *problem, int procs, int tasks,
                                       const char *const *names)
{
    CS_ASK(problem && procs >= 0 && tasks >= 0 && !has_hole(names, tasks), NULL, NULL);
    CS_GUARD(NULL, NULL);
    struct cs_arena *arena = cs_arena_create();
    struct cs_schedule *s = CS_NEW(arena, struct cs_schedule);
    char **copy = CS_NEW_ARRAY(arena, char *, tasks);

    for (int i = 0; i < tasks; i++) {
        char number[32];

        if (!names)
            cs_plain_print(number, sizeof number, "task%d", i);
        copy[i] = cs_arena_strdup(arena, names ? names[i] : number);
    }
    *s = (struct cs_schedule){
        .arena = arena,
        .problem = cs_arena_strdup(arena, problem),
        .name = (const char *const *)copy,
        .procs = procs,
        .tasks = tasks,
    };
    return s;
}

void cs_schedule_destroy(struct cs_schedule *s)
{
    if (!s)
        return;
    cs_block_free(s->bar);
    cs_platform_destroy(s->platform);
    cs_arena_destroy(s->arena);
}

int cs_schedule_set_platform(struct cs_schedule *s, const struct cs_platform *platform,
                             struct cs_error *err)
{
    CS_ASK(s && platform, err, -1);
    CS_GUARD(err, -1);
    struct cs_platform *copy;

    if (platform->procs != s->procs)
        return cs_error_set(err, "the platform has %d processors, the schedule has %d",
                            platform->procs, s->procs);
    copy = cs_platform_copy(platform);
    cs_platform_destroy(s->platform);
    s->platform = copy;
    return 0;
}

const struct cs_platform *cs_schedule_platform(const struct cs_schedule *s)
{
    CS_ASK(s, NULL, NULL);
    return s->platform;
}

static void schedule_reserve(struct cs_schedule *s)
{
    size_t room = s->room ? 2 * s->room : 16;

    if (s->count < s->room)
        return;
    s->bar = cs_block_resize(s->bar, room * sizeof *s->bar);
    s->room = room;
}

static int schedule_check_bar(const struct cs_schedule *s, const struct cs_bar *bar,
                              struct cs_error *err)
{
    if (bar->task < 0 || bar->task >= s->tasks)
        return cs_error_set(err, "a bar of task %d: the schedule has %d task%s, from 0 on",
                            bar->task, s->tasks, s->tasks == 1 ? "" : "s");
    if ((int)bar->kind < CS_BAR_WORK || bar->kind > CS_BAR_KIND_LAST)
        return cs_error_set(err, "a bar of kind %d: there are %d to %d", (int)bar->kind,
                            CS_BAR_WORK, CS_BAR_KIND_LAST);
    if (bar->intervals < 0 || (bar->intervals > 0 && !bar->procs))
        return cs_error_set(err, "a bar of task %d has no set of %d intervals", bar->task,
                            bar->intervals);
    return 0;
}

int cs_schedule_add(struct cs_schedule *s, const struct cs_bar *bar, struct cs_error *err)
{
    CS_ASK(s && bar, err, -1);
    CS_GUARD(err, -1);
    struct cs_bar copy = *bar;
    struct cs_interval *procs;

    if (schedule_check_bar(s, bar, err))
        return -1;
    procs = CS_NEW_ARRAY(s->arena, struct cs_interval, copy.intervals);
    if (copy.intervals)
        memcpy(procs, copy.procs, (size_t)copy.intervals * sizeof *procs);
    copy.procs = procs;
    schedule_reserve(s);
    s->bar[s->count++] = copy;
    if (copy.end > s->makespan)
        s->makespan = copy.end;
    return 0;
}

const struct cs_bar *cs_schedule_bars(const struct cs_schedule *s, size_t *count)
{
    if (count)
        *count = s ? s->count : 0;
    return s ? s->bar : NULL;
}

const char *cs_schedule_problem(const struct cs_schedule *s)
{
    CS_ASK(s, NULL, NULL);
    return s->problem;
}

int cs_schedule_procs(const struct cs_schedule *s)
{
    CS_ASK(s, NULL, 0);
    return s->procs;
}

int cs_schedule_tasks(const struct cs_schedule *s)
{
    CS_ASK(s, NULL, 0);
    return s->tasks;
}

const char *cs_schedule_task_name(const struct cs_schedule *s, int task)
{
    CS_ASK(s && task >= 0 && task < s->tasks, NULL, NULL);
    return s->name[task];
}

double cs_schedule_makespan(const struct cs_schedule *s)
{
    CS_ASK(s, NULL, NAN);
    return s->makespan;
}

static int by_start(const void *a, const void *b)
{
    const struct cs_bar *x = *(const struct cs_bar *const *)a,
                        *y = *(const struct cs_bar *const *)b;

    if (x->start < y->start || y->start < x->start)
        return x->start < y->start ? -1 : 1;
    if (isnan(x->start) != isnan(y->start))
        return isnan(x->start) ? 1 : -1;
    return (x > y) - (x < y);
}

/* Most come in order. */
static void sort_by_start(const struct cs_bar **bar, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (by_start(&bar[i - 1], &bar[i]) > 0) {
            qsort(bar, count, sizeof *bar, by_start);
            return;
        }
}

const struct cs_bar **cs_bars_by_task(const struct cs_schedule *s, size_t *count,
                                      struct cs_arena *arena)
{
    const struct cs_bar **bar = CS_NEW_ARRAY(arena, const struct cs_bar *, s->count);
    size_t *end = CS_NEW_ARRAY(arena, size_t, s->tasks + 1);

    for (size_t i = 0; i < s->count; i++)
        end[s->bar[i].task + 1]++;
    for (int task = 0; task < s->tasks; task++)
        end[task + 1] += end[task];
    for (size_t i = 0; i < s->count; i++)
        bar[end[s->bar[i].task]++] = &s->bar[i];
    for (int task = 0; task < s->tasks; task++) {
        const size_t first = task ? end[task - 1] : 0;

        sort_by_start(bar + first, end[task] - first);
    }
    *count = s->count;
    return bar;
}
