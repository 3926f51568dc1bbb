/* from_workload.c - the tasks of a workload file become an instance.
 *
 * Source: spec/malleable.md 2.  Formulas of Amdahl's kind, with or without communication, keep
 * their exact form; all other profiles become measured times on 1 .. usable processors
 * (instance.c). Checkpoint and data of a task come from the file, else from the arguments, which
 * hold for all tasks; a task that gets neither is refused (checkpoint: only when processors
 * fail).
 */
#include "base/arena.h"
#include "base/guard.h"
#include "problems/malleable/malleable.h"

#include <math.h>

/* Formulas that the problem knows keep their exact form; all else is measured times. */
static void set_times(struct cs_malleable_task *task, const struct cs_profile *profile)
{
    if (profile->kind != CS_PROFILE_AMDAHL && profile->kind != CS_PROFILE_COMMUNICATION) {
        task->profile = profile;
        return;
    }
    task->seconds = profile->seq_time;
    task->sequential_fraction = profile->seq_fraction;
    task->overhead = profile->kind == CS_PROFILE_COMMUNICATION ? profile->overhead : 0;
}

static double from_workload_said(const double *value, int task, double fallback)
{
    return value && !isnan(value[task]) ? value[task] : fallback;
}

static int set_costs(struct cs_malleable_task *task, const struct cs_workload *workload, int i,
                     double checkpoint, double data, bool failing, struct cs_error *err)
{
    task->checkpoint = from_workload_said(workload->checkpoint, i, checkpoint);
    task->data = from_workload_said(workload->data, i, data);
    if (isnan(task->checkpoint) && failing)
        return cs_error_set(err,
                            "task %d (%s): its checkpoint cost is missing: give checkpoint, in "
                            "seconds on one processor, for all tasks or in the table",
                            i, task->name);
    if (isnan(task->data))
        return cs_error_set(err,
                            "task %d (%s): its data size is missing: give data, in seconds that "
                            "one processor needs to send it, for all tasks or in the table",
                            i, task->name);
    if (isnan(task->checkpoint))
        task->checkpoint = 0;
    return 0;
}

struct cs_malleable_instance *
cs_malleable_instance_from_workload(const struct cs_workload *workload, double checkpoint,
                                    double data, const struct cs_malleable_platform *platform,
                                    struct cs_error *err)
{
    CS_ASK(workload && workload->count >= 0 && platform, err, NULL);
    CS_GUARD(err, NULL);
    struct cs_arena *arena = cs_arena_create();
    struct cs_malleable_task *task = CS_NEW_ARRAY(arena, struct cs_malleable_task, workload->count);
    const bool failing = !platform->fault_free && !isinf(platform->mtbf);
    struct cs_malleable_instance *in = NULL;
    int i = 0;

    if (workload->limit)
        cs_error_set(err,
                     "the tasks have limits (least and largest counts, a walltime or a release "
                     "date), which only the problem moldable keeps: take them out");
    for (; !workload->limit && i < workload->count; i++) {
        task[i].name = workload->name[i];
        set_times(&task[i], &workload->profile[i]);
        if (set_costs(&task[i], workload, i, checkpoint, data, failing, err))
            break;
    }
    if (i == workload->count && !workload->limit)
        in = cs_malleable_instance_create(workload->count, task, platform, err);
    cs_arena_destroy(arena);
    return in;
}
