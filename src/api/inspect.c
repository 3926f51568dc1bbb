/* inspect.c - detect the content of a file, by its beginning and then by its reader, and the
 * commands that take it. */
#include "api/document.h"
#include "base/arena.h"
#include "base/file.h"
#include "base/guard.h"
#include "base/json.h"
#include "base/jsonw.h"
#include "base/number.h"
#include "base/plain.h"
#include "base/source.h"
#include "io/availability.h"
#include "io/faults.h"
#include "io/graph_list.h"
#include "io/hosts.h"
#include "io/joblist.h"
#include "io/log.h"
#include "io/platform_xml.h"
#include "io/schedule_json.h"
#include "io/site_file.h"
#include "io/workload.h"
#include "model/modes.h"
#include "model/schedule.h"
#include "report/human.h"
#include "run/history.h"

#include <cosched/convert.h>
#include <string.h>

#define FIGURES 6
#define USES 6
#define NUMBERS_MOST 8 /* in a line of a table; lines of logs have more */

/* A schedule with more bytes is detected by its beginning. */
#define LONG_SCHEDULE ((size_t)4 << 20)
#define LEAST_SCHEDULE ((size_t)256 << 10) /* of a file that may unpack to that */

/* A command that takes such a file, as its operand or by an option. */
struct use {
    const char *command, *option;
};

struct kind {
    const char *name;
    struct use use[USES]; /* the most likely first; ends with a NULL command */
};

static const struct kind job_log = {
    "job log", {{"replay", NULL}, {"simulate rigid", NULL}, {"convert", NULL}}};
static const struct kind timed_log = {"job log, with timings",
                                      {{"replay", NULL},
                                       {"simulate rigid", NULL},
                                       {"convert", NULL},
                                       {"plan moldable", NULL},
                                       {"fit", NULL}}};
static const struct kind job_list = {"list of jobs", {{"simulate rigid", NULL}, {"run", NULL}}};
static const struct kind sample = {"list of jobs", {{"simulate rigid", NULL}}};
static const struct kind timings = {"workload",
                                    {{"plan moldable", NULL},
                                     {"plan pack", NULL},
                                     {"simulate moldable", NULL},
                                     {"simulate malleable", NULL}}};
static const struct kind measured = {"workload",
                                     {{"plan moldable", NULL},
                                      {"plan pack", NULL},
                                      {"simulate moldable", NULL},
                                      {"simulate malleable", NULL},
                                      {"fit", NULL}}};
static const struct kind savings = {
    "workload with checkpoints",
    {{"simulate malleable", NULL}, {"plan moldable", NULL}, {"plan pack", NULL}}};
static const struct kind graphs = {"task graph", {{"plan ptg", NULL}}};
static const struct kind platform = {"platform", {{"plan ptg", "platform"}}};
static const struct kind hosts = {"hosts and an application", {{"simulate volatile", NULL}}};
static const struct kind traces = {
    "trace of hosts",
    {{"simulate volatile", "trace"}, {"simulate spot", NULL}, {"fit availability", NULL}}};
static const struct kind failures = {"list of failures", {{"simulate malleable", "faults"}}};
static const struct kind machine = {"machine", {{"replay", "machine"}}};
static const struct kind schedule = {
    "schedule", {{"report", NULL}, {"check", NULL}, {"plot", NULL}, {"convert", NULL}}};
static const struct kind plan = {
    "schedule",
    {{"report", NULL}, {"check", NULL}, {"plot", NULL}, {"convert", NULL}, {"run", NULL}}};
static const struct kind played = {"replay", {{"report", NULL}, {"plot", NULL}}};
static const struct kind run_file = {"run file", {{"run", NULL}}};
static const struct kind sweep = {"sweep", {{"campaign run", NULL}}};
static const struct kind run = {"run",
                                {{"run status", NULL},
                                 {"run schedule", NULL},
                                 {"report", NULL},
                                 {"check", NULL},
                                 {"plot", NULL}}};
static const struct kind run_now = {"run",
                                    {{"run status", NULL},
                                     {"run stop", NULL},
                                     {"run schedule", NULL},
                                     {"report", NULL},
                                     {"check", NULL}}};

struct inspection {
    const char *name;            /* for messages */
    const char *path;            /* of it; NULL: standard input */
    const struct cs_strbuf *all; /* the file, unpacked */
    const char *line;            /* its first line that is not blank and no comment */
    const struct kind *kind;
    const char *form;
    int figures;
    struct {
        const char *of;
        int64_t count;
    } figure[FIGURES];
    const char *state; /* of a run, or what was not read; or NULL */
};

static int what_found(struct inspection *l, const struct kind *kind, const char *form)
{
    l->kind = kind;
    l->form = form;
    return 0;
}

static void what_count(struct inspection *l, int64_t number, const char *of)
{
    l->figure[l->figures].of = of;
    l->figure[l->figures++].count = number;
}

static const struct cs_workload_options usual = {.size = sizeof(struct cs_workload_options),
                                                 .fill = CS_FILL_POWER,
                                                 .fewer = CS_FEWER_REFUSE,
                                                 .times = CS_TIMES_MIN,
                                                 .modes = true};

/* ---- the readers ---- */

/* The output of sacct holds timings too if it has names and counts. */
static bool log_has_timings(const struct inspection *l)
{
    const char *kind = cs_workload_kind(l->name, l->all->text, l->all->length);
    struct cs_error ignored = {0};
    struct cs_workload *workload =
        kind && !strcmp(kind, "sacct")
            ? cs_workload_read_memory(l->name, l->all->text, l->all->length, &usual, &ignored)
            : NULL;

    cs_workload_destroy(workload);
    return workload != NULL;
}

/* Jobs are counted; their run times do not matter. */
static int inspect_log(struct inspection *l, struct cs_error *err)
{
    const struct cs_log_options options = {.speed = 1e9};
    struct cs_log *log = cs_log_open_memory(l->name, l->all->text, l->all->length, &options, err);
    struct cs_log_job job;
    int status = -1;

    while (log && (status = cs_log_next(log, &job, err)) > 0)
        cs_log_done(log, &job);
    if (!status) {
        what_found(l, log_has_timings(l) ? &timed_log : &job_log,
                   cs_log_kind_name(cs_log_kind(log, 0)));
        what_count(l, cs_log_counts(log)->kept, "job");
        if (cs_log_machine(log))
            what_count(l, cs_log_machine(log), "processor");
    }
    cs_log_close(log);
    return status;
}

static int took_list(struct inspection *l, struct cs_joblist *list, const struct kind *kind,
                     const char *form)
{
    if (!list)
        return -1;
    what_found(l, kind, form);
    what_count(l, list->count, "job");
    if (list->machine)
        what_count(l, list->machine, "processor");
    cs_joblist_destroy(list);
    return 0;
}

static int inspect_sample(struct inspection *l, struct cs_error *err)
{
    return took_list(l, cs_joblist_read_sample_memory(l->name, l->all->text, l->all->length, err),
                     &sample, "sample");
}

static bool has_count(const struct cs_workload *workload, int tasks, int procs)
{
    for (int i = 0; i < tasks; i++) {
        const struct cs_profile *p = &workload->profile[i];

        for (int c = 0; p->kind == CS_PROFILE_POINTS && c < p->count; c++)
            if (p->procs[c] == procs)
                return true;
    }
    return false;
}

/* Measured runs, different counts, and whether there is a choice between counts. */
static void what_count_runs(struct inspection *l, const struct cs_workload *workload)
{
    int64_t runs = 0, counts = 0;
    bool choice = false;

    for (int i = 0; i < workload->count; i++) {
        const struct cs_profile *p = &workload->profile[i];

        if (p->kind != CS_PROFILE_POINTS)
            return;
        choice |= p->count > 1;
        for (int c = 0; c < p->count; c++) {
            runs += p->runs ? p->runs[c] : 1;
            counts += !has_count(workload, i, p->procs[c]);
        }
    }
    what_count(l, runs, "run");
    what_count(l, counts, "count");
    if (!choice && !l->state)
        l->state = "one count for each: plan moldable needs a second to choose from";
}

static int took_workload(struct inspection *l, struct cs_workload *workload, const char *form)
{
    if (!workload)
        return -1;
    what_found(l,
               workload->checkpoint                                                 ? &savings
               : workload->profile[0].kind == CS_PROFILE_POINTS && !workload->modes ? &measured
                                                                                    : &timings,
               form);
    what_count(l, workload->count, "task");
    if (workload->modes) {
        what_count(l, workload->modes->first[workload->count], "mode");
        what_count(l, workload->modes->before_first[workload->count], "predecessor");
    } else
        what_count_runs(l, workload);
    if (workload->procs)
        what_count(l, workload->procs, "processor");
    cs_workload_destroy(workload);
    return 0;
}

static int inspect_workload(struct inspection *l, const char *form, struct cs_error *err)
{
    return took_workload(
        l, cs_workload_read_memory(l->name, l->all->text, l->all->length, &usual, err), form);
}

/* A directory of timings. */
static int inspect_folder(struct inspection *l, const char *path, struct cs_arena *arena,
                          struct cs_error *err)
{
    struct cs_workload_options nodes = usual;
    struct cs_workload *workload;
    struct cs_error ignored = {0};
    const char *const *file;
    int files;

    if (cs_file_list(path, arena, &file, &files, err))
        return -1;
    nodes.unit = "node";
    workload = cs_workload_read(path, &usual, err);
    if (!workload && (workload = cs_workload_read(path, &nodes, &ignored)))
        l->state = "with --count-unit node";
    if (took_workload(l, workload, "directory"))
        return -1;
    what_count(l, files, "file");
    return 0;
}

/* Tables of jobs and of measured tasks may have the same columns; a job is listed once. */
static int inspect_table(struct inspection *l, struct cs_error *err)
{
    struct cs_error ignored = {0};

    if (!took_list(l, cs_joblist_read_csv_memory(l->name, l->all->text, l->all->length, &ignored),
                   &job_list, "CSV"))
        return 0;
    return inspect_workload(l, "CSV", err);
}

static int inspect_graphs(struct inspection *l, const char *form, struct cs_error *err)
{
    struct cs_graph_list list = {0};
    int64_t tasks = 0, arcs = 0;
    int status = cs_graph_list_read_memory(&list, l->name, l->all, NULL, err);

    for (int g = 0; g < list.graphs; g++) {
        tasks += list.graph[g]->tasks;
        arcs += list.graph[g]->arcs;
    }
    if (!status) {
        what_found(l, &graphs, form);
        what_count(l, list.graphs, "graph");
        what_count(l, tasks, "task");
        what_count(l, arcs, "arc");
    }
    cs_graph_list_release(&list);
    return status;
}

static int inspect_platform(struct inspection *l, const char *form, struct cs_error *err)
{
    struct cs_platform *read = cs_platform_read_memory(l->name, l->all->text, l->all->length, err);

    if (!read)
        return -1;
    what_found(l, &platform, form);
    what_count(l, read->clusters, "cluster");
    what_count(l, read->procs, "processor");
    cs_platform_destroy(read);
    return 0;
}

static int inspect_hosts(struct inspection *l, struct cs_error *err)
{
    struct cs_hosts *read = cs_hosts_read_memory(l->name, l->all->text, l->all->length, err);

    if (!read)
        return -1;
    what_found(l, &hosts, "JSON");
    what_count(l, read->hosts, "host");
    what_count(l, read->tasks, "task");
    cs_hosts_destroy(read);
    return 0;
}

static int inspect_traces(struct inspection *l, struct cs_error *err)
{
    const struct cs_fleet_bytes bytes = {
        .name = l->name, .bytes = l->all->text, .size = l->all->length};
    struct cs_fleet *fleet = cs_fleet_read_memory(&bytes, NULL, err);

    if (!fleet)
        return -1;
    what_found(l, &traces, strchr(l->line, '\t') ? "event table" : "CSV");
    what_count(l, fleet->hosts, "host");
    cs_fleet_destroy(fleet);
    return 0;
}

static int inspect_failures(struct inspection *l, struct cs_error *err)
{
    struct cs_faults *faults = cs_faults_read_memory(l->name, l->all->text, l->all->length, 0, err);

    if (!faults)
        return -1;
    what_found(l, &failures, "CSV");
    what_count(l, (int64_t)faults->count, "failure");
    cs_faults_destroy(faults);
    return 0;
}

static int inspect_machine(struct inspection *l, const char *form, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    const struct cs_site_reading how = {.path = l->path};
    const struct cs_site_file *file =
        cs_site_file_read_memory(l->name, l->all->text, l->all->length, &how, arena, err);

    if (file) {
        what_found(l, &machine, form);
        what_count(l, file->site->partitions, "partition");
    }
    cs_arena_destroy(arena);
    return file ? 0 : -1;
}

/* Does every task have one bar? A schedule that moves or repeats tasks cannot be executed. */
static bool is_plan(const struct cs_schedule *read)
{
    const bool moves = !strcmp(cs_schedule_problem(read), "ptg");
    size_t count, works = 0;
    const struct cs_bar *bar = cs_schedule_bars(read, &count);

    for (size_t b = 0; b < count; b++)
        if (bar[b].kind == CS_BAR_WORK)
            works++;
        else if (bar[b].kind != CS_BAR_MOVE || !moves)
            return false;
    return works == (size_t)cs_schedule_tasks(read);
}

static int inspect_schedule(struct inspection *l, struct cs_error *err)
{
    struct cs_schedule_file *file =
        cs_schedule_file_read_memory(l->name, l->all->text, l->all->length, err);

    if (!file)
        return -1;
    what_found(l, is_plan(file->schedule) ? &plan : &schedule, "JSON");
    what_count(l, cs_schedule_tasks(file->schedule), "task");
    cs_schedule_file_destroy(file);
    return 0;
}

/* The number behind a key that begins a line of the beginning, as the tool writes it; -1: none. */
static int64_t head_count(const char *text, const char *key)
{
    const char *at = strstr(text, key);

    return at ? (int64_t)cs_number_prefix(at + strlen(key)) : -1;
}

/* The beginning of a long schedule, as the tool writes it: its keys come before jobs and bars. */
static bool head_is_schedule(const char *text)
{
    const char *at = text + strspn(text, " \t\r\n{");

    return cs_plain_begins(at, "\"format\": \"" CS_SCHEDULE_FORMAT "\"") &&
           head_count(text, "\n  \"procs\": ") > 0;
}

static void inspect_head(struct inspection *l, const char *text)
{
    what_found(l, &schedule, "JSON");
    what_count(l, head_count(text, "\n  \"procs\": "), "processor");
    l->state = "only its beginning was read";
}

/* Read the journal of the run; `run stop` takes a run whose executor is alive. */
static int inspect_run(struct inspection *l, struct cs_error *err)
{
    struct cs_run_history *history = cs_run_history_read(l->name, err);

    if (!history)
        return -1;
    what_found(l, history->alive ? &run_now : &run, "folder");
    what_count(l, history->setup.tasks, "task");
    what_count(l, history->slots, "slot");
    l->state = cs_run_history_state(history);
    cs_run_history_destroy(history);
    return 0;
}

/* ---- detection ---- */

static bool has_format(const struct cs_json_at *root, const char *wanted)
{
    const char *format = json_string_value(json_object_get(root->value, "format"));

    return format && !strcmp(format, wanted);
}

static bool what_has(const struct cs_json_at *root, const char *key)
{
    return json_object_get(root->value, key) != NULL;
}

static int inspect_document(struct inspection *l, const struct cs_json_at *root,
                            struct cs_error *err)
{
    if (has_format(root, CS_SCHEDULE_FORMAT))
        return inspect_schedule(l, err);
    if (has_format(root, CS_WORKLOAD_FORMAT))
        return inspect_workload(l, "JSON", err);
    if (has_format(root, "cosched-volatile-1"))
        return inspect_hosts(l, err);
    if (has_format(root, "cosched-machine-1"))
        return inspect_machine(l, "JSON", err);
    if (has_format(root, "cosched-replay-1"))
        return what_found(l, &played, "JSON");
    if (has_format(root, "cosched-run-1"))
        return what_found(l, &run_file, "JSON");
    if (what_has(root, "workflow"))
        return inspect_graphs(l, "WfCommons", err);
    if (what_has(root, "graphs") || what_has(root, "arcs"))
        return inspect_graphs(l, "JSON", err);
    if (what_has(root, "clusters"))
        return inspect_platform(l, "JSON", err);
    if (what_has(root, "vary"))
        return what_found(l, &sweep, "JSON");
    if (what_has(root, "jobs") && what_has(root, "profiles"))
        return inspect_log(l, err);
    return cs_error_set(err,
                        "%s: unknown JSON format: it has neither a \"format\" "
                        "of cosched nor the keys of WfCommons (workflow), Batsim (jobs, profiles), "
                        "a platform (clusters) or a sweep (vary)",
                        l->name);
}

static int inspect_json(struct inspection *l, struct cs_error *err)
{
    json_t *document = cs_json_load_memory(l->name, l->all->text, l->all->length, err);
    struct cs_json_at root = cs_json_root(l->name, document);
    CS_JSON_HOLD(document);

    return document ? inspect_document(l, &root, err) : -1;
}

static int inspect_xml(struct inspection *l, struct cs_error *err)
{
    return strstr(l->all->text, "<platform") ? inspect_platform(l, "SimGrid", err)
                                             : inspect_graphs(l, "DAX", err);
}

static bool begins_dot(const char *line)
{
    return cs_plain_begins(line, "//") || cs_plain_begins(line, "/*") ||
           cs_plain_begins(line, "digraph") || cs_plain_begins(line, "graph") ||
           cs_plain_begins(line, "strict ");
}

/* The archive's tables of events, and times with "add" or "remove". */
static bool begins_trace(const char *line)
{
    return strchr(line, '\t') || strstr(line, ",add,") || strstr(line, ",remove,");
}

static bool is_of_scontrol(const char *line)
{
    return cs_plain_begins(line, "Configuration data as of") ||
           (cs_plain_begins(line, "NodeName=") && strstr(line, " Arch=")) ||
           (cs_plain_begins(line, "PartitionName=") && !strchr(line, ' ')) ||
           strstr(line, " AllowGroups=");
}

static int inspect_by_line(struct inspection *l, struct cs_error *err)
{
    if (begins_dot(l->line))
        return inspect_graphs(l, "DOT", err);
    if (cs_plain_begins(l->line, "NODE") && !strpbrk(l->line, ",;|\t"))
        return inspect_graphs(l, "daggen", err);
    if (strchr("0123456789.", *l->line) && cs_joblist_begins_sample(l->line))
        return inspect_sample(l, err);
    if (cs_log_begins(l->line) || strchr(l->line, '|') || cs_plain_begins(l->line, "JobID"))
        return inspect_log(l, err);
    if (cs_plain_begins(l->line, "time,processor"))
        return inspect_failures(l, err);
    if (begins_trace(l->line))
        return inspect_traces(l, err);
    if (strpbrk(l->line, ",;"))
        return inspect_table(l, err);
    if (is_of_scontrol(l->line))
        return inspect_machine(l, "scontrol", err);
    if (strchr(l->line, '=') || cs_plain_begins(l->line, "Include "))
        return inspect_machine(l, "slurm.conf", err);
    return cs_error_set(err,
                        "%s: unknown format: expected a table of timings "
                        "(CSV, with the columns app, procs, seconds), a job log (SWF, sacct -P, "
                        "PBS, ...), a task graph (DOT, WfCommons, ...) or a JSON file of cosched",
                        l->name);
}

/* Names separated by tabs, or a few numbers: a table that lacks columns of timings. */
static bool looks_like_table(const char *line)
{
    const bool numbers = strspn(line, "0123456789. \t") == strlen(line);
    int fields = 0;

    for (const char *at = line; *at; at += strspn(at, " \t")) {
        fields++;
        at += strcspn(at, " \t");
    }
    return numbers ? fields < NUMBERS_MOST
                   : strchr(line, '\t') && cs_plain_is_word(*line) && !strchr("0123456789", *line);
}

static int inspect_lines(struct inspection *l, struct cs_error *err)
{
    struct cs_error why = {0};

    if (!inspect_by_line(l, &why))
        return 0;
    return looks_like_table(l->line) ? inspect_workload(l, "table", err) : cs_error_pass(err, &why);
}

static int inspect_inside(struct inspection *l, struct cs_error *err)
{
    const char *kind = cs_workload_kind(l->name, l->all->text ? l->all->text : "", l->all->length);

    if (*l->line == '\0')
        return cs_error_set(err, "%s: the file is empty", l->name);
    if (kind && (strcmp(kind, "sacct") != 0 || !strstr(l->line, "Submit")))
        return inspect_workload(l, kind, err);
    if (*l->line == '{' || *l->line == '[')
        return inspect_json(l, err);
    return *l->line == '<' ? inspect_xml(l, err) : inspect_lines(l, err);
}

/* The first line that is neither blank nor a comment, or "". */
static const char *first_line(const char *text, struct cs_arena *arena)
{
    const char *at = cs_plain_begins(text, "\xef\xbb\xbf") ? text + 3 : text;

    for (;;) {
        const size_t blank = strspn(at, " \t\r\n"), length = strcspn(at + blank, "\r\n");

        at += blank;
        if (*at != '#' || strstr(at, "event_type") == at + 1)
            return cs_arena_strndup(arena, at, length);
        at += length;
    }
}

/* ---- the result ---- */

static void what_put_words(const struct inspection *l, struct cs_strbuf *out)
{
    cs_strbuf_printf(out, "%s (%s)", l->kind->name, l->form);
    for (int f = 0; f < l->figures; f++) {
        cs_strbuf_puts(out, ", ");
        cs_human_units(out, l->figure[f].count, l->figure[f].of);
    }
    if (l->state)
        cs_strbuf_printf(out, ", %s", l->state);
}

static void put_uses(const struct kind *kind, struct cs_jsonw *w)
{
    cs_jsonw_key(w, "commands");
    cs_jsonw_open(w, '[');
    for (const struct use *use = kind->use; use->command; use++) {
        cs_jsonw_open_flat(w, '{');
        cs_jsonw_put_string(w, "command", use->command);
        cs_jsonw_put_string(w, "option", use->option);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

static void put_answer(const struct inspection *l, struct cs_strbuf *out)
{
    struct cs_strbuf words = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(out);

    what_put_words(l, &words);
    cs_jsonw_open(&w, '{');
    cs_jsonw_put_string(&w, "file", l->name);
    cs_jsonw_put_string(&w, "kind", l->kind->name);
    cs_jsonw_put_string(&w, "form", l->form);
    cs_jsonw_put_string(&w, "words", words.text);
    put_uses(l->kind, &w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    cs_strbuf_release(&words);
}

static int inspect_file(struct inspection *l, const char *path, struct cs_strbuf *all,
                        struct cs_arena *arena, struct cs_error *err)
{
    l->path = strcmp(path, "-") ? path : NULL;
    if (l->path && cs_file_read_start(path, LEAST_SCHEDULE, LONG_SCHEDULE, all) &&
        all->length == LONG_SCHEDULE && head_is_schedule(all->text)) {
        inspect_head(l, all->text);
        return 0;
    }
    cs_strbuf_clear(all);
    if (cs_file_read(path, CS_FILE_LARGEST, all, err))
        return -1;
    l->all = all;
    l->line = first_line(all->text ? all->text : "", arena);
    return inspect_inside(l, err);
}

char *cs_what(const char *path, size_t *length, struct cs_error *err)
{
    CS_ASK(path, err, NULL);
    CS_GUARD(err, NULL);
    struct cs_arena *arena = cs_arena_create();
    struct cs_strbuf all = CS_STRBUF_INIT, out = CS_STRBUF_INIT;
    struct inspection inspection = {.name = cs_source_name(path)};
    int failed = cs_run_seems(path)        ? inspect_run(&inspection, err)
                 : cs_file_is_folder(path) ? inspect_folder(&inspection, path, arena, err)
                                           : inspect_file(&inspection, path, &all, arena, err);

    if (!failed)
        put_answer(&inspection, &out);
    cs_strbuf_release(&all);
    cs_arena_destroy(arena);
    return cs_document_take(&out, failed, length);
}
