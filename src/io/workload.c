/* workload.c - what is inside a file decides how it is read. */
#include "io/workload.h"

#include "base/file.h"
#include "base/guard.h"
#include "base/source.h"
#include "base/watch.h"
#include "io/schedule_json.h"
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

static const struct cs_timings_format formats[] = {
#define TIMINGS(form, detect, read) {form, false, detect, read},
#define GENERIC(form, detect, read) {form, true, detect, read},
#include "io/timings.def"
};

const struct cs_timings_format *cs_timings_find(const char *text, size_t size)
{
    const struct cs_timings_format *format = formats;

    while (format->detect && !format->detect(text, size))
        format++;
    return format;
}

struct cs_workload *cs_workload_read_memory(const char *name, const void *bytes, size_t size,
                                            const struct cs_workload_options *options,
                                            struct cs_error *err)
{
    struct cs_workload *workload =
        cs_timings_find(bytes, size)->read(name, bytes, size, options, err);

    if (workload)
        cs_workload_set_source(workload, name);
    return workload;
}

struct cs_workload *cs_workload_read(const char *path, const struct cs_workload_options *options,
                                     struct cs_error *err)
{
    CS_ASK(path, err, NULL);
    CS_GUARD(err, NULL);
    const struct cs_workload_options fallback = {.size = sizeof(struct cs_workload_options),
                                                 .fill = CS_FILL_POWER,
                                                 .fewer = CS_FEWER_REFUSE,
                                                 .times = CS_TIMES_MIN};
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_workload *workload = NULL;

    if (options && cs_ask_size("the options of a workload", options->size, sizeof *options, err))
        return NULL;
    if (cs_file_read(path, CS_FILE_LARGEST, &text, err) == 0)
        workload = cs_workload_read_memory(cs_source_name(path), text.text, text.length,
                                           options ? options : &fallback, err);
    cs_strbuf_release(&text);
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
