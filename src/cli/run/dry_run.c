/* dry_run.c - who would start when on which slots, and the words of each command. */
#include "cli/run/dry_run.h"

#include "cli/base/output.h"
#include "cli/base/rows.h"

#include <stdio.h>
#include <string.h>

static const struct cs_column columns[] = {
    {.key = "task", .kind = CS_COLUMN_WORD},
    {.key = "start", .unit = "s", .kind = CS_COLUMN_NUMBER, .digits = 2},
    {.key = "end", .unit = "s", .kind = CS_COLUMN_NUMBER, .digits = 2},
    {.key = "slots", .kind = CS_COLUMN_WORD},
    {.key = "cores", .kind = CS_COLUMN_WORD},
    {.key = "command", .kind = CS_COLUMN_WORD},
};

#define COLUMNS (sizeof columns / sizeof *columns)

/* As a shell takes it. */
static void put_command(struct cs_table *table, const json_t *command)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    const json_t *word;
    size_t w;

    json_array_foreach(command, w, word)
    {
        if (w)
            cs_strbuf_putc(&text, ' ');
        cs_strbuf_put_shell(&text, json_string_value(word));
    }
    cs_table_text(table, text.text);
    cs_strbuf_release(&text);
}

static void show(const json_t *told)
{
    struct cs_table *table = cs_table_create(columns, (int)COLUMNS);
    struct cs_strbuf out = CS_STRBUF_INIT;
    const json_t *start;
    size_t s;

    json_array_foreach(json_object_get(told, "starts"), s, start)
    {
        cs_rows_put(table, columns, COLUMNS - 1, start);
        put_command(table, json_object_get(start, "command"));
    }
    cs_output_table(table, CS_TABLE_TEXT, 0, &out);
    cs_output_put(&out);
    cs_strbuf_release(&out);
    cs_table_destroy(table);
}

static int save(const json_t *told, const char *path, struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_strbuf_puts(&text, json_string_value(json_object_get(told, "schedule")));
    return cs_output_save(path, &text, err);
}

static void say(void *who, const char *sentence)
{
    (void)who;
    cs_output_error(sentence);
}

int cs_cli_dry_run(const char *input, const struct cs_run_options *options, const char *path,
                   struct cs_error *err)
{
    const struct cs_watch watch = {.size = sizeof watch, .warn = say};
    json_t *told;
    int status;

    if (cs_output_check(path, err))
        return -1;
    told = cs_rows_parse(cs_run_dry(input, options, &watch, err));
    if (!told)
        return -1;
    show(told);
    status = path ? save(told, path, err) : 0;
    json_decref(told);
    return status;
}
