/* known.c - read the key `known` of files. */
#include "model/known.h"

#include "base/plain.h"
#include "base/strbuf.h"

#include <math.h>
#include <string.h>

static int known_number(const struct cs_json_at *at, const char *key, double *out,
                        struct cs_error *err)
{
    *out = NAN;
    return cs_json_has(at, key) ? cs_json_get_double(at, key, CS_NUMBER_NOT_NEGATIVE, out, err) : 0;
}

static int known_trap(const struct cs_json_at *at, struct cs_known *known, struct cs_error *err)
{
    struct cs_json_at trap;
    const char *name, *problem = "";

    if (cs_json_member(at, "trap", &trap, err) || cs_json_get_string(&trap, "name", &name, err) ||
        (cs_json_has(&trap, "problem") && cs_json_get_string(&trap, "problem", &problem, err)))
        return -1;
    cs_plain_print(known->problem, sizeof known->problem, "%s", problem);
    return cs_json_has(&trap, "pack_size")
               ? cs_json_get_int(&trap, "pack_size", 1, 1000000000, &known->pack_size, err)
               : 0;
}

static int known_read(const struct cs_json_at *at, struct cs_known *known, struct cs_arena *arena,
                      struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *why;
    json_t *json;

    *known = (struct cs_known){0};
    if (cs_json_keys(at, "optimum|at_least|at_most|procs|trap|why", err) ||
        known_number(at, "optimum", &known->optimum, err) ||
        cs_json_get_double(at, "at_least", CS_NUMBER_NOT_NEGATIVE, &known->at_least, err) ||
        known_number(at, "at_most", &known->at_most, err) ||
        cs_json_get_int(at, "procs", 1, 1000000000, &known->procs, err) ||
        known_trap(at, known, err) || cs_json_get_string(at, "why", &why, err))
        return -1;
    if (known->at_most < known->at_least || known->optimum < known->at_least ||
        known->optimum > known->at_most)
        return cs_json_error(at, err,
                             "found numbers that contradict each other, expected at_least "
                             "<= optimum <= at_most");
    json = cs_json_value(at);
    cs_json_put(&text, json, 0);
    json_decref(json);
    known->text = cs_arena_strdup(arena, text.text);
    cs_strbuf_release(&text);
    return 0;
}

int cs_known_get(const struct cs_json_at *root, const struct cs_known **known,
                 struct cs_arena *arena, struct cs_error *err)
{
    struct cs_known *read;
    struct cs_json_at at;

    if (!cs_json_has(root, "known"))
        return 0;
    *known = read = CS_NEW(arena, struct cs_known);
    return cs_json_member(root, "known", &at, err) || known_read(&at, read, arena, err) ? -1 : 0;
}

int cs_known_parse(const char *text, struct cs_known *known, struct cs_arena *arena,
                   struct cs_error *err)
{
    json_t *json = cs_json_load_memory("known", text, strlen(text), err);
    struct cs_json_at at;
    int status;

    if (!json)
        return -1;
    at = cs_json_root("known", json);
    status = known_read(&at, known, arena, err);
    json_decref(json);
    return status;
}

void cs_known_open(struct cs_jsonw *w, double optimum, double least, double most, int procs,
                   const char *trap)
{
    cs_jsonw_open(w, '{');
    cs_jsonw_put_double(w, "optimum", optimum);
    cs_jsonw_put_double(w, "at_least", least);
    cs_jsonw_put_double(w, "at_most", most);
    cs_jsonw_put_int(w, "procs", procs);
    cs_jsonw_key(w, "trap");
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_string(w, "name", trap);
}

void cs_known_close(struct cs_jsonw *w, const char *why)
{
    cs_jsonw_close(w);
    cs_jsonw_put_string(w, "why", why);
    cs_jsonw_close(w);
    cs_jsonw_end(w);
}

static void known_put_value(const json_t *value, struct cs_jsonw *w)
{
    const char *key;
    json_t *member;
    size_t i;

    if (json_is_object(value)) {
        cs_jsonw_open_flat(w, '{');
        json_object_foreach((json_t *)(size_t)value, key, member)
        {
            cs_jsonw_key(w, key);
            known_put_value(member, w);
        }
        cs_jsonw_close(w);
    } else if (json_is_array(value)) {
        cs_jsonw_open_flat(w, '[');
        json_array_foreach(value, i, member) known_put_value(member, w);
        cs_jsonw_close(w);
    } else if (json_is_integer(value)) {
        cs_jsonw_int(w, json_integer_value(value));
    } else if (json_is_real(value)) {
        cs_jsonw_double(w, json_real_value(value));
    } else if (json_is_boolean(value)) {
        cs_jsonw_bool(w, json_is_true(value));
    } else {
        cs_jsonw_string(w, json_string_value(value));
    }
}

void cs_known_put(const struct cs_known *known, struct cs_jsonw *w)
{
    json_t *json = cs_json_parse(known->text, strlen(known->text), 0);

    cs_jsonw_key(w, "known");
    known_put_value(json, w);
    json_decref(json);
}
