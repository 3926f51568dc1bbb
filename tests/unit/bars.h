/* bars.h - schedules made by hand, and what the checker says of them. */
#ifndef CS_TESTS_UNIT_BARS_H
#define CS_TESTS_UNIT_BARS_H

#include "check/check.h"
#include "unit/kit.h"

#include <string.h>

/* A bar on the processors first .. last. */
static inline void bars_add(struct cs_schedule *s, enum cs_bar_kind kind, int task, int attempt,
                            int group, double start, double end, int first, int last)
{
    const struct cs_interval procs = {first, last};

    cs_schedule_add(s,
                    &(struct cs_bar){.kind = kind,
                                     .task = task,
                                     .attempt = attempt,
                                     .group = group,
                                     .start = start,
                                     .end = end,
                                     .intervals = 1,
                                     .procs = &procs},
                    NULL);
}

/* One of the violations is of this kind and has this text in it; destroys the report. */
static inline void bars_expect(struct cs_check_report *report, enum cs_violation violation,
                               const char *text)
{
    bool found = false;

    for (size_t i = 0; i < report->count; i++)
        found |= report->item[i].violation == violation && strstr(report->item[i].text, text);
    for (size_t i = 0; !found && i < report->count; i++)
        print_message("# %s: %s\n", cs_violation_name(report->item[i].violation),
                      report->item[i].text);
    if (!found)
        fail_msg("none of %zu violations says \"%s\"", report->total, text);
    cs_check_report_destroy(report);
}

/* There is no violation; destroys the report. */
static inline void bars_expect_valid(struct cs_check_report *report)
{
    if (report->total)
        fail_msg("%zu violations, such as: %s", report->total, report->item[0].text);
    cs_check_report_destroy(report);
}

#endif
