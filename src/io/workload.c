/* workload.c - what is inside a file decides how it is read. */
#include "io/workload.h"

#include "base/file.h"
#include "base/guard.h"
#include "base/plain.h"
#include "base/source.h"
#include "base/watch.h"
#include "io/measure.h"
#include "io/modes.h"
#include "io/names.h"
#include "io/psplib.h"
#include "io/schedule_json.h"
#include "io/timings.h"
#include "io/workload_columns.h"
#include "model/workload.h"

#include <limits.h>
#include <string.h>

/* A JSON document begins with a brace or a bracket, which no header of a table does. */
static bool workload_is_json(const char *bytes, size_t size)
{
    size_t at = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

    while (at < size && strchr(" \t\r\n", bytes[at]) && bytes[at])
        at++;
    return at < size && (bytes[at] == '{' || bytes[at] == '[');
}

static struct cs_workload *workload_read_csv(const char *name, const void *bytes, size_t size,
                                             const struct cs_workload_options *options,
                                             struct cs_error *err)
{
    struct cs_csv *csv = cs_csv_open_any(name, bytes, size, err);
    struct cs_workload *workload = csv ? cs_workload_csv_read(csv, options, err) : NULL;

    cs_csv_close(csv);
    return workload;
}

/* The document itself, or the instance in a schedule or plan. */
static struct cs_workload *read_document(const struct cs_json_at *root,
                                         const struct cs_workload_options *options,
                                         struct cs_error *err)
{
    const char *format = json_string_value(json_object_get(root->value, "format"));
    struct cs_json_at instance;

    if (!format || strcmp(format, CS_SCHEDULE_FORMAT) != 0)
        return cs_workload_json_read(root, options, err);
    if (!cs_json_has(root, "instance")) {
        cs_json_error(root, err,
                      "key \"instance\" is missing: this schedule does not hold the applications "
                      "that it was made of");
        return NULL;
    }
    if (cs_json_member(root, "instance", &instance, err))
        return NULL;
    return cs_workload_json_read(&instance, options, err);
}

static struct cs_workload *workload_read_json(const char *name, const void *bytes, size_t size,
                                              const struct cs_workload_options *options,
                                              struct cs_error *err)
{
    json_t *document = cs_json_load_memory(name, bytes, size, err);
    CS_JSON_HOLD(document);
    struct cs_json_at root = cs_json_root(name, document);
    struct cs_workload *workload = document ? read_document(&root, options, err) : NULL;

    return workload;
}

/* ---- timings of other tools ---- */

/* The measures of the rows, one task for each application. */
static struct cs_measure *rows_measure(const struct cs_timings *timings, struct cs_names *names,
                                       struct cs_arena *arena)
{
    struct cs_measure *measure = CS_NEW_ARRAY(arena, struct cs_measure, timings->rows);

    for (int r = 0; r < timings->rows; r++)
        measure[r] = (struct cs_measure){.task = cs_names_add(names, timings->row[r].app),
                                         .procs = (int)timings->row[r].procs,
                                         .seconds = timings->row[r].seconds};
    return measure;
}

static struct cs_timings_options tool_options(const struct cs_workload_options *options)
{
    return (struct cs_timings_options){.app = options->app,
                                       .count = options->count,
                                       .unit = options->unit,
                                       .metric = options->metric,
                                       .region = options->region,
                                       .decimal = options->decimal};
}

/* The runs as a workload, whose remark are these lines and caveats about the times. */
static struct cs_workload *timings_make(const char *name, const struct cs_timings *timings,
                                        const struct cs_workload_options *options,
                                        struct cs_strbuf *remark, struct cs_arena *arena)
{
    struct cs_names *names = cs_names_create(arena);
    struct cs_measure *measure = rows_measure(timings, names, arena);
    struct cs_workload *workload;
    struct cs_profile *profile;
    int count;
    const char *const *list = cs_names_list(names, &count);

    profile = CS_NEW_ARRAY(arena, struct cs_profile, count);
    cs_measure_profiles(measure, (size_t)timings->rows, options, profile, arena);
    workload = cs_workload_create(count, list, profile, NULL);
    cs_measure_put_caveats(measure, (size_t)timings->rows, list, name, NULL, remark);
    if (remark->length)
        cs_workload_set_remark(workload, remark->text);
    return workload;
}

static struct cs_workload *read_timings(const char *name, const char *text, size_t size,
                                        const struct cs_workload_options *options,
                                        struct cs_error *err)
{
    const struct cs_timings_options how = tool_options(options);
    struct cs_arena *arena = cs_arena_create();
    struct cs_strbuf remark = CS_STRBUF_INIT;
    struct cs_workload *workload = NULL;
    struct cs_timings timings;

    if (!cs_timings_read(name, text, size, &how, arena, &timings, err)) {
        cs_timings_put_remarks(name, &timings, &remark);
        workload = timings_make(name, &timings, options, &remark, arena);
    }
    cs_strbuf_release(&remark);
    cs_arena_destroy(arena);
    return workload;
}

/* Does the header of a table have the columns that the reader of tables knows? */
static bool has_columns(const char *name, const char *text, size_t size)
{
    struct cs_error ignored = {0};
    struct cs_csv *csv = cs_csv_open_any(name, text, size, &ignored);
    struct cs_workload_columns column;
    const bool has = csv && !cs_workload_columns_find(csv, &column, &ignored);

    cs_csv_close(csv);
    return has;
}

/* Is there a comma in the numbers of such a table? */
static bool has_commas(const char *name, const char *text, size_t size)
{
    struct cs_error ignored = {0};
    struct cs_csv *csv = cs_csv_open_any(name, text, size, &ignored);
    struct cs_workload_columns column;
    bool has = false;

    if (csv && !cs_workload_columns_find(csv, &column, &ignored) && !column.formulas)
        while (!has && cs_csv_next(csv, &ignored) > 0)
            has = strchr(cs_csv_text(csv, column.procs), ',') ||
                  strchr(cs_csv_text(csv, column.seconds), ',');
    cs_csv_close(csv);
    return has;
}

/* Do the bytes from here begin with the word? */
static bool bytes_begin(const char *at, const char *end, const char *word)
{
    return (size_t)(end - at) >= strlen(word) && !memcmp(at, word, strlen(word));
}

/* Documents of cosched name their format; no tool of timings writes such a name. */
static bool is_of_cosched(const char *text, size_t size)
{
    static const char key[] = "\"format\"";
    const char *end = text + size, *at = text;

    while (at && !bytes_begin(at, end, key))
        at = at < end ? memchr(at + 1, '"', (size_t)(end - at) - 1) : NULL;
    if (!at)
        return false;
    for (at += strlen(key); at < end && *at && strchr(" \t\r\n:", *at);)
        at++;
    return bytes_begin(at, end, "\"cosched-");
}

/* ---- projects ---- */

static bool is_patterson(const char *name)
{
    const size_t length = strlen(name);

    return length > 4 && !strcmp(name + length - 4, ".rcp");
}

/* Has the text a line of a project of PSPLIB, or the name the ending of Patterson's? */
static bool is_project(const char *name, const char *text, size_t size)
{
    char line[120];

    if (is_patterson(name))
        return true;
    for (size_t at = 0, lines = 0; at < size && lines < 40; lines++) {
        size_t end = at;

        while (end < size && text[end] != '\n')
            end++;
        cs_plain_print(line, sizeof line, "%.*s", (int)(end - at < 100 ? end - at : 100),
                       text + at);
        if (cs_psplib_begins(line))
            return true;
        at = end + 1;
    }
    return false;
}

const char *cs_workload_kind(const char *name, const char *text, size_t size)
{
    const char *kind = size && !(workload_is_json(text, size) && is_of_cosched(text, size))
                           ? cs_timings_kind(name, text, size)
                           : NULL;

    if (is_project(name, text, size))
        return "PSPLIB";
    return kind && strcmp(kind, "table") != 0 ? kind : NULL;
}

/* A table, or a log of a tool. Of what both readers reject the message is that of the reader of
 * tables, unless it is about decimal commas or options. */
static struct cs_workload *read_lines(const char *name, const char *text, size_t size,
                                      const struct cs_workload_options *options,
                                      struct cs_error *err)
{
    const bool asked = options->app || options->unit || options->decimal;
    const bool table = has_columns(name, text, size);
    struct cs_error of_table = {0}, of_timings = {0};
    struct cs_workload *workload = NULL;

    if (table && !asked) {
        workload = workload_read_csv(name, text, size, options, &of_table);
        if (workload)
            return workload;
        if (!has_commas(name, text, size)) {
            cs_error_pass(err, &of_table);
            return NULL;
        }
    }
    workload = read_timings(name, text, size, options, &of_timings);
    if (workload)
        return workload;
    if (!table && !cs_workload_kind(name, text, size))
        workload_read_csv(name, text, size, options, &of_table);
    cs_error_pass(err, !*of_table.text || strstr(of_timings.text, "decimal") ||
                               cs_plain_begins(of_timings.text, "--")
                           ? &of_timings
                           : &of_table);
    return NULL;
}

/* ---- projects: their tasks ---- */

static struct cs_workload *project_make(const struct cs_modes *modes,
                                        const struct cs_workload_options *options,
                                        struct cs_arena *arena, struct cs_error *err)
{
    struct cs_profile *profile = CS_NEW_ARRAY(arena, struct cs_profile, modes->tasks);
    struct cs_workload *workload;

    for (int i = 0; i < modes->tasks; i++)
        profile[i] = cs_modes_profile(modes, i, arena);
    workload = cs_workload_create(modes->tasks, modes->task_name, profile, err);
    if (!workload)
        return NULL;
    workload->procs = modes->tasks > 0 ? modes->tasks : 1;
    if (options->modes)
        cs_workload_set_modes(workload, modes);
    else
        cs_workload_set_remark(workload, "resources and precedence of the project are not read: "
                                         "only processors are limited, tasks count as independent");
    return workload;
}

static struct cs_workload *read_project(const char *name, const char *text, size_t size,
                                        const struct cs_workload_options *options,
                                        struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_lines *lines = cs_lines_open_memory(name, text, size);
    struct cs_workload *workload = NULL;
    struct cs_modes modes;

    if (!cs_psplib_read(lines, is_patterson(name), arena, &modes, err)) {
        modes.source = name;
        workload = project_make(&modes, options, arena, err);
    }
    cs_lines_close(lines);
    cs_arena_destroy(arena);
    return workload;
}

struct cs_workload *cs_workload_read_memory(const char *name, const void *bytes, size_t size,
                                            const struct cs_workload_options *options,
                                            struct cs_error *err)
{
    struct cs_workload *workload;

    if (is_project(name, bytes, size))
        workload = read_project(name, bytes, size, options, err);
    else if (!workload_is_json(bytes, size))
        workload = read_lines(name, bytes, size, options, err);
    else if (cs_workload_kind(name, bytes, size))
        workload = read_timings(name, bytes, size, options, err);
    else
        workload = workload_read_json(name, bytes, size, options, err);
    if (workload)
        cs_workload_set_source(workload, name);
    return workload;
}

static const struct cs_workload_options usual = {.size = sizeof(struct cs_workload_options),
                                                 .fill = CS_FILL_POWER,
                                                 .fewer = CS_FEWER_REFUSE,
                                                 .times = CS_TIMES_MIN};

static struct cs_workload *read_file(const char *path, const struct cs_workload_options *options,
                                     struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_workload *workload = NULL;

    if (cs_file_read(path, CS_FILE_LARGEST, &text, err) == 0)
        workload =
            cs_workload_read_memory(cs_source_name(path), text.text, text.length, options, err);
    cs_strbuf_release(&text);
    return workload;
}

static const char *const *join_paths(const char *path, const char *const *more, int *count,
                                     struct cs_arena *arena)
{
    const char **all;

    for (*count = 1; more && more[*count - 1];)
        ++*count;
    all = CS_NEW_ARRAY(arena, const char *, *count);
    all[0] = path;
    for (int i = 1; i < *count; i++)
        all[i] = more[i - 1];
    return all;
}

/* Several files, or directories; of a directory with one file, this file. */
static struct cs_workload *read_several(const char *path, const struct cs_workload_options *options,
                                        struct cs_arena *arena, struct cs_error *err)
{
    const struct cs_timings_options how = tool_options(options);
    struct cs_strbuf remark = CS_STRBUF_INIT;
    struct cs_workload *workload = NULL;
    struct cs_timings timings;
    int count, files;
    const char *const *all = join_paths(path, options->more, &count, arena), *const * file;
    const char *name = count == 1 ? path : "the timings";

    if (count == 1 && cs_file_list(path, arena, &file, &files, err))
        return NULL;
    if (count == 1 && files == 1)
        return read_file(file[0], options, err);
    if (!cs_timings_read_files(all, count, &how, arena, &timings, &remark, err)) {
        workload = timings_make(name, &timings, options, &remark, arena);
        cs_workload_set_source(workload, name);
    }
    cs_strbuf_release(&remark);
    return workload;
}

struct cs_workload *cs_workload_read(const char *path, const struct cs_workload_options *options,
                                     struct cs_error *err)
{
    CS_ASK(path, err, NULL);
    CS_GUARD(err, NULL);
    const struct cs_workload_options *how = options ? options : &usual;
    struct cs_workload *workload;
    struct cs_arena *arena;

    if (cs_ask_size("the options of a workload", how->size, sizeof *how, err))
        return NULL;
    if (!(how->more && *how->more) && !cs_file_is_folder(path))
        return read_file(path, how, err);
    arena = cs_arena_create();
    workload = read_several(path, how, arena, err);
    cs_arena_destroy(arena);
    return workload;
}

int cs_workload_write(const struct cs_workload *workload, const char *note, const char *path,
                      struct cs_error *err)
{
    CS_ASK(workload && path, err, -1);
    CS_GUARD(err, -1);
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&text);
    int status;

    cs_workload_json_put(&w, workload, note);
    cs_jsonw_end(&w);
    status = cs_watch_settle(0, err) || cs_file_write(path, text.text, text.length, err) ? -1 : 0;
    cs_strbuf_release(&text);
    return status;
}
