/* log_table.h - a row for each job of a replay, as it is done (spec/replay.md
 * 11.2).  Another observer. */
#ifndef CS_RIGID_LOG_TABLE_H
#define CS_RIGID_LOG_TABLE_H

#include "rigid/log_study.h"

#include <stdio.h>

struct cs_rigid_log_table {
    FILE *file;
    enum cs_rigid_table_form form;
    const char *policy, *priority;
    const struct cs_log *log;
    struct cs_strbuf line;
    bool failed;
};

const char *cs_rigid_log_table_head(enum cs_rigid_table_form form);
struct cs_rigid_observer cs_rigid_log_table_observer(struct cs_rigid_log_table *table);

#endif
