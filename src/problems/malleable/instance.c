/* instance.c - tasks and a machine become an instance, or an error that states why not.
 *
 * Source: spec/malleable.md 2 (inputs, units, validation).
 *
 * Invariants of an instance: at least one task; all tasks fit at the same time on their least
 * even numbers of processors; every time and area is a finite number; C >= LEAST_CHECKPOINT when
 * processors fail; measured times do not rise (cs_moldable_create repairs them).
 *
 * Complexity: O(n), and one table of `usable` times for each measured task.
 *
 * | constant | value | unit | how found | at half, at double |
 * |----------|-------|------|-----------|--------------------|
 * | LEAST_CHECKPOINT | 1e-290 | s | shorter periods are no numbers | not measured |
 * | LONG_CHECKPOINT | 0.1 | share of mtbf | spec 2: warn above; changes no result | not measured |
 */
#include "problems/malleable/instance.h"
#include "base/arena.h"
#include "base/bug.h"
#include "base/guard.h"
#include "base/plain.h"
#include "base/strbuf.h"
#include "problems/malleable/malleable.h"

#include <math.h>
#include <string.h>

/* The tasks of a workload file become an instance.
 *
 * Source: spec/malleable.md 2.  Formulas of Amdahl's kind, with or without communication, keep
 * their exact form; all other profiles become measured times on 1 .. usable processors
 * (instance.c). Checkpoint and data of a task come from the file, else from the arguments, which
 * hold for all tasks; a task that gets neither is refused (checkpoint: only when processors
 * fail).
 */

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
    task->verification = from_workload_said(workload->verification, i, 0);
    task->disk = from_workload_said(workload->disk, i, 0);
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

/* Below it periods are too short for numbers. */
#define LEAST_CHECKPOINT 1e-290

/* Young's period is a first-order formula: checkpoints are meant to be far shorter than this share
 * of the time between failures.  Both fall as 1/j, so the number of processors does not matter. */
#define LONG_CHECKPOINT 0.1

/* %g, but a NaN always reads "nan", with either sign. */
static double instance_plain(double x)
{
    return isnan(x) ? NAN : x;
}

static int check_platform(const struct cs_malleable_platform *p, int tasks, struct cs_error *err)
{
    if (tasks < 1)
        return cs_error_set(err, "there is no task, at least one is needed");
    if (p->procs / 2 < tasks)
        return cs_error_set(err,
                            "%d task%s at least %d processors, two for each, but the platform has "
                            "%d",
                            tasks, tasks == 1 ? " needs" : "s need", 2 * tasks, p->procs);
    if (!(p->mtbf > 0))
        return cs_error_set(err,
                            "the mean time between failures of a processor is %g s, it must be "
                            "positive (inf: none fails)",
                            instance_plain(p->mtbf));
    if (!(p->silent_mtbf >= 0))
        return cs_error_set(err,
                            "silent_mtbf: the mean time between silent errors is %g s, it must be "
                            "positive (inf: none occur)",
                            instance_plain(p->silent_mtbf));
    if (p->silent_mtbf > 0 && isfinite(p->silent_mtbf) && !isfinite(p->mtbf))
        return cs_error_set(err, "silent_mtbf: silent errors need processors that fail, but the "
                                 "mean time between their failures is infinite");
    if (!(p->downtime >= 0 && isfinite(p->downtime)))
        return cs_error_set(err, "the downtime is %g s, it must be a number from 0 on",
                            instance_plain(p->downtime));
    return 0;
}

/* A field of a task that is not as it must be. */
static int instance_refuse(int task, const char *name, const char *field, double value,
                           const char *right, struct cs_error *err)
{
    return cs_error_set(err, "task %d (%s): the %s is %g, it must be %s", task, name, field,
                        instance_plain(value), right);
}

static int check_formula(int i, const struct cs_malleable_task *t, struct cs_error *err)
{
    if (!(t->seconds > 0 && isfinite(t->seconds)))
        return instance_refuse(i, t->name, "sequential time", t->seconds,
                               "a positive number of seconds", err);
    if (!(t->sequential_fraction >= 0 && t->sequential_fraction <= 1))
        return instance_refuse(i, t->name, "sequential fraction", t->sequential_fraction,
                               "between 0 and 1", err);
    if (!(t->overhead >= 0 && isfinite(t->overhead)))
        return instance_refuse(i, t->name, "overhead", t->overhead, "a number of seconds from 0 on",
                               err);
    return 0;
}

static int check_task(int i, const struct cs_malleable_task *t, bool failing, struct cs_error *err)
{
    if (!t->profile && check_formula(i, t, err))
        return -1;
    if (isnan(t->checkpoint) ||
        (failing && !(t->checkpoint >= LEAST_CHECKPOINT && isfinite(t->checkpoint))))
        return instance_refuse(
            i, t->name, "checkpoint cost", t->checkpoint,
            failing ? "a positive number of seconds when processors fail" : "a number", err);
    if (!(t->verification >= 0 && isfinite(t->verification)))
        return instance_refuse(i, t->name, "verification cost", t->verification,
                               "a number of seconds from 0 on", err);
    if (!(t->disk >= 0 && isfinite(t->disk)))
        return instance_refuse(i, t->name, "disk checkpoint cost", t->disk,
                               "a number of seconds from 0 on", err);
    if (!(t->data >= 0 && isfinite(t->data)))
        return instance_refuse(i, t->name, "data volume", t->data, "a number of seconds from 0 on",
                               err);
    return 0;
}

/* The repair speaks of the only task that it was given: put the right number in front. */
static int rename_task(int i, const char *name, const struct cs_error *found, struct cs_error *err)
{
    const size_t prefix = (size_t)cs_plain_print(NULL, 0, "task 0 (%s): ", name);

    if (strlen(found->text) <= prefix)
        return cs_error_set(err, "task %d (%s): %s", i, name, found->text);
    return cs_error_set(err, "task %d (%s): %s", i, name, found->text + prefix);
}

static int instance_measure(struct cs_malleable_instance *in, int i,
                            const struct cs_profile *profile, struct cs_error *err)
{
    struct cs_profile *copy = CS_NEW(in->arena, struct cs_profile);
    const char **name = CS_NEW(in->arena, const char *);
    struct cs_workload *one = CS_NEW(in->arena, struct cs_workload);
    struct cs_error found = {0};

    *copy = *profile;
    *name = in->task[i].name;
    *one = (struct cs_workload){.count = 1, .name = name, .profile = copy, .source = ""};
    in->measured[i] = cs_moldable_create(one, in->usable, &found);
    return in->measured[i] ? 0 : rename_task(i, *name, &found, err);
}

int cs_malleable_instance_least(const struct cs_malleable_instance *in, int i)
{
    return in->measured[i] ? (in->measured[i]->min_procs[0] + 1) / 2 * 2 : 2;
}

/* All tasks must fit at the same time, and sums of times and areas must be numbers. */
static int check_room(const struct cs_malleable_instance *in, struct cs_error *err)
{
    double sum = 0;
    long long least = 0;

    for (int i = 0; i < in->tasks; i++) {
        int first = cs_malleable_instance_least(in, i);

        if (first > in->usable)
            return cs_error_set(err,
                                "task %d (%s): runs on %d processors or more, but in pairs "
                                "the platform has %d",
                                i, in->task[i].name, in->measured[i]->min_procs[0], in->usable);
        least += first;
        sum += cs_malleable_time(in, i, first) + in->task[i].data;
        if (!isfinite(sum * in->platform.procs))
            return cs_error_set(err,
                                "task %d (%s): times up to this task add up to more than a "
                                "number can hold (1.8e308): are they in seconds?",
                                i, in->task[i].name);
    }
    if (least > in->usable)
        return cs_error_set(err,
                            "the tasks together need %lld processors, in pairs the platform "
                            "has %d",
                            least, in->usable);
    return 0;
}

static const char *instance_warn(const struct cs_malleable_instance *in)
{
    const double mtbf = in->platform.mtbf;
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *kept;
    int first = -1, more = 0;

    for (int i = in->tasks - 1; i >= 0 && in->failing; i--) {
        if (in->task[i].checkpoint > LONG_CHECKPOINT * mtbf) {
            more += first >= 0;
            first = i;
        }
    }
    if (first < 0)
        return NULL;
    cs_strbuf_printf(&text,
                     "task %d (%s): the checkpoint cost is %g s, more than a tenth of the %g s "
                     "between failures of a processor, for which the period of checkpoints is not "
                     "meant",
                     first, in->task[first].name, in->task[first].checkpoint, mtbf);
    if (more)
        cs_strbuf_printf(&text, " (and so for %d other task%s)", more, more == 1 ? "" : "s");
    kept = cs_arena_strdup(in->arena, text.text);
    cs_strbuf_release(&text);
    return kept;
}

static void copy_tasks(struct cs_malleable_instance *in, const struct cs_malleable_task *task)
{
    struct cs_malleable_task *copy = CS_NEW_ARRAY(in->arena, struct cs_malleable_task, in->tasks);
    char number[32];

    for (int i = 0; i < in->tasks; i++) {
        cs_plain_print(number, sizeof number, "task%d", i);
        copy[i] = task[i];
        copy[i].name = cs_arena_strdup(in->arena, task[i].name ? task[i].name : number);
        copy[i].profile = NULL;
    }
    in->task = copy;
}

static int instance_build(struct cs_malleable_instance *in, const struct cs_malleable_task *task,
                          struct cs_error *err)
{
    for (int i = 0; i < in->tasks; i++) {
        struct cs_malleable_task named = task[i];

        named.name = in->task[i].name;
        if (check_task(i, &named, in->failing, err))
            return -1;
        if (task[i].profile && instance_measure(in, i, task[i].profile, err))
            return -1;
    }
    if (check_room(in, err))
        return -1;
    in->warning = instance_warn(in);
    return 0;
}

struct cs_malleable_instance *
cs_malleable_instance_create(int tasks, const struct cs_malleable_task *task,
                             const struct cs_malleable_platform *platform, struct cs_error *err)
{
    CS_ASK(platform && (task || tasks < 1), err, NULL);
    CS_GUARD(err, NULL);
    struct cs_malleable_instance *in;
    struct cs_arena *arena;

    if (check_platform(platform, tasks, err))
        return NULL;
    arena = cs_arena_create();
    in = CS_NEW(arena, struct cs_malleable_instance);
    *in = (struct cs_malleable_instance){
        .arena = arena,
        .tasks = tasks,
        .usable = platform->procs / 2 * 2,
        .platform = *platform,
        .failing = !platform->fault_free && isfinite(platform->mtbf),
        .measured = CS_NEW_ARRAY(arena, struct cs_moldable *, tasks),
    };
    if (in->platform.silent_mtbf == 0)
        in->platform.silent_mtbf = INFINITY;
    copy_tasks(in, task);
    if (instance_build(in, task, err)) {
        cs_malleable_instance_destroy(in);
        return NULL;
    }
    return in;
}

void cs_malleable_instance_destroy(struct cs_malleable_instance *in)
{
    if (!in)
        return;
    for (int i = 0; i < in->tasks; i++)
        cs_moldable_destroy(in->measured[i]);
    cs_arena_destroy(in->arena);
}

int cs_malleable_instance_tasks(const struct cs_malleable_instance *in)
{
    CS_ASK(in, NULL, 0);
    return in->tasks;
}

const struct cs_malleable_platform *
cs_malleable_instance_platform(const struct cs_malleable_instance *in)
{
    CS_ASK(in, NULL, NULL);
    return &in->platform;
}

const struct cs_malleable_task *cs_malleable_instance_task(const struct cs_malleable_instance *in,
                                                           int task)
{
    CS_ASK(in && task >= 0 && task < in->tasks, NULL, NULL);
    return &in->task[task];
}

const char *cs_malleable_instance_warning(const struct cs_malleable_instance *in)
{
    CS_ASK(in, NULL, NULL);
    return in->warning;
}
