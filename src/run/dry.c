/* dry.c - the earliest ends become the events of the next round. */
#include "run/dry.h"
#include "base/guard.h"
#include "base/heap.h"
#include "base/jsonw.h"
#include "base/order.h"
#include "base/stats.h"
#include "base/watch.h"
#include "io/schedule_json.h"
#include "io/schedule_keys.h"
#include "model/procset.h"
#include "run/executor.h"
#include "run/history.h"
#include "run/program.h"
#include "run/request.h"
#include "run/setup.h"
#include "run/template.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

/* The executed and the planned schedule, as a schedule file and as JSON. */

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
static void dry_widen(struct span *span, double start, double end, int procs)
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
        dry_widen(&s->plan[bar[b].task], bar[b].start, bar[b].end, procs_of(&bar[b]));
    for (int64_t a = 0; a < s->history->attempts; a++) {
        const struct cs_run_attempt_history *t = &s->history->attempt[a];

        if (t->outcome == CS_RUN_OK ||
            (t->outcome && s->history->setup.task[t->task].settings->checkpoint))
            dry_widen(&s->well[t->task], isnan(t->began) ? t->start : t->began, t->ended, t->procs);
    }
}

static int dry_set(struct scene *s, const struct cs_run_history *history, struct cs_error *err)
{
    *s = (struct scene){.history = history, .planned = cs_run_history_planned(history, err)};
    if (!s->planned)
        return -1;
    s->ran = cs_run_history_schedule(history);
    index_plan(s);
    return 0;
}

static void dry_clear(struct scene *s)
{
    cs_schedule_destroy(s->ran);
    cs_schedule_destroy(s->planned);
}

/* ---- a schedule file ---- */

/* Key saves: the tasks that save their state, so attempts resume from it; absent without such
 * tasks. */
static void run_reported_saves(struct cs_jsonw *w, const struct cs_run_setup *setup)
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
    run_reported_saves(w, &s->history->setup);
    cs_jsonw_close(w);
}

/* Were slots lost, and what was left planned again, in which tasks may become narrower? */
static bool was_planned_again(const struct scene *s)
{
    for (int64_t a = 0; s->history->setup.plan && a < s->history->attempts; a++) {
        const struct cs_run_attempt_history *t = &s->history->attempt[a];

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

    if (dry_set(&s, history, err))
        return -1;
    cs_jsonw_open(&w, '{');
    cs_schedule_json_put_head(&w, s.ran, cs_run_setup_policy(&history->setup, history->arena));
    reported_put_observed(&w, &s);
    put_planned(&w, &s);
    cs_schedule_json_put_tail(&w, s.ran, NULL, false);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    dry_clear(&s);
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
                        const struct cs_run_attempt_history *t)
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
    for (int64_t a = 0; a < history->attempts; a++)
        put_attempt(w, history, &history->attempt[a]);
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
    for (int64_t a = 0; a < s->history->attempts; a++) {
        const struct cs_run_attempt_history *t = &s->history->attempt[a];

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
    double *wait = CS_NEW_ARRAY(arena, double, history->attempts);
    int count = 0;

    for (int64_t a = 0; a < history->attempts; a++)
        if (isfinite(history->attempt[a].began))
            wait[count++] = history->attempt[a].began - history->attempt[a].start;
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

    if (dry_set(&s, history, err))
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
    dry_clear(&s);
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

static int dry_put_command(const struct dry_run *d, struct cs_run_values *values,
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
    status = dry_put_command(d, &values, w, err);
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

static const struct cs_bar **run_dry_plan(const struct cs_run_setup *setup, struct cs_arena *arena);

/* A run that follows a plan or resizes does not obey all rules of the problem: packs need not wait
 * for each other, and transfers have measured times. */
static void put_observed(const struct dry_run *d, struct cs_jsonw *w)
{
    const struct cs_bar **plan = run_dry_plan(&d->setup, d->arena);

    cs_jsonw_key(w, "observed");
    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "engine", "dry");
    run_reported_saves(w, &d->setup);
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
    cs_schedule_json_put_tail(&w, schedule, NULL, false);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    cs_jsonw_put_string(to, "schedule", text.text);
    cs_strbuf_release(&text);
}

static char *dry_simulate(const struct dry_run *d, struct cs_error *err)
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

static void dry_say(void *who, const char *error_text)
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
        cs_run_report_notes(&d->setup, &notes, dry_say, (void *)(uintptr_t)watch);
        text = dry_simulate(d, err);
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

struct clockwork {
    const struct cs_run_dry *dry;
    struct cs_run run;
    struct cs_heap ends;   /* tasks that run, by when they end */
    struct cs_heap begins; /* those of a decider that foresees, by when they begin to work */
    struct cs_run_event *event;
    int count;
    struct cs_schedule *schedule;
    struct cs_interval *set;   /* room for a bar */
    const struct cs_bar **bar; /* of the followed plan, by task; NULL without a plan */
};

/* The bars of the followed plan, by task, in the arena; NULL without a plan. */
static const struct cs_bar **run_dry_plan(const struct cs_run_setup *setup, struct cs_arena *arena)
{
    const struct cs_bar **list, *bar;
    size_t count;

    if (!setup->plan)
        return NULL;
    list = CS_NEW_ARRAY(arena, const struct cs_bar *, setup->tasks);
    bar = cs_schedule_bars(setup->plan->schedule, &count);
    for (size_t b = 0; b < count; b++)
        if (bar[b].kind == CS_BAR_WORK)
            list[bar[b].task] = &bar[b];
    return list;
}

/* An attempt that starts at its planned time also ends at it, to the last bit. */
static const struct cs_bar *dry_planned(const struct clockwork *c,
                                        const struct cs_run_attempt *attempt)
{
    const struct cs_bar *bar = c->bar ? c->bar[attempt->task] : NULL;

    return bar && bar->start == attempt->start && bar->end - bar->start == attempt->expected ? bar
                                                                                             : NULL;
}

static double dry_end_of(const struct clockwork *c, const struct cs_run_attempt *attempt)
{
    double expected = attempt->expected;

    if (!c->dry->seconds && dry_planned(c, attempt))
        return dry_planned(c, attempt)->end;

    if (c->dry->seconds)
        expected = c->dry->seconds(c->dry->who, attempt->task, attempt->try, expected);
    return attempt->start + expected;
}

static bool dry_fails(const struct clockwork *c, const struct cs_run_attempt *attempt)
{
    return c->dry->failures && attempt->try <= c->dry->failures[attempt->task];
}

static void dry_draw(struct clockwork *c, const struct cs_run_attempt *attempt, double end)
{
    int sets = 0;

    for (int k = 0; k < attempt->count; k++)
        if (sets && c->set[sets - 1].last + 1 == attempt->slot[k])
            c->set[sets - 1].last++;
        else
            c->set[sets++] = (struct cs_interval){attempt->slot[k], attempt->slot[k]};
    cs_schedule_add(c->schedule,
                    &(struct cs_bar){
                        .kind = dry_fails(c, attempt) ? CS_BAR_LOST : CS_BAR_WORK,
                        .task = attempt->task,
                        .attempt = attempt->try,
                        .group = c->dry->setup->task[attempt->task].group,
                        .start = attempt->start,
                        .end = end,
                        .intervals = sets,
                        .procs = c->set,
                    },
                    NULL);
}

static void start_all(struct clockwork *c)
{
    for (int a = 0; a < c->run.actions; a++)
        if (c->run.action[a].kind == CS_RUN_START) {
            const struct cs_run_attempt *attempt =
                cs_run_attempt_find(&c->run, c->run.action[a].attempt);
            double end = dry_end_of(c, attempt);

            if (c->run.decider->foresee) {
                double works;

                c->run.decider->foresee(c->run.state, attempt->task, &works, &end);
                cs_heap_push(&c->begins, attempt->task, works);
                continue;
            }
            cs_heap_push(&c->ends, attempt->task, end);
            dry_draw(c, attempt, end);
        }
}

static void add_event(struct clockwork *c, enum cs_run_event_kind kind, int task, double now,
                      enum cs_run_outcome outcome)
{
    const struct cs_run_attempt *attempt = cs_run_attempt_of(&c->run, task);

    if (kind == CS_RUN_ENDED && c->run.decider->foresee)
        dry_draw(c, attempt, now);
    c->event[c->count++] = (struct cs_run_event){
        .kind = kind,
        .task = task,
        .slot = -1,
        .attempt = attempt->number,
        .time = now,
        .outcome = outcome,
        .value = kind == CS_RUN_BEGAN,
    };
}

/* It will end by the clock of the decider. */
static void begin_task(struct clockwork *c, int task, double now)
{
    double works, ends;

    c->run.decider->foresee(c->run.state, task, &works, &ends);
    cs_heap_push(&c->ends, task, ends);
    add_event(c, CS_RUN_BEGAN, task, now, (enum cs_run_outcome)0);
}

/* Attempts that are signalled to stop end immediately. */
static void stop_all(struct clockwork *c, double now)
{
    for (int a = 0; a < c->run.actions; a++) {
        const struct cs_run_action *action = &c->run.action[a];

        if (action->kind != CS_RUN_STOP)
            continue;
        add_event(c, CS_RUN_SAVED, action->task, now, (enum cs_run_outcome)0);
        add_event(c, CS_RUN_ENDED, action->task, now, CS_RUN_STOPPED);
        cs_heap_remove(&c->ends, action->task);
    }
}

/* The next call of the decider; one that predicts is called at the predicted time. */
static double wake_of(const struct clockwork *c)
{
    const struct cs_run_decider *decider = c->run.decider;

    return decider->wake && !decider->foresee ? decider->wake(c->run.state) : INFINITY;
}

/* All that end at the next moment, those that stop, or those that begin to work. */
static double dry_collect(struct clockwork *c)
{
    const double begin = c->begins.count ? cs_heap_top_key(&c->begins) : INFINITY;
    const double now = fmin(begin, c->ends.count ? cs_heap_top_key(&c->ends) : INFINITY);
    const double wake = wake_of(c);

    c->count = 0;
    stop_all(c, c->run.now);
    if (c->count)
        return c->run.now;
    if (wake < now) {
        c->event[c->count++] =
            (struct cs_run_event){.kind = CS_RUN_DUE, .task = -1, .slot = -1, .time = wake};
        return wake;
    }
    while (c->ends.count > 0 && cs_heap_top_key(&c->ends) == now) {
        int task = cs_heap_pop(&c->ends);

        add_event(c, CS_RUN_ENDED, task, now,
                  dry_fails(c, cs_run_attempt_of(&c->run, task)) ? CS_RUN_CORRUPT : CS_RUN_OK);
    }
    while (c->count == 0 && c->begins.count > 0 && cs_heap_top_key(&c->begins) == now)
        begin_task(c, cs_heap_pop(&c->begins), now);
    return now;
}

static int by_attempt(const void *a, const void *b)
{
    const struct cs_run_event *x = a, *y = b;

    if (x->attempt != y->attempt)
        return x->attempt < y->attempt ? -1 : 1;
    return (x->kind > y->kind) - (x->kind < y->kind);
}

static void dry_work(struct clockwork *c)
{
    double now = 0;

    cs_run_round(&c->run, now, c->event, 0);
    for (start_all(c); c->ends.count > 0 || c->begins.count > 0; start_all(c)) {
        if (cs_watch_calls())
            return;
        now = dry_collect(c);
        qsort(c->event, (size_t)c->count, sizeof *c->event, by_attempt);
        cs_run_round(&c->run, now, c->event, c->count);
    }
}

struct cs_schedule *cs_run_dry_schedule(const struct cs_run_dry *dry, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    const struct cs_run_setup *setup = dry->setup;
    const char **name = CS_NEW_ARRAY(arena, const char *, setup->tasks);
    struct clockwork c = {
        .dry = dry,
        .event = CS_NEW_ARRAY(arena, struct cs_run_event, 2 * (size_t)setup->tasks),
        .set = CS_NEW_ARRAY(arena, struct cs_interval, dry->slots),
        .bar = run_dry_plan(setup, arena),
    };

    for (int t = 0; t < setup->tasks; t++)
        name[t] = setup->task[t].name;
    cs_heap_init(&c.ends, setup->tasks, arena);
    cs_heap_init(&c.begins, setup->tasks, arena);
    if (!cs_run_begin(&c.run, setup, dry->slots, arena, err)) {
        c.schedule =
            cs_schedule_create(cs_run_setup_problem(setup), dry->slots, setup->tasks, name);
        dry_work(&c);
    }
    if (cs_watch_settle(0, err)) {
        cs_schedule_destroy(c.schedule);
        c.schedule = NULL;
    }
    cs_run_release(&c.run);
    cs_arena_destroy(arena);
    return c.schedule;
}
