/* json_make.c - jansson's functions, which never return NULL. */
#include "base/json_make.h"

#include "base/bug.h"
#include "base/utf8.h"

static void json_make_must(int status)
{
    if (status)
        cs_bug_no_memory(0);
}

json_t *cs_json_made(json_t *value)
{
    json_make_must(!value);
    return value;
}

json_t *cs_json_word(const char *text)
{
    json_t *word = json_string(text);
    const char *at = text;

    while (!word && *at && cs_utf8_length(at))
        at += cs_utf8_length(at);
    json_make_must(!word && !*at);
    return word;
}

json_t *cs_json_pair(const char *key, json_t *value)
{
    json_t *pair = json_object();
    const int status = json_object_set_new(pair, key, value); /* the value goes in any case */

    if (status)
        json_decref(pair);
    json_make_must(status);
    return pair;
}

void cs_json_set(json_t *object, const char *key, json_t *value)
{
    json_make_must(json_object_set_new(object, key, value));
}

void cs_json_append(json_t *list, json_t *value)
{
    json_make_must(json_array_append_new(list, value));
}

void cs_json_update(json_t *object, json_t *other)
{
    json_make_must(other && json_object_update(object, other));
}

json_t *cs_json_parse(const char *text, size_t length, size_t flags)
{
    json_error_t why;

    return cs_json_loadb(text, length, flags, &why);
}

json_t *cs_json_copy(json_t *value)
{
    json_t *copy = json_is_object(value)  ? json_object()
                   : json_is_array(value) ? json_array()
                                          : json_copy(value);
    int status = copy ? 0 : -1;

    if (json_is_object(value))
        status = json_object_update(copy, value);
    else if (json_is_array(value))
        status = json_array_extend(copy, value);
    if (status)
        json_decref(copy);
    json_make_must(status);
    return copy;
}

static void value_release(void *value)
{
    json_decref(value);
}

void cs_json_hold(struct cs_hold *hold, json_t *value)
{
    cs_hold(hold, value, value_release);
}
