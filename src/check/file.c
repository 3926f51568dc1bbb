/* file.c - a schedule file by the rules of its problem. */
#include "base/guard.h"
#include "base/plain.h"
#include "check/keys.h"
#include "check/observed.h"
#include "check/report.h"

#include <math.h>
#include <string.h>

static void check_makespan(const struct cs_schedule_file *file, struct cs_check_report *report)
{
    double want = cs_schedule_makespan(file->schedule);
    const char *unit = cs_check_unit(file->schedule);

    if (!isnan(file->makespan) && file->makespan != want)
        cs_check_add(report, CS_VIOLATION_MAKESPAN, -1, want,
                     "the declared makespan is %.15g %s: the last bar ends at %.15g %s",
                     file->makespan, unit, want, unit);
}

static double bound_of(const struct cs_schedule_file *file)
{
    return file->rigid       ? file->rigid->lower_bound
           : file->malleable ? file->malleable->lower_bound
           : file->moldable  ? file->moldable->lower_bound
           : file->trial     ? file->trial->lower_bound
           : file->ptg       ? file->ptg->lower_bound
                             : NAN;
}

/* Only plans of packs can say more than that their lower bound is met: they are judged apart. */
static void check_optimal(const struct cs_schedule_file *file, struct cs_check_report *report)
{
    double makespan = cs_schedule_makespan(file->schedule), bound = bound_of(file);
    const char *unit = cs_check_unit(file->schedule);

    if (!file->optimal || file->pack)
        return;
    if (file->trial && file->trial->completed < file->trial->iterations)
        cs_check_add(report, CS_VIOLATION_OPTIMAL, -1, NAN,
                     "the schedule is said to be optimal: %d of %d iterations end",
                     file->trial->completed, file->trial->iterations);
    if (bound >= makespan * (1 - 1e-9))
        return;
    if (isnan(bound))
        cs_check_add(report, CS_VIOLATION_OPTIMAL, -1, NAN,
                     "the schedule is said to be optimal, and has no lower bound that shows it");
    else
        cs_check_add(report, CS_VIOLATION_OPTIMAL, -1, NAN,
                     "the schedule is said to be optimal: it ends at %.15g %s, and the declared "
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

/* The problems: the rules of each, and the keys without which they say nothing. */
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
    return of->check == check_rigid_file ? file->rigid != NULL : file->trial != NULL;
}

/* NULL when the problem is none of ours; a misspelled one is a violation, since it would otherwise
 * be judged by no rules but those of every schedule. */
static const struct rules *find_rules(const char *problem, struct cs_check_report *report)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(problem, rules[i].problem) == 0)
            return &rules[i];
    if (*problem)
        cs_check_add(
            report, CS_VIOLATION_INSTANCE, -1, NAN,
            "the problem is \"%s\", it must be pack, moldable, malleable, ptg, rigid or volatile",
            problem);
    else
        cs_check_lack(report, "the file does not say its \"problem\"");
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
        if (cs_check_key_is_stray(problem, file->key[k])) {
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
    cs_check_schedule(file->schedule, of && of->check == check_pack_file, report);
    return 0;
}
