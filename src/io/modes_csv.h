/* modes_csv.h - columns of requirements in a table of applications (spec/bag.md 2.1). */
#ifndef CS_IO_MODES_CSV_H
#define CS_IO_MODES_CSV_H

#include "base/csv.h"
#include "io/modes.h"

struct cs_modes_csv {
    struct cs_csv *csv;
    struct cs_arena *arena;
    struct cs_mode_rows rows;
    int *kind;  /* by column */
    int *place; /* by column: of its resource or budget */
    bool *read; /* by column */
    bool any;
    struct cs_modes_after {
        int task, column;
        long line;
        const char *names;
        struct cs_modes_after *next;
    } * after, **last; /* fields of `after`, in the order of rows */
    double *deadline;  /* by task; NaN: none */
    int room;          /* of deadline */
};

/* Find the columns of an open table.  -1 with err: a name that cannot be, or one of them twice. */
int cs_modes_csv_find(struct cs_csv *csv, struct cs_arena *arena, struct cs_modes_csv *out,
                      struct cs_error *err);

/* Take the row at hand, a run of the task; procs 0: for all counts. */
int cs_modes_csv_row(struct cs_modes_csv *m, int task, int procs, double seconds,
                     struct cs_error *err);

/* All rows are read: the modes.  NULL with err: an unknown predecessor, a circle. */
struct cs_modes *cs_modes_csv_finish(struct cs_modes_csv *m, struct cs_names *names,
                                     enum cs_profile_times times, struct cs_error *err);

#endif
