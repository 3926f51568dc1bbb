/* rigid_csv.c - rigid jobs, one a row: columns name, procs, seconds. */
#include "base/csv.h"
#include "io/joblist_build.h"
#include "io/workload.h"

#include <limits.h>

static int read_row(const struct cs_csv *csv, const int column[3], struct cs_joblist_draft *draft,
                    struct cs_error *err)
{
    const char *name, *fault;
    int procs;
    double seconds;

    if (cs_csv_word(csv, column[0], &name, err))
        return -1;
    fault = cs_joblist_draft_fault(draft, name);
    if (fault)
        return cs_csv_error(csv, column[0], err, "\"%.60s\" cannot be the name of a job: %s", name,
                            fault);
    if (cs_csv_int(csv, column[1], 1, CS_IO_PROCS_MOST, &procs, err) ||
        cs_csv_double(csv, column[2], CS_NUMBER_POSITIVE, &seconds, err))
        return -1;
    cs_joblist_draft_add(draft, name, seconds, procs);
    return 0;
}

static int read_rows(struct cs_csv *csv, struct cs_joblist_draft *draft, struct cs_error *err)
{
    int column[3], status;

    if (cs_csv_require_all(csv, "name,procs,seconds", column, err))
        return -1;
    while ((status = cs_csv_next(csv, err)) > 0)
        if (read_row(csv, column, draft, err))
            return -1;
    return status;
}

struct cs_joblist *cs_joblist_read_csv_memory(const char *name, const void *bytes, size_t size,
                                              struct cs_error *err)
{
    struct cs_csv *csv = cs_csv_open_memory(name, bytes, size, err);
    struct cs_joblist_draft draft;
    int status;

    if (!csv)
        return NULL;
    cs_joblist_draft_begin(&draft);
    status = read_rows(csv, &draft, err);
    cs_csv_close(csv);
    return cs_joblist_draft_end(&draft, status);
}
