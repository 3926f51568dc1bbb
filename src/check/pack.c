/* pack.c - the bars of a plan of packs against the instance. */
#include "base/arena.h"
#include "base/guard.h"
#include "check/given.h"
#include "check/report.h"
#include "model/procset.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TOLERANCE 1e-12

struct plan {
    const struct cs_schedule *schedule;
    const struct cs_workload *workload;
    const struct cs_bar *bar;
    size_t bars;
    int pack_size;
    bool supplied; /* times are those of the instance, not repaired */
    struct cs_check_report *report;
};

/* One pack: the summary of its bars. */
struct pack {
    int group;
    int tasks;
    long long procs;
    double start, end; /* of the first bar; the latest */
};

static const char *pack_name_of(const struct plan *plan, int task)
{
    return cs_schedule_task_name(plan->schedule, task);
}

static bool same_tasks(const struct plan *plan)
{
    int tasks = cs_schedule_tasks(plan->schedule);

    if (tasks != plan->workload->count) {
        cs_check_add(plan->report, CS_VIOLATION_INSTANCE, -1, NAN,
                     "the schedule has %d tasks and the instance %d: they must be the same", tasks,
                     plan->workload->count);
        return false;
    }
    for (int i = 0; i < tasks; i++)
        if (strcmp(pack_name_of(plan, i), plan->workload->name[i]) != 0)
            cs_check_add(plan->report, CS_VIOLATION_INSTANCE, i, NAN,
                         "task %d is \"%.60s\" in the schedule and \"%.60s\" in the instance", i,
                         pack_name_of(plan, i), plan->workload->name[i]);
    return true;
}

static void check_once(const struct plan *plan, struct cs_arena *arena)
{
    int tasks = plan->workload->count;
    bool *seen = CS_NEW_ARRAY(arena, bool, tasks);

    for (size_t i = 0; i < plan->bars; i++) {
        const struct cs_bar *bar = &plan->bar[i];

        if (seen[bar->task])
            cs_check_add(plan->report, CS_VIOLATION_TASK_REPEATED, bar->task, bar->start,
                         "task \"%.60s\" runs again at %.15g s: every task runs once",
                         pack_name_of(plan, bar->task), bar->start);
        seen[bar->task] = true;
    }
    for (int i = 0; i < tasks; i++)
        if (!seen[i])
            cs_check_add(plan->report, CS_VIOLATION_TASK_MISSING, i, NAN,
                         "task \"%.60s\" never runs", pack_name_of(plan, i));
}

static double time_of(const struct plan *plan, int task, long long procs)
{
    return cs_check_pack_time(plan->workload, plan->supplied, task, (int)procs);
}

static const struct cs_task_limit *limit_of(const struct plan *plan, int task)
{
    static const struct cs_task_limit none;

    return plan->workload->limit ? &plan->workload->limit[task] : &none;
}

/* With repaired times a task is launched on all processors that it holds; with given ones the
 * declared packs name the count. */
static void check_count(const struct plan *plan, const struct cs_bar *bar)
{
    long long procs = cs_procset_size(bar->procs, bar->intervals);
    const char *broken =
        plan->supplied ? NULL : cs_check_broken_limit(limit_of(plan, bar->task), procs);

    if (broken)
        cs_check_add(plan->report, CS_VIOLATION_WIDTH, bar->task, bar->start,
                     "task \"%.60s\" has %lld processor%s at %.15g s: %s does not allow that",
                     pack_name_of(plan, bar->task), procs, procs == 1 ? "" : "s", bar->start,
                     broken);
}

/* Limits that hold for given and for repaired times. */
static void check_limit(const struct plan *plan, const struct cs_bar *bar)
{
    const struct cs_task_limit *limit = limit_of(plan, bar->task);
    const double seconds = bar->end - bar->start, rounding = 4 * DBL_EPSILON * fabs(bar->end);

    check_count(plan, bar);
    if (cs_check_over_walltime(limit, seconds * (1 - TOLERANCE) - rounding))
        cs_check_add(plan->report, CS_VIOLATION_WIDTH, bar->task, bar->start,
                     "task \"%.60s\" takes %.15g s from %.15g s on: its walltime of %.15g s with "
                     "the margin %.15g does not allow that",
                     pack_name_of(plan, bar->task), seconds, bar->start, limit->walltime,
                     fmax(limit->margin, 1));
    if (bar->start < limit->release)
        cs_check_add(plan->report, CS_VIOLATION_EARLY, bar->task, bar->start,
                     "task \"%.60s\" starts at %.15g s, its release is %.15g s",
                     pack_name_of(plan, bar->task), bar->start, limit->release);
}

static void check_duration(const struct plan *plan, const struct cs_bar *bar)
{
    long long procs = cs_procset_size(bar->procs, bar->intervals);
    double want, rounding = 4 * DBL_EPSILON * fabs(bar->end), length = bar->end - bar->start;

    if (!cs_procset_well_formed(bar->procs, bar->intervals) || procs < 1 ||
        procs > cs_schedule_procs(plan->schedule) || !isfinite(length))
        return;
    check_limit(plan, bar);
    want = time_of(plan, bar->task, procs);
    if (isinf(want))
        cs_check_add(plan->report, CS_VIOLATION_TOO_FEW_PROCS, bar->task, bar->start,
                     "task \"%.60s\" has %lld processor%s at %.15g s: it cannot run on so few",
                     pack_name_of(plan, bar->task), procs, procs == 1 ? "" : "s", bar->start);
    else if (!(fabs(length - want) <= TOLERANCE * want + rounding))
        cs_check_add(plan->report, CS_VIOLATION_DURATION, bar->task, bar->start,
                     "task \"%.60s\" takes %.15g s from %.15g s on: on %lld processor%s it must "
                     "take %.15g s",
                     pack_name_of(plan, bar->task), length, bar->start, procs,
                     procs == 1 ? "" : "s", want);
}

static void pack_check_bar(const struct plan *plan, const struct cs_bar *bar)
{
    if (bar->kind != CS_BAR_WORK)
        cs_check_add(
            plan->report, CS_VIOLATION_BAR_KIND, bar->task, bar->start,
            "task \"%.60s\" has a bar of kind %s at %.15g s: a plan of packs has only work",
            pack_name_of(plan, bar->task), cs_bar_kind_name(bar->kind), bar->start);
    if (bar->group < 0)
        cs_check_add(plan->report, CS_VIOLATION_PACK_MISSING, bar->task, bar->start,
                     "task \"%.60s\" at %.15g s is in no pack", pack_name_of(plan, bar->task),
                     bar->start);
    if (bar->attempt > 1)
        cs_check_add(plan->report, CS_VIOLATION_ATTEMPT_ORDER, bar->task, bar->start,
                     "task \"%.60s\" has attempt %d at %.15g s: it runs once",
                     pack_name_of(plan, bar->task), bar->attempt, bar->start);
    check_duration(plan, bar);
}

struct key {
    int group;
    size_t bar;
};

static int compare_keys(const void *a, const void *b)
{
    const struct key *x = a, *y = b;

    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return (x->bar > y->bar) - (x->bar < y->bar);
}

static void add_to_pack(const struct plan *plan, struct pack *pack, const struct cs_bar *bar)
{
    if (pack->tasks++ == 0) {
        pack->group = bar->group;
        pack->start = bar->start;
        pack->end = bar->end;
    }
    pack->procs += cs_procset_size(bar->procs, bar->intervals);
    pack->end = fmax(pack->end, bar->end);
    if (bar->start != pack->start)
        cs_check_add(plan->report, CS_VIOLATION_PACK_START, bar->task, bar->start,
                     "task \"%.60s\" starts at %.15g s and its pack %d at %.15g s: the tasks of a "
                     "pack start together",
                     pack_name_of(plan, bar->task), bar->start, bar->group, pack->start);
}

static void check_limits(const struct plan *plan, const struct pack *pack)
{
    int procs = cs_schedule_procs(plan->schedule);

    if (pack->tasks > plan->pack_size)
        cs_check_add(plan->report, CS_VIOLATION_PACK_SIZE, -1, pack->start,
                     "pack %d at %.15g s has %d tasks: at most %d may share one", pack->group,
                     pack->start, pack->tasks, plan->pack_size);
    if (pack->procs > procs)
        cs_check_add(plan->report, CS_VIOLATION_PACK_PROCS, -1, pack->start,
                     "pack %d at %.15g s uses %lld processors: there are %d", pack->group,
                     pack->start, pack->procs, procs);
}

static int compare_packs(const void *a, const void *b)
{
    const struct pack *x = a, *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->group > y->group) - (x->group < y->group);
}

static void check_order(const struct plan *plan, struct pack *pack, size_t packs)
{
    size_t last = 0;

    qsort(pack, packs, sizeof *pack, compare_packs);
    for (size_t i = 1; i < packs; i++) {
        if (pack[i].start < pack[last].end)
            cs_check_add(plan->report, CS_VIOLATION_PACK_OVERLAP, -1, pack[i].start,
                         "pack %d starts at %.15g s before pack %d ends at %.15g s", pack[i].group,
                         pack[i].start, pack[last].group, pack[last].end);
        if (pack[i].end > pack[last].end)
            last = i;
    }
}

static bool pack_usable(const struct cs_bar *bar)
{
    return bar->group >= 0 && isfinite(bar->start) && isfinite(bar->end);
}

static void check_packs(const struct plan *plan, struct cs_arena *arena)
{
    struct key *key = CS_NEW_ARRAY(arena, struct key, plan->bars);
    struct pack *pack = CS_NEW_ARRAY(arena, struct pack, plan->bars);
    size_t count = 0, packs = 0;

    for (size_t i = 0; i < plan->bars; i++)
        if (pack_usable(&plan->bar[i]))
            key[count++] = (struct key){plan->bar[i].group, i};
    qsort(key, count, sizeof *key, compare_keys);
    for (size_t i = 0; i < count; i++) {
        packs += i == 0 || key[i].group != key[i - 1].group;
        add_to_pack(plan, &pack[packs - 1], &plan->bar[key[i].bar]);
    }
    for (size_t b = 0; b < packs; b++)
        check_limits(plan, &pack[b]);
    check_order(plan, pack, packs);
}

/* Bars of tasks so short that their end is their start. */
static const bool *find_tiny(const struct plan *plan, struct cs_arena *arena)
{
    bool *tiny = CS_NEW_ARRAY(arena, bool, plan->bars);

    for (size_t i = 0; i < plan->bars; i++) {
        const struct cs_bar *bar = &plan->bar[i];
        long long procs = cs_procset_size(bar->procs, bar->intervals);

        tiny[i] = procs >= 1 && procs <= cs_schedule_procs(plan->schedule) &&
                  bar->start + time_of(plan, bar->task, procs) == bar->start;
    }
    return tiny;
}

int cs_check_pack(const struct cs_schedule *schedule, const struct cs_workload *workload,
                  int pack_size, const struct cs_pack_declared *declared,
                  struct cs_check_report *report)
{
    CS_ASK(schedule && workload && report, NULL, -1);
    CS_GUARD(NULL, cs_check_broken(report));
    struct cs_arena *arena = cs_arena_create();
    struct plan plan = {
        .schedule = schedule,
        .workload = workload,
        .pack_size = pack_size,
        .supplied = declared && declared->supplied,
        .report = report,
    };

    plan.bar = cs_schedule_bars(schedule, &plan.bars);
    if (!same_tasks(&plan)) {
        cs_check_general(schedule, true, report);
    } else {
        cs_check_bars(schedule, true, find_tiny(&plan, arena), report);
        check_once(&plan, arena);
        for (size_t i = 0; i < plan.bars; i++)
            pack_check_bar(&plan, &plan.bar[i]);
        check_packs(&plan, arena);
        if (declared)
            cs_check_pack_declared(schedule, workload, declared, report);
    }
    cs_arena_destroy(arena);
    return 0;
}
