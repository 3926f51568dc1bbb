/* run_status.c - cosched run status: how far a run has come. */
#include "run/story.h"

#include "cli/base/command.h"
#include "cli/base/format.h"
#include "cli/base/output.h"
#include "model/procset.h"
#include "report/human.h"
#include "report/table.h"
#include "run/executor.h"
#include "run/values.h"

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

#define COLUMNS (int)(sizeof columns / sizeof *columns)

static bool shows_progress(const struct cs_run_story *story, int task)
{
    const struct cs_run_checkpoint *c = story->setup.task[task].settings->checkpoint;

    return c && c->progress;
}

/* The last attempt of each task; NULL for those that have none. */
static const struct cs_run_tale **last_tales(const struct cs_run_story *story)
{
    const struct cs_run_tale **last =
        CS_NEW_ARRAY(story->arena, const struct cs_run_tale *, story->setup.tasks);

    for (int64_t a = 0; a < story->tales; a++)
        if (story->tale[a].outcome != CS_RUN_VOID)
            last[story->tale[a].task] = &story->tale[a];
    return last;
}

static const char *state_of(const struct cs_run_story *story)
{
    const int *count = story->run.in_state;

    if (count[CS_RUN_DONE] == story->setup.tasks)
        return "done";
    if (cs_run_is_over(&story->run))
        return "failed";
    if (story->alive)
        return story->run.stopping ? "stopping" : "running";
    return story->run.stopping ? "stopped" : "nobody works on it";
}

static void put_output(const struct cs_run_story *story, const struct cs_run_tale *tale,
                       struct cs_strbuf *out)
{
    if (!story->setup.task[tale->task].settings->out)
        cs_run_attempt_path(story->folder, tale->number, "out", out);
}

static void put_row(struct cs_table *table, const struct cs_run_story *story, int task,
                    const struct cs_run_tale *tale)
{
    const struct cs_run_ledger *ledger = &story->run.ledger[task];
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_table_text(table, story->setup.task[task].name);
    cs_table_text(table, cs_run_task_state_name((enum cs_run_task_state)ledger->state));
    cs_table_count(table, ledger->tries);
    if (!tale) {
        for (int c = 3; c < COLUMNS - 1; c++)
            cs_table_unknown(table);
        return;
    }
    cs_procset_print(&text, tale->slots, tale->intervals);
    cs_table_text(table, text.text);
    cs_table_number(table, isfinite(tale->began) ? tale->began : tale->start);
    cs_table_number(table, tale->outcome ? tale->ended : NAN);
    cs_table_number(table, tale->start + tale->expected);
    cs_table_text(table, tale->outcome ? cs_run_outcome_name(tale->outcome) : NULL);
    cs_strbuf_clear(&text);
    put_output(story, tale, &text);
    cs_table_text(table, text.length ? text.text : NULL);
    cs_strbuf_release(&text);
}

static struct cs_table *make_table(const struct cs_run_story *story)
{
    const struct cs_run_tale **last = last_tales(story);
    struct cs_table *table;
    bool some = false;

    for (int t = 0; t < story->setup.tasks; t++)
        some = some || shows_progress(story, t);
    table = cs_table_create(columns, COLUMNS - !some);
    for (int t = 0; t < story->setup.tasks; t++) {
        put_row(table, story, t, last[t]);
        if (some)
            cs_table_number(table,
                            shows_progress(story, t) ? 100 * story->run.ledger[t].progress : NAN);
    }
    return table;
}

/* "run1: running; 3 of 9 done, 2 running, 4 waiting on 4 slots" */
static void put_line(const struct cs_run_story *story, struct cs_strbuf *out)
{
    static const char *const word[] = {" waiting", " held",   " running",
                                       " done",    " failed", " skipped"};
    const int *count = story->run.in_state;

    cs_strbuf_printf(out, "%s: %s; %d of %d done", story->folder, state_of(story),
                     count[CS_RUN_DONE], story->setup.tasks);
    for (int s = 0; s <= CS_RUN_TASK_STATE_LAST; s++)
        if (s != CS_RUN_DONE && count[s])
            cs_strbuf_printf(out, ", %d%s", count[s], word[s]);
    cs_strbuf_printf(out, "; %d of %d slots in use", story->run.slots.up - story->run.slots.free,
                     story->run.slots.count);
    if (story->alive)
        cs_strbuf_printf(out, "; %s", story->worker);
    cs_strbuf_putc(out, '\n');
}

static void put_time(struct cs_jsonw *w, const char *key, double seconds)
{
    time_t whole = (time_t)seconds;
    char text[40] = "";
    struct tm parts;

    if (gmtime_r(&whole, &parts))
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    cs_jsonw_put_string(w, key, text);
}

static void put_task(struct cs_jsonw *w, const struct cs_run_story *story, int task,
                     const struct cs_run_tale *tale)
{
    const struct cs_run_ledger *ledger = &story->run.ledger[task];
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_string(w, "task", story->setup.task[task].name);
    cs_jsonw_put_string(w, "state", cs_run_task_state_name((enum cs_run_task_state)ledger->state));
    cs_jsonw_put_int(w, "tries", ledger->tries);
    if (tale) {
        cs_procset_print(&text, tale->slots, tale->intervals);
        cs_jsonw_put_int(w, "attempt", tale->number);
        cs_jsonw_put_string(w, "slots", text.text);
        cs_jsonw_put_double(w, "start", isfinite(tale->began) ? tale->began : tale->start);
        cs_jsonw_put_double(w, "end", tale->outcome ? tale->ended : NAN);
        cs_jsonw_put_double(w, "expected_end", tale->start + tale->expected);
        if (shows_progress(story, task))
            cs_jsonw_put_double(w, "progress", ledger->progress);
        cs_jsonw_put_string(w, "outcome",
                            tale->outcome ? cs_run_outcome_name(tale->outcome) : NULL);
        cs_strbuf_clear(&text);
        put_output(story, tale, &text);
        cs_jsonw_put_string(w, "output", text.length ? text.text : NULL);
    }
    cs_jsonw_close(w);
    cs_strbuf_release(&text);
}

static void put_slots(struct cs_jsonw *w, const struct cs_run_story *story)
{
    const char **holder = CS_NEW_ARRAY(story->arena, const char *, story->slots);

    for (int a = 0; a < story->run.count; a++)
        for (int k = 0; k < story->run.running[a]->count; k++)
            holder[story->run.running[a]->slot[k]] =
                story->setup.task[story->run.running[a]->task].name;
    cs_jsonw_key(w, "slots");
    cs_jsonw_open(w, '[');
    for (int s = 0; s < story->slots; s++) {
        cs_jsonw_open_flat(w, '{');
        cs_jsonw_put_int(w, "slot", s);
        cs_jsonw_put_string(w, "host", story->host[s]);
        cs_jsonw_put_bool(w, "up", !story->run.slots.down[s]);
        cs_jsonw_put_string(w, "task", holder[s]);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

static void put_json(const struct cs_run_story *story, struct cs_strbuf *out)
{
    struct cs_jsonw w = cs_jsonw_begin(out);
    const struct cs_run_tale **last = last_tales(story);

    cs_jsonw_open(&w, '{');
    cs_jsonw_put_string(&w, "format", "cosched-run-status-1");
    cs_jsonw_put_string(&w, "run", story->id);
    cs_jsonw_put_string(&w, "folder", story->folder);
    cs_jsonw_put_string(&w, "state", state_of(story));
    cs_jsonw_put_string(&w, "engine", story->engine);
    cs_jsonw_put_string(&w, "input", story->input);
    put_time(&w, "began", story->began);
    cs_jsonw_put_string(&w, "executor", story->alive ? story->worker : NULL);
    for (int s = 0; s <= CS_RUN_TASK_STATE_LAST; s++)
        cs_jsonw_put_int(&w, cs_run_task_state_name((enum cs_run_task_state)s),
                         story->run.in_state[s]);
    cs_jsonw_key(&w, "tasks");
    cs_jsonw_open(&w, '[');
    for (int t = 0; t < story->setup.tasks; t++)
        put_task(&w, story, t, last[t]);
    cs_jsonw_close(&w);
    put_slots(&w, story);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}

static void show(const struct cs_run_story *story, int format)
{
    struct cs_strbuf out = CS_STRBUF_INIT;
    struct cs_table *table;

    if (format == CS_FORMAT_JSON) {
        put_json(story, &out);
    } else {
        table = make_table(story);
        if (format == CS_FORMAT_TABLE) {
            put_line(story, &out);
            cs_strbuf_putc(&out, '\n');
        }
        cs_output_table(table, format == CS_FORMAT_CSV ? CS_TABLE_CSV : CS_TABLE_TEXT, 0, &out);
        cs_table_destroy(table);
    }
    cs_output_put(&out);
    cs_strbuf_release(&out);
}

/* A line whenever it has changed, until nobody works on the run. */
static int follow(const char *folder, struct cs_error *err)
{
    const struct timespec pause = {.tv_sec = 1};
    struct cs_strbuf line = CS_STRBUF_INIT, before = CS_STRBUF_INIT;
    bool more = true;
    int status = 0;

    while (more) {
        struct cs_run_story *story = cs_run_story_read(folder, err);

        status = story ? 0 : -1;
        more = story && story->alive;
        cs_strbuf_clear(&line);
        if (story)
            put_line(story, &line);
        if (strcmp(line.text, before.text) != 0) {
            cs_output_put(&line);
            fflush(stdout);
        }
        cs_strbuf_clear(&before);
        cs_strbuf_puts(&before, line.text);
        cs_run_story_destroy(story);
        if (more)
            nanosleep(&pause, NULL);
    }
    cs_strbuf_release(&line);
    cs_strbuf_release(&before);
    return status;
}

static int run(const struct cs_arguments *args, struct cs_error *err)
{
    const char *folder = cs_arguments_operand(args, 0);
    struct cs_run_story *story;

    if (cs_arguments_given(args, "follow") && follow(folder, err))
        return -1;
    story = cs_run_story_read(folder, err);
    if (!story)
        return -1;
    show(story, cs_arguments_choice(args, "format"));
    cs_run_story_destroy(story);
    return 0;
}

static const struct cs_operand operands[] = {
    {.name = "RUN", .kind = CS_FIELD_PATH, .summary = "the folder of the run"},
    {0},
};

static const struct cs_field options[] = {
    {.name = "follow",
     .kind = CS_FIELD_FLAG,
     .summary = "say each second what has changed, until nobody works on the run any more"},
    CS_FIELD_FORMAT_ROW,
    {0},
};

static const struct cs_example examples[] = {
    {"How far is it, and where is the output of what failed?", "cosched run status run1"},
    {"For a script:", "cosched run status run1 --format json"},
    {0},
};

const struct cs_command cs_command_run_status = {
    .words = "run status",
    .summary = "tell how far a run has come",
    .description =
        "Reads the journal of the run, while it is written too. For each task: its state (waiting, "
        "held until its delay is over, running, done, failed for good, skipped because a task "
        "before it failed), how often it was tried, its slots, and of its last attempt when it "
        "began and ended (seconds since the run began), how, and where its output is.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run,
};
