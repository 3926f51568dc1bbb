/* experiment_head.c - the head of a sweep: everything but what varies. */
#include "campaign/experiment_reader.h"

#include "campaign/field.h"
#include "campaign/parameters.h"

#include <limits.h>
#include <string.h>

#define KEYS "title|problem|seed|replicates|set|vary|metrics|figure"
#define REPLICATES 1000000

static int read_runner(struct cs_experiment_reader *reader)
{
    struct cs_json_at at;
    struct cs_error inner = {{0}};
    const char *name;

    if (cs_json_member(&reader->root, "problem", &at, reader->err) ||
        cs_json_string(&at, &name, reader->err))
        return -1;
    reader->sweep->runner = cs_runner_find(name, &inner);
    return reader->sweep->runner ? 0 : cs_field_error(&at, &inner, reader->err);
}

static int read_seed(struct cs_experiment_reader *reader)
{
    struct cs_json_at at = cs_field_at(&reader->root, "seed");
    int64_t seed = 1;

    if (at.value && cs_json_int64(&at, 0, INT64_MAX, &seed, reader->err))
        return -1;
    reader->sweep->seed = (uint64_t)seed;
    return 0;
}

static int read_set(struct cs_experiment_reader *reader)
{
    struct cs_json_at set = cs_field_at(&reader->root, "set");
    const char *name;
    json_t *value;

    if (!set.value)
        return 0;
    if (cs_json_keys(&set, NULL, reader->err))
        return -1;
    json_object_foreach(set.value, name, value)
    {
        struct cs_json_at at = {.value = value, .above = &set, .key = name};
        struct cs_error inner = {{0}};
        const struct cs_parameter *p = cs_runner_parameter(reader->sweep->runner, name, &inner);

        if (!p || cs_parameter_check(p, value, &inner))
            return cs_field_error(&at, &inner, reader->err);
        if (p->kind == CS_PARAMETER_FILE && !strcmp(json_string_value(value), "-"))
            return cs_json_error(&at, reader->err,
                                 "standard input can be read only once, a file is wanted");
    }
    reader->set = set.value;
    return 0;
}

/* All that are the same on every machine. */
static void take_metrics(struct cs_experiment *sweep)
{
    const struct cs_metric *metric = sweep->runner->metrics;

    for (int m = 0; metric[m].name; m++)
        if (!metric[m].measured)
            sweep->metric[sweep->metrics++] = m;
}

static int read_metrics(struct cs_experiment_reader *reader)
{
    struct cs_experiment *sweep = reader->sweep;
    struct cs_json_at list = cs_field_at(&reader->root, "metrics");
    size_t count;

    sweep->metric = CS_NEW_ARRAY(sweep->arena, int, cs_runner_metrics(sweep->runner));
    if (!list.value) {
        take_metrics(sweep);
        return 0;
    }
    if (cs_json_array(&list, &count, reader->err))
        return -1;
    if (!count)
        return cs_json_error(&list, reader->err, "has no metrics");
    for (size_t i = 0; i < count; i++) {
        struct cs_json_at at = cs_json_element(&list, i);
        struct cs_error inner = {{0}};
        const char *name;
        int metric;

        if (cs_json_string(&at, &name, reader->err))
            return -1;
        metric = cs_runner_metric(sweep->runner, name, &inner);
        if (metric < 0)
            return cs_field_error(&at, &inner, reader->err);
        for (int m = 0; m < sweep->metrics; m++)
            if (sweep->metric[m] == metric)
                return cs_json_error(&at, reader->err, "the same as metrics[%d]", m);
        sweep->metric[sweep->metrics++] = metric;
    }
    return 0;
}

static int find_axis(const struct cs_experiment *sweep, const char *name)
{
    for (int a = 0; a < sweep->axes; a++)
        if (!strcmp(sweep->axis[a].name, name))
            return a;
    return -1;
}

static int read_place(struct cs_experiment_reader *reader, const struct cs_json_at *figure,
                      const char *key, int *out)
{
    struct cs_json_at at = cs_field_at(figure, key);
    struct cs_strbuf names = CS_STRBUF_INIT;
    const struct cs_experiment *sweep = reader->sweep;
    const char *name;

    if (!at.value)
        return 0;
    if (cs_json_string(&at, &name, reader->err))
        return -1;
    *out = find_axis(sweep, name);
    if (*out >= 0)
        return 0;
    for (int a = 0; a < sweep->axes; a++)
        cs_strbuf_printf(&names, "%s%s", a ? ", " : "there are ", sweep->axis[a].name);
    cs_json_error(&at, reader->err, "'%s' does not vary; %s", name,
                  sweep->axes ? names.text : "nothing does");
    cs_strbuf_release(&names);
    return -1;
}

static bool is_taken(const struct cs_experiment *sweep, int axis)
{
    return axis == sweep->x || axis == sweep->series || axis == sweep->panel;
}

/* The free axis with the most values, of numbers if so asked; the first of several. */
static int find_free(const struct cs_experiment *sweep, bool numbers)
{
    int best = -1;

    for (int a = 0; a < sweep->axes; a++)
        if (!is_taken(sweep, a) && (sweep->axis[a].numbers || !numbers) &&
            (best < 0 || sweep->axis[a].count > sweep->axis[best].count))
            best = a;
    return best;
}

/* The first free axis of words, or of anything. */
static int find_series(const struct cs_experiment *sweep)
{
    for (int a = 0; a < sweep->axes; a++)
        if (!is_taken(sweep, a) && !sweep->axis[a].numbers)
            return a;
    return find_free(sweep, false);
}

/* What the file does not say: numbers go on the x axis, words make series. */
static void guess_figure(struct cs_experiment *sweep)
{
    if (sweep->x < 0)
        sweep->x = find_free(sweep, true);
    if (sweep->series < 0)
        sweep->series = find_series(sweep);
    if (sweep->x < 0)
        sweep->x = find_free(sweep, false);
    if (sweep->panel < 0)
        sweep->panel = find_free(sweep, false);
}

static int read_figure(struct cs_experiment_reader *reader)
{
    struct cs_experiment *sweep = reader->sweep;
    struct cs_json_at figure = cs_field_at(&reader->root, "figure");

    sweep->x = sweep->series = sweep->panel = -1;
    if (figure.value) {
        if (cs_json_keys(&figure, "x|series|panel", reader->err) ||
            read_place(reader, &figure, "x", &sweep->x) ||
            read_place(reader, &figure, "series", &sweep->series) ||
            read_place(reader, &figure, "panel", &sweep->panel))
            return -1;
        if ((sweep->x >= 0 && (sweep->x == sweep->series || sweep->x == sweep->panel)) ||
            (sweep->series >= 0 && sweep->series == sweep->panel))
            return cs_json_error(&figure, reader->err,
                                 "x, series and panel are three different axes");
    }
    guess_figure(sweep);
    return 0;
}

static int read_document(struct cs_experiment_reader *reader)
{
    struct cs_experiment *sweep = reader->sweep;
    struct cs_error *err = reader->err;

    sweep->title = sweep->name;
    sweep->replicates = 1;
    if (cs_json_keys(&reader->root, KEYS, err) || read_runner(reader) ||
        cs_field_string(&reader->root, "title", &sweep->title, err) || read_seed(reader) ||
        cs_field_int(&reader->root, "replicates", 1, REPLICATES, &sweep->replicates, err) ||
        read_set(reader) || cs_experiment_read_axes(reader) || read_metrics(reader) ||
        read_figure(reader))
        return -1;
    return cs_experiment_make_cells(reader);
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

struct cs_experiment *cs_experiment_create(json_t *document, const char *file, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_experiment *sweep = CS_NEW(arena, struct cs_experiment);
    struct cs_experiment_reader reader = {.sweep = sweep, .err = err};

    *sweep = (struct cs_experiment){.arena = arena,
                                    .name = find_stem(arena, file),
                                    .file = cs_arena_strdup(arena, file),
                                    .folder = find_folder(arena, file),
                                    .document = json_incref(document),
                                    .owned = json_array()};
    reader.root = cs_json_root(sweep->file, document);
    if (!read_document(&reader))
        return sweep;
    cs_experiment_destroy(sweep);
    return NULL;
}

struct cs_experiment *cs_experiment_read(const char *file, struct cs_error *err)
{
    json_t *document = cs_json_load(file, err);
    struct cs_experiment *sweep = document ? cs_experiment_create(document, file, err) : NULL;

    json_decref(document);
    return sweep;
}

void cs_experiment_destroy(struct cs_experiment *sweep)
{
    if (!sweep)
        return;
    for (int c = 0; c < sweep->count; c++)
        json_decref(sweep->cell[c].parameters);
    json_decref(sweep->owned);
    json_decref(sweep->document);
    cs_arena_destroy(sweep->arena);
}

static int append(const char *bytes, size_t size, void *out)
{
    cs_strbuf_append(out, bytes, size);
    return 0;
}

void cs_experiment_text(const struct cs_experiment *sweep, struct cs_strbuf *out)
{
    json_dump_callback(sweep->document, append, out, JSON_COMPACT);
}
