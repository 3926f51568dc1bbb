/* list_fields.c - cosched list --parameters and --metrics: the fields and values of problems. */
#include "base/jsonw.h"
#include "cli/list.h"
#include "report/table.h"
#include "study/sample.h"

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

/* A word for each bit. */
static const char *const verb_words[] = {"plan", "simulate", "generate", "experiment", NULL};
static const char *const of_words[] = {"recipe", "instance", "way", "draw", NULL};
static const char *const in_words[] = {"summary", "rows", "experiments", NULL};

static void put_words(struct cs_strbuf *out, unsigned set, const char *const *word,
                      const char *between)
{
    const char *gap = "";

    for (int b = 0; word[b]; b++)
        if (set & 1U << b) {
            cs_strbuf_printf(out, "%s%s", gap, word[b]);
            gap = between;
        }
}

static void json_words(struct cs_jsonw *w, const char *key, unsigned set, const char *const *word)
{
    cs_jsonw_key(w, key);
    cs_jsonw_open_flat(w, '[');
    for (int b = 0; word[b]; b++)
        if (set & 1U << b)
            cs_jsonw_string(w, word[b]);
    cs_jsonw_close(w);
}

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

static const char *field_kind(const struct cs_field *f)
{
    static const char *const names[] = {
        [CS_FIELD_FLAG] = "flag",    [CS_FIELD_INTEGER] = "integer", [CS_FIELD_REAL] = "real",
        [CS_FIELD_SECONDS] = "time", [CS_FIELD_TEXT] = "text",       [CS_FIELD_CHOICE] = "choice",
        [CS_FIELD_PATH] = "file",
    };

    return names[f->kind];
}

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
    put_words(&verbs, f->verbs, verb_words, " ");
    put_words(&of, f->of, of_words, " ");
    cs_table_text(table, problem->name);
    cs_table_text(table, f->name);
    cell(table, &key);
    cs_table_text(table, letter);
    cs_table_text(table, field_kind(f));
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

static void json_limits(const struct cs_field *f, struct cs_jsonw *w)
{
    bool number =
        f->kind == CS_FIELD_INTEGER || f->kind == CS_FIELD_REAL || f->kind == CS_FIELD_SECONDS;

    cs_jsonw_put_double(w, "low", number ? f->low : NAN);
    cs_jsonw_put_double(w, "high", number && f->high > f->low ? f->high : NAN);
    cs_jsonw_key(w, "choices");
    if (f->kind != CS_FIELD_CHOICE) {
        cs_jsonw_null(w);
        return;
    }
    cs_jsonw_open_flat(w, '[');
    for (const char *at = f->choices; at;) {
        char word[64] = "";
        size_t length = strcspn(at, "|");

        strncat(word, at, length < sizeof word ? length : sizeof word - 1);
        cs_jsonw_string(w, word);
        at = at[length] ? at + length + 1 : NULL;
    }
    cs_jsonw_close(w);
}

static void field_object(const struct cs_problem *problem, const struct cs_field *f,
                         const char *group, struct cs_jsonw *w)
{
    const char letter[] = {f->letter, 0};
    struct cs_strbuf key = CS_STRBUF_INIT, values = CS_STRBUF_INIT;

    cs_field_put_key(f, &key);
    cs_field_put_kind(f, &values);
    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "problem", problem->name);
    cs_jsonw_put_string(w, "name", f->name);
    cs_jsonw_put_string(w, "key", key.text);
    cs_jsonw_put_string(w, "letter", f->letter ? letter : NULL);
    cs_jsonw_put_string(w, "kind", field_kind(f));
    cs_jsonw_put_string(w, "values", values.text);
    json_limits(f, w);
    cs_jsonw_put_string(w, "default", f->fallback);
    json_words(w, "verbs", f->verbs, verb_words);
    json_words(w, "required", f->required, verb_words);
    json_words(w, "of", f->of, of_words);
    cs_jsonw_put_string(w, "needs", f->needs);
    cs_jsonw_put_string(w, "old", f->old);
    cs_jsonw_put_string(w, "group", group);
    cs_jsonw_put_string(w, "summary", f->summary);
    cs_jsonw_close(w);
    cs_strbuf_release(&key);
    cs_strbuf_release(&values);
}

static void field_objects(const struct cs_problem *problem, struct cs_jsonw *w)
{
    const char *group = NULL;

    for (const struct cs_field *f = problem->field; f && f->name; f++) {
        group = f->group ? f->group : group;
        field_object(problem, f, group, w);
    }
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
    put_words(&text, f->verbs, verb_words, ", ");
    if (f->of) {
        cs_strbuf_puts(&text, "; of the ");
        put_words(&text, f->of, of_words, ", ");
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

static const char *value_kind(const struct cs_value *v)
{
    return v->kind == CS_VALUE_SECONDS ? "seconds" : v->kind == CS_VALUE_SHARE ? "share" : "number";
}

/* The figures of an experiment: a metric NAME is the mean, NAME_FIGURE another. */
static unsigned figures_of(const struct cs_value *v)
{
    return v->in & CS_IN_EXPERIMENTS ? v->figures | 1U << CS_FIGURE_MEAN : 0;
}

static void find_figures(const char *word[CS_FIGURES + 1])
{
    for (int f = 0; f < CS_FIGURES; f++)
        word[f] = cs_figure_name((enum cs_figure)f);
    word[CS_FIGURES] = NULL;
}

static void value_rows(const struct cs_problem *problem, struct cs_table *table)
{
    const char *figure[CS_FIGURES + 1];

    find_figures(figure);
    for (const struct cs_value *v = problem->value; v && v->name; v++) {
        struct cs_strbuf in = CS_STRBUF_INIT, figures = CS_STRBUF_INIT;

        put_words(&in, v->in, in_words, " ");
        put_words(&figures, figures_of(v), figure, " ");
        cs_table_text(table, problem->name);
        cs_table_text(table, v->name);
        cs_table_text(table, value_kind(v));
        cell(table, &in);
        cell(table, &figures);
        cs_table_count(table, v->measured);
        cs_table_text(table, v->heading);
        cs_table_text(table, v->summary);
    }
}

static void value_objects(const struct cs_problem *problem, struct cs_jsonw *w)
{
    const char *figure[CS_FIGURES + 1];

    find_figures(figure);
    for (const struct cs_value *v = problem->value; v && v->name; v++) {
        cs_jsonw_open(w, '{');
        cs_jsonw_put_string(w, "problem", problem->name);
        cs_jsonw_put_string(w, "name", v->name);
        cs_jsonw_put_string(w, "kind", value_kind(v));
        json_words(w, "in", v->in, in_words);
        json_words(w, "figures", figures_of(v), figure);
        cs_jsonw_put_bool(w, "measured", v->measured);
        cs_jsonw_put_string(w, "heading", v->heading);
        cs_jsonw_put_string(w, "summary", v->summary);
        cs_jsonw_close(w);
    }
}

static void value_lines(const struct cs_problem *problem, struct cs_strbuf *out)
{
    const char *figure[CS_FIGURES + 1];

    find_figures(figure);
    for (const struct cs_value *v = problem->value; v && v->name; v++) {
        struct cs_strbuf text = CS_STRBUF_INIT;

        cs_list_put_line(out, v->name, v->summary);
        cs_strbuf_printf(&text, "%s; ", value_kind(v));
        put_words(&text, v->in, in_words, ", ");
        if (v->figures) {
            cs_strbuf_puts(&text, "; figures ");
            put_words(&text, figures_of(v), figure, ", ");
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
                                         field_objects, field_lines};

    show(&lister, name, format, out);
}

void cs_list_metrics(struct cs_strbuf *out, const char *name, enum cs_format format)
{
    static const struct lister lister = {value_columns,
                                         sizeof value_columns / sizeof *value_columns, value_rows,
                                         value_objects, value_lines};

    show(&lister, name, format, out);
}
