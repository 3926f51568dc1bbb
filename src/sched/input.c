/* input.c - logs and lists of jobs, detected from their first line. */
#include "sched/input.h"

#include "base/file.h"
#include "base/lines.h"
#include "base/plain.h"
#include "base/source.h"
#include "base/watch.h"
#include "io/joblist.h"
#include "io/names.h"
#include "problem/launch.h"
#include "sched/sets.h"

#include <cosched/watch.h>

#include <math.h>
#include <string.h>

enum kind { LOG, CSV, SAMPLE };

struct storage {
    struct cs_arena *arena;
    struct cs_joblog *log;
    struct cs_joblist *list;
};

struct reading {
    const char *name;
    const void *bytes;
    size_t size;
    const struct cs_sched_input_options *options;
    struct cs_arena *arena;
    struct cs_sched_input *input;
};

static bool input_contains(const char *line, const char *word)
{
    for (; *line; line++)
        if (cs_plain_begins(line, word))
            return true;
    return false;
}

/* A file that is not a list goes to the readers of logs, which detect its format. */
static enum kind kind_of_line(const char *line)
{
    if (strpbrk(line, "|;{") || input_contains(line, "COBALT_JOBID") ||
        input_contains(line, "submission_time"))
        return LOG;
    if (strchr(line, ','))
        return CSV;
    return cs_joblist_begins_sample(line) ? SAMPLE : LOG;
}

/* By the first line that is neither blank nor a comment. */
static int find_kind(const struct reading *r, enum kind *kind, struct cs_error *err)
{
    struct cs_lines *lines = cs_lines_open_memory(r->name, r->bytes, r->size);
    char *line;
    size_t length;
    int status;

    *kind = LOG;
    while ((status = cs_lines_next(lines, &line, &length, err)) > 0) {
        size_t blank = strspn(line, " \t");

        if (!line[blank] || line[blank] == '#')
            continue;
        *kind = strstr(r->name, ".swf") ? LOG : kind_of_line(line);
        break;
    }
    cs_lines_close(lines);
    return status < 0 ? -1 : 0;
}

static struct cs_sched_input_set log_set(const struct reading *r, const struct cs_sched_set *set,
                                         int sets)
{
    const struct cs_joblog *log = r->input->log;
    double v = r->options->verification;
    struct cs_names *names = cs_names_create(r->arena);
    const char **name = CS_NEW_ARRAY(r->arena, const char *, set->count);

    for (int j = 0; j < set->count; j++)
        name[j] = cs_names_add_id(names, log->job[set->job[j]].id, j, r->arena);
    return (struct cs_sched_input_set){
        .name = sets == 1 ? "" : cs_arena_strdup(r->arena, set->name),
        .jobs = cs_sched_set_jobs(log, set, isnan(v) ? 0 : v, r->arena),
        .job = name,
    };
}

/* Why all lines were left out: how many by which rule, and the first that is malformed. */
static int no_jobs(const struct reading *r, struct cs_error *err)
{
    const struct cs_log_counts *counts = &r->input->log->counts;
    struct cs_strbuf why = CS_STRBUF_INIT;

    for (int rule = 0; rule < CS_LOG_KEPT; rule++)
        if (rule != CS_LOG_MALFORMED && counts->rule[rule])
            cs_strbuf_printf(&why, "%s%lld %s", why.length ? ", " : ": ",
                             (long long)counts->rule[rule],
                             cs_log_rule_words((enum cs_log_rule)rule, counts->rule[rule]));
    if (counts->notes)
        cs_strbuf_printf(&why, "; %s", counts->note[0]);
    cs_error_set(err, "%s: no job of its %lld lines can be simulated%s", r->name,
                 (long long)counts->lines, why.length ? why.text : "");
    cs_strbuf_release(&why);
    return -1;
}

static int cut_log(const struct reading *r, struct cs_error *err)
{
    const struct cs_joblog *log = r->input->log;
    struct cs_sched_input *in = r->input;
    struct cs_sched_input_set *set;
    const struct cs_sched_set *cut;

    if (log->machine < 1)
        return cs_error_set(err, "%s: number of processors is missing; give --procs P", r->name);
    cut = r->options->by_day
              ? cs_sched_sets_by_day(log, 0, &in->sets, r->arena)
              : cs_sched_sets_by_count(log, r->options->by_count, &in->sets, r->arena);
    if (in->sets == 0)
        return no_jobs(r, err);
    set = CS_NEW_ARRAY(r->arena, struct cs_sched_input_set, in->sets);
    for (int s = 0; s < in->sets; s++)
        set[s] = log_set(r, &cut[s], in->sets);
    in->machine = log->machine;
    in->set = set;
    in->jobs = log->count;
    in->rate = NAN;
    return 0;
}

static int read_log(const struct reading *r, struct cs_error *err)
{
    const struct cs_joblog_options options = {r->options->procs, r->options->month};
    struct storage *storage = r->input->storage;

    storage->log = cs_joblog_read_memory(r->name, r->bytes, r->size, &options, err);
    r->input->log = storage->log;
    if (!storage->log)
        return -1;
    r->input->kind = cs_log_kind_name(storage->log->kind);
    return cut_log(r, err);
}

static int check_widths(const struct reading *r, const struct cs_joblist *list, int machine,
                        struct cs_error *err)
{
    if (machine < 1)
        return cs_error_set(err, "%s: number of processors is missing; give --procs P", r->name);
    for (int j = 0; j < list->count; j++)
        if (list->procs[j] > machine)
            return cs_error_set(err,
                                "%s: job \"%.60s\" wants %d processors, the machine has %d: it "
                                "could never run",
                                r->name, list->name[j], list->procs[j], machine);
    return 0;
}

/* To the watcher of this thread. */
static void warn_caller(const char *text)
{
    const struct cs_watch *watch = cs_watch_here();

    if (watch && watch->warn)
        cs_watch_each_line(text, watch->warn, watch->who);
}

static int input_read_list(const struct reading *r, enum kind kind, struct cs_error *err)
{
    struct storage *storage = r->input->storage;
    struct cs_sched_input_set *set = CS_NEW(r->arena, struct cs_sched_input_set);
    double v = r->options->verification;
    struct cs_joblist *list;
    int machine;

    if (r->options->by_day || r->options->by_count || r->options->month)
        return cs_error_set(err, "%s is a list of jobs, not a log: it cannot be cut by time",
                            r->name);
    list = (kind == CSV ? cs_joblist_read_csv_memory
                        : cs_joblist_read_sample_memory)(r->name, r->bytes, r->size, err);
    storage->list = list;
    machine = list && !r->options->procs ? list->machine : r->options->procs;
    if (!list || check_widths(r, list, machine, err))
        return -1;
    if (cs_launch_refuse_caveats(list->remark, r->options->strict, err))
        return -1;
    warn_caller(list->remark);
    *set = (struct cs_sched_input_set){
        .name = "",
        .jobs = {list->count, machine, isnan(v) ? list->verification : v, list->seconds,
                 list->procs},
        .job = list->name,
    };
    r->input->machine = machine;
    r->input->rate = list->rate;
    r->input->jobs = list->count;
    r->input->known = list->known;
    r->input->sets = 1;
    r->input->set = set;
    return 0;
}

static int input_read_all(const struct reading *r, struct cs_error *err)
{
    enum kind kind;

    if (find_kind(r, &kind, err))
        return -1;
    r->input->kind = kind == CSV ? "CSV" : "sample";
    if (kind == LOG ? read_log(r, err) : input_read_list(r, kind, err))
        return -1;
    for (int s = 0; s < r->input->sets; s++)
        if (cs_sched_jobs_check(&r->input->set[s].jobs, err))
            return cs_error_prefix(err, "%s", r->name);
    return 0;
}

/* `name` is for messages and kind. */
static struct cs_sched_input *read_bytes(const char *name, const void *bytes, size_t size,
                                         const struct cs_sched_input_options *options,
                                         struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_sched_input *input = CS_NEW(arena, struct cs_sched_input);
    struct storage *storage = CS_NEW(arena, struct storage);
    const struct reading r = {name, bytes, size, options, arena, input};

    storage->arena = arena;
    input->storage = storage;
    if (input_read_all(&r, err) == 0)
        return input;
    cs_sched_input_destroy(input);
    return NULL;
}

struct cs_sched_input *cs_sched_input_read(const char *path,
                                           const struct cs_sched_input_options *options,
                                           struct cs_error *err)
{
    struct cs_strbuf bytes = CS_STRBUF_INIT;
    struct cs_sched_input *input = NULL;

    if (!cs_file_read(path, CS_FILE_LARGEST, &bytes, err))
        input = read_bytes(cs_source_name(path), bytes.text, bytes.length, options, err);
    cs_strbuf_release(&bytes);
    return input;
}

void cs_sched_input_destroy(struct cs_sched_input *input)
{
    struct storage *storage = input ? input->storage : NULL;

    if (!storage)
        return;
    cs_joblog_destroy(storage->log);
    cs_joblist_destroy(storage->list);
    cs_arena_destroy(storage->arena);
}
