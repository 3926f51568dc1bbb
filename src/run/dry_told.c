/* dry_told.c - who would start when on which slots, and the words of each command, as JSON. */
#include "base/guard.h"
#include "base/jsonw.h"
#include "base/watch.h"
#include "io/schedule_json.h"
#include "model/procset.h"
#include "run/dry.h"
#include "run/executor.h"
#include "run/program.h"
#include "run/request.h"
#include "run/told.h"
#include "run/values.h"

#include <math.h>

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

static int put_command(const struct dry_run *d, struct cs_run_values *values, struct cs_jsonw *w,
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

    cs_jsonw_key(w, "command");
    cs_jsonw_open_flat(w, '[');
    for (int k = 0; !status && k < argv.count; k++)
        cs_jsonw_string(w, argv.text[k]);
    cs_jsonw_close(w);
    cs_arena_destroy(argv.arena);
    return status;
}

static int put_start(const struct dry_run *d, const struct cs_bar *bar, struct cs_jsonw *w,
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
    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "task", d->setup.task[bar->task].name);
    cs_jsonw_put_double(w, "start", bar->start);
    cs_jsonw_put_double(w, "end", bar->end);
    cs_procset_print(&text, bar->procs, bar->intervals);
    cs_jsonw_put_string(w, "slots", text.text);
    cs_strbuf_clear(&text);
    cs_run_values_get(&values, "cpus", 4, &text, err);
    cs_jsonw_put_string(w, "cores", text.length ? text.text : NULL);
    status = put_command(d, &values, w, err);
    cs_jsonw_close(w);
    cs_strbuf_release(&text);
    return status;
}

static int put_starts(const struct dry_run *d, const struct cs_schedule *schedule,
                      struct cs_jsonw *w, struct cs_error *err)
{
    struct cs_arena_mark mark = cs_arena_mark(d->arena);
    const struct cs_bar *bar;
    size_t count;
    int status = 0;

    bar = cs_schedule_bars(schedule, &count);
    cs_jsonw_key(w, "starts");
    cs_jsonw_open(w, '[');
    for (size_t b = 0; !status && b < count; b++) {
        status = put_start(d, &bar[b], w, err);
        cs_arena_rewind(d->arena, mark);
    }
    cs_jsonw_close(w);
    return status;
}

/* Jobs by which a queue is judged as if it had been simulated. */
static void put_jobs(const struct dry_run *d, const struct cs_schedule *schedule,
                     struct cs_jsonw *w)
{
    const struct cs_rigid_declared declared = {
        .priority = d->setup.priority,
        .scenario = -1,
        .lower_bound = NAN,
        .seconds = d->setup.seconds,
        .procs = d->setup.procs,
    };

    cs_schedule_json_put_rigid(w, schedule, &declared);
}

/* What follows a plan, or resizes, differs from what was made by the rules of the problem: packs
 * need not wait for each other, and transfers take what they take. */
static void put_observed(const struct dry_run *d, struct cs_jsonw *w)
{
    const struct cs_bar **plan = cs_run_dry_plan(&d->setup, d->arena);

    cs_jsonw_key(w, "observed");
    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "engine", "dry");
    cs_run_told_saves(w, &d->setup);
    cs_jsonw_close(w);
    if (!plan)
        return;
    cs_jsonw_key(w, "planned");
    cs_jsonw_open(w, '[');
    for (int t = 0; t < d->setup.tasks; t++) {
        cs_jsonw_open_flat(w, '{');
        cs_jsonw_put_double(w, "start", plan[t]->start);
        cs_jsonw_put_double(w, "end", plan[t]->end);
        cs_jsonw_put_int(w, "procs", d->setup.task[t].procs);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

/* As a text: whoever writes it to a file has the bytes of the tool. */
static void put_schedule(const struct dry_run *d, const struct cs_schedule *schedule,
                         struct cs_jsonw *to)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&text);

    cs_jsonw_open(&w, '{');
    cs_schedule_json_put_head(&w, schedule, cs_run_setup_policy(&d->setup, d->arena));
    if (d->setup.seconds)
        put_jobs(d, schedule, &w);
    else
        put_observed(d, &w);
    cs_schedule_json_put_tail(&w, schedule, NULL);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    cs_jsonw_put_string(to, "schedule", text.text);
    cs_strbuf_release(&text);
}

static char *simulate(const struct dry_run *d, struct cs_error *err)
{
    const struct cs_run_dry dry = {.setup = &d->setup, .slots = d->slots};
    struct cs_schedule *schedule = cs_run_dry_schedule(&dry, err);
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&text);
    int status = -1;

    if (schedule) {
        cs_jsonw_open(&w, '{');
        cs_jsonw_put_double(&w, "makespan", cs_schedule_makespan(schedule));
        cs_jsonw_put_int(&w, "slots", d->slots);
        status = put_starts(d, schedule, &w, err);
        put_schedule(d, schedule, &w);
        cs_jsonw_close(&w);
        cs_jsonw_end(&w);
    }
    cs_schedule_destroy(schedule);
    if (!status)
        return cs_strbuf_take(&text);
    cs_strbuf_release(&text);
    return NULL;
}

static void say(void *who, const char *sentence)
{
    const struct cs_watch *watch = who;

    if (watch && watch->warn)
        watch->warn(watch->who, sentence);
}

static char *read_and_simulate(struct dry_run *d, const struct cs_run_document *document,
                               const struct cs_watch *watch, struct cs_error *err)
{
    struct cs_json_at root = cs_json_root(document->file, document->json);
    struct cs_run_notes notes = {0};
    char *text = NULL;

    if (cs_run_setup_read(&root, document->folder, document->input, document->bytes.text,
                          document->bytes.length, d->arena, &d->setup, err))
        return NULL;
    d->setup.wanted.oversubscribe = true;
    d->engine = cs_run_engine_find(d->setup.engine);
    if (!d->engine->open(&d->setup, d->arena, &d->state, &d->slot, &d->slots, err) &&
        !cs_run_refuse(&d->setup, d->slot, d->slots, "RUN", &notes, err)) {
        cs_run_tell_notes(&d->setup, &notes, say, (void *)(uintptr_t)watch);
        text = simulate(d, err);
    }
    if (d->engine->close && d->state)
        d->engine->close(d->state);
    cs_run_setup_release(&d->setup);
    return text;
}

char *cs_run_dry(const char *input, const struct cs_run_options *options,
                 const struct cs_watch *watch, struct cs_error *err)
{
    CS_ASK(input, err, NULL);
    CS_GUARD(err, NULL);
    struct dry_run d = {.arena = NULL};
    struct cs_run_options usual;
    const struct cs_run_options *how = options ? options : &usual;
    struct cs_run_document *document;
    char *text = NULL;

    cs_run_defaults(&usual);
    if (cs_run_request_check(how, err) || cs_watch_check(watch, err))
        return NULL;
    d.arena = cs_arena_create();
    document = cs_run_request_open(input, how, true, d.arena, err);
    if (document) {
        const struct cs_watch *before = cs_watch_enter(watch);

        text = read_and_simulate(&d, document, watch, err);
        cs_watch_enter(before);
        cs_run_document_release(document);
    }
    cs_arena_destroy(d.arena);
    return text;
}
