/* check_show.c - what the checks have found. */
#include "cli/views/check_show.h"

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

void cs_check_show_put(struct cs_check_show *show, enum cs_format format)
{
    if (format != CS_FORMAT_TABLE) {
        cs_strbuf_clear(&show->text);
        cs_table_write(show->row, format == CS_FORMAT_JSON ? CS_TABLE_JSON : CS_TABLE_CSV, 0,
                       &show->text);
    }
    cs_output_put(&show->text);
}
