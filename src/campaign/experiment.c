/* experiment.c - from a file or a document of a store to an experiment, and back. */
#include "campaign/experiment_reader.h"

#include "base/json.h"
#include "base/json_make.h"
#include "campaign/parameters.h"
#include "campaign/store.h"

#include <string.h>

/* Lay the document over the one that its "base" names.  Takes the reference; NULL with err. */
static json_t *lay_over_base(json_t *document, const char *file, struct cs_error *err)
{
    const struct cs_json_at root = cs_json_root(file, document);
    struct cs_strbuf path = CS_STRBUF_INIT;
    const char *slash = strrchr(file, '/'), *name = NULL;
    json_t *base, *merged;
    CS_JSON_HOLD(document);
    CS_HOLD(base_hold);

    if (cs_json_keys(&root, NULL, err) || cs_field_string(&root, "base", &name, err))
        return NULL;
    if (!name)
        return cs_unhold(&document_hold);
    cs_strbuf_append(&path, file, slash ? (size_t)(slash - file) + 1 : 0);
    cs_strbuf_puts(&path, name);
    base = cs_json_load(path.text, err);
    cs_json_hold(&base_hold, base);
    merged = base ? cs_field_merge(base, document) : NULL;
    json_object_del(merged, "base");
    cs_strbuf_release(&path);
    return merged;
}

static const char *find_folder(struct cs_arena *arena, const char *file)
{
    const char *slash = strrchr(file, '/');

    if (!slash)
        return "";
    return slash == file ? "/" : cs_arena_strndup(arena, file, (size_t)(slash - file));
}

/* "sweep" of "folder/sweep.json", and of standard input. */
static const char *find_stem(struct cs_arena *arena, const char *file)
{
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
    const char *dot = strrchr(base, '.');

    if (!strcmp(file, "-"))
        return "sweep";
    return dot && dot > base ? cs_arena_strndup(arena, base, (size_t)(dot - base))
                             : cs_arena_strdup(arena, base);
}

static void drop_json(const struct cs_experiment *experiment)
{
    for (int c = 0; c < experiment->count; c++)
        json_decref(experiment->cell[c].parameters);
    json_decref(experiment->supplied);
    json_decref(experiment->owned);
    json_decref(experiment->warnings);
    json_decref(experiment->document);
    json_decref(experiment->source);
}

static void experiment_drop(struct cs_guarded *guarded)
{
    drop_json((struct cs_experiment *)(void *)guarded);
}

struct cs_experiment *cs_experiment_create(json_t *document, const char *file,
                                           const struct cs_experiment_how *how,
                                           struct cs_error *err)
{
    static const struct cs_experiment_how plain = {0};
    struct cs_arena *arena = cs_arena_create();
    struct cs_experiment *experiment = CS_NEW(arena, struct cs_experiment);
    struct cs_experiment_reader reader = {.experiment = experiment, .err = err};
    json_t *quick = json_object_get(document, "quick");

    how = how ? how : &plain;
    *experiment = (struct cs_experiment){
        .name = how->name ? cs_arena_strdup(arena, how->name) : find_stem(arena, file),
        .file = cs_arena_strdup(arena, file),
        .folder = find_folder(arena, file),
        .problem = how->problem,
        .quick = how->quick,
        .arena = arena,
    };
    cs_guard_keep(&experiment->guarded, experiment_drop);
    experiment->source = json_incref(document);
    experiment->document =
        how->quick && quick ? cs_field_merge(document, quick) : json_incref(document);
    experiment->supplied = cs_json_made(json_object());
    experiment->owned = cs_json_made(json_array());
    experiment->warnings = cs_json_made(json_object());
    reader.root = cs_json_root(experiment->file, experiment->document);
    if (!cs_experiment_read_document(&reader))
        return experiment;
    cs_experiment_destroy(experiment);
    return NULL;
}

/* Takes the document, or the error when it is NULL. */
static struct cs_experiment *experiment_create(json_t *document, const char *file,
                                               const struct cs_experiment_how *how,
                                               struct cs_error *err)
{
    CS_HOLD(held);

    cs_json_hold(&held, document ? lay_over_base(document, file, err) : NULL);
    return held.thing ? cs_experiment_create(held.thing, file, how, err) : NULL;
}

struct cs_experiment *cs_experiment_read(const char *file, const struct cs_experiment_how *how,
                                         struct cs_error *err)
{
    return experiment_create(cs_json_load(file, err), file, how, err);
}

struct cs_experiment *cs_experiment_read_text(const char *text, const char *file,
                                              struct cs_error *err)
{
    return experiment_create(cs_json_load_memory(file, text, strlen(text), err), file, NULL, err);
}

void cs_experiment_destroy(struct cs_experiment *experiment)
{
    if (!experiment)
        return;
    cs_guard_discard(&experiment->guarded);
    drop_json(experiment);
    cs_arena_destroy(experiment->arena);
}

struct cs_document cs_experiment_document(const struct cs_experiment *experiment,
                                          struct cs_strbuf text[2])
{
    cs_strbuf_clear(&text[0]);
    cs_strbuf_clear(&text[1]);
    cs_json_put(&text[0], experiment->source, 0);
    cs_parameters_put_stored(experiment->problem, experiment->supplied, &text[1]);
    return (struct cs_document){.kind = experiment->paper ? "paper" : "sweep",
                                .name = experiment->name,
                                .file = experiment->file,
                                .text = text[0].text,
                                .supplied = text[1].text,
                                .quick = experiment->quick,
                                .seed = experiment->seed};
}

int cs_experiment_keep(const struct cs_experiment *experiment, struct cs_store *store, int64_t *id,
                       struct cs_error *err)
{
    struct cs_strbuf text[2] = {CS_STRBUF_INIT, CS_STRBUF_INIT};
    struct cs_document document = cs_experiment_document(experiment, text);
    int status = cs_store_add_document(store, &document, id, err);

    cs_strbuf_release(&text[0]);
    cs_strbuf_release(&text[1]);
    return status;
}

/* Papers belong together, a sweep is known by its name, also when its file has changed. */
static bool is_at_home(const struct cs_document *document, const struct cs_document *there)
{
    return !strcmp(document->kind, there->kind) &&
           (!strcmp(document->kind, "paper") || !strcmp(document->name, there->name));
}

int cs_experiment_refuse_foreign(const struct cs_experiment *experiment, struct cs_store *store,
                                 struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_strbuf text[2] = {CS_STRBUF_INIT, CS_STRBUF_INIT};
    struct cs_document document = cs_experiment_document(experiment, text), *there;
    int count, status = cs_store_documents(store, arena, &there, &count, err);
    bool home = !status && count == 0;

    for (int d = 0; !status && d < count; d++)
        home = home || is_at_home(&document, &there[d]);
    if (!status && !home)
        status = cs_error_set(err,
                              "%s: holds another campaign (%s %s) and not %s %s; take another "
                              "--store, or add it with --allow-other-campaign",
                              cs_store_path(store), there->kind, there->name, document.kind,
                              document.name);
    cs_strbuf_release(&text[0]);
    cs_strbuf_release(&text[1]);
    cs_arena_destroy(arena);
    return status;
}

struct cs_experiment *cs_experiment_compile(const struct cs_document *document,
                                            struct cs_error *err)
{
    const struct cs_experiment_how how = {.name = document->name, .quick = document->quick};
    json_t *text = cs_json_load_memory(document->file, document->text, strlen(document->text), err);
    CS_JSON_HOLD(text);
    json_t *supplied = text ? cs_json_load_memory(document->file, document->supplied,
                                                  strlen(document->supplied), err)
                            : NULL;
    CS_JSON_HOLD(supplied);
    struct cs_experiment *experiment =
        supplied ? cs_experiment_create(text, document->file, &how, err) : NULL;

    if (experiment) {
        cs_experiment_give_all(experiment, supplied);
        cs_experiment_set_seed(experiment, document->seed);
    }
    return experiment;
}
