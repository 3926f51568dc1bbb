/* parameters.c - parameters as canonical JSON. */
#include "campaign/parameters.h"

#include "base/guard.h"
#include "base/json.h"
#include "base/json_make.h"
#include "problem/cell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FEW 64
#define WHOLE 9007199254740992.0 /* 2^53: doubles below it hold every whole number */

static void put_real(double value, struct cs_strbuf *out)
{
    if (value == floor(value) && fabs(value) < WHOLE)
        cs_strbuf_put_int(out, (int64_t)value);
    else
        cs_strbuf_put_double(out, value);
}

/* Is it plain JSON? */
static bool is_plain(const char *text)
{
    while (*text >= ' ' && *text <= '~' && *text != '"' && *text != '\\')
        text++;
    return !*text;
}

static void put_plain(const char *text, struct cs_strbuf *out)
{
    cs_strbuf_putc(out, '"');
    cs_strbuf_puts(out, text);
    cs_strbuf_putc(out, '"');
}

void cs_parameters_put_value(const json_t *value, struct cs_strbuf *out)
{
    if (json_is_string(value) && is_plain(json_string_value(value)))
        put_plain(json_string_value(value), out);
    else if (json_is_integer(value))
        cs_strbuf_put_int(out, json_integer_value(value));
    else if (json_is_real(value))
        put_real(json_real_value(value), out);
    else
        cs_json_put(out, value, JSON_SORT_KEYS | JSON_ENCODE_ANY);
}

void cs_parameters_put_word(const json_t *value, struct cs_strbuf *out)
{
    if (json_is_string(value))
        cs_strbuf_puts(out, json_string_value(value));
    else
        cs_parameters_put_value(value, out);
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The keys, sorted.  `few` is used while it is large enough; else the list is the caller's to free.
 */
static const char **sort_keys(const json_t *object, const char **few)
{
    size_t count = json_object_size(object), k = 0;
    const char **key = count > FEW ? cs_block_zero(count, sizeof *key) : few;
    const char *name;
    json_t *value;

    json_object_foreach((json_t *)(uintptr_t)object, name, value) key[k++] = name;
    qsort(key, count, sizeof *key, by_bytes);
    return key;
}

static void put_key(const char *key, struct cs_strbuf *out)
{
    CS_HOLD(json);

    if (is_plain(key)) {
        put_plain(key, out);
        return;
    }
    cs_json_hold(&json, cs_json_made(json_string(key)));
    cs_parameters_put_value(json.thing, out);
}

void cs_parameters_put(const json_t *parameters, struct cs_strbuf *out)
{
    size_t count = json_object_size(parameters);
    const char *few[FEW];
    const char **key = sort_keys(parameters, few);

    cs_strbuf_putc(out, '{');
    for (size_t k = 0; k < count; k++) {
        if (k)
            cs_strbuf_putc(out, ',');
        put_key(key[k], out);
        cs_strbuf_putc(out, ':');
        cs_parameters_put_value(json_object_get(parameters, key[k]), out);
    }
    cs_strbuf_putc(out, '}');
    if (key != few)
        cs_block_free(key);
}

void cs_parameters_put_words(const json_t *parameters, struct cs_strbuf *out)
{
    size_t count = json_object_size(parameters);
    const char *few[FEW];
    const char **key = sort_keys(parameters, few);

    for (size_t k = 0; k < count; k++) {
        cs_strbuf_printf(out, "%s%s=", k ? " " : "", key[k]);
        cs_parameters_put_word(json_object_get(parameters, key[k]), out);
    }
    if (key != few)
        cs_block_free(key);
}

bool cs_parameters_is_file(const struct cs_problem *problem, const char *key)
{
    const struct cs_field *field = cs_cell_field(problem, key, NULL);

    return field && field->kind == CS_FIELD_PATH;
}

static json_t *place_one(json_t *value, const char *folder, size_t length)
{
    const char *name = json_string_value(value);
    struct cs_strbuf path = CS_STRBUF_INIT;
    json_t *placed;

    if (!name || *name == '/')
        return json_incref(value);
    cs_strbuf_append(&path, folder, length);
    cs_strbuf_printf(&path, "/%s", name);
    placed = cs_json_made(json_string_nocheck(path.text));
    cs_strbuf_release(&path);
    return placed;
}

static json_t *parameters_place(json_t *value, const char *folder, size_t length)
{
    json_t *list;
    CS_HOLD(hold);

    if (!json_is_array(value))
        return place_one(value, folder, length);
    list = cs_json_made(json_array());
    cs_json_hold(&hold, list);
    for (size_t i = 0; i < json_array_size(value); i++)
        cs_json_append(list, place_one(json_array_get(value, i), folder, length));
    return cs_unhold(&hold);
}

json_t *cs_parameters_place(const struct cs_problem *problem, json_t *parameters,
                            const char *folder, size_t length)
{
    json_t *placed = cs_json_copy(parameters), *value;
    CS_JSON_HOLD(placed);
    const char *key;

    json_object_foreach(parameters, key, value)
    {
        if (cs_parameters_is_file(problem, key))
            cs_json_set(placed, key, parameters_place(value, folder, length));
    }
    return cs_unhold(&placed_hold);
}
