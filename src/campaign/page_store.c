/* page_store.c - documents, runs and inputs of a store as sections. */
#include "campaign/page_store.h"

#include "base/arena.h"
#include "base/jsonw.h"
#include "campaign/page_experiment.h"
#include "campaign/store.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* A document on the page. */
struct part {
    const struct cs_document *document;
    const char *title, *problem;
    int cells, done;
    int claims, finding[CS_UNCHECKED + 1]; /* how many claims have each */
    struct cs_strbuf heading, command, json;
};

struct view {
    struct cs_store *store;
    const char *path, *papers;
    struct cs_page *page;
    struct cs_document *document;
    struct cs_store_run *run;
    struct cs_store_input *input;
    int documents, runs, inputs;
    struct part *part;
    struct cs_arena *arena;
};

static int read_lists(struct view *view, struct cs_error *err)
{
    if (cs_store_documents(view->store, view->arena, &view->document, &view->documents, err) ||
        cs_store_runs(view->store, view->arena, &view->run, &view->runs, err) ||
        cs_store_inputs(view->store, view->arena, &view->input, &view->inputs, err))
        return -1;
    if (!view->documents)
        return cs_error_set(err, "%s: the store has no runs yet", view->path);
    return 0;
}

/* " --papers FOLDER", where FOLDER/NAME.json is the file, unless it is the folder of the tool. */
static void put_folder(const struct view *view, const struct cs_document *document,
                       struct cs_strbuf *out)
{
    struct cs_strbuf tail = CS_STRBUF_INIT, folder = CS_STRBUF_INIT;
    size_t length = strlen(document->file);

    cs_strbuf_printf(&tail, "/%s.json", document->name);
    if (length > tail.length && !strcmp(document->file + length - tail.length, tail.text)) {
        cs_strbuf_append(&folder, document->file, length - tail.length);
        if (!view->papers || strcmp(folder.text, view->papers)) {
            cs_strbuf_puts(out, " --papers ");
            cs_strbuf_put_shell(out, folder.text);
        }
    }
    cs_strbuf_release(&tail);
    cs_strbuf_release(&folder);
}

/* The command that reproduces the numbers. */
static void page_store_put_command(const struct view *view, const struct cs_document *document,
                                   const struct cs_experiment *experiment, struct cs_strbuf *out)
{
    if (experiment->paper) {
        cs_experiment_put_command(experiment, out);
        put_folder(view, document, out);
    } else {
        cs_strbuf_puts(out, "cosched campaign run ");
        cs_strbuf_put_shell(out, document->file);
        cs_strbuf_puts(out, " --store " CS_STORE_MEMORY);
    }
}

static void put_heading(const struct cs_experiment *experiment, struct cs_strbuf *out)
{
    if (experiment->place)
        cs_strbuf_printf(out, "%s: %s", experiment->name, experiment->place);
    else
        cs_strbuf_puts(out, experiment->title);
}

static void page_store_describe(const struct view *view, struct part *part,
                                const struct cs_results *results)
{
    const struct cs_experiment *experiment = results->experiment;

    part->problem = experiment->problem->name;
    part->title = cs_arena_strdup(view->arena, experiment->title);
    part->cells = experiment->count;
    part->done = cs_results_done(results, -1);
    part->claims = experiment->claims;
    for (int c = 0; c < part->claims; c++)
        part->finding[cs_claim_finding(results, &experiment->claim[c])] +=
            cs_claim_counts(&experiment->claim[c]);
    page_store_put_command(view, part->document, experiment, &part->command);
    put_heading(experiment, &part->heading);
    cs_page_experiment_put(results, part->command.text, &part->json);
}

static int add_part(struct view *view, struct part *part, struct cs_error *err)
{
    struct cs_experiment *experiment = cs_experiment_compile(part->document, err);
    struct cs_results *results = experiment ? cs_results_create(experiment) : NULL;
    int status = results ? cs_results_load(results, view->store, err) : -1;

    if (!status)
        page_store_describe(view, part, results);
    cs_results_destroy(results);
    cs_experiment_destroy(experiment);
    return status;
}

static void add_section(struct view *view, const char *kind, const char *heading, const char *json)
{
    cs_page_add_section(view->page,
                        &(struct cs_page_section){.kind = kind, .heading = heading, .json = json});
}

static void put_verdicts(const struct part *part, struct cs_jsonw *w)
{
    if (!part->claims)
        return;
    cs_jsonw_key(w, "claims");
    cs_jsonw_open_flat(w, '[');
    for (int v = CS_AGREES; v <= CS_UNCHECKED; v++)
        cs_jsonw_int(w, part->finding[v]);
    cs_jsonw_close(w);
}

static void put_part(const struct part *part, int section, struct cs_jsonw *w)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "kind", part->document->kind);
    cs_jsonw_put_string(w, "name", part->document->name);
    cs_jsonw_put_string(w, "title", part->title);
    cs_jsonw_put_string(w, "problem", part->problem);
    cs_jsonw_put_bool(w, "quick", part->document->quick);
    cs_strbuf_printf(&text, "%" PRIu64, part->document->seed);
    cs_jsonw_put_string(w, "seed", text.text);
    cs_strbuf_clear(&text);
    cs_strbuf_printf(&text, "s%d", section);
    cs_jsonw_put_string(w, "section", text.text);
    cs_jsonw_put_int(w, "cells", part->cells);
    cs_jsonw_put_int(w, "done", part->done);
    put_verdicts(part, w);
    cs_jsonw_put_string(w, "command", part->command.text);
    cs_jsonw_close(w);
    cs_strbuf_release(&text);
}

/* The content of the store, with links to the following sections. */
static void add_overview(struct view *view)
{
    struct cs_strbuf json = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&json);

    cs_jsonw_open(&w, '{');
    cs_jsonw_put_bool(&w, "busy", cs_store_is_busy(view->path));
    cs_jsonw_key(&w, "documents");
    cs_jsonw_open(&w, '[');
    for (int d = 0; d < view->documents; d++)
        put_part(&view->part[d], cs_page_sections(view->page) + 2 + d, &w);
    cs_jsonw_close(&w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    add_section(view, "store", "Overview", json.text);
    cs_strbuf_release(&json);
}

static void put_runs(const struct view *view, struct cs_jsonw *w)
{
    cs_jsonw_key(w, "runs");
    cs_jsonw_open(w, '[');
    for (int r = 0; r < view->runs; r++) {
        const struct cs_store_run *run = &view->run[r];

        cs_jsonw_open_flat(w, '{');
        cs_jsonw_put_double(w, "started", run->started);
        cs_jsonw_put_double(w, "ended", run->ended);
        cs_jsonw_put_string(w, "host", run->host);
        cs_jsonw_put_int(w, "threads", run->threads);
        cs_jsonw_put_string(w, "version", run->version);
        cs_jsonw_put_string(w, "command", run->command);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

static void put_inputs(const struct view *view, struct cs_jsonw *w)
{
    cs_jsonw_key(w, "inputs");
    cs_jsonw_open(w, '[');
    for (int i = 0; i < view->inputs; i++) {
        cs_jsonw_open_flat(w, '{');
        cs_jsonw_put_string(w, "path", view->input[i].path);
        cs_jsonw_put_string(w, "sha256", view->input[i].sha256);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

static void put_documents(const struct view *view, struct cs_jsonw *w)
{
    cs_jsonw_key(w, "documents");
    cs_jsonw_open(w, '[');
    for (int d = 0; d < view->documents; d++) {
        cs_jsonw_open_flat(w, '{');
        cs_jsonw_put_string(w, "name", view->document[d].name);
        cs_jsonw_put_string(w, "file", view->document[d].file);
        cs_jsonw_put_string(w, "sha256", view->document[d].sha256);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

static void add_origin(struct view *view)
{
    struct cs_strbuf json = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&json);

    cs_jsonw_open(&w, '{');
    cs_jsonw_put_string(&w, "file", view->path);
    put_documents(view, &w);
    put_runs(view, &w);
    put_inputs(view, &w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    add_section(view, "origin", "Where these numbers come from", json.text);
    cs_strbuf_release(&json);
}

static int make_parts(struct view *view, struct cs_error *err)
{
    view->part = CS_NEW_ARRAY(view->arena, struct part, view->documents);
    for (int d = 0; d < view->documents; d++) {
        struct part *part = &view->part[d];

        *part = (struct part){.document = &view->document[d],
                              .heading = CS_STRBUF_INIT,
                              .command = CS_STRBUF_INIT,
                              .json = CS_STRBUF_INIT};
        if (add_part(view, part, err))
            return -1;
    }
    return 0;
}

static void add_parts(struct view *view)
{
    if (view->documents > 1)
        add_overview(view);
    for (int d = 0; d < view->documents; d++)
        add_section(view, "document", view->part[d].heading.text, view->part[d].json.text);
    add_origin(view);
}

static void release_parts(struct view *view)
{
    for (int d = 0; view->part && d < view->documents; d++) {
        cs_strbuf_release(&view->part[d].heading);
        cs_strbuf_release(&view->part[d].command);
        cs_strbuf_release(&view->part[d].json);
    }
}

/* Read all from one snapshot of the store, also during writes. */
static int read_store(struct view *view, struct cs_error *err)
{
    int status = cs_store_begin(view->store, err);

    if (status)
        return -1;
    status = read_lists(view, err) || make_parts(view, err) ? -1 : 0;
    cs_store_rollback(view->store);
    return status;
}

int cs_page_add_store(struct cs_page *page, const char *path, const char *papers,
                      struct cs_error *err)
{
    struct view view = {.path = path, .papers = papers, .page = page, .arena = cs_arena_create()};
    int status = -1;

    view.store = cs_store_open(path, CS_STORE_READ, err);
    if (view.store) {
        status = read_store(&view, err);
        if (!status)
            add_parts(&view);
    }
    release_parts(&view);
    cs_store_close(view.store);
    cs_arena_destroy(view.arena);
    return status;
}
