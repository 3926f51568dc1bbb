/* rigid_csv.c - rigid jobs, one a row: columns name, procs, seconds. */
#include "base/csv.h"
#include "io/joblist_build.h"
#include "io/workload.h"
#include "io/workload_columns.h"
#include "model/known.h"

#include <limits.h>

static int rigid_csv_read_row(const struct cs_csv *csv, const int column[3],
                              struct cs_joblist_draft *draft, struct cs_error *err)
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

static int rigid_csv_read_rows(struct cs_csv *csv, struct cs_joblist_draft *draft, int column[3],
                               struct cs_error *err)
{
    int status;

    if (cs_csv_require_all(csv, "name,procs,seconds", column, err))
        return -1;
    while ((status = cs_csv_next(csv, err)) > 0)
        if (rigid_csv_read_row(csv, column, draft, err))
            return -1;
    return status;
}

/* A comment that could be a job is no silent loss. */
static void put_comments(const struct cs_csv *csv, struct cs_strbuf *text)
{
    const int count = cs_csv_comments(csv);

    if (!count)
        return;
    cs_strbuf_printf(
        text,
        "%s%s: %d line%s with \"#\" in front and as many fields as the header %s read as "
        "%s: put a name that begins with \"#\" into quotes",
        text->length ? "\n" : "", cs_csv_name(csv), count, count == 1 ? "" : "s",
        count == 1 ? "is" : "are", count == 1 ? "a comment" : "comments");
}

/* Lines for people: comments, and columns that look like requirements. */
static const char *list_remark(const struct cs_csv *csv, const int column[3],
                               struct cs_arena *arena)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *remark;

    cs_columns_put_unread(csv, column, 3, &text);
    put_comments(csv, &text);
    remark = cs_arena_strdup(arena, text.text);
    cs_strbuf_release(&text);
    return remark;
}

/* The comment with the known optimum, if there is one. */
static int read_known(const struct cs_csv *csv, const struct cs_joblist_draft *draft,
                      const struct cs_known **known, struct cs_error *err)
{
    struct cs_known *read = CS_NEW(draft->arena, struct cs_known);

    if (!cs_csv_known(csv))
        return 0;
    *known = read;
    return cs_known_parse(cs_csv_known(csv), read, draft->arena, err)
               ? cs_error_prefix(err, "%s", cs_csv_name(csv))
               : 0;
}

struct cs_joblist *cs_joblist_read_csv_memory(const char *name, const void *bytes, size_t size,
                                              struct cs_error *err)
{
    struct cs_csv *csv = cs_csv_open_memory(name, bytes, size, err);
    struct cs_joblist_draft draft;
    struct cs_joblist *list;
    const struct cs_known *known = NULL;
    const char *remark;
    int status, column[3];

    if (!csv)
        return NULL;
    cs_joblist_draft_begin(&draft);
    status = rigid_csv_read_rows(csv, &draft, column, err);
    remark = status ? "" : list_remark(csv, column, draft.arena);
    if (!status)
        status = read_known(csv, &draft, &known, err);
    cs_csv_close(csv);
    list = cs_joblist_draft_end(&draft, status);
    if (list) {
        list->remark = remark;
        list->known = known;
        list->machine = known ? known->procs : list->machine;
    }
    return list;
}
