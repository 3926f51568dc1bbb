/* options.c - from members of JSON to members of options. */
#include "problem/options.h"

#include "base/json.h"
#include "base/plain.h"

#include <string.h>

static void supplied_drop(struct cs_guarded *supplied)
{
    json_decref(((struct cs_supplied *)(void *)supplied)->json);
}

struct cs_supplied *cs_supplied_load(const char *text, struct cs_arena *arena, struct cs_error *err)
{
    const char *said = text ? text : "{}";
    struct cs_supplied *supplied = CS_NEW(arena, struct cs_supplied);

    supplied->json = NULL;
    cs_guard_keep(&supplied->guarded, supplied_drop);
    supplied->json = cs_json_load_memory("options", said, strlen(said), err);
    if (json_is_object(supplied->json))
        return supplied;
    if (supplied->json)
        cs_error_set(err, "options: an object is wanted, such as {\"procs\": 32}");
    cs_supplied_release(supplied);
    return NULL;
}

void cs_supplied_release(struct cs_supplied *supplied)
{
    if (!supplied)
        return;
    cs_guard_discard(&supplied->guarded);
    json_decref(supplied->json);
}

static const char *text_of_bytes(const char *name, const json_t *list, struct cs_arena *arena,
                                 struct cs_error *err)
{
    char *text = CS_NEW_ARRAY(arena, char, json_array_size(list) + 1);
    const json_t *byte;
    size_t i;

    json_array_foreach(list, i, byte)
    {
        const json_int_t value = json_integer_value(byte);

        if (value < 1 || value > 255)
            break;
        text[i] = (char)(unsigned char)value;
    }
    if (json_is_array(list) && i == json_array_size(list))
        return text;
    cs_error_set(err, "%s: an object is {\"bytes\": a list of whole numbers from 1 to 255}", name);
    return NULL;
}

const char *cs_supplied_text(const char *name, const json_t *json, struct cs_arena *arena,
                             struct cs_error *err)
{
    if (json_is_object(json))
        return text_of_bytes(name, json_object_get(json, "bytes"), arena, err);
    return json_is_string(json) ? cs_arena_strdup(arena, json_string_value(json)) : NULL;
}

static int supplied_join(const struct cs_param *param, const json_t *list, struct cs_arena *arena,
                         struct cs_strbuf *out, struct cs_error *err)
{
    const json_t *element;
    size_t i;

    json_array_foreach(list, i, element)
    {
        const char *text = cs_supplied_text(param->name, element, arena, err);

        if (!text)
            return cs_error_set(err, "%s[%zu]: a text is wanted", param->name, i);
        cs_strbuf_printf(out, "%s%s", i ? param->repeats ? "\n" : "," : "", text);
    }
    return 0;
}

static int supplied_read_list(const struct cs_param *param, const char *name, const json_t *list,
                              struct cs_arena *arena, struct cs_param_value *value,
                              struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    int status = supplied_join(param, list, arena, &text, err);
    const char *joined = cs_arena_strdup(arena, text.text);

    cs_strbuf_release(&text);
    return status ? -1 : cs_param_read(param, name, joined, value, err);
}

static int read_bytes(const struct cs_param *param, const char *name, const json_t *json,
                      struct cs_arena *arena, struct cs_param_value *value, struct cs_error *err)
{
    const char *text = cs_supplied_text(name, json, arena, err);

    if (!text)
        return -1;
    if (param->kind == CS_PARAM_FLAG)
        return cs_error_set(err, "%s: true or false is wanted", name);
    return cs_param_read(param, name, text, value, err);
}

/* A number where the text may be one, such as "procs": 64 for "8..256". */
static bool takes_number(const struct cs_param *param, const json_t *json)
{
    return json_is_number(json) && param->kind == CS_PARAM_TEXT && !param->policies &&
           !param->list && !param->repeats;
}

static int read_number(const struct cs_param *param, const char *name, const json_t *json,
                       struct cs_arena *arena, struct cs_param_value *value, struct cs_error *err)
{
    char text[40];

    if (json_is_integer(json))
        cs_plain_print(text, sizeof text, "%lld", (long long)json_integer_value(json));
    else
        cs_plain_print(text, sizeof text, "%.17g", json_real_value(json));
    return cs_param_read(param, name, cs_arena_strdup(arena, text), value, err);
}

int cs_supplied_store(const struct cs_param *param, const char *name, const json_t *json,
                      double unit, struct cs_arena *arena, void *options, struct cs_error *err)
{
    struct cs_param_value value;

    if (takes_number(param, json) ? read_number(param, name, json, arena, &value, err)
        : json_is_array(json)     ? supplied_read_list(param, name, json, arena, &value, err)
        : json_is_object(json)    ? read_bytes(param, name, json, arena, &value, err)
                                  : cs_param_read_json(param, name, json, &value, err))
        return -1;
    if (value.text)
        value.text = cs_arena_strdup(arena, value.text);
    if (unit > 0)
        value.real *= unit;
    cs_param_store(param, &value, options);
    return 0;
}
