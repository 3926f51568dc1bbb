/* dry_run.c - who would start when on which slots, and the words of each command. */
#include "cli/run/dry_run.h"

#include "base/order.h"
#include "cli/base/output.h"
#include "io/schedule_json.h"
#include "model/procset.h"
#include "report/table.h"
#include "run/dry.h"
#include "run/executor.h"
#include "run/program.h"
#include "run/values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct cs_column columns[] = {
    {.key = "task", .kind = CS_COLUMN_WORD},
    {.key = "start", .unit = "s", .kind = CS_COLUMN_NUMBER, .digits = 2},
    {.key = "end", .unit = "s", .kind = CS_COLUMN_NUMBER, .digits = 2},
    {.key = "slots", .kind = CS_COLUMN_WORD},
    {.key = "cores", .kind = CS_COLUMN_WORD},
    {.key = "command", .kind = CS_COLUMN_WORD},
};

struct dry_run {
    struct cs_run_setup setup;
    const struct cs_run_engine *engine;
    void *state;
    const struct cs_run_slot *slot;
    int slots;
    struct cs_arena *arena;
};

/* The slots of a bar, one by one. */
static int *list_slots(const struct dry_run *d, const struct cs_bar *bar, int *count)
{
    int *slot = CS_NEW_ARRAY(d->arena, int, d->slots);

    *count = 0;
    for (int k = 0; k < bar->intervals; k++)
        for (int p = bar->procs[k].first; p <= bar->procs[k].last; p++)
            slot[(*count)++] = p;
    return slot;
}

static int put_command(const struct dry_run *d, struct cs_run_values *values, struct cs_strbuf *out,
                       struct cs_error *err)
{
    struct cs_run_list argv = {.arena = cs_arena_create()};
    const struct cs_run_settings *s = values->setup->task[values->task].settings;
    const bool launches = s->launches || !d->engine->launch;
    int status = (launches ? cs_run_values_list(values, &s->launcher, &argv, err)
                           : d->engine->launch(d->state, "RUN", values, &argv, err)) ||
                         cs_run_values_list(values, &s->command, &argv, err)
                     ? -1
                     : 0;

    for (int k = 0; !status && k < argv.count; k++) {
        if (k)
            cs_strbuf_putc(out, ' ');
        cs_strbuf_put_shell(out, argv.text[k]);
    }
    cs_arena_destroy(argv.arena);
    return status;
}

static int put_row(const struct dry_run *d, struct cs_table *table, const struct cs_bar *bar,
                   struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_run_values values = {.setup = &d->setup,
                                   .folder = "RUN",
                                   .slot = d->slot,
                                   .task = bar->task,
                                   .try = bar->attempt,
                                   .attempt = bar->task + 1};
    int status;

    values.held = list_slots(d, bar, &values.count);
    cs_table_text(table, d->setup.task[bar->task].name);
    cs_table_number(table, bar->start);
    cs_table_number(table, bar->end);
    cs_procset_print(&text, bar->procs, bar->intervals);
    cs_table_text(table, text.text);
    cs_strbuf_clear(&text);
    cs_run_values_get(&values, "cpus", 4, &text, err);
    cs_table_text(table, text.length ? text.text : NULL);
    cs_strbuf_clear(&text);
    status = put_command(d, &values, &text, err);
    cs_table_text(table, text.text);
    cs_strbuf_release(&text);
    return status;
}

static int show(const struct dry_run *d, const struct cs_schedule *schedule, struct cs_error *err)
{
    struct cs_table *table = cs_table_create(columns, (int)(sizeof columns / sizeof *columns));
    struct cs_strbuf out = CS_STRBUF_INIT;
    struct cs_arena_mark mark = cs_arena_mark(d->arena);
    const struct cs_bar *bar;
    size_t count;
    int status = 0;

    bar = cs_schedule_bars(schedule, &count);
    for (size_t b = 0; !status && b < count; b++) {
        status = put_row(d, table, &bar[b], err);
        cs_arena_rewind(d->arena, mark);
    }
    if (!status) {
        cs_output_table(table, CS_TABLE_TEXT, 0, &out);
        cs_output_put(&out);
    }
    cs_strbuf_release(&out);
    cs_table_destroy(table);
    return status;
}

static int save(const struct dry_run *d, const struct cs_schedule *schedule, const char *path,
                struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&text);

    cs_jsonw_open(&w, '{');
    cs_schedule_json_put_head(&w, schedule,
                              d->setup.plan ? d->setup.plan->policy : d->setup.policy);
    cs_schedule_json_put_tail(&w, schedule, NULL);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    return cs_output_save(path, &text, err);
}

static int simulate(struct dry_run *d, const char *path, struct cs_error *err)
{
    const struct cs_run_dry dry = {.setup = &d->setup, .slots = d->slots};
    struct cs_schedule *schedule = cs_run_dry(&dry, err);
    int status = -1;

    if (schedule)
        status = show(d, schedule, err) || (path && save(d, schedule, path, err)) ? -1 : 0;
    cs_schedule_destroy(schedule);
    return status;
}

static void say(void *who, const char *sentence)
{
    (void)who;
    fprintf(stderr, "cosched: %s\n", sentence);
}

int cs_cli_dry_run(const struct cs_arguments *args, struct cs_run_document *document,
                   struct cs_error *err)
{
    const char *path = cs_arguments_text(args, "output");
    struct cs_json_at root = cs_json_root(document->file, document->json);
    struct dry_run d = {.arena = cs_arena_create()};
    struct cs_run_notes notes = {0};
    int status = -1;

    if (!cs_output_check(path, err) &&
        !cs_run_setup_read(&root, document->folder, document->input, document->bytes.text,
                           document->bytes.length, d.arena, &d.setup, err)) {
        d.engine = cs_run_engine_find(d.setup.engine);
        if (!d.engine->open(&d.setup, d.arena, &d.state, &d.slot, &d.slots, err) &&
            !cs_run_refuse(&d.setup, d.slot, d.slots, "RUN", &notes, err)) {
            cs_run_tell_notes(&d.setup, &notes, say, NULL);
            status = simulate(&d, path, err);
        }
        if (d.engine->close && d.state)
            d.engine->close(d.state);
        cs_run_setup_release(&d.setup);
    }
    cs_arena_destroy(d.arena);
    return status;
}
