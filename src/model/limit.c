/* limit.c - limits of a task and of all tasks become one limit of the task. */
#include "base/arena.h"
#include "model/counts.h"
#include "model/workload.h"

#include <limits.h>

static int greatest_common(int a, int b)
{
    while (b) {
        int rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* How many kinds of sets of counts the limit names. */
static int limit_kinds(const struct cs_task_limit *limit)
{
    return (limit->counts > 0) + (limit->multiple > 0) + limit->powers_of_two;
}

/* The listed counts of `of` that both allow; the list becomes theirs. */
static void limit_filter(const int *count, int counts, const struct cs_task_limit *a,
                         const struct cs_task_limit *b, struct cs_task_limit *out, int *list)
{
    out->counts = 0;
    for (int i = 0; i < counts; i++)
        if (cs_counts_permit(a, count[i]) && cs_counts_permit(b, count[i]))
            list[out->counts++] = count[i];
    out->count = list;
    out->multiple = 0;
    out->powers_of_two = false;
}

static void powers_of_both(const struct cs_task_limit *a, const struct cs_task_limit *b,
                           struct cs_task_limit *out, struct cs_arena *arena)
{
    int *power = CS_NEW_ARRAY(arena, int, 31);

    for (int e = 0; e < 31; e++)
        power[e] = 1 << e;
    limit_filter(power, 31, a, b, out, CS_NEW_ARRAY(arena, int, 31));
}

/* Which counts both name, as a limit of one kind.  False: none. */
static bool merge_counts(const struct cs_task_limit *a, const struct cs_task_limit *b,
                         struct cs_task_limit *out, struct cs_arena *arena)
{
    const struct cs_task_limit *listed = a->counts > 0 ? a : b;

    if (limit_kinds(a) + limit_kinds(b) == 0)
        return true;
    if (listed->counts > 0) {
        limit_filter(listed->count, listed->counts, a, b, out,
                     CS_NEW_ARRAY(arena, int, listed->counts));
        return out->counts > 0;
    }
    if ((a->powers_of_two || b->powers_of_two) && (a->multiple > 0 || b->multiple > 0)) {
        powers_of_both(a, b, out, arena);
        return out->counts > 0;
    }
    out->powers_of_two = a->powers_of_two || b->powers_of_two;
    out->multiple = a->multiple > 0 ? a->multiple : b->multiple;
    if (a->multiple > 0 && b->multiple > 0) {
        long long least =
            (long long)a->multiple / greatest_common(a->multiple, b->multiple) * b->multiple;

        out->multiple = least > INT_MAX - 1 ? INT_MAX - 1 : (int)least;
    }
    return true;
}

static bool limit_merge(const struct cs_task_limit *own, const struct cs_task_limit *all,
                        struct cs_task_limit *out, struct cs_arena *arena)
{
    *out = *own;
    if (all->min_procs > own->min_procs)
        out->min_procs = all->min_procs;
    if (all->max_procs > 0 && (own->max_procs == 0 || all->max_procs < own->max_procs))
        out->max_procs = all->max_procs;
    if (all->walltime > 0 && (own->walltime == 0 || all->walltime < own->walltime))
        out->walltime = all->walltime;
    if (all->margin > own->margin)
        out->margin = all->margin;
    return merge_counts(own, all, out, arena);
}

int cs_workload_restrict(struct cs_workload *workload, const struct cs_task_limit *all,
                         struct cs_error *err)
{
    static const struct cs_task_limit none;
    struct cs_arena *arena = cs_arena_create();
    struct cs_task_limit *limit = CS_NEW_ARRAY(arena, struct cs_task_limit, workload->count);
    int status = 0;

    for (int i = 0; i < workload->count && !status; i++) {
        const struct cs_task_limit *own = workload->limit ? &workload->limit[i] : &none;

        if (!limit_merge(own, all, &limit[i], arena))
            status = cs_error_set(err,
                                  "task %d (%s): none of the counts that it allows is allowed for "
                                  "all tasks: allow one of them",
                                  i, workload->name[i]);
    }
    if (!status)
        cs_workload_set_limits(workload, limit);
    cs_arena_destroy(arena);
    return status;
}
