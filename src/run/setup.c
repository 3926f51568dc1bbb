/* setup.c - a run file and its input, put together. */
#include "run/setup.h"
#include "base/csv.h"
#include "base/number.h"
#include "base/plain.h"
#include "io/joblist.h"
#include "io/names.h"
#include "io/schedule_json.h"
#include "io/workload.h"
#include "model/extpol.h"
#include "run/decider.h"

#include <limits.h>
#include <math.h>
#include <regex.h>
#include <signal.h>
#include <string.h>

/* the key "checkpoint" of the settings of tasks. */

#define GRACE 60.0 /* default time for a save (seconds) */

static const char checkpoint_keys[] = "stop|save|saved|restart|progress|done|every|grace|stall";

static const struct {
    const char *name;
    int number;
} signals[] = {
    {"TERM", SIGTERM}, {"INT", SIGINT},   {"HUP", SIGHUP}, {"QUIT", SIGQUIT},   {"USR1", SIGUSR1},
    {"USR2", SIGUSR2}, {"ALRM", SIGALRM}, {"URG", SIGURG}, {"WINCH", SIGWINCH}, {"XCPU", SIGXCPU},
};

static int read_signal(const struct cs_json_at *at, struct cs_arena *arena, struct cs_run_ask *ask,
                       struct cs_error *err)
{
    const char *name, *plain;

    if (cs_json_get_string(at, "signal", &name, err) ||
        cs_run_read_text(at, "to", arena, &ask->to, err))
        return -1;
    plain = strncmp(name, "SIG", 3) ? name : name + 3;
    for (size_t k = 0; k < sizeof signals / sizeof *signals; k++)
        if (!strcmp(signals[k].name, plain))
            ask->signal = signals[k].number;
    if (ask->to && (!*ask->to || strlen(ask->to) > 15))
        return cs_json_error(at, err,
                             "to: found \"%.60s\"; the name of a process as ps -o comm shows it, "
                             "at most 15 letters, is expected",
                             ask->to);
    return ask->signal ? 0
                       : cs_json_error(at, err,
                                       "signal: found \"%.60s\", expected \"TERM\", \"INT\", "
                                       "\"HUP\", \"QUIT\", \"USR1\", \"USR2\", \"ALRM\", \"URG\", "
                                       "\"WINCH\" or \"XCPU\"",
                                       name);
}

/* {"signal": S, "to": PROGRAM}, {"file": PATH, "text": T} or {"command": [argv]}. */
static int read_ask(const struct cs_json_at *above, const char *key, struct cs_arena *arena,
                    struct cs_run_ask *ask, struct cs_error *err)
{
    struct cs_json_at at;

    if (!cs_json_has(above, key))
        return 0;
    *ask = (struct cs_run_ask){0};
    if (cs_json_member(above, key, &at, err) ||
        cs_json_keys(&at, "signal|to|file|text|command", err))
        return -1;
    if (cs_json_has(&at, "signal") + cs_json_has(&at, "file") + cs_json_has(&at, "command") != 1)
        return cs_json_error(&at, err, "one of \"signal\", \"file\" and \"command\" is expected");
    if ((cs_json_has(&at, "to") && !cs_json_has(&at, "signal")) ||
        (cs_json_has(&at, "text") && !cs_json_has(&at, "file")))
        return cs_json_error(&at, err, "\"to\" belongs to \"signal\", \"text\" to \"file\"");
    if (cs_json_has(&at, "signal"))
        return read_signal(&at, arena, ask, err);
    ask->text = "";
    return cs_run_read_text(&at, "file", arena, &ask->file, err) ||
                   cs_run_read_text(&at, "text", arena, &ask->text, err) ||
                   cs_run_read_texts(&at, "command", 1, arena, &ask->command, err)
               ? -1
               : 0;
}

/* A path, or a list of paths. */
static int read_saved(const struct cs_json_at *at, struct cs_arena *arena,
                      struct cs_run_texts *saved, struct cs_error *err)
{
    const char **one = CS_NEW(arena, const char *);

    if (!cs_json_has(at, "saved"))
        return 0;
    if (json_is_array(json_object_get(at->value, "saved")))
        return cs_run_read_texts(at, "saved", 1, arena, saved, err);
    *saved = (struct cs_run_texts){1, one};
    return cs_run_read_text(at, "saved", arena, one, err);
}

static int check_expression(const struct cs_json_at *at, const char *text, struct cs_error *err)
{
    regex_t compiled;
    char why[128];
    int code = regcomp(&compiled, text, REG_EXTENDED | REG_NEWLINE);
    size_t groups = compiled.re_nsub;

    if (code) {
        regerror(code, &compiled, why, sizeof why);
        return cs_json_error(at, err, "last: \"%.60s\" is no regular expression: %s", text, why);
    }
    regfree(&compiled);
    return groups ? 0
                  : cs_json_error(at, err, "last: \"%.60s\" has no group (...) around the number",
                                  text);
}

/* A path, or {"file": PATH, "last": REGEX, "of": N}. */
static int read_progress(const struct cs_json_at *above, struct cs_arena *arena,
                         struct cs_run_checkpoint *c, struct cs_error *err)
{
    struct cs_json_at at;

    if (!cs_json_has(above, "progress"))
        return 0;
    c->last = NULL;
    if (!json_is_object(json_object_get(above->value, "progress")))
        return cs_run_read_text(above, "progress", arena, &c->progress, err);
    if (cs_json_member(above, "progress", &at, err) || cs_json_keys(&at, "file|last|of", err))
        return -1;
    if (!cs_json_has(&at, "file") || !cs_json_has(&at, "last"))
        return cs_json_error(&at, err,
                             "\"file\", \"last\" (a regular expression) and \"of\" are expected");
    if (cs_run_read_text(&at, "file", arena, &c->progress, err) ||
        cs_run_read_text(&at, "last", arena, &c->last, err) ||
        cs_json_get_double(&at, "of", CS_NUMBER_POSITIVE, &c->of, err))
        return -1;
    return check_expression(&at, c->last, err);
}

/* {"file": PATH} or {"status": N}. */
static int read_done(const struct cs_json_at *above, struct cs_arena *arena,
                     struct cs_run_checkpoint *c, struct cs_error *err)
{
    struct cs_json_at at;

    if (!cs_json_has(above, "done"))
        return 0;
    c->done = NULL;
    c->done_status = -1;
    if (cs_json_member(above, "done", &at, err) || cs_json_keys(&at, "file|status", err))
        return -1;
    if (cs_json_has(&at, "file") == cs_json_has(&at, "status"))
        return cs_json_error(&at, err, "either \"file\" or \"status\" is expected");
    if (cs_json_has(&at, "status"))
        return cs_json_get_int(&at, "status", 0, 255, &c->done_status, err);
    return cs_run_read_text(&at, "file", arena, &c->done, err);
}

static int read_every(const struct cs_json_at *at, struct cs_run_checkpoint *c,
                      struct cs_error *err)
{
    const json_t *value = json_object_get(at->value, "every");

    if (!value)
        return 0;
    c->young = json_is_string(value);
    if (!c->young)
        return cs_json_get_double(at, "every", CS_NUMBER_POSITIVE, &c->every, err);
    return strcmp(json_string_value(value), "young")
               ? cs_json_error(at, err, "every: found \"%.60s\", expected seconds or \"young\"",
                               json_string_value(value))
               : 0;
}

static int setup_check(const struct cs_json_at *at, const struct cs_run_checkpoint *c,
                       struct cs_error *err)
{
    const struct cs_run_ask *save = &c->save;

    if (!cs_run_ask_is_there(&c->stop))
        return cs_json_error(at, err, "\"stop\" is missing: the signal or command to save and end");
    if (!c->progress && !c->done && c->done_status < 0)
        return cs_json_error(at, err,
                             "\"done\" or \"progress\" is needed to distinguish a finished "
                             "attempt from a stopped one");
    if ((c->every > 0 || c->young) && !cs_run_ask_is_there(save))
        return cs_json_error(at, err,
                             "\"every\" needs \"save\": the signal or command to save and "
                             "continue");
    if (save->signal && !save->to && save->signal != SIGUSR1 && save->signal != SIGUSR2)
        return cs_json_error(at, err,
                             "save: a signal other than USR1 and USR2 needs \"to\": the name of "
                             "the processes that get it");
    return 0;
}

int cs_run_checkpoint_read(const struct cs_json_at *at, struct cs_arena *arena,
                           struct cs_run_checkpoint *c, struct cs_error *err)
{
    if (cs_json_keys(at, checkpoint_keys, err) || read_ask(at, "stop", arena, &c->stop, err) ||
        read_ask(at, "save", arena, &c->save, err) || read_saved(at, arena, &c->saved, err) ||
        cs_run_read_texts(at, "restart", 0, arena, &c->restart, err) ||
        read_progress(at, arena, c, err) || read_done(at, arena, c, err) ||
        read_every(at, c, err) || cs_run_read_seconds(at, "grace", &c->grace, err) ||
        cs_run_read_seconds(at, "stall", &c->stall, err))
        return -1;
    if (!cs_json_has(at, "grace") && !(c->grace > 0))
        c->grace = GRACE;
    return setup_check(at, c, err);
}

#define MTBF (100 * 365 * 86400.0) /* of a slot (seconds; default) */

static const char keys[] =
    "format|note|decide|input|policy|priority|barrier|engine|slots|task|tasks|"
    "halt|on_end|on_failure|rules|mtbf|pairs|paths|strict";
static const char slot_keys[] = "count|cpus|cpus_per_slot|threads|pin|oversubscribe|unit|rate";

struct reading {
    struct cs_run_setup *setup;
    struct cs_arena *arena;
    struct cs_names *names;
    struct cs_run_task *task;
    struct cs_run_settings *settings; /* of every task */
    struct cs_error *err;
};

static int read_word(const struct cs_json_at *root, const char *key, const char *fallback,
                     struct cs_arena *arena, const char **out, struct cs_error *err)
{
    const char *text = fallback;

    if (cs_json_has(root, key) && cs_json_get_string(root, key, &text, err))
        return -1;
    *out = cs_arena_strdup(arena, text);
    return 0;
}

static int read_flag(const struct cs_json_at *at, const char *key, bool *out, struct cs_error *err)
{
    return cs_json_has(at, key) ? cs_json_get_bool(at, key, out, err) : 0;
}

static int read_slots(struct reading *r, const struct cs_json_at *root)
{
    struct cs_run_wanted *w = &r->setup->wanted;
    const char *unit = "node";
    struct cs_json_at at;

    *w = (struct cs_run_wanted){.cpus_per_slot = 1, .pin = true, .rate = 20};
    if (!cs_json_has(root, "slots"))
        return 0;
    if (cs_json_member(root, "slots", &at, r->err) || cs_json_keys(&at, slot_keys, r->err) ||
        (cs_json_has(&at, "count") &&
         cs_json_get_int(&at, "count", 1, 10000000, &w->count, r->err)) ||
        (cs_json_has(&at, "cpus_per_slot") &&
         cs_json_get_int(&at, "cpus_per_slot", 1, 100000, &w->cpus_per_slot, r->err)) ||
        (cs_json_has(&at, "rate") &&
         cs_json_get_double(&at, "rate", CS_NUMBER_POSITIVE, &w->rate, r->err)) ||
        (cs_json_has(&at, "cpus") && read_word(&at, "cpus", "", r->arena, &w->cpus, r->err)) ||
        read_flag(&at, "threads", &w->threads, r->err) || read_flag(&at, "pin", &w->pin, r->err) ||
        read_flag(&at, "oversubscribe", &w->oversubscribe, r->err) ||
        read_word(&at, "unit", unit, r->arena, &unit, r->err))
        return -1;
    w->by_cpu = !strcmp(unit, "cpu");
    if (!w->by_cpu && strcmp(unit, "node") != 0)
        return cs_json_error(&at, r->err, "unit: found \"%.60s\", expected \"node\" or \"cpu\"",
                             unit);
    return 0;
}

static int read_halt(struct reading *r, const struct cs_json_at *root)
{
    const char *when = "soon";
    struct cs_json_at at;

    if (!cs_json_has(root, "halt"))
        return 0;
    if (cs_json_member(root, "halt", &at, r->err) || cs_json_keys(&at, "failed|when", r->err) ||
        cs_json_get_int(&at, "failed", 1, INT_MAX, &r->setup->halt, r->err) ||
        (cs_json_has(&at, "when") && cs_json_get_string(&at, "when", &when, r->err)))
        return -1;
    if (strcmp(when, "soon") != 0 && strcmp(when, "now") != 0)
        return cs_json_error(&at, r->err, "when: found \"%.60s\", expected \"soon\" or \"now\"",
                             when);
    r->setup->halt_now = *when == 'n';
    return 0;
}

static int read_policy(struct reading *r, const struct cs_json_at *root, const char *key,
                       const struct cs_policy *const *list, int count, int *policy)
{
    struct cs_policy_call call;
    struct cs_json_at at;
    struct cs_error reported = {0};
    const char *name = NULL;

    if (!cs_json_has(root, key))
        return 0;
    if (cs_json_member(root, key, &at, r->err) || cs_json_string(&at, &name, r->err))
        return -1;
    if (cs_extpol_parse_without(name, list, count, &call, &reported))
        return cs_json_error(&at, r->err, "%s", reported.text);
    *policy = call.policy;
    return 0;
}

/* Seconds, or a text such as "10y". */
static int read_mtbf(struct reading *r, const struct cs_json_at *root)
{
    struct cs_json_at at;
    double *mtbf = &r->setup->mtbf;

    *mtbf = MTBF;
    if (!cs_json_has(root, "mtbf"))
        return 0;
    if (cs_json_member(root, "mtbf", &at, r->err))
        return -1;
    if (!json_is_string(at.value))
        return cs_json_double(&at, CS_NUMBER_POSITIVE, mtbf, r->err);
    if (!strcmp(json_string_value(at.value), "inf")) {
        *mtbf = INFINITY;
        return 0;
    }
    return cs_seconds_parse(json_string_value(at.value), mtbf) || !(*mtbf > 0)
               ? cs_json_error(&at, r->err,
                               "found \"%.60s\", expected seconds or a text such as \"10y\" or "
                               "\"inf\"",
                               json_string_value(at.value))
               : 0;
}

static int read_rules(struct reading *r, const struct cs_json_at *root)
{
    struct cs_run_setup *s = r->setup;
    const struct cs_policy *const *ends, *const *failures;
    const char *rules = "recommended";
    int end_count, failure_count;

    s->pairs = true;
    if (strcmp(s->decide, "resize") != 0)
        return 0;
    if (read_word(root, "rules", rules, r->arena, &rules, r->err) ||
        read_flag(root, "pairs", &s->pairs, r->err) || read_mtbf(r, root))
        return -1;
    if (strcmp(rules, "recommended") != 0 && strcmp(rules, "paper") != 0)
        return cs_json_error(
            root, r->err, "rules: found \"%.60s\", expected \"recommended\" or \"paper\"", rules);
    s->rules = *rules == 'p' ? cs_malleable_rules_paper() : cs_malleable_rules_recommended();
    ends = cs_malleable_end_policies(&end_count);
    failures = cs_malleable_failure_policies(&failure_count);
    return read_policy(r, root, "on_end", ends, end_count, &s->rules.on_end) ||
                   read_policy(r, root, "on_failure", failures, failure_count, &s->rules.on_failure)
               ? -1
               : 0;
}

static bool is_engine(const char *name)
{
    return !strcmp(name, "local") || !strcmp(name, "dry") || !strcmp(name, "slurm");
}

/* Keys of one decider are not valid for others. */
static int check_keys(const struct reading *r, const struct cs_json_at *root)
{
    static const struct {
        const char *decide, *what, *keys[6];
    } own[] = {
        {"queue", "jobs are queued", {"policy", "priority"}},
        {"follow", "a plan is followed", {"barrier"}},
        {"resize", "applications are resized", {"on_end", "on_failure", "rules", "mtbf", "pairs"}},
    };
    const int kinds = (int)(sizeof own / sizeof own[0]);
    int here = 0;

    while (here < kinds - 1 && strcmp(own[here].decide, r->setup->decide) != 0)
        here++;
    for (int d = 0; d < kinds; d++)
        for (int k = 0; d != here && own[d].keys[k]; k++)
            if (cs_json_has(root, own[d].keys[k]))
                return cs_json_error(root, r->err, "%s: means something only where %s; here %s",
                                     own[d].keys[k], own[d].what, own[here].what);
    return 0;
}

static int read_head(struct reading *r, const struct cs_json_at *root)
{
    struct cs_run_setup *s = r->setup;

    if (cs_json_keys(root, keys, r->err) ||
        read_word(root, "decide", "", r->arena, &s->decide, r->err) ||
        read_word(root, "policy", "easy", r->arena, &s->policy, r->err) ||
        read_word(root, "priority", "lpt", r->arena, &s->priority, r->err) ||
        read_word(root, "engine", "local", r->arena, &s->engine, r->err) ||
        read_flag(root, "barrier", &s->barrier, r->err) ||
        read_flag(root, "strict", &s->strict, r->err))
        return -1;
    if (!cs_run_decider_find(s->decide))
        return cs_json_error(root, r->err,
                             "decide: found \"%.60s\", expected \"follow\", \"queue\" or "
                             "\"resize\"",
                             s->decide);
    if (!is_engine(s->engine))
        return cs_json_error(root, r->err,
                             "engine: found \"%.60s\", expected \"local\", \"slurm\" or \"dry\"",
                             s->engine);
    return check_keys(r, root) || read_slots(r, root) || read_halt(r, root) || read_rules(r, root)
               ? -1
               : 0;
}

static bool is_column_word(const char *name)
{
    static const char taken[] =
        "|name|index|procs|processes|slots|nodes|hosts|hostfile|cpus|pack|attempt|try|seconds|dir|"
        "out|err|run|restart|saved|";
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    struct cs_strbuf barred = CS_STRBUF_INIT;
    bool fine = *name >= 'a' && *name <= 'z' && !name[strspn(name, letters)];

    cs_strbuf_printf(&barred, "|%s|", name);
    fine = fine && !strstr(taken, barred.text);
    cs_strbuf_release(&barred);
    return fine;
}

/* The columns of the input that are no words yet become words. */
static int read_columns(struct reading *r, struct cs_csv *csv)
{
    struct cs_run_setup *s = r->setup;
    int columns = cs_csv_columns(csv), row = 0, status;
    int *place = CS_NEW_ARRAY(r->arena, int, columns);
    const char **name = CS_NEW_ARRAY(r->arena, const char *, columns);
    const char ***cell = CS_NEW_ARRAY(r->arena, const char **, columns);

    for (int c = 0; c < columns; c++)
        if (is_column_word(cs_csv_column_name(csv, c))) {
            name[s->columns] = cs_arena_strdup(r->arena, cs_csv_column_name(csv, c));
            cell[s->columns] = CS_NEW_ARRAY(r->arena, const char *, s->tasks);
            place[s->columns++] = c;
        }
    for (; s->columns && (status = cs_csv_next(csv, r->err)) != 0 && row < s->tasks; row++) {
        if (status < 0)
            return -1;
        for (int c = 0; c < s->columns; c++)
            cell[c][row] = cs_arena_strdup(r->arena, cs_csv_text(csv, place[c]));
    }
    s->column = name;
    s->cell = (const char *const *const *)cell;
    return 0;
}

static void add_tasks(struct reading *r, int count)
{
    r->setup->tasks = count;
    r->task = CS_NEW_ARRAY(r->arena, struct cs_run_task, count);
    r->setup->task = r->task;
    r->names = cs_names_create(r->arena);
}

static void setup_add_task(struct reading *r, int task, const char *name, int procs,
                           double expected)
{
    cs_names_add(r->names, name);
    r->task[task] = (struct cs_run_task){
        .name = cs_arena_strdup(r->arena, name),
        .procs = procs,
        .expected = expected,
        .group = -1,
        .settings = r->settings,
    };
}

static int read_jobs(struct reading *r, const char *input, const void *bytes, size_t size)
{
    struct cs_joblist *list = cs_joblist_read_csv_memory(input, bytes, size, r->err);
    struct cs_csv *csv;
    double *seconds;
    int status, *procs;

    if (!list)
        return -1;
    add_tasks(r, list->count);
    seconds = CS_NEW_ARRAY(r->arena, double, list->count);
    procs = CS_NEW_ARRAY(r->arena, int, list->count);
    for (int t = 0; t < list->count; t++) {
        setup_add_task(r, t, list->name[t], list->procs[t], list->seconds[t]);
        seconds[t] = list->seconds[t];
        procs[t] = list->procs[t];
    }
    r->setup->seconds = seconds;
    r->setup->procs = procs;
    r->setup->remark = cs_arena_strdup(r->arena, list->remark);
    cs_joblist_destroy(list);
    csv = cs_csv_open_memory(input, bytes, size, r->err);
    status = csv ? read_columns(r, csv) : -1;
    cs_csv_close(csv);
    return status;
}

/* A plan has tasks and places only; commands in it would turn data into programs. */
static int refuse_commands(struct reading *r, const char *input, const void *bytes, size_t size)
{
    static const char *const never[] = {"shell",        "launcher", "verify",
                                        "verify_shell", "task",     "env"};
    json_t *document = cs_json_load_memory(input, bytes, size, r->err);
    struct cs_json_at root = cs_json_root(input, document);
    CS_JSON_HOLD(document);
    const json_t *command;
    int status = 0;

    if (!document)
        return -1;
    command = json_object_get(document, "command");
    if (command && !json_is_string(command) && !json_is_null(command))
        status = cs_json_error(&root, r->err,
                               "\"command\" is not the line that made the plan; "
                               "commands come from a run file or the command line");
    for (size_t k = 0; !status && k < sizeof never / sizeof *never; k++)
        if (json_object_get(document, never[k]))
            status = cs_json_error(&root, r->err,
                                   "\"%s\" does not belong into a plan; it comes from "
                                   "a run file or the command line",
                                   never[k]);
    return status;
}

/* Each task has one bar of work. */
static int read_bars(struct reading *r, const char *input)
{
    const struct cs_schedule *schedule = r->setup->plan->schedule;
    const char *problem = cs_schedule_problem(schedule);
    const struct cs_bar *bar;
    size_t count;

    bar = cs_schedule_bars(schedule, &count);
    add_tasks(r, cs_schedule_tasks(schedule));
    for (int t = 0; t < r->setup->tasks; t++)
        setup_add_task(r, t, cs_schedule_task_name(schedule, t), 0, 0);
    for (size_t b = 0; b < count; b++) {
        struct cs_run_task *task = &r->task[bar[b].task];

        if (bar[b].kind == CS_BAR_MOVE && !strcmp(problem, "ptg"))
            continue;
        if (task->procs || bar[b].kind != CS_BAR_WORK)
            return cs_error_set(r->err,
                                "%s: task %s has several bars; a plan of \"%s\" in which tasks are "
                                "moved or run several times cannot be followed",
                                input, task->name, problem);
        for (int k = 0; k < bar[b].intervals; k++)
            task->procs += bar[b].procs[k].last - bar[b].procs[k].first + 1;
        task->expected = bar[b].end - bar[b].start;
        task->group = bar[b].group;
    }
    for (int t = 0; t < r->setup->tasks; t++)
        if (!r->task[t].procs)
            return cs_error_set(r->err, "%s: task %s has no bar: the plan has no start for it",
                                input, r->task[t].name);
    return 0;
}

/* The time limit of an attempt is its time on the fewest possible processors. */
static int read_workload(struct reading *r, const char *input, const void *bytes, size_t size)
{
    const struct cs_workload_options options = {.fill = CS_FILL_POWER, .fewer = CS_FEWER_REFUSE};
    struct cs_workload *w = cs_workload_read_memory(input, bytes, size, &options, r->err);

    r->setup->workload = w;
    if (!w)
        return -1;
    r->setup->remark = cs_arena_strdup(r->arena, w->remark);
    add_tasks(r, w->count);
    for (int t = 0; t < w->count; t++) {
        const struct cs_profile *p = &w->profile[t];
        int least = p->kind == CS_PROFILE_POINTS ? p->procs[0] : 1;

        if (r->setup->pairs)
            least += least % 2;
        while (!isfinite(cs_profile_time(p, least)) && least < p->count)
            least += r->setup->pairs ? 2 : 1;
        setup_add_task(r, t, w->name[t], least, cs_profile_time(p, least));
    }
    return 0;
}

static int read_plan(struct reading *r, const char *input, const void *bytes, size_t size)
{
    if (refuse_commands(r, input, bytes, size))
        return -1;
    r->setup->plan = cs_schedule_file_read_memory(input, bytes, size, r->err);
    if (!r->setup->plan)
        return -1;
    if (cs_schedule_need_numbers(r->setup->plan->schedule, r->err))
        return cs_error_prefix(r->err, "%s", input);
    return read_bars(r, input);
}

/* Settings of single tasks, over those of all. */
static int read_single(struct reading *r, const struct cs_json_at *root, const char *input)
{
    struct cs_json_at tasks, at;
    struct cs_run_settings *own;
    const char *name;
    json_t *value;

    if (!cs_json_has(root, "tasks"))
        return 0;
    if (cs_json_member(root, "tasks", &tasks, r->err) || cs_json_keys(&tasks, NULL, r->err))
        return -1;
    json_object_foreach(tasks.value, name, value)
    {
        int task = cs_names_find(r->names, name);

        at = (struct cs_json_at){.value = value, .above = &tasks, .key = name};
        if (task < 0)
            return cs_json_error(&at, r->err, "%s has no task of this name", input);
        own = CS_NEW(r->arena, struct cs_run_settings);
        *own = *r->settings;
        if (cs_run_settings_read(&at, r->arena, own, r->err))
            return -1;
        r->task[task].settings = own;
    }
    return 0;
}

/* A resizable task must be able to stop. */
static int check_checkpoints(const struct reading *r)
{
    for (int t = 0; !strcmp(r->setup->decide, "resize") && t < r->setup->tasks; t++)
        if (!r->task[t].settings->checkpoint)
            return cs_error_set(r->err,
                                "%s: task %s has no \"checkpoint\" (the signal or command to "
                                "save and end), so it cannot be resized",
                                r->setup->file, r->task[t].name);
    return 0;
}

static int check_commands(const struct reading *r)
{
    for (int t = 0; t < r->setup->tasks; t++)
        if (!r->task[t].settings->command.count)
            return cs_error_set(r->err,
                                "%s: no command is given for task %s: write it after --, or as "
                                "\"command\" of \"task\" in a run file",
                                r->setup->file, r->task[t].name);
    return 0;
}

static int setup_read_all(struct reading *r, const struct cs_json_at *root, const char *input,
                          const void *bytes, size_t size)
{
    struct cs_json_at task;

    if (read_head(r, root) || cs_run_read_paths(root, &r->settings->paths, r->err))
        return -1;
    if (cs_json_has(root, "task") && (cs_json_member(root, "task", &task, r->err) ||
                                      cs_run_settings_read(&task, r->arena, r->settings, r->err)))
        return -1;
    if (!strcmp(r->setup->decide, "queue")    ? read_jobs(r, input, bytes, size)
        : !strcmp(r->setup->decide, "follow") ? read_plan(r, input, bytes, size)
                                              : read_workload(r, input, bytes, size))
        return -1;
    if (r->setup->tasks == 0)
        return cs_error_set(r->err, "%s: there is nothing to run", input);
    return read_single(r, root, input) || check_commands(r) || check_checkpoints(r) ? -1 : 0;
}

int cs_run_setup_read(const struct cs_json_at *root, const char *folder, const char *input,
                      const void *bytes, size_t size, struct cs_arena *arena,
                      struct cs_run_setup *setup, struct cs_error *err)
{
    struct reading r = {.setup = setup, .arena = arena, .err = err};

    *setup = (struct cs_run_setup){
        .file = cs_arena_strdup(arena, root->key),
        .folder = cs_arena_strdup(arena, folder),
    };
    r.settings = CS_NEW(arena, struct cs_run_settings);
    *r.settings = (struct cs_run_settings){
        .grace = 10,
        .retries = 2,
        .max_corrupt = 100,
        .tasks_per_slot = 1,
        .cpus_per_task = 1,
    };
    if (!setup_read_all(&r, root, input, bytes, size))
        return 0;
    cs_run_setup_release(setup);
    return -1;
}

void cs_run_setup_release(struct cs_run_setup *setup)
{
    cs_schedule_file_destroy(setup->plan);
    cs_workload_destroy(setup->workload);
    setup->plan = NULL;
    setup->workload = NULL;
}

const char *cs_run_setup_problem(const struct cs_run_setup *setup)
{
    if (setup->plan)
        return cs_schedule_problem(setup->plan->schedule);
    return setup->workload ? "malleable" : "rigid";
}

const char *cs_run_setup_policy(const struct cs_run_setup *setup, struct cs_arena *arena)
{
    char names[200];
    int count;

    if (!setup->workload)
        return setup->plan ? setup->plan->policy : setup->policy;
    cs_plain_print(names, sizeof names, "%s, %s",
                   cs_malleable_end_policies(&count)[setup->rules.on_end]->name,
                   cs_malleable_failure_policies(&count)[setup->rules.on_failure]->name);
    return cs_arena_strdup(arena, names);
}

bool cs_run_setup_ends_by(const struct cs_run_setup *setup, int task, double now, double limit)
{
    const bool saves = setup->task[task].settings->checkpoint;

    return now + (saves ? 0 : setup->task[task].expected) <= limit;
}
