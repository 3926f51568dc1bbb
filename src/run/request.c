/* request.c - options become keys of the run file. */
#include "run/request.h"

#include "base/json_make.h"
#include "base/number.h"
#include "base/utf8.h"
#include "study/field.h"

#include <stdlib.h>
#include <string.h>

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
    cs_run_document_set(document, "task", key.text, value ? value : json_string(equals + 1));
    cs_strbuf_release(&key);
    return 0;
}

static void set_text(struct cs_run_document *document, const char *key, const char *text)
{
    if (text)
        cs_run_document_set(document, NULL, key, json_string(text));
}

static void set_command(struct cs_run_document *document, const struct cs_run_options *options)
{
    json_t *command;

    if (!options->words)
        return;
    cs_run_document_set(document, "task", "command", json_array());
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
    const bool given = json_object_get(slots, "count") || json_object_get(slots, "cpus");

    if (options->oversubscribe)
        cs_run_document_set(document, "slots", "oversubscribe", json_true());
    if (options->slots)
        cs_run_document_set(document, "slots", "count", json_integer(options->slots));
    else if (!given && is_plan(document) && strcmp(cs_run_request_engine(document), "slurm") != 0 &&
             json_is_integer(json_object_get(plan, "procs")))
        cs_run_document_set(document, "slots", "count", json_copy(json_object_get(plan, "procs")));
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
    struct cs_error told = {0};
    CS_HOLD(hold);
    int status;

    if (is_plan(document))
        plan = cs_json_parse(document->bytes.text, document->bytes.length, 0);
    cs_json_hold(&hold, plan);
    status = choose_engine(document, plan, &told);
    if (status && dry) {
        set_text(document, "engine", "local");
        status = 0;
    }
    if (!status)
        choose_slots(document, options, plan);
    return status ? cs_error_pass(err, &told) : 0;
}

static int apply(struct cs_run_document *document, const struct cs_run_options *options, bool dry,
                 struct cs_error *err)
{
    set_text(document, "engine", options->engine);
    set_text(document, "policy", options->policy);
    set_text(document, "priority", options->priority);
    if (options->barrier)
        cs_run_document_set(document, NULL, "barrier", json_true());
    if (options->strict)
        cs_run_document_set(document, NULL, "strict", json_true());
    if (choose_place(document, options, dry, err))
        return -1;
    for (int k = 0; k < options->settings; k++)
        if (set_one(document, options->set[k], err))
            return -1;
    set_command(document, options);
    cs_run_document_resolve(document);
    return 0;
}

struct cs_run_document *cs_run_request_open(const char *input, const struct cs_run_options *options,
                                            bool dry, struct cs_arena *arena, struct cs_error *err)
{
    struct cs_run_document *document = CS_NEW(arena, struct cs_run_document);

    if (!cs_run_document_open(input, options->allow_group, arena, document, err) &&
        !apply(document, options, dry, err))
        return document;
    cs_run_document_release(document);
    return NULL;
}
