/* workload_columns.h - roles of the columns of a table of applications.
 *
 * Columns have common names in addition to ours: `name` or `task` for app; `nodes`, `ranks`,
 * `cores` and the like for procs; `time`, `elapsed`, `walltime` and the like for seconds. Case does
 * not matter, nor whether words are joined by _, - or a blank; a unit of seconds may follow, as in
 * "time (s)".
 */
#ifndef CS_IO_WORKLOAD_COLUMNS_H
#define CS_IO_WORKLOAD_COLUMNS_H

#include "base/csv.h"
#include "base/strbuf.h"

#include <stdbool.h>

/* -1 for those that are not there. */
struct cs_workload_columns {
    bool formulas; /* one row an application, no procs */
    int app, procs, seconds, size, fraction, overhead;
    int checkpoint, data, verification, disk;
    int min_procs, max_procs, counts, walltime, release;
    const bool *requirement; /* by column: read as one (modes_csv.h); NULL: none is */
};

/* Does a column of this name look like a requirement (spec/bag.md 12.2) or a limit of an
 * application? */
bool cs_columns_is_requirement(const char *name);

/* Columns that look like requirements (spec/bag.md 12.2) and are not among the `used`: one line
 * each, "FILE: gres is not read: ...", as warnings. Return their number. */
int cs_columns_put_unread(const struct cs_csv *csv, const int *used, int count,
                          struct cs_strbuf *out);

/* The same of the columns of a workload, and of several columns that count processors. */
void cs_workload_columns_put_caveats(const struct cs_csv *csv,
                                     const struct cs_workload_columns *columns,
                                     struct cs_strbuf *out);

/* Is this column none of those that are read? */
bool cs_workload_columns_ignore(const struct cs_workload_columns *columns, int column);

/* -1 with one message that lists all missing columns and shows a correct first line. */
int cs_workload_columns_find(const struct cs_csv *csv, struct cs_workload_columns *columns,
                             struct cs_error *err);

#endif
