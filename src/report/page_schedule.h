/* page_schedule.h - a schedule as a section of a report, for html/gantt.js to draw. */
#ifndef CS_REPORT_PAGE_SCHEDULE_H
#define CS_REPORT_PAGE_SCHEDULE_H

#include "model/schedule.h"
#include "report/page.h"

/* Append a section of the kind "schedule": every bar, the facts, the result of the checker, and a
 * static chart if one can be drawn. -1 with err, and no section, for a schedule that cannot be
 * drawn: times that are not finite, bars that end before they start, processors that it does not
 * have. */
int cs_page_add_schedule(struct cs_page *page, const struct cs_schedule_file *file,
                         const char *heading, struct cs_error *err);

#endif
