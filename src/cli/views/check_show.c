/* check_show.c - what the checks have found. */
#include "cli/views/check_show.h"

#include "cli/base/command.h"
#include "cli/base/output.h"
#include "report/human.h"

void cs_check_show_init(struct cs_check_show *show)
{
    static const struct cs_column columns[] = {
        {.key = "file", .kind = CS_COLUMN_WORD}, {.key = "violation", .kind = CS_COLUMN_WORD},
        {.key = "task", .kind = CS_COLUMN_WORD}, {.key = "time", .kind = CS_COLUMN_NUMBER},
        {.key = "text", .kind = CS_COLUMN_WORD},
    };

    *show = (struct cs_check_show){
        .row = cs_table_create(columns, sizeof columns / sizeof *columns),
        .text = CS_STRBUF_INIT,
    };
}

void cs_check_show_release(struct cs_check_show *show)
{
    cs_table_destroy(show->row);
    cs_strbuf_release(&show->text);
}

static void add_row(struct cs_table *row, const char *path, const struct cs_check_item *item,
                    cs_check_name_f *name, const void *who)
{
    struct cs_strbuf task = CS_STRBUF_INIT;

    if (item->task >= 0)
        name(who, item->task, &task);
    cs_table_text(row, path);
    cs_table_text(row, cs_violation_name(item->violation));
    cs_table_text(row, item->task >= 0 ? task.text : NULL);
    cs_table_number(row, item->time);
    cs_table_text(row, item->text);
    cs_strbuf_release(&task);
}

void cs_check_show_add(struct cs_check_show *show, const char *path,
                       const struct cs_check_report *report, const char *words,
                       cs_check_name_f *name, const void *who)
{
    struct cs_strbuf *text = &show->text;

    if (report->total == 0) {
        cs_strbuf_printf(text, "%s: valid%s", path,
                         report->missing ? " by the general rules only" : "");
        if (report->note)
            cs_strbuf_printf(text, ", but %s", report->note);
        cs_strbuf_printf(text, ": %s", words);
        if (report->missing)
            cs_strbuf_printf(text, "; %s", report->missing);
        cs_strbuf_putc(text, '\n');
        return;
    }
    cs_strbuf_printf(text, "%s: not valid: ", path);
    cs_human_units(text, (long long)report->total, "violation");
    cs_strbuf_putc(text, '\n');
    for (size_t i = 0; i < report->count; i++) {
        cs_strbuf_printf(text, "  %s\n", report->item[i].text);
        add_row(show->row, path, &report->item[i], name, who);
    }
    if (report->total > report->count)
        cs_strbuf_printf(text, "  ... and %zu more\n", report->total - report->count);
}

static const char *check_show_word(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static int put_valid(struct cs_strbuf *text, const char *path, const json_t *finding)
{
    const char *note = check_show_word(finding, "note"),
               *missing = check_show_word(finding, "missing");

    cs_strbuf_printf(text, "%s: valid%s", path, missing ? " by the general rules only" : "");
    if (note)
        cs_strbuf_printf(text, ", but %s", note);
    cs_strbuf_printf(text, ": %s", check_show_word(finding, "words"));
    if (missing)
        cs_strbuf_printf(text, "; %s", missing);
    cs_strbuf_putc(text, '\n');
    return missing || note ? CS_EXIT_INCOMPLETE : CS_EXIT_DONE;
}

static void add_violation(struct cs_table *row, const char *path, const json_t *violation)
{
    static const struct cs_column columns[] = {
        {.key = "kind", .kind = CS_COLUMN_WORD},
        {.key = "task", .kind = CS_COLUMN_WORD},
        {.key = "time", .kind = CS_COLUMN_NUMBER},
        {.key = "text", .kind = CS_COLUMN_WORD},
    };

    cs_table_text(row, path);
    cs_rows_put(row, columns, sizeof columns / sizeof *columns, violation);
}

int cs_check_show_finding(struct cs_check_show *show, const char *path, const json_t *finding)
{
    const json_t *violations = json_object_get(finding, "violations"), *violation;
    const long long total = json_integer_value(json_object_get(finding, "total"));
    size_t i;

    if (total == 0)
        return put_valid(&show->text, path, finding);
    cs_strbuf_printf(&show->text, "%s: not valid: ", path);
    cs_human_units(&show->text, total, "violation");
    cs_strbuf_putc(&show->text, '\n');
    json_array_foreach(violations, i, violation)
    {
        cs_strbuf_printf(&show->text, "  %s\n", check_show_word(violation, "text"));
        add_violation(show->row, path, violation);
    }
    if (total > (long long)i)
        cs_strbuf_printf(&show->text, "  ... and %lld more\n", total - (long long)i);
    return CS_EXIT_WRONG;
}

int cs_check_worse(int status, int one)
{
    return one == CS_EXIT_DONE || (one == CS_EXIT_INCOMPLETE && status) ? status : one;
}

void cs_check_show_put(struct cs_check_show *show, enum cs_format format)
{
    if (format != CS_FORMAT_TABLE) {
        cs_strbuf_clear(&show->text);
        cs_table_write(show->row, format == CS_FORMAT_JSON ? CS_TABLE_JSON : CS_TABLE_CSV, 0,
                       &show->text);
    }
    cs_output_put(&show->text);
}
