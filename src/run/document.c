/* document.c - run files, and inputs that are none. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "run/document.h"

#include "base/file.h"
#include "base/json_make.h"
#include "run/executor.h"
#include "run/program.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

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
    struct cs_json_at root = cs_json_root(path, d->json);
    struct cs_strbuf input = CS_STRBUF_INIT;
    const char *name;
    int status = -1;

    if (cs_run_check_owner(path, group, err) || cs_json_get_string(&root, "input", &name, err))
        return -1;
    d->folder = folder_of(path, arena, err);
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

static int set_decide(struct cs_run_document *d)
{
    if (!json_object_get(d->json, "decide"))
        cs_run_document_set(d, NULL, "decide",
                            json_string(looks_like_json(&d->bytes) ? "follow" : "queue"));
    return 0;
}

static void let_go(struct cs_run_document *d)
{
    if (d->json)
        cs_release(&d->held);
    d->json = NULL;
}

int cs_run_document_open(const char *path, bool group, struct cs_arena *arena,
                         struct cs_run_document *d, struct cs_error *err)
{
    const char *format;

    *d = (struct cs_run_document){.file = path, .input = path, .bytes = CS_STRBUF_INIT};
    if (cs_file_read(path, CS_FILE_LARGEST, &d->bytes, err))
        return -1;
    if (looks_like_json(&d->bytes)) {
        d->json = cs_json_load_memory(path, d->bytes.text, d->bytes.length, err);
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
    cs_run_document_set(d, NULL, "format", json_string(RUN_FORMAT));
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
static json_t *find(struct cs_run_document *document, const char *object)
{
    if (!json_object_get(document->json, object))
        cs_json_set(document->json, object, json_object());
    return json_object_get(document->json, object);
}

void cs_run_document_set(struct cs_run_document *document, const char *object, const char *key,
                         json_t *value)
{
    struct cs_hold held;
    json_t *in;

    cs_json_hold(&held, cs_json_made(value));
    in = object && document->json ? find(document, object) : document->json;
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

/* One that is not here stays as it is: whether it must be is known when all is (refuse.c). */
static void resolve_list(const struct cs_run_document *d, json_t *settings, const char *key)
{
    json_t *list = json_object_get(settings, key);
    const char *program = json_string_value(json_array_get(list, 0));
    struct cs_strbuf path = CS_STRBUF_INIT;
    struct cs_error told = {0};

    if (program && !strpbrk(program, "{}") &&
        !cs_run_program_find(program, d->folder, &path, &told))
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

void cs_run_document_resolve(struct cs_run_document *d)
{
    json_t *settings;
    const char *name;

    resolve_settings(d, json_object_get(d->json, "task"));
    json_object_foreach(json_object_get(d->json, "tasks"), name, settings)
        resolve_settings(d, settings);
}
