/* run_status.c - cosched run status: the progress of a run. */
#include "cli/base/command.h"
#include "cli/base/format.h"
#include "cli/base/output.h"

#include <cosched/case.h>
#include <cosched/run.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const struct cs_column columns[] = {
    {.key = "task", .kind = CS_COLUMN_WORD},
    {.key = "state", .kind = CS_COLUMN_WORD},
    {.key = "tries", .kind = CS_COLUMN_COUNT},
    {.key = "slots", .kind = CS_COLUMN_WORD},
    {.key = "start", .unit = "s", .kind = CS_COLUMN_NUMBER, .digits = 2},
    {.key = "end", .unit = "s", .kind = CS_COLUMN_NUMBER, .digits = 2},
    {.key = "expected_end",
     .heading = "expected",
     .unit = "s",
     .kind = CS_COLUMN_NUMBER,
     .digits = 2},
    {.key = "outcome", .kind = CS_COLUMN_WORD},
    {.key = "output", .kind = CS_COLUMN_WORD},
    {.key = "progress", .unit = "%", .kind = CS_COLUMN_NUMBER, .digits = 1},
};

#define COLUMNS (sizeof columns / sizeof *columns)

static const char *run_status_word(const json_t *status, const char *key)
{
    return json_string_value(json_object_get(status, key));
}

static int run_status_number(const json_t *status, const char *key)
{
    return (int)json_integer_value(json_object_get(status, key));
}

static const json_t *progress_of(const json_t *task)
{
    return json_object_get(task, "progress");
}

/* The last column exists if some task reports progress. */
static struct cs_table *make_table(const json_t *status)
{
    const json_t *tasks = json_object_get(status, "tasks"), *task;
    struct cs_table *table;
    bool some = false;
    size_t t;

    json_array_foreach(tasks, t, task) some = some || progress_of(task);
    table = cs_table_create(columns, (int)COLUMNS - !some);
    json_array_foreach(tasks, t, task)
    {
        cs_rows_put(table, columns, COLUMNS - 1, task);
        if (some)
            cs_table_number(table,
                            progress_of(task) ? 100 * json_number_value(progress_of(task)) : NAN);
    }
    return table;
}

/* "2 of 4 slots in use" */
static void put_slots(const json_t *status, struct cs_strbuf *out)
{
    const json_t *slots = json_object_get(status, "slots"), *slot;
    int used = 0;
    size_t s;

    json_array_foreach(slots, s, slot) used +=
        json_is_true(json_object_get(slot, "up")) && run_status_word(slot, "task");
    cs_strbuf_printf(out, "; %d of %zu slots in use", used, json_array_size(slots));
}

/* "run1: running; 3 of 9 done, 2 running, 4 waiting; 2 of 4 slots in use" */
static void put_line(const json_t *status, struct cs_strbuf *out)
{
    static const char *const others[] = {"waiting", "held", "running", "failed", "skipped"};

    cs_strbuf_printf(out, "%s: %s; %d of %zu done", run_status_word(status, "folder"),
                     run_status_word(status, "state"), run_status_number(status, "done"),
                     json_array_size(json_object_get(status, "tasks")));
    for (size_t s = 0; s < sizeof others / sizeof *others; s++)
        if (run_status_number(status, others[s]))
            cs_strbuf_printf(out, ", %d %s", run_status_number(status, others[s]), others[s]);
    put_slots(status, out);
    if (run_status_word(status, "executor"))
        cs_strbuf_printf(out, "; %s", run_status_word(status, "executor"));
    cs_strbuf_putc(out, '\n');
}

/* An unfinished run without executor can be resumed. */
static void put_advice(const json_t *status, struct cs_strbuf *out)
{
    const char *state = run_status_word(status, "state");

    if (strcmp(state, "stopped") != 0 && strcmp(state, "no executor") != 0)
        return;
    cs_strbuf_puts(out, "\nto continue: cosched run --resume ");
    cs_strbuf_put_shell(out, run_status_word(status, "folder"));
    cs_strbuf_putc(out, '\n');
}

static void run_status_show(const json_t *status, enum cs_table_format format)
{
    struct cs_strbuf out = CS_STRBUF_INIT;
    struct cs_table *table = make_table(status);

    if (format == CS_TABLE_TEXT) {
        put_line(status, &out);
        cs_strbuf_putc(&out, '\n');
    }
    cs_output_table(table, format, 0, &out);
    if (format == CS_TABLE_TEXT)
        put_advice(status, &out);
    cs_output_put(&out);
    cs_table_destroy(table);
    cs_strbuf_release(&out);
}

/* A line for every change, until the executor exits. */
static int run_status_follow(const char *folder, struct cs_error *err)
{
    const struct timespec pause = {.tv_sec = 1};
    struct cs_strbuf line = CS_STRBUF_INIT, before = CS_STRBUF_INIT;
    bool more = true;
    int status = 0;

    while (more) {
        json_t *reported = cs_rows_parse(cs_run_status(folder, err));

        status = reported ? 0 : -1;
        more = reported && run_status_word(reported, "executor");
        cs_strbuf_clear(&line);
        if (reported)
            put_line(reported, &line);
        if (strcmp(line.text, before.text) != 0) {
            cs_output_put(&line);
            cs_output_flush();
        }
        cs_strbuf_clear(&before);
        cs_strbuf_puts(&before, line.text);
        json_decref(reported);
        if (more)
            nanosleep(&pause, NULL);
    }
    cs_strbuf_release(&line);
    cs_strbuf_release(&before);
    return status;
}

/* For programs: the words of the library. */
static void pass_on(const char *text)
{
    struct cs_strbuf out = CS_STRBUF_INIT;

    cs_strbuf_puts(&out, text);
    cs_output_put(&out);
    cs_strbuf_release(&out);
}

static int run_status_run(const struct cs_arguments *args, struct cs_error *err)
{
    const char *folder = cs_arguments_operand(args, 0);
    const int format = cs_arguments_choice(args, "format");
    char *text;
    json_t *status;

    if (cs_arguments_has(args, "follow") && run_status_follow(folder, err))
        return -1;
    text = cs_run_status(folder, err);
    if (!text)
        return -1;
    if (format == CS_FORMAT_JSON) {
        pass_on(text);
        cs_free(text);
        return 0;
    }
    status = cs_rows_parse(text);
    run_status_show(status, cs_rows_format(format));
    json_decref(status);
    return 0;
}

static const struct cs_operand operands[] = {
    {.name = "RUN", .kind = CS_PARAM_PATH, .summary = "the folder of the run"},
    {0},
};

static const struct cs_param options[] = {
    {.name = "follow",
     .kind = CS_PARAM_FLAG,
     .summary = "print changes every second until the executor exits"},
    CS_PARAM_FORMAT_ROW,
    CS_PARAM_CSV_SAFE_ROW,
    {0},
};

static const struct cs_example examples[] = {
    {"How far is it, and where is the output of what failed?", "cosched run status run1"},
    {"For a script:", "cosched run status run1 --format json"},
    {0},
};

const struct cs_command cs_command_run_status = {
    .words = "run status",
    .summary = "show the progress of a run",
    .description =
        "Reads the journal of the run, while it is written too. For each task: its state (waiting, "
        "held until its delay is over, running, done, failed for good, skipped because a task "
        "before it failed), how often it was tried, its slots, and of its last attempt when it "
        "began and ended (seconds since the run began), how, and where its output is.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run_status_run,
};
