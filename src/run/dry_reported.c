/* dry_reported.c - who would start when on which slots, and the words of each command, as JSON. */
#include "base/guard.h"
#include "base/jsonw.h"
#include "base/order.h"
#include "base/stats.h"
#include "base/watch.h"
#include "io/schedule_json.h"
#include "io/schedule_keys.h"
#include "model/procset.h"
#include "run/dry.h"
#include "run/executor.h"
#include "run/history.h"
#include "run/program.h"
#include "run/request.h"
#include "run/setup.h"
#include "run/values.h"

#include <math.h>
#include <time.h>

/* the executed and the planned schedule, as a schedule file and as JSON. */

/* No processors: none. */
struct span {
    double start, end;
    int procs;
};

struct scene {
    const struct cs_run_history *history;
    struct cs_schedule *ran, *planned;
    struct span *plan, *well; /* by task: as planned, and as it ran to its good end */
};

/* From the first part to the end of the last, which counts for its slots. */
static void dry_reported_widen(struct span *span, double start, double end, int procs)
{
    span->start = span->procs ? fmin(span->start, start) : start;
    span->end = span->procs ? fmax(span->end, end) : end;
    span->procs = procs;
}

static int procs_of(const struct cs_bar *bar)
{
    int procs = 0;

    for (int k = 0; k < bar->intervals; k++)
        procs += bar->procs[k].last - bar->procs[k].first + 1;
    return procs;
}

static void index_plan(struct scene *s)
{
    const struct cs_bar *bar;
    size_t count;

    s->plan = CS_NEW_ARRAY(s->history->arena, struct span, s->history->setup.tasks);
    s->well = CS_NEW_ARRAY(s->history->arena, struct span, s->history->setup.tasks);
    bar = cs_schedule_bars(s->planned, &count);
    for (size_t b = 0; b < count; b++)
        dry_reported_widen(&s->plan[bar[b].task], bar[b].start, bar[b].end, procs_of(&bar[b]));
    for (int64_t a = 0; a < s->history->tales; a++) {
        const struct cs_run_tale *t = &s->history->tale[a];

        if (t->outcome == CS_RUN_OK ||
            (t->outcome && s->history->setup.task[t->task].settings->checkpoint))
            dry_reported_widen(&s->well[t->task], isnan(t->began) ? t->start : t->began, t->ended,
                               t->procs);
    }
}

static int dry_reported_set(struct scene *s, const struct cs_run_history *history,
                            struct cs_error *err)
{
    *s = (struct scene){.history = history, .planned = cs_run_history_planned(history, err)};
    if (!s->planned)
        return -1;
    s->ran = cs_run_history_schedule(history);
    index_plan(s);
    return 0;
}

static void dry_reported_clear(struct scene *s)
{
    cs_schedule_destroy(s->ran);
    cs_schedule_destroy(s->planned);
}

/* ---- a schedule file ---- */

/* Key saves: the tasks that save their state, so attempts resume from it; absent without such
 * tasks. */
static void cs_run_reported_saves(struct cs_jsonw *w, const struct cs_run_setup *setup)
{
    bool some = false;

    for (int t = 0; t < setup->tasks; t++)
        some = some || setup->task[t].settings->checkpoint;
    if (!some)
        return;
    cs_jsonw_key(w, "saves");
    cs_jsonw_open_flat(w, '[');
    for (int t = 0; t < setup->tasks; t++)
        if (setup->task[t].settings->checkpoint)
            cs_jsonw_string(w, setup->task[t].name);
    cs_jsonw_close(w);
}

static void reported_put_observed(struct cs_jsonw *w, const struct scene *s)
{
    time_t began = (time_t)s->history->began;
    char text[40] = "";
    struct tm parts;

    if (gmtime_r(&began, &parts))
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    cs_jsonw_key(w, "observed");
    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "run", s->history->id);
    cs_jsonw_put_string(w, "began", text);
    cs_jsonw_put_string(w, "engine", s->history->engine);
    cs_jsonw_key(w, "slots");
    cs_jsonw_open_flat(w, '[');
    for (int k = 0; k < s->history->slots; k++)
        cs_jsonw_string(w, s->history->host[k]);
    cs_jsonw_close(w);
    cs_jsonw_key(w, "failed");
    cs_jsonw_open_flat(w, '[');
    for (int t = 0; t < s->history->setup.tasks; t++)
        if (s->history->run.usage[t].state != CS_RUN_DONE)
            cs_jsonw_string(w, s->history->setup.task[t].name);
    cs_jsonw_close(w);
    cs_run_reported_saves(w, &s->history->setup);
    cs_jsonw_close(w);
}

/* Were slots lost, and what was left planned again, in which tasks may become narrower? */
static bool was_planned_again(const struct scene *s)
{
    for (int64_t a = 0; s->history->setup.plan && a < s->history->tales; a++) {
        const struct cs_run_tale *t = &s->history->tale[a];

        if (t->procs != s->history->setup.task[t->task].procs)
            return true;
    }
    return false;
}

static void put_planned(struct cs_jsonw *w, const struct scene *s)
{
    const bool again = was_planned_again(s);

    cs_jsonw_key(w, "planned");
    cs_jsonw_open(w, '[');
    for (int t = 0; t < s->history->setup.tasks; t++) {
        cs_jsonw_open_flat(w, '{');
        cs_jsonw_put_double(w, "start", s->plan[t].procs ? s->plan[t].start : NAN);
        cs_jsonw_put_double(w, "end", s->plan[t].procs ? s->plan[t].end : NAN);
        if (!again)
            cs_jsonw_put_int(w, "procs",
                             s->history->setup.workload ? s->plan[t].procs
                                                        : s->history->setup.task[t].procs);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

int cs_run_history_put(const struct cs_run_history *history, struct cs_strbuf *out,
                       struct cs_error *err)
{
    struct cs_jsonw w = cs_jsonw_begin(out);
    struct scene s;

    if (dry_reported_set(&s, history, err))
        return -1;
    cs_jsonw_open(&w, '{');
    cs_schedule_json_put_head(&w, s.ran, cs_run_setup_policy(&history->setup, history->arena));
    reported_put_observed(&w, &s);
    put_planned(&w, &s);
    cs_schedule_json_put_tail(&w, s.ran, NULL);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    dry_reported_clear(&s);
    return 0;
}

char *cs_run_history_text(const struct cs_run_history *history, size_t *length,
                          struct cs_error *err)
{
    CS_ASK(history, err, NULL);
    CS_GUARD(err, NULL);
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (cs_run_history_put(history, &text, err))
        return NULL;
    if (length)
        *length = text.length;
    return cs_strbuf_take(&text);
}

/* ---- numbers ---- */

static void put_task(struct cs_jsonw *w, const struct scene *s, int task)
{
    const struct cs_run_usage *usage = &s->history->run.usage[task];
    const bool done = usage->state == CS_RUN_DONE;
    const struct span *well = &s->well[task], *plan = &s->plan[task];
    double planned = plan->procs ? plan->end - plan->start : NAN;
    double took = done ? well->end - well->start : NAN;

    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_string(w, "task", s->history->setup.task[task].name);
    cs_jsonw_put_int(w, "procs",
                     s->history->setup.workload && well->procs
                         ? well->procs
                         : s->history->setup.task[task].procs);
    cs_jsonw_put_double(w, "planned_start", plan->procs ? plan->start : NAN);
    cs_jsonw_put_double(w, "start", done ? well->start : NAN);
    cs_jsonw_put_double(w, "planned_seconds", planned);
    cs_jsonw_put_double(w, "seconds", took);
    cs_jsonw_put_double(w, "ratio", took / planned);
    cs_jsonw_put_int(w, "tries", usage->tries);
    cs_jsonw_put_string(w, "state", cs_run_task_state_name((enum cs_run_task_state)usage->state));
    cs_jsonw_close(w);
}

static void put_tasks(struct cs_jsonw *w, const struct scene *s)
{
    cs_jsonw_key(w, "tasks");
    cs_jsonw_open(w, '[');
    for (int t = 0; t < s->history->setup.tasks; t++)
        put_task(w, s, t);
    cs_jsonw_close(w);
}

static void put_attempt(struct cs_jsonw *w, const struct cs_run_history *history,
                        const struct cs_run_tale *t)
{
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_string(w, "task", history->setup.task[t->task].name);
    cs_jsonw_put_int(w, "try", t->try);
    cs_jsonw_put_int(w, "procs", t->procs);
    cs_jsonw_put_double(w, "decided", t->start);
    cs_jsonw_put_double(w, "start", t->began);
    cs_jsonw_put_double(w, "end", t->ended);
    cs_jsonw_put_double(w, "seconds", t->ended - t->began);
    cs_jsonw_put_string(w, "outcome", t->outcome ? cs_run_outcome_name(t->outcome) : NULL);
    cs_jsonw_put_double(w, "restarted_at", t->restart);
    cs_jsonw_close(w);
}

static void put_attempts(struct cs_jsonw *w, const struct cs_run_history *history)
{
    cs_jsonw_key(w, "attempts");
    cs_jsonw_open(w, '[');
    for (int64_t a = 0; a < history->tales; a++)
        put_attempt(w, history, &history->tale[a]);
    cs_jsonw_close(w);
}

static void put_area(struct cs_jsonw *w, const char *word, double area)
{
    if (!(area > 0))
        return;
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_string(w, "on", word);
    cs_jsonw_put_double(w, "slot_seconds", area);
    cs_jsonw_close(w);
}

/* Slot seconds by what was done in them; what was lost, by how attempts ended. */
static void put_areas(struct cs_jsonw *w, const struct scene *s)
{
    double area[CS_BAR_KIND_LAST + 1] = {0}, lost[CS_RUN_OUTCOME_LAST + 1] = {0}, all;
    const struct cs_bar *bar;
    size_t count;

    bar = cs_schedule_bars(s->ran, &count);
    for (size_t b = 0; b < count; b++)
        area[bar[b].kind] += (bar[b].end - bar[b].start) * procs_of(&bar[b]);
    for (int64_t a = 0; a < s->history->tales; a++) {
        const struct cs_run_tale *t = &s->history->tale[a];

        if (t->outcome && isfinite(t->began) &&
            !s->history->setup.task[t->task].settings->checkpoint)
            lost[t->outcome] += (t->ended - t->began) * t->procs;
    }
    all = cs_schedule_makespan(s->ran) * s->history->slots;
    cs_jsonw_put_double(w, "slot_seconds", all);
    cs_jsonw_put_double(w, "work", area[CS_BAR_WORK]);
    cs_jsonw_key(w, "other");
    cs_jsonw_open(w, '[');
    put_area(w, "verification", area[CS_BAR_VERIFY]);
    put_area(w, "moves and restarts",
             area[CS_BAR_MOVE] + area[CS_BAR_RECOVERY] + area[CS_BAR_CHECKPOINT]);
    for (int o = CS_RUN_CORRUPT; o <= CS_RUN_LOST; o++) {
        put_area(w, cs_run_outcome_name((enum cs_run_outcome)o), lost[o]);
        area[CS_BAR_LOST] -= lost[o];
    }
    put_area(w, "not saved", area[CS_BAR_LOST] > 1e-9 * all ? area[CS_BAR_LOST] : 0);
    cs_jsonw_close(w);
}

/* From a decision to its program. */
static void put_overhead(struct cs_jsonw *w, const struct cs_run_history *history)
{
    struct cs_arena *arena = cs_arena_create();
    double *wait = CS_NEW_ARRAY(arena, double, history->tales);
    int count = 0;

    for (int64_t a = 0; a < history->tales; a++)
        if (isfinite(history->tale[a].began))
            wait[count++] = history->tale[a].began - history->tale[a].start;
    cs_order_sort_doubles(wait, count, arena);
    cs_jsonw_put_double(w, "median_to_program",
                        count ? cs_stats_quantile_sorted(wait, count, 0.5) : NAN);
    cs_jsonw_put_double(w, "p99_to_program",
                        count ? cs_stats_quantile_sorted(wait, count, 0.99) : NAN);
    cs_arena_destroy(arena);
}

char *cs_run_history_reported(const struct cs_run_history *history, struct cs_error *err)
{
    CS_ASK(history, err, NULL);
    CS_GUARD(err, NULL);
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&text);
    struct scene s;

    if (dry_reported_set(&s, history, err))
        return NULL;
    cs_jsonw_open(&w, '{');
    cs_jsonw_put_string(&w, "format", "cosched-run-story-1");
    cs_jsonw_put_string(&w, "folder", history->folder);
    cs_jsonw_put_double(&w, "makespan", cs_schedule_makespan(s.ran));
    cs_jsonw_put_double(&w, "planned", cs_schedule_makespan(s.planned));
    cs_jsonw_put_int(&w, "done", history->run.in_state[CS_RUN_DONE]);
    put_areas(&w, &s);
    put_overhead(&w, history);
    put_tasks(&w, &s);
    put_attempts(&w, history);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    dry_reported_clear(&s);
    return cs_strbuf_take(&text);
}

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

static int dry_reported_put_command(const struct dry_run *d, struct cs_run_values *values,
                                    struct cs_jsonw *w, struct cs_error *err)
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
    status = dry_reported_put_command(d, &values, w, err);
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

    cs_keys_put(w, cs_keys_rigid, schedule, &declared);
}

/* A run that follows a plan or resizes does not obey all rules of the problem: packs need not wait
 * for each other, and transfers have measured times. */
static void put_observed(const struct dry_run *d, struct cs_jsonw *w)
{
    const struct cs_bar **plan = cs_run_dry_plan(&d->setup, d->arena);

    cs_jsonw_key(w, "observed");
    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "engine", "dry");
    cs_run_reported_saves(w, &d->setup);
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

/* As text, with the same bytes as the file of the tool. */
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

static char *dry_reported_simulate(const struct dry_run *d, struct cs_error *err)
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

static void dry_reported_say(void *who, const char *error_text)
{
    const struct cs_watch *watch = who;

    if (watch && watch->warn)
        watch->warn(watch->who, error_text);
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
        cs_run_report_notes(&d->setup, &notes, dry_reported_say, (void *)(uintptr_t)watch);
        text = dry_reported_simulate(d, err);
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
