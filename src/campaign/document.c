/* document.c - documents and their cells. */
#include "campaign/document.h"

#include "base/bug.h"
#include "base/json.h"

#include <stdlib.h>
#include <string.h>

struct cs_document cs_experiment_document(const struct cs_experiment *sweep, struct cs_strbuf *text)
{
    cs_strbuf_clear(text);
    cs_experiment_text(sweep, text);
    return (struct cs_document){.kind = "sweep",
                                .name = sweep->name,
                                .file = sweep->file,
                                .text = text->text,
                                .given = "{}",
                                .seed = sweep->seed};
}

static int compile_sweep(struct cs_compiled *compiled, json_t *text,
                         const struct cs_document *document, struct cs_error *err)
{
    compiled->sweep = cs_experiment_create(text, document->file, err);
    if (!compiled->sweep)
        return -1;
    compiled->runner = compiled->sweep->runner;
    compiled->cell = compiled->sweep->cell;
    compiled->count = compiled->sweep->count;
    return 0;
}

/* What was given when the paper was run. */
static int give_all(struct cs_paper *paper, const struct cs_document *document,
                    struct cs_error *err)
{
    json_t *given =
        cs_json_load_memory(document->file, document->given, strlen(document->given), err);

    if (!given)
        return -1;
    json_object_update(paper->given, given);
    json_decref(given);
    return 0;
}

static int compile_paper(struct cs_compiled *compiled, json_t *text,
                         const struct cs_document *document, struct cs_error *err)
{
    compiled->paper =
        cs_paper_create(text, document->name, document->file, document->quick, NULL, err);
    if (!compiled->paper || give_all(compiled->paper, document, err))
        return -1;
    compiled->results = cs_results_prepare(compiled->paper, document->seed);
    compiled->runner = compiled->paper->runner;
    compiled->cell = compiled->results->cell;
    compiled->count = compiled->results->count;
    return 0;
}

struct cs_compiled *cs_document_compile(const struct cs_document *document, struct cs_error *err)
{
    json_t *text = cs_json_load_memory(document->file, document->text, strlen(document->text), err);
    struct cs_compiled *compiled;
    int status;

    if (!text)
        return NULL;
    compiled = calloc(1, sizeof *compiled);
    if (!compiled)
        cs_bug_no_memory(sizeof *compiled);
    status = strcmp(document->kind, "sweep") ? compile_paper(compiled, text, document, err)
                                             : compile_sweep(compiled, text, document, err);
    json_decref(text);
    if (!status)
        return compiled;
    cs_compiled_destroy(compiled);
    return NULL;
}

void cs_compiled_destroy(struct cs_compiled *compiled)
{
    if (!compiled)
        return;
    cs_results_destroy(compiled->results);
    cs_paper_destroy(compiled->paper);
    cs_experiment_destroy(compiled->sweep);
    free(compiled);
}
