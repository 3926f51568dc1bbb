/* file.c - a schedule file by the rules of its problem. */
#include "base/arena.h"
#include "base/guard.h"
#include "base/plain.h"
#include "check/check.h"
#include "check/known.h"
#include "check/report.h"
#include "model/bars.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Which keys belong to which problem. */

static const struct key_row {
    const char *problem, *key;
} key_table[] = {
#define CS_KEY(problem_, key_, ...) {#problem_, key_},
#include "model/keys/malleable.def"
#include "model/keys/moldable.def"
#include "model/keys/pack.def"
#include "model/keys/ptg.def"
#include "model/keys/rigid.def"
#include "model/keys/schedule.def"
#include "model/keys/spot.def"
#include "model/keys/volatile.def"
#undef CS_KEY
};

#define KEYS (sizeof key_table / sizeof *key_table)

/* Does the key, at the top of a file, belong to other problems only?  problem: of the file,
 * "observed" for what ran. */
static bool check_key_is_stray(const char *problem, const char *key)
{
    bool known = false;

    for (size_t k = 0; k < KEYS; k++) {
        if (strcmp(key_table[k].key, key) != 0)
            continue;
        if (strcmp(key_table[k].problem, "every") == 0 ||
            strcmp(key_table[k].problem, problem) == 0)
            return false;
        known = true;
    }
    return known;
}

/* the bars of each task in the order of their starts. */

/* The rules of every schedule; attempts of a task one after the other and numbered upwards; exactly
 * one success for every task that is not declared unfinished, followed only by its verification;
 * the requested number of processors. Durations are measured and not checked. */
void cs_check_observed(const struct cs_schedule *schedule,
                       const struct cs_schedule_observed *observed, struct cs_check_report *report);

struct watch {
    const struct cs_schedule *schedule;
    const struct cs_schedule_observed *observed;
    struct cs_check_report *report;
    int *well;                  /* by task: attempts that ended well */
    const struct cs_bar **last; /* by task: the bar before, or NULL */
};

static int compare(const void *a, const void *b)
{
    const struct cs_bar *x = *(const struct cs_bar *const *)a,
                        *y = *(const struct cs_bar *const *)b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x > y) - (x < y);
}

static void check_attempt(const struct watch *w, const struct cs_bar *bar)
{
    const struct cs_bar *before = w->last[bar->task];
    const char *name = cs_schedule_task_name(w->schedule, bar->task);
    const bool saves = w->observed->saves && w->observed->saves[bar->task];

    if (bar->kind == CS_BAR_VERIFY && (!before || before->attempt != bar->attempt))
        cs_check_add(
            w->report, CS_VIOLATION_ATTEMPT_ORDER, bar->task, bar->start,
            "task \"%.60s\" is verified at %.15g s in attempt %d, which did not run before", name,
            bar->start, bar->attempt);
    else if (bar->kind != CS_BAR_VERIFY && before && bar->attempt <= before->attempt &&
             !(saves && bar->attempt == before->attempt && bar->start >= before->end))
        cs_check_add(w->report, CS_VIOLATION_ATTEMPT_ORDER, bar->task, bar->start,
                     "task \"%.60s\" has attempt %d at %.15g s after attempt %d", name,
                     bar->attempt, bar->start, before->attempt);
    if (!saves && w->well[bar->task] > 0 && bar->kind != CS_BAR_VERIFY)
        cs_check_add(w->report, CS_VIOLATION_RERUN, bar->task, bar->start,
                     "task \"%.60s\" runs at %.15g s although it had ended well", name, bar->start);
}

/* The last part of a task that saves its state is the work that ended well. */
static void file_check_bar(const struct watch *w, const struct cs_bar *bar)
{
    const bool saves = w->observed->saves && w->observed->saves[bar->task];
    const bool resized = saves && !strcmp(cs_schedule_problem(w->schedule), "malleable");
    long long procs = cs_bar_procs(bar);
    const char *name = cs_schedule_task_name(w->schedule, bar->task);

    if (bar->kind != CS_BAR_WORK && bar->kind != CS_BAR_LOST && bar->kind != CS_BAR_VERIFY &&
        !(saves && (bar->kind == CS_BAR_RECOVERY || bar->kind == CS_BAR_MOVE ||
                    bar->kind == CS_BAR_CHECKPOINT)))
        cs_check_add(w->report, CS_VIOLATION_BAR_KIND, bar->task, bar->start,
                     "task \"%.60s\" has a bar of kind %s at %.15g s: work, lost or verify are "
                     "observed",
                     name, cs_bar_kind_name(bar->kind), bar->start);
    check_attempt(w, bar);
    if (w->observed->procs && !resized && procs != w->observed->procs[bar->task])
        cs_check_add(w->report, CS_VIOLATION_WIDTH, bar->task, bar->start,
                     "task \"%.60s\" has %lld processors at %.15g s: requested %d", name, procs,
                     bar->start, w->observed->procs[bar->task]);
    w->last[bar->task] = bar;
    if (saves && bar->kind != CS_BAR_VERIFY)
        w->well[bar->task] = bar->kind == CS_BAR_WORK;
    else
        w->well[bar->task] += bar->kind == CS_BAR_WORK;
}

static void check_ends(const struct watch *w)
{
    int next = 0;

    for (int t = 0; t < cs_schedule_tasks(w->schedule); t++) {
        bool unfinished = next < w->observed->unfinished && w->observed->task[next] == t;

        next += unfinished;
        if (unfinished && w->well[t] && !(w->observed->saves && w->observed->saves[t]))
            cs_check_add(w->report, CS_VIOLATION_FAILURES, t, NAN,
                         "task \"%.60s\" is declared as failed, and ended successfully",
                         cs_schedule_task_name(w->schedule, t));
        else if (!unfinished && !w->well[t])
            cs_check_add(w->report, CS_VIOLATION_TASK_MISSING, t, NAN,
                         "task \"%.60s\" never ended successfully, and is not declared as failed",
                         cs_schedule_task_name(w->schedule, t));
    }
}

void cs_check_observed(const struct cs_schedule *schedule,
                       const struct cs_schedule_observed *observed, struct cs_check_report *report)
{
    struct cs_arena *arena = cs_arena_create();
    int tasks = cs_schedule_tasks(schedule);
    struct watch w = {
        .schedule = schedule,
        .observed = observed,
        .report = report,
        .well = CS_NEW_ARRAY(arena, int, tasks),
        .last = CS_NEW_ARRAY(arena, const struct cs_bar *, tasks),
    };
    const struct cs_bar *bar, **order;
    size_t count;

    cs_check_general(schedule, true, report);
    bar = cs_schedule_bars(schedule, &count);
    order = CS_NEW_ARRAY(arena, const struct cs_bar *, count);
    for (size_t b = 0; b < count; b++)
        order[b] = &bar[b];
    if (count)
        qsort(order, count, sizeof *order, compare);
    for (size_t b = 0; b < count; b++)
        file_check_bar(&w, order[b]);
    check_ends(&w);
    cs_arena_destroy(arena);
}

static void check_makespan(const struct cs_schedule_file *file, struct cs_check_report *report)
{
    double want = cs_schedule_makespan(file->schedule);
    const char *unit = cs_check_unit(file->schedule);

    if (!isnan(file->makespan) && file->makespan != want)
        cs_check_add(report, CS_VIOLATION_MAKESPAN, -1, want,
                     "the declared makespan is %.15g %s: the last bar ends at %.15g %s",
                     file->makespan, unit, want, unit);
}

static double file_bound_of(const struct cs_schedule_file *file)
{
    return file->rigid       ? file->rigid->lower_bound
           : file->malleable ? file->malleable->lower_bound
           : file->moldable  ? file->moldable->lower_bound
           : file->trial     ? file->trial->lower_bound
           : file->ptg       ? file->ptg->lower_bound
                             : NAN;
}

/* Plans of packs can have other proofs than a met lower bound: they are checked separately. */
static void check_optimal(const struct cs_schedule_file *file, struct cs_check_report *report)
{
    double makespan = cs_schedule_makespan(file->schedule), bound = file_bound_of(file);
    const char *unit = cs_check_unit(file->schedule);

    if (!file->optimal || file->pack)
        return;
    if (file->trial && file->trial->completed < file->trial->iterations)
        cs_check_add(report, CS_VIOLATION_OPTIMAL, -1, NAN,
                     "the schedule is declared optimal: %d of %d iterations end",
                     file->trial->completed, file->trial->iterations);
    if (bound >= makespan * (1 - 1e-9))
        return;
    if (isnan(bound))
        cs_check_add(report, CS_VIOLATION_OPTIMAL, -1, NAN,
                     "the schedule is declared optimal, and has no lower bound that proves it");
    else
        cs_check_add(report, CS_VIOLATION_OPTIMAL, -1, NAN,
                     "the schedule is declared optimal: it ends at %.15g %s, and the declared "
                     "lower bound is %.15g %s",
                     makespan, unit, bound, unit);
}

static void check_pack_file(const struct cs_schedule_file *file, struct cs_check_report *report)
{
    int procs = cs_schedule_procs(file->schedule);
    int pack_size = file->pack && file->pack->pack_size ? file->pack->pack_size : procs;

    cs_check_pack(file->schedule, file->workload, pack_size, file->pack, report);
}

static void check_malleable_file(const struct cs_schedule_file *file,
                                 struct cs_check_report *report)
{
    cs_check_malleable(file->schedule, file->workload, file->malleable, report);
}

static void check_moldable_file(const struct cs_schedule_file *file, struct cs_check_report *report)
{
    cs_check_moldable(file->schedule, file->workload, file->moldable, report);
}

static void check_rigid_file(const struct cs_schedule_file *file, struct cs_check_report *report)
{
    cs_check_rigid(file->schedule, file->rigid, report);
}

static void check_ptg_file(const struct cs_schedule_file *file, struct cs_check_report *report)
{
    cs_check_ptg(file->schedule, file->ptg, report);
}

static void check_volatile_file(const struct cs_schedule_file *file, struct cs_check_report *report)
{
    cs_check_volatile(file->schedule, file->trial, report);
}

static void check_spot_file(const struct cs_schedule_file *file, struct cs_check_report *report)
{
    cs_check_spot(file->schedule, file->spot, report);
}

/* The problems: the rules of each, and their required keys. */
static const struct rules {
    const char *problem;
    void (*check)(const struct cs_schedule_file *file, struct cs_check_report *report);
    const char *section;
    bool groups; /* bars may have one */
} rules[] = {
    {"pack", check_pack_file, "\"instance\": without the profiles no duration can be checked",
     true},
    {"moldable", check_moldable_file,
     "\"instance\" with \"counts\": without the profiles no duration can be checked", false},
    {"malleable", check_malleable_file,
     "\"instance\" with \"faults\": without the profiles and failures no segment can be checked",
     false},
    {"ptg", check_ptg_file, "\"graphs\": without them no duration and no order can be checked",
     true},
    {"rigid", check_rigid_file, "\"jobs\": without them no duration and no width can be checked",
     false},
    {"volatile", check_volatile_file,
     "\"configurations\" with \"hosts\": without them no slot can be checked", true},
    {"spot", check_spot_file, "\"market\": without it no start can be checked", false},
};

static bool has_section(const struct cs_schedule_file *file, const struct rules *of)
{
    if (of->check == check_pack_file)
        return file->workload;
    if (of->check == check_moldable_file)
        return file->workload && file->moldable;
    if (of->check == check_malleable_file)
        return file->workload && file->malleable;
    if (of->check == check_ptg_file)
        return file->ptg;
    if (of->check == check_spot_file)
        return file->spot;
    return of->check == check_rigid_file ? file->rigid != NULL : file->trial != NULL;
}

/* NULL for an unknown problem; a misspelled one is a violation, since it would otherwise be checked
 * with the general rules only. */
static const struct rules *find_rules(const char *problem, struct cs_check_report *report)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(problem, rules[i].problem) == 0)
            return &rules[i];
    if (*problem)
        cs_check_add(
            report, CS_VIOLATION_INSTANCE, -1, NAN,
            "the problem is \"%s\", it must be pack, moldable, malleable, ptg, rigid, volatile or "
            "spot",
            problem);
    else
        cs_check_lack(report, "the file has no \"problem\"");
    return NULL;
}

/* Groups are packs, shelves, clusters or configurations. */
static void check_groups(const struct cs_schedule_file *file, const struct rules *of,
                         struct cs_check_report *report)
{
    size_t bars;
    const struct cs_bar *bar = cs_schedule_bars(file->schedule, &bars);

    for (size_t i = 0; i < bars && !of->groups && !(file->rigid && file->rigid->shelves); i++)
        if (bar[i].group >= 0)
            cs_check_add(report, CS_VIOLATION_GROUP, bar[i].task, bar[i].start,
                         "task \"%.60s\" has group %d at %.15g s: bars of this schedule have none",
                         cs_schedule_task_name(file->schedule, bar[i].task), bar[i].group,
                         bar[i].start);
}

/* Claims that belong to another problem. */
static void check_stray(const struct cs_schedule_file *file, struct cs_check_report *report)
{
    const char *problem = file->observed ? "observed" : cs_schedule_problem(file->schedule);
    char note[120];

    for (int k = 0; k < file->keys && *problem; k++)
        if (check_key_is_stray(problem, file->key[k])) {
            cs_plain_print(note, sizeof note,
                           "its \"%.40s\" belongs to another problem and was not checked",
                           file->key[k]);
            cs_check_note(report, note);
            return;
        }
}

int cs_check_file(const struct cs_schedule_file *file, struct cs_check_report *report)
{
    CS_ASK(file && file->schedule && report, NULL, -1);
    CS_GUARD(NULL, cs_check_broken(report));
    const struct rules *of = find_rules(cs_schedule_problem(file->schedule), report);

    check_makespan(file, report);
    cs_check_known(file, report);
    cs_check_energy(file, report);
    check_optimal(file, report);
    check_stray(file, report);
    if (file->observed) {
        cs_check_observed(file->schedule, file->observed, report);
        return 0;
    }
    if (of && has_section(file, of)) {
        check_groups(file, of, report);
        of->check(file, report);
        return 0;
    }
    if (of)
        cs_check_add(report, CS_VIOLATION_INSTANCE, -1, NAN, "the file has no %s", of->section);
    cs_check_general(file->schedule, of && of->check == check_pack_file, report);
    return 0;
}
