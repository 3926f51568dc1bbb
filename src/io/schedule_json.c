/* schedule_json.c - reading schedules and pack plans.
 *
 * The reader makes sure that a file can be understood: names are known, sets of processors are
 * sets, numbers are numbers. The checker tests their consistency. Unknown keys are ignored, since
 * every problem and command may add keys.
 */
#include "io/schedule_json.h"
#include "base/guard.h"
#include "base/json.h"
#include "base/plain.h"
#include "base/source.h"
#include "io/names.h"
#include "io/platform_json.h"
#include "io/schedule_keys.h"
#include "io/workload.h"
#include "model/energy.h"
#include "model/known.h"
#include "model/modes.h"
#include "model/procset.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The keys of a schedule that was watched, not made. */

static int read_word(const struct cs_json_at *at, const char *key, struct cs_arena *arena,
                     const char **out, struct cs_error *err)
{
    const char *text = "";

    if (cs_json_has(at, key) && cs_json_get_string(at, key, &text, err))
        return -1;
    *out = cs_arena_strdup(arena, text);
    return 0;
}

static int find_task(const struct cs_schedule *schedule, const char *name)
{
    for (int t = 0; t < cs_schedule_tasks(schedule); t++)
        if (!strcmp(cs_schedule_task_name(schedule, t), name))
            return t;
    return -1;
}

/* The tasks that a list names; is[task]. */
static int schedule_observed_read_names(const struct cs_json_at *observed, const char *key,
                                        const struct cs_schedule *schedule, bool *is,
                                        struct cs_error *err)
{
    struct cs_json_at list, one;
    const char *name;
    size_t count;
    int found;

    if (!cs_json_has(observed, key))
        return 0;
    if (cs_json_member(observed, key, &list, err) || cs_json_array(&list, &count, err))
        return -1;
    for (size_t k = 0; k < count; k++) {
        one = cs_json_element(&list, k);
        if (cs_json_string(&one, &name, err))
            return -1;
        found = find_task(schedule, name);
        if (found < 0)
            return cs_json_error(&one, err, "\"%.60s\" is not one of the tasks", name);
        is[found] = true;
    }
    return 0;
}

static int read_unfinished(const struct cs_json_at *observed, const struct cs_schedule *schedule,
                           struct cs_arena *arena, struct cs_schedule_observed *out,
                           struct cs_error *err)
{
    bool *is = CS_NEW_ARRAY(arena, bool, cs_schedule_tasks(schedule));
    bool *saves = CS_NEW_ARRAY(arena, bool, cs_schedule_tasks(schedule));
    int *task = CS_NEW_ARRAY(arena, int, cs_schedule_tasks(schedule));

    if (schedule_observed_read_names(observed, "failed", schedule, is, err) ||
        schedule_observed_read_names(observed, "saves", schedule, saves, err))
        return -1;
    for (int t = 0; t < cs_schedule_tasks(schedule); t++)
        if (is[t])
            task[out->unfinished++] = t;
    out->task = task;
    out->saves = saves;
    return 0;
}

static int read_planned(const struct cs_json_at *root, int tasks, struct cs_arena *arena,
                        struct cs_schedule_observed *out, struct cs_error *err)
{
    int *procs = CS_NEW_ARRAY(arena, int, tasks);
    struct cs_json_at list, one;
    size_t count;

    if (!cs_json_has(root, "planned"))
        return 0;
    if (cs_json_member(root, "planned", &list, err) || cs_json_array(&list, &count, err))
        return -1;
    if (count != (size_t)tasks)
        return cs_json_error(&list, err, "found %zu elements, expected %d, one for each task",
                             count, tasks);
    for (int t = 0; t < tasks; t++) {
        one = cs_json_element(&list, (size_t)t);
        if (!cs_json_has(&one, "procs"))
            return 0;
        if (cs_json_get_int(&one, "procs", 1, INT_MAX - 1, &procs[t], err))
            return -1;
    }
    out->procs = procs;
    return 0;
}

/* Bounds are of what a model allows. */
static int refuse_bounds(const struct cs_json_at *root, struct cs_error *err)
{
    static const char *const keys[] = {"lower_bound", "gap", "certificate"};

    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (cs_json_has(root, keys[k]))
            return cs_json_error(root, err,
                                 "\"%s\" cannot be combined with \"observed\": observed runs "
                                 "have no proof",
                                 keys[k]);
    return 0;
}

/* Keys observed and planned of an observed schedule: the tasks that did not succeed, and the
 * requested processors. NULL with err; lives in the arena. */
static const struct cs_schedule_observed *
schedule_json_get_observed(const struct cs_json_at *root, const struct cs_schedule *schedule,
                           int tasks, struct cs_arena *arena, struct cs_error *err)
{
    struct cs_schedule_observed *out = CS_NEW(arena, struct cs_schedule_observed);
    struct cs_json_at observed;

    if (cs_json_member(root, "observed", &observed, err) || cs_json_keys(&observed, NULL, err) ||
        read_word(&observed, "run", arena, &out->run, err) ||
        read_word(&observed, "began", arena, &out->began, err) ||
        read_word(&observed, "engine", arena, &out->engine, err) ||
        read_unfinished(&observed, schedule, arena, out, err) || refuse_bounds(root, err) ||
        read_planned(root, tasks, arena, out, err))
        return NULL;
    return out;
}

/* Writing schedules as JSON. */

void cs_schedule_json_put_head(struct cs_jsonw *w, const struct cs_schedule *schedule,
                               const char *policy)
{
    cs_jsonw_put_string(w, "format", CS_SCHEDULE_FORMAT);
    if (*cs_schedule_problem(schedule))
        cs_jsonw_put_string(w, "problem", cs_schedule_problem(schedule));
    if (policy)
        cs_jsonw_put_string(w, "policy", policy);
    cs_jsonw_put_int(w, "procs", cs_schedule_procs(schedule));
    if (cs_schedule_platform(schedule)) {
        cs_jsonw_key(w, "platform");
        cs_platform_json_put(w, cs_schedule_platform(schedule));
    }
    cs_jsonw_put_double(w, "makespan", cs_schedule_makespan(schedule));
}

void cs_schedule_json_put_inputs(struct cs_jsonw *w, int count,
                                 const struct cs_schedule_input *input)
{
    if (count == 0)
        return;
    cs_jsonw_key(w, "inputs");
    cs_jsonw_open(w, '[');
    for (int i = 0; i < count; i++) {
        cs_jsonw_open_flat(w, '{');
        cs_jsonw_put_string(w, "of", input[i].of);
        cs_jsonw_put_string(w, "file", input[i].file);
        if (*input[i].sha256)
            cs_jsonw_put_string(w, "sha256", input[i].sha256);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

/* Lines "NAME VALUE" of model/bars.h. */
static void put_uses(struct cs_jsonw *w, const char *uses)
{
    char name[64], value[400];
    const char *at = uses, *nodes = NULL;

    cs_jsonw_key(w, "uses");
    cs_jsonw_open_flat(w, '{');
    for (size_t length; *at; at += length + (at[length] == '\n')) {
        const size_t word = strcspn(at, " ");

        length = strcspn(at, "\n");
        cs_plain_print(name, sizeof name, "%.*s", (int)word, at);
        cs_plain_print(value, sizeof value, "%.*s", (int)(length - word - 1), at + word + 1);
        if (!strcmp(name, "nodes"))
            nodes = at + word + 1;
        else if (cs_modes_numbered(name))
            cs_jsonw_put_string(w, name, value);
        else
            cs_jsonw_put_int(w, name, strtoll(value, NULL, 10));
    }
    cs_jsonw_close(w);
    if (nodes)
        cs_jsonw_put_string(w, "nodes", nodes);
}

static void put_bar(struct cs_jsonw *w, const struct cs_bar *bar, bool counts, const char *uses,
                    struct cs_strbuf *set)
{
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_int(w, "task", bar->task);
    if (!counts || bar->attempt != 1)
        cs_jsonw_put_int(w, "attempt", bar->attempt);
    if (!counts || bar->kind != CS_BAR_WORK)
        cs_jsonw_put_string(w, "kind", cs_bar_kind_name(bar->kind));
    if (bar->group >= 0)
        cs_jsonw_put_int(w, "group", bar->group);
    if (counts) {
        cs_jsonw_put_int(w, "count", cs_bar_procs(bar));
    } else {
        cs_strbuf_clear(set);
        cs_procset_print(set, bar->procs, bar->intervals);
        cs_jsonw_put_string(w, "procs", set->text);
    }
    cs_jsonw_put_double(w, "start", bar->start);
    cs_jsonw_put_double(w, "end", bar->end);
    if (uses)
        put_uses(w, uses);
    cs_jsonw_close(w);
}

static void put_bars(struct cs_jsonw *w, const struct cs_schedule *schedule, bool counts)
{
    struct cs_strbuf set = CS_STRBUF_INIT;
    size_t bars;
    const struct cs_bar *bar = cs_schedule_bars(schedule, &bars);

    cs_jsonw_key(w, "bars");
    cs_jsonw_open(w, '[');
    w->dense = counts;
    for (size_t i = 0; i < bars; i++)
        put_bar(w, &bar[i], counts || bar[i].count, cs_schedule_uses(schedule, i), &set);
    w->dense = false;
    cs_jsonw_close(w);
    cs_strbuf_release(&set);
}

void cs_schedule_json_put_tail(struct cs_jsonw *w, const struct cs_schedule *schedule,
                               const struct cs_workload *workload, bool counts)
{
    cs_jsonw_key(w, "tasks");
    cs_jsonw_open_flat(w, '[');
    for (int i = 0; i < cs_schedule_tasks(schedule); i++)
        cs_jsonw_string(w, cs_schedule_task_name(schedule, i));
    cs_jsonw_close(w);
    if (workload) {
        cs_jsonw_key(w, "instance");
        cs_workload_json_put(w, workload, NULL);
    }
    put_bars(w, schedule, counts);
}

struct reader {
    struct cs_arena *arena; /* what the file keeps */
    struct cs_names *names;
    struct cs_schedule_file *file;
    struct cs_error *err;
};

/* NaN when the key is missing or null. */
static int schedule_json_read_number(const struct cs_json_at *object, const char *key, double *out,
                                     struct cs_error *err)
{
    *out = NAN;
    return cs_json_has(object, key) ? cs_json_get_double(object, key, CS_NUMBER_FINITE, out, err)
                                    : 0;
}

/* The kind of another document and its reader, from its format or, without one, its keys; "" if
 * unknown. */
static const char *looks_like(const struct cs_json_at *root, const char *format)
{
    static const struct {
        const char *format, *key, *what;
    } other[] = {
        {"cosched-workload-1", NULL,
         "a workload, which 'cosched plan pack' and 'cosched plan moldable' read"},
        {"cosched-graphs-1", NULL, "a file of task graphs, which 'cosched plan ptg' reads"},
        {"cosched-graph-1", "arcs", "a file of a task graph, which 'cosched plan ptg' reads"},
        {"cosched-volatile-1", NULL, "a file of hosts, which 'cosched simulate volatile' reads"},
        {"cosched-machine-1", NULL, "a machine, which 'cosched replay --machine' reads"},
        {"cosched-replay-1", NULL, "a replay, which 'cosched plot' and 'cosched report' read"},
        {"cosched-run-1", NULL, "a run file, which 'cosched run' reads"},
        {NULL, "vary", "a sweep, which 'cosched campaign run' reads"},
        {NULL, "clusters", "a platform, which 'cosched plan ptg --platform' reads"},
        {NULL, "workflow", "a workflow, which 'cosched plan ptg' reads"},
    };

    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        if (format ? other[i].format && !strcmp(format, other[i].format)
                   : other[i].key && cs_json_has(root, other[i].key))
            return other[i].what;
    return "";
}

static int missing_format(const struct cs_json_at *root, struct cs_error *err)
{
    const char *looks = looks_like(root, NULL);

    return cs_json_error(root, err, "key \"format\" is missing; a schedule has \"%s\" there%s%s",
                         CS_SCHEDULE_FORMAT, *looks ? "; this looks like " : "", looks);
}

static int read_format(const struct cs_json_at *root, struct cs_error *err)
{
    struct cs_json_at at;
    const char *format, *looks;

    if (cs_json_type(root) == JSON_OBJECT && !cs_json_names(root, "format"))
        return missing_format(root, err);
    if (cs_json_member(root, "format", &at, err) || cs_json_string(&at, &format, err))
        return -1;
    if (strcmp(format, CS_SCHEDULE_FORMAT) == 0)
        return 0;
    looks = looks_like(root, format);
    return cs_json_error(&at, err, "found \"%.60s\", expected \"%s\"%s%s", format,
                         CS_SCHEDULE_FORMAT, *looks ? "; this is " : "", looks);
}

static int read_name(struct reader *r, const struct cs_json_at *at, size_t index)
{
    const char *name, *fault;
    int same;

    if (cs_json_string(at, &name, r->err))
        return -1;
    fault = cs_names_fault(name);
    if (fault)
        return cs_json_error(at, r->err, "this cannot be the name of a task: %s", fault);
    same = cs_names_add(r->names, name);
    if ((size_t)same < index)
        return cs_json_error(at, r->err, "\"%.60s\" is tasks[%d] already", name, same);
    return 0;
}

static int read_names(struct reader *r, const struct cs_json_at *root)
{
    struct cs_json_at tasks, at;
    size_t count;

    if (cs_json_member(root, "tasks", &tasks, r->err) || cs_json_array(&tasks, &count, r->err))
        return -1;
    if (count > INT_MAX / 2)
        return cs_json_error(&tasks, r->err, "%zu tasks are too many", count);
    for (size_t i = 0; i < count; i++) {
        at = cs_json_element(&tasks, i);
        if (read_name(r, &at, i))
            return -1;
    }
    return 0;
}

static int read_platform(struct reader *r, const struct cs_json_at *root, int procs)
{
    struct cs_json_at at;
    struct cs_platform *platform;
    int status = 0;

    if (!cs_json_has(root, "platform"))
        return 0;
    if (cs_json_member(root, "platform", &at, r->err))
        return -1;
    platform = cs_platform_json_read(&at, r->err);
    if (!platform)
        return -1;
    if (platform->procs == procs)
        cs_schedule_set_platform(r->file->schedule, platform, NULL);
    else
        status = cs_json_error(&at, r->err, "its clusters have %d processors, \"procs\" is %d",
                               platform->procs, procs);
    cs_platform_destroy(platform);
    return status;
}

static int read_problem(const struct cs_json_at *root, const char **problem, struct cs_error *err)
{
    struct cs_json_at at;

    if (!cs_json_has(root, "problem"))
        return 0;
    if (cs_json_member(root, "problem", &at, err) || cs_json_string(&at, problem, err))
        return -1;
    return **problem ? 0 : cs_json_error(&at, err, "found \"\", expected the name of a problem");
}

static int read_input(struct reader *r, const struct cs_json_at *object,
                      struct cs_schedule_input *input)
{
    const char *of, *file, *sha256 = "";

    if (cs_json_keys(object, "of|file|sha256", r->err) ||
        cs_json_get_string(object, "of", &of, r->err) ||
        cs_json_get_string(object, "file", &file, r->err) ||
        (cs_json_has(object, "sha256") && cs_json_get_string(object, "sha256", &sha256, r->err)))
        return -1;
    *input =
        (struct cs_schedule_input){cs_arena_strdup(r->arena, of), cs_arena_strdup(r->arena, file),
                                   cs_arena_strdup(r->arena, sha256)};
    return 0;
}

static int read_inputs(struct reader *r, const struct cs_json_at *root)
{
    struct cs_schedule_input *input;
    struct cs_json_at inputs;
    size_t count;

    if (!cs_json_has(root, "inputs"))
        return 0;
    if (cs_json_member(root, "inputs", &inputs, r->err) || cs_json_array(&inputs, &count, r->err))
        return -1;
    if (count > INT_MAX / 2)
        return cs_json_error(&inputs, r->err, "%zu files are too many", count);
    input = CS_NEW_ARRAY(r->arena, struct cs_schedule_input, count);
    for (size_t i = 0; i < count; i++) {
        struct cs_json_at at = cs_json_element(&inputs, i);

        if (read_input(r, &at, &input[i]))
            return -1;
    }
    r->file->inputs = (int)count;
    r->file->input = input;
    return 0;
}

static int read_head(struct reader *r, const struct cs_json_at *root)
{
    const char *problem = "", *policy = "", *command = "";
    const char *const *name;
    int procs, tasks;

    if (read_format(root, r->err) || read_problem(root, &problem, r->err) ||
        cs_json_get_int(root, "procs", 1, CS_IO_PROCS_MOST, &procs, r->err) ||
        schedule_json_read_number(root, "makespan", &r->file->makespan, r->err) ||
        read_names(r, root) || read_inputs(r, root))
        return -1;
    if (cs_json_has(root, "policy") && cs_json_get_string(root, "policy", &policy, r->err))
        return -1;
    if (cs_json_has(root, "command") && cs_json_get_string(root, "command", &command, r->err))
        return -1;
    if (cs_json_has(root, "optimal") &&
        cs_json_get_bool(root, "optimal", &r->file->optimal, r->err))
        return -1;
    if (cs_known_get(root, &r->file->known, r->arena, r->err) ||
        cs_energy_get(root, &r->file->energy, r->arena, r->err))
        return -1;
    name = cs_names_list(r->names, &tasks);
    r->file->policy = cs_arena_strdup(r->arena, policy);
    r->file->command = cs_arena_strdup(r->arena, command);
    r->file->schedule = cs_schedule_create(problem, procs, tasks, name);
    return read_platform(r, root, procs);
}

static int read_kind(const struct cs_json_at *bar, enum cs_bar_kind *kind, struct cs_error *err)
{
    struct cs_json_at at;
    const char *word;

    *kind = CS_BAR_WORK;
    if (!cs_json_has(bar, "kind"))
        return 0;
    if (cs_json_member(bar, "kind", &at, err) || cs_json_string(&at, &word, err))
        return -1;
    for (int k = CS_BAR_WORK; k <= CS_BAR_KIND_LAST; k++)
        if (strcmp(word, cs_bar_kind_name((enum cs_bar_kind)k)) == 0) {
            *kind = (enum cs_bar_kind)k;
            return 0;
        }
    return cs_json_error(&at, err,
                         "found \"%.60s\", expected work, checkpoint, recovery, downtime, verify, "
                         "move, lost or program",
                         word);
}

/* ---- bars ----
 *
 * They are read before the document is complete: the number of tasks may be unknown, and a later
 * byte may not be JSON. So the first error is kept until the schedule is read.
 */

struct bar_reader {
    struct cs_schedule_document *document;
    struct cs_bar bar;
    const char *uses;
    struct cs_error *err;
};

static int bar_read_set(struct bar_reader *r, const struct cs_json_at *object)
{
    struct cs_json_at at;
    struct cs_error why = {0};
    struct cs_bar *bar = &r->bar;
    const char *text;

    if (cs_json_has(object, "count")) {
        if (cs_json_names(object, "procs"))
            return cs_json_error(object, r->err,
                                 "found \"procs\" and \"count\", expected one of them");
        return cs_json_get_int(object, "count", 1, CS_IO_PROCS_MOST, &bar->count, r->err);
    }
    if (cs_json_member(object, "procs", &at, r->err) || cs_json_string(&at, &text, r->err))
        return -1;
    bar->intervals = cs_procset_parse(text, r->document->scratch, &bar->procs, &why);
    return bar->intervals < 0 ? cs_json_error(&at, r->err, "%s", why.text) : 0;
}

/* Numbers or counts, as the first bar has. */
static int bar_check_set(const struct bar_reader *r, const struct cs_json_at *object)
{
    const struct cs_bar_list *bars = &r->document->bars;

    if (!bars->count || (bars->bar->count > 0) == (r->bar.count > 0))
        return 0;
    return cs_json_error(object, r->err, "found \"%s\", expected \"%s\" as in the bars before",
                         r->bar.count ? "count" : "procs", r->bar.count ? "procs" : "count");
}

/* "uses" and "nodes" as lines. */
static int bar_read_uses(struct bar_reader *r, const struct cs_json_at *object)
{
    struct cs_arena *arena = r->document->scratch;
    struct cs_strbuf lines = CS_STRBUF_INIT;
    struct cs_json_at uses = {0}, one;
    const char *const *name = NULL, *text;
    int count = 0, status = 0;
    int64_t amount;

    if (cs_json_has(object, "uses")) {
        if (cs_json_member(object, "uses", &uses, r->err) || cs_json_keys(&uses, NULL, r->err))
            return -1;
        name = cs_json_list_keys(&uses, arena, &count);
    }
    for (int k = 0; k < count && !status; k++) {
        cs_strbuf_printf(&lines, "%s%s ", k ? "\n" : "", name[k]);
        status = cs_json_member(&uses, name[k], &one, r->err);
        if (!status && cs_json_type(&one) == JSON_STRING) {
            status = cs_json_string(&one, &text, r->err);
            cs_strbuf_puts(&lines, status ? "" : text);
        } else if (!status) {
            status = cs_json_int64(&one, 0, INT64_MAX, &amount, r->err);
            cs_strbuf_put_int(&lines, status ? 0 : amount);
        }
    }
    if (!status && cs_json_has(object, "nodes")) {
        status = cs_json_get_string(object, "nodes", &text, r->err);
        cs_strbuf_printf(&lines, "%snodes %s", count ? "\n" : "", status ? "" : text);
    }
    r->uses = status ? NULL : cs_arena_strdup(arena, lines.text);
    cs_strbuf_release(&lines);
    return status;
}

static int bar_read(struct bar_reader *r, const struct cs_json_at *object)
{
    struct cs_bar *bar = &r->bar;

    *bar = (struct cs_bar){.attempt = 1, .group = -1, .task = -1};
    if (cs_json_keys(object, "task|attempt|kind|group|procs|count|start|end|uses|nodes", r->err) ||
        cs_json_get_int(object, "task", 0, INT_MAX, &bar->task, r->err) ||
        read_kind(object, &bar->kind, r->err) || bar_read_set(r, object) ||
        cs_json_get_double(object, "start", CS_NUMBER_FINITE, &bar->start, r->err) ||
        cs_json_get_double(object, "end", CS_NUMBER_FINITE, &bar->end, r->err))
        return -1;
    if (cs_json_has(object, "attempt") &&
        cs_json_get_int(object, "attempt", INT_MIN, INT_MAX, &bar->attempt, r->err))
        return -1;
    if (cs_json_has(object, "group") &&
        cs_json_get_int(object, "group", -1, INT_MAX, &bar->group, r->err))
        return -1;
    r->uses = NULL;
    if ((cs_json_has(object, "uses") || cs_json_has(object, "nodes")) && bar_read_uses(r, object))
        return -1;
    return bar_check_set(r, object);
}

static void bars_take(void *who, const struct cs_json_at *part, size_t first)
{
    struct cs_schedule_document *document = who;
    struct bar_reader r = {.document = document, .err = &document->error};
    struct cs_arena_mark mark = cs_arena_mark(document->scratch);
    size_t count;

    document->found = true;
    if (cs_json_array(part, &count, &document->error))
        return;
    for (size_t i = 0; i < count && !*document->error.text; i++) {
        struct cs_json_at object = cs_json_element(part, i);

        object.index = first + i;
        if (bar_read(&r, &object))
            document->broken = r.bar;
        else
            cs_bar_list_add(&document->bars, &r.bar);
        if (!*document->error.text && r.uses)
            cs_bar_list_set_uses(&document->bars, document->bars.count - 1, r.uses);
        cs_arena_rewind(document->scratch, mark);
    }
}

/* The first bar whose task is not in the list of tasks. */
static int bars_check_tasks(const struct cs_schedule_document *document, int tasks,
                            const struct cs_json_at *list, struct cs_error *err)
{
    const bool broken = *document->error.text != '\0';
    const struct cs_bar *bar = document->bars.bar;
    size_t b = 0;

    while (b < document->bars.count && bar[b].task < tasks)
        b++;
    if (b < document->bars.count || (broken && document->broken.task >= tasks)) {
        const struct cs_json_at object = {.above = list, .index = b},
                                at = {.above = &object, .key = "task"};

        return cs_json_error(&at, err, "found %d, but there are only %d tasks, from 0 on",
                             b < document->bars.count ? bar[b].task : document->broken.task, tasks);
    }
    return broken ? cs_error_pass(err, &document->error) : 0;
}

/* Counts are for processors that are interchangeable. */
static int read_refuse_counts(const struct reader *r, const struct cs_json_at *root,
                              const struct cs_json_at *bars)
{
    static const char *const problems[] = {"", "rigid", "moldable", "pack"};
    const char *problem = cs_schedule_problem(r->file->schedule);
    const struct cs_json_at first = {.above = bars};
    bool contiguous = false;

    if (cs_json_has(root, "contiguous") &&
        cs_json_get_bool(root, "contiguous", &contiguous, r->err))
        return -1;
    if (contiguous)
        return cs_json_error(&first, r->err,
                             "found \"count\", expected \"procs\", since \"contiguous\" is true");
    if (cs_json_has(root, "observed"))
        return cs_json_error(&first, r->err,
                             "found \"count\", expected the \"procs\" that were observed");
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++)
        if (!strcmp(problem, problems[i]))
            return 0;
    return cs_json_error(&first, r->err,
                         "found \"count\", expected \"procs\": the processors of problem %.20s are "
                         "not interchangeable",
                         problem);
}

static int read_bars(struct reader *r, struct cs_schedule_document *document)
{
    const struct cs_json_at *root = &document->top;
    struct cs_json_at bars;
    size_t count;

    if (cs_json_member(root, "bars", &bars, r->err) || cs_json_array(&bars, &count, r->err))
        return -1;
    if (!document->found)
        bars_take(document, &bars, 0);
    if (bars_check_tasks(document, cs_schedule_tasks(r->file->schedule), &bars, r->err))
        return -1;
    if (document->bars.count && document->bars.bar->count && read_refuse_counts(r, root, &bars))
        return -1;
    cs_schedule_adopt(r->file->schedule, &document->bars);
    return 0;
}

static int read_instance(struct reader *r, const struct cs_json_at *root)
{
    const struct cs_workload_options options = {.size = sizeof(struct cs_workload_options),
                                                .fill = CS_FILL_POWER,
                                                .fewer = CS_FEWER_REFUSE,
                                                .times = CS_TIMES_MIN,
                                                .modes = true};
    struct cs_json_at at;

    if (!cs_json_has(root, "instance"))
        return 0;
    if (cs_json_member(root, "instance", &at, r->err))
        return -1;
    r->file->workload = cs_workload_json_read(&at, &options, r->err);
    return r->file->workload ? 0 : -1;
}

static int read_observed(struct reader *r, const struct cs_json_at *root, int tasks)
{
    r->file->observed =
        schedule_json_get_observed(root, r->file->schedule, tasks, r->arena, r->err);
    return r->file->observed ? 0 : -1;
}

/* The keys of the problems; without `needs` a file has none of them. */
static const struct claims {
    const char *problem, *needs;
    const struct cs_key *table;
    size_t size, member; /* of the struct; of the pointer to it */
    int (*finish)(const struct cs_json_at *root, const struct cs_key_source *source,
                  void *declared);
} schedule_claims[] = {
#define CLAIMS(problem_, needs_, member_, finish_)                                                 \
    {                                                                                              \
#problem_, needs_, cs_keys_##problem_, sizeof(struct cs_##problem_##_declared),            \
            offsetof(struct cs_schedule_file, member_), finish_                                    \
    }
    CLAIMS(pack, "format", pack, cs_key_finish_pack),
    CLAIMS(rigid, "jobs", rigid, cs_key_finish_rigid),
    CLAIMS(malleable, "faults", malleable, NULL),
    CLAIMS(moldable, "format", moldable, cs_key_finish_moldable),
    CLAIMS(volatile, "configurations", trial, cs_key_finish_volatile),
    CLAIMS(ptg, "graphs", ptg, NULL),
    CLAIMS(spot, "market", spot, NULL),
#undef CLAIMS
};

/* The claims of the file by the rules of its problem. */
static int read_claims(struct reader *r, const struct cs_json_at *root)
{
    const char *problem = cs_schedule_problem(r->file->schedule);
    int tasks = cs_schedule_tasks(r->file->schedule);
    const struct cs_key_source source = {r->names, tasks, r->arena, r->err};

    if (cs_json_has(root, "observed"))
        return read_observed(r, root, tasks);
    for (size_t i = 0; i < sizeof schedule_claims / sizeof *schedule_claims; i++) {
        const struct claims *claims = &schedule_claims[i];
        void *declared;

        if (strcmp(problem, claims->problem) != 0 || !cs_json_has(root, claims->needs))
            continue;
        declared = cs_arena_alloc(r->arena, 1, claims->size);
        memcpy((char *)r->file + claims->member, &declared, sizeof declared);
        return cs_keys_get(root, claims->table, &source, declared)         ? -1
               : claims->finish && claims->finish(root, &source, declared) ? -1
                                                                           : 0;
    }
    return 0;
}

static int read_document(struct reader *r, struct cs_schedule_document *document)
{
    const struct cs_json_at *root = &document->top;

    if (cs_json_keys(root, NULL, r->err) || read_head(r, root) || read_bars(r, document) ||
        read_instance(r, root) || read_claims(r, root))
        return -1;
    r->file->key = cs_json_list_keys(root, r->arena, &r->file->keys);
    return 0;
}

/* The text is no longer needed when it has been read. */
static void document_drop(struct cs_schedule_document *document)
{
    cs_json_close(&document->pieces);
    document->pieces.text = NULL;
    document->pieces.document = NULL;
}

struct cs_schedule_file *cs_schedule_document_read(struct cs_schedule_document *document,
                                                   struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create(), *scratch = cs_arena_create();
    struct cs_schedule_file *file = CS_NEW(arena, struct cs_schedule_file);
    struct reader r = {arena, cs_names_create(scratch), file, err};

    file->storage = arena;
    file->source = cs_arena_strdup(arena, document->top.key);
    if (read_document(&r, document)) {
        cs_schedule_file_destroy(file);
        file = NULL;
    }
    cs_arena_destroy(scratch);
    document_drop(document);
    if (file && !document->counts)
        cs_schedule_number(file->schedule); /* else the checker reports what is wrong */
    return file;
}

/* ---- documents ---- */

static struct cs_json_list document_list(struct cs_schedule_document *document)
{
    *document = (struct cs_schedule_document){.scratch = cs_arena_create()};
    return (struct cs_json_list){"bars", bars_take, document};
}

static int document_opened(struct cs_schedule_document *document, const char *name, int status)
{
    if (status) {
        cs_arena_destroy(document->scratch);
        cs_bar_list_release(&document->bars);
        return -1;
    }
    document->top = cs_json_top(name, &document->pieces);
    return 0;
}

int cs_schedule_document_open(const char *path, struct cs_schedule_document *document,
                              struct cs_error *err)
{
    const struct cs_json_list list = document_list(document);

    return document_opened(document, cs_source_name(path),
                           cs_json_open(path, &list, &document->pieces, err));
}

int cs_schedule_document_open_memory(const char *name, const void *bytes, size_t size,
                                     struct cs_schedule_document *document, struct cs_error *err)
{
    const struct cs_json_list list = document_list(document);

    return document_opened(document, name,
                           cs_json_open_memory(name, bytes, size, &list, &document->pieces, err));
}

void cs_schedule_document_close(struct cs_schedule_document *document)
{
    cs_json_close(&document->pieces);
    cs_bar_list_release(&document->bars);
    cs_arena_destroy(document->scratch);
}

static struct cs_schedule_file *document_finish(struct cs_schedule_document *document,
                                                struct cs_error *err)
{
    struct cs_schedule_file *file = cs_schedule_document_read(document, err);

    cs_schedule_document_close(document);
    return file;
}

struct cs_schedule_file *cs_schedule_file_read_memory(const char *name, const void *bytes,
                                                      size_t size, struct cs_error *err)
{
    CS_ASK(name && (bytes || !size), err, NULL);
    CS_GUARD(err, NULL);
    struct cs_schedule_document document;

    return cs_schedule_document_open_memory(name, bytes, size, &document, err)
               ? NULL
               : document_finish(&document, err);
}

struct cs_schedule_file *cs_schedule_file_read(const char *path, struct cs_error *err)
{
    CS_ASK(path, err, NULL);
    CS_GUARD(err, NULL);
    struct cs_schedule_document document;

    return cs_schedule_document_open(path, &document, err) ? NULL : document_finish(&document, err);
}

void cs_schedule_file_destroy(struct cs_schedule_file *file)
{
    if (!file)
        return;
    cs_schedule_destroy(file->schedule);
    cs_workload_destroy(file->workload);
    cs_schedule_json_drop_ptg(file->ptg);
    cs_arena_destroy(file->storage);
}
