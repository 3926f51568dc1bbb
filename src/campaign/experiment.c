/* experiment.c - from a file or a document of a store to an experiment, and back. */
#include "campaign/experiment.h"
#include "base/guard.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "campaign/experiment_reader.h"
#include "campaign/parameters.h"
#include "campaign/store.h"
#include "config.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Everything of an experiment but its axes, metrics and claims. */

#define KEYS                                                                                       \
    "base|title|subtitle|place|citation|problem|seed|seeds|replicates|as|columns|divide|serial|"   \
    "needs|"                                                                                       \
    "set|vary|figure|x|panels|series|metrics|claims|notes|second_column|quick"
#define REPLICATES 1000000
#define COLUMNS 100

/* A parameter of a former release makes it another problem of today (problem/problem.h). */
static const struct cs_problem *update_problem(const struct cs_problem *problem, const json_t *part)
{
    const struct cs_problem *now = problem;
    const char *name;
    json_t *value;
    size_t i;

    json_object_foreach((json_t *)(uintptr_t)part, name, value)
    {
        if (now == problem)
            now = cs_problem_renamed(problem, name);
        if (now == problem)
            now = update_problem(problem, value);
    }
    json_array_foreach(part, i, value)
    {
        if (now == problem)
            now = update_problem(problem, value);
    }
    return now;
}

static int read_problem(struct cs_experiment_reader *reader)
{
    struct cs_json_at at;
    struct cs_error inner = {0};
    const char *name;

    if (cs_json_member(&reader->root, "problem", &at, reader->err) ||
        cs_json_string(&at, &name, reader->err))
        return -1;
    if (reader->experiment->problem)
        return 0;
    reader->experiment->problem = cs_problem_find(name, &inner);
    if (!reader->experiment->problem)
        return cs_member_error(&at, &inner, reader->err);
    reader->experiment->problem = update_problem(reader->experiment->problem, reader->root.value);
    reader->experiment->renamed = strcmp(reader->experiment->problem->name, name) != 0;
    return 0;
}

/* --- names of former releases --- */

/* Of an object whose keys are parameters. */
static int update_keys(struct cs_experiment_reader *reader, const struct cs_json_at *at)
{
    struct cs_experiment *experiment = reader->experiment;
    struct cs_error inner = {0};
    json_t *updated =
        json_is_object(at->value)
            ? cs_parameters_update(experiment->problem, at->value, experiment->warnings, &inner)
            : NULL;
    CS_JSON_HOLD(updated);

    if (updated) {
        json_object_clear(at->value);
        cs_json_update(at->value, updated);
    }
    return inner.text[0] ? cs_member_error(at, &inner, reader->err) : 0;
}

/* Of "set" in each member of an object, such as panels. */
static int update_sets(struct cs_experiment_reader *reader, struct cs_json_at object)
{
    const char *key;
    json_t *value;

    json_object_foreach(object.value, key, value)
    {
        struct cs_json_at at = cs_member_at(&object, key), set = cs_member_at(&at, "set");

        if (update_keys(reader, &set))
            return -1;
    }
    return 0;
}

/* Of a grid: its axes, and what objects on them set. */
static int update_grid(struct cs_experiment_reader *reader, const struct cs_json_at *grid)
{
    const char *key;
    json_t *value;

    if (update_keys(reader, grid))
        return -1;
    json_object_foreach(json_is_object(grid->value) ? grid->value : NULL, key, value)
    {
        struct cs_json_at axis = cs_member_at(grid, key);

        for (size_t v = 0; v < json_array_size(axis.value); v++) {
            struct cs_json_at at = cs_json_element(&axis, v);

            if (update_keys(reader, &at))
                return -1;
        }
    }
    return 0;
}

/* Of texts that name a parameter. */
static void update_words(struct cs_experiment_reader *reader, struct cs_json_at object)
{
    static const char *const key[] = {"parameter", "x", "series", "panel"};
    struct cs_experiment *experiment = reader->experiment;

    for (size_t k = 0; k < sizeof key / sizeof *key; k++) {
        const char *name = json_string_value(json_object_get(object.value, key[k]));

        if (name)
            cs_json_set(object.value, key[k],
                        json_string(cs_parameters_name(experiment->problem, name,
                                                       experiment->warnings, experiment->arena)));
    }
}

/* Read a copy of the document with today's names. */
static int update_names(struct cs_experiment_reader *reader)
{
    struct cs_experiment *experiment = reader->experiment;
    json_t *document = cs_json_made(json_deep_copy(experiment->document));
    struct cs_json_at at;

    json_decref(experiment->document);
    experiment->document = document;
    reader->root = cs_json_root(experiment->file, document);
    update_words(reader, cs_member_at(&reader->root, "x"));
    update_words(reader, cs_member_at(&reader->root, "figure"));
    for (const char *const *key = (const char *const[]){"set", "needs", NULL}; *key; key++) {
        at = cs_member_at(&reader->root, *key);
        if (update_keys(reader, &at))
            return -1;
    }
    at = cs_member_at(&reader->root, "vary");
    for (size_t g = 0; g < json_array_size(at.value); g++) {
        struct cs_json_at grid = cs_json_element(&at, g);

        if (update_grid(reader, &grid))
            return -1;
    }
    return update_grid(reader, &at) || update_sets(reader, cs_member_at(&reader->root, "panels")) ||
                   update_sets(reader, cs_member_at(&reader->root, "series"))
               ? -1
               : 0;
}

static int read_seed(struct cs_experiment_reader *reader)
{
    struct cs_json_at at = cs_member_at(&reader->root, "seed");
    int64_t seed = 1;

    if (at.value && cs_json_int64(&at, 0, INT64_MAX, &seed, reader->err))
        return -1;
    reader->experiment->seed = reader->experiment->declared = (uint64_t)seed;
    reader->experiment->seeds = 1;
    return cs_member_int(&reader->root, "seeds", 1, CS_EXPERIMENT_SEEDS, &reader->experiment->seeds,
                         reader->err);
}

static bool is_standard_input(const json_t *files)
{
    const char *name = json_string_value(files);

    for (size_t i = 0; i < json_array_size(files); i++)
        if (is_standard_input(json_array_get(files, i)))
            return true;
    return name && !strcmp(name, "-");
}

int cs_experiment_check_setting(struct cs_experiment_reader *reader, const struct cs_json_at *at,
                                const char *name)
{
    struct cs_error inner = {0};
    const struct cs_param *p = cs_cell_param(reader->experiment->problem, name, &inner);

    if (!p || cs_cell_check_value(p, name, at->value, &inner))
        return cs_member_error(at, &inner, reader->err);
    if (p->kind == CS_PARAM_PATH && is_standard_input(at->value))
        return cs_json_error(at, reader->err,
                             "standard input can be read only once, a file is wanted");
    return 0;
}

int cs_experiment_read_set(struct cs_experiment_reader *reader, const struct cs_json_at *object,
                           json_t **set)
{
    struct cs_json_at place = cs_member_at(object, "set");
    const char *name;
    json_t *value;

    *set = place.value;
    if (!place.value)
        return 0;
    if (cs_json_keys(&place, NULL, reader->err))
        return -1;
    json_object_foreach(place.value, name, value)
    {
        struct cs_json_at at = {.value = value, .above = &place, .key = name};

        if (cs_experiment_check_setting(reader, &at, name))
            return -1;
    }
    return 0;
}

static int read_notes(struct cs_experiment_reader *reader)
{
    struct cs_json_at list = cs_member_at(&reader->root, "notes");
    size_t count = 0;
    const char **note;

    if (list.value && cs_json_array(&list, &count, reader->err))
        return -1;
    note = CS_NEW_ARRAY(reader->experiment->arena, const char *, count);
    for (size_t i = 0; i < count; i++) {
        struct cs_json_at at = cs_json_element(&list, i);

        if (cs_json_string(&at, &note[i], reader->err))
            return -1;
    }
    reader->experiment->note = note;
    reader->experiment->notes = (int)count;
    return 0;
}

/* "needs": parameter, and its description. */
static int read_needs(struct cs_experiment_reader *reader)
{
    struct cs_experiment *experiment = reader->experiment;
    struct cs_json_at object = cs_member_at(&reader->root, "needs");
    struct cs_experiment_need *need;
    const char *key;
    json_t *value;

    if (!object.value)
        return 0;
    if (cs_json_keys(&object, NULL, reader->err))
        return -1;
    experiment->need = need =
        CS_NEW_ARRAY(experiment->arena, struct cs_experiment_need, json_object_size(object.value));
    json_object_foreach(object.value, key, value)
    {
        struct cs_json_at at = cs_member_at(&object, key);
        struct cs_error inner = {0};

        need[experiment->needs].parameter = key;
        if (!cs_cell_param(experiment->problem, key, &inner))
            return cs_member_error(&at, &inner, reader->err);
        if (cs_json_string(&at, &need[experiment->needs++].what, reader->err))
            return -1;
    }
    return 0;
}

/* Every need must be settable. */
static int check_needs(struct cs_experiment_reader *reader)
{
    const struct cs_experiment *experiment = reader->experiment;
    struct cs_json_at object = cs_member_at(&reader->root, "needs");

    for (int n = 0; n < experiment->needs; n++) {
        struct cs_json_at at = cs_member_at(&object, experiment->need[n].parameter);
        struct cs_error inner = {0};

        if (cs_experiment_takes(experiment, experiment->need[n].parameter, &inner))
            return cs_member_error(&at, &inner, reader->err);
    }
    return 0;
}

static int read_head(struct cs_experiment_reader *reader)
{
    struct cs_experiment *experiment = reader->experiment;
    const struct cs_json_at *root = &reader->root;
    struct cs_error *err = reader->err;
    int table = 0, means = 0;

    experiment->title = experiment->name;
    experiment->replicates = 1;
    if (cs_json_keys(root, KEYS, err) || read_problem(reader) || update_names(reader) ||
        cs_member_string(root, "title", &experiment->title, err) ||
        cs_member_string(root, "subtitle", &experiment->subtitle, err) ||
        cs_member_string(root, "place", &experiment->place, err) ||
        cs_member_string(root, "citation", &experiment->citation, err) || read_seed(reader) ||
        cs_member_int(root, "replicates", 1, REPLICATES, &experiment->replicates, err) ||
        cs_member_choice(root, "as", "figure|table|forest", &table, err) ||
        cs_member_int(root, "columns", 1, COLUMNS, &experiment->columns, err) ||
        cs_member_choice(root, "divide", "runs|means", &means, err) ||
        cs_member_bool(root, "serial", &experiment->serial, err) || read_needs(reader) ||
        cs_experiment_read_set(reader, root, &experiment->set))
        return -1;
    experiment->table = table >= 1;
    experiment->forest = table == 2;
    experiment->means = means == 1;
    return read_notes(reader);
}

/* Axes are declared in one of two forms. */
static int read_axes(struct cs_experiment_reader *reader)
{
    const struct cs_json_at *root = &reader->root;

    reader->vary = cs_member_at(root, "vary");
    reader->experiment->paper =
        cs_json_has(root, "panels") || cs_json_has(root, "series") || cs_json_has(root, "x");
    if (!reader->experiment->paper && cs_json_has(root, "seeds"))
        return cs_json_error(root, reader->err, "seeds go with panels and series");
    if (!reader->experiment->paper)
        return cs_experiment_read_axes(reader) || cs_experiment_read_figure(reader) ? -1 : 0;
    if (reader->vary.value || cs_json_has(root, "figure"))
        return cs_json_error(root, reader->err,
                             "found panels, series or x with vary or figure, expected one of the "
                             "two forms");
    return cs_experiment_read_panels(reader);
}

/* All of it. */
static int experiment_read_document(struct cs_experiment_reader *reader)
{
    return read_head(reader) || read_axes(reader) || cs_experiment_read_metrics(reader) ||
                   check_needs(reader) || cs_experiment_check_subtitle(reader) ||
                   cs_experiment_make_cells(reader) || cs_experiment_read_claims(reader)
               ? -1
               : 0;
}

/* Which experiments lie below a folder. */

struct list {
    struct cs_arena *arena;
    const char **name;
    int count, capacity;
};

struct folder {
    struct cs_guarded guarded;
    DIR *stream;
};

static void experiment_list_drop(struct cs_guarded *guarded)
{
    closedir(((struct folder *)(void *)guarded)->stream);
}

static void experiment_list_add(struct list *list, const char *name, size_t length)
{
    if (list->count == list->capacity) {
        int capacity = 2 * list->capacity + 16;
        const char **grown = CS_NEW_ARRAY(list->arena, const char *, capacity);

        for (int i = 0; i < list->count; i++)
            grown[i] = list->name[i];
        list->name = grown;
        list->capacity = capacity;
    }
    list->name[list->count++] = cs_arena_strndup(list->arena, name, length);
}

static bool is_folder(const char *path)
{
    struct stat status;

    return !stat(path, &status) && S_ISDIR(status.st_mode);
}

/* `path` is the folder, its first `root` bytes are not part of names. */
static int experiment_list_visit(struct list *list, struct cs_strbuf *path, size_t root)
{
    const size_t length = path->length;
    struct folder folder = {.stream = opendir(path->text)};
    struct dirent *entry;

    if (!folder.stream)
        return -1;
    cs_guard_keep(&folder.guarded, experiment_list_drop);
    while ((entry = readdir(folder.stream))) {
        size_t size = strlen(entry->d_name);

        if (entry->d_name[0] == '.' || entry->d_name[0] == '_')
            continue;
        path->length = length;
        path->text[length] = 0;
        cs_strbuf_printf(path, "/%s", entry->d_name);
        if (is_folder(path->text))
            experiment_list_visit(list, path, root);
        else if (size > 5 && !strcmp(entry->d_name + size - 5, ".json"))
            experiment_list_add(list, path->text + root, strlen(path->text) - root - 5);
    }
    cs_guard_discard(&folder.guarded);
    closedir(folder.stream);
    return 0;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char *cs_experiment_folder(const char *folder)
{
    return folder ? folder : CS_DATADIR "/papers";
}

int cs_experiment_list(const char *folder, struct cs_arena *arena, const char *const **names,
                       int *count, struct cs_error *err)
{
    struct list list = {.arena = arena};
    struct cs_strbuf path = CS_STRBUF_INIT;
    int status;

    cs_strbuf_puts(&path, folder);
    status = experiment_list_visit(&list, &path, path.length + 1);
    cs_strbuf_release(&path);
    if (status)
        return cs_error_set(err, "%s: there is no such folder of papers", folder);
    if (list.count)
        qsort(list.name, (size_t)list.count, sizeof *list.name, compare);
    *names = list.name;
    *count = list.count;
    return 0;
}

/* Lay the document over the one that its "base" names.  Takes the reference; NULL with err. */
static json_t *lay_over_base(json_t *document, const char *file, struct cs_error *err)
{
    const struct cs_json_at root = cs_json_root(file, document);
    struct cs_strbuf path = CS_STRBUF_INIT;
    const char *slash = strrchr(file, '/'), *name = NULL;
    json_t *base, *merged;
    CS_JSON_HOLD(document);
    CS_HOLD(base_hold);

    if (cs_json_keys(&root, NULL, err) || cs_member_string(&root, "base", &name, err))
        return NULL;
    if (!name)
        return cs_unhold(&document_hold);
    cs_strbuf_append(&path, file, slash ? (size_t)(slash - file) + 1 : 0);
    cs_strbuf_puts(&path, name);
    base = cs_json_load(path.text, err);
    cs_json_hold(&base_hold, base);
    merged = base ? cs_member_merge(base, document) : NULL;
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

/* The document with so many seeds, which a store keeps with it. */
static json_t *pool_seeds(json_t *document, int seeds)
{
    json_t *patch = cs_json_pair("seeds", json_integer(seeds));
    CS_JSON_HOLD(patch);

    return cs_member_merge(document, patch);
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
    experiment->source = how->seeds > 1 ? pool_seeds(document, how->seeds) : json_incref(document);
    experiment->document = how->quick && quick ? cs_member_merge(experiment->source, quick)
                                               : json_incref(experiment->source);
    experiment->supplied = cs_json_made(json_object());
    experiment->owned = cs_json_made(json_array());
    experiment->warnings = cs_json_made(json_object());
    reader.root = cs_json_root(experiment->file, experiment->document);
    if (!experiment_read_document(&reader))
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
