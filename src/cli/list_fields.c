/* list_fields.c - cosched list --parameters and --metrics: the fields and values of problems. */
#include "base/jsonw.h"
#include "cli/list.h"
#include "report/table.h"
#include "study/describe.h"

#include <math.h>
#include <string.h>

/* What shows one kind of thing: a row of a table, an object, lines for people. */
struct lister {
    const struct cs_column *column;
    int columns;
    void (*rows)(const struct cs_problem *problem, struct cs_table *table);
    void (*objects)(const struct cs_problem *problem, struct cs_jsonw *w);
    void (*lines)(const struct cs_problem *problem, struct cs_strbuf *out);
};

/* The text becomes a cell, and is released. */
static void cell(struct cs_table *table, struct cs_strbuf *text)
{
    cs_table_text(table, text->text);
    cs_strbuf_release(text);
}

static void word_cell(struct cs_table *table, const char *word)
{
    cs_table_text(table, word ? word : "");
}

/* ---- parameters ---- */

static const struct cs_column field_columns[] = {
    {.key = "problem", .kind = CS_COLUMN_WORD}, {.key = "name", .kind = CS_COLUMN_WORD},
    {.key = "key", .kind = CS_COLUMN_WORD},     {.key = "letter", .kind = CS_COLUMN_WORD},
    {.key = "kind", .kind = CS_COLUMN_WORD},    {.key = "values", .kind = CS_COLUMN_WORD},
    {.key = "default", .kind = CS_COLUMN_WORD}, {.key = "verbs", .kind = CS_COLUMN_WORD},
    {.key = "of", .kind = CS_COLUMN_WORD},      {.key = "needs", .kind = CS_COLUMN_WORD},
    {.key = "old", .kind = CS_COLUMN_WORD},     {.key = "summary", .kind = CS_COLUMN_WORD},
};

static void field_row(const struct cs_problem *problem, const struct cs_field *f,
                      struct cs_table *table)
{
    const char letter[] = {f->letter, 0};
    struct cs_strbuf key = CS_STRBUF_INIT, values = CS_STRBUF_INIT, verbs = CS_STRBUF_INIT,
                     of = CS_STRBUF_INIT;

    cs_field_put_key(f, &key);
    cs_field_put_kind(f, &values);
    cs_describe_put_words(&verbs, f->verbs, cs_describe_verbs, " ");
    cs_describe_put_words(&of, f->of, cs_describe_of, " ");
    cs_table_text(table, problem->name);
    cs_table_text(table, f->name);
    cell(table, &key);
    cs_table_text(table, letter);
    cs_table_text(table, cs_describe_field_kind(f));
    cell(table, &values);
    word_cell(table, f->fallback);
    cell(table, &verbs);
    cell(table, &of);
    word_cell(table, f->needs);
    word_cell(table, f->old);
    cs_table_text(table, f->summary);
}

static void field_rows(const struct cs_problem *problem, struct cs_table *table)
{
    for (const struct cs_field *f = problem->field; f && f->name; f++)
        field_row(problem, f, table);
}

static void field_line(const struct cs_field *f, struct cs_strbuf *out)
{
    struct cs_strbuf text = CS_STRBUF_INIT, name = CS_STRBUF_INIT;

    cs_strbuf_printf(&name, "--%s", f->name);
    cs_list_put_line(out, name.text, f->summary);
    cs_field_put_kind(f, &text);
    if (f->fallback)
        cs_strbuf_printf(&text, ", default %s", f->fallback);
    cs_strbuf_puts(&text, "; ");
    cs_describe_put_words(&text, f->verbs, cs_describe_verbs, ", ");
    if (f->of) {
        cs_strbuf_puts(&text, "; of the ");
        cs_describe_put_words(&text, f->of, cs_describe_of, ", ");
    }
    cs_list_put_line(out, "", text.text);
    cs_strbuf_release(&text);
    cs_strbuf_release(&name);
}

static void field_lines(const struct cs_problem *problem, struct cs_strbuf *out)
{
    for (const struct cs_field *f = problem->field; f && f->name; f++) {
        if (f->group)
            cs_strbuf_printf(out, "\n%s\n", f->group);
        field_line(f, out);
    }
}

/* ---- metrics ---- */

static const struct cs_column value_columns[] = {
    {.key = "problem", .kind = CS_COLUMN_WORD}, {.key = "name", .kind = CS_COLUMN_WORD},
    {.key = "kind", .kind = CS_COLUMN_WORD},    {.key = "in", .kind = CS_COLUMN_WORD},
    {.key = "figures", .kind = CS_COLUMN_WORD}, {.key = "measured", .kind = CS_COLUMN_BOOLEAN},
    {.key = "heading", .kind = CS_COLUMN_WORD}, {.key = "summary", .kind = CS_COLUMN_WORD},
};

static void value_rows(const struct cs_problem *problem, struct cs_table *table)
{
    const char *figure[CS_FIGURES + 1];

    cs_describe_find_figures(figure);
    for (const struct cs_value *v = problem->value; v && v->name; v++) {
        struct cs_strbuf in = CS_STRBUF_INIT, figures = CS_STRBUF_INIT;

        cs_describe_put_words(&in, v->in, cs_describe_in, " ");
        cs_describe_put_words(&figures, cs_describe_figures(v), figure, " ");
        cs_table_text(table, problem->name);
        cs_table_text(table, v->name);
        cs_table_text(table, cs_describe_value_kind(v));
        cell(table, &in);
        cell(table, &figures);
        cs_table_count(table, v->measured);
        cs_table_text(table, v->heading);
        cs_table_text(table, v->summary);
    }
}

static void value_lines(const struct cs_problem *problem, struct cs_strbuf *out)
{
    const char *figure[CS_FIGURES + 1];

    cs_describe_find_figures(figure);
    for (const struct cs_value *v = problem->value; v && v->name; v++) {
        struct cs_strbuf text = CS_STRBUF_INIT;

        cs_list_put_line(out, v->name, v->summary);
        cs_strbuf_printf(&text, "%s; ", cs_describe_value_kind(v));
        cs_describe_put_words(&text, v->in, cs_describe_in, ", ");
        if (v->figures) {
            cs_strbuf_puts(&text, "; figures ");
            cs_describe_put_words(&text, cs_describe_figures(v), figure, ", ");
        }
        cs_strbuf_puts(&text, v->measured ? "; measured" : "");
        cs_list_put_line(out, "", text.text);
        cs_strbuf_release(&text);
    }
}

/* ---- both ---- */

static void show_table(const struct lister *lister, const struct cs_problem *const *problem,
                       struct cs_strbuf *out)
{
    struct cs_table *table = cs_table_create(lister->column, lister->columns);

    for (; *problem; problem++)
        lister->rows(*problem, table);
    cs_table_write(table, CS_TABLE_CSV, 0, out);
    cs_table_destroy(table);
}

static void show_objects(const struct lister *lister, const struct cs_problem *const *problem,
                         struct cs_strbuf *out)
{
    struct cs_jsonw w = cs_jsonw_begin(out);

    cs_jsonw_open(&w, '[');
    for (; *problem; problem++)
        lister->objects(*problem, &w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}

static void show_lines(const struct lister *lister, const struct cs_problem *const *problem,
                       struct cs_strbuf *out)
{
    for (; *problem; problem++) {
        if (out->length)
            cs_strbuf_putc(out, '\n');
        cs_list_put_problem(out, *problem);
        lister->lines(*problem, out);
    }
}

#define PROBLEMS_MOST 16

static void show(const struct lister *lister, const char *name, enum cs_format format,
                 struct cs_strbuf *out)
{
    static void (*const writers[])(const struct lister *, const struct cs_problem *const *,
                                   struct cs_strbuf *) = {
        [CS_FORMAT_TABLE] = show_lines,
        [CS_FORMAT_JSON] = show_objects,
        [CS_FORMAT_CSV] = show_table,
    };
    const struct cs_problem *wanted[PROBLEMS_MOST + 1] = {NULL};
    int count, found = 0;
    const struct cs_problem *const *list = cs_problems(&count);

    for (int p = 0; p < count && found < PROBLEMS_MOST; p++)
        if (!name || !strcmp(list[p]->name, name))
            wanted[found++] = list[p];
    writers[format](lister, wanted, out);
}

void cs_list_parameters(struct cs_strbuf *out, const char *name, enum cs_format format)
{
    static const struct lister lister = {field_columns,
                                         sizeof field_columns / sizeof *field_columns, field_rows,
                                         cs_describe_put_fields, field_lines};

    show(&lister, name, format, out);
}

void cs_list_metrics(struct cs_strbuf *out, const char *name, enum cs_format format)
{
    static const struct lister lister = {value_columns,
                                         sizeof value_columns / sizeof *value_columns, value_rows,
                                         cs_describe_put_values, value_lines};

    show(&lister, name, format, out);
}
