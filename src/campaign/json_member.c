/* json_member.c - see json_member.h. */
#include "campaign/json_member.h"
#include "base/json.h"

#include <string.h>

struct cs_json_at cs_member_at(const struct cs_json_at *object, const char *key)
{
    json_t *value = json_object_get(object->value, key);

    return (struct cs_json_at){
        .value = json_is_null(value) ? NULL : value, .above = object, .key = key};
}

int cs_member_string(const struct cs_json_at *object, const char *key, const char **out,
                     struct cs_error *err)
{
    struct cs_json_at at = cs_member_at(object, key);

    return at.value ? cs_json_string(&at, out, err) : 0;
}

int cs_member_double(const struct cs_json_at *object, const char *key, double *out,
                     struct cs_error *err)
{
    struct cs_json_at at = cs_member_at(object, key);

    return at.value ? cs_json_double(&at, CS_NUMBER_FINITE, out, err) : 0;
}

int cs_member_int(const struct cs_json_at *object, const char *key, int low, int high, int *out,
                  struct cs_error *err)
{
    struct cs_json_at at = cs_member_at(object, key);

    return at.value ? cs_json_int(&at, low, high, out, err) : 0;
}

int cs_member_bool(const struct cs_json_at *object, const char *key, bool *out,
                   struct cs_error *err)
{
    struct cs_json_at at = cs_member_at(object, key);

    return at.value ? cs_json_bool(&at, out, err) : 0;
}

/* The index of the word in "first|second|...", or -1. */
static int find_word(const char *words, const char *word)
{
    const size_t length = strlen(word);

    for (int w = 0; words; w++) {
        const char *end = strchr(words, '|');
        const size_t size = end ? (size_t)(end - words) : strlen(words);

        if (size == length && !memcmp(words, word, size))
            return w;
        words = end ? end + 1 : NULL;
    }
    return -1;
}

int cs_member_choice(const struct cs_json_at *object, const char *key, const char *choices,
                     int *out, struct cs_error *err)
{
    struct cs_json_at at = cs_member_at(object, key);
    struct cs_strbuf list = CS_STRBUF_INIT;
    const char *word = NULL;
    int index;

    if (!at.value)
        return 0;
    if (cs_json_string(&at, &word, err))
        return -1;
    index = find_word(choices, word);
    if (index >= 0) {
        *out = index;
        return 0;
    }
    for (; *choices; choices++)
        if (*choices == '|')
            cs_strbuf_puts(&list, ", ");
        else
            cs_strbuf_putc(&list, *choices);
    cs_json_error(&at, err, "found \"%.60s\", expected one of: %s", word, list.text);
    cs_strbuf_release(&list);
    return -1;
}

int cs_member_error(const struct cs_json_at *at, const struct cs_error *inner, struct cs_error *err)
{
    return cs_json_error(at, err, "%s", inner->text);
}

json_t *cs_member_merge(json_t *document, json_t *patch)
{
    const char *key;
    json_t *value, *merged;
    CS_HOLD(hold);

    if (!json_is_object(patch))
        return cs_json_made(json_deep_copy(patch));
    merged = cs_json_made(json_object());
    cs_json_hold(&hold, merged);
    cs_json_update(merged, json_is_object(document) ? document : NULL);
    json_object_foreach(patch, key, value)
    {
        if (json_is_null(value))
            json_object_del(merged, key);
        else
            cs_json_set(merged, key, cs_member_merge(json_object_get(merged, key), value));
    }
    return cs_unhold(&hold);
}
