/* request.c - options become keys of the run file. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "run/request.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/source.h"
#include "base/utf8.h"
#include "problem/param.h"
#include "run/executor.h"
#include "run/program.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* run files, and other inputs. */

#define RUN_FORMAT "cosched-run-1"

/* The folder of a file, absolute; of the work directory for none. */
static const char *folder_of(const char *path, struct cs_arena *arena, struct cs_error *err)
{
    struct cs_strbuf name = CS_STRBUF_INIT;
    const char *slash = path ? strrchr(path, '/') : NULL, *folder = NULL;
    char real[PATH_MAX];

    cs_strbuf_append(&name, slash ? path : ".", slash ? (size_t)(slash - path) + 1 : 1);
    if (realpath(name.text, real))
        folder = cs_arena_strdup(arena, real);
    else
        cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: %s", name.text, strerror(errno));
    cs_strbuf_release(&name);
    return folder;
}

/* A JSON object, however it begins. */
static bool looks_like_json(const struct cs_strbuf *bytes)
{
    const char *at = bytes->text;

    if (!strncmp(at, "\xef\xbb\xbf", 3))
        at += 3;
    return at[strspn(at, " \t\r\n")] == '{';
}

static int open_run_file(const char *path, bool group, struct cs_arena *arena,
                         struct cs_run_document *d, struct cs_error *err)
{
    struct cs_json_at root = cs_json_root(cs_source_name(path), d->json);
    struct cs_strbuf input = CS_STRBUF_INIT;
    const char *name;
    int status = -1;
    const bool in_memory = cs_memory_find(path) != NULL; /* of this process, in its directory */

    if (!in_memory && cs_run_check_owner(path, group, err))
        return -1;
    if (cs_json_get_string(&root, "input", &name, err))
        return -1;
    d->folder = folder_of(in_memory ? NULL : path, arena, err);
    if (d->folder) {
        if (*name != '/')
            cs_strbuf_printf(&input, "%s/", d->folder);
        cs_strbuf_puts(&input, name);
        d->input = cs_arena_strdup(arena, input.text);
        cs_strbuf_clear(&d->bytes);
        status = cs_file_read(d->input, CS_FILE_LARGEST, &d->bytes, err);
    }
    cs_strbuf_release(&input);
    return status;
}

static void run_document_set(struct cs_run_document *document, const char *object, const char *key,
                             json_t *value);

static int set_decide(struct cs_run_document *d)
{
    if (!json_object_get(d->json, "decide"))
        run_document_set(d, NULL, "decide",
                         json_string(looks_like_json(&d->bytes) ? "follow" : "queue"));
    return 0;
}

static void let_go(struct cs_run_document *d)
{
    if (d->json)
        cs_release(&d->held);
    d->json = NULL;
}

/* Open a run file, or a plan or a list of jobs, for which an empty one is made.  `group`: others of
 * the group may write to it.  -1 with err.  Release it in any case. */
static int run_document_open(const char *path, bool group, struct cs_arena *arena,
                             struct cs_run_document *d, struct cs_error *err)
{
    const char *name = cs_memory_find(path) ? cs_source_name(path) : path, *format;

    *d = (struct cs_run_document){.file = name, .input = name, .bytes = CS_STRBUF_INIT};
    if (cs_file_read(path, CS_FILE_LARGEST, &d->bytes, err))
        return -1;
    if (looks_like_json(&d->bytes)) {
        d->json = cs_json_load_memory(name, d->bytes.text, d->bytes.length, err);
        if (!d->json)
            return -1;
        format = json_string_value(json_object_get(d->json, "format"));
        cs_json_hold(&d->held, d->json);
        if (format && !strcmp(format, RUN_FORMAT))
            return open_run_file(path, group, arena, d, err) ? -1 : set_decide(d);
        let_go(d);
    }
    d->file = "command line";
    d->json = cs_json_made(json_object());
    cs_json_hold(&d->held, d->json);
    run_document_set(d, NULL, "format", json_string(RUN_FORMAT));
    d->folder = folder_of(NULL, arena, err);
    return d->folder ? set_decide(d) : -1;
}

void cs_run_document_release(struct cs_run_document *document)
{
    if (!document)
        return;
    let_go(document);
    cs_strbuf_release(&document->bytes);
}

/* The object of the run file, made where it is missing. */
static json_t *request_find(struct cs_run_document *document, const char *object)
{
    if (!json_object_get(document->json, object))
        cs_json_set(document->json, object, json_object());
    return json_object_get(document->json, object);
}

/* Set a key of the run file, or one in an object of it; takes the value, NULL where there was no
 * memory for it. */
static void run_document_set(struct cs_run_document *document, const char *object, const char *key,
                             json_t *value)
{
    struct cs_hold held;
    json_t *in;

    cs_json_hold(&held, cs_json_made(value));
    in = object && document->json ? request_find(document, object) : document->json;
    if (json_is_object(in))
        cs_json_set(in, key, json_incref(value));
    cs_release(&held);
}

/* A name that JSON cannot have stays as it is. */
static void put_program(json_t *command, const char *path)
{
    json_t *word = cs_json_word(path);

    if (word)
        json_array_set_new(command, 0, word);
}

/* One that is not here stays as it is: whether it must be is known when all is (validate.c). */
static void resolve_list(const struct cs_run_document *d, json_t *settings, const char *key)
{
    json_t *list = json_object_get(settings, key);
    const char *program = json_string_value(json_array_get(list, 0));
    struct cs_strbuf path = CS_STRBUF_INIT;
    struct cs_error reported = {0};

    if (program && !strpbrk(program, "{}") &&
        !cs_run_program_find(program, d->folder, &path, &reported))
        put_program(list, path.text);
    cs_strbuf_release(&path);
}

static void resolve_settings(const struct cs_run_document *d, json_t *settings)
{
    json_t *checkpoint = json_object_get(settings, "checkpoint");

    resolve_list(d, settings, "command");
    resolve_list(d, settings, "launcher");
    resolve_list(d, settings, "verify");
    resolve_list(d, json_object_get(checkpoint, "stop"), "command");
    resolve_list(d, json_object_get(checkpoint, "save"), "command");
}

/* Programs become paths, now and for good: PATH is not searched again. */
static void run_document_resolve(struct cs_run_document *d)
{
    json_t *settings;
    const char *name;

    resolve_settings(d, json_object_get(d->json, "task"));
    json_object_foreach(json_object_get(d->json, "tasks"), name, settings)
        resolve_settings(d, settings);
}

#define SLOTS 10000000

static const char engines[] = "local|slurm|dry";

void cs_run_defaults(struct cs_run_options *options)
{
    if (options)
        *options = (struct cs_run_options){.size = sizeof *options, .margin = 120, .poll = 1};
}

/* ---- what can be meant ---- */

static bool are_words(const char *const *word, int count)
{
    for (int i = 0; i < count; i++)
        if (!word || !word[i])
            return false;
    return count >= 0;
}

static int check_number(const char *as, double value, double low, double high, struct cs_error *err)
{
    return value >= low && value <= high
               ? 0
               : cs_error_set(err, "%s cannot be %g: expected %g to %g", as, value, low, high);
}

/* JSON, in which they are kept, has texts only. */
static int check_texts(const char *const *text, int count, struct cs_error *err)
{
    for (int i = 0; i < count; i++)
        for (const char *at = text[i]; *at; at += cs_utf8_length(at))
            if (!cs_utf8_length(at))
                return cs_error_set(err,
                                    "\"%.80s\" is no UTF-8: words of a command and settings "
                                    "must be",
                                    text[i]);
    return 0;
}

int cs_run_request_check(const struct cs_run_options *options, struct cs_error *err)
{
    if (cs_ask_size("the options of a run", options->size, sizeof *options, err))
        return -1;
    if (!are_words(options->command, options->words) || !are_words(options->set, options->settings))
        return cs_error_set(err,
                            "words and settings of a run are so many texts, none of them NULL");
    if (options->engine && cs_choice_index(engines, options->engine) < 0)
        return cs_choice_error("engine", options->engine, engines, err);
    if (check_texts(options->command, options->words, err) ||
        check_texts(options->set, options->settings, err) ||
        check_texts(&options->policy, options->policy != NULL, err) ||
        check_texts(&options->priority, options->priority != NULL, err))
        return -1;
    return check_number("slots", options->slots, 0, SLOTS, err) ||
                   check_number("margin", options->margin, 0, 1e9, err) ||
                   check_number("poll", options->poll, 0.01, 1e6, err)
               ? -1
               : 0;
}

/* ---- over the file ---- */

static int set_one(struct cs_run_document *document, const char *setting, struct cs_error *err)
{
    const char *equals = strchr(setting, '=');
    struct cs_strbuf key = CS_STRBUF_INIT;
    json_t *value;

    if (!equals || equals == setting)
        return cs_error_set(err, "--set \"%.80s\": KEY=JSON is expected, such as retries=0",
                            setting);
    cs_strbuf_append(&key, setting, (size_t)(equals - setting));
    value = cs_json_parse(equals + 1, strlen(equals + 1), JSON_DECODE_ANY);
    run_document_set(document, "task", key.text, value ? value : json_string(equals + 1));
    cs_strbuf_release(&key);
    return 0;
}

static void set_text(struct cs_run_document *document, const char *key, const char *text)
{
    if (text)
        run_document_set(document, NULL, key, json_string(text));
}

static void set_command(struct cs_run_document *document, const struct cs_run_options *options)
{
    json_t *command;

    if (!options->words)
        return;
    run_document_set(document, "task", "command", json_array());
    command = json_object_get(json_object_get(document->json, "task"), "command");
    for (int w = 0; command && w < options->words; w++)
        cs_json_append(command, json_string(options->command[w]));
}

static const char *text_of(const struct cs_run_document *document, const char *key)
{
    const char *text = json_string_value(json_object_get(document->json, key));

    return text ? text : "";
}

const char *cs_run_request_engine(const struct cs_run_document *document)
{
    return text_of(document, "engine");
}

static bool is_plan(const struct cs_run_document *document)
{
    return !strcmp(text_of(document, "decide"), "follow");
}

/* A plan has as many slots as it has processors, unless slots are given. */
static void choose_slots(struct cs_run_document *document, const struct cs_run_options *options,
                         const json_t *plan)
{
    const json_t *slots = json_object_get(document->json, "slots");
    const bool supplied = json_object_get(slots, "count") || json_object_get(slots, "cpus");

    if (options->oversubscribe)
        run_document_set(document, "slots", "oversubscribe", json_true());
    if (options->slots)
        run_document_set(document, "slots", "count", json_integer(options->slots));
    else if (!supplied && is_plan(document) &&
             strcmp(cs_run_request_engine(document), "slurm") != 0 &&
             json_is_integer(json_object_get(plan, "procs")))
        run_document_set(document, "slots", "count", json_copy(json_object_get(plan, "procs")));
}

static bool counts_nodes(const json_t *plan)
{
    const char *unit =
        json_string_value(json_object_get(json_object_get(plan, "platform"), "unit"));

    return unit && (!strcmp(unit, "node") || !strcmp(unit, "nodes"));
}

/* Of the allocation of Slurm, or of the step in it; 0: there is no allocation. */
static int count_nodes(const char **job)
{
    const char *text = getenv(getenv("SLURM_STEP_ID") ? "SLURM_STEP_NUM_NODES" : "SLURM_NNODES");
    int nodes = 1;

    *job = getenv("SLURM_JOB_ID");
    if (!*job || !**job)
        return 0;
    text = text ? text : getenv("SLURM_JOB_NUM_NODES");
    return text && cs_number_int(text, &nodes) == CS_NUMBER_FINE ? nodes : 1;
}

/* The engine when none is given: spec/run2.md A7. */
static int choose_engine(struct cs_run_document *document, const json_t *plan, struct cs_error *err)
{
    const char *job, *counts = "jobs count";
    const int nodes = count_nodes(&job);

    if (*cs_run_request_engine(document))
        return 0;
    if (counts_nodes(plan)) {
        set_text(document, "engine", "slurm");
        return nodes ? 0
                     : cs_error_set(err, "the plan counts nodes and this is no allocation; run it "
                                         "inside one, or use --engine local (its nodes are then "
                                         "slots of this machine)");
    }
    if (nodes < 2)
        return 0;
    if (is_plan(document))
        counts = "plan counts";
    else if (!strcmp(text_of(document, "decide"), "resize"))
        counts = "applications count";
    return cs_error_set(err,
                        "this is allocation %.40s with %d nodes and the %s processors; use "
                        "--engine slurm or --engine local",
                        job, nodes, counts);
}

/* A dry run rejects none of these. */
static int choose_place(struct cs_run_document *document, const struct cs_run_options *options,
                        bool dry, struct cs_error *err)
{
    json_t *plan = NULL;
    struct cs_error reported = {0};
    CS_HOLD(hold);
    int status;

    if (is_plan(document))
        plan = cs_json_parse(document->bytes.text, document->bytes.length, 0);
    cs_json_hold(&hold, plan);
    status = choose_engine(document, plan, &reported);
    if (status && dry) {
        set_text(document, "engine", "local");
        status = 0;
    }
    if (!status)
        choose_slots(document, options, plan);
    return status ? cs_error_pass(err, &reported) : 0;
}

static int request_apply(struct cs_run_document *document, const struct cs_run_options *options,
                         bool dry, struct cs_error *err)
{
    set_text(document, "engine", options->engine);
    set_text(document, "policy", options->policy);
    set_text(document, "priority", options->priority);
    if (options->barrier)
        run_document_set(document, NULL, "barrier", json_true());
    if (options->strict)
        run_document_set(document, NULL, "strict", json_true());
    if (choose_place(document, options, dry, err))
        return -1;
    for (int k = 0; k < options->settings; k++)
        if (set_one(document, options->set[k], err))
            return -1;
    set_command(document, options);
    run_document_resolve(document);
    return 0;
}

struct cs_run_document *cs_run_request_open(const char *input, const struct cs_run_options *options,
                                            bool dry, struct cs_arena *arena, struct cs_error *err)
{
    struct cs_run_document *document = CS_NEW(arena, struct cs_run_document);

    if (!run_document_open(input, options->allow_group, arena, document, err) &&
        !request_apply(document, options, dry, err))
        return document;
    cs_run_document_release(document);
    return NULL;
}
