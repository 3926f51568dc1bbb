/* schedule.c - bars in a growing array, their processor sets in an arena. */
#include <cosched/schedule.h>

#include "base/arena.h"
#include "base/bug.h"
#include "base/guard.h"
#include "base/plain.h"
#include "model/bars.h"

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
    CS_REQUIRE(kind >= CS_BAR_WORK && kind <= CS_BAR_KIND_LAST);
    return kind_names[kind];
}

struct cs_schedule *cs_schedule_create(const char *problem, int procs, int tasks,
                                       const char *const *names)
{
    CS_GUARD(NULL, NULL);
    struct cs_arena *arena = cs_arena_create();
    struct cs_schedule *s = CS_NEW(arena, struct cs_schedule);
    char **copy = CS_NEW_ARRAY(arena, char *, tasks);

    CS_REQUIRE(procs >= 0 && tasks >= 0);
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
    free(s->bar);
    cs_platform_destroy(s->platform);
    cs_arena_destroy(s->arena);
}

void cs_schedule_set_platform(struct cs_schedule *s, const struct cs_platform *platform)
{
    struct cs_platform *copy = cs_platform_copy(platform);

    CS_REQUIRE(copy->procs == s->procs);
    cs_platform_destroy(s->platform);
    s->platform = copy;
}

const struct cs_platform *cs_schedule_platform(const struct cs_schedule *s)
{
    return s->platform;
}

static void reserve(struct cs_schedule *s)
{
    size_t room = s->room ? 2 * s->room : 16;

    if (s->count < s->room)
        return;
    s->bar = realloc(s->bar, room * sizeof *s->bar);
    if (!s->bar)
        cs_bug_no_memory(room * sizeof *s->bar);
    s->room = room;
}

void cs_schedule_add(struct cs_schedule *s, const struct cs_bar *bar)
{
    struct cs_bar copy = *bar;
    struct cs_interval *procs;

    CS_REQUIRE(bar->task >= 0 && bar->task < s->tasks);
    CS_REQUIRE(bar->kind >= CS_BAR_WORK && bar->kind <= CS_BAR_KIND_LAST && bar->intervals >= 0);
    procs = CS_NEW_ARRAY(s->arena, struct cs_interval, copy.intervals);
    if (copy.intervals)
        memcpy(procs, copy.procs, (size_t)copy.intervals * sizeof *procs);
    copy.procs = procs;
    reserve(s);
    s->bar[s->count++] = copy;
    if (copy.end > s->makespan)
        s->makespan = copy.end;
}

const struct cs_bar *cs_schedule_bars(const struct cs_schedule *s, size_t *count)
{
    *count = s->count;
    return s->bar;
}

const char *cs_schedule_problem(const struct cs_schedule *s)
{
    return s->problem;
}

int cs_schedule_procs(const struct cs_schedule *s)
{
    return s->procs;
}

int cs_schedule_tasks(const struct cs_schedule *s)
{
    return s->tasks;
}

const char *cs_schedule_task_name(const struct cs_schedule *s, int task)
{
    CS_REQUIRE(task >= 0 && task < s->tasks);
    return s->name[task];
}

double cs_schedule_makespan(const struct cs_schedule *s)
{
    return s->makespan;
}

int cs_bars_by_task(const void *a, const void *b)
{
    const struct cs_bar *x = *(const struct cs_bar *const *)a,
                        *y = *(const struct cs_bar *const *)b;

    if (x->task != y->task)
        return x->task < y->task ? -1 : 1;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x > y) - (x < y);
}
