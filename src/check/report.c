/* report.c - a list of violations that grows up to its limit. */
#include "check/report.h"

#include "base/arena.h"
#include "base/bug.h"
#include "base/guard.h"
#include "base/plain.h"
#include "base/strbuf.h"

#include <stdarg.h>
#include <string.h>

struct store {
    struct cs_check_report report;
    struct cs_arena *arena;
    struct cs_check_item *item;
    size_t room;
};

static const char *const names[] = {
    [CS_VIOLATION_BAR_TIME] = "time not usable",
    [CS_VIOLATION_BAR_LENGTH] = "bar without length",
    [CS_VIOLATION_PROC_SET] = "malformed processor set",
    [CS_VIOLATION_PROC_RANGE] = "processor out of range",
    [CS_VIOLATION_PROC_SHARED] = "processor shared",
    [CS_VIOLATION_TASK_OVERLAP] = "task overlaps itself",
    [CS_VIOLATION_ATTEMPT] = "attempt below 1",
    [CS_VIOLATION_MAKESPAN] = "wrong makespan",
    [CS_VIOLATION_INSTANCE] = "other instance",
    [CS_VIOLATION_TASK_MISSING] = "task missing",
    [CS_VIOLATION_TASK_REPEATED] = "task repeated",
    [CS_VIOLATION_BAR_KIND] = "not work",
    [CS_VIOLATION_DURATION] = "wrong duration",
    [CS_VIOLATION_TOO_FEW_PROCS] = "too few processors",
    [CS_VIOLATION_PACK_MISSING] = "in no pack",
    [CS_VIOLATION_PACK_START] = "pack does not start together",
    [CS_VIOLATION_PACK_OVERLAP] = "packs overlap",
    [CS_VIOLATION_PACK_SIZE] = "pack too large",
    [CS_VIOLATION_PACK_PROCS] = "too many processors in a pack",
    [CS_VIOLATION_DECLARED_TASK] = "declared packs differ from bars",
    [CS_VIOLATION_DECLARED_COST] = "wrong declared cost",
    [CS_VIOLATION_DECLARED_RATIO] = "wrong declared metric",
    [CS_VIOLATION_DECLARED_BOUND] = "wrong declared bound",
    [CS_VIOLATION_EARLY] = "starts before its submission",
    [CS_VIOLATION_WIDTH] = "wrong number of processors",
    [CS_VIOLATION_CAPACITY] = "too many processors in use",
    [CS_VIOLATION_HEAD_WAITS] = "first in line waits although it fits",
    [CS_VIOLATION_RESERVATION] = "first in line is delayed",
    [CS_VIOLATION_ATTEMPT_ORDER] = "attempt out of order",
    [CS_VIOLATION_RERUN] = "runs again without a failure",
    [CS_VIOLATION_FAILURES] = "other failures than the scenario",
    [CS_VIOLATION_SHELF] = "not a shelf",
    [CS_VIOLATION_PAIRS] = "not whole pairs",
    [CS_VIOLATION_WAITS] = "task waits",
    [CS_VIOLATION_SEGMENT] = "not a segment",
    [CS_VIOLATION_PERIOD] = "wrong period",
    [CS_VIOLATION_WORK] = "wrong amount of work",
    [CS_VIOLATION_REDISTRIBUTION] = "wrong redistribution",
    [CS_VIOLATION_CONFIGURATION] = "not a configuration",
    [CS_VIOLATION_NOT_UP] = "host is not up",
    [CS_VIOLATION_TRANSFER] = "wrong transfer",
    [CS_VIOLATION_TOGETHER] = "does not compute together",
    [CS_VIOLATION_ITERATION] = "wrong end of an iteration",
    [CS_VIOLATION_OPTIMAL] = "not optimal",
    [CS_VIOLATION_INPUT] = "other input",
    [CS_VIOLATION_OVERTAKES] = "overtakes",
    [CS_VIOLATION_SCATTERED] = "processors not consecutive",
    [CS_VIOLATION_DECLARED_ENERGY] = "wrong declared energy",
    [CS_VIOLATION_DECLARED_AREA] = "wrong declared area",
    [CS_VIOLATION_CLUSTER] = "not on one cluster",
    [CS_VIOLATION_GROUP] = "unexpected group",
    [CS_VIOLATION_LATE] = "late",
    [CS_VIOLATION_PRECEDENCE] = "starts before its data are there",
};

const char *cs_violation_name(enum cs_violation violation)
{
    CS_ASK(violation >= CS_VIOLATION_BAR_TIME && (size_t)violation < sizeof names / sizeof *names,
           NULL, NULL);
    return names[violation];
}

int cs_check_broken(struct cs_check_report *report)
{
    report->total++;
    report->note = "memory ran out: the check was not finished";
    return -1;
}

struct cs_check_report *cs_check_report_create(size_t limit)
{
    CS_GUARD(NULL, NULL);
    struct cs_arena *arena = cs_arena_create();
    struct store *store = CS_NEW(arena, struct store);

    *store = (struct store){.report = {.limit = limit, .storage = store}, .arena = arena};
    return &store->report;
}

void cs_check_report_destroy(struct cs_check_report *report)
{
    struct store *store = report ? report->storage : NULL;

    if (store)
        cs_arena_destroy(store->arena);
}

static struct cs_check_item *report_append(struct store *store)
{
    struct cs_check_report *report = &store->report;

    if (report->count == store->room) {
        struct cs_check_item *old = store->item;

        store->room = store->room ? 2 * store->room : 8;
        store->item = CS_NEW_ARRAY(store->arena, struct cs_check_item, store->room);
        if (report->count)
            memcpy(store->item, old, report->count * sizeof *old);
        report->item = store->item;
    }
    return &store->item[report->count++];
}

void cs_check_add(struct cs_check_report *report, enum cs_violation violation, int task,
                  double time, const char *format, ...)
{
    struct store *store = report->storage;
    char text[CS_ERROR_SIZE];
    va_list args;

    if (report->total++ >= report->limit)
        return;
    va_start(args, format);
    cs_plain_vprint(text, sizeof text, format, args);
    va_end(args);
    *report_append(store) = (struct cs_check_item){
        .violation = violation,
        .task = task,
        .time = time,
        .text = cs_arena_strdup(store->arena, text),
    };
}

void cs_check_lack(struct cs_check_report *report, const char *error_text)
{
    if (!report->missing)
        report->missing = cs_arena_strdup(((struct store *)report->storage)->arena, error_text);
}

void cs_check_note(struct cs_check_report *report, const char *error_text)
{
    if (!report->note)
        report->note = cs_arena_strdup(((struct store *)report->storage)->arena, error_text);
}
