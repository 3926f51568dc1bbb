/* file.c - a schedule file by the rules of its problem. */
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

static void check_pack_file(const struct cs_schedule_file *file, struct cs_check_report *report)
{
    int procs = cs_schedule_procs(file->schedule);
    int pack_size = file->pack && file->pack->pack_size ? file->pack->pack_size : procs;

    if (file->workload) {
        cs_check_pack(file->schedule, file->workload, pack_size, file->pack, report);
        return;
    }
    cs_check_add(report, CS_VIOLATION_INSTANCE, -1, NAN,
                 "the file has no \"instance\": without the profiles no duration can be checked");
    cs_check_schedule(file->schedule, true, report);
}

static void check_malleable_file(const struct cs_schedule_file *file,
                                 struct cs_check_report *report)
{
    if (file->workload) {
        cs_check_malleable(file->schedule, file->workload, file->malleable, report);
        return;
    }
    cs_check_add(report, CS_VIOLATION_INSTANCE, -1, NAN,
                 "the file has no \"instance\": without the profiles no duration can be checked");
    cs_check_schedule(file->schedule, true, report);
}

static void check_moldable_file(const struct cs_schedule_file *file, struct cs_check_report *report)
{
    if (file->workload) {
        cs_check_moldable(file->schedule, file->workload, file->moldable, report);
        return;
    }
    cs_check_add(report, CS_VIOLATION_INSTANCE, -1, NAN,
                 "the file has no \"instance\": without the profiles no duration can be checked");
    cs_check_schedule(file->schedule, true, report);
}

/* A misspelled problem would otherwise be judged by no rules but those of every schedule. */
static void check_problem(const char *problem, struct cs_check_report *report)
{
    static const char *const known[] = {"pack", "moldable", "malleable",
                                        "ptg",  "rigid",    "volatile"};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(problem, known[i]) == 0)
            return;
    cs_check_add(
        report, CS_VIOLATION_INSTANCE, -1, NAN,
        "the problem is \"%s\", it must be pack, moldable, malleable, ptg, rigid or volatile",
        problem);
}

void cs_check_file(const struct cs_schedule_file *file, struct cs_check_report *report)
{
    check_problem(cs_schedule_problem(file->schedule), report);
    check_makespan(file, report);
    if (file->observed)
        cs_check_observed(file->schedule, file->observed, report);
    else if (strcmp(cs_schedule_problem(file->schedule), "pack") == 0)
        check_pack_file(file, report);
    else if (file->rigid)
        cs_check_rigid(file->schedule, file->rigid, report);
    else if (file->malleable)
        check_malleable_file(file, report);
    else if (file->moldable)
        check_moldable_file(file, report);
    else if (file->trial)
        cs_check_volatile(file->schedule, file->trial, report);
    else if (file->ptg)
        cs_check_ptg(file->schedule, file->ptg, report);
    else
        cs_check_schedule(file->schedule, false, report);
}
