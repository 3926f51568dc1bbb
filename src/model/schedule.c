/* schedule.c - bars in a growing array, their processor sets in an arena. */

#include "model/schedule.h"
#include "base/arena.h"
#include "base/bug.h"
#include "base/guard.h"
#include "base/heap.h"
#include "base/plain.h"
#include "base/vector.h"
#include "model/bars.h"
#include "model/blocks.h"
#include "model/procset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct cs_schedule {
    struct cs_arena *arena; /* this struct, the names, the sets of the bars */
    const char *problem;
    const char *const *name;
    int procs, tasks;
    struct cs_bar_list list;
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
        .list = {.arena = arena},
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
    if (s->list.arena != s->arena)
        cs_arena_destroy(s->list.arena);
    cs_block_free(s->list.uses);
    cs_block_free(s->list.bar);
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

void cs_bar_list_add(struct cs_bar_list *list, const struct cs_bar *bar)
{
    struct cs_interval *procs = NULL;

    if (!list->arena)
        list->arena = cs_arena_create();
    CS_BLOCK_ROOM(list->bar, list->count, list->room, 16);
    if (bar->intervals) {
        procs = CS_NEW_ARRAY(list->arena, struct cs_interval, bar->intervals);
        memcpy(procs, bar->procs, (size_t)bar->intervals * sizeof *procs);
    }
    list->bar[list->count] = *bar;
    list->bar[list->count++].procs = procs;
}

void cs_bar_list_set_uses(struct cs_bar_list *list, size_t bar, const char *uses)
{
    CS_REQUIRE(bar < list->count);
    if (bar >= list->uses_room) {
        list->uses = cs_block_resize(list->uses, list->room * sizeof *list->uses);
        for (size_t b = list->uses_room; b < list->room; b++)
            list->uses[b] = NULL;
        list->uses_room = list->room;
    }
    list->uses[bar] = cs_arena_strdup(list->arena, uses);
}

const char *cs_uses_find(const char *uses, const char *name, size_t *length)
{
    const size_t word = strlen(name);

    for (const char *at = uses; at && *at; at += *at == '\n') {
        const size_t line = strcspn(at, "\n");

        if (line > word && !strncmp(at, name, word) && at[word] == ' ') {
            *length = line - word - 1;
            return at + word + 1;
        }
        at += line;
    }
    return NULL;
}

void cs_schedule_set_uses(struct cs_schedule *s, size_t bar, const char *uses)
{
    cs_bar_list_set_uses(&s->list, bar, uses);
}

const char *cs_schedule_uses(const struct cs_schedule *s, size_t bar)
{
    return bar < s->list.uses_room ? s->list.uses[bar] : NULL;
}

void cs_bar_list_release(struct cs_bar_list *list)
{
    cs_block_free(list->uses);
    cs_block_free(list->bar);
    cs_arena_destroy(list->arena);
    *list = (struct cs_bar_list){0};
}

void cs_schedule_adopt(struct cs_schedule *s, struct cs_bar_list *list)
{
    CS_REQUIRE(!s->list.count);
    if (!list->count)
        return;
    s->list = *list;
    *list = (struct cs_bar_list){0};
    for (size_t b = 0; b < s->list.count; b++)
        s->makespan = fmax(s->makespan, s->list.bar[b].end);
}

long long cs_bar_procs(const struct cs_bar *bar)
{
    return bar->intervals ? cs_procset_size(bar->procs, bar->intervals) : bar->count;
}

bool cs_schedule_has_counts(const struct cs_schedule *s)
{
    return s->list.count && s->list.bar->count;
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
    if (bar->count < 0 || (bar->count && bar->intervals) ||
        (s->list.count && cs_schedule_has_counts(s) != (bar->count > 0)))
        return cs_error_set(err,
                            "a bar of task %d has a count of %d and %d intervals: all bars have "
                            "a count, or all have a set",
                            bar->task, bar->count, bar->intervals);
    return 0;
}

int cs_schedule_add(struct cs_schedule *s, const struct cs_bar *bar, struct cs_error *err)
{
    CS_ASK(s && bar, err, -1);
    CS_GUARD(err, -1);

    if (schedule_check_bar(s, bar, err))
        return -1;
    cs_bar_list_add(&s->list, bar);
    if (bar->end > s->makespan)
        s->makespan = bar->end;
    return 0;
}

const struct cs_bar *cs_schedule_bars(const struct cs_schedule *s, size_t *count)
{
    if (count)
        *count = s ? s->list.count : 0;
    return s ? s->list.bar : NULL;
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
    const struct cs_bar **bar = CS_NEW_ARRAY(arena, const struct cs_bar *, s->list.count);
    size_t *end = CS_NEW_ARRAY(arena, size_t, s->tasks + 1);

    for (size_t i = 0; i < s->list.count; i++)
        end[s->list.bar[i].task + 1]++;
    for (int task = 0; task < s->tasks; task++)
        end[task + 1] += end[task];
    for (size_t i = 0; i < s->list.count; i++)
        bar[end[s->list.bar[i].task]++] = &s->list.bar[i];
    for (int task = 0; task < s->tasks; task++) {
        const size_t first = task ? end[task - 1] : 0;

        sort_by_start(bar + first, end[task] - first);
    }
    *count = s->list.count;
    return bar;
}

/* ---- numbers for counts ---- */

struct numbering {
    struct cs_schedule *schedule;
    const struct cs_bar **order; /* by rising start, then place */
    size_t *last;                /* by task: 1 + the bar before, or 0 */
    struct cs_blocks_set *set;   /* by bar: its processors */
    struct cs_heap running;      /* bars by their end */
    struct cs_blocks blocks;
    long long free;
    bool places;     /* else only whether they fit */
    bool *continues; /* by place in the order */
};

static size_t numbering_index(const struct numbering *n, const struct cs_bar *bar)
{
    return (size_t)(bar - n->schedule->list.bar);
}

static void numbering_release(struct numbering *n, double now)
{
    while (n->running.count && cs_heap_top_key(&n->running) <= now) {
        const int bar = cs_heap_pop(&n->running);

        n->free += n->schedule->list.bar[bar].count;
        if (n->places)
            cs_blocks_release(&n->blocks, &n->set[bar]);
    }
}

/* Does the bar continue the one before of its task, whose processors it takes over then? */
static bool numbering_continue(struct numbering *n, const struct cs_bar *bar)
{
    const size_t last = n->last[bar->task];
    const struct cs_bar *before = last ? &n->schedule->list.bar[last - 1] : NULL;

    if (!before || before->group < 0 || before->group != bar->group ||
        before->count != bar->count || before->end != bar->start ||
        !cs_heap_contains(&n->running, (int)last - 1))
        return false;
    cs_heap_remove(&n->running, (int)last - 1);
    n->set[numbering_index(n, bar)] = n->set[last - 1];
    return true;
}

static void numbering_keep(struct numbering *n, const struct cs_bar *bar)
{
    const struct cs_blocks_set *set = &n->set[numbering_index(n, bar)];
    struct cs_bar *numbered = &n->schedule->list.bar[numbering_index(n, bar)];
    struct cs_interval *procs =
        CS_NEW_ARRAY(n->schedule->list.arena, struct cs_interval, set->count);

    memcpy(procs, set->interval, (size_t)set->count * sizeof *procs);
    numbered->procs = procs;
    numbered->intervals = set->count;
}

/* False: it does not fit. */
static bool numbering_take(struct numbering *n, const struct cs_bar *bar, bool continues)
{
    const int index = (int)numbering_index(n, bar);

    if (!continues && bar->count > n->free)
        numbering_release(n, bar->start);
    if (!continues && bar->count > n->free)
        return false;
    if (!continues) {
        n->free -= bar->count;
        if (n->places)
            cs_blocks_take(&n->blocks, bar->count, bar->end, &n->set[index]);
    }
    if (n->places)
        numbering_keep(n, bar);
    cs_heap_push(&n->running, index, bar->end);
    n->last[bar->task] = (size_t)index + 1;
    return true;
}

/* False: a bar does not fit. */
static bool numbering_run(struct numbering *n)
{
    const size_t count = n->schedule->list.count;

    n->free = n->schedule->procs;
    memset(n->last, 0, (size_t)n->schedule->tasks * sizeof *n->last);
    cs_heap_reset(&n->running);
    for (size_t i = 0; i < count; i++) {
        const double now = n->order[i]->start;

        if (i == 0 || n->order[i - 1]->start < now) {
            for (size_t k = i; k < count && n->order[k]->start <= now; k++)
                n->continues[k] = numbering_continue(n, n->order[k]);
            numbering_release(n, now);
        }
        if (!numbering_take(n, n->order[i], n->continues[i]))
            return false;
    }
    return true;
}

static bool numbering_possible(const struct cs_bar *bar)
{
    return bar->count > 0 && isfinite(bar->start) && isfinite(bar->end) && bar->end >= bar->start;
}

static bool schedule_number(struct cs_schedule *s, bool places, struct cs_arena *arena)
{
    const size_t count = s->list.count;
    struct numbering n = {.schedule = s,
                          .order = CS_NEW_ARRAY(arena, const struct cs_bar *, count),
                          .set = CS_NEW_ARRAY(arena, struct cs_blocks_set, count),
                          .last = CS_NEW_ARRAY(arena, size_t, s->tasks),
                          .continues = CS_NEW_ARRAY(arena, bool, count)};

    for (size_t b = 0; b < count; b++) {
        n.order[b] = &s->list.bar[b];
        if (!numbering_possible(n.order[b]))
            return false;
    }
    sort_by_start(n.order, count);
    cs_heap_init(&n.running, (int)count, arena);
    if (!numbering_run(&n))
        return false;
    if (!places)
        return true;
    n.places = true;
    cs_blocks_init(&n.blocks, s->procs, arena);
    numbering_run(&n);
    for (size_t b = 0; b < count; b++)
        s->list.bar[b].count = 0;
    return true;
}

static bool schedule_try(struct cs_schedule *s, bool places)
{
    struct cs_arena *arena;
    bool done;

    if (!cs_schedule_has_counts(s))
        return true;
    arena = cs_arena_create();
    done = schedule_number(s, places, arena);
    cs_arena_destroy(arena);
    return done;
}

bool cs_schedule_number(struct cs_schedule *s)
{
    return schedule_try(s, true);
}

bool cs_schedule_fits(struct cs_schedule *s)
{
    return schedule_try(s, false);
}

int cs_schedule_need_numbers(const struct cs_schedule *s, struct cs_error *err)
{
    if (!cs_schedule_has_counts(s))
        return 0;
    return cs_error_set(err, "its bars hold more processors than there are: see 'cosched check'");
}
