/* workload.c - one arena per workload holds the struct, the names and the profiles. */
#include "model/workload.h"

#include "base/arena.h"
#include "base/guard.h"
#include "base/plain.h"
#include "model/known.h"
#include "model/profile.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int workload_check_names(int count, const char *const *name, struct cs_arena *scratch,
                                struct cs_error *err)
{
    const char **sorted = CS_NEW_ARRAY(scratch, const char *, name ? count : 0);

    for (int i = 0; name && i < count; i++) {
        if (!name[i] || !name[i][0])
            return cs_error_set(err, "task %d has no name", i);
        sorted[i] = name[i];
    }
    if (name && count)
        qsort(sorted, (size_t)count, sizeof *sorted, compare_names);
    for (int i = 1; name && i < count; i++)
        if (!strcmp(sorted[i - 1], sorted[i]))
            return cs_error_set(err, "two tasks have the name \"%.60s\": names must differ",
                                sorted[i]);
    return 0;
}

static int check_profiles(int count, const struct cs_profile *profile, struct cs_error *err)
{
    for (int i = 0; i < count; i++)
        if (cs_profile_check(&profile[i], err))
            return cs_error_prefix(err, "task %d", i);
    return 0;
}

static const char *const *copy_names(struct cs_arena *arena, int count, const char *const *name)
{
    char **copy = CS_NEW_ARRAY(arena, char *, count);
    char text[32];

    for (int i = 0; i < count; i++) {
        if (!name)
            cs_plain_print(text, sizeof text, "task%d", i);
        copy[i] = cs_arena_strdup(arena, name ? name[i] : text);
    }
    return (const char *const *)copy;
}

static void *copy_array(struct cs_arena *arena, const void *from, int count, size_t size)
{
    void *copy = cs_arena_alloc(arena, (size_t)count, size);

    return count > 0 ? memcpy(copy, from, (size_t)count * size) : copy;
}

static void copy_runs(struct cs_arena *arena, const struct cs_profile *from,
                      struct cs_profile *copy)
{
    int runs = 0;

    copy->runs = NULL;
    copy->run = NULL;
    if (from->kind != CS_PROFILE_POINTS || !from->runs)
        return;
    for (int a = 0; a < from->count; a++)
        runs += from->runs[a];
    copy->runs = copy_array(arena, from->runs, from->count, sizeof *from->runs);
    copy->run = copy_array(arena, from->run, runs, sizeof *from->run);
}

static struct cs_profile copy_profile(struct cs_arena *arena, const struct cs_profile *from)
{
    struct cs_profile copy = *from;
    bool points = from->kind == CS_PROFILE_POINTS;

    if (from->kind != CS_PROFILE_TABLE && !points)
        return copy;
    copy.seconds = copy_array(arena, from->seconds, from->count, sizeof *from->seconds);
    copy.procs = points ? copy_array(arena, from->procs, from->count, sizeof *from->procs) : NULL;
    copy_runs(arena, from, &copy);
    return copy;
}

struct cs_workload *cs_workload_create(int count, const char *const *name,
                                       const struct cs_profile *profile, struct cs_error *err)
{
    CS_ASK(count >= 0 && (profile || !count), err, NULL);
    CS_GUARD(err, NULL);
    struct cs_arena *arena = cs_arena_create();
    struct cs_workload *workload = CS_NEW(arena, struct cs_workload);
    struct cs_profile *copy = CS_NEW_ARRAY(arena, struct cs_profile, count);

    if (workload_check_names(count, name, arena, err) || check_profiles(count, profile, err)) {
        cs_arena_destroy(arena);
        return NULL;
    }
    for (int i = 0; i < count; i++)
        copy[i] = copy_profile(arena, &profile[i]);
    *workload = (struct cs_workload){
        .count = count,
        .name = copy_names(arena, count, name),
        .profile = copy,
        .source = "",
        .remark = "",
        .storage = arena,
    };
    return workload;
}

static const double *copy_costs(const struct cs_workload *workload, const double *cost)
{
    return cost ? copy_array(workload->storage, cost, workload->count, sizeof *cost) : NULL;
}

void cs_workload_set_state(struct cs_workload *workload, const double *checkpoint,
                           const double *data)
{
    workload->checkpoint = copy_costs(workload, checkpoint);
    workload->data = copy_costs(workload, data);
}

void cs_workload_set_levels(struct cs_workload *workload, const double *verification,
                            const double *disk)
{
    workload->verification = copy_costs(workload, verification);
    workload->disk = copy_costs(workload, disk);
}

void cs_workload_set_limits(struct cs_workload *workload, const struct cs_task_limit *limit)
{
    struct cs_task_limit *copy =
        copy_array(workload->storage, limit, workload->count, sizeof *limit);

    for (int i = 0; i < workload->count; i++)
        copy[i].count = copy_array(workload->storage, limit[i].count, limit[i].counts, sizeof(int));
    workload->limit = copy;
}

/* ---- modes ---- */

static const char *const *copy_texts(struct cs_arena *arena, int count, const char *const *text)
{
    const char **copy = CS_NEW_ARRAY(arena, const char *, text ? count : 0);

    for (int k = 0; text && k < count; k++)
        copy[k] = cs_arena_strdup(arena, text[k]);
    return text ? copy : NULL;
}

/* NULL stays NULL. */
static void *copy_rows(struct cs_arena *arena, const void *from, int rows, int columns, size_t size)
{
    return from ? copy_array(arena, from, rows * columns, size) : NULL;
}

static void copy_modes(struct cs_arena *arena, const struct cs_modes *m, struct cs_modes *copy)
{
    const int modes = m->first[m->tasks];

    copy->first = copy_array(arena, m->first, m->tasks + 1, sizeof *m->first);
    copy->seconds = copy_array(arena, m->seconds, modes, sizeof *m->seconds);
    copy->use = copy_rows(arena, m->use, modes, m->resources, sizeof *m->use);
    copy->spend = copy_rows(arena, m->spend, modes, m->budgets, sizeof *m->spend);
    copy->span = copy_rows(arena, m->span, modes, 1, sizeof *m->span);
    copy->label = copy_texts(arena, modes, m->label);
    copy->origin = copy_rows(arena, m->origin, modes, 1, sizeof *m->origin);
}

static void copy_machine(struct cs_arena *arena, const struct cs_modes *m, struct cs_modes *copy)
{
    const size_t size = sizeof(int64_t), date = sizeof(double);

    copy->resource_name = copy_texts(arena, m->resources, m->resource_name);
    copy->budget_name = copy_texts(arena, m->budgets, m->budget_name);
    copy->capacity = copy_rows(arena, m->capacity, m->resources, 1, size);
    copy->per_node = copy_rows(arena, m->per_node, m->resources, 1, size);
    copy->per_proc = copy_rows(arena, m->per_proc, m->resources, 1, size);
    copy->budget = copy_rows(arena, m->budget, m->budgets, 1, size);
    copy->from = copy_rows(arena, m->from, m->windows, 1, date);
    copy->to = copy_rows(arena, m->to, m->windows, 1, date);
    copy->less = copy_rows(arena, m->less, m->windows, m->resources, size);
}

static struct cs_modes *modes_copy(const struct cs_modes *m, struct cs_arena *arena)
{
    struct cs_modes *copy = CS_NEW(arena, struct cs_modes);
    const size_t date = sizeof(double);

    *copy = *m;
    copy_modes(arena, m, copy);
    copy_machine(arena, m, copy);
    copy->task_name = copy_texts(arena, m->tasks, m->task_name);
    copy->before_first = copy_array(arena, m->before_first, m->tasks + 1, sizeof *m->before_first);
    copy->before = copy_array(arena, m->before, m->before_first[m->tasks], sizeof *m->before);
    copy->release = copy_rows(arena, m->release, m->tasks, 1, date);
    copy->deadline = copy_rows(arena, m->deadline, m->tasks, 1, date);
    copy->walltime = copy_rows(arena, m->walltime, m->tasks, 1, date);
    copy->source = m->source ? cs_arena_strdup(arena, m->source) : NULL;
    return copy;
}

void cs_workload_set_modes(struct cs_workload *workload, const struct cs_modes *modes)
{
    workload->modes = modes ? modes_copy(modes, workload->storage) : NULL;
}

int cs_workload_set_known(struct cs_workload *workload, const char *text, struct cs_error *err)
{
    struct cs_known *known = CS_NEW((struct cs_arena *)workload->storage, struct cs_known);

    if (cs_known_parse(text, known, workload->storage, err))
        return -1;
    workload->known = known;
    return 0;
}

void cs_workload_set_source(struct cs_workload *workload, const char *source)
{
    workload->source = cs_arena_strdup(workload->storage, source);
}

void cs_workload_set_remark(struct cs_workload *workload, const char *remark)
{
    workload->remark = cs_arena_strdup(workload->storage, remark);
}

void cs_workload_destroy(struct cs_workload *workload)
{
    if (workload)
        cs_arena_destroy(workload->storage);
}
