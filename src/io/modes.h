/* modes.h - amounts of resources and budgets from texts, and rows that become modes (spec/bag.md
 * 2).
 *
 * Readers add rows, each a run of a task or a mode that a file names.  Rows of one key (label,
 * processors, span, amounts of all resources but memory) are runs of one mode: its time is chosen
 * of theirs, its memory and its amounts of budgets are the largest.
 */
#ifndef CS_IO_MODES_H
#define CS_IO_MODES_H

#include "base/arena.h"
#include "base/json.h"
#include "base/jsonw.h"
#include "io/names.h"
#include "model/modes.h"

#include <cosched/error.h>
#include <cosched/workload.h>
#include <stdbool.h>

#define CS_MODES_MOST ((int64_t)1 << 53)

/* A size (2.2): digits, a point and digits, a unit.  -1 with err: why not, without a place. */
int cs_modes_size(const char *text, int64_t *bytes, struct cs_error *err);

/* The amount of a resource: a size for memory, else a whole number from 0 on. */
int cs_modes_amount(const char *resource, const char *text, int64_t *amount, struct cs_error *err);

/* The amount of a budget in thousandths, rounded up or down. */
int cs_modes_thousandths(const char *text, bool up, int64_t *amount, struct cs_error *err);

/* A time in seconds, from 0 on: a number, or as in "1.5h". */
int cs_modes_date(const char *text, double *seconds, struct cs_error *err);

/* Why a word cannot be the name of a resource or budget; NULL when it can. */
const char *cs_modes_name_fault(const char *name, bool budget);

/* ---- rows ---- */

struct cs_mode_row {
    int task;
    int procs; /* 0: all counts of the task's profile */
    double seconds;
    const char *label; /* "": none */
    int span;          /* 0: not given */
    int64_t *use;      /* by resource, the first of them processors: not looked at */
    int64_t *spend;    /* by budget, thousandths */
};

struct cs_mode_rows {
    struct cs_arena *arena;
    const char **resource, **budget; /* names; the first resource is procs */
    int resources, budgets;
    struct cs_mode_row *row;
    int rows, room;
    struct cs_mode_arc {
        int task, before;
    } * arc;
    int arcs, arcs_room;
    int *by_task, *first; /* set by cs_mode_rows_modes */
};

void cs_mode_rows_init(struct cs_mode_rows *rows, struct cs_arena *arena);

/* The place of a name, which is added if it is new; only before the first row. */
int cs_mode_rows_resource(struct cs_mode_rows *rows, const char *name);
int cs_mode_rows_budget(struct cs_mode_rows *rows, const char *name);
int cs_mode_rows_find(const struct cs_mode_rows *rows, const char *name, bool budget); /* -1 */

/* A row without amounts, until the next is added. */
struct cs_mode_row *cs_mode_rows_add(struct cs_mode_rows *rows, int task);

/* Task waits for `before`; the same twice counts once. */
void cs_mode_rows_wait(struct cs_mode_rows *rows, int task, int before);

/* The tasks with their modes, in the order of the tasks and of their first rows; machine, dates and
 * names of tasks are left out.  `merge`: rows of one key are one mode. */
struct cs_modes *cs_mode_rows_modes(struct cs_mode_rows *rows, int tasks, bool merge,
                                    enum cs_profile_times times);

/* -1 with err, "FILE: after: a -> c -> a is a circle", if tasks wait for each other. */
int cs_modes_refuse_circle(const struct cs_modes *modes, const char *const *name, const char *file,
                           struct cs_error *err);

/* A line for each task whose modes cannot all be right, and for runs of one mode that differ by
 * much (12.3).  `put` appends the columns in which rows differ; or NULL. */
struct cs_mode_columns {
    void (*put)(const void *who, const int *row, int rows, struct cs_strbuf *out);
    const void *who;
};
void cs_mode_rows_put_caveats(const struct cs_mode_rows *rows, const struct cs_modes *modes,
                              const char *const *name, const char *file,
                              const struct cs_mode_columns *columns, struct cs_strbuf *out);

/* The profile of a task by its modes: the least time of each count, all measured. */
struct cs_profile cs_modes_profile(const struct cs_modes *modes, int task, struct cs_arena *arena);

/* ---- JSON (2.3) ---- */

#define CS_MODES_MACHINE_KEYS "nodes|resources|windows|budgets"
#define CS_MODES_TASK_KEYS "modes|resources|gpus|memory|budgets|after|deadline"

/* Does a document have any of these keys? */
bool cs_modes_json_any(const struct cs_json_at *root);

/* The modes of the tasks of a workload.  An object of a task may have "modes" instead of a profile;
 * profile[i] is set then.  NULL with err. */
struct cs_modes *cs_modes_json_read(const struct cs_json_at *root, const struct cs_names *names,
                                    struct cs_profile *profile, struct cs_arena *arena,
                                    struct cs_error *err);

/* The key "machine", and the keys of a task. */
void cs_modes_json_put_machine(struct cs_jsonw *w, const struct cs_modes *modes);
void cs_modes_json_put_task(struct cs_jsonw *w, const struct cs_modes *modes, int task);

#endif
