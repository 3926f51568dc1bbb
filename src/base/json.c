/* json.c - documents from jansson, and places in them. */
#include "base/json.h"

#include "base/bug.h"
#include "base/file.h"
#include "base/plain.h"
#include "base/source.h"

#include <limits.h>
#include <stdarg.h>
#include <string.h>

static json_t *parse(const char *name, const struct cs_strbuf *text, struct cs_error *err)
{
    const size_t mark = !strncmp(text->text, "\xef\xbb\xbf", 3) ? 3 : 0;
    json_error_t why;
    const locale_t before = cs_plain_enter();
    json_t *document = json_loadb(text->text + mark, text->length - mark,
                                  JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &why);

    cs_plain_leave(before);
    if (document)
        return document;
    if (!text->text[mark + strspn(text->text + mark, " \t\r\n")])
        cs_error_set(err, "%s: empty, expected JSON", name);
    else if (!*why.text || json_error_code(&why) == json_error_out_of_memory)
        cs_bug_no_memory(text->length);
    else
        cs_error_set(err, "%s:%d:%d: %s", name, why.line, why.column, why.text);
    return NULL;
}

json_t *cs_json_load(const char *path, struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    json_t *document = NULL;

    if (!cs_file_read(path, CS_JSON_LARGEST, &text, err))
        document = parse(cs_source_name(path), &text, err);
    cs_strbuf_release(&text);
    return document;
}

json_t *cs_json_load_memory(const char *name, const void *bytes, size_t size, struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    json_t *document;

    cs_strbuf_append(&text, bytes, size);
    document = parse(name, &text, err);
    cs_strbuf_release(&text);
    return document;
}

struct cs_json_at cs_json_root(const char *file, json_t *document)
{
    return (struct cs_json_at){.value = document, .key = file};
}

static void put_path(struct cs_strbuf *out, const struct cs_json_at *at)
{
    if (!at->above)
        return;
    put_path(out, at->above);
    if (at->key)
        cs_strbuf_printf(out, "%s%.60s", at->above->above ? "." : "", at->key);
    else
        cs_strbuf_printf(out, "[%zu]", at->index);
}

static const char *file_of(const struct cs_json_at *at)
{
    while (at->above)
        at = at->above;
    return at->key;
}

int cs_json_error(const struct cs_json_at *at, struct cs_error *err, const char *format, ...)
{
    struct cs_strbuf path = CS_STRBUF_INIT;
    char sentence[CS_ERROR_SIZE];
    va_list args;

    va_start(args, format);
    cs_plain_vprint(sentence, sizeof sentence, format, args);
    va_end(args);
    put_path(&path, at);
    cs_error_set(err, "%s: %s%s%s", file_of(at), path.text, path.length ? ": " : "", sentence);
    cs_strbuf_release(&path);
    return -1;
}

static const char *kind_of(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a string";
    case JSON_INTEGER:
    case JSON_REAL:
        return "a number";
    case JSON_TRUE:
        return "true";
    case JSON_FALSE:
        return "false";
    case JSON_NULL:
        break;
    }
    return "null";
}

static int unexpected(const struct cs_json_at *at, const char *wanted, struct cs_error *err)
{
    struct cs_strbuf found = CS_STRBUF_INIT;

    if (json_is_integer(at->value))
        cs_strbuf_printf(&found, "%" JSON_INTEGER_FORMAT, json_integer_value(at->value));
    else if (json_is_real(at->value))
        cs_strbuf_put_double(&found, json_real_value(at->value));
    else
        cs_strbuf_puts(&found, kind_of(at->value));
    cs_json_error(at, err, "found %s, expected %s", found.text, wanted);
    cs_strbuf_release(&found);
    return -1;
}

/* Is the key one of "first|second|..."? */
static bool is_listed(const char *key, const char *list)
{
    const size_t length = strlen(key);

    for (; list; list = strchr(list, '|')) {
        list += *list == '|';
        if (!strncmp(list, key, length) && (list[length] == '|' || !list[length]))
            return true;
    }
    return false;
}

static int unknown_key(const struct cs_json_at *at, const char *key, const char *known,
                       struct cs_error *err)
{
    struct cs_strbuf list = CS_STRBUF_INIT;

    cs_strbuf_put_excerpt(&list, key);
    cs_strbuf_puts(&list, ", expected one of: ");
    for (; *known; known++) {
        if (*known == '|')
            cs_strbuf_puts(&list, ", ");
        else
            cs_strbuf_putc(&list, *known);
    }
    cs_json_error(at, err, "unknown key %s", list.text);
    cs_strbuf_release(&list);
    return -1;
}

int cs_json_keys(const struct cs_json_at *at, const char *known, struct cs_error *err)
{
    const char *key;
    json_t *value;

    if (!json_is_object(at->value))
        return unexpected(at, "an object", err);
    json_object_foreach(at->value, key, value)
    {
        if (known && !is_listed(key, known))
            return unknown_key(at, key, known, err);
    }
    return 0;
}

int cs_json_array(const struct cs_json_at *at, size_t *count, struct cs_error *err)
{
    if (!json_is_array(at->value))
        return unexpected(at, "an array", err);
    *count = json_array_size(at->value);
    return 0;
}

struct cs_json_at cs_json_element(const struct cs_json_at *array, size_t index)
{
    json_t *value = json_array_get(array->value, index);

    CS_REQUIRE(value != NULL);
    return (struct cs_json_at){.value = value, .above = array, .index = index};
}

int cs_json_member(const struct cs_json_at *object, const char *key, struct cs_json_at *out,
                   struct cs_error *err)
{
    json_t *value;

    if (!json_is_object(object->value))
        return unexpected(object, "an object", err);
    value = json_object_get(object->value, key);
    if (!value)
        return cs_json_error(object, err, "key \"%s\" is missing", key);
    *out = (struct cs_json_at){.value = value, .above = object, .key = key};
    return 0;
}

bool cs_json_has(const struct cs_json_at *object, const char *key)
{
    const json_t *value = json_object_get(object->value, key);

    return value && !json_is_null(value);
}

int cs_json_string(const struct cs_json_at *at, const char **out, struct cs_error *err)
{
    if (!json_is_string(at->value))
        return unexpected(at, "a string", err);
    *out = json_string_value(at->value);
    return 0;
}

int cs_json_double(const struct cs_json_at *at, enum cs_number_want want, double *out,
                   struct cs_error *err)
{
    const double value = json_number_value(at->value) + 0.0;

    if (!json_is_number(at->value) || !cs_number_meets(value, want))
        return unexpected(at, cs_number_wanted(want), err);
    *out = value;
    return 0;
}

int cs_json_int64(const struct cs_json_at *at, int64_t low, int64_t high, int64_t *out,
                  struct cs_error *err)
{
    const int64_t value = json_integer_value(at->value);
    char wanted[96];

    if (json_is_integer(at->value) && value >= low && value <= high) {
        *out = value;
        return 0;
    }
    if (high == INT64_MAX || high == INT_MAX)
        cs_plain_print(wanted, sizeof wanted, "a whole number of at least %lld", (long long)low);
    else
        cs_plain_print(wanted, sizeof wanted, "a whole number from %lld to %lld", (long long)low,
                       (long long)high);
    return unexpected(at, wanted, err);
}

int cs_json_int(const struct cs_json_at *at, int low, int high, int *out, struct cs_error *err)
{
    int64_t value = 0;

    if (cs_json_int64(at, low, high, &value, err))
        return -1;
    *out = (int)value;
    return 0;
}

int cs_json_bool(const struct cs_json_at *at, bool *out, struct cs_error *err)
{
    if (!json_is_boolean(at->value))
        return unexpected(at, "true or false", err);
    *out = json_is_true(at->value);
    return 0;
}

int cs_json_get_string(const struct cs_json_at *object, const char *key, const char **out,
                       struct cs_error *err)
{
    struct cs_json_at at = {0};

    return cs_json_member(object, key, &at, err) ? -1 : cs_json_string(&at, out, err);
}

int cs_json_get_double(const struct cs_json_at *object, const char *key, enum cs_number_want want,
                       double *out, struct cs_error *err)
{
    struct cs_json_at at = {0};

    return cs_json_member(object, key, &at, err) ? -1 : cs_json_double(&at, want, out, err);
}

int cs_json_get_int(const struct cs_json_at *object, const char *key, int low, int high, int *out,
                    struct cs_error *err)
{
    struct cs_json_at at = {0};

    return cs_json_member(object, key, &at, err) ? -1 : cs_json_int(&at, low, high, out, err);
}

int cs_json_get_bool(const struct cs_json_at *object, const char *key, bool *out,
                     struct cs_error *err)
{
    struct cs_json_at at = {0};

    return cs_json_member(object, key, &at, err) ? -1 : cs_json_bool(&at, out, err);
}
