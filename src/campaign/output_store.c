/* output_store.c - the figure of one document of a store. */
#include "campaign/output.h"
#include "campaign/store.h"

#include <string.h>

static void output_store_put_names(const struct cs_document *document, int count,
                                   struct cs_strbuf *out)
{
    for (int d = 0; d < count; d++)
        cs_strbuf_printf(out, "%s%s", d ? ", " : "", document[d].name);
}

/* The one of that name; the last, if it was run several times. */
static const struct cs_document *output_store_choose(const char *path,
                                                     const struct cs_document *document, int count,
                                                     const char *name, struct cs_error *err)
{
    const struct cs_document *chosen = NULL;
    struct cs_strbuf names = CS_STRBUF_INIT;

    for (int d = 0; d < count; d++)
        if (name ? !strcmp(document[d].name, name) : count == 1)
            chosen = &document[d];
    output_store_put_names(document, count, &names);
    if (!count)
        cs_error_set(err, "%s: the store has no runs yet", path);
    else if (!chosen && name)
        cs_error_set(err, "%s: has no figure %s, but %s", path, name, names.text);
    else if (!chosen)
        cs_error_set(err, "%s: has several figures, name one of them: %s", path, names.text);
    cs_strbuf_release(&names);
    return chosen;
}

static int output_store_draw(struct cs_store *store, const struct cs_document *document,
                             const struct cs_figure_style *appearance, struct cs_strbuf *out,
                             struct cs_error *err)
{
    struct cs_experiment *experiment = cs_experiment_compile(document, err);
    struct cs_results *results = experiment ? cs_results_create(experiment) : NULL;
    int status = results ? cs_results_load(results, store, err) : -1;

    if (!status)
        status = cs_output_svg(results, appearance, out, err);
    cs_results_destroy(results);
    cs_experiment_destroy(experiment);
    return status;
}

int cs_output_svg_of_store(const char *path, const char *name,
                           const struct cs_figure_style *appearance, struct cs_strbuf *out,
                           struct cs_error *err)
{
    struct cs_store *store = cs_store_open(path, CS_STORE_READ, err);
    struct cs_arena *arena = cs_arena_create();
    const struct cs_document *document = NULL;
    struct cs_document *list;
    int count, status = -1;

    if (store && !cs_store_begin(store, err)) {
        if (!cs_store_documents(store, arena, &list, &count, err))
            document = output_store_choose(path, list, count, name, err);
        if (document)
            status = output_store_draw(store, document, appearance, out, err);
        cs_store_rollback(store);
    }
    cs_store_close(store);
    cs_arena_destroy(arena);
    return status;
}
