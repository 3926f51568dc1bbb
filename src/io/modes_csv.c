/* modes_csv.c - GPUs, memory, other resources, budgets, predecessors, labels, deadlines of rows. */
#include "io/modes_csv.h"

#include "base/number.h"
#include "base/plain.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { NOTHING, RESOURCE, BUDGET, AFTER, MODE, SPAN, DEADLINE };

static int fault_at(const struct cs_modes_csv *m, long line, int column, struct cs_error *err,
                    const char *what)
{
    return cs_error_set(err, "%s:%ld: %.60s: %s", cs_csv_name(m->csv), line,
                        cs_csv_column_name(m->csv, column), what);
}

static int fault_here(const struct cs_modes_csv *m, int column, struct cs_error *err,
                      const char *what)
{
    return fault_at(m, cs_csv_line(m->csv), column, err, what);
}

/* ---- columns ---- */

/* Small letters, words joined by _, none at the ends of the parts around a colon. */
static char *column_simplify(const char *name, struct cs_arena *arena)
{
    char *simple = cs_arena_strdup(arena, name), *to = simple;

    for (const char *at = name; *at; at++) {
        const char c = strchr(" -\t", *at) ? '_' : cs_plain_lower(*at);

        if (c == '_' && (to == simple || to[-1] == ':'))
            continue;
        while (c == ':' && to > simple && to[-1] == '_')
            to--;
        *to++ = c;
    }
    while (to > simple && to[-1] == '_')
        to--;
    *to = '\0';
    return simple;
}

/* The name behind "resource:", "tokens:" ..., as the resource is called; NULL: another column. */
static const char *column_resource(const char *simple, struct cs_arena *arena)
{
    static const char *const own[] = {"resource:", "tokens:", "token:"}, *const gpus[] = {"gpus:",
                                                                                          "gpu:"};
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *name = NULL;

    for (size_t k = 0; k < sizeof own / sizeof *own; k++)
        if (cs_plain_begins(simple, own[k]))
            return simple + strlen(own[k]);
    for (size_t k = 0; k < sizeof gpus / sizeof *gpus && !name; k++)
        if (cs_plain_begins(simple, gpus[k])) {
            cs_strbuf_printf(&text, "gpus:%s", simple + strlen(gpus[k]));
            name = cs_arena_strdup(arena, text.text);
        }
    cs_strbuf_release(&text);
    return name;
}

static const struct {
    const char *name, *resource;
    int kind;
} usual[] = {
    {"gpus", "gpus", RESOURCE},     {"gpu", "gpus", RESOURCE},
    {"ngpus", "gpus", RESOURCE},    {"accelerators", "gpus", RESOURCE},
    {"memory", "memory", RESOURCE}, {"mem", "memory", RESOURCE},
    {"maxrss", "memory", RESOURCE}, {"max_rss", "memory", RESOURCE},
    {"after", NULL, AFTER},         {"depends", NULL, AFTER},
    {"depends_on", NULL, AFTER},    {"dependency", NULL, AFTER},
    {"dependencies", NULL, AFTER},  {"predecessors", NULL, AFTER},
    {"needs", NULL, AFTER},         {"mode", NULL, MODE},
    {"span", NULL, SPAN},           {"deadline", NULL, DEADLINE},
};

static int column_refuse_twice(const struct cs_modes_csv *m, int column, struct cs_error *err)
{
    for (int c = 0; c < column; c++)
        if (m->kind[c] == m->kind[column] && m->place[c] == m->place[column])
            return cs_error_set(err, "%s:%ld: %.60s: the column %.60s is the same",
                                cs_csv_name(m->csv), cs_csv_line(m->csv),
                                cs_csv_column_name(m->csv, column), cs_csv_column_name(m->csv, c));
    return 0;
}

static int column_set(struct cs_modes_csv *m, int column, int kind, const char *name,
                      struct cs_error *err)
{
    const bool plain = name && (!strcmp(name, "gpus") || !strcmp(name, "memory"));
    const char *fault = name && !plain ? cs_modes_name_fault(name, kind == BUDGET) : NULL;

    if (fault)
        return fault_here(m, column, err, fault);
    m->kind[column] = kind;
    m->read[column] = m->any = true;
    m->place[column] = kind == RESOURCE ? cs_mode_rows_resource(&m->rows, name)
                       : kind == BUDGET ? cs_mode_rows_budget(&m->rows, name)
                                        : 0;
    return column_refuse_twice(m, column, err);
}

static int column_find(struct cs_modes_csv *m, int column, struct cs_error *err)
{
    const char *simple = column_simplify(cs_csv_column_name(m->csv, column), m->arena);
    const char *name = column_resource(simple, m->arena);

    for (size_t k = 0; k < sizeof usual / sizeof *usual; k++)
        if (!strcmp(simple, usual[k].name))
            return column_set(m, column, usual[k].kind, usual[k].resource, err);
    if (cs_plain_begins(simple, "budget:"))
        return column_set(m, column, BUDGET, simple + strlen("budget:"), err);
    if (name && (!strcmp(name, "gpus") || !strcmp(name, "memory")))
        return fault_here(m, column, err, "this is the name of another column");
    return name ? column_set(m, column, RESOURCE, name, err) : 0;
}

int cs_modes_csv_find(struct cs_csv *csv, struct cs_arena *arena, struct cs_modes_csv *m,
                      struct cs_error *err)
{
    const int columns = cs_csv_columns(csv);

    *m = (struct cs_modes_csv){.csv = csv, .arena = arena};
    m->last = &m->after;
    m->kind = CS_NEW_ARRAY(arena, int, columns);
    m->place = CS_NEW_ARRAY(arena, int, columns);
    m->read = CS_NEW_ARRAY(arena, bool, columns);
    cs_mode_rows_init(&m->rows, arena);
    for (int c = 0; c < columns; c++)
        if (column_find(m, c, err))
            return -1;
    return 0;
}

/* ---- rows ---- */

static int row_deadline(struct cs_modes_csv *m, int task, const char *text, struct cs_error *err)
{
    double value;

    if (task >= m->room) {
        const int room = 2 * task + 16;

        m->deadline = cs_arena_grow(m->arena, m->deadline, (size_t)m->room, (size_t)room,
                                    sizeof *m->deadline);
        for (; m->room < room; m->room++)
            m->deadline[m->room] = NAN;
    }
    if (!*text)
        return 0;
    if (cs_modes_date(text, &value, err))
        return -1;
    if (!isnan(m->deadline[task]) && m->deadline[task] != value)
        return cs_error_set(err, "found %.15g, but an earlier row of this application has %.15g",
                            value, m->deadline[task]);
    m->deadline[task] = value;
    return 0;
}

static int row_span(const char *text, struct cs_mode_row *row, struct cs_error *err)
{
    if (cs_number_int(text, &row->span) == CS_NUMBER_FINE && row->span >= 1)
        return 0;
    return cs_error_set(err, "found \"%.40s\", expected a whole number from 1 on", text);
}

static int row_label(struct cs_modes_csv *m, const char *text, struct cs_mode_row *row,
                     struct cs_error *err)
{
    const char *fault = cs_names_fault(text);

    row->label = cs_arena_strdup(m->arena, text);
    return fault ? cs_error_set(err, "this cannot be a label: %s", fault) : 0;
}

static void row_after(struct cs_modes_csv *m, int task, int column, const char *text)
{
    struct cs_modes_after *after = CS_NEW(m->arena, struct cs_modes_after);

    *after = (struct cs_modes_after){task, column, cs_csv_line(m->csv),
                                     cs_arena_strdup(m->arena, text), NULL};
    *m->last = after;
    m->last = &after->next;
}

static int row_field(struct cs_modes_csv *m, int column, struct cs_mode_row *row,
                     struct cs_error *err)
{
    const char *text = cs_csv_text(m->csv, column);
    const int place = m->place[column];

    if (m->kind[column] == DEADLINE)
        return row_deadline(m, row->task, text, err);
    if (!*text)
        return 0;
    switch (m->kind[column]) {
    case RESOURCE:
        return cs_modes_amount(m->rows.resource[place], text, &row->use[place], err);
    case BUDGET:
        return cs_modes_thousandths(text, true, &row->spend[place], err);
    case MODE:
        return row_label(m, text, row, err);
    case SPAN:
        return row_span(text, row, err);
    case AFTER:
        row_after(m, row->task, column, text);
        return 0;
    default:
        return 0;
    }
}

int cs_modes_csv_row(struct cs_modes_csv *m, int task, int procs, double seconds,
                     struct cs_error *err)
{
    struct cs_mode_row *row = cs_mode_rows_add(&m->rows, task);
    struct cs_error why = {0};

    row->procs = procs;
    row->seconds = seconds;
    for (int c = 0; c < cs_csv_columns(m->csv); c++)
        if (m->kind[c] != NOTHING && row_field(m, c, row, &why))
            return fault_here(m, c, err, why.text);
    return 0;
}

/* ---- predecessors ---- */

static int after_unknown(const struct cs_modes_csv *m, const struct cs_modes_after *after,
                         const char *name, struct cs_names *names, struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    int count;
    const char *const *known = cs_names_list(names, &count);

    cs_strbuf_printf(&text, "there is no task \"%.60s\", only: ", name);
    for (int i = 0; i < count && text.length < 300; i++)
        cs_strbuf_printf(&text, "%s%.60s", i ? ", " : "", known[i]);
    if (text.length >= 300)
        cs_strbuf_puts(&text, ", ...");
    fault_at(m, after->line, after->column, err, text.text);
    cs_strbuf_release(&text);
    return -1;
}

static int after_take(struct cs_modes_csv *m, const struct cs_modes_after *after, const char *name,
                      struct cs_names *names, struct cs_error *err)
{
    const int before = cs_names_find(names, name);
    struct cs_error why = {0};

    if (before < 0)
        return after_unknown(m, after, name, names, err);
    if (before == after->task) {
        cs_error_set(&why, "%.60s cannot wait for itself", name);
        return fault_at(m, after->line, after->column, err, why.text);
    }
    cs_mode_rows_wait(&m->rows, after->task, before);
    return 0;
}

/* Names between separators; without one the whole, or else words. */
static int after_resolve(struct cs_modes_csv *m, const struct cs_modes_after *after,
                         struct cs_names *names, struct cs_error *err)
{
    const bool listed = strpbrk(after->names, ";,") != NULL;
    const char *separators = listed ? ";," : " \t";

    if (!listed && cs_names_find(names, after->names) >= 0)
        return after_take(m, after, after->names, names, err);
    for (const char *at = after->names; *at;) {
        size_t length = strcspn(at, separators);
        const char *next = at + length + (at[length] != '\0');

        while (length && strchr(" \t", *at)) {
            at++;
            length--;
        }
        while (length && strchr(" \t", at[length - 1]))
            length--;
        if (length && after_take(m, after, cs_arena_strndup(m->arena, at, length), names, err))
            return -1;
        at = next;
    }
    return 0;
}

static const double *deadlines_of(struct cs_modes_csv *m, int tasks)
{
    double *deadline = CS_NEW_ARRAY(m->arena, double, tasks);
    bool any = false;

    for (int i = 0; i < tasks; i++) {
        deadline[i] = i < m->room && !isnan(m->deadline[i]) ? m->deadline[i] : INFINITY;
        any |= !isinf(deadline[i]);
    }
    return any ? deadline : NULL;
}

struct cs_modes *cs_modes_csv_finish(struct cs_modes_csv *m, struct cs_names *names,
                                     enum cs_profile_times times, struct cs_error *err)
{
    struct cs_modes *modes;
    const char *const *name;
    int tasks;

    for (const struct cs_modes_after *after = m->after; after; after = after->next)
        if (after_resolve(m, after, names, err))
            return NULL;
    name = cs_names_list(names, &tasks);
    modes = cs_mode_rows_modes(&m->rows, tasks, true, times);
    modes->task_name = name;
    modes->deadline = deadlines_of(m, tasks);
    modes->source = cs_csv_name(m->csv);
    return cs_modes_refuse_circle(modes, name, modes->source, err) ? NULL : modes;
}
