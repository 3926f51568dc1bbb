/* list_fields.c - cosched list --parameters and --metrics: the fields and values of problems. */
#include "cli/list.h"

#include <string.h>

/* Append the words of a list. */
static void put_words(struct cs_strbuf *out, const json_t *words, const char *between)
{
    const json_t *word;
    size_t i;

    json_array_foreach(words, i, word)
        cs_strbuf_printf(out, "%s%s", i ? between : "", json_string_value(word));
}

static void flatten(json_t *row, const char *key)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    put_words(&text, json_object_get(row, key), " ");
    cs_list_set(row, key, &text);
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

static void flatten_field(json_t *row)
{
    flatten(row, "verbs");
    flatten(row, "of");
}

static void field_line(const json_t *f, struct cs_strbuf *out)
{
    const char *fallback = cs_list_word(f, "default");
    const json_t *of = json_object_get(f, "of");
    struct cs_strbuf text = CS_STRBUF_INIT, name = CS_STRBUF_INIT;

    cs_strbuf_printf(&name, "--%s", cs_list_word(f, "name"));
    cs_list_put_line(out, name.text, cs_list_word(f, "summary"));
    cs_strbuf_puts(&text, cs_list_word(f, "values"));
    if (fallback)
        cs_strbuf_printf(&text, ", default %s", fallback);
    cs_strbuf_puts(&text, "; ");
    put_words(&text, json_object_get(f, "verbs"), ", ");
    if (json_array_size(of)) {
        cs_strbuf_puts(&text, "; of the ");
        put_words(&text, of, ", ");
    }
    cs_list_put_line(out, "", text.text);
    cs_strbuf_release(&text);
    cs_strbuf_release(&name);
}

static void field_lines(const json_t *problem, struct cs_strbuf *out)
{
    const json_t *fields = json_object_get(problem, "parameters"), *group;
    size_t g, f = 0;

    json_array_foreach(json_object_get(problem, "groups"), g, group)
    {
        const char *heading = cs_list_word(group, "heading");
        const size_t end = f + (size_t)json_integer_value(json_object_get(group, "parameters"));

        if (heading)
            cs_strbuf_printf(out, "\n%s\n", heading);
        for (; f < end; f++)
            field_line(json_array_get(fields, f), out);
    }
}

/* ---- metrics ---- */

static const struct cs_column value_columns[] = {
    {.key = "problem", .kind = CS_COLUMN_WORD}, {.key = "name", .kind = CS_COLUMN_WORD},
    {.key = "kind", .kind = CS_COLUMN_WORD},    {.key = "in", .kind = CS_COLUMN_WORD},
    {.key = "figures", .kind = CS_COLUMN_WORD}, {.key = "measured", .kind = CS_COLUMN_BOOLEAN},
    {.key = "heading", .kind = CS_COLUMN_WORD}, {.key = "summary", .kind = CS_COLUMN_WORD},
};

static void flatten_value(json_t *row)
{
    flatten(row, "in");
    flatten(row, "figures");
}

/* A metric without figures of its own is a mean. */
static void value_lines(const json_t *problem, struct cs_strbuf *out)
{
    const json_t *value;
    size_t v;

    json_array_foreach(json_object_get(problem, "values"), v, value)
    {
        const json_t *figures = json_object_get(value, "figures");
        struct cs_strbuf text = CS_STRBUF_INIT;

        cs_list_put_line(out, cs_list_word(value, "name"), cs_list_word(value, "summary"));
        cs_strbuf_printf(&text, "%s; ", cs_list_word(value, "kind"));
        put_words(&text, json_object_get(value, "in"), ", ");
        if (json_array_size(figures) > 1) {
            cs_strbuf_puts(&text, "; figures ");
            put_words(&text, figures, ", ");
        }
        cs_strbuf_puts(&text, json_is_true(json_object_get(value, "measured")) ? "; measured" : "");
        cs_list_put_line(out, "", text.text);
        cs_strbuf_release(&text);
    }
}

/* ---- both ---- */

static void show_lines(const json_t *problems, struct cs_strbuf *out,
                       void (*lines)(const json_t *problem, struct cs_strbuf *out))
{
    const json_t *problem;
    size_t p;

    json_array_foreach(problems, p, problem)
    {
        if (p)
            cs_strbuf_putc(out, '\n');
        cs_list_put_problem(out, problem);
        lines(problem, out);
    }
}

void cs_list_parameters(struct cs_strbuf *out, const json_t *problems, enum cs_format format)
{
    if (format == CS_FORMAT_TABLE)
        show_lines(problems, out, field_lines);
    else if (format == CS_FORMAT_JSON)
        cs_list_json(out, problems, "parameters");
    else
        cs_list_csv(out, problems, "parameters", field_columns,
                    sizeof field_columns / sizeof *field_columns, flatten_field);
}

void cs_list_metrics(struct cs_strbuf *out, const json_t *problems, enum cs_format format)
{
    if (format == CS_FORMAT_TABLE)
        show_lines(problems, out, value_lines);
    else if (format == CS_FORMAT_JSON)
        cs_list_json(out, problems, "values");
    else
        cs_list_csv(out, problems, "values", value_columns,
                    sizeof value_columns / sizeof *value_columns, flatten_value);
}
